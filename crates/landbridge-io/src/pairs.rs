//! Which rows correspond: a table with one column per dataset.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::path::Path;

use landbridge::data::{Dataset, FileRows, Pairs, Rows};
use landbridge::outcome::Warning;

use crate::columnar::{ArrowIpc, Parquet, read_cells};
use crate::delimited::{csv_error, line_of, records, without_mark};
use crate::error::{Error, Place, Result};
use crate::format::Format;
use crate::npy::Npy;
use crate::options::ReadOptions;
use crate::source::{Input, is_dash, name_parts, refuse_remote};
use crate::text::{counted, excerpt, listed, verb};

/// Reads pairs for these datasets from a csv, tsv, parquet, arrow or npy file (`-`: csv from standard input).
///
/// - Header: names of datasets in any order, and `weight` if there are weights. A dataset without a column has no
///   part in these pairs. Without a header the columns are the datasets in order, then perhaps the weights.
/// - Cells: a row id where the dataset has ids and the cell is one of them, otherwise a row number from 0. Empty
///   or −1 means that there is no counterpart. Where the ids themselves look like row numbers, a column must be
///   one or the other throughout.
/// - parquet, arrow: the columns have names, as with a header; or as many columns as there are datasets, of other names.
/// - npy: integers, one column per dataset, or one more with the weights.
///
/// Rows are those of the file, also where some were left out when the dataset was read.
///
/// Errors name the line (for npy, parquet and arrow: the row, from 1) and the first five ids that no row has.
pub fn read_pairs(path: impl AsRef<Path>, datasets: &[&Dataset]) -> Result<Pairs> {
    read_pair_table(path, datasets)?.into_pairs(datasets.len())
}

/// Pairs as a table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PairTable {
    /// For each pair the row of each dataset, −1 for none.
    pub table: Vec<Vec<i64>>,
    /// The weight of each pair.
    pub weights: Vec<f64>,
    /// Pairs of rows that were left out when the dataset was read; they are not in the table.
    pub left_out: usize,
    /// Datasets whose ids are numbers, and of which the pairs hold row numbers that are none of these ids.
    pub by_number: Vec<String>,
}

impl PairTable {
    fn push(&mut self, path: &Path, line: u64, row: Vec<i64>, weight: f64, complete: bool) -> Result<()> {
        let bad = |problem| Err(Error::BadLine { path: path.into(), line, problem });
        let entries = row.iter().filter(|v| **v >= 0).count();
        if complete && entries < 2 {
            let has = if entries == 1 { "only 1 dataset has" } else { "no dataset has" };
            return bad(format!("{has} an entry; a pair needs two"));
        }
        if !(weight.is_finite() && weight > 0.0) {
            return bad(format!("the weight is {weight}; it must be a positive finite number"));
        }
        self.table.push(row);
        self.weights.push(weight);
        Ok(())
    }

    /// The pairs, with a note of those that were left out.
    pub fn into_pairs(self, n_datasets: usize) -> Result<Pairs> {
        let pairs = match self.table.is_empty() {
            true => Pairs::none(n_datasets),
            false => Pairs::from_weighted_table(&self.table, &self.weights)?,
        };
        let left_out = (self.left_out > 0).then_some(Warning::PairsLeftOut { count: self.left_out });
        let by_number = self.by_number.into_iter().map(|dataset| Warning::PairsByNumber { dataset });
        Ok(left_out.into_iter().chain(by_number).fold(pairs, Pairs::with_note))
    }
}

/// As [`read_pairs`], before the pairs are joined.
pub fn read_pair_table(path: impl AsRef<Path>, datasets: &[&Dataset]) -> Result<PairTable> {
    let path = path.as_ref();
    refuse_remote(path)?;
    match name_parts(path).extension.as_str() {
        "npy" => return from_npy(path, datasets),
        kind if Parquet.extensions().contains(&kind) => return from_columns(path, true, datasets),
        kind if ArrowIpc.extensions().contains(&kind) => return from_columns(path, false, datasets),
        _ => _ = delimiter_of(path, &[])?, // a wrong ending is told before the file is read
    }
    let bytes = Input::open(path, ReadOptions::default().max_memory)?.bytes()?;
    let text = without_mark(path, &bytes)?;
    from_text(path, text, delimiter_of(path, text)?, datasets)
}

