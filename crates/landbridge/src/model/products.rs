//! Two datasets as products over their pairs, without any row: what CCA, least squares and Procrustes depend on.

use crate::data::{Preparation, Prepare};
use crate::error::Result;
use crate::linalg::Matrix;
use crate::linalg::tall::Tall;
use crate::model::{Fitted, Mapping};
use crate::outcome::Warning;
use crate::problem::feature::CrossProduct;
use crate::problem::paired::{Degenerate, Moments};
use crate::solve::ridge::strength_of_products;
use faer::Mat;

/// Which products determine the fit of a method.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wanted {
    /// Preprocessing of the rows.
    pub(crate) prepare: Prepare,
    /// Products of deviations from the means of the paired rows, instead of prepared rows.
    pub(crate) around_pairs: bool,
    /// Also the graph of all rows.
    pub(crate) graph: bool,
}

/// Products of two datasets over their pairs.
#[derive(Clone, Debug)]
pub struct Products {
    pub(crate) sides: [Side; 2],
    /// `X' W Y` of the scaled rows.
    pub(crate) cross: Mat<f64>,
    /// Number of pairs.
    pub(crate) pairs: usize,
    /// Their total weight.
    pub(crate) weight: f64,
    /// What there is to say about them.
    pub(crate) notes: Vec<Warning>,
}

/// One dataset of products.
#[derive(Clone, Debug)]
pub(crate) struct Side {
    pub(crate) name: String,
    pub(crate) columns: Option<Vec<String>>,
    pub(crate) n_features: usize,
    pub(crate) preparation: Preparation,
    /// `X' M X` of the scaled rows, both triangles.
    pub(crate) own: Mat<f64>,
    /// Power of two that keeps the products within the range of double precision; mostly 1.
    pub(crate) scale: f64,
    /// Mean of the prepared rows over the pairs.
    pub(crate) mean: Vec<f64>,
    /// Where it was wanted.
    pub(crate) graph: Option<Graph>,
}

/// A graph of all rows of a dataset in which every row has degree 1, as products of the scaled rows; both triangles.
#[derive(Clone, Debug)]
pub(crate) struct Graph {
    /// `X' X`.
    pub(crate) own: Mat<f64>,
    /// `X' W X`.
    pub(crate) smooth: Mat<f64>,
    /// Number of rows, which is the sum of all weights.
    pub(crate) rows: f64,
}

impl Side {
    fn trace(&self) -> f64 {
        (0..self.n_features).map(|i| self.own[(i, i)]).sum()
    }
    /// The dataset of a model that has no rows.
    pub(crate) fn fitted(&self, dimensions: usize, mapping: Mapping) -> Fitted {
        Fitted {
            name: self.name.clone(),
            n_features: self.n_features,
            row_ids: None,
            labels: None,
            snippets: None,
            columns: self.columns.clone(),
            recipe: None,
            embedding: Matrix::zeros(0, dimensions),
            mapping,
            known_means: None,
            sample: None,
        }
    }
}

impl Products {
    pub(crate) fn n_features(&self) -> usize {
        self.sides.iter().map(|s| s.n_features).sum()
    }
    pub(crate) fn own(&self) -> [Mat<f64>; 2] {
        self.sides.each_ref().map(|s| s.own.clone())
    }
    pub(crate) fn cross_product(&self) -> CrossProduct {
        CrossProduct::of_two(&self.cross)
    }
    /// The strength of the ridge: as given, or by cross-validation over all pairs.
    pub(crate) fn strength(&self, given: Option<f64>) -> Result<f64> {
        let [x, y] = &self.sides;
        given.map_or_else(|| strength_of_products([&x.own, &y.own], &self.cross, self.pairs), Ok)
    }
    /// The ridge of each dataset: its strength in units of the mean diagonal of `X'X`.
    pub(crate) fn ridges(&self, strength: f64) -> Vec<f64> {
        self.sides.iter().map(|s| strength * s.trace() / s.n_features as f64).collect()
    }
    /// A ridge per dataset, for the rows before scaling.
    pub(crate) fn in_data_units(&self, ridge: &[f64]) -> Vec<f64> {
        ridge.iter().zip(&self.sides).map(|(r, s)| (r / s.scale / s.scale).min(f64::MAX)).collect()
    }
    /// The first `kept` columns of stacked maps that belong to dataset a, for the rows before scaling.
    pub(crate) fn map_of(&self, f: &Tall, kept: usize, a: usize) -> Matrix<f64> {
        let from = if a == 0 { 0 } else { self.sides[0].n_features };
        Matrix::from_fn(self.sides[a].n_features, kept, |i, j| self.sides[a].scale * f.values[(from + i) * f.stride + j])
    }
    /// The moments that turn the second dataset onto the first, both padded to d dimensions.
    pub(crate) fn moments(&self, d: usize) -> std::result::Result<Moments, Degenerate> {
        let [x, y] = &self.sides;
        let size = |s: &Side| ((0..s.n_features).map(|i| s.own[(i, i)]).fold(0.0, f64::max) / self.pairs as f64).sqrt();
        let (own, target) = (size(y), size(x));
        if own == 0.0 {
            return Err(Degenerate::Own);
        }
        if target == 0.0 {
            return Err(Degenerate::Target);
        }
        let cross = |i: usize, j: usize| match i < y.n_features && j < x.n_features {
            true => self.cross[(j, i)] / own / target,
            false => 0.0,
        };
        let padded = |s: &Side| (0..d).map(|j| s.mean.get(j).copied().unwrap_or(0.0)).collect();
        Ok(Moments {
            cross: Mat::from_fn(d, d, cross),
            squares: y.trace() / own / own,
            points: self.pairs,
            units: [own / y.scale, target / x.scale],
            means: [padded(y), padded(x)],
        })
    }
}
