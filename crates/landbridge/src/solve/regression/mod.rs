//! Penalised least squares for many targets at once:
//! `|Y − XW|² + α |W|₁ + β Σ |w_k − w_{k−1}| + γ |W|²` and its group form (Sparse12 §2.2; no factor ½, no intercept).
//!
//! Every solve stops at a duality gap. `lasso.rs`: working sets and safe screening around `small.rs`, which alternates
//! coordinate descent and exact solves for the current signs. `fused.rs`: accelerated proximal steps (`total_variation.rs`) and
//! exact solves for the current runs. `group.rs`: block coordinate descent over all targets together. `least_squares.rs`: the
//! smooth penalties. `design.rs`: the design matrix; sparse rows stay sparse, centring is implicit.

mod design;
mod fused;
mod group;
mod lasso;
mod least_squares;
mod small;
mod total_variation;

pub use design::Form;
pub use total_variation::total_variation;

use crate::data::prepared::Prepared;
use crate::data::{Preparation, Prepare, Rows, check_rows};
use crate::error::{Error, Result};
use crate::linalg::tall::Tall;
use crate::linalg::whitening::{Whitener, Whitening};
use crate::linalg::{Csr, Matrix};
use crate::outcome::Status;
use crate::progress::Progress;
use design::Design;
use faer::Mat;
use rayon::prelude::*;

/// The penalty added to the squared error; every strength is absolute.
#[derive(Clone, Debug, PartialEq)]
pub enum Penalty {
    /// γ |W|²; with γ = 0 the solution of minimum norm.
    Ridge {
        /// γ.
        gamma: f64,
    },
    /// α |W|₁ + γ |W|²: the lasso, and with γ > 0 the elastic net.
    Lasso {
        /// α.
        alpha: f64,
        /// γ.
        gamma: f64,
    },
    /// α Σ_g √|g| |W_g|, the norm of W_g taken over the features of the group and all targets.
    Group {
        /// α.
        alpha: f64,
        /// Features of each group; every feature in exactly one.
        groups: Vec<Vec<u32>>,
    },
    /// α |W|₁ + β Σ_k |w_k − w_{k−1}|.
    Fused {
        /// α.
        alpha: f64,
        /// β.
        beta: f64,
    },
}

impl Penalty {
    /// The same penalty for rows multiplied by `s`: weights are then divided by s.
    fn scaled(&self, s: f64) -> Self {
        match self {
            Penalty::Ridge { gamma } => Penalty::Ridge { gamma: gamma * s * s },
            Penalty::Lasso { alpha, gamma } => Penalty::Lasso { alpha: alpha * s, gamma: gamma * s * s },
            Penalty::Group { alpha, groups } => Penalty::Group { alpha: alpha * s, groups: groups.clone() },
            Penalty::Fused { alpha, beta } => Penalty::Fused { alpha: alpha * s, beta: beta * s },
        }
    }
    fn check(&self, features: usize) -> Result<()> {
        let strength = |name: &str, value: f64| {
            let fine = value.is_finite() && value >= 0.0;
            if fine { Ok(()) } else { Err(Error::parameter(name, value, "zero or a positive finite number")) }
        };
        match self {
            Penalty::Ridge { gamma } => strength("gamma", *gamma),
            Penalty::Lasso { alpha, gamma } => strength("alpha", *alpha).and(strength("gamma", *gamma)),
            Penalty::Group { alpha, groups } => strength("alpha", *alpha).and_then(|()| check_groups(groups, features)),
            Penalty::Fused { alpha, beta } => strength("alpha", *alpha).and(strength("beta", *beta)),
        }
    }
}

/// Every feature must be in exactly one group.
pub(crate) fn check_groups(groups: &[Vec<u32>], features: usize) -> Result<()> {
    let expected = "groups in which every feature occurs exactly once";
    let bad = |value: String| Err(Error::parameter("groups", value, expected));
    let mut seen = vec![false; features];
    for (g, group) in groups.iter().enumerate() {
        if group.is_empty() {
            return bad(format!("with an empty group {g}"));
        }
        for &j in group {
            match seen.get_mut(j as usize) {
                None => return bad(format!("with feature {j} of {features} (counted from 0)")),
                Some(true) => return bad(format!("with feature {j} twice")),
                Some(seen) => *seen = true,
            }
        }
    }
    match seen.iter().position(|s| !s) {
        Some(j) => bad(format!("without feature {j} (counted from 0)")),
        None => Ok(()),
    }
}

