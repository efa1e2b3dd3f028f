//! Small things that the text formats share: numbers, chunks, lines.

use std::io::Write;

use rayon::prelude::*;

use crate::number::number_at;

/// A cell as a number.
pub(crate) enum Cell {
    Number(f64),
    Missing,
    Text,
}

/// Words that stand for a missing value, beside the empty cell.
const MISSING: [&str; 5] = ["na", "n/a", "nan", "null", "none"];

/// Reads a cell; spaces around a number do not count.
#[inline]
pub(crate) fn cell(bytes: &[u8]) -> Cell {
    match number_at(bytes, 0) {
        Some((value, end)) if end == bytes.len() => Cell::Number(value),
        _ => long_cell(bytes),
    }
}

fn long_cell(bytes: &[u8]) -> Cell {
    let Ok(text) = std::str::from_utf8(bytes.trim_ascii()) else {
        return Cell::Text;
    };
    match text.parse::<f64>() {
        Ok(value) if value.is_nan() => Cell::Missing,
        Ok(value) => Cell::Number(value),
        Err(_) if text.is_empty() || MISSING.iter().any(|m| m.eq_ignore_ascii_case(text)) => Cell::Missing,
        Err(_) => Cell::Text,
    }
}

/// Reads a cell whose decimals follow a comma. A point does not belong to a number there: it may separate thousands.
pub(crate) fn comma_cell(bytes: &[u8]) -> Cell {
    match cell(bytes) {
        Cell::Number(_) if bytes.contains(&b'.') => Cell::Text,
        Cell::Text if !bytes.contains(&b'.') && bytes.contains(&b',') => {
            cell(&bytes.iter().map(|b| if *b == b',' { b'.' } else { *b }).collect::<Vec<u8>>())
        }
        found => found,
    }
}

/// At most this much of a value is repeated in a message.
pub(crate) fn excerpt(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    match text.char_indices().nth(60) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.into_owned(),
    }
}

/// Names for a message: quoted, the first twenty of them; "none" where there is no name.
pub(crate) fn listed<S: AsRef<str>>(names: &[S]) -> String {
    if names.is_empty() {
        return "none".into();
    }
    let mut text =
        names.iter().take(20).map(|n| format!("\"{}\"", excerpt(n.as_ref().as_bytes()))).collect::<Vec<_>>().join(", ");
    if names.len() > 20 {
        text.push_str(&format!(" and {} more", names.len() - 20));
    }
    text
}

/// "1 cell", "2 cells".
pub(crate) fn counted(n: usize, word: &str) -> String {
    format!("{n} {word}{}", if n == 1 { "" } else { "s" })
}

/// The form of a verb that goes with a number.
pub(crate) fn verb<'a>(n: usize, one: &'a str, several: &'a str) -> &'a str {
    if n == 1 { one } else { several }
}

pub(crate) fn count_newlines(bytes: &[u8]) -> u64 {
    memchr::memchr_iter(b'\n', bytes).count() as u64
}

/// Some whole lines of a text.
pub(crate) struct Piece<'a> {
    pub(crate) text: &'a [u8],
    /// The number of the first line.
    pub(crate) line: u64,
    /// How many lines there are, empty ones too: `\r` without `\n` ends a line, but has no number of its own.
    pub(crate) lines: usize,
}

/// Pieces of about `size` bytes that end at the end of a line (`\n`), the first of which begins in `first_line`.
/// Lines are counted in parallel, unless there is one piece only.
pub(crate) fn pieces<'a>(bytes: &'a [u8], size: usize, first_line: u64) -> Vec<Piece<'a>> {
    let mut rest = bytes;
    let mut texts = vec![];
    while !rest.is_empty() {
        let probe = size.min(rest.len());
        let end = memchr::memchr(b'\n', &rest[probe..]).map_or(rest.len(), |at| probe + at + 1);
        texts.push(&rest[..end]);
        rest = &rest[end..];
    }
    let counted = |text: &&[u8]| (count_newlines(text), lone_returns(text));
    let counts: Vec<(u64, usize)> = match texts.len() {
        1 => texts.iter().map(counted).collect(),
        _ => texts.par_iter().map(counted).collect(),
    };
    let mut line = first_line;
    let each = |(text, (newlines, returns)): (&'a [u8], (u64, usize))| {
        let unended = usize::from(!matches!(text.last(), Some(b'\n' | b'\r')));
        let piece = Piece { text, line, lines: newlines as usize + returns + unended };
        line += newlines;
        piece
    };
    texts.into_iter().zip(counts).map(each).collect()
}

fn lone_returns(text: &[u8]) -> usize {
    memchr::memchr_iter(b'\r', text).filter(|at| text.get(at + 1) != Some(&b'\n')).count()
}

/// Bytes that one thread parses at a time.
pub(crate) const PIECE: usize = 1 << 19;

