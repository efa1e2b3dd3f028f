//! Means over held-out pairs with an interval, and differences between methods.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

/// A mean with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// The mean.
    pub value: f64,
    /// Lower end of the 95 % interval.
    pub low: f64,
    /// Upper end of the 95 % interval.
    pub high: f64,
}

/// Standard deviations of a 95 % interval.
const Z: f64 = 1.96;
/// Folds share most of their pairs, so scores of different folds are not independent. In 900 fits of shuffled pairs the standard
/// deviation of the mean was up to 1.3 times that of independent pairs.
const DEPENDENT: f64 = 1.15;
/// The observed variance counts as that of so many pairs more with the largest possible variance, so that few equal scores do not
/// look certain.
const CAUTION: f64 = 4.0;

impl Estimate {
    /// The mean of shares between 0 and 1, one for each independent unit.
    ///
    /// Wilson's interval, for shares that need not be 0 or 1: shares with a variance of `c·m(1 − m)` count as `n/c` yes-or-no
    /// answers.
    pub(crate) fn of(shares: &[f64]) -> Self {
        let n = shares.len() as f64;
        if shares.is_empty() {
            return Self { value: 0.0, low: 0.0, high: 1.0 };
        }
        let mean = shares.iter().sum::<f64>() / n;
        let variance = shares.iter().map(|s| (s - mean) * (s - mean)).sum::<f64>() / n;
        let largest = mean * (1.0 - mean);
        let part = if largest > 0.0 { (variance / largest).min(1.0) } else { 1.0 };
        let part = (n * part + CAUTION) / (n + CAUTION);
        Self::wilson(mean, n / (part * DEPENDENT * DEPENDENT))
    }

    /// Wilson's interval of a share of `n` answers.
    fn wilson(mean: f64, n: f64) -> Self {
        let z = Z * Z / n;
        let centre = (mean + z / 2.0) / (1.0 + z);
        let half = Z * (mean * (1.0 - mean) / n + z / (4.0 * n)).sqrt() / (1.0 + z);
        Self { value: mean, low: (centre - half).clamp(0.0, mean), high: (centre + half).clamp(mean, 1.0) }
    }

    /// The same estimate moved by an estimated bias; it stays between 0 and 1. The interval only grows: the bias is uncertain too.
    #[must_use]
    pub(crate) fn moved(self, by: f64) -> Self {
        let to = |v: f64| (v + by).clamp(0.0, 1.0);
        Self { value: to(self.value), low: to(self.low).min(self.low), high: to(self.high).max(self.high) }
    }
}

/// Number of resamples of the bootstrap.
const RESAMPLES: usize = 1000;

/// Draws of units with replacement, the same for every method: the bootstrap over pairs.
pub(crate) struct Resamples {
    /// How often each unit was drawn, one list per resample.
    counts: Vec<Vec<u16>>,
}

impl Resamples {
    pub(crate) fn new(units: usize, seed: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let one = |_| {
            let mut counts = vec![0u16; units];
            (0..units).for_each(|_| counts[rng.random_range(0..units)] += 1);
            counts
        };
        Self { counts: (0..if units == 0 { 0 } else { RESAMPLES }).map(one).collect() }
    }

    /// The 95 % interval of the mean difference between two methods, over the same pairs.
    pub(crate) fn difference(&self, a: &[f64], b: &[f64]) -> (f64, f64) {
        let apart: Vec<f64> = a.iter().zip(b).map(|(a, b)| a - b).collect();
        let mean = |counts: &Vec<u16>| apart.iter().zip(counts).map(|(d, c)| d * f64::from(*c)).sum::<f64>() / apart.len() as f64;
        let mut means: Vec<f64> = self.counts.iter().map(mean).collect();
        means.sort_unstable_by(f64::total_cmp);
        if means.is_empty() {
            return (f64::NEG_INFINITY, f64::INFINITY);
        }
        (means[means.len() / 40], means[means.len() - 1 - means.len() / 40])
    }

