//! Matrix Market (`.mtx`): coordinate files stay sparse, array files are dense.

mod pieces;

pub(crate) use pieces::mtx_pieces;

use std::io::Write;
use std::path::Path;

use landbridge::data::Rows;
use landbridge::linalg::Matrix;
use rayon::prelude::*;

use crate::error::{Error, Result};
use crate::format::{Format, Loaded, Refusal, RowsRef, Table};
use crate::number::{number_at, three_wholes, whole_at};
use crate::options::{Missing, ReadOptions};
use crate::source::{Input, too_large};
use crate::sparse;
use crate::text::{
    Cell, PIECE, Piece, cell, close_gaps, each_piece, excerpt, lines, parse_pieces, pieces, shares, verb, write_number,
};

/// The Matrix Market format: real, integer and pattern; general, symmetric and skew-symmetric. Values are read
/// as f64; a pattern has ones; repeated entries add up.
pub struct Mtx;

impl Format for Mtx {
    fn name(&self) -> &'static str {
        "mtx"
    }
    fn extensions(&self) -> &'static [&'static str] {
        &["mtx"]
    }
    fn read(&self, input: Input, options: &ReadOptions) -> Result<Loaded> {
        let path = input.path().to_path_buf();
        let bytes = input.bytes()?;
        let head = Head::parse(&path, &bytes)?;
        let rows = if head.coordinate { head.coordinate(&path, options)? } else { head.array(&path, options)? };
        Ok(Loaded::new(rows))
    }
    fn write(&self, sink: &mut dyn Write, table: &Table) -> std::io::Result<()> {
        match table.rows {
            RowsRef::F64(m) => write_array(sink, m.nrows(), m.ncols(), |i, j| m[(i, j)]),
            RowsRef::F32(m) => write_array(sink, m.nrows(), m.ncols(), |i, j| m[(i, j)]),
            RowsRef::Sparse(m) => {
                writeln!(sink, "%%MatrixMarket matrix coordinate real general")?;
                writeln!(sink, "{} {} {}", m.nrows(), m.ncols(), m.nnz())?;
                let mut line = vec![];
                for i in 0..m.nrows() {
                    for (j, v) in m.row(i) {
                        line.clear();
                        write!(line, "{} {} ", i + 1, u64::from(j) + 1)?;
                        write_number(&mut line, v);
                        line.push(b'\n');
                        sink.write_all(&line)?;
                    }
                }
                Ok(())
            }
        }
    }
    fn refuses(&self, table: &Table) -> Option<Refusal> {
        table.names_given()
    }
}

fn write_array<T: std::fmt::Debug>(
    sink: &mut dyn Write,
    n: usize,
    p: usize,
    entry: impl Fn(usize, usize) -> T,
) -> std::io::Result<()> {
    writeln!(sink, "%%MatrixMarket matrix array real general\n{n} {p}")?;
    let mut column = vec![];
    for j in 0..p {
        column.clear();
        for i in 0..n {
            write_number(&mut column, entry(i, j));
            column.push(b'\n');
        }
        sink.write_all(&column)?;
    }
    Ok(())
}

#[derive(Clone, Copy, PartialEq)]
enum Symmetry {
    General,
    Symmetric,
    Skew,
}

/// The banner and the size line, and what follows them.
struct Head<'a> {
    coordinate: bool,
    pattern: bool,
    symmetry: Symmetry,
    nrows: u64,
    ncols: u64,
    entries: u64,
    body: &'a [u8],
    /// Line in which the body begins.
    line: u64,
}

