//! No embedding at all: the rows, prepared.

use super::{Embedding, check_rows_of};
use crate::builder::setters;
use crate::data::{Dataset, Preparation, Prepare};
use crate::error::Result;
use crate::linalg::Matrix;
use crate::model::Mapping;
use crate::outcome::Outcome;
use crate::progress::Progress;
use serde::{Deserialize, Serialize};

/// The prepared rows themselves, for data that have few dimensions already (atoms of a protein).
///
/// | parameter | default | purpose |
/// |---|---|---|
/// | `prepare` | none | what is done to rows |
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Unchanged {
    prepare: Prepare,
    #[serde(skip)]
    pub(super) n_jobs: usize,
}

impl Default for Unchanged {
    fn default() -> Self {
        Self { prepare: Prepare::None, n_jobs: 0 }
    }
}

impl Unchanged {
    /// Rows as they are.
    pub fn new() -> Self {
        Self::default()
    }
    setters! {
        /// What is done to the rows.
        prepare: Prepare => prepare;
        /// Threads, 0 = all cores.
        n_jobs: usize => n_jobs;
    }
    pub(super) fn fit_steps(&self, dataset: &Dataset, _: &Progress) -> Result<Embedding> {
        check_rows_of(dataset)?;
        let preparation = Preparation::fit(self.prepare, dataset.rows());
        let rows = preparation.apply(dataset.rows()).to_dense();
        let rows = Matrix::from_vec(rows.values, dataset.nrows(), dataset.ncols())?;
        let mapping = Mapping::Prepared(preparation);
        Ok(Embedding::new(&self.clone().into(), dataset, rows, mapping, vec![], Outcome::direct("none")))
    }
}
