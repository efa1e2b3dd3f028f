//! Approximate neighbours of many dense rows: a forest of random-projection trees whose leaves are compared
//! exactly by tiles, then neighbour descent ("a neighbour of a neighbour is likely a neighbour").
//!
//! Rows are first renumbered in the order of one tree, so that rows near in space are near in memory. Every
//! parallel step reads the old state and writes its own part of the new one, or leaves its changes in a list
//! that is applied in a fixed order: the result does not depend on the number of threads.

use super::certify::sort;
use super::dense::{Dense, Frame, exact};
use super::{Metric, Neighbors};
use crate::error::Result;
use crate::linalg::Matrix;
use crate::linalg::prefetch::prefetch;
use crate::linalg::tiles::{MR, Panels, Real, Tile, pack_queries};
use crate::progress::Progress;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

/// Trees, leaf size, and so on: numbers that trade time for recall. The defaults reach a recall above 0.98 on the data of the
/// benchmark (benchmarks/RESULTS.md).
struct Tuning {
    trees: usize,
    leaf: usize,
    /// Number of extra neighbours kept during the search.
    spare: usize,
    /// New and old candidates of a row in one round of descent.
    candidates: usize,
    rounds: usize,
    /// A round that changes less than this share of all entries is the last.
    enough: f64,
}

const TUNING: Tuning = Tuning { trees: 7, leaf: 256, spare: 6, candidates: 26, rounds: 8, enough: 0.005 };

/// Number of rows processed between two applications of changes.
const ROUND_CHUNK: usize = 1 << 15;
/// Number of rows per task.
const TASK: usize = 256;
/// Rows that are asked for ahead of their use: rows of a leaf and candidates lie anywhere in memory.
const AHEAD: usize = 8;

/// The current neighbours of every row, nearest first.
struct Lists {
    keep: usize,
    ids: Vec<u32>,
    squared: Vec<f32>,
    fresh: Vec<bool>,
}

const NOBODY: u32 = u32::MAX;

impl Lists {
    fn new(n: usize, keep: usize) -> Self {
        Self { keep, ids: vec![NOBODY; n * keep], squared: vec![f32::INFINITY; n * keep], fresh: vec![false; n * keep] }
    }
    fn ids(&self, i: usize) -> &[u32] {
        &self.ids[i * self.keep..(i + 1) * self.keep]
    }
    /// The farthest of a row, as a part of memory.
    fn ends(&self, i: usize) -> &[f32] {
        &self.squared[(i + 1) * self.keep - 1..(i + 1) * self.keep]
    }
    fn worst(&self, i: usize) -> f32 {
        self.squared[(i + 1) * self.keep - 1]
    }
}

/// Inserts `id` into a sorted list unless it is present or too far; returns whether it was inserted.
fn insert(ids: &mut [u32], squared: &mut [f32], fresh: &mut [bool], d: f32, id: u32) -> bool {
    let keep = ids.len();
    if d >= squared[keep - 1] || ids.contains(&id) {
        return false;
    }
    let mut at = keep - 1;
    while at > 0 && (d, id) < (squared[at - 1], ids[at - 1]) {
        ids[at] = ids[at - 1];
        squared[at] = squared[at - 1];
        fresh[at] = fresh[at - 1];
        at -= 1;
    }
    (ids[at], squared[at], fresh[at]) = (id, d, true);
    true
}

/// `k` approximate nearest rows of every row.
pub(super) fn search(rows: Dense<'_>, k: usize, metric: Metric, seed: u64, progress: &Progress) -> Result<Neighbors> {
    search_tuned(rows, k, metric, seed, &TUNING, progress)
}

