//! The fitted alignment and its methods.

use crate::data::cells::faults;
use crate::data::known::deviations;
use crate::data::{Dataset, Link, Rows, RowsRef, check_rows};
use crate::error::{Error, Result};
use crate::geometry::neighbors::{Index, Metric};
use crate::linalg::{Matrix, Scalar};
use crate::memory::{check_room, of_each};
use crate::model::prediction::{Learnt, Prediction};
use crate::model::{Hierarchy, Mapping};
use crate::outcome::Outcome;
use crate::progress::Progress;
use rayon::prelude::*;
use std::collections::HashMap;
use std::sync::{Arc, Mutex};

/// One dataset of an alignment.
#[derive(Clone, Debug, PartialEq)]
pub struct Fitted {
    pub(crate) name: String,
    pub(crate) n_features: usize,
    pub(crate) row_ids: Option<Vec<String>>,
    pub(crate) labels: Option<Vec<String>>,
    pub(crate) snippets: Option<Vec<String>>,
    pub(crate) columns: Option<Vec<String>>,
    pub(crate) recipe: Option<serde_json::Value>,
    pub(crate) embedding: Matrix<f64>,
    pub(crate) mapping: Mapping,
    /// Means of the known entries of each column, if some are unknown: the stored rows are deviations from them.
    pub(crate) known_means: Option<Vec<f64>>,
    /// Some of the fitted rows, as they were given: what later rows are compared with. Models without rows keep it.
    pub(crate) sample: Option<Matrix<f32>>,
}

impl Fitted {
    pub(crate) fn new(dataset: &Dataset, embedding: Matrix<f64>, mapping: Mapping) -> Self {
        Self {
            name: dataset.name().into(),
            n_features: dataset.ncols(),
            row_ids: dataset.row_ids().map(<[_]>::to_vec),
            labels: dataset.labels().map(<[_]>::to_vec),
            snippets: dataset.snippets().map(<[_]>::to_vec),
            columns: dataset.columns().map(<[_]>::to_vec),
            recipe: dataset.recipe().cloned(),
            embedding,
            mapping,
            known_means: None,
            sample: None,
        }
    }
    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }
    /// Number of features.
    pub fn n_features(&self) -> usize {
        self.n_features
    }
    /// Number of fitted rows.
    pub fn nrows(&self) -> usize {
        self.embedding.nrows()
    }
    /// The fitted rows in the joint space.
    pub fn embedding(&self) -> &Matrix<f64> {
        &self.embedding
    }
    /// Ids of the rows, if given.
    pub fn row_ids(&self) -> Option<&[String]> {
        self.row_ids.as_deref()
    }
    /// Labels of the rows, if given.
    pub fn labels(&self) -> Option<&[String]> {
        self.labels.as_deref()
    }
    /// The beginning of the text of each row, if the rows were made from text.
    pub fn snippets(&self) -> Option<&[String]> {
        self.snippets.as_deref()
    }
    /// Names of the columns, if given.
    pub fn columns(&self) -> Option<&[String]> {
        self.columns.as_deref()
    }
    /// How the columns were made from raw text, if they were.
    pub fn recipe(&self) -> Option<&serde_json::Value> {
        self.recipe.as_ref()
    }
    /// The fitted rows, if the model stores them.
    pub fn rows(&self) -> Option<&Rows> {
        self.mapping.rows()
    }
}

/// Rows of one dataset in the joint space, for [`Alignment::with_places`].
#[derive(Clone, Debug, PartialEq)]
pub struct Places {
    /// Their coordinates.
    pub embedding: Matrix<f64>,
    /// Their ids, if they have some.
    pub row_ids: Option<Vec<String>>,
    /// Their labels, if they have some.
    pub labels: Option<Vec<String>>,
}

