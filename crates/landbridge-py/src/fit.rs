//! Parameters and pairs of a fit.

use crate::convert::{Dataset, METRICS, SEARCHES, WEIGHTS, csr, repr, word};
use crate::errors;
use crate::model::Model;
use crate::run::run;
use landbridge::Error;
use landbridge::data::Pairs;
use landbridge::linalg::Csr;
use landbridge::method::{Cle, InstanceAlignment};
use numpy::{PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyBool, PyDict, PyList, PyTuple};
use std::sync::Arc;

/// The parameters of a call, by name.
pub(crate) struct Params<'a, 'py>(pub(crate) &'a Bound<'py, PyDict>);

impl<'py> Params<'_, 'py> {
    fn py(&self) -> Python<'py> {
        self.0.py()
    }
    /// The value, unless it is absent or None.
    pub(crate) fn given(&self, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        Ok(self.0.get_item(name)?.filter(|value| !value.is_none()))
    }
    fn value<T>(&self, name: &str, expected: &str, read: impl FnOnce(&Bound<'py, PyAny>) -> Option<T>) -> PyResult<T> {
        let value = self.0.get_item(name)?.unwrap_or_else(|| self.py().None().into_bound(self.py()));
        read(&value).ok_or_else(|| errors::parameter(self.py(), name, repr(&value), expected))
    }
    /// A whole number from 0; True and 2.0 are none.
    pub(crate) fn count<T: for<'a> FromPyObject<'a, 'py>>(&self, name: &str) -> PyResult<T> {
        self.value(name, "a whole number, 0 or more", |v| if v.is_instance_of::<PyBool>() { None } else { v.extract().ok() })
    }
    /// A number; True is none.
    pub(crate) fn number(&self, name: &str) -> PyResult<f64> {
        self.value(name, "a number", |v| if v.is_instance_of::<PyBool>() { None } else { v.extract().ok() })
    }
    /// True or False.
    pub(crate) fn flag(&self, name: &str) -> PyResult<bool> {
        self.value(name, "True or False", |v| v.extract().ok())
    }
}

fn instance(params: &Params<'_, '_>, n_jobs: usize) -> PyResult<InstanceAlignment> {
    let py = params.py();
    let words = |name: &str| params.value(name, "a word", |v| Some(v.clone()));
    let mut method = InstanceAlignment::new(params.count("n_components")?)
        .n_neighbors(params.count("n_neighbors")?)
        .metric(word(py, "metric", &words("metric")?, METRICS)?)
        .weights(word(py, "weights", &words("weights")?, WEIGHTS)?)
        .heat_width(params.given("heat_width")?.map(|_| params.number("heat_width")).transpose()?)
        .search(word(py, "search", &words("search")?, SEARCHES)?)
        .random_state(params.count("random_state")?)
        .mu(params.number("mu")?)
        .nu(params.number("nu")?)
        .balance(params.flag("balance")?)
        .tolerance(params.number("tolerance")?)
        .n_jobs(n_jobs);
    if let Some(graphs) = params.given("graphs")? {
        if words("weights")?.extract::<String>().ok().as_deref() != Some("precomputed") {
            let weights = repr(&words("weights")?);
            return Err(errors::parameter(py, "weights", weights, "\"precomputed\" when graphs are given"));
        }
        method = method.graphs(graphs.cast::<PyList>()?.iter().map(|g| graph(&g)).collect::<PyResult<_>>()?);
    }
    Ok(method)
}

/// A graph as (row starts, column numbers, values, columns).
fn graph(arrays: &Bound<'_, PyAny>) -> PyResult<Csr> {
    let arrays = arrays.cast::<PyTuple>()?;
    let values: PyReadonlyArray1<'_, f64> = arrays.get_item(2)?.extract()?;
    csr(arrays.py(), &arrays.get_item(0)?, &arrays.get_item(1)?, &values, arrays.get_item(3)?.extract()?)
}

