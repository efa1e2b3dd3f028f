//! landbridge puts datasets that share no features into one space.

pub mod data;
pub mod error;
pub mod geometry;
pub mod linalg;
pub mod problem;
pub mod progress;
pub mod solve;

pub use error::{Error, Result};
