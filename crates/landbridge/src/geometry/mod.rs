//! What does one dataset look like? Neighbours, similarity graphs, Laplacians, components.

pub mod neighbors;
