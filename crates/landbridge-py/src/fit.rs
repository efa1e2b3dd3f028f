//! Parameters and pairs of a fit.

use crate::convert::{Dataset, METRICS, SEARCHES, UNFOLDING_SOLVERS, WEIGHTS, csr, matrix, repr, word};
use crate::embed::embedder;
use crate::errors;
use crate::model::Model;
use crate::run::run;
use landbridge::Error;
use landbridge::correspondence::InferPairs;
use landbridge::correspondence::{CheckPairs, Inferring, JudgeHeldOut, SelfTraining};
use landbridge::data::{Pairs, Prepare};
use landbridge::embed::{DiffusionMap, Isomap, LaplacianEigenmaps, LocallyLinear, Lpp, Lsi, Pca};
use landbridge::geometry::neighbors::Metric;
use landbridge::linalg::{Csr, Matrix};
use landbridge::method::{
    AffineAlignment, Cca, Cle, Clle, GlobalAlignment, InstanceAlignment, Lamvu, LinearAlignment, LinearTransform, MeanVotes,
    Method, MultiscaleAlignment, PairSimilarity, PopularVotes, ProcrustesAlignment, SparseAlignment,
};
use landbridge::outcome::{HeldOut, Judgement};
use landbridge::solve::wavelets::Construction;
use numpy::{PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyBool, PyDict, PyList, PyTuple};
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

/// The parameters of joint graphs.
macro_rules! with_graphs {
    ($method:expr, $params:expr, $n_jobs:expr) => {{
        let params: &Params<'_, '_> = $params;
        let method = with_graph!($method, params);
        method.mu(params.number("mu")?).nu(params.number("nu")?).balance(params.flag("balance")?).n_jobs($n_jobs)
    }};
}

/// The parameters of a neighbour graph.
macro_rules! with_graph {
    ($method:expr, $params:expr) => {{
        let params: &Params<'_, '_> = $params;
        let py = params.py();
        let words = |name: &str| params.value(name, "a word", |v| Some(v.clone()));
        let mut method = $method
            .n_neighbors(params.count("n_neighbors")?)
            .metric(word(py, "metric", &words("metric")?, METRICS)?)
            .weights(word(py, "weights", &words("weights")?, WEIGHTS)?)
            .heat_width(params.given("heat_width")?.map(|_| params.number("heat_width")).transpose()?)
            .search(word(py, "search", &words("search")?, SEARCHES)?)
            .random_state(params.count("random_state")?);
        if let Some(graphs) = params.given("graphs")? {
            if words("weights")?.extract::<String>().ok().as_deref() != Some("precomputed") {
                let weights = repr(&words("weights")?);
                return Err(errors::parameter(py, "weights", weights, "\"precomputed\" when graphs are given"));
            }
            method = method.graphs(graphs.cast::<PyList>()?.iter().map(|g| graph(&g)).collect::<PyResult<_>>()?);
        }
        method
    }};
}

pub(crate) use with_graph;

/// The parameters of a search for neighbours.
macro_rules! with_search {
    ($method:expr, $params:expr) => {{
        let params: &Params<'_, '_> = $params;
        $method
            .n_neighbors(params.count("n_neighbors")?)
            .metric(params.word("metric", METRICS)?)
            .search(params.word("search", SEARCHES)?)
            .random_state(params.count("random_state")?)
    }};
}

/// The parameters of predictions and of new rows.
macro_rules! with_prediction {
    ($method:expr, $params:expr) => {{
        let params: &Params<'_, '_> = $params;
        $method
            .n_neighbors_embed(params.given("n_neighbors_embed")?.map(|_| params.count("n_neighbors_embed")).transpose()?)
            .n_neighbors_predict(params.count("n_neighbors_predict")?)
            .ridge(params.number("ridge")?)
            .predictor(params.word("predictor", "\"residuals\", \"local\"")?)
            .known(params.word("known", KNOWN)?)
    }};
}

/// The parameters of votes.
macro_rules! with_votes {
    ($method:expr, $params:expr) => {{
        let params: &Params<'_, '_> = $params;
        $method.known(params.word("known", KNOWN)?).unseen(params.word("unseen", "\"zero\", \"overall\"")?)
    }};
}

/// The words of [`landbridge::data::Known`].
const KNOWN: &str = "\"stored\", \"rated\", \"non_zero\", \"all\"";

