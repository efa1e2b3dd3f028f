//! Which column of a table of text is what, and its lines.
//!
//! How the layout is detected where the options do not give it:
//!
//! 1. The first line is a header if any of its cells, apart from the first, is neither a number nor missing; or
//!    if its first cell is empty or a word for ids (`id`, `name`, `index`, `barcode`, …); or if a column was
//!    asked for by name. In a table of one column the first cell counts.
//! 2. The first column holds row ids if the header calls it so (empty or such a word), or if its value in the
//!    first data line is text, or if the header is one cell shorter than the data (as R writes it).
//! 3. Every other column is data, apart from the label column, which only the options give.
//!
//! The reader handles quotes, Unicode, CRLF, a byte order mark and empty lines.

use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::columnar::{Kept, positions};
use crate::delimited::{csv_error, line_of, records, utf8};
use crate::error::{Error, Result};
use crate::number::number_at;
use crate::options::{IdColumn, Missing, ReadOptions};
use crate::source::too_large;
use crate::text::{Cell, Piece, cell, cells, close_gaps, comma_cell, each_piece, excerpt, listed, pieces, shares};

/// Words in the first cell of a header that say "these are ids", beside the empty cell.
const ID_WORDS: [&str; 20] = [
    "id",
    "ids",
    "name",
    "names",
    "index",
    "key",
    "word",
    "barcode",
    "barcodes",
    "rowname",
    "rownames",
    "row_id",
    "row_name",
    "row_names",
    "cell_id",
    "gene_id",
    "sample_id",
    "document_id",
    "item_id",
    "unnamed: 0",
];

/// Whether the name of a column is a word for row ids, or empty: `id`, `name`, `barcode`, …
pub fn names_ids(word: &[u8]) -> bool {
    let word = word.trim_ascii();
    word.is_empty() || ID_WORDS.iter().any(|w| w.as_bytes().eq_ignore_ascii_case(word))
}

/// Which column is what.
pub(crate) struct Layout {
    path: PathBuf,
    delimiter: u8,
    /// Cells of a line.
    fields: usize,
    pub(crate) id: Option<usize>,
    pub(crate) label: Option<usize>,
    pub(crate) batch: Option<usize>,
    /// Fields that are carried along.
    keep: Vec<usize>,
    /// Whether the field is a number of the matrix.
    data: Vec<bool>,
    /// The header, one name per field.
    names: Option<Vec<String>>,
    limit: u64,
    /// How a cell is read: with a decimal point or a decimal comma.
    cell: fn(&[u8]) -> Cell,
    comma: bool,
    /// Whether missing values stay as NaN, for later.
    keeps_missing: bool,
}

/// Parsed lines.
#[derive(Default)]
pub(crate) struct Part {
    pub(crate) nrows: usize,
    pub(crate) values: Vec<f64>,
    pub(crate) ids: Vec<String>,
    pub(crate) labels: Vec<String>,
    pub(crate) batches: Vec<String>,
    /// The cells of every field that is carried along.
    pub(crate) kept: Vec<Vec<String>>,
}

/// Where the names of a line stand, and where it ends.
struct PlainLine {
    id: Range<usize>,
    label: Range<usize>,
    batch: Range<usize>,
    end: usize,
}

