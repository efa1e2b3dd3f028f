//! Fused lasso: `|y − Xw|² + α |w|₁ + β Σ |w_k − w_{k−1}|`, features in their order.
//!
//! An accelerated proximal method with restarts finds which weights are equal and which are zero; its exact proximal step is a
//! taut string followed by soft thresholding. In between, the values of the current runs are optimised alone: one small linear
//! system and an exact line search.

use super::design::Design;
use super::small::{Gap, gap, line_minimum};
use super::total_variation::TautString;
use super::{Column, Solved, allowed};
use crate::error::Result;
use crate::linalg::dense::Cholesky;
use crate::linalg::lasso_sweep::subtract;
use crate::linalg::tall::{Tall, gram};
use crate::progress::Progress;
use faer::Mat;
use rayon::prelude::*;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Maximum number of columns for which prefix sums of `X'X` are stored.
const MOST_COLUMNS: usize = 6000;
/// More runs than this are left to the proximal method.
const MOST_RUNS: usize = 1500;
/// Maximum number of rounds for one target.
const MOST_ROUNDS: usize = 2000;
/// Maximum number of consecutive systems while runs merge or vanish.
const MERGES: usize = 12;

/// What all targets share.
struct Products<'a> {
    design: &'a Design,
    /// Row e: the sum of the first e rows of `X'X`; `None` when there are many columns.
    sums: Option<Vec<f64>>,
}

impl<'a> Products<'a> {
    fn new(design: &'a Design) -> Self {
        let p = design.n_columns();
        let sums = (p <= MOST_COLUMNS && design.form_gram()).then(|| {
            let mut sums = vec![0.0; (p + 1) * p];
            for j in 0..p {
                let (before, after) = sums.split_at_mut((j + 1) * p);
                let after = &mut after[..p];
                after.copy_from_slice(&before[j * p..]);
                if let Some(column) = design.gram_column(j) {
                    after.iter_mut().zip(column).for_each(|(s, v)| *s += v);
                }
            }
            sums
        });
        Self { design, sums }
    }
    /// `G B u` for runs B.
    fn times(&self, runs: &[Range<usize>], u: &[f64]) -> Vec<f64> {
        let p = self.design.n_columns();
        let mut out = vec![0.0; p];
        match &self.sums {
            Some(sums) => {
                // Neighbouring runs share an end: one pass per end.
                let mut add = |end: usize, factor: f64| {
                    if end > 0 && factor != 0.0 {
                        subtract(&mut out, &sums[end * p..(end + 1) * p], -factor);
                    }
                };
                for (s, (run, &value)) in runs.iter().zip(u).enumerate() {
                    let next = runs.get(s + 1).filter(|n| n.start == run.end).map_or(0.0, |_| u[s + 1]);
                    let joins_previous = s > 0 && runs[s - 1].end == run.start;
                    if !joins_previous {
                        add(run.start, -value);
                    }
                    add(run.end, value - next);
                }
            }
            None if runs.is_empty() => {}
            None => {
                let xb = self.design.sums_over(runs);
                let k = runs.len();
                let values = xb.values.chunks_exact(k).map(|row| row.iter().zip(u).map(|(x, u)| x * u).sum()).collect();
                out = self.design.correlations(&Tall { values, stride: 1 }).values;
            }
        }
        out
    }
    /// `B'GB`.
    fn gram(&self, runs: &[Range<usize>]) -> Mat<f64> {
        let (p, k) = (self.design.n_columns(), runs.len());
        let Some(sums) = &self.sums else {
            let xb = self.design.sums_over(runs);
            return gram(&xb, k, &xb);
        };
        let mut out = Mat::zeros(k, k);
        for (c, run) in runs.iter().enumerate() {
            let (to, from) = (&sums[run.end * p..(run.end + 1) * p], &sums[run.start * p..(run.start + 1) * p]);
            for (r, other) in runs.iter().enumerate().skip(c) {
                out[(r, c)] = to[other.clone()].iter().zip(&from[other.clone()]).map(|(t, f)| t - f).sum();
            }
        }
        out
    }
}

/// Runs of equal non-zero weights.
fn runs_of(w: &[f64]) -> Vec<Range<usize>> {
    let mut runs = vec![];
    let mut start = 0;
    for j in 1..=w.len() {
        if j == w.len() || w[j] != w[start] {
            if w[start] != 0.0 {
                runs.push(start..j);
            }
            start = j;
        }
    }
    runs
}

