//! Embeddings of one dataset, by themselves or as the first of two steps.

use crate::convert::{Dataset, METRICS, SEARCHES, WEIGHTS, array2, csr, repr, word};
use crate::errors;
use crate::fit::{Params, graph, with_graph};
use crate::model::Model;
use crate::run::run;
use landbridge::embed::{DiffusionMap, Embedder, Isomap, LaplacianEigenmaps, LocallyLinear, Lpp, Lsi, Pca, Unchanged};
use landbridge::geometry::geodesic::{LengthGraph, geodesic_distances as shortest_paths};
use landbridge::geometry::neighbors::{Metric, Search};
use landbridge::linalg::Csr;
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyDict, PyList};
use std::sync::Arc;

const EMBEDDINGS: &str = "None, \"pca\", \"lsi\", \"laplacian\", \"lpp\", \"diffusion\", \"isomap\", \"lle\"";

/// Applies a setter where its parameter is given.
macro_rules! given {
    ($method:ident, $params:expr, $($name:ident: $read:ident),*) => {
        $(if $params.given(stringify!($name))?.is_some() {
            $method = $method.$name($params.$read(stringify!($name))?);
        })*
    };
}

/// Neighbours without a weighted graph.
macro_rules! with_neighbors {
    ($method:expr, $params:expr) => {{
        let params: &Params<'_, '_> = $params;
        let words = |name: &str| params.value(name, "a word", |v| Some(v.clone()));
        $method
            .n_neighbors(params.count("n_neighbors")?)
            .metric(word(params.py(), "metric", &words("metric")?, METRICS)?)
            .search(word(params.py(), "search", &words("search")?, SEARCHES)?)
            .random_state(params.count("random_state")?)
    }};
}

/// The embedding that the parameters name.
pub(crate) fn embedder(params: &Params<'_, '_>, n_jobs: usize) -> PyResult<Embedder> {
    let py = params.py();
    let name: String = match params.given("embedding")? {
        None => "none".into(),
        Some(value) => match value.extract::<String>() {
            Ok(text) => text,
            Err(_) => return Err(errors::parameter(py, "embedding", repr(&value), &format!("one of {EMBEDDINGS}"))),
        },
    };
    let d = || params.count::<usize>("n_components");
    // `prepare="auto"` is what the embedding does by itself.
    let prepares = match params.given("prepare")? {
        Some(value) => value.extract::<String>().ok().as_deref() != Some("auto"),
        None => params.0.contains("prepare")?,
    };
    macro_rules! prepared {
        ($method:expr) => {
            if prepares { $method.prepare(params.prepare()?) } else { $method }
        };
    }
    Ok(match name.as_str() {
        "none" => prepared!(Unchanged::new()).n_jobs(n_jobs).into(),
        "pca" => prepared!(Pca::new(d()?)).random_state(params.count("random_state")?).n_jobs(n_jobs).into(),
        "lsi" => prepared!(Lsi::new(d()?)).random_state(params.count("random_state")?).n_jobs(n_jobs).into(),
        "laplacian" => {
            let mut method = with_graph!(LaplacianEigenmaps::new(d()?), params).n_jobs(n_jobs);
            given!(method, params, normalized: flag, tolerance: number);
            method.into()
        }
        "lpp" => {
            let mut method = prepared!(with_graph!(Lpp::new(d()?), params)).n_jobs(n_jobs);
            given!(method, params, ridge: number);
            method.into()
        }
        "diffusion" => {
            let mut method = with_graph!(DiffusionMap::new(d()?), params).n_jobs(n_jobs);
            given!(method, params, time: count, density: number, tolerance: number);
            method.into()
        }
        "isomap" => with_neighbors!(Isomap::new(d()?), params).n_jobs(n_jobs).into(),
        "lle" => {
            let mut method = with_neighbors!(LocallyLinear::new(d()?), params).n_jobs(n_jobs);
            given!(method, params, ridge: number);
            method.into()
        }
        _ => return Err(errors::parameter(py, "embedding", format!("{name:?}"), &format!("one of {EMBEDDINGS}"))),
    })
}

/// Embeds one dataset: a model of one dataset.
#[pyfunction]
pub(crate) fn embed(
    py: Python<'_>,
    params: &Bound<'_, PyDict>,
    dataset: &Bound<'_, Dataset>,
    n_jobs: usize,
    verbose: bool,
) -> PyResult<Model> {
    let embedder = embedder(&Params(params), n_jobs)?;
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
