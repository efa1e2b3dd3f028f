//! The d smallest non-zero solutions of `L f = λ M f` on a graph.
//!
//! Three solvers, chosen by size and by the cost that the graph itself predicts. The outcome names the choice:
//! * dense, for small graphs or many components;
//! * inverse iteration in a Krylov space through a sparse factorisation, if it has little fill-in
//!   (chains, rolls: graphs of low dimension, whose spectral gaps are small);
//! * matrix-free Krylov with Chebyshev filters otherwise (graphs of high dimension).

mod factored;

mod matrix_free;

use crate::error::{Error, Result, counted};
use crate::linalg::Matrix;
use crate::linalg::tall::{self, Tall, gram, product};
use crate::outcome::Status;
use crate::problem::spectral::LaplacianPencil;
use crate::progress::Progress;
use crate::solve::lanczos::{Lanczos, Operator, Ritz, random_block};
use factored::{Inverse, Plan, separator_estimate};
use faer::{Mat, Side};
use matrix_free::{Chebyshev, Negated, ScaledLaplacian, breadth_first};
use serde::{Deserialize, Serialize};
use std::sync::Mutex;

/// The eigensolver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Solver {
    /// By the predicted cost.
    Auto,
    /// The whole spectrum of a dense matrix.
    Dense,
    /// Through a sparse Cholesky factorisation.
    Factored,
    /// Products with the graph only.
    MatrixFree,
}

/// Options that change speed and accuracy, not meaning.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct EigenOptions {
    /// The eigensolver.
    pub solver: Solver,
    /// Largest relative residual allowed: `|S g − λ g| / λ`, or `|λ S⁺ g − g|` with a factorisation.
    pub tolerance: f64,
    /// Maximum number of applications of the operator to a block.
    pub max_iterations: usize,
    /// Graphs of at most this many nodes are solved densely.
    pub dense_limit: usize,
    /// Seed of the start block.
    pub seed: u64,
}

impl Default for EigenOptions {
    fn default() -> Self {
        Self { solver: Solver::Auto, tolerance: 1e-5, max_iterations: 20_000, dense_limit: 400, seed: 0 }
    }
}

/// Solutions, smallest first.
#[derive(Clone, Debug)]
pub struct Eigenpairs {
    /// λ, ascending.
    pub values: Vec<f64>,
    /// f, one per column, `F'MF = I`, largest entry of each positive.
    pub vectors: Matrix<f64>,
    /// The solver chosen, and why.
    pub solver: String,
    /// Largest relative residual.
    pub residual: f64,
    /// Applications of the operator to a block of vectors (0 for dense).
    pub iterations: usize,
    /// Whether the tolerance was reached.
    pub status: Status,
}

/// Columns of a block.
const BLOCK: usize = 8;
/// Exponent of the amplification of eigenvalues near 0 by a filter.
const GROWTH: f64 = 8.0;
/// Blocks of the first run, without a filter.
const FIRST: usize = 6;
/// Basis vectors beyond the wanted ones, at least. More of them save few products, and take memory.
const SPARE: usize = 32;
/// Below this share of the largest eigenvalue residuals are no longer relative to λ: the product itself is rounded.
const ROUNDING_FLOOR: f64 = 1e-10;

