//! Lasso and elastic net for many targets at once: working sets, safe screening, exact inner solves; small strengths by way of larger ones.

use super::design::Design;
use super::small::{Gap, Inner, Small, Thin, gap};
use super::{Column, Solved, allowed};
use crate::error::Result;
use crate::linalg::tall::Tall;
use crate::progress::Progress;
use rayon::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Columns that may join a working set in one round: at least this many.
const JOIN: usize = 64;
/// Targets whose residuals are stored together when `X'X` is not.
const TOGETHER: usize = 32;
/// Strengths below this share of that which leaves no weight are reached in steps, each this share of the one before, and to this gap.
const WEAK: f64 = 0.05;
const STEP: f64 = 0.5;
const LOOSE: f64 = 1e-2;
/// Maximum number of rounds for one target.
const MOST_ROUNDS: usize = 200;
/// Maximum number of sweeps of one inner solve.
const MOST_SWEEPS: usize = 20_000;

/// The state of one target.
struct Target<'a> {
    /// `X'y`.
    c: &'a [f64],
    yy: f64,
    w: Column,
    /// The strength solved for now. Small ones are reached from larger ones.
    alpha: f64,
    /// Columns that screening has not excluded at this strength.
    alive: Vec<u32>,
    gap: Gap,
    done: bool,
    rounds: usize,
    sweeps: usize,
    /// Columns of the last inner problem.
    working: usize,
}

struct Strength {
    alpha: f64,
    ridge: f64,
    tolerance: f64,
}

impl Target<'_> {
    /// Uses the inner products `q = X'r − ridge w` of all columns to compute the duality gap and to screen out columns. A strength whose
    /// gap is reached gives way to the next.
    fn examine(&mut self, q: &[f64], squares: &[f64], usable: &[u32], s: &Strength) {
        let (mut cw, mut qw, mut l1) = (0.0, 0.0, 0.0);
        for (&j, &w) in self.w.indices.iter().zip(&self.w.values) {
            cw += self.c[j as usize] * w;
            qw += q[j as usize] * w;
            l1 += w.abs();
        }
        self.rounds += 1;
        let given_up = self.rounds > MOST_ROUNDS;
        if given_up {
            self.go_on_to(s.alpha, usable);
        }
        loop {
            let largest = self.alive.iter().fold(0.0f64, |m, &j| m.max(q[j as usize].abs()));
            self.gap = gap(self.yy, cw, qw, self.alpha * l1, 2.0 * largest / self.alpha);
            let reached = self.gap.gap <= allowed(self.tolerance(s), self.gap.primal, self.yy);
            self.done = given_up || (reached && self.alpha == s.alpha);
            if self.done {
                return;
            }
            if !reached {
                break;
            }
            self.go_on_to((STEP * self.alpha).max(s.alpha), usable);
        }
        let alpha = self.alpha;
        // The dual optimum is within sqrt(gap) of this point: columns that cannot reach α from here have weight 0.
        let radius = self.gap.gap.sqrt();
        let multiple = self.gap.multiple;
        let support = &self.w.indices;
        self.alive.retain(|&j| {
            let j_ = j as usize;
            let reach = 2.0 * (multiple * q[j_].abs() + (squares[j_] + s.ridge).sqrt() * radius);
            reach >= alpha * (1.0 - 1e-12) || support.binary_search(&j).is_ok()
        });
    }

    fn go_on_to(&mut self, alpha: f64, usable: &[u32]) {
        self.alpha = alpha;
        self.alive = usable.to_vec();
    }

    /// The relative gap to reach at this strength.
    fn tolerance(&self, s: &Strength) -> f64 {
        if self.alpha > s.alpha { LOOSE.max(s.tolerance) } else { s.tolerance }
    }

    /// Solves for the current columns and those that violate their optimality condition most.
    fn improve(&mut self, q: &[f64], design: &Design, s: &Strength) {
        let support = &self.w.indices;
        let mut joining: Vec<u32> = self
            .alive
            .iter()
            .copied()
            .filter(|&j| 2.0 * q[j as usize].abs() > self.alpha && support.binary_search(&j).is_err())
            .collect();
        let most = JOIN.max(support.len());
        if joining.len() > most {
            joining.select_nth_unstable_by(most, |&a, &b| q[b as usize].abs().total_cmp(&q[a as usize].abs()).then(a.cmp(&b)));
            joining.truncate(most);
        }
        let nobody_joins = joining.is_empty();
        let mut working: Vec<u32> = support.iter().copied().chain(joining).collect();
        working.sort_unstable();
        let k = working.len();
        self.working = k;
        let mut w = vec![0.0; k];
        for (&j, &v) in self.w.indices.iter().zip(&self.w.values) {
            if let Ok(at) = working.binary_search(&j) {
                w[at] = v;
            }
        }
        let c: Vec<f64> = working.iter().map(|&j| self.c[j as usize]).collect();
        let finest = 0.2 * allowed(self.tolerance(s), self.gap.primal, self.yy);
        let wanted = if nobody_joins { 0.5 * finest } else { finest.max(0.01 * self.gap.gap) };
        let w = match Thin::new(design, &working, s.ridge, &c, &w) {
            Some(mut thin) => {
                self.sweeps += thin.solve(self.alpha, self.yy, wanted, MOST_SWEEPS);
                thin.into_weights()
            }
            None => {
                let mut a = design.gram_of(&working);
                (0..k).for_each(|i| a[i * k + i] += s.ridge);
                let mut small = Small { a, q: c.clone(), c, w };
                self.sweeps += small.solve(self.alpha, self.yy, wanted, MOST_SWEEPS);
                small.w
            }
        };
        self.w = Column::from_dense(&working, &w);
    }
}

