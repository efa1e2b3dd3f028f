//! The arguments, and the pieces that several commands share.

use crate::Result;
use crate::commands::{completions, demo, embed, evaluate, features, fit, matches, plot, predict, transform};
use crate::failure::Failure;
use clap::{Args, Parser, Subcommand, ValueEnum};
use landbridge::geometry::neighbors::Metric;
use landbridge::model::Alignment;
use landbridge_io::{IdColumn, ReadOptions, format_for, modalities};
use std::path::{Path, PathBuf};

const TOUR: &str = "\
Begin with:
  landbridge demo                        two datasets, aligned, scored and drawn in a second

Then with your own data:
  landbridge fit --method linear -d 20 --pairs pairs.csv en.csv it.csv -o en-it.lb
  landbridge match en-it.lb --from en --to it -k 10 -o matches.csv
  landbridge evaluate en-it.lb --truth truth.csv
  landbridge plot en-it.lb -o picture.svg

Data goes to standard output or -o, words to standard error. A file is written whole or not at all.
Exit codes: 0 done, 1 the work failed, 2 the call was wrong, 130 stopped by Ctrl-C.";

/// Puts datasets that share no features into one space (manifold alignment).
#[derive(Debug, Parser)]
#[command(name = "landbridge", version, after_help = TOUR, max_term_width = 110)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Align datasets by known pairs and save the model.
    #[command(after_help = fit::EXAMPLES)]
    Fit(fit::FitArgs),
    /// Place new rows of one dataset in the joint space.
    #[command(after_help = transform::EXAMPLES)]
    Transform(transform::TransformArgs),
    /// Embed one dataset by itself: PCA, LSI, Isomap, Laplacian eigenmaps and others.
    #[command(after_help = embed::EXAMPLES)]
    Embed(embed::EmbedArgs),
    /// Say which row of one dataset is which row of the other.
    #[command(after_help = matches::EXAMPLES)]
    Match(matches::MatchArgs),
    /// Predict the features of one dataset for rows known only in another.
    #[command(after_help = predict::EXAMPLES)]
    Predict(predict::PredictArgs),
    /// Show the features that make each component, side by side.
    #[command(after_help = features::EXAMPLES)]
    Features(features::FeaturesArgs),
    /// Score a model against known truth, beside chance.
    #[command(after_help = evaluate::EXAMPLES)]
    Evaluate(evaluate::EvaluateArgs),
    /// Draw the datasets before and the joint space after.
    #[command(after_help = plot::EXAMPLES)]
    Plot(plot::PlotArgs),
    /// Align a made-up example, print what came out, draw it.
    #[command(after_help = demo::EXAMPLES)]
    Demo(demo::DemoArgs),
    /// Print the completion script of a shell.
    #[command(after_help = completions::EXAMPLES)]
    Completions(completions::CompletionsArgs),
}

impl Command {
    pub(crate) fn common(&self) -> Option<&Common> {
        match self {
            Command::Fit(a) => Some(&a.common),
            Command::Transform(a) => Some(&a.common),
            Command::Embed(a) => Some(&a.common),
            Command::Match(a) => Some(&a.common),
            Command::Predict(a) => Some(&a.common),
            Command::Features(a) => Some(&a.common),
            Command::Evaluate(a) => Some(&a.common),
            Command::Plot(a) => Some(&a.common),
            Command::Demo(a) => Some(&a.common),
            Command::Completions(_) => None,
        }
    }
}

/// What nearly every command understands.
#[derive(Debug, Args)]
pub(crate) struct Common {
    /// For machines: what came out as one line of JSON on standard output, errors as one line of JSON on standard error.
    #[arg(long, help_heading = "Talking")]
    pub(crate) json: bool,
    /// Say nothing but errors.
    #[arg(short, long, help_heading = "Talking")]
    pub(crate) quiet: bool,
}

