//! Which rows correspond: a table with one column per dataset.

use std::collections::HashMap;
use std::path::Path;

use landbridge::data::{Dataset, Pairs, Rows};

use crate::delimited::{csv_error, line_of, records, without_mark};
use crate::error::{Error, Result};
use crate::format::Format;
use crate::npy::Npy;
use crate::options::ReadOptions;
use crate::source::{Input, is_dash, name_parts, refuse_remote};
use crate::text::{excerpt, listed};

/// Reads pairs for these datasets from a csv, tsv or npy file (`-`: csv from standard input).
///
/// - Header: names of datasets in any order, and `weight` if there are weights. A dataset without a column has no
///   part in these pairs. Without a header the columns are the datasets in order, then perhaps the weights.
/// - Cells: a row id where the dataset has ids and the cell is one of them, otherwise a row number from 0. Empty
///   or −1 means that there is no counterpart. Where the ids themselves look like row numbers, a column must be
///   one or the other throughout.
/// - npy: integers, one column per dataset, or one more with the weights.
///
/// Errors name the line (for npy: the row, from 1) and the first five ids that no row has.
pub fn read_pairs(path: impl AsRef<Path>, datasets: &[&Dataset]) -> Result<Pairs> {
    let path = path.as_ref();
    refuse_remote(path)?;
    let delimiter = match name_parts(path).extension.as_str() {
        "npy" => return from_npy(path, datasets),
        "tsv" | "tab" => b'\t',
        "csv" | "txt" => b',',
        _ if is_dash(path) => b',',
        other => {
            let known = "csv, tsv, npy, each also .gz or .zst".into();
            return Err(Error::UnknownFormat { path: path.into(), found: format!("the extension .{other}"), known });
        }
    };
    let bytes = Input::open(path, ReadOptions::default().max_memory)?.bytes()?;
    from_text(path, without_mark(path, &bytes)?, delimiter, datasets)
}

/// Rows that have the same id correspond. An id that occurs twice in a dataset pairs nothing there: nobody knows which
/// row is meant. Datasets without ids have no part; there may be no pairs at all.
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
    const TWICE: i64 = -2;
    let mut rows: HashMap<&str, Vec<i64>> = HashMap::new();
    let mut order = vec![];
    for (a, dataset) in datasets.iter().enumerate() {
        for (i, id) in dataset.row_ids().unwrap_or_default().iter().enumerate() {
            let row = rows.entry(id).or_insert_with(|| {
                order.push(id.as_str());
                vec![-1; datasets.len()]
            });
            row[a] = if row[a] == -1 { i as i64 } else { TWICE };
        }
    }
    let mut table = vec![];
    for id in order {
        let row: Vec<i64> = rows[id].iter().map(|&i| i.max(-1)).collect();
        if row.iter().filter(|&&i| i >= 0).count() >= 2 {
            table.push(row);
        }
    }
    if table.is_empty() {
        return Ok(Pairs::none(datasets.len()));
    }
    Ok(Pairs::from_table(&table)?)
}

/// What a column of the file is.
#[derive(Clone, Copy, PartialEq)]
enum Column {
    Dataset(usize),
    Weight,
}

const WEIGHT: &str = "weight";

fn from_text(path: &Path, text: &[u8], delimiter: u8, datasets: &[&Dataset]) -> Result<Pairs> {
    let mut reader = records(text, delimiter);
    let mut record = csv::StringRecord::new();
    let mut more = reader.read_record(&mut record).map_err(|e| csv_error(path, e))?;
    if !more {
        return Err(Error::NoData { path: path.into(), rows: 0, columns: 0 });
    }
    let columns = match header(path, &record, datasets)? {
        Some(columns) => {
            more = reader.read_record(&mut record).map_err(|e| csv_error(path, e))?;
            columns
        }
        None => {
            let given = record.len();
            if given != datasets.len() && given != datasets.len() + 1 {
                return Err(landbridge::Error::PairColumns { columns: given, datasets: datasets.len() }.into());
            }
            let weight = (given > datasets.len()).then_some(Column::Weight);
            (0..datasets.len()).map(Column::Dataset).chain(weight).collect()
        }
    };
    let mut finders: Vec<Finder> = datasets.iter().map(|d| Finder::new(d)).collect();
    let mut table = Collected::new(path, datasets);
    while more {
        let line = line_of(text, record.position());
        if record.len() != columns.len() {
            return Err(Error::Ragged { path: path.into(), line, expected: columns.len(), got: record.len() });
        }
        let (mut row, mut weight) = (vec![-1i64; datasets.len()], 1.0);
        for (cell, column) in record.iter().zip(&columns) {
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
                Column::Dataset(d) => row[d] = finders[d].find(cell, line),
            }
        }
        // An id that was not found stands as absent; then the row is not judged, the ids are.
        let complete = finders.iter().all(|f| f.unknown.is_empty() && f.ambiguous.is_none());
        table.push(line, row, weight, complete)?;
        more = reader.read_record(&mut record).map_err(|e| csv_error(path, e))?;
    }
    for finder in &finders {
        finder.check(path)?;
    }
    table.into_pairs()
}

