//! Batches of rows: donors, sequencing runs, laboratories. Their means differ for reasons that say nothing about the rows.

use crate::error::{Error, Result};
use crate::linalg::tall::Tall;
use std::collections::{BTreeMap, BTreeSet};

/// The batch of each row of a dataset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Batches {
    /// Names, in alphabetical order.
    names: Vec<String>,
    /// The batch of each row, as a position in `names`.
    of: Vec<u32>,
}

/// Two batches whose compositions by label overlap less than this have different kinds of rows.
const OVERLAP: f64 = 0.1;
/// Labelled rows that a batch needs before its composition says anything.
const LEAST_LABELLED: usize = 10;

impl Batches {
    pub(crate) fn new(dataset: &str, of: &[impl AsRef<str>]) -> Result<Self> {
        if let Some(row) = of.iter().position(|b| b.as_ref().is_empty()) {
            return Err(Error::NoBatch {
                dataset: dataset.into(),
                row,
                count: of.iter().filter(|b| b.as_ref().is_empty()).count(),
            });
        }
        let names: Vec<String> = of.iter().map(AsRef::as_ref).collect::<BTreeSet<&str>>().into_iter().map(String::from).collect();
        let place: BTreeMap<&str, u32> = names.iter().map(String::as_str).zip(0..).collect();
        let of = of.iter().map(|b| place[b.as_ref()]).collect();
        Ok(Self { names, of })
    }
    /// Their names, in alphabetical order.
    pub fn names(&self) -> &[String] {
        &self.names
    }
    /// The batch of each row, as a position in `names`.
    pub fn of(&self) -> &[u32] {
        &self.of
    }
    /// The name of the batch of a row.
    pub fn name_of(&self, row: usize) -> &str {
        &self.names[self.of[row] as usize]
    }
    /// Rows in each batch.
    pub fn sizes(&self) -> Vec<usize> {
        let mut sizes = vec![0; self.names.len()];
        self.of.iter().for_each(|&b| sizes[b as usize] += 1);
        sizes
    }
    /// The batches of the chosen rows; batches that lose all rows keep their names.
    pub(crate) fn select(&self, rows: &[usize]) -> Self {
        Self { names: self.names.clone(), of: rows.iter().map(|&i| self.of[i]).collect() }
    }
    /// A number that differs where batches do, for results that fits share.
    pub(crate) fn fingerprint(&self) -> u64 {
        self.of.iter().fold(0xcbf2_9ce4_8422_2325, |h, &b| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3))
    }
    /// The mean of each batch: a row per batch.
    pub(crate) fn means(&self, rows: &Tall) -> Tall {
        let width = rows.stride;
        let mut means = Tall::zeros(self.names.len(), width);
        for (&b, row) in self.of.iter().zip(rows.values.chunks_exact(width.max(1))) {
            let to = &mut means.values[b as usize * width..(b as usize + 1) * width];
            to.iter_mut().zip(row).for_each(|(m, v)| *m += v);
        }
        for (size, mean) in self.sizes().into_iter().zip(means.values.chunks_exact_mut(width.max(1))) {
            mean.iter_mut().for_each(|m| *m /= size.max(1) as f64);
        }
        means
    }
    /// Subtracts from each row the mean of its batch, which it returns.
    pub(crate) fn center(&self, rows: &mut Tall) -> Tall {
        let (means, width) = (self.means(rows), rows.stride);
        for (&b, row) in self.of.iter().zip(rows.values.chunks_exact_mut(width.max(1))) {
            row.iter_mut().zip(&means.values[b as usize * width..(b as usize + 1) * width]).for_each(|(v, m)| *v -= m);
        }
        means
    }
    /// Two batches that have nearly no label in common, if there are such: their names, and the overlap of their compositions.
    pub(crate) fn confounded(&self, labels: &[String]) -> Option<(String, String, f64)> {
        let kinds: BTreeSet<&str> = labels.iter().map(String::as_str).filter(|l| !l.is_empty()).collect();
        let place: BTreeMap<&str, usize> = kinds.into_iter().zip(0..).collect();
        let mut counts = vec![vec![0usize; place.len()]; self.names.len()];
        for (&b, label) in self.of.iter().zip(labels) {
            if let Some(&kind) = place.get(label.as_str()) {
                counts[b as usize][kind] += 1;
            }
        }
        let total = |b: usize| counts[b].iter().sum::<usize>();
        let known: Vec<usize> = (0..counts.len()).filter(|&b| total(b) >= LEAST_LABELLED).collect();
        let mut worst: Option<(usize, usize, f64)> = None;
        for (at, &a) in known.iter().enumerate() {
            for &b in &known[at + 1..] {
                let share = |c: usize, kind: usize| counts[c][kind] as f64 / total(c) as f64;
                let overlap: f64 = (0..place.len()).map(|kind| share(a, kind).min(share(b, kind))).sum();
                if worst.is_none_or(|w| overlap < w.2) {
                    worst = Some((a, b, overlap));
                }
            }
        }
        let (a, b, overlap) = worst.filter(|w| w.2 < OVERLAP)?;
        Some((self.names[a].clone(), self.names[b].clone(), overlap))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_lose_the_mean_of_their_own_batch() {
        let batches = Batches::new("x", &["b", "a", "b"]).unwrap();
        assert_eq!(
            (batches.names(), batches.of(), batches.sizes()),
            (&["a".to_string(), "b".into()][..], &[1, 0, 1][..], vec![1, 2])
        );
        let mut rows = Tall { values: vec![1.0, 2.0, 5.0, 5.0, 3.0, 4.0], stride: 2 };
        let means = batches.center(&mut rows);
        assert_eq!(means.values, [5.0, 5.0, 2.0, 3.0]);
        assert_eq!(rows.values, [-1.0, -1.0, 0.0, 0.0, 1.0, 1.0]);
        assert_eq!(batches.select(&[1]).of(), [0]);
        assert_ne!(batches.fingerprint(), Batches::new("x", &["b", "a", "a"]).unwrap().fingerprint());
        let message = Batches::new("x", &["b", "", ""]).unwrap_err().to_string();
        assert!(message.contains("row 1") && message.contains("2 rows"), "{message}");
    }

    #[test]
    fn batches_of_other_labels_are_told() {
        let of: Vec<&str> = (0..40).map(|i| if i < 20 { "one" } else { "two" }).collect();
        let batches = Batches::new("x", &of).unwrap();
        let labels = |other: fn(usize) -> &'static str| (0..40).map(|i| other(i).to_string()).collect::<Vec<_>>();
        let (a, b, overlap) = batches.confounded(&labels(|i| if i < 20 { "T" } else { "B" })).unwrap();
        assert_eq!((a.as_str(), b.as_str(), overlap), ("one", "two", 0.0));
        assert_eq!(batches.confounded(&labels(|i| if i % 2 == 0 { "T" } else { "B" })), None);
        // Too few labels say nothing.
        assert_eq!(
            batches.confounded(&labels(|i| if i < 5 {
                "T"
            } else if i < 36 {
                ""
            } else {
                "B"
            })),
            None
        );
    }
}
