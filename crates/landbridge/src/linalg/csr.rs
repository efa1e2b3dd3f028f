//! Sparse rows (compressed sparse row): documents, graphs, Laplacians.

use crate::error::{Error, Result};
use crate::linalg::Matrix;
use rayon::prelude::*;
use std::sync::Arc;

/// Below this many entries one thread looks at them: waking others takes longer.
const SMALL: usize = 1 << 16;

/// Compressed sparse rows. Column numbers within a row ascend and occur once. Copies share their arrays until one of them is
/// written to.
#[derive(Clone, Debug, PartialEq)]
pub struct Csr {
    indptr: Arc<Vec<usize>>,
    indices: Arc<Vec<u32>>,
    values: Arc<Vec<f64>>,
    ncols: usize,
}

impl Csr {
    /// From the three arrays; everything is checked. Unsorted rows are sorted, repeated entries added up, as SciPy does.
    pub fn new(indptr: Vec<usize>, indices: Vec<u32>, values: Vec<f64>, ncols: usize) -> Result<Self> {
        let bad = |got: String| Error::Shape { what: "sparse matrix".into(), expected: "consistent CSR arrays".into(), got };
        if indptr.is_empty() || indptr[0] != 0 || *indptr.last().unwrap_or(&0) != indices.len() || indices.len() != values.len() {
            return Err(bad(format!("indptr of length {}, {} indices, {} values", indptr.len(), indices.len(), values.len())));
        }
        if let Some(i) = indptr.windows(2).position(|w| w[0] > w[1]) {
            return Err(bad(format!("indptr falls after row {i}")));
        }
        // In rows whose columns ascend the last one is the largest.
        let in_order = |row: &[u32]| row.windows(2).all(|p| p[0] < p[1]) && row.last().is_none_or(|&j| (j as usize) < ncols);
        let sorted = match indices.len() {
            0..SMALL => indptr.windows(2).all(|w| in_order(&indices[w[0]..w[1]])),
            _ => indptr.par_windows(2).with_min_len(1024).all(|w| in_order(&indices[w[0]..w[1]])),
        };
        if !sorted && let Some(at) = indices.iter().position(|&j| j as usize >= ncols) {
            return Err(bad(format!("column {} of {ncols} at entry {at}", indices[at])));
        }
        let mut matrix = Self::of(indptr, indices, values, ncols);
        if !sorted {
            matrix.canonicalize();
        }
        Ok(matrix)
    }

    fn of(indptr: Vec<usize>, indices: Vec<u32>, values: Vec<f64>, ncols: usize) -> Self {
        Self { indptr: Arc::new(indptr), indices: Arc::new(indices), values: Arc::new(values), ncols }
    }

    /// From arrays that are known to be in order (checked in debug builds).
    pub(crate) fn from_sorted(indptr: Vec<usize>, indices: Vec<u32>, values: Vec<f64>, ncols: usize) -> Self {
        debug_assert_eq!(indptr.last().copied(), Some(indices.len()));
        debug_assert!(indptr.windows(2).all(|w| indices[w[0]..w[1]].windows(2).all(|p| p[0] < p[1])));
        Self::of(indptr, indices, values, ncols)
    }

    /// From `(row, column, value)` in any order; repeated places add up in the order given.
    pub fn from_triplets(nrows: usize, ncols: usize, triplets: &[(usize, usize, f64)]) -> Result<Self> {
        let mut indptr = vec![0usize; nrows + 1];
        for &(i, j, _) in triplets {
            if i >= nrows || j >= ncols {
                return Err(Error::Shape {
                    what: "sparse matrix".into(),
                    expected: format!("entries within {nrows} x {ncols}"),
                    got: format!("({i}, {j})"),
                });
            }
            indptr[i + 1] += 1;
        }
        for i in 0..nrows {
            indptr[i + 1] += indptr[i];
        }
        let (mut indices, mut values) = (vec![0u32; triplets.len()], vec![0.0; triplets.len()]);
        let mut next = indptr.clone();
        for &(i, j, v) in triplets {
            indices[next[i]] = j as u32;
            values[next[i]] = v;
            next[i] += 1;
        }
        let mut matrix = Self::of(indptr, indices, values, ncols);
        matrix.canonicalize();
        Ok(matrix)
    }

