//! Coordinates in few dimensions instead of a matrix (Burer and Monteiro 2003): an augmented Lagrangian, minimised by
//! limited-memory BFGS with a line search that is exact, because squared distances are quadratic along a line.
//!
//! The certificate: `Σ y_e a_e a_e' ⪰ λ C`, so `Σ y_e d_e² / λ` bounds every objective, λ the smallest non-zero solution of
//! the graph with weights y. Where it falls short of the tolerance, dimensions are added along its solution.

use super::reduced::coordinates;
use super::{Program, Solution, UnfoldingOptions, infeasible};
use crate::error::Result;
use crate::linalg::Csr;
use crate::problem::spectral::{LaplacianPencil, Mass};
use crate::progress::Progress;
use crate::solve::eigen::{EigenOptions, Solver, smallest_nonzero};
use std::collections::VecDeque;

const START_FUNCTIONS: usize = 30;
const START_RANK: usize = 8;
const OUTER: usize = 30;
const INNER: usize = 800;
const MEMORY: usize = 15;
/// A certificate no better than this after all is not worth more time.
const GAP: f64 = 1e-6;

struct Problem<'a> {
    program: &'a Program,
    rank: usize,
    /// Multipliers and strength of the penalty.
    y: Vec<f64>,
    sigma: f64,
}

