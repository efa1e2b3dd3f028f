//! The inverse of the Laplacian by a sparse Cholesky factorisation, for graphs with little fill-in.
//!
//! One node per component is *grounded* (held at 0). The rest is a non-singular M-matrix, which Cholesky factors without
//! cancellation, so that even tiny eigenvalues are accurate. The pseudo-inverse on the space orthogonal to the zero solutions
//! follows by subtracting the mean of each component. No shift is needed.

use super::matrix_free::ScaledLaplacian;
use crate::linalg::sparse_cholesky::{Order, Pattern, SparseCholesky};
use crate::linalg::tall::{Tall, each_row};
use crate::linalg::triangular::{LowerFactor, Part};
use crate::problem::spectral::LaplacianPencil;
use crate::solve::lanczos::Operator;
use faer::sparse::linalg::cholesky::SymbolicCholeskyRaw;
use faer::sparse::linalg::cholesky::supernodal::SupernodalLltRef;
use rayon::prelude::*;

const GROUNDED: u32 = u32::MAX;

/// The grounded Laplacian (lower triangle by columns) and a fill-reducing ordering.
pub(crate) struct Plan {
    pattern: Pattern,
    values: Vec<f64>,
    /// Index of each node in the reduced matrix, or GROUNDED.
    place: Vec<u32>,
    /// With the predicted cost.
    pub(crate) order: Order,
}

impl Plan {
    /// Orders the nodes, which gives the cost of a factorisation.
    pub(crate) fn new(pencil: &LaplacianPencil<'_>) -> Option<Self> {
        let n = pencil.n();
        // The node of largest degree of each component is grounded.
        let mut ground = vec![usize::MAX; pencil.n_components];
        for i in 0..n {
            let g = &mut ground[pencil.component[i] as usize];
            if *g == usize::MAX || pencil.degree[i] > pencil.degree[*g] {
                *g = i;
            }
        }
        let mut place = vec![0u32; n];
        ground.iter().for_each(|&g| place[g] = GROUNDED);
        let mut size = 0;
        for p in &mut place {
            if *p != GROUNDED {
                *p = size;
                size += 1;
            }
        }
        if size == 0 {
            return None;
        }
        let (mut starts, mut rows, mut values) = (vec![0u32], vec![], vec![]);
        for j in (0..n).filter(|&j| place[j] != GROUNDED) {
            rows.push(place[j]);
            values.push(pencil.degree[j]);
            for (i, w) in pencil.graph.row(j) {
                if place[i as usize] != GROUNDED && i as usize > j {
                    rows.push(place[i as usize]);
                    values.push(-w);
                }
            }
            starts.push(u32::try_from(rows.len()).ok()?);
        }
        let pattern = Pattern { starts, rows };
        let order = pattern.order()?;
        Some(Self { pattern, values, place, order })
    }

    fn size(&self) -> usize {
        self.pattern.n()
    }
}

/// `M^1/2 L⁺ M^1/2`: its largest eigenvalues are 1/λ of the smallest non-zero λ.
pub(crate) struct Inverse<'a> {
    laplacian: &'a ScaledLaplacian,
    /// Node of each row of the factor, and row of each node.
    node: Vec<u32>,
    row: Vec<u32>,
    factor: LowerFactor,
}

impl<'a> Inverse<'a> {
    /// Factors; `None` when that fails. It cannot fail for exact weights, but if weights differ by sixteen orders of magnitude,
    /// rounding may leave a non-positive pivot.
    pub(crate) fn new(laplacian: &'a ScaledLaplacian, plan: Plan) -> Option<Self> {
        let size = plan.size();
        let mut factor = SparseCholesky::new(&plan.pattern, &plan.order)?;
        factor.factor(&plan.pattern, &plan.values)?;
        let mut node_of_place = vec![0u32; size];
        for (node, &place) in plan.place.iter().enumerate() {
            if place != GROUNDED {
                node_of_place[place as usize] = node as u32;
            }
        }
        let (factor, order) = in_parts(&factor);
        let node: Vec<u32> = order.iter().map(|&column| node_of_place[plan.order.forward[column as usize] as usize]).collect();
        let mut row = vec![GROUNDED; laplacian.root_mass.len()];
        node.iter().zip(0..).for_each(|(&node, at)| row[node as usize] = at);
        Some(Self { laplacian, node, row, factor })
    }

