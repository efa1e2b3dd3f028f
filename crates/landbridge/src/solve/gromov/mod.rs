//! Entropic Gromov–Wasserstein: matches the rows of two datasets by the distances within each alone (Peyré, Cuturi, Solomon
//! 2016; square loss).
//!
//! Projected gradient as published: `T ← sinkhorn(exp(4 C₁ T C₂ / ε))`, from `T = p q'`, until T converges. Terms of the
//! gradient that are constant in a row or a column cancel in the scaling. Sinkhorn has a warm start from the last step:
//! potentials are absorbed into the kernel, so that nothing under- or overflows, and one pass over the kernel updates both
//! scalings.
//!
//! Unequal proportions: with `rho` the marginals may depart from even shares at the price `ρ (KL(T1 | p) + KL(T'1 | q))`, total mass
//! 1 (the relaxation of Séjourné, Vialard and Peyré 2021, with the mass fixed instead of their quadratic penalty, so that the
//! plan cannot shrink). The terms of the gradient that are constant in a row or a column then count. Each scaling becomes a power:
//! `u = p (K v / p)^(−τ)`, `τ = ρ / (ρ + ε)`.
//!
//! Fused (Vayer and others 2019): a linear term `Σ M(i,j) T(i,j)` beside the distances.

use crate::builder::setters;
use crate::error::{Error, Result};
use crate::geometry::patterns::check_distances;
use crate::linalg::Matrix;
use crate::linalg::sinkhorn::{relaxed, scale_rows};
use crate::outcome::Status;
use crate::progress::{Progress, with_threads};
use rayon::prelude::*;

mod products;
use products::TASK;
pub(crate) use products::{Geometries, factored, marginals, multiply};

/// Maximum number of Sinkhorn iterations in one step.
const MOST_SCALINGS: usize = 1000;
/// Plain iterations that estimate the convergence rate.
const PLAIN: usize = 12;
/// Largest over-relaxation; at 2 the iteration does not converge.
const MOST_RELAXED: f64 = 1.9;
/// Scalings this far from 1 are absorbed into the kernel.
const FAR: f64 = 1e60;

/// A transport plan between the rows of two datasets, from the distances within each.
///
/// ```
/// use landbridge::linalg::Matrix;
/// use landbridge::solve::EntropicGw;
/// let at = [0.0, 1.0, 3.0, 7.0_f64];
/// let c = Matrix::from_fn(4, 4, |i, j| (at[i] - at[j]).abs() / 7.0);
/// let found = EntropicGw::new(5e-3).plan(&c, &c)?;
/// assert!(found.plan.row(0)[0] > 0.24);
/// # Ok::<(), landbridge::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct EntropicGw {
    epsilon: f64,
    max_iterations: usize,
    tolerance: f64,
    rho: Option<f64>,
    n_jobs: usize,
}

/// The result.
#[derive(Clone, Debug)]
pub struct Transport {
    /// Mass that goes from each row of the first dataset to each row of the second; rows sum to 1/n, columns to 1/m. With `rho`
    /// only all of it sums to 1.
    pub plan: Matrix<f64>,
    /// Whether the plan converged.
    pub status: Status,
    /// Gradient steps.
    pub iterations: usize,
    /// Sinkhorn iterations, over all steps.
    pub scalings: usize,
    /// Change of the plan in the last step.
    pub change: f64,
    /// `Σ (C₁(i,k) − C₂(j,l))² T(i,j) T(k,l)`, plus the linear term.
    pub cost: f64,
    /// `ρ` times how far the marginals are from even shares; 0 without `rho`.
    pub penalty: f64,
}

impl Transport {
    /// What is minimised, but for the entropy.
    pub(crate) fn objective(&self) -> f64 {
        self.cost + self.penalty
    }
}

