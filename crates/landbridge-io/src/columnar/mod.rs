//! Columnar tables: Parquet and Arrow. Numeric columns are features, one column may hold ids, one labels, and a
//! column of lists of numbers (an embedding) is as many features as a list has values.

mod arrow;
mod kept;
mod parquet;
mod read;
mod write;

pub use arrow::ArrowIpc;
pub(crate) use arrow::arrow_pieces;
pub use kept::Kept;
pub(crate) use kept::positions;
pub use parquet::Parquet;
pub(crate) use parquet::ParquetPieces;
pub use write::{Column, write_columns, write_columns_beside};

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use arrow_array::{Array as _, ArrayRef, RecordBatch};
use arrow_schema::Schema;

use crate::error::{Error, Result};
use crate::source::Input;

/// The names of the columns, and the cells of all rows as text: whole numbers as such, empty where there is nothing.
pub(crate) fn read_cells(input: Input, parquet: bool, limit: u64) -> Result<(Vec<String>, Vec<Vec<String>>)> {
    let path = input.path().to_path_buf();
    let start = |_: &Path, schema: &Schema| Ok((schema.fields().iter().map(|f| f.name().clone()).collect::<Vec<_>>(), vec![]));
    let push = |found: &mut (Vec<String>, Vec<Vec<String>>), batch: &RecordBatch| {
        let column = |(array, name): (&ArrayRef, &String)| {
            let (column, kind) = (format!("\"{name}\""), array.data_type().to_string());
            read::cells(array).ok_or_else(|| Error::ColumnKind { path: path.clone(), column, found: kind })
        };
        let columns = batch.columns().iter().zip(&found.0).map(column).collect::<Result<Vec<_>>>()?;
        found.1.extend((0..batch.num_rows()).map(|row| columns.iter().map(|c| c[row].clone()).collect()));
        Ok(())
    };
    match parquet {
        true => parquet::scan(input, limit, start, |_, _| Ok(()), push),
        false => arrow::scan(input, limit, start, push),
    }
}

/// Whether the columnar formats have this option.
fn understands(option: &str) -> bool {
    ["id_column", "label_column", "batch_column", "columns", "keep"].contains(&option)
}

/// Whether a compressed block can have this decompressed size, by the largest ratio of its compression.
fn plausible(packed: u64, unpacked: u64, ratio: u64) -> bool {
    unpacked <= packed.saturating_mul(ratio).saturating_add(1 << 12)
}

/// Runs a decoder of another crate. Where it panics, the file is damaged.
fn guarded<T>(path: &Path, decode: impl FnOnce() -> Result<T>) -> Result<T> {
    catch_unwind(AssertUnwindSafe(decode)).unwrap_or_else(|cause| {
        let said = cause.downcast_ref::<String>().cloned();
        let said = said.or_else(|| cause.downcast_ref::<&str>().map(ToString::to_string)).unwrap_or_default();
        Err(damaged(path, &said))
    })
}

fn damaged(path: &Path, problem: &dyn std::fmt::Display) -> Error {
    Error::Damaged { path: path.into(), problem: problem.to_string() }
}
