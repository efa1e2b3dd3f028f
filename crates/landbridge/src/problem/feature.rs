//! Problems over features: `X'(D − W)X` for block-diagonal X, which is never formed. The (a, b) block is
//! `X_a' (D − W)_ab X_b` (Chapter11 §5.3.1).

use crate::data::offsets;
use crate::data::prepared::{Prepared, Shift, Values, sparse_times};
use crate::error::Result;
use crate::linalg::dense::{add_matmul, add_symmetric_matmul, column_tiles, mirror};
use crate::linalg::operator::Product;
use crate::linalg::tall::{Tall, accumulate, view};
use crate::linalg::whitening::symmetric_eigen;
use crate::linalg::{Csr, Matrix};
use faer::{Mat, MatMut};
use rayon::prelude::*;
use std::sync::Arc;

/// Rows of a dataset processed at a time.
const CHUNK: usize = 1024;
/// Columns of one task of the sparse product. Few, because frequent words cost more than rare ones.
const COLUMNS: usize = 16;

/// Prepared datasets with joint numbering of rows and columns.
pub(crate) struct Blocks {
    pub(crate) datasets: Vec<Prepared>,
    /// First row of each dataset, and N at the end.
    pub(crate) rows: Vec<usize>,
    /// First feature of each dataset, and P at the end.
    pub(crate) columns: Vec<usize>,
    /// Scale factor of each dataset that keeps the squares of its values within the range of double precision; mostly 1.
    pub(crate) scales: Vec<f64>,
}

impl Blocks {
    pub(crate) fn new(mut datasets: Vec<Prepared>) -> Self {
        let scales = datasets.iter_mut().map(Prepared::tame).collect();
        let rows = offsets(datasets.iter().map(Prepared::nrows));
        let columns = offsets(datasets.iter().map(Prepared::ncols));
        Self { datasets, rows, columns, scales }
    }
    /// P, the number of features of all datasets.
    pub(crate) fn n_features(&self) -> usize {
        self.columns[self.datasets.len()]
    }
    fn n_rows(&self) -> usize {
        self.rows[self.datasets.len()]
    }
    /// The mean of the diagonal of `X_a' M X_a`, M diagonal: the natural unit of a ridge.
    pub(crate) fn mean_diagonal(&self, a: usize, mass: &[f64]) -> f64 {
        let x = &self.datasets[a];
        let total = accumulate(x.nrows(), 1, |i, sum| sum[0] += mass[self.rows[a] + i] * squared_length(x, i))[0];
        total / x.ncols() as f64
    }
    /// `Σ_i m_i x_iq²` of every feature q; sparse rows are taken before centring.
    pub(crate) fn squares(&self, mass: &[f64]) -> Vec<f64> {
        let mut out = vec![0.0; self.n_features()];
        for (a, x) in self.datasets.iter().enumerate() {
            let out = &mut out[self.columns[a]..self.columns[a + 1]];
            let mass = &mass[self.rows[a]..self.rows[a + 1]];
            match &x.values {
                Values::Dense(x) => {
                    for (row, m) in x.values.chunks_exact(x.stride).zip(mass) {
                        out.iter_mut().zip(row).for_each(|(o, v)| *o += m * v * v);
                    }
                }
                Values::Sparse { rows, .. } => {
                    for (i, m) in mass.iter().enumerate() {
                        rows.row(i).for_each(|(q, v)| out[q as usize] += m * v * v);
                    }
                }
            }
        }
        out
    }
    /// Dimensions of the problem after datasets with fewer rows than features are reduced to their row space.
    pub(crate) fn reduced(&self) -> usize {
        self.datasets.iter().map(|x| x.nrows().min(x.ncols())).sum()
    }
    /// A ridge per dataset, for the rows before scaling.
    pub(crate) fn in_data_units(&self, ridge: &[f64]) -> Vec<f64> {
        ridge.iter().zip(&self.scales).map(|(r, s)| (r / s / s).min(f64::MAX)).collect()
    }
    /// `X v`: N × width.
    pub(crate) fn times(&self, v: &Tall) -> Tall {
        let width = v.stride;
        let mut out = Tall { values: Vec::with_capacity(self.n_rows() * width), stride: width };
        for (a, x) in self.datasets.iter().enumerate() {
            out.values.extend(x.times(&self.part(v, &self.columns, a)).values);
        }
        out
    }
    /// `X' u`: P × width.
    pub(crate) fn transposed_times(&self, u: &Tall) -> Tall {
        let width = u.stride;
        let mut out = Tall { values: Vec::with_capacity(self.n_features() * width), stride: width };
        for (a, x) in self.datasets.iter().enumerate() {
            out.values.extend(x.transposed_times(&self.part(u, &self.rows, a)).values);
        }
        out
    }
    /// `out += R v`, R a ridge per dataset.
    pub(crate) fn add_ridge(&self, out: &mut Tall, v: &Tall, ridge: impl Fn(usize) -> f64) {
        for a in 0..self.datasets.len() {
            let part = self.columns[a] * v.stride..self.columns[a + 1] * v.stride;
            let ridge = ridge(a);
            out.values[part.clone()].iter_mut().zip(&v.values[part]).for_each(|(o, v)| *o += ridge * v);
        }
    }
    fn part(&self, v: &Tall, starts: &[usize], a: usize) -> Tall {
        let width = v.stride;
        Tall { values: v.values[starts[a] * width..starts[a + 1] * width].to_vec(), stride: width }
    }
    /// The rows of stacked maps that belong to the features of dataset a, for the rows before scaling.
    pub(crate) fn map_of(&self, f: &Tall, a: usize) -> Matrix<f64> {
        let width = f.stride;
        Matrix::from_fn(self.columns[a + 1] - self.columns[a], width, |i, j| {
            self.scales[a] * f.values[(self.columns[a] + i) * width + j]
        })
    }

