//! One error type for files. It says which file, which line and column, which value, and what to do next.

use std::fmt;
use std::path::{Path, PathBuf};

use crate::format::Refusal;
use crate::text::{Cell, comma_cell, counted, verb};

/// Result of everything that reads or writes a file.
pub type Result<T> = std::result::Result<T, Error>;

/// Where in a table something stands: "pairs.csv line 7" in a file, "pairs row 6" in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// A line of a file, from 1.
    Line {
        /// The file.
        path: PathBuf,
        /// Line, from 1.
        line: u64,
    },
    /// A row of a table of pairs in memory, from 0.
    Row(u64),
}

impl Place {
    /// A line of this file.
    pub(crate) fn line(path: &Path, line: u64) -> Self {
        Place::Line { path: path.into(), line }
    }
    /// Without the name of the table.
    fn within(&self) -> String {
        match self {
            Place::Line { line, .. } => format!("line {line}"),
            Place::Row(row) => format!("row {row}"),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Line { path, .. } => write!(out, "{} {}", path.display(), self.within()),
            Place::Row(_) => write!(out, "pairs {}", self.within()),
        }
    }
}

/// What went wrong with a file. [`Error::hint`] says what to do about it. Lines count from 1, as editors do.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The operating system refused.
    #[error("{}: cannot {action}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What was tried: "read" or "write".
        action: &'static str,
        /// What the system says.
        source: std::io::Error,
    },
    /// A folder where a file is needed.
    #[error("{}: this is a folder, not a file", path.display())]
    IsDirectory {
        /// The folder.
        path: PathBuf,
    },
    /// A model under the name of another format.
    #[error("{}: a model is not written as .{extension}, the name of another format", path.display())]
    NotForModels {
        /// The file.
        path: PathBuf,
        /// Its extension.
        extension: String,
    },
    /// An address on another machine.
    #[error("{path}: remote files are not read or written")]
    Remote {
        /// The address.
        path: String,
    },
    /// No reader or writer for this name.
    #[error("{}: no format belongs to {found}; known are {known}", path.display())]
    UnknownFormat {
        /// The file.
        path: PathBuf,
        /// The extension or format name.
        found: String,
        /// The formats there are.
        known: String,
    },
    /// Nothing in the file.
    #[error("{}: the file is empty", path.display())]
    EmptyFile {
        /// The file.
        path: PathBuf,
    },
    /// A readable file without rows or without columns.
    #[error("{}: no data: {} and {}", path.display(), counted(*rows, "row"), counted(*columns, "column"))]
    NoData {
        /// The file.
        path: PathBuf,
        /// Its rows.
        rows: usize,
        /// Its columns.
        columns: usize,
    },
    /// All columns of a table are ids, labels or not asked for.
    #[error("{}: no column is left as data: the file has {}", path.display(), counted(*columns, "column"))]
    NoColumnLeft {
        /// The file.
        path: PathBuf,
        /// Columns of the file.
        columns: usize,
    },
    /// The content is not what the name promises.
    #[error("{}: the file is not {format}: {problem}", path.display())]
    WrongFormat {
        /// The file.
        path: PathBuf,
        /// The format expected.
        format: &'static str,
        /// What does not fit.
        problem: String,
    },
    /// The file ends too early.
    #[error("{}: the file is cut off: {problem}", path.display())]
    Truncated {
        /// The file.
        path: PathBuf,
        /// What is missing.
        problem: String,
    },
    /// The file contradicts itself.
    #[error("{}: the file is damaged: {problem}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What does not fit.
        problem: String,
    },
    /// A line that does not follow the format.
    #[error("{} line {line}: {problem}", path.display())]
    BadLine {
        /// The file.
        path: PathBuf,
        /// Line, from 1.
        line: u64,
        /// What does not fit, with the value.
        problem: String,
    },
    /// More memory than allowed.
    #[error("{}: {what} needs {} bytes or more, the limit is {limit}", path.display(), bytes)]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// What is too large.
        what: String,
        /// Bytes it needs at least.
        bytes: u128,
        /// Bytes allowed.
        limit: u64,
    },
    /// A valid file of a kind that is not read.
    #[error("{}: {what} cannot be read", path.display())]
    Unsupported {
        /// The file.
        path: PathBuf,
        /// The kind.
        what: String,
    },
    /// A line with another number of fields.
    #[error("{} line {line}: {} where {expected} {} expected", path.display(), counted(*got, "field"), verb(*expected, "is", "are"))]
    Ragged {
        /// The file.
        path: PathBuf,
        /// Line, from 1.
        line: u64,
        /// Fields of the first line.
        expected: usize,
        /// Fields of this line.
        got: usize,
    },
    /// Text where a number is expected.
    #[error("{} line {line}, column {column}: \"{value}\" is not a number", path.display())]
    NotANumber {
        /// The file.
        path: PathBuf,
        /// Line, from 1.
        line: u64,
        /// Column name in quotes, or its number from 0.
        column: String,
        /// The text found.
        value: String,
    },
    /// A missing value.
    #[error("{} line {line}, column {column}: the value is missing (\"{value}\")", path.display())]
    Missing {
        /// The file.
        path: PathBuf,
        /// Line, from 1.
        line: u64,
        /// Column name in quotes, or its number from 0.
        column: String,
        /// The text found: empty, NA, nan, …
        value: String,
    },
    /// Bytes that are not text.
    #[error("{} line {line}: the text is not UTF-8", path.display())]
    NotUtf8 {
        /// The file.
        path: PathBuf,
        /// Line, from 1.
        line: u64,
    },
    /// A column is asked for twice.
    #[error("{}: column {column} is asked for twice", path.display())]
    ColumnTwice {
        /// The file.
        path: PathBuf,
        /// The column.
        column: String,
    },
    /// A kept column has the name of a column of the output.
    #[error("the output has a column \"{column}\" already")]
    ColumnTaken {
        /// The column.
        column: String,
    },
    /// A kept column holds what a table of text cannot hold.
    #[error("the kept column \"{column}\" holds {found}, which csv and tsv cannot hold")]
    KeptKind {
        /// The column.
        column: String,
        /// What it holds.
        found: String,
    },
    /// A column is asked for that the file does not have.
    #[error("{}: there is no column {column}; there are {known}", path.display())]
    UnknownColumn {
        /// The file.
        path: PathBuf,
        /// The column asked for.
        column: String,
        /// The columns there are.
        known: String,
    },
    /// A model, a chain or a dataset is asked for that the file does not have.
    #[error("{}: there is no {what}; there are {known}", path.display())]
    UnknownPart {
        /// The file.
        path: PathBuf,
        /// What is asked for, with its name.
        what: String,
        /// Those there are.
        known: String,
    },
    /// The first line of a file of pairs is neither a header nor a pair.
    #[error("{} line {line}: {cells} are neither names of datasets nor rows of them", path.display())]
    PairHeader {
        /// The file.
        path: PathBuf,
        /// Its line, from 1.
        line: u64,
        /// What stands there.
        cells: String,
        /// Names of the datasets.
        known: String,
    },
    /// An array of an archive has to be chosen, or the chosen one is not there.
    #[error("{}: {problem}; the arrays are {known}", path.display())]
    ArrayChoice {
        /// The file.
        path: PathBuf,
        /// What was asked for, or that nothing was.
        problem: String,
        /// The arrays there are.
        known: String,
    },
    /// An option that has no meaning for this format.
    #[error("{}: {option} has no meaning for {format} files", path.display())]
    OptionWithoutMeaning {
        /// The file.
        path: PathBuf,
        /// The option given.
        option: &'static str,
        /// The format.
        format: &'static str,
    },
    /// An option behind the name of a file that no reader has.
    #[error("{}: there is no reading option {option}{}", path.display(), near.as_ref().map_or_else(String::new, |n| format!("; did you mean {n}?")))]
    UnknownOption {
        /// The file.
        path: PathBuf,
        /// The option given.
        option: String,
        /// The option of most similar spelling.
        near: Option<String>,
        /// All options.
        known: String,
    },
    /// A table whose cells stand between other delimiters than were assumed.
    #[error("{}: the cells seem to be separated by {}, not by {}{}", path.display(), byte_name(*found), byte_name(*assumed), if *decimal { ", with a decimal comma" } else { "" })]
    OtherDelimiter {
        /// The file.
        path: PathBuf,
        /// What separates the cells.
        found: u8,
        /// What was assumed.
        assumed: u8,
        /// Whether numbers have a decimal comma.
        decimal: bool,
    },
    /// Ids of a pair table that no row has.
    #[error("{place}: {} of dataset \"{dataset}\": {ids}", not_rows(*count))]
    UnknownIds {
        /// Where the first one stands.
        place: Place,
        /// Name of the dataset.
        dataset: String,
        /// The first five of them.
        ids: String,
        /// How many there are.
        count: usize,
    },
    /// A row id in a pair table, for rows that have none.
    #[error("{place}: \"{id}\" is not a row number, and the rows of dataset \"{dataset}\" have no ids")]
    NoIds {
        /// Where it stands.
        place: Place,
        /// Name of the dataset.
        dataset: String,
        /// The id.
        id: String,
    },
    /// A row number of a pair table that the dataset does not have.
    #[error("{place}: row {row} is out of range: dataset \"{dataset}\" has {} (0 to {})", counted(*rows, "row"), rows.saturating_sub(1))]
    RowOutOfRange {
        /// Where it stands.
        place: Place,
        /// Name of the dataset.
        dataset: String,
        /// The row asked for.
        row: i64,
        /// Rows of the dataset.
        rows: usize,
    },
    /// A row id of a pair table that several rows have.
    #[error("{place}: several rows of dataset \"{dataset}\" have the id \"{id}\"")]
    AmbiguousId {
        /// Where it stands.
        place: Place,
        /// Name of the dataset.
        dataset: String,
        /// The id.
        id: String,
    },
    /// Row ids that look like numbers, beside row numbers.
    #[error("{number}: the column of dataset \"{dataset}\" has a row number here and a row id in {}; its ids look like numbers, so it must hold one kind", id.within())]
    MixedCells {
        /// Where the first row number stands.
        number: Place,
        /// Where the first row id stands.
        id: Place,
        /// Name of the dataset.
        dataset: String,
    },
    /// New rows without some columns of the fit.
    #[error("{rows}: {} of the fit {} missing: {names}", counted(*count, "column"), verb(*count, "is", "are"))]
    MissingColumns {
        /// What the new rows are called.
        rows: String,
        /// The first five of the missing columns.
        names: String,
        /// How many there are.
        count: usize,
    },
    /// New rows without names that have another number of columns than the fitted ones.
    #[error("{rows}: there {} {}; the model was fitted with {expected}", verb(*got, "is", "are"), counted(*got, "column"))]
    ColumnCount {
        /// What the new rows are called.
        rows: String,
        /// Columns of the fitted rows.
        expected: usize,
        /// Columns of the new rows.
        got: usize,
    },
    /// Columns that are to be matched by name, where a name occurs twice.
    #[error("{rows}: the name \"{name}\" stands for column {first} and for column {second}")]
    RepeatedColumn {
        /// Whose columns these are.
        rows: String,
        /// The name.
        name: String,
        /// The first column with it, from 0.
        first: usize,
        /// The next one.
        second: usize,
    },
    /// Two rows with the same id.
    #[error("{}: the id \"{id}\" stands for row {first} and for row {second}", path.display())]
    DuplicateId {
        /// The file.
        path: PathBuf,
        /// The id.
        id: String,
        /// The first row with it, from 0.
        first: usize,
        /// The second one.
        second: usize,
    },
    /// A column of a table in columns that holds something else than numbers.
    #[error("{}: column {column} holds {found}, not numbers", path.display())]
    ColumnKind {
        /// The file.
        path: PathBuf,
        /// Column name in quotes.
        column: String,
        /// What it holds.
        found: String,
    },
    /// A missing value of a table in columns.
    #[error("{} row {row}, column {column}: the value is missing", path.display())]
    MissingAt {
        /// The file.
        path: PathBuf,
        /// Row, from 0.
        row: usize,
        /// Column name in quotes.
        column: String,
    },
    /// A row that does not fit the others.
    #[error("{} row {row}: {problem}", path.display())]
    BadRow {
        /// The file.
        path: PathBuf,
        /// Row, from 0.
        row: usize,
        /// What does not fit.
        problem: String,
    },
    /// Rows that are not to be had some at a time.
    #[error("{} cannot be read in pieces: {why}", path.display())]
    NotInPieces {
        /// The file.
        path: PathBuf,
        /// Why, and what helps.
        why: String,
    },
    /// A column without a single value, whose mean is wanted.
    #[error("{}: column {column} has no value at all, so it has no mean", path.display())]
    NoMean {
        /// The file.
        path: PathBuf,
        /// Column name in quotes, or its number from 0.
        column: String,
    },
    /// Text without words, or none that is kept.
    #[error("{}: no word is left of {}", path.display(), counted(*documents, "document"))]
    NoWords {
        /// The file or folder.
        path: PathBuf,
        /// How many documents there are.
        documents: usize,
    },
    /// A model's recipe for raw text is not understood.
    #[error("dataset \"{dataset}\": its recipe for text cannot be followed: {problem}")]
    Recipe {
        /// Name of the dataset.
        dataset: String,
        /// What does not fit.
        problem: String,
    },
    /// A format cannot hold this matrix.
    #[error("{}: {format} files {what}", path.display())]
    CannotHold {
        /// The file to be written.
        path: PathBuf,
        /// The format.
        format: &'static str,
        /// What it cannot hold.
        what: Refusal,
    },
    /// A file that should hold a model and cannot: the error says why.
    #[error("{0}")]
    Model(Box<Error>),
    /// What was read or is to be written makes no dataset or no pairs.
    #[error(transparent)]
    Core(#[from] landbridge::Error),
}

