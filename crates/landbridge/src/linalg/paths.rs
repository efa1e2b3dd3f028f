//! Shortest paths from several sources at once: Dijkstra's algorithm on short vectors of distances, one lane per
//! source.
//!
//! Sources that lie close together meet the nodes of a graph in nearly the same order, so that one look at an edge
//! serves all of them. A node is taken from the heap by the least of its lanes that changed since it was last taken;
//! that lane is final, so that no node is taken more often than there are lanes, and mostly once or twice. Sums run
//! from the source outwards and rounding is monotone: the result is bit for bit that of one search per source.
//!
//! `unsafe` here only calls the same safe loop compiled for a wider instruction set, after the processor was asked
//! whether it has it.
#![allow(unsafe_code)]

use crate::linalg::Csr;
use crate::linalg::wide::widest;

/// Sources of a batch.
pub(crate) const LANES: usize = 16;

/// A heap of nodes by key, four children each, that knows where every node is.
#[derive(Clone, Debug)]
pub(crate) struct Heap {
    entries: Vec<(f64, u32)>,
    /// Place of each node in the heap; `ABSENT` when it is not there.
    place: Vec<u32>,
}

const ABSENT: u32 = u32::MAX;

impl Heap {
    pub(crate) fn new(n: usize) -> Self {
        Self { entries: Vec::new(), place: vec![ABSENT; n] }
    }
    /// Puts the node in, or moves it up.
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

/// Distances from a batch of sources, and the heap behind them; kept from batch to batch.
pub(crate) struct Wave {
    /// One row of lanes per node.
    pub(crate) distances: Vec<[f64; LANES]>,
    heap: Heap,
}

impl Wave {
    pub(crate) fn new(n: usize) -> Self {
        Self { distances: vec![[0.0; LANES]; n], heap: Heap::new(n) }
    }
    /// Distances from each of at most [`LANES`] sources; infinite where no path leads.
    pub(crate) fn run(&mut self, lengths: &Csr, sources: &[u32]) {
        run(self, lengths, sources);
    }

    #[inline(always)]
    fn spread(&mut self, lengths: &Csr, sources: &[u32]) {
        self.distances.fill([f64::INFINITY; LANES]);
        for (lane, &source) in sources.iter().enumerate() {
            self.distances[source as usize][lane] = 0.0;
            self.heap.lower(source, 0.0);
        }
        while let Some((_, node)) = self.heap.pop() {
            let own = self.distances[node as usize];
            for (&next, &length) in lengths.row_indices(node as usize).iter().zip(lengths.row_values(node as usize)) {
                let other = &mut self.distances[next as usize];
                let mut through = [0.0; LANES];
                let mut shorter = false;
                for c in 0..LANES {
                    through[c] = own[c] + length;
                    shorter |= through[c] < other[c];
                }
                if !shorter {
                    continue;
                }
                let mut key = f64::INFINITY;
                for c in 0..LANES {
                    let better = through[c] < other[c];
                    other[c] = if better { through[c] } else { other[c] };
                    let changed = if better { through[c] } else { f64::INFINITY };
                    key = if changed < key { changed } else { key };
                }
                self.heap.lower(next, key);
            }
        }
    }
}

widest! {
    ["avx512f", "avx512dq"], ["avx2"];
    fn run(wave: &mut Wave, lengths: &Csr, sources: &[u32]) = spread;
}

#[inline(always)]
fn spread(wave: &mut Wave, lengths: &Csr, sources: &[u32]) {
    wave.spread(lengths, sources);
}
