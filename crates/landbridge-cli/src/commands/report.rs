//! `landbridge report`: one HTML page per alignment.

use crate::Result;
use crate::args::{Common, ModelArg, ReadArgs};
use crate::failure::Failure;
use crate::output::{Console, check_target, counted, write_text};
use crate::progress::Watch;
use crate::scores::read_truth;
use clap::Args;
use landbridge::correspondence::CheckPairs;
use landbridge::data::{Dataset, Pairs};
use landbridge::model::Alignment;
use landbridge_report::Report;
use serde_json::json;
use std::path::{Path, PathBuf};

pub(crate) const EXAMPLES: &str = "\
Examples:
  landbridge report en-it.lb -o report.html
  landbridge report en-it.lb -o report.html --truth truth.csv
  landbridge report en-it.lb -o report.html --data en.txt it.txt \\
      --texts en.txt,it.txt                # also the datasets before, words and texts

The page is one file: it opens from disk, asks for nothing from anywhere, and shows
the joint space to explore (views, colours, lines of pairs, selection, search), recall,
distances, rows without a partner, hubs, suspicious pairs, and how it was made.";

#[derive(Debug, Args)]
pub(crate) struct ReportArgs {
    #[command(flatten)]
    model: ModelArg,
    /// Page to write, .html (`-`: standard output)
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// True pairs, in the format of a pairs file: recall on pairs that the fit did not see, and wrong matches
    #[arg(long, value_name = "FILE")]
    truth: Option<PathBuf>,
    /// The data files of the fit, in its order: shows each dataset before alignment, and the features of each row
    #[arg(long, value_name = "DATA", num_args = 1..)]
    data: Vec<PathBuf>,
    /// A text file for each dataset with a line for each row, separated by commas; an empty name leaves one out
    #[arg(long, value_name = "FILE,FILE", value_delimiter = ',')]
    texts: Option<Vec<String>>,
    /// Features to colour by, by name or number from 0, separated by commas; needs the rows [default: those of the
    /// largest weights]
    #[arg(long, value_name = "NAME,NAME", value_delimiter = ',')]
    features: Option<Vec<String>>,
    /// Hold out the known pairs in turn to find those that look wrong, as `landbridge check` does; needs --data
    #[arg(long)]
    check_pairs: bool,
    /// Title of the page [default: the names of the datasets]
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
    /// Largest number of points; of more rows the page shows a sample that keeps rare labels
    #[arg(long, value_name = "N", default_value_t = landbridge_report::MAX_POINTS)]
    max_points: usize,
    #[command(flatten)]
    read: ReadArgs,
    #[command(flatten)]
    pub(crate) common: Common,
}

pub(crate) fn run(args: &ReportArgs, console: &Console) -> Result<()> {
    let to_stdout = args.output.as_os_str() == "-";
    let is_html = args.output.extension().is_some_and(|e| e.eq_ignore_ascii_case("html") || e.eq_ignore_ascii_case("htm"));
    if !is_html && !to_stdout && !args.output.starts_with("/dev") {
        return Err(Failure::usage(format!("{}: pages are written as .html", args.output.display())));
    }
    if console.json && to_stdout {
        return Err(Failure::usage("--json and -o - both want standard output").hint("write the page to a file"));
    }
    if args.max_points == 0 {
        return Err(Failure::usage("--max-points is 0; it must be at least 1"));
    }
    if args.check_pairs && args.data.is_empty() {
        return Err(Failure::usage("--check-pairs needs the data of the fit").hint("give them by --data"));
    }
    check_target(&args.output)?;
    let watch = Watch::start(console);
    let paths: Vec<&Path> = args.data.iter().map(PathBuf::as_path).collect();
    args.read.options(&paths)?; // wrong options are reported before the model is loaded
    let alignment = args.model.load()?;
    let truth = args.truth.as_ref().map(|path| read_truth(path, &alignment)).transpose()?;
    let datasets = read_data(args, &alignment, console)?;

    let mut report = Report::new(&alignment).max_points(args.max_points);
    if let Some(datasets) = &datasets {
        report = report.datasets(datasets);
    }
    if let Some(truth) = &truth {
        report = report.truth(truth.links());
    }
    if let Some(features) = &args.features {
        if datasets.is_none() && alignment.datasets().iter().all(|d| d.rows().is_none()) {
            let hint = "give the data of the fit by --data";
            return Err(Failure::usage("--features: the model does not keep its rows").hint(hint));
        }
        report = report.features(features.clone());
    }
    if let Some(title) = &args.title {
        report = report.title(title);
    }
    for (a, path) in args.texts.iter().flatten().enumerate().filter(|(_, path)| !path.is_empty()) {
        report = report.texts(a, lines(Path::new(path), a, &alignment)?);
    }
    let check = match (&datasets, args.check_pairs) {
        (Some(datasets), true) => {
            let mut pairs = Pairs::none(datasets.len());
            alignment.pairs().iter().try_for_each(|l| pairs.add(l.a, l.i, l.b, l.j, l.weight))?;
            Some(watch.during(|progress| CheckPairs::new().check_with(datasets, &pairs, progress))?)
        }
        _ => None,
    };
    if let Some(check) = &check {
        report = report.check(check);
    }
    let page = watch.during(|progress| report.render_with(progress))?;
    watch.during(|_| write_text(&args.output, &page.html))?;
    page.notes.iter().for_each(|note| console.say(format!("{:<8} {note}", "note")));
    if !to_stdout {
        console.say(format!("page written to {}", args.output.display()));
    }
    if console.json {
        console.print_json(&json!({
            "output": args.output.to_string_lossy(), "bytes": page.html.len(), "notes": page.notes,
        }))?;
    }
    Ok(())
}

