//! The files of landbridge that have `unsafe` of their own, with their unit tests, and nothing else: small enough to be compiled and run
//! with a sanitizer in a minute (`cargo xtask sanitize`). Files whose only `unsafe` is the macro `widest!` are represented by those of
//! them that need no other library.
#![allow(dead_code, unused_imports, missing_docs)]

/// As much of the errors as these files use.
mod error {
    #[derive(Debug)]
    pub enum Error {
        Shape { what: String, expected: String, got: String },
        BadParameter { name: String, value: String, expected: String },
    }
    impl std::fmt::Display for Error {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            match self {
                Error::Shape { what, expected, got } => write!(f, "{what}: expected {expected}, got {got}"),
                Error::BadParameter { name, value, expected } => write!(f, "{name} is {value}; it must be {expected}"),
            }
        }
    }
    pub type Result<T> = std::result::Result<T, Error>;
}

#[path = "../../../crates/landbridge/src/linalg"]
mod linalg {
    mod csr;
    pub(crate) mod dispatch;
    mod lasso_sweep;
    mod matrix;
    mod minplus;
    mod paths;
    mod permuted;
    pub(crate) mod prefetch;
    mod sinkhorn;
    mod spmm;
    mod tiles;
    mod triangular;
    #[cfg(target_arch = "x86_64")]
    pub(crate) mod vectors;

    pub(crate) use csr::Csr;
    pub(crate) use matrix::{Matrix, Scalar};
}

/// The numbers in text files.
#[path = "../../../crates/landbridge-io/src/number.rs"]
mod number;

/// The allocator.
#[path = "../../../crates/landbridge-alloc/src/lib.rs"]
mod allocator;
