//! Whitening: N with `N'KN = I`, block by block, for positive semidefinite K.

use crate::error::{Error, Result};
use crate::linalg::dense::{Cholesky, add_symmetric_matmul, add_times};
use crate::linalg::operator::Product;
use crate::linalg::tall::{Tall, gram, product};
use faer::{Mat, Side};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

/// Eigenvalues, ascending, and eigenvectors of a symmetric matrix.
pub(crate) fn symmetric_eigen(m: &Mat<f64>) -> Result<(Vec<f64>, Mat<f64>)> {
    if (0..m.ncols()).any(|j| (0..m.nrows()).any(|i| !m[(i, j)].is_finite())) {
        return Err(Error::Overflow { what: "matrix of the dense eigensolver".into() });
    }
    let not_converged = || Error::Numerical { what: "dense eigensolver".into(), problem: "it did not converge".into() };
    let eigen = m.self_adjoint_eigen(Side::Lower).map_err(|_| not_converged())?;
    Ok(((0..m.nrows()).map(|i| eigen.S()[i]).collect(), eigen.U().to_owned()))
}

/// N with `N'KN = I` for one diagonal block of K: a triangular solve, or a basis of the range of K.
pub(crate) enum Whitener {
    /// `N = I`, of that many rows.
    Identity(usize),
    /// `N = G'⁻¹`, `K = GG'`.
    Triangular(Cholesky),
    /// The same for a K whose null space, of that many dimensions, was filled up.
    Completed(Cholesky, usize),
    /// Columns of N.
    Basis(Mat<f64>),
}

/// Eigenvalues of K below this share of the largest count as zero.
const RANK_TOLERANCE: f64 = 1e-12;
/// A pivot below this share of its diagonal entry suggests a singular matrix; the eigenvalues then decide.
const SAFE_PIVOT: f64 = 1e-9;

impl Whitener {
    /// Whitens a positive semidefinite matrix, both triangles stored.
    pub(crate) fn new(k: Mat<f64>) -> Result<Self> {
        if let Some(factor) = Cholesky::new(k.clone(), SAFE_PIVOT) {
            return Ok(Whitener::Triangular(factor));
        }
        Self::on_range(&k)
    }
    /// Whitens a singular matrix by its eigenvectors.
    fn on_range(k: &Mat<f64>) -> Result<Self> {
        let eigen = symmetric_eigen(k)?;
        let largest = eigen.0.last().copied().unwrap_or(0.0).max(0.0);
        let kept: Vec<usize> = (0..k.nrows()).filter(|&i| eigen.0[i] > RANK_TOLERANCE * largest).collect();
        Ok(Whitener::Basis(Mat::from_fn(k.nrows(), kept.len(), |i, j| eigen.1[(i, kept[j])] / eigen.0[kept[j]].sqrt())))
    }
    /// Whitens a positive semidefinite K for an M that vanishes on the null space U of K. If U is small and there is a clear
    /// spectral gap, `K + s UU'` replaces K. Non-zero solutions still lie in the range of K, because `0 = U'M f = θ s U'f`.
    /// This costs two factorisations instead of all eigenvectors.
    pub(crate) fn completed(k: Mat<f64>) -> Result<Self> {
        if let Some(factor) = Cholesky::new(k.clone(), SAFE_PIVOT) {
            return Ok(Whitener::Triangular(factor));
        }
        if let Some(null) = null_space(&k) {
            let n = k.nrows();
            let size = (0..n).map(|i| k[(i, i)]).sum::<f64>() / n as f64;
            let mut full = k.clone();
            add_symmetric_matmul(full.as_mut(), null.as_ref(), null.transpose(), size);
            if let Some(factor) = Cholesky::new(full, 0.0) {
                return Ok(Whitener::Completed(factor, null.ncols()));
            }
        }
        Self::on_range(&k)
    }
    pub(crate) fn n(&self) -> usize {
        match self {
            Whitener::Identity(n) => *n,
            Whitener::Triangular(g) | Whitener::Completed(g, _) => g.n(),
            Whitener::Basis(b) => b.nrows(),
        }
    }
    /// Dimensions of K's null space that were filled up.
    fn filled(&self) -> usize {
        if let Whitener::Completed(_, filled) = self { *filled } else { 0 }
    }
    /// `Z N`.
    pub(crate) fn whiten(&self, z: Tall) -> Tall {
        match self {
            Whitener::Identity(_) => z,
            Whitener::Triangular(g) | Whitener::Completed(g, _) => g.divide_rows(z),
            Whitener::Basis(b) => product(&z, b.as_ref()),
        }
    }
    /// Columns of N.
    pub(crate) fn rank(&self) -> usize {
        match self {
            Whitener::Basis(b) => b.ncols(),
            other => other.n(),
        }
    }
}

