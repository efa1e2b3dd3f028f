//! From a scatter figure to SVG.

use crate::marker::{GREY, Paint, Shape, radius};
use crate::sample::sample;
use crate::scale::Extent;
use crate::scatter::{Key, Panel, Scatter};
use crate::svg::{Anchor, FRAME, INK, MUTED, Svg, escape, fit, number, text_width, thousands};
use crate::{PlotError, Result};

/// Empty border of the picture.
const MARGIN: f64 = 30.0;
/// Between panels.
const GAP: f64 = 24.0;
/// Over a panel, for its title.
const HEAD: f64 = 28.0;
/// Under a panel, for its note.
const FOOT: f64 = 22.0;
/// Between the frame and the outermost points.
const PAD: f64 = 16.0;
/// Height of a line of the legend.
const LEGEND_LINE: f64 = 22.0;
/// Pair lines drawn in one panel at most.
const MAX_LINES: usize = 2000;
/// Layers in which the points of all series are laid over each other in turn, so that no series hides another.
const LAYERS: usize = 8;

/// Colour of pair lines.
const PAIR: &str = "#57606a";

pub(crate) fn scatter(figure: &Scatter) -> Result<String> {
    if figure.panels.is_empty() {
        return Err(PlotError::Nothing { title: figure.title.clone(), what: "panels" });
    }
    figure.panels.iter().try_for_each(Panel::check)?;
    let key = Key::new(&figure.panels, &figure.highlight);
    let columns = figure.columns.clamp(1, figure.panels.len());
    let side: f64 = match columns {
        1 => 520.0,
        2 => 380.0,
        _ => 300.0,
    };
    let rows = figure.panels.len().div_ceil(columns);
    let width = 2.0 * MARGIN + columns as f64 * side + (columns - 1) as f64 * GAP;
    let inner = width - 2.0 * MARGIN;
    let header = MARGIN + 20.0 + if figure.subtitle.is_empty() { 0.0 } else { 22.0 } + 14.0;
    let row_height = HEAD + side + FOOT;
    let legend = legend(figure, &key, inner);
    let legend_top = header + rows as f64 * row_height + 10.0;
    let height = legend_top + legend.len() as f64 * LEGEND_LINE + MARGIN - 12.0;

    let mut svg = Svg::new(width, height, &figure.title, &description(figure));
    svg.text(MARGIN, MARGIN + 16.0, 19.0, 650, INK, Anchor::Start, &fit(&figure.title, 20.5, inner));
    if !figure.subtitle.is_empty() {
        svg.text(MARGIN, MARGIN + 39.0, 13.0, 400, MUTED, Anchor::Start, &fit(&figure.subtitle, 13.0, inner));
    }
    let n_series = figure.panels.iter().map(|p| p.series.len()).sum::<usize>().max(1);
    let keep = figure.max_points.min(figure.max_points.saturating_mul(5) / n_series);
    for (i, panel) in figure.panels.iter().enumerate() {
        let x = MARGIN + (i % columns) as f64 * (side + GAP);
        let y = header + (i / columns) as f64 * row_height;
        draw_panel(&mut svg, panel, &key, (figure.panels.len() > 1).then_some(i), [x, y], side, keep);
    }
    for (line, items) in legend.iter().enumerate() {
        let y = legend_top + (line as f64 + 0.5) * LEGEND_LINE;
        for item in items {
            item.draw(&mut svg, y);
        }
    }
    Ok(svg.finish())
}

/// What the picture shows, for screen readers.
fn description(figure: &Scatter) -> String {
    let panels = figure.panels.iter().map(|p| {
        let series: Vec<String> = p.series.iter().map(|s| format!("{} ({} points)", s.name, thousands(s.points.len()))).collect();
        format!("{}: {}", p.title, series.join(", "))
    });
    let panels: Vec<String> = panels.collect();
    format!("{}. Scatter plot. {}.", figure.subtitle, panels.join("; ")).trim_start_matches(". ").into()
}

