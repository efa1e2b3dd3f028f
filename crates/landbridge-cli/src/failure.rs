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
use std::sync::{Mutex, PoisonError};

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
    /// The system refused a thread.
    NoThread,
    /// A panic.
    Bug(String),
}

/// What the last panic said, and where.
static PANICKED: Mutex<Option<String>> = Mutex::new(None);

/// Runs the program. A panic becomes a message and exit code 1. Readers catch panics of other libraries, so nothing is printed
/// before a panic reaches this function.
pub(crate) fn or_a_message(program: fn() -> ExitCode) -> ExitCode {
    std::panic::set_hook(Box::new(|about| {
        let payload = about.payload();
        let said = payload.downcast_ref::<&str>().copied().or_else(|| payload.downcast_ref::<String>().map(String::as_str));
        let said = said.unwrap_or("no message");
        let place = about.location().map_or_else(String::new, |at| format!(" ({}:{})", at.file(), at.line()));
        *PANICKED.lock().unwrap_or_else(PoisonError::into_inner) = Some(format!("{said}{place}"));
    }));
    std::panic::catch_unwind(program).unwrap_or_else(|_| {
        let said = PANICKED.lock().unwrap_or_else(PoisonError::into_inner).take().unwrap_or_default();
        let failure = if said.contains("ThreadPoolBuildError") { Failure::NoThread } else { Failure::Bug(said) };
        Console::new(std::env::args_os().any(|a| a == "--json"), false).fail(&failure);
        ExitCode::from(FAILED)
    })
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
            Failure::NoThread => "memory",
            Failure::Bug(_) => "internal",
        }
    }
    pub(crate) fn message(&self) -> String {
        match self {
            Failure::Usage { message, .. } => message.clone(),
            Failure::Library(error) => error.to_string(),
            Failure::Plot(error) => error.to_string(),
            Failure::PipeClosed => "standard output was closed".into(),
            Failure::NotTrusted => "the result is not to be trusted".into(),
            Failure::NoThread => "the system refused to start a thread".into(),
            Failure::Bug(said) => format!("a bug in landbridge: {said}"),
        }
    }
    pub(crate) fn hint_text(&self) -> Option<String> {
        match self {
            Failure::Usage { hint, .. } => hint.clone(),
            Failure::Library(error) => error.hint(),
            Failure::NoThread => Some("allow more memory (ulimit -v) or more processes (ulimit -u)".into()),
            Failure::Bug(_) => Some("please report it with the command that you ran".into()),
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
