//! Distances within one dataset, between all rows or from some of them: geodesic, straight, or precomputed.

use crate::data::{Preparation, Prepare, Rows};
use crate::error::{Error, Result};
use crate::geometry::geodesic::{LengthGraph, distances_from, geodesic_distances, symmetrize};
use crate::geometry::neighbors::{Metric, row_distance};
use crate::linalg::tall::{view, view_mut};
use crate::linalg::{Csr, Matrix, near_one};
use crate::progress::Progress;
use faer::linalg::matmul::matmul;
use faer::{Accum, Par};
use rayon::prelude::*;
use std::borrow::Cow;
use std::sync::Arc;

/// The kind of distance between rows of one dataset.
pub(crate) enum Within<'a> {
    /// Shortest paths over a graph of lengths.
    Paths(LengthGraph),
    /// Straight-line distances in the metric of the dataset.
    Rows(Arc<Rows>, Metric),
    /// Precomputed: symmetric, zero diagonal.
    Given(&'a Matrix<f64>),
}

impl<'a> Within<'a> {
    /// Number of rows.
    pub(crate) fn nrows(&self) -> usize {
        match self {
            Within::Paths(graph) => graph.lengths.nrows(),
            Within::Rows(rows, _) => rows.nrows(),
            Within::Given(m) => m.nrows(),
        }
    }
    /// Distances between all rows, symmetric; precomputed ones are not copied.
    pub(crate) fn all(&self, progress: &Progress) -> Result<Cow<'a, Matrix<f64>>> {
        match self {
            Within::Paths(graph) => Ok(Cow::Owned(geodesic_distances(&graph.lengths, progress)?)),
            Within::Given(m) => Ok(Cow::Borrowed(m)),
            Within::Rows(rows, metric) => {
                progress.step("distances", 0, 0)?;
                let n = rows.nrows();
                let mut all = row_distances(rows, rows, *metric)?;
                (0..n).for_each(|i| all[(i, i)] = 0.0);
                symmetrize(&mut all.as_mut_slice().chunks_exact_mut(n).collect::<Vec<_>>(), 0);
                Ok(Cow::Owned(all))
            }
        }
    }
    /// Distances from each of the sources to all rows.
    pub(crate) fn from(&self, sources: &[usize], progress: &Progress) -> Result<Matrix<f64>> {
        match self {
            Within::Paths(graph) => distances_from(&graph.lengths, sources, progress),
            Within::Given(m) => Ok(m.select_rows(sources)),
            Within::Rows(rows, metric) => {
                progress.step("distances", 0, 0)?;
                let mut found = row_distances(&rows.select(sources), rows, *metric)?;
                sources.iter().enumerate().for_each(|(s, &i)| found[(s, i)] = 0.0);
                Ok(found)
            }
        }
    }
}

/// Rows of a task.
const TASK: usize = 64;
/// Below this share of the squared norms, cancellation has cost digits, and the rows are subtracted instead.
const CLOSE: f64 = 1e-3;

/// Straight-line distances from every row of `query` to every row of `reference`.
pub(crate) fn row_distances(query: &Rows, reference: &Rows, metric: Metric) -> Result<Matrix<f64>> {
    let scale = match metric {
        Metric::Cosine => 1.0,
        Metric::Euclidean => scale_of(query).min(scale_of(reference)),
    };
    let found = match (working(query, metric, scale), working(reference, metric, scale)) {
        (Rows::F64(x), Rows::F64(y)) => between_dense(&x, &y, metric),
        (x, y) => between_sparse(&sparse(x), &sparse(y), metric),
    };
    let mut found = found;
    if scale != 1.0 {
        found.as_mut_slice().par_iter_mut().for_each(|d| *d /= scale);
    }
    if found.as_slice().par_iter().any(|d| !d.is_finite()) {
        return Err(Error::Overflow { what: "distances of rows".into() });
    }
    Ok(found)
}

/// A power of two that brings the largest value near 1, so that squares neither overflow nor underflow.
fn scale_of(rows: &Rows) -> f64 {
    let largest = match rows {
        Rows::F64(m) => m.as_slice().iter().fold(0.0f64, |a, v| a.max(v.abs())),
        Rows::F32(m) => m.as_slice().iter().fold(0.0f64, |a, v| a.max(f64::from(v.abs()))),
        Rows::Sparse(m) => m.values().iter().fold(0.0f64, |a, v| a.max(v.abs())),
    };
    near_one(largest)
}

/// Rows in double precision; of unit length for the cosine.
fn working(rows: &Rows, metric: Metric, scale: f64) -> Rows {
    let rows = match metric {
        Metric::Cosine => Preparation::fit(Prepare::Unit, rows).scale(rows).into_owned(),
        Metric::Euclidean => rows.clone(),
    };
    match rows {
        Rows::F32(m) => working(&Rows::F64(m.to_f64()), Metric::Euclidean, scale),
        Rows::F64(mut m) => {
            if scale != 1.0 {
                m.as_mut_slice().iter_mut().for_each(|v| *v *= scale);
            }
            Rows::F64(m)
        }
        Rows::Sparse(mut m) => {
            if scale != 1.0 {
                m.values_mut().iter_mut().for_each(|v| *v *= scale);
            }
            Rows::Sparse(m)
        }
    }
}

