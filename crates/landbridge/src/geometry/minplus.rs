//! The min-plus product of two matrices.

use crate::error::{Error, Result};
use crate::linalg::Matrix;
use crate::linalg::minplus::min_plus as kernel;

/// `C_ij = min_u (A_iu + B_uj)`: the shortest path from i to j through one of the u (Global13 eq. 4). Infinite entries mean
/// that there is no path.
///
/// ```
/// use landbridge::geometry::minplus::min_plus;
/// use landbridge::linalg::Matrix;
/// let a = Matrix::from_rows(&[[1.0, 5.0]])?;
/// let b = Matrix::from_rows(&[[10.0, 0.5], [2.0, f64::INFINITY]])?;
/// assert_eq!(min_plus(&a, &b)?.as_slice(), [7.0, 1.5]);
/// # Ok::<(), landbridge::Error>(())
/// ```
pub fn min_plus(a: &Matrix<f64>, b: &Matrix<f64>) -> Result<Matrix<f64>> {
    if a.ncols() != b.nrows() || b.nrows() == 0 {
        return Err(Error::Shape {
            what: "min-plus product".into(),
            expected: "as many columns in the first matrix as rows in the second, at least one".into(),
            got: format!("{} x {} and {} x {}", a.nrows(), a.ncols(), b.nrows(), b.ncols()),
        });
    }
    for (name, m) in [("first", a), ("second", b)] {
        // −∞ + ∞ would not be a number.
        if let Some(at) = m.as_slice().iter().position(|v| v.is_nan() || *v == f64::NEG_INFINITY) {
            return Err(Error::NonFiniteValue {
                dataset: format!("{name} factor"),
                row: at / m.ncols(),
                column: at % m.ncols(),
                name: None,
                value: m.as_slice()[at],
            });
        }
    }
    let shape = (a.nrows(), b.ncols());
    let (rows, columns) =
        (|i: usize, r, to: &mut [f64]| to.copy_from_slice(&a.row(i)[r]), |u: usize, to: &mut [f64]| to.copy_from_slice(b.row(u)));
    Ok(kernel(shape, b.nrows(), rows, columns))
}
