//! `landbridge embed`: one dataset by itself, in few dimensions.

use crate::Result;
use crate::args::{Common, ReadArgs};
use crate::embeddings::{EmbeddingArg, EmbeddingArgs, GraphArgs, Shared, prepare};
use crate::output::{Console, check_target, counted, outcome_json};
use crate::progress::Watch;
use crate::rows_file::{RowsFile, coordinate_names};
use clap::Args;
use landbridge::data::Prepare;
use landbridge_io::{read_dataset, save_model};
use serde_json::json;
use std::path::PathBuf;

pub(crate) const EXAMPLES: &str = "\
Examples:
  landbridge embed documents.mtx --method lsi -d 100 -o z.npy
  landbridge embed cells.csv --method isomap -d 2 --n-neighbors 8 | head       # csv on standard output
  landbridge embed cells.csv --method pca -d 20 -o z.npy --model pca.lb        # then, for new rows:
  landbridge transform pca.lb new-cells.csv --dataset cells -o new.npy";

#[derive(Debug, Args)]
pub(crate) struct EmbedArgs {
    /// Data file, in any format that `fit` reads
    #[arg(value_name = "DATA")]
    data: PathBuf,
    /// How it is embedded
    #[arg(long, value_name = "EMBEDDING", value_enum)]
    method: EmbeddingArg,
    /// Dimensions
    #[arg(short = 'd', long, value_name = "N")]
    n_components: Option<usize>,
    /// File to write: .csv .tsv .npy .npz .mtx, each also .gz or .zst [default: csv on standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Also write the embedding itself, so that `transform` can place new rows
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
    #[command(flatten)]
    graph: GraphArgs,
    #[command(flatten)]
    embedding: EmbeddingArgs,
    /// none, pca, lsi, lpp: what is done to rows first: none, center, unit, center-unit, unit-center, tfidf, tfidf-center,
    /// log-tfidf, standardize [default: none; pca, lpp: center; lsi: log-tfidf]
    #[arg(long, value_name = "PREPARE", value_parser = prepare, help_heading = "Embedding")]
    prepare: Option<Prepare>,
    /// laplacian: plain Laplacian, F'F = I instead of F'DF = I
    #[arg(long, help_heading = "Embedding")]
    plain: bool,
    /// laplacian, diffusion: relative residual of the eigensolver [default: 1e-5]
    #[arg(long, value_name = "X", allow_negative_numbers = true, help_heading = "Embedding")]
    tolerance: Option<f64>,
    /// Seed of everything random
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Embedding")]
    random_state: u64,
    /// Threads, 0 = all cores; the result does not depend on it
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Embedding")]
    n_jobs: usize,
    #[command(flatten)]
    read: ReadArgs,
    #[command(flatten)]
    pub(crate) common: Common,
}

impl EmbedArgs {
    fn shared(&self) -> Shared {
        Shared {
            n_components: self.n_components,
            prepare: self.prepare,
            plain: self.plain,
            tolerance: self.tolerance,
            random_state: self.random_state,
            n_jobs: self.n_jobs,
        }
    }
}

pub(crate) fn run(args: &EmbedArgs, console: &Console) -> Result<()> {
    let output = RowsFile::new(args.output.as_deref(), console)?;
    args.embedding.check(args.method, &args.graph, &args.shared())?;
    if let Some(model) = &args.model {
        check_target(model)?;
    }
    let watch = Watch::start(console);
    let options = args.read.options(&[&args.data])?.remove(0);
    let dataset = read_dataset(&args.data, &options)?;
    let embedder = args.embedding.embedder(args.method, &args.graph, &args.shared())?;
    let embedding = watch.during(|progress| embedder.fit_with(&dataset, progress))?;

    let coordinates = embedding.coordinates();
    let columns = coordinate_names(coordinates.ncols());
    output.write(coordinates, &columns, dataset.row_ids(), &watch)?;
    if let Some(model) = &args.model {
        watch.during(|_| save_model(model, embedding.as_model()))?;
    }
    let (rows, dimensions) = (counted(coordinates.nrows(), "row"), counted(coordinates.ncols(), "dimension"));
    console.say(format!("{:<8} {rows} of {} in {dimensions}, {}", "embedded", dataset.name(), embedder.name()));
    console.outcome(embedding.outcome());
    if console.json {
        console.print_json(&json!({
            "output": output.path.to_string_lossy(),
            "model": args.model.as_ref().map(|m| m.to_string_lossy()),
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
