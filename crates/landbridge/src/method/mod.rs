//! One published method per file: parameters, fit, tests.

mod cca;
mod clle;
mod global;
mod instance;
mod lamvu;
mod linear;
mod linear_transform;
mod multiscale;
mod pair_similarity;
mod procrustes;
mod sparse;
mod sparse_path;
mod votes;

pub(crate) use crate::builder::{fits, graph_setters, joint_setters, setters};
pub(crate) use crate::geometry::graphs;

pub use cca::Cca;
pub use clle::Clle;
pub use global::{Distance, GlobalAlignment};
pub use graphs::GraphParams;
pub use instance::{Cle, InstanceAlignment};
pub use lamvu::{Constraints, Lamvu};
pub use linear::{Constraint, LinearAlignment};
pub use linear_transform::LinearTransform;
pub use multiscale::{MultiscaleAlignment, Over};
pub use pair_similarity::PairSimilarity;
pub use procrustes::{AffineAlignment, ProcrustesAlignment};
pub use sparse::{SparseAlignment, SparsePenalty};
pub use sparse_path::{PathPoint, SparsePath, path_alphas};
pub use votes::{MeanVotes, PopularVotes, Unseen};

use crate::data::{Dataset, Pairs};
use crate::error::Result;
use crate::model::Alignment;
use crate::progress::Progress;

/// What is learnt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// Features: a linear map for each dataset.
    Feature,
    /// Rows: each gets a place of its own. (Sparse12 §4.1: X is the identity, groups and order are those of rows.)
    Instance,
}

/// What all methods are: parameters that can be fitted to datasets and pairs.
pub trait Method: Send + Sync {
    /// Aligns the datasets by the known pairs, telling of its progress.
    fn fit_with(&self, datasets: &[Dataset], pairs: &Pairs, progress: &Progress) -> Result<Alignment>;
}

macro_rules! methods {
    ($($name:ty),*) => {
        $(impl Method for $name {
            fn fit_with(&self, datasets: &[Dataset], pairs: &Pairs, progress: &Progress) -> Result<Alignment> {
                self.fit_with(datasets, pairs, progress)
            }
        })*
    };
}
methods!(
    InstanceAlignment,
    Cle,
    Clle,
    Lamvu,
    MeanVotes,
    PopularVotes,
    LinearAlignment,
    GlobalAlignment,
    Cca,
    LinearTransform,
    MultiscaleAlignment,
    PairSimilarity,
    ProcrustesAlignment,
    AffineAlignment,
    SparseAlignment
);
