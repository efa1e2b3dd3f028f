//! What a scatter figure holds.

use crate::marker::{Color, GREY, PALETTE, Paint, Shape};
use crate::{PlotError, Result};
use std::collections::HashMap;

/// Labels that get a colour of their own; the others are grey.
pub const MAX_LABELS: usize = 8;

/// Look of a series. What is not set follows from the place of its name among all names of the figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Style {
    /// Shape of the markers.
    pub shape: Option<Shape>,
    /// Colour of the markers (labels come first).
    pub color: Option<Color>,
    /// Outlines instead of filled markers. Unset: the second dataset of a figure coloured by labels.
    pub open: Option<bool>,
}

/// Points of one dataset. Series of the same name look the same in all panels.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Series {
    /// Name in the legend.
    pub name: String,
    /// Places; all finite.
    pub points: Vec<[f64; 2]>,
    /// One label per point: colour shows the label, shape the dataset.
    pub labels: Option<Vec<String>>,
    /// Look, where it is not to follow from the name.
    pub style: Style,
}

impl Series {
    /// Points under a name.
    pub fn new(name: impl Into<String>, points: Vec<[f64; 2]>) -> Self {
        Self { name: name.into(), points, ..Self::default() }
    }
    /// With one label per point.
    pub fn labels(mut self, labels: Vec<String>) -> Self {
        self.labels = Some(labels);
        self
    }
    /// With a look of its own.
    pub fn style(mut self, style: Style) -> Self {
        self.style = style;
        self
    }
}

/// One box of the figure, with coordinates of its own.
#[derive(Clone, Debug, PartialEq)]
pub struct Panel {
    /// Title over the box.
    pub title: String,
    /// What is drawn.
    pub series: Vec<Series>,
    /// Thin lines under the points: known pairs.
    pub lines: Vec<[[f64; 2]; 2]>,
    /// Points that stand out, with a name beside each.
    pub marks: Vec<([f64; 2], String)>,
    /// Small text under the box.
    pub note: String,
    /// Whether a unit is as long across as upwards (default true).
    pub equal_aspect: bool,
}

impl Panel {
    /// An empty box.
    pub fn new(title: impl Into<String>) -> Self {
        Self { title: title.into(), series: vec![], lines: vec![], marks: vec![], note: String::new(), equal_aspect: true }
    }
    /// With one more series.
    pub fn series(mut self, series: Series) -> Self {
        self.series.push(series);
        self
    }
    /// With one more line.
    pub fn line(mut self, from: [f64; 2], to: [f64; 2]) -> Self {
        self.lines.push([from, to]);
        self
    }
    /// With lines.
    pub fn lines(mut self, lines: Vec<[[f64; 2]; 2]>) -> Self {
        self.lines = lines;
        self
    }
    /// With a ring around a place, and a name beside it.
    pub fn mark(mut self, place: [f64; 2], name: impl Into<String>) -> Self {
        self.marks.push((place, name.into()));
        self
    }
    /// With a small text under the box.
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.note = note.into();
        self
    }
    /// With each axis filling the box.
    pub fn equal_aspect(mut self, equal: bool) -> Self {
        self.equal_aspect = equal;
        self
    }

    /// Everything finite, labels as many as points.
    pub(crate) fn check(&self) -> Result<()> {
        let bad = |series: &str, point, p: [f64; 2]| PlotError::NotFinite {
            panel: self.title.clone(),
            series: series.into(),
            point,
            x: p[0],
            y: p[1],
        };
        let finite = |p: &[f64; 2]| p[0].is_finite() && p[1].is_finite();
        for s in &self.series {
            if let Some(at) = s.points.iter().position(|p| !finite(p)) {
                return Err(bad(&s.name, at, s.points[at]));
            }
            if let Some(labels) = s.labels.as_ref().filter(|l| l.len() != s.points.len()) {
                return Err(PlotError::LabelCount { series: s.name.clone(), points: s.points.len(), labels: labels.len() });
            }
        }
        if let Some((at, (place, _))) = self.marks.iter().enumerate().find(|(_, (place, _))| !finite(place)) {
            return Err(bad("marks", at, *place));
        }
        for (at, line) in self.lines.iter().enumerate() {
            if let Some(&p) = line.iter().find(|p| !finite(p)) {
                return Err(bad("lines", at, p));
            }
        }
        Ok(())
    }
}

/// Panels in rows under a title: the datasets before, the joint space after.
#[derive(Clone, Debug, PartialEq)]
pub struct Scatter {
    /// Title of the figure.
    pub title: String,
    /// Line under the title: method, scores.
    pub subtitle: String,
    /// The boxes, in reading order.
    pub panels: Vec<Panel>,
    /// Points drawn of one series at most (default 4,000); of the whole figure at most five times as many.
    pub max_points: usize,
    /// Panels in a row (default 3).
    pub columns: usize,
    /// Labels that have a colour; all others are grey. Empty: the most frequent ones.
    pub highlight: Vec<String>,
}

