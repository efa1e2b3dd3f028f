//! landbridge puts datasets that share no features into one space.
//!
//! English and Italian documents, gene expression and chromatin of the same cells, two shapes of one object:
//! given a few rows known to correspond, landbridge finds a joint space in which every row can be compared with
//! every other, maps new rows into it, and says which row of one set is which row of the other. The field is
//! called manifold alignment.
//!
//! The modules are the steps of the pipeline:
//!
//! | module | question |
//! |---|---|
//! | [`data`] | what do we align? |
//! | [`geometry`] | what does one dataset look like? |
//! | [`embed`] | the same in few dimensions, for one dataset by itself |
//! | [`problem`] | what is to be minimised? |
//! | [`solve`] | how? |
//! | [`method`] | one published method per file |
//! | [`model`] | what did we learn? |
//! | [`apply`] | what is it good for? |
//! | [`evaluate`] | how good is it? |
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
//! // Which point of the second is which point of the first?
//! let matches = alignment.match_fitted(0, 1, 5, How::Nearest, Metric::Euclidean)?;
//! assert_eq!(matches.nrows(), 300);
//!
//! // New points find their place, and known truth tells how good it is.
//! let placed = alignment.transform(rolls.datasets[1].rows(), 1)?;
//! assert_eq!(placed.nrows(), 300);
//! let truth = rolls.counterparts(0, 1);
//! let recall = recall_at_k(alignment.embedding(0), alignment.embedding(1), &[10], Some(&truth), Metric::Euclidean)?;
//! assert!(recall[0] > 0.5);
//! # Ok::<(), landbridge::Error>(())
//! ```

pub mod apply;
mod builder;
pub mod correspondence;
pub mod data;
pub mod embed;
pub mod error;
pub mod evaluate;
pub mod geometry;
pub mod linalg;
pub mod method;
pub mod model;
pub mod outcome;
pub mod params;
pub mod problem;
pub mod progress;
pub mod registry;
mod run;
pub mod solve;

pub use error::{Error, Result};
