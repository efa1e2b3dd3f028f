//! Numbers straight from the file to where they are wanted, on all threads.
//!
//! The crate `hdf5-pure` reads an array on one thread, first as bytes, then as numbers of the stored type. Here bands of rows are read,
//! inflated and converted side by side. What is laid out otherwise (other filters, byte orders or ranks) is left to the crate.

use std::ops::Range;

use flate2::{Decompress, FlushDecompress, Status};
use hdf5_pure::{Chunk, Dataset, Datatype, DatatypeByteOrder, Layout};
use rayon::prelude::*;

use super::store::Bytes;

/// Numbers of one task where the array is stored in one piece.
const TASK: usize = 1 << 17;
const DEFLATE: u16 = 1;
const SHUFFLE: u16 = 2;

/// How the numbers are stored, little end first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    F32,
    F64,
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
}

impl Kind {
    /// None for other types, and for numbers with the big end first.
    pub(super) fn of(datatype: &Datatype) -> Option<Self> {
        Some(match datatype {
            Datatype::FloatingPoint { size: 4, byte_order: DatatypeByteOrder::LittleEndian, .. } => Kind::F32,
            Datatype::FloatingPoint { size: 8, byte_order: DatatypeByteOrder::LittleEndian, .. } => Kind::F64,
            Datatype::FixedPoint { size, byte_order: DatatypeByteOrder::LittleEndian, layout } => match (size, layout.signed) {
                (1, true) => Kind::I8,
                (2, true) => Kind::I16,
                (4, true) => Kind::I32,
                (8, true) => Kind::I64,
                (1, false) => Kind::U8,
                (2, false) => Kind::U16,
                (4, false) => Kind::U32,
                (8, false) => Kind::U64,
                _ => return None,
            },
            _ => return None,
        })
    }
    pub(super) fn is_whole(self) -> bool {
        !matches!(self, Kind::F32 | Kind::F64)
    }
    fn size(self) -> usize {
        match self {
            Kind::I8 | Kind::U8 => 1,
            Kind::I16 | Kind::U16 => 2,
            Kind::F32 | Kind::I32 | Kind::U32 => 4,
            Kind::F64 | Kind::I64 | Kind::U64 => 8,
        }
    }
}

/// A type that numbers are wanted in. The flag says whether the number fits.
pub(super) trait Wanted: Copy + Default + Send {
    fn from_float(v: f64) -> (Self, bool);
    fn from_signed(v: i64) -> (Self, bool);
    fn from_unsigned(v: u64) -> (Self, bool);
}

macro_rules! wanted {
    ($($whole:ty),*) => {$(
        impl Wanted for $whole {
            fn from_float(_: f64) -> (Self, bool) {
                (0, false)
            }
            fn from_signed(v: i64) -> (Self, bool) {
                (v as Self, Self::try_from(v).is_ok())
            }
            fn from_unsigned(v: u64) -> (Self, bool) {
                (v as Self, Self::try_from(v).is_ok())
            }
        }
    )*};
    (floating $($float:ty),*) => {$(
        impl Wanted for $float {
            fn from_float(v: f64) -> (Self, bool) {
                (v as Self, true)
            }
            fn from_signed(v: i64) -> (Self, bool) {
                (v as Self, true)
            }
            fn from_unsigned(v: u64) -> (Self, bool) {
                (v as Self, true)
            }
        }
    )*};
}

wanted!(u32, usize, i64);
wanted!(floating f32, f64);

/// Where the numbers lie.
pub(super) enum Place {
    /// From this byte on.
    Whole(u64),
    Chunks(Chunks),
    /// Somewhere else, or packed in a way that is not known here.
    Elsewhere,
}

/// Chunks of an array of one or two dimensions, sorted by their first row.
pub(super) struct Chunks {
    /// Rows and columns of a chunk.
    shape: [usize; 2],
    chunks: Vec<Chunk>,
    shuffled: bool,
    deflated: bool,
}

