//! Uses of an alignment: matches, predictions, labels, features, topics and scores.

mod assignment;
pub mod drift;
pub mod features;
pub mod labels;
pub mod linear_form;
pub mod matching;
pub(crate) mod own_coordinates;
pub mod prediction;
pub mod scores;
mod support;
pub mod topics;
