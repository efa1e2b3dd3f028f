//! Block Krylov–Schur for the largest eigenvalues of a symmetric operator: block Lanczos with full
//! orthogonalisation (matrix products, not vector by vector) and thick restarts.

use crate::error::{Error, Result};
use crate::linalg::tall::{Tall, add_product, gram, rotate};
use faer::{Mat, MatRef, Side};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A symmetric operator on blocks of vectors, restricted to a subspace (orthogonal to known solutions).
pub(crate) trait Operator: Sync {
    /// `y = A x`.
    fn apply(&self, x: &Tall, y: &mut Tall);
    /// Projects onto that subspace.
    fn project(&self, x: &mut Tall);
    /// Number of rows.
    fn n(&self) -> usize;
}

/// A column shorter than this share of the longest consists of rounding errors.
const VANISHED: f64 = 1e-13;

/// State of the iteration, which can continue with a tighter tolerance.
pub(crate) struct Lanczos<'a> {
    operator: &'a dyn Operator,
    /// Orthonormal basis: `used` columns, then the next block.
    basis: Tall,
    /// Projected operator on the first `used` columns.
    projected: Mat<f64>,
    used: usize,
    /// Coupling of the last block to the next one (block × block).
    coupling: Mat<f64>,
    pub(crate) block: usize,
    capacity: usize,
    wanted: usize,
    /// Applications of the operator to a block.
    pub(crate) applications: usize,
    rng: ChaCha8Rng,
    /// Share of the predicted steps after which convergence is checked again: below 1 if steps cost more than checks.
    pub(crate) patience: f64,
    pub(crate) ritz: Ritz,
    /// Input and output of the operator, reused: large allocations cost page faults.
    current: Tall,
    next: Tall,
}

/// Ritz values, largest first, their residual norms, and the rotation from the basis to the Ritz vectors.
#[derive(Clone)]
pub(crate) struct Ritz {
    pub(crate) values: Vec<f64>,
    pub(crate) residuals: Vec<f64>,
    pub(crate) rotation: Mat<f64>,
}

impl Ritz {
    /// The largest error of the first d, each relative to its tolerance; infinite when there are fewer than d.
    pub(crate) fn worst(&self, d: usize, error: impl Fn(usize) -> (f64, f64)) -> f64 {
        if self.values.len() < d {
            return f64::INFINITY;
        }
        let ratio = |(error, allowed): (f64, f64)| if error == 0.0 { 0.0 } else { error / allowed };
        (0..d).map(|i| ratio(error(i))).fold(0.0, |worst, e| if e <= worst { worst } else { e })
    }
}

/// A random block in the operator's subspace.
pub(crate) fn random_block(operator: &dyn Operator, width: usize, seed: u64) -> Tall {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut block = Tall::zeros(operator.n(), width);
    block.values.iter_mut().for_each(|v| *v = rng.random_range(-1.0..1.0));
    operator.project(&mut block);
    block
}

impl<'a> Lanczos<'a> {
    /// Starts from the columns of `start`; keeps at most `capacity` basis vectors.
    pub(crate) fn new(operator: &'a dyn Operator, mut start: Tall, wanted: usize, capacity: usize, seed: u64) -> Self {
        let block = start.stride;
        let mut solver = Self {
            operator,
            basis: Tall::zeros(operator.n(), capacity + block),
            projected: Mat::zeros(capacity, capacity),
            used: 0,
            coupling: Mat::zeros(block, block),
            block,
            capacity,
            wanted,
            applications: 0,
            rng: ChaCha8Rng::seed_from_u64(seed ^ 0x5EED),
            patience: 0.6,
            ritz: Ritz { values: vec![], residuals: vec![], rotation: Mat::zeros(0, 0) },
            current: Tall::zeros(operator.n(), block),
            next: Tall::zeros(operator.n(), block),
        };
        solver.orthonormalize(&mut start, 0, 0.0);
        solver.orthonormalize(&mut start, 0, 0.0);
        solver.basis.write(0, &start);
        solver
    }

