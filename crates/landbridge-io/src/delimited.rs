//! Tables of text (`.csv`, `.tsv`): cells between delimiters, one line per row. `layout.rs` says how the header and
//! the id column are found.
//!
//! The reader handles quotes, Unicode, CRLF, a byte order mark and empty lines.

use std::io::Write;
use std::path::Path;

use landbridge::linalg::Matrix;

use crate::columnar::Kept;
use crate::error::{Error, Result};
use crate::format::{Format, Loaded, Refusal, RowsRef, Table};
use crate::layout::Layout;
use crate::options::ReadOptions;
use crate::ratings;
use crate::source::Input;
use crate::text::{Cell, PIECE, comma_cell, count_newlines, lines, write_number};

/// A format of cells between delimiters. Numbers are read as f64.
pub struct Delimited {
    name: &'static str,
    extensions: &'static [&'static str],
    delimiter: u8,
}

impl Delimited {
    /// Comma-separated values.
    pub const CSV: Self = Self { name: "csv", extensions: &["csv"], delimiter: b',' };
    /// Tab-separated values.
    pub const TSV: Self = Self { name: "tsv", extensions: &["tsv", "tab"], delimiter: b'\t' };
}

impl Format for Delimited {
    fn name(&self) -> &'static str {
        self.name
    }
    fn extensions(&self) -> &'static [&'static str] {
        self.extensions
    }
    fn read(&self, input: Input, options: &ReadOptions) -> Result<Loaded> {
        let path = input.path().to_path_buf();
        let bytes = input.bytes()?;
        let text = without_mark(&path, &bytes)?;
        let delimiter = options.delimiter.unwrap_or(self.delimiter);
        if [b'"', b'\n', b'\r'].contains(&delimiter) {
            let expected = "neither a quote nor the end of a line".into();
            let value = (delimiter as char).escape_default().to_string();
            return Err(landbridge::Error::BadParameter { name: "delimiter".into(), value, expected }.into());
        }
        if let Some(decimal) = options.decimal.filter(|d| !matches!(d, b'.' | b',') || *d == delimiter) {
            let expected = "a point or a comma, other than the delimiter: give both, such as --delimiter ';' --decimal ','";
            let (value, expected) = (format!("'{}'", decimal as char), expected.into());
            return Err(landbridge::Error::BadParameter { name: "decimal".into(), value, expected }.into());
        }
        if options.delimiter.is_none() {
            other_delimiter(&path, text, delimiter, true).map_or(Ok(()), Err)?;
        }
        let read = match options.ratings {
            true => ratings::read(&path, text, delimiter, options),
            false => self.read_table(&path, text, delimiter, options),
        };
        read.map_err(|error| match error {
            Error::Ragged { .. } | Error::NotANumber { .. } if options.delimiter.is_none() => {
                other_delimiter(&path, text, delimiter, false).unwrap_or(error)
            }
            _ => error,
        })
    }
    fn write(&self, sink: &mut dyn Write, table: &Table) -> std::io::Result<()> {
        let kept = table.kept.map(Kept::texts).transpose().map_err(std::io::Error::other)?.unwrap_or_default();
        let mut out = csv::WriterBuilder::new().delimiter(self.delimiter).from_writer(sink);
        let (n, p) = (table.rows.nrows(), table.rows.ncols());
        if table.row_ids.is_some() || table.columns.is_some() || table.labels.is_some() || table.kept.is_some() {
            if table.row_ids.is_some() {
                out.write_field("id")?;
            }
            for name in table.kept.iter().flat_map(|kept| kept.names()) {
                out.write_field(name)?;
            }
            for j in 0..p {
                match table.columns {
                    Some(names) => out.write_field(&names[j])?,
                    None => out.write_field(format!("x{j}"))?,
                }
            }
            if table.labels.is_some() {
                out.write_field("label")?;
            }
            out.write_record(None::<&[u8]>)?;
        }
        let mut number = vec![];
        for i in 0..n {
            if let Some(ids) = table.row_ids {
                out.write_field(&ids[i])?;
            }
            for column in &kept {
                out.write_field(&column[i])?;
            }
            for j in 0..p {
                number.clear();
                match table.rows {
                    RowsRef::F64(m) => write_number(&mut number, m[(i, j)]),
                    RowsRef::F32(m) => write_number(&mut number, m[(i, j)]),
                    RowsRef::Sparse(_) => {
                        return Err(std::io::Error::other("tables of text cannot hold sparse rows"));
                    }
                }
                out.write_field(&number)?;
            }
            if let Some(labels) = table.labels {
                out.write_field(&labels[i])?;
            }
            out.write_record(None::<&[u8]>)?;
        }
        out.flush()
    }
    fn refuses(&self, table: &Table) -> Option<Refusal> {
        table.sparse_given()
    }
    fn understands(&self, option: &str) -> bool {
        ["header", "id_column", "label_column", "batch_column", "columns", "delimiter", "decimal", "ratings", "keep"]
            .contains(&option)
    }
    fn is_text_table(&self) -> bool {
        true
    }
}

