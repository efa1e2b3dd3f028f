//! From leads to chances: decoys show how far wrong matches lead.

use super::leads::{Candidates, NONE, RowLeads};

/// Rounds of the fixed point, and the change at which it has settled.
const ROUNDS: usize = 20;
const SETTLED: f64 = 1e-3;
/// Fewest decoys, in weight, that say something.
const FEWEST: f64 = 5.0;
/// Leads up to this are ties.
const TIE: f64 = 1e-6;
/// Decoys that are put above all others: nothing is quite sure.
const BEYOND: f64 = 0.5;

/// The chance of each match.
pub(super) struct Chances {
    /// 0 for a row without a match, or that every refit saw.
    pub(super) of: Vec<f64>,
    /// Share of wrong matches, by the median decoy.
    pub(super) wrong: f64,
    /// Standard error of that share.
    pub(super) error: f64,
}

/// The local false-discovery rate by decoys. Only right matches make honest decoys, so decoys weigh as much as the match of
/// their row is likely right: a fixed point. Where rows lack a partner, the row to which a decoy belongs may be absent as well; it is taken
/// away as often as that happens. `lacking`: matches do not come back because rows lack a partner, so this holds for every decoy;
/// otherwise for those that belong to a right match.
pub(super) fn chances(leads: &[RowLeads], candidates: &Candidates, start: &[f64], lacking: bool, n_target: usize) -> Chances {
    let read: Vec<usize> = (0..leads.len()).filter(|&i| leads[i].refits > 0).collect();
    let n = read.len();
    let mut of = vec![0.0; leads.len()];
    read.iter().for_each(|&i| of[i] = start[i]);
    let (mut wrong, mut error) = (1.0, 0.0);
    // Sorted once: matches, decoys whose owner is present, decoys whose owner is absent. Of equal strength matches come first,
    // so that the regression pools them with the decoys.
    let strength = |at: usize| match at / n.max(1) {
        0 => leads[read[at]].matched.strength(),
        1 => leads[read[at - n]].decoy.strength(),
        _ => leads[read[at - 2 * n]].free_decoy.strength(),
    };
    let x: Vec<f64> = (0..3 * n).map(strength).collect();
    let mut order: Vec<usize> = (0..3 * n).collect();
    order.sort_by(|&a, &b| x[a].total_cmp(&x[b]).then(a.cmp(&b)));
    for _ in 0..ROUNDS {
        let sum: f64 = read.iter().map(|&i| of[i]).sum();
        let unmatched = 1.0 - (sum / n_target as f64).min(1.0);
        let mut weight = vec![0.0; 3 * n];
        for (at, &i) in read.iter().enumerate() {
            let owner = candidates.owner[i];
            let belongs = match owner {
                NONE => 0.0,
                _ if lacking => 1.0,
                owner if candidates.of[owner as usize] == candidates.decoy[i] => of[owner as usize],
                _ => 0.0,
            };
            let loses = belongs * unmatched;
            weight[n + at] = of[i] * (1.0 - loses);
            weight[2 * n + at] = of[i] * loses;
        }
        let total: f64 = weight.iter().sum();
        if total < FEWEST {
            of.iter_mut().for_each(|p| *p = 0.0);
            return Chances { of, wrong: 1.0, error: 0.0 };
        }
        // Matches below the median decoy are wrong, and they are half of the wrong ones.
        let (mut below, mut passed) = (0usize, 0.0);
        for &at in &order {
            if at < n {
                below += 1;
            } else {
                passed += weight[at];
            }
            if passed >= 0.5 * total {
                break;
            }
        }
        let share = (below + 1) as f64 / n as f64;
        wrong = (2.0 * share).min(1.0);
        error = (4.0 * share * (1.0 - share).max(0.0) / n as f64 + wrong * wrong / total).sqrt();
        let scale = wrong * n as f64 / total;
        let mut points: Vec<(f64, f64, f64)> = order
            .iter()
            .map(|&at| if at < n { (x[at], 1.0, 1.0) } else { (x[at], 0.0, scale * weight[at]) })
            .filter(|p| p.2 > 0.0)
            .collect();
        points.push((points.last().map_or(0.0, |p| p.0), 0.0, BEYOND));
        let curve = Curve::isotonic(&points);
        let mut change = 0.0f64;
        for (at, &i) in read.iter().enumerate() {
            // Of matches and decoys together the share s are matches: 1 − (1 − s) / s of the matches are right.
            let chance = (2.0 - 1.0 / curve.at(x[at]).max(1e-9)).clamp(0.0, 1.0);
            // Another one leads while this one is unseen: even chances at best.
            let chance = if leads[i].matched.least() <= TIE { chance.min(0.5) } else { chance };
            change = change.max((chance - of[i]).abs());
            of[i] = chance;
        }
        if change < SETTLED {
            break;
        }
    }
    Chances { of, wrong, error }
}