/// Options that change accuracy and speed, not meaning.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RegressionOptions {
    /// Duality gap to reach, relative to the objective of each target.
    pub tolerance: f64,
    /// How inner products are computed.
    pub form: Form,
}

impl Default for RegressionOptions {
    fn default() -> Self {
        Self { tolerance: 1e-8, form: Form::Auto }
    }
}

/// A solved regression.
#[derive(Clone, Debug, PartialEq)]
pub struct Regression {
    /// W: a row per feature, a column per target; only non-zero weights are stored.
    pub weights: Csr,
    /// The smallest objective found, summed over the targets.
    pub objective: f64,
    /// Largest duality gap of a target (of all together for groups), relative to its objective.
    pub gap: f64,
    /// Sweeps or proximal steps, summed over the targets.
    pub iterations: usize,
    /// Whether every gap reached the tolerance.
    pub status: Status,
    /// The smallest α at which every weight is 0, given the other strengths; `None` without α.
    pub largest_alpha: Option<f64>,
}

/// The non-zero weights of one target, features ascending.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Column {
    pub(crate) indices: Vec<u32>,
    pub(crate) values: Vec<f64>,
}

impl Column {
    fn from_dense(features: &[u32], weights: &[f64]) -> Self {
        let (indices, values) = features.iter().zip(weights).filter(|(_, w)| **w != 0.0).map(|(j, w)| (*j, *w)).unzip();
        Self { indices, values }
    }
}

/// The gap at which a solve stops: relative to the objective, but not below the rounding error of |y|².
fn allowed(tolerance: f64, primal: f64, yy: f64) -> f64 {
    tolerance * primal.max(1e-5 * yy)
}

/// The result of a solver, in the units of its design.
#[derive(Clone, Debug)]
pub(crate) struct Solved {
    pub(crate) columns: Vec<Column>,
    pub(crate) objective: f64,
    pub(crate) gap: f64,
    pub(crate) iterations: usize,
    pub(crate) status: Status,
}

impl Default for Solved {
    fn default() -> Self {
        Self { columns: vec![], objective: 0.0, gap: 0.0, iterations: 0, status: Status::Converged }
    }
}

impl Solved {
    fn add(&mut self, primal: f64, gap: f64, yy: f64, tolerance: f64) {
        self.objective += primal;
        let unit = allowed(1.0, primal, yy);
        let relative = if unit > 0.0 { gap / unit } else { 0.0 };
        self.gap = self.gap.max(relative);
        if relative > tolerance {
            self.status = Status::ReducedAccuracy;
        }
    }
}

/// Rows and targets, ready for any penalty: quantities that do not depend on its strength are computed once. Strengths are for
/// the rows of the design, multiplied by [`Problem::scale`], so that none is lost when squares would underflow or overflow.
pub(crate) struct Problem {
    design: Design,
    /// Kept for least squares.
    x: Prepared,
    y: Tall,
    /// `X'Y`, a row per feature.
    c: Tall,
    /// The same, a row per target.
    by_target: Tall,
    yy: Vec<f64>,
}

