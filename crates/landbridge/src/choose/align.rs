//! One call that chooses a method, says why and how good it is, and fits it.

use crate::builder::setters;
use crate::choose::candidate::Candidate;
use crate::choose::compare::{Compare, Compared, Comparison, LEAST_PAIRS};
use crate::choose::folds::{Scored, score_nest};
use crate::choose::interval::Estimate;
use crate::choose::look::Look;
use crate::choose::plan::{Plan, Sizes};
use crate::choose::proposals::{Looks, Proposal, SHAPE, Variant, proposals};
use crate::choose::scoring::Scoring;
use crate::correspondence::cross_validation::{Chance, held_standings};
use crate::correspondence::held_out::held_together;
use crate::correspondence::{InferPairs, Inferring, Splits, TransportPairs};
use crate::data::{Dataset, Pairs, Prepare, check_datasets};
use crate::error::{Error, Result};
use crate::evaluate::Standing;
use crate::memo::Memo;
use crate::method::{Cca, Method, ProcrustesAlignment};
use crate::model::Alignment;
use crate::outcome::{HeldOut, Judgement, LEAST_HELD_OUT, Warning};
use crate::progress::{Progress, with_threads};
use crate::registry;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::Instant;

/// Looks at the data, compares a few methods that suit it on held-out pairs, and fits the best one to all pairs.
///
/// Without known pairs, the candidates find the pairs themselves, and the one whose matches are most reproducible against the null
/// wins. The outcome of the alignment keeps the table, the reasons and the verdict.
///
/// | parameter | default | purpose | range |
/// |---|---|---|---|
/// | `scoring` | auto | what decides among candidates | |
/// | `folds` | auto | folds of held-out pairs: 20 for few pairs, 5 for many | ≥ 2 |
///
/// ```
/// use landbridge::choose::Align;
/// use landbridge::data::synthetic::RotatedCopies;
/// let copies = RotatedCopies::new(150).n_features(8).generate()?;
/// let found = Align::new().align(&copies.datasets, &copies.pairs(30, 0)?)?;
/// println!("{}", found.selection.explanation());
/// assert!(found.selection.trusted == Some(true));
/// # Ok::<(), landbridge::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Align {
    scoring: Scoring,
    folds: Option<usize>,
    groups: Option<Vec<Vec<usize>>>,
    random_state: u64,
    n_jobs: usize,
}

/// The chosen alignment, and how it was chosen.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Aligned {
    /// The best method, fitted to all pairs.
    pub alignment: Alignment,
    /// How it was chosen; the outcome of the alignment has it as JSON.
    pub selection: Selection,
}

/// How an alignment was chosen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Selection {
    /// One row per candidate, the best first.
    pub table: Vec<Row>,
    /// What decided: the name of a score, or "reproducibility" without pairs.
    pub scoring: String,
    /// Pairs held out in turn.
    pub pairs: usize,
    /// Number of folds.
    pub folds: usize,
    /// What the data look like, a sentence per dataset.
    pub looks: Vec<String>,
    /// Whether to trust the result: `None` if it cannot be told.
    pub trusted: Option<bool>,
    /// The verdict in words.
    pub verdict: String,
    /// The call that repeats the winner in Python.
    pub python: String,
    /// The call that repeats the winner on the command line.
    pub command: String,
    /// The part of it before the files: `landbridge fit cca -d 5`.
    pub options: String,
}

/// One candidate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Row {
    /// The method with the parameters that are not defaults, as written in Python.
    pub method: String,
    /// The score: on held-out pairs, or the reproducibility.
    pub score: Option<f64>,
    /// Lower end of its 95 % interval.
    pub low: Option<f64>,
    /// Upper end of its 95 % interval.
    pub high: Option<f64>,
    /// The score by chance; without pairs, that of copies in which there is nothing to find.
    pub chance: Option<f64>,
    /// Share of held-out rows whose partner is the nearest row.
    pub recall_at_1: Option<f64>,
    /// Share of held-out rows whose partner is among the ten nearest.
    pub recall_at_10: Option<f64>,
    /// Share of rows nearer than the partner.
    pub foscttm: Option<f64>,
    /// Whether the pairs cannot tell it from the best.
    pub tied: bool,
    /// Seconds of one fit. Files leave them out, so that the same call gives the same bytes.
    #[serde(skip_deserializing, default)]
    pub seconds: f64,
    /// Predicted peak of memory of one fit, the data included.
    #[serde(default)]
    pub peak_bytes: u64,
    /// Why it took part.
    pub reason: String,
    /// The verdict, or why its fits failed.
    pub verdict: String,
}

