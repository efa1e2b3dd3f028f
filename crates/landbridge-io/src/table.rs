//! Tables of words: results to be written, labels to be read.

use std::io::Write;
use std::path::Path;

use crate::delimited::{csv_error, line_of, records, without_mark};
use crate::error::{Error, Result};
use crate::format::write_packed;
use crate::options::ReadOptions;
use crate::source::{Input, name_parts};
use crate::text::{lines, listed};

/// How a table of words is written.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TableOptions {
    /// The byte between cells; a tab for `.tsv`, a comma otherwise, if not given.
    pub delimiter: Option<u8>,
    /// Puts `'` before cells that a spreadsheet would run as a formula: those that begin with `=`, `+`, `-`,
    /// `@`, a tab or a carriage return and are not a number.
    pub escape_formulas: bool,
}

/// Writes a table of words, whole or not at all; `-` is standard output.
///
/// ```
/// use landbridge_io::{TableOptions, write_table};
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("matches.csv");
/// write_table(&path, &["en", "it"], [["cat", "gatto"], ["a,b", "c"]], &TableOptions::default())?;
/// assert_eq!(std::fs::read_to_string(&path)?, "en,it\ncat,gatto\n\"a,b\",c\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_table<R: AsRef<[S]>, S: AsRef<str>>(
    path: impl AsRef<Path>,
    header: &[&str],
    rows: impl IntoIterator<Item = R>,
    options: &TableOptions,
) -> Result<()> {
    let path = path.as_ref();
    let tab = ["tsv", "tab"].contains(&name_parts(path).extension.as_str());
    let delimiter = options.delimiter.unwrap_or(if tab { b'\t' } else { b',' });
    let options = TableOptions { delimiter: Some(delimiter), ..options.clone() };
    // Given away to the writer, which is called once.
    let rows = std::cell::Cell::new(Some(rows));
    write_packed(path, &|sink| match rows.take() {
        Some(rows) => write_table_to(sink, header, rows, &options),
        None => Err(std::io::Error::other("the rows were written already")),
    })
}

/// Writes a table of words to anything.
pub fn write_table_to<R: AsRef<[S]>, S: AsRef<str>>(
    sink: &mut dyn Write,
    header: &[&str],
    rows: impl IntoIterator<Item = R>,
    options: &TableOptions,
) -> std::io::Result<()> {
    let delimiter = options.delimiter.unwrap_or(b',');
    let mut out = csv::WriterBuilder::new().delimiter(delimiter).flexible(true).from_writer(sink);
    let escaped = |cell: &str| options.escape_formulas && is_formula(cell);
    let mut write = |cells: &mut dyn Iterator<Item = &str>| -> std::io::Result<()> {
        for cell in cells {
            if escaped(cell) { out.write_field(format!("'{cell}"))? } else { out.write_field(cell)? }
        }
        out.write_record(None::<&[u8]>)?;
        Ok(())
    };
    write(&mut header.iter().copied())?;
    for (i, row) in rows.into_iter().enumerate() {
        let row = row.as_ref();
        if row.len() != header.len() {
            let problem = format!("row {i} has {} cells, the header has {}", row.len(), header.len());
            return Err(std::io::Error::new(std::io::ErrorKind::InvalidInput, problem));
        }
        write(&mut row.iter().map(AsRef::as_ref))?;
    }
    out.flush()
}

fn is_formula(cell: &str) -> bool {
    cell.starts_with(['=', '+', '-', '@', '\t', '\r']) && cell.parse::<f64>().is_err()
}

