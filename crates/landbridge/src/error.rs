//! One error type: who, which value, what to do next.

use std::path::PathBuf;

/// Result of everything that can fail in landbridge.
pub type Result<T> = std::result::Result<T, Error>;

/// What went wrong, with the values that say where. [`Error::hint`] says what to do about it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A value of a dataset is NaN or infinite.
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
    /// A dataset without rows or without columns.
    #[error("dataset \"{dataset}\" is empty: it has {rows} rows and {columns} columns")]
    EmptyDataset {
        /// Name of the dataset.
        dataset: String,
        /// Its rows.
        rows: usize,
        /// Its columns.
        columns: usize,
    },
    /// A method was given fewer rows than it can work with.
    #[error("dataset \"{dataset}\" has {rows} row(s); at least {needed} are needed")]
    TooFewRows {
        /// Name of the dataset.
        dataset: String,
        /// Its rows.
        rows: usize,
        /// Rows needed.
        needed: usize,
    },
    /// Fewer than two datasets.
    #[error("{given} dataset(s) given; an alignment needs at least 2")]
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
    /// A value of a pair table is no row of its dataset.
    #[error("pairs, row {row}: {value} is not a row of dataset \"{dataset}\" ({rows} rows, counted from 0)")]
    PairOutOfRange {
        /// Row of the pair table, from 0.
        row: usize,
        /// Name of the dataset.
        dataset: String,
        /// The value given.
        value: i64,
        /// Rows the dataset has.
        rows: usize,
    },
    /// A row of the pair table names fewer than two rows.
    #[error("pairs, row {row}: only {entries} dataset(s) have an entry; a pair needs two")]
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
    /// The pairs are made for another number of datasets.
    #[error("the pairs are for {columns} datasets, but {datasets} datasets were given")]
    PairColumns {
        /// Columns of the pair table.
        columns: usize,
        /// Datasets given.
        datasets: usize,
    },
    /// No pairs, and the method cannot do without.
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
    /// The paired rows cannot say how a dataset is to be moved.
    #[error("paired rows of dataset \"{dataset}\": {problem}")]
    PairsDegenerate {
        /// Name of the dataset.
        dataset: String,
        /// What is wrong with them.
        problem: String,
    },
    /// `n_neighbors` does not fit the dataset.
    #[error("dataset \"{dataset}\": n_neighbors is {n_neighbors} but there are {rows} rows; it must be between 1 and {max}", max = rows.saturating_sub(1))]
    NeighborsOutOfRange {
        /// Name of the dataset.
        dataset: String,
        /// The value given.
        n_neighbors: usize,
        /// Rows the dataset has.
        rows: usize,
    },
    /// More components asked for than there are.
    #[error("n_components is {asked}, but at most {available} can be had: {why}")]
    TooManyComponents {
        /// The value given.
        asked: usize,
        /// The largest value possible.
        available: usize,
        /// Where the bound comes from.
        why: String,
    },
    /// A parameter outside its range.
    #[error("{name} is {value}; it must be {expected}")]
    BadParameter {
        /// Name of the parameter.
        name: String,
        /// The value given.
        value: String,
        /// What it must be.
        expected: String,
    },
    /// A given graph is not what a neighbour graph must be.
    #[error("graph of dataset \"{dataset}\": {problem}")]
    BadGraph {
        /// Name of the dataset.
        dataset: String,
        /// What is wrong, with the place.
        problem: String,
    },
    /// Given distances are none.
    #[error("distances of dataset \"{dataset}\": {problem}")]
    BadDistances {
        /// Name of the dataset.
        dataset: String,
        /// What is wrong, with the place.
        problem: String,
    },
    /// A dataset is named that the alignment does not have.
    #[error("there is no dataset {name}; there are {known}")]
    UnknownDataset {
        /// The name or position given.
        name: String,
        /// The names there are.
        known: String,
    },
    /// New rows have another number of features than the fitted ones.
    #[error("dataset \"{dataset}\" was fitted with {expected} features, the new rows have {got}")]
    FeatureCount {
        /// Name of the dataset.
        dataset: String,
        /// Features at fit time.
        expected: usize,
        /// Features given now.
        got: usize,
    },
    /// An eigensolver stopped before it reached its tolerance.
    #[error(
        "the {solver} eigensolver stopped after {iterations} iterations with {converged} of {asked} components converged; residual {residual:.1e}, asked {tolerance:.1e}"
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
        /// Largest residual among those asked for.
        residual: f64,
        /// Residual asked for.
        tolerance: f64,
    },
    /// The numbers left the range in which the method can work.
    #[error("{what}: {problem}")]
    Numerical {
        /// Which computation.
        what: String,
        /// What happened.
        problem: String,
    },
    /// No solution satisfies what was asked for.
    #[error("{what}: {why}")]
    Infeasible {
        /// Which problem.
        what: String,
        /// What cannot be satisfied.
        why: String,
    },
    /// The method does not define what was asked of it.
    #[error("{what} is not defined: {why}")]
    Undefined {
        /// What was asked.
        what: String,
        /// Why it has no meaning here.
        why: String,
    },
    /// Stopped by the caller (Ctrl-C).
    #[error("stopped on request")]
    Cancelled,
    /// The file is no landbridge model.
    #[error("{}: not a landbridge model: {why}", path.display())]
    NotAModel {
        /// The file.
        path: PathBuf,
        /// What is missing.
        why: String,
    },
    /// The model was written by another version of the format.
    #[error("{}: model format {found}, this landbridge reads format {supported}", path.display())]
    ModelVersion {
        /// The file.
        path: PathBuf,
        /// Format of the file.
        found: u32,
        /// Format understood here.
        supported: u32,
    },
    /// The model file is damaged.
    #[error("{}: the model is damaged: {why}", path.display())]
    ModelDamaged {
        /// The file.
        path: PathBuf,
        /// What does not fit.
        why: String,
    },
    /// The operating system refused.
    #[error("{}: cannot {action}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What was tried: "read", "write", …
        action: &'static str,
        /// The system's word.
        source: std::io::Error,
    },
}