/// Size of the block that searches for the null space: at first, and at most (as a share of all dimensions).
const NULL_BLOCK: usize = 8;
const NULL_SHARE: usize = 8;
/// Inverse iterations: each separates zero from the smallest eigenvalue that counts by a factor of a hundred.
const NULL_STEPS: usize = 6;

/// An orthonormal basis of the null space of a positive semidefinite matrix; `None` when the null space is large, or when there
/// is no clear spectral gap above it.
pub(crate) fn null_space(k: &Mat<f64>) -> Option<Mat<f64>> {
    let n = k.nrows();
    let largest = {
        let mut x = Tall { values: vec![1.0; n], stride: 1 };
        let mut value = 0.0;
        for _ in 0..30 {
            let image = k.product(&x);
            value = image.values.iter().map(|v| v * v).sum::<f64>().sqrt();
            if !(value > 0.0 && value.is_finite()) {
                break;
            }
            x.values.iter_mut().zip(&image.values).for_each(|(x, v)| *x = v / value);
        }
        // Also correct when the start has no component along the largest eigenvector.
        (0..n).map(|i| k[(i, i)]).fold(value, f64::max)
    };
    let mut shifted = k.clone();
    (0..n).for_each(|i| shifted[(i, i)] += RANK_TOLERANCE * largest);
    let factor = Cholesky::new(shifted, 0.0)?;
    let mut width = NULL_BLOCK;
    while width <= n / NULL_SHARE {
        let mut rng = ChaCha8Rng::seed_from_u64(width as u64);
        let mut x = Tall::zeros(n, width);
        x.values.iter_mut().for_each(|v| *v = rng.random_range(-1.0..1.0));
        for _ in 0..NULL_STEPS {
            x = orthonormal(&x);
            factor.solve_lower(&mut x);
            factor.solve_upper(&mut x);
        }
        let x = orthonormal(&x);
        let (values, rotation) = symmetric_eigen(&gram(&x, width, &k.product(&x))).ok()?;
        let count = values.iter().take_while(|v| **v <= RANK_TOLERANCE * largest).count();
        if count == width {
            width *= 2;
            continue;
        }
        let told = values[count] >= 10.0 * RANK_TOLERANCE * largest
            && (count == 0 || values[count - 1] <= 0.1 * RANK_TOLERANCE * largest);
        let basis = product(&x, rotation.as_ref().subcols(0, count));
        return (told && count > 0).then(|| Mat::from_fn(n, count, |i, j| basis.values[i * count + j]));
    }
    None
}

/// An orthonormal basis of the span of the columns.
fn orthonormal(x: &Tall) -> Tall {
    let columns = Mat::from_fn(x.n(), x.stride, |i, j| x.values[i * x.stride + j]);
    let q = columns.qr().compute_thin_Q();
    Tall { values: (0..x.n()).flat_map(|i| (0..x.stride).map(move |j| (i, j))).map(|at| q[at]).collect(), stride: x.stride }
}

fn raised(mut blocks: Vec<Mat<f64>>, ridge: &[f64]) -> Vec<Mat<f64>> {
    for (block, ridge) in blocks.iter_mut().zip(ridge) {
        (0..block.nrows()).for_each(|i| block[(i, i)] += ridge);
    }
    blocks
}