impl Selection {
    /// The whole story in words: the data, the candidates with reasons and scores, the verdict, the call.
    pub fn explanation(&self) -> String {
        let mut lines: Vec<String> = self.looks.iter().map(|look| format!("data      {look}")).collect();
        for row in &self.table {
            lines.push(format!("candidate {}: {}", row.method, row.reason));
            let score = match (row.score, row.low, row.high) {
                (Some(score), Some(low), Some(high)) => format!("{} {score:.3} ({low:.3} to {high:.3}); ", self.scoring),
                (Some(score), ..) => format!("{} {score:.3}; ", self.scoring),
                _ => String::new(),
            };
            lines.push(format!("          {score}{}", row.verdict));
        }
        lines.push(format!("chosen    {}", self.python));
        lines.push(format!("          {}", self.command));
        lines.push(format!("verdict   {}", self.verdict));
        lines.join("\n")
    }
}

impl Default for Align {
    fn default() -> Self {
        Self { scoring: Scoring::Auto, folds: None, groups: None, random_state: 0, n_jobs: 0 }
    }
}

impl Align {
    /// With default parameters.
    pub fn new() -> Self {
        Self::default()
    }
    setters! {
        /// What decides among candidates.
        scoring: Scoring => scoring;
        /// Number of folds; `None` chooses it by the number of pairs.
        folds: Option<usize> => folds;
        /// Rows that are held out together: a number for each row of each dataset.
        groups: Option<Vec<Vec<usize>>> => groups;
        /// Seed of everything random.
        random_state: u64 => random_state;
        /// Number of threads; 0 means all cores. Results never depend on it.
        n_jobs: usize => n_jobs;
    }

    /// Chooses and fits.
    pub fn align(&self, datasets: &[Dataset], pairs: &Pairs) -> Result<Aligned> {
        self.align_with(datasets, pairs, &Progress::silent())
    }

    /// As `align`, with progress reports.
    pub fn align_with(&self, datasets: &[Dataset], pairs: &Pairs, progress: &Progress) -> Result<Aligned> {
        check_datasets(datasets)?;
        if !pairs.is_empty() {
            pairs.check_for(datasets, "an alignment")?;
        }
        with_threads(self.n_jobs, || {
            progress.step("looking at the data", 0, 0)?;
            let looks = Look::at_all(datasets, self.random_state, progress)?;
            let groups = held_together(self.groups.as_deref(), datasets, pairs, progress)?;
            let units = Splits::new(datasets, pairs, 2, 0, groups.as_deref()).units;
            let own = Self { groups, ..self.clone() };
            let mut aligned = match () {
                () if units >= LEAST_PAIRS => own.by_held_out(datasets, pairs, &looks, units, progress)?,
                () => own.by_reproducibility(datasets, pairs, &looks, progress)?,
            };
            aligned.alignment.outcome.warnings.splice(0..0, pairs.notes().iter().cloned());
            aligned.alignment.outcome.warnings.dedup();
            aligned.alignment.outcome.selection = Some(stored(&aligned.selection));
            Ok(aligned)
        })
    }

    /// Number of folds for that many independent pairs: few pairs are worth more fits, which are cheap then.
    fn folds_for(&self, units: usize) -> usize {
        self.folds.unwrap_or(match units {
            0..=80 => 20,
            81..=400 => 10,
            _ => 5,
        })
    }

