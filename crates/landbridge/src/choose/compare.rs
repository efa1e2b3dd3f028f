//! Several methods on the same held-out pairs.

use crate::builder::setters;
use crate::choose::candidate::{Candidate, changed};
use crate::choose::folds::{Extra, Scored, nests, score_nest};
use crate::choose::interval::{self, Estimate, Resamples};
use crate::choose::journal::{Journal, Kept};
use crate::choose::scoring::Scoring;
use crate::correspondence::Splits;
use crate::correspondence::held_out::{held_together, judgement};
use crate::data::{Dataset, Link, Pairs, check_datasets};
use crate::error::{Error, Result};
use crate::evaluate::Standing;
use crate::memo::Memo;
use crate::outcome::Judgement;
use crate::params::Value;
use crate::progress::{Progress, with_threads};
use serde::Serialize;
use std::sync::Arc;

/// From this share on, recall at 1 tells methods apart.
const RECALL_TELLS: f64 = 0.2;

/// Compares methods by known pairs: holds them out in folds, fits every method to the others, and looks where the held-out partners
/// stand.
///
/// Every method sees the same folds, so that differences between methods are differences over the same pairs. Held-out pairs never
/// enter a fit; preparation and neighbour graphs use rows of one dataset at a time and know of no pair. Such results are computed once
/// for all folds and methods. Candidates that differ in the number of components only are fitted once, with the largest: components are
/// in order.
///
/// | parameter | default | purpose | range |
/// |---|---|---|---|
/// | `folds` | 5 | number of folds | ≥ 2 |
/// | `scoring` | auto | what decides | |
/// | `groups` | near-copies | rows that are held out together | a number per row |
///
/// ```
/// use landbridge::choose::{Candidate, Compare};
/// use landbridge::data::synthetic::RotatedCopies;
/// use landbridge::method::{Cca, InstanceAlignment};
/// let copies = RotatedCopies::new(120).n_features(8).generate()?;
/// let candidates = [Candidate::new(Cca::new(4)), Candidate::new(InstanceAlignment::new(4))];
/// let found = Compare::new().compare(&candidates, &copies.datasets, &copies.pairs(40, 0)?)?;
/// assert_eq!(found.best().unwrap().method, "cca");
/// # Ok::<(), landbridge::Error>(())
/// ```
#[derive(Clone)]
pub struct Compare {
    folds: usize,
    scoring: Scoring,
    groups: Option<Vec<Vec<usize>>>,
    random_state: u64,
    n_jobs: usize,
    partial: bool,
    journal: Option<Arc<dyn Journal>>,
}

/// The result of a comparison.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Comparison {
    /// One row per candidate, in the given order.
    pub table: Vec<Compared>,
    /// The position of the best candidate; `None` if every fit failed.
    pub best: Option<usize>,
    /// What decided.
    pub scoring: Scoring,
    /// Pairs held out in turn.
    pub pairs: usize,
    /// Groups of pairs that are independent of each other.
    pub units: usize,
    /// Number of folds.
    pub folds: usize,
    /// The score by chance.
    pub chance: f64,
    /// How much better the best looks because it was chosen by these pairs.
    pub optimism: f64,
    /// Whether it was stopped before the last candidate.
    pub stopped: bool,
}

/// One measure of a candidate.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Measure {
    /// Its name, as in [`Scoring::NAMES`], or "label_transfer", or "mmae" (the error of predicted values).
    pub name: String,
    /// The mean over held-out pairs and both directions, with its interval.
    #[serde(flatten)]
    pub estimate: Estimate,
    /// The value by chance.
    pub chance: f64,
}