impl EntropicGw {
    /// `epsilon` is the strength of the entropy; scale the distances to at most 1.
    pub fn new(epsilon: f64) -> Self {
        Self { epsilon, max_iterations: 1000, tolerance: 1e-9, rho: None, n_jobs: 0 }
    }
    setters! {
        /// Maximum number of gradient steps.
        max_iterations: usize => max_iterations;
        /// Change of the plan at which it has converged.
        tolerance: f64 => tolerance;
        /// Price of marginals that depart from even shares; small values let rows without a counterpart lose their mass. None: all
        /// rows have the same mass.
        rho: Option<f64> => rho;
        /// Threads, 0 = all cores. The result does not depend on it.
        n_jobs: usize => n_jobs;
    }

    /// The plan for two square matrices of distances.
    pub fn plan(&self, c1: &Matrix<f64>, c2: &Matrix<f64>) -> Result<Transport> {
        self.plan_with(c1, c2, &Progress::silent())
    }

    /// As `plan`, with progress reports.
    pub fn plan_with(&self, c1: &Matrix<f64>, c2: &Matrix<f64>, progress: &Progress) -> Result<Transport> {
        self.plan_of_several(&[(c1, c2)], None, None, progress)
    }

    /// As `plan_with`, with a cost `linear(i, j)` of sending row i to row j beside the distances (fused Gromov–Wasserstein).
    pub fn plan_fused(&self, c1: &Matrix<f64>, c2: &Matrix<f64>, linear: &Matrix<f64>, progress: &Progress) -> Result<Transport> {
        self.plan_of_several(&[(c1, c2)], Some(linear), None, progress)
    }

    /// One plan for several kinds of distances of the same rows: minimises the mean of their costs, with an optional linear
    /// cost and an optional warm start.
    pub fn plan_of_several(
        &self,
        several: &[(&Matrix<f64>, &Matrix<f64>)],
        linear: Option<&Matrix<f64>>,
        start: Option<Matrix<f64>>,
        progress: &Progress,
    ) -> Result<Transport> {
        if !(self.epsilon.is_finite() && self.epsilon > 0.0) {
            return Err(Error::parameter("epsilon", self.epsilon, "a positive finite number"));
        }
        if !(self.tolerance.is_finite() && self.tolerance > 0.0) {
            return Err(Error::parameter("tolerance", self.tolerance, "a positive finite number"));
        }
        if let Some(rho) = self.rho.filter(|r| !(r.is_finite() && *r > 0.0)) {
            return Err(Error::parameter("rho", rho, "a positive finite number, or none"));
        }
        if self.max_iterations == 0 {
            return Err(Error::parameter("max_iterations", 0, "at least 1"));
        }
        for (c1, c2) in several {
            check_distances(c1)?;
            check_distances(c2)?;
            for (c, first) in [(c1, several[0].0), (c2, several[0].1)] {
                if c.nrows() != first.nrows() {
                    let (expected, got) = (format!("{} rows", first.nrows()), c.nrows().to_string());
                    return Err(Error::Shape { what: "distances of the same rows".into(), expected, got });
                }
            }
        }
        let Some((c1, c2)) = several.first() else {
            return Err(Error::TooFewDatasets { given: 0 });
        };
        for (what, given) in [("start plan", start.as_ref()), ("linear cost", linear)] {
            if let Some(given) = given.filter(|s| (s.nrows(), s.ncols()) != (c1.nrows(), c2.nrows())) {
                let expected = format!("{} x {}", c1.nrows(), c2.nrows());
                return Err(Error::Shape { what: what.into(), expected, got: format!("{} x {}", given.nrows(), given.ncols()) });
            }
        }
        if let Some(at) = linear.and_then(|l| l.as_slice().iter().position(|v| !v.is_finite())) {
            let problem = format!("row {}, column {} is not finite", at / c2.nrows(), at % c2.nrows());
            return Err(Error::Numerical { what: "linear cost".into(), problem });
        }
        with_threads(self.n_jobs, || self.plan_of(&Geometries::exact(several), linear, start, progress))
    }

