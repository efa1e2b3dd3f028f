//! Features in linear maps: mapping rows into the features of another dataset, and the top features of a component.

use crate::data::{Prepare, Rows, RowsRef};
use crate::error::{Error, Result};
use crate::linalg::tall::{TILE, Tall, gram, times_by_row};
use crate::linalg::whitening::symmetric_eigen;
use crate::linalg::{Csr, Matrix, Scalar};
use crate::memory::{check_room, of_doubles};
use crate::model::{Alignment, DatasetRef, Fitted, LinearMap, Mapping, fill};
use crate::progress::with_threads;
use std::borrow::Cow;
use std::sync::Arc;

/// A feature of a component.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Feature {
    /// Its column, from 0.
    pub column: usize,
    /// Its name, where the dataset has names.
    pub name: Option<String>,
    /// Its weight in the map.
    pub weight: f64,
}

/// `(F'F)⁺` and `F'`, both by rows; eigenvalues below 1e-13 of the largest count as 0.
fn inverse_parts(f: &Matrix<f64>) -> Result<(Vec<f64>, Vec<f64>)> {
    let d = f.ncols();
    let tall = Tall { values: f.as_slice().to_vec(), stride: d };
    let (values, vectors) = with_threads(0, || symmetric_eigen(&gram(&tall, d, &tall)))?;
    let largest = values.last().copied().unwrap_or(0.0).max(0.0);
    let kept: Vec<usize> = (0..d).filter(|&k| values[k] > 1e-13 * largest).collect();
    if kept.is_empty() {
        return Ok((vec![0.0; d * d], f.transpose().into_vec()));
    }
    let some = |value: &dyn Fn(usize) -> f64| Matrix::from_fn(d, kept.len(), |i, c| vectors[(i, kept[c])] * value(kept[c]));
    let (scaled, transposed) = (some(&|k| 1.0 / values[k]), some(&|_| 1.0).transpose());
    let inverse = with_threads(0, || times_by_row(scaled.as_slice(), kept.len(), transposed.as_slice(), d));
    Ok((inverse, f.transpose().into_vec()))
}