/// One row of a comparison.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Compared {
    /// The candidate's name in the table.
    pub label: String,
    /// The method's name.
    pub method: String,
    /// Its parameters that are not defaults.
    pub params: serde_json::Value,
    /// Why it takes part.
    pub reason: String,
    /// The deciding score; for the best, less the optimism of choosing it. `None` if the fits failed.
    pub score: Option<Estimate>,
    /// All measures; for the best, each less the optimism of choosing it.
    pub measures: Vec<Measure>,
    /// The 95 % interval of the best score less this one, over the same pairs (sign: positive means that the best is better).
    pub behind: Option<(f64, f64)>,
    /// Whether the pairs cannot tell it from the best.
    pub tied: bool,
    /// Seconds of one fit, with what it shares with others; of the largest number of components, where one fit serves several.
    pub seconds: f64,
    /// Whether the joint space can be trusted, by the share of nearer rows.
    pub judgement: Option<Judgement>,
    /// Why its fits failed.
    pub error: Option<String>,
    /// Where the partners stand, in the order of the pairs; kept for pictures and resuming.
    #[serde(skip)]
    pub standings: Vec<[Standing; 2]>,
}

impl Comparison {
    /// The best candidate.
    pub fn best(&self) -> Option<&Compared> {
        self.best.map(|b| &self.table[b])
    }
}

impl Compared {
    /// A measure by name.
    pub fn measure(&self, name: &str) -> Option<&Measure> {
        self.measures.iter().find(|m| m.name == name)
    }
    /// The share of pairs whose partner is among the `k` nearest rows, averaged over both directions.
    pub fn recall_at(&self, k: usize) -> f64 {
        let hits = self.standings.iter().flatten().filter(|s| s.rank <= k).count();
        hits as f64 / (2 * self.standings.len()).max(1) as f64
    }
}

impl Default for Compare {
    fn default() -> Self {
        Self { folds: 5, scoring: Scoring::Auto, groups: None, random_state: 0, n_jobs: 0, partial: false, journal: None }
    }
}

/// Least number of independent pairs that a comparison takes.
pub(crate) const LEAST_PAIRS: usize = 4;

impl Compare {
    /// With default parameters.
    pub fn new() -> Self {
        Self::default()
    }
    setters! {
        /// Number of folds.
        folds: usize => folds;
        /// What decides.
        scoring: Scoring => scoring;
        /// Rows that are held out together: a number for each row of each dataset. Rows with the same number, in any dataset,
        /// belong together.
        groups: Option<Vec<Vec<usize>>> => groups;
        /// Seed of the folds and of the bootstrap.
        random_state: u64 => random_state;
        /// Number of threads; 0 means all cores. Results never depend on it.
        n_jobs: usize => n_jobs;
        /// A comparison that is cancelled returns the candidates that were finished.
        partial: bool => partial;
        /// Where finished folds are kept, so that the same comparison can go on.
        journal: Option<Arc<dyn Journal>> => journal;
    }

    /// Compares the candidates.
    pub fn compare(&self, candidates: &[Candidate], datasets: &[Dataset], pairs: &Pairs) -> Result<Comparison> {
        self.compare_with(candidates, datasets, pairs, &Progress::silent())
    }

    /// As `compare`, with progress reports.
    pub fn compare_with(
        &self,
        candidates: &[Candidate],
        datasets: &[Dataset],
        pairs: &Pairs,
        progress: &Progress,
    ) -> Result<Comparison> {
        with_threads(self.n_jobs, || {
            let splits = self.splits(candidates, datasets, pairs)?;
            let memo = Arc::new(Memo::new(datasets.iter().map(Dataset::shared_rows)));
            let kept = self.journal.as_deref().map(|journal| Kept::new(journal, datasets, pairs, &splits));
            let folds: Vec<usize> = (0..splits.folds).collect();
            let nests = nests(candidates, datasets);
            let mut found: Vec<Option<Scored>> = vec![None; candidates.len()];
            for (number, nest) in nests.iter().enumerate() {
                let members: Vec<&Candidate> = nest.iter().map(|c| &candidates[*c]).collect();
                let label = members.last().map_or("", |c| &c.label);
                let (done, total) = (number * splits.folds, nests.len() * splits.folds);
                let step = |fold| progress.step(&format!("comparing {label}"), done + fold, total);
                match score_nest(&members, datasets, pairs, &splits, &folds, &memo, kept.as_ref(), &step, progress) {
                    Ok(scored) => nest.iter().zip(scored).for_each(|(c, scored)| found[*c] = Some(scored)),
                    Err(Error::Cancelled) if self.partial && number > 0 => break,
                    Err(error) => return Err(error),
                }
            }
            let scored = candidates.iter().cloned().zip(found).filter_map(|(c, s)| Some((c, s?)));
            let (finished, found): (Vec<Candidate>, Vec<Scored>) = scored.unzip();
            let mut judged = self.judge(&finished, found, datasets, pairs, &splits);
            judged.stopped = judged.table.len() < candidates.len();
            Ok(judged)
        })
    }