    /// The non-zero entries of a dense matrix.
    pub fn from_dense(dense: &Matrix<f64>) -> Self {
        let (mut indptr, mut indices, mut values) = (vec![0], vec![], vec![]);
        for row in dense.rows() {
            for (j, &v) in row.iter().enumerate() {
                if v != 0.0 {
                    indices.push(j as u32);
                    values.push(v);
                }
            }
            indptr.push(indices.len());
        }
        Self::of(indptr, indices, values, dense.ncols())
    }

    fn canonicalize(&mut self) {
        let (mut indptr, mut indices, mut values) = (vec![0], Vec::with_capacity(self.nnz()), Vec::with_capacity(self.nnz()));
        let mut row: Vec<(u32, f64)> = vec![];
        for i in 0..self.nrows() {
            row.clear();
            row.extend(self.row(i));
            row.sort_by_key(|&(j, _)| j); // stable: repeated entries add up in the order given
            for &(j, v) in &row {
                let start = *indptr.last().unwrap_or(&0);
                if indices.len() > start && indices.last() == Some(&j) {
                    *values.last_mut().expect("as long as indices") += v;
                } else {
                    indices.push(j);
                    values.push(v);
                }
            }
            indptr.push(indices.len());
        }
        *self = Self::of(indptr, indices, values, self.ncols);
    }