impl Layout {
    /// The layout, and the place where the data begin.
    pub(crate) fn find(path: &Path, text: &[u8], delimiter: u8, options: &ReadOptions) -> Result<(Self, usize)> {
        let mut reader = records(text, delimiter);
        let (mut first, mut second) = (csv::ByteRecord::new(), csv::ByteRecord::new());
        if !reader.read_byte_record(&mut first).map_err(|e| csv_error(path, e))? {
            return Err(Error::NoData { path: path.into(), rows: 0, columns: 0 });
        }
        let start = first.position().map_or(0, |p| p.byte() as usize).min(text.len());
        let by_name = options.label_column.is_some()
            || options.batch_column.is_some()
            || options.columns.is_some()
            || !options.keep.columns.is_empty()
            || matches!(options.id_column, Some(IdColumn::Name(_)));
        let read_cell = cell_reader(options);
        let is_header = options
            .header
            .unwrap_or_else(|| by_name || looks_like_header(&first, read_cell) || numbers_columns(&first, text, delimiter));
        let mut body = start;
        if is_header {
            body = reader.position().byte().min(text.len() as u64) as usize;
            let more = reader.read_byte_record(&mut second).map_err(|e| csv_error(path, e))?;
            if !more {
                return Err(Error::NoData { path: path.into(), rows: 0, columns: first.len() });
            }
        } else {
            second.clone_from(&first);
        }
        let fields = second.len();
        let names = match is_header {
            false => None,
            true => {
                let line = line_of(text, first.position());
                let mut names = first.iter().map(|c| utf8(path, line, c)).collect::<Result<Vec<_>>>()?;
                // R leaves out the name of the id column.
                if names.len() + 1 == fields && matches!(options.id_column, None | Some(IdColumn::Position(0))) {
                    names.insert(0, String::new());
                }
                if names.len() != fields {
                    let line = line_of(text, second.position());
                    return Err(Error::Ragged { path: path.into(), line, expected: names.len(), got: fields });
                }
                Some(names)
            }
        };
        let mut layout = Self {
            path: path.into(),
            delimiter,
            fields,
            id: None,
            label: None,
            batch: None,
            keep: vec![],
            data: vec![true; fields],
            names,
            limit: options.max_memory,
            cell: read_cell,
            comma: options.decimal == Some(b','),
            keeps_missing: options.missing != Missing::Error,
        };
        if let Some(columns) = &options.columns {
            layout.data = chosen_columns(path, columns, fields, |name| layout.position_of(name))?;
        }
        layout.keep = positions(path, &options.keep, layout.names.as_deref().unwrap_or_default())?;
        if options.columns.is_none() {
            // What is kept is not data, unless it is told to be.
            let kept = layout.keep.iter().zip(&options.keep.columns);
            kept.filter(|(_, name)| !options.keep.data.contains(name)).for_each(|(at, _)| layout.data[*at] = false);
        }
        layout.label = options.label_column.as_deref().map(|name| layout.position_of(name)).transpose()?;
        layout.batch = options.batch_column.as_deref().map(|name| layout.position_of(name)).transpose()?;
        layout.id = match &options.id_column {
            Some(IdColumn::Absent) => None,
            Some(IdColumn::Position(at)) if *at < fields => Some(*at),
            Some(IdColumn::Position(at)) => {
                let known = format!("{fields}, counted from 0");
                return Err(Error::UnknownColumn { path: path.into(), column: at.to_string(), known });
            }
            Some(IdColumn::Name(name)) => Some(layout.position_of(name)?),
            None => {
                let called = layout.names.as_ref().is_some_and(|n| names_ids(n[0].as_bytes()));
                let text = second.get(0).is_some_and(|c| is_text(c, read_cell)) && !layout.keep.contains(&0);
                let named = usize::from(layout.label.is_some()) + usize::from(layout.batch.is_some());
                let other_columns = fields >= 2 + named;
                let wanted = options.columns.is_some() && layout.data[0];
                let taken = [layout.label, layout.batch].contains(&Some(0));
                (other_columns && !wanted && !taken && (called || text)).then_some(0)
            }
        };
        let named = [layout.id, layout.label, layout.batch];
        let name = |k: usize| layout.names.as_ref().map_or_else(|| k.to_string(), |n| format!("\"{}\"", n[k]));
        let data = without_named(path, layout.data.clone(), named, options.columns.is_some(), name)?;
        layout.data = data;
        Ok((layout, body))
    }

    fn position_of(&self, name: &str) -> Result<usize> {
        let names = self.names.as_deref().unwrap_or_default();
        let found = names.iter().position(|n| n == name).or_else(|| names.iter().position(|n| n.trim() == name));
        found.ok_or_else(|| {
            let known = if names.is_empty() { "no names: the table has no header".into() } else { listed(names) };
            Error::UnknownColumn { path: self.path.clone(), column: format!("\"{name}\""), known }
        })
    }

    /// The columns that are carried along, by name.
    pub(crate) fn kept(&self, cells: Vec<Vec<String>>) -> Option<Kept> {
        let name = |at: &usize| self.names.as_ref().map_or_else(String::new, |names| names[*at].trim().to_string());
        let names: Vec<String> = self.keep.iter().map(name).collect();
        Kept::of_texts(&names, cells.into_iter().map(|column| column.into_iter().map(Some).collect()).collect())
    }

