//! What held-out pairs say about a map between two stores.

use super::recipe::Rooms;
use crate::choose::interval::Estimate;
use crate::correspondence::Splits;
use crate::correspondence::cross_validation::standings_of;
use crate::data::{Dataset, Link, Pairs, RowsRef};
use crate::error::Result;
use crate::evaluate::{Standing, standings};
use crate::geometry::neighbors::{Metric, neighbors_among, row_distance, unit_length};
use crate::linalg::Matrix;
use crate::model::Alignment;
use crate::progress::Progress;
use serde::{Deserialize, Serialize};

/// Length of the lists that a search returns.
const LIST: usize = 10;
/// Rows of a store among which recipes are compared, beside those of the held-out pairs.
const RIVALS: usize = 2_000;
/// So many rows without a pair are enough to compare among them alone.
const ENOUGH_RIVALS: usize = 500;
/// Held-out pairs per cluster, at least on average, and the largest number of clusters.
const PER_CLUSTER: usize = 20;
const MOST_CLUSTERS: usize = 50;
/// Clusters that are reported.
const WORST: usize = 10;
/// Unpaired rows of the old store that are looked at, and that are named.
const LOOKED_AT: usize = 10_000;
const NAMED: usize = 1_000;

/// One direction of search, by held-out pairs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Direction {
    /// Share of rows whose partner comes first.
    pub recall_at_1: Estimate,
    /// Share of rows whose partner is among the first ten.
    pub recall_at_10: Estimate,
    /// Mean of `1 / log2(1 + rank)`, 0 beyond rank ten.
    pub ndcg_at_10: Estimate,
}

/// A group of similar rows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Cluster {
    /// Held-out pairs in it.
    pub pairs: usize,
    /// Share of old vectors that find their row of the new store first.
    pub recall_at_1: Estimate,
    /// Share of old vectors that find their row of the new store among ten.
    pub recall_at_10: Estimate,
    /// Rows of the old store near its centre, at most five.
    pub rows: Vec<usize>,
}

/// How good a bridge is, from pairs that it did not see.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Quality {
    /// Held-out pairs.
    pub pairs: usize,
    /// Old vectors search the new store, both in the joint space.
    pub old_to_new: Direction,
    /// New vectors search the old store, both in the joint space.
    pub new_to_old: Direction,
    /// Mapped old vectors search the new store as it is, by cosine. `None` for methods without a map of the features.
    pub mapped: Option<Direction>,
    /// Share of the ten rows that the true new vector finds in the new store, that the old vector finds in the joint space:
    /// relative to full re-embedding, which has 1.
    pub overlap_at_10: Estimate,
    /// Cosine between the predicted and the true new vector. `None` for methods without a map of the features.
    pub cosine: Option<Estimate>,
    /// The clusters of rows with the least recall at ten, the worst first; none with fewer than 40 pairs.
    pub worst_clusters: Vec<Cluster>,
}

/// A point of a learning curve.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Point {
    /// Known pairs.
    pub pairs: usize,
    /// Mean of both directions.
    pub recall_at_1: f64,
    /// Mean of both directions.
    pub recall_at_10: f64,
}

/// A row whose place is not certain.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Doubtful {
    /// Its number in the old store.
    pub row: usize,
    /// How much nearer the nearest row of the new store is than the second.
    pub margin: f64,
    /// Share of held-out rows with such a margin that found their partner first. `None` without held-out pairs.
    pub confidence: Option<f64>,
}

/// What one held-out pair saw.
#[derive(Clone, Debug)]
pub(super) struct Seen {
    pub(super) pair: usize,
    pub(super) link: Link,
    /// There and back.
    pub(super) standings: [Standing; 2],
    pub(super) close: Option<Close>,
}

/// What is measured for the winner only.
#[derive(Clone, Debug)]
pub(super) struct Close {
    overlap: f64,
    margin: f64,
    /// Place of the partner among the ten rows that the mapped vector finds; the cosine to the true vector.
    mapped: Option<(Option<usize>, f64)>,
}

impl Point {
    pub(super) fn of(pairs: usize, seen: &[Seen]) -> Self {
        Self { pairs, recall_at_1: recall(seen, 1), recall_at_10: recall(seen, LIST) }
    }
}

/// Share of standings up to this rank, in both directions.
pub(super) fn recall(seen: &[Seen], k: usize) -> f64 {
    seen.iter().flat_map(|s| s.standings).filter(|s| s.rank <= k).count() as f64 / (2 * seen.len()).max(1) as f64
}

/// Pairs that a fit did not see: their numbers, and the pairs.
pub(super) struct Held {
    numbers: Vec<usize>,
    links: Vec<Link>,
}

