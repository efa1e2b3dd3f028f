//! NumPy arrays (`.npy`, versions 1 to 3): a small header, then raw numbers.
//!
//! The reader is our own because every declared size is compared with the bytes that are really there before
//! memory is taken, and because the same code reads the members of an npz archive.

use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;

use landbridge::data::Rows;
use landbridge::linalg::{Matrix, Scalar};

use crate::error::{Error, Result};
use crate::format::{Format, Loaded, Refusal, RowsRef, Table};
use crate::options::ReadOptions;
use crate::pieces::{opened, piece_rows};
use crate::source::{CHUNK, Input, read_error, read_up_to, too_large};

/// The `.npy` format. Half and single precision are read as f32, everything else (integers, booleans, double
/// precision) as f64; integers beyond 2^53 are rounded. A vector is read as one column.
pub struct Npy;

const MAGIC: &[u8; 6] = b"\x93NUMPY";
/// Longest header accepted; NumPy itself writes some hundred bytes.
const MAX_HEADER: usize = 1 << 20;

/// One array as stored.
pub(crate) struct Array {
    pub(crate) shape: Vec<usize>,
    pub(crate) values: Values,
}

/// The numbers of an array, in C order.
pub(crate) enum Values {
    F32(Vec<f32>),
    F64(Vec<f64>),
    /// Integers and booleans.
    Int(Vec<i64>),
    /// One text (0-dimensional array of `S` or `U`).
    Text(String),
}

impl Format for Npy {
    fn name(&self) -> &'static str {
        "npy"
    }
    fn extensions(&self) -> &'static [&'static str] {
        &["npy"]
    }
    fn read(&self, input: Input, options: &ReadOptions) -> Result<Loaded> {
        let limit = options.max_memory;
        let (path, mut reader, length) = input.into_reader();
        let array = read_array(&mut *reader, &path, length, limit)?;
        Ok(Loaded::new(into_rows(array, &path)?))
    }
    fn write(&self, sink: &mut dyn Write, table: &Table) -> std::io::Result<()> {
        match table.rows {
            RowsRef::F64(m) => {
                write_header(sink, "<f8", &[m.nrows(), m.ncols()])?;
                write_values(sink, m.as_slice(), f64::to_le_bytes)
            }
            RowsRef::F32(m) => {
                write_header(sink, "<f4", &[m.nrows(), m.ncols()])?;
                write_values(sink, m.as_slice(), f32::to_le_bytes)
            }
            RowsRef::Sparse(_) => Err(std::io::Error::other("npy files cannot hold sparse rows")),
        }
    }
    fn refuses(&self, table: &Table) -> Option<Refusal> {
        table.sparse_given().or(table.names_given())
    }
}

/// A one- or two-dimensional array as rows.
pub(crate) fn into_rows(array: Array, path: &Path) -> Result<Rows> {
    let (nrows, ncols) = match array.shape[..] {
        [n] => (n, 1),
        [n, p] => (n, p),
        _ => {
            return Err(Error::Unsupported { path: path.into(), what: format!("an array of {} dimensions", array.shape.len()) });
        }
    };
    if nrows == 0 || ncols == 0 {
        return Err(Error::NoData { path: path.into(), rows: nrows, columns: ncols });
    }
    Ok(match array.values {
        Values::F32(v) => Rows::F32(Matrix::from_vec(v, nrows, ncols)?),
        Values::F64(v) => Rows::F64(Matrix::from_vec(v, nrows, ncols)?),
        Values::Int(v) => Rows::F64(Matrix::from_vec(v.into_iter().map(|x| x as f64).collect(), nrows, ncols)?),
        Values::Text(_) => {
            return Err(Error::Unsupported { path: path.into(), what: "an array of text".into() });
        }
    })
}

/// How a number is stored.
pub(crate) struct Descr {
    kind: u8,
    size: usize,
    big: bool,
}

/// What stands before the numbers.
pub(crate) struct Header {
    pub(crate) descr: Descr,
    pub(crate) fortran: bool,
    pub(crate) shape: Vec<usize>,
}