    /// With known pairs: candidates compete on those held out.
    fn by_held_out(
        &self,
        datasets: &[Dataset],
        pairs: &Pairs,
        looks: &[Look],
        units: usize,
        progress: &Progress,
    ) -> Result<Aligned> {
        let families = proposals(&Looks(looks));
        let compare = Compare::new()
            .scoring(self.scoring)
            .folds(self.folds_for(units))
            .groups(self.groups.clone())
            .random_state(self.random_state);
        let memo = Arc::new(Memo::new(datasets.iter().map(Dataset::shared_rows)));
        let (mut candidates, mut found, mut family) = (vec![], vec![], vec![]);
        let splits = compare.splits(&[Candidate::new(Cca::new(1))], datasets, pairs)?;
        let total: usize = families.iter().map(|f| f.variants.len()).sum();
        for (f, proposal) in families.iter().enumerate() {
            for variant in &proposal.variants {
                progress.step("comparing methods", family.len(), total.max(family.len()))?;
                let (settings, scores) = self.settings(proposal, variant, datasets, pairs, &splits, &memo, progress)?;
                family.extend(std::iter::repeat_n(f, settings.len()));
                candidates.extend(settings);
                found.extend(scores);
            }
        }
        let compared = compare.judge(&candidates, found, datasets, pairs, &splits);
        let Some(best) = compared.best else {
            let mut reasons: Vec<String> = compared.table.iter().filter_map(|row| row.error.clone()).collect();
            reasons.sort_unstable();
            reasons.dedup();
            return Err(Error::Undefined {
                what: "an alignment".into(),
                why: format!("every candidate failed: {}", reasons.join("; ")),
            });
        };
        let method = candidates[best].shared_method();
        let correction = self.learning(&*method, &compared, best, datasets, pairs, &splits, &memo, progress)?;
        progress.step("fitting the best", 0, 0)?;
        let remembering = progress.remembering(memo);
        let started = Instant::now();
        let mut alignment = method.fit_with(datasets, pairs, &remembering)?;
        let seconds = started.elapsed().as_secs_f64() + remembering.seconds_saved();
        let held_out = held_out_of(&compared, best);
        let sizes = Sizes::of(datasets, pairs);
        let selection = self.selection(&compared, &family, looks, &candidates, &sizes, correction, seconds, &held_out);
        alignment.outcome.held_out = Some(held_out);
        Ok(Aligned { alignment, selection })
    }

    /// Scores all numbers of components of one setting: the fit of the largest serves for all.
    fn settings(
        &self,
        proposal: &Proposal,
        variant: &Variant,
        datasets: &[Dataset],
        pairs: &Pairs,
        splits: &Splits,
        memo: &Arc<Memo>,
        progress: &Progress,
    ) -> Result<(Vec<Candidate>, Vec<Scored>)> {
        let splits = proposal.folds.map_or_else(|| splits.clone(), |folds| splits.coarser(folds));
        let dimensions: Vec<Option<usize>> = match variant.dimensions.is_empty() {
            true => vec![None],
            false => variant.dimensions.iter().map(|d| Some(*d)).collect(),
        };
        let candidate =
            |d: &Option<usize>| Ok(Candidate::shared(variant.method(*d, self.random_state)?).because(proposal.reason.clone()));
        let candidates = dimensions.iter().map(candidate).collect::<Result<Vec<_>>>()?;
        let folds: Vec<usize> = (0..splits.folds).collect();
        let step = |fold| progress.step(&format!("comparing {}", variant.name()), fold, splits.folds);
        let nest: Vec<&Candidate> = candidates.iter().collect();
        let scores = score_nest(&nest, datasets, pairs, &splits, &folds, memo, None, &step, progress)?;
        Ok((candidates, scores))
    }

