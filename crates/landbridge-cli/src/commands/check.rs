//! `landbridge check`: finds pairs that look wrong, and rows to pair next.

use crate::Result;
use crate::args::{Common, ReadArgs};
use crate::commands::fit::read_datasets;
use crate::output::Console;
use crate::progress::Watch;
use crate::shared::{NamesArg, SeedArg, ThreadsArg};
use clap::Args;
use landbridge::correspondence::CheckPairs;
use landbridge::data::{Dataset, Link};
use landbridge_io::read_pairs;
use serde_json::json;
use std::path::PathBuf;

pub(crate) const EXAMPLES: &str = "\
Examples:
  landbridge check --pairs pairs.csv en.mtx it.mtx
  landbridge check --pairs pairs.csv rna.npy atac.npy --json

Each pair is held out and the others are fitted. Its misfit is the share of rows
that are nearer than its partner: 0 is perfect, 0.5 is chance. Its confidence is the
chance that it is right, from the misfits of the same rows with partners at random.
The command lists pairs whose misfit is far above that of the others, and rows far
from all rows that are likely paired rightly, which you should pair next.";

#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    /// Two or more data files, as for fit
    #[arg(value_name = "DATA", required = true, num_args = 1..)]
    data: Vec<PathBuf>,
    /// The pairs to check
    #[arg(long, value_name = "FILE")]
    pairs: PathBuf,
    #[command(flatten)]
    names: NamesArg,
    /// Number of folds that are held out in turn
    #[arg(long, value_name = "N", default_value_t = 10)]
    folds: usize,
    /// Number of rows to suggest for pairing next
    #[arg(long, value_name = "N", default_value_t = 5)]
    suggestions: usize,
    #[command(flatten)]
    seed: SeedArg,
    #[command(flatten)]
    threads: ThreadsArg,
    #[command(flatten)]
    read: ReadArgs,
    #[command(flatten)]
    pub(crate) common: Common,
}

pub(crate) fn run(args: &CheckArgs, console: &Console) -> Result<()> {
    let watch = Watch::start(console);
    let datasets = read_datasets(&args.data, args.names.names.as_deref(), &args.read, console)?;
    let pairs = read_pairs(&args.pairs, &datasets.iter().collect::<Vec<_>>())?;
    let check = CheckPairs::new()
        .folds(args.folds)
        .n_suggestions(args.suggestions)
        .random_state(args.seed.random_state)
        .n_jobs(args.threads.n_jobs);
    let found = watch.during(|progress| check.check_with(&datasets, &pairs, progress))?;
    let links = pairs.links();
    if console.json {
        let pair = |p: &usize| {
            let Link { a, i, b, j, .. } = links[*p];
            json!({
                "pair": p, "misfit": found.misfit[*p], "confidence": found.confidence[*p],
                "rows": [{"dataset": datasets[a].name(), "row": i}, {"dataset": datasets[b].name(), "row": j}],
            })
        };
        return console.print_json(&json!({
            "pairs": links.len(),
            "can_tell": found.can_tell,
            "threshold": found.threshold,
            "suspect": found.suspect.iter().map(pair).collect::<Vec<_>>(),
            "misfit": found.misfit,
            "confidence": found.confidence,
            "next": found.next.iter().map(|(a, i)| json!({"dataset": datasets[*a].name(), "row": i})).collect::<Vec<_>>(),
            "verdict": found.verdict(),
        }));
    }
    if !found.suspect.is_empty() {
        let mut lines = vec![format!("{:>6}  {:>7}  {:>10}  pair", "line", "misfit", "confidence")];
        for p in &found.suspect {
            let Link { a, i, b, j, .. } = links[*p];
            let (left, right) = (named(&datasets[a], i), named(&datasets[b], j));
            lines.push(format!("{p:>6}  {:>7.3}  {:>10.3}  {left}  {right}", found.misfit[*p], found.confidence[*p]));
        }
        console.print(&(lines.join("\n") + "\n"))?;
    }
    if !found.next.is_empty() {
        let next: Vec<String> = found.next.iter().map(|(a, i)| named(&datasets[*a], *i)).collect();
        console.say(format!("{:<8} {}", "next", next.join(", ")));
    }
    let expected: f64 = found.confidence.iter().sum();
    console.say(format!("{:<8} {expected:.0} of {} pairs expected right", "chances", links.len()));
    console.say(format!("{:<8} {}", "verdict", found.verdict()));
    Ok(())
}

/// A row by dataset and id, or number.
fn named(dataset: &Dataset, row: usize) -> String {
    let id = dataset.row_ids().map_or_else(|| row.to_string(), |ids| ids[row].clone());
    format!("{}:{id}", dataset.name())
}