    /// `X'(D − W)X`, lower triangle; D diagonal, W the joint graph.
    pub(crate) fn laplacian(&self, diagonal: &[f64], graph: &Csr) -> Mat<f64> {
        let p = self.n_features();
        let mut out = Mat::zeros(p, p);
        for b in 0..self.datasets.len() {
            for a in b..self.datasets.len() {
                self.add_block(self.block(&mut out, a, b), a, b, Some(diagonal), Some(graph));
            }
        }
        out
    }
    /// `X'LX`, lower triangle, L the Laplacian of the joint graph. The part of each dataset without its pairs comes first and by itself:
    /// `known` may have it, and gets what computes it.
    pub(crate) fn joint_laplacian(
        &self,
        graph: &Csr,
        known: impl Fn(usize, &dyn Fn() -> Mat<f64>) -> Result<Option<Arc<Mat<f64>>>>,
    ) -> Result<Mat<f64>> {
        let own = |row: usize, a: usize| (self.rows[a] as u32..self.rows[a + 1] as u32).contains(&(row as u32));
        let (mut within, mut across) = (vec![0.0; self.n_rows()], vec![0.0; self.n_rows()]);
        for a in 0..self.datasets.len() {
            for row in self.rows[a]..self.rows[a + 1] {
                graph.row(row).for_each(|(j, w)| if own(j as usize, a) { within[row] += w } else { across[row] += w });
            }
        }
        let p = self.n_features();
        let mut out = Mat::zeros(p, p);
        for a in 0..self.datasets.len() {
            let add = |out: MatMut<'_, f64>| self.add_block(out, a, a, Some(&within), Some(graph));
            let alone = || {
                let mut alone = Mat::zeros(self.datasets[a].ncols(), self.datasets[a].ncols());
                add(alone.as_mut());
                alone
            };
            match known(a, &alone)? {
                Some(found) => self.block(&mut out, a, a).copy_from(&*found),
                None => add(self.block(&mut out, a, a)),
            }
            self.add_block(self.block(&mut out, a, a), a, a, Some(&across), None);
            for b in 0..a {
                self.add_block(self.block(&mut out, a, b), a, b, None, Some(graph));
            }
        }
        Ok(out)
    }
    /// The block of a matrix of features that belongs to two datasets.
    fn block<'m>(&self, out: &'m mut Mat<f64>, a: usize, b: usize) -> MatMut<'m, f64> {
        let (from, to) = (self.columns[a], self.columns[b]);
        out.as_mut().submatrix_mut(from, to, self.columns[a + 1] - from, self.columns[b + 1] - to)
    }
    /// `X'(D − W)X` for a W that need not be symmetric, for dense rows: all entries.
    pub(crate) fn directed_laplacian(&self, diagonal: &[f64], graph: &Csr) -> Mat<f64> {
        let p = self.n_features();
        let mut out = Mat::zeros(p, p);
        for b in 0..self.datasets.len() {
            for a in 0..self.datasets.len() {
                let mut block = Mat::zeros(self.datasets[a].ncols(), self.datasets[b].ncols());
                self.add_dense_block(block.as_mut(), a, b, Some(diagonal), Some(graph), false);
                // With R = (D − W)_ba X_a that was R'X_b; the block (b, a) is X_b'R.
                out.as_mut()
                    .submatrix_mut(self.columns[b], self.columns[a], block.ncols(), block.nrows())
                    .copy_from(block.transpose());
            }
        }
        out
    }
    /// `X_a' M X_a` for a diagonal M, both triangles.
    pub(crate) fn mass(&self, a: usize, mass: &[f64]) -> Mat<f64> {
        let p = self.datasets[a].ncols();
        let mut out = Mat::zeros(p, p);
        self.add_block(out.as_mut(), a, a, Some(mass), None);
        mirror(&mut out);
        out
    }
    /// `X_a' X_a`, both triangles.
    pub(crate) fn gram(&self, a: usize) -> Mat<f64> {
        let x = &self.datasets[a];
        match &x.values {
            Values::Dense(m) => {
                let rows = view(&m.values, m.stride, m.stride);
                let mut out = Mat::zeros(m.stride, m.stride);
                add_symmetric_matmul(out.as_mut(), rows.transpose(), rows, 1.0);
                mirror(&mut out);
                out
            }
            Values::Sparse { .. } => self.mass(a, &vec![1.0; self.n_rows()]),
        }
    }
    /// `X_a' W_ab X_b`.
    pub(crate) fn across(&self, a: usize, b: usize, graph: &Csr) -> Mat<f64> {
        let mut out = Mat::zeros(self.datasets[a].ncols(), self.datasets[b].ncols());
        self.add_block(out.as_mut(), a, b, None, Some(graph));
        for j in 0..out.ncols() {
            (0..out.nrows()).for_each(|i| out[(i, j)] = -out[(i, j)]);
        }
        out
    }

    /// `out += X_a' (δ_ab D − W_ab) X_b`; only the lower triangle when a = b.
    fn add_block(&self, out: MatMut<'_, f64>, a: usize, b: usize, diagonal: Option<&[f64]>, graph: Option<&Csr>) {
        match (&self.datasets[a].values, &self.datasets[b].values) {
            (Values::Sparse { rows: x, columns: x_columns }, Values::Sparse { rows: y, columns: y_columns }) => {
                let by_column = [Prepared::columns(x, x_columns), Prepared::columns(y, y_columns)];
                self.add_sparse_block(out, a, b, diagonal, graph, x, by_column);
            }
            _ => self.add_dense_block(out, a, b, diagonal, graph, a == b),
        }
    }

    /// Row i of `(δ_ab D − W)_ba`: `(row of a, weight)`.
    fn row_of<'g>(
        &self,
        (a, b): (usize, usize),
        i: usize,
        diagonal: Option<&'g [f64]>,
        graph: Option<&'g Csr>,
    ) -> impl Iterator<Item = (usize, f64)> + 'g {
        let row = self.rows[b] + i;
        let (start, end) = (self.rows[a], self.rows[a + 1]);
        let own = diagonal.filter(|d| a == b && d[row] != 0.0).map(|d| (i, d[row]));
        let edges = graph.into_iter().flat_map(move |g| g.row(row));
        let edges = edges.filter(move |(j, _)| (start..end).contains(&(*j as usize))).map(move |(j, w)| (j as usize - start, -w));
        own.into_iter().chain(edges)
    }

    /// Column q of the block is `Σ_i x_iq R_i` over the rows i of b that have feature q, with `R = (D − W)_ba X_a` sparse: only
    /// stored entries are read. Means are subtracted at the end, as four terms of rank one.
    fn add_sparse_block(
        &self,
        mut out: MatMut<'_, f64>,
        a: usize,
        b: usize,
        diagonal: Option<&[f64]>,
        graph: Option<&Csr>,
        x: &Csr,
        [x_columns, y_columns]: [&Csr; 2],
    ) {
        let n = self.datasets[b].nrows();
        let (height, lower) = (out.nrows(), a == b);
        for from in (0..n).step_by(CHUNK) {
            let to = (from + CHUNK).min(n);
            let rights: Vec<(Vec<u32>, Vec<f64>)> = (from..to)
                .into_par_iter()
                .map_init(
                    || (vec![0.0; height], vec![false; height]),
                    |(sums, seen), i| {
                        let mut touched: Vec<u32> = vec![];
                        for (j, w) in self.row_of((a, b), i, diagonal, graph) {
                            for (q, v) in x.row(j) {
                                if !std::mem::replace(&mut seen[q as usize], true) {
                                    touched.push(q);
                                }
                                sums[q as usize] += w * v;
                            }
                        }
                        touched.sort_unstable();
                        let values = touched
                            .iter()
                            .map(|&q| {
                                seen[q as usize] = false;
                                std::mem::take(&mut sums[q as usize])
                            })
                            .collect();
                        (touched, values)
                    },
                )
                .collect();
            column_tiles(faer::prelude::ReborrowMut::rb_mut(&mut out), COLUMNS).into_par_iter().enumerate().for_each(
                |(t, mut tile)| {
                    let mut sums = vec![0.0; height];
                    for c in 0..tile.ncols() {
                        let q = t * COLUMNS + c;
                        let first = if lower { q as u32 } else { 0 };
                        sums[first as usize..].fill(0.0);
                        let documents = y_columns.row_indices(q);
                        let range = documents.partition_point(|&i| (i as usize) < from)
                            ..documents.partition_point(|&i| (i as usize) < to);
                        for (&i, &v) in documents[range.clone()].iter().zip(&y_columns.row_values(q)[range]) {
                            let (indices, values) = &rights[i as usize - from];
                            let skip = if lower { indices.partition_point(|&r| r < first) } else { 0 };
                            for (&r, &w) in indices[skip..].iter().zip(&values[skip..]) {
                                sums[r as usize] += v * w;
                            }
                        }
                        for r in first as usize..height {
                            tile[(r, c)] += sums[r];
                        }
                    }
                },
            );
        }
        let (shift_a, shift_b) = (&self.datasets[a].shift, &self.datasets[b].shift);
        let along = |from: (usize, usize), shift: &Option<Shift>| -> Option<Tall> {
            // (D − W)_{to, from} s_from
            let s = &shift.as_ref()?.row;
            let values = (0..self.datasets[from.1].nrows())
                .map(|i| self.row_of(from, i, diagonal, graph).map(|(j, w)| w * s[j]).sum())
                .collect();
            Some(Tall { values, stride: 1 })
        };
        let ls_a = along((a, b), shift_a); // rows of b
        let ls_b = along((b, a), shift_b); // rows of a
        let left = ls_b.map(|u| sparse_times(x_columns, &u).values); // X_a' L_ab s_b
        let right = ls_a.as_ref().map(|u| sparse_times(y_columns, u).values); // X_b' L_ba s_a
        let both: f64 = match (&ls_a, shift_b) {
            (Some(u), Some(s)) => u.values.iter().zip(&s.row).map(|(u, s)| u * s).sum(),
            _ => 0.0,
        };
        for q in 0..out.ncols() {
            for r in if lower { q } else { 0 }..height {
                let mut change = 0.0;
                if let (Some(right), Some(shift)) = (&right, shift_a) {
                    change -= shift.mean[r] * right[q];
                }
                if let (Some(left), Some(shift)) = (&left, shift_b) {
                    change -= left[r] * shift.mean[q];
                }
                if let (Some(sa), Some(sb)) = (shift_a, shift_b) {
                    change += both * sa.mean[r] * sb.mean[q];
                }
                out[(r, q)] += change;
            }
        }
    }

    /// `R'X_b` by dense products over the rows of b that have an entry in `(D − W)_ba`, `R = (D − W)_ba X_a`.
    fn add_dense_block(
        &self,
        mut out: MatMut<'_, f64>,
        a: usize,
        b: usize,
        diagonal: Option<&[f64]>,
        graph: Option<&Csr>,
        lower: bool,
    ) {
        let (x, y) = (&self.datasets[a], &self.datasets[b]);
        let used: Vec<usize> = (0..y.nrows()).filter(|&i| self.row_of((a, b), i, diagonal, graph).next().is_some()).collect();
        let mut right = Tall::default();
        for chosen in used.chunks(CHUNK) {
            let (first, after) = (chosen[0], chosen[chosen.len() - 1] + 1);
            let picked;
            let rows = match &y.values {
                // Consecutive rows are used in place.
                Values::Dense(m) if chosen.len() == after - first => &m.values[first * m.stride..after * m.stride],
                _ => {
                    picked = y.select(chosen).to_dense();
                    &picked.values[..]
                }
            };
            let (left, scale) = match (&x.values, self.same_multiple((a, b), chosen, diagonal, graph)) {
                (Values::Dense(m), Some((from, weight))) => {
                    (&m.values[from * m.stride..(from + chosen.len()) * m.stride], weight)
                }
                _ => {
                    right.stride = x.ncols();
                    right.values.resize(CHUNK.min(used.len()) * x.ncols(), 0.0);
                    right.values.par_chunks_mut(x.ncols()).zip(chosen).for_each(|(row, &i)| {
                        row.fill(0.0);
                        for (j, w) in self.row_of((a, b), i, diagonal, graph) {
                            add_row(x, j, w, row);
                        }
                    });
                    (&right.values[..chosen.len() * x.ncols()], 1.0)
                }
            };
            let (left, right) = (view(left, x.ncols(), x.ncols()).transpose(), view(rows, y.ncols(), y.ncols()));
            let out = faer::prelude::ReborrowMut::rb_mut(&mut out);
            if lower {
                add_symmetric_matmul(out, left, right, scale);
            } else {
                add_matmul(out, left, right, scale);
            }
        }
    }

    /// Where the chosen rows of `(D − W)_ba` have one entry each, the same one, in columns that follow each other: the first column, and
    /// the entry. Then the products need no copy of those rows of X_a.
    fn same_multiple(
        &self,
        blocks: (usize, usize),
        chosen: &[usize],
        diagonal: Option<&[f64]>,
        graph: Option<&Csr>,
    ) -> Option<(usize, f64)> {
        let only = |i: usize| {
            let mut entries = self.row_of(blocks, i, diagonal, graph);
            entries.next().filter(|_| entries.next().is_none())
        };
        let first = only(*chosen.first()?)?;
        chosen.iter().enumerate().all(|(k, &i)| only(i) == Some((first.0 + k, first.1))).then_some(first)
    }
}

