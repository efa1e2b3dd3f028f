//! Geometry and scores.

use crate::convert::{
    CsrArrays, Dataset, HOWS, METRICS, RowsAndDistances, SEARCHES, WEIGHTS, array2, csr, csr_arrays, matrix, word,
};
use crate::errors;
use crate::fit::matrices;
use crate::model::Model;
use crate::run::run;
use landbridge::correspondence::{InferPairs, Inferred, Keep, TransportPairs};
use landbridge::data::Pairs;
use landbridge::evaluate;
use landbridge::geometry::affinity::{Kernel, similarity_graph as build};
use landbridge::geometry::minplus;
use landbridge::geometry::neighbors::{Metric, Search, neighbors};
use landbridge::geometry::patterns::Patterns;
use landbridge::model::Fitted;
use landbridge::problem::global;
use landbridge_plot::Tree;
use numpy::{PyArray1, PyArray2, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::PyAny;

/// A matrix and a vector.
type MatrixAndVector<'py> = (Bound<'py, PyArray2<f64>>, Bound<'py, PyArray1<f64>>);

/// Indices and distances of the nearest rows.
#[pyfunction]
pub(crate) fn knn<'py>(
    py: Python<'py>,
    rows: &Bound<'_, Dataset>,
    n_neighbors: usize,
    metric: &Bound<'_, PyAny>,
    search: &Bound<'_, PyAny>,
    random_state: u64,
    n_jobs: usize,
) -> PyResult<RowsAndDistances<'py>> {
    let metric: Metric = word(py, "metric", metric, METRICS)?;
    let search: Search = word(py, "method", search, SEARCHES)?;
    let rows = rows.get().take(py)?;
    let found =
        run(py, n_jobs, false, move |progress| neighbors(rows.rows(), n_neighbors, metric, search, random_state, progress))?;
    let nrows = found.nrows();
    let indices = found.indices.into_iter().map(i64::from).collect();
    Ok((array2(py, indices, nrows, found.k)?, array2(py, found.distances, nrows, found.k)?))
}

/// The min-plus product.
#[pyfunction]
pub(crate) fn min_plus<'py>(
    py: Python<'py>,
    a: PyReadonlyArray2<'py, f64>,
    b: PyReadonlyArray2<'py, f64>,
    n_jobs: usize,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let (a, b) = (matrix(py, &a)?, matrix(py, &b)?);
    let out = run(py, n_jobs, false, move |_| minplus::min_plus(&a, &b))?;
    let (n, m) = (out.nrows(), out.ncols());
    array2(py, out.into_vec(), n, m)
}

/// The joint distances from given ones, and the factor of each dataset.
#[pyfunction]
pub(crate) fn joint_distances<'py>(
    py: Python<'py>,
    distances: &Bound<'_, PyAny>,
    pairs: PyReadonlyArray2<'py, i64>,
    n_jobs: usize,
) -> PyResult<MatrixAndVector<'py>> {
    let given = matrices(distances)?;
    let table: Vec<Vec<i64>> = pairs.as_array().rows().into_iter().map(|row| row.to_vec()).collect();
    let (joint, scales) = run(py, n_jobs, false, move |_| {
        let names: Vec<String> = (0..given.len()).map(|a| a.to_string()).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        global::joint_distances(&names, &given, &Pairs::from_table(&table)?)
    })?;
    let n = joint.nrows();
    Ok((array2(py, joint.into_vec(), n, n)?, PyArray1::from_vec(py, scales)))
}

/// Matches between rows of one space.
#[pyfunction]
pub(crate) fn match_rows<'py>(
    py: Python<'py>,
    source: PyReadonlyArray2<'py, f64>,
    target: PyReadonlyArray2<'py, f64>,
    k: usize,
    how: &Bound<'_, PyAny>,
    metric: &Bound<'_, PyAny>,
    n_jobs: usize,
) -> PyResult<RowsAndDistances<'py>> {
    let how = word(py, "how", how, HOWS)?;
    let metric = word(py, "metric", metric, METRICS)?;
    let (source, target) = (matrix(py, &source)?, matrix(py, &target)?);
    let found = run(py, n_jobs, false, move |progress| {
        landbridge::apply::matching::match_rows(&source, &target, k, how, metric, progress)
    })?;
    let nrows = found.nrows();
    Ok((array2(py, found.indices, nrows, found.k)?, array2(py, found.distances, nrows, found.k)?))
}

