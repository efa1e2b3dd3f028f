//! A lasso on a working set of columns: coordinate descent with exact solves for the current signs.

use super::design::{Design, ThinColumns};
use crate::linalg::dense::Cholesky;
use crate::linalg::lasso_sweep::sweep;
use crate::linalg::tall::Tall;
use faer::{Mat, MatRef};

/// Sweeps between checks of the gap.
const SWEEPS: usize = 4;
/// Stored products of a working set per entry of its columns, from which on sweeps go through the columns.
const THIN: usize = 8;
/// Weights that may reach zero in one jump.
const DROPS: usize = 24;
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

/// The working columns of a lasso, however their inner products are computed.
pub(crate) trait Inner {
    /// c, w, and `q = c − A w`, which is true after [`Inner::look`].
    fn state(&self) -> (&[f64], &[f64], &[f64]);
    fn weights(&mut self) -> &mut [f64];
    /// Minimises over each weight in turn.
    fn sweep(&mut self, threshold: f64);
    /// Brings q up to date after sweeps; rounding errors stay.
    fn look(&mut self);
    /// The same from the weights alone.
    fn refresh(&mut self);
    /// A between some of the columns, by rows.
    fn among(&self, support: &[usize]) -> Vec<f64>;
    /// How many sweeps take as long as a jump between so many columns.
    fn sweeps_of_a_jump(&self, support: usize) -> usize;

    /// The gap of this problem; `yy` is |y|².
    fn gap(&self, alpha: f64, yy: f64) -> Gap {
        let (c, w, q) = self.state();
        let (mut cw, mut qw, mut l1, mut largest) = (0.0, 0.0, 0.0, 0.0f64);
        for ((c, q), w) in c.iter().zip(q).zip(w) {
            cw += c * w;
            qw += q * w;
            l1 += w.abs();
            largest = largest.max(q.abs());
        }
        gap(yy, cw, qw, alpha * l1, 2.0 * largest / alpha)
    }

    /// Iterates until the gap is `wanted` or `most` sweeps are done; returns the sweeps.
    fn solve(&mut self, alpha: f64, yy: f64, wanted: f64, most: usize) -> usize {
        self.refresh();
        let (mut done, mut since) = (0, 0);
        let mut signs: Vec<bool> = vec![];
        while done < most {
            for _ in 0..SWEEPS {
                self.sweep(0.5 * alpha);
            }
            self.look();
            (done, since) = (done + SWEEPS, since + SWEEPS);
            if self.gap(alpha, yy).gap <= wanted {
                break;
            }
            // Once the signs are stable, one linear system remains.
            let now: Vec<bool> = self.state().1.iter().flat_map(|w| [*w > 0.0, *w < 0.0]).collect();
            let wait = self.sweeps_of_a_jump(now.iter().filter(|sign| **sign).count());
            let settled = now == signs && 4 * since >= wait;
            signs = now;
            if settled || since >= wait.max(16) {
                since = 0;
                if jump(self, alpha) {
                    self.refresh();
                    if self.gap(alpha, yy).gap <= wanted {
                        break;
                    }
                }
            }
        }
        done
    }
}

