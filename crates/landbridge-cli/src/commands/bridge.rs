//! `landbridge bridge`: a map between two vector stores, and what it is worth.

use crate::Result;
use crate::args::{Common, ReadArgs};
use crate::choose::{aligned, interval};
use crate::commands::fit::read_datasets;
use crate::failure::Failure;
use crate::output::{Console, check_target, chosen_json, counted, save_fitted};
use crate::progress::Watch;
use crate::shared::{NamesArg, SeedArg, ThreadsArg};
use clap::Args;
use landbridge::choose::{Bridge, BridgeReport, Direction};
use landbridge::data::{Dataset, Pairs};
use landbridge_io::{check_model_name, pairs_by_id, read_pairs};
use std::path::PathBuf;

pub(crate) const EXAMPLES: &str = "\
Examples:
  landbridge bridge old.npy new.npy --pairs pairs.csv -o bridge.lb
  landbridge bridge old.parquet new.parquet --pairs by-id -o bridge.lb     # rows with the same id
  landbridge bridge old.npy new.npy --pairs 500-first -o bridge.lb         # rows 0 to 499 of both files
  landbridge bridge old.npy new.npy -o bridge.lb                           # no pair known
  landbridge match bridge.lb --from old --to new --how csls -k 10
  landbridge export bridge.lb --dataset old -o old.onnx

Maps that suit vectors compete on held-out pairs. The table tells how often an
old vector finds its row of the new store, and the other way; the learning curve,
how many pairs are enough. Exit code 3: the bridge is written and is not to be
used (--force makes it 0).";

#[derive(Debug, Args)]
pub(crate) struct BridgeArgs {
    /// Vectors of the old model: npy, npz, parquet or arrow (also a column of lists), jsonl (lists of numbers), csv, tsv
    #[arg(value_name = "OLD")]
    old: PathBuf,
    /// Vectors of the new model
    #[arg(value_name = "NEW")]
    new: PathBuf,
    /// Rows embedded with both models: a file of pairs, `by-id` (rows with the same id), `N-first` (the first N rows of both
    /// files), or `none`
    #[arg(long, value_name = "FILE|by-id|N-first|none", default_value = "none")]
    pairs: String,
    /// Model file to write
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Exit with 0 even if the bridge is not to be used
    #[arg(long)]
    force: bool,
    /// Save the maps without the rows of the stores: a small model that maps new rows
    #[arg(long)]
    map_only: bool,
    /// Do not measure the learning curve
    #[arg(long)]
    no_curve: bool,
    /// Number of folds of held-out pairs [default: 10 up to 100 pairs, else 5]
    #[arg(long, value_name = "N")]
    folds: Option<usize>,
    #[command(flatten)]
    names: NamesArg,
    #[command(flatten)]
    seed: SeedArg,
    #[command(flatten)]
    threads: ThreadsArg,
    #[command(flatten)]
    read: ReadArgs,
    #[command(flatten)]
    pub(crate) common: Common,
}

pub(crate) fn run(args: &BridgeArgs, console: &Console) -> Result<()> {
    check_target(&args.output)?;
    check_model_name(&args.output)?;
    let watch = Watch::start(console);
    let files = [args.old.clone(), args.new.clone()];
    let datasets = read_datasets(&files, args.names.names.as_deref(), &args.read, console)?;
    let pairs = known_pairs(&args.pairs, &datasets, console)?;
    let bridge =
        Bridge::new().folds(args.folds).curve(!args.no_curve).random_state(args.seed.random_state).n_jobs(args.threads.n_jobs);
    let found = watch.during(|progress| bridge.bridge_with(&datasets, &pairs, progress))?;
    watch.during(|_| save_fitted(&args.output, &found.alignment, args.map_only))?;
    let report = &found.report;
    match console.json {
        true => console.print_json(&chosen_json(&args.output, &found.alignment, "bridge", report))?,
        false => {
            console.print(&figures(report, &datasets))?;
            found.alignment.outcome().warnings.iter().for_each(|w| console.warn(w.to_string()));
            console.say(format!("{:<8} {}", "chosen", report.method));
            if report.further_pairs > 0 {
                console.say(format!("{:<8} {} of unpaired rows", "", counted(report.further_pairs, "further match")));
            }
            console.say(format!("{:<8} {}", "pairs", enough(report)));
            if !report.embed_first.is_empty() {
                let name = |row: usize| datasets[0].row_ids().map_or_else(|| row.to_string(), |ids| ids[row].clone());
                let rows: Vec<String> = report.embed_first.iter().take(5).map(|d| name(d.row)).collect();
                console.say(format!("{:<8} embed anew first: rows {}, … (--json lists more)", "", rows.join(", ")));
            }
            console.say(format!("{:<8} {}", "verdict", report.verdict));
            console.say(format!("{:<8} {}", "written", args.output.display()));
        }
    }
    match report.trusted {
        Some(false) if !args.force => Err(Failure::NotTrusted),
        _ => Ok(()),
    }
}

