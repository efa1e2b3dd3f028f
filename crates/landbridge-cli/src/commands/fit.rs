//! `landbridge fit`: datasets and pairs in, a model out.

use crate::Result;
use crate::args::{Common, ReadArgs};
use crate::failure::Failure;
use crate::methods::{given, typed};
use crate::output::{Console, check_target, counted, datasets_json, outcome_json, save_fitted, thousands};
use crate::progress::Watch;
use crate::shared::NamesArg;
use crate::sparse::PathArgs;
use clap::{ArgMatches, Args, ValueEnum};
use landbridge::choose::{Plan, Sizes, fit_within};
use landbridge::correspondence::{InferPairs, Inferring, Judged, Keep, TransportPairs};
use landbridge::data::{Dataset, Pairs};
use landbridge::geometry::neighbors::Metric;
use landbridge::method::Method;
use landbridge::params::{Given, Schema, Value, Words as _};
use landbridge::registry;
use landbridge_io::{
    Format, check_model_name, format_for, note_of_numbered, note_of_ratings, pairs_by_id, read_dataset, read_links, read_pairs,
};
use serde_json::json;
use std::path::{Path, PathBuf};

pub(crate) const EXAMPLES: &str = "\
Examples:
  landbridge fit linear -d 100 --pairs pairs.csv en.mtx it.mtx -o en-it.lb
  landbridge fit cca -d 100 --prepare unit-center \\
      --pairs pairs.csv en.mtx it.mtx -o en-it.lb
  landbridge fit linear -d 50 --stop-words en,it \\
      --pairs pairs.csv en.txt it.txt -o en-it.lb      # a document per line
  landbridge fit sparse -d 100 --alphas 0.2,0.1,0.05,0.02 --path-plot path.svg \\
      --pairs pairs.csv en.mtx it.mtx -o en-it.lb      # maps that use few features
  landbridge fit procrustes --embedding lsi -d 100 --pairs pairs.csv en.mtx it.mtx -o en-it.lb
  landbridge fit cle -d 2 --pairs pairs.csv --graphs w1.npz,w2.npz \\
      a.npy b.npy -o ab.lb
  landbridge fit clle -d 10 --ratings --pairs-by-id books.csv films.csv \\
      -o shops.lb                                      # lines of user, item, rating
  landbridge fit instance -d 10 --pairs-by-id --use-rep X_pca \\
      rna.h5ad atac.h5ad --label-column cell_type -o cells.lb
  landbridge fit procrustes --embedding none --pairs infer a.csv b.csv -o ab.lb
  landbridge fit cca -d 5 --pairs infer --infer transport rna.npy atac.npy \\
      -o cells.lb                                      # no pair known, by optimal transport
  landbridge fit cca -d 20 --links names rna.h5ad adt.h5ad -o cells.lb      # no pair known, but proteins and their genes
  landbridge fit linear -d 100 --preset chapter11 --pairs pairs.csv en.mtx it.mtx \\
      -o printed.lb                                    # as the paper prints it
  landbridge fit cca -d 20 --trust --pairs pairs.csv a.csv b.csv -o ab.lb
  landbridge fit global -d 20 --pairs pairs.csv a.npy b.npy --plan     # memory and time, before the fit

Pairs file: one column per dataset; the header names the datasets (by default
the file stems). Cells are row ids or row numbers from 0, empty where there is
no counterpart. A column `weight` may follow.
  en,it
  cat,gatto
  dog,cane";

