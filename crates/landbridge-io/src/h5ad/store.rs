//! HDF5 through the crate `hdf5-pure`. Every declared size is compared with what is stored before memory is taken.
//!
//! HDF5 has no checksum over its numbers, and the crate fills in what a file does not hold, as the C library does. Here
//! that is an error: each chunk must be there once and must be able to hold what it declares, and a file that is shorter
//! than it declares is cut off.

use std::cell::Cell;
use std::fs::File as OsFile;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hdf5_pure::{
    AttrValue, Chunk, Dataset, Datatype, DatatypeByteOrder, File, FileAccessProperties, FloatingPointLayout, FormatError, Group,
    Layout, MetadataCacheConfig, Source,
};

use super::direct::{Kind, Place, Problem, Wanted, numbers};
use crate::error::{Error, Result};
use crate::npy::half_to_f32;
use crate::source::{Input, RandomAccess, too_large};

const MAGIC: &[u8; 8] = b"\x89HDF\r\n\x1a\n";
/// A supported filter decompresses a byte to at most this many bytes. Deflate reaches 1,032.
const MOST_UNPACKED: u128 = 1040;
/// Names read at a time: the heap they lie in is searched anew for each window.
const WINDOW: u64 = 1 << 13;

/// An opened HDF5 file.
pub(super) struct Store {
    pub(super) path: PathBuf,
    file: File,
    bytes: Arc<Bytes>,
    length: u64,
    limit: u64,
    /// Bytes that may still be taken.
    left: Cell<u64>,
}

/// What an object is.
pub(super) enum Object {
    Group(Group),
    Array(Array),
}

/// An array whose declared size fits what is stored.
pub(super) struct Array {
    data: Dataset,
    datatype: Datatype,
    at: String,
    pub(super) shape: Vec<usize>,
    count: usize,
    place: Place,
}

impl Array {
    /// Where it is, for messages.
    pub(super) fn at(&self) -> &str {
        &self.at
    }
    /// What the crate itself reads: for tests.
    #[cfg(test)]
    pub(super) fn read_by_crate(&self) -> Vec<f64> {
        match &self.datatype {
            Datatype::FixedPoint { .. } => self.data.read_i64().unwrap().into_iter().map(|v| v as f64).collect(),
            _ => self.data.read_f64().unwrap(),
        }
    }
}

/// The numbers of an array, in C order.
pub(super) enum Numbers {
    F32(Vec<f32>),
    F64(Vec<f64>),
    Int(Vec<i64>),
    Bool(Vec<bool>),
}

impl Numbers {
    pub(super) fn into_f64(self) -> Vec<f64> {
        match self {
            Numbers::F64(v) => v,
            Numbers::F32(v) => v.into_iter().map(f64::from).collect(),
            Numbers::Int(v) => v.into_iter().map(|x| x as f64).collect(),
            Numbers::Bool(v) => v.into_iter().map(|x| f64::from(u8::from(x))).collect(),
        }
    }
}

/// The bytes of the file, at any place.
pub(super) enum Bytes {
    File(OsFile, u64),
    Memory(Vec<u8>),
}

impl Bytes {
    fn len(&self) -> u64 {
        match self {
            Bytes::File(_, length) => *length,
            Bytes::Memory(bytes) => bytes.len() as u64,
        }
    }
    pub(super) fn read_at(&self, offset: u64, buffer: &mut [u8]) -> std::result::Result<(), FormatError> {
        let available = usize::try_from(self.len().saturating_sub(offset)).unwrap_or(usize::MAX);
        if buffer.len() > available {
            return Err(FormatError::UnexpectedEof { expected: buffer.len(), available });
        }
        match self {
            Bytes::File(file, _) => read_exact_at(file, offset, buffer).map_err(|e| FormatError::Source(e.to_string())),
            // Within bounds: compared above.
            Bytes::Memory(bytes) => {
                let start = offset as usize;
                buffer.copy_from_slice(&bytes[start..start + buffer.len()]);
                Ok(())
            }
        }
    }
}

#[cfg(unix)]
fn read_exact_at(file: &OsFile, offset: u64, buffer: &mut [u8]) -> std::io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, buffer, offset)
}

