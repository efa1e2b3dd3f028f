//! The default predictor: column means, the row's own offset, and a kernel regression of the residuals on rows known in both.
//!
//! `ŷ_j = b_j + a·o(x) + Σ_l c_lj k(x, x_l) + m_j`. b_j is the mean of column j with pseudo-votes. o(x) is the shrunken
//! offset of the row from the column means of its own dataset. k is a kernel on the residuals of the row, combined with its
//! coordinates in the joint space. m_j is the median leave-one-out error. Pseudo-votes, shrinkage, ridge and the share of the
//! joint space are chosen by leave-one-out cross-validation over the labelled rows, with the mean absolute error that
//! [`crate::evaluate::mmae`] measures. Each column is fitted on the rows in which it is known.

use crate::data::known::column_sums;
use crate::error::{Error, Result};
use crate::linalg::{Csr, Matrix};
use faer::linalg::solvers::DenseSolveCore;
use faer::{Mat, Side};
use rayon::prelude::*;
use std::collections::BTreeMap;

/// Candidate pseudo-votes, for the overall mean in a column mean, and for an offset of 0.
const VOTES: [f64; 6] = [0.5, 2.0, 5.0, 10.0, 25.0, 60.0];
/// Candidate ridges; the kernel has 1 on its diagonal.
const RIDGES: [f64; 8] = [0.01, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0];
/// Candidate shares of the joint space in the kernel.
const SHARES: [f64; 3] = [0.0, 0.3, 0.7];
/// Largest number of labelled rows in the kernel, whose matrix is dense. Means and offsets use all rows.
const KERNEL_ROWS: usize = 1500;
/// Largest number of columns that choose the ridge.
const CHOOSERS: usize = 48;
/// Width of the Gaussian, in units of the median squared distance.
const WIDTH: f64 = 3.0;
/// Pseudo-votes for a median of 0.
const MEDIAN_VOTES: f64 = 20.0;

/// The labelled rows by their residuals and by their coordinates.
#[derive(Debug)]
struct Kernel {
    /// Residuals of the labelled rows of the source, by column.
    by_column: Csr,
    squares: Vec<f64>,
    /// Mean of `squares`.
    scale: f64,
    /// Median squared distance.
    width: f64,
    places: Option<(Matrix<f64>, f64)>,
}

/// Columns that are known in the same labelled rows.
#[derive(Debug)]
struct Group {
    rows: Vec<usize>,
    columns: Vec<usize>,
    /// Values to fit, rows × columns.
    values: Mat<f64>,
}

/// A predictor from one dataset to another.
#[derive(Debug)]
pub(crate) struct Residuals {
    source_means: Vec<f64>,
    target_means: Vec<f64>,
    offset_votes: f64,
    slope: f64,
    kernel: Kernel,
    share: f64,
    /// Labelled rows, columns, coefficients; empty if the ridge is infinite.
    fitted: Vec<(Vec<usize>, Vec<usize>, Mat<f64>)>,
    shift: Vec<f64>,
    range: (f64, f64),
}

/// Column means with `votes` pseudo-votes for the overall mean.
fn means(sums: &[f64], counts: &[usize], votes: f64) -> Vec<f64> {
    let overall = sums.iter().sum::<f64>() / counts.iter().sum::<usize>().max(1) as f64;
    sums.iter().zip(counts).map(|(s, &n)| (s + votes * overall) / (n as f64 + votes)).collect()
}

fn offset(row: impl Iterator<Item = (u32, f64)>, means: &[f64], votes: f64) -> f64 {
    let (mut sum, mut count) = (0.0, 0.0);
    for (j, v) in row {
        sum += v - means[j as usize];
        count += 1.0;
    }
    sum / (count + votes)
}

/// Means, slope and their leave-one-out error.
struct Bias {
    source_means: Vec<f64>,
    target_means: Vec<f64>,
    votes: f64,
    slope: f64,
    error: f64,
}

