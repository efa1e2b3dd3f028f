//! Hard constraints: rows in correspondence become one node (Chapter11 §5.3.2; CLE is this with the plain
//! Laplacian, Lamvu13 eq. 10).

use crate::data::Pairs;
use crate::data::offsets;
use crate::linalg::Csr;
use crate::problem::joint::add_up_edges;

/// The graph in which each group of corresponding rows is one node.
#[derive(Clone, Debug)]
pub struct Merged {
    /// Symmetric weights of the nodes; edges between merged rows add up, edges inside a node vanish.
    pub graph: Csr,
    /// The node of each of the N rows.
    pub node: Vec<u32>,
    /// First row of each dataset; c + 1 numbers.
    pub offsets: Vec<usize>,
}

impl Merged {
    /// Merges rows that a chain of pairs joins (union-find).
    pub fn new(graphs: &[Csr], pairs: &Pairs, nu: f64) -> Self {
        let offsets = offsets(graphs.iter().map(Csr::nrows));
        let (node, count) = pairs.groups(&offsets);
        let mut edges: Vec<(u32, u32, f64)> = vec![];
        for (a, graph) in graphs.iter().enumerate() {
            for i in 0..graph.nrows() {
                for (j, w) in graph.row(i) {
                    let (x, y) = (node[offsets[a] + i], node[offsets[a] + j as usize]);
                    if x != y {
                        edges.push((x, y, nu * w));
                    }
                }
            }
        }
        add_up_edges(&mut edges);
        let mut indptr = vec![0usize; count + 1];
        edges.iter().for_each(|e| indptr[e.0 as usize + 1] += 1);
        for i in 0..count {
            indptr[i + 1] += indptr[i];
        }
        let graph = Csr::from_sorted(indptr, edges.iter().map(|e| e.1).collect(), edges.iter().map(|e| e.2).collect(), count);
        Self { graph, node, offsets }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn merging_a_pair_adds_its_edges() {
        let edges = |list: &[(usize, usize, f64)], n| {
            let both: Vec<_> = list.iter().flat_map(|&(i, j, w)| [(i, j, w), (j, i, w)]).collect();
            Csr::from_triplets(n, n, &both).unwrap()
        };
        let a = edges(&[(0, 1, 1.0), (1, 2, 2.0)], 3);
        let b = edges(&[(0, 1, 10.0), (1, 2, 20.0)], 3);
        let pairs = Pairs::from_table(&[[0, 0], [1, 1]]).unwrap();
        let merged = Merged::new(&[a.clone(), b.clone()], &pairs, 1.0);
        assert_eq!(merged.node, [0, 1, 2, 0, 1, 3]);
        assert_eq!(merged.graph.get(0, 1), 11.0);
        assert_eq!((merged.graph.get(1, 2), merged.graph.get(1, 3)), (2.0, 20.0));
        assert_eq!(merged.graph.first_asymmetry(0.0), None);
        // Many-to-one: rows 0 and 1 of `a` become one node, and the edge between them disappears.
        let pairs = Pairs::from_table(&[[0, 0], [1, 0]]).unwrap();
        let merged = Merged::new(&[a, b], &pairs, 1.0);
        assert_eq!(merged.node, [0, 0, 1, 0, 2, 3]);
        assert_eq!(merged.graph.get(0, 0), 0.0);
    }
}
