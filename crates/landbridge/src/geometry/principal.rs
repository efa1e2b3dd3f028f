//! The first principal components of one dataset, before any alignment.

use crate::data::Rows;
use crate::error::{Error, Result};
use crate::linalg::{Matrix, Scalar};
use crate::progress::Progress;
use faer::{Mat, Side};
use rayon::prelude::*;

/// Rows of one task. Sums are taken within tasks first, so that they do not depend on the number of threads.
const TASK: usize = 512;
/// Largest dimension of the Krylov space (a dataset with at most as many features is solved exactly).
const MAX_VECTORS: usize = 64;
/// The largest values have converged when another block changes them by less than this share of the largest.
const SETTLED: f64 = 1e-10;

/// Coordinates of every row along the `count` directions of largest variance: the centred rows times the leading eigenvectors
/// of their covariance.
///
/// Uses only products with the rows (a block Krylov space), so that sparse rows stay sparse: time O(nnz · count · blocks),
/// memory O((n + p) · count + 64 p). Columns beyond the rank are zero. Signs are fixed: the entry of largest magnitude in each
/// column is positive. Meant for plots: if the spectrum decays slowly, the last digits of a direction have not converged.
///
/// ```
/// use landbridge::data::Rows;
/// use landbridge::geometry::principal::principal_components;
/// use landbridge::linalg::Matrix;
/// use landbridge::progress::Progress;
/// // A line in the plane has one principal component.
/// let rows = Rows::F64(Matrix::from_fn(5, 2, |i, j| (i * (j + 1)) as f64));
/// let places = principal_components(&rows, 2, &Progress::silent())?;
/// assert!((places[(4, 0)].abs() - 2.0 * 5f64.sqrt()).abs() < 1e-12);
/// assert!(places[(4, 1)].abs() < 1e-12);
/// # Ok::<(), landbridge::Error>(())
/// ```
pub fn principal_components(rows: &Rows, count: usize, progress: &Progress) -> Result<Matrix<f64>> {
    if count == 0 {
        return Err(Error::parameter("count", count, "at least 1"));
    }
    let (n, p) = (rows.nrows(), rows.ncols());
    let operator = Centred::new(rows);
    let width = count.min(p);
    let most = p.min(n).min(MAX_VECTORS.max(4 * count)).max(width);
    if operator.scale == 0.0 {
        return Ok(Matrix::zeros(n, count)); // all rows are zero
    }

    // Orthonormal directions q (rows of length p), A q beside them, and H = q'A q, A = X'X of the centred rows.
    let mut random = SplitMix(0x6c61_6e64_6272_6964);
    let mut basis: Vec<Vec<f64>> = vec![];
    let mut images: Vec<Vec<f64>> = vec![];
    let mut block: Vec<Vec<f64>> = (0..width).map(|_| random.vector(p)).collect();
    let mut last: Vec<f64> = vec![];
    let (values, mixes) = loop {
        progress.step("principal components", basis.len(), most)?;
        block.truncate(most - basis.len());
        for vector in &mut block {
            orthonormalize(vector, &basis, &mut random);
            basis.push(std::mem::take(vector));
        }
        for q in &basis[images.len()..] {
            images.push(operator.transposed_product(&operator.product(q)));
        }
        let (values, mixes) = small_problem(&basis, &images, width)?;
        let settled = values.len() == last.len()
            && values.iter().zip(&last).all(|(new, old)| (new - old).abs() <= SETTLED * values[0].max(f64::MIN_POSITIVE));
        if settled || basis.len() >= most {
            break (values, mixes);
        }
        last = values;
        block = images[images.len() - width.min(images.len())..].to_vec();
    };

    let mut places = Matrix::zeros(n, count);
    for (c, mix) in mixes.iter().enumerate() {
        // Beyond the rank only rounding errors are left.
        if values[c] <= 1e-14 * values[0] {
            continue;
        }
        let mut direction = vec![0.0; p];
        for (q, &m) in basis.iter().zip(mix) {
            direction.iter_mut().zip(q).for_each(|(d, q)| *d += m * q);
        }
        let column = operator.product(&direction);
        let largest = column.iter().fold(0.0f64, |best, v| if v.abs() > best.abs() { *v } else { best });
        let sign = if largest < 0.0 { -operator.scale } else { operator.scale };
        column.iter().enumerate().for_each(|(i, v)| places[(i, c)] = sign * v);
    }
    Ok(places)
}

/// The rows minus their mean, divided by their largest entry, so that squares do not overflow.
struct Centred<'a> {
    rows: &'a Rows,
    mean: Vec<f64>,
    scale: f64,
}

