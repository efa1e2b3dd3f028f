//! What becomes of missing values, which readers leave as NaN.

use std::path::Path;

use landbridge::data::{FileRows, Rows};
use landbridge::linalg::{Csr, Matrix, Scalar};

use crate::error::{Error, Result};
use crate::format::Loaded;
use crate::options::Missing;

/// Fills, drops or keeps missing values as the option says. With [`Missing::Error`] a NaN stays: a dataset refuses it with its place.
pub(crate) fn settle(path: &Path, loaded: &mut Loaded, missing: Missing) -> Result<()> {
    if missing == Missing::Unknown {
        loaded.rows = Rows::Sparse(known(&loaded.rows));
        loaded.partly_known = true;
        return Ok(());
    }
    if matches!(missing, Missing::Error | Missing::Keep) || count(&loaded.rows) == 0 {
        return Ok(());
    }
    if missing == Missing::Drop {
        return drop_rows(path, loaded);
    }
    let name = |j: usize| loaded.columns.as_ref().map_or_else(|| j.to_string(), |names| format!("\"{}\"", names[j]));
    let no_mean = |j: usize| Error::NoMean { path: path.into(), column: name(j) };
    match &mut loaded.rows {
        Rows::F64(m) => fill(m, missing, no_mean),
        Rows::F32(m) => fill(m, missing, no_mean),
        Rows::Sparse(m) => fill_sparse(m, missing, no_mean),
    }
}

/// The entries that are not missing.
fn known(rows: &Rows) -> Csr {
    let row = |i: usize| -> Vec<(u32, f64)> {
        match rows {
            Rows::F64(m) => m.row(i).iter().enumerate().map(|(j, v)| (j as u32, *v)).collect(),
            Rows::F32(m) => m.row(i).iter().enumerate().map(|(j, v)| (j as u32, f64::from(*v))).collect(),
            Rows::Sparse(m) => m.row(i).collect(),
        }
    };
    let (mut starts, mut indices, mut values) = (vec![0], vec![], vec![]);
    for i in 0..rows.nrows() {
        for (j, v) in row(i).into_iter().filter(|(_, v)| !v.is_nan()) {
            indices.push(j);
            values.push(v);
        }
        starts.push(indices.len());
    }
    Csr::new(starts, indices, values, rows.ncols()).unwrap_or_else(|_| unreachable!("entries of a matrix in their order"))
}

/// Missing values among the stored ones.
pub(crate) fn count(rows: &Rows) -> usize {
    match rows {
        Rows::F64(m) => m.as_slice().iter().filter(|v| v.is_nan()).count(),
        Rows::F32(m) => m.as_slice().iter().filter(|v| v.is_nan()).count(),
        Rows::Sparse(m) => m.values().iter().filter(|v| v.is_nan()).count(),
    }
}

fn fill<T: Scalar>(m: &mut Matrix<T>, missing: Missing, no_mean: impl Fn(usize) -> Error) -> Result<()> {
    let p = m.ncols();
    let mut means = vec![0.0; p];
    if missing == Missing::Mean {
        let (mut counts, mut holes) = (vec![0usize; p], vec![false; p]);
        for row in m.rows() {
            for (j, v) in row.iter().map(|v| v.to_f64()).enumerate() {
                if v.is_nan() {
                    holes[j] = true;
                } else {
                    // A running mean: no sum that could overflow.
                    counts[j] += 1;
                    means[j] += (v - means[j]) / counts[j] as f64;
                }
            }
        }
        if let Some(j) = (0..p).find(|&j| holes[j] && counts[j] == 0) {
            return Err(no_mean(j));
        }
    }
    for (at, v) in m.as_mut_slice().iter_mut().enumerate() {
        if v.to_f64().is_nan() {
            *v = T::from_f64(means[at % p]);
        }
    }
    Ok(())
}

/// The mean is that of all values of the column, those that are not stored included.
fn fill_sparse(m: &mut Csr, missing: Missing, no_mean: impl Fn(usize) -> Error) -> Result<()> {
    let (n, p) = (m.nrows(), m.ncols());
    let columns = m.indices().to_vec();
    let mut means = std::collections::BTreeMap::new();
    if missing == Missing::Mean {
        for (&j, v) in columns.iter().zip(m.values()) {
            if v.is_nan() {
                means.entry(j).or_insert((0.0, n)).1 -= 1;
            }
        }
        for (j, v) in columns.iter().zip(m.values()) {
            if let Some(sum) = means.get_mut(j).filter(|_| !v.is_nan()) {
                sum.0 += v;
            }
        }
        if let Some((&j, _)) = means.iter().find(|(_, sum)| sum.1 == 0) {
            return Err(no_mean((j as usize).min(p - 1)));
        }
    }
    for (v, j) in m.values_mut().iter_mut().zip(&columns).filter(|(v, _)| v.is_nan()) {
        *v = means.get(j).map_or(0.0, |(sum, count)| sum / *count as f64);
    }
    Ok(())
}

