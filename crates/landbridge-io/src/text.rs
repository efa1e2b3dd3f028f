//! Small things that the text formats share: numbers, chunks, lines.

use std::io::Write;
use std::ops::Range;

use rayon::prelude::*;

/// A cell as a number.
pub(crate) enum Cell {
    Number(f64),
    Missing,
    Text,
}

/// Words that stand for a missing value, beside the empty cell.
const MISSING: [&str; 5] = ["na", "n/a", "nan", "null", "none"];

/// Powers of ten that a double holds exactly.
const TENS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21,
    1e22,
];

/// A plain decimal number whose digits fit a double exactly: then one multiplication or division by an exact power of
/// ten rounds once, as it must. None leaves the cell to the careful way.
#[inline]
fn short_number(bytes: &[u8]) -> Option<f64> {
    let (negative, digits) = match bytes.split_first()? {
        (b'-', rest) => (true, rest),
        _ => (false, bytes),
    };
    let (mut mantissa, mut seen, mut point) = (0u64, 0u32, None);
    for &byte in digits {
        let digit = byte.wrapping_sub(b'0');
        if digit < 10 {
            mantissa = mantissa.wrapping_mul(10).wrapping_add(u64::from(digit));
            seen += 1;
        } else if byte == b'.' && point.is_none() {
            point = Some(seen);
        } else {
            return None;
        }
    }
    // 19 digits do not overflow; more than 2^53 would be rounded twice.
    if seen == 0 || seen > 19 || mantissa > 1 << 53 {
        return None;
    }
    let value = mantissa as f64 / TENS[(seen - point.unwrap_or(seen)) as usize];
    Some(if negative { -value } else { value })
}

/// Reads a cell; spaces around a number do not count.
#[inline]
pub(crate) fn cell(bytes: &[u8]) -> Cell {
    match short_number(bytes) {
        Some(value) => Cell::Number(value),
        None => long_cell(bytes),
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

/// At most this much of a value is repeated in a message.
pub(crate) fn excerpt(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    match text.char_indices().nth(60) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.into_owned(),
    }
}

/// Names for a message: quoted, the first twenty of them.
pub(crate) fn listed<S: AsRef<str>>(names: &[S]) -> String {
    let mut text =
        names.iter().take(20).map(|n| format!("\"{}\"", excerpt(n.as_ref().as_bytes()))).collect::<Vec<_>>().join(", ");
    if names.len() > 20 {
        text.push_str(&format!(" and {} more", names.len() - 20));
    }
    text
}

pub(crate) fn count_newlines(bytes: &[u8]) -> u64 {
    // Short runs of bytes sum without overflow, which the compiler turns into vector instructions.
    bytes.chunks(255).map(|c| u64::from(c.iter().map(|&b| u8::from(b == b'\n')).sum::<u8>())).sum()
}

/// Pieces of about `size` bytes that end at the end of a line, with the number of the line each begins in
/// (`first_line` for the first).
fn line_chunks(bytes: &[u8], size: usize, first_line: u64) -> Vec<(Range<usize>, u64)> {
    let (mut chunks, mut start, mut line) = (vec![], 0, first_line);
    while start < bytes.len() {
        let probe = (start + size).min(bytes.len());
        let end = bytes[probe..].iter().position(|&b| b == b'\n').map_or(bytes.len(), |at| probe + at + 1);
        chunks.push((start..end, line));
        line += count_newlines(&bytes[start..end]);
        start = end;
    }
    chunks
}

/// Bytes that one thread parses at a time.
pub(crate) const PIECE: usize = 1 << 20;

/// Parses pieces of lines in parallel; the results come in order. A single piece stays on this thread: waking
/// others takes longer than a small file.
pub(crate) fn parse_pieces<'a, T: Send>(
    bytes: &'a [u8],
    size: usize,
    first_line: u64,
    parse: impl Fn(&'a [u8], u64) -> T + Sync,
) -> Vec<T> {
    let pieces = line_chunks(bytes, size, first_line);
    let each = |(range, line): (Range<usize>, u64)| parse(&bytes[range], line);
    if pieces.len() == 1 {
        return pieces.into_iter().map(each).collect();
    }
    pieces.into_par_iter().map(each).collect()
}

/// Lines with their numbers, without their ends. `\r` ends a line, too; empty lines are left out.
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
            for (range, line) in line_chunks(text, size, 5) {
                found.extend(lines(&text[range], line).map(|(n, l)| (n, l.to_vec())));
            }
            let expected: Vec<(u64, Vec<u8>)> =
                vec![(5, b"a".to_vec()), (6, b"bb".to_vec()), (8, b"ccc".to_vec()), (9, b"d".to_vec())];
            assert_eq!(found, expected, "pieces of {size}");
        }
    }

    #[test]
    fn short_numbers_are_what_the_careful_way_says() {
        let mut state = 1u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            state >> 20
        };
        let mut short = 0;
        for _ in 0..200_000 {
            let (digits, places) = (next() % 10u64.pow(1 + (next() % 13) as u32), next() % 20);
            let sign = if next() % 2 == 0 { "" } else { "-" };
            let mut text = format!("{digits:0width$}", width = places as usize + 1);
            text.insert(text.len() - places as usize, '.');
            let text = format!("{sign}{text}");
            let expected: f64 = text.parse().unwrap();
            if let Some(value) = short_number(text.as_bytes()) {
                assert_eq!(value.to_bits(), expected.to_bits(), "{text}");
                short += 1;
            }
            assert!(matches!(cell(text.as_bytes()), Cell::Number(v) if v.to_bits() == expected.to_bits()), "{text}");
        }
        assert!(short > 100_000, "{short}");
        for (text, value) in [("0", 0.0), ("-0", -0.0), ("9007199254740992", 9007199254740992.0), ("5.", 5.0), (".5", 0.5)] {
            assert_eq!(short_number(text.as_bytes()).unwrap().to_bits(), f64::to_bits(value), "{text}");
        }
        for text in ["", "-", ".", "+1", "1e3", "1.2.3", "9007199254740993", "99999999999999999999", "1 ", "nan"] {
            assert!(short_number(text.as_bytes()).is_none(), "{text}");
        }
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