/// Maps coordinates of a row space back to features.
pub(crate) enum Basis {
    /// The features themselves.
    Features,
    /// Orthonormal columns that span the rows.
    Rows(Tall),
}

impl Basis {
    /// A map of coordinates as a map of features.
    pub(crate) fn expand(&self, map: Matrix<f64>) -> Matrix<f64> {
        match self {
            Basis::Features => map,
            Basis::Rows(q) => {
                let (r, d) = (map.nrows(), map.ncols());
                let map = Mat::from_fn(r, d, |i, j| map[(i, j)]);
                let expanded = crate::linalg::tall::product(q, map.as_ref());
                Matrix::from_fn(q.n(), d, |i, j| expanded.values[i * d + j])
            }
        }
    }
}

/// Datasets with more features than rows, in coordinates of their row space. Every solution lies there and keeps its norm, so
/// that the problem is the same, with as many dimensions as rows.
pub(crate) fn reduce_to_row_space(blocks: Blocks) -> Result<(Blocks, Vec<Basis>)> {
    let mut bases = vec![];
    let mut datasets = vec![];
    for x in blocks.datasets {
        if x.ncols() <= x.nrows() {
            bases.push(Basis::Features);
            datasets.push(x);
            continue;
        }
        let n = x.nrows();
        let (values, vectors) = symmetric_eigen(&row_products(&x))?;
        let largest = values.last().copied().unwrap_or(0.0).max(0.0);
        let kept: Vec<usize> = (0..n).rev().filter(|&j| values[j] > 1e-12 * largest && values[j] > 0.0).collect();
        let width = kept.len().max(1);
        let build = |power: f64| {
            let mut out = Tall::zeros(n, width);
            for i in 0..n {
                for (c, &j) in kept.iter().enumerate() {
                    out.values[i * width + c] = vectors[(i, j)] * values[j].powf(power);
                }
            }
            out
        };
        // X = U S V': rows U S, basis V = X' U / S.
        let (rows, over) = (build(0.5), build(-0.5));
        bases.push(Basis::Rows(x.transposed_times(&over)));
        datasets.push(Prepared { values: Values::Dense(rows), shift: None });
    }
    let scales = blocks.scales;
    Ok((Blocks { scales, ..Blocks::new(datasets) }, bases))
}

