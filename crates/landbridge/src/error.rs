//! One error type. Each variant names the subject and the offending value; [`Error::hint`] says what to do.

use std::path::PathBuf;

/// Result of every fallible function of landbridge.
pub type Result<T> = std::result::Result<T, Error>;

/// What went wrong, and the values that locate it. [`Error::hint`] says what to do about it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A value of a dataset is NaN or infinite; the column is given as text. [`Error::NonFiniteValue`] keeps its number.
    #[error("dataset \"{dataset}\": the value at row {row}, column {column} is {value} (rows and columns counted from 0)")]
    NotFinite {
        /// Name of the dataset.
        dataset: String,
        /// Row, from 0.
        row: usize,
        /// Column name where there is one, otherwise its number from 0.
        column: String,
        /// The offending value.
        value: f64,
    },
    /// A value of a dataset is NaN or infinite.
    #[error("dataset \"{dataset}\": the value at row {row}, column {} is {value} (rows and columns counted from 0)",
        name.as_ref().map_or_else(|| column.to_string(), |name| format!("{column} (\"{name}\")")))]
    NonFiniteValue {
        /// Name of the dataset.
        dataset: String,
        /// Row, from 0.
        row: usize,
        /// Column, from 0.
        column: usize,
        /// Name of the column, if it has one.
        name: Option<String>,
        /// The offending value.
        value: f64,
    },
    /// A dataset has no rows or no columns.
    #[error("dataset \"{dataset}\" is empty: it has {} and {}", counted(*rows, "row"), counted(*columns, "column"))]
    EmptyDataset {
        /// Name of the dataset.
        dataset: String,
        /// Its rows.
        rows: usize,
        /// Its columns.
        columns: usize,
    },
    /// A dataset has fewer rows than the method needs.
    #[error("dataset \"{dataset}\" has {}, but needs at least {needed}", counted(*rows, "row"))]
    TooFewRows {
        /// Name of the dataset.
        dataset: String,
        /// Its rows.
        rows: usize,
        /// Rows needed.
        needed: usize,
    },
    /// Fewer than two datasets.
    #[error("{} given; an alignment needs at least 2", counted_were(*given, "dataset"))]
    TooFewDatasets {
        /// Number of datasets given.
        given: usize,
    },
    /// Two datasets have the same name.
    #[error("two datasets are called \"{name}\"")]
    DuplicateName {
        /// The name used twice.
        name: String,
    },
    /// A matrix does not have the shape it must have.
    #[error("{what}: expected {expected}, got {got}")]
    Shape {
        /// What has the wrong shape.
        what: String,
        /// The shape needed.
        expected: String,
        /// The shape found.
        got: String,
    },
    /// An entry of a pair table is not a row of its dataset.
    #[error("pairs, row {row}: {}", out_of_range(*value, dataset, *rows))]
    PairOutOfRange {
        /// Row of the pair table, from 0.
        row: usize,
        /// Name of the dataset.
        dataset: String,
        /// The value given.
        value: i64,
        /// Rows the dataset has; 0 when the table was read before its datasets ([`Error::PairEntry`] says so by its type).
        rows: usize,
    },
    /// An entry of a pair table cannot be a row of any dataset.
    #[error(
        "pairs, row {row}: the entry in column {column} is {value}; it must be a row number from 0, or -1 for no counterpart"
    )]
    PairEntry {
        /// Row of the pair table, from 0.
        row: usize,
        /// Column of the pair table, which is the position of the dataset, from 0.
        column: usize,
        /// The entry given.
        value: i64,
    },
    /// A row of the pair table has entries for fewer than two datasets.
    #[error("pairs, row {row}: {} an entry; a pair needs two", match entries { 0 => "no dataset has".into(), 1 => "only 1 dataset has".into(), n => format!("only {n} datasets have") })]
    PairTooShort {
        /// Row of the pair table, from 0.
        row: usize,
        /// Entries that are not −1.
        entries: usize,
    },
    /// A pair weight is not a positive finite number.
    #[error("pairs, row {row}: the weight is {value}; it must be a positive finite number")]
    PairWeight {
        /// Row of the pair table, from 0.
        row: usize,
        /// The weight given.
        value: f64,
    },
    /// The pair table has another number of columns than there are datasets.
    #[error("the pairs are for {}, but {} given", counted(*columns, "dataset"), counted_were(*datasets, "dataset"))]
    PairColumns {
        /// Columns of the pair table.
        columns: usize,
        /// Datasets given.
        datasets: usize,
    },
    /// Links name columns that a dataset does not have.
    #[error("links: {} of dataset \"{dataset}\" {}: {names}", counted(*count, "column"), if *count == 1 { "does not exist" } else { "do not exist" })]
    UnknownColumns {
        /// Name of the dataset.
        dataset: String,
        /// The first of them, with the nearest names.
        names: String,
        /// How many.
        count: usize,
    },
    /// No pairs were given to a method that needs them.
    #[error("no pairs were given, and {method} needs them")]
    NoPairs {
        /// The method asked for.
        method: String,
    },
    /// No chain of pairs joins two datasets.
    #[error("datasets \"{first}\" and \"{second}\" share no pair, and no chain of pairs joins them")]
    NotJoined {
        /// One dataset.
        first: String,
        /// The other.
        second: String,
    },
    /// The paired rows do not determine the transformation of a dataset.
    #[error("paired rows of dataset \"{dataset}\": {problem}")]
    PairsDegenerate {
        /// Name of the dataset.
        dataset: String,
        /// What is wrong with them.
        problem: String,
    },
    /// `n_neighbors` is 0, or is not less than the number of rows.
    #[error("n_neighbors is {n_neighbors}, but dataset \"{dataset}\" has {}; {}", counted(*rows, "row"), neighbors_range(*rows))]
    NeighborsOutOfRange {
        /// Name of the dataset.
        dataset: String,
        /// The value given.
        n_neighbors: usize,
        /// Rows the dataset has.
        rows: usize,
    },
    /// `n_components` exceeds the number of solutions.
    #[error("n_components is {asked}, but at most {available} are possible: {why}")]
    TooManyComponents {
        /// The value given.
        asked: usize,
        /// The largest value possible.
        available: usize,
        /// The reason for the bound.
        why: String,
    },
    /// A parameter is outside its range.
    #[error("{name} is {value}; it must be {expected}")]
    BadParameter {
        /// Name of the parameter.
        name: String,
        /// The value given.
        value: String,
        /// The values allowed, to follow "it must be".
        expected: String,
    },
    /// A precomputed graph is not a valid neighbour graph.
    #[error("graph of dataset \"{dataset}\": {problem}")]
    BadGraph {
        /// Name of the dataset.
        dataset: String,
        /// What is wrong, with the place.
        problem: String,
    },
    /// Precomputed distances are not valid.
    #[error("distances of dataset \"{dataset}\": {problem}")]
    BadDistances {
        /// Name of the dataset.
        dataset: String,
        /// What is wrong, with the place.
        problem: String,
    },
    /// The alignment has no dataset of that name or position.
    #[error("there is no dataset {name}; there are {known}")]
    UnknownDataset {
        /// The name or position given.
        name: String,
        /// The known names.
        known: String,
    },
    /// New rows do not have as many features as the fitted rows.
    #[error("dataset \"{dataset}\" was fitted with {}, the new rows have {got}", counted(*expected, "feature"))]
    FeatureCount {
        /// Name of the dataset.
        dataset: String,
        /// Features at fit time.
        expected: usize,
        /// Features given now.
        got: usize,
    },
    /// A negative number where counts are expected.
    #[error(
        "dataset \"{dataset}\": row {row}, column {column} is {value}; \"{prepare}\" prepares counts, which are never negative"
    )]
    NotCounts {
        /// Name of the dataset.
        dataset: String,
        /// The row.
        row: usize,
        /// The column.
        column: usize,
        /// The number there.
        value: f64,
        /// The preparation asked for.
        prepare: String,
    },
    /// Batches were given, but not for every row.
    #[error("dataset \"{dataset}\": row {row} has no batch ({} without)", counted(*count, "row"))]
    NoBatch {
        /// Name of the dataset.
        dataset: String,
        /// The first such row.
        row: usize,
        /// Their number.
        count: usize,
    },
    /// An eigensolver stopped before it reached its tolerance.
    #[error(
        "the {solver} eigensolver stopped after {} with {converged} of {} converged; the residual is {residual:.1e}, the tolerance {tolerance:.1e}",
        counted(*iterations, "iteration"), counted(*asked, "component")
    )]
    NotConverged {
        /// Which solver.
        solver: String,
        /// Its iterations.
        iterations: usize,
        /// Components within tolerance.
        converged: usize,
        /// Components asked for.
        asked: usize,
        /// Largest relative residual of the components asked for.
        residual: f64,
        /// Largest relative residual allowed.
        tolerance: f64,
        /// The tolerance is a constant of the solver, not an option.
        fixed_tolerance: bool,
    },
    /// An iterative solver of linear systems stopped before it reached its tolerance.
    #[error("{solver} stopped after {}; the residual is {residual:.1e}, the tolerance {tolerance:.1e}", counted(*iterations, "iteration"))]
    SystemNotConverged {
        /// Which solver.
        solver: String,
        /// Its iterations.
        iterations: usize,
        /// Largest relative residual.
        residual: f64,
        /// Largest relative residual allowed.
        tolerance: f64,
    },
    /// A number overflowed, or became NaN after an overflow.
    #[error("{what}: a number is outside the range of double precision")]
    Overflow {
        /// Which numbers.
        what: String,
    },
    /// A fit would take more memory than it may.
    #[error("{method} would take {} of memory, and it may take {}", bytes(*needed), bytes(*limit))]
    Memory {
        /// The method.
        method: String,
        /// Bytes at the peak, the data included.
        needed: u64,
        /// Bytes that it may take.
        limit: u64,
        /// A setting that would fit, or what else to do.
        advice: String,
    },
    /// The data do not vary, so that there is nothing to align.
    #[error("{what}: {problem}")]
    Degenerate {
        /// Which computation.
        what: String,
        /// What does not vary, or is zero.
        problem: String,
    },
    /// A matrix cannot be factored because it is not positive definite.
    #[error("{what}: {problem}")]
    Singular {
        /// Which computation.
        what: String,
        /// Which matrix.
        problem: String,
    },
    /// Any other numerical failure. It has no hint: prefer a variant above.
    #[error("{what}: {problem}")]
    Numerical {
        /// Which computation.
        what: String,
        /// What happened.
        problem: String,
    },
    /// No solution satisfies the constraints.
    #[error("{what}: {why}")]
    Infeasible {
        /// Which problem.
        what: String,
        /// What cannot be satisfied.
        why: String,
    },
    /// The method does not define the requested result.
    #[error("{what} is not defined: {why}")]
    Undefined {
        /// The requested result.
        what: String,
        /// Why the method does not define it.
        why: String,
    },
    /// Stopped by the caller (Ctrl-C).
    #[error("stopped on request")]
    Cancelled,
    /// The file is not a landbridge model.
    #[error("{}: not a landbridge model: {why}", path.display())]
    NotAModel {
        /// The file.
        path: PathBuf,
        /// What is missing.
        why: String,
    },
    /// The model has another version of the file format.
    #[error("{}: model format {found}, this landbridge reads format {supported}", path.display())]
    ModelVersion {
        /// The file.
        path: PathBuf,
        /// Format of the file.
        found: u32,
        /// Format that this version reads.
        supported: u32,
    },
    /// The model file ends too early, or its header lists another number of bytes than follow.
    #[error("{}: the model is cut off: {problem}", path.display())]
    ModelTruncated {
        /// The file.
        path: PathBuf,
        /// What is missing.
        problem: String,
    },
    /// The model file is damaged.
    #[error("{}: the model is damaged: {why}", path.display())]
    ModelDamaged {
        /// The file.
        path: PathBuf,
        /// What is inconsistent.
        why: String,
    },
    /// A shard is among the statistics already.
    #[error("shard \"{shard}\" has the {what} of \"{first}\", so that they would count twice")]
    ShardTwice {
        /// The shard that was to be added.
        shard: String,
        /// The one that is there.
        first: String,
        /// What they share: "rows and pairs" or "ids".
        what: &'static str,
    },
    /// A shard has other datasets or columns than the statistics it was to be added to.
    #[error("shard \"{shard}\" does not go with \"{first}\": {problem}")]
    ShardDiffers {
        /// The shard that was to be added.
        shard: String,
        /// One that is there.
        first: String,
        /// What differs.
        problem: String,
    },
    /// The file does not hold statistics.
    #[error("{}: not landbridge statistics: {why}", path.display())]
    NotStatistics {
        /// The file.
        path: PathBuf,
        /// What is missing.
        why: String,
    },
    /// The statistics have another version of the file format.
    #[error("{}: statistics of format {found}, this landbridge reads format {supported}", path.display())]
    StatisticsVersion {
        /// The file.
        path: PathBuf,
        /// Format of the file.
        found: u32,
        /// Format that this version reads.
        supported: u32,
    },
    /// The file of statistics is damaged.
    #[error("{}: the statistics are damaged: {why}", path.display())]
    StatisticsDamaged {
        /// The file.
        path: PathBuf,
        /// What is inconsistent.
        why: String,
    },
    /// A file operation failed.
    #[error("{}: cannot {action}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What was tried: "read", "write", …
        action: &'static str,
        /// The error of the operating system.
        source: std::io::Error,
    },
}