/// Reads one array and the end of the stream after it (so that checksums of the packing are compared).
/// `length`: bytes the stream holds, where known.
pub(crate) fn read_array(reader: &mut dyn Read, path: &Path, length: Option<u64>, limit: u64) -> Result<Array> {
    let (header, header_bytes) = read_header(reader, path)?;
    let Header { descr, fortran, shape } = header;
    let count = shape.iter().try_fold(1u128, |n, &s| n.checked_mul(s as u128));
    let bytes = count.and_then(|n| n.checked_mul(descr.size as u128));
    let shape_text = format!("an array of shape {shape:?}");
    let (Some(count), Some(bytes)) = (count, bytes) else {
        return Err(too_large(path, &shape_text, u128::MAX, limit));
    };
    if let Some(length) = length {
        let there = u128::from(length).saturating_sub(header_bytes as u128);
        if bytes > there {
            let problem = format!("{shape_text} needs {bytes} bytes, there are {there}");
            return Err(Error::Truncated { path: path.into(), problem });
        }
    }
    // In memory an integer takes 8 bytes whatever it takes in the file.
    let in_memory = count.saturating_mul(if descr.kind == b'f' && descr.size <= 4 { 4 } else { 8 });
    if in_memory > u128::from(limit) {
        return Err(too_large(path, &shape_text, in_memory, limit));
    }
    let count = usize::try_from(count).map_err(|_| too_large(path, &shape_text, bytes, limit))?;
    let known = length.is_some();
    let mut values = read_values(reader, path, &descr, count, known)?;
    let mut end = [0u8; 1];
    if read_up_to(reader, &mut end).map_err(|e| read_error(path, e))? != 0 {
        return Err(Error::Damaged { path: path.into(), problem: format!("there are bytes after {shape_text}") });
    }
    if fortran && shape.len() == 2 {
        let (n, p) = (shape[0], shape[1]);
        match &mut values {
            Values::F32(v) => *v = from_fortran(v, n, p),
            Values::F64(v) => *v = from_fortran(v, n, p),
            Values::Int(v) => *v = from_fortran(v, n, p),
            Values::Text(_) => {}
        }
    }
    Ok(Array { shape, values })
}

/// The rows of an array in pieces.
pub(crate) struct NpyPieces {
    descr: Descr,
    /// Where the numbers begin.
    start: u64,
    rows: usize,
    columns: usize,
    step: usize,
}

impl NpyPieces {
    /// None for arrays that are stored column by column.
    pub(crate) fn open(path: &Path, options: &ReadOptions) -> Result<Option<Self>> {
        let mut file = opened(path)?;
        let length = file.metadata().map_err(|e| read_error(path, e))?.len();
        let (Header { descr, fortran, shape }, start) = read_header(&mut file, path)?;
        let (rows, columns) = match shape[..] {
            [n] => (n, 1),
            [n, p] if !fortran || p == 1 => (n, p),
            _ => return Ok(None),
        };
        let (there, bytes) = (length.saturating_sub(start as u64), (rows as u128) * (columns as u128) * (descr.size as u128));
        // What is wrong with the file is said as for one that is read at once.
        if bytes != u128::from(there) || bytes == 0 || matches!(descr.kind, b'S' | b'U') {
            return Ok(None);
        }
        let step = piece_rows(columns);
        let most = (step.min(rows) as u128) * (columns as u128) * 8;
        if most > u128::from(options.max_memory) {
            return Err(too_large(path, "a piece of the array", most, options.max_memory));
        }
        Ok(Some(Self { descr, start: start as u64, rows, columns, step }))
    }
    pub(crate) fn rows(&self) -> Vec<usize> {
        (0..self.rows).step_by(self.step).map(|from| self.step.min(self.rows - from)).collect()
    }
    pub(crate) fn read(&self, path: &Path, at: usize) -> Result<Loaded> {
        let mut file = opened(path)?;
        let from = at * self.step;
        let rows = self.step.min(self.rows.saturating_sub(from));
        let place = self.start + (from as u64) * (self.columns as u64) * (self.descr.size as u64);
        file.seek(SeekFrom::Start(place)).map_err(|e| read_error(path, e))?;
        let values = read_values(&mut file, path, &self.descr, rows * self.columns, true)?;
        Ok(Loaded::new(into_rows(Array { shape: vec![rows, self.columns], values }, path)?))
    }
}