fn byte_name(byte: u8) -> String {
    if byte == b'\t' { "tab".into() } else { format!("'{}'", byte as char) }
}

fn not_rows(count: usize) -> String {
    format!("{} {}", counted(count, "cell"), verb(count, "is not a row", "are not rows"))
}

impl Error {
    /// What to do about it, where there is something to say.
    pub fn hint(&self) -> Option<String> {
        use Error::*;
        let text = match self {
            Io { .. } | NoData { .. } | BadLine { .. } | BadRow { .. } | Unsupported { .. } => return None,
            IsDirectory { .. } => "name a file in it".into(),
            NotForModels { .. } => "write it to a file that ends in .lb".into(),
            Remote { .. } => "download it first and give the path of the copy".into(),
            UnknownFormat { .. } => "rename the file, or tell the format (CLI: --format csv)".into(),
            EmptyFile { .. } => "check how it was written; a file of 0 bytes holds no data".into(),
            WrongFormat { .. } => "check the extension, or tell the format (CLI: --format csv)".into(),
            Truncated { .. } | Damaged { .. } => "copy, download or write it again".into(),
            TooLarge { .. } => "raise max_memory (CLI: --max-memory) if the file is to be trusted".into(),
            Ragged { .. } => "check the delimiter, and quote cells that contain it".into(),
            ColumnKind { .. } => {
                "tell which columns are data (CLI: --columns) or hold ids or labels (--id-column, --label-column)".into()
            }
            NoColumnLeft { .. } => {
                "name other columns as data (CLI: --columns), or read the file without ids (--id-column none)".into()
            }
            NotANumber { value, .. } if value.contains(',') && matches!(comma_cell(value.as_bytes()), Cell::Number(_)) => {
                "tell the reader of the decimal comma (CLI: --decimal ',')".into()
            }
            NotANumber { .. } => {
                "tell which columns are data (CLI: --columns) or are not (--id-column, --label-column), or whether there is a header (--header); lines of user, item and rating are read by --ratings (Python: ratings=True)"
                    .into()
            }
            Missing { .. } | MissingAt { .. } => "say what becomes of missing values (CLI: --missing zero, mean or drop)".into(),
            DuplicateId { .. } => {
                "make the ids unique, or read the file without them (CLI: --id-column none, Python: id_column=False)".into()
            }
            NotInPieces { .. } => "or write one file instead of parts, which reads all rows at once (CLI: -o z.parquet)".into(),
            NoMean { .. } => "leave the column out of the file, or use --missing zero".into(),
            NoWords { .. } => "lower --min-df, leave --stop-words out, or use --char-ngrams".into(),
            Recipe { .. } => "fit the model again with this version".into(),
            NotUtf8 { .. } => "save the file as UTF-8".into(),
            ColumnTwice { .. } => "a column is data, ids or labels: name it once".into(),
            ColumnTaken { .. } => {
                "leave it out of the kept columns, or rename it in the file; ids are carried along by themselves".into()
            }
            KeptKind { .. } => "write .parquet or .arrow, or leave it out of the kept columns".into(),
            UnknownColumn { .. } | UnknownPart { .. } => "use one of these names; names are case-sensitive".into(),
            ArrayChoice { .. } => {
                "choose one of them (CLI: --key NAME; h5ad: --layer NAME or --use-rep NAME; h5mu: --modality NAME)".into()
            }
            UnknownOption { known, .. } => format!("reading options are {known}"),
            OtherDelimiter { found, decimal, .. } => {
                let comma = if *decimal { " --decimal ','" } else { "" };
                format!("tell the reader (CLI: --delimiter {}{comma})", byte_name(*found))
            }
            OptionWithoutMeaning { option, .. } => format!("leave {option} out for this file"),
            AmbiguousId { .. } => "use row numbers from 0 for these rows, or make the ids unique".into(),
            MixedCells { .. } => "use row ids throughout the column, or row numbers throughout".into(),
            MissingColumns { .. } => {
                "new rows need every column that the model was fitted with; their order does not matter".into()
            }
            ColumnCount { .. } => "new rows without names need the same columns in the same order as the fitted rows".into(),
            RepeatedColumn { .. } => "make the names unique, or give the columns of the fit in their order without names".into(),
            PairHeader { known, .. } => format!(
                "a header names the datasets, here {known}, and perhaps weight; without a header, cells are row ids or row numbers from 0"
            ),
            UnknownIds { .. } | NoIds { .. } | RowOutOfRange { .. } => {
                "cells are row ids or row numbers from 0; empty or -1 means no counterpart; a header must name the datasets"
                    .into()
            }
            CannotHold { what: Refusal::SparseRows, .. } => "write .npz or .mtx instead".into(),
            CannotHold { what: Refusal::Everything, .. } => "write .csv, .npy, .npz, .mtx, .parquet or .arrow instead".into(),
            CannotHold { .. } => "write .csv, .tsv, .parquet or .arrow instead, or leave them out".into(),
            Model(error) => return error.hint(),
            Core(error) => return error.hint(),
        };
        Some(text)
    }

