//! The design matrix of a regression: products, and inner products of selected columns.

use super::Column;
use crate::data::prepared::{Prepared, Values};
use crate::linalg::Csr;
use crate::linalg::dense::add_times;
use crate::linalg::tall::{Tall, gram};
use crate::problem::feature::Blocks;
use faer::Mat;
use std::sync::OnceLock;

/// Maximum number of columns for which `X'X` is stored: half a gigabyte.
const MOST_COLUMNS: usize = 8192;

/// How inner products of columns with the residual are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Whichever seems cheaper after the first few targets.
    Auto,
    /// From `X'X`, formed once.
    Gram,
    /// From the residual itself.
    Residual,
}

/// Prepared rows X, the squared norms of their columns and, if it pays, `X'X`.
pub(crate) struct Design {
    blocks: Blocks,
    /// Squared norm of each column; 0 for constant columns.
    pub(crate) squares: Vec<f64>,
    /// `X'X`, formed when it pays.
    gram: OnceLock<Mat<f64>>,
    form: Form,
    /// `S's` and `s's` of implicitly centred rows `X = S − s m'`.
    along: Option<(Vec<f64>, f64)>,
}

/// Sparse columns S of `X = S − s m'`.
#[derive(Clone, Copy)]
pub(crate) struct ThinColumns<'a> {
    /// S', a row per column.
    pub(crate) columns: &'a Csr,
    pub(crate) rows: usize,
    /// m, `S's` and `s's`.
    pub(crate) shift: Option<(&'a [f64], &'a [f64], f64)>,
}