impl Error {
    /// What to do about it, where there is something to say.
    pub fn hint(&self) -> Option<String> {
        use Error::*;
        let text = match self {
            NotFinite { .. } => "fill or drop missing values first; landbridge never guesses them".into(),
            EmptyDataset { .. } => "check the file: a header alone is no data".into(),
            TooFewRows { .. } | TooFewDatasets { .. } => return None,
            DuplicateName { .. } => "give each dataset a name of its own (CLI: --names a,b)".into(),
            Shape { .. } => return None,
            PairOutOfRange { .. } => "rows count from 0; -1 (or an empty cell) means no counterpart".into(),
            PairTooShort { .. } => "drop the row, or fill in its counterpart".into(),
            PairWeight { .. } => "leave a pair out instead of giving it weight 0".into(),
            PairColumns { .. } => "a pair table has one column per dataset, in the order of the datasets".into(),
            NoPairs { .. } => "give at least one known pair (CLI: --pairs pairs.csv; Python: pairs=[[i, j], ...]), or let them be inferred (--pairs infer, --self-train)".into(),
            NotJoined { .. } => "add at least one pair that leads from one to the other".into(),
            PairsDegenerate { .. } => "give pairs whose rows differ from each other, in both datasets".into(),
            NeighborsOutOfRange { .. } => "lower n_neighbors, or give precomputed graphs".into(),
            TooManyComponents { available, .. } => format!("ask for {available} or fewer"),
            BadParameter { .. } | BadGraph { .. } | BadDistances { .. } => return None,
            UnknownDataset { .. } => "use a position from 0 or one of these names".into(),
            FeatureCount { .. } => "new rows need the same columns in the same order as the fitted rows".into(),
            NotConverged { .. } => "raise max_iterations or the tolerance, or ask for fewer components".into(),
            Numerical { .. } => "rescale the data so that its values lie well between 1e-150 and 1e150".into(),
            Infeasible { .. } => "let distances shrink (equality=False), or keep fewer of them".into(),
            Undefined { .. } | Cancelled => return None,
            NotAModel { .. } => "models are written by `landbridge fit -o` or `save`".into(),
            ModelVersion { found, supported, .. } if found > supported => "update landbridge".into(),
            ModelVersion { .. } | ModelDamaged { .. } => "fit again and save anew".into(),
            Io { .. } => return None,
        };
        Some(text)
    }

