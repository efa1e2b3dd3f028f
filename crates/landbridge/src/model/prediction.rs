//! How values of other datasets are predicted, and what was learnt for it.

use crate::model::residuals::Residuals;
use landbridge_derive::{Params, Words};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

/// How values are predicted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Words)]
pub enum Predictor {
    /// The mean of the column, plus what the row's own offset says, plus what is left, predicted from rows known on both sides.
    Residuals,
    /// The combination of the nearest rows of the other dataset in the joint space (Lamvu13 eq. 20, 21).
    Local,
}

/// The parameters of a prediction.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Params)]
#[params(group, heading = "Prediction")]
pub struct Prediction {
    /// How values of the other datasets are predicted.
    #[param(default = crate::model::Predictor::Residuals)]
    pub predictor: crate::model::Predictor,
    /// Number of neighbours in the joint space (k_A) of the local predictor.
    #[param(default = 10, min = 1)]
    pub n_neighbors_predict: usize,
    /// Ridge of local weights, in units of the trace of the local Gram matrix. For ratings larger values (1) predict better.
    #[param(default = 1e-3, above = 0.0)]
    pub ridge: f64,
    /// Which values are known.
    #[param(default = crate::data::Known::Stored)]
    pub known: crate::data::Known,
}

/// Predictors learnt so far, by source and target.
pub(crate) type Learnt = Mutex<BTreeMap<(usize, usize), Arc<Residuals>>>;

impl Prediction {
    pub(crate) fn check(&self) -> crate::error::Result<()> {
        crate::params::Declared::check_ranges(self)
    }
}
