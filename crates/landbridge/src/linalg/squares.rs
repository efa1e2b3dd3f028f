//! Products of the squared entries of a matrix with a block of vectors. `τ(D)` needs the squares of D; they are computed while
//! D is read, one tile at a time, and D is never copied as a whole.
#![allow(unsafe_code)]

use crate::linalg::Matrix;
use crate::linalg::dense::add_times_here;
use crate::linalg::dispatch::widest;
use crate::linalg::prefetch::{TILE_COLUMNS, TILE_ROWS, Tiles};
use crate::linalg::tall::view;
use rayon::prelude::*;
use std::ops::Range;

/// Strips of rows of a matrix, one task each. Every strip has its own sums for the columns.
const STRIPS: usize = 24;

/// One block of vectors, and the place its products are added to; stored by rows of `width`.
pub(crate) struct Side<'a> {
    pub(crate) x: &'a [f64],
    pub(crate) out: &'a mut [f64],
}

fn strip_rows(n: usize) -> usize {
    n.div_ceil(STRIPS).next_multiple_of(TILE_ROWS)
}

/// `out += (f D)² x`, entries squared, for a symmetric D; reads the lower triangle.
pub(crate) fn add_symmetric_squares(d: &Matrix<f64>, f: f64, x: &[f64], out: &mut [f64], width: usize) {
    let height = strip_rows(d.nrows());
    let backs: Vec<Vec<f64>> = out
        .par_chunks_mut(height * width)
        .enumerate()
        .with_max_len(1)
        .map(|(strip, out)| {
            let first = strip * height;
            let rows = first..first + out.len() / width;
            let mut back = vec![0.0; first * width];
            let own = &x[rows.start * width..rows.end * width];
            add_tiles(d, f, (rows.clone(), 0..first), Side { x, out }, Some(Side { x: own, out: &mut back }), width);
            add_tiles(d, f, (rows.clone(), rows), Side { x, out }, None, width);
            back
        })
        .collect();
    add_all(out, &backs);
}

/// `out += (f D)² x` along the rows of D, and `out += ((f D)²)' x` along its columns, in one pass.
pub(crate) fn add_squares(d: &Matrix<f64>, f: f64, rows: Side<'_>, columns: Side<'_>, width: usize) {
    let height = strip_rows(d.nrows());
    let backs: Vec<Vec<f64>> = rows
        .out
        .par_chunks_mut(height * width)
        .zip(columns.x.par_chunks(height * width))
        .enumerate()
        .with_max_len(1)
        .map(|(strip, (out, own))| {
            let first = strip * height;
            let mut back = vec![0.0; d.ncols() * width];
            let part = (first..first + out.len() / width, 0..d.ncols());
            add_tiles(d, f, part, Side { x: rows.x, out }, Some(Side { x: own, out: &mut back }), width);
            back
        })
        .collect();
    add_all(columns.out, &backs);
}

/// Rows and columns of one task for wide blocks.
const WIDE_ROWS: usize = 2 * TILE_ROWS;
const WIDE_COLUMNS: usize = TILE_COLUMNS / 2;

/// `out += (f D)² x` for wide blocks. The products then dominate, so that entries may be squared twice, once for each side, and
/// no strip needs its own sums.
pub(crate) fn add_wide_squares(d: &Matrix<f64>, f: f64, x: &[f64], out: &mut [f64], width: usize) {
    out.par_chunks_mut(WIDE_ROWS * width).enumerate().with_max_len(1).for_each(|(task, out)| {
        let first = task * WIDE_ROWS;
        add_tiles(d, f, (first..first + out.len() / width, 0..d.ncols()), Side { x, out }, None, width);
    });
}

/// `out += ((f D)²)' x` for wide blocks.
pub(crate) fn add_wide_transposed_squares(d: &Matrix<f64>, f: f64, x: &[f64], out: &mut [f64], width: usize) {
    out.par_chunks_mut(WIDE_COLUMNS * width).enumerate().with_max_len(1).for_each(|(task, out)| {
        let first = task * WIDE_COLUMNS;
        Tiles { rows: 0..d.nrows(), columns: first..first + out.len() / width }.each(
            |i| d.row(i),
            |part, to| square(part, f, to),
            |rows, columns, tile| {
                let squares = view(tile, columns.len(), columns.len()).transpose();
                let here = (columns.start - first) * width..(columns.end - first) * width;
                add_times_here(squares, &x[rows.start * width..rows.end * width], &mut out[here], width);
            },
        );
    });
}

