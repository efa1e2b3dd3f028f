//! `landbridge labels`: transfers labels from one dataset to the rows of another.

use crate::Result;
use crate::args::{Common, MetricArg, ModelArg, ReadArgs, position};
use crate::failure::Failure;
use crate::output::{Console, check_target, counted, thousands};
use crate::parts::Parts;
use crate::progress::Watch;
use crate::shared::{KeepArg, NewRows};
use clap::Args;
use landbridge::apply::labels::Predicted;
use landbridge::geometry::neighbors::Metric;
use landbridge_io::{Column, TableOptions, format_for, write_columns_beside, write_table};
use serde_json::json;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

pub(crate) const EXAMPLES: &str = "\
Examples:
  landbridge labels cells.lb --from rna --to atac -o labels.csv
  landbridge labels cells.lb --from rna --to atac --min-probability 0.8 --json
  landbridge labels cells.lb --from rna --to atac --min-support 0.33   # a type may be absent
  landbridge labels cells.lb --from rna --to atac --new more.h5ad -o labels.csv   # of new rows
  landbridge labels cells.lb --from rna --to atac --new many.h5ad -o labels/      # in parts

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
    /// Label these new rows of the dataset --to instead of its fitted ones
    #[arg(long, value_name = "ROWS", conflicts_with = "min_support")]
    new: Option<PathBuf>,
    /// File to write: .csv or .tsv, also .gz or .zst; or a folder, as out/: then the file of --new is read and labelled piece by
    /// piece, whatever its size [default: csv on standard output]
    #[arg(short, long, value_name = "FILE|FOLDER/")]
    output: Option<PathBuf>,
    /// Go on with the parts in the folder of -o, which an earlier call did not finish
    #[arg(long)]
    resume: bool,
    /// Put ' before ids that a spreadsheet would treat as a formula
    #[arg(long)]
    escape_formulas: bool,
    #[command(flatten)]
    keep: KeepArg,
    #[command(flatten)]
    read: ReadArgs,
    #[command(flatten)]
    pub(crate) common: Common,
}

/// Of the rows of a part, numbered from `first`: number, id, label ("unknown" where there is none), probability.
fn columns<'a>(found: &'a [Predicted], ids: Option<&'a [String]>, first: usize) -> Vec<(&'static str, Column<'a>)> {
    let mut columns = vec![("row", Column::Integers((first..first + found.len()).map(|i| i as i64).collect()))];
    columns.extend(ids.map(|ids| ("id", Column::Words(ids.iter().map(String::as_str).collect()))));
    columns.push(("label", Column::Words(found.iter().map(|p| p.label.as_deref().unwrap_or("unknown")).collect())));
    columns.push(("probability", Column::Numbers(found.iter().map(|p| p.probability).collect())));
    columns
}

pub(crate) fn run(args: &LabelsArgs, console: &Console) -> Result<()> {
    let output = args.output.as_deref().unwrap_or(Path::new("-"));
    let parts = Parts::of(args.output.as_deref(), args.resume)?;
    if parts.is_none() {
        if !format_for(output, None)?.is_text_table() {
            return Err(Failure::usage(format!("{}: labels are written as csv or tsv", output.display())));
        }
        check_target(output)?;
    }
    args.keep.needs(args.new.as_deref())?;
    match &args.new {
        Some(path) => args.read.one(path).map(drop)?,
        None if parts.is_some() => {
            let message = "a folder gets the labels of new rows in parts, and there is no --new";
            return Err(Failure::usage(message).hint("give --new, or write one file: -o labels.csv"));
        }
        None => args.read.options(&[]).map(drop)?,
    }
    let watch = Watch::start(console);
    let alignment = args.model.load()?;
    let source = position(&alignment, &args.from)?;
    let target = match &args.to {
        Some(to) => position(&alignment, to)?,
        None if alignment.datasets().len() == 2 => 1 - source,
        None => return Err(Failure::usage("--to is needed: the model has more than two datasets")),
    };
    let metric = args.metric.map(Metric::from);
    let to = &alignment.datasets()[target];
    let of_new = |rows: &_| alignment.transfer_labels_to(rows, None, source, target, args.k, metric, args.min_probability);
    let new = args.new.as_ref().map(|path| NewRows { read: &args.read, path, keep: &args.keep.keep });
    if let (Some(parts), Some(new)) = (&parts, new) {
        let from = alignment.datasets()[source].name();
        let about = json!({"command": "labels", "from": from, "to": to.name(), "k": args.k, "model": alignment.checksum()?,
                           "metric": serde_json::to_value(metric.unwrap_or(alignment.default_metric())).unwrap_or_default(),
                           "min_probability": args.min_probability});
        let rows = parts.each(new, to, (&watch, console), args.keep.asked(about), |first, loaded, part| {
            let found = watch.during(|_| of_new(&loaded.rows))?;
            watch
                .during(|_| write_columns_beside(&part, &columns(&found, loaded.row_ids.as_deref(), first), loaded.kept.as_ref()))
        })?;
        console.say(format!("{:<8} {} of {}", "labels", counted(rows, "row"), to.name()));
        return match console.json {
            true => console.print_json(&json!({"from": from, "to": to.name(), "k": args.k, "rows": rows,
                                               "output": parts.folder.to_string_lossy()})),
            false => Ok(()),
        };
    }
    let (found, ids, kept) = match new {
        Some(new) => {
            let loaded = new.load(to, console)?;
            (watch.during(|_| of_new(&loaded.rows))?, loaded.row_ids, loaded.kept)
        }
        None => {
            let (least, support) = (args.min_probability, args.min_support);
            let found = watch.during(|_| alignment.transfer_labels_with(None, source, target, args.k, metric, least, support))?;
            (found, to.row_ids().map(<[_]>::to_vec), None)
        }
    };
    let unknown = found.iter().filter(|p| p.label.is_none()).count();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    found.iter().for_each(|p| *counts.entry(p.label.as_deref().unwrap_or("unknown")).or_default() += 1);
    if args.output.is_some() || !console.json {
        let mut header = vec!["row"];
        header.extend(ids.as_ref().map(|_| "id"));
        header.extend(["label", "probability"]);
        let beside =
            kept.as_ref().map(|kept| kept.check_names(header.iter().copied()).and_then(|()| kept.texts())).transpose()?;
        let beside = beside.unwrap_or_default();
        header.extend(kept.iter().flat_map(|kept| kept.names()));
        let rows = found.iter().enumerate().map(|(i, p)| {
            let mut cells = vec![i.to_string()];
            cells.extend(ids.as_ref().map(|ids| ids[i].clone()));
            cells.extend([p.label.clone().unwrap_or_else(|| "unknown".into()), p.probability.to_string()]);
            cells.extend(beside.iter().map(|column| column[i].clone()));
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
