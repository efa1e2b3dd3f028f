//! Known pairs correct the chances: a logistic regression around "the chance is right already".

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

/// Corrects chances. `known`: rows whose match, by refits that did not know them, is right or not.
pub(super) fn corrected(chances: &[f64], leads: &[Lead], known: &[(usize, bool)]) -> Result<Vec<f64>> {
    let count = known.len() as f64;
    let mean = |of: fn(&Lead) -> f64| known.iter().map(|(i, _)| of(&leads[*i])).sum::<f64>() / count;
    let (row, column, score) = (mean(|l| l.row), mean(|l| l.column), mean(|l| l.score));
    let terms = |i: usize| -> [f64; TERMS] {
        let (p, l) = (chances[i].clamp(CERTAIN, 1.0 - CERTAIN), &leads[i]);
        [1.0, (p / (1.0 - p)).ln(), UNITS * (l.row - row), UNITS * (l.column - column), UNITS * (l.score - score)]
    };
    let chance =
        |terms: &[f64; TERMS], by: &[f64; TERMS]| 1.0 / (1.0 + (-terms.iter().zip(by).map(|(t, b)| t * b).sum::<f64>()).exp());
    let mut by = MEAN;
    for _ in 0..STEPS {
        let mut curvature = Mat::from_fn(TERMS, TERMS, |a, b| if a == b { PRECISION[a] } else { 0.0 });
        let mut slope: [f64; TERMS] = std::array::from_fn(|t| PRECISION[t] * (MEAN[t] - by[t]));
        for (i, right) in known {
            let terms = terms(*i);
            let p = chance(&terms, &by);
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
    Ok((0..chances.len()).map(|i| chance(&terms(i), &by)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

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
            let found = corrected(&said, &leads, &known).unwrap();
            let off = (600..n).map(|i| (found[i] - truly(said[i])).abs()).fold(0.0, f64::max);
            assert!(off < 0.08, "{odds}: {off}");
        }
    }
}
