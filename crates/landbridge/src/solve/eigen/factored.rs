//! The inverse of the Laplacian by a sparse Cholesky factorisation, for graphs with little fill-in.
//!
//! One node per component is *grounded* (held at 0): what remains is a non-singular M-matrix, which Cholesky
//! factors without cancellation, so that even tiny eigenvalues come out right. The pseudo-inverse on the space
//! orthogonal to the zero solutions follows by subtracting the mean of each component. No shift is needed.

use super::matrix_free::ScaledLaplacian;
use crate::linalg::sparse_cholesky::{Order, Pattern, SparseCholesky};
use crate::linalg::tall::Tall;
use crate::linalg::triangular::LowerFactor;
use crate::problem::spectral::LaplacianPencil;
use crate::solve::lanczos::Operator;
use faer::sparse::linalg::cholesky::SymbolicCholeskyRaw;
use faer::sparse::linalg::cholesky::supernodal::SupernodalLltRef;
use rayon::prelude::*;

const GROUNDED: u32 = u32::MAX;

/// The grounded Laplacian (lower triangle by columns) and a fill-reducing order.
pub(crate) struct Plan {
    pattern: Pattern,
    values: Vec<f64>,
    /// Place of each node in the reduced matrix, or GROUNDED.
    place: Vec<u32>,
    /// With the predicted cost.
    pub(crate) order: Order,
}

impl Plan {
    /// Orders the nodes; the cost of a factorisation is known afterwards.
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
    /// Node of each row of the factor.
    node: Vec<u32>,
    factor: LowerFactor,
}

impl<'a> Inverse<'a> {
    /// Factors; `None` when that fails (it cannot for exact weights, but rounding of weights that differ by
    /// sixteen orders of magnitude may leave a pivot that is not positive).
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
        let node = plan.order.forward.iter().map(|&place| node_of_place[place as usize]).collect();
        Some(Self { laplacian, node, factor: by_columns(&factor) })
    }

    /// Solves for columns `from..from + W` of `x`, in rows of the factor.
    fn solve<const W: usize>(&self, x: &Tall, from: usize) -> Vec<[f64; W]> {
        let root = &self.laplacian.root_mass;
        let mut block: Vec<[f64; W]> = self
            .node
            .iter()
            .map(|&i| {
                let row = &x.values[i as usize * x.stride..(i as usize + 1) * x.stride];
                std::array::from_fn(|c| row.get(from + c).map_or(0.0, |v| root[i as usize] * v))
            })
            .collect();
        self.factor.solve(&mut block);
        block
    }
}

/// The factor by columns: its many short solves run faster so than by dense blocks.
fn by_columns(factored: &SparseCholesky) -> LowerFactor {
    let (symbolic, values) = (&factored.symbolic, &factored.values[..]);
    let n = symbolic.nrows();
    let (rows, entries) = (Vec::with_capacity(values.len()), Vec::with_capacity(values.len()));
    let mut factor = LowerFactor { inverse_diagonal: vec![0.0; n], starts: Vec::with_capacity(n + 1), rows, values: entries };
    factor.starts.push(0);
    match symbolic.raw() {
        SymbolicCholeskyRaw::Simplicial(s) => {
            for j in 0..n {
                // The diagonal comes first in each column.
                let range = s.col_ptr()[j] as usize..s.col_ptr()[j + 1] as usize;
                factor.inverse_diagonal[j] = 1.0 / values[range.start];
                factor.rows.extend_from_slice(&s.row_idx()[range.start + 1..range.end]);
                factor.values.extend_from_slice(&values[range.start + 1..range.end]);
                factor.starts.push(factor.rows.len());
            }
        }
        SymbolicCholeskyRaw::Supernodal(s) => {
            let l = SupernodalLltRef::new(s, values);
            for node in 0..s.n_supernodes() {
                let node = l.supernode(node);
                let (block, start, pattern) = (node.val(), node.start(), node.pattern());
                for j in 0..block.ncols() {
                    factor.inverse_diagonal[start + j] = 1.0 / block[(j, j)];
                    for i in j + 1..block.nrows() {
                        // Supernodes are padded with zeros.
                        if block[(i, j)] != 0.0 {
                            factor.rows.push(if i < block.ncols() { (start + i) as u32 } else { pattern[i - block.ncols()] });
                            factor.values.push(block[(i, j)]);
                        }
                    }
                    factor.starts.push(factor.rows.len());
                }
            }
        }
    }
    factor
}

impl Operator for Inverse<'_> {
    fn apply(&self, x: &Tall, y: &mut Tall) {
        // The grounded inverse is the pseudo-inverse only between projections: without the first one, rounding
        // errors along the zero solutions are amplified from step to step.
        let mut x = x.clone();
        self.laplacian.remove_kernel(&mut x);
        let width = x.stride;
        let per_task = if width <= 4 { 2 } else { 4 };
        // Fixed groups of columns, whatever the number of threads.
        let starts: Vec<usize> = (0..width).step_by(per_task).collect();
        let solved: Vec<Vec<f64>> = starts
            .par_iter()
            .map(|&from| match per_task {
                4 => self.solve::<4>(&x, from).into_flattened(),
                _ => self.solve::<2>(&x, from).into_flattened(),
            })
            .collect();
        let root = &self.laplacian.root_mass;
        y.values.fill(0.0); // grounded nodes
        for (&from, solved) in starts.iter().zip(&solved) {
            let count = per_task.min(width - from);
            for (&i, row) in self.node.iter().zip(solved.chunks_exact(per_task)) {
                let at = i as usize * width + from;
                for (v, s) in y.values[at..at + count].iter_mut().zip(row) {
                    *v = root[i as usize] * s;
                }
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

/// The widest level of a breadth-first search from a far end: about the size of a separator, which bounds what
/// a factorisation can cost. Cheap to know before anything is ordered.
pub(crate) fn separator_estimate(pencil: &LaplacianPencil<'_>) -> usize {
    let (mut first, mut second) = (vec![false; pencil.n()], vec![false; pencil.n()]);
    let mut widest = 0;
    for start in 0..pencil.n() {
        if !first[start] {
            // Two sweeps: the last node reached is a far end.
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
