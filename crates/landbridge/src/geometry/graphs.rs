//! The first step of every graph-based method: one similarity graph per dataset.

use crate::data::Dataset;
use crate::error::{Error, Result};
use crate::geometry::affinity::{Kernel, Weights, directed_graph, given_directed_graph, given_graph, similarity_graph};
use crate::geometry::neighbors::{Metric, check_neighbors, neighbors};
use crate::linalg::Csr;
use crate::outcome::Warning;
use crate::params::{Declared, Words};
use crate::progress::Progress;
use landbridge_derive::Params;

/// How the neighbour graph of each dataset is built.
#[derive(Clone, Debug, PartialEq, Params)]
#[params(group, heading = "Neighbour graph")]
pub struct GraphParams {
    /// Number of nearest neighbours per row, less than the number of rows.
    #[param(default = 10, min = 1, tune = "log 4 40")]
    pub n_neighbors: usize,
    /// Distance between the rows of a dataset.
    #[param(default = crate::geometry::neighbors::Metric::Euclidean, tune = "words euclidean cosine")]
    pub metric: crate::geometry::neighbors::Metric,
    /// Weight of an edge.
    #[param(default = crate::geometry::affinity::Weights::Heat, tune = "words auto heat binary cosine")]
    pub weights: crate::geometry::affinity::Weights,
    /// Width σ of heat weights. None: the mean distance to the neighbours.
    #[param(default = None, above = 0.0)]
    pub heat_width: Option<f64>,
    /// How nearest neighbours are found.
    #[param(default = crate::geometry::neighbors::Search::Auto)]
    pub search: crate::geometry::neighbors::Search,
    /// Seed of everything random. The same seed gives the same result.
    #[param(default = 0, heading = "Running")]
    pub random_state: u64,
    /// Given graphs instead of neighbours: one symmetric sparse matrix of weights per dataset.
    ///
    /// New rows have no place in a given
    /// graph.
    #[param(default = None, unsaved, implies)]
    pub graphs: Option<Vec<crate::linalg::Csr>>,
    /// Edges lead from a row to its neighbours only, and given graphs need not be symmetric. For methods that take
    /// directed graphs.
    #[internal(default = false)]
    pub directed: bool,
}

impl GraphParams {
    /// Given graphs are precomputed weights.
    pub(crate) fn graphs_implies(&mut self) {
        if self.graphs.is_some() && matches!(self.weights, Weights::Auto | Weights::Heat) {
            self.weights = Weights::Precomputed;
        }
    }
    /// The rule. What is given decides what `auto` means.
    fn rule(&self) -> Weights {
        match (self.weights, &self.graphs, self.heat_width) {
            (Weights::Auto, Some(_), _) => Weights::Precomputed,
            (Weights::Auto, None, Some(_)) => Weights::Heat,
            (weights, ..) => weights,
        }
    }
    /// Whether the widths of the edges are chosen row by row, without being asked for.
    pub(crate) fn tunes_itself(&self) -> bool {
        self.rule() == Weights::Auto
    }
    /// A parameter without effect, and why.
    pub(crate) fn ineffective(&self) -> Option<(&'static str, String)> {
        if self.heat_width.is_some() && self.rule() != Weights::Heat {
            return Some(("heat_width", format!("only heat weights have a width, and weights is \"{}\"", self.weights.word())));
        }
        let default = Self::default();
        let searched = [
            ("n_neighbors", self.n_neighbors != default.n_neighbors),
            ("metric", self.metric != default.metric),
            ("search", self.search != default.search),
        ];
        let given = searched.into_iter().find(|(_, changed)| *changed && self.graphs.is_some());
        given.map(|(name, _)| (name, "the graphs are given, and no neighbours are searched".into()))
    }
}

/// How nearest neighbours are searched, for methods without weights.
#[derive(Clone, Debug, PartialEq, Params)]
#[params(group, heading = "Neighbour graph")]
pub struct SearchParams {
    /// Number of nearest neighbours per row, less than the number of rows.
    #[param(default = 10, min = 1, tune = "log 4 40")]
    pub n_neighbors: usize,
    /// Distance between the rows of a dataset.
    #[param(default = crate::geometry::neighbors::Metric::Euclidean, tune = "words euclidean cosine")]
    pub metric: crate::geometry::neighbors::Metric,
    /// How nearest neighbours are found.
    #[param(default = crate::geometry::neighbors::Search::Auto)]
    pub search: crate::geometry::neighbors::Search,
}