impl Bias {
    fn fit(source: &Csr, target: &Csr, labelled: &[(usize, usize)]) -> Self {
        let (from, to) = (column_sums(source, 0..source.nrows()), column_sums(target, 0..target.nrows()));
        let overall = to.0.iter().sum::<f64>() / to.1.iter().sum::<usize>().max(1) as f64;
        let mut best: Option<Bias> = None;
        for column_votes in VOTES {
            let source_means = means(&from.0, &from.1, column_votes);
            let target_means = means(&to.0, &to.1, column_votes);
            // The mean of the column without this row.
            let without = |j: usize, v: f64| (to.0[j] - v + column_votes * overall) / (to.1[j] as f64 - 1.0 + column_votes);
            for votes in VOTES {
                let rest: Vec<(f64, f64)> = labelled
                    .iter()
                    .filter(|(_, r)| !target.row_indices(*r).is_empty())
                    .map(|&(s, r)| {
                        let own = offset(source.row(s), &source_means, votes);
                        let misses: f64 = target.row(r).map(|(j, v)| v - without(j as usize, v)).sum();
                        (own, misses / target.row_indices(r).len() as f64)
                    })
                    .collect();
                let squares: f64 = rest.iter().map(|(o, _)| o * o).sum();
                let slope = if squares > 0.0 { rest.iter().map(|(o, m)| o * m).sum::<f64>() / squares } else { 0.0 };
                let mut error = 0.0;
                for ((_, r), (own, _)) in labelled.iter().filter(|(_, r)| !target.row_indices(*r).is_empty()).zip(&rest) {
                    let misses: f64 = target.row(*r).map(|(j, v)| (v - without(j as usize, v) - slope * own).abs()).sum();
                    error += misses / target.row_indices(*r).len() as f64;
                }
                if best.as_ref().is_none_or(|b| error < b.error) {
                    let (source_means, target_means) = (source_means.clone(), target_means.clone());
                    best = Some(Bias { source_means, target_means, votes, slope, error });
                }
            }
        }
        best.unwrap_or_else(|| unreachable!("the grid is not empty"))
    }
}

/// The residuals of a row: its entries minus the means and its offset.
fn remains(row: impl Iterator<Item = (u32, f64)>, means: &[f64], own: f64) -> Vec<(u32, f64)> {
    row.map(|(j, v)| (j, v - means[j as usize] - own)).collect()
}

fn median(mut values: Vec<f64>) -> f64 {
    if values.is_empty() {
        return 0.0;
    }
    let middle = values.len() / 2;
    *values.select_nth_unstable_by(middle, f64::total_cmp).1
}

fn squared_distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| (x - y) * (x - y)).sum()
}

impl Kernel {
    fn new(rows: &Csr, places: Option<Matrix<f64>>) -> Self {
        let squares: Vec<f64> = (0..rows.nrows()).map(|i| rows.row_values(i).iter().map(|v| v * v).sum()).collect();
        let n = squares.len();
        let scale = squares.iter().sum::<f64>() / n as f64;
        let mut kernel = Self { by_column: rows.transpose(), squares, scale, width: 0.0, places: None };
        let distances = |of: &(dyn Fn(usize) -> Vec<f64> + Sync)| {
            median((0..n).into_par_iter().flat_map_iter(|i| of(i).into_iter().skip(i + 1)).collect())
        };
        kernel.width = distances(&|i| {
            let products = kernel.products(rows.row(i));
            (0..n).map(|l| kernel.squares[i] + kernel.squares[l] - 2.0 * products[l]).collect()
        });
        if let Some(places) = places {
            let width = distances(&|i| (0..n).map(|l| squared_distance(places.row(i), places.row(l))).collect());
            kernel.places = Some((places, width));
        }
        kernel
    }
    fn products(&self, row: impl Iterator<Item = (u32, f64)>) -> Vec<f64> {
        let mut out = vec![0.0; self.squares.len()];
        for (q, v) in row {
            self.by_column.row(q as usize).for_each(|(l, w)| out[l as usize] += v * w);
        }
        out
    }
    /// The average of a linear and a Gaussian kernel of the residuals.
    fn of_rows(&self, row: &[(u32, f64)]) -> Vec<f64> {
        let square: f64 = row.iter().map(|(_, v)| v * v).sum();
        let mut out = self.products(row.iter().copied());
        for (k, own) in out.iter_mut().zip(&self.squares) {
            let linear = if self.scale > 0.0 { *k / self.scale } else { 0.0 };
            let distance = (square + own - 2.0 * *k).max(0.0);
            let near = if self.width > 0.0 { (-distance / (WIDTH * self.width)).exp() } else { 1.0 };
            *k = 0.5 * (linear + near);
        }
        out
    }
    fn of_place(&self, place: &[f64]) -> Vec<f64> {
        let Some((places, width)) = &self.places else { return vec![0.0; self.squares.len()] };
        let near = |l: &[f64]| if *width > 0.0 { (-squared_distance(place, l) / (WIDTH * width)).exp() } else { 1.0 };
        places.rows().map(near).collect()
    }
}

/// `(K + ridge I)⁻¹` on the rows of a group.
fn inverse(kernel: &Mat<f64>, rows: &[usize], ridge: f64) -> Result<Mat<f64>> {
    let n = rows.len();
    let matrix = Mat::from_fn(n, n, |a, b| kernel[(rows[a], rows[b])] + if a == b { ridge } else { 0.0 });
    let factor = matrix.llt(Side::Lower).map_err(|_| Error::Numerical {
        what: "prediction of residuals".into(),
        problem: "the kernel matrix is not positive definite".into(),
    })?;
    Ok(factor.inverse())
}