    /// No lines yet, with room for so many.
    fn no_lines(&self, lines: usize) -> Part {
        let named = |column: Option<usize>| Vec::with_capacity(if column.is_some() { lines } else { 0 });
        let kept = vec![Vec::with_capacity(lines); self.keep.len()];
        Part { ids: named(self.id), labels: named(self.label), batches: named(self.batch), kept, ..Default::default() }
    }

    fn is_data(&self, field: usize) -> bool {
        self.data[field]
    }

    pub(crate) fn ncols(&self) -> usize {
        (0..self.fields).filter(|&k| self.is_data(k)).count()
    }

    pub(crate) fn columns(&self) -> Option<Vec<String>> {
        let names = self.names.as_ref()?;
        Some(names.iter().enumerate().filter(|(k, _)| self.is_data(*k)).map(|(_, n)| n.clone()).collect())
    }

    /// All lines of the body. Without quotes a line end is a line end, and pieces are parsed in parallel.
    pub(crate) fn parse(&self, body: &[u8], first_line: u64, piece: usize) -> Result<Part> {
        // Delimiters that stand inside numbers need a reader that cuts first, and so do commas.
        if self.comma || memchr::memchr(b'"', body).is_some() || b"0123456789+-.eE".contains(&self.delimiter) {
            return self.parse_quoted(body, first_line);
        }
        let (pieces, ncols) = (pieces(body, piece, first_line), self.ncols());
        // A cell takes a byte at the least, so a file has no more values than bytes, whatever its header promises.
        let room: Vec<usize> = pieces.iter().map(|p| p.lines.min(p.text.len().div_ceil(self.fields.max(1))) * ncols).collect();
        let needed = 8 * room.iter().map(|r| *r as u128).sum::<u128>();
        if needed > u128::from(self.limit) {
            return Err(too_large(&self.path, "the matrix", needed, self.limit));
        }
        let mut values = vec![0.0; room.iter().sum()];
        let work = pieces.into_iter().zip(shares(&mut values, &room)).collect();
        let parts = each_piece(work, |(piece, values): (Piece, &mut [f64])| self.parse_piece(&piece, values));
        let mut parts = parts.into_iter().collect::<Result<Vec<Part>>>()?;
        close_gaps(&mut values, &room, parts.iter().map(|p| p.nrows * ncols));
        let mut all = Part { values, nrows: parts.iter().map(|p| p.nrows).sum(), ..self.no_lines(0) };
        for part in &mut parts {
            all.ids.append(&mut part.ids);
            all.labels.append(&mut part.labels);
            all.batches.append(&mut part.batches);
            all.kept.iter_mut().zip(&mut part.kept).for_each(|(all, part)| all.append(part));
        }
        Ok(all)
    }

    /// Rows of one piece, written to their place.
    fn parse_piece(&self, piece: &Piece, values: &mut [f64]) -> Result<Part> {
        let mut part = self.no_lines(piece.lines);
        let mut kept = vec![0..0; self.keep.len()];
        let (text, ncols) = (piece.text, self.ncols());
        let (mut at, mut line) = (0, piece.line);
        while at < text.len() {
            if matches!(text[at], b'\n' | b'\r') {
                line += u64::from(text[at] == b'\n');
                at += 1;
                continue;
            }
            let Some(row) = values.get_mut(part.nrows * ncols..(part.nrows + 1) * ncols) else {
                let problem = format!("line {line} is one more than were counted");
                return Err(Error::Damaged { path: self.path.clone(), problem });
            };
            if let Some(plain) = self.plain_line(text, at, row, &mut kept) {
                if self.id.is_some() {
                    part.ids.push(utf8(&self.path, line, &text[plain.id])?);
                }
                if self.label.is_some() {
                    part.labels.push(utf8(&self.path, line, &text[plain.label])?);
                }
                if self.batch.is_some() {
                    part.batches.push(utf8(&self.path, line, &text[plain.batch])?);
                }
                for (column, cell) in part.kept.iter_mut().zip(&kept) {
                    column.push(utf8(&self.path, line, &text[cell.clone()])?);
                }
                part.nrows += 1;
                at = plain.end;
                continue;
            }
            let end = memchr::memchr2(b'\n', b'\r', &text[at..]).map_or(text.len(), |length| at + length);
            self.push(&mut part, line, cells(&text[at..end], self.delimiter))?;
            row.copy_from_slice(&part.values);
            part.values.clear();
            at = end;
        }
        Ok(part)
    }

