//! Parameters of one method, tuned by held-out pairs: successive halving, with a score that no choice has seen.

use crate::builder::setters;
use crate::choose::candidate::{Candidate, changed};
use crate::choose::compare::{Compare, Units, mean};
use crate::choose::folds::{Scored, score_some};
use crate::choose::interval::{Estimate, Resamples, first_largest};
use crate::choose::scoring::Scoring;
use crate::correspondence::Splits;
use crate::correspondence::pair_check::selected;
use crate::data::{Dataset, Pairs, Rows};
use crate::error::{Error, Result};
use crate::memo::Memo;
use crate::params::{Given, Kind, Param, Value, nearest};
use crate::progress::{Progress, with_threads};
use crate::registry;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::Serialize;
use std::sync::Arc;

/// The values of one parameter that are tried.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Domain {
    /// One of these.
    Choices(Vec<Value>),
    /// Between two numbers; `log`: each power of ten is as likely as another.
    Between {
        /// The smallest value.
        low: f64,
        /// The largest value.
        high: f64,
        /// Whether the scale is logarithmic.
        log: bool,
        /// Whether values are whole numbers.
        whole: bool,
        /// Whether the automatic choice is tried too.
        auto: bool,
    },
}

impl Domain {
    /// The domain that the declaration of a parameter names, if it names one.
    fn declared(param: &Param) -> Option<Self> {
        let mut words = param.tune?.split(' ');
        let scale = words.next()?;
        if scale == "words" {
            let named: Vec<Value> = words.map(|w| Value::Text(w.into())).collect();
            return Some(Domain::Choices(match param.kind {
                Kind::Flag => vec![Value::Flag(false), Value::Flag(true)],
                _ => named,
            }));
        }
        let (low, high) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
        Some(Domain::Between { low, high, log: scale == "log", whole: param.kind == Kind::Count, auto: param.auto })
    }
    /// The value at a place between 0 and 1.
    fn at(&self, place: f64) -> Value {
        match self {
            Domain::Choices(values) => {
                let at = ((place * values.len() as f64) as usize).min(values.len().saturating_sub(1));
                values.get(at).cloned().unwrap_or(Value::None)
            }
            // One try in four is the automatic choice.
            Domain::Between { auto: true, .. } if place < 0.25 => Value::Text("auto".into()),
            Domain::Between { low, high, log, whole, auto } => {
                let place = if *auto { (place - 0.25) / 0.75 } else { place };
                let value = if *log { low * (high / low).powf(place) } else { low + (high - low) * place };
                if *whole { Value::Int(value.round() as i128) } else { Value::Number(rounded(value)) }
            }
        }
    }
}

/// Three significant digits: tuned values are read and typed.
fn rounded(value: f64) -> f64 {
    if value == 0.0 || !value.is_finite() {
        return value;
    }
    let unit = 10f64.powi(value.abs().log10().floor() as i32 - 2);
    let text = format!("{:.3e}", (value / unit).round() * unit);
    text.parse().unwrap_or(value)
}

/// Tunes the parameters of a method: tries settings on some held-out pairs, and the better ones on more.
///
/// The score that is reported comes from pairs that played no part in choosing: in an outer loop, parts of the pairs are set aside, the
/// whole search runs on the others, and its winner is scored on what was set aside.
///
/// | parameter | default | purpose | range |
/// |---|---|---|---|
/// | `n_trials` | 30 | settings tried; the first is the given one | ≥ 1 |
/// | `folds` | 5 | folds of a full trial | ≥ 2 |
/// | `outer` | 3 | parts that are set aside in turn for the score | ≥ 2 |
/// | `space` | declared | which parameters, and their values | |
///
/// ```
/// use landbridge::choose::Tune;
/// use landbridge::data::synthetic::RotatedCopies;
/// use landbridge::params::Value;
/// let copies = RotatedCopies::new(100).n_features(8).generate()?;
/// let tune = Tune::new("cca", vec![("n_components".into(), Value::Int(1))]).n_trials(6);
/// let found = tune.tune(&copies.datasets, &copies.pairs(30, 0)?)?;
/// println!("{}: {:?}", found.verdict, found.best);
/// assert_eq!(found.trials.len(), 6);
/// # Ok::<(), landbridge::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Tune {
    method: String,
    given: Given,
    n_trials: usize,
    folds: usize,
    outer: usize,
    space: Option<Vec<(String, Domain)>>,
    scoring: Scoring,
    groups: Option<Vec<Vec<usize>>>,
    random_state: u64,
    n_jobs: usize,
}

