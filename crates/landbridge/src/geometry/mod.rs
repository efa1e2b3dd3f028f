//! What does one dataset look like? Neighbours, similarity graphs, components, shortest paths.

pub mod affinity;
pub mod components;
pub(crate) mod csls;
pub(crate) mod distances;
pub mod geodesic;
pub mod graphs;
pub(crate) mod local_weights;
pub mod minplus;
pub mod neighbors;
pub mod patterns;
pub mod principal;
pub(crate) mod signatures;
