//! The fitted alignment.

use crate::convert::{CsrArrays, Dataset, DenseArray, HOWS, METRICS, RowsAndDistances, array2, csr_arrays, matrix, word};
use crate::errors;
use crate::run::{run, run_here};
use landbridge::Error;
use landbridge::apply::matching::How;
use landbridge::data::Rows;
use landbridge::geometry::neighbors::Metric;
use landbridge::linalg::Scalar;
use landbridge::memory::{check_room, of_doubles};
use landbridge::model::{Alignment, Fitted};
use landbridge::params::Words as _;
use landbridge::progress::Progress;
use numpy::{PyArray1, PyArray2, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyBool, PyBytes, PyDict};
use std::path::PathBuf;
use std::sync::Arc;

/// Scales, matrices, offsets (one per dataset) and residuals (one per pair).
type PairedFit<'py> =
    (Bound<'py, PyArray1<f64>>, Vec<Bound<'py, PyArray2<f64>>>, Vec<Bound<'py, PyArray1<f64>>>, Bound<'py, PyArray1<f64>>);

/// Words per dataset, similarity, best match.
type Topic = (Vec<Vec<(usize, f64)>>, Option<f64>, Option<usize>);

/// A fitted alignment. It never changes, so several threads may use it at once.
#[pyclass(frozen, module = "landbridge._landbridge")]
pub(crate) struct Model {
    pub(crate) inner: Arc<Alignment>,
}

impl Model {
    /// Rows of `source` in the features of `target`; with `original`, in the units of its data. Small work starts no thread.
    fn mapped<'py>(
        &self,
        py: Python<'py>,
        rows: landbridge::data::Dataset,
        source: usize,
        target: usize,
        original: bool,
        n_jobs: usize,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let inner = self.inner.clone();
        let quick = inner.is_quick_map(rows.rows().into(), source, target);
        let work = move || match original {
            true => inner.predict(rows.rows(), source, target),
            false => inner.map(rows.rows(), source, target),
        };
        let mapped = if quick { run_here(py, work)? } else { run(py, n_jobs, false, move |_| work())? };
        let (nrows, ncols) = (mapped.nrows(), mapped.ncols());
        array2(py, mapped.into_vec(), nrows, ncols)
    }
    /// What `work` makes of many rows, some at a time. A copy of all rows would be new memory, which the system has to clear; the copy of
    /// some stays in the cache. `None`: too few rows, or one of them is at fault, which `work` of all rows tells better.
    fn in_parts<'py, O: numpy::Element + Scalar>(
        &self,
        py: Python<'py>,
        rows: &DenseArray<'_>,
        columns: usize,
        n_jobs: usize,
        work: impl Fn(&Alignment, &Rows, &mut [O]) -> landbridge::Result<()> + Copy + Send + 'static,
    ) -> PyResult<Option<Bound<'py, PyArray2<O>>>> {
        const BYTES: usize = 8 << 20;
        let (nrows, ncols, bytes) = rows.size();
        let part = (BYTES / bytes.max(1)).max(64);
        if ncols == 0 || columns == 0 || nrows < 2 * part {
            return Ok(None);
        }
        check_room("the result", of_doubles(nrows, columns) / 8 * size_of::<O>() as u64).map_err(|e| errors::library(py, &e))?;
        let (mut out, mut earlier) = (vec![O::default(); nrows * columns], None);
        for from in (0..nrows).step_by(part) {
            let to = nrows.min(from + part);
            let Ok(some) = rows.some_rows(from..to, earlier.take()) else { return Ok(None) };
            let (inner, mut room) = (self.inner.clone(), out);
            let done = run(py, n_jobs, false, move |_| {
                let fine = work(&inner, &some, &mut room[from * columns..to * columns]).is_ok();
                Ok((room, some, fine))
            })?;
            match done {
                (room, some, true) => (out, earlier) = (room, Some(some)),
                _ => return Ok(None),
            }
        }
        array2(py, out, nrows, columns).map(Some)
    }
    /// What `work` makes of rows (an array with two axes, or a `Dataset`) of the dataset at a position, in single precision, with so many
    /// columns.
    fn in_single<'py>(
        &self,
        py: Python<'py>,
        rows: &Bound<'_, PyAny>,
        (position, columns): (usize, usize),
        n_jobs: usize,
        work: impl Fn(&Alignment, &Rows, &mut [f32]) -> landbridge::Result<()> + Copy + Send + 'static,
    ) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let rows = match rows.cast::<Dataset>() {
            Ok(dataset) => dataset.get().take(py)?,
            Err(_) => {
                let array = DenseArray::new(rows)?;
                if self.inner.is_placed_by_a_map(position)
                    && let Some(made) = self.in_parts(py, &array, columns, n_jobs, work)?
                {
                    return Ok(made);
                }
                self.new_rows(py, &array, position)?
            }
        };
        let inner = self.inner.clone();
        let (nrows, quick) = (rows.nrows(), inner.is_quick(rows.rows().into(), position));
        let all = move || {
            let mut out = vec![0.0; nrows * columns];
            work(&inner, rows.rows(), &mut out)?;
            Ok(out)
        };
        let out = if quick { run_here(py, all)? } else { run(py, n_jobs, false, move |_| all())? };
        array2(py, out, nrows, columns)
    }
    /// A copy of an array as new rows of the dataset at a position.
    fn new_rows(&self, py: Python<'_>, array: &DenseArray<'_>, position: usize) -> PyResult<landbridge::data::Dataset> {
        let name = format!("new rows of {}", self.fitted(py, position)?.name());
        landbridge::data::Dataset::new(name, array.to_rows(py)?).map_err(|e| errors::library(py, &e))
    }
    pub(crate) fn fitted(&self, py: Python<'_>, position: usize) -> PyResult<&Fitted> {
        let found = self.inner.position(position).map_err(|e| errors::library(py, &e))?;
        Ok(&self.inner.datasets()[found])
    }
}

