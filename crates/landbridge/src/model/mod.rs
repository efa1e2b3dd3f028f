//! The fitted alignment: coordinates of the fitted rows, an out-of-sample extension for new rows, and the outcome.

mod alignment;
mod file;
mod levels;
mod mapping;
pub(crate) mod prediction;
pub mod products;
pub(crate) mod residuals;
mod triangulation;

pub(crate) use alignment::Extras;
pub use alignment::{Alignment, DatasetRef, Fitted, PairedFit, Places, SparseFit};
pub(crate) use levels::Finest;
pub(crate) use levels::Hierarchy;
pub(crate) use mapping::{
    Affine, Anchors, BatchOffsets, GeodesicExtension, LinearMap, LocalExtension, Mapping, Moved, NeighborExtension, SparseMap,
};
pub(crate) use mapping::{component_weights, fill};
pub(crate) use prediction::prediction_setters;
pub use prediction::{Prediction, Predictor};
pub(crate) use triangulation::Triangulation;
pub(crate) use triangulation::triangle;

/// How a file of statistics begins; a model never does.
pub(crate) const STATISTICS: &[u8; 16] = b"landbridge-stats";