/// Rows of both stores, and the held-out pairs as places among them.
pub(super) struct Among {
    pub(super) rows: [Vec<usize>; 2],
    pairs: Vec<(usize, usize)>,
}

impl Held {
    pub(super) fn new(pairs: &Pairs, numbers: Vec<usize>) -> Self {
        let links = numbers.iter().map(|p| pairs.links()[*p]).collect();
        Self { numbers, links }
    }
    /// The rows of the held-out pairs among others, evenly chosen: rows that are in no pair, if there are enough of them. Queries and most
    /// rows of a store are new to the map, and rows that it was fitted on let maps look better that follow them less.
    pub(super) fn among_some(&self, datasets: &[Dataset], rooms: &Rooms) -> Among {
        let chosen = |a: usize| {
            let n = datasets[a].nrows();
            let count = n.min(RIVALS);
            let own = self.links.iter().map(|l| if a == 0 { l.i } else { l.j });
            let rivals = match rooms.free[a].len() >= ENOUGH_RIVALS {
                true => rooms.some(a, RIVALS),
                false => (0..count).map(|t| t * n / count).collect(),
            };
            let mut rows: Vec<usize> = own.chain(rivals).collect();
            rows.sort_unstable();
            rows.dedup();
            rows
        };
        let rows = [chosen(0), chosen(1)];
        let place = |a: usize, row: usize| rows[a].partition_point(|r| *r < row);
        let pairs = self.links.iter().map(|l| (place(0, l.i), place(1, l.j))).collect();
        Among { rows, pairs }
    }
    /// What the pairs see among these rows, which are placed at `old` and `new`.
    pub(super) fn seen_among(&self, some: &Among, old: &Matrix<f64>, new: &Matrix<f64>, metric: Metric) -> Vec<Seen> {
        self.with(standings(old, new, &some.pairs, metric))
    }
    fn with(&self, standings: Vec<[Standing; 2]>) -> Vec<Seen> {
        let each = self.numbers.iter().zip(&self.links).zip(standings);
        each.map(|((&pair, &link), standings)| Seen { pair, link, standings, close: None }).collect()
    }
}

/// Looks the held-out pairs up in a map that did not see them.
pub(super) fn seen(
    fitted: &Alignment,
    datasets: &[Dataset],
    held: &Held,
    closely: bool,
    progress: &Progress,
) -> Result<Vec<Seen>> {
    let links = &held.links;
    let mut out = held.with(standings_of(fitted, links, None));
    if !closely || links.is_empty() {
        return Ok(out);
    }
    let (old, new): (Vec<usize>, Vec<usize>) = links.iter().map(|l| (l.i, l.j)).unzip();
    let store = datasets[1].rows();
    let k = LIST.min(store.nrows());
    let found =
        neighbors_among(&fitted.embedding(0).select_rows(&old), fitted.embedding(1), k, fitted.default_metric(), progress)?;
    let truly = neighbors_among(&store.select(&new), store, k, Metric::Cosine, progress)?;
    let rows = datasets[0].rows().select(&old);
    let mapped = match (fitted.map(&rows, 0, 1), fitted.predict(&rows, 0, 1)) {
        (Ok(mapped), Ok(predicted)) => Some((neighbors_among(&mapped, store, k, Metric::Cosine, progress)?, predicted)),
        _ => None,
    };
    let mut truth = vec![0.0; store.ncols()];
    for (q, seen) in out.iter_mut().enumerate() {
        let list: Vec<u32> = truly.row(q).map(|n| n.0).collect();
        let common = found.row(q).filter(|n| list.contains(&n.0)).count();
        let mut distances = found.row(q).map(|n| n.1);
        let margin = distances.next().zip(distances.next()).map_or(0.0, |(first, second)| second - first);
        let mapped = mapped.as_ref().map(|(found, predicted)| {
            store.copy_row(new[q], &mut truth);
            let place = found.row(q).position(|n| n.0 as usize == new[q]);
            (place, 1.0 - row_distance(Metric::Cosine, predicted.row(q), &truth))
        });
        seen.close = Some(Close { overlap: common as f64 / k as f64, margin, mapped });
    }
    Ok(out)
}

/// Means over independent units, which pairs that share a row are together.
fn estimate(seen: &[Seen], splits: &Splits, value: impl Fn(&Seen) -> f64) -> Estimate {
    let (mut sums, mut counts) = (vec![0.0; splits.units], vec![0usize; splits.units]);
    for one in seen {
        let unit = splits.unit[one.pair];
        sums[unit] += value(one);
        counts[unit] += 1;
    }
    let shares: Vec<f64> = sums.iter().zip(&counts).filter(|(_, n)| **n > 0).map(|(s, n)| s / *n as f64).collect();
    Estimate::of(&shares)
}

