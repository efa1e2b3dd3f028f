//! The chance that a given pair is right, from its misfit and from the misfits of decoys: the same rows with partners drawn at random.

use crate::correspondence::confidence::Curve;
use crate::data::{Link, Pairs};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Most decoys of a pair, and how many there are together at least, if that allows.
const MOST: usize = 10;
const TOGETHER: usize = 1000;
/// Decoys that are put below all others: nothing is quite sure.
const BEYOND: f64 = 0.5;

/// Wrong partners of pairs that are held out: rows of the second dataset that the fit did not see in a pair, drawn at random.
pub(super) struct Decoys {
    /// For each dataset, whether a row is in a pair of the fit.
    seen: Vec<Vec<bool>>,
    each: usize,
    rng: ChaCha8Rng,
}

impl Decoys {
    /// For a fit to `kept`, of datasets with so many rows; `all` pairs are checked.
    pub(super) fn new(kept: &Pairs, rows: &[usize], all: usize, seed: u64) -> Self {
        let mut seen: Vec<Vec<bool>> = rows.iter().map(|n| vec![false; *n]).collect();
        for l in kept.links() {
            seen[l.a][l.i] = true;
            seen[l.b][l.j] = true;
        }
        let each = TOGETHER.div_ceil(all.max(1)).clamp(1, MOST);
        Self { seen, each, rng: ChaCha8Rng::seed_from_u64(seed) }
    }

    /// The row of the first dataset of `link` with other partners.
    pub(super) fn of(&mut self, link: &Link) -> Vec<Link> {
        let partners = |unseen: bool| -> Vec<usize> {
            let seen = &self.seen[link.b];
            (0..seen.len()).filter(|&j| j != link.j && !(unseen && seen[j])).collect()
        };
        let free = match partners(true) {
            none if none.is_empty() => partners(false),
            free => free,
        };
        if free.is_empty() {
            return vec![];
        }
        (0..self.each).map(|_| Link { j: free[self.rng.random_range(0..free.len())], ..*link }).collect()
    }
}

/// The local false-discovery rate: how much likelier a misfit is for a given pair than for a wrong one. As many given pairs are wrong as
/// lie beyond the median decoy, twice. The chance never grows with the misfit.
pub(super) fn chances(misfits: &[f64], decoys: &[f64]) -> Vec<f64> {
    if misfits.is_empty() || decoys.is_empty() {
        return vec![0.0; misfits.len()];
    }
    let mut sorted = decoys.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let median = sorted[sorted.len() / 2];
    let beyond = misfits.iter().filter(|m| **m >= median).count();
    let n = misfits.len() as f64;
    let wrong = (2.0 * beyond as f64 / n).min(1.0);
    let scale = wrong * n / decoys.len() as f64;
    // The largest misfit first; of equal ones pairs come first, so that the regression pools them with the decoys.
    let given = misfits.iter().map(|m| (-m, 1.0, 1.0));
    let mut points: Vec<(f64, f64, f64)> = given.chain(decoys.iter().map(|d| (-d, 0.0, scale))).collect();
    points.retain(|p| p.2 > 0.0);
    points.sort_by(|a, b| a.0.total_cmp(&b.0).then(b.1.total_cmp(&a.1)));
    points.push((points.last().map_or(0.0, |p| p.0), 0.0, BEYOND));
    let curve = Curve::isotonic(&points);
    misfits.iter().map(|m| (2.0 - 1.0 / curve.at(-m).max(1e-9)).clamp(0.0, 1.0)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_are_calibrated_where_wrong_pairs_look_like_decoys() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let n = 4000;
        // A quarter is wrong. Right pairs have small misfits, but not all of them.
        let right = |p: usize| !p.is_multiple_of(4);
        let misfits: Vec<f64> = (0..n)
            .map(|p| {
                // Products of four numbers are hardly ever large: what lies beyond the median decoy is wrong.
                let mut u = || rng.random_range(0.0..1.0f64);
                if right(p) { u() * u() * u() * u() } else { u() }
            })
            .collect();
        let decoys: Vec<f64> = (0..n).map(|_| rng.random_range(0.0..1.0)).collect();
        let found = chances(&misfits, &decoys);
        for (low, high) in [(0.3, 0.7), (0.7, 0.9), (0.9, 1.01)] {
            let some: Vec<usize> = (0..n).filter(|p| (low..high).contains(&found[*p])).collect();
            let said = some.iter().map(|p| found[*p]).sum::<f64>() / some.len() as f64;
            let are = some.iter().filter(|p| right(**p)).count() as f64 / some.len() as f64;
            assert!((said - are).abs() < 0.06, "{low} to {high}: {said} and {are} of {}", some.len());
        }
        // Never larger for a larger misfit.
        let mut order: Vec<usize> = (0..n).collect();
        order.sort_by(|a, b| misfits[*a].total_cmp(&misfits[*b]));
        assert!(order.windows(2).all(|w| found[w[0]] >= found[w[1]] - 1e-12));
    }

    #[test]
    fn pairs_that_look_like_decoys_have_no_chance_and_perfect_ones_nearly_all() {
        let decoys: Vec<f64> = (0..100).map(|i| i as f64 / 100.0).collect();
        assert!(chances(&decoys, &decoys).iter().all(|c| *c < 0.2));
        assert!(chances(&[0.0; 40], &decoys).iter().all(|c| *c > 0.95));
        assert!(chances(&[], &decoys).is_empty());
        assert_eq!(chances(&[0.1], &[]), [0.0]);
    }

    #[test]
    fn decoys_are_rows_that_the_fit_did_not_see() {
        let mut kept = Pairs::none(2);
        (0..5).for_each(|i| kept.add(0, i, 1, i, 1.0).unwrap());
        let link = Link { a: 0, i: 5, b: 1, j: 5, weight: 1.0 };
        let mut decoys = Decoys::new(&kept, &[8, 8], 6, 0);
        let found = decoys.of(&link);
        assert_eq!(found.len(), MOST);
        assert!(found.iter().all(|l| l.i == 5 && (6..8).contains(&l.j)), "{found:?}");
        // All other rows are in pairs: then any of them.
        let mut all = Decoys::new(&kept, &[6, 6], 5000, 0);
        assert!(all.of(&link).len() == 1 && all.of(&link)[0].j < 5);
        assert!(Decoys::new(&kept, &[6, 6], 6, 0).of(&Link { j: 0, ..link }).iter().all(|l| l.j == 5));
    }
}
