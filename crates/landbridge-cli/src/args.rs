//! The arguments, and the pieces that several commands share.

use crate::Result;
use crate::commands::{
    align, bridge, check, check_drift, compare, completions, demo, embed, evaluate, export, features, fit, inspect, labels, man,
    matches, merge, methods, plot, predict, report, solve, stats, topics, transform, tune,
};
use crate::failure::Failure;
use crate::methods::typed;
use crate::methods::with_methods;
use crate::output::{Console, counted};
use clap::{Args, Parser, Subcommand, ValueEnum};
use landbridge::choose::Limit;
use landbridge::geometry::neighbors::Metric;
use landbridge::model::{Alignment, Fitted};
use landbridge::registry;
use landbridge_io::{
    Atoms, Format, IdColumn, Keep, Loaded, Missing, ReadOptions, StructureOptions, TextOptions, TextRecipe, Weighting,
    format_for, load_model, modalities, one_byte, own_options, read_new,
};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

const TOUR: &str = "\
Begin with:
  landbridge demo                        two datasets, aligned, scored and drawn in a second

Then with your own data:
  landbridge align en.csv it.csv --pairs pairs.csv -o en-it.lb       chooses a method
  landbridge methods                     the methods, and when to choose which
  landbridge fit linear -d 20 --pairs pairs.csv en.csv it.csv -o en-it.lb
  landbridge match en-it.lb --from en --to it -k 10 -o matches.csv
  landbridge evaluate en-it.lb --truth truth.csv
  landbridge report en-it.lb -o report.html                          a page to explore

Data goes to standard output or -o, messages to standard error. A file is written whole or not at all.
Exit codes: 0 success, 1 failure, 2 wrong arguments, 3 the result is not to be trusted, 130 stopped by Ctrl-C.

Environment:
  LANDBRIDGE_CPU=scalar|avx2|avx512      instructions that the kernels use; default: the widest of the processor
  RAYON_NUM_THREADS=N                    threads where --n-jobs is 0; default: all cores
  NO_COLOR=1                             no colours";

/// Align datasets that share no features in one joint space (manifold alignment).
#[derive(Debug, Parser)]
#[command(name = "landbridge", version, after_help = TOUR, max_term_width = 110)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Choose a method for the data, say how good it is, and fit it.
    #[command(after_help = align::EXAMPLES, display_order = 0)]
    Align(align::AlignArgs),
    /// Map the vectors of one embedding model to those of another, and say what the map is worth.
    #[command(after_help = bridge::EXAMPLES)]
    Bridge(bridge::BridgeArgs),
    /// Write a fitted map for use without landbridge: ONNX, npz, safetensors, json.
    #[command(after_help = export::EXAMPLES)]
    Export(export::ExportArgs),
    /// Tell whether new rows are still like those that a bridge was fitted on.
    #[command(after_help = check_drift::EXAMPLES)]
    CheckDrift(check_drift::CheckDriftArgs),
    /// Compare methods on held-out pairs.
    #[command(after_help = compare::EXAMPLES)]
    Compare(compare::CompareArgs),
    /// Tune the parameters of a method by held-out pairs.
    #[command(after_help = tune::EXAMPLES)]
    Tune(tune::TuneArgs),
    /// Place new rows of one dataset in the joint space.
    #[command(after_help = transform::EXAMPLES)]
    Transform(transform::TransformArgs),
    /// Match the rows of one dataset to those of another.
    #[command(after_help = matches::EXAMPLES)]
    Match(matches::MatchArgs),
    /// Predict the features of one dataset for rows known only in another.
    #[command(after_help = predict::EXAMPLES)]
    Predict(predict::PredictArgs),
    /// Sum up a shard of two datasets, for a model that is solved from the sums of all shards.
    #[command(after_help = stats::EXAMPLES)]
    Stats(stats::StatsArgs),
    /// Add up the statistics of shards, in any order.
    #[command(after_help = merge::EXAMPLES)]
    Merge(merge::MergeArgs),
    /// Show the top features of each component, the datasets side by side.
    #[command(after_help = features::EXAMPLES)]
    Features(features::FeaturesArgs),
    /// Show how data files are read: format, size, names, missing values.
    #[command(after_help = inspect::EXAMPLES)]
    Inspect(inspect::InspectArgs),
    /// Find given pairs that look wrong, and rows to pair next.
    #[command(after_help = check::EXAMPLES)]
    Check(check::CheckArgs),
    /// Score a model against known truth, next to the chance level.
    #[command(after_help = evaluate::EXAMPLES)]
    Evaluate(evaluate::EvaluateArgs),
    /// Draw the datasets before alignment and the joint space after it.
    #[command(after_help = plot::EXAMPLES)]
    Plot(plot::PlotArgs),
    /// Write one HTML page: the joint space to explore, and how good it is.
    #[command(after_help = report::EXAMPLES)]
    Report(report::ReportArgs),
    /// Show the words of aligned topics side by side, and draw the tree of levels.
    #[command(after_help = topics::EXAMPLES)]
    Topics(topics::TopicsArgs),
    /// Give the rows of one dataset the labels of another.
    #[command(after_help = labels::EXAMPLES)]
    Labels(labels::LabelsArgs),
    /// List the methods, and when to choose which.
    #[command(after_help = methods::EXAMPLES)]
    Methods(methods::MethodsArgs),
    /// Align example data, print the scores and draw the result.
    #[command(after_help = demo::EXAMPLES)]
    Demo(demo::DemoArgs),
    /// Print the completion script of a shell.
    #[command(after_help = completions::EXAMPLES)]
    Completions(completions::CompletionsArgs),
    /// Write the manual pages of all commands into a folder.
    #[command(hide = true)]
    Man(man::ManArgs),
}