fn search_tuned(rows: Dense<'_>, k: usize, metric: Metric, seed: u64, tuning: &Tuning, progress: &Progress) -> Result<Neighbors> {
    let n = rows.nrows();
    if n <= 2 * tuning.leaf {
        return super::dense::search(rows, None, k, metric, progress);
    }
    let frame = Frame::new(rows, metric);
    let total = tuning.trees + tuning.rounds + 1;

    // Renumber the rows in the order of a first tree.
    let mut points = Points::new(&frame, rows, None);
    let order: Vec<u32> = tree_leaves(&points, seed, 0, tuning.leaf).into_iter().flatten().collect();
    points = Points::new(&frame, rows, Some(&order));
    progress.step("neighbours", 0, total)?;

    let mut lists = Lists::new(n, k + tuning.spare);
    let first: Vec<Vec<u32>> = (0..n as u32).collect::<Vec<_>>().chunks(tuning.leaf).map(<[u32]>::to_vec).collect();
    compare_leaves(&points, &first, &mut lists);
    progress.step("neighbours", 1, total)?;
    for tree in 1..tuning.trees {
        let leaves = tree_leaves(&points, seed, tree as u64, tuning.leaf);
        compare_leaves(&points, &leaves, &mut lists);
        progress.step("neighbours", tree + 1, total)?;
    }
    for round in 0..tuning.rounds {
        let changed = descend(&points, &mut lists, tuning.candidates, seed ^ (round as u64 + 1), progress)?;
        progress.step("neighbours", tuning.trees + round + 1, total)?;
        if (changed as f64) < tuning.enough * (n * lists.keep) as f64 {
            break;
        }
    }
    Ok(refine(&frame, rows, &order, &lists, k))
}

/// Distances in f64 from the rows themselves, in their own numbering.
fn refine(frame: &Frame, rows: Dense<'_>, order: &[u32], lists: &Lists, k: usize) -> Neighbors {
    let (n, p) = (rows.nrows(), rows.ncols());
    let mut position = vec![0u32; n];
    for (new, &old) in order.iter().enumerate() {
        position[old as usize] = new as u32;
    }
    let mut neighbors = Neighbors { k, indices: vec![0; n * k], distances: vec![0.0; n * k] };
    neighbors.indices.par_chunks_mut(k * TASK).zip(neighbors.distances.par_chunks_mut(k * TASK)).enumerate().for_each_init(
        || (vec![0.0; p], vec![0.0; p]),
        |(x, y), (task, (indices, distances))| {
            for (r, (indices, distances)) in indices.chunks_mut(k).zip(distances.chunks_mut(k)).enumerate() {
                let old = task * TASK + r;
                frame.exact_row(rows, old, x);
                // Already sorted by single-precision distance: two extra candidates are enough to settle the order in f64.
                let candidates = lists.ids(position[old] as usize).iter().take(k + 2);
                candidates.clone().for_each(|&j| rows.prefetch(order[j as usize] as usize));
                let mut found: Vec<(f64, u32)> = candidates
                    .map(|&j| {
                        let j = order[j as usize];
                        frame.exact_row(rows, j as usize, y);
                        (exact(frame.metric(), x, y), j)
                    })
                    .collect();
                sort(&mut found);
                for (s, (value, j)) in found.into_iter().take(k).enumerate() {
                    indices[s] = j;
                    distances[s] = frame.distance(value);
                }
            }
        },
    );
    neighbors
}

/// The rows in single precision in the frame of the search, with half their squared lengths.
struct Points {
    values: Matrix<f32>,
    half: Vec<f32>,
}

impl Points {
    fn new(frame: &Frame, rows: Dense<'_>, order: Option<&[u32]>) -> Self {
        let (n, p) = (rows.nrows(), rows.ncols());
        let mut values = Matrix::zeros(n, p);
        let mut half = vec![0.0; n];
        values.as_mut_slice().par_chunks_mut(p).zip(half.par_iter_mut()).enumerate().for_each_init(
            || vec![0.0; p],
            |scratch, (i, (out, half))| {
                frame.row(rows, order.map_or(i, |o| o[i] as usize), scratch);
                for (o, v) in out.iter_mut().zip(scratch.iter()) {
                    *o = *v as f32;
                }
                *half = 0.5 * out.iter().map(|v| v * v).sum::<f32>();
            },
        );
        Self { values, half }
    }
    fn len(&self) -> usize {
        self.half.len()
    }
}

