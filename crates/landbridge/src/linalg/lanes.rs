//! Small square matrices, sixteen at a time: entry (i, j) of all of them lies side by side, so that every operation runs over
//! sixteen numbers, whatever the size of the matrices.
//!
//! No fused multiply-add: the numbers are the same on every CPU.
#![allow(unsafe_code)]

use crate::linalg::dispatch::widest;

/// Matrices of one group.
pub(crate) const LANES: usize = 16;
/// One entry of the sixteen matrices.
pub(crate) type Lane = [f32; LANES];
const ZERO: Lane = [0.0; LANES];

/// Second and third moments of one set of columns, as [`gradient`] reads them.
pub(crate) struct SmallMoments {
    /// Number of columns, d.
    pub(crate) d: usize,
    /// d × d, by rows.
    pub(crate) second: Vec<f32>,
    /// d × d × d, symmetric.
    pub(crate) third: Vec<f32>,
    /// The third moments of pairs p ≤ q with every column, those of p < q doubled: by pairs, then by columns.
    packed: Vec<f32>,
}

impl SmallMoments {
    pub(crate) fn new(second: Vec<f32>, third: Vec<f32>, d: usize) -> Self {
        debug_assert!(second.len() == d * d && third.len() == d * d * d);
        let mut packed = Vec::with_capacity(d * (d + 1) / 2 * d);
        for p in 0..d {
            for q in p..d {
                let times = if p == q { 1.0 } else { 2.0 };
                packed.extend((0..d).map(|c| times * third[(c * d + p) * d + q]));
            }
        }
        Self { d, second, third, packed }
    }
}

/// Scratch of [`gradient`] and [`polar`].
#[derive(Default)]
pub(crate) struct Scratch {
    half: Vec<Lane>,
    full: Vec<Lane>,
}

#[inline(always)]
fn add(sum: &mut Lane, a: &Lane, b: &Lane) {
    for l in 0..LANES {
        sum[l] += a[l] * b[l];
    }
}

#[inline(always)]
fn add_scaled(sum: &mut Lane, a: &Lane, b: f32) {
    for l in 0..LANES {
        sum[l] += a[l] * b;
    }
}

/// Sums computed together.
const BLOCK: usize = 5;

/// `out[r · stride + c] = Σ_k left[r · inner + k] right[k · columns + c]`, the right factor the same for all matrices.
#[inline(always)]
fn times_common(left: &[Lane], inner: usize, right: &[f32], columns: usize, out: &mut [Lane]) {
    for (left, out) in left.chunks_exact(inner).zip(out.chunks_exact_mut(columns)) {
        let mut c = 0;
        while c + BLOCK <= columns {
            let mut sums = [ZERO; BLOCK];
            for (a, b) in left.iter().zip(right.chunks_exact(columns)) {
                let b = &b[c..c + BLOCK];
                for t in 0..BLOCK {
                    add_scaled(&mut sums[t], a, b[t]);
                }
            }
            out[c..c + BLOCK].copy_from_slice(&sums);
            c += BLOCK;
        }
        for c in c..columns {
            let mut sum = ZERO;
            left.iter().zip(right.chunks_exact(columns)).for_each(|(a, b)| add_scaled(&mut sum, a, b[c]));
            out[c] = sum;
        }
    }
}

/// `Σ_k a[k] b[r][k]` for each of the rows r of b from `from` on, handed to `put` with the number of the row.
#[inline(always)]
fn inner_products(a: &[Lane], b: &[Lane], from: usize, mut put: impl FnMut(usize, Lane)) {
    let d = a.len();
    let rows = b.len() / d;
    let mut r = from;
    while r + 4 <= rows {
        let (b0, rest) = b[r * d..(r + 4) * d].split_at(d);
        let (b1, rest) = rest.split_at(d);
        let (b2, b3) = rest.split_at(d);
        let mut sums = [ZERO; 4];
        for k in 0..d {
            add(&mut sums[0], &a[k], &b0[k]);
            add(&mut sums[1], &a[k], &b1[k]);
            add(&mut sums[2], &a[k], &b2[k]);
            add(&mut sums[3], &a[k], &b3[k]);
        }
        for (t, sum) in sums.into_iter().enumerate() {
            put(r + t, sum);
        }
        r += 4;
    }
    for r in r..rows {
        let mut sum = ZERO;
        a.iter().zip(&b[r * d..(r + 1) * d]).for_each(|(a, b)| add(&mut sum, a, b));
        put(r, sum);
    }
}

