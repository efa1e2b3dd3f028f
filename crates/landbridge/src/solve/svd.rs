//! The largest singular values of prepared rows X, through `X'X` or `XX'`, whichever is smaller. Neither is formed, and
//! sparse rows stay sparse.

use crate::data::prepare::Prepared;
use crate::error::Result;
use crate::linalg::tall::Tall;
use crate::progress::Progress;
use crate::solve::pencil::{Product, Whitener, Whitening, largest};

struct Squared<'a> {
    x: &'a Prepared,
    /// `X'X`, not `XX'`.
    by_columns: bool,
}

impl Product for Squared<'_> {
    fn n(&self) -> usize {
        if self.by_columns { self.x.ncols() } else { self.x.nrows() }
    }
    fn product(&self, v: &Tall) -> Tall {
        if self.by_columns { self.x.transposed_times(&self.x.times(v)) } else { self.x.times(&self.x.transposed_times(v)) }
    }
}

/// `X ≈ U S V'`.
pub(crate) struct Svd {
    /// S, largest first.
    pub(crate) values: Vec<f64>,
    /// V: p × d, orthonormal columns.
    pub(crate) right: Tall,
    /// Largest relative residual of a squared singular value.
    pub(crate) residual: f64,
    pub(crate) iterations: usize,
    pub(crate) solver: String,
}

/// Squares of singular values below this share of the largest are rounding errors.
const ZERO: f64 = 1e-13;

/// The d largest singular values and right vectors; fewer when the rank is smaller.
pub(crate) fn truncated(x: &Prepared, d: usize, seed: u64, progress: &Progress) -> Result<Svd> {
    let by_columns = x.ncols() <= x.nrows();
    let squared = Squared { x, by_columns };
    let found = largest(&squared, &Whitening(vec![Whitener::Identity(squared.n())]), d, seed, progress)?;
    let top = found.values.first().copied().unwrap_or(0.0);
    let kept = found.values.iter().take_while(|v| **v > ZERO * top && **v > 0.0).count();
    let values: Vec<f64> = found.values[..kept].iter().map(|v| v.sqrt()).collect();
    let width = kept.max(1);
    let mut vectors = Tall::zeros(squared.n(), width);
    for (to, from) in vectors.values.chunks_exact_mut(width).zip(found.vectors.values.chunks_exact(found.vectors.stride)) {
        to[..kept].copy_from_slice(&from[..kept]);
    }
    let right = if by_columns {
        vectors
    } else {
        // V = X'U / S.
        let mut right = x.transposed_times(&vectors);
        right.values.chunks_exact_mut(width).for_each(|row| row.iter_mut().zip(&values).for_each(|(v, s)| *v /= s));
        right
    };
    let solver = format!("{} of {}", found.solver, if by_columns { "X'X" } else { "XX'" });
    Ok(Svd { values, right, residual: found.residual, iterations: found.iterations, solver })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Preparation, Prepare, Rows};
    use crate::linalg::{Csr, Matrix};
    use faer::Mat;

    fn documents(n: usize, p: usize) -> Csr {
        let mut state = 5u64;
        let mut triplets = vec![];
        for i in 0..n {
            for j in 0..p {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                let value = (state >> 33) as f64 / (1u64 << 31) as f64;
                if value < 0.05 {
                    triplets.push((i, j, 1.0 + (40.0 * value).floor()));
                }
            }
        }
        Csr::from_triplets(n, p, &triplets).unwrap()
    }

    #[test]
    fn tall_and_wide_sparse_rows_have_the_singular_values_of_the_dense_matrix() {
        for (n, p, prepare) in
            [(700, 500, Prepare::Tfidf), (450, 900, Prepare::Tfidf), (60, 90, Prepare::Center), (90, 60, Prepare::Center)]
        {
            let rows = Rows::Sparse(documents(n, p));
            let x = Preparation::fit(prepare, &rows).apply(&rows);
            let dense = x.to_dense();
            let reference = Mat::from_fn(n, p, |i, j| dense.values[i * p + j]).singular_values().unwrap();
            let found = truncated(&x, 10, 0, &Progress::silent()).unwrap();
            for (s, expected) in found.values.iter().zip(&reference) {
                assert!((s / expected - 1.0).abs() < 1e-10, "{n} x {p}: {s} {expected}");
            }
            // X v = s u, so |X v| = s.
            let xv = x.times(&found.right);
            for (c, s) in found.values.iter().enumerate() {
                let length = xv.values.chunks_exact(10).map(|r| r[c] * r[c]).sum::<f64>().sqrt();
                assert!((length / s - 1.0).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn no_more_come_out_than_the_rank() {
        let rows = Rows::F64(Matrix::from_fn(20, 6, |i, j| (i % 2) as f64 * (j + 1) as f64 + (i % 5) as f64));
        let x = Preparation::fit(Prepare::None, &rows).apply(&rows);
        assert_eq!(truncated(&x, 5, 0, &Progress::silent()).unwrap().values.len(), 2);
    }
}