/// The result of tuning.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Tuned {
    /// The best parameters: those that were tuned.
    #[serde(serialize_with = "as_json")]
    pub best: Given,
    /// All parameters of the best setting that are not defaults.
    #[serde(serialize_with = "as_json")]
    pub params: Given,
    /// The score of searching as this search did, on pairs that played no part in it.
    pub score: Estimate,
    /// The score of the given parameters on the same pairs.
    pub default_score: Estimate,
    /// The 95 % interval of the gain of the search over the given parameters, on the same pairs.
    pub gain: (f64, f64),
    /// What decided.
    pub scoring: Scoring,
    /// All trials, in order.
    pub trials: Vec<Trial>,
    /// The position of the best trial.
    pub best_trial: usize,
    /// Pairs of which parts were set aside in turn.
    pub pairs: usize,
    /// What to make of it, in words.
    pub verdict: String,
}

/// One setting that was tried.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Trial {
    /// The values of the tuned parameters.
    #[serde(serialize_with = "as_json")]
    pub params: Given,
    /// The mean score over the folds that it was tried on.
    pub score: Option<f64>,
    /// Folds it was tried on: better trials on more.
    pub folds: usize,
    /// Seconds of one fit.
    pub seconds: f64,
    /// Why it failed.
    pub error: Option<String>,
}

fn as_json<S: serde::Serializer>(given: &Given, serializer: S) -> std::result::Result<S::Ok, S::Error> {
    Value::Map(given.clone()).to_json().serialize(serializer)
}

/// Of the trials of one round, one in so many goes on to the next.
const KEPT: usize = 3;
/// Number of settings that tell what decides.
const LOOKED_AT: usize = 5;
/// Least number of independent pairs for tuning with an honest score.
const LEAST_PAIRS: usize = 10;

impl Tune {
    /// The method of that name, with the parameters that stay as given or are the first trial.
    pub fn new(method: impl Into<String>, given: Given) -> Self {
        Self {
            method: method.into(),
            given,
            n_trials: 30,
            folds: 5,
            outer: 3,
            space: None,
            scoring: Scoring::Auto,
            groups: None,
            random_state: 0,
            n_jobs: 0,
        }
    }
    setters! {
        /// Number of settings that are tried.
        n_trials: usize => n_trials;
        /// Number of folds of a full trial.
        folds: usize => folds;
        /// Number of parts that are set aside in turn for the score.
        outer: usize => outer;
        /// The parameters to tune with their values; `None`: those that the declaration of the method names.
        space: Option<Vec<(String, Domain)>> => space;
        /// What decides.
        scoring: Scoring => scoring;
        /// Rows that are held out together: a number for each row of each dataset.
        groups: Option<Vec<Vec<usize>>> => groups;
        /// Seed of the trials and the folds.
        random_state: u64 => random_state;
        /// Number of threads; 0 means all cores. Results never depend on it.
        n_jobs: usize => n_jobs;
    }

    /// Tunes the method.
    pub fn tune(&self, datasets: &[Dataset], pairs: &Pairs) -> Result<Tuned> {
        self.tune_with(datasets, pairs, &Progress::silent())
    }

    /// As `tune`, with progress reports.
    pub fn tune_with(&self, datasets: &[Dataset], pairs: &Pairs, progress: &Progress) -> Result<Tuned> {
        with_threads(self.n_jobs, || self.steps(datasets, pairs, progress))
    }

