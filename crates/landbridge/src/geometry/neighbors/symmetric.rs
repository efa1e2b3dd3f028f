//! Exact neighbours of all rows among themselves: the product of two rows serves both of them.
//!
//! Each block of rows is compared with the rows after it. Hits for the block's own rows stay with it. Hits for later rows are
//! sent to them, if they are below a limit for that row: at first from a sample of the rows, later from the hits received.

use super::Found;
use super::dense::{Dense, Frame, QUERY_BLOCK, certify_block, coprime_stride, pack_block};
use crate::error::Result;
use crate::linalg::tiles::{Back, Best, MR, Panels, Real, Tile};
use crate::progress::Progress;
use rayon::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Below this many rows, the sample is not worth its cost.
pub(super) const LEAST: usize = 1024;
/// One in this many panels is in the sample; more if it would hold only a few times as many rows as are kept.
const SAMPLED: usize = 16;
const TIMES_KEPT: usize = 4;
/// Blocks between two deliveries.
const BLOCKS: usize = 16;
/// Number of parts of the rows that receive hits in parallel.
const PARTS: usize = 16;
/// Additional roundings of a score seen from the other side.
const MORE_ROUNDINGS: usize = 8;

/// Row, score, whose score it is.
type Sent<T> = Vec<(u32, T, u32)>;

/// The neighbours of every row; `None` if the rounding bound leaves a doubt.
pub(super) fn scan<T: Real + std::ops::Neg<Output = T>>(
    frame: &Frame,
    rows: Dense<'_>,
    panels: &Panels<T>,
    k: usize,
    keep: usize,
    progress: &Progress,
) -> Result<Vec<Option<Found>>> {
    let n = rows.nrows();
    let all: Vec<u32> = (0..n as u32).collect();
    let done = AtomicUsize::new(0);
    let step = |count: usize| progress.step("neighbours", done.fetch_add(count, Ordering::Relaxed) + count, 2 * n);

    // Limits from a sample.
    let every = (n / (TIMES_KEPT * keep)).clamp(1, SAMPLED);
    let sample: Vec<usize> = (0..panels.len()).step_by(every).collect();
    let sampled: Vec<Vec<T>> = all
        .par_chunks(QUERY_BLOCK)
        .map(|block| -> Result<_> {
            step(block.len())?;
            let mut best: Vec<Best<T>> = block.iter().map(|_| Best::new(keep)).collect();
            let mut meeting = Meeting::new(frame, rows, panels, block);
            sample.iter().enumerate().for_each(|(s, &q)| meeting.meet(q, sample.get(s + 1).copied(), &mut best, None));
            Ok(best.iter_mut().map(|b| b.finish().1).collect())
        })
        .collect::<Result<_>>()?;
    let mut best: Vec<Best<T>> = sampled.into_iter().flatten().map(|limit| Best::below(keep, limit)).collect();

    // Each pair of rows once.
    let mut limits = vec![T::TINY; panels.len() * T::NR];
    let part = n.div_ceil(PARTS);
    for first in (0..n).step_by(BLOCKS * QUERY_BLOCK) {
        let bound = |(i, (limit, best)): (usize, (&mut T, &Best<T>))| *limit = best.threshold() + panels.init(i);
        limits[..n].par_iter_mut().zip(&best).enumerate().with_min_len(1024).for_each(bound);
        let last = n.min(first + BLOCKS * QUERY_BLOCK);
        let blocks = best[first..last].par_chunks_mut(QUERY_BLOCK).zip(all[first..last].par_chunks(QUERY_BLOCK));
        let sent: Vec<Vec<Sent<T>>> = blocks
            .with_max_len(1)
            .map(|(best, block)| -> Result<_> {
                step(block.len())?;
                let mut meeting = Meeting::new(frame, rows, panels, block);
                let mut out: Vec<Sent<T>> = vec![vec![]; PARTS];
                // Within the block every row is compared with every other; the block consists of whole panels.
                let (own, after) = (block[0] as usize / T::NR, (block[0] as usize + QUERY_BLOCK) / T::NR);
                (own..after.min(panels.len())).for_each(|q| meeting.meet(q, None, best, None));
                let left = panels.len().saturating_sub(after);
                // Not in the order of the rows: in sorted data every panel would be nearer than the previous one.
                let stride = coprime_stride(left.max(1));
                for s in 0..left {
                    let (q, next) = (after + s * stride % left, after + (s + 1) * stride % left);
                    let limits = &limits[q * T::NR..(q + 1) * T::NR];
                    let mut send = |j: u32, score, i| out[j as usize / part].push((j, score, i));
                    meeting.meet(q, Some(next), best, Some((limits, &mut send)));
                }
                Ok(out)
            })
            .collect::<Result<_>>()?;
        best.par_chunks_mut(part).enumerate().for_each(|(p, best)| {
            for &(j, score, i) in sent.iter().flat_map(|out| &out[p]) {
                best[j as usize - p * part].push(score, i);
            }
            best.iter_mut().for_each(|b| {
                b.finish();
            });
        });
    }
    let certified: Vec<Vec<Option<Found>>> = best
        .par_chunks_mut(QUERY_BLOCK)
        .zip(all.par_chunks(QUERY_BLOCK))
        .map(|(best, block)| certify_block(frame, rows, rows, block, best, k, rows.ncols() + MORE_ROUNDINGS))
        .collect();
    Ok(certified.into_iter().flatten().collect())
}