impl Problem {
    /// `mean` holds the means that were subtracted from the columns, if any.
    pub(crate) fn new(x: Prepared, y: Tall, form: Form, mean: Option<&[f64]>) -> Result<Self> {
        let width = y.stride;
        let mut yy = vec![0.0; width];
        y.values.chunks_exact(width).for_each(|row| yy.iter_mut().zip(row).for_each(|(s, v)| *s += v * v));
        let design = Design::new(x.clone(), form, mean);
        let c = design.correlations(&y);
        if yy.iter().chain(&c.values).chain(&design.squares).any(|v| !v.is_finite()) {
            return Err(Error::Overflow { what: "squares of the regression".into() });
        }
        let p = design.n_columns();
        let mut by_target = Tall::zeros(width, p);
        for (j, row) in c.values.chunks_exact(width).enumerate() {
            row.iter().enumerate().for_each(|(t, v)| by_target.values[t * p + j] = *v);
        }
        Ok(Self { design, x, y, c, by_target, yy })
    }
    fn design(&self) -> &Design {
        &self.design
    }
    pub(crate) fn n_features(&self) -> usize {
        self.x.ncols()
    }
    /// Scale factor of the rows; mostly 1.
    pub(crate) fn scale(&self) -> f64 {
        self.design().scale()
    }
    /// Mean diagonal of `X'X`: the unit of a relative γ.
    pub(crate) fn mean_square(&self) -> f64 {
        self.design().mean_square()
    }
    /// The smallest α at which the lasso (or the group lasso) has no non-zero weight.
    pub(crate) fn largest_alpha(&self, groups: Option<&[Vec<u32>]>) -> f64 {
        let width = self.c.stride;
        match groups {
            None => 2.0 * self.c.values.iter().fold(0.0f64, |m, v| m.max(v.abs())),
            Some(groups) => {
                let square = |j: u32| self.c.values[j as usize * width..][..width].iter().map(|v| v * v).sum::<f64>();
                let one = |g: &Vec<u32>| (g.iter().map(|&j| square(j)).sum::<f64>() / g.len() as f64).sqrt();
                2.0 * groups.iter().map(one).fold(0.0, f64::max)
            }
        }
    }
    /// The same for the fused lasso with that β.
    pub(crate) fn largest_fused_alpha(&self, beta: f64) -> f64 {
        let p = self.n_features();
        let doubled: Vec<f64> = self.by_target.values.iter().map(|v| 2.0 * v).collect();
        let mut largest = 0.0;
        for g in doubled.chunks_exact(p) {
            let vanishes = |alpha: f64| fused::dual_norm(g, alpha, beta) <= 1.0;
            if vanishes(largest) {
                continue;
            }
            let (mut low, mut high) = (largest, g.iter().fold(0.0f64, |m, v| m.max(v.abs())));
            for _ in 0..60 {
                let middle = 0.5 * (low + high);
                if vanishes(middle) { high = middle } else { low = middle }
            }
            largest = high;
        }
        largest
    }

    /// Solves, with a warm start from the weights of a neighbouring strength if there are any.
    pub(crate) fn solve(
        &self,
        penalty: &Penalty,
        start: Option<&Solved>,
        tolerance: f64,
        progress: &Progress,
    ) -> Result<(Csr, Solved)> {
        let design = self.design();
        let columns = start.map_or(&[][..], |s| &s.columns);
        let solved = match penalty {
            Penalty::Ridge { gamma } | Penalty::Lasso { alpha: 0.0, gamma } => {
                return self.least_squares(*gamma);
            }
            Penalty::Group { alpha: 0.0, .. } => return self.least_squares(0.0),
            Penalty::Fused { alpha: 0.0, beta: 0.0 } => return self.least_squares(0.0),
            Penalty::Lasso { alpha, gamma } => {
                lasso::solve(design, &self.by_target, &self.yy, *alpha, *gamma, columns, tolerance, progress)?
            }
            Penalty::Fused { alpha, beta: 0.0 } => {
                lasso::solve(design, &self.by_target, &self.yy, *alpha, 0.0, columns, tolerance, progress)?
            }
            Penalty::Fused { alpha, beta } => {
                fused::solve(design, &self.by_target, &self.yy, (*alpha, *beta), columns, tolerance, progress)?
            }
            Penalty::Group { alpha, groups } => {
                let (p, width) = (self.n_features(), self.y.stride);
                let mut w = Tall::zeros(p, width);
                for (t, column) in columns.iter().enumerate() {
                    column.indices.iter().zip(&column.values).for_each(|(&j, &v)| w.values[j as usize * width + t] = v);
                }
                let yy = self.yy.iter().sum();
                let (w, mut solved) = group::solve(design, &self.c, yy, *alpha, 0.0, groups, w, tolerance, progress)?;
                let features: Vec<u32> = (0..p as u32).collect();
                let mut column = vec![0.0; p];
                for t in 0..width {
                    (0..p).for_each(|j| column[j] = w.values[j * width + t]);
                    solved.columns.push(Column::from_dense(&features, &column));
                }
                solved
            }
        };
        Ok((self.weights(&solved.columns), solved))
    }

