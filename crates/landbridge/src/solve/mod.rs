//! How? Knows matrices and operators, never manifolds.

pub mod eigen;
pub(crate) mod lanczos;
pub mod outcome;
pub(crate) mod pencil;
pub(crate) mod svd;
pub mod unfolding;
