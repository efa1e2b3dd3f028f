//! Sums of products without any rounding: values are cut on a fixed binary grid, and what is added up are whole numbers. Whole
//! numbers add in any order to the same sum, so that neither the cuts between blocks of rows nor the order of merging matters.

use crate::data::RowsRef;
use crate::linalg::dense::{add_matmul, add_symmetric_matmul};
use crate::linalg::tall::view;
use faer::Mat;
use rayon::prelude::*;
use std::collections::BTreeMap;

/// Bits of a slice. Slice e of a value holds its bits of weight `2^(20e)` to `2^(20e + 19)`.
const BITS: i32 = 20;
/// The slices that doubles can have: from that of 2^-1074 to that of 2^1023.
const LOWEST: i32 = -54;
const HIGHEST: i32 = 51;
/// Products of two slices, at most 2⁴⁰ each, that add up exactly in double precision.
const TOGETHER: usize = 1 << (53 - 2 * BITS);
/// Slices with fewer entries that are not zero than this share are multiplied entry by entry.
const SPARSE: usize = 16;
/// Lowest and highest limb that sums of products of doubles can reach: `2^-2148` to `2^2048`, times as many rows as there are.
const LIMBS: std::ops::RangeInclusive<i32> = -36..=40;

/// A value as a sum of slices: `(e, part)` with `value = Σ part · 2^(20e)`, parts whole and below 2²⁰.
#[inline]
fn cut(value: f64, mut slice: impl FnMut(i32, f64)) {
    let bits = value.to_bits();
    let exponent = ((bits >> 52) & 0x7ff) as i32;
    let fraction = bits & ((1 << 52) - 1);
    if exponent == 0 && fraction == 0 {
        return;
    }
    // value = mantissa · 2^weight, without zeros at the end: single precision then has 24 bits at most.
    let (mantissa, weight) = if exponent == 0 { (fraction, -1074) } else { (fraction | (1 << 52), exponent - 1075) };
    let zeros = mantissa.trailing_zeros();
    let (mantissa, weight) = (mantissa >> zeros, weight + zeros as i32);
    let sign = if bits >> 63 == 0 { 1.0 } else { -1.0 };
    let (mut e, shift) = (weight.div_euclid(BITS), weight.rem_euclid(BITS) as u32);
    const MASK: u64 = (1 << BITS) - 1;
    let mut put = |e: i32, part: u64| {
        if part != 0 {
            slice(e, sign * part as u32 as f64);
        }
    };
    // The lowest slice may begin within the mantissa; what is left above it always fits into 64 bits.
    put(e, (mantissa << shift) & MASK);
    let mut rest = mantissa >> (BITS as u32 - shift);
    while rest != 0 {
        e += 1;
        put(e, rest & MASK);
        rest >>= BITS;
    }
}

/// Which slices the values of the chosen rows, each times its weight, have: a bit for each.
pub(super) fn slices_of(rows: RowsRef<'_>, chosen: &[(usize, f64)]) -> u128 {
    const TOGETHER: usize = 256;
    let of_some = |chosen: &[(usize, f64)]| {
        let (mut row, mut found) = (vec![0.0; rows.ncols()], 0u128);
        for (i, weight) in chosen {
            rows.copy_row(*i, &mut row);
            row.iter().for_each(|v| cut(weight * v, |e, _| found |= 1 << (e - LOWEST).clamp(0, 127)));
        }
        found
    };
    chosen.par_chunks(TOGETHER).map(of_some).reduce(|| 0, |a, b| a | b)
}

/// How large sums of products of values with these slices are: levels of products, and limbs of their sums at most.
pub(super) fn levels_of(x: u128, y: u128) -> (usize, usize) {
    let sums = |a: u128, b: u128| {
        let mut levels = std::collections::BTreeSet::new();
        let places = |v: u128| (0..128i32).filter(move |e| v >> e & 1 == 1);
        places(a).for_each(|e| levels.extend(places(b).map(|f| e + f)));
        levels
    };
    let levels = sums(x, y);
    let limbs = match (levels.first(), levels.last()) {
        // Slices of 20 bits on a grid of 64; sums may be longer than products, and have a sign.
        (Some(first), Some(last)) => ((last - first + 2) * BITS) as usize / 64 + 3,
        _ => 0,
    };
    (levels.len(), limbs)
}

