//! Sparse matrix times a block of vectors: the inner loop of the matrix-free eigensolvers and of products with documents.
//!
//! `unsafe` here only calls the same safe loop compiled for a wider instruction set, after the CPU features were checked.
#![allow(unsafe_code)]

use crate::linalg::Csr;
use crate::linalg::dispatch::widest;
use rayon::prelude::*;

/// Rows of one task.
const TASK: usize = 512;

/// `out = scale ((shift − diagonal) x + W x) + carry out`; all blocks are stored by rows of `width`.
pub(crate) fn shifted_product(
    w: &Csr,
    diagonal: &[f64],
    x: &[f64],
    out: &mut [f64],
    width: usize,
    (shift, scale, carry): (f64, f64, f64),
) {
    out.par_chunks_mut(TASK * width).enumerate().for_each(|(task, out)| {
        do_job(&Job { w, diagonal, x, first: task * TASK, shift, scale, carry }, out, width);
    });
}

widest! {
    ["avx2", "fma"];
    fn do_job(job: &Job<'_>, out: &mut [f64], width: usize) = Job::run::<true>, Job::run::<false>;
}

struct Job<'a> {
    w: &'a Csr,
    diagonal: &'a [f64],
    x: &'a [f64],
    first: usize,
    shift: f64,
    scale: f64,
    carry: f64,
}

impl Job<'_> {
    #[inline(always)]
    fn run<const FMA: bool>(&self, out: &mut [f64], width: usize) {
        match width {
            8 => self.fixed::<8, FMA>(out),
            4 => self.fixed::<4, FMA>(out),
            _ => self.any(out, width),
        }
    }
    #[inline(always)]
    fn fixed<const B: usize, const FMA: bool>(&self, out: &mut [f64]) {
        let (x, _) = self.x.as_chunks::<B>();
        let (rows, _) = out.as_chunks_mut::<B>();
        for (r, row) in rows.iter_mut().enumerate() {
            let i = self.first + r;
            let own = self.shift - self.diagonal[i];
            let mut sum = x[i].map(|v| own * v);
            for (&j, &v) in self.w.row_indices(i).iter().zip(self.w.row_values(i)) {
                let other = &x[j as usize];
                for c in 0..B {
                    sum[c] = if FMA { v.mul_add(other[c], sum[c]) } else { v * other[c] + sum[c] };
                }
            }
            if self.carry == 0.0 {
                for c in 0..B {
                    row[c] = self.scale * sum[c];
                }
            } else {
                for c in 0..B {
                    row[c] = self.scale * sum[c] + self.carry * row[c];
                }
            }
        }
    }
    #[inline(always)]
    fn any(&self, out: &mut [f64], width: usize) {
        let mut sum = vec![0.0; width];
        for (r, row) in out.chunks_exact_mut(width).enumerate() {
            let i = self.first + r;
            let own = self.shift - self.diagonal[i];
            for (s, v) in sum.iter_mut().zip(&self.x[i * width..(i + 1) * width]) {
                *s = own * v;
            }
            for (j, v) in self.w.row(i) {
                let j = j as usize;
                for (s, o) in sum.iter_mut().zip(&self.x[j * width..(j + 1) * width]) {
                    *s += v * o;
                }
            }
            for (o, s) in row.iter_mut().zip(&sum) {
                *o = self.scale * s + if self.carry == 0.0 { 0.0 } else { self.carry * *o };
            }
        }
    }
}

/// `out = M x`; both blocks are stored by rows of `width`. The bytes are the same on every CPU.
pub(crate) fn product(m: &Csr, x: &[f64], out: &mut [f64], width: usize) {
    out.par_chunks_mut(256 * width).enumerate().for_each(|(task, out)| product_rows(m, x, out, width, task * 256));
}

widest! {
    ["avx512f"], ["avx2"];
    fn product_rows(m: &Csr, x: &[f64], out: &mut [f64], width: usize, first: usize) = rows_of_product;
}

