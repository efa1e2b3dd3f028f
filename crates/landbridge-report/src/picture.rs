//! Pictures of an alignment as SVG: every dataset before alignment, the joint space after it; recall at k.

use landbridge::data::{Dataset, Link};
use landbridge::error::{Error, Result};
use landbridge::geometry::principal::principal_components;
use landbridge::linalg::Matrix;
use landbridge::model::{Alignment, Fitted};
use landbridge::progress::Progress;
use landbridge_plot::{Curve, LineChart, Panel, PlotError, Scatter, Series, sample, thousands};

/// Which columns of the joint space are drawn. With one, the datasets lie side by side as lines.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Axes {
    /// One component.
    One(usize),
    /// Across and upwards.
    Two(usize, usize),
}

impl Axes {
    fn points_of(self, z: &Matrix<f64>, dataset: usize, row: usize) -> [f64; 2] {
        match self {
            Axes::One(c) => [z[(row, c)], dataset as f64],
            Axes::Two(c, d) => [z[(row, c)], z[(row, d)]],
        }
    }
    fn points(self, z: &Matrix<f64>, dataset: usize) -> Vec<[f64; 2]> {
        (0..z.nrows()).map(|row| self.points_of(z, dataset, row)).collect()
    }
    fn note(self) -> String {
        match self {
            Axes::One(c) => format!("component {c}; one line per dataset"),
            Axes::Two(c, d) => format!("components {c} and {d}"),
        }
    }
}

/// Lines of known pairs in a picture. More would cover the points; they are chosen evenly.
pub const LINES: usize = 100;

/// "1 pair", "2 pairs".
pub fn counted(n: usize, word: &str) -> String {
    format!("{} {word}{}", thousands(n), if n == 1 { "" } else { "s" })
}

/// A picture that cannot be drawn, as an error of the library.
pub fn undrawn(error: PlotError) -> Error {
    Error::Undefined { what: "a picture".into(), why: error.to_string() }
}

/// Recall at k of the pairs in both directions, beside chance.
pub fn recall_chart(alignment: &Alignment, truth: &[Link]) -> Result<LineChart> {
    let largest = alignment.datasets().iter().map(Fitted::nrows).max().unwrap_or(1);
    let ks: Vec<usize> = [1, 2, 3, 5, 10, 20, 50, 100, 200, 500].into_iter().filter(|k| *k <= largest).collect();
    let scores = alignment.evaluate(truth, &ks, None)?;
    let held_out = scores.iter().map(|s| s.held_out).sum::<usize>();
    let names: Vec<&str> = alignment.datasets().iter().map(Fitted::name).collect();
    let counts = match held_out {
        0 => format!("{}, all used in the fit", counted(truth.len(), "pair")),
        n => format!("{} that the fit did not see", counted(n, "pair")),
    };
    let mut chart = LineChart::new(format!("Recall of {}", listed(&names)))
        .subtitle(format!("{} alignment, {counts}", alignment.method().replace('_', "-")))
        .axes("k", "share of rows whose partner is among the k nearest")
        .log_x(true)
        .y_range(0.0, 1.0);
    for pair in &scores {
        for way in 0..2 {
            let (from, to) = (&pair.datasets[way], &pair.datasets[1 - way]);
            let own = || pair.scores.iter().filter(|s| s.score == "recall" && s.from.as_ref() == Some(from));
            let point = |k: Option<usize>, value: Option<f64>| Some([k? as f64, value?]);
            let share = |s: &landbridge::apply::scores::Score| if held_out > 0 { s.held_out } else { s.all };
            let found = own().filter_map(|s| point(s.k, share(s))).collect();
            chart = chart.curve(Curve::new(format!("{from} → {to}"), found));
            if way == 1 {
                chart = chart.curve(Curve::new("chance", own().filter_map(|s| point(s.k, Some(s.chance))).collect()));
            }
        }
    }
    Ok(chart)
}

/// A row that a picture names: its dataset and its number there.
pub type Named = (usize, usize);

