//! Lists of entries to compressed rows, with the declared size compared to what is there.

use std::path::Path;

use landbridge::linalg::Csr;
use rayon::prelude::*;

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

/// Blocks of rows that entries are first sent to: the rows of one then fit into a processor's own memory.
const BLOCKS: usize = 256;
/// Entries that one task sends to their blocks.
const PART: usize = 1 << 18;

#[derive(Clone, Copy, Default)]
struct Entry {
    row: u32,
    column: u32,
    value: f64,
}

/// Entries in any order to compressed rows; repeated places add up. The shape was checked, the places were not.
///
/// Entries of one row keep their order. A file that goes column after column would otherwise write to another row with each entry.
pub(crate) fn from_entries(
    path: &Path,
    shape: (usize, usize),
    rows: Vec<u32>,
    columns: Vec<u32>,
    values: Vec<f64>,
) -> Result<Csr> {
    let (nrows, ncols) = shape;
    if let Some(i) = rows.par_iter().find_first(|i| **i as usize >= nrows) {
        let problem = format!("an entry in row {i} of {nrows} (counted from 0)");
        return Err(Error::Damaged { path: path.into(), problem });
    }
    let height = nrows.div_ceil(BLOCKS).max(1);
    let blocks = nrows.div_ceil(height);
    let parts = || rows.par_chunks(PART).zip(columns.par_chunks(PART)).zip(values.par_chunks(PART));
    let counts: Vec<Vec<usize>> = rows
        .par_chunks(PART)
        .map(|part| {
            let mut counts = vec![0; blocks];
            part.iter().for_each(|&i| counts[i as usize / height] += 1);
            counts
        })
        .collect();
    let of_block = |b: usize| counts.iter().map(|part| part[b]).sum::<usize>();
    let sizes: Vec<usize> = (0..blocks).map(of_block).collect();
    // The places of a part in each block, block after block.
    let mut sent = vec![Entry::default(); rows.len()];
    let mut places: Vec<Vec<&mut [Entry]>> = counts.iter().map(|_| Vec::with_capacity(blocks)).collect();
    let mut rest = &mut sent[..];
    for b in 0..blocks {
        for (part, counts) in places.iter_mut().zip(&counts) {
            let (own, others) = rest.split_at_mut(counts[b]);
            part.push(own);
            rest = others;
        }
    }
    parts().zip(places).for_each(|(((rows, columns), values), mut places)| {
        let mut next = vec![0; blocks];
        for ((&row, &column), &value) in rows.iter().zip(columns).zip(values) {
            let b = row as usize / height;
            places[b][next[b]] = Entry { row, column, value };
            next[b] += 1;
        }
    });
    drop((rows, columns, values));
    let (mut indices, mut sorted) = (vec![0u32; sent.len()], vec![0.0; sent.len()]);
    let mut starts = vec![0usize; nrows + 1];
    let before: Vec<usize> = sizes.iter().scan(0, |sum, size| Some(std::mem::replace(sum, *sum + size))).collect();
    let mut tasks = vec![];
    let (mut entries, mut columns, mut values) = (&sent[..], &mut indices[..], &mut sorted[..]);
    for ((starts, &first), &size) in starts[1..].chunks_mut(height).zip(&before).zip(&sizes) {
        let (own, others) = entries.split_at(size);
        let (own_columns, other_columns) = columns.split_at_mut(size);
        let (own_values, other_values) = values.split_at_mut(size);
        (entries, columns, values) = (others, other_columns, other_values);
        tasks.push((starts, first, own, own_columns, own_values));
    }
    tasks.into_par_iter().enumerate().for_each(|(b, (starts, first, entries, columns, values))| {
        let row = |entry: &Entry| entry.row as usize - b * height;
        entries.iter().for_each(|entry| starts[row(entry)] += 1);
        let mut next = Vec::with_capacity(starts.len());
        let mut so_far = 0;
        for count in starts.iter_mut() {
            next.push(so_far);
            so_far += *count;
            *count = first + so_far;
        }
        for entry in entries {
            let at = &mut next[row(entry)];
            (columns[*at], values[*at]) = (entry.column, entry.value);
            *at += 1;
        }
    });
    drop(sent);
    Ok(Csr::new(starts, indices, sorted, ncols)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One entry after the other.
    fn plainly(nrows: usize, rows: &[u32], columns: &[u32], values: &[f64]) -> (Vec<usize>, Vec<u32>, Vec<f64>) {
        let mut by_row: Vec<Vec<(u32, f64)>> = vec![vec![]; nrows];
        for ((i, j), v) in rows.iter().zip(columns).zip(values) {
            match by_row[*i as usize].iter_mut().find(|e| e.0 == *j) {
                Some(entry) => entry.1 += v,
                None => by_row[*i as usize].push((*j, *v)),
            }
        }
        by_row.iter_mut().for_each(|row| row.sort_by_key(|e| e.0));
        let starts = std::iter::once(0).chain(by_row.iter().scan(0, |sum, row| {
            *sum += row.len();
            Some(*sum)
        }));
        let all = || by_row.iter().flatten();
        (starts.collect(), all().map(|e| e.0).collect(), all().map(|e| e.1).collect())
    }

    #[test]
    fn entries_in_any_order_become_rows() {
        for (nrows, ncols, count, by_columns) in
            [(1, 1, 1, false), (7, 5, 20, false), (1_000, 40, 9_000, true), (257, 900, 600_000, false)]
        {
            let mut entries: Vec<(u32, u32)> =
                (0..count).map(|k| ((k * 7_919 % nrows) as u32, (k * 104_729 / 13 % ncols) as u32)).collect();
            if by_columns {
                entries.sort_by_key(|e| (e.1, e.0));
            }
            let (rows, columns): (Vec<u32>, Vec<u32>) = entries.into_iter().unzip();
            let values: Vec<f64> = (0..count).map(|k| (k % 17) as f64 + 1.0).collect();
            let found = from_entries(Path::new("a"), (nrows, ncols), rows.clone(), columns.clone(), values.clone()).unwrap();
            let (starts, indices, numbers) = plainly(nrows, &rows, &columns, &values);
            assert_eq!((found.indptr(), found.indices(), found.values()), (&starts[..], &indices[..], &numbers[..]));
        }
        let error = from_entries(Path::new("a"), (2, 2), vec![0, 2, 3], vec![0; 3], vec![1.0; 3]).unwrap_err().to_string();
        assert!(error.contains("row 2 of 2"), "{error}");
    }
}
