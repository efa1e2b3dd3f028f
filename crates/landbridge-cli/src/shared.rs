//! Options that several commands have, each declared once.

use crate::Result;
use crate::args::{ReadArgs, Reading, read_as};
use crate::failure::Failure;
use crate::output::Console;
use clap::Args;
use landbridge::model::Fitted;
use landbridge_io::{Keep, Loaded, format_for};
use serde_json::{Value, json};
use std::path::Path;

#[derive(Debug, Args)]
pub(crate) struct NamesArg {
    /// Names of the datasets, separated by commas [default: file stems]
    #[arg(long, value_name = "A,B", value_delimiter = ',')]
    pub(crate) names: Option<Vec<String>>,
}

#[derive(Debug, Args)]
pub(crate) struct KeepArg {
    /// Columns of the file to carry along into the output, separated by commas. csv, tsv, parquet, arrow, jsonl; h5ad, h5mu: columns
    /// of obs. They are not read as data, unless the model has a feature of that name
    #[arg(long, value_name = "NAME,NAME", value_delimiter = ',')]
    pub(crate) keep: Vec<String>,
}

impl KeepArg {
    /// Refuses columns of a file where there is no file.
    pub(crate) fn needs(&self, file: Option<&Path>) -> Result<()> {
        match (&self.keep[..], file) {
            ([], _) | (_, Some(_)) => Ok(()),
            _ => Err(Failure::usage("--keep carries columns of the file of --new along, and there is no --new")),
        }
    }
    /// The question of parts, with the columns that their file has beside the answer.
    pub(crate) fn asked(&self, mut about: Value) -> Value {
        if !self.keep.is_empty() {
            about["keep"] = json!(self.keep);
        }
        about
    }
}

/// A file of new rows of a fitted dataset, and the columns of it that go along.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NewRows<'a> {
    pub(crate) read: &'a ReadArgs,
    pub(crate) path: &'a Path,
    pub(crate) keep: &'a [String],
}

impl NewRows<'_> {
    /// The file, and how it is read.
    pub(crate) fn reading(&self, fitted: &Fitted) -> Result<Reading> {
        let (path, mut options) = self.read.for_new(self.path, fitted)?;
        options.keep = Keep::beside(self.keep, fitted.columns());
        options.check(&path, format_for(&path, options.format.as_deref())?)?;
        Ok((path, options))
    }
    /// All rows of the file.
    pub(crate) fn load(&self, fitted: &Fitted, console: &Console) -> Result<Loaded> {
        read_as(self.reading(fitted)?, fitted, console)
    }
}

#[derive(Debug, Args)]
pub(crate) struct SeedArg {
    /// Seed of everything random
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) random_state: u64,
}

#[derive(Debug, Args)]
pub(crate) struct ThreadsArg {
    /// Number of threads, 0 means all cores; the result does not depend on it
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) n_jobs: usize,
}
