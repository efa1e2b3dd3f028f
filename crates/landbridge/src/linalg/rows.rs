//! Single rows: scaled, and how far two are apart.
//!
//! `unsafe` here only calls the same safe loop compiled for a wider instruction set.
#![allow(unsafe_code)]

use crate::linalg::Scalar;
use crate::linalg::dispatch::widest;

widest! {
    ["avx512f"], ["avx2"];
    /// `row factor / 2`.
    pub(crate) fn half_scaled(row: &[f64], factor: f64, out: &mut [f64]) = half_scaled_any;
}

/// The same, of numbers of any kind.
#[inline(always)]
pub(crate) fn half_scaled_any<T: Scalar>(row: &[T], factor: f64, out: &mut [f64]) {
    for (o, v) in out.iter_mut().zip(row) {
        *o = v.to_f64() * 0.5 * factor;
    }
}

widest! {
    ["avx512f"], ["avx2"];
    /// `|x − y|²`, the same bits on every processor and for (y, x).
    pub(crate) fn squared_distance(x: &[f64], y: &[f64]) -> f64 = squared_distance_any;
}

#[inline(always)]
fn squared_distance_any(x: &[f64], y: &[f64]) -> f64 {
    // Eight partial sums: independent of the processor, and fast enough on all of them.
    let mut sums = [0.0f64; 8];
    let (mut cx, mut cy) = (x.chunks_exact(8), y.chunks_exact(8));
    for (a, b) in (&mut cx).zip(&mut cy) {
        for l in 0..8 {
            let d = a[l] - b[l];
            sums[l] += d * d;
        }
    }
    for (l, (a, b)) in cx.remainder().iter().zip(cy.remainder()).enumerate() {
        let d = a - b;
        sums[l] += d * d;
    }
    ((sums[0] + sums[4]) + (sums[1] + sums[5])) + ((sums[2] + sums[6]) + (sums[3] + sums[7]))
}
