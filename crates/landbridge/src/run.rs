//! One fit under way: its progress, its clock and its warnings.

use crate::error::Result;
use crate::outcome::{Outcome, Stopwatch, Warning};
use crate::progress::Progress;

/// What every step of a fit shares.
#[derive(Clone)]
pub(crate) struct Run<'a> {
    /// Who waits for the fit, and may stop it.
    pub(crate) progress: &'a Progress,
    /// What the user should know.
    pub(crate) warnings: Vec<Warning>,
    watch: Stopwatch,
}

impl<'a> Run<'a> {
    /// The clock starts.
    pub(crate) fn new(progress: &'a Progress) -> Self {
        Self { progress, warnings: vec![], watch: Stopwatch::start() }
    }
    /// A named step: announced, stopped when the caller asks for it, timed.
    pub(crate) fn step<T>(&mut self, name: &str, work: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        self.progress.step(name, 0, 0)?;
        let done = work(self)?;
        self.watch.lap(name);
        Ok(done)
    }
    /// What was done since the last step counts as this one.
    pub(crate) fn lap(&mut self, name: &str) {
        self.watch.lap(name);
    }
    /// Adds a warning.
    pub(crate) fn warn(&mut self, warning: Warning) {
        self.warnings.push(warning);
    }
    /// Adds a warning where there is something to warn of.
    pub(crate) fn warn_if(&mut self, condition: bool, warning: impl FnOnce() -> Warning) {
        if condition {
            self.warnings.push(warning());
        }
    }
    /// The outcome with what was seen on the way.
    pub(crate) fn finish(self, outcome: &mut Outcome) {
        let mut warnings = self.warnings;
        warnings.append(&mut outcome.warnings);
        outcome.warnings = warnings;
        let mut seconds = self.watch.finish();
        // A nested fit has its own stages; each stage has one entry, however often it came.
        seconds.append(&mut outcome.seconds);
        for stage in seconds {
            match outcome.seconds.iter_mut().find(|s| s.name == stage.name) {
                Some(same) => same.seconds += stage.seconds,
                None => outcome.seconds.push(stage),
            }
        }
    }
}