    /// A line of plain numbers between delimiters: nearly every line. Others go the careful way.
    #[inline]
    fn plain_line(&self, text: &[u8], start: usize, row: &mut [f64], kept: &mut [Range<usize>]) -> Option<PlainLine> {
        let mut found = PlainLine { id: 0..0, label: 0..0, batch: 0..0, end: start };
        let mut values = row.iter_mut();
        for field in 0..self.fields {
            let at = found.end + usize::from(field > 0);
            if self.is_data(field) {
                let (value, end) = number_at(text, at)?;
                *values.next()? = value;
                found.end = end;
            } else {
                let rest = text.get(at..)?;
                found.end = at + memchr::memchr3(self.delimiter, b'\n', b'\r', rest).unwrap_or(rest.len());
                if Some(field) == self.id {
                    found.id = at..found.end;
                }
                if Some(field) == self.label {
                    found.label = at..found.end;
                }
                if Some(field) == self.batch {
                    found.batch = at..found.end;
                }
            }
            if let Some(place) = self.keep.iter().position(|k| *k == field) {
                kept[place] = at..found.end;
            }
            let fits = match text.get(found.end) {
                None | Some(b'\n' | b'\r') => field + 1 == self.fields,
                Some(byte) => *byte == self.delimiter && field + 1 < self.fields,
            };
            if !fits {
                return None;
            }
        }
        Some(found)
    }

    fn parse_quoted(&self, body: &[u8], first_line: u64) -> Result<Part> {
        let mut reader = records(body, self.delimiter);
        let mut record = csv::ByteRecord::new();
        let mut part = self.no_lines(0);
        while reader.read_byte_record(&mut record).map_err(|e| csv_error(&self.path, e))? {
            let line = first_line - 1 + line_of(body, record.position());
            self.push(&mut part, line, record.iter())?;
        }
        Ok(part)
    }

    fn push<'a>(&self, part: &mut Part, line: u64, cells: impl Iterator<Item = &'a [u8]>) -> Result<()> {
        let mut got = 0;
        let mut wrong = None;
        for (k, bytes) in cells.enumerate() {
            got += 1;
            if k >= self.fields {
                continue;
            }
            if Some(k) == self.id {
                part.ids.push(utf8(&self.path, line, bytes)?);
            }
            if Some(k) == self.label {
                part.labels.push(utf8(&self.path, line, bytes)?);
            }
            if Some(k) == self.batch {
                part.batches.push(utf8(&self.path, line, bytes)?);
            }
            if let Some(place) = self.keep.iter().position(|field| *field == k) {
                part.kept[place].push(utf8(&self.path, line, bytes)?);
            }
            if self.is_data(k) {
                match (self.cell)(bytes) {
                    Cell::Number(value) => part.values.push(value),
                    Cell::Missing if self.keeps_missing => part.values.push(f64::NAN),
                    other => wrong = wrong.or(Some((k, bytes, other))),
                }
            }
        }
        // A line of another length explains a wrong value, not the other way round.
        if got != self.fields {
            return Err(Error::Ragged { path: self.path.clone(), line, expected: self.fields, got });
        }
        if let Some((k, bytes, what)) = wrong {
            let column = self.names.as_ref().map_or_else(|| k.to_string(), |n| format!("\"{}\"", n[k]));
            let (path, value) = (self.path.clone(), excerpt(bytes));
            return Err(match what {
                Cell::Missing => Error::Missing { path, line, column, value },
                _ => Error::NotANumber { path, line, column, value },
            });
        }
        part.nrows += 1;
        self.check_limit(part)
    }

    fn check_limit(&self, part: &Part) -> Result<()> {
        let bytes = part.values.len() as u64 * 8;
        if bytes > self.limit {
            return Err(too_large(&self.path, "the matrix", bytes.into(), self.limit));
        }
        Ok(())
    }
}

/// Which fields are among the named columns.
pub(crate) fn chosen_columns(
    path: &Path,
    columns: &[String],
    fields: usize,
    position_of: impl Fn(&str) -> Result<usize>,
) -> Result<Vec<bool>> {
    let mut chosen = vec![false; fields];
    for name in columns {
        if std::mem::replace(&mut chosen[position_of(name)?], true) {
            return Err(Error::ColumnTwice { path: path.into(), column: format!("\"{name}\"") });
        }
    }
    Ok(chosen)
}