impl Scatter {
    /// A figure without panels.
    pub fn new(title: impl Into<String>) -> Self {
        Self { title: title.into(), subtitle: String::new(), panels: vec![], max_points: 4000, columns: 3, highlight: vec![] }
    }
    /// With a line under the title.
    pub fn subtitle(mut self, subtitle: impl Into<String>) -> Self {
        self.subtitle = subtitle.into();
        self
    }
    /// With one more panel.
    pub fn panel(mut self, panel: Panel) -> Self {
        self.panels.push(panel);
        self
    }
    /// With at most that many points of a series.
    pub fn max_points(mut self, max_points: usize) -> Self {
        self.max_points = max_points;
        self
    }
    /// With that many panels in a row.
    pub fn columns(mut self, columns: usize) -> Self {
        self.columns = columns;
        self
    }

    /// With these labels in colour and all others grey.
    pub fn highlight(mut self, labels: Vec<String>) -> Self {
        self.highlight = labels;
        self
    }

    /// The figure as SVG text. Same figure, same bytes.
    pub fn render(&self) -> Result<String> {
        crate::render::scatter(self)
    }
}

/// Which look belongs to which name and label, for the whole figure.
pub(crate) struct Key<'a> {
    /// Names of the series in order of appearance, with their look.
    pub(crate) datasets: Vec<(&'a str, Paint)>,
    /// Labels with a colour, in natural order.
    pub(crate) labels: Vec<&'a str>,
    /// Number of labels without.
    pub(crate) others: usize,
    colors: HashMap<&'a str, Color>,
}

impl<'a> Key<'a> {
    pub(crate) fn new(panels: &'a [Panel], highlight: &[String]) -> Self {
        let mut counts: HashMap<&str, usize> = HashMap::new();
        for label in panels.iter().flat_map(|p| &p.series).filter_map(|s| s.labels.as_ref()).flatten() {
            *counts.entry(label).or_default() += 1;
        }
        // The most frequent labels; names decide ties, so hash order never shows.
        let mut ranked: Vec<(&str, usize)> = counts.into_iter().collect();
        ranked.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| natural(a.0).cmp(&natural(b.0))).then(a.0.cmp(b.0)));
        let all = ranked.len();
        ranked.retain(|(label, _)| highlight.is_empty() || highlight.iter().any(|h| h == label));
        let others = all - ranked.len().min(MAX_LABELS);
        ranked.truncate(MAX_LABELS);
        let mut labels: Vec<&str> = ranked.into_iter().map(|(label, _)| label).collect();
        labels.sort_by(|a, b| natural(a).cmp(&natural(b)).then(a.cmp(b)));
        let colors = labels.iter().copied().zip(PALETTE).collect();

        let mut datasets: Vec<(&str, Paint)> = vec![];
        for s in panels.iter().flat_map(|p| &p.series) {
            if datasets.iter().all(|(name, _)| *name != s.name) {
                let position = datasets.len();
                let open = s.style.open.unwrap_or(s.labels.is_some() && position % 2 == 1);
                let shape = s.style.shape.unwrap_or(Shape::of(position));
                let color = s.style.color.unwrap_or(PALETTE[position % PALETTE.len()]);
                datasets.push((&s.name, Paint { color, shape, open }));
            }
        }
        Self { datasets, labels, others, colors }
    }

    /// Whether colour is used for labels.
    pub(crate) fn by_label(&self) -> bool {
        !self.labels.is_empty()
    }

    /// Look of one point.
    pub(crate) fn paint(&self, series: &Series, point: usize) -> Paint {
        let paint = self.datasets.iter().find(|(name, _)| *name == series.name).map(|(_, paint)| *paint);
        let mut paint = paint.expect("every name of the figure is in its key");
        if let Some(labels) = &series.labels {
            paint.color = self.color(&labels[point]);
        }
        paint
    }

    /// Colour of a label.
    pub(crate) fn color(&self, label: &str) -> Color {
        self.colors.get(label).copied().unwrap_or(GREY)
    }
}

/// For sorting: runs of digits as numbers, so that "branch 10" follows "branch 9".
fn natural(text: &str) -> Vec<(String, u64)> {
    let mut parts = vec![(String::new(), 0u64)];
    let mut in_number = false;
    for c in text.chars() {
        let last = parts.last_mut().expect("never empty");
        match c.to_digit(10) {
            Some(d) => {
                last.1 = last.1.saturating_mul(10).saturating_add(u64::from(d));
                in_number = true;
            }
            None if in_number => {
                parts.push((c.to_string(), 0));
                in_number = false;
            }
            None => last.0.push(c),
        }
    }
    parts
}
