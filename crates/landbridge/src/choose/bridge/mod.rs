//! A bridge between two embedding models: a map from one vector store to the other, and what it is worth.

mod contest;
mod quality;
mod quick;
mod recipe;

pub use quality::{Cluster, Direction, Doubtful, Point, Quality};

use crate::builder::setters;
use crate::choose::align::python_call;
use crate::correspondence::Splits;
use crate::correspondence::held_out::judgement;
use crate::data::{Dataset, Pairs, Rows, check_datasets};
use crate::error::{Error, Result};
use crate::memo::Memo;
use crate::method::Method;
use crate::model::Alignment;
use crate::outcome::{HeldOut, Judgement, LEAST_HELD_OUT, Warning};
use crate::progress::{Progress, with_threads};
use crate::registry;
use contest::{Contest, Entrant, Look, Work};
use quality::{doubtful, measured};
use quick::Stores;
use recipe::{Rooms, correlations, other_powers, others, with_further};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::sync::Arc;

/// Finds a map between two vector stores, the old one and the new one, and says what it is worth.
///
/// With ten or more known pairs, several maps compete on held-out pairs: rotations, ridge regression, canonical correlations with
/// several ridges and weights, and the last with further pairs that the unpaired rows give (mutual best matches, which count less
/// than known pairs or as much). With fewer pairs, or none, self-training finds them. All figures come from pairs that the measured map did not see, and
/// the rows of a held-out pair give no further pairs either.
///
/// | parameter | default | purpose | range |
/// |---|---|---|---|
/// | `folds` | auto | folds of held-out pairs: 10 up to 100 pairs, else 5 | ≥ 2 |
/// | `curve` | true | measure the learning curve | |
///
/// ```
/// use landbridge::choose::Bridge;
/// use landbridge::data::synthetic::RotatedCopies;
/// let copies = RotatedCopies::new(200).n_features(12).noise(0.05).generate()?;
/// let found = Bridge::new().bridge(&copies.datasets, &copies.pairs(60, 0)?)?;
/// assert_eq!(found.report.trusted, Some(true));
/// assert!(found.report.quality.unwrap().old_to_new.recall_at_10.value > 0.9);
/// # Ok::<(), landbridge::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Bridge {
    folds: Option<usize>,
    curve: bool,
    random_state: u64,
    n_jobs: usize,
}

/// The bridge, and what it is worth.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Bridged {
    /// The map, fitted to all pairs.
    pub alignment: Alignment,
    /// What it is worth; the outcome of the alignment has it as JSON.
    pub report: BridgeReport,
}

/// What a bridge is worth.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct BridgeReport {
    /// Known pairs.
    pub pairs: usize,
    /// Folds in which they were held out; 0 if there were too few.
    pub folds: usize,
    /// The chosen method, as written in Python.
    pub method: String,
    /// Further pairs that unpaired rows gave.
    pub further_pairs: usize,
    /// The candidates, the best first.
    pub table: Vec<Tried>,
    /// From held-out pairs. `None` with fewer than ten.
    pub quality: Option<Quality>,
    /// Recall with fewer pairs, in rising order.
    pub learning_curve: Vec<Point>,
    /// The number of pairs from which twice as many bring less than .01 of recall at 1. `None`: not reached.
    pub enough_pairs: Option<usize>,
    /// Unpaired rows of the old store whose place in the new one is least certain, the least certain first: those to embed anew.
    pub embed_first: Vec<Doubtful>,
    /// Whether to use the bridge: `None` if it cannot be told.
    pub trusted: Option<bool>,
    /// The same in words.
    pub verdict: String,
}

/// One candidate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Tried {
    /// As written in Python.
    pub method: String,
    /// The weight of further pairs from unpaired rows, relative to known ones; 0: none.
    pub further_weight: f64,
    /// Mean of both directions, over the folds that it took part in, among at most a few thousand rows.
    pub recall_at_1: Option<f64>,
    /// The same for lists of ten.
    pub recall_at_10: Option<f64>,
    /// Why it failed.
    pub error: Option<String>,
}

impl Default for Bridge {
    fn default() -> Self {
        Self { folds: None, curve: true, random_state: 0, n_jobs: 0 }
    }
}