/// Sums over the strips, in their order.
fn add_all(out: &mut [f64], backs: &[Vec<f64>]) {
    const PART: usize = 4096;
    out.par_chunks_mut(PART).enumerate().for_each(|(part, out)| {
        for back in backs {
            let back = back.get(part * PART..).unwrap_or_default();
            out.iter_mut().zip(back).for_each(|(o, b)| *o += b);
        }
    });
}

/// Part of D, single-threaded. `along.x` counts from column 0 of D and `along.out` from the first row of the part; `back` is
/// the other way round.
fn add_tiles(
    d: &Matrix<f64>,
    f: f64,
    (rows, columns): (Range<usize>, Range<usize>),
    along: Side<'_>,
    mut back: Option<Side<'_>>,
    width: usize,
) {
    let first = rows.start;
    Tiles { rows, columns }.each(
        |i| d.row(i),
        |part, to| square(part, f, to),
        |rows, columns, tile| {
            let squares = view(tile, columns.len(), columns.len());
            let here = (rows.start - first) * width..(rows.end - first) * width;
            let there = columns.start * width..columns.end * width;
            add_times_here(squares, &along.x[there.clone()], &mut along.out[here.clone()], width);
            if let Some(back) = &mut back {
                add_times_here(squares.transpose(), &back.x[here], &mut back.out[there], width);
            }
        },
    );
}

widest! {
    ["avx512f"], ["avx2"];
    /// `to = (f row)²`.
    pub(crate) fn square(row: &[f64], f: f64, to: &mut [f64]) = plain;
}

widest! {
    ["avx512f"], ["avx2"];
    /// `to = (f row)² − less`, in single precision.
    pub(crate) fn rough_square(row: &[f64], f: f64, less: f64, to: &mut [f32]) = plain_rough;
}

#[inline(always)]
fn plain_rough(row: &[f64], f: f64, less: f64, to: &mut [f32]) {
    to.iter_mut().zip(row).for_each(|(t, d)| *t = ((f * d) * (f * d) - less) as f32);
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
        for (n, m, width) in [(1, 1, 1), (130, 77, 3), (19, 600, 8), (64, 65, 20), (1100, 530, 16)] {
            let d = Matrix::from_fn(n, m, |i, j| value(i * m + j));
            let x: Vec<f64> = (0..n.max(m) * width).map(|i| value(i + 3) - 1.0).collect();
            let (mut along, mut across) = (vec![1.0; n * width], vec![1.0; m * width]);
            let rows = Side { x: &x[..m * width], out: &mut along };
            add_squares(&d, 0.5, rows, Side { x: &x[..n * width], out: &mut across }, width);
            let symmetric = Matrix::from_fn(n, n, |i, j| value(i.min(j) * n + i.max(j)));
            let mut within = vec![1.0; n * width];
            add_symmetric_squares(&symmetric, 2.0, &x[..n * width], &mut within, width);
            let (mut wide, mut transposed) = (vec![1.0; n * width], vec![1.0; m * width]);
            add_wide_squares(&d, 0.5, &x[..m * width], &mut wide, width);
            add_wide_transposed_squares(&d, 0.5, &x[..n * width], &mut transposed, width);
            for c in 0..width {
                for i in 0..n {
                    let sum: f64 = (0..m).map(|j| (0.5 * d[(i, j)]).powi(2) * x[j * width + c]).sum();
                    assert!((along[i * width + c] - 1.0 - sum).abs() < 1e-10);
                    assert!((wide[i * width + c] - 1.0 - sum).abs() < 1e-10);
                    let sum: f64 = (0..n).map(|j| (2.0 * symmetric[(i, j)]).powi(2) * x[j * width + c]).sum();
                    assert!((within[i * width + c] - 1.0 - sum).abs() < 1e-10 * (1.0 + sum.abs()));
                }
                for j in 0..m {
                    let sum: f64 = (0..n).map(|i| (0.5 * d[(i, j)]).powi(2) * x[i * width + c]).sum();
                    assert!((across[j * width + c] - 1.0 - sum).abs() < 1e-10);
                    assert!((transposed[j * width + c] - 1.0 - sum).abs() < 1e-10);
                }
            }
        }
    }
}
