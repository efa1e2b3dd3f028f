//! `landbridge export`: a fitted map for use without landbridge.

use crate::Result;
use crate::args::{Common, ModelArg, position};
use crate::failure::Failure;
use crate::output::{Console, check_target};
use clap::Args;
use landbridge_io::export_map;
use serde_json::json;
use std::path::PathBuf;

pub(crate) const EXAMPLES: &str = "\
Examples:
  landbridge export bridge.lb --dataset old -o old.onnx            # into the joint space
  landbridge export bridge.lb --map old:new -o map.npz             # into the features of the other store
  landbridge export bridge.lb --dataset 1 -o new.safetensors

The file has the numbers and the formula: subtract a mean, scale to length 1,
multiply by a matrix, add an offset. An ONNX model takes x and gives z, both
float32 with any number of rows.";

#[derive(Debug, Args)]
pub(crate) struct ExportArgs {
    #[command(flatten)]
    model: ModelArg,
    /// The dataset whose map into the joint space is written, by name or by position from 0 [default: the first]
    #[arg(long, value_name = "NAME|POSITION", conflicts_with = "map")]
    dataset: Option<String>,
    /// The map from the features of one dataset to those of another
    #[arg(long, value_name = "SOURCE:TARGET")]
    map: Option<String>,
    /// File to write: .onnx .npz .safetensors .json
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    pub(crate) common: Common,
}

pub(crate) fn run(args: &ExportArgs, console: &Console) -> Result<()> {
    check_target(&args.output)?;
    let alignment = args.model.load()?;
    let form = match &args.map {
        None => alignment.linear_form(position(&alignment, args.dataset.as_deref().unwrap_or("0"))?)?,
        Some(ends) => {
            let (source, target) = ends
                .split_once(':')
                .ok_or_else(|| Failure::usage(format!("--map is {ends:?}")).hint("give SOURCE:TARGET, such as old:new"))?;
            alignment.map_form(position(&alignment, source)?, position(&alignment, target)?)?
        }
    };
    export_map(&args.output, &form)?;
    console.say(form.formula());
    console.say(format!("{:<8} {}", "written", args.output.display()));
    if console.json {
        console.print_json(&json!({
            "output": args.output.to_string_lossy(), "source": form.source, "target": form.target,
            "n_features": form.n_features, "width": form.width(), "formula": form.formula(),
        }))?;
    }
    Ok(())
}
