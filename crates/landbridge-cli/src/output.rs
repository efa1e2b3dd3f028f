//! Output: data on standard output, messages on standard error.

use crate::Result;
use crate::failure::Failure;
use landbridge::model::Alignment;
use landbridge::outcome::{Outcome, Status};
use landbridge_io::{ColumnNote, KnownWords, Loaded, ReadOptions, atomic_write, notes_of_text};
use landbridge_plot::Kind;
pub(crate) use landbridge_plot::{plain, thousands};
use serde_json::{Value, json};
use std::io::{IsTerminal, Write};
use std::mem::{Discriminant, discriminant};
use std::path::Path;

/// The output settings of this run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Console {
    /// Results and errors for machines.
    pub(crate) json: bool,
    quiet: bool,
}

/// What was said of new rows, and the words of their text so far.
#[derive(Default)]
pub(crate) struct Said {
    kinds: Vec<Discriminant<ColumnNote>>,
    words: KnownWords,
}

impl Console {
    pub(crate) fn new(json: bool, quiet: bool) -> Self {
        Self { json, quiet }
    }
    /// Whether messages are printed.
    pub(crate) fn talks(&self) -> bool {
        !self.quiet && !self.json
    }
    /// Prints a message on standard error.
    pub(crate) fn say(&self, text: impl AsRef<str>) {
        if self.talks() {
            eprint_line(&plain_lines(text.as_ref()));
        }
    }
    /// Says what is to be known of new rows that come in pieces, once of each kind.
    pub(crate) fn warn_once(&self, notes: Vec<ColumnNote>, loaded: &Loaded, options: &ReadOptions, said: &mut Said) {
        said.words = said.words.and(loaded.words.unwrap_or_default());
        let of_all = options.recipe.iter().flat_map(|recipe| notes_of_text(loaded, recipe, Some(said.words)));
        for note in notes.into_iter().chain(of_all) {
            if !said.kinds.contains(&discriminant(&note)) {
                self.warn(note.to_string());
                said.kinds.push(discriminant(&note));
            }
        }
    }
    /// Prints a warning.
    pub(crate) fn warn(&self, text: impl AsRef<str>) {
        if self.talks() {
            eprint_line(&format!("{} {}", painted("warning:", "1;33"), plain(text.as_ref())));
        }
    }
    /// Prints data on standard output.
    pub(crate) fn print(&self, text: &str) -> Result<()> {
        let mut out = std::io::stdout().lock();
        out.write_all(text.as_bytes())
            .and_then(|()| out.flush())
            .map_err(|source| landbridge_io::Error::Io { path: "standard output".into(), action: "write", source }.into())
    }
    /// Prints one line of JSON on standard output.
    pub(crate) fn print_json(&self, value: &Value) -> Result<()> {
        self.print(&format!("{value}\n"))
    }
    /// Reports a failure.
    pub(crate) fn fail(&self, failure: &Failure) {
        if matches!(failure, Failure::PipeClosed | Failure::NotTrusted) {
            return;
        }
        if self.json {
            return eprint_line(&failure.to_json());
        }
        eprint_line(&format!("{} {}", painted("error:", "1;31"), plain_lines(&failure.message())));
        if let Some(hint) = failure.hint_text() {
            eprint_line(&format!("  {} {}", painted("hint:", "1"), plain_lines(&hint)));
        }
    }
    /// Prints the outcome of a fit: solver, residual, components; then the warnings.
    pub(crate) fn outcome(&self, outcome: &Outcome) {
        self.say(format!("{:<8} {}", "outcome", outcome_line(outcome)));
        let parts = match outcome.components {
            1 => "one connected piece".to_string(),
            n => format!("{n} connected pieces"),
        };
        // Without a zero solution there was no graph (an embedding by PCA).
        if outcome.components > 1 || outcome.zero_solutions > 0 {
            self.say(format!("{:<8} graph in {parts}, {} skipped", "", counted(outcome.zero_solutions, "zero solution")));
        }
        if let Some(ridge) = outcome.ridge.as_ref().filter(|r| r.iter().any(|r| *r > 0.0)) {
            let ridge: Vec<String> = ridge.iter().map(|r| short(*r)).collect();
            self.say(format!("{:<8} ridge {}", "", ridge.join(", ")));
        }
        if let (Some(scales), Some(share)) = (&outcome.scales, outcome.negative_share) {
            let scales = scales.iter().map(|s| format!("{s:.4}")).collect::<Vec<_>>().join(", ");
            self.say(format!("{:<8} distances times {scales}; negative share of the spectrum {share:.3}", ""));
        }
        if let Some(held_out) = &outcome.held_out {
            self.say(format!("{:<8} {}", "held out", held_out.verdict()));
        }
        if let Some(trust) = &outcome.trust {
            self.say(format!("{:<8} {}", "trust", trust.verdict()));
            self.say(format!("{:<8} {} matches used, {}", "", trust.matches, counted(trust.runs.len(), "run")));
            if !trust.suspect_links.is_empty() {
                let some: Vec<String> = trust.suspect_links.iter().take(10).map(|(i, j)| format!("{i}-{j}")).collect();
                let count = trust.suspect_links.len();
                self.warn(format!(
                    "{} of columns that do not correlate over the matches: {} (counted from 0)",
                    counted(count, "link"),
                    some.join(", ")
                ));
            }
            if !trust.suspect_pairs.is_empty() {
                let some: Vec<String> = trust.suspect_pairs.iter().take(10).map(ToString::to_string).collect();
                let count = trust.suspect_pairs.len();
                let look = if count == 1 { "looks" } else { "look" };
                self.warn(format!("{} {look} wrong: {} (counted from 0)", counted(count, "given pair"), some.join(", ")));
            }
        }
        outcome.warnings.iter().for_each(|warning| self.warn(warning.to_string()));
    }
}

