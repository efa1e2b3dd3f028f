//! Comparing, choosing and tuning methods.

use crate::convert::Dataset;
use crate::errors;
use crate::fit::{given_values, method, pairs};
use crate::model::Model;
use crate::run::run;
use landbridge::choose::{Align, Bridge, Candidate, Compare, Comparison, Domain, Limit, Plan, Scoring, Sizes, Tune};
use landbridge::params::Value;
use landbridge::registry;
use landbridge_io::JournalFile;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyDict};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A number per row of each dataset.
type Groups = Option<Vec<Vec<usize>>>;

/// Points of the recall curve.
const CURVE: [usize; 8] = [1, 2, 3, 5, 10, 20, 50, 100];

fn scoring(py: Python<'_>, name: &str) -> PyResult<Scoring> {
    Scoring::named(name).map_err(|e| errors::library(py, &e))
}

/// The comparison as JSON, with the curve of recall at k of every candidate.
fn as_json(found: &Comparison) -> String {
    let mut json = serde_json::to_value(found).unwrap_or_default();
    for (row, candidate) in json["table"].as_array_mut().into_iter().flatten().zip(&found.table) {
        row["curve"] = match candidate.error {
            None => CURVE.iter().map(|k| serde_json::json!([k, candidate.recall_at(*k)])).collect(),
            Some(_) => serde_json::Value::Null,
        };
    }
    json.to_string()
}

