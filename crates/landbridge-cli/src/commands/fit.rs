//! `landbridge fit`: datasets and pairs in, a model out.

use crate::Result;
use crate::args::{Common, MetricArg, ReadArgs};
use crate::failure::Failure;
use crate::output::{Console, check_target, counted, datasets_json, outcome_json, thousands};
use crate::progress::Watch;
use clap::{Args, ValueEnum};
use landbridge::data::{Dataset, Pairs, Rows};
use landbridge::geometry::affinity::Weights;
use landbridge::geometry::neighbors::Search;
use landbridge::linalg::Csr;
use landbridge::method::{Cle, InstanceAlignment};
use landbridge_io::{read_dataset, read_matrix, read_pairs, save_model};
use serde_json::json;
use std::path::{Path, PathBuf};

pub(crate) const EXAMPLES: &str = "\
Examples:
  landbridge fit --method instance -d 20 --pairs pairs.csv en.csv it.csv -o en-it.lb
  landbridge fit --method instance -d 20 --metric cosine --weights cosine \\
      --pairs pairs.csv en.mtx it.mtx -o en-it.lb
  landbridge fit --method instance -d 20 --metric cosine --stop-words en,it \\
      --pairs pairs.csv en.txt it.txt -o en-it.lb      # a document per line
  landbridge fit --method cle -d 2 --pairs pairs.csv --graphs w1.npz,w2.npz \\
      a.npy b.npy -o ab.lb

Pairs file: one column per dataset; the header names the datasets (by default
the file stems). Cells are row ids or row numbers from 0, empty where there is
no counterpart. A column `weight` may follow.
  en,it
  cat,gatto
  dog,cane";

#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
enum MethodArg {
    /// Joint Laplacian of all rows; pairs pull (or, with --hard, coincide)
    Instance,
    /// Correspondence Laplacian eigenmaps: paired rows coincide, plain Laplacian
    Cle,
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

#[derive(Debug, Args)]
pub(crate) struct FitArgs {
    /// Two or more data files: .csv .tsv .npy .npz .mtx .parquet .arrow .txt .jsonl .pdb .cif, each also .gz or .zst;
    /// a folder of text files; - for standard input
    #[arg(value_name = "DATA", required = true, num_args = 2..)]
    data: Vec<PathBuf>,
    /// The method
    #[arg(long, value_name = "METHOD", value_enum)]
    method: MethodArg,
    /// Dimension of the joint space
    #[arg(short = 'd', long, value_name = "N")]
    n_components: usize,
    /// Rows known to correspond
    #[arg(long, value_name = "FILE")]
    pairs: Option<PathBuf>,
    /// Model file to write
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Names of the datasets, with commas between [default: file stems]
    #[arg(long, value_name = "A,B", value_delimiter = ',')]
    names: Option<Vec<String>>,

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

    /// Strength of the pairs [default: 1]
    #[arg(long, value_name = "X", allow_negative_numbers = true, help_heading = "Method")]
    mu: Option<f64>,
    /// Strength of the neighbours [default: 1]
    #[arg(long, value_name = "X", allow_negative_numbers = true, help_heading = "Method")]
    nu: Option<f64>,
    /// Take --mu as it is, not in units of (edge weight) / (pair weight)
    #[arg(long, help_heading = "Method")]
    no_balance: bool,
    /// Paired rows coincide
    #[arg(long, help_heading = "Method")]
    hard: bool,
    /// Plain Laplacian: F'F = I instead of F'DF = I
    #[arg(long, help_heading = "Method")]
    plain: bool,
    /// Relative residual of the eigensolver [default: 1e-5]
    #[arg(long, value_name = "X", allow_negative_numbers = true, help_heading = "Method")]
    tolerance: Option<f64>,
    /// Seed of everything random
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Method")]
    random_state: u64,
    /// Threads, 0 = all cores; the result does not depend on it
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Method")]
    n_jobs: usize,

