//! What decides a comparison.

use crate::error::{Error, Result};
use serde::{Deserialize, Serialize};

/// What a comparison ranks by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "&str", try_from = "String")]
pub enum Scoring {
    /// Recall at 1 if the best method finds at least one partner in five at once, else FOSCTTM.
    #[default]
    Auto,
    /// The share of rows whose partner is the nearest row.
    RecallAt1,
    /// The share of rows whose partner is among the five nearest.
    RecallAt5,
    /// The share of rows whose partner is among the ten nearest.
    RecallAt10,
    /// The mean of `1 / rank`.
    Mrr,
    /// The share of rows that are nearer than the partner; smaller is better.
    Foscttm,
}

impl Scoring {
    /// All names.
    pub const NAMES: [&'static str; 6] = ["auto", "recall_at_1", "recall_at_5", "recall_at_10", "mrr", "foscttm"];
    pub(crate) const ALL: [Scoring; 6] =
        [Scoring::Auto, Scoring::RecallAt1, Scoring::RecallAt5, Scoring::RecallAt10, Scoring::Mrr, Scoring::Foscttm];
    /// The scoring of that name; a dash may replace an underscore.
    pub fn named(name: &str) -> Result<Self> {
        let at = Self::NAMES.iter().position(|n| *n == name.replace('-', "_"));
        at.map(|at| Self::ALL[at]).ok_or_else(|| {
            Error::parameter(
                "scoring",
                format!("\"{name}\""),
                &format!("one of {}", Self::NAMES.map(|n| format!("\"{n}\"")).join(", ")),
            )
        })
    }
    /// Its name.
    pub fn name(self) -> &'static str {
        Self::NAMES[Self::ALL.iter().position(|s| *s == self).unwrap_or(0)]
    }
    /// Whether larger is better.
    pub fn larger_is_better(self) -> bool {
        self != Scoring::Foscttm
    }
}

impl From<Scoring> for &'static str {
    fn from(scoring: Scoring) -> Self {
        scoring.name()
    }
}

impl TryFrom<String> for Scoring {
    type Error = Error;
    fn try_from(name: String) -> Result<Self> {
        Self::named(&name)
    }
}
