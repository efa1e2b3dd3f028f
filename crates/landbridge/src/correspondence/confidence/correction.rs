//! Known pairs correct the chances: a logistic regression around "the chance is right already".
//!
//! Rows of known pairs have a partner, and other rows may have none. A match that is wrong may be wrong because there is no partner, or because the
//! partner was missed; known pairs speak of the latter only. With the share of wrong matches whose row has a partner, h, the odds of a row
//! that has one are 1/h times those of any row.

use super::leads::Lead;
use crate::error::{Error, Result};
use crate::linalg::dense::Cholesky;
use crate::linalg::tall::Tall;
use faer::Mat;

/// Constant, log odds of the chance, both leads, score.
const TERMS: usize = 5;
/// Prior: the log odds as they are, with these precisions.
const MEAN: [f64; TERMS] = [0.0, 1.0, 0.0, 0.0, 0.0];
const PRECISION: [f64; TERMS] = [0.25, 1.0, 1.0, 1.0, 1.0];
/// Leads are small numbers; in these units the prior is about as strong for them.
const UNITS: f64 = 5.0;
/// Chances nearer to 0 or 1 count as this near.
const CERTAIN: f64 = 0.01;
const STEPS: usize = 60;

/// Of wrong matches, at least so many have a partner.
const LEAST_MISSED: f64 = 0.001;

/// The share of wrong matches whose row has a partner, from the mean chance of the matches of all rows and the matches of known rows: of these
/// the share that is right is the share of right matches among rows with a partner.
pub(super) fn missed(mean: f64, known: &[(usize, bool)]) -> f64 {
    let found = known.iter().filter(|(_, right)| *right).count() as f64 / known.len().max(1) as f64;
    let (missed, wrong) = (mean * (1.0 - found), found * (1.0 - mean));
    if missed >= wrong { 1.0 } else { (missed / wrong).max(LEAST_MISSED) }
}

/// Corrects chances. `known`: rows whose match, by refits that did not know them, is right or not; `missed`: see [`missed`].
pub(super) fn corrected(chances: &[f64], leads: &[Lead], known: &[(usize, bool)], missed: f64) -> Result<Vec<f64>> {
    let count = known.len() as f64;
    let mean = |of: fn(&Lead) -> f64| known.iter().map(|(i, _)| of(&leads[*i])).sum::<f64>() / count;
    let (row, column, score) = (mean(|l| l.row), mean(|l| l.column), mean(|l| l.score));
    let terms = |i: usize| -> [f64; TERMS] {
        let (p, l) = (chances[i].clamp(CERTAIN, 1.0 - CERTAIN), &leads[i]);
        [1.0, (p / (1.0 - p)).ln(), UNITS * (l.row - row), UNITS * (l.column - column), UNITS * (l.score - score)]
    };
    let chance = |terms: &[f64; TERMS], by: &[f64; TERMS], more: f64| {
        let odds = more + terms.iter().zip(by).map(|(t, b)| t * b).sum::<f64>();
        1.0 / (1.0 + (-odds).exp())
    };
    let mut by = MEAN;
    for _ in 0..STEPS {
        let mut curvature = Mat::from_fn(TERMS, TERMS, |a, b| if a == b { PRECISION[a] } else { 0.0 });
        let mut slope: [f64; TERMS] = std::array::from_fn(|t| PRECISION[t] * (MEAN[t] - by[t]));
        for (i, right) in known {
            let terms = terms(*i);
            // This row has a partner.
            let p = chance(&terms, &by, -missed.ln());
            for a in 0..TERMS {
                slope[a] += terms[a] * (f64::from(*right) - p);
                (0..TERMS).for_each(|b| curvature[(a, b)] += p * (1.0 - p) * terms[a] * terms[b]);
            }
        }
        let failed =
            || Error::Numerical { what: "confidence of matches".into(), problem: "the correction by known pairs failed".into() };
        let factor = Cholesky::new(curvature, 0.0).ok_or_else(failed)?;
        let mut step = Tall { values: slope.to_vec(), stride: 1 };
        factor.solve_lower(&mut step);
        factor.solve_upper(&mut step);
        by.iter_mut().zip(&step.values).for_each(|(b, s)| *b += s.clamp(-2.0, 2.0));
        if step.values.iter().all(|s| s.abs() < 1e-8) {
            break;
        }
    }
    Ok((0..chances.len()).map(|i| chance(&terms(i), &by, 0.0)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn known_pairs_do_not_speak_for_rows_without_a_partner() {
        // A third of the rows has no partner, and every match of the others is right: the chances are what they should be.
        let mut rng = ChaCha8Rng::seed_from_u64(2);
        let n = 3000;
        let partner = |i: usize| !i.is_multiple_of(3);
        // A chance that is right: rows with a partner twice as often, so (2/3) f / ((2/3) f + (1/3) g) of densities f and g.
        let said: Vec<f64> = (0..n)
            .map(|i| {
                let lead: f64 = rng.random_range(0.0..1.0f64) + if partner(i) { 0.5 } else { 0.0 };
                if lead < 0.5 {
                    0.01
                } else if lead > 1.0 {
                    0.99
                } else {
                    2.0 / 3.0
                }
            })
            .collect();
        let leads = vec![Lead::default(); n];
        let known: Vec<(usize, bool)> = (0..n).filter(|i| partner(*i)).take(200).map(|i| (i, true)).collect();
        let mean = |of: &[f64]| (600..n).map(|i| of[i]).sum::<f64>() / (n - 600) as f64;
        let h = missed(mean(&said), &known);
        assert_eq!(h, LEAST_MISSED);
        let found = corrected(&said, &leads, &known, h).unwrap();
        assert!((mean(&found) - 2.0 / 3.0).abs() < 0.05, "{}", mean(&found));
        // Without that the correction is bold.
        assert!(mean(&corrected(&said, &leads, &known, 1.0).unwrap()) > 0.75);
        // All rows have a partner, and known ones are right as often as all: as many wrong ones were missed.
        assert_eq!(missed(0.6, &[(0, true), (1, true), (2, true), (3, false), (4, false)]), 1.0);
    }

    #[test]
    fn modest_chances_rise_and_right_ones_stay() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let n = 3000;
        let said: Vec<f64> = (0..n).map(|_| rng.random_range(0.05..0.95)).collect();
        let leads = vec![Lead::default(); n];
        for odds in [1.0, 4.0] {
            // In truth the odds are that many times as good.
            let truly = |p: f64| odds * p / (1.0 - p + odds * p);
            let known: Vec<(usize, bool)> = (0..600).map(|i| (i, rng.random_bool(truly(said[i])))).collect();
            let found = corrected(&said, &leads, &known, 1.0).unwrap();
            let off = (600..n).map(|i| (found[i] - truly(said[i])).abs()).fold(0.0, f64::max);
            assert!(off < 0.08, "{odds}: {off}");
        }
    }
}
