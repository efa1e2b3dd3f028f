//! How? Knows matrices and operators, never manifolds.

pub mod eigen;
pub mod outcome;
