//! Converts arrays. Inputs are copied, except for small work that ends before the call returns.

use crate::errors;
use landbridge::Error;
use landbridge::data::{Rows, RowsRef};
use landbridge::linalg::{Csr, Matrix, MatrixRef};
use landbridge::memory::{check_room, of_doubles};
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::PyAny;
use serde::de::DeserializeOwned;
use std::ops::Range;
use std::sync::Mutex;

/// Three arrays of a sparse matrix: row starts, column numbers, values.
pub(crate) type CsrArrays<'py> = (Bound<'py, PyAny>, Bound<'py, PyAny>, Bound<'py, PyArray1<f64>>);
/// Row numbers and distances, k for each row.
pub(crate) type RowsAndDistances<'py> = (Bound<'py, PyArray2<i64>>, Bound<'py, PyArray2<f64>>);

/// A copy. Several threads copy large arrays, because the first write to new memory is slow. They are not from a pool, which
/// would be missing in a forked process.
fn copied<T: landbridge::linalg::Scalar>(values: &[T]) -> Vec<T> {
    const LARGE: usize = 1 << 20;
    // The number of threads comes from files of the system, which takes as long as a small product.
    let threads = match values.len() < LARGE {
        true => 1,
        false => std::thread::available_parallelism().map_or(1, |n| n.get().min(8)),
    };
    if threads == 1 {
        return values.to_vec();
    }
    let mut out = vec![T::default(); values.len()];
    let part = values.len().div_ceil(threads);
    std::thread::scope(|scope| {
        for (to, from) in out.chunks_mut(part).zip(values.chunks(part)) {
            scope.spawn(move || to.copy_from_slice(from));
        }
    });
    out
}

/// Dense rows of an array, in any memory order.
fn dense<T: numpy::Element + landbridge::linalg::Scalar>(py: Python<'_>, array: &PyReadonlyArray2<'_, T>) -> PyResult<Matrix<T>> {
    let view = array.as_array();
    let (nrows, ncols) = view.dim();
    let bytes = of_doubles(nrows, ncols) / 8 * size_of::<T>() as u64;
    check_room("a copy of the rows", bytes).map_err(|e| errors::library(py, &e))?;
    let values = view.as_slice().map_or_else(|| view.iter().copied().collect(), copied);
    Matrix::from_vec(values, nrows, ncols).map_err(|e| errors::library(py, &e))
}

/// A float64 matrix.
pub(crate) fn matrix(py: Python<'_>, array: &PyReadonlyArray2<'_, f64>) -> PyResult<Matrix<f64>> {
    dense(py, array)
}

/// A float64 or float32 array with two axes, borrowed.
pub(crate) enum DenseArray<'py> {
    F64(PyReadonlyArray2<'py, f64>),
    F32(PyReadonlyArray2<'py, f32>),
}

impl<'py> DenseArray<'py> {
    pub(crate) fn new(array: &Bound<'py, PyAny>) -> PyResult<Self> {
        if let Ok(array) = array.cast::<PyArray2<f64>>() {
            return Ok(Self::F64(array.try_readonly()?));
        }
        if let Ok(array) = array.cast::<PyArray2<f32>>() {
            return Ok(Self::F32(array.try_readonly()?));
        }
        Ok(Self::F64(array.extract()?))
    }
    /// Its rows in place; `None` if they are not contiguous.
    pub(crate) fn view(&self) -> Option<RowsRef<'_>> {
        match self {
            Self::F64(array) => view(array).map(RowsRef::F64),
            Self::F32(array) => view(array).map(RowsRef::F32),
        }
    }
    /// Rows, columns, and the bytes of a row.
    pub(crate) fn size(&self) -> (usize, usize, usize) {
        match self {
            Self::F64(array) => (array.as_array().nrows(), array.as_array().ncols(), array.as_array().ncols() * 8),
            Self::F32(array) => (array.as_array().nrows(), array.as_array().ncols(), array.as_array().ncols() * 4),
        }
    }
    /// A copy of some rows, in the memory of earlier ones of the same kind.
    pub(crate) fn some_rows(&self, rows: Range<usize>, earlier: Option<Rows>) -> landbridge::Result<Rows> {
        match (self, earlier) {
            (Self::F64(array), Some(Rows::F64(room))) => some(array, rows, room.into_vec()).map(Rows::F64),
            (Self::F64(array), _) => some(array, rows, vec![]).map(Rows::F64),
            (Self::F32(array), Some(Rows::F32(room))) => some(array, rows, room.into_vec()).map(Rows::F32),
            (Self::F32(array), _) => some(array, rows, vec![]).map(Rows::F32),
        }
    }
    /// A copy of its rows.
    pub(crate) fn to_rows(&self, py: Python<'_>) -> PyResult<Rows> {
        match self {
            Self::F64(array) => Ok(Rows::F64(dense(py, array)?)),
            Self::F32(array) => Ok(Rows::F32(dense(py, array)?)),
        }
    }
}

