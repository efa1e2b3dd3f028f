//! Recipes compete on held-out pairs.

use super::quality::{self, Held, Point, Seen};
use super::quick::Stores;
use super::recipe::{Correlation, Recipe, Rooms};
use super::{ENOUGH_HELD, FIRST_POINT, Tried};
use crate::choose::align::python_call;
use crate::correspondence::Splits;
use crate::correspondence::pair_check::selected;
use crate::data::Pairs;
use crate::error::{Error, Result};
use crate::progress::Progress;
use rayon::prelude::*;
use std::ops::Range;

/// What fits to some of the pairs need.
#[derive(Clone, Copy)]
pub(super) struct Work<'a> {
    pub(super) stores: &'a Stores<'a>,
    pub(super) pairs: &'a Pairs,
    pub(super) splits: &'a Splits,
    pub(super) rooms: &'a Rooms,
    pub(super) progress: &'a Progress,
}

/// How held-out pairs are looked up.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Look {
    /// Among some rows of the stores: enough to tell which recipe is better.
    Roughly,
    /// Among all rows.
    Fully,
    /// Among all rows, with everything that is reported.
    Closely,
}

/// A recipe, and what the held-out pairs saw: one list for each fold that it took part in.
pub(super) struct Entrant {
    pub(super) recipe: Recipe,
    pub(super) seen: Result<Vec<Vec<Seen>>>,
}

/// Recipes, and the number of folds in which they compete.
pub(super) struct Contest<'a> {
    pub(super) work: Work<'a>,
    pub(super) competing: usize,
    pub(super) all: Vec<Entrant>,
}

/// A recipe that is behind the best by more than this in the first fold is left at that, if the fold holds enough pairs to tell.
const FAR_BEHIND: f64 = 0.1;
const TELLING: usize = 30;
/// Repeats of a point of a learning curve, at most.
const MOST_REPEATS: usize = 2;
/// Folds are fitted side by side if the places of both stores have at most this many values; more would take too much memory.
const SIDE_BY_SIDE: usize = 50_000_000;

impl Work<'_> {
    /// What the pairs of these folds see under maps that are fitted without them.
    pub(super) fn seen(&self, recipe: &Recipe, folds: Range<usize>, look: Look) -> Result<Vec<Vec<Seen>>> {
        let name = recipe.method.schema().name;
        self.each(folds, |fold| {
            self.progress.step(&format!("comparing {name}"), fold, self.splits.folds)?;
            self.looked_up(recipe, &self.splits.known(self.pairs, fold)?, fold, look)
        })
    }

    fn looked_up(&self, recipe: &Recipe, known: &Pairs, fold: usize, look: Look) -> Result<Vec<Seen>> {
        let held = Held::new(self.pairs, self.splits.held(fold));
        if let (Look::Roughly, Some(correlation)) = (look, recipe.correlation) {
            let some = held.among_some(self.stores.datasets, self.rooms);
            let (maps, _) = self.stores.fit(known, correlation, recipe.further, self.rooms)?;
            let placed = |a: usize| self.stores.placed(&maps, correlation.power, a, Some(&some.rows[a]), usize::MAX).to_f64();
            return Ok(held.seen_among(&some, &placed(0), &placed(1), crate::geometry::neighbors::Metric::Cosine));
        }
        let fitted = recipe.fit(self.stores, known, self.rooms, self.progress)?;
        match look {
            Look::Roughly => {
                let some = held.among_some(self.stores.datasets, self.rooms);
                let placed = |a: usize| fitted.embedding(a).select_rows(&some.rows[a]);
                Ok(held.seen_among(&some, &placed(0), &placed(1), fitted.default_metric()))
            }
            _ => quality::seen(&fitted, self.stores.datasets, &held, look == Look::Closely, self.progress),
        }
    }

    /// The answers in the order of the folds, so that also the first error is the same on any number of threads.
    fn each(&self, folds: Range<usize>, one: impl Fn(usize) -> Result<Vec<Seen>> + Send + Sync) -> Result<Vec<Vec<Seen>>> {
        let values: usize = self.stores.datasets.iter().map(|d| d.nrows() * d.ncols()).sum();
        let all: Vec<Result<Vec<Seen>>> = match values <= SIDE_BY_SIDE {
            true => folds.into_par_iter().map(one).collect(),
            false => folds.map(one).collect(),
        };
        all.into_iter().collect()
    }

    /// Recall of the recipe with 25, 50, 100, … pairs, on pairs that it did not see, and with all of them.
    pub(super) fn curve(&self, recipe: &Recipe, all: &[Seen]) -> Result<Vec<Point>> {
        let (pairs, splits) = (self.pairs, self.splits);
        let largest = pairs.len() - pairs.len().div_ceil(splits.folds);
        let repeats = splits.folds.min(MOST_REPEATS).min(ENOUGH_HELD.div_ceil((pairs.len() / splits.folds).max(1)));
        let mut sizes = vec![];
        let mut size = FIRST_POINT;
        while size * 3 / 2 < largest {
            sizes.push(size);
            size *= 2;
        }
        let mut out = vec![];
        // Sizes and repeats side by side: sizes × repeats fits.
        let seen = self.each(0..sizes.len() * repeats, |at| {
            let (size, fold) = (sizes[at / repeats], at % repeats);
            self.progress.step("learning curve", at, sizes.len() * repeats)?;
            let known = splits.known(pairs, fold)?;
            // Pairs come in no particular order of rows: every k-th one.
            let total = known.len();
            let few = selected(&known, |p| p * size / total != (p + 1) * size / total)?;
            match self.looked_up(recipe, &few, fold, Look::Fully) {
                Err(Error::Cancelled) => Err(Error::Cancelled),
                Err(_) => Ok(vec![]), // too few pairs for this recipe
                seen => seen,
            }
        })?;
        for (size, seen) in sizes.iter().zip(seen.chunks(repeats)) {
            let seen = seen.concat();
            if !seen.is_empty() {
                out.push(Point::of(*size, &seen));
            }
        }
        out.push(Point::of(largest, all));
        Ok(out)
    }
}