/// What separates the cells of a table of pairs or links.
pub(crate) fn delimiter_of(path: &Path, text: &[u8]) -> Result<u8> {
    let delimiter = match name_parts(path).extension.as_str() {
        "tsv" | "tab" => b'\t',
        "csv" | "txt" => b',',
        _ if is_dash(path) => b',',
        other => {
            let known = "csv, tsv, parquet, arrow, npy, each also .gz or .zst".into();
            return Err(Error::UnknownFormat { path: path.into(), found: format!("the extension .{other}"), known });
        }
    };
    // Spreadsheets of some countries write semicolons. The header, or the ids, must be right either way.
    let first = text.split(|b| *b == b'\n').next().unwrap_or_default();
    Ok(if delimiter == b',' && !first.contains(&b',') && first.contains(&b';') { b';' } else { delimiter })
}

/// Rows that have the same id correspond. An id that occurs twice in a dataset pairs nothing there: the row that it
/// means is unknown. Datasets without ids have no part. There may be no pairs at all.
///
/// ```
/// use landbridge::{data::Dataset, linalg::Matrix};
/// let dataset = |name, ids: [&str; 3]| {
///     Dataset::new(name, Matrix::<f64>::zeros(3, 1))?.with_row_ids(ids.map(String::from).to_vec())
/// };
/// let pairs = landbridge_io::pairs_by_id(&[dataset("rna", ["a", "b", "c"])?, dataset("atac", ["c", "x", "a"])?])?;
/// assert_eq!(pairs.links().iter().map(|l| (l.i, l.j)).collect::<Vec<_>>(), [(0, 2), (2, 0)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn pairs_by_id(datasets: &[Dataset]) -> Result<Pairs> {
    let shared = shared_ids(&datasets.iter().map(Dataset::row_ids).collect::<Vec<_>>());
    if shared.table.is_empty() {
        return Ok(Pairs::none(datasets.len()));
    }
    let note = Warning::PairsByName { count: shared.table.len(), repeated: shared.repeated, numbers: shared.numbers };
    // Who asks for pairs by id knows where they come from; what is odd about the ids is told.
    let pairs = Pairs::from_table(&shared.table)?;
    Ok(if shared.numbers || shared.repeated > 0 { pairs.with_note(note) } else { pairs })
}

/// Rows with the same id in several datasets; [`Display`](fmt::Display) says how many there are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedIds {
    /// A row for each id that at least two datasets have, in the order of the first dataset with it. For each dataset its
    /// row, −1 for none.
    pub table: Vec<Vec<i64>>,
    /// How many ids occur more than once in a dataset.
    pub repeated: usize,
    /// The ids of two or more datasets are mere row numbers: that they coincide says nothing.
    pub numbers: bool,
}

/// The rows with the same id in several datasets, from the ids of each dataset. An id that occurs twice in a dataset pairs
/// nothing there, and a dataset without ids has no part.
pub fn shared_ids(ids: &[Option<&[String]>]) -> SharedIds {
    const TWICE: i64 = -2;
    let mut rows: HashMap<&str, Vec<i64>> = HashMap::new();
    let mut order = vec![];
    for (a, ids_of) in ids.iter().enumerate() {
        for (i, id) in ids_of.unwrap_or_default().iter().enumerate() {
            let row = rows.entry(id).or_insert_with(|| {
                order.push(id.as_str());
                vec![-1; ids.len()]
            });
            row[a] = if row[a] == -1 { i as i64 } else { TWICE };
        }
    }
    let mut found =
        SharedIds { table: vec![], repeated: 0, numbers: ids.iter().flatten().filter(|ids| are_row_numbers(ids)).count() >= 2 };
    for id in order {
        let row = &rows[id];
        found.repeated += usize::from(row.contains(&TWICE));
        if row.iter().filter(|&&i| i >= 0).count() >= 2 {
            found.table.push(row.iter().map(|&i| i.max(-1)).collect());
        }
    }
    found
}

