//! Signatures: descriptions of a row by its similarities to the other rows of its own dataset, at several scales. Two datasets
//! without common features or known pairs can compare them.

use crate::error::Result;
use crate::linalg::Matrix;
use crate::linalg::whitening::symmetric_eigen;
use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, MatRef, Par};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

/// Principal dimensions at which similarities are computed.
const SCALES: [usize; 8] = [3, 5, 8, 12, 20, 35, 60, 100];
/// Shares of nearest rows over which a description is averaged.
const AROUND: [f64; 3] = [0.01, 0.05, 0.2];
/// Quantiles of the similarities. They form smooth curves; twice as many carry no more information.
const QUANTILES: usize = 100;
/// Maximum number of rows used as landmarks.
const LANDMARKS: usize = 2000;
/// Dimensions kept of a block of quantiles: the curves are smooth, so few dimensions hold nearly all of their variance.
const KEPT: usize = 24;

/// Rows of a task.
const ROWS: usize = 64;

/// Blocks of descriptions, `scales × (1 + neighbourhoods)` of them, each with unit rows.
pub(crate) struct Signatures {
    pub(crate) blocks: Vec<Matrix<f32>>,
}

/// The first `d` columns, with unit rows.
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

fn unit(row: &mut [f64]) {
    let length = row.iter().map(|v| v * v).sum::<f64>().sqrt();
    if length > 1e-12 {
        row.iter_mut().for_each(|v| *v /= length);
    }
}

/// As [`unit`], its length in f64.
pub(crate) fn unit_f32(row: &mut [f32]) {
    let length = row.iter().map(|v| f64::from(*v) * f64::from(*v)).sum::<f64>().sqrt();
    if length > 1e-12 {
        row.iter_mut().for_each(|v| *v = (f64::from(*v) / length) as f32);
    }
}

/// Columns standardised to mean 0 and deviation 1, then rows scaled to unit length.
fn standardized(mut m: Matrix<f32>) -> Matrix<f32> {
    z_scores(&mut m);
    for i in 0..m.nrows() {
        unit_f32(m.row_mut(i));
    }
    m
}

fn z_scores(m: &mut Matrix<f32>) {
    let n = m.nrows() as f64;
    let (mut mean, mut square) = (vec![0.0; m.ncols()], vec![0.0; m.ncols()]);
    for row in m.rows() {
        mean.iter_mut().zip(row).for_each(|(s, v)| *s += f64::from(*v) / n);
    }
    for row in m.rows() {
        square.iter_mut().zip(row.iter().zip(&mean)).for_each(|(s, (v, m))| *s += (f64::from(*v) - m).powi(2) / n);
    }
    for i in 0..m.nrows() {
        for (j, v) in m.row_mut(i).iter_mut().enumerate() {
            *v = ((f64::from(*v) - mean[j]) / (square[j].sqrt() + 1e-9)) as f32;
        }
    }
}

/// Sorts positions by descending similarity (−1 … 1, resolution 5e-7); ties by position. A radix sort in two passes.
struct ByCounting {
    keys: Vec<u32>,
    order: Vec<u32>,
    other: Vec<u32>,
}

impl ByCounting {
    const BITS: u32 = 11;

    fn new(count: usize) -> Self {
        Self { keys: vec![0; count], order: vec![0; count], other: vec![0; count] }
    }
    fn sort(&mut self, similarities: &[f32]) -> &[u32] {
        const DIGITS: usize = 1 << ByCounting::BITS;
        let scale = (1 << (2 * Self::BITS - 1)) as f32;
        let (mut low, mut high) = ([0u32; DIGITS], [0u32; DIGITS]);
        for (k, s) in self.keys.iter_mut().zip(similarities) {
            // A cast saturates: values that rounding put outside of −1 … 1 stay at the ends.
            *k = (((1.0 - s) * scale) as u32).min((1 << (2 * Self::BITS)) - 1);
            low[*k as usize % DIGITS] += 1;
            high[*k as usize / DIGITS] += 1;
        }
        let (mut below_low, mut below_high) = (0, 0);
        for (l, h) in low.iter_mut().zip(&mut high) {
            below_low += std::mem::replace(l, below_low);
            below_high += std::mem::replace(h, below_high);
        }
        for (j, k) in self.keys.iter().enumerate() {
            let place = &mut low[*k as usize % DIGITS];
            self.other[*place as usize] = j as u32;
            *place += 1;
        }
        for &j in &self.other {
            let place = &mut high[self.keys[j as usize] as usize / DIGITS];
            self.order[*place as usize] = j;
            *place += 1;
        }
        &self.order
    }
}

