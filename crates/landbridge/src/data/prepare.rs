//! Preprocessing of rows for linear maps: scaling, centring, or both. The fitted preprocessing is saved in the model, so that
//! new rows are treated alike.

use crate::data::cells::{VARIABLE, depth_in_words, faults, median_total, most_variable, most_variable_within, recognise};
use crate::data::prepared::{Prepared, Shift, sparse_product, subtract_shift};
use crate::data::{Batches, Dataset, Rows, RowsRef, dominant_column};
use crate::error::{Error, Result};
use crate::linalg::rows::{Term, divide, largest_entry, squared_length, subtract};
use crate::linalg::tall::{TILE, TileRoom, accumulate, accumulate_with, each_chunk, each_chunk_with, tile_times_in};
use crate::linalg::{Csr, Matrix, Scalar, near_one};
use crate::outcome::Warning;
use landbridge_derive::Words;
use rayon::prelude::*;
use std::borrow::Cow;

/// The preprocessing steps, from left to right as in the name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Words)]
#[non_exhaustive]
pub enum Prepare {
    /// Nothing.
    None,
    /// The mean of each column is subtracted.
    #[default]
    Center,
    /// Each row has length 1 (zero rows stay zero).
    Unit,
    /// Centred, then unit length.
    CenterUnit,
    /// Unit length, then centred.
    UnitCenter,
    /// Counts times `ln((1 + n) / (1 + documents with the word)) + 1`, then unit length.
    Tfidf,
    /// As tfidf, then centred.
    TfidfCenter,
    /// As tfidf, with `ln(1 + count)` in place of counts, so that repeated words count less.
    LogTfidf,
    /// Centred, and each column divided by its standard deviation (constant columns become 0).
    Standardize,
    /// For counts of genes in cells: rows scaled to the median total, `ln(1 + x)`, the 2,000 most variable columns, centred.
    Counts,
    /// As counts, with each column divided by its standard deviation.
    CountsStandardize,
    /// For counts of chromatin peaks in cells: shares times `n / cells with the peak`, `ln(1 + 10⁴ x)`, unit length, without the
    /// direction of the mean, which follows the depth of sequencing.
    Peaks,
    /// For counts of proteins in cells: `ln(1 + x / g)` with g the geometric mean of 1 + x over the row, centred.
    Proteins,
    /// Counts, peaks or proteins where a dataset is recognised as such, which the outcome says; otherwise center.
    Auto,
}

impl Prepare {
    fn centers(self) -> bool {
        !matches!(self, Prepare::None | Prepare::Unit | Prepare::Tfidf | Prepare::LogTfidf)
    }
    pub(crate) fn unit_first(self) -> bool {
        use Prepare::{LogTfidf, Peaks, Tfidf, TfidfCenter, Unit, UnitCenter};
        matches!(self, Unit | UnitCenter | Tfidf | TfidfCenter | LogTfidf | Peaks)
    }
    /// Whether the rows are counts of cells, whose totals say nothing.
    pub(crate) fn of_cells(self) -> bool {
        use Prepare::{Counts, CountsStandardize, Peaks, Proteins};
        matches!(self, Counts | CountsStandardize | Peaks | Proteins)
    }
    /// Whether it changes rows before they are centred.
    fn scales(self) -> bool {
        self.unit_first() || self.of_cells() || self == Prepare::Standardize
    }
    /// The word for each dataset: `auto` looks at all of them.
    pub(crate) fn for_each(self, datasets: &[Dataset]) -> Vec<Prepare> {
        match self {
            Prepare::Auto => recognise(datasets).into_iter().map(|r| r.prepare).collect(),
            word => vec![word; datasets.len()],
        }
    }
    /// As in Python.
    pub(crate) fn word(self) -> String {
        crate::params::Words::word(&self).to_string()
    }
}

/// Shares of a cell's counts are multiplied by this before the logarithm, so that most become larger than 1.
const SHARE: f64 = 1e4;

/// A fitted preprocessing: `x ↦ u(v(x ∘ factor) − mean)`, with u, v the identity or the scaling to unit length. Counts of cells go
/// through a logarithm first, and peaks lose the direction m of their mean instead of the mean: `x − (x·m) m`.
#[derive(Clone, Debug, PartialEq)]
pub struct Preparation {
    pub(crate) prepare: Prepare,
    /// Factor of each column (idf, or 1 / standard deviation).
    pub(crate) factors: Option<Vec<f64>>,
    /// Mean of each column of the scaled rows; for peaks, its direction.
    pub(crate) mean: Option<Vec<f64>>,
    /// The total to which rows of counts are scaled.
    pub(crate) total: Option<f64>,
}