impl Delimited {
    fn read_table(&self, path: &Path, text: &[u8], delimiter: u8, options: &ReadOptions) -> Result<Loaded> {
        let (layout, body) = Layout::find(path, text, delimiter, options)?;
        let columns = layout.columns();
        let part = layout.parse(&text[body..], count_newlines(&text[..body]) + 1, PIECE)?;
        let nrows = part.nrows;
        if nrows == 0 || layout.ncols() == 0 {
            return Err(Error::NoData { path: path.into(), rows: nrows, columns: layout.ncols() });
        }
        let rows = Matrix::from_vec(part.values, nrows, layout.ncols())?.into();
        Ok(Loaded {
            row_ids: layout.id.map(|_| part.ids),
            columns,
            labels: layout.label.map(|_| part.labels),
            batches: layout.batch.map(|_| part.batches),
            kept: layout.kept(part.kept),
            ..Loaded::new(rows)
        })
    }
}

/// The delimiter on which the first lines agree, where it is another one than assumed. To be sure of it before anything has
/// failed, the assumed one must be absent from the first line.
fn other_delimiter(path: &Path, text: &[u8], assumed: u8, sure: bool) -> Option<Error> {
    let first: Vec<&[u8]> = lines(text, 1).map(|(_, line)| line).take(5).collect();
    if first.len() < 2 || (sure && first[0].contains(&assumed)) {
        return None;
    }
    let cells = |delimiter: u8| first.iter().map(move |line| line.split(|b| *b == delimiter).count());
    let agree = |delimiter: u8| first[0].contains(&delimiter) && cells(delimiter).all(|n| Some(n) == cells(delimiter).next());
    let found = [b';', b'\t', b'|', b','].into_iter().find(|d| *d != assumed && agree(*d))?;
    let comma = |cell: &[u8]| cell.contains(&b',') && matches!(comma_cell(cell), Cell::Number(_));
    let decimal = found != b',' && first.iter().flat_map(|line| line.split(|b| *b == found)).any(comma);
    Some(Error::OtherDelimiter { path: path.into(), found, assumed, decimal })
}

/// The text without its byte order mark.
pub(crate) fn without_mark<'a>(path: &Path, bytes: &'a [u8]) -> Result<&'a [u8]> {
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return Err(Error::Unsupported { path: path.into(), what: "text in UTF-16 (save it as UTF-8)".into() });
    }
    Ok(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes))
}

/// A reader of records of any length, without a header of its own.
pub(crate) fn records(text: &[u8], delimiter: u8) -> csv::Reader<&[u8]> {
    csv::ReaderBuilder::new().has_headers(false).flexible(true).delimiter(delimiter).from_reader(text)
}

/// The line a record begins in. The csv reader counts from before the empty lines that it skips.
pub(crate) fn line_of(text: &[u8], position: Option<&csv::Position>) -> u64 {
    let Some(position) = position else { return 0 };
    let skipped = text[(position.byte() as usize).min(text.len())..].iter().take_while(|b| matches!(b, b'\n' | b'\r'));
    position.line() + skipped.filter(|b| **b == b'\n').count() as u64
}

/// An error of the csv reader as an error of this crate.
pub(crate) fn csv_error(path: &Path, error: csv::Error) -> Error {
    let line = error.position().map_or(0, csv::Position::line);
    match error.into_kind() {
        csv::ErrorKind::Io(source) => Error::Io { path: path.into(), action: "read", source },
        csv::ErrorKind::Utf8 { .. } => Error::NotUtf8 { path: path.into(), line },
        other => Error::BadLine { path: path.into(), line, problem: format!("{other:?}") },
    }
}

pub(crate) fn utf8(path: &Path, line: u64, bytes: &[u8]) -> Result<String> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(text.to_string()),
        Err(_) => Err(Error::NotUtf8 { path: path.into(), line }),
    }
}