/// One slice of every value of a block of rows.
struct Slice {
    values: Vec<f64>,
    nonzero: usize,
}

/// A block of rows in slices, by e.
pub(super) struct Sliced {
    slices: BTreeMap<i32, Slice>,
    rows: usize,
    columns: usize,
    finite: bool,
    counts: bool,
}

impl Sliced {
    /// Rows `from..to`, each times its weight where there are some.
    pub(super) fn new(rows: RowsRef<'_>, from: usize, to: usize, weights: Option<&[f64]>) -> Self {
        let (n, p) = (to - from, rows.ncols());
        // By position, because looking up a key for every value takes longer than cutting it.
        let mut slots: Vec<Option<Slice>> = (LOWEST..=HIGHEST).map(|_| None).collect();
        let mut row = vec![0.0; p];
        let (mut finite, mut negative) = (true, false);
        for i in 0..n {
            rows.copy_row(from + i, &mut row);
            for (j, v) in row.iter().enumerate() {
                let value = weights.map_or(*v, |w| w[from + i] * v);
                finite &= value.is_finite();
                negative |= value < 0.0;
                cut(value, |e, part| {
                    let slot = &mut slots[(e - LOWEST) as usize];
                    let slice = slot.get_or_insert_with(|| Slice { values: vec![0.0; n * p], nonzero: 0 });
                    slice.values[i * p + j] = part;
                    slice.nonzero += 1;
                });
            }
        }
        let slices: BTreeMap<i32, Slice> = (LOWEST..).zip(slots).filter_map(|(e, slot)| slot.map(|slice| (e, slice))).collect();
        // Whole numbers have no slice below 1.
        let counts = !negative && slices.first_key_value().is_none_or(|(e, _)| *e >= 0);
        Self { slices, rows: n, columns: p, finite, counts }
    }
    /// Whether no value has overflowed.
    pub(super) fn is_finite(&self) -> bool {
        self.finite
    }
    /// Whether all values are whole and not negative.
    pub(super) fn is_counts(&self) -> bool {
        self.counts
    }
    /// Rows that fit into one block: a slice of it fits into the cache.
    pub(super) fn block_rows(columns: usize) -> usize {
        ((1 << 17) / columns.max(1)).clamp(64, TOGETHER / 2)
    }
    /// Adds the sum of each column. A block has too few rows for a sum of slices, or of their products, to be rounded.
    pub(super) fn add_sums(&self, out: &mut Exact) {
        for (e, slice) in &self.slices {
            let mut sums = vec![0.0; self.columns];
            for row in slice.values.chunks_exact(self.columns) {
                sums.iter_mut().zip(row).for_each(|(s, v)| *s += *v);
            }
            out.add(BITS * e, &whole(sums));
        }
    }
    /// Adds the sum of the squares of each column.
    pub(super) fn add_squares(&self, out: &mut Exact) {
        for (e, left) in &self.slices {
            for (f, right) in self.slices.range(e..) {
                let mut sums = vec![0.0; self.columns];
                for (l, r) in left.values.chunks_exact(self.columns).zip(right.values.chunks_exact(self.columns)) {
                    sums.iter_mut().zip(l).zip(r).for_each(|((s, l), r)| *s += l * r);
                }
                let sums = whole(sums);
                out.add(BITS * (e + f), &sums);
                if e != f {
                    out.add(BITS * (e + f), &sums);
                }
            }
        }
    }
}

fn whole(sums: Vec<f64>) -> Vec<i64> {
    sums.into_iter().map(|s| s as i64).collect()
}

/// Adds up products of slices in double precision as long as that is exact, then as whole numbers.
pub(super) struct Products {
    out: Exact,
    shape: (usize, usize),
    /// Only the lower triangle of a square product, packed by columns.
    lower: bool,
    /// Sums of products by level e + f, and how many products of largest slices they may hold.
    levels: BTreeMap<i32, (Mat<f64>, usize)>,
}

