//! Answers in parts: a large file is read piece by piece, and every piece becomes a file of its own, whole or not at all. What
//! was stopped goes on where it was.

use crate::Result;
use crate::failure::Failure;
use crate::output::{Console, Said, write_text};
use crate::progress::Watch;
use crate::rows_file::{RowsFile, beside};
use crate::shared::NewRows;
use landbridge::data::Rows;
use landbridge::linalg::Matrix;
use landbridge::model::Fitted;
use landbridge_io::{Keep, Loaded, Pieces, ReadOptions, format_for, new_rows, read_matrix};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

/// Readers of a folder of Parquet files pass over names that begin with an underscore.
const MANIFEST: &str = "_manifest.json";
/// Its name before 0.2.
const FORMER: &str = "manifest.json";

/// Where parts go.
pub(crate) struct Parts<'a> {
    pub(crate) folder: &'a Path,
    /// Go on with parts that are there.
    pub(crate) resume: bool,
}

impl<'a> Parts<'a> {
    /// The folder, if the output is one: it ends in a slash, or is a folder. Nothing else can be resumed.
    pub(crate) fn of(output: Option<&'a Path>, resume: bool) -> Result<Option<Self>> {
        let is_folder = |path: &&Path| path.as_os_str().as_encoded_bytes().ends_with(b"/") || path.is_dir();
        let bare = |path: &&Path| path.as_os_str() != "-" && path.extension().is_none() && !is_folder(path);
        if let Some(name) = output.filter(bare).map(Path::display) {
            let hint = format!("-o {name}/ is a folder that gets the answer in parts; -o {name}.parquet is one file");
            return Err(Failure::usage(format!("-o {name} is neither a folder nor a file of a known kind")).hint(hint));
        }
        match output.filter(is_folder) {
            None if resume => {
                Err(Failure::usage("--resume goes on with parts, and -o is not a folder").hint("give -o a name that ends in /"))
            }
            folder => Ok(folder.map(|folder| Self { folder, resume })),
        }
    }

    fn part(&self, at: usize) -> PathBuf {
        self.folder.join(part_name(at))
    }

    /// Makes something of every piece of a file, and writes it; the number of rows and columns. `about` is the question.
    pub(crate) fn answer(
        &self,
        new: NewRows<'_>,
        fitted: &Fitted,
        (watch, console): (&Watch, &Console),
        names: impl Fn(usize) -> Vec<String>,
        work: impl Fn(&Loaded) -> landbridge::Result<Matrix<f64>>,
        about: Value,
    ) -> Result<(usize, usize)> {
        let mut width = 0;
        let rows = self.each(new, fitted, (watch, console), about, |_, loaded, part| {
            let made = watch.during(|_| work(&loaded))?;
            width = made.ncols();
            let single = matches!(loaded.rows, Rows::F32(_));
            let output = RowsFile::new(Some(&part), console)?;
            output.write(&made, single, &names(width), beside(&loaded), watch)
        })?;
        // All parts were there.
        if width == 0 {
            let keep = Keep { columns: new.keep.to_vec(), data: vec![] };
            width = read_matrix(self.part(0), &ReadOptions { keep, ..ReadOptions::default() })?.rows.ncols();
        }
        Ok((rows, width))
    }

