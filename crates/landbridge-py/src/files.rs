//! Data files, read by the readers that the command line has.

use crate::convert::{array2, into_csr_arrays, repr, word};
use crate::errors;
use crate::model::Model;
use crate::run::run;
use landbridge::data::Rows;
use landbridge_io::{
    Atoms, IdColumn, Loaded, Missing, ReadOptions, StructureOptions, TextOptions, TextRecipe, format_for, read_matrix,
};
use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyBool, PyDict};
use std::path::PathBuf;

/// Rows (an array, or the arrays and the width of a CSR matrix), row ids, column names, labels, the recipe of text.
type Parts<'py> = (Bound<'py, PyAny>, Option<Vec<String>>, Option<Vec<String>>, Option<Vec<String>>, Option<String>);

/// Reads a matrix with whatever names its file has; `options` are those of `ReadOptions` that are given. Text follows the
/// recipe of the dataset `like`, a model and a position, where one is given.
#[pyfunction]
#[pyo3(signature = (path, options, like=None))]
pub(crate) fn read_file<'py>(
    py: Python<'py>,
    path: PathBuf,
    options: &Bound<'py, PyDict>,
    like: Option<(PyRef<'py, Model>, usize)>,
) -> PyResult<Parts<'py>> {
    let mut options = read_options(py, options)?;
    if let Some((model, position)) = like
        && format_for(&path, options.format.as_deref()).is_ok_and(|format| format.is_text())
    {
        let fitted = model.fitted(py, position)?;
        let recipe = TextRecipe::of(fitted).map_err(|e| errors::io(py, &e))?.ok_or_else(|| {
            let message = format!("dataset \"{}\" was not fitted from text, so new text has no columns in it", fitted.name());
            errors::exception(py, "data", &message, Some("give rows with the same columns as the fitted ones".into()))
        })?;
        options.recipe = Some(recipe.into());
    }
    let loaded = run(py, 0, false, move |_| Ok(read_matrix(&path, &options)))?.map_err(|e| errors::io(py, &e))?;
    let Loaded { rows, row_ids, columns, labels, recipe, .. } = loaded;
    let (nrows, ncols) = (rows.nrows(), rows.ncols());
    let rows = match rows {
        Rows::F64(m) => array2(py, m.into_vec(), nrows, ncols)?.into_any(),
        Rows::F32(m) => array2(py, m.into_vec(), nrows, ncols)?.into_any(),
        Rows::Sparse(m) => (into_csr_arrays(py, m), ncols).into_pyobject(py)?.into_any(),
    };
    Ok((rows, row_ids, columns, labels, recipe.map(|recipe| recipe.to_string())))
}

/// The modalities of a MuData file.
#[pyfunction]
pub(crate) fn modalities(py: Python<'_>, path: PathBuf) -> PyResult<Vec<String>> {
    let found = run(py, 0, false, move |_| Ok(landbridge_io::modalities(&path, &ReadOptions::default())))?;
    found.map_err(|e| errors::io(py, &e))
}

fn read_options(py: Python<'_>, given: &Bound<'_, PyDict>) -> PyResult<ReadOptions> {
    let text = |name: &str| -> PyResult<Option<String>> { given.get_item(name)?.map(|value| value.extract()).transpose() };
    let count = |name: &str| -> PyResult<Option<usize>> {
        let Some(value) = given.get_item(name)? else { return Ok(None) };
        let number = value.extract().map_err(|e: PyErr| match e.is_instance_of::<PyOverflowError>(py) {
            true => errors::parameter(py, name, repr(&value), "a whole number, 1 or more"),
            false => e,
        })?;
        Ok(Some(number))
    };
    let id_column = match given.get_item("id_column")? {
        None => None,
        Some(value) if value.is_instance_of::<PyBool>() => match value.extract()? {
            true => None,
            false => Some(IdColumn::Absent),
        },
        Some(value) => match value.extract::<usize>() {
            Ok(position) => Some(IdColumn::Position(position)),
            Err(_) => Some(IdColumn::Name(value.extract()?)),
        },
    };
    let delimiter = match text("delimiter")? {
        None => None,
        Some(found) => match found.as_bytes() {
            [byte] => Some(*byte),
            _ => return Err(errors::parameter(py, "delimiter", format!("{found:?}"), "one ASCII character")),
        },
    };
    let missing = match text("missing")?.as_deref() {
        None | Some("error") => Missing::Error,
        Some("zero") => Missing::Zero,
        Some("mean") => Missing::Mean,
        Some("drop") => Missing::Drop,
        Some("unknown") => Missing::Unknown,
        Some(other) => {
            let known = "one of \"error\", \"zero\", \"mean\", \"drop\", \"unknown\"";
            return Err(errors::parameter(py, "missing", format!("{other:?}"), known));
        }
    };
    let atoms = match text("atoms")?.as_deref() {
        None => None,
        Some("ca") => Some(Atoms::Ca),
        Some("all") => Some(Atoms::All),
        Some(other) => return Err(errors::parameter(py, "atoms", format!("{other:?}"), "\"ca\" or \"all\"")),
    };
    let weighting = given.get_item("weighting")?;
    let weighting = weighting.map(|value| word(py, "weighting", &value, "\"tfidf\", \"counts\"")).transpose()?;
    let default = ReadOptions::default();
    let max_memory = given.get_item("max_memory")?.map(|value| value.extract()).transpose()?;
    Ok(ReadOptions {
        format: text("format")?,
        header: given.get_item("header")?.map(|value| value.extract()).transpose()?,
        id_column,
        label_column: text("label_column")?,
        columns: given.get_item("columns")?.map(|value| value.extract()).transpose()?,
        delimiter,
        key: text("key")?,
        layer: text("layer")?,
        use_rep: text("use_rep")?,
        modality: text("modality")?,
        max_memory: max_memory.unwrap_or(default.max_memory),
        missing,
        ratings: given.get_item("ratings")?.is_some_and(|value| value.is_truthy().unwrap_or(false)),
        structure: StructureOptions {
            model: given.get_item("model")?.map(|value| value.extract()).transpose()?,
            chain: text("chain")?,
            atoms,
        },
        text: TextOptions {
            field: text("text_field")?,
            stop_words: text("stop_words")?,
            min_df: count("min_df")?,
            max_features: count("max_features")?,
            weighting,
            char_ngrams: given.get_item("char_ngrams")?.map(|value| value.extract()).transpose()?,
        },
        ..default
    })
}
