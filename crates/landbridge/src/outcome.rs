//! What a fit says about itself.

use serde::{Deserialize, Serialize};
use std::fmt;

/// How a solver ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// The tolerance was reached.
    Converged,
    /// Close, but short of the tolerance; the residual says how close.
    ReducedAccuracy,
}

/// Something the user should know; the result is defined all the same.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Warning {
    /// The joint graph falls into several parts, whose positions relative to each other mean nothing.
    Disconnected {
        /// Connected components of the joint graph.
        components: usize,
    },
    /// Rows without any edge sit at the origin.
    IsolatedRows {
        /// Dataset.
        dataset: String,
        /// How many.
        count: usize,
    },
    /// Edges whose weight came out as zero were dropped.
    ZeroWeights {
        /// Dataset.
        dataset: String,
        /// How many.
        count: usize,
    },
    /// The diagonal of a given graph was dropped.
    SelfLoops {
        /// Dataset.
        dataset: String,
        /// How many.
        count: usize,
    },
    /// Pairs given more than once count more than once.
    RepeatedPairs {
        /// How many.
        count: usize,
    },
    /// Identical rows cannot be told apart.
    DuplicateRows {
        /// Dataset.
        dataset: String,
        /// Rows that have at least as many exact copies as neighbours asked for.
        count: usize,
    },
    /// Rows that are zero have cosine distance 1 to all others.
    ZeroRows {
        /// Dataset.
        dataset: String,
        /// How many.
        count: usize,
    },
    /// Columns that are the same in every row say nothing.
    ConstantColumns {
        /// Dataset.
        dataset: String,
        /// How many.
        count: usize,
    },
    /// The data have fewer dimensions than were asked for.
    FewerComponents {
        /// Components asked for.
        asked: usize,
        /// Components there are.
        given: usize,
    },
    /// Columns depend on each other; the map of least length was taken.
    RankDeficient {
        /// Numerical rank.
        rank: usize,
        /// Features of all datasets.
        features: usize,
    },
    /// The neighbour graph of one dataset falls into several parts.
    GraphInParts {
        /// Dataset.
        dataset: String,
        /// Connected components of its graph.
        components: usize,
    },
    /// The neighbour graph of one dataset fell into parts and was joined.
    GraphJoined {
        /// Dataset.
        dataset: String,
        /// Connected components it had.
        components: usize,
        /// Edges added.
        edges: usize,
    },
    /// The paired rows span too few dimensions to say how a dataset is turned.
    RotationUndetermined {
        /// Dataset.
        dataset: String,
        /// Dimensions that the paired rows span.
        determined: usize,
        /// Dimensions of the joint space.
        dimensions: usize,
    },
    /// A mirror image would fit the pairs better than any rotation.
    Mirrored {
        /// Dataset.
        dataset: String,
    },
    /// Datasets moved in turn had not quite come to rest.
    StillMoving {
        /// Rounds done.
        rounds: usize,
    },
    /// Unfolding stopped short of its tolerance.
    Unfolded {
        /// Relative gap to the best that can be had.
        gap: f64,
        /// Largest relative violation of a squared distance.
        violation: f64,
    },
    /// Rows without any known entry: nothing tells them apart.
    UnknownRows {
        /// Dataset.
        dataset: String,
        /// How many.
        count: usize,
    },
    /// Columns without any known entry.
    UnknownColumns {
        /// Dataset.
        dataset: String,
        /// How many.
        count: usize,
    },
    /// Two datasets share no pair; distances between them lead through the first dataset.
    Indirect {
        /// One of them.
        first: String,
        /// The other.
        second: String,
    },
    /// Pairs that leave out a dataset were not used.
    PartialPairs {
        /// How many groups of corresponding rows.
        count: usize,
    },
    /// Components of a sparse map in which no feature of the dataset has a weight.
    EmptyComponents {
        /// Dataset.
        dataset: String,
        /// How many.
        count: usize,
    },
    /// A regression stopped short of its duality gap.
    GapNotReached {
        /// Dataset.
        dataset: String,
        /// Relative gap reached.
        gap: f64,
        /// Relative gap asked for.
        tolerance: f64,
    },
    /// No pairs were given; they were guessed.
    PairsInferred {
        /// How many.
        count: usize,
        /// They agree on one movement of the datasets.
        agreeing: bool,
    },
    /// No pairs were given; they were guessed by optimal transport.
    PairsTransported {
        /// How many.
        count: usize,
    },
    /// Edges of the joint graph are not all returned.
    Directed,
    /// The finest levels of a hierarchy were left out, because they need too many eigenvectors.
    FinestLevelsLeftOut {
        /// The finest level there is belongs to the power `2^power`.
        power: u32,
    },
    /// The solver stopped short of its tolerance.
    ReducedAccuracy {
        /// Residual reached.
        residual: f64,
        /// Residual asked for.
        tolerance: f64,
    },
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Warning::Disconnected { components } => write!(
                f,
                "the joint graph has {components} connected components; their positions relative to each other mean nothing (more neighbours or more pairs would join them)"
            ),
            Warning::IsolatedRows { dataset, count } => {
                write!(f, "dataset \"{dataset}\": {count} row(s) have no edge and sit at the origin")
            }
            Warning::ZeroWeights { dataset, count } => {
                write!(f, "dataset \"{dataset}\": {count} edge(s) had weight zero and were dropped")
            }
            Warning::SelfLoops { dataset, count } => {
                write!(f, "dataset \"{dataset}\": {count} entries on the diagonal of the given graph were dropped")
            }
            Warning::RepeatedPairs { count } => write!(f, "{count} pair(s) were given more than once; their weights add up"),
            Warning::DuplicateRows { dataset, count } => {
                write!(f, "dataset \"{dataset}\": {count} row(s) have only exact copies as neighbours")
            }
            Warning::ZeroRows { dataset, count } => {
                write!(f, "dataset \"{dataset}\": {count} row(s) are zero; their cosine distance to every row is 1")
            }
            Warning::ConstantColumns { dataset, count } => {
                write!(f, "dataset \"{dataset}\": {count} column(s) are the same in every row and say nothing")
            }
            Warning::FewerComponents { asked, given } => {
                write!(
                    f,
                    "{asked} components were asked for, but the data have {given} dimension(s); {given} component(s) came out"
                )
            }
            Warning::RankDeficient { rank, features } => {
                write!(f, "the {features} features have numerical rank {rank}; the problem was solved on their range")
            }
            Warning::GraphInParts { dataset, components } => write!(
                f,
                "dataset \"{dataset}\": its neighbour graph has {components} connected components; their positions relative to each other mean nothing (more neighbours would join them)"
            ),
            Warning::GraphJoined { dataset, components, edges } => write!(
                f,
                "dataset \"{dataset}\": its neighbour graph had {components} connected components; {edges} shortest missing edge(s) were added to join them"
            ),
            Warning::RotationUndetermined { dataset, determined, dimensions } => write!(
                f,
                "dataset \"{dataset}\": its paired rows span {determined} of {dimensions} dimensions; how it is turned in the others is not determined, and the least turn was taken (more pairs would tell)"
            ),
            Warning::Mirrored { dataset } => write!(
                f,
                "dataset \"{dataset}\": its paired rows are mirrored; a reflection would fit better than the rotation that was asked for"
            ),
            Warning::StillMoving { rounds } => {
                write!(f, "the datasets still moved a little after {rounds} rounds of fitting each to the others")
            }
            Warning::Unfolded { gap, violation } => write!(
                f,
                "unfolding ended with a relative gap of {gap:.1e} to the best that can be had, and squared distances off by at most {violation:.1e}"
            ),
            Warning::UnknownRows { dataset, count } => {
                write!(f, "dataset \"{dataset}\": {count} row(s) have no known entry; they count as average ones")
            }
            Warning::UnknownColumns { dataset, count } => {
                write!(
                    f,
                    "dataset \"{dataset}\": {count} column(s) have no known entry; the mean of all entries stands for theirs"
                )
            }
            Warning::Indirect { first, second } => write!(
                f,
                "datasets \"{first}\" and \"{second}\" share no pair; distances between them lead through the first dataset"
            ),
            Warning::PartialPairs { count } => {
                write!(f, "{count} group(s) of corresponding rows leave out a dataset and were not used")
            }
            Warning::EmptyComponents { dataset, count } => {
                write!(f, "dataset \"{dataset}\": {count} component(s) have no weight left; a smaller alpha would keep some")
            }
            Warning::GapNotReached { dataset, gap, tolerance } => {
                write!(
                    f,
                    "dataset \"{dataset}\": the regression reached a relative duality gap of {gap:.1e} instead of {tolerance:.1e}"
                )
            }
            Warning::PairsInferred { count, agreeing: true } => {
                write!(
                    f,
                    "no pairs were given; {count} were inferred from local patterns, and they agree on one movement of the datasets"
                )
            }
            Warning::PairsInferred { count, agreeing: false } => write!(
                f,
                "no pairs were given; {count} were inferred from local patterns, and nothing confirms them (known pairs, or self-training, would do better)"
            ),
            Warning::PairsTransported { count } => write!(
                f,
                "no pairs were given; {count} were inferred by optimal transport, and nothing confirms them (ten known pairs would tell)"
            ),
            Warning::Directed => write!(
                f,
                "the graph is directed: the levels are what the recursion gives, without the optimality of symmetric graphs"
            ),
            Warning::FinestLevelsLeftOut { power } => {
                write!(f, "the finest levels need more eigenvectors than were computed; level 0 belongs to the power 2^{power}")
            }
            Warning::ReducedAccuracy { residual, tolerance } => {
                write!(f, "the eigensolver reached residual {residual:.1e} instead of {tolerance:.1e}")
            }
        }
    }
}

