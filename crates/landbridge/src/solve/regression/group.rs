//! Group lasso: `|Y − XW|² + α Σ_g √|g| |W_g| + ridge |W|²` with |W_g| over all features of a group *and all targets*, so that
//! a group is selected as a whole.

use super::design::Design;
use super::small::gap;
use super::{Solved, allowed};
use crate::error::Result;
use crate::linalg::lasso_sweep::subtract;
use crate::linalg::tall::{Tall, gram, view};
use crate::linalg::whitening::symmetric_eigen;
use crate::progress::Progress;
use faer::linalg::matmul::matmul;
use faer::prelude::Solve;
use faer::{Accum, Mat, Par, Side};

/// Groups that may join a working set in one round: at least this many.
const JOIN: usize = 32;
/// Maximum number of rounds.
const MOST_ROUNDS: usize = 200;
/// Maximum number of sweeps of one inner solve.
const MOST_SWEEPS: usize = 20_000;
/// Sweeps that an extrapolation uses.
const MEMORY: usize = 6;

fn norm(values: &[f64]) -> f64 {
    values.iter().map(|v| v * v).sum::<f64>().sqrt()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The problem on the features of some groups.
struct Inner {
    width: usize,
    /// Inner products of the features, by rows, with the ridge on the diagonal.
    a: Vec<f64>,
    /// Rows of each group, its threshold `α √|g| / 2`, and its curvature.
    groups: Vec<(Vec<usize>, f64, f64)>,
    c: Vec<f64>,
    w: Vec<f64>,
    /// `c − A w`.
    q: Vec<f64>,
}

impl Inner {
    fn refresh(&mut self) {
        let (width, k) = (self.width, self.c.len() / self.width);
        let mut product = Mat::zeros(k, width);
        matmul(&mut product, Accum::Replace, view(&self.a, k, k), view(&self.w, width, width), 1.0, Par::Seq);
        for i in 0..k {
            for j in 0..width {
                self.q[i * width + j] = self.c[i * width + j] - product[(i, j)];
            }
        }
    }
    /// Minimises over each group in turn, with an upper bound of its curvature (exact for single features).
    fn sweep(&mut self) {
        let (width, k) = (self.width, self.c.len() / self.width);
        let mut z = vec![];
        for g in 0..self.groups.len() {
            let (rows, threshold, curvature) = &self.groups[g];
            if *curvature <= 0.0 {
                continue;
            }
            z.clear();
            for &r in rows {
                let at = r * width..(r + 1) * width;
                z.extend(self.q[at.clone()].iter().zip(&self.w[at]).map(|(q, w)| q + curvature * w));
            }
            let length = norm(&z);
            let factor = if length > *threshold { (1.0 - threshold / length) / curvature } else { 0.0 };
            for (s, &r) in rows.iter().enumerate() {
                let change = &mut z[s * width..(s + 1) * width];
                for (new, w) in change.iter_mut().zip(&mut self.w[r * width..(r + 1) * width]) {
                    *new *= factor;
                    (*w, *new) = (*new, *new - *w);
                }
                if change.iter().any(|c| *c != 0.0) {
                    for i in 0..k {
                        let a = self.a[r * k + i];
                        if a != 0.0 {
                            subtract(&mut self.q[i * width..(i + 1) * width], change, a);
                        }
                    }
                }
            }
        }
    }
    fn penalty(&self) -> f64 {
        let one = |(rows, threshold, _): &(Vec<usize>, f64, f64)| {
            let square: f64 = rows.iter().map(|&r| norm(&self.w[r * self.width..(r + 1) * self.width]).powi(2)).sum();
            2.0 * threshold * square.sqrt()
        };
        self.groups.iter().map(one).sum()
    }
    /// Objective without |Y|², and the duality gap.
    fn state(&self, yy: f64) -> (f64, f64) {
        let dual = |(rows, threshold, _): &(Vec<usize>, f64, f64)| {
            let square: f64 = rows.iter().map(|&r| norm(&self.q[r * self.width..(r + 1) * self.width]).powi(2)).sum();
            square.sqrt() / threshold
        };
        let dual_norm = self.groups.iter().map(dual).fold(0.0, f64::max);
        let (cw, qw, penalty) = (dot(&self.c, &self.w), dot(&self.q, &self.w), self.penalty());
        (penalty - cw - qw, gap(yy, cw, qw, penalty, dual_norm).gap)
    }
    /// Iterates until the gap is `wanted`; returns the sweeps.
    fn solve(&mut self, yy: f64, wanted: f64) -> usize {
        self.refresh();
        let mut memory: Vec<Vec<f64>> = vec![];
        let mut done = 0;
        while done < MOST_SWEEPS {
            self.sweep();
            done += 1;
            memory.push(self.w.clone());
            if memory.len() == MEMORY {
                let (objective, gap) = self.state(yy);
                if gap <= wanted {
                    break;
                }
                // Anderson acceleration: the combination of the last points with the smallest residual of a sweep.
                if let Some(w) = extrapolate(&memory) {
                    let (old_w, old_q) = (std::mem::replace(&mut self.w, w), self.q.clone());
                    self.refresh();
                    let (tried, gap) = self.state(yy);
                    if tried >= objective || tried.is_nan() {
                        (self.w, self.q) = (old_w, old_q);
                    } else if gap <= wanted {
                        break;
                    }
                }
                memory.clear();
            }
        }
        done
    }
}

fn extrapolate(points: &[Vec<f64>]) -> Option<Vec<f64>> {
    let m = points.len() - 1;
    let n = points[0].len();
    let changes: Vec<f64> = (0..n).flat_map(|i| (0..m).map(move |s| points[s + 1][i] - points[s][i])).collect();
    let changes = Tall { values: changes, stride: m };
    let mut products = gram(&changes, m, &changes);
    let trace: f64 = (0..m).map(|s| products[(s, s)]).sum();
    if trace <= 0.0 || trace.is_nan() {
        return None;
    }
    (0..m).for_each(|s| products[(s, s)] += 1e-12 * trace);
    let solved = products.llt(Side::Lower).ok()?.solve(Mat::from_fn(m, 1, |_, _| 1.0));
    let total: f64 = (0..m).map(|s| solved[(s, 0)]).sum();
    let share: Vec<f64> = (0..m).map(|s| solved[(s, 0)] / total).collect();
    if share.iter().any(|v| !v.is_finite()) {
        return None;
    }
    Some((0..n).map(|i| (0..m).map(|s| share[s] * points[s + 1][i]).sum()).collect())
}

/// All targets together. `c` is `X'Y` with a row per feature, `yy` = |Y|², `w` the warm start (a row per feature).
pub(crate) fn solve(
    design: &Design,
    c: &Tall,
    yy: f64,
    alpha: f64,
    ridge: f64,
    groups: &[Vec<u32>],
    mut w: Tall,
    tolerance: f64,
    progress: &Progress,
) -> Result<(Tall, Solved)> {
    let width = c.stride;
    let usable: Vec<Vec<u32>> =
        groups.iter().map(|g| g.iter().copied().filter(|&j| design.squares[j as usize] > 0.0).collect()).collect();
    let weight = |g: usize| (groups[g].len() as f64).sqrt();
    let row = |t: &Tall, j: u32| j as usize * width..(j as usize + 1) * t.stride;
    let group_norm = |t: &Tall, g: usize| usable[g].iter().map(|&j| norm(&t.values[row(t, j)]).powi(2)).sum::<f64>().sqrt();
    let mut solved = Solved::default();
    let mut round = 0;
    loop {
        progress.step("regression", round, 0)?;
        let mut q = design.squared_times(&w);
        for ((q, c), w) in q.values.iter_mut().zip(&c.values).zip(&w.values) {
            *q = c - *q - ridge * w;
        }
        let lengths: Vec<f64> = (0..groups.len()).map(|g| group_norm(&q, g) / weight(g)).collect();
        let penalty: f64 = (0..groups.len()).map(|g| alpha * weight(g) * group_norm(&w, g)).sum();
        let dual_norm = 2.0 * lengths.iter().fold(0.0f64, |m, v| m.max(*v)) / alpha;
        let found = gap(yy, dot(&c.values, &w.values), dot(&q.values, &w.values), penalty, dual_norm);
        round += 1;
        let finest = allowed(tolerance, found.primal, yy);
        if found.gap <= finest || round > MOST_ROUNDS {
            solved.add(found.primal, found.gap, yy, tolerance);
            return Ok((w, solved));
        }
        let mut working: Vec<usize> = (0..groups.len()).filter(|&g| group_norm(&w, g) > 0.0).collect();
        let mut joining: Vec<usize> =
            (0..groups.len()).filter(|&g| 2.0 * lengths[g] > alpha && group_norm(&w, g) == 0.0).collect();
        joining.sort_by(|&a, &b| lengths[b].total_cmp(&lengths[a]).then(a.cmp(&b)));
        joining.truncate(JOIN.max(working.len()));
        let nobody_joins = joining.is_empty();
        working.extend(joining);
        let mut features: Vec<u32> = working.iter().flat_map(|&g| usable[g].iter().copied()).collect();
        features.sort_unstable();
        let k = features.len();
        let mut a = design.gram_of(&features);
        (0..k).for_each(|i| a[i * k + i] += ridge);
        let inner_groups = working
            .iter()
            .map(|&g| {
                let rows: Vec<usize> = usable[g].iter().filter_map(|j| features.binary_search(j).ok()).collect();
                let own = Mat::from_fn(rows.len(), rows.len(), |r, c| a[rows[r] * k + rows[c]]);
                let curvature = match rows.len() {
                    1 => own[(0, 0)],
                    _ => symmetric_eigen(&own)?.0.last().copied().unwrap_or(0.0) * (1.0 + 1e-12),
                };
                Ok((rows, 0.5 * alpha * weight(g), curvature))
            })
            .collect::<Result<Vec<_>>>()?;
        let pick = |t: &Tall| -> Vec<f64> { features.iter().flat_map(|&j| t.values[row(t, j)].iter().copied()).collect() };
        let mut inner = Inner { width, a, groups: inner_groups, c: pick(c), w: pick(&w), q: pick(&q) };
        let wanted = if nobody_joins { 0.1 * finest } else { (0.2 * finest).max(0.01 * found.gap) };
        solved.iterations += inner.solve(yy, wanted);
        for (s, &j) in features.iter().enumerate() {
            let at = row(&w, j);
            w.values[at].copy_from_slice(&inner.w[s * width..(s + 1) * width]);
        }
    }
}