/// The similarity graph of one dataset, as arrays of a CSR matrix.
#[pyfunction]
pub(crate) fn similarity_graph<'py>(
    py: Python<'py>,
    rows: &Bound<'_, Dataset>,
    n_neighbors: usize,
    metric: &Bound<'_, PyAny>,
    weights: &Bound<'_, PyAny>,
    heat_width: Option<f64>,
    search: &Bound<'_, PyAny>,
    random_state: u64,
    n_jobs: usize,
) -> PyResult<CsrArrays<'py>> {
    let metric: Metric = word(py, "metric", metric, METRICS)?;
    let weights = word(py, "weights", weights, WEIGHTS)?;
    let search: Search = word(py, "search", search, SEARCHES)?;
    let rows = rows.get().take(py)?;
    let graph = run(py, n_jobs, false, move |progress| {
        let found = neighbors(rows.rows(), n_neighbors, metric, search, random_state, progress)?;
        let kernel = Kernel::fit(weights, heat_width, metric, &found)?;
        Ok(build(rows.rows(), &found, &kernel))
    })?;
    Ok(csr_arrays(py, &graph))
}

/// One share per `k`.
#[pyfunction]
pub(crate) fn recall_at_k(
    py: Python<'_>,
    source: PyReadonlyArray2<'_, f64>,
    target: PyReadonlyArray2<'_, f64>,
    ks: Vec<usize>,
    truth: Option<PyReadonlyArray1<'_, i64>>,
    metric: &Bound<'_, PyAny>,
) -> PyResult<Vec<f64>> {
    let metric = word(py, "metric", metric, METRICS)?;
    let (source, target) = (matrix(py, &source)?, matrix(py, &target)?);
    let truth = truth.map(|t| t.as_array().to_vec());
    run(py, 0, false, move |_| evaluate::recall_at_k(&source, &target, &ks, truth.as_deref(), metric))
}

/// Fraction of samples closer than the true match.
#[pyfunction]
pub(crate) fn foscttm(
    py: Python<'_>,
    source: PyReadonlyArray2<'_, f64>,
    target: PyReadonlyArray2<'_, f64>,
    truth: Option<PyReadonlyArray1<'_, i64>>,
    metric: &Bound<'_, PyAny>,
) -> PyResult<f64> {
    let metric = word(py, "metric", metric, METRICS)?;
    let (source, target) = (matrix(py, &source)?, matrix(py, &target)?);
    let truth = truth.map(|t| t.as_array().to_vec());
    run(py, 0, false, move |_| evaluate::foscttm(&source, &target, truth.as_deref(), metric))
}

/// The mean share of rows of other batches among the `k` nearest, and that of perfectly mixed batches.
#[pyfunction]
pub(crate) fn batch_mixing(
    py: Python<'_>,
    z: PyReadonlyArray2<'_, f64>,
    batch: Vec<u32>,
    k: usize,
    metric: &Bound<'_, PyAny>,
) -> PyResult<(f64, f64)> {
    let metric = word(py, "metric", metric, METRICS)?;
    let z = matrix(py, &z)?;
    let found = run(py, 0, false, move |progress| evaluate::batch_mixing(&z, &batch, k, metric, None, progress))?;
    Ok((found.observed, found.expected))
}