/// Compares methods, each as (label, name, parameters), on held-out pairs. Returns JSON.
#[pyfunction]
pub(crate) fn compare(
    py: Python<'_>,
    candidates: Vec<(String, String, Bound<'_, PyDict>)>,
    datasets: Vec<Bound<'_, Dataset>>,
    pairs: &Bound<'_, PyAny>,
    folds: usize,
    scoring: &str,
    groups: Groups,
    resume: Option<PathBuf>,
    random_state: u64,
    n_jobs: usize,
    verbose: bool,
) -> PyResult<String> {
    let scoring = self::scoring(py, scoring)?;
    let built = |(label, name, params): &(String, String, Bound<'_, PyDict>)| -> PyResult<Candidate> {
        Ok(Candidate::shared(Arc::from(method(py, name, params, n_jobs)?)).labelled(label))
    };
    let candidates = candidates.iter().map(built).collect::<PyResult<Vec<_>>>()?;
    let datasets = datasets.iter().map(|d| d.get().take(py)).collect::<PyResult<Vec<_>>>()?;
    let pairs = self::pairs(py, pairs, &datasets)?;
    let mut compare = Compare::new().folds(folds).scoring(scoring).groups(groups).random_state(random_state).n_jobs(n_jobs);
    if let Some(path) = resume {
        compare = compare.journal(Some(Arc::new(JournalFile::open(path).map_err(|e| errors::io(py, &e))?)));
    }
    let found = run(py, n_jobs, verbose, move |progress| compare.compare_with(&candidates, &datasets, &pairs, progress))?;
    Ok(as_json(&found))
}

/// Chooses a method and fits it. Returns the model and how it was chosen, as JSON.
#[pyfunction]
pub(crate) fn align(
    py: Python<'_>,
    datasets: Vec<Bound<'_, Dataset>>,
    pairs: &Bound<'_, PyAny>,
    folds: Option<usize>,
    scoring: &str,
    groups: Groups,
    random_state: u64,
    n_jobs: usize,
    verbose: bool,
) -> PyResult<(Model, String)> {
    let scoring = self::scoring(py, scoring)?;
    let datasets = datasets.iter().map(|d| d.get().take(py)).collect::<PyResult<Vec<_>>>()?;
    let pairs = self::pairs(py, pairs, &datasets)?;
    let align = Align::new().scoring(scoring).folds(folds).groups(groups).random_state(random_state).n_jobs(n_jobs);
    let found = run(py, n_jobs, verbose, move |progress| align.align_with(&datasets, &pairs, progress))?;
    let mut json = serde_json::to_value(&found.selection).unwrap_or_default();
    json["explanation"] = found.selection.explanation().into();
    Ok((Model { inner: Arc::new(found.alignment) }, json.to_string()))
}

/// Bridges two vector stores. The outcome of the model has what it is worth.
#[pyfunction]
pub(crate) fn bridge(
    py: Python<'_>,
    datasets: Vec<Bound<'_, Dataset>>,
    pairs: &Bound<'_, PyAny>,
    folds: Option<usize>,
    curve: bool,
    random_state: u64,
    n_jobs: usize,
    verbose: bool,
) -> PyResult<Model> {
    let datasets = datasets.iter().map(|d| d.get().take(py)).collect::<PyResult<Vec<_>>>()?;
    let pairs = self::pairs(py, pairs, &datasets)?;
    let bridge = Bridge::new().folds(folds).curve(curve).random_state(random_state).n_jobs(n_jobs);
    let found = run(py, n_jobs, verbose, move |progress| bridge.bridge_with(&datasets, &pairs, progress))?;
    Ok(Model { inner: Arc::new(found.alignment) })
}

/// Tunes the parameters of a method. `space` is a list of (name, values), or of (name, low, high, "log" or "linear"). Returns JSON.
#[pyfunction]
pub(crate) fn tune(
    py: Python<'_>,
    name: &str,
    params: &Bound<'_, PyDict>,
    datasets: Vec<Bound<'_, Dataset>>,
    pairs: &Bound<'_, PyAny>,
    space: Option<Vec<(String, Bound<'_, PyAny>)>>,
    n_trials: usize,
    folds: usize,
    outer: usize,
    scoring: &str,
    groups: Groups,
    random_state: u64,
    n_jobs: usize,
    verbose: bool,
) -> PyResult<String> {
    let scoring = self::scoring(py, scoring)?;
    let schema = registry::schema(name).map_err(|e| errors::library(py, &e))?;
    let given = given_values(py, schema, params, n_jobs)?;
    let domain = |(name, values): (String, Bound<'_, PyAny>)| -> PyResult<(String, Domain)> {
        if let Ok((low, high, scale, whole)) = values.extract::<(f64, f64, String, bool)>() {
            return Ok((name, Domain::Between { low, high, log: scale == "log", whole, auto: false }));
        }
        let one = |any: PyResult<Bound<'_, PyAny>>| -> PyResult<Value> {
            let any = any?;
            crate::fit::value(&any).ok_or_else(|| errors::parameter(py, &name, crate::convert::repr(&any), "a value"))
        };
        let values = values.try_iter()?.map(one).collect::<PyResult<Vec<_>>>()?;
        Ok((name.clone(), Domain::Choices(values)))
    };
    let space = space.map(|s| s.into_iter().map(domain).collect::<PyResult<Vec<_>>>()).transpose()?;
    let datasets = datasets.iter().map(|d| d.get().take(py)).collect::<PyResult<Vec<_>>>()?;
    let pairs = self::pairs(py, pairs, &datasets)?;
    let tune = Tune::new(name, given).n_trials(n_trials).folds(folds).outer(outer).space(space).scoring(scoring);
    let tune = tune.groups(groups).random_state(random_state).n_jobs(n_jobs);
    let found = run(py, n_jobs, verbose, move |progress| tune.tune_with(&datasets, &pairs, progress))?;
    serde_json::to_string(&found).map_err(|e| errors::exception(py, "internal", &e.to_string(), None))
}

/// Bytes that a fit may take; 0: what is free.
static MAX_MEMORY: AtomicU64 = AtomicU64::new(0);

/// The memory that fits of this process may take.
pub(crate) fn limit() -> Limit {
    match MAX_MEMORY.load(Ordering::Relaxed) {
        0 => Limit::Free,
        bytes => Limit::Bytes(bytes),
    }
}

/// Sets the bytes that a fit may take, as people write them; None for what is free. Returns the former value.
#[pyfunction]
pub(crate) fn set_max_memory(py: Python<'_>, size: Option<&str>) -> PyResult<Option<u64>> {
    let bytes = match size.map(Limit::named).transpose().map_err(|e| errors::library(py, &e))? {
        Some(Limit::Bytes(bytes)) => bytes,
        _ => 0,
    };
    Ok(Some(MAX_MEMORY.swap(bytes, Ordering::Relaxed)).filter(|former| *former > 0))
}

/// What a fit will cost, as JSON, and as a table.
#[pyfunction]
pub(crate) fn plan(
    py: Python<'_>,
    name: &str,
    params: &Bound<'_, PyDict>,
    datasets: Vec<Bound<'_, Dataset>>,
    pairs: &Bound<'_, PyAny>,
) -> PyResult<(String, String)> {
    let method = method(py, name, params, 0)?;
    let datasets = datasets.iter().map(|d| d.get().take(py)).collect::<PyResult<Vec<_>>>()?;
    let pairs = self::pairs(py, pairs, &datasets)?;
    let plan = Plan::new(&*method, &Sizes::of(&datasets, &pairs));
    Ok((serde_json::to_string(&plan).unwrap_or_default(), plan.table()))
}
