//! One pass over the rows of a positive matrix that scales the rows and sums the columns: the inner loop of Sinkhorn's
//! algorithm.
//!
//! No fused multiply-add: the sums are the same on every CPU.
#![allow(unsafe_code)]

use crate::linalg::dispatch::widest;

widest! {
    ["avx512f"], ["avx2"];
    /// For each row k: `u ← u^(1−ω) (total / k·v)^ω`, and `column += u k`.
    pub(crate) fn scale_rows(rows: &[f64], v: &[f64], total: f64, omega: f64, u: &mut [f64], column: &mut [f64]) = scale;
}

#[inline(always)]
fn scale(rows: &[f64], v: &[f64], total: f64, omega: f64, u: &mut [f64], column: &mut [f64]) {
    for (row, u) in rows.chunks_exact(v.len()).zip(u) {
        *u = relaxed(*u, total / dot(row, v), omega);
        for (c, k) in column.iter_mut().zip(row) {
            *c += *u * k;
        }
    }
}

/// `old^(1−ω) new^ω`.
#[inline(always)]
pub(crate) fn relaxed(old: f64, new: f64, omega: f64) -> f64 {
    if omega == 1.0 { new } else { new * (new / old).powf(omega - 1.0) }
}

widest! {
    ["avx512f"], ["avx2"];
    /// The same in single precision without relaxation: for each row k `u = total / k·v`, and `column += u k`.
    pub(crate) fn scale_rows_f32(rows: &[f32], v: &[f32], total: f32, u: &mut [f32], column: &mut [f32]) = scale_f32;
}

#[inline(always)]
fn scale_f32(rows: &[f32], v: &[f32], total: f32, u: &mut [f32], column: &mut [f32]) {
    const LANES: usize = 32;
    for (row, u) in rows.chunks_exact(v.len()).zip(u) {
        let ((x, rest), (y, other)) = (row.as_chunks::<LANES>(), v.as_chunks::<LANES>());
        let mut sums = [0.0f32; LANES];
        for (x, y) in x.iter().zip(y) {
            for l in 0..LANES {
                sums[l] += x[l] * y[l];
            }
        }
        let sum = sums.iter().sum::<f32>() + rest.iter().zip(other).map(|(a, b)| a * b).sum::<f32>();
        *u = total / sum.max(f32::MIN_POSITIVE);
        for (c, k) in column.iter_mut().zip(row) {
            *c += *u * k;
        }
    }
}

widest! {
    ["avx512f"], ["avx2"];
    /// `exp((s − 1) / temperature)` for similarities of at most 1, to about 3e-7 relative.
    pub(crate) fn gibbs(similarities: &[f32], temperature: f32, out: &mut [f32]) = gibbs_in;
}

#[inline(always)]
fn gibbs_in(similarities: &[f32], temperature: f32, out: &mut [f32]) {
    let scale = std::f32::consts::LOG2_E / temperature;
    for (s, out) in similarities.iter().zip(out) {
        // 2^(whole + part), part within ±½: Taylor's series of 2^part, and the exponent by its bits.
        let power = ((s - 1.0) * scale).clamp(-120.0, 120.0);
        let whole = (power + 12_582_912.0) - 12_582_912.0;
        let t = (power - whole) * std::f32::consts::LN_2;
        let series = 1.0 + t * (1.0 + t * (0.5 + t * (1.0 / 6.0 + t * (1.0 / 24.0 + t * (1.0 / 120.0 + t * (1.0 / 720.0))))));
        *out = series * f32::from_bits(((whole as i32 + 127) << 23) as u32);
    }
}

#[inline(always)]
fn dot(a: &[f64], b: &[f64]) -> f64 {
    const LANES: usize = 32;
    let (x, rest) = a.as_chunks::<LANES>();
    let (y, other) = b.as_chunks::<LANES>();
    let mut sum = [0.0; LANES];
    for (x, y) in x.iter().zip(y) {
        for l in 0..LANES {
            sum[l] += x[l] * y[l];
        }
    }
    sum.iter().sum::<f64>() + rest.iter().zip(other).map(|(a, b)| a * b).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn single_precision_scales_and_exponentiates_as_double_does() {
        for m in [1, 31, 32, 77] {
            let rows: Vec<f32> = (0..3 * m).map(|i| 1.0 + ((i * 7) % 5) as f32).collect();
            let v: Vec<f32> = (0..m).map(|j| 0.5 + ((j * 3) % 4) as f32).collect();
            let (mut u, mut column) = (vec![0.0; 3], vec![1.0; m]);
            scale_rows_f32(&rows, &v, 0.3, &mut u, &mut column);
            for i in 0..3 {
                let sum: f32 = (0..m).map(|j| rows[i * m + j] * v[j]).sum();
                assert!((u[i] * sum / 0.3 - 1.0).abs() < 1e-5);
            }
            for j in 0..m {
                let expected: f32 = 1.0 + (0..3).map(|i| u[i] * rows[i * m + j]).sum::<f32>();
                assert!((column[j] / expected - 1.0).abs() < 1e-5);
            }
        }
        let similarities: Vec<f32> = (0..=400).map(|i| i as f32 / 200.0 - 1.0).collect();
        let mut out = vec![0.0; similarities.len()];
        gibbs(&similarities, 0.05, &mut out);
        for (s, k) in similarities.iter().zip(&out) {
            let expected = ((f64::from(*s) - 1.0) / 0.05).exp();
            // The exponent is up to 40, so rounding it alone costs 40 ε.
            assert!((f64::from(*k) / expected - 1.0).abs() < 1e-5, "{s}: {k} {expected}");
        }
    }

    #[test]
    fn rows_are_scaled_and_columns_summed_as_by_hand() {
        for m in [1, 7, 32, 77] {
            let rows: Vec<f64> = (0..3 * m).map(|i| 1.0 + ((i * 7) % 5) as f64).collect();
            let v: Vec<f64> = (0..m).map(|j| 0.5 + ((j * 3) % 4) as f64).collect();
            for omega in [1.0, 1.5] {
                let (mut u, mut column) = (vec![2.0; 3], vec![1.0; m]);
                scale_rows(&rows, &v, 0.3, omega, &mut u, &mut column);
                for i in 0..3 {
                    let sum: f64 = (0..m).map(|j| rows[i * m + j] * v[j]).sum();
                    let expected = 2f64.powf(1.0 - omega) * (0.3 / sum).powf(omega);
                    assert!((u[i] - expected).abs() < 1e-13 * expected);
                }
                for j in 0..m {
                    let expected: f64 = 1.0 + (0..3).map(|i| u[i] * rows[i * m + j]).sum::<f64>();
                    assert!((column[j] - expected).abs() < 1e-12);
                }
            }
        }
    }
}