/// `X X'`.
pub(crate) fn row_products(x: &Prepared) -> Mat<f64> {
    let n = x.nrows();
    let mut out = Mat::zeros(n, n);
    match &x.values {
        Values::Dense(m) => {
            let rows = view(&m.values, m.stride, m.stride);
            add_symmetric_matmul(out.as_mut(), rows, rows.transpose(), 1.0);
            mirror(&mut out);
        }
        Values::Sparse { rows, columns } => {
            let by_column = Prepared::columns(rows, columns);
            column_tiles(out.as_mut(), COLUMNS).into_par_iter().enumerate().for_each(|(t, mut tile)| {
                for c in 0..tile.ncols() {
                    for (q, v) in rows.row(t * COLUMNS + c) {
                        for (i, w) in by_column.row(q as usize) {
                            tile[(i as usize, c)] += v * w;
                        }
                    }
                }
            });
            if let Some(shift) = &x.shift {
                let along: Vec<f64> = (0..n).map(|i| rows.row(i).map(|(j, v)| v * shift.mean[j as usize]).sum::<f64>()).collect();
                let square: f64 = shift.mean.iter().map(|m| m * m).sum();
                for j in 0..n {
                    for i in 0..n {
                        let (si, sj) = (shift.row[i], shift.row[j]);
                        out[(i, j)] += si * sj * square - si * along[j] - sj * along[i];
                    }
                }
            }
        }
    }
    out
}