fn drop_rows(path: &Path, loaded: &mut Loaded) -> Result<()> {
    let whole = |i: &usize| match &loaded.rows {
        Rows::F64(m) => m.row(*i).iter().all(|v| !v.is_nan()),
        Rows::F32(m) => m.row(*i).iter().all(|v| !v.is_nan()),
        Rows::Sparse(m) => m.row_values(*i).iter().all(|v| !v.is_nan()),
    };
    let kept: Vec<usize> = (0..loaded.rows.nrows()).filter(whole).collect();
    if kept.is_empty() {
        return Err(Error::NoData { path: path.into(), rows: 0, columns: loaded.rows.ncols() });
    }
    let total = loaded.rows.nrows();
    if kept.len() == total {
        return Ok(());
    }
    loaded.rows = loaded.rows.select(&kept);
    let is_kept = |i: usize| kept.binary_search(&i).is_ok();
    let ids = loaded.row_ids.iter().flatten().enumerate();
    let left_out: Vec<String> = ids.filter(|(i, _)| !is_kept(*i)).map(|(_, id)| id.clone()).collect();
    // Rows without ids keep the number that they have in the file.
    loaded.row_ids.get_or_insert_with(|| (0..total).map(|i| i.to_string()).collect());
    for names in [&mut loaded.row_ids, &mut loaded.labels, &mut loaded.batches, &mut loaded.snippets].into_iter().flatten() {
        *names = kept.iter().map(|&i| std::mem::take(&mut names[i])).collect();
    }
    loaded.kept = loaded.kept.take().map(|columns| columns.rows(&kept)).transpose()?;
    loaded.file_rows = Some(FileRows { kept, total, left_out });
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::Format;
    use crate::{Delimited, Input, ReadOptions};

    fn read(text: &str, missing: Missing) -> Result<Loaded> {
        let path = Path::new("a.csv");
        let options = ReadOptions { missing, ..Default::default() };
        let mut loaded = Delimited::CSV.read(Input::from_bytes(path, text.into(), 1 << 20)?, &options)?;
        settle(path, &mut loaded, missing)?;
        Ok(loaded)
    }
    fn values(loaded: &Loaded) -> Vec<f64> {
        let Rows::F64(m) = &loaded.rows else { panic!("csv is f64") };
        m.as_slice().to_vec()
    }

    #[test]
    fn holes_are_filled_or_their_rows_dropped() {
        let text = "id,x,y\na,1,\nb,,4\nc,3,8\nd,5,NaN\n";
        assert!(matches!(read(text, Missing::Error), Err(Error::Missing { line: 2, .. })));
        assert_eq!(values(&read(text, Missing::Zero).unwrap()), [1.0, 0.0, 0.0, 4.0, 3.0, 8.0, 5.0, 0.0]);
        assert_eq!(values(&read(text, Missing::Mean).unwrap()), [1.0, 6.0, 3.0, 4.0, 3.0, 8.0, 5.0, 6.0]);
        let dropped = read(text, Missing::Drop).unwrap();
        assert_eq!((values(&dropped), dropped.row_ids.unwrap()), (vec![3.0, 8.0], vec!["c".to_string()]));
        assert_eq!(count(&read(text, Missing::Keep).unwrap().rows), 3);
        let unknown = read(text, Missing::Unknown).unwrap();
        let Rows::Sparse(m) = &unknown.rows else { panic!("what is known is stored") };
        assert_eq!((m.nnz(), m.get(1, 1), m.row_indices(0), unknown.partly_known), (5, 4.0, &[0u32][..], true));
        let message = |text, missing| read(text, missing).unwrap_err().to_string();
        assert_eq!(message("x,y\n1,\n2,\n", Missing::Mean), "a.csv: column \"y\" has no value at all, so it has no mean");
        assert_eq!(message("x,y\n1,\n2,\n", Missing::Drop), "a.csv: no data: 0 rows and 2 columns");
        // Text is never missing.
        assert!(matches!(read("x,y\n1,a\n", Missing::Zero), Err(Error::NotANumber { .. })));
    }

    #[test]
    fn sparse_and_single_rows_are_filled_the_same_way() {
        let sparse = Csr::from_triplets(4, 2, &[(0, 0, 2.0), (1, 0, f64::NAN), (2, 1, 5.0)]).unwrap();
        let mut loaded = Loaded::new(sparse.clone().into());
        settle(Path::new("a.mtx"), &mut loaded, Missing::Mean).unwrap();
        let Rows::Sparse(m) = &loaded.rows else { panic!("sparse stays sparse") };
        // Three values of the first column are known: 2, 0 and 0.
        assert_eq!((m.get(1, 0), m.get(2, 1), m.nnz()), (2.0 / 3.0, 5.0, 3));
        let mut loaded = Loaded::new(sparse.into());
        settle(Path::new("a.mtx"), &mut loaded, Missing::Drop).unwrap();
        assert_eq!(loaded.rows.nrows(), 3);
        let mut loaded = Loaded::new(Matrix::from_vec(vec![1.0f32, f32::NAN, 3.0], 3, 1).unwrap().into());
        settle(Path::new("a.npy"), &mut loaded, Missing::Mean).unwrap();
        assert_eq!(loaded.rows, Matrix::from_vec(vec![1.0f32, 2.0, 3.0], 3, 1).unwrap().into());
    }
}