/// A curve that never falls, through the centres of the blocks of an isotonic regression. Between two centres it is straight:
/// steps would give rows that differ little very different chances.
pub(in crate::correspondence) struct Curve {
    points: Vec<(f64, f64)>,
}

impl Curve {
    /// Of points (x, y, weight), x ascending.
    pub(in crate::correspondence) fn isotonic(points: &[(f64, f64, f64)]) -> Self {
        // Of each block Σwx, Σwy, Σw.
        let mut blocks: Vec<[f64; 3]> = vec![];
        for &(x, y, w) in points {
            blocks.push([w * x, w * y, w]);
            while let [.., a, b] = blocks[..] {
                if a[1] * b[2] < b[1] * a[2] {
                    break;
                }
                blocks.pop();
                let last = blocks.len() - 1;
                blocks[last] = [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
            }
        }
        Self { points: blocks.iter().map(|b| (b[0] / b[2], b[1] / b[2])).collect() }
    }
    /// Its value; constant beyond the first and the last centre.
    pub(in crate::correspondence) fn at(&self, x: f64) -> f64 {
        let after = self.points.partition_point(|p| p.0 <= x);
        match (after.checked_sub(1).map(|b| self.points[b]), self.points.get(after)) {
            (None, None) => 0.0,
            (None, Some(first)) => first.1,
            (Some(last), None) => last.1,
            (Some(a), Some(b)) => a.1 + (b.1 - a.1) * (x - a.0) / (b.0 - a.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::correspondence::confidence::leads::Lead;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// Largest y that no later mean and no earlier mean contradicts: the min-max formula.
    fn naive(points: &[(f64, f64, f64)], at: usize) -> f64 {
        let mean = |s: usize, e: usize| {
            let (y, w) = points[s..=e].iter().fold((0.0, 0.0), |(y, w), p| (y + p.1 * p.2, w + p.2));
            y / w
        };
        (0..=at).map(|s| (at..points.len()).map(|e| mean(s, e)).fold(f64::INFINITY, f64::min)).fold(f64::NEG_INFINITY, f64::max)
    }

    #[test]
    fn blocks_have_the_values_of_the_min_max_formula() {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        for n in [1, 2, 7, 40] {
            let points: Vec<(f64, f64, f64)> =
                (0..n).map(|i| (i as f64, f64::from(rng.random_bool(0.5)), rng.random_range(0.1..2.0))).collect();
            let curve = Curve::isotonic(&points);
            let all: Vec<f64> = (0..n).map(|at| naive(&points, at)).collect();
            for (x, y) in &curve.points {
                let nearest = all[x.round() as usize];
                assert!((y - nearest).abs() < 1e-12, "{y} and {nearest}");
                assert!((curve.at(*x) - y).abs() < 1e-12);
            }
            assert!(curve.points.windows(2).all(|p| p[0].1 < p[1].1));
            assert_eq!(curve.at(-5.0), all[0]);
            assert_eq!(curve.at(99.0), all[n - 1]);
        }
    }

    #[test]
    fn chances_are_calibrated_where_decoys_lead_as_wrong_matches_do() {
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        let n = 4000;
        let mut near = |middle: f64| middle + (0..12).map(|_| rng.random_range(-0.5..0.5f64)).sum::<f64>();
        // Three of five are right, and lead by 2.5 deviations more.
        let right = |i: usize| i % 5 < 3;
        let of = |l: f64| Lead { row: l, column: l + 1.0, score: l };
        let leads: Vec<RowLeads> = (0..n)
            .map(|i| {
                let (own, other) = (near(if right(i) { 2.5 } else { 0.0 }), near(0.0));
                RowLeads { matched: of(own), decoy: of(other), free_decoy: of(other), refits: 1 }
            })
            .collect();
        let candidates = Candidates { of: vec![0; n], decoy: vec![1; n], owner: vec![NONE; n] };
        let found = chances(&leads, &candidates, &vec![1.0; n], false, n);
        assert!((found.wrong - 0.4).abs() < 3.0 * found.error.max(0.01), "{} ± {}", found.wrong, found.error);
        for (low, high) in [(0.0, 0.2), (0.2, 0.8), (0.8, 0.95), (0.95, 1.01)] {
            let some: Vec<usize> = (0..n).filter(|&i| (low..high).contains(&found.of[i])).collect();
            let said = some.iter().map(|&i| found.of[i]).sum::<f64>() / some.len() as f64;
            let true_share = some.iter().filter(|&&i| right(i)).count() as f64 / some.len() as f64;
            assert!((said - true_share).abs() < 0.06, "{low} to {high}: {said} and {true_share} of {}", some.len());
        }
        // Without a match that is likely right there is no decoy, and no chance.
        assert!(chances(&leads, &candidates, &vec![0.0; n], false, n).of.iter().all(|p| *p == 0.0));
    }
}
