//! What a reader understands of a file, before anything is made of it.

use std::collections::BTreeSet;
use std::path::Path;

use landbridge::data::Rows;
use landbridge::linalg::{Matrix, Scalar};

use crate::error::Result;
use crate::format::{format_for, read_matrix};
use crate::missing;
use crate::options::{Missing, ReadOptions};

/// Names that are shown.
const SHOWN: usize = 5;

/// What a reader understands of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Inspection {
    /// Name of the format.
    pub format: &'static str,
    /// Rows.
    pub rows: usize,
    /// Features of a row.
    pub features: usize,
    /// "dense f64", "dense f32" or "sparse".
    pub kind: &'static str,
    /// Stored entries; all of them where rows are dense.
    pub stored: usize,
    /// The part of all values that is not zero.
    pub density: f64,
    /// Missing values.
    pub missing: usize,
    /// Rows in which every value is zero.
    pub empty_rows: usize,
    /// The first ids, where there are ids.
    pub first_ids: Option<Vec<String>>,
    /// The first names of columns, where there are names.
    pub first_columns: Option<Vec<String>>,
    /// The first kinds of labels in alphabetical order, where there are labels.
    pub first_labels: Option<Vec<String>>,
    /// How many kinds of labels there are.
    pub label_kinds: usize,
    /// Whether it was made from text.
    pub is_text: bool,
    /// Memory that rows and names take.
    pub bytes: u64,
}

/// Stored entries, those that are not zero, rows of zeros only, and bytes of the numbers.
fn dense<T: Scalar>(m: &Matrix<T>) -> (usize, usize, usize, usize) {
    let zero = T::default();
    let empty = m.rows().filter(|row| row.iter().all(|v| *v == zero)).count();
    let values = m.as_slice();
    (values.len(), values.iter().filter(|v| **v != zero).count(), empty, size_of_val(values))
}

/// Reads a file and says what it holds. Missing values are counted, not refused.
///
/// ```
/// use landbridge_io::{ReadOptions, inspect};
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("en.csv");
/// std::fs::write(&path, "id,x,y\ncat,1,0\ndog,,4\n")?;
/// let found = inspect(&path, &ReadOptions::default())?;
/// assert_eq!((found.rows, found.features, found.missing), (2, 2, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn inspect(path: impl AsRef<Path>, options: &ReadOptions) -> Result<Inspection> {
    let path = path.as_ref();
    let format = format_for(path, options.format.as_deref())?.name();
    let keep = if options.missing == Missing::Error { Missing::Keep } else { options.missing };
    let loaded = read_matrix(path, &ReadOptions { missing: keep, ..options.clone() })?;
    let (rows, features) = (loaded.rows.nrows(), loaded.rows.ncols());
    let (stored, nonzero, empty_rows, numbers) = match &loaded.rows {
        Rows::F64(m) => dense(m),
        Rows::F32(m) => dense(m),
        Rows::Sparse(m) => {
            let empty = (0..rows).filter(|&i| m.row_values(i).iter().all(|v| *v == 0.0)).count();
            (m.nnz(), m.values().iter().filter(|v| **v != 0.0).count(), empty, 12 * m.nnz() + 8 * (rows + 1))
        }
    };
    let kinds: Option<BTreeSet<&String>> = loaded.labels.as_ref().map(|labels| labels.iter().collect());
    let first = |names: &Option<Vec<String>>| names.as_ref().map(|names| names.iter().take(SHOWN).cloned().collect());
    let names = [&loaded.row_ids, &loaded.columns, &loaded.labels].into_iter().flatten().flatten();
    Ok(Inspection {
        format,
        rows,
        features,
        kind: loaded.rows.kind(),
        stored,
        density: nonzero as f64 / (rows as f64 * features as f64),
        missing: missing::count(&loaded.rows),
        empty_rows,
        first_ids: first(&loaded.row_ids),
        first_columns: first(&loaded.columns),
        first_labels: kinds.as_ref().map(|kinds| kinds.iter().take(SHOWN).map(|k| k.to_string()).collect()),
        label_kinds: kinds.map_or(0, |kinds| kinds.len()),
        is_text: loaded.recipe.is_some(),
        bytes: numbers as u64 + names.map(|n| (n.len() + size_of::<String>()) as u64).sum::<u64>(),
    })
}