impl Preparation {
    /// Fits factors and means to the rows. `auto` sees no names of columns here; methods show it the whole datasets.
    pub fn fit(prepare: Prepare, rows: &Rows) -> Self {
        Self::fit_within(prepare, rows, None)
    }
    /// As [`Preparation::fit`]; columns that vary are sought within batches.
    fn fit_within(prepare: Prepare, rows: &Rows, batches: Option<&Batches>) -> Self {
        let n = rows.nrows() as f64;
        let mut fitted = Self { prepare, factors: None, mean: None, total: None };
        match prepare {
            Prepare::Auto => {
                let found = Dataset::new("rows", rows.clone()).map(|d| Prepare::Auto.for_each(&[d])[0]);
                return Self::fit_within(found.unwrap_or(Prepare::Center), rows, batches);
            }
            Prepare::Counts | Prepare::CountsStandardize => {
                fitted.total = Some(median_total(rows));
                let chosen = (rows.ncols() > VARIABLE).then(|| match batches {
                    Some(batches) => most_variable_within(&fitted.normalised(rows), VARIABLE, batches),
                    None => most_variable(&fitted.normalised(rows), VARIABLE),
                });
                let kept = |j: usize| f64::from(u8::from(chosen.as_ref().is_none_or(|c| c[j])));
                fitted.factors = match prepare {
                    Prepare::Counts => chosen.is_some().then(|| (0..rows.ncols()).map(kept).collect()),
                    _ => {
                        Some(inverse_deviations(&fitted.scale(rows), 1.0).iter().enumerate().map(|(j, f)| f * kept(j)).collect())
                    }
                };
            }
            Prepare::Peaks => {
                let cells = column_sums(rows, |_, v| f64::from(u8::from(v != 0.0)));
                fitted.factors = Some(cells.iter().map(|c| if *c > 0.0 { n / c } else { 0.0 }).collect());
            }
            Prepare::Tfidf | Prepare::TfidfCenter | Prepare::LogTfidf => {
                let documents = column_sums(rows, |_, v| f64::from(u8::from(v != 0.0)));
                fitted.factors = Some(documents.iter().map(|d| ((1.0 + n) / (1.0 + d)).ln() + 1.0).collect());
            }
            Prepare::Standardize => fitted.factors = Some(inverse_deviations(rows, 0.0)),
            _ => {}
        }
        if prepare.centers() {
            let sums = fitted.scaled_sums(rows);
            let mut mean: Vec<f64> = sums.into_iter().map(|s| s / n).collect();
            if prepare == Prepare::Peaks {
                to_unit(&mut mean);
            }
            fitted.mean = Some(mean);
        }
        fitted
    }
    /// Fitted to a dataset: `auto` sees its names of columns, and negative counts are refused.
    pub(crate) fn of(prepare: Prepare, dataset: &Dataset) -> Result<Self> {
        let prepare = prepare.for_each(std::slice::from_ref(dataset))[0];
        if prepare.of_cells()
            && let (Some((row, column, value)), _) = faults(dataset.rows())
        {
            let (dataset, prepare) = (dataset.name().into(), prepare.word());
            return Err(Error::NotCounts { dataset, row, column, value, prepare });
        }
        Ok(Self::fit_within(prepare, dataset.rows(), dataset.batches()))
    }
    /// Rows of equal totals, before the logarithm.
    fn normalised(&self, rows: &Rows) -> Rows {
        let total = self.total.unwrap_or(1.0);
        let level = |row: &mut [f64]| {
            let sum: f64 = row.iter().sum();
            row.iter_mut().for_each(|v| *v = if sum > 0.0 { (*v * (total / sum)).max(0.0) } else { 0.0 });
        };
        match rows {
            Rows::Sparse(m) => {
                let mut out = m.clone();
                each_sparse_row(&mut out, |row, _| level(row));
                Rows::Sparse(out)
            }
            dense => {
                let mut m = dense_f64(dense);
                (0..m.nrows()).for_each(|i| level(m.row_mut(i)));
                Rows::F64(m)
            }
        }
    }
    /// The kind of preprocessing.
    pub fn prepare(&self) -> Prepare {
        self.prepare
    }
    /// The column means to subtract, if any.
    pub fn mean(&self) -> Option<&[f64]> {
        self.mean.as_deref()
    }
    /// The column factors, if any.
    pub fn factors(&self) -> Option<&[f64]> {
        self.factors.as_deref()
    }
    /// Everything up to the centring: the rows for the neighbour search.
    pub fn scale<'a>(&self, rows: &'a Rows) -> Cow<'a, Rows> {
        if !self.prepare.scales() {
            return Cow::Borrowed(rows);
        }
        Cow::Owned(match rows {
            Rows::Sparse(m) => Rows::Sparse(self.scale_sparse(m)),
            dense => {
                let (rows, p) = (RowsRef::from(dense), dense.ncols());
                Rows::F64(self.each_dense(rows, |row| self.scale_row(row, p, |at| at)))
            }
        })
    }
    /// The sum of each column of the scaled rows. Dense rows are scaled one at a time.
    fn scaled_sums(&self, rows: &Rows) -> Vec<f64> {
        match rows {
            dense if self.prepare.scales() && !matches!(dense, Rows::Sparse(_)) => {
                let p = dense.ncols();
                accumulate_with(
                    dense.nrows(),
                    p,
                    || vec![0.0; p],
                    |row, i, sums| {
                        dense.copy_row(i, row);
                        self.scale_row(row, p, |at| at);
                        sums.iter_mut().zip(row).for_each(|(s, v)| *s += *v);
                    },
                )
            }
            _ => column_sums(&self.scale(rows), |_, v| v),
        }
    }
    /// Scales a row; `column` gives the column of an entry.
    fn scale_row(&self, row: &mut [f64], p: usize, column: impl Fn(usize) -> usize) {
        // Counts are not negative; what is, counts as zero here, and fits refuse it.
        let sum = || row.iter().map(|v| v.max(0.0)).sum::<f64>();
        match self.prepare {
            Prepare::LogTfidf => row.iter_mut().for_each(|v| *v = v.abs().ln_1p().copysign(*v)),
            Prepare::Counts | Prepare::CountsStandardize => {
                let sum = sum();
                let share = if sum > 0.0 { self.total.unwrap_or(1.0) / sum } else { 0.0 };
                row.iter_mut().for_each(|v| *v = (v.max(0.0) * share).ln_1p());
            }
            Prepare::Proteins => {
                let mean = row.iter().map(|v| v.max(0.0).ln_1p()).sum::<f64>() / p.max(1) as f64;
                let over = (-mean).exp();
                row.iter_mut().for_each(|v| *v = (v.max(0.0) * over).ln_1p());
            }
            Prepare::Peaks => {
                let sum = sum();
                let share = if sum > 0.0 { SHARE / sum } else { 0.0 };
                let factors = self.factors.as_deref().unwrap_or_default();
                row.iter_mut().enumerate().for_each(|(at, v)| *v = (v.max(0.0) * share * factors[column(at)]).ln_1p());
                return to_unit(row);
            }
            _ => {}
        }
        if let Some(factors) = &self.factors {
            row.iter_mut().enumerate().for_each(|(at, v)| *v *= factors[column(at)]);
        }
        if self.prepare.unit_first() {
            to_unit(row);
        }
    }
    /// Scales sparse rows; shares the arrays if nothing has to be scaled.
    fn scale_sparse(&self, m: &Csr) -> Csr {
        let mut scaled = m.clone();
        if self.prepare.scales() {
            let p = m.ncols();
            each_sparse_row(&mut scaled, |row, columns| self.scale_row(row, p, |at| columns[at] as usize));
        }
        scaled
    }
    /// The dataset with scaled but uncentred rows: centring does not change the distances between them. Shares rows that need
    /// no scaling.
    pub(crate) fn scaled(&self, dataset: &Dataset) -> Result<Dataset> {
        match self.scale(dataset.rows()) {
            Cow::Borrowed(_) => Ok(dataset.clone()),
            Cow::Owned(rows) => Dataset::new(dataset.name(), rows),
        }
    }
    /// Sparse rows as the map sees them: `S − s m'` with m the mean. Returns S, and s if there is a mean. Shares values that
    /// no scaling changes.
    fn apply_sparse(&self, m: &Csr) -> (Csr, Option<Vec<f64>>) {
        let mut rows = self.scale_sparse(m);
        let Some(mean) = &self.mean else { return (rows, None) };
        let mut multiples = vec![1.0; rows.nrows()];
        if self.prepare == Prepare::Peaks {
            let along = |i: usize| rows.row(i).map(|(j, v)| v * mean[j as usize]).sum::<f64>();
            multiples.iter_mut().enumerate().for_each(|(i, multiple)| *multiple = along(i));
        }
        if self.prepare == Prepare::CenterUnit {
            for (i, multiple) in multiples.iter_mut().enumerate() {
                // Scaled, so that the squares neither underflow nor overflow.
                let s = near_one(mean.iter().chain(rows.row_values(i)).fold(0.0f64, |m, v| m.max(v.abs())));
                let mean_square: f64 = mean.iter().map(|m| (s * m) * (s * m)).sum();
                // |x − m|² = Σ over stored ((x − m)² − m²) + |m|²
                let beyond = |(j, v): (u32, f64)| s * v * (s * v - 2.0 * s * mean[j as usize]);
                let square = rows.row(i).map(beyond).sum::<f64>() + mean_square;
                let factor = if square > 1e-24 * mean_square { s / square.sqrt() } else { 0.0 };
                *multiple = factor;
                let range = rows.indptr()[i]..rows.indptr()[i + 1];
                rows.values_mut()[range].iter_mut().for_each(|v| *v *= factor);
            }
        }
        (rows, Some(multiples))
    }
    /// The rows as the map sees them.
    pub(crate) fn apply(&self, rows: &Rows) -> Prepared {
        match rows {
            Rows::Sparse(m) => {
                let (rows, multiples) = self.apply_sparse(m);
                // The multiples of a tiny mean are huge, and their squares would overflow.
                let shifted = |(mut row, mean): (Vec<f64>, &Vec<f64>)| {
                    let s = near_one(mean.iter().fold(0.0f64, |m, v| m.max(v.abs())));
                    if s != 1.0 && self.prepare == Prepare::CenterUnit {
                        row.iter_mut().for_each(|v| *v /= s);
                        return Shift { row, mean: mean.iter().map(|v| s * v).collect() };
                    }
                    Shift { row, mean: mean.clone() }
                };
                let shift = multiples.zip(self.mean.as_ref()).map(shifted);
                Prepared::sparse(rows, shift)
            }
            dense => {
                let rows = RowsRef::from(dense);
                Prepared::dense(self.each_dense(rows, |row| self.prepare_row(row)))
            }
        }
    }
    /// A copy of dense rows in double precision, each changed by `f`. All threads write, because the first write to new memory is slow.
    fn each_dense(&self, rows: RowsRef<'_>, f: impl Fn(&mut [f64]) + Sync) -> Matrix<f64> {
        const TOGETHER: usize = 64;
        let p = rows.ncols().max(1);
        let mut out = Matrix::zeros(rows.nrows(), rows.ncols());
        each_chunk(out.as_mut_slice(), TOGETHER * p, |c, part| {
            for (r, row) in part.chunks_exact_mut(p).enumerate() {
                rows.copy_row(c * TOGETHER + r, row);
                f(row);
            }
        });
        out
    }
    /// Prepares a dense row.
    fn prepare_row(&self, row: &mut [f64]) {
        let p = row.len();
        self.scale_row(row, p, |at| at);
        self.finish(row);
    }
    /// Prepared sparse rows times F (one row per feature), written to `out`: n × width. No row's result depends on the other rows,
    /// to the last bit. `along` is `m'F` with m the mean.
    pub(crate) fn sparse_times<'a>(&self, rows: &Csr, f: &Matrix<f64>, out: &mut [f64], along: impl FnOnce(&[f64]) -> &'a [f64]) {
        let (rows, multiples) = self.apply_sparse(rows);
        sparse_product(&rows, f.as_slice(), out, f.ncols());
        if let (Some(multiples), Some(mean)) = (multiples, &self.mean) {
            subtract_shift(&multiples, along(mean), out);
        }
    }
    /// As [`Preparation::sparse_times`] of dense rows, with products in the precision of `f`, to which the prepared rows are rounded.
    /// `finish` changes each result while it is in the cache, before it is rounded to the numbers of `out`.
    pub(crate) fn dense_times<T: Term, O: Scalar>(
        &self,
        rows: RowsRef<'_>,
        f: &[T],
        width: usize,
        out: &mut [O],
        finish: impl Fn(&mut [f64]) + Sync + Send,
    ) {
        let p = rows.ncols();
        let room = || (vec![0.0; p], vec![], TileRoom::default(), vec![]);
        each_chunk_with(out, (TILE * width).max(1), room, |(row, x, room, sums), t, to| {
            let count = to.len() / width.max(1);
            x.resize(count * p, T::default());
            for (r, x) in x.chunks_exact_mut(p.max(1)).enumerate() {
                rows.copy_row(t * TILE + r, row);
                self.prepare_row(row);
                T::round(row, x);
            }
            sums.resize(to.len(), 0.0);
            tile_times_in(room, x, p, f, sums, width);
            sums.chunks_exact_mut(width.max(1)).for_each(&finish);
            O::round(sums, to);
        });
    }
    /// Turns a scaled row into a prepared one.
    fn finish(&self, row: &mut [f64]) {
        if let Some(mean) = &self.mean {
            let along = match self.prepare {
                Prepare::Peaks => row.iter().zip(mean).map(|(v, m)| v * m).sum(),
                _ => 1.0,
            };
            subtract(row, along, mean);
        }
        if self.prepare == Prepare::CenterUnit {
            to_unit(row);
        }
    }
    /// Prepared rows in the units of the data, as far as possible: means and factors are undone, but scaling to unit length and
    /// the logarithm of counts cannot be. Peaks stay as they are.
    pub(crate) fn undo(&self, rows: &mut Matrix<f64>) {
        if self.prepare == Prepare::Peaks {
            return;
        }
        for i in 0..rows.nrows() {
            let row = rows.row_mut(i);
            if let Some(mean) = &self.mean {
                row.iter_mut().zip(mean).for_each(|(v, m)| *v += m);
            }
            if let Some(factors) = &self.factors {
                row.iter_mut().zip(factors).filter(|(_, f)| **f != 0.0).for_each(|(v, f)| *v /= f);
            }
        }
    }
}

