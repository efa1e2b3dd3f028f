//! Stand-alone solvers.

use crate::convert::{UNFOLDING_SOLVERS, array2, matrix, word};
use crate::run::run;
use landbridge::linalg::Matrix;
use landbridge::outcome::Status;
use landbridge::solve::EntropicGw;
use landbridge::solve::unfolding::{UnfoldingOptions, unfold};
use numpy::{PyArray2, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyDict};

/// How a solver ended, in a word.
pub(crate) fn word_of(status: Status) -> &'static str {
    match status {
        Status::Converged => "converged",
        Status::ReducedAccuracy => "reduced_accuracy",
    }
}

/// The report on a solution, as a dict: its status and the named fields, under their Python names.
macro_rules! facts {
    ($py:expr, $found:expr, { $($name:literal: $field:ident),* $(,)? }) => {{
        let dict = PyDict::new($py);
        dict.set_item("status", crate::solve::word_of($found.status))?;
        $(dict.set_item($name, $found.$field)?;)*
        dict
    }};
}
pub(crate) use facts;

/// A matrix and the report on it.
type Solved<'py> = PyResult<(Bound<'py, PyArray2<f64>>, Bound<'py, PyDict>)>;

/// The answer of a solver to Python.
fn solved<'py>(py: Python<'py>, m: Matrix<f64>, facts: Bound<'py, PyDict>) -> Solved<'py> {
    let (rows, columns) = (m.nrows(), m.ncols());
    Ok((array2(py, m.into_vec(), rows, columns)?, facts))
}

/// The transport plan of entropic Gromov–Wasserstein, and the report on it.
#[pyfunction]
pub(crate) fn entropic_gw<'py>(
    py: Python<'py>,
    c1: PyReadonlyArray2<'py, f64>,
    c2: PyReadonlyArray2<'py, f64>,
    epsilon: f64,
    rho: Option<f64>,
    linear: Option<PyReadonlyArray2<'py, f64>>,
    max_iterations: usize,
    tolerance: f64,
    n_jobs: usize,
    verbose: bool,
) -> Solved<'py> {
    let (c1, c2) = (matrix(py, &c1)?, matrix(py, &c2)?);
    let linear = linear.map(|l| matrix(py, &l)).transpose()?;
    let solver = EntropicGw::new(epsilon).rho(rho).max_iterations(max_iterations).tolerance(tolerance).n_jobs(n_jobs);
    let found = run(py, n_jobs, verbose, move |progress| match &linear {
        Some(linear) => solver.plan_fused(&c1, &c2, linear, progress),
        None => solver.plan_with(&c1, &c2, progress),
    })?;
    let facts = facts!(py, found, {
        "objective": cost, "penalty": penalty, "gap": change, "iterations": iterations, "scalings": scalings
    });
    solved(py, found.plan, facts)
}

/// Maximum variance unfolding: K and the report on it.
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
) -> Solved<'py> {
    let distances = matrix(py, &distances)?;
    let edges: Vec<(u32, u32)> = edges.as_array().rows().into_iter().map(|row| (row[0], row[1])).collect();
    let solver = word(py, "solver", solver, UNFOLDING_SOLVERS)?;
    let options = UnfoldingOptions { equality, solver, tolerance, n_functions };
    let found = run(py, n_jobs, verbose, move |progress| unfold(&distances, &edges, &options, progress))?;
    let facts = facts!(py, found, {
        "objective": objective, "bound": bound, "gap": gap, "violation": violation, "dual_violation": dual_violation,
        "iterations": iterations, "solver": solver,
    });
    solved(py, found.kernel, facts)
}