/// Pairs are None, a table with weights or none, or a list of (a, b, rows of a, rows of b, weights).
fn pairs(py: Python<'_>, given: &Bound<'_, PyAny>, datasets: &[landbridge::data::Dataset]) -> PyResult<Pairs> {
    let failed = |error: Error| errors::library(py, &named(error, datasets));
    if given.is_none() {
        return Ok(Pairs::none(datasets.len()));
    }
    if let Ok(list) = given.cast::<PyList>() {
        let mut pairs = Pairs::none(datasets.len());
        for part in list.iter() {
            let (a, b): (usize, usize) = (part.get_item(0)?.extract()?, part.get_item(1)?.extract()?);
            let rows_a: PyReadonlyArray1<'_, i64> = part.get_item(2)?.extract()?;
            let rows_b: PyReadonlyArray1<'_, i64> = part.get_item(3)?.extract()?;
            let weights: PyReadonlyArray1<'_, f64> = part.get_item(4)?.extract()?;
            for ((&i, &j), &weight) in rows_a.as_array().iter().zip(rows_b.as_array()).zip(weights.as_array()) {
                pairs.add(a, i as usize, b, j as usize, weight).map_err(failed)?;
            }
        }
        return Ok(pairs);
    }
    let (table, weights): (PyReadonlyArray2<'_, i64>, Option<PyReadonlyArray1<'_, f64>>) = given.extract()?;
    let table: Vec<Vec<i64>> = table.as_array().rows().into_iter().map(|row| row.to_vec()).collect();
    match weights {
        None => Pairs::from_table(&table),
        Some(weights) => Pairs::from_weighted_table(&table, &weights.as_array().to_vec()),
    }
    .map_err(failed)
}

/// A table does not know its datasets; the message is better with name and size.
fn named(error: Error, datasets: &[landbridge::data::Dataset]) -> Error {
    match error {
        Error::PairOutOfRange { row, dataset, value, rows: 0 } => {
            let known = dataset.parse().ok().and_then(|a: usize| datasets.get(a));
            let (dataset, rows) = known.map_or((dataset, 0), |d| (d.name().into(), d.nrows()));
            Error::PairOutOfRange { row, dataset, value, rows }
        }
        error => error,
    }
}

/// Fits the method of that name. `datasets` and `pairs` are copies already.
#[pyfunction]
#[pyo3(name = "fit")]
pub(crate) fn fit(
    py: Python<'_>,
    method: &str,
    params: &Bound<'_, PyDict>,
    datasets: Vec<Bound<'_, Dataset>>,
    pairs: &Bound<'_, PyAny>,
    n_jobs: usize,
    verbose: bool,
) -> PyResult<Model> {
    let base = instance(&Params(params), n_jobs)?;
    let datasets = datasets.iter().map(|d| d.get().take(py)).collect::<PyResult<Vec<_>>>()?;
    let pairs = self::pairs(py, pairs, &datasets)?;
    let fitted = match method {
        "instance" => {
            let params = Params(params);
            let method = base.hard(params.flag("hard")?).normalized(params.flag("normalized")?);
            run(py, n_jobs, verbose, move |progress| method.fit_with(&datasets, &pairs, progress))?
        }
        "cle" => {
            let method = Cle::new(1).with(|_| base);
            run(py, n_jobs, verbose, move |progress| method.fit_with(&datasets, &pairs, progress))?
        }
        other => return Err(errors::parameter(py, "method", other, "\"instance\" or \"cle\"")),
    };
    Ok(Model { inner: Arc::new(fitted) })
}

/// The defaults of a method, as JSON; `n_components` is the 1 asked for.
#[pyfunction]
pub(crate) fn defaults(py: Python<'_>, method: &str) -> PyResult<String> {
    let value = match method {
        "instance" => serde_json::to_string(&InstanceAlignment::new(1)),
        "cle" => serde_json::to_string(&Cle::new(1)),
        other => return Err(errors::parameter(py, "method", other, "\"instance\" or \"cle\"")),
    };
    value.map_err(|e| errors::exception(py, "internal", &e.to_string(), None))
}