/// Calls `f(values, columns)` for every row, in parallel if there are many: small work starts no thread.
fn each_sparse_row(m: &mut Csr, f: impl Fn(&mut [f64], &[u32]) + Sync) {
    /// Rows that one task takes.
    const TOGETHER: usize = 256;
    let (starts, columns) = (m.indptr().to_vec(), m.indices().to_vec());
    let mut rest = m.values_mut();
    let mut parts = vec![];
    for part in starts.windows(2).collect::<Vec<_>>().chunks(TOGETHER) {
        let (first, last) = (part[0][0], part[part.len() - 1][1]);
        let (own, others) = rest.split_at_mut(last - first);
        rest = others;
        parts.push((first, part.iter().map(|w| (w[0], w[1])).collect::<Vec<_>>(), own));
    }
    let run = |(first, rows, own): (usize, Vec<(usize, usize)>, &mut [f64])| {
        rows.into_iter().for_each(|(from, to)| f(&mut own[from - first..to - first], &columns[from..to]));
    };
    match parts.len() {
        0..=1 => parts.into_iter().for_each(run),
        _ => parts.into_par_iter().for_each(run),
    }
}

/// 1 / standard deviation of each column, 0 for constant ones. `less` is what n is reduced by: 1 for the unbiased variance.
fn inverse_deviations(rows: &Rows, less: f64) -> Vec<f64> {
    let n = rows.nrows() as f64;
    // Scaled, so that squares of very small and very large numbers neither underflow nor overflow.
    let scales: Vec<f64> = largest_in_columns(rows).into_iter().map(near_one).collect();
    let means: Vec<f64> = column_sums(rows, |j, v| scales[j] * v).into_iter().map(|s| s / n).collect();
    // Σ (v − m)² over stored entries, and m² for each of the others.
    let squares = column_sums(rows, |j, v| (scales[j] * v - means[j]) * (scales[j] * v - means[j]));
    let stored = column_sums(rows, |_, _| 1.0);
    let factor = |j: usize| {
        let variance = (squares[j] + (n - stored[j]) * means[j] * means[j]) / (n - less).max(1.0);
        // Below this the deviation is only the rounding error of the mean.
        if variance.sqrt() > 1e-14 * means[j].abs() && variance > 0.0 { scales[j] / variance.sqrt() } else { 0.0 }
    };
    (0..means.len()).map(factor).collect()
}