/// Status, residual and solver.
pub(crate) fn outcome_line(outcome: &Outcome) -> String {
    let status = match outcome.status {
        Status::Converged => "converged",
        Status::ReducedAccuracy => "reduced accuracy",
    };
    format!("{status}: residual {:.1e} (asked {:.0e}), solver {}", outcome.residual, outcome.tolerance, outcome.solver)
}

/// Ignores a closed standard error.
fn eprint_line(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}

/// Whether standard output may be coloured.
pub(crate) fn stdout_has_color() -> bool {
    std::io::stdout().is_terminal() && color_allowed()
}

fn color_allowed() -> bool {
    std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty()) && std::env::var_os("TERM").is_none_or(|v| v != "dumb")
}

fn painted(text: &str, code: &str) -> String {
    if std::io::stderr().is_terminal() && color_allowed() { format!("\x1b[{code}m{text}\x1b[0m") } else { text.into() }
}

fn plain_lines(text: &str) -> String {
    text.split('\n').map(plain).collect::<Vec<_>>().join("\n")
}

/// "1 pair", "2 pairs".
pub(crate) fn counted(n: usize, word: &str) -> String {
    format!("{} {word}{}", thousands(n), if n == 1 { "" } else { "s" })
}

/// The outcome as a value, with the seconds that a model file leaves out.
pub(crate) fn outcome_json(outcome: &Outcome) -> Value {
    let mut value = serde_json::to_value(outcome).unwrap_or_default();
    value["seconds"] =
        outcome.seconds.iter().map(|s| (s.name.clone(), json!(s.seconds))).collect::<serde_json::Map<_, _>>().into();
    value["warnings_text"] = outcome.warnings.iter().map(ToString::to_string).collect();
    value
}

/// Saves a model; only its maps, if `map_only`.
pub(crate) fn save_fitted(path: &Path, alignment: &Alignment, map_only: bool) -> Result<()> {
    let bare = map_only.then(|| alignment.without_rows()).transpose()?;
    Ok(landbridge_io::save_model(path, bare.as_ref().unwrap_or(alignment))?)
}

/// A model that was chosen and written, as a value; `name` and `how` tell how it was chosen.
pub(crate) fn chosen_json(path: &Path, alignment: &Alignment, name: &str, how: impl serde::Serialize) -> Value {
    json!({
        "model": path.to_string_lossy(),
        "method": alignment.method(),
        "params": alignment.params(),
        "datasets": datasets_json(alignment),
        name: how,
        "outcome": outcome_json(alignment.outcome()),
    })
}

/// The datasets of a model as a value.
pub(crate) fn datasets_json(alignment: &Alignment) -> Value {
    let one = |d: &landbridge::model::Fitted| {
        json!({"name": d.name(), "rows": d.nrows(), "features": d.n_features(),
               "ids": d.row_ids().is_some(), "labels": d.labels().is_some()})
    };
    alignment.datasets().iter().map(one).collect()
}

/// Four digits, with an exponent if that is shorter.
fn short(value: f64) -> String {
    if value == 0.0 || (1e-3..1e5).contains(&value.abs()) { format!("{value:.4}") } else { format!("{value:.3e}") }
}

/// Refuses an output path without an existing folder, before long work starts.
pub(crate) fn check_target(path: &Path) -> Result<()> {
    let io = |source| landbridge_io::Error::Io { path: path.into(), action: "write", source };
    if path.is_dir() {
        return Err(landbridge_io::Error::IsDirectory { path: path.into() }.into());
    }
    let folder = path.parent().filter(|f| !f.as_os_str().is_empty());
    if let Some(folder) = folder {
        let about = std::fs::metadata(folder).map_err(io)?;
        if !about.is_dir() {
            return Err(io(std::io::Error::from(std::io::ErrorKind::NotADirectory)).into());
        }
    }
    Ok(())
}

/// Writes a text, whole or not at all; `-` is standard output.
pub(crate) fn write_text(path: &Path, text: &str) -> Result<()> {
    Ok(atomic_write(path, |sink| sink.write_all(text.as_bytes()))?)
}

/// Writes a picture as its name ends, .svg, .png or .pdf; standard output and other names get SVG text.
pub(crate) fn write_picture(path: &Path, svg: &str, console: &Console) -> Result<()> {
    let (bytes, note) = Kind::of(path).unwrap_or(Kind::Svg).encode(svg)?;
    atomic_write(path, |sink| sink.write_all(&bytes))?;
    note.iter().for_each(|note| console.warn(note));
    Ok(())
}

/// Refuses a picture of a kind that is not written.
pub(crate) fn check_picture(path: &Path) -> Result<()> {
    if Kind::of(path).is_none() && path.as_os_str() != "-" && !path.starts_with("/dev") {
        return Err(Failure::usage(format!("{}: pictures are written as .svg, .png or .pdf", path.display())));
    }
    check_target(path)
}
