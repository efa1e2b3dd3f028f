//! `landbridge predict`: features of another dataset, by the map between features or from rows known on both sides.

use crate::Result;
use crate::args::{Common, ModelArg, ReadArgs, position};
use crate::output::{Console, counted};
use crate::progress::Watch;
use crate::rows_file::RowsFile;
use clap::Args;
use serde_json::json;
use std::path::PathBuf;

pub(crate) const EXAMPLES: &str = "\
Examples:
  landbridge predict en-it.lb new-en.csv --from en --to it -o predicted.csv
  landbridge predict en-it.lb new-en.csv --from en --to it | head   # csv on standard output
  landbridge predict en-it.lb new-en.txt --from en --to it -o predicted.parquet
  landbridge predict shops.lb new.csv --ratings --from books --to films  # lines of user, item, rating";

#[derive(Debug, Args)]
pub(crate) struct PredictArgs {
    #[command(flatten)]
    model: ModelArg,
    /// New rows with the columns of the fitted ones, matched by name or by order; text, if the dataset was fitted from text
    #[arg(value_name = "ROWS")]
    rows: PathBuf,
    /// The dataset they belong to, by name or by position from 0
    #[arg(long, value_name = "NAME|POSITION")]
    from: String,
    /// The dataset whose features are predicted
    #[arg(long, value_name = "NAME|POSITION")]
    to: String,
    /// File to write: .csv .tsv .npy .npz .mtx .parquet .arrow, each also .gz or .zst [default: csv on standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    read: ReadArgs,
    #[command(flatten)]
    pub(crate) common: Common,
}

pub(crate) fn run(args: &PredictArgs, console: &Console) -> Result<()> {
    let output = RowsFile::new(args.output.as_deref(), console)?;
    let watch = Watch::start(console);
    args.read.one(&args.rows)?; // wrong options are reported before the model is loaded
    let alignment = args.model.load()?;
    let (source, target) = (position(&alignment, &args.from)?, position(&alignment, &args.to)?);
    let loaded = args.read.read_new(&args.rows, &alignment.datasets()[source], console)?;
    let predicted = watch.during(|_| alignment.predict(&loaded.rows, source, target))?;
    let fitted = &alignment.datasets()[target];
    let columns: Vec<String> =
        fitted.columns().map_or_else(|| (0..predicted.ncols()).map(|c| c.to_string()).collect(), <[_]>::to_vec);
    output.write(&predicted, &columns, loaded.row_ids.as_deref(), &watch)?;
    let (rows, features) = (counted(predicted.nrows(), "row"), counted(predicted.ncols(), "feature"));
    console.say(format!("predicted {features} of {} for {rows}", fitted.name()));
    if console.json {
        console.print_json(&json!({
            "output": output.path.to_string_lossy(), "from": alignment.datasets()[source].name(), "to": fitted.name(),
            "rows": predicted.nrows(), "features": predicted.ncols(),
        }))?;
    }
    Ok(())
}
