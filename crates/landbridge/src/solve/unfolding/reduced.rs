//! The acceleration of Weinberger, Sha, Zhu and Saul (2006): coordinates combine the smoothest functions of the graph, so that
//! the number of unknowns does not grow with the number of points.
//!
//! With `X = QYQ'`, Q the bottom eigenvectors of the graph's Laplacian, the program with distances that may shrink is still a
//! semidefinite program with interior. Its Schur matrix is `S + G G'`, S the diagonal of the slacks and G with r² columns, so
//! that one iteration costs O(edges r⁴) instead of O(edges³).

use super::{Program, Solution, UnfoldingOptions};
use crate::error::{Error, Result};
use crate::linalg::dense::{Cholesky, add_symmetric_matmul};
use crate::linalg::tall::Tall;
use crate::linalg::whitening::symmetric_eigen;
use crate::linalg::{Csr, Matrix};
use crate::problem::spectral::{LaplacianPencil, Mass};
use crate::progress::Progress;
use crate::solve::eigen::{EigenOptions, smallest_nonzero};
use faer::linalg::solvers::DenseSolveCore;
use faer::{Mat, Side};

const MAX_ITERATIONS: usize = 80;
const STEP: f64 = 0.95;

/// `max tr CY`, `a_e' Y a_e ≤ b_e`, dense in r dimensions.
struct Small {
    c: Mat<f64>,
    /// a_e, one per row.
    a: Mat<f64>,
    b: Vec<f64>,
}

/// The smoothest functions of the graph, one per column; at most as many as there are.
pub(super) fn smooth_functions(program: &Program, count: usize, progress: &Progress) -> Result<Matrix<f64>> {
    let p = program.points();
    let both: Vec<(usize, usize, f64)> = program.edges.iter().flat_map(|&(i, j)| [(i, j, 1.0), (j, i, 1.0)]).collect();
    let graph = Csr::from_triplets(p, p, &both)?;
    let pencil = LaplacianPencil::new(&graph, Mass::Identity);
    Ok(smallest_nonzero(&pencil, count.min(p - 1), &EigenOptions::default(), progress)?.vectors)
}

/// Coordinates `QY^½` of the points, the dual of every edge, and iterations.
pub(super) fn coordinates(
    program: &Program,
    count: usize,
    tolerance: f64,
    progress: &Progress,
) -> Result<(Mat<f64>, Vec<f64>, usize)> {
    let p = program.points();
    let functions = smooth_functions(program, count, progress)?;
    let r = functions.ncols();
    let w = &program.weights;
    let means: Vec<f64> = (0..r).map(|c| (0..p).map(|i| w[i] * functions[(i, c)]).sum::<f64>()).collect();
    let c = Mat::from_fn(r, r, |s, t| {
        (0..p).map(|i| w[i] * functions[(i, s)] * functions[(i, t)]).sum::<f64>() - means[s] * means[t] / program.total()
    });
    let a = Mat::from_fn(program.edges.len(), r, |e, s| {
        let (i, j) = program.edges[e];
        functions[(i, s)] - functions[(j, s)]
    });
    let small = Small { c, a, b: program.squares.clone() };
    let (y, dual, iterations) = small.solve(tolerance, progress)?;
    let (values, vectors) = symmetric_eigen(&y)?;
    // Largest first.
    let root = Mat::from_fn(r, r, |i, j| vectors[(i, r - 1 - j)] * values[r - 1 - j].max(0.0).sqrt());
    let q = Mat::from_fn(p, r, |i, s| functions[(i, s)]);
    Ok((&q * &root, dual, iterations))
}