/// `min |Y − XW|² + α |W|₁ + ridge |W|²` for each column of Y separately. `c` is `X'Y` with a row per target, `yy` their
/// squared norms, `start` the warm start.
pub(crate) fn solve(
    design: &Design,
    c: &Tall,
    yy: &[f64],
    alpha: f64,
    ridge: f64,
    start: &[Column],
    tolerance: f64,
    progress: &Progress,
) -> Result<Solved> {
    let p = design.n_columns();
    let s = Strength { alpha, ridge, tolerance };
    let usable: Vec<u32> = (0..p as u32).filter(|&j| design.squares[j as usize] > 0.0).collect();
    let first = |t: usize| {
        let largest = 2.0 * c.values[t * p..(t + 1) * p].iter().fold(0.0f64, |m, v| m.max(v.abs()));
        let started = start.get(t).is_some_and(|w| !w.indices.is_empty());
        if started || alpha >= WEAK * largest { alpha } else { STEP * largest }
    };
    let begin = |t: usize| Target {
        c: &c.values[t * p..(t + 1) * p],
        yy: yy[t],
        w: start.get(t).cloned().unwrap_or_default(),
        alpha: first(t),
        alive: usable.clone(),
        gap: Gap { gap: 0.0, primal: 0.0, multiple: 0.0 },
        done: false,
        rounds: 0,
        sweeps: 0,
        working: 0,
    };
    let finished = AtomicUsize::new(0);
    let tell = |count: usize| {
        let now = finished.fetch_add(count, Ordering::Relaxed) + count;
        progress.step("regression", now, yy.len())
    };
    let mut targets: Vec<Target<'_>> = vec![];
    // Residuals of some targets at a time, until it is clear that X'X would pay.
    while targets.len() < yy.len() && !design.has_gram() {
        let from = targets.len();
        let mut block: Vec<Target<'_>> = (from..(from + TOGETHER).min(yy.len())).map(begin).collect();
        while block.iter().any(|t| !t.done) {
            let q = gradients_from_residual(design, &block, ridge);
            block.par_iter_mut().zip(q.par_chunks(p)).filter(|(t, _)| !t.done).for_each(|(target, q)| {
                target.examine(q, &design.squares, &usable, &s);
                if !target.done {
                    target.improve(q, design, &s);
                }
            });
            tell(0)?;
        }
        tell(block.len())?;
        targets.extend(block);
        let (seen, left) = (targets.len() as f64, (yy.len() - targets.len()) as f64);
        let rounds = targets.iter().map(|t| t.rounds as f64).sum::<f64>() / seen;
        let working = targets.iter().map(|t| t.working as f64).sum::<f64>() / seen;
        if design.gram_pays(left, rounds, working) {
            design.form_gram();
        }
    }
    let one = |q: &mut Vec<f64>, t: usize| -> Result<Target<'_>> {
        let mut target = begin(t);
        loop {
            gradient_from_gram(design, &target, ridge, q);
            target.examine(q, &design.squares, &usable, &s);
            if target.done || progress.is_cancelled() {
                break;
            }
            target.improve(q, design, &s);
        }
        tell(1)?;
        Ok(target)
    };
    let rest = targets.len()..yy.len();
    targets.extend(rest.into_par_iter().map_init(|| vec![0.0; p], one).collect::<Result<Vec<_>>>()?);
    let mut solved = Solved::default();
    for t in targets {
        solved.add(t.gap.primal, t.gap.gap, t.yy, tolerance);
        solved.iterations += t.sweeps;
        solved.columns.push(t.w);
    }
    Ok(solved)
}

/// `c − (G + ridge) w`.
fn gradient_from_gram(design: &Design, target: &Target<'_>, ridge: f64, q: &mut [f64]) {
    q.copy_from_slice(target.c);
    for (&j, &w) in target.w.indices.iter().zip(&target.w.values) {
        let Some(column) = design.gram_column(j as usize) else { continue };
        crate::linalg::lasso_sweep::subtract(q, column, w);
        q[j as usize] -= ridge * w;
    }
}

/// `X'(Y − XW) − ridge W`, a row per target.
fn gradients_from_residual(design: &Design, block: &[Target<'_>], ridge: f64) -> Vec<f64> {
    let (p, width) = (design.n_columns(), block.len());
    if block.iter().all(|t| t.w.indices.is_empty()) {
        return block.iter().flat_map(|t| t.c.iter().copied()).collect();
    }
    let columns: Vec<&Column> = block.iter().map(|t| &t.w).collect();
    let product = design.correlations(&design.times_columns(&columns));
    let mut q = vec![0.0; p * width];
    q.par_chunks_mut(p).enumerate().for_each(|(t, q)| {
        for (j, q) in q.iter_mut().enumerate() {
            *q = block[t].c[j] - product.values[j * width + t];
        }
        let w = &block[t].w;
        w.indices.iter().zip(&w.values).for_each(|(&j, v)| q[j as usize] -= ridge * v);
    });
    q
}
