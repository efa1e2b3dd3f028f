//! The outcome of a fit: status, residual, warnings, seconds per stage.

use crate::error::{counted, counted_are, counted_were};
use serde::{Deserialize, Serialize};
use std::fmt;

/// How a solver ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// The tolerance was reached.
    Converged,
    /// The tolerance was missed by little; the residual says by how much.
    ReducedAccuracy,
}

/// Something the user should know. The result is still defined.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Warning {
    /// Too few rows for a start from moments.
    FewForMoments {
        /// Rows of the smaller dataset.
        rows: usize,
        /// Rows from which moments can be told from noise.
        needed: usize,
    },
    /// The joint graph is not connected; the positions of its components relative to each other are arbitrary.
    Disconnected {
        /// Connected components of the joint graph.
        components: usize,
    },
    /// Rows without an edge are placed at the origin.
    IsolatedRows {
        /// Dataset.
        dataset: String,
        /// Their number.
        count: usize,
    },
    /// Edges of weight zero were dropped.
    ZeroWeights {
        /// Dataset.
        dataset: String,
        /// Their number.
        count: usize,
    },
    /// The diagonal of a given graph was dropped.
    SelfLoops {
        /// Dataset.
        dataset: String,
        /// Their number.
        count: usize,
    },
    /// Pairs given more than once count more than once.
    RepeatedPairs {
        /// Their number.
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
        /// Their number.
        count: usize,
    },
    /// Constant columns carry no information.
    ConstantColumns {
        /// Dataset.
        dataset: String,
        /// Their number.
        count: usize,
    },
    /// The data have fewer dimensions than components asked for.
    FewerComponents {
        /// Components asked for.
        asked: usize,
        /// Components found.
        given: usize,
    },
    /// Columns are linearly dependent; the map of minimum norm was taken.
    RankDeficient {
        /// Numerical rank.
        rank: usize,
        /// Features of all datasets.
        features: usize,
    },
    /// The neighbour graph of one dataset is not connected.
    GraphInParts {
        /// Dataset.
        dataset: String,
        /// Connected components of its graph.
        components: usize,
    },
    /// The neighbour graph of one dataset was not connected; edges were added to connect it.
    GraphJoined {
        /// Dataset.
        dataset: String,
        /// Connected components it had.
        components: usize,
        /// Edges added.
        edges: usize,
    },
    /// The paired rows span too few dimensions to determine the rotation of a dataset.
    RotationUndetermined {
        /// Dataset.
        dataset: String,
        /// Dimensions that the paired rows span.
        determined: usize,
        /// Dimensions of the joint space.
        dimensions: usize,
    },
    /// A reflection would fit the pairs better than any rotation.
    Mirrored {
        /// Dataset.
        dataset: String,
    },
    /// Alternating fits of the datasets stopped before they converged.
    StillMoving {
        /// Rounds done.
        rounds: usize,
    },
    /// Unfolding stopped short of its tolerance.
    Unfolded {
        /// Relative duality gap.
        gap: f64,
        /// Largest relative violation of a squared distance.
        violation: f64,
    },
    /// Rows without any known entry cannot be told apart.
    UnknownRows {
        /// Dataset.
        dataset: String,
        /// Their number.
        count: usize,
    },
    /// Columns without any known entry.
    UnknownColumns {
        /// Dataset.
        dataset: String,
        /// Their number.
        count: usize,
    },
    /// Two datasets share no pair; distances between them go through the first dataset.
    Indirect {
        /// One of them.
        first: String,
        /// The other.
        second: String,
    },
    /// Pairs that leave out a dataset were not used.
    PartialPairs {
        /// Number of groups of corresponding rows.
        count: usize,
    },
    /// Components of a sparse map in which no feature of the dataset has a weight.
    EmptyComponents {
        /// Dataset.
        dataset: String,
        /// Their number.
        count: usize,
    },
    /// A regression stopped short of its duality gap.
    GapNotReached {
        /// Dataset.
        dataset: String,
        /// Relative gap reached.
        gap: f64,
        /// Largest relative gap allowed.
        tolerance: f64,
    },
    /// No pairs were given; they were inferred from local patterns.
    PairsInferred {
        /// Their number.
        count: usize,
        /// One rigid motion of the datasets explains them.
        agreeing: bool,
    },
    /// No pairs were given; they were inferred by optimal transport.
    PairsTransported {
        /// Their number.
        count: usize,
        /// How far samples of the rows lead to the same places: 1 the same, 0 unrelated.
        #[serde(default)]
        stability: f64,
        /// Whether that is enough.
        #[serde(default)]
        stable: bool,
    },
    /// Some linked columns were not used.
    LinksLeftOut {
        /// Links of which a column is constant.
        constant: usize,
        /// Links beyond the largest number that is compared.
        left_out: usize,
        /// Links that were used.
        used: usize,
    },
    /// The joint graph is directed.
    Directed,
    /// The finest levels of a hierarchy were left out, because they need too many eigenvectors.
    FinestLevelsLeftOut {
        /// The finest level computed belongs to the power `2^power`.
        power: u32,
    },
    /// Pairs came from equal names of rows.
    PairsByName {
        /// How many.
        count: usize,
        /// Names that occur more than once in a dataset; they pair nothing there.
        repeated: usize,
        /// The names are mere row numbers.
        numbers: bool,
    },
    /// Names of rows that are mere row numbers made no pairs.
    NamesAreNumbers {
        /// Names that coincide.
        count: usize,
    },
    /// Pairs of rows that were left out when the data were read.
    PairsLeftOut {
        /// How many.
        count: usize,
    },
    /// Components that sit on one row each: an outlier that hangs by a thread.
    Concentrated {
        /// Dataset.
        dataset: String,
        /// How many components.
        components: usize,
        /// The rows, at most five, by id or number.
        rows: Vec<String>,
    },
    /// A parameter that was given has no effect.
    NoEffect {
        /// Its name.
        parameter: String,
        /// Why.
        why: String,
    },
    /// `prepare` auto recognised what a dataset holds.
    Recognised {
        /// Dataset.
        dataset: String,
        /// What it holds, and by what that was recognised.
        what: String,
        /// How it was prepared.
        prepare: String,
    },
    /// Rows were prepared as counts but hold fractions.
    NotCounts {
        /// Dataset.
        dataset: String,
        /// Entries that are not whole.
        count: usize,
        /// The preparation.
        prepare: String,
    },
    /// Cells without a single count.
    NoCounts {
        /// Dataset.
        dataset: String,
        /// Their number.
        count: usize,
    },
    /// A dataset of very many features was reduced to its leading principal directions.
    Reduced {
        /// Position of the dataset.
        dataset: usize,
        /// Its features.
        features: usize,
        /// Directions kept.
        directions: usize,
        /// Share of the variance that they leave out.
        left_out: f64,
    },
    /// The solver stopped short of its tolerance.
    ReducedAccuracy {
        /// Residual reached.
        residual: f64,
        /// Largest residual allowed.
        tolerance: f64,
    },
}

