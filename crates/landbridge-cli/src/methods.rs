//! The method of a fit and its parameters, as typed.

use crate::Result;
use crate::args::MetricArg;
use crate::failure::Failure;
use clap::{Args, ValueEnum};
use landbridge::data::{Prepare, Rows};
use landbridge::geometry::affinity::Weights;
use landbridge::geometry::neighbors::Search;
use landbridge::linalg::Csr;
use landbridge::method::{Cca, Cle, Constraint, InstanceAlignment, LinearAlignment, LinearTransform, Method, PairSimilarity};
use landbridge_io::read_matrix;
use std::path::PathBuf;

#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
enum MethodArg {
    /// One linear map per dataset (manifold projections); new rows and features can be mapped
    Linear,
    /// Joint Laplacian of all rows; pairs pull (or, with --hard, coincide)
    Instance,
    /// Correspondence Laplacian eigenmaps: paired rows coincide, plain Laplacian
    Cle,
    /// Canonical correlation analysis with a ridge
    Cca,
    /// Least squares from every dataset to the last one's features
    LinearTransform,
    /// Rows described by their similarity to the paired rows
    PairSimilarity,
}

#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
enum WeightsArg {
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
enum SearchArg {
    /// Exact up to 30,000 dense rows and for sparse rows
    Auto,
    /// Always exact
    Exact,
    /// Always approximate (dense rows)
    Approximate,
}

#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
enum ConstraintArg {
    /// X'DX
    Degree,
    /// X'X
    Identity,
}

/// The words of the library, so that no list is kept twice.
fn prepare(text: &str) -> std::result::Result<Prepare, String> {
    let word = text.replace('-', "_");
    serde_json::from_value(serde_json::Value::String(word)).map_err(|_| format!("one of {}", Prepare::WORDS.replace('"', "")))
}

#[derive(Debug, Args)]
pub(crate) struct MethodArgs {
    /// The method
    #[arg(long, value_name = "METHOD", value_enum)]
    method: MethodArg,
    /// Dimension of the joint space (linear-transform and pair-similarity have their own)
    #[arg(short = 'd', long, value_name = "N")]
    n_components: Option<usize>,

    /// Neighbours of each row [default: 10]
    #[arg(long, value_name = "N", help_heading = "Graphs")]
    n_neighbors: Option<usize>,
    /// Distance between rows of a dataset [default: euclidean]
    #[arg(long, value_name = "METRIC", value_enum, help_heading = "Graphs")]
    metric: Option<MetricArg>,
    /// Weight of an edge [default: heat, or precomputed with --graphs]
    #[arg(long, value_name = "WEIGHTS", value_enum, help_heading = "Graphs")]
    weights: Option<WeightsArg>,
    /// σ of heat weights [default: the mean neighbour distance of each dataset]
    #[arg(long, value_name = "X", allow_negative_numbers = true, help_heading = "Graphs")]
    heat_width: Option<f64>,
    /// Given graphs, one per dataset: symmetric sparse matrices (.npz, .mtx), with commas between or repeated
    #[arg(long, value_name = "W1,W2", value_delimiter = ',', help_heading = "Graphs")]
    graphs: Option<Vec<PathBuf>>,
    /// Exact or approximate neighbours [default: auto]
    #[arg(long, value_name = "SEARCH", value_enum, help_heading = "Graphs")]
    search: Option<SearchArg>,