/// The `d` smallest non-zero solutions. Exactly the zero solutions (one per component) are skipped.
pub fn smallest_nonzero(
    pencil: &LaplacianPencil<'_>,
    d: usize,
    options: &EigenOptions,
    progress: &Progress,
) -> Result<Eigenpairs> {
    if d == 0 {
        return Err(Error::parameter("n_components", d, "at least 1"));
    }
    if d > pencil.n_nonzero() {
        return Err(Error::TooManyComponents {
            asked: d,
            available: pencil.n_nonzero(),
            why: format!(
                "{} in {} have that many non-zero solutions",
                counted(pencil.n(), "node"),
                counted(pencil.n_components, "connected component")
            ),
        });
    }
    let as_given = || (0..pencil.n() as u32).collect::<Vec<u32>>();
    let capacity = krylov_capacity(d, 48);
    let dense = match options.solver {
        Solver::Dense => true,
        _ => pencil.n() <= options.dense_limit || capacity + 2 * BLOCK > pencil.n_nonzero(),
    };
    if dense {
        let order = as_given();
        let laplacian = ScaledLaplacian::new(pencil, &order);
        let found = solve_dense(pencil, &laplacian, d)?;
        return finish(pencil, &laplacian, &order, found, None, "dense (small graph)".into(), 0, options);
    }
    let plan = match options.solver {
        Solver::MatrixFree => None,
        Solver::Factored => Plan::new(pencil),
        _ => affordable_plan(pencil, d),
    };
    if let Some(plan) = plan {
        let note = format!("factored (fill {:.1} per edge)", plan.order.fill / (0.5 * pencil.graph.nnz() as f64).max(1.0));
        let order = as_given();
        let laplacian = ScaledLaplacian::new(pencil, &order);
        if let Some(inverse) = Inverse::new(&laplacian, plan) {
            let (found, residual, iterations) = solve_factored(&inverse, d, options, progress)?;
            drop(inverse);
            return finish(pencil, &laplacian, &order, found, Some(residual), note, iterations, options);
        }
    }
    let order = breadth_first(pencil.graph);
    let laplacian = ScaledLaplacian::new(pencil, &order);
    let (found, iterations, note) = solve_matrix_free(&laplacian, d, options, progress)?;
    finish(pencil, &laplacian, &order, found, None, note, iterations, options)
}

fn krylov_capacity(d: usize, extra: usize) -> usize {
    (d + (d).max(extra)).next_multiple_of(BLOCK) + BLOCK
}

/// An elimination ordering, if the factorisation and its solves cost less than matrix-free products usually do.
fn affordable_plan(pencil: &LaplacianPencil<'_>, d: usize) -> Option<Plan> {
    // Matrix-free cost on a graph without structure: a few thousand products for 100 components.
    let matrix_free = (400.0 + 30.0 * d as f64) * 2.0 * pencil.graph.nnz() as f64;
    let separator = separator_estimate(pencil) as f64;
    // A separator of w nodes costs at least w³/3 multiplications.
    if separator.powi(3) / 3.0 > 20.0 * matrix_free {
        return None;
    }
    let plan = Plan::new(pencil)?;
    let solves = (2.0 * d as f64 + 40.0) * 4.0 * plan.order.fill;
    // A multiplication in the factorisation runs in dense blocks, about four times as fast as one in a sparse product.
    (plan.order.flops / 2.0 + solves <= 4.0 * matrix_free).then_some(plan)
}

/// All eigenvectors of the dense S; zero solutions are shifted to the other end of the spectrum.
fn solve_dense(pencil: &LaplacianPencil<'_>, laplacian: &ScaledLaplacian, d: usize) -> Result<Tall> {
    let n = pencil.n();
    let lift = laplacian.bound().max(1.0);
    let mut mass = vec![0.0; pencil.n_components];
    for i in 0..n {
        mass[pencil.component[i] as usize] += pencil.mass[i];
    }
    let mut s = Mat::<f64>::zeros(n, n);
    for i in 0..n {
        for (j, w) in laplacian.weights.row(i) {
            s[(i, j as usize)] -= w;
        }
        s[(i, i)] += laplacian.diagonal[i];
        for j in 0..n {
            if pencil.component[i] == pencil.component[j] {
                s[(i, j)] += lift * laplacian.root_mass[i] * laplacian.root_mass[j] / mass[pencil.component[i] as usize];
            }
        }
    }
    let eigen = s
        .self_adjoint_eigen(Side::Lower)
        .map_err(|_| Error::Numerical { what: "dense eigensolver".into(), problem: "it did not converge".into() })?;
    let mut found = Tall::zeros(n, d);
    for i in 0..n {
        for j in 0..d {
            found.values[i * d + j] = eigen.U()[(i, j)];
        }
    }
    laplacian.remove_kernel(&mut found);
    Ok(found)
}

