//! Squared entries of a matrix times a block of vectors, squared while they are read: `τ(D)` needs the squares of D,
//! and D is never copied but for the tile at hand.
#![allow(unsafe_code)]

use crate::linalg::Matrix;
use crate::linalg::dense::add_times_here;
use crate::linalg::tall::view;
use crate::linalg::wide::widest;
use rayon::prelude::*;

/// Entries of the result of a task, and rows of a tile of squares.
const ROWS: usize = 128;
/// Columns of a tile of squares: with its rows they stay in the cache of a core.
const COLUMNS: usize = 512;

/// `out += (f D)² x`, squared entry by entry; x and out have `width` columns by rows.
pub(crate) fn add_squared_times(d: &Matrix<f64>, f: f64, x: &[f64], out: &mut [f64], width: usize) {
    out.par_chunks_mut(ROWS * width).enumerate().for_each(|(task, out)| {
        let (first, rows) = (task * ROWS, out.len() / width);
        let mut tile = vec![0.0; rows * COLUMNS.min(d.ncols())];
        for (at, x) in x.chunks(COLUMNS * width).enumerate() {
            let columns = x.len() / width;
            let range = at * COLUMNS..at * COLUMNS + columns;
            let squares = &mut tile[..rows * columns];
            squares.chunks_exact_mut(columns).enumerate().for_each(|(r, to)| square(&d.row(first + r)[range.clone()], f, to));
            add_times_here(view(squares, columns, columns), x, out, width);
        }
    });
}

/// `out += ((f D)²)' x`.
pub(crate) fn add_squared_transposed_times(d: &Matrix<f64>, f: f64, x: &[f64], out: &mut [f64], width: usize) {
    out.par_chunks_mut(ROWS * width).enumerate().for_each(|(task, out)| {
        let range = task * ROWS..task * ROWS + out.len() / width;
        let columns = range.len();
        let mut tile = vec![0.0; columns * COLUMNS.min(d.nrows())];
        for (at, x) in x.chunks(COLUMNS * width).enumerate() {
            let squares = &mut tile[..columns * (x.len() / width)];
            let rows = squares.chunks_exact_mut(columns).enumerate();
            rows.for_each(|(r, to)| square(&d.row(at * COLUMNS + r)[range.clone()], f, to));
            add_times_here(view(squares, columns, columns).transpose(), x, out, width);
        }
    });
}

widest! {
    ["avx512f"], ["avx2"];
    fn square(row: &[f64], f: f64, to: &mut [f64]) = plain;
}

#[inline(always)]
fn plain(row: &[f64], f: f64, to: &mut [f64]) {
    to.iter_mut().zip(row).for_each(|(t, d)| *t = (f * d) * (f * d));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_times_vectors_equal_the_plain_sums() {
        let value = |i: usize| ((i * 7919) % 1009) as f64 / 500.0;
        for (n, m, width) in [(1, 1, 1), (130, 77, 3), (19, 300, 8), (64, 65, 20)] {
            let d = Matrix::from_fn(n, m, |i, j| value(i * m + j));
            let x: Vec<f64> = (0..n.max(m) * width).map(|i| value(i + 3) - 1.0).collect();
            let mut along = vec![1.0; n * width];
            add_squared_times(&d, 0.5, &x[..m * width], &mut along, width);
            let mut across = vec![1.0; m * width];
            add_squared_transposed_times(&d, 0.5, &x[..n * width], &mut across, width);
            for c in 0..width {
                for i in 0..n {
                    let sum: f64 = (0..m).map(|j| (0.5 * d[(i, j)]).powi(2) * x[j * width + c]).sum();
                    assert!((along[i * width + c] - 1.0 - sum).abs() < 1e-10);
                }
                for j in 0..m {
                    let sum: f64 = (0..n).map(|i| (0.5 * d[(i, j)]).powi(2) * x[i * width + c]).sum();
                    assert!((across[j * width + c] - 1.0 - sum).abs() < 1e-10);
                }
            }
        }
    }
}
