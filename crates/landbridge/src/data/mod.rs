//! What do we align? Datasets (rows are instances) and the pairs known to correspond.

mod dataset;
mod pairs;
pub mod synthetic;

pub(crate) use dataset::check_datasets;
pub use dataset::{Dataset, Rows};
pub use pairs::{Link, Pairs};
