//! `landbridge stats`: a shard of two datasets in, its sums out.

use super::fit::{read_datasets, shared_ids};
use crate::Result;
use crate::args::{Common, ReadArgs};
use crate::failure::Failure;
use crate::output::{Console, check_target, counted, thousands};
use crate::progress::Watch;
use crate::shared::{NamesArg, ThreadsArg};
use clap::Args;
use landbridge::data::{Dataset, Pairs};
use landbridge::statistics::{Landmarks, Statistics};
use landbridge_io::{check_model_name, pairs_by_id, read_pairs, save_statistics};
use serde_json::{Value, json};
use std::path::PathBuf;

pub(crate) const EXAMPLES: &str = "\
Examples:
  landbridge stats en-7.parquet it-7.parquet --names en,it -o 7.stats
  landbridge stats en-7.npy it-7.npy --names en,it --pairs pairs-7.csv -o 7.stats
  landbridge merge *.stats --expect 64 -o all.stats
  landbridge solve cca all.stats -d 100 -o en-it.lb
  landbridge stats en-7.npy it-7.npy --names en,it --landmarks en-0.npy it-0.npy -o 7.stats
  landbridge solve linear all.stats -d 100 -o en-it.lb               # with landmarks

Each shard holds some rows of both datasets, with their pairs: rows with the
same id where both have ids, otherwise row by row, or as a file of pairs says
(see landbridge fit --help). All sums are exact: how rows are cut into shards
changes no byte of the model. The sums hold no row, but the squares of columns
and their products can tell much about few rows.";

#[derive(Debug, Args)]
pub(crate) struct StatsArgs {
    /// The shard: a file of each of the two datasets, in any format that `fit` reads
    #[arg(value_name = "DATA", required = true, num_args = 1..)]
    data: Vec<PathBuf>,
    /// File of rows known to correspond [default: rows with the same id where both have ids, otherwise row by row]
    #[arg(long, value_name = "FILE")]
    pairs: Option<PathBuf>,
    /// Rows with the same id correspond; refuse a shard without such rows
    #[arg(long, conflicts_with = "pairs")]
    pairs_by_id: bool,
    /// Landmarks, for `solve linear`: rows of each of the two datasets, two files. All shards need the same; other files, and
    /// files with other rows, are refused when statistics are merged
    #[arg(long, value_names = ["FILE", "FILE"], num_args = 2)]
    landmarks: Option<Vec<PathBuf>>,
    /// Landmarks to take of each file, evenly spaced over its rows
    #[arg(long, value_name = "N", default_value_t = 500, requires = "landmarks")]
    n_landmarks: usize,
    #[command(flatten)]
    names: NamesArg,
    /// File of statistics to write
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    threads: ThreadsArg,
    #[command(flatten)]
    read: ReadArgs,
    #[command(flatten)]
    pub(crate) common: Common,
}

impl StatsArgs {
    fn pairs(&self, datasets: &[Dataset], console: &Console) -> Result<Pairs> {
        if let Some(path) = &self.pairs {
            return Ok(read_pairs(path, &datasets.iter().collect::<Vec<_>>())?);
        }
        if self.pairs_by_id {
            return shared_ids(datasets);
        }
        let rows: Vec<usize> = datasets.iter().map(Dataset::nrows).collect();
        if datasets.iter().all(|d| d.row_ids().is_some()) {
            let pairs = pairs_by_id(datasets)?;
            if pairs.is_empty() {
                console.warn("no id occurs once in each dataset, so that this shard has no pairs");
            }
            return Ok(pairs);
        }
        if rows.iter().any(|n| *n != rows[0]) {
            let counts: Vec<String> =
                datasets.iter().map(|d| format!("{} has {}", d.name(), counted(d.nrows(), "row"))).collect();
            let message = format!("rows cannot correspond one by one: {}", counts.join(", "));
            return Err(Failure::usage(message).hint("give --pairs, or ids in both files"));
        }
        if let Some(one) = datasets.iter().find(|d| d.row_ids().is_some()) {
            console.warn(format!("only {} has ids, so rows are paired one by one, in their order", one.name()));
        }
        Ok(Pairs::first_rows(datasets.len(), rows[0]))
    }
}

/// Statistics as a value.
pub(crate) fn statistics_json(path: &std::path::Path, statistics: &Statistics) -> Value {
    let rows = statistics.n_rows();
    let datasets: Vec<Value> = statistics
        .datasets()
        .iter()
        .zip(rows)
        .map(|(d, rows)| json!({"name": d.name, "rows": rows, "features": d.n_features, "columns": d.columns.is_some()}))
        .collect();
    let mut value = json!({"statistics": path.to_string_lossy(), "datasets": datasets, "pairs": statistics.n_pairs(),
                           "shards": statistics.shards()});
    if let Some(counts) = statistics.n_landmarks() {
        value["landmarks"] = json!(counts);
    }
    value
}

pub(crate) fn run(args: &StatsArgs, console: &Console) -> Result<()> {
    check_target(&args.output)?;
    check_model_name(&args.output)?;
    let watch = Watch::start(console);
    let datasets = read_datasets(&args.data, args.names.names.as_deref(), &args.read, console)?;
    let pairs = args.pairs(&datasets, console)?;
    let name = args.output.file_name().unwrap_or_default().to_string_lossy();
    let near = match &args.landmarks {
        Some(files) => {
            let names: Vec<String> = datasets.iter().map(|d| d.name().to_string()).collect();
            let rows = read_datasets(files, Some(&names), &args.read, console)?;
            Some(watch.during(|_| Landmarks::of(&rows, args.n_landmarks))?)
        }
        None => None,
    };
    let jobs = args.threads.n_jobs;
    let statistics = watch.during(|_| Statistics::of_shard_near(&name, &datasets, &pairs, near.as_ref(), jobs))?;
    watch.during(|_| save_statistics(&args.output, &statistics))?;
    console.say(format!("{:<8} {}", "pairs", thousands(pairs.len())));
    console.say(format!("{:<8} {}", "written", args.output.display()));
    if console.json {
        console.print_json(&statistics_json(&args.output, &statistics))?;
    }
    Ok(())
}
