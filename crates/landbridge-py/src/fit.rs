//! Parameters and pairs of a fit.

use crate::convert::{Dataset, csr, matrix, repr};
use crate::errors;
use crate::model::Model;
use crate::run::run;
use landbridge::Error;
use landbridge::choose::fit_within;
use landbridge::correspondence::{CheckPairs, InferPairs, Inferring, JudgeHeldOut, looking_at_links};
use landbridge::data::{ColumnLink, ColumnName, Pairs};
use landbridge::embed::Embedder;
use landbridge::geometry::neighbors::Metric;
use landbridge::linalg::{Csr, Matrix};
use landbridge::method::{Method, SparseAlignment};
use landbridge::outcome::{HeldOut, Judgement, Warning};
use landbridge::params::{Given, Kind, Param, Schema, Value, Words as _, from_given};
use landbridge::registry;
use numpy::{PyArray1, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyBool, PyDict, PyList, PyTuple};
use std::path::PathBuf;
use std::sync::Arc;

/// The parameters of a call, by name.
pub(crate) struct Params<'a, 'py>(pub(crate) &'a Bound<'py, PyDict>);

impl<'py> Params<'_, 'py> {
    pub(crate) fn py(&self) -> Python<'py> {
        self.0.py()
    }
    /// The value, unless it is absent or None.
    pub(crate) fn given(&self, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        Ok(self.0.get_item(name)?.filter(|value| !value.is_none()))
    }
    pub(crate) fn value<T>(&self, name: &str, expected: &str, read: impl FnOnce(&Bound<'py, PyAny>) -> Option<T>) -> PyResult<T> {
        let value = self.0.get_item(name)?.unwrap_or_else(|| self.py().None().into_bound(self.py()));
        read(&value).ok_or_else(|| errors::parameter(self.py(), name, repr(&value), expected))
    }
    /// A whole number from 0; True and 2.0 are not accepted.
    pub(crate) fn count<T: for<'a> FromPyObject<'a, 'py>>(&self, name: &str) -> PyResult<T> {
        self.value(name, "a whole number, 0 or more", |v| if v.is_instance_of::<PyBool>() { None } else { v.extract().ok() })
    }
    /// A number; True is not accepted.
    pub(crate) fn number(&self, name: &str) -> PyResult<f64> {
        self.value(name, "a number", |v| if v.is_instance_of::<PyBool>() { None } else { v.extract().ok() })
    }
    /// True or False.
    pub(crate) fn flag(&self, name: &str) -> PyResult<bool> {
        self.value(name, "True or False", |v| v.extract().ok())
    }
}

/// Converts a Python object to a value, by its own type, not by the expected one.
pub(crate) fn value(any: &Bound<'_, PyAny>) -> Option<Value> {
    if any.is_none() {
        return Some(Value::None);
    }
    if let Ok(flag) = any.extract::<bool>() {
        return Some(Value::Flag(flag));
    }
    if let Ok(n) = any.extract::<i64>() {
        return Some(Value::Int(n.into()));
    }
    if let Ok(n) = any.extract::<u64>() {
        return Some(Value::Int(n.into()));
    }
    if let Ok(text) = any.extract::<String>() {
        return Some(Value::Text(text));
    }
    if let Ok(v) = any.extract::<f64>() {
        return Some(Value::Number(v));
    }
    any.try_iter().ok()?.map(|item| item.ok().as_ref().and_then(value)).collect::<Option<Vec<_>>>().map(Value::List)
}

/// The values of a dictionary, as the declaration says.
pub(crate) fn given_values(py: Python<'_>, schema: &Schema, params: &Bound<'_, PyDict>, n_jobs: usize) -> PyResult<Given> {
    let mut given: Given = vec![];
    for (key, any) in params.iter() {
        let name: String = key.extract()?;
        let param = schema.param(&name);
        let found = match param.map(|p| p.kind) {
            _ if any.is_none() => Value::None,
            Some(Kind::Graphs) => Value::Graphs(any.cast::<PyList>()?.iter().map(|g| graph(&g)).collect::<PyResult<_>>()?),
            Some(Kind::Matrices) => Value::Matrices(matrices(&any)?),
            // As (name, parameters).
            Some(Kind::Method) => {
                let (inner, own) = (any.get_item(0)?.extract::<String>()?, any.get_item(1)?);
                let schema = registry::schema(&inner).map_err(|e| errors::library(py, &e))?;
                Value::Method(inner, given_values(py, schema, own.cast::<PyDict>()?, n_jobs)?)
            }
            _ => value(&any).ok_or_else(|| {
                let expected = param.map_or_else(|| "a value".into(), Param::expected);
                errors::parameter(py, &name, repr(&any), &expected)
            })?,
        };
        given.push((name, found));
    }
    given.push(("n_jobs".into(), Value::Int(n_jobs as i128)));
    Ok(given)
}

