//! Localised bases of the exact spectral subspaces of a symmetric operator.

use super::{MOST_LEVELS, WaveletLevel};
use crate::error::Result;
use crate::linalg::Matrix;
use crate::linalg::dense::{add_matmul, add_symmetric_matmul, mirror};
use crate::linalg::whitening::symmetric_eigen;
use crate::progress::Progress;
use faer::{Mat, MatRef};
use rayon::prelude::*;
use std::sync::Arc;

/// Levels and the basis of each.
pub(crate) type Built = (Vec<WaveletLevel>, Vec<Arc<Matrix<f64>>>);

/// Eigenvalues this close to 1 count as 1.
const ONE: f64 = 1e-12;

/// Eigenvalues by descending absolute value, and their eigenvectors (columns).
pub(crate) struct Spectrum {
    pub(crate) values: Vec<f64>,
    pub(crate) vectors: Mat<f64>,
}

impl Spectrum {
    pub(crate) fn of(m: &Mat<f64>) -> Result<Self> {
        let (values, vectors) = symmetric_eigen(m)?;
        let mut order: Vec<usize> = (0..values.len()).collect();
        order.sort_by(|&a, &b| values[b].abs().total_cmp(&values[a].abs()).then(a.cmp(&b)));
        let n = vectors.nrows();
        Ok(Self {
            values: order.iter().map(|&i| values[i]).collect(),
            vectors: Mat::from_fn(n, order.len(), |i, j| vectors[(i, order[j])]),
        })
    }
    pub(crate) fn largest(&self) -> f64 {
        self.values.first().map_or(0.0, |v| v.abs())
    }
    pub(crate) fn divide_by(&mut self, norm: f64) {
        self.values.iter_mut().for_each(|v| *v /= norm);
    }
    /// `ln |λ|^(2^k) / ln ε` of each eigenvalue at k: at most 1 if it is kept.
    fn depths(&self, precision: f64, power: usize) -> impl Iterator<Item = f64> + '_ {
        let scale = (power as f64).exp2() / precision.ln();
        // An eigenvalue of 1 may be off by rounding.
        self.values.iter().map(move |v| if v.abs() > 1.0 - ONE { 0.0 } else { v.abs().ln() * scale })
    }
}

/// `Q'Q` of a matrix, both triangles.
pub(super) fn gram(m: MatRef<'_, f64>) -> Mat<f64> {
    let mut out = Mat::zeros(m.ncols(), m.ncols());
    add_symmetric_matmul(out.as_mut(), m.transpose(), m, 1.0);
    mirror(&mut out);
    out
}

/// `fine' coarse`: the functions of one level in those of a finer level that contains it.
pub(crate) fn coordinates(fine: &Matrix<f64>, coarse: &Matrix<f64>) -> Matrix<f64> {
    let view = |m: &Matrix<f64>| Mat::from_fn(m.nrows(), m.ncols(), |i, j| m[(i, j)]);
    let mut out = Mat::zeros(fine.ncols(), coarse.ncols());
    add_matmul(out.as_mut(), view(fine).transpose(), view(coarse).as_ref(), 1.0);
    Matrix::from_fn(out.nrows(), out.ncols(), |i, j| out[(i, j)])
}

/// The levels of a spectrum that is at most 1, and their bases. Above the top level nothing changes any more: what is left are
/// eigenvalues of 1, or nothing.
pub(crate) fn hierarchy(spectrum: &Spectrum, precision: f64, max_levels: usize, progress: &Progress) -> Result<Built> {
    let dimension = |k: usize| spectrum.depths(precision, k).filter(|d| *d <= 1.0).count();
    let top = dimension(MOST_LEVELS);
    let mut dimensions: Vec<usize> = vec![];
    for k in 1..=max_levels.min(MOST_LEVELS) {
        let d = dimension(k);
        if d == 0 {
            break;
        }
        dimensions.push(d);
        if d == top {
            break;
        }
    }
    progress.step("scaling functions", 0, dimensions.len())?;
    // Levels of the same dimension have the same span and share a basis.
    let mut distinct: Vec<(usize, usize)> = dimensions.iter().enumerate().map(|(at, d)| (*d, at + 1)).collect();
    distinct.dedup_by_key(|pair| pair.0);
    let bases: Vec<(usize, Arc<Matrix<f64>>)> = distinct
        .into_par_iter()
        .map(|(d, power)| {
            let depths: Vec<f64> = spectrum.depths(precision, power).take(d).collect();
            (d, Arc::new(localised(spectrum.vectors.as_ref().subcols(0, d), &depths)))
        })
        .collect();
    progress.step("scaling functions", dimensions.len(), dimensions.len())?;
    let basis_of = |d: usize| bases.iter().find(|b| b.0 == d).map(|b| b.1.clone());
    let levels = dimensions.iter().enumerate().map(|(at, d)| WaveletLevel { power: at as u32 + 1, dimension: *d, error: 0.0 });
    Ok((levels.collect(), dimensions.iter().filter_map(|d| basis_of(*d)).collect()))
}

