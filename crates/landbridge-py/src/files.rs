//! Data files, read as on the command line.

use crate::convert::{Dataset, array2, into_csr_arrays, repr, word};
use crate::errors;
use crate::model::Model;
use crate::run::run;
use landbridge::data::Rows;
use landbridge::model::Alignment;
use landbridge_io::{
    Atoms, ColumnNote, IdColumn, Loaded, Missing, PairCell, ReadOptions, StructureOptions, TextOptions, TextRecipe, dataset_name,
    format_for, no_rating, note_of_numbered, note_of_ratings, notes_of_text, read_matrix,
};
use landbridge_plot::Kind;
use numpy::{PyArray1, PyArray2};
use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyBool, PyDict};
use std::path::PathBuf;
use std::sync::Arc;

fn not_from_text(py: Python<'_>, name: &str) -> PyErr {
    let message = format!("dataset \"{name}\" was not fitted from text, so it cannot read new text");
    errors::exception(py, "data", &message, Some("give rows with the same columns as the fitted ones".into()))
}

/// Reads a matrix with whatever names its file has; `options` are those of `ReadOptions` that are given, besides those behind
/// the path. Text follows the recipe of the dataset `like`, a model and a position, where one is given.
#[pyfunction]
#[pyo3(signature = (path, options, like=None))]
pub(crate) fn read_file<'py>(
    py: Python<'py>,
    path: PathBuf,
    options: &Bound<'py, PyDict>,
    like: Option<(PyRef<'py, Model>, usize)>,
) -> PyResult<Bound<'py, PyDict>> {
    let (path, own) = landbridge_io::own_options(&path).map_err(|e| errors::io(py, &e))?;
    if let Some((name, _)) = own.iter().find(|(name, _)| options.contains(name).unwrap_or(false)) {
        let message = format!("{name} is given twice: behind the name of the file and by itself");
        return Err(errors::exception(py, "parameter", &message, Some("leave one of them out".into())));
    }
    let mut options = read_options(py, options)?;
    options.set(&own).map_err(|e| errors::io(py, &e))?;
    let format = format_for(&path, options.format.as_deref()).map_err(|e| errors::io(py, &e))?;
    if let Some((model, position)) = &like
        && format.is_text()
    {
        let fitted = model.fitted(py, *position)?;
        match TextRecipe::of(fitted).map_err(|e| errors::io(py, &e))? {
            Some(recipe) => options.recipe = Some(recipe.into()),
            None if format.name() == "jsonl" => {} // its lines may be vectors
            None => return Err(not_from_text(py, fitted.name())),
        }
    }
    let (follows, name) = (options.recipe.clone(), dataset_name(&path, &options));
    let loaded = files(py, 0, move || read_matrix(&path, &options))?;
    if let (Some((model, position)), None, true) = (&like, &follows, loaded.recipe.is_some()) {
        return Err(not_from_text(py, model.fitted(py, *position)?.name()));
    }
    let lines = loaded.columns.as_deref().and_then(note_of_ratings).filter(|_| !loaded.partly_known);
    let of_text = follows.iter().flat_map(|recipe| notes_of_text(&loaded, recipe, loaded.words));
    let table = loaded.columns.is_some() || format.is_text_table();
    let numbered = note_of_numbered(&loaded.rows, loaded.columns.as_deref()).filter(|_| table && lines.is_none());
    let notes: Vec<String> = of_text.map(|note| note.to_string()).chain(lines).chain(numbered).collect();
    let Loaded { rows, row_ids, columns, labels, batches, recipe, partly_known, file_rows, snippets, .. } = loaded;
    let (nrows, ncols) = (rows.nrows(), rows.ncols());
    let rows = match rows {
        Rows::F64(m) => array2(py, m.into_vec(), nrows, ncols)?.into_any(),
        Rows::F32(m) => array2(py, m.into_vec(), nrows, ncols)?.into_any(),
        Rows::Sparse(m) => (into_csr_arrays(py, m), ncols).into_pyobject(py)?.into_any(),
    };
    let found = PyDict::new(py);
    found.set_item("X", rows)?;
    found.set_item("row_ids", row_ids)?;
    found.set_item("columns", columns)?;
    found.set_item("labels", labels)?;
    found.set_item("batch", batches)?;
    found.set_item("recipe", recipe.map(|recipe| recipe.to_string()))?;
    found.set_item("name", name)?;
    found.set_item("format", format.name())?;
    found.set_item("partly_known", partly_known)?;
    found.set_item("file_rows", file_rows.map(|rows| (rows.kept, rows.total, rows.left_out)))?;
    found.set_item("snippets", snippets)?;
    found.set_item("notes", notes)?;
    Ok(found)
}