fn discounted(rank: usize) -> f64 {
    if rank <= LIST { 1.0 / (1.0 + rank as f64).log2() } else { 0.0 }
}

fn within(rank: usize, k: usize) -> f64 {
    f64::from(u8::from(rank <= k))
}

fn direction(seen: &[Seen], splits: &Splits, gained: [f64; 2], rank: impl Fn(&Seen) -> usize) -> Direction {
    Direction {
        recall_at_1: estimate(seen, splits, |s| within(rank(s), 1)).moved(gained[0]),
        recall_at_10: estimate(seen, splits, |s| within(rank(s), LIST)).moved(gained[1]),
        ndcg_at_10: estimate(seen, splits, |s| discounted(rank(s))).moved(0.5 * (gained[0] + gained[1])),
    }
}

/// The figures; `gained` is what the pairs of a fold add to recall at 1 and at 10.
pub(super) fn measured(seen: &[Seen], datasets: &[Dataset], splits: &Splits, gained: [f64; 2]) -> Quality {
    let close = |s: &Seen, of: &dyn Fn(&Close) -> f64| s.close.as_ref().map_or(0.0, of);
    let has_map = seen.iter().all(|s| s.close.as_ref().is_some_and(|c| c.mapped.is_some()));
    let place = |s: &Seen| {
        let found = s.close.as_ref().and_then(|c| c.mapped).and_then(|m| m.0);
        found.map_or(usize::MAX, |at| at + 1)
    };
    // Cosines may be negative, and shares are not: the interval is that of (1 + cosine) / 2.
    let cosine = || {
        let half = estimate(seen, splits, |s| close(s, &|c| c.mapped.map_or(0.0, |m| 0.5 + 0.5 * m.1)));
        let back = |v: f64| 2.0 * v - 1.0;
        Estimate { value: back(half.value), low: back(half.low), high: back(half.high) }
    };
    Quality {
        pairs: seen.len(),
        old_to_new: direction(seen, splits, gained, |s| s.standings[0].rank),
        new_to_old: direction(seen, splits, gained, |s| s.standings[1].rank),
        mapped: has_map.then(|| direction(seen, splits, gained, place)),
        overlap_at_10: estimate(seen, splits, |s| close(s, &|c| c.overlap)).moved(gained[1]),
        cosine: has_map.then(cosine),
        worst_clusters: worst_clusters(seen, datasets, splits),
    }
}

/// The held-out rows in clusters by their true new vectors, the worst first.
fn worst_clusters(seen: &[Seen], datasets: &[Dataset], splits: &Splits) -> Vec<Cluster> {
    let count = (seen.len() / PER_CLUSTER).min(MOST_CLUSTERS);
    if count < 2 {
        return vec![];
    }
    let rows: Vec<usize> = seen.iter().map(|s| s.link.j).collect();
    let mut vectors = Matrix::zeros(rows.len(), datasets[1].ncols());
    for (q, &row) in rows.iter().enumerate() {
        datasets[1].rows().copy_row(row, vectors.row_mut(q));
        unit_length(vectors.row_mut(q));
    }
    let (cluster, nearness) = grouped(&vectors, count);
    let mut out = vec![];
    for c in 0..count {
        let mut members: Vec<usize> = (0..seen.len()).filter(|q| cluster[*q] == c).collect();
        members.sort_by(|a, b| nearness[*b].total_cmp(&nearness[*a]).then(a.cmp(b)));
        let own: Vec<Seen> = members.iter().map(|q| seen[*q].clone()).collect();
        if own.is_empty() {
            continue;
        }
        out.push(Cluster {
            pairs: own.len(),
            recall_at_1: estimate(&own, splits, |s| within(s.standings[0].rank, 1)),
            recall_at_10: estimate(&own, splits, |s| within(s.standings[0].rank, LIST)),
            rows: own.iter().take(5).map(|s| s.link.i).collect(),
        });
    }
    // The upper end: few pairs that failed by chance do not make a bad cluster.
    out.sort_by(|a, b| {
        a.recall_at_10.high.total_cmp(&b.recall_at_10.high).then(a.recall_at_1.high.total_cmp(&b.recall_at_1.high))
    });
    out.truncate(WORST);
    out
}

