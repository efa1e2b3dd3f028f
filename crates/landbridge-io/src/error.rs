//! One error type for files: which file, which line and column, which value, what to do next.

use std::path::PathBuf;

/// Result of everything that reads or writes a file.
pub type Result<T> = std::result::Result<T, Error>;

/// What went wrong with a file. [`Error::hint`] says what to do about it. Lines count from 1, as editors do.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
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
    /// A folder where a file is needed.
    #[error("{}: this is a folder, not a file", path.display())]
    IsDirectory {
        /// The folder.
        path: PathBuf,
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
    #[error("{}: no data: {rows} rows and {columns} columns", path.display())]
    NoData {
        /// The file.
        path: PathBuf,
        /// Its rows.
        rows: usize,
        /// Its columns.
        columns: usize,
    },
    /// All columns of a table are ids, labels or not asked for.
    #[error("{}: of {columns} column(s) none is left as data", path.display())]
    NoColumnLeft {
        /// The file.
        path: PathBuf,
        /// Columns of the file.
        columns: usize,
    },
    /// The content is not what the name promises.
    #[error("{}: this is no {format} file: {problem}", path.display())]
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
    #[error("{}, line {line}: {problem}", path.display())]
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
    #[error("{}, line {line}: {got} fields where {expected} are expected", path.display())]
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
    #[error("{}, line {line}, column {column}: \"{value}\" is not a number", path.display())]
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
    #[error("{}, line {line}, column {column}: the value is missing (\"{value}\")", path.display())]
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
    /// Bytes that are no text.
    #[error("{}, line {line}: the text is not UTF-8", path.display())]
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
    /// Ids of a pair table that no row has.
    #[error("{}, line {line}: {count} cell(s) are no row of dataset \"{dataset}\": {ids}", path.display())]
    UnknownIds {
        /// The pair table.
        path: PathBuf,
        /// Line of the first one, from 1.
        line: u64,
        /// Name of the dataset.
        dataset: String,
        /// The first five of them.
        ids: String,
        /// How many there are.
        count: usize,
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
    /// A column of a table in columns that holds no numbers.
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
    #[error("{}, row {row}, column {column}: the value is missing", path.display())]
    MissingAt {
        /// The file.
        path: PathBuf,
        /// Row, from 0.
        row: usize,
        /// Column name in quotes.
        column: String,
    },
    /// A row that does not fit the others.
    #[error("{}, row {row}: {problem}", path.display())]
    BadRow {
        /// The file.
        path: PathBuf,
        /// Row, from 0.
        row: usize,
        /// What does not fit.
        problem: String,
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
    #[error("{}: no word is left of {documents} document(s)", path.display())]
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
    #[error("{}: {format} files cannot hold {what}", path.display())]
    CannotHold {
        /// The file to be written.
        path: PathBuf,
        /// The format.
        format: &'static str,
        /// What cannot be held.
        what: &'static str,
    },
    /// What was read or is to be written makes no dataset or no pairs.
    #[error(transparent)]
    Core(#[from] landbridge::Error),
}

impl Error {
    /// What to do about it, where there is something to say.
    pub fn hint(&self) -> Option<String> {
        use Error::*;
        let text = match self {
            Io { .. } | NoData { .. } | BadLine { .. } | BadRow { .. } | Unsupported { .. } => return None,
            IsDirectory { .. } => "name a file in it".into(),
            Remote { .. } => "download it first and give the path of the copy".into(),
            UnknownFormat { .. } => "rename the file, or tell the format (CLI: --format csv)".into(),
            EmptyFile { .. } => "check how it was written; 0 bytes are no data".into(),
            WrongFormat { .. } => "check the extension, or tell the format (CLI: --format csv)".into(),
            Truncated { .. } | Damaged { .. } => "copy, download or write it again".into(),
            TooLarge { .. } => "raise max_memory (CLI: --max-memory) if the file is to be trusted".into(),
            Ragged { .. } => "check the delimiter, and quote cells that contain it".into(),
            ColumnKind { .. } => {
                "tell which columns are data (CLI: --columns) or hold ids or labels (--id-column, --labels-column)".into()
            }
            NoColumnLeft { .. } => {
                "name other columns as data (CLI: --columns), or read the file without ids (--id-column none)".into()
            }
            NotANumber { .. } => {
                "tell which columns are data (CLI: --columns) or are not (--id-column, --labels-column), or whether there is a header (--header)"
                    .into()
            }
            Missing { .. } | MissingAt { .. } => "say what becomes of missing values (CLI: --missing zero, mean or drop)".into(),
            DuplicateId { .. } => {
                "make the ids unique, or read the file without them (CLI: --id-column none, Python: id_column=False)".into()
            }
            NoMean { .. } => "leave the column out of the file, or use --missing zero".into(),
            NoWords { .. } => "lower --min-df, leave --stop-words out, or use --char-ngrams".into(),
            Recipe { .. } => "fit the model again with this version".into(),
            NotUtf8 { .. } => "save the file as UTF-8".into(),
            ColumnTwice { .. } => "a column is data, ids or labels: name it once".into(),
            UnknownColumn { .. } => "use one of these names; names are case-sensitive".into(),
            ArrayChoice { .. } => {
                "choose one of them (CLI: --key NAME; h5ad: --layer NAME or --use-rep NAME; h5mu: --modality NAME)".into()
            }
            OptionWithoutMeaning { option, .. } => format!("leave {option} out for this file"),
            UnknownIds { .. } => {
                "cells are row ids or row numbers from 0; empty or -1 means no counterpart; a header must name the datasets"
                    .into()
            }
            CannotHold { what, .. } if what.contains("sparse") => "write .npz or .mtx instead".into(),
            CannotHold { .. } => "write .csv or .tsv instead, or leave them out".into(),
            Core(error) => return error.hint(),
        };
        Some(text)
    }

    /// A short word for the kind of error, for machines (`--json`, Python exception classes).
    pub fn kind(&self) -> &'static str {
        use Error::*;
        match self {
            Io { .. } | IsDirectory { .. } | Remote { .. } => "io",
            UnknownFormat { .. }
            | UnknownColumn { .. }
            | ColumnTwice { .. }
            | ArrayChoice { .. }
            | OptionWithoutMeaning { .. }
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
            | Missing { .. }
            | NotUtf8 { .. }
            | DuplicateId { .. }
            | ColumnKind { .. }
            | MissingAt { .. }
            | BadRow { .. }
            | NoMean { .. }
            | NoWords { .. }
            | Recipe { .. } => "data",
            UnknownIds { .. } => "pairs",
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
        let sentences = [
            (Error::Io { path: path(), action: "read", source: std::io::Error::other("gone") }, "en.csv: cannot read: gone"),
            (Error::IsDirectory { path: path() }, "en.csv: this is a folder, not a file"),
            (Error::Remote { path: s("s3://a/b.csv") }, "s3://a/b.csv: remote files are not read or written"),
            (
                Error::UnknownFormat { path: path(), found: s(".doc"), known: s("csv, npy") },
                "en.csv: no format belongs to .doc; known are csv, npy",
            ),
            (Error::EmptyFile { path: path() }, "en.csv: the file is empty"),
            (Error::NoData { path: path(), rows: 0, columns: 3 }, "en.csv: no data: 0 rows and 3 columns"),
            (Error::NoColumnLeft { path: path(), columns: 2 }, "en.csv: of 2 column(s) none is left as data"),
            (Error::WrongFormat { path: path(), format: "npy", problem: s("no magic") }, "en.csv: this is no npy file: no magic"),
            (Error::Truncated { path: path(), problem: s("3 of 4 entries") }, "en.csv: the file is cut off: 3 of 4 entries"),
            (Error::Damaged { path: path(), problem: s("checksum") }, "en.csv: the file is damaged: checksum"),
            (Error::BadLine { path: path(), line: 7, problem: s("row 0") }, "en.csv, line 7: row 0"),
            (
                Error::TooLarge { path: path(), what: s("the array"), bytes: 99, limit: 10 },
                "en.csv: the array needs 99 bytes or more, the limit is 10",
            ),
            (Error::Unsupported { path: path(), what: s("a complex array") }, "en.csv: a complex array cannot be read"),
            (Error::Ragged { path: path(), line: 3, expected: 4, got: 5 }, "en.csv, line 3: 5 fields where 4 are expected"),
            (
                Error::NotANumber { path: path(), line: 3, column: s("\"x\""), value: s("abc") },
                "en.csv, line 3, column \"x\": \"abc\" is not a number",
            ),
            (
                Error::Missing { path: path(), line: 3, column: s("2"), value: s("NA") },
                "en.csv, line 3, column 2: the value is missing (\"NA\")",
            ),
            (Error::NotUtf8 { path: path(), line: 3 }, "en.csv, line 3: the text is not UTF-8"),
            (Error::ColumnTwice { path: path(), column: s("\"y\"") }, "en.csv: column \"y\" is asked for twice"),
            (
                Error::UnknownColumn { path: path(), column: s("\"y\""), known: s("\"x\"") },
                "en.csv: there is no column \"y\"; there are \"x\"",
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
                Error::UnknownIds { path: path(), line: 4, dataset: s("it"), ids: s("\"w1\", \"w2\""), count: 2 },
                "en.csv, line 4: 2 cell(s) are no row of dataset \"it\": \"w1\", \"w2\"",
            ),
            (
                Error::DuplicateId { path: path(), id: s("w1"), first: 3, second: 5 },
                "en.csv: the id \"w1\" stands for row 3 and for row 5",
            ),
            (
                Error::ColumnKind { path: path(), column: s("\"t\""), found: s("text") },
                "en.csv: column \"t\" holds text, not numbers",
            ),
            (Error::MissingAt { path: path(), row: 7, column: s("\"x\"") }, "en.csv, row 7, column \"x\": the value is missing"),
            (Error::BadRow { path: path(), row: 7, problem: s("a list of 3") }, "en.csv, row 7: a list of 3"),
            (Error::NoMean { path: path(), column: s("\"x\"") }, "en.csv: column \"x\" has no value at all, so it has no mean"),
            (Error::NoWords { path: path(), documents: 3 }, "en.csv: no word is left of 3 document(s)"),
            (
                Error::Recipe { dataset: s("en"), problem: s("version 9") },
                "dataset \"en\": its recipe for text cannot be followed: version 9",
            ),
            (Error::CannotHold { path: path(), format: "csv", what: "sparse rows" }, "en.csv: csv files cannot hold sparse rows"),
            (Error::Core(landbridge::Error::Cancelled), "stopped on request"),
        ];
        for (error, sentence) in &sentences {
            assert_eq!(&error.to_string(), sentence);
            assert!(["io", "parameter", "data", "pairs", "cancelled"].contains(&error.kind()));
            assert!(error.hint().is_none_or(|h| !h.is_empty()));
        }
        let different: std::collections::HashSet<_> = sentences.iter().map(|(e, _)| std::mem::discriminant(e)).collect();
        assert_eq!(different.len(), 31, "one sentence per variant");
    }
}
