//! The problems to be minimised: this layer builds matrices and solves nothing.

pub(crate) mod feature;
pub(crate) mod feature_products;
pub mod global;
pub(crate) mod global_matrix;
pub mod joint;
pub(crate) mod landmarks;
pub mod merged;
pub(crate) mod paired;
pub(crate) mod reconstruction;
pub mod spectral;
pub(crate) mod whitened;
