//! A dense matrix by rows: rows are instances everywhere in landbridge.

use crate::error::{Error, Result};
use crate::linalg::rows::{finite_f32, finite_f64, rounded, widened};

/// The two kinds of numbers a dense matrix may hold.
pub trait Scalar: Copy + Send + Sync + PartialEq + std::fmt::Debug + Default + 'static {
    /// As f64; exact for both kinds.
    fn to_f64(self) -> f64;
    /// From f64, rounded.
    fn from_f64(value: f64) -> Self;
    /// Many numbers as f64.
    fn widen(from: &[Self], to: &mut [f64]);
    /// Many numbers, rounded.
    fn round(from: &[f64], to: &mut [Self]);
    /// Whether no number is infinite or missing.
    fn are_finite(values: &[Self]) -> bool;
}
impl Scalar for f64 {
    #[inline]
    fn to_f64(self) -> f64 {
        self
    }
    #[inline]
    fn from_f64(value: f64) -> Self {
        value
    }
    fn widen(from: &[f64], to: &mut [f64]) {
        to.copy_from_slice(from);
    }
    fn round(from: &[f64], to: &mut [f64]) {
        to.copy_from_slice(from);
    }
    fn are_finite(values: &[f64]) -> bool {
        finite_f64(values)
    }
}
impl Scalar for f32 {
    #[inline]
    fn to_f64(self) -> f64 {
        f64::from(self)
    }
    #[inline]
    fn from_f64(value: f64) -> Self {
        value as f32
    }
    fn widen(from: &[f32], to: &mut [f64]) {
        widened(from, to);
    }
    fn round(from: &[f64], to: &mut [f32]) {
        rounded(from, to);
    }
    fn are_finite(values: &[f32]) -> bool {
        finite_f32(values)
    }
}

/// Dense, row-major.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Matrix<T = f64> {
    values: Vec<T>,
    nrows: usize,
    ncols: usize,
}

/// The numbers of a dense, row-major matrix that somebody else owns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MatrixRef<'a, T = f64> {
    values: &'a [T],
    nrows: usize,
    ncols: usize,
}

impl<'a, T: Scalar> MatrixRef<'a, T> {
    /// Of row-major values; their number must be `nrows × ncols`.
    pub fn new(values: &'a [T], nrows: usize, ncols: usize) -> Result<Self> {
        check_size(values.len(), nrows, ncols)?;
        Ok(Self { values, nrows, ncols })
    }
    /// Number of rows.
    pub fn nrows(&self) -> usize {
        self.nrows
    }
    /// Number of columns.
    pub fn ncols(&self) -> usize {
        self.ncols
    }
    /// Row `i`.
    #[inline]
    pub fn row(&self, i: usize) -> &'a [T] {
        &self.values[i * self.ncols..(i + 1) * self.ncols]
    }
    /// All values, row after row.
    pub fn as_slice(&self) -> &'a [T] {
        self.values
    }
    /// The rows in order.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &'a [T]> + use<'a, T> {
        let all = *self;
        (0..all.nrows).map(move |i| all.row(i))
    }
    /// A copy.
    pub fn to_matrix(&self) -> Matrix<T> {
        Matrix { values: self.values.to_vec(), nrows: self.nrows, ncols: self.ncols }
    }
}

fn check_size(values: usize, nrows: usize, ncols: usize) -> Result<()> {
    if nrows.checked_mul(ncols) == Some(values) {
        return Ok(());
    }
    Err(Error::Shape { what: "matrix".into(), expected: format!("{nrows} x {ncols} values"), got: format!("{values} values") })
}