fn draw_panel(svg: &mut Svg, panel: &Panel, key: &Key, position: Option<usize>, corner: [f64; 2], side: f64, keep: usize) {
    let [x, y] = corner;
    let top = y + HEAD;
    let mut text_x = x;
    if let Some(i) = position.filter(|&i| i < 26) {
        let letter = char::from(b'a' + i as u8).to_string();
        svg.text(x, y + 17.0, 14.0, 700, INK, Anchor::Start, &letter);
        text_x += 18.0;
    }
    svg.text(text_x, y + 17.0, 13.0, 500, INK, Anchor::Start, &fit(&panel.title, 13.0, x + side - text_x));
    svg.frame(x, top, side, side);

    let places: Vec<&[f64; 2]> = panel.series.iter().flat_map(|s| &s.points).collect();
    let (extent, far) = match places.is_empty() {
        true => (Extent::of(panel.lines.iter().flatten()), 0),
        false => Extent::robust(&places),
    };
    let room = side - 2.0 * PAD;
    let fill = if panel.equal_aspect { extent.equal_aspect([room, room]) } else { [1.0, 1.0] };
    let place = |p: &[f64; 2]| {
        let centred = |axis| (extent.share(axis, p[axis]) - 0.5) * fill[axis] * room;
        [x + 0.5 * side + centred(0), top + 0.5 * side - centred(1)]
    };

    let lines = sample(panel.lines.len(), MAX_LINES);
    if !lines.is_empty() {
        let opacity = if lines.len() > 200 { ".2" } else { ".5" };
        svg.raw(&format!("<path fill=\"none\" stroke=\"{PAIR}\" stroke-opacity=\"{opacity}\" stroke-width=\".8\" d=\""));
        for &l in &lines {
            let [[x1, y1], [x2, y2]] = [place(&panel.lines[l][0]), place(&panel.lines[l][1])];
            svg.raw(&format!("M{} {}L{} {}", number(x1), number(y1), number(x2), number(y2)));
        }
        svg.raw("\"/>\n");
    }

    let chosen: Vec<Vec<usize>> = panel.series.iter().map(|s| sample(s.points.len(), keep)).collect();
    let count: usize = chosen.iter().map(Vec::len).sum();
    let r = radius(count, side);
    for layer in 0..LAYERS {
        for (s, points) in panel.series.iter().zip(&chosen) {
            // Points of one look share a group: its attributes are written once. Grey lies below.
            let mut groups: Vec<(Paint, String)> = vec![];
            for &i in points.iter().skip(layer).step_by(LAYERS) {
                let paint = key.paint(s, i);
                let [px, py] = place(&s.points[i]);
                let element = paint.shape.element(px, py, r);
                match groups.iter_mut().find(|(p, _)| *p == paint) {
                    Some((_, markup)) => markup.push_str(&element),
                    None => groups.push((paint, element)),
                }
            }
            groups.sort_by_key(|(paint, _)| paint.color != GREY);
            for (paint, markup) in groups {
                svg.raw(&format!("<g {}>{markup}</g>\n", paint.attributes(count)));
            }
        }
    }

    for (at, name) in &panel.marks {
        let [px, py] = place(at);
        let (ring, name) = (number(r + 3.0), fit(name, 11.0, 0.45 * side));
        svg.raw(&format!(
            "<circle cx=\"{}\" cy=\"{}\" r=\"{ring}\" fill=\"none\" stroke=\"{INK}\" stroke-width=\"1.4\"/>\n",
            number(px),
            number(py)
        ));
        // The name stays within the frame: on the left of places in the right half.
        let right = px < x + 0.5 * side;
        let (from, anchor) = if right { (px + r + 6.0, Anchor::Start) } else { (px - r - 6.0, Anchor::End) };
        svg.text(from, py + 3.8, 11.0, 600, INK, anchor, &name);
    }

    let mut notes: Vec<String> = vec![];
    if !panel.note.is_empty() {
        notes.push(panel.note.clone());
    }
    let all: usize = panel.series.iter().map(|s| s.points.len()).sum();
    if count < all {
        notes.push(format!("{} of {} drawn", thousands(count), thousands(all)));
    }
    if lines.len() < panel.lines.len() {
        notes.push(format!("{} of {} pairs drawn", thousands(lines.len()), thousands(panel.lines.len())));
    }
    if far > 0 {
        notes.push(format!("{} far outside, at the edge", if far == 1 { "1 point".into() } else { thousands(far) + " points" }));
    }
    if all == 0 {
        svg.text(x + 0.5 * side, top + 0.5 * side + 4.0, 12.0, 400, MUTED, Anchor::Middle, "no points");
    }
    svg.text(x, top + side + 16.0, 11.0, 400, MUTED, Anchor::Start, &fit(&notes.join(" · "), 11.0, side));
}