/// Pairs of a file: a table of rows, the weights, how many were left out because their rows were, and datasets of which row numbers were
/// given although ids are numbers.
type PairArrays<'py> = (Bound<'py, PyArray2<i64>>, Bound<'py, PyArray1<f64>>, usize, Vec<String>);

/// Pairs of a file for these datasets, which are only looked at.
#[pyfunction]
pub(crate) fn read_pairs<'py>(py: Python<'py>, path: PathBuf, datasets: Vec<Bound<'py, Dataset>>) -> PyResult<PairArrays<'py>> {
    let datasets = datasets.iter().map(|d| d.get().look(py, Clone::clone)).collect::<PyResult<Vec<_>>>()?;
    let c = datasets.len();
    let found = files(py, 1, move || landbridge_io::read_pair_table(path, &datasets.iter().collect::<Vec<_>>()))?;
    let rows = found.table.len();
    let table = array2(py, found.table.into_iter().flatten().collect(), rows, c)?;
    Ok((table, PyArray1::from_vec(py, found.weights), found.left_out, found.by_number))
}

/// Writes a model as the command line does: whole or not at all, packed where the name ends in `.gz` or `.zst`.
pub(crate) fn save_model(py: Python<'_>, model: Arc<Alignment>, path: PathBuf) -> PyResult<()> {
    files(py, 1, move || landbridge_io::save_model(path, &model))
}

/// Reads a model as the command line does, packed or not.
pub(crate) fn load_model(py: Python<'_>, path: PathBuf) -> PyResult<Alignment> {
    files(py, 1, move || landbridge_io::load_model(path))
}

/// Runs work on files without the GIL; its errors become exceptions.
fn files<T: Send + 'static>(
    py: Python<'_>,
    n_jobs: usize,
    work: impl FnOnce() -> landbridge_io::Result<T> + Send + 'static,
) -> PyResult<T> {
    run(py, n_jobs, false, move |_| Ok(work()))?.map_err(|e| errors::io(py, &e))
}

/// Writes a text, whole or not at all.
#[pyfunction]
pub(crate) fn write_text(py: Python<'_>, path: PathBuf, text: String) -> PyResult<()> {
    files(py, 1, move || landbridge_io::atomic_write(path, |file| file.write_all(text.as_bytes())))
}

/// Writes a picture as its name ends, .svg, .png or .pdf, whole or not at all. Returns a note about letters that the font lacks.
#[pyfunction]
pub(crate) fn write_picture(py: Python<'_>, path: PathBuf, svg: String) -> PyResult<Option<String>> {
    let Some(kind) = Kind::of(&path) else {
        return Err(errors::parameter(py, "path", format!("{path:?}"), "a name that ends in .svg, .png or .pdf"));
    };
    let drawn = py.detach(|| kind.encode(&svg));
    let (bytes, note) = drawn.map_err(|e| errors::exception(py, "data", &e.to_string(), None))?;
    files(py, 1, move || landbridge_io::atomic_write(path, |file| file.write_all(&bytes)))?;
    Ok(note)
}

/// The table, names that occur more than once in a dataset, and whether the names are mere row numbers.
type SharedIds<'py> = (Bound<'py, PyArray2<i64>>, usize, bool);

