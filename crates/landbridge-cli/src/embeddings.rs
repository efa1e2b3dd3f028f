//! Neighbour graphs and embeddings, as typed.

use crate::Result;
use crate::args::MetricArg;
use crate::failure::Failure;
use clap::{Args, ValueEnum};
use landbridge::data::{Prepare, Rows};
use landbridge::embed::{DiffusionMap, Embedder, Isomap, LaplacianEigenmaps, LocallyLinear, Lpp, Lsi, Pca, Unchanged};
use landbridge::geometry::affinity::Weights;
use landbridge::geometry::neighbors::Search;
use landbridge::linalg::Csr;
use landbridge_io::read_matrix;
use std::path::PathBuf;

#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
pub(crate) enum WeightsArg {
    /// exp(−d²/2σ²)
    Heat,
    /// 1
    Binary,
    /// Cosine of the two rows
    Cosine,
    /// Self-tuning heat, a σ for each row
    Local,
    /// From --graphs
    Precomputed,
}

#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
pub(crate) enum SearchArg {
    /// Exact up to 30,000 dense rows and for sparse rows
    Auto,
    /// Always exact
    Exact,
    /// Always approximate (dense rows)
    Approximate,
}

impl From<SearchArg> for Search {
    fn from(search: SearchArg) -> Self {
        match search {
            SearchArg::Auto => Search::Auto,
            SearchArg::Exact => Search::Exact,
            SearchArg::Approximate => Search::Approximate,
        }
    }
}

/// The words of the library, so that no list is kept twice.
pub(crate) fn prepare(text: &str) -> std::result::Result<Prepare, String> {
    let word = text.replace('-', "_");
    serde_json::from_value(serde_json::Value::String(word)).map_err(|_| format!("one of {}", Prepare::WORDS.replace('"', "")))
}

/// The graph of each dataset.
#[derive(Debug, Args)]
pub(crate) struct GraphArgs {
    /// Neighbours of each row [default: 10]
    #[arg(long, value_name = "N", help_heading = "Graphs")]
    pub(crate) n_neighbors: Option<usize>,
    /// Distance between rows of a dataset [default: euclidean]
    #[arg(long, value_name = "METRIC", value_enum, help_heading = "Graphs")]
    pub(crate) metric: Option<MetricArg>,
    /// Weight of an edge [default: heat, or precomputed with --graphs]
    #[arg(long, value_name = "WEIGHTS", value_enum, help_heading = "Graphs")]
    pub(crate) weights: Option<WeightsArg>,
    /// σ of heat weights [default: the mean neighbour distance of each dataset]
    #[arg(long, value_name = "X", allow_negative_numbers = true, help_heading = "Graphs")]
    pub(crate) heat_width: Option<f64>,
    /// Given graphs, one per dataset: symmetric sparse matrices (.npz, .mtx), with commas between or repeated
    #[arg(long, value_name = "W1,W2", value_delimiter = ',', help_heading = "Graphs")]
    pub(crate) graphs: Option<Vec<PathBuf>>,
    /// Exact or approximate neighbours [default: auto]
    #[arg(long, value_name = "SEARCH", value_enum, help_heading = "Graphs")]
    pub(crate) search: Option<SearchArg>,
}

impl GraphArgs {
    pub(crate) fn chosen_weights(&self) -> WeightsArg {
        let default = if self.graphs.is_some() { WeightsArg::Precomputed } else { WeightsArg::Heat };
        self.weights.unwrap_or(default)
    }

    pub(crate) fn library_weights(&self) -> Weights {
        match self.chosen_weights() {
            WeightsArg::Heat => Weights::Heat,
            WeightsArg::Binary => Weights::Binary,
            WeightsArg::Cosine => Weights::Cosine,
            WeightsArg::Local => Weights::Local,
            WeightsArg::Precomputed => Weights::Precomputed,
        }
    }

