//! Scores of a model against truth, each beside its chance level: shared by `evaluate` and `demo`.

use crate::Result;
use crate::output::thousands;
use landbridge::data::Link;
use landbridge::data::Sets;
use landbridge::evaluate::{foscttm, label_transfer, recall_at_k};
use landbridge::geometry::neighbors::Metric;
use landbridge::linalg::Matrix;
use landbridge::model::{Alignment, Fitted};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// Neighbours that vote on a label.
const VOTERS: usize = 5;

/// All scores of one pair of datasets.
#[derive(Debug, Serialize)]
pub(crate) struct PairScores {
    pub(crate) datasets: [String; 2],
    /// True pairs between the two.
    pub(crate) true_pairs: usize,
    /// Those that were given in fitting, or follow from what was given.
    pub(crate) given: usize,
    pub(crate) held_out: usize,
    pub(crate) scores: Vec<Score>,
}

/// One score, on true pairs that were not given, on all of them, and by chance.
#[derive(Debug, Serialize)]
pub(crate) struct Score {
    pub(crate) score: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) k: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) from: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) to: Option<String>,
    pub(crate) held_out: Option<f64>,
    pub(crate) all: Option<f64>,
    pub(crate) chance: f64,
}

/// A true pair: row of one dataset, row of the other.
type Pair = (usize, usize);

/// Scores of every pair of datasets that the truth covers.
pub(crate) fn score(alignment: &Alignment, truth: &[Link], ks: &[usize], metric: Metric) -> Result<Vec<PairScores>> {
    let given = given_pairs(alignment);
    // Each true pair once, however often the file says so.
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

/// Was this pair given in fitting, or does it follow from given ones by a chain?
fn given_pairs(alignment: &Alignment) -> impl Fn(usize, usize, usize, usize) -> bool {
    let mut starts = vec![0];
    for dataset in alignment.datasets() {
        starts.push(starts[starts.len() - 1] + dataset.nrows());
    }
    let mut sets = Sets::new(starts[starts.len() - 1]);
    for link in alignment.pairs() {
        sets.join(starts[link.a] + link.i, starts[link.b] + link.j);
    }
    let (set, _) = sets.numbered();
    move |a, i, b, j| set[starts[a] + i] == set[starts[b] + j]
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
    // The order people read: both directions of one k together.
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

/// The mean over true pairs; none without pairs. The library knows one counterpart of each source row, so further
/// counterparts of a row are scored in further turns.
fn per_pair(
    n_source: usize,
    pairs: &[Pair],
    n_scores: usize,
    scores: impl Fn(&[i64]) -> landbridge::Result<Vec<f64>>,
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
fn most_frequent_label(source: &[String], target: &[String]) -> f64 {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for label in source {
        *counts.entry(label).or_default() += 1;
    }
    let winner = counts.into_iter().max_by_key(|c| c.1).map_or("", |c| c.0);
    target.iter().filter(|label| *label == winner).count() as f64 / target.len() as f64
}

/// A number between 0 and 1 as people compare it.
fn share(value: Option<f64>) -> String {
    match value {
        None => "–".into(),
        Some(v) if v > 0.0 && v < 0.01 => format!("{v:.4}"),
        Some(v) => format!("{v:.3}"),
    }
}

impl PairScores {
    /// The headline: recall at the first k from the first dataset, on held-out pairs where there are any.
    pub(crate) fn headline(&self) -> Option<&Score> {
        self.scores.iter().find(|s| s.score == "recall")
    }

    /// A table for people.
    pub(crate) fn table(&self) -> String {
        let mut lines = vec![[
            format!("{} and {}", self.datasets[0], self.datasets[1]),
            format!("held out ({})", thousands(self.held_out)),
            format!("all ({})", thousands(self.true_pairs)),
            "chance".to_string(),
        ]];
        for s in &self.scores {
            let k = s.k.unwrap_or_default();
            let way = match (&s.from, &s.to) {
                (Some(from), Some(to)) => format!("{from} → {to}"),
                _ => String::new(),
            };
            let what = match s.score {
                "recall" => format!("  recall@{k:<3} {way}"),
                "foscttm" => "  FOSCTTM, 0 is perfect".into(),
                _ => format!("  label transfer {way}"),
            };
            lines.push([what, share(s.held_out), share(s.all), share(Some(s.chance))]);
        }
        let width = |column: usize| lines.iter().map(|l| l[column].chars().count()).max().unwrap_or(0);
        let widths = [width(0), width(1), width(2), width(3)];
        let mut out = String::new();
        for (row, line) in lines.iter().enumerate() {
            let [what, held_out, all, chance] = line;
            let text = format!("{what:<0$}  {held_out:>1$}  {all:>2$}  {chance:>3$}", widths[0], widths[1], widths[2], widths[3]);
            out.push_str(text.trim_end());
            out.push('\n');
            if row == 0 {
                out.push_str(&format!("{}\n", "─".repeat(widths.iter().sum::<usize>() + 6)));
            }
        }
        out
    }
}

/// A dataset of the model as something a pairs file can be read for: its name, its rows, its ids.
pub(crate) fn as_dataset(fitted: &Fitted) -> Result<landbridge::data::Dataset> {
    let dataset = landbridge::data::Dataset::new(fitted.name(), Matrix::<f64>::zeros(fitted.nrows(), 1))?;
    Ok(match fitted.row_ids() {
        Some(ids) => dataset.with_row_ids(ids.to_vec())?,
        None => dataset,
    })
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
