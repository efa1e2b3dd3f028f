//! Recall at k: how often is the true match among the k best?

use super::true_pairs;
use crate::data::Rows;
use crate::error::{Error, Result};
use crate::geometry::neighbors::{Metric, neighbors_among};
use crate::linalg::Matrix;
use crate::progress::Progress;

/// The share of source rows whose true match has fewer than k rivals that are nearer *or as near*: a tie counts
/// against, so a constant embedding scores nothing. One number per `k`.
///
/// ```
/// use landbridge::evaluate::recall_at_k;
/// use landbridge::geometry::neighbors::Metric;
/// use landbridge::linalg::Matrix;
/// let z = Matrix::from_fn(20, 2, |i, j| (i * (j + 1)) as f64);
/// assert_eq!(recall_at_k(&z, &z, &[1], None, Metric::Euclidean)?, [1.0]);
/// # Ok::<(), landbridge::Error>(())
/// ```
pub fn recall_at_k(
    source: &Matrix<f64>,
    target: &Matrix<f64>,
    ks: &[usize],
    truth: Option<&[i64]>,
    metric: Metric,
) -> Result<Vec<f64>> {
    let pairs = true_pairs(source, target, truth)?;
    if let Some(&k) = ks.iter().find(|k| **k == 0) {
        return Err(Error::parameter("k", k, "at least 1"));
    }
    let largest = ks.iter().copied().max().unwrap_or(1);
    // Whether there are k rivals at most as far as the true match can be read off the k + 1 nearest rows.
    let count = (largest + 1).min(target.nrows());
    let queries = Rows::F64(source.select_rows(&pairs.iter().map(|p| p.0).collect::<Vec<_>>()));
    let targets = Rows::F64(target.clone());
    let found = neighbors_among(&queries, &targets, count, metric, &Progress::silent())?;
    let mut hits = vec![0usize; ks.len()];
    for (q, &(_, t)) in pairs.iter().enumerate() {
        let near: Vec<(u32, f64)> = found.row(q).collect();
        // Not among the k + 1 nearest: at least `count` rivals are as near.
        let rivals = match near.iter().find(|n| n.0 as usize == t) {
            Some(own) => near.iter().filter(|n| n.1 <= own.1).count() - 1,
            None => count,
        };
        for (hit, &k) in hits.iter_mut().zip(ks) {
            *hit += usize::from(rivals < k);
        }
    }
    Ok(hits.into_iter().map(|h| h as f64 / pairs.len() as f64).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_constant_embedding_scores_nothing() {
        let z = Matrix::from_fn(30, 2, |_, _| 1.0);
        assert_eq!(recall_at_k(&z, &z, &[1, 10, 30], None, Metric::Euclidean).unwrap(), [0.0, 0.0, 1.0]);
    }

    #[test]
    fn rivals_are_counted_as_the_definition_says() {
        let mut state = 1u64;
        let mut m = |n| {
            Matrix::from_fn(n, 2, |_, _| {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                (state >> 61) as f64 // few values: many ties
            })
        };
        let (x, y) = (m(40), m(50));
        let truth: Vec<i64> = (0..40).map(|i| if i % 7 == 0 { -1 } else { (i * 3 % 50) as i64 }).collect();
        let ks = [1, 3, 10];
        let got = recall_at_k(&x, &y, &ks, Some(&truth), Metric::Euclidean).unwrap();
        for (k, got) in ks.iter().zip(got) {
            let (mut hits, mut all) = (0, 0);
            for i in 0..40 {
                if truth[i] < 0 {
                    continue;
                }
                let d = |j: usize| x.row(i).iter().zip(y.row(j)).map(|(a, b)| (a - b) * (a - b)).sum::<f64>();
                let t = truth[i] as usize;
                all += 1;
                hits += usize::from((0..50).filter(|&j| j != t && d(j) <= d(t)).count() < *k);
            }
            assert!((got - hits as f64 / all as f64).abs() < 1e-15);
        }
    }

    #[test]
    fn impossible_truth_is_refused() {
        let (x, y) = (Matrix::<f64>::zeros(3, 2), Matrix::<f64>::zeros(4, 2));
        assert!(recall_at_k(&x, &y, &[1], None, Metric::Euclidean).unwrap_err().to_string().contains("3 source rows"));
        assert!(recall_at_k(&x, &y, &[1], Some(&[0, 4, 1]), Metric::Euclidean).is_err());
        assert!(recall_at_k(&x, &y, &[1], Some(&[-1, -1, -1]), Metric::Euclidean).is_err());
        assert!(recall_at_k(&x, &y, &[0], Some(&[0, 1, 2]), Metric::Euclidean).is_err());
    }
}