    /// Solves for columns `from..from + W` of `x` and writes them to those of `y`.
    fn solve<const W: usize>(&self, x: &Tall, y: &mut Tall, from: usize) {
        let root = &self.laplacian.root_mass;
        let mut block = vec![[0.0; W]; self.node.len()];
        block.par_iter_mut().zip(&self.node).with_min_len(1024).for_each(|(to, &i)| {
            let row = &x.values[i as usize * x.stride..(i as usize + 1) * x.stride];
            *to = std::array::from_fn(|c| row.get(from + c).map_or(0.0, |v| root[i as usize] * v));
        });
        self.factor.solve(&mut block);
        let count = W.min(x.stride - from);
        each_row(y, |i, to| {
            let solved = block.get(self.row[i] as usize).copied().unwrap_or([0.0; W]);
            to[from..from + count].iter_mut().zip(solved).for_each(|(v, s)| *v = root[i] * s);
        });
    }
}

/// Number of parts of a factor, independent of the number of threads.
const PARTS: usize = 8;
/// Factors with fewer columns are not divided.
const SMALL: usize = 4000;

/// A node of the elimination tree (supernode): columns with the same rows below them.
struct Node<'a> {
    columns: std::ops::Range<usize>,
    /// Rows below the columns.
    pattern: &'a [u32],
}

impl Node<'_> {
    /// Entries of its columns: its work.
    fn entries(&self) -> usize {
        self.columns.len() * (self.columns.len() + self.pattern.len())
    }
}

/// The factor by columns (faster than dense blocks for many short solves), divided into parts and a top: a few subtrees of the
/// elimination tree for each part, balanced by work, and the nodes above them. Second, the column of the whole factor for each
/// column.
fn in_parts(factored: &SparseCholesky) -> (LowerFactor, Vec<u32>) {
    let (symbolic, values) = (&factored.symbolic, &factored.values[..]);
    match symbolic.raw() {
        SymbolicCholeskyRaw::Simplicial(s) => {
            let range = |j: usize| s.col_ptr()[j] as usize..s.col_ptr()[j + 1] as usize;
            // The diagonal comes first in each column.
            let node = |j: usize| Node { columns: j..j + 1, pattern: &s.row_idx()[range(j).start + 1..range(j).end] };
            let nodes: Vec<Node<'_>> = (0..symbolic.nrows()).map(node).collect();
            cut(&nodes, |j, i, _| values[range(j).start + i])
        }
        SymbolicCholeskyRaw::Supernodal(s) => {
            let l = SupernodalLltRef::new(s, values);
            let blocks: Vec<_> = (0..s.n_supernodes()).map(|k| l.supernode(k)).collect();
            let node = |k: usize| {
                let start = blocks[k].start();
                Node { columns: start..start + blocks[k].val().ncols(), pattern: blocks[k].pattern() }
            };
            let nodes: Vec<Node<'_>> = (0..blocks.len()).map(node).collect();
            cut(&nodes, |k, i, j| blocks[k].val()[(i, j)])
        }
    }
}