    /// Checks the input, and deals the pairs to folds.
    pub(crate) fn splits(&self, candidates: &[Candidate], datasets: &[Dataset], pairs: &Pairs) -> Result<Splits> {
        check_datasets(datasets)?;
        if self.folds < 2 {
            return Err(Error::parameter("folds", self.folds, "at least 2"));
        }
        if candidates.is_empty() {
            return Err(Error::parameter("methods", "empty", "at least one method"));
        }
        if !pairs.is_empty() {
            pairs.check_for(datasets, "a comparison")?;
        }
        let together = held_together(self.groups.as_deref(), datasets, pairs, &Progress::silent())?;
        let splits = Splits::new(datasets, pairs, self.folds, self.random_state, together.as_deref());
        if splits.units < LEAST_PAIRS {
            let given = match (pairs.len(), splits.units) {
                (0, _) => "no pair is known".into(),
                (1, _) => "1 pair is known".into(),
                (l, u) if l == u => format!("{l} pairs are known"),
                (l, 1) => format!("{l} pairs are known, in 1 group that is held out together"),
                (l, u) => format!("{l} pairs are known, in {u} groups that are held out together"),
            };
            let why = format!("{given}, and holding some out needs at least {LEAST_PAIRS}; ten or more can decide");
            return Err(Error::Undefined { what: "a comparison by held-out pairs".into(), why });
        }
        Ok(splits)
    }

