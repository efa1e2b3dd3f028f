//! The null distribution of reproducibility.

use super::links::{Columns, Linked, View, train_linked};
use super::rounds::{Plan, Side, reproducibility, train_once};
use super::{LEAST, MARGIN, STEADY, THRESHOLD};
use crate::error::Result;
use crate::geometry::csls::{Match, Matched};
use crate::linalg::Matrix;
use crate::outcome::{Start, TrainingRun};
use crate::progress::Progress;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

/// Largest number of shuffled copies; more than one only if the result is this close to the null.
const NULL_RUNS: u64 = 2;
pub(super) const CLOSE: f64 = 0.1;

/// Reproducibility under the null: each column is shuffled separately. It depends on the power of the singular values and on
/// the number of rows, so it is computed for the same values. The initial matches do not matter then, so they are random.
pub(super) struct Nulls<'a> {
    pub(super) side: &'a Side<'a>,
    pub(super) seed: u64,
    pub(super) first: usize,
    pub(super) steps: usize,
    /// Power, and the largest value so far.
    pub(super) found: Vec<(f64, f64)>,
    /// Powers of which the null grew again, as the runs did.
    pub(super) again: Vec<f64>,
    /// The largest value of runs with linked columns beside the map.
    pub(super) linked: Option<f64>,
}

impl Nulls<'_> {
    /// 0 if no null was computed.
    pub(super) fn of(&self, run: &TrainingRun) -> f64 {
        match run.start {
            Start::Links => self.linked.unwrap_or(0.0),
            _ => self.of_power(run.power),
        }
    }
    pub(super) fn of_power(&self, power: f64) -> f64 {
        self.found.iter().find(|(p, _)| *p == power).map_or(0.0, |(_, null)| *null)
    }
    /// The order of runs: whether they may be trusted at all, then their gain over the null.
    pub(super) fn worth(&self, run: &TrainingRun) -> f64 {
        // Where nothing can be trusted, links say at least something.
        let told = if run.start == Start::Links { 1.0 } else { 0.0 };
        match run.reproducibility >= least(run) {
            true => 2.0 + run.reproducibility - self.of(run),
            false => run.reproducibility + told,
        }
    }
    /// The reproducibility from which this run may be trusted.
    pub(super) fn needed(&self, run: &TrainingRun) -> f64 {
        least(run).max(self.of(run) + MARGIN)
    }
    /// The null of runs with linked columns beside the map: columns of the second dataset and its linked columns, each shuffled.
    pub(super) fn find_linked(&mut self, columns: &Columns, linked: &Linked, plan: &Plan, progress: &Progress) -> Result<()> {
        if self.linked.is_some() {
            return Ok(());
        }
        let y = shuffled_columns(self.side.y, self.seed);
        let side = Side { x: self.side.x, y: &y, given: &[] };
        let columns = columns.shuffled(self.seed)?;
        let linked = Linked::new(&columns, &linked.links)?;
        let brief = Plan { steps: self.steps, hold: 1, drop: 0.0, ..*plan };
        let step = |t: usize| progress.step("null", t, self.steps + 1);
        let view = View::new(&linked, &side, self.seed, progress)?;
        self.linked = Some(train_linked(&side, &columns, (&linked, &view), &brief, self.seed, progress, &step)?.1);
        Ok(())
    }
    /// More copies are tried only if they could change the verdict.
    pub(super) fn find(&mut self, power: f64, reached: f64, progress: &Progress) -> Result<()> {
        if self.found.iter().any(|(p, _)| *p == power) {
            return Ok(());
        }
        let mut null = 0.0f64;
        for copy in 0..NULL_RUNS {
            let over = reached - LEAST.max(null + MARGIN);
            if copy > 0 && !(0.0..CLOSE).contains(&over) {
                break;
            }
            let Side { x, y, .. } = *self.side;
            let y = shuffled_columns(y, self.seed + copy);
            let mut rng = ChaCha8Rng::seed_from_u64(self.seed + copy);
            let begin = random_matches(x.nrows(), y.nrows(), &mut rng);
            let plan = Plan { first: self.first, power, drop: 0.0, steps: self.steps, hold: 1, known: 1.0 };
            let step = |t: usize| progress.step("null", t, self.steps + 1);
            let found = train_once(x, &y, &[], begin, &plan, &mut rng, &step)?;
            null = null.max(reproducibility(x, &y, &found.matches, power, self.seed)?);
        }
        self.found.push((power, null));
        Ok(())
    }
    /// Runs that grow again become more reproducible by chance, too, most of all in few dimensions: the null grows again as often.
    pub(super) fn find_again(&mut self, plan: &Plan, times: usize, progress: &Progress) -> Result<()> {
        if self.again.contains(&plan.power) {
            return Ok(());
        }
        self.again.push(plan.power);
        let Side { x, y, .. } = *self.side;
        let y = shuffled_columns(y, self.seed);
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        let mut found = random_matches(x.nrows(), y.nrows(), &mut rng);
        let mut null = self.of_power(plan.power);
        for _ in 0..=times {
            let step = |t: usize| progress.step("null", t, plan.steps + plan.hold);
            found = train_once(x, &y, &[], found, plan, &mut rng, &step)?;
            null = null.max(reproducibility(x, &y, &found.matches, plan.power, self.seed)?);
        }
        self.found.retain(|(power, _)| *power != plan.power);
        self.found.push((plan.power, null));
        Ok(())
    }
}

/// The least reproducibility of a trusted run, whatever the null: less where it is the same matches that come back.
pub(super) fn least(run: &TrainingRun) -> f64 {
    if run.steadiness.is_some_and(|s| s >= STEADY) { LEAST } else { THRESHOLD }
}

fn random_matches(n: usize, m: usize, rng: &mut ChaCha8Rng) -> Matched {
    let mut order = |n: usize| {
        let mut order: Vec<u32> = (0..n as u32).collect();
        order.shuffle(rng);
        order
    };
    let matches: Vec<Match> = order(n).into_iter().zip(order(m)).collect();
    Matched { scores: vec![0.0; matches.len()], matches }
}

pub(super) fn shuffled_columns(m: &Matrix<f64>, seed: u64) -> Matrix<f64> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed ^ 0x9E37);
    let mut out = m.clone();
    let mut order: Vec<usize> = (0..m.nrows()).collect();
    for j in 0..m.ncols() {
        order.shuffle(&mut rng);
        (0..m.nrows()).for_each(|i| out[(i, j)] = m[(order[i], j)]);
    }
    out
}