    /// Hands every piece of a file that has no part yet to `make`, which writes the part: the number of rows before the piece, its
    /// rows, and the file to write. The number of rows of all pieces. `about` is the question.
    pub(crate) fn each(
        &self,
        new: NewRows<'_>,
        fitted: &Fitted,
        (watch, console): (&Watch, &Console),
        about: Value,
        mut make: impl FnMut(usize, Loaded, PathBuf) -> Result<()>,
    ) -> Result<usize> {
        let (path, options) = new.reading(fitted)?;
        let format = format_for(&path, options.format.as_deref())?;
        let pieces = Pieces::open(&path, format, &options)?;
        let input = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let about_file = fs::metadata(&path).ok();
        let bytes = about_file.as_ref().map_or(0, fs::Metadata::len);
        // A file of the same name and size may hold other rows; then it was written at another time.
        let written = about_file.and_then(|about| about.modified().ok()?.duration_since(UNIX_EPOCH).ok());
        let modified = written.map(|time| format!("{}.{:09}", time.as_secs(), time.subsec_nanos()));
        let mut manifest = json!({"format": 2, "about": about, "input": {"file": input, "bytes": bytes, "modified": modified}});
        let before = self.begin(&manifest)?;
        let write = |manifest: &Value| write_text(&self.folder.join(MANIFEST), &format!("{manifest:#}\n"));
        let sums = |part: &Value| part["checksum"].is_string() && part["rows"].is_u64();
        let there = |(at, part): (usize, &Value)| {
            let same = sums(part) && checksum(&self.part(at)).as_deref() == part["checksum"].as_str();
            if same { part.clone() } else { Value::Null }
        };
        let mut parts: Vec<Value> = before["parts"].as_array().into_iter().flatten().enumerate().map(there).collect();
        let done: Vec<bool> = parts.iter().map(sums).collect();
        let finished = done.iter().filter(|done| **done).count();
        let total = pieces.count().or((before["complete"] == true).then_some(parts.len()));
        if finished > 0 {
            let of = total.map_or_else(String::new, |total| format!(" of {total}"));
            let (parts, are) = if total.unwrap_or(finished) == 1 { ("part", "is") } else { ("parts", "are") };
            console.say(format!("{:<8} {finished}{of} {parts} {are} there", "resumed"));
        }
        let rows_of = |parts: &[Value]| parts.iter().filter_map(|part| part["rows"].as_u64()).sum::<u64>() as usize;
        if before["complete"] == true && finished == parts.len() {
            return Ok(rows_of(&parts));
        }
        manifest["parts"] = json!(parts);
        manifest["complete"] = json!(false);
        write(&manifest)?;
        let name = format!("new rows of {}", fitted.name());
        let mut said = Said::default();
        pieces.read(
            |at| !done.get(at).is_some_and(|done| *done),
            |at, loaded| -> Result<()> {
                watch.during(|progress| progress.step("parts", at, total.unwrap_or(at + 1)))?;
                let (loaded, notes) = new_rows(loaded, &options, &name, fitted.n_features(), fitted.columns())?;
                console.warn_once(notes, &loaded, &options, &mut said);
                let rows = loaded.rows.nrows();
                // Pieces come in their order, so that all before this one have their parts.
                make(rows_of(&parts[..at.min(parts.len())]), loaded, self.part(at))?;
                parts.resize(parts.len().max(at + 1), Value::Null);
                parts[at] = json!({"file": part_name(at), "rows": rows, "checksum": checksum(&self.part(at))});
                manifest["parts"] = json!(parts);
                write(&manifest)
            },
        )?;
        manifest["complete"] = json!(true);
        write(&manifest)?;
        Ok(rows_of(&parts))
    }

    /// Makes the folder, or checks that what is there are parts of the same work: their manifest, or nothing.
    fn begin(&self, wanted: &Value) -> Result<Value> {
        let io = |action| {
            let path = self.folder.to_path_buf();
            move |source| landbridge_io::Error::Io { path, action, source }
        };
        if !self.folder.is_dir() {
            fs::create_dir(self.folder).map_err(io("make"))?;
            return Ok(Value::Null);
        }
        let [manifest, former] = [MANIFEST, FORMER].map(|name| {
            // Killed before the first manifest was whole.
            landbridge_io::remove_strays(self.folder, name.as_ref());
            self.folder.join(name)
        });
        let empty = fs::read_dir(self.folder).map_err(io("read"))?.next().is_none();
        let shown = self.folder.display();
        if empty {
            return Ok(Value::Null);
        }
        let is_former = !manifest.exists() && former.exists();
        let there = fs::read_to_string(if is_former { &former } else { &manifest })
            .ok()
            .and_then(|text| serde_json::from_str::<Value>(&text).ok());
        let Some(there) = there else {
            let message = format!("{shown} is not empty, and has no {MANIFEST} of parts");
            return Err(Failure::usage(message).hint("give a new folder"));
        };
        if !self.resume {
            let message = format!("{shown} has parts already");
            return Err(Failure::usage(message).hint("give --resume to go on with them, or a new folder"));
        }
        let differs = ["format", "about", "input"].into_iter().find(|key| there[key] != wanted[key]);
        match differs {
            None => {
                if is_former {
                    fs::rename(&former, &manifest).map_err(io("rename"))?;
                }
                Ok(there)
            }
            Some(key) => {
                let what = match key {
                    "about" => "another model or question",
                    "input" => "another input file",
                    _ => "another version of landbridge",
                };
                Err(Failure::usage(format!("{shown} has parts of {what}")).hint("give a new folder"))
            }
        }
    }
}

fn part_name(at: usize) -> String {
    format!("part-{at:05}.parquet")
}

/// The checksum of a part, if it is there.
fn checksum(part: &Path) -> Option<String> {
    let mut sum = blake3::Hasher::new();
    sum.update_reader(fs::File::open(part).ok()?).ok()?;
    Some(sum.finalize().to_hex().to_string())
}
