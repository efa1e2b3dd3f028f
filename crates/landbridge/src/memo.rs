//! Results that several fits of the same datasets share: neighbour graphs, embeddings, distances.
//!
//! Whoever fits several methods to the same datasets gives the fits one [`Memo`]. Steps that depend on the datasets and on some
//! parameters only, never on the pairs, ask it before they compute. A result from the memo is the result that the step would
//! compute, so it changes time, not bytes.

use crate::error::Result;
use std::any::Any;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock};

/// A result of any type once it is computed, and the seconds that took.
type Slot = Arc<OnceLock<(Arc<dyn Any + Send + Sync>, f64)>>;

/// Keeps results while several methods are fitted to the same datasets.
pub(crate) struct Memo {
    /// The datasets that count, by the address of their rows. The rows stay alive here, so that no other data can have the address.
    known: Mutex<Vec<(usize, Arc<dyn Any + Send + Sync>)>>,
    slots: Mutex<HashMap<String, Slot>>,
}

impl Memo {
    /// For datasets whose rows are shared by these pointers.
    pub(crate) fn new<T: Send + Sync + 'static>(rows: impl IntoIterator<Item = Arc<T>>) -> Self {
        let memo = Self { known: Mutex::default(), slots: Mutex::default() };
        rows.into_iter().for_each(|rows| memo.learn(rows));
        memo
    }

    /// From now on these rows count too: they were computed once from others that count.
    pub(crate) fn learn<T: Send + Sync + 'static>(&self, rows: Arc<T>) {
        let address = address_of(&rows);
        if let Ok(mut known) = self.known.lock()
            && !known.iter().any(|(at, _)| *at == address)
        {
            known.push((address, rows));
        }
    }

    /// Whether all these datasets count.
    fn knows(&self, rows: &[usize]) -> bool {
        self.known.lock().is_ok_and(|known| rows.iter().all(|row| known.iter().any(|(at, _)| at == row)))
    }

    /// The result of `compute` for these datasets, by address of their rows, under this name. The name tells all parameters that
    /// the result depends on. An error is not kept. Also the seconds that were saved.
    pub(crate) fn once<T: Send + Sync + 'static>(
        &self,
        rows: &[usize],
        name: &str,
        compute: impl FnOnce() -> Result<T>,
    ) -> Result<(Arc<T>, f64)> {
        // No lock is held while something is computed: that may ask the memo too.
        let slot: Option<Slot> = match self.slots.lock() {
            Ok(mut slots) if self.knows(rows) => Some(slots.entry(format!("{name} of {rows:?}")).or_default().clone()),
            // Other data; or another thread panicked, and what it left is not used.
            _ => None,
        };
        let Some(slot) = slot else { return compute().map(|made| (Arc::new(made), 0.0)) };
        if let Some((found, seconds)) = slot.get()
            && let Ok(found) = found.clone().downcast::<T>()
        {
            return Ok((found, *seconds));
        }
        let started = std::time::Instant::now();
        // Two threads may compute the same at once. To wait for each other inside a pool of threads could deadlock.
        let made = Arc::new(compute()?);
        slot.get_or_init(|| (made.clone() as Arc<dyn Any + Send + Sync>, started.elapsed().as_secs_f64()));
        Ok((made, 0.0))
    }
}

impl std::fmt::Debug for Memo {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Memo").finish_non_exhaustive()
    }
}

/// The address by which a memo knows shared rows.
pub(crate) fn address_of<T>(rows: &Arc<T>) -> usize {
    Arc::as_ptr(rows).cast::<()>() as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Error;

    #[test]
    fn a_result_is_computed_once_for_the_same_datasets_and_name() {
        let (x, y, other) = (Arc::new(1), Arc::new(2), Arc::new(3));
        let at = |rows: &Arc<i32>| address_of(rows);
        let memo = Memo::new([x.clone(), y.clone()]);
        let mut counted = 0;
        let mut ask = |rows: &[usize], name: &str| {
            let made = memo.once(rows, name, || {
                counted += 1;
                Ok(counted)
            });
            *made.unwrap().0
        };
        assert_eq!(ask(&[at(&x)], "graph"), 1);
        assert_eq!(ask(&[at(&x)], "graph"), 1);
        assert_eq!(ask(&[at(&y)], "graph"), 2);
        assert_eq!(ask(&[at(&x)], "other graph"), 3);
        assert_eq!(ask(&[at(&x), at(&y)], "graph"), 4);
        // Data that the memo does not know are computed each time.
        assert_eq!(ask(&[at(&other)], "graph"), 5);
        assert_eq!(ask(&[at(&other)], "graph"), 6);
        memo.learn(other.clone());
        assert_eq!(ask(&[at(&other)], "graph"), 7);
        assert_eq!(ask(&[at(&other)], "graph"), 7);
    }

    #[test]
    fn what_is_computed_may_ask_the_memo_too() {
        let (x, other) = (Arc::new(1), Arc::new(2));
        let memo = Memo::new([x.clone()]);
        for rows in [address_of(&x), address_of(&other)] {
            let inner = || memo.once(&[rows], "neighbours", || Ok(3)).map(|found| *found.0 + 1);
            assert_eq!(*memo.once(&[rows], "weights", inner).unwrap().0, 4);
        }
    }

    #[test]
    fn an_error_is_not_kept() {
        let x = Arc::new(1);
        let memo = Memo::new([x.clone()]);
        let at = [address_of(&x)];
        assert!(memo.once::<i32>(&at, "graph", || Err(Error::Cancelled)).is_err());
        assert_eq!(*memo.once(&at, "graph", || Ok(7)).unwrap().0, 7);
    }
}