pub(crate) fn to_unit(row: &mut [f64]) {
    // Divided by the largest entry first: the squares of very small or large numbers would underflow or overflow.
    let largest = largest_entry(row);
    if largest > 0.0 {
        divide(row, largest);
        let length = squared_length(row).sqrt();
        divide(row, length);
    }
}

fn dense_f64(rows: &Rows) -> Matrix<f64> {
    match rows {
        Rows::F64(m) => m.clone(),
        Rows::F32(m) => m.to_f64(),
        Rows::Sparse(m) => m.to_dense(),
    }
}

/// The largest absolute value of each column.
fn largest_in_columns(rows: &Rows) -> Vec<f64> {
    let mut largest = vec![0.0f64; rows.ncols()];
    let mut see = |j: usize, v: f64| largest[j] = largest[j].max(v.abs());
    match rows {
        Rows::Sparse(m) => m.indices().iter().zip(m.values()).for_each(|(&j, &v)| see(j as usize, v)),
        Rows::F64(m) => m.rows().for_each(|r| r.iter().enumerate().for_each(|(j, v)| see(j, *v))),
        Rows::F32(m) => m.rows().for_each(|r| r.iter().enumerate().for_each(|(j, v)| see(j, f64::from(*v)))),
    }
    largest
}

/// Per column the sum of `f(column, value)` over the stored entries, in fixed chunks of rows.
fn column_sums(rows: &Rows, f: impl Fn(usize, f64) -> f64 + Sync) -> Vec<f64> {
    match rows {
        Rows::Sparse(m) => {
            let mut sums = vec![0.0; rows.ncols()];
            m.indices().iter().zip(m.values()).for_each(|(&j, &v)| sums[j as usize] += f(j as usize, v));
            sums
        }
        Rows::F64(m) => sums_of_dense(m, f),
        Rows::F32(m) => sums_of_dense(m, f),
    }
}