fn sparse(rows: Rows) -> Csr {
    match rows {
        Rows::Sparse(m) => m,
        Rows::F64(m) => Csr::from_dense(&m),
        Rows::F32(m) => Csr::from_dense(&m.to_f64()),
    }
}

/// The distance from an inner product; `None` where cancellation is too strong, and the rows must be subtracted.
#[inline]
fn from_product(metric: Metric, product: f64, squares: f64) -> Option<f64> {
    match metric {
        Metric::Euclidean => {
            let squared = squares - 2.0 * product;
            (squared > CLOSE * squares).then(|| squared.sqrt())
        }
        Metric::Cosine => (1.0 - product > CLOSE).then_some(1.0 - product),
    }
}

fn between_dense(x: &Matrix<f64>, y: &Matrix<f64>, metric: Metric) -> Matrix<f64> {
    let (p, m) = (x.ncols(), y.nrows());
    let square = |row: &[f64]| row.iter().map(|v| v * v).sum::<f64>();
    // A shift does not change distances, and products of centred rows lose fewer digits.
    let mut mean = vec![0.0; p];
    if metric == Metric::Euclidean {
        y.rows().for_each(|row| mean.iter_mut().zip(row).for_each(|(m, v)| *m += v / y.nrows() as f64));
    }
    let shifted = |rows: &Matrix<f64>| {
        let mut rows = rows.clone();
        (0..rows.nrows()).for_each(|i| rows.row_mut(i).iter_mut().zip(&mean).for_each(|(v, m)| *v -= m));
        rows
    };
    let (a, b) = (shifted(x), shifted(y));
    let squares: Vec<f64> = b.rows().map(square).collect();
    let mut out = Matrix::zeros(x.nrows(), m);
    out.as_mut_slice().par_chunks_mut(TASK * m).zip(a.as_slice().par_chunks(TASK * p)).enumerate().for_each(|(t, (to, from))| {
        matmul(view_mut(to, m, m), Accum::Replace, view(from, p, p), view(b.as_slice(), p, p).transpose(), 1.0, Par::Seq);
        for (r, (row, own)) in to.chunks_exact_mut(m).zip(from.chunks_exact(p)).enumerate() {
            let own = square(own);
            for (j, (d, other)) in row.iter_mut().zip(&squares).enumerate() {
                *d = from_product(metric, *d, own + other).unwrap_or_else(|| close(metric, x.row(t * TASK + r), y.row(j)));
            }
        }
    });
    out
}

fn close(metric: Metric, x: &[f64], y: &[f64]) -> f64 {
    match metric {
        Metric::Euclidean => row_distance(metric, x, y),
        // Both have unit length: 1 − x·y = |x − y|² / 2.
        Metric::Cosine => 0.5 * x.iter().zip(y).map(|(x, y)| (x - y) * (x - y)).sum::<f64>(),
    }
}

fn between_sparse(x: &Csr, y: &Csr, metric: Metric) -> Matrix<f64> {
    let (p, m) = (x.ncols(), y.nrows());
    let square = |m: &Csr, i: usize| m.row_values(i).iter().map(|v| v * v).sum::<f64>();
    let squares: Vec<f64> = (0..m).map(|j| square(y, j)).collect();
    let by_column = y.transpose();
    let mut out = Matrix::zeros(x.nrows(), m);
    out.as_mut_slice().par_chunks_mut(m).enumerate().for_each_init(
        || vec![0.0; p],
        |dense, (i, row)| {
            // Products first: only entries in columns that the row has.
            for (c, v) in x.row(i) {
                dense[c as usize] = v;
                by_column.row(c as usize).for_each(|(j, w)| row[j as usize] += v * w);
            }
            let own = square(x, i);
            for (j, d) in row.iter_mut().enumerate() {
                *d = from_product(metric, *d, own + squares[j]).unwrap_or_else(|| {
                    // |x − y|² = Σ over entries of y ((x − y)² − x²) + |x|²; entry by entry, so that equal rows give 0.
                    let mut squared: f64 = y.row(j).map(|(c, v)| (dense[c as usize] - v).powi(2)).sum();
                    squared +=
                        x.row(i).filter(|(c, _)| y.row_indices(j).binary_search(c).is_err()).map(|(_, v)| v * v).sum::<f64>();
                    match metric {
                        Metric::Euclidean => squared.sqrt(),
                        Metric::Cosine => 0.5 * squared,
                    }
                });
            }
            x.row(i).for_each(|(c, _)| dense[c as usize] = 0.0);
        },
    );
    out
}

