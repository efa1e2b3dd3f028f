//! Block-sparse matrices: dense blocks, zero blocks not stored. Local operators of any size then run at the speed of dense
//! products.

use crate::linalg::Csr;
use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, MatRef, Par};
use rayon::prelude::*;
use std::collections::BTreeMap;

/// The stored blocks of a block column: block row and entries, ascending.
pub(super) type Column = Vec<(u32, Mat<f64>)>;

#[derive(Clone)]
pub(super) struct BlockMatrix {
    /// Rows of each block row.
    pub(super) rows: Vec<usize>,
    /// Columns of each block column.
    pub(super) cols: Vec<usize>,
    pub(super) columns: Vec<Column>,
}

pub(super) fn starts(sizes: &[usize]) -> Vec<usize> {
    crate::data::offsets(sizes.iter().copied())
}

pub(super) fn norm(m: MatRef<'_, f64>) -> f64 {
    m.norm_l2()
}

/// A block column as one dense matrix: its block rows stacked.
pub(super) fn stacked(column: &Column) -> Mat<f64> {
    let height = column.iter().map(|(_, b)| b.nrows()).sum();
    let width = column.first().map_or(0, |(_, b)| b.ncols());
    let mut out = Mat::zeros(height, width);
    let mut from = 0;
    for (_, block) in column {
        out.as_mut().subrows_mut(from, block.nrows()).copy_from(block);
        from += block.nrows();
    }
    out
}

/// The inverse of [`stacked`], for the same block rows.
pub(super) fn split(m: MatRef<'_, f64>, like: &Column) -> Column {
    let mut from = 0;
    like.iter()
        .map(|(i, block)| {
            let part = m.subrows(from, block.nrows()).to_owned();
            from += block.nrows();
            (*i, part)
        })
        .collect()
}

/// Drops the blocks of a column with norm at most `limit`; returns the norms dropped, with their block rows.
pub(super) fn drop_small(column: &mut Column, limit: f64) -> Vec<(u32, f64)> {
    let mut dropped = vec![];
    column.retain(|(i, block)| {
        let size = norm(block.as_ref());
        if size <= limit && size > 0.0 {
            dropped.push((*i, size));
        }
        size > limit
    });
    dropped
}

impl BlockMatrix {
    /// The entries of a sparse matrix, node `order[p]` at position p, in blocks of those sizes.
    pub(super) fn from_sparse(m: &Csr, scale: f64, order: &[usize], sizes: &[usize]) -> Self {
        let begin = starts(sizes);
        let mut place = vec![(0u32, 0usize); order.len()]; // block and position within it, of each node
        for (b, size) in sizes.iter().enumerate() {
            (0..*size).for_each(|p| place[order[begin[b] + p]] = (b as u32, p));
        }
        let transposed = m.transpose();
        let columns = (0..sizes.len())
            .into_par_iter()
            .map(|c| {
                let mut blocks: BTreeMap<u32, Mat<f64>> = BTreeMap::new();
                for p in 0..sizes[c] {
                    for (i, v) in transposed.row(order[begin[c] + p]) {
                        let (b, at) = place[i as usize];
                        blocks.entry(b).or_insert_with(|| Mat::zeros(sizes[b as usize], sizes[c]))[(at, p)] = scale * v;
                    }
                }
                blocks.into_iter().collect()
            })
            .collect();
        Self { rows: sizes.to_vec(), cols: sizes.to_vec(), columns }
    }

    /// Converts to a sparse matrix; `row_order` and `col_order` give the target of each position.
    pub(super) fn to_sparse(&self, row_order: &[usize], col_order: &[usize]) -> Csr {
        let (rows, cols) = (starts(&self.rows), starts(&self.cols));
        let (n, width) = (rows[self.rows.len()], cols[self.cols.len()]);
        let mut counts = vec![0usize; n + 1];
        let entries = |c: usize| {
            let rows = &rows;
            self.columns[c].iter().flat_map(move |(b, block)| {
                let first = rows[*b as usize];
                (0..block.nrows()).flat_map(move |i| (0..block.ncols()).map(move |j| (first + i, j, block[(i, j)])))
            })
        };
        for c in 0..self.columns.len() {
            entries(c).filter(|e| e.2 != 0.0).for_each(|e| counts[row_order[e.0] + 1] += 1);
        }
        for i in 0..n {
            counts[i + 1] += counts[i];
        }
        let total = counts[n];
        let (mut indices, mut values, mut next) = (vec![0u32; total], vec![0.0; total], counts.clone());
        for c in 0..self.columns.len() {
            for (i, j, v) in entries(c).filter(|e| e.2 != 0.0) {
                let at = &mut next[row_order[i]];
                (indices[*at], values[*at]) = (col_order[cols[c] + j] as u32, v);
                *at += 1;
            }
        }
        for i in 0..n {
            let mut row: Vec<(u32, f64)> = (counts[i]..counts[i + 1]).map(|at| (indices[at], values[at])).collect();
            row.sort_unstable_by_key(|e| e.0);
            row.into_iter().enumerate().for_each(|(s, (j, v))| (indices[counts[i] + s], values[counts[i] + s]) = (j, v));
        }
        Csr::from_sorted(counts, indices, values, width)
    }

