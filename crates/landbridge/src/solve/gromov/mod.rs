//! Entropic Gromov–Wasserstein: matches the rows of two datasets by the distances within each alone (Peyré, Cuturi, Solomon
//! 2016; square loss).
//!
//! Projected gradient as published: `T ← sinkhorn(exp(4 C₁ T C₂ / ε))`, from `T = p q'`, until T converges. Terms of the
//! gradient that are constant in a row or a column cancel in the scaling. Sinkhorn has a warm start from the last step:
//! potentials are absorbed into the kernel, so that nothing under- or overflows, and one pass over the kernel updates both
//! scalings.

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
pub(crate) use products::{Geometries, factored, multiply};

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
    n_jobs: usize,
}

/// The result.
#[derive(Clone, Debug)]
pub struct Transport {
    /// Mass that goes from each row of the first dataset to each row of the second; rows sum to 1/n, columns to 1/m.
    pub plan: Matrix<f64>,
    /// Whether the plan converged.
    pub status: Status,
    /// Gradient steps.
    pub iterations: usize,
    /// Sinkhorn iterations, over all steps.
    pub scalings: usize,
    /// Change of the plan in the last step.
    pub change: f64,
    /// `Σ (C₁(i,k) − C₂(j,l))² T(i,j) T(k,l)`.
    pub cost: f64,
}

impl EntropicGw {
    /// `epsilon` is the strength of the entropy; scale the distances to at most 1.
    pub fn new(epsilon: f64) -> Self {
        Self { epsilon, max_iterations: 1000, tolerance: 1e-9, n_jobs: 0 }
    }
    setters! {
        /// Maximum number of gradient steps.
        max_iterations: usize => max_iterations;
        /// Change of the plan at which it has converged.
        tolerance: f64 => tolerance;
        /// Threads, 0 = all cores. The result does not depend on it.
        n_jobs: usize => n_jobs;
    }

    /// The plan for two square matrices of distances; all rows have the same mass.
    pub fn plan(&self, c1: &Matrix<f64>, c2: &Matrix<f64>) -> Result<Transport> {
        self.plan_with(c1, c2, &Progress::silent())
    }

    /// As `plan`, with progress reports.
    pub fn plan_with(&self, c1: &Matrix<f64>, c2: &Matrix<f64>, progress: &Progress) -> Result<Transport> {
        self.plan_of_several(&[(c1, c2)], None, progress)
    }