/// Rows with the same id in several datasets: a table, -1 for none.
#[pyfunction]
pub(crate) fn shared_ids(py: Python<'_>, ids: Vec<Option<Vec<String>>>) -> PyResult<SharedIds<'_>> {
    let given: Vec<Option<&[String]>> = ids.iter().map(Option::as_deref).collect();
    let found = landbridge_io::shared_ids(&given);
    let (repeated, numbers, rows) = (found.repeated, found.numbers, found.table.len());
    Ok((array2(py, found.table.into_iter().flatten().collect(), rows, ids.len())?, repeated, numbers))
}

/// A cell of a pair table that is not missing.
#[derive(FromPyObject)]
pub(crate) enum Cell {
    Row(i64),
    Text(String),
}

/// What to say of a table: of columns that number its rows; nothing, if there is none.
#[pyfunction]
pub(crate) fn note_of_table(py: Python<'_>, rows: &Bound<'_, Dataset>) -> PyResult<Option<String>> {
    rows.get().look(py, |d| note_of_numbered(d.rows(), d.columns()))
}

/// What to say of new ratings: of rows without any; nothing, if all have some.
#[pyfunction]
pub(crate) fn note_of_new(py: Python<'_>, rows: &Bound<'_, Dataset>) -> PyResult<Option<String>> {
    rows.get().look(py, |d| no_rating(d.rows()).filter(|_| d.is_partly_known()).map(|note| note.to_string()))
}

/// Whether a column of this name holds row ids.
#[pyfunction]
pub(crate) fn names_ids(name: &str) -> bool {
    landbridge_io::names_ids(name.as_bytes())
}

/// The columns of users, items and ratings, where the names of a table say that its lines are ratings.
#[pyfunction]
pub(crate) fn columns_of_ratings(columns: Vec<String>) -> Option<(String, String, String)> {
    landbridge_io::columns_of_ratings(&columns).map(|found| found.map(String::from).into())
}

/// The rows that the cells of one column of a pair table refer to, -1 for none.
#[pyfunction]
pub(crate) fn row_numbers<'py>(
    py: Python<'py>,
    dataset: &str,
    nrows: usize,
    ids: Option<Vec<String>>,
    cells: Vec<Option<Cell>>,
) -> PyResult<Bound<'py, PyArray1<i64>>> {
    let cells = cells.iter().map(|cell| match cell {
        None => PairCell::Absent,
        Some(Cell::Row(row)) => PairCell::Row(*row),
        Some(Cell::Text(text)) => PairCell::Text(text),
    });
    let rows = landbridge_io::row_numbers(dataset, nrows, ids.as_deref(), cells).map_err(|e| errors::io(py, &e))?;
    Ok(PyArray1::from_vec(py, rows))
}

/// New rows with the columns that a dataset was fitted with, matched by name, and what the user should know. The rows given
/// are used up.
#[pyfunction]
pub(crate) fn columns_like<'py>(
    py: Python<'py>,
    rows: &Bound<'py, Dataset>,
    columns: Vec<String>,
) -> PyResult<(Bound<'py, PyAny>, Vec<String>)> {
    let dataset = rows.get().take(py)?;
    let name = dataset.name().to_string();
    let who = name.clone();
    let (like, notes) =
        files(py, 0, move || landbridge_io::like_fitted(Loaded::from(dataset), &who, columns.len(), Some(&columns)))?;
    let Loaded { rows, row_ids, columns, batches, recipe, partly_known, .. } = like;
    let (nrows, ncols) = (rows.nrows(), rows.ncols());
    let kind = py.get_type::<Dataset>();
    let made = match rows {
        Rows::F64(m) => kind.call_method1("dense", (name, array2(py, m.into_vec(), nrows, ncols)?, row_ids, columns))?,
        Rows::F32(m) => kind.call_method1("dense", (name, array2(py, m.into_vec(), nrows, ncols)?, row_ids, columns))?,
        Rows::Sparse(m) => {
            let (indptr, indices, values) = into_csr_arrays(py, m);
            kind.call_method1("sparse", (name, indptr, indices, values, ncols, row_ids, columns))?
        }
    };
    if let Some(batches) = batches {
        made.call_method1("set_batches", (batches,))?;
    }
    if let Some(recipe) = recipe {
        made.call_method1("set_recipe", (recipe.to_string(),))?;
    }
    if partly_known {
        made.call_method0("set_partly_known")?;
    }
    // `note_of_new` tells of rows without a rating, with names or without.
    let notes = notes.iter().filter(|note| !matches!(note, ColumnNote::NoRating { .. }));
    Ok((made, notes.map(ToString::to_string).collect()))
}

/// The modalities of a MuData file.
#[pyfunction]
pub(crate) fn modalities(py: Python<'_>, path: PathBuf) -> PyResult<Vec<String>> {
    files(py, 0, move || landbridge_io::modalities(&path, &ReadOptions::default()))
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
    let byte = |name: &str| -> PyResult<Option<u8>> {
        let Some(found) = text(name)? else { return Ok(None) };
        let wrong = || errors::parameter(py, name, format!("{found:?}"), "one ASCII character");
        landbridge_io::one_byte(&found).map(Some).ok_or_else(wrong)
    };
    let missing = text("missing")?.unwrap_or_else(|| "error".into());
    let known = "one of \"error\", \"zero\", \"mean\", \"drop\", \"unknown\"";
    let missing = Missing::named(&missing).ok_or_else(|| errors::parameter(py, "missing", format!("{missing:?}"), known))?;
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
        batch_column: text("batch_column")?,
        columns: given.get_item("columns")?.map(|value| value.extract()).transpose()?,
        delimiter: byte("delimiter")?,
        decimal: byte("decimal")?,
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
