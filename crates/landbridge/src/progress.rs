//! Progress and cancellation: how a long computation talks to whoever waits for it.

use crate::error::{Error, Result};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// One step of a stage: `done` of `total` (0 = unknown).
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// What is being done: "neighbours of en", "eigenvectors".
    pub stage: String,
    /// Units finished.
    pub done: usize,
    /// Units in all, 0 when not known.
    pub total: usize,
}

type Listener = Arc<dyn Fn(&Step) + Send + Sync>;

/// Hears of progress, and can be told to stop. Cheap to clone.
#[derive(Clone, Default)]
pub struct Progress {
    listener: Option<Listener>,
    stop: Arc<AtomicBool>,
}

impl Progress {
    /// Tells nobody, never stops by itself.
    pub fn silent() -> Self {
        Self::default()
    }
    /// Calls `listener` at every step (from any thread).
    pub fn listening(listener: impl Fn(&Step) + Send + Sync + 'static) -> Self {
        Self { listener: Some(Arc::new(listener)), stop: Arc::default() }
    }
    /// The computation ends with [`Error::Cancelled`] at its next check.
    pub fn cancel(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }
    /// Has somebody asked to stop?
    pub fn is_cancelled(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
    /// Reports a step; an error when the caller asked to stop.
    pub fn step(&self, stage: &str, done: usize, total: usize) -> Result<()> {
        if self.is_cancelled() {
            return Err(Error::Cancelled);
        }
        if let Some(listener) = &self.listener {
            listener(&Step { stage: stage.to_string(), done, total });
        }
        Ok(())
    }
}

impl std::fmt::Debug for Progress {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Progress").field("cancelled", &self.is_cancelled()).finish()
    }
}

/// More threads than this only cost time, on any machine.
const MOST_THREADS: usize = 256;

/// Runs `work` on `n_jobs` threads (0 = all cores, at most 256). Results never depend on the number.
pub fn with_threads<R: Send>(n_jobs: usize, work: impl FnOnce() -> R + Send) -> R {
    let n_jobs = n_jobs.min(MOST_THREADS);
    match rayon::ThreadPoolBuilder::new().num_threads(n_jobs).build() {
        Ok(pool) => pool.install(work),
        // The system refuses more threads: the global pool gives the same bytes, only later.
        Err(_) => work(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    #[test]
    fn a_cancelled_computation_hears_it_at_the_next_step() {
        let seen = Arc::new(Mutex::new(vec![]));
        let log = seen.clone();
        let progress = Progress::listening(move |s| log.lock().unwrap().push(s.done));
        assert!(progress.step("x", 1, 2).is_ok());
        progress.clone().cancel();
        assert!(matches!(progress.step("x", 2, 2), Err(Error::Cancelled)));
        assert_eq!(*seen.lock().unwrap(), [1]);
    }
}