/// α |w|₁ + β Σ |w_k − w_{k−1}|.
fn penalty(w: &[f64], alpha: f64, beta: f64) -> f64 {
    alpha * w.iter().map(|v| v.abs()).sum::<f64>() + beta * w.windows(2).map(|p| (p[1] - p[0]).abs()).sum::<f64>()
}

/// The dual norm of the penalty: the largest `|Σ_I g| / (α |I| + β ends of I within the order)` over intervals I, found by
/// raising a level until no interval exceeds it.
pub(super) fn dual_norm(g: &[f64], alpha: f64, beta: f64) -> f64 {
    let p = g.len();
    let cost = |from: usize, to: usize| {
        alpha * (to - from) as f64 + beta * (f64::from(u8::from(from > 0)) + f64::from(u8::from(to < p)))
    };
    let mut level = 0.0f64;
    for _ in 0..100 {
        let mut best: (f64, usize, usize) = (0.0, 0, 0);
        for sign in [1.0, -1.0] {
            let (mut sum, mut start) = (f64::NEG_INFINITY, 0);
            for (j, v) in g.iter().enumerate() {
                let fresh = if j > 0 { -level * beta } else { 0.0 };
                if sum <= fresh {
                    (sum, start) = (fresh, j);
                }
                sum += sign * v - level * alpha;
                let total = sum - if j + 1 < p { level * beta } else { 0.0 };
                if total > best.0 {
                    best = (total, start, j + 1);
                }
            }
        }
        let (_, from, to) = best;
        if to == 0 {
            break;
        }
        let sum = g[from..to].iter().sum::<f64>().abs();
        let cost = cost(from, to);
        if cost == 0.0 {
            // Without α only the whole order costs nothing; its sum was made zero before.
            break;
        }
        let next = sum / cost;
        if next <= level * (1.0 + 1e-14) {
            break;
        }
        level = next;
    }
    level
}

struct Target<'a> {
    products: &'a Products<'a>,
    /// `X'y`.
    c: &'a [f64],
    yy: f64,
    alpha: f64,
    beta: f64,
    w: Vec<f64>,
    /// `G w`.
    gw: Vec<f64>,
    /// `G 1` and its sum, needed if α is 0.
    ones: Option<&'a (Vec<f64>, f64)>,
    /// Current estimate of the curvature; it grows when it proves too small.
    curvature: f64,
    steps: usize,
    string: TautString,
}

