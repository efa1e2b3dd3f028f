//! Geodesic distances: shortest paths over the neighbour graph.

use crate::data::Rows;
use crate::error::{Error, Result};
use crate::geometry::components::connected_components;
use crate::geometry::neighbors::{Metric, Neighbors, Search, neighbors, neighbors_among};
use crate::linalg::paths::{Heap, LANES, Wave};
use crate::linalg::{Csr, Matrix, Scalar};
use crate::memory::{check_room, of_doubles};
use crate::progress::Progress;
use rayon::prelude::*;

/// A neighbour graph whose edges have lengths; if it was not connected, edges were added to connect it.
#[derive(Clone, Debug)]
pub struct LengthGraph {
    /// Symmetric; an edge where one row is among the k nearest of the other. Rows that coincide have edges of length 0.
    pub lengths: Csr,
    /// Connected components before edges were added.
    pub components: usize,
    /// Edges added: the shortest edge between every two components.
    pub joined: usize,
}

impl LengthGraph {
    /// Builds the graph of nearest neighbours, then adds the shortest missing edges if it is not connected.
    pub fn new(rows: &Rows, k: usize, metric: Metric, search: Search, seed: u64, progress: &Progress) -> Result<Self> {
        let found = neighbors(rows, k, metric, search, seed, progress)?;
        if found.distances.iter().any(|d| !d.is_finite()) {
            return Err(Error::Overflow { what: "distances of neighbours".into() });
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

/// Each edge in both directions; of two edges between the same rows, the shorter. Lengths of 0 stay.
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

/// The shortest edge between every two components.
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
            // For each row of the smaller component, one search among the rows of the larger.
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

/// Distances from the nearest of the sources, each of which starts at its own distance; infinite where there is no path.
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
        return bad(format!("it is {} x {}; it must be square", lengths.nrows(), lengths.ncols()));
    }
    if let Some(value) = lengths.values().iter().find(|v| !(v.is_finite() && **v >= 0.0)) {
        return bad(format!("an edge has length {value}; lengths must be finite and not negative"));
    }
    match lengths.first_asymmetry(0.0) {
        Some((i, j)) => bad(format!("it is not symmetric at ({i}, {j})")),
        None => Ok(()),
    }
}

/// Lengths of the shortest paths between all nodes of a symmetric graph with edge lengths; infinite where there is no path.
/// Memory: one n × n matrix, in double precision or rounded to single precision.
///
/// Nodes are renumbered so that neighbours lie together, and searched from several neighbouring sources at once.
pub fn geodesic_distances<T: Scalar + PartialOrd>(lengths: &Csr, progress: &Progress) -> Result<Matrix<T>> {
    let n = lengths.nrows();
    check_lengths(lengths)?;
    check_room("a matrix of the distances between all rows", of_doubles(n, n) / 8 * size_of::<T>() as u64)?;
    let order = compact_order(lengths);
    let mut number = vec![0u32; n];
    order.iter().enumerate().for_each(|(new, &old)| number[old as usize] = new as u32);
    let renumbered = renumber(lengths, &order, &number);
    let mut out = Matrix::<T>::zeros(n, n);
    let mut rows: Vec<Option<&mut [T]>> = out.as_mut_slice().chunks_exact_mut(n.max(1)).map(Some).collect();
    let mut sorted: Vec<&mut [T]> = order.iter().filter_map(|&i| rows[i as usize].take()).collect();
    sorted.par_chunks_mut(LANES).enumerate().try_for_each_init(
        || Wave::new(n),
        |wave, (batch, rows)| {
            if batch % 16 == 0 {
                progress.step("shortest paths", (batch * LANES).min(n), n)?;
            }
            let sources: Vec<u32> = (0..rows.len()).map(|r| (batch * LANES + r) as u32).collect();
            wave.run(&renumbered, &sources);
            for (j, &node) in number.iter().enumerate() {
                let lanes = &wave.distances[node as usize];
                rows.iter_mut().zip(lanes).for_each(|(row, &d)| row[j] = T::from_f64(d));
            }
            Ok::<(), Error>(())
        },
    )?;
    // A path sums to slightly different values from its two ends. The smaller sum is taken, so that the matrix is symmetric.
    symmetrize(&mut out.as_mut_slice().chunks_exact_mut(n.max(1)).collect::<Vec<_>>(), 0);
    Ok(out)
}

/// Block size of the recursion below.
const BLOCK: usize = 64;

/// The smaller of `(i, j)` and `(j, i)` for the square block of these rows that begins at column `first`.
pub(crate) fn symmetrize<T: Copy + PartialOrd + Send>(rows: &mut [&mut [T]], first: usize) {
    let n = rows.len();
    if n <= BLOCK {
        for i in 1..n {
            let (above, own) = rows.split_at_mut(i);
            for (j, above) in above.iter_mut().enumerate() {
                least(&mut above[first + i], &mut own[0][first + j]);
            }
        }
        return;
    }
    let (top, bottom) = rows.split_at_mut(n / 2);
    mirror(top, bottom, first, first + n / 2);
    rayon::join(|| symmetrize(top, first), || symmetrize(bottom, first + n / 2));
}

/// The same for two blocks that mirror each other: rows from `i` on, and rows from `j` on.
fn mirror<T: Copy + PartialOrd + Send>(upper: &mut [&mut [T]], lower: &mut [&mut [T]], i: usize, j: usize) {
    if upper.len().max(lower.len()) <= BLOCK {
        for (s, upper) in upper.iter_mut().enumerate() {
            for (t, lower) in lower.iter_mut().enumerate() {
                least(&mut upper[j + t], &mut lower[i + s]);
            }
        }
        return;
    }
    let (p, q) = (upper.len() / 2, lower.len() / 2);
    let ((u1, u2), (l1, l2)) = (upper.split_at_mut(p), lower.split_at_mut(q));
    rayon::join(|| mirror(u1, l1, i, j), || mirror(u2, l2, i + p, j + q));
    rayon::join(|| mirror(u1, l2, i, j + q), || mirror(u2, l1, i + p, j));
}

#[inline]
fn least<T: Copy + PartialOrd>(a: &mut T, b: &mut T) {
    let least = if *b < *a { *b } else { *a };
    (*a, *b) = (least, least);
}

/// An order of the nodes that keeps neighbours together. The set is bisected by the distance from one of its ends, and each
/// half again, down to the number of nodes that are searched at once.
fn compact_order(lengths: &Csr) -> Vec<u32> {
    let n = lengths.nrows();
    let mut order: Vec<u32> = (0..n as u32).collect();
    let mut part = vec![0u32; n];
    let (mut heap, mut distance) = (Heap::new(n), vec![f64::INFINITY; n]);
    let mut parts = 1;
    let whole = 0..n;
    let mut open = vec![whole];
    while let Some(range) = open.pop() {
        if range.len() <= LANES {
            continue;
        }
        let own = part[order[range.start] as usize];
        let mut start = order[range.start];
        for _ in 0..2 {
            // Distances within this part; `start` becomes the farthest node, or a node that was not reached.
            let nodes = &order[range.clone()];
            nodes.iter().for_each(|&i| distance[i as usize] = f64::INFINITY);
            distance[start as usize] = 0.0;
            heap.lower(start, 0.0);
            while let Some((near, node)) = heap.pop() {
                for (next, length) in lengths.row(node as usize).filter(|(next, _)| part[*next as usize] == own) {
                    if near + length < distance[next as usize] {
                        distance[next as usize] = near + length;
                        heap.lower(next, near + length);
                    }
                }
            }
            let farthest = nodes.iter().max_by(|a, b| distance[**a as usize].total_cmp(&distance[**b as usize]).then(b.cmp(a)));
            start = farthest.copied().unwrap_or(start);
        }
        order[range.clone()].sort_unstable_by(|a, b| distance[*a as usize].total_cmp(&distance[*b as usize]).then(a.cmp(b)));
        let middle = range.start + (range.len() / 2).next_multiple_of(LANES).min(range.len() - 1);
        order[middle..range.end].iter().for_each(|&i| part[i as usize] = parts);
        parts += 1;
        open.push(range.start..middle);
        open.push(middle..range.end);
    }
    order
}

/// The graph with node `order[i]` at position `i`.
fn renumber(lengths: &Csr, order: &[u32], number: &[u32]) -> Csr {
    let (mut starts, mut indices, mut values) = (vec![0], Vec::with_capacity(lengths.nnz()), Vec::with_capacity(lengths.nnz()));
    let mut row: Vec<(u32, f64)> = vec![];
    for &old in order {
        row.clear();
        row.extend(lengths.row(old as usize).map(|(j, v)| (number[j as usize], v)));
        row.sort_unstable_by_key(|e| e.0);
        indices.extend(row.iter().map(|e| e.0));
        values.extend(row.iter().map(|e| e.1));
        starts.push(indices.len());
    }
    Csr::from_sorted(starts, indices, values, lengths.ncols())
}

/// From each of the sources to all nodes; infinite where there is no path.
pub(crate) fn distances_from(lengths: &Csr, sources: &[usize], progress: &Progress) -> Result<Matrix<f64>> {
    let n = lengths.nrows();
    let mut out = Matrix::zeros(sources.len(), n);
    out.as_mut_slice().par_chunks_mut(n.max(1)).zip(sources).enumerate().try_for_each_init(
        || Heap::new(n),
        |heap, (s, (row, &source))| {
            if s % 64 == 0 {
                progress.step("shortest paths", s, sources.len())?;
            }
            from_sources(lengths, std::iter::once((source as u32, 0.0)), heap, row);
            Ok(())
        },
    )?;
    Ok(out)
}

/// For each list of nodes with starting distances: the shortest distances to all nodes.
pub(crate) fn distances_from_several(
    lengths: &Csr,
    starts: &Matrix<f64>,
    nodes: &[u32],
    progress: &Progress,
) -> Result<Matrix<f64>> {
    let n = lengths.nrows();
    let mut out = Matrix::zeros(starts.nrows(), n);
    out.as_mut_slice().par_chunks_mut(n.max(1)).enumerate().try_for_each_init(
        || Heap::new(n),
        |heap, (s, row)| {
            if s % 64 == 0 {
                progress.step("shortest paths", s, starts.nrows())?;
            }
            from_sources(lengths, nodes.iter().copied().zip(starts.row(s).iter().copied()), heap, row);
            Ok(())
        },
    )?;
    Ok(out)
}

/// For each new row: its distances to all nodes by way of its neighbours, passed to `use_distances`.
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

