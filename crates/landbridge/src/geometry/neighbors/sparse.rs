//! Exact neighbours of sparse rows (documents), which are never made dense.
//!
//! Reference rows are processed in blocks. In a block each word is stored as a list of (row, value) or, if an eighth of the
//! rows have it, as one value per row: adding a frequent word is then a vector operation instead of a scatter. The scores of
//! a block fit into the first-level cache. As for dense rows, scores are in single precision, candidates are recomputed in
//! f64, and the result is certified (`certify.rs`).

use super::certify::{Query, certify, settle, sort};
use super::dense::power_of_two_below_inverse;
use super::{Found, Metric, Neighbors};
use crate::error::Result;
use crate::linalg::Csr;
use crate::linalg::tiles::{Best, Real};
use crate::progress::Progress;
use rayon::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Reference rows in a block: their scores are 4 kB.
const BLOCK: usize = 1024;
/// Query rows handled between two progress reports.
const QUERIES: usize = 64;
/// A word of at least one in `DENSE` rows of a block is stored as one value per row.
const DENSE: usize = 8;

/// The scaling of rows in the search: values times `scale` (a power of two), or rows of unit length for the cosine.
struct Frame {
    metric: Metric,
    scale: f64,
}

impl Frame {
    fn new(rows: &Csr, metric: Metric) -> Self {
        let largest = rows.values().iter().fold(0.0f64, |a, v| a.max(v.abs()));
        Self { metric, scale: power_of_two_below_inverse(largest) }
    }
    /// The factor of row `i`; 0 for a zero row under the cosine.
    fn factor(&self, rows: &Csr, i: usize) -> f64 {
        match self.metric {
            Metric::Euclidean => self.scale,
            Metric::Cosine => {
                let largest = rows.row_values(i).iter().fold(0.0f64, |a, v| a.max(v.abs()));
                if largest == 0.0 {
                    return 0.0;
                }
                let inverse = power_of_two_below_inverse(largest);
                let norm = rows.row_values(i).iter().map(|v| (v * inverse) * (v * inverse)).sum::<f64>().sqrt();
                inverse / norm
            }
        }
    }
    fn distance(&self, value: f64) -> f64 {
        match self.metric {
            Metric::Euclidean => value.sqrt() / self.scale,
            Metric::Cosine => value,
        }
    }
}

/// Words of one block of reference rows.
struct Block<T> {
    /// `init` per row, HUGE past the end.
    init: Vec<T>,
    /// Where each word's entry begins: `start[w]..start[w + 1]` into the lists, unless `dense[w]` is set.
    start: Vec<u32>,
    rows: Vec<u16>,
    values: Vec<T>,
    /// Slot in `columns`, or MAX.
    dense: Vec<u32>,
    columns: Vec<T>,
}

impl<T: Real> Block<T> {
    fn build(frame: &Frame, rows: &Csr, factors: &[f64], from: usize) -> Self {
        let to = (from + BLOCK).min(rows.nrows());
        let words = rows.ncols();
        let mut count = vec![0u32; words];
        for i in from..to {
            for &w in rows.row_indices(i) {
                count[w as usize] += 1;
            }
        }
        let limit = (BLOCK / DENSE) as u32;
        let mut dense = vec![u32::MAX; words];
        let mut start = vec![0u32; words + 1];
        let mut n_dense = 0;
        for w in 0..words {
            let listed = if count[w] >= limit {
                dense[w] = n_dense;
                n_dense += 1;
                0
            } else {
                count[w]
            };
            start[w + 1] = start[w] + listed;
        }
        let total = start[words] as usize;
        let mut block = Self {
            init: vec![T::HUGE; BLOCK],
            rows: vec![0; total],
            values: vec![T::default(); total],
            columns: vec![T::default(); n_dense as usize * BLOCK],
            start,
            dense,
        };
        let mut next = block.start.clone();
        for i in from..to {
            let mut squared = 0.0;
            for (w, v) in rows.row(i) {
                let (w, v) = (w as usize, v * factors[i]);
                squared += v * v;
                if block.dense[w] != u32::MAX {
                    block.columns[block.dense[w] as usize * BLOCK + i - from] = T::from_f64(v);
                } else {
                    let at = next[w] as usize;
                    block.rows[at] = (i - from) as u16;
                    block.values[at] = T::from_f64(v);
                    next[w] += 1;
                }
            }
            block.init[i - from] = match frame.metric {
                Metric::Euclidean => T::from_f64(0.5 * squared),
                Metric::Cosine => T::default(),
            };
        }
        block
    }

