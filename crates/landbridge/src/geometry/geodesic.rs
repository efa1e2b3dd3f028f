//! Shortest paths over the neighbour graph: how far is it along the data?

use crate::data::Rows;
use crate::error::{Error, Result};
use crate::geometry::components::connected_components;
use crate::geometry::neighbors::{Metric, Neighbors, Search, neighbors, neighbors_among};
use crate::linalg::{Csr, Matrix};
use crate::progress::Progress;
use rayon::prelude::*;

/// A neighbour graph with distances as lengths, joined where it fell apart.
#[derive(Clone, Debug)]
pub struct LengthGraph {
    /// Symmetric; an edge where one row is among the k nearest of the other. Rows that coincide have edges of length 0.
    pub lengths: Csr,
    /// Connected components before it was joined.
    pub components: usize,
    /// Edges added: for every two components the shortest one between them.
    pub joined: usize,
}

impl LengthGraph {
    /// Neighbours of the rows, then the shortest missing edges where they fall into parts.
    pub fn new(rows: &Rows, k: usize, metric: Metric, search: Search, seed: u64, progress: &Progress) -> Result<Self> {
        let found = neighbors(rows, k, metric, search, seed, progress)?;
        if found.distances.iter().any(|d| !d.is_finite()) {
            return Err(Error::Numerical { what: "distances of neighbours".into(), problem: "overflow".into() });
        }
        let mut edges = directed_edges(&found);
        let lengths = symmetric(found.nrows(), &edges);
        let (component, components) = connected_components(&lengths);
        if components == 1 {
            return Ok(Self { lengths, components, joined: 0 });
        }
        let missing = missing_edges(rows, &component, components, metric, progress)?;
        let joined = missing.len();
        edges.extend(missing);
        Ok(Self { lengths: symmetric(found.nrows(), &edges), components, joined })
    }
}

fn directed_edges(found: &Neighbors) -> Vec<(u32, u32, f64)> {
    (0..found.nrows()).flat_map(|i| found.row(i).map(move |(j, d)| (i as u32, j, d))).collect()
}

/// Each edge in both directions, the shorter of equals. Lengths of 0 stay.
fn symmetric(n: usize, edges: &[(u32, u32, f64)]) -> Csr {
    let mut both: Vec<(u32, u32, f64)> = edges.iter().flat_map(|&(i, j, d)| [(i, j, d), (j, i, d)]).collect();
    both.par_sort_unstable_by(|a, b| (a.0, a.1).cmp(&(b.0, b.1)).then(a.2.total_cmp(&b.2)));
    both.dedup_by_key(|e| (e.0, e.1));
    let mut starts = vec![0; n + 1];
    both.iter().for_each(|e| starts[e.0 as usize + 1] += 1);
    for i in 0..n {
        starts[i + 1] += starts[i];
    }
    Csr::from_sorted(starts, both.iter().map(|e| e.1).collect(), both.iter().map(|e| e.2).collect(), n)
}

/// For every two components the shortest edge between them.
fn missing_edges(
    rows: &Rows,
    component: &[u32],
    components: usize,
    metric: Metric,
    progress: &Progress,
) -> Result<Vec<(u32, u32, f64)>> {
    let mut members: Vec<Vec<usize>> = vec![vec![]; components];
    component.iter().enumerate().for_each(|(i, &c)| members[c as usize].push(i));
    let parts: Vec<Rows> = members.iter().map(|m| rows.select(m)).collect();
    let mut edges = vec![];
    for b in 1..components {
        progress.step("joining the graph", b, components)?;
        for a in 0..b {
            // The larger part is searched, once for each row of the smaller one.
            let (from, to) = if members[a].len() < members[b].len() { (a, b) } else { (b, a) };
            let found = neighbors_among(&parts[from], &parts[to], 1, metric, &Progress::silent())?;
            let best = (0..found.nrows()).min_by(|&s, &t| found.distances[s].total_cmp(&found.distances[t]));
            if let Some(s) = best {
                let (i, j) = (members[from][s], members[to][found.indices[s] as usize]);
                edges.push((i as u32, j as u32, found.distances[s]));
            }
        }
    }
    Ok(edges)
}

/// A heap of nodes by distance, four children each, that knows where every node is.
struct Heap {
    entries: Vec<(f64, u32)>,
    /// Place of each node in the heap; `ABSENT` when it is not there.
    place: Vec<u32>,
}

