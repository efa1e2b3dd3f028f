//! Exact neighbours of rows with few columns: a k-d tree.
//!
//! Works in f64 throughout, so nothing needs a certificate; distances are those of `dense.rs` to the bit.

use super::certify::sort;
use super::dense::{Dense, Frame, exact};
use super::{Metric, Neighbors};
use crate::error::Result;
use crate::linalg::Matrix;
use crate::progress::Progress;
use rayon::prelude::*;

/// Largest number of columns for a search by the tree.
pub(super) const MAX_COLUMNS: usize = 6;
/// Rows of a leaf.
const LEAF: usize = 12;
/// Query rows of a task.
const TASK: usize = 512;

/// A node: its rows are `start..end` of the reordered ones.
struct Node {
    start: u32,
    end: u32,
    /// Column and value of the split; children follow. No split: a leaf.
    split: Option<(u32, f64)>,
    right: u32,
}

struct Tree {
    nodes: Vec<Node>,
    points: Matrix<f64>,
    ids: Vec<u32>,
}

impl Tree {
    fn new(points: &Matrix<f64>) -> Self {
        let mut ids: Vec<u32> = (0..points.nrows() as u32).collect();
        let mut nodes = vec![];
        build(points, &mut ids, 0, &mut nodes);
        let order: Vec<usize> = ids.iter().map(|i| *i as usize).collect();
        Self { nodes, points: points.select_rows(&order), ids }
    }
}

/// Splits at the median of the widest column; returns the number of the node.
fn build(points: &Matrix<f64>, ids: &mut [u32], offset: usize, nodes: &mut Vec<Node>) -> u32 {
    let at = nodes.len() as u32;
    nodes.push(Node { start: offset as u32, end: (offset + ids.len()) as u32, split: None, right: 0 });
    if ids.len() <= LEAF {
        return at;
    }
    let (mut widest, mut column) = (0.0, 0);
    for c in 0..points.ncols() {
        let (low, high) = ids.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &i| {
            let v = points[(i as usize, c)];
            (low.min(v), high.max(v))
        });
        if high - low > widest {
            (widest, column) = (high - low, c);
        }
    }
    if widest == 0.0 {
        return at; // all rows equal
    }
    let half = ids.len() / 2;
    ids.select_nth_unstable_by(half, |&a, &b| {
        points[(a as usize, column)].total_cmp(&points[(b as usize, column)]).then(a.cmp(&b))
    });
    let value = points[(ids[half] as usize, column)];
    let (left, rest) = ids.split_at_mut(half);
    build(points, left, offset, nodes);
    let right = build(points, rest, offset + half, nodes);
    nodes[at as usize].split = Some((column as u32, value));
    nodes[at as usize].right = right;
    at
}

/// A search in progress: the best so far, nearest first.
struct Visit<'a> {
    tree: &'a Tree,
    query: &'a [f64],
    own: u32,
    k: usize,
    best: Vec<(f64, u32)>,
    /// Squared distance to the cell of the current node, by column.
    gaps: Vec<f64>,
}

impl Visit<'_> {
    fn node(&mut self, at: u32, gap: f64) {
        let node = &self.tree.nodes[at as usize];
        let Some((column, value)) = node.split else {
            for p in node.start as usize..node.end as usize {
                let id = self.tree.ids[p];
                if id != self.own {
                    self.offer(exact(Metric::Euclidean, self.query, self.tree.points.row(p)), id);
                }
            }
            return;
        };
        let column = column as usize;
        let difference = self.query[column] - value;
        let (near, far) = if difference < 0.0 { (at + 1, node.right) } else { (node.right, at + 1) };
        self.node(near, gap);
        let old = self.gaps[column];
        let beyond = gap - old + difference * difference;
        // Rows at exactly the distance of the k-th may still win by their number, and `beyond` is rounded.
        if self.best.len() < self.k || beyond * (1.0 - 1e-12) <= self.best[self.k - 1].0 {
            self.gaps[column] = difference * difference;
            self.node(far, beyond);
            self.gaps[column] = old;
        }
    }
    fn offer(&mut self, d: f64, id: u32) {
        let full = self.best.len() == self.k;
        if full && (d, id) >= self.best[self.k - 1] {
            return;
        }
        let at = self.best.partition_point(|b| *b < (d, id));
        if full {
            self.best.pop();
        }
        self.best.insert(at, (d, id));
    }
}

