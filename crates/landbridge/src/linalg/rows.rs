//! Single rows: scaled, multiplied, and how far two are apart.
//!
//! `unsafe` here only calls the same safe loop compiled for a wider instruction set.
#![allow(unsafe_code)]

use crate::linalg::Scalar;
#[cfg(target_arch = "x86_64")]
use crate::linalg::dispatch::has;
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

widest! {
    ["avx512f"], ["avx2"];
    /// `|x|²`, the same bits on every processor.
    pub(crate) fn squared_length(x: &[f64]) -> f64 = squared_length_any;
}

#[inline(always)]
fn squared_length_any(x: &[f64]) -> f64 {
    let mut sums = [0.0f64; 16];
    let (parts, rest) = x.as_chunks::<16>();
    for part in parts {
        (0..16).for_each(|l| sums[l] += part[l] * part[l]);
    }
    sums.iter_mut().zip(rest).for_each(|(s, v)| *s += v * v);
    sums.iter().sum()
}

widest! {
    ["avx512f"], ["avx2"];
    /// The largest absolute value.
    pub(crate) fn largest_entry(x: &[f64]) -> f64 = largest_entry_any;
}

#[inline(always)]
fn largest_entry_any(x: &[f64]) -> f64 {
    let mut most = [0.0f64; 16];
    let (parts, rest) = x.as_chunks::<16>();
    for part in parts {
        (0..16).for_each(|l| most[l] = if part[l].abs() > most[l] { part[l].abs() } else { most[l] });
    }
    rest.iter().chain(&most).fold(0.0, |m, v| m.max(v.abs()))
}

widest! {
    ["avx512f"], ["avx2"];
    /// Divides every entry.
    pub(crate) fn divide(row: &mut [f64], by: f64) = divide_any;
}

#[inline(always)]
fn divide_any(row: &mut [f64], by: f64) {
    row.iter_mut().for_each(|v| *v /= by);
}

widest! {
    ["avx512f"], ["avx2"];
    /// Subtracts `times` the other row.
    pub(crate) fn subtract(row: &mut [f64], times: f64, other: &[f64]) = subtract_any;
}

#[inline(always)]
fn subtract_any(row: &mut [f64], times: f64, other: &[f64]) {
    row.iter_mut().zip(other).for_each(|(v, o)| *v -= times * o);
}

widest! {
    ["avx512f"], ["avx2"];
    /// Single precision to double.
    pub(crate) fn widened(from: &[f32], to: &mut [f64]) = widened_any;
}

#[inline(always)]
fn widened_any(from: &[f32], to: &mut [f64]) {
    to.iter_mut().zip(from).for_each(|(t, f)| *t = f64::from(*f));
}

widest! {
    ["avx512f"], ["avx2"];
    /// Double precision to single.
    pub(crate) fn rounded(from: &[f64], to: &mut [f32]) = rounded_any;
}

#[inline(always)]
fn rounded_any(from: &[f64], to: &mut [f32]) {
    to.iter_mut().zip(from).for_each(|(t, f)| *t = *f as f32);
}

widest! {
    ["avx512f"], ["avx2"];
    /// Whether no number is infinite or missing.
    pub(crate) fn finite_f32(values: &[f32]) -> bool = finite_f32_any;
}

#[inline(always)]
fn finite_f32_any(values: &[f32]) -> bool {
    // The largest exponent is that of numbers that are not finite.
    let most = values.iter().fold(0u32, |most, v| most.max(v.to_bits() & 0x7f80_0000));
    most < 0x7f80_0000
}

widest! {
    ["avx512f"], ["avx2"];
    /// Whether no number is infinite or missing.
    pub(crate) fn finite_f64(values: &[f64]) -> bool = finite_f64_any;
}

#[inline(always)]
fn finite_f64_any(values: &[f64]) -> bool {
    let most = values.iter().fold(0u64, |most, v| most.max(v.to_bits() & 0x7ff0_0000_0000_0000));
    most < 0x7ff0_0000_0000_0000
}

