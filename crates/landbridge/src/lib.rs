//! landbridge puts datasets that share no features into one space.

pub mod data;
pub mod error;
pub mod geometry;
pub mod linalg;
pub mod progress;

pub use error::{Error, Result};