impl Place {
    pub(super) fn of(data: &Dataset, layout: &Layout, shape: &[usize], chunks: Option<Vec<Chunk>>) -> Self {
        match (layout, chunks) {
            (Layout::Contiguous { address: Some(address), .. }, _) => Place::Whole(*address),
            (Layout::Chunked { chunk_shape, .. }, Some(mut chunks)) => {
                let (shuffled, deflated) = match data.filters()[..] {
                    [] => (false, false),
                    [DEFLATE] => (false, true),
                    [SHUFFLE] => (true, false),
                    [SHUFFLE, DEFLATE] => (true, true),
                    _ => return Place::Elsewhere,
                };
                let of_chunk: Option<Vec<usize>> = chunk_shape.iter().map(|&c| usize::try_from(c).ok()).collect();
                let chunk = match (of_chunk.as_deref(), shape.len()) {
                    (Some(&[rows]), 1) => [rows, 1],
                    (Some(&[rows, columns]), 2) => [rows, columns],
                    _ => return Place::Elsewhere,
                };
                // A chunk to which a filter was not applied says so in its mask.
                if chunks.iter().any(|c| c.filter_mask != 0) {
                    return Place::Elsewhere;
                }
                chunks.sort_by(|a, b| a.offset.cmp(&b.offset));
                Place::Chunks(Chunks { shape: chunk, chunks, shuffled, deflated })
            }
            _ => Place::Elsewhere,
        }
    }
}

/// Why numbers could not be read.
pub(super) enum Problem {
    /// The first number that does not fit its type: its position among those asked for, and its value.
    Unfit(usize, i128),
    Damaged(String),
    Read(hdf5_pure::FormatError),
}

/// Some rows of an array of `width` columns, stored as `kind` and not elsewhere.
pub(super) fn numbers<T: Wanted>(
    bytes: &Bytes,
    place: &Place,
    kind: Kind,
    rows: Range<usize>,
    width: usize,
) -> Result<Vec<T>, Problem> {
    let mut out = vec![T::default(); rows.len() * width];
    match place {
        Place::Elsewhere => return Err(Problem::Damaged("is not stored here".into())),
        Place::Whole(start) => {
            let first = start + (rows.start * width * kind.size()) as u64;
            out.par_chunks_mut(TASK).enumerate().try_for_each_init(Vec::new, |buffer, (task, out)| -> Result<(), Problem> {
                buffer.resize(out.len() * kind.size(), 0);
                bytes.read_at(first + (task * TASK * kind.size()) as u64, buffer).map_err(Problem::Read)?;
                convert(kind, buffer, out).map_err(|(at, v)| Problem::Unfit(task * TASK + at, v))
            })?;
        }
        Place::Chunks(chunks) => chunks.read(bytes, kind, rows, width, &mut out)?,
    }
    Ok(out)
}

/// Memory of one thread.
#[derive(Default)]
struct Buffers {
    stored: Vec<u8>,
    inflated: Vec<u8>,
    straight: Vec<u8>,
}

impl Chunks {
    fn read<T: Wanted>(&self, bytes: &Bytes, kind: Kind, rows: Range<usize>, width: usize, out: &mut [T]) -> Result<(), Problem> {
        if out.is_empty() {
            return Ok(());
        }
        // A band holds the rows of one row of chunks; the first and the last may be wanted in part.
        let height = self.shape[0];
        let (first, last) = (rows.start / height, (rows.end - 1) / height);
        let mut bands = vec![];
        let mut rest = out;
        for band in first..=last {
            let wanted = rows.start.max(band * height)..rows.end.min((band + 1) * height);
            let (own, others) = rest.split_at_mut(wanted.len() * width);
            bands.push((band * height, wanted, own));
            rest = others;
        }
        bands.into_par_iter().try_for_each_init(Buffers::default, |buffers, (top, wanted, own)| {
            let before = |row: usize| self.chunks.partition_point(|c| c.offset[0] < row as u64);
            for chunk in &self.chunks[before(top)..before(top + height)] {
                let found = self.unpacked(bytes, chunk, kind.size(), buffers)?;
                let row_of_chunk = self.shape[1] * kind.size();
                let found = &found[(wanted.start - top) * row_of_chunk..];
                let at = (wanted.start - rows.start) * width;
                if self.shape[1] == width {
                    convert(kind, found, own).map_err(|(unfit, v)| Problem::Unfit(at + unfit, v))?;
                    continue;
                }
                let left = chunk.offset[1] as usize;
                let columns = left..width.min(left + self.shape[1]);
                for (row, (own, found)) in own.chunks_exact_mut(width).zip(found.chunks_exact(row_of_chunk)).enumerate() {
                    let place = at + row * width + left;
                    convert(kind, found, &mut own[columns.clone()]).map_err(|(unfit, v)| Problem::Unfit(place + unfit, v))?;
                }
            }
            Ok(())
        })
    }

