//! The landmark graph of a dataset as sums over its rows. `W = Z Λ⁻¹ Z'`, where row i of Z says how near the row is to its nearest
//! landmarks and sums to 1, and Λ is the diagonal of the column sums of Z. (Liu, He, Chang 2010, "Large graph construction for
//! scalable semi-supervised learning", §3.) Every row then has degree 1, so that `X'X`, `X'Z` and Λ determine `X'LX` and `X'DX`: one
//! pass over the rows, in any shards.
//!
//! Departure: weights `1 − d² / h²`, h the distance to the first landmark that does not count, instead of a Gaussian. They need no width
//! and only the four operations, so that they are the same on every machine.

use super::exact::{Exact, Products, Sliced, triangle};
use super::{fingerprint, order_by_name};
use crate::data::{Dataset, Rows, RowsRef};
use crate::error::{Error, Result};
use crate::geometry::neighbors::{Metric, neighbors_among};
use crate::linalg::{Csr, Matrix};
use crate::progress::Progress;
use rayon::prelude::*;

/// Landmarks that a row is tied to.
const NEAREST: usize = 5;
/// Weights are whole multiples of 1 / this, so that those of a row sum to 1 exactly.
const GRID: f64 = (1 << 20) as f64;

/// Rows of two datasets that stand for all others in the graph of linear maps. All shards need the same ones.
///
/// ```
/// use landbridge::data::synthetic::Helices;
/// use landbridge::method::LinearAlignment;
/// use landbridge::statistics::{Landmarks, Statistics};
/// let helices = Helices::new(300).generate()?;
/// let landmarks = Landmarks::of(&helices.datasets, 50)?;
/// let pairs = helices.pairs(100, 0)?;
/// let sums = Statistics::of_shard_near("all", &helices.datasets, &pairs, Some(&landmarks), 0)?;
/// assert_eq!(sums.solve(&LinearAlignment::new(2))?.n_components(), 2);
/// # Ok::<(), landbridge::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Landmarks {
    sides: [Dataset; 2],
}

impl Landmarks {
    /// At most `count` rows of each of two datasets: all, or as many as asked for, evenly spaced over the rows.
    pub fn of(datasets: &[Dataset], count: usize) -> Result<Self> {
        let [x, y] = datasets else {
            return Err(Error::parameter("landmarks", datasets.len(), "two datasets: rows of each"));
        };
        if count < 2 {
            return Err(Error::parameter("n_landmarks", count, "2 or more"));
        }
        let thinned = |d: &Dataset| -> Result<Dataset> {
            let n = d.nrows();
            if n < 2 {
                return Err(Error::parameter("landmarks", n, &format!("2 or more rows of dataset \"{}\"", d.name())));
            }
            let chosen: Vec<usize> = (0..count.min(n)).map(|k| k * n / count.min(n)).collect();
            Ok(d.select(&chosen))
        };
        Ok(Self { sides: [thinned(x)?, thinned(y)?] })
    }
    /// Number of landmarks of the two datasets.
    pub fn counts(&self) -> [usize; 2] {
        self.sides.each_ref().map(Dataset::nrows)
    }
    /// The landmarks with the columns in the order of a dataset.
    fn like(&self, side: usize, dataset: &Dataset) -> Result<Rows> {
        let own = &self.sides[side];
        if let (Some(of), Some(to)) = (own.columns(), dataset.columns())
            && of != to
        {
            let order = order_by_name(of, to).ok_or_else(|| Error::Undefined {
                what: format!("landmarks for dataset \"{}\"", dataset.name()),
                why: "they have other columns than its rows".into(),
            })?;
            let (mut row, mut values) = (vec![0.0; own.ncols()], Vec::with_capacity(own.nrows() * own.ncols()));
            for i in 0..own.nrows() {
                own.rows().copy_row(i, &mut row);
                values.extend(order.iter().map(|&j| row[j]));
            }
            let dense = Matrix::from_vec(values, own.nrows(), order.len())?;
            return Ok(match dataset.rows() {
                Rows::Sparse(_) => Csr::from_dense(&dense).into(),
                _ => dense.into(),
            });
        }
        if own.ncols() != dataset.ncols() {
            let what = format!("columns of the landmarks of dataset \"{}\"", dataset.name());
            return Err(Error::Shape { what, expected: dataset.ncols().to_string(), got: own.ncols().to_string() });
        }
        Ok(own.rows().clone())
    }
}

/// Sums of the landmark graph of one dataset.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Near {
    /// Hash of the landmarks, in their order.
    pub(super) print: String,
    pub(super) count: usize,
    /// The lower triangle of `X'X` over all rows.
    pub(super) products: Exact,
    /// `X'Z`, by columns.
    pub(super) ties: Exact,
    /// `Z'1`.
    pub(super) mass: Exact,
}

