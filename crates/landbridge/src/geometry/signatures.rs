//! What a row looks like from inside its own dataset, in a form that two datasets without any common feature or known
//! pair can compare: how similar it is to the others, at several scales.

use crate::error::Result;
use crate::linalg::Matrix;
use crate::solve::pencil::symmetric_eigen;
use faer::Mat;
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
            let own = leading_unit(rows, d);
            let others = own.select_rows(&landmarks);
            let m = others.nrows();
            let similarities = |i: usize| -> Vec<(f32, u32)> {
                let x = own.row(i);
                let mut out: Vec<(f32, u32)> =
                    (0..m).map(|j| (others.row(j).iter().zip(x).map(|(a, b)| a * b).sum::<f64>() as f32, j as u32)).collect();
                // Most similar first; the row itself, where it is a landmark, is the first.
                out.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
                out
            };
            let sizes = AROUND.map(|r| ((r * m as f64) as usize).max(2).min(m));
            let described: Vec<(Vec<f64>, Vec<u32>)> = (0..n)
                .into_par_iter()
                .map(|i| {
                    let sorted = similarities(i);
                    let rest = &sorted[1.min(m - 1)..];
                    let quantile = |q: usize| rest[((q as f64 + 0.5) / QUANTILES as f64 * rest.len() as f64) as usize].0;
                    let quantiles = (0..QUANTILES).map(|q| f64::from(quantile(q))).collect();
                    (quantiles, sorted[..sizes[AROUND.len() - 1]].iter().map(|s| s.1).collect())
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
                let rows = crate::linalg::tall::view(m.as_slice(), p, p);
                let scale = 1.0 / m.nrows() as f64;
                faer::linalg::matmul::matmul(&mut products, faer::Accum::Add, rows.transpose(), rows, scale, faer::Par::Seq);
            }
            let (_, vectors) = symmetric_eigen(&products)?;
            let kept = KEPT.min(p);
            let project = |m: &Matrix<f64>| {
                let mut out = Matrix::zeros(m.nrows(), kept);
                for i in 0..m.nrows() {
                    for c in 0..kept {
                        out[(i, c)] = (0..p).map(|j| m[(i, j)] * vectors[(j, p - 1 - c)]).sum();
                    }
                }
                out
            };
            Ok((project(x), project(y)))
        })
        .collect::<Result<_>>()?;
    let beside = |side: fn(&(Matrix<f64>, Matrix<f64>)) -> &Matrix<f64>| {
        let parts: Vec<&Matrix<f64>> = reduced.iter().map(side).collect();
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
    Ok((beside(|p| &p.0), beside(|p| &p.1)))
}
