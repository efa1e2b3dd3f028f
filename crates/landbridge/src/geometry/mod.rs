//! What does one dataset look like? Neighbours, similarity graphs, components.

pub mod affinity;
pub mod components;
pub mod neighbors;
pub mod principal;
pub(crate) mod signatures;
