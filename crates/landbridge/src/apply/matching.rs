//! Matching the rows of one dataset to those of another.

use crate::apply::assignment::assign;
use crate::data::Rows;
use crate::error::{Error, Result};
use crate::geometry::csls::{nearest_corrected, nearest_known, nearness};
use crate::geometry::neighbors::{Extent, Index, Metric, Neighbors, neighbors_among, room_among};
use crate::linalg::Matrix;
use crate::memory::{check_room, of_doubles, of_each};
use crate::model::{Alignment, DatasetRef};
use crate::progress::Progress;
use serde::{Deserialize, Serialize};
use std::sync::{Arc, PoisonError};

/// How matches are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum How {
    /// The nearest target rows.
    Nearest,
    /// Cross-domain similarity local scaling (CSLS), which penalises hubs, rows that are near to many others: `2 cos(x, y) −
    /// r(x) − r(y)`, with r the mean cosine to the 10 nearest rows on the other side. For new rows the other side of y are the
    /// fitted rows, so that the matches of a new row do not depend on the other new rows.
    Csls,
    /// Mutual nearest neighbours only.
    Mutual,
    /// One-to-one assignment with the least total distance.
    Assignment,
}

/// Up to this many pairs of rows the assignment considers all of them, above only the nearest candidates.
const ALL_PAIRS: usize = 4_000_000;
const CANDIDATES: usize = 64;

/// Matches of each source row, best first.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Matches {
    /// Number of matches per row.
    pub k: usize,
    /// Target rows, −1 where a row has no match; k for each source row.
    pub indices: Vec<i64>,
    /// Distances of the matches (for CSLS the negated score); infinite if there is no match.
    pub distances: Vec<f64>,
}

impl Matches {
    /// Number of source rows.
    pub fn nrows(&self) -> usize {
        self.indices.len() / self.k
    }
    /// Matches of row `i`: `(target row, distance)`.
    pub fn row(&self, i: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let range = i * self.k..(i + 1) * self.k;
        self.indices[range.clone()].iter().zip(&self.distances[range]).filter(|(j, _)| **j >= 0).map(|(j, d)| (*j as usize, *d))
    }
    /// The best match of each row, −1 without one.
    pub fn best(&self) -> Vec<i64> {
        self.indices.iter().step_by(self.k).copied().collect()
    }
    /// Takes the matches of all other rows away.
    pub fn keep(&mut self, keep: impl Fn(usize) -> bool) {
        for i in (0..self.nrows()).filter(|&i| !keep(i)) {
            let range = i * self.k..(i + 1) * self.k;
            self.indices[range.clone()].fill(-1);
            self.distances[range].fill(f64::INFINITY);
        }
    }
    fn from_neighbors(found: Neighbors) -> Self {
        Self { k: found.k, indices: found.indices.into_iter().map(i64::from).collect(), distances: found.distances }
    }
    fn single(best: impl Iterator<Item = Option<(usize, f64)>>) -> Self {
        let (indices, distances) = best.map(|b| b.map_or((-1, f64::INFINITY), |(j, d)| (j as i64, d))).unzip();
        Self { k: 1, indices, distances }
    }
}