fn from_fortran<T: Copy>(v: &[T], n: usize, p: usize) -> Vec<T> {
    (0..n).flat_map(|i| (0..p).map(move |j| v[j * n + i])).collect()
}

pub(crate) fn read_header(reader: &mut dyn Read, path: &Path) -> Result<(Header, usize)> {
    let cut = |what: &str| Error::Truncated { path: path.into(), problem: format!("it ends within the {what}") };
    let mut fill = |buffer: &mut [u8]| read_up_to(reader, buffer).map_err(|e| read_error(path, e));
    let mut start = [0u8; 8];
    let got = fill(&mut start)?;
    let compared = got.min(MAGIC.len());
    if start[..compared] != MAGIC[..compared] {
        let problem = format!("it begins with {:02x?}", &start[..compared]);
        return Err(Error::WrongFormat { path: path.into(), format: "npy", problem });
    }
    if got < 8 {
        return Err(cut("first eight bytes"));
    }
    let width = match start[6] {
        1 => 2,
        2 | 3 => 4,
        v => {
            return Err(Error::Unsupported { path: path.into(), what: format!("version {v} of the npy format") });
        }
    };
    let mut size = [0u8; 4];
    if fill(&mut size[..width])? < width {
        return Err(cut("header"));
    }
    let size = u32::from_le_bytes(size) as usize;
    if size > MAX_HEADER {
        return Err(Error::Damaged { path: path.into(), problem: format!("a header of {size} bytes") });
    }
    let mut text = vec![0u8; size];
    if fill(&mut text)? < size {
        return Err(cut("header"));
    }
    let text = String::from_utf8_lossy(&text);
    let header = parse_header(&text).map_err(|problem| match problem {
        HeaderProblem::Damaged(problem) => Error::Damaged { path: path.into(), problem },
        HeaderProblem::Unsupported(what) => Error::Unsupported { path: path.into(), what },
    })?;
    Ok((header, 8 + width + size))
}

enum HeaderProblem {
    Damaged(String),
    Unsupported(String),
}

/// `{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }`
fn parse_header(text: &str) -> std::result::Result<Header, HeaderProblem> {
    let damaged =
        |what: &str| HeaderProblem::Damaged(format!("{what} in the header {:?}", text.chars().take(120).collect::<String>()));
    let value_of = |key: &str| {
        let at = [format!("'{key}'"), format!("\"{key}\"")].iter().find_map(|k| text.find(k).map(|at| at + k.len()));
        let rest = at.and_then(|at| text[at..].trim_start().strip_prefix(':'));
        rest.map(str::trim_start).ok_or_else(|| damaged(&format!("no {key}")))
    };
    let descr = value_of("descr")?;
    let quote = descr.chars().next().filter(|c| *c == '\'' || *c == '"');
    let Some(quote) = quote else {
        return Err(HeaderProblem::Unsupported("an array of records".into()));
    };
    let descr = descr[1..].split_once(quote).map(|(d, _)| d).ok_or_else(|| damaged("no end of descr"))?;
    let fortran = value_of("fortran_order")?;
    let fortran = match (fortran.starts_with("True"), fortran.starts_with("False")) {
        (true, _) => true,
        (_, true) => false,
        _ => return Err(damaged("fortran_order is neither True nor False")),
    };
    let shape = value_of("shape")?.strip_prefix('(').and_then(|s| s.split_once(')')).map(|(s, _)| s);
    let shape = shape.ok_or_else(|| damaged("no shape"))?;
    let dimensions: Vec<&str> = shape.split(',').map(|s| s.trim().trim_end_matches('L')).collect();
    // `(3,)` and `(3, 4, )` end in an empty piece, `()` is one.
    let (last, front) = dimensions.split_last().ok_or_else(|| damaged("no shape"))?;
    let pieces = front.iter().chain((!last.is_empty()).then_some(last));
    let shape: Option<Vec<usize>> = pieces.map(|s| s.parse().ok()).collect();
    let shape = shape.ok_or_else(|| damaged("a shape that is not a list of sizes"))?;
    Ok(Header { descr: parse_descr(descr)?, fortran, shape })
}

