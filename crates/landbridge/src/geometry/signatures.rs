//! What a row looks like from inside its own dataset, in a form that two datasets without any common feature or known
//! pair can compare: how similar it is to the others, at several scales.

use crate::error::Result;
use crate::linalg::Matrix;
use crate::linalg::tall::view;
use crate::solve::pencil::symmetric_eigen;
use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, MatRef, Par};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

/// Principal dimensions at which similarities are looked at.
const SCALES: [usize; 8] = [3, 5, 8, 12, 20, 35, 60, 100];
/// Shares of the nearest rows over which a description is averaged.
const AROUND: [f64; 3] = [0.01, 0.05, 0.2];
/// Quantiles of the similarities.
const QUANTILES: usize = 200;
/// Rows that others are compared with, at most.
const LANDMARKS: usize = 2000;
/// Dimensions kept of a block of quantiles; they are smooth curves, so few say nearly everything.
const KEPT: usize = 24;

/// Rows of a task.
const ROWS: usize = 64;

/// A key by which larger similarities come first, equal ones by position.
fn falling(similarity: f32, position: u32) -> u64 {
    let bits = similarity.to_bits();
    let ascending = if bits >> 31 == 1 { !bits } else { bits | 0x8000_0000 };
    u64::from(!ascending) << 32 | u64::from(position)
}

/// Blocks of descriptions, `scales × (1 + neighbourhoods)` of them, each with rows of length 1.
pub(crate) struct Signatures {
    pub(crate) blocks: Vec<Matrix<f64>>,
}

/// The first `d` columns, rows of length 1.
pub(crate) fn leading_unit(rows: &Matrix<f64>, d: usize) -> Matrix<f64> {
    let d = d.min(rows.ncols());
    let mut out = Matrix::zeros(rows.nrows(), d);
    for i in 0..rows.nrows() {
        let row = out.row_mut(i);
        row.copy_from_slice(&rows.row(i)[..d]);
        unit(row);
    }
    out
}

pub(crate) fn unit(row: &mut [f64]) {
    let length = row.iter().map(|v| v * v).sum::<f64>().sqrt();
    if length > 1e-12 {
        row.iter_mut().for_each(|v| *v /= length);
    }
}

/// Columns with mean 0 and deviation 1, then rows of length 1.
fn standardized(mut m: Matrix<f64>) -> Matrix<f64> {
    z_scores(&mut m);
    for i in 0..m.nrows() {
        unit(m.row_mut(i));
    }
    m
}

fn z_scores(m: &mut Matrix<f64>) {
    let n = m.nrows() as f64;
    let (mut mean, mut square) = (vec![0.0; m.ncols()], vec![0.0; m.ncols()]);
    for row in m.rows() {
        mean.iter_mut().zip(row).for_each(|(s, v)| *s += v / n);
    }
    for row in m.rows() {
        square.iter_mut().zip(row.iter().zip(&mean)).for_each(|(s, (v, m))| *s += (v - m) * (v - m) / n);
    }
    for i in 0..m.nrows() {
        for (j, v) in m.row_mut(i).iter_mut().enumerate() {
            *v = (*v - mean[j]) / (square[j].sqrt() + 1e-9);
        }
    }
}

impl Signatures {
    /// Of rows in principal coordinates, columns by falling variance.
    pub(crate) fn new(rows: &Matrix<f64>, seed: u64) -> Self {
        let n = rows.nrows();
        let mut landmarks: Vec<usize> = (0..n).collect();
        if n > LANDMARKS {
            landmarks.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
            landmarks.truncate(LANDMARKS);
            landmarks.sort_unstable();
        }
        let mut blocks = vec![];
        for d in SCALES {
            let own = leading_unit(rows, d).to_f32();
            let others = own.select_rows(&landmarks);
            let (m, width) = (others.nrows(), own.ncols());
            let others = MatRef::from_row_major_slice(others.as_slice(), m, width);
            let sizes = AROUND.map(|r| ((r * m as f64) as usize).max(2).min(m));
            let described: Vec<(Vec<f64>, Vec<u32>)> = own
                .as_slice()
                .par_chunks(ROWS * width)
                .flat_map_iter(|some| {
                    let rows = some.len() / width;
                    let some = MatRef::from_row_major_slice(some, rows, width);
                    // Column i holds the similarities of row i to all landmarks.
                    let mut similarities = Mat::<f32>::zeros(m, rows);
                    matmul(&mut similarities, Accum::Replace, others, some.transpose(), 1.0, Par::Seq);
                    let mut keys = vec![0u64; m];
                    (0..rows)
                        .map(|i| {
                            // Most similar first; the row itself, where it is a landmark, is the first.
                            let column = similarities.col_as_slice(i);
                            keys.iter_mut().zip(column).enumerate().for_each(|(j, (k, s))| *k = falling(*s, j as u32));
                            keys.sort_unstable();
                            let rest = &keys[1.min(m - 1)..];
                            let quantile = |q: usize| {
                                let at = ((q as f64 + 0.5) / QUANTILES as f64 * rest.len() as f64) as usize;
                                f64::from(column[rest[at] as u32 as usize])
                            };
                            let near = keys[..sizes[AROUND.len() - 1]].iter().map(|k| *k as u32).collect();
                            ((0..QUANTILES).map(quantile).collect(), near)
                        })
                        .collect::<Vec<_>>()
                })
                .collect();
            let (quantiles, nearest): (Vec<_>, Vec<_>) = described.into_iter().unzip();
            let mut quantiles = Matrix::from_fn(n, QUANTILES, |i, j| quantiles[i][j]);
            z_scores(&mut quantiles);
            let of_landmarks = quantiles.select_rows(&landmarks);
            // Averages over nested neighbourhoods, in one pass from the nearest outwards.
            let averages: Vec<Vec<f64>> = nearest
                .par_iter()
                .map(|near| {
                    let (mut sum, mut out) = (vec![0.0; QUANTILES], vec![]);
                    for (at, &j) in near.iter().enumerate() {
                        sum.iter_mut().zip(of_landmarks.row(j as usize)).for_each(|(s, v)| *s += v);
                        for _ in sizes.iter().filter(|s| **s == at + 1) {
                            out.extend(sum.iter().map(|s| s / (at + 1) as f64));
                        }
                    }
                    out
                })
                .collect();
            blocks.push(standardized(quantiles));
            for a in 0..AROUND.len() {
                blocks.push(standardized(Matrix::from_fn(n, QUANTILES, |i, j| averages[i][a * QUANTILES + j])));
            }
        }
        Self { blocks }
    }
}

