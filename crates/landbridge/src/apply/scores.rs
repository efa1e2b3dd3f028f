//! Scores of an alignment against known truth, each with its chance level.

use crate::data::{Link, Sets, offsets};
use crate::error::{Error, Result};
use crate::evaluate::{Standing, label_transfer, room_for_standings, standings};
use crate::geometry::neighbors::Metric;
use crate::memory::{check_room_or, of_each};
use crate::model::{Alignment, Fitted};
use crate::progress::with_threads;
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
        let advice = "give truth about fewer rows (CLI: --rows with a part of them)";
        check_room_or("evaluate", self.room_to_evaluate(truth), advice)?;
        score(self, truth, ks, metric.unwrap_or(self.default_metric()))
    }

    /// Bytes that [`Alignment::evaluate`] takes at most.
    fn room_to_evaluate(&self, truth: &[Link]) -> u64 {
        let rows: usize = self.fitted.iter().map(Fitted::nrows).sum();
        let mut counts: BTreeMap<(usize, usize), usize> = BTreeMap::new();
        truth.iter().for_each(|link| *counts.entry((link.a, link.b)).or_default() += 1);
        let one = |(&(a, b), &pairs): (&(usize, usize), &usize)| {
            let (a, b) = (&self.fitted[a], &self.fitted[b]);
            let (n, m, d) = (a.nrows(), b.nrows(), self.n_components());
            // One of the two is held as the source, and one as the target.
            let labels = a.labels().is_some() && b.labels().is_some();
            let labels =
                if labels { of_each(n.max(m), VOTERS, 28) + of_each(n.max(m), 1, 44) + of_each(n + m, d, 14) } else { 0 };
            room_for_standings((n, m), d, pairs).max(labels) + of_each(pairs, 1, 64)
        };
        // Sets that the given pairs join, and the true pairs, each once.
        of_each(rows, 1, 32) + of_each(truth.len(), 1, 40) + counts.iter().map(one).max().unwrap_or(0)
    }

    /// Whether two rows (dataset, row, dataset, row) were given as a pair in fitting, or follow from given pairs. Pairs that the fit
    /// inferred were not given.
    pub fn given(&self) -> impl Fn(usize, usize, usize, usize) -> bool + use<> {
        let starts = offsets(self.datasets().iter().map(Fitted::nrows));
        let mut sets = Sets::new(starts[starts.len() - 1]);
        let found_itself = self.outcome().inferred();
        for link in self.pairs().iter().filter(|_| !found_itself) {
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
    // One product of all rows with all others gives every score of both directions.
    let (za, zb) = (a.embedding(), b.embedding());
    let standing: Vec<[Standing; 2]> = with_threads(0, || standings(za, zb, all, metric));
    let unseen: BTreeSet<&Pair> = held_out.iter().collect();
    let is_held_out: Vec<bool> = all.iter().map(|pair| unseen.contains(pair)).collect();
    // The mean over all pairs, and over those that are held out; none without pairs.
    let means = |of: &dyn Fn(&[Standing; 2]) -> f64| {
        let mean = |kept: &dyn Fn(usize) -> bool| {
            let (count, sum) =
                standing.iter().enumerate().filter(|(q, _)| kept(*q)).fold((0, 0.0), |(n, s), (_, p)| (n + 1, s + of(p)));
            (count > 0).then(|| sum / count as f64)
        };
        (mean(&|_| true), mean(&|q| is_held_out[q]))
    };
    let mut scores = vec![];
    for &k in ks {
        for (way, (source, target)) in [(a, b), (b, a)].into_iter().enumerate() {
            let (all, held_out) = means(&|pair| f64::from(u8::from(pair[way].rank <= k)));
            scores.push(Score {
                score: "recall",
                k: Some(k),
                from: Some(source.name().into()),
                to: Some(target.name().into()),
                held_out,
                all,
                chance: (k as f64 / target.nrows() as f64).min(1.0),
            });
        }
    }
    let (all, held_out) = means(&|pair| (pair[0].closer + pair[1].closer) / 2.0);
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
    use crate::evaluate::{foscttm, recall_at_k};

    #[test]
    fn scores_are_those_of_the_single_functions() {
        let rolls = crate::data::synthetic::SwissRolls::new(80).generate().unwrap();
        let pairs = rolls.pairs(20, 0).unwrap();
        let alignment = crate::method::InstanceAlignment::new(3).fit(&rolls.datasets, &pairs).unwrap();
        // Rows with several counterparts count once for each.
        let mut truth: Vec<Link> = (0..80).map(|i| Link { a: 0, i, b: 1, j: i, weight: 1.0 }).collect();
        let found = alignment.evaluate(&truth, &[1, 10], Some(Metric::Euclidean)).unwrap();
        let (za, zb) = (alignment.embedding(0), alignment.embedding(1));
        let value = |score: &str, k: Option<usize>, from: Option<&str>| {
            found[0].scores.iter().find(|s| s.score == score && s.k == k && s.from.as_deref() == from).unwrap()
        };
        let names: Vec<&str> = alignment.datasets().iter().map(|d| d.name()).collect();
        let recall = recall_at_k(za, zb, &[1, 10], None, Metric::Euclidean).unwrap();
        let back = recall_at_k(zb, za, &[1, 10], None, Metric::Euclidean).unwrap();
        for (at, k) in [1, 10].into_iter().enumerate() {
            assert!((value("recall", Some(k), Some(names[0])).all.unwrap() - recall[at]).abs() < 1e-12);
            assert!((value("recall", Some(k), Some(names[1])).all.unwrap() - back[at]).abs() < 1e-12);
        }
        let closer = foscttm(za, zb, None, Metric::Euclidean).unwrap();
        assert!((value("foscttm", None, None).all.unwrap() - closer).abs() < 1e-12);
        assert_eq!((found[0].given, found[0].held_out), (20, 60));
        truth.push(Link { a: 0, i: 0, b: 1, j: 5, weight: 1.0 });
        assert_eq!(alignment.evaluate(&truth, &[1], None).unwrap()[0].true_pairs, 81);
    }

    #[test]
    fn the_chance_of_labels_is_the_most_frequent_one() {
        let words = |text: &str| text.split(' ').map(String::from).collect::<Vec<_>>();
        assert_eq!(most_frequent_label(&words("a b b"), &words("b a b b")), 0.75);
    }
}
