//! `landbridge align`: chooses a method for the data, says how good it is, and fits it.

use crate::Result;
use crate::args::{Common, ReadArgs};
use crate::choose::{ChoiceArgs, aligned, interval, known_pairs};
use crate::commands::fit::read_datasets;
use crate::failure::Failure;
use crate::output::{Console, check_target, datasets_json, outcome_json};
use crate::progress::Watch;
use clap::Args;
use landbridge::choose::{Align, Selection};
use landbridge_io::{check_model_name, save_model};
use serde_json::json;
use std::path::PathBuf;

pub(crate) const EXAMPLES: &str = "\
Examples:
  landbridge align rna.npy atac.npy --pairs pairs.csv -o cells.lb
  landbridge align en.txt it.txt -o en-it.lb             # no pair known
  landbridge align a.csv b.csv --pairs-by-id --explain -o ab.lb

At most four methods that suit the data are compared on held-out pairs; the best
is fitted to all pairs. Without pairs the methods find them, and the most
reproducible result wins. The table has a score with its 95 % interval; the last
lines repeat the winner. Exit code 3: the result is written and is not to be
trusted (--force makes it 0).";

#[derive(Debug, Args)]
pub(crate) struct AlignArgs {
    /// Two or more data files, as for fit
    #[arg(value_name = "DATA", required = true, num_args = 1..)]
    data: Vec<PathBuf>,
    /// Model file to write
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Print what the data look like and why each method takes part
    #[arg(long)]
    explain: bool,
    /// Exit with 0 even if the result is not to be trusted
    #[arg(long)]
    force: bool,
    /// Save the maps without the fitted rows: a small model that can map and predict new rows
    #[arg(long)]
    map_only: bool,
    /// Number of folds of held-out pairs [default: 20 for few pairs, 5 for many]
    #[arg(long, value_name = "N")]
    folds: Option<usize>,
    #[command(flatten)]
    choice: ChoiceArgs,
    #[command(flatten)]
    read: ReadArgs,
    #[command(flatten)]
    pub(crate) common: Common,
}

pub(crate) fn run(args: &AlignArgs, console: &Console) -> Result<()> {
    check_target(&args.output)?;
    check_model_name(&args.output)?;
    let watch = Watch::start(console);
    let datasets = read_datasets(&args.data, args.choice.names.as_deref(), &args.read, console)?;
    let pairs = known_pairs(&args.choice, &datasets)?;
    let groups = args.choice.groups(&datasets)?;
    let align = Align::new().scoring(args.choice.scoring()?).folds(args.folds).groups(groups);
    let align = align.random_state(args.choice.random_state).n_jobs(args.choice.n_jobs);
    let found = watch.during(|progress| align.align_with(&datasets, &pairs, progress))?;
    let bare = args.map_only.then(|| found.alignment.without_rows()).transpose()?;
    watch.during(|_| save_model(&args.output, bare.as_ref().unwrap_or(&found.alignment)))?;
    let selection = &found.selection;
    match console.json {
        true => console.print_json(&json!({
            "model": args.output.to_string_lossy(),
            "method": found.alignment.method(),
            "params": found.alignment.params(),
            "datasets": datasets_json(&found.alignment),
            "selection": selection,
            "outcome": outcome_json(found.alignment.outcome()),
        }))?,
        false => {
            if args.explain {
                console.say(selection.explanation());
            }
            console.print(&table(selection))?;
            found.alignment.outcome().warnings.iter().for_each(|w| console.warn(w.to_string()));
            console.say(format!("{:<8} {}", "verdict", selection.verdict));
            console.say(format!("{:<8} {}", "again", again(args, selection)));
            console.say(format!("{:<8} {}", "", selection.python));
            console.say(format!("{:<8} {}", "written", args.output.display()));
        }
    }
    match selection.trusted {
        Some(false) if !args.force => Err(Failure::NotTrusted),
        _ => Ok(()),
    }
}

/// The command that repeats the winner on the same files.
fn again(args: &AlignArgs, selection: &Selection) -> String {
    let file = |path: &PathBuf| path.to_string_lossy().into_owned();
    let pairs = match (&args.choice.pairs, args.choice.pairs_by_id) {
        (Some(path), _) => format!(" --pairs {}", file(path)),
        (None, true) => " --pairs-by-id".into(),
        (None, false) => String::new(),
    };
    let data: Vec<String> = args.data.iter().map(file).collect();
    format!("{}{pairs} {} -o {}", selection.options, data.join(" "), args.output.display())
}

fn table(selection: &Selection) -> String {
    let mut rows = vec![["method", &selection.scoring, "95 %", "chance", "seconds", "verdict"].map(String::from).to_vec()];
    let share = |v: Option<f64>| v.map_or_else(String::new, |v| format!("{v:.3}"));
    for row in &selection.table {
        let interval = row.low.zip(row.high).map_or_else(String::new, interval);
        let method = row.method.trim_start_matches("lb.").to_string();
        rows.push(vec![
            method,
            share(row.score),
            interval,
            share(row.chance),
            format!("{:.2}", row.seconds),
            row.verdict.clone(),
        ]);
    }
    aligned(&rows)
}