/// The largest eigenvalues of the inverse.
fn solve_factored(inverse: &Inverse<'_>, d: usize, options: &EigenOptions, progress: &Progress) -> Result<(Tall, f64, usize)> {
    let capacity = krylov_capacity(d, 40).min(inverse.n() - BLOCK);
    // A narrow block needs fewer solves; a wide block uses each pass over the factor better.
    let block = if d <= 2 * BLOCK { BLOCK / 2 } else { BLOCK };
    let start = random_block(inverse, block, options.seed);
    let mut solver = Lanczos::new(inverse, start, d, capacity, options.seed);
    // |A⁻¹ g − θ g| / θ bounds the relative error of the vector about as well as the residual of S does.
    let tolerance = options.tolerance;
    let error = |r: &Ritz| r.worst(d, |i| (r.residuals[i], tolerance * r.values[i].abs()));
    let heartbeat = |done: usize| progress.step("eigenvectors", done, 0);
    let converged = solver.run(options.max_iterations, &error, &heartbeat)?;
    if !converged {
        return Err(not_converged("factored", &solver.ritz, d, solver.applications, tolerance, |i, r| {
            r.residuals[i] / r.values[i].abs()
        }));
    }
    let worst = (0..d).map(|i| solver.ritz.residuals[i] / solver.ritz.values[i].abs()).fold(0.0, f64::max);
    Ok((solver.vectors(d), worst, solver.applications))
}

fn not_converged(
    solver: &str,
    ritz: &Ritz,
    d: usize,
    iterations: usize,
    tolerance: f64,
    relative: impl Fn(usize, &Ritz) -> f64,
) -> Error {
    let errors: Vec<f64> = (0..d.min(ritz.values.len())).map(|i| relative(i, ritz)).collect();
    Error::NotConverged {
        solver: solver.into(),
        iterations,
        converged: errors.iter().filter(|e| **e <= tolerance).count(),
        asked: d,
        residual: errors.iter().fold(0.0, |a, e| a.max(*e)),
        tolerance,
        fixed_tolerance: false,
    }
}

/// A short plain Krylov run solves spectra with large gaps and locates the low end of the others. A Chebyshev filter is then
/// placed there, and moved as the estimate of the wanted end improves.
fn solve_matrix_free(
    laplacian: &ScaledLaplacian,
    d: usize,
    options: &EigenOptions,
    progress: &Progress,
) -> Result<(Tall, usize, String)> {
    let operator = Negated(laplacian);
    let heartbeat = |done: usize| progress.step("eigenvectors", done, 0);
    // An eigenvalue above `top` would be amplified most, so `top` is a true bound, not an estimate.
    let top = laplacian.bound();
    let start = random_block(&operator, BLOCK, options.seed);
    let first_capacity = (FIRST * BLOCK).max(d.min(2 * BLOCK) + 2 * BLOCK);
    let mut plain = Lanczos::new(&operator, start, d.min(2 * BLOCK), first_capacity, options.seed);
    let relative = |residual: f64, value: f64| residual / value.max(ROUNDING_FLOOR * top);
    let error = |r: &Ritz| r.worst(d, |i| (relative(r.residuals[i], -r.values[i]), options.tolerance));
    if plain.run((first_capacity / BLOCK).min(options.max_iterations), &error, &heartbeat)? {
        return Ok((plain.vectors(d), plain.applications, "matrix-free Krylov".into()));
    }
    let (mut applications, mut products) = (plain.applications, plain.applications);
    let mut values: Vec<f64> = plain.ritz.values.iter().map(|v| -v).collect();
    let mut found = plain.vectors((d + BLOCK).min(values.len()));
    drop(plain);
    let capacity = krylov_capacity(d, SPARE).min(operator.n() - BLOCK);
    let (mut worst, mut converged) = (f64::NAN, 0);
    for attempt in 0..40 {
        // Only the lower half of the values of the first, short run is reliable.
        let reliable = if attempt == 0 { values.len() / 2 } else { values.len() - 1 };
        let cut = values[(d + BLOCK / 2).min(reliable)].clamp(1e-12 * top, 0.5 * top);
        let degree = Chebyshev::degree_for(cut, top, GROWTH);
        let filter = Chebyshev { laplacian, degree, cut, top, scratch: Mutex::default() };
        // Each start vector is a sum of Ritz vectors: rich in the wanted end, poor in the rest.
        let fold = Mat::from_fn(found.stride, BLOCK, |i, j| f64::from(u8::from(i % BLOCK == j)));
        let start = product(&std::mem::take(&mut found), fold.as_ref());
        let mut solver = Lanczos::new(&filter, start, d, capacity, options.seed + attempt + 1);
        let mut tolerance = 0.3 * options.tolerance;
        for round in 0..6 {
            // Room for the next ones.
            drop(std::mem::take(&mut found));
            let error = |r: &Ritz| r.worst(d, |i| (r.residuals[i], tolerance * r.values[i].abs()));
            let limit = solver.applications + capacity / BLOCK;
            let settled = solver.run(limit.min(options.max_iterations.saturating_sub(applications)), &error, &heartbeat)?;
            let (rotated, lambda, residuals) =
                rayleigh_ritz(laplacian, solver.vectors((d + BLOCK).min(solver.ritz.values.len())))?;
            worst = (0..d).map(|i| relative(residuals[i], lambda[i])).fold(0.0, f64::max);
            converged = (0..d).filter(|&i| relative(residuals[i], lambda[i]) <= options.tolerance).count();
            found = rotated;
            values = lambda;
            if worst <= options.tolerance {
                let mut wanted = Tall::zeros(operator.n(), d);
                found.read(0, &mut wanted);
                products += solver.applications * degree;
                let note = format!("matrix-free Krylov, Chebyshev filter of degree {degree}, {products} block products");
                return Ok((wanted, applications + solver.applications, note));
            }
            if settled {
                tolerance *= 0.1;
            } else if values[d - 1] > cut || (values[d - 1] < 0.6 * cut && round < 2) {
                break; // the wanted end lies above the cut, or so far below that a filter placed there converges faster
            }
        }
        applications += solver.applications;
        products += solver.applications * degree;
        if applications >= options.max_iterations {
            break;
        }
    }
    Err(Error::NotConverged {
        solver: "matrix-free".into(),
        iterations: applications,
        converged,
        asked: d,
        residual: worst,
        tolerance: options.tolerance,
        fixed_tolerance: false,
    })
}

