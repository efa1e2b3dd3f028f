//! Solvers. They know matrices and operators, never manifolds.

pub(crate) mod conjugate_gradients;
pub mod eigen;
pub(crate) mod gromov;
pub(crate) mod lanczos;
pub(crate) mod mixed_precision;
pub(crate) mod moments;
pub(crate) mod multiscale;
pub(crate) mod pencil;
pub mod regression;
pub(crate) mod ridge;
pub(crate) mod svd;
pub(crate) mod trace_norm;
pub mod unfolding;
pub mod wavelets;

pub use gromov::{EntropicGw, Transport};
