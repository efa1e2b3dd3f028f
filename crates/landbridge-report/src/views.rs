//! Coordinates: the joint space as components, principal components and layout; each dataset before alignment.

use crate::Report;
use crate::layout::layout;
use crate::pack::{Parts, quantized, two_bytes};
use crate::shown::Shown;
use landbridge::Result;
use landbridge::data::{Dataset, Rows};
use landbridge::embed::Pca;
use landbridge::geometry::neighbors::Metric;
use landbridge::geometry::principal::principal_components;
use landbridge::linalg::Matrix;
use landbridge::model::Alignment;
use landbridge::progress::Progress;
use landbridge_plot::sample;
use serde_json::{Value, json};

/// Cells in each direction of the grid that shows where all rows lie.
const GRID: usize = 192;
/// Rows whose principal components stand for those of a larger dataset.
pub(crate) const FEW: usize = 5000;

/// A coordinate of every row on the page, as a part.
fn column(name: &str, values: &[f64], parts: &mut Parts, needed: bool, what: &str) -> Option<Value> {
    let (mut scale, codes) = quantized(values);
    let bytes = two_bytes(&codes);
    if needed {
        parts.need(name, &bytes);
    } else if !parts.want(name, &bytes, what) {
        return None;
    }
    scale["part"] = json!(name);
    Some(scale)
}

/// Component `c` of the rows on the page.
fn component(alignment: &Alignment, shown: &Shown, c: usize) -> Vec<f64> {
    shown.iter().map(|(a, i)| alignment.embedding(a)[(i, c)]).collect()
}

/// Places that keep neighbours together, where there are more than two dimensions.
pub(crate) fn neighbours(alignment: &Alignment, shown: &Shown, progress: &Progress) -> Result<Option<Vec<[f64; 2]>>> {
    let many = alignment.n_components() > 2 && shown.len() > 0;
    many.then(|| layout(&joined(alignment, shown), progress)).transpose()
}

/// The first components. The first two are needed; the third is for the view in three dimensions.
pub(crate) fn joint(alignment: &Alignment, shown: &Shown, layout: Option<&[[f64; 2]]>, parts: &mut Parts) -> Value {
    if shown.len() == 0 {
        return json!([]);
    }
    let d = alignment.n_components();
    let mut axes = vec![];
    for c in 0..d.min(3) {
        let part = format!("component-{c}");
        axes.extend(column(&part, &component(alignment, shown, c), parts, c < 2, &format!("component {c}")).map(|mut axis| {
            axis["name"] = json!(format!("component {c}"));
            axis
        }));
    }
    let mut view = json!({"key": "components", "name": "Components", "square": false, "axes": axes,
        "about": "The joint space itself, two or three components at a time."});
    if shown.sampled && d > 1 {
        let values = |c: usize| -> Vec<f64> {
            alignment.datasets().iter().flat_map(move |f| f.embedding().rows().map(move |row| row[c])).collect()
        };
        let sizes: Vec<usize> = alignment.datasets().iter().map(|f| f.nrows()).collect();
        let grids = density(&sizes, &values(0), &values(1), &view["axes"]);
        view["density"] = json!({"part": "density", "side": GRID, "axes": [0, 1]});
        parts.need("density", &grids);
    }
    let mut views = vec![view];
    if let Some(places) = layout {
        views.extend(flat("layout", "Neighbours", places, parts, "a picture that keeps neighbours together"));
    }
    views.into()
}

/// A view of two coordinates of the same scale.
fn flat(key: &str, name: &str, places: &[[f64; 2]], parts: &mut Parts, what: &str) -> Option<Value> {
    let one = |c: usize| places.iter().map(|p| p[c]).collect::<Vec<f64>>();
    let x = column(&format!("{key}-0"), &one(0), parts, false, what)?;
    let y = column(&format!("{key}-1"), &one(1), parts, false, what)?;
    Some(json!({"key": key, "name": name, "square": true, "axes": [x, y],
        "about": "Rows that are neighbours in the whole joint space lie together. Distances between groups mean little."}))
}