/// Rayleigh–Ritz within the span of orthonormal columns, with true residuals. A block of columns at a time is multiplied, once for the
/// projection and once for the residuals, so that no second copy of the columns is in memory.
fn rayleigh_ritz(laplacian: &ScaledLaplacian, mut g: Tall) -> Result<(Tall, Vec<f64>, Vec<f64>)> {
    let m = g.stride;
    let mut projected = Mat::<f64>::zeros(m, m);
    each_image(laplacian, &g, |from, _, image| {
        let part = gram(&g, m, image);
        projected.as_mut().subcols_mut(from, image.stride).copy_from(part);
    });
    let symmetric = Mat::from_fn(m, m, |i, j| 0.5 * (projected[(i, j)] + projected[(j, i)]));
    let eigen = symmetric
        .self_adjoint_eigen(Side::Lower)
        .map_err(|_| Error::Numerical { what: "Rayleigh-Ritz".into(), problem: "it did not converge".into() })?;
    let values: Vec<f64> = (0..m).map(|i| eigen.S()[i]).collect();
    tall::rotate(&mut g, eigen.U());
    let mut residuals = vec![];
    each_image(laplacian, &g, |from, block, image| {
        let width = image.stride;
        tall::each_row(image, |i, row| {
            for (c, v) in row.iter_mut().enumerate() {
                *v -= values[from + c] * block.values[i * width + c];
            }
        });
        residuals.extend(column_norms(image));
    });
    Ok((g, values, residuals))
}

/// Calls `each(first column, some columns of g, S times them)`.
fn each_image(laplacian: &ScaledLaplacian, g: &Tall, mut each: impl FnMut(usize, &Tall, &mut Tall)) {
    for from in (0..g.stride).step_by(BLOCK) {
        let width = BLOCK.min(g.stride - from);
        let (mut block, mut image) = (Tall::zeros(g.n(), width), Tall::zeros(g.n(), width));
        g.read(from, &mut block);
        laplacian.product(&block, &mut image);
        each(from, &block, &mut image);
    }
}

fn squared_column_norms(t: &Tall) -> Vec<f64> {
    let width = t.stride;
    tall::accumulate(t.n(), width, |i, sums| {
        sums.iter_mut().zip(&t.values[i * width..(i + 1) * width]).for_each(|(s, v)| *s += v * v);
    })
}

