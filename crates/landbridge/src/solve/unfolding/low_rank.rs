//! Coordinates in few dimensions instead of a matrix (Burer and Monteiro 2003), by an augmented Lagrangian.
//!
//! It starts from the Isomap embedding. The certificate: `Σ y_e a_e a_e' ⪰ λ C` bounds every objective by `Σ y_e d_e² / λ`, λ
//! the smallest non-zero solution of the graph with weights y; also, no distance exceeds the shortest path. If the certificate
//! fails because dimensions are missing, one is added along its eigenvector.

use super::newton::{Preconditioner, Problem, dot};
use super::{Program, Solution, UnfoldingOptions, infeasible};
use crate::error::{Error, Result};
use crate::geometry::geodesic::geodesic_distances;
use crate::linalg::operator::CentredSquares;
use crate::linalg::whitening::{Whitener, Whitening, symmetric_eigen};
use crate::linalg::{Csr, Matrix};
use crate::problem::spectral::{LaplacianPencil, Mass};
use crate::progress::Progress;
use crate::solve::eigen::{EigenOptions, Solver, smallest_nonzero};
use crate::solve::pencil::largest;
use faer::Mat;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const START_RANK: usize = 6;
/// Rounds, and Newton steps of each.
const OUTER: usize = 40;
const INNER: usize = 100;
/// Growth of the penalty after a round that leaves more than a quarter of the violation.
const GROWTH: f64 = 3.0;
/// Factor of the smoothing in each round.
const SHARPEN: f64 = 0.3;
/// A dimension whose share of the variance of the longest is below this is not used. Dimensions are dropped below this violation.
const UNUSED: f64 = 1e-10;
const NEAR: f64 = 1.0;
/// Below this violation a certificate is computed.
const CERTIFY: f64 = 1e-2;
/// A certificate this far from 1 adds another dimension.
const SHORT: f64 = 1e-4;

/// The smallest non-zero solution of the graph with weights y and the weights of the points as masses: value and vector.
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

/// An upper bound of the objective: `Σ y_e d_e² / λ`.
fn bound_of(program: &Program, y: &[f64], least: f64) -> f64 {
    if least > 0.0 { dot(y, &program.squares) / least } else { f64::INFINITY }
}

/// Coordinates by classical scaling of the shortest paths (`rank` per point), and the trace if all of them were distances.
fn start(program: &Program, rank: usize, progress: &Progress) -> Result<(Vec<f64>, f64)> {
    let p = program.points();
    let lengths = program.edges.iter().zip(&program.squares).flat_map(|(&(i, j), s)| [(i, j, s.sqrt()), (j, i, s.sqrt())]);
    let lengths = Csr::from_triplets(p, p, &lengths.collect::<Vec<_>>())?;
    let mut squares: Matrix<f64> = geodesic_distances(&lengths, progress)?;
    squares.as_mut_slice().iter_mut().for_each(|v| *v *= *v);
    let w = &program.weights;
    let longest = (0..p).map(|i| w[i] * dot(squares.row(i), w)).sum::<f64>() / (2.0 * program.total());
    let found = largest(&CentredSquares(&squares), &Whitening(vec![Whitener::Identity(p)]), rank, 0, progress)?;
    // A small perturbation in every dimension, so that none starts at a saddle point.
    let mut random = ChaCha8Rng::seed_from_u64(0);
    let mut r: Vec<f64> = (0..p * rank).map(|_| 1e-3 * random.random_range(-1.0..1.0)).collect();
    for (to, from) in r.chunks_exact_mut(rank).zip(found.vectors.values.chunks_exact(found.vectors.stride)) {
        to.iter_mut().zip(from).zip(&found.values).for_each(|((t, v), value)| *t += v * value.max(0.0).sqrt());
    }
    Ok((r, longest))
}