    /// Converts columns in the units of the design to weights of the rows as given.
    fn weights(&self, columns: &[Column]) -> Csr {
        let s = self.design().scale();
        let (mut indptr, mut indices, mut values) = (vec![0], vec![], vec![]);
        for column in columns {
            indices.extend_from_slice(&column.indices);
            values.extend(column.values.iter().map(|v| v * s));
            indptr.push(indices.len());
        }
        Csr::from_sorted(indptr, indices, values, self.n_features()).transpose()
    }

    /// Least squares over the features selected for each target, with that ridge in units of the mean diagonal of `X'X`.
    pub(crate) fn refit(&self, solved: &Solved, ridge: f64) -> Result<Csr> {
        let (design, p) = (self.design(), self.n_features());
        let ridge = ridge * design.mean_square();
        let one = |(t, column): (usize, &Column)| -> Result<Column> {
            let k = column.indices.len();
            let a = design.gram_of(&column.indices);
            let a = Mat::from_fn(k, k, |i, j| a[i * k + j] + if i == j { ridge } else { 0.0 });
            let values = column.indices.iter().map(|&j| self.by_target.values[t * p + j as usize]).collect();
            let whitening = Whitening(vec![Whitener::new(a)?]);
            let values = whitening.expand(&whitening.shrink(&Tall { values, stride: 1 })).values;
            Ok(Column { indices: column.indices.clone(), values })
        };
        let columns: Vec<Column> = solved.columns.par_iter().enumerate().map(one).collect::<Result<_>>()?;
        Ok(self.weights(&columns))
    }

    fn least_squares(&self, gamma: f64) -> Result<(Csr, Solved)> {
        let (w, solved, _) = least_squares::solve(self.x.clone(), &self.y, gamma)?;
        Ok((Csr::from_dense(&w), solved))
    }
}

/// The constant columns, given the means that were subtracted.
pub(crate) fn constant_columns(x: &Prepared, mean: Option<&[f64]>) -> Vec<bool> {
    Design::new(x.clone(), Form::Residual, mean).squares.iter().map(|s| *s == 0.0).collect()
}

/// The regression on the identity, exactly: `min |Y − W|² + penalty(W)`, and its objective. The fused penalty takes the rows in
/// their order.
pub(crate) fn shrink(y: &Tall, penalty: &Penalty, order: Option<&[u32]>) -> (Tall, f64) {
    let (n, width) = (y.n(), y.stride);
    let mut w = y.clone();
    let soft = |values: &mut [f64], by: f64| {
        values.iter_mut().for_each(|v| *v = if v.abs() > by { *v - by.copysign(*v) } else { 0.0 });
    };
    let mut cost = 0.0;
    let l1 = |w: &Tall| w.values.iter().map(|v| v.abs()).sum::<f64>();
    let square = |w: &Tall| w.values.iter().map(|v| v * v).sum::<f64>();
    match penalty {
        Penalty::Ridge { gamma } | Penalty::Lasso { alpha: 0.0, gamma } => {
            w.values.iter_mut().for_each(|v| *v /= 1.0 + gamma);
            cost += gamma * square(&w);
        }
        Penalty::Lasso { alpha, gamma } => {
            soft(&mut w.values, 0.5 * alpha);
            w.values.iter_mut().for_each(|v| *v /= 1.0 + gamma);
            cost += alpha * l1(&w) + gamma * square(&w);
        }
        Penalty::Group { alpha, groups } => {
            for group in groups {
                let row = |i: u32| i as usize * width..(i as usize + 1) * width;
                let length = group.iter().flat_map(|&i| &y.values[row(i)]).map(|v| v * v).sum::<f64>().sqrt();
                let strength = alpha * (group.len() as f64).sqrt();
                let factor = if length > 0.5 * strength { 1.0 - 0.5 * strength / length } else { 0.0 };
                group.iter().for_each(|&i| w.values[row(i)].iter_mut().for_each(|v| *v *= factor));
                cost += strength * factor * length;
            }
        }
        Penalty::Fused { alpha, beta } => {
            let mut string = total_variation::TautString::default();
            for t in 0..width {
                let at = |k: usize| order.map_or(k, |o| o[k] as usize) * width + t;
                let mut column: Vec<f64> = (0..n).map(|k| y.values[at(k)]).collect();
                string.denoise(&mut column, 0.5 * beta);
                soft(&mut column, 0.5 * alpha);
                cost += beta * column.windows(2).map(|p| (p[1] - p[0]).abs()).sum::<f64>();
                (0..n).for_each(|k| w.values[at(k)] = column[k]);
            }
            cost += alpha * l1(&w);
        }
    }
    let error: f64 = y.values.iter().zip(&w.values).map(|(y, w)| (y - w) * (y - w)).sum();
    (w, error + cost)
}