    fn steps(&self, datasets: &[Dataset], pairs: &Pairs, progress: &Progress) -> Result<Tuned> {
        if self.n_trials == 0 {
            return Err(Error::parameter("n_trials", 0, "at least 1"));
        }
        if self.outer < 2 {
            return Err(Error::parameter("outer", self.outer, "at least 2"));
        }
        let space = self.tuned(datasets)?;
        let settings = self.settings(&space);
        let candidates = settings.iter().map(|s| self.candidate(s)).collect::<Vec<_>>();
        // The given parameters must work; what a trial changes may not suit the data.
        let first = self.candidate(&settings[0])?;
        let compare = Compare::new().folds(self.outer).groups(self.groups.clone()).random_state(self.random_state);
        let outer = compare.splits(std::slice::from_ref(&first), datasets, pairs)?;
        if outer.units < LEAST_PAIRS {
            let why = format!(
                "{} of known pairs, and a score apart from the search needs at least {LEAST_PAIRS}",
                crate::error::counted(outer.units, "independent group")
            );
            return Err(Error::Undefined { what: "tuning".into(), why });
        }
        let memo = Arc::new(Memo::new(datasets.iter().map(Dataset::shared_rows)));
        let search = Search { tune: self, candidates: &candidates, datasets, memo: &memo };
        let scoring = search.scoring(pairs, progress)?;
        // The search without each outer part, and its winner on that part; the given parameters beside it.
        let mut chosen = vec![None; pairs.len()];
        let mut given = vec![None; pairs.len()];
        for part in 0..outer.folds {
            let known = outer.known(pairs, part)?;
            let (winner, _) = search.run(&known, scoring, &format!("tuning, {} of {}", part + 1, outer.folds + 1), progress)?;
            for (to, at) in [(&mut chosen, winner), (&mut given, 0)] {
                let Ok(candidate) = &candidates[at] else { continue };
                let scored = score_some(candidate, datasets, pairs, &outer, &[part], &memo, progress)?;
                if scored.error.is_none() {
                    outer.held(part).into_iter().for_each(|p| to[p] = Some(scored.standings[p]));
                }
            }
        }
        let (best_trial, trials) = search.run(pairs, scoring, &format!("tuning, {0} of {0}", outer.folds + 1), progress)?;
        let both: Vec<bool> = chosen.iter().zip(&given).map(|(a, b)| a.is_some() && b.is_some()).collect();
        if !both.contains(&true) {
            let why = trials.iter().find_map(|t| t.error.clone()).unwrap_or_else(|| "no trial could be scored".into());
            return Err(Error::Undefined { what: "tuning".into(), why });
        }
        let units = |standings: &[Option<[crate::evaluate::Standing; 2]>]| {
            let filled: Vec<_> =
                standings.iter().map(|s| s.unwrap_or([crate::evaluate::Standing { rank: usize::MAX, closer: 1.0 }; 2])).collect();
            Units::of(&filled, datasets, pairs.links(), &outer)
        };
        let (chosen, given) = (units(&chosen), units(&given));
        let sign = if scoring.larger_is_better() { 1.0 } else { -1.0 };
        let oriented = |u: &Units| u.shares(scoring).iter().map(|v| sign * v).collect::<Vec<f64>>();
        let gain = Resamples::new(outer.units, self.random_state).difference(&oriented(&chosen), &oriented(&given));
        let (score, default_score) = (Estimate::of(chosen.shares(scoring)), Estimate::of(given.shares(scoring)));
        let best = settings[best_trial].clone();
        let params = candidates[best_trial].as_ref().map(|c| changed(c.method())).unwrap_or_default();
        let verdict = match gain {
            _ if best_trial == 0 => "the given parameters are the best of those tried".to_string(),
            (low, _) if low > 0.0 => format!(
                "better than the given parameters: {} {:.3} against {:.3}",
                scoring.name(),
                score.value,
                default_score.value
            ),
            (low, high) => format!(
                "within noise of the given parameters: {} {:.3} against {:.3} (gain {low:+.3} to {high:+.3} over {} pairs)",
                scoring.name(),
                score.value,
                default_score.value,
                outer.units
            ),
        };
        Ok(Tuned { best, params, score, default_score, gain, scoring, trials, best_trial, pairs: pairs.len(), verdict })
    }