    pub(crate) fn read(&self) -> Result<Option<Vec<Csr>>> {
        let Some(paths) = &self.graphs else { return Ok(None) };
        let graph = |path: &PathBuf| -> Result<Csr> {
            match read_matrix(path, &landbridge_io::ReadOptions::default())?.rows {
                Rows::Sparse(graph) => Ok(graph),
                Rows::F64(dense) => Ok(Csr::from_dense(&dense)),
                Rows::F32(dense) => Ok(Csr::from_dense(&dense.to_f64())),
            }
        };
        paths.iter().map(graph).collect::<Result<Vec<_>>>().map(Some)
    }

    /// Options of the weights are given that the chosen weights do not have.
    pub(crate) fn check(&self) -> Result<()> {
        let refuse = |option: &str, why: &str| Err(Failure::usage(format!("{option} {why}")).hint("leave it out"));
        let weights = self.chosen_weights();
        if self.heat_width.is_some() && weights != WeightsArg::Heat {
            return refuse("--heat-width", "has a meaning for heat weights only");
        }
        if self.graphs.is_some() && weights != WeightsArg::Precomputed {
            return refuse("--weights", "must be precomputed (or absent) when --graphs are given");
        }
        if weights == WeightsArg::Precomputed {
            for (option, given) in [
                ("--n-neighbors", self.n_neighbors.is_some()),
                ("--metric", self.metric.is_some()),
                ("--search", self.search.is_some()),
            ] {
                if given {
                    return refuse(option, "has no effect: the graphs are given, no neighbours are searched");
                }
            }
        }
        Ok(())
    }
}

#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
pub(crate) enum EmbeddingArg {
    /// The rows as they are
    None,
    /// Directions of largest variance
    Pca,
    /// Truncated SVD of tf-idf weighted rows
    Lsi,
    /// Laplacian eigenmaps
    Laplacian,
    /// Laplacian eigenmaps restricted to linear maps
    Lpp,
    /// Distances of a random walk
    Diffusion,
    /// Distances along the data
    Isomap,
    /// Rows as combinations of their neighbours
    Lle,
}

/// Parameters that only some embeddings have.
#[derive(Debug, Args)]
pub(crate) struct EmbeddingArgs {
    /// diffusion: steps of the walk [default: 1]
    #[arg(long, value_name = "N", help_heading = "Embedding")]
    time: Option<u32>,
    /// diffusion: power of the degrees divided out first, 0 to 1 [default: 1]
    #[arg(long, value_name = "X", allow_negative_numbers = true, help_heading = "Embedding")]
    density: Option<f64>,
    /// lpp: ridge in units of the mean diagonal of X'DX [default: 0]; lle: of the local weights [default: 1e-3]
    #[arg(long, value_name = "X", allow_negative_numbers = true, help_heading = "Embedding")]
    embedding_ridge: Option<f64>,
}

/// What several embeddings share beside the graph.
pub(crate) struct Shared {
    pub(crate) n_components: Option<usize>,
    pub(crate) prepare: Option<Prepare>,
    pub(crate) plain: bool,
    pub(crate) tolerance: Option<f64>,
    pub(crate) random_state: u64,
    pub(crate) n_jobs: usize,
}

/// Applies a setter where its option is given.
macro_rules! given {
    ($method:ident, $($name:ident: $value:expr),*) => {
        $(if let Some(value) = $value {
            $method = $method.$name(value);
        })*
    };
}