/// Reads labels, one per row: the lines of a text file, or a column of a csv or tsv file.
///
/// Without `column`, a csv or tsv file must have one column and no header; with it, the first line is the header.
/// Empty lines are left out.
pub fn read_labels(path: impl AsRef<Path>, column: Option<&str>) -> Result<Vec<String>> {
    let path = path.as_ref();
    let bytes = Input::open(path, ReadOptions::default().max_memory)?.bytes()?;
    let text = without_mark(path, &bytes)?;
    let extension = name_parts(path).extension;
    let delimiter = match extension.as_str() {
        "tsv" | "tab" => b'\t',
        "csv" => b',',
        _ if column.is_some() => b',',
        _ => return plain_lines(path, text),
    };
    let mut reader = records(text, delimiter);
    let mut record = csv::StringRecord::new();
    let mut at = 0;
    let mut fields = 1;
    if let Some(name) = column {
        if !reader.read_record(&mut record).map_err(|e| csv_error(path, e))? {
            return Err(Error::NoData { path: path.into(), rows: 0, columns: 0 });
        }
        let names: Vec<&str> = record.iter().collect();
        let unknown = || Error::UnknownColumn { path: path.into(), column: format!("\"{name}\""), known: listed(&names) };
        at = names.iter().position(|n| *n == name).ok_or_else(unknown)?;
        fields = names.len();
    }
    let mut labels = vec![];
    while reader.read_record(&mut record).map_err(|e| csv_error(path, e))? {
        if record.len() != fields {
            let line = line_of(text, record.position());
            return Err(Error::Ragged { path: path.into(), line, expected: fields, got: record.len() });
        }
        labels.push(record[at].to_string());
    }
    not_none(path, labels)
}

fn plain_lines(path: &Path, text: &[u8]) -> Result<Vec<String>> {
    let label = |(line, bytes): (u64, &[u8])| match std::str::from_utf8(bytes) {
        Ok(label) => Ok(label.to_string()),
        Err(_) => Err(Error::NotUtf8 { path: path.into(), line }),
    };
    not_none(path, lines(text, 1).map(label).collect::<Result<_>>()?)
}

fn not_none(path: &Path, labels: Vec<String>) -> Result<Vec<String>> {
    if labels.is_empty() {
        return Err(Error::NoData { path: path.into(), rows: 0, columns: 1 });
    }
    Ok(labels)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_escaped_and_numbers_are_not() {
        let cells = ["=1+1", "+cmd", "-x", "@SUM(A1)", "\tx", "\rx", "-1.5", "+2", "a=b", "'", "-inf"];
        let mut out = vec![];
        let options = TableOptions { escape_formulas: true, delimiter: None };
        write_table_to(&mut out, &["c"], cells.map(|c| [c]), &options).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert_eq!(text, "c\n'=1+1\n'+cmd\n'-x\n'@SUM(A1)\n'\tx\n\"'\rx\"\n-1.5\n+2\na=b\n'\n-inf\n");
        let mut out = vec![];
        write_table_to(&mut out, &["c"], [["=1+1"]], &TableOptions::default()).unwrap();
        assert_eq!(out, b"c\n=1+1\n");
    }

    #[test]
    fn labels_come_from_lines_and_from_columns() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).unwrap();
            path
        };
        assert_eq!(read_labels(file("a.txt", "T cell, CD4\nB\r\n\nNK"), None).unwrap(), ["T cell, CD4", "B", "NK"]);
        assert_eq!(read_labels(file("a.csv", "\"T, x\"\nB\n"), None).unwrap(), ["T, x", "B"]);
        assert_eq!(read_labels(file("b.csv", "id,t\n1,A\n2,B\n"), Some("t")).unwrap(), ["A", "B"]);
        assert_eq!(read_labels(file("b.tsv", "id\tt\n1\tA\n2\tB\n"), Some("t")).unwrap(), ["A", "B"]);
        let message = |path, column| read_labels(path, column).unwrap_err().to_string();
        assert!(message(file("b.csv", "id,t\n1,A\n"), Some("z")).ends_with("there is no column \"z\"; there are \"id\", \"t\""));
        assert!(message(file("b.csv", "x\n1,A\n"), None).ends_with("line 2: 2 fields where 1 is expected"));
        assert!(matches!(read_labels(file("e.txt", ""), None), Err(Error::EmptyFile { .. })));
        assert!(matches!(read_labels(file("e.txt", "\n\n"), None), Err(Error::NoData { .. })));
    }
}