#[cfg(windows)]
fn read_exact_at(file: &OsFile, mut offset: u64, mut buffer: &mut [u8]) -> std::io::Result<()> {
    while !buffer.is_empty() {
        match std::os::windows::fs::FileExt::seek_read(file, buffer, offset)? {
            0 => return Err(std::io::ErrorKind::UnexpectedEof.into()),
            read => (offset, buffer) = (offset + read as u64, &mut buffer[read..]),
        }
    }
    Ok(())
}

/// The same bytes for the crate and for what reads beside it.
struct Shared(Arc<Bytes>);

impl Source for Shared {
    fn len(&self) -> u64 {
        self.0.len()
    }
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> std::result::Result<(), FormatError> {
        self.0.read_at(offset, buffer)
    }
}

impl Store {
    pub(super) fn open(input: Input, format: &'static str, limit: u64) -> Result<Self> {
        let (path, content) = input.into_random_access()?;
        let bytes = match content {
            RandomAccess::File(file, length) => Bytes::File(file, length),
            RandomAccess::Bytes(bytes) => Bytes::Memory(bytes),
        };
        let length = bytes.len();
        find_magic(&bytes).map_err(|problem| Error::WrongFormat { path: path.clone(), format, problem })?;
        let properties = FileAccessProperties::new().with_metadata_cache(MetadataCacheConfig::new(1 << 22));
        let bytes = Arc::new(bytes);
        let file = File::from_source_with_options(Shared(bytes.clone()), properties).map_err(|e| error(&path, "the file", e))?;
        // As the C library does: what the file says of its own length is the one thing a cut leaves behind.
        let declared = file.superblock().eof_address;
        if declared > length {
            return Err(Error::Truncated { path, problem: format!("it should have {declared} bytes, there are {length}") });
        }
        Ok(Self { path, file, bytes, length, limit, left: Cell::new(limit) })
    }

    pub(super) fn damaged(&self, problem: String) -> Error {
        Error::Damaged { path: self.path.clone(), problem }
    }
    pub(super) fn unsupported(&self, what: String) -> Error {
        Error::Unsupported { path: self.path.clone(), what }
    }

    /// The group at a path; None if nothing is there.
    pub(super) fn group(&self, at: &str) -> Result<Option<Group>> {
        match self.object(at)? {
            None => Ok(None),
            Some(Object::Group(group)) => Ok(Some(group)),
            Some(Object::Array(_)) => Err(self.damaged(format!("\"{at}\" is an array where a group is expected"))),
        }
    }

    /// The array at a path, checked.
    pub(super) fn array(&self, at: &str) -> Result<Array> {
        match self.object(at)? {
            None => Err(self.damaged(format!("there is no array \"{at}\""))),
            Some(Object::Array(array)) => Ok(array),
            Some(Object::Group(_)) => Err(self.damaged(format!("\"{at}\" is a group where an array is expected"))),
        }
    }

    /// The object at a path; None if there is nothing.
    pub(super) fn object(&self, at: &str) -> Result<Option<Object>> {
        match self.file.group(at) {
            Ok(group) => return Ok(Some(Object::Group(group))),
            Err(hdf5_pure::Error::NotAGroup(_)) => {}
            Err(hdf5_pure::Error::Format(FormatError::PathNotFound(_))) => return Ok(None),
            Err(e) => return Err(error(&self.path, at, e)),
        }
        let data = self.file.dataset(at).map_err(|e| error(&self.path, at, e))?;
        self.check(data, at).map(|array| Some(Object::Array(array)))
    }

    /// Names of what a group holds, sorted; empty if there is no such group.
    pub(super) fn children(&self, at: &str) -> Result<Vec<String>> {
        let Some(group) = self.group(at)? else { return Ok(vec![]) };
        let listed = |e| error(&self.path, at, e);
        let mut names = group.groups().map_err(listed)?;
        names.extend(group.datasets().map_err(listed)?);
        names.sort();
        Ok(names)
    }

    /// An attribute of a group that holds one text.
    pub(super) fn text_attribute(&self, group: &Group, at: &str, name: &str) -> Result<Option<String>> {
        let attributes = group.attrs().map_err(|e| error(&self.path, at, e))?;
        Ok(attributes.get(name).and_then(AttrValue::as_str).map(str::to_string))
    }

    /// An attribute of a group that holds texts.
    pub(super) fn texts_attribute(&self, group: &Group, at: &str, name: &str) -> Result<Option<Vec<String>>> {
        let attributes = group.attrs().map_err(|e| error(&self.path, at, e))?;
        Ok(attributes.get(name).and_then(AttrValue::as_strings).map(<[_]>::to_vec))
    }

