//! Columnar tables: Parquet and Arrow. Numeric columns are features, one column may hold ids, one labels, and a
//! column of lists of numbers (an embedding) is as many features as a list has values.

mod arrow;
mod parquet;
mod read;
mod write;

pub use arrow::ArrowIpc;
pub use parquet::Parquet;
pub use write::{Column, write_columns};

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use crate::error::{Error, Result};

/// Whether the columnar formats have this option.
fn understands(option: &str) -> bool {
    ["id_column", "label_column", "columns"].contains(&option)
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