    /// How much better the winner is with all pairs than with those that the other folds leave: from fits with half as many pairs, if
    /// errors fall as `1 / pairs`.
    fn learning(
        &self,
        method: &dyn Method,
        compared: &Comparison,
        best: usize,
        datasets: &[Dataset],
        pairs: &Pairs,
        splits: &Splits,
        memo: &Arc<Memo>,
        progress: &Progress,
    ) -> Result<Learning> {
        let none = Learning::default();
        // Self-training adds its own pairs, so that it hardly depends on the number of known ones, and it takes long.
        if method.schema().family == "self_training" {
            return Ok(none);
        }
        let folds = splits.folds.min(10);
        let coarse = splits.coarser(folds);
        let links = pairs.links();
        let mut halved: Vec<Option<[Standing; 2]>> = vec![None; links.len()];
        let mut chance = Chance::default();
        for fold in 0..coarse.folds {
            progress.step("fits with half of the pairs", fold, coarse.folds)?;
            let known = coarse.half_known(pairs, fold)?;
            if known.is_empty() {
                return Ok(none);
            }
            match method.fit_with(datasets, &known, &progress.remembering(Arc::clone(memo))) {
                Ok(fitted) => {
                    let held = coarse.held(fold);
                    let (standings, wrong) = held_standings(&fitted, pairs, &coarse, fold, None);
                    held.iter().zip(standings).for_each(|(p, s)| halved[*p] = Some(s));
                    chance.add(wrong);
                }
                Err(Error::Cancelled) => return Err(Error::Cancelled),
                // Half of the pairs are too few for the method.
                Err(_) => return Ok(none),
            }
        }
        let mut halved: Vec<[Standing; 2]> = halved.into_iter().flatten().collect();
        chance.correct(&mut halved);
        let whole = &compared.table[best].standings;
        // Known pairs at the two points, in units of all pairs.
        let (more, less) = (1.0 - 1.0 / splits.folds as f64, 0.5 * (1.0 - 1.0 / coarse.folds as f64));
        let step = (1.0 / more - 1.0) / (1.0 / less - 1.0 / more);
        let gained = |score: &dyn Fn(&Standing) -> f64| {
            let all = |standings: &mut dyn Iterator<Item = [Standing; 2]>| {
                let values: Vec<f64> = standings.flatten().map(|s| score(&s)).collect();
                values.iter().sum::<f64>() / values.len().max(1) as f64
            };
            step * (all(&mut whole.iter().copied()) - all(&mut halved.iter().copied()))
        };
        Ok(Learning {
            recall: gained(&|s| f64::from(u8::from(s.rank == 1))).max(0.0),
            recall_at_10: gained(&|s| f64::from(u8::from(s.rank <= 10))).max(0.0),
            closer: gained(&|s| s.closer).min(0.0),
        })
    }

    fn selection(
        &self,
        compared: &Comparison,
        family: &[usize],
        looks: &[Look],
        candidates: &[Candidate],
        sizes: &Sizes,
        learning: Learning,
        seconds: f64,
        held_out: &HeldOut,
    ) -> Selection {
        let best = compared.best.unwrap_or(0);
        let sign = if compared.scoring.larger_is_better() { 1.0 } else { -1.0 };
        let worth = |c: usize| compared.table[c].score.map_or(f64::NEG_INFINITY, |s| sign * s.value);
        // Of each family the winner, or the best setting.
        let mut shown: Vec<usize> = vec![];
        for f in 0..=family.iter().copied().max().unwrap_or(0) {
            let own: Vec<usize> = (0..family.len()).filter(|c| family[*c] == f).collect();
            let first = own.iter().copied().max_by(|a, b| worth(*a).total_cmp(&worth(*b)).then(b.cmp(a)));
            shown.extend(if own.contains(&best) { Some(best) } else { first });
        }
        shown.sort_by(|a, b| (*b == best).cmp(&(*a == best)).then(worth(*b).total_cmp(&worth(*a))));
        let row = |c: &usize| {
            let compared_row = &compared.table[*c];
            let (moved, ten) = if *c == best { (learning, learning.recall_at_10) } else { (Learning::default(), 0.0) };
            let by = match compared.scoring {
                Scoring::Foscttm => moved.closer,
                _ => moved.recall,
            };
            let score = compared_row.score.map(|s| s.moved(by));
            let value = |name: &str, by: f64| compared_row.measure(name).map(|m| (m.estimate.value + by).clamp(0.0, 1.0));
            Row {
                method: python_call(candidates[*c].method()),
                score: score.map(|s: Estimate| s.value),
                low: score.map(|s| s.low),
                high: score.map(|s| s.high),
                chance: Some(compared.chance),
                recall_at_1: value("recall_at_1", moved.recall),
                recall_at_10: value("recall_at_10", ten),
                foscttm: value("foscttm", moved.closer),
                tied: compared_row.tied,
                seconds: if *c == best { seconds } else { compared_row.seconds },
                peak_bytes: Plan::new(candidates[*c].method(), sizes).peak_bytes,
                reason: compared_row.reason.clone(),
                verdict: row_verdict(compared_row, *c == best, compared.units),
            }
        };
        let method = candidates[best].method();
        Selection {
            table: shown.iter().map(row).collect(),
            scoring: compared.scoring.name().into(),
            pairs: compared.pairs,
            folds: compared.folds,
            looks: looks.iter().map(Look::summary).collect(),
            trusted: match held_out.judgement {
                Judgement::Trusted => Some(true),
                Judgement::NotTrusted => Some(false),
                Judgement::CannotTell => None,
            },
            verdict: held_out.verdict(),
            python: format!("{}.fit(datasets, pairs)", python_call(method)),
            command: format!("{} --pairs pairs.csv A B -o m.lb", options_of(method)),
            options: options_of(method),
        }
    }

