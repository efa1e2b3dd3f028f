//! Data files, read by the readers that the command line has.

use crate::convert::{array2, csr_arrays};
use crate::errors;
use crate::run::run;
use landbridge::data::Rows;
use landbridge_io::{IdColumn, Loaded, ReadOptions, read_matrix};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyDict};
use std::path::PathBuf;

/// Rows (an array, or the arrays and the width of a CSR matrix), row ids, column names, labels.
type Parts<'py> = (Bound<'py, PyAny>, Option<Vec<String>>, Option<Vec<String>>, Option<Vec<String>>);

/// Reads a matrix with whatever names its file has; `options` are those of `ReadOptions` that are given.
#[pyfunction]
pub(crate) fn read_file<'py>(py: Python<'py>, path: PathBuf, options: &Bound<'py, PyDict>) -> PyResult<Parts<'py>> {
    let options = read_options(options)?;
    let loaded = run(py, 0, false, move |_| Ok(read_matrix(&path, &options)))?.map_err(|e| errors::io(py, &e))?;
    let Loaded { rows, row_ids, columns, labels } = loaded;
    let (nrows, ncols) = (rows.nrows(), rows.ncols());
    let rows = match rows {
        Rows::F64(m) => array2(py, m.into_vec(), nrows, ncols)?.into_any(),
        Rows::F32(m) => array2(py, m.into_vec(), nrows, ncols)?.into_any(),
        Rows::Sparse(m) => (csr_arrays(py, &m), ncols).into_pyobject(py)?.into_any(),
    };
    Ok((rows, row_ids, columns, labels))
}

/// The modalities of a MuData file.
#[pyfunction]
pub(crate) fn modalities(py: Python<'_>, path: PathBuf) -> PyResult<Vec<String>> {
    let found = run(py, 0, false, move |_| Ok(landbridge_io::modalities(&path, &ReadOptions::default())))?;
    found.map_err(|e| errors::io(py, &e))
}

fn read_options(given: &Bound<'_, PyDict>) -> PyResult<ReadOptions> {
    let text = |name: &str| -> PyResult<Option<String>> { given.get_item(name)?.map(|value| value.extract()).transpose() };
    let id_column = match given.get_item("id_column")? {
        None => None,
        Some(value) => match value.extract::<usize>() {
            Ok(position) => Some(IdColumn::Position(position)),
            Err(_) => Some(IdColumn::Name(value.extract()?)),
        },
    };
    let default = ReadOptions::default();
    let max_memory = given.get_item("max_memory")?.map(|value| value.extract()).transpose()?;
    Ok(ReadOptions {
        format: text("format")?,
        header: given.get_item("header")?.map(|value| value.extract()).transpose()?,
        id_column,
        label_column: text("label_column")?,
        key: text("key")?,
        layer: text("layer")?,
        use_rep: text("use_rep")?,
        modality: text("modality")?,
        max_memory: max_memory.unwrap_or(default.max_memory),
        ..default
    })
}