    /// Strength of the pairs [default: 1; linear: 100]
    #[arg(long, value_name = "X", allow_negative_numbers = true, help_heading = "Method")]
    mu: Option<f64>,
    /// Strength of the neighbours [default: 1]
    #[arg(long, value_name = "X", allow_negative_numbers = true, help_heading = "Method")]
    nu: Option<f64>,
    /// Take --mu as it is, not in units of (edge weight) / (pair weight)
    #[arg(long, help_heading = "Method")]
    no_balance: bool,
    /// instance: paired rows coincide
    #[arg(long, help_heading = "Method")]
    hard: bool,
    /// instance: plain Laplacian, F'F = I instead of F'DF = I
    #[arg(long, help_heading = "Method")]
    plain: bool,
    /// instance, cle: relative residual of the eigensolver [default: 1e-5]
    #[arg(long, value_name = "X", allow_negative_numbers = true, help_heading = "Method")]
    tolerance: Option<f64>,
    /// linear: right-hand side of the problem [default: degree]
    #[arg(long, value_name = "CONSTRAINT", value_enum, help_heading = "Method")]
    constraint: Option<ConstraintArg>,
    /// linear, cca, linear-transform: ridge; 0 is the papers' problem [default: chosen]
    #[arg(long, value_name = "X", allow_negative_numbers = true, help_heading = "Method")]
    ridge: Option<f64>,
    /// linear, cca: weigh components by what they say about pairs [default: true without --ridge]
    #[arg(long, value_name = "BOOL", help_heading = "Method")]
    weight_components: Option<bool>,
    /// linear, cca, linear-transform: what is done to rows first: none, center, unit, center-unit, unit-center, tfidf,
    /// tfidf-center, standardize [default: center]
    #[arg(long, value_name = "PREPARE", value_parser = prepare, help_heading = "Method")]
    prepare: Option<Prepare>,
    /// Seed of everything random
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Method")]
    random_state: u64,
    /// Threads, 0 = all cores; the result does not depend on it
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Method")]
    n_jobs: usize,
}

/// The parameters that all methods with neighbour graphs share.
macro_rules! with_graphs {
    ($method:expr, $args:expr) => {{
        let args: &MethodArgs = $args;
        let mut method = $method
            .weights(args.library_weights())
            .heat_width(args.heat_width)
            .balance(!args.no_balance)
            .random_state(args.random_state)
            .n_jobs(args.n_jobs);
        if let Some(n) = args.n_neighbors {
            method = method.n_neighbors(n);
        }
        if let Some(metric) = args.metric {
            method = method.metric(metric.into());
        }
        if let Some(search) = args.search {
            method = method.search(match search {
                SearchArg::Auto => Search::Auto,
                SearchArg::Exact => Search::Exact,
                SearchArg::Approximate => Search::Approximate,
            });
        }
        if let Some(mu) = args.mu {
            method = method.mu(mu);
        }
        if let Some(nu) = args.nu {
            method = method.nu(nu);
        }
        match args.read_graphs()? {
            Some(graphs) => method.graphs(graphs),
            None => method,
        }
    }};
}

impl MethodArgs {
    /// Options that contradict each other or have no effect are refused: nobody should believe in them.
    pub(crate) fn check(&self) -> Result<()> {
        use MethodArg::{Cca, Cle, Instance, Linear, LinearTransform};
        let refuse = |option: &str, why: &str| Err(Failure::usage(format!("{option} {why}")).hint("leave it out"));
        let name = self.method.to_possible_value().map_or_else(String::new, |v| v.get_name().to_string());
        let cle = self.method == Cle;
        if cle {
            for (option, given) in [("--hard", self.hard), ("--plain", self.plain)] {
                if given {
                    return refuse(option, "has no meaning for cle, which is always hard and plain");
                }
            }
        }
        let with_graphs: &[MethodArg] = &[Linear, Instance, Cle];
        let with_ridge: &[MethodArg] = &[Linear, Cca, LinearTransform];
        let options: [(&str, bool, &[MethodArg]); 16] = [
            ("-d", self.n_components.is_some(), &[Linear, Instance, Cle, Cca]),
            ("--n-neighbors", self.n_neighbors.is_some(), with_graphs),
            ("--metric", self.metric.is_some(), with_graphs),
            ("--weights", self.weights.is_some(), with_graphs),
            ("--heat-width", self.heat_width.is_some(), with_graphs),
            ("--graphs", self.graphs.is_some(), with_graphs),
            ("--search", self.search.is_some(), with_graphs),
            ("--mu", self.mu.is_some(), with_graphs),
            ("--nu", self.nu.is_some(), with_graphs),
            ("--no-balance", self.no_balance, with_graphs),
            ("--hard", self.hard, &[Instance]),
            ("--plain", self.plain, &[Instance]),
            ("--tolerance", self.tolerance.is_some(), &[Instance, Cle]),
            ("--constraint", self.constraint.is_some(), &[Linear]),
            ("--ridge", self.ridge.is_some(), with_ridge),
            ("--weight-components", self.weight_components.is_some(), &[Linear, Cca]),
        ];
        if let Some((option, ..)) = options.iter().find(|(_, given, methods)| *given && !methods.contains(&self.method)) {
            return refuse(option, &format!("has no meaning for {name}"));
        }
        if self.prepare.is_some() && !with_ridge.contains(&self.method) {
            return refuse("--prepare", &format!("has no meaning for {name}"));
        }
        if self.n_components.is_none() && options[0].2.contains(&self.method) {
            let hint = "for example -d 20";
            return Err(Failure::usage(format!("{name} needs -d, the dimension of the joint space")).hint(hint));
        }
        if cle || self.hard {
            let merged = if cle { "cle" } else { "--hard" };
            for (option, given) in [("--mu", self.mu.is_some()), ("--no-balance", self.no_balance)] {
                if given {
                    return refuse(option, &format!("has no effect with {merged}: paired rows are merged, nothing pulls them"));
                }
            }
        }
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

    fn chosen_weights(&self) -> WeightsArg {
        let default = if self.graphs.is_some() { WeightsArg::Precomputed } else { WeightsArg::Heat };
        self.weights.unwrap_or(default)
    }

    fn library_weights(&self) -> Weights {
        match self.chosen_weights() {
            WeightsArg::Heat => Weights::Heat,
            WeightsArg::Binary => Weights::Binary,
            WeightsArg::Cosine => Weights::Cosine,
            WeightsArg::Local => Weights::Local,
            WeightsArg::Precomputed => Weights::Precomputed,
        }
    }

    /// The method with its parameters, as the library knows them.
    pub(crate) fn method(&self) -> Result<Box<dyn Method>> {
        let d = self.n_components.unwrap_or(1);
        let prepare = self.prepare.unwrap_or_default();
        let instance = || -> Result<InstanceAlignment> {
            let mut method = InstanceAlignment::new(d).hard(self.hard).normalized(!self.plain);
            if let Some(tolerance) = self.tolerance {
                method = method.tolerance(tolerance);
            }
            Ok(with_graphs!(method, self))
        };
        Ok(match self.method {
            MethodArg::Instance => Box::new(instance()?),
            MethodArg::Cle => {
                let base = instance()?;
                Box::new(Cle::new(d).with(|_| base))
            }
            MethodArg::Linear => {
                let constraint = match self.constraint {
                    Some(ConstraintArg::Identity) => Constraint::Identity,
                    _ => Constraint::Degree,
                };
                let method = LinearAlignment::new(d)
                    .constraint(constraint)
                    .ridge(self.ridge)
                    .weight_components(self.weight_components)
                    .prepare(prepare);
                Box::new(with_graphs!(method, self))
            }
            MethodArg::Cca => Box::new(
                Cca::new(d)
                    .ridge(self.ridge)
                    .weight_components(self.weight_components)
                    .prepare(prepare)
                    .random_state(self.random_state)
                    .n_jobs(self.n_jobs),
            ),
            MethodArg::LinearTransform => Box::new(LinearTransform::new().ridge(self.ridge).prepare(prepare).n_jobs(self.n_jobs)),
            MethodArg::PairSimilarity => Box::new(PairSimilarity::new().n_jobs(self.n_jobs)),
        })
    }

    fn read_graphs(&self) -> Result<Option<Vec<Csr>>> {
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
}