    /// The table, from the scores of all folds.
    pub(crate) fn judge(
        &self,
        candidates: &[Candidate],
        found: Vec<Scored>,
        datasets: &[Dataset],
        pairs: &Pairs,
        splits: &Splits,
    ) -> Comparison {
        let sizes = Sizes::of(datasets, pairs.links());
        let by_unit: Vec<Option<Units>> =
            found.iter().map(|s| s.error.is_none().then(|| Units::of(&s.standings, datasets, pairs.links(), splits))).collect();
        let best_recall = by_unit.iter().flatten().map(|u| mean(&u.recall[0])).fold(0.0, f64::max);
        let scoring = match self.scoring {
            Scoring::Auto if best_recall >= RECALL_TELLS => Scoring::RecallAt1,
            Scoring::Auto => Scoring::Foscttm,
            asked => asked,
        };
        // Larger is better, for every scoring.
        let worth = |scoring: Scoring, u: &Units| -> Vec<f64> {
            let own = u.shares(scoring);
            if scoring.larger_is_better() { own.to_vec() } else { own.iter().map(|v| 1.0 - v).collect() }
        };
        let scored: Vec<usize> = (0..found.len()).filter(|c| by_unit[*c].is_some()).collect();
        let worths_by = |scoring: Scoring| -> Vec<Vec<f64>> {
            scored.iter().filter_map(|c| by_unit[*c].as_ref()).map(|u| worth(scoring, u)).collect()
        };
        let worths = worths_by(scoring);
        let resamples = Resamples::new(splits.units, self.random_state);
        // Among candidates that the pairs cannot tell apart by recall, the mean logarithm of the rank decides. The share of nearer rows
        // says as much by itself; there the other numbers of components of the same method count too, because few pairs make a
        // single setting look good by luck.
        let finer: Vec<Vec<f64>> = match scoring {
            Scoring::Foscttm => pooled(&worths, &nests(candidates, datasets), &scored),
            _ => scored.iter().filter_map(|c| by_unit[*c].as_ref()).map(|u| u.log_rank.clone()).collect(),
        };
        let decide = |counts: &[u16]| interval::chosen(&worths, &finer, counts);
        let decided = decide(&vec![1; splits.units]);
        let best = scored.get(decided).copied();
        // What chooses by one score flatters the winner in the others, too: each is told less its own optimism.
        let choices = resamples.choices(decide);
        let optimism_of = |scoring: Scoring| if best.is_some() { resamples.optimism(&worths_by(scoring), &choices) } else { 0.0 };
        let optimism = optimism_of(scoring);
        let honest = |scoring: Scoring, units: &Units, wins: bool| {
            let own = Estimate::of(units.shares(scoring));
            let sign = if scoring.larger_is_better() { -1.0 } else { 1.0 };
            if wins { own.moved(sign * optimism_of(scoring)) } else { own }
        };
        let chances = sizes.chances();
        let mut table = vec![];
        for (c, (candidate, scores)) in candidates.iter().zip(found).enumerate() {
            let mut row = Compared {
                label: candidate.label.clone(),
                method: candidate.method().schema().name.into(),
                params: Value::Map(changed(candidate.method())).to_json(),
                reason: candidate.reason.clone(),
                score: None,
                measures: vec![],
                behind: None,
                tied: false,
                seconds: scores.seconds,
                judgement: None,
                error: scores.error,
                standings: scores.standings,
            };
            if let Some(units) = &by_unit[c] {
                for (scoring, chance) in Scoring::ALL[1..].iter().zip(chances) {
                    row.measures.push(Measure {
                        name: scoring.name().into(),
                        estimate: honest(*scoring, units, Some(c) == best),
                        chance,
                    });
                }
                for Extra { name, value, chance } in scores.extras {
                    row.measures.push(Measure { name, estimate: Estimate { value, low: value, high: value }, chance });
                }
                row.score = Some(honest(scoring, units, Some(c) == best));
                let closer = honest(Scoring::Foscttm, units, Some(c) == best).value;
                row.judgement = Some(judgement(closer, splits.units));
                if let (Some(s), true) = (scored.iter().position(|o| *o == c), Some(c) != best) {
                    let behind = resamples.difference(&worths[decided], &worths[s]);
                    row.tied = behind.0 <= 0.0;
                    row.behind = Some(behind);
                }
            }
            table.push(row);
        }
        let chance = Scoring::ALL[1..].iter().position(|s| *s == scoring).map_or(0.0, |at| chances[at]);
        Comparison {
            table,
            best,
            scoring,
            pairs: pairs.len(),
            units: splits.units,
            folds: splits.folds,
            chance,
            optimism,
            stopped: false,
        }
    }
}

/// The scores of each of the candidates `scored`, averaged with the mean over its nest.
fn pooled(worths: &[Vec<f64>], nests: &[Vec<usize>], scored: &[usize]) -> Vec<Vec<f64>> {
    let one = |(own, candidate): (&Vec<f64>, &usize)| {
        let nest: &[usize] = nests.iter().find(|nest| nest.contains(candidate)).map_or(&[], Vec::as_slice);
        let peers: Vec<&Vec<f64>> = (0..scored.len()).filter(|s| nest.contains(&scored[*s])).map(|s| &worths[s]).collect();
        let peers_mean = |u: usize| peers.iter().map(|p| p[u]).sum::<f64>() / peers.len().max(1) as f64;
        own.iter().enumerate().map(|(u, w)| 0.5 * (w + peers_mean(u))).collect()
    };
    worths.iter().zip(scored).map(one).collect()
}

/// How many rows compete with the partner, for each pair and direction.
struct Sizes(Vec<[usize; 2]>);

