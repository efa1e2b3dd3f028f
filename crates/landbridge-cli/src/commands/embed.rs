//! `landbridge embed`: one dataset by itself, in few dimensions.

use crate::Result;
use crate::args::{Common, ReadArgs};
use crate::methods::given;
use crate::output::{Console, check_target, counted, outcome_json};
use crate::progress::Watch;
use crate::rows_file::{RowsFile, coordinate_names};
use clap::{ArgMatches, Args};
use landbridge::data::Rows;
use landbridge::embed::Embedder;
use landbridge::params::Schema;
use landbridge_io::{check_model_name, read_dataset, save_model};
use serde_json::json;
use std::path::PathBuf;

pub(crate) const EXAMPLES: &str = "\
Examples:
  landbridge embed lsi documents.mtx -d 100 -o z.npy
  landbridge embed isomap cells.csv -d 2 --n-neighbors 8 | head       # csv on standard output
  landbridge embed pca cells.csv -d 20 -o z.npy --save pca.lb         # then, for new rows:
  landbridge transform pca.lb new-cells.csv --dataset cells -o new.npy";

#[derive(Debug, Args)]
pub(crate) struct EmbedArgs {
    /// Data file, in any format that `fit` reads
    #[arg(value_name = "DATA")]
    data: PathBuf,
    /// File to write: .csv .tsv .npy .npz .mtx, each also .gz or .zst [default: csv on standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Also save the embedding as a model, so that `transform` can place new rows
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    #[command(flatten)]
    read: ReadArgs,
    #[command(flatten)]
    pub(crate) common: Common,
}

pub(crate) fn run(args: &EmbedArgs, schema: &'static Schema, matches: &ArgMatches, console: &Console) -> Result<()> {
    let output = RowsFile::new(args.output.as_deref(), console)?;
    let embedder = Embedder::from_given(schema.name, given(schema, matches)?)?;
    if let Some(model) = &args.save {
        check_target(model)?;
        check_model_name(model)?;
    }
    let watch = Watch::start(console);
    let (path, options) = args.read.options(&[&args.data])?.remove(0);
    let dataset = read_dataset(&path, &options)?;
    let embedding = watch.during(|progress| embedder.fit_with(&dataset, progress))?;

    let coordinates = embedding.coordinates();
    let columns = coordinate_names(coordinates.ncols());
    output.write(coordinates, matches!(dataset.rows(), Rows::F32(_)), &columns, (dataset.row_ids(), None), &watch)?;
    if let Some(model) = &args.save {
        watch.during(|_| save_model(model, embedding.as_model()))?;
    }
    let (rows, dimensions) = (counted(coordinates.nrows(), "row"), counted(coordinates.ncols(), "dimension"));
    console.say(format!("{:<8} {rows} of {} in {dimensions}, {}", "embedded", dataset.name(), embedder.name()));
    console.outcome(embedding.outcome());
    if console.json {
        console.print_json(&json!({
            "output": output.path.to_string_lossy(),
            "model": args.save.as_ref().map(|m| m.to_string_lossy()),
            "dataset": dataset.name(),
            "method": embedder.name(),
            "rows": coordinates.nrows(),
            "n_components": coordinates.ncols(),
            "eigenvalues": embedding.eigenvalues(),
            "outcome": outcome_json(embedding.outcome()),
        }))?;
    }
    Ok(())
}