/// A whitener for each diagonal block.
pub(crate) struct Whitening(pub(crate) Vec<Whitener>);

impl Whitening {
    /// Whitens the diagonal blocks of K, positive semidefinite, both triangles stored. Blocks run in parallel: one
    /// factorisation does not keep all threads busy, and one eigenproblem uses a single thread.
    pub(crate) fn new(blocks: Vec<Mat<f64>>) -> Result<Self> {
        Ok(Self(blocks.into_par_iter().map(Whitener::new).collect::<Result<Vec<_>>>()?))
    }
    /// The same for blocks with a ridge each.
    pub(crate) fn with_ridge(blocks: Vec<Mat<f64>>, ridge: &[f64]) -> Result<Self> {
        Self::new(raised(blocks, ridge))
    }
    /// The same for an M that vanishes on the null space of K; only for the largest solutions.
    pub(crate) fn completed(blocks: Vec<Mat<f64>>, ridge: &[f64]) -> Result<Self> {
        Ok(Self(raised(blocks, ridge).into_par_iter().map(Whitener::completed).collect::<Result<Vec<_>>>()?))
    }
    /// The rank of K.
    pub(crate) fn true_rank(&self) -> usize {
        self.0.iter().map(|w| w.rank() - w.filled()).sum()
    }
    pub(crate) fn rank(&self) -> usize {
        self.0.iter().map(Whitener::rank).sum()
    }
    pub(crate) fn is_full(&self) -> bool {
        self.0.iter().all(|w| w.rank() == w.n())
    }
    /// `N y`.
    pub(crate) fn expand(&self, y: &Tall) -> Tall {
        let width = y.stride;
        let mut out = Tall { values: vec![], stride: width };
        let mut from = 0;
        for block in &self.0 {
            let part = &y.values[from * width..(from + block.rank()) * width];
            from += block.rank();
            match block {
                Whitener::Identity(_) => out.values.extend_from_slice(part),
                Whitener::Triangular(g) | Whitener::Completed(g, _) => {
                    let mut x = Tall { values: part.to_vec(), stride: width };
                    g.solve_upper(&mut x);
                    out.values.extend(x.values);
                }
                Whitener::Basis(b) => {
                    let mut x = vec![0.0; b.nrows() * width];
                    add_times(b.as_ref(), part, &mut x, width);
                    out.values.extend(x);
                }
            }
        }
        out
    }
    /// `N' f`.
    pub(crate) fn shrink(&self, f: &Tall) -> Tall {
        let width = f.stride;
        let mut out = Tall { values: vec![], stride: width };
        let mut from = 0;
        for block in &self.0 {
            let part = &f.values[from * width..(from + block.n()) * width];
            from += block.n();
            match block {
                Whitener::Identity(_) => out.values.extend_from_slice(part),
                Whitener::Triangular(g) | Whitener::Completed(g, _) => {
                    let mut x = Tall { values: part.to_vec(), stride: width };
                    g.solve_lower(&mut x);
                    out.values.extend(x.values);
                }
                Whitener::Basis(b) => {
                    let mut x = vec![0.0; b.ncols() * width];
                    add_times(b.transpose(), part, &mut x, width);
                    out.values.extend(x);
                }
            }
        }
        out
    }
    /// `N'MN`, dense.
    pub(crate) fn project(&self, m: &dyn Product) -> Mat<f64> {
        let n = self.rank();
        let mut out = Mat::zeros(n, n);
        for from in (0..n).step_by(64) {
            let width = 64.min(n - from);
            let mut columns = Tall::zeros(n, width);
            (0..width).for_each(|c| columns.values[(from + c) * width + c] = 1.0);
            let image = self.shrink(&m.product(&self.expand(&columns)));
            for i in 0..n {
                (0..width).for_each(|c| out[(i, from + c)] = image.values[i * width + c]);
            }
        }
        Mat::from_fn(n, n, |i, j| 0.5 * (out[(i, j)] + out[(j, i)]))
    }
}