#[derive(Debug, Args)]
pub(crate) struct FitArgs {
    /// Two or more data files: .csv .tsv .npy .npz .mtx .parquet .arrow .h5ad .h5mu .txt .jsonl .pdb .cif, each also .gz
    /// or .zst; a folder of text files; - for standard input; or one .h5mu with several modalities
    #[arg(value_name = "DATA", required = true, num_args = 1..)]
    data: Vec<PathBuf>,
    /// Find more pairs by self-training, from the known ones or from none, then fit the method and report how far to trust it
    #[arg(long)]
    self_train: bool,
    /// File of rows known to correspond, or the word infer to infer them
    #[arg(long, value_name = "FILE|infer")]
    pairs: Option<PathBuf>,
    /// How pairs are inferred [default: patterns]
    #[arg(long, value_name = "HOW", value_enum)]
    infer: Option<InferArg>,
    /// With --infer transport: price of rows that lose or gain mass, for datasets of unequal proportions; 1 changes little, 0.1
    /// much [default: all rows have the same mass]
    #[arg(long, value_name = "RHO")]
    rho: Option<f64>,
    /// Hold out known pairs in turn, and report how well they find each other (5 more fits)
    #[arg(long)]
    trust: bool,
    /// Exit with 3 unless the result can be trusted, by the verdict of self-training or, with known pairs, by holding some out as
    /// --trust does; the model is written all the same
    #[arg(long, conflicts_with = "plan")]
    require_trust: bool,
    /// Rows with the same id correspond (cells measured twice); an id that occurs twice in a dataset makes no pair
    #[arg(long, conflicts_with = "pairs")]
    pairs_by_id: bool,
    /// Columns known to correspond, for self-training (which this switches on) or with --infer transport: a csv or tsv file with a column of names or numbers for each dataset and
    /// perhaps one of weights; alike: columns spelled alike; names: genes and proteins by name
    #[arg(long, value_name = "FILE|alike|names")]
    links: Option<PathBuf>,
    /// Model file to write
    #[arg(short, long, value_name = "FILE", required_unless_present = "plan")]
    output: Option<PathBuf>,
    /// Predict memory and time of the fit, stage by stage, and fit nothing
    #[arg(long, conflicts_with_all = ["output", "trust", "map_only"])]
    plan: bool,
    /// Save the maps without the fitted rows: a small model that can map and predict new rows
    #[arg(long)]
    map_only: bool,
    /// The method as a paper prints it: parameters that are not given take the paper's values (landbridge methods lists the
    /// presets)
    #[arg(long, value_name = "NAME")]
    preset: Option<String>,
    #[command(flatten)]
    names: NamesArg,

    #[command(flatten)]
    path: PathArgs,
    #[command(flatten)]
    read: ReadArgs,
    #[command(flatten)]
    pub(crate) common: Common,
}

/// How pairs are inferred.
#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
enum InferArg {
    /// Local patterns of neighbours: for shapes
    Patterns,
    /// Optimal transport: for cells and other profiles
    Transport,
}

impl FitArgs {
    /// Refuses options that contradict each other or have no effect.
    fn check(&self, schema: &Schema) -> Result<()> {
        self.path.check(schema)?;
        if self.self_train && matches!(schema.family, "self_training" | "votes") {
            let message = format!("--self-train has no meaning for {}", typed(schema.name));
            return Err(Failure::usage(message).hint("leave it out"));
        }
        let trains = self.self_train || schema.family == "self_training";
        if trains && self.infers() && self.infer != Some(InferArg::Transport) {
            let message = "--self-train finds pairs by itself; --pairs infer would pass it inferred pairs as known";
            return Err(Failure::usage(message).hint("leave one of them out, or start with --infer transport"));
        }
        if self.path.is_given() && self.self_train {
            return Err(Failure::usage("--alphas has no meaning with --self-train").hint("give one --alpha"));
        }
        if self.path.is_given() && self.infers() {
            return Err(Failure::usage("--alphas are scored by known pairs, and --pairs infer has none").hint("give one --alpha"));
        }
        let dash = |path: &Path| path.as_os_str() == "-";
        if self.pairs.as_deref().is_some_and(dash) && self.data.iter().any(|p| dash(p)) {
            return Err(Failure::usage("- is given twice, and standard input can be read only once").hint("name a file"));
        }
        if self.infer.is_some() && !self.infers() {
            return Err(Failure::usage("--infer says how pairs are inferred, but none are").hint("give --pairs infer too"));
        }
        let transports = self.infers() && self.infer == Some(InferArg::Transport);
        if self.rho.is_some() && !transports {
            let message = "--rho is for optimal transport, which was not asked for";
            return Err(Failure::usage(message).hint("give --pairs infer --infer transport too"));
        }
        if self.links.is_some() && transports && trains {
            let message =
                "--links beside self-training that starts from --infer transport: self-training would not see the links";
            return Err(Failure::usage(message).hint("leave out --pairs infer: self-training starts from links by itself"));
        }
        if self.links.is_some() && ((self.infers() && !transports) || schema.family == "votes") {
            let message = "--links are for self-training, which finds pairs by itself, and for --infer transport";
            return Err(Failure::usage(message).hint("leave out --pairs infer, and choose a method that takes pairs"));
        }
        if self.trust && self.infers() {
            let message = "--trust holds out known pairs, and --pairs infer has none";
            return Err(Failure::usage(message).hint("leave one of them out"));
        }
        if self.common.json && self.output.as_deref().is_some_and(dash) {
            return Err(Failure::usage("--json and -o - both want standard output").hint("write the model to a file"));
        }
        Ok(())
    }