/// The destination of hits of a panel's rows: their limits, and `send(row, score, query)`.
type Others<'a, T> = (&'a [T], &'a mut dyn FnMut(u32, T, u32));

/// A block of rows to compare with panels.
struct Meeting<'a, T> {
    panels: &'a Panels<T>,
    block: &'a [u32],
    packed: Vec<T>,
    /// Numbers of a tile of queries.
    size: usize,
    own: Vec<[T; MR]>,
    tile: Tile<T>,
}

impl<'a, T: Real + std::ops::Neg<Output = T>> Meeting<'a, T> {
    fn new(frame: &Frame, rows: Dense<'_>, panels: &'a Panels<T>, block: &'a [u32]) -> Self {
        let own = block.chunks(MR).map(|queries| {
            // Padded queries are not neighbours of any row.
            let mut own = [T::HUGE; MR];
            own.iter_mut().zip(queries).for_each(|(o, &i)| *o = panels.init(i as usize));
            own
        });
        Self {
            panels,
            block,
            packed: pack_block(frame, rows, block),
            size: rows.ncols() * MR,
            own: own.collect(),
            tile: Tile::new(),
        }
    }

    /// All rows of the block and all of a panel, while the next one is loaded.
    fn meet(&mut self, panel: usize, next: Option<usize>, best: &mut [Best<T>], mut others: Option<Others<'_, T>>) {
        let (values, init) = self.panels.panel(panel);
        let tile = &mut self.tile;
        let tiles = self.block.len().div_ceil(MR);
        for (t, queries) in self.block.chunks(MR).enumerate() {
            if let Some(next) = next {
                self.panels.ask_for(next, t, tiles);
            }
            let mut thresholds = [T::TINY; MR];
            let best = &mut best[t * MR..t * MR + queries.len()];
            thresholds.iter_mut().zip(&*best).for_each(|(t, b)| *t = b.threshold());
            let back = others.as_ref().map(|(limits, _)| Back { columns: limits, own: &self.own[t] });
            if !T::tile_both(MR, &self.packed[t * self.size..(t + 1) * self.size], values, init, &thresholds, back, tile) {
                continue;
            }
            for (i, (&query, best)) in queries.iter().zip(best).enumerate() {
                for lane in bits(tile.hits[i]) {
                    let row = (panel * T::NR + lane) as u32;
                    if row != query {
                        best.push(tile.scores[i][lane], row);
                    }
                }
                let Some((_, send)) = &mut others else { continue };
                for lane in bits(tile.back[i]) {
                    // `init(y) − x·y` seen from y: the half square of the other row counts.
                    send((panel * T::NR + lane) as u32, tile.scores[i][lane] - init[lane] + self.own[t][i], query);
                }
            }
        }
    }
}

/// The positions of the set bits.
fn bits(mut word: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let place = word.trailing_zeros() as usize;
        word &= word.wrapping_sub(1);
        (place < 32).then_some(place)
    })
}