/// Each block of both sides in the dimensions that hold nearly all of it, side by side, rows of length 1: the inner
/// product of two rows is the mean cosine over the chosen blocks.
pub(crate) fn compared(x: &Signatures, y: &Signatures, chosen: &[usize]) -> Result<(Matrix<f64>, Matrix<f64>)> {
    let reduced: Vec<(Matrix<f64>, Matrix<f64>)> = chosen
        .par_iter()
        .map(|&b| {
            let (x, y) = (&x.blocks[b], &y.blocks[b]);
            let p = x.ncols();
            let mut products = Mat::<f64>::zeros(p, p);
            for m in [x, y] {
                let rows = view(m.as_slice(), p, p);
                let scale = 1.0 / m.nrows() as f64;
                matmul(&mut products, Accum::Add, rows.transpose(), rows, scale, Par::Seq);
            }
            let (_, vectors) = symmetric_eigen(&products)?;
            let kept = KEPT.min(p);
            let directions = Mat::from_fn(p, kept, |j, c| vectors[(j, p - 1 - c)]);
            let project = |m: &Matrix<f64>| {
                let rows = view(m.as_slice(), p, p);
                let mut out = Mat::zeros(m.nrows(), kept);
                matmul(&mut out, Accum::Replace, rows, directions.as_ref(), 1.0, Par::Seq);
                Matrix::from_fn(m.nrows(), kept, |i, c| out[(i, c)])
            };
            Ok((project(x), project(y)))
        })
        .collect::<Result<_>>()?;
    let beside = |parts: Vec<&Matrix<f64>>| {
        let mut out = Matrix::zeros(parts[0].nrows(), parts.iter().map(|p| p.ncols()).sum());
        for i in 0..out.nrows() {
            let mut at = 0;
            let row = out.row_mut(i);
            for part in &parts {
                row[at..at + part.ncols()].copy_from_slice(part.row(i));
                at += part.ncols();
            }
            unit(row);
        }
        out
    };
    Ok((beside(reduced.iter().map(|p| &p.0).collect()), beside(reduced.iter().map(|p| &p.1).collect())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::RngExt;

    fn rows(n: usize, p: usize, seed: u64) -> Matrix<f64> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        Matrix::from_fn(n, p, |_, j| rng.random_range(-1.0..1.0) / (1.0 + j as f64).sqrt() + if j == 0 { 0.2 } else { 0.0 })
    }

    #[test]
    fn larger_similarities_have_smaller_keys() {
        let values = [0.7f32, 0.7, 0.2, 0.0, -0.0, -0.3, -1.0];
        let keys: Vec<u64> = values.iter().enumerate().map(|(j, v)| falling(*v, j as u32)).collect();
        assert!(keys.windows(2).all(|w| w[0] < w[1]));
    }

    #[test]
    fn a_permuted_and_mirrored_copy_has_the_same_signatures() {
        let x = rows(150, 10, 1);
        let order: Vec<usize> = (0..150).map(|i| (i * 37) % 150).collect();
        let mut y = x.select_rows(&order);
        // Signs of principal axes mean nothing.
        for i in 0..150 {
            y.row_mut(i).iter_mut().step_by(2).for_each(|v| *v = -*v);
        }
        let (a, b) = (Signatures::new(&x, 0), Signatures::new(&y, 0));
        assert_eq!(a.blocks.len(), SCALES.len() * (1 + AROUND.len()));
        let all: Vec<usize> = (0..a.blocks.len()).collect();
        let (za, zb) = compared(&a, &b, &all).unwrap();
        let dot = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| x * y).sum::<f64>();
        for (j, &i) in order.iter().enumerate() {
            let own = dot(za.row(i), zb.row(j));
            assert!(own > 0.999, "{own}");
            assert!((0..150).all(|k| k == j || dot(za.row(i), zb.row(k)) < own));
        }
    }
}