    /// Number of rows.
    pub fn nrows(&self) -> usize {
        self.indptr.len() - 1
    }
    /// Number of columns.
    pub fn ncols(&self) -> usize {
        self.ncols
    }
    /// Stored entries.
    pub fn nnz(&self) -> usize {
        self.indices.len()
    }
    /// Row starts; `nrows + 1` values.
    pub fn indptr(&self) -> &[usize] {
        &self.indptr
    }
    /// Column numbers, row after row.
    pub fn indices(&self) -> &[u32] {
        &self.indices
    }
    /// Values beside the column numbers.
    pub fn values(&self) -> &[f64] {
        &self.values
    }
    /// Row starts, column numbers and values, given away.
    pub fn into_parts(self) -> (Vec<usize>, Vec<u32>, Vec<f64>) {
        (Arc::unwrap_or_clone(self.indptr), Arc::unwrap_or_clone(self.indices), Arc::unwrap_or_clone(self.values))
    }
    /// Values, to write; the pattern stays. Values that are shared with a copy are copied first.
    pub fn values_mut(&mut self) -> &mut [f64] {
        let values: &mut Vec<f64> = Arc::make_mut(&mut self.values);
        values
    }
    /// Column numbers of row `i`.
    #[inline]
    pub fn row_indices(&self, i: usize) -> &[u32] {
        &self.indices[self.indptr[i]..self.indptr[i + 1]]
    }
    /// Values of row `i`.
    #[inline]
    pub fn row_values(&self, i: usize) -> &[f64] {
        &self.values[self.indptr[i]..self.indptr[i + 1]]
    }
    /// `(column, value)` of row `i`.
    #[inline]
    pub fn row(&self, i: usize) -> impl Iterator<Item = (u32, f64)> + '_ {
        self.row_indices(i).iter().copied().zip(self.row_values(i).iter().copied())
    }
    /// The entry at `(i, j)`, 0 where none is stored.
    pub fn get(&self, i: usize, j: usize) -> f64 {
        self.row_indices(i).binary_search(&(j as u32)).map_or(0.0, |at| self.row_values(i)[at])
    }
    /// Rows and columns swapped.
    pub fn transpose(&self) -> Self {
        let mut indptr = vec![0usize; self.ncols + 1];
        for &j in self.indices.iter() {
            indptr[j as usize + 1] += 1;
        }
        for j in 0..self.ncols {
            indptr[j + 1] += indptr[j];
        }
        let (mut indices, mut values) = (vec![0u32; self.nnz()], vec![0.0; self.nnz()]);
        let mut next = indptr.clone();
        for i in 0..self.nrows() {
            for (j, v) in self.row(i) {
                let at = next[j as usize];
                indices[at] = i as u32;
                values[at] = v;
                next[j as usize] += 1;
            }
        }
        Self::of(indptr, indices, values, self.nrows())
    }
    /// Sums of the rows.
    pub fn row_sums(&self) -> Vec<f64> {
        (0..self.nrows()).map(|i| self.row_values(i).iter().sum()).collect()
    }
    /// The chosen rows, in the order given.
    pub fn select_rows(&self, rows: &[usize]) -> Self {
        let (mut indptr, mut indices, mut values) = (vec![0], vec![], vec![]);
        for &i in rows {
            indices.extend_from_slice(self.row_indices(i));
            values.extend_from_slice(self.row_values(i));
            indptr.push(indices.len());
        }
        Self::of(indptr, indices, values, self.ncols)
    }
    /// As a dense matrix (small ones and tests).
    pub fn to_dense(&self) -> Matrix<f64> {
        let mut dense = Matrix::zeros(self.nrows(), self.ncols);
        for i in 0..self.nrows() {
            for (j, v) in self.row(i) {
                dense[(i, j as usize)] = v;
            }
        }
        dense
    }
    /// The first place where the matrix differs from its transpose, relative to the larger entry.
    pub fn first_asymmetry(&self, tolerance: f64) -> Option<(usize, usize)> {
        for i in 0..self.nrows() {
            for (j, v) in self.row(i) {
                let w = if (j as usize) < self.nrows() { self.get(j as usize, i) } else { f64::NAN };
                if (v - w).abs() > tolerance * v.abs().max(w.abs()) || w.is_nan() {
                    return Some((i, j as usize));
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn triplets_add_up_and_come_out_sorted() {
        let m = Csr::from_triplets(2, 3, &[(0, 2, 1.0), (1, 1, 4.0), (0, 0, 2.0), (0, 2, 0.5)]).unwrap();
        assert_eq!(m.to_dense().as_slice(), &[2.0, 0.0, 1.5, 0.0, 4.0, 0.0]);
        assert_eq!(m.row_indices(0), &[0, 2]);
        assert_eq!(m.transpose().to_dense(), m.to_dense().transpose());
        assert_eq!(m.get(1, 1), 4.0);
        assert_eq!(m.get(1, 0), 0.0);
        assert_eq!(Csr::from_dense(&m.to_dense()), m);
        assert_eq!(m.select_rows(&[1, 0]).to_dense().row(1), m.to_dense().row(0));
    }

    #[test]
    fn a_copy_shares_its_arrays_until_it_is_written_to() {
        let m = Csr::from_triplets(2, 3, &[(0, 2, 1.0), (1, 1, 4.0)]).unwrap();
        let mut copy = m.clone();
        assert!(std::ptr::eq(m.values(), copy.values()) && std::ptr::eq(m.indices(), copy.indices()));
        copy.values_mut()[0] = 7.0;
        assert_eq!((m.values(), copy.values()), (&[1.0, 4.0][..], &[7.0, 4.0][..]));
        assert!(std::ptr::eq(m.indices(), copy.indices()) && std::ptr::eq(m.indptr(), copy.indptr()));
        assert_eq!(copy.into_parts(), (vec![0, 1, 2], vec![2, 1], vec![7.0, 4.0]));
    }

    #[test]
    fn inconsistent_arrays_are_refused() {
        assert!(Csr::new(vec![0, 1], vec![5], vec![1.0], 3).unwrap_err().to_string().contains("column 5 of 3"));
        assert!(Csr::new(vec![0, 2, 1], vec![0], vec![1.0], 3).unwrap_err().to_string().contains("indptr"));
        assert!(Csr::new(vec![0, 1], vec![0, 1], vec![1.0], 3).is_err());
        assert!(Csr::new(vec![], vec![], vec![], 3).is_err());
        assert!(Csr::from_triplets(1, 1, &[(0, 1, 1.0)]).is_err());
    }

    #[test]
    fn asymmetry_is_found_at_its_place() {
        let m = Csr::from_triplets(3, 3, &[(0, 1, 1.0), (1, 0, 1.0), (1, 2, 2.0)]).unwrap();
        assert_eq!(m.first_asymmetry(1e-12), Some((1, 2)));
    }
}