/// The columns, if the first line is a header: every cell is a dataset or the weight. One that is, beside others
/// that are not, is a header with a mistake.
fn header(path: &Path, first: &csv::StringRecord, datasets: &[&Dataset]) -> Result<Option<Vec<Column>>> {
    let column = |cell: &str| match datasets.iter().position(|d| d.name() == cell.trim()) {
        Some(d) => Some(Column::Dataset(d)),
        None => cell.trim().eq_ignore_ascii_case(WEIGHT).then_some(Column::Weight),
    };
    let found: Vec<Option<Column>> = first.iter().map(column).collect();
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
                let (column, known) = (format!("\"{}\" among the datasets", excerpt(cell.as_bytes())), listed(&names));
                return Err(Error::UnknownColumn { path: path.into(), column, known });
            }
        }
    }
    Ok(Some(columns))
}

fn is_row_of(dataset: &Dataset, cell: &str) -> bool {
    let cell = cell.trim();
    cell.is_empty() || dataset.row_ids().is_some_and(|ids| ids.iter().any(|id| id == cell)) || cell.parse::<i64>().is_ok()
}

/// Finds rows of one dataset, and remembers what it did not find.
struct Finder<'a> {
    dataset: &'a Dataset,
    /// Row of each id; none where several rows have it.
    ids: HashMap<&'a str, Option<usize>>,
    /// Do the ids themselves look like row numbers?
    numeric_ids: bool,
    by_id: Option<u64>,
    by_number: Option<u64>,
    unknown: Vec<String>,
    unknown_count: usize,
    unknown_line: u64,
    ambiguous: Option<(u64, String)>,
}

impl<'a> Finder<'a> {
    fn new(dataset: &'a Dataset) -> Self {
        let mut ids = HashMap::new();
        for (row, id) in dataset.row_ids().unwrap_or_default().iter().enumerate() {
            ids.entry(id.as_str()).and_modify(|r| *r = None).or_insert(Some(row));
        }
        let numeric_ids = ids.keys().any(|id| id.trim().parse::<i64>().is_ok());
        Self {
            dataset,
            ids,
            numeric_ids,
            by_id: None,
            by_number: None,
            unknown: vec![],
            unknown_count: 0,
            unknown_line: 0,
            ambiguous: None,
        }
    }

    /// The row, −1 for none or for one that was not found.
    fn find(&mut self, cell: &str, line: u64) -> i64 {
        if cell.trim().is_empty() {
            return -1;
        }
        match self.ids.get(cell).or_else(|| self.ids.get(cell.trim())) {
            Some(Some(row)) => {
                self.by_id.get_or_insert(line);
                return *row as i64;
            }
            Some(None) => {
                self.ambiguous.get_or_insert((line, excerpt(cell.as_bytes())));
                return -1;
            }
            None => {}
        }
        match cell.trim().parse::<i64>() {
            Ok(-1) => -1,
            Ok(row) if row >= 0 && (row as u64) < self.dataset.nrows() as u64 => {
                self.by_number.get_or_insert(line);
                row
            }
            _ => {
                if self.unknown_count == 0 {
                    self.unknown_line = line;
                }
                self.unknown_count += 1;
                if self.unknown.len() < 5 {
                    self.unknown.push(excerpt(cell.as_bytes()));
                }
                -1
            }
        }
    }

    fn check(&self, path: &Path) -> Result<()> {
        let bad = |line, problem| Err(Error::BadLine { path: path.into(), line, problem });
        let name = self.dataset.name();
        if let Some((line, id)) = &self.ambiguous {
            return bad(*line, format!("several rows of dataset \"{name}\" have the id \"{id}\""));
        }
        if self.unknown_count > 0 {
            return Err(Error::UnknownIds {
                path: path.into(),
                line: self.unknown_line,
                dataset: name.into(),
                ids: listed(&self.unknown),
                count: self.unknown_count,
            });
        }
        if let (true, Some(id), Some(number)) = (self.numeric_ids, self.by_id, self.by_number) {
            return bad(
                id.max(number),
                format!(
                    "the column of dataset \"{name}\" mixes row ids (line {id}) and row numbers (line {number}), and its ids look like numbers"
                ),
            );
        }
        Ok(())
    }
}