    /// An attribute of a group that holds whole numbers.
    pub(super) fn numbers_attribute(&self, group: &Group, at: &str, name: &str) -> Result<Option<Vec<u64>>> {
        let attributes = group.attrs().map_err(|e| error(&self.path, at, e))?;
        Ok(attributes.get(name).and_then(AttrValue::to_u64s))
    }

    /// Counts memory that is about to be taken.
    fn take(&self, at: &str, bytes: u128) -> Result<()> {
        match u64::try_from(bytes).ok().and_then(|bytes| self.left.get().checked_sub(bytes)) {
            Some(left) => {
                self.left.set(left);
                Ok(())
            }
            None => Err(too_large(&self.path, &format!("the array \"{at}\""), bytes, self.limit)),
        }
    }

    /// Compares what an array declares with what is stored of it.
    fn check(&self, data: Dataset, at: &str) -> Result<Array> {
        let failed = |e| error(&self.path, at, e);
        let shape = data.shape().map_err(failed)?;
        let datatype = data.datatype().map_err(failed)?;
        let size = u128::from(data.element_size().map_err(failed)?);
        let count = shape.iter().try_fold(1u128, |n, &s| n.checked_mul(s.into()));
        let bytes = count.and_then(|n| n.checked_mul(size));
        let declared = format!("\"{at}\" of shape {shape:?}");
        let (Some(count), Some(bytes)) = (count, bytes) else {
            return Err(too_large(&self.path, &declared, u128::MAX, self.limit));
        };
        if bytes > u128::from(self.limit) {
            return Err(too_large(&self.path, &declared, bytes, self.limit));
        }
        let (layout, mut chunks) = (data.layout().map_err(failed)?, None);
        let stored = match &layout {
            _ if bytes == 0 => 0,
            Layout::Compact { size } => u128::from(*size),
            Layout::Contiguous { address: Some(address), size } => {
                if address.checked_add(*size).is_none_or(|end| end > self.length) {
                    let problem = format!("{declared} needs {size} bytes at {address}, the file has {}", self.length);
                    return Err(Error::Truncated { path: self.path.clone(), problem });
                }
                u128::from(*size)
            }
            Layout::Contiguous { address: None, .. } => return Err(self.damaged(format!("{declared} was never written"))),
            Layout::Chunked { chunk_shape, .. } => {
                let found = data.chunks().map_err(failed)?;
                let stored = self.check_chunks(&data, &found, at, (&shape, chunk_shape, size))?;
                chunks = Some(found);
                stored
            }
            Layout::Virtual => return Err(self.unsupported(format!("the virtual array {declared}"))),
            _ => return Err(self.unsupported(format!("the storage of {declared}"))),
        };
        if stored < bytes {
            return Err(self.damaged(format!("{declared} needs {bytes} bytes, {stored} are stored")));
        }
        let whole = |n: u128| usize::try_from(n).map_err(|_| too_large(&self.path, &declared, bytes, self.limit));
        let shape: Vec<usize> = shape.iter().map(|&s| whole(s.into())).collect::<Result<_>>()?;
        let place = Place::of(&data, &layout, &shape, chunks);
        Ok(Array { data, datatype, at: at.into(), shape, count: whole(count)?, place })
    }