impl<'a> Head<'a> {
    fn parse(path: &Path, bytes: &'a [u8]) -> Result<Self> {
        let wrong = |problem: String| Error::WrongFormat { path: path.into(), format: "mtx", problem };
        let unsupported = |what: String| Error::Unsupported { path: path.into(), what };
        let mut ends = bytes.iter().enumerate().filter(|(_, b)| **b == b'\n').map(|(at, _)| at + 1).chain([bytes.len()]);
        let end = ends.next().unwrap_or(bytes.len());
        let banner = String::from_utf8_lossy(&bytes[..end.min(200)]).to_ascii_lowercase();
        let words: Vec<&str> = banner.split_ascii_whitespace().collect();
        if words.first() != Some(&"%%matrixmarket") {
            return Err(wrong(format!("the first line is \"{}\", not %%MatrixMarket …", excerpt(bytes[..end].trim_ascii()))));
        }
        let word = |at: usize| words.get(at).copied().unwrap_or("");
        if word(1) != "matrix" {
            return Err(unsupported(format!("a Matrix Market file of \"{}\"", excerpt(word(1).as_bytes()))));
        }
        let coordinate = match word(2) {
            "coordinate" => true,
            "array" => false,
            other => {
                return Err(wrong(format!("it is neither coordinate nor array but \"{}\"", excerpt(other.as_bytes()))));
            }
        };
        let pattern = match word(3) {
            "real" | "double" | "integer" => false,
            "pattern" if coordinate => true,
            other => {
                return Err(unsupported(format!("a Matrix Market file of \"{}\" values", excerpt(other.as_bytes()))));
            }
        };
        let symmetry = match word(4) {
            "general" => Symmetry::General,
            "symmetric" => Symmetry::Symmetric,
            "skew-symmetric" => Symmetry::Skew,
            other => {
                return Err(unsupported(format!("a Matrix Market file that is \"{}\"", excerpt(other.as_bytes()))));
            }
        };
        let (mut start, mut line) = (end, 2u64);
        while start < bytes.len() {
            let end = ends.next().unwrap_or(bytes.len());
            let text = bytes[start..end].trim_ascii();
            (start, line) = (end, line + 1);
            if text.is_empty() || text[0] == b'%' {
                continue;
            }
            let numbers: Option<Vec<u64>> = text.split(u8::is_ascii_whitespace).filter(|w| !w.is_empty()).map(integer).collect();
            let (nrows, ncols, entries) = match (coordinate, numbers.as_deref()) {
                (true, Some(&[n, p, entries])) => (n, p, entries),
                (false, Some(&[n, p])) => (n, p, 0),
                _ => {
                    let problem = format!("\"{}\" is not a size line", excerpt(text));
                    return Err(Error::BadLine { path: path.into(), line: line - 1, problem });
                }
            };
            if nrows == 0 || ncols == 0 {
                return Err(Error::NoData { path: path.into(), rows: nrows as usize, columns: ncols as usize });
            }
            if symmetry != Symmetry::General && nrows != ncols {
                return Err(Error::Damaged { path: path.into(), problem: format!("it is symmetric, but {nrows} x {ncols}") });
            }
            return Ok(Self { coordinate, pattern, symmetry, nrows, ncols, entries, body: &bytes[start..], line });
        }
        Err(Error::Truncated { path: path.into(), problem: "there is no size line".into() })
    }

    /// Refuses another number of entries than declared.
    fn check_count(&self, path: &Path, found: usize, declared: u128) -> Result<()> {
        match (found as u128).cmp(&declared) {
            std::cmp::Ordering::Equal => Ok(()),
            std::cmp::Ordering::Less => {
                Err(Error::Truncated { path: path.into(), problem: format!("{found} of {declared} entries") })
            }
            std::cmp::Ordering::Greater => Err(Error::Damaged {
                path: path.into(),
                problem: format!(
                    "there {} {found} {}, but the header declares {declared}",
                    verb(found, "is", "are"),
                    verb(found, "entry", "entries")
                ),
            }),
        }
    }

    /// Refuses fewer bytes than the declared number of entries takes at the least.
    fn check_bytes(&self, path: &Path, declared: u128, each: u128) -> Result<()> {
        // The last line may lack its end.
        if declared.saturating_mul(each) > self.body.len() as u128 + 1 {
            let problem = format!("the header declares {declared} entries, {} bytes follow", self.body.len());
            return Err(Error::Truncated { path: path.into(), problem });
        }
        Ok(())
    }