    /// The parameters to tune. Values that make no sense for the data are left out.
    fn tuned(&self, datasets: &[Dataset]) -> Result<Vec<(String, Domain)>> {
        let schema = registry::schema(&self.method)?;
        if let Some(space) = &self.space {
            let names: Vec<&str> = schema.params.iter().map(|p| p.name).collect();
            for (name, domain) in space {
                if schema.param(name).is_none() {
                    let hint = nearest(name, &names)
                        .map_or_else(|| format!("it has {}", names.join(", ")), |near| format!("did you mean {near}?"));
                    return Err(Error::parameter(
                        "space",
                        format!("\"{name}\""),
                        &format!("a parameter of {} ({hint})", schema.name),
                    ));
                }
                let empty = match domain {
                    Domain::Choices(values) => values.is_empty(),
                    Domain::Between { low, high, log, .. } => {
                        low.is_nan() || high.is_nan() || low > high || (*log && *low <= 0.0)
                    }
                };
                if empty {
                    return Err(Error::parameter(
                        "space",
                        format!("an empty choice for {name}"),
                        "at least one value; a range from low to high, above 0 on a log scale",
                    ));
                }
            }
            return Ok(space.clone());
        }
        let rows = datasets.iter().map(Dataset::nrows).min().unwrap_or(1);
        let most = datasets.iter().map(|d| d.ncols().min(d.nrows().saturating_sub(1))).min().unwrap_or(1);
        let negative = datasets.iter().any(|d| match d.rows() {
            Rows::F64(m) => m.as_slice().iter().any(|v| *v < 0.0),
            Rows::F32(m) => m.as_slice().iter().any(|v| *v < 0.0),
            Rows::Sparse(m) => m.values().iter().any(|v| *v < 0.0),
        });
        let mut space = vec![];
        for param in &schema.params {
            let Some(mut domain) = Domain::declared(param) else { continue };
            match (&mut domain, param.name) {
                (Domain::Between { high, .. }, "n_components") => *high = high.min(most as f64).max(2.0),
                (Domain::Between { high, .. }, "n_neighbors") => *high = high.min(rows as f64 - 1.0).max(4.0),
                (Domain::Choices(values), _) if negative => {
                    values.retain(|v| !matches!(v, Value::Text(word) if word.contains("tfidf")));
                }
                _ => {}
            }
            space.push((param.name.to_string(), domain));
        }
        if space.is_empty() {
            let why = format!("{} declares no parameter that is worth tuning; give a space", schema.name);
            return Err(Error::Undefined { what: "tuning".into(), why });
        }
        Ok(space)
    }

    /// The settings to try: the given one first, then places spread evenly over each parameter (a Latin hypercube).
    fn settings(&self, space: &[(String, Domain)]) -> Vec<Given> {
        let mut rng = ChaCha8Rng::seed_from_u64(self.random_state);
        let count = self.n_trials - 1;
        let mut settings: Vec<Given> = vec![vec![]; count];
        for (name, domain) in space {
            let mut strata: Vec<usize> = (0..count).collect();
            rand::seq::SliceRandom::shuffle(&mut strata[..], &mut rng);
            for (setting, stratum) in settings.iter_mut().zip(strata) {
                let place = (stratum as f64 + rng.random::<f64>()) / count as f64;
                setting.push((name.clone(), domain.at(place)));
            }
        }
        let own = self.given.iter().filter(|(name, _)| space.iter().any(|(s, _)| s == name)).cloned().collect();
        std::iter::once(own).chain(settings).collect()
    }

    /// The method with this setting.
    fn candidate(&self, setting: &Given) -> Result<Candidate> {
        let mut given: Given = self.given.iter().filter(|(name, _)| !setting.iter().any(|(s, _)| s == name)).cloned().collect();
        given.extend(setting.iter().cloned());
        Ok(Candidate::shared(Arc::from(registry::method(&self.method, given)?)))
    }
}

/// One search, on some of the pairs.
struct Search<'a> {
    tune: &'a Tune,
    candidates: &'a [Result<Candidate>],
    datasets: &'a [Dataset],
    memo: &'a Arc<Memo>,
}

