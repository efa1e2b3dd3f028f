//! `landbridge match`: matches the rows of one dataset to those of another.

use crate::Result;
use crate::args::{Common, MetricArg, ModelArg, ReadArgs, position, recipe_of};
use crate::failure::Failure;
use crate::output::{Console, check_target, counted, thousands};
use crate::parts::Parts;
use crate::progress::Watch;
use crate::shared::{KeepArg, NewRows};
use clap::{Args, ValueEnum};
use landbridge::apply::matching::{How, Matches};
use landbridge::data::Rows;
use landbridge::geometry::neighbors::Metric;
use landbridge::model::{Alignment, Fitted};
use landbridge_io::{Column, Kept, TableOptions, format_for, write_columns_beside, write_table};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

pub(crate) const EXAMPLES: &str = "\
Examples:
  landbridge match en-it.lb --from en --to it -k 10 -o matches.csv
  landbridge match en-it.lb --from en --to it --how mutual          # csv on standard output
  landbridge match en-it.lb --from en --to it --how csls --min-confidence 0.9
  landbridge match en-it.lb --from en --to it --new new-en.csv -k 3 --keep title
  landbridge match en-it.lb --from en --text 'the price of bread'    # a model fitted from text

Columns: source_row, source_id (if there are ids), rank (from 1), target_row,
target_id, distance; with --text also target_text, how the text of the target row
begins. Rows are counted from 0. The distance of csls is its negated score. With
`mutual` and `assignment` a row may have no match; such rows are left out.
--confidence adds a column: the chance that the best match of a row is right
(empty for other ranks). It takes up to half as long as self-training.";

#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
enum HowArg {
    /// The nearest target rows
    Nearest,
    /// Nearest by cosine, with a penalty on rows that are near to many others (CSLS)
    Csls,
    /// Mutual nearest neighbours only
    Mutual,
    /// One to one, with the least total distance
    Assignment,
}

#[derive(Debug, Args)]
pub(crate) struct MatchArgs {
    #[command(flatten)]
    model: ModelArg,
    /// Dataset whose rows to match, by name or by position from 0
    #[arg(long, value_name = "NAME")]
    from: String,
    /// Dataset in which to find them [default: the other one, if there are two]
    #[arg(long, value_name = "NAME")]
    to: Option<String>,
    /// Matches per row [default: 1; with --text 10, or all if there are fewer]
    #[arg(short, value_name = "K")]
    k: Option<usize>,
    /// How matches are chosen [default: csls where self-training found that it is right more often, otherwise nearest]
    #[arg(long, value_name = "HOW", value_enum)]
    how: Option<HowArg>,
    /// Distance in the joint space [default: cosine for linear maps and csls, otherwise euclidean]
    #[arg(long, value_name = "METRIC", value_enum)]
    metric: Option<MetricArg>,
    /// Add the chance that each best match is right
    #[arg(long, conflicts_with_all = ["new", "text"])]
    confidence: bool,
    /// Leave out rows whose best match has a lower chance of being right; adds the chances
    #[arg(long, value_name = "P", conflicts_with_all = ["new", "text"])]
    min_confidence: Option<f64>,
    /// Match these new rows of the source instead of the fitted ones
    #[arg(long, value_name = "ROWS")]
    new: Option<PathBuf>,
    /// Match this sentence, if the source was fitted from text
    #[arg(long, value_name = "TEXT", conflicts_with = "new")]
    text: Option<String>,
    /// File to write: .csv .tsv .parquet .arrow, also .gz or .zst; or a folder, as out/: then the file of --new is read and
    /// matched piece by piece, whatever its size [default: csv on standard output]
    #[arg(short, long, value_name = "FILE|FOLDER/")]
    output: Option<PathBuf>,
    /// Go on with the parts in the folder of -o, which an earlier call did not finish
    #[arg(long)]
    resume: bool,
    /// Put ' before ids that a spreadsheet would treat as a formula
    #[arg(long)]
    escape_formulas: bool,
    #[command(flatten)]
    keep: KeepArg,
    #[command(flatten)]
    read: ReadArgs,
    #[command(flatten)]
    pub(crate) common: Common,
}

impl MatchArgs {
    fn how_and_metric(&self, alignment: &Alignment) -> (How, Metric) {
        let how = match self.how {
            Some(HowArg::Nearest) => How::Nearest,
            Some(HowArg::Csls) => How::Csls,
            Some(HowArg::Mutual) => How::Mutual,
            Some(HowArg::Assignment) => How::Assignment,
            None => alignment.default_how(self.metric.map(Metric::from)),
        };
        let own = if how == How::Csls { Metric::Cosine } else { alignment.default_metric() };
        (how, self.metric.map_or(own, Metric::from))
    }