    /// The method as the library knows it.
    fn method(&self, schema: &'static Schema, given: &Given) -> Result<Box<dyn Method>> {
        let value = |name: &str| given.iter().find(|(n, _)| n == name).map(|(_, value)| value.clone());
        let seed = value("random_state");
        let n_jobs = value("n_jobs");
        let running = [("random_state", seed.clone()), ("n_jobs", n_jobs.clone())];
        let mut method = registry::method(schema.name, given.clone())?;
        if self.self_train || (self.links.is_some() && !self.infers() && schema.family != "self_training") {
            let mut own: Given = vec![("base".into(), Value::Method(schema.name.into(), given.clone()))];
            own.extend(running.into_iter().filter_map(|(name, value)| value.map(|v| (name.to_string(), v))));
            method = registry::method("self_training", own)?;
        }
        if !self.infers() {
            return Ok(method);
        }
        let whole = |value: Option<Value>| if let Some(Value::Int(n)) = value { n as u64 } else { 0 };
        let metric = match value("metric") {
            Some(Value::Text(word)) => Metric::from_word(&word),
            _ => None,
        };
        let (seed, n_jobs) = (whole(seed), whole(n_jobs) as usize);
        Ok(match self.infer {
            Some(InferArg::Transport) => {
                let infer = TransportPairs::new().metric(metric).rho(self.rho).random_state(seed).n_jobs(n_jobs);
                // Self-training treats its pairs as known, so it gets mutual ones only.
                let trains = self.self_train || schema.family == "self_training";
                let infer = if trains { infer.keep(Keep::Mutual) } else { infer };
                Box::new(Inferring::boxed(method, infer))
            }
            _ => {
                let infer = InferPairs::new().metric(metric.unwrap_or(Metric::Euclidean));
                Box::new(Inferring::boxed(method, infer.random_state(seed).n_jobs(n_jobs)))
            }
        })
    }

    /// Whether the pairs are inferred.
    fn infers(&self) -> bool {
        self.pairs.as_deref().is_some_and(|p| p.as_os_str() == "infer")
    }
}

/// The pairs of rows with the same id; there must be some.
pub(crate) fn shared_ids(datasets: &[Dataset]) -> Result<Pairs> {
    match pairs_by_id(datasets)? {
        pairs if pairs.is_empty() => {
            let message = "--pairs-by-id: no id occurs once in each of two datasets";
            Err(Failure::usage(message).hint("check the ids, or give --pairs"))
        }
        pairs => Ok(pairs),
    }
}

