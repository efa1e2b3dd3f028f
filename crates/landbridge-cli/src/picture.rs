//! The figure of a model: every dataset before alignment, the joint space after it. Shared by `plot` and `demo`.

use crate::Result;
use crate::output::{counted, thousands};
use landbridge::data::Dataset;
use landbridge::geometry::principal::principal_components;
use landbridge::linalg::Matrix;
use landbridge::model::{Alignment, Fitted};
use landbridge::progress::Progress;
use landbridge_plot::{Panel, Scatter, Series};

/// Which columns of the joint space are drawn. With one, the datasets lie side by side as lines.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Axes {
    One(usize),
    Two(usize, usize),
}

impl Axes {
    fn points(self, z: &Matrix<f64>, dataset: usize) -> Vec<[f64; 2]> {
        z.rows()
            .map(|row| match self {
                Axes::One(c) => [row[c], dataset as f64],
                Axes::Two(c, d) => [row[c], row[d]],
            })
            .collect()
    }
    fn note(self) -> String {
        match self {
            Axes::One(c) => format!("component {c}; one line per dataset"),
            Axes::Two(c, d) => format!("components {c} and {d}"),
        }
    }
}

/// The joint space with its pairs.
pub(crate) fn joint_panel(alignment: &Alignment, axes: Axes, by_label: bool) -> Panel {
    let points: Vec<Vec<[f64; 2]>> =
        alignment.datasets().iter().enumerate().map(|(a, d)| axes.points(d.embedding(), a)).collect();
    let lines = alignment.pairs().iter().map(|l| [points[l.a][l.i], points[l.b][l.j]]).collect();
    let panel = alignment
        .datasets()
        .iter()
        .zip(points)
        .fold(Panel::new("joint space, after"), |panel, (d, points)| panel.series(series(d, points, by_label)));
    // Components have scales of their own; the box is filled in both directions.
    panel.lines(lines).note(format!("{}, {}", axes.note(), counted(alignment.pairs().len(), "known pair"))).equal_aspect(false)
}

/// The whole figure, and what could not be drawn. `datasets` are the rows as they were, where they are at hand; a model
/// may have kept them.
pub(crate) fn figure(
    alignment: &Alignment,
    datasets: Option<&[Dataset]>,
    axes: Axes,
    by_label: bool,
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
        figure = figure.panel(
            Panel::new(format!("{}, before", dataset.name()))
                .series(series(dataset, Axes::Two(0, 1).points(&places, 0), by_label))
                .note(note),
        );
    }
    figure = figure.panel(joint_panel(alignment, axes, by_label));
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

fn listed(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => one.to_string(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}
