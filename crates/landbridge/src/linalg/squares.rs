//! Squared entries of a matrix times a block of vectors, squared while they are read: `τ(D)` needs the squares of D,
//! and D is never copied.
//!
//! `unsafe` here only calls the same safe loop compiled for a wider instruction set, after the processor was asked
//! whether it has it.
#![allow(unsafe_code)]

use crate::linalg::Matrix;
use rayon::prelude::*;

/// Columns of vectors worked on at a time.
const WIDTH: usize = 16;
/// Rows of D read at a time.
const ROWS: usize = 4;
/// Entries of the result of a task.
const TASK: usize = 128;

type Lanes = [f64; WIDTH];

/// `out += (f D)² x`, squared entry by entry; x and out have `width` columns by rows.
pub(crate) fn add_squared_times(d: &Matrix<f64>, f: f64, x: &[f64], out: &mut [f64], width: usize) {
    by_columns(d, f, x, out, width, false);
}

/// `out += ((f D)²)' x`.
pub(crate) fn add_squared_transposed_times(d: &Matrix<f64>, f: f64, x: &[f64], out: &mut [f64], width: usize) {
    by_columns(d, f, x, out, width, true);
}

fn by_columns(d: &Matrix<f64>, f: f64, x: &[f64], out: &mut [f64], width: usize, transposed: bool) {
    for from in (0..width).step_by(WIDTH) {
        let columns = from..width.min(from + WIDTH);
        let lanes: Vec<Lanes> = x
            .chunks_exact(width)
            .map(|row| {
                let mut lanes = [0.0; WIDTH];
                lanes[..columns.len()].copy_from_slice(&row[columns.clone()]);
                lanes
            })
            .collect();
        let mut sums: Vec<Lanes> = vec![[0.0; WIDTH]; out.len() / width];
        sums.par_chunks_mut(TASK).enumerate().for_each(|(task, sums)| {
            Job { d, f, x: &lanes, first: task * TASK, transposed }.start(sums);
        });
        for (row, sums) in out.chunks_exact_mut(width).zip(&sums) {
            row[columns.clone()].iter_mut().zip(sums).for_each(|(o, s)| *o += s);
        }
    }
}

struct Job<'a> {
    d: &'a Matrix<f64>,
    f: f64,
    x: &'a [Lanes],
    /// First row of the result.
    first: usize,
    transposed: bool,
}

impl Job<'_> {
    fn start(&self, sums: &mut [Lanes]) {
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("fma") {
                // SAFETY: the processor has these instructions.
                return unsafe { avx512(self, sums) };
            }
            if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
                // SAFETY: as above.
                return unsafe { avx2(self, sums) };
            }
        }
        self.run::<false>(sums);
    }

    #[inline(always)]
    fn run<const FMA: bool>(&self, sums: &mut [Lanes]) {
        if self.transposed { self.along_columns::<FMA>(sums) } else { self.along_rows::<FMA>(sums) }
    }

    #[inline(always)]
    fn along_rows<const FMA: bool>(&self, sums: &mut [Lanes]) {
        for (at, sums) in sums.chunks_mut(ROWS).enumerate() {
            let first = self.first + at * ROWS;
            if let Ok(sums) = <&mut [Lanes; ROWS]>::try_from(&mut *sums) {
                let rows: [&[f64]; ROWS] = std::array::from_fn(|r| &self.d.row(first + r)[..self.x.len()]);
                let mut acc = *sums;
                for (j, x) in self.x.iter().enumerate() {
                    for r in 0..ROWS {
                        add::<FMA>(&mut acc[r], self.f * rows[r][j], x);
                    }
                }
                *sums = acc;
            } else {
                for (r, sum) in sums.iter_mut().enumerate() {
                    self.d.row(first + r).iter().zip(self.x).for_each(|(d, x)| add::<FMA>(sum, self.f * d, x));
                }
            }
        }
    }

    #[inline(always)]
    fn along_columns<const FMA: bool>(&self, sums: &mut [Lanes]) {
        let range = self.first..self.first + sums.len();
        for (at, x) in self.x.chunks(ROWS).enumerate() {
            if let Ok(x) = <&[Lanes; ROWS]>::try_from(x) {
                let rows: [&[f64]; ROWS] = std::array::from_fn(|r| &self.d.row(at * ROWS + r)[range.clone()]);
                for (j, sum) in sums.iter_mut().enumerate() {
                    let mut acc = *sum;
                    for r in 0..ROWS {
                        add::<FMA>(&mut acc, self.f * rows[r][j], &x[r]);
                    }
                    *sum = acc;
                }
            } else {
                for (r, x) in x.iter().enumerate() {
                    let row = &self.d.row(at * ROWS + r)[range.clone()];
                    sums.iter_mut().zip(row).for_each(|(sum, d)| add::<FMA>(sum, self.f * d, x));
                }
            }
        }
    }
}

/// `sum += d² x`.
#[inline(always)]
fn add<const FMA: bool>(sum: &mut Lanes, d: f64, x: &Lanes) {
    let square = d * d;
    for c in 0..WIDTH {
        sum[c] = if FMA { square.mul_add(x[c], sum[c]) } else { square * x[c] + sum[c] };
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx2,fma")]
fn avx512(job: &Job<'_>, sums: &mut [Lanes]) {
    job.run::<true>(sums);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn avx2(job: &Job<'_>, sums: &mut [Lanes]) {
    job.run::<true>(sums);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_times_vectors_equal_the_plain_sums() {
        let value = |i: usize| ((i * 7919) % 1009) as f64 / 500.0;
        for (n, m, width) in [(1, 1, 1), (130, 77, 3), (19, 300, 8), (64, 65, 20)] {
            let d = Matrix::from_fn(n, m, |i, j| value(i * m + j));
            let x: Vec<f64> = (0..n.max(m) * width).map(|i| value(i + 3) - 1.0).collect();
            let mut along = vec![1.0; n * width];
            add_squared_times(&d, 0.5, &x[..m * width], &mut along, width);
            let mut across = vec![1.0; m * width];
            add_squared_transposed_times(&d, 0.5, &x[..n * width], &mut across, width);
            for c in 0..width {
                for i in 0..n {
                    let sum: f64 = (0..m).map(|j| (0.5 * d[(i, j)]).powi(2) * x[j * width + c]).sum();
                    assert!((along[i * width + c] - 1.0 - sum).abs() < 1e-10);
                }
                for j in 0..m {
                    let sum: f64 = (0..n).map(|i| (0.5 * d[(i, j)]).powi(2) * x[i * width + c]).sum();
                    assert!((across[j * width + c] - 1.0 - sum).abs() < 1e-10);
                }
            }
        }
    }
}
