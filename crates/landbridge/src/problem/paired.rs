//! Fits one set of points to another with known pairs: Procrustes (Procrustes08, Theorem 1) and affine maps.

use crate::error::{Error, Result};
use crate::linalg::Matrix;
use crate::linalg::tall::{Tall, gram};
use crate::linalg::whitening::{Whitener, Whitening};
use faer::Mat;

/// `x ≈ scale · y · rotation + offset`.
#[derive(Clone, Debug)]
pub(crate) struct Similarity {
    pub(crate) scale: f64,
    /// d × d, orthogonal.
    pub(crate) rotation: Mat<f64>,
    pub(crate) offset: Vec<f64>,
    /// Dimensions in which the points determine the rotation.
    pub(crate) determined: usize,
    /// A reflection would fit better than the rotation asked for.
    pub(crate) mirrored: bool,
}

/// `x ≈ y · matrix + offset`.
#[derive(Clone, Debug)]
pub(crate) struct AffineFit {
    pub(crate) matrix: Mat<f64>,
    pub(crate) offset: Vec<f64>,
    /// Dimensions that the points y span.
    pub(crate) rank: usize,
    /// The ridge added, in absolute terms.
    pub(crate) ridge: f64,
}

/// Why a fit is impossible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Degenerate {
    /// The points to be moved coincide.
    Own,
    /// The points they are moved to coincide.
    Target,
    /// No rotation fits: the cross-covariance is zero, or only a reflection would fit.
    Unrelated,
}

/// Singular values below this share of the largest are rounding errors.
const ZERO: f64 = 1e-12;

/// Points with their weighted mean subtracted, in units of their largest coordinate.
struct Centred {
    values: Matrix<f64>,
    mean: Vec<f64>,
    unit: f64,
}

impl Centred {
    /// `None` when all points coincide.
    fn new(points: &Matrix<f64>, weights: &[f64]) -> Option<Self> {
        // Divided before the sum: coordinates and weights near 1e308 must not overflow.
        let most = weights.iter().fold(0.0f64, |a, w| a.max(*w));
        let total: f64 = weights.iter().map(|w| w / most).sum();
        let mut mean = vec![0.0; points.ncols()];
        for (row, w) in points.rows().zip(weights) {
            mean.iter_mut().zip(row).for_each(|(m, v)| *m += v * (w / most / total));
        }
        let size = points.as_slice().iter().fold(0.0f64, |a, v| a.max(v.abs()));
        let mut values = points.clone();
        for i in 0..values.nrows() {
            values.row_mut(i).iter_mut().zip(&mean).for_each(|(v, m)| *v -= m);
        }
        let unit = values.as_slice().iter().fold(0.0f64, |a, v| a.max(v.abs()));
        if !(unit > 1e-14 * size && unit.is_finite()) {
            return None;
        }
        values.as_mut_slice().iter_mut().for_each(|v| *v /= unit);
        Some(Self { values, mean, unit })
    }
    /// `Y' W X` with weights in units of their largest.
    fn across(&self, other: &Self, weights: &[f64]) -> Mat<f64> {
        let most = weights.iter().fold(0.0f64, |a, w| a.max(*w));
        let tall = |m: &Matrix<f64>| Tall { values: m.as_slice().to_vec(), stride: m.ncols() };
        let mut own = tall(&self.values);
        for (row, w) in own.values.chunks_exact_mut(self.values.ncols()).zip(weights) {
            row.iter_mut().for_each(|v| *v *= w / most);
        }
        gram(&own, own.stride, &tall(&other.values))
    }
    /// `tr(Y' W Y)` with weights in units of their largest.
    fn squares(&self, weights: &[f64]) -> f64 {
        let most = weights.iter().fold(0.0f64, |a, w| a.max(*w));
        self.values.rows().zip(weights).map(|(row, w)| w / most * row.iter().map(|v| v * v).sum::<f64>()).sum()
    }
}

fn svd(m: &Mat<f64>) -> Result<(Mat<f64>, Vec<f64>, Mat<f64>)> {
    let fail =
        || Error::Numerical { what: "singular values of the paired rows".into(), problem: "the SVD did not converge".into() };
    let found = m.svd().map_err(|_| fail())?;
    let values: Vec<f64> = (0..m.nrows()).map(|i| found.S()[i]).collect();
    if values.iter().any(|v| !v.is_finite()) {
        return Err(fail());
    }
    Ok((found.U().to_owned(), values, found.V().to_owned()))
}

