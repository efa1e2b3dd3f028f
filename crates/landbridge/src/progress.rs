//! Progress and cancellation of long computations.

use crate::error::{Error, Result};
use crate::memo::Memo;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

/// One step of a stage: `done` of `total` (0 = unknown).
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Step {
    /// What is being done: "neighbours of en", "eigenvectors".
    pub stage: String,
    /// Units finished.
    pub done: usize,
    /// Units in all, 0 when not known.
    pub total: usize,
}

type Listener = Arc<dyn Fn(&Step) + Send + Sync>;

/// Receives progress and can cancel the computation. Cheap to clone.
#[derive(Clone, Default)]
pub struct Progress {
    listener: Option<Listener>,
    stop: Arc<AtomicBool>,
    memo: Option<Arc<Memo>>,
    /// Nanoseconds that the memo saved.
    saved: Arc<AtomicU64>,
}

impl Progress {
    /// Reports nothing and never cancels by itself.
    pub fn silent() -> Self {
        Self::default()
    }
    /// Calls `listener` at every step, from any thread.
    pub fn listening(listener: impl Fn(&Step) + Send + Sync + 'static) -> Self {
        Self { listener: Some(Arc::new(listener)), ..Self::default() }
    }
    /// The same, for a fit that shares results with others through a memo.
    #[must_use]
    pub(crate) fn remembering(&self, memo: Arc<Memo>) -> Self {
        Self { memo: Some(memo), saved: Arc::default(), ..self.clone() }
    }
    /// The results that fits share, if they do.
    pub(crate) fn memo(&self) -> Option<&Memo> {
        self.memo.as_deref()
    }
    /// What `compute` gives for datasets with rows at these addresses; computed once if fits share results. The name tells all
    /// parameters that the result depends on.
    pub(crate) fn once<T: Send + Sync + 'static>(
        &self,
        rows: &[usize],
        name: impl FnOnce() -> String,
        compute: impl FnOnce() -> Result<T>,
    ) -> Result<Arc<T>> {
        let Some(memo) = self.memo() else { return compute().map(Arc::new) };
        let (found, seconds) = memo.once(rows, &name(), compute)?;
        self.saved.fetch_add((seconds * 1e9) as u64, Ordering::Relaxed);
        Ok(found)
    }
    /// Seconds that the memo saved since [`Progress::remembering`].
    pub(crate) fn seconds_saved(&self) -> f64 {
        self.saved.load(Ordering::Relaxed) as f64 / 1e9
    }
    /// The computation ends with [`Error::Cancelled`] at its next check.
    pub fn cancel(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }
    /// Whether the computation was cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
    /// Reports a step; returns an error if the computation was cancelled.
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

/// Largest number of threads. More never help, on any machine.
const MOST_THREADS: usize = 256;
/// Largest number of idle pools kept for later calls; their threads sleep.
const KEPT_POOLS: usize = 4;

/// A pool of threads, and the process that started them. A forked child inherits the pools of its parent, but not their
/// threads.
struct Kept {
    process: u32,
    pool: ThreadPool,
}

/// Idle pools, the one used last at the end.
static KEPT: Mutex<Vec<Kept>> = Mutex::new(Vec::new());

/// The pool of one call. No other call uses it until it is returned, so two computations never wait for each other's work.
struct Lent(Option<Kept>);

impl Lent {
    /// A kept pool of this many threads, or a new one. It has fewer threads if the system refuses more, and is `None` if it
    /// refuses even one.
    fn new(threads: usize) -> Self {
        let process = std::process::id();
        // Never waits: in a forked child the lock may be held by a thread that no longer exists.
        if let Ok(mut kept) = KEPT.try_lock()
            && let Some(at) = kept.iter().rposition(|k| k.process == process && k.pool.current_num_threads() == threads)
        {
            return Self(Some(kept.remove(at)));
        }
        let fewer = std::iter::successors(Some(threads), |n| (*n > 1).then_some(n / 2));
        let pool = fewer.filter_map(|n| ThreadPoolBuilder::new().num_threads(n).build().ok()).next();
        Self(pool.map(|pool| Kept { process, pool }))
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        let Some(own) = self.0.take() else { return };
        if own.process != std::process::id() {
            // Forked in the meantime: dropping the pool would wait for threads that do not exist.
            return std::mem::forget(own);
        }
        let oldest = KEPT.try_lock().ok().and_then(|mut kept| {
            let here = kept.iter().filter(|k| k.process == own.process).count();
            let first = kept.iter().position(|k| k.process == own.process);
            kept.push(own);
            // Pools of a parent process stay in the list, because they cannot be dropped here.
            first.filter(|_| here >= KEPT_POOLS).map(|at| kept.remove(at))
        });
        drop(oldest); // its threads end when the lock is free again
    }
}

