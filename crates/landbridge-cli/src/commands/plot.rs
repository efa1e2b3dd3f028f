//! `landbridge plot`: the datasets before, the joint space after; recall at k.

use crate::Result;
use crate::args::{Common, ModelArg};
use crate::failure::Failure;
use crate::output::{Console, check_picture, write_picture};
use crate::progress::Watch;
use crate::scores::read_truth;
use clap::{Args, ValueEnum};
use landbridge::model::Alignment;
use landbridge_report::picture::{Axes, Named, figure, recall_chart};
use serde_json::json;
use std::path::PathBuf;

pub(crate) const EXAMPLES: &str = "\
Examples:
  landbridge plot en-it.lb -o picture.svg
  landbridge plot en-it.lb -o picture.png --components 2,3 --color label
  landbridge plot cells.lb -o picture.svg --highlight 'B cell,NK cell'
  landbridge plot en-it.lb -o picture.svg --label en:cat,it:gatto
  landbridge plot en-it.lb -o recall.svg --recall --truth truth.csv";

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
    /// Picture to write, .svg .png .pdf (`-`: svg on standard output)
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// One or two components of the joint space to draw, counted from 0 [default: 0,1]
    #[arg(long, value_name = "C,C", value_delimiter = ',', num_args = 1)]
    components: Option<Vec<usize>>,
    /// What colours show [default: label if there are labels, otherwise dataset]
    #[arg(long, value_name = "WHAT", value_enum)]
    color: Option<ColorArg>,
    /// Labels to show in colour, separated by commas; all other labels are grey
    #[arg(long, value_name = "LABEL,LABEL", value_delimiter = ',')]
    highlight: Option<Vec<String>>,
    /// Rows to ring and to name, separated by commas: ids or numbers, with the dataset before a colon where both datasets
    /// have such a row
    #[arg(long, value_name = "ROW,ROW", value_delimiter = ',')]
    label: Option<Vec<String>>,
    /// Draw recall at k instead, of the pairs in --truth, or of the known pairs
    #[arg(long, conflicts_with_all = ["components", "color", "highlight", "label"])]
    recall: bool,
    /// True pairs for --recall, in the format of a pairs file
    #[arg(long, value_name = "FILE", requires = "recall")]
    truth: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) common: Common,
}

pub(crate) fn run(args: &PlotArgs, console: &Console) -> Result<()> {
    let to_stdout = args.output.as_os_str() == "-";
    if console.json && to_stdout {
        return Err(Failure::usage("--json and -o - both want standard output").hint("write the picture to a file"));
    }
    check_picture(&args.output)?;
    let watch = Watch::start(console);
    let alignment = args.model.load()?;
    if args.recall {
        return draw_recall(args, &alignment, &watch, console);
    }
    let axes = axes(&alignment, args.components.as_deref())?;
    let has_labels = alignment.datasets().iter().any(|d| d.labels().is_some());
    if args.color == Some(ColorArg::Label) && !has_labels {
        let hint = "fit with --label-column NAME, or use --color dataset";
        return Err(Failure::usage("--color label: no dataset of this model has labels").hint(hint));
    }
    let by_label = has_labels && args.color != Some(ColorArg::Dataset);
    let highlight = highlighted(args, &alignment, by_label)?;
    let named = args.label.iter().flatten().map(|row| named_row(&alignment, row)).collect::<Result<Vec<Named>>>()?;
    let (figure, left_out) = watch.during(|progress| figure(&alignment, None, axes, by_label, &named, progress))?;
    let figure = figure.highlight(highlight);
    left_out.iter().for_each(|note| console.warn(note));
    let svg = figure.render()?;
    watch.during(|_| write_picture(&args.output, &svg, console))?;
    if !to_stdout {
        console.say(format!("picture written to {}", args.output.display()));
    }
    if console.json {
        console
            .print_json(&json!({"output": args.output.to_string_lossy(), "panels": figure.panels.len(), "left_out": left_out}))?;
    }
    Ok(())
}

/// Recall at k as a chart.
fn draw_recall(args: &PlotArgs, alignment: &Alignment, watch: &Watch, console: &Console) -> Result<()> {
    let truth = args.truth.as_ref().map(|path| read_truth(path, alignment)).transpose()?;
    let links = truth.as_ref().map_or(alignment.pairs(), |truth| truth.links());
    if links.is_empty() {
        return Err(Failure::usage("--recall: the model was fitted without pairs").hint("give true pairs by --truth"));
    }
    let svg = watch.during(|_| recall_chart(alignment, links))?.render()?;
    watch.during(|_| write_picture(&args.output, &svg, console))?;
    if args.output.as_os_str() != "-" {
        console.say(format!("picture written to {}", args.output.display()));
    }
    if console.json {
        console.print_json(&json!({"output": args.output.to_string_lossy(), "pairs": links.len()}))?;
    }
    Ok(())
}

/// The labels to show in colour; each must occur.
fn highlighted(args: &PlotArgs, alignment: &Alignment, by_label: bool) -> Result<Vec<String>> {
    let Some(labels) = &args.highlight else { return Ok(vec![]) };
    if !by_label {
        let hint = "fit with --label-column NAME, and leave out --color dataset";
        return Err(Failure::usage("--highlight: the picture shows no labels").hint(hint));
    }
    let known = |label: &String| alignment.datasets().iter().filter_map(|d| d.labels()).any(|l| l.contains(label));
    match labels.iter().find(|label| !known(label)) {
        Some(label) => Err(Failure::usage(format!("--highlight: no row has the label \"{label}\""))),
        None => Ok(labels.clone()),
    }
}

/// A row by id or number, in the dataset before the colon, or in the only one that has it.
fn named_row(alignment: &Alignment, text: &str) -> Result<Named> {
    let datasets = alignment.datasets();
    let row_in = |a: usize, name: &str| match datasets[a].row_ids() {
        Some(ids) => ids.iter().position(|id| id == name),
        None => name.parse().ok().filter(|row| *row < datasets[a].nrows()),
    };
    let of = |a: usize, name: &str| row_in(a, name).map(|row| (a, row));
    let told = text.split_once(':').and_then(|(dataset, name)| {
        let a = datasets.iter().position(|d| d.name() == dataset)?;
        of(a, name)
    });
    let found: Vec<Named> = match told {
        Some(found) => vec![found],
        None => (0..datasets.len()).filter_map(|a| of(a, text)).collect(),
    };
    match found[..] {
        [one] => Ok(one),
        [] => Err(Failure::usage(format!("--label: no dataset of this model has a row \"{text}\""))
            .hint("give an id, or a number from 0")),
        [(a, _), ..] => {
            let message = format!("--label: several datasets have a row \"{text}\"");
            Err(Failure::usage(message).hint(format!("write the dataset before it: {}:{text}", datasets[a].name())))
        }
    }
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
