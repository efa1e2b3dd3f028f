//! Archives of NumPy in pieces: a dense array by rows, or a sparse matrix of SciPy that is stored by rows (CSR).

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

use landbridge::linalg::Csr;
use zip::ZipArchive;
use zip::read::ZipFile;

use super::{Archive, zip_error};
use crate::error::{Error, Result};
use crate::format::{Format, Loaded};
use crate::npy::{self, Array, Descr, Header, Values};
use crate::options::ReadOptions;
use crate::pieces::{Taker, opened, piece_rows};
use crate::source::{Input, too_large};
use crate::sparse;
use crate::text::listed;

type Zip = ZipArchive<BufReader<File>>;

fn zip(path: &Path) -> Result<Zip> {
    ZipArchive::new(BufReader::with_capacity(1 << 16, opened(path)?)).map_err(|e| zip_error(path, e))
}

/// Hands on as many rows at a time as have some eight million places or values.
pub(crate) fn npz_pieces(path: &Path, _: &'static dyn Format, options: &ReadOptions, taker: &mut Taker<'_>) -> Result<()> {
    let (_, file) = Input::open(path, options.max_memory)?.into_seekable()?;
    let mut archive = Archive::open(path, file, options.max_memory)?;
    let keys = archive.keys.clone();
    let has = |key: &str| keys.iter().any(|k| k == key);
    if options.key.is_none() && has("format") && has("shape") {
        let format = archive.text("format")?;
        if format != "csr" {
            let why = format!("the sparse matrix is stored as {format}, not by rows (csr)");
            return Err(Error::NotInPieces { path: path.into(), why });
        }
        let shape: Vec<u64> = archive.integers("shape")?;
        let [nrows, ncols] = shape[..] else {
            return Err(archive.damaged(format!("its shape has {} numbers instead of 2", shape.len())));
        };
        return sparse_pieces(path, (nrows, ncols), options, taker);
    }
    let choice = |problem: String| Error::ArrayChoice { path: path.into(), problem, known: listed(&keys) };
    let key = match (&options.key, &keys[..]) {
        (Some(key), _) if has(key) => key,
        (Some(key), _) => return Err(choice(format!("there is no array \"{key}\""))),
        (None, [only]) => only,
        (None, _) => return Err(choice("no array was chosen".into())),
    };
    dense_pieces(path, key, options, taker)
}

fn dense_pieces(path: &Path, key: &str, options: &ReadOptions, taker: &mut Taker<'_>) -> Result<()> {
    let mut zip = zip(path)?;
    let mut member = Member::open(path, &mut zip, key)?;
    let (nrows, ncols) = match member.shape[..] {
        [n] => (n, 1),
        [n, p] if !member.fortran || p == 1 => (n, p),
        [_, _] => return Err(Error::NotInPieces { path: path.into(), why: "the array is stored column by column".into() }),
        _ => {
            return Err(Error::Unsupported { path: path.into(), what: format!("an array of {} dimensions", member.shape.len()) });
        }
    };
    let step = piece_rows(ncols);
    let most = (step.min(nrows) as u128) * (ncols as u128) * 8;
    if most > u128::from(options.max_memory) {
        return Err(too_large(path, "a piece of the array", most, options.max_memory));
    }
    if nrows == 0 || ncols == 0 {
        return Err(Error::NoData { path: path.into(), rows: nrows, columns: ncols });
    }
    for start in (0..nrows).step_by(step) {
        let count = step.min(nrows - start);
        let values = member.values(path, count * ncols)?;
        if !taker.wants() {
            taker.skip(count);
            continue;
        }
        let rows = npy::into_rows(Array { shape: vec![count, ncols], values }, path);
        if !taker.give(count, rows.map(Loaded::new)) {
            return Ok(());
        }
    }
    member.end(path)
}