/// The leaves of one tree: every row in exactly one, at most `leaf` rows each, split at the median of the
/// projection on the difference of two rows drawn at random.
fn tree_leaves(points: &Points, seed: u64, tree: u64, leaf: usize) -> Vec<Vec<u32>> {
    let mut ids: Vec<u32> = (0..points.len() as u32).collect();
    let mut leaves = vec![];
    split(points, &mut ids, leaf, seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ (tree << 40), 1, &mut leaves);
    leaves
}

fn split(points: &Points, ids: &mut [u32], leaf: usize, seed: u64, path: u64, leaves: &mut Vec<Vec<u32>>) {
    if ids.len() <= leaf {
        leaves.push(ids.to_vec());
        return;
    }
    let mut rng = ChaCha8Rng::seed_from_u64(seed ^ path);
    let a = ids[rng.random_range(0..ids.len())] as usize;
    let b = ids[rng.random_range(0..ids.len())] as usize;
    let direction: Vec<f32> = points.values.row(a).iter().zip(points.values.row(b)).map(|(a, b)| a - b).collect();
    let mut keyed: Vec<(f32, u32)> = vec![(0.0, 0); ids.len()];
    let all = &*ids;
    keyed.par_iter_mut().enumerate().with_min_len(4096).for_each(|(at, key)| {
        if let Some(soon) = all.get(at + AHEAD) {
            prefetch(points.values.row(*soon as usize));
        }
        *key = (dot(points.values.row(all[at] as usize), &direction), all[at]);
    });
    // At a multiple of the leaf size, so that leaves are full.
    let half = (ids.len() / 2).div_ceil(leaf) * leaf;
    let half = if half < ids.len() { half } else { ids.len() / 2 };
    keyed.select_nth_unstable_by(half, |x, y| x.0.total_cmp(&y.0).then(x.1.cmp(&y.1)));
    for (id, (_, i)) in ids.iter_mut().zip(&keyed) {
        *id = *i;
    }
    drop(keyed);
    let (left, right) = ids.split_at_mut(half);
    // The selection leaves a deterministic order within a half; sorted, it is also local in memory.
    left.sort_unstable();
    right.sort_unstable();
    let mut right_leaves = vec![];
    rayon::join(
        || split(points, left, leaf, seed, path.wrapping_mul(2), leaves),
        || split(points, right, leaf, seed, path.wrapping_mul(2) + 1, &mut right_leaves),
    );
    leaves.append(&mut right_leaves);
}

fn dot(x: &[f32], y: &[f32]) -> f32 {
    let mut sums = [0.0f32; 16];
    let (mut cx, mut cy) = (x.chunks_exact(16), y.chunks_exact(16));
    for (a, b) in (&mut cx).zip(&mut cy) {
        for l in 0..16 {
            sums[l] += a[l] * b[l];
        }
    }
    for (l, (a, b)) in cx.remainder().iter().zip(cy.remainder()).enumerate() {
        sums[l] += a * b;
    }
    sums.iter().sum()
}

/// A block of rows packed both ways, for all distances within it.
struct Workspace {
    panels: Panels<f32>,
    queries: Vec<f32>,
    scratch: Vec<f32>,
    tile: Tile<f32>,
}

impl Workspace {
    fn new(rows: usize, p: usize) -> Self {
        Self { panels: Panels::zeros(rows, p), queries: vec![0.0; p * MR], scratch: vec![0.0; p], tile: Tile::new() }
    }

