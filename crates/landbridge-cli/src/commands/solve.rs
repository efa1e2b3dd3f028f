//! `landbridge solve`: statistics in, a model out.

use crate::Result;
use crate::args::Common;
use crate::methods::given;
use crate::output::{Console, check_target, counted, datasets_json, outcome_json, save_fitted, thousands};
use crate::progress::Watch;
use clap::{ArgMatches, Args};
use landbridge::params::{Schema, Value};
use landbridge::registry;
use landbridge_io::{check_model_name, load_statistics};
use serde_json::json;
use std::path::PathBuf;

pub(crate) const EXAMPLES: &str = "\
Examples:
  landbridge solve cca all.stats -d 100 -o en-it.lb
  landbridge solve linear-transform all.stats --ridge 0.1 -o en-it.lb
  landbridge solve procrustes all.stats -o en-it.lb
  landbridge solve linear all.stats -d 100 -o en-it.lb               # of stats --landmarks
  landbridge transform en-it.lb new-it.parquet --dataset it -o z.parquet

The model has maps and no rows, as one of `landbridge fit --map-only`, and maps
rows as a fit of all rows in one place would, up to rounding errors. Other
methods need the rows: see landbridge fit.";

/// The methods that can be solved from statistics.
pub(crate) fn methods() -> Vec<&'static Schema> {
    let names = ["cca", "linear", "linear_transform", "procrustes"];
    registry::methods().into_iter().filter(|s| names.contains(&s.name)).collect()
}

#[derive(Debug, Args)]
pub(crate) struct SolveArgs {
    /// File of statistics, written by `landbridge stats` or `merge`
    #[arg(value_name = "STATS")]
    statistics: PathBuf,
    /// Model file to write
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    pub(crate) common: Common,
}

pub(crate) fn run(args: &SolveArgs, schema: &'static Schema, matches: &ArgMatches, console: &Console) -> Result<()> {
    let mut given = given(schema, matches)?;
    // Embeddings are found from rows; statistics turn the rows as they are.
    if schema.name == "procrustes" && !given.iter().any(|(name, _)| name == "embedding") {
        given.push(("embedding".into(), Value::Text("none".into())));
    }
    let method = registry::method(schema.name, given)?;
    check_target(&args.output)?;
    check_model_name(&args.output)?;
    let watch = Watch::start(console);
    let statistics = load_statistics(&args.statistics)?;
    let alignment = watch.during(|progress| statistics.solve_with(&*method, progress))?;
    watch.during(|_| save_fitted(&args.output, &alignment, false))?;
    let (pairs, shards) = (thousands(statistics.n_pairs() as usize), counted(statistics.shards().len(), "shard"));
    console.say(format!("{:<8} {pairs}, of {shards}", "pairs"));
    console.say(format!("{:<8} {}, {}", "solved", alignment.method(), counted(alignment.n_components(), "component")));
    console.outcome(alignment.outcome());
    console.say(format!("{:<8} {}", "written", args.output.display()));
    if console.json {
        console.print_json(&json!({
            "model": args.output.to_string_lossy(),
            "method": alignment.method(),
            "n_components": alignment.n_components(),
            "datasets": datasets_json(&alignment),
            "pairs": statistics.n_pairs(),
            "shards": statistics.shards().len(),
            "eigenvalues": alignment.eigenvalues(),
            "params": alignment.params(),
            "outcome": outcome_json(alignment.outcome()),
        }))?;
    }
    Ok(())
}