    fn coordinate(&self, path: &Path, options: &ReadOptions) -> Result<Rows> {
        let limit = options.max_memory;
        self.check_bytes(path, self.entries.into(), if self.pattern { 4 } else { 6 })?;
        let mirrored = if self.symmetry == Symmetry::General { 1 } else { 2 };
        let needed = u128::from(self.entries) * 16 * mirrored;
        if needed > u128::from(limit) {
            return Err(too_large(path, "the matrix", needed, limit));
        }
        let shape = sparse::check_shape(path, self.nrows, self.ncols, self.entries as usize)?;
        let pieces = pieces(self.body, PIECE, self.line);
        // An entry takes a few bytes at the least, whatever the number of lines.
        let room: Vec<usize> = pieces.iter().map(|p| p.lines.min(p.text.len() / 4 + 1)).collect();
        let total = room.iter().sum();
        let (mut columns, mut values) = (vec![0u32; total], vec![0.0; total]);
        let places = shares(&mut columns, &room).into_iter().zip(shares(&mut values, &room));
        let mut cursors = pieces.into_iter().zip(places).map(|(piece, (columns, values))| Cursor::new(piece, columns, values));
        let mut pairs = vec![];
        while let Some(first) = cursors.next() {
            pairs.push((first, cursors.next()));
        }
        let parts = each_piece(pairs, |(mut first, mut second)| {
            self.read_both(path, &mut first, second.as_mut(), options.missing);
            [Some(first.outcome), second.map(|s| s.outcome)]
        });
        let parts = parts.into_iter().flatten().flatten().collect::<Result<Vec<Runs>>>()?;
        self.check_count(path, parts.iter().map(|p| p.entries).sum(), self.entries.into())?;
        close_gaps(&mut columns, &room, parts.iter().map(|p| p.entries));
        close_gaps(&mut values, &room, parts.iter().map(|p| p.entries));
        let runs = || parts.iter().flat_map(|p| p.runs.iter().copied());
        if self.symmetry == Symmetry::General && runs().is_sorted_by_key(|(row, _)| row) {
            return Ok(sparse::from_runs(shape, runs(), columns, values)?.into());
        }
        let mut rows = vec![0u32; values.len()];
        let own = shares(&mut rows, &parts.iter().map(|p| p.entries).collect::<Vec<_>>());
        own.into_par_iter().zip(&parts).for_each(|(rows, part)| {
            let expanded = part.runs.iter().flat_map(|&(row, count)| std::iter::repeat_n(row, count as usize));
            rows.iter_mut().zip(expanded).for_each(|(to, row)| *to = row);
        });
        drop(parts);
        let mut all = Entries { rows, columns, values };
        if self.symmetry != Symmetry::General {
            all.mirror(path, self.symmetry)?;
        }
        Ok(sparse::from_entries(path, shape, all.rows, all.columns, all.values)?.into())
    }

    /// Two pieces at once, a line of one and a line of the other: where a line ends is known only when it has been read,
    /// and while the processor waits for that of one it reads the other.
    fn read_both(&self, path: &Path, first: &mut Cursor, second: Option<&mut Cursor>, missing: Missing) {
        if let Some(second) = second {
            self.plain_lines(first, second);
            while self.step(path, first, missing) & self.step(path, second, missing) {
                self.plain_lines(first, second);
            }
            while self.step(path, second, missing) {}
        }
        while self.step(path, first, missing) {}
    }

    /// Plain lines of both, until one of them is something else: nearly all of a file, and so without looking elsewhere.
    fn plain_lines(&self, first: &mut Cursor, second: &mut Cursor) {
        let (Ok(found), Ok(other)) = (&mut first.outcome, &mut second.outcome) else { return };
        let (mut at, mut count, mut last) = (first.at, found.entries, found.take());
        let (mut other_at, mut other_count, mut other_last) = (second.at, other.entries, other.take());
        while let (Some((entry, end)), Some((other_entry, other_end))) =
            (self.plain_entry(first.text, at), self.plain_entry(second.text, other_at))
            && first.text.get(end) == Some(&b'\n')
            && second.text.get(other_end) == Some(&b'\n')
            && let (Some(column), Some(value)) = (first.columns.get_mut(count), first.values.get_mut(count))
            && let (Some(other_column), Some(other_value)) =
                (second.columns.get_mut(other_count), second.values.get_mut(other_count))
        {
            (*column, *value, at, count) = (entry.1, entry.2, end + 1, count + 1);
            (*other_column, *other_value, other_at, other_count) = (other_entry.1, other_entry.2, other_end + 1, other_count + 1);
            found.extend(&mut last, entry.0);
            other.extend(&mut other_last, other_entry.0);
        }
        first.line += (count - found.entries) as u64;
        second.line += (other_count - other.entries) as u64;
        (first.at, found.entries) = (at, count);
        (second.at, other.entries) = (other_at, other_count);
        found.runs.extend(last);
        other.runs.extend(other_last);
    }

