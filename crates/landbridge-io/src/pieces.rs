//! Files in pieces: some rows at a time, so that memory does not grow with the number of rows.

use std::fs::File;
use std::io::{BufRead, Read};
use std::path::{Path, PathBuf};

use crate::columnar::{ParquetPieces, arrow_pieces};
use crate::error::{Error, Result};
use crate::format::{Format, Loaded, checked};
use crate::h5ad::h5ad_pieces;
use crate::mtx::mtx_pieces;
use crate::npy::NpyPieces;
use crate::npz::npz_pieces;
use crate::options::{Missing, ReadOptions};
use crate::source::{Compression, Input, name_parts, read_up_to};
use crate::stream::RowStream;

/// Values of a piece, about: 32 or 64 MB. Tests walk the same way with small files.
pub(crate) const VALUES: usize = if cfg!(test) { 1 << 10 } else { 1 << 23 };
/// Bytes of a piece of text.
const TEXT: usize = if cfg!(test) { 1 << 10 } else { 1 << 24 };
/// Least rows of a piece.
const LEAST: usize = if cfg!(test) { 16 } else { 256 };

/// Rows of a piece, by the number of values of a row.
pub(crate) fn piece_rows(values_of_row: usize) -> usize {
    (VALUES / values_of_row.max(1)).clamp(LEAST, 1 << 17)
}

/// A data file whose rows can be read piece by piece: parquet (no piece reaches over the end of a row group), npy, npz and h5ad by
/// rows, arrow by batches, mtx that is sorted by rows, and csv, tsv, txt and jsonl by lines; the last six also compressed, npz and
/// h5ad only in themselves.
///
/// The cut depends on the file alone, so that work that was stopped can go on.
///
/// ```
/// use landbridge::linalg::Matrix;
/// use landbridge_io::{Pieces, ReadOptions, Table, format_for, write_matrix};
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("x.npy");
/// write_matrix(&path, &Table::new(&Matrix::from_fn(300, 2, |i, _| i as f64)))?;
/// let pieces = Pieces::open(&path, format_for(&path, None)?, &ReadOptions::default())?;
/// let mut rows = 0;
/// pieces.read(|_| true, |_, loaded| -> landbridge_io::Result<()> {
///     rows += loaded.rows.nrows();
///     Ok(())
/// })?;
/// assert_eq!((pieces.count(), rows), (Some(1), 300));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Pieces {
    path: PathBuf,
    options: ReadOptions,
    format: &'static dyn Format,
    kind: Kind,
}

enum Kind {
    Parquet(ParquetPieces),
    Npy(NpyPieces),
    /// Pieces that are found while the file is read.
    Walked(Walk),
}

/// Reads a file from its beginning and hands its pieces on.
type Walk = fn(&Path, &'static dyn Format, &ReadOptions, &mut Taker<'_>) -> Result<()>;

/// Who takes the pieces of a file, in their order.
pub(crate) struct Taker<'a> {
    wanted: &'a dyn Fn(usize) -> bool,
    /// Number of the piece, number of its first row, its rows; false ends the reading.
    take: &'a mut dyn FnMut(usize, usize, Result<Loaded>) -> bool,
    at: usize,
    row: usize,
}

impl Taker<'_> {
    /// Whether the next piece is wanted.
    pub(crate) fn wants(&self) -> bool {
        (self.wanted)(self.at)
    }
    /// Whether the piece so many behind the next one is wanted.
    pub(crate) fn wants_ahead(&self, ahead: usize) -> bool {
        (self.wanted)(self.at + ahead)
    }
    /// Passes over a piece.
    pub(crate) fn skip(&mut self, rows: usize) {
        self.at += 1;
        self.row += rows;
    }
    /// Hands a piece on. False: no more is wanted.
    pub(crate) fn give(&mut self, rows: usize, loaded: Result<Loaded>) -> bool {
        let go_on = (self.take)(self.at, self.row, loaded);
        self.skip(rows);
        go_on
    }
}

