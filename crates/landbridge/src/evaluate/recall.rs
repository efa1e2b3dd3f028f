//! Recall at k: how often the true match is among the k best.

use super::closer::rivals;
use super::true_pairs;
use crate::error::{Error, Result};
use crate::geometry::neighbors::{Measure, Metric, neighbors_among};
use crate::linalg::Matrix;
use crate::progress::{Progress, with_threads};

/// The share of source rows whose true match has fewer than k rivals that are nearer or at the same distance. A tie counts
/// against the match, so a constant embedding scores 0. Returns one number per `k`.
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
    let finite = |m: &Matrix<f64>| m.as_slice().iter().all(|v| v.is_finite());
    let found = match source.ncols() >= COUNTED && finite(source) && finite(target) {
        true => counted(source, target, &pairs, metric),
        false => nearest(source, target, ks.iter().copied().max().unwrap_or(1), &pairs, metric)?,
    };
    let share = |k: usize| found.iter().filter(|rivals| **rivals < k).count() as f64 / pairs.len() as f64;
    Ok(ks.iter().map(|&k| share(k)).collect())
}

/// From this many columns on, counting all rivals is faster than searching for the nearest.
const COUNTED: usize = 64;

/// The rivals of each pair.
fn counted(source: &Matrix<f64>, target: &Matrix<f64>, pairs: &[(usize, usize)], metric: Metric) -> Vec<usize> {
    let measure = Measure::new(source, target, metric);
    let (found, _) = with_threads(0, || rivals((source, target), pairs, metric, false, |i, j| measure.distance(i, j)));
    found.into_iter().map(|r| r.nearer + r.equal).collect()
}

/// The rivals of each pair, counted up to `largest`.
fn nearest(
    source: &Matrix<f64>,
    target: &Matrix<f64>,
    largest: usize,
    pairs: &[(usize, usize)],
    metric: Metric,
) -> Result<Vec<usize>> {
    // The k + 1 nearest rows tell whether k rivals are at most as far as the true match.
    let count = largest.saturating_add(1).min(target.nrows());
    let picked;
    let queries = match pairs.iter().enumerate().all(|(q, pair)| pair.0 == q) && pairs.len() == source.nrows() {
        true => source,
        false => {
            picked = source.select_rows(&pairs.iter().map(|p| p.0).collect::<Vec<_>>());
            &picked
        }
    };
    let found = neighbors_among(queries, target, count, metric, &Progress::silent())?;
    let rivals = |(q, &(_, t)): (usize, &(usize, usize))| match found.row(q).find(|n| n.0 as usize == t) {
        Some(own) => found.row(q).filter(|n| n.1 <= own.1).count() - 1,
        // Not among the k + 1 nearest: at least `count` rivals are as near.
        None => count,
    };
    Ok(pairs.iter().enumerate().map(rivals).collect())
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
    fn counted_and_nearest_say_the_same() {
        let mut state = 9u64;
        let mut m = |n, p, step: f64| {
            Matrix::from_fn(n, p, |_, _| {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                ((state >> 40) as f64 / (1u64 << 24) as f64 / step).floor() * step
            })
        };
        for (p, step) in [(70, 1e-9), (3, 0.25), (90, 0.5)] {
            let (x, y) = (m(130, p, step), m(310, p, step));
            let pairs: Vec<(usize, usize)> = (0..130).map(|i| (i, i * 2 % 310)).collect();
            for metric in [Metric::Euclidean, Metric::Cosine] {
                let (all, some) = (counted(&x, &y, &pairs, metric), nearest(&x, &y, 20, &pairs, metric).unwrap());
                for (a, s) in all.iter().zip(&some) {
                    assert!(if *a <= 20 { a == s || (*a == 20 && *s >= 20) } else { *s >= 20 }, "{p} {metric:?}: {a} and {s}");
                }
            }
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
