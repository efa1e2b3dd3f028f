//! `landbridge labels`: transfers labels from one dataset to the rows of another.

use crate::Result;
use crate::args::{Common, MetricArg, ModelArg, position};
use crate::failure::Failure;
use crate::output::{Console, check_target, counted, thousands};
use crate::progress::Watch;
use clap::Args;
use landbridge::geometry::neighbors::Metric;
use landbridge_io::{TableOptions, format_for, write_table};
use serde_json::json;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

pub(crate) const EXAMPLES: &str = "\
Examples:
  landbridge labels cells.lb --from rna --to atac -o labels.csv
  landbridge labels cells.lb --from rna --to atac --min-probability 0.8 --json
  landbridge labels cells.lb --from rna --to atac --min-support 0.33   # a type may be absent

A row gets the label that most of its nearest rows of the other dataset have. The
probability is the share of these rows that have it. Below --min-probability the
row is \"unknown\". Labels come with the data: fit with --label-column.";

#[derive(Debug, Args)]
pub(crate) struct LabelsArgs {
    #[command(flatten)]
    model: ModelArg,
    /// The dataset whose labels are known, by name or position
    #[arg(long, value_name = "DATASET")]
    from: String,
    /// The dataset whose rows get labels [default: the other one]
    #[arg(long, value_name = "DATASET")]
    to: Option<String>,
    /// Number of nearest rows that vote
    #[arg(short, value_name = "K", default_value_t = 5)]
    k: usize,
    /// Distance in the joint space [default: cosine for linear maps, otherwise euclidean]
    #[arg(long, value_name = "METRIC", value_enum)]
    metric: Option<MetricArg>,
    /// Least share of votes; below it a row is unknown
    #[arg(long, value_name = "X", default_value_t = 0.0)]
    min_probability: f64,
    /// Least support: how often rows of the other dataset choose the region of a row, in units of an even share; below it the
    /// row is unknown. 0.33 finds cell types that the other dataset lacks
    #[arg(long, value_name = "X", default_value_t = 0.0)]
    min_support: f64,
    /// File to write: .csv or .tsv, also .gz or .zst [default: csv on standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Put ' before ids that a spreadsheet would treat as a formula
    #[arg(long)]
    escape_formulas: bool,
    #[command(flatten)]
    pub(crate) common: Common,
}

pub(crate) fn run(args: &LabelsArgs, console: &Console) -> Result<()> {
    let output = args.output.as_deref().unwrap_or(Path::new("-"));
    if !format_for(output, None)?.is_text_table() {
        return Err(Failure::usage(format!("{}: labels are written as csv or tsv", output.display())));
    }
    check_target(output)?;
    let watch = Watch::start(console);
    let alignment = args.model.load()?;
    let source = position(&alignment, &args.from)?;
    let target = match &args.to {
        Some(to) => position(&alignment, to)?,
        None if alignment.datasets().len() == 2 => 1 - source,
        None => return Err(Failure::usage("--to is needed: the model has more than two datasets")),
    };
    let metric = args.metric.map(Metric::from);
    let found = watch.during(|_| {
        alignment.transfer_labels_with(None, source, target, args.k, metric, args.min_probability, args.min_support)
    })?;
    let to = &alignment.datasets()[target];
    let unknown = found.iter().filter(|p| p.label.is_none()).count();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    found.iter().for_each(|p| *counts.entry(p.label.as_deref().unwrap_or("unknown")).or_default() += 1);
    if args.output.is_some() || !console.json {
        let mut header = vec!["row"];
        header.extend(to.row_ids().map(|_| "id"));
        header.extend(["label", "probability"]);
        let rows = found.iter().enumerate().map(|(i, p)| {
            let mut cells = vec![i.to_string()];
            cells.extend(to.row_ids().map(|ids| ids[i].clone()));
            cells.extend([p.label.clone().unwrap_or_else(|| "unknown".into()), p.probability.to_string()]);
            cells
        });
        let options = TableOptions { escape_formulas: args.escape_formulas, ..TableOptions::default() };
        watch.during(|_| write_table(output, &header, rows, &options))?;
    }
    if console.json {
        let mut value = json!({
            "from": alignment.datasets()[source].name(), "to": to.name(), "k": args.k, "rows": found.len(), "unknown": unknown,
            "counts": counts,
        });
        match &args.output {
            None => value["labels"] = json!(found),
            Some(path) => value["output"] = json!(path.to_string_lossy()),
        }
        return console.print_json(&value);
    }
    let told: Vec<String> = counts.iter().map(|(label, n)| format!("{label} {}", thousands(*n))).collect();
    console.say(format!("{:<8} {} of {}: {}", "labels", counted(found.len(), "row"), to.name(), told.join(", ")));
    Ok(())
}
