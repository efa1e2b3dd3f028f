//! Rows as combinations of their neighbours, with corresponding rows merged: `M = B'B`, B the rows of `I − W` of all datasets,
//! columns of merged rows summed (CLLE, Lamvu13 eq. 9).

use crate::data::Pairs;
use crate::data::offsets;
use crate::geometry::neighbors::Neighbors;
use crate::linalg::{Csr, Matrix};
use crate::problem::joint::add_up_edges;
use std::borrow::Borrow;

/// The matrix of CLLE. Its rows sum to 0, so that it is the Laplacian of a graph whose weights may be negative.
#[derive(Clone, Debug)]
pub(crate) struct Reconstruction {
    /// B: one row per row of a dataset, one column per node.
    pub(crate) factor: Csr,
    /// The negated off-diagonal entries of M; pairs of nodes whose entries cancel stay.
    pub(crate) graph: Csr,
    /// The node of each of the N rows.
    pub(crate) node: Vec<u32>,
    /// First row of each dataset; c + 1 numbers.
    pub(crate) offsets: Vec<usize>,
}

impl Reconstruction {
    /// Builds the matrix from the neighbours of each dataset and their weights.
    pub(crate) fn new(found: &[impl Borrow<(Neighbors, Vec<f64>)>], pairs: &Pairs) -> Self {
        let offsets = offsets(found.iter().map(|f| f.borrow().0.nrows()));
        let (node, count) = pairs.groups(&offsets);
        let (mut starts, mut indices, mut values) = (vec![0], vec![], vec![]);
        let mut row: Vec<(u32, f64)> = vec![];
        for (a, (found, weights)) in found.iter().map(Borrow::borrow).enumerate() {
            for i in 0..found.nrows() {
                row.clear();
                row.push((node[offsets[a] + i], 1.0));
                let own = &weights[i * found.k..(i + 1) * found.k];
                row.extend(found.row(i).zip(own).map(|((j, _), w)| (node[offsets[a] + j as usize], -w)));
                row.sort_by_key(|e| e.0);
                row.dedup_by(|next, kept| {
                    kept.0 == next.0 && {
                        kept.1 += next.1;
                        true
                    }
                });
                indices.extend(row.iter().map(|e| e.0));
                values.extend(row.iter().map(|e| e.1));
                starts.push(indices.len());
            }
        }
        let factor = Csr::from_sorted(starts, indices, values, count);
        let mut edges: Vec<(u32, u32, f64)> = Vec::new();
        for r in 0..factor.nrows() {
            for (x, v) in factor.row(r) {
                edges.extend(factor.row(r).filter(|(y, _)| *y != x).map(|(y, w)| (x, y, -v * w)));
            }
        }
        add_up_edges(&mut edges);
        let mut starts = vec![0usize; count + 1];
        edges.iter().for_each(|e| starts[e.0 as usize + 1] += 1);
        for i in 0..count {
            starts[i + 1] += starts[i];
        }
        let graph = Csr::from_sorted(starts, edges.iter().map(|e| e.1).collect(), edges.iter().map(|e| e.2).collect(), count);
        Self { factor, graph, node, offsets }
    }

    /// `|B f|²` of each column: eigenvalues as sums of squares, accurate even if they are tiny.
    pub(crate) fn energies(&self, f: &Matrix<f64>) -> Vec<f64> {
        let mut sums = vec![0.0; f.ncols()];
        let mut image = vec![0.0; f.ncols()];
        for r in 0..self.factor.nrows() {
            image.fill(0.0);
            for (x, v) in self.factor.row(r) {
                image.iter_mut().zip(f.row(x as usize)).for_each(|(o, f)| *o += v * f);
            }
            sums.iter_mut().zip(&image).for_each(|(s, v)| *s += v * v);
        }
        sums
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_graph_is_that_of_the_sum_of_both_matrices_with_pairs_merged() {
        let found = |indices: Vec<u32>| Neighbors { k: 2, distances: vec![0.0; indices.len()], indices };
        let a = (found(vec![1, 2, 0, 2, 0, 1]), vec![0.3, 0.7, 0.5, 0.5, 1.2, -0.2]);
        let b = (found(vec![1, 2, 2, 0, 1, 0]), vec![0.6, 0.4, 0.9, 0.1, 0.25, 0.75]);
        let pairs = Pairs::from_table(&[[0, 2], [1, 1]]).unwrap();
        let whole = Reconstruction::new(&[a.clone(), b.clone()], &pairs);
        assert_eq!(whole.node, [0, 1, 2, 3, 1, 0]);
        // The naive twin: dense (I − W)'(I − W) of each dataset, rows and columns summed by node.
        let mut m = Matrix::<f64>::zeros(4, 4);
        for (from, (found, weights)) in [(0, &a), (3, &b)] {
            for i in 0..3 {
                let mut r = [0.0; 3];
                r[i] = 1.0;
                found.row(i).enumerate().for_each(|(s, (j, _))| r[j as usize] -= weights[i * 2 + s]);
                for x in 0..3 {
                    for y in 0..3 {
                        m[(whole.node[from + x] as usize, whole.node[from + y] as usize)] += r[x] * r[y];
                    }
                }
            }
        }
        for x in 0..4 {
            assert!(m.row(x).iter().sum::<f64>().abs() < 1e-14);
            for y in (0..4).filter(|y| *y != x) {
                assert!((whole.graph.get(x, y) + m[(x, y)]).abs() < 1e-14, "{x} {y}");
            }
        }
        let f = Matrix::from_fn(4, 1, |i, _| [1.0, -2.0, 0.5, 3.0][i]);
        let energy: f64 = (0..4).flat_map(|x| (0..4).map(move |y| (x, y))).map(|(x, y)| f[(x, 0)] * m[(x, y)] * f[(y, 0)]).sum();
        assert!((whole.energies(&f)[0] - energy).abs() < 1e-12);
    }
}