    /// A short word for the kind of error, for machines (`--json`, Python exception classes).
    pub fn kind(&self) -> &'static str {
        use Error::*;
        match self {
            Io { .. } | IsDirectory { .. } | Remote { .. } => "io",
            NotForModels { .. } => "parameter",
            UnknownFormat { .. }
            | UnknownColumn { .. }
            | UnknownPart { .. }
            | ColumnTwice { .. }
            | ColumnTaken { .. }
            | KeptKind { .. }
            | ArrayChoice { .. }
            | OptionWithoutMeaning { .. }
            | UnknownOption { .. }
            | CannotHold { .. } => "parameter",
            EmptyFile { .. }
            | NoData { .. }
            | NoColumnLeft { .. }
            | WrongFormat { .. }
            | Truncated { .. }
            | Damaged { .. }
            | BadLine { .. }
            | TooLarge { .. }
            | Unsupported { .. }
            | Ragged { .. }
            | NotANumber { .. }
            | OtherDelimiter { .. }
            | Missing { .. }
            | NotUtf8 { .. }
            | DuplicateId { .. }
            | ColumnKind { .. }
            | MissingAt { .. }
            | BadRow { .. }
            | NoMean { .. }
            | NotInPieces { .. }
            | NoWords { .. }
            | Recipe { .. }
            | MissingColumns { .. }
            | ColumnCount { .. }
            | RepeatedColumn { .. } => "data",
            PairHeader { .. }
            | UnknownIds { .. }
            | NoIds { .. }
            | RowOutOfRange { .. }
            | AmbiguousId { .. }
            | MixedCells { .. } => "pairs",
            Model(_) => "model",
            Core(error) => error.kind(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every variant with its sentence. `kind()` has no wildcard, so a new variant leads here, and the count
    /// fails until it is written down.
    #[test]
    fn every_variant_says_which_file_and_what() {
        let path = || PathBuf::from("en.csv");
        let s = |text: &str| text.to_string();
        let place = |line| Place::line(Path::new("en.csv"), line);
        let sentences = [
            (Error::Io { path: path(), action: "read", source: std::io::Error::other("gone") }, "en.csv: cannot read: gone"),
            (Error::IsDirectory { path: path() }, "en.csv: this is a folder, not a file"),
            (
                Error::NotForModels { path: path(), extension: "csv".into() },
                "en.csv: a model is not written as .csv, the name of another format",
            ),
            (Error::Remote { path: s("s3://a/b.csv") }, "s3://a/b.csv: remote files are not read or written"),
            (
                Error::UnknownFormat { path: path(), found: s(".doc"), known: s("csv, npy") },
                "en.csv: no format belongs to .doc; known are csv, npy",
            ),
            (Error::EmptyFile { path: path() }, "en.csv: the file is empty"),
            (Error::NoData { path: path(), rows: 0, columns: 3 }, "en.csv: no data: 0 rows and 3 columns"),
            (Error::NoColumnLeft { path: path(), columns: 2 }, "en.csv: no column is left as data: the file has 2 columns"),
            (Error::WrongFormat { path: path(), format: "npy", problem: s("no magic") }, "en.csv: the file is not npy: no magic"),
            (Error::Truncated { path: path(), problem: s("3 of 4 entries") }, "en.csv: the file is cut off: 3 of 4 entries"),
            (Error::Damaged { path: path(), problem: s("checksum") }, "en.csv: the file is damaged: checksum"),
            (Error::BadLine { path: path(), line: 7, problem: s("row 0") }, "en.csv line 7: row 0"),
            (
                Error::TooLarge { path: path(), what: s("the array"), bytes: 99, limit: 10 },
                "en.csv: the array needs 99 bytes or more, the limit is 10",
            ),
            (Error::Unsupported { path: path(), what: s("a complex array") }, "en.csv: a complex array cannot be read"),
            (Error::Ragged { path: path(), line: 3, expected: 4, got: 5 }, "en.csv line 3: 5 fields where 4 are expected"),
            (
                Error::NotANumber { path: path(), line: 3, column: s("\"x\""), value: s("abc") },
                "en.csv line 3, column \"x\": \"abc\" is not a number",
            ),
            (
                Error::Missing { path: path(), line: 3, column: s("2"), value: s("NA") },
                "en.csv line 3, column 2: the value is missing (\"NA\")",
            ),
            (Error::NotUtf8 { path: path(), line: 3 }, "en.csv line 3: the text is not UTF-8"),
            (Error::ColumnTwice { path: path(), column: s("\"y\"") }, "en.csv: column \"y\" is asked for twice"),
            (Error::ColumnTaken { column: s("z0") }, "the output has a column \"z0\" already"),
            (
                Error::KeptKind { column: s("y"), found: s("Decimal128(3, 1)") },
                "the kept column \"y\" holds Decimal128(3, 1), which csv and tsv cannot hold",
            ),
            (
                Error::UnknownColumn { path: path(), column: s("\"y\""), known: s("\"x\"") },
                "en.csv: there is no column \"y\"; there are \"x\"",
            ),
            (
                Error::UnknownPart { path: path(), what: s("model 3"), known: s("models \"1\", \"2\"") },
                "en.csv: there is no model 3; there are models \"1\", \"2\"",
            ),
            (
                Error::PairHeader { path: path(), line: 1, cells: s("\"x\", \"y\""), known: s("\"en\", \"it\"") },
                "en.csv line 1: \"x\", \"y\" are neither names of datasets nor rows of them",
            ),
            (
                Error::ArrayChoice { path: path(), problem: s("no array was chosen"), known: s("\"a\", \"b\"") },
                "en.csv: no array was chosen; the arrays are \"a\", \"b\"",
            ),
            (
                Error::OptionWithoutMeaning { path: path(), option: "header", format: "npy" },
                "en.csv: header has no meaning for npy files",
            ),
            (
                Error::UnknownOption { path: path(), option: s("use_rap"), near: Some(s("use_rep")), known: s("use_rep, layer") },
                "en.csv: there is no reading option use_rap; did you mean use_rep?",
            ),
            (
                Error::OtherDelimiter { path: path(), found: b';', assumed: b',', decimal: true },
                "en.csv: the cells seem to be separated by ';', not by ',', with a decimal comma",
            ),
            (
                Error::UnknownIds { place: place(4), dataset: s("it"), ids: s("\"w1\", \"w2\""), count: 2 },
                "en.csv line 4: 2 cells are not rows of dataset \"it\": \"w1\", \"w2\"",
            ),
            (
                Error::NoIds { place: Place::Row(4), dataset: s("it"), id: s("w1") },
                "pairs row 4: \"w1\" is not a row number, and the rows of dataset \"it\" have no ids",
            ),
            (
                Error::RowOutOfRange { place: place(7), dataset: s("en"), row: 3, rows: 2 },
                "en.csv line 7: row 3 is out of range: dataset \"en\" has 2 rows (0 to 1)",
            ),
            (
                Error::AmbiguousId { place: place(7), dataset: s("en"), id: s("w1") },
                "en.csv line 7: several rows of dataset \"en\" have the id \"w1\"",
            ),
            (
                Error::MixedCells { number: place(7), id: place(2), dataset: s("en") },
                "en.csv line 7: the column of dataset \"en\" has a row number here and a row id in line 2; its ids look like numbers, so it must hold one kind",
            ),
            (
                Error::MissingColumns { rows: s("new.csv"), names: s("\"x\""), count: 1 },
                "new.csv: 1 column of the fit is missing: \"x\"",
            ),
            (
                Error::ColumnCount { rows: s("new.csv"), expected: 4, got: 3 },
                "new.csv: there are 3 columns; the model was fitted with 4",
            ),
            (
                Error::RepeatedColumn { rows: s("new.csv"), name: s("x"), first: 0, second: 2 },
                "new.csv: the name \"x\" stands for column 0 and for column 2",
            ),
            (
                Error::DuplicateId { path: path(), id: s("w1"), first: 3, second: 5 },
                "en.csv: the id \"w1\" stands for row 3 and for row 5",
            ),
            (
                Error::ColumnKind { path: path(), column: s("\"t\""), found: s("text") },
                "en.csv: column \"t\" holds text, not numbers",
            ),
            (Error::MissingAt { path: path(), row: 7, column: s("\"x\"") }, "en.csv row 7, column \"x\": the value is missing"),
            (Error::BadRow { path: path(), row: 7, problem: s("a list of 3") }, "en.csv row 7: a list of 3"),
            (Error::NotInPieces { path: path(), why: s("it is a pipe") }, "en.csv cannot be read in pieces: it is a pipe"),
            (Error::NoMean { path: path(), column: s("\"x\"") }, "en.csv: column \"x\" has no value at all, so it has no mean"),
            (Error::NoWords { path: path(), documents: 3 }, "en.csv: no word is left of 3 documents"),
            (
                Error::Recipe { dataset: s("en"), problem: s("version 9") },
                "dataset \"en\": its recipe for text cannot be followed: version 9",
            ),
            (
                Error::CannotHold { path: path(), format: "csv", what: Refusal::SparseRows },
                "en.csv: csv files cannot hold sparse rows",
            ),
            (Error::Model(Box::new(Error::EmptyFile { path: path() })), "en.csv: the file is empty"),
            (Error::Core(landbridge::Error::Cancelled), "stopped on request"),
        ];
        for (error, sentence) in &sentences {
            assert_eq!(&error.to_string(), sentence);
            assert!(["io", "parameter", "data", "pairs", "model", "cancelled"].contains(&error.kind()));
            assert!(error.hint().is_none_or(|h| !h.is_empty()));
        }
        let different: std::collections::HashSet<_> = sentences.iter().map(|(e, _)| std::mem::discriminant(e)).collect();
        assert_eq!(different.len(), 47, "one sentence per variant");
    }
}