    #[command(flatten)]
    read: ReadArgs,
    #[command(flatten)]
    pub(crate) common: Common,
}

impl FitArgs {
    /// Options that contradict each other or have no effect are refused: nobody should believe in them.
    fn check(&self) -> Result<()> {
        let refuse = |option: &str, why: &str| Err(Failure::usage(format!("{option} {why}")).hint("leave it out"));
        let cle = self.method == MethodArg::Cle;
        if cle {
            for (option, given) in [("--hard", self.hard), ("--plain", self.plain)] {
                if given {
                    return refuse(option, "has no meaning for cle, which is always hard and plain");
                }
            }
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
        if let Some(names) = self.names.as_ref().filter(|n| n.len() != self.data.len()) {
            return Err(Failure::usage(format!(
                "--names gives {}, there are {}",
                counted(names.len(), "name"),
                counted(self.data.len(), "data file")
            )));
        }
        let dash = |path: &Path| path.as_os_str() == "-";
        if self.pairs.as_deref().is_some_and(dash) && self.data.iter().any(|p| dash(p)) {
            return Err(Failure::usage("- is given twice, and standard input can be read only once").hint("name a file"));
        }
        if self.common.json && self.output.as_os_str() == "-" {
            return Err(Failure::usage("--json and -o - both want standard output").hint("write the model to a file"));
        }
        Ok(())
    }

    fn chosen_weights(&self) -> WeightsArg {
        let default = if self.graphs.is_some() { WeightsArg::Precomputed } else { WeightsArg::Heat };
        self.weights.unwrap_or(default)
    }

    /// The parameters as the library knows them.
    fn method(&self, graphs: Option<Vec<Csr>>) -> InstanceAlignment {
        let mut method = InstanceAlignment::new(self.n_components)
            .weights(match self.chosen_weights() {
                WeightsArg::Heat => Weights::Heat,
                WeightsArg::Binary => Weights::Binary,
                WeightsArg::Cosine => Weights::Cosine,
                WeightsArg::Local => Weights::Local,
                WeightsArg::Precomputed => Weights::Precomputed,
            })
            .heat_width(self.heat_width)
            .balance(!self.no_balance)
            .hard(self.hard)
            .normalized(!self.plain)
            .random_state(self.random_state)
            .n_jobs(self.n_jobs);
        if let Some(n) = self.n_neighbors {
            method = method.n_neighbors(n);
        }
        if let Some(metric) = self.metric {
            method = method.metric(metric.into());
        }
        if let Some(search) = self.search {
            method = method.search(match search {
                SearchArg::Auto => Search::Auto,
                SearchArg::Exact => Search::Exact,
                SearchArg::Approximate => Search::Approximate,
            });
        }
        if let Some(mu) = self.mu {
            method = method.mu(mu);
        }
        if let Some(nu) = self.nu {
            method = method.nu(nu);
        }
        if let Some(tolerance) = self.tolerance {
            method = method.tolerance(tolerance);
        }
        match graphs {
            Some(graphs) => method.graphs(graphs),
            None => method,
        }
    }

    fn read_datasets(&self, console: &Console) -> Result<Vec<Dataset>> {
        let paths: Vec<&Path> = self.data.iter().map(PathBuf::as_path).collect();
        let mut datasets = vec![];
        for (a, mut options) in self.read.options(&paths)?.into_iter().enumerate() {
            options.name = self.names.as_ref().map(|names| names[a].clone());
            let dataset = read_dataset(paths[a], &options)?;
            let with = [("ids", dataset.row_ids().is_some()), ("labels", dataset.labels().is_some())];
            let with: String = with.iter().filter(|w| w.1).map(|w| format!(", {}", w.0)).collect();
            console.say(format!(
                "{:<8} {}: {} × {}, {}{with}",
                "data",
                dataset.name(),
                counted(dataset.nrows(), "row"),
                counted(dataset.ncols(), "feature"),
                dataset.rows().kind()
            ));
            // Known before the pairs are read: their columns are found by these names.
            if datasets.iter().any(|d: &Dataset| d.name() == dataset.name()) {
                return Err(landbridge::Error::DuplicateName { name: dataset.name().into() }.into());
            }
            datasets.push(dataset);
        }
        Ok(datasets)
    }

    fn read_graphs(&self) -> Result<Option<Vec<Csr>>> {
        let Some(paths) = &self.graphs else { return Ok(None) };
        let paths: Vec<&Path> = paths.iter().map(PathBuf::as_path).collect();
        let graph = |path: &Path| -> Result<Csr> {
            match read_matrix(path, &landbridge_io::ReadOptions::default())?.rows {
                Rows::Sparse(graph) => Ok(graph),
                Rows::F64(dense) => Ok(Csr::from_dense(&dense)),
                Rows::F32(dense) => Ok(Csr::from_dense(&dense.to_f64())),
            }
        };
        paths.into_iter().map(graph).collect::<Result<Vec<_>>>().map(Some)
    }
}

pub(crate) fn run(args: &FitArgs, console: &Console) -> Result<()> {
    args.check()?;
    check_target(&args.output)?;
    let watch = Watch::start(console);
    let datasets = args.read_datasets(console)?;
    let pairs = match &args.pairs {
        Some(path) => read_pairs(path, &datasets.iter().collect::<Vec<_>>())?,
        None => Pairs::none(datasets.len()),
    };
    let method = args.method(args.read_graphs()?);
    let alignment = watch.during(|progress| match args.method {
        MethodArg::Instance => method.fit_with(&datasets, &pairs, progress),
        MethodArg::Cle => Cle::new(args.n_components).with(|_| method.clone()).fit_with(&datasets, &pairs, progress),
    })?;
    watch.during(|_| save_model(&args.output, &alignment))?;

    let outcome = alignment.outcome();
    console.say(format!("{:<8} {} known", "pairs", thousands(pairs.len())));
    let fitted = format!("{}, {}", alignment.method(), counted(alignment.n_components(), "component"));
    console.say(format!("{:<8} {fitted}, in {:.2} s", "fitted", outcome.seconds.iter().map(|s| s.seconds).sum::<f64>()));
    console.outcome(outcome);
    console.say(format!("{:<8} {}", "written", args.output.display()));
    if console.json {
        console.print_json(&json!({
            "model": args.output.to_string_lossy(),
            "method": alignment.method(),
            "n_components": alignment.n_components(),
            "datasets": datasets_json(&alignment),
            "pairs": pairs.len(),
            "eigenvalues": alignment.eigenvalues(),
            "params": alignment.params(),
            "outcome": outcome_json(outcome),
        }))?;
    }
    Ok(())
}