/// Minimises `Σ w |x − scale · y · rotation − offset|²` (Theorem 1, on centred points): with `Y'WX = UΣV'` the rotation is
/// `UV'` and the scale `tr(Σ) / tr(Y'WY)`. Both have the same number of columns. Without `reflection`: the best proper
/// rotation. Without `scaling`: scale 1. Where the points do not determine the rotation, the completion nearest to the identity
/// is taken.
pub(crate) fn similarity(
    y: &Matrix<f64>,
    x: &Matrix<f64>,
    weights: &[f64],
    scaling: bool,
    reflection: bool,
) -> Result<std::result::Result<Similarity, Degenerate>> {
    let Some(own) = Centred::new(y, weights) else { return Ok(Err(Degenerate::Own)) };
    let Some(target) = Centred::new(x, weights) else { return Ok(Err(Degenerate::Target)) };
    let moments = Moments {
        cross: own.across(&target, weights),
        squares: own.squares(weights),
        points: own.values.nrows(),
        units: [own.unit, target.unit],
        means: [own.mean, target.mean],
    };
    similarity_of(&moments, scaling, reflection)
}

/// What a similarity depends on: the products of the centred points y (own) and x (target), each in units of about their size.
pub(crate) struct Moments {
    /// `Y'WX`, square.
    pub(crate) cross: Mat<f64>,
    /// `tr(Y'WY)`.
    pub(crate) squares: f64,
    /// Number of points.
    pub(crate) points: usize,
    /// The units of y and of x.
    pub(crate) units: [f64; 2],
    /// The means of y and of x.
    pub(crate) means: [Vec<f64>; 2],
}

/// [`similarity`] from products.
pub(crate) fn similarity_of(
    moments: &Moments,
    scaling: bool,
    reflection: bool,
) -> Result<std::result::Result<Similarity, Degenerate>> {
    let d = moments.cross.nrows();
    let (u, mut sigma, v) = svd(&moments.cross)?;
    let largest = sigma[0];
    if largest <= ZERO * moments.points as f64 {
        return Ok(Err(Degenerate::Unrelated));
    }
    let mut determined = sigma.iter().take_while(|s| **s > ZERO * largest).count();
    let open = d - determined;
    // UV'.
    let mut rotation = u.as_ref().subcols(0, determined) * v.as_ref().subcols(0, determined).transpose();
    let add = |rotation: &mut Mat<f64>, sign: f64, a: &dyn Fn(usize) -> f64, b: &dyn Fn(usize) -> f64| {
        (0..d).for_each(|i| (0..d).for_each(|j| rotation[(i, j)] += sign * a(i) * b(j)));
    };
    let mut mirrored = false;
    // If only a proper rotation is allowed and a reflection fits best, flip the direction of the smallest singular value.
    let mut last: (Vec<f64>, Vec<f64>) = ((0..d).map(|i| u[(i, d - 1)]).collect(), (0..d).map(|j| v[(j, d - 1)]).collect());
    if open > 0 {
        // Q = U₁V₁' + U₀ P V₀', P the orthogonal factor of U₀'V₀: nearest to the identity.
        let (u0, v0) = (u.as_ref().subcols(determined, open), v.as_ref().subcols(determined, open));
        let (a, _, b) = svd(&(u0.transpose() * v0))?;
        let (left, right) = (u0 * &a, v0 * &b);
        rotation += &left * right.transpose();
        last = ((0..d).map(|i| left[(i, open - 1)]).collect(), (0..d).map(|j| right[(j, open - 1)]).collect());
    }
    if !reflection {
        if rotation.determinant() < 0.0 {
            add(&mut rotation, -2.0, &|i| last.0[i], &|j| last.1[j]);
            if open == 0 {
                sigma[d - 1] = -sigma[d - 1];
                mirrored = true;
            }
        }
        // A single undetermined direction follows from the orientation.
        determined += usize::from(open == 1);
    }
    let trace: f64 = sigma.iter().sum();
    if trace <= ZERO * largest {
        return Ok(Err(Degenerate::Unrelated));
    }
    let [own, target] = &moments.means;
    let scale = if scaling { trace / moments.squares * (moments.units[1] / moments.units[0]) } else { 1.0 };
    let offset = (0..d).map(|j| target[j] - scale * (0..d).map(|i| own[i] * rotation[(i, j)]).sum::<f64>()).collect();
    Ok(Ok(Similarity { scale, rotation, offset, determined, mirrored }))
}