    /// The naive twin: Floyd–Warshall.
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
        let (fast, slow) = (geodesic_distances::<f64>(&graph.lengths, &Progress::silent()).unwrap(), floyd(&graph.lengths));
        for (a, b) in fast.as_slice().iter().zip(slow.as_slice()) {
            assert!((a - b).abs() < 1e-12, "{a} {b}");
        }
        assert_eq!(fast[(4, 77)], 0.0);
        assert!((0..150).all(|i| (0..i).all(|j| fast[(i, j)] == fast[(j, i)])));
    }

    #[test]
    fn many_sources_at_once_give_the_bits_of_one_at_a_time() {
        // Two components, so that a batch has sources without a path between them.
        for (n, p, shift) in [(200, 2, 0.0), (333, 20, 0.0), (120, 3, 50.0), (5, 1, 0.0)] {
            let rows = Rows::F64(cloud(n, p, shift));
            let found = neighbors(&rows, 4, Metric::Euclidean, Search::Exact, 0, &Progress::silent()).unwrap();
            let lengths = symmetric(n, &directed_edges(&found));
            let fast = geodesic_distances::<f64>(&lengths, &Progress::silent()).unwrap();
            let mut one = Matrix::zeros(n, n);
            let mut heap = Heap::new(n);
            for i in 0..n {
                from_sources(&lengths, std::iter::once((i as u32, 0.0)), &mut heap, one.row_mut(i));
            }
            for i in 0..n {
                for j in 0..n {
                    assert_eq!(fast[(i, j)], one[(i, j)].min(one[(j, i)]), "{i} {j}");
                }
            }
            let single = geodesic_distances::<f32>(&lengths, &Progress::silent()).unwrap();
            assert_eq!(single, fast.to_f32());
        }
    }

    #[test]
    fn the_order_holds_every_node_once() {
        let rows = Rows::F64(cloud(500, 3, 9.0));
        let found = neighbors(&rows, 3, Metric::Euclidean, Search::Exact, 0, &Progress::silent()).unwrap();
        let mut order = compact_order(&symmetric(500, &directed_edges(&found)));
        order.sort_unstable();
        assert!(order.into_iter().eq(0..500));
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
        let d = geodesic_distances::<f64>(&graph.lengths, &Progress::silent()).unwrap();
        assert_eq!(d[(0, 8)], 32.0);
    }

    #[test]
    fn a_new_row_reaches_every_node_through_its_neighbours() {
        let m = cloud(60, 2, 0.0);
        let rows = Rows::F64(m.clone());
        let graph = LengthGraph::new(&rows, 4, Metric::Euclidean, Search::Exact, 0, &Progress::silent()).unwrap();
        let all = geodesic_distances::<f64>(&graph.lengths, &Progress::silent()).unwrap();
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
        let d = geodesic_distances::<f64>(&two, &Progress::silent()).unwrap();
        assert_eq!(d[(0, 1)], 2.0);
        assert_eq!(d[(0, 2)], f64::INFINITY);
        for bad in [vec![(0, 1, 1.0)], vec![(0, 1, -1.0), (1, 0, -1.0)], vec![(0, 1, f64::NAN), (1, 0, f64::NAN)]] {
            assert!(geodesic_distances::<f64>(&Csr::from_triplets(3, 3, &bad).unwrap(), &Progress::silent()).is_err());
        }
    }
}
