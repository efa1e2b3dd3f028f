//! What is an alignment good for? Which row of one set is which row of the other.

pub mod assignment;
pub mod features;
pub mod labels;
pub mod matching;
pub mod prediction;
pub mod scores;
pub mod topics;