/// The group of each row of length 1, and its cosine to the centre: Lloyd's iteration from evenly chosen rows.
fn grouped(rows: &Matrix<f64>, count: usize) -> (Vec<usize>, Vec<f64>) {
    const ROUNDS: usize = 12;
    let n = rows.nrows();
    let mut centres = rows.select_rows(&(0..count).map(|c| c * n / count).collect::<Vec<_>>());
    let (mut group, mut nearness) = (vec![0; n], vec![0.0; n]);
    for _ in 0..ROUNDS {
        for i in 0..n {
            let cosine = |c: usize| rows.row(i).iter().zip(centres.row(c)).map(|(a, b)| a * b).sum::<f64>();
            (group[i], nearness[i]) = (0..count)
                .map(|c| (c, cosine(c)))
                .fold((0, f64::NEG_INFINITY), |best, own| if own.1 > best.1 { own } else { best });
        }
        let mut sums = Matrix::zeros(count, rows.ncols());
        (0..n).for_each(|i| sums.row_mut(group[i]).iter_mut().zip(rows.row(i)).for_each(|(s, v)| *s += v));
        (0..count).for_each(|c| unit_length(sums.row_mut(c)));
        centres = sums;
    }
    (group, nearness)
}

/// Unpaired rows of the old store, those with the least certain place first.
pub(super) fn doubtful(fitted: &Alignment, rooms: &Rooms, seen: &[Seen], progress: &Progress) -> Result<Vec<Doubtful>> {
    let rows = rooms.some(0, LOOKED_AT);
    let target = fitted.embedding(1);
    if rows.is_empty() || target.nrows() < 2 {
        return Ok(vec![]);
    }
    let found = neighbors_among(
        RowsRef::from(&fitted.embedding(0).select_rows(&rows)),
        RowsRef::from(target),
        2,
        fitted.default_metric(),
        progress,
    )?;
    let confidence = Confidence::new(seen.iter().filter_map(|s| Some((s.close.as_ref()?.margin, s.standings[0].rank == 1))));
    let one = |(q, &row): (usize, &usize)| {
        let margin = found.distances[2 * q + 1] - found.distances[2 * q];
        Doubtful { row, margin, confidence: confidence.of(margin) }
    };
    let mut all: Vec<Doubtful> = rows.iter().enumerate().map(one).collect();
    all.sort_by(|a, b| a.margin.total_cmp(&b.margin).then(a.row.cmp(&b.row)));
    all.truncate(NAMED);
    Ok(all)
}

/// The share of right answers by margin, which never falls with the margin (isotonic regression).
struct Confidence {
    /// Least margin of each step, and its share.
    steps: Vec<(f64, f64)>,
}

impl Confidence {
    fn new(answers: impl Iterator<Item = (f64, bool)>) -> Self {
        let mut all: Vec<(f64, bool)> = answers.collect();
        all.sort_by(|a, b| a.0.total_cmp(&b.0));
        // Neighbouring steps are joined as long as the share falls.
        let mut pools: Vec<(f64, f64, f64)> = vec![];
        for (margin, right) in all {
            pools.push((margin, f64::from(u8::from(right)), 1.0));
            while let [.., (start, sum, count), (_, more, others)] = pools[..] {
                if sum / count < more / others {
                    break;
                }
                pools.truncate(pools.len() - 2);
                pools.push((start, sum + more, count + others));
            }
        }
        // One more right and one more wrong answer: a few equal answers are not certain.
        Self { steps: pools.iter().map(|(margin, sum, count)| (*margin, (sum + 1.0) / (count + 2.0))).collect() }
    }
    fn of(&self, margin: f64) -> Option<f64> {
        let at = self.steps.partition_point(|s| s.0 <= margin);
        self.steps.get(at.saturating_sub(1)).map(|s| s.1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn confidence_rises_with_the_margin() {
        let answers = [(0.1, false), (0.2, true), (0.3, false), (0.4, true), (0.5, true), (0.6, true)];
        let found = Confidence::new(answers.into_iter());
        assert!(found.of(0.05) <= found.of(0.25) && found.of(0.25) < found.of(0.55));
        assert_eq!(found.of(0.25), Some(2.0 / 4.0)); // the margins 0.2 and 0.3: one of two is right
        assert_eq!(Confidence::new(std::iter::empty()).of(0.3), None);
    }

    #[test]
    fn rows_of_two_directions_are_two_groups() {
        let rows = Matrix::from_fn(40, 3, |i, j| if (i % 2 == 0) == (j == 0) { 1.0 } else { 0.01 * i as f64 });
        let mut unit = rows.clone();
        (0..40).for_each(|i| unit_length(unit.row_mut(i)));
        let (group, _) = grouped(&unit, 2);
        assert!((0..40).all(|i| group[i] == group[i % 2]) && group[0] != group[1]);
    }
}
