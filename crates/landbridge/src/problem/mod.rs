//! What is to be minimised? Builds matrices, solves nothing.

pub(crate) mod feature;
pub mod global;
pub mod joint;
pub(crate) mod landmarks;
pub mod merged;
pub(crate) mod paired;
pub mod spectral;
