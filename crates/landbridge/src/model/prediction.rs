//! How values of other datasets are predicted, and the fitted predictors.

use crate::model::residuals::Residuals;
use landbridge_derive::{Params, Words};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

/// How values are predicted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Words)]
#[non_exhaustive]
pub enum Predictor {
    /// The column mean, plus the row's own offset, plus a kernel regression of the residuals on rows known on both sides.
    Residuals,
    /// The affine combination of the nearest rows of the other dataset in the joint space (Lamvu13 eq. 20, 21).
    Local,
}

/// The parameters of a prediction.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Params)]
#[params(group, heading = "Prediction")]
pub struct Prediction {
    /// Predictor for the values of other datasets.
    #[param(default = crate::model::Predictor::Residuals)]
    pub predictor: crate::model::Predictor,
    /// Number of neighbours in the joint space (k_A) of the local predictor.
    #[param(default = 10, min = 1)]
    pub n_neighbors_predict: usize,
    /// Ridge of the local weights, in units of the trace of the local Gram matrix.
    /// For ratings, larger values (1) predict better.
    #[param(default = 1e-3, above = 0.0)]
    pub ridge: f64,
    /// Which entries are known.
    #[param(default = crate::data::Known::Stored)]
    pub known: crate::data::Known,
}

/// Predictors fitted so far, by source and target.
pub(crate) type Learnt = Mutex<BTreeMap<(usize, usize), Arc<Residuals>>>;

impl Prediction {
    pub(crate) fn check(&self) -> crate::error::Result<()> {
        crate::params::Declared::check_ranges(self)
    }
}