/// The pairs that the option names.
fn known_pairs(text: &str, datasets: &[Dataset], console: &Console) -> Result<Pairs> {
    let hint = "give a file of pairs, by-id, a number of rows such as 500-first, or none";
    if let Some(count) = text.strip_suffix("-first") {
        let least = datasets.iter().map(Dataset::nrows).min().unwrap_or(0);
        return match count.parse::<usize>() {
            Ok(count) if count > 0 && count <= least => Ok(Pairs::first_rows(2, count)),
            Ok(count) => {
                let sizes = format!("{} and {} rows", datasets[0].nrows(), datasets[1].nrows());
                Err(Failure::usage(format!("--pairs says that the first {count} rows correspond, and the stores have {sizes}"))
                    .hint(format!("give at least 1 and at most {least}")))
            }
            Err(_) => Err(Failure::usage(format!("--pairs is {text:?}, and {count:?} is not a number of rows")).hint(hint)),
        };
    }
    match text {
        "none" => Ok(Pairs::none(2)),
        "by-id" => {
            let found = pairs_by_id(datasets)?;
            if found.is_empty() {
                let message = "--pairs by-id: no id occurs once in each of the stores";
                return Err(Failure::usage(message).hint("name the column of ids by --id-column, or give a file of pairs"));
            }
            let alone = |d: &Dataset| format!("{} only in {}", d.nrows().saturating_sub(found.len()), d.name());
            if datasets.iter().any(|d| d.nrows() > found.len()) {
                console.say(format!("ids      {} in both stores, {}, {}", found.len(), alone(&datasets[0]), alone(&datasets[1])));
            }
            Ok(found)
        }
        file => Ok(read_pairs(file, &datasets.iter().collect::<Vec<_>>())?),
    }
}

fn figures(report: &BridgeReport, datasets: &[Dataset]) -> String {
    let Some(quality) = &report.quality else { return String::new() };
    let (old, new) = (datasets[0].name(), datasets[1].name());
    let mut rows = vec![["search", "recall@1", "95 %", "recall@10", "95 %", "nDCG@10"].map(String::from).to_vec()];
    let mut add = |name: String, d: &Direction| {
        let value = |v: f64| format!("{v:.3}");
        rows.push(vec![
            name,
            value(d.recall_at_1.value),
            interval((d.recall_at_1.low, d.recall_at_1.high)),
            value(d.recall_at_10.value),
            interval((d.recall_at_10.low, d.recall_at_10.high)),
            value(d.ndcg_at_10.value),
        ]);
    };
    add(format!("{old} finds {new}"), &quality.old_to_new);
    add(format!("{new} finds {old}"), &quality.new_to_old);
    if let Some(mapped) = &quality.mapped {
        add(format!("mapped {old} in {new} as it is"), mapped);
    }
    let mut text = aligned(&rows);
    text += &format!("overlap of the ten first with those of the true vector: {:.3}", quality.overlap_at_10.value);
    if let Some(cosine) = quality.cosine {
        text += &format!("; cosine to the true vector: {:.3}", cosine.value);
    }
    text.push('\n');
    for point in &report.learning_curve {
        text += &format!("{:>7} pairs  recall@1 {:.3}  recall@10 {:.3}\n", point.pairs, point.recall_at_1, point.recall_at_10);
    }
    text
}

fn enough(report: &BridgeReport) -> String {
    match (report.enough_pairs, report.learning_curve.last()) {
        (Some(enough), _) => format!("{} given; from {enough} on, twice as many bring less than .01 of recall@1", report.pairs),
        (None, Some(_)) => format!("{} given; twice as many would bring more than .01 of recall@1", report.pairs),
        (None, None) => format!("{} given", report.pairs),
    }
}