impl Sizes {
    fn of(datasets: &[Dataset], links: &[Link]) -> Self {
        Self(links.iter().map(|l| [datasets[l.b].nrows(), datasets[l.a].nrows()]).collect())
    }
    /// The chance levels of recall at 1, 5 and 10, of the mean reciprocal rank, and of the share of nearer rows.
    fn chances(&self) -> [f64; 5] {
        let all: Vec<f64> = self.0.iter().flatten().map(|n| *n as f64).collect();
        let recall = |k: f64| mean(&all.iter().map(|n| (k / n).min(1.0)).collect::<Vec<_>>());
        let harmonic = |n: f64| (n.ln() + 0.5772 + 0.5 / n) / n;
        [recall(1.0), recall(5.0), recall(10.0), mean(&all.iter().map(|n| harmonic(*n).min(1.0)).collect::<Vec<_>>()), 0.5]
    }
}

/// The scores of one candidate, averaged over the pairs of each unit and both directions.
pub(crate) struct Units {
    recall: [Vec<f64>; 3],
    reciprocal: Vec<f64>,
    closer: Vec<f64>,
    /// `1 − ln(rank) / ln(rows)`: 1 if the partner is first, 0 if it is last.
    pub(crate) log_rank: Vec<f64>,
}

impl Units {
    pub(crate) fn of(standings: &[[Standing; 2]], datasets: &[Dataset], links: &[Link], splits: &Splits) -> Self {
        let sizes = Sizes::of(datasets, links);
        let averaged = |score: &dyn Fn(&Standing, usize) -> f64| {
            let (mut sums, mut counts) = (vec![0.0; splits.units], vec![0.0; splits.units]);
            for (p, both) in standings.iter().enumerate() {
                for (standing, rows) in both.iter().zip(sizes.0[p]) {
                    sums[splits.unit[p]] += score(standing, rows);
                    counts[splits.unit[p]] += 1.0;
                }
            }
            sums.iter().zip(counts).map(|(s, c)| s / c).collect::<Vec<f64>>()
        };
        let recall = |k: usize| averaged(&|s, _| f64::from(u8::from(s.rank <= k)));
        Self {
            recall: [recall(1), recall(5), recall(10)],
            reciprocal: averaged(&|s, _| 1.0 / s.rank as f64),
            closer: averaged(&|s, _| s.closer),
            log_rank: averaged(&|s, rows| 1.0 - (s.rank as f64).ln() / (rows.max(2) as f64).ln()),
        }
    }
    pub(crate) fn shares(&self, scoring: Scoring) -> &[f64] {
        match scoring {
            Scoring::Auto | Scoring::RecallAt1 => &self.recall[0],
            Scoring::RecallAt5 => &self.recall[1],
            Scoring::RecallAt10 => &self.recall[2],
            Scoring::Mrr => &self.reciprocal,
            Scoring::Foscttm => &self.closer,
        }
    }
}

