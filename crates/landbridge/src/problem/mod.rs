//! What is to be minimised? Builds matrices, solves nothing.

pub(crate) mod feature;
pub(crate) mod gathered;
pub mod global;
mod inferred;
pub mod joint;
pub(crate) mod landmarks;
pub mod merged;
pub(crate) mod paired;
pub(crate) mod products;
pub(crate) mod reconstruction;
pub(crate) mod rigid;
pub mod spectral;
mod transported;
pub(crate) mod whitened;

pub use inferred::{InferPairs, Inferred, Keep};
pub use transported::TransportPairs;