/// Whether these functions multiply and add in one rounding: then faer's products are their sums.
fn fused() -> bool {
    #[cfg(target_arch = "x86_64")]
    {
        has!(Avx512: "avx512f", "fma") || has!(Avx2: "avx2", "fma")
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        false
    }
}

/// Numbers whose products are summed up, one row at a time or many.
pub(crate) trait Term: Scalar + faer::traits::ComplexField {
    /// Terms that are summed up before their sum is added to the result, which is in double precision. faer's product sums up at least
    /// so many in one go. Sums in single precision are short, so that rounding stays near that of the terms themselves.
    const DEPTH: usize;
    /// `a b + sum`, in one rounding if `FMA`.
    fn multiply_add<const FMA: bool>(a: Self, b: Self, sum: Self) -> Self;
    /// `out += x B`, B by rows.
    fn add_rows(x: &[Self], b: &[Self], out: &mut [Self]);
}

impl Term for f64 {
    const DEPTH: usize = 512;
    #[inline(always)]
    fn multiply_add<const FMA: bool>(a: f64, b: f64, sum: f64) -> f64 {
        add::<FMA>(a, b, sum)
    }
    fn add_rows(x: &[f64], b: &[f64], out: &mut [f64]) {
        add_rows_f64(x, b, out);
    }
}

impl Term for f32 {
    const DEPTH: usize = 128;
    #[inline(always)]
    fn multiply_add<const FMA: bool>(a: f32, b: f32, sum: f32) -> f32 {
        if FMA { a.mul_add(b, sum) } else { a * b + sum }
    }
    fn add_rows(x: &[f32], b: &[f32], out: &mut [f32]) {
        add_rows_f32(x, b, out);
    }
}

widest! {
    ["avx512f"], ["avx2"];
    /// Negative zeros become plain ones: the sign of a zero depends on the order in which products are added.
    pub(crate) fn plain_zeros(row: &mut [f64]) = plain_zeros_any;
}

#[inline(always)]
fn plain_zeros_any(row: &mut [f64]) {
    row.iter_mut().for_each(|v| *v += 0.0);
}

/// `out = x B`, B by rows: the bits that faer's product of many rows gives each of them, without laying anything out anew.
/// `false`, and nothing done, where those bits are made in another way.
pub(crate) fn row_times<T: Term>(x: &[T], b: &[T], out: &mut [f64]) -> bool {
    let width = out.len();
    if width < 2 || x.is_empty() || !fused() {
        return false;
    }
    let mut sum = vec![T::default(); width];
    for (part, (x, b)) in x.chunks(T::DEPTH).zip(b.chunks(T::DEPTH * width)).enumerate() {
        sum.fill(T::default());
        T::add_rows(x, b, &mut sum);
        match part {
            0 => T::widen(&sum, out),
            _ => out.iter_mut().zip(&sum).for_each(|(o, s)| *o += s.to_f64()),
        }
    }
    plain_zeros(out);
    true
}

widest! {
    ["avx512f", "fma"], ["avx2", "fma"];
    fn add_rows_f64(x: &[f64], b: &[f64], out: &mut [f64]) = add_rows_any::<f64, true>, add_rows_any::<f64, false>;
}
widest! {
    ["avx512f", "fma"], ["avx2", "fma"];
    fn add_rows_f32(x: &[f32], b: &[f32], out: &mut [f32]) = add_rows_any::<f32, true>, add_rows_any::<f32, false>;
}

#[inline(always)]
fn add<const FMA: bool>(a: f64, b: f64, sum: f64) -> f64 {
    if FMA { a.mul_add(b, sum) } else { a * b + sum }
}