/// What is added while there is room: principal components, further components.
pub(crate) fn more(
    alignment: &Alignment,
    shown: &Shown,
    parts: &mut Parts,
    views: &mut Value,
    progress: &Progress,
) -> Result<()> {
    let (d, n) = (alignment.n_components(), shown.len());
    let Some(list) = views.as_array_mut().filter(|v| !v.is_empty()) else { return Ok(()) };
    if d > 2 && parts.has_room(4 * n) {
        let places = principal_components(&Rows::F64(joined(alignment, shown)), 3, progress)?;
        let mut axes = vec![];
        for c in 0..3 {
            let values: Vec<f64> = places.rows().map(|row| row[c]).collect();
            let Some(mut axis) = column(&format!("pca-{c}"), &values, parts, false, &format!("principal component {}", c + 1))
            else {
                break;
            };
            axis["name"] = json!(format!("principal component {}", c + 1));
            axes.push(axis);
        }
        let about = match alignment.default_metric() == Metric::Cosine {
            true => "Directions of largest variance, of rows scaled to length 1: matches compare directions here.",
            false => "Directions of largest variance in the joint space.",
        };
        if axes.len() > 1 {
            list.insert(1, json!({"key": "pca", "name": "PCA", "square": true, "axes": axes, "about": about}));
        }
    }
    let axes = list[0]["axes"].as_array_mut().expect("the first view has axes");
    for c in 3..d {
        let name = format!("components from {c} on");
        let Some(mut axis) = column(&format!("component-{c}"), &component(alignment, shown, c), parts, false, &name) else {
            break;
        };
        axis["name"] = json!(format!("component {c}"));
        axes.push(axis);
    }
    Ok(())
}

/// The rows on the page, of unit length where the metric of the joint space is the cosine.
fn joined(alignment: &Alignment, shown: &Shown) -> Matrix<f64> {
    let d = alignment.n_components();
    let mut z = Matrix::zeros(shown.len(), d);
    let unit = alignment.default_metric() == Metric::Cosine;
    for (at, (a, i)) in shown.iter().enumerate() {
        let row = z.row_mut(at);
        row.copy_from_slice(alignment.embedding(a).row(i));
        let largest = row.iter().fold(0.0f64, |m, v| m.max(v.abs()));
        if unit && largest > 0.0 {
            row.iter_mut().for_each(|v| *v /= largest);
            let length = row.iter().map(|v| v * v).sum::<f64>().sqrt();
            row.iter_mut().for_each(|v| *v /= length);
        }
    }
    z
}

/// Counts of all rows on a grid over the axes, a byte per cell and dataset, by their logarithm.
fn density(sizes: &[usize], x: &[f64], y: &[f64], axes: &Value) -> Vec<u8> {
    let cell = |v: f64, axis: usize| {
        let (low, high) = (axes[axis]["low"].as_f64().unwrap_or(0.0), axes[axis]["high"].as_f64().unwrap_or(0.0));
        let share = if high > low { (v - low) / (high - low) } else { 0.5 };
        ((share * GRID as f64) as isize).clamp(0, GRID as isize - 1) as usize
    };
    let mut bytes = vec![];
    let mut at = 0;
    for n in sizes {
        let mut counts = vec![0u32; GRID * GRID];
        (at..at + n).for_each(|i| counts[cell(y[i], 1) * GRID + cell(x[i], 0)] += 1);
        at += n;
        let most = f64::from(counts.iter().copied().max().unwrap_or(0)).ln_1p().max(f64::MIN_POSITIVE);
        bytes.extend(counts.iter().map(|c| (255.0 * f64::from(*c).ln_1p() / most).round() as u8));
    }
    bytes
}

