//! One published method per file: parameters, fit, tests.

mod graphs;
mod instance;

pub use graphs::GraphParams;
pub use instance::{Cle, InstanceAlignment};