    /// Checks that every chunk is there once, at its place, with enough compressed bytes for its content. Returns the
    /// decompressed size of all chunks.
    fn check_chunks(
        &self,
        data: &Dataset,
        chunks: &[Chunk],
        at: &str,
        (shape, chunk, size): (&[u64], &[u64], u128),
    ) -> Result<u128> {
        if chunk.len() != shape.len() || chunk.contains(&0) {
            return Err(self.damaged(format!("\"{at}\" of shape {shape:?} has chunks of shape {chunk:?}")));
        }
        let expected = shape.iter().zip(chunk).try_fold(1u128, |n, (&s, &c)| n.checked_mul(s.div_ceil(c).into()));
        // A chunk takes at least a byte of the file, and more in its list.
        let Some(expected) = expected.filter(|&n| n <= u128::from(self.length)) else {
            return Err(self.damaged(format!("\"{at}\" declares more chunks than the file has bytes")));
        };
        let each = chunk.iter().try_fold(size, |n, &c| n.checked_mul(c.into())).unwrap_or(u128::MAX);
        // Two chunks may be in memory, on each thread, whatever the array itself takes.
        if each > u128::from(self.limit) {
            return Err(too_large(&self.path, &format!("a chunk of \"{at}\""), each, self.limit));
        }
        if chunks.len() as u128 != expected {
            return Err(self.damaged(format!("{} of {expected} chunks of \"{at}\" are there", chunks.len())));
        }
        let packed = !data.filters().is_empty();
        let mut places = std::collections::HashSet::with_capacity(chunks.len());
        let mut total = 0u128;
        for piece in chunks {
            let inside = piece.offset.iter().zip(shape).zip(chunk).all(|((&o, &s), &c)| o < s && o % c == 0);
            if piece.offset.len() != shape.len() || !inside || !places.insert(&piece.offset) {
                return Err(self.damaged(format!("a chunk of \"{at}\" at {:?} is not expected there", piece.offset)));
            }
            if piece.address.checked_add(piece.storage_size).is_none_or(|end| end > self.length) {
                let problem = format!("the chunk of \"{at}\" at {:?} lies beyond the end", piece.offset);
                return Err(Error::Truncated { path: self.path.clone(), problem });
            }
            let stored = u128::from(piece.storage_size);
            total += stored;
            if stored.saturating_mul(if packed { MOST_UNPACKED } else { 1 }) < each {
                return Err(self.damaged(format!("a chunk of \"{at}\" has {stored} bytes where {each} are declared")));
            }
        }
        // Chunks that share their bytes would decompress to more than any file can hold.
        if total > u128::from(self.length) {
            return Err(self.damaged(format!("the chunks of \"{at}\" overlap")));
        }
        Ok(expected.saturating_mul(each))
    }

    /// Numbers of some rows of an array, or of all, in the type that is wanted. None where only the crate can read them.
    pub(super) fn direct<T: Wanted>(&self, array: &Array, rows: Option<&Range<usize>>) -> Result<Option<Vec<T>>> {
        let Some(kind) = Kind::of(&array.datatype).filter(|_| is_usual(&array.datatype)) else { return Ok(None) };
        let rows = rows.cloned().unwrap_or(0..array.shape.first().copied().unwrap_or(1));
        let width: usize = array.shape.iter().skip(1).product();
        if rows.start > rows.end || rows.end > array.shape.first().copied().unwrap_or(1) {
            return Ok(None);
        }
        if matches!(array.place, Place::Elsewhere) {
            return Ok(None);
        }
        self.take(&array.at, rows.len() as u128 * width as u128 * size_of::<T>() as u128)?;
        match numbers(&self.bytes, &array.place, kind, rows, width) {
            Ok(numbers) => Ok(Some(numbers)),
            Err(Problem::Unfit(at, value)) => {
                Err(self.damaged(format!("the value {value} at position {at} of \"{}\" is out of range", array.at)))
            }
            Err(Problem::Damaged(what)) => Err(self.damaged(format!("\"{}\": {what}", array.at))),
            Err(Problem::Read(e)) => Err(format_error(&self.path, &array.at, e)),
        }
    }

    /// Numbers of some rows of an array, or of all, in double precision; None if it holds something else.
    pub(super) fn floats(&self, array: &Array, rows: Option<Range<usize>>) -> Result<Option<Vec<f64>>> {
        match self.direct(array, rows.as_ref())? {
            Some(found) => Ok(Some(found)),
            None => Ok(self.numbers_of(array, rows)?.map(Numbers::into_f64)),
        }
    }

    /// The numbers of an array; None if it holds something else.
    pub(super) fn numbers(&self, array: &Array) -> Result<Option<Numbers>> {
        self.numbers_of(array, None)
    }