const ABSENT: u32 = u32::MAX;

impl Heap {
    fn new(n: usize) -> Self {
        Self { entries: Vec::with_capacity(n), place: vec![ABSENT; n] }
    }
    /// Puts the node in, or moves it up.
    #[inline]
    fn lower(&mut self, node: u32, distance: f64) {
        let at = match self.place[node as usize] {
            ABSENT => {
                self.entries.push((distance, node));
                self.entries.len() - 1
            }
            at => at as usize,
        };
        self.rise(at, (distance, node));
    }
    #[inline]
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
    #[inline]
    fn pop(&mut self) -> Option<(f64, u32)> {
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

/// Distances from the nearest of the sources, each with the distance it starts from; infinite where no path leads.
fn from_sources(lengths: &Csr, sources: impl Iterator<Item = (u32, f64)>, heap: &mut Heap, out: &mut [f64]) {
    out.fill(f64::INFINITY);
    for (node, distance) in sources {
        if distance < out[node as usize] {
            out[node as usize] = distance;
            heap.lower(node, distance);
        }
    }
    while let Some((distance, node)) = heap.pop() {
        for (&next, &length) in lengths.row_indices(node as usize).iter().zip(lengths.row_values(node as usize)) {
            let through = distance + length;
            if through < out[next as usize] {
                out[next as usize] = through;
                heap.lower(next, through);
            }
        }
    }
}

fn check_lengths(lengths: &Csr) -> Result<()> {
    let bad = |problem: String| Err(Error::BadGraph { dataset: "lengths".into(), problem });
    if lengths.nrows() != lengths.ncols() {
        return bad(format!("{} x {}; it must be square", lengths.nrows(), lengths.ncols()));
    }
    if let Some(value) = lengths.values().iter().find(|v| !(v.is_finite() && **v >= 0.0)) {
        return bad(format!("an edge has length {value}; lengths are finite and not negative"));
    }
    match lengths.first_asymmetry(0.0) {
        Some((i, j)) => bad(format!("not symmetric at ({i}, {j})")),
        None => Ok(()),
    }
}

/// Rows between two looks at whether to stop.
const BATCH: usize = 64;

/// Lengths of the shortest paths between all nodes of a symmetric graph of lengths, by Dijkstra's algorithm from every
/// node. Infinite where no path leads. Memory: one n × n matrix.
pub fn geodesic_distances(lengths: &Csr, progress: &Progress) -> Result<Matrix<f64>> {
    let n = lengths.nrows();
    check_lengths(lengths)?;
    let mut out = Matrix::zeros(n, n);
    out.as_mut_slice().par_chunks_mut((BATCH * n).max(1)).enumerate().try_for_each_init(
        || Heap::new(n),
        |heap, (batch, rows)| {
            progress.step("shortest paths", (batch * BATCH).min(n), n)?;
            for (r, row) in rows.chunks_exact_mut(n).enumerate() {
                from_sources(lengths, std::iter::once(((batch * BATCH + r) as u32, 0.0)), heap, row);
            }
            Ok::<(), Error>(())
        },
    )?;
    // A path adds up differently from its other end: the smaller sum is taken, so that the matrix is symmetric.
    let values = out.as_mut_slice();
    for from in (0..n).step_by(BATCH) {
        for to in (from..n).step_by(BATCH) {
            for i in from..(from + BATCH).min(n) {
                for j in to.max(i + 1)..(to + BATCH).min(n) {
                    let least = values[i * n + j].min(values[j * n + i]);
                    (values[i * n + j], values[j * n + i]) = (least, least);
                }
            }
        }
    }
    Ok(out)
}

/// For each new row, from its neighbours among the nodes: what `use_distances` makes of its distances to all nodes.
pub(crate) fn distances_through<T: Send>(lengths: &Csr, found: &Neighbors, use_distances: impl Fn(&[f64]) -> T + Sync) -> Vec<T> {
    let n = lengths.nrows();
    (0..found.nrows())
        .into_par_iter()
        .map_init(
            || (Heap::new(n), vec![0.0; n]),
            |(heap, distances), i| {
                from_sources(lengths, found.row(i), heap, distances);
                use_distances(distances)
            },
        )
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cloud(n: usize, p: usize, shift: f64) -> Matrix<f64> {
        let mut state = 7u64;
        Matrix::from_fn(n, p, |i, _| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) as f64 / (1u64 << 31) as f64 + if i % 3 == 0 { shift } else { 0.0 }
        })
    }

