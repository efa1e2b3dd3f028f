//! Scores against known truth.

mod batch_mixing;
mod closer;
pub(crate) mod foscttm;
pub(crate) mod labels;
mod mmae;
mod recall;
mod standing;
mod subspace;

pub use batch_mixing::{BatchMixing, batch_mixing};
pub use foscttm::foscttm;
pub use labels::label_transfer;
pub use mmae::mmae;
pub use recall::recall_at_k;
pub(crate) use standing::room_for_standings;
pub use standing::{Standing, standings};
pub use subspace::{perturbation_bound, subspace_distance};

use crate::error::{Error, Result};
use crate::linalg::Matrix;

/// `truth[i]` is the target row of source row i, −1 for none. `None`: row i corresponds to row i. Returns the pairs
/// `(source, target)`.
fn true_pairs(source: &Matrix<f64>, target: &Matrix<f64>, truth: Option<&[i64]>) -> Result<Vec<(usize, usize)>> {
    if source.ncols() != target.ncols() {
        return Err(Error::Shape {
            what: "source rows".into(),
            expected: format!("{} columns", target.ncols()),
            got: source.ncols().to_string(),
        });
    }
    let pairs: Vec<(usize, usize)> = match truth {
        None if source.nrows() != target.nrows() => {
            return Err(Error::Shape {
                what: "truth".into(),
                expected: format!(
                    "the match of each source row ({} source rows cannot match {} target rows one by one)",
                    source.nrows(),
                    target.nrows()
                ),
                got: "none".into(),
            });
        }
        None => (0..source.nrows()).map(|i| (i, i)).collect(),
        Some(truth) => {
            if truth.len() != source.nrows() {
                return Err(Error::Shape {
                    what: "truth".into(),
                    expected: source.nrows().to_string(),
                    got: truth.len().to_string(),
                });
            }
            if let Some(row) = truth.iter().position(|&t| t < -1 || t >= target.nrows() as i64) {
                return Err(Error::PairOutOfRange { row, dataset: "target".into(), value: truth[row], rows: target.nrows() });
            }
            truth.iter().enumerate().filter(|(_, t)| **t >= 0).map(|(i, &t)| (i, t as usize)).collect()
        }
    };
    if pairs.is_empty() {
        return Err(Error::Shape { what: "truth".into(), expected: "at least one known match".into(), got: "none".into() });
    }
    Ok(pairs)
}
