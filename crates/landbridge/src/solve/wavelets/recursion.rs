//! The published recursion: orthogonalise the columns of `T^(2^k)` to precision, compress the operator to that basis, square
//! it, and repeat. It needs no symmetry, no eigenvectors, and for local operators no dense matrix.
//!
//! With φ_k the basis of level k, `A_k = [T^(2^k)]` in that basis and `φ_k B_k = T^(2^k)` up to the precision:
//! `T^(2^(k+1)) = φ_k (A_k B_k)`, so that level k + 1 is the range of `A_k B_k`, a small matrix. B has the columns of T,
//! reduced by local rotations whenever there are more columns than rows. For a symmetric T, `B_k = A_k φ_k'`, and A replaces B.

use super::blocks::{BlockMatrix, Column, drop_small, norm, split, stacked, starts};
use super::{MOST_LEVELS, OperatorRef, WaveletLevel};
use crate::error::Result;
use crate::linalg::Csr;
use crate::progress::Progress;
use faer::Mat;
use rayon::prelude::*;
use std::collections::VecDeque;

/// Functions in a block. Blocks are merged when the average falls below two thirds of it.
const BLOCK: usize = 64;
/// Up to this many functions there is a single block, and every product is dense.
const ONE_BLOCK: usize = 256;
/// Share of a level's error budget for one of many blocks: the errors of neighbours add up.
const SHARE: f64 = 0.5;
/// Error of the blocks in one step, before later squarings double it, times the largest possible power.
const DROP_SHARE: f64 = 0.02;

/// The hierarchy of the operator times `scale`, whose norm is at most 1.
pub(super) fn hierarchy(
    operator: OperatorRef<'_>,
    scale: f64,
    symmetric: bool,
    precision: f64,
    max_levels: usize,
    progress: &Progress,
) -> Result<(Vec<WaveletLevel>, Vec<Csr>)> {
    let converted;
    let sparse = match operator {
        OperatorRef::Sparse(m) => m,
        OperatorRef::Dense(m) => {
            converted = Csr::from_dense(m);
            &converted
        }
    };
    let n = sparse.nrows();
    let (mut order, sizes) = partition(sparse);
    let mut a = BlockMatrix::from_sparse(sparse, scale, &order, &sizes);
    let mut b = if symmetric { None } else { Some(a.clone()) };
    let (mut levels, mut steps): (Vec<WaveletLevel>, Vec<Csr>) = (vec![], vec![]);
    let mut drift = 0.0; // bound of the error of an eigenvalue 1 so far
    // A path of n nodes mixes in about n² ln(1/ε) steps, and no connected graph is slower: the top is below this.
    let top = (2.0 * (n as f64).log2() + (1.0 / precision).ln().log2()).ceil().max(1.0) as usize + 2;
    for k in 1..=max_levels.min(MOST_LEVELS).min(top.max(8)) {
        progress.step("scaling functions", k - 1, 0)?;
        // Every later squaring doubles the error of what is dropped now.
        let drop_limit = (precision / 64.0).min(DROP_SHARE * (-((top.max(k) - k) as f64)).exp2());
        let (square, lost) = a.times(&a, drop_limit);
        let wide = b.as_ref().map(|b| a.times(b, drop_limit));
        // The budget of a level falls as 1/√k, so that its squares add up slowly.
        let budget = 0.5 * precision / (k as f64).sqrt();
        let (q, cut) = orthogonalise(wide.as_ref().map_or(&square, |w| &w.0), budget);
        if q.n_cols() == 0 {
            break;
        }
        let transposed = q.transpose();
        let (half, lost_left) = transposed.times(&square, drop_limit);
        let (compressed, lost_right) = half.times(&q, drop_limit);
        let narrowed = wide.map(|(w, lost)| (transposed.times(&w, drop_limit), lost));
        let mut error = cut + lost + lost_left + lost_right;
        let mut next_b = None;
        if let Some(((m, lost), before)) = narrowed {
            error += lost + before;
            next_b = Some(m);
        }
        drop((half, square, transposed));
        drift = 2.0 * drift + (error - cut) + cut * cut;

        let (groups, joined) = joins(&compressed);
        let column_order = order_of(&compressed.cols, &groups);
        steps.push(q.to_sparse(&order, &column_order));
        levels.push(WaveletLevel { power: k as u32, dimension: q.n_cols(), error });
        order = (0..q.n_cols()).collect();
        a = if joined { compressed.merge(&groups) } else { without_empty(&compressed, &groups) };
        b = next_b.map(|m| narrow_columns(&merge_rows(&m, &groups), drop_limit));
        if at_the_top(&a, drift + 1e-14 * (k as f64).exp2())? {
            break;
        }
    }
    Ok((levels, steps))
}

