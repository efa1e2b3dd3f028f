//! Statistics of shards.

use crate::convert::Dataset;
use crate::errors;
use crate::fit::{method, pairs};
use crate::model::Model;
use crate::run::run;
use landbridge::statistics::Described;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyBytes, PyDict};
use std::path::PathBuf;
use std::sync::Arc;

/// Name, number of columns and their names, for each of the two datasets.
type Names = Vec<(String, usize, Option<Vec<String>>)>;
/// Fingerprint, name, rows of the two datasets and pairs of a shard, and the hash of its ids.
type ShardOf = (String, String, (u64, u64), u64, Option<String>);

/// Statistics of two datasets. They never change; merging makes new ones.
#[pyclass(frozen, module = "landbridge._landbridge")]
pub(crate) struct Statistics {
    inner: Arc<landbridge::statistics::Statistics>,
}

fn described(py: Python<'_>, names: Names) -> PyResult<[Described; 2]> {
    let all: Vec<Described> =
        names.into_iter().map(|(name, n_features, columns)| Described { name, n_features, columns }).collect();
    all.try_into().map_err(|all: Vec<Described>| {
        errors::parameter(py, "datasets", all.len().to_string(), "two: statistics are sums over the pairs of two datasets")
    })
}

fn made(inner: landbridge::statistics::Statistics) -> Statistics {
    Statistics { inner: Arc::new(inner) }
}

#[pymethods]
impl Statistics {
    /// Of a shard: its rows and its pairs.
    #[staticmethod]
    fn of(
        py: Python<'_>,
        name: String,
        datasets: Vec<Bound<'_, Dataset>>,
        pairs: &Bound<'_, PyAny>,
        landmarks: Option<Vec<Bound<'_, Dataset>>>,
        n_landmarks: usize,
        n_jobs: usize,
    ) -> PyResult<Self> {
        let taken = |datasets: &[Bound<'_, Dataset>]| datasets.iter().map(|d| d.get().take(py)).collect::<PyResult<Vec<_>>>();
        let (datasets, landmarks) = (taken(&datasets)?, landmarks.map(|l| taken(&l)).transpose()?);
        let pairs = self::pairs(py, pairs, &datasets)?;
        let work = move |_: &_| {
            let near = landmarks.map(|rows| landbridge::statistics::Landmarks::of(&rows, n_landmarks)).transpose()?;
            landbridge::statistics::Statistics::of_shard_near(&name, &datasets, &pairs, near.as_ref(), n_jobs)
        };
        Ok(made(run(py, n_jobs, false, work)?))
    }

    /// Of no rows.
    #[staticmethod]
    fn empty(py: Python<'_>, names: Names) -> PyResult<Self> {
        let described = described(py, names)?;
        Ok(made(landbridge::statistics::Statistics::empty(described).map_err(|e| errors::library(py, &e))?))
    }

    /// Of some rows of one dataset.
    #[staticmethod]
    fn of_rows(py: Python<'_>, name: String, names: Names, side: usize, rows: &Dataset, n_jobs: usize) -> PyResult<Self> {
        let (described, rows) = (described(py, names)?, rows.take(py)?);
        let work = move |_: &_| landbridge::statistics::Statistics::of_rows(&name, described, side, rows.rows(), n_jobs);
        Ok(made(run(py, n_jobs, false, work)?))
    }

    /// Of some pairs, row by row.
    #[staticmethod]
    fn of_pairs(py: Python<'_>, name: String, names: Names, x: &Dataset, y: &Dataset, n_jobs: usize) -> PyResult<Self> {
        let (described, x, y) = (described(py, names)?, x.take(py)?, y.take(py)?);
        let work = move |_: &_| landbridge::statistics::Statistics::of_pairs(&name, described, x.rows(), y.rows(), n_jobs);
        Ok(made(run(py, n_jobs, false, work)?))
    }

    /// From the bytes of a file; `path` is for messages.
    #[staticmethod]
    fn from_bytes(py: Python<'_>, bytes: Vec<u8>, path: PathBuf) -> PyResult<Self> {
        Ok(made(run(py, 1, false, move |_| landbridge::statistics::Statistics::from_bytes(&bytes, &path))?))
    }

    /// The bytes of its file.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let inner = self.inner.clone();
        Ok(PyBytes::new(py, &run(py, 1, false, move |_| inner.to_bytes())?))
    }

    /// Reads a file.
    #[staticmethod]
    fn load(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let read = py.detach(|| landbridge_io::load_statistics(&path));
        Ok(made(read.map_err(|e| errors::io(py, &e))?))
    }

    /// Writes a file, whole or not at all.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let inner = self.inner.clone();
        py.detach(move || landbridge_io::save_statistics(path, &inner)).map_err(|e| errors::io(py, &e))
    }

    /// With others added.
    fn merge(&self, py: Python<'_>, others: Vec<Bound<'_, Statistics>>) -> PyResult<Self> {
        let (mut all, others) = ((*self.inner).clone(), others.iter().map(|o| o.get().inner.clone()).collect::<Vec<_>>());
        let work = move |_: &_| {
            for other in others {
                all.merge((*other).clone())?;
            }
            Ok(all)
        };
        Ok(made(run(py, 1, false, work)?))
    }

    /// The model by the method of that name.
    fn solve(&self, py: Python<'_>, name: &str, params: &Bound<'_, PyDict>, n_jobs: usize, verbose: bool) -> PyResult<Model> {
        let (built, inner) = (method(py, name, params, n_jobs)?, self.inner.clone());
        let solved = run(py, n_jobs, verbose, move |progress| inner.solve_with(&*built, progress))?;
        Ok(Model { inner: Arc::new(solved) })
    }

    #[getter]
    fn n_pairs(&self) -> u64 {
        self.inner.n_pairs()
    }
    #[getter]
    fn n_landmarks(&self) -> Option<(usize, usize)> {
        self.inner.n_landmarks().map(Into::into)
    }
    #[getter]
    fn n_rows(&self) -> (u64, u64) {
        self.inner.n_rows().into()
    }
    #[getter]
    fn datasets(&self) -> Names {
        self.inner.datasets().into_iter().map(|d| (d.name, d.n_features, d.columns)).collect()
    }
    #[getter]
    fn shards(&self) -> Vec<ShardOf> {
        let one =
            |s: &landbridge::statistics::Shard| (s.fingerprint.clone(), s.name.clone(), s.rows.into(), s.pairs, s.ids.clone());
        self.inner.shards().iter().map(one).collect()
    }
    #[getter]
    fn reordered(&self) -> Vec<String> {
        self.inner.reordered()
    }
}
