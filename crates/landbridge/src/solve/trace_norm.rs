//! The trace norm of a symmetric operator (the sum of its absolute eigenvalues), by products with a few vectors.

use crate::error::Result;
use crate::linalg::operator::Product;
use crate::linalg::tall::{Tall, gram};
use crate::linalg::whitening::symmetric_eigen;
use crate::problem::global::{dense, share_of_negatives};
use crate::progress::Progress;
use crate::solve::lanczos::{Lanczos, Operator};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Random vectors, and Krylov steps from them.
const PROBES: usize = 8;
const STEPS: usize = 8;
/// A Ritz pair with a residual below this share of its value is an eigenpair.
const FOUND: f64 = 1e-2;

struct Plain<'a>(&'a dyn Product);

impl Operator for Plain<'_> {
    fn apply(&self, x: &Tall, y: &mut Tall) {
        *y = self.0.product(x);
    }
    fn project(&self, _: &mut Tall) {}
    fn n(&self) -> usize {
        self.0.n()
    }
}

/// `Σ |λ|` for many rows.
///
/// The mean of `x'|M|x` over random sign vectors x is that sum. `x'|M|x` comes from a block Krylov space of all x: its Ritz
/// values θ with the squares `(x'v)²` of their vectors v are a quadrature. Converged eigenpairs count with the mean of their
/// squares, which is 1, instead of the sampled value, so that a few large eigenvalues, which may dominate the sum, add no
/// variance. An exception is an eigenvalue found as often as there are random vectors: its multiplicity may be larger.
pub(crate) fn absolute_sum(m: &dyn Product, seed: u64, progress: &Progress) -> Result<f64> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed ^ 0x51A6);
    let mut signs = Tall::zeros(m.n(), PROBES);
    signs.values.iter_mut().for_each(|v| *v = if rng.random_range(0.0..1.0) < 0.5 { 1.0 } else { -1.0 });
    let operator = Plain(m);
    let dimensions = PROBES * STEPS;
    let mut space = Lanczos::new(&operator, signs.clone(), dimensions, dimensions, seed);
    space.run(STEPS, &|_| f64::INFINITY, &|done| progress.step("spectrum", done, STEPS))?;
    let along = gram(&signs, PROBES, &space.vectors(dimensions));
    let sampled = |i: usize| (0..PROBES).map(|c| along[(c, i)].powi(2)).sum::<f64>() / PROBES as f64;
    let (values, residuals) = (&space.ritz.values, &space.ritz.residuals);
    let largest = values.iter().fold(0.0f64, |a, v| a.max(v.abs()));
    let found = |i: usize| residuals[i] <= FOUND * values[i].abs();
    let alike = |i: usize, j: usize| (values[i] - values[j]).abs() <= residuals[i] + residuals[j] + 1e-10 * largest;
    let (mut sum, mut from) = (0.0, 0);
    while from < dimensions {
        let mut to = from + 1;
        while to < dimensions && alike(to - 1, to) {
            to += 1;
        }
        let all = (from..to).all(found) && to - from < PROBES;
        sum += (from..to).map(|i| values[i].abs() * if all { 1.0 } else { sampled(i) }).sum::<f64>();
        from = to;
    }
    Ok(sum)
}

/// Up to this many rows the spectrum is computed; above, it is sampled.
const EXACT_SPECTRUM: usize = 400;
/// The share of the negative eigenvalues in the sum of all absolute eigenvalues. For many rows that sum is an estimate: within
/// .003 of the share, where we compared it with the exact one.
pub(crate) fn negative_share(m: &dyn Product, trace: f64, seed: u64, progress: &Progress) -> Result<f64> {
    if m.n() <= EXACT_SPECTRUM {
        return Ok(share_of_negatives(&symmetric_eigen(&dense(m))?.0));
    }
    let absolute = absolute_sum(m, seed, progress)?;
    Ok(if absolute > 0.0 { (0.5 * (1.0 - trace / absolute)).max(0.0) } else { 0.0 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use faer::Mat;

    /// A diagonal matrix suffices: the vectors are random.
    fn error(n: usize, value: impl Fn(usize) -> f64) -> f64 {
        let m = Mat::from_fn(n, n, |i, j| if i == j { value(i) } else { 0.0 });
        let exact: f64 = (0..n).map(|i| value(i).abs()).sum();
        (absolute_sum(&m, 3, &Progress::silent()).unwrap() / exact - 1.0).abs()
    }

    #[test]
    fn the_sum_is_near_the_exact_one_for_flat_and_for_steep_spectra() {
        assert!(error(900, |i| (i as f64 - 400.0) / 900.0) < 0.02);
        // A third and more of the sum in one eigenvalue.
        assert!(error(900, |i| if i == 7 { 300.0 } else { (i % 9) as f64 / 4.0 - 1.0 }) < 0.02);
        assert!(error(900, |i| 0.9f64.powi(i as i32) * if i % 2 == 0 { 1.0 } else { -0.5 }) < 0.01);
        // A single eigenvalue, as for points at equal distances.
        assert!(error(600, |_| 0.5) < 1e-9);
        // Low rank: the Krylov space is exhausted.
        assert!(error(500, |i| if i < 3 { 1.0 + i as f64 } else { 0.0 }) < 1e-9);
    }
}
