//! Failures: their messages, their JSON and their exit codes.

use crate::args::with_method_first;
use crate::methods::owners;
use crate::output::{Console, plain};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use landbridge::registry;
use landbridge_plot::PlotError;
use serde_json::json;
use std::ffi::OsString;
use std::process::ExitCode;

/// Stopped by Ctrl-C.
pub(crate) const INTERRUPTED: u8 = 130;
/// The call was wrong.
const WRONG_CALL: u8 = 2;
/// The work failed.
const FAILED: u8 = 1;
/// The result was written, and is not to be trusted.
const NOT_TRUSTED: u8 = 3;

/// Why a command ends early.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Options that do not fit together, or do not fit the model.
    Usage { message: String, hint: Option<String> },
    /// A file, or the library behind it.
    Library(landbridge_io::Error),
    /// A picture.
    Plot(PlotError),
    /// The reader closed standard output. This is not a failure.
    PipeClosed,
    /// The result was written, and the verdict on it was printed.
    NotTrusted,
}

impl Failure {
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Failure::Usage { message: message.into(), hint: None }
    }
    pub(crate) fn hint(self, hint: impl Into<String>) -> Self {
        match self {
            Failure::Usage { message, .. } => Failure::Usage { message, hint: Some(hint.into()) },
            other => other,
        }
    }
    pub(crate) fn exit_code(&self) -> u8 {
        match (self, self.kind()) {
            (Failure::PipeClosed, _) => 0,
            (Failure::NotTrusted, _) => NOT_TRUSTED,
            (_, "cancelled") => INTERRUPTED,
            (_, "usage" | "parameter") => WRONG_CALL,
            _ => FAILED,
        }
    }
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Failure::Usage { .. } => "usage",
            Failure::Library(error) => error.kind(),
            Failure::Plot(_) => "data",
            Failure::PipeClosed => "io",
            Failure::NotTrusted => "not_trusted",
        }
    }
    pub(crate) fn message(&self) -> String {
        match self {
            Failure::Usage { message, .. } => message.clone(),
            Failure::Library(error) => error.to_string(),
            Failure::Plot(error) => error.to_string(),
            Failure::PipeClosed => "standard output was closed".into(),
            Failure::NotTrusted => "the result is not to be trusted".into(),
        }
    }
    pub(crate) fn hint_text(&self) -> Option<String> {
        match self {
            Failure::Usage { hint, .. } => hint.clone(),
            Failure::Library(error) => error.hint(),
            Failure::Plot(_) | Failure::PipeClosed | Failure::NotTrusted => None,
        }
    }
    /// One line for machines.
    pub(crate) fn to_json(&self) -> String {
        json!({"error": {"kind": self.kind(), "message": self.message(), "hint": self.hint_text()}}).to_string()
    }
}

impl From<landbridge_io::Error> for Failure {
    fn from(error: landbridge_io::Error) -> Self {
        match &error {
            landbridge_io::Error::Io { source, .. } if source.kind() == std::io::ErrorKind::BrokenPipe => Failure::PipeClosed,
            _ => Failure::Library(error),
        }
    }
}
impl From<landbridge::Error> for Failure {
    fn from(error: landbridge::Error) -> Self {
        Failure::Library(error.into())
    }
}
impl From<PlotError> for Failure {
    fn from(error: PlotError) -> Self {
        Failure::Plot(error)
    }
}

/// The error for an output that is also an input.
pub(crate) fn overwrites(path: Option<&std::path::Path>) -> Failure {
    let path = path.unwrap_or(std::path::Path::new(""));
    Failure::usage(format!("{} is read and would be written over", path.display())).hint("write to another file")
}

/// Prints the answer of the argument parser: help and version are not errors.
pub(crate) fn refuse_arguments(error: &clap::Error, arguments: &[OsString]) -> ExitCode {
    let json = arguments.iter().any(|a| a == "--json");
    if let Some(failure) = of_another_method(error, arguments) {
        Console::new(json, false).fail(&failure);
        return ExitCode::from(WRONG_CALL);
    }
    if json && error.use_stderr() {
        let text = error.render().to_string();
        let mut parts = text.trim().trim_start_matches("error: ").splitn(2, "\n\n");
        let message = parts.next().unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ");
        let hint = "see --help".to_string();
        Console::new(true, false).fail(&Failure::Usage { message: plain(&message), hint: Some(hint) });
    } else {
        // A reader who closes the pipe has seen enough of the help.
        let _ = error.print();
    }
    ExitCode::from(if error.use_stderr() { WRONG_CALL } else { 0 })
}

/// The error for an option of other methods.
fn of_another_method(error: &clap::Error, arguments: &[OsString]) -> Option<Failure> {
    let Some(ContextValue::String(option)) = error.get(ContextKind::InvalidArg) else { return None };
    let arguments = with_method_first(arguments.to_vec());
    let [_, command, method, ..] = &arguments[..] else { return None };
    let method = method.to_str()?;
    if error.kind() != ErrorKind::UnknownArgument || (command != "fit" && command != "embed") {
        return None;
    }
    let owners = owners(option, if command == "fit" { registry::methods() } else { registry::embeddings() });
    if owners.is_empty() {
        return None;
    }
    let message = format!("{option} is not an option of {method}; it belongs to {}", owners.join(", "));
    Some(Failure::usage(message).hint(format!("see landbridge {} {method} --help", command.display())))
}
