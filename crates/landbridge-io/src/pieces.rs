//! Files in pieces: some rows at a time, so that memory does not grow with the number of rows.

use std::fs::File;
use std::path::{Path, PathBuf};

use crate::columnar::ParquetPieces;
use crate::error::{Error, Result};
use crate::format::{Format, Loaded, checked};
use crate::npy::NpyPieces;
use crate::options::{Missing, ReadOptions};
use crate::source::{Compression, name_parts};

/// Values of a piece, about: 32 or 64 MB.
const VALUES: usize = 1 << 23;

/// Rows of a piece, by the number of values of a row.
pub(crate) fn piece_rows(values_of_row: usize) -> usize {
    (VALUES / values_of_row.max(1)).clamp(256, 1 << 17)
}

/// A data file whose rows can be read piece by piece: parquet (no piece reaches over the end of a row group) and npy by rows.
///
/// The cut depends on the file alone, so that work that was stopped can go on.
///
/// ```
/// use landbridge::linalg::Matrix;
/// use landbridge_io::{Pieces, ReadOptions, Table, format_for, write_matrix};
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("x.npy");
/// write_matrix(&path, &Table::new(&Matrix::from_fn(300, 2, |i, _| i as f64)))?;
/// let pieces = Pieces::open(&path, format_for(&path, None)?, &ReadOptions::default())?.unwrap();
/// let mut rows = 0;
/// pieces.read(|_| true, |_, loaded| -> landbridge_io::Result<()> {
///     rows += loaded.rows.nrows();
///     Ok(())
/// })?;
/// assert_eq!((pieces.rows().iter().sum::<usize>(), rows), (300, 300));
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
}

impl Pieces {
    /// None where the rows of the file cannot be read in pieces: other formats, compressed files, missing values that become the
    /// mean of all, and pipes.
    pub fn open(path: &Path, format: &'static dyn Format, options: &ReadOptions) -> Result<Option<Self>> {
        let whole = matches!(options.missing, Missing::Mean | Missing::Unknown | Missing::Drop);
        if whole || name_parts(path).compression != Compression::None || !path.is_file() {
            return Ok(None);
        }
        let kind = match format.name() {
            "parquet" => Some(Kind::Parquet(ParquetPieces::open(path, options)?)),
            "npy" => NpyPieces::open(path, options)?.map(Kind::Npy),
            _ => None,
        };
        Ok(kind.map(|kind| Self { path: path.into(), options: options.clone(), format, kind }))
    }
    /// The rows of each piece.
    pub fn rows(&self) -> Vec<usize> {
        match &self.kind {
            Kind::Parquet(pieces) => pieces.rows(),
            Kind::Npy(pieces) => pieces.rows(),
        }
    }
    /// Reads the wanted pieces, one after the other, and hands each with its number to `take`. An id that occurs in two pieces is
    /// not noticed.
    pub fn read<E: From<Error>>(
        &self,
        wanted: impl Fn(usize) -> bool,
        mut take: impl FnMut(usize, Loaded) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        let checked =
            |at: usize, loaded: Loaded| checked(&self.path, loaded, self.format, &self.options).map_err(|e| self.placed(at, e));
        match &self.kind {
            Kind::Parquet(pieces) => {
                let read = |at: usize, found: Result<Loaded>| take(at, checked(at, found.map_err(|e| self.placed(at, e))?)?);
                pieces.read(&self.path, &self.options, wanted, read)
            }
            Kind::Npy(pieces) => {
                for at in (0..pieces.rows().len()).filter(|at| wanted(*at)) {
                    take(at, checked(at, pieces.read(&self.path, at)?)?)?;
                }
                Ok(())
            }
        }
    }
    /// The error with the row of the file, not of the piece.
    fn placed(&self, at: usize, error: Error) -> Error {
        let before: usize = self.rows()[..at].iter().sum();
        match error {
            Error::MissingAt { path, row, column } => Error::MissingAt { path, row: row + before, column },
            other => other,
        }
    }
}

