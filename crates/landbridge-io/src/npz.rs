//! NumPy archives (`.npz`): dense arrays by name, or a sparse matrix as SciPy's `save_npz` writes it.

mod pieces;

pub(crate) use pieces::npz_pieces;

use std::io::{Read, Write};
use std::path::Path;

use landbridge::linalg::Csr;
use zip::result::ZipError;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

use crate::error::{Error, Result};
use crate::format::{Format, Loaded, Refusal, RowsRef, Table};
use crate::npy::{self, Array, Values};
use crate::options::ReadOptions;
use crate::source::{Input, ReadSeek, too_large};
use crate::sparse;
use crate::text::listed;

/// The `.npz` format. An archive with the keys `format` and `shape` is a SciPy sparse matrix (csr, csc or coo)
/// and stays sparse; otherwise the only array is read, or the one chosen by [`ReadOptions::key`].
pub struct Npz;

impl Format for Npz {
    fn name(&self) -> &'static str {
        "npz"
    }
    fn extensions(&self) -> &'static [&'static str] {
        &["npz"]
    }
    fn read(&self, input: Input, options: &ReadOptions) -> Result<Loaded> {
        let (path, file) = input.into_seekable()?;
        let mut archive = Archive::open(path.as_path(), file, options.max_memory)?;
        let keys = archive.keys.clone();
        let has = |key: &str| keys.iter().any(|k| k == key);
        if options.key.is_none() && has("format") && has("shape") {
            return Ok(Loaded::new(archive.sparse()?.into()));
        }
        let choice = |problem: String| Error::ArrayChoice { path: path.clone(), problem, known: listed(&keys) };
        let key = match (&options.key, &keys[..]) {
            (Some(key), _) if has(key) => key.as_str(),
            (Some(key), _) => return Err(choice(format!("there is no array \"{key}\""))),
            (None, [only]) => only.as_str(),
            (None, []) => {
                return Err(Error::Damaged { path, problem: "it has no arrays".into() });
            }
            (None, _) => return Err(choice("no array was chosen".into())),
        };
        let array = archive.array(key)?;
        Ok(Loaded::new(npy::into_rows(array, &path)?))
    }
    fn write(&self, sink: &mut dyn Write, table: &Table) -> std::io::Result<()> {
        let mut zip = ZipWriter::new_stream(sink);
        // As NumPy and SciPy do: dense numbers hardly shrink, column numbers do.
        let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored).large_file(true);
        let packed = stored.compression_method(CompressionMethod::Deflated);
        let mut member =
            |key: &str, options, descr: &str, shape: &[usize], fill: &dyn Fn(&mut dyn Write) -> std::io::Result<()>| {
                zip.start_file(format!("{key}.npy"), options)?;
                npy::write_header(&mut zip, descr, shape)?;
                fill(&mut zip)
            };
        match table.rows {
            RowsRef::F64(m) => member("arr_0", stored, "<f8", &[m.nrows(), m.ncols()], &|w| {
                npy::write_values(w, m.as_slice(), f64::to_le_bytes)
            })?,
            RowsRef::F32(m) => member("arr_0", stored, "<f4", &[m.nrows(), m.ncols()], &|w| {
                npy::write_values(w, m.as_slice(), f32::to_le_bytes)
            })?,
            RowsRef::Sparse(m) => {
                // SciPy reads 32-bit indices without a copy; it needs them signed.
                let narrow = m.nnz() <= i32::MAX as usize && m.ncols() <= i32::MAX as usize;
                let int = if narrow { "<i4" } else { "<i8" };
                let shape = [m.nrows(), m.ncols()];
                member("indices", packed, int, &[m.nnz()], &|w| match narrow {
                    true => npy::write_values(w, m.indices(), |j| (j as i32).to_le_bytes()),
                    false => npy::write_values(w, m.indices(), |j| i64::from(j).to_le_bytes()),
                })?;
                member("indptr", packed, int, &[m.indptr().len()], &|w| match narrow {
                    true => npy::write_values(w, m.indptr(), |i| (i as i32).to_le_bytes()),
                    false => npy::write_values(w, m.indptr(), |i| (i as i64).to_le_bytes()),
                })?;
                member("format", packed, "|S3", &[], &|w| w.write_all(b"csr"))?;
                member("shape", packed, "<i8", &[2], &|w| npy::write_values(w, &shape, |n| (n as i64).to_le_bytes()))?;
                member("data", packed, "<f8", &[m.nnz()], &|w| npy::write_values(w, m.values(), f64::to_le_bytes))?;
            }
        }
        zip.finish()?;
        Ok(())
    }
    fn understands(&self, option: &str) -> bool {
        option == "key"
    }
    fn refuses(&self, table: &Table) -> Option<Refusal> {
        table.names_given()
    }
}

struct Archive<'a> {
    path: &'a Path,
    zip: ZipArchive<Box<dyn ReadSeek>>,
    keys: Vec<String>,
    /// Bytes that may still be taken.
    left: u64,
    limit: u64,
}