/// Distance between rows.
#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
pub(crate) enum MetricArg {
    /// Length of the difference.
    Euclidean,
    /// One minus the cosine of the angle.
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
    /// Look at the first lines.
    Auto,
}

/// How data files are read.
#[derive(Debug, Args)]
#[command(next_help_heading = "Reading data files")]
pub(crate) struct ReadArgs {
    /// csv, tsv: is the first line a header?
    #[arg(long, value_name = "YES|NO|AUTO", value_enum, default_value = "auto", hide_possible_values = true)]
    header: HeaderArg,
    /// csv, tsv: the column with row ids; `none`: every column is data. With --header no: its position from 0
    /// [default: found out]
    #[arg(long, value_name = "NAME|none")]
    id_column: Option<String>,
    /// csv, tsv, h5ad, h5mu: the column (of obs) with class labels, which are no data but are kept for scores and pictures
    #[arg(long, visible_alias = "label-column", value_name = "NAME")]
    labels_column: Option<String>,
    /// Format of the files, where their names do not say it: csv, tsv, npy, npz, mtx, h5ad, h5mu
    #[arg(long, value_name = "FORMAT")]
    format: Option<String>,
    /// npz: which array
    #[arg(long, value_name = "NAME")]
    key: Option<String>,
    /// h5ad, h5mu: the layer to read [default: X]
    #[arg(long, value_name = "NAME", conflicts_with = "use_rep")]
    layer: Option<String>,
    /// h5ad, h5mu: the representation in obsm to read, such as X_pca [default: X]
    #[arg(long, value_name = "NAME")]
    use_rep: Option<String>,
    /// h5mu: the modality to read; `fit` on one h5mu file takes several, with commas between [default: all of them]
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    modality: Vec<String>,
    /// Refuse files that would take more memory than this [default: 16G]
    #[arg(long, value_name = "SIZE", value_parser = size)]
    max_memory: Option<u64>,
}

impl ReadArgs {
    /// Options for each file. One that has no meaning for any of them is refused.
    pub(crate) fn options(&self, paths: &[&Path]) -> Result<Vec<ReadOptions>> {
        let formats = paths.iter().map(|p| format_for(p, self.format.as_deref())).collect::<landbridge_io::Result<Vec<_>>>()?;
        let some = [
            ("--header", "header", self.header != HeaderArg::Auto, "csv or tsv"),
            ("--id-column", "id_column", self.id_column.is_some(), "csv or tsv"),
            ("--labels-column", "label_column", self.labels_column.is_some(), "csv, tsv, h5ad or h5mu"),
            ("--key", "key", self.key.is_some(), "npz"),
            ("--layer", "layer", self.layer.is_some(), "h5ad or h5mu"),
            ("--use-rep", "use_rep", self.use_rep.is_some(), "h5ad or h5mu"),
            ("--modality", "modality", !self.modality.is_empty(), "h5mu"),
        ];
        let any = [("--format", self.format.is_some()), ("--max-memory", self.max_memory.is_some())];
        let given = some.iter().map(|s| (s.0, s.2)).chain(any).find(|(_, given)| *given);
        if let Some((option, _)) = given.filter(|_| paths.is_empty()) {
            return Err(Failure::usage(format!("{option} has no meaning here: no data file is read")).hint("leave it out"));
        }
        let useless = |&&(_, option, given, _): &&(_, &str, bool, _)| given && !formats.iter().any(|f| f.takes(option));
        if let Some((option, _, _, formats)) = some.iter().find(useless) {
            return Err(Failure::usage(format!("{option} has no meaning here: no file is {formats}")).hint("leave it out"));
        }
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
        let default = ReadOptions::default();
        let options = |format: &&dyn landbridge_io::Format| {
            let takes = |option: &str| format.takes(option);
            let text = |given: &Option<String>, option: &str| given.clone().filter(|_| takes(option));
            ReadOptions {
                format: self.format.clone(),
                max_memory: self.max_memory.unwrap_or(default.max_memory),
                header: header.filter(|_| takes("header")),
                id_column: id_column.clone().filter(|_| takes("id_column")),
                label_column: text(&self.labels_column, "label_column"),
                key: text(&self.key, "key"),
                layer: text(&self.layer, "layer"),
                use_rep: text(&self.use_rep, "use_rep"),
                modality: self.modality.first().cloned().filter(|_| takes("modality")),
                ..default.clone()
            }
        };
        Ok(formats.iter().map(options).collect())
    }
}

