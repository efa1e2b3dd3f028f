//! The mean absolute error of predicted values.

use crate::error::{Error, Result};
use crate::linalg::{Csr, Matrix};

/// The mean absolute error over the known entries of each row, averaged over the rows that have any (Lamvu13 eq. 23).
///
/// Departure: the paper's Γ(i) = {j | a_ij > 0} leaves out negative ratings (Jester has them). Here the stored entries of
/// `actual` are the known ones, including a stored 0.
///
/// ```
/// use landbridge::evaluate::mmae;
/// use landbridge::linalg::{Csr, Matrix};
/// let actual = Csr::from_triplets(2, 3, &[(0, 0, -4.0), (0, 2, 0.0), (1, 1, 2.0)])?;
/// let predicted = Matrix::from_rows(&[[-3.0, 9.0, 3.0], [9.0, 5.0, 9.0]])?;
/// assert_eq!(mmae(&predicted, &actual)?, ((1.0 + 3.0) / 2.0 + 3.0) / 2.0);
/// # Ok::<(), landbridge::Error>(())
/// ```
pub fn mmae(predicted: &Matrix<f64>, actual: &Csr) -> Result<f64> {
    if (predicted.nrows(), predicted.ncols()) != (actual.nrows(), actual.ncols()) {
        return Err(Error::Shape {
            what: "predicted values".into(),
            expected: format!("{} x {}", actual.nrows(), actual.ncols()),
            got: format!("{} x {}", predicted.nrows(), predicted.ncols()),
        });
    }
    let (mut sum, mut rows) = (0.0, 0usize);
    for i in (0..actual.nrows()).filter(|&i| !actual.row_indices(i).is_empty()) {
        let own = predicted.row(i);
        let misses: f64 = actual.row(i).map(|(j, v)| (own[j as usize] - v).abs()).sum();
        sum += misses / actual.row_indices(i).len() as f64;
        rows += 1;
    }
    if rows == 0 {
        return Err(Error::Shape { what: "actual values".into(), expected: "at least one known".into(), got: "none".into() });
    }
    Ok(sum / rows as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_without_known_values_do_not_count() {
        let actual = Csr::from_triplets(3, 2, &[(0, 0, 1.0), (2, 1, -1.0)]).unwrap();
        let predicted = Matrix::from_rows(&[[2.0, 50.0], [50.0, 50.0], [50.0, 2.0]]).unwrap();
        assert_eq!(mmae(&predicted, &actual).unwrap(), 2.0);
        assert!(mmae(&predicted, &Csr::from_triplets(3, 2, &[]).unwrap()).is_err());
        assert!(mmae(&predicted, &Csr::from_triplets(2, 2, &[(0, 0, 1.0)]).unwrap()).is_err());
    }
}