impl Contest<'_> {
    /// All of them in the first fold, then in the others those that are not far behind the best so far.
    pub(super) fn enter(&mut self, recipes: Vec<Recipe>) -> Result<()> {
        let from = self.all.len();
        for recipe in recipes {
            let seen = self.work.seen(&recipe, 0..1, Look::Roughly);
            if let Err(Error::Cancelled) = seen {
                return Err(Error::Cancelled);
            }
            self.all.push(Entrant { recipe, seen });
        }
        let best = self.all.iter().map(|e| e.worth_in(1)).fold(f64::NEG_INFINITY, f64::max);
        let telling = self.work.splits.held(0).len() >= TELLING;
        for entrant in &mut self.all[from..] {
            if telling && entrant.worth_in(1) < best - FAR_BEHIND {
                continue;
            }
            let more = self.work.seen(&entrant.recipe, 1..self.competing, Look::Roughly);
            match (&mut entrant.seen, more) {
                (_, Err(Error::Cancelled)) => return Err(Error::Cancelled),
                (Ok(seen), Ok(more)) => seen.extend(more),
                (seen, Err(error)) => *seen = Err(error),
                _ => {}
            }
        }
        Ok(())
    }

    /// The best canonical correlation without further pairs.
    pub(super) fn best_correlation(&self) -> Option<Correlation> {
        let plain = self.all.iter().filter(|e| e.recipe.further.is_none() && e.recipe.correlation.is_some() && e.seen.is_ok());
        let better =
            |best: Option<&'_ Entrant>, e: &Entrant| best.is_none_or(|b| e.worth(self.competing) > b.worth(self.competing));
        let mut best = None;
        for entrant in plain {
            if better(best, entrant) {
                best = Some(entrant);
            }
        }
        best.and_then(|e| e.recipe.correlation)
    }
}

impl Entrant {
    /// What recipes are ranked by; those that did not reach all folds come last.
    pub(super) fn worth(&self, folds: usize) -> f64 {
        match &self.seen {
            Ok(seen) if seen.len() < folds => self.worth_in(1) - 10.0,
            _ => self.worth_in(folds),
        }
    }
    /// Recall at 1 of both directions, and the mean reciprocal rank for what it cannot tell, in the first folds.
    fn worth_in(&self, folds: usize) -> f64 {
        let Ok(seen) = &self.seen else { return f64::NEG_INFINITY };
        let ranks: Vec<usize> = seen.iter().take(folds).flatten().flat_map(|s| s.standings).map(|s| s.rank).collect();
        let mean = |value: &dyn Fn(usize) -> f64| ranks.iter().map(|r| value(*r)).sum::<f64>() / ranks.len().max(1) as f64;
        mean(&|rank| f64::from(u8::from(rank == 1))) + 0.5 * mean(&|rank| 1.0 / rank as f64)
    }
    pub(super) fn row(&self) -> Tried {
        let recall = |k: usize| self.seen.as_ref().ok().map(|seen| quality::recall(&seen.concat(), k));
        Tried {
            method: python_call(&*self.recipe.method),
            further_weight: self.recipe.further.map_or(0.0, |f| f.weight),
            recall_at_1: recall(1),
            recall_at_10: recall(10),
            error: self.seen.as_ref().err().map(ToString::to_string),
        }
    }
}
