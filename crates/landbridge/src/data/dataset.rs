//! A dataset: rows are instances, dense or sparse, with optional ids, labels and column names.

use crate::data::Batches;
use crate::error::{Error, Result};
use crate::linalg::{Csr, Matrix, MatrixRef, Scalar};
use crate::memo::address_of;
use std::borrow::Cow;
use std::sync::Arc;

/// The rows of a dataset.
#[derive(Clone, Debug, PartialEq)]
pub enum Rows {
    /// Dense, double precision.
    F64(Matrix<f64>),
    /// Dense, single precision (stays single: half the memory).
    F32(Matrix<f32>),
    /// Sparse; never made dense.
    Sparse(Csr),
}

impl Rows {
    /// Number of rows without an entry other than zero.
    pub(crate) fn zero_rows(&self) -> usize {
        match self {
            Rows::F64(m) => m.rows().filter(|r| r.iter().all(|v| *v == 0.0)).count(),
            Rows::F32(m) => m.rows().filter(|r| r.iter().all(|v| *v == 0.0)).count(),
            Rows::Sparse(m) => (0..m.nrows()).filter(|&i| m.row_values(i).iter().all(|v| *v == 0.0)).count(),
        }
    }
    /// Number of rows.
    pub fn nrows(&self) -> usize {
        match self {
            Rows::F64(m) => m.nrows(),
            Rows::F32(m) => m.nrows(),
            Rows::Sparse(m) => m.nrows(),
        }
    }
    /// Number of columns.
    pub fn ncols(&self) -> usize {
        match self {
            Rows::F64(m) => m.ncols(),
            Rows::F32(m) => m.ncols(),
            Rows::Sparse(m) => m.ncols(),
        }
    }
    /// The chosen rows, in the order given.
    pub fn select(&self, rows: &[usize]) -> Rows {
        match self {
            Rows::F64(m) => Rows::F64(m.select_rows(rows)),
            Rows::F32(m) => Rows::F32(m.select_rows(rows)),
            Rows::Sparse(m) => Rows::Sparse(m.select_rows(rows)),
        }
    }
    /// Row `i` as f64, written to `out`.
    pub(crate) fn copy_row(&self, i: usize, out: &mut [f64]) {
        RowsRef::from(self).copy_row(i, out);
    }
    /// A short word for the kind, for messages.
    pub fn kind(&self) -> &'static str {
        match self {
            Rows::F64(_) => "dense f64",
            Rows::F32(_) => "dense f32",
            Rows::Sparse(_) => "sparse",
        }
    }
}

/// Borrowed rows: of a dataset, a matrix, or an array of another library.
#[derive(Clone, Copy, Debug)]
pub enum RowsRef<'a> {
    /// Dense, double precision.
    F64(MatrixRef<'a, f64>),
    /// Dense, single precision.
    F32(MatrixRef<'a, f32>),
    /// Sparse.
    Sparse(&'a Csr),
}

impl RowsRef<'_> {
    /// Number of rows.
    pub fn nrows(&self) -> usize {
        match self {
            RowsRef::F64(m) => m.nrows(),
            RowsRef::F32(m) => m.nrows(),
            RowsRef::Sparse(m) => m.nrows(),
        }
    }
    /// Number of columns.
    pub fn ncols(&self) -> usize {
        match self {
            RowsRef::F64(m) => m.ncols(),
            RowsRef::F32(m) => m.ncols(),
            RowsRef::Sparse(m) => m.ncols(),
        }
    }
    /// A copy (sparse rows share their arrays).
    pub fn to_rows(&self) -> Rows {
        match self {
            RowsRef::F64(m) => Rows::F64(m.to_matrix()),
            RowsRef::F32(m) => Rows::F32(m.to_matrix()),
            RowsRef::Sparse(m) => Rows::Sparse((*m).clone()),
        }
    }
    /// Row `i` as f64, written to `out`.
    pub(crate) fn copy_row(&self, i: usize, out: &mut [f64]) {
        match self {
            RowsRef::F64(m) => out.copy_from_slice(m.row(i)),
            RowsRef::F32(m) => f32::widen(m.row(i), out),
            RowsRef::Sparse(m) => {
                out.fill(0.0);
                m.row(i).for_each(|(j, v)| out[j as usize] = v);
            }
        }
    }
    /// First value that is not finite: `(row, column, value)`.
    fn first_not_finite(&self) -> Option<(usize, usize, f64)> {
        match self {
            RowsRef::F64(m) => {
                let at = first_not_finite(m.as_slice())?;
                Some((at / m.ncols(), at % m.ncols(), m.as_slice()[at]))
            }
            RowsRef::F32(m) => {
                let at = first_not_finite(m.as_slice())?;
                Some((at / m.ncols(), at % m.ncols(), f64::from(m.as_slice()[at])))
            }
            RowsRef::Sparse(m) => {
                let at = first_not_finite(m.values())?;
                let row = m.indptr().partition_point(|&start| start <= at) - 1;
                Some((row, m.indices()[at] as usize, m.values()[at]))
            }
        }
    }
}

impl<'a> From<&'a Rows> for RowsRef<'a> {
    fn from(rows: &'a Rows) -> Self {
        match rows {
            Rows::F64(m) => RowsRef::F64(m.view()),
            Rows::F32(m) => RowsRef::F32(m.view()),
            Rows::Sparse(m) => RowsRef::Sparse(m),
        }
    }
}
impl<'a> From<&'a Arc<Rows>> for RowsRef<'a> {
    fn from(rows: &'a Arc<Rows>) -> Self {
        RowsRef::from(&**rows)
    }
}
impl<'a> From<&'a Cow<'_, Rows>> for RowsRef<'a> {
    fn from(rows: &'a Cow<'_, Rows>) -> Self {
        RowsRef::from(&**rows)
    }
}
impl<'a> From<&'a Matrix<f64>> for RowsRef<'a> {
    fn from(m: &'a Matrix<f64>) -> Self {
        RowsRef::F64(m.view())
    }
}
impl<'a> From<&'a Csr> for RowsRef<'a> {
    fn from(m: &'a Csr) -> Self {
        RowsRef::Sparse(m)
    }
}

