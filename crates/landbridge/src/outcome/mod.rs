//! The outcome of a fit: status, residual, warnings, seconds per stage.

use crate::error::counted;
use serde::{Deserialize, Serialize};

mod warning;
pub use warning::Warning;

/// How a solver ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// The tolerance was reached.
    Converged,
    /// The tolerance was missed by little; the residual says by how much.
    ReducedAccuracy,
}

/// Seconds spent in one stage.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stage {
    /// Its name.
    pub name: String,
    /// Wall-clock seconds.
    pub seconds: f64,
}

/// The outcome of a fit: how the solver ended, how accurate the numbers are, what was unusual about the data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// How the solver ended.
    pub status: Status,
    /// Solver chosen, and why.
    pub solver: String,
    /// Largest relative residual of a component: `|S g − λ g| / λ`, or `|λ S⁺ g − g|` for the factored solver.
    pub residual: f64,
    /// Largest residual allowed.
    pub tolerance: f64,
    /// Iterations of the solver.
    pub iterations: usize,
    /// Zero solutions skipped.
    pub zero_solutions: usize,
    /// Connected components of the joint graph.
    pub components: usize,
    /// Weight in the joint graph of a pair of weight 1; `None` when corresponding rows were merged.
    pub mu_effective: Option<f64>,
    /// Numerical rank of the constraint, if a method without ridge had to find it.
    #[serde(default)]
    pub rank: Option<usize>,
    /// The ridge added for each dataset, in absolute terms, if the method has one.
    #[serde(default)]
    pub ridge: Option<Vec<f64>>,
    /// Factor of the distances of each dataset (η), if the method rescales them.
    #[serde(default)]
    pub scales: Option<Vec<f64>>,
    /// Share of the negative eigenvalues in the sum of all absolute eigenvalues, if distances became inner products:
    /// 0 for distances between points of a Euclidean space. An estimate when there are many rows.
    #[serde(default)]
    pub negative_share: Option<f64>,
    /// How far the matches can be trusted, if the method found them itself.
    #[serde(default)]
    pub trust: Option<Trust>,
    /// How well held-out pairs find each other, if that was measured.
    #[serde(default)]
    pub held_out: Option<HeldOut>,
    /// How the method was chosen, if it was: the table of candidates, the reasons, the verdict.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub selection: Option<serde_json::Value>,
    /// What a bridge between two vector stores is worth: quality, learning curve, rows to embed anew, verdict.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bridge: Option<serde_json::Value>,
    /// How far batches mix before and after they were centred, where batches were given.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub batches: Vec<BatchReport>,
    /// Seconds per stage. The model file leaves them out, so that the same fit gives the same bytes.
    #[serde(skip)]
    pub seconds: Vec<Stage>,
    /// What the user should know.
    pub warnings: Vec<Warning>,
}

/// How far the batches of a dataset mix: mean shares of other batches among the nearest rows of the same dataset.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BatchReport {
    /// The dataset.
    pub dataset: String,
    /// Names of the batches.
    pub batches: Vec<String>,
    /// Rows in each.
    pub rows: Vec<usize>,
    /// Nearest rows that were looked at.
    pub k: usize,
    /// Share of rows of other batches among the nearest, in principal coordinates before the batches are centred.
    pub before: f64,
    /// The same in the joint space.
    pub after: f64,
    /// The share if batches were mixed perfectly.
    pub expected: f64,
}

/// How a run of self-training starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Start {
    /// From signatures and known pairs.
    Both,
    /// From known pairs alone.
    Pairs,
    /// From signatures alone. Known pairs are ignored, so that wrong pairs show.
    Geometry,
    /// From the rotation that matches second and third moments, and known pairs.
    Moments,
    /// From scalars of the rows that mean the same in both datasets, which fade beside the map, signatures and known pairs.
    Profiles,
    /// From linked columns, which stay beside the map, and known pairs.
    Links,
    /// From linked columns, which only begin it.
    LinksAtFirst,
}

