//! Small dense and CSR types, and the kernels that everything else uses.
//!
//! Home of `unsafe`: CPU dispatch to functions compiled for a wider instruction set (`dispatch.rs`, and the kernels whose wide
//! form differs), vectors read from and written to arrays of their size (`vectors.rs`), and prefetching (`prefetch.rs`).

mod csr;
pub(crate) mod dense;
pub(crate) mod dispatch;
pub(crate) mod lanes;
pub(crate) mod lasso_sweep;
mod matrix;
pub(crate) mod minplus;
pub(crate) mod operator;
pub(crate) mod paths;
pub(crate) mod permuted;
pub(crate) mod prefetch;
pub(crate) mod rows;
pub(crate) mod sinkhorn;
pub(crate) mod sparse_cholesky;
pub(crate) mod spmm;
pub(crate) mod squares;
pub(crate) mod tall;
pub(crate) mod thin;
pub(crate) mod tiles;
pub(crate) mod triangular;
pub(crate) mod two_way_top_k;
#[cfg(target_arch = "x86_64")]
pub(crate) mod vectors;
pub(crate) mod whitening;

pub use csr::Csr;
pub use dispatch::{CpuLevel, cpu_level};
pub use matrix::{Matrix, MatrixRef, Scalar};
pub use tall::accumulate;

/// A power of two that brings a size near 1, so that squares neither overflow nor underflow; 1 for sizes whose squares do
/// neither.
pub(crate) fn near_one(size: f64) -> f64 {
    if size == 0.0 || (1e-60..1e60).contains(&size) {
        1.0
    } else {
        2f64.powi((-size.log2().round()).clamp(-1000.0, 1000.0) as i32)
    }
}
