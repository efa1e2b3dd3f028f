//! Which rows the page shows.

use landbridge::data::Link;
use landbridge::model::Alignment;
use landbridge_plot::sample;
use std::collections::{BTreeMap, BTreeSet};

/// Pairs whose rows a sample keeps, so that there are lines to draw.
const KEPT_PAIRS: usize = 500;

/// The rows on the page, dataset by dataset, ascending.
pub(crate) struct Shown {
    pub(crate) rows: Vec<Vec<usize>>,
    /// Whether some rows are not on the page.
    pub(crate) sampled: bool,
}

impl Shown {
    /// All rows, or a sample of `most` that keeps rare labels and some pairs.
    pub(crate) fn choose(alignment: &Alignment, truth: Option<&[Link]>, most: usize) -> Self {
        let sizes: Vec<usize> = alignment.datasets().iter().map(|d| d.nrows()).collect();
        let total: usize = sizes.iter().sum();
        if total <= most {
            return Self { rows: sizes.iter().map(|n| (0..*n).collect()).collect(), sampled: false };
        }
        let pairs = truth.filter(|t| !t.is_empty()).unwrap_or(alignment.pairs());
        let kept: Vec<&Link> = sample(pairs.len(), KEPT_PAIRS.min(most / 10)).into_iter().map(|p| &pairs[p]).collect();
        let rows = |a: usize| {
            let quota = (most as f64 * sizes[a] as f64 / total as f64) as usize;
            let paired = kept.iter().flat_map(|l| [(l.a, l.i), (l.b, l.j)]).filter(|(d, _)| *d == a).map(|(_, i)| i);
            let mut chosen: BTreeSet<usize> = paired.take(quota).collect();
            let room = quota - chosen.len();
            chosen.extend(by_label(sizes[a], alignment.datasets()[a].labels(), room));
            chosen.into_iter().collect()
        };
        Self { rows: (0..sizes.len()).map(rows).collect(), sampled: true }
    }
    /// Their number.
    pub(crate) fn len(&self) -> usize {
        self.rows.iter().map(Vec::len).sum()
    }
    /// Every row on the page: its dataset and its number there.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.rows.iter().enumerate().flat_map(|(a, rows)| rows.iter().map(move |i| (a, *i)))
    }
    /// The place of a row on the page.
    pub(crate) fn place(&self, dataset: usize, row: usize) -> Option<usize> {
        let before: usize = self.rows[..dataset].iter().map(Vec::len).sum();
        match self.sampled {
            true => self.rows[dataset].binary_search(&row).ok().map(|at| before + at),
            false => Some(before + row),
        }
    }
}

/// About `keep` of the rows. A label gets places by the square root of its frequency, so that rare labels are seen.
fn by_label(n: usize, labels: Option<&[String]>, keep: usize) -> Vec<usize> {
    let Some(labels) = labels else { return sample(n, keep) };
    let mut rows: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    labels.iter().enumerate().for_each(|(i, label)| rows.entry(label).or_default().push(i));
    // Labels that need fewer places than their share leave them to the others.
    let mut groups: Vec<&Vec<usize>> = rows.values().collect();
    groups.sort_by_key(|g| g.len());
    let mut weight: f64 = groups.iter().map(|g| (g.len() as f64).sqrt()).sum();
    let (mut left, mut chosen) = (keep, vec![]);
    for group in groups {
        let own = (group.len() as f64).sqrt();
        let places = ((left as f64 * own / weight) as usize).min(group.len());
        chosen.extend(sample(group.len(), places).into_iter().map(|at| group[at]));
        (left, weight) = (left - places, (weight - own).max(f64::MIN_POSITIVE));
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_keeps_rare_labels() {
        let labels: Vec<String> = (0..10_000).map(|i| if i % 1000 == 7 { "rare".into() } else { format!("{}", i % 3) }).collect();
        let rows = by_label(10_000, Some(&labels), 1000);
        let rare = rows.iter().filter(|i| labels[**i] == "rare").count();
        assert_eq!(rare, 10);
        assert!((990..=1000).contains(&rows.len()), "{}", rows.len());
        for label in ["0", "1", "2"] {
            let count = rows.iter().filter(|i| labels[**i] == label).count();
            assert!((310..350).contains(&count), "{label} {count}");
        }
        assert_eq!(by_label(10, None, 4).len(), 4);
    }
}
