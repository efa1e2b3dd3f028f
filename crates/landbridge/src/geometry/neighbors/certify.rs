//! Turns candidates with rounded scores into exact neighbours, or reports that they cannot be decided.

use super::{Found, Metric};
use crate::linalg::tiles::{Best, Real};

/// One query row in the frame of the search.
pub(super) struct Query {
    /// Length of the row.
    pub(super) norm: f64,
    /// Terms summed in a score.
    pub(super) terms: usize,
    /// Distance of the frame's origin from the data's own.
    pub(super) offset: f64,
}

/// Recomputes the candidates by `exact` (squared distance, or 1 − cosine) and returns the `k` nearest. Returns `None` if a
/// row that was left out could be nearer, by the rounding bound of its score.
pub(super) fn certify<T: Real>(
    metric: Metric,
    query: Query,
    best: &mut Best<T>,
    k: usize,
    mut exact: impl FnMut(u32) -> f64,
) -> Option<Vec<(f64, u32)>> {
    let (found, rest) = best.finish();
    let mut found: Vec<(f64, u32)> = found.iter().map(|&(_, j)| (exact(j), j)).collect();
    sort(&mut found);
    if found.len() < k {
        return None;
    }
    let kth = found[k - 1].0;
    // A list of its own size: there is one for every row.
    let found = found[..k].to_vec();
    if rest == T::HUGE {
        return Some(found); // nothing was left out
    }
    // A row y nearer than the k-th has |y| ≤ |x| + d_k, so the rounding error of its score is at most `bound`:
    // terms + 8 roundings, each of relative size UNIT, in the product, the half norm and the conversion.
    let norm = query.norm;
    let (kth_score, reach) = match metric {
        Metric::Euclidean => (0.5 * (kth - norm * norm), norm + kth.sqrt()),
        Metric::Cosine => (kth - 1.0, 1.0),
    };
    let bound = T::UNIT * (query.terms as f64 + 8.0) * (norm * reach + reach * reach + kth.abs())
        + 8.0 * f64::EPSILON * (query.terms as f64).sqrt() * query.offset * (norm + reach)
        + f64::from(f32::MIN_POSITIVE);
    (rest.to_f64() - bound > kth_score).then_some(found)
}

/// Stores the certified result of each open row; rows without certificate stay open.
pub(super) fn settle(open: &mut Vec<u32>, found: impl Iterator<Item = Option<Found>>, rows: &mut [Found]) {
    let mut still_open = vec![];
    for (&i, found) in open.iter().zip(found) {
        match found {
            Some(found) => rows[i as usize] = found,
            None => still_open.push(i),
        }
    }
    *open = still_open;
}

/// Nearest first, equal distances by lower row number.
pub(super) fn sort(found: &mut [(f64, u32)]) {
    found.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
}
