//! Pages and summaries of a model.

use crate::convert::Dataset;
use crate::fit::pairs;
use crate::model::Model;
use crate::run::run;
use landbridge::correspondence::CheckPairs;
use landbridge::data::Pairs;
use landbridge_report::{Report, Values};
use pyo3::prelude::*;
use pyo3::types::PyAny;

/// One value per row: numbers or words.
#[derive(FromPyObject)]
pub(crate) enum Given {
    Numbers(Vec<f64>),
    Words(Vec<String>),
}

/// What to write beside the model.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Options {
    texts: Vec<(usize, Vec<String>)>,
    values: Vec<(String, usize, Given)>,
    features: Vec<String>,
    title: Option<String>,
    /// The estimator, as written in Python.
    command: Option<String>,
    check_pairs: bool,
    max_points: usize,
    n_jobs: usize,
    verbose: bool,
}

/// The page, and what it could not show. `stand_ins` have the rows of the fit without their values: `truth` refers to them.
#[pyfunction]
pub(crate) fn report(
    py: Python<'_>,
    model: &Bound<'_, Model>,
    datasets: Option<Vec<Bound<'_, Dataset>>>,
    stand_ins: Vec<Bound<'_, Dataset>>,
    truth: Option<&Bound<'_, PyAny>>,
    options: Options,
) -> PyResult<(String, Vec<String>)> {
    let inner = model.get().inner.clone();
    let taken = |list: &[Bound<'_, Dataset>]| list.iter().map(|d| d.get().take(py)).collect::<PyResult<Vec<_>>>();
    let datasets = datasets.as_deref().map(taken).transpose()?;
    let truth = truth.map(|truth| pairs(py, truth, &taken(&stand_ins)?)).transpose()?;
    let page = run(py, options.n_jobs, options.verbose, move |progress| {
        let mut report = Report::new(&inner).features(options.features).max_points(options.max_points);
        let check = match (&datasets, options.check_pairs) {
            (Some(datasets), true) => {
                let mut known = Pairs::none(datasets.len());
                inner.pairs().iter().try_for_each(|l| known.add(l.a, l.i, l.b, l.j, l.weight))?;
                Some(CheckPairs::new().check_with(datasets, &known, progress)?)
            }
            _ => None,
        };
        if let Some(check) = &check {
            report = report.check(check);
        }
        if let Some(datasets) = &datasets {
            report = report.datasets(datasets);
        }
        if let Some(truth) = &truth {
            report = report.truth(truth.links());
        }
        if let Some(title) = options.title {
            report = report.title(title);
        }
        if let Some(command) = options.command {
            let pairs = if inner.pairs().is_empty() { "" } else { ", pairs" };
            report = report.command(format!("{command}.fit(datasets{pairs})"));
        }
        for (a, texts) in options.texts {
            report = report.texts(a, texts);
        }
        for (name, a, values) in options.values {
            report = report.values(
                name,
                a,
                match values {
                    Given::Numbers(numbers) => Values::Numbers(numbers),
                    Given::Words(words) => Values::Words(words),
                },
            );
        }
        report.render_with(progress)
    })?;
    Ok((page.html, page.notes))
}

/// A model in a few lines of HTML with a small picture, without a script.
#[pyfunction]
pub(crate) fn summary_html(py: Python<'_>, model: &Bound<'_, Model>, n_jobs: usize) -> PyResult<String> {
    let inner = model.get().inner.clone();
    run(py, n_jobs, false, move |_| landbridge_report::summary(&inner))
}