/// What is written beside a named row: its id, or its number.
fn name_of(dataset: &Fitted, row: usize) -> String {
    dataset.row_ids().map_or_else(|| row.to_string(), |ids| ids[row].clone())
}

/// The joint space with its pairs.
pub fn joint_panel(alignment: &Alignment, axes: Axes, by_label: bool, named: &[Named]) -> Panel {
    let points: Vec<Vec<[f64; 2]>> =
        alignment.datasets().iter().enumerate().map(|(a, d)| axes.points(d.embedding(), a)).collect();
    let drawn = sample(alignment.pairs().len(), LINES);
    let line = |p: &usize| {
        let link = &alignment.pairs()[*p];
        [points[link.a][link.i], points[link.b][link.j]]
    };
    let lines: Vec<[[f64; 2]; 2]> = drawn.iter().map(line).collect();
    let known = match lines.len() < alignment.pairs().len() {
        true => format!("{} of {} drawn", lines.len(), counted(alignment.pairs().len(), "known pair")),
        false => counted(lines.len(), "known pair"),
    };
    let panel = alignment
        .datasets()
        .iter()
        .zip(points)
        .fold(Panel::new("joint space, after"), |panel, (d, points)| panel.series(series(d, points, by_label)));
    let marks: Vec<([f64; 2], String)> = named
        .iter()
        .map(|&(a, i)| (axes.points_of(alignment.embedding(a), a, i), name_of(&alignment.datasets()[a], i)))
        .collect();
    let panel = marks.into_iter().fold(panel, |panel, (place, name)| panel.mark(place, name));
    // Components have scales of their own; the box is filled in both directions.
    panel.lines(lines).note(format!("{}, {known}", axes.note())).equal_aspect(false)
}

/// The whole figure, and what could not be drawn. `datasets` are the rows as they were, where they are at hand; a model
/// may have kept them.
pub fn figure(
    alignment: &Alignment,
    datasets: Option<&[Dataset]>,
    axes: Axes,
    by_label: bool,
    named: &[Named],
    progress: &Progress,
) -> Result<(Scatter, Vec<String>)> {
    let names: Vec<&str> = alignment.datasets().iter().map(Fitted::name).collect();
    let mut figure = Scatter::new(format!("{} in one space", listed(&names))).subtitle(format!(
        "{} alignment into {}, {} given",
        alignment.method(),
        counted(alignment.n_components(), "component"),
        counted(alignment.pairs().len(), "pair")
    ));
    let mut left_out = vec![];
    for (a, dataset) in alignment.datasets().iter().enumerate() {
        let Some(rows) = datasets.map(|d| d[a].rows()).or(dataset.rows()) else {
            left_out.push(format!(
                "no picture of \"{}\" before: the model does not store its rows (with linear maps and given graphs)",
                dataset.name()
            ));
            continue;
        };
        let places = principal_components(rows, 2, progress)?;
        let note = format!(
            "{} rows, 2 principal components of {}",
            thousands(dataset.nrows()),
            counted(dataset.n_features(), "feature")
        );
        let panel = Panel::new(format!("{}, before", dataset.name()))
            .series(series(dataset, Axes::Two(0, 1).points(&places, 0), by_label))
            .note(note);
        let own = named.iter().filter(|(b, _)| *b == a);
        figure = figure
            .panel(own.fold(panel, |panel, &(_, i)| panel.mark(Axes::Two(0, 1).points_of(&places, 0, i), name_of(dataset, i))));
    }
    figure = figure.panel(joint_panel(alignment, axes, by_label, named));
    if figure.panels.len() == 4 {
        figure = figure.columns(2);
    }
    Ok((figure, left_out))
}

fn series(dataset: &Fitted, points: Vec<[f64; 2]>, by_label: bool) -> Series {
    let series = Series::new(dataset.name(), points);
    match dataset.labels().filter(|_| by_label) {
        Some(labels) => series.labels(labels.to_vec()),
        None => series,
    }
}

/// "a, b and c".
pub fn listed(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => one.to_string(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}