    /// Calls `near(a, b, squared distance)` for every query position a < `queries` and every other position b
    /// of `ids` that is nearer than `reach(a)`.
    fn distances(
        &mut self,
        points: &Points,
        ids: &[u32],
        queries: usize,
        mut reach: impl FnMut(usize) -> f32,
        mut near: impl FnMut(usize, usize, f32),
    ) {
        let p = points.values.ncols();
        self.panels.reset(ids.len());
        ids.iter().take(AHEAD).for_each(|&id| prefetch(points.values.row(id as usize)));
        for (b, &id) in ids.iter().enumerate() {
            if let Some(soon) = ids.get(b + AHEAD) {
                prefetch(points.values.row(*soon as usize));
            }
            self.panels.set(b, points.values.row(id as usize), points.half[id as usize]);
        }
        for from in (0..queries).step_by(MR) {
            let count = MR.min(queries - from);
            let fill = |i: usize, out: &mut [f32]| out.copy_from_slice(points.values.row(ids[from + i] as usize));
            pack_queries(count, p, &mut self.queries, fill, &mut self.scratch);
            let mut threshold = [f32::NEG_INFINITY; MR];
            for i in 0..count {
                threshold[i] = 0.5 * reach(from + i) - points.half[ids[from + i] as usize];
            }
            for q in 0..self.panels.len() {
                let (values, init) = self.panels.panel(q);
                if !f32::tile(MR, &self.queries, values, init, &threshold, &mut self.tile) {
                    continue;
                }
                for i in 0..count {
                    let mut hits = self.tile.hits[i];
                    while hits != 0 {
                        let lane = hits.trailing_zeros() as usize;
                        hits &= hits - 1;
                        let b = q * f32::NR + lane;
                        if b != from + i {
                            let squared = 2.0 * (self.tile.scores[i][lane] + points.half[ids[from + i] as usize]);
                            near(from + i, b, squared.max(0.0));
                        }
                    }
                }
            }
        }
    }
}

/// Compares all rows within each leaf. Leaves are disjoint, so each writes the lists of its own rows.
fn compare_leaves(points: &Points, leaves: &[Vec<u32>], lists: &mut Lists) {
    let keep = lists.keep;
    let largest = leaves.iter().map(Vec::len).max().unwrap_or(0);
    let new: Vec<(Vec<u32>, Vec<f32>)> = {
        let lists = &*lists;
        leaves
            .par_iter()
            .map_init(
                || Workspace::new(largest, points.values.ncols()),
                |workspace, leaf| {
                    let (mut ids, mut squared) = (Vec::with_capacity(leaf.len() * keep), Vec::with_capacity(leaf.len() * keep));
                    for &i in leaf {
                        ids.extend_from_slice(lists.ids(i as usize));
                        squared.extend_from_slice(&lists.squared[i as usize * keep..(i as usize + 1) * keep]);
                    }
                    let mut fresh = vec![false; ids.len()];
                    let squared_cell = std::cell::RefCell::new((ids, squared));
                    workspace.distances(
                        points,
                        leaf,
                        leaf.len(),
                        |a| squared_cell.borrow().1[(a + 1) * keep - 1],
                        |a, b, d| {
                            let (ids, squared) = &mut *squared_cell.borrow_mut();
                            let range = a * keep..(a + 1) * keep;
                            insert(&mut ids[range.clone()], &mut squared[range.clone()], &mut fresh[range], d, leaf[b]);
                        },
                    );
                    squared_cell.into_inner()
                },
            )
            .collect()
    };
    // First the position of each row's new list; then every row fetches its own, in parallel.
    let mut source = vec![(0u32, 0u32); lists.ids.len() / keep];
    for (l, leaf) in leaves.iter().enumerate() {
        for (a, &i) in leaf.iter().enumerate() {
            source[i as usize] = (l as u32, a as u32);
        }
    }
    lists
        .ids
        .par_chunks_mut(keep)
        .zip(lists.squared.par_chunks_mut(keep))
        .zip(lists.fresh.par_chunks_mut(keep))
        .zip(&source)
        .with_min_len(TASK)
        .for_each(|(((ids, squared), fresh), &(l, a))| {
            let (new_ids, new_squared) = &new[l as usize];
            let range = a as usize * keep..(a as usize + 1) * keep;
            ids.copy_from_slice(&new_ids[range.clone()]);
            squared.copy_from_slice(&new_squared[range]);
            fresh.fill(true);
        });
}