/// The number of cores, or the value of `RAYON_NUM_THREADS`.
fn all_cores() -> usize {
    let wanted = std::env::var("RAYON_NUM_THREADS").ok().and_then(|n| n.parse().ok()).filter(|n| *n > 0);
    wanted.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, |n| n.get()))
}

/// Runs `work` on `n_jobs` threads (0 = all cores, at most 256). Results never depend on the number.
///
/// The outermost caller decides: inside a pool, `work` runs in that pool, whatever `n_jobs` is. So a computation that starts
/// others never uses more threads than it was given. Pools are kept between calls.
pub fn with_threads<R: Send>(n_jobs: usize, work: impl FnOnce() -> R + Send) -> R {
    if rayon::current_thread_index().is_some() {
        return work();
    }
    let threads = if n_jobs == 0 { all_cores() } else { n_jobs };
    let lent = Lent::new(threads.min(MOST_THREADS));
    match &lent.0 {
        Some(kept) => kept.pool.install(work),
        // The system refuses every thread, so parallel code inside `work` reports its own error.
        None => work(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rayon::prelude::*;
    use std::collections::HashSet;
    use std::thread::ThreadId;

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

    /// The threads that work in two nested computations, the inner one asking for `inner` threads.
    fn workers(outer: usize, inner: usize) -> HashSet<ThreadId> {
        let here = || {
            // Long enough for every thread of a pool to take part.
            std::thread::sleep(std::time::Duration::from_micros(200));
            std::thread::current().id()
        };
        let count = || (0..64).into_par_iter().with_max_len(1).map(|_| here()).collect::<HashSet<_>>();
        with_threads(outer, || {
            let mut seen = count();
            seen.extend(with_threads(inner, count));
            let nested: Vec<_> = (0..8).into_par_iter().map(|_| with_threads(inner, count)).collect();
            seen.extend(nested.into_iter().flatten());
            seen
        })
    }

    #[test]
    fn the_outermost_caller_sets_the_number_of_threads() {
        for (outer, inner) in [(1, 1), (1, 7), (1, 0), (2, 1), (2, 5), (3, 0)] {
            let seen = workers(outer, inner);
            assert_eq!(seen.len(), outer, "{inner} asked for inside");
            assert!(!seen.contains(&std::thread::current().id()));
        }
    }

    #[test]
    fn pools_are_kept_and_never_shared() {
        let ids = |n| with_threads(n, || rayon::broadcast(|_| std::thread::current().id())).into_iter().collect::<HashSet<_>>();
        // A number of threads that no other test uses. Other tests may push its pool out of the list between two calls.
        assert!((0..50).any(|_| ids(11) == ids(11)));
        assert_eq!(ids(11).len(), 11);
        let (here, beside) = with_threads(13, || {
            let here: HashSet<ThreadId> = rayon::broadcast(|_| std::thread::current().id()).into_iter().collect();
            // Another computation of as many threads, at the same time.
            (here, std::thread::scope(|s| s.spawn(|| ids(13)).join().unwrap()))
        });
        assert!(here.is_disjoint(&beside));
        assert!(KEPT.lock().unwrap().len() <= KEPT_POOLS);
    }

    #[test]
    fn a_panic_in_the_work_reaches_the_caller() {
        let caught = std::panic::catch_unwind(|| with_threads(2, || panic!("as planned")));
        assert_eq!(caught.unwrap_err().downcast_ref::<&str>(), Some(&"as planned"));
        assert_eq!(with_threads(2, || 3), 3);
    }
}
