//! A primal-dual interior-point method (Helmberg, Rendl, Vanderbei and Wolkowicz 1996, as in CSDP) that uses the structure of
//! the constraints: `a_e = e_i − e_j` has two entries, so that the Schur matrix `(A Z⁻¹ A') ∘ (A X A')` is looked up, not
//! multiplied.

use super::{Program, Solution, UnfoldingOptions, infeasible};
use crate::error::{Error, Result};
use crate::linalg::dense::{Cholesky, add_matmul};
use crate::linalg::tall::Tall;
use crate::progress::Progress;
use faer::linalg::solvers::DenseSolveCore;
use faer::{Mat, Side};
use rayon::prelude::*;

const MAX_ITERATIONS: usize = 120;
/// Iterations without progress after which it stops.
const STALLED: usize = 12;
/// Share of the step to the boundary that is taken.
const STEP: f64 = 0.95;
/// A dual ray this steep, in units of the program, proves infeasibility.
const RAY: f64 = 1e8;

/// All points but the last, which is fixed at the origin.
struct State<'a> {
    program: &'a Program,
    /// Free points.
    m: usize,
    c: Mat<f64>,
    x: Mat<f64>,
    y: Vec<f64>,
    z: Mat<f64>,
    /// Slacks of `≤` and their duals; empty for equalities.
    slack: Vec<f64>,
    dual: Vec<f64>,
}

fn product(a: &Mat<f64>, b: &Mat<f64>) -> Mat<f64> {
    let mut out = Mat::zeros(a.nrows(), b.ncols());
    add_matmul(out.as_mut(), a.as_ref(), b.as_ref(), 1.0);
    out
}

fn symmetrized(m: &Mat<f64>) -> Mat<f64> {
    Mat::from_fn(m.nrows(), m.ncols(), |i, j| 0.5 * (m[(i, j)] + m[(j, i)]))
}

fn inner(a: &Mat<f64>, b: &Mat<f64>) -> f64 {
    (0..a.ncols()).map(|j| (0..a.nrows()).map(|i| a[(i, j)] * b[(i, j)]).sum::<f64>()).sum()
}

fn norm(a: &Mat<f64>) -> f64 {
    inner(a, a).sqrt()
}

impl State<'_> {
    /// `a_e' M a_e` of every edge.
    fn along_edges(&self, m: &Mat<f64>) -> Vec<f64> {
        let at = |i: usize, j: usize| if i < self.m && j < self.m { m[(i, j)] } else { 0.0 };
        self.program.edges.iter().map(|&(i, j)| at(i, i) - at(i, j) - at(j, i) + at(j, j)).collect()
    }
    /// `Σ y_e a_e a_e'`.
    fn laplacian(&self, y: &[f64]) -> Mat<f64> {
        let mut out = Mat::zeros(self.m, self.m);
        for (&(i, j), v) in self.program.edges.iter().zip(y) {
            out[(i, i)] += v;
            if j < self.m {
                out[(j, j)] += v;
                out[(i, j)] -= v;
                out[(j, i)] -= v;
            }
        }
        out
    }
    /// The lower triangle of the Schur matrix.
    fn schur(&self, inverse: &Mat<f64>) -> Mat<f64> {
        let (m, edges) = (self.m, &self.program.edges);
        let count = edges.len();
        let row_of = |matrix: &Mat<f64>, i: usize, j: usize, out: &mut Vec<f64>| {
            out.clear();
            out.extend((0..m).map(|k| matrix[(k, i)] - if j < m { matrix[(k, j)] } else { 0.0 }));
            out.push(0.0);
        };
        let mut out = Mat::zeros(count, count);
        let columns: Vec<_> = out.col_iter_mut().collect();
        columns.into_par_iter().enumerate().for_each_init(
            || (vec![], vec![]),
            |(u, v), (f, mut column)| {
                let (i, j) = edges[f];
                row_of(inverse, i, j, u);
                row_of(&self.x, i, j, v);
                for e in f..count {
                    let (k, l) = edges[e];
                    column[e] = (u[k] - u[l]) * (v[k] - v[l]);
                }
            },
        );
        for e in 0..self.slack.len() {
            out[(e, e)] += self.slack[e] / self.dual[e];
        }
        out
    }
    fn complementarity(&self) -> f64 {
        let pairs: f64 = self.slack.iter().zip(&self.dual).map(|(s, z)| s * z).sum();
        (inner(&self.x, &self.z) + pairs) / (self.m + self.slack.len()) as f64
    }
}