impl Products {
    /// `X'Y`: p × q, by columns.
    pub(super) fn new(p: usize, q: usize) -> Self {
        Self { out: Exact::zeros(p * q), shape: (p, q), lower: false, levels: BTreeMap::new() }
    }
    /// The lower triangle of `X'X`.
    pub(super) fn lower(p: usize) -> Self {
        Self { out: Exact::zeros(triangle(p)), shape: (p, p), lower: true, levels: BTreeMap::new() }
    }
    /// Adds `X'Y` of two blocks of the same rows.
    pub(super) fn add(&mut self, x: &Sliced, y: &Sliced) {
        let (p, q) = self.shape;
        for (e, left) in &x.slices {
            for (f, right) in &y.slices {
                let level = e + f;
                let (sum, held) = self.levels.entry(level).or_insert_with(|| (Mat::zeros(p, q), 0));
                if *held + x.rows > TOGETHER {
                    flush(&mut self.out, sum, level, self.lower);
                    *sum = Mat::zeros(p, q);
                    *held = 0;
                }
                *held += x.rows;
                if left.nonzero.min(right.nonzero) < x.rows * p.min(q) / SPARSE {
                    add_entries(sum, left, right, x.rows, self.lower);
                    continue;
                }
                let (left, right) = (view(&left.values, p, p).transpose(), view(&right.values, q, q));
                match self.lower {
                    true => add_symmetric_matmul(sum.as_mut(), left, right, 1.0),
                    false => add_matmul(sum.as_mut(), left, right, 1.0),
                }
            }
        }
    }
    pub(super) fn finish(mut self) -> Exact {
        for (level, (sum, _)) in &self.levels {
            flush(&mut self.out, sum, *level, self.lower);
        }
        self.out.trim();
        self.out
    }
}

/// `sum += L'R` entry by entry, along the slice with fewer of them.
fn add_entries(sum: &mut Mat<f64>, left: &Slice, right: &Slice, rows: usize, lower: bool) {
    let (p, q) = (sum.nrows(), sum.ncols());
    for r in 0..rows {
        let (left_row, right_row) = (&left.values[r * p..(r + 1) * p], &right.values[r * q..(r + 1) * q]);
        if left.nonzero < right.nonzero {
            for (i, l) in left_row.iter().enumerate().filter(|(_, l)| **l != 0.0) {
                let end = if lower { i + 1 } else { q };
                right_row[..end].iter().enumerate().for_each(|(j, v)| sum[(i, j)] += l * v);
            }
        } else {
            for (j, v) in right_row.iter().enumerate().filter(|(_, v)| **v != 0.0) {
                let start = if lower { j } else { 0 };
                left_row.iter().enumerate().skip(start).for_each(|(i, l)| sum[(i, j)] += l * v);
            }
        }
    }
}

fn flush(out: &mut Exact, sum: &Mat<f64>, level: i32, lower: bool) {
    let columns = (0..sum.ncols()).flat_map(|j| (if lower { j } else { 0 }..sum.nrows()).map(move |i| (i, j)));
    let whole: Vec<i64> = columns.map(|at| sum[at] as i64).collect();
    out.add(BITS * level, &whole);
}

/// Entries of a lower triangle.
pub(super) fn triangle(p: usize) -> usize {
    p * (p + 1) / 2
}

/// Exact numbers: two's complement in limbs of 64 bits, of which the lowest has weight `2^(64 low)`. Plane k holds limb k of
/// every number. Without superfluous planes ([`Exact::trim`]) equal numbers have equal bytes.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Exact {
    pub(super) low: i32,
    pub(super) planes: Vec<Vec<u64>>,
    pub(super) len: usize,
}