    /// Reads a line and writes its entry to its place. False at the end, or after an error.
    #[inline(always)]
    fn step(&self, path: &Path, cursor: &mut Cursor, missing: Missing) -> bool {
        let (Some(&byte), Ok(found)) = (cursor.text.get(cursor.at), &mut cursor.outcome) else { return false };
        if let Some((entry, end)) = self.plain_entry(cursor.text, cursor.at)
            && let (Some(column), Some(value)) = (cursor.columns.get_mut(found.entries), cursor.values.get_mut(found.entries))
        {
            (*column, *value) = (entry.1, entry.2);
            found.note(entry.0);
            let ended = cursor.text.get(end) == Some(&b'\n');
            cursor.line += u64::from(ended);
            cursor.at = end + usize::from(ended);
            return true;
        }
        if matches!(byte, b'\n' | b'\r') {
            cursor.line += u64::from(byte == b'\n');
            cursor.at += 1;
            return true;
        }
        let done = self.careful_step(path, cursor, missing);
        if let Err(error) = done {
            cursor.outcome = Err(error);
            return false;
        }
        true
    }

    #[cold]
    fn careful_step(&self, path: &Path, cursor: &mut Cursor, missing: Missing) -> Result<()> {
        let (text, line) = (&cursor.text[cursor.at..], cursor.line);
        let length = memchr::memchr2(b'\n', b'\r', text).unwrap_or(text.len());
        let entry = self.careful_entry(path, line, &text[..length], missing)?;
        cursor.at += length;
        let (Some((row, j, v)), Ok(found)) = (entry, &mut cursor.outcome) else { return Ok(()) };
        let (Some(column), Some(value)) = (cursor.columns.get_mut(found.entries), cursor.values.get_mut(found.entries)) else {
            let problem = format!("line {line} is one more than were counted");
            return Err(Error::Damaged { path: path.into(), problem });
        };
        (*column, *value) = (j, v);
        found.note(row);
        Ok(())
    }

    /// The entry of a line; none if it is a comment.
    fn careful_entry(&self, path: &Path, line: u64, text: &[u8], missing: Missing) -> Result<Option<(u32, u32, f64)>> {
        let mut words = text.split(u8::is_ascii_whitespace).filter(|w| !w.is_empty());
        let Some(first) = words.next().filter(|word| word[0] != b'%') else { return Ok(None) };
        let bad = |problem: String| Error::BadLine { path: path.into(), line, problem };
        let place = |word: Option<&[u8]>, size: u64, what: &str| match word.and_then(integer) {
            Some(at) if (1..=size).contains(&at) => Ok((at - 1) as u32),
            _ => Err(bad(format!("\"{}\" is not a {what} from 1 to {size}", excerpt(word.unwrap_or_default())))),
        };
        let row = place(Some(first), self.nrows, "row")?;
        let column = place(words.next(), self.ncols, "column")?;
        let value = if self.pattern { 1.0 } else { value(path, line, words.next().unwrap_or_default(), missing)? };
        match words.next() {
            Some(_) => Err(bad(format!("\"{}\" has more than one entry", excerpt(text)))),
            None => Ok(Some((row, column, value))),
        }
    }

