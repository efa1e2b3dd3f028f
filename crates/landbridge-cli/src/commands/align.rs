//! `landbridge align`: chooses a method for the data, says how good it is, and fits it.

use crate::Result;
use crate::args::{Common, ReadArgs};
use crate::choose::{ChoiceArgs, aligned, interval, known_pairs};
use crate::commands::fit::read_datasets;
use crate::failure::Failure;
use crate::output::{Console, check_target, chosen_json, save_fitted};
use crate::progress::Watch;
use clap::Args;
use landbridge::choose::{Align, Selection};
use landbridge::error::bytes;
use landbridge_io::check_model_name;
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
    let datasets = read_datasets(&args.data, args.choice.names.names.as_deref(), &args.read, console)?;
    let pairs = known_pairs(&args.choice, &datasets)?;
    let groups = args.choice.groups(&datasets)?;
    let align = Align::new().scoring(args.choice.scoring()?).folds(args.folds).groups(groups);
    let align = align.random_state(args.choice.seed.random_state).n_jobs(args.choice.threads.n_jobs);
    let found = watch.during(|progress| align.align_with(&datasets, &pairs, progress))?;
    watch.during(|_| save_fitted(&args.output, &found.alignment, args.map_only))?;
    let selection = &found.selection;
    match console.json {
        true => console.print_json(&chosen_json(&args.output, &found.alignment, "selection", selection))?,
        false => {
            if args.explain {
                console.say(selection.explanation());
            }
            console.print(&table(selection))?;
            found.alignment.outcome().warnings.iter().for_each(|w| console.warn(w.to_string()));
            console.say(format!("{:<8} {}", "verdict", selection.verdict));
            let typed = std::env::args_os().skip(2).map(|word| word.to_string_lossy().into_owned());
            console.say(format!("{:<8} {}", "again", again(selection, typed)));
            console.say(format!("{:<8} {}", "", selection.python));
            console.say(format!("{:<8} {}", "written", args.output.display()));
        }
    }
    match selection.trusted {
        Some(false) if !args.force => Err(Failure::NotTrusted),
        _ => Ok(()),
    }
}

/// Options of `align` that a fit does not have, and whether a value follows.
const OWN: [(&str, bool); 8] = [
    ("--explain", false),
    ("--force", false),
    ("--json", false),
    ("--quiet", false),
    ("--folds", true),
    ("--scoring", true),
    ("--groups", true),
    // The winner has it among its own options, if it matters.
    ("--random-state", true),
];

/// The command that repeats the winner on the same files, read as they were read: `typed` is what stood behind `align`.
fn again(selection: &Selection, typed: impl Iterator<Item = String>) -> String {
    let mut command = selection.options.clone();
    let mut typed = typed.peekable();
    while let Some(word) = typed.next() {
        let name = word.split('=').next().unwrap_or_default();
        match OWN.iter().find(|(own, _)| *own == name) {
            Some((own, true)) if *own == word => drop(typed.next()),
            Some(_) => {}
            None if word == "-q" => {}
            None => {
                command.push(' ');
                command.push_str(&quoted(&word));
            }
        }
    }
    command
}

/// A word as a shell reads it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./,=:+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) { word.into() } else { format!("'{}'", word.replace('\'', "'\\''")) }
}

fn table(selection: &Selection) -> String {
    let mut rows =
        vec![["method", &selection.scoring, "95 %", "chance", "seconds", "memory", "verdict"].map(String::from).to_vec()];
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
            bytes(row.peak_bytes),
            row.verdict.clone(),
        ]);
    }
    aligned(&rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_call_that_repeats_the_winner_reads_the_files_as_they_were_read() {
        let copies = landbridge::data::synthetic::RotatedCopies::new(60).n_features(6).generate().unwrap();
        let found = Align::new().align(&copies.datasets, &copies.pairs(12, 0).unwrap()).unwrap();
        let typed = "a.csv b.csv --folds 5 --scoring=mrr --explain --label-column kind --random-state 0 -q -o m.lb";
        let said = again(&found.selection, typed.split(' ').map(String::from).chain(["it's".to_string()]));
        assert_eq!(said, format!("{} a.csv b.csv --label-column kind -o m.lb 'it'\\''s'", found.selection.options));
    }
}