    /// The numbers of some rows of an array, or of all; None if it holds something else.
    pub(super) fn numbers_of(&self, array: &Array, rows: Option<Range<usize>>) -> Result<Option<Numbers>> {
        let failed = |e| error(&self.path, &array.at, e);
        let of_row: usize = array.shape.iter().skip(1).product();
        let count = rows.as_ref().map_or(array.count, |rows| rows.len() * of_row);
        let memory = |width: u128| self.take(&array.at, width * count as u128);
        macro_rules! values {
            ($all:ident, $some:ident) => {
                match &rows {
                    None => array.data.$all(),
                    Some(rows) => array.data.$some(rows.start as u64, rows.len() as u64),
                }
                .map_err(failed)?
            };
        }
        if !is_usual(&array.datatype) {
            return Err(self.unsupported(format!("\"{}\", whose numbers are laid out unusually,", array.at)));
        }
        let numbers = match &array.datatype {
            Datatype::FloatingPoint { size: 2, byte_order, .. } => {
                memory(6)?;
                let number = match byte_order {
                    DatatypeByteOrder::BigEndian => u16::from_be_bytes,
                    _ => u16::from_le_bytes,
                };
                let raw = values!(read_raw, read_raw_rows);
                Numbers::F32(raw.chunks_exact(2).map(|b| half_to_f32(number([b[0], b[1]]))).collect())
            }
            Datatype::FloatingPoint { size: 4, .. } => Numbers::F32(match self.direct(array, rows.as_ref())? {
                Some(found) => found,
                None => {
                    memory(4)?;
                    values!(read_f32, read_f32_rows)
                }
            }),
            Datatype::FloatingPoint { size: 8, .. } => Numbers::F64(match self.direct(array, rows.as_ref())? {
                Some(found) => found,
                None => {
                    memory(8)?;
                    values!(read_f64, read_f64_rows)
                }
            }),
            Datatype::FixedPoint { size: 8, layout, .. } if !layout.signed => {
                memory(16)?;
                let values = values!(read_u64, read_u64_rows);
                match values.iter().map(|&v| i64::try_from(v)).collect() {
                    Ok(values) => Numbers::Int(values),
                    Err(_) => Numbers::F64(values.into_iter().map(|v| v as f64).collect()),
                }
            }
            Datatype::FixedPoint { size: 1 | 2 | 4 | 8, .. } => {
                memory(8)?;
                Numbers::Int(values!(read_i64, read_i64_rows))
            }
            // What h5py makes of NumPy's bool.
            Datatype::Enumeration { size: 1, members, .. } if members.len() == 2 && members.iter().all(|m| is_bool(&m.name)) => {
                memory(2)?;
                let values = values!(read_i8, read_i8_rows);
                if let Some(bad) = values.iter().find(|v| !(0..=1).contains(*v)) {
                    return Err(self.damaged(format!("the value {bad} in \"{}\" is not a boolean", array.at)));
                }
                Numbers::Bool(values.into_iter().map(|v| v == 1).collect())
            }
            _ => return Ok(None),
        };
        let got = match &numbers {
            Numbers::F32(v) => v.len(),
            Numbers::F64(v) => v.len(),
            Numbers::Int(v) => v.len(),
            Numbers::Bool(v) => v.len(),
        };
        if got != count {
            return Err(self.damaged(format!("\"{}\" has {got} values where {count} are declared", array.at)));
        }
        Ok(Some(numbers))
    }

    fn check_count(&self, array: &Array, got: usize) -> Result<()> {
        if got == array.count {
            return Ok(());
        }
        Err(self.damaged(format!("\"{}\" has {got} values where {} are declared", array.at, array.count)))
    }

    /// Whole numbers of a type that holds them, or the first that does not fit.
    pub(super) fn integers<T: TryFrom<i64> + Wanted>(&self, array: &Array, rows: Option<Range<usize>>) -> Result<Vec<T>> {
        if Kind::of(&array.datatype).is_some_and(Kind::is_whole)
            && let Some(found) = self.direct(array, rows.as_ref())?
        {
            return Ok(found);
        }
        let Some(Numbers::Int(values)) = self.numbers_of(array, rows)? else {
            return Err(self.damaged(format!("\"{}\" holds no whole numbers", array.at)));
        };
        let bad = |at: usize, v: i64| self.damaged(format!("the value {v} at position {at} of \"{}\" is out of range", array.at));
        values.iter().enumerate().map(|(at, &v)| T::try_from(v).map_err(|_| bad(at, v))).collect()
    }