    /// The plan of distances that were checked, exactly or roughly.
    pub(crate) fn plan_of(
        &self,
        distances: &Geometries<'_>,
        linear: Option<&Matrix<f64>>,
        start: Option<Matrix<f64>>,
        progress: &Progress,
    ) -> Result<Transport> {
        let several = distances.several;
        let (n, m) = (several[0].0.nrows(), several[0].1.nrows());
        let (p, q) = (1.0 / n as f64, 1.0 / m as f64);
        let mut plan = start.unwrap_or_else(|| Matrix::from_fn(n, m, |_, _| p * q));
        let mut pull = Matrix::zeros(n, m);
        let mut scratch = distances.scratch();
        let mut kernel = Matrix::zeros(n, m);
        let mut scaling = Scaling { f: vec![0.0; n], g: vec![0.0; m], u: vec![1.0; n], v: vec![1.0; m] };
        // Where the marginals are fixed, what is constant in a row or a column cancels.
        let own = self.rho.map(|_| distances.own_squares());
        let tau = self.rho.map(|rho| rho / (rho + self.epsilon));
        let (mut iterations, mut scalings, mut change) = (0, 0, f64::INFINITY);
        while iterations < self.max_iterations && change > self.tolerance {
            progress.step("transport", iterations, self.max_iterations)?;
            distances.pull(&plan, &mut pull, &mut scratch);
            let strength = 4.0 / self.epsilon / several.len() as f64;
            pull.as_mut_slice().par_chunks_mut(TASK * m).for_each(|part| part.iter_mut().for_each(|v| *v *= strength));
            if let Some(own) = &own {
                let (x, y) = own.of(&plan);
                less(&mut pull, 0.5 * strength, |i, j| x[i] + y[j]);
            }
            if let Some(linear) = linear {
                less(&mut pull, 1.0 / self.epsilon, |i, j| linear[(i, j)]);
            }
            // The marginals need no more accuracy than the step: the plan still changes.
            let exact = match distances.is_exact() {
                true => (0.01 * change).min(1e-6).max(1e-2 * self.tolerance),
                false => (0.1 * change).min(1e-3 * q.sqrt()).max(0.1 * self.tolerance),
            };
            let (steps, mass) = match tau {
                None => (scaling.run(&pull, &mut kernel, (p, q), exact)?, 1.0),
                Some(tau) => scaling.run_relaxed(&pull, &mut kernel, (p, q), tau, exact)?,
            };
            scalings += steps;
            change = plan
                .as_mut_slice()
                .par_chunks_mut(TASK * m)
                .zip(kernel.as_slice().par_chunks(TASK * m))
                .enumerate()
                .map(|(task, (plan, kernel))| {
                    let mut sum = 0.0;
                    for (r, (plan, kernel)) in plan.chunks_exact_mut(m).zip(kernel.chunks_exact(m)).enumerate() {
                        let u = scaling.u[task * TASK + r] / mass;
                        for ((t, k), v) in plan.iter_mut().zip(kernel).zip(&scaling.v) {
                            let new = u * k * v;
                            sum += (new - *t) * (new - *t);
                            *t = new;
                        }
                    }
                    sum
                })
                .collect::<Vec<f64>>()
                .iter()
                .sum::<f64>()
                .sqrt();
            iterations += 1;
            if !change.is_finite() {
                return Err(Error::Numerical {
                    what: "entropic transport".into(),
                    problem: "the transport plan is not finite; epsilon may be too small for these distances".into(),
                });
            }
        }
        // Σ C₁² p p + Σ C₂² q q − 2 Σ C₁ T C₂ T.
        distances.pull(&plan, &mut pull, &mut scratch);
        let cross: f64 = pull.as_slice().iter().zip(plan.as_slice()).map(|(a, t)| a * t).sum();
        let (own, penalty) = match (&own, self.rho) {
            (Some(own), Some(rho)) => (own.total(&plan), rho * apart_from_even(&plan)),
            _ => (distances.own, 0.0),
        };
        let paid: f64 = linear.map_or(0.0, |l| l.as_slice().iter().zip(plan.as_slice()).map(|(c, t)| c * t).sum());
        let cost = ((own - 2.0 * cross) / several.len() as f64).max(0.0) + paid;
        let status = if change <= self.tolerance { Status::Converged } else { Status::ReducedAccuracy };
        Ok(Transport { plan, status, iterations, scalings, change, cost, penalty })
    }
}

