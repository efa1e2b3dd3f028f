//! `landbridge tune`: the parameters of one method, by held-out pairs.

use crate::Result;
use crate::args::{Common, ReadArgs};
use crate::choose::{ChoiceArgs, aligned, candidates, interval, known_pairs, space};
use crate::commands::fit::read_datasets;
use crate::failure::Failure;
use crate::output::{Console, check_target};
use crate::progress::Watch;
use clap::Args;
use landbridge::choose::Tune;
use landbridge::params::Value;
use landbridge::registry;
use landbridge_io::{check_model_name, save_model};
use std::path::PathBuf;

pub(crate) const EXAMPLES: &str = "\
Examples:
  landbridge tune en.mtx it.mtx --pairs pairs.csv --method linear:n_components=50 -o best.lb
  landbridge tune a.npy b.npy --pairs pairs.csv --method cca -d 20 --space n_components=5..100,ridge=0.001..10
  landbridge tune a.npy b.npy --pairs pairs.csv --method instance:n_components=10 --space weights=heat|local

Tries settings on some of the held-out pairs, and the better ones on more. The
score comes from pairs that played no part in the search. --space names
parameters with a range LOW..HIGH (a logarithmic scale if LOW is above 0) or with
values separated by |; without it, the method's own list is taken.";

#[derive(Debug, Args)]
pub(crate) struct TuneArgs {
    /// Two or more data files, as for fit
    #[arg(value_name = "DATA", required = true, num_args = 1..)]
    data: Vec<PathBuf>,
    /// The method, with parameters that are the first setting tried: linear:n_components=50
    #[arg(long, value_name = "METHOD")]
    method: String,
    /// Dimension of the joint space of the first setting, if the method does not say it [default: 50, or as many as the data have]
    #[arg(short = 'd', long, value_name = "N")]
    n_components: Option<usize>,
    /// Which parameters, and their values [default: those that the method declares]
    #[arg(long, value_name = "NAME=LOW..HIGH,NAME=A|B")]
    space: Option<String>,
    /// Number of settings tried
    #[arg(long, value_name = "N", default_value_t = 30)]
    n_trials: usize,
    /// Number of folds of a full trial
    #[arg(long, value_name = "N", default_value_t = 5)]
    folds: usize,
    /// Number of parts of the pairs that are set aside in turn for the score
    #[arg(long, value_name = "N", default_value_t = 3)]
    outer: usize,
    /// Model file to write: the best setting, fitted to all pairs
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    choice: ChoiceArgs,
    #[command(flatten)]
    read: ReadArgs,
    #[command(flatten)]
    pub(crate) common: Common,
}

pub(crate) fn run(args: &TuneArgs, console: &Console) -> Result<()> {
    if let Some(output) = &args.output {
        check_target(output)?;
        check_model_name(output)?;
    }
    let watch = Watch::start(console);
    let datasets = read_datasets(&args.data, args.choice.names.names.as_deref(), &args.read, console)?;
    let pairs = known_pairs(&args.choice, &datasets)?;
    let mut first = candidates(&args.method, args.n_components, &datasets, args.choice.seed.random_state)?;
    if first.len() != 1 {
        return Err(Failure::usage("--method names one setting").hint("values to try go to --space"));
    }
    let method = first.remove(0).shared_method();
    let schema = method.schema();
    let space = args.space.as_deref().map(|text| space(schema, text)).transpose()?;
    let given = method.values();
    let tune = Tune::new(schema.name, given.clone()).n_trials(args.n_trials).folds(args.folds).outer(args.outer).space(space);
    let tune = tune.scoring(args.choice.scoring()?).groups(args.choice.groups(&datasets)?);
    let tune = tune.random_state(args.choice.seed.random_state).n_jobs(args.choice.threads.n_jobs);
    let found = watch.during(|progress| tune.tune_with(&datasets, &pairs, progress))?;
    if let Some(output) = &args.output {
        let mut best: Vec<(String, Value)> = given.into_iter().filter(|(n, _)| !found.best.iter().any(|(b, _)| b == n)).collect();
        best.extend(found.best.iter().cloned());
        let best = registry::method(schema.name, best)?;
        let alignment = watch.during(|progress| best.fit_with(&datasets, &pairs, progress))?;
        save_model(output, &alignment)?;
    }
    if console.json {
        return console.print_json(&serde_json::to_value(&found).unwrap_or_default());
    }
    let mut rows = vec![["", "score", "folds", "seconds", "parameters"].map(String::from).to_vec()];
    let mut order: Vec<usize> = (0..found.trials.len()).collect();
    let sign = if found.scoring.larger_is_better() { -1.0 } else { 1.0 };
    let worth = |t: usize| found.trials[t].score.map_or(f64::INFINITY, |s| sign * s);
    order.sort_by(|a, b| found.trials[*b].folds.cmp(&found.trials[*a].folds).then(worth(*a).total_cmp(&worth(*b))));
    for t in order {
        let trial = &found.trials[t];
        let mark = match t {
            t if t == found.best_trial => "*",
            0 => "given",
            _ => "",
        };
        let params: Vec<String> = trial.params.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let last = trial.error.as_ref().map_or_else(|| params.join(", "), |e| format!("{}: failed: {e}", params.join(", ")));
        let score = trial.score.map_or_else(String::new, |s| format!("{s:.3}"));
        rows.push(vec![mark.into(), score, trial.folds.to_string(), format!("{:.2}", trial.seconds), last]);
    }
    console.print(&aligned(&rows))?;
    let (score, low_high) = (found.score, (found.score.low, found.score.high));
    console.say(format!(
        "{:<8} {} {:.3} (95 % {}), on pairs set aside in {} parts",
        "score",
        found.scoring.name(),
        score.value,
        interval(low_high),
        args.outer
    ));
    console.say(format!("{:<8} {}", "verdict", found.verdict));
    if let Some(output) = &args.output {
        console.say(format!("{:<8} {}", "written", output.display()));
    }
    Ok(())
}
