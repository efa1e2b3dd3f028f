//! Known pairs held out in turn: which are held out together, and where their partners stand in fits that did not see them.

use crate::correspondence::pair_check::selected;
use crate::data::{Dataset, Link, Pairs, Sets, offsets};
use crate::error::{Error, Result};
use crate::evaluate::{Standing, standings};
use crate::linalg::Matrix;
use crate::method::Method;
use crate::model::Alignment;
use crate::progress::Progress;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// Which pairs are held out together.
///
/// Pairs that share a row, directly or by a chain, are never separated: a fit that knows one of them knows something of the
/// others. Rows that belong together in another way (passages of one book, cells of one donor) can be given as groups.
#[derive(Clone, Debug, PartialEq)]
pub struct Splits {
    /// The fold of each pair, in the order of the pairs.
    pub(crate) fold: Vec<usize>,
    /// The number of folds.
    pub(crate) folds: usize,
    /// The unit of each pair: pairs of one unit are not independent.
    pub(crate) unit: Vec<usize>,
    /// The number of units.
    pub(crate) units: usize,
}

impl Splits {
    /// Deals the pairs to folds at random. `groups` has a number for each row of each dataset; rows with the same number, in any
    /// dataset, are held out together.
    pub(crate) fn new(datasets: &[Dataset], pairs: &Pairs, folds: usize, seed: u64, groups: Option<&[Vec<usize>]>) -> Self {
        let start = offsets(datasets.iter().map(Dataset::nrows));
        let n = start[start.len() - 1];
        let most = groups.map_or(0, |g| g.iter().flatten().max().map_or(0, |m| m + 1));
        let mut sets = Sets::new(n + most);
        pairs.links().iter().for_each(|l| sets.join(start[l.a] + l.i, start[l.b] + l.j));
        for (a, of_rows) in groups.into_iter().flatten().enumerate() {
            of_rows.iter().enumerate().for_each(|(i, &group)| sets.join(start[a] + i, n + group));
        }
        let roots: Vec<usize> = pairs.links().iter().map(|l| sets.find(start[l.a] + l.i)).collect();
        let mut distinct = roots.clone();
        distinct.sort_unstable();
        distinct.dedup();
        let units = distinct.len();
        let folds = folds.min(units.max(1));
        let mut dealt: Vec<usize> = (0..units).map(|u| u % folds).collect();
        dealt.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
        let unit: Vec<usize> = roots.iter().map(|root| distinct.binary_search(root).unwrap_or(0)).collect();
        Self { fold: unit.iter().map(|u| dealt[*u]).collect(), folds, unit, units }
    }

    /// Every pair is a unit of its own, in one fold.
    pub(crate) fn alone(pairs: usize) -> Self {
        Self { fold: vec![0; pairs], folds: 1, unit: (0..pairs).collect(), units: pairs }
    }

    /// The same with at most this many folds, each made of whole folds of this one.
    pub(crate) fn coarser(&self, folds: usize) -> Self {
        let folds = folds.clamp(1, self.folds);
        Self { fold: self.fold.iter().map(|f| f % folds).collect(), folds, ..self.clone() }
    }

    /// The pairs that a fit sees while this fold is held out.
    pub(crate) fn known(&self, pairs: &Pairs, fold: usize) -> Result<Pairs> {
        selected(pairs, |p| self.fold[p] != fold)
    }

    /// As `known`, with about half of the units: what a fit sees that has half as many pairs.
    pub(crate) fn half_known(&self, pairs: &Pairs, fold: usize) -> Result<Pairs> {
        selected(pairs, |p| self.fold[p] != fold && self.unit[p] % 2 == fold % 2)
    }

    /// The positions of the pairs of a fold.
    pub(crate) fn held(&self, fold: usize) -> Vec<usize> {
        (0..self.fold.len()).filter(|p| self.fold[*p] == fold).collect()
    }
}

/// Fits the method without a fold of the pairs. `None`: the other pairs are too few for this method, or leave a dataset unconnected.
pub(crate) fn fit_without(
    method: &dyn Method,
    datasets: &[Dataset],
    pairs: &Pairs,
    splits: &Splits,
    fold: usize,
    progress: &Progress,
) -> Result<Option<Alignment>> {
    match method.fit_with(datasets, &splits.known(pairs, fold)?, progress) {
        Ok(fitted) => Ok(Some(fitted)),
        Err(
            Error::NoPairs { .. } | Error::NotJoined { .. } | Error::PairsDegenerate { .. } | Error::TooManyComponents { .. },
        ) => Ok(None),
        Err(error) => Err(error),
    }
}

/// The first `dimension` columns; `None`, or more than there are: all.
pub(crate) fn leading(z: &Matrix<f64>, dimension: Option<usize>) -> Cow<'_, Matrix<f64>> {
    match dimension.filter(|d| *d < z.ncols()) {
        Some(d) => Cow::Owned(Matrix::from_fn(z.nrows(), d, |i, c| z[(i, c)])),
        None => Cow::Borrowed(z),
    }
}