/// `pull(i,j) −= strength · cost(i,j)`.
fn less(pull: &mut Matrix<f64>, strength: f64, cost: impl Fn(usize, usize) -> f64 + Sync) {
    let m = pull.ncols();
    pull.as_mut_slice().par_chunks_mut(TASK * m).enumerate().for_each(|(task, part)| {
        for (r, row) in part.chunks_exact_mut(m).enumerate() {
            row.iter_mut().enumerate().for_each(|(j, v)| *v -= strength * cost(task * TASK + r, j));
        }
    });
}

/// `KL(T1 | p) + KL(T'1 | q)` against even shares, for a plan of mass 1.
fn apart_from_even(plan: &Matrix<f64>) -> f64 {
    let (rows, columns) = marginals(plan);
    let apart = |masses: &[f64]| masses.iter().filter(|a| **a > 0.0).map(|a| a * (a * masses.len() as f64).ln()).sum::<f64>();
    apart(&rows) + apart(&columns)
}

/// Potentials, in units of ε, and the scalings since they were last absorbed.
struct Scaling {
    f: Vec<f64>,
    g: Vec<f64>,
    u: Vec<f64>,
    v: Vec<f64>,
}

impl Scaling {
    /// Scales `exp(pull)` so that its rows sum to `p` and its columns to `q`; leaves the kernel with the potentials absorbed.
    /// Returns the number of Sinkhorn iterations.
    fn run(&mut self, pull: &Matrix<f64>, kernel: &mut Matrix<f64>, (p, q): (f64, f64), exact: f64) -> Result<usize> {
        self.absorb();
        // The new `pull` may be far from the old potentials: normalise the rows first.
        self.fill(pull, kernel, true);
        let (mut omega, mut before, mut plain) = (1.0, f64::INFINITY, 0);
        for step in 1..=MOST_SCALINGS {
            let off = self.once(kernel, (p, q), omega);
            if !off.is_finite() || self.far() {
                self.absorb();
                self.fill(pull, kernel, !off.is_finite());
                (omega, before, plain) = (1.0, f64::INFINITY, 0);
                continue;
            }
            if off < exact {
                return Ok(step);
            }
            // Plain iterations give the rate, and the rate the best over-relaxation. If that makes things worse, go back to
            // plain iterations.
            if omega > 1.0 && off > 2.0 * before {
                (omega, plain) = (1.0, 0);
            }
            if omega == 1.0 {
                plain += 1;
                let rate = off / before;
                if plain >= PLAIN && rate < 1.0 {
                    omega = (2.0 / (1.0 + (1.0 - rate).sqrt())).min(MOST_RELAXED);
                }
            }
            before = off.min(before);
        }
        Ok(MOST_SCALINGS)
    }

