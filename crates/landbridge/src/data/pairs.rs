//! Which rows are known to correspond.

use crate::data::ColumnLink;
use crate::data::Dataset;
use crate::data::Sets;
use crate::data::offsets;
use crate::error::{Error, Result};
use crate::linalg::Csr;
use crate::outcome::Warning;
use std::collections::BTreeMap;

/// Row `i` of dataset `a` corresponds to row `j` of dataset `b`, `a < b`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Link {
    /// Position of the first dataset.
    pub a: usize,
    /// Row of the first dataset.
    pub i: usize,
    /// Position of the second dataset.
    pub b: usize,
    /// Row of the second dataset.
    pub j: usize,
    /// Weight of the pair; 1 by default.
    pub weight: f64,
}

/// Known correspondences among any number of datasets: many-to-many, weighted, possibly none.
///
/// A table has one column per dataset, with −1 for a missing counterpart. A pair given twice counts twice (the weights
/// add up).
///
/// ```
/// use landbridge::data::Pairs;
/// let pairs = Pairs::from_table(&[[0, 4, -1], [1, 7, 2]])?;
/// assert_eq!(pairs.n_datasets(), 3);
/// assert_eq!(pairs.links().len(), 1 + 3); // the second row joins three datasets: three pairs
/// # Ok::<(), landbridge::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Pairs {
    n_datasets: usize,
    links: Vec<Link>,
    /// Row of the table of each link, for messages.
    origin: Vec<usize>,
    /// What the user should know of how they came about.
    notes: Vec<Warning>,
    /// Columns that are known to correspond.
    columns: Vec<ColumnLink>,
}

impl Pairs {
    /// With something that the user should know of how they came about. A fit adds it to its warnings.
    #[must_use]
    pub fn with_note(mut self, note: Warning) -> Self {
        self.notes.push(note);
        self
    }
    /// What the user should know of them.
    pub fn notes(&self) -> &[Warning] {
        &self.notes
    }
    /// With columns that are known to correspond, for self-training: together with pairs of rows, or instead of them.
    #[must_use]
    pub fn with_column_links(mut self, links: Vec<ColumnLink>) -> Self {
        self.columns = links;
        self
    }
    /// Columns that are known to correspond.
    pub fn column_links(&self) -> &[ColumnLink] {
        &self.columns
    }
    /// No pairs among that many datasets.
    pub fn none(n_datasets: usize) -> Self {
        Self { n_datasets, links: vec![], origin: vec![], notes: vec![], columns: vec![] }
    }

    /// From a table with one column per dataset, −1 = no counterpart, every weight 1.
    pub fn from_table<R: AsRef<[i64]>>(table: &[R]) -> Result<Self> {
        Self::from_weighted_table(table, &vec![1.0; table.len()])
    }

    /// From a table with one weight per row.
    pub fn from_weighted_table<R: AsRef<[i64]>>(table: &[R], weights: &[f64]) -> Result<Self> {
        let n_datasets = table.first().map_or(2, |row| row.as_ref().len());
        if weights.len() != table.len() {
            return Err(Error::Shape {
                what: "pair weights".into(),
                expected: table.len().to_string(),
                got: weights.len().to_string(),
            });
        }
        let mut pairs = Self::none(n_datasets);
        for (r, (row, &weight)) in table.iter().zip(weights).enumerate() {
            let row = row.as_ref();
            if row.len() != n_datasets {
                return Err(Error::Shape {
                    what: format!("pairs, row {r}"),
                    expected: format!("{n_datasets} columns"),
                    got: row.len().to_string(),
                });
            }
            if let Some(a) = row.iter().position(|&v| v < -1) {
                return Err(Error::PairOutOfRange { row: r, dataset: a.to_string(), value: row[a], rows: 0 });
            }
            let present: Vec<(usize, usize)> =
                row.iter().enumerate().filter(|(_, v)| **v >= 0).map(|(a, &v)| (a, v as usize)).collect();
            if present.len() < 2 {
                return Err(Error::PairTooShort { row: r, entries: present.len() });
            }
            for (s, &(a, i)) in present.iter().enumerate() {
                for &(b, j) in &present[s + 1..] {
                    pairs.push(a, i, b, j, weight, r)?;
                }
            }
        }
        Ok(pairs)
    }

