//! Matrix Market in pieces: coordinate files whose entries are sorted by rows.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use super::{Head, Symmetry};
use crate::error::{Error, Result};
use crate::format::{Format, Loaded};
use crate::options::ReadOptions;
use crate::pieces::{Taker, piece_rows};
use crate::source::{CHUNK, Input, read_error, too_large};
use crate::sparse;

/// Hands on as many rows at a time as have some eight million places or values, as they are on the average.
pub(crate) fn mtx_pieces(path: &Path, _: &'static dyn Format, options: &ReadOptions, taker: &mut Taker<'_>) -> Result<()> {
    let (_, reader, _) = Input::open(path, options.max_memory)?.into_reader();
    let mut lines = Lines { path, reader: BufReader::with_capacity(CHUNK, reader), line: vec![], number: 0 };
    let mut beginning = vec![];
    // The banner, comments, the size line.
    while lines.next()? {
        beginning.extend_from_slice(&lines.line);
        let text = lines.line.trim_ascii();
        if lines.number > 1 && !text.is_empty() && text[0] != b'%' {
            break;
        }
        if beginning.len() > CHUNK {
            return Err(Error::Damaged { path: path.into(), problem: "there is no size line in the first megabyte".into() });
        }
    }
    let head = Head::parse(path, &beginning)?;
    let no = |why: &str| Error::NotInPieces { path: path.into(), why: why.into() };
    if !head.coordinate {
        return Err(no("a dense Matrix Market file is stored column by column"));
    }
    if head.symmetry != Symmetry::General {
        return Err(no("half of a symmetric matrix stands elsewhere in the file"));
    }
    let entries = usize::try_from(head.entries).unwrap_or(usize::MAX);
    let (nrows, ncols) = sparse::check_shape(path, head.nrows, head.ncols, entries)?;
    let step = piece_rows(2 * entries / nrows);
    let (mut found, mut held, mut last) = (0u64, None, 0u32);
    for start in (0..nrows).step_by(step) {
        let count = step.min(nrows - start);
        let wanted = taker.wants();
        let (mut rows, mut columns, mut values) = (vec![], vec![], vec![]);
        loop {
            let (row, column, value) = match held.take() {
                Some(entry) => entry,
                None => {
                    if !lines.next()? {
                        break;
                    }
                    let text = lines.line.trim_ascii_end();
                    let entry = match head.plain_entry(text, 0) {
                        Some((entry, end)) if end == text.len() => Some(entry),
                        _ => head.careful_entry(path, lines.number, text, options.missing)?,
                    };
                    let Some(entry) = entry else { continue };
                    found += 1;
                    if entry.0 < last {
                        let (row, before, line) = (u64::from(entry.0) + 1, u64::from(last) + 1, lines.number);
                        let why = format!(
                            "it is not sorted by rows: row {row} follows row {before} in line {line}; sort it, or transpose it if it is sorted by columns"
                        );
                        return Err(no(&why));
                    }
                    last = entry.0;
                    entry
                }
            };
            if row as usize >= start + count {
                held = Some((row, column, value));
                break;
            }
            if wanted {
                rows.push(row - start as u32);
                columns.push(column);
                values.push(value);
                let bytes = 16 * rows.len() as u64;
                if bytes > options.max_memory {
                    return Err(too_large(path, "a piece of the matrix", bytes.into(), options.max_memory));
                }
            }
        }
        // What is missing at the end is said before the rows that lack it are handed on.
        if start + count == nrows {
            while held.is_none() && lines.next()? {
                found +=
                    u64::from(head.careful_entry(path, lines.number, lines.line.trim_ascii_end(), options.missing)?.is_some());
            }
            head.check_count(path, usize::try_from(found).unwrap_or(usize::MAX), head.entries.into())?;
        }
        if !wanted {
            taker.skip(count);
            continue;
        }
        let made = sparse::from_entries(path, (count, ncols), rows, columns, values);
        if !taker.give(count, made.map(|rows| Loaded::new(rows.into()))) {
            return Ok(());
        }
    }
    Ok(())
}

/// The lines of a file.
struct Lines<'a> {
    path: &'a Path,
    reader: BufReader<Box<dyn Read>>,
    /// The present one, with its end.
    line: Vec<u8>,
    /// From 1.
    number: u64,
}

impl Lines<'_> {
    /// Reads the next line; false at the end.
    fn next(&mut self) -> Result<bool> {
        self.line.clear();
        let most =
            (&mut self.reader).take(CHUNK as u64).read_until(b'\n', &mut self.line).map_err(|e| read_error(self.path, e))?;
        self.number += 1;
        if most == CHUNK {
            return Err(Error::BadLine { path: self.path.into(), line: self.number, problem: "a line of a megabyte".into() });
        }
        Ok(most > 0)
    }
}
