//! Which rows correspond, and how reliable the pairs are: inferring, checking and holding out pairs, and self-training.

mod confidence;
pub(crate) mod copies;
pub(crate) mod cross_validation;
pub(crate) mod held_out;
mod inferring;
mod pair_chances;
pub(crate) mod pair_check;
mod patterns;
mod rigid;
mod self_training;
mod transport;

pub use confidence::{Basis, MatchConfidence};
pub use cross_validation::Splits;
pub use held_out::{JudgeHeldOut, Judged};
pub use inferring::{Guess, Inferring};
pub use pair_check::{CheckPairs, PairCheck};
pub use patterns::{InferPairs, Inferred, Keep};
pub use self_training::{SelfTraining, StartFrom, looking_at_links};
pub use transport::TransportPairs;