/// The leave-one-out error of each row of the group: `(K + rI)⁻¹ y / diag (K + rI)⁻¹`.
fn left_out(inverse: &Mat<f64>, values: &Mat<f64>) -> Mat<f64> {
    let solved = inverse * values;
    Mat::from_fn(solved.nrows(), solved.ncols(), |i, j| solved[(i, j)] / inverse[(i, i)])
}

impl Residuals {
    /// `labelled` are corresponding rows of both datasets; `places` are their coordinates in the joint space.
    pub(crate) fn fit(source: &Csr, target: &Csr, labelled: &[(usize, usize)], places: Option<Matrix<f64>>) -> Result<Self> {
        let bias = Bias::fit(source, target, labelled);
        let step = labelled.len().div_ceil(KERNEL_ROWS).max(1);
        let chosen: Vec<usize> = (0..labelled.len()).step_by(step).collect();
        let labelled: &[(usize, usize)] = &chosen.iter().map(|&l| labelled[l]).collect::<Vec<_>>();
        let places = places.map(|p| p.select_rows(&chosen));
        let offsets: Vec<f64> = labelled.iter().map(|l| offset(source.row(l.0), &bias.source_means, bias.votes)).collect();
        let left: Vec<Vec<(u32, f64)>> =
            labelled.iter().zip(&offsets).map(|(l, own)| remains(source.row(l.0), &bias.source_means, *own)).collect();
        let mut starts = vec![0];
        left.iter().for_each(|row| starts.push(starts[starts.len() - 1] + row.len()));
        let (indices, values) = left.iter().flatten().copied().unzip();
        let rows = Csr::from_sorted(starts, indices, values, source.ncols());
        let kernel = Kernel::new(&rows, places);

        // The residuals of the labelled rows.
        let mut known: Vec<Vec<(usize, f64)>> = vec![vec![]; target.ncols()];
        for (l, (&(_, r), own)) in labelled.iter().zip(&offsets).enumerate() {
            for (j, v) in target.row(r) {
                known[j as usize].push((l, v - bias.target_means[j as usize] - bias.slope * own));
            }
        }
        let mut alike: BTreeMap<Vec<usize>, Vec<usize>> = BTreeMap::new();
        for (j, entries) in known.iter().enumerate().filter(|(_, e)| !e.is_empty()) {
            alike.entry(entries.iter().map(|e| e.0).collect()).or_default().push(j);
        }
        let groups: Vec<Group> = alike
            .into_iter()
            .map(|(rows, columns)| {
                let values = Mat::from_fn(rows.len(), columns.len(), |i, c| known[columns[c]][i].1);
                Group { rows, columns, values }
            })
            .collect();

        let matrices = [
            kernel_matrix(labelled.len(), |l| kernel.of_rows(&left[l])),
            match &kernel.places {
                Some((places, _)) => kernel_matrix(labelled.len(), |l| kernel.of_place(places.row(l))),
                None => Mat::zeros(0, 0),
            },
        ];
        let (share, ridge) = choose(&matrices, &groups, labelled.len())?;
        let mut shift = vec![0.0; target.ncols()];
        let mixed = mix(&matrices, share);
        let solved: Vec<(Mat<f64>, Vec<f64>)> = groups
            .par_iter()
            .map(|group| {
                let (coefficients, misses) = match ridge {
                    None => (Mat::zeros(0, 0), group.values.clone()),
                    Some(ridge) => {
                        let inverse = inverse(&mixed, &group.rows, ridge)?;
                        (&inverse * &group.values, left_out(&inverse, &group.values))
                    }
                };
                let n = group.rows.len() as f64;
                let medians = (0..group.columns.len())
                    .map(|c| median((0..group.rows.len()).map(|i| misses[(i, c)]).collect()) * n / (n + MEDIAN_VOTES));
                Ok((coefficients, medians.collect()))
            })
            .collect::<Result<_>>()?;
        let mut fitted = vec![];
        for (group, (coefficients, medians)) in groups.into_iter().zip(solved) {
            group.columns.iter().zip(medians).for_each(|(&j, m)| shift[j] = m);
            if ridge.is_some() {
                fitted.push((group.rows, group.columns, coefficients));
            }
        }
        let smallest = target.values().iter().fold(f64::INFINITY, |a, v| a.min(*v));
        let largest = target.values().iter().fold(f64::NEG_INFINITY, |a, v| a.max(*v));
        Ok(Self {
            source_means: bias.source_means,
            target_means: bias.target_means,
            offset_votes: bias.votes,
            slope: bias.slope,
            kernel,
            share,
            fitted,
            shift,
            range: if smallest <= largest { (smallest, largest) } else { (0.0, 0.0) },
        })
    }