/// Minimises `Σ w |x − y · matrix − offset|² + ridge |matrix|²`; `ridge` is in units of the mean diagonal of the centred
/// `Y'WY`. Without ridge and with dependent coordinates: the matrix of minimum norm.
pub(crate) fn affine(
    y: &Matrix<f64>,
    x: &Matrix<f64>,
    weights: &[f64],
    ridge: f64,
) -> Result<std::result::Result<AffineFit, Degenerate>> {
    let (p, d) = (y.ncols(), x.ncols());
    let Some(own) = Centred::new(y, weights) else { return Ok(Err(Degenerate::Own)) };
    let Some(target) = Centred::new(x, weights) else { return Ok(Err(Degenerate::Target)) };
    let cross = own.across(&target, weights);
    let mut squares = own.across(&own, weights);
    let ridge = ridge * (0..p).map(|i| squares[(i, i)]).sum::<f64>() / p as f64;
    (0..p).for_each(|i| squares[(i, i)] += ridge);
    let whitening = Whitening(vec![Whitener::new(squares)?]);
    let values = (0..p).flat_map(|i| (0..d).map(move |j| (i, j))).map(|at| cross[at]).collect();
    let solved = whitening.expand(&whitening.shrink(&Tall { values, stride: d }));
    let matrix = Mat::from_fn(p, d, |i, j| solved.values[i * d + j] * (target.unit / own.unit));
    let offset = (0..d).map(|j| target.mean[j] - (0..p).map(|i| own.mean[i] * matrix[(i, j)]).sum::<f64>()).collect();
    let most = weights.iter().fold(0.0f64, |a, w| a.max(*w));
    let rank = whitening.rank();
    Ok(Ok(AffineFit { matrix, offset, rank, ridge: ridge * own.unit * own.unit * most }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(n: usize, d: usize, seed: u64) -> Matrix<f64> {
        let mut state = seed;
        Matrix::from_fn(n, d, |_, _| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) as f64 / (1u64 << 31) as f64 - 0.5
        })
    }
    /// An orthogonal matrix with that determinant.
    fn turn(d: usize, seed: u64, proper: bool) -> Mat<f64> {
        let m = points(d, d, seed);
        let found = Mat::from_fn(d, d, |i, j| m[(i, j)]).svd().unwrap();
        let mut q = found.U() * found.V().transpose();
        if (q.determinant() > 0.0) != proper {
            (0..d).for_each(|i| q[(i, 0)] = -q[(i, 0)]);
        }
        q
    }
    fn moved(y: &Matrix<f64>, k: f64, q: &Mat<f64>, t: &[f64]) -> Matrix<f64> {
        Matrix::from_fn(y.nrows(), q.ncols(), |i, j| k * (0..y.ncols()).map(|c| y[(i, c)] * q[(c, j)]).sum::<f64>() + t[j])
    }
    fn largest_difference(a: &Mat<f64>, b: &Mat<f64>) -> f64 {
        (0..a.nrows()).flat_map(|i| (0..a.ncols()).map(move |j| (i, j))).fold(0.0, |m, at| m.max((a[at] - b[at]).abs()))
    }

    #[test]
    fn a_known_move_is_found_again() {
        for (proper, size) in [(true, 1.0), (false, 1.0), (true, 1e150), (true, 1e-150)] {
            let y = points(20, 4, 3);
            let q = turn(4, 9, proper);
            let t = [3.0 * size, -7.0 * size, 0.0, size];
            let x = moved(&y, 2.5 * size, &q, &t);
            let weights: Vec<f64> = (0..20).map(|i| 1.0 + (i % 3) as f64).collect();
            let found = similarity(&y, &x, &weights, true, true).unwrap().unwrap();
            assert!((found.scale / (2.5 * size) - 1.0).abs() < 1e-12);
            assert!(largest_difference(&found.rotation, &q) < 1e-12);
            assert!(found.offset.iter().zip(&t).all(|(a, b)| (a - b).abs() < 1e-11 * size));
            assert_eq!((found.determined, found.mirrored), (4, false));
        }
    }

    /// Theorem 1 as proved: no other scale and no other rotation near it fits better, weights included.
    #[test]
    fn no_other_scale_or_rotation_fits_noisy_pairs_better() {
        let (y, x) = (points(12, 3, 1), points(12, 3, 2));
        let weights: Vec<f64> = (0..12).map(|i| 0.5 + (i % 4) as f64).collect();
        let loss = |k: f64, q: &Mat<f64>, t: &[f64]| -> f64 {
            let z = moved(&y, k, q, t);
            (0..12).map(|i| weights[i] * (0..3).map(|c| (x[(i, c)] - z[(i, c)]).powi(2)).sum::<f64>()).sum()
        };
        for reflection in [true, false] {
            let best = similarity(&y, &x, &weights, true, reflection).unwrap().unwrap();
            let least = loss(best.scale, &best.rotation, &best.offset);
            assert!(reflection || (best.rotation.determinant() - 1.0).abs() < 1e-12);
            for seed in 0..200 {
                let small = points(3, 3, 50 + seed);
                let size = 10f64.powi(-((seed % 5) as i32));
                let near = Mat::from_fn(3, 3, |i, j| best.rotation[(i, j)] + size * small[(i, j)]).svd().unwrap();
                let q = near.U() * near.V().transpose();
                if !reflection && q.determinant() < 0.0 {
                    continue;
                }
                let k = best.scale * (1.0 + size * small[(0, 0)]);
                let t: Vec<f64> = best.offset.iter().enumerate().map(|(c, t)| t + size * small[(1, c)]).collect();
                assert!(loss(k, &q, &t) >= least - 1e-12, "{seed}");
            }
        }
    }

    #[test]
    fn mirrored_points_are_noticed_when_only_rotations_are_allowed() {
        let y = points(10, 3, 5);
        let x = moved(&y, 1.0, &turn(3, 6, false), &[0.0; 3]);
        let found = similarity(&y, &x, &[1.0; 10], true, false).unwrap().unwrap();
        assert!(found.mirrored && (found.rotation.determinant() - 1.0).abs() < 1e-12);
        let proper = moved(&y, 1.0, &turn(3, 6, true), &[0.0; 3]);
        assert!(!similarity(&y, &proper, &[1.0; 10], true, false).unwrap().unwrap().mirrored);
    }

    #[test]
    fn points_on_a_line_leave_the_turn_open_and_the_least_turn_is_taken() {
        let y = Matrix::from_fn(6, 3, |i, j| if j == 0 { i as f64 } else { 0.0 });
        let found = similarity(&y, &y, &[1.0; 6], true, true).unwrap().unwrap();
        assert_eq!(found.determined, 1);
        assert!(largest_difference(&found.rotation, &Mat::identity(3, 3)) < 1e-12);
        // In the plane a proper rotation is determined by one direction.
        let y = Matrix::from_fn(6, 2, |i, j| if j == 0 { i as f64 } else { 0.0 });
        let x = Matrix::from_fn(6, 2, |i, j| if j == 1 { 2.0 * i as f64 } else { 1.0 });
        let found = similarity(&y, &x, &[1.0; 6], true, false).unwrap().unwrap();
        assert_eq!((found.determined, found.mirrored), (2, false));
        assert!((found.scale - 2.0).abs() < 1e-12 && (found.rotation.determinant() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn points_that_coincide_are_refused() {
        let (y, same) = (points(5, 2, 1), Matrix::from_fn(5, 2, |_, _| 0.1));
        assert_eq!(similarity(&same, &y, &[1.0; 5], true, true).unwrap().unwrap_err(), Degenerate::Own);
        assert_eq!(similarity(&y, &same, &[1.0; 5], true, true).unwrap().unwrap_err(), Degenerate::Target);
        assert_eq!(affine(&same, &y, &[1.0; 5], 0.0).unwrap().unwrap_err(), Degenerate::Own);
        // In one dimension a rotation cannot reflect.
        let line = Matrix::from_fn(5, 1, |i, _| i as f64);
        let back = Matrix::from_fn(5, 1, |i, _| -(i as f64));
        assert_eq!(similarity(&line, &back, &[1.0; 5], true, false).unwrap().unwrap_err(), Degenerate::Unrelated);
    }

    #[test]
    fn an_affine_map_is_found_again_and_a_ridge_shrinks_it() {
        let y = points(30, 3, 8);
        let a = points(3, 2, 9);
        let matrix = Mat::from_fn(3, 2, |i, j| a[(i, j)]);
        let x = moved(&y, 1.0, &matrix, &[5.0, -2.0]);
        let found = affine(&y, &x, &[1.0; 30], 0.0).unwrap().unwrap();
        assert!(largest_difference(&found.matrix, &matrix) < 1e-11 && (found.offset[0] - 5.0).abs() < 1e-11);
        assert_eq!(found.rank, 3);
        let shrunk = affine(&y, &x, &[1.0; 30], 1.0).unwrap().unwrap();
        let length = |m: &Mat<f64>| (0..3).flat_map(|i| (0..2).map(move |j| (i, j))).map(|at| m[at] * m[at]).sum::<f64>();
        assert!(length(&shrunk.matrix) < 0.5 * length(&matrix));
    }
}