/// Reads the datasets of a call and reports each.
pub(crate) fn read_datasets(
    data: &[PathBuf],
    names: Option<&[String]>,
    read: &ReadArgs,
    console: &Console,
) -> Result<Vec<Dataset>> {
    let files = read.several(data)?;
    if let Some(names) = names.filter(|n| n.len() != files.len()) {
        let (names, files) = (counted(names.len(), "name"), counted(files.len(), "data file"));
        return Err(Failure::usage(format!("--names gives {names}, there are {files}")));
    }
    let (mut datasets, mut unlabelled): (Vec<Dataset>, Option<Failure>) = (vec![], None);
    for (a, (path, mut options)) in files.into_iter().enumerate() {
        options.name = names.map(|names| names[a].clone()).or(options.name);
        let dataset = match read_dataset(&path, &options) {
            // Labels of one dataset are enough: they are what is transferred to the others.
            Err(landbridge_io::Error::UnknownColumn { path, column, known })
                if options.label_column.is_some()
                    && path.as_os_str() != "-"
                    && read.label_column().map(|name| format!("\"{name}\"")) == Some(column.clone()) =>
            {
                options.label_column = None;
                let Ok(dataset) = read_dataset(&path, &options) else {
                    return Err(landbridge_io::Error::UnknownColumn { path, column, known }.into());
                };
                console.say(format!("{:<8} {}: no column {column}, read without labels", "data", dataset.name()));
                unlabelled.get_or_insert(landbridge_io::Error::UnknownColumn { path, column, known }.into());
                dataset
            }
            read => read?,
        };
        let with = [("ids", dataset.row_ids().is_some()), ("labels", dataset.labels().is_some())];
        let with: String = with.iter().filter(|w| w.1).map(|w| format!(", {}", w.0)).collect();
        console.say(format!(
            "{:<8} {}: {} × {}, {}{with}",
            "data",
            dataset.name(),
            counted(dataset.nrows(), "row"),
            counted(dataset.ncols(), "feature"),
            dataset.rows().kind()
        ));
        let lines = dataset.columns().and_then(note_of_ratings);
        let named = dataset.columns().is_some() || format_for(&path, options.format.as_deref()).is_ok_and(Format::is_text_table);
        let numbered = note_of_numbered(dataset.rows(), dataset.columns()).filter(|_| named && lines.is_none());
        lines.iter().chain(&numbered).for_each(|note| console.warn(format!("{}: {note}", dataset.name())));
        // Set before the pairs are read, because their columns are found by these names.
        if datasets.iter().any(|d| d.name() == dataset.name()) {
            return Err(landbridge::Error::DuplicateName { name: dataset.name().into() }.into());
        }
        datasets.push(dataset);
    }
    if let Some(failure) = unlabelled.filter(|_| datasets.iter().all(|d| d.labels().is_none())) {
        return Err(failure);
    }
    Ok(datasets)
}

