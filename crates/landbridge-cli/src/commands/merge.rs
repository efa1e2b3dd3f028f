//! `landbridge merge`: the statistics of shards in, those of all of them out.

use super::stats::statistics_json;
use crate::Result;
use crate::args::Common;
use crate::failure::Failure;
use crate::output::{Console, check_target, counted, thousands};
use clap::Args;
use landbridge::Error;
use landbridge::statistics::Statistics;
use landbridge_io::{check_model_name, load_statistics, save_statistics};
use std::path::{Path, PathBuf};

pub(crate) const EXAMPLES: &str = "\
Examples:
  landbridge merge *.stats -o all.stats
  landbridge merge *.stats --expect 64 -o all.stats                 # refuses if a shard is missing
  landbridge merge --expect-files shards.txt *.stats -o all.stats   # says which one
  landbridge merge monday.stats tuesday.stats -o both.stats         # merged ones merge again

The same shards give the same bytes, in any order and in any grouping. A shard
given twice is refused, also with its rows in another order, or with the same
ids. Columns in another order are put in the order that most shards have.";

#[derive(Debug, Args)]
pub(crate) struct MergeArgs {
    /// Files of statistics, written by `landbridge stats` or `merge`
    #[arg(value_name = "STATS", required = true, num_args = 1..)]
    statistics: Vec<PathBuf>,
    /// Refuse unless there are so many shards
    #[arg(long, value_name = "N")]
    expect: Option<usize>,
    /// Refuse unless all of these files are given: a text file with a name per line
    #[arg(long, value_name = "FILE")]
    expect_files: Option<PathBuf>,
    /// File of statistics to write
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    pub(crate) common: Common,
}

impl MergeArgs {
    /// Refuses a list of files that lacks an expected one.
    fn check_files(&self) -> Result<()> {
        let Some(list) = &self.expect_files else { return Ok(()) };
        let read = |source| landbridge_io::Error::Io { path: list.clone(), action: "read", source };
        let text = std::fs::read_to_string(list).map_err(read)?;
        let name = |path: &Path| path.file_name().map(|n| n.to_string_lossy().into_owned());
        let given: Vec<Option<String>> = self.statistics.iter().map(|p| name(p)).collect();
        let expected = text.lines().map(str::trim).filter(|line| !line.is_empty());
        let missing: Vec<&str> = expected.filter(|line| !given.contains(&name(line.as_ref()))).collect();
        match missing[..] {
            [] => Ok(()),
            _ => {
                let named = missing.iter().take(10).copied().collect::<Vec<_>>().join(", ");
                let more = if missing.len() > 10 { format!(" and {} more", missing.len() - 10) } else { String::new() };
                let message = format!("{} missing: {named}{more}", counted_is(missing.len()));
                Err(Failure::usage(message).hint(format!("compute them, or take them off {}", list.display())))
            }
        }
    }
}

/// The error with the file that was given: a copy has the name of the shard that it was.
fn by_path(error: Error, path: &Path) -> Error {
    let shard = path.display().to_string();
    match error {
        Error::ShardTwice { first, what, .. } => Error::ShardTwice { shard, first, what },
        Error::ShardDiffers { first, problem, .. } => Error::ShardDiffers { shard, first, problem },
        other => other,
    }
}

/// "1 shard is", "2 shards are".
fn counted_is(n: usize) -> String {
    format!("{} {}", counted(n, "shard"), if n == 1 { "is" } else { "are" })
}

pub(crate) fn run(args: &MergeArgs, console: &Console) -> Result<()> {
    check_target(&args.output)?;
    check_model_name(&args.output)?;
    args.check_files()?;
    let mut all: Option<Statistics> = None;
    for path in &args.statistics {
        let next = load_statistics(path)?;
        match &mut all {
            None => all = Some(next),
            Some(all) => all.merge(next).map_err(|error| by_path(error, path))?,
        }
    }
    let Some(all) = all else { return Err(Failure::usage("no statistics are given")) };
    let reordered = all.reordered();
    if !reordered.is_empty() {
        let names = reordered.iter().take(5).cloned().collect::<Vec<_>>().join(", ");
        let shards = counted(reordered.len(), "shard");
        console.warn(format!("columns put in the order that most shards have, by name: {shards} ({names})"));
    }
    let found = all.shards().len();
    if let Some(expected) = args.expect.filter(|n| *n != found) {
        let names = all.shards().iter().take(10).map(|s| s.name.clone()).collect::<Vec<_>>().join(", ");
        let message = format!("{} expected, and {} here: {names}", counted_is(expected), counted_is(found));
        return Err(Failure::usage(message).hint("--expect-files says which one is missing"));
    }
    save_statistics(&args.output, &all)?;
    console.say(format!("{:<8} {}", "shards", thousands(found)));
    console.say(format!("{:<8} {}", "pairs", thousands(all.n_pairs() as usize)));
    console.say(format!("{:<8} {}", "written", args.output.display()));
    if console.json {
        console.print_json(&statistics_json(&args.output, &all))?;
    }
    Ok(())
}