    /// Without enough pairs: candidates find the pairs themselves, and reproducibility against the null decides.
    fn by_reproducibility(&self, datasets: &[Dataset], pairs: &Pairs, looks: &[Look], progress: &Progress) -> Result<Aligned> {
        let looks_of = Looks(looks);
        let most = looks.iter().map(|l| l.columns.min(l.rows - 1)).min().unwrap_or(1);
        let mut tries: Vec<(Box<dyn Method>, &str, &str)> = vec![];
        if pairs.is_empty() && looks_of.shape() {
            let base = ProcrustesAlignment::new(crate::embed::Unchanged::new());
            let infer = InferPairs::new().random_state(self.random_state);
            tries.push((
                Box::new(Inferring::new(base, infer)),
                "",
                "few columns, the same number on each side: rows may be points of one shape",
            ));
        }
        if looks_of.trains() {
            let given = vec![("random_state".to_string(), crate::params::Value::Int(self.random_state.into()))];
            let reason = "matches give a map and the map gives better matches, from few pairs or none";
            tries.push((registry::method("self_training", given)?, "", reason));
        }
        if pairs.is_empty() && datasets.len() == 2 {
            // As the transport compares them: profiles by direction, points by place.
            let profiles = looks.iter().all(|l| !l.sparse && l.columns > SHAPE && l.cells.is_none());
            let prepare = if profiles { Prepare::UnitCenter } else { Prepare::Auto };
            let base = Cca::new(most.clamp(1, TRANSPORTED)).prepare(prepare);
            let infer = TransportPairs::new().random_state(self.random_state);
            let reason = "optimal transport matches the two shapes as wholes";
            tries.push((Box::new(Inferring::new(base, infer)), " --pairs infer --infer transport", reason));
        }
        let mut rows: Vec<Tried> = vec![];
        let mut failures = vec![];
        for (number, (method, how, reason)) in tries.iter().enumerate() {
            progress.step("comparing methods", number, tries.len())?;
            let started = Instant::now();
            match method.fit_with(datasets, pairs, progress) {
                Ok(alignment) => {
                    let (trusted, score, null, verdict) = self_verdict(&alignment);
                    let row = Row {
                        method: python_call(&**method),
                        score,
                        low: None,
                        high: None,
                        chance: null,
                        recall_at_1: None,
                        recall_at_10: None,
                        foscttm: None,
                        tied: false,
                        seconds: started.elapsed().as_secs_f64(),
                        peak_bytes: Plan::new(&**method, &Sizes::of(datasets, pairs)).peak_bytes,
                        reason: (*reason).into(),
                        verdict: verdict.clone(),
                    };
                    let worth = f64::from(u8::from(trusted == Some(true))) * 10.0 + score.unwrap_or(0.0) - null.unwrap_or(0.0);
                    let python = python_inferring(&**method, how, pairs.is_empty());
                    let command = format!("{}{how}", options_of(&**method));
                    rows.push(Tried { row, alignment, trusted, worth, python, command });
                    // A trusted answer needs no rival.
                    if trusted == Some(true) {
                        break;
                    }
                }
                Err(Error::Cancelled) => return Err(Error::Cancelled),
                Err(error) => failures.push(format!("{}: {error}", method.schema().name)),
            }
        }
        let Some(best) = (0..rows.len()).rev().max_by(|a, b| rows[*a].worth.total_cmp(&rows[*b].worth)) else {
            let why = if failures.is_empty() { "there are too few rows and no pairs".into() } else { failures.join("; ") };
            return Err(Error::Undefined { what: "an alignment without known pairs".into(), why });
        };
        let Tried { row, alignment, trusted, python, command, .. } = rows.swap_remove(best);
        let few = if pairs.is_empty() {
            String::new()
        } else {
            let are = if pairs.len() == 1 { "is" } else { "are" };
            format!("{} {are} too few to hold some out; ", crate::error::counted(pairs.len(), "known pair"))
        };
        let verdict = format!("{few}{}", row.verdict);
        let selection = Selection {
            table: std::iter::once(row).chain(rows.into_iter().map(|tried| tried.row)).collect(),
            scoring: "reproducibility".into(),
            pairs: pairs.len(),
            folds: 0,
            looks: looks.iter().map(Look::summary).collect(),
            trusted,
            verdict,
            python,
            command: format!("{command}{} A B -o m.lb", if pairs.is_empty() { "" } else { " --pairs pairs.csv" }),
            options: command,
        };
        Ok(Aligned { alignment, selection })
    }
}