impl<'a> Centred<'a> {
    fn new(rows: &'a Rows) -> Self {
        fn largest<T: Scalar>(values: &[T]) -> f64 {
            values.iter().fold(0.0f64, |m, v| m.max(v.to_f64().abs()))
        }
        let scale = match rows {
            Rows::F64(m) => largest(m.as_slice()),
            Rows::F32(m) => largest(m.as_slice()),
            Rows::Sparse(m) => largest(m.values()),
        };
        let mut centred = Self { rows, mean: vec![0.0; rows.ncols()], scale };
        if scale > 0.0 {
            let share = 1.0 / rows.nrows() as f64;
            centred.mean = centred.transposed_product(&vec![share; rows.nrows()]);
        }
        centred
    }

    /// `(X − 1 m') v`.
    fn product(&self, v: &[f64]) -> Vec<f64> {
        let shift: f64 = self.mean.iter().zip(v).map(|(m, v)| m * v).sum();
        (0..self.rows.nrows()).into_par_iter().with_min_len(TASK).map(|i| self.row_dot(i, v) - shift).collect()
    }

    /// `(X − 1 m')' u`.
    fn transposed_product(&self, u: &[f64]) -> Vec<f64> {
        let tasks: Vec<Vec<f64>> = u
            .par_chunks(TASK)
            .enumerate()
            .map(|(task, u)| {
                let mut sum = vec![0.0; self.rows.ncols()];
                u.iter().enumerate().for_each(|(k, &weight)| self.add_row(task * TASK + k, weight, &mut sum));
                sum
            })
            .collect();
        let total: f64 = u.iter().sum();
        let mut out: Vec<f64> = self.mean.iter().map(|m| -m * total).collect();
        for task in tasks {
            out.iter_mut().zip(task).for_each(|(o, t)| *o += t);
        }
        out
    }

    fn row_dot(&self, i: usize, v: &[f64]) -> f64 {
        match self.rows {
            Rows::F64(m) => m.row(i).iter().zip(v).map(|(x, v)| x / self.scale * v).sum::<f64>(),
            Rows::F32(m) => m.row(i).iter().zip(v).map(|(x, v)| f64::from(*x) / self.scale * v).sum(),
            Rows::Sparse(m) => m.row(i).map(|(j, x)| x / self.scale * v[j as usize]).sum(),
        }
    }

    fn add_row(&self, i: usize, weight: f64, sum: &mut [f64]) {
        match self.rows {
            Rows::F64(m) => m.row(i).iter().zip(sum).for_each(|(x, s)| *s += weight * (x / self.scale)),
            Rows::F32(m) => m.row(i).iter().zip(sum).for_each(|(x, s)| *s += weight * (f64::from(*x) / self.scale)),
            Rows::Sparse(m) => m.row(i).for_each(|(j, x)| sum[j as usize] += weight * (x / self.scale)),
        }
    }
}

/// Largest eigenvalues of `q'A q`, descending, and the coefficients of their eigenvectors in the basis.
fn small_problem(basis: &[Vec<f64>], images: &[Vec<f64>], count: usize) -> Result<(Vec<f64>, Vec<Vec<f64>>)> {
    let m = basis.len();
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    // Only the lower triangle is read; both triangles agree up to rounding.
    let h = Mat::from_fn(m, m, |i, j| if i >= j { dot(&basis[i], &images[j]) } else { 0.0 });
    let eigen = h.self_adjoint_eigen(Side::Lower).map_err(|_| Error::Numerical {
        what: "principal components".into(),
        problem: "the dense eigensolver did not converge".into(),
    })?;
    let ranked = (0..count.min(m)).map(|c| m - 1 - c);
    let value = |c: usize| eigen.S().column_vector()[c].max(0.0);
    Ok(ranked.map(|c| (value(c), (0..m).map(|i| eigen.U()[(i, c)]).collect())).unzip())
}

/// Orthogonalises a vector against the basis (twice, for accuracy) and scales it to length 1. A vector in the span of the basis
/// is replaced by a random one.
fn orthonormalize(vector: &mut Vec<f64>, basis: &[Vec<f64>], random: &mut SplitMix) {
    let length = |v: &[f64]| v.iter().map(|x| x * x).sum::<f64>().sqrt();
    loop {
        let before = length(vector);
        for _ in 0..2 {
            for q in basis {
                let dot: f64 = q.iter().zip(vector.iter()).map(|(q, v)| q * v).sum();
                vector.iter_mut().zip(q).for_each(|(v, q)| *v -= dot * q);
            }
        }
        let after = length(vector);
        if after > 1e-10 * before && after > f64::MIN_POSITIVE {
            vector.iter_mut().for_each(|v| *v /= after);
            return;
        }
        *vector = random.vector(vector.len());
    }
}

/// A fixed pseudo-random start.
struct SplitMix(u64);