/// Whether ids are 0, 1, 2, … or 1, 2, 3, …: the names that tables and AnnData objects have by default.
fn are_row_numbers(ids: &[String]) -> bool {
    let counted_from = |first: usize| ids.iter().enumerate().all(|(i, id)| id.parse() == Ok(i + first));
    ids.len() > 1 && (counted_from(0) || counted_from(1))
}

impl fmt::Display for SharedIds {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pairs = self.table.len();
        write!(
            out,
            "{} {} in several datasets and {} rows",
            counted(pairs, "id"),
            verb(pairs, "occurs", "occur"),
            verb(pairs, "pairs", "pair")
        )?;
        match self.repeated {
            0 => Ok(()),
            n => {
                let (occur, pair) = (verb(n, "occurs", "occur"), verb(n, "pairs", "pair"));
                write!(out, "; {} {occur} more than once in a dataset and {pair} nothing there", counted(n, "id"))
            }
        }
    }
}

/// A cell of a pair table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairCell<'a> {
    /// No counterpart.
    Absent,
    /// A row number from 0; −1 means no counterpart.
    Row(i64),
    /// Text: a row id where the dataset has that id, otherwise a row number. Empty text means no counterpart.
    Text(&'a str),
}

/// The rows that the cells of one column stand for, −1 for none. `ids` are the row ids of the dataset, where it has them.
/// Errors name the row of the table, from 0.
///
/// ```
/// use landbridge_io::{PairCell, row_numbers};
/// let ids = ["cat".to_string(), "dog".to_string()];
/// let cells = [PairCell::Text("dog"), PairCell::Absent, PairCell::Row(0)];
/// assert_eq!(row_numbers("en", 2, Some(&ids), cells)?, [1, -1, 0]);
/// let error = row_numbers("en", 2, Some(&ids), [PairCell::Row(3)]).unwrap_err();
/// assert_eq!(error.to_string(), "pairs row 0: row 3 is out of range: dataset \"en\" has 2 rows (0 to 1)");
/// # Ok::<(), landbridge_io::Error>(())
/// ```
pub fn row_numbers<'a>(
    dataset: &str,
    nrows: usize,
    ids: Option<&[String]>,
    cells: impl IntoIterator<Item = PairCell<'a>>,
) -> Result<Vec<i64>> {
    let mut finder = Finder::new(dataset, nrows, ids);
    let rows = cells.into_iter().enumerate().map(|(row, cell)| finder.find(cell, row as u64)).collect();
    finder.check(Place::Row)?;
    Ok(rows)
}

/// What a column of the file is.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Column {
    Dataset(usize),
    Weight,
}

const WEIGHT: &str = "weight";

fn from_text(path: &Path, text: &[u8], delimiter: u8, datasets: &[&Dataset]) -> Result<PairTable> {
    let mut reader = records(text, delimiter);
    let mut record = csv::StringRecord::new();
    let next = || match reader.read_record(&mut record).map_err(|e| csv_error(path, e))? {
        true => Ok(Some((line_of(text, record.position()), record.iter().map(str::to_string).collect()))),
        false => Ok(None),
    };
    from_records(path, next, datasets)
}

/// From a table in columns. Its names are the header, unless none of them is a dataset.
fn from_columns(path: &Path, parquet: bool, datasets: &[&Dataset]) -> Result<PairTable> {
    let limit = ReadOptions::default().max_memory;
    let (names, rows) = read_cells(Input::open(path, limit)?, parquet, limit)?;
    let named = header(path, &names, datasets)?.is_some();
    let mut records = named.then_some((0, names)).into_iter().chain((1..).zip(rows));
    from_records(path, || Ok(records.next()), datasets)
}