    /// The first `count` rows of all datasets correspond row by row.
    pub fn first_rows(n_datasets: usize, count: usize) -> Self {
        let mut pairs = Self::none(n_datasets);
        for i in 0..count {
            for a in 0..n_datasets {
                for b in a + 1..n_datasets {
                    pairs.links.push(Link { a, i, b, j: i, weight: 1.0 });
                    pairs.origin.push(i);
                }
            }
        }
        pairs
    }

    /// Adds one pair: row `i` of dataset `a` with row `j` of dataset `b`.
    pub fn add(&mut self, a: usize, i: usize, b: usize, j: usize, weight: f64) -> Result<()> {
        let row = self.links.len();
        self.push(a, i, b, j, weight, row)
    }

    /// Adds all entries of a sparse `n_a × n_b` weight matrix.
    pub fn add_matrix(&mut self, a: usize, b: usize, weights: &Csr) -> Result<()> {
        for i in 0..weights.nrows() {
            for (j, w) in weights.row(i) {
                if w != 0.0 {
                    self.push(a, i, b, j as usize, w, i)?;
                }
            }
        }
        Ok(())
    }

    fn push(&mut self, a: usize, i: usize, b: usize, j: usize, weight: f64, row: usize) -> Result<()> {
        if a == b || a.max(b) >= self.n_datasets {
            return Err(Error::UnknownDataset {
                name: format!("pair ({a}, {b})"),
                known: format!("{} different positions from 0", self.n_datasets),
            });
        }
        if !(weight.is_finite() && weight > 0.0) {
            return Err(Error::PairWeight { row, value: weight });
        }
        let link = if a < b { Link { a, i, b, j, weight } } else { Link { a: b, i: j, b: a, j: i, weight } };
        self.links.push(link);
        self.origin.push(row);
        Ok(())
    }

    /// Number of datasets.
    pub fn n_datasets(&self) -> usize {
        self.n_datasets
    }
    /// Every pair, in the order given.
    pub fn links(&self) -> &[Link] {
        &self.links
    }
    /// Number of pairs.
    pub fn len(&self) -> usize {
        self.links.len()
    }
    /// Whether there are no pairs.
    pub fn is_empty(&self) -> bool {
        self.links.is_empty()
    }

    /// Each pair once, where it is first given, with the sum of its weights; and the number of every given pair among these. Copies of
    /// a pair are not further evidence.
    pub(crate) fn merged(&self) -> (Self, Vec<usize>) {
        let mut first: BTreeMap<(usize, usize, usize, usize), usize> = BTreeMap::new();
        let mut merged = Self { links: vec![], origin: vec![], ..self.clone() };
        let mut number = Vec::with_capacity(self.links.len());
        for (link, &row) in self.links.iter().zip(&self.origin) {
            let at = *first.entry((link.a, link.i, link.b, link.j)).or_insert(merged.links.len());
            if at == merged.links.len() {
                merged.links.push(*link);
                merged.origin.push(row);
            } else {
                merged.links[at].weight += link.weight;
            }
            number.push(at);
        }
        (merged, number)
    }

    /// The group of each of the N rows (rows that any chain of pairs joins), and the number of groups; `starts` are the
    /// first rows of the datasets in the joint numbering, and N.
    pub(crate) fn groups(&self, starts: &[usize]) -> (Vec<u32>, usize) {
        let mut sets = Sets::new(starts[starts.len() - 1]);
        self.links.iter().for_each(|l| sets.join(starts[l.a] + l.i, starts[l.b] + l.j));
        sets.numbered()
    }

    /// Number of groups of more than one row.
    pub(crate) fn n_groups(&self, datasets: &[Dataset]) -> usize {
        let (group, count) = self.groups(&offsets(datasets.iter().map(Dataset::nrows)));
        let mut size = vec![0usize; count];
        group.iter().for_each(|g| size[*g as usize] += 1);
        size.into_iter().filter(|s| *s > 1).count()
    }

    /// Checks that there are pairs, that all rows exist, and that chains of pairs join all datasets.
    pub(crate) fn check_for(&self, datasets: &[Dataset], method: &str) -> Result<()> {
        if self.is_empty() {
            return Err(Error::NoPairs { method: method.into() });
        }
        self.check(datasets)?;
        self.check_joined(datasets)
    }