/// Opens a file for reading.
pub(crate) fn opened(path: &Path) -> Result<File> {
    File::open(path).map_err(|source| Error::Io { path: path.into(), action: "read", source })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::{format_for, read_matrix};
    use arrow_array::{ArrayRef, Float32Array, RecordBatch, StringArray};
    use landbridge::data::Rows;
    use parquet::arrow::ArrowWriter;
    use parquet::file::properties::WriterProperties;
    use std::sync::Arc;

    /// 1,000 rows in row groups of 300, with ids; a value is missing where told.
    fn grouped(hole: Option<usize>) -> Vec<u8> {
        let ids: ArrayRef = Arc::new(StringArray::from_iter_values((0..1000).map(|i| format!("r{i}"))));
        let x: ArrayRef = Arc::new(Float32Array::from_iter((0..1000).map(|i| (Some(i) != hole).then_some(i as f32 * 0.5))));
        let y: ArrayRef = Arc::new(Float32Array::from_iter_values((0..1000).map(|i| 1.0 / (1.0 + i as f32))));
        let batch = RecordBatch::try_from_iter_with_nullable([("id", ids, false), ("x", x, true), ("y", y, true)]).unwrap();
        let properties = WriterProperties::builder().set_max_row_group_row_count(Some(300)).build();
        let mut out = vec![];
        let mut writer = ArrowWriter::try_new(&mut out, batch.schema(), Some(properties)).unwrap();
        writer.write(&batch).unwrap();
        writer.close().unwrap();
        out
    }

    fn pieces(path: &Path) -> Result<Vec<(usize, Loaded)>> {
        let format = format_for(path, None)?;
        let Some(pieces) = Pieces::open(path, format, &ReadOptions::default())? else { return Ok(vec![]) };
        let mut all = vec![];
        pieces.read(
            |at| at != 1,
            |at, loaded| -> Result<()> {
                all.push((at, loaded));
                Ok(())
            },
        )?;
        Ok(all)
    }

    #[test]
    fn pieces_are_the_rows_of_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.parquet");
        std::fs::write(&path, grouped(None)).unwrap();
        let whole = read_matrix(&path, &ReadOptions::default()).unwrap();
        let found = pieces(&path).unwrap();
        assert_eq!(found.iter().map(|(at, l)| (*at, l.rows.nrows())).collect::<Vec<_>>(), [(0, 300), (2, 300), (3, 100)]);
        for (at, loaded) in found {
            let chosen: Vec<usize> = (300 * at..300 * at + loaded.rows.nrows()).collect();
            assert_eq!(loaded.rows, whole.rows.select(&chosen));
            assert_eq!(loaded.row_ids.unwrap(), whole.row_ids.as_ref().unwrap()[chosen[0]..=chosen[chosen.len() - 1]]);
            assert!(matches!(loaded.rows, Rows::F32(_)));
        }
        std::fs::write(&path, grouped(Some(777))).unwrap();
        let message = pieces(&path).err().unwrap().to_string();
        assert!(message.ends_with("a.parquet row 777, column \"x\": the value is missing"), "{message}");
        let packed = folder.path().join("a.parquet.gz");
        std::fs::write(&packed, b"").unwrap();
        assert!(pieces(&packed).unwrap().is_empty());
    }

    #[test]
    fn broken_files_are_refused_in_pieces_too() {
        let folder = tempfile::tempdir().unwrap();
        let good = grouped(None);
        let path = folder.path().join("a.parquet");
        let mut state = 1u64;
        let mut random = |bound: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % bound
        };
        for round in 0..600 {
            let mut bad = good.clone();
            match round % 3 {
                0 => bad.truncate(random(good.len())),
                _ => (0..1 + random(4)).for_each(|_| {
                    let at = random(good.len());
                    bad[at] ^= 1 << random(8);
                }),
            }
            std::fs::write(&path, &bad).unwrap();
            // Refused, or read as what it then is: never a panic.
            let found = pieces(&path);
            if round % 3 == 0 {
                assert!(found.is_err(), "{round}");
            }
        }
    }
}