/// One entry of the legend, with its place along the line.
struct Item {
    x: f64,
    text: String,
    sign: Sign,
}

enum Sign {
    Marker(Paint),
    Line,
    /// A thin upright line between groups of entries.
    Rule,
}

impl Item {
    fn draw(&self, svg: &mut Svg, y: f64) {
        match &self.sign {
            Sign::Marker(paint) => {
                svg.raw(&format!("<g {}>{}</g>\n", paint.attributes(1), paint.shape.element(self.x + 6.0, y, 4.6)));
                svg.raw(&format!(
                    "<text x=\"{}\" y=\"{}\" font-size=\"12\" fill=\"{INK}\">{}</text>\n",
                    number(self.x + 16.0),
                    number(y + 4.2),
                    escape(&self.text)
                ));
            }
            Sign::Line => {
                svg.line([self.x, y], [self.x + 16.0, y], PAIR, 1.0);
                svg.text(self.x + 22.0, y + 4.2, 12.0, 400, INK, Anchor::Start, &self.text);
            }
            Sign::Rule => svg.line([self.x, y - 7.0], [self.x, y + 7.0], FRAME, 1.0),
        }
    }

    fn width(&self) -> f64 {
        match self.sign {
            Sign::Marker(_) => 16.0 + text_width(&self.text, 12.0) + 16.0,
            Sign::Line => 22.0 + text_width(&self.text, 12.0) + 16.0,
            Sign::Rule => 16.0,
        }
    }
}

/// Datasets, pairs, labels, broken into lines that fit.
fn legend(figure: &Scatter, key: &Key, room: f64) -> Vec<Vec<Item>> {
    let item = |text: &str, sign| Item { x: 0.0, text: fit(text, 12.0, 260.0), sign };
    let mut groups: Vec<Vec<Item>> = vec![];
    let neutral = crate::marker::Color(87, 96, 106);
    let datasets = key.datasets.iter().map(|(name, paint)| {
        let color = if key.by_label() { neutral } else { paint.color };
        item(name, Sign::Marker(Paint { color, ..*paint }))
    });
    let mut first: Vec<Item> = datasets.collect();
    if figure.panels.iter().any(|p| !p.lines.is_empty()) {
        first.push(item("known pair", Sign::Line));
    }
    groups.push(first);
    let mut labels: Vec<Item> = vec![];
    for label in &key.labels {
        labels.push(item(label, Sign::Marker(Paint { color: key.color(label), shape: Shape::Circle, open: false })));
    }
    if key.others > 0 {
        let text = format!("{} other label{}", key.others, if key.others == 1 { "" } else { "s" });
        labels.push(item(&text, Sign::Marker(Paint { color: GREY, shape: Shape::Circle, open: false })));
    }
    groups.push(labels);

    let total = |items: &[Item]| items.iter().map(Item::width).sum::<f64>();
    // Both groups on one line with a rule between them, or each from a line of its own.
    let together = total(&groups[0]) + total(&groups[1]) + 20.0 <= room;
    let mut lines: Vec<Vec<Item>> = vec![];
    let mut x = 0.0;
    for (g, group) in groups.into_iter().filter(|g| !g.is_empty()).enumerate() {
        if g > 0 && together {
            lines.last_mut().expect("the first group made a line").push(Item {
                x: MARGIN + x,
                text: String::new(),
                sign: Sign::Rule,
            });
            x += 16.0;
        }
        for (i, mut entry) in group.into_iter().enumerate() {
            let width = entry.width();
            if lines.is_empty() || x + width - 16.0 > room || (i == 0 && g > 0 && !together) {
                lines.push(vec![]);
                x = 0.0;
            }
            entry.x = MARGIN + x;
            x += width;
            lines.last_mut().expect("just made").push(entry);
        }
    }
    lines
}