/// One run of self-training.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrainingRun {
    /// Where it began.
    pub start: Start,
    /// Dimension it started with.
    pub first_dimension: usize,
    /// Power of the singular values.
    pub power: f64,
    /// Share of matches dropped at first.
    pub drop: f64,
    /// Share of matches that are found again when they are held out.
    pub reproducibility: f64,
    /// Whether it is the same matches that are found again, as in [`Trust`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub steadiness: Option<f64>,
    /// Mutual matches at the end.
    pub matches: usize,
}

/// An estimate and an interval around it. The interval covers sampling and a margin; its coverage has not been established.
#[derive(Clone, Copy, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct Estimate {
    /// The estimate.
    pub value: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// Known pairs held out of two fits: to the other pairs alone, and to these and the matches.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct AgainstPairs {
    /// Pairs that were held out.
    pub pairs: usize,
    /// Share of rows nearer than the partner, by the pairs alone.
    pub alone: f64,
    /// The same with the matches.
    pub trained: f64,
}

/// How far to trust matches that were not given.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct Trust {
    /// Share of matches that are mutual nearest neighbours under a map fitted without them. Close to the share of
    /// correct matches, mostly a little below it.
    pub reproducibility: f64,
    /// The same for copies with shuffled columns: the value when there is nothing to find.
    pub null: f64,
    /// Reproducibility is at least 0.5, and at least 0.2 above the null.
    pub trusted: bool,
    /// The data contradict the given pairs; they were not used.
    pub pairs_wrong: bool,
    /// Positions of given pairs that look wrong.
    pub suspect_pairs: Vec<usize>,
    /// Matches used in the final fit.
    pub matches: usize,
    /// All runs.
    pub runs: Vec<TrainingRun>,
    /// Whether it is the same matches that are found again, whichever half is held out: 1 if each is found always or never. Known where some
    /// matches are not found again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub steadiness: Option<f64>,
    /// Agreement of the maps from moments of all rows and of two disjoint halves, if that start was tried: mean cosine of the
    /// mapped rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stable: Option<f64>,
    /// How well that map brings the datasets onto each other: 0 as random signs of the axes do, 1 as two halves of one dataset.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cover: Option<f64>,
    /// Share of rows that have a partner in the other dataset.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shared: Option<Estimate>,
    /// Expected share of new rows whose partner is the nearest row.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected_recall: Option<Estimate>,
    /// Whether the best match corrected for hubs (CSLS) is right more often than the nearest row, by matches that were held out.
    #[serde(default)]
    pub csls: bool,
    /// Whether the final fit used soft matches: many for a row, weighted, none of them certain.
    #[serde(default)]
    pub soft: bool,
    /// Held-out known pairs by the known pairs alone and with the matches, if at least ten are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub against_pairs: Option<AgainstPairs>,
    /// Whether the final fit used the known pairs alone, because these did better on held-out pairs.
    #[serde(default)]
    pub pairs_alone: bool,
    /// Linked columns that do not correlate over the matches: column of the first and of the second dataset.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub suspect_links: Vec<(usize, usize)>,
}