/// From lines, each with its number; the first may be a header.
fn from_records(
    path: &Path,
    mut next: impl FnMut() -> Result<Option<(u64, Vec<String>)>>,
    datasets: &[&Dataset],
) -> Result<PairTable> {
    let mut record = next()?;
    let Some((line, first)) = &record else { return Err(Error::NoData { path: path.into(), rows: 0, columns: 0 }) };
    let columns = match header(path, first, datasets)? {
        Some(columns) => {
            record = next()?;
            columns
        }
        None => {
            let is_row = |(d, cell): (&&Dataset, &String)| is_row_of(d, cell);
            if first.len() >= datasets.len() && !datasets.iter().zip(first).any(is_row) {
                let names: Vec<&str> = datasets.iter().map(|d| d.name()).collect();
                let (path, cells, known) = (path.into(), listed(first), listed(&names));
                return Err(Error::PairHeader { path, line: *line, cells, known });
            }
            let given = first.len();
            if given != datasets.len() && given != datasets.len() + 1 {
                return Err(landbridge::Error::PairColumns { columns: given, datasets: datasets.len() }.into());
            }
            let weight = (given > datasets.len()).then_some(Column::Weight);
            (0..datasets.len()).map(Column::Dataset).chain(weight).collect()
        }
    };
    let mut finders: Vec<Finder> =
        datasets.iter().map(|d| Finder::new(d.name(), d.nrows(), d.row_ids()).in_file(d.file_rows())).collect();
    let mut table = PairTable::default();
    while let Some((line, cells)) = record {
        if cells.len() != columns.len() {
            return Err(Error::Ragged { path: path.into(), line, expected: columns.len(), got: cells.len() });
        }
        let (mut row, mut weight) = (vec![-1i64; datasets.len()], 1.0);
        for (cell, column) in cells.iter().zip(&columns) {
            match *column {
                Column::Weight => {
                    let bad = || Error::NotANumber {
                        path: path.into(),
                        line,
                        column: format!("\"{WEIGHT}\""),
                        value: excerpt(cell.as_bytes()),
                    };
                    weight = cell.trim().parse::<f64>().map_err(|_| bad())?;
                }
                Column::Dataset(d) => row[d] = finders[d].find(PairCell::Text(cell), line),
            }
        }
        // An id that was not found stands as absent; then the row is not judged, the ids are.
        let complete = finders.iter().all(|f| f.problem.is_none());
        // A pair of a row that was left out is left out, too.
        let gone = finders.iter_mut().map(|f| usize::from(std::mem::take(&mut f.left_out))).sum::<usize>();
        match gone > 0 {
            true => table.left_out += 1,
            false => table.push(path, line, row, weight, complete)?,
        }
        record = next()?;
    }
    for finder in finders {
        table.by_number.extend(finder.only_by_number().map(String::from));
        finder.check(|line| Place::line(path, line))?;
    }
    Ok(table)
}

/// The columns, if the first line is a header: every cell is a dataset or the weight. One that is, beside others
/// that are not, is a header with a mistake.
pub(crate) fn header(path: &Path, first: &[String], datasets: &[&Dataset]) -> Result<Option<Vec<Column>>> {
    let column = |cell: &str| match datasets.iter().position(|d| d.name() == cell.trim()) {
        Some(d) => Some(Column::Dataset(d)),
        None => cell.trim().eq_ignore_ascii_case(WEIGHT).then_some(Column::Weight),
    };
    let found: Vec<Option<Column>> = first.iter().map(|cell| column(cell)).collect();
    // A row id may happen to be the name of a dataset.
    let is_row = first.len() >= datasets.len() && datasets.iter().zip(first.iter()).all(|(d, cell)| is_row_of(d, cell));
    if found.iter().all(Option::is_none) || (is_row && found.iter().any(Option::is_none)) {
        return Ok(None);
    }
    let names: Vec<&str> = datasets.iter().map(|d| d.name()).collect();
    let mut columns: Vec<Column> = vec![];
    for (cell, column) in first.iter().zip(found) {
        match column {
            Some(column) if columns.contains(&column) => {
                let problem = format!("the column \"{}\" occurs twice", cell.trim());
                return Err(Error::BadLine { path: path.into(), line: 1, problem });
            }
            Some(column) => columns.push(column),
            None => {
                let (what, known) = (format!("dataset \"{}\"", excerpt(cell.as_bytes())), listed(&names));
                return Err(Error::UnknownPart { path: path.into(), what, known });
            }
        }
    }
    Ok(Some(columns))
}

fn is_row_of(dataset: &Dataset, cell: &str) -> bool {
    let cell = cell.trim();
    let among = |ids: &[String]| ids.iter().any(|id| id == cell);
    cell.is_empty()
        || cell.parse::<i64>().is_ok()
        || dataset.row_ids().is_some_and(among)
        || dataset.file_rows().is_some_and(|f| among(&f.left_out))
}