    pub(super) fn n_cols(&self) -> usize {
        self.cols.iter().sum()
    }

    /// `A B` without the blocks of norm at most `limit`, and a bound of the spectral norm of what was dropped.
    pub(super) fn times(&self, other: &Self, limit: f64) -> (Self, f64) {
        let done: Vec<(Column, Vec<(u32, f64)>)> = (0..other.columns.len())
            .into_par_iter()
            .map(|c| {
                let mut sums: BTreeMap<u32, Mat<f64>> = BTreeMap::new();
                for (k, right) in &other.columns[c] {
                    for (i, left) in &self.columns[*k as usize] {
                        let out = sums.entry(*i).or_insert_with(|| Mat::zeros(left.nrows(), right.ncols()));
                        matmul(out, Accum::Add, left, right, 1.0, Par::Seq);
                    }
                }
                let mut column: Column = sums.into_iter().collect();
                let dropped = drop_small(&mut column, limit);
                (column, dropped)
            })
            .collect();
        let mut by_row = vec![0.0; self.rows.len()];
        let mut by_column = 0.0f64;
        let mut columns = Vec::with_capacity(done.len());
        for (column, dropped) in done {
            by_column = by_column.max(dropped.iter().map(|d| d.1).sum());
            dropped.iter().for_each(|(i, size)| by_row[*i as usize] += size);
            columns.push(column);
        }
        // ‖E‖ ≤ sqrt(largest row sum × largest column sum) of the norms of the blocks.
        let bound = (by_row.iter().fold(0.0f64, |a, v| a.max(*v)) * by_column).sqrt();
        (Self { rows: self.rows.clone(), cols: other.cols.clone(), columns }, bound)
    }

    pub(super) fn transpose(&self) -> Self {
        let mut columns: Vec<Column> = vec![vec![]; self.rows.len()];
        for (c, column) in self.columns.iter().enumerate() {
            for (i, block) in column {
                columns[*i as usize].push((c as u32, block.transpose().to_owned()));
            }
        }
        Self { rows: self.cols.clone(), cols: self.rows.clone(), columns }
    }

    /// Merges block columns; each of `groups` is a list of block columns.
    pub(super) fn merge_columns(&self, groups: &[Vec<usize>]) -> Self {
        let columns = groups
            .par_iter()
            .map(|group| {
                let width: usize = group.iter().map(|c| self.cols[*c]).sum();
                let mut blocks: BTreeMap<u32, Mat<f64>> = BTreeMap::new();
                let mut from = 0;
                for &c in group {
                    for (i, block) in &self.columns[c] {
                        let out = blocks.entry(*i).or_insert_with(|| Mat::zeros(block.nrows(), width));
                        out.as_mut().subcols_mut(from, block.ncols()).copy_from(block);
                    }
                    from += self.cols[c];
                }
                blocks.into_iter().collect()
            })
            .collect();
        let cols = groups.iter().map(|g| g.iter().map(|c| self.cols[*c]).sum()).collect();
        Self { rows: self.rows.clone(), cols, columns }
    }

    /// Merges rows and columns.
    pub(super) fn merge(&self, groups: &[Vec<usize>]) -> Self {
        self.merge_columns(groups).transpose().merge_columns(groups).transpose()
    }
}

/// The product of two sparse matrices.
pub(super) fn sparse_product(a: &Csr, b: &Csr) -> Csr {
    let rows: Vec<(Vec<u32>, Vec<f64>)> = (0..a.nrows())
        .into_par_iter()
        .map_init(
            || (vec![0.0; b.ncols()], vec![false; b.ncols()]),
            |(sums, seen), i| {
                let mut touched: Vec<u32> = vec![];
                for (k, v) in a.row(i) {
                    for (j, w) in b.row(k as usize) {
                        if !std::mem::replace(&mut seen[j as usize], true) {
                            touched.push(j);
                        }
                        sums[j as usize] += v * w;
                    }
                }
                touched.sort_unstable();
                let values = touched
                    .iter()
                    .map(|&j| {
                        seen[j as usize] = false;
                        std::mem::take(&mut sums[j as usize])
                    })
                    .collect();
                (touched, values)
            },
        )
        .collect();
    let (mut indptr, mut indices, mut values) = (vec![0], vec![], vec![]);
    for (i, v) in rows {
        indices.extend(i);
        values.extend(v);
        indptr.push(indices.len());
    }
    Csr::from_sorted(indptr, indices, values, b.ncols())
}