/// `1 row`, `2 rows`, `2 entries`.
pub(crate) fn counted(n: usize, noun: &str) -> String {
    match noun.strip_suffix('y') {
        _ if n == 1 => format!("1 {noun}"),
        Some(stem) => format!("{n} {stem}ies"),
        None => format!("{n} {noun}s"),
    }
}

/// Bytes as people write them: `512 MB`, `1.3 GB`.
pub fn bytes(n: u64) -> String {
    match n as f64 {
        b if b < 1e6 => format!("{:.0} kB", b / 1e3),
        b if b < 1e9 => format!("{:.0} MB", b / 1e6),
        b => format!("{:.1} GB", b / 1e9),
    }
}

/// `1 row is`, `2 rows are`.
pub(crate) fn counted_are(n: usize, noun: &str) -> String {
    format!("{} {}", counted(n, noun), if n == 1 { "is" } else { "are" })
}

/// `1 row was`, `2 rows were`.
pub(crate) fn counted_were(n: usize, noun: &str) -> String {
    format!("{} {}", counted(n, noun), if n == 1 { "was" } else { "were" })
}

fn out_of_range(value: i64, dataset: &str, rows: usize) -> String {
    match rows {
        0 => format!("row {value} of dataset {dataset} is out of range"),
        _ => format!("row {value} is out of range: dataset \"{dataset}\" has {} (0 to {})", counted(rows, "row"), rows - 1),
    }
}

