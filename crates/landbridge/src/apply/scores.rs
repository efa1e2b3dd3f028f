//! Scores of an alignment against known truth, each with its chance level.

use crate::data::{Link, Sets, offsets};
use crate::error::{Error, Result};
use crate::evaluate::{foscttm, label_transfer, recall_at_k};
use crate::geometry::neighbors::Metric;
use crate::model::{Alignment, Fitted};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// Number of neighbours that vote on a label.
pub(crate) const VOTERS: usize = 5;

/// All scores of one pair of datasets.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct PairScores {
    /// Names of the two datasets.
    pub datasets: [String; 2],
    /// True pairs between the two.
    pub true_pairs: usize,
    /// Those that were used in fitting, or follow from them by a chain.
    pub given: usize,
    /// The others, which give unbiased scores.
    pub held_out: usize,
    /// The scores.
    pub scores: Vec<Score>,
}

/// One score, on true pairs that were not given, on all of them, and by chance.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Score {
    /// "recall", "foscttm" or "label_transfer".
    pub score: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    /// The k of recall@k, or the neighbours that vote on a label.
    pub k: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    /// The dataset whose rows are matched.
    pub from: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    /// The dataset in which they are matched.
    pub to: Option<String>,
    /// On pairs that were not given in fitting.
    pub held_out: Option<f64>,
    /// On all true pairs.
    pub all: Option<f64>,
    /// The chance level.
    pub chance: f64,
}

/// A true pair: row of one dataset, row of the other.
type Pair = (usize, usize);

impl Alignment {
    /// Scores against known truth, for every pair of datasets that the truth covers: what `landbridge evaluate` prints and
    /// `a.evaluate` returns. Held out are the true pairs that were not given in fitting and do not follow from given ones.
    /// `metric` `None` is [`Alignment::default_metric`].
    pub fn evaluate(&self, truth: &[Link], ks: &[usize], metric: Option<Metric>) -> Result<Vec<PairScores>> {
        self.check_fitted_rows("evaluate")?;
        if ks.is_empty() || ks.contains(&0) {
            return Err(Error::parameter("k", 0, "at least 1"));
        }
        for (row, l) in truth.iter().enumerate() {
            for (a, i) in [(l.a, l.i), (l.b, l.j)] {
                let rows = self.fitted[a].nrows();
                if i >= rows {
                    return Err(Error::PairOutOfRange { row, dataset: self.fitted[a].name().into(), value: i as i64, rows });
                }
            }
        }
        score(self, truth, ks, metric.unwrap_or(self.default_metric()))
    }

    /// Whether two rows (dataset, row, dataset, row) were given as a pair in fitting, or follow from given pairs.
    pub fn given(&self) -> impl Fn(usize, usize, usize, usize) -> bool + use<> {
        let starts = offsets(self.datasets().iter().map(Fitted::nrows));
        let mut sets = Sets::new(starts[starts.len() - 1]);
        for link in self.pairs() {
            sets.join(starts[link.a] + link.i, starts[link.b] + link.j);
        }
        let (set, _) = sets.numbered();
        move |a, i, b, j| set[starts[a] + i] == set[starts[b] + j]
    }
}

fn score(alignment: &Alignment, truth: &[Link], ks: &[usize], metric: Metric) -> Result<Vec<PairScores>> {
    let given = alignment.given();
    // Each true pair counts once, even if the file repeats it.
    let mut covered: BTreeMap<(usize, usize), BTreeSet<Pair>> = BTreeMap::new();
    for link in truth {
        covered.entry((link.a, link.b)).or_default().insert((link.i, link.j));
    }
    let mut found = vec![];
    for ((a, b), pairs) in covered {
        let all: Vec<Pair> = pairs.into_iter().collect();
        let held_out: Vec<Pair> = all.iter().copied().filter(|&(i, j)| !given(a, i, b, j)).collect();
        found.push(PairScores {
            datasets: [a, b].map(|p| alignment.datasets()[p].name().to_string()),
            true_pairs: all.len(),
            given: all.len() - held_out.len(),
            held_out: held_out.len(),
            scores: scores_of(&alignment.datasets()[a], &alignment.datasets()[b], &all, &held_out, ks, metric)?,
        });
    }
    Ok(found)
}