/// Solves one regression on rows as they are: nothing is centred, and there is no intercept.
///
/// ```
/// use landbridge::data::Rows;
/// use landbridge::linalg::Matrix;
/// use landbridge::progress::Progress;
/// use landbridge::solve::regression::{Penalty, RegressionOptions, regress};
/// // Orthogonal columns: the lasso is soft-thresholding.
/// let x = Rows::F64(Matrix::from_rows(&[[1.0, 0.0], [0.0, 1.0]])?);
/// let y = Matrix::from_rows(&[[3.0], [0.4]])?;
/// let penalty = Penalty::Lasso { alpha: 1.0, gamma: 0.0 };
/// let found = regress(&x, &y, &penalty, &RegressionOptions::default(), &Progress::silent())?;
/// assert_eq!(found.weights.to_dense().as_slice(), [2.5, 0.0]);
/// # Ok::<(), landbridge::Error>(())
/// ```
pub fn regress(
    x: &Rows,
    y: &Matrix<f64>,
    penalty: &Penalty,
    options: &RegressionOptions,
    progress: &Progress,
) -> Result<Regression> {
    let mut path = regress_path(x, y, std::slice::from_ref(penalty), options, progress)?;
    path.pop().ok_or_else(|| Error::parameter("penalties", "empty", "at least one"))
}

/// Solves one regression for several penalties in turn, each with a warm start from the one before.
pub fn regress_path(
    x: &Rows,
    y: &Matrix<f64>,
    penalties: &[Penalty],
    options: &RegressionOptions,
    progress: &Progress,
) -> Result<Vec<Regression>> {
    check_rows("X", x)?;
    check_rows("Y", &Rows::F64(y.clone()))?;
    if x.nrows() != y.nrows() {
        let (expected, got) = (format!("{} rows, as X has", x.nrows()), format!("{} rows", y.nrows()));
        return Err(Error::Shape { what: "Y".into(), expected, got });
    }
    if !(options.tolerance.is_finite() && options.tolerance > 0.0) {
        return Err(Error::parameter("tolerance", options.tolerance, "a positive finite number"));
    }
    penalties.iter().try_for_each(|p| p.check(x.ncols()))?;
    let prepared = Preparation::fit(Prepare::None, x).apply(x);
    let problem = Problem::new(prepared, Tall { values: y.as_slice().to_vec(), stride: y.ncols() }, options.form, None)?;
    let mut found: Vec<Regression> = vec![];
    let mut last: Option<Solved> = None;
    for penalty in penalties {
        let scaled = penalty.scaled(problem.scale());
        let (weights, solved) = problem.solve(&scaled, last.as_ref(), options.tolerance, progress)?;
        let largest_alpha = match &scaled {
            Penalty::Ridge { .. } => None,
            Penalty::Lasso { .. } => Some(problem.largest_alpha(None)),
            Penalty::Group { groups, .. } => Some(problem.largest_alpha(Some(groups))),
            Penalty::Fused { beta, .. } => Some(problem.largest_fused_alpha(*beta)),
        };
        let largest_alpha = largest_alpha.map(|a| a / problem.scale());
        found.push(Regression {
            weights,
            objective: solved.objective,
            gap: solved.gap,
            iterations: solved.iterations,
            status: solved.status,
            largest_alpha,
        });
        last = Some(solved);
    }
    Ok(found)
}

#[cfg(test)]
mod tests;
