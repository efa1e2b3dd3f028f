//! How? Knows matrices and operators, never manifolds.

pub mod eigen;
pub(crate) mod lanczos;
pub mod outcome;
pub mod regression;
pub(crate) mod pencil;
pub(crate) mod svd;