impl Target<'_> {
    fn multiply(&mut self) {
        let runs = runs_of(&self.w);
        let u: Vec<f64> = runs.iter().map(|r| self.w[r.start]).collect();
        self.gw = self.products.times(&runs, &u);
    }
    fn gap(&self) -> Gap {
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let mut q: Vec<f64> = self.c.iter().zip(&self.gw).map(|(c, g)| c - g).collect();
        let (mut cw, mut qw) = (dot(self.c, &self.w), dot(&q, &self.w));
        let mut rest = 0.0;
        if let Some((g1, total)) = self.ones.filter(|o| o.1 > 0.0) {
            // Without α a common shift of all weights costs nothing, so the dual point must be orthogonal to it.
            let sum: f64 = q.iter().sum();
            let a = sum / total;
            rest = a * sum;
            cw += a * self.c.iter().sum::<f64>();
            qw -= a * self.gw.iter().sum::<f64>();
            subtract(&mut q, g1, a);
        }
        q.iter_mut().for_each(|v| *v *= 2.0);
        let found = gap(self.yy, cw, qw, penalty(&self.w, self.alpha, self.beta), dual_norm(&q, self.alpha, self.beta));
        Gap { gap: found.gap + rest, primal: found.primal + rest, ..found }
    }

    /// Accelerated proximal steps, restarted whenever the momentum points uphill.
    fn burst(&mut self, steps: usize) {
        let p = self.w.len();
        let (mut v, mut gv) = (self.w.clone(), self.gw.clone());
        let mut momentum = 1.0f64;
        for _ in 0..steps {
            let (before, g_before) = (std::mem::take(&mut self.w), std::mem::take(&mut self.gw));
            loop {
                let l = self.curvature;
                self.w = (0..p).map(|j| v[j] + (self.c[j] - gv[j]) / l).collect();
                self.string.denoise(&mut self.w, 0.5 * self.beta / l);
                let threshold = 0.5 * self.alpha / l;
                self.w.iter_mut().for_each(|x| *x = if x.abs() > threshold { *x - threshold.copysign(*x) } else { 0.0 });
                self.multiply();
                self.steps += 1;
                let (mut bend, mut length) = (0.0, 0.0);
                for j in 0..p {
                    let d = self.w[j] - v[j];
                    bend += d * (self.gw[j] - gv[j]);
                    length += d * d;
                }
                if bend <= l * length * (1.0 + 1e-9) || length == 0.0 {
                    break;
                }
                self.curvature = (1.5 * l).max(1.05 * bend / length);
            }
            let uphill: f64 = (0..p).map(|j| (v[j] - self.w[j]) * (self.w[j] - before[j])).sum();
            if uphill > 0.0 {
                momentum = 1.0;
                (v, gv) = (self.w.clone(), self.gw.clone());
                continue;
            }
            let next = 0.5 * (1.0 + (1.0 + 4.0 * momentum * momentum).sqrt());
            let share = (momentum - 1.0) / next;
            momentum = next;
            for j in 0..p {
                v[j] = self.w[j] + share * (self.w[j] - before[j]);
                gv[j] = self.gw[j] + share * (self.gw[j] - g_before[j]);
            }
        }
    }

    /// Optimises the values of the current runs until one changes sign or order; returns whether it reached the optimum.
    fn settle(&mut self) -> bool {
        for _ in 0..MERGES {
            let runs = runs_of(&self.w);
            let k = runs.len();
            if k == 0 || k > MOST_RUNS {
                return false;
            }
            let (p, alpha, beta) = (self.w.len(), self.alpha, self.beta);
            let u: Vec<f64> = runs.iter().map(|r| self.w[r.start]).collect();
            let at = |j: Option<usize>| j.filter(|j| *j < p).map(|j| self.w[j]);
            let sign = |v: f64| if v == 0.0 { 0.0 } else { v.signum() };
            let mut slope = vec![0.0; k];
            let mut free_ends = vec![0.0; k];
            for (s, run) in runs.iter().enumerate() {
                let mut pull = alpha * run.len() as f64 * u[s].signum();
                for neighbor in [at(run.start.checked_sub(1)), at(Some(run.end))].into_iter().flatten() {
                    pull += beta * sign(u[s] - neighbor);
                    free_ends[s] += f64::from(u8::from(neighbor == 0.0));
                }
                slope[s] = run.clone().map(|j| self.c[j] - self.gw[j]).sum::<f64>() - 0.5 * pull;
            }
            let system = self.products.gram(&runs);
            let mean = (0..k).map(|s| system[(s, s)]).sum::<f64>() / k as f64;
            let damped = || {
                let mut m = system.clone();
                (0..k).for_each(|s| m[(s, s)] += 1e-9 * mean);
                Cholesky::new(m, 1e-14)
            };
            let Some(factor) = Cholesky::new(system.clone(), 1e-11).or_else(damped) else { return false };
            let mut step = Tall { values: slope.clone(), stride: 1 };
            factor.solve_lower(&mut step);
            factor.solve_upper(&mut step);
            let d = step.values;
            if d.iter().any(|v| !v.is_finite()) {
                return false;
            }
            let gd = self.products.times(&runs, &d);
            let curve: f64 = runs.iter().zip(&d).map(|(r, d)| d * gd[r.clone()].iter().sum::<f64>()).sum();
            let first = -2.0 * slope.iter().zip(&d).map(|(s, d)| s * d).sum::<f64>();
            // Kinks: a run crosses zero; two neighbouring runs cross each other.
            let zero = (0..k).map(|s| (-u[s] / d[s], (alpha * runs[s].len() as f64 + beta * free_ends[s]) * d[s].abs()));
            let pass = (0..k.saturating_sub(1)).map(|s| {
                let (gap, change) = (u[s] - u[s + 1], d[s] - d[s + 1]);
                let touching = runs[s].end == runs[s + 1].start;
                (-gap / change, if touching { beta * change.abs() } else { 0.0 })
            });
            let (t, kink) = line_minimum(curve, first, zero.chain(pass));
            for (s, run) in runs.iter().enumerate() {
                let value = match kink {
                    Some(at) if at == s => 0.0,
                    // The run after the boundary takes the value of the run before it.
                    Some(at) if at >= k && at - k + 1 == s => u[s - 1] + t * d[s - 1],
                    _ => u[s] + t * d[s],
                };
                self.w[run.clone()].fill(value);
            }
            self.steps += 1;
            self.multiply();
            if kink.is_none() {
                return true;
            }
        }
        false
    }

    fn solve(&mut self, tolerance: f64, progress: &Progress) -> Gap {
        self.multiply();
        let mut burst = 8;
        let mut found = self.gap();
        for _ in 0..MOST_ROUNDS {
            if found.gap <= allowed(tolerance, found.primal, self.yy) || progress.is_cancelled() {
                break;
            }
            self.burst(burst);
            let arrived = self.settle();
            burst = if arrived { (burst / 2).max(2) } else { (burst * 2).min(64) };
            found = self.gap();
        }
        found
    }
}

