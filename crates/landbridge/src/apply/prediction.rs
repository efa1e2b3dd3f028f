//! Predicts values of one dataset for rows known only in another, from rows known in both.

use crate::data::Sets;
use crate::data::known::column_means;
use crate::data::offsets;
use crate::data::{Known, Rows, RowsRef, check_rows};
use crate::error::{Error, Result};
use crate::geometry::local_weights::{local_weights, place};
use crate::geometry::neighbors::{Metric, Neighbors, neighbors_among};
use crate::linalg::{Csr, Matrix};
use crate::memory::{of_doubles, of_each};
use crate::model::residuals::Residuals;
use crate::model::{Alignment, Extras, Fitted, Mapping};
use crate::model::{Prediction, Predictor};
use crate::progress::Progress;
use std::sync::{Arc, PoisonError};

impl Fitted {
    /// The known entries of the fitted rows, if the model stores them.
    fn entries(&self, known: Known) -> Result<Csr> {
        let rows = self.rows().ok_or_else(|| Error::Undefined {
            what: format!("prediction from or to \"{}\"", self.name()),
            why: "its graph was given, so the model does not store its rows".into(),
        })?;
        match (&self.known_means, rows) {
            (Some(means), Rows::Sparse(m)) => {
                let mut entries = m.clone();
                let columns = m.indices();
                entries.values_mut().iter_mut().zip(columns).for_each(|(v, j)| *v += means[*j as usize]);
                Ok(entries)
            }
            _ => Ok(known.entries(rows)),
        }
    }
}

impl Alignment {
    /// Rows of both datasets that a chain of pairs joins.
    pub(crate) fn joined_rows(&self, s: usize, t: usize) -> Vec<(usize, usize)> {
        let starts = offsets(self.fitted.iter().map(Fitted::nrows));
        let mut sets = Sets::new(starts[starts.len() - 1]);
        self.pairs.iter().for_each(|l| sets.join(starts[l.a] + l.i, starts[l.b] + l.j));
        let (group, count) = sets.numbered();
        let mut members = vec![vec![]; count];
        (0..self.fitted[t].nrows()).for_each(|j| members[group[starts[t] + j] as usize].push(j));
        (0..self.fitted[s].nrows()).flat_map(|i| members[group[starts[s] + i] as usize].iter().map(move |&j| (i, j))).collect()
    }

