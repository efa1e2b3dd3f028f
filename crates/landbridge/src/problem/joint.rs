//! The joint graph of all datasets: `ν W_a` on the diagonal blocks, `μ W_ab` off them (Chapter11 §5.2.3, fig. 5.4).

use crate::data::{Pairs, offsets};
use crate::error::{Error, Result};
use crate::linalg::Csr;
use crate::outcome::Warning;
use landbridge_derive::Params;
use rayon::prelude::*;

/// How strongly neighbours and pairs hold together.
#[derive(Clone, Copy, Debug, PartialEq, Params)]
#[params(group, heading = "Pairs and neighbours")]
pub struct JointWeights {
    /// Strength of the pairs.
    #[param(default = 1.0, above = 0.0, tune = "log 0.1 1000")]
    pub mu: f64,
    /// Strength of the neighbours.
    #[param(default = 1.0, above = 0.0)]
    pub nu: f64,
    /// Count mu in units of (total edge weight) / (total pair weight); false is the papers' raw μ.
    ///
    /// Departure: the papers print a raw μ, with which a thousand pairs drown among tens of thousands of graph
    /// edges; the authors' own code balances without saying so.
    #[param(default = true)]
    pub balance: bool,
}

/// Weights whose sums overflow are refused.
pub(crate) fn check_weights(degree: &[f64], mu_effective: Option<f64>) -> Result<()> {
    let total: f64 = degree.iter().sum();
    if total.is_finite() && mu_effective.is_none_or(|mu| mu.is_finite() && mu > 0.0) {
        return Ok(());
    }
    Err(Error::Overflow { what: "sum of the weights of the joint graph".into() })
}

/// The joint graph.
#[derive(Clone, Debug)]
pub struct Joint {
    /// Symmetric weights of all N rows.
    pub graph: Csr,
    /// First row of each dataset; c + 1 numbers, the last is N.
    pub offsets: Vec<usize>,
    /// The weight in the graph of a pair of weight 1.
    pub mu_effective: f64,
    /// Pairs given more than once (their weights add up).
    pub repeated_pairs: usize,
}

/// Sorts edges by their ends and sums the weights of edges with the same ends. Also sorted by weight, so that a sum depends
/// neither on the order of the edges nor on their direction.
pub(crate) fn add_up_edges(edges: &mut Vec<(u32, u32, f64)>) {
    edges.par_sort_unstable_by(|a, b| (a.0, a.1).cmp(&(b.0, b.1)).then(a.2.total_cmp(&b.2)));
    edges.dedup_by(|next, kept| {
        let same = (next.0, next.1) == (kept.0, kept.1);
        if same {
            kept.2 += next.2;
        }
        same
    });
}

impl Joint {
    /// Joins the graphs of the datasets by their pairs.
    pub fn new(graphs: &[Csr], pairs: &Pairs, weights: JointWeights) -> Self {
        let offsets = offsets(graphs.iter().map(Csr::nrows));
        // Each undirected edge counts once on both sides of the ratio.
        let within: f64 = graphs.iter().map(|g| g.values().iter().sum::<f64>() / 2.0).sum();
        let across: f64 = pairs.links().iter().map(|l| l.weight).sum();
        let balance = if weights.balance && across > 0.0 && within > 0.0 { within / across } else { 1.0 };
        let mu_effective = weights.mu * balance;

        let n = offsets[offsets.len() - 1];
        let mut links: Vec<(u32, u32, f64)> = Vec::with_capacity(2 * pairs.len());
        for link in pairs.links() {
            let (i, j) = ((offsets[link.a] + link.i) as u32, (offsets[link.b] + link.j) as u32);
            links.push((i, j, link.weight));
            links.push((j, i, link.weight));
        }
        let before = links.len();
        add_up_edges(&mut links);
        let repeated_pairs = (before - links.len()) / 2;

        let total = graphs.iter().map(Csr::nnz).sum::<usize>() + links.len();
        let (mut indptr, mut indices, mut values) =
            (Vec::with_capacity(n + 1), Vec::with_capacity(total), Vec::with_capacity(total));
        indptr.push(0);
        let mut next = 0;
        for (a, graph) in graphs.iter().enumerate() {
            for i in 0..graph.nrows() {
                let row = (offsets[a] + i) as u32;
                let push_links = |limit: u32, next: &mut usize, indices: &mut Vec<u32>, values: &mut Vec<f64>| {
                    while *next < links.len() && links[*next].0 == row && links[*next].1 < limit {
                        indices.push(links[*next].1);
                        values.push(mu_effective * links[*next].2);
                        *next += 1;
                    }
                };
                push_links(offsets[a] as u32, &mut next, &mut indices, &mut values);
                for (j, w) in graph.row(i) {
                    indices.push(offsets[a] as u32 + j);
                    values.push(weights.nu * w);
                }
                push_links(u32::MAX, &mut next, &mut indices, &mut values);
                indptr.push(indices.len());
            }
        }
        Self { graph: Csr::from_sorted(indptr, indices, values, n), offsets, mu_effective, repeated_pairs }
    }
    pub(crate) fn warn(&self, warnings: &mut Vec<Warning>) {
        if self.repeated_pairs > 0 {
            warnings.push(Warning::RepeatedPairs { count: self.repeated_pairs });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(n: usize) -> Csr {
        let edges: Vec<_> = (1..n).flat_map(|i| [(i - 1, i, 1.0), (i, i - 1, 1.0)]).collect();
        Csr::from_triplets(n, n, &edges).unwrap()
    }

    #[test]
    fn blocks_sit_where_the_figure_puts_them() {
        let pairs = Pairs::from_table(&[[2, 0, -1], [0, 1, 1], [2, 0, -1]]).unwrap();
        let weights = JointWeights { mu: 3.0, nu: 2.0, balance: false };
        let joint = Joint::new(&[path(3), path(2), path(2)], &pairs, weights);
        assert_eq!(joint.offsets, [0, 3, 5, 7]);
        assert_eq!(joint.graph.first_asymmetry(0.0), None);
        assert_eq!(joint.graph.get(0, 1), 2.0);
        assert_eq!(joint.graph.get(2, 3), 6.0, "a pair given twice counts twice");
        assert_eq!((joint.graph.get(0, 4), joint.graph.get(0, 6), joint.graph.get(4, 6)), (3.0, 3.0, 3.0));
        assert_eq!(joint.graph.get(5, 6), 2.0);
        assert_eq!(joint.graph.nnz(), 4 + 2 + 2 + 8);
        assert_eq!(joint.repeated_pairs, 1);
    }

    #[test]
    fn balance_gives_the_pairs_the_total_weight_of_the_edges() {
        let pairs = Pairs::from_table(&[[0, 0], [2, 1]]).unwrap();
        let joint = Joint::new(&[path(3), path(2)], &pairs, JointWeights { mu: 1.0, nu: 1.0, balance: true });
        assert_eq!(joint.mu_effective, 1.5); // 3 edges, 2 pairs
        let all: f64 = joint.graph.values().iter().sum();
        assert_eq!(all / 2.0, 3.0 + 3.0);
    }
}