/// The principal axes of the coordinates, least used first, and what each is used.
fn axes(r: &[f64], rank: usize) -> Result<(Vec<f64>, Mat<f64>)> {
    symmetric_eigen(&Mat::from_fn(rank, rank, |s, t| r.chunks_exact(rank).map(|row| row[s] * row[t]).sum::<f64>()))
}

/// A point along all axes but the first ones.
fn along(row: &[f64], axes: &Mat<f64>, from: usize) -> impl Iterator<Item = f64> {
    (from..row.len()).map(move |s| row.iter().enumerate().map(|(t, v)| v * axes[(t, s)]).sum::<f64>())
}

/// Unfolds further along the eigenvector of the certificate: in the least used dimension, if it is hardly used at all, or in a
/// new one. Returns whether it is new.
fn add_dimension(r: &mut Vec<f64>, rank: usize, function: &[f64]) -> Result<bool> {
    let (values, axes) = axes(r, rank)?;
    let top = values.last().copied().unwrap_or(0.0).max(f64::MIN_POSITIVE);
    let new = values[0] > 1e-6 * top;
    let largest = function.iter().fold(0.0f64, |a, v| a.max(v.abs())).max(f64::MIN_POSITIVE);
    let size = 1e-2 * (top / function.len() as f64).sqrt() / largest;
    let rows = r.chunks_exact(rank).zip(function);
    *r = rows.flat_map(|(row, f)| along(row, &axes, usize::from(!new)).chain([size * f])).collect();
    Ok(new)
}

/// Leaves out all dimensions that are not used, but for one in which the points may still unfold. Returns the new rank.
fn drop_dimensions(r: &mut Vec<f64>, rank: usize) -> Result<usize> {
    let (values, axes) = axes(r, rank)?;
    let unused = values.iter().take_while(|v| **v <= UNUSED * values[rank - 1]).count();
    let from = unused.saturating_sub(1);
    if from > 0 {
        *r = r.chunks_exact(rank).flat_map(|row| along(row, &axes, from)).collect();
    }
    Ok(rank - from)
}