/// The error with the value as Python shows it.
fn in_python(py: Python<'_>, error: Error, params: &Bound<'_, PyDict>) -> PyErr {
    match error {
        Error::BadParameter { name, value, expected } => {
            let any = params.get_item(&name).ok().flatten();
            let value = any.map_or(value, |any| repr(&any));
            errors::parameter(py, &name, value, &expected.replace("true or false", "True or False"))
        }
        error => errors::library(py, &error),
    }
}

/// The method of that name with its parameters.
pub(crate) fn method(py: Python<'_>, name: &str, params: &Bound<'_, PyDict>, n_jobs: usize) -> PyResult<Box<dyn Method>> {
    let failed = |error: Error| errors::library(py, &error);
    let given = given_values(py, registry::schema(name).map_err(failed)?, params, n_jobs)?;
    registry::method(name, given).map_err(|error| in_python(py, error, params))
}

/// The embedding of that name with its parameters.
pub(crate) fn embedder(py: Python<'_>, name: &str, params: &Bound<'_, PyDict>, n_jobs: usize) -> PyResult<Embedder> {
    let schema = registry::embeddings().into_iter().find(|s| s.name == name);
    let given = schema.map_or_else(|| Ok(vec![]), |schema| given_values(py, schema, params, n_jobs))?;
    Embedder::from_given(name, given).map_err(|error| in_python(py, error, params))
}

/// Sparse alignment with its parameters.
pub(crate) fn sparse(py: Python<'_>, params: &Params<'_, '_>, n_jobs: usize) -> PyResult<SparseAlignment> {
    let given = given_values(py, <SparseAlignment as landbridge::params::Params>::schema(), params.0, n_jobs)?;
    from_given(given).map_err(|error| in_python(py, error, params.0))
}