    /// The bytes of a chunk, as they were before the filters.
    fn unpacked<'a>(&self, bytes: &Bytes, chunk: &Chunk, size: usize, buffers: &'a mut Buffers) -> Result<&'a [u8], Problem> {
        let damaged = |what: &str| Problem::Damaged(format!("the chunk at {:?} {what}", chunk.offset));
        let length = self.shape[0].checked_mul(self.shape[1]).and_then(|n| n.checked_mul(size));
        let length = length.ok_or_else(|| damaged("is too large"))?;
        let Buffers { stored, inflated, straight } = buffers;
        // How many bytes are there was compared with the file when it was opened.
        stored.resize(chunk.storage_size as usize, 0);
        bytes.read_at(chunk.address, stored).map_err(Problem::Read)?;
        let mut found = &*stored;
        if self.deflated {
            inflated.resize(length, 0);
            let mut inflate = Decompress::new(true);
            let status = inflate.decompress(stored, inflated, FlushDecompress::Finish);
            if !matches!(status, Ok(Status::StreamEnd)) || inflate.total_out() != length as u64 {
                return Err(damaged("cannot be decompressed"));
            }
            found = inflated;
        }
        if found.len() < length {
            return Err(damaged("is too short"));
        }
        let found = &found[..length];
        if !self.shuffled || size == 1 {
            return Ok(found);
        }
        // All first bytes, then all second ones.
        straight.resize(length, 0);
        let count = length / size;
        for (byte, plane) in found.chunks_exact(count).enumerate() {
            straight[byte..].iter_mut().step_by(size).zip(plane).for_each(|(to, from)| *to = *from);
        }
        Ok(straight)
    }
}

/// Stored bytes to numbers; the first that does not fit is told.
fn convert<T: Wanted>(kind: Kind, bytes: &[u8], out: &mut [T]) -> Result<(), (usize, i128)> {
    macro_rules! all {
        ($stored:ty, $from:ident, $as:ty) => {{
            const SIZE: usize = size_of::<$stored>();
            let number = |b: &[u8]| <$stored>::from_le_bytes(std::array::from_fn(|i| b[i]));
            // There may be more bytes than numbers wanted.
            let bytes = &bytes[..out.len() * SIZE];
            let mut fine = true;
            for (to, from) in out.iter_mut().zip(bytes.chunks_exact(SIZE)) {
                let (value, fits) = T::$from(number(from) as $as);
                *to = value;
                fine &= fits;
            }
            if fine {
                return Ok(());
            }
            let unfit = bytes.chunks_exact(SIZE).position(|b| !T::$from(number(b) as $as).1).unwrap_or(0);
            Err((unfit, number(&bytes[unfit * SIZE..]) as i128))
        }};
    }
    match kind {
        Kind::F32 => all!(f32, from_float, f64),
        Kind::F64 => all!(f64, from_float, f64),
        Kind::I8 => all!(i8, from_signed, i64),
        Kind::I16 => all!(i16, from_signed, i64),
        Kind::I32 => all!(i32, from_signed, i64),
        Kind::I64 => all!(i64, from_signed, i64),
        Kind::U8 => all!(u8, from_unsigned, u64),
        Kind::U16 => all!(u16, from_unsigned, u64),
        Kind::U32 => all!(u32, from_unsigned, u64),
        Kind::U64 => all!(u64, from_unsigned, u64),
    }
}

#[cfg(test)]
mod tests {
    use super::super::store::{Numbers, Object, Store};
    use crate::source::Input;
    use hdf5_pure::FileBuilder;
    use std::path::Path;

    fn store(build: impl FnOnce(&mut FileBuilder)) -> Store {
        let mut builder = FileBuilder::new();
        build(&mut builder);
        let bytes = builder.finish().unwrap();
        Store::open(Input::from_bytes(Path::new("a.h5ad"), bytes, 1 << 30).unwrap(), "h5ad", 1 << 30).unwrap()
    }