impl Alignment {
    /// The map of a dataset (features × components), if its method has one.
    pub fn feature_map<'a>(&self, dataset: impl Into<DatasetRef<'a>>) -> Result<Cow<'_, Matrix<f64>>> {
        let fitted = &self.fitted[self.position(dataset)?];
        match &fitted.mapping {
            Mapping::Linear(map) => Ok(Cow::Borrowed(&map.weights)),
            Mapping::Sparse(map) => Ok(Cow::Owned(map.weights.to_dense())),
            _ => Err(self.no_map(fitted)),
        }
    }

    /// The map of a dataset as a sparse matrix, for sparse maps.
    pub fn sparse_map<'a>(&self, dataset: impl Into<DatasetRef<'a>>) -> Result<&Csr> {
        let fitted = &self.fitted[self.position(dataset)?];
        match &fitted.mapping {
            Mapping::Sparse(map) => Ok(&map.weights),
            _ => Err(self.no_map(fitted)),
        }
    }

    fn no_map(&self, fitted: &Fitted) -> Error {
        Error::Undefined {
            what: format!("a map of the features of \"{}\"", fitted.name),
            why: format!("method \"{}\" has none (linear, cca, sparse and multiscale have)", self.method),
        }
    }

    /// Number of features of a dataset with a non-zero weight; the others are pruned.
    pub fn features_used<'a>(&self, dataset: impl Into<DatasetRef<'a>>) -> Result<usize> {
        let position = self.position(dataset)?;
        match &self.fitted[position].mapping {
            Mapping::Sparse(map) => Ok((0..map.weights.nrows()).filter(|&j| !map.weights.row_indices(j).is_empty()).count()),
            _ => Ok(self.feature_map(position)?.rows().filter(|row| row.iter().any(|v| *v != 0.0)).count()),
        }
    }

    /// Weights of the components in the joint space, if the method has them: coordinates are `x F` times these.
    pub fn component_weights(&self) -> Option<&[f64]> {
        match &self.fitted[0].mapping {
            Mapping::Linear(map) => map.component_weights.as_deref(),
            _ => None,
        }
    }

    /// Rows of `source` in the (prepared) features of `target`: `x F_g F_h⁺`.
    pub fn map<'a, 'b>(
        &self,
        rows: &Rows,
        source: impl Into<DatasetRef<'a>>,
        target: impl Into<DatasetRef<'b>>,
    ) -> Result<Matrix<f64>> {
        let t = self.position(target)?;
        let s = self.position(source)?;
        check_room("map", self.room_to_map(rows.into(), s, t))?;
        if let Mapping::Prepared(_) = self.fitted[t].mapping {
            return self.transform(rows, s);
        }
        self.feature_map(t)?;
        if let Some(map) = self.one_matrix(s, t)? {
            self.check_new(rows, s)?;
            return Ok(if rows.nrows() <= TILE { map.image(rows) } else { with_threads(0, || map.image(rows)) });
        }
        let mut z = match &self.fitted[s].mapping {
            Mapping::Linear(map) if map.unit => {
                self.check_new(rows, s)?;
                map.image(rows)
            }
            _ => self.transform(rows, s)?,
        };
        if let Mapping::Linear(LinearMap { component_weights: Some(weights), .. }) = &self.fitted[s].mapping {
            // The map is between features, so component weights do not enter.
            for i in 0..z.nrows() {
                z.row_mut(i).iter_mut().zip(weights).filter(|(_, w)| **w > 0.0).for_each(|(v, w)| *v /= w);
            }
        }
        if let Mapping::Linear(LinearMap { offset: Some(offset), .. }) = &self.fitted[t].mapping {
            (0..z.nrows()).for_each(|i| z.row_mut(i).iter_mut().zip(offset).for_each(|(v, t)| *v -= t));
        }
        self.in_features(&z, t)
    }

    /// Bytes that [`Alignment::map`] takes, its result included.
    fn room_to_map(&self, rows: RowsRef<'_>, s: usize, t: usize) -> u64 {
        let (n, p) = (rows.nrows(), self.fitted[t].n_features());
        let places = self.room_to_transform(rows, s);
        if let Mapping::Prepared(_) = self.fitted[t].mapping {
            return places;
        }
        let d = self.n_components();
        // The map of the target, its transpose and their products; the images of unit vectors.
        let mut derived = of_doubles(p, 3 * d) + 3 * of_doubles(d, d);
        if self.is_one_matrix(s, t) {
            derived += of_doubles(self.fitted[s].n_features() + 1, 2 * d + 2 * p);
            return derived + places.saturating_sub(of_doubles(n, d)) + of_doubles(n, p);
        }
        derived + places.max(of_doubles(n, 2 * d + p))
    }

    /// As [`Alignment::map`], written to `out`: a row after the other, as [`Alignment::transform_into`].
    pub fn map_into<'a, 'b, O: Scalar>(
        &self,
        rows: &Rows,
        source: impl Into<DatasetRef<'a>>,
        target: impl Into<DatasetRef<'b>>,
        out: &mut [O],
    ) -> Result<()> {
        let (s, t) = (self.position(source)?, self.position(target)?);
        match self.one_matrix(s, t)? {
            Some(map) => {
                self.check_new(rows, s)?;
                map.write(rows, false, out)
            }
            None => fill(out, &self.map(rows, s, t)?),
        }
    }

    /// Places in the joint space, less the offset of the dataset, in its features: `z F⁺`.
    fn in_features(&self, z: &Matrix<f64>, t: usize) -> Result<Matrix<f64>> {
        let f = self.feature_map(t)?;
        let (p, d) = (f.nrows(), f.ncols());
        // F⁺ = (F'F)⁺ F', so the columns of the result are z (F'F)⁺ F'.
        let made;
        let (inverse, transposed) = match &self.fitted[t].mapping {
            Mapping::Linear(map) => match map.derived.inverse.get() {
                Some(known) => known,
                None => {
                    // Computed before the lock is taken. The computation uses threads, and a waiting thread may pick up
                    // another request for the same value.
                    let parts = inverse_parts(&f)?;
                    map.derived.inverse.get_or_init(|| parts)
                }
            },
            _ => {
                made = inverse_parts(&f)?;
                &made
            }
        };
        let products = || {
            let z = times_by_row(z.as_slice(), d, inverse, d);
            times_by_row(&z, d, transposed, p)
        };
        let values = if z.nrows() <= TILE { products() } else { with_threads(0, products) };
        Matrix::from_vec(values, z.nrows(), p)
    }

    /// Whether the map between the features of two datasets is one matrix: where that is smaller than its three factors.
    fn is_one_matrix(&self, s: usize, t: usize) -> bool {
        let (Mapping::Linear(map), Mapping::Linear(other)) = (&self.fitted[s].mapping, &self.fitted[t].mapping) else {
            return false;
        };
        let (p, q, d) = (map.weights.nrows(), other.weights.nrows(), map.weights.ncols());
        self.fitted[s].known_means.is_none() && p * q <= d * (p + d + q)
    }

    /// The map between the features of two datasets as one matrix, if it is one; computed on first use.
    fn one_matrix(&self, s: usize, t: usize) -> Result<Option<Arc<LinearMap>>> {
        let (Mapping::Linear(map), Mapping::Linear(other)) = (&self.fitted[s].mapping, &self.fitted[t].mapping) else {
            return Ok(None);
        };
        if !self.is_one_matrix(s, t) {
            return Ok(None);
        }
        if let Some(known) = map.derived.onto(t) {
            return Ok(Some(known));
        }
        // Component weights do not enter; a component of weight 0 has its offset only.
        let weight = |c: usize| map.component_weights.as_ref().map_or(1.0, |w| w[c]);
        let offset = |map: &LinearMap, c: usize| map.offset.as_ref().map_or(0.0, |t| t[c]);
        let (p, d) = (map.weights.nrows(), map.weights.ncols());
        // The images of unit vectors, and of zero.
        let places = Matrix::from_fn(p + 1, d, |i, c| match (i < p, weight(c) > 0.0) {
            (true, true) => map.weights[(i, c)],
            (true, false) => 0.0,
            (false, true) => offset(map, c) / weight(c) - offset(other, c),
            (false, false) => offset(map, c) - offset(other, c),
        });
        let mut images = self.in_features(&places, t)?.into_vec();
        let zero = images.split_off(p * other.weights.nrows());
        let matrix = Matrix::from_vec(images, p, zero.len())?;
        let offset = zero.iter().any(|v| *v != 0.0).then_some(zero);
        let made = LinearMap { offset, ..LinearMap::new(map.preparation.clone(), matrix, None) };
        Ok(Some(map.derived.keep_onto(t, made)))
    }

    /// Whether mapping these rows takes less time than starting a thread. It is false on the first call, which computes the
    /// cached values.
    pub fn is_quick_map<'a, 'b>(
        &self,
        rows: RowsRef<'_>,
        source: impl Into<DatasetRef<'a>>,
        target: impl Into<DatasetRef<'b>>,
    ) -> bool {
        /// Number of multiplications that take about 50 µs.
        const FEW: usize = 250_000;
        let (Ok(s), Ok(t)) = (self.position(source), self.position(target)) else { return false };
        let known = match (&self.fitted[s].mapping, &self.fitted[t].mapping) {
            (Mapping::Linear(map), Mapping::Linear(_)) if self.is_one_matrix(s, t) => map.derived.onto(t).is_some(),
            (_, Mapping::Linear(map)) => map.derived.inverse.get().is_some(),
            (_, Mapping::Prepared(_)) => true,
            _ => false,
        };
        let products = rows.nrows().saturating_mul(self.fitted[t].n_features + self.n_components());
        let few = products.saturating_mul(self.n_components()) <= FEW || rows.nrows() == 1;
        known && self.prediction().is_none() && few && self.is_quick(rows, s)
    }

    /// Predicts the features of `target` for rows known only in `source`: by the map, with means and scales undone. Without a
    /// map, by rows that are near in the joint space and known in both ([`crate::apply::prediction`]).
    pub fn predict<'a, 'b>(
        &self,
        rows: &Rows,
        source: impl Into<DatasetRef<'a>>,
        target: impl Into<DatasetRef<'b>>,
    ) -> Result<Matrix<f64>> {
        let t = self.position(target)?;
        let s = self.position(source)?;
        check_room("predict", self.room_to_predict(rows.into(), s, t))?;
        if let Some(prediction) = self.prediction() {
            return self.predict_by(prediction, rows, s, t);
        }
        if let Mapping::Votes(votes) = &self.fitted[t].mapping {
            self.check_new(rows, s)?;
            return Ok(Matrix::from_fn(rows.nrows(), votes.len(), |_, j| votes[j]));
        }
        let mut mapped = self.map(rows, s, t)?;
        match &self.fitted[t].mapping {
            Mapping::Linear(map) => map.preparation.undo(&mut mapped),
            Mapping::Sparse(map) => map.preparation.undo(&mut mapped),
            Mapping::Prepared(preparation) => preparation.undo(&mut mapped),
            _ => {}
        }
        Ok(mapped)
    }

    /// Bytes that [`Alignment::predict`] takes, its result included.
    fn room_to_predict(&self, rows: RowsRef<'_>, s: usize, t: usize) -> u64 {
        if let Some(prediction) = self.prediction() {
            return self.room_to_predict_by(prediction, rows, s, t);
        }
        match &self.fitted[t].mapping {
            Mapping::Votes(votes) => of_doubles(rows.nrows(), votes.len()),
            _ => self.room_to_map(rows, s, t),
        }
    }

    /// As [`Alignment::predict`], written to `out`: a row after the other, as [`Alignment::transform_into`].
    pub fn predict_into<'a, 'b, O: Scalar>(
        &self,
        rows: &Rows,
        source: impl Into<DatasetRef<'a>>,
        target: impl Into<DatasetRef<'b>>,
        out: &mut [O],
    ) -> Result<()> {
        fill(out, &self.predict(rows, source, target)?)
    }

    /// What [`Alignment::predict`] cannot undo: rows that were scaled to length 1, or counts that became logarithms, before the fit. None
    /// if it gives values in the units of the target, also for rows that have length 1 by themselves, and for weights of words.
    pub fn note_of_predicted<'a>(&self, target: impl Into<DatasetRef<'a>>) -> Result<Option<String>> {
        let fitted = &self.fitted[self.position(target)?];
        let preparation = match &fitted.mapping {
            Mapping::Linear(map) => &map.preparation,
            Mapping::Sparse(map) => &map.preparation,
            Mapping::Prepared(preparation) => preparation,
            _ => return Ok(None),
        };
        let length = |row: &[f32]| row.iter().map(|v| f64::from(v * v)).sum::<f64>().sqrt();
        let of_length_1 = || fitted.sample.as_ref().is_some_and(|s| s.rows().all(|row| (length(row) - 1.0).abs() < 0.01));
        let what = match preparation.prepare() {
            p if p.of_cells() => "its counts became logarithms",
            Prepare::Unit | Prepare::UnitCenter | Prepare::CenterUnit => "its rows were scaled to length 1",
            _ => return Ok(None),
        };
        Ok((self.prediction().is_none() && !of_length_1()).then(|| {
            let name = fitted.name();
            format!("dataset \"{name}\": {what} before the fit, which cannot be undone; predicted values are in these units, not in their own (prepare=\"center\" or \"standardize\" keeps them)")
        }))
    }

    /// The `n` features of largest absolute weight in a component, largest first; for sparse maps only non-zero weights.
    pub fn top_features<'a>(&self, dataset: impl Into<DatasetRef<'a>>, component: usize, n: usize) -> Result<Vec<Feature>> {
        let position = self.position(dataset)?;
        let f = self.feature_map(position)?;
        if component >= f.ncols() {
            return Err(Error::parameter("component", component, &format!("below {}", f.ncols())));
        }
        let sparse = matches!(self.fitted[position].mapping, Mapping::Sparse(_));
        let mut order: Vec<usize> = (0..f.nrows()).filter(|&j| !sparse || f[(j, component)] != 0.0).collect();
        order.sort_by(|&a, &b| f[(b, component)].abs().total_cmp(&f[(a, component)].abs()).then(a.cmp(&b)));
        let names = self.fitted[position].columns();
        Ok(order
            .into_iter()
            .take(n)
            .map(|column| Feature { column, name: names.map(|c| c[column].clone()), weight: f[(column, component)] })
            .collect())
    }
}