fn squared_length(x: &Prepared, i: usize) -> f64 {
    match &x.values {
        Values::Dense(m) => m.values[i * m.stride..(i + 1) * m.stride].iter().map(|v| v * v).sum(),
        Values::Sparse { rows, .. } => {
            let own: f64 = rows.row_values(i).iter().map(|v| v * v).sum();
            x.shift.as_ref().map_or(own, |s| {
                let cross: f64 = rows.row(i).map(|(j, v)| v * s.mean[j as usize]).sum();
                let mean: f64 = s.mean.iter().map(|m| m * m).sum();
                own - 2.0 * s.row[i] * cross + s.row[i] * s.row[i] * mean
            })
        }
    }
}

/// `out += weight x_i`.
fn add_row(x: &Prepared, i: usize, weight: f64, out: &mut [f64]) {
    match &x.values {
        Values::Dense(m) => {
            out.iter_mut().zip(&m.values[i * m.stride..(i + 1) * m.stride]).for_each(|(o, v)| *o += weight * v);
        }
        Values::Sparse { rows, .. } => {
            rows.row(i).for_each(|(j, v)| out[j as usize] += weight * v);
            if let Some(shift) = &x.shift {
                out.iter_mut().zip(&shift.mean).for_each(|(o, m)| *o -= weight * shift.row[i] * m);
            }
        }
    }
}

