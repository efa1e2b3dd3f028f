//! Whether batches mix: how many of the nearest rows are of another batch.

use crate::error::{Error, Result};
use crate::geometry::neighbors::{Metric, neighbors_among};
use crate::linalg::Matrix;
use crate::progress::{Progress, with_threads};

/// How far batches mix.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BatchMixing {
    /// Mean share of rows of other batches among the k nearest rows.
    pub observed: f64,
    /// The mean share if every neighbourhood had the composition of the whole.
    pub expected: f64,
}

/// The mean share of rows of other batches among the `k` nearest other rows of the same dataset, and that of perfectly mixed batches.
/// `most`: look at no more rows than this, at even steps.
pub fn batch_mixing(
    z: &Matrix<f64>,
    batch: &[u32],
    k: usize,
    metric: Metric,
    most: Option<usize>,
    progress: &Progress,
) -> Result<BatchMixing> {
    let n = z.nrows();
    if batch.len() != n {
        return Err(Error::Shape { what: "batches".into(), expected: n.to_string(), got: batch.len().to_string() });
    }
    if k == 0 || k >= n {
        return Err(Error::parameter("k", k, &format!("between 1 and {}", n.saturating_sub(1))));
    }
    let step = most.map_or(1, |most| n.div_ceil(most.max(1)));
    let looked: Vec<usize> = (0..n).step_by(step).collect();
    let query = z.select_rows(&looked);
    let found = with_threads(0, || neighbors_among(&query, z, k + 1, metric, progress))?;
    let mut sizes = vec![0usize; batch.iter().max().map_or(0, |b| *b as usize + 1)];
    batch.iter().for_each(|&b| sizes[b as usize] += 1);
    let (mut observed, mut expected) = (0.0, 0.0);
    for (q, &i) in looked.iter().enumerate() {
        // The row itself is left out; where others are equally near, it may not be among those found.
        let others = found.row(q).map(|(j, _)| j as usize).filter(|j| *j != i).take(k);
        observed += others.filter(|j| batch[*j] != batch[i]).count() as f64 / k as f64;
        expected += (n - sizes[batch[i] as usize]) as f64 / (n - 1) as f64;
    }
    let count = looked.len() as f64;
    Ok(BatchMixing { observed: observed / count, expected: expected / count })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By the definition: all distances, sorted.
    fn naive(z: &Matrix<f64>, batch: &[u32], k: usize) -> f64 {
        let n = z.nrows();
        let distance = |i: usize, j: usize| z.row(i).iter().zip(z.row(j)).map(|(a, b)| (a - b) * (a - b)).sum::<f64>();
        let share = |i: usize| {
            let mut others: Vec<usize> = (0..n).filter(|j| *j != i).collect();
            others.sort_by(|a, b| distance(i, *a).total_cmp(&distance(i, *b)));
            others[..k].iter().filter(|j| batch[**j] != batch[i]).count() as f64 / k as f64
        };
        (0..n).map(share).sum::<f64>() / n as f64
    }

    #[test]
    fn it_is_its_definition_and_tells_mixed_from_separate() {
        let mut state = 3u64;
        let mut next = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) as f64 / (1u64 << 31) as f64
        };
        let batch: Vec<u32> = (0..300).map(|i| u32::from(i % 3 == 0)).collect();
        let mixed = Matrix::from_fn(300, 3, |_, _| next());
        let apart = Matrix::from_fn(300, 3, |i, c| mixed[(i, c)] + 5.0 * f64::from(batch[i]));
        let silent = Progress::silent();
        for z in [&mixed, &apart] {
            let found = batch_mixing(z, &batch, 10, Metric::Euclidean, None, &silent).unwrap();
            assert!((found.observed - naive(z, &batch, 10)).abs() < 1e-12);
            // A third of the rows see 200 others of 299, the others 100.
            assert!((found.expected - (100.0 * 200.0 + 200.0 * 100.0) / 300.0 / 299.0).abs() < 1e-12);
        }
        let of = |z: &Matrix<f64>| batch_mixing(z, &batch, 10, Metric::Euclidean, Some(100), &silent).unwrap();
        assert!((of(&mixed).observed / of(&mixed).expected - 1.0).abs() < 0.1);
        assert_eq!(of(&apart).observed, 0.0);
        assert!(batch_mixing(&mixed, &batch[1..], 10, Metric::Euclidean, None, &silent).is_err());
        assert!(batch_mixing(&mixed, &batch, 300, Metric::Euclidean, None, &silent).is_err());
    }
}