/// The share of target rows whose label is that of most of their nearest source rows; labels are numbers here.
#[pyfunction]
pub(crate) fn label_transfer(
    py: Python<'_>,
    source: PyReadonlyArray2<'_, f64>,
    source_labels: Vec<i64>,
    target: PyReadonlyArray2<'_, f64>,
    target_labels: Vec<i64>,
    k: usize,
    metric: &Bound<'_, PyAny>,
) -> PyResult<f64> {
    let metric = word(py, "metric", metric, METRICS)?;
    let (source, target) = (matrix(py, &source)?, matrix(py, &target)?);
    run(py, 0, false, move |_| evaluate::label_transfer(&source, &source_labels, &target, &target_labels, k, metric))
}

/// Mean absolute error over the stored entries of each row of `actual`, averaged over rows.
#[pyfunction]
pub(crate) fn mmae(
    py: Python<'_>,
    predicted: PyReadonlyArray2<'_, f64>,
    indptr: &Bound<'_, PyAny>,
    indices: &Bound<'_, PyAny>,
    values: PyReadonlyArray1<'_, f64>,
    ncols: usize,
) -> PyResult<f64> {
    let (predicted, actual) = (matrix(py, &predicted)?, csr(py, indptr, indices, &values, ncols)?);
    run(py, 0, false, move |_| evaluate::mmae(&predicted, &actual))
}

/// Rows as (dataset, row of the first, row of it, weight), and how many inferred pairs agree on a transform:
/// (agreeing, inferred).
type InferredPairs<'py> = (Bound<'py, PyArray2<i64>>, Bound<'py, PyArray1<f64>>, Vec<Option<(usize, usize)>>, Vec<String>);

/// Pairs from local patterns, as rows of (dataset, row of the first dataset, row of that one), weights, agreement, warnings.
#[pyfunction]
pub(crate) fn infer_pairs<'py>(
    py: Python<'py>,
    datasets: Vec<Bound<'_, Dataset>>,
    distances: Vec<PyReadonlyArray2<'py, f64>>,
    n_neighbors: usize,
    keep: usize,
    metric: &Bound<'_, PyAny>,
    delta: Option<f64>,
    rigid: Option<bool>,
    random_state: u64,
    n_jobs: usize,
    verbose: bool,
) -> PyResult<InferredPairs<'py>> {
    let metric: Metric = word(py, "metric", metric, METRICS)?;
    let keep = if keep == 0 { Keep::Mutual } else { Keep::Strongest(keep) };
    let infer =
        InferPairs::new().n_neighbors(n_neighbors).keep(keep).metric(metric).delta(delta).rigid(rigid).random_state(random_state);
    let datasets = datasets.iter().map(|d| d.get().take(py)).collect::<PyResult<Vec<_>>>()?;
    let distances = distances.iter().map(|d| matrix(py, d)).collect::<PyResult<Vec<_>>>()?;
    let found = run(py, n_jobs, verbose, move |progress| match distances.is_empty() {
        true => infer.n_jobs(n_jobs).infer_with(&datasets, progress),
        false => infer.n_jobs(n_jobs).infer_from_distances(&distances),
    })?;
    inferred_arrays(py, found)
}

/// Pairs by optimal transport, in the form of [`infer_pairs`].
#[pyfunction]
pub(crate) fn transport_pairs<'py>(
    py: Python<'py>,
    datasets: Vec<Bound<'_, Dataset>>,
    distances: Vec<PyReadonlyArray2<'py, f64>>,
    n_neighbors: Option<usize>,
    keep: usize,
    metric: Option<Bound<'_, PyAny>>,
    epsilon: f64,
    landmarks: usize,
    rho: Option<f64>,
    links: &Bound<'_, PyAny>,
    random_state: u64,
    n_jobs: usize,
    verbose: bool,
) -> PyResult<InferredPairs<'py>> {
    let metric: Option<Metric> = metric.map(|m| word(py, "metric", &m, METRICS)).transpose()?;
    let keep = if keep == 0 { Keep::Mutual } else { Keep::Strongest(keep) };
    let infer = TransportPairs::new().n_neighbors(n_neighbors).keep(keep).metric(metric).epsilon(epsilon);
    let infer = infer.landmarks(landmarks).rho(rho).random_state(random_state).n_jobs(n_jobs);
    let datasets = datasets.iter().map(|d| d.get().take(py)).collect::<PyResult<Vec<_>>>()?;
    let links = crate::fit::links(py, links, &datasets)?;
    let distances = distances.iter().map(|d| matrix(py, d)).collect::<PyResult<Vec<_>>>()?;
    let found = run(py, n_jobs, verbose, move |progress| match distances.is_empty() {
        true => infer.infer_linked(&datasets, &links, progress),
        false => infer.infer_from_distances(&distances),
    })?;
    inferred_arrays(py, found)
}