/// Two principal components of every dataset, as far as its rows are at hand, and why others are missing.
pub(crate) fn before(report: &Report<'_>, shown: &Shown, parts: &mut Parts, progress: &Progress) -> Result<(Value, Vec<String>)> {
    let mut notes = vec![];
    let mut sides = vec![];
    for (a, fitted) in report.alignment.datasets().iter().enumerate() {
        let name = fitted.name();
        let Some(rows) = report.rows(a).filter(|_| !shown.rows[a].is_empty()) else {
            if fitted.nrows() > 0 {
                notes.push(format!(
                    "\"{name}\" before alignment and the features of its rows are not shown: the model does not keep its rows; give the data to the report"
                ));
            }
            sides.push(Value::Null);
            continue;
        };
        let places = own_places(rows, &shown.rows[a], progress)?;
        let one = |c: usize| places.rows().map(|row| row[c]).collect::<Vec<f64>>();
        let what = format!("\"{name}\" before alignment");
        let x = column(&format!("before-{a}-0"), &one(0), parts, false, &what);
        let y = x.is_some().then(|| column(&format!("before-{a}-1"), &one(1), parts, false, &what)).flatten();
        sides.push(match (x, y) {
            (Some(x), Some(y)) => json!([x, y]),
            _ => Value::Null,
        });
    }
    Ok((sides.into(), notes))
}

/// Principal components of the shown rows; of many rows, those of a part of them.
fn own_places(rows: &Rows, shown: &[usize], progress: &Progress) -> Result<Matrix<f64>> {
    let picked = |all: &Rows| if shown.len() == all.nrows() { None } else { Some(all.select(shown)) };
    if shown.len() <= FEW || rows.ncols() < 2 {
        let selected = picked(rows);
        return principal_components(selected.as_ref().unwrap_or(rows), 2, progress);
    }
    let few: Vec<usize> = sample(shown.len(), FEW).into_iter().map(|at| shown[at]).collect();
    let first = Dataset::new("rows", rows.select(&few))?;
    let embedding = Pca::new(2).fit_with(&first, progress)?;
    let selected = picked(rows);
    embedding.transform(selected.as_ref().unwrap_or(rows))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_density_counts_every_row_once() {
        let (x, y) = (vec![0.0, 1.0, 1.0, 0.5], vec![0.0, 1.0, 1.0, 0.0]);
        let axes = json!([{"low": 0.0, "high": 1.0}, {"low": 0.0, "high": 1.0}]);
        let grid = density(&[3, 1], &x, &y, &axes);
        assert_eq!(grid.len(), 2 * GRID * GRID);
        // Of the first dataset two rows share the last cell, one lies in the first.
        assert_eq!(grid[GRID * GRID - 1], 255);
        assert_eq!(grid[0], (255.0 * 2f64.ln() / 3f64.ln()).round() as u8);
        assert_eq!(grid[GRID * GRID + GRID / 2], 255);
        assert_eq!(grid.iter().filter(|c| **c > 0).count(), 3);
    }

    #[test]
    fn principal_components_of_a_part_are_close_to_those_of_all() {
        let mut state = 5u64;
        let mut random = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) as f64 / (1u64 << 31) as f64 - 0.5
        };
        let rows = Rows::F64(Matrix::from_fn(6000, 5, |_, j| random() * [9.0, 3.0, 0.3, 0.3, 0.3][j]));
        let shown: Vec<usize> = (0..6000).collect();
        let part = own_places(&rows, &shown, &Progress::silent()).unwrap();
        let all = principal_components(&rows, 2, &Progress::silent()).unwrap();
        for c in 0..2 {
            let dot = |a: &Matrix<f64>, b: &Matrix<f64>| a.rows().zip(b.rows()).map(|(p, q)| p[c] * q[c]).sum::<f64>();
            let cosine = dot(&part, &all) / (dot(&part, &part) * dot(&all, &all)).sqrt();
            assert!(cosine.abs() > 0.99, "{c} {cosine}");
        }
    }
}