    /// One block step: `W = A Q`, orthogonalised against the whole basis, becomes the next block.
    fn step(&mut self) {
        let b = self.block;
        let mut w = std::mem::take(&mut self.next);
        self.basis.read(self.used, &mut self.current);
        self.operator.apply(&self.current, &mut w);
        self.applications += 1;
        let cols = self.used + b;
        // Project, normalise, project, normalise. The second projection follows the first normalisation: columns that became
        // tiny carry rounding errors along the basis, which dividing by their norm amplifies.
        let mut h = gram(&self.basis, cols, &w);
        add_product(&mut w, &self.basis, cols, h.as_ref(), -1.0);
        // What the projection leaves may be nothing but its rounding errors, which lie along the basis, too.
        let along = (0..b).map(|j| h.col(j).norm_l2()).fold(0.0, f64::max);
        let first = self.orthonormalize(&mut w, cols, VANISHED * along);
        let correction = gram(&self.basis, cols, &w);
        add_product(&mut w, &self.basis, cols, correction.as_ref(), -1.0);
        h += &correction * &first;
        let second = self.orthonormalize(&mut w, cols, 0.0);
        for j in 0..b {
            for i in 0..cols {
                self.projected[(i, self.used + j)] = h[(i, j)];
                self.projected[(self.used + j, i)] = h[(i, j)];
            }
        }
        self.used = cols;
        self.coupling = &second * &first;
        self.basis.write(self.used, &w);
        self.next = w;
    }

    /// Orthonormalises the columns of `w`, as far as one pass can, and returns R with `w_old = w_new R`. Columns that vanish
    /// beside the others, or are no longer than `nothing`, are replaced by random ones orthogonal to the first `cols` of the
    /// basis, with a zero row in R.
    fn orthonormalize(&mut self, w: &mut Tall, cols: usize, nothing: f64) -> Mat<f64> {
        let g = gram(w, w.stride, w);
        match cholesky_upper(g.as_ref()) {
            Some((r, inverse)) if (0..w.stride).all(|j| r[(j, j)] > nothing) => {
                rotate(w, inverse.as_ref());
                r
            }
            _ => self.orthonormalize_carefully(w, cols, nothing),
        }
    }

    /// Column by column, for blocks that are numerically dependent.
    fn orthonormalize_carefully(&mut self, w: &mut Tall, cols: usize, nothing: f64) -> Mat<f64> {
        let (n, b) = (w.n(), w.stride);
        let mut r = Mat::<f64>::zeros(b, b);
        let norms: Vec<f64> = (0..b).map(|j| column_dot(w, j, j).sqrt()).collect();
        let largest = norms.iter().fold(0.0f64, |a, v| a.max(*v));
        for j in 0..b {
            for _ in 0..2 {
                for i in 0..j {
                    let c = column_dot(w, i, j);
                    r[(i, j)] += c;
                    for row in 0..n {
                        w.values[row * b + j] -= c * w.values[row * b + i];
                    }
                }
            }
            let norm = column_dot(w, j, j).sqrt();
            if norm > VANISHED * largest && norm > nothing {
                r[(j, j)] = norm;
                (0..n).for_each(|row| w.values[row * b + j] /= norm);
                continue;
            }
            // The Krylov space is exhausted in this direction: continue with a new random one.
            for _ in 0..3 {
                let mut fresh = Tall::zeros(n, 1);
                fresh.values.iter_mut().for_each(|v| *v = self.rng.random_range(-1.0..1.0));
                self.operator.project(&mut fresh);
                for _ in 0..2 {
                    if cols > 0 {
                        let h = gram(&self.basis, cols, &fresh);
                        add_product(&mut fresh, &self.basis, cols, h.as_ref(), -1.0);
                    }
                    for i in 0..j {
                        let c: f64 = (0..n).map(|row| w.values[row * b + i] * fresh.values[row]).sum();
                        (0..n).for_each(|row| fresh.values[row] -= c * w.values[row * b + i]);
                    }
                }
                let norm = fresh.values.iter().map(|v| v * v).sum::<f64>().sqrt();
                if norm > 1e-8 {
                    (0..n).for_each(|row| w.values[row * b + j] = fresh.values[row] / norm);
                    break;
                }
                (0..n).for_each(|row| w.values[row * b + j] = 0.0); // the basis spans the whole space
            }
        }
        r
    }