fn column_norms(t: &Tall) -> Vec<f64> {
    squared_column_norms(t).into_iter().map(f64::sqrt).collect()
}

/// Eigenvalues from the edges, true residuals, order, scale and signs. Row i of `g` is node `nodes[i]`.
fn finish(
    pencil: &LaplacianPencil<'_>,
    laplacian: &ScaledLaplacian,
    nodes: &[u32],
    g: Tall,
    known_residual: Option<f64>,
    solver: String,
    iterations: usize,
    options: &EigenOptions,
) -> Result<Eigenpairs> {
    let (n, d) = (pencil.n(), g.stride);
    let mut f = g.clone();
    tall::each_row(&mut f, |i, row| row.iter_mut().for_each(|v| *v /= laplacian.root_mass[i]));
    let squared_norms = squared_column_norms(&g);
    // λ = Σ w_ij (f_i − f_j)² / Σ m_i f_i², a sum of positive terms: accurate even if λ is tiny.
    let energy = tall::accumulate(n, d, |i, sums| {
        for (j, w) in laplacian.weights.row(i) {
            let w = 0.5 * w * laplacian.root_mass[i] * laplacian.root_mass[j as usize];
            let (a, b) = (&f.values[i * d..(i + 1) * d], &f.values[j as usize * d..(j as usize + 1) * d]);
            for c in 0..d {
                sums[c] += w * (a[c] - b[c]) * (a[c] - b[c]);
            }
        }
    });
    let values: Vec<f64> = energy.iter().zip(&squared_norms).map(|(e, s)| e / s).collect();
    let residual = known_residual.unwrap_or_else(|| relative_residual(laplacian, &g, &values, &squared_norms));
    drop(g);
    // `f64::max` drops NaN, so the values are checked directly.
    if !residual.is_finite() || values.iter().any(|v| !v.is_finite()) || f.values.iter().any(|v| !v.is_finite()) {
        return Err(Error::Overflow { what: "eigenvectors".into() });
    }
    let mut order: Vec<usize> = (0..d).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut vectors = Matrix::zeros(n, d);
    for (i, &node) in nodes.iter().enumerate() {
        let row = vectors.row_mut(node as usize);
        for (to, &from) in order.iter().enumerate() {
            row[to] = f.values[i * d + from] / squared_norms[from].sqrt();
        }
    }
    drop(f);
    let signs = largest_entry_signs(&vectors);
    for i in 0..n {
        // `+ 0.0` turns −0 into 0.
        vectors.row_mut(i).iter_mut().zip(&signs).for_each(|(v, sign)| *v = sign * *v + 0.0);
    }
    let status = if residual <= options.tolerance { Status::Converged } else { Status::ReducedAccuracy };
    Ok(Eigenpairs { values: order.iter().map(|&c| values[c]).collect(), vectors, solver, residual, iterations, status })
}

/// The largest `|S g − λ g| / λ |g|`.
fn relative_residual(laplacian: &ScaledLaplacian, g: &Tall, values: &[f64], squared_norms: &[f64]) -> f64 {
    let d = g.stride;
    let mut error = Tall::zeros(g.n(), d);
    laplacian.product(g, &mut error);
    tall::each_row(&mut error, |i, row| {
        for (c, v) in row.iter_mut().enumerate() {
            *v -= values[c] * g.values[i * d + c];
        }
    });
    let floor = ROUNDING_FLOOR * laplacian.bound();
    let errors = column_norms(&error);
    (0..d).map(|c| errors[c] / squared_norms[c].sqrt() / values[c].max(floor)).fold(0.0, f64::max)
}

/// Per column the sign that makes the entry of largest magnitude positive (the first one of equals).
fn largest_entry_signs(f: &Matrix<f64>) -> Vec<f64> {
    let mut largest = vec![0.0f64; f.ncols()];
    for row in f.rows() {
        for (best, v) in largest.iter_mut().zip(row) {
            if v.abs() > best.abs() {
                *best = *v;
            }
        }
    }
    largest.into_iter().map(|v| if v < 0.0 { -1.0 } else { 1.0 }).collect()
}

#[cfg(test)]
mod tests;