fn neighbors_range(rows: usize) -> String {
    match rows {
        0 | 1 => "neighbours need at least 2 rows".into(),
        2 => "choose 1".into(),
        _ => format!("choose a value from 1 to {}", rows - 1),
    }
}

impl Error {
    /// What to do about it, if there is something to say that the message does not.
    pub fn hint(&self) -> Option<String> {
        use Error::*;
        let text = match self {
            NotFinite { value, .. } | NonFiniteValue { value, .. } if value.is_infinite() => {
                "a number was too large where it was written: float16 holds up to 65504, float32 up to 3.4e38; use a wider type".into()
            }
            NotFinite { .. } | NonFiniteValue { .. } => "fill or drop missing values first; landbridge never guesses them".into(),
            EmptyDataset { .. } => "check the file: it may hold only a header".into(),
            TooFewRows { .. } | TooFewDatasets { .. } => return None,
            DuplicateName { .. } => "give each dataset its own name (CLI: --names a,b)".into(),
            Shape { .. } => return None,
            PairOutOfRange { .. } => "rows count from 0; -1 (or an empty cell) means no counterpart".into(),
            PairEntry { .. } => return None,
            PairTooShort { .. } => "drop the row, or fill in its counterpart".into(),
            PairWeight { .. } => "leave a pair out instead of giving it weight 0".into(),
            PairColumns { .. } => "a pair table has one column per dataset, in the order of the datasets".into(),
            UnknownColumns { .. } => "columns are given by name or by number from 0".into(),
            NoPairs { .. } => "give at least one known pair (CLI: --pairs pairs.csv; Python: pairs=[[i, j], ...]), or let them be inferred (--pairs infer, --self-train)".into(),
            NotJoined { .. } => "add at least one pair that joins them, directly or through other datasets".into(),
            PairsDegenerate { .. } => "give pairs whose rows differ from each other, in both datasets".into(),
            NeighborsOutOfRange { .. } => return None,
            TooManyComponents { available: 0, .. } => return None,
            TooManyComponents { available, .. } => format!("ask for {available} or fewer"),
            BadParameter { .. } | BadGraph { .. } | BadDistances { .. } => return None,
            UnknownDataset { .. } => "use a position from 0 or one of these names".into(),
            FeatureCount { .. } => "new rows need the same columns in the same order as the fitted rows".into(),
            NoBatch { .. } => "name the batch of every row, or leave these rows out".into(),
            NotCounts { .. } => "give raw counts, or another preparation: prepare=\"center\" takes any numbers".into(),
            NotConverged { fixed_tolerance: true, .. } => "ask for fewer components".into(),
            NotConverged { .. } => "ask for fewer components, or raise the tolerance if the method has that option".into(),
            SystemNotConverged { .. } => "raise the ridge: it makes the linear systems better conditioned".into(),
            Overflow { .. } => "rescale the data so that its values lie between 1e-150 and 1e150".into(),
            Memory { advice, .. } => advice.clone(),
            Degenerate { .. } => "check that the rows differ from each other and that the columns are not all constant".into(),
            Singular { .. } => "raise the ridge".into(),
            Numerical { .. } => return None,
            Infeasible { .. } => {
                "let the distances shrink (Lamvu: constraints \"shrink\"; unfold: equality=False), or constrain fewer of them".into()
            }
            Undefined { .. } | Cancelled => return None,
            NotAModel { .. } => "models are written by `landbridge fit -o` or `save`".into(),
            ModelVersion { found, supported, .. } if found > supported => "update landbridge".into(),
            ModelTruncated { .. } => "copy the file again, or fit and save again".into(),
            ModelVersion { .. } | ModelDamaged { .. } => "fit again and save again".into(),
            ShardTwice { what: "ids", .. } => {
                "give each shard once; where ids begin anew in each shard, make them differ or leave them out (CLI: --id-column none)".into()
            }
            ShardTwice { .. } => "give each shard once".into(),
            ShardDiffers { .. } => "the shards of one dataset have the same name (CLI: --names a,b) and the same columns".into(),
            NotStatistics { .. } => "statistics are written by `landbridge stats -o` or `Statistics.save`".into(),
            StatisticsVersion { found, supported, .. } if found > supported => "update landbridge".into(),
            StatisticsVersion { .. } | StatisticsDamaged { .. } => "compute the statistics of this shard again".into(),
            Io { .. } => return None,
        };
        Some(text)
    }