widest! {
    ["avx512f"], ["avx2"];
    /// With `G₂ = C_A W C_B` and `G₃[c, k] = Σ_ab T_A[a, b, c] (W T_B[·, ·, k] W')[a, b]` for each W in `turns`: writes
    /// `2 G₂ + 3 G₃ + L`, the gradient of `F = ⟨G₂, W⟩ + ⟨G₃, W⟩ + ⟨L, W⟩`, and returns F.
    pub(crate) fn gradient(
        a: &SmallMoments, b: &SmallMoments, linear: &[f32], turns: &[Lane], out: &mut [Lane], scratch: &mut Scratch
    ) -> Lane = gradient_in;
}

#[inline(always)]
fn gradient_in(
    a: &SmallMoments,
    b: &SmallMoments,
    linear: &[f32],
    turns: &[Lane],
    out: &mut [Lane],
    scratch: &mut Scratch,
) -> Lane {
    let d = a.d;
    let Scratch { half, full } = scratch;
    half.resize((d * d).max(half.len()), ZERO);
    full.resize((d * (d + 1) / 2).max(d * d).max(full.len()), ZERO);
    let half = &mut half[..d * d];
    let mut value = ZERO;
    for k in 0..d {
        // T_B is symmetric: slice k by any of its indices.
        times_common(turns, d, &b.third[k * d * d..(k + 1) * d * d], d, half);
        let mut at = 0;
        for (row, half) in half.chunks_exact(d).enumerate() {
            inner_products(half, turns, row, |_, sum| {
                full[at] = sum;
                at += 1;
            });
        }
        times_common(&full[..at], at, &a.packed, d, &mut half[..d]);
        for c in 0..d {
            add(&mut value, &half[c], &turns[c * d + k]);
            out[c * d + k] = half[c].map(|g| 3.0 * g);
        }
    }
    // C_A W C_B.
    times_common(turns, d, &b.second, d, half);
    for c in 0..d {
        for k in 0..d {
            let mut sum = ZERO;
            for i in 0..d {
                add_scaled(&mut sum, &half[i * d + k], a.second[c * d + i]);
            }
            let (own, extra) = (&turns[c * d + k], linear.get(c * d + k).copied().unwrap_or(0.0));
            add(&mut value, &sum, own);
            add_scaled(&mut value, own, extra);
            let to = &mut out[c * d + k];
            for l in 0..LANES {
                to[l] += 2.0 * sum[l] + extra;
            }
        }
    }
    value
}

/// Smallest ratio of singular values for which [`polar`] is accurate.
const LEAST: f64 = 1e-3;
/// Iterations of [`polar`]: after the fourth all singular values are 1 to single precision.
const ITERATIONS: usize = 4;

widest! {
    ["avx512f"], ["avx2"];
    /// Replaces each matrix by the orthogonal matrix nearest to it: the dynamically weighted Halley iteration
    /// (Nakatsukasa, Bai, Gygi 2010), by Cholesky factors.
    pub(crate) fn polar(x: &mut [Lane], d: usize, scratch: &mut Scratch) = polar_in;
}

