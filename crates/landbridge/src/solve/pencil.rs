//! The largest solutions of `M f = θ K f`, M a symmetric product, K positive definite on a range that is found.

use crate::error::{Error, Result};
use crate::linalg::Matrix;
use crate::linalg::dense::{Cholesky, add_symmetric_matmul, add_times};
use crate::linalg::tall::{Tall, centre_columns, each_row, gram, product, view, view_mut};
use crate::progress::Progress;
use crate::solve::lanczos::{Lanczos, Operator, Ritz, random_block};
use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, Par, Side};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

/// `y = M x` for a symmetric M.
pub(crate) trait Product: Sync {
    /// Rows.
    fn n(&self) -> usize;
    /// `M x`.
    fn product(&self, x: &Tall) -> Tall;
}

/// A symmetric matrix, both triangles stored.
impl Product for Mat<f64> {
    fn n(&self) -> usize {
        self.nrows()
    }
    fn product(&self, x: &Tall) -> Tall {
        let mut out = Tall::zeros(self.nrows(), x.stride);
        // As its own transpose it is read along columns.
        add_times(self.transpose(), &x.values, &mut out.values, x.stride);
        out
    }
}

/// A symmetric matrix in single precision, both triangles stored; so are its products.
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

/// N with `N'KN = I` for one diagonal block of K: a triangular solve, or a basis of its range.
pub(crate) enum Whitener {
    /// `N = I`, of that many rows.
    Identity(usize),
    /// `N = G'⁻¹`, `K = GG'`.
    Triangular(Cholesky),
    /// The same for K with its null space, of that many dimensions, filled up.
    Completed(Cholesky, usize),
    /// Columns of N.
    Basis(Mat<f64>),
}

/// Eigenvalues of K below this share of the largest count as zero.
const RANK_TOLERANCE: f64 = 1e-12;
/// A pivot below this share of its diagonal entry: the matrix may be singular, and its eigenvalues decide.
const SAFE_PIVOT: f64 = 1e-9;