fn sums_of_dense<T: Scalar>(m: &Matrix<T>, f: impl Fn(usize, f64) -> f64 + Sync) -> Vec<f64> {
    accumulate(m.nrows(), m.ncols(), |i, sums| {
        sums.iter_mut().zip(m.row(i)).enumerate().for_each(|(j, (s, v))| *s += f(j, v.to_f64()));
    })
}

/// Says how `auto` prepares, and warns of constant columns, of cells without counts, and of numbers that are not counts.
pub(crate) fn warn_of_rows(datasets: &[Dataset], prepare: Prepare, warnings: &mut Vec<Warning>) {
    if prepare == Prepare::Auto {
        for (dataset, found) in datasets.iter().zip(recognise(datasets)) {
            if let Some(mut what) = found.what {
                what += &depth_in_words(dataset, found.prepare);
                let (dataset, word) = (dataset.name().to_string(), found.prepare.word());
                warnings.push(Warning::Recognised { dataset, what, prepare: word });
            }
        }
    }
    for (dataset, prepare) in datasets.iter().zip(prepare.for_each(datasets)) {
        let name = || dataset.name().to_string();
        if prepare.of_cells() {
            let (_, fractions) = faults(dataset.rows());
            if fractions > 0 {
                warnings.push(Warning::NotCounts { dataset: name(), count: fractions, prepare: prepare.word() });
            }
            let empty = dataset.rows().zero_rows();
            if empty > 0 {
                warnings.push(Warning::NoCounts { dataset: name(), count: empty });
            }
        }
        // Genes that no cell has are common.
        if prepare.centers() && !prepare.of_cells() {
            let constant = constant_columns(dataset.rows());
            if constant > 0 {
                warnings.push(Warning::ConstantColumns { dataset: name(), count: constant });
            }
            if prepare == Prepare::Center {
                warnings.extend(dominant_column(dataset));
            }
        }
    }
}

fn constant_columns(rows: &Rows) -> usize {
    fn dense<T: Scalar>(m: &Matrix<T>) -> usize {
        // Most columns are out after a few rows.
        let mut constant: Vec<usize> = (0..m.ncols()).collect();
        for row in m.rows() {
            constant.retain(|&j| row[j] == m.row(0)[j]);
            if constant.is_empty() {
                break;
            }
        }
        constant.len()
    }
    match rows {
        Rows::F64(m) => dense(m),
        Rows::F32(m) => dense(m),
        Rows::Sparse(m) => {
            let (mut stored, mut first, mut same) = (vec![0usize; m.ncols()], vec![f64::NAN; m.ncols()], vec![true; m.ncols()]);
            for (&j, &v) in m.indices().iter().zip(m.values()) {
                let j = j as usize;
                stored[j] += 1;
                if first[j].is_nan() {
                    first[j] = v;
                }
                same[j] &= first[j] == v;
            }
            // Columns without any entry are words of other datasets and need no warning.
            (0..m.ncols()).filter(|&j| same[j] && stored[j] == m.nrows()).count()
        }
    }
}

#[cfg(test)]
mod tests;