pub(super) fn solve(program: &Program, options: &UnfoldingOptions, progress: &Progress) -> Result<Solution> {
    if options.n_functions == 0 {
        return Err(Error::parameter("n_functions", 0, "at least 1"));
    }
    let p = program.points();
    let (places, dual, iterations) = coordinates(program, options.n_functions, options.tolerance, progress)?;
    let x = &places * places.transpose();
    let gram: Vec<f64> = (0..p * p).map(|k| x[(k / p, k % p)]).collect();
    // A bound of the reduced program; it does not bound the full one.
    let bound = dual.iter().zip(&program.squares).map(|(y, b)| y * b).sum();
    let solver = format!("{} smooth functions of the graph (optimal among their combinations only)", places.ncols());
    Ok(Solution { gram, bound, dual_violation: 0.0, iterations, solver })
}

impl Small {
    fn along(&self, m: &Mat<f64>) -> Vec<f64> {
        let image = &self.a * m;
        let r = m.nrows();
        (0..self.b.len()).map(|e| (0..r).map(|s| image[(e, s)] * self.a[(e, s)]).sum()).collect()
    }
    fn adjoint(&self, y: &[f64]) -> Mat<f64> {
        let weighted = Mat::from_fn(self.a.nrows(), self.a.ncols(), |e, s| y[e] * self.a[(e, s)]);
        let m = self.a.transpose() * &weighted;
        Mat::from_fn(m.nrows(), m.ncols(), |i, j| 0.5 * (m[(i, j)] + m[(j, i)]))
    }

    /// Starts feasible on both sides, then takes Newton steps towards falling complementarity.
    fn solve(&self, tolerance: f64, progress: &Progress) -> Result<(Mat<f64>, Vec<f64>, usize)> {
        let (r, count) = (self.c.nrows(), self.b.len());
        let unit = self.along(&Mat::from_fn(r, r, |i, j| f64::from(u8::from(i == j))));
        let room = unit.iter().zip(&self.b).filter(|(u, _)| **u > 0.0).fold(f64::INFINITY, |a, (u, b)| a.min(b / u));
        let mut x = Mat::from_fn(r, r, |i, j| if i == j { 0.5 * room } else { 0.0 });
        let mut slack: Vec<f64> = self.b.iter().zip(self.along(&x)).map(|(b, l)| b - l).collect();
        // A dual solution: enough weight on every edge that `Σ y a a' − C` is positive definite.
        let least = symmetric_eigen(&self.adjoint(&vec![1.0; count]))?.0[0].max(1e-12);
        let top = symmetric_eigen(&self.c)?.0[r - 1];
        let mut y = vec![2.0 * top / least; count];
        for iteration in 0..MAX_ITERATIONS {
            progress.step("unfolding", iteration, 0)?;
            let z = self.adjoint(&y) - &self.c;
            let z = Mat::from_fn(r, r, |i, j| 0.5 * (z[(i, j)] + z[(j, i)]));
            let Ok(factor) = z.llt(Side::Lower) else { return Ok((x, y, iteration)) };
            let inverse = factor.inverse();
            let objective: f64 = (0..r).map(|i| (0..r).map(|j| self.c[(i, j)] * x[(i, j)]).sum::<f64>()).sum();
            let bound: f64 = y.iter().zip(&self.b).map(|(y, b)| y * b).sum();
            if bound - objective <= tolerance * (1.0 + objective.abs()) {
                return Ok((x, y, iteration));
            }
            let mu = (bound - objective) / (r + count) as f64;
            // Close to the boundary there is no further progress: return the previous step, with its gap.
            let Some(schur) = Woodbury::new(self, &x, &inverse, &slack, &y) else { return Ok((x, y, iteration)) };
            let mut target = 0.15 * mu;
            let mut moved = false;
            for _ in 0..4 {
                let towards = self.along(&inverse);
                let rhs: Vec<f64> = (0..count).map(|e| target * towards[e] - self.b[e] + target / y[e]).collect();
                let dy = schur.solve(&rhs);
                let dz = self.adjoint(&dy);
                let turned = &x * &dz * &inverse;
                let dx =
                    Mat::from_fn(r, r, |i, j| target * inverse[(i, j)] - x[(i, j)] - 0.5 * (turned[(i, j)] + turned[(j, i)]));
                let lengths = self.along(&dx);
                let ds: Vec<f64> = lengths.iter().map(|l| -l).collect();
                let primal = step(&x, &dx).min(ratio(&slack, &ds));
                let dual = step(&z, &dz).min(ratio(&y, &dy));
                if primal.max(dual) < 1e-6 {
                    target = 0.8 * mu;
                    continue;
                }
                x = Mat::from_fn(r, r, |i, j| x[(i, j)] + primal * dx[(i, j)]);
                slack.iter_mut().zip(&ds).for_each(|(s, d)| *s += primal * d);
                y.iter_mut().zip(&dy).for_each(|(y, d)| *y += dual * d);
                moved = true;
                break;
            }
            if !moved {
                return Ok((x, y, iteration));
            }
        }
        Ok((x, y, MAX_ITERATIONS))
    }
}