/// Finds rows of one dataset, and remembers the first problem.
struct Finder<'a> {
    name: &'a str,
    nrows: usize,
    has_ids: bool,
    /// Row of each id; none where several rows have it.
    ids: HashMap<&'a str, Option<usize>>,
    /// Whether the ids themselves look like row numbers.
    numeric_ids: bool,
    /// The first cells that were an id and a number in text.
    by_id: Option<u64>,
    by_number: Option<u64>,
    problem: Option<(u64, Problem)>,
    /// Where the rows stand in their file, when some were left out.
    file_rows: Option<&'a FileRows>,
    /// Ids of the rows that were left out.
    left_out_ids: HashSet<&'a str>,
    /// The last cell was a row that was left out.
    left_out: bool,
}

/// Why a cell stands for no row.
enum Problem {
    OutOfRange(i64),
    Ambiguous(String),
    NoIds(String),
    /// The first five of them, and how many there are.
    Unknown(Vec<String>, usize),
}

impl<'a> Finder<'a> {
    fn new(name: &'a str, nrows: usize, row_ids: Option<&'a [String]>) -> Self {
        let mut ids = HashMap::new();
        for (row, id) in row_ids.unwrap_or_default().iter().enumerate() {
            ids.entry(id.as_str()).and_modify(|r| *r = None).or_insert(Some(row));
        }
        let numeric_ids = ids.keys().any(|id| id.trim().parse::<i64>().is_ok());
        Self {
            name,
            nrows,
            has_ids: row_ids.is_some(),
            ids,
            numeric_ids,
            by_id: None,
            by_number: None,
            problem: None,
            file_rows: None,
            left_out_ids: HashSet::new(),
            left_out: false,
        }
    }

    /// Row numbers are those of the file.
    fn in_file(mut self, file_rows: Option<&'a FileRows>) -> Self {
        self.file_rows = file_rows;
        self.left_out_ids = file_rows.iter().flat_map(|f| &f.left_out).map(String::as_str).collect();
        self
    }

    /// The row of a number that is in range; −1 for one that was left out.
    fn numbered(&mut self, row: i64) -> i64 {
        let Some(file_rows) = self.file_rows else { return row };
        match file_rows.kept.binary_search(&(row as usize)) {
            Ok(at) => at as i64,
            Err(_) => {
                self.left_out = true;
                -1
            }
        }
    }

    /// The row, −1 for none or for one that was not found.
    fn find(&mut self, cell: PairCell, line: u64) -> i64 {
        match cell {
            PairCell::Absent | PairCell::Row(-1) => -1,
            PairCell::Row(row) if self.has_row(row) => self.numbered(row),
            PairCell::Row(row) => self.failed(line, Problem::OutOfRange(row)),
            PairCell::Text(text) => self.find_text(text, line),
        }
    }

    fn find_text(&mut self, text: &str, line: u64) -> i64 {
        if text.trim().is_empty() {
            return -1;
        }
        match self.ids.get(text).or_else(|| self.ids.get(text.trim())) {
            Some(Some(row)) => {
                self.by_id.get_or_insert(line);
                return *row as i64;
            }
            Some(None) => return self.failed(line, Problem::Ambiguous(excerpt(text.as_bytes()))),
            None if self.left_out_ids.contains(text) || self.left_out_ids.contains(text.trim()) => {
                self.left_out = true;
                return -1;
            }
            None => {}
        }
        match text.trim().parse::<i64>() {
            Ok(-1) => -1,
            Ok(row) if self.has_row(row) => {
                // Rows that were left out have no id any more; ids that are numbers of the file are not another kind.
                if self.file_rows.is_none() {
                    self.by_number.get_or_insert(line);
                }
                self.numbered(row)
            }
            Ok(row) if !self.has_ids => self.failed(line, Problem::OutOfRange(row)),
            _ if !self.has_ids => self.failed(line, Problem::NoIds(excerpt(text.as_bytes()))),
            _ => self.failed(line, Problem::Unknown(vec![excerpt(text.as_bytes())], 1)),
        }
    }