/// `X' M X + R` for a diagonal M and a ridge per dataset, as an operator.
pub(crate) struct MassProduct<'a> {
    pub(crate) blocks: &'a Blocks,
    pub(crate) mass: &'a [f64],
    pub(crate) ridge: Option<&'a [f64]>,
}

impl Product for MassProduct<'_> {
    fn n(&self) -> usize {
        self.blocks.n_features()
    }
    fn product(&self, v: &Tall) -> Tall {
        let mut u = self.blocks.times(v);
        for (row, m) in u.values.chunks_exact_mut(v.stride).zip(self.mass) {
            row.iter_mut().for_each(|x| *x *= m);
        }
        let mut out = self.blocks.transposed_times(&u);
        if let Some(ridge) = self.ridge {
            self.blocks.add_ridge(&mut out, v, |a| ridge[a]);
        }
        out
    }
}

/// Blocks `X_a' W_ab X_b` of pairs, dense and small enough to store: the matrix of CCA.
pub(crate) struct CrossProduct {
    columns: Vec<usize>,
    blocks: Vec<(usize, usize, Mat<f64>)>,
}

impl CrossProduct {
    pub(crate) fn new(blocks: &Blocks, graph: &Csr) -> Self {
        let c = blocks.datasets.len();
        let pairs = (0..c).flat_map(|a| (0..a).map(move |b| (a, b)));
        Self { columns: blocks.columns.clone(), blocks: pairs.map(|(a, b)| (a, b, blocks.across(a, b, graph))).collect() }
    }
    /// Of two datasets, from `X_0' W X_1`.
    pub(crate) fn of_two(cross: &Mat<f64>) -> Self {
        let (p, q) = (cross.nrows(), cross.ncols());
        Self { columns: vec![0, p, p + q], blocks: vec![(1, 0, cross.transpose().to_owned())] }
    }
}