/// Moves towards the minimum for the current signs, with exact line searches. A weight that reaches zero on the way stays there, and
/// the way goes on with the others: one factor serves many such steps. Returns `false` when there is no way.
fn jump(inner: &mut (impl Inner + ?Sized), alpha: f64) -> bool {
    let (_, w, q) = inner.state();
    let support: Vec<usize> = (0..w.len()).filter(|&j| w[j] != 0.0).collect();
    let m = support.len();
    if m == 0 {
        return false;
    }
    let (mut w, mut q): (Vec<f64>, Vec<f64>) = support.iter().map(|&j| (w[j], q[j])).unzip();
    let a = inner.among(&support);
    // Symmetric: rows are columns.
    let part = |ridge: f64| {
        let mut part = MatRef::from_column_major_slice(&a, m, m).to_owned();
        (0..m).for_each(|j| part[(j, j)] += ridge);
        part
    };
    let mean = (0..m).map(|j| a[j * m + j]).sum::<f64>() / m as f64;
    let Some(factor) = Cholesky::new(part(0.0), SINGULAR).or_else(|| Cholesky::new(part(1e-9 * mean), SINGULAR * 1e-3)) else {
        return false;
    };
    let solved = |values: Vec<f64>| {
        let mut x = Tall { values, stride: 1 };
        factor.solve_lower(&mut x);
        factor.solve_upper(&mut x);
        x.values
    };
    // Weights that reached zero: their places, and the columns of A⁻¹.
    let (mut dropped, mut inverse): (Vec<usize>, Vec<Vec<f64>>) = (vec![], vec![]);
    let mut moved = false;
    for _ in 0..=DROPS {
        // A (w + d) = c − α/2 sign(w) in the weights that are left: d solves A d = q − α/2 sign(w), and is 0 for those that are not.
        let slope: Vec<f64> = (0..m).map(|r| if w[r] == 0.0 { 0.0 } else { q[r] - 0.5 * alpha * w[r].signum() }).collect();
        let mut d = solved(slope.clone());
        if !dropped.is_empty() {
            // A d = slope + Σ λ e: the λ that keep those weights at 0.
            let among = Mat::from_fn(dropped.len(), dropped.len(), |r, c| inverse[c][dropped[r]]);
            let Some(small) = Cholesky::new(among, SINGULAR) else { break };
            let mut lambda = Tall { values: dropped.iter().map(|&r| -d[r]).collect(), stride: 1 };
            small.solve_lower(&mut lambda);
            small.solve_upper(&mut lambda);
            for (l, column) in lambda.values.iter().zip(&inverse) {
                d.iter_mut().zip(column).for_each(|(d, v)| *d += l * v);
            }
            dropped.iter().for_each(|&r| d[r] = 0.0);
        }
        if d.iter().any(|v| !v.is_finite()) {
            break;
        }
        // φ(t) = curve t² + first t + Σ kinks: the objective along the line, with kinks where a weight crosses zero.
        let image: Vec<f64> = a.chunks_exact(m).map(|row| row.iter().zip(&d).map(|(a, v)| a * v).sum()).collect();
        let curve: f64 = image.iter().zip(&d).map(|(i, d)| i * d).sum();
        let first: f64 = -2.0 * slope.iter().zip(&d).map(|(s, d)| s * d).sum::<f64>();
        let kinks = w.iter().zip(&d).map(|(&w, &v)| (if v == 0.0 { f64::INFINITY } else { -w / v }, alpha * v.abs()));
        let (t, at) = line_minimum(curve, first, kinks);
        w.iter_mut().zip(&d).for_each(|(w, d)| *w += t * d);
        q.iter_mut().zip(&image).for_each(|(q, i)| *q -= t * i);
        moved = true;
        let Some(r) = at else { break };
        w[r] = 0.0;
        let mut unit = vec![0.0; m];
        unit[r] = 1.0;
        dropped.push(r);
        inverse.push(solved(unit));
    }
    let all = inner.weights();
    support.iter().zip(&w).for_each(|(&j, &w)| all[j] = w);
    moved
}

impl Inner for Small {
    fn state(&self) -> (&[f64], &[f64], &[f64]) {
        (&self.c, &self.w, &self.q)
    }
    fn weights(&mut self) -> &mut [f64] {
        &mut self.w
    }
    fn sweep(&mut self, threshold: f64) {
        sweep(&self.a, &mut self.w, &mut self.q, threshold);
    }
    fn look(&mut self) {}
    fn refresh(&mut self) {
        let k = self.c.len();
        self.q.copy_from_slice(&self.c);
        for (j, &w) in self.w.iter().enumerate().filter(|(_, w)| **w != 0.0) {
            self.q.iter_mut().zip(&self.a[j * k..(j + 1) * k]).for_each(|(q, a)| *q -= w * a);
        }
    }
    fn among(&self, support: &[usize]) -> Vec<f64> {
        let k = self.c.len();
        support.iter().flat_map(|&i| support.iter().map(move |&j| self.a[i * k + j])).collect()
    }
    fn sweeps_of_a_jump(&self, _: usize) -> usize {
        0
    }
}