impl Design {
    /// The columns, where they are sparse.
    pub(crate) fn thin_columns(&self) -> Option<ThinColumns<'_>> {
        let Values::Sparse { rows, columns } = &self.x().values else { return None };
        let shift = match (&self.x().shift, &self.along) {
            (Some(shift), Some((sums, total))) => Some((&shift.mean[..], &sums[..], *total)),
            _ => None,
        };
        Some(ThinColumns { columns: Prepared::columns(rows, columns), rows: rows.nrows(), shift })
    }
    /// `mean` holds the means that were subtracted: a column whose norm is a rounding error of its mean is constant.
    pub(crate) fn new(x: Prepared, form: Form, mean: Option<&[f64]>) -> Self {
        let blocks = Blocks::new(vec![x]);
        let x = &blocks.datasets[0];
        let (n, p) = (x.nrows(), x.ncols());
        let along = match (&x.values, &x.shift) {
            (Values::Sparse { rows, .. }, Some(shift)) => {
                let mut sums = vec![0.0; p];
                for i in 0..n {
                    rows.row(i).for_each(|(j, v)| sums[j as usize] += shift.row[i] * v);
                }
                Some((sums, shift.row.iter().map(|s| s * s).sum()))
            }
            _ => None,
        };
        let mut squares = vec![0.0; p];
        match &x.values {
            Values::Dense(m) => {
                m.values.chunks_exact(p).for_each(|row| squares.iter_mut().zip(row).for_each(|(s, v)| *s += v * v));
            }
            Values::Sparse { rows, .. } => {
                rows.indices().iter().zip(rows.values()).for_each(|(&j, v)| squares[j as usize] += v * v);
            }
        }
        if let (Some((sums, total)), Some(shift)) = (&along, &x.shift) {
            for j in 0..p {
                let m = shift.mean[j];
                squares[j] += m * (total * m - 2.0 * sums[j]);
            }
        }
        if let Some(mean) = mean {
            // Implicit centring subtracts large squares from each other; explicit centring does not.
            let rounding = if along.is_some() { 1e-13 } else { 1e-27 };
            let scale = blocks.scales[0];
            for (s, m) in squares.iter_mut().zip(mean) {
                if *s <= rounding * n as f64 * (m * scale).powi(2) {
                    *s = 0.0;
                }
            }
        }
        let design = Self { blocks, squares, gram: OnceLock::new(), form, along };
        if form == Form::Gram {
            design.form_gram();
        }
        design
    }
    /// Forms `X'X`, unless residuals were asked for or there are too many columns. Returns whether it exists.
    pub(crate) fn form_gram(&self) -> bool {
        if self.form == Form::Gram || (self.form == Form::Auto && self.n_columns() <= MOST_COLUMNS) {
            self.gram.get_or_init(|| self.blocks.mass(0, &vec![1.0; self.x().nrows()]));
        }
        self.has_gram()
    }
    /// Whether `X'X` would save more time than it costs, for targets that each scan all columns `rounds` times with a working
    /// set of about `working` columns. Costs are rough measurements in nanoseconds.
    pub(crate) fn gram_pays(&self, targets: f64, rounds: f64, working: f64) -> bool {
        let (n, p) = (self.x().nrows() as f64, self.n_columns() as f64);
        let (form, look, gather) = match &self.x().values {
            Values::Dense(_) => (0.05 * n * p * p, 0.2 * n * p, 0.1 * n * working * working),
            Values::Sparse { rows, .. } => {
                let pairs: f64 = (0..rows.nrows()).map(|i| (rows.row_indices(i).len() as f64).powi(2)).sum();
                let share = (working / p).min(1.0);
                (2.0 * pairs + 8.0 * p * p, rows.nnz() as f64, 2.0 * pairs * share * share)
            }
        };
        let with_gram = 0.2 * working * p + 2.0 * working * working;
        form + targets * rounds * with_gram < targets * rounds * (look + gather)
    }
    fn x(&self) -> &Prepared {
        &self.blocks.datasets[0]
    }
    /// Scale factor of the rows that keeps squares within the range of double precision; mostly 1.
    pub(crate) fn scale(&self) -> f64 {
        self.blocks.scales[0]
    }
    pub(crate) fn n_columns(&self) -> usize {
        self.squares.len()
    }
    pub(crate) fn mean_square(&self) -> f64 {
        self.squares.iter().sum::<f64>() / self.squares.len() as f64
    }
    pub(crate) fn has_gram(&self) -> bool {
        self.gram.get().is_some()
    }
    /// Column j of `X'X`, if it is stored.
    pub(crate) fn gram_column(&self, j: usize) -> Option<&[f64]> {
        self.gram.get().map(|g| g.col_as_slice(j))
    }
    /// `X' Y`; exactly 0 for constant columns.
    pub(crate) fn correlations(&self, y: &Tall) -> Tall {
        let mut out = self.x().transposed_times(y);
        for (row, s) in out.values.chunks_exact_mut(y.stride).zip(&self.squares) {
            if *s == 0.0 {
                row.fill(0.0);
            }
        }
        out
    }
    /// `X W`.
    fn times(&self, w: &Tall) -> Tall {
        self.x().times(w)
    }
    /// `X W` for sparse columns of W.
    pub(crate) fn times_columns(&self, columns: &[&Column]) -> Tall {
        let (x, width) = (self.x(), columns.len());
        match &x.values {
            Values::Dense(_) => {
                let mut w = Tall::zeros(self.n_columns(), width);
                for (t, column) in columns.iter().enumerate() {
                    column.indices.iter().zip(&column.values).for_each(|(&j, &v)| w.values[j as usize * width + t] = v);
                }
                self.times(&w)
            }
            Values::Sparse { rows, columns: by_column } => {
                let by_column = Prepared::columns(rows, by_column);
                let mut out = Tall::zeros(x.nrows(), width);
                let mut along = vec![0.0; width];
                for (t, column) in columns.iter().enumerate() {
                    for (&j, &w) in column.indices.iter().zip(&column.values) {
                        by_column.row(j as usize).for_each(|(i, v)| out.values[i as usize * width + t] += v * w);
                        along[t] += x.shift.as_ref().map_or(0.0, |s| s.mean[j as usize] * w);
                    }
                }
                if let Some(shift) = &x.shift {
                    for (s, row) in shift.row.iter().zip(out.values.chunks_exact_mut(width)) {
                        row.iter_mut().zip(&along).for_each(|(o, a)| *o -= s * a);
                    }
                }
                out
            }
        }
    }
    /// `X_c' X_c` for selected columns in ascending order, stored by rows.
    pub(crate) fn gram_of(&self, chosen: &[u32]) -> Vec<f64> {
        let k = chosen.len();
        let mut out = vec![0.0; k * k];
        if let Some(g) = self.gram.get() {
            for (row, &i) in out.chunks_exact_mut(k.max(1)).zip(chosen) {
                let column = g.col_as_slice(i as usize);
                row.iter_mut().zip(chosen).for_each(|(o, &j)| *o = column[j as usize]);
            }
            return out;
        }
        match &self.x().values {
            Values::Dense(x) => {
                let p = x.stride;
                let values = x.values.chunks_exact(p).flat_map(|row| chosen.iter().map(|&j| row[j as usize])).collect();
                let part = Tall { values, stride: k.max(1) };
                let g = gram(&part, k, &part);
                (0..k).for_each(|i| (0..k).for_each(|j| out[i * k + j] = g[(i, j)]));
            }
            Values::Sparse { rows, columns } => {
                // The selected columns by rows; each row then adds the products of its entries.
                let columns = Prepared::columns(rows, columns);
                let mut starts = vec![0usize; rows.nrows() + 1];
                chosen.iter().for_each(|&j| columns.row_indices(j as usize).iter().for_each(|&i| starts[i as usize + 1] += 1));
                (0..rows.nrows()).for_each(|i| starts[i + 1] += starts[i]);
                let mut entries = vec![(0usize, 0.0); starts[rows.nrows()]];
                let mut next = starts.clone();
                for (r, &j) in chosen.iter().enumerate() {
                    for (i, v) in columns.row(j as usize) {
                        entries[next[i as usize]] = (r, v);
                        next[i as usize] += 1;
                    }
                }
                for range in starts.windows(2) {
                    let entries = &entries[range[0]..range[1]];
                    for (at, &(r, v)) in entries.iter().enumerate() {
                        let row = &mut out[r * k..(r + 1) * k];
                        entries[at..].iter().for_each(|&(c, w)| row[c] += v * w);
                    }
                }
                self.add_shift(&mut out, chosen);
                for r in 0..k {
                    (0..r).for_each(|c| out[r * k + c] = out[c * k + r]);
                }
            }
        }
        out
    }
    /// The upper triangle of the effect of centring on inner products.
    fn add_shift(&self, out: &mut [f64], chosen: &[u32]) {
        let (Some((sums, total)), Some(shift)) = (&self.along, &self.x().shift) else { return };
        let k = chosen.len();
        for (r, &i) in chosen.iter().enumerate() {
            let (mean_i, sum_i) = (shift.mean[i as usize], sums[i as usize]);
            for (c, &j) in chosen.iter().enumerate().skip(r) {
                let (mean_j, sum_j) = (shift.mean[j as usize], sums[j as usize]);
                out[r * k + c] += total * mean_i * mean_j - mean_i * sum_j - sum_i * mean_j;
            }
        }
    }
    /// `X B`: n × k, where column s of B is 1 on `runs[s]` and 0 elsewhere.
    pub(crate) fn sums_over(&self, runs: &[std::ops::Range<usize>]) -> Tall {
        let k = runs.len();
        let mut run_of = vec![u32::MAX; self.n_columns()];
        for (s, run) in runs.iter().enumerate() {
            run_of[run.clone()].fill(s as u32);
        }
        let x = self.x();
        let mut out = Tall::zeros(x.nrows(), k.max(1));
        match &x.values {
            Values::Dense(m) => {
                for (row, to) in m.values.chunks_exact(m.stride).zip(out.values.chunks_exact_mut(k.max(1))) {
                    runs.iter().enumerate().for_each(|(s, run)| to[s] = row[run.clone()].iter().sum());
                }
            }
            Values::Sparse { rows, .. } => {
                let means: Option<Vec<f64>> =
                    x.shift.as_ref().map(|s| runs.iter().map(|r| s.mean[r.clone()].iter().sum()).collect());
                for (i, to) in out.values.chunks_exact_mut(k.max(1)).enumerate() {
                    for (j, v) in rows.row(i) {
                        let s = run_of[j as usize];
                        if s != u32::MAX {
                            to[s as usize] += v;
                        }
                    }
                    if let (Some(means), Some(shift)) = (&means, &x.shift) {
                        to.iter_mut().zip(means).for_each(|(t, m)| *t -= shift.row[i] * m);
                    }
                }
            }
        }
        out
    }
    /// `X'X W` for W p × width.
    pub(crate) fn squared_times(&self, w: &Tall) -> Tall {
        match self.gram.get() {
            None => self.correlations(&self.times(w)),
            Some(g) => {
                let width = w.stride;
                let mut out = Tall::zeros(g.nrows(), width);
                add_times(g.as_ref(), &w.values, &mut out.values, width);
                out
            }
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::data::{Preparation, Prepare, Rows};
    use crate::linalg::Matrix;

    /// Random rows, a third of the entries zero, with one constant column.
    pub(crate) fn rows(n: usize, p: usize, seed: u64) -> Matrix<f64> {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) + 1;
        let mut next = move || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) as f64 / (1u64 << 31) as f64 - 0.5
        };
        Matrix::from_fn(n, p, |_, _| {
            let v = next();
            if next() < -0.17 { 0.0 } else { v }
        })
    }

    #[test]
    fn every_form_gives_the_same_inner_products() {
        let m = rows(30, 12, 3);
        let dense = Preparation::fit(Prepare::Center, &Rows::F64(m.clone()));
        let sparse = Rows::Sparse(Csr::from_dense(&m));
        let x = dense.apply(&Rows::F64(m.clone())).to_dense();
        let chosen = [1, 4, 7, 11];
        let runs = [2..5, 7..8];
        let value = |i: usize, j: usize| x.values[i * 12 + j];
        for form in [Form::Gram, Form::Residual] {
            for prepared in [dense.apply(&Rows::F64(m.clone())), dense.apply(&sparse)] {
                let design = Design::new(prepared, form, None);
                let g = design.gram_of(&chosen);
                for (r, &i) in chosen.iter().enumerate() {
                    for (c, &j) in chosen.iter().enumerate() {
                        let sum: f64 = (0..30).map(|k| value(k, i as usize) * value(k, j as usize)).sum();
                        assert!((g[r * 4 + c] - sum).abs() < 1e-12);
                    }
                }
                let sums = design.sums_over(&runs);
                assert!((sums.values[2 * 9] - (2..5).map(|j| value(9, j)).sum::<f64>()).abs() < 1e-12);
                assert!((sums.values[2 * 9 + 1] - value(9, 7)).abs() < 1e-12);
                let w = Tall { values: (0..12).map(f64::from).collect(), stride: 1 };
                let product = design.squared_times(&w);
                let xw: Vec<f64> = (0..30).map(|k| (0..12).map(|j| value(k, j) * j as f64).sum()).collect();
                for j in 0..12 {
                    let sum: f64 = (0..30).map(|k| value(k, j) * xw[k]).sum();
                    assert!((product.values[j] - sum).abs() < 1e-10);
                }
            }
        }
    }
}
