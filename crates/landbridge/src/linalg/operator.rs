//! Linear operators: matrices known only by their products with a block of vectors. `problem` builds them, `solve` applies
//! them.

use crate::linalg::Matrix;
use crate::linalg::dense::{Cholesky, add_times};
use crate::linalg::tall::{Tall, centre_columns, each_row, view, view_mut};
use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, Par};
use rayon::prelude::*;

/// `y = M x` for a symmetric M.
pub(crate) trait Product: Sync {
    /// Rows.
    fn n(&self) -> usize;
    /// `M x`.
    fn product(&self, x: &Tall) -> Tall;
    /// C by rows, if M is nothing but `[0 C; C' 0]`.
    fn between(&self) -> Option<Tall> {
        None
    }
}

/// A symmetric matrix, both triangles stored.
impl Product for Mat<f64> {
    fn n(&self) -> usize {
        self.nrows()
    }
    fn product(&self, x: &Tall) -> Tall {
        let mut out = Tall::zeros(self.nrows(), x.stride);
        // M equals its transpose, so it is read along columns.
        add_times(self.transpose(), &x.values, &mut out.values, x.stride);
        out
    }
}

/// A symmetric matrix in single precision, both triangles stored. Its products are in single precision, too.
impl Product for Mat<f32> {
    fn n(&self) -> usize {
        self.nrows()
    }
    fn product(&self, x: &Tall) -> Tall {
        const ROWS: usize = 512;
        let width = x.stride;
        let narrow: Vec<f32> = x.values.par_iter().with_min_len(4096).map(|v| *v as f32).collect();
        let mut out = Tall::zeros(self.nrows(), width);
        out.values.par_chunks_mut(ROWS * width).enumerate().with_max_len(1).for_each(|(t, to)| {
            let mut rows = vec![0.0; to.len()];
            let part = self.as_ref().subrows(t * ROWS, to.len() / width);
            let (into, narrow) = (view_mut(&mut rows, width, width), view(&narrow, width, width));
            matmul(into, Accum::Replace, part, narrow, 1.0, Par::Seq);
            to.iter_mut().zip(rows).for_each(|(to, v)| *to = f64::from(v));
        });
        out
    }
}

/// `−½ H S H` of squared distances S, as an operator: the Gram matrix of classical scaling.
pub(crate) struct CentredSquares<'a>(pub(crate) &'a Matrix<f64>);

impl Product for CentredSquares<'_> {
    fn n(&self) -> usize {
        self.0.nrows()
    }
    fn product(&self, x: &Tall) -> Tall {
        let n = self.n();
        let mut x = x.clone();
        centre_columns(&mut x);
        let mut out = Tall::zeros(n, x.stride);
        add_times(view(self.0.as_slice(), n, n), &x.values, &mut out.values, x.stride);
        centre_columns(&mut out);
        each_row(&mut out, |_, row| row.iter_mut().for_each(|v| *v *= -0.5));
        out
    }
}

/// `M v` and `M' y`.
pub(crate) trait Factor: Sync {
    /// Rows of M.
    fn n(&self) -> usize;
    /// `M v`.
    fn times(&self, v: &Tall) -> Tall;
    /// `M' y`.
    fn transposed_times(&self, y: &Tall) -> Tall;
}

/// A preconditioner for A: one block of A, and the diagonal of the rest.
pub(crate) struct Preconditioner {
    /// The rows of the block, and its factor.
    pub(crate) block: Option<(Vec<usize>, Cholesky)>,
    /// The diagonal of A; entries inside the block are not read.
    pub(crate) diagonal: Vec<f64>,
}

impl Preconditioner {
    /// The preconditioner applied to r.
    pub(crate) fn solve(&self, r: &Tall) -> Tall {
        let width = r.stride;
        let mut z = r.clone();
        each_row(&mut z, |i, row| row.iter_mut().for_each(|v| *v /= self.diagonal[i]));
        if let Some((rows, factor)) = &self.block {
            let values = rows.iter().flat_map(|&i| &r.values[i * width..(i + 1) * width]).copied().collect();
            let mut part = Tall { values, stride: width };
            factor.solve_lower(&mut part);
            factor.solve_upper(&mut part);
            for (from, &i) in part.values.chunks_exact(width).zip(rows) {
                z.values[i * width..(i + 1) * width].copy_from_slice(from);
            }
        }
        z
    }
}
