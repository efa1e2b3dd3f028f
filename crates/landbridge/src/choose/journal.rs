//! Finished folds of a comparison, kept between runs.

use crate::choose::folds::Extra;
use crate::correspondence::Splits;
use crate::correspondence::cross_validation::Chance;
use crate::data::{Dataset, Pairs, Rows};
use crate::error::Result;
use crate::evaluate::Standing;
use crate::method::Method;
use crate::params::{Kind, Value};
use serde::{Deserialize, Serialize};

/// Keeps what a comparison has finished, so that the same comparison can go on where it stopped.
pub trait Journal: Send + Sync {
    /// The entry of that key.
    fn find(&self, key: &str) -> Option<String>;
    /// Keeps an entry. The key is of letters and digits, the entry is one line.
    fn keep(&self, key: &str, entry: &str) -> Result<()>;
}

/// One fold of one candidate.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Fold {
    /// Where the held-out partners stand.
    pub(crate) standings: Vec<[Standing; 2]>,
    /// How near wrong partners are.
    #[serde(default)]
    pub(crate) chance: Chance,
    /// Measures of the fit as a whole.
    pub(crate) extras: Vec<Extra>,
    /// Seconds of the fit.
    pub(crate) seconds: f64,
}

/// A journal, for certain datasets and pairs.
pub(crate) struct Kept<'a> {
    journal: &'a dyn Journal,
    data: blake3::Hash,
}

impl<'a> Kept<'a> {
    /// Entries are found again only for the same rows, the same pairs and the same folds.
    pub(crate) fn new(journal: &'a dyn Journal, datasets: &[Dataset], pairs: &Pairs, splits: &Splits) -> Self {
        let mut hasher = blake3::Hasher::new();
        for dataset in datasets {
            hasher.update(&(dataset.nrows() as u64).to_le_bytes());
            hasher.update(&(dataset.ncols() as u64).to_le_bytes());
            let mut row = vec![0.0; dataset.ncols()];
            for i in 0..dataset.nrows() {
                match dataset.rows() {
                    Rows::Sparse(m) => m.row(i).for_each(|(j, v)| {
                        hasher.update(&j.to_le_bytes());
                        hasher.update(&v.to_le_bytes());
                    }),
                    dense => {
                        dense.copy_row(i, &mut row);
                        row.iter().for_each(|v| {
                            hasher.update(&v.to_le_bytes());
                        });
                    }
                }
                hasher.update(&[u8::MAX]);
            }
            dataset.labels().into_iter().flatten().for_each(|label| {
                hasher.update(label.as_bytes());
            });
        }
        for (link, fold) in pairs.links().iter().zip(&splits.fold) {
            for n in [link.a, link.i, link.b, link.j, *fold] {
                hasher.update(&(n as u64).to_le_bytes());
            }
            hasher.update(&link.weight.to_le_bytes());
        }
        Self { journal, data: hasher.finalize() }
    }

    /// The key of a fold. `None` for methods with given graphs or matrices, which their parameters do not name.
    fn key(&self, method: &dyn Method, fold: usize) -> Option<String> {
        let values = method.values();
        let given = values.iter().any(|(_, value)| matches!(value, Value::Text(word) if word == "precomputed"));
        if given || method.schema().params.iter().any(|p| p.kind == Kind::Matrices && method.schema().param("distance").is_none())
        {
            return None;
        }
        let mut hasher = blake3::Hasher::new();
        hasher.update(self.data.as_bytes());
        let values = Value::Map(values).to_json();
        let text = format!("{} {} {values} {fold}", env!("CARGO_PKG_VERSION"), method.schema().name);
        hasher.update(text.as_bytes());
        Some(hasher.finalize().to_hex().to_string())
    }

    /// What was kept of a fold that was finished before, if it was: where the held-out partners stand, the measures of the fit as a
    /// whole, and the seconds.
    pub(crate) fn find(&self, method: &dyn Method, fold: usize, held: usize) -> Option<Fold> {
        let entry: Fold = serde_json::from_str(&self.journal.find(&self.key(method, fold)?)?).ok()?;
        (entry.standings.len() == held).then_some(entry)
    }

    /// Keeps a finished fold.
    pub(crate) fn keep(&self, method: &dyn Method, fold: usize, entry: &Fold) -> Result<()> {
        let text = serde_json::to_string(entry).unwrap_or_default();
        self.key(method, fold).map_or(Ok(()), |key| self.journal.keep(&key, &text))
    }
}