/// The new position of each function when blocks are merged in groups.
fn order_of(sizes: &[usize], groups: &[Vec<usize>]) -> Vec<usize> {
    let begin = starts(sizes);
    let mut order = vec![0; begin[sizes.len()]];
    let mut next = 0;
    for &c in groups.iter().flatten() {
        for at in begin[c]..begin[c + 1] {
            order[at] = next;
            next += 1;
        }
    }
    order
}

fn without_empty(m: &BlockMatrix, groups: &[Vec<usize>]) -> BlockMatrix {
    if groups.len() == m.cols.len() { m.clone() } else { m.merge(groups) }
}

fn merge_rows(m: &BlockMatrix, groups: &[Vec<usize>]) -> BlockMatrix {
    m.transpose().merge_columns(groups).transpose()
}

/// Partitions the nodes into connected clusters: the order of the nodes, and the sizes of the clusters.
fn partition(m: &Csr) -> (Vec<usize>, Vec<usize>) {
    let n = m.nrows();
    if n <= ONE_BLOCK || m.nnz() > n * n / 8 {
        return ((0..n).collect(), vec![n]);
    }
    let transposed = m.transpose();
    let neighbors = |i: usize| m.row_indices(i).iter().chain(transposed.row_indices(i)).map(|j| *j as usize);
    let (mut taken, mut order, mut sizes) = (vec![false; n], Vec::with_capacity(n), vec![]);
    let mut border: VecDeque<usize> = VecDeque::new();
    let mut lowest = 0;
    while order.len() < n {
        // A new cluster starts next to the last ones.
        let seed = loop {
            match border.pop_front() {
                Some(i) if !taken[i] => break i,
                Some(_) => {}
                None => {
                    while taken[lowest] {
                        lowest += 1;
                    }
                    break lowest;
                }
            }
        };
        let first = order.len();
        taken[seed] = true;
        order.push(seed);
        let mut at = first;
        while at < order.len() && order.len() - first < BLOCK {
            for j in neighbors(order[at]) {
                if !taken[j] && order.len() - first < BLOCK {
                    taken[j] = true;
                    order.push(j);
                }
            }
            at += 1;
        }
        for &i in &order[first..] {
            border.extend(neighbors(i).filter(|j| !taken[*j]));
        }
        sizes.push(order.len() - first);
    }
    (order, sizes)
}

/// Groups of blocks to merge, and whether there are any: empty blocks disappear, small ones join the neighbour of strongest
/// coupling, and when few functions are left all become one.
fn joins(m: &BlockMatrix) -> (Vec<Vec<usize>>, bool) {
    let filled: Vec<usize> = (0..m.cols.len()).filter(|&c| m.cols[c] > 0).collect();
    if m.n_cols() <= ONE_BLOCK && filled.len() > 1 {
        return (vec![filled], true);
    }
    if m.n_cols() * 3 >= filled.len() * BLOCK * 2 {
        return (filled.into_iter().map(|c| vec![c]).collect(), false);
    }
    let mut partner = vec![false; m.cols.len()];
    let mut groups = vec![];
    for &c in &filled {
        if std::mem::replace(&mut partner[c], true) {
            continue;
        }
        let mut group = vec![c];
        let candidates = m.columns[c].iter().map(|(i, block)| (*i as usize, norm(block.as_ref())));
        let best =
            candidates.filter(|(i, _)| !partner[*i] && m.cols[*i] > 0).max_by(|x, y| x.1.total_cmp(&y.1).then(y.0.cmp(&x.0)));
        if let Some((other, _)) = best {
            partner[other] = true;
            group.push(other);
        }
        groups.push(group);
    }
    (groups, true)
}

