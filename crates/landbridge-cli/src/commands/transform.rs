//! `landbridge transform`: new rows of one dataset, placed in the joint space.

use crate::args::{Common, ModelArg, ReadArgs, position};
use crate::output::{Console, counted};
use crate::progress::Watch;
use crate::rows_file::{RowsFile, coordinate_names};
use crate::shared::{KeepArg, NewRows};
use crate::{Failure, Result};
use clap::Args;
use landbridge::data::Dataset;
use landbridge_io::Loaded;
use serde_json::json;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::PathBuf;

pub(crate) const EXAMPLES: &str = "\
Examples:
  landbridge transform en-it.lb new-it.csv --dataset it -o z.npy
  landbridge transform en-it.lb new-it.csv --dataset 1 | head       # csv on standard output
  landbridge transform en-it.lb new-it.txt --dataset it -o z.parquet
  landbridge transform en-it.lb large.parquet --dataset it -o placed/           # in parts
  landbridge transform en-it.lb large.parquet --dataset it -o placed/ --resume  # after a stop
  landbridge transform en-it.lb new-it.csv --dataset it --keep title,year -o z.csv
  cat new-it.txt | landbridge transform en-it.lb - --format txt --dataset it
  landbridge transform bridge.lb - --to npy < vectors.jsonl         # lists of numbers

Lines of standard input are answered one by one, as they arrive; npy and other
formats with --to are written at the end. Data of single
precision (float32) gives results of single precision.";

#[derive(Debug, Args)]
pub(crate) struct TransformArgs {
    #[command(flatten)]
    model: ModelArg,
    /// New rows with the columns of the fitted ones, matched by name or by order; text, if the dataset was fitted from text
    #[arg(value_name = "ROWS")]
    rows: PathBuf,
    /// The dataset they belong to, by name or by position from 0 [default, for a bridge: the store that the file is called after, else the old one]
    #[arg(long, value_name = "NAME|POSITION")]
    dataset: Option<String>,
    /// File to write: .csv .tsv .npy .npz .mtx .parquet .arrow, each also .gz or .zst; or a folder, as out/: then the
    /// file is read and written piece by piece, whatever its size [default: csv on standard output]
    #[arg(short, long, value_name = "FILE|FOLDER/")]
    output: Option<PathBuf>,
    /// Format of standard output: csv, tsv, npy, npz, mtx, parquet or arrow [default: csv]
    #[arg(long, value_name = "FORMAT", conflicts_with = "output")]
    to: Option<String>,
    /// Go on with the parts in the folder of -o, which an earlier call did not finish
    #[arg(long)]
    resume: bool,
    #[command(flatten)]
    keep: KeepArg,
    #[command(flatten)]
    read: ReadArgs,
    #[command(flatten)]
    pub(crate) common: Common,
}

pub(crate) fn run(args: &TransformArgs, console: &Console) -> Result<()> {
    let output = RowsFile::or_parts(args.output.as_deref(), args.resume, console)?.to(args.to.as_deref())?;
    let watch = Watch::start(console);
    args.read.one(&args.rows)?; // wrong options are reported before the model is loaded
    let alignment = args.model.load()?;
    let dataset = match &args.dataset {
        Some(given) => position(&alignment, given)?,
        // A file that is called as one of the stores holds its rows; the old store otherwise.
        None if alignment.outcome().bridge.is_some() => {
            let name = args.rows.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
            let stem = name.split('.').next().unwrap_or_default();
            alignment.datasets().iter().position(|d| d.name() == stem).unwrap_or(0)
        }
        None => {
            let names: Vec<&str> = alignment.datasets().iter().map(|d| d.name()).collect();
            return Err(Failure::usage(format!("--dataset is missing: the rows belong to one of {}", names.join(", "))));
        }
    };
    let fitted = &alignment.datasets()[dataset];
    let name = fitted.name();
    let said = RefCell::new(BTreeSet::new());
    let place = |new: &Loaded| {
        if new.batches.is_none() && alignment.batches(dataset)?.is_empty() {
            return alignment.transform_with(&new.rows, dataset, watch.progress());
        }
        let mut rows = Dataset::new(format!("new rows of {name}"), new.rows.clone())?;
        if let Some(batches) = &new.batches {
            rows = rows.with_batches(batches)?;
        }
        let (placed, note) = alignment.transform_dataset(&rows, dataset, watch.progress())?;
        // Once, however many pieces there are.
        if let Some(note) = note.filter(|note| said.borrow_mut().insert(note.clone())) {
            console.warn(note);
        }
        Ok(placed)
    };
    let about = || Ok(args.keep.asked(json!({"command": "transform", "dataset": name, "model": alignment.checksum()?})));
    let new = NewRows { read: &args.read, path: &args.rows, keep: &args.keep.keep };
    let (rows, dimensions) = output.answer(new, fitted, (&watch, console), coordinate_names, place, about)?;
    console.say(format!("placed {} of {name} in {}", counted(rows, "row"), counted(dimensions, "dimension")));
    if console.json {
        console.print_json(&json!({
            "output": output.path.to_string_lossy(), "dataset": name, "rows": rows, "n_components": dimensions,
        }))?;
    }
    Ok(())
}