    /// Two numbers within the matrix and a value with a space between: nearly every line. Others go the careful way.
    #[inline(always)]
    fn plain_entry(&self, text: &[u8], at: usize) -> Option<((u32, u32, f64), usize)> {
        let (i, j, value, end) = match (!self.pattern).then(|| three_wholes(text, at)).flatten() {
            Some(([i, j, value], [one, two, end])) if text[one] == b' ' && text[two] == b' ' => {
                let (value, end) = if text[end] == b'\n' { (value as f64, end) } else { number_at(text, two + 1)? };
                (i, j, value, end)
            }
            _ => {
                let (i, end) = whole_at(text, at)?;
                let (j, end) = whole_at(text, after_space(text, end)?)?;
                let (value, end) = if self.pattern { (1.0, end) } else { number_at(text, after_space(text, end)?)? };
                (i, j, value, end)
            }
        };
        if i == 0 || j == 0 || i > self.nrows || j > self.ncols {
            return None;
        }
        let ended = matches!(text.get(end), None | Some(b'\n' | b'\r'));
        ended.then_some((((i - 1) as u32, (j - 1) as u32, value), end))
    }

    fn array(&self, path: &Path, options: &ReadOptions) -> Result<Rows> {
        let limit = options.max_memory;
        let (n, p) = (u128::from(self.nrows), u128::from(self.ncols));
        let declared = match self.symmetry {
            Symmetry::General => n * p,
            Symmetry::Symmetric => n * (n + 1) / 2,
            Symmetry::Skew => n * (n - 1) / 2,
        };
        self.check_bytes(path, declared, 2)?;
        if n * p * 8 > u128::from(limit) {
            return Err(too_large(path, "the matrix", n * p * 8, limit));
        }
        let parts = parse_pieces(self.body, PIECE, self.line, |bytes, first_line| -> Result<Vec<f64>> {
            let mut values = vec![];
            for (line, text) in lines(bytes, first_line) {
                if text.first() == Some(&b'%') {
                    continue;
                }
                for word in text.split(u8::is_ascii_whitespace).filter(|w| !w.is_empty()) {
                    values.push(value(path, line, word, options.missing)?);
                }
            }
            Ok(values)
        });
        let mut values = vec![];
        for part in parts {
            values.extend(part?);
        }
        self.check_count(path, values.len(), declared)?;
        let (n, p) = (self.nrows as usize, self.ncols as usize);
        // Columns one after the other; a symmetric file leaves out what lies above the diagonal, a skew one
        // also the diagonal.
        let below = usize::from(self.symmetry == Symmetry::Skew);
        let mut m = Matrix::zeros(n, p);
        let mut next = values.into_iter();
        for j in 0..p {
            let first = if self.symmetry == Symmetry::General { 0 } else { j + below };
            for (i, v) in (first..n).zip(next.by_ref()) {
                m[(i, j)] = v;
                match self.symmetry {
                    Symmetry::General => {}
                    Symmetry::Symmetric => m[(j, i)] = v,
                    Symmetry::Skew => m[(j, i)] = -v,
                }
            }
        }
        Ok(m.into())
    }
}

/// A piece on its way to its place.
struct Cursor<'a> {
    text: &'a [u8],
    at: usize,
    line: u64,
    columns: &'a mut [u32],
    values: &'a mut [f64],
    outcome: Result<Runs>,
}

impl<'a> Cursor<'a> {
    fn new(piece: Piece<'a>, columns: &'a mut [u32], values: &'a mut [f64]) -> Self {
        Self { text: piece.text, at: 0, line: piece.line, columns, values, outcome: Ok(Runs::default()) }
    }
}

/// Rows of entries, one after the other: a row and how many entries it has there.
#[derive(Default)]
struct Runs {
    entries: usize,
    runs: Vec<(u32, u32)>,
}

impl Runs {
    fn note(&mut self, row: u32) {
        self.entries += 1;
        let mut last = self.take();
        self.extend(&mut last, row);
        self.runs.extend(last);
    }
    /// The run that may go on.
    fn take(&mut self) -> Option<(u32, u32)> {
        self.runs.pop()
    }
    /// One more entry of a row: of the last run, or of a new one.
    #[inline(always)]
    fn extend(&mut self, last: &mut Option<(u32, u32)>, row: u32) {
        match last {
            Some((same, count)) if *same == row && *count < u32::MAX => *count += 1,
            _ => self.runs.extend(last.replace((row, 1))),
        }
    }
}