#[inline(always)]
fn polar_in(x: &mut [Lane], d: usize, scratch: &mut Scratch) {
    let Scratch { half: gram, full: transposed } = scratch;
    gram.resize((d * d).max(gram.len()), ZERO);
    transposed.resize((d * d).max(transposed.len()), ZERO);
    let (gram, transposed) = (&mut gram[..d * d], &mut transposed[..d * d]);
    scale_below_one(x, d);
    let mut least = LEAST;
    for _ in 0..ITERATIONS {
        let (a, b, c) = weights(least);
        least = (least * (a + b * least * least) / (1.0 + c * least * least)).min(1.0);
        for i in 0..d {
            for j in 0..d {
                transposed[j * d + i] = x[i * d + j];
            }
        }
        // I + c X'X, then its Cholesky factor in the lower triangle, the inverse on the diagonal.
        for i in 0..d {
            inner_products(&transposed[i * d..(i + 1) * d], &transposed[..(i + 1) * d], 0, |j, sum| {
                gram[i * d + j] = sum.map(|s| c as f32 * s + if i == j { 1.0 } else { 0.0 });
            });
        }
        for j in 0..d {
            let (above, below) = gram.split_at_mut((j + 1) * d);
            let own = &mut above[j * d..];
            for k in 0..j {
                let factor = own[k];
                for l in 0..LANES {
                    own[j][l] -= factor[l] * factor[l];
                }
            }
            own[j] = own[j].map(|v| 1.0 / v.max(1e-12).sqrt());
            for row in below.chunks_exact_mut(d) {
                let mut sum = row[j];
                for k in 0..j {
                    for l in 0..LANES {
                        sum[l] -= row[k][l] * own[k][l];
                    }
                }
                for l in 0..LANES {
                    row[j][l] = sum[l] * own[j][l];
                }
            }
        }
        // X ← b/c X + (a − b/c) X (I + c X'X)⁻¹: each row by two triangular systems.
        let (keep, turn) = ((b / c) as f32, (a - b / c) as f32);
        for row in x.chunks_exact_mut(d) {
            let solved = &mut transposed[..d];
            solved.copy_from_slice(row);
            for j in 0..d {
                let mut sum = solved[j];
                for k in 0..j {
                    for l in 0..LANES {
                        sum[l] -= solved[k][l] * gram[j * d + k][l];
                    }
                }
                for l in 0..LANES {
                    solved[j][l] = sum[l] * gram[j * d + j][l];
                }
            }
            for j in (0..d).rev() {
                let mut own = solved[j];
                for l in 0..LANES {
                    own[l] *= gram[j * d + j][l];
                }
                solved[j] = own;
                for k in 0..j {
                    for l in 0..LANES {
                        solved[k][l] -= own[l] * gram[j * d + k][l];
                    }
                }
            }
            for (old, new) in row.iter_mut().zip(solved.iter()) {
                for l in 0..LANES {
                    old[l] = keep * old[l] + turn * new[l];
                }
            }
        }
    }
}

/// Divides each matrix by `√(|X|₁ |X|∞)`, which is at least its largest singular value.
#[inline(always)]
fn scale_below_one(x: &mut [Lane], d: usize) {
    let (mut by_rows, mut by_columns) = (ZERO, ZERO);
    for i in 0..d {
        let (mut row, mut column) = (ZERO, ZERO);
        for j in 0..d {
            for l in 0..LANES {
                row[l] += x[i * d + j][l].abs();
                column[l] += x[j * d + i][l].abs();
            }
        }
        for l in 0..LANES {
            by_rows[l] = by_rows[l].max(row[l]);
            by_columns[l] = by_columns[l].max(column[l]);
        }
    }
    let mut factor = ZERO;
    for l in 0..LANES {
        factor[l] = 1.0 / (by_rows[l].sqrt() * by_columns[l].sqrt()).max(f32::MIN_POSITIVE);
    }
    for entry in x {
        for l in 0..LANES {
            entry[l] *= factor[l];
        }
    }
}