/// The whole command line. `fit` and `embed` have a subcommand for each method, made from its declaration.
pub(crate) fn command() -> clap::Command {
    let fit = clap::Command::new("fit")
        .about("Align datasets by known pairs and save the model.")
        .override_usage("landbridge fit METHOD [OPTIONS] --pairs <FILE|infer> -o <FILE> <DATA>...")
        .after_help(fit::EXAMPLES);
    let embed = clap::Command::new("embed")
        .about("Embed one dataset by itself: PCA, LSI, Isomap, Laplacian eigenmaps and others.")
        .override_usage("landbridge embed METHOD [OPTIONS] <DATA>")
        .after_help(embed::EXAMPLES);
    let solve = clap::Command::new("solve")
        .about("Solve a model from merged statistics, without any row.")
        .override_usage("landbridge solve METHOD [OPTIONS] -o <FILE> <STATS>")
        .after_help(solve::EXAMPLES);
    let mut whole = <Cli as clap::CommandFactory>::command();
    // First in the list of commands, because everybody begins there.
    whole = whole.subcommand(with_methods(fit, &registry::methods(), fit::FitArgs::augment_args).display_order(0));
    whole = whole.subcommand(with_methods(solve, &solve::methods(), solve::SolveArgs::augment_args).display_order(4));
    whole.subcommand(with_methods(embed, &registry::embeddings(), embed::EmbedArgs::augment_args).display_order(3))
}

/// The arguments with the method behind `fit` or `embed`, wherever it was given: `--method linear` is the same as `linear`,
/// and `fit --self-train` without a method is `fit self-training`.
pub(crate) fn with_method_first(arguments: Vec<OsString>) -> Vec<OsString> {
    let mut arguments = with_dashes(arguments);
    let named = arguments.get(1).and_then(|a| a.to_str()).is_some_and(|a| matches!(a, "fit" | "embed" | "solve"));
    let schemas = if arguments.get(1).is_some_and(|a| a == "embed") { registry::embeddings() } else { registry::methods() };
    let known = |word: &str| schemas.iter().find(|s| s.name == word.replace('-', "_")).map(|s| typed(s.name));
    if !named {
        return arguments;
    }
    if let Some(found) = arguments.get(2).and_then(|a| a.to_str()).and_then(known) {
        arguments[2] = found.into();
        return arguments;
    }
    let at = arguments.iter().position(|a| a == "--method" || a.to_string_lossy().starts_with("--method="));
    let method = match at {
        Some(at) if arguments[at] == "--method" && at + 1 < arguments.len() => {
            arguments.remove(at);
            Some(arguments.remove(at))
        }
        Some(at) => Some(arguments.remove(at).to_string_lossy().trim_start_matches("--method=").into()),
        None => {
            let at = arguments.iter().position(|a| a == "--self-train");
            at.map(|at| {
                arguments.remove(at);
                "self-training".into()
            })
        }
    };
    if let Some(method) = method {
        let method = method.to_str().and_then(known).map_or(method, OsString::from);
        arguments.insert(2, method);
    }
    arguments
}