struct Entries {
    rows: Vec<u32>,
    columns: Vec<u32>,
    values: Vec<f64>,
}

impl Entries {
    /// Adds the other triangle.
    fn mirror(&mut self, path: &Path, symmetry: Symmetry) -> Result<()> {
        let damaged = |problem: &str| Error::Damaged { path: path.into(), problem: problem.into() };
        let (mut lower, mut upper) = (false, false);
        for at in 0..self.values.len() {
            let (i, j, v) = (self.rows[at], self.columns[at], self.values[at]);
            (lower, upper) = (lower | (i > j), upper | (i < j));
            if i == j {
                if symmetry == Symmetry::Skew {
                    return Err(damaged("a skew-symmetric matrix has an entry on its diagonal"));
                }
                continue;
            }
            self.rows.push(j);
            self.columns.push(i);
            self.values.push(if symmetry == Symmetry::Skew { -v } else { v });
        }
        if lower && upper {
            return Err(damaged("it is symmetric, but stores entries of both triangles"));
        }
        Ok(())
    }
}

fn value(path: &Path, line: u64, word: &[u8], missing: Missing) -> Result<f64> {
    match cell(word) {
        Cell::Number(value) => Ok(value),
        Cell::Missing if missing != Missing::Error && !word.is_empty() => Ok(f64::NAN),
        Cell::Missing => Err(Error::Missing { path: path.into(), line, column: "\"value\"".into(), value: excerpt(word) }),
        Cell::Text => Err(Error::NotANumber { path: path.into(), line, column: "\"value\"".into(), value: excerpt(word) }),
    }
}

#[inline]
fn after_space(text: &[u8], at: usize) -> Option<usize> {
    (text.get(at) == Some(&b' ')).then_some(at + 1)
}

