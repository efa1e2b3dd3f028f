//! One running fit: its progress, its clock and its warnings.

use crate::error::Result;
use crate::outcome::{Outcome, Stopwatch, Warning};
use crate::progress::Progress;

/// The state that every step of a fit shares.
#[derive(Clone)]
pub(crate) struct Run<'a> {
    /// Reports progress and asks whether to stop.
    pub(crate) progress: &'a Progress,
    /// Warnings for the user.
    pub(crate) warnings: Vec<Warning>,
    watch: Stopwatch,
}

impl<'a> Run<'a> {
    /// Starts the clock.
    pub(crate) fn new(progress: &'a Progress) -> Self {
        Self { progress, warnings: vec![], watch: Stopwatch::start() }
    }
    /// Runs a named step: reports it, times it, and stops if the caller asks.
    pub(crate) fn step<T>(&mut self, name: &str, work: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        self.progress.step(name, 0, 0)?;
        let done = work(self)?;
        self.watch.lap(name);
        Ok(done)
    }
    /// Attributes the time since the last step to this one.
    pub(crate) fn lap(&mut self, name: &str) {
        self.watch.lap(name);
    }
    /// Adds a warning.
    pub(crate) fn warn(&mut self, warning: Warning) {
        self.warnings.push(warning);
    }
    /// Adds a warning, if there is one.
    pub(crate) fn warn_if(&mut self, condition: bool, warning: impl FnOnce() -> Warning) {
        if condition {
            self.warnings.push(warning());
        }
    }
    /// Completes the outcome with stages and warnings.
    pub(crate) fn finish(self, outcome: &mut Outcome) {
        let mut warnings = self.warnings;
        warnings.append(&mut outcome.warnings);
        outcome.warnings = warnings;
        let mut seconds = self.watch.finish();
        // A nested fit has its own stages. Each stage has one entry, even if it ran several times.
        seconds.append(&mut outcome.seconds);
        for stage in seconds {
            match outcome.seconds.iter_mut().find(|s| s.name == stage.name) {
                Some(same) => same.seconds += stage.seconds,
                None => outcome.seconds.push(stage),
            }
        }
    }
}