impl Params<'_, '_> {
    /// `ridge`: "auto" or a number.
    fn ridge(&self) -> PyResult<Option<f64>> {
        let expected = "\"auto\", or zero or a positive number";
        self.value("ridge", expected, |v| match v.extract::<String>() {
            Ok(text) => (text == "auto").then_some(None),
            Err(_) if v.is_instance_of::<PyBool>() => None,
            Err(_) => v.extract().ok().map(Some),
        })
    }
    /// `weight_components`: None, True or False.
    fn weight_components(&self) -> PyResult<Option<bool>> {
        self.given("weight_components")?.map(|_| self.flag("weight_components")).transpose()
    }
    /// One of the words an enum of the library knows.
    fn word<T: serde::de::DeserializeOwned>(&self, name: &str, words: &str) -> PyResult<T> {
        let value = self.value(name, "a word", |v| Some(v.clone()))?;
        word(self.py(), name, &value, words)
    }
    /// `prepare`: None or a word.
    pub(crate) fn prepare(&self) -> PyResult<Prepare> {
        match self.given("prepare")? {
            None => Ok(Prepare::None),
            Some(value) => word(self.py(), "prepare", &value, Prepare::WORDS),
        }
    }
}

/// The method of that name with its parameters.
fn method(py: Python<'_>, name: &str, params: &Params<'_, '_>, n_jobs: usize) -> PyResult<Box<dyn Method>> {
    let instance = || -> PyResult<InstanceAlignment> {
        let method = InstanceAlignment::new(params.count("n_components")?).tolerance(params.number("tolerance")?);
        Ok(with_graphs!(method, params, n_jobs))
    };
    Ok(match name {
        "instance" => Box::new(instance()?.hard(params.flag("hard")?).normalized(params.flag("normalized")?)),
        "cle" => {
            let base = instance()?;
            Box::new(with_prediction!(Cle::new(1).with(|_| base), params))
        }
        "clle" => {
            let method = with_search!(Clle::new(params.count("n_components")?), params).n_jobs(n_jobs);
            Box::new(with_prediction!(method, params))
        }
        "lamvu" => {
            let method = with_search!(Lamvu::new(params.count("n_components")?), params).n_jobs(n_jobs);
            let distances = match params.given("distances")? {
                None => None,
                Some(given) => {
                    let matrices = given.cast::<PyList>()?.iter().map(|m| matrix(py, &m.extract::<PyReadonlyArray2<'_, f64>>()?));
                    Some(matrices.collect::<PyResult<Vec<_>>>()?)
                }
            };
            let method = method
                .constraints(params.word("constraints", "\"shrink\", \"direct\", \"printed\"")?)
                .solver(params.word("solver", UNFOLDING_SOLVERS)?)
                .n_functions(params.count("n_functions")?)
                .distances(distances);
            Box::new(with_prediction!(method, params))
        }
        "mean_votes" => Box::new(with_votes!(MeanVotes::new(), params).n_jobs(n_jobs)),
        "popular_votes" => Box::new(with_votes!(PopularVotes::new(), params).n_jobs(n_jobs)),
        "linear" => {
            let constraint = params.value("constraint", "a word", |v| Some(v.clone()))?;
            let method = LinearAlignment::new(params.count("n_components")?)
                .constraint(word(py, "constraint", &constraint, "\"degree\", \"identity\"")?)
                .ridge(params.ridge()?)
                .weight_components(params.weight_components()?)
                .prepare(params.prepare()?);
            Box::new(with_graphs!(method, params, n_jobs))
        }
        "global" => Box::new(global(py, params)?.n_jobs(n_jobs)),
        "sparse" => Box::new(sparse(py, params, n_jobs)?),
        "cca" => Box::new(
            Cca::new(params.count("n_components")?)
                .ridge(params.ridge()?)
                .weight_components(params.weight_components()?)
                .prepare(params.prepare()?)
                .n_principal(params.given("n_principal")?.map(|_| params.count("n_principal")).transpose()?)
                .random_state(params.count("random_state")?)
                .n_jobs(n_jobs),
        ),
        "linear_transform" => Box::new(LinearTransform::new().ridge(params.ridge()?).prepare(params.prepare()?).n_jobs(n_jobs)),
        "multiscale" => {
            let words = |name: &str| params.value(name, "a word", |v| Some(v.clone()));
            let method = MultiscaleAlignment::new()
                .precision(params.number("precision")?)
                .max_levels(params.given("max_levels")?.map(|_| params.count("max_levels")).transpose()?)
                .over(word(py, "over", &words("over")?, "\"features\", \"instances\"")?)
                .construction(word(py, "construction", &words("construction")?, Construction::WORDS)?)
                .directed(params.flag("directed")?)
                .prepare(params.prepare()?);
            Box::new(with_graphs!(method, params, n_jobs))
        }
        "pair_similarity" => Box::new(PairSimilarity::new().n_jobs(n_jobs)),
        "self_training" => {
            // The base as (name, parameters), or None.
            let base = match params.given("base")? {
                None => None,
                Some(base) => {
                    let (name, own) = (base.get_item(0)?.extract::<String>()?, base.get_item(1)?);
                    Some(self::method(py, &name, &Params(own.cast::<PyDict>()?), n_jobs)?)
                }
            };
            Box::new(
                SelfTraining::new()
                    .boxed_base(base)
                    .first_dimension(params.count("first_dimension")?)
                    .steps(params.count("steps")?)
                    .hold(params.count("hold")?)
                    .max_runs(params.count("max_runs")?)
                    .good(params.number("good")?)
                    .random_state(params.count("random_state")?)
                    .n_jobs(n_jobs),
            )
        }
        "procrustes" => Box::new(
            ProcrustesAlignment::new(embedder(params, n_jobs)?)
                .scaling(params.flag("scaling")?)
                .reflection(params.flag("reflection")?)
                .n_jobs(n_jobs),
        ),
        "affine" => {
            Box::new(AffineAlignment::new(embedder(params, n_jobs)?).ridge(params.number("affine_ridge")?).n_jobs(n_jobs))
        }
        other => return Err(unknown(py, other)),
    })
}

/// Global geometry.
fn global(py: Python<'_>, params: &Params<'_, '_>) -> PyResult<GlobalAlignment> {
    let words = |name: &str| params.value(name, "a word", |v| Some(v.clone()));
    let distance = words("distance")?;
    let method = GlobalAlignment::new(params.count("n_components")?)
        .level(word(py, "level", &words("level")?, "\"feature\", \"instance\"")?)
        .distance(word(py, "distance", &distance, "\"geodesic\", \"euclidean\", \"cosine\", \"precomputed\"")?)
        .n_neighbors(params.count("n_neighbors")?)
        .metric(word(py, "metric", &words("metric")?, METRICS)?)
        .ridge(params.number("ridge")?)
        .weight_components(params.weight_components()?)
        .landmarks(params.given("landmarks")?.map(|_| params.count("landmarks")).transpose()?)
        .psd(params.flag("psd")?)
        .prepare(params.prepare()?)
        .search(word(py, "search", &words("search")?, SEARCHES)?)
        .random_state(params.count("random_state")?);
    let Some(given) = params.given("distances")? else { return Ok(method) };
    if distance.extract::<String>().ok().as_deref() != Some("precomputed") {
        return Err(errors::parameter(py, "distance", repr(&distance), "\"precomputed\" when distances are given"));
    }
    Ok(method.distances(matrices(&given)?))
}

/// A list of float64 matrices.
pub(crate) fn matrices(list: &Bound<'_, PyAny>) -> PyResult<Vec<Matrix<f64>>> {
    let list = list.cast::<PyList>()?;
    list.iter().map(|m| matrix(list.py(), &m.extract::<PyReadonlyArray2<'_, f64>>()?)).collect()
}

/// Sparse alignment with its parameters.
pub(crate) fn sparse(py: Python<'_>, params: &Params<'_, '_>, n_jobs: usize) -> PyResult<SparseAlignment> {
    let words = |name: &str| params.value(name, "a word", |v| Some(v.clone()));
    let penalties = "\"none\", \"lasso\", \"elastic_net\", \"group\", \"fused\"";
    let columns = "column numbers from 0, one list per dataset";
    let method = SparseAlignment::new(params.count("n_components")?)
        .penalty(word(py, "penalty", &words("penalty")?, penalties)?)
        .alpha(params.number("alpha")?)
        .beta(params.given("beta")?.map(|_| params.number("beta")).transpose()?)
        .relative(params.flag("relative")?)
        .groups(params.given("groups")?.map(|_| params.value("groups", columns, |v| v.extract().ok())).transpose()?)
        .order(params.given("order")?.map(|_| params.value("order", columns, |v| v.extract().ok())).transpose()?)
        .level(word(py, "level", &words("level")?, "\"feature\", \"instance\"")?)
        .refit(params.given("refit")?.map(|_| params.number("refit")).transpose()?)
        .normalized(params.flag("normalized")?)
        .prepare(params.prepare()?)
        .tolerance(params.number("tolerance")?);
    Ok(with_graphs!(method, params, n_jobs))
}

fn unknown(py: Python<'_>, name: &str) -> PyErr {
    let known = "\"instance\", \"cle\", \"clle\", \"lamvu\", \"mean_votes\", \"popular_votes\", \"linear\", \"sparse\", \"global\", \"cca\", \"linear_transform\", \"multiscale\", \"pair_similarity\", \
                 \"procrustes\", \"affine\" or \"self_training\"";
    errors::parameter(py, "method", name, known)
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

/// Methods that infer pairs where None are given.
const INFERRING: &[&str] = &["instance", "linear", "global", "procrustes", "affine"];

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
    let (name, params) = (method, Params(params));
    let method = self::method(py, name, &params, n_jobs)?;
    let datasets = datasets.iter().map(|d| d.get().take(py)).collect::<PyResult<Vec<_>>>()?;
    // None is not an empty table: pairs are inferred where the method does that.
    let method: Box<dyn Method> = if pairs.is_none() && INFERRING.contains(&name) {
        let metric = params.given("metric")?.map_or(Ok(Metric::Euclidean), |m| word(py, "metric", &m, METRICS))?;
        Box::new(Inferring::boxed(method, InferPairs::new().metric(metric).n_jobs(n_jobs)))
    } else {
        method
    };
    let pairs = self::pairs(py, pairs, &datasets)?;
    let fitted = run(py, n_jobs, verbose, move |progress| method.fit_with(&datasets, &pairs, progress))?;
    Ok(Model { inner: Arc::new(fitted) })
}

/// Misfit of each pair, threshold, suspects, whether it can tell, rows to pair next, the verdict.
type Checked = (Vec<f64>, f64, Vec<usize>, bool, Vec<(usize, usize)>, String);

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
    let base = base.map(|(name, params)| method(py, &name, &Params(&params), n_jobs)).transpose()?;
    let datasets = datasets.iter().map(|d| d.get().take(py)).collect::<PyResult<Vec<_>>>()?;
    let pairs = self::pairs(py, pairs, &datasets)?;
    let check = CheckPairs::new().boxed_base(base).folds(folds).n_suggestions(n_suggestions).random_state(random_state);
    let found = run(py, n_jobs, verbose, move |progress| check.n_jobs(n_jobs).check_with(&datasets, &pairs, progress))?;
    let verdict = found.verdict();
    Ok((found.misfit, found.threshold, found.suspect, found.can_tell, found.next, verdict))
}

/// What is known of held-out pairs.
pub(crate) fn held_out_dict<'py>(py: Python<'py>, found: &HeldOut) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("pairs", found.pairs)?;
    dict.set_item("foscttm", found.foscttm)?;
    dict.set_item("interval", found.interval)?;
    dict.set_item("recall", found.recall)?;
    let trusted = match found.judgement {
        Judgement::Trusted => Some(true),
        Judgement::NotTrusted => Some(false),
        Judgement::CannotTell => None,
    };
    dict.set_item("trusted", trusted)?;
    dict.set_item("verdict", found.verdict())?;
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
    random_state: u64,
    n_jobs: usize,
    verbose: bool,
) -> PyResult<Bound<'py, PyDict>> {
    let base = method(py, &base.0, &Params(&base.1), n_jobs)?;
    let datasets = datasets.iter().map(|d| d.get().take(py)).collect::<PyResult<Vec<_>>>()?;
    let pairs = self::pairs(py, pairs, &datasets)?;
    let judge = JudgeHeldOut::new().folds(folds).random_state(random_state).n_jobs(n_jobs);
    let found = run(py, n_jobs, verbose, move |progress| judge.judge_with(&*base, &datasets, &pairs, progress))?;
    held_out_dict(py, &found)
}

