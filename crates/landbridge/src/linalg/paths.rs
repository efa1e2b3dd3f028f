//! Shortest paths from several sources at once: one vector of distances per node, one lane per source.
//!
//! Nearby sources have nearly the same distances to all nodes, so that reading an edge once serves all of them. Nodes are
//! relaxed in the order of their distance from a nearby source, repeatedly, until nothing changes. For that source itself one
//! round suffices; the others need a few rounds, over fewer and fewer nodes. There is no heap. Sums run from the source
//! outwards and rounding is monotone, so the result is the minimum of the same sums in any order: bit for bit that of
//! Dijkstra's algorithm from each source.
//!
//! `unsafe` here only calls functions compiled for a wider instruction set.
#![allow(unsafe_code)]

use crate::linalg::Csr;
#[cfg(target_arch = "x86_64")]
use crate::linalg::dispatch::has;

/// Sources in a batch.
pub(crate) const LANES: usize = 32;
/// From this round on every second round runs backwards: a node that the order places too early depends on later nodes.
const FORWARD: usize = 4;

/// Distances of a node from all sources.
pub(crate) type Lanes = [f64; LANES];

/// A 4-ary heap of nodes by key that stores the position of every node.
#[derive(Clone, Debug)]
pub(crate) struct Heap {
    entries: Vec<(f64, u32)>,
    /// Position of each node in the heap; `ABSENT` when it is not there.
    place: Vec<u32>,
}

const ABSENT: u32 = u32::MAX;

impl Heap {
    pub(crate) fn new(n: usize) -> Self {
        Self { entries: Vec::new(), place: vec![ABSENT; n] }
    }
    /// Inserts the node, or decreases its key.
    #[inline(always)]
    pub(crate) fn lower(&mut self, node: u32, key: f64) {
        let at = match self.place[node as usize] {
            ABSENT => {
                self.entries.push((key, node));
                self.entries.len() - 1
            }
            at if self.entries[at as usize].0 <= key => return,
            at => at as usize,
        };
        self.rise(at, (key, node));
    }
    #[inline(always)]
    fn rise(&mut self, mut at: usize, entry: (f64, u32)) {
        while at > 0 {
            let parent = (at - 1) / 4;
            if self.entries[parent].0 <= entry.0 {
                break;
            }
            self.entries[at] = self.entries[parent];
            self.place[self.entries[at].1 as usize] = at as u32;
            at = parent;
        }
        self.entries[at] = entry;
        self.place[entry.1 as usize] = at as u32;
    }
    #[inline(always)]
    pub(crate) fn pop(&mut self) -> Option<(f64, u32)> {
        let last = self.entries.pop()?;
        let Some(&top) = self.entries.first() else {
            self.place[last.1 as usize] = ABSENT;
            return Some(last);
        };
        let mut at = 0;
        loop {
            let first = 4 * at + 1;
            if first >= self.entries.len() {
                break;
            }
            let end = (first + 4).min(self.entries.len());
            let mut child = first;
            for c in first + 1..end {
                if self.entries[c].0 < self.entries[child].0 {
                    child = c;
                }
            }
            if self.entries[child].0 >= last.0 {
                break;
            }
            self.entries[at] = self.entries[child];
            self.place[self.entries[at].1 as usize] = at as u32;
            at = child;
        }
        self.entries[at] = last;
        self.place[last.1 as usize] = at as u32;
        self.place[top.1 as usize] = ABSENT;
        Some(top)
    }
}

/// Distances from a batch of sources; the memory is reused from batch to batch.
pub(crate) struct Wave {
    /// One row of lanes per node.
    pub(crate) distances: Vec<Lanes>,
    /// Nodes sorted by their distance from the first source of the last batch.
    order: Vec<u64>,
    /// Nodes with a neighbour whose distances fell since they were last relaxed.
    open: Vec<bool>,
}

impl Wave {
    pub(crate) fn new(n: usize) -> Self {
        Self { distances: vec![[0.0; LANES]; n], order: (0..n as u64).collect(), open: vec![false; n] }
    }
    /// Distances from each of at most [`LANES`] sources; infinite where there is no path. Fastest when the sources lie close to
    /// each other and to those of the last call.
    pub(crate) fn run(&mut self, lengths: &Csr, sources: &[u32]) {
        #[cfg(target_arch = "x86_64")]
        {
            if has!(Avx512: "avx512f") {
                // SAFETY: the CPU has these features.
                return unsafe { x86::avx512(self, lengths, sources) };
            }
            if has!(Avx2: "avx2") {
                // SAFETY: as above.
                return unsafe { x86::avx2(self, lengths, sources) };
            }
        }
        self.spread(lengths, sources, take);
    }