/// A candidate that found its pairs itself.
struct Tried {
    row: Row,
    alignment: Alignment,
    trusted: Option<bool>,
    /// What candidates are ranked by.
    worth: f64,
    /// The calls that repeat it.
    python: String,
    command: String,
}

/// Number of components of a fit on transported pairs, which know regions rather than rows.
const TRANSPORTED: usize = 5;

/// What more pairs than those of the other folds bring.
#[derive(Clone, Copy, Debug, Default)]
struct Learning {
    recall: f64,
    recall_at_10: f64,
    closer: f64,
}

/// The selection without seconds, so that the same call gives the same bytes.
fn stored(selection: &Selection) -> serde_json::Value {
    let mut json = serde_json::to_value(selection).unwrap_or_default();
    for row in json["table"].as_array_mut().into_iter().flatten() {
        if let Some(row) = row.as_object_mut() {
            row.remove("seconds");
        }
    }
    json
}

/// How well the held-out pairs find each other under the best candidate.
fn held_out_of(compared: &Comparison, best: usize) -> HeldOut {
    let row = &compared.table[best];
    let measure = |name: &str| row.measure(name).map_or(Estimate { value: 0.5, low: 0.0, high: 1.0 }, |m| m.estimate);
    let (closer, recall) = (measure("foscttm"), measure("recall_at_1"));
    HeldOut {
        pairs: compared.units,
        foscttm: closer.value,
        interval: (closer.low, closer.high),
        recall: recall.value,
        judgement: row.judgement.unwrap_or(Judgement::CannotTell),
        groups: None,
    }
}

fn row_verdict(row: &Compared, best: bool, units: usize) -> String {
    match (&row.error, row.judgement) {
        (Some(error), _) => format!("failed: {error}"),
        _ if units == 1 => format!("cannot tell: 1 pair is too few; give at least {LEAST_HELD_OUT}"),
        _ if units < LEAST_HELD_OUT => format!("cannot tell: {units} pairs are too few; give at least {LEAST_HELD_OUT}"),
        (_, Some(Judgement::NotTrusted)) => "do not trust: no better than chance".into(),
        (_, Some(Judgement::CannotTell) | None) => "cannot tell: not clearly better than chance".into(),
        (_, Some(Judgement::Trusted)) if best => "chosen".into(),
        (_, Some(Judgement::Trusted)) if row.tied => "tied with the best".into(),
        (_, Some(Judgement::Trusted)) => "behind the best".into(),
    }
}