    /// Some texts of an array of texts.
    pub(super) fn texts_of(&self, array: &Array, rows: Range<usize>) -> Result<Vec<String>> {
        let failed = |e| error(&self.path, &array.at, e);
        let mut texts = Vec::with_capacity(rows.len());
        for start in rows.clone().step_by(WINDOW as usize) {
            let count = (WINDOW as usize).min(rows.end - start);
            texts.extend(array.data.read_string_rows(start as u64, count as u64).map_err(failed)?);
        }
        match texts.iter().any(|text| text.contains('\u{fffd}')) || texts.len() != rows.len() {
            true => Err(self.damaged(format!("the texts of \"{}\" from {} on cannot be read", array.at, rows.start))),
            false => Ok(texts),
        }
    }

    /// Whether an array holds texts, one for each row.
    pub(super) fn is_texts(&self, array: &Array) -> bool {
        let text = matches!(array.datatype, Datatype::String { .. } | Datatype::VariableLength { is_string: true, .. });
        text && array.shape.len() == 1
    }

    /// The texts of an array; None if it holds something else.
    pub(super) fn texts(&self, array: &Array) -> Result<Option<Vec<String>>> {
        let failed = |e| error(&self.path, &array.at, e);
        let per_text = size_of::<String>() as u128 * array.count as u128;
        match &array.datatype {
            Datatype::String { size, .. } => self.take(&array.at, per_text + 2 * u128::from(*size) * array.count as u128)?,
            Datatype::VariableLength { is_string: true, .. } => {
                self.take(&array.at, per_text + 16 * array.count as u128)?;
                let payload = array.data.vlen_string_payload_size().map_err(failed)?;
                // Each text has its own bytes in the file.
                if payload > self.length {
                    return Err(self.damaged(format!("the texts of \"{}\" take more bytes than the file has", array.at)));
                }
                self.take(&array.at, payload.into())?;
            }
            _ => return Ok(None),
        }
        if array.count == 0 {
            return Ok(Some(vec![]));
        }
        let mut texts = Vec::with_capacity(array.count);
        if let [rows] = array.shape[..] {
            for start in (0..rows as u64).step_by(WINDOW as usize) {
                let count = WINDOW.min(rows as u64 - start);
                texts.extend(array.data.read_string_rows(start, count).map_err(failed)?);
            }
        } else {
            texts = array.data.read_string().map_err(failed)?;
        }
        self.check_count(array, texts.len())?;
        // The crate puts this character where bytes are not UTF-8.
        match texts.iter().position(|text| text.contains('\u{fffd}')) {
            Some(place) => Err(self.damaged(format!("the text at position {place} of \"{}\" is not UTF-8", array.at))),
            None => Ok(Some(texts)),
        }
    }

    /// One field of an array of records (how anndata wrote tables before version 0.7), as text; None if there is no such
    /// field.
    pub(super) fn field(&self, array: &Array, name: &str) -> Result<Option<Vec<String>>> {
        let Datatype::Compound { size, members } = &array.datatype else {
            return Err(self.unsupported(format!("\"{}\", which is neither a group nor a table,", array.at)));
        };
        let Some(member) = members.iter().find(|m| m.name == name) else { return Ok(None) };
        let (size, start) = (*size as usize, usize::try_from(member.byte_offset).unwrap_or(usize::MAX));
        let width = member.datatype.type_size() as usize;
        if size == 0 || start.checked_add(width).is_none_or(|end| end > size) {
            return Err(self.damaged(format!("the field \"{name}\" of \"{}\" is larger than its record", array.at)));
        }
        self.take(&array.at, size as u128 * array.count as u128 + 64 * array.count as u128)?;
        let raw = array.data.read_raw().map_err(|e| error(&self.path, &array.at, e))?;
        let fields = raw.chunks_exact(size).map(|record| &record[start..start + width]);
        let texts: Vec<String> = match &member.datatype {
            Datatype::String { .. } => fields
                .map(|f| {
                    let text = &f[..f.iter().position(|&b| b == 0).unwrap_or(f.len())];
                    let text = std::str::from_utf8(text).map(str::to_string);
                    text.map_err(|_| self.damaged(format!("a text of \"{}\" is not UTF-8", array.at)))
                })
                .collect::<Result<_>>()?,
            Datatype::FixedPoint { layout, byte_order: DatatypeByteOrder::LittleEndian, .. } if width <= 8 => {
                let signed = layout.signed;
                fields.map(|f| little_endian(f, signed).to_string()).collect()
            }
            _ => return Err(self.unsupported(format!("the field \"{name}\" of \"{}\"", array.at))),
        };
        self.check_count(array, texts.len())?;
        Ok(Some(texts))
    }

