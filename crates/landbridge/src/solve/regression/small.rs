//! A lasso small enough to store its inner products: coordinate descent with exact solves for the current signs.

use crate::linalg::dense::Cholesky;
use crate::linalg::lasso_sweep::sweep;
use crate::linalg::tall::Tall;
use faer::Mat;

/// Sweeps between checks of the gap.
const SWEEPS: usize = 4;
/// Pivots below this share of the diagonal mean that columns are linearly dependent.
const SINGULAR: f64 = 1e-11;

/// `min w'Aw − 2c'w + α |w|₁`, A positive semidefinite (with the ridge on its diagonal).
pub(crate) struct Small {
    /// A, by rows.
    pub(crate) a: Vec<f64>,
    pub(crate) c: Vec<f64>,
    pub(crate) w: Vec<f64>,
    /// `c − A w`: half the gradient of the loss, negated.
    pub(crate) q: Vec<f64>,
}

/// The parts of a duality gap; `r = y − X w` of the problem with the ridge as additional rows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gap {
    /// Objective minus the best lower bound.
    pub(crate) gap: f64,
    /// Objective.
    pub(crate) primal: f64,
    /// The dual point is this multiple of the residual.
    pub(crate) multiple: f64,
}

/// The gap of `|y − Xw|² + Ω(w)` at residual r, from `|y|²`, `c'w`, `q'w` (c = X'y, q = X'r), Ω(w) and the dual norm of 2q.
///
/// The dual point is `s r` with the best feasible s. The terms are arranged so that nothing cancels near the solution.
pub(crate) fn gap(yy: f64, cw: f64, qw: f64, penalty: f64, dual_norm: f64) -> Gap {
    let rr = (yy - cw - qw).max(0.0);
    let ry = yy - cw;
    let best = if rr > 0.0 { (ry / rr).max(0.0) } else { 1.0 };
    // Near the solution s = 1 is best; rounding of ry / rr must not change that.
    let best = if (best - 1.0).abs() < 1e-7 { 1.0 } else { best };
    let s = if dual_norm > 0.0 { best.min(1.0 / dual_norm) } else { best };
    let gap = (1.0 - s) * (1.0 - s) * rr - 2.0 * s * qw + penalty;
    Gap { gap: gap.max(0.0), primal: rr + penalty, multiple: s }
}

