//! Inner products of one short vector, under many permutations of its entries, with many other vectors: the inner loops of the
//! comparison of local patterns.
//!
//! No fused multiply-add: the sums are the same on every CPU.
#![allow(unsafe_code)]

use crate::linalg::dispatch::widest;
use std::ops::{AddAssign, Mul};

/// Permutations computed together.
pub(crate) const LANES: usize = 24;

/// Single or double precision.
pub(crate) trait Lane: Copy + Default + PartialOrd + Mul<Output = Self> + AddAssign {
    const LEAST: Self;
}
impl Lane for f64 {
    const LEAST: Self = f64::NEG_INFINITY;
}
impl Lane for f32 {
    const LEAST: Self = f32::NEG_INFINITY;
}

/// One vector under all permutations: `values[chunk][entry][lane]`.
pub(crate) struct Ordered<T> {
    entries: usize,
    values: Vec<[T; LANES]>,
}

impl<T: Lane> Ordered<T> {
    /// Allocates for vectors of that many entries.
    pub(crate) fn new(entries: usize, orders: usize) -> Self {
        Self { entries, values: vec![[T::default(); LANES]; entries * orders.div_ceil(LANES)] }
    }
    /// Fills in the vector; `orders` holds the source positions of its entries, one row of `entries` positions per permutation.
    pub(crate) fn fill(&mut self, vector: &[T], orders: &[u8]) {
        let count = orders.len() / self.entries;
        for (c, chunk) in self.values.chunks_exact_mut(self.entries).enumerate() {
            for lane in 0..LANES {
                // The last chunk is padded with the first permutation.
                let h = if c * LANES + lane < count { c * LANES + lane } else { 0 };
                for (e, place) in orders[h * self.entries..(h + 1) * self.entries].iter().enumerate() {
                    chunk[e][lane] = vector[*place as usize];
                }
            }
        }
    }
}

impl Ordered<f64> {
    /// The largest inner product with `other` over all permutations.
    pub(crate) fn largest(&self, other: &[f64]) -> f64 {
        largest(self, other)
    }
}
impl Ordered<f32> {
    /// The largest inner product with `other` over all permutations, up to rounding.
    pub(crate) fn largest(&self, other: &[f32]) -> f32 {
        largest_single(self, other)
    }
}

widest! {
    ["avx512f"], ["avx2"];
    fn largest(ordered: &Ordered<f64>, other: &[f64]) -> f64 = largest_of;
}
widest! {
    ["avx512f"], ["avx2"];
    fn largest_single(ordered: &Ordered<f32>, other: &[f32]) -> f32 = largest_of;
}

#[inline(always)]
fn largest_of<T: Lane>(ordered: &Ordered<T>, other: &[T]) -> T {
    let mut most = [T::LEAST; LANES];
    for chunk in ordered.values.chunks_exact(ordered.entries) {
        let mut sum = [T::default(); LANES];
        for (values, o) in chunk.iter().zip(other) {
            for l in 0..LANES {
                sum[l] += values[l] * *o;
            }
        }
        for l in 0..LANES {
            most[l] = if sum[l] > most[l] { sum[l] } else { most[l] };
        }
    }
    most.iter().fold(T::LEAST, |a, b| if *b > a { *b } else { a })
}

/// Other vectors computed together.
pub(crate) const STRIP: usize = 64;
/// Bound on the error of single precision in the squared inner product of two non-negative unit vectors of at most 21 entries:
/// entries, products and sums are each rounded by at most 2⁻²⁴.
pub(crate) const MARGIN: f32 = 1e-5;

widest! {
    ["avx512f"], ["avx2"];
    /// `out[j] = min(size, sizes[j]) · (1 − (Σ_e own[e] · others[e][j])²)`, at least 0: the residual of the smaller of two
    /// vectors after projection on the other. Also the minimum of every [`STRIP`] of them. A lower bound: rounding never raises
    /// it above the exact value.
    pub(crate) fn unexplained(own: &[f32], size: f32, others: &[Vec<f32>], sizes: &[f32], out: &mut [f32], least: &mut [f32]) = unexplained_by;
}

#[inline(always)]
fn unexplained_by(own: &[f32], size: f32, others: &[Vec<f32>], sizes: &[f32], out: &mut [f32], least: &mut [f32]) {
    let n = out.len();
    for (s, least) in least.iter_mut().enumerate() {
        let first = s * STRIP;
        if first + STRIP > n {
            *least = f32::INFINITY;
            for j in first..n {
                let sum: f32 = own.iter().zip(others).map(|(x, other)| x * other[j]).sum();
                out[j] = left_single(size, sizes[j], sum);
                *least = least.min(out[j]);
            }
            continue;
        }
        let mut sum = [0.0; STRIP];
        for (x, other) in own.iter().zip(others) {
            let other = &other[first..first + STRIP];
            for l in 0..STRIP {
                sum[l] += x * other[l];
            }
        }
        let (sizes, out) = (&sizes[first..first + STRIP], &mut out[first..first + STRIP]);
        for l in 0..STRIP {
            out[l] = left_single(size, sizes[l], sum[l]);
        }
        let mut narrow = [f32::INFINITY; 16];
        for part in out.as_chunks::<16>().0 {
            for l in 0..16 {
                narrow[l] = if part[l] < narrow[l] { part[l] } else { narrow[l] };
            }
        }
        *least = narrow.iter().fold(f32::INFINITY, |a, b| a.min(*b));
    }
}

/// At most `min(a, b) · (1 − c²)` where `cosine` is c in single precision.
#[inline(always)]
pub(crate) fn left_single(a: f32, b: f32, cosine: f32) -> f32 {
    let smaller = if b < a { b } else { a };
    let left = smaller * ((1.0 - MARGIN) - cosine * cosine);
    if left > 0.0 { left } else { 0.0 }
}

/// Entries in a [`Star`].
pub(crate) const POINTS: usize = 8;

/// For each neighbour of a pattern: its distance to the row, and half of its distances to the other neighbours, sorted.
/// `values[t][u]`; unused entries are zero.
pub(crate) type Star = [[f64; POINTS]; 6];

widest! {
    ["avx512f"], ["avx2"];
    /// An upper bound of the largest inner product over all permutations: every neighbour of one pattern takes the best of the
    /// other's (the Gilmore–Lawler bound without the matching). `whole` holds the undivided distances among neighbours.
    pub(crate) fn star_bound(whole: &Star, k: usize, halves: &Star) -> f64 = star_bound_of;
}

#[inline(always)]
fn star_bound_of(whole: &Star, k: usize, halves: &Star) -> f64 {
    let (mut by_row, mut by_column) = (0.0, [0.0; POINTS]);
    for u in 0..k {
        let mut sum = [0.0; POINTS];
        for (x, y) in whole.iter().zip(halves) {
            for v in 0..POINTS {
                sum[v] += x[u] * y[v];
            }
        }
        by_row += sum.iter().fold(0.0f64, |a, b| if *b > a { *b } else { a });
        for v in 0..POINTS {
            by_column[v] = if sum[v] > by_column[v] { sum[v] } else { by_column[v] };
        }
    }
    let by_column: f64 = by_column.iter().sum();
    if by_row < by_column { by_row } else { by_column }
}