/// Seconds spent in one stage.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stage {
    /// Its name.
    pub name: String,
    /// Wall-clock seconds.
    pub seconds: f64,
}

/// What a fit says about itself: how it ended, how far to trust the numbers, what was odd about the data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// How the solver ended.
    pub status: Status,
    /// Solver chosen, with the reason.
    pub solver: String,
    /// Largest relative residual of a component: `|S g − λ g| / λ`, or `|λ S⁺ g − g|` for the factored solver.
    pub residual: f64,
    /// Residual asked for.
    pub tolerance: f64,
    /// Iterations of the solver.
    pub iterations: usize,
    /// Zero solutions skipped.
    pub zero_solutions: usize,
    /// Connected components of the joint graph.
    pub components: usize,
    /// The weight a pair of weight 1 got in the joint graph; none when corresponding rows were merged.
    pub mu_effective: Option<f64>,
    /// Numerical rank of the constraint, where a method without ridge had to find it.
    #[serde(default)]
    pub rank: Option<usize>,
    /// The ridge added for each dataset, in absolute terms, where a method has one.
    #[serde(default)]
    pub ridge: Option<Vec<f64>>,
    /// What the distances of each dataset were multiplied by (η), where a method rescales them.
    #[serde(default)]
    pub scales: Option<Vec<f64>>,
    /// Share of negative eigenvalues in the sum of all absolute ones, where distances were turned into inner products:
    /// 0 for distances between points of a Euclidean space. Estimated for many rows.
    #[serde(default)]
    pub negative_share: Option<f64>,
    /// How far the matches can be trusted, where a method finds them by itself.
    #[serde(default)]
    pub trust: Option<Trust>,
    /// How well known pairs find each other when they are held out, where that was looked at.
    #[serde(default)]
    pub held_out: Option<HeldOut>,
    /// Seconds per stage (not part of the model file: the same fit gives the same bytes).
    #[serde(skip)]
    pub seconds: Vec<Stage>,
    /// What the user should know.
    pub warnings: Vec<Warning>,
}