/// In parallel, results in order. A single piece stays on this thread: waking others takes longer than a small file.
pub(crate) fn each_piece<P: Send, T: Send>(pieces: Vec<P>, parse: impl Fn(P) -> T + Send + Sync) -> Vec<T> {
    match pieces.len() {
        1 => pieces.into_iter().map(parse).collect(),
        _ => pieces.into_par_iter().map(parse).collect(),
    }
}

/// Parses pieces of lines in parallel; the results come in order.
pub(crate) fn parse_pieces<'a, T: Send>(
    bytes: &'a [u8],
    size: usize,
    first_line: u64,
    parse: impl Fn(&'a [u8], u64) -> T + Send + Sync,
) -> Vec<T> {
    each_piece(pieces(bytes, size, first_line), |piece| parse(piece.text, piece.line))
}

/// Splits an array into parts of the given lengths, which must not add up to more than it has.
pub(crate) fn shares<'a, T>(mut rest: &'a mut [T], lengths: &[usize]) -> Vec<&'a mut [T]> {
    let mut found = Vec::with_capacity(lengths.len());
    for &length in lengths {
        let (share, others) = rest.split_at_mut(length.min(rest.len()));
        found.push(share);
        rest = others;
    }
    found
}

/// Moves the parts of an array together: of each, the first `filled` items are kept.
pub(crate) fn close_gaps<T: Copy>(items: &mut Vec<T>, lengths: &[usize], filled: impl Iterator<Item = usize>) {
    let (mut from, mut to) = (0, 0);
    for (&length, filled) in lengths.iter().zip(filled) {
        if from != to {
            items.copy_within(from..from + filled, to);
        }
        (from, to) = (from + length, to + filled);
    }
    items.truncate(to);
}

/// Lines with their numbers, without their ends. `\r` also ends a line. Empty lines are left out.
pub(crate) fn lines(bytes: &[u8], first_line: u64) -> Lines<'_> {
    Lines { rest: bytes, line: first_line }
}

pub(crate) struct Lines<'a> {
    rest: &'a [u8],
    line: u64,
}

impl<'a> Iterator for Lines<'a> {
    type Item = (u64, &'a [u8]);
    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        while !self.rest.is_empty() {
            let end = memchr::memchr2(b'\n', b'\r', self.rest).unwrap_or(self.rest.len());
            let (text, number) = (&self.rest[..end], self.line);
            self.line += u64::from(self.rest.get(end) == Some(&b'\n'));
            self.rest = &self.rest[(end + 1).min(self.rest.len())..];
            if !text.is_empty() {
                return Some((number, text));
            }
        }
        None
    }
}

/// The cells of a line without quotes.
pub(crate) fn cells(line: &[u8], delimiter: u8) -> impl Iterator<Item = &[u8]> {
    let mut start = 0;
    memchr::memchr_iter(delimiter, line).chain([line.len()]).map(move |end| {
        let cell = &line[start..end];
        start = end + 1;
        cell
    })
}

/// The shortest text that reads back as the same number.
pub(crate) fn write_number(buffer: &mut Vec<u8>, value: impl std::fmt::Debug) {
    write!(buffer, "{value:?}").expect("writing to memory");
    if buffer.ends_with(b".0") {
        buffer.truncate(buffer.len() - 2);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_cover_all_lines_and_know_their_numbers() {
        let text = b"a\nbb\n\nccc\r\nd";
        for size in 1..20 {
            let mut found = vec![];
            for piece in pieces(text, size, 5) {
                let before = found.len();
                found.extend(lines(piece.text, piece.line).map(|(n, l)| (n, l.to_vec())));
                assert!(found.len() - before <= piece.lines);
            }
            let expected: Vec<(u64, Vec<u8>)> =
                vec![(5, b"a".to_vec()), (6, b"bb".to_vec()), (8, b"ccc".to_vec()), (9, b"d".to_vec())];
            assert_eq!(found, expected, "pieces of {size}");
        }
    }

    #[test]
    fn lines_are_counted_however_they_end() {
        for (text, count) in [("a\nb\n", 2), ("a\r\nb", 2), ("a\rb\r", 2), ("a\r\r\nb\n", 3), ("\n\n", 2), ("a", 1)] {
            assert_eq!(pieces(text.as_bytes(), 100, 1)[0].lines, count, "{text:?}");
        }
        let mut items = vec![1, 2, 0, 3, 0, 0, 4, 5];
        close_gaps(&mut items, &[3, 3, 2], [2, 1, 2].into_iter());
        assert_eq!(items, [1, 2, 3, 4, 5]);
    }

    #[test]
    fn numbers_are_written_short_and_read_back_the_same() {
        for value in [0.0, -0.0, 1.0, -3.0, 0.1, 1e300, 5e-324, f64::MAX, 1.0 / 3.0] {
            let mut text = vec![];
            write_number(&mut text, value);
            let back: f64 = std::str::from_utf8(&text).unwrap().parse().unwrap();
            assert_eq!(back.to_bits(), value.to_bits());
            assert!(text.len() <= 24);
        }
    }
}
