//! One file per command: its arguments, its examples, what it does.

pub(crate) mod align;
pub(crate) mod bridge;
pub(crate) mod check;
pub(crate) mod check_drift;
pub(crate) mod compare;
pub(crate) mod completions;
pub(crate) mod demo;
pub(crate) mod embed;
pub(crate) mod evaluate;
pub(crate) mod export;
pub(crate) mod features;
pub(crate) mod fit;
pub(crate) mod inspect;
pub(crate) mod labels;
pub(crate) mod man;
pub(crate) mod matches;
pub(crate) mod merge;
pub(crate) mod methods;
pub(crate) mod plot;
pub(crate) mod predict;
pub(crate) mod report;
pub(crate) mod solve;
pub(crate) mod stats;
pub(crate) mod topics;
pub(crate) mod transform;
pub(crate) mod tune;