/// The least number of held-out pairs that each point of a learning curve is measured on.
const ENOUGH_HELD: usize = 100;
/// The least number of held-out pairs that choose a recipe: with 100 of them, chance is as large as the differences.
const CHOOSING: usize = 300;
/// The number of held-out pairs that the winner is measured on: more of them would narrow the intervals by less than a hundredth.
const MEASURED: usize = 2000;
/// Folds in which recipes compete, at most.
const MOST_FOLDS: usize = 4;
/// The first point of a learning curve.
const FIRST_POINT: usize = 25;
/// What a doubling of the pairs must bring.
const WORTH_DOUBLING: f64 = 0.01;
/// Below this recall at 10 a search is not worth having.
const LEAST_RECALL: f64 = 0.5;
/// Rows of each store that the model keeps, to tell later whether new rows are like them.
const SAMPLE: usize = 512;

impl Bridge {
    /// With default parameters.
    pub fn new() -> Self {
        Self::default()
    }
    setters! {
        /// Number of folds; `None` chooses it by the number of pairs.
        folds: Option<usize> => folds;
        /// Measure the learning curve.
        curve: bool => curve;
        /// Seed of everything random.
        random_state: u64 => random_state;
        /// Number of threads; 0 means all cores. Results never depend on it.
        n_jobs: usize => n_jobs;
    }

    /// Finds the map from the first dataset (the old store) to the second (the new one), and back.
    pub fn bridge(&self, datasets: &[Dataset], pairs: &Pairs) -> Result<Bridged> {
        self.bridge_with(datasets, pairs, &Progress::silent())
    }

    /// As `bridge`, with progress reports.
    pub fn bridge_with(&self, datasets: &[Dataset], pairs: &Pairs, progress: &Progress) -> Result<Bridged> {
        check_datasets(datasets)?;
        if datasets.len() != 2 {
            return Err(Error::parameter("datasets", format!("{} stores", datasets.len()), "two: the old store and the new one"));
        }
        if let Some(sparse) = datasets.iter().find(|d| matches!(d.rows(), Rows::Sparse(_))) {
            let why = format!("\"{}\" is sparse; a bridge is for dense vectors, and align for other data", sparse.name());
            return Err(Error::Undefined { what: "a bridge".into(), why });
        }
        if self.folds.is_some_and(|folds| folds < 2) {
            return Err(Error::parameter("folds", self.folds.unwrap_or(0), "at least 2"));
        }
        if !pairs.is_empty() {
            pairs.check_for(datasets, "a bridge")?;
        }
        let (distinct, number) = pairs.merged();
        let (count, pairs) = (number.len() - distinct.len(), &distinct);
        with_threads(self.n_jobs, || {
            let units = Splits::new(datasets, pairs, 2, 0, None).units;
            let mut found = match units >= LEAST_HELD_OUT {
                true => self.by_held_out(datasets, pairs, units, progress)?,
                false => self.by_itself(datasets, pairs, progress)?,
            };
            let outcome = &mut found.alignment.outcome;
            let repeated = (count > 0).then_some(Warning::RepeatedPairs { count });
            outcome.warnings.splice(0..0, pairs.notes().iter().cloned().chain(repeated).chain(zero_rows(datasets)));
            outcome.warnings.dedup();
            outcome.bridge = serde_json::to_value(&found.report).ok();
            found.alignment.pairs = pairs.links().to_vec();
            for (fitted, dataset) in found.alignment.fitted.iter_mut().zip(datasets) {
                fitted.sample = Some(sample_of(dataset));
            }
            Ok(found)
        })
    }

