//! Writes rows of numbers to a file or to standard output: shared by `transform`, `predict` and `embed`.

use crate::Result;
use crate::args::read_as;
use crate::failure::Failure;
use crate::output::{Console, Said, check_target};
use crate::parts::Parts;
use crate::progress::Watch;
use crate::shared::NewRows;
use landbridge::data::Rows;
use landbridge::linalg::Matrix;
use landbridge::model::Fitted;
use landbridge_io::{Format, Kept, Loaded, ReadOptions, Refusal, RowStream, Table, format_for, new_rows, write_matrix_as};
use serde_json::Value;
use std::path::Path;

/// What stands beside the numbers of rows: their ids, and columns that are carried along.
pub(crate) type Beside<'a> = (Option<&'a [String]>, Option<&'a Kept>);

pub(crate) fn beside(loaded: &Loaded) -> Beside<'_> {
    (loaded.row_ids.as_deref(), loaded.kept.as_ref())
}

/// Where the rows go, checked before any work.
pub(crate) struct RowsFile<'a> {
    pub(crate) path: &'a Path,
    format: &'static dyn Format,
    parts: Option<Parts<'a>>,
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
        Ok(Self { path, format, parts: None })
    }

    /// As [`RowsFile::new`]; a folder gets the answer in parts, which `resume` goes on with.
    pub(crate) fn or_parts(output: Option<&'a Path>, resume: bool, console: &Console) -> Result<Self> {
        match Parts::of(output, resume)? {
            Some(parts) => {
                let format = format_for(Path::new("part.parquet"), None)?;
                Ok(Self { path: parts.folder, format, parts: Some(parts) })
            }
            None => Self::new(output, console),
        }
    }

    /// In this format, where the rows go to standard output.
    pub(crate) fn to(self, format: Option<&str>) -> Result<Self> {
        match format {
            None => Ok(self),
            told => Ok(Self { format: format_for(self.path, told)?, ..self }),
        }
    }

    /// Whether lines can be written as they are made.
    fn by_line(&self) -> bool {
        self.path.as_os_str() == "-" && matches!(self.format.name(), "csv" | "tsv")
    }

    /// Writes the rows, with names where the format has a place for them. `single`: in single precision.
    pub(crate) fn write(
        &self,
        rows: &Matrix<f64>,
        single: bool,
        columns: &[String],
        beside: Beside<'_>,
        watch: &Watch,
    ) -> Result<()> {
        let narrow = single.then(|| rows.to_f32());
        let table = self.table(rows, narrow.as_ref(), columns, beside);
        watch.during(|_| write_matrix_as(self.path, self.format, &table))
    }

    fn table<'t>(
        &self,
        rows: &'t Matrix<f64>,
        narrow: Option<&'t Matrix<f32>>,
        columns: &'t [String],
        (ids, kept): Beside<'t>,
    ) -> Table<'t> {
        let mut table = narrow.map_or_else(|| Table::new(rows), Table::new);
        if self.format.holds_names() {
            table = table.columns(columns);
            if let Some(ids) = ids {
                table = table.row_ids(ids);
            }
        }
        match kept {
            Some(kept) => table.kept(kept),
            None => table,
        }
    }

    /// Reads new rows of a fitted dataset, makes something of them, and writes that; the number of rows and columns. Data of
    /// single precision gives results of single precision. What comes from standard input and goes to standard output is
    /// answered line by line, and what goes to a folder piece by piece. `about` describes the question there.
    pub(crate) fn answer(
        &self,
        new: NewRows<'_>,
        fitted: &Fitted,
        (watch, console): (&Watch, &Console),
        names: impl Fn(usize) -> Vec<String>,
        work: impl Fn(&Loaded) -> landbridge::Result<Matrix<f64>>,
        about: impl FnOnce() -> landbridge::Result<Value>,
    ) -> Result<(usize, usize)> {
        if !new.keep.is_empty() && !self.format.holds_names() {
            let (path, what) = (self.path.into(), Refusal::KeptColumns);
            return Err(landbridge_io::Error::CannotHold { path, format: self.format.name(), what }.into());
        }
        if let Some(parts) = &self.parts {
            return parts.answer(new, fitted, (watch, console), names, work, about()?);
        }
        let (path, options) = new.reading(fitted)?;
        if path.as_os_str() == "-" && self.by_line() {
            let format = format_for(&path, options.format.as_deref())?;
            if let Some(stream) = RowStream::new(std::io::stdin().lock(), &path, format, options.clone())? {
                return self.answer_stream(stream, &options, fitted, (watch, console), names, work);
            }
        }
        let loaded = read_as((path, options), fitted, console)?;
        let made = watch.during(|_| work(&loaded))?;
        self.write(&made, matches!(loaded.rows, Rows::F32(_)), &names(made.ncols()), beside(&loaded), watch)?;
        Ok((made.nrows(), made.ncols()))
    }

    fn answer_stream(
        &self,
        mut stream: RowStream<std::io::StdinLock<'_>>,
        options: &ReadOptions,
        fitted: &Fitted,
        (watch, console): (&Watch, &Console),
        names: impl Fn(usize) -> Vec<String>,
        work: impl Fn(&Loaded) -> landbridge::Result<Matrix<f64>>,
    ) -> Result<(usize, usize)> {
        let name = format!("new rows of {}", fitted.name());
        let (mut rows, mut said, mut header) = ((0, 0), Said::default(), vec![]);
        while let Some(loaded) = stream.next_rows()? {
            let (loaded, notes) = new_rows(loaded, options, &name, fitted.n_features(), fitted.columns())?;
            console.warn_once(notes, &loaded, options, &mut said);
            let made = watch.during(|_| work(&loaded))?;
            let columns = names(made.ncols());
            let table = self.table(&made, None, &columns, beside(&loaded));
            let mut text = vec![];
            let io = |source| landbridge_io::Error::Io { path: "standard output".into(), action: "write", source };
            table.check()?;
            self.format.write(&mut text, &table).map_err(io)?;
            // The header stands once, before the first rows.
            if rows.0 == 0 {
                let nothing = Matrix::<f64>::zeros(0, made.ncols());
                let empty = loaded.row_ids.as_ref().map(|_| vec![]);
                let kept = loaded.kept.as_ref().map(|kept| kept.rows(&[])).transpose()?;
                let table = self.table(&nothing, None, &columns, (empty.as_deref(), kept.as_ref()));
                self.format.write(&mut header, &table).map_err(io)?;
            }
            let new = text.strip_prefix(&header[..]).filter(|_| rows.0 > 0).unwrap_or(&text);
            console.print(&String::from_utf8_lossy(new))?;
            rows = (rows.0 + made.nrows(), made.ncols());
        }
        Ok(rows)
    }
}

/// Names of coordinates of the joint space.
pub(crate) fn coordinate_names(count: usize) -> Vec<String> {
    (0..count).map(|c| format!("z{c}")).collect()
}