/// Four rows of B at a time: the sums come from the cache once for all of them. Rows that are a multiple of 4 kB apart share places in the
/// cache, and more of them would drive each other out.
#[inline(always)]
fn add_rows_any<T: Term, const FMA: bool>(x: &[T], b: &[T], out: &mut [T]) {
    const TOGETHER: usize = 4;
    let width = out.len();
    let (fours, rest) = x.as_chunks::<TOGETHER>();
    let mut parts = b.chunks_exact(TOGETHER * width);
    for (x, b) in fours.iter().zip(&mut parts) {
        let rows: [&[T]; TOGETHER] = std::array::from_fn(|r| &b[r * width..(r + 1) * width]);
        for j in 0..width {
            let mut sum = out[j];
            for r in 0..TOGETHER {
                sum = T::multiply_add::<FMA>(x[r], rows[r][j], sum);
            }
            out[j] = sum;
        }
    }
    for (x, row) in rest.iter().zip(parts.remainder().chunks_exact(width)) {
        out.iter_mut().zip(row).for_each(|(o, b)| *o = T::multiply_add::<FMA>(*x, *b, *o));
    }
}

widest! {
    ["avx512f", "fma"], ["avx2", "fma"];
    /// `x·y` and `|y|²`, in any order of the terms.
    pub(crate) fn dot_and_square(x: &[f64], y: &[f64]) -> (f64, f64) = dot_and_square_any::<true>, dot_and_square_any::<false>;
}

#[inline(always)]
fn dot_and_square_any<const FMA: bool>(x: &[f64], y: &[f64]) -> (f64, f64) {
    let (mut dots, mut squares) = ([0.0f64; 16], [0.0f64; 16]);
    let ((x, x_rest), (y, y_rest)) = (x.as_chunks::<16>(), y.as_chunks::<16>());
    for (x, y) in x.iter().zip(y) {
        for l in 0..16 {
            dots[l] = add::<FMA>(x[l], y[l], dots[l]);
            squares[l] = add::<FMA>(y[l], y[l], squares[l]);
        }
    }
    for (l, (x, y)) in x_rest.iter().zip(y_rest).enumerate() {
        dots[l] = add::<FMA>(*x, *y, dots[l]);
        squares[l] = add::<FMA>(*y, *y, squares[l]);
    }
    (dots.iter().sum(), squares.iter().sum())
}

/// A row that others are compared with by rounded products, and how far the rounding may reach.
pub(crate) struct NearOrFar {
    /// `|x|²`.
    pub(crate) square: f64,
    /// The error of a square is at most `slope |y| + factor |y|² + constant`.
    pub(crate) slope: f64,
    pub(crate) factor: f64,
    pub(crate) constant: f64,
    /// Squares below this one are of nearer rows.
    pub(crate) low: f64,
    /// Squares above this one are of farther rows.
    pub(crate) high: f64,
}

impl NearOrFar {
    /// From `x·y`, `|y|²` and `|y|`: whether y is certainly nearer, and whether it is certainly farther.
    #[inline(always)]
    pub(crate) fn side(&self, dot: f64, square: f64, length: f64) -> (bool, bool) {
        let about = self.square + square - 2.0 * dot;
        let error = self.slope * length + self.factor * square + self.constant;
        (about + error < self.low, about - error > self.high)
    }
}

widest! {
    ["avx512f"], ["avx2"];
    /// How many rows are certainly nearer, and how many certainly farther.
    pub(crate) fn count_sides(dots: &[f32], squares: &[f64], lengths: &[f64], x: &NearOrFar) -> (usize, usize) = count_sides_any;
}

