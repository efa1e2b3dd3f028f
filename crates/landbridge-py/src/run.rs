//! Runs a computation without the GIL: Ctrl-C cancels it, and a panic becomes an exception. Work that takes no longer than
//! starting a thread runs on the calling thread.

use crate::errors;
use landbridge::progress::{Progress, Step, with_threads};
use pyo3::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

/// Interval between checks for Ctrl-C.
const POLL: Duration = Duration::from_millis(50);
/// How long to wait for a cancelled computation; after that it ends in the background, and Python continues.
const GRACE: Duration = Duration::from_millis(500);
/// Least time between two lines about the same stage.
const LINE_EVERY: Duration = Duration::from_millis(500);

enum Message<T> {
    Step(Step),
    Done(std::thread::Result<landbridge::Result<T>>),
}

/// Runs `work` on `n_jobs` threads (0 = all cores) while the calling thread waits without the GIL. With `verbose`,
/// progress is written to `sys.stderr`.
pub(crate) fn run<T: Send + 'static>(
    py: Python<'_>,
    n_jobs: usize,
    verbose: bool,
    work: impl FnOnce(&Progress) -> landbridge::Result<T> + Send + 'static,
) -> PyResult<T> {
    let (sender, mut receiver) = channel::<Message<T>>();
    let progress = if verbose { listening(sender.clone()) } else { Progress::silent() };
    let own = progress.clone();
    let worker = std::thread::Builder::new().name("landbridge".into()).spawn(move || {
        let result = catch_unwind(AssertUnwindSafe(|| with_threads(n_jobs, || work(&own))));
        // The receiver is gone if the caller has given up after Ctrl-C.
        let _ = sender.send(Message::Done(result));
    });
    if let Err(error) = worker {
        return Err(errors::exception(py, "internal", &format!("cannot start a thread: {error}"), None));
    }
    let mut interrupted: Option<(PyErr, Instant)> = None;
    loop {
        // A receiver cannot be shared with the closure, so it is moved into it and returned.
        let (back, message) = py.detach(move || {
            let message = receiver.recv_timeout(POLL);
            (receiver, message)
        });
        receiver = back;
        match message {
            Ok(Message::Step(step)) => write_line(py, &step),
            Ok(Message::Done(result)) => {
                return match (interrupted, result) {
                    (Some((interrupt, _)), _) => Err(interrupt),
                    (None, Ok(Ok(value))) => Ok(value),
                    (None, Ok(Err(error))) => Err(errors::library(py, &error)),
                    (None, Err(panic)) => Err(errors::exception(py, "internal", &words(&*panic), None)),
                };
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                return Err(errors::exception(py, "internal", "the computation ended without a result", None));
            }
        }
        match interrupted {
            None => {
                if let Err(interrupt) = py.check_signals() {
                    progress.cancel();
                    interrupted = Some((interrupt, Instant::now()));
                }
            }
            Some((interrupt, since)) if since.elapsed() > GRACE => return Err(interrupt),
            Some(_) => {}
        }
    }
}

/// Runs work of some 50 µs on this thread, with the GIL: starting another one would take longer.
pub(crate) fn run_here<T>(py: Python<'_>, work: impl FnOnce() -> landbridge::Result<T>) -> PyResult<T> {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(value)) => Ok(value),
        Ok(Err(error)) => Err(errors::library(py, &error)),
        Err(panic) => Err(errors::exception(py, "internal", &words(&*panic), None)),
    }
}

/// Reports the first step of each stage, and then one from time to time.
fn listening<T: Send + 'static>(sender: Sender<Message<T>>) -> Progress {
    let last: Mutex<Option<(String, Instant)>> = Mutex::new(None);
    Progress::listening(move |step| {
        let Ok(mut last) = last.lock() else { return };
        let quiet = last.as_ref().is_some_and(|(stage, when)| *stage == step.stage && when.elapsed() < LINE_EVERY);
        if !quiet {
            *last = Some((step.stage.clone(), Instant::now()));
            let _ = sender.send(Message::Step(step.clone()));
        }
    })
}

fn write_line(py: Python<'_>, step: &Step) {
    let line = match (step.done, step.total) {
        (0, 0) => format!("landbridge: {}\n", step.stage),
        (done, 0) => format!("landbridge: {}, {done}\n", step.stage),
        (done, total) => format!("landbridge: {}, {done} of {total}\n", step.stage),
    };
    // A closed or missing sys.stderr is not an error.
    let _ = py.import("sys").and_then(|sys| sys.getattr("stderr")).and_then(|err| err.call_method1("write", (line,)));
}

fn words(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|s| (*s).to_string()).or_else(|| panic.downcast_ref::<String>().cloned());
    format!("a bug in landbridge: {}", text.unwrap_or_else(|| "no message".into()))
}