/// `1 pair was`, `3 pairs were`.
fn counted_pairs(count: usize, one: &str, several: &str) -> String {
    if count == 1 { format!("1 pair {one}") } else { format!("{count} pairs {several}") }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let either = |n: &usize, one: &'static str, many: &'static str| if *n == 1 { one } else { many };
        match self {
            Warning::Disconnected { components } => write!(
                f,
                "the joint graph has {components} connected components; their positions relative to each other are arbitrary (more neighbours or more pairs would join them)"
            ),
            Warning::IsolatedRows { dataset, count } => {
                let verbs = either(count, "has no edge and is placed", "have no edge and are placed");
                write!(f, "dataset \"{dataset}\": {} {verbs} at the origin", counted(*count, "row"))
            }
            Warning::ZeroWeights { dataset, count } => {
                let verb = either(count, "was", "were");
                write!(f, "dataset \"{dataset}\": {} had weight zero and {verb} dropped", counted(*count, "edge"))
            }
            Warning::SelfLoops { dataset, count } => {
                let (entries, verb) = (counted(*count, "entry"), either(count, "was", "were"));
                write!(f, "dataset \"{dataset}\": {entries} on the diagonal of the given graph {verb} dropped")
            }
            Warning::RepeatedPairs { count } => {
                write!(f, "{} given more than once; repeated weights add up", counted_were(*count, "pair"))
            }
            Warning::DuplicateRows { dataset, count } => {
                let verb = either(count, "has", "have");
                write!(f, "dataset \"{dataset}\": {} {verb} only exact copies as neighbours", counted(*count, "row"))
            }
            Warning::ZeroRows { dataset, count } => {
                let verb = either(count, "is zero; its", "are zero; their");
                write!(f, "dataset \"{dataset}\": {} {verb} cosine distance to every row is 1", counted(*count, "row"))
            }
            Warning::ConstantColumns { dataset, count } => {
                let verbs = either(count, "is constant and carries", "are constant and carry");
                write!(f, "dataset \"{dataset}\": {} {verbs} no information", counted(*count, "column"))
            }
            Warning::FewerComponents { asked, given } => {
                write!(
                    f,
                    "n_components is {asked}, but the data have {}; {} found",
                    counted(*given, "dimension"),
                    counted_were(*given, "component")
                )
            }
            Warning::RankDeficient { rank, features } => {
                write!(f, "the {features} features have numerical rank {rank}; the problem was solved on their range")
            }
            Warning::GraphInParts { dataset, components } => write!(
                f,
                "dataset \"{dataset}\": its neighbour graph has {components} connected components; their positions relative to each other are arbitrary (more neighbours would join them)"
            ),
            Warning::GraphJoined { dataset, components, edges } => write!(
                f,
                "dataset \"{dataset}\": its neighbour graph had {components} connected components; {} {} added to join them",
                counted(*edges, "shortest missing edge"),
                either(edges, "was", "were")
            ),
            Warning::RotationUndetermined { dataset, determined, dimensions } => write!(
                f,
                "dataset \"{dataset}\": its paired rows span {determined} of {dimensions} dimensions; the rotation in the others is not determined, and the smallest one was taken (more pairs would determine it)"
            ),
            Warning::Mirrored { dataset } => write!(
                f,
                "dataset \"{dataset}\": its paired rows are mirrored; a reflection would fit them better than the rotation that was asked for"
            ),
            Warning::StillMoving { rounds } => {
                write!(f, "the datasets still moved a little after {} of fitting each to the others", counted(*rounds, "round"))
            }
            Warning::Unfolded { gap, violation } => write!(
                f,
                "unfolding stopped at a relative duality gap of {gap:.1e}, with squared distances off by at most {violation:.1e}"
            ),
            Warning::UnknownRows { dataset, count } => {
                let verbs = either(
                    count,
                    "has no known entry; it counts as an average row",
                    "have no known entry; they count as average rows",
                );
                write!(f, "dataset \"{dataset}\": {} {verbs}", counted(*count, "row"))
            }
            Warning::UnknownColumns { dataset, count } => {
                let verbs = either(count, "has no known entry; it is", "have no known entry; they are");
                write!(f, "dataset \"{dataset}\": {} {verbs} filled with the mean of all entries", counted(*count, "column"))
            }
            Warning::Indirect { first, second } => write!(
                f,
                "datasets \"{first}\" and \"{second}\" share no pair; distances between them go through the first dataset"
            ),
            Warning::PartialPairs { count } => {
                let verbs = either(count, "leaves out a dataset and was", "leave out a dataset and were");
                write!(f, "{} of corresponding rows {verbs} not used", counted(*count, "group"))
            }
            Warning::EmptyComponents { dataset, count } => {
                let verb = either(count, "has", "have");
                write!(
                    f,
                    "dataset \"{dataset}\": {} {verb} no weight left; lower alpha to keep some",
                    counted(*count, "component")
                )
            }
            Warning::GapNotReached { dataset, gap, tolerance } => {
                write!(
                    f,
                    "dataset \"{dataset}\": the regression stopped at a relative duality gap of {gap:.1e}; the tolerance is {tolerance:.1e}"
                )
            }
            Warning::PairsInferred { count, agreeing: true } => {
                write!(
                    f,
                    "no pairs were given; {} inferred from local patterns, and one rigid motion explains them",
                    counted_were(*count, "pair")
                )
            }
            Warning::PairsInferred { count, agreeing: false } => write!(
                f,
                "no pairs were given; {} inferred from local patterns, and nothing confirms them (known pairs or self-training would do better)",
                counted_were(*count, "pair")
            ),
            Warning::PairsTransported { count, stability, stable: true } => write!(
                f,
                "do not trust yet: no pairs were given; {} inferred by optimal transport, from shapes alone. Samples of the rows agree on them ({stability:.2} of 1), but unrelated data can fit each other as well; check them with ten known pairs or with labels",
                counted_were(*count, "pair")
            ),
            Warning::PairsTransported { count, stability, stable: false } => write!(
                f,
                "do not trust: no pairs were given; {} inferred by optimal transport, but samples of the rows lead to other pairs (agreement {stability:.2} of 1); give known pairs",
                counted_were(*count, "pair")
            ),
            Warning::LinksLeftOut { constant, left_out, used } => write!(
                f,
                "links: {} used; {constant} left out because a column is constant, {left_out} because more are not compared",
                counted_were(*used, "link")
            ),
            Warning::Directed => write!(
                f,
                "the graph is directed: the levels come from the recursion, without the optimality they have for symmetric graphs"
            ),
            Warning::FinestLevelsLeftOut { power } => {
                write!(f, "the finest levels need more eigenvectors than were computed; level 0 belongs to the power 2^{power}")
            }
            Warning::PairsByName { count, repeated, numbers } => {
                write!(f, "{} from equal names of rows", counted_pairs(*count, "came", "came"))?;
                if *numbers {
                    write!(f, "; these names are mere row numbers, so check that row i of one dataset is row i of the other")?;
                }
                match repeated {
                    0 => Ok(()),
                    1 => write!(f, "; 1 name occurs more than once in a dataset and pairs nothing there"),
                    n => write!(f, "; {n} names occur more than once in a dataset and pair nothing there"),
                }
            }
            Warning::NamesAreNumbers { count } => write!(
                f,
                "{count} names of rows coincide, but they are mere row numbers and made no pairs (pairs=\"names\" takes them as pairs)"
            ),
            Warning::PairsLeftOut { count } => {
                write!(f, "{} left out: a row of theirs has missing values and was dropped", counted_pairs(*count, "was", "were"))
            }
            Warning::Concentrated { dataset, components, rows } => write!(
                f,
                "dataset \"{dataset}\": {components} component{} on single rows ({}): outliers that hardly any edge holds; weights \"local\", more neighbours, or a method with linear maps would do better",
                if *components == 1 { " sits" } else { "s sit" },
                rows.join(", ")
            ),
            Warning::FewForMoments { rows, needed } => write!(
                f,
                "third moments of {rows} rows are mostly noise: without pairs a map can be expected from {needed} rows on (better 2,000); with fewer rows give ten known pairs, or start from signatures if both datasets hold the same objects"
            ),
            Warning::Recognised { dataset, what, prepare } => match prepare.as_str() {
                "center" => {
                    write!(f, "dataset \"{dataset}\": {what}; its rows were only centred (give the raw counts if you have them)")
                }
                word => write!(
                    f,
                    "dataset \"{dataset}\": {what}; prepared by \"{word}\" (prepare=\"center\" leaves them as they are)"
                ),
            },
            Warning::NotCounts { dataset, count, prepare } => write!(
                f,
                "dataset \"{dataset}\": {} not whole, so these are not raw counts; \"{prepare}\" normalised them all the same",
                counted_are(*count, "entry")
            ),
            Warning::NoCounts { dataset, count } => {
                let verb = either(count, "has no count and says", "have no count and say");
                write!(f, "dataset \"{dataset}\": {} {verb} nothing; leave such rows out", counted(*count, "row"))
            }
            Warning::Reduced { dataset, features, directions, left_out } => write!(
                f,
                "the {features} features of dataset {dataset} were reduced to {directions} principal directions, which leave out {:.0} % of the variance (n_principal sets the number)",
                100.0 * left_out
            ),
            Warning::NoEffect { parameter, why } => write!(f, "{parameter} has no effect: {why}"),
            Warning::ReducedAccuracy { residual, tolerance } => {
                write!(f, "the eigensolver stopped at a residual of {residual:.1e}; the tolerance is {tolerance:.1e}")
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
    /// Seconds per stage. The model file leaves them out, so that the same fit gives the same bytes.
    #[serde(skip)]
    pub seconds: Vec<Stage>,
    /// What the user should know.
    pub warnings: Vec<Warning>,
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
        worse.matches += better.matches;
        worse.runs.extend(better.runs);
        worse
    }
    /// In words.
    pub fn verdict(&self) -> String {
        let percent = |e: &Estimate| format!("{:.0} % ({:.0} to {:.0})", 100.0 * e.value, 100.0 * e.low, 100.0 * e.high);
        let mut figures = match (self.stable, self.cover) {
            (Some(stable), Some(cover)) if self.soft => format!("halves agree {stable:.2}, cover {cover:.2}"),
            (Some(stable), Some(cover)) if self.null == 0.0 => {
                format!("reproducibility {:.2}, halves agree {stable:.2}, cover {cover:.2}", self.reproducibility)
            }
            _ => format!("reproducibility {:.2}, by chance {:.2}", self.reproducibility, self.null),
        };
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
        let (n, p, z) = (self.pairs as f64, self.recall, 1.96f64);
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
        let figures = format!(
            "{pairs} pairs held out: {:.0} % have their partner as nearest neighbour, {foscttm:.3} of all rows are nearer than the partner (95 % interval {low:.3} to {high:.3}; chance 0.5)",
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