/// The rows of the fit, read as new rows are, with the ids and columns of the model.
fn read_data(args: &ReportArgs, alignment: &Alignment, console: &Console) -> Result<Option<Vec<Dataset>>> {
    let fitted = alignment.datasets();
    if args.data.is_empty() {
        return Ok(None);
    }
    if args.data.len() != fitted.len() {
        let names: Vec<&str> = fitted.iter().map(|d| d.name()).collect();
        let message =
            format!("--data names {}; the model has {}", counted(args.data.len(), "file"), counted(fitted.len(), "dataset"));
        return Err(Failure::usage(message).hint(format!("give one for each, in this order: {}", names.join(", "))));
    }
    let mut datasets = vec![];
    for (path, fitted) in args.data.iter().zip(fitted) {
        let loaded = args.read.read_new(path, fitted, console)?;
        if loaded.rows.nrows() != fitted.nrows() && fitted.nrows() > 0 {
            let (got, rows) = (counted(loaded.rows.nrows(), "row"), counted(fitted.nrows(), "row"));
            let message = format!("{}: {got}; the model was fitted with {rows} of \"{}\"", path.display(), fitted.name());
            return Err(Failure::usage(message).hint("give the files of the fit, with the same reading options"));
        }
        if let (Some(ids), Some(known)) = (&loaded.row_ids, fitted.row_ids())
            && let Some(at) = ids.iter().zip(known).position(|(a, b)| a != b)
        {
            let message = format!("{}: row {at} is \"{}\"; in the model it is \"{}\"", path.display(), ids[at], known[at]);
            return Err(Failure::usage(message).hint("give the files of the fit, in the same order of rows"));
        }
        datasets.push(Dataset::new(fitted.name(), loaded.rows)?);
    }
    Ok(Some(datasets))
}

/// The lines of a text file, one for each row.
fn lines(path: &Path, dataset: usize, alignment: &Alignment) -> Result<Vec<String>> {
    let fitted = alignment.datasets();
    let io = |source| landbridge_io::Error::Io { path: path.into(), action: "read", source };
    let text = String::from_utf8_lossy(&std::fs::read(path).map_err(io)?).into_owned();
    let lines: Vec<String> = text.lines().map(String::from).collect();
    let Some(fitted) = fitted.get(dataset) else {
        let message = format!("--texts names more files than the model has datasets ({})", fitted.len());
        return Err(Failure::usage(message));
    };
    if lines.len() != fitted.nrows() {
        let (got, rows) = (counted(lines.len(), "line"), counted(fitted.nrows(), "row"));
        return Err(Failure::usage(format!("{}: {got}; \"{}\" has {rows}", path.display(), fitted.name())));
    }
    Ok(lines)
}
