//! `landbridge compare`: several methods on the same held-out pairs.

use crate::Result;
use crate::args::{Common, ReadArgs};
use crate::choose::{ChoiceArgs, aligned, candidates, interval, known_pairs};
use crate::commands::fit::read_datasets;
use crate::failure::Failure;
use crate::output::{Console, check_picture, check_target, counted, write_picture, write_text};
use crate::progress::Watch;
use clap::Args;
use landbridge::choose::{Compare, Compared, Comparison};
use landbridge_io::JournalFile;
use landbridge_plot::{Curve, LineChart};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub(crate) const EXAMPLES: &str = "\
Examples:
  landbridge compare en.mtx it.mtx --pairs pairs.csv --methods cca,linear:n_components=50
  landbridge compare a.npy b.npy --pairs pairs.csv -d 20 --methods cca,instance:n_neighbors=5|10|20
  landbridge compare a.npy b.npy --pairs pairs.csv --methods cca,linear -o table.csv --picture recall.svg
  landbridge compare a.npy b.npy --pairs pairs.csv --methods cca,linear --resume work.journal

A method is NAME[:PARAMETER=VALUE,...]; several values are separated by |, and
every combination takes part. Methods without n_components get that of -d. All
methods see the same folds; held-out pairs never enter a fit.";

#[derive(Debug, Args)]
pub(crate) struct CompareArgs {
    /// Two or more data files, as for fit
    #[arg(value_name = "DATA", required = true, num_args = 1..)]
    data: Vec<PathBuf>,
    /// The methods to compare: cca,linear:n_components=50,mu=10
    #[arg(long, value_name = "METHOD,METHOD", required = true)]
    methods: String,
    /// Dimension of the joint space of methods that do not say their own [default: 50, or as many as the data have]
    #[arg(short = 'd', long, value_name = "N")]
    n_components: Option<usize>,
    /// Number of folds
    #[arg(long, value_name = "N", default_value_t = 5)]
    folds: usize,
    /// File to write the table to: .csv, .tsv or .json [default: a table on standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Draw the curves of recall at k to this file, .svg .png .pdf
    #[arg(long, value_name = "FILE")]
    picture: Option<PathBuf>,
    /// Keep finished folds in this file, and go on with what it has
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
    #[command(flatten)]
    choice: ChoiceArgs,
    #[command(flatten)]
    read: ReadArgs,
    #[command(flatten)]
    pub(crate) common: Common,
}

pub(crate) fn run(args: &CompareArgs, console: &Console) -> Result<()> {
    let kind = args.output.as_deref().map(kind_of).transpose()?;
    args.output.iter().try_for_each(|path| check_target(path))?;
    args.picture.iter().try_for_each(|path| check_picture(path))?;
    let watch = Watch::start(console);
    let datasets = read_datasets(&args.data, args.choice.names.names.as_deref(), &args.read, console)?;
    let pairs = known_pairs(&args.choice, &datasets)?;
    let candidates = candidates(&args.methods, args.n_components, &datasets, args.choice.seed.random_state)?;
    let mut compare = Compare::new().folds(args.folds).scoring(args.choice.scoring()?).groups(args.choice.groups(&datasets)?);
    compare = compare.random_state(args.choice.seed.random_state).n_jobs(args.choice.threads.n_jobs).partial(true);
    if let Some(path) = &args.resume {
        let journal = JournalFile::open(path)?;
        if journal.found() > 0 {
            console.say(format!("{:<8} {} in {}", "resumed", counted(journal.found(), "finished fold"), path.display()));
        }
        compare = compare.journal(Some(Arc::new(journal)));
    }
    let found = watch.unless_stopped(|progress| compare.compare_with(&candidates, &datasets, &pairs, progress))?;
    let Some(_) = found.best else {
        let mut reasons: Vec<&str> = found.table.iter().filter_map(|r| r.error.as_deref()).collect();
        reasons.sort_unstable();
        reasons.dedup();
        return Err(landbridge::Error::Undefined {
            what: "a comparison".into(),
            why: format!("every fit failed: {}", reasons.join("; ")),
        }
        .into());
    };
    if let Some(path) = &args.picture {
        write_picture(path, &picture(&found)?, console)?;
    }
    if let (Some(path), Some(kind)) = (&args.output, kind) {
        let text =
            if kind == 'j' { format!("{}\n", whole(&found)) } else { delimited(&found, if kind == 't' { '\t' } else { ',' }) };
        write_text(path, &text)?;
    }
    match (console.json, &args.output) {
        (true, _) => console.print_json(&whole(&found))?,
        (false, None) => console.print(&table(&found))?,
        (false, Some(path)) => console.say(format!("{}{:<8} {}", table(&found), "written", path.display())),
    }
    let about = format!("{} held out in {}", counted(found.units, "pair"), counted(found.folds, "fold"));
    console.say(format!("{about}; chance {:.3}", found.chance));
    if found.stopped {
        let kept = args.resume.as_ref().map_or_else(String::new, |p| format!("; the same command goes on from {}", p.display()));
        console.warn(format!("stopped: {} of {} methods are compared{kept}", found.table.len(), candidates.len()));
        return Err(landbridge::Error::Cancelled.into());
    }
    Ok(())
}