    /// The folder for parts, if the output is one.
    fn parts(&self) -> Result<Option<Parts<'_>>> {
        let Some(parts) = Parts::of(self.output.as_deref(), self.resume)? else { return Ok(None) };
        if self.new.is_none() {
            let message = "a folder gets the matches of new rows in parts, and there is no --new";
            return Err(Failure::usage(message).hint("give --new, or write one file: -o matches.parquet"));
        }
        if matches!(self.how, Some(HowArg::Mutual | HowArg::Assignment)) {
            let message = "mutual and assigned matches depend on all rows at once, so that they have no parts";
            return Err(Failure::usage(message).hint("use --how nearest or csls, or write one file"));
        }
        Ok(Some(parts))
    }

    /// Matches the rows of a large file piece by piece.
    fn in_parts(
        &self,
        parts: &Parts<'_>,
        new: NewRows<'_>,
        alignment: &Alignment,
        (source, target): (usize, usize),
        (watch, console): (&Watch, &Console),
    ) -> Result<()> {
        let (how, metric) = self.how_and_metric(alignment);
        let k = self.k.unwrap_or(1);
        let (from, to) = (&alignment.datasets()[source], &alignment.datasets()[target]);
        let (how_word, metric_word) =
            (serde_json::to_value(how).unwrap_or_default(), serde_json::to_value(metric).unwrap_or_default());
        let about = json!({"command": "match", "from": from.name(), "to": to.name(), "how": how_word, "metric": metric_word,
                           "k": k, "model": alignment.checksum()?});
        let rows = parts.each(new, from, (watch, console), self.keep.asked(about), |first, loaded, part| {
            let found =
                watch.during(|progress| alignment.match_with(Some(&loaded.rows), source, target, k, how, metric, progress))?;
            let source_ids = loaded.row_ids.as_deref();
            let kept = loaded.kept.as_ref();
            let names = Names { source_ids, target_ids: to.row_ids(), target_texts: None, chances: None, kept };
            watch.during(|_| write_columns_beside(&part, &columns(&found, &names, first), kept_of(&found, kept)?.as_ref()))
        })?;
        console.say(format!("matched {} of {} in {}", counted(rows, "row"), from.name(), to.name()));
        match console.json {
            true => console.print_json(&json!({"from": from.name(), "to": to.name(), "how": how_word, "metric": metric_word,
                                               "k": k, "rows": rows, "output": parts.folder.to_string_lossy()})),
            false => Ok(()),
        }
    }
}

/// The chance that is reported where none was asked for.
const USUAL: f64 = 0.9;
/// Default of `-k` for a search by text.
const FOUND: usize = 10;

