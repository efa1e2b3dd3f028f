//! `landbridge inspect`: how data files are read, before they are used; and what a model holds.

use crate::Result;
use crate::args::{Common, ReadArgs};
use crate::output::{Console, counted, datasets_json, outcome_json, outcome_line, plain, thousands};
use clap::Args;
use landbridge::model::Alignment;
use landbridge_io::{Inspection, inspect, load_model};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

pub(crate) const EXAMPLES: &str = "\
Examples:
  landbridge inspect en.csv it.parquet
  landbridge inspect corpus.txt --stop-words en --min-df 2
  landbridge inspect ratings.csv --ratings --json
  landbridge inspect en-it.lb                          # a model: data, method, parameters, outcome";

#[derive(Debug, Args)]
pub(crate) struct InspectArgs {
    /// Data files, models, or - for standard input
    #[arg(value_name = "DATA", required = true)]
    data: Vec<PathBuf>,
    #[command(flatten)]
    read: ReadArgs,
    #[command(flatten)]
    pub(crate) common: Common,
}

pub(crate) fn run(args: &InspectArgs, console: &Console) -> Result<()> {
    let mut all = vec![];
    let (models, data): (Vec<PathBuf>, Vec<PathBuf>) = args.data.iter().cloned().partition(|path| is_model(path));
    for path in &models {
        let alignment = load_model(path)?;
        let bytes = std::fs::metadata(path).map_or(0, |about| about.len());
        match console.json {
            true => all.push(model_value(path, &alignment, bytes)),
            false => console.print(&model_words(path, &alignment, bytes))?,
        }
    }
    for (path, options) in args.read.everything(&data)? {
        let found = inspect(&path, &options)?;
        let modality = options.modality.as_deref();
        match console.json {
            true => all.push(value(&path, modality, &found)),
            false => console.print(&words(&path, modality, &found))?,
        }
    }
    if console.json {
        console.print_json(&json!({"files": all}))?;
    }
    Ok(())
}

/// Whether the name is that of a model, also a compressed one.
fn is_model(path: &Path) -> bool {
    let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().to_lowercase());
    name.trim_end_matches(".gz").trim_end_matches(".zst").ends_with(".lb")
}

fn model_words(path: &Path, alignment: &Alignment, bytes: u64) -> String {
    let mut out = format!("{}\n", plain(&path.to_string_lossy()));
    let mut line = |what: &str, text: String| {
        let _ = writeln!(out, "  {what:<9} {}", plain(&text));
    };
    line("model", format!("{}, {}", alignment.method(), counted(alignment.n_components(), "component")));
    for fitted in alignment.datasets() {
        let mut has =
            vec![format!("{}: {} × {}", fitted.name(), counted(fitted.nrows(), "row"), counted(fitted.n_features(), "feature"))];
        has.extend(fitted.columns().map(|names| format!("columns {}", first(names))));
        has.extend(fitted.row_ids().map(|ids| format!("ids {}", first(ids))));
        has.extend(fitted.labels().map(|labels| format!("labels {}", first(&kinds(labels)))));
        has.extend(fitted.recipe().map(|_| "from text".into()));
        line("dataset", has.join("; "));
    }
    if !alignment.has_rows() {
        line("rows", "left out: it maps and predicts new rows, and matches none".into());
    }
    line("pairs", thousands(alignment.pairs().len()));
    if let Some(levels) = alignment.levels() {
        line("levels", levels.iter().map(|l| l.dimension.to_string()).collect::<Vec<_>>().join(", "));
    }
    let params: Vec<String> =
        alignment.params().as_object().into_iter().flatten().map(|(k, v)| format!("{k} {}", bare(v))).collect();
    line("params", params.join(", "));
    line("outcome", outcome_line(alignment.outcome()));
    alignment.outcome().warnings.iter().for_each(|warning| line("warning", warning.to_string()));
    line("size", size(bytes));
    out
}