    /// A short word for the kind of error, for machines (`--json`, Python exception classes).
    pub fn kind(&self) -> &'static str {
        use Error::*;
        match self {
            NotFinite { .. }
            | EmptyDataset { .. }
            | TooFewRows { .. }
            | TooFewDatasets { .. }
            | DuplicateName { .. }
            | Shape { .. }
            | FeatureCount { .. }
            | BadDistances { .. }
            | BadGraph { .. } => "data",
            PairOutOfRange { .. }
            | PairTooShort { .. }
            | PairWeight { .. }
            | PairColumns { .. }
            | NoPairs { .. }
            | PairsDegenerate { .. }
            | NotJoined { .. } => "pairs",
            NeighborsOutOfRange { .. } | TooManyComponents { .. } | BadParameter { .. } | UnknownDataset { .. } => "parameter",
            NotConverged { .. } | Numerical { .. } | Infeasible { .. } => "numerical",
            Undefined { .. } => "undefined",
            Cancelled => "cancelled",
            NotAModel { .. } | ModelVersion { .. } | ModelDamaged { .. } => "model",
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
    /// compiler points at this file, and the count below fails until it is written down.
    #[test]
    fn every_variant_says_who_what_and_which_value() {
        let d = || "it".to_string();
        let sentences = [
            (
                Error::NotFinite { dataset: d(), row: 3, column: "w7".into(), value: f64::NAN },
                "dataset \"it\": the value at row 3, column w7 is NaN (rows and columns counted from 0)",
            ),
            (Error::EmptyDataset { dataset: d(), rows: 0, columns: 4 }, "dataset \"it\" is empty: it has 0 rows and 4 columns"),
            (Error::TooFewRows { dataset: d(), rows: 1, needed: 2 }, "dataset \"it\" has 1 row(s); at least 2 are needed"),
            (Error::TooFewDatasets { given: 1 }, "1 dataset(s) given; an alignment needs at least 2"),
            (Error::DuplicateName { name: d() }, "two datasets are called \"it\""),
            (Error::Shape { what: "labels".into(), expected: "3".into(), got: "4".into() }, "labels: expected 3, got 4"),
            (
                Error::PairOutOfRange { row: 41, dataset: d(), value: 1733, rows: 1500 },
                "pairs, row 41: 1733 is not a row of dataset \"it\" (1500 rows, counted from 0)",
            ),
            (Error::PairTooShort { row: 2, entries: 1 }, "pairs, row 2: only 1 dataset(s) have an entry; a pair needs two"),
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
                "dataset \"it\": n_neighbors is 12 but there are 9 rows; it must be between 1 and 8",
            ),
            (
                Error::TooManyComponents { asked: 9, available: 4, why: "5 rows".into() },
                "n_components is 9, but at most 4 can be had: 5 rows",
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
                Error::NotConverged {
                    solver: "Chebyshev".into(),
                    iterations: 7,
                    converged: 3,
                    asked: 5,
                    residual: 1e-3,
                    tolerance: 1e-9,
                },
                "the Chebyshev eigensolver stopped after 7 iterations with 3 of 5 components converged; residual 1.0e-3, asked 1.0e-9",
            ),
            (Error::Numerical { what: "heat weights".into(), problem: "overflow".into() }, "heat weights: overflow"),
            (Error::Infeasible { what: "unfolding".into(), why: "no points".into() }, "unfolding: no points"),
            (Error::Undefined { what: "transform".into(), why: "given graph".into() }, "transform is not defined: given graph"),
            (Error::Cancelled, "stopped on request"),
            (Error::NotAModel { path: "m.lb".into(), why: "no header".into() }, "m.lb: not a landbridge model: no header"),
            (
                Error::ModelVersion { path: "m.lb".into(), found: 9, supported: 1 },
                "m.lb: model format 9, this landbridge reads format 1",
            ),
            (Error::ModelDamaged { path: "m.lb".into(), why: "checksum".into() }, "m.lb: the model is damaged: checksum"),
            (Error::Io { path: "m.lb".into(), action: "read", source: std::io::Error::other("gone") }, "m.lb: cannot read: gone"),
        ];
        for (error, sentence) in &sentences {
            assert_eq!(&error.to_string(), sentence);
            assert!(!error.kind().is_empty());
            if let Some(hint) = error.hint() {
                assert!(!hint.is_empty());
            }
        }
        assert_eq!(sentences.len(), 29, "one line per variant");
    }
}