impl Search<'_> {
    /// What decides: recall at 1 if one of the first settings finds at least one partner in five at once.
    fn scoring(&self, pairs: &Pairs, progress: &Progress) -> Result<Scoring> {
        if self.tune.scoring != Scoring::Auto {
            return Ok(self.tune.scoring);
        }
        let splits = self.splits(pairs);
        let held = splits.held(0);
        let mut most = 0;
        for (at, candidate) in self.candidates.iter().take(LOOKED_AT).enumerate() {
            let Ok(candidate) = candidate else { continue };
            let scored = score_some(candidate, self.datasets, pairs, &splits, &[0], self.memo, progress)?;
            match scored.error {
                Some(error) if at == 0 => {
                    return Err(Error::Undefined { what: "tuning".into(), why: format!("the given parameters fail: {error}") });
                }
                Some(_) => {}
                None => most = most.max(held.iter().flat_map(|p| scored.standings[*p]).filter(|s| s.rank == 1).count()),
            }
        }
        Ok(if most * 5 >= held.len() * 2 { Scoring::RecallAt1 } else { Scoring::Foscttm })
    }

    fn splits(&self, pairs: &Pairs) -> Splits {
        Splits::new(self.datasets, pairs, self.tune.folds, self.tune.random_state.wrapping_add(1), self.tune.groups.as_deref())
    }

    /// The position of the best setting, and all trials.
    fn run(&self, pairs: &Pairs, scoring: Scoring, stage: &str, progress: &Progress) -> Result<(usize, Vec<Trial>)> {
        let splits = self.splits(pairs);
        let mut alive: Vec<usize> = (0..self.candidates.len()).collect();
        let mut found: Vec<(Option<Scored>, usize, Option<String>)> =
            self.candidates.iter().map(|c| (None, 0, c.as_ref().err().map(ToString::to_string))).collect();
        // Rounds on one fold, on two, …: each round tries a third of the settings on more folds, down to the last few on all.
        let rounds: Vec<usize> = match splits.folds {
            0..=2 => vec![splits.folds],
            3..=4 => vec![1, splits.folds],
            all => vec![1, all.div_ceil(2), all],
        };
        let total: usize = alive.len();
        for (round, &folds) in rounds.iter().enumerate() {
            for (at, &c) in alive.iter().enumerate() {
                progress.step(stage, round * total + at, rounds.len() * total)?;
                let (Ok(candidate), (scored, done, error)) = (&self.candidates[c], &mut found[c]) else { continue };
                if error.is_some() {
                    continue;
                }
                let new: Vec<usize> = (*done..folds).collect();
                let more = score_some(candidate, self.datasets, pairs, &splits, &new, self.memo, progress)?;
                error.clone_from(&more.error);
                *done = folds;
                match scored {
                    None => *scored = Some(more),
                    Some(so_far) => {
                        for p in new.iter().flat_map(|f| splits.held(*f)) {
                            so_far.standings[p] = more.standings[p];
                        }
                        so_far.seconds = 0.5 * (so_far.seconds + more.seconds);
                    }
                }
            }
            let worth = |c: &usize| self.worth(&found[*c], pairs, &splits, scoring);
            // The given setting always goes on, so that it can be compared.
            let keep = if round + 1 == rounds.len() { alive.len() } else { alive.len().div_ceil(KEPT) };
            alive.sort_by(|a, b| worth(b).total_cmp(&worth(a)).then(a.cmp(b)));
            alive.truncate(keep);
            if !alive.contains(&0) {
                alive.push(0);
            }
        }
        let worths: Vec<f64> = alive.iter().map(|c| self.worth(&found[*c], pairs, &splits, scoring)).collect();
        let best = alive[first_largest(&worths)];
        let trial = |c: usize| {
            let (scored, folds, error) = &found[c];
            let sign = if scoring.larger_is_better() { 1.0 } else { -1.0 };
            let score = self.worth(&found[c], pairs, &splits, scoring);
            Trial {
                params: self.candidates[c].as_ref().map(|c| changed(c.method())).unwrap_or_default(),
                score: (error.is_none() && *folds > 0).then_some(sign * score),
                folds: *folds,
                seconds: scored.as_ref().map_or(0.0, |s| s.seconds),
                error: error.clone(),
            }
        };
        Ok((best, (0..self.candidates.len()).map(trial).collect()))
    }

    /// The mean score over the folds that a setting was tried on; larger is better.
    fn worth(&self, found: &(Option<Scored>, usize, Option<String>), pairs: &Pairs, splits: &Splits, scoring: Scoring) -> f64 {
        let (Some(scored), folds, None) = found else { return f64::NEG_INFINITY };
        let held: Vec<usize> = (0..pairs.len()).filter(|p| splits.fold[*p] < *folds).collect();
        let Ok(kept) = selected(pairs, |p| splits.fold[p] < *folds) else { return f64::NEG_INFINITY };
        let standings: Vec<_> = held.iter().map(|p| scored.standings[*p]).collect();
        let units = Units::of(&standings, self.datasets, kept.links(), &Splits::alone(held.len()));
        let value = mean(units.shares(scoring));
        // The logarithm of the rank decides among equal scores.
        (if scoring.larger_is_better() { value } else { -value }) + 1e-6 * mean(&units.log_rank)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::synthetic::RotatedCopies;

    fn copies() -> (Vec<Dataset>, Pairs) {
        let copies = RotatedCopies::new(120).n_features(10).noise(0.1).generate().unwrap();
        let pairs = copies.pairs(40, 3).unwrap();
        (copies.datasets, pairs)
    }

    #[test]
    fn a_bad_dimension_is_mended_and_the_gain_is_honest() {
        let (data, pairs) = copies();
        let tune = Tune::new("cca", vec![("n_components".into(), Value::Int(1))]).n_trials(12);
        let found = tune.tune(&data, &pairs).unwrap();
        assert!(found.gain.0 > 0.1 && found.score.value > found.default_score.value, "{found:?}");
        assert!(found.verdict.starts_with("better than the given"), "{}", found.verdict);
        let dimension = found.best.iter().find(|(name, _)| name == "n_components").map(|(_, v)| v.clone());
        assert!(matches!(dimension, Some(Value::Int(d)) if d >= 4), "{:?}", found.best);
        assert_eq!(found.trials.len(), 12);
        // Better trials were tried on more folds.
        assert!(found.trials[found.best_trial].folds == 5 && found.trials.iter().any(|t| t.folds == 1));
    }

    #[test]
    fn good_parameters_are_left_alone_or_said_to_be_within_noise() {
        let (data, pairs) = copies();
        let found = Tune::new("cca", vec![("n_components".into(), Value::Int(10))]).n_trials(8).tune(&data, &pairs).unwrap();
        assert!(!found.verdict.starts_with("better") || found.gain.0 > 0.0, "{}", found.verdict);
    }

    #[test]
    fn the_same_call_tries_the_same() {
        let (data, pairs) = copies();
        let once = |threads| {
            Tune::new("cca", vec![("n_components".into(), Value::Int(2))])
                .n_trials(6)
                .n_jobs(threads)
                .tune(&data, &pairs)
                .unwrap()
        };
        let (one, two) = (once(1), once(2));
        assert_eq!((one.best, one.score, one.gain), (two.best, two.score, two.gain));
    }

    #[test]
    fn what_cannot_be_tuned_says_why() {
        let (data, pairs) = copies();
        let given = || vec![("n_components".to_string(), Value::Int(2))];
        let few = Tune::new("cca", given()).tune(&data, &Pairs::first_rows(2, 8)).unwrap_err().to_string();
        assert!(few.contains("at least 10"), "{few}");
        let space = vec![("n_component".to_string(), Domain::Choices(vec![Value::Int(2)]))];
        let unknown = Tune::new("cca", given()).space(Some(space)).tune(&data, &pairs).unwrap_err().to_string();
        assert!(unknown.contains("did you mean n_components?"), "{unknown}");
        let space = vec![("ridge".to_string(), Domain::Choices(vec![]))];
        assert!(Tune::new("cca", given()).space(Some(space)).tune(&data, &pairs).is_err());
        assert!(Tune::new("cca", given()).n_trials(0).tune(&data, &pairs).is_err());
        assert!(Tune::new("mean_votes", vec![]).tune(&data, &pairs).is_err());
    }

    #[test]
    fn every_declared_range_is_within_the_bounds_of_its_parameter() {
        for schema in registry::methods() {
            for param in schema.params.iter().filter(|p| p.tune.is_some()) {
                let domain = Domain::declared(param).unwrap_or_else(|| panic!("{}: {} is not a range", schema.name, param.name));
                for place in [0.0, 0.2, 0.5, 0.999] {
                    let value = domain.at(place);
                    let within = match &value {
                        Value::Int(n) => param.range.contains(*n as f64),
                        Value::Number(v) => param.range.contains(*v),
                        Value::Text(word) => word == "auto" || param.words().iter().any(|w| w.name == word),
                        _ => true,
                    };
                    assert!(within, "{}: {} of {}", value, param.name, schema.name);
                }
            }
        }
    }

    #[test]
    fn values_have_three_digits() {
        assert_eq!(rounded(0.012345), 0.0123);
        assert_eq!(rounded(98765.0), 98800.0);
        assert_eq!(rounded(0.0), 0.0);
    }
}