    /// The naive twin: Floyd and Warshall.
    fn floyd(lengths: &Csr) -> Matrix<f64> {
        let n = lengths.nrows();
        let mut d = Matrix::from_fn(n, n, |i, j| if i == j { 0.0 } else { f64::INFINITY });
        for i in 0..n {
            lengths.row(i).for_each(|(j, v)| d[(i, j as usize)] = v.min(d[(i, j as usize)]));
        }
        for k in 0..n {
            for i in 0..n {
                for j in 0..n {
                    d[(i, j)] = d[(i, j)].min(d[(i, k)] + d[(k, j)]);
                }
            }
        }
        d
    }

    #[test]
    fn shortest_paths_equal_those_of_the_naive_twin() {
        let mut m = cloud(150, 3, 0.0);
        let copy = m.row(4).to_vec();
        m.row_mut(77).copy_from_slice(&copy); // an edge of length 0
        let graph = LengthGraph::new(&Rows::F64(m), 5, Metric::Euclidean, Search::Exact, 0, &Progress::silent()).unwrap();
        let (fast, slow) = (geodesic_distances(&graph.lengths, &Progress::silent()).unwrap(), floyd(&graph.lengths));
        for (a, b) in fast.as_slice().iter().zip(slow.as_slice()) {
            assert!((a - b).abs() < 1e-12, "{a} {b}");
        }
        assert_eq!(fast[(4, 77)], 0.0);
        assert!((0..150).all(|i| (0..i).all(|j| fast[(i, j)] == fast[(j, i)])));
    }

    #[test]
    fn parts_are_joined_by_the_shortest_edge_between_every_two() {
        // Three clusters on a line: 0, 1, 2 | 10, 11, 12 | 30, 31, 32.
        let places = [0.0, 1.0, 2.0, 10.0, 11.0, 12.0, 30.0, 31.0, 32.0];
        let rows = Rows::F64(Matrix::from_fn(9, 1, |i, _| places[i]));
        let graph = LengthGraph::new(&rows, 2, Metric::Euclidean, Search::Exact, 0, &Progress::silent()).unwrap();
        assert_eq!((graph.components, graph.joined), (3, 3));
        assert_eq!(graph.lengths.get(2, 3), 8.0);
        assert_eq!(graph.lengths.get(5, 6), 18.0);
        assert_eq!(graph.lengths.get(2, 6), 28.0);
        let d = geodesic_distances(&graph.lengths, &Progress::silent()).unwrap();
        assert_eq!(d[(0, 8)], 32.0);
    }

    #[test]
    fn a_new_row_reaches_every_node_through_its_neighbours() {
        let m = cloud(60, 2, 0.0);
        let rows = Rows::F64(m.clone());
        let graph = LengthGraph::new(&rows, 4, Metric::Euclidean, Search::Exact, 0, &Progress::silent()).unwrap();
        let all = geodesic_distances(&graph.lengths, &Progress::silent()).unwrap();
        let found = neighbors_among(&rows, &rows, 3, Metric::Euclidean, &Progress::silent()).unwrap();
        let through = distances_through(&graph.lengths, &found, <[f64]>::to_vec);
        for i in 0..60 {
            for j in 0..60 {
                assert!((through[i][j] - all[(i, j)]).abs() < 1e-12); // a fitted row is its own nearest neighbour
            }
        }
    }

    #[test]
    fn unreachable_nodes_are_infinitely_far() {
        let two = Csr::from_triplets(3, 3, &[(0, 1, 2.0), (1, 0, 2.0)]).unwrap();
        let d = geodesic_distances(&two, &Progress::silent()).unwrap();
        assert_eq!(d[(0, 1)], 2.0);
        assert_eq!(d[(0, 2)], f64::INFINITY);
        for bad in [vec![(0, 1, 1.0)], vec![(0, 1, -1.0), (1, 0, -1.0)], vec![(0, 1, f64::NAN), (1, 0, f64::NAN)]] {
            assert!(geodesic_distances(&Csr::from_triplets(3, 3, &bad).unwrap(), &Progress::silent()).is_err());
        }
    }
}