fn inferred_arrays(py: Python<'_>, found: Inferred) -> PyResult<InferredPairs<'_>> {
    let links = found.pairs.links();
    let rows = links.iter().flat_map(|l| [l.b as i64, l.i as i64, l.j as i64]).collect();
    let weights = links.iter().map(|l| l.weight).collect();
    let warnings = found.warnings.iter().map(ToString::to_string).collect();
    Ok((array2(py, rows, links.len(), 3)?, PyArray1::from_vec(py, weights), found.agreeing, warnings))
}

/// Distances between all local patterns of two datasets.
#[pyfunction]
pub(crate) fn pattern_distances<'py>(
    py: Python<'py>,
    x: &Bound<'_, Dataset>,
    y: &Bound<'_, Dataset>,
    n_neighbors: usize,
    metric: &Bound<'_, PyAny>,
    n_jobs: usize,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let metric: Metric = word(py, "metric", metric, METRICS)?;
    let (x, y) = (x.get().take(py)?, y.get().take(py)?);
    let found = run(py, n_jobs, false, move |progress| {
        let x = Patterns::new(x.rows(), n_neighbors, metric, progress)?;
        x.distances(&Patterns::new(y.rows(), n_neighbors, metric, progress)?)
    })?;
    let (rows, columns) = (found.nrows(), found.ncols());
    array2(py, found.into_vec(), rows, columns)
}

/// The tree of aligned topics as SVG: `n` words of each topic in the vocabularies `words`, at most `max_nodes` in a level.
#[pyfunction]
pub(crate) fn topic_tree(
    py: Python<'_>,
    model: PyRef<'_, Model>,
    topics: Vec<PyReadonlyArray2<'_, f64>>,
    words: Vec<Vec<String>>,
    n: usize,
    max_nodes: usize,
) -> PyResult<String> {
    let topics = topics.iter().map(|t| matrix(py, t)).collect::<PyResult<Vec<_>>>()?;
    let inner = model.inner.clone();
    let levels = run(py, 0, false, move |_| inner.topic_tree(&topics, n))?;
    let names: Vec<&str> = model.inner.datasets().iter().map(Fitted::name).collect();
    let mut tree = Tree::of_topics(&names, levels.iter().map(|level| (level.level, level.spoken(&words))));
    tree.max_nodes = max_nodes;
    tree.render().map_err(|e| errors::exception(py, "data", &e.to_string(), None))
}

/// The norm of the difference of the projections onto two spaces.
#[pyfunction]
pub(crate) fn subspace_distance(py: Python<'_>, a: PyReadonlyArray2<'_, f64>, b: PyReadonlyArray2<'_, f64>) -> PyResult<f64> {
    let (a, b) = (matrix(py, &a)?, matrix(py, &b)?);
    run(py, 0, false, move |_| evaluate::subspace_distance(&a, &b))
}

/// How far entries of a matrix may move before a leading subspace moves by more than `epsilon`.
#[pyfunction]
pub(crate) fn perturbation_bound(py: Python<'_>, eigengap: f64, n: usize, epsilon: f64) -> PyResult<f64> {
    evaluate::perturbation_bound(eigengap, n, epsilon).map_err(|e| errors::library(py, &e))
}

/// Panics on purpose, for the test that Python gets an exception and keeps running.
#[pyfunction(name = "_panic_for_tests")]
pub(crate) fn panic_for_tests(py: Python<'_>) -> PyResult<()> {
    run(py, 1, false, |_| panic!("on purpose"))
}