/// Rows that are being collected, with the line of each.
struct Collected<'a> {
    path: &'a Path,
    n_datasets: usize,
    table: Vec<Vec<i64>>,
    weights: Vec<f64>,
}

impl<'a> Collected<'a> {
    fn new(path: &'a Path, datasets: &[&Dataset]) -> Self {
        Self { path, n_datasets: datasets.len(), table: vec![], weights: vec![] }
    }

    fn push(&mut self, line: u64, row: Vec<i64>, weight: f64, complete: bool) -> Result<()> {
        let bad = |problem| Err(Error::BadLine { path: self.path.into(), line, problem });
        let entries = row.iter().filter(|v| **v >= 0).count();
        if complete && entries < 2 {
            return bad(format!("only {entries} dataset(s) have an entry; a pair needs two"));
        }
        if !(weight.is_finite() && weight > 0.0) {
            return bad(format!("the weight is {weight}; it must be a positive finite number"));
        }
        self.table.push(row);
        self.weights.push(weight);
        Ok(())
    }

    fn into_pairs(self) -> Result<Pairs> {
        if self.table.is_empty() {
            return Ok(Pairs::none(self.n_datasets));
        }
        Ok(Pairs::from_weighted_table(&self.table, &self.weights)?)
    }
}

fn from_npy(path: &Path, datasets: &[&Dataset]) -> Result<Pairs> {
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
    let mut table = Collected::new(path, datasets);
    for (i, given) in values.rows().enumerate() {
        let line = i as u64 + 1;
        let mut row = vec![-1i64; c];
        for (d, &v) in given[..c].iter().enumerate() {
            let n = datasets[d].nrows();
            if v.fract() != 0.0 || !(-1.0..n as f64).contains(&v) {
                let problem = format!("{v} is not a row of dataset \"{}\" ({n} rows, counted from 0)", datasets[d].name());
                return Err(Error::BadLine { path: path.into(), line, problem });
            }
            row[d] = v as i64;
        }
        table.push(line, row, given.get(c).copied().unwrap_or(1.0), true)?;
    }
    table.into_pairs()
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
        let pairs = from_text(Path::new("p.csv"), text.as_bytes(), b',', datasets)?;
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
    fn mistakes_are_named_with_their_line() {
        let (en, it) = (dataset("en", Some(&["cat", "dog", "same", "same"])), dataset("it", None));
        let both = [&en, &it];
        let message = |text: &str| read(text, &both).unwrap_err().to_string();
        assert_eq!(
            message("en,it\ncat,0\nw1,0\nw2,1\nw3,1\nw4,1\nw5,1\nw6,1\n"),
            "p.csv, line 3: 6 cell(s) are no row of dataset \"en\": \"w1\", \"w2\", \"w3\", \"w4\", \"w5\""
        );
        assert_eq!(message("en,it\ncat,4\n"), "p.csv, line 2: 1 cell(s) are no row of dataset \"it\": \"4\"");
        assert_eq!(message("en,it\ncat,-2\n"), "p.csv, line 2: 1 cell(s) are no row of dataset \"it\": \"-2\"");
        assert_eq!(message("en,it\ncat,1\ndog,\n"), "p.csv, line 3: only 1 dataset(s) have an entry; a pair needs two");
        assert_eq!(message("en,it\ncat,1,2\n"), "p.csv, line 2: 3 fields where 2 are expected");
        assert_eq!(message("en,itt\ncat,1\n"), "p.csv: there is no column \"itt\" among the datasets; there are \"en\", \"it\"");
        assert_eq!(message("en,en\ncat,dog\n"), "p.csv, line 1: the column \"en\" occurs twice");
        assert_eq!(message("en,it,weight\ncat,1,-1\n"), "p.csv, line 2: the weight is -1; it must be a positive finite number");
        assert_eq!(message("en,it,weight\ncat,1,x\n"), "p.csv, line 2, column \"weight\": \"x\" is not a number");
        assert_eq!(message("en,it\nsame,1\n"), "p.csv, line 2: several rows of dataset \"en\" have the id \"same\"");
        assert_eq!(message("1,2,3,4\n"), "the pairs are for 4 datasets, but 2 datasets were given");
    }

    #[test]
    fn ids_that_look_like_numbers_do_not_mix_with_row_numbers() {
        let (en, it) = (dataset("en", Some(&["1", "2", "3", "4"])), dataset("it", None));
        let both = [&en, &it];
        assert_eq!(read("1,0\n4,1\n", &both).unwrap(), [(0, 0, 1, 0, 1.0), (0, 3, 1, 1, 1.0)]);
        let message = read("1,0\n0,1\n", &both).unwrap_err().to_string();
        assert!(message.contains("mixes row ids (line 1) and row numbers (line 2)"), "{message}");
    }
}
