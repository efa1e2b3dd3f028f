//! What linked columns say about the rows of two datasets, as a cost for transport: the similarities that self-training keeps beside its map.

use super::links::{Columns, Linked, explained, smooth, unit_rows};
use super::{check_links, principal_coordinates};
use crate::data::{ColumnLink, Dataset, Prepare};
use crate::error::{Error, Result};
use crate::linalg::Matrix;
use crate::outcome::Warning;
use crate::progress::Progress;
use rayon::prelude::*;

/// Rows of length 1 in each view of the linked columns: as they are, as far as principal coordinates explain them, and smoothed over
/// neighbours.
pub(in crate::correspondence) struct LinkedRows {
    views: [(Matrix<f32>, Matrix<f32>); 3],
    constant: usize,
    left_out: usize,
    used: usize,
}

impl LinkedRows {
    /// Links between the columns of two datasets.
    pub(in crate::correspondence) fn new(
        datasets: &[Dataset],
        links: &[ColumnLink],
        seed: u64,
        progress: &Progress,
    ) -> Result<Self> {
        let [first, second] = datasets else {
            return Err(Error::parameter("links", datasets.len(), "between two datasets"));
        };
        check_links(datasets, links)?;
        let words = Prepare::Auto.for_each(datasets);
        let linked = Linked::new(&Columns::new(first, second, &words)?, links)?;
        let used = linked.enough()?;
        let x = principal_coordinates(first, words[0], true, seed, progress)?;
        let y = principal_coordinates(second, words[1], true, seed, progress)?;
        let (fx, fy) = (&linked.x, &linked.y);
        let smoothed = (unit_rows(&smooth(fx, &x, seed, progress)?), unit_rows(&smooth(fy, &y, seed, progress)?));
        let views = [(unit_rows(fx), unit_rows(fy)), explained(fx, fy, &x, &y)?, smoothed];
        Ok(Self { views, constant: linked.constant, left_out: linked.left_out, used })
    }

    /// The cost of sending chosen rows to chosen rows: minus the sum of the similarities, of mean 0 and standard deviation `strength`.
    pub(in crate::correspondence) fn costs(&self, x: &[usize], y: &[usize], strength: f64) -> Matrix<f64> {
        let mut out = Matrix::zeros(x.len(), y.len());
        out.as_mut_slice().par_chunks_mut(y.len()).zip(x).for_each(|(out, &i)| {
            for (a, b) in &self.views {
                for (o, &j) in out.iter_mut().zip(y) {
                    *o -= a.row(i).iter().zip(b.row(j)).map(|(a, b)| f64::from(a * b)).sum::<f64>();
                }
            }
        });
        let count = out.as_slice().len() as f64;
        let mean = out.as_slice().iter().sum::<f64>() / count;
        let spread = (out.as_slice().iter().map(|v| (v - mean).powi(2)).sum::<f64>() / count).sqrt();
        let scale = if spread > 0.0 { strength / spread } else { 0.0 };
        out.as_mut_slice().iter_mut().for_each(|v| *v = (*v - mean) * scale);
        out
    }

    /// Links that were not used.
    pub(in crate::correspondence) fn warning(&self) -> Option<Warning> {
        let &Self { constant, left_out, used, .. } = self;
        (constant + left_out > 0).then_some(Warning::LinksLeftOut { constant, left_out, used })
    }
}
