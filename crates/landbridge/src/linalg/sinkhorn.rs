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