/// The position of the first value that is not finite. Tests many values together, and one by one only if one of them fails.
fn first_not_finite<T: Scalar>(values: &[T]) -> Option<usize> {
    const TOGETHER: usize = 4096;
    let from = TOGETHER * values.chunks(TOGETHER).position(|part| !T::are_finite(part))?;
    values[from..].iter().position(|v| !v.to_f64().is_finite()).map(|at| from + at)
}

impl From<Matrix<f64>> for Rows {
    fn from(m: Matrix<f64>) -> Self {
        Rows::F64(m)
    }
}
impl From<Matrix<f32>> for Rows {
    fn from(m: Matrix<f32>) -> Self {
        Rows::F32(m)
    }
}
impl From<Csr> for Rows {
    fn from(m: Csr) -> Self {
        Rows::Sparse(m)
    }
}

/// One dataset to align.
///
/// ```
/// use landbridge::data::Dataset;
/// use landbridge::linalg::Matrix;
/// let rows = Matrix::from_rows(&[[1.0, 2.0], [3.0, 4.0]])?;
/// let dataset = Dataset::new("en", rows)?.with_columns(vec!["one".into(), "two".into()])?;
/// assert_eq!((dataset.nrows(), dataset.ncols()), (2, 2));
/// # Ok::<(), landbridge::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Dataset {
    name: String,
    /// Shared with the models that store them.
    rows: Arc<Rows>,
    row_ids: Option<Vec<String>>,
    labels: Option<Vec<String>>,
    batches: Option<Arc<Batches>>,
    columns: Option<Vec<String>>,
    recipe: Option<serde_json::Value>,
    partly_known: bool,
    file_rows: Option<FileRows>,
    snippets: Option<Vec<String>>,
}

/// Where the rows of a dataset stand in the file they came from, when some of its rows were left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileRows {
    /// The row of the file, from 0, of each row of the dataset; ascending.
    pub kept: Vec<usize>,
    /// Rows of the file.
    pub total: usize,
    /// Ids of the rows that were left out; none if the file has none.
    pub left_out: Vec<String>,
}