    fn by_held_out(&self, datasets: &[Dataset], pairs: &Pairs, units: usize, progress: &Progress) -> Result<Bridged> {
        let folds = self.folds.unwrap_or(if units <= 100 { 10 } else { 5 });
        let splits = Splits::new(datasets, pairs, folds, self.random_state, None);
        let memo = Arc::new(Memo::new(datasets.iter().map(Dataset::shared_rows)));
        let progress = &progress.remembering(memo);
        let rooms = Rooms::new(datasets, pairs);
        let stores = Stores::new(datasets)?;
        // Recipes compete on as many folds as hold enough pairs.
        let competing = splits.folds.min(MOST_FOLDS).min(CHOOSING.div_ceil((pairs.len() / splits.folds).max(1)));
        let mut contest =
            Contest { work: Work { stores: &stores, pairs, splits: &splits, rooms: &rooms, progress }, competing, all: vec![] };
        contest.enter(correlations(datasets, pairs, self.random_state))?;
        if let Some(best) = contest.best_correlation() {
            contest.enter(other_powers(datasets, best, self.random_state))?;
        }
        contest.enter(others())?;
        if let Some(best) = contest.best_correlation().filter(|_| rooms.have_free_rows()) {
            contest.enter(with_further(datasets, best, self.random_state))?;
        }
        let Contest { work, mut all, .. } = contest;
        all.sort_by(|a, b| b.worth(competing).total_cmp(&a.worth(competing)));
        let table = all.iter().map(Entrant::row).collect();
        let Entrant { recipe, seen, .. } = all.swap_remove(0);
        seen?;
        progress.step("measuring the best", 0, 0)?;
        let measuring = splits.folds.min(MEASURED.div_ceil((pairs.len() / splits.folds).max(1)));
        let seen = work.seen(&recipe, 0..measuring, Look::Closely)?.concat();
        let held: HashSet<usize> = seen.iter().map(|s| splits.unit[s.pair]).collect();
        let learning_curve = match self.curve {
            true => work.curve(&recipe, &seen)?,
            false => vec![],
        };
        progress.step("fitting the best", 0, 0)?;
        let (mut alignment, further_pairs) = recipe.model(&stores, pairs, &rooms, progress)?;
        // A fold sees fewer pairs than there are; the curve tells how much that costs.
        let gained = gain(&learning_curve, splits.folds);
        let quality = measured(&seen, datasets, &splits, gained);
        let closer = seen.iter().flat_map(|s| s.standings).map(|s| s.closer).sum::<f64>() / (2 * seen.len()) as f64;
        let judged = judgement(closer, held.len());
        alignment.outcome.held_out = Some(HeldOut {
            pairs: held.len(),
            foscttm: closer,
            interval: (closer, closer),
            recall: 0.5 * (quality.old_to_new.recall_at_1.value + quality.new_to_old.recall_at_1.value),
            judgement: judged,
            groups: None,
        });
        let (trusted, verdict) = verdict_of(judged, &quality);
        let enough_pairs = enough(&learning_curve);
        let embed_first = doubtful(&alignment, &rooms, &seen, progress)?;
        let report = BridgeReport {
            pairs: pairs.len(),
            folds: splits.folds,
            method: python_call(&*recipe.method),
            further_pairs,
            table,
            quality: Some(quality),
            learning_curve,
            enough_pairs,
            embed_first,
            trusted,
            verdict,
        };
        Ok(Bridged { alignment, report })
    }

    /// With too few pairs to hold some out: self-training, which judges itself.
    fn by_itself(&self, datasets: &[Dataset], pairs: &Pairs, progress: &Progress) -> Result<Bridged> {
        let given = vec![("random_state".to_string(), crate::params::Value::Int(self.random_state.into()))];
        let method: Arc<dyn Method> = Arc::from(registry::method("self_training", given)?);
        let alignment = method.fit_with(datasets, pairs, progress)?;
        let trust = alignment.outcome().trust.clone().unwrap_or_default();
        let few = match pairs.len() {
            0 => "no pair is known".to_string(),
            n => format!("{n} known pair(s) are too few to hold some out"),
        };
        let verdict = match trust.trusted {
            true => format!(
                "use it: {few}, and rows find the same partners when matches are left out ({:.0} %, by chance {:.0} %); {LEAST_HELD_OUT} pairs would confirm it",
                100.0 * trust.reproducibility,
                100.0 * trust.null
            ),
            false => format!(
                "do not use it: {few}, and the matches that were found are not reproducible ({:.0} %, by chance {:.0} %); embed at least {LEAST_HELD_OUT} rows with both models and give them as pairs",
                100.0 * trust.reproducibility,
                100.0 * trust.null
            ),
        };
        let rooms = Rooms::new(datasets, pairs);
        let report = BridgeReport {
            pairs: pairs.len(),
            folds: 0,
            method: python_call(&*method),
            further_pairs: trust.matches,
            table: vec![],
            quality: None,
            learning_curve: vec![],
            enough_pairs: None,
            embed_first: doubtful(&alignment, &rooms, &[], progress)?,
            trusted: Some(trust.trusted),
            verdict,
        };
        Ok(Bridged { alignment, report })
    }
}

