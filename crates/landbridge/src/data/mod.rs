//! The input: datasets (rows are instances) and the pairs known to correspond.

mod batches;
pub(crate) mod cells;
mod dataset;
pub(crate) mod known;
mod links;
mod pairs;
pub(crate) mod prepare;
pub(crate) mod prepared;
mod sets;
mod suspicious;
pub mod synthetic;

pub use batches::Batches;
pub use dataset::{Dataset, FileRows, Rows, RowsRef};
pub(crate) use dataset::{check_datasets, check_rows};
pub use known::Known;
pub use links::{ColumnLink, ColumnName};
pub use pairs::{Link, Pairs};
pub use prepare::{Preparation, Prepare};
pub use sets::Sets;
pub(crate) use suspicious::{dominant_column, sorted_apart};

/// First row of each dataset in the joint numbering, and the total at the end.
pub fn offsets(sizes: impl IntoIterator<Item = usize>) -> Vec<usize> {
    let mut offsets = vec![0];
    for n in sizes {
        offsets.push(offsets[offsets.len() - 1] + n);
    }
    offsets
}