fn mix(seed: u64, a: u32, b: u32) -> u64 {
    let mut h = seed ^ (u64::from(a) << 32 | u64::from(b)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    h = (h ^ h >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    h ^ h >> 27
}

/// One round: rows that share a neighbour are compared with each other. Returns how many entries changed.
fn descend(points: &Points, lists: &mut Lists, candidates: usize, seed: u64, progress: &Progress) -> Result<usize> {
    let (n, keep) = (points.len(), lists.keep);
    let reverse = Reverse::of(lists, n);
    // The fresh entries in the row's own sample take part. They are old afterwards.
    let samples: Vec<(Vec<u32>, u32)> =
        (0..n).into_par_iter().with_min_len(TASK).map(|i| sample(lists, &reverse, i, candidates, seed)).collect();
    lists.fresh.par_chunks_mut(keep).zip(lists.ids.par_chunks(keep)).zip(&samples).for_each(
        |((fresh, ids), (sample, n_fresh))| {
            for (f, id) in fresh.iter_mut().zip(ids) {
                if *f && sample[..*n_fresh as usize].contains(id) {
                    *f = false;
                }
            }
        },
    );
    drop(reverse);
    let mut changed = 0;
    for start in (0..n).step_by(ROUND_CHUNK) {
        progress.step("neighbours", 0, 0)?;
        let chunk = &samples[start..(start + ROUND_CHUNK).min(n)];
        let changes: Vec<Vec<(u32, u32, f32)>> = {
            let lists = &*lists;
            chunk
                .par_chunks(TASK)
                .map_init(
                    || Workspace::new(2 * candidates, points.values.ncols()),
                    |workspace, task| join(points, lists, task, workspace),
                )
                .collect()
        };
        changed += apply(lists, &changes, n);
    }
    Ok(changed)
}

/// Computes all distances between fresh candidates of a row and all its candidates; keeps those that improve a list.
fn join(points: &Points, lists: &Lists, task: &[(Vec<u32>, u32)], workspace: &mut Workspace) -> Vec<(u32, u32, f32)> {
    let mut changes = vec![];
    let mut worst: Vec<f32> = vec![];
    for (at, (ids, n_fresh)) in task.iter().enumerate() {
        if let Some((next, _)) = task.get(at + 1) {
            next.iter().for_each(|&i| prefetch(lists.ends(i as usize)));
        }
        let n_fresh = *n_fresh as usize;
        // Looked up once: most hits fail this test, and the lists are far apart in memory.
        worst.clear();
        worst.extend(ids.iter().map(|&i| lists.worst(i as usize)));
        let farthest_old = worst[n_fresh..].iter().fold(0.0f32, |a, w| a.max(*w));
        workspace.distances(
            points,
            ids,
            n_fresh,
            |a| worst[a].max(farthest_old),
            |a, b, d| {
                let (x, y) = (ids[a], ids[b]);
                // Two fresh candidates meet twice, once from each side; a fresh and an old one only here.
                if d < worst[a] && !lists.ids(x as usize).contains(&y) {
                    changes.push((x, y, d));
                }
                if b >= n_fresh && d < worst[b] && !lists.ids(y as usize).contains(&x) {
                    changes.push((y, x, d));
                }
            },
        );
    }
    changes
}

/// Applies changes in the order of their tasks, rows in parallel by ranges.
fn apply(lists: &mut Lists, changes: &[Vec<(u32, u32, f32)>], n: usize) -> usize {
    let keep = lists.keep;
    const PARTS: usize = 16;
    let per = n.div_ceil(PARTS);
    let mut parts: Vec<Vec<(u32, u32, f32)>> = vec![vec![]; PARTS];
    for change in changes.iter().flatten() {
        parts[change.0 as usize / per].push(*change);
    }
    lists
        .ids
        .par_chunks_mut(per * keep)
        .zip(lists.squared.par_chunks_mut(per * keep))
        .zip(lists.fresh.par_chunks_mut(per * keep))
        .zip(&parts)
        .enumerate()
        .map(|(part, (((ids, squared), fresh), changes))| {
            let mut count = 0;
            for &(row, id, d) in changes {
                let range = (row as usize - part * per) * keep..(row as usize - part * per + 1) * keep;
                count += usize::from(insert(&mut ids[range.clone()], &mut squared[range.clone()], &mut fresh[range], d, id));
            }
            count
        })
        .sum()
}

/// The rows that have row j in their list, and whether that entry is fresh.
struct Reverse {
    start: Vec<u32>,
    from: Vec<u32>,
    fresh: Vec<bool>,
}

impl Reverse {
    fn of(lists: &Lists, n: usize) -> Self {
        let mut start = vec![0u32; n + 1];
        for &j in &lists.ids {
            if j != NOBODY {
                start[j as usize + 1] += 1;
            }
        }
        for j in 0..n {
            start[j + 1] += start[j];
        }
        let total = start[n] as usize;
        let mut reverse = Reverse { from: vec![0; total], fresh: vec![false; total], start };
        let mut next = reverse.start.clone();
        for (at, &j) in lists.ids.iter().enumerate() {
            if j != NOBODY {
                let slot = next[j as usize] as usize;
                reverse.from[slot] = (at / lists.keep) as u32;
                reverse.fresh[slot] = lists.fresh[at];
                next[j as usize] += 1;
            }
        }
        reverse
    }
}

/// Candidates of a row: fresh ones first (with their number), then old ones, each a random sample.
fn sample(lists: &Lists, reverse: &Reverse, i: usize, candidates: usize, seed: u64) -> (Vec<u32>, u32) {
    let keep = lists.keep;
    let forward = (i * keep..(i + 1) * keep).map(|at| (lists.ids[at], lists.fresh[at])).filter(|e| e.0 != NOBODY);
    let range = reverse.start[i] as usize..reverse.start[i + 1] as usize;
    let backward = range.map(|at| (reverse.from[at], reverse.fresh[at]));
    let mut fresh: Vec<(u64, u32)> = vec![];
    let mut old: Vec<(u64, u32)> = vec![];
    for (id, is_fresh) in forward.chain(backward) {
        let side = if is_fresh { &mut fresh } else { &mut old };
        side.push((mix(seed, i as u32, id), id));
    }
    let take = |side: &mut Vec<(u64, u32)>| {
        side.sort_unstable();
        side.dedup();
        side.truncate(candidates);
    };
    take(&mut fresh);
    let n_fresh = fresh.len() as u32;
    if n_fresh == 0 {
        return (vec![], 0);
    }
    old.retain(|o| !fresh.contains(o));
    take(&mut old);
    (fresh.into_iter().chain(old).map(|(_, id)| id).collect(), n_fresh)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::with_threads;

    fn clustered(n: usize, p: usize) -> Matrix<f32> {
        let mut state = 7u64;
        let mut next = move || {
            let mut sum = 0.0f32;
            for _ in 0..4 {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                sum += (state >> 40) as f32 / (1u64 << 24) as f32 - 0.5;
            }
            sum
        };
        let centres = Matrix::from_fn(10, p, |_, _| 2.0 * next());
        Matrix::from_fn(n, p, |i, j| centres[(i % 10, j)] + next())
    }

    #[test]
    fn recall_is_high_and_threads_do_not_matter() {
        let m = clustered(6000, 12);
        let rows = Dense::F32(m.view());
        let truth = super::super::dense::search(rows, None, 10, Metric::Euclidean, &Progress::silent()).unwrap();
        let run = |threads| {
            with_threads(threads, || search(Dense::F32(m.view()), 10, Metric::Euclidean, 3, &Progress::silent()).unwrap())
        };
        let (one, two) = (run(1), run(2));
        assert_eq!(one, two);
        let hits = (0..6000)
            .map(|i| (0..10).filter(|s| truth.indices[i * 10..(i + 1) * 10].contains(&one.indices[i * 10 + s])).count())
            .sum::<usize>();
        let recall = hits as f64 / 60_000.0;
        assert!(recall >= 0.98, "recall {recall}");
        for i in 0..6000 {
            let row: Vec<_> = one.row(i).collect();
            assert!(row.windows(2).all(|w| w[0].1 <= w[1].1));
            assert!(row.iter().all(|(j, _)| *j as usize != i && (*j as usize) < 6000));
        }
    }

    #[test]
    fn equal_rows_still_fill_every_list() {
        let m = Matrix::<f32>::from_fn(2000, 3, |i, _| (i % 2) as f32);
        let got = search(Dense::F32(m.view()), 5, Metric::Euclidean, 0, &Progress::silent()).unwrap();
        assert!(got.indices.iter().all(|j| (*j as usize) < 2000));
        assert!(got.distances.iter().all(|d| *d == 0.0));
    }
}