impl Exact {
    pub(super) fn zeros(len: usize) -> Self {
        Self { low: 0, planes: vec![], len }
    }
    /// Whether limbs lie where sums of products of doubles can be.
    pub(super) fn in_range(low: i32, planes: usize) -> bool {
        planes == 0 && low == 0
            || planes > 0 && planes < 100 && LIMBS.contains(&low) && LIMBS.contains(&(low + planes as i32 - 1))
    }
    /// Makes room for limbs `from..to` and one more for carries.
    fn reserve(&mut self, from: i32, to: i32) {
        if self.planes.is_empty() {
            self.low = from;
        }
        while self.low > from {
            self.planes.insert(0, vec![0; self.len]);
            self.low -= 1;
        }
        let only_sign = |plane: &[u64]| plane.iter().all(|v| *v == 0 || *v == u64::MAX);
        while self.low + (self.planes.len() as i32) <= to || !self.planes.last().is_some_and(|top| only_sign(top)) {
            let above = match self.planes.last() {
                Some(top) => top.iter().map(|v| sign(*v)).collect(),
                None => vec![0; self.len],
            };
            self.planes.push(above);
        }
    }
    /// Adds `values · 2^bits`.
    pub(super) fn add(&mut self, bits: i32, values: &[i64]) {
        let limb = bits.div_euclid(64);
        self.reserve(limb, limb + 2);
        let first = (limb - self.low) as usize;
        for (at, value) in values.iter().enumerate().filter(|(_, v)| **v != 0) {
            let shifted = i128::from(*value) << bits.rem_euclid(64);
            let above = if shifted < 0 { u64::MAX } else { 0 };
            let parts = [shifted as u64, (shifted >> 64) as u64];
            let mut carry = false;
            for (k, plane) in self.planes[first..].iter_mut().enumerate() {
                let part = parts.get(k).copied().unwrap_or(above);
                (plane[at], carry) = add_with_carry(plane[at], part, carry);
            }
        }
    }
    /// Adds a value to the first number.
    pub(super) fn add_value(&mut self, value: f64) {
        cut(value, |e, part| self.add(BITS * e, &[part as i64]));
    }
    /// Adds other numbers, entry by entry.
    pub(super) fn add_all(&mut self, other: &Exact) {
        if other.planes.is_empty() {
            return;
        }
        let top = other.low + other.planes.len() as i32;
        self.reserve(other.low, top);
        let first = (other.low - self.low) as usize;
        for at in 0..self.len {
            let (mut carry, mut above) = (false, 0);
            for (k, plane) in self.planes[first..].iter_mut().enumerate() {
                let part = match other.planes.get(k) {
                    Some(own) => {
                        above = sign(own[at]);
                        own[at]
                    }
                    None => above,
                };
                (plane[at], carry) = add_with_carry(plane[at], part, carry);
            }
        }
        self.trim();
    }
    /// Drops planes that say nothing: zeros below, copies of the sign above.
    pub(super) fn trim(&mut self) {
        while let [.., below, top] = &self.planes[..] {
            if !top.iter().zip(below).all(|(top, below)| *top == sign(*below)) {
                break;
            }
            self.planes.pop();
        }
        let zeros = self.planes.iter().take_while(|plane| plane.iter().all(|v| *v == 0)).count();
        self.planes.drain(..zeros);
        self.low = if self.planes.is_empty() { 0 } else { self.low + zeros as i32 };
    }
    /// The numbers in another order: entry `at` becomes what stood at `from(at)`.
    pub(super) fn reordered(&self, from: impl Fn(usize) -> usize) -> Self {
        let order: Vec<usize> = (0..self.len).map(from).collect();
        let planes = self.planes.iter().map(|plane| order.iter().map(|&at| plane[at]).collect()).collect();
        Self { low: self.low, planes, len: self.len }
    }
    /// The power of two at or below the size of a number; None for 0.
    pub(super) fn exponent(&self, at: usize) -> Option<i32> {
        let negative = self.planes.last().is_some_and(|top| sign(top[at]) != 0);
        let limb = |plane: &Vec<u64>| if negative { !plane[at] } else { plane[at] };
        let found = self.planes.iter().enumerate().rev().find(|(_, plane)| limb(plane) != 0);
        match found {
            Some((k, plane)) => Some(64 * (self.low + k as i32) + 63 - limb(plane).leading_zeros() as i32),
            // −1 in the lowest place.
            None => negative.then_some(64 * self.low),
        }
    }
    /// A number times `2^shift`, to about 106 bits.
    pub(super) fn value(&self, at: usize, shift: i32) -> Twofold {
        let negative = self.planes.last().is_some_and(|top| sign(top[at]) != 0);
        // The magnitude: of a negative number the complement, plus one.
        let mut carry = negative;
        let limbs: Vec<u64> = self
            .planes
            .iter()
            .map(|plane| {
                let (limb, over) = add_with_carry(if negative { !plane[at] } else { plane[at] }, 0, carry);
                carry = over;
                limb
            })
            .collect();
        let mut sum = Twofold::default();
        for (k, limb) in limbs.iter().enumerate().rev() {
            let weight = 64 * (self.low + k as i32) + shift;
            sum = sum.plus(Twofold::of(scaled((limb >> 32) as f64, weight + 32)));
            sum = sum.plus(Twofold::of(scaled((limb & 0xffff_ffff) as f64, weight)));
        }
        if negative { sum.times(Twofold::of(-1.0)) } else { sum }
    }
}

