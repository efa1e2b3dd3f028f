//! What is to be minimised? Builds matrices, solves nothing.

pub(crate) mod feature;
pub mod joint;
pub mod merged;
pub(crate) mod paired;
pub(crate) mod reconstruction;
pub mod spectral;