/// The graph of one dataset, and the rule that made it (`None` for a precomputed graph).
pub(crate) struct Graph {
    pub(crate) weights: Csr,
    pub(crate) kernel: Option<Kernel>,
}

impl GraphParams {
    /// Checks the parameters against the datasets.
    pub(crate) fn check(&self, datasets: &[Dataset]) -> Result<()> {
        self.check_ranges()?;
        match (&self.graphs, self.rule()) {
            (None, Weights::Precomputed) => {
                return Err(Error::parameter("graphs", "absent", "given, one per dataset, when weights is precomputed"));
            }
            (Some(_), weights) if weights != Weights::Precomputed => {
                return Err(Error::parameter("weights", weights.word(), "precomputed when graphs are given"));
            }
            (Some(graphs), _) if graphs.len() != datasets.len() => {
                return Err(Error::parameter(
                    "graphs",
                    format!("{} graphs", graphs.len()),
                    &format!("one per dataset ({})", datasets.len()),
                ));
            }
            (Some(_), _) => return Ok(()),
            (None, _) => {}
        }
        datasets.iter().try_for_each(|d| check_neighbors(self.n_neighbors, d.name(), d.nrows()))
    }

    /// One graph per dataset.
    pub(crate) fn build(&self, datasets: &[Dataset], progress: &Progress, warnings: &mut Vec<Warning>) -> Result<Vec<Graph>> {
        let mut graphs = vec![];
        for (a, dataset) in datasets.iter().enumerate() {
            let graph = match &self.graphs {
                Some(given) => {
                    let check = if self.directed { given_directed_graph } else { given_graph };
                    Graph { weights: check(dataset, &given[a], warnings)?, kernel: None }
                }
                None => self.build_one(dataset, progress, warnings)?,
            };
            let mut alone: Vec<bool> = (0..graph.weights.nrows()).map(|i| graph.weights.row_indices(i).is_empty()).collect();
            // In a directed graph, edges may lead to a row that has none of its own.
            graph.weights.indices().iter().for_each(|&j| alone[j as usize] = false);
            let isolated = alone.into_iter().filter(|a| *a).count();
            if isolated > 0 {
                warnings.push(Warning::IsolatedRows { dataset: dataset.name().into(), count: isolated });
            }
            graphs.push(graph);
        }
        Ok(graphs)
    }

    fn build_one(&self, dataset: &Dataset, progress: &Progress, warnings: &mut Vec<Warning>) -> Result<Graph> {
        progress.step(&format!("graph of {}", dataset.name()), 0, 0)?;
        let rows = dataset.rows();
        let found = neighbors(rows, self.n_neighbors, self.metric, self.search, self.random_state, progress)?;
        if found.distances.iter().any(|d| !d.is_finite()) {
            return Err(Error::Overflow { what: format!("distances of dataset \"{}\"", dataset.name()) });
        }
        let name = || dataset.name().to_string();
        let copies = (0..found.nrows()).filter(|&i| found.distances[(i + 1) * found.k - 1] == 0.0).count();
        if copies > 0 {
            warnings.push(Warning::DuplicateRows { dataset: name(), count: copies });
        }
        if self.metric == Metric::Cosine {
            let zero = rows.zero_rows();
            if zero > 0 {
                warnings.push(Warning::ZeroRows { dataset: name(), count: zero });
            }
        }
        let kernel = Kernel::fit(self.rule(), self.heat_width, self.metric, &found)?;
        let weights = if self.directed { directed_graph } else { similarity_graph }(rows, &found, &kernel);
        // Directed edges that are missing from the graph were dropped because their weight is zero.
        let dropped = (0..found.nrows())
            .flat_map(|i| found.row(i).map(move |(j, _)| (i, j)))
            .filter(|&(i, j)| weights.get(i, j as usize) == 0.0)
            .count();
        if dropped > 0 {
            warnings.push(Warning::ZeroWeights { dataset: name(), count: dropped });
        }
        Ok(Graph { weights, kernel: Some(kernel) })
    }
}