    /// Ritz values and residuals of the current basis.
    fn update_ritz(&mut self) -> Result<()> {
        let m = self.used;
        let t = self.projected.as_ref().submatrix(0, 0, m, m);
        let eigen = t.self_adjoint_eigen(Side::Lower).map_err(|_| Error::Numerical {
            what: "eigenvalues of the projected matrix".into(),
            problem: "the dense eigensolver did not converge".into(),
        })?;
        let rotation = Mat::from_fn(m, m, |i, j| eigen.U()[(i, m - 1 - j)]);
        let values: Vec<f64> = (0..m).map(|i| eigen.S()[m - 1 - i]).collect();
        if values.iter().any(|v| !v.is_finite()) {
            return Err(Error::Overflow { what: "eigenvalues".into() });
        }
        let last = rotation.as_ref().subrows(m - self.block, self.block);
        let tails = &self.coupling * last;
        let residuals = (0..m).map(|j| (0..self.block).map(|i| tails[(i, j)] * tails[(i, j)]).sum::<f64>().sqrt()).collect();
        self.ritz = Ritz { values, residuals, rotation };
        Ok(())
    }

    /// Iterates until `error` of the wanted Ritz pairs, relative to the tolerance, is at most 1, with at most `limit`
    /// applications in all. Returns whether it converged.
    pub(crate) fn run(
        &mut self,
        limit: usize,
        error: &dyn Fn(&Ritz) -> f64,
        heartbeat: &dyn Fn(usize) -> Result<()>,
    ) -> Result<bool> {
        // A check is an eigenproblem of the size of the basis, so it waits until convergence is likely.
        let mut next_look = self.applications + (self.wanted + self.block - self.used.min(self.wanted)).div_ceil(self.block);
        let mut last: Option<(usize, f64)> = None;
        while self.applications < limit {
            heartbeat(self.applications)?;
            if self.used + self.block > self.capacity {
                self.restart();
            }
            self.step();
            let full = self.used + self.block > self.capacity;
            if self.applications >= next_look || full {
                self.update_ritz()?;
                let now = error(&self.ritz);
                if now <= 1.0 {
                    return Ok(true);
                }
                let expected = self.patience * steps_left(last, (self.applications, now));
                let steps = (expected as usize).max(self.used / (8 * self.block)).max(1);
                next_look = self.applications + steps;
                last = Some((self.applications, now));
            }
        }
        if self.ritz.values.len() != self.used {
            self.update_ritz()?;
        }
        Ok(error(&self.ritz) <= 1.0)
    }

    /// Keeps the best Ritz vectors and the next block.
    fn restart(&mut self) {
        let room = self.capacity - self.block;
        let keep = (self.wanted + (room - self.wanted.min(room)) / 2).min(room).min(self.used);
        let mut next = Tall::zeros(self.operator.n(), self.block);
        self.basis.read(self.used, &mut next);
        let rotation = self.ritz.rotation.as_ref().subcols(0, keep).to_owned();
        rotate(&mut self.basis, rotation.as_ref());
        self.basis.write(keep, &next);
        self.projected = Mat::zeros(self.capacity, self.capacity);
        for i in 0..keep {
            self.projected[(i, i)] = self.ritz.values[i];
        }
        self.used = keep;
    }

    /// The first `count` Ritz vectors.
    pub(crate) fn vectors(&self, count: usize) -> Tall {
        crate::linalg::tall::product(&self.basis, self.ritz.rotation.as_ref().subcols(0, count))
    }
}

/// Applications until the error is 1, if it keeps falling at the rate between the last two checks (it tends to accelerate). 0
/// when there is no estimate.
fn steps_left(before: Option<(usize, f64)>, now: (usize, f64)) -> f64 {
    let Some(before) = before else { return 0.0 };
    let fall = (before.1 / now.1).ln() / (now.0 - before.0).max(1) as f64;
    let left = now.1.ln() / fall;
    if fall > 0.0 && left.is_finite() { left } else { 0.0 }
}