/// The arguments with options as they are declared: `--n_neighbors`, as Python writes it, is `--n-neighbors`.
fn with_dashes(arguments: Vec<OsString>) -> Vec<OsString> {
    let mut rest = false;
    let dashed = |argument: OsString| {
        rest = rest || argument == "--";
        match argument.to_str().filter(|text| text.starts_with("--") && !rest) {
            Some(text) => match text.split_once('=') {
                Some((name, value)) => format!("{}={value}", name.replace('_', "-")).into(),
                None if !text.contains(char::is_whitespace) => text.replace('_', "-").into(),
                None => argument,
            },
            None => argument,
        }
    };
    arguments.into_iter().map(dashed).collect()
}

/// Arguments that name a file to write.
const OUTPUTS: [&str; 4] = ["output", "save", "path_plot", "picture"];

/// The first output file that is also an input: data, pairs, a model.
pub(crate) fn overwritten(matches: &clap::ArgMatches) -> Option<PathBuf> {
    let mut own = matches;
    while let Some((_, inner)) = own.subcommand() {
        own = inner;
    }
    let named = |output: bool| {
        let ids = own.ids().filter(move |id| OUTPUTS.contains(&id.as_str()) == output);
        // Groups of arguments also have ids, but no values of their own.
        let values = ids.filter_map(|id| own.try_get_raw(id.as_str()).ok().flatten()).flatten();
        let file = |value: &std::ffi::OsStr| own_options(Path::new(value)).map_or_else(|_| value.into(), |(path, _)| path);
        values.map(file).filter(|path| path.is_file()).collect::<Vec<_>>()
    };
    let inputs: Vec<PathBuf> = named(false).iter().filter_map(|p| p.canonicalize().ok()).collect();
    named(true).into_iter().find(|p| p.canonicalize().is_ok_and(|p| inputs.contains(&p)))
}

impl Command {
    pub(crate) fn common(&self) -> Option<&Common> {
        match self {
            Command::Transform(a) => Some(&a.common),
            Command::Match(a) => Some(&a.common),
            Command::Predict(a) => Some(&a.common),
            Command::Features(a) => Some(&a.common),
            Command::Stats(a) => Some(&a.common),
            Command::Merge(a) => Some(&a.common),
            Command::Inspect(a) => Some(&a.common),
            Command::Check(a) => Some(&a.common),
            Command::Evaluate(a) => Some(&a.common),
            Command::Plot(a) => Some(&a.common),
            Command::Report(a) => Some(&a.common),
            Command::Topics(a) => Some(&a.common),
            Command::Align(a) => Some(&a.common),
            Command::Bridge(a) => Some(&a.common),
            Command::Export(a) => Some(&a.common),
            Command::CheckDrift(a) => Some(&a.common),
            Command::Compare(a) => Some(&a.common),
            Command::Tune(a) => Some(&a.common),
            Command::Labels(a) => Some(&a.common),
            Command::Methods(a) => Some(&a.common),
            Command::Demo(a) => Some(&a.common),
            Command::Completions(_) | Command::Man(_) => None,
        }
    }
}

/// Options of nearly every command.
#[derive(Debug, Args)]
pub(crate) struct Common {
    /// For machines: print the result as one line of JSON on standard output, and errors as one line on standard error.
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,
    /// Print errors only.
    #[arg(short, long, help_heading = "Output")]
    pub(crate) quiet: bool,
}

/// Distance between rows.
#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
pub(crate) enum MetricArg {
    /// Euclidean distance
    Euclidean,
    /// 1 - cosine
    Cosine,
}