/// Where the partners of these pairs stand, in both directions, in the first `dimension` components of a fit.
pub(crate) fn standings_of(fitted: &Alignment, links: &[Link], dimension: Option<usize>) -> Vec<[Standing; 2]> {
    let metric = fitted.default_metric();
    let mut found = vec![[Standing { rank: 0, closer: 0.0 }; 2]; links.len()];
    let mut sides: Vec<(usize, usize)> = links.iter().map(|l| (l.a, l.b)).collect();
    sides.sort_unstable();
    sides.dedup();
    for (a, b) in sides {
        let own: Vec<usize> = (0..links.len()).filter(|q| (links[*q].a, links[*q].b) == (a, b)).collect();
        let rows: Vec<(usize, usize)> = own.iter().map(|q| (links[*q].i, links[*q].j)).collect();
        let (x, y) = (leading(fitted.embedding(a), dimension), leading(fitted.embedding(b), dimension));
        let placed = standings(&x, &y, &rows, metric);
        own.into_iter().zip(placed).for_each(|(q, standing)| found[q] = standing);
    }
    found
}

/// How near wrong partners are: the chance level of shares of nearer rows.
///
/// A fit may tell rows with pairs from rows without: `InstanceAlignment` pulls those with pairs apart. If most rows have pairs, the
/// few that are held out lie together, and even wrong partners among them are near. Wrong partners are those of other pairs of a fold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Chance {
    /// The sum of the shares of rows that are nearer than a wrong partner, in both directions.
    sum: f64,
    count: usize,
}

impl Chance {
    pub(crate) fn add(&mut self, other: Self) {
        self.sum += other.sum;
        self.count += other.count;
    }
    /// Tells shares in units in which chance is ½, if wrong partners are clearly nearer than half of all rows.
    pub(crate) fn correct(self, standings: &mut [[Standing; 2]]) {
        /// Standard deviations below ½.
        const CLEARLY: f64 = 2.0;
        let n = standings.len();
        let level = self.sum / self.count.max(1) as f64;
        if self.count >= n.max(10) && level < 0.5 - CLEARLY / (12.0 * n as f64).sqrt() {
            let by = 0.5 / level.max(1e-9);
            standings.iter_mut().flatten().for_each(|s| s.closer = (s.closer * by).min(1.0));
        }
    }
}

/// As [`standings_of`] the pairs of a fold, and how near wrong partners are.
pub(crate) fn held_standings(
    fitted: &Alignment,
    pairs: &Pairs,
    splits: &Splits,
    fold: usize,
    dimension: Option<usize>,
) -> (Vec<[Standing; 2]>, Chance) {
    let held = splits.held(fold);
    let own: Vec<Link> = held.iter().map(|p| pairs.links()[*p]).collect();
    let m = own.len();
    let wrong = |shift: usize| {
        (0..m).map(move |q| (q, (q + shift) % m)).filter_map(|(q, other)| {
            let same = (own[q].a, own[q].b) == (own[other].a, own[other].b);
            (same && splits.unit[held[q]] != splits.unit[held[other]]).then(|| Link { j: own[other].j, ..own[q] })
        })
    };
    let shifts = if m < 50 { 1..m.min(4) } else { 1..2 };
    let wrong: Vec<Link> = shifts.flat_map(wrong).collect();
    let shares = standings_of(fitted, &wrong, dimension);
    let chance = Chance { sum: shares.iter().flatten().map(|s| s.closer).sum(), count: 2 * shares.len() };
    (standings_of(fitted, &own, dimension), chance)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::synthetic::RotatedCopies;

    #[test]
    fn pairs_that_share_a_row_or_a_group_stay_together() {
        let copies = RotatedCopies::new(40).generate().unwrap();
        let mut pairs = Pairs::first_rows(2, 20);
        pairs.add(0, 3, 1, 7, 1.0).unwrap(); // joins the pairs of rows 3 and 7
        let splits = Splits::new(&copies.datasets, &pairs, 5, 0, None);
        assert_eq!((splits.folds, splits.units), (5, 19));
        assert!(splits.fold[3] == splits.fold[7] && splits.fold[20] == splits.fold[3]);
        // Ten chapters of four rows each.
        let chapters: Vec<Vec<usize>> = vec![(0..40).map(|i| i / 4).collect(); 2];
        let splits = Splits::new(&copies.datasets, &pairs, 5, 0, Some(&chapters));
        assert_eq!(splits.units, 4); // 3 and 7 join the first two chapters
        assert!((0..20).all(|p| splits.fold[p] == splits.fold[p / 4 * 4]));
        let all: usize = (0..splits.folds).map(|f| splits.held(f).len() + splits.known(&pairs, f).unwrap().len()).sum();
        assert_eq!(all, splits.folds * 21);
    }
}