/// A list of float64 matrices.
pub(crate) fn matrices(list: &Bound<'_, PyAny>) -> PyResult<Vec<Matrix<f64>>> {
    let list = list.cast::<PyList>()?;
    list.iter().map(|m| matrix(list.py(), &m.extract::<PyReadonlyArray2<'_, f64>>()?)).collect()
}

/// A graph as (row starts, column numbers, values, columns).
pub(crate) fn graph(arrays: &Bound<'_, PyAny>) -> PyResult<Csr> {
    let arrays = arrays.cast::<PyTuple>()?;
    let values: PyReadonlyArray1<'_, f64> = arrays.get_item(2)?.extract()?;
    csr(arrays.py(), &arrays.get_item(0)?, &arrays.get_item(1)?, &values, arrays.get_item(3)?.extract()?)
}

/// Pairs are None, a table with weights or none, or a list of (a, b, rows of a, rows of b, weights).
pub(crate) fn pairs(py: Python<'_>, given: &Bound<'_, PyAny>, datasets: &[landbridge::data::Dataset]) -> PyResult<Pairs> {
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
    // Names of rows: (count, names that repeat, mere numbers?) beside the table, or alone where they made no pairs.
    if let Ok((count,)) = given.extract::<(usize,)>() {
        return Ok(Pairs::none(datasets.len()).with_note(Warning::NamesAreNumbers { count }));
    }
    if let Ok((table, repeated, numbers)) = given.extract::<(PyReadonlyArray2<'_, i64>, usize, bool)>() {
        let table: Vec<Vec<i64>> = table.as_array().rows().into_iter().map(|row| row.to_vec()).collect();
        let note = Warning::PairsByName { count: table.len(), repeated, numbers };
        return Pairs::from_table(&table).map(|pairs| pairs.with_note(note)).map_err(failed);
    }
    // Of a file: with what there is to say of it.
    type OfFile<'py> = (PyReadonlyArray2<'py, i64>, PyReadonlyArray1<'py, f64>, usize, Vec<String>);
    if let Ok((table, weights, left_out, by_number)) = given.extract::<OfFile<'_>>() {
        let table = table.as_array().rows().into_iter().map(|row| row.to_vec()).collect();
        let found = landbridge_io::PairTable { table, weights: weights.as_array().to_vec(), left_out, by_number };
        return found.into_pairs(datasets.len()).map_err(|e| errors::io(py, &e));
    }
    let (table, weights): (PyReadonlyArray2<'_, i64>, Option<PyReadonlyArray1<'_, f64>>) = given.extract()?;
    let table: Vec<Vec<i64>> = table.as_array().rows().into_iter().map(|row| row.to_vec()).collect();
    match weights {
        None => Pairs::from_table(&table),
        Some(weights) => Pairs::from_weighted_table(&table, &weights.as_array().to_vec()),
    }
    .map_err(failed)
}

/// Adds name and size of the dataset to the message, which a table does not know.
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
    links: &Bound<'_, PyAny>,
    n_jobs: usize,
    verbose: bool,
) -> PyResult<Model> {
    let built = self::method(py, method, params, n_jobs)?;
    let datasets = datasets.iter().map(|d| d.get().take(py)).collect::<PyResult<Vec<_>>>()?;
    // None is not an empty table: the method may infer the pairs.
    // Names that are mere row numbers are not pairs either.
    let absent = pairs.is_none() || pairs.extract::<(usize,)>().is_ok();
    let built: Box<dyn Method> = if !links.is_none() {
        looking_at_links(built)
    } else if absent && built.schema().infers {
        let metric = built.values().into_iter().find(|(name, _)| name == "metric");
        let metric = match metric {
            Some((_, Value::Text(word))) => Metric::from_word(&word),
            _ => None,
        };
        let infer = InferPairs::new().metric(metric.unwrap_or(Metric::Euclidean)).n_jobs(n_jobs);
        Box::new(Inferring::boxed(built, infer))
    } else {
        built
    };
    let pairs = self::pairs(py, pairs, &datasets)?.with_column_links(self::links(py, links, &datasets)?);
    let limit = crate::choose::limit();
    let fitted = run(py, n_jobs, verbose, move |progress| fit_within(&*built, &datasets, &pairs, limit, progress))?;
    Ok(Model { inner: Arc::new(fitted) })
}

/// Linked columns: None, a word or the name of a file, or a list of (column, column) or (column, column, weight).
pub(crate) fn links(
    py: Python<'_>,
    given: &Bound<'_, PyAny>,
    datasets: &[landbridge::data::Dataset],
) -> PyResult<Vec<ColumnLink>> {
    if given.is_none() {
        return Ok(vec![]);
    }
    if let Ok(word) = given.extract::<PathBuf>() {
        return landbridge_io::read_links(word, datasets).map_err(|e| errors::io(py, &e));
    }
    let bad = |entry: &Bound<'_, PyAny>| {
        let expected =
            "(column of the first dataset, column of the second), perhaps with a weight; columns by name or by number from 0";
        errors::parameter(py, "links", repr(entry), expected)
    };
    let column = |entry: &Bound<'_, PyAny>, at: usize| {
        let cell = entry.get_item(at).map_err(|_| bad(entry))?;
        match (cell.extract::<usize>(), cell.extract::<String>()) {
            (Ok(n), _) if !cell.is_instance_of::<PyBool>() => Ok(ColumnName::Number(n)),
            (_, Ok(name)) => Ok(ColumnName::Name(name)),
            _ => Err(bad(entry)),
        }
    };
    let mut found = vec![];
    for entry in given.try_iter().map_err(|_| bad(given))? {
        let entry = entry?;
        let weight = match entry.len().map_err(|_| bad(&entry))? {
            2 => 1.0,
            3 => entry.get_item(2)?.extract::<f64>().map_err(|_| bad(&entry))?,
            _ => return Err(bad(&entry)),
        };
        found.push((column(&entry, 0)?, column(&entry, 1)?, weight));
    }
    if found.is_empty() {
        return Err(errors::parameter(py, "links", repr(given), "at least one link, or None"));
    }
    ColumnLink::resolve(datasets, &found).map_err(|e| errors::library(py, &e))
}

