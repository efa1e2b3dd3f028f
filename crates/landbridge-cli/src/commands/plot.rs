//! `landbridge plot`: the datasets before, the joint space after.

use crate::Result;
use crate::args::{Common, ModelArg};
use crate::failure::Failure;
use crate::output::{Console, check_target, write_text};
use crate::picture::{Axes, figure};
use crate::progress::Watch;
use clap::{Args, ValueEnum};
use landbridge::model::Alignment;
use serde_json::json;
use std::path::PathBuf;

pub(crate) const EXAMPLES: &str = "\
Examples:
  landbridge plot en-it.lb -o picture.svg
  landbridge plot en-it.lb -o picture.svg --components 2,3 --color label";

#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
enum ColorArg {
    /// A colour for each dataset
    Dataset,
    /// A colour for each label, a shape for each dataset
    Label,
}

#[derive(Debug, Args)]
pub(crate) struct PlotArgs {
    #[command(flatten)]
    model: ModelArg,
    /// Picture to write, .svg (`-`: standard output)
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// One or two components of the joint space to draw, counted from 0 [default: 0,1]
    #[arg(long, value_name = "C,C", value_delimiter = ',', num_args = 1)]
    components: Option<Vec<usize>>,
    /// What colours show [default: label if there are labels, otherwise dataset]
    #[arg(long, value_name = "WHAT", value_enum)]
    color: Option<ColorArg>,
    #[command(flatten)]
    pub(crate) common: Common,
}

pub(crate) fn run(args: &PlotArgs, console: &Console) -> Result<()> {
    let to_stdout = args.output.as_os_str() == "-";
    let is_svg = args.output.extension().is_some_and(|e| e.eq_ignore_ascii_case("svg"));
    if !is_svg && !to_stdout && !args.output.starts_with("/dev") {
        let message = format!("{}: pictures are written as .svg", args.output.display());
        return Err(Failure::usage(message).hint("every browser shows svg; other programs turn it into png or pdf"));
    }
    if console.json && to_stdout {
        return Err(Failure::usage("--json and -o - both want standard output").hint("write the picture to a file"));
    }
    check_target(&args.output)?;
    let watch = Watch::start(console);
    let alignment = args.model.load()?;
    let axes = axes(&alignment, args.components.as_deref())?;
    let has_labels = alignment.datasets().iter().any(|d| d.labels().is_some());
    if args.color == Some(ColorArg::Label) && !has_labels {
        let hint = "fit with --labels-column NAME, or use --color dataset";
        return Err(Failure::usage("--color label: no dataset of this model has labels").hint(hint));
    }
    let by_label = has_labels && args.color != Some(ColorArg::Dataset);
    let (figure, left_out) = watch.during(|progress| figure(&alignment, None, axes, by_label, progress))?;
    left_out.iter().for_each(|note| console.warn(note));
    let svg = figure.render()?;
    watch.during(|_| write_text(&args.output, &svg))?;
    if !to_stdout {
        console.say(format!("picture written to {}", args.output.display()));
    }
    if console.json {
        console
            .print_json(&json!({"output": args.output.to_string_lossy(), "panels": figure.panels.len(), "left_out": left_out}))?;
    }
    Ok(())
}

fn axes(alignment: &Alignment, given: Option<&[usize]>) -> Result<Axes> {
    let d = alignment.n_components();
    let axes = match given {
        None if d == 1 => Axes::One(0),
        None => Axes::Two(0, 1),
        Some(&[c]) => Axes::One(c),
        Some(&[c, e]) => Axes::Two(c, e),
        Some(other) => return Err(Failure::usage(format!("--components gives {}; it must give one or two", other.len()))),
    };
    if let Some(&c) = given.unwrap_or_default().iter().find(|c| **c >= d) {
        return Err(Failure::usage(format!("--components: there is no component {c}; the model has {d}, counted from 0")));
    }
    Ok(axes)
}
