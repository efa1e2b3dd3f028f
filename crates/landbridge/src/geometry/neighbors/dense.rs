//! Exact neighbours of dense rows.
//!
//! Scores come from single-precision tiles, which keep a few more candidates than requested. Their distances are recomputed
//! in f64 from the rows themselves, and the result is *certified*: by the rounding bound of the tile, no row left out can be
//! nearer. Rows without certificate (tight clusters far from the centre) go through the same search in double precision. The
//! few that even that cannot decide (ties, duplicates) are compared with every row. So the answer is exact and does not
//! depend on the processor.

use super::certify::{Query, certify, settle, sort};
use super::{Found, Metric, Neighbors, symmetric};
use crate::data::RowsRef;
use crate::error::{Error, Result};
use crate::linalg::prefetch::prefetch;
use crate::linalg::rows::{half_scaled, half_scaled_any, squared_distance};
use crate::linalg::tiles::{Best, MR, Panels, Real, Tile, pack_queries};
use crate::linalg::{Matrix, MatrixRef, Scalar};
use crate::progress::Progress;
use rayon::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Query rows that share one pass over the reference panels; packed, they fit the second-level cache.
pub(super) const QUERY_BLOCK: usize = 16 * MR;
/// Candidates kept beyond k, so that nearly every row gets its certificate.
const SPARE: usize = 8;

/// Tasks that a search is divided into, at least, if there are enough panels.
const PARTS: usize = 16;
/// Panels that are worth a task.
const LEAST_PANELS: usize = 64;

