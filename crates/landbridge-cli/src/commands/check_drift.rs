//! `landbridge check-drift`: whether new rows are still like those of the fit.

use crate::Result;
use crate::args::{Common, ModelArg, ReadArgs, position};
use crate::failure::Failure;
use crate::output::Console;
use crate::progress::Watch;
use crate::shared::SeedArg;
use clap::Args;
use serde_json::json;
use std::path::PathBuf;

pub(crate) const EXAMPLES: &str = "\
Examples:
  landbridge check-drift bridge.lb this-week.npy --dataset old
  landbridge check-drift bridge.lb this-week.npy --dataset old --json

A bridge keeps a sample of the rows of both stores, also with --map-only. New
rows are compared with it: directions (energy distance, with a p-value), the
share outside the principal directions, lengths. Exit code 3: the rows have
drifted (--force makes it 0).";

#[derive(Debug, Args)]
pub(crate) struct CheckDriftArgs {
    #[command(flatten)]
    model: ModelArg,
    /// New rows of one of the stores
    #[arg(value_name = "ROWS")]
    rows: PathBuf,
    /// The store they belong to, by name or by position from 0
    #[arg(long, value_name = "NAME|POSITION", default_value = "0")]
    dataset: String,
    /// Exit with 0 even if the rows have drifted
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    seed: SeedArg,
    #[command(flatten)]
    read: ReadArgs,
    #[command(flatten)]
    pub(crate) common: Common,
}

pub(crate) fn run(args: &CheckDriftArgs, console: &Console) -> Result<()> {
    let watch = Watch::start(console);
    args.read.one(&args.rows)?; // wrong options are reported before the model is loaded
    let alignment = args.model.load()?;
    let dataset = position(&alignment, &args.dataset)?;
    let loaded = args.read.read_new(&args.rows, &alignment.datasets()[dataset], console)?;
    let found = watch.during(|_| alignment.check_drift(&loaded.rows, dataset, args.seed.random_state))?;
    match console.json {
        true => console.print_json(&json!({"dataset": alignment.datasets()[dataset].name(), "drift": found}))?,
        false => console.print(&format!("{}\n", found.verdict))?,
    }
    if found.drifted && !args.force { Err(Failure::NotTrusted) } else { Ok(()) }
}
