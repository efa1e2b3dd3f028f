//! `landbridge match`: which row of the target is which row of the source?

use crate::Result;
use crate::args::{Common, MetricArg, ModelArg, ReadArgs, position};
use crate::failure::Failure;
use crate::output::{Console, check_target, counted, thousands};
use crate::progress::Watch;
use clap::{Args, ValueEnum};
use landbridge::apply::matching::{How, Matches, match_rows};
use landbridge::geometry::neighbors::Metric;
use landbridge_io::{TableOptions, format_for, load_model, read_matrix, write_table};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

pub(crate) const EXAMPLES: &str = "\
Examples:
  landbridge match en-it.lb --from en --to it -k 10 -o matches.csv
  landbridge match en-it.lb --from en --to it --how mutual          # csv on standard output
  landbridge match en-it.lb --from en --to it --new new-en.csv -k 3

Columns: source_row, source_id (where there are ids), rank (from 1),
target_row, target_id, distance. Rows count from 0. The distance of csls is its
negated score. With `mutual` and `assignment` a row may have no match; it is
left out then.";

#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
enum HowArg {
    /// The nearest target rows
    Nearest,
    /// Nearest by the cosine, with rows that are near to everything put farther away
    Csls,
    /// The nearest target row, only where it agrees in the other direction
    Mutual,
    /// One to one, with the least total distance
    Assignment,
}

#[derive(Debug, Args)]
pub(crate) struct MatchArgs {
    #[command(flatten)]
    model: ModelArg,
    /// Dataset whose rows are to be matched, by name or by position from 0
    #[arg(long, value_name = "NAME")]
    from: String,
    /// Dataset to find them in
    #[arg(long, value_name = "NAME")]
    to: String,
    /// Matches of each row [default: 10 (or all, if there are fewer); 1 for mutual and assignment]
    #[arg(short, value_name = "K")]
    k: Option<usize>,
    /// How matches are chosen
    #[arg(long, value_name = "HOW", value_enum, default_value = "nearest")]
    how: HowArg,
    /// Distance in the joint space [default: euclidean; csls: cosine]
    #[arg(long, value_name = "METRIC", value_enum)]
    metric: Option<MetricArg>,
    /// Match these new rows of the source instead of the fitted ones
    #[arg(long, value_name = "ROWS")]
    new: Option<PathBuf>,
    /// File to write, .csv or .tsv, also .gz or .zst [default: csv on standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Put ' before ids that a spreadsheet would run as a formula
    #[arg(long)]
    escape_formulas: bool,
    #[command(flatten)]
    read: ReadArgs,
    #[command(flatten)]
    pub(crate) common: Common,
}

/// Default of `-k`.
const K: usize = 10;

