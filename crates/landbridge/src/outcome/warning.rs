//! What a fit warns of.

use crate::error::{counted, counted_are, counted_were};
use serde::{Deserialize, Serialize};
use std::fmt;

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
    /// Every row of a dataset has a mirror image in it, so a map and its negative fit equally well.
    OwnMirrorImage {
        /// Name of the dataset.
        dataset: String,
    },
    /// The given pairs contradict the matches that the data show, and were not used.
    PairsContradict {
        /// Their number.
        pairs: usize,
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
    /// The data, or their paired rows, have fewer dimensions than components asked for.
    FewerComponents {
        /// Components asked for.
        asked: usize,
        /// Components found.
        given: usize,
        /// Whether only paired rows count.
        #[serde(default)]
        paired: bool,
    },
    /// Dense ratings in which zeros look like what is unknown.
    ZeroRatings {
        /// Dataset.
        dataset: String,
        /// Share of zeros in percent.
        percent: u8,
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
    /// In an unbalanced transport, rows that get less than half of an even share.
    RowsWithLittleMass {
        /// Each dataset with the number of such rows and of all rows.
        sides: Vec<(String, usize, usize)>,
    },
    /// Many linked columns do not go along with each other over the matches.
    LinksDoubtful {
        /// Links that look wrong.
        doubtful: usize,
        /// Links that were used.
        used: usize,
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
    /// Cells of pairs are row numbers although the ids of the rows are numbers too, and none of the cells is one of them.
    PairsByNumber {
        /// Dataset.
        dataset: String,
    },
    /// Paired rows predict each other no better than shuffled ones.
    PairsByChance {
        /// Datasets.
        first: String,
        /// The other one.
        second: String,
        /// Number of pairs that were looked at.
        pairs: usize,
    },
    /// Both datasets are in an order of their own, and the pairs follow it.
    SortedApart {
        /// Datasets.
        first: String,
        /// The other one.
        second: String,
        /// What each of them is in the order of.
        by: [String; 2],
    },
    /// One column has nearly all of the variance.
    DominantColumn {
        /// Dataset.
        dataset: String,
        /// Column.
        column: String,
        /// Its share of the variance.
        share: f64,
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
    /// Two batches have nearly no kind of rows in common, so that what tells the kinds apart is removed with the batches.
    Confounded {
        /// Dataset.
        dataset: String,
        /// One batch.
        one: String,
        /// The other.
        other: String,
        /// How far their compositions by label overlap, from 0 to 1.
        overlap: f64,
    },
    /// Batches share nearly no neighbourhood, and no labels tell why.
    Separated {
        /// Dataset.
        dataset: String,
        /// Share of rows of other batches among the nearest, before batches are centred.
        observed: f64,
        /// The share if they were mixed perfectly.
        expected: f64,
    },
    /// Batches of few rows, whose means are mostly noise.
    SmallBatches {
        /// Dataset.
        dataset: String,
        /// Their names.
        names: Vec<String>,
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
            Warning::FewerComponents { asked, given, paired } => {
                let (whose, more) = match paired {
                    true => ("the paired rows", " (more pairs may give more)"),
                    false => ("the data", ""),
                };
                let (dimensions, found) = (counted(*given, "dimension"), counted_were(*given, "component"));
                write!(f, "n_components is {asked}, but {whose} have {dimensions}; {found} found{more}")
            }
            Warning::ZeroRatings { dataset, percent } => write!(
                f,
                "dataset \"{dataset}\": {percent} % of its entries are 0, and the others look like ratings; a 0 counts as a rating of 0. If it means that the rating is unknown, give NaN there, or known=\"non_zero\""
            ),
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
            Warning::RowsWithLittleMass { sides } => {
                let side = |(name, few, all): &(String, usize, usize)| format!("{few} of {all} rows of {name}");
                let sides: Vec<String> = sides.iter().filter(|s| s.1 > 0).map(side).collect();
                write!(
                    f,
                    "transport: {} get less than half of an even share, as if the other dataset lacked rows like them; their pairs count as much less",
                    sides.join(" and ")
                )
            }
            Warning::LinksDoubtful { doubtful, used } => write!(
                f,
                "{doubtful} of {used} links look wrong: their columns do not go along over the matches (links by number count from 0; outcome_.suspect_links lists them)"
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
            Warning::PairsByNumber { dataset } => write!(
                f,
                "the pairs are row numbers of dataset \"{dataset}\": its rows have ids that are numbers too, but the pairs hold none of them; if ids were meant, look whether they lost zeros in front"
            ),
            Warning::PairsByChance { first, second, pairs } => write!(
                f,
                "the {pairs} pairs of \"{first}\" and \"{second}\" predict each other no better than shuffled pairs do: they are wrong (counted from 1, another order, another file) or too few; trust and check_pairs look closer"
            ),
            Warning::SortedApart { first, second, by: [one, other] } => write!(
                f,
                "\"{first}\" is in the order of {one}, \"{second}\" in the order of {other}, and the pairs follow these orders: if each was sorted by itself, the pairs are wrong"
            ),
            Warning::DominantColumn { dataset, column, share } => write!(
                f,
                "dataset \"{dataset}\": {column} has {} % of the variance and hides the others; if it is in other units, use prepare=\"standardize\"",
                (1000.0 * share).floor() / 10.0
            ),
            Warning::Concentrated { dataset, components, rows } => write!(
                f,
                "dataset \"{dataset}\": {components} component{} on single rows ({}): outliers that hardly any edge holds; weights \"local\", more neighbours, or a method with linear maps would do better",
                if *components == 1 { " sits" } else { "s sit" },
                rows.join(", ")
            ),
            Warning::FewForMoments { rows, needed } => write!(
                f,
                "third moments of {rows} rows are mostly noise: without pairs a map can be expected from {needed} rows on (better 2,000); with fewer rows give ten known pairs"
            ),
            Warning::PairsContradict { pairs } => write!(
                f,
                "the {pairs} given pairs contradict the matches that the data show, and were not used: row numbers may be counted from 1, and rows sorted or dropped on one side; check_pairs names wrong pairs"
            ),
            Warning::OwnMirrorImage { dataset } => write!(
                f,
                "dataset \"{dataset}\": every row has its mirror image among the others, so a map and its negative fit equally well; known pairs tell which is right, ten or more"
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
            Warning::Confounded { dataset, one, other, overlap } => write!(
                f,
                "dataset \"{dataset}\": the batches \"{one}\" and \"{other}\" have nearly no label in common (overlap {overlap:.2}); batches and labels are confounded, and centring within batches removes what tells these labels apart"
            ),
            Warning::Separated { dataset, observed, expected } => write!(
                f,
                "dataset \"{dataset}\": batches share nearly no neighbourhood ({observed:.3} of the nearest rows are of other batches, {expected:.3} if mixed); a strong batch effect looks like this, and so do batches of different kinds of rows, which centring would make alike: give labels to tell"
            ),
            Warning::SmallBatches { dataset, names } => write!(
                f,
                "dataset \"{dataset}\": batches of fewer than 10 rows ({}); the mean of so few rows is mostly noise",
                names.join(", ")
            ),
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
