//! Label transfer: whether rows of one class are near rows of the same class in the other dataset.

use crate::error::{Error, Result};
use crate::geometry::neighbors::{Metric, neighbors_among};
use crate::linalg::Matrix;
use crate::progress::{Progress, with_threads};

/// The share of target rows whose label is the most frequent one among their `k` nearest source rows; among
/// equally frequent labels the nearest one counts.
pub fn label_transfer<L: PartialEq>(
    source: &Matrix<f64>,
    source_labels: &[L],
    target: &Matrix<f64>,
    target_labels: &[L],
    k: usize,
    metric: Metric,
) -> Result<f64> {
    for (what, labels, rows) in [("source", source_labels.len(), source.nrows()), ("target", target_labels.len(), target.nrows())]
    {
        if labels != rows {
            return Err(Error::Shape { what: format!("{what} labels"), expected: rows.to_string(), got: labels.to_string() });
        }
    }
    let winners = elected(source, source_labels, target, k, metric)?;
    let right = winners.iter().zip(target_labels).filter(|((winner, _), label)| source_labels[*winner] == **label).count();
    Ok(right as f64 / target_labels.len() as f64)
}

/// For each target row, a source row with the label that most of its `k` nearest source rows have (of equally frequent labels
/// the nearest counts), and the share of the `k` that have it.
pub(crate) fn elected<L: PartialEq>(
    source: &Matrix<f64>,
    source_labels: &[L],
    target: &Matrix<f64>,
    k: usize,
    metric: Metric,
) -> Result<Vec<(usize, f64)>> {
    let found = with_threads(0, || neighbors_among(target, source, k, metric, &Progress::silent()))?;
    let elect = |i: usize| {
        let mut votes: Vec<(usize, usize)> = vec![];
        for (j, _) in found.row(i) {
            match votes.iter_mut().find(|v| source_labels[v.0] == source_labels[j as usize]) {
                Some(v) => v.1 += 1,
                None => votes.push((j as usize, 1)),
            }
        }
        // `max_by_key` would take the last of equals; the first is the nearest.
        votes.iter().rev().max_by_key(|v| v.1).map_or((0, 0.0), |v| (v.0, v.1 as f64 / k as f64))
    };
    Ok((0..target.nrows()).map(elect).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn votes_are_counted_and_ties_go_to_the_nearest() {
        let source = Matrix::from_fn(6, 1, |i, _| i as f64);
        let labels = ["a", "a", "a", "b", "b", "b"];
        let target = Matrix::from_rows(&[[0.4], [4.6], [2.6]]).unwrap();
        assert_eq!(label_transfer(&source, &labels, &target, &["a", "b", "b"], 3, Metric::Euclidean).unwrap(), 1.0);
        // With two neighbours row 2.6 sees b (3) and a (2): a tie, and 3 is nearer.
        assert_eq!(label_transfer(&source, &labels, &target, &["a", "b", "a"], 2, Metric::Euclidean).unwrap(), 2.0 / 3.0);
        assert!(label_transfer(&source, &labels[..2], &target, &["a", "b", "a"], 2, Metric::Euclidean).is_err());
    }
}