/// Weight of an eigenvector at the edge of the band, relative to the top.
const EDGE: f64 = 1e-3;

/// An orthonormal basis of the span of V whose functions are concentrated on few rows: the Q factor of the pivoted QR of
/// `V W V'`. With W = 1 this is the spectral projector; its sharp edge makes columns decay like a sinc, so W falls from 1 at
/// the top of the band to almost 0 at its edge. The span is that of V for any W.
fn localised(v: MatRef<'_, f64>, depths: &[f64]) -> Matrix<f64> {
    let (n, d) = (v.nrows(), v.ncols());
    if d == n {
        // The whole space: its own coordinates are the most local basis.
        return Matrix::from_fn(n, n, |i, j| f64::from(u8::from(i == j)));
    }
    let weights: Vec<f64> = depths.iter().map(|x| (1.0 - x).max(0.0).powi(2) + EDGE).collect();
    let q = if 16 * d <= n {
        // Few functions: the pivoted QR reads d rows only, so an n × n matrix does not pay.
        Mat::from_fn(d, n, |c, i| weights[c] * v[(i, c)]).col_piv_qr().compute_thin_Q()
    } else {
        let chosen = pivots(v, &weights);
        Mat::from_fn(d, d, |c, j| weights[c] * v[(chosen[j], c)]).qr().compute_thin_Q()
    };
    let mut out = Mat::zeros(n, d);
    add_matmul(out.as_mut(), v, q.as_ref(), 1.0);
    // The entry of largest magnitude is positive.
    for j in 0..d {
        let largest = (0..n).map(|i| out[(i, j)]).fold(0.0f64, |best, x| if x.abs() > best.abs() { x } else { best });
        if largest < 0.0 {
            (0..n).for_each(|i| out[(i, j)] = -out[(i, j)]);
        }
    }
    Matrix::from_fn(n, d, |i, j| out[(i, j)])
}

/// Columns of a panel of the pivoted factorisation.
const PANEL: usize = 32;

/// The columns that a pivoted QR of `W V'` selects, in its order: those of a pivoted Cholesky factorisation of `V W² V'`, panel
/// by panel, so that most of the work is one large product. Q itself is then computed from the columns, not from the squares.
fn pivots(v: MatRef<'_, f64>, weights: &[f64]) -> Vec<usize> {
    let (n, d) = (v.nrows(), v.ncols());
    let weighted = Mat::from_fn(n, d, |i, c| weights[c] * v[(i, c)]);
    let mut k = Mat::zeros(n, n);
    // The lower triangle, here and below.
    add_symmetric_matmul(k.as_mut(), weighted.as_ref(), weighted.transpose(), 1.0);
    // The remaining diagonal entries; none for selected columns.
    let mut left: Vec<Option<f64>> = (0..n).map(|i| Some(k[(i, i)])).collect();
    let mut chosen: Vec<usize> = Vec::with_capacity(d);
    while chosen.len() < d {
        let width = PANEL.min(d - chosen.len());
        let mut panel: Mat<f64> = Mat::zeros(n, width);
        for j in 0..width {
            let mut best: Option<(usize, f64)> = None;
            for (i, value) in left.iter().enumerate() {
                if let Some(value) = value
                    && best.is_none_or(|b| *value > b.1)
                {
                    best = Some((i, *value));
                }
            }
            let Some((p, value)) = best else { return chosen };
            chosen.push(p);
            let mut column: Vec<f64> = (0..p).map(|i| k[(p, i)]).chain(k.col_as_slice(p)[p..].iter().copied()).collect();
            for earlier in 0..j {
                let factor = panel[(p, earlier)];
                column.iter_mut().zip(panel.col_as_slice(earlier)).for_each(|(c, e)| *c -= factor * e);
            }
            let scale = if value > 0.0 { 1.0 / value.sqrt() } else { 0.0 };
            for (i, c) in column.iter().enumerate() {
                panel[(i, j)] = scale * c;
                if let Some(l) = &mut left[i] {
                    *l -= scale * scale * c * c;
                }
            }
            left[p] = None;
        }
        add_symmetric_matmul(k.as_mut(), panel.as_ref(), panel.transpose(), -1.0);
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pivots_are_those_of_the_pivoted_qr() {
        let mut state = 5u64;
        let random = Mat::from_fn(90, 40, |_, _| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) as f64 / (1u64 << 31) as f64 - 0.5
        });
        let v = random.qr().compute_thin_Q();
        let weights: Vec<f64> = (0..40).map(|c| 1.0 / (1.0 + c as f64)).collect();
        let columns = Mat::from_fn(40, 90, |c, i| weights[c] * v[(i, c)]);
        let qr = columns.col_piv_qr();
        let (forward, _) = qr.P().arrays();
        assert_eq!(pivots(v.as_ref(), &weights), forward[..40].to_vec());
    }
}