impl Dataset {
    /// A dataset of that name. Refuses empty data and values that are not finite.
    pub fn new(name: impl Into<String>, rows: impl Into<Rows>) -> Result<Self> {
        let rows = Arc::new(rows.into());
        let dataset = Self {
            name: name.into(),
            rows,
            row_ids: None,
            labels: None,
            batches: None,
            columns: None,
            recipe: None,
            partly_known: false,
            file_rows: None,
            snippets: None,
        };
        check_rows(&dataset.name, &dataset.rows)?;
        Ok(dataset)
    }
    fn check_length(&self, what: &str, given: usize, expected: usize) -> Result<()> {
        if given == expected {
            return Ok(());
        }
        Err(Error::Shape {
            what: format!("{what} of dataset \"{}\"", self.name),
            expected: expected.to_string(),
            got: given.to_string(),
        })
    }
    /// With an id per row (barcodes, document numbers).
    pub fn with_row_ids(mut self, ids: Vec<String>) -> Result<Self> {
        self.check_length("row ids", ids.len(), self.nrows())?;
        self.row_ids = Some(ids);
        Ok(self)
    }
    /// With a class label per row (cell types, topics).
    pub fn with_labels(mut self, labels: Vec<String>) -> Result<Self> {
        self.check_length("labels", labels.len(), self.nrows())?;
        self.labels = Some(labels);
        Ok(self)
    }
    /// With the batch of each row (donor, sequencing run): linear maps centre rows within their batch. Refuses a row without a name of
    /// its batch.
    pub fn with_batches(mut self, batches: &[impl AsRef<str>]) -> Result<Self> {
        self.check_length("batches", batches.len(), self.nrows())?;
        self.batches = Some(Arc::new(Batches::new(&self.name, batches)?));
        Ok(self)
    }
    /// With a name per column (words, genes).
    pub fn with_columns(mut self, columns: Vec<String>) -> Result<Self> {
        self.check_length("column names", columns.len(), self.ncols())?;
        self.columns = Some(columns);
        Ok(self)
    }
    /// With the recipe that made its columns from raw text (tokeniser, weights), so that new text can follow it.
    pub fn with_recipe(mut self, recipe: serde_json::Value) -> Self {
        self.recipe = Some(recipe);
        self
    }
    /// Marks entries that sparse rows do not store as unknown, not 0 (ratings). Methods that predict values use this; for the
    /// others they are 0.
    pub fn partly_known(mut self) -> Self {
        self.partly_known = true;
        self
    }
    /// With the rows of the file that its rows are. Row numbers in files of pairs then are those of the file.
    pub fn with_file_rows(mut self, file_rows: FileRows) -> Result<Self> {
        self.check_length("rows of its file", file_rows.kept.len(), self.nrows())?;
        self.file_rows = Some(file_rows);
        Ok(self)
    }
    /// With the beginning of the text of each row, for people who look at matches.
    pub fn with_snippets(mut self, snippets: Vec<String>) -> Result<Self> {
        self.check_length("snippets", snippets.len(), self.nrows())?;
        self.snippets = Some(snippets);
        Ok(self)
    }
    /// The beginning of the text of each row, if the rows were made from text.
    pub fn snippets(&self) -> Option<&[String]> {
        self.snippets.as_deref()
    }
    /// The rows of the file that its rows are, where some were left out.
    pub fn file_rows(&self) -> Option<&FileRows> {
        self.file_rows.as_ref()
    }
    /// Whether entries that sparse rows do not store are unknown.
    pub fn is_partly_known(&self) -> bool {
        self.partly_known && matches!(*self.rows, Rows::Sparse(_))
    }
    /// The same dataset with other rows of the same number.
    pub(crate) fn with_rows(&self, rows: Rows) -> Self {
        Self { rows: Arc::new(rows), ..self.clone() }
    }
    /// The same dataset under another name.
    pub fn renamed(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }
    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }
    /// Number of rows.
    pub fn nrows(&self) -> usize {
        self.rows.nrows()
    }
    /// Number of columns.
    pub fn ncols(&self) -> usize {
        self.rows.ncols()
    }
    /// The rows.
    pub fn rows(&self) -> &Rows {
        &self.rows
    }
    /// The rows, by value.
    pub fn into_rows(self) -> Rows {
        Arc::unwrap_or_clone(self.rows)
    }
    /// Where its rows are: two datasets with this in common have the same rows.
    pub(crate) fn address(&self) -> usize {
        address_of(&self.rows)
    }
    /// The rows, shared without a copy.
    pub(crate) fn shared_rows(&self) -> Arc<Rows> {
        Arc::clone(&self.rows)
    }
    /// Ids of the rows, if given.
    pub fn row_ids(&self) -> Option<&[String]> {
        self.row_ids.as_deref()
    }
    /// Labels of the rows, if given.
    pub fn labels(&self) -> Option<&[String]> {
        self.labels.as_deref()
    }
    /// The batches of the rows, if given.
    pub fn batches(&self) -> Option<&Batches> {
        self.batches.as_deref()
    }
    /// Names of the columns, if given.
    pub fn columns(&self) -> Option<&[String]> {
        self.columns.as_deref()
    }
    /// How its columns were made from raw text, if they were.
    pub fn recipe(&self) -> Option<&serde_json::Value> {
        self.recipe.as_ref()
    }
    /// The chosen rows, in the order given, with their ids and labels.
    pub fn select(&self, rows: &[usize]) -> Dataset {
        let pick = |names: &Option<Vec<String>>| names.as_ref().map(|n| rows.iter().map(|&i| n[i].clone()).collect());
        Dataset {
            name: self.name.clone(),
            rows: Arc::new(self.rows.select(rows)),
            row_ids: pick(&self.row_ids),
            labels: pick(&self.labels),
            batches: self.batches.as_ref().map(|b| Arc::new(b.select(rows))),
            columns: self.columns.clone(),
            recipe: self.recipe.clone(),
            partly_known: self.partly_known,
            file_rows: None,
            snippets: pick(&self.snippets),
        }
    }
}