impl Small {
    fn n(&self) -> usize {
        self.c.len()
    }
    /// The gap of this problem; `yy` is |y|².
    pub(crate) fn gap(&self, alpha: f64, yy: f64) -> Gap {
        let (mut cw, mut qw, mut l1, mut largest) = (0.0, 0.0, 0.0, 0.0f64);
        for ((c, q), w) in self.c.iter().zip(&self.q).zip(&self.w) {
            cw += c * w;
            qw += q * w;
            l1 += w.abs();
            largest = largest.max(q.abs());
        }
        gap(yy, cw, qw, alpha * l1, 2.0 * largest / alpha)
    }
    fn refresh(&mut self) {
        let k = self.n();
        self.q.copy_from_slice(&self.c);
        for (j, &w) in self.w.iter().enumerate().filter(|(_, w)| **w != 0.0) {
            self.q.iter_mut().zip(&self.a[j * k..(j + 1) * k]).for_each(|(q, a)| *q -= w * a);
        }
    }
    /// Iterates until the gap is `wanted` or `most` sweeps are done; returns the sweeps.
    pub(crate) fn solve(&mut self, alpha: f64, yy: f64, wanted: f64, most: usize) -> usize {
        self.refresh();
        let mut done = 0;
        let mut jump_after = 1;
        let mut signs: Vec<bool> = vec![];
        while done < most {
            for _ in 0..SWEEPS {
                sweep(&self.a, &mut self.w, &mut self.q, 0.5 * alpha);
            }
            done += SWEEPS;
            if self.gap(alpha, yy).gap <= wanted {
                break;
            }
            // Once the signs are stable, one linear system remains.
            let now: Vec<bool> = self.w.iter().flat_map(|w| [*w > 0.0, *w < 0.0]).collect();
            let settled = now == signs;
            signs = now;
            if settled || done >= jump_after * 16 {
                jump_after = done / 16 + 1;
                if self.jump(alpha) {
                    self.refresh();
                    if self.gap(alpha, yy).gap <= wanted {
                        break;
                    }
                }
            }
        }
        done
    }
    /// Moves towards the minimum for the current signs, with an exact line search. Returns `false` when there is none.
    fn jump(&mut self, alpha: f64) -> bool {
        let k = self.n();
        let support: Vec<usize> = (0..k).filter(|&j| self.w[j] != 0.0).collect();
        let m = support.len();
        if m == 0 {
            return false;
        }
        let part = |ridge: f64| Mat::from_fn(m, m, |r, c| self.a[support[r] * k + support[c]] + if r == c { ridge } else { 0.0 });
        let mean = support.iter().map(|&j| self.a[j * k + j]).sum::<f64>() / m as f64;
        let Some(factor) = Cholesky::new(part(0.0), SINGULAR).or_else(|| Cholesky::new(part(1e-9 * mean), SINGULAR * 1e-3))
        else {
            return false;
        };
        // A_SS (w + d) = c − α/2 sign(w): d solves A d = q − α/2 sign(w).
        let values = support.iter().map(|&j| self.q[j] - 0.5 * alpha * self.w[j].signum()).collect();
        let mut step = Tall { values, stride: 1 };
        let slope = step.values.clone();
        factor.solve_lower(&mut step);
        factor.solve_upper(&mut step);
        let d = step.values;
        if d.iter().any(|v| !v.is_finite()) {
            return false;
        }
        // φ(t) = curve t² + first t + Σ kinks: the objective along the line, with kinks where a weight crosses zero.
        let mut curve = 0.0;
        for (r, &i) in support.iter().enumerate() {
            let row = &self.a[i * k..(i + 1) * k];
            curve += d[r] * support.iter().zip(&d).map(|(&j, v)| row[j] * v).sum::<f64>();
        }
        let first: f64 = -2.0 * slope.iter().zip(&d).map(|(s, d)| s * d).sum::<f64>();
        let kinks = support.iter().zip(&d).map(|(&j, &v)| (-self.w[j] / v, alpha * v.abs()));
        let (t, at) = line_minimum(curve, first, kinks);
        for (r, &j) in support.iter().enumerate() {
            self.w[j] = if at == Some(r) { 0.0 } else { self.w[j] + t * d[r] };
        }
        true
    }
}

/// The t in [0, 1] that minimises `curve t² + first t + Σ 2 weight (t − kink)₊`, and its kink, if it lies on one. Kinks outside
/// (0, 1) do not count.
pub(crate) fn line_minimum(curve: f64, first: f64, kinks: impl Iterator<Item = (f64, f64)>) -> (f64, Option<usize>) {
    let mut ahead: Vec<(f64, f64, usize)> = kinks
        .enumerate()
        .filter(|(_, (t, weight))| *t > 0.0 && *t < 1.0 && *weight > 0.0)
        .map(|(at, (t, weight))| (t, weight, at))
        .collect();
    ahead.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.2.cmp(&b.2)));
    let mut slope = first;
    for (t, weight, at) in ahead {
        // The slope just before the kink is 2 curve t + slope.
        if 2.0 * curve * t + slope >= 0.0 {
            break;
        }
        slope += 2.0 * weight;
        if 2.0 * curve * t + slope >= 0.0 {
            return (t, Some(at));
        }
    }
    let t = if curve > 0.0 { (-slope / (2.0 * curve)).clamp(0.0, 1.0) } else { 1.0 };
    (t, None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_search_finds_the_least_value_of_a_kinked_curve() {
        let kinks = [(0.3, 0.5), (0.6, 2.0), (-0.2, 9.0), (1.5, 9.0)];
        for (curve, first) in [(1.0, -1.0), (1.0, -2.5), (0.5, -6.0), (2.0, -0.1), (0.0, -3.0)] {
            let value = |t: f64| {
                curve * t * t
                    + first * t
                    + kinks.iter().filter(|k| k.0 > 0.0 && t > k.0).map(|k| 2.0 * k.1 * (t - k.0)).sum::<f64>()
            };
            let (t, at) = line_minimum(curve, first, kinks.iter().copied());
            let best = (0..=100_000).map(|i| value(i as f64 / 1e5)).fold(f64::INFINITY, f64::min);
            assert!(value(t) <= best + 1e-9, "{curve} {first}: {t}");
            assert!(at.is_none_or(|at| kinks[at].0 == t));
        }
    }
}