/// Matches between rows of a joint space.
pub fn match_rows(
    source: &Matrix<f64>,
    target: &Matrix<f64>,
    k: usize,
    how: How,
    metric: Metric,
    progress: &Progress,
) -> Result<Matches> {
    if source.ncols() != target.ncols() {
        return Err(Error::Shape {
            what: "source rows".into(),
            expected: format!("{} columns", target.ncols()),
            got: source.ncols().to_string(),
        });
    }
    check_count(k, target.nrows())?;
    check_room("match", room_for_matches(source.into(), target.into(), k, how, metric))?;
    if matches!(how, How::Mutual | How::Assignment) && k != 1 {
        return Err(Error::parameter("k", k, "1 for mutual matches and for an assignment"));
    }
    let nearest = |from: &Matrix<f64>, to: &Matrix<f64>, k: usize| neighbors_among(from, to, k, metric, progress);
    match how {
        How::Nearest => Ok(Matches::from_neighbors(nearest(source, target, k)?)),
        How::Csls => Ok(Matches::from_neighbors(nearest_corrected(source, target, k, progress)?)),
        How::Mutual => {
            let (there, back) = (nearest(source, target, 1)?, nearest(target, source, 1)?);
            Ok(Matches::single(
                there
                    .indices
                    .iter()
                    .zip(&there.distances)
                    .enumerate()
                    .map(|(i, (&j, &d))| (back.indices[j as usize] as usize == i).then_some((j as usize, d))),
            ))
        }
        How::Assignment => {
            let count = candidates_of(source.nrows(), target.nrows());
            let found = nearest(source, target, count)?;
            let candidates: Vec<Vec<(usize, f64)>> =
                (0..source.nrows()).map(|i| found.row(i).map(|(j, d)| (j as usize, d)).collect()).collect();
            let matched = assign(&candidates, target.nrows());
            Ok(Matches::single(
                matched.into_iter().enumerate().map(|(i, c)| c.and_then(|c| candidates[i].iter().find(|e| e.0 == c).copied())),
            ))
        }
    }
}

/// Bytes that matches take: what is found, in both directions where that is asked, and the candidates of an assignment once more.
fn room_for_matches(source: Extent, target: Extent, k: usize, how: How, metric: Metric) -> u64 {
    let (n, m) = (source.rows, target.rows);
    match how {
        How::Assignment => {
            let k = candidates_of(n, m);
            room_among(source, target, k, metric) + of_each(n, k, 24) + of_each(n, 1, 24)
        }
        How::Mutual => room_among(source, target, 1, metric) + room_among(target, source, 1, metric),
        // The neighbours of both sides correct the distances.
        How::Csls => room_among(source, target, k.max(10), metric) + room_among(target, source, 10, metric),
        How::Nearest => room_among(source, target, k, metric),
    }
}

/// Candidates of each row for an assignment.
fn candidates_of(rows: usize, targets: usize) -> usize {
    let all = rows.saturating_mul(targets) <= ALL_PAIRS;
    if all { targets } else { CANDIDATES.min(targets) }
}

fn check_count(k: usize, rows: usize) -> Result<()> {
    match k == 0 || k > rows {
        true => Err(Error::parameter("k", k, &format!("between 1 and {rows}, the number of target rows"))),
        false => Ok(()),
    }
}