fn sign(limb: u64) -> u64 {
    ((limb as i64) >> 63) as u64
}

fn add_with_carry(a: u64, b: u64, carry: bool) -> (u64, bool) {
    let (sum, first) = a.overflowing_add(b);
    let (sum, second) = sum.overflowing_add(u64::from(carry));
    (sum, first || second)
}

/// `value · 2^weight`, in steps that overflow or underflow only if the result does.
fn scaled(mut value: f64, mut weight: i32) -> f64 {
    while weight != 0 && value != 0.0 && value.is_finite() {
        let step = weight.clamp(-1000, 1000);
        value *= 2f64.powi(step);
        weight -= step;
    }
    value
}

/// A number as a sum of two doubles: twice the digits.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Twofold {
    pub(super) high: f64,
    low: f64,
}

impl Twofold {
    pub(super) fn of(value: f64) -> Self {
        Self { high: value, low: 0.0 }
    }
    /// `high + low`, as few digits as possible in `low`; `high` is not smaller.
    fn settled(high: f64, low: f64) -> Self {
        let sum = high + low;
        Self { high: sum, low: low - (sum - high) }
    }
    pub(super) fn plus(self, other: Self) -> Self {
        let sum = self.high + other.high;
        let part = sum - self.high;
        let error = (self.high - (sum - part)) + (other.high - part);
        Self::settled(sum, error + self.low + other.low)
    }
    pub(super) fn minus(self, other: Self) -> Self {
        self.plus(Self { high: -other.high, low: -other.low })
    }
    pub(super) fn times(self, other: Self) -> Self {
        let product = self.high * other.high;
        let error = self.high.mul_add(other.high, -product);
        Self::settled(product, error + (self.high * other.low + self.low * other.high))
    }
    /// Divided by a whole number or a sum of weights; 0 / 0 is 0.
    pub(super) fn over(self, other: Self) -> Self {
        if other.high == 0.0 {
            return Self::default();
        }
        let first = self.high / other.high;
        let rest = self.minus(other.times(Self::of(first)));
        Self::settled(first, rest.high / other.high)
    }
    pub(super) fn rounded(self) -> f64 {
        self.high + self.low
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Rows;
    use crate::linalg::Matrix;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    fn exact(value: f64) -> Exact {
        let mut out = Exact::zeros(1);
        out.add_value(value);
        out.trim();
        out
    }

    #[test]
    fn every_double_is_the_sum_of_its_slices() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let random = (0..5000).map(|_| f64::from_bits(rng.random())).filter(|v| v.is_finite());
        let corners = [0.0, -0.0, 1.0, -1.0, f64::MAX, f64::MIN, f64::MIN_POSITIVE, 5e-324, -5e-324, 1.5e-310, 0.1, 1e300];
        for value in random.chain(corners) {
            let held = exact(value);
            assert_eq!(held.value(0, 0).rounded(), value, "{value:e}");
            assert!(Exact::in_range(held.low, held.planes.len()), "{value:e}");
            let exponent = held.exponent(0);
            if value == 0.0 {
                assert_eq!(exponent, None);
            } else if value.is_normal() {
                // Of a negative power of two it is the exponent of the next number below it in size.
                let expected = ((value.to_bits() >> 52) & 0x7ff) as i32 - 1023;
                assert!((exponent.unwrap() - expected).abs() <= 1, "{value:e}");
            }
            // What is added and taken away again leaves nothing.
            let mut both = held.clone();
            both.add_all(&exact(-value));
            assert_eq!(both, Exact::zeros(1));
        }
    }

