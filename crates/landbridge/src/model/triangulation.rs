//! Coordinates of new rows from their distances to landmarks (global geometry, instance level).

use crate::data::{Preparation, Rows};
use crate::error::Result;
use crate::geometry::distances::row_distances;
use crate::geometry::geodesic::distances_through;
use crate::geometry::neighbors::{Metric, neighbors_among};
use crate::linalg::minplus::min_plus;
use crate::linalg::tall::Tall;
use crate::linalg::whitening::symmetric_eigen;
use crate::linalg::{Csr, Matrix};
use crate::memory::{of_doubles, of_each};
use crate::progress::Progress;
use faer::Mat;
use std::sync::Arc;

/// The coordinates whose squared distances to the landmarks fit best: `z = t + Σ_k (mean_k − δ_k²) A_k`. δ are the distances
/// from the row to the landmarks of all datasets; those of other datasets lead through the nearest bridge (Global13 eq. 4).
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Triangulation {
    /// The fitted rows, scaled by the preprocessing.
    pub rows: Arc<Rows>,
    /// Preprocessing of the rows.
    pub preparation: Preparation,
    /// Graph of edge lengths, and number of neighbours of a new row. None: distances are straight.
    pub paths: Option<(Csr, usize)>,
    /// Distance between rows.
    pub metric: Metric,
    /// η of this dataset.
    pub scale: f64,
    /// Unit of distances.
    pub unit: f64,
    /// Landmarks of this dataset.
    pub own: Vec<u32>,
    /// Position of the first of them among all landmarks.
    pub first: usize,
    /// Rows of this dataset from which bridges lead to other datasets.
    pub bridges: Vec<u32>,
    /// Distances from the other end of each bridge to every landmark; `f64::MAX` if it does not lead there.
    pub beyond: Matrix<f64>,
    /// mean_k.
    pub means: Vec<f64>,
    /// A, one row per landmark.
    pub matrix: Matrix<f64>,
    /// t.
    pub offset: Vec<f64>,
}

/// Number of new rows in a block.
const BATCH: usize = 512;

impl Triangulation {
    /// Bytes that placing new rows takes beside their places: those of one batch of rows, and of the known rows.
    pub(crate) fn room(&self) -> u64 {
        let (known, columns) = (self.own.len() + self.bridges.len(), self.rows.ncols());
        of_doubles(BATCH + known, 2 * columns)
            + of_doubles(BATCH, 3 * known + 2 * self.means.len())
            + of_each(self.rows.nrows(), columns, 8)
    }
    pub(crate) fn transform(&self, new: &Rows, embedding: &Matrix<f64>, progress: &Progress) -> Result<Matrix<f64>> {
        let (m, d) = (self.means.len(), self.offset.len());
        let known: Vec<usize> = self.own.iter().chain(&self.bridges).map(|&i| i as usize).collect();
        let mut out = Matrix::zeros(new.nrows(), d);
        for from in (0..new.nrows()).step_by(BATCH) {
            progress.step("new rows", from, new.nrows())?;
            let part: Vec<usize> = (from..(from + BATCH).min(new.nrows())).collect();
            let rows = new.select(&part);
            let scaled = self.preparation.scale(&rows);
            let k = self.paths.as_ref().map_or(1, |p| p.1).min(self.rows.nrows());
            let found = neighbors_among(&scaled, &self.rows, k, self.metric, progress)?;
            let near = match &self.paths {
                None => row_distances(&scaled, &self.rows.select(&known), self.metric)?,
                Some((lengths, _)) => {
                    let picked = distances_through(lengths, &found, |all| known.iter().map(|&i| all[i]).collect::<Vec<_>>());
                    Matrix::from_vec(picked.concat(), rows.nrows(), known.len())?
                }
            };
            let own = self.own.len();
            let mut distances = min_plus(
                (rows.nrows(), m),
                self.bridges.len(),
                |i, range, to| to.iter_mut().zip(&near.row(i)[own..][range]).for_each(|(t, d)| *t = self.scale * d),
                |u, to| to.copy_from_slice(self.beyond.row(u)),
            );
            for i in 0..rows.nrows() {
                // A row that equals a fitted one gets its coordinates.
                if let Some((j, _)) = found.row(i).next().filter(|(_, distance)| *distance == 0.0) {
                    out.row_mut(from + i).copy_from_slice(embedding.row(j as usize));
                    continue;
                }
                let row = distances.row_mut(i);
                row[self.first..self.first + own].iter_mut().zip(near.row(i)).for_each(|(t, d)| *t = self.scale * d);
                let place = out.row_mut(from + i);
                place.copy_from_slice(&self.offset);
                for ((distance, mean), a) in row.iter().zip(&self.means).zip(self.matrix.rows()) {
                    let weight = mean - (distance / self.unit) * (distance / self.unit);
                    place.iter_mut().zip(a).for_each(|(p, a)| *p += weight * a);
                }
            }
        }
        Ok(out)
    }
}

/// A and t from the coordinates of the landmarks (one row each): `½ Y_c (Y_c' Y_c)⁻¹` and their mean, Y_c the centred
/// coordinates.
pub(crate) fn triangle(places: &Tall) -> Result<(Matrix<f64>, Vec<f64>)> {
    let (m, d) = (places.n(), places.stride);
    let mut mean = vec![0.0; d];
    for row in places.values.chunks_exact(d) {
        mean.iter_mut().zip(row).for_each(|(t, v)| *t += v / m as f64);
    }
    let centred = Tall { values: places.values.iter().enumerate().map(|(at, v)| v - mean[at % d]).collect(), stride: d };
    let (values, vectors) = symmetric_eigen(&crate::linalg::tall::gram(&centred, d, &centred))?;
    let top = values.last().copied().unwrap_or(0.0);
    let inverse: Vec<f64> = values.iter().map(|v| if *v > 1e-14 * top { 0.5 / v } else { 0.0 }).collect();
    let inverse = Mat::from_fn(d, d, |i, j| (0..d).map(|k| vectors[(i, k)] * inverse[k] * vectors[(j, k)]).sum::<f64>());
    let a = crate::linalg::tall::product(&centred, inverse.as_ref());
    Ok((Matrix::from_vec(a.values, m, d)?, mean))
}
