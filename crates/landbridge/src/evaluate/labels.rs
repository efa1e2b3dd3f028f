//! Label transfer: are rows of one class near rows of the same class in the other dataset?

use crate::error::{Error, Result};
use crate::geometry::neighbors::{Metric, neighbors_among};
use crate::linalg::Matrix;
use crate::progress::{Progress, with_threads};

/// The share of target rows whose label is the most frequent one among their `k` nearest source rows; of equally
/// frequent labels the one met first (nearest) counts.
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
    let found = with_threads(0, || neighbors_among(target, source, k, metric, &Progress::silent()))?;
    let mut right = 0;
    for (i, label) in target_labels.iter().enumerate() {
        let mut votes: Vec<(&L, usize)> = vec![];
        for (j, _) in found.row(i) {
            let vote = &source_labels[j as usize];
            match votes.iter_mut().find(|v| v.0 == vote) {
                Some(v) => v.1 += 1,
                None => votes.push((vote, 1)),
            }
        }
        // `max_by_key` would take the last of equals; the first is the nearest.
        let winner = votes.iter().rev().max_by_key(|v| v.1).map(|v| v.0);
        right += usize::from(winner == Some(label));
    }
    Ok(right as f64 / target_labels.len() as f64)
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
