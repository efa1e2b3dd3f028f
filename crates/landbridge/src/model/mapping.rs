//! How new rows of a dataset find their place in the joint space.

use crate::data::Rows;
use crate::error::{Error, Result};
use crate::geometry::affinity::Kernel;
use crate::geometry::neighbors::neighbors_among;
use crate::linalg::Matrix;
use crate::progress::Progress;

/// The way of one dataset into the joint space.
#[derive(Clone, Debug, PartialEq)]
pub enum Mapping {
    /// There is none (the graph was given, so new rows have no neighbours).
    None,
    /// From the neighbours among the fitted rows.
    Neighbors(NeighborExtension),
}

/// Nyström-type extension: a new row lies at the weighted mean of its neighbours, each component divided by
/// `1 − λ` as the eigenvalue equation `D⁻¹W f = (1 − λ) f` says.
///
/// Departure: the division is bounded by 2 (components with λ > ½ oscillate from row to row, and the equation
/// would only amplify noise), and it is left out for the plain Laplacian, where it depends on the degree.
/// A row that equals a fitted row gets that row's place (the mean of all that it equals).
#[derive(Clone, Debug, PartialEq)]
pub struct NeighborExtension {
    /// The fitted rows.
    pub rows: Rows,
    /// The rule that weighs neighbours.
    pub kernel: Kernel,
    /// `1 − λ` of each component (1 for the plain Laplacian).
    pub damping: Vec<f64>,
}

impl NeighborExtension {
    pub(crate) fn transform(&self, new: &Rows, embedding: &Matrix<f64>, progress: &Progress) -> Result<Matrix<f64>> {
        let k = self.kernel.n_neighbors.min(self.rows.nrows());
        let found = neighbors_among(new, &self.rows, k, self.kernel.metric, progress)?;
        // Self-tuning weights need the scale of both ends; that of a fitted row is taken to be the new row's.
        let d = embedding.ncols();
        let mut out = Matrix::zeros(new.nrows(), d);
        for i in 0..new.nrows() {
            let neighbors: Vec<(u32, f64)> = found.row(i).collect();
            let equal = neighbors.iter().filter(|n| n.1 == 0.0).count();
            let scale = neighbors[k - 1].1;
            let mut total = 0.0;
            let row = out.row_mut(i);
            for (s, &(j, distance)) in neighbors.iter().enumerate() {
                let weight = if equal > 0 {
                    f64::from(u8::from(s < equal))
                } else {
                    self.kernel.weight(distance, (scale, scale), || 1.0 - distance)
                };
                total += weight;
                row.iter_mut().zip(embedding.row(j as usize)).for_each(|(o, f)| *o += weight * f);
            }
            if total > 0.0 {
                for (c, o) in row.iter_mut().enumerate() {
                    let damping = if equal > 0 { 1.0 } else { self.damping[c].max(0.5) };
                    *o /= total * damping;
                }
            } else {
                // Every weight vanished: the row is far from all fitted ones. The nearest is the best guess.
                row.copy_from_slice(embedding.row(neighbors[0].0 as usize));
            }
        }
        Ok(out)
    }
}

impl Mapping {
    pub(crate) fn transform(
        &self,
        new: &Rows,
        embedding: &Matrix<f64>,
        dataset: &str,
        progress: &Progress,
    ) -> Result<Matrix<f64>> {
        match self {
            Mapping::None => Err(Error::Undefined {
                what: format!("transform for dataset \"{dataset}\""),
                why: "its graph was given, and new rows have no place in a given graph".into(),
            }),
            Mapping::Neighbors(extension) => extension.transform(new, embedding, progress),
        }
    }
}