fn parse_descr(descr: &str) -> std::result::Result<Descr, HeaderProblem> {
    let unsupported = || HeaderProblem::Unsupported(format!("an array of type \"{descr}\""));
    let big = match descr.as_bytes().first() {
        Some(b'<' | b'|') => false,
        Some(b'>') => true,
        Some(b'=') => cfg!(target_endian = "big"),
        _ => return Err(unsupported()),
    };
    let rest = &descr[1..];
    let kind = *rest.as_bytes().first().ok_or_else(unsupported)?;
    let number = rest.get(1..).and_then(|s| s.parse::<usize>().ok()).ok_or_else(unsupported)?;
    let size = match (kind, number) {
        (b'f', 2 | 4 | 8) | (b'i' | b'u', 1 | 2 | 4 | 8) | (b'b', 1) => number,
        // Text is read for the key `format` of sparse archives only.
        (b'S', 1..=64) => number,
        (b'U', 1..=64) => 4 * number,
        _ => return Err(unsupported()),
    };
    Ok(Descr { kind, size, big })
}

pub(crate) fn read_values(reader: &mut dyn Read, path: &Path, descr: &Descr, count: usize, known: bool) -> Result<Values> {
    macro_rules! numbers {
        ($kind:ident, $type:ty, $convert:expr) => {{
            const SIZE: usize = size_of::<$type>();
            let convert = $convert;
            if descr.big {
                let each = |b: [u8; SIZE]| convert(<$type>::from_be_bytes(b));
                Values::$kind(stream_values::<_, SIZE>(reader, path, count, known, each)?)
            } else {
                let each = |b: [u8; SIZE]| convert(<$type>::from_le_bytes(b));
                Values::$kind(stream_values::<_, SIZE>(reader, path, count, known, each)?)
            }
        }};
    }
    Ok(match (descr.kind, descr.size) {
        (b'f', 2) => numbers!(F32, u16, half_to_f32),
        (b'f', 4) => numbers!(F32, f32, |x| x),
        (b'f', 8) => numbers!(F64, f64, |x| x),
        (b'i', 1) => numbers!(Int, i8, i64::from),
        (b'i', 2) => numbers!(Int, i16, i64::from),
        (b'i', 4) => numbers!(Int, i32, i64::from),
        (b'i', 8) => numbers!(Int, i64, |x| x),
        (b'u', 1) => numbers!(Int, u8, i64::from),
        (b'u', 2) => numbers!(Int, u16, i64::from),
        (b'u', 4) => numbers!(Int, u32, i64::from),
        // Beyond i64 there is no row number and no index; as a measurement it is rounded anyway.
        (b'u', 8) => numbers!(F64, u64, |x| x as f64),
        (b'b', 1) => numbers!(Int, u8, |x| i64::from(x != 0)),
        (b'S' | b'U', size) if count == 1 => {
            let mut raw = vec![0u8; size];
            if read_up_to(reader, &mut raw).map_err(|e| read_error(path, e))? < size {
                return Err(Error::Truncated { path: path.into(), problem: "it ends within a text".into() });
            }
            let bytes: Vec<u8> = raw.into_iter().filter(|&b| b != 0).collect();
            Values::Text(String::from_utf8_lossy(&bytes).into_owned())
        }
        _ => {
            return Err(Error::Unsupported { path: path.into(), what: "an array of text".into() });
        }
    })
}

/// Reads `count` values of `SIZE` bytes. Memory grows with what arrives; only where the length of the file is
/// `known` (and was compared) is it taken at once.
fn stream_values<T, const SIZE: usize>(
    reader: &mut dyn Read,
    path: &Path,
    count: usize,
    known: bool,
    each: impl Fn([u8; SIZE]) -> T,
) -> Result<Vec<T>> {
    let per_chunk = CHUNK / SIZE;
    let mut values = Vec::with_capacity(if known { count } else { count.min(per_chunk) });
    let mut buffer = vec![0u8; count.min(per_chunk) * SIZE];
    while values.len() < count {
        let wanted = (count - values.len()).min(per_chunk) * SIZE;
        let got = read_up_to(reader, &mut buffer[..wanted]).map_err(|e| read_error(path, e))?;
        if got < wanted {
            let problem = format!("{} of {count} values", values.len() + got / SIZE);
            return Err(Error::Truncated { path: path.into(), problem });
        }
        let (chunks, _) = buffer[..wanted].as_chunks::<SIZE>();
        values.extend(chunks.iter().map(|&b| each(b)));
    }
    Ok(values)
}

