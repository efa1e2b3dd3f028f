//! Dense products and the Cholesky factorisation on all cores. Tiles have a fixed size, so that the bytes are the same on any
//! number of threads.

use crate::linalg::Scalar;
use crate::linalg::tall::{Tall, view, view_mut};
use crate::linalg::thin;
use faer::linalg::matmul::matmul;
use faer::linalg::matmul::triangular::{BlockStructure, matmul as triangular_matmul};
use faer::linalg::triangular_solve::{solve_lower_triangular_in_place, solve_upper_triangular_in_place};
use faer::prelude::*;
use faer::traits::ComplexField;
use faer::{Accum, Mat, MatMut, MatRef, Par};
use rayon::prelude::*;

/// Rows and columns of a tile.
const TILE: usize = 256;
/// Block of rows in a triangular solve with few right-hand sides.
const STEP: usize = 128;
/// Rows of one task of that solve.
const STRIP: usize = 512;

pub(crate) fn column_tiles<T>(mut m: MatMut<'_, T>, width: usize) -> Vec<MatMut<'_, T>> {
    let mut tiles = vec![];
    while m.ncols() > width {
        let (first, rest) = m.split_at_col_mut(width);
        tiles.push(first);
        m = rest;
    }
    tiles.push(m);
    tiles
}

fn row_tiles(m: MatMut<'_, f64>, height: usize) -> Vec<MatMut<'_, f64>> {
    column_tiles(m.transpose_mut(), height).into_iter().map(MatMut::transpose_mut).collect()
}

/// Element types of matrices.
pub(crate) trait Entry: Scalar + ComplexField + std::ops::AddAssign {}
impl Entry for f64 {}
impl Entry for f32 {}

/// `out += scale A B`.
pub(crate) fn add_matmul<T: Entry>(out: MatMut<'_, T>, a: MatRef<'_, T>, b: MatRef<'_, T>, scale: f64) {
    column_tiles(out, TILE).into_par_iter().enumerate().for_each(|(t, out)| {
        let columns = b.subcols(t * TILE, out.ncols());
        matmul(out, Accum::Add, a, columns, T::from_f64(scale), Par::Seq);
    });
}

/// The lower triangle of `out += scale A B`, where the product is symmetric.
pub(crate) fn add_symmetric_matmul(out: MatMut<'_, f64>, a: MatRef<'_, f64>, b: MatRef<'_, f64>, scale: f64) {
    column_tiles(out, TILE).into_par_iter().enumerate().for_each(|(t, out)| {
        let (from, width) = (t * TILE, out.ncols());
        let (_, below) = out.split_at_row_mut(from);
        let (top, rest) = below.split_at_row_mut(width);
        let columns = b.subcols(from, width);
        triangular_matmul(
            top,
            BlockStructure::TriangularLower,
            Accum::Add,
            a.subrows(from, width),
            BlockStructure::Rectangular,
            columns,
            BlockStructure::Rectangular,
            scale,
            Par::Seq,
        );
        let height = rest.nrows();
        matmul(rest, Accum::Add, a.subrows(from + width, height), columns, scale, Par::Seq);
    });
}

/// `out += A x`; x and out are stored by rows and have few columns.
pub(crate) fn add_times(a: MatRef<'_, f64>, x: &[f64], out: &mut [f64], width: usize) {
    out.par_chunks_mut(TILE * width).enumerate().for_each(|(t, rows)| {
        let part = a.subrows(t * TILE, rows.len() / width);
        add_times_here(part, x, rows, width);
    });
}

/// The same, single-threaded.
pub(crate) fn add_times_here(a: MatRef<'_, f64>, x: &[f64], out: &mut [f64], width: usize) {
    if !thin::add_transposed_times(a.transpose(), x, out, width) {
        matmul(view_mut(out, width, width), Accum::Add, a, view(x, width, width), 1.0, Par::Seq);
    }
}

/// Calls `each(i, j)` for the strict lower triangle, in blocks that stay in the cache even if `each` also reads (j, i).
fn below_diagonal(n: usize, mut each: impl FnMut(usize, usize)) {
    const BLOCK: usize = 32;
    for from in (0..n).step_by(BLOCK) {
        for below in (from..n).step_by(BLOCK) {
            for j in from..(from + BLOCK).min(n) {
                (below.max(j + 1)..(below + BLOCK).min(n)).for_each(|i| each(i, j));
            }
        }
    }
}

/// Copies the lower triangle to the upper one.
pub(crate) fn mirror<T: Entry>(m: &mut Mat<T>) {
    below_diagonal(m.ncols(), |i, j| m[(j, i)] = m[(i, j)]);
}

/// The lower triangle of `M + M'`, in place.
pub(crate) fn add_own_transpose<T: Entry>(mut m: MatMut<'_, T>) {
    below_diagonal(m.ncols(), |i, j| {
        let mirrored = m[(j, i)];
        m[(i, j)] += mirrored;
    });
    for j in 0..m.ncols() {
        let once = m[(j, j)];
        m[(j, j)] += once;
    }
}

/// A lower triangular Cholesky factor: `G G' = A`. The upper triangle holds G', so that both solves read along columns.
pub(crate) struct Cholesky(Mat<f64>);

impl Cholesky {
    /// Factors the symmetric matrix whose lower triangle is given, in place. `None` when it is not positive definite, or when a
    /// pivot falls below `smallest` times its diagonal entry.
    pub(crate) fn new(mut a: Mat<f64>, smallest: f64) -> Option<Self> {
        let n = a.nrows();
        let diagonal: Vec<f64> = (0..n).map(|i| a[(i, i)]).collect();
        for from in (0..n).step_by(TILE) {
            let width = TILE.min(n - from);
            let rest = a.as_mut().submatrix_mut(from, from, n - from, n - from);
            let (mut corner, mirrored, panel, trailing) = rest.split_at_mut(width, width);
            let factor = corner.rb().llt(faer::Side::Lower).ok()?;
            for j in 0..width {
                for i in j..width {
                    (corner[(i, j)], corner[(j, i)]) = (factor.L()[(i, j)], factor.L()[(i, j)]);
                }
                let pivot = corner[(j, j)];
                if !(pivot.is_finite() && pivot * pivot > smallest * diagonal[from + j]) {
                    return None;
                }
            }
            let corner = corner.into_const();
            let mut panel = panel;
            row_tiles(panel.rb_mut(), TILE).into_par_iter().for_each(|tile| {
                solve_lower_triangular_in_place(corner, tile.transpose_mut(), Par::Seq);
            });
            let panel = panel.into_const();
            column_tiles(mirrored, TILE).into_par_iter().enumerate().for_each(|(t, mut tile)| {
                let source = panel.subrows(t * TILE, tile.ncols()).transpose();
                tile.copy_from(source);
            });
            add_symmetric_matmul(trailing, panel, panel.transpose(), -1.0);
        }
        Some(Self(a))
    }
    pub(crate) fn n(&self) -> usize {
        self.0.nrows()
    }
    /// `x ← G⁻¹ x`.
    pub(crate) fn solve_lower(&self, x: &mut Tall) {
        let (n, width) = (self.n(), x.stride);
        for from in (0..n).step_by(STEP) {
            let height = STEP.min(n - from);
            let (done, rest) = x.values.split_at_mut(from * width);
            let now = &mut rest[..height * width];
            subtract_transposed(self.0.as_ref().submatrix(0, from, from, height), done, now, width);
            let corner = self.0.as_ref().submatrix(from, from, height, height);
            solve_lower_triangular_in_place(corner, view_mut(now, width, width), Par::Seq);
        }
    }
    /// `Z G'⁻¹` for many rows.
    pub(crate) fn divide_rows(&self, mut z: Tall) -> Tall {
        let n = self.n();
        z.values.par_chunks_mut(TILE * n).for_each(|rows| {
            let mut rows = view_mut(rows, n, n);
            for from in (0..n).step_by(STEP) {
                let height = STEP.min(n - from);
                let (done, rest) = rows.rb_mut().split_at_col_mut(from);
                let mut now = rest.subcols_mut(0, height);
                let before = self.0.as_ref().submatrix(from, 0, height, from);
                matmul(now.rb_mut(), Accum::Add, done.rb(), before.transpose(), -1.0, Par::Seq);
                let corner = self.0.as_ref().submatrix(from, from, height, height);
                solve_lower_triangular_in_place(corner, now.transpose_mut(), Par::Seq);
            }
        });
        z
    }
    /// `x ← G'⁻¹ x`.
    pub(crate) fn solve_upper(&self, x: &mut Tall) {
        let (n, width) = (self.n(), x.stride);
        for from in (0..n).step_by(STEP).rev() {
            let height = STEP.min(n - from);
            let (now, done) = x.values[from * width..].split_at_mut(height * width);
            let below = from + height;
            subtract_transposed(self.0.as_ref().submatrix(below, from, n - below, height), done, now, width);
            let corner = self.0.as_ref().submatrix(from, from, height, height);
            solve_upper_triangular_in_place(corner.transpose(), view_mut(now, width, width), Par::Seq);
        }
    }
}

/// `out −= A' x`, summed over strips of rows.
fn subtract_transposed(a: MatRef<'_, f64>, x: &[f64], out: &mut [f64], width: usize) {
    let parts: Vec<Vec<f64>> = x
        .par_chunks(STRIP * width)
        .enumerate()
        .map(|(s, rows)| {
            let mut sum = vec![0.0; out.len()];
            add_times_here(a.subrows(s * STRIP, rows.len() / width).transpose(), rows, &mut sum, width);
            sum
        })
        .collect();
    for part in parts {
        out.iter_mut().zip(part).for_each(|(o, p)| *o -= p);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn random(rows: usize, cols: usize, seed: u64) -> Mat<f64> {
        let mut state = seed;
        Mat::from_fn(rows, cols, |_, _| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) as f64 / (1u64 << 31) as f64 - 0.5
        })
    }
    fn largest(m: &Mat<f64>) -> f64 {
        (0..m.ncols()).flat_map(|j| (0..m.nrows()).map(move |i| (i, j))).fold(0.0, |a, at| a.max(m[at].abs()))
    }

    #[test]
    fn tiled_products_and_factors_equal_the_plain_ones() {
        for n in [1, 7, 256, 300, 777] {
            let x = random(n + 20, n, 3);
            let mut a = Mat::zeros(n, n);
            add_symmetric_matmul(a.as_mut(), x.transpose(), x.as_ref(), 1.0);
            mirror(&mut a);
            let plain = x.transpose() * &x;
            assert!(largest(&(&a - &plain)) < 1e-10);
            let mut b = Mat::zeros(n, n);
            add_matmul(b.as_mut(), x.transpose(), x.as_ref(), 1.0);
            assert!(largest(&(&b - &plain)) < 1e-10);

            let factor = Cholesky::new(a.clone(), 0.0).unwrap();
            let rhs = random(n, 5, 4);
            let values = (0..n).flat_map(|i| (0..5).map(move |j| (i, j))).map(|at| rhs[at]).collect();
            let mut solved = Tall { values, stride: 5 };
            factor.solve_lower(&mut solved);
            factor.solve_upper(&mut solved);
            let solved = Mat::from_fn(n, 5, |i, j| solved.values[i * 5 + j]);
            assert!(largest(&(&a * &solved - &rhs)) < 1e-7, "{n}");
        }
    }

    #[test]
    fn what_is_not_positive_definite_has_no_factor() {
        let x = random(10, 20, 5); // rank 10 of 20
        assert!(Cholesky::new(x.transpose() * &x, 1e-12).is_none());
        assert!(Cholesky::new(Mat::from_fn(3, 3, |i, j| if i == j { -1.0 } else { 0.0 }), 0.0).is_none());
    }
}
