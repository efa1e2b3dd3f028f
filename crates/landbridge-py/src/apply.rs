//! What a model is good for: scores, labels, a map without its rows.

use crate::convert::{Dataset, METRICS, word};
use crate::errors;
use crate::fit::pairs;
use crate::model::Model;
use crate::run::run;
use landbridge::geometry::neighbors::Metric;
use landbridge::linalg::Matrix;
use landbridge::model::Places;
use numpy::{PyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::PyAny;
use std::sync::Arc;

fn metric_of(py: Python<'_>, metric: Option<Bound<'_, PyAny>>) -> PyResult<Option<Metric>> {
    metric.map(|metric| word(py, "metric", &metric, METRICS)).transpose()
}

/// Scores against known truth, as JSON: what `landbridge evaluate` prints.
#[pyfunction]
pub(crate) fn evaluate(
    py: Python<'_>,
    model: &Bound<'_, Model>,
    datasets: Vec<Bound<'_, Dataset>>,
    truth: &Bound<'_, PyAny>,
    ks: Vec<usize>,
    metric: Option<Bound<'_, PyAny>>,
    n_jobs: usize,
) -> PyResult<String> {
    let inner = model.get().inner.clone();
    let datasets = datasets.iter().map(|d| d.get().take(py)).collect::<PyResult<Vec<_>>>()?;
    let (truth, metric) = (pairs(py, truth, &datasets)?, metric_of(py, metric)?);
    let used = metric.unwrap_or(inner.default_metric());
    let found = run(py, n_jobs, false, move |_| inner.evaluate(truth.links(), &ks, metric))?;
    Ok(serde_json::json!({"metric": used, "pairs": found}).to_string())
}

/// The labels of the source for the rows of the target (None where unknown), and the share of votes of each.
type Labels<'py> = (Vec<Option<String>>, Bound<'py, PyArray1<f64>>);

/// Labels of one dataset for the rows of another: its fitted rows, or new ones.
#[pyfunction]
pub(crate) fn transfer_labels<'py>(
    py: Python<'py>,
    model: &Bound<'py, Model>,
    rows: Option<Bound<'py, Dataset>>,
    labels: Option<Vec<String>>,
    source: usize,
    target: usize,
    k: usize,
    metric: Option<Bound<'_, PyAny>>,
    min_probability: f64,
    min_support: f64,
    n_jobs: usize,
) -> PyResult<Labels<'py>> {
    let (inner, metric) = (model.get().inner.clone(), metric_of(py, metric)?);
    let rows = rows.map(|rows| rows.get().take(py)).transpose()?;
    let work = move || match rows {
        Some(new) => inner.transfer_labels_to(new.rows(), labels.as_deref(), source, target, k, metric, min_probability),
        None => inner.transfer_labels_with(labels.as_deref(), source, target, k, metric, min_probability, min_support),
    };
    let found = run(py, n_jobs, false, move |_| work())?;
    let (labels, shares): (Vec<_>, Vec<_>) = found.into_iter().map(|p| (p.label, p.probability)).unzip();
    Ok((labels, PyArray1::from_vec(py, shares)))
}

/// The chance of each match of the fitted rows: matches, chances, and the rest as JSON.
type Confidence<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<f64>>, String);

/// The chance of each match of one dataset with another.
#[pyfunction]
pub(crate) fn match_confidence<'py>(
    py: Python<'py>,
    model: &Bound<'py, Model>,
    matches: Option<Vec<i64>>,
    source: usize,
    target: usize,
    min_confidence: f64,
    n_jobs: usize,
    verbose: bool,
) -> PyResult<Confidence<'py>> {
    let inner = model.get().inner.clone();
    let found =
        run(py, n_jobs, verbose, move |progress| inner.match_confidence_with(matches.as_deref(), source, target, progress))?;
    let rest = serde_json::json!({
        "expected_right": found.expected_right, "shared": found.shared, "basis": found.basis,
        "summary": found.summary(min_confidence),
    });
    Ok((PyArray1::from_vec(py, found.targets), PyArray1::from_vec(py, found.confidence), rest.to_string()))
}

/// Coordinates, ids and labels of the rows of a dataset.
type Placed<'py> = (PyReadonlyArray2<'py, f64>, Option<Vec<String>>, Option<Vec<String>>);

/// The model with other rows in place of the fitted ones.
#[pyfunction]
pub(crate) fn with_places(py: Python<'_>, model: &Bound<'_, Model>, places: Vec<Placed<'_>>) -> PyResult<Model> {
    let place = |(z, row_ids, labels): Placed<'_>| {
        let z = z.as_array();
        let embedding = Matrix::from_fn(z.nrows(), z.ncols(), |i, j| z[[i, j]]);
        Places { embedding, row_ids, labels }
    };
    let places = places.into_iter().map(place).collect();
    let other = model.get().inner.with_places(places).map_err(|error| errors::library(py, &error))?;
    Ok(Model { inner: Arc::new(other) })
}

/// The model without its fitted rows: it maps new rows, and is small.
#[pyfunction]
pub(crate) fn without_rows(py: Python<'_>, model: &Bound<'_, Model>) -> PyResult<Model> {
    let bare = model.get().inner.without_rows().map_err(|error| errors::library(py, &error))?;
    Ok(Model { inner: Arc::new(bare) })
}
