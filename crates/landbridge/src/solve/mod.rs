//! How? Knows matrices and operators, never manifolds.

pub(crate) mod absolute;
pub(crate) mod conjugate;
pub mod eigen;
mod gromov;
pub(crate) mod lanczos;
pub(crate) mod multiscale;
pub mod outcome;
pub(crate) mod pencil;
pub(crate) mod refined;
pub mod regression;
pub(crate) mod svd;
pub mod unfolding;
pub mod wavelets;

pub use gromov::{EntropicGw, Transport};