pub(crate) fn run(args: &FitArgs, schema: &'static Schema, matches: &ArgMatches, console: &Console) -> Result<()> {
    args.check(schema)?;
    let mut given = given(schema, matches)?;
    if let Some(name) = &args.preset {
        let preset = registry::preset(name)?;
        if preset.method != schema.name {
            let message = format!("--preset {name} is of the method {}, not of {}", typed(preset.method), typed(schema.name));
            return Err(Failure::usage(message).hint(format!("landbridge fit {} --preset {name}", typed(preset.method))));
        }
        let own = preset.given.into_iter().filter(|(name, _)| !given.iter().any(|(n, _)| n == name));
        let own: Vec<_> = own.map(|(name, value)| (name.to_string(), value)).collect();
        given.extend(own);
    }
    // Wrong parameters are reported before files are read.
    if let Some((name, why)) = registry::method(schema.name, given.clone())?.contradiction() {
        return Err(Failure::usage(format!("--{} has no effect: {why}", typed(name))).hint("leave it out"));
    }
    if let Some(output) = &args.output {
        check_target(output)?;
        check_model_name(output)?;
    }
    let watch = Watch::start(console);
    let datasets = read_datasets(&args.data, args.names.names.as_deref(), &args.read, console)?;
    let pairs = match &args.pairs {
        Some(word) if args.infers() => {
            if word.exists() {
                console.say("note: --pairs infer infers the pairs; to use the file of that name, write ./infer");
            }
            Pairs::none(datasets.len())
        }
        Some(path) => read_pairs(path, &datasets.iter().collect::<Vec<_>>())?,
        None if args.pairs_by_id => shared_ids(&datasets)?,
        None => Pairs::none(datasets.len()),
    };
    let pairs = match &args.links {
        Some(given) => {
            let links = read_links(given, &datasets)?;
            console.say(format!("{:<8} {} between columns", "links", counted(links.len(), "link")));
            pairs.with_column_links(links)
        }
        None => pairs,
    };
    let path = args.path.choose(&mut given, &datasets, &pairs, &watch, console)?;
    let method = args.method(schema, &given)?;
    let Some(output) = &args.output else {
        let plan = Plan::new(&*method, &Sizes::of(&datasets, &pairs));
        return if console.json { console.print_json(&json!(plan)) } else { console.print(&(plan.table() + "\n")) };
    };
    let trains = args.self_train || args.links.is_some() || schema.family == "self_training";
    let judges = args.trust || (args.require_trust && !trains && !args.infers());
    let method: Box<dyn Method> = if judges { Box::new(Judged::boxed(method)) } else { method };
    let limit = args.read.limit();
    let alignment = watch.during(|progress| fit_within(&*method, &datasets, &pairs, limit, progress))?;
    watch.during(|_| save_fitted(output, &alignment, args.map_only))?;

    let outcome = alignment.outcome();
    let (n_pairs, known) = if args.infers() { (alignment.pairs().len(), "inferred") } else { (pairs.len(), "known") };
    console.say(format!("{:<8} {} {known}", "pairs", thousands(n_pairs)));
    let fitted = format!("{}, {}", alignment.method(), counted(alignment.n_components(), "component"));
    console.say(format!("{:<8} {fitted}, in {:.2} s", "fitted", outcome.seconds.iter().map(|s| s.seconds).sum::<f64>()));
    if let Some(levels) = alignment.levels() {
        let dimensions: Vec<String> = levels.iter().map(|l| l.dimension.to_string()).collect();
        console.say(format!("{:<8} {} dimensions, level 0 first", "levels", dimensions.join(", ")));
    }
    console.outcome(outcome);
    if alignment.sparse_map(0).is_ok() {
        for (a, dataset) in alignment.datasets().iter().enumerate() {
            let (used, all) = (alignment.features_used(a)?, dataset.n_features());
            let pruned = 100.0 * (1.0 - used as f64 / all as f64);
            console.say(format!("{:<8} {}: {used} of {} used, {pruned:.1} % pruned", "features", dataset.name(), thousands(all)));
        }
    }
    console.say(format!("{:<8} {}", "written", output.display()));
    let trusted = outcome.trusted();
    match (trusted, args.require_trust) {
        (Some(false), false) => console.warn("the result is not to be trusted (--require-trust makes that exit code 3)"),
        (None, true) => console.warn("no verdict says that the result can be trusted; more known pairs would tell"),
        _ => {}
    }
    if console.json {
        console.print_json(&json!({
            "model": output.to_string_lossy(),
            "method": alignment.method(),
            "n_components": alignment.n_components(),
            "datasets": datasets_json(&alignment),
            "pairs": n_pairs,
            "eigenvalues": alignment.eigenvalues(),
            "levels": alignment.levels(),
            "params": alignment.params(),
            "outcome": outcome_json(outcome),
            "path": path.map(|p| p.points),
            "trusted": trusted,
        }))?;
    }
    match trusted {
        Some(true) => Ok(()),
        _ if args.require_trust => Err(Failure::NotTrusted),
        _ => Ok(()),
    }
}