fn ratio(at: &[f64], direction: &[f64]) -> f64 {
    let bound = at.iter().zip(direction).filter(|(_, d)| **d < 0.0).fold(f64::INFINITY, |b, (a, d)| b.min(-a / d));
    (STEP * bound).min(1.0)
}

fn step(at: &Mat<f64>, direction: &Mat<f64>) -> f64 {
    let mut step = 1.0;
    for _ in 0..60 {
        let moved = Mat::from_fn(at.nrows(), at.ncols(), |i, j| at[(i, j)] + step * direction[(i, j)]);
        if moved.llt(Side::Lower).is_ok() {
            return if step == 1.0 { 1.0 } else { STEP * step };
        }
        step *= 0.85;
    }
    0.0
}

/// `(S + GG')⁻¹`, S diagonal: a system in r² unknowns.
struct Woodbury {
    inverse_diagonal: Vec<f64>,
    g: Mat<f64>,
    factor: Cholesky,
}

impl Woodbury {
    /// `(a_e' Z⁻¹ a_f)(a_e' X a_f) = ⟨vec(L'a_e a_e'K), vec(L'a_f a_f'K)⟩` with `Z⁻¹ = LL'`, `X = KK'`.
    fn new(small: &Small, x: &Mat<f64>, inverse: &Mat<f64>, slack: &[f64], y: &[f64]) -> Option<Self> {
        let (r, count) = (x.nrows(), slack.len());
        let (l, k) = (inverse.llt(Side::Lower).ok()?, x.llt(Side::Lower).ok()?);
        let (u, v) = (&small.a * l.L(), &small.a * k.L());
        let g = Mat::from_fn(count, r * r, |e, c| u[(e, c / r)] * v[(e, c % r)]);
        let inverse_diagonal: Vec<f64> = slack.iter().zip(y).map(|(s, y)| y / s).collect();
        let scaled = Mat::from_fn(count, r * r, |e, c| inverse_diagonal[e] * g[(e, c)]);
        let mut inside = Mat::zeros(r * r, r * r);
        add_symmetric_matmul(inside.as_mut(), g.transpose(), scaled.as_ref(), 1.0);
        (0..r * r).for_each(|i| inside[(i, i)] += 1.0);
        Some(Self { inverse_diagonal, factor: Cholesky::new(inside, 0.0)?, g })
    }
    fn solve(&self, rhs: &[f64]) -> Vec<f64> {
        let (count, columns) = (self.g.nrows(), self.g.ncols());
        let scaled: Vec<f64> = rhs.iter().zip(&self.inverse_diagonal).map(|(v, d)| v * d).collect();
        let mut inside = Tall::zeros(columns, 1);
        for c in 0..columns {
            inside.values[c] = (0..count).map(|e| self.g[(e, c)] * scaled[e]).sum();
        }
        self.factor.solve_lower(&mut inside);
        self.factor.solve_upper(&mut inside);
        let mut out = scaled;
        for c in 0..columns {
            (0..count).for_each(|e| out[e] -= self.inverse_diagonal[e] * self.g[(e, c)] * inside.values[c]);
        }
        out
    }
}