/// Where a run of self-training begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Start {
    /// From signatures and known pairs.
    Both,
    /// From known pairs alone.
    Pairs,
    /// From signatures alone: known pairs are ignored, which is what exposes wrong ones.
    Geometry,
}

/// One run of self-training.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrainingRun {
    /// Where it began.
    pub start: Start,
    /// Dimension it began with.
    pub first_dimension: usize,
    /// Power of the singular values.
    pub power: f64,
    /// Share of matches left out at first.
    pub drop: f64,
    /// Share of matches that came back when they were left out.
    pub reproducibility: f64,
    /// Mutual matches at its end.
    pub matches: usize,
}

/// How far to trust matches that were not given.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct Trust {
    /// Share of matches that come back, as mutual neighbours, under a map fitted without them. Close to, mostly a little
    /// below, the share of right ones.
    pub reproducibility: f64,
    /// The same for copies whose columns were shuffled: what comes out when there is nothing to find.
    pub null: f64,
    /// Reproducibility of at least 0.5, and 0.2 above the null.
    pub trusted: bool,
    /// The data contradict the given pairs; they were not used.
    pub pairs_wrong: bool,
    /// Given pairs that look wrong, by their position.
    pub suspect_pairs: Vec<usize>,
    /// Matches that were used in the final fit.
    pub matches: usize,
    /// All runs.
    pub runs: Vec<TrainingRun>,
}