/// What the pairs of a fold would add: the slope of the last doubling times the part of a doubling that a fold lacks.
fn gain(curve: &[Point], folds: usize) -> [f64; 2] {
    let [.., before, last] = curve else { return [0.0; 2] };
    let doublings = (last.pairs as f64 / before.pairs as f64).log2();
    let lacking = (folds as f64 / (folds as f64 - 1.0)).log2();
    let slope = |now: f64, then: f64| ((now - then) / doublings * lacking).max(0.0);
    [slope(last.recall_at_1, before.recall_at_1), slope(last.recall_at_10, before.recall_at_10)]
}

/// The first point from which the next doubling brings less than it is worth.
fn enough(curve: &[Point]) -> Option<usize> {
    let flat = |w: &&[Point]| {
        let doublings = (w[1].pairs as f64 / w[0].pairs as f64).log2().max(1e-9);
        (w[1].recall_at_1 - w[0].recall_at_1) / doublings < WORTH_DOUBLING
    };
    curve.windows(2).find(flat).map(|w| w[0].pairs)
}

/// Recall at 1 above which a bridge works for some rows, and its share of recall at 10 from which it works for them alone.
const SOME: f64 = 0.1;
const ALIKE: f64 = 0.95;

fn verdict_of(judged: Judgement, quality: &Quality) -> (Option<bool>, String) {
    let there = &quality.old_to_new;
    let figures = format!(
        "{} pairs held out: {:.0} % of old vectors find their row of the new store first, {:.0} % among ten ({:.0} to {:.0} %)",
        quality.pairs,
        100.0 * there.recall_at_1.value,
        100.0 * there.recall_at_10.value,
        100.0 * there.recall_at_10.low,
        100.0 * there.recall_at_10.high
    );
    // A bridge that finds some rows first of all and others not even among ten has pairs that are wrong, or too few.
    let (first, ten) = (there.recall_at_1.value, there.recall_at_10.value);
    let wrong = first > SOME && first >= ALIKE * ten && ten < 0.95;
    let more = match wrong {
        true => "some pairs look wrong, which lb.check_pairs and `landbridge check` name, or give more pairs",
        false => "give more pairs",
    };
    match judged {
        Judgement::NotTrusted => {
            (Some(false), format!("do not use it: known pairs find each other no better than by chance; {figures}"))
        }
        Judgement::CannotTell => (None, format!("cannot tell: better than chance, but not clearly; {more}; {figures}")),
        Judgement::Trusted if there.recall_at_10.high < LEAST_RECALL => {
            (Some(false), format!("do not use it for search: the right row is missing from most lists of ten; {more}; {figures}"))
        }
        Judgement::Trusted if there.recall_at_10.low < LEAST_RECALL => {
            (None, format!("cannot tell whether it is good enough for search; {more}; {figures}"))
        }
        Judgement::Trusted if wrong => (Some(true), format!("use it: {figures}; {more}")),
        Judgement::Trusted => (Some(true), format!("use it: {figures}")),
    }
}

/// Rows without a direction: no map can place them.
fn zero_rows(datasets: &[Dataset]) -> Vec<Warning> {
    let counts = datasets.iter().map(|d| (d.name().to_string(), d.rows().zero_rows()));
    counts.filter(|(_, count)| *count > 0).map(|(dataset, count)| Warning::ZeroRows { dataset, count }).collect()
}

/// Every k-th row, for a later look at drift.
fn sample_of(dataset: &Dataset) -> crate::linalg::Matrix<f32> {
    let count = SAMPLE.min(dataset.nrows());
    let mut row = vec![0.0; dataset.ncols()];
    let mut out = crate::linalg::Matrix::zeros(count, dataset.ncols());
    for s in 0..count {
        dataset.rows().copy_row(s * dataset.nrows() / count, &mut row);
        out.row_mut(s).iter_mut().zip(&row).for_each(|(o, v)| *o = *v as f32);
    }
    out
}

#[cfg(test)]
mod tests;