/// Row starts, columns and values are read side by side, each by a reader of its own.
fn sparse_pieces(path: &Path, (nrows, ncols): (u64, u64), options: &ReadOptions, taker: &mut Taker<'_>) -> Result<()> {
    let mut zips = [zip(path)?, zip(path)?, zip(path)?];
    let [one, two, three] = &mut zips;
    let mut starts = Member::open(path, one, "indptr")?;
    let mut columns = Member::open(path, two, "indices")?;
    let mut data = Member::open(path, three, "data")?;
    let damaged = |problem: String| Error::Damaged { path: path.into(), problem };
    let entries = data.count();
    let (nrows, ncols) = sparse::check_shape(path, nrows, ncols, entries)?;
    if columns.count() != entries || starts.count() != nrows + 1 {
        let problem = format!("{} values, {} columns and {} row starts", entries, columns.count(), starts.count());
        return Err(damaged(problem));
    }
    let step = piece_rows(2 * entries / nrows);
    let mut before = starts.integers::<usize>(path, 1, "indptr")?[0];
    if before != 0 {
        return Err(damaged(format!("its first row begins at {before}")));
    }
    for start in (0..nrows).step_by(step) {
        let count = step.min(nrows - start);
        let ends = starts.integers::<usize>(path, count, "indptr")?;
        let end = ends[count - 1];
        if end > entries || !ends.iter().fold((before, true), |(last, up), &e| (e, up && last <= e)).1 {
            return Err(damaged("its row starts do not ascend".into()));
        }
        let bytes = 16 * (end - before) as u64;
        if bytes > options.max_memory {
            return Err(too_large(path, "a piece of the matrix", bytes.into(), options.max_memory));
        }
        let inner = columns.integers::<u32>(path, end - before, "indices")?;
        let values = data.values(path, end - before)?;
        let wanted = taker.wants();
        if wanted {
            let values = npy::values_f64(values).ok_or_else(|| damaged("its data are text".into()))?;
            let relative = std::iter::once(0).chain(ends.iter().map(|e| e - before)).collect();
            let rows = Csr::new(relative, inner, values, ncols).map_err(Error::from);
            if !taker.give(count, rows.map(|rows| Loaded::new(rows.into()))) {
                return Ok(());
            }
        } else {
            taker.skip(count);
        }
        before = end;
    }
    if before != entries {
        return Err(damaged(format!("its rows have {before} of {entries} values")));
    }
    // The checksums of the archive are compared at the end of each array.
    starts.end(path)?;
    columns.end(path)?;
    data.end(path)
}

/// An array of the archive, of which some values are read at a time.
struct Member<'a> {
    reader: ZipFile<'a, BufReader<File>>,
    descr: Descr,
    shape: Vec<usize>,
    fortran: bool,
}

impl<'a> Member<'a> {
    fn open(path: &Path, zip: &'a mut Zip, key: &str) -> Result<Self> {
        let mut reader = zip.by_name(&format!("{key}.npy")).map_err(|e| zip_error(path, e))?;
        let (Header { descr, fortran, shape }, _) = npy::read_header(&mut reader, path)?;
        Ok(Self { reader, descr, shape, fortran })
    }
    fn count(&self) -> usize {
        self.shape.iter().product()
    }
    fn values(&mut self, path: &Path, count: usize) -> Result<Values> {
        npy::read_values(&mut self.reader, path, &self.descr, count, false)
    }
    fn integers<T: TryFrom<i64>>(&mut self, path: &Path, count: usize, key: &str) -> Result<Vec<T>> {
        let damaged = |problem: String| Error::Damaged { path: path.into(), problem };
        let Values::Int(values) = self.values(path, count)? else {
            return Err(damaged(format!("the array \"{key}\" holds no integers")));
        };
        let one = |v: i64| T::try_from(v).map_err(|_| damaged(format!("the value {v} of \"{key}\" is out of range")));
        values.into_iter().map(one).collect()
    }
    /// Refuses bytes after the array, and an array whose checksum is wrong.
    fn end(&mut self, path: &Path) -> Result<()> {
        let mut more = [0; 1];
        match self.reader.read(&mut more).map_err(|e| crate::source::read_error(path, e))? {
            0 => Ok(()),
            _ => Err(Error::Damaged { path: path.into(), problem: "there are bytes after an array".into() }),
        }
    }
}