/// The fields that are data, less ids, labels and batches, which must not be among chosen ones. One must be left.
pub(crate) fn without_named(
    path: &Path,
    mut data: Vec<bool>,
    named: [Option<usize>; 3],
    chosen: bool,
    name: impl Fn(usize) -> String,
) -> Result<Vec<bool>> {
    for at in named.into_iter().flatten() {
        if std::mem::replace(&mut data[at], false) && chosen {
            return Err(Error::ColumnTwice { path: path.into(), column: name(at) });
        }
    }
    if !data.contains(&true) {
        return Err(Error::NoColumnLeft { path: path.into(), columns: data.len() });
    }
    Ok(data)
}

/// How cells are read.
pub(crate) fn cell_reader(options: &ReadOptions) -> fn(&[u8]) -> Cell {
    if options.decimal == Some(b',') { comma_cell } else { cell }
}

/// Whether a cell is text by either way of reading. A number with a point, where decimals follow a comma, is not a name: it is
/// refused later.
fn is_text(bytes: &[u8], reader: fn(&[u8]) -> Cell) -> bool {
    matches!(reader(bytes), Cell::Text) && matches!(cell(bytes), Cell::Text)
}

fn looks_like_header(first: &csv::ByteRecord, reader: fn(&[u8]) -> Cell) -> bool {
    match first.len() {
        1 => is_text(&first[0], reader),
        _ => names_ids(&first[0]) || first.iter().skip(1).any(|c| is_text(c, reader)),
    }
}