pub(crate) fn run(args: &MatchArgs, console: &Console) -> Result<()> {
    let output = args.output.as_deref().unwrap_or(Path::new("-"));
    if !format_for(output, None)?.is_text_table() {
        return Err(Failure::usage(format!("{}: matches are written as csv or tsv", output.display())));
    }
    check_target(output)?;
    if args.how == HowArg::Csls && args.metric == Some(MetricArg::Euclidean) {
        return Err(Failure::usage("--metric euclidean has no meaning for csls, which is defined by the cosine"));
    }
    let options = match &args.new {
        Some(path) => Some(args.read.one(path)?),
        None => {
            args.read.options(&[])?; // options for reading without anything to read
            None
        }
    };
    let watch = Watch::start(console);
    let alignment = load_model(&args.model.model)?;
    let (source, target) = (position(&alignment, &args.from)?, position(&alignment, &args.to)?);
    if source == target && args.new.is_none() {
        let message = format!("--from and --to are both \"{}\": every row is its own match", alignment.datasets()[source].name());
        return Err(Failure::usage(message).hint("name two datasets, or give --new rows"));
    }
    let new = match (&args.new, &options) {
        (Some(path), Some(options)) => Some(read_matrix(path, options)?),
        _ => None,
    };
    let how = match args.how {
        HowArg::Nearest => How::Nearest,
        HowArg::Csls => How::Csls,
        HowArg::Mutual => How::Mutual,
        HowArg::Assignment => How::Assignment,
    };
    let own = if how == How::Csls { Metric::Cosine } else { alignment.default_metric() };
    let metric = args.metric.map_or(own, Metric::from);
    let single = matches!(how, How::Mutual | How::Assignment);
    let k = args.k.unwrap_or(if single { 1 } else { K.min(alignment.datasets()[target].nrows()) });
    let found = watch.during(|progress| match &new {
        Some(new) => {
            let placed = alignment.transform_with(&new.rows, source, progress)?;
            match_rows(&placed, alignment.embedding(target), k, how, metric, progress)
        }
        None => match_rows(alignment.embedding(source), alignment.embedding(target), k, how, metric, progress),
    })?;
    let source_ids = match &new {
        Some(new) => new.row_ids.as_deref(),
        None => alignment.datasets()[source].row_ids(),
    };
    let target_ids = alignment.datasets()[target].row_ids();

    let matched = (0..found.nrows()).filter(|&i| found.row(i).next().is_some()).count();
    let (from, to) = (alignment.datasets()[source].name(), alignment.datasets()[target].name());
    if console.json {
        let mut value = json!({"from": from, "to": to, "how": serde_json::to_value(how).unwrap_or_default(),
                               "metric": serde_json::to_value(metric).unwrap_or_default(),
                               "k": k, "rows": found.nrows(), "matched": matched});
        match &args.output {
            None => value["matches"] = records(&found, source_ids, target_ids),
            Some(path) => value["output"] = json!(path.to_string_lossy()),
        }
        if args.output.is_some() {
            write(&watch, output, &found, source_ids, target_ids, args.escape_formulas)?;
        }
        return console.print_json(&value);
    }
    write(&watch, output, &found, source_ids, target_ids, args.escape_formulas)?;
    console.say(format!("{} of {} of {from} have a match in {to}", thousands(matched), counted(found.nrows(), "row")));
    Ok(())
}

fn write(
    watch: &Watch,
    output: &Path,
    found: &Matches,
    source_ids: Option<&[String]>,
    target_ids: Option<&[String]>,
    escape_formulas: bool,
) -> Result<()> {
    let mut header = vec!["source_row"];
    header.extend(source_ids.map(|_| "source_id"));
    header.extend(["rank", "target_row"]);
    header.extend(target_ids.map(|_| "target_id"));
    header.push("distance");
    let rows = (0..found.nrows()).flat_map(|i| {
        found.row(i).enumerate().map(move |(rank, (j, distance))| {
            let mut cells = vec![i.to_string()];
            cells.extend(source_ids.map(|ids| ids[i].clone()));
            cells.extend([(rank + 1).to_string(), j.to_string()]);
            cells.extend(target_ids.map(|ids| ids[j].clone()));
            cells.push(distance.to_string());
            cells
        })
    });
    let options = TableOptions { escape_formulas, ..TableOptions::default() };
    watch.during(|_| write_table(output, &header, rows, &options))
}

fn records(found: &Matches, source_ids: Option<&[String]>, target_ids: Option<&[String]>) -> Value {
    let record = |i: usize, rank: usize, j: usize, distance: f64| {
        let mut value = json!({"source_row": i, "rank": rank + 1, "target_row": j, "distance": distance});
        if let Some(ids) = source_ids {
            value["source_id"] = json!(ids[i]);
        }
        if let Some(ids) = target_ids {
            value["target_id"] = json!(ids[j]);
        }
        value
    };
    (0..found.nrows()).flat_map(|i| found.row(i).enumerate().map(move |(rank, (j, d))| record(i, rank, j, d))).collect()
}