/// Squared distances along a line, less what they should be: `c0 + c1 t + c2 t²`, and minus the objective in the same way.
struct Line {
    edges: Vec<[f64; 3]>,
    objective: [f64; 3],
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

impl Problem<'_> {
    fn centre(&self, r: &[f64]) -> Vec<f64> {
        let mut sums = vec![0.0; self.rank];
        for (row, w) in r.chunks_exact(self.rank).zip(&self.program.weights) {
            sums.iter_mut().zip(row).for_each(|(s, v)| *s += w * v);
        }
        sums
    }
    /// `tr C R S'`.
    fn spread(&self, r: &[f64], s: &[f64]) -> f64 {
        let rows = r.chunks_exact(self.rank).zip(s.chunks_exact(self.rank)).zip(&self.program.weights);
        let own: f64 = rows.map(|((a, b), w)| w * dot(a, b)).sum();
        own - dot(&self.centre(r), &self.centre(s)) / self.program.total()
    }
    fn line(&self, r: &[f64], d: &[f64]) -> Line {
        let k = self.rank;
        let edge = |(&(i, j), b): (&(usize, usize), &f64)| {
            let mut c = [-b, 0.0, 0.0];
            for s in 0..k {
                let (x, v) = (r[i * k + s] - r[j * k + s], d[i * k + s] - d[j * k + s]);
                c[0] += x * x;
                c[1] += 2.0 * x * v;
                c[2] += v * v;
            }
            c
        };
        let edges = self.program.edges.iter().zip(&self.program.squares).map(edge).collect();
        Line { edges, objective: [-self.spread(r, r), -2.0 * self.spread(r, d), -self.spread(d, d)] }
    }
    /// What the multiplier of a constraint becomes when it misses by c.
    fn pull(&self, e: usize, c: f64) -> f64 {
        let pull = self.y[e] + self.sigma * c;
        if self.program.equality { pull } else { pull.max(0.0) }
    }
    /// Slope and curvature of the augmented Lagrangian at t.
    fn slope(&self, line: &Line, t: f64) -> (f64, f64) {
        let mut slope = line.objective[1] + 2.0 * line.objective[2] * t;
        let mut curvature = 2.0 * line.objective[2];
        for (e, c) in line.edges.iter().enumerate() {
            let (value, first) = (c[0] + t * (c[1] + t * c[2]), c[1] + 2.0 * t * c[2]);
            let pull = self.pull(e, value);
            slope += pull * first;
            curvature += pull * 2.0 * c[2];
            if self.program.equality || pull > 0.0 {
                curvature += self.sigma * first * first;
            }
        }
        (slope, curvature)
    }
    /// The first minimum along the line.
    fn search(&self, line: &Line) -> f64 {
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..40 {
            if self.slope(line, high).0 >= 0.0 {
                break;
            }
            (low, high) = (high, 2.0 * high);
        }
        let mut t = 0.5 * (low + high);
        for _ in 0..25 {
            let (slope, curvature) = self.slope(line, t);
            if slope < 0.0 {
                low = t;
            } else {
                high = t;
            }
            let newton = t - slope / curvature;
            let next = if curvature > 0.0 && newton > low && newton < high { newton } else { 0.5 * (low + high) };
            if (next - t).abs() <= 1e-6 * t {
                return next;
            }
            t = next;
        }
        t
    }
    fn gradient(&self, r: &[f64], out: &mut [f64]) {
        let k = self.rank;
        let centre = self.centre(r);
        for ((out, row), w) in out.chunks_exact_mut(k).zip(r.chunks_exact(k)).zip(&self.program.weights) {
            for s in 0..k {
                out[s] = -2.0 * w * (row[s] - centre[s] / self.program.total());
            }
        }
        for (e, (&(i, j), b)) in self.program.edges.iter().zip(&self.program.squares).enumerate() {
            let square: f64 = (0..k).map(|s| (r[i * k + s] - r[j * k + s]).powi(2)).sum();
            let pull = 2.0 * self.pull(e, square - b);
            for s in 0..k {
                let v = pull * (r[i * k + s] - r[j * k + s]);
                out[i * k + s] += v;
                out[j * k + s] -= v;
            }
        }
    }
    /// Minimises the augmented Lagrangian from `r` on; says how many steps it took.
    fn minimise(&self, r: &mut [f64], accuracy: f64, limit: usize) -> usize {
        let mut gradient = vec![0.0; r.len()];
        self.gradient(r, &mut gradient);
        let mut memory: VecDeque<(Vec<f64>, Vec<f64>, f64)> = VecDeque::new();
        for step in 0..limit {
            if dot(&gradient, &gradient).sqrt() <= accuracy {
                return step;
            }
            let mut d: Vec<f64> = gradient.iter().map(|g| -g).collect();
            let mut factors = vec![];
            for (s, y, rho) in memory.iter().rev() {
                let a = rho * dot(s, &d);
                d.iter_mut().zip(y).for_each(|(d, y)| *d -= a * y);
                factors.push(a);
            }
            if let Some((s, y, _)) = memory.back() {
                let scale = dot(s, y) / dot(y, y);
                d.iter_mut().for_each(|d| *d *= scale);
            }
            for ((s, y, rho), a) in memory.iter().zip(factors.iter().rev()) {
                let b = rho * dot(y, &d);
                d.iter_mut().zip(s).for_each(|(d, s)| *d += (a - b) * s);
            }
            if dot(&d, &gradient) >= 0.0 {
                memory.clear();
                d = gradient.iter().map(|g| -g).collect();
            }
            let t = self.search(&self.line(r, &d));
            let before = gradient.clone();
            r.iter_mut().zip(&d).for_each(|(r, d)| *r += t * d);
            self.gradient(r, &mut gradient);
            let s: Vec<f64> = d.iter().map(|d| t * d).collect();
            let y: Vec<f64> = gradient.iter().zip(&before).map(|(a, b)| a - b).collect();
            let curvature = dot(&s, &y);
            if curvature > 1e-14 * dot(&y, &y).sqrt() * dot(&s, &s).sqrt() {
                memory.push_back((s, y, 1.0 / curvature));
                if memory.len() > MEMORY {
                    memory.pop_front();
                }
            }
        }
        limit
    }
    fn misses(&self, r: &[f64]) -> Vec<f64> {
        let k = self.rank;
        let square = |i: usize, j: usize| (0..k).map(|s| (r[i * k + s] - r[j * k + s]).powi(2)).sum::<f64>();
        self.program.edges.iter().zip(&self.program.squares).map(|(&(i, j), b)| square(i, j) - b).collect()
    }
}

/// The smallest non-zero solutions of the graph with weights y, masses as the points weigh: value and vector.
fn certificate(program: &Program, y: &[f64], progress: &Progress) -> Result<(f64, Vec<f64>)> {
    let p = program.points();
    let both: Vec<(usize, usize, f64)> = program.edges.iter().zip(y).flat_map(|(&(i, j), v)| [(i, j, *v), (j, i, *v)]).collect();
    let graph = Csr::from_triplets(p, p, &both)?;
    let mut pencil = LaplacianPencil::new(&graph, Mass::Identity);
    pencil.mass.clone_from(&program.weights);
    let solver = if program.equality { Solver::Dense } else { Solver::Auto };
    let options = EigenOptions { solver, tolerance: 1e-7, ..EigenOptions::default() };
    let found = smallest_nonzero(&pencil, 1, &options, progress)?;
    Ok((found.values[0], (0..p).map(|i| found.vectors[(i, 0)]).collect()))
}