#[inline(always)]
fn rows_of_product(m: &Csr, x: &[f64], out: &mut [f64], width: usize, first: usize) {
    match width {
        16 => rows_of_width::<16>(m, x, out, first),
        8 => rows_of_width::<8>(m, x, out, first),
        _ => {
            for (r, row) in out.chunks_exact_mut(width).enumerate() {
                row.fill(0.0);
                let i = first + r;
                for (&j, &v) in m.row_indices(i).iter().zip(m.row_values(i)) {
                    let from = &x[j as usize * width..(j as usize + 1) * width];
                    row.iter_mut().zip(from).for_each(|(o, x)| *o += v * x);
                }
            }
        }
    }
}

/// The sums of a row stay in registers.
#[inline(always)]
fn rows_of_width<const W: usize>(m: &Csr, x: &[f64], out: &mut [f64], first: usize) {
    let (x, _) = x.as_chunks::<W>();
    let (out, _) = out.as_chunks_mut::<W>();
    for (r, row) in out.iter_mut().enumerate() {
        let i = first + r;
        let mut sum = [0.0; W];
        for (&j, &v) in m.row_indices(i).iter().zip(m.row_values(i)) {
            let from = &x[j as usize];
            for c in 0..W {
                sum[c] += v * from[c];
            }
        }
        *row = sum;
    }
}

/// Columns of a block that one task of [`squared_product`] takes: its part of the block and of the result stay in a core's own cache
/// for some ten thousand rows.
const LANES: usize = 16;

/// `out = X X' u` for `X = S − s m'`, from the columns of S; `u` and the result are stored by rows of `width`. Each column of S is read
/// once, for both products, and `X'u` is never stored. The bytes are the same on every CPU and on any number of threads.
pub(crate) fn squared_product(columns: &Csr, shift: Option<(&[f64], &[f64])>, u: &[f64], width: usize) -> Vec<f64> {
    let n = columns.ncols();
    let parts: Vec<Vec<[f64; LANES]>> = (0..width.div_ceil(LANES))
        .into_par_iter()
        .map(|part| {
            let (first, count) = (part * LANES, LANES.min(width - part * LANES));
            let mut own = vec![[0.0; LANES]; n];
            for (to, from) in own.iter_mut().zip(u.chunks_exact(width)) {
                to[..count].copy_from_slice(&from[first..first + count]);
            }
            let mut out = vec![[0.0; LANES]; n];
            squared_lanes(columns, shift, &own, &mut out);
            out
        })
        .collect();
    let mut out = vec![0.0; n * width];
    out.par_chunks_mut(256 * width).enumerate().for_each(|(task, rows)| {
        for (r, row) in rows.chunks_exact_mut(width).enumerate() {
            for (to, part) in row.chunks_mut(LANES).zip(&parts) {
                to.copy_from_slice(&part[task * 256 + r][..to.len()]);
            }
        }
    });
    out
}

widest! {
    ["avx512f"], ["avx2"];
    fn squared_lanes(columns: &Csr, shift: Option<(&[f64], &[f64])>, u: &[[f64; LANES]], out: &mut [[f64; LANES]]) = squared_columns;
}

