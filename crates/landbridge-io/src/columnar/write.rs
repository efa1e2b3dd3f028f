//! Rows and results to columns.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use arrow_array::{ArrayRef, Float32Array, Float64Array, Int64Array, RecordBatch, StringArray};
use arrow_schema::{DataType, Field, Schema};

use super::kept::Kept;
use crate::error::Result;
use crate::format::{RowsRef, Table, format_for, write_packed};

/// A column of results.
#[derive(Clone, Debug, PartialEq)]
pub enum Column<'a> {
    /// Whole numbers.
    Integers(Vec<i64>),
    /// Numbers.
    Numbers(Vec<f64>),
    /// Words.
    Words(Vec<&'a str>),
}

impl Column<'_> {
    fn array(&self) -> ArrayRef {
        match self {
            Column::Integers(values) => Arc::new(Int64Array::from(values.clone())),
            Column::Numbers(values) => Arc::new(Float64Array::from(values.clone())),
            Column::Words(values) => Arc::new(StringArray::from_iter_values(values)),
        }
    }
}

/// Writes columns of the same length as `.parquet` or `.arrow`, whole or not at all.
///
/// ```
/// use landbridge_io::{Column, ReadOptions, read_matrix, write_columns};
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("matches.parquet");
/// write_columns(&path, &[("id", Column::Words(vec!["a", "b"])), ("distance", Column::Numbers(vec![0.5, 1.0]))])?;
/// assert_eq!(read_matrix(&path, &ReadOptions::default())?.row_ids.unwrap(), ["a", "b"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_columns(path: impl AsRef<Path>, columns: &[(&str, Column)]) -> Result<()> {
    write_columns_beside(path, columns, None)
}

/// As [`write_columns`], with columns that are carried along behind them, of the same length.
pub fn write_columns_beside(path: impl AsRef<Path>, columns: &[(&str, Column)], kept: Option<&Kept>) -> Result<()> {
    let path = path.as_ref();
    let format = format_for(path, None)?;
    let mut fields: Vec<Named> = columns.iter().map(|(name, column)| (name.to_string(), column.array(), false)).collect();
    if let Some(kept) = kept {
        kept.check_names(columns.iter().map(|(name, _)| *name))?;
        fields.extend(kept.columns().iter().map(|(name, array)| (name.clone(), array.clone(), true)));
    }
    write_packed(path, &|sink| match format.name() {
        "parquet" => super::parquet::write_batch(sink, batch(&fields)?),
        "arrow" => super::arrow::write_batch(sink, &batch(&fields)?),
        other => Err(std::io::Error::other(format!("columns are written as parquet or arrow, not as {other}"))),
    })
}

/// Ids first, called `id`, then the columns, then labels, called `label`.
pub(super) fn table_batch(table: &Table) -> std::io::Result<RecordBatch> {
    let words = |names: &[String]| Arc::new(StringArray::from_iter_values(names)) as ArrayRef;
    let mut fields: Vec<Named> = table.row_ids.map(|ids| ("id".to_string(), words(ids), false)).into_iter().collect();
    let kept = table.kept.map(|kept| kept.columns()).unwrap_or_default();
    fields.extend(kept.iter().map(|(name, array)| (name.clone(), array.clone(), true)));
    let n = table.rows.nrows();
    for j in 0..table.rows.ncols() {
        let name = table.columns.map_or_else(|| format!("x{j}"), |names| names[j].clone());
        let array: ArrayRef = match table.rows {
            RowsRef::F64(m) => Arc::new(Float64Array::from_iter_values((0..n).map(|i| m[(i, j)]))),
            RowsRef::F32(m) => Arc::new(Float32Array::from_iter_values((0..n).map(|i| m[(i, j)]))),
            RowsRef::Sparse(_) => return Err(std::io::Error::other("tables of columns cannot hold sparse rows")),
        };
        fields.push((name, array, false));
    }
    fields.extend(table.labels.map(|labels| ("label".to_string(), words(labels), false)));
    batch(&fields)
}

/// A column with its name, and whether values may be missing.
type Named = (String, ArrayRef, bool);

fn batch(columns: &[Named]) -> std::io::Result<RecordBatch> {
    let field = |(name, array, missing): &Named| Field::new(name, DataType::clone(array.data_type()), *missing);
    let schema = Schema::new(columns.iter().map(field).collect::<Vec<_>>());
    RecordBatch::try_new(Arc::new(schema), columns.iter().map(|c| c.1.clone()).collect()).map_err(std::io::Error::other)
}

/// Writes everything at once: the writers of the formats need a sink that may change threads.
pub(super) fn put(sink: &mut dyn Write, bytes: &[u8]) -> std::io::Result<()> {
    sink.write_all(bytes)
}