    /// Whether the predictor uses coordinates in the joint space.
    pub(crate) fn needs_places(&self) -> bool {
        self.share > 0.0 && !self.fitted.is_empty()
    }

    /// Predicts values for new rows from their known entries; never outside the range of the known values.
    pub(crate) fn predict(&self, rows: &Csr, places: Option<&Matrix<f64>>) -> Result<Matrix<f64>> {
        let p = self.target_means.len();
        let mut out = Matrix::zeros(rows.nrows(), p);
        out.as_mut_slice().par_chunks_mut(p.max(1)).enumerate().for_each(|(i, row)| {
            let own = offset(rows.row(i), &self.source_means, self.offset_votes);
            for (j, v) in row.iter_mut().enumerate() {
                *v = self.target_means[j] + self.slope * own + self.shift[j];
            }
            if !self.fitted.is_empty() {
                let mut k = self.kernel.of_rows(&remains(rows.row(i), &self.source_means, own));
                if let Some(places) = places.filter(|_| self.share > 0.0) {
                    let near = self.kernel.of_place(places.row(i));
                    k.iter_mut().zip(near).for_each(|(k, z)| *k = (1.0 - self.share) * *k + self.share * z);
                }
                for (labelled, columns, coefficients) in &self.fitted {
                    for (c, &j) in columns.iter().enumerate() {
                        row[j] += labelled.iter().enumerate().map(|(a, &l)| k[l] * coefficients[(a, c)]).sum::<f64>();
                    }
                }
            }
            row.iter_mut().for_each(|v| *v = v.clamp(self.range.0, self.range.1));
        });
        Ok(out)
    }
}

fn kernel_matrix(n: usize, row: impl Fn(usize) -> Vec<f64> + Sync + Send) -> Mat<f64> {
    let rows: Vec<Vec<f64>> = (0..n).into_par_iter().map(row).collect();
    Mat::from_fn(n, n, |i, j| 0.5 * (rows[i][j] + rows[j][i]))
}

fn mix(matrices: &[Mat<f64>; 2], share: f64) -> Mat<f64> {
    let [rows, places] = matrices;
    if share == 0.0 {
        return rows.clone();
    }
    Mat::from_fn(rows.nrows(), rows.ncols(), |i, j| (1.0 - share) * rows[(i, j)] + share * places[(i, j)])
}

/// The share of the joint space and the ridge of least leave-one-out error; no ridge if nothing beats means and offsets.
fn choose(matrices: &[Mat<f64>; 2], groups: &[Group], labelled: usize) -> Result<(f64, Option<f64>)> {
    let step = groups.len().div_ceil(CHOOSERS).max(1);
    let some: Vec<&Group> = groups.iter().step_by(step).collect();
    let per_row = |misses: &[Mat<f64>]| {
        let (mut sums, mut counts) = (vec![0.0; labelled], vec![0usize; labelled]);
        for (group, misses) in some.iter().zip(misses) {
            for (i, &l) in group.rows.iter().enumerate() {
                sums[l] += (0..group.columns.len()).map(|c| misses[(i, c)].abs()).sum::<f64>();
                counts[l] += group.columns.len();
            }
        }
        sums.iter().zip(&counts).filter(|(_, n)| **n > 0).map(|(s, n)| s / *n as f64).sum::<f64>()
    };
    let error = |share: f64, ridge: f64| -> Result<f64> {
        let mixed = mix(matrices, share);
        let misses: Vec<Mat<f64>> = some
            .par_iter()
            .map(|group| Ok(left_out(&inverse(&mixed, &group.rows, ridge)?, &group.values)))
            .collect::<Result<_>>()?;
        Ok(per_row(&misses))
    };
    let without = per_row(&some.iter().map(|g| g.values.clone()).collect::<Vec<_>>());
    let shares: &[f64] = if matrices[1].nrows() > 0 { &SHARES } else { &SHARES[..1] };
    let mut best = (shares[shares.len() / 2], RIDGES[0], f64::INFINITY);
    for ridge in RIDGES {
        let error = error(best.0, ridge)?;
        if error < best.2 {
            best = (best.0, ridge, error);
        }
    }
    let near = best.1 / 4.0..=best.1 * 4.0;
    for &share in shares.iter().filter(|s| **s != shares[shares.len() / 2]) {
        for ridge in RIDGES.into_iter().filter(|r| near.contains(r)) {
            let error = error(share, ridge)?;
            if error < best.2 {
                best = (share, ridge, error);
            }
        }
    }
    Ok(if best.2 < without { (best.0, Some(best.1)) } else { (0.0, None) })
}