#[inline(always)]
fn squared_columns(columns: &Csr, shift: Option<(&[f64], &[f64])>, u: &[[f64; LANES]], out: &mut [[f64; LANES]]) {
    // s'u.
    let mut along = [0.0; LANES];
    for (s, row) in shift.iter().flat_map(|(s, _)| s.iter().zip(u)) {
        for c in 0..LANES {
            along[c] += s * row[c];
        }
    }
    let mut back = [0.0; LANES]; // m'X'u
    for j in 0..columns.nrows() {
        let mean = shift.map_or(0.0, |(_, m)| m[j]);
        let mut t = along.map(|a| -mean * a); // row j of X'u
        let entries = || columns.row_indices(j).iter().zip(columns.row_values(j));
        for (&i, &v) in entries() {
            let from = &u[i as usize];
            for c in 0..LANES {
                t[c] += v * from[c];
            }
        }
        for c in 0..LANES {
            back[c] += mean * t[c];
        }
        for (&i, &v) in entries() {
            let to = &mut out[i as usize];
            for c in 0..LANES {
                to[c] += v * t[c];
            }
        }
    }
    for (s, row) in shift.iter().flat_map(|(s, _)| s.iter()).zip(out.iter_mut()) {
        for c in 0..LANES {
            row[c] -= s * back[c];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_squared_product_equals_the_dense_formula() {
        let (n, p) = (70, 110);
        let at = |i: usize, j: usize| if (i * 7 + j * 3).is_multiple_of(5) { 0.5 + ((i + 2 * j) % 4) as f64 } else { 0.0 };
        let triplets: Vec<_> = (0..p).flat_map(|j| (0..n).map(move |i| (j, i, at(i, j)))).filter(|t| t.2 != 0.0).collect();
        let columns = Csr::from_triplets(p, n, &triplets).unwrap();
        let s: Vec<f64> = (0..n).map(|i| 1.0 + (i % 3) as f64).collect();
        let m: Vec<f64> = (0..p).map(|j| 0.1 * (j % 7) as f64).collect();
        for shift in [None, Some((&s[..], &m[..]))] {
            let x = |i: usize, j: usize| at(i, j) - shift.map_or(0.0, |(s, m)| s[i] * m[j]);
            for width in [1, 15, 16, 40] {
                let u: Vec<f64> = (0..n * width).map(|k| ((k * 13) % 17) as f64 - 8.0).collect();
                let found = squared_product(&columns, shift, &u, width);
                for c in 0..width {
                    let t: Vec<f64> = (0..p).map(|j| (0..n).map(|i| x(i, j) * u[i * width + c]).sum()).collect();
                    for i in 0..n {
                        let expected: f64 = (0..p).map(|j| x(i, j) * t[j]).sum();
                        assert!((found[i * width + c] - expected).abs() < 1e-9 * (1.0 + expected.abs()), "{width} {i} {c}");
                    }
                }
            }
        }
    }

    #[test]
    fn every_width_equals_the_dense_formula() {
        let n = 1100;
        let mut triplets = vec![];
        for i in 0..n {
            for s in [1, 7, 31] {
                let j = (i * s + s) % n;
                triplets.push((i, j, 0.1 * s as f64 + 0.01 * (i % 5) as f64));
            }
        }
        let w = Csr::from_triplets(n, n, &triplets).unwrap();
        let diagonal: Vec<f64> = (0..n).map(|i| 1.0 + (i % 3) as f64).collect();
        for width in [1, 4, 8, 11, 16] {
            let x: Vec<f64> = (0..n * width).map(|i| ((i * 13) % 17) as f64 - 8.0).collect();
            let start: Vec<f64> = (0..n * width).map(|i| ((i * 5) % 7) as f64).collect();
            let mut plain = start.clone();
            product(&w, &x, &mut plain, width);
            for i in [0, 300, 1099] {
                for c in 0..width {
                    let wx: f64 = w.row(i).map(|(j, v)| v * x[j as usize * width + c]).sum();
                    assert!((plain[i * width + c] - wx).abs() < 1e-10);
                }
            }
            let mut out = start.clone();
            shifted_product(&w, &diagonal, &x, &mut out, width, (0.5, 2.0, -1.0));
            for i in [0, 1, 511, 512, 1099] {
                for c in 0..width {
                    let wx: f64 = w.row(i).map(|(j, v)| v * x[j as usize * width + c]).sum();
                    let expected = 2.0 * ((0.5 - diagonal[i]) * x[i * width + c] + wx) - start[i * width + c];
                    assert!((out[i * width + c] - expected).abs() < 1e-10);
                }
            }
        }
    }
}
