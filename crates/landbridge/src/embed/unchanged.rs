//! The identity embedding: the prepared rows.

use super::{Embedding, check_rows_of};
use crate::data::{Dataset, Preparation, Prepare};
use crate::error::Result;
use crate::linalg::Matrix;
use crate::model::Mapping;
use crate::outcome::Outcome;
use crate::params::{Threads, threads_setters};
use crate::progress::Progress;
use landbridge_derive::Params;

/// Uses the prepared rows as they are, for data that already have few dimensions (atoms of a protein).
///
#[derive(Clone, Debug, PartialEq, Params)]
#[params(name = "none", class = "Unchanged", family = "embedding", choose = "the rows already are coordinates")]
pub struct Unchanged {
    /// Preprocessing of the rows. It is fitted with the model, saved in it and applied to new rows.
    #[param(default = Prepare::None)]
    prepare: Prepare,
    #[group]
    pub(super) threads: Threads,
}

impl Unchanged {
    pub(crate) fn preparation(&self) -> Prepare {
        self.prepare
    }
    pub(super) fn fit_steps(&self, dataset: &Dataset, _: &Progress) -> Result<Embedding> {
        check_rows_of(dataset)?;
        let preparation = Preparation::of(self.prepare, dataset)?;
        let rows = preparation.apply(dataset.rows()).to_dense();
        let rows = Matrix::from_vec(rows.values, dataset.nrows(), dataset.ncols())?;
        let mapping = Mapping::Prepared(preparation);
        Ok(Embedding::new(&self.clone().into(), dataset, rows, mapping, vec![], Outcome::direct("none")))
    }
}
