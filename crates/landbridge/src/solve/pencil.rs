//! The largest solutions of `M f = θ K f`, M a symmetric operator, K positive semidefinite; solved on the range of K.

use crate::data::prepared::{Prepared, Values};
use crate::error::{Error, Result};
use crate::linalg::dense::Cholesky;
use crate::linalg::operator::Product;
use crate::linalg::tall::{Tall, product, view};
use crate::linalg::whitening::{Whitener, Whitening, symmetric_eigen};
use crate::progress::Progress;
use crate::solve::lanczos::{Lanczos, Operator, Ritz, random_block};
use crate::solve::svd::truncated;
use faer::{Mat, MatRef};
use rayon::prelude::*;

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
    /// The solver chosen.
    pub(crate) solver: String,
}

/// How many of the leading values are positive, beyond rounding.
pub(crate) fn leading_positive(values: &[f64]) -> usize {
    let top = values.first().copied().unwrap_or(0.0);
    values.iter().take_while(|v| **v > 1e-12 * top && **v > 0.0).count()
}

impl Solutions {
    /// No solution, of n dimensions.
    fn none(n: usize) -> Self {
        Self { values: vec![], vectors: Tall::zeros(n, 1), residual: 0.0, iterations: 0, solver: "none".into() }
    }
    /// Number of leading values that are positive and above the rounding errors of the largest.
    pub(crate) fn positive(&self) -> usize {
        let top = self.values.first().copied().unwrap_or(0.0);
        self.values.iter().take_while(|t| **t > ZERO * top && **t > 0.0).count()
    }
}

/// Tolerance of the Krylov solver; the eigenvalues are then accurate to its square.
pub(crate) const TOLERANCE: f64 = 1e-8;
const DENSE_LIMIT: usize = 400;
const MAX_APPLICATIONS: usize = 4000;

/// Block size and capacity of the Krylov space, for d solutions.
pub(crate) fn krylov_size(d: usize) -> (usize, usize) {
    let block = if d >= 64 { 16 } else { 8 };
    (block, (d + (2 * d).max(48)).next_multiple_of(block) + block)
}

/// Whether a dense solve of all n dimensions is as fast as d solutions by Krylov.
pub(crate) fn is_small(n: usize, d: usize) -> bool {
    let (block, capacity) = krylov_size(d);
    n <= DENSE_LIMIT || capacity + 2 * block > n / 2
}