/// `k` nearest rows by the Euclidean distance, as `dense::search`.
pub(super) fn search(reference: Dense<'_>, query: Option<Dense<'_>>, k: usize, progress: &Progress) -> Result<Neighbors> {
    let frame = Frame::new(reference, Metric::Euclidean);
    let framed = |rows: Dense<'_>| {
        let mut m = Matrix::zeros(rows.nrows(), rows.ncols());
        for i in 0..rows.nrows() {
            frame.exact_row(rows, i, m.row_mut(i));
        }
        m
    };
    let points = framed(reference);
    let queries = query.map(framed);
    let tree = Tree::new(&points);
    let (source, skip_self) = queries.as_ref().map_or((&points, true), |q| (q, false));
    // Self-searches go in the order of the tree: neighbouring queries touch the same leaves.
    let order: Vec<u32> = if skip_self { tree.ids.clone() } else { (0..source.nrows() as u32).collect() };
    let found: Vec<Vec<(f64, u32)>> = order
        .par_chunks(TASK)
        .map(|task| -> Result<Vec<(f64, u32)>> {
            progress.step("neighbours", 0, 0)?;
            let mut out = Vec::with_capacity(task.len() * k);
            let mut visit = Visit {
                tree: &tree,
                query: &[],
                own: u32::MAX,
                k,
                best: Vec::with_capacity(k + 1),
                gaps: vec![0.0; source.ncols()],
            };
            for &i in task {
                visit.query = source.row(i as usize);
                visit.own = if skip_self { i } else { u32::MAX };
                visit.best.clear();
                visit.node(0, 0.0);
                sort(&mut visit.best);
                out.extend_from_slice(&visit.best);
            }
            Ok(out)
        })
        .collect::<Result<_>>()?;
    let mut neighbors = Neighbors { k, indices: vec![0; order.len() * k], distances: vec![0.0; order.len() * k] };
    for (&i, found) in order.iter().zip(found.iter().flat_map(|task| task.chunks(k))) {
        for (s, (value, j)) in found.iter().enumerate() {
            neighbors.indices[i as usize * k + s] = *j;
            neighbors.distances[i as usize * k + s] = frame.distance(*value);
        }
    }
    Ok(neighbors)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::neighbors::dense;

    #[test]
    fn the_tree_equals_the_blocked_search_to_the_bit() {
        let mut state = 11u64;
        for (n, p, k, grid) in [(500, 1, 4, false), (700, 2, 10, true), (900, 3, 7, false), (400, 6, 5, true), (30, 3, 29, false)]
        {
            let m = Matrix::from_fn(n, p, |_, _| {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                // On a grid there are many ties and duplicates.
                if grid { (state >> 61) as f64 } else { (state >> 33) as f64 / (1u64 << 31) as f64 }
            });
            let rows = Dense::F64(m.view());
            let expected = dense::search(rows, None, k, Metric::Euclidean, &Progress::silent()).unwrap();
            assert_eq!(search(rows, None, k, &Progress::silent()).unwrap(), expected, "n {n} p {p} grid {grid}");
            let q = m.row_range(0, 20);
            let expected = dense::search(rows, Some(Dense::F64(q.view())), k, Metric::Euclidean, &Progress::silent()).unwrap();
            assert_eq!(search(rows, Some(Dense::F64(q.view())), k, &Progress::silent()).unwrap(), expected);
        }
    }

    #[test]
    fn equal_rows_end_in_one_leaf() {
        let m = Matrix::from_fn(300, 2, |_, _| 1.5);
        let got = search(Dense::F64(m.view()), None, 3, &Progress::silent()).unwrap();
        assert_eq!(&got.indices[..3], &[1, 2, 3]);
    }
}