pub(super) fn solve(program: &Program, options: &UnfoldingOptions, progress: &Progress) -> Result<Solution> {
    let p = program.points();
    let mut rank = START_RANK.min(p - 1);
    let no_memory =
        || Error::Numerical { what: "unfolding".into(), problem: "there is not enough memory to factor the graph".into() };
    let mut factor = Preconditioner::new(program, rank).ok_or_else(no_memory)?;
    let (mut r, longest) = start(program, rank, progress)?;
    let mut problem = Problem { program, rank, y: vec![], sigma: 0.0, smoothing: 0.0 };
    // At the start half of the edges fit, and the multipliers have the total size they have at the end.
    let mut ratios: Vec<f64> = problem.misses(&r).iter().zip(&program.squares).map(|(c, b)| 1.0 + c / b).collect();
    ratios.sort_by(f64::total_cmp);
    let shrink = ratios[ratios.len() / 2].max(f64::MIN_POSITIVE).sqrt().recip();
    r.iter_mut().for_each(|v| *v *= shrink);
    let scale = problem.spread(&r, &r).max(1.0);
    let typical = scale / program.edges.len() as f64;
    problem.y = vec![typical; program.edges.len()];
    (problem.sigma, problem.smoothing) = (10.0 * typical, SHARPEN * typical);
    let (mut accuracy, mut last) = (1e-2 * scale.sqrt(), f64::INFINITY);
    let (target, mut bound, mut iterations) = (5.0 * options.tolerance.max(1e-9), longest, 0);
    let mut best: Option<(f64, Vec<f64>, usize)> = None;
    for outer in 0..OUTER {
        progress.step("unfolding", outer, OUTER)?;
        // Rounding errors of the gradient: those of the coordinates times the stiffness of the edges.
        let reach = r.iter().fold(0.0f64, |a, v| a.max(v.abs()));
        let floor = 4.0 * f64::EPSILON * problem.sigma * reach * (program.edges.len() as f64).sqrt();
        let (steps, settled) = problem.minimise(&mut r, accuracy.max(floor), INNER, &mut factor);
        iterations += steps;
        let misses = problem.misses(&r);
        problem.y = misses.iter().enumerate().map(|(e, c)| problem.pull(e, *c)).collect();
        let violation = misses.iter().fold(0.0f64, |a, c| a.max(if program.equality { c.abs() } else { *c }));
        accuracy = (0.2 * accuracy).max(1e-8 * scale.sqrt());
        problem.smoothing = (SHARPEN * problem.smoothing).max(1e-9 * typical);
        if settled && violation > 0.25 * last {
            problem.sigma *= GROWTH;
        }
        last = violation;
        if settled && violation < NEAR {
            let left = drop_dimensions(&mut r, rank)?;
            if left < rank {
                rank = left;
                problem.rank = rank;
                factor = Preconditioner::new(program, rank).ok_or_else(no_memory)?;
            }
        }
        if violation > CERTIFY {
            continue;
        }
        let objective = problem.spread(&r, &r);
        let (least, function) = certificate(program, &problem.y, progress)?;
        bound = bound.min(bound_of(program, &problem.y, least));
        let gap = ((bound - objective) / (1.0 + objective)).abs();
        let worst = gap.max(violation);
        if best.as_ref().is_none_or(|b| worst < b.0) {
            best = Some((worst, r.clone(), rank));
        }
        if worst <= target {
            break;
        }
        // Stationary and nearly feasible, but not optimal: the certificate gives the direction in which to unfold further.
        if settled && violation < 1e-4 && least < 1.0 - SHORT && rank + 1 < p && add_dimension(&mut r, rank, &function)? {
            rank += 1;
            problem.rank = rank;
            factor = Preconditioner::new(program, rank).ok_or_else(no_memory)?;
        }
    }
    let (r, rank) = match best {
        Some((_, r, rank)) => (r, rank),
        None if program.equality => return Err(infeasible("no points with these distances were found in few dimensions".into())),
        // Far from feasible: shrink everything until every edge is short enough.
        None => {
            let over = problem.misses(&r).iter().zip(&program.squares).fold(0.0f64, |a, (c, b)| a.max(c / b));
            (r.iter().map(|v| v / (1.0 + over).sqrt()).collect(), rank)
        }
    };
    let row = |i: usize| &r[i * rank..(i + 1) * rank];
    let gram = (0..p * p).map(|k| dot(row(k / p), row(k % p))).collect();
    // The bound holds for every K, so the dual has no violation.
    Ok(Solution { gram, bound, dual_violation: 0.0, iterations, solver: format!("rank {rank}, {} edges", program.edges.len()) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dimensions_that_are_not_used_are_dropped_but_for_one() {
        // Three dimensions, turned among six.
        let n = 40;
        let place = |i: usize| [(i as f64).sin() * 3.0, ((i * i) % 7) as f64 - 3.0, ((i * 5) % 11) as f64 / 20.0];
        let turn = Mat::from_fn(6, 6, |i, j| (((i * 13 + j * 29 + i * j) % 17) as f64 - 8.0) / 8.0);
        let turn = turn.qr().compute_Q();
        let mut r: Vec<f64> = (0..n)
            .flat_map(|i| {
                let turn = &turn;
                (0..6).map(move |s| (0..3).map(|t| place(i)[t] * turn[(s, t)]).sum::<f64>()).collect::<Vec<_>>()
            })
            .collect();
        assert_eq!(drop_dimensions(&mut r, 6).unwrap(), 4);
        assert_eq!(r.len(), 4 * n);
        for i in 0..n {
            for j in 0..n {
                let expected = dot(&place(i), &place(j));
                assert!((dot(&r[4 * i..4 * i + 4], &r[4 * j..4 * j + 4]) - expected).abs() < 1e-9);
            }
        }
        // All of four are needed now: one of them is the spare one.
        assert_eq!(drop_dimensions(&mut r, 4).unwrap(), 4);
    }
}
