//! `landbridge inspect`: how data files are read, before they are used.

use crate::Result;
use crate::args::{Common, ReadArgs};
use crate::output::{Console, counted, plain, thousands};
use clap::Args;
use landbridge_io::{Inspection, inspect};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

pub(crate) const EXAMPLES: &str = "\
Examples:
  landbridge inspect en.csv it.parquet
  landbridge inspect corpus.txt --stop-words en --min-df 2
  landbridge inspect ratings.csv --ratings --json";

#[derive(Debug, Args)]
pub(crate) struct InspectArgs {
    /// Data files, or - for standard input
    #[arg(value_name = "DATA", required = true)]
    data: Vec<PathBuf>,
    #[command(flatten)]
    read: ReadArgs,
    #[command(flatten)]
    pub(crate) common: Common,
}

pub(crate) fn run(args: &InspectArgs, console: &Console) -> Result<()> {
    let mut all = vec![];
    for (path, options) in args.read.everything(&args.data)? {
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