    /// `scores = init − x · y` for every row y of the block.
    fn score(&self, words: &[u32], values: &[f64], factor: f64, scores: &mut [T; BLOCK]) {
        scores.copy_from_slice(&self.init);
        for (&w, &v) in words.iter().zip(values) {
            let (w, x) = (w as usize, T::from_f64(-v * factor));
            if self.dense[w] != u32::MAX {
                let column = &self.columns[self.dense[w] as usize * BLOCK..][..BLOCK];
                for (s, &y) in scores.iter_mut().zip(column) {
                    *s = *s + x * y;
                }
            } else {
                let range = self.start[w] as usize..self.start[w + 1] as usize;
                for (&r, &y) in self.rows[range.clone()].iter().zip(&self.values[range]) {
                    let s = &mut scores[r as usize & (BLOCK - 1)];
                    *s = *s + x * y;
                }
            }
        }
    }
}

/// The value that the search minimises, by merging two sorted rows, in the same order for (x, y) and (y, x).
fn exact(metric: Metric, x: (&[u32], &[f64], f64), y: (&[u32], &[f64], f64)) -> f64 {
    if metric == Metric::Cosine && (x.2 == 0.0 || y.2 == 0.0) {
        return 1.0;
    }
    let (mut s, mut t, mut squared) = (0, 0, 0.0);
    while s < x.0.len() || t < y.0.len() {
        let (wx, wy) = (x.0.get(s).copied().unwrap_or(u32::MAX), y.0.get(t).copied().unwrap_or(u32::MAX));
        let mut difference = 0.0;
        if wx <= wy {
            difference += x.1[s] * x.2;
            s += 1;
        }
        if wy <= wx {
            difference -= y.1[t] * y.2;
            t += 1;
        }
        squared += difference * difference;
    }
    match metric {
        Metric::Euclidean => squared,
        Metric::Cosine => 0.5 * squared,
    }
}

/// The `k` nearest rows of `reference` for each row of `query`, or for each row of `reference` among the others.
pub(super) fn search(reference: &Csr, query: Option<&Csr>, k: usize, metric: Metric, progress: &Progress) -> Result<Neighbors> {
    let frame = Frame::new(reference, metric);
    let factors = |m: &Csr| -> Vec<f64> { (0..m.nrows()).map(|i| frame.factor(m, i)).collect() };
    let sides = Sides {
        reference,
        reference_factors: factors(reference),
        query: query.unwrap_or(reference),
        query_factors: query.map_or_else(|| factors(reference), factors),
        skip_self: query.is_none(),
    };
    let n_query = sides.query.nrows();
    let mut rows: Vec<Vec<(f64, u32)>> = vec![vec![]; n_query];
    let mut open: Vec<u32> = (0..n_query as u32).collect();
    certified_pass::<f32>(&frame, &sides, k, &mut open, &mut rows, progress)?;
    if !open.is_empty() {
        certified_pass::<f64>(&frame, &sides, k, &mut open, &mut rows, progress)?;
    }
    let found: Vec<Vec<(f64, u32)>> = open
        .par_iter()
        .map(|&i| {
            progress.step("neighbours", 0, 0)?;
            Ok(compare_with_all(&frame, &sides, i as usize, k))
        })
        .collect::<Result<_>>()?;
    for (&i, found) in open.iter().zip(found) {
        rows[i as usize] = found;
    }
    for row in &mut rows {
        row.iter_mut().for_each(|(value, _)| *value = frame.distance(*value));
    }
    Ok(Neighbors::from_rows(k, rows))
}

/// Both sides of a search with the factors of their rows.
struct Sides<'a> {
    reference: &'a Csr,
    reference_factors: Vec<f64>,
    query: &'a Csr,
    query_factors: Vec<f64>,
    skip_self: bool,
}

impl Sides<'_> {
    fn exact(&self, metric: Metric, i: usize, j: usize) -> f64 {
        exact(
            metric,
            (self.query.row_indices(i), self.query.row_values(i), self.query_factors[i]),
            (self.reference.row_indices(j), self.reference.row_values(j), self.reference_factors[j]),
        )
    }
}