/// Each column of Y separately. `c` is `X'Y` with a row per target, `yy` their squared norms, `start` the warm start.
pub(crate) fn solve(
    design: &Design,
    c: &Tall,
    yy: &[f64],
    (alpha, beta): (f64, f64),
    start: &[Column],
    tolerance: f64,
    progress: &Progress,
) -> Result<Solved> {
    let p = design.n_columns();
    let products = Products::new(design);
    let ones = (alpha == 0.0).then(|| {
        let whole = 0..p;
        let g1 = products.times(std::slice::from_ref(&whole), &[1.0]);
        let total = g1.iter().sum();
        (g1, total)
    });
    let curvature = design.squares.iter().fold(0.0f64, |m, s| m.max(*s)).max(f64::MIN_POSITIVE);
    let finished = AtomicUsize::new(0);
    let found: Vec<(Column, Gap, usize)> = (0..yy.len())
        .into_par_iter()
        .map(|t| {
            let mut w = vec![0.0; p];
            if let Some(column) = start.get(t) {
                column.indices.iter().zip(&column.values).for_each(|(&j, &v)| w[j as usize] = v);
            }
            let mut target = Target {
                products: &products,
                c: &c.values[t * p..(t + 1) * p],
                yy: yy[t],
                alpha,
                beta,
                w,
                gw: vec![],
                ones: ones.as_ref(),
                curvature,
                steps: 0,
                string: TautString::default(),
            };
            let gap = target.solve(tolerance, progress);
            progress.step("regression", finished.fetch_add(1, Ordering::Relaxed) + 1, yy.len())?;
            let all: Vec<u32> = (0..p as u32).collect();
            Ok((Column::from_dense(&all, &target.w), gap, target.steps))
        })
        .collect::<Result<_>>()?;
    let mut solved = Solved::default();
    for (t, (column, gap, steps)) in found.into_iter().enumerate() {
        solved.add(gap.primal, gap.gap, yy[t], tolerance);
        solved.iterations += steps;
        solved.columns.push(column);
    }
    Ok(solved)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_dual_norm_is_the_largest_ratio_over_all_intervals() {
        for (p, alpha, beta) in [(1, 1.0, 0.5), (9, 0.3, 0.7), (17, 1.0, 0.0), (17, 0.01, 2.0)] {
            let g: Vec<f64> = (0..p).map(|j| ((j * 37 + 11) % 19) as f64 / 9.0 - 1.1).collect();
            let mut best = 0.0f64;
            for from in 0..p {
                for to in from + 1..=p {
                    let ends = f64::from(u8::from(from > 0)) + f64::from(u8::from(to < p));
                    let cost = alpha * (to - from) as f64 + beta * ends;
                    best = best.max(g[from..to].iter().sum::<f64>().abs() / cost);
                }
            }
            assert!((dual_norm(&g, alpha, beta) - best).abs() < 1e-12 * best, "{p} {alpha} {beta}");
        }
    }

    #[test]
    fn runs_are_maximal_and_leave_out_zeros() {
        assert_eq!(runs_of(&[0.0, 1.0, 1.0, 2.0, 0.0, 2.0]), [1..3, 3..4, 5..6]);
        assert_eq!(runs_of(&[3.0]), std::iter::once(0..1).collect::<Vec<_>>());
        assert!(runs_of(&[0.0; 4]).is_empty());
    }
}