/// Whether an alignment that found its pairs itself can be trusted, its score, the score of nothing, and the sentence.
fn self_verdict(alignment: &Alignment) -> (Option<bool>, Option<f64>, Option<f64>, String) {
    let outcome = alignment.outcome();
    if let Some(trust) = &outcome.trust {
        return (Some(trust.trusted), Some(trust.reproducibility), Some(trust.null), trust.verdict());
    }
    for warning in &outcome.warnings {
        if let Warning::PairsInferred { agreeing, count } = warning {
            return match agreeing {
                true => (Some(true), None, None, format!("trusted: one rigid motion explains {count} inferred pairs")),
                false => (Some(false), None, None, "do not trust: no rigid motion explains the inferred pairs".into()),
            };
        }
    }
    for warning in &outcome.warnings {
        if let Warning::PairsTransported { stability, stable, .. } = warning {
            // Shapes alone never confirm themselves: two unrelated tissues fit each other as well as two views of one.
            let verdict = match stable {
                true => format!(
                    "do not trust yet: samples agree ({stability:.2} of 1), but unrelated shapes can fit as well; give ten known pairs"
                ),
                false => {
                    format!("do not trust: samples of the rows are transported to other places (agreement {stability:.2} of 1)")
                }
            };
            return (Some(false), Some(*stability), None, verdict);
        }
    }
    (None, None, None, "cannot tell: nothing confirms the inferred pairs; ten known pairs would".into())
}

/// A value as it is written in Python.
fn python_value(value: &crate::params::Value) -> String {
    use crate::params::Value;
    match value {
        Value::Flag(flag) => if *flag { "True" } else { "False" }.into(),
        Value::Text(word) if word == "none" => "None".into(),
        other => other.to_string(),
    }
}

/// `lb.CCA(50, prepare="unit_center")`.
pub(crate) fn python_call(method: &dyn Method) -> String {
    let mut arguments = vec![];
    for (name, value) in super::candidate::changed(method) {
        match (name.as_str(), arguments.is_empty()) {
            ("n_components", true) => arguments.push(python_value(&value)),
            _ => arguments.push(format!("{name}={}", python_value(&value))),
        }
    }
    format!("lb.{}({})", method.schema().class, arguments.join(", "))
}

/// The call in Python of a method that infers its pairs.
fn python_inferring(method: &dyn Method, how: &str, infers: bool) -> String {
    match (infers, how.is_empty()) {
        (false, _) => format!("{}.fit(datasets, pairs)", python_call(method)),
        (true, true) => format!("{}.fit(datasets)", python_call(method)),
        (true, false) => format!("{}.fit(datasets, lb.infer_pairs(*datasets, how=\"transport\"))", python_call(method)),
    }
}