impl Trust {
    /// The worse of two parts of one alignment, with the runs and matches of both.
    pub(crate) fn worse_of(self, other: Self) -> Self {
        let (mut worse, better) = if other.reproducibility < self.reproducibility { (other, self) } else { (self, other) };
        worse.trusted &= better.trusted;
        worse.pairs_wrong |= better.pairs_wrong;
        worse.soft |= better.soft;
        worse.csls &= better.csls;
        worse.matches += better.matches;
        worse.runs.extend(better.runs);
        worse
    }
    /// In words.
    pub fn verdict(&self) -> String {
        let percent = |e: &Estimate| format!("{:.0} % ({:.0} to {:.0})", 100.0 * e.value, 100.0 * e.low, 100.0 * e.high);
        let halves = match (self.stable, self.cover) {
            // Of a rotation that other evidence has overruled nothing needs to be told.
            (Some(stable), Some(cover)) if self.soft || !self.trusted || self.null == 0.0 => {
                Some(format!("halves agree {stable:.2}, cover {cover:.2}"))
            }
            _ => None,
        };
        let mut figures = match halves {
            Some(halves) if self.soft => halves,
            Some(halves) if self.null == 0.0 => format!("reproducibility {:.2}, {halves}", self.reproducibility),
            Some(halves) => format!("reproducibility {:.2}, by chance {:.2}, {halves}", self.reproducibility, self.null),
            None => format!("reproducibility {:.2}, by chance {:.2}", self.reproducibility, self.null),
        };
        if let (Some(steadiness), false) = (self.steadiness, self.soft) {
            figures += &format!(", steadiness {steadiness:.2}");
        }
        if let Some(shared) = &self.shared {
            figures += &format!("; rows with a partner: {}", percent(shared));
        }
        if let Some(recall) = &self.expected_recall {
            figures += &format!("; new rows that should find their partner first: {}", percent(recall));
        }
        let said = match (self.trusted, self.pairs_wrong) {
            (true, true) => format!("trusted, but the given pairs contradict the data and were not used ({figures})"),
            (true, false) => format!("trusted ({figures})"),
            (false, _) => format!("do not trust the matches ({figures}); a coarse alignment may still be right"),
        };
        match &self.against_pairs {
            Some(AgainstPairs { pairs, alone, trained }) if self.pairs_alone => format!(
                "{said}; the known pairs alone were fitted, since {pairs} held out of them have {alone:.3} of the rows nearer than the partner, and {trained:.3} with the matches"
            ),
            _ => said,
        }
    }
}

/// The verdict on held-out pairs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Judgement {
    /// Far better than chance.
    Trusted,
    /// No better than chance.
    NotTrusted,
    /// Too few pairs, or not clearly better than chance.
    CannotTell,
}

/// How well known pairs find each other under fits that did not see them (cross-validation).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HeldOut {
    /// Pairs that were held out in turn.
    pub pairs: usize,
    /// Share of rows nearer than the partner, mean of both directions: 0 is perfect, ½ is chance.
    pub foscttm: f64,
    /// 95 % confidence interval of `foscttm`.
    pub interval: (f64, f64),
    /// Share of pairs whose partner is the nearest row, mean of both directions.
    pub recall: f64,
    /// The verdict.
    pub judgement: Judgement,
    /// Groups of pairs that were held out together, where rows came in groups or are near-copies of each other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub groups: Option<usize>,
}

/// Minimum number of known pairs of which some can be held out.
pub const LEAST_HELD_OUT: usize = 10;

impl HeldOut {
    /// The verdict on single matches: whether most rows have their partner as nearest neighbour. A joint space can be right in
    /// its regions (`judgement`) while single matches are not.
    pub fn matches(&self) -> Judgement {
        if self.judgement != Judgement::Trusted {
            return self.judgement;
        }
        // Wilson's 95 % interval of the share.
        let (n, p, z) = (self.groups.unwrap_or(self.pairs) as f64, self.recall, 1.96f64);
        let centre = (p + z * z / (2.0 * n)) / (1.0 + z * z / n);
        let half = z * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt() / (1.0 + z * z / n);
        match () {
            () if centre - half >= 0.5 => Judgement::Trusted,
            () if centre + half < 0.5 => Judgement::NotTrusted,
            () => Judgement::CannotTell,
        }
    }
    /// In words, on both levels: the joint space and single matches.
    pub fn verdict(&self) -> String {
        let Self { pairs, foscttm, interval: (low, high), recall, .. } = self;
        if *pairs < LEAST_HELD_OUT {
            let known = counted(*pairs, "known pair");
            let verb = if *pairs == 1 { "is" } else { "are" };
            return format!("cannot tell: {known} {verb} too few to hold some out; give at least {LEAST_HELD_OUT}");
        }
        let together = self.groups.map_or(String::new(), |groups| format!(" in {groups} groups that belong together"));
        let figures = format!(
            "{pairs} pairs held out{together}: {:.0} % have their partner as nearest neighbour, {foscttm:.3} of all rows are nearer than the partner (95 % interval {low:.3} to {high:.3}; chance 0.5)",
            100.0 * recall
        );
        match self.judgement {
            Judgement::Trusted => match self.matches() {
                Judgement::Trusted => format!("trusted, row by row; {figures}"),
                Judgement::NotTrusted => {
                    format!("trusted for regions and labels, not row by row: a single match is mostly wrong; {figures}")
                }
                Judgement::CannotTell => {
                    format!("trusted for regions and labels; whether single matches are right cannot be told; {figures}")
                }
            },
            Judgement::NotTrusted => format!("do not trust: known pairs find each other no better than chance; {figures}"),
            Judgement::CannotTell => format!("cannot tell: better than chance, but not clearly; {figures}"),
        }
    }
}