/// A dataset by position or by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DatasetRef<'a> {
    /// From 0.
    Position(usize),
    /// As given at fit time.
    Name(&'a str),
}
impl From<usize> for DatasetRef<'_> {
    fn from(position: usize) -> Self {
        DatasetRef::Position(position)
    }
}
impl<'a> From<&'a str> for DatasetRef<'a> {
    fn from(name: &'a str) -> Self {
        DatasetRef::Name(name)
    }
}
impl<'a> From<&'a String> for DatasetRef<'a> {
    fn from(name: &'a String) -> Self {
        DatasetRef::Name(name)
    }
}

/// How a two-step method moved the embedding of each dataset: `z = scale · y · matrix + offset`. Also the remaining distances
/// between paired rows.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct PairedFit {
    /// Scale of each dataset; 1 for affine maps, whose matrix includes it.
    pub scales: Vec<f64>,
    /// Rotation of each dataset (with a reflection, if allowed), or the matrix of its affine map.
    pub matrices: Vec<Matrix<f64>>,
    /// Offset of each dataset.
    pub offsets: Vec<Vec<f64>>,
    /// Distance between the two rows of each pair in the joint space, in the order of the pairs.
    pub residuals: Vec<f64>,
}

/// Properties of a sparse fit, per dataset; strengths are in the units of the objective.
#[derive(Clone, Debug, PartialEq, Default)]
#[non_exhaustive]
pub struct SparseFit {
    /// α.
    pub alphas: Vec<f64>,
    /// β of fused maps, γ of the others.
    pub betas: Vec<f64>,
    /// The smallest α that sets all weights to 0 (of the lasso, if the penalty is fused).
    pub largest_alphas: Vec<f64>,
    /// Largest relative duality gap over the components.
    pub gaps: Vec<f64>,
    /// Value of the objective, summed over the components.
    pub objectives: Vec<f64>,
}

/// Datasets in one joint space: the result of every method.
#[derive(Clone, Debug)]
pub struct Alignment {
    pub(crate) method: String,
    pub(crate) params: serde_json::Value,
    pub(crate) fitted: Vec<Fitted>,
    pub(crate) eigenvalues: Vec<f64>,
    pub(crate) pairs: Vec<Link>,
    pub(crate) outcome: Outcome,
    pub(crate) extras: Extras,
    pub(crate) searches: Searches,
}