    /// As `run`, for marginals that may depart from `p` and `q`: `u = p (K v / p)^(−τ)`. The mass is whatever it turns out to be,
    /// since another mass only multiplies the plan: returned beside the number of iterations.
    fn run_relaxed(
        &mut self,
        pull: &Matrix<f64>,
        kernel: &mut Matrix<f64>,
        (p, q): (f64, f64),
        tau: f64,
        exact: f64,
    ) -> Result<(usize, f64)> {
        self.absorb();
        self.fill(pull, kernel, true);
        // The kernel holds exp(f): the power of a scaling concerns it too.
        let whole = |even: f64, absorbed: &[f64]| absorbed.iter().map(|f| even * (-f).exp()).collect::<Vec<f64>>();
        let (mut mass, mut absorbed) = (1.0, true);
        let (mut rows, mut columns) = (vec![], vec![]);
        for step in 1..=MOST_SCALINGS {
            if absorbed {
                (rows, columns) = (whole(p, &self.f), whole(q, &self.g));
                absorbed = false;
            }
            self.u.copy_from_slice(&rows);
            let sums = scaled_rows(kernel, &self.v, p, tau, &mut self.u);
            let before: f64 = self.v.iter().zip(&sums).map(|(v, c)| v * c).sum();
            let new: Vec<f64> = columns.iter().zip(&sums).map(|(old, c)| relaxed(*old, q / c, tau)).collect();
            mass = new.iter().zip(&sums).map(|(v, c)| v * c).sum();
            // How much the masses of the columns change, as shares of all mass.
            let moved = |((v, new), c): ((&f64, &f64), &f64)| (v * c / before - new * c / mass).powi(2);
            let off = self.v.iter().zip(&new).zip(&sums).map(moved).sum::<f64>().sqrt();
            self.v = new;
            if !off.is_finite() || self.far() {
                self.absorb();
                self.fill(pull, kernel, !off.is_finite());
                absorbed = true;
                continue;
            }
            if off < exact {
                return Ok((step, mass));
            }
        }
        Ok((MOST_SCALINGS, mass))
    }

    /// One iteration: `u = p / (K v)`, `v = q / (K' u)`, over-relaxed by ω. Returns the error of the column sums.
    fn once(&mut self, kernel: &Matrix<f64>, (p, q): (f64, f64), omega: f64) -> f64 {
        let column = scaled_rows(kernel, &self.v, p, omega, &mut self.u);
        let mut off = 0.0;
        for (v, c) in self.v.iter_mut().zip(column) {
            off += (*v * c - q) * (*v * c - q);
            *v = relaxed(*v, q / c, omega);
        }
        off.sqrt()
    }

    fn far(&self) -> bool {
        self.u.iter().chain(&self.v).any(|s| !(*s < FAR && *s > 1.0 / FAR))
    }

    fn absorb(&mut self) {
        let into = |potential: &mut Vec<f64>, scaling: &mut Vec<f64>| {
            for (f, u) in potential.iter_mut().zip(scaling.iter_mut()) {
                if u.is_finite() && *u > 0.0 {
                    *f += u.ln();
                }
                *u = 1.0;
            }
        };
        into(&mut self.f, &mut self.u);
        into(&mut self.g, &mut self.v);
    }

    /// `K(i,j) = exp(pull(i,j) + f(i) + g(j))`; with `level`, f is set so that the largest entry of each row is 1/m.
    fn fill(&mut self, pull: &Matrix<f64>, kernel: &mut Matrix<f64>, level: bool) {
        let m = pull.ncols();
        let g = &self.g;
        kernel
            .as_mut_slice()
            .par_chunks_mut(TASK * m)
            .zip(pull.as_slice().par_chunks(TASK * m))
            .zip(self.f.par_chunks_mut(TASK))
            .for_each(|((kernel, pull), f)| {
                for ((kernel, pull), f) in kernel.chunks_exact_mut(m).zip(pull.chunks_exact(m)).zip(f) {
                    if level {
                        let most = pull.iter().zip(g).fold(f64::NEG_INFINITY, |a, (c, g)| a.max(c + g));
                        *f = -most - (m as f64).ln();
                    }
                    for ((k, c), g) in kernel.iter_mut().zip(pull).zip(g) {
                        *k = (c + *f + g).exp();
                    }
                }
            });
    }
}