/// The same for sparse columns, of which a sweep touches only what is stored: `A = X'X + ridge`, `X = S − s m'`.
pub(crate) struct Thin<'a> {
    design: &'a Design,
    columns: ThinColumns<'a>,
    working: &'a [u32],
    /// Stored numbers of the working columns.
    entries: usize,
    ridge: f64,
    c: Vec<f64>,
    w: Vec<f64>,
    q: Vec<f64>,
    /// `S w`, `m'w` and `s'S w`.
    image: Vec<f64>,
    along_mean: f64,
    along_shift: f64,
}

impl<'a> Thin<'a> {
    /// None where inner products of the columns are better stored.
    pub(crate) fn new(design: &'a Design, working: &'a [u32], ridge: f64, c: &[f64], w: &[f64]) -> Option<Self> {
        let columns = design.thin_columns()?;
        let entries: usize = working.iter().map(|&j| columns.columns.row_indices(j as usize).len()).sum();
        // A sweep over stored products goes through rows of them, one over sparse columns jumps about.
        if THIN * entries > working.len() * working.len() {
            return None;
        }
        let image = vec![0.0; columns.rows];
        let (c, w, q) = (c.to_vec(), w.to_vec(), c.to_vec());
        Some(Self { design, columns, working, entries, ridge, c, w, q, image, along_mean: 0.0, along_shift: 0.0 })
    }
    pub(crate) fn into_weights(self) -> Vec<f64> {
        self.w
    }
    /// `x_j' X w`.
    fn product(&self, j: usize) -> f64 {
        let own: f64 = self.columns.columns.row(j).map(|(i, v)| v * self.image[i as usize]).sum();
        match self.columns.shift {
            None => own,
            Some((mean, sums, total)) => {
                own - self.along_mean * sums[j] - mean[j] * self.along_shift + mean[j] * self.along_mean * total
            }
        }
    }
    fn add(&mut self, j: usize, change: f64) {
        self.columns.columns.row(j).for_each(|(i, v)| self.image[i as usize] += change * v);
        if let Some((mean, sums, _)) = self.columns.shift {
            self.along_mean += change * mean[j];
            self.along_shift += change * sums[j];
        }
    }
}

