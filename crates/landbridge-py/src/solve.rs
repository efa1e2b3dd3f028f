//! Solvers on their own.

use crate::convert::{UNFOLDING_SOLVERS, array2, matrix, word};
use crate::run::run;
use landbridge::outcome::Status;
use landbridge::solve::EntropicGw;
use landbridge::solve::unfolding::{UnfoldingOptions, unfold};
use numpy::{PyArray2, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyDict};

/// How a solver ended, in a word.
fn word_of(status: Status) -> &'static str {
    match status {
        Status::Converged => "converged",
        Status::ReducedAccuracy => "reduced_accuracy",
    }
}

/// The transport plan of entropic Gromov–Wasserstein, and what is known of it.
#[pyfunction]
pub(crate) fn entropic_gw<'py>(
    py: Python<'py>,
    c1: PyReadonlyArray2<'py, f64>,
    c2: PyReadonlyArray2<'py, f64>,
    epsilon: f64,
    max_iterations: usize,
    tolerance: f64,
    n_jobs: usize,
    verbose: bool,
) -> PyResult<(Bound<'py, PyArray2<f64>>, Bound<'py, PyDict>)> {
    let (c1, c2) = (matrix(py, &c1)?, matrix(py, &c2)?);
    let solver = EntropicGw::new(epsilon).max_iterations(max_iterations).tolerance(tolerance).n_jobs(n_jobs);
    let found = run(py, n_jobs, verbose, move |progress| solver.plan_with(&c1, &c2, progress))?;
    let info = PyDict::new(py);
    info.set_item("status", word_of(found.status))?;
    info.set_item("objective", found.cost)?;
    info.set_item("gap", found.change)?;
    info.set_item("iterations", found.iterations)?;
    info.set_item("scalings", found.scalings)?;
    let (rows, columns) = (found.plan.nrows(), found.plan.ncols());
    Ok((array2(py, found.plan.into_vec(), rows, columns)?, info))
}

/// Maximum variance unfolding: K, and how it went.
#[pyfunction]
pub(crate) fn mvu<'py>(
    py: Python<'py>,
    distances: PyReadonlyArray2<'py, f64>,
    edges: PyReadonlyArray2<'py, u32>,
    equality: bool,
    solver: &Bound<'_, PyAny>,
    tolerance: f64,
    n_functions: usize,
    n_jobs: usize,
    verbose: bool,
) -> PyResult<(Bound<'py, PyArray2<f64>>, Bound<'py, PyDict>)> {
    let distances = matrix(py, &distances)?;
    let edges: Vec<(u32, u32)> = edges.as_array().rows().into_iter().map(|row| (row[0], row[1])).collect();
    let solver = word(py, "solver", solver, UNFOLDING_SOLVERS)?;
    let options = UnfoldingOptions { equality, solver, tolerance, n_functions };
    let found = run(py, n_jobs, verbose, move |progress| unfold(&distances, &edges, &options, progress))?;
    let info = PyDict::new(py);
    info.set_item("status", word_of(found.status))?;
    info.set_item("objective", found.objective)?;
    info.set_item("bound", found.bound)?;
    info.set_item("gap", found.gap)?;
    info.set_item("violation", found.violation)?;
    info.set_item("dual_violation", found.dual_violation)?;
    info.set_item("iterations", found.iterations)?;
    info.set_item("solver", found.solver)?;
    let n = found.kernel.nrows();
    Ok((array2(py, found.kernel.into_vec(), n, n)?, info))
}