fn some<T: numpy::Element + landbridge::linalg::Scalar>(
    array: &PyReadonlyArray2<'_, T>,
    rows: Range<usize>,
    mut room: Vec<T>,
) -> landbridge::Result<Matrix<T>> {
    let view = array.as_array();
    let (nrows, ncols) = (rows.len(), view.ncols());
    room.clear();
    match view.to_slice() {
        Some(values) => room.extend_from_slice(&values[rows.start * ncols..rows.end * ncols]),
        None => rows.for_each(|i| room.extend(view.row(i))),
    }
    Matrix::from_vec(room, nrows, ncols)
}

fn view<'a, T: numpy::Element + landbridge::linalg::Scalar>(array: &'a PyReadonlyArray2<'_, T>) -> Option<MatrixRef<'a, T>> {
    let dim = array.as_array().dim();
    // `as_slice` of the array also accepts contiguous columns.
    let values = array.as_array().to_slice()?;
    MatrixRef::new(values, dim.0, dim.1).ok()
}

/// Rows of a float64 or float32 array.
fn dense_rows(py: Python<'_>, array: &Bound<'_, PyAny>) -> PyResult<Rows> {
    DenseArray::new(array)?.to_rows(py)
}

/// Whole numbers of an int32 or int64 array.
fn whole(array: &Bound<'_, PyAny>) -> PyResult<Vec<i64>> {
    if let Ok(array) = array.extract::<PyReadonlyArray1<'_, i32>>() {
        return Ok(array.as_array().iter().map(|v| i64::from(*v)).collect());
    }
    Ok(array.extract::<PyReadonlyArray1<'_, i64>>()?.as_array().to_vec())
}

/// A CSR matrix from the three arrays of SciPy; the result is consistent or an error, whatever they contain.
pub(crate) fn csr(
    py: Python<'_>,
    indptr: &Bound<'_, PyAny>,
    indices: &Bound<'_, PyAny>,
    values: &PyReadonlyArray1<'_, f64>,
    ncols: usize,
) -> PyResult<Csr> {
    let bad = |what: &str, value: i64| {
        let expected = format!("{what} within {ncols} columns");
        errors::library(py, &Error::Shape { what: "sparse matrix".into(), expected, got: value.to_string() })
    };
    let indptr = whole(indptr)?.into_iter().map(|v| usize::try_from(v).map_err(|_| bad("row starts", v)));
    let indptr = indptr.collect::<PyResult<Vec<usize>>>()?;
    let indices = whole(indices)?.into_iter().map(|v| u32::try_from(v).map_err(|_| bad("column numbers", v)));
    let indices = indices.collect::<PyResult<Vec<u32>>>()?;
    Csr::new(indptr, indices, values.as_array().to_vec(), ncols).map_err(|e| errors::library(py, &e))
}

/// The arrays of a CSR matrix.
pub(crate) fn csr_arrays<'py>(py: Python<'py>, matrix: &Csr) -> CsrArrays<'py> {
    into_csr_arrays(py, matrix.clone())
}

/// The arrays of a CSR matrix, by value. Row starts and column numbers have 32 bits if that is enough, as SciPy expects; then
/// nothing is copied.
pub(crate) fn into_csr_arrays<'py>(py: Python<'py>, matrix: Csr) -> CsrArrays<'py> {
    let small = matrix.nnz() <= i32::MAX as usize && matrix.ncols() <= i32::MAX as usize;
    let (indptr, indices, values) = matrix.into_parts();
    let values = PyArray1::from_vec(py, values);
    if small {
        let indptr: Vec<i32> = indptr.into_iter().map(|v| v as i32).collect();
        let indices: Vec<i32> = bytemuck::cast_vec(indices);
        return (PyArray1::from_vec(py, indptr).into_any(), PyArray1::from_vec(py, indices).into_any(), values);
    }
    let indptr: Vec<i64> = indptr.into_iter().map(|v| v as i64).collect();
    let indices: Vec<i64> = indices.into_iter().map(i64::from).collect();
    (PyArray1::from_vec(py, indptr).into_any(), PyArray1::from_vec(py, indices).into_any(), values)
}