impl Near {
    pub(super) fn zeros(print: String, width: usize, count: usize) -> Self {
        let (products, ties) = (Exact::zeros(triangle(width)), Exact::zeros(width * count));
        Self { print, count, products, ties, mass: Exact::zeros(count) }
    }
    pub(super) fn exacts(&self) -> [&Exact; 3] {
        [&self.products, &self.ties, &self.mass]
    }
    /// The sums of the rows of a dataset.
    pub(super) fn of(landmarks: &Landmarks, side: usize, dataset: &Dataset) -> Result<Self> {
        let near = landmarks.like(side, dataset)?;
        let (p, m) = (dataset.ncols(), near.nrows());
        let mut hash = blake3::Hasher::new();
        fingerprint::rows_of(&landmarks.sides[side]).into_iter().for_each(|print| fingerprint::add_print(&mut hash, print));
        let mut out = Self::zeros(hash.finalize().to_hex().to_string(), p, m);
        let (mut products, mut ties) = (Products::lower(p), Products::new(p, m));
        let (n, step) = (dataset.nrows(), Sliced::block_rows(p.max(m)));
        for from in (0..n).step_by(step) {
            let chosen: Vec<usize> = (from..(from + step).min(n)).collect();
            let rows = dataset.rows().select(&chosen);
            let z = Rows::Sparse(memberships(&rows, &near)?);
            let (x, z) = (Sliced::new((&rows).into(), 0, chosen.len(), None), Sliced::new((&z).into(), 0, chosen.len(), None));
            products.add(&x, &x);
            ties.add(&x, &z);
            z.add_sums(&mut out.mass);
        }
        out.mass.trim();
        (out.products, out.ties) = (products.finish(), ties.finish());
        Ok(out)
    }
    pub(super) fn add_all(&mut self, other: &Self) {
        self.products.add_all(&other.products);
        self.ties.add_all(&other.ties);
        self.mass.add_all(&other.mass);
    }
}

/// How near each row is to its nearest landmarks: Z. What a row has does not depend on the rows beside it.
pub(super) fn memberships(rows: &Rows, landmarks: &Rows) -> Result<Csr> {
    let (p, m) = (rows.ncols(), landmarks.nrows());
    let s = NEAREST.min(m - 1);
    let found = neighbors_among(rows, landmarks, s + 1, Metric::Euclidean, &Progress::silent())?;
    let one = |(row, other): &mut (Vec<f64>, Vec<f64>), i: usize| -> Vec<(u32, f64)> {
        RowsRef::from(rows).copy_row(i, row);
        let mut nearest: Vec<(f64, u32)> = found
            .row(i)
            .map(|(l, _)| {
                RowsRef::from(landmarks).copy_row(l as usize, other);
                // In one order, whatever the search did.
                (row.iter().zip(other.iter()).map(|(a, b)| (a - b) * (a - b)).sum::<f64>(), l)
            })
            .collect();
        nearest.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let width = nearest[s].0;
        let weight = |(d, _): &(f64, u32)| if width > 0.0 { 1.0 - d / width } else { 1.0 };
        let total: f64 = nearest[..s].iter().map(weight).sum();
        let share = |one: &(f64, u32)| if total > 0.0 { weight(one) / total } else { 1.0 / s as f64 };
        let mut ties: Vec<(u32, f64)> = nearest[..s].iter().map(|one| (one.1, (share(one) * GRID).floor() / GRID)).collect();
        let rest: f64 = ties[1..].iter().map(|t| t.1).sum();
        ties[0].1 = 1.0 - rest;
        ties.retain(|t| t.1 > 0.0);
        ties.sort_by_key(|t| t.0);
        ties
    };
    let all: Vec<Vec<(u32, f64)>> = (0..rows.nrows()).into_par_iter().map_init(|| (vec![0.0; p], vec![0.0; p]), one).collect();
    let (mut starts, mut indices, mut values) = (vec![0], vec![], vec![]);
    for ties in all {
        ties.into_iter().for_each(|(l, w)| {
            indices.push(l);
            values.push(w);
        });
        starts.push(indices.len());
    }
    Csr::new(starts, indices, values, m)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_sum_to_one_and_fall_with_the_distance() {
        let landmarks: Rows = Matrix::from_fn(8, 1, |i, _| i as f64).into();
        let rows: Rows = Matrix::from_rows(&[[2.0], [2.25], [100.0]]).unwrap().into();
        let z = memberships(&rows, &landmarks).unwrap();
        for i in 0..3 {
            assert_eq!(z.row_values(i).iter().sum::<f64>(), 1.0, "{i}");
        }
        // Of row 2.25 the landmarks 2, 3, 1, 4, 0 count, and 5 is the first that does not.
        let weight = |d: f64| 1.0 - d * d / (2.75 * 2.75);
        let total: f64 = [0.25, 0.75, 1.25, 1.75, 2.25].map(weight).iter().sum();
        for (l, d) in [(2, 0.25), (3, 0.75), (1, 1.25), (4, 1.75), (0, 2.25)] {
            assert!((z.get(1, l) - weight(d) / total).abs() < 2e-5, "{l}");
        }
        assert_eq!(z.get(1, 5), 0.0);
        // One row by itself, and rows that lie on landmarks that are all the same.
        let alone = memberships(&rows.select(&[1]), &landmarks).unwrap();
        assert_eq!(alone.row_values(0), z.row_values(1));
        let same: Rows = Matrix::from_fn(4, 1, |_, _| 2.0).into();
        assert_eq!(memberships(&same.select(&[0]), &same).unwrap().row_values(0).len(), 3);
    }

    #[test]
    fn landmarks_are_spread_over_the_rows() {
        let data: Vec<Dataset> =
            ["a", "b"].map(|name| Dataset::new(name, Matrix::from_fn(10, 1, |i, _| i as f64)).unwrap()).to_vec();
        let chosen = Landmarks::of(&data, 4).unwrap();
        assert_eq!(chosen.counts(), [4, 4]);
        let Rows::F64(rows) = chosen.sides[0].rows() else { panic!("doubles") };
        assert_eq!(rows.as_slice(), [0.0, 2.0, 5.0, 7.0]);
        assert_eq!(Landmarks::of(&data, 99).unwrap().counts(), [10, 10]);
        assert!(Landmarks::of(&data, 1).is_err() && Landmarks::of(&data[..1], 4).is_err());
    }
}