/// A data file, and how to read it.
pub(crate) type Reading = (PathBuf, ReadOptions);

impl ReadArgs {
    /// One file of data.
    pub(crate) fn one(&self, path: &Path) -> Result<ReadOptions> {
        self.at_most_one_modality()?;
        Ok(self.options(&[path])?.remove(0))
    }

    /// The datasets in these files: one in each, but all modalities (or those of --modality) of a single h5mu file.
    pub(crate) fn several(&self, paths: &[PathBuf]) -> Result<Vec<Reading>> {
        let borrowed: Vec<&Path> = paths.iter().map(PathBuf::as_path).collect();
        let options = self.options(&borrowed)?;
        let [only] = &borrowed[..] else {
            self.at_most_one_modality()?;
            return Ok(paths.iter().cloned().zip(options).collect());
        };
        if format_for(only, self.format.as_deref())?.name() != "h5mu" {
            return Err(
                Failure::usage("one DATA file is given; an alignment needs two or more").hint("only an h5mu file holds several")
            );
        }
        let names = if self.modality.is_empty() { modalities(only, &options[0])? } else { self.modality.clone() };
        let reading = |name| (only.to_path_buf(), ReadOptions { modality: Some(name), ..options[0].clone() });
        Ok(names.into_iter().map(reading).collect())
    }

    fn at_most_one_modality(&self) -> Result<()> {
        match self.modality.len() {
            0 | 1 => Ok(()),
            n => Err(Failure::usage(format!("--modality names {n} modalities; here one is read from each file"))),
        }
    }
}

/// The model a command works on.
#[derive(Debug, Args)]
pub(crate) struct ModelArg {
    /// Model file, written by `landbridge fit`
    #[arg(value_name = "MODEL")]
    pub(crate) model: PathBuf,
}

/// The position of a dataset that is given by name or by position; a name comes first.
pub(crate) fn position(alignment: &Alignment, given: &str) -> Result<usize> {
    let by_name = alignment.position(given);
    Ok(match given.parse::<usize>() {
        Ok(position) if by_name.is_err() => alignment.position(position)?,
        _ => by_name?,
    })
}

/// Sizes as people write them: 1024, 512M, 16G.
fn size(text: &str) -> std::result::Result<u64, String> {
    let (digits, unit) = text.split_at(text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len()));
    let shift = match unit.trim().to_ascii_uppercase().trim_end_matches("IB").trim_end_matches('B') {
        "" => 0,
        "K" => 10,
        "M" => 20,
        "G" => 30,
        "T" => 40,
        _ => return Err("use a number of bytes, or one with K, M, G or T".into()),
    };
    let number: u64 = digits.parse().map_err(|_| "use a number of bytes, or one with K, M, G or T".to_string())?;
    number.checked_shl(shift).filter(|n| n >> shift == number && *n > 0).ok_or_else(|| "out of range".to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arguments_are_consistent() {
        use clap::CommandFactory;
        Cli::command().debug_assert();
    }

    #[test]
    fn sizes_are_read_as_people_write_them() {
        assert_eq!(size("1024"), Ok(1024));
        assert_eq!(size("512M"), Ok(512 << 20));
        assert_eq!(size("16GiB"), Ok(16 << 30));
        assert_eq!(size("2 kb"), Ok(2048));
        for bad in ["", "G", "-1", "1.5G", "99999999T", "3 apples", "0"] {
            assert!(size(bad).is_err(), "{bad}");
        }
    }
}