/// A search direction.
struct Direction {
    x: Mat<f64>,
    y: Vec<f64>,
    z: Mat<f64>,
    slack: Vec<f64>,
    dual: Vec<f64>,
}

/// The largest step of at most 1 that keeps the matrix positive definite, with a small margin.
fn matrix_step(at: &Mat<f64>, direction: &Mat<f64>) -> f64 {
    let inside = |step: f64| {
        let moved = Mat::from_fn(at.nrows(), at.ncols(), |i, j| at[(i, j)] + step * direction[(i, j)]);
        Cholesky::new(moved, 0.0).is_some()
    };
    if inside(1.0 / STEP) {
        return 1.0;
    }
    let (mut low, mut high) = (1.0 / STEP, 1.0 / STEP);
    for _ in 0..60 {
        low *= 0.7;
        if inside(low) {
            break;
        }
        high = low;
    }
    for _ in 0..4 {
        let middle = 0.5 * (low + high);
        if inside(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    STEP * low
}

fn vector_step(at: &[f64], direction: &[f64]) -> f64 {
    let bound = at.iter().zip(direction).filter(|(_, d)| **d < 0.0).fold(f64::INFINITY, |b, (a, d)| b.min(-a / d));
    (STEP * bound).min(1.0)
}

fn add(to: &mut Mat<f64>, step: f64, direction: &Mat<f64>) {
    for j in 0..to.ncols() {
        for i in 0..to.nrows() {
            to[(i, j)] += step * direction[(i, j)];
        }
    }
}

fn add_vector(to: &mut [f64], step: f64, direction: &[f64]) {
    to.iter_mut().zip(direction).for_each(|(v, d)| *v += step * d);
}

/// The parts of the Newton system of one iteration.
struct System<'a, 'b> {
    state: &'a State<'b>,
    inverse: &'a Mat<f64>,
    factor: &'a Cholesky,
    /// `A'(y) − C − Z`; `None` when it vanishes.
    dual_residual: Option<&'a Mat<f64>>,
    /// `y − z` of the slacks.
    slack_residual: &'a [f64],
}

impl System<'_, '_> {
    /// The direction towards complementarity `mu`, corrected by an earlier direction.
    fn solve(&self, mu: f64, earlier: Option<&Direction>) -> Direction {
        let (state, m) = (self.state, self.state.m);
        // X R Z⁻¹ of the dual residual, and the second-order term of the earlier direction.
        let mut extra: Option<Mat<f64>> = self.dual_residual.map(|r| product(&product(&state.x, r), self.inverse));
        if let Some(earlier) = earlier {
            let second = product(&product(&earlier.x, &earlier.z), self.inverse);
            match &mut extra {
                Some(extra) => add(extra, 1.0, &second),
                None => extra = Some(second),
            }
        }
        let towards = state.along_edges(self.inverse);
        let extra_edges = extra.as_ref().map(|e| state.along_edges(e));
        let count = state.program.edges.len();
        let slack_pull = |e: usize| {
            let second = earlier.map_or(0.0, |d| d.slack[e] * d.dual[e]);
            (mu - second) / state.dual[e] - state.slack[e] / state.dual[e] * self.slack_residual[e]
        };
        let mut rhs = Tall::zeros(count, 1);
        for e in 0..count {
            rhs.values[e] = mu * towards[e] - state.program.squares[e] - extra_edges.as_ref().map_or(0.0, |x| x[e]);
            if !state.slack.is_empty() {
                rhs.values[e] += slack_pull(e);
            }
        }
        self.factor.solve_lower(&mut rhs);
        self.factor.solve_upper(&mut rhs);
        let y = rhs.values;
        let step = state.laplacian(&y);
        let mut z = step.clone();
        if let Some(r) = self.dual_residual {
            add(&mut z, 1.0, r);
        }
        let mut x = product(&product(&state.x, &step), self.inverse);
        if let Some(extra) = &extra {
            add(&mut x, 1.0, extra);
        }
        let x = Mat::from_fn(m, m, |i, j| mu * self.inverse[(i, j)] - state.x[(i, j)] - 0.5 * (x[(i, j)] + x[(j, i)]));
        let (mut slack, mut dual) = (vec![], vec![]);
        for e in 0..state.slack.len() {
            let d = y[e] + self.slack_residual[e];
            let second = earlier.map_or(0.0, |d| d.slack[e] * d.dual[e]);
            slack.push((mu - second) / state.dual[e] - state.slack[e] - state.slack[e] / state.dual[e] * d);
            dual.push(d);
        }
        Direction { x, y, z, slack, dual }
    }
}

pub(super) fn solve(program: &Program, options: &UnfoldingOptions, progress: &Progress) -> Result<Solution> {
    let p = program.points();
    let (m, total) = (p - 1, program.total());
    let w = &program.weights;
    let c = Mat::from_fn(m, m, |i, j| if i == j { w[i] - w[i] * w[i] / total } else { -w[i] * w[j] / total });
    let largest = program.squares.iter().fold(0.0f64, |a, b| a.max(*b));
    let (start_x, start_z) = (10.0 * p as f64 * (1.0 + largest) / 3.0, 10.0 * (1.0 + norm(&c).max(2.0)));
    let diagonal = |v: f64| Mat::from_fn(m, m, |i, j| if i == j { v } else { 0.0 });
    let slacks = if program.equality { 0 } else { program.edges.len() };
    let mut state = State {
        program,
        m,
        x: diagonal(start_x),
        y: vec![0.0; program.edges.len()],
        z: diagonal(start_z),
        slack: vec![start_x; slacks],
        dual: vec![start_z; slacks],
        c,
    };
    let scale_p = 1.0 + program.squares.iter().map(|b| b * b).sum::<f64>().sqrt();
    let scale_d = 1.0 + norm(&state.c);
    let mut best: Option<(f64, Mat<f64>, Vec<f64>)> = None;
    let (mut iterations, mut stalled) = (0, 0);
    for iteration in 0..MAX_ITERATIONS {
        progress.step("unfolding", iteration, 0)?;
        iterations = iteration;
        let mut dual_residual = state.laplacian(&state.y);
        add(&mut dual_residual, -1.0, &state.c);
        add(&mut dual_residual, -1.0, &state.z);
        let slack_residual: Vec<f64> = state.dual.iter().zip(&state.y).map(|(z, y)| y - z).collect();
        let lengths = state.along_edges(&state.x);
        let misses: Vec<f64> =
            (0..lengths.len()).map(|e| program.squares[e] - lengths[e] - state.slack.get(e).copied().unwrap_or(0.0)).collect();
        let primal = misses.iter().map(|v| v * v).sum::<f64>().sqrt() / scale_p;
        let dual = (norm(&dual_residual).powi(2) + slack_residual.iter().map(|v| v * v).sum::<f64>()).sqrt() / scale_d;
        let objective = inner(&state.c, &state.x);
        let bound: f64 = state.y.iter().zip(&program.squares).map(|(y, b)| y * b).sum();
        let gap = (bound - objective).abs() / (1.0 + objective.abs() + bound.abs());
        if !(objective.is_finite() && bound.is_finite()) {
            break;
        }
        let worst = gap.max(primal).max(dual);
        if best.as_ref().is_none_or(|b| worst < 0.9 * b.0) {
            best = Some((worst, state.x.clone(), state.y.clone()));
            stalled = 0;
        } else {
            stalled += 1;
        }
        // Without an interior, or close to the boundary, rounding errors stop the progress.
        if worst <= 0.1 * options.tolerance || (stalled >= STALLED && iteration > 20) {
            break;
        }
        // A dual ray along which the bound falls without limit: `Σ y_e a_e a_e' ⪰ 0`, `Σ y_e d_e² < 0`.
        if dual <= 1e-6 && bound < -RAY * scale_d {
            return Err(infeasible("no points have these distances (a dual ray proves it)".into()));
        }
        let Ok(factor_z) = state.z.llt(Side::Lower) else { break };
        let inverse = symmetrized(&factor_z.inverse());
        let mut schur = state.schur(&inverse);
        let count = schur.nrows();
        let lift = (0..count).map(|e| schur[(e, e)]).fold(0.0, f64::max) * 1e-15;
        (0..count).for_each(|e| schur[(e, e)] += lift);
        let Some(factor) = factor_of(schur) else { break };
        let residual = (norm(&dual_residual) > 1e-13 * scale_d).then_some(&dual_residual);
        let system = System {
            state: &state,
            inverse: &inverse,
            factor: &factor,
            dual_residual: residual,
            slack_residual: &slack_residual,
        };
        let mu = state.complementarity();
        let first = system.solve(0.0, None);
        let (px, pz) = steps(&state, &first);
        let after = moved_complementarity(&state, &first, px, pz);
        let centring = (after / mu).powi(2).clamp(1e-6, 1.0) * if px.min(pz) < 0.1 { 5.0 } else { 1.0 };
        let direction = system.solve(mu * centring.min(0.9), Some(&first));
        let (mut px, mut pz) = steps(&state, &direction);
        let mut direction = direction;
        if px.min(pz) < 1e-3 {
            // The corrected direction makes no progress: take a plain centring step.
            direction = system.solve(mu * 0.5, None);
            (px, pz) = steps(&state, &direction);
        }
        if px.max(pz) < 1e-8 {
            break;
        }
        add(&mut state.x, px, &direction.x);
        add_vector(&mut state.slack, px, &direction.slack);
        add_vector(&mut state.y, pz, &direction.y);
        add(&mut state.z, pz, &direction.z);
        add_vector(&mut state.dual, pz, &direction.dual);
    }
    let Some((worst, x, y)) = best else {
        return Err(Error::Overflow { what: "unfolding".into() });
    };
    if worst > 1e-2 {
        return Err(infeasible("no points with these distances were found".into()));
    }
    let at = |i: usize, j: usize| if i < m && j < m { x[(i, j)] } else { 0.0 };
    let gram = (0..p * p).map(|k| at(k / p, k % p)).collect();
    let (bound, dual_violation) = certificate(&state, &y)?;
    Ok(Solution { gram, bound, dual_violation, iterations, solver: format!("interior point, {} edges", program.edges.len()) })
}

fn factor_of(mut schur: Mat<f64>) -> Option<Cholesky> {
    let diagonal: Vec<f64> = (0..schur.nrows()).map(|e| schur[(e, e)]).collect();
    for lift in [0.0, 1e-13, 1e-10] {
        (0..diagonal.len()).for_each(|e| schur[(e, e)] = diagonal[e] * (1.0 + lift));
        if let Some(factor) = Cholesky::new(schur.clone(), 0.0) {
            return Some(factor);
        }
    }
    None
}

fn steps(state: &State<'_>, direction: &Direction) -> (f64, f64) {
    let primal = matrix_step(&state.x, &direction.x).min(vector_step(&state.slack, &direction.slack));
    let dual = matrix_step(&state.z, &direction.z).min(vector_step(&state.dual, &direction.dual));
    (primal, dual)
}

fn moved_complementarity(state: &State<'_>, d: &Direction, px: f64, pz: f64) -> f64 {
    let cross = inner(&state.x, &state.z) + px * inner(&d.x, &state.z) + pz * inner(&state.x, &d.z) + px * pz * inner(&d.x, &d.z);
    let slack: f64 = (0..state.slack.len()).map(|e| (state.slack[e] + px * d.slack[e]) * (state.dual[e] + pz * d.dual[e])).sum();
    (cross + slack).max(0.0) / (state.m + state.slack.len()) as f64
}

/// The dual objective, and the distance of `Σ y_e a_e a_e' − C` from positive semidefinite.
fn certificate(state: &State<'_>, y: &[f64]) -> Result<(f64, f64)> {
    let mut z = state.laplacian(y);
    add(&mut z, -1.0, &state.c);
    let (values, _) = crate::linalg::whitening::symmetric_eigen(&z)?;
    let least = values.first().copied().unwrap_or(0.0);
    let negative = if state.program.equality { 0.0 } else { y.iter().fold(0.0f64, |a, v| a.max(-v)) };
    let bound = y.iter().zip(&state.program.squares).map(|(y, b)| y * b).sum();
    Ok((bound, (-least).max(negative).max(0.0) / (1.0 + norm(&state.c))))
}