pub(crate) fn run(args: &MatchArgs, console: &Console) -> Result<()> {
    let output = args.output.as_deref().unwrap_or(Path::new("-"));
    let parts = args.parts()?;
    if parts.is_none() {
        if !format_for(output, None)?.holds_names() {
            return Err(Failure::usage(format!("{}: matches are written as csv, tsv, parquet or arrow", output.display())));
        }
        check_target(output)?;
    }
    if args.how == Some(HowArg::Csls) && args.metric == Some(MetricArg::Euclidean) {
        return Err(Failure::usage("--metric euclidean has no meaning for csls, which is defined by the cosine"));
    }
    if let Some(least) = args.min_confidence.filter(|p| !(0.0..=1.0).contains(p)) {
        return Err(Failure::usage(format!("--min-confidence is {least}; it must be between 0 and 1")));
    }
    args.keep.needs(args.new.as_deref())?;
    // Wrong options are reported before the model is loaded, also reading options without a file to read.
    match &args.new {
        Some(path) => args.read.one(path).map(drop)?,
        None => args.read.options(&[]).map(drop)?,
    }
    let watch = Watch::start(console);
    let alignment = args.model.load()?;
    let source = position(&alignment, &args.from)?;
    let target = match &args.to {
        Some(to) => position(&alignment, to)?,
        None if alignment.datasets().len() == 2 => 1 - source,
        None => return Err(Failure::usage("--to is needed: the model has more than two datasets")),
    };
    if source == target && args.new.is_none() && args.text.is_none() {
        let message = format!("--from and --to are both \"{}\": every row is its own match", alignment.datasets()[source].name());
        return Err(Failure::usage(message).hint("name two datasets, or give --new rows"));
    }
    let new = args.new.as_ref().map(|path| NewRows { read: &args.read, path, keep: &args.keep.keep });
    if let (Some(parts), Some(new)) = (&parts, new) {
        return args.in_parts(parts, new, &alignment, (source, target), (&watch, console));
    }
    let (rows, new_ids, kept) = match (new, &args.text) {
        (Some(new), _) => {
            let loaded = new.load(&alignment.datasets()[source], console)?;
            (Some(loaded.rows), loaded.row_ids, loaded.kept)
        }
        (None, Some(text)) => (Some(sentence(text, &alignment.datasets()[source], console)?), None, None),
        (None, None) => (None, None, None),
    };
    let (how, metric) = args.how_and_metric(&alignment);
    let wants_confidence = args.confidence || args.min_confidence.is_some();
    // As in Python; a search shows several.
    let searches = args.text.is_some() && !wants_confidence && !matches!(how, How::Mutual | How::Assignment);
    let k = args.k.unwrap_or(if searches { FOUND.min(alignment.datasets()[target].nrows()) } else { 1 });
    let mut found = watch.during(|progress| alignment.match_with(rows.as_ref(), source, target, k, how, metric, progress))?;
    let judged = match wants_confidence {
        true => Some(watch.during(|progress| alignment.match_confidence_with(Some(&found.best()), source, target, progress))?),
        false => None,
    };
    if let (Some(judged), Some(least)) = (&judged, args.min_confidence) {
        found.keep(|i| judged.confidence[i] >= least);
    }
    let names = Names {
        source_ids: match &rows {
            Some(_) => new_ids.as_deref(),
            None => alignment.datasets()[source].row_ids(),
        },
        target_ids: alignment.datasets()[target].row_ids(),
        target_texts: alignment.datasets()[target].snippets().filter(|_| args.text.is_some()),
        chances: judged.as_ref().map(|j| &j.confidence[..]),
        kept: kept.as_ref(),
    };

    let matched = (0..found.nrows()).filter(|&i| found.row(i).next().is_some()).count();
    let (from, to) = (alignment.datasets()[source].name(), alignment.datasets()[target].name());
    if console.json {
        let mut value = json!({"from": from, "to": to, "how": serde_json::to_value(how).unwrap_or_default(),
                               "metric": serde_json::to_value(metric).unwrap_or_default(),
                               "k": k, "rows": found.nrows(), "matched": matched});
        if let Some(judged) = &judged {
            let (share, low, high) = judged.shared;
            value["confidence"] = json!({"min_confidence": args.min_confidence, "basis": judged.basis,
                                         "expected_right": judged.expected_right, "shared": share, "shared_interval": [low, high]});
        }
        match &args.output {
            None => value["matches"] = records(&found, &names)?,
            Some(path) => value["output"] = json!(path.to_string_lossy()),
        }
        if args.output.is_some() {
            write(&watch, output, &found, &names, args.escape_formulas)?;
        }
        return console.print_json(&value);
    }
    write(&watch, output, &found, &names, args.escape_formulas)?;
    let have = if matched == 1 { "has" } else { "have" };
    console.say(format!("{} of {} of {from} {have} a match in {to}", thousands(matched), counted(found.nrows(), "row")));
    if let Some(judged) = &judged {
        console.say(judged.summary(args.min_confidence.unwrap_or(USUAL)));
    }
    Ok(())
}

/// What is told of rows and matches beside their numbers.
struct Names<'a> {
    source_ids: Option<&'a [String]>,
    target_ids: Option<&'a [String]>,
    /// How the texts of the target begin, where they are asked for.
    target_texts: Option<&'a [String]>,
    /// The chance that the best match of each source row is right, where it is asked for.
    chances: Option<&'a [f64]>,
    /// Columns of the source rows that are carried along.
    kept: Option<&'a Kept>,
}

/// The kept columns with a row for each match.
fn kept_of(found: &Matches, kept: Option<&Kept>) -> landbridge_io::Result<Option<Kept>> {
    let source: Vec<usize> = (0..found.nrows()).flat_map(|i| found.row(i).map(move |_| i)).collect();
    kept.map(|kept| kept.rows(&source)).transpose()
}