fn column_dot(w: &Tall, i: usize, j: usize) -> f64 {
    w.values.chunks_exact(w.stride).map(|row| row[i] * row[j]).sum()
}

/// `G = R'R` with R upper triangular, and R⁻¹; `None` when G is not safely positive definite.
pub(crate) fn cholesky_upper(g: MatRef<'_, f64>) -> Option<(Mat<f64>, Mat<f64>)> {
    let b = g.nrows();
    let largest = (0..b).map(|i| g[(i, i)]).fold(0.0f64, f64::max);
    let mut r = Mat::<f64>::zeros(b, b);
    for j in 0..b {
        for i in 0..=j {
            let mut sum = g[(i, j)];
            for k in 0..i {
                sum -= r[(k, i)] * r[(k, j)];
            }
            if i == j {
                // Below this pivot one pass would leave the columns far from orthogonal.
                if !(sum > 1e-12 * largest && sum.is_finite()) {
                    return None;
                }
                r[(j, j)] = sum.sqrt();
            } else {
                r[(i, j)] = sum / r[(i, i)];
            }
        }
    }
    let mut inverse = Mat::<f64>::zeros(b, b);
    for j in 0..b {
        inverse[(j, j)] = 1.0 / r[(j, j)];
        for i in (0..j).rev() {
            let sum: f64 = (i + 1..=j).map(|k| r[(i, k)] * inverse[(k, j)]).sum();
            inverse[(i, j)] = -sum / r[(i, i)];
        }
    }
    Some((r, inverse))
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Diagonal(Vec<f64>);
    impl Operator for Diagonal {
        fn apply(&self, x: &Tall, y: &mut Tall) {
            for (i, (y, x)) in y.values.chunks_mut(x.stride).zip(x.values.chunks(x.stride)).enumerate() {
                y.iter_mut().zip(x).for_each(|(y, x)| *y = self.0[i] * x);
            }
        }
        fn project(&self, _: &mut Tall) {}
        fn n(&self) -> usize {
            self.0.len()
        }
    }

    #[test]
    fn the_largest_of_a_diagonal_are_found_with_repetitions() {
        let mut values: Vec<f64> = (0..900).map(|i| 1.0 - i as f64 / 900.0).collect();
        values[10] = 1.0;
        values[500] = 1.0; // multiplicity three
        let operator = Diagonal(values.clone());
        let start = random_block(&operator, 4, 1);
        let mut solver = Lanczos::new(&operator, start, 12, 48, 1);
        let error = |r: &Ritz| r.residuals[..12].iter().fold(0.0, |a: f64, e| a.max(*e / 1e-9));
        assert!(solver.run(2000, &error, &|_| Ok(())).unwrap());
        values.sort_by(|a, b| b.total_cmp(a));
        for (got, expected) in solver.ritz.values.iter().zip(&values).take(12) {
            assert!((got - expected).abs() < 1e-12, "{got} {expected}");
        }
        let v = solver.vectors(12);
        let g = gram(&v, 12, &v);
        for i in 0..12 {
            for j in 0..12 {
                assert!((g[(i, j)] - f64::from(u8::from(i == j))).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn an_exhausted_krylov_space_goes_on_from_random_directions() {
        // Only three distinct eigenvalues: the Krylov space of one block is tiny.
        let operator = Diagonal((0..300).map(|i| (i % 3) as f64).collect());
        let start = random_block(&operator, 4, 2);
        let mut solver = Lanczos::new(&operator, start, 20, 60, 2);
        let error = |r: &Ritz| match r.values.get(..20) {
            Some(values) => values.iter().fold(0.0, |a: f64, v| a.max((v - 2.0).abs() / 1e-9)),
            None => f64::INFINITY,
        };
        assert!(solver.run(500, &error, &|_| Ok(())).unwrap());
    }
}
