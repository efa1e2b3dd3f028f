//! Which method suits the data: comparing methods by held-out pairs, choosing one, tuning its parameters, and what fits cost.

mod align;
mod bridge;
mod candidate;
mod compare;
mod folds;
mod interval;
mod journal;
mod look;
mod plan;
mod proposals;
mod scoring;
mod tune;

pub use crate::memory::free_memory;
pub use align::{Align, Aligned, Row, Selection, options_of};
pub use bridge::{Bridge, BridgeReport, Bridged, Cluster, Direction, Doubtful, Point, Quality, Tried};
pub use candidate::Candidate;
pub use compare::{Compare, Compared, Comparison, Measure};
pub use interval::Estimate;
pub use journal::Journal;
pub use look::Look;
pub use plan::{Limit, Plan, PlannedStage, Sizes, fit_within};
pub use scoring::Scoring;
pub use tune::{Domain, Trial, Tune, Tuned};
