//! `landbridge evaluate`: a model against known truth.

use crate::Result;
use crate::args::{Common, MetricArg, ModelArg, ReadArgs, position};
use crate::failure::Failure;
use crate::output::{Console, Said, counted};
use crate::progress::Watch;
use crate::scores::{read_truth, table};
use clap::Args;
use landbridge::geometry::neighbors::Metric;
use landbridge::linalg::Matrix;
use landbridge::model::{Alignment, Places};
use landbridge::params::Words as _;
use landbridge_io::{Error, Pieces, format_for, new_rows};
use serde_json::json;
use std::path::{Path, PathBuf};

pub(crate) const EXAMPLES: &str = "\
Examples:
  landbridge evaluate en-it.lb --truth truth.csv
  landbridge evaluate en-it.lb --truth truth.csv --metric cosine -k 1,5,10 --json
  landbridge evaluate solved.lb --rows en=new-en.parquet --rows it=new-it.parquet --truth truth.csv

The truth file has the format of a pairs file. Held out are the true pairs that
were not given in fitting and do not follow from given ones: the honest figure.
Rivals are all rows of the other dataset. With --rows the truth is about these
rows, which are read piece by piece: only their coordinates are kept.
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
    /// Evaluate on these rows of a dataset instead of its fitted ones, once for each dataset; needed for models without rows
    #[arg(long, value_name = "DATASET=FILE", value_parser = named_file)]
    rows: Vec<(String, PathBuf)>,
    #[command(flatten)]
    read: ReadArgs,
    #[command(flatten)]
    pub(crate) common: Common,
}

fn named_file(text: &str) -> std::result::Result<(String, PathBuf), String> {
    let (name, file) = text.split_once('=').ok_or("write the dataset before the file, as en=new-en.parquet")?;
    Ok((name.into(), file.into()))
}

impl EvaluateArgs {
    /// The model with the given rows in place of the fitted ones.
    fn with_rows(&self, alignment: Alignment, (watch, console): (&Watch, &Console)) -> Result<Alignment> {
        let mut given: Vec<Option<&Path>> = vec![None; alignment.datasets().len()];
        for (name, file) in &self.rows {
            let at = position(&alignment, name)?;
            if given[at].replace(file).is_some() {
                return Err(Failure::usage(format!("--rows {name}= is given twice")));
            }
        }
        let mut places = vec![];
        for (at, (file, fitted)) in given.iter().zip(alignment.datasets()).enumerate() {
            places.push(match file {
                Some(file) => self.places(&alignment, at, file, (watch, console))?,
                None if fitted.nrows() == 0 => {
                    let message = format!("the model has no rows of dataset \"{}\"", fitted.name());
                    return Err(Failure::usage(message).hint(format!("give them: --rows {}=FILE", fitted.name())));
                }
                None => Places {
                    embedding: fitted.embedding().clone(),
                    row_ids: fitted.row_ids().map(<[_]>::to_vec),
                    labels: fitted.labels().map(<[_]>::to_vec),
                },
            });
        }
        console.warn("pairs of --rows that were used in fitting cannot be told from others: leave them out of the truth");
        Ok(alignment.with_places(places)?)
    }

    /// The rows of a file in the joint space, read piece by piece where that is possible.
    fn places(&self, alignment: &Alignment, at: usize, file: &Path, (watch, console): (&Watch, &Console)) -> Result<Places> {
        let fitted = &alignment.datasets()[at];
        let (path, options) = self.read.for_new(file, fitted)?;
        let pieces = match Pieces::open(&path, format_for(&path, options.format.as_deref())?, &options) {
            Err(Error::NotInPieces { .. }) => None,
            pieces => Some(pieces?),
        };
        let (mut values, mut ids, mut labels, mut width) = (vec![], vec![], vec![], 0);
        let mut add = |loaded: landbridge_io::Loaded| -> Result<()> {
            let placed = watch.during(|_| alignment.transform(&loaded.rows, at))?;
            width = placed.ncols();
            values.extend_from_slice(placed.as_slice());
            ids.extend(loaded.row_ids.into_iter().flatten());
            labels.extend(loaded.labels.into_iter().flatten());
            Ok(())
        };
        match pieces {
            None => add(self.read.read_new(file, fitted, console)?)?,
            Some(pieces) => {
                let name = format!("new rows of {}", fitted.name());
                let mut said = Said::default();
                pieces.read(
                    |_| true,
                    |_, loaded| -> Result<()> {
                        let (loaded, notes) = new_rows(loaded, &options, &name, fitted.n_features(), fitted.columns())?;
                        console.warn_once(notes, &loaded, &options, &mut said);
                        add(loaded)
                    },
                )?;
            }
        }
        let rows = values.len() / width.max(1);
        let all = |names: Vec<String>| (names.len() == rows).then_some(names);
        Ok(Places { embedding: Matrix::from_vec(values, rows, width)?, row_ids: all(ids), labels: all(labels) })
    }
}

pub(crate) fn run(args: &EvaluateArgs, console: &Console) -> Result<()> {
    let mut ks = args.k.clone();
    ks.sort_unstable();
    ks.dedup();
    let watch = Watch::start(console);
    let files: Vec<&Path> = args.rows.iter().map(|(_, file)| file.as_path()).collect();
    args.read.options(&files)?; // wrong options are reported before the model is loaded
    let mut alignment = args.model.load()?;
    if !args.rows.is_empty() {
        alignment = args.with_rows(alignment, (&watch, console))?;
    } else if !alignment.has_rows() {
        let message = format!("{} has no rows to evaluate: it was solved or saved without them", args.model.model.display());
        let names: Vec<String> = alignment.datasets().iter().map(|d| format!("--rows {}=FILE", d.name())).collect();
        return Err(Failure::usage(message).hint(format!("give rows that the truth is about: {}", names.join(" "))));
    }
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