/// c for csv, t for tsv, j for JSON.
fn kind_of(path: &Path) -> Result<char> {
    match path.extension().and_then(|e| e.to_str()) {
        Some("csv") => Ok('c'),
        Some("tsv") => Ok('t'),
        Some("json") => Ok('j'),
        _ => Err(Failure::usage(format!("{}: a comparison is written as .csv, .tsv or .json", path.display()))),
    }
}

fn whole(found: &Comparison) -> serde_json::Value {
    let best = found.best().map(|b| b.label.clone());
    let mut json = serde_json::to_value(found).unwrap_or_default();
    json["best"] = json!(best);
    json
}

/// The names of the measures that candidates have.
const MEASURES: [&str; 7] = ["recall_at_1", "recall_at_5", "recall_at_10", "mrr", "foscttm", "label_transfer", "mmae"];

fn share(row: &Compared, name: &str) -> String {
    row.measure(name).map_or_else(String::new, |m| format!("{:.3}", m.estimate.value))
}

fn table(found: &Comparison) -> String {
    let shown: Vec<&str> = MEASURES
        .into_iter()
        .filter(|m| *m != found.scoring.name())
        .filter(|m| found.table.iter().any(|r| r.measure(m).is_some()))
        .collect();
    let mut header = vec![String::new(), "method".into(), found.scoring.name().into(), "95 %".into()];
    header.extend(shown.iter().map(ToString::to_string));
    header.extend(["seconds".into(), String::new()]);
    let mut rows = vec![header];
    for (c, row) in found.table.iter().enumerate() {
        let best = found.best == Some(c);
        let mut cells = vec![if best { "*" } else { "" }.to_string(), row.label.clone()];
        cells.push(row.score.map_or_else(String::new, |s| format!("{:.3}", s.value)));
        cells.push(row.score.map_or_else(String::new, |s| interval((s.low, s.high))));
        cells.extend(shown.iter().map(|m| share(row, m)));
        cells.push(if row.error.is_none() { format!("{:.2}", row.seconds) } else { String::new() });
        cells.push(match (&row.error, best, row.tied) {
            (Some(error), ..) => format!("failed: {error}"),
            (_, true, _) => "best".into(),
            (_, _, true) => "tied".into(),
            _ => String::new(),
        });
        rows.push(cells);
    }
    aligned(&rows)
}

fn delimited(found: &Comparison, delimiter: char) -> String {
    let cell = |text: &str| {
        let quoted = text.contains([delimiter, '"', '\n']);
        if quoted { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_string() }
    };
    let mut header: Vec<String> = ["method", "score", "low", "high", "scoring", "chance", "pairs"].map(String::from).to_vec();
    header.extend(MEASURES.map(String::from));
    header.extend(["tied", "best", "seconds", "error"].map(String::from));
    let mut lines = vec![header.join(&delimiter.to_string())];
    for (c, row) in found.table.iter().enumerate() {
        let number = |v: Option<f64>| v.map_or_else(String::new, |v| v.to_string());
        let mut cells = vec![
            cell(&row.label),
            number(row.score.map(|s| s.value)),
            number(row.score.map(|s| s.low)),
            number(row.score.map(|s| s.high)),
        ];
        cells.extend([found.scoring.name().to_string(), found.chance.to_string(), found.units.to_string()]);
        cells.extend(MEASURES.map(|m| number(row.measure(m).map(|m| m.estimate.value))));
        cells.extend([
            row.tied.to_string(),
            (found.best == Some(c)).to_string(),
            row.seconds.to_string(),
            cell(row.error.as_deref().unwrap_or_default()),
        ]);
        lines.push(cells.join(&delimiter.to_string()));
    }
    lines.join("\n") + "\n"
}

/// Curves of recall at k.
fn picture(found: &Comparison) -> Result<String> {
    let about = format!("{} held out in {}", counted(found.units, "pair"), counted(found.folds, "fold"));
    let mut chart = LineChart::new("Recall at k").subtitle(about).axes("k", "recall at k").log_x(true).y_range(0.0, 1.0);
    for row in found.table.iter().filter(|r| r.error.is_none()) {
        let points = [1, 2, 3, 5, 10, 20, 50, 100].map(|k| [f64::from(k), row.recall_at(k as usize)]);
        chart = chart.curve(Curve::new(row.label.clone(), points.to_vec()));
    }
    Ok(chart.render()?)
}
