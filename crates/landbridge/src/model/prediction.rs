//! How values of other datasets are predicted, and what was learnt for it.

use crate::data::Known;
use crate::error::{Error, Result};
use crate::model::residuals::Residuals;
use crate::params::check_positive;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

/// How values are predicted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Predictor {
    /// Column mean, plus what the row's own offset says, plus what is left predicted from rows known in both.
    Residuals,
    /// The affine combination of the nearest rows of the other dataset in the joint space (Lamvu13 eq. 20, 21).
    Local,
}

/// The parameters of a prediction.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Prediction {
    /// How.
    pub predictor: Predictor,
    /// Neighbours in the joint space (k_A).
    pub n_neighbors_predict: usize,
    /// Ridge of local weights, in units of the trace of the local Gram matrix.
    pub ridge: f64,
    /// Which entries are known.
    pub known: Known,
}

impl Default for Prediction {
    fn default() -> Self {
        Self { predictor: Predictor::Residuals, n_neighbors_predict: 10, ridge: 1e-3, known: Known::Stored }
    }
}

impl Prediction {
    pub(crate) fn check(&self) -> Result<()> {
        check_positive("ridge", self.ridge)?;
        if self.n_neighbors_predict == 0 {
            return Err(Error::parameter("n_neighbors_predict", 0, "at least 1"));
        }
        Ok(())
    }
}

/// Predictors learnt so far, by source and target.
pub(crate) type Learnt = Mutex<BTreeMap<(usize, usize), Arc<Residuals>>>;