impl Trust {
    /// Of two parts of one alignment the worse one, with the runs and matches of both.
    pub(crate) fn worse_of(self, other: Self) -> Self {
        let (mut worse, better) = if other.reproducibility < self.reproducibility { (other, self) } else { (self, other) };
        worse.trusted &= better.trusted;
        worse.pairs_wrong |= better.pairs_wrong;
        worse.matches += better.matches;
        worse.runs.extend(better.runs);
        worse
    }
    /// In words.
    pub fn verdict(&self) -> String {
        let figures = format!("reproducibility {:.2}, by chance {:.2}", self.reproducibility, self.null);
        match (self.trusted, self.pairs_wrong) {
            (true, true) => format!("trusted, but the given pairs contradict the data and were not used ({figures})"),
            (true, false) => format!("trusted ({figures})"),
            (false, _) => format!("do not trust the matches ({figures}); a coarse alignment may still be right"),
        }
    }
}

/// Whether held-out pairs find each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Judgement {
    /// Far better than chance.
    Trusted,
    /// As chance would have it.
    NotTrusted,
    /// Too few pairs, or too little better than chance.
    CannotTell,
}

/// How well known pairs find each other by fits that never saw them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HeldOut {
    /// Pairs that were held out in turn.
    pub pairs: usize,
    /// Share of rows nearer than the partner, mean of both directions: 0 perfect, ½ chance.
    pub foscttm: f64,
    /// 95 % of such samples have a mean within these.
    pub interval: (f64, f64),
    /// Share of pairs whose partner is the nearest row, mean of both directions.
    pub recall: f64,
    /// What is to be made of it.
    pub judgement: Judgement,
}

/// Pairs that have to be known before some can be held out.
pub const LEAST_HELD_OUT: usize = 10;

impl HeldOut {
    /// In words.
    pub fn verdict(&self) -> String {
        let Self { pairs, foscttm, interval: (low, high), recall, .. } = self;
        if *pairs < LEAST_HELD_OUT {
            return format!("cannot tell: {pairs} known pair(s) are too few to hold some out; {LEAST_HELD_OUT} would do");
        }
        let figures = format!(
            "{pairs} pairs held out: {:.0} % find their partner at once, {foscttm:.3} of all rows are nearer (95 % within {low:.3} and {high:.3}; chance 0.5)",
            100.0 * recall
        );
        match self.judgement {
            Judgement::Trusted => format!("trusted; {figures}"),
            Judgement::NotTrusted => format!("do not trust: known pairs find each other no better than chance; {figures}"),
            Judgement::CannotTell => format!("cannot tell: better than chance, but not clearly; {figures}"),
        }
    }
}

impl Outcome {
    /// Of a computation without a solver that could fail to converge.
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