/// IEEE half precision, exact.
pub(crate) fn half_to_f32(half: u16) -> f32 {
    let sign = u32::from(half >> 15) << 31;
    let exponent = u32::from(half >> 10) & 0x1f;
    let fraction = u32::from(half) & 0x3ff;
    match (exponent, fraction) {
        // Zero and subnormal numbers: fraction × 2^-24.
        (0, f) => f32::from_bits((f as f32 * 2f32.powi(-24)).to_bits() | sign),
        (31, f) => f32::from_bits(sign | 0x7f80_0000 | (f << 13)),
        (e, f) => f32::from_bits(sign | ((e + 112) << 23) | (f << 13)),
    }
}

/// Writes a version 1 header, padded so that the numbers begin at a multiple of 64.
pub(crate) fn write_header(sink: &mut dyn Write, descr: &str, shape: &[usize]) -> std::io::Result<()> {
    let shape = match shape {
        [] => "()".to_string(),
        [n] => format!("({n},)"),
        more => format!("({})", more.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")),
    };
    let mut text = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}");
    let unpadded = MAGIC.len() + 4 + text.len() + 1;
    text.extend(std::iter::repeat_n(' ', unpadded.next_multiple_of(64) - unpadded));
    text.push('\n');
    sink.write_all(MAGIC)?;
    sink.write_all(&[1, 0])?;
    sink.write_all(&(text.len() as u16).to_le_bytes())?;
    sink.write_all(text.as_bytes())
}

/// Writes numbers, little-endian, without a copy of the whole.
pub(crate) fn write_values<T: Copy, const SIZE: usize>(
    sink: &mut dyn Write,
    values: &[T],
    bytes: impl Fn(T) -> [u8; SIZE],
) -> std::io::Result<()> {
    let mut buffer = Vec::with_capacity(SIZE * values.len().min(1 << 13));
    for chunk in values.chunks(1 << 13) {
        buffer.clear();
        buffer.extend(chunk.iter().flat_map(|&v| bytes(v)));
        sink.write_all(&buffer)?;
    }
    Ok(())
}