/// Dense rows of either precision.
#[derive(Clone, Copy)]
pub(super) enum Dense<'a> {
    F64(MatrixRef<'a, f64>),
    F32(MatrixRef<'a, f32>),
}

impl<'a> Dense<'a> {
    pub(super) fn of(rows: RowsRef<'a>) -> Option<Self> {
        match rows {
            RowsRef::F64(m) => Some(Dense::F64(m)),
            RowsRef::F32(m) => Some(Dense::F32(m)),
            RowsRef::Sparse(_) => None,
        }
    }
    pub(super) fn nrows(&self) -> usize {
        match self {
            Dense::F64(m) => m.nrows(),
            Dense::F32(m) => m.nrows(),
        }
    }
    pub(super) fn ncols(&self) -> usize {
        match self {
            Dense::F64(m) => m.ncols(),
            Dense::F32(m) => m.ncols(),
        }
    }
    /// Asks for a row that is needed soon.
    #[inline]
    pub(super) fn prefetch(&self, i: usize) {
        match self {
            Dense::F64(m) => prefetch(m.row(i)),
            Dense::F32(m) => prefetch(m.row(i)),
        }
    }
}

/// How rows enter the search: `(x − shift) · scale`, of unit length for the cosine.
#[derive(Debug)]
pub(super) struct Frame {
    shift: Vec<f64>,
    /// A power of two, so that scaling is exact; 1/scale is the size of the data.
    scale: f64,
    metric: Metric,
    /// Added to the distance of each reference row (cosine only).
    handicap: Option<Vec<f64>>,
}

impl Frame {
    /// Centre and size of the reference rows.
    pub(super) fn new(rows: Dense<'_>, metric: Metric) -> Self {
        match rows {
            Dense::F64(m) => Self::of(m, metric),
            Dense::F32(m) => Self::of(m, metric),
        }
    }
    /// By the cosine, with a handicap for each reference row.
    fn handicapped(rows: Dense<'_>, handicap: Vec<f64>) -> Self {
        Self { handicap: Some(handicap), ..Self::new(rows, Metric::Cosine) }
    }
    fn of<T: Scalar>(m: MatrixRef<'_, T>, metric: Metric) -> Self {
        let p = m.ncols();
        if metric == Metric::Cosine {
            return Self { shift: vec![0.0; p], scale: 1.0, metric, handicap: None };
        }
        // The mean of values as large as 1e308 must not overflow: divide before adding.
        let weight = 1.0 / m.nrows() as f64;
        let mut shift = vec![0.0; p];
        for row in m.rows() {
            for (s, v) in shift.iter_mut().zip(row) {
                *s += v.to_f64() * weight;
            }
        }
        let of_row = |i: usize| shift.iter().zip(m.row(i)).fold(0.0f64, |a, (s, v)| a.max((v.to_f64() * 0.5 - s * 0.5).abs()));
        let largest = (0..m.nrows()).into_par_iter().with_min_len(256).map(of_row).reduce(|| 0.0, f64::max);
        Self { shift, scale: power_of_two_below_inverse(largest), metric, handicap: None }
    }
    /// Row `i` scaled but not shifted. Differences of such rows are those of the data, so equal distances stay equal to the
    /// bit.
    pub(super) fn exact_row(&self, rows: Dense<'_>, i: usize, out: &mut [f64]) {
        match (self.metric, rows) {
            (Metric::Cosine, _) => self.row(rows, i, out),
            (Metric::Euclidean, Dense::F64(m)) => half_scaled(m.row(i), self.scale, out),
            (Metric::Euclidean, Dense::F32(m)) => half_scaled_any(m.row(i), self.scale, out),
        }
    }
    /// Distance of the centre from the origin, in the frame: shifting rounds by about this times the unit.
    fn offset(&self) -> f64 {
        self.shift.iter().fold(0.0f64, |a, s| a.max((0.5 * s * self.scale).abs()))
    }
    /// Row `i` in this frame.
    pub(super) fn row(&self, rows: Dense<'_>, i: usize, out: &mut [f64]) {
        match rows {
            Dense::F64(m) => self.fill(m.row(i), out),
            Dense::F32(m) => self.fill(m.row(i), out),
        }
    }
    fn fill<T: Scalar>(&self, row: &[T], out: &mut [f64]) {
        match self.metric {
            // Halves first: the difference of two values near 1e308 must not overflow.
            Metric::Euclidean => {
                for ((o, v), s) in out.iter_mut().zip(row).zip(&self.shift) {
                    *o = (v.to_f64() * 0.5 - s * 0.5) * self.scale;
                }
            }
            Metric::Cosine => {
                for (o, v) in out.iter_mut().zip(row) {
                    *o = v.to_f64();
                }
                unit_length(out);
            }
        }
    }
    /// The rows in this frame, packed in panels.
    fn panels<T: Real>(&self, reference: Dense<'_>) -> Panels<T> {
        let (n, p) = (reference.nrows(), reference.ncols());
        Panels::build(n, p, |i, out| {
            let mut row = vec![0.0; p];
            self.row(reference, i, &mut row);
            for (o, v) in out.iter_mut().zip(&row) {
                *o = T::from_f64(*v);
            }
            match self.metric {
                Metric::Euclidean => T::from_f64(0.5 * row.iter().map(|v| v * v).sum::<f64>()),
                Metric::Cosine => T::from_f64(self.handicap(i)),
            }
        })
    }
    fn handicap(&self, j: usize) -> f64 {
        self.handicap.as_ref().map_or(0.0, |h| h[j])
    }
    pub(super) fn metric(&self) -> Metric {
        self.metric
    }
    /// The distance in the units of the data, from the value that the search minimises.
    pub(super) fn distance(&self, value: f64) -> f64 {
        match self.metric {
            Metric::Euclidean => value.sqrt() / self.scale * 2.0,
            Metric::Cosine => value,
        }
    }
}

/// The power of two that brings `largest` into [0.5, 1]; 1 for zero.
pub(super) fn power_of_two_below_inverse(largest: f64) -> f64 {
    if largest == 0.0 {
        return 1.0;
    }
    2f64.powi((-largest.log2().ceil()).clamp(-1000.0, 1000.0) as i32)
}

/// Scales a row to unit length; a zero row stays zero. Safe for values of any size.
pub(super) fn unit_length(row: &mut [f64]) {
    let largest = row.iter().fold(0.0f64, |a, v| a.max(v.abs()));
    if largest == 0.0 {
        return;
    }
    let inverse = power_of_two_below_inverse(largest);
    row.iter_mut().for_each(|v| *v *= inverse);
    let norm = row.iter().map(|v| v * v).sum::<f64>().sqrt();
    row.iter_mut().for_each(|v| *v /= norm);
}

/// The value that the search minimises, in f64 and in the same order for (x, y) and (y, x): squared distance, or 1 − cosine.
pub(super) fn exact(metric: Metric, x: &[f64], y: &[f64]) -> f64 {
    let squared = squared_distance(x, y);
    match metric {
        Metric::Euclidean => squared,
        Metric::Cosine => {
            let zero = |r: &[f64]| r.iter().all(|v| *v == 0.0);
            if zero(x) || zero(y) { 1.0 } else { 0.5 * squared }
        }
    }
}

/// The `k` nearest rows of `reference` for each row of `query`, or for each row of `reference` among the others.
pub(super) fn search(
    reference: Dense<'_>,
    query: Option<Dense<'_>>,
    k: usize,
    metric: Metric,
    progress: &Progress,
) -> Result<Neighbors> {
    search_in(&Frame::new(reference, metric), None, reference, query, k, progress)
}

/// As [`search`] by the cosine, with a `handicap` added to the distance of each reference row.
pub(super) fn search_handicapped(
    reference: Dense<'_>,
    query: Dense<'_>,
    handicap: Vec<f64>,
    k: usize,
    progress: &Progress,
) -> Result<Neighbors> {
    search_in(&Frame::handicapped(reference, handicap), None, reference, Some(query), k, progress)
}

/// Reference rows laid out for searching again and again: in single precision, in panels.
#[derive(Debug)]
pub(super) struct Laid {
    frame: Frame,
    panels: Panels<f32>,
}

impl Laid {
    pub(super) fn new(reference: Dense<'_>, metric: Metric) -> Self {
        let frame = Frame::new(reference, metric);
        Self { panels: frame.panels(reference), frame }
    }
    /// As [`search`], for the rows that were laid out.
    pub(super) fn search(&self, reference: Dense<'_>, query: Dense<'_>, k: usize, progress: &Progress) -> Result<Neighbors> {
        search_in(&self.frame, Some(&self.panels), reference, Some(query), k, progress)
    }
    /// As [`search_handicapped`], for rows that were laid out for the cosine.
    pub(super) fn search_handicapped(
        &self,
        reference: Dense<'_>,
        query: Dense<'_>,
        handicap: Vec<f64>,
        k: usize,
        progress: &Progress,
    ) -> Result<Neighbors> {
        search_in(&Frame::handicapped(reference, handicap), Some(&self.panels), reference, Some(query), k, progress)
    }
}

fn search_in(
    frame: &Frame,
    laid: Option<&Panels<f32>>,
    reference: Dense<'_>,
    query: Option<Dense<'_>>,
    k: usize,
    progress: &Progress,
) -> Result<Neighbors> {
    let n_query = query.unwrap_or(reference).nrows();
    let mut rows: Vec<Vec<(f64, u32)>> = vec![vec![]; n_query];
    let mut open: Vec<u32> = (0..n_query as u32).collect();
    let spare = SPARE + k / 2;
    certified_pass::<f32>(frame, laid, reference, query, k, spare, &mut open, &mut rows, progress)?;
    if !open.is_empty() {
        certified_pass::<f64>(frame, None, reference, query, k, spare, &mut open, &mut rows, progress)?;
    }
    if !open.is_empty() {
        compare_with_all(frame, reference, query, k, &open, &mut rows, progress)?;
    }
    for row in &mut rows {
        row.iter_mut().for_each(|(value, _)| *value = frame.distance(*value));
    }
    Ok(Neighbors::from_rows(k, rows))
}

/// One pass in precision `T`: rows that get their certificate leave `open`.
fn certified_pass<T: Real + std::ops::Neg<Output = T>>(
    frame: &Frame,
    laid: Option<&Panels<T>>,
    reference: Dense<'_>,
    query: Option<Dense<'_>>,
    k: usize,
    spare: usize,
    open: &mut Vec<u32>,
    rows: &mut [Vec<(f64, u32)>],
    progress: &Progress,
) -> Result<()> {
    let n = reference.nrows();
    let made;
    let panels = match laid {
        Some(panels) => panels,
        None => {
            made = frame.panels(reference);
            &made
        }
    };
    let source = query.unwrap_or(reference);
    let keep = (k + spare).min(n);
    if query.is_none() && open.len() == n && n >= symmetric::LEAST && frame.handicap.is_none() {
        let found = symmetric::scan(frame, reference, panels, k, keep, progress)?;
        settle(open, found.into_iter(), rows);
        return Ok(());
    }
    // Rows that were laid out do not know the handicaps of this search.
    let handicaps: Option<Vec<T>> = laid.and(frame.handicap.as_ref()).map(|own| {
        let padding = std::iter::repeat_n(T::HUGE, panels.len() * T::NR - own.len());
        own.iter().map(|h| T::from_f64(*h)).chain(padding).collect()
    });
    let done = AtomicUsize::new(0);
    let total = open.len();
    // Few queries: the panels are divided among the threads, too.
    let parts = PARTS.div_ceil(total.div_ceil(QUERY_BLOCK)).min(panels.len().div_ceil(LEAST_PANELS)).max(1);
    let results: Vec<Vec<Option<Found>>> = open
        .par_chunks(QUERY_BLOCK)
        .map(|block| -> Result<_> {
            let packed = pack_block::<T>(frame, source, block);
            let scan = |part: usize| {
                let of_part = part * panels.len() / parts..(part + 1) * panels.len() / parts;
                scan_block(panels, handicaps.as_deref(), of_part, &packed, block, query.is_none(), keep)
            };
            let mut best = match parts {
                1 => scan(0),
                _ => (0..parts).into_par_iter().map(scan).collect::<Vec<_>>().into_iter().reduce(merged).unwrap_or_default(),
            };
            let found = certify_block(frame, reference, source, block, &mut best, k, reference.ncols());
            let so_far = done.fetch_add(block.len(), Ordering::Relaxed) + block.len();
            progress.step("neighbours", so_far, total)?;
            Ok(found)
        })
        .collect::<Result<_>>()?;
    settle(open, results.into_iter().flatten(), rows);
    Ok(())
}

/// The best of two parts of the references, for each query.
fn merged<T: Real>(mut all: Vec<Best<T>>, others: Vec<Best<T>>) -> Vec<Best<T>> {
    all.iter_mut().zip(others).for_each(|(best, other)| best.merge(other));
    all
}

/// The best scores of one block of query rows among some panels.
fn scan_block<T: Real + std::ops::Neg<Output = T>>(
    panels: &Panels<T>,
    handicaps: Option<&[T]>,
    some: std::ops::Range<usize>,
    packed: &[T],
    block: &[u32],
    skip_self: bool,
    keep: usize,
) -> Vec<Best<T>> {
    let tiles = block.len().div_ceil(MR);
    let depth = packed.len() / tiles;
    let mut best: Vec<Best<T>> = block.iter().map(|_| Best::new(keep)).collect();
    let mut thresholds = vec![[T::TINY; MR]; tiles];
    for (i, b) in best.iter().enumerate() {
        thresholds[i / MR][i % MR] = b.threshold();
    }
    let mut tile = Tile::new();
    // Not in the order of the rows: in sorted data every panel would be nearer than the previous one.
    let stride = coprime_stride(some.len());
    for s in 0..some.len() {
        let (q, next) = (some.start + s * stride % some.len(), some.start + (s + 1) * stride % some.len());
        let (values, init) = panels.panel(q);
        let init = handicaps.map_or(init, |all| &all[q * T::NR..(q + 1) * T::NR]);
        for t in 0..tiles {
            panels.ask_for(next, t, tiles);
            if !T::tile(block.len() - t * MR, &packed[t * depth..(t + 1) * depth], values, init, &thresholds[t], &mut tile) {
                continue;
            }
            for i in 0..MR.min(block.len() - t * MR) {
                let mut hits = tile.hits[i];
                let own = if skip_self { block[t * MR + i] } else { u32::MAX };
                let best = &mut best[t * MR + i];
                while hits != 0 {
                    let lane = hits.trailing_zeros() as usize;
                    hits &= hits - 1;
                    let index = (q * T::NR + lane) as u32;
                    if index != own {
                        best.push(tile.scores[i][lane], index);
                    }
                }
                thresholds[t][i] = best.threshold();
            }
        }
    }
    best
}

/// The query rows of a block, packed by tiles.
pub(super) fn pack_block<T: Real + std::ops::Neg<Output = T>>(frame: &Frame, source: Dense<'_>, block: &[u32]) -> Vec<T> {
    let p = source.ncols();
    let mut packed = vec![T::default(); block.len().div_ceil(MR) * p * MR];
    let (mut row, mut scratch) = (vec![0.0; p], vec![T::default(); p]);
    for (t, queries) in block.chunks(MR).enumerate() {
        let fill = |i: usize, out: &mut [T]| {
            frame.row(source, queries[i] as usize, &mut row);
            for (o, v) in out.iter_mut().zip(&row) {
                *o = T::from_f64(*v);
            }
        };
        pack_queries(queries.len(), p, &mut packed[t * p * MR..(t + 1) * p * MR], fill, &mut scratch);
    }
    packed
}

/// Turns the best scores of each row of a block into its neighbours; `terms` numbers are summed in a score.
pub(super) fn certify_block<T: Real>(
    frame: &Frame,
    reference: Dense<'_>,
    source: Dense<'_>,
    block: &[u32],
    best: &mut [Best<T>],
    k: usize,
    terms: usize,
) -> Vec<Option<Found>> {
    let p = reference.ncols();
    let (mut row, mut other) = (vec![0.0; p], vec![0.0; p]);
    let offset = frame.offset();
    let one = |(&i, best): (&u32, &mut Best<T>)| {
        frame.row(source, i as usize, &mut row);
        let query = Query { norm: row.iter().map(|v| v * v).sum::<f64>().sqrt(), terms, offset };
        frame.exact_row(source, i as usize, &mut row);
        best.finish().0.iter().for_each(|&(_, j)| reference.prefetch(j as usize));
        certify(frame.metric, query, best, k, |j| {
            frame.exact_row(reference, j as usize, &mut other);
            exact(frame.metric, &row, &other) + frame.handicap(j as usize)
        })
    };
    block.iter().zip(best).map(one).collect()
}

/// A step near the golden section of `n` that visits every number below n.
pub(super) fn coprime_stride(n: usize) -> usize {
    fn gcd(a: usize, b: usize) -> usize {
        if b == 0 { a } else { gcd(b, a % b) }
    }
    let start = (n as f64 * 0.618_033_988_75) as usize + 1;
    (start..start + n + 1).find(|&s| gcd(s, n) == 1).unwrap_or(1)
}

/// A search through every row, in f64: for rows that no rounding bound can decide, and as the naive twin of this file.
fn compare_with_all(
    frame: &Frame,
    reference: Dense<'_>,
    query: Option<Dense<'_>>,
    k: usize,
    open: &[u32],
    rows: &mut [Vec<(f64, u32)>],
    progress: &Progress,
) -> Result<()> {
    let (n, p) = (reference.nrows(), reference.ncols());
    let source = query.unwrap_or(reference);
    // In blocks of reference rows that stay in the cache, so that a row is framed once per block of queries.
    const BLOCK: usize = 256;
    let found: Vec<Vec<Vec<(f64, u32)>>> = open
        .par_chunks(64)
        .map(|queries| -> Result<_> {
            progress.step("neighbours", 0, 0)?;
            let mut x = Matrix::zeros(queries.len(), p);
            for (q, &i) in queries.iter().enumerate() {
                frame.exact_row(source, i as usize, x.row_mut(q));
            }
            let mut best: Vec<Best<f64>> = queries.iter().map(|_| Best::new(k)).collect();
            let mut y = Matrix::zeros(BLOCK, p);
            for start in (0..n).step_by(BLOCK) {
                let count = BLOCK.min(n - start);
                for j in 0..count {
                    frame.exact_row(reference, start + j, y.row_mut(j));
                }
                for (q, &i) in queries.iter().enumerate() {
                    for j in 0..count {
                        if query.is_some() || start + j != i as usize {
                            best[q].push(exact(frame.metric, x.row(q), y.row(j)) + frame.handicap(start + j), (start + j) as u32);
                        }
                    }
                }
            }
            Ok(best
                .iter_mut()
                .map(|b| {
                    let mut found = b.finish().0.to_vec();
                    sort(&mut found);
                    found
                })
                .collect())
        })
        .collect::<Result<_>>()?;
    for (&i, found) in open.iter().zip(found.into_iter().flatten()) {
        rows[i as usize] = found;
    }
    if rows.iter().any(|r| r.len() < k) {
        return Err(Error::Numerical { what: "neighbours".into(), problem: "a distance is not a finite number".into() });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn random(n: usize, p: usize, seed: u64) -> Matrix<f64> {
        let mut state = seed;
        Matrix::from_fn(n, p, |_, _| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) as f64 / (1u64 << 31) as f64 - 0.5
        })
    }

    fn naive(m: &Matrix<f64>, k: usize, metric: Metric) -> Vec<(f64, u32)> {
        let mut out = vec![];
        for i in 0..m.nrows() {
            let mut row: Vec<(f64, u32)> = (0..m.nrows())
                .filter(|&j| j != i)
                .map(|j| {
                    let (x, y) = (m.row(i), m.row(j));
                    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
                    let d = match metric {
                        Metric::Euclidean => x.iter().zip(y).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt(),
                        Metric::Cosine => 1.0 - dot(x, y) / (dot(x, x) * dot(y, y)).sqrt(),
                    };
                    (d, j as u32)
                })
                .collect();
            row.sort_by(|a, b| a.0.total_cmp(&b.0));
            out.extend_from_slice(&row[..k]);
        }
        out
    }

    #[test]
    fn blocked_search_equals_the_naive_one() {
        for (n, p, k) in [(40, 1, 3), (130, 3, 5), (300, 17, 10), (257, 50, 1), (33, 5, 32)] {
            let m = random(n, p, (n * p) as u64);
            for metric in [Metric::Euclidean, Metric::Cosine] {
                if p == 1 && metric == Metric::Cosine {
                    continue; // all distances are 0 or 2: ties
                }
                let expected = naive(&m, k, metric);
                let got = search(Dense::F64(m.view()), None, k, metric, &Progress::silent()).unwrap();
                for (at, (d, j)) in expected.iter().enumerate() {
                    assert!((got.distances[at] - d).abs() < 1e-12, "n {n} p {p}: entry {at}");
                    assert_eq!(got.indices[at], *j, "n {n} p {p} {metric:?}: entry {at}");
                }
            }
        }
    }

    /// Many rows, so that each pair is looked at once.
    #[test]
    fn the_symmetric_search_equals_the_naive_one() {
        let noise = random(symmetric::LEAST + 301, 9, 5);
        let cases = [
            noise.clone(),
            // Sorted, so that every block of rows is nearest to the next.
            Matrix::from_fn(noise.nrows(), 3, |i, j| i as f64 / 10.0 + noise[(i, j)]),
            // Off the origin, in clusters, with equal rows.
            Matrix::from_fn(noise.nrows(), 4, |i, j| 50.0 + (i % 7) as f64 + 1e-3 * noise[(i - i % 2, j)]),
        ];
        for (case, m) in cases.iter().enumerate() {
            for metric in [Metric::Euclidean, Metric::Cosine] {
                let frame = Frame::new(Dense::F64(m.view()), metric);
                let mut expected = vec![vec![]; m.nrows()];
                let open: Vec<u32> = (0..m.nrows() as u32).collect();
                compare_with_all(&frame, Dense::F64(m.view()), None, 7, &open, &mut expected, &Progress::silent()).unwrap();
                let got = search(Dense::F64(m.view()), None, 7, metric, &Progress::silent()).unwrap();
                for (at, (value, j)) in expected.iter().flatten().enumerate() {
                    assert_eq!(
                        (got.indices[at], got.distances[at]),
                        (*j, frame.distance(*value)),
                        "case {case} {metric:?}: {at}"
                    );
                }
            }
        }
    }

    #[test]
    fn tight_clusters_far_away_are_still_exact() {
        // Distances of 1e-9 at an offset of 1e3: hopeless in f32, and the certificate must notice.
        let mut m = random(200, 4, 3);
        for i in 0..200 {
            for v in m.row_mut(i) {
                *v = *v * 1e-9 + if i % 2 == 0 { 1e3 } else { -1e3 };
            }
        }
        let expected = naive(&m, 5, Metric::Euclidean);
        let got = search(Dense::F64(m.view()), None, 5, Metric::Euclidean, &Progress::silent()).unwrap();
        let wrong = expected.iter().zip(&got.indices).filter(|((_, j), g)| j != *g).count();
        assert!(wrong <= 4, "{wrong} differ: only ties of rounding may");
        for (e, g) in expected.iter().zip(&got.distances) {
            assert!((e.0 - g).abs() <= 1e-4 * e.0, "{} {}", e.0, g);
        }
    }

    #[test]
    fn equal_rows_tie_by_row_number() {
        let m = Matrix::from_fn(50, 3, |_, j| j as f64);
        let got = search(Dense::F64(m.view()), None, 4, Metric::Euclidean, &Progress::silent()).unwrap();
        assert_eq!(&got.indices[..4], &[1, 2, 3, 4]);
        assert_eq!(&got.indices[4 * 49..], &[0, 1, 2, 3]);
        assert!(got.distances.iter().all(|d| *d == 0.0));
    }

    #[test]
    fn scaling_by_powers_of_two_scales_the_distances_exactly() {
        let m = random(120, 6, 9);
        let base = search(Dense::F64(m.view()), None, 6, Metric::Euclidean, &Progress::silent()).unwrap();
        for exponent in [-900, -500, -60, 60, 500, 1000] {
            let factor = 2f64.powi(exponent);
            let scaled = Matrix::from_fn(120, 6, |i, j| m[(i, j)] * factor);
            let got = search(Dense::F64(scaled.view()), None, 6, Metric::Euclidean, &Progress::silent()).unwrap();
            assert_eq!(got.indices, base.indices);
            for (a, b) in got.distances.iter().zip(&base.distances) {
                assert_eq!(*a, b * factor, "2^{exponent}");
            }
        }
    }

    #[test]
    fn a_zero_row_has_cosine_distance_one_to_all() {
        let mut m = random(20, 4, 1);
        m.row_mut(7).fill(0.0);
        let got = search(Dense::F64(m.view()), None, 3, Metric::Cosine, &Progress::silent()).unwrap();
        assert_eq!(&got.distances[21..24], &[1.0; 3]);
        assert!(got.distances.iter().all(|d| d.is_finite()));
    }

    #[test]
    fn rows_that_were_laid_out_are_searched_as_others_are() {
        let quiet = Progress::silent();
        // Many panels for few queries, which are then divided, and more than one block of queries.
        for (n, p, queries) in [(40, 3, 2), (9000, 7, 3), (9000, 7, 300)] {
            let (m, q) = (random(n, p, 3), random(queries, p, 5));
            let (m, q) = (Dense::F64(m.view()), Dense::F64(q.view()));
            for metric in [Metric::Euclidean, Metric::Cosine] {
                let found = Laid::new(m, metric).search(m, q, 6, &quiet).unwrap();
                assert_eq!(found, search(m, Some(q), 6, metric, &quiet).unwrap(), "{n} {queries} {metric:?}");
            }
            let handicap: Vec<f64> = (0..n).map(|j| (j % 7) as f64 / 100.0).collect();
            let found = Laid::new(m, Metric::Cosine).search_handicapped(m, q, handicap.clone(), 6, &quiet).unwrap();
            assert_eq!(found, search_handicapped(m, q, handicap, 6, &quiet).unwrap(), "{n} {queries}");
        }
    }

    #[test]
    fn queries_among_other_rows_find_themselves() {
        let m = random(90, 5, 4);
        let q = m.select_rows(&[3, 80, 41]);
        let got = search(Dense::F64(m.view()), Some(Dense::F64(q.view())), 2, Metric::Euclidean, &Progress::silent()).unwrap();
        assert_eq!([got.indices[0], got.indices[2], got.indices[4]], [3, 80, 41]);
        assert_eq!(got.distances[0], 0.0);
    }
}
