//! `landbridge transform`: new rows of one dataset, placed in the joint space.

use crate::Result;
use crate::args::{Common, ModelArg, ReadArgs, position};
use crate::failure::Failure;
use crate::output::{Console, check_target, counted};
use crate::progress::Watch;
use clap::Args;
use landbridge_io::{Table, format_for, load_model, read_matrix, write_matrix};
use serde_json::json;
use std::path::{Path, PathBuf};

pub(crate) const EXAMPLES: &str = "\
Examples:
  landbridge transform en-it.lb new-it.csv --dataset it -o z.npy
  landbridge transform en-it.lb new-it.csv --dataset 1 | head       # csv on standard output";

#[derive(Debug, Args)]
pub(crate) struct TransformArgs {
    #[command(flatten)]
    model: ModelArg,
    /// New rows: the same columns in the same order as the fitted ones
    #[arg(value_name = "ROWS")]
    rows: PathBuf,
    /// The dataset they belong to, by name or by position from 0
    #[arg(long, value_name = "NAME|POSITION")]
    dataset: String,
    /// File to write: .csv .tsv .npy .npz .mtx, each also .gz or .zst [default: csv on standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    read: ReadArgs,
    #[command(flatten)]
    pub(crate) common: Common,
}

pub(crate) fn run(args: &TransformArgs, console: &Console) -> Result<()> {
    let output = args.output.as_deref().unwrap_or(Path::new("-"));
    if console.json && output.as_os_str() == "-" {
        let message = "--json tells about a written file; without -o the rows themselves go to standard output";
        return Err(Failure::usage(message).hint("give -o, or leave --json out"));
    }
    let format = format_for(output, None)?;
    check_target(output)?;
    let watch = Watch::start(console);
    let options = args.read.one(&args.rows)?;
    let alignment = load_model(&args.model.model)?;
    let dataset = position(&alignment, &args.dataset)?;
    let loaded = read_matrix(&args.rows, &options)?;
    let placed = watch.during(|progress| alignment.transform_with(&loaded.rows, dataset, progress))?;

    let columns: Vec<String> = (0..placed.ncols()).map(|c| format!("z{c}")).collect();
    let mut table = Table::new(&placed);
    // Formats of numbers alone have no place for names.
    if format.is_text_table() {
        table = table.columns(&columns);
        if let Some(ids) = &loaded.row_ids {
            table = table.row_ids(ids);
        }
    }
    watch.during(|_| write_matrix(output, &table))?;
    let name = alignment.datasets()[dataset].name();
    console.say(format!("placed {} of {name} in {}", counted(placed.nrows(), "row"), counted(placed.ncols(), "dimension")));
    if console.json {
        console.print_json(&json!({
            "output": output.to_string_lossy(), "dataset": name, "rows": placed.nrows(), "n_components": placed.ncols(),
        }))?;
    }
    Ok(())
}