    /// The fields of an array of records.
    pub(super) fn fields(&self, array: &Array) -> Vec<String> {
        match &array.datatype {
            Datatype::Compound { members, .. } => members.iter().map(|m| m.name.clone()).collect(),
            _ => vec![],
        }
    }
}

/// HDF5 begins at the first byte, or after a block of 512, 1,024, 2,048, … bytes of something else (MuData puts its name
/// there).
fn find_magic(bytes: &Bytes) -> std::result::Result<(), String> {
    let mut found = [0u8; 8];
    let mut at = 0;
    while bytes.read_at(at, &mut found).is_ok() {
        if &found == MAGIC {
            return Ok(());
        }
        at = if at == 0 { 512 } else { 2 * at };
    }
    let mut start = vec![0u8; bytes.len().min(8) as usize];
    bytes.read_at(0, &mut start).map_err(|e| e.to_string())?;
    Err(format!("it begins with {start:02x?}"))
}

fn is_bool(name: &str) -> bool {
    name == "FALSE" || name == "TRUE"
}

const BINARY16: FloatingPointLayout = FloatingPointLayout {
    bit_offset: 0,
    bit_precision: 16,
    exponent_location: 10,
    exponent_size: 5,
    mantissa_location: 0,
    mantissa_size: 10,
    exponent_bias: 15,
};

/// Whether numbers have the usual layout. HDF5 can describe others, but a damaged byte can as well: files have no
/// checksums. Then all numbers would be read as different ones.
fn is_usual(datatype: &Datatype) -> bool {
    let plain = |order: &DatatypeByteOrder| matches!(order, DatatypeByteOrder::LittleEndian | DatatypeByteOrder::BigEndian);
    match datatype {
        Datatype::FloatingPoint { size, byte_order, layout } => {
            let usual = match size {
                2 => BINARY16,
                4 => FloatingPointLayout::IEEE754_BINARY32,
                8 => FloatingPointLayout::IEEE754_BINARY64,
                _ => return false,
            };
            plain(byte_order) && *layout == usual
        }
        Datatype::FixedPoint { size, byte_order, layout } => {
            plain(byte_order) && layout.bit_offset == 0 && u32::from(layout.bit_precision) == 8 * size
        }
        Datatype::Enumeration { base_type, .. } => is_usual(base_type),
        _ => true,
    }
}

/// A whole number of up to eight bytes.
fn little_endian(bytes: &[u8], signed: bool) -> i128 {
    let value = bytes.iter().rev().fold(0u128, |v, &b| v << 8 | u128::from(b));
    let bits = 8 * bytes.len() as u32;
    if signed && bits > 0 && value >> (bits - 1) == 1 { value as i128 - (1 << bits) } else { value as i128 }
}

/// An error of the HDF5 crate as an error of this crate.
fn error(path: &Path, at: &str, error: hdf5_pure::Error) -> Error {
    match error {
        hdf5_pure::Error::Io(source) => crate::source::read_error(path, source),
        hdf5_pure::Error::Format(error) => format_error(path, at, error),
        other => Error::Damaged { path: path.into(), problem: format!("{at}: {other}") },
    }
}

fn format_error(path: &Path, at: &str, error: FormatError) -> Error {
    use FormatError as F;
    let problem = format!("{at}: {error}");
    match error {
        F::UnexpectedEof { .. } => Error::Truncated { path: path.into(), problem },
        F::UnsupportedFilter(id) => {
            let name = match id {
                4 => "szip",
                32001 => "blosc",
                32004 => "lz4",
                32008 => "bitshuffle",
                32015 => "zstd",
                32026 => "blosc2",
                _ => "a filter that is not known",
            };
            let what = format!("\"{at}\", compressed with {name} (filter {id}; write it with compression=\"gzip\" instead),");
            Error::Unsupported { path: path.into(), what }
        }
        F::UnsupportedVersion(_) | F::InvalidLayoutVersion(5..) => {
            let what = format!("this HDF5 format, newer than 1.14, ({problem})");
            Error::Unsupported { path: path.into(), what }
        }
        F::UnsupportedExternalStorage | F::UnsupportedVirtualLayout => {
            Error::Unsupported { path: path.into(), what: format!("this HDF5 file ({problem})") }
        }
        _ => Error::Damaged { path: path.into(), problem },
    }
}