fn certified_pass<T: Real>(
    frame: &Frame,
    sides: &Sides<'_>,
    k: usize,
    open: &mut Vec<u32>,
    rows: &mut [Vec<(f64, u32)>],
    progress: &Progress,
) -> Result<()> {
    let n = sides.reference.nrows();
    let starts: Vec<usize> = (0..n).step_by(BLOCK).collect();
    let blocks: Vec<Block<T>> =
        starts.par_iter().map(|&from| Block::build(frame, sides.reference, &sides.reference_factors, from)).collect();
    let keep = (k + 8 + k / 2).min(n);
    let done = AtomicUsize::new(0);
    let total = open.len();
    let results: Vec<Vec<Option<Found>>> = open
        .par_chunks(QUERIES)
        .map(|queries| -> Result<_> {
            let mut scores = [T::default(); BLOCK];
            let mut best: Vec<Best<T>> = queries.iter().map(|_| Best::new(keep)).collect();
            // One block for all queries of the chunk before the next block: its lists stay in the cache.
            for (b, block) in blocks.iter().enumerate() {
                for (&i, best) in queries.iter().zip(&mut best) {
                    let row = i as usize;
                    block.score(sides.query.row_indices(row), sides.query.row_values(row), sides.query_factors[row], &mut scores);
                    collect(&scores, b * BLOCK, if sides.skip_self { i } else { u32::MAX }, best);
                }
            }
            let so_far = done.fetch_add(queries.len(), Ordering::Relaxed) + queries.len();
            progress.step("neighbours", so_far, total)?;
            Ok(queries
                .iter()
                .zip(&mut best)
                .map(|(&i, best)| {
                    let row = i as usize;
                    let values = sides.query.row_values(row);
                    let norm = values.iter().map(|v| (v * sides.query_factors[row]).powi(2)).sum::<f64>().sqrt();
                    certify(frame.metric, Query { norm, terms: values.len(), offset: 0.0 }, best, k, |j| {
                        sides.exact(frame.metric, row, j as usize)
                    })
                })
                .collect())
        })
        .collect::<Result<_>>()?;
    settle(open, results.into_iter().flatten(), rows);
    Ok(())
}

/// Merges the scores of a block into the best so far; most groups of 32 have none below the threshold.
fn collect<T: Real>(scores: &[T; BLOCK], offset: usize, own: u32, best: &mut Best<T>) {
    for (g, group) in scores.chunks_exact(32).enumerate() {
        let threshold = best.threshold();
        if !group.iter().fold(false, |any, s| any | (*s < threshold)) {
            continue;
        }
        for (l, &s) in group.iter().enumerate() {
            let index = (offset + g * 32 + l) as u32;
            if s < T::HUGE && index != own {
                best.push(s, index);
            }
        }
    }
}

/// One row against every other, in f64.
fn compare_with_all(frame: &Frame, sides: &Sides<'_>, i: usize, k: usize) -> Vec<(f64, u32)> {
    let mut found: Vec<(f64, u32)> = (0..sides.reference.nrows())
        .filter(|&j| !sides.skip_self || j != i)
        .map(|j| (sides.exact(frame.metric, i, j), j as u32))
        .collect();
    sort(&mut found);
    found.truncate(k);
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::neighbors::dense;
    use crate::linalg::Matrix;

    fn documents(n: usize, p: usize, seed: u64) -> Matrix<f64> {
        let mut state = seed;
        let mut next = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) as f64 / (1u64 << 31) as f64
        };
        // Words early in the vocabulary are frequent, so that both ways of storing a word are tested.
        Matrix::from_fn(n, p, |_, j| if next() < 0.9 / (1.0 + 0.2 * j as f64) { 0.1 + next() } else { 0.0 })
    }

    #[test]
    fn sparse_rows_have_the_neighbours_of_their_dense_twin() {
        for (n, p, k) in [(60, 30, 5), (1500, 200, 10), (2100, 64, 3)] {
            let m = documents(n, p, n as u64);
            for metric in [Metric::Euclidean, Metric::Cosine] {
                let expected = dense::search(dense::Dense::F64(m.view()), None, k, metric, &Progress::silent()).unwrap();
                let got = search(&Csr::from_dense(&m), None, k, metric, &Progress::silent()).unwrap();
                assert_eq!(got.indices, expected.indices, "{n} {p} {metric:?}");
                for (a, b) in got.distances.iter().zip(&expected.distances) {
                    assert!((a - b).abs() < 1e-12 * (1.0 + b), "{a} {b}");
                }
            }
        }
    }

    #[test]
    fn empty_documents_and_duplicates_are_defined() {
        let mut m = documents(40, 12, 5);
        m.row_mut(3).fill(0.0);
        m.row_mut(4).fill(0.0);
        let copy = m.row(10).to_vec();
        m.row_mut(20).copy_from_slice(&copy);
        let sparse = Csr::from_dense(&m);
        let cosine = search(&sparse, None, 3, Metric::Cosine, &Progress::silent()).unwrap();
        assert_eq!(&cosine.distances[9..12], &[1.0; 3]);
        assert_eq!((cosine.indices[30], cosine.distances[30]), (20, 0.0));
        let euclidean = search(&sparse, None, 3, Metric::Euclidean, &Progress::silent()).unwrap();
        assert_eq!((euclidean.indices[9], euclidean.distances[9]), (4, 0.0));
    }

    #[test]
    fn a_query_finds_its_own_row_among_the_others() {
        let m = Csr::from_dense(&documents(300, 40, 8));
        let got = search(&m, Some(&m.select_rows(&[7, 299])), 2, Metric::Cosine, &Progress::silent()).unwrap();
        assert_eq!([got.indices[0], got.indices[2]], [7, 299]);
        assert!(got.distances[0] < 1e-15);
    }
}