impl Alignment {
    /// The r of CSLS of the fitted rows of `t`, by the fitted rows of `s`. Computed once.
    fn hubs(&self, s: usize, t: usize, progress: &Progress) -> Result<Arc<Vec<f64>>> {
        if let Some(known) = self.searches.near.lock().unwrap_or_else(PoisonError::into_inner).get(&(s, t)) {
            return Ok(Arc::clone(known));
        }
        // Computed before the lock is taken, because it uses threads.
        let found = Arc::new(nearness(self.embedding(t), self.embedding(s), progress)?);
        let mut near = self.searches.near.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(Arc::clone(near.entry((s, t)).or_insert(found)))
    }
    /// The fitted rows of `t`, laid out for searching. Computed once, and kept: half the memory of the rows.
    fn index(&self, t: usize, metric: Metric) -> Arc<Index> {
        if let Some(known) = self.searches.indexes.lock().unwrap_or_else(PoisonError::into_inner).get(&(t, metric)) {
            return Arc::clone(known);
        }
        // Computed before the lock is taken, because it uses threads.
        let made = Arc::new(Index::new(self.embedding(t), metric));
        let mut indexes = self.searches.indexes.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(indexes.entry((t, metric)).or_insert(made))
    }
    /// Matches of the fitted rows of `source` among those of `target`.
    pub fn match_fitted<'a, 'b>(
        &self,
        source: impl Into<DatasetRef<'a>>,
        target: impl Into<DatasetRef<'b>>,
        k: usize,
        how: How,
        metric: Metric,
    ) -> Result<Matches> {
        self.match_with(None, source, target, k, how, metric, &Progress::silent())
    }
    /// Matches of new rows of `source` among the fitted rows of `target`.
    pub fn match_new<'a, 'b>(
        &self,
        rows: &Rows,
        source: impl Into<DatasetRef<'a>>,
        target: impl Into<DatasetRef<'b>>,
        k: usize,
        how: How,
        metric: Metric,
    ) -> Result<Matches> {
        self.match_with(Some(rows), source, target, k, how, metric, &Progress::silent())
    }
    /// How matches are chosen where nobody says how: [`How::Csls`] where self-training found that it is right more often by matches
    /// that were held out, and the metric is the cosine; otherwise [`How::Nearest`].
    pub fn default_how(&self, metric: Option<Metric>) -> How {
        let cosine = metric.unwrap_or(self.default_metric()) == Metric::Cosine;
        let better = self.outcome().trust.as_ref().is_some_and(|t| t.csls && !t.pairs_alone);
        if cosine && better { How::Csls } else { How::Nearest }
    }
    /// Refuses matches of new rows that cannot fit into memory, before the rows are placed.
    fn check_new_matches(&self, rows: &Rows, (s, t): (usize, usize), k: usize, how: How, metric: Metric) -> Result<()> {
        check_count(k, self.embedding(t).nrows())?;
        let placed = Extent { rows: rows.nrows(), columns: self.n_components(), sparse: false };
        let places = of_doubles(placed.rows, placed.columns);
        let matching = places.saturating_add(room_for_matches(placed, self.embedding(t).into(), k, how, metric));
        check_room("match", matching.max(self.room_to_transform(rows.into(), s)))
    }
    /// Matches of new rows of `source`, or of its fitted ones, among the fitted rows of `target`.
    pub fn match_with<'a, 'b>(
        &self,
        rows: Option<&Rows>,
        source: impl Into<DatasetRef<'a>>,
        target: impl Into<DatasetRef<'b>>,
        k: usize,
        how: How,
        metric: Metric,
        progress: &Progress,
    ) -> Result<Matches> {
        self.check_fitted_rows("match")?;
        let (s, t) = (self.position(source)?, self.position(target)?);
        match rows {
            None => match_rows(self.embedding(s), self.embedding(t), k, how, metric, progress),
            Some(rows) if how == How::Csls => {
                self.check_new_matches(rows, (s, t), k, how, metric)?;
                let placed = self.transform_with(rows, s, progress)?;
                let (index, hubs) = (self.index(t, Metric::Cosine), self.hubs(s, t, progress)?);
                Ok(Matches::from_neighbors(nearest_known(&placed, self.embedding(t), &index, &hubs, k, progress)?))
            }
            Some(rows) if how == How::Nearest => {
                self.check_new_matches(rows, (s, t), k, how, metric)?;
                let placed = self.transform_with(rows, s, progress)?;
                Ok(Matches::from_neighbors(self.index(t, metric).neighbors(&placed, self.embedding(t), k, progress)?))
            }
            Some(rows) => {
                self.check_new_matches(rows, (s, t), k, how, metric)?;
                match_rows(&self.transform_with(rows, s, progress)?, self.embedding(t), k, how, metric, progress)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(n: usize, d: usize, seed: u64) -> Matrix<f64> {
        let mut state = seed;
        Matrix::from_fn(n, d, |_, _| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) as f64 / (1u64 << 31) as f64 - 0.5
        })
    }
    fn go(s: &Matrix<f64>, t: &Matrix<f64>, k: usize, how: How, metric: Metric) -> Result<Matches> {
        match_rows(s, t, k, how, metric, &Progress::silent())
    }

    #[test]
    fn csls_equals_its_formula() {
        let (x, y) = (rows(40, 5, 1), rows(30, 5, 2));
        let unit = |m: &Matrix<f64>| {
            Matrix::from_fn(m.nrows(), 5, |i, j| m[(i, j)] / m.row(i).iter().map(|v| v * v).sum::<f64>().sqrt())
        };
        let (ux, uy) = (unit(&x), unit(&y));
        let cos = |i: usize, j: usize| ux.row(i).iter().zip(uy.row(j)).map(|(a, b)| a * b).sum::<f64>();
        let top = |mut c: Vec<f64>| {
            c.sort_by(|a, b| b.total_cmp(a));
            c[..10].iter().sum::<f64>() / 10.0
        };
        let rx: Vec<f64> = (0..40).map(|i| top((0..30).map(|j| cos(i, j)).collect())).collect();
        let ry: Vec<f64> = (0..30).map(|j| top((0..40).map(|i| cos(i, j)).collect())).collect();
        let got = go(&x, &y, 3, How::Csls, Metric::Cosine).unwrap();
        for i in 0..40 {
            let mut scores: Vec<(f64, usize)> = (0..30).map(|j| (2.0 * cos(i, j) - rx[i] - ry[j], j)).collect();
            scores.sort_by(|a, b| b.0.total_cmp(&a.0));
            for (s, (j, d)) in got.row(i).enumerate() {
                assert_eq!(j, scores[s].1);
                assert!((-d - scores[s].0).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn new_rows_are_matched_one_by_one_as_the_fitted_ones_are() {
        use crate::data::synthetic::RotatedCopies;
        let copies = RotatedCopies::new(60).n_features(5).noise(0.2).generate().unwrap();
        let fitted = crate::method::Cca::new(3).fit(&copies.datasets, &copies.pairs(30, 0).unwrap()).unwrap();
        let all = fitted.match_fitted(0, 1, 3, How::Csls, Metric::Cosine).unwrap();
        for i in [0, 17, 59] {
            let one = copies.datasets[0].rows().select(&[i]);
            let found = fitted.match_new(&one, 0, 1, 3, How::Csls, Metric::Cosine).unwrap();
            assert_eq!(found.indices, all.indices[3 * i..3 * i + 3]);
            assert!(found.distances.iter().zip(&all.distances[3 * i..]).all(|(a, b)| (a - b).abs() < 1e-12));
        }
    }

    #[test]
    fn mutual_matches_agree_in_both_directions() {
        let (x, y) = (rows(50, 3, 5), rows(60, 3, 6));
        let there = go(&x, &y, 1, How::Nearest, Metric::Euclidean).unwrap();
        let back = go(&y, &x, 1, How::Nearest, Metric::Euclidean).unwrap();
        let mutual = go(&x, &y, 1, How::Mutual, Metric::Euclidean).unwrap();
        for i in 0..50 {
            let j = there.indices[i];
            let expected = if back.indices[j as usize] == i as i64 { j } else { -1 };
            assert_eq!(mutual.indices[i], expected);
            assert_eq!(mutual.distances[i].is_finite(), expected >= 0);
        }
        assert!(mutual.indices.iter().any(|j| *j >= 0));
    }

    #[test]
    fn an_assignment_of_a_permuted_copy_is_the_permutation() {
        let x = rows(80, 4, 9);
        let order: Vec<usize> = (0..80).map(|i| (i * 37) % 80).collect();
        let y = x.select_rows(&order);
        let got = go(&y, &x, 1, How::Assignment, Metric::Euclidean).unwrap();
        assert_eq!(got.indices, order.iter().map(|i| *i as i64).collect::<Vec<_>>());
        assert!(go(&x, &y, 2, How::Assignment, Metric::Euclidean).is_err());
        assert!(go(&x, &y, 0, How::Nearest, Metric::Euclidean).is_err());
        assert!(go(&x, &y, 81, How::Nearest, Metric::Euclidean).is_err());
        assert!(go(&rows(4, 3, 1), &y, 1, How::Nearest, Metric::Euclidean).is_err());
    }
}