impl<T: Scalar> Matrix<T> {
    /// From row-major values; their number must be `nrows × ncols`.
    pub fn from_vec(values: Vec<T>, nrows: usize, ncols: usize) -> Result<Self> {
        check_size(values.len(), nrows, ncols)?;
        Ok(Self { values, nrows, ncols })
    }
    /// The same numbers, borrowed.
    pub fn view(&self) -> MatrixRef<'_, T> {
        MatrixRef { values: &self.values, nrows: self.nrows, ncols: self.ncols }
    }
    /// All zero.
    pub fn zeros(nrows: usize, ncols: usize) -> Self {
        Self { values: vec![T::default(); nrows * ncols], nrows, ncols }
    }
    /// Entry by entry.
    pub fn from_fn(nrows: usize, ncols: usize, mut entry: impl FnMut(usize, usize) -> T) -> Self {
        let mut values = Vec::with_capacity(nrows * ncols);
        for i in 0..nrows {
            for j in 0..ncols {
                values.push(entry(i, j));
            }
        }
        Self { values, nrows, ncols }
    }
    /// From rows of equal length.
    pub fn from_rows<R: AsRef<[T]>>(rows: &[R]) -> Result<Self> {
        let ncols = rows.first().map_or(0, |r| r.as_ref().len());
        let mut values = Vec::with_capacity(rows.len() * ncols);
        for (i, row) in rows.iter().enumerate() {
            let row = row.as_ref();
            if row.len() != ncols {
                return Err(Error::Shape {
                    what: format!("row {i}"),
                    expected: format!("{ncols} values"),
                    got: format!("{}", row.len()),
                });
            }
            values.extend_from_slice(row);
        }
        Ok(Self { values, nrows: rows.len(), ncols })
    }
    /// Number of rows.
    pub fn nrows(&self) -> usize {
        self.nrows
    }
    /// Number of columns.
    pub fn ncols(&self) -> usize {
        self.ncols
    }
    /// Row `i`.
    #[inline]
    pub fn row(&self, i: usize) -> &[T] {
        &self.values[i * self.ncols..(i + 1) * self.ncols]
    }
    /// Row `i`, to write.
    #[inline]
    pub fn row_mut(&mut self, i: usize) -> &mut [T] {
        &mut self.values[i * self.ncols..(i + 1) * self.ncols]
    }
    /// All values, row after row.
    pub fn as_slice(&self) -> &[T] {
        &self.values
    }
    /// All values, row after row, to write.
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        &mut self.values
    }
    /// The values, row after row.
    pub fn into_vec(self) -> Vec<T> {
        self.values
    }
    /// The rows in order.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[T]> {
        (0..self.nrows).map(move |i| self.row(i))
    }
    /// The chosen rows, in the order given.
    pub fn select_rows(&self, rows: &[usize]) -> Self {
        let mut values = Vec::with_capacity(rows.len() * self.ncols);
        for &i in rows {
            values.extend_from_slice(self.row(i));
        }
        Self { values, nrows: rows.len(), ncols: self.ncols }
    }
    /// Rows `start..end`.
    pub fn row_range(&self, start: usize, end: usize) -> Self {
        Self { values: self.values[start * self.ncols..end * self.ncols].to_vec(), nrows: end - start, ncols: self.ncols }
    }
    /// Rows and columns swapped.
    pub fn transpose(&self) -> Self {
        Self::from_fn(self.ncols, self.nrows, |i, j| self[(j, i)])
    }
    /// In f64; exact.
    pub fn to_f64(&self) -> Matrix<f64> {
        Matrix { values: self.values.iter().map(|v| v.to_f64()).collect(), nrows: self.nrows, ncols: self.ncols }
    }
    /// In f32; rounded.
    pub fn to_f32(&self) -> Matrix<f32> {
        Matrix { values: self.values.iter().map(|v| v.to_f64() as f32).collect(), nrows: self.nrows, ncols: self.ncols }
    }
}

impl<T> std::ops::Index<(usize, usize)> for Matrix<T> {
    type Output = T;
    #[inline]
    fn index(&self, (i, j): (usize, usize)) -> &T {
        &self.values[i * self.ncols + j]
    }
}
impl<T> std::ops::IndexMut<(usize, usize)> for Matrix<T> {
    #[inline]
    fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut T {
        &mut self.values[i * self.ncols + j]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_number_of_values_is_refused() {
        let error = Matrix::from_vec(vec![1.0; 5], 2, 3).unwrap_err();
        assert_eq!(error.to_string(), "matrix: expected 2 x 3 values, got 5 values");
        assert!(Matrix::from_rows(&[vec![1.0, 2.0], vec![3.0]]).is_err());
    }

    #[test]
    fn transposing_twice_gives_the_matrix_back() {
        let m = Matrix::from_fn(3, 4, |i, j| (10 * i + j) as f64);
        assert_eq!(m.transpose()[(2, 1)], m[(1, 2)]);
        assert_eq!(m.transpose().transpose(), m);
        assert_eq!(m.select_rows(&[2, 0]).row(1), m.row(0));
        assert_eq!(m.row_range(1, 3).row(0), m.row(1));
    }
}
