//! Datasets whose columns are orthonormal: `X G⁺` with `G'G = X'X` (Chapter11 §5.3.3, step 2).

use crate::data::prepared::{Prepared, Values};
use crate::error::Result;
use crate::linalg::Matrix;
use crate::linalg::tall::{Tall, gram, product};
use crate::linalg::whitening::symmetric_eigen;
use crate::problem::feature::{Basis, Blocks, reduce_to_row_space};
use faer::Mat;

/// Directions below this share of the largest squared singular value are dropped.
const RANK_TOLERANCE: f64 = 1e-12;

/// Datasets in orthonormal coordinates, and the maps back to features.
pub(crate) struct Whitened {
    /// `X_a G_a⁺`.
    pub(crate) rows: Blocks,
    /// Dimensions of all datasets together.
    pub(crate) rank: usize,
    /// `G_a⁺`, rows are features (or coordinates of a row space).
    inverses: Vec<Mat<f64>>,
    bases: Vec<Basis>,
    scales: Vec<f64>,
}

/// `(M)^(-1/2)` on the range of a positive semidefinite M, as `V S^(-1/2)`, times `V'` if M has full rank.
///
/// The symmetric root keeps each coordinate close to its feature, so that localised functions depend on few features.
fn inverse_root(m: &Mat<f64>) -> Result<Mat<f64>> {
    let n = m.nrows();
    let (values, vectors) = symmetric_eigen(m)?;
    let largest = values.last().copied().unwrap_or(0.0).max(0.0);
    let kept: Vec<usize> = (0..n).filter(|&i| values[i] > RANK_TOLERANCE * largest && values[i] > 0.0).collect();
    let root = Mat::from_fn(n, kept.len(), |i, j| vectors[(i, kept[j])] / values[kept[j]].sqrt());
    if kept.len() < n {
        return Ok(root);
    }
    let mut out = Mat::zeros(n, n);
    crate::linalg::dense::add_matmul(out.as_mut(), root.as_ref(), vectors.transpose(), 1.0);
    Ok(out)
}

/// Whitens every dataset separately.
pub(crate) fn whiten(blocks: Blocks) -> Result<Whitened> {
    let (blocks, bases) = reduce_to_row_space(blocks)?;
    let ones = vec![1.0; blocks.rows[blocks.datasets.len()]];
    let (mut rows, mut inverses, mut rank) = (vec![], vec![], 0);
    for (a, x) in blocks.datasets.iter().enumerate() {
        let first = inverse_root(&blocks.mass(a, &ones))?;
        let tall = |m: &Mat<f64>| Tall {
            values: (0..m.nrows()).flat_map(|i| (0..m.ncols()).map(move |j| (i, j))).map(|at| m[at]).collect(),
            stride: m.ncols(),
        };
        let u = if first.ncols() == 0 { Tall::zeros(x.nrows(), 1) } else { x.times(&tall(&first)) };
        // Squares of small singular values have few correct digits; a second pass restores orthonormality.
        let second = inverse_root(&gram(&u, u.stride, &u))?;
        // A dataset of zeros, or one whose squares before centring differ from those of its means by rounding alone: one zero
        // coordinate stands for it.
        if second.ncols() == 0 {
            inverses.push(Mat::zeros(first.nrows(), 1));
            rows.push(Prepared { values: Values::Dense(Tall::zeros(x.nrows(), 1)), shift: None });
            continue;
        }
        rank += second.ncols();
        let (once, first) = (product(&u, second.as_ref()), product_of(&first, &second));
        inverses.push(first);
        rows.push(Prepared { values: Values::Dense(once), shift: None });
    }
    let scales = blocks.scales.clone();
    let rows = Blocks::new(rows);
    Ok(Whitened { rows, rank, inverses, bases, scales })
}

fn product_of(a: &Mat<f64>, b: &Mat<f64>) -> Mat<f64> {
    let mut out = Mat::zeros(a.nrows(), b.ncols());
    crate::linalg::dense::add_matmul(out.as_mut(), a.as_ref(), b.as_ref(), 1.0);
    out
}

impl Whitened {
    /// `F_a = G_a⁺ φ_a` for functions of all coordinates, for the rows before scaling.
    pub(crate) fn map_of(&self, functions: &Matrix<f64>, a: usize) -> Matrix<f64> {
        let from = self.rows.columns[a];
        let part = Mat::from_fn(self.rows.columns[a + 1] - from, functions.ncols(), |i, j| functions[(from + i, j)]);
        let map = product_of(&self.inverses[a], &part);
        // `Blocks::new` may have scaled the whitened rows again.
        let scale = self.scales[a] * self.rows.scales[a];
        self.bases[a].expand(Matrix::from_fn(map.nrows(), map.ncols(), |i, j| scale * map[(i, j)]))
    }
}