/// What matches of new rows need, computed on first use. A copy starts without it, because its rows may change.
#[derive(Debug, Default)]
pub(crate) struct Searches {
    /// How near the rows of one dataset are to those of another (CSLS): of (source, target) the target's.
    pub(crate) near: Mutex<HashMap<(usize, usize), Nearness>>,
    /// The placed rows of a dataset, laid out for searching.
    pub(crate) indexes: Mutex<HashMap<(usize, Metric), Arc<Index>>>,
}
/// A value for each row.
type Nearness = Arc<Vec<f64>>;
impl Clone for Searches {
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// What the fits of some methods have beside places and maps.
#[derive(Clone, Debug, Default)]
pub(crate) enum Extras {
    /// Nothing.
    #[default]
    None,
    /// Two-step methods: how each embedding was moved.
    Moved(PairedFit),
    /// Sparse maps: strengths and gaps.
    Sparse(SparseFit),
    /// Multiscale alignments: all levels, and the one that the rest of the alignment shows.
    Levels(Arc<Hierarchy>, usize),
    /// How values of other datasets are predicted where features have no map, and the predictors learnt so far, which copies
    /// share.
    Prediction(Prediction, Arc<Learnt>),
}

impl Extras {
    /// With nothing learnt yet.
    pub(crate) fn prediction(prediction: &Prediction) -> Self {
        Extras::Prediction(prediction.clone(), Arc::default())
    }
}

impl Alignment {
    /// The result of a method. The caller adds the method's name, parameters and pairs.
    pub(crate) fn of(fitted: Vec<Fitted>, eigenvalues: Vec<f64>, outcome: Outcome) -> Self {
        Self::new("", serde_json::Value::Null, fitted, eigenvalues, vec![], outcome)
    }
    pub(crate) fn new(
        method: &str,
        params: serde_json::Value,
        fitted: Vec<Fitted>,
        eigenvalues: Vec<f64>,
        pairs: Vec<Link>,
        outcome: Outcome,
    ) -> Self {
        Self {
            method: method.into(),
            params,
            fitted,
            eigenvalues,
            pairs,
            outcome,
            extras: Extras::None,
            searches: Searches::default(),
        }
    }
    /// Name of the method: "instance", "cle", …
    pub fn method(&self) -> &str {
        &self.method
    }
    /// The parameters it was fitted with.
    pub fn params(&self) -> &serde_json::Value {
        &self.params
    }
    /// The datasets.
    pub fn datasets(&self) -> &[Fitted] {
        &self.fitted
    }
    /// Dimension of the joint space.
    pub fn n_components(&self) -> usize {
        self.fitted[0].embedding.ncols()
    }
    /// Eigenvalues of the problem, in the order of the components.
    pub fn eigenvalues(&self) -> &[f64] {
        &self.eigenvalues
    }
    /// The pairs it was fitted with.
    pub fn pairs(&self) -> &[Link] {
        &self.pairs
    }
    /// How the fit went.
    pub fn outcome(&self) -> &Outcome {
        &self.outcome
    }
    /// Scales, rotations, offsets and residuals of a two-step method.
    pub fn paired_fit(&self) -> Option<&PairedFit> {
        if let Extras::Moved(fit) = &self.extras { Some(fit) } else { None }
    }
    /// Strengths, duality gaps and objectives of sparse maps.
    pub(crate) fn prediction(&self) -> Option<&Prediction> {
        if let Extras::Prediction(prediction, _) = &self.extras { Some(prediction) } else { None }
    }
    /// Strengths, gaps and objectives of sparse maps.
    pub fn sparse_fit(&self) -> Option<&SparseFit> {
        if let Extras::Sparse(fit) = &self.extras { Some(fit) } else { None }
    }
    /// The fitted rows of the dataset at that position, in the joint space.
    pub fn embedding(&self, position: usize) -> &Matrix<f64> {
        &self.fitted[position].embedding
    }
    /// The maps alone: the same alignment without its fitted rows, their ids and labels, and the pairs. It maps and predicts new
    /// rows, and is as small as its maps. Methods whose out-of-sample extension needs the fitted rows have no such form.
    pub fn without_rows(&self) -> Result<Alignment> {
        fn is_map(mapping: &Mapping) -> bool {
            match mapping {
                Mapping::Linear(_) | Mapping::Sparse(_) | Mapping::Prepared(_) => true,
                Mapping::Moved(moved) => is_map(&moved.first),
                _ => false,
            }
        }
        if let Some(fitted) = self.fitted.iter().find(|f| !is_map(&f.mapping)) {
            let why = format!(
                "new rows of \"{}\" find their place by the fitted rows; methods with linear maps can do it",
                fitted.name
            );
            return Err(Error::Undefined { what: "a model without its rows".into(), why });
        }
        if matches!(self.extras, Extras::Levels(..)) {
            let why = "a hierarchy of levels is made of its rows; save the level that is needed with its rows".into();
            return Err(Error::Undefined { what: "a model without its rows".into(), why });
        }
        let mut bare = self.clone();
        bare.pairs = vec![];
        bare.extras = Extras::None;
        for fitted in &mut bare.fitted {
            fitted.embedding = Matrix::zeros(0, fitted.embedding.ncols());
            (fitted.row_ids, fitted.labels, fitted.snippets) = (None, None, None);
            if let Mapping::Moved(moved) = &mut fitted.mapping {
                moved.coordinates = Matrix::zeros(0, moved.coordinates.ncols());
            }
        }
        Ok(bare)
    }
    /// The same alignment with other rows in place of the fitted ones, for example to evaluate it on them: for each dataset the
    /// coordinates that [`Alignment::transform`] gave them, with ids and labels where there are some. No pairs of them are known.
    pub fn with_places(&self, places: Vec<Places>) -> Result<Alignment> {
        self.check_places("a model with other rows")?;
        let mut other = self.clone();
        if places.len() != self.fitted.len() {
            let (expected, got) = (self.fitted.len().to_string(), places.len().to_string());
            return Err(Error::Shape { what: "places, one for each dataset".into(), expected, got });
        }
        (other.pairs, other.extras, other.searches) = (vec![], Extras::None, Searches::default());
        for (fitted, Places { embedding, row_ids, labels }) in other.fitted.iter_mut().zip(places) {
            if embedding.nrows() == 0 {
                return Err(Error::EmptyDataset { dataset: fitted.name.clone(), rows: 0, columns: embedding.ncols() });
            }
            let (n, d) = (embedding.nrows(), embedding.ncols());
            let wrong = [
                ("coordinates", fitted.embedding.ncols(), d),
                ("row ids", n, row_ids.as_ref().map_or(n, Vec::len)),
                ("labels", n, labels.as_ref().map_or(n, Vec::len)),
            ];
            if let Some((what, expected, got)) = wrong.into_iter().find(|(_, expected, got)| expected != got) {
                let what = format!("{what} of the new rows of \"{}\"", fitted.name);
                return Err(Error::Shape { what, expected: expected.to_string(), got: got.to_string() });
            }
            (fitted.embedding, fitted.row_ids, fitted.labels, fitted.snippets) = (embedding, row_ids, labels, None);
        }
        Ok(other)
    }
    /// Whether the model has its fitted rows. A model that was saved without them does not.
    pub fn has_rows(&self) -> bool {
        self.fitted.iter().all(|f| f.nrows() > 0)
    }
    /// The votes predicted for the columns of a dataset.
    pub fn votes(&self, position: usize) -> Result<&[f64]> {
        match &self.fitted[self.position(position)?].mapping {
            Mapping::Votes(votes) => Ok(votes),
            _ => Err(Error::Undefined { what: "votes".into(), why: format!("method \"{}\" has no votes", self.method) }),
        }
    }
    /// Refuses operations that need coordinates of rows.
    pub(crate) fn check_places(&self, what: &str) -> Result<()> {
        if matches!(self.fitted[0].mapping, Mapping::Votes(_)) {
            let why = format!("method \"{}\" predicts the same for every row and gives no coordinates; use predict", self.method);
            return Err(Error::Undefined { what: what.into(), why });
        }
        Ok(())
    }
    /// Refuses operations that need the fitted rows.
    pub(crate) fn check_fitted_rows(&self, what: &str) -> Result<()> {
        self.check_places(what)?;
        if !self.has_rows() {
            let why = "the model was solved or saved without its fitted rows; transform, map and predict work, and so does \
                       evaluate with rows (CLI: evaluate --rows; Python: a.evaluate(truth, rows=[x, y]))"
                .into();
            return Err(Error::Undefined { what: what.into(), why });
        }
        Ok(())
    }
    /// The default metric of the joint space: cosine if the map is linear in the features, Euclidean if rows were placed or
    /// moved.
    pub fn default_metric(&self) -> Metric {
        match &self.fitted[0].mapping {
            Mapping::Linear(map) if map.offset.is_none() => Metric::Cosine,
            Mapping::Sparse(_) | Mapping::Prepared(_) => Metric::Cosine,
            _ => Metric::Euclidean,
        }
    }
    /// The position of a dataset.
    pub fn position<'a>(&self, dataset: impl Into<DatasetRef<'a>>) -> Result<usize> {
        let dataset = dataset.into();
        let found = match dataset {
            DatasetRef::Position(p) => (p < self.fitted.len()).then_some(p),
            DatasetRef::Name(name) => self.fitted.iter().position(|f| f.name == name),
        };
        found.ok_or_else(|| Error::UnknownDataset {
            name: match dataset {
                DatasetRef::Position(p) => p.to_string(),
                DatasetRef::Name(name) => format!("\"{name}\""),
            },
            known: self.fitted.iter().map(|f| format!("\"{}\"", f.name)).collect::<Vec<_>>().join(", "),
        })
    }
    /// Checks new rows as at fit time: same number of features, not empty, every value finite.
    pub(crate) fn check_new(&self, rows: &Rows, position: usize) -> Result<()> {
        let fitted = &self.fitted[position];
        if rows.ncols() != fitted.n_features {
            return Err(Error::FeatureCount { dataset: fitted.name.clone(), expected: fitted.n_features, got: rows.ncols() });
        }
        check_rows(&format!("new rows of {}", fitted.name), rows)?;
        // Counts that were scaled, or are logarithms less their means.
        if let Mapping::Linear(map) = &fitted.mapping
            && map.preparation.prepare().of_cells()
            && let (Some((row, column, value)), _) = faults(rows)
        {
            let (dataset, prepare) = (fitted.name.clone(), map.preparation.prepare().word());
            return Err(Error::NotCounts { dataset, row, column, value, prepare });
        }
        Ok(())
    }
    /// Coordinates of new rows of one dataset in the joint space.
    pub fn transform<'a>(&self, rows: &Rows, dataset: impl Into<DatasetRef<'a>>) -> Result<Matrix<f64>> {
        self.transform_with(rows, dataset, &Progress::silent())
    }
    /// Bytes that [`Alignment::transform`] takes, its result included.
    pub(crate) fn room_to_transform(&self, rows: RowsRef<'_>, position: usize) -> u64 {
        let fitted = &self.fitted[position];
        let deviations = match (&fitted.known_means, rows) {
            (None, _) => 0,
            (Some(_), RowsRef::Sparse(m)) => 2 * of_each(m.nnz(), 1, 12),
            (Some(_), dense) => 2 * of_each(dense.nrows(), dense.ncols(), 12),
        };
        deviations + fitted.mapping.room(rows, fitted.embedding.ncols())
    }
    /// As [`Alignment::transform`], with progress reports.
    pub fn transform_with<'a>(
        &self,
        rows: &Rows,
        dataset: impl Into<DatasetRef<'a>>,
        progress: &Progress,
    ) -> Result<Matrix<f64>> {
        self.check_places("transform")?;
        let position = self.position(dataset)?;
        self.check_new(rows, position)?;
        let fitted = &self.fitted[position];
        check_room("transform", self.room_to_transform(rows.into(), position))?;
        if let (Some(means), Some(prediction)) = (&fitted.known_means, self.prediction()) {
            let rows = Rows::Sparse(deviations(rows, prediction.known, means));
            return fitted.mapping.transform(&rows, &fitted.embedding, &fitted.name, progress);
        }
        fitted.mapping.transform(rows, &fitted.embedding, &fitted.name, progress)
    }

    /// Refuses places, maps and eigenvalues that are not finite: a model that holds them could be written and never read.
    pub(crate) fn check_numbers(&self) -> Result<()> {
        if !all_finite(&self.eigenvalues) {
            return Err(Error::Overflow { what: "eigenvalues".into() });
        }
        if let Some(fit) = self.paired_fit().filter(|fit| !all_finite(&fit.residuals)) {
            let pair = fit.residuals.iter().position(|r| !r.is_finite()).unwrap_or(0);
            return Err(Error::Overflow { what: format!("the distance of pair {pair}") });
        }
        for fitted in &self.fitted {
            if !all_finite(fitted.embedding().as_slice()) {
                return Err(Error::Overflow { what: format!("places of dataset \"{}\"", fitted.name()) });
            }
            let map = match &fitted.mapping {
                Mapping::Linear(map) => all_finite(map.weights.as_slice()),
                Mapping::Moved(moved) => all_finite(moved.by.matrix.as_slice()) && all_finite(&moved.by.offset),
                _ => true,
            };
            if !map {
                return Err(Error::Overflow { what: format!("the map of dataset \"{}\"", fitted.name()) });
            }
        }
        Ok(())
    }
}

/// Whether no number is infinite or missing; many are looked at by all threads.
pub(crate) fn all_finite(values: &[f64]) -> bool {
    const TOGETHER: usize = 1 << 16;
    if values.len() <= TOGETHER { f64::are_finite(values) } else { values.par_chunks(TOGETHER).all(f64::are_finite) }
}