/// An array of `nrows × ncols` from its values by rows.
pub(crate) fn array2<T: numpy::Element>(
    py: Python<'_>,
    values: Vec<T>,
    nrows: usize,
    ncols: usize,
) -> PyResult<Bound<'_, PyArray2<T>>> {
    PyArray1::from_vec(py, values).reshape([nrows, ncols])
}

/// Parses a word of an enum of the library (`metric`, `weights`, `search`, `how`); a dash may replace an underscore.
pub(crate) fn word<T: DeserializeOwned>(py: Python<'_>, name: &str, value: &Bound<'_, PyAny>, words: &str) -> PyResult<T> {
    let text = value.extract::<String>().ok().map(|text| text.replace('-', "_"));
    let known = text.and_then(|text| serde_json::from_value(serde_json::Value::String(text)).ok());
    known.ok_or_else(|| errors::parameter(py, name, repr(value), &format!("one of {words}")))
}

/// The words of [`landbridge::geometry::neighbors::Metric`].
pub(crate) const METRICS: &str = "\"euclidean\", \"cosine\"";
/// The words of [`landbridge::apply::matching::How`].
pub(crate) const HOWS: &str = "\"nearest\", \"csls\", \"mutual\", \"assignment\"";
/// The words of [`landbridge::geometry::neighbors::Search`].
pub(crate) const SEARCHES: &str = "\"auto\", \"exact\", \"approximate\"";
/// The words of [`landbridge::geometry::affinity::Weights`].
pub(crate) const WEIGHTS: &str = "\"heat\", \"binary\", \"cosine\", \"local\", \"precomputed\"";

/// The words of [`landbridge::solve::unfolding::UnfoldingSolver`].
pub(crate) const UNFOLDING_SOLVERS: &str = "\"auto\", \"interior\", \"low_rank\", \"laplacian\"";

/// The value as Python writes it, shortened.
pub(crate) fn repr(value: &Bound<'_, PyAny>) -> String {
    let text = value.repr().map_or_else(|_| "?".into(), |r| r.to_string());
    if text.chars().count() <= 80 { text } else { text.chars().take(77).chain("...".chars()).collect() }
}

/// One dataset: a copy of its rows, with the names of rows and columns. The call takes it by value, so that there is one
/// copy, not two.
#[pyclass(frozen, module = "landbridge._landbridge")]
pub(crate) struct Dataset {
    inner: Mutex<Option<landbridge::data::Dataset>>,
}

impl Dataset {
    /// Takes the rows out, once.
    pub(crate) fn take(&self, py: Python<'_>) -> PyResult<landbridge::data::Dataset> {
        let taken = self.inner.lock().ok().and_then(|mut inner| inner.take());
        taken.ok_or_else(|| Self::gone(py))
    }
    pub(crate) fn look<T>(&self, py: Python<'_>, at: impl FnOnce(&landbridge::data::Dataset) -> T) -> PyResult<T> {
        let inner = self.inner.lock().ok();
        inner.as_ref().and_then(|inner| inner.as_ref()).map(at).ok_or_else(|| Self::gone(py))
    }
    fn change(
        &self,
        py: Python<'_>,
        with: impl FnOnce(landbridge::data::Dataset) -> landbridge::Result<landbridge::data::Dataset>,
    ) -> PyResult<()> {
        let changed = with(self.take(py)?).map_err(|e| errors::library(py, &e))?;
        if let Ok(mut inner) = self.inner.lock() {
            *inner = Some(changed);
        }
        Ok(())
    }
    fn gone(py: Python<'_>) -> PyErr {
        errors::exception(py, "internal", "this dataset was used already", None)
    }
    fn build(
        py: Python<'_>,
        name: String,
        rows: Rows,
        row_ids: Option<Vec<String>>,
        columns: Option<Vec<String>>,
    ) -> PyResult<Self> {
        let named = columns.clone();
        let made = py.detach(move || {
            let mut dataset = landbridge::data::Dataset::new(name, rows)?;
            if let Some(ids) = row_ids {
                dataset = dataset.with_row_ids(ids)?;
            }
            if let Some(columns) = columns {
                dataset = dataset.with_columns(columns)?;
            }
            Ok(dataset)
        });
        match made {
            Ok(inner) => Ok(Self { inner: Mutex::new(Some(inner)) }),
            Err(error) => Err(errors::library(py, &with_column_name(error, named.as_deref()))),
        }
    }
}