/// What `map` writes, or with `original` what `predict` writes.
fn mapping<O: Scalar>(
    source: usize,
    target: usize,
    original: bool,
) -> impl Fn(&Alignment, &Rows, &mut [O]) -> landbridge::Result<()> + Copy + Send + 'static {
    move |inner, rows, out| match original {
        true => inner.predict_into(rows, source, target, out),
        false => inner.map_into(rows, source, target, out),
    }
}

#[pymethods]
impl Model {
    /// From the bytes of a model file; `path` is for messages.
    #[staticmethod]
    fn from_bytes(py: Python<'_>, bytes: Vec<u8>, path: PathBuf) -> PyResult<Self> {
        let inner = run(py, 1, false, move |_| Alignment::from_bytes(&bytes, &path))?;
        Ok(Self { inner: Arc::new(inner) })
    }

    /// The bytes of its model file.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let inner = self.inner.clone();
        Ok(PyBytes::new(py, &run(py, 1, false, move |_| inner.to_bytes())?))
    }

    /// Writes the model file, whole or not at all.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        crate::files::save_model(py, self.inner.clone(), path)
    }

    #[getter]
    fn method(&self) -> &str {
        self.inner.method()
    }
    /// The metric that suits the joint space.
    #[getter]
    fn default_metric(&self) -> &'static str {
        self.inner.default_metric().word()
    }
    /// The parameters of the fit, as JSON.
    #[getter]
    fn params(&self) -> String {
        self.inner.params().to_string()
    }
    #[getter]
    fn names(&self) -> Vec<String> {
        self.inner.datasets().iter().map(|d| d.name().to_string()).collect()
    }
    #[getter]
    fn n_features(&self) -> Vec<usize> {
        self.inner.datasets().iter().map(Fitted::n_features).collect()
    }
    #[getter]
    fn eigenvalues<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, self.inner.eigenvalues())
    }
    fn embedding<'py>(&self, py: Python<'py>, position: usize) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let embedding = self.fitted(py, position)?.embedding();
        array2(py, embedding.as_slice().to_vec(), embedding.nrows(), embedding.ncols())
    }
    /// Rows and columns of `embedding`.
    fn embedding_shape(&self, py: Python<'_>, position: usize) -> PyResult<(usize, usize)> {
        let embedding = self.fitted(py, position)?.embedding();
        Ok((embedding.nrows(), embedding.ncols()))
    }
    fn row_ids(&self, py: Python<'_>, position: usize) -> PyResult<Option<Vec<String>>> {
        Ok(self.fitted(py, position)?.row_ids().map(<[_]>::to_vec))
    }
    fn labels(&self, py: Python<'_>, position: usize) -> PyResult<Option<Vec<String>>> {
        Ok(self.fitted(py, position)?.labels().map(<[_]>::to_vec))
    }
    fn columns(&self, py: Python<'_>, position: usize) -> PyResult<Option<Vec<String>>> {
        Ok(self.fitted(py, position)?.columns().map(<[_]>::to_vec))
    }
    /// How text became the rows of a dataset, as JSON.
    fn recipe(&self, py: Python<'_>, position: usize) -> PyResult<Option<String>> {
        Ok(self.fitted(py, position)?.recipe().map(ToString::to_string))
    }

    /// Power k, dimension and error of each level, finest first; None for methods with one joint space.
    #[getter]
    fn levels(&self) -> Option<Vec<(u32, usize, f64)>> {
        self.inner.levels().map(|levels| levels.iter().map(|l| (l.power, l.dimension, l.error)).collect())
    }
    /// The current level of this model.
    #[getter]
    fn level(&self) -> Option<usize> {
        self.inner.level()
    }
    /// The same alignment at another level.
    fn at_level(&self, py: Python<'_>, level: usize) -> PyResult<Self> {
        let inner = self.inner.clone();
        let shown = run(py, 0, false, move |_| inner.at_level(level))?;
        Ok(Self { inner: Arc::new(shown) })
    }

    /// For each component of a level its component of the next coarser level.
    fn parents(&self, py: Python<'_>, level: usize) -> PyResult<Vec<usize>> {
        self.inner.parents(level).map_err(|e| errors::library(py, &e))
    }
    /// Words (positions and weights) per dataset, similarity and best match of every component of the level shown.
    fn aligned_topics(&self, py: Python<'_>, topics: Vec<PyReadonlyArray2<'_, f64>>, n: usize) -> PyResult<Vec<Topic>> {
        let topics = topics.iter().map(|t| matrix(py, t)).collect::<PyResult<Vec<_>>>()?;
        let inner = self.inner.clone();
        let found = run(py, 0, false, move |_| inner.aligned_topics(&topics, n))?;
        Ok(found.into_iter().map(|t| (t.words, t.similarity, t.best_match)).collect())
    }

    /// How the fit went.
    fn outcome<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let outcome = self.inner.outcome();
        let status = serde_json::to_value(outcome.status).ok().and_then(|s| s.as_str().map(str::to_string));
        let dict = PyDict::new(py);
        dict.set_item("status", status)?;
        dict.set_item("solver", &outcome.solver)?;
        dict.set_item("residual", outcome.residual)?;
        dict.set_item("tolerance", outcome.tolerance)?;
        dict.set_item("iterations", outcome.iterations)?;
        dict.set_item("zero_solutions", outcome.zero_solutions)?;
        dict.set_item("components", outcome.components)?;
        dict.set_item("mu_effective", outcome.mu_effective)?;
        dict.set_item("rank", outcome.rank)?;
        dict.set_item("ridge", outcome.ridge.clone())?;
        dict.set_item("scales", outcome.scales.clone())?;
        dict.set_item("negative_share", outcome.negative_share)?;
        if let Some(held_out) = &outcome.held_out {
            dict.set_item("held_out", crate::fit::held_out_dict(py, held_out)?)?;
        }
        if let Some(trust) = &outcome.trust {
            dict.set_item("reproducibility", trust.reproducibility)?;
            dict.set_item("null", trust.null)?;
            dict.set_item("trusted", trust.trusted)?;
            dict.set_item("pairs_wrong", trust.pairs_wrong)?;
            dict.set_item("suspect_pairs", trust.suspect_pairs.clone())?;
            dict.set_item("matches", trust.matches)?;
            dict.set_item("steadiness", trust.steadiness)?;
            dict.set_item("stable", trust.stable)?;
            dict.set_item("cover", trust.cover)?;
            dict.set_item("csls", trust.csls)?;
            dict.set_item("soft", trust.soft)?;
            let estimate = |e: &landbridge::outcome::Estimate| (e.value, e.low, e.high);
            dict.set_item("shared", trust.shared.as_ref().map(estimate))?;
            dict.set_item("expected_recall", trust.expected_recall.as_ref().map(estimate))?;
            dict.set_item("against_pairs", trust.against_pairs.map(|a| (a.pairs, a.alone, a.trained)))?;
            dict.set_item("pairs_alone", trust.pairs_alone)?;
            dict.set_item("suspect_links", trust.suspect_links.clone())?;
            dict.set_item("verdict", trust.verdict())?;
            let history = serde_json::to_string(&trust.runs).unwrap_or_default();
            dict.set_item("history", py.import("json")?.call_method1("loads", (history,))?)?;
        }
        if let Some(selection) = &outcome.selection {
            dict.set_item("selection", py.import("json")?.call_method1("loads", (selection.to_string(),))?)?;
        }
        if let Some(bridge) = &outcome.bridge {
            dict.set_item("bridge", py.import("json")?.call_method1("loads", (bridge.to_string(),))?)?;
        }
        if !outcome.batches.is_empty() {
            let batches = serde_json::to_string(&outcome.batches).unwrap_or_default();
            dict.set_item("batches", py.import("json")?.call_method1("loads", (batches,))?)?;
        }
        let seconds = PyDict::new(py);
        for stage in &outcome.seconds {
            seconds.set_item(&stage.name, stage.seconds)?;
        }
        dict.set_item("seconds", seconds)?;
        dict.set_item("warnings", outcome.warnings.iter().map(ToString::to_string).collect::<Vec<_>>())?;
        Ok(dict)
    }

    /// Scales, matrices, offsets and residuals of a two-step method.
    fn paired_fit<'py>(&self, py: Python<'py>) -> PyResult<Option<PairedFit<'py>>> {
        let Some(fit) = self.inner.paired_fit() else { return Ok(None) };
        let matrices = fit.matrices.iter().map(|m| array2(py, m.as_slice().to_vec(), m.nrows(), m.ncols()));
        Ok(Some((
            PyArray1::from_slice(py, &fit.scales),
            matrices.collect::<PyResult<Vec<_>>>()?,
            fit.offsets.iter().map(|t| PyArray1::from_slice(py, t)).collect(),
            PyArray1::from_slice(py, &fit.residuals),
        )))
    }

    /// The position of a dataset given by position or name.
    fn position(&self, py: Python<'_>, dataset: &Bound<'_, PyAny>) -> PyResult<usize> {
        let name: Option<String> = dataset.extract().ok();
        let found = match (&name, dataset.extract::<i64>()) {
            (Some(name), _) => self.inner.position(name),
            (None, Ok(position)) if position >= 0 && !dataset.is_instance_of::<PyBool>() => {
                self.inner.position(position as usize)
            }
            _ => Err(Error::UnknownDataset {
                name: dataset.repr()?.to_string(),
                known: self.names().iter().map(|n| format!("\"{n}\"")).collect::<Vec<_>>().join(", "),
            }),
        };
        found.map_err(|e| errors::library(py, &e))
    }

    /// Names of the batches that a dataset was fitted with.
    fn batches(&self, py: Python<'_>, position: usize) -> PyResult<Vec<String>> {
        self.inner.batches(position).map(<[_]>::to_vec).map_err(|e| errors::library(py, &e))
    }

    /// New rows of a dataset in the joint space, and what there is to say about their batches.
    fn transform<'py>(
        &self,
        py: Python<'py>,
        rows: &Bound<'_, Dataset>,
        position: usize,
        n_jobs: usize,
        verbose: bool,
    ) -> PyResult<(Bound<'py, PyArray2<f64>>, Option<String>)> {
        let (inner, rows) = (self.inner.clone(), rows.get().take(py)?);
        let plain = rows.batches().is_none() && inner.batches(position).is_ok_and(<[_]>::is_empty);
        let (placed, note) = if plain && inner.is_quick(rows.rows().into(), position) {
            (run_here(py, || inner.transform(rows.rows(), position))?, None)
        } else {
            run(py, n_jobs, verbose, move |progress| inner.transform_dataset(&rows, position, progress))?
        };
        let (nrows, ncols) = (placed.nrows(), placed.ncols());
        Ok((array2(py, placed.into_vec(), nrows, ncols)?, note))
    }

    /// The same of a float32 or float64 array with two axes, with the same errors; a small array is not copied.
    fn transform_array<'py>(
        &self,
        py: Python<'py>,
        rows: &Bound<'_, PyAny>,
        position: usize,
        n_jobs: usize,
        verbose: bool,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let array = DenseArray::new(rows)?;
        let placed = match array.view() {
            Some(view) if self.inner.is_quick(view, position) => {
                run_here(py, || self.inner.transform_ref(view, position, &Progress::silent()))?
            }
            _ => {
                let fitted = self.fitted(py, position)?;
                let (columns, name) = (fitted.embedding().ncols(), format!("new rows of {}", fitted.name()));
                let work = move |inner: &Alignment, rows: &Rows, out: &mut [f64]| inner.transform_into(rows, position, out);
                if self.inner.is_placed_by_a_map(position)
                    && let Some(placed) = self.in_parts(py, &array, columns, n_jobs, work)?
                {
                    return Ok(placed);
                }
                let (inner, rows) = (self.inner.clone(), array.to_rows(py)?);
                run(py, n_jobs, verbose, move |progress| {
                    let rows = landbridge::data::Dataset::new(name, rows)?;
                    inner.transform_with(rows.rows(), position, progress)
                })?
            }
        };
        let (nrows, ncols) = (placed.nrows(), placed.ncols());
        array2(py, placed.into_vec(), nrows, ncols)
    }

    /// The same in single precision.
    fn transform_single<'py>(
        &self,
        py: Python<'py>,
        rows: &Bound<'_, PyAny>,
        position: usize,
        n_jobs: usize,
    ) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let columns = self.fitted(py, position)?.embedding().ncols();
        self.in_single(py, rows, (position, columns), n_jobs, move |inner, rows, out| inner.transform_into(rows, position, out))
    }

    /// New rows of `source` in the features of `target`; with `original`, in the units of its data.
    fn map<'py>(
        &self,
        py: Python<'py>,
        rows: &Bound<'_, Dataset>,
        source: usize,
        target: usize,
        original: bool,
        n_jobs: usize,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        self.mapped(py, rows.get().take(py)?, source, target, original, n_jobs)
    }

    /// What a prediction of this dataset cannot undo, if there is something.
    fn note_of_predicted(&self, py: Python<'_>, target: usize) -> PyResult<Option<String>> {
        self.inner.note_of_predicted(target).map_err(|e| errors::library(py, &e))
    }

    /// The same of a float32 or float64 array with two axes.
    fn map_array<'py>(
        &self,
        py: Python<'py>,
        rows: &Bound<'_, PyAny>,
        source: usize,
        target: usize,
        original: bool,
        n_jobs: usize,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let array = DenseArray::new(rows)?;
        let columns = self.fitted(py, target)?.n_features();
        if self.inner.is_placed_by_a_map(source)
            && self.inner.is_placed_by_a_map(target)
            && let Some(mapped) = self.in_parts(py, &array, columns, n_jobs, mapping(source, target, original))?
        {
            return Ok(mapped);
        }
        let rows = self.new_rows(py, &array, source)?;
        self.mapped(py, rows, source, target, original, n_jobs)
    }

    /// The same in single precision.
    fn map_single<'py>(
        &self,
        py: Python<'py>,
        rows: &Bound<'_, PyAny>,
        source: usize,
        target: usize,
        original: bool,
        n_jobs: usize,
    ) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let columns = self.fitted(py, target)?.n_features();
        self.in_single(py, rows, (source, columns), n_jobs, mapping(source, target, original))
    }

    /// Writes the map of a dataset into the joint space, or into the features of `target`, for use without landbridge.
    fn export(&self, py: Python<'_>, path: PathBuf, source: usize, target: Option<usize>) -> PyResult<()> {
        let form = match target {
            None => self.inner.linear_form(source),
            Some(target) => self.inner.map_form(source, target),
        };
        let form = form.map_err(|e| errors::library(py, &e))?;
        landbridge_io::export_map(path, &form).map_err(|e| errors::io(py, &e))
    }

    /// Whether new rows are like those of the fit, as JSON.
    fn check_drift(&self, py: Python<'_>, rows: &Bound<'_, Dataset>, position: usize, seed: u64) -> PyResult<String> {
        let (inner, rows) = (self.inner.clone(), rows.get().take(py)?);
        let found = run(py, 0, false, move |_| inner.check_drift(rows.rows(), position, seed))?;
        serde_json::to_string(&found).map_err(|e| errors::exception(py, "internal", &e.to_string(), None))
    }

    /// The map of a dataset, features x components.
    fn feature_map<'py>(&self, py: Python<'py>, position: usize) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let map = self.inner.feature_map(position).map_err(|e| errors::library(py, &e))?;
        array2(py, map.as_slice().to_vec(), map.nrows(), map.ncols())
    }

    /// The sparse map of a dataset, as arrays of a CSR matrix.
    fn sparse_map<'py>(&self, py: Python<'py>, position: usize) -> PyResult<CsrArrays<'py>> {
        Ok(csr_arrays(py, self.inner.sparse_map(position).map_err(|e| errors::library(py, &e))?))
    }

    /// Strengths, gaps and objectives of sparse maps, each one number per dataset.
    fn sparse_fit<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let Some(fit) = self.inner.sparse_fit() else { return Ok(None) };
        let dict = PyDict::new(py);
        dict.set_item("alphas", fit.alphas.clone())?;
        dict.set_item("betas", fit.betas.clone())?;
        dict.set_item("largest_alphas", fit.largest_alphas.clone())?;
        dict.set_item("gaps", fit.gaps.clone())?;
        dict.set_item("objectives", fit.objectives.clone())?;
        Ok(Some(dict))
    }

    #[getter]
    fn component_weights<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyArray1<f64>>> {
        self.inner.component_weights().map(|w| PyArray1::from_slice(py, w))
    }

    /// Column, name and weight of the features that weigh most in a component.
    fn top_features(
        &self,
        py: Python<'_>,
        position: usize,
        component: usize,
        n: usize,
    ) -> PyResult<Vec<(usize, Option<String>, f64)>> {
        let top = self.inner.top_features(position, component, n).map_err(|e| errors::library(py, &e))?;
        Ok(top.into_iter().map(|f| (f.column, f.name, f.weight)).collect())
    }

    /// How matches are chosen where nobody says how: "nearest" or "csls".
    fn default_how(&self, py: Python<'_>, metric: &Bound<'_, PyAny>) -> PyResult<&'static str> {
        let metric = if metric.is_none() { None } else { Some(word(py, "metric", metric, METRICS)?) };
        Ok(if self.inner.default_how(metric) == How::Csls { "csls" } else { "nearest" })
    }
    /// Matches of new rows of `source`, or of its fitted rows, among the fitted rows of `target`.
    fn match_rows<'py>(
        &self,
        py: Python<'py>,
        rows: Option<&Bound<'_, Dataset>>,
        source: usize,
        target: usize,
        k: usize,
        how: &Bound<'_, PyAny>,
        metric: &Bound<'_, PyAny>,
        n_jobs: usize,
        verbose: bool,
    ) -> PyResult<RowsAndDistances<'py>> {
        let how = word(py, "how", how, HOWS)?;
        let metric = match metric.is_none() {
            true if how == How::Csls => Metric::Cosine,
            true => self.inner.default_metric(),
            false => word(py, "metric", metric, METRICS)?,
        };
        let (inner, rows) = (self.inner.clone(), rows.map(|r| r.get().take(py)).transpose()?);
        let found = run(py, n_jobs, verbose, move |progress| {
            inner.match_with(rows.as_ref().map(|r| r.rows()), source, target, k, how, metric, progress)
        })?;
        let nrows = found.nrows();
        Ok((array2(py, found.indices, nrows, found.k)?, array2(py, found.distances, nrows, found.k)?))
    }
}

/// Reads a model file.
#[pyfunction]
pub(crate) fn load(py: Python<'_>, path: PathBuf) -> PyResult<Model> {
    Ok(Model { inner: Arc::new(crate::files::load_model(py, path)?) })
}