/// Checks that the rows are not empty, not too many, and all finite.
pub(crate) fn check_rows<'a>(name: &str, rows: impl Into<RowsRef<'a>>) -> Result<()> {
    let rows = rows.into();
    if rows.nrows() == 0 || rows.ncols() == 0 {
        return Err(Error::EmptyDataset { dataset: name.into(), rows: rows.nrows(), columns: rows.ncols() });
    }
    if u32::try_from(rows.nrows()).is_err() {
        return Err(Error::Shape {
            what: format!("dataset \"{name}\""),
            expected: format!("at most {} rows", u32::MAX),
            got: format!("{}", rows.nrows()),
        });
    }
    match rows.first_not_finite() {
        None => Ok(()),
        Some((row, column, value)) => Err(Error::NotFinite { dataset: name.into(), row, column: column.to_string(), value }),
    }
}

/// Checks that there are at least two datasets with different names.
pub(crate) fn check_datasets(datasets: &[Dataset]) -> Result<()> {
    if datasets.len() < 2 {
        return Err(Error::TooFewDatasets { given: datasets.len() });
    }
    for (a, dataset) in datasets.iter().enumerate() {
        if datasets[..a].iter().any(|d| d.name() == dataset.name()) {
            return Err(Error::DuplicateName { name: dataset.name().into() });
        }
        if dataset.nrows() < 2 {
            return Err(Error::TooFewRows { dataset: dataset.name().into(), rows: dataset.nrows(), needed: 2 });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_that_is_not_finite_is_named_with_its_place() {
        let mut m = Matrix::zeros(3, 2);
        m[(2, 1)] = f64::NAN;
        let message = Dataset::new("en", m.clone()).unwrap_err().to_string();
        assert_eq!(message, "dataset \"en\": the value at row 2, column 1 is NaN (rows and columns counted from 0)");
        let message = Dataset::new("en", m.to_f32()).unwrap_err().to_string();
        assert!(message.contains("row 2, column 1"));
        let sparse = Csr::from_triplets(4, 5, &[(0, 1, 1.0), (2, 3, f64::INFINITY)]).unwrap();
        let message = Dataset::new("en", sparse).unwrap_err().to_string();
        assert!(message.contains("row 2, column 3 is inf"), "{message}");
    }

    #[test]
    fn empty_and_mismatched_data_are_refused() {
        assert!(matches!(Dataset::new("x", Matrix::<f64>::zeros(0, 3)), Err(Error::EmptyDataset { .. })));
        let d = Dataset::new("x", Matrix::<f64>::zeros(3, 2)).unwrap();
        assert_eq!(
            d.clone().with_labels(vec!["a".into()]).unwrap_err().to_string(),
            "labels of dataset \"x\": expected 3, got 1"
        );
        assert!(d.clone().with_row_ids(vec![]).is_err());
        assert!(d.clone().with_columns(vec![]).is_err());
        assert!(matches!(check_datasets(std::slice::from_ref(&d)), Err(Error::TooFewDatasets { given: 1 })));
        assert!(matches!(check_datasets(&[d.clone(), d.clone()]), Err(Error::DuplicateName { .. })));
        let one = Dataset::new("y", Matrix::<f64>::zeros(1, 2)).unwrap();
        assert!(matches!(check_datasets(&[d, one]), Err(Error::TooFewRows { .. })));
    }

    #[test]
    fn selected_rows_keep_their_ids_and_labels() {
        let d = Dataset::new("x", Matrix::from_fn(3, 1, |i, _| i as f64)).unwrap();
        let d = d.with_row_ids(vec!["a".into(), "b".into(), "c".into()]).unwrap();
        let d = d.with_recipe(serde_json::json!({"kind": "text"}));
        let s = d.select(&[2, 0]);
        assert_eq!(s.recipe(), d.recipe());
        assert_eq!(s.row_ids().unwrap(), ["c", "a"]);
        assert_eq!(s.nrows(), 2);
    }
}