    fn has_row(&self, row: i64) -> bool {
        usize::try_from(row).is_ok_and(|row| row < self.file_rows.map_or(self.nrows, |f| f.total))
    }

    /// Keeps the first problem; unknown ids are collected.
    fn failed(&mut self, line: u64, problem: Problem) -> i64 {
        match (&mut self.problem, problem) {
            (Some((_, Problem::Unknown(ids, count))), Problem::Unknown(more, _)) => {
                *count += 1;
                if ids.len() < 5 {
                    ids.extend(more);
                }
            }
            (Some(_), _) => {}
            (none, problem) => *none = Some((line, problem)),
        }
        -1
    }

    /// The dataset, if its ids are numbers and all cells were row numbers.
    fn only_by_number(&self) -> Option<&'a str> {
        (self.numeric_ids && self.by_id.is_none() && self.by_number.is_some()).then_some(self.name)
    }

    fn check(self, place: impl Fn(u64) -> Place) -> Result<()> {
        let dataset = self.name.to_string();
        let Some((line, problem)) = self.problem else {
            return match (self.numeric_ids, self.by_id, self.by_number) {
                (true, Some(id), Some(number)) => Err(Error::MixedCells { number: place(number), id: place(id), dataset }),
                _ => Ok(()),
            };
        };
        let place = place(line);
        Err(match problem {
            Problem::OutOfRange(row) => Error::RowOutOfRange { place, dataset, row, rows: self.nrows },
            Problem::Ambiguous(id) => Error::AmbiguousId { place, dataset, id },
            Problem::NoIds(id) => Error::NoIds { place, dataset, id },
            Problem::Unknown(ids, count) => Error::UnknownIds { place, dataset, ids: listed(&ids), count },
        })
    }
}

fn from_npy(path: &Path, datasets: &[&Dataset]) -> Result<PairTable> {
    let options = ReadOptions::default();
    let values = match Npy.read(Input::open(path, options.max_memory)?, &options)?.rows {
        Rows::F64(m) => m,
        Rows::F32(m) => m.to_f64(),
        Rows::Sparse(_) => {
            return Err(Error::Unsupported { path: path.into(), what: "a sparse pair table".into() });
        }
    };
    let c = datasets.len();
    if values.ncols() != c && values.ncols() != c + 1 {
        return Err(landbridge::Error::PairColumns { columns: values.ncols(), datasets: c }.into());
    }
    let mut table = PairTable::default();
    for (i, given) in values.rows().enumerate() {
        let line = i as u64 + 1;
        let (mut row, mut gone) = (vec![-1i64; c], false);
        for (d, &v) in given[..c].iter().enumerate() {
            let n = datasets[d].file_rows().map_or(datasets[d].nrows(), |f| f.total);
            if v.fract() != 0.0 || !v.is_finite() {
                let problem = format!("{v} is not a row number of dataset \"{}\"", datasets[d].name());
                return Err(Error::BadLine { path: path.into(), line, problem });
            }
            if !(-1.0..n as f64).contains(&v) {
                let (place, dataset) = (Place::line(path, line), datasets[d].name().into());
                return Err(Error::RowOutOfRange { place, dataset, row: v as i64, rows: n });
            }
            row[d] = match (datasets[d].file_rows(), v >= 0.0) {
                (Some(file_rows), true) => match file_rows.kept.binary_search(&(v as usize)) {
                    Ok(at) => at as i64,
                    Err(_) => {
                        gone = true;
                        -1
                    }
                },
                _ => v as i64,
            };
        }
        match gone {
            true => table.left_out += 1,
            false => table.push(path, line, row, given.get(c).copied().unwrap_or(1.0), true)?,
        }
    }
    Ok(table)
}

#[cfg(test)]
mod tests {
    use super::*;
    use landbridge::linalg::Matrix;

    fn dataset(name: &str, ids: Option<&[&str]>) -> Dataset {
        let d = Dataset::new(name, Matrix::<f64>::zeros(4, 2)).unwrap();
        match ids {
            Some(ids) => d.with_row_ids(ids.iter().map(|s| s.to_string()).collect()).unwrap(),
            None => d,
        }
    }
    /// Dataset, row, dataset, row, weight.
    type Found = (usize, usize, usize, usize, f64);

