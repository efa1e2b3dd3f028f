//! Pictures of a model.

use crate::convert::Dataset;
use crate::errors;
use crate::model::Model;
use crate::run::run;
use landbridge_report::picture::{Axes, figure, undrawn};
use pyo3::prelude::*;

/// The picture of `landbridge plot` as SVG text, and what it could not show. `datasets` are the rows of the fit, where the model
/// did not keep them.
#[pyfunction]
pub(crate) fn plot(
    py: Python<'_>,
    model: &Bound<'_, Model>,
    datasets: Option<Vec<Bound<'_, Dataset>>>,
    components: Option<Vec<usize>>,
    color: Option<&str>,
    highlight: Vec<String>,
    n_jobs: usize,
) -> PyResult<(String, Vec<String>)> {
    let inner = model.get().inner.clone();
    let d = inner.n_components();
    let axes = match components.as_deref() {
        None if d == 1 => Axes::One(0),
        None => Axes::Two(0, 1),
        Some(&[c]) if c < d => Axes::One(c),
        Some(&[c, e]) if c < d && e < d => Axes::Two(c, e),
        Some(other) => {
            let expected = format!("one or two components, each below {d}");
            return Err(errors::parameter(py, "components", format!("{other:?}"), &expected));
        }
    };
    let has_labels = inner.datasets().iter().any(|d| d.labels().is_some());
    let by_label = match color {
        None => has_labels,
        Some("dataset") => false,
        Some("label") if has_labels => true,
        Some("label") => {
            let hint = Some("fit tables with labels, or use color=\"dataset\"".into());
            return Err(errors::exception(py, "parameter", "color is \"label\", but no dataset of this model has labels", hint));
        }
        Some(other) => return Err(errors::parameter(py, "color", format!("{other:?}"), "\"dataset\" or \"label\"")),
    };
    let known = |label: &String| by_label && inner.datasets().iter().filter_map(|d| d.labels()).any(|l| l.contains(label));
    if let Some(label) = highlight.iter().find(|label| !known(label)) {
        return Err(errors::exception(py, "parameter", &format!("highlight: no row is drawn with the label {label:?}"), None));
    }
    let rows = datasets.map(|list| list.iter().map(|d| d.get().take(py)).collect::<PyResult<Vec<_>>>()).transpose()?;
    let fits = |rows: &[landbridge::data::Dataset]| {
        let sizes = |d: &landbridge::data::Dataset| (d.nrows(), d.ncols());
        rows.iter().map(sizes).eq(inner.datasets().iter().map(|d| (d.nrows(), d.n_features())))
    };
    if !rows.as_deref().is_none_or(fits) {
        let hint = Some("give the datasets of the fit, in the same order".into());
        return Err(errors::exception(py, "data", "datasets have other sizes than those of the fit", hint));
    }
    let (svg, left_out) = run(py, n_jobs, false, move |progress| {
        let (figure, left_out) = figure(&inner, rows.as_deref(), axes, by_label, &[], progress)?;
        Ok((figure.highlight(highlight).render().map_err(undrawn)?, left_out))
    })?;
    Ok((svg, left_out))
}