    /// One plan for several kinds of distances of the same rows: minimises the mean of their costs, with an optional warm
    /// start.
    pub fn plan_of_several(
        &self,
        several: &[(&Matrix<f64>, &Matrix<f64>)],
        start: Option<Matrix<f64>>,
        progress: &Progress,
    ) -> Result<Transport> {
        if !(self.epsilon.is_finite() && self.epsilon > 0.0) {
            return Err(Error::parameter("epsilon", self.epsilon, "a positive finite number"));
        }
        if !(self.tolerance.is_finite() && self.tolerance > 0.0) {
            return Err(Error::parameter("tolerance", self.tolerance, "a positive finite number"));
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
        if let Some(start) = start.as_ref().filter(|s| (s.nrows(), s.ncols()) != (c1.nrows(), c2.nrows())) {
            let (expected, got) = (format!("{} x {}", c1.nrows(), c2.nrows()), format!("{} x {}", start.nrows(), start.ncols()));
            return Err(Error::Shape { what: "start plan".into(), expected, got });
        }
        with_threads(self.n_jobs, || self.plan_of(&Geometries::exact(several), start, progress))
    }

    /// The plan of distances that were checked, exactly or roughly.
    pub(crate) fn plan_of(
        &self,
        distances: &Geometries<'_>,
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
        let (mut iterations, mut scalings, mut change) = (0, 0, f64::INFINITY);
        while iterations < self.max_iterations && change > self.tolerance {
            progress.step("transport", iterations, self.max_iterations)?;
            distances.pull(&plan, &mut pull, &mut scratch);
            let strength = 4.0 / self.epsilon / several.len() as f64;
            pull.as_mut_slice().par_chunks_mut(TASK * m).for_each(|part| part.iter_mut().for_each(|v| *v *= strength));
            // The marginals need no more accuracy than the step: the plan still changes.
            let exact = match distances.is_exact() {
                true => (0.01 * change).min(1e-6).max(1e-2 * self.tolerance),
                false => (0.1 * change).min(1e-3 * q.sqrt()).max(0.1 * self.tolerance),
            };
            scalings += scaling.run(&pull, &mut kernel, (p, q), exact)?;
            change = plan
                .as_mut_slice()
                .par_chunks_mut(TASK * m)
                .zip(kernel.as_slice().par_chunks(TASK * m))
                .enumerate()
                .map(|(task, (plan, kernel))| {
                    let mut sum = 0.0;
                    for (r, (plan, kernel)) in plan.chunks_exact_mut(m).zip(kernel.chunks_exact(m)).enumerate() {
                        let u = scaling.u[task * TASK + r];
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
        let cost = ((distances.own - 2.0 * cross) / several.len() as f64).max(0.0);
        let status = if change <= self.tolerance { Status::Converged } else { Status::ReducedAccuracy };
        Ok(Transport { plan, status, iterations, scalings, change, cost })
    }
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

    /// One iteration: `u = p / (K v)`, `v = q / (K' u)`, over-relaxed by ω. Returns the error of the column sums.
    fn once(&mut self, kernel: &Matrix<f64>, (p, q): (f64, f64), omega: f64) -> f64 {
        let (m, v) = (kernel.ncols(), &self.v);
        let parts: Vec<Vec<f64>> = kernel
            .as_slice()
            .par_chunks(TASK * m)
            .zip(self.u.par_chunks_mut(TASK))
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

    /// Projected gradient with plain Sinkhorn, as printed.
    fn naive(c1: &Matrix<f64>, c2: &Matrix<f64>, epsilon: f64, steps: usize) -> Matrix<f64> {
        let (n, m) = (c1.nrows(), c2.nrows());
        let (p, q) = (1.0 / n as f64, 1.0 / m as f64);
        let mut t = Matrix::from_fn(n, m, |_, _| p * q);
        for _ in 0..steps {
            let gradient = Matrix::from_fn(n, m, |i, j| {
                let own: f64 = (0..n).map(|k| c1.row(i)[k].powi(2) * p).sum();
                let other: f64 = (0..m).map(|l| c2.row(j)[l].powi(2) * q).sum();
                let cross: f64 = (0..n).map(|k| (0..m).map(|l| c1.row(i)[k] * t.row(k)[l] * c2.row(l)[j]).sum::<f64>()).sum();
                2.0 * (own + other - 2.0 * cross)
            });
            let k = Matrix::from_fn(n, m, |i, j| (-gradient.row(i)[j] / epsilon).exp());
            let (mut u, mut v) = (vec![1.0; n], vec![1.0; m]);
            for _ in 0..3000 {
                for i in 0..n {
                    u[i] = p / (0..m).map(|j| k.row(i)[j] * v[j]).sum::<f64>();
                }
                for j in 0..m {
                    v[j] = q / (0..n).map(|i| k.row(i)[j] * u[i]).sum::<f64>();
                }
            }
            t = Matrix::from_fn(n, m, |i, j| u[i] * k.row(i)[j] * v[j]);
        }
        t
    }

    #[test]
    fn the_plan_is_that_of_the_printed_iteration() {
        for (n, m, epsilon) in [(9, 9, 0.05), (8, 11, 0.02)] {
            let (c1, c2) = (distances(n, 1), distances(m, 2));
            let found = EntropicGw::new(epsilon).plan(&c1, &c2).unwrap();
            assert_eq!(found.status, Status::Converged);
            let expected = naive(&c1, &c2, epsilon, found.iterations + 20);
            let off = found.plan.as_slice().iter().zip(expected.as_slice()).fold(0.0f64, |a, (x, y)| a.max((x - y).abs()));
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
        let thrice = EntropicGw::new(0.05).plan_of_several(&[(&c1, &c2); 3], None, &Progress::silent()).unwrap();
        assert!(one.plan.as_slice().iter().zip(thrice.plan.as_slice()).all(|(a, b)| (a - b).abs() < 1e-9));
        assert!((one.cost - thrice.cost).abs() < 1e-9);
        let other = (distances(9, 6), distances(8, 7));
        let both = EntropicGw::new(0.05).plan_of_several(&[(&c1, &c2), (&other.0, &other.1)], None, &Progress::silent()).unwrap();
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
        assert!(EntropicGw::new(0.05).plan_of_several(&[(&c1, &c2), (&wrong, &c2)], None, &Progress::silent()).is_err());
    }

    #[test]
    fn single_precision_gives_the_same_plan_as_far_as_it_goes() {
        let (c1, c2) = (distances(70, 1), distances(90, 2));
        let solver = EntropicGw::new(0.05).tolerance(1e-5).max_iterations(60);
        let several = [(&c1, &c2)];
        let exact = solver.plan(&c1, &c2).unwrap();
        let rough = solver.plan_of(&Geometries::rough(&several), None, &Progress::silent()).unwrap();
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
        let mut bad = c.clone();
        bad.row_mut(1)[2] = f64::INFINITY;
        assert!(EntropicGw::new(0.1).plan(&bad, &c).unwrap_err().to_string().contains("row 1, column 2"));
    }
}