/// `value(k, i, j)`: entry (i, j) of the columns of node k, counted from its first column.
fn cut(nodes: &[Node<'_>], value: impl Fn(usize, usize, usize) -> f64 + Sync) -> (LowerFactor, Vec<u32>) {
    let n = nodes.last().map_or(0, |node| node.columns.end);
    let mut node_of = vec![0u32; n];
    nodes.iter().zip(0..).for_each(|(node, k)| node_of[node.columns.clone()].fill(k));
    let parent: Vec<Option<usize>> =
        nodes.iter().map(|node| node.pattern.first().map(|&i| node_of[i as usize] as usize)).collect();
    let part_of = branches(nodes, &parent, n);
    // Columns keep their order within a part.
    let mut order: Vec<Vec<u32>> = vec![vec![]; PARTS + 1];
    nodes.iter().zip(&part_of).for_each(|(node, &part)| order[part].extend(node.columns.clone().map(|j| j as u32)));
    let mut place = vec![0u32; n];
    order.iter().for_each(|columns| columns.iter().zip(0..).for_each(|(&j, at)| place[j as usize] = at));
    let build = |part: usize| {
        let own: Vec<usize> = (0..nodes.len()).filter(|&k| part_of[k] == part).collect();
        let entries = own.iter().map(|&k| nodes[k].entries()).sum();
        let mut built = Part::with_capacity(order[part].len(), entries);
        for k in own {
            let Node { columns, pattern } = &nodes[k];
            let width = columns.len();
            // Nodes above a subtree come last: they were eliminated later.
            let inside = pattern.partition_point(|&i| part_of[node_of[i as usize] as usize] == part);
            let below = |range: std::ops::Range<usize>, j: usize| {
                let value = &value;
                let place = &place;
                range.map(move |r| (place[pattern[r] as usize], value(k, width + r, j)))
            };
            for j in 0..width {
                let beside = (j + 1..width).map(|i| (place[columns.start + i], value(k, i, j)));
                built.push(value(k, j, j), beside.chain(below(0..inside, j)), below(inside..pattern.len(), j));
            }
        }
        built
    };
    let mut parts: Vec<Part> = (0..=PARTS).into_par_iter().map(build).collect();
    let top = parts.remove(PARTS);
    (LowerFactor { parts, top }, order.concat())
}

/// The part that each node belongs to; `PARTS` is the top.
fn branches(nodes: &[Node<'_>], parent: &[Option<usize>], n: usize) -> Vec<usize> {
    let mut part_of = vec![PARTS; nodes.len()];
    if n < SMALL {
        return part_of;
    }
    let mut weight: Vec<usize> = nodes.iter().map(Node::entries).collect();
    // The last child of each node, and the previous sibling of each child.
    let (mut child, mut sibling) = (vec![None; nodes.len()], vec![None; nodes.len()]);
    // Parents come after their children.
    for (k, above) in parent.iter().enumerate() {
        if let Some(above) = *above {
            weight[above] += weight[k];
            sibling[k] = child[above].replace(k);
        }
    }
    let mut roots: std::collections::BinaryHeap<(usize, usize)> =
        (0..nodes.len()).filter(|&k| parent[k].is_none()).map(|k| (weight[k], k)).collect();
    let total: usize = roots.iter().map(|r| r.0).sum();
    // The heaviest subtree loses its root to the top, until none is too heavy for a part, or the top itself would be.
    let mut in_top = 0;
    while let Some(&(heaviest, k)) = roots.peek() {
        if heaviest * PARTS <= total || in_top * 4 > total || child[k].is_none() {
            break;
        }
        roots.pop();
        in_top += nodes[k].entries();
        roots.extend(std::iter::successors(child[k], |&c| sibling[c]).map(|c| (weight[c], c)));
    }
    let mut load = [0usize; PARTS];
    for (heavy, k) in roots.into_sorted_vec().into_iter().rev() {
        let lightest = (0..PARTS).min_by_key(|&p| load[p]).unwrap_or(0);
        load[lightest] += heavy;
        part_of[k] = lightest;
    }
    for k in (0..nodes.len()).rev() {
        if let Some(above) = parent[k]
            && part_of[k] == PARTS
        {
            part_of[k] = part_of[above];
        }
    }
    part_of
}

impl Operator for Inverse<'_> {
    fn apply(&self, x: &Tall, y: &mut Tall) {
        // The grounded inverse is the pseudo-inverse only between projections: without the first one, rounding
        // errors along the zero solutions are amplified from step to step.
        let mut x = x.clone();
        self.laplacian.remove_kernel(&mut x);
        // Grounded nodes stay 0.
        for from in (0..x.stride).step_by(8) {
            match x.stride - from {
                1 | 2 => self.solve::<2>(&x, y, from),
                3 | 4 => self.solve::<4>(&x, y, from),
                _ => self.solve::<8>(&x, y, from),
            }
        }
        self.laplacian.remove_kernel(y);
    }
    fn project(&self, x: &mut Tall) {
        self.laplacian.remove_kernel(x);
    }
    fn n(&self) -> usize {
        self.laplacian.root_mass.len()
    }
}

/// The widest level of a breadth-first search from a peripheral node: about the size of a separator, which bounds the cost of a
/// factorisation from below. Cheap to compute before any ordering.
pub(crate) fn separator_estimate(pencil: &LaplacianPencil<'_>) -> usize {
    let (mut first, mut second) = (vec![false; pencil.n()], vec![false; pencil.n()]);
    let mut widest = 0;
    for start in 0..pencil.n() {
        if !first[start] {
            // Two sweeps: the last node reached is peripheral.
            let (far, _) = sweep(pencil, start, &mut first);
            widest = widest.max(sweep(pencil, far, &mut second).1);
        }
    }
    widest
}

/// Breadth-first search: a node of the last level, and the size of the largest level.
fn sweep(pencil: &LaplacianPencil<'_>, from: usize, visited: &mut [bool]) -> (usize, usize) {
    let (mut front, mut widest, mut last) = (vec![from as u32], 0, from);
    visited[from] = true;
    while !front.is_empty() {
        widest = widest.max(front.len());
        last = front[0] as usize;
        let mut next = vec![];
        for &i in &front {
            for &j in pencil.graph.row_indices(i as usize) {
                if !std::mem::replace(&mut visited[j as usize], true) {
                    next.push(j);
                }
            }
        }
        front = next;
    }
    (last, widest)
}