    #[test]
    fn numbers_far_apart_in_size_are_added_without_loss() {
        let mut sum = exact(1e300);
        for value in [1e-300, 1.0, -1e300, -1.0] {
            sum.add_all(&exact(value));
        }
        assert_eq!(sum, exact(1e-300));
    }

    /// Naive twins: whole numbers in i128, and plain sums in double precision.
    #[test]
    fn products_are_those_of_whole_numbers_and_near_those_of_doubles() {
        let mut rng = ChaCha8Rng::seed_from_u64(2);
        let (n, p, q) = (700, 5, 3);
        let whole = |rng: &mut ChaCha8Rng| f64::from(rng.random_range(-2_000_000_000i32..2_000_000_000)) * 1048576.0;
        let x = Matrix::from_fn(n, p, |_, _| whole(&mut rng));
        let y = Matrix::from_fn(n, q, |_, _| whole(&mut rng));
        let (rows_x, rows_y) = (Rows::from(x.clone()), Rows::from(y.clone()));
        let (mut cross, mut own) = (Products::new(p, q), Products::lower(p));
        let (mut sums, mut squares) = (Exact::zeros(p), Exact::zeros(p));
        for (from, to) in [(0, 1), (1, 300), (300, 300), (300, 700)] {
            let a = Sliced::new((&rows_x).into(), from, to, None);
            let b = Sliced::new((&rows_y).into(), from, to, None);
            cross.add(&a, &b);
            own.add(&a, &a);
            a.add_sums(&mut sums);
            a.add_squares(&mut squares);
        }
        let (cross, own) = (cross.finish(), own.finish());
        let naive = |a: &dyn Fn(usize) -> f64, b: &dyn Fn(usize) -> f64| -> i128 {
            (0..n).map(|i| (a(i) / 1048576.0) as i128 * (b(i) / 1048576.0) as i128).sum::<i128>()
        };
        for i in 0..p {
            for j in 0..q {
                let expected = naive(&|r| x[(r, i)], &|r| y[(r, j)]);
                let got = cross.value(j * p + i, -40);
                assert_eq!(got.high as i128 + got.low as i128, expected);
                let plain: f64 = (0..n).map(|r| x[(r, i)] * y[(r, j)]).sum();
                assert!((got.rounded() / (plain * 2f64.powi(-40)) - 1.0).abs() < 1e-12);
            }
            assert_eq!(sums.value(i, -20).rounded(), (0..n).map(|r| x[(r, i)] / 1048576.0).sum::<f64>());
            let diagonal = (0..i).map(|j| p - j).sum::<usize>();
            assert_eq!(own.value(diagonal, 0), squares.value(i, 0));
        }
    }

    #[test]
    fn blocks_and_their_order_change_nothing() {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        // Sizes from 1e-30 to 1e30, so that some slices have few entries.
        let x = Matrix::from_fn(120, 4, |_, _| rng.random_range(-1.0..1.0) * 10f64.powi(rng.random_range(-30..30)));
        let rows = Rows::from(x);
        let by = |cuts: &[(usize, usize)]| {
            let mut all = Products::lower(4);
            let mut apart = Exact::zeros(triangle(4));
            for &(from, to) in cuts {
                let block = Sliced::new((&rows).into(), from, to, None);
                all.add(&block, &block);
                let mut one = Products::lower(4);
                one.add(&block, &block);
                apart.add_all(&one.finish());
            }
            assert_eq!(all.finish(), apart);
            apart
        };
        let whole = by(&[(0, 120)]);
        assert_eq!(by(&[(60, 120), (0, 60)]), whole);
        assert_eq!(by(&(0..120).rev().map(|i| (i, i + 1)).collect::<Vec<_>>()), whole);
    }

    #[test]
    fn twofold_numbers_keep_twice_the_digits() {
        let third = Twofold::of(1.0).over(Twofold::of(3.0));
        let one = third.times(Twofold::of(3.0)).minus(Twofold::of(1.0));
        assert!(one.rounded().abs() < 1e-31);
        // (1 + ε)² − 1 − 2ε = ε²
        let e = 2f64.powi(-52);
        let near = Twofold::of(1.0).plus(Twofold::of(e));
        assert_eq!(near.times(near).minus(Twofold::of(1.0)).minus(Twofold::of(2.0 * e)).rounded(), e * e);
    }
}