/// The method and its parameters that are not defaults, as typed: `landbridge fit cca -d 50 --prepare unit-center`.
pub fn options_of(method: &dyn Method) -> String {
    use crate::params::Value;
    let typed = |name: &str| name.replace('_', "-");
    let mut options = String::new();
    for (name, value) in super::candidate::changed(method) {
        let option = match (&*name, &value) {
            ("n_components", value) => format!("-d {value}"),
            (name, Value::Flag(true)) => format!("--{}", typed(name)),
            (name, Value::Flag(false)) => format!("--no-{}", typed(name)),
            (name, Value::Text(word)) => format!("--{} {}", typed(name), typed(word)),
            (name, value) => format!("--{} {value}", typed(name)),
        };
        options.push(' ');
        options.push_str(&option);
    }
    format!("landbridge fit {}{options}", typed(method.schema().name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::synthetic::{RotatedCopies, SwissRolls};
    use crate::params::Value;

    #[test]
    fn a_shape_is_aligned_by_a_rotation_and_judged_on_held_out_pairs() {
        let copies = RotatedCopies::new(120).n_features(3).noise(0.02).generate().unwrap();
        let found = Align::new().align(&copies.datasets, &copies.pairs(20, 0).unwrap()).unwrap();
        let best = &found.selection.table[0];
        assert!(found.selection.trusted == Some(true) && found.selection.verdict.starts_with("trusted"), "{:?}", found.selection);
        assert!(best.score.unwrap() > 0.8 && best.low <= best.score && best.score <= best.high, "{best:?}");
        assert!(found.selection.table.len() <= 4 && found.selection.table.iter().all(|r| !r.reason.is_empty()));
        assert!(found.alignment.outcome().selection.is_some() && found.alignment.outcome().held_out.is_some());
        // The printed call is the method that was fitted.
        assert_eq!(found.selection.python, format!("{}.fit(datasets, pairs)", best.method));
    }

    #[test]
    fn a_roll_is_aligned_by_its_neighbour_graph() {
        let rolls = SwissRolls::new(500).generate().unwrap();
        let found = Align::new().align(&rolls.datasets, &rolls.pairs(30, 0).unwrap()).unwrap();
        assert!(found.selection.looks[0].contains("curved"), "{:?}", found.selection.looks);
        assert!(matches!(found.alignment.method(), "procrustes" | "clle" | "instance"), "{}", found.selection.explanation());
    }

    #[test]
    fn the_same_call_gives_the_same_bytes_and_says_the_same() {
        let copies = RotatedCopies::new(90).n_features(12).noise(0.1).generate().unwrap();
        let pairs = copies.pairs(24, 1).unwrap();
        let once = |threads| Align::new().n_jobs(threads).align(&copies.datasets, &pairs).unwrap();
        let (one, two) = (once(1), once(2));
        assert_eq!(one.alignment.embedding(0), two.alignment.embedding(0));
        assert_eq!(one.alignment.outcome().selection, two.alignment.outcome().selection);
    }

    #[test]
    fn shuffled_pairs_are_not_trusted() {
        let copies = RotatedCopies::new(100).n_features(10).generate().unwrap();
        for seed in 0..5 {
            let right = copies.pairs(24, seed).unwrap();
            let mut wrong = Pairs::none(2);
            let links = right.links();
            (0..links.len()).for_each(|p| wrong.add(0, links[p].i, 1, links[(p * 5 + 2) % links.len()].j, 1.0).unwrap());
            let found = Align::new().align(&copies.datasets, &wrong).unwrap();
            assert_ne!(found.selection.trusted, Some(true), "{}", found.selection.explanation());
        }
    }

    #[test]
    fn few_pairs_cannot_tell_and_no_pair_is_judged_by_the_matches() {
        let copies = RotatedCopies::new(150).n_features(3).generate().unwrap();
        let found = Align::new().align(&copies.datasets, &copies.pairs(6, 0).unwrap()).unwrap();
        assert_eq!(found.selection.trusted, None);
        assert!(found.selection.verdict.starts_with("cannot tell"), "{}", found.selection.verdict);
        let found = Align::new().align(&copies.datasets, &Pairs::none(2)).unwrap();
        assert_eq!(found.selection.scoring, "reproducibility");
        assert!(found.selection.trusted == Some(true), "{}", found.selection.explanation());
    }

    #[test]
    fn calls_are_written_as_a_user_writes_them() {
        let text = |word: &str| Value::Text(word.into());
        let given = vec![("n_components".into(), Value::Int(20)), ("prepare".into(), text("unit_center"))];
        let cca = registry::method("cca", given).unwrap();
        assert_eq!(python_call(&*cca), "lb.CCA(20, prepare=\"unit_center\")");
        assert_eq!(options_of(&*cca), "landbridge fit cca -d 20 --prepare unit-center");
        let given = vec![("embedding".into(), text("pca")), ("n_components".into(), Value::Int(10))];
        let affine = registry::method("affine", given).unwrap();
        assert_eq!(python_call(&*affine), "lb.AffineAlignment(embedding=\"pca\", n_components=10)");
        let given = vec![
            ("n_components".into(), Value::Int(4)),
            ("balance".into(), Value::Flag(false)),
            ("hard".into(), Value::Flag(true)),
        ];
        let instance = registry::method("instance", given).unwrap();
        assert_eq!(options_of(&*instance), "landbridge fit instance -d 4 --no-balance --hard");
    }
}
