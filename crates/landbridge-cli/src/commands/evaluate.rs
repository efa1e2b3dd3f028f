//! `landbridge evaluate`: a model against known truth.

use crate::Result;
use crate::args::{Common, MetricArg, ModelArg};
use crate::failure::Failure;
use crate::output::{Console, counted};
use crate::progress::Watch;
use crate::scores::{read_truth, table};
use clap::Args;
use landbridge::geometry::neighbors::Metric;
use landbridge::params::Words as _;
use serde_json::json;
use std::path::PathBuf;

pub(crate) const EXAMPLES: &str = "\
Examples:
  landbridge evaluate en-it.lb --truth truth.csv
  landbridge evaluate en-it.lb --truth truth.csv --metric cosine -k 1,5,10 --json

The truth file has the format of a pairs file. Held out are the true pairs that
were not given in fitting and do not follow from given ones: the honest figure.
Rivals are all rows of the other dataset.
  recall@k        share of rows whose true match is among the k nearest; a tie
                  counts against; chance: k / rows
  FOSCTTM         mean share of rows nearer than the true match; 0 is perfect,
                  chance: 0.5
  label transfer  share of rows whose label wins among their 5 nearest rows of
                  the other dataset; chance: its most frequent label";

#[derive(Debug, Args)]
pub(crate) struct EvaluateArgs {
    #[command(flatten)]
    model: ModelArg,
    /// True pairs, in the format of a pairs file
    #[arg(long, value_name = "FILE")]
    truth: PathBuf,
    /// Distance in the joint space [default: cosine for linear maps, otherwise euclidean]
    #[arg(long, value_name = "METRIC", value_enum)]
    metric: Option<MetricArg>,
    /// The k of recall@k, separated by commas
    #[arg(short, value_name = "K,K", value_delimiter = ',', default_value = "1,10")]
    k: Vec<usize>,
    #[command(flatten)]
    pub(crate) common: Common,
}

pub(crate) fn run(args: &EvaluateArgs, console: &Console) -> Result<()> {
    let mut ks = args.k.clone();
    ks.sort_unstable();
    ks.dedup();
    let _watch = Watch::start(console);
    let alignment = args.model.load()?;
    let truth = read_truth(&args.truth, &alignment)?;
    if ks.contains(&0) {
        return Err(Failure::usage("-k must be at least 1"));
    }
    let metric = args.metric.map_or(alignment.default_metric(), Metric::from);
    let scores = alignment.evaluate(truth.links(), &ks, Some(metric))?;
    if console.json {
        return console.print_json(&json!({
            "model": args.model.model.to_string_lossy(),
            "method": alignment.method(),
            "n_components": alignment.n_components(),
            "metric": serde_json::to_value(metric).unwrap_or_default(),
            "pairs": serde_json::to_value(&scores).unwrap_or_default(),
        }));
    }
    console.say(format!(
        "{}: {}, {}, {}\n",
        args.model.model.display(),
        alignment.method(),
        counted(alignment.n_components(), "component"),
        counted(alignment.pairs().len(), "pair") + " given"
    ));
    for (at, pair) in scores.iter().enumerate() {
        if at > 0 {
            console.print("\n")?;
        }
        console.print(&table(pair))?;
    }
    console.say(format!("{:<8} {}", "metric", metric.word()));
    for pair in scores.iter().filter(|p| p.held_out == 0) {
        console.warn(format!(
            "{} and {}: every true pair was used in fitting; nothing is held out, so these scores say little about other rows",
            pair.datasets[0], pair.datasets[1]
        ));
    }
    Ok(())
}