/// Refuses precomputed distances that are not valid: they must be square, finite, non-negative, symmetric, and zero on the
/// diagonal.
pub(crate) fn check_given(dataset: &str, rows: usize, given: &Matrix<f64>) -> Result<()> {
    let bad = |problem: String| Err(Error::BadDistances { dataset: dataset.into(), problem });
    if given.nrows() != rows || given.ncols() != rows {
        return bad(format!("they are {} x {}; for {rows} rows they must be {rows} x {rows}", given.nrows(), given.ncols()));
    }
    let worst = (0..rows).into_par_iter().find_map_first(|i| {
        let own = given.row(i);
        if let Some(j) = own.iter().position(|d| !d.is_finite() || *d < 0.0) {
            return Some(format!("the one from row {i} to row {j} is {}; distances must be finite and not negative", own[j]));
        }
        if own[i] != 0.0 {
            return Some(format!("the one from row {i} to itself is {}; it must be 0", own[i]));
        }
        let j = (0..i).find(|&j| {
            let other = given[(j, i)];
            (own[j] - other).abs() > SYMMETRIC * own[j].max(other)
        })?;
        Some(format!(
            "the one from row {i} to row {j} is {}, but back it is {}; distances must be symmetric",
            own[j],
            given[(j, i)]
        ))
    });
    worst.map_or(Ok(()), bad)
}

/// Why a number is not a distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// Not finite, or negative.
    NoDistance,
    /// Not 0 from a row to itself.
    OwnDistance,
    /// Not symmetric.
    Asymmetric,
}

/// The first entry of a square matrix, row by row, that is not a distance.
pub(crate) fn first_fault(given: &Matrix<f64>) -> Option<(usize, usize, Fault)> {
    let n = given.nrows();
    (0..n).flat_map(|i| (0..n).map(move |j| (i, j))).find_map(|(i, j)| {
        let (d, back) = (given[(i, j)], given[(j, i)]);
        let fault = if !(d.is_finite() && d >= 0.0) {
            Fault::NoDistance
        } else if i == j && d != 0.0 {
            Fault::OwnDistance
        } else if (d - back).abs() > SYMMETRIC * d.max(back) {
            Fault::Asymmetric
        } else {
            return None;
        };
        Some((i, j, fault))
    })
}

/// Relative asymmetry that counts as rounding.
const SYMMETRIC: f64 = 1e-9;

#[cfg(test)]
mod tests {
    use super::*;

    fn cloud(n: usize, p: usize, offset: f64) -> Matrix<f64> {
        let mut state = 5u64;
        Matrix::from_fn(n, p, |_, _| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let v = (state >> 33) as f64 / (1u64 << 31) as f64;
            offset + if v < 0.5 { 0.0 } else { v }
        })
    }

    #[test]
    fn straight_distances_equal_the_plain_formula_dense_and_sparse() {
        for offset in [0.0, 100.0] {
            let mut x = cloud(150, 7, offset);
            let copy = x.row(3).to_vec();
            x.row_mut(9).copy_from_slice(&copy);
            x.row_mut(9)[2] += 1e-9;
            x.row_mut(8).copy_from_slice(&copy);
            x.row_mut(20).fill(0.0);
            for metric in [Metric::Euclidean, Metric::Cosine] {
                let dense = row_distances(&Rows::F64(x.clone()), &Rows::F64(x.clone()), metric).unwrap();
                let sparse = row_distances(&Rows::Sparse(Csr::from_dense(&x)), &Rows::F64(x.clone()), metric).unwrap();
                for i in 0..150 {
                    for j in 0..150 {
                        let plain = match metric {
                            Metric::Euclidean => x.row(i).iter().zip(x.row(j)).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt(),
                            Metric::Cosine => row_distance(metric, x.row(i), x.row(j)),
                        };
                        for d in [dense[(i, j)], sparse[(i, j)]] {
                            assert!((d - plain).abs() <= 1e-11 * plain.max(1e-4), "{metric:?} {i} {j}: {d} {plain}");
                        }
                    }
                }
                assert_eq!(dense[(3, 8)], 0.0);
            }
        }
        let huge = Rows::F64(Matrix::from_fn(3, 2, |i, _| 1e200 * i as f64));
        let d = row_distances(&huge, &huge, Metric::Euclidean).unwrap();
        assert!((d[(0, 2)] / 1e200 - 8f64.sqrt()).abs() < 1e-12);
    }

    #[test]
    fn impossible_distances_are_refused_with_their_place() {
        let good = Matrix::from_rows(&[[0.0, 1.0, 2.0], [1.0, 0.0, 1.5], [2.0, 1.5, 0.0]]).unwrap();
        assert!(check_given("x", 3, &good).is_ok());
        assert!(check_given("x", 4, &good).unwrap_err().to_string().contains("must be 4 x 4"));
        for (at, value, word) in [
            ((0, 1), -1.0, "is -1"),
            ((1, 2), f64::INFINITY, "is inf"),
            ((2, 2), 0.5, "itself is 0.5"),
            ((2, 0), 2.5, "back it is 2;"),
        ] {
            let mut bad = good.clone();
            bad[at] = value;
            let message = check_given("x", 3, &bad).unwrap_err().to_string();
            assert!(message.contains(word), "{message}");
        }
    }
}