    /// The method that each resample chooses, by the weights of the units.
    pub(crate) fn choices(&self, choose: impl Fn(&[u16]) -> usize) -> Vec<usize> {
        self.counts.iter().map(|counts| choose(counts)).collect()
    }

    /// How much the chosen one of several mean scores exceeds, on average, what it scores on pairs that did not choose it.
    ///
    /// Each resample has chosen a method by the drawn units: `choices` of [`Resamples::choices`]. Its score there, less its score
    /// on the units that were not drawn, is the optimism of choosing in a resample (after Tsamardinos, Greasidou, Borboudakis 2018).
    /// The mean over a resample has twice the variance of the mean over the whole, so the optimism of the whole is smaller by √2.
    pub(crate) fn optimism(&self, scores: &[Vec<f64>], choices: &[usize]) -> f64 {
        if scores.len() < 2 {
            return 0.0;
        }
        let (mut total, mut count) = (0.0, 0);
        for (counts, &best) in self.counts.iter().zip(choices) {
            let left: Vec<usize> = (0..counts.len()).filter(|u| counts[*u] == 0).collect();
            if left.is_empty() {
                continue;
            }
            let outside = |s: &Vec<f64>| left.iter().map(|u| s[*u]).sum::<f64>() / left.len() as f64;
            let drawn = |s: &Vec<f64>| weighted_mean(s, counts);
            // The mean over all methods removes what the draw does to every method alike.
            let level = |f: &dyn Fn(&Vec<f64>) -> f64| scores.iter().map(f).sum::<f64>() / scores.len() as f64;
            total += (drawn(&scores[best]) - level(&drawn)) - (outside(&scores[best]) - level(&outside));
            count += 1;
        }
        if count == 0 { 0.0 } else { std::f64::consts::FRAC_1_SQRT_2 * (total / f64::from(count)).max(0.0) }
    }
}

/// The mean of values that count so often.
pub(crate) fn weighted_mean(values: &[f64], counts: &[u16]) -> f64 {
    values.iter().zip(counts).map(|(v, c)| v * f64::from(*c)).sum::<f64>() / counts.len() as f64
}

/// The method that the units choose, each counted so often: among those that the scores cannot tell from the best, the one with the
/// largest mean of `finer`. A difference tells if it exceeds 1.96 of its standard errors.
pub(crate) fn chosen(scores: &[Vec<f64>], finer: &[Vec<f64>], counts: &[u16]) -> usize {
    let means: Vec<f64> = scores.iter().map(|s| weighted_mean(s, counts)).collect();
    let top = first_largest(&means);
    let n = counts.len() as f64;
    let tied = |s: usize| {
        let apart = means[top] - means[s];
        let deviation = |u: usize| scores[top][u] - scores[s][u] - apart;
        let variance = (0..counts.len()).map(|u| f64::from(counts[u]) * deviation(u) * deviation(u)).sum::<f64>() / n;
        apart <= Z * (variance / n).sqrt()
    };
    let fine = |s: usize| if tied(s) { weighted_mean(&finer[s], counts) } else { f64::NEG_INFINITY };
    first_largest(&(0..scores.len()).map(fine).collect::<Vec<_>>())
}