    /// Checks that all rows exist.
    pub(crate) fn check(&self, datasets: &[Dataset]) -> Result<()> {
        if self.n_datasets != datasets.len() {
            return Err(Error::PairColumns { columns: self.n_datasets, datasets: datasets.len() });
        }
        for (link, &row) in self.links.iter().zip(&self.origin) {
            for (a, i) in [(link.a, link.i), (link.b, link.j)] {
                if i >= datasets[a].nrows() {
                    return Err(Error::PairOutOfRange {
                        row,
                        dataset: datasets[a].name().into(),
                        value: i as i64,
                        rows: datasets[a].nrows(),
                    });
                }
            }
        }
        Ok(())
    }

    /// The first two datasets that no chain of pairs joins.
    pub(crate) fn check_joined(&self, datasets: &[Dataset]) -> Result<()> {
        let mut group: Vec<usize> = (0..self.n_datasets).collect();
        for link in &self.links {
            let (keep, drop) = (group[link.a].min(group[link.b]), group[link.a].max(group[link.b]));
            group.iter_mut().filter(|g| **g == drop).for_each(|g| *g = keep);
        }
        match group.iter().position(|&g| g != 0) {
            None => Ok(()),
            Some(b) => Err(Error::NotJoined { first: datasets[0].name().into(), second: datasets[b].name().into() }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::Matrix;

    fn two() -> Vec<Dataset> {
        ["a", "b"].map(|n| Dataset::new(n, Matrix::<f64>::zeros(4, 2)).unwrap()).to_vec()
    }

    #[test]
    fn a_row_of_three_entries_joins_all_three() {
        let pairs = Pairs::from_table(&[[3, 4, 5]]).unwrap();
        let found: Vec<_> = pairs.links().iter().map(|l| (l.a, l.i, l.b, l.j)).collect();
        assert_eq!(found, [(0, 3, 1, 4), (0, 3, 2, 5), (1, 4, 2, 5)]);
    }

    #[test]
    fn impossible_pairs_are_refused_with_their_row() {
        let pairs = Pairs::from_table(&[[0, 1], [2, 9]]).unwrap();
        let message = pairs.check(&two()).unwrap_err().to_string();
        assert_eq!(message, "pairs, row 1: row 9 is out of range: dataset \"b\" has 4 rows (0 to 3)");
        assert!(matches!(Pairs::from_table(&[[0, 1], [2, -1]]), Err(Error::PairTooShort { row: 1, entries: 1 })));
        assert!(matches!(Pairs::from_table(&[[0, -2]]), Err(Error::PairOutOfRange { value: -2, .. })));
        assert!(Pairs::from_table(&[vec![0, 1], vec![0]]).is_err());
        assert!(matches!(Pairs::from_weighted_table(&[[0, 1]], &[f64::NAN]), Err(Error::PairWeight { row: 0, .. })));
        assert!(matches!(Pairs::from_weighted_table(&[[0, 1]], &[0.0]), Err(Error::PairWeight { .. })));
        assert!(matches!(Pairs::none(3).check(&two()), Err(Error::PairColumns { .. })));
        let mut pairs = Pairs::none(2);
        assert!(pairs.add(0, 0, 0, 1, 1.0).is_err());
        assert!(pairs.add(0, 0, 2, 1, 1.0).is_err());
    }

    #[test]
    fn datasets_that_no_pair_reaches_are_named() {
        let mut three = two();
        three.push(Dataset::new("c", Matrix::<f64>::zeros(4, 2)).unwrap());
        let pairs = Pairs::from_table(&[[0, 1, -1]]).unwrap();
        assert!(pairs.check_joined(&three).unwrap_err().to_string().contains("\"a\" and \"c\""));
        let pairs = Pairs::from_table(&[[0, 1, -1], [-1, 1, 1]]).unwrap();
        assert!(pairs.check_joined(&three).is_ok());
    }

    #[test]
    fn a_matrix_and_a_reversed_pair_say_the_same() {
        let mut first = Pairs::none(2);
        first.add(1, 3, 0, 2, 0.5).unwrap();
        let mut second = Pairs::none(2);
        second.add_matrix(0, 1, &Csr::from_triplets(4, 4, &[(2, 3, 0.5)]).unwrap()).unwrap();
        assert_eq!(first.links(), second.links());
    }
}