impl Signatures {
    /// Signatures of rows in principal coordinates, columns by descending variance.
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
            blocks.extend(at_one_scale(&own, &landmarks));
        }
        Self { blocks }
    }
}

/// The quantiles of the similarities of each row to the landmarks, and their averages over its nearest landmarks.
fn at_one_scale(own: &Matrix<f32>, landmarks: &[usize]) -> Vec<Matrix<f32>> {
    let others = own.select_rows(landmarks);
    let (n, m, width) = (own.nrows(), others.nrows(), own.ncols());
    let others = MatRef::from_row_major_slice(others.as_slice(), m, width);
    let sizes = AROUND.map(|r| ((r * m as f64) as usize).max(2).min(m));
    let most = sizes[AROUND.len() - 1];
    let mut quantiles = Matrix::<f32>::zeros(n, QUANTILES);
    let mut nearest = vec![0u32; n * most];
    own.as_slice()
        .par_chunks(ROWS * width)
        .zip(quantiles.as_mut_slice().par_chunks_mut(ROWS * QUANTILES))
        .zip(nearest.par_chunks_mut(ROWS * most))
        .for_each(|((some, quantiles), nearest)| {
            let rows = some.len() / width;
            let some = MatRef::from_row_major_slice(some, rows, width);
            // Column i holds the similarities of row i to all landmarks.
            let mut similarities = Mat::<f32>::zeros(m, rows);
            matmul(&mut similarities, Accum::Replace, others, some.transpose(), 1.0, Par::Seq);
            let mut counting = ByCounting::new(m);
            for (i, (quantiles, near)) in quantiles.chunks_mut(QUANTILES).zip(nearest.chunks_mut(most)).enumerate() {
                // Most similar first. A row that is a landmark comes first in its own list.
                let column = similarities.col_as_slice(i);
                let order = counting.sort(column);
                let rest = &order[1.min(m - 1)..];
                for (q, out) in quantiles.iter_mut().enumerate() {
                    let at = ((q as f64 + 0.5) / QUANTILES as f64 * rest.len() as f64) as usize;
                    *out = column[rest[at] as usize];
                }
                near.copy_from_slice(&order[..most]);
            }
        });
    z_scores(&mut quantiles);
    let of_landmarks = quantiles.select_rows(landmarks);
    // Averages over nested neighbourhoods, in one pass from the nearest outwards.
    let mut averages = AROUND.map(|_| Matrix::<f32>::zeros(n, QUANTILES));
    let [near, wider, widest] = &mut averages;
    nearest
        .par_chunks(most)
        .zip(near.as_mut_slice().par_chunks_mut(QUANTILES))
        .zip(wider.as_mut_slice().par_chunks_mut(QUANTILES))
        .zip(widest.as_mut_slice().par_chunks_mut(QUANTILES))
        .for_each(|(((near, a), b), c)| {
            let mut sum = [0.0f32; QUANTILES];
            let mut from = 0;
            for (size, out) in sizes.iter().zip([a, b, c]) {
                for &j in &near[from..*size] {
                    sum.iter_mut().zip(of_landmarks.row(j as usize)).for_each(|(s, v)| *s += v);
                }
                from = *size;
                out.iter_mut().zip(&sum).for_each(|(o, s)| *o = s / *size as f32);
            }
        });
    std::iter::once(quantiles).chain(averages).map(standardized).collect()
}

