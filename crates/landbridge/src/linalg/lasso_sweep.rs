//! One sweep of coordinate descent over a small lasso: the inner loop of sparse regression.
//!
//! `unsafe` here only calls the same safe loop compiled for a wider instruction set, after the CPU features were checked.
#![allow(unsafe_code)]

use crate::linalg::dispatch::widest;

widest! {
    ["avx2", "fma"];
    /// Minimises `w'Aw − 2c'w + 2 threshold |w|₁` over each coordinate in turn and keeps `q = c − A w` up to date. Coordinates
    /// whose diagonal entry is 0 do not change.
    pub(crate) fn sweep(a: &[f64], w: &mut [f64], q: &mut [f64], threshold: f64) = run::<true>, run::<false>;
}

#[inline(always)]
fn run<const FMA: bool>(a: &[f64], w: &mut [f64], q: &mut [f64], threshold: f64) {
    let k = w.len();
    for j in 0..k {
        let row = &a[j * k..(j + 1) * k];
        let own = row[j];
        if own <= 0.0 {
            continue;
        }
        let z = q[j] + own * w[j];
        let next = if z > threshold {
            (z - threshold) / own
        } else if z < -threshold {
            (z + threshold) / own
        } else {
            0.0
        };
        let change = next - w[j];
        if change != 0.0 {
            w[j] = next;
            for (q, a) in q.iter_mut().zip(row) {
                *q = if FMA { (-change).mul_add(*a, *q) } else { *q - change * a };
            }
        }
    }
}

widest! {
    ["avx2", "fma"];
    /// `q ← q − factor a`.
    pub(crate) fn subtract(q: &mut [f64], a: &[f64], factor: f64) = subtract_any::<true>, subtract_any::<false>;
}

#[inline(always)]
fn subtract_any<const FMA: bool>(q: &mut [f64], a: &[f64], factor: f64) {
    q.iter_mut().zip(a).for_each(|(q, a)| *q = if FMA { (-factor).mul_add(*a, *q) } else { *q - factor * a });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sweep_minimises_each_coordinate_in_turn() {
        let k = 7;
        let x: Vec<f64> = (0..k * k).map(|i| ((i * 29) % 23) as f64 / 11.0 - 1.0).collect();
        let a: Vec<f64> = (0..k * k).map(|i| (0..k).map(|r| x[r * k + i / k] * x[r * k + i % k]).sum()).collect();
        let c: Vec<f64> = (0..k).map(|j| (j as f64 - 3.0) * 0.9).collect();
        let (mut w, mut q) = (vec![0.0; k], c.clone());
        sweep(&a, &mut w, &mut q, 0.4);
        let mut plain = vec![0.0; k];
        for j in 0..k {
            let z = c[j] - (0..k).filter(|i| *i != j).map(|i| a[j * k + i] * plain[i]).sum::<f64>();
            plain[j] = z.signum() * (z.abs() - 0.4).max(0.0) / a[j * k + j];
        }
        let mut less = vec![1.0; k];
        subtract(&mut less, &c, 2.0);
        assert!(less.iter().zip(&c).all(|(l, c)| (l - (1.0 - 2.0 * c)).abs() < 1e-12));
        for j in 0..k {
            assert!((w[j] - plain[j]).abs() < 1e-12);
            let rest = c[j] - (0..k).map(|i| a[j * k + i] * w[i]).sum::<f64>();
            assert!((q[j] - rest).abs() < 1e-12);
        }
    }
}