    fn read(text: &str, datasets: &[&Dataset]) -> Result<Vec<Found>> {
        let pairs = from_text(Path::new("p.csv"), text.as_bytes(), b',', datasets)?.into_pairs(datasets.len())?;
        assert_eq!(pairs.n_datasets(), datasets.len());
        Ok(pairs.links().iter().map(|l| (l.a, l.i, l.b, l.j, l.weight)).collect())
    }

    #[test]
    fn rows_are_found_by_id_and_by_number() {
        let (en, it) = (dataset("en", Some(&["cat", "dog", "a,b", "x y"])), dataset("it", None));
        let both = [&en, &it];
        let expected = vec![(0, 0, 1, 3, 1.0), (0, 2, 1, 0, 1.0)];
        assert_eq!(read("en,it\ncat,3\n\"a,b\",0\n", &both).unwrap(), expected);
        assert_eq!(read("it,en\n3,cat\n0,\"a,b\"\n", &both).unwrap(), expected);
        assert_eq!(read("cat,3\n\"a,b\",0\n", &both).unwrap(), expected);
        assert_eq!(read("0,3\n2,0\n", &both).unwrap(), expected);
        assert_eq!(read("en,weight,it\ndog,0.5,1\n", &both).unwrap(), [(0, 1, 1, 1, 0.5)]);
        assert_eq!(read("dog,1,0.5\n", &both).unwrap(), [(0, 1, 1, 1, 0.5)]);
        assert!(read("en,it\n", &both).unwrap().is_empty());
        let de = dataset("de", None);
        let three = [&en, &it, &de];
        assert_eq!(read("en,it,de\ncat,,1\ndog,2,-1\n", &three).unwrap(), [(0, 0, 2, 1, 1.0), (0, 1, 1, 2, 1.0)]);
        assert_eq!(read("de,it\n1,2\n", &three).unwrap(), [(1, 2, 2, 1, 1.0)]);
    }

    #[test]
    fn pairs_come_in_columns_and_with_semicolons() {
        let folder = tempfile::tempdir().unwrap();
        let (en, it) = (dataset("en", Some(&["cat", "dog", "cow", "hen"])), dataset("it", None));
        let links = |name: &str| {
            let pairs = read_pairs(folder.path().join(name), &[&en, &it]).unwrap();
            pairs.links().iter().map(|l| (l.i, l.j, l.weight)).collect::<Vec<_>>()
        };
        for name in ["p.parquet", "p.arrow", "p.parquet.gz"] {
            let columns = [
                ("it", crate::Column::Integers(vec![3, 0])),
                ("en", crate::Column::Words(vec!["cat", "cow"])),
                ("weight", crate::Column::Numbers(vec![0.5, 2.0])),
            ];
            crate::write_columns(folder.path().join(name), &columns).unwrap();
            assert_eq!(links(name), [(0, 3, 0.5), (2, 0, 2.0)], "{name}");
        }
        // Other names than those of the datasets: by position. Row numbers beside missing ones are decimals.
        let columns =
            [("left", crate::Column::Words(vec!["dog", "hen", "cat"])), ("right", crate::Column::Numbers(vec![1.0, 2.0, 0.0]))];
        crate::write_columns(folder.path().join("q.parquet"), &columns).unwrap();
        assert_eq!(links("q.parquet"), [(1, 1, 1.0), (3, 2, 1.0), (0, 0, 1.0)]);
        std::fs::write(folder.path().join("s.csv"), "en;it\ncat;3\n").unwrap();
        assert_eq!(links("s.csv"), [(0, 3, 1.0)]);
    }