impl Product for CrossProduct {
    fn n(&self) -> usize {
        self.columns[self.columns.len() - 1]
    }
    fn product(&self, v: &Tall) -> Tall {
        let width = v.stride;
        let mut out = Tall::zeros(self.n(), width);
        for (a, b, block) in &self.blocks {
            let (ra, rb) =
                (self.columns[*a] * width..self.columns[a + 1] * width, self.columns[*b] * width..self.columns[b + 1] * width);
            crate::linalg::dense::add_times(block.as_ref(), &v.values[rb.clone()], &mut out.values[ra.clone()], width);
            crate::linalg::dense::add_times(block.transpose(), &v.values[ra], &mut out.values[rb], width);
        }
        out
    }
    fn between(&self) -> Option<Tall> {
        let [(1, 0, block)] = &self.blocks[..] else { return None };
        // The stored block is C'.
        let by_rows = (0..block.ncols()).flat_map(|i| (0..block.nrows()).map(move |j| block[(j, i)]));
        Some(Tall { values: by_rows.collect(), stride: block.nrows() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Pairs, Preparation, Prepare, Rows};
    use crate::problem::joint::{Joint, JointWeights};

    #[test]
    fn the_laplacian_of_features_is_the_plain_product_whether_parts_are_known_or_not() {
        let n = [9, 7];
        let value =
            |i: usize, j: usize| if (i * 5 + j * 3).is_multiple_of(4) { 0.0 } else { ((i * 7 + j * 11) % 13) as f64 / 4.0 - 1.0 };
        let x = |a: usize| Matrix::from_fn(n[a], 3 + a, |i, j| value(i + 3 * a, j));
        let edges = |a: usize| -> Vec<(usize, usize, f64)> {
            let forth = (0..n[a] - 1).map(|i| (i, i + 1, 0.5 + (i % 3) as f64));
            forth.flat_map(|(i, j, w)| [(i, j, w), (j, i, w)]).collect()
        };
        let graphs: Vec<Csr> = (0..2).map(|a| Csr::from_triplets(n[a], n[a], &edges(a)).unwrap()).collect();
        let pairs = Pairs::from_table(&[[0, 2], [4, 1], [8, 6]]).unwrap();
        let joint = Joint::new(&graphs, &pairs, JointWeights { mu: 3.0, nu: 2.0, balance: false });
        for sparse in [[false, false], [true, true], [true, false]] {
            let rows = |a: usize| if sparse[a] { Rows::Sparse(Csr::from_dense(&x(a))) } else { Rows::F64(x(a)) };
            let prepared = |a: usize| Preparation::fit(Prepare::Center, &rows(a)).apply(&rows(a));
            let blocks = Blocks::new((0..2).map(prepared).collect());
            let whole = Matrix::from_fn(16, 7, |i, j| match (i < 9, j < 3) {
                (true, true) => blocks.datasets[0].to_dense().values[i * 3 + j],
                (false, false) => blocks.datasets[1].to_dense().values[(i - 9) * 4 + j - 3],
                _ => 0.0,
            });
            let degree = joint.graph.row_sums();
            let l = |i: usize, j: usize| if i == j { degree[i] } else { -joint.graph.get(i, j) };
            let plain = |r: usize, c: usize| -> f64 {
                (0..16).map(|i| (0..16).map(|j| whole[(i, r)] * l(i, j) * whole[(j, c)]).sum::<f64>()).sum()
            };
            let made = blocks.joint_laplacian(&joint.graph, |_, _| Ok(None)).unwrap();
            let known = blocks.joint_laplacian(&joint.graph, |_, alone| Ok(Some(Arc::new(alone())))).unwrap();
            let direct = blocks.laplacian(&degree, &joint.graph);
            for c in 0..7 {
                for r in c..7 {
                    assert!((made[(r, c)] - plain(r, c)).abs() < 1e-10, "{sparse:?}, ({r}, {c})");
                    assert!((direct[(r, c)] - plain(r, c)).abs() < 1e-10, "{sparse:?}, ({r}, {c})");
                    assert_eq!(known[(r, c)].to_bits(), made[(r, c)].to_bits(), "{sparse:?}, ({r}, {c})");
                }
            }
        }
    }
}