/// Each block of both sides in the dimensions that hold nearly all of its variance, concatenated, with unit rows: the inner
/// product of two rows is the mean cosine over the chosen blocks.
pub(crate) fn compared(x: &Signatures, y: &Signatures, chosen: &[usize]) -> Result<(Matrix<f32>, Matrix<f32>)> {
    let rows =
        |m: &Matrix<f32>, first: usize, count: usize| -> Matrix<f32> { m.row_range(first, (first + count).min(m.nrows())) };
    let directions: Vec<Mat<f32>> = chosen
        .par_iter()
        .map(|&b| {
            let p = x.blocks[b].ncols();
            let mut products = Mat::<f64>::zeros(p, p);
            for m in [&x.blocks[b], &y.blocks[b]] {
                // Sums over a thousand rows in single precision; the totals in double precision.
                for first in (0..m.nrows()).step_by(1024) {
                    let some = rows(m, first, 1024);
                    let some = MatRef::from_row_major_slice(some.as_slice(), some.nrows(), p);
                    let mut part = Mat::<f32>::zeros(p, p);
                    matmul(&mut part, Accum::Replace, some.transpose(), some, 1.0, Par::Seq);
                    for j in 0..p {
                        for i in 0..p {
                            products[(i, j)] += f64::from(part[(i, j)]) / m.nrows() as f64;
                        }
                    }
                }
            }
            let (_, vectors) = symmetric_eigen(&products)?;
            Ok(Mat::from_fn(p, KEPT.min(p), |j, c| vectors[(j, p - 1 - c)] as f32))
        })
        .collect::<Result<_>>()?;
    let beside = |blocks: &[Matrix<f32>]| {
        let n = blocks[0].nrows();
        let width: usize = directions.iter().map(|d| d.ncols()).sum();
        let mut out = Matrix::zeros(n, width);
        out.as_mut_slice().par_chunks_mut(ROWS * width).enumerate().for_each(|(c, out)| {
            let count = out.len() / width;
            let mut at = 0;
            for (&b, directions) in chosen.iter().zip(&directions) {
                let p = blocks[b].ncols();
                let some = &blocks[b].as_slice()[c * ROWS * p..(c * ROWS + count) * p];
                let mut placed = Mat::<f32>::zeros(count, directions.ncols());
                let some = MatRef::from_row_major_slice(some, count, p);
                matmul(&mut placed, Accum::Replace, some, directions.as_ref(), 1.0, Par::Seq);
                for i in 0..count {
                    (0..directions.ncols()).for_each(|k| out[i * width + at + k] = placed[(i, k)]);
                }
                at += directions.ncols();
            }
            out.chunks_mut(width).for_each(unit_f32);
        });
        out
    };
    Ok((beside(&x.blocks), beside(&y.blocks)))
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
    fn counting_sorts_as_comparing_does() {
        let mut rng = ChaCha8Rng::seed_from_u64(7);
        let mut values: Vec<f32> = (0..700).map(|_| (rng.random_range(-1.0..1.0f32) * 500.0).round() / 500.0).collect();
        // Values that rounding puts outside the range, and both zeros.
        values.extend([1.000_000_1, -1.000_000_2, 1.0, -1.0, 0.0, -0.0]);
        let mut expected: Vec<u32> = (0..values.len() as u32).collect();
        expected.sort_by(|&i, &j| values[j as usize].clamp(-1.0, 1.0).partial_cmp(&values[i as usize].clamp(-1.0, 1.0)).unwrap());
        let mut counting = ByCounting::new(values.len());
        assert_eq!(counting.sort(&values), expected);
        // The same object again, after another sort.
        counting.sort(&vec![0.5; values.len()]);
        assert_eq!(counting.sort(&values), expected);
    }

    #[test]
    fn a_permuted_and_mirrored_copy_has_the_same_signatures() {
        let x = rows(150, 10, 1);
        let order: Vec<usize> = (0..150).map(|i| (i * 37) % 150).collect();
        let mut y = x.select_rows(&order);
        // Signs of principal axes are arbitrary.
        for i in 0..150 {
            y.row_mut(i).iter_mut().step_by(2).for_each(|v| *v = -*v);
        }
        let (a, b) = (Signatures::new(&x, 0), Signatures::new(&y, 0));
        assert_eq!(a.blocks.len(), SCALES.len() * (1 + AROUND.len()));
        let all: Vec<usize> = (0..a.blocks.len()).collect();
        let (za, zb) = compared(&a, &b, &all).unwrap();
        let dot = |x: &[f32], y: &[f32]| x.iter().zip(y).map(|(x, y)| x * y).sum::<f32>();
        for (j, &i) in order.iter().enumerate() {
            let own = dot(za.row(i), zb.row(j));
            assert!(own > 0.999, "{own}");
            assert!((0..150).all(|k| k == j || dot(za.row(i), zb.row(k)) < own));
        }
    }
}