    #[test]
    fn mistakes_are_named_with_their_line() {
        let (en, it) = (dataset("en", Some(&["cat", "dog", "same", "same"])), dataset("it", None));
        let both = [&en, &it];
        let message = |text: &str| read(text, &both).unwrap_err().to_string();
        assert_eq!(
            message("en,it\ncat,0\nw1,0\nw2,1\nw3,1\nw4,1\nw5,1\nw6,1\n"),
            "p.csv line 3: 6 cells are not rows of dataset \"en\": \"w1\", \"w2\", \"w3\", \"w4\", \"w5\""
        );
        assert_eq!(message("en,it\ncat,4\n"), "p.csv line 2: row 4 is out of range: dataset \"it\" has 4 rows (0 to 3)");
        assert_eq!(message("en,it\ncat,-2\n"), "p.csv line 2: row -2 is out of range: dataset \"it\" has 4 rows (0 to 3)");
        assert_eq!(message("en,it\ncat,1\ndog,\n"), "p.csv line 3: only 1 dataset has an entry; a pair needs two");
        assert_eq!(message("en,it\ncat,1,2\n"), "p.csv line 2: 3 fields where 2 are expected");
        assert_eq!(message("en,itt\ncat,1\n"), "p.csv: there is no dataset \"itt\"; there are \"en\", \"it\"");
        assert_eq!(message("en,en\ncat,dog\n"), "p.csv line 1: the column \"en\" occurs twice");
        assert_eq!(message("en,it,weight\ncat,1,-1\n"), "p.csv line 2: the weight is -1; it must be a positive finite number");
        assert_eq!(message("en,it,weight\ncat,1,x\n"), "p.csv line 2, column \"weight\": \"x\" is not a number");
        assert_eq!(message("en,it\nsame,1\n"), "p.csv line 2: several rows of dataset \"en\" have the id \"same\"");
        assert_eq!(
            message("en,it\ncat,x\n"),
            "p.csv line 2: \"x\" is not a row number, and the rows of dataset \"it\" have no ids"
        );
        assert_eq!(message("en,it\nx,1\n"), "p.csv line 2: 1 cell is not a row of dataset \"en\": \"x\"");
        assert_eq!(message("1,2,3,4\n"), "the pairs are for 4 datasets, but 2 datasets were given");
    }

    #[test]
    fn cells_in_memory_are_found_as_those_of_a_file() {
        let ids: Vec<String> = ["1", "b", "b"].map(String::from).to_vec();
        let find = |cells: &[PairCell]| row_numbers("en", 3, Some(&ids), cells.iter().copied());
        let (text, row) = (PairCell::Text, PairCell::Row);
        assert_eq!(find(&[text("1"), row(1), PairCell::Absent, row(-1), text("")]).unwrap(), [0, 1, -1, -1, -1]);
        let message = |cells: &[PairCell]| find(cells).unwrap_err().to_string();
        assert_eq!(message(&[row(0), row(3)]), "pairs row 1: row 3 is out of range: dataset \"en\" has 3 rows (0 to 2)");
        assert_eq!(message(&[text("b")]), "pairs row 0: several rows of dataset \"en\" have the id \"b\"");
        assert!(message(&[text("1"), text("2")]).starts_with("pairs row 1: the column of dataset \"en\" has a row number here"));
        assert_eq!(find(&[text("x")]).unwrap_err().kind(), "pairs");
    }

    #[test]
    fn shared_ids_pair_rows_and_repeated_ones_do_not() {
        let ids = |text: &str| text.split(' ').map(String::from).collect::<Vec<_>>();
        let (a, b) = (ids("p q q r"), ids("r q p x"));
        let found = shared_ids(&[Some(&a), None, Some(&b)]);
        assert_eq!(found, SharedIds { table: vec![vec![0, -1, 2], vec![3, -1, 0]], repeated: 1, numbers: false });
        let said =
            "2 ids occur in several datasets and pair rows; 1 id occurs more than once in a dataset and pairs nothing there";
        assert_eq!(found.to_string(), said);
        assert_eq!(shared_ids(&[Some(&b[..1]), Some(&b[..1])]).to_string(), "1 id occurs in several datasets and pairs rows");
    }

    #[test]
    fn ids_that_look_like_numbers_do_not_mix_with_row_numbers() {
        let (en, it) = (dataset("en", Some(&["1", "2", "3", "4"])), dataset("it", None));
        let both = [&en, &it];
        assert_eq!(read("1,0\n4,1\n", &both).unwrap(), [(0, 0, 1, 0, 1.0), (0, 3, 1, 1, 1.0)]);
        let message = read("1,0\n0,1\n", &both).unwrap_err().to_string();
        assert!(message.starts_with("p.csv line 2: the column of dataset \"en\" has a row number here and a row id in line 1"));
    }
}