    /// A short word for the kind of error, for machines (`--json`, Python exception classes).
    pub fn kind(&self) -> &'static str {
        use Error::*;
        match self {
            NotFinite { .. }
            | NonFiniteValue { .. }
            | EmptyDataset { .. }
            | TooFewRows { .. }
            | TooFewDatasets { .. }
            | DuplicateName { .. }
            | Shape { .. }
            | FeatureCount { .. }
            | ShardTwice { .. }
            | ShardDiffers { .. }
            | NotCounts { .. }
            | NoBatch { .. }
            | BadDistances { .. }
            | BadGraph { .. } => "data",
            PairOutOfRange { .. }
            | PairEntry { .. }
            | PairTooShort { .. }
            | PairWeight { .. }
            | PairColumns { .. }
            | UnknownColumns { .. }
            | NoPairs { .. }
            | PairsDegenerate { .. }
            | NotJoined { .. } => "pairs",
            NeighborsOutOfRange { .. } | TooManyComponents { .. } | BadParameter { .. } | UnknownDataset { .. } => "parameter",
            NotConverged { .. }
            | SystemNotConverged { .. }
            | Overflow { .. }
            | Degenerate { .. }
            | Singular { .. }
            | Numerical { .. }
            | Infeasible { .. } => "numerical",
            Memory { .. } => "memory",
            Undefined { .. } => "undefined",
            Cancelled => "cancelled",
            NotAModel { .. } | ModelVersion { .. } | ModelTruncated { .. } | ModelDamaged { .. } => "model",
            NotStatistics { .. } | StatisticsVersion { .. } | StatisticsDamaged { .. } => "model",
            Io { .. } => "io",
        }
    }

    pub(crate) fn parameter(name: &str, value: impl ToString, expected: &str) -> Self {
        Error::BadParameter { name: name.into(), value: value.to_string(), expected: expected.into() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every variant with its sentence. A new variant must be added here: `kind()` has no wildcard, so the
    /// compiler points at this file, and the count below fails until the variant has a line here.
    #[test]
    fn every_variant_says_who_what_and_which_value() {
        let d = || "it".to_string();
        let sentences = [
            (
                Error::NotFinite { dataset: d(), row: 3, column: "w7".into(), value: f64::NAN },
                "dataset \"it\": the value at row 3, column w7 is NaN (rows and columns counted from 0)",
            ),
            (
                Error::NonFiniteValue { dataset: d(), row: 3, column: 7, name: Some("w7".into()), value: f64::INFINITY },
                "dataset \"it\": the value at row 3, column 7 (\"w7\") is inf (rows and columns counted from 0)",
            ),
            (Error::EmptyDataset { dataset: d(), rows: 0, columns: 4 }, "dataset \"it\" is empty: it has 0 rows and 4 columns"),
            (Error::TooFewRows { dataset: d(), rows: 1, needed: 2 }, "dataset \"it\" has 1 row, but needs at least 2"),
            (Error::TooFewDatasets { given: 1 }, "1 dataset was given; an alignment needs at least 2"),
            (Error::DuplicateName { name: d() }, "two datasets are called \"it\""),
            (Error::Shape { what: "labels".into(), expected: "3".into(), got: "4".into() }, "labels: expected 3, got 4"),
            (
                Error::PairOutOfRange { row: 41, dataset: d(), value: 1733, rows: 1500 },
                "pairs, row 41: row 1733 is out of range: dataset \"it\" has 1500 rows (0 to 1499)",
            ),
            (
                Error::PairEntry { row: 4, column: 1, value: -2 },
                "pairs, row 4: the entry in column 1 is -2; it must be a row number from 0, or -1 for no counterpart",
            ),
            (Error::PairTooShort { row: 2, entries: 1 }, "pairs, row 2: only 1 dataset has an entry; a pair needs two"),
            (Error::PairWeight { row: 2, value: -1.0 }, "pairs, row 2: the weight is -1; it must be a positive finite number"),
            (Error::PairColumns { columns: 3, datasets: 2 }, "the pairs are for 3 datasets, but 2 datasets were given"),
            (Error::NoPairs { method: "instance".into() }, "no pairs were given, and instance needs them"),
            (
                Error::NotJoined { first: "a".into(), second: "b".into() },
                "datasets \"a\" and \"b\" share no pair, and no chain of pairs joins them",
            ),
            (
                Error::PairsDegenerate { dataset: d(), problem: "all of them coincide".into() },
                "paired rows of dataset \"it\": all of them coincide",
            ),
            (
                Error::NeighborsOutOfRange { dataset: d(), n_neighbors: 12, rows: 9 },
                "n_neighbors is 12, but dataset \"it\" has 9 rows; choose a value from 1 to 8",
            ),
            (
                Error::TooManyComponents { asked: 9, available: 4, why: "5 rows".into() },
                "n_components is 9, but at most 4 are possible: 5 rows",
            ),
            (Error::parameter("mu", -1, "positive"), "mu is -1; it must be positive"),
            (Error::BadGraph { dataset: d(), problem: "not symmetric".into() }, "graph of dataset \"it\": not symmetric"),
            (Error::BadDistances { dataset: d(), problem: "negative".into() }, "distances of dataset \"it\": negative"),
            (
                Error::UnknownDataset { name: "\"de\"".into(), known: "\"en\", \"it\"".into() },
                "there is no dataset \"de\"; there are \"en\", \"it\"",
            ),
            (
                Error::FeatureCount { dataset: d(), expected: 5, got: 4 },
                "dataset \"it\" was fitted with 5 features, the new rows have 4",
            ),
            (
                Error::NotCounts { dataset: d(), row: 3, column: 7, value: -1.0, prepare: "counts".into() },
                "dataset \"it\": row 3, column 7 is -1; \"counts\" prepares counts, which are never negative",
            ),
            (Error::NoBatch { dataset: d(), row: 3, count: 2 }, "dataset \"it\": row 3 has no batch (2 rows without)"),
            (
                Error::NotConverged {
                    solver: "Chebyshev".into(),
                    iterations: 7,
                    converged: 3,
                    asked: 5,
                    residual: 1e-3,
                    tolerance: 1e-9,
                    fixed_tolerance: false,
                },
                "the Chebyshev eigensolver stopped after 7 iterations with 3 of 5 components converged; the residual is 1.0e-3, the tolerance 1.0e-9",
            ),
            (
                Error::SystemNotConverged {
                    solver: "conjugate gradients".into(),
                    iterations: 7,
                    residual: 1e-3,
                    tolerance: 1e-9,
                },
                "conjugate gradients stopped after 7 iterations; the residual is 1.0e-3, the tolerance 1.0e-9",
            ),
            (
                Error::Overflow { what: "distances of dataset \"it\"".into() },
                "distances of dataset \"it\": a number is outside the range of double precision",
            ),
            (
                Error::Memory { method: "global".into(), needed: 3_200_000_000, limit: 512_000_000, advice: "wait".into() },
                "global would take 3.2 GB of memory, and it may take 512 MB",
            ),
            (Error::Degenerate { what: "CCA".into(), problem: "all rows are zero".into() }, "CCA: all rows are zero"),
            (Error::Singular { what: "local weights".into(), problem: "no pivot".into() }, "local weights: no pivot"),
            (Error::Numerical { what: "heat weights".into(), problem: "overflow".into() }, "heat weights: overflow"),
            (Error::Infeasible { what: "unfolding".into(), why: "no points".into() }, "unfolding: no points"),
            (Error::Undefined { what: "transform".into(), why: "given graph".into() }, "transform is not defined: given graph"),
            (Error::Cancelled, "stopped on request"),
            (Error::NotAModel { path: "m.lb".into(), why: "no header".into() }, "m.lb: not a landbridge model: no header"),
            (
                Error::ModelVersion { path: "m.lb".into(), found: 9, supported: 1 },
                "m.lb: model format 9, this landbridge reads format 1",
            ),
            (
                Error::ModelTruncated { path: "m.lb".into(), problem: "8 of 9 bytes".into() },
                "m.lb: the model is cut off: 8 of 9 bytes",
            ),
            (Error::ModelDamaged { path: "m.lb".into(), why: "checksum".into() }, "m.lb: the model is damaged: checksum"),
            (
                Error::ShardTwice { shard: "s2.stats".into(), first: "s1.stats".into(), what: "rows and pairs" },
                "shard \"s2.stats\" has the rows and pairs of \"s1.stats\", so that they would count twice",
            ),
            (
                Error::ShardDiffers { shard: "s2".into(), first: "s1".into(), problem: "it has 3 columns".into() },
                "shard \"s2\" does not go with \"s1\": it has 3 columns",
            ),
            (
                Error::NotStatistics { path: "s.stats".into(), why: "no header".into() },
                "s.stats: not landbridge statistics: no header",
            ),
            (
                Error::StatisticsVersion { path: "s.stats".into(), found: 9, supported: 1 },
                "s.stats: statistics of format 9, this landbridge reads format 1",
            ),
            (
                Error::StatisticsDamaged { path: "s.stats".into(), why: "checksum".into() },
                "s.stats: the statistics are damaged: checksum",
            ),
            (Error::Io { path: "m.lb".into(), action: "read", source: std::io::Error::other("gone") }, "m.lb: cannot read: gone"),
        ];
        for (error, sentence) in &sentences {
            assert_eq!(&error.to_string(), sentence);
            assert!(!error.kind().is_empty());
            if let Some(hint) = error.hint() {
                assert!(!hint.is_empty());
            }
        }
        assert_eq!(sentences.len(), 44, "one line per variant");
    }

    #[test]
    fn counts_agree_in_number() {
        assert_eq!(
            (counted(1, "row"), counted(0, "row"), counted(2, "entry")),
            ("1 row".into(), "0 rows".into(), "2 entries".into())
        );
        let pairs = |entries| Error::PairTooShort { row: 0, entries }.to_string();
        assert_eq!(pairs(0), "pairs, row 0: no dataset has an entry; a pair needs two");
        let neighbors = |rows| Error::NeighborsOutOfRange { dataset: "it".into(), n_neighbors: 0, rows }.to_string();
        assert_eq!(neighbors(1), "n_neighbors is 0, but dataset \"it\" has 1 row; neighbours need at least 2 rows");
        assert_eq!(neighbors(2), "n_neighbors is 0, but dataset \"it\" has 2 rows; choose 1");
        assert_eq!(Error::TooFewDatasets { given: 0 }.to_string(), "0 datasets were given; an alignment needs at least 2");
    }

    #[test]
    fn a_table_without_datasets_claims_no_number_of_rows() {
        let error = Error::PairOutOfRange { row: 0, dataset: "1".into(), value: -2, rows: 0 };
        assert_eq!(error.to_string(), "pairs, row 0: row -2 of dataset 1 is out of range");
    }

    /// Only what overflowed is mended by rescaling, and only a solver whose tolerance is an option says so.
    #[test]
    fn hints_fit_what_failed() {
        let stopped = |fixed_tolerance| Error::NotConverged {
            solver: "Krylov".into(),
            iterations: 7,
            converged: 3,
            asked: 5,
            residual: 1e-3,
            tolerance: 1e-9,
            fixed_tolerance,
        };
        let hint = |e: Error| e.hint().unwrap_or_default();
        let (what, problem) = (|| String::from("a"), || String::from("b"));
        assert!(hint(Error::Overflow { what: what() }).contains("rescale"));
        for other in [
            Error::Degenerate { what: what(), problem: problem() },
            Error::Singular { what: what(), problem: problem() },
            Error::Numerical { what: what(), problem: problem() },
            stopped(true),
        ] {
            assert!(!hint(other).contains("rescale"));
        }
        assert!(hint(stopped(false)).contains("tolerance") && !hint(stopped(true)).contains("tolerance"));
        assert!(hint(Error::Singular { what: what(), problem: problem() }).contains("ridge"));
        assert_eq!(hint(Error::TooManyComponents { asked: 1, available: 0, why: what() }), "");
    }
}
