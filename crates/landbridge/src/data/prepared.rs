//! Prepared rows, as a map sees them, and products with them.

use crate::linalg::dense::add_times;
use crate::linalg::spmm::{product, squared_product};
use crate::linalg::tall::{Tall, each_row, gram, times_by_row, view};
use crate::linalg::{Csr, Matrix, near_one};
use rayon::prelude::*;
use std::sync::OnceLock;

/// Prepared rows X: dense, or sparse rows S minus a multiple of the mean, `X = S − s m'`, never made dense.
#[derive(Clone, Debug)]
pub(crate) struct Prepared {
    pub(crate) values: Values,
    pub(crate) shift: Option<Shift>,
}

#[derive(Clone, Debug)]
pub(crate) enum Values {
    Dense(Tall),
    Sparse {
        rows: Csr,
        /// The same by columns, computed on first use.
        columns: OnceLock<Csr>,
    },
}

#[derive(Clone, Debug)]
pub(crate) struct Shift {
    /// s: the multiple of the mean that is subtracted from each row.
    pub(crate) row: Vec<f64>,
    /// m.
    pub(crate) mean: Vec<f64>,
}

impl Prepared {
    pub(crate) fn dense(m: Matrix<f64>) -> Self {
        let stride = m.ncols();
        Self { values: Values::Dense(Tall { values: m.into_vec(), stride }), shift: None }
    }
    pub(crate) fn sparse(rows: Csr, shift: Option<Shift>) -> Self {
        Self { values: Values::Sparse { rows, columns: OnceLock::new() }, shift }
    }
    pub(crate) fn nrows(&self) -> usize {
        match &self.values {
            Values::Dense(m) => m.n(),
            Values::Sparse { rows, .. } => rows.nrows(),
        }
    }
    pub(crate) fn ncols(&self) -> usize {
        match &self.values {
            Values::Dense(m) => m.stride,
            Values::Sparse { rows, .. } => rows.ncols(),
        }
    }
    /// S by columns.
    pub(crate) fn columns<'a>(rows: &Csr, columns: &'a OnceLock<Csr>) -> &'a Csr {
        columns.get_or_init(|| rows.transpose())
    }
    /// `X v`: n × width.
    pub(crate) fn times(&self, v: &Tall) -> Tall {
        let width = v.stride;
        match &self.values {
            Values::Dense(x) => {
                let mut out = Tall::zeros(x.n(), width);
                add_times(view(&x.values, x.stride, x.stride), &v.values, &mut out.values, width);
                out
            }
            Values::Sparse { rows, .. } => {
                let mut out = sparse_times(rows, v);
                if let Some(shift) = &self.shift {
                    subtract_shift(&shift.row, &mean_times(&shift.mean, &v.values, width), &mut out.values);
                }
                out
            }
        }
    }
    /// `X' u`: p × width.
    pub(crate) fn transposed_times(&self, u: &Tall) -> Tall {
        let width = u.stride;
        match &self.values {
            Values::Dense(x) => {
                let product = gram(x, x.stride, u);
                let values = (0..x.stride).flat_map(|i| (0..width).map(move |j| (i, j))).map(|at| product[at]).collect();
                Tall { values, stride: width }
            }
            Values::Sparse { rows, columns } => {
                let mut out = sparse_times(Self::columns(rows, columns), u);
                if let Some(shift) = &self.shift {
                    let mut along = vec![0.0; width];
                    for (s, row) in shift.row.iter().zip(u.values.chunks_exact(width)) {
                        along.iter_mut().zip(row).for_each(|(a, v)| *a += s * v);
                    }
                    for (m, row) in shift.mean.iter().zip(out.values.chunks_exact_mut(width)) {
                        row.iter_mut().zip(&along).for_each(|(o, a)| *o -= m * a);
                    }
                }
                out
            }
        }
    }
    /// `X X' u`: n × width.
    pub(crate) fn squared_times(&self, u: &Tall) -> Tall {
        match &self.values {
            Values::Dense(_) => self.times(&self.transposed_times(u)),
            Values::Sparse { rows, columns } => {
                let shift = self.shift.as_ref().map(|s| (&s.row[..], &s.mean[..]));
                Tall { values: squared_product(Self::columns(rows, columns), shift, &u.values, u.stride), stride: u.stride }
            }
        }
    }
    /// The sum of all squares.
    pub(crate) fn squares(&self) -> f64 {
        match &self.values {
            Values::Dense(x) => x.values.iter().map(|v| v * v).sum(),
            Values::Sparse { rows, .. } => {
                let own: f64 = rows.values().iter().map(|v| v * v).sum();
                self.shift.as_ref().map_or(own, |s| {
                    let mean: f64 = s.mean.iter().map(|m| m * m).sum();
                    let along = |i: usize| rows.row(i).map(|(j, v)| v * s.mean[j as usize]).sum::<f64>();
                    own + (0..rows.nrows()).map(|i| s.row[i] * (s.row[i] * mean - 2.0 * along(i))).sum::<f64>()
                })
            }
        }
    }
    /// `X v` in which no row's result depends on the other rows, to the last bit.
    pub(crate) fn times_by_row(&self, v: &Tall) -> Tall {
        let Values::Dense(x) = &self.values else { return self.times(v) };
        Tall { values: times_by_row(&x.values, x.stride, &v.values, v.stride), stride: v.stride }
    }
    /// Scales numbers whose squares would overflow or underflow to about 1, by a power of two, which it returns. Other
    /// numbers are not changed.
    pub(crate) fn tame(&mut self) -> f64 {
        let largest = |v: &[f64]| v.par_chunks(1 << 16).map(largest_of).reduce(|| 0.0, f64::max);
        let size = match &self.values {
            Values::Dense(m) => largest(&m.values),
            Values::Sparse { rows, .. } => largest(rows.values()),
        };
        let scale = near_one(size);
        if scale == 1.0 {
            return 1.0;
        }
        match &mut self.values {
            Values::Dense(m) => m.values.iter_mut().for_each(|v| *v *= scale),
            Values::Sparse { rows, .. } => rows.values_mut().iter_mut().for_each(|v| *v *= scale),
        }
        if let Some(shift) = &mut self.shift {
            shift.mean.iter_mut().for_each(|m| *m *= scale);
        }
        scale
    }
    /// The chosen rows, in the order given.
    pub(crate) fn select(&self, chosen: &[usize]) -> Self {
        match &self.values {
            Values::Dense(x) => {
                let values = chosen.iter().flat_map(|&i| &x.values[i * x.stride..(i + 1) * x.stride]).copied().collect();
                Self { values: Values::Dense(Tall { values, stride: x.stride }), shift: None }
            }
            Values::Sparse { rows, .. } => {
                let shift = self.shift.as_ref();
                let shift = shift.map(|s| Shift { row: chosen.iter().map(|&i| s.row[i]).collect(), mean: s.mean.clone() });
                Self::sparse(rows.select_rows(chosen), shift)
            }
        }
    }
    /// `X W` for a sparse W (a row per feature): only stored weights are touched, and no row's result depends on the others.
    pub(crate) fn times_sparse(&self, w: &Csr) -> Tall {
        let width = w.ncols().max(1);
        let mut out = Tall::zeros(self.nrows(), width);
        let add = |row: &mut [f64], j: usize, v: f64| w.row(j).for_each(|(t, weight)| row[t as usize] += v * weight);
        match &self.values {
            Values::Dense(x) => {
                let used: Vec<usize> = (0..w.nrows()).filter(|&j| !w.row_indices(j).is_empty()).collect();
                each_row(&mut out, |i, row| {
                    let from = &x.values[i * x.stride..(i + 1) * x.stride];
                    used.iter().for_each(|&j| add(row, j, from[j]));
                });
            }
            Values::Sparse { rows, .. } => {
                let along = self.shift.as_ref().map(|shift| {
                    let mut along = vec![0.0; width];
                    shift.mean.iter().enumerate().for_each(|(j, m)| add(&mut along, j, *m));
                    (along, &shift.row)
                });
                each_row(&mut out, |i, row| {
                    rows.row(i).for_each(|(j, v)| add(row, j as usize, v));
                    if let Some((along, s)) = &along {
                        row.iter_mut().zip(along).for_each(|(o, a)| *o -= s[i] * a);
                    }
                });
            }
        }
        out
    }
    /// The chosen columns, in the order given.
    pub(crate) fn select_columns(&self, chosen: &[u32]) -> Self {
        match &self.values {
            Values::Dense(x) => {
                let rows = x.values.chunks_exact(x.stride);
                let values = rows.flat_map(|row| chosen.iter().map(|&j| row[j as usize])).collect();
                Self { values: Values::Dense(Tall { values, stride: chosen.len() }), shift: None }
            }
            Values::Sparse { rows, columns } => {
                let chosen_rows: Vec<usize> = chosen.iter().map(|&j| j as usize).collect();
                let rows = Self::columns(rows, columns).select_rows(&chosen_rows).transpose();
                let shift = self.shift.as_ref();
                let mean = |s: &Shift| chosen.iter().map(|&j| s.mean[j as usize]).collect();
                Self::sparse(rows, shift.map(|s| Shift { row: s.row.clone(), mean: mean(s) }))
            }
        }
    }
    /// Some rows, dense.
    pub(crate) fn dense_rows(&self, rows: std::ops::Range<usize>) -> Tall {
        match &self.values {
            Values::Dense(x) => Tall { values: x.values[rows.start * x.stride..rows.end * x.stride].to_vec(), stride: x.stride },
            Values::Sparse { .. } => self.select(&rows.collect::<Vec<_>>()).to_dense(),
        }
    }
    /// As a dense matrix by rows (few rows or few columns).
    pub(crate) fn to_dense(&self) -> Tall {
        match &self.values {
            Values::Dense(x) => x.clone(),
            Values::Sparse { rows, .. } => {
                let p = rows.ncols();
                let mut dense = rows.to_dense();
                if let Some(shift) = &self.shift {
                    for i in 0..rows.nrows() {
                        dense.row_mut(i).iter_mut().zip(&shift.mean).for_each(|(v, m)| *v -= shift.row[i] * m);
                    }
                }
                Tall { values: dense.into_vec(), stride: p }
            }
        }
    }
}