impl From<MetricArg> for Metric {
    fn from(metric: MetricArg) -> Self {
        match metric {
            MetricArg::Euclidean => Metric::Euclidean,
            MetricArg::Cosine => Metric::Cosine,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
pub(crate) enum HeaderArg {
    /// The first line names the columns.
    Yes,
    /// The first line is data.
    No,
    /// Detect it from the first lines.
    Auto,
}

/// How missing values are handled.
#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
pub(crate) enum MissingArg {
    /// Refuse the file
    Error,
    /// Replace them by 0
    Zero,
    /// Replace them by the mean of their column in the file
    Mean,
    /// Leave out their rows
    Drop,
    /// Keep them as unknown, also entries that sparse files do not store (for methods that predict)
    Unknown,
}

#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
pub(crate) enum WeightingArg {
    /// tf-idf, with rows of length 1
    Tfidf,
    /// Word counts
    Counts,
}

#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
pub(crate) enum AtomsArg {
    /// The C-alpha of each residue
    Ca,
    /// Every atom
    All,
}

/// How data files are read. An option here is for all files; behind the name of a file it is for this file only.
#[derive(Debug, Args)]
#[command(next_help_heading = "Reading data files; for one of them: rna.h5ad:use_rep=X_pca,label_column=cell_type")]
pub(crate) struct ReadArgs {
    /// csv, tsv: whether the first line is a header
    #[arg(long, value_name = "YES|NO|AUTO", value_enum, default_value = "auto", hide_possible_values = true)]
    header: HeaderArg,
    /// Tables, jsonl: the column with row ids; `none`: every column is data. With --header no: its position from 0
    /// [default: detected]
    #[arg(long, value_name = "NAME|none")]
    id_column: Option<String>,
    /// Tables, jsonl, h5ad, h5mu: the column (of obs) with class labels. Labels are not data; they are kept for scores
    /// and pictures
    #[arg(long, alias = "labels-column", value_name = "NAME")]
    label_column: Option<String>,
    /// Tables, h5ad, h5mu: the column (of obs) with the batch of each row, such as its donor. cca, linear and self-training center
    /// rows within their batch
    #[arg(long, value_name = "NAME")]
    batch_column: Option<String>,
    /// Tables: the data columns, separated by commas; the others are not read. One list for all files [default: every
    /// column except ids and labels]
    #[arg(long, value_name = "NAME,NAME", value_delimiter = ',')]
    columns: Option<Vec<String>>,
    /// Format of the files, if their names do not show it: csv, tsv, npy, npz, mtx, parquet, arrow, h5ad, h5mu, txt,
    /// jsonl, pdb, mmcif
    #[arg(long, value_name = "FORMAT")]
    format: Option<String>,
    /// csv, tsv: the character between cells, such as ; [default: , or tab]
    #[arg(long, value_name = "CHAR", value_parser = byte)]
    delimiter: Option<u8>,
    /// csv, tsv: the character before decimals, a point or a comma [default: .]
    #[arg(long, value_name = "CHAR", value_parser = byte)]
    decimal: Option<u8>,
    /// npz: the array to read
    #[arg(long, value_name = "NAME")]
    key: Option<String>,
    /// h5ad, h5mu: the layer to read [default: X]
    #[arg(long, value_name = "NAME", conflicts_with = "use_rep")]
    layer: Option<String>,
    /// h5ad, h5mu: the representation in obsm to read, such as X_pca [default: X]
    #[arg(long, value_name = "NAME")]
    use_rep: Option<String>,
    /// h5mu: the modality to read; `fit` on one h5mu file takes several, separated by commas [default: all]
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    modality: Vec<String>,
    /// How empty cells and NaN are handled [default: error]
    #[arg(long, value_name = "WHAT", value_enum)]
    missing: Option<MissingArg>,
    /// csv, tsv: lines are user, item, rating; read them as a sparse matrix with one row per user
    #[arg(long)]
    ratings: bool,
    /// Refuse files and fits that would take more memory than this [default: 16G a file; a fit what is free, less a tenth]
    #[arg(long, value_name = "SIZE", value_parser = size)]
    max_memory: Option<u64>,

    /// jsonl: the field with the text [default: text]
    #[arg(long, value_name = "NAME", help_heading = "Reading text")]
    text_field: Option<String>,
    /// Leave out the most common words of a language: en, it, de, … One for all files, or one for each, separated by
    /// commas; `none` keeps all words
    #[arg(long, value_name = "LANG,LANG", value_delimiter = ',', help_heading = "Reading text")]
    stop_words: Option<Vec<String>>,
    /// Leave out words that occur in fewer documents than this [default: 1]
    #[arg(long, value_name = "N", help_heading = "Reading text")]
    min_df: Option<usize>,
    /// Keep only the most frequent words, this many [default: all]
    #[arg(long, value_name = "N", help_heading = "Reading text")]
    max_features: Option<usize>,
    /// Weighting of the words [default: tfidf]
    #[arg(long, value_name = "WHAT", value_enum, help_heading = "Reading text")]
    weighting: Option<WeightingArg>,
    /// Use character n-grams of these lengths instead of words
    #[arg(long, value_name = "LEAST-MOST", value_parser = span, help_heading = "Reading text")]
    char_ngrams: Option<(usize, usize)>,

    /// Number of the model in the file. One for all files, or one for each [default: the first]
    #[arg(long = "model", value_name = "N,N", value_delimiter = ',', help_heading = "Reading protein structures")]
    model_number: Option<Vec<u32>>,
    /// The chain. One for all files, or one for each [default: all]
    #[arg(long, value_name = "C,C", value_delimiter = ',', help_heading = "Reading protein structures")]
    chain: Option<Vec<String>>,
    /// Which atoms are rows [default: ca]
    #[arg(long, value_name = "WHICH", value_enum, help_heading = "Reading protein structures")]
    atoms: Option<AtomsArg>,
}

impl ReadArgs {
    /// The format options that were given: as typed, and as formats name them.
    fn given(&self) -> Vec<(&'static str, &'static str)> {
        let all = [
            ("--header", "header", self.header != HeaderArg::Auto),
            ("--id-column", "id_column", self.id_column.is_some()),
            ("--label-column", "label_column", self.label_column.is_some()),
            ("--batch-column", "batch_column", self.batch_column.is_some()),
            ("--columns", "columns", self.columns.is_some()),
            ("--delimiter", "delimiter", self.delimiter.is_some()),
            ("--decimal", "decimal", self.decimal.is_some()),
            ("--key", "key", self.key.is_some()),
            ("--layer", "layer", self.layer.is_some()),
            ("--use-rep", "use_rep", self.use_rep.is_some()),
            ("--modality", "modality", !self.modality.is_empty()),
            ("--ratings", "ratings", self.ratings),
            ("--text-field", "text_field", self.text_field.is_some()),
            ("--stop-words", "stop_words", self.stop_words.is_some()),
            ("--min-df", "min_df", self.min_df.is_some()),
            ("--max-features", "max_features", self.max_features.is_some()),
            ("--weighting", "weighting", self.weighting.is_some()),
            ("--char-ngrams", "char_ngrams", self.char_ngrams.is_some()),
            ("--model", "model", self.model_number.is_some()),
            ("--chain", "chain", self.chain.is_some()),
            ("--atoms", "atoms", self.atoms.is_some()),
        ];
        all.into_iter().filter(|(_, _, given)| *given).map(|(typed, known, _)| (typed, known)).collect()
    }

    /// The label column asked for in all files.
    pub(crate) fn label_column(&self) -> Option<&str> {
        self.label_column.as_deref()
    }

    /// The memory that a fit may take.
    pub(crate) fn limit(&self) -> Limit {
        self.max_memory.map_or(Limit::Free, Limit::Bytes)
    }

    /// The files, each with its options: those of all files, and its own behind its name, which come first. Refuses an option
    /// that applies to none of them.
    pub(crate) fn options(&self, paths: &[&Path]) -> Result<Vec<Reading>> {
        let own = paths.iter().map(|p| own_options(p)).collect::<landbridge_io::Result<Vec<_>>>()?;
        let told =
            |own: &[(String, String)]| own.iter().rev().find(|(name, _)| name == "format").map(|(_, format)| format.clone());
        let format =
            |(path, own): &(PathBuf, Vec<_>)| format_for(path, told(own).as_ref().or(self.format.as_ref()).map(|f| &**f));
        let formats = own.iter().map(format).collect::<landbridge_io::Result<Vec<_>>>()?;
        let any = [
            ("--format", self.format.is_some()),
            ("--missing", self.missing.is_some()),
            ("--max-memory", self.max_memory.is_some()),
        ];
        let given = self.given();
        let typed = given.iter().map(|(typed, _)| *typed).chain(any.iter().filter(|(_, given)| *given).map(|(typed, _)| *typed));
        if let Some(option) = typed.into_iter().next().filter(|_| paths.is_empty()) {
            return Err(Failure::usage(format!("{option} has no meaning here: no data file is read")).hint("leave it out"));
        }
        for (typed, known) in given {
            if !formats.iter().any(|f| f.understands(known)) {
                let which: Vec<&str> =
                    landbridge_io::formats().iter().filter(|f| f.understands(known)).map(|f| f.name()).collect();
                let which = one_of(&which);
                return Err(Failure::usage(format!("{typed} has no meaning here: no file is {which}")).hint("leave it out"));
            }
        }
        if own.iter().filter(|(path, _)| path.as_os_str() == "-").count() > 1 {
            return Err(Failure::usage("- is given twice, and standard input can be read only once").hint("name a file"));
        }
        let n = paths.len();
        let stop_words = for_each(&self.stop_words, n, "--stop-words")?;
        let (models, chains) = (for_each(&self.model_number, n, "--model")?, for_each(&self.chain, n, "--chain")?);
        let reading = |(a, (path, own)): (usize, (PathBuf, Vec<(String, String)>))| {
            let mut options = self.options_of(formats[a], stop_words[a], models[a], chains[a])?;
            options.set(&own)?;
            options.check(&path, formats[a])?;
            Ok((path, options))
        };
        own.into_iter().enumerate().map(reading).collect()
    }

    fn options_of(
        &self,
        format: &dyn Format,
        stop_words: Option<&String>,
        model: Option<&u32>,
        chain: Option<&String>,
    ) -> Result<ReadOptions> {
        let header = match self.header {
            HeaderArg::Yes => Some(true),
            HeaderArg::No => Some(false),
            HeaderArg::Auto => None,
        };
        let id_column = self.id_column.as_deref().map(|name| match name.parse() {
            _ if name == "none" => IdColumn::Absent,
            Ok(position) if header == Some(false) => IdColumn::Position(position),
            _ => IdColumn::Name(name.into()),
        });
        // Each format gets the options that it understands; some file understands each, as checked above.
        let has = |option: &str| format.understands(option);
        let default = ReadOptions::default();
        let text = |given: &Option<String>, option: &str| given.clone().filter(|_| has(option));
        Ok(ReadOptions {
            name: None,
            format: self.format.clone(),
            header: header.filter(|_| has("header")),
            id_column: id_column.filter(|_| has("id_column")),
            label_column: text(&self.label_column, "label_column"),
            batch_column: text(&self.batch_column, "batch_column"),
            columns: self.columns.clone().filter(|_| has("columns")),
            delimiter: self.delimiter.filter(|_| has("delimiter")),
            decimal: self.decimal.filter(|_| has("decimal")),
            key: text(&self.key, "key"),
            layer: text(&self.layer, "layer"),
            use_rep: text(&self.use_rep, "use_rep"),
            modality: self.modality.first().cloned().filter(|_| has("modality")),
            max_memory: self.max_memory.unwrap_or(default.max_memory),
            missing: match self.missing {
                None | Some(MissingArg::Error) => Missing::Error,
                Some(MissingArg::Zero) => Missing::Zero,
                Some(MissingArg::Mean) => Missing::Mean,
                Some(MissingArg::Drop) => Missing::Drop,
                Some(MissingArg::Unknown) => Missing::Unknown,
            },
            ratings: self.ratings && has("ratings"),
            structure: StructureOptions {
                model: model.copied().filter(|_| has("model")),
                chain: chain.cloned().filter(|_| has("chain")),
                atoms: self.atoms.filter(|_| has("atoms")).map(|atoms| match atoms {
                    AtomsArg::Ca => Atoms::Ca,
                    AtomsArg::All => Atoms::All,
                }),
            },
            text: TextOptions {
                field: text(&self.text_field, "text_field"),
                stop_words: stop_words.cloned().filter(|s| has("stop_words") && s != "none"),
                min_df: self.min_df.filter(|_| has("min_df")),
                max_features: self.max_features.filter(|_| has("max_features")),
                weighting: self.weighting.filter(|_| has("weighting")).map(|weighting| match weighting {
                    WeightingArg::Tfidf => Weighting::Tfidf,
                    WeightingArg::Counts => Weighting::Counts,
                }),
                char_ngrams: self.char_ngrams.filter(|_| has("char_ngrams")),
            },
            recipe: None,
            keep: Keep::default(),
        })
    }

    /// Reads new rows of a fitted dataset. Text follows the recipe in the model.
    pub(crate) fn read_new(&self, path: &Path, fitted: &Fitted, console: &Console) -> Result<Loaded> {
        read_as(self.for_new(path, fitted)?, fitted, console)
    }

    /// The options for new rows of a fitted dataset.
    pub(crate) fn for_new(&self, path: &Path, fitted: &Fitted) -> Result<Reading> {
        let (path, mut options) = self.one(path)?;
        if path.as_os_str() == "-" && options.format.is_none() {
            options.format = shown_format(std::io::stdin().lock());
        }
        let format = format_for(&path, options.format.as_deref())?;
        // Lines of jsonl may be vectors, which need no recipe.
        let recipe = if format.is_text() { TextRecipe::of(fitted)? } else { None };
        if format.is_text() && (recipe.is_some() || format.name() != "jsonl") {
            let given = self.given().into_iter().map(|(_, known)| known).chain(options.given());
            if let Some(known) = given.into_iter().find(|known| WORD_OPTIONS.contains(known)) {
                let message = format!("--{} has no meaning here: the model defines how text becomes columns", typed(known));
                return Err(Failure::usage(message).hint("leave it out"));
            }
            options.recipe = Some(recipe_of(fitted)?.into());
        }
        Ok((path, options))
    }
}

/// Reads new rows of a fitted dataset, as the options say.
pub(crate) fn read_as((path, options): Reading, fitted: &Fitted, console: &Console) -> Result<Loaded> {
    let name = format!("new rows of {}", fitted.name());
    let (loaded, notes) = read_new(&path, &options, &name, fitted.n_features(), fitted.columns())?;
    notes.iter().for_each(|note| console.warn(note.to_string()));
    Ok(loaded)
}

/// The format that the first bytes show, where they show one; nothing is taken from the source. `None` is csv.
fn shown_format(mut source: impl std::io::BufRead) -> Option<String> {
    let first = source.fill_buf().ok()?;
    let start = first.trim_ascii_start();
    match start.first() {
        Some(b'{' | b'[') => Some("jsonl".into()),
        _ if first.starts_with(b"\x93NUMPY") => Some("npy".into()),
        _ => None,
    }
}

/// Options that the recipe of a model determines.
const WORD_OPTIONS: [&str; 5] = ["stop_words", "min_df", "max_features", "weighting", "char_ngrams"];

/// The text recipe of a fitted dataset; text needs one.
pub(crate) fn recipe_of(fitted: &Fitted) -> Result<TextRecipe> {
    TextRecipe::of(fitted)?.ok_or_else(|| {
        let message = format!("dataset \"{}\" was not fitted from text, so it cannot read new text", fitted.name());
        Failure::usage(message).hint("give rows with the same columns as the fitted ones")
    })
}

/// One value for all files, or one for each.
fn for_each<'a, T>(values: &'a Option<Vec<T>>, files: usize, option: &str) -> Result<Vec<Option<&'a T>>> {
    match values.as_deref() {
        None => Ok(vec![None; files]),
        Some([one]) => Ok(vec![Some(one); files]),
        Some(several) if several.len() == files => Ok(several.iter().map(Some).collect()),
        Some(several) => {
            let (values, files) = (counted(several.len(), "value"), counted(files, "data file"));
            Err(Failure::usage(format!("{option} gives {values}, there are {files}")).hint("give one for all, or one for each"))
        }
    }
}

/// "csv, tsv or npz".
fn one_of(words: &[&str]) -> String {
    match words {
        [] => "of a kind that has it".into(),
        [one] => one.to_string(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

/// One ASCII character; `tab` and `\t` are the tab.
fn byte(text: &str) -> std::result::Result<u8, String> {
    one_byte(text).ok_or_else(|| "use one character, such as ; or tab".into())
}

/// Two numbers separated by a dash, or one for both.
fn span(text: &str) -> std::result::Result<(usize, usize), String> {
    landbridge_io::span(text).ok_or_else(|| "use two numbers, as 3-5, or one".into())
}

/// A data file and its reading options.
pub(crate) type Reading = (PathBuf, ReadOptions);

impl ReadArgs {
    /// One file of data.
    pub(crate) fn one(&self, path: &Path) -> Result<Reading> {
        self.at_most_one_modality()?;
        Ok(self.options(&[path])?.remove(0))
    }

    /// The datasets in these files: one per file, or all modalities (or those of --modality) of a single h5mu file.
    pub(crate) fn several(&self, paths: &[PathBuf]) -> Result<Vec<Reading>> {
        let borrowed: Vec<&Path> = paths.iter().map(PathBuf::as_path).collect();
        let readings = self.options(&borrowed)?;
        let [(only, options)] = &readings[..] else {
            self.at_most_one_modality()?;
            return Ok(readings);
        };
        if format_for(only, options.format.as_deref())?.name() != "h5mu" {
            return Err(
                Failure::usage("one DATA file is given; an alignment needs two or more").hint("only an h5mu file holds several")
            );
        }
        self.modalities_of(only, options)
    }

    /// Everything in these files: an h5mu file stands for all its modalities, or those of --modality.
    pub(crate) fn everything(&self, paths: &[PathBuf]) -> Result<Vec<Reading>> {
        let borrowed: Vec<&Path> = paths.iter().map(PathBuf::as_path).collect();
        let mut readings = vec![];
        for (path, options) in self.options(&borrowed)? {
            match format_for(&path, options.format.as_deref())?.understands("modality") {
                true => readings.extend(self.modalities_of(&path, &options)?),
                false => readings.push((path, options)),
            }
        }
        Ok(readings)
    }

    fn modalities_of(&self, path: &Path, options: &ReadOptions) -> Result<Vec<Reading>> {
        let names = match &options.modality {
            Some(own) if !self.modality.contains(own) => vec![own.clone()],
            _ if self.modality.is_empty() => modalities(path, options)?,
            _ => self.modality.clone(),
        };
        let reading = |name| (path.to_path_buf(), ReadOptions { modality: Some(name), ..options.clone() });
        Ok(names.into_iter().map(reading).collect())
    }

    fn at_most_one_modality(&self) -> Result<()> {
        match self.modality.len() {
            0 | 1 => Ok(()),
            n => Err(Failure::usage(format!("--modality names {n} modalities; here one is read from each file"))),
        }
    }
}

/// The model that a command uses.
#[derive(Debug, Args)]
pub(crate) struct ModelArg {
    /// Model file, written by `landbridge fit`
    #[arg(value_name = "MODEL")]
    pub(crate) model: PathBuf,
    /// multiscale: the level, 0 is the finest [default: the finest that is smaller than the whole space]
    #[arg(long, value_name = "N")]
    pub(crate) level: Option<usize>,
}

impl ModelArg {
    /// The model, at its level.
    pub(crate) fn load(&self) -> Result<Alignment> {
        let alignment = load_model(&self.model)?;
        match self.level {
            None => Ok(alignment),
            Some(_) if alignment.levels().is_none() => {
                let message = format!("--level has no meaning for a model of method {}", alignment.method());
                Err(Failure::usage(message).hint("leave it out; multiscale has levels"))
            }
            Some(level) => Ok(alignment.at_level(level)?),
        }
    }
}

/// The position of a dataset that is given by name or by position; a name takes precedence.
pub(crate) fn position(alignment: &Alignment, given: &str) -> Result<usize> {
    let by_name = alignment.position(given);
    Ok(match given.parse::<usize>() {
        Ok(position) if by_name.is_err() => alignment.position(position)?,
        _ => by_name?,
    })
}

/// Sizes as people write them: 1024, 512M, 16G.
fn size(text: &str) -> std::result::Result<u64, String> {
    match Limit::named(text) {
        Ok(Limit::Bytes(bytes)) => Ok(bytes),
        _ => Err("use a number of bytes, or one with K, M, G or T".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arguments_are_consistent() {
        command().debug_assert();
    }

    #[test]
    fn underscores_in_options_are_dashes_and_values_are_left_alone() {
        let typed = ["fit", "--n_neighbors", "5", "--label_column=cell_type", "a_b.csv", "--", "--x_y"].map(OsString::from);
        let read = ["fit", "--n-neighbors", "5", "--label-column=cell_type", "a_b.csv", "--", "--x_y"].map(OsString::from);
        assert_eq!(with_dashes(typed.to_vec()), read);
    }

    #[test]
    fn spans_are_read_as_people_write_them() {
        assert_eq!(span("3-5"), Ok((3, 5)));
        assert_eq!(span("4"), Ok((4, 4)));
        for bad in ["", "-", "3-", "a-b", "-3"] {
            assert!(span(bad).is_err(), "{bad}");
        }
    }
}
