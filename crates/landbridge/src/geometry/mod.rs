//! The geometry of one dataset: nearest neighbours, similarity graphs, connected components, shortest paths.

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