impl<'a> Archive<'a> {
    fn open(path: &'a Path, file: Box<dyn ReadSeek>, limit: u64) -> Result<Self> {
        let mut file = file;
        let mut magic = [0u8; 2];
        let got = crate::source::read_up_to(&mut file, &mut magic).map_err(|e| crate::source::read_error(path, e))?;
        if magic[..got] != b"PK"[..got] {
            let problem = format!("it begins with {:02x?}", &magic[..got]);
            return Err(Error::WrongFormat { path: path.into(), format: "npz", problem });
        }
        let zip = ZipArchive::new(file).map_err(|e| zip_error(path, e))?;
        let mut keys = Vec::new();
        for name in zip.file_names() {
            let name = name.map_err(|e| zip_error(path, e))?;
            keys.extend(name.strip_suffix(".npy").map(str::to_string));
        }
        Ok(Self { path, zip, keys, left: limit, limit })
    }

    fn array(&mut self, key: &str) -> Result<Array> {
        let path = self.path;
        let mut member = self.zip.by_name(&format!("{key}.npy")).map_err(|e| zip_error(path, e))?;
        let declared = member.size();
        if declared > self.left {
            return Err(too_large(path, &format!("the array \"{key}\""), declared.into(), self.limit));
        }
        // What the archive declares is only a claim: never read more than that, and take memory as data comes.
        let array = npy::read_array(&mut member.by_ref().take(declared + 1), path, None, self.left)?;
        self.left -= declared;
        Ok(array)
    }

    fn text(&mut self, key: &str) -> Result<String> {
        match self.array(key)?.values {
            Values::Text(text) => Ok(text),
            _ => Err(self.damaged(format!("the array \"{key}\" is not text"))),
        }
    }

    /// A vector of integers, each converted; the first that does not fit is named.
    fn integers<T: TryFrom<i64>>(&mut self, key: &str) -> Result<Vec<T>> {
        let array = self.array(key)?;
        let Values::Int(values) = array.values else {
            return Err(self.damaged(format!("the array \"{key}\" holds no integers")));
        };
        let mut converted = Vec::with_capacity(values.len());
        for (at, &v) in values.iter().enumerate() {
            converted.push(
                T::try_from(v)
                    .map_err(|_| self.damaged(format!("the value {v} at position {at} of \"{key}\" is out of range")))?,
            );
        }
        Ok(converted)
    }

    fn damaged(&self, problem: String) -> Error {
        Error::Damaged { path: self.path.into(), problem }
    }

    /// SciPy's `save_npz`: format, shape, data and indices, indptr (csr, csc) or row, col (coo).
    fn sparse(&mut self) -> Result<Csr> {
        let format = self.text("format")?;
        if !["csr", "csc", "coo"].contains(&format.as_str()) {
            return Err(Error::Unsupported {
                path: self.path.into(),
                what: format!("a sparse matrix in the format \"{format}\""),
            });
        }
        let shape: Vec<u64> = self.integers("shape")?;
        let [nrows, ncols] = shape[..] else {
            return Err(self.damaged(format!("its shape has {} numbers instead of 2", shape.len())));
        };
        let values = self.array("data")?;
        let values = npy::values_f64(values.values).ok_or_else(|| self.damaged("its data are text".into()))?;
        let shape = sparse::check_shape(self.path, nrows, ncols, values.len())?;
        if format == "coo" {
            let (rows, columns): (Vec<u32>, Vec<u32>) = (self.integers("row")?, self.integers("col")?);
            if rows.len() != values.len() || columns.len() != values.len() {
                return Err(self.damaged(format!("{} rows, {} columns, {} values", rows.len(), columns.len(), values.len())));
            }
            return sparse::from_entries(self.path, shape, rows, columns, values);
        }
        let (starts, inner): (Vec<usize>, Vec<u32>) = (self.integers("indptr")?, self.integers("indices")?);
        let outer = if format == "csr" { shape.0 } else { shape.1 };
        if starts.len() != outer + 1 {
            return Err(self.damaged(format!("{} row or column starts where {} are needed", starts.len(), outer + 1)));
        }
        let width = if format == "csr" { shape.1 } else { shape.0 };
        let compressed = Csr::new(starts, inner, values, width)?;
        Ok(if format == "csr" { compressed } else { compressed.transpose() })
    }
}

/// An error of the zip reader as an error of this crate.
fn zip_error(path: &Path, error: ZipError) -> Error {
    match error {
        ZipError::Io(source) => crate::source::read_error(path, source),
        ZipError::UnsupportedArchive(what) => Error::Unsupported { path: path.into(), what: format!("this archive ({what})") },
        // The directory of an archive is at its end: without it, the end is missing.
        ZipError::InvalidArchive(problem) => Error::Damaged { path: path.into(), problem: problem.to_string() },
        other => Error::Damaged { path: path.into(), problem: other.to_string() },
    }
}
