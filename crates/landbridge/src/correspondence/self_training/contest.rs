//! Runs from all starts compete under one rule: the largest gain of the reproducibility over its null wins, and the winner is trusted
//! if the gain is clear.

use super::links::{Columns, Linked};
use super::null::{CLOSE, Nulls};
use super::rounds::{Plan, Reproduced, Side, agreement, reproduced};
use super::{MARGIN, THRESHOLD};
use crate::error::Result;
use crate::geometry::csls::Matched;
use crate::outcome::{Start, TrainingRun};
use crate::run::Run;

/// Share of common matches at which two starts confirm each other.
const AGREEMENT: f64 = 0.8;

/// A run that has ended.
pub(super) struct Entrant<'a> {
    pub(super) trained: Matched,
    pub(super) start: Start,
    pub(super) plan: &'a Plan,
}

pub(super) struct Contest<'a> {
    side: &'a Side<'a>,
    seed: u64,
    nulls: Nulls<'a>,
    all: Vec<(Matched, TrainingRun, Reproduced)>,
    best: usize,
}

impl<'a> Contest<'a> {
    /// The null has `steps` steps from a dimension of `first` on.
    pub(super) fn new(side: &'a Side<'a>, seed: u64, first: usize, steps: usize) -> Self {
        let nulls = Nulls { side, seed, first, steps, found: vec![], again: vec![], linked: None };
        Self { side, seed, nulls, all: vec![], best: 0 }
    }
    /// Measures how well a run reproduces its matches, and its null where that may be enough.
    pub(super) fn enter(&mut self, entrant: Entrant<'_>, run: &mut Run<'_>) -> Result<()> {
        run.lap("runs");
        let power = entrant.plan.power;
        let reached = reproduced(self.side.x, self.side.y, &entrant.trained.matches, power, self.seed)?;
        run.lap("reproducibility");
        if reached.share >= THRESHOLD {
            self.nulls.find(power, reached.share, run.progress)?;
            run.lap("null");
        }
        self.list(entrant, reached);
        Ok(())
    }
    /// As [`Self::enter`], for a run with linked columns beside the map, which has measured itself.
    pub(super) fn enter_linked(
        &mut self,
        entrant: Entrant<'_>,
        reached: f64,
        (columns, linked): (&Columns, &Linked),
        run: &mut Run<'_>,
    ) -> Result<()> {
        if reached >= THRESHOLD {
            self.nulls.find_linked(columns, linked, entrant.plan, run.progress)?;
            run.lap("null");
        }
        self.list(entrant, Reproduced { share: reached, csls: false });
        Ok(())
    }
    fn list(&mut self, Entrant { trained, start, plan }: Entrant<'_>, reached: Reproduced) {
        let reproducibility = reached.share;
        let (first_dimension, power, drop, matches) = (plan.first, plan.power, plan.drop, trained.matches.len());
        self.all.push((trained, TrainingRun { start, first_dimension, power, drop, reproducibility, matches }, reached));
        let last = self.all.len() - 1;
        if self.nulls.worth(&self.all[last].1) > self.nulls.worth(&self.all[self.best].1) {
            self.best = last;
        }
    }
    pub(super) fn side(&self) -> &'a Side<'a> {
        self.side
    }
    pub(super) fn winner(&self) -> &TrainingRun {
        &self.all[self.best].1
    }
    /// The null of runs that grew again, where it could change the verdict on one of them since `from`.
    pub(super) fn null_again(&mut self, from: usize, plan: &Plan, times: usize, run: &mut Run<'_>) -> Result<()> {
        let of_power = self.all[from..].iter().map(|(_, found, _)| found).filter(|found| found.power == plan.power);
        let needed = |found: &TrainingRun| THRESHOLD.max(self.nulls.of(found) + MARGIN);
        if !of_power.into_iter().any(|found| (0.0..CLOSE).contains(&(found.reproducibility - needed(found)))) {
            return Ok(());
        }
        self.nulls.find_again(plan, times, run.progress)?;
        run.lap("null");
        // The first of the best, as it would be if the null had been known before.
        let worth = |at: &usize| self.nulls.worth(&self.all[*at].1);
        self.best = (0..self.all.len()).rev().max_by(|a, b| worth(a).total_cmp(&worth(b))).unwrap_or(self.best);
        Ok(())
    }
    /// Number of runs so far.
    pub(super) fn len(&self) -> usize {
        self.all.len()
    }
    /// The best of the runs from this one on, and its matches.
    pub(super) fn best_since(&self, from: usize) -> Option<(&Matched, TrainingRun)> {
        let worth = |run: &TrainingRun| self.nulls.worth(run);
        let best = self.all[from..].iter().max_by(|a, b| worth(&a.1).total_cmp(&worth(&b.1)));
        best.map(|(matches, run, _)| (matches, *run))
    }
    /// The null of the winner; 0 if none was computed.
    pub(super) fn null(&self) -> f64 {
        self.nulls.of(self.winner())
    }
    /// Whether the winner may be trusted.
    pub(super) fn clear(&self) -> bool {
        self.winner().reproducibility >= THRESHOLD.max(self.null() + MARGIN)
    }
    /// Whether another run with the same power of the singular values found nearly the same matches.
    pub(super) fn confirmed(&self) -> bool {
        let winner = self.winner();
        let other = |r: &TrainingRun| r.start != winner.start || r.first_dimension != winner.first_dimension;
        let others = self.all.iter().filter(|(_, r, _)| r.power == winner.power && other(r));
        others.clone().any(|(m, ..)| agreement(&self.all[self.best].0.matches, &m.matches) >= AGREEMENT)
    }
    /// All runs so far.
    pub(super) fn history(&self) -> Vec<TrainingRun> {
        self.all.iter().map(|(_, run, _)| *run).collect()
    }
    pub(super) fn into_winner(mut self) -> (Matched, TrainingRun, Reproduced) {
        self.all.swap_remove(self.best)
    }
}