/// What no objective exceeds: `Σ y_e d_e² / λ`.
fn bound_of(program: &Program, y: &[f64], least: f64) -> f64 {
    if least > 0.0 { dot(y, &program.squares) / least } else { f64::INFINITY }
}

pub(super) fn solve(program: &Program, options: &UnfoldingOptions, progress: &Progress) -> Result<Solution> {
    let p = program.points();
    // The smoothest functions of the graph are where `Σ y_e a_e a_e'` is small, so their dual is nearly one of the whole.
    let (start, dual, _) = coordinates(program, START_FUNCTIONS, 1e-6, progress)?;
    let mut least_bound = bound_of(program, &dual, certificate(program, &dual, progress)?.0);
    let mut rank = START_RANK.min(start.ncols()).min(p - 1);
    let mut r: Vec<f64> = (0..p * rank).map(|k| start[(k / rank, k % rank)]).collect();
    let mut problem = Problem { program, rank, y: dual, sigma: 0.0 };
    let scale = problem.spread(&r, &r).max(1.0);
    let typical = scale / program.edges.len() as f64;
    problem.sigma = 10.0 * typical;
    let (mut accuracy, mut last) = (1e-2 * scale.sqrt(), f64::INFINITY);
    let mut iterations = 0;
    let mut best: Option<(f64, Vec<f64>, usize)> = None;
    for outer in 0..OUTER {
        progress.step("unfolding", outer, OUTER)?;
        iterations += problem.minimise(&mut r, accuracy, INNER);
        let misses = problem.misses(&r);
        for (e, c) in misses.iter().enumerate() {
            problem.y[e] = problem.pull(e, *c);
        }
        let violation = misses.iter().fold(0.0f64, |a, c| a.max(if program.equality { c.abs() } else { *c }));
        accuracy = (0.3 * accuracy).max(1e-9 * scale.sqrt());
        if violation > 0.3 * last {
            problem.sigma *= 2.0;
        }
        last = violation;
        if violation > 1e-4 || !(outer % 3 == 2 || outer + 1 == OUTER || violation < options.tolerance) {
            continue;
        }
        let objective = problem.spread(&r, &r);
        let (least, vector) = certificate(program, &problem.y, progress)?;
        least_bound = least_bound.min(bound_of(program, &problem.y, least));
        let gap = ((least_bound - objective) / (1.0 + objective)).abs();
        let worst = gap.max(violation);
        if best.as_ref().is_none_or(|b| worst < b.0) {
            best = Some((worst, r.clone(), rank));
        }
        if gap <= options.tolerance.max(GAP) && violation <= options.tolerance.max(1e-9) {
            break;
        }
        // Feasible and stationary, yet not optimal: the certificate says along which function to unfold further.
        if violation < 1e-6 && least < 1.0 - 1e-4 && rank + 1 < p {
            let size = (scale / p as f64).sqrt() * 1e-2;
            let largest = vector.iter().fold(0.0f64, |a, v| a.max(v.abs())).max(f64::MIN_POSITIVE);
            r = (0..p)
                .flat_map(|i| r[i * rank..(i + 1) * rank].iter().copied().chain([size * vector[i] / largest]).collect::<Vec<_>>())
                .collect();
            rank += 1;
            problem.rank = rank;
            accuracy = 1e-4 * scale.sqrt();
        }
    }
    let Some((_, r, rank)) = best else {
        return Err(infeasible("no points with these distances were found in few dimensions".into()));
    };
    let row = |i: usize| &r[i * rank..(i + 1) * rank];
    let gram = (0..p * p).map(|k| dot(row(k / p), row(k % p))).collect();
    // The bound holds for every K, so nothing of the dual is violated.
    let bound = least_bound.min(f64::MAX);
    Ok(Solution { gram, bound, dual_violation: 0.0, iterations, solver: format!("rank {rank}, {} edges", program.edges.len()) })
}
