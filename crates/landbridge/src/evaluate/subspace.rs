//! The distance between two subspaces, and how far a perturbation can move one (Procrustes08, Theorem 2).

use crate::error::{Error, Result};
use crate::linalg::Matrix;
use crate::linalg::tall::{Tall, add_product, gram, product};
use crate::linalg::whitening::symmetric_eigen;
use crate::params::check_positive;
use faer::Mat;

/// Columns below this share of the largest direction are linearly dependent.
const RANK_TOLERANCE: f64 = 1e-12;

/// An orthonormal basis of the columns.
fn basis(name: &str, m: &Matrix<f64>) -> Result<Tall> {
    if let Some(at) = m.as_slice().iter().position(|v| !v.is_finite()) {
        let column = (at % m.ncols()).to_string();
        return Err(Error::NotFinite { dataset: name.into(), row: at / m.ncols(), column, value: m.as_slice()[at] });
    }
    let size = m.as_slice().iter().fold(0.0f64, |a, v| a.max(v.abs()));
    if size == 0.0 {
        return Err(Error::Shape {
            what: name.into(),
            expected: "at least one column that is not zero".into(),
            got: "none".into(),
        });
    }
    let values = m.as_slice().iter().map(|v| v / size).collect();
    let columns = Mat::from_fn(m.nrows(), m.ncols(), |i, j| m[(i, j)] / size);
    let fail = |_| Error::Numerical { what: format!("singular values of {name}"), problem: "no convergence".into() };
    let svd = columns.thin_svd().map_err(fail)?;
    let s = svd.S();
    let most = m.nrows().min(m.ncols());
    let rank = (0..most).filter(|&i| s[i] > RANK_TOLERANCE * s[0]).count();
    let turn = Mat::from_fn(m.ncols(), rank, |i, j| svd.V()[(i, j)] / s[j]);
    Ok(product(&Tall { values, stride: m.ncols() }, turn.as_ref()))
}

/// `‖P − Q‖`, where P and Q project onto the column spaces of A and B. This is the sine of the largest angle between them,
/// and 1 if the dimensions differ.
///
/// ```
/// use landbridge::evaluate::subspace_distance;
/// use landbridge::linalg::Matrix;
/// let a = Matrix::from_rows(&[[1.0], [0.0]])?;
/// let b = Matrix::from_rows(&[[1.0], [1.0]])?;
/// assert!((subspace_distance(&a, &b)? - 0.5f64.sqrt()).abs() < 1e-12);
/// # Ok::<(), landbridge::Error>(())
/// ```
pub fn subspace_distance(a: &Matrix<f64>, b: &Matrix<f64>) -> Result<f64> {
    if a.nrows() != b.nrows() {
        return Err(Error::Shape { what: "B".into(), expected: format!("{} rows", a.nrows()), got: b.nrows().to_string() });
    }
    let (p, q) = (basis("A", a)?, basis("B", b)?);
    if p.stride != q.stride {
        return Ok(1.0);
    }
    // The part of Q outside the other space: accurate for small angles, where cosines are not.
    let inside = gram(&p, p.stride, &q);
    let mut outside = q;
    add_product(&mut outside, &p, p.stride, inside.as_ref(), -1.0);
    let (values, _) = symmetric_eigen(&gram(&outside, outside.stride, &outside))?;
    Ok(values.last().copied().unwrap_or(0.0).max(0.0).sqrt().min(1.0))
}

/// `2 ε d / (N (π + 2 ε))`. Let no entry of two symmetric N × N matrices differ by more than this bound, and let the leading
/// eigenvalues of the first be `eigengap` = d away from all others. Then the distance of their leading subspaces is at most
/// `epsilon` (Procrustes08, Theorem 2).
pub fn perturbation_bound(eigengap: f64, n: usize, epsilon: f64) -> Result<f64> {
    if !(eigengap.is_finite() && eigengap >= 0.0) {
        return Err(Error::parameter("eigengap", eigengap, "zero or a positive finite number"));
    }
    if n == 0 {
        return Err(Error::parameter("N", n, "at least 1"));
    }
    check_positive("epsilon", epsilon)?;
    Ok(2.0 * epsilon * eigengap / (n as f64 * (std::f64::consts::PI + 2.0 * epsilon)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_distance_is_the_norm_of_the_difference_of_the_projections() {
        let a = Matrix::from_fn(9, 3, |i, j| ((i * 7 + j * 5) % 11) as f64 - 4.0);
        let b = Matrix::from_fn(9, 3, |i, j| ((i * 3 + j * j * 5) % 7) as f64 - 2.0);
        let projection = |m: &Matrix<f64>| {
            let q = basis("m", m).unwrap();
            Mat::from_fn(9, 9, |i, j| (0..q.stride).map(|c| q.values[i * q.stride + c] * q.values[j * q.stride + c]).sum::<f64>())
        };
        let difference = &projection(&a) - &projection(&b);
        let expected = difference.singular_values().unwrap()[0];
        assert!((subspace_distance(&a, &b).unwrap() - expected).abs() < 1e-12);
        // Another basis of the same space, scaled: no distance.
        let turned = Matrix::from_fn(9, 3, |i, j| 1e9 * (a[(i, j)] + 2.0 * a[(i, (j + 1) % 3)]));
        assert!(subspace_distance(&a, &turned).unwrap() < 1e-13);
    }

    #[test]
    fn small_angles_keep_their_accuracy_and_other_dimensions_are_far() {
        let a = Matrix::from_rows(&[[1.0], [0.0]]).unwrap();
        let b = Matrix::from_rows(&[[1.0], [1e-10]]).unwrap();
        assert!((subspace_distance(&a, &b).unwrap() / 1e-10 - 1.0).abs() < 1e-6);
        let plane = Matrix::from_rows(&[[1.0, 0.0], [0.0, 1.0]]).unwrap();
        assert_eq!(subspace_distance(&a, &plane).unwrap(), 1.0);
        assert!(subspace_distance(&a, &Matrix::zeros(3, 1)).is_err());
        assert!(subspace_distance(&a, &Matrix::zeros(2, 1)).is_err());
    }

    /// Theorem 2 on matrices: perturbations at the bound stay within ε.
    #[test]
    fn perturbations_within_the_bound_stay_within_epsilon() {
        let n = 20;
        let diagonal = Mat::from_fn(n, n, |i, j| if i == j { if i < 4 { 3.0 + i as f64 } else { i as f64 / 20.0 } } else { 0.0 });
        let gap = 3.0 - 19.0 / 20.0;
        let epsilon = 0.5;
        let tau = perturbation_bound(gap, n, epsilon).unwrap();
        let leading = |m: &Mat<f64>| {
            let (_, v) = symmetric_eigen(m).unwrap();
            Matrix::from_fn(n, 4, |i, j| v[(i, n - 1 - j)])
        };
        for seed in 0..20u64 {
            let sign = |i: usize, j: usize| {
                if ((i * j) as u64 * 31 + (i + j) as u64 * 7 + seed * 13).is_multiple_of(3) { -tau } else { tau }
            };
            let moved = Mat::from_fn(n, n, |i, j| diagonal[(i, j)] + sign(i, j));
            assert!(subspace_distance(&leading(&diagonal), &leading(&moved)).unwrap() <= epsilon);
        }
        assert!(perturbation_bound(-1.0, n, 0.5).is_err() && perturbation_bound(1.0, 0, 0.5).is_err());
        assert!(perturbation_bound(1.0, n, 0.0).is_err());
    }
}
