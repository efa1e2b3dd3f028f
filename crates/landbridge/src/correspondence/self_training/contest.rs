//! Runs from all starts compete under one rule: the largest gain of the reproducibility over its null wins, and the winner is trusted
//! if the gain is clear.

use super::links::{Columns, Linked};
use super::null::{CLOSE, Nulls};
use super::rounds::{Plan, Reproduced, Side, Steady, agreement, common, reproduced};
use super::{KEEP_ALL, LEAST, MARGIN, THRESHOLD};
use crate::error::Result;
use crate::geometry::csls::{Match, Matched};
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

/// A run that was judged.
pub(super) struct Judged {
    pub(super) trained: Matched,
    pub(super) run: TrainingRun,
    pub(super) csls: bool,
    /// The matches that come back in nearly all halvings, where some do not.
    pub(super) steady: Option<Vec<Match>>,
}

impl Judged {
    pub(super) fn new(Entrant { trained, start, plan }: Entrant<'_>, reached: Reproduced, steady: Option<Steady>) -> Self {
        let Reproduced { share: reproducibility, csls } = reached;
        let (first_dimension, power, drop, matches) = (plan.first, plan.power, plan.drop, trained.matches.len());
        let steadiness = steady.as_ref().map(|s| s.steadiness);
        let steady = steady.map(|s| s.matches(&trained.matches));
        let run = TrainingRun { start, first_dimension, power, drop, reproducibility, steadiness, matches };
        Self { trained, run, csls, steady }
    }
}

pub(super) struct Contest<'a> {
    side: &'a Side<'a>,
    seed: u64,
    nulls: Nulls<'a>,
    all: Vec<Judged>,
    best: usize,
}

impl<'a> Contest<'a> {
    /// The null has `steps` steps from a dimension of `first` on.
    pub(super) fn new(side: &'a Side<'a>, seed: u64, first: usize, steps: usize) -> Self {
        let nulls = Nulls { side, seed, first, steps, found: vec![], again: vec![], linked: None };
        Self { side, seed, nulls, all: vec![], best: 0 }
    }
    /// Measures how well a run reproduces its matches, and its null and whether the same matches come back where that may be enough.
    pub(super) fn enter(&mut self, entrant: Entrant<'_>, run: &mut Run<'_>) -> Result<()> {
        run.lap("runs");
        let power = entrant.plan.power;
        let Side { x, y, .. } = *self.side;
        let matches = &entrant.trained.matches;
        let reached = reproduced(x, y, matches, power, self.seed)?;
        run.lap("reproducibility");
        let mut steady = None;
        if reached.share >= LEAST {
            self.nulls.find(power, reached.share, run.progress)?;
            run.lap("null");
            if reached.share < KEEP_ALL && reached.share >= self.nulls.of_power(power) + MARGIN {
                steady = Some(Steady::of(x, y, matches, power, self.seed)?);
                run.lap("reproducibility");
            }
        }
        self.list(entrant, reached, steady);
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
        self.list(entrant, Reproduced { share: reached, csls: false }, None);
        Ok(())
    }
    fn list(&mut self, entrant: Entrant<'_>, reached: Reproduced, steady: Option<Steady>) {
        self.all.push(Judged::new(entrant, reached, steady));
        let last = self.all.len() - 1;
        if self.nulls.worth(&self.all[last].run) > self.nulls.worth(&self.all[self.best].run) {
            self.best = last;
        }
    }
    pub(super) fn side(&self) -> &'a Side<'a> {
        self.side
    }
    pub(super) fn winner(&self) -> &TrainingRun {
        &self.all[self.best].run
    }
    /// The null of runs that grew again, where it could change the verdict on one of them since `from`.
    pub(super) fn null_again(&mut self, from: usize, plan: &Plan, times: usize, run: &mut Run<'_>) -> Result<()> {
        let of_power = self.all[from..].iter().map(|judged| &judged.run).filter(|found| found.power == plan.power);
        if !of_power.into_iter().any(|found| (0.0..CLOSE).contains(&(found.reproducibility - self.nulls.needed(found)))) {
            return Ok(());
        }
        self.nulls.find_again(plan, times, run.progress)?;
        run.lap("null");
        // The first of the best, as it would be if the null had been known before.
        let worth = |at: &usize| self.nulls.worth(&self.all[*at].run);
        self.best = (0..self.all.len()).rev().max_by(|a, b| worth(a).total_cmp(&worth(b))).unwrap_or(self.best);
        Ok(())
    }
    /// Number of runs so far.
    pub(super) fn len(&self) -> usize {
        self.all.len()
    }
    /// The best of the runs from this one on, and its matches.
    pub(super) fn best_since(&self, from: usize) -> Option<(&Matched, TrainingRun)> {
        let worth = |judged: &Judged| self.nulls.worth(&judged.run);
        let best = self.all[from..].iter().max_by(|a, b| worth(a).total_cmp(&worth(b)));
        best.map(|judged| (&judged.trained, judged.run))
    }
    /// The null of the winner; 0 if none was computed.
    pub(super) fn null(&self) -> f64 {
        self.nulls.of(self.winner())
    }
    /// Whether the winner may be trusted.
    pub(super) fn clear(&self) -> bool {
        self.winner().reproducibility >= self.nulls.needed(self.winner())
    }
    /// Whether another run with the same power of the singular values found nearly the same matches. Where some do not come back, only
    /// those count that do: the others are chance.
    pub(super) fn confirmed(&self) -> bool {
        let best = &self.all[self.best];
        let other = |r: &TrainingRun| r.start != best.run.start || r.first_dimension != best.run.first_dimension;
        let others = self.all.iter().filter(|judged| judged.run.power == best.run.power && other(&judged.run));
        let share = |found: &[Match]| match &best.steady {
            Some(steady) => common(steady, found) as f64 / steady.len().max(1) as f64,
            None => agreement(&best.trained.matches, found),
        };
        others.map(|judged| share(&judged.trained.matches)).any(|share| share >= AGREEMENT)
    }
    /// All runs so far.
    pub(super) fn history(&self) -> Vec<TrainingRun> {
        self.all.iter().map(|judged| judged.run).collect()
    }
    pub(super) fn into_winner(mut self) -> Judged {
        self.all.swap_remove(self.best)
    }
}
