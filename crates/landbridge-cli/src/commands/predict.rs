//! `landbridge predict`: features of another dataset, by the map between features or from rows known on both sides.

use crate::Result;
use crate::args::{Common, ModelArg, ReadArgs, position};
use crate::output::{Console, counted};
use crate::progress::Watch;
use crate::rows_file::RowsFile;
use crate::shared::{KeepArg, NewRows};
use clap::Args;
use landbridge_io::Loaded;
use serde_json::json;
use std::path::PathBuf;

pub(crate) const EXAMPLES: &str = "\
Examples:
  landbridge predict en-it.lb new-en.csv --from en --to it -o predicted.csv
  landbridge predict en-it.lb new-en.csv --from en --to it | head   # csv on standard output
  landbridge predict en-it.lb new-en.txt --from en --to it -o predicted.parquet
  landbridge predict shops.lb new.csv --ratings --from books --to films  # lines of user, item, rating
  tail -f new-en.csv | landbridge predict en-it.lb - --from en --to it   # answers line by line

Lines of standard input are answered one by one, as they arrive. Columns are named
as in the dataset that is predicted. Data of single precision (float32) gives results
of single precision.";

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
    /// File to write: .csv .tsv .npy .npz .mtx .parquet .arrow, each also .gz or .zst; or a folder, as out/: then the
    /// file is read and written piece by piece, whatever its size [default: csv on standard output]
    #[arg(short, long, value_name = "FILE|FOLDER/")]
    output: Option<PathBuf>,
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

pub(crate) fn run(args: &PredictArgs, console: &Console) -> Result<()> {
    let output = RowsFile::or_parts(args.output.as_deref(), args.resume, console)?;
    let watch = Watch::start(console);
    args.read.one(&args.rows)?; // wrong options are reported before the model is loaded
    let alignment = args.model.load()?;
    let (source, target) = (position(&alignment, &args.from)?, position(&alignment, &args.to)?);
    let fitted = &alignment.datasets()[target];
    if let Some(note) = alignment.note_of_predicted(target)? {
        console.warn(note);
    }
    let columns = |count: usize| fitted.columns().map_or_else(|| (0..count).map(|c| c.to_string()).collect(), <[_]>::to_vec);
    let predict = |new: &Loaded| alignment.predict(&new.rows, source, target);
    let own = &alignment.datasets()[source];
    let about = || {
        let about = json!({"command": "predict", "from": own.name(), "to": fitted.name(), "model": alignment.checksum()?});
        Ok(args.keep.asked(about))
    };
    let new = NewRows { read: &args.read, path: &args.rows, keep: &args.keep.keep };
    let (rows, features) = output.answer(new, own, (&watch, console), columns, predict, about)?;
    console.say(format!("predicted {} of {} for {}", counted(features, "feature"), fitted.name(), counted(rows, "row")));
    if console.json {
        console.print_json(&json!({
            "output": output.path.to_string_lossy(), "from": alignment.datasets()[source].name(), "to": fitted.name(),
            "rows": rows, "features": features,
        }))?;
    }
    Ok(())
}