    #[inline(always)]
    fn spread(&mut self, lengths: &Csr, sources: &[u32], take: impl Fn(&mut Lanes, &[Lanes], &[u32], &[f64]) -> bool) {
        // Sort key: the distance in single precision, then the node, in one integer.
        self.order.iter_mut().for_each(|o| {
            let node = *o & u64::from(u32::MAX);
            *o = u64::from((self.distances[node as usize][0] as f32).to_bits()) << 32 | node;
        });
        self.order.sort_unstable();
        self.distances.fill([f64::INFINITY; LANES]);
        let mut left = 0;
        for (lane, &source) in sources.iter().enumerate() {
            self.distances[source as usize][lane] = 0.0;
            left += self.open_neighbors(lengths, source as usize);
        }
        let n = self.order.len();
        for round in 1.. {
            if left == 0 {
                return;
            }
            let backwards = round > FORWARD && round % 2 == 0;
            for at in 0..n {
                let node = self.order[if backwards { n - 1 - at } else { at }] as u32 as usize;
                if !std::mem::replace(&mut self.open[node], false) {
                    continue;
                }
                left -= 1;
                let mut own = self.distances[node];
                let shorter = take(&mut own, &self.distances, lengths.row_indices(node), lengths.row_values(node));
                if shorter {
                    self.distances[node] = own;
                    left += self.open_neighbors(lengths, node);
                }
            }
        }
    }

    /// Opens the neighbours of a node; returns how many were not open before.
    #[inline(always)]
    fn open_neighbors(&mut self, lengths: &Csr, node: usize) -> usize {
        let fresh = |&next: &u32| usize::from(!std::mem::replace(&mut self.open[next as usize], true));
        lengths.row_indices(node).iter().map(fresh).sum()
    }
}

/// Lowers the distances of a node by way of its neighbours; returns whether any fell.
fn take(own: &mut Lanes, distances: &[Lanes], neighbors: &[u32], lengths: &[f64]) -> bool {
    let before = *own;
    for (&next, &length) in neighbors.iter().zip(lengths) {
        for (own, other) in own.iter_mut().zip(&distances[next as usize]) {
            let through = other + length;
            *own = if through < *own { through } else { *own };
        }
    }
    own.iter().zip(&before).any(|(own, before)| own < before)
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{Csr, LANES, Lanes, Wave};
    use crate::linalg::vectors::{read_4_f64, read_8_f64, write_4_f64, write_8_f64};
    use std::arch::x86_64::*;

    macro_rules! spread {
        ($name:ident, $features:literal, $width:literal, $read:ident, $write:ident, $set1:ident, $add:ident, $min:ident, $less:expr) => {
            #[target_feature(enable = $features)]
            pub(super) fn $name(wave: &mut Wave, lengths: &Csr, sources: &[u32]) {
                const PARTS: usize = LANES / $width;
                let take = |own: &mut Lanes, distances: &[Lanes], neighbors: &[u32], lengths: &[f64]| {
                    let (own, _) = own.as_chunks_mut::<$width>();
                    let mut least = [$set1(0.0); PARTS];
                    (0..PARTS).for_each(|k| least[k] = $read(&own[k]));
                    for (&next, &length) in neighbors.iter().zip(lengths) {
                        let (other, _) = distances[next as usize].as_chunks::<$width>();
                        let length = $set1(length);
                        for k in 0..PARTS {
                            least[k] = $min($add($read(&other[k]), length), least[k]);
                        }
                    }
                    let mut shorter = 0;
                    for k in 0..PARTS {
                        shorter |= $less(least[k], $read(&own[k]));
                        $write(&mut own[k], least[k]);
                    }
                    shorter != 0
                };
                wave.spread(lengths, sources, take);
            }
        };
    }
    spread!(avx512, "avx512f", 8, read_8_f64, write_8_f64, _mm512_set1_pd, _mm512_add_pd, _mm512_min_pd, |a, b| {
        i32::from(_mm512_cmp_pd_mask::<_CMP_LT_OQ>(a, b))
    });
    spread!(avx2, "avx2", 4, read_4_f64, write_4_f64, _mm256_set1_pd, _mm256_add_pd, _mm256_min_pd, |a, b| {
        _mm256_movemask_pd(_mm256_cmp_pd::<_CMP_LT_OQ>(a, b))
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_takes_what_the_portable_one_takes() {
        let n = 90;
        let mut entries: Vec<(usize, usize, f64)> = vec![];
        for i in 0..n {
            for step in [1, 7, 31] {
                let (j, length) = ((i + step) % n, ((i * 7919 + step * 31) % 101) as f64 / 10.0);
                entries.extend([(i, j, length), (j, i, length)]);
            }
        }
        entries.sort_by_key(|e| (e.0, e.1));
        entries.dedup_by_key(|e| (e.0, e.1));
        let starts = (0..=n).map(|i| entries.partition_point(|e| e.0 < i)).collect();
        let indices = entries.iter().map(|e| e.1 as u32).collect();
        let graph = Csr::from_sorted(starts, indices, entries.iter().map(|e| e.2).collect(), n);
        let (mut fast, mut naive) = (Wave::new(n), Wave::new(n));
        for first in [0, 3, 50] {
            let sources: Vec<u32> = (first..first + 20).collect();
            fast.run(&graph, &sources);
            naive.spread(&graph, &sources, take);
            assert_eq!(fast.distances, naive.distances);
            #[cfg(target_arch = "x86_64")]
            if is_x86_feature_detected!("avx2") {
                let mut wide = Wave::new(n);
                // SAFETY: the CPU has these features.
                unsafe { x86::avx2(&mut wide, &graph, &sources) };
                assert_eq!(wide.distances, naive.distances);
            }
            assert!(fast.distances.iter().all(|lanes| lanes[..20].iter().all(|d| d.is_finite())));
            assert!(fast.distances.iter().all(|lanes| lanes[20..].iter().all(|d| d.is_infinite())));
        }
    }
}