/// The defaults of a method, as JSON; `n_components` is the 1 asked for.
#[pyfunction]
pub(crate) fn defaults(py: Python<'_>, method: &str) -> PyResult<String> {
    let value = match method {
        "instance" => serde_json::to_string(&InstanceAlignment::new(1)),
        "cle" => serde_json::to_string(&Cle::new(1)),
        "clle" => serde_json::to_string(&Clle::new(1)),
        "lamvu" => serde_json::to_string(&Lamvu::new(1)),
        "mean_votes" => serde_json::to_string(&MeanVotes::new()),
        "popular_votes" => serde_json::to_string(&PopularVotes::new()),
        "linear" => serde_json::to_string(&LinearAlignment::new(1)),
        "global" => serde_json::to_string(&GlobalAlignment::new(1)),
        "sparse" => serde_json::to_string(&SparseAlignment::new(1)),
        "cca" => serde_json::to_string(&Cca::new(1)),
        "linear_transform" => serde_json::to_string(&LinearTransform::new()),
        "multiscale" => serde_json::to_string(&MultiscaleAlignment::new()),
        "pair_similarity" => serde_json::to_string(&PairSimilarity::new()),
        "procrustes" => serde_json::to_string(&ProcrustesAlignment::new(LaplacianEigenmaps::new(1))),
        "affine" => serde_json::to_string(&AffineAlignment::new(LaplacianEigenmaps::new(1))),
        "laplacian" => serde_json::to_string(&LaplacianEigenmaps::new(1)),
        "lpp" => serde_json::to_string(&Lpp::new(1)),
        "pca" => serde_json::to_string(&Pca::new(1)),
        "lsi" => serde_json::to_string(&Lsi::new(1)),
        "diffusion" => serde_json::to_string(&DiffusionMap::new(1)),
        "isomap" => serde_json::to_string(&Isomap::new(1)),
        "lle" => serde_json::to_string(&LocallyLinear::new(1)),
        other => return Err(unknown(py, other)),
    };
    value.map_err(|e| errors::exception(py, "internal", &e.to_string(), None))
}