/// Values are checked before the columns have names; the message is better with the name.
fn with_column_name(error: Error, columns: Option<&[String]>) -> Error {
    match (error, columns) {
        (Error::NotFinite { dataset, row, column, value }, Some(names)) => {
            let column = column.parse().ok().and_then(|c: usize| names.get(c)).map_or(column, |n| format!("\"{n}\""));
            Error::NotFinite { dataset, row, column, value }
        }
        (error, _) => error,
    }
}

#[pymethods]
impl Dataset {
    /// From a float32 or float64 array.
    #[staticmethod]
    #[pyo3(signature = (name, rows, row_ids=None, columns=None))]
    fn dense(
        py: Python<'_>,
        name: String,
        rows: &Bound<'_, PyAny>,
        row_ids: Option<Vec<String>>,
        columns: Option<Vec<String>>,
    ) -> PyResult<Self> {
        Self::build(py, name, dense_rows(py, rows)?, row_ids, columns)
    }

    /// From the arrays of a CSR matrix.
    #[staticmethod]
    #[pyo3(signature = (name, indptr, indices, values, ncols, row_ids=None, columns=None))]
    fn sparse(
        py: Python<'_>,
        name: String,
        indptr: &Bound<'_, PyAny>,
        indices: &Bound<'_, PyAny>,
        values: PyReadonlyArray1<'_, f64>,
        ncols: usize,
        row_ids: Option<Vec<String>>,
        columns: Option<Vec<String>>,
    ) -> PyResult<Self> {
        Self::build(py, name, Rows::Sparse(csr(py, indptr, indices, &values, ncols)?), row_ids, columns)
    }

    /// How text became its columns, so that new text can follow.
    fn set_recipe(&self, py: Python<'_>, recipe: &str) -> PyResult<()> {
        let bad = |e: serde_json::Error| errors::exception(py, "data", &format!("the recipe is damaged: {e}"), None);
        let recipe = serde_json::from_str(recipe).map_err(bad)?;
        self.change(py, |dataset| Ok(dataset.with_recipe(recipe)))
    }

    /// Marks entries that its sparse rows do not store as unknown.
    fn set_partly_known(&self, py: Python<'_>) -> PyResult<()> {
        self.change(py, |dataset| Ok(dataset.partly_known()))
    }

    /// A label for each row.
    fn set_labels(&self, py: Python<'_>, labels: Vec<String>) -> PyResult<()> {
        self.change(py, |dataset| dataset.with_labels(labels))
    }

    /// The batch of each row.
    fn set_batches(&self, py: Python<'_>, batches: Vec<String>) -> PyResult<()> {
        self.change(py, |dataset| dataset.with_batches(&batches))
    }

    /// The beginning of the text of each row.
    fn set_snippets(&self, py: Python<'_>, snippets: Vec<String>) -> PyResult<()> {
        self.change(py, |dataset| dataset.with_snippets(snippets))
    }

    /// The rows of its file that these are, how many the file has, and the ids of the others.
    fn set_file_rows(&self, py: Python<'_>, kept: Vec<usize>, total: usize, left_out: Vec<String>) -> PyResult<()> {
        self.change(py, |dataset| dataset.with_file_rows(landbridge::data::FileRows { kept, total, left_out }))
    }

    #[getter]
    fn name(&self, py: Python<'_>) -> PyResult<String> {
        self.look(py, |d| d.name().to_string())
    }
    #[getter]
    fn shape(&self, py: Python<'_>) -> PyResult<(usize, usize)> {
        self.look(py, |d| (d.nrows(), d.ncols()))
    }
    /// "dense f64", "dense f32" or "sparse".
    #[getter]
    fn kind(&self, py: Python<'_>) -> PyResult<&'static str> {
        self.look(py, |d| d.rows().kind())
    }
    #[getter]
    fn row_ids(&self, py: Python<'_>) -> PyResult<Option<Vec<String>>> {
        self.look(py, |d| d.row_ids().map(<[_]>::to_vec))
    }
    #[getter]
    fn columns(&self, py: Python<'_>) -> PyResult<Option<Vec<String>>> {
        self.look(py, |d| d.columns().map(<[_]>::to_vec))
    }
}