/// All values as f64.
pub(crate) fn values_f64(values: Values) -> Option<Vec<f64>> {
    match values {
        Values::F32(v) => Some(v.into_iter().map(Scalar::to_f64).collect()),
        Values::F64(v) => Some(v),
        Values::Int(v) => Some(v.into_iter().map(|x| x as f64).collect()),
        Values::Text(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn npy(version: u8, header: &str, data: &[u8]) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend([version, 0]);
        match version {
            1 => bytes.extend((header.len() as u16).to_le_bytes()),
            _ => bytes.extend((header.len() as u32).to_le_bytes()),
        }
        bytes.extend(header.as_bytes());
        bytes.extend(data);
        bytes
    }

    fn rows(bytes: Vec<u8>) -> Result<Rows> {
        let input = Input::from_bytes(Path::new("a.npy"), bytes, 1 << 20)?;
        Ok(Npy.read(input, &ReadOptions { max_memory: 1 << 20, ..Default::default() })?.rows)
    }

    #[test]
    fn every_type_order_and_version_gives_the_same_matrix() {
        let expected = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
        let fortran = [1.0, 4.0, 2.0, 5.0, 3.0, 6.0];
        type Bytes = fn(f64) -> Vec<u8>;
        let kinds: [(&str, Bytes); 16] = [
            ("<f8", |x| x.to_le_bytes().into()),
            (">f8", |x| x.to_be_bytes().into()),
            ("<f4", |x| (x as f32).to_le_bytes().into()),
            (">f4", |x| (x as f32).to_be_bytes().into()),
            ("<i8", |x| (x as i64).to_le_bytes().into()),
            (">i8", |x| (x as i64).to_be_bytes().into()),
            ("<i4", |x| (x as i32).to_le_bytes().into()),
            (">i4", |x| (x as i32).to_be_bytes().into()),
            ("<i2", |x| (x as i16).to_le_bytes().into()),
            (">u2", |x| (x as u16).to_be_bytes().into()),
            ("<u4", |x| (x as u32).to_le_bytes().into()),
            (">u8", |x| (x as u64).to_be_bytes().into()),
            ("<u8", |x| (x as u64).to_le_bytes().into()),
            ("|i1", |x| vec![x as i8 as u8]),
            ("|u1", |x| vec![x as u8]),
            ("=f8", |x| x.to_ne_bytes().into()),
        ];
        for (descr, bytes) in kinds {
            for version in [1, 2, 3] {
                for (order, stored) in [("False", expected), ("True", fortran)] {
                    let header = format!("{{'descr': '{descr}', 'fortran_order': {order}, 'shape': (2, 3), }}\n");
                    let data: Vec<u8> = stored.iter().flat_map(|&x| bytes(x)).collect();
                    let single = descr.ends_with("f4");
                    match rows(npy(version, &header, &data)).unwrap() {
                        Rows::F64(m) if !single => {
                            assert_eq!(m.as_slice(), expected, "{descr} {version} {order}")
                        }
                        Rows::F32(m) if single => {
                            assert_eq!(m.to_f64().as_slice(), expected, "{descr}")
                        }
                        other => panic!("{descr} came as {}", other.kind()),
                    }
                }
            }
        }
    }

    #[test]
    fn half_precision_is_exact_over_its_whole_range() {
        for (half, single) in [
            (0x0000u16, 0.0f32),
            (0x3c00, 1.0),
            (0xc000, -2.0),
            (0x7bff, 65504.0),
            (0x0400, 6.103_515_6e-5),
            (0x0001, 5.960_464_5e-8),
            (0x8001, -5.960_464_5e-8),
            (0x3555, 0.333_251_95),
            (0x7c00, f32::INFINITY),
        ] {
            assert_eq!(half_to_f32(half), single, "{half:#x}");
        }
        assert!(half_to_f32(0x7e00).is_nan());
        assert_eq!(half_to_f32(0x8000).to_bits(), (-0.0f32).to_bits());
        let header = "{'descr': '>f2', 'fortran_order': False, 'shape': (1, 2)}";
        assert_eq!(
            rows(npy(1, header, &[0x3c, 0, 0xc0, 0])).unwrap(),
            Rows::F32(Matrix::from_vec(vec![1.0, -2.0], 1, 2).unwrap())
        );
    }

    #[test]
    fn vectors_become_a_column_and_other_dimensions_are_refused() {
        let column = rows(npy(1, "{'descr': '|b1', 'fortran_order': False, 'shape': (3,), }", &[0, 1, 2])).unwrap();
        assert_eq!(column, Rows::F64(Matrix::from_vec(vec![0.0, 1.0, 1.0], 3, 1).unwrap()));
        for shape in ["()", "(1, 1, 1)"] {
            let header = format!("{{'descr': '|u1', 'fortran_order': False, 'shape': {shape}, }}");
            assert!(matches!(rows(npy(1, &header, &[7])), Err(Error::Unsupported { .. })), "{shape}");
        }
    }

    #[test]
    fn headers_that_say_nothing_sensible_are_typed_errors() {
        for header in [
            "",
            "{",
            "{'descr': '<f8', 'fortran_order': False, 'shape': (2, -3)}",
            "{'descr': '<f8', 'fortran_order': Maybe, 'shape': (2, 3)}",
            "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3",
            "{'descr': '<f8, 'fortran_order': False}",
            "{'descr': '', 'fortran_order': False, 'shape': (1, 1)}",
            "{'descr': 'é8', 'fortran_order': False, 'shape': (1, 1)}",
            "{'descr': '<é', 'fortran_order': False, 'shape': (1, 1)}",
        ] {
            let result = rows(npy(1, header, &[0; 48]));
            assert!(matches!(result, Err(Error::Damaged { .. } | Error::Unsupported { .. })), "{header}: {result:?}");
        }
        for descr in ["'<c16'", "'|O'", "[('a', '<f8')]", "'<M8[ns]'", "'<f16'", "'|V8'"] {
            let header = format!("{{'descr': {descr}, 'fortran_order': False, 'shape': (1, 1), }}");
            assert!(matches!(rows(npy(1, &header, &[0; 16])), Err(Error::Unsupported { .. })), "{descr}");
        }
    }
}