impl Pieces {
    /// Refuses files whose rows cannot be read in pieces, and says why: other formats, some compressed files, missing values that
    /// become the mean of all, and pipes.
    pub fn open(path: &Path, format: &'static dyn Format, options: &ReadOptions) -> Result<Self> {
        let whole = |why: &str| Error::NotInPieces { path: path.into(), why: why.into() };
        match options.missing {
            Missing::Mean => {
                return Err(whole("missing values become the mean of all rows; --missing zero needs one row at a time"));
            }
            Missing::Drop => return Err(whole("rows with missing values are to be left out; leave them out before")),
            _ => {}
        }
        if options.ratings {
            return Err(whole("the ratings of a user may stand anywhere in the file"));
        }
        if path.is_dir() {
            return Err(Error::IsDirectory { path: path.into() });
        }
        if !path.is_file() {
            Input::open(path, options.max_memory)?;
            return Err(whole("it is a pipe, from which nothing can be read again"));
        }
        let packed = name_parts(path).compression != Compression::None;
        let kind = match format.name() {
            "parquet" if !packed => Kind::Parquet(ParquetPieces::open(path, options)?),
            "npy" if !packed => match NpyPieces::open(path, options)? {
                Some(pieces) => Kind::Npy(pieces),
                None => return Err(whole("the array is stored column by column")),
            },
            "npz" if !packed => Kind::Walked(npz_pieces),
            "h5ad" | "h5mu" if !packed => Kind::Walked(h5ad_pieces),
            "parquet" | "npy" | "npz" | "h5ad" | "h5mu" => return Err(whole("it is compressed as a whole; decompress it")),
            "arrow" => Kind::Walked(arrow_pieces),
            "mtx" => Kind::Walked(mtx_pieces),
            // Lines of jsonl may be vectors; documents are noticed when they are read.
            _ if format.is_text() && options.recipe.is_none() && format.name() != "jsonl" => return Err(whole(WORDS_OF_ALL)),
            _ if format.is_text() || format.is_text_table() => Kind::Walked(line_pieces),
            other => return Err(whole(&format!("{other} files are read at once"))),
        };
        Ok(Self { path: path.into(), options: options.clone(), format, kind })
    }
    /// The number of pieces, where it is known before the file is read.
    pub fn count(&self) -> Option<usize> {
        match &self.kind {
            Kind::Parquet(pieces) => Some(pieces.rows().len()),
            Kind::Npy(pieces) => Some(pieces.rows().len()),
            Kind::Walked(_) => None,
        }
    }
    /// Reads the wanted pieces, one after the other, and hands each with its number to `take`; the number of all pieces. An id that
    /// occurs in two pieces is not noticed.
    pub fn read<E: From<Error>>(
        &self,
        wanted: impl Fn(usize) -> bool,
        mut take: impl FnMut(usize, Loaded) -> std::result::Result<(), E>,
    ) -> std::result::Result<usize, E> {
        let mut failed = None;
        let mut hand = |at: usize, row: usize, found: Result<Loaded>| {
            let found = found.and_then(|loaded| checked(&self.path, loaded, self.format, &self.options));
            let done = found.map_err(|e| E::from(placed(row, e))).and_then(|loaded| take(at, loaded));
            failed = done.err();
            failed.is_none()
        };
        let mut taker = Taker { wanted: &wanted, take: &mut hand, at: 0, row: 0 };
        match &self.kind {
            Kind::Parquet(pieces) => pieces.read(&self.path, &self.options, &mut taker)?,
            Kind::Npy(pieces) => {
                for (at, rows) in pieces.rows().into_iter().enumerate() {
                    if !taker.wants() {
                        taker.skip(rows);
                    } else if !taker.give(rows, pieces.read(&self.path, at)) {
                        break;
                    }
                }
            }
            Kind::Walked(walk) => walk(&self.path, self.format, &self.options, &mut taker)?,
        }
        let count = taker.at;
        match failed {
            None => Ok(count),
            Some(error) => Err(error),
        }
    }
}

/// The error with the row of the file, not of the piece.
fn placed(before: usize, error: Error) -> Error {
    match error {
        Error::MissingAt { path, row, column } => Error::MissingAt { path, row: row + before, column },
        Error::BadRow { path, row, problem } => Error::BadRow { path, row: row + before, problem },
        other => other,
    }
}

/// Why documents cannot be read in pieces without the recipe of a model.
const WORDS_OF_ALL: &str = "the words of all documents are needed to make columns of them";

/// Lines of csv, tsv, txt and jsonl files.
fn line_pieces(path: &Path, format: &'static dyn Format, options: &ReadOptions, taker: &mut Taker<'_>) -> Result<()> {
    let (_, reader, _) = Input::open(path, options.max_memory)?.into_reader();
    let source = Full { reader, buffer: vec![0; TEXT], start: 0, end: 0 };
    let Some(mut stream) = RowStream::of_file(source, path, format, options.clone())? else {
        return Err(Error::NotInPieces { path: path.into(), why: "it is compressed twice".into() });
    };
    loop {
        if taker.wants() || !stream.is_settled() {
            let Some(found) = stream.next_rows()? else { return Ok(()) };
            if found.recipe.is_some() {
                return Err(Error::NotInPieces { path: path.into(), why: WORDS_OF_ALL.into() });
            }
            if !taker.wants() {
                taker.skip(found.rows.nrows());
            } else if !taker.give(found.rows.nrows(), Ok(found)) {
                return Ok(());
            }
        } else if stream.skip_rows()? {
            taker.skip(0); // messages have the number of the line
        } else {
            return Ok(());
        }
    }
}

/// A reader whose buffer is full until the end comes, so that pieces do not depend on how bytes arrive.
struct Full {
    reader: Box<dyn Read>,
    buffer: Vec<u8>,
    start: usize,
    end: usize,
}

impl Read for Full {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        let found = self.fill_buf()?;
        let count = found.len().min(out.len());
        out[..count].copy_from_slice(&found[..count]);
        self.consume(count);
        Ok(count)
    }
}

impl BufRead for Full {
    fn fill_buf(&mut self) -> std::io::Result<&[u8]> {
        if self.start == self.end {
            (self.start, self.end) = (0, read_up_to(&mut *self.reader, &mut self.buffer)?);
        }
        Ok(&self.buffer[self.start..self.end])
    }
    fn consume(&mut self, count: usize) {
        self.start += count;
    }
}

/// Opens a file for reading.
pub(crate) fn opened(path: &Path) -> Result<File> {
    File::open(path).map_err(|source| Error::Io { path: path.into(), action: "read", source })
}

#[cfg(test)]
mod tests;