/// The largest absolute value that is a number; several at a time, which processors compare at once.
fn largest_of(values: &[f64]) -> f64 {
    let (whole, rest) = values.as_chunks::<16>();
    let mut most = [0.0f64; 16];
    for chunk in whole {
        most.iter_mut().zip(chunk).for_each(|(m, v)| *m = if v.abs() > *m { v.abs() } else { *m });
    }
    most.iter().chain(rest).fold(0.0, |m, v| m.max(v.abs()))
}

/// `M v` for sparse M, rows in parallel.
pub(crate) fn sparse_times(m: &Csr, v: &Tall) -> Tall {
    let mut out = Tall::zeros(m.nrows(), v.stride);
    sparse_product(m, &v.values, &mut out.values, v.stride);
    out
}

/// `out = M v` for sparse M; few rows run on this thread.
pub(crate) fn sparse_product(m: &Csr, v: &[f64], out: &mut [f64], width: usize) {
    const FEW: usize = 16;
    if m.nrows() > FEW {
        return product(m, v, out, width);
    }
    // The same sums in the same order.
    for (i, row) in out.chunks_exact_mut(width.max(1)).enumerate() {
        row.fill(0.0);
        for (j, value) in m.row(i) {
            let from = &v[j as usize * width..(j as usize + 1) * width];
            row.iter_mut().zip(from).for_each(|(o, v)| *o += value * v);
        }
    }
}

/// `m'F`, F by rows.
pub(crate) fn mean_times(mean: &[f64], f: &[f64], width: usize) -> Vec<f64> {
    let mut along = vec![0.0; width];
    for (m, row) in mean.iter().zip(f.chunks_exact(width.max(1))) {
        along.iter_mut().zip(row).for_each(|(a, v)| *a += m * v);
    }
    along
}

/// `out −= s along'`.
pub(crate) fn subtract_shift(multiples: &[f64], along: &[f64], out: &mut [f64]) {
    for (s, row) in multiples.iter().zip(out.chunks_exact_mut(along.len().max(1))) {
        row.iter_mut().zip(along).for_each(|(o, a)| *o -= s * a);
    }
}