    /// Bytes that [`Alignment::predict_by`] takes, its result included.
    pub(crate) fn room_to_predict_by(&self, prediction: &Prediction, rows: RowsRef<'_>, s: usize, t: usize) -> u64 {
        let (n, p, target) = (rows.nrows(), self.fitted[t].n_features(), &self.fitted[t]);
        let entries = |rows: RowsRef<'_>| match rows {
            RowsRef::Sparse(m) if prediction.known != Known::All => of_each(m.nnz(), 1, 12) + of_each(m.nrows(), 1, 8),
            // Grown as they are found.
            dense => 2 * of_each(dense.nrows(), dense.ncols(), 12),
        };
        let of_side = |side: &Fitted| side.rows().map_or(0, |rows| entries(rows.into()));
        match prediction.predictor {
            Predictor::Local => {
                let k = prediction.n_neighbors_predict;
                let places = of_doubles(n, target.embedding.ncols());
                // Neighbours and weights, the places once more for the search, and the places of the target twice.
                let found = of_each(n, k, 36) + of_each(n, 1, 28) + 4 * of_doubles(target.nrows(), target.embedding.ncols());
                let rest = 2 * places + found + of_doubles(n, p);
                of_side(target) + self.room_to_transform(rows, s).max(rest)
            }
            Predictor::Residuals => {
                let learnt = of_side(&self.fitted[s]) + of_side(target);
                learnt.max(self.room_to_transform(rows, s) + entries(rows) + of_doubles(n, p))
            }
        }
    }

    pub(crate) fn predict_by(&self, prediction: &Prediction, rows: &Rows, s: usize, t: usize) -> Result<Matrix<f64>> {
        let fitted = &self.fitted[s];
        if rows.ncols() != fitted.n_features() {
            return Err(Error::FeatureCount { dataset: fitted.name().into(), expected: fitted.n_features(), got: rows.ncols() });
        }
        check_rows(&format!("new rows of {}", fitted.name()), rows)?;
        match prediction.predictor {
            Predictor::Local => self.predict_locally(prediction, rows, s, t),
            Predictor::Residuals => {
                let learnt = self.residuals(prediction, s, t)?;
                let places = learnt.needs_places().then(|| self.transform(rows, s)).transpose()?;
                learnt.predict(&prediction.known.entries(rows), places.as_ref())
            }
        }
    }

    fn residuals(&self, prediction: &Prediction, s: usize, t: usize) -> Result<Arc<Residuals>> {
        let Extras::Prediction(_, learnt_so_far) = &self.extras else {
            return Err(Error::Undefined {
                what: "prediction".into(),
                why: format!("method \"{}\" learns no predictor", self.method),
            });
        };
        if let Some(learnt) = learnt_so_far.lock().unwrap_or_else(PoisonError::into_inner).get(&(s, t)) {
            return Ok(Arc::clone(learnt));
        }
        let labelled = self.joined_rows(s, t);
        if labelled.is_empty() {
            return Err(Error::NotJoined { first: self.fitted[s].name().into(), second: self.fitted[t].name().into() });
        }
        let (from, to) = (self.fitted[s].entries(prediction.known)?, self.fitted[t].entries(prediction.known)?);
        let places = self.places_of_others(prediction, s, &labelled)?;
        let learnt = Arc::new(Residuals::fit(&from, &to, &labelled, places)?);
        let mut predictors = learnt_so_far.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(Arc::clone(predictors.entry((s, t)).or_insert(learnt)))
    }

    /// Coordinates of the labelled rows as if only their neighbours were known. The fitted coordinates of a labelled row use
    /// both datasets, and would be too optimistic for new rows.
    fn places_of_others(&self, prediction: &Prediction, s: usize, labelled: &[(usize, usize)]) -> Result<Option<Matrix<f64>>> {
        let fitted = &self.fitted[s];
        let (rows, k, metric, among) = match &fitted.mapping {
            Mapping::Local(m) => (&m.rows, m.n_neighbors, m.metric, m.among.as_deref()),
            Mapping::Neighbors(m) => (&m.rows, m.kernel.n_neighbors, m.kernel.metric, None),
            _ => return Ok(None),
        };
        let reference: Vec<usize> =
            among.map_or_else(|| (0..rows.nrows()).collect(), |a| a.iter().map(|&i| i as usize).collect());
        if reference.len() < 2 {
            return Ok(None);
        }
        let own: Vec<usize> = labelled.iter().map(|l| l.0).collect();
        let (query, others) = (rows.select(&own), rows.select(&reference));
        let k = k.min(reference.len() - 1);
        let found = neighbors_among(&query, &others, k + 1, metric, &Progress::silent())?;
        let mut without = Neighbors { k, indices: vec![], distances: vec![] };
        for (i, &row) in own.iter().enumerate() {
            let kept = found.row(i).filter(|(j, _)| reference[*j as usize] != row).take(k);
            kept.for_each(|(j, distance)| {
                without.indices.push(j);
                without.distances.push(distance);
            });
        }
        let weights = local_weights(&query, &others, &without, prediction.ridge)?;
        Ok(Some(place(&without, &weights, &fitted.embedding.select_rows(&reference))))
    }

    /// Lamvu13 eq. 20, 21. Unknown entries of the other rows count as the mean of their column.
    fn predict_locally(&self, prediction: &Prediction, rows: &Rows, s: usize, t: usize) -> Result<Matrix<f64>> {
        let target = &self.fitted[t];
        let k = prediction.n_neighbors_predict;
        if k > target.nrows() {
            let expected = format!("at most {}, the rows of dataset \"{}\"", target.nrows(), target.name());
            return Err(Error::parameter("n_neighbors_predict", k, &expected));
        }
        let entries = target.entries(prediction.known)?;
        let places = Rows::F64(self.transform(rows, s)?);
        let others = Rows::F64(target.embedding.clone());
        let found = neighbors_among(&places, &others, k, Metric::Euclidean, &Progress::silent())?;
        let weights = local_weights(&places, &others, &found, prediction.ridge)?;
        let means = column_means(&entries);
        // The weights sum to 1: the means, plus the combination of deviations from them.
        let mut out = Matrix::from_fn(rows.nrows(), means.len(), |_, j| means[j]);
        for i in 0..rows.nrows() {
            let row = out.row_mut(i);
            for ((r, _), w) in found.row(i).zip(&weights[i * k..(i + 1) * k]) {
                entries.row(r as usize).for_each(|(j, v)| row[j as usize] += w * (v - means[j as usize]));
            }
        }
        Ok(out)
    }
}