impl Whitener {
    /// Of a positive semidefinite matrix, both triangles stored.
    pub(crate) fn new(k: Mat<f64>) -> Result<Self> {
        if let Some(factor) = Cholesky::new(k.clone(), SAFE_PIVOT) {
            return Ok(Whitener::Triangular(factor));
        }
        Self::on_range(&k)
    }
    /// Of a singular matrix, by its eigenvectors.
    fn on_range(k: &Mat<f64>) -> Result<Self> {
        let eigen = symmetric_eigen(k)?;
        let largest = eigen.0.last().copied().unwrap_or(0.0).max(0.0);
        let kept: Vec<usize> = (0..k.nrows()).filter(|&i| eigen.0[i] > RANK_TOLERANCE * largest).collect();
        Ok(Whitener::Basis(Mat::from_fn(k.nrows(), kept.len(), |i, j| eigen.1[(i, kept[j])] / eigen.0[kept[j]].sqrt())))
    }
    /// Of a positive semidefinite matrix that M vanishes along the null space of, too. Where that space U is small, and clearly
    /// told from the rest, `K + s UU'` stands for K: solutions other than zero lie in the range of K all the same, because
    /// `0 = U'M f = θ s U'f`. That is two factorisations instead of all eigenvectors.
    fn completed(k: Mat<f64>) -> Result<Self> {
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
    fn n(&self) -> usize {
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

/// Vectors that a null space is looked for among, at first and at most (as a share of all).
const NULL_BLOCK: usize = 8;
const NULL_SHARE: usize = 8;
/// Inverse iterations: each tells zero from what counts as more than that by a factor of a hundred.
const NULL_STEPS: usize = 6;

/// An orthonormal basis of the null space of a positive semidefinite matrix; `None` when it is large, or when there are
/// eigenvalues of which it is hard to say whether they are zero.
fn null_space(k: &Mat<f64>) -> Option<Mat<f64>> {
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
        // Also right when the start has no part along the largest.
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

/// An orthonormal basis of what the columns span.
fn orthonormal(x: &Tall) -> Tall {
    let columns = Mat::from_fn(x.n(), x.stride, |i, j| x.values[i * x.stride + j]);
    let q = columns.qr().compute_thin_Q();
    Tall { values: (0..x.n()).flat_map(|i| (0..x.stride).map(move |j| (i, j))).map(|at| q[at]).collect(), stride: x.stride }
}

/// Eigenvalues, ascending, and eigenvectors of a symmetric matrix.
pub(crate) fn symmetric_eigen(m: &Mat<f64>) -> Result<(Vec<f64>, Mat<f64>)> {
    let fail = |problem: &str| Error::Numerical { what: "dense eigensolver".into(), problem: problem.into() };
    if (0..m.ncols()).any(|j| (0..m.nrows()).any(|i| !m[(i, j)].is_finite())) {
        return Err(fail("the matrix is not finite"));
    }
    let eigen = m.self_adjoint_eigen(Side::Lower).map_err(|_| fail("no convergence"))?;
    Ok(((0..m.nrows()).map(|i| eigen.S()[i]).collect(), eigen.U().to_owned()))
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
    /// Of the diagonal blocks of K, positive semidefinite, both triangles stored. All at once: a factorisation does not keep
    /// all threads busy, and an eigenproblem only one.
    pub(crate) fn new(blocks: Vec<Mat<f64>>) -> Result<Self> {
        Ok(Self(blocks.into_par_iter().map(Whitener::new).collect::<Result<Vec<_>>>()?))
    }
    /// The same of blocks with a ridge for each.
    pub(crate) fn with_ridge(blocks: Vec<Mat<f64>>, ridge: &[f64]) -> Result<Self> {
        Self::new(raised(blocks, ridge))
    }
    /// The same for an M that vanishes along the null space of K: for the largest solutions only.
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

struct Whitened<'a> {
    m: &'a dyn Product,
    whitening: &'a Whitening,
    n: usize,
}

impl Operator for Whitened<'_> {
    fn apply(&self, x: &Tall, y: &mut Tall) {
        *y = self.whitening.shrink(&self.m.product(&self.whitening.expand(x)));
    }
    fn project(&self, _: &mut Tall) {}
    fn n(&self) -> usize {
        self.n
    }
}

/// Solutions of a pencil.
pub(crate) struct Solutions {
    /// θ, largest first.
    pub(crate) values: Vec<f64>,
    /// f, one per column, `F'KF = I`.
    pub(crate) vectors: Tall,
    /// Largest `|N'MN y − θ y| / |θ|`.
    pub(crate) residual: f64,
    /// Applications of M to a block; 0 for dense.
    pub(crate) iterations: usize,
    /// What was chosen.
    pub(crate) solver: String,
}

impl Solutions {
    /// How many of the first are positive, and no rounding errors of the largest.
    pub(crate) fn positive(&self) -> usize {
        let top = self.values.first().copied().unwrap_or(0.0);
        self.values.iter().take_while(|t| **t > ZERO * top && **t > 0.0).count()
    }
}

/// Residual the Krylov solver goes to; eigenvalues are then right to its square.
pub(crate) const TOLERANCE: f64 = 1e-8;
const DENSE_LIMIT: usize = 400;
const MAX_APPLICATIONS: usize = 4000;

/// Vectors of a block and of the whole space, for d solutions.
pub(crate) fn krylov_size(d: usize) -> (usize, usize) {
    let block = if d >= 64 { 16 } else { 8 };
    (block, (d + (2 * d).max(48)).next_multiple_of(block) + block)
}

/// Whether all solutions of n dimensions are found as fast as d of them.
pub(crate) fn is_small(n: usize, d: usize) -> bool {
    let (block, capacity) = krylov_size(d);
    n <= DENSE_LIMIT || capacity + 2 * block > n / 2
}

/// The d largest solutions (fewer when the range of K is smaller).
pub(crate) fn largest(m: &dyn Product, whitening: &Whitening, d: usize, seed: u64, progress: &Progress) -> Result<Solutions> {
    let n = whitening.rank();
    let d = d.min(n);
    if d == 0 {
        let vectors = Tall::zeros(m.n(), 1);
        return Ok(Solutions { values: vec![], vectors, residual: 0.0, iterations: 0, solver: "none".into() });
    }
    let (block, capacity) = krylov_size(d);
    if is_small(n, d) {
        let (values, vectors) = symmetric_eigen(&whitening.project(m))?;
        let y =
            Tall { values: (0..n).flat_map(|i| (0..d).map(move |j| (i, n - 1 - j))).map(|at| vectors[at]).collect(), stride: d };
        let values = (0..d).map(|j| values[n - 1 - j]).collect();
        return Ok(Solutions { values, vectors: whitening.expand(&y), residual: 0.0, iterations: 0, solver: "dense".into() });
    }
    let operator = Whitened { m, whitening, n };
    let mut solver = Lanczos::new(&operator, random_block(&operator, block, seed), d, capacity, seed);
    let worst = |r: &Ritz| (0..d).map(|i| r.residuals[i] / r.values[i].abs().max(f64::MIN_POSITIVE)).fold(0.0, f64::max);
    // Values that are rounding errors of the largest cannot have small residuals of their own.
    let floor = |r: &Ritz| 1e-13 * r.values[0].abs();
    let error = |r: &Ritz| r.worst(d, |i| (r.residuals[i], TOLERANCE * r.values[i].abs() + floor(r)));
    let heartbeat = |done: usize| progress.step("eigenvectors", done, 0);
    let converged = solver.run(MAX_APPLICATIONS, &error, &heartbeat)?;
    let residual = worst(&solver.ritz);
    if !converged && residual > 1e-4 {
        return Err(Error::NotConverged {
            solver: "Krylov".into(),
            iterations: solver.applications,
            converged: (0..d).filter(|&i| solver.ritz.residuals[i] <= TOLERANCE * solver.ritz.values[i].abs()).count(),
            asked: d,
            residual,
            tolerance: TOLERANCE,
        });
    }
    Ok(Solutions {
        values: solver.ritz.values[..d].to_vec(),
        vectors: whitening.expand(&solver.vectors(d)),
        residual,
        iterations: solver.applications,
        solver: format!("Krylov in {n} dimensions"),
    })
}

/// The smallest solutions of `A f = λ B f`.
pub(crate) struct Smallest {
    /// λ, ascending.
    pub(crate) values: Vec<f64>,
    /// f, one per column, `F'BF = I`.
    pub(crate) vectors: Tall,
    /// Zero solutions left out.
    pub(crate) zero_solutions: usize,
    /// Numerical rank of B, where it was found.
    pub(crate) rank: Option<usize>,
    /// Largest relative residual.
    pub(crate) residual: f64,
    /// Applications of B to a block; 0 for dense.
    pub(crate) iterations: usize,
    /// What was chosen.
    pub(crate) solver: String,
}

/// Eigenvalues below this share of the largest are rounding errors.
const ZERO: f64 = 1e-11;

/// A positive definite (lower triangle): the largest of `B f = θ A f`, `λ = 1/θ`. B may be singular.
pub(crate) fn smallest_definite(a: Mat<f64>, b: &dyn Product, d: usize, seed: u64, progress: &Progress) -> Result<Smallest> {
    let factor = Cholesky::new(a, 0.0).ok_or_else(|| Error::Numerical {
        what: "Cholesky factorisation".into(),
        problem: "the left-hand side is not positive definite; a larger ridge would make it so".into(),
    })?;
    let found = largest(b, &Whitening(vec![Whitener::Triangular(factor)]), d, seed, progress)?;
    let kept = found.positive();
    Ok(Smallest {
        values: found.values[..kept].iter().map(|t| 1.0 / t).collect(),
        vectors: scaled_columns(&found.vectors, &(0..kept).map(|c| (c, 1.0 / found.values[c].sqrt())).collect::<Vec<_>>()),
        zero_solutions: 0,
        rank: None,
        residual: found.residual,
        iterations: found.iterations,
        solver: found.solver,
    })
}

fn scaled_columns(f: &Tall, columns: &[(usize, f64)]) -> Tall {
    let mut out = Tall::zeros(f.values.len() / f.stride.max(1), columns.len().max(1));
    for (to, from) in out.values.chunks_exact_mut(columns.len().max(1)).zip(f.values.chunks_exact(f.stride)) {
        to.iter_mut().zip(columns).for_each(|(t, &(c, scale))| *t = scale * from[c]);
    }
    out
}

/// Above this many dimensions a positive definite B is handled by inverse iteration.
const INVERSE_LIMIT: usize = 1200;
/// Shift of the inverse iteration, in units of tr A / tr B.
const SHIFT: f64 = 1e-3;

/// The d smallest non-zero, A semidefinite (lower triangle), B block-diagonal and possibly singular: solved on its
/// range (Sparse12, Theorem 1). `product` applies B.
pub(crate) fn smallest_nonzero(
    mut a: Mat<f64>,
    b: Vec<Mat<f64>>,
    product: &dyn Product,
    d: usize,
    seed: u64,
    progress: &Progress,
) -> Result<Smallest> {
    let n = a.nrows();
    let trace: f64 = b.iter().map(|m| (0..m.nrows()).map(|i| m[(i, i)]).sum::<f64>()).sum();
    let scale = (0..n).map(|i| a[(i, i)]).sum::<f64>() / trace.max(f64::MIN_POSITIVE);
    let whitening = Whitening::new(b.clone())?;
    let rank = whitening.rank();
    if n > INVERSE_LIMIT && whitening.is_full() && 4 * d < n {
        drop(whitening);
        let shift = SHIFT * scale;
        let mut from = 0;
        for block in &b {
            for j in 0..block.ncols() {
                (j..block.nrows()).for_each(|i| a[(from + i, from + j)] += shift * block[(i, j)]);
            }
            from += block.nrows();
        }
        drop(b);
        let factor = Cholesky::new(a, 0.0);
        if let Some(factor) = factor {
            let whitening = Whitening(vec![Whitener::Triangular(factor)]);
            let mut spare = 4;
            loop {
                let found = largest(product, &whitening, d + spare, seed, progress)?;
                let values: Vec<f64> = found.values.iter().map(|t| 1.0 / t - shift).collect();
                let zero = values.iter().take_while(|v| **v <= ZERO.sqrt() * shift).count();
                if zero > spare && d + spare < rank {
                    spare = 2 * zero;
                    continue;
                }
                let kept: Vec<(usize, f64)> =
                    (zero..(zero + d).min(values.len())).map(|c| (c, 1.0 / found.values[c].sqrt())).collect();
                return Ok(Smallest {
                    values: kept.iter().map(|k| values[k.0]).collect(),
                    vectors: scaled_columns(&found.vectors, &kept),
                    zero_solutions: zero,
                    rank: Some(rank),
                    residual: found.residual,
                    iterations: found.iterations,
                    solver: format!("{}, inverse iteration", found.solver),
                });
            }
        }
        return Err(Error::Numerical { what: "Cholesky factorisation".into(), problem: "a pivot is not positive".into() });
    }
    crate::linalg::dense::mirror(&mut a);
    let (values, vectors) = symmetric_eigen(&whitening.project(&a))?;
    let top = values.last().copied().unwrap_or(0.0);
    let zero = values.iter().take_while(|v| **v <= ZERO * top).count();
    let end = (zero + d).min(rank);
    let y = Tall {
        values: (0..rank).flat_map(|i| (zero..end).map(move |j| (i, j))).map(|at| vectors[at]).collect(),
        stride: (end - zero).max(1),
    };
    let vectors = if end > zero { whitening.expand(&y) } else { Tall::zeros(n, 1) };
    Ok(Smallest {
        values: values[zero..end].to_vec(),
        vectors,
        zero_solutions: zero,
        rank: Some(rank),
        residual: 0.0,
        iterations: 0,
        solver: format!("dense on a range of {rank} dimensions"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Z of deficient rank, `Z'Z` and `Z'TZ` for a symmetric T.
    fn deficient(n: usize, p: usize, missing: usize) -> (Mat<f64>, Mat<f64>) {
        let mut rng = ChaCha8Rng::seed_from_u64(missing as u64);
        let mut z: Mat<f64> = Mat::from_fn(n, p, |_, _| rng.random_range(-1.0..1.0));
        for j in p - missing..p {
            for i in 0..n {
                z[(i, j)] = z[(i, j - missing)] + 0.5 * z[(i, 0)];
            }
        }
        let t = Mat::from_fn(n, 1, |i, _| 1.0 + (i % 17) as f64);
        let scaled = Mat::from_fn(n, p, |i, j| t[(i, 0)] * z[(i, j)]);
        (z.transpose() * &z, z.transpose() * &scaled)
    }

    #[test]
    fn a_small_null_space_is_filled_up_and_changes_no_solution() {
        for missing in [1, 3, 11] {
            let (k, m) = deficient(300, 200, missing);
            let filled = Whitening::completed(vec![k.clone()], &[0.0]).unwrap();
            let ranged = Whitening::new(vec![k.clone()]).unwrap();
            assert!(matches!(filled.0[0], Whitener::Completed(_, count) if count == missing), "{missing}");
            assert!(matches!(ranged.0[0], Whitener::Basis(_)));
            assert_eq!((filled.true_rank(), ranged.true_rank()), (200 - missing, 200 - missing));
            let solve = |w: &Whitening| largest(&m, w, 5, 1, &Progress::silent()).unwrap();
            let (fast, plain) = (solve(&filled), solve(&ranged));
            for c in 0..5 {
                assert!((fast.values[c] / plain.values[c] - 1.0).abs() < 1e-10);
                let sign =
                    (0..200).map(|i| fast.vectors.values[i * 5 + c] * plain.vectors.values[i * 5 + c]).sum::<f64>().signum();
                for i in 0..200 {
                    // The same vector: of all that differ by the null space the shortest.
                    assert!(
                        (sign * fast.vectors.values[i * 5 + c] - plain.vectors.values[i * 5 + c]).abs() < 1e-8,
                        "{missing} {c} {i}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_null_space_that_is_large_or_hard_to_tell_is_left_to_the_eigenvalues() {
        let (k, _) = deficient(300, 200, 60);
        assert!(matches!(Whitener::completed(k).unwrap(), Whitener::Basis(_)));
        // Eigenvalues from 1 down to 1e-15, one after the other.
        let steep = Mat::from_fn(120, 120, |i, j| if i == j { 10f64.powf(-(i as f64) / 8.0) } else { 0.0 });
        assert!(null_space(&steep).is_none());
        assert!(matches!(Whitener::completed(Mat::zeros(40, 40)).unwrap(), Whitener::Basis(b) if b.ncols() == 0));
    }
}
