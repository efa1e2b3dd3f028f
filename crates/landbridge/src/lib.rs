//! landbridge aligns datasets that share no features in one joint space.
//!
//! Examples are English and Italian documents, gene expression and chromatin of the same cells, or two shapes of one object.
//! From a few rows known to correspond, landbridge finds a joint space in which all rows are comparable. It maps new rows
//! into this space, and matches the rows of one dataset to those of another. The field is called manifold alignment.
//!
//! The modules are the steps of the pipeline:
//!
//! | module | content |
//! |---|---|
//! | [`data`] | the input: datasets and pairs |
//! | [`geometry`] | neighbours, graphs and distances within a dataset |
//! | [`embed`] | embeddings of one dataset |
//! | [`problem`] | the problem to minimise |
//! | [`solve`] | the solvers |
//! | [`method`] | one published method per file |
//! | [`statistics`] | sums of shards, from which some methods are solved |
//! | [`model`] | the fitted alignment |
//! | [`apply`] | transform, match, predict, and features of components |
//! | [`evaluate`] | scores against known truth |
//! | [`choose`] | comparing methods, choosing one, tuning it |
//!
//! ```
//! use landbridge::apply::matching::How;
//! use landbridge::data::synthetic::SwissRolls;
//! use landbridge::evaluate::recall_at_k;
//! use landbridge::geometry::neighbors::Metric;
//! use landbridge::method::InstanceAlignment;
//!
//! // Two rolled-up sheets, one as a swiss roll, one as an S, and 30 of 300 points known in both.
//! let rolls = SwissRolls::new(300).generate()?;
//! let alignment = InstanceAlignment::new(4).fit(&rolls.datasets, &rolls.pairs(30, 0)?)?;
//! println!("{}", alignment.outcome().solver);
//!
//! // Match the points of the first to those of the second.
//! let matches = alignment.match_fitted(0, 1, 5, How::Nearest, Metric::Euclidean)?;
//! assert_eq!(matches.nrows(), 300);
//!
//! // Place new points, and score the result against the known truth.
//! let placed = alignment.transform(rolls.datasets[1].rows(), 1)?;
//! assert_eq!(placed.nrows(), 300);
//! let truth = rolls.counterparts(0, 1);
//! let recall = recall_at_k(alignment.embedding(0), alignment.embedding(1), &[10], Some(&truth), Metric::Euclidean)?;
//! assert!(recall[0] > 0.5);
//! # Ok::<(), landbridge::Error>(())
//! ```

pub mod apply;
mod builder;
pub mod choose;
pub mod correspondence;
pub mod data;
pub mod embed;
pub mod error;
pub mod evaluate;
pub mod geometry;
pub mod linalg;
mod memo;
pub mod memory;
pub mod method;
pub mod model;
pub mod outcome;
pub mod params;
pub mod problem;
pub mod progress;
pub mod registry;
mod run;
pub mod solve;
pub mod statistics;

pub use error::{Error, Result};
