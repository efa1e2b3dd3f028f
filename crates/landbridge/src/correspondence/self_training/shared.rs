//! The share of rows that have a partner in the other dataset.
//!
//! A row with a partner is much nearer to it than to the second best row. For a row without one, the gap between the best
//! and the second best is that between two halves of one dataset, up to a scale.

use crate::geometry::csls::Compared;
use crate::linalg::Matrix;
use crate::outcome::Estimate;

/// Quantiles of the gaps without partners at which the share is read.
const QUANTILES: [f64; 3] = [0.3, 0.5, 0.7];
/// Fixed-point iterations of share and scale.
const ITERATIONS: usize = 40;

/// Sorted gaps of CSLS scores: best less second, and second less third.
struct Gaps {
    first: Vec<f64>,
    second: Vec<f64>,
}

impl Gaps {
    fn new(compared: &Compared) -> [Self; 2] {
        compared.gaps().map(|(mut first, mut second)| {
            first.sort_by(f64::total_cmp);
            second.sort_by(f64::total_cmp);
            Self { first, second }
        })
    }
}

fn quantile(sorted: &[f64], q: f64) -> f64 {
    sorted[((q * sorted.len() as f64) as usize).min(sorted.len() - 1)]
}

/// The share of values up to `t`.
fn share_below(sorted: &[f64], t: f64) -> f64 {
    sorted.partition_point(|v| *v <= t) as f64 / sorted.len() as f64
}

/// The share of rows with a partner, from the gaps and those between two halves of one dataset.
///
/// Let F be the distribution of first gaps without partners. Where the best row is the partner, the second gap follows F;
/// elsewhere it is smaller by the factor `c` that the halves show. The scale of F follows from the second gaps, and the share
/// of rows with a partner from the first gaps that are missing below a quantile of F.
fn share(found: &Gaps, halves: &Gaps, q: f64) -> f64 {
    let middle = |g: &[f64]| quantile(g, 0.5).max(1e-12);
    let factor = middle(&halves.first) / middle(&halves.second);
    let second = middle(&found.second);
    let mut share = 0.5;
    for _ in 0..ITERATIONS {
        let (mut low, mut high) = (1e-3f64, 1e3f64);
        for _ in 0..40 {
            let scale = (low * high).sqrt();
            let below = share * share_below(&halves.first, second / scale)
                + (1.0 - share) * share_below(&halves.first, factor * second / scale);
            if below > 0.5 { low = scale } else { high = scale }
        }
        let t = quantile(&halves.first, q) * (low * high).sqrt();
        let next: f64 = 1.0 - share_below(&found.first, t) / q;
        share = 0.5 * (share + next.clamp(0.0, 1.0));
    }
    share
}

/// From rows of length 1 in a common space. `None` with too few rows to split.
pub(super) fn shared(x: &Matrix<f32>, y: &Matrix<f32>) -> Option<Estimate> {
    shared_of(x, y, MOST)
}

/// Rows of either side that are looked at.
const MOST: usize = 8000;

fn shared_of(x: &Matrix<f32>, y: &Matrix<f32>, most: usize) -> Option<Estimate> {
    const LEAST: usize = 60;
    if x.nrows().min(y.nrows()) < LEAST {
        return None;
    }
    // Of many rows a sample is looked at, in comparison with all rows of the other side.
    let some =
        |m: &Matrix<f32>, most: usize| m.select_rows(&(0..m.nrows()).step_by(m.nrows().div_ceil(most)).collect::<Vec<_>>());
    let gaps = |from: &Matrix<f32>, to: Matrix<f32>, most: usize| {
        let [of_from, _] = Gaps::new(&Compared::new((some(from, most), to)));
        of_from
    };
    let halves = |m: &Matrix<f32>| {
        let part = |from: usize| m.select_rows(&(from..m.nrows()).step_by(2).collect::<Vec<_>>());
        gaps(&part(0), part(1), most / 2)
    };
    let found = match x.nrows().max(y.nrows()) > most {
        true => [gaps(x, y.clone(), most), gaps(y, x.clone(), most)],
        false => Gaps::new(&Compared::new((x.clone(), y.clone()))),
    };
    let all: Vec<f64> = [(x, &found[0]), (y, &found[1])]
        .iter()
        .flat_map(|(own, gaps)| {
            let halves = halves(own);
            QUANTILES.map(|q| share(gaps, &halves, q))
        })
        .collect();
    let value = all.iter().sum::<f64>() / all.len() as f64;
    let n = x.nrows().min(y.nrows()).min(most) as f64;
    let (least, most) = all.iter().fold((1.0f64, 0.0f64), |(l, m), v| (l.min(*v), m.max(*v)));
    // Sampling of the rows below the smallest quantile, beside the spread of the six estimates.
    let sampling = 1.96 * (1.0 / (QUANTILES[0] * n)).sqrt();
    Some(Estimate { value, low: (least - sampling).max(0.0), high: (most + sampling).min(1.0) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::signatures::unit_f32;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// Two sets of rows, of which some are noisy copies.
    fn sets(n: usize, common: usize, seed: u64) -> [Matrix<f32>; 2] {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let d = 20;
        let mut normal = || (0..6).map(|_| rng.random_range(-0.7..0.7f32)).sum::<f32>();
        let first = Matrix::from_fn(n, d, |_, j| normal() / (1.0 + j as f32).sqrt());
        let second = Matrix::from_fn(n, d, |i, j| match i < common {
            true => first[(i, j)] + 0.1 * normal() / (1.0 + j as f32).sqrt(),
            false => normal() / (1.0 + j as f32).sqrt(),
        });
        [first, second].map(|mut m| {
            (0..n).for_each(|i| unit_f32(m.row_mut(i)));
            m
        })
    }

    #[test]
    fn the_share_of_common_rows_is_estimated() {
        for common in [0, 300, 600, 1200] {
            let [x, y] = sets(1200, common, 5);
            let found = shared(&x, &y).unwrap();
            let truth = common as f64 / 1200.0;
            assert!((found.value - truth).abs() < 0.15, "{found:?} {truth}");
            assert!(found.low <= truth + 0.02 && truth - 0.1 <= found.high, "{found:?} {truth}");
            // A sample of the rows says nearly the same.
            let some = shared_of(&x, &y, 500).unwrap();
            assert!((some.value - found.value).abs() < 0.15, "{some:?} {found:?}");
        }
        let [x, y] = sets(40, 0, 1);
        assert!(shared(&x, &y).is_none());
    }
}