/// The d largest solutions (fewer when the range of K is smaller).
pub(crate) fn largest(m: &dyn Product, whitening: &Whitening, d: usize, seed: u64, progress: &Progress) -> Result<Solutions> {
    let n = whitening.rank();
    let d = d.min(n);
    if d == 0 {
        return Ok(Solutions::none(m.n()));
    }
    let (block, capacity) = krylov_size(d);
    if is_small(n, d) {
        if let (Some(cross), [left, right]) = (m.between(), &whitening.0[..]) {
            return all_between_two(cross, (left, right), d, whitening);
        }
        let (values, vectors) = symmetric_eigen(&whitening.project(m))?;
        let y =
            Tall { values: (0..n).flat_map(|i| (0..d).map(move |j| (i, n - 1 - j))).map(|at| vectors[at]).collect(), stride: d };
        let values = (0..d).map(|j| values[n - 1 - j]).collect();
        return Ok(Solutions { values, vectors: whitening.expand(&y), residual: 0.0, iterations: 0, solver: "dense".into() });
    }
    if let [left, right] = &whitening.0[..]
        && left.n().max(right.n()) <= WHITENED_WHOLE * (d + 60)
        && let Some(cross) = m.between()
        && let Some(found) = leading_between_two(cross, (left, right), d, (seed, progress), whitening)?
    {
        return Ok(found);
    }
    let operator = Whitened { m, whitening, n };
    let mut solver = Lanczos::new(&operator, random_block(&operator, block, seed), d, capacity, seed);
    let worst = |r: &Ritz| (0..d).map(|i| r.residuals[i] / r.values[i].abs().max(f64::MIN_POSITIVE)).fold(0.0, f64::max);
    // Values that are rounding errors of the largest cannot have small relative residuals.
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
            fixed_tolerance: true,
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

/// Up to so many dimensions for each of d + 60 solutions the cross products are whitened once, instead of in every application.
const WHITENED_WHOLE: usize = 64;

/// The largest solutions where M is `[0 C; C' 0]` and K has two blocks: the singular vectors of the whitened C, a problem of half the
/// size. There are as many as the smaller block has dimensions; all further θ are zero or negative.
fn all_between_two(cross: Tall, (left, right): (&Whitener, &Whitener), d: usize, whitening: &Whitening) -> Result<Solutions> {
    let d = d.min(left.rank()).min(right.rank());
    if d == 0 {
        return Ok(Solutions::none(cross.n() + cross.stride));
    }
    // N_1'C'N_0, by rows.
    let whitened = left.whiten(transposed(right.whiten(cross)));
    let width = whitened.stride;
    let found = view(&whitened.values, width, width).thin_svd().map_err(no_singular_vectors)?;
    let (u, v) = (found.U(), found.V());
    let y = Tall { values: [half_of(v, d), half_of(u, d)].concat(), stride: d };
    let values = (0..d).map(|j| found.S()[j]).collect();
    Ok(Solutions { values, vectors: whitening.expand(&y), residual: 0.0, iterations: 0, solver: "dense".into() })
}

/// As [`all_between_two`] for few of many solutions: Krylov of `T'T`, T the whitened C. The singular vectors of `T V`, V what is found,
/// undo the squares, and their residuals are computed. `None` where a residual is too large, as of values near zero.
fn leading_between_two(
    cross: Tall,
    (left, right): (&Whitener, &Whitener),
    d: usize,
    (seed, progress): (u64, &Progress),
    whitening: &Whitening,
) -> Result<Option<Solutions>> {
    // Tall: the squares have as few dimensions as possible.
    let turned = left.rank() <= right.rank();
    let whitened = left.whiten(transposed(right.whiten(cross)));
    let t = Prepared { values: Values::Dense(if turned { whitened } else { transposed(whitened) }), shift: None };
    if d > t.ncols() {
        return Ok(None);
    }
    let found = truncated(&t, d, seed, progress)?;
    if found.values.len() < d {
        return Ok(None);
    }
    let image = t.times(&found.right);
    let svd = view(&image.values, d, d).thin_svd().map_err(no_singular_vectors)?;
    let u = Tall { values: by_rows(svd.U(), d, 1.0), stride: d };
    let v = product(&found.right, svd.V());
    let values: Vec<f64> = (0..d).map(|j| svd.S()[j]).collect();
    let mut squares = vec![0.0; d];
    let back = t.transposed_times(&u);
    for (back, v) in back.values.chunks_exact(d).zip(v.values.chunks_exact(d)) {
        (0..d).for_each(|j| squares[j] += (back[j] - values[j] * v[j]).powi(2));
    }
    // The residual of the stacked vectors, of length 1, is 1/√2 of it; rounding errors of the largest count as nothing.
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let over = |j: usize| (half * squares[j].sqrt() - 1e-13 * values[0]).max(0.0) / values[j].abs().max(f64::MIN_POSITIVE);
    let residual = (0..d).map(over).fold(0.0, f64::max);
    if residual > TOLERANCE || values.iter().any(|v| !v.is_finite()) {
        return Ok(None);
    }
    let mut stacked = if turned { [v.values, u.values] } else { [u.values, v.values] }.concat();
    stacked.iter_mut().for_each(|y| *y *= half);
    Ok(Some(Solutions {
        values,
        vectors: whitening.expand(&Tall { values: stacked, stride: d }),
        residual,
        iterations: found.iterations,
        solver: found.solver,
    }))
}

fn no_singular_vectors<E>(_: E) -> Error {
    Error::Numerical { what: "singular vectors".into(), problem: "no convergence".into() }
}

/// The first d columns, scaled, by rows.
fn by_rows(m: MatRef<'_, f64>, d: usize, scale: f64) -> Vec<f64> {
    (0..m.nrows()).flat_map(|i| (0..d).map(move |j| scale * m[(i, j)])).collect()
}

/// Half of vectors of length 1.
fn half_of(m: MatRef<'_, f64>, d: usize) -> Vec<f64> {
    by_rows(m, d, std::f64::consts::FRAC_1_SQRT_2)
}

/// In square tiles: rows of one side and columns of the other stay in the cache.
fn transposed(a: Tall) -> Tall {
    const SIDE: usize = 32;
    let (n, p) = (a.n(), a.stride);
    let mut out = Tall::zeros(p, n);
    out.values.par_chunks_mut(SIDE * n).enumerate().for_each(|(t, rows)| {
        for from in (0..n).step_by(SIDE) {
            for (j, row) in rows.chunks_exact_mut(n).enumerate() {
                (from..(from + SIDE).min(n)).for_each(|i| row[i] = a.values[i * p + t * SIDE + j]);
            }
        }
    });
    out
}

/// The smallest solutions of `A f = λ B f`.
pub(crate) struct Smallest {
    /// λ, ascending.
    pub(crate) values: Vec<f64>,
    /// f, one per column, `F'BF = I`.
    pub(crate) vectors: Tall,
    /// Zero solutions left out.
    pub(crate) zero_solutions: usize,
    /// Numerical rank of B, if it was computed.
    pub(crate) rank: Option<usize>,
    /// Largest relative residual.
    pub(crate) residual: f64,
    /// Applications of B to a block; 0 for dense.
    pub(crate) iterations: usize,
    /// The solver chosen.
    pub(crate) solver: String,
}

/// Eigenvalues below this share of the largest are rounding errors.
const ZERO: f64 = 1e-11;

/// For a positive definite A (lower triangle): the largest of `B f = θ A f`, `λ = 1/θ`. B may be singular.
pub(crate) fn smallest_definite(a: Mat<f64>, b: &dyn Product, d: usize, seed: u64, progress: &Progress) -> Result<Smallest> {
    let factor = Cholesky::new(a, 0.0).ok_or_else(|| Error::Singular {
        what: "Cholesky factorisation".into(),
        problem: "the left-hand side is not positive definite".into(),
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

/// Above this many dimensions a positive definite B uses inverse iteration.
const INVERSE_LIMIT: usize = 1200;
/// Shift of the inverse iteration, in units of tr A / tr B.
const SHIFT: f64 = 1e-3;

/// The d smallest non-zero solutions, A positive semidefinite (lower triangle), B block-diagonal and possibly singular: solved
/// on its range (Sparse12, Theorem 1). `product` applies B.
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
        return Err(Error::Singular {
            what: "Cholesky factorisation".into(),
            problem: "the shifted left-hand side is not positive definite".into(),
        });
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
    use crate::linalg::whitening::null_space;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// A symmetric matrix that does not tell that it is nothing but two blocks.
    struct Whole(Mat<f64>);

    impl Product for Whole {
        fn n(&self) -> usize {
            self.0.nrows()
        }
        fn product(&self, x: &Tall) -> Tall {
            self.0.product(x)
        }
    }

    struct Between(Mat<f64>, Tall);

    impl Product for Between {
        fn n(&self) -> usize {
            self.0.nrows()
        }
        fn product(&self, x: &Tall) -> Tall {
            self.0.product(x)
        }
        fn between(&self) -> Option<Tall> {
            Some(self.1.clone())
        }
    }

    /// `[0 C; C' 0]`, without and with C.
    fn two_blocks(c: &Mat<f64>) -> (Whole, Between) {
        let (p, q) = (c.nrows(), c.ncols());
        let whole = Mat::from_fn(p + q, p + q, |i, j| match (i < p, j < p) {
            (true, false) => c[(i, j - p)],
            (false, true) => c[(j, i - p)],
            _ => 0.0,
        });
        let by_rows = (0..p * q).map(|at| c[(at / q, at % q)]).collect();
        (Whole(whole.clone()), Between(whole, Tall { values: by_rows, stride: q }))
    }

    /// The same values, and the same vectors up to their signs.
    fn same(one: &Solutions, two: &Solutions, case: &str) {
        let n = one.vectors.n();
        for j in 0..two.values.len() {
            assert!((one.values[j] - two.values[j]).abs() < 1e-9 * one.values[0], "{case}: {:?} {:?}", one.values, two.values);
            let column = |s: &Solutions| Mat::from_fn(n, 1, |i, _| s.vectors.values[i * s.vectors.stride + j]);
            let (f, g) = (column(one), column(two));
            let sign = if (f.transpose() * &g)[(0, 0)] < 0.0 { -1.0 } else { 1.0 };
            assert!((&f - faer::Scale(sign) * &g).norm_l2() < 1e-6 * f.norm_l2(), "{case}: component {j}");
        }
    }

    #[test]
    fn two_blocks_are_solved_as_the_whole_matrix() {
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        for (p, q, rank) in [(7, 4, 7), (4, 9, 4), (6, 6, 3), (5, 4, 0)] {
            let c: Mat<f64> = Mat::from_fn(p, q, |_, _| rng.random_range(-1.0..1.0));
            let (whole, between) = two_blocks(&c);
            let mut block = |n: usize, rank: usize| {
                let z: Mat<f64> = Mat::from_fn(rank, n, |_, _| rng.random_range(-1.0..1.0));
                z.transpose() * &z
            };
            let whitening = Whitening::new(vec![block(p, rank), block(q, q)]).unwrap();
            let one = largest(&whole, &whitening, 3, 0, &Progress::silent()).unwrap();
            let two = largest(&between, &whitening, 3, 0, &Progress::silent()).unwrap();
            assert_eq!(two.values.len(), 3.min(rank), "{p} x {q}");
            same(&one, &two, &format!("{p} x {q}"));
        }
    }

    #[test]
    fn few_of_many_solutions_between_two_blocks_are_those_of_the_whole_matrix() {
        let mut rng = ChaCha8Rng::seed_from_u64(6);
        // Singular values 1, 1/2, 1/3 …, and then none, or one that squares would lose.
        for (p, q, count, tiny) in
            [(300, 200, 12, 0.0), (200, 300, 12, 0.0), (450, 470, 12, 0.0), (260, 260, 2, 0.0), (260, 250, 2, 1e-9)]
        {
            let mut orthonormal =
                |n: usize, width: usize| Mat::from_fn(n, width, |_, _| rng.random_range(-1.0..1.0)).qr().compute_thin_Q();
            let (mut left, right) = (orthonormal(p, count + 1), orthonormal(q, count + 1));
            for j in 0..=count {
                let value = if j < count { 1.0 / (j + 1) as f64 } else { tiny };
                (0..p).for_each(|i| left[(i, j)] *= value);
            }
            let (whole, between) = two_blocks(&(left * right.transpose()));
            let block = |n: usize| Mat::from_fn(n, n, |i, j| if i == j { 1.0 + (i % 3) as f64 } else { 0.0 });
            let whitening = Whitening::new(vec![block(p), block(q)]).unwrap();
            let d = 3;
            assert!(!is_small(p + q, d));
            let one = largest(&whole, &whitening, d, 0, &Progress::silent()).unwrap();
            let two = largest(&between, &whitening, d, 0, &Progress::silent()).unwrap();
            let case = format!("{p} x {q}, {count} and {tiny}");
            // Where squares lose a value, the whole matrix is solved.
            assert_eq!(two.solver.contains("X'X"), count > 2, "{case}: {}", two.solver);
            // Vectors without a value are any.
            let told = if count > 2 { d } else { 2 };
            same(&one, &Solutions { values: two.values[..told].to_vec(), ..two }, &case);
        }
    }

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
                    // Of all vectors that differ by the null space, the one of minimum norm.
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