/// Whether the remaining operator is stationary: all singular values are 1 up to the accumulated error.
fn at_the_top(a: &BlockMatrix, drift: f64) -> Result<bool> {
    if a.n_cols() > ONE_BLOCK || a.columns.len() != 1 {
        return Ok(false);
    }
    let Some((_, block)) = a.columns[0].first() else { return Ok(false) };
    let (values, _) = crate::linalg::whitening::symmetric_eigen(&super::spectral::gram(block.as_ref()))?;
    let smallest = values.first().copied().unwrap_or(0.0);
    Ok(smallest >= 1.0 - (4.0 * drift).clamp(1e-12, 0.5))
}

/// Fewer columns with the same product `B B'`: each block column times a rotation that zeroes the surplus.
fn narrow_columns(b: &BlockMatrix, limit: f64) -> BlockMatrix {
    let mut out = b.clone();
    let narrowed: Vec<Option<(usize, Column)>> = b
        .columns
        .par_iter()
        .zip(&b.cols)
        .map(|(column, &width)| {
            let m = stacked(column);
            if m.nrows() >= width {
                return None;
            }
            // m = L W with orthonormal rows W: L = (R of the QR of m')'.
            let l = m.transpose().qr().thin_R().transpose().to_owned();
            let mut column = split(l.as_ref(), column);
            drop_small(&mut column, limit);
            Some((l.ncols(), column))
        })
        .collect();
    for (c, change) in narrowed.into_iter().enumerate() {
        if let Some((width, column)) = change {
            out.cols[c] = width;
            out.columns[c] = column;
        }
    }
    out
}

/// An orthonormal basis of the range of M, block row by block row, each within its share of `budget`; and a bound of the
/// spectral norm of the error.
///
/// Departure: the paper orthogonalises the columns against each other. With a small precision this couples distant functions (a
/// sharp band has no local orthonormal basis), and the matrices fill up. Functions supported on one block are orthogonal to
/// those of all other blocks from the start and stay local. The price is a few more functions than the range has dimensions,
/// until the blocks are merged into one, where both agree.
fn orthogonalise(m: &BlockMatrix, budget: f64) -> (BlockMatrix, f64) {
    let by_row = m.transpose();
    let limit = budget * if by_row.columns.len() == 1 { 1.0 } else { SHARE };
    let made: Vec<(Mat<f64>, f64)> =
        by_row.columns.par_iter().map(|row| reveal(stacked(row).transpose().to_owned(), limit)).collect();
    let missed: Vec<f64> = made.iter().map(|(_, left)| *left).collect();
    let cols = made.iter().map(|(q, _)| q.ncols()).collect();
    let place = |(c, (q, _)): (usize, (Mat<f64>, f64))| if q.ncols() > 0 { vec![(c as u32, q)] } else { vec![] };
    let columns = made.into_iter().enumerate().map(place).collect();
    (BlockMatrix { rows: m.rows.clone(), cols, columns }, overlap_bound(&by_row, &missed))
}

/// ‖E‖² ≤ the largest Σ_c' ‖E_c‖ ‖E_c'‖ over the blocks c' that share a row with c.
fn overlap_bound(m: &BlockMatrix, missed: &[f64]) -> f64 {
    if missed.len() == 1 {
        return missed[0];
    }
    let mut at_row: Vec<Vec<usize>> = vec![vec![]; m.rows.len()];
    for (c, column) in m.columns.iter().enumerate() {
        column.iter().for_each(|(i, _)| at_row[*i as usize].push(c));
    }
    let largest = (0..m.columns.len()).into_par_iter().map(|c| {
        let mut meets: Vec<usize> = m.columns[c].iter().flat_map(|(i, _)| at_row[*i as usize].iter().copied()).collect();
        meets.sort_unstable();
        meets.dedup();
        missed[c] * meets.iter().map(|o| missed[*o]).sum::<f64>()
    });
    largest.reduce(|| 0.0, f64::max).sqrt()
}

/// The leading columns of Q of the pivoted QR, as many as leave a residual of at most `budget` (Frobenius norm), and that
/// residual.
fn reveal(m: Mat<f64>, budget: f64) -> (Mat<f64>, f64) {
    let qr = m.col_piv_qr();
    let r = qr.thin_R();
    let mut left = 0.0;
    let mut rank = r.nrows();
    while rank > 0 {
        let row: f64 = (rank - 1..r.ncols()).map(|j| r[(rank - 1, j)] * r[(rank - 1, j)]).sum();
        if left + row > budget * budget {
            break;
        }
        left += row;
        rank -= 1;
    }
    (qr.compute_thin_Q().subcols(0, rank).to_owned(), left.sqrt())
}
