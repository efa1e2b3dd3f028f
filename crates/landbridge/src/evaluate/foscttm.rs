//! Fraction of samples closer than the true match (FOSCTTM), the usual score for single cells.

use super::closer::{Rivals, rivals};
use super::true_pairs;
use crate::error::Result;
use crate::geometry::neighbors::{Metric, row_distance};
use crate::linalg::Matrix;
use crate::progress::with_threads;

/// The mean share of rows of the other dataset that are nearer than the true match, averaged over both directions; 0 is
/// perfect, ½ is chance. Ties count half, so a constant embedding scores ½.
pub fn foscttm(source: &Matrix<f64>, target: &Matrix<f64>, truth: Option<&[i64]>, metric: Metric) -> Result<f64> {
    let pairs = true_pairs(source, target, truth)?;
    let exact = |i: usize, j: usize| row_distance(metric, source.row(i), target.row(j));
    let (forward, backward) = with_threads(0, || rivals((source, target), &pairs, metric, true, exact));
    let total = |all: &[Rivals], others: &Matrix<f64>| all.iter().map(|r| share(*r, others.nrows())).sum::<f64>();
    Ok((total(&forward, target) + total(&backward, source)) / (2 * pairs.len()) as f64)
}

/// The share of rivals among the other rows; ties count half.
pub(super) fn share(rivals: Rivals, rows: usize) -> f64 {
    if rows < 2 { 0.0 } else { (rivals.nearer as f64 + 0.5 * rivals.equal as f64) / (rows - 1) as f64 }
}

/// The share of other rows nearer to `row` than row `own`; ties count half.
pub(crate) fn closer_share(row: &[f64], others: &Matrix<f64>, own: usize, metric: Metric) -> f64 {
    if others.nrows() < 2 {
        return 0.0;
    }
    let reach = row_distance(metric, row, others.row(own));
    let mut share = 0.0;
    for (j, other) in others.rows().enumerate() {
        if j != own {
            let d = row_distance(metric, row, other);
            share += if d < reach { 1.0 } else { f64::from(u8::from(d == reach)) * 0.5 };
        }
    }
    share / (others.nrows() - 1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn perfect_worst_and_constant() {
        let line = |f: &dyn Fn(usize) -> f64| Matrix::from_fn(11, 1, |i, _| f(i));
        let x = line(&|i| i as f64);
        assert_eq!(foscttm(&x, &x, None, Metric::Euclidean).unwrap(), 0.0);
        let constant = line(&|_| 3.0);
        assert_eq!(foscttm(&constant, &constant, None, Metric::Euclidean).unwrap(), 0.5);
        // Mirrored: row 0 is farthest from its match, the middle row sits on it.
        let mirrored = line(&|i| 10.0 - i as f64);
        let value = foscttm(&x, &mirrored, None, Metric::Euclidean).unwrap();
        let by_hand: f64 = (0..11)
            .map(|i| {
                let own = (10.0 - 2.0 * i as f64).abs();
                (0..11)
                    .filter(|&j| j != i)
                    .map(|j| {
                        let d = (i as f64 - (10.0 - j as f64)).abs();
                        if d < own {
                            1.0
                        } else if d == own {
                            0.5
                        } else {
                            0.0
                        }
                    })
                    .sum::<f64>()
                    / 10.0
            })
            .sum::<f64>()
            / 11.0;
        assert!((value - by_hand).abs() < 1e-15);
    }
}