    /// Every way of storing gives what the crate reads, for all rows and for some.
    #[test]
    fn numbers_are_those_that_the_crate_reads() {
        let (rows, columns) = (1_003usize, 7usize);
        let floats: Vec<f64> = (0..rows * columns).map(|i| ((i * 37) % 1_001) as f64 / 8.0 - 60.0).collect();
        let wholes: Vec<i32> = (0..rows * columns).map(|i| ((i * 53) % 4_099) as i32).collect();
        for (shuffle, deflate) in [(false, false), (false, true), (true, true)] {
            let opened = store(|file| {
                for (name, shape, chunks) in [
                    ("line", vec![rows * columns], None),
                    ("pieces", vec![rows * columns], Some(vec![256])),
                    ("table", vec![rows, columns], None),
                    ("bands", vec![rows, columns], Some(vec![100, columns])),
                    ("tiles", vec![rows, columns], Some(vec![64, 3])),
                ] {
                    let shape: Vec<u64> = shape.iter().map(|&s| s as u64).collect();
                    let chunks: Option<Vec<u64>> = chunks.map(|c: Vec<usize>| c.iter().map(|&c| c as u64).collect());
                    for kind in ["f64", "i32"] {
                        let data = file.create_dataset(&format!("{name}_{kind}"));
                        match kind {
                            "f64" => data.with_f64_data(&floats),
                            _ => data.with_i32_data(&wholes),
                        };
                        data.with_shape(&shape);
                        if let Some(chunks) = &chunks {
                            data.with_chunks(chunks);
                            if shuffle {
                                data.with_shuffle();
                            }
                            if deflate {
                                data.with_deflate(6);
                            }
                        }
                    }
                }
            });
            for name in ["line", "pieces", "table", "bands", "tiles"] {
                for kind in ["f64", "i32"] {
                    let at = format!("{name}_{kind}");
                    let Some(Object::Array(array)) = opened.object(&at).unwrap() else { panic!("{at}") };
                    let height = array.shape[0];
                    let width: usize = array.shape[1..].iter().product();
                    for part in [None, Some(0..height), Some(0..1), Some(height / 3..height - 5), Some(99..101), Some(5..5)] {
                        let found = opened.direct::<f64>(&array, part.as_ref()).unwrap().expect(&at);
                        let all = part.clone().unwrap_or(0..height);
                        let expected: Vec<f64> = match kind {
                            "f64" => floats[all.start * width..all.end * width].to_vec(),
                            _ => wholes[all.start * width..all.end * width].iter().map(|v| f64::from(*v)).collect(),
                        };
                        assert_eq!(found, expected, "{at} {part:?} {shuffle} {deflate}");
                    }
                    let by_crate = array.read_by_crate();
                    assert_eq!(opened.floats(&array, None).unwrap().unwrap(), by_crate, "{at}");
                    if kind == "i32" {
                        let found: Vec<u32> = opened.integers(&array, None).unwrap();
                        assert!(found.iter().zip(&wholes).all(|(f, w)| *f == *w as u32));
                        assert!(matches!(opened.numbers(&array).unwrap(), Some(Numbers::Int(_))));
                    }
                }
            }
        }
    }

    #[test]
    fn what_does_not_fit_is_told_by_its_place() {
        let opened = store(|file| {
            let mut values = vec![1i64; 3_000];
            values[2_500] = -4;
            values[2_700] = 1 << 40;
            file.create_dataset("x").with_i64_data(&values).with_shape(&[3_000]);
            file.create_dataset("y").with_i64_data(&values).with_shape(&[3_000]).with_chunks(&[512]).with_deflate(1);
            file.create_dataset("z").with_u64_data(&[7, u64::MAX]).with_shape(&[2]);
        });
        for at in ["x", "y"] {
            let Some(Object::Array(array)) = opened.object(at).unwrap() else { panic!() };
            let told = opened.integers::<u32>(&array, None).unwrap_err().to_string();
            assert!(told.contains(&format!("the value -4 at position 2500 of \"{at}\" is out of range")), "{told}");
            let told = opened.integers::<u32>(&array, Some(2_600..3_000)).unwrap_err().to_string();
            assert!(told.contains("the value 1099511627776 at position 100"), "{told}");
            assert_eq!(opened.integers::<i64>(&array, None).unwrap()[2_500], -4);
        }
        let Some(Object::Array(array)) = opened.object("z").unwrap() else { panic!() };
        assert_eq!(opened.floats(&array, None).unwrap().unwrap(), [7.0, u64::MAX as f64]);
        assert!(opened.integers::<i64>(&array, None).unwrap_err().to_string().contains("18446744073709551615"));
    }
}