/// Misfit and chance of each pair, threshold, suspects, whether it can tell, rows to pair next, the verdict.
type Checked = (Vec<f64>, Vec<f64>, f64, Vec<usize>, bool, Vec<(usize, usize)>, String);

/// Which given pairs look wrong.
#[pyfunction]
pub(crate) fn check_pairs(
    py: Python<'_>,
    base: Option<(String, Bound<'_, PyDict>)>,
    datasets: Vec<Bound<'_, Dataset>>,
    pairs: &Bound<'_, PyAny>,
    folds: usize,
    n_suggestions: usize,
    random_state: u64,
    n_jobs: usize,
    verbose: bool,
) -> PyResult<Checked> {
    let base = base.map(|(name, params)| method(py, &name, &params, n_jobs)).transpose()?;
    let datasets = datasets.iter().map(|d| d.get().take(py)).collect::<PyResult<Vec<_>>>()?;
    let pairs = self::pairs(py, pairs, &datasets)?;
    let check = CheckPairs::new().boxed_base(base).folds(folds).n_suggestions(n_suggestions).random_state(random_state);
    let found = run(py, n_jobs, verbose, move |progress| check.n_jobs(n_jobs).check_with(&datasets, &pairs, progress))?;
    let verdict = found.verdict();
    Ok((found.misfit, found.confidence, found.threshold, found.suspect, found.can_tell, found.next, verdict))
}

/// The result of holding out pairs.
pub(crate) fn held_out_dict<'py>(py: Python<'py>, found: &HeldOut) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("pairs", found.pairs)?;
    dict.set_item("foscttm", found.foscttm)?;
    dict.set_item("interval", found.interval)?;
    dict.set_item("recall", found.recall)?;
    let known = |judgement: Judgement| match judgement {
        Judgement::Trusted => Some(true),
        Judgement::NotTrusted => Some(false),
        Judgement::CannotTell => None,
    };
    dict.set_item("trusted", known(found.judgement))?;
    dict.set_item("matches_trusted", known(found.matches()))?;
    dict.set_item("verdict", found.verdict())?;
    dict.set_item("groups", found.groups)?;
    Ok(dict)
}

/// How well known pairs find each other when they are held out.
#[pyfunction]
pub(crate) fn trust<'py>(
    py: Python<'py>,
    base: (String, Bound<'_, PyDict>),
    datasets: Vec<Bound<'_, Dataset>>,
    pairs: &Bound<'_, PyAny>,
    folds: usize,
    groups: Option<Vec<Vec<usize>>>,
    random_state: u64,
    n_jobs: usize,
    verbose: bool,
) -> PyResult<Bound<'py, PyDict>> {
    let base = method(py, &base.0, &base.1, n_jobs)?;
    let datasets = datasets.iter().map(|d| d.get().take(py)).collect::<PyResult<Vec<_>>>()?;
    let pairs = self::pairs(py, pairs, &datasets)?;
    let judge = JudgeHeldOut::new().folds(folds).groups(groups).random_state(random_state).n_jobs(n_jobs);
    let found = run(py, n_jobs, verbose, move |progress| judge.judge_with(&*base, &datasets, &pairs, progress))?;
    held_out_dict(py, &found)
}

/// The declarations of all methods and embeddings, as JSON.
#[pyfunction]
pub(crate) fn declarations() -> String {
    let list = |schemas: Vec<&'static Schema>| schemas.into_iter().map(Schema::to_json).collect::<Vec<_>>();
    let presets: Vec<_> = registry::presets().iter().map(registry::Preset::to_json).collect();
    serde_json::json!({"methods": list(registry::methods()), "embeddings": list(registry::embeddings()), "presets": presets})
        .to_string()
}

/// The parameters of a model file under their current names, as JSON.
#[pyfunction]
pub(crate) fn params_in_file(method: &str, params: &str) -> String {
    let json = serde_json::from_str(params).unwrap_or_default();
    Value::Map(registry::given_in_file(method, &json)).to_json().to_string()
}

/// The votes predicted for the columns of a dataset.
#[pyfunction]
pub(crate) fn votes<'py>(py: Python<'py>, model: &Bound<'py, Model>, position: usize) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let votes = model.get().inner.votes(position).map_err(|error| errors::library(py, &error))?;
    Ok(PyArray1::from_slice(py, votes))
}
