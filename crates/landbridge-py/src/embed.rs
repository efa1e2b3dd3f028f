//! Embeddings of one dataset, and shortest paths.

use crate::convert::{Dataset, METRICS, SEARCHES, array2, csr, word};
use crate::fit::embedder;
use crate::model::Model;
use crate::run::run;
use landbridge::geometry::geodesic::{LengthGraph, geodesic_distances as shortest_paths};
use landbridge::geometry::neighbors::{Metric, Search};
use landbridge::linalg::Csr;
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyDict};
use std::sync::Arc;

/// Embeds one dataset: a model of one dataset.
#[pyfunction]
pub(crate) fn embed(
    py: Python<'_>,
    embedding: &str,
    params: &Bound<'_, PyDict>,
    dataset: &Bound<'_, Dataset>,
    n_jobs: usize,
    verbose: bool,
) -> PyResult<Model> {
    let embedder = embedder(py, embedding, params, n_jobs)?;
    let dataset = dataset.get().take(py)?;
    let fitted = run(py, n_jobs, verbose, move |progress| embedder.fit_with(&dataset, progress))?;
    Ok(Model { inner: Arc::new(fitted.into_model()) })
}

/// Shortest paths over the neighbour graph, its components before it was joined, and the edges that joined it.
#[pyfunction]
pub(crate) fn geodesic_distances<'py>(
    py: Python<'py>,
    rows: &Bound<'_, Dataset>,
    n_neighbors: usize,
    metric: &Bound<'_, PyAny>,
    search: &Bound<'_, PyAny>,
    random_state: u64,
    single: bool,
    n_jobs: usize,
) -> PyResult<(Bound<'py, PyAny>, usize, usize)> {
    let metric: Metric = word(py, "metric", metric, METRICS)?;
    let search: Search = word(py, "search", search, SEARCHES)?;
    let rows = rows.get().take(py)?;
    let graph = run(py, n_jobs, false, move |progress| {
        LengthGraph::new(rows.rows(), n_neighbors, metric, search, random_state, progress)
    })?;
    let (components, joined) = (graph.components, graph.joined);
    Ok((all_paths(py, graph.lengths, single, n_jobs)?, components, joined))
}

/// Shortest paths over a given graph of lengths.
#[pyfunction]
pub(crate) fn graph_distances<'py>(
    py: Python<'py>,
    indptr: &Bound<'_, PyAny>,
    indices: &Bound<'_, PyAny>,
    values: PyReadonlyArray1<'_, f64>,
    single: bool,
    n_jobs: usize,
) -> PyResult<Bound<'py, PyAny>> {
    let n = indptr.len()?.saturating_sub(1);
    let lengths = csr(py, indptr, indices, &values, n)?;
    all_paths(py, lengths, single, n_jobs)
}

/// Between all nodes, as float64 or float32.
fn all_paths(py: Python<'_>, lengths: Csr, single: bool, n_jobs: usize) -> PyResult<Bound<'_, PyAny>> {
    let n = lengths.nrows();
    if single {
        let distances = run(py, n_jobs, false, move |progress| shortest_paths::<f32>(&lengths, progress))?;
        return Ok(array2(py, distances.into_vec(), n, n)?.into_any());
    }
    let distances = run(py, n_jobs, false, move |progress| shortest_paths::<f64>(&lengths, progress))?;
    Ok(array2(py, distances.into_vec(), n, n)?.into_any())
}
