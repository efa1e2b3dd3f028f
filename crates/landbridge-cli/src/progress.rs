//! Progress on a terminal, and Ctrl-C.

use crate::Result;
use crate::failure::{Failure, INTERRUPTED};
use crate::output::Console;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use landbridge::progress::{Progress, Step};
use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Progress and cancellation of the long parts of a command.
pub(crate) struct Watch {
    progress: Progress,
    bar: Option<ProgressBar>,
    /// In a part that checks for cancellation, the first Ctrl-C cancels and the second ends the process. Elsewhere the first
    /// one ends the process.
    listening: Arc<AtomicBool>,
}

impl Watch {
    /// Installs the Ctrl-C handler.
    pub(crate) fn start(console: &Console) -> Self {
        let bar = (console.talks() && std::io::stderr().is_terminal()).then(spinner);
        let progress = match bar.clone() {
            Some(bar) => Progress::listening(move |step| show(&bar, step)),
            None => Progress::silent(),
        };
        let listening = Arc::new(AtomicBool::new(false));
        let (asked, heard, shown, console) = (progress.clone(), listening.clone(), bar.clone(), *console);
        // There is no handler yet, so this cannot fail; without one Ctrl-C would end the process at once.
        let _ = ctrlc::set_handler(move || {
            if heard.load(Ordering::SeqCst) && !asked.is_cancelled() {
                asked.cancel();
                if let Some(bar) = &shown {
                    bar.finish_and_clear();
                }
                return console.say("stopping; Ctrl-C again stops at once");
            }
            console.fail(&landbridge::Error::Cancelled.into());
            std::process::exit(i32::from(INTERRUPTED));
        });
        Self { progress, bar, listening }
    }

    /// For work inside [`Watch::during`].
    pub(crate) fn progress(&self) -> &Progress {
        &self.progress
    }

    /// Runs long work with progress reports; it can be stopped, and its result is discarded then.
    pub(crate) fn during<T, E: Into<Failure>>(&self, work: impl FnOnce(&Progress) -> std::result::Result<T, E>) -> Result<T> {
        let done = self.unless_stopped(work)?;
        // Cancelled during the last step: discard the result.
        if self.progress.is_cancelled() {
            return Err(landbridge::Error::Cancelled.into());
        }
        Ok(done)
    }

    /// Runs long work with progress reports. Work that is stopped may still return what it has.
    pub(crate) fn unless_stopped<T, E: Into<Failure>>(
        &self,
        work: impl FnOnce(&Progress) -> std::result::Result<T, E>,
    ) -> Result<T> {
        if let Some(bar) = &self.bar {
            bar.reset();
        }
        self.listening.store(true, Ordering::SeqCst);
        let done = work(&self.progress);
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        self.listening.store(false, Ordering::SeqCst);
        done.map_err(Into::into)
    }
}

fn spinner() -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(10));
    bar.set_style(style("{spinner} {msg} {elapsed:.dim}"));
    bar
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_spinner())
}

fn show(bar: &ProgressBar, step: &Step) {
    if bar.message() != step.stage {
        bar.set_message(step.stage.clone());
        bar.enable_steady_tick(Duration::from_millis(120));
    }
    match step.total {
        0 => bar.unset_length(),
        total => {
            if bar.length() != Some(total as u64) {
                bar.set_style(style("{spinner} {msg} {wide_bar} {percent}% {elapsed:.dim}"));
                bar.set_length(total as u64);
            }
            bar.set_position(step.done as u64);
        }
    }
    if step.total == 0 {
        bar.set_style(style("{spinner} {msg} {elapsed:.dim}"));
    }
}