fn scores_of(a: &Fitted, b: &Fitted, all: &[Pair], held_out: &[Pair], ks: &[usize], metric: Metric) -> Result<Vec<Score>> {
    let swapped = |pairs: &[Pair]| -> Vec<Pair> { pairs.iter().map(|&(i, j)| (j, i)).collect() };
    let mut scores = vec![];
    let ways = [(a, b, all.to_vec(), held_out.to_vec()), (b, a, swapped(all), swapped(held_out))];
    for (source, target, all, held_out) in &ways {
        let recall = |pairs: &[Pair]| {
            per_pair(source.nrows(), pairs, ks.len(), |truth| {
                recall_at_k(source.embedding(), target.embedding(), ks, Some(truth), metric)
            })
        };
        let (all, held_out) = (recall(all)?, recall(held_out)?);
        for (at, &k) in ks.iter().enumerate() {
            scores.push(Score {
                score: "recall",
                k: Some(k),
                from: Some(source.name().into()),
                to: Some(target.name().into()),
                held_out: held_out.as_ref().map(|s| s[at]),
                all: all.as_ref().map(|s| s[at]),
                chance: (k as f64 / target.nrows() as f64).min(1.0),
            });
        }
    }
    // Both directions of one k together.
    scores.sort_by_key(|s| ks.iter().position(|k| Some(*k) == s.k));
    let closer = |pairs: &[Pair]| {
        per_pair(a.nrows(), pairs, 1, |truth| Ok(vec![foscttm(a.embedding(), b.embedding(), Some(truth), metric)?]))
    };
    let single = |found: Option<Vec<f64>>| found.map(|s| s[0]);
    let (all, held_out) = (single(closer(all)?), single(closer(held_out)?));
    scores.push(Score { score: "foscttm", k: None, from: None, to: None, held_out, all, chance: 0.5 });
    for (source, target) in [(a, b), (b, a)] {
        if let (Some(from), Some(to)) = (source.labels(), target.labels()) {
            let k = VOTERS.min(source.nrows());
            let value = label_transfer(source.embedding(), from, target.embedding(), to, k, metric)?;
            scores.push(Score {
                score: "label_transfer",
                k: Some(k),
                from: Some(source.name().into()),
                to: Some(target.name().into()),
                held_out: None,
                all: Some(value),
                chance: most_frequent_label(from, to),
            });
        }
    }
    Ok(scores)
}

/// The mean over true pairs; `None` without pairs. The library scores one counterpart of each source row at a time, so further
/// counterparts are scored in further rounds.
fn per_pair(
    n_source: usize,
    pairs: &[Pair],
    n_scores: usize,
    scores: impl Fn(&[i64]) -> Result<Vec<f64>>,
) -> Result<Option<Vec<f64>>> {
    let mut turns: Vec<(Vec<i64>, usize)> = vec![];
    let mut seen = vec![0usize; n_source];
    for &(i, j) in pairs {
        if seen[i] == turns.len() {
            turns.push((vec![-1; n_source], 0));
        }
        let turn = &mut turns[seen[i]];
        turn.0[i] = j as i64;
        turn.1 += 1;
        seen[i] += 1;
    }
    if turns.is_empty() {
        return Ok(None);
    }
    let mut sums = vec![0.0; n_scores];
    for (truth, count) in &turns {
        for (sum, score) in sums.iter_mut().zip(scores(truth)?) {
            *sum += score * *count as f64;
        }
    }
    Ok(Some(sums.into_iter().map(|s| s / pairs.len() as f64).collect()))
}

/// Chance level of label transfer: every target row gets the label that most source rows have.
pub(crate) fn most_frequent_label(source: &[String], target: &[String]) -> f64 {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for label in source {
        *counts.entry(label).or_default() += 1;
    }
    let winner = counts.into_iter().max_by_key(|c| c.1).map_or("", |c| c.0);
    target.iter().filter(|label| *label == winner).count() as f64 / target.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_counterparts_are_scored_one_at_a_time() {
        let mut turns = vec![];
        let pairs = [(0, 4), (1, 5), (0, 6), (2, 7), (0, 8)];
        let mean = {
            let log = std::cell::RefCell::new(&mut turns);
            per_pair(3, &pairs, 1, |truth| {
                log.borrow_mut().push(truth.to_vec());
                Ok(vec![truth.iter().filter(|t| **t >= 0).count() as f64])
            })
        };
        assert_eq!(turns, [vec![4, 5, 7], vec![6, -1, -1], vec![8, -1, -1]]);
        // Three pairs score 3, two score 1: (3·3 + 1 + 1) / 5.
        assert_eq!(mean.unwrap().unwrap(), [2.2]);
        assert!(per_pair(3, &[], 1, |_| Ok(vec![])).unwrap().is_none());
    }

    #[test]
    fn the_chance_of_labels_is_the_most_frequent_one() {
        let words = |text: &str| text.split(' ').map(String::from).collect::<Vec<_>>();
        assert_eq!(most_frequent_label(&words("a b b"), &words("b a b b")), 0.75);
    }
}
