//! Sparse maps along a path of strengths, and the regressions behind them on their own.

use crate::convert::{CsrArrays, Dataset, csr_arrays, matrix};
use crate::errors;
use crate::fit::{Params, pairs, sparse};
use crate::model::Model;
use crate::run::run;
use crate::solve::facts;
use landbridge::data;
use landbridge::method::SparseAlignment;
use landbridge::solve::regression::{Penalty, RegressionOptions, regress_path, total_variation as denoise};
use landbridge_plot::{Curve, LineChart};
use numpy::{PyArray1, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyDict};
use std::sync::Arc;

/// The method with its parameters, the datasets and their pairs.
fn prepared(
    py: Python<'_>,
    params: &Bound<'_, PyDict>,
    datasets: &[Bound<'_, Dataset>],
    pairs: &Bound<'_, PyAny>,
    n_jobs: usize,
) -> PyResult<(SparseAlignment, Vec<data::Dataset>, data::Pairs)> {
    let method = sparse(py, &Params(params), n_jobs)?;
    let datasets = datasets.iter().map(|d| d.get().take(py)).collect::<PyResult<Vec<_>>>()?;
    let pairs = self::pairs(py, pairs, &datasets)?;
    Ok((method, datasets, pairs))
}

/// One model per strength, fitted in turn.
#[pyfunction]
pub(crate) fn fit_path(
    py: Python<'_>,
    params: &Bound<'_, PyDict>,
    datasets: Vec<Bound<'_, Dataset>>,
    pairs: &Bound<'_, PyAny>,
    alphas: Vec<f64>,
    n_jobs: usize,
    verbose: bool,
) -> PyResult<Vec<Model>> {
    let (method, datasets, pairs) = prepared(py, params, &datasets, pairs, n_jobs)?;
    let fitted = run(py, n_jobs, verbose, move |progress| method.fit_path(&datasets, &pairs, &alphas, progress))?;
    Ok(fitted.into_iter().map(|model| Model { inner: Arc::new(model) }).collect())
}

/// Alpha, features used, density and recall of each strength, and how many groups of rows were held out.
type Points = (Vec<(f64, Vec<usize>, f64, f64)>, usize);

/// Scores each strength by held-out pairs.
#[pyfunction]
pub(crate) fn held_out_path(
    py: Python<'_>,
    params: &Bound<'_, PyDict>,
    datasets: Vec<Bound<'_, Dataset>>,
    pairs: &Bound<'_, PyAny>,
    alphas: Vec<f64>,
    held_out: f64,
    n_jobs: usize,
    verbose: bool,
) -> PyResult<Points> {
    let (method, datasets, pairs) = prepared(py, params, &datasets, pairs, n_jobs)?;
    let path = run(py, n_jobs, verbose, move |progress| method.path(&datasets, &pairs, &alphas, held_out, progress))?;
    let points = path.points.into_iter().map(|p| (p.alpha, p.features_used, p.density, p.recall)).collect();
    Ok((points, path.held_out))
}

/// The penalty of that name with its strengths.
fn penalty(
    py: Python<'_>,
    name: &str,
    (alpha, beta, gamma): (f64, f64, f64),
    groups: Option<&Vec<Vec<u32>>>,
) -> PyResult<Penalty> {
    Ok(match (name, groups) {
        ("ridge", _) => Penalty::Ridge { gamma },
        ("lasso", _) => Penalty::Lasso { alpha, gamma },
        ("fused", _) => Penalty::Fused { alpha, beta },
        ("group", Some(groups)) => Penalty::Group { alpha, groups: groups.clone() },
        _ => return Err(errors::parameter(py, "penalty", name, "\"ridge\", \"lasso\", \"fused\" or \"group\" (with groups)")),
    })
}

/// Weights and the solver's report, for each (alpha, beta, gamma) in turn.
#[pyfunction]
#[pyo3(signature = (rows, targets, penalty, strengths, tolerance, n_jobs, groups=None))]
pub(crate) fn regress<'py>(
    py: Python<'py>,
    rows: &Bound<'_, Dataset>,
    targets: PyReadonlyArray2<'_, f64>,
    penalty: &str,
    strengths: Vec<(f64, f64, f64)>,
    tolerance: f64,
    n_jobs: usize,
    groups: Option<Vec<Vec<u32>>>,
) -> PyResult<Vec<(CsrArrays<'py>, Bound<'py, PyDict>)>> {
    let penalties =
        strengths.into_iter().map(|s| self::penalty(py, penalty, s, groups.as_ref())).collect::<PyResult<Vec<_>>>()?;
    let (rows, targets) = (rows.get().take(py)?, matrix(py, &targets)?);
    let found = run(py, n_jobs, false, move |progress| {
        let options = RegressionOptions { tolerance, ..RegressionOptions::default() };
        regress_path(rows.rows(), &targets, &penalties, &options, progress)
    })?;
    found
        .into_iter()
        .map(|r| {
            let facts =
                facts!(py, r, { "objective": objective, "gap": gap, "iterations": iterations, "largest_alpha": largest_alpha });
            Ok((csr_arrays(py, &r.weights), facts))
        })
        .collect()
}

/// Total-variation denoising.
#[pyfunction]
pub(crate) fn total_variation<'py>(
    py: Python<'py>,
    signal: PyReadonlyArray1<'_, f64>,
    strength: f64,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let signal = signal.as_array().to_vec();
    let bad = signal.iter().find(|v| !v.is_finite());
    if let Some(value) = bad {
        return Err(errors::parameter(py, "signal", format!("with {value}"), "finite numbers"));
    }
    if !(strength.is_finite() && strength >= 0.0) {
        return Err(errors::parameter(py, "strength", strength.to_string(), "zero or a positive finite number"));
    }
    Ok(PyArray1::from_vec(py, py.detach(move || denoise(signal, strength))))
}

/// Curves (name, x, y) as an SVG picture.
#[pyfunction]
#[pyo3(signature = (title, subtitle, axes, curves, log_x = true, y_range = (0.0, 1.0)))]
pub(crate) fn line_chart(
    py: Python<'_>,
    title: &str,
    subtitle: &str,
    axes: (String, String),
    curves: Vec<(String, Vec<f64>, Vec<f64>)>,
    log_x: bool,
    y_range: (f64, f64),
) -> PyResult<String> {
    let mut chart = LineChart::new(title).subtitle(subtitle).axes(axes.0, axes.1).log_x(log_x).y_range(y_range.0, y_range.1);
    for (name, x, y) in curves {
        chart = chart.curve(Curve::new(name, x.into_iter().zip(y).map(|(x, y)| [x, y]).collect()));
    }
    chart.render().map_err(|e| errors::parameter(py, "curves", "not drawable", &e.to_string()))
}