#[inline(always)]
fn count_sides_any(dots: &[f32], squares: &[f64], lengths: &[f64], x: &NearOrFar) -> (usize, usize) {
    let (mut nearer, mut farther) = (0u64, 0u64);
    for ((dot, square), length) in dots.iter().zip(squares).zip(lengths) {
        let (near, far) = x.side(f64::from(*dot), *square, *length);
        nearer += u64::from(near);
        farther += u64::from(far);
    }
    (nearer as usize, farther as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::tall::{TILE, times_by_row};

    /// One by one (the sums of this file), a few, and so many that faer's product of a full tile serves them.
    fn alone_as_among_many<T: Term>() {
        let value = |i: usize| T::from_f64(((i * 7919 + i * i % 613) % 10_007) as f64 / 5000.0 - 1.0);
        for (p, width) in [(1, 1), (1, 4), (3, 1), (2, 2), (7, 3), (384, 200), (30, 8), (40, 16), (512, 5), (513, 33), (1100, 7)]
        {
            let n = TILE + 13;
            let x: Vec<T> = (0..n * p).map(value).collect();
            let b: Vec<T> = (0..p * width).map(|i| value(i + 11)).collect();
            let all = times_by_row(&x, p, &b, width);
            for rows in [1, 3, 12, 13, 40] {
                let some = times_by_row(&x[2 * p..(2 + rows) * p], p, &b, width);
                assert_eq!(some, all[2 * width..(2 + rows) * width], "{p} x {width}, {rows} rows");
            }
            let plain: f64 = (0..p).map(|k| x[3 * p + k].to_f64() * b[k * width].to_f64()).sum();
            assert!((all[3 * width] - plain).abs() < 1e-6 * (p as f64).sqrt(), "{p} x {width}");
        }
    }

    #[test]
    fn a_row_alone_has_the_bits_it_has_among_many() {
        alone_as_among_many::<f64>();
        alone_as_among_many::<f32>();
    }

    #[test]
    fn steps_of_a_row_are_the_plain_ones() {
        for n in [0, 1, 7, 8, 16, 45] {
            let row: Vec<f64> = (0..n).map(|i| ((i * 7919) % 1013) as f64 / 3.0 - 100.0).collect();
            let other: Vec<f64> = (0..n).map(|i| (i as f64).sin()).collect();
            let (mut divided, mut less) = (row.clone(), row.clone());
            divide(&mut divided, 7.0);
            subtract(&mut less, 0.3, &other);
            assert!(divided.iter().zip(&row).all(|(d, v)| d.to_bits() == (v / 7.0).to_bits()));
            assert!(less.iter().zip(row.iter().zip(&other)).all(|(l, (v, o))| l.to_bits() == (v - 0.3 * o).to_bits()));
            let (mut single, mut double) = (vec![0.0f32; n], vec![0.0; n]);
            rounded(&row, &mut single);
            widened(&single, &mut double);
            assert!(single.iter().zip(&row).all(|(s, v)| *s == *v as f32));
            assert!(double.iter().zip(&single).all(|(d, s)| *d == f64::from(*s)));
            assert!(finite_f64(&row) && finite_f32(&single));
            for bad in [f64::NAN, -f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
                for at in 0..n {
                    let (mut row, mut single) = (row.clone(), single.clone());
                    (row[at], single[at]) = (bad, bad as f32);
                    assert!(!finite_f64(&row) && !finite_f32(&single));
                }
            }
        }
        assert!(finite_f64(&[f64::MAX, f64::MIN, 5e-324]) && finite_f32(&[f32::MAX, f32::MIN, 1e-45]));
    }

    #[test]
    fn lengths_and_largest_entries_are_the_plain_ones() {
        for n in [0, 1, 15, 16, 17, 45] {
            let x: Vec<f64> = (0..n).map(|i| ((i * 7) % 11) as f64 - 6.0).collect();
            assert_eq!(squared_length(&x), x.iter().map(|v| v * v).sum::<f64>());
            assert_eq!(largest_entry(&x), x.iter().fold(0.0, |m: f64, v| m.max(v.abs())));
        }
    }

    #[test]
    fn dots_and_squares_are_the_plain_sums() {
        let (x, y): (Vec<f64>, Vec<f64>) = (0..45).map(|i| (i as f64 - 20.0, 0.5 * i as f64)).unzip();
        let dot = x.iter().zip(&y).map(|(a, b)| a * b).sum::<f64>();
        assert_eq!(dot_and_square(&x, &y), (dot, y.iter().map(|v| v * v).sum::<f64>()));
    }
}
