//! The pencil of a graph: `L f = λ M f` with `L = D − W` and M the degrees or the identity.

use crate::geometry::components::connected_components;
use crate::linalg::Csr;

/// The constraint `F'MF = I`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mass {
    /// `M = D`: the normalised Laplacian (Chapter11 §5.2).
    Degree,
    /// `M = I`: the plain Laplacian (Sparse12 §2.1.1, CLE).
    Identity,
}

/// `L f = λ M f` on a weighted graph; its zero solutions are known beforehand.
#[derive(Clone, Debug)]
pub struct LaplacianPencil<'a> {
    /// Symmetric weights, zero diagonal.
    pub graph: &'a Csr,
    /// Row sums of the weights.
    pub degree: Vec<f64>,
    /// Diagonal of M; 1 for nodes without edges, whose coordinates are 0 in every non-zero solution.
    pub mass: Vec<f64>,
    /// Component of each node.
    pub component: Vec<u32>,
    /// Number of components = number of zero solutions.
    pub n_components: usize,
}

impl<'a> LaplacianPencil<'a> {
    /// Degrees, masses and components of the graph.
    pub fn new(graph: &'a Csr, mass: Mass) -> Self {
        let degree = graph.row_sums();
        let (component, n_components) = connected_components(graph);
        let mass = match mass {
            Mass::Degree => degree.iter().map(|&d| if d > 0.0 { d } else { 1.0 }).collect(),
            Mass::Identity => vec![1.0; degree.len()],
        };
        Self { graph, degree, mass, component, n_components }
    }
    /// Number of nodes.
    pub fn n(&self) -> usize {
        self.degree.len()
    }
    /// Number of non-zero solutions.
    pub fn n_nonzero(&self) -> usize {
        self.n() - self.n_components
    }
    /// Nodes without an edge.
    pub fn isolated(&self) -> usize {
        self.degree.iter().filter(|d| **d == 0.0).count()
    }
}
