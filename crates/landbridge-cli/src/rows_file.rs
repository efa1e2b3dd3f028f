//! Writes rows of numbers to a file or to standard output: shared by `transform`, `predict` and `embed`.

use crate::Result;
use crate::failure::Failure;
use crate::output::{Console, check_target};
use crate::progress::Watch;
use landbridge::linalg::Matrix;
use landbridge_io::{Format, Table, format_for, write_matrix};
use std::path::Path;

/// Where the rows go, checked before any work.
pub(crate) struct RowsFile<'a> {
    pub(crate) path: &'a Path,
    format: &'static dyn Format,
}

impl<'a> RowsFile<'a> {
    /// Standard output when no file is given.
    pub(crate) fn new(output: Option<&'a Path>, console: &Console) -> Result<Self> {
        let path = output.unwrap_or(Path::new("-"));
        if console.json && path.as_os_str() == "-" {
            let message = "--json describes a written file, but without -o the rows go to standard output";
            return Err(Failure::usage(message).hint("give -o, or leave --json out"));
        }
        let format = format_for(path, None)?;
        check_target(path)?;
        Ok(Self { path, format })
    }

    /// Writes the rows, with names where the format has a place for them.
    pub(crate) fn write(&self, rows: &Matrix<f64>, columns: &[String], ids: Option<&[String]>, watch: &Watch) -> Result<()> {
        let mut table = Table::new(rows);
        if self.format.holds_names() {
            table = table.columns(columns);
            if let Some(ids) = ids {
                table = table.row_ids(ids);
            }
        }
        watch.during(|_| write_matrix(self.path, &table))
    }
}

/// Names of coordinates of the joint space.
pub(crate) fn coordinate_names(count: usize) -> Vec<String> {
    (0..count).map(|c| format!("z{c}")).collect()
}