/// Whether the first line numbers the columns, as pandas writes a table without names (`0,1,2,…`), or names them by years: whole numbers
/// that rise by one, above a line that does not go on like this and, unless they begin with 0, has fractions.
fn numbers_columns(first: &csv::ByteRecord, text: &[u8], delimiter: u8) -> bool {
    const LEAST: usize = 3;
    let number = |cell: &[u8]| std::str::from_utf8(cell).ok()?.trim().parse::<i64>().ok();
    let rises = |line: &csv::ByteRecord| {
        let found: Option<Vec<i64>> = line.iter().map(number).collect();
        found.filter(|f| f.len() >= LEAST && f.windows(2).all(|w| w[1] == w[0] + 1)).map(|f| f[0])
    };
    let Some(start) = rises(first) else { return false };
    let (mut reader, mut second) = (records(text, delimiter), csv::ByteRecord::new());
    let read = |reader: &mut csv::Reader<_>, line: &mut csv::ByteRecord| reader.read_byte_record(line).unwrap_or(false);
    if !(read(&mut reader, &mut second) && read(&mut reader, &mut second)) {
        return false;
    }
    rises(&second).is_none() && (start == 0 || second.iter().any(|cell| number(cell).is_none()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::delimited::Delimited;
    use crate::format::{Format, Loaded};
    use crate::source::Input;
    use crate::text::PIECE;

    fn read_with(text: &str, options: ReadOptions) -> Result<Loaded> {
        Delimited::CSV.read(Input::from_bytes(Path::new("a.csv"), text.into(), 1 << 20)?, &options)
    }
    fn read(text: &str) -> Result<Loaded> {
        read_with(text, ReadOptions::default())
    }
    fn message(text: &str) -> String {
        read(text).unwrap_err().to_string()
    }
    /// Ids, column names, values as text: short enough to compare at sight.
    fn show(loaded: Loaded) -> String {
        let names = |n: Option<Vec<String>>| n.map_or("-".into(), |n| n.join("|"));
        let landbridge::data::Rows::F64(m) = loaded.rows else { panic!("csv is read as f64") };
        let values: Vec<String> = m.rows().map(|r| r.iter().map(f64::to_string).collect::<Vec<_>>().join(" ")).collect();
        format!("{} {} {}", names(loaded.row_ids), names(loaded.columns), values.join("/"))
    }

    #[test]
    fn numbers_of_columns_and_years_are_a_header() {
        assert_eq!(show(read("0,1,2\n0.5,3,4\n1,2,3.5\n").unwrap()), "- 0|1|2 0.5 3 4/1 2 3.5");
        assert_eq!(show(read("0,1,2\n7,3,4\n").unwrap()), "- 0|1|2 7 3 4");
        assert_eq!(show(read("2001,2002,2003\n0.5,3,4\n").unwrap()), "- 2001|2002|2003 0.5 3 4");
        // Numbers that go on, whole numbers below numbers that do not begin with 0, two columns: data.
        for data in ["0,1,2\n3,4,5\n", "5,6,7\n9,1,3\n", "0,1\n0.5,2\n", "0,1,2\n"] {
            assert_eq!(read(data).unwrap().columns, None, "{data}");
        }
    }

    #[test]
    fn header_and_ids_are_found() {
        for (text, expected) in [
            ("1,2\n3,4\n", "- - 1 2/3 4"),
            ("x,y\n1,2\n", "- x|y 1 2"),
            ("id,y\n7,2\n", "7 y 2"),
            (",0,1\n0,5,6\n1,7,8\n", "0|1 0|1 5 6/7 8"),
            ("a,1\nb,2\n", "a|b - 1/2"),
            ("word,x\na,1\nb,2\n", "a|b x 1/2"),
            ("gene,x\na,1\nb,2\n", "a|b x 1/2"),
            ("x,y\nr1,1,2\nr2,3,4\n", "r1|r2 x|y 1 2/3 4"),
            ("x\n1\n2\n", "- x 1/2"),
            ("1\n2\n", "- - 1/2"),
            ("\u{feff}x,y\r\n1, 2 \r\n\r\n3,4", "- x|y 1 2/3 4"),
            ("\"x,1\",\"y\"\"\"\n\"1\",2\n", "- x,1|y\" 1 2"),
            ("Größe,名\n1,2\n", "- Größe|名 1 2"),
            ("1,2\r3,4\r", "- - 1 2/3 4"),
            ("\n\nx,y\n\n1,2\n", "- x|y 1 2"),
        ] {
            assert_eq!(show(read(text).unwrap()), expected, "{text:?}");
        }
    }

    #[test]
    fn what_is_told_is_done() {
        let told = |text, options| show(read_with(text, options).unwrap());
        let default = ReadOptions::default;
        assert_eq!(told("1,2\n3,4\n", ReadOptions { header: Some(true), ..default() }), "- 1|2 3 4");
        assert_eq!(told("1,2\n3,4\n", ReadOptions { id_column: Some(IdColumn::Position(1)), ..default() }), "2|4 - 1/3");
        assert_eq!(told("id,y\n7,2\n", ReadOptions { id_column: Some(IdColumn::Absent), ..default() }), "- id|y 7 2");
        assert_eq!(told("x,k\n7,2\n", ReadOptions { id_column: Some(IdColumn::Name("k".into())), ..default() }), "2 x 7");
        assert_eq!(told("x;y\n1;2\n", ReadOptions { delimiter: Some(b';'), ..default() }), "- x|y 1 2");
        let loaded =
            read_with("id,t,x\na,T cell,1\nb,\"B, cell\",2\n", ReadOptions { label_column: Some("t".into()), ..default() })
                .unwrap();
        assert_eq!(loaded.labels.as_deref().unwrap(), ["T cell", "B, cell"]);
        assert_eq!(show(loaded), "a|b x 1/2");
        let only = |names: &[&str]| ReadOptions { columns: Some(names.iter().map(|n| n.to_string()).collect()), ..default() };
        let table = "residue,name,x,y,note\n5,LYS,1,2,a b\n6,MET,3,4,\n";
        assert_eq!(told(table, only(&["y", "x"])), "- x|y 1 2/3 4");
        assert_eq!(told(table, ReadOptions { id_column: Some(IdColumn::Name("name".into())), ..only(&["y"]) }), "LYS|MET y 2/4");
        assert_eq!(told("id,x,t\nq,1,T\n", only(&["x"])), "q x 1");
        assert_eq!(told("id,x,t\n7,1,T\n", only(&["id"])), "- id 7");
        assert_eq!(told("id,x,t\nq,\"1\",T\n", only(&["x"])), "q x 1");
        let refused = |options| read_with(table, options).unwrap_err().to_string();
        assert!(refused(only(&["z"])).starts_with("a.csv: there is no column \"z\"; there are"));
        assert_eq!(refused(only(&["x", "x"])), "a.csv: column \"x\" is asked for twice");
        assert_eq!(
            refused(ReadOptions { label_column: Some("x".into()), ..only(&["x"]) }),
            "a.csv: column \"x\" is asked for twice"
        );
        assert!(refused(only(&["name"])).contains("\"LYS\" is not a number"));
        let missing = read_with("x,y\n1,2\n", ReadOptions { label_column: Some("t".into()), ..default() }).unwrap_err();
        assert_eq!(missing.to_string(), "a.csv: there is no column \"t\"; there are \"x\", \"y\"");
        let no_header = ReadOptions { label_column: Some("t".into()), header: Some(false), ..default() };
        assert!(matches!(read_with("1,2\n", no_header), Err(Error::UnknownColumn { .. })));
        assert!(read_with("1,2\n", ReadOptions { id_column: Some(IdColumn::Position(2)), ..default() }).is_err());
        assert!(read_with("1,2\n", ReadOptions { delimiter: Some(b'"'), ..default() }).is_err());
        let both = ReadOptions { id_column: Some(IdColumn::Name("x".into())), label_column: Some("y".into()), ..default() };
        let none_left = read_with("x,y\n1,2\n", both).unwrap_err();
        assert_eq!(none_left.to_string(), "a.csv: no column is left as data: the file has 2 columns");
    }

    #[test]
    fn wrong_cells_are_named_with_line_column_and_value() {
        assert_eq!(message("x,y\n1,2\n\n3,4,5\n"), "a.csv line 4: 3 fields where 2 are expected");
        assert_eq!(message("x,y\n1,2\n3\n"), "a.csv line 3: 1 field where 2 are expected");
        assert_eq!(message("x,y\n1,2\n3,abc\n"), "a.csv line 3, column \"y\": \"abc\" is not a number");
        assert_eq!(message("1,2\n3,abc\n"), "a.csv line 2, column 1: \"abc\" is not a number");
        assert_eq!(message("x,y\n1,NA\n"), "a.csv line 2, column \"y\": the value is missing (\"NA\")");
        assert_eq!(message("x,y\n1,\n"), "a.csv line 2, column \"y\": the value is missing (\"\")");
        assert_eq!(message("x,y\n1,nan\n"), "a.csv line 2, column \"y\": the value is missing (\"nan\")");
        assert_eq!(message("id,y\n\"1\n2\",2\n\n3,\"a\"\n"), "a.csv line 5, column \"y\": \"a\" is not a number");
        assert!(matches!(read("x,y\n"), Err(Error::NoData { rows: 0, columns: 2, .. })));
        assert!(matches!(read("\n\n"), Err(Error::NoData { .. })));
        let bytes = b"id,x\n\xff\xfe,1\n".to_vec();
        let input = Input::from_bytes(Path::new("a.csv"), bytes, 100).unwrap();
        assert!(matches!(Delimited::CSV.read(input, &ReadOptions::default()), Err(Error::NotUtf8 { line: 2, .. })));
        let input = Input::from_bytes(Path::new("a.csv"), vec![0xff, 0xfe, b'1', 0], 100).unwrap();
        assert!(matches!(Delimited::CSV.read(input, &ReadOptions::default()), Err(Error::Unsupported { .. })));
    }

    #[test]
    fn parallel_pieces_and_the_quoting_reader_agree() {
        let mut plain = String::new();
        for i in 0..500 {
            plain.push_str(&format!("r{i},{},{}\n", i as f64 * 0.37, -(i as f64) / 7.0));
            if i % 50 == 0 {
                plain.push('\n');
            }
        }
        let quoted = plain.replacen("r0,", "\"r0\",", 1);
        let a = show(read(&plain).unwrap());
        assert_eq!(a, show(read(&quoted).unwrap()));
        let (layout, body) = Layout::find(Path::new("a.csv"), plain.as_bytes(), b',', &ReadOptions::default()).unwrap();
        let whole = layout.parse(&plain.as_bytes()[body..], 1, PIECE).unwrap();
        for piece in [1, 7, 100, 1000] {
            let part = layout.parse(&plain.as_bytes()[body..], 1, piece).unwrap();
            assert_eq!((part.nrows, &part.values, &part.ids), (500, &whole.values, &whole.ids));
        }
    }
}