fn write(watch: &Watch, output: &Path, found: &Matches, names: &Names, escape_formulas: bool) -> Result<()> {
    if !format_for(output, None)?.is_text_table() {
        let kept = kept_of(found, names.kept)?;
        return watch.during(|_| write_columns_beside(output, &columns(found, names, 0), kept.as_ref()));
    }
    let Names { source_ids, target_ids, target_texts, chances, kept } = *names;
    let mut header = vec!["source_row"];
    header.extend(source_ids.map(|_| "source_id"));
    header.extend(["rank", "target_row"]);
    header.extend(target_ids.map(|_| "target_id"));
    header.push("distance");
    header.extend(chances.map(|_| "confidence"));
    header.extend(target_texts.map(|_| "target_text"));
    let beside = kept.map(|kept| kept.check_names(header.iter().copied()).and_then(|()| kept.texts())).transpose()?;
    let beside = &beside.unwrap_or_default();
    header.extend(kept.iter().flat_map(|kept| kept.names()));
    let rows = (0..found.nrows()).flat_map(|i| {
        found.row(i).enumerate().map(move |(rank, (j, distance))| {
            let mut cells = vec![i.to_string()];
            cells.extend(source_ids.map(|ids| ids[i].clone()));
            cells.extend([(rank + 1).to_string(), j.to_string()]);
            cells.extend(target_ids.map(|ids| ids[j].clone()));
            cells.push(distance.to_string());
            cells.extend(chances.map(|p| if rank == 0 { p[i].to_string() } else { String::new() }));
            cells.extend(target_texts.map(|texts| texts[j].clone()));
            cells.extend(beside.iter().map(|column| column[i].clone()));
            cells
        })
    });
    let options = TableOptions { escape_formulas, ..TableOptions::default() };
    watch.during(|_| write_table(output, &header, rows, &options))
}

/// A sentence as a row of the source. Refuses one without a known word.
fn sentence(text: &str, fitted: &Fitted, console: &Console) -> Result<Rows> {
    let rows = recipe_of(fitted)?.rows_of(&[text])?;
    if rows.nnz() == 0 {
        let message = format!("--text: none of its words is known to dataset \"{}\"", fitted.name());
        return Err(Failure::usage(message).hint("use words that the fitted documents have"));
    }
    console.say(format!("{} of the text are known", counted(rows.nnz(), "different word")));
    Ok(rows.into())
}

/// One match: source row, rank from 1, target row, distance.
type Match = (usize, usize, usize, f64);

/// The same columns as in csv, with their own types. The source rows are numbered from `first`.
fn columns<'a>(found: &Matches, names: &Names<'a>, first: usize) -> Vec<(&'static str, Column<'a>)> {
    let all: Vec<Match> =
        (0..found.nrows()).flat_map(|i| found.row(i).enumerate().map(move |(rank, (j, d))| (i, rank + 1, j, d))).collect();
    let integers = |of: fn(&Match) -> usize| Column::Integers(all.iter().map(|m| of(m) as i64).collect());
    let mut columns = vec![("source_row", Column::Integers(all.iter().map(|m| (first + m.0) as i64).collect()))];
    let words = |texts: &'a [String], of: fn(&Match) -> usize| Column::Words(all.iter().map(|m| texts[of(m)].as_str()).collect());
    columns.extend(names.source_ids.map(|ids| ("source_id", words(ids, |m| m.0))));
    columns.push(("rank", integers(|m| m.1)));
    columns.push(("target_row", integers(|m| m.2)));
    columns.extend(names.target_ids.map(|ids| ("target_id", words(ids, |m| m.2))));
    columns.push(("distance", Column::Numbers(all.iter().map(|m| m.3).collect())));
    let chance = |p: &[f64]| all.iter().map(|m| if m.1 == 1 { p[m.0] } else { f64::NAN }).collect();
    columns.extend(names.chances.map(|p| ("confidence", Column::Numbers(chance(p)))));
    columns.extend(names.target_texts.map(|texts| ("target_text", words(texts, |m| m.2))));
    columns
}

fn records(found: &Matches, names: &Names) -> Result<Value> {
    let taken = ["source_row", "source_id", "rank", "target_row", "target_id", "distance", "confidence", "target_text"];
    let beside = names.kept.map(|kept| kept.check_names(taken).and_then(|()| kept.texts())).transpose()?.unwrap_or_default();
    let record = |i: usize, rank: usize, j: usize, distance: f64| {
        let mut value = json!({"source_row": i, "rank": rank + 1, "target_row": j, "distance": distance});
        for (name, texts, row) in
            [("source_id", names.source_ids, i), ("target_id", names.target_ids, j), ("target_text", names.target_texts, j)]
        {
            if let Some(texts) = texts {
                value[name] = json!(texts[row]);
            }
        }
        if let Some(p) = names.chances.filter(|_| rank == 0) {
            value["confidence"] = json!(p[i]);
        }
        for (name, column) in names.kept.iter().flat_map(|kept| kept.names()).zip(&beside) {
            value[name] = json!(column[i]);
        }
        value
    };
    let all = (0..found.nrows()).flat_map(|i| found.row(i).enumerate().map(move |(rank, (j, d))| (i, rank, j, d)));
    Ok(all.map(|(i, rank, j, d)| record(i, rank, j, d)).collect())
}