/// The position of the largest value, the first of equal ones.
pub(crate) fn first_largest(values: &[f64]) -> usize {
    (0..values.len()).rev().max_by(|&a, &b| values[a].total_cmp(&values[b])).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_of_shares_contain_the_truth_as_often_as_they_say() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        for (n, p) in [(10, 0.9), (50, 0.5), (50, 0.02), (200, 0.8)] {
            let inside = (0..400)
                .filter(|_| {
                    let shares: Vec<f64> = (0..n).map(|_| f64::from(u8::from(rng.random_bool(p)))).collect();
                    let found = Estimate::of(&shares);
                    found.low <= p && p <= found.high
                })
                .count();
            assert!(inside >= 370, "{n} answers of {p}: {inside} of 400");
        }
    }

    #[test]
    fn equal_scores_of_few_pairs_are_not_certain() {
        let found = Estimate::of(&[1.0; 10]);
        assert!(found.value == 1.0 && found.low < 0.8 && found.high == 1.0, "{found:?}");
        let found = Estimate::of(&[0.01; 200]);
        assert!(found.high < 0.03, "{found:?}");
    }

    #[test]
    fn a_moved_estimate_keeps_what_it_covered() {
        let found = Estimate { value: 1.0, low: 0.9, high: 1.0 }.moved(-0.02);
        assert_eq!(found, Estimate { value: 0.98, low: 0.9 - 0.02, high: 1.0 });
        let found = found.moved(0.05);
        assert_eq!((found.value, found.low, found.high), (1.0, 0.9 - 0.02, 1.0));
    }

    #[test]
    fn the_best_of_many_equal_methods_is_not_better() {
        // Twenty methods that all score 0.5 at random: the best looks better by what is subtracted.
        let (units, mut excess, mut corrected) = (60, 0.0, 0.0);
        for seed in 0..20 {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let scores: Vec<Vec<f64>> = (0..20).map(|_| (0..units).map(|_| rng.random::<f64>()).collect()).collect();
            let means: Vec<f64> = scores.iter().map(|s| s.iter().sum::<f64>() / units as f64).collect();
            let best = means[first_largest(&means)];
            excess += (best - 0.5) / 20.0;
            let by_score = |counts: &[u16]| first_largest(&scores.iter().map(|s| weighted_mean(s, counts)).collect::<Vec<_>>());
            let resamples = Resamples::new(units, seed);
            corrected += (best - resamples.optimism(&scores, &resamples.choices(by_score)) - 0.5) / 20.0;
        }
        assert!(excess > 0.05 && corrected.abs() < 0.02, "{excess} and {corrected}");
    }

    #[test]
    fn what_a_second_score_chooses_is_less_flattered_by_the_first() {
        // Twenty methods of equal worth, among which an unrelated second score decides: nothing is to be subtracted.
        let units = 60;
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        let mut random = || -> Vec<Vec<f64>> { (0..20).map(|_| (0..units).map(|_| rng.random::<f64>()).collect()).collect() };
        let (scores, finer) = (random(), random());
        let resamples = Resamples::new(units, 1);
        let by_score = resamples.optimism(&scores, &resamples.choices(|counts| chosen(&scores, &scores, counts)));
        let by_other = resamples.optimism(&scores, &resamples.choices(|counts| chosen(&scores, &finer, counts)));
        assert!(by_score > 0.04 && by_other < 0.6 * by_score, "{by_score} and {by_other}");
        // A third score that goes along with the second is flattered as that one is, although it did not choose.
        let third: Vec<Vec<f64>> = finer.iter().map(|s| s.iter().map(|v| 0.5 + 0.5 * v).collect()).collect();
        let choices = resamples.choices(|counts| chosen(&scores, &finer, counts));
        let (second, third) = (resamples.optimism(&finer, &choices), resamples.optimism(&third, &choices));
        assert!(second > 0.02 && (third - 0.5 * second).abs() < 1e-9, "{second} and {third}");
        // A method that is clearly better is chosen whatever the second score says.
        let mut clear = scores.clone();
        clear[7].iter_mut().for_each(|v| *v += 1.0);
        assert_eq!(chosen(&clear, &finer, &vec![1; units]), 7);
    }

    #[test]
    fn a_clear_difference_is_clear_and_none_is_none() {
        let a: Vec<f64> = (0..40).map(|i| 0.5 + 0.01 * f64::from(i % 7)).collect();
        let b: Vec<f64> = a.iter().map(|v| v - 0.1).collect();
        let resamples = Resamples::new(40, 0);
        let (low, high) = resamples.difference(&a, &b);
        assert!((low - 0.1).abs() < 1e-9 && (high - 0.1).abs() < 1e-9);
        assert_eq!(resamples.difference(&a, &a), (0.0, 0.0));
    }
}
