//! What do we align? Datasets (rows are instances) and the pairs known to correspond.

mod dataset;
pub(crate) mod known;
mod pairs;
pub(crate) mod prepare;
pub mod synthetic;

pub use dataset::{Dataset, Rows};
pub(crate) use dataset::{check_datasets, check_rows};
pub use known::Known;
pub use pairs::{Link, Pairs};
pub use prepare::{Preparation, Prepare};