pub(crate) fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::correspondence::JudgeHeldOut;
    use crate::correspondence::cross_validation::held_standings;
    use crate::data::synthetic::RotatedCopies;
    use crate::method::{Cca, InstanceAlignment, MeanVotes, ProcrustesAlignment};

    fn copies() -> (Vec<Dataset>, Pairs) {
        let copies = RotatedCopies::new(120).n_features(8).noise(0.1).generate().unwrap();
        let pairs = copies.pairs(40, 3).unwrap();
        (copies.datasets, pairs)
    }

    #[test]
    fn the_scores_are_those_of_one_method_judged_alone() {
        let (data, pairs) = copies();
        let found = Compare::new().compare(&[Candidate::new(Cca::new(3))], &data, &pairs).unwrap();
        let alone = JudgeHeldOut::new().judge(&Cca::new(3), &data, &pairs).unwrap();
        let row = found.best().unwrap();
        assert!((row.measure("foscttm").unwrap().estimate.value - alone.foscttm).abs() < 1e-12);
        assert!((row.measure("recall_at_1").unwrap().estimate.value - alone.recall).abs() < 1e-12);
        assert_eq!((row.judgement, found.optimism), (Some(alone.judgement), 0.0));
    }

    #[test]
    fn a_clearly_better_method_wins_and_the_same_one_is_tied() {
        let (data, pairs) = copies();
        let candidates = [
            Candidate::new(InstanceAlignment::new(1)),
            Candidate::new(Cca::new(4)),
            Candidate::new(Cca::new(4)).labelled("once more"),
        ];
        let found = Compare::new().compare(&candidates, &data, &pairs).unwrap();
        assert_eq!(found.best, Some(1));
        assert!(!found.table[0].tied && found.table[0].behind.unwrap().0 > 0.0, "{:?}", found.table[0]);
        assert!(found.table[2].tied && found.table[2].behind == Some((0.0, 0.0)));
        assert_eq!(found.table[1].label, "cca(n_components=4)");
    }

    #[test]
    fn a_setting_is_pooled_with_its_other_numbers_of_components() {
        let worths = vec![vec![0.2, 0.4], vec![0.6, 0.8], vec![1.0, 0.0]];
        // The second candidate failed; the first and the third differ in the number of components only.
        let found = pooled(&worths, &[vec![0, 2], vec![1], vec![3]], &[0, 2, 3]);
        let expected = [[0.3, 0.5], [0.5, 0.7], [1.0, 0.0]];
        for (row, expected) in found.iter().zip(expected) {
            assert!(row.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{row:?} {expected:?}");
        }
    }

    #[test]
    fn shared_results_change_no_score() {
        let (data, pairs) = copies();
        let method = || ProcrustesAlignment::new(crate::embed::LaplacianEigenmaps::new(3));
        let one = Compare::new().compare(&[Candidate::new(method())], &data, &pairs).unwrap();
        let candidates = [Candidate::new(InstanceAlignment::new(3)), Candidate::new(method())];
        let two = Compare::new().compare(&candidates, &data, &pairs).unwrap();
        assert_eq!(one.table[0].standings, two.table[1].standings);
        // A fit by itself, without anything shared.
        let splits = Splits::new(&data, &pairs, 5, 0, None);
        let fitted = method().fit(&data, &splits.known(&pairs, 2).unwrap()).unwrap();
        let held = splits.held(2);
        let (alone, _) = held_standings(&fitted, &pairs, &splits, 2, None);
        held.iter().zip(alone).for_each(|(p, standing)| assert_eq!(one.table[0].standings[*p], standing));
    }

    #[test]
    fn ratings_are_also_compared_by_the_error_of_predicted_values() {
        use crate::linalg::Csr;
        let cloud = RotatedCopies::new(120).n_features(2).generate().unwrap();
        let mut taste = vec![0.0; 2];
        // A rating is how well an item suits a taste; a third is unknown.
        let mut ratings = |a: usize, items: usize| {
            let mut entries = vec![];
            for i in 0..120 {
                cloud.datasets[0].rows().copy_row(i, &mut taste);
                let suits = |j: usize| 3.0 * taste[j % 2] * (1.0 + (j % 5) as f64) + j as f64;
                entries.extend((0..items).filter(|j| !(i * 7 + j * 5 + a).is_multiple_of(3)).map(|j| (i, j, suits(j))));
            }
            Dataset::new(["books", "films"][a], Csr::from_triplets(120, items, &entries).unwrap()).unwrap().partly_known()
        };
        let (data, pairs) = (vec![ratings(0, 24), ratings(1, 30)], Pairs::first_rows(2, 80));
        let candidates = [Candidate::new(crate::method::Clle::new(3)), Candidate::new(InstanceAlignment::new(3))];
        let found = Compare::new().compare(&candidates, &data, &pairs).unwrap();
        let error = found.table[0].measure("mmae").unwrap();
        assert!(error.estimate.value > 0.0 && error.estimate.value < 0.9 * error.chance, "{error:?}");
        // It gives rows places and predicts nothing.
        assert!(found.table[1].measure("mmae").is_none() && found.table[1].error.is_none(), "{:?}", found.table[1]);
    }

    #[test]
    fn what_cannot_be_compared_says_why() {
        let (data, pairs) = copies();
        let few =
            Compare::new().compare(&[Candidate::new(Cca::new(3))], &data, &Pairs::first_rows(2, 3)).unwrap_err().to_string();
        assert!(few.contains("at least 4"), "{few}");
        assert!(Compare::new().compare(&[], &data, &pairs).is_err());
        assert!(Compare::new().folds(1).compare(&[Candidate::new(Cca::new(3))], &data, &pairs).is_err());
        let groups = Compare::new().groups(Some(vec![vec![0; 5], vec![0; 5]]));
        assert!(groups.compare(&[Candidate::new(Cca::new(3))], &data, &pairs).unwrap_err().to_string().contains("120, 120"));
        let candidates = [Candidate::new(InstanceAlignment::new(3).n_neighbors(500)), Candidate::new(MeanVotes::new())];
        let found = Compare::new().compare(&candidates, &data, &pairs).unwrap();
        assert_eq!(found.best, None);
        assert!(found.table[0].error.as_ref().unwrap().contains("n_neighbors"), "{:?}", found.table[0].error);
        assert!(found.table[1].error.as_ref().unwrap().contains("coordinates"), "{:?}", found.table[1].error);
    }

    #[derive(Default)]
    struct Book(std::sync::Mutex<std::collections::BTreeMap<String, String>>);

    impl Journal for Book {
        fn find(&self, key: &str) -> Option<String> {
            self.0.lock().unwrap().get(key).cloned()
        }
        fn keep(&self, key: &str, entry: &str) -> Result<()> {
            self.0.lock().unwrap().insert(key.into(), entry.into());
            Ok(())
        }
    }

    #[test]
    fn a_stopped_comparison_keeps_what_is_done_and_goes_on() {
        let (data, pairs) = copies();
        let candidates = [Candidate::new(Cca::new(3)), Candidate::new(InstanceAlignment::new(3)), Candidate::new(Cca::new(2))];
        let whole = Compare::new().compare(&candidates, &data, &pairs).unwrap();
        let book = Arc::new(Book::default());
        let compare = Compare::new().journal(Some(book.clone())).partial(true);
        // Stopped in the second fold of the second candidate.
        let seen = Arc::new(std::sync::atomic::AtomicUsize::new(0));
        let cell: Arc<std::sync::OnceLock<Progress>> = Arc::default();
        // Weak: the cell holds the progress that holds this listener.
        let (counted, to_stop) = (seen.clone(), Arc::downgrade(&cell));
        let progress = Progress::listening(move |step| {
            if step.stage.starts_with("comparing instance") && counted.fetch_add(1, std::sync::atomic::Ordering::Relaxed) == 1 {
                to_stop.upgrade().unwrap().get().unwrap().cancel();
            }
        });
        cell.set(progress.clone()).unwrap();
        let part = compare.compare_with(&candidates, &data, &pairs, &progress).unwrap();
        // One fit served both numbers of components of CCA.
        assert!(part.stopped && part.table.iter().all(|row| row.method == "cca") && part.table.len() == 2);
        assert_eq!(book.0.lock().unwrap().len(), 11);
        let mut rest = compare.compare(&candidates, &data, &pairs).unwrap();
        assert_eq!(book.0.lock().unwrap().len(), 15);
        for (a, b) in rest.table.iter_mut().zip(&whole.table) {
            a.seconds = b.seconds;
        }
        assert_eq!(rest, whole);
        // Other data find nothing in it.
        let mut other = data.clone();
        other.swap(0, 1);
        compare.compare(&candidates[..1], &other, &pairs).unwrap();
        assert_eq!(book.0.lock().unwrap().len(), 20);
    }

    #[test]
    fn shuffled_pairs_score_by_chance() {
        let (data, pairs) = copies();
        let mut wrong = Pairs::none(2);
        let links = pairs.links();
        (0..links.len()).for_each(|p| wrong.add(0, links[p].i, 1, links[(p * 7 + 3) % links.len()].j, 1.0).unwrap());
        let candidates = [Candidate::new(Cca::new(4)), Candidate::new(InstanceAlignment::new(4))];
        let found = Compare::new().compare(&candidates, &data, &wrong).unwrap();
        for row in &found.table {
            let score = row.measure("foscttm").unwrap().estimate;
            assert!(score.high > 0.4, "{row:?}");
            assert_ne!(row.judgement, Some(Judgement::Trusted));
        }
    }
}