/// One pass over the rows of the kernel: `u ← u^(1−ω) (p / K v)^ω`. Returns the column sums of `u K`.
fn scaled_rows(kernel: &Matrix<f64>, v: &[f64], p: f64, omega: f64, u: &mut [f64]) -> Vec<f64> {
    let m = kernel.ncols();
    let parts: Vec<Vec<f64>> = kernel
        .as_slice()
        .par_chunks(TASK * m)
        .zip(u.par_chunks_mut(TASK))
        .map(|(rows, u)| {
            let mut column = vec![0.0; m];
            scale_rows(rows, v, p, omega, u, &mut column);
            column
        })
        .collect();
    let mut column = vec![0.0; m];
    for part in parts {
        column.iter_mut().zip(part).for_each(|(c, p)| *c += p);
    }
    column
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    fn distances(n: usize, seed: u64) -> Matrix<f64> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let points: Vec<[f64; 2]> = (0..n).map(|_| [rng.random_range(0.0..1.0), rng.random_range(0.0..0.4)]).collect();
        Matrix::from_fn(n, n, |i, j| ((points[i][0] - points[j][0]).powi(2) + (points[i][1] - points[j][1]).powi(2)).sqrt())
    }

    /// Projected gradient with plain Sinkhorn, as printed; with `rho` the marginals may depart from even ones, and all mass is 1.
    fn naive(
        c1: &Matrix<f64>,
        c2: &Matrix<f64>,
        epsilon: f64,
        steps: usize,
        rho: Option<f64>,
        linear: &Matrix<f64>,
    ) -> Matrix<f64> {
        let (n, m) = (c1.nrows(), c2.nrows());
        let (p, q) = (1.0 / n as f64, 1.0 / m as f64);
        let tau = rho.map_or(1.0, |rho| rho / (rho + epsilon));
        let mut t = Matrix::from_fn(n, m, |_, _| p * q);
        for _ in 0..steps {
            let gradient = Matrix::from_fn(n, m, |i, j| {
                let sum: f64 =
                    (0..n * m).map(|kl| (kl / m, kl % m)).map(|(k, l)| (c1[(i, k)] - c2[(j, l)]).powi(2) * t[(k, l)]).sum();
                2.0 * sum + linear[(i, j)]
            });
            let k = Matrix::from_fn(n, m, |i, j| p * q * (-gradient[(i, j)] / epsilon).exp());
            let (mut u, mut v) = (vec![1.0; n], vec![1.0; m]);
            for _ in 0..3000 {
                for i in 0..n {
                    u[i] = (p / (0..m).map(|j| k[(i, j)] * v[j]).sum::<f64>()).powf(tau);
                }
                for j in 0..m {
                    v[j] = (q / (0..n).map(|i| k[(i, j)] * u[i]).sum::<f64>()).powf(tau);
                }
            }
            let mass: f64 = (0..n * m).map(|ij| (ij / m, ij % m)).map(|(i, j)| u[i] * k[(i, j)] * v[j]).sum();
            t = Matrix::from_fn(n, m, |i, j| u[i] * k[(i, j)] * v[j] / mass);
        }
        t
    }

    fn furthest(a: &Matrix<f64>, b: &Matrix<f64>) -> f64 {
        a.as_slice().iter().zip(b.as_slice()).fold(0.0f64, |far, (x, y)| far.max((x - y).abs()))
    }

    #[test]
    fn relaxed_marginals_and_linear_costs_are_those_of_the_printed_iteration() {
        let (c1, c2) = (distances(8, 1), distances(11, 2));
        let costs = Matrix::from_fn(8, 11, |i, j| 0.1 * ((i * 5 + j * 3) % 7) as f64);
        let none = Matrix::zeros(8, 11);
        for (rho, linear) in [(Some(1.0), &none), (Some(0.05), &none), (None, &costs), (Some(0.1), &costs)] {
            let solver = EntropicGw::new(0.05).rho(rho);
            let found = solver.plan_fused(&c1, &c2, linear, &Progress::silent()).unwrap();
            assert_eq!(found.status, Status::Converged);
            let expected = naive(&c1, &c2, 0.05, found.iterations + 20, rho, linear);
            assert!(furthest(&found.plan, &expected) < 1e-8, "{rho:?}: {}", furthest(&found.plan, &expected));
            assert!((found.plan.as_slice().iter().sum::<f64>() - 1.0).abs() < 1e-9);
            let mut cost = 0.0;
            for (i, j, k, l) in (0..88 * 88).map(|t| (t / 968, t / 88 % 11, t / 11 % 8, t % 11)) {
                cost += (c1[(i, k)] - c2[(j, l)]).powi(2) * found.plan[(i, j)] * found.plan[(k, l)];
            }
            cost += (0..88).map(|t| linear[(t / 11, t % 11)] * found.plan[(t / 11, t % 11)]).sum::<f64>();
            assert!((found.cost - cost).abs() < 1e-9, "{} and {cost}", found.cost);
            assert!((rho.is_none() && found.penalty == 0.0) || (rho.is_some() && found.penalty > 0.0));
        }
    }

    #[test]
    fn without_a_price_worth_the_name_marginals_are_even_and_rows_without_counterpart_lose_mass() {
        let (c1, c2) = (distances(9, 1), distances(9, 2));
        let even = EntropicGw::new(0.05).plan(&c1, &c2).unwrap();
        let dear = EntropicGw::new(0.05).rho(Some(1e6)).plan(&c1, &c2).unwrap();
        assert!(furthest(&even.plan, &dear.plan) < 1e-5, "{}", furthest(&even.plan, &dear.plan));
        // Two clusters of which the second dataset lacks one.
        let at = |i: usize| (i % 10) as f64 * 0.03 + if i >= 10 { 3.0 } else { 0.0 };
        let c1 = Matrix::from_fn(15, 15, |i, j| (at(i) - at(j)).abs() / 3.0);
        let c2 = Matrix::from_fn(10, 10, |i, j| (at(i) - at(j)).abs() / 3.0);
        let found = EntropicGw::new(0.01).rho(Some(0.05)).plan(&c1, &c2).unwrap();
        let (rows, _) = marginals(&found.plan);
        let (kept, lost) = (rows[..10].iter().sum::<f64>() / 10.0, rows[10..].iter().sum::<f64>() / 5.0);
        assert!(lost < 0.2 * kept, "{lost} and {kept}");
    }

    #[test]
    fn the_plan_is_that_of_the_printed_iteration() {
        for (n, m, epsilon) in [(9, 9, 0.05), (8, 11, 0.02)] {
            let (c1, c2) = (distances(n, 1), distances(m, 2));
            let found = EntropicGw::new(epsilon).plan(&c1, &c2).unwrap();
            assert_eq!(found.status, Status::Converged);
            let expected = naive(&c1, &c2, epsilon, found.iterations + 20, None, &Matrix::zeros(n, m));
            let off = furthest(&found.plan, &expected);
            assert!(off < 1e-8, "{off}");
            for i in 0..n {
                assert!((found.plan.row(i).iter().sum::<f64>() - 1.0 / n as f64).abs() < 1e-8);
            }
        }
    }

    #[test]
    fn several_equal_distances_are_one_and_different_ones_share_the_plan() {
        let (c1, c2) = (distances(9, 1), distances(8, 2));
        let one = EntropicGw::new(0.05).plan(&c1, &c2).unwrap();
        let thrice = EntropicGw::new(0.05).plan_of_several(&[(&c1, &c2); 3], None, None, &Progress::silent()).unwrap();
        assert!(one.plan.as_slice().iter().zip(thrice.plan.as_slice()).all(|(a, b)| (a - b).abs() < 1e-9));
        assert!((one.cost - thrice.cost).abs() < 1e-9);
        let other = (distances(9, 6), distances(8, 7));
        let both =
            EntropicGw::new(0.05).plan_of_several(&[(&c1, &c2), (&other.0, &other.1)], None, None, &Progress::silent()).unwrap();
        let direct: f64 = [(&c1, &c2), (&other.0, &other.1)]
            .iter()
            .map(|(a, b)| {
                let mut sum = 0.0;
                for (i, j, k, l) in (0..9 * 8 * 9 * 8).map(|t| (t / 576, t / 72 % 8, t / 8 % 9, t % 8)) {
                    sum += (a[(i, k)] - b[(j, l)]).powi(2) * both.plan[(i, j)] * both.plan[(k, l)];
                }
                0.5 * sum
            })
            .sum();
        assert!((both.cost - direct).abs() < 1e-9, "{} and {direct}", both.cost);
        let wrong = distances(7, 1);
        assert!(EntropicGw::new(0.05).plan_of_several(&[(&c1, &c2), (&wrong, &c2)], None, None, &Progress::silent()).is_err());
    }

    #[test]
    fn single_precision_gives_the_same_plan_as_far_as_it_goes() {
        let (c1, c2) = (distances(70, 1), distances(90, 2));
        let solver = EntropicGw::new(0.05).tolerance(1e-5).max_iterations(60);
        let several = [(&c1, &c2)];
        let exact = solver.plan(&c1, &c2).unwrap();
        let rough = solver.plan_of(&Geometries::rough(&several), None, None, &Progress::silent()).unwrap();
        let off: f64 = exact.plan.as_slice().iter().zip(rough.plan.as_slice()).map(|(a, b)| (a - b).abs()).sum();
        assert!(off < 1e-2 && (exact.cost - rough.cost).abs() < 1e-4, "{off}, {} and {}", exact.cost, rough.cost);
    }

    #[test]
    fn a_shuffled_copy_is_recognised_and_costs_little() {
        let c = distances(60, 3);
        let order: Vec<usize> = (0..60).map(|i| (i * 17 + 5) % 60).collect();
        let d = Matrix::from_fn(60, 60, |i, j| c.row(order[i])[order[j]]);
        let found = EntropicGw::new(5e-4).tolerance(1e-6).max_iterations(200).plan(&c, &d).unwrap();
        let right = (0..60).filter(|j| {
            let best = (0..60).max_by(|a, b| found.plan.row(*a)[*j].total_cmp(&found.plan.row(*b)[*j]));
            best == Some(order[*j])
        });
        assert!(right.count() >= 55);
        assert!(found.cost < 1e-3, "{}", found.cost);
    }

    #[test]
    fn tiny_entropy_neither_overflows_nor_divides_by_zero() {
        let (c1, c2) = (distances(30, 4), distances(25, 5));
        let found = EntropicGw::new(1e-6).max_iterations(30).plan(&c1, &c2).unwrap();
        assert!(found.plan.as_slice().iter().all(|t| t.is_finite() && *t >= 0.0));
        let zero = Matrix::zeros(6, 6);
        let flat = EntropicGw::new(0.1).plan(&zero, &zero).unwrap();
        assert!(flat.plan.as_slice().iter().all(|t| (t - 1.0 / 36.0).abs() < 1e-12));
    }

    #[test]
    fn bad_parameters_and_distances_are_refused() {
        let c = distances(5, 1);
        assert!(EntropicGw::new(0.0).plan(&c, &c).unwrap_err().to_string().contains("epsilon is 0"));
        assert!(EntropicGw::new(0.1).tolerance(-1.0).plan(&c, &c).is_err());
        assert!(EntropicGw::new(0.1).rho(Some(0.0)).plan(&c, &c).unwrap_err().to_string().contains("rho is 0"));
        let fused = |linear: &Matrix<f64>| EntropicGw::new(0.1).plan_fused(&c, &c, linear, &Progress::silent());
        assert!(fused(&Matrix::zeros(5, 4)).unwrap_err().to_string().contains("linear cost"));
        assert!(fused(&Matrix::from_fn(5, 5, |i, j| if i + j == 8 { f64::NAN } else { 0.0 })).is_err());
        let mut bad = c.clone();
        bad.row_mut(1)[2] = f64::INFINITY;
        assert!(EntropicGw::new(0.1).plan(&bad, &c).unwrap_err().to_string().contains("row 1, column 2"));
    }
}
