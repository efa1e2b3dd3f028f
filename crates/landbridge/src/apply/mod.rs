//! Uses of an alignment: matches, predictions, labels, features, topics and scores.

mod assignment;
pub mod drift;
pub mod features;
pub mod labels;
pub mod linear_form;
pub mod matching;
pub mod prediction;
pub mod scores;
pub mod topics;
