//! Lists of entries to compressed rows, with the declared size compared to what is there.

use std::path::Path;

use landbridge::linalg::Csr;

use crate::error::{Error, Result};

/// Rows that a sparse file may declare for nothing; beyond that, [`ROWS_PER_ENTRY`] rows per stored entry.
const FREE_ROWS: usize = 1 << 18;
const ROWS_PER_ENTRY: usize = 16;

/// Refuses a shape that the entries cannot fill: row starts take memory even for rows without entries.
pub(crate) fn check_shape(path: &Path, nrows: u64, ncols: u64, entries: usize) -> Result<(usize, usize)> {
    let (Ok(rows), Ok(columns)) = (usize::try_from(nrows), usize::try_from(ncols)) else {
        return Err(Error::Damaged { path: path.into(), problem: format!("its shape is {nrows} x {ncols}") });
    };
    if rows == 0 || columns == 0 {
        return Err(Error::NoData { path: path.into(), rows, columns });
    }
    if ncols > 1 << 32 || nrows > u64::from(u32::MAX) || rows > FREE_ROWS.saturating_add(entries.saturating_mul(ROWS_PER_ENTRY)) {
        let problem = format!("it declares {nrows} x {ncols} values and stores {entries} entries");
        return Err(Error::Damaged { path: path.into(), problem });
    }
    Ok((rows, columns))
}

/// Entries whose rows ascend, as runs of row and count, to compressed rows. The shape and the places were checked.
pub(crate) fn from_runs(
    shape: (usize, usize),
    runs: impl Iterator<Item = (u32, u32)>,
    columns: Vec<u32>,
    values: Vec<f64>,
) -> Result<Csr> {
    let mut starts = Vec::with_capacity(shape.0 + 1);
    let mut entries = 0;
    for (row, count) in runs {
        // Rows up to this one begin where the entries so far end.
        starts.resize((row as usize + 1).max(starts.len()), entries);
        entries += count as usize;
    }
    starts.resize(shape.0 + 1, entries);
    Ok(Csr::new(starts, columns, values, shape.1)?)
}

/// Entries in any order to compressed rows; repeated places add up. The shape was checked, the places were not.
pub(crate) fn from_entries(path: &Path, shape: (usize, usize), rows: &[u32], columns: &[u32], values: &[f64]) -> Result<Csr> {
    let (nrows, ncols) = shape;
    let mut starts = vec![0usize; nrows + 1];
    for &i in rows {
        match starts.get_mut(i as usize + 1) {
            Some(count) => *count += 1,
            None => {
                let problem = format!("an entry in row {i} of {nrows} (counted from 0)");
                return Err(Error::Damaged { path: path.into(), problem });
            }
        }
    }
    for i in 0..nrows {
        starts[i + 1] += starts[i];
    }
    let (mut indices, mut sorted) = (vec![0u32; columns.len()], vec![0.0; values.len()]);
    let mut next = starts.clone();
    for ((&i, &j), &v) in rows.iter().zip(columns).zip(values) {
        let at = &mut next[i as usize];
        indices[*at] = j;
        sorted[*at] = v;
        *at += 1;
    }
    Ok(Csr::new(starts, indices, sorted, ncols)?)
}