/// The first names, and whether there are more.
fn first<S: AsRef<str>>(names: &[S]) -> String {
    let shown: Vec<&str> = names.iter().take(5).map(AsRef::as_ref).collect();
    shown.join(", ") + if names.len() > shown.len() { ", …" } else { "" }
}

fn kinds(labels: &[String]) -> Vec<&str> {
    labels.iter().map(String::as_str).collect::<BTreeSet<_>>().into_iter().collect()
}

/// A parameter as people write it; long lists are cut.
fn bare(value: &Value) -> String {
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_string);
    match text.char_indices().nth(40) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text,
    }
}

fn model_value(path: &Path, alignment: &Alignment, bytes: u64) -> Value {
    let mut datasets = datasets_json(alignment);
    for (value, fitted) in datasets.as_array_mut().into_iter().flatten().zip(alignment.datasets()) {
        value["columns"] = json!(fitted.columns());
        value["label_kinds"] = json!(fitted.labels().map(kinds));
        value["text"] = json!(fitted.recipe().is_some());
    }
    json!({
        "file": path.to_string_lossy(), "format": "model", "method": alignment.method(),
        "n_components": alignment.n_components(), "datasets": datasets, "pairs": alignment.pairs().len(),
        "params": alignment.params(), "levels": alignment.levels(), "has_rows": alignment.has_rows(),
        "outcome": outcome_json(alignment.outcome()), "bytes": bytes,
    })
}

fn words(path: &Path, modality: Option<&str>, found: &Inspection) -> String {
    let modality = modality.map_or(String::new(), |name| format!(", modality {}", plain(name)));
    let mut out = format!("{}{modality}\n", plain(&path.to_string_lossy()));
    let mut line = |what: &str, text: String| {
        let _ = writeln!(out, "  {what:<9} {}", plain(&text));
    };
    let listed = |names: &[String], of: usize| names.join(", ") + if of > names.len() { ", …" } else { "" };
    line("format", found.format.into());
    let ids = found.first_ids.as_ref().map_or("without ids".into(), |ids| format!("ids: {}", listed(ids, found.rows)));
    line("rows", format!("{}, {ids}", thousands(found.rows)));
    let names = found.first_columns.as_ref().map_or("without names".into(), |names| listed(names, found.features));
    line("features", format!("{}, {}, {names}", thousands(found.features), found.kind));
    let stored = if found.kind == "sparse" { format!(", {} stored", thousands(found.stored)) } else { String::new() };
    line("density", format!("{:.4} % are not zero{stored}", 100.0 * found.density));
    if let Some(first) = &found.first_labels {
        line("labels", format!("{}: {}", counted(found.label_kinds, "kind"), listed(first, found.label_kinds)));
    }
    let fill = "; --missing zero, mean or drop says how to handle them";
    line("missing", if found.missing == 0 { "none".into() } else { format!("{}{fill}", counted(found.missing, "value")) });
    if found.empty_rows > 0 {
        line("empty", format!("{} without a value that is not zero", counted(found.empty_rows, "row")));
    }
    line("memory", size(found.bytes));
    out
}

fn size(bytes: u64) -> String {
    let units = ["bytes", "kB", "MB", "GB", "TB"];
    let (mut value, mut unit) = (bytes as f64, 0);
    while value >= 1000.0 && unit + 1 < units.len() {
        (value, unit) = (value / 1000.0, unit + 1);
    }
    if unit == 0 { format!("{bytes} bytes") } else { format!("{value:.1} {}", units[unit]) }
}

fn value(path: &Path, modality: Option<&str>, found: &Inspection) -> Value {
    json!({
        "file": path.to_string_lossy(), "modality": modality, "format": found.format, "rows": found.rows, "features": found.features,
        "kind": found.kind, "stored": found.stored, "density": found.density, "missing": found.missing,
        "empty_rows": found.empty_rows, "ids": found.first_ids, "columns": found.first_columns,
        "labels": found.first_labels, "label_kinds": found.label_kinds, "text": found.is_text, "bytes": found.bytes,
    })
}