/// The weights of Halley's iteration that bring singular values between `least` and 1 nearest to 1.
fn weights(least: f64) -> (f64, f64, f64) {
    let square = least * least;
    let gamma = (4.0 * (1.0 - square).max(0.0) / (square * square)).cbrt();
    let root = (1.0 + gamma).sqrt();
    let a = root + 0.5 * (8.0 - 4.0 * gamma + 8.0 * (2.0 - square) / (square * root)).max(0.0).sqrt();
    let b = (a - 1.0) * (a - 1.0) / 4.0;
    (a, b, a + b - 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use faer::Mat;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    fn random(count: usize, seed: u64) -> Vec<f32> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        (0..count).map(|_| rng.random_range(-1.0..1.0f32)).collect()
    }

    fn lanes(count: usize, seed: u64) -> Vec<Lane> {
        random(count * LANES, seed).as_chunks::<LANES>().0.to_vec()
    }

    fn symmetric(d: usize, seed: u64) -> SmallMoments {
        let (second, third) = (random(d * d, seed), random(d * d * d, seed + 1));
        let at = |i: usize, j: usize, k: usize| {
            let mut index = [i, j, k];
            index.sort_unstable();
            third[(index[0] * d + index[1]) * d + index[2]]
        };
        let all = (0..d * d * d).map(|p| at(p / (d * d), p / d % d, p % d)).collect();
        let second = (0..d * d).map(|p| second[(p / d).min(p % d) * d + (p / d).max(p % d)]).collect();
        SmallMoments::new(second, all, d)
    }

    #[test]
    fn objective_and_gradient_are_those_of_the_definition() {
        for d in [1, 3, 5, 7, 12] {
            let (a, b, linear) = (symmetric(d, 1), symmetric(d, 3), random(d * d, 5));
            let turns = lanes(d * d, 6);
            let mut out = vec![ZERO; d * d];
            let value = gradient(&a, &b, &linear, &turns, &mut out, &mut Scratch::default());
            for l in [0, 9, LANES - 1] {
                let w = |a: usize, i: usize| f64::from(turns[a * d + i][l]);
                let objective = |w: &dyn Fn(usize, usize) -> f64| {
                    let mut sum = 0.0;
                    for (p, q) in (0..d * d).map(|n| (n / d, n % d)) {
                        sum += f64::from(linear[p * d + q]) * w(p, q);
                        for (i, j) in (0..d * d).map(|n| (n / d, n % d)) {
                            sum += f64::from(a.second[p * d + q]) * w(p, i) * w(q, j) * f64::from(b.second[i * d + j]);
                            for (r, k) in (0..d * d).map(|n| (n / d, n % d)) {
                                let (ta, tb) = (a.third[(p * d + q) * d + r], b.third[(i * d + j) * d + k]);
                                sum += f64::from(ta) * w(p, i) * w(q, j) * w(r, k) * f64::from(tb);
                            }
                        }
                    }
                    sum
                };
                let expected = objective(&w);
                let scale = (d * d * d) as f64;
                assert!((f64::from(value[l]) - expected).abs() < 1e-5 * scale, "{d}: {} {expected}", value[l]);
                if d <= 5 {
                    // Numerical derivatives.
                    for at in 0..d * d {
                        let step = 1e-4;
                        let moved = |by: f64| objective(&|p, i| w(p, i) + if p * d + i == at { by } else { 0.0 });
                        let slope = (moved(step) - moved(-step)) / (2.0 * step);
                        assert!((f64::from(out[at][l]) - slope).abs() < 1e-4 * scale, "{d} {at}: {} {slope}", out[at][l]);
                    }
                }
            }
        }
    }

    #[test]
    fn polar_factors_are_those_of_the_singular_values() {
        for d in [1, 2, 6, 11, 30] {
            let given = lanes(d * d, 8);
            let mut found = given.clone();
            polar(&mut found, d, &mut Scratch::default());
            for l in 0..LANES {
                let svd = Mat::from_fn(d, d, |i, j| f64::from(given[i * d + j][l])).svd().unwrap();
                if svd.S()[d - 1] < 0.02 * svd.S()[0] {
                    continue;
                }
                let expected = svd.U() * svd.V().transpose();
                for (i, j) in (0..d * d).map(|p| (p / d, p % d)) {
                    let off = (f64::from(found[i * d + j][l]) - expected[(i, j)]).abs();
                    assert!(off < 2e-3, "{d} {l} {i} {j}: {off}");
                }
            }
        }
        // Nothing to turn: zero stays finite.
        let mut zero = vec![ZERO; 9];
        polar(&mut zero, 3, &mut Scratch::default());
        assert!(zero.iter().flatten().all(|v| v.is_finite()));
    }
}