impl Inner for Thin<'_> {
    fn state(&self) -> (&[f64], &[f64], &[f64]) {
        (&self.c, &self.w, &self.q)
    }
    fn weights(&mut self) -> &mut [f64] {
        &mut self.w
    }
    fn sweep(&mut self, threshold: f64) {
        for (k, &j) in self.working.iter().enumerate() {
            let own = self.design.squares[j as usize] + self.ridge;
            if own <= 0.0 {
                continue;
            }
            let w = self.w[k];
            let z = self.c[k] - self.product(j as usize) + self.design.squares[j as usize] * w;
            let next = if z.abs() > threshold { (z - threshold.copysign(z)) / own } else { 0.0 };
            if next != w {
                self.w[k] = next;
                self.add(j as usize, next - w);
            }
        }
    }
    fn look(&mut self) {
        for (k, &j) in self.working.iter().enumerate() {
            self.q[k] = self.c[k] - self.product(j as usize) - self.ridge * self.w[k];
        }
    }
    fn refresh(&mut self) {
        self.image.fill(0.0);
        (self.along_mean, self.along_shift) = (0.0, 0.0);
        for k in 0..self.working.len() {
            if self.w[k] != 0.0 {
                self.add(self.working[k] as usize, self.w[k]);
            }
        }
        self.look();
    }
    fn among(&self, support: &[usize]) -> Vec<f64> {
        let chosen: Vec<u32> = support.iter().map(|&k| self.working[k]).collect();
        let mut a = self.design.gram_of(&chosen);
        (0..chosen.len()).for_each(|i| a[i * chosen.len() + i] += self.ridge);
        a
    }
    fn sweeps_of_a_jump(&self, support: usize) -> usize {
        // Products of a factor are some ten times as fast as those of sparse columns.
        support.pow(3) / 3 / (10 * self.entries.max(1))
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
    use crate::data::{Preparation, Prepare, Rows};
    use crate::linalg::{Csr, Matrix};
    use crate::solve::regression::design::Form;

    /// Few entries in each column, by design and row.
    fn sparse(n: usize, p: usize) -> Matrix<f64> {
        Matrix::from_fn(n, p, |i, j| {
            let mixed = (i * 7_919 + j * 104_729 + i * j) % 101;
            if mixed < 4 { mixed as f64 - 1.4 } else { 0.0 }
        })
    }

    #[test]
    fn sparse_columns_and_stored_products_give_the_same_weights() {
        let (n, p) = (400, 220);
        let x = sparse(n, p);
        let rows = Rows::Sparse(Csr::from_dense(&x));
        let y: Vec<f64> = (0..n).map(|i| ((i * 37) % 29) as f64 / 7.0 - 2.0).collect();
        let yy = y.iter().map(|v| v * v).sum::<f64>();
        for (prepare, ridge) in [(Prepare::None, 0.0), (Prepare::Center, 0.0), (Prepare::Center, 0.3)] {
            let prepared = Preparation::fit(prepare, &rows).apply(&rows);
            let design = Design::new(prepared, Form::Residual, None);
            let working: Vec<u32> = (0..p as u32).filter(|j| j % 11 != 3 && design.squares[*j as usize] > 0.0).collect();
            let k = working.len();
            let all = design.correlations(&Tall { values: y.clone(), stride: 1 });
            let c: Vec<f64> = working.iter().map(|&j| all.values[j as usize]).collect();
            for strength in [0.3, 0.003] {
                let alpha = strength * 2.0 * c.iter().fold(0.0f64, |m, v| m.max(v.abs()));
                let mut a = design.gram_of(&working);
                (0..k).for_each(|i| a[i * k + i] += ridge);
                let mut small = Small { a: a.clone(), q: c.clone(), c: c.clone(), w: vec![0.0; k] };
                let mut thin = Thin::new(&design, &working, ridge, &c, &vec![0.0; k]).unwrap();
                assert!(small.solve(alpha, yy, 1e-13 * yy, 20_000) < 20_000);
                assert!(thin.solve(alpha, yy, 1e-13 * yy, 20_000) < 20_000);
                // q = c − A w, whichever way.
                for (r, row) in a.chunks_exact(k).enumerate() {
                    let left = c[r] - row.iter().zip(&thin.w).map(|(a, w)| a * w).sum::<f64>();
                    assert!((thin.q[r] - left).abs() < 1e-9, "{prepare:?} {ridge} {strength}: {} {left}", thin.q[r]);
                }
                let (found, expected) = (thin.gap(alpha, yy).primal, small.gap(alpha, yy).primal);
                assert!((found - expected).abs() < 1e-12 * yy, "{prepare:?} {ridge} {strength}: {found} {expected}");
                let weights = thin.into_weights();
                assert!(weights.iter().any(|w| *w != 0.0));
                // Hardly any curvature leaves weights open.
                for (found, expected) in weights.iter().zip(&small.w).filter(|_| ridge > 0.0 || strength > 0.1) {
                    assert!((found - expected).abs() < 1e-5, "{prepare:?} {ridge} {strength}: {found} {expected}");
                }
            }
        }
        let dense = Preparation::fit(Prepare::None, &Rows::F64(x.clone())).apply(&Rows::F64(x));
        assert!(Thin::new(&Design::new(dense, Form::Residual, None), &[0, 1], 0.0, &[1.0; 2], &[0.0; 2]).is_none());
    }

    /// Weights that reach zero on the way stay there in one jump, and the others end where their slopes vanish.
    #[test]
    fn a_jump_goes_on_where_a_weight_reaches_zero() {
        let k = 4;
        let a: Vec<f64> = (0..k * k).map(|i| if i / k == i % k { 1.0 } else { 0.05 }).collect();
        let (c, w) = (vec![1.6, 1.7, 0.15, 0.25], vec![1.0, 1.0, 0.5, 0.5]);
        let mut small = Small { q: c.clone(), a, c, w };
        small.refresh();
        let before = small.gap(1.0, 9.0).primal;
        assert!(jump(&mut small, 1.0));
        small.refresh();
        assert!(small.gap(1.0, 9.0).primal < before);
        assert_eq!(small.w[2..], [0.0, 0.0]);
        for j in 0..2 {
            assert!((small.q[j] - 0.5).abs() < 1e-12, "{j} {:?}", small.q);
        }
        // Optimal: the gap is that of rounding.
        assert!(small.gap(1.0, 9.0).gap < 1e-12);
    }

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