impl SplitMix {
    fn vector(&mut self, length: usize) -> Vec<f64> {
        (0..length)
            .map(|_| {
                self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
                let mut z = self.0;
                z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
                z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
                ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 52) as f64 - 1.0
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::Csr;
    use crate::progress::with_threads;

    fn places(rows: &Rows, count: usize) -> Matrix<f64> {
        principal_components(rows, count, &Progress::silent()).unwrap()
    }

    /// Rows whose columns have falling variance, some of them zero.
    fn cloud(n: usize, p: usize) -> Matrix<f64> {
        let mut random = SplitMix(5);
        let values = random.vector(n * p);
        Matrix::from_fn(n, p, |i, j| {
            let v = values[i * p + j];
            if v.abs() < 0.3 { 0.0 } else { v * 0.8f64.powi(j as i32) + 3.0 * f64::from(u8::from(j == 2)) }
        })
    }

    /// By the covariance matrix and a dense eigensolver.
    fn by_covariance(rows: &Matrix<f64>, count: usize) -> Vec<f64> {
        let (n, p) = (rows.nrows(), rows.ncols());
        let mean: Vec<f64> = (0..p).map(|j| (0..n).map(|i| rows[(i, j)]).sum::<f64>() / n as f64).collect();
        let c = Mat::from_fn(p, p, |a, b| (0..n).map(|i| (rows[(i, a)] - mean[a]) * (rows[(i, b)] - mean[b])).sum::<f64>());
        let eigen = c.self_adjoint_eigen(Side::Lower).unwrap();
        (0..count).map(|k| eigen.S().column_vector()[p - 1 - k]).collect()
    }

    #[test]
    fn variances_are_those_of_the_covariance_matrix() {
        for (n, p) in [(300, 5), (400, 150), (40, 200)] {
            let rows = cloud(n, p);
            let found = places(&Rows::F64(rows.clone()), 3);
            for (c, expected) in by_covariance(&rows, 3).into_iter().enumerate() {
                let got: f64 = found.rows().map(|r| r[c] * r[c]).sum();
                assert!((got - expected).abs() < 1e-8 * expected, "{n} x {p}, component {c}: {got} against {expected}");
                // Centred, and of fixed sign.
                assert!(found.rows().map(|r| r[c]).sum::<f64>().abs() < 1e-9 * expected.sqrt() * n as f64);
                let largest = found.rows().map(|r| r[c]).fold(0.0f64, |b, v| if v.abs() > b.abs() { v } else { b });
                assert!(largest > 0.0);
            }
        }
    }

    #[test]
    fn sparse_dense_and_single_precision_agree() {
        let rows = cloud(200, 80);
        let dense = places(&Rows::F64(rows.clone()), 2);
        let sparse = places(&Rows::Sparse(Csr::from_dense(&rows)), 2);
        let single = places(&Rows::F32(rows.to_f32()), 2);
        for i in 0..200 {
            for c in 0..2 {
                assert!((dense[(i, c)] - sparse[(i, c)]).abs() < 1e-9);
                assert!((dense[(i, c)] - single[(i, c)]).abs() < 1e-4);
            }
        }
    }

    #[test]
    fn equal_variances_are_both_found() {
        // A circle in 40 dimensions: two directions of exactly the same variance, and a little noise in a third.
        let rows = Matrix::from_fn(360, 40, |i, j| {
            let angle = (i as f64).to_radians();
            match j {
                7 => angle.cos(),
                30 => angle.sin(),
                12 => 0.01 * (7.0 * angle).cos(),
                _ => 0.5,
            }
        });
        let found = places(&Rows::F64(rows), 2);
        for row in found.rows() {
            assert!((row[0].hypot(row[1]) - 1.0).abs() < 1e-9);
        }
    }

    #[test]
    fn awkward_rows_have_places_too() {
        let constant = Rows::F64(Matrix::from_fn(6, 3, |_, j| j as f64));
        assert!(places(&constant, 2).as_slice().iter().all(|v| v.abs() < 1e-12));
        assert!(places(&Rows::F64(Matrix::zeros(4, 2)), 2).as_slice().iter().all(|v| *v == 0.0));
        let one_column = places(&Rows::F64(Matrix::from_fn(5, 1, |i, _| i as f64)), 2);
        assert!((one_column[(4, 0)].abs() - 2.0).abs() < 1e-12 && one_column[(4, 1)] == 0.0);
        for size in [1e-200, 1e200] {
            let found = places(&Rows::F64(Matrix::from_fn(9, 4, |i, j| size * ((i * 7 + j * j * 3) % 5) as f64)), 2);
            assert!(found.as_slice().iter().all(|v| v.is_finite()) && found[(0, 0)].abs() > 1e-3 * size);
        }
        assert!(principal_components(&constant, 0, &Progress::silent()).is_err());
        let stopped = Progress::silent();
        stopped.cancel();
        assert!(matches!(principal_components(&constant, 2, &stopped), Err(Error::Cancelled)));
    }

    #[test]
    fn the_number_of_threads_changes_no_bit() {
        let rows = Rows::F64(cloud(3000, 30));
        let alone = with_threads(1, || places(&rows, 2));
        assert_eq!(with_threads(2, || places(&rows, 2)), alone);
    }
}