impl EmbeddingArgs {
    /// Options that the embedding does not have are refused.
    pub(crate) fn check(&self, kind: EmbeddingArg, graph: &GraphArgs, shared: &Shared) -> Result<()> {
        use EmbeddingArg::{Diffusion, Isomap, Laplacian, Lle, Lpp, Lsi, None, Pca};
        let name = kind.to_possible_value().map_or_else(String::new, |v| v.get_name().to_string());
        let options: [(&str, bool, &[EmbeddingArg]); 13] = [
            ("-d", shared.n_components.is_some(), &[Pca, Lsi, Laplacian, Lpp, Diffusion, Isomap, Lle]),
            ("--n-neighbors", graph.n_neighbors.is_some(), &[Laplacian, Lpp, Diffusion, Isomap, Lle]),
            ("--metric", graph.metric.is_some(), &[Laplacian, Lpp, Diffusion, Isomap, Lle]),
            ("--search", graph.search.is_some(), &[Laplacian, Lpp, Diffusion, Isomap, Lle]),
            ("--weights", graph.weights.is_some(), &[Laplacian, Lpp, Diffusion]),
            ("--heat-width", graph.heat_width.is_some(), &[Laplacian, Lpp, Diffusion]),
            ("--graphs", graph.graphs.is_some(), &[Laplacian, Lpp, Diffusion]),
            ("--prepare", shared.prepare.is_some(), &[None, Pca, Lsi, Lpp]),
            ("--plain", shared.plain, &[Laplacian]),
            ("--tolerance", shared.tolerance.is_some(), &[Laplacian, Diffusion]),
            ("--time", self.time.is_some(), &[Diffusion]),
            ("--density", self.density.is_some(), &[Diffusion]),
            ("--embedding-ridge", self.embedding_ridge.is_some(), &[Lpp, Lle]),
        ];
        if let Some((option, ..)) = options.iter().find(|(_, given, kinds)| *given && !kinds.contains(&kind)) {
            return Err(Failure::usage(format!("{option} has no meaning for embedding {name}")).hint("leave it out"));
        }
        if shared.n_components.is_none() && kind != None {
            let hint = "for example -d 20";
            return Err(Failure::usage(format!("embedding {name} needs -d, the number of dimensions")).hint(hint));
        }
        graph.check()
    }

    /// The first option given, if any.
    pub(crate) fn given(&self) -> Option<&'static str> {
        let options = [
            ("--time", self.time.is_some()),
            ("--density", self.density.is_some()),
            ("--embedding-ridge", self.embedding_ridge.is_some()),
        ];
        options.iter().find(|o| o.1).map(|o| o.0)
    }

    /// The embedding as the library knows it.
    pub(crate) fn embedder(&self, kind: EmbeddingArg, graph: &GraphArgs, shared: &Shared) -> Result<Embedder> {
        let (d, seed, n_jobs) = (shared.n_components.unwrap_or(1), shared.random_state, shared.n_jobs);
        let metric = graph.metric.map(Into::into);
        let search = graph.search.map(Into::into);
        macro_rules! with_graph {
            ($method:expr) => {{
                let mut method =
                    $method.weights(graph.library_weights()).heat_width(graph.heat_width).random_state(seed).n_jobs(n_jobs);
                given!(method, n_neighbors: graph.n_neighbors, metric: metric, search: search, graphs: graph.read()?);
                method
            }};
        }
        Ok(match kind {
            EmbeddingArg::None => {
                let mut method = Unchanged::new().n_jobs(n_jobs);
                given!(method, prepare: shared.prepare);
                method.into()
            }
            EmbeddingArg::Pca => {
                let mut method = Pca::new(d).random_state(seed).n_jobs(n_jobs);
                given!(method, prepare: shared.prepare);
                method.into()
            }
            EmbeddingArg::Lsi => {
                let mut method = Lsi::new(d).random_state(seed).n_jobs(n_jobs);
                given!(method, prepare: shared.prepare);
                method.into()
            }
            EmbeddingArg::Laplacian => {
                let mut method = with_graph!(LaplacianEigenmaps::new(d).normalized(!shared.plain));
                given!(method, tolerance: shared.tolerance);
                method.into()
            }
            EmbeddingArg::Lpp => {
                let mut method = with_graph!(Lpp::new(d));
                given!(method, prepare: shared.prepare, ridge: self.embedding_ridge);
                method.into()
            }
            EmbeddingArg::Diffusion => {
                let mut method = with_graph!(DiffusionMap::new(d));
                given!(method, tolerance: shared.tolerance, time: self.time, density: self.density);
                method.into()
            }
            EmbeddingArg::Isomap => {
                let mut method = Isomap::new(d).random_state(seed).n_jobs(n_jobs);
                given!(method, n_neighbors: graph.n_neighbors, metric: metric, search: search);
                method.into()
            }
            EmbeddingArg::Lle => {
                let mut method = LocallyLinear::new(d).random_state(seed).n_jobs(n_jobs);
                given!(method, n_neighbors: graph.n_neighbors, metric: metric, search: search, ridge: self.embedding_ridge);
                method.into()
            }
        })
    }
}