/// Digits only.
fn integer(word: &[u8]) -> Option<u64> {
    if word.is_empty() {
        return None;
    }
    word.iter().try_fold(0u64, |n, &b| match b {
        b'0'..=b'9' => n.checked_mul(10)?.checked_add(u64::from(b - b'0')),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Rows> {
        let input = Input::from_bytes(Path::new("a.mtx"), text.into(), 1 << 20)?;
        Ok(Mtx.read(input, &ReadOptions { max_memory: 1 << 20, ..Default::default() })?.rows)
    }
    fn dense(text: &str) -> Vec<f64> {
        match read(text).unwrap() {
            Rows::Sparse(m) => m.to_dense().into_vec(),
            Rows::F64(m) => m.into_vec(),
            Rows::F32(_) => panic!("mtx has no single precision"),
        }
    }
    fn message(text: &str) -> String {
        read(text).unwrap_err().to_string()
    }

    #[test]
    fn every_kind_of_file_gives_its_matrix() {
        let head = "%%MatrixMarket matrix coordinate";
        assert_eq!(dense(&format!("{head} real general\n% note\n\n2 3 2\n1 3 -2.5e0\r\n2 1 4")), [0.0, 0.0, -2.5, 4.0, 0.0, 0.0]);
        assert_eq!(dense(&format!("{head} pattern general\n2 2 2\n1 2\n2 2\n")), [0.0, 1.0, 0.0, 1.0]);
        assert_eq!(dense(&format!("{head} integer symmetric\n2 2 2\n1 1 3\n2 1 7\n")), [3.0, 7.0, 7.0, 0.0]);
        assert_eq!(dense(&format!("{head} Real Skew-Symmetric\n2 2 1\n2 1 7\n")), [0.0, -7.0, 7.0, 0.0]);
        assert_eq!(dense(&format!("{head} real general\n1 1 2\n1 1 1\n1 1 2\n")), [3.0]);
        let head = "%%matrixmarket MATRIX array";
        assert_eq!(dense(&format!("{head} real general\n2 3\n1\n2\n3\n4\n5\n6\n")), [1.0, 3.0, 5.0, 2.0, 4.0, 6.0]);
        assert_eq!(dense(&format!("{head} real symmetric\n2 2\n1\n2\n3\n")), [1.0, 2.0, 2.0, 3.0]);
        assert_eq!(
            dense(&format!("{head} integer skew-symmetric\n3 3\n1\n2\n3\n")),
            [0.0, -1.0, -2.0, 1.0, 0.0, -3.0, 2.0, 3.0, 0.0]
        );
    }

    #[test]
    fn what_does_not_fit_is_named_with_its_line() {
        let head = "%%MatrixMarket matrix coordinate real general";
        assert_eq!(message(&format!("{head}\n2 2 1\n3 1 1\n")), "a.mtx line 3: \"3\" is not a row from 1 to 2");
        assert_eq!(message(&format!("{head}\n%\n2 2 1\n1 0 1\n")), "a.mtx line 4: \"0\" is not a column from 1 to 2");
        assert_eq!(message(&format!("{head}\n2 2 1\n1 1 x\n")), "a.mtx line 3, column \"value\": \"x\" is not a number");
        assert_eq!(
            message(&format!("{head}\n2 2 1\n1 1 nan\n")),
            "a.mtx line 3, column \"value\": the value is missing (\"nan\")"
        );
        assert_eq!(message(&format!("{head}\n2 2 1\n1 1 1 1\n")), "a.mtx line 3: \"1 1 1 1\" has more than one entry");
        assert_eq!(message(&format!("{head}\n2 2\n")), "a.mtx line 2: \"2 2\" is not a size line");
        assert_eq!(message(&format!("{head}\n2 2 2\n1 1 1000000\n")), "a.mtx: the file is cut off: 1 of 2 entries");
        assert!(message(&format!("{head}\n2 2 1\n1 1 1\n1 2 1\n")).contains("there are 2 entries, but the header declares 1"));
        assert!(
            message("%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 1 1\n")
                .contains("\"complex\" values cannot be read")
        );
        assert!(message("%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 2 1\n2 1 1\n").contains("both triangles"));
        assert!(message("1,2,3\n").contains("not %%MatrixMarket"));
        assert!(matches!(read(head), Err(Error::Truncated { .. })));
    }

    #[test]
    fn sizes_that_the_file_cannot_fill_are_refused() {
        let big = 1u64 << 60;
        for body in [
            format!("{big} {big} {big}\n"),
            format!("{big} 1 1\n1 1 1\n"),
            format!("1 {big} 1\n1 1 1\n"),
            format!("1 1 {big}\n1 1 1\n"),
        ] {
            let text = format!("%%MatrixMarket matrix coordinate real general\n{body}");
            assert!(matches!(read(&text), Err(Error::Truncated { .. } | Error::Damaged { .. })), "{body}");
        }
        for symmetry in ["general", "symmetric", "skew-symmetric"] {
            let text = format!("%%MatrixMarket matrix array real {symmetry}\n{big} {big}\n1\n");
            assert!(matches!(read(&text), Err(Error::Truncated { .. })), "{symmetry}");
        }
        let overflow = format!("%%MatrixMarket matrix array real general\n{}{big} {big}\n1\n", 9);
        assert!(matches!(read(&overflow), Err(Error::BadLine { .. } | Error::Truncated { .. })));
    }

    #[test]
    fn line_numbers_survive_parallel_pieces() {
        let mut text = "%%MatrixMarket matrix coordinate real general\n9 9 300001\n".to_string();
        for k in 0..300_000 {
            text.push_str(&format!("{} {} 0.5\n", k % 9 + 1, k % 7 + 1));
        }
        text.push_str("1 1 oops\n");
        assert!(text.len() > 2 * PIECE);
        let input = Input::from_bytes(Path::new("a.mtx"), text.clone().into(), 1 << 30).unwrap();
        let error = Mtx.read(input, &ReadOptions::default()).unwrap_err().to_string();
        assert!(error.starts_with("a.mtx line 300003,"), "{error}");
        assert_eq!(crate::text::count_newlines(text.as_bytes()), 300_003);
    }
}