impl Outcome {
    /// Whether the result can be trusted, by all verdicts that it has: `false` if one of them doubts it, `None` if there is none, or
    /// if one cannot tell.
    pub fn trusted(&self) -> Option<bool> {
        let held_out = self.held_out.as_ref().map(|found| match found.judgement {
            Judgement::Trusted => Some(true),
            Judgement::NotTrusted => Some(false),
            Judgement::CannotTell => None,
        });
        let inferred = self.warnings.iter().find_map(|warning| match warning {
            Warning::PairsTransported { .. } => Some(Some(false)),
            Warning::PairsInferred { agreeing, .. } => Some(agreeing.then_some(true)),
            _ => None,
        });
        let trained = self.trust.as_ref().map(|trust| Some(trust.trusted));
        let verdicts = [trained, held_out, inferred].into_iter().flatten();
        verdicts.reduce(|one, other| match (one, other) {
            (Some(false), _) | (_, Some(false)) => Some(false),
            (Some(true), Some(true)) => Some(true),
            _ => None,
        })?
    }
    /// Whether the fit inferred its pairs, from local patterns or by transport.
    pub fn inferred(&self) -> bool {
        self.warnings.iter().any(|w| matches!(w, Warning::PairsInferred { .. } | Warning::PairsTransported { .. }))
    }
    /// What the outcome says of pairs that were transported: never to trust them, because shapes cannot confirm themselves.
    pub fn transported(&self) -> Option<String> {
        self.warnings.iter().find(|w| matches!(w, Warning::PairsTransported { .. })).map(ToString::to_string)
    }

    /// The outcome of a computation without an iterative solver.
    pub(crate) fn direct(solver: impl Into<String>) -> Self {
        Self {
            status: Status::Converged,
            solver: solver.into(),
            residual: 0.0,
            tolerance: 0.0,
            iterations: 0,
            zero_solutions: 0,
            components: 1,
            mu_effective: None,
            rank: None,
            ridge: None,
            scales: None,
            negative_share: None,
            trust: None,
            held_out: None,
            selection: None,
            bridge: None,
            batches: vec![],
            seconds: vec![],
            warnings: vec![],
        }
    }
}

/// Measures stages one after the other.
#[derive(Clone, Debug)]
pub(crate) struct Stopwatch {
    last: std::time::Instant,
    stages: Vec<Stage>,
}

impl Stopwatch {
    pub(crate) fn start() -> Self {
        Self { last: std::time::Instant::now(), stages: vec![] }
    }
    pub(crate) fn lap(&mut self, name: &str) {
        let now = std::time::Instant::now();
        self.stages.push(Stage { name: name.into(), seconds: (now - self.last).as_secs_f64() });
        self.last = now;
    }
    pub(crate) fn finish(self) -> Vec<Stage> {
        self.stages
    }
}
