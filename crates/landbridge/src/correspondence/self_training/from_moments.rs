//! Runs that start from second and third moments: the search, the evidence of two halves, growth by soft matches, and mutual neighbours.

use super::contest::{Contest, Entrant, Judged};
use super::growth::{SoftMatch, grown, leading, single, soft_matches, soft_matches_again};
use super::halves::Halves;
use super::held::{by_reproducibility, shared_by};
use super::null::least;
use super::profiles::Profiles;
use super::rounds::{MANY, Plan, Side, Steady, mutually, ranks_of_given, reproduced, reproducibility, times, train_once};
use super::shared::shared;
use super::{Found, KEEP_ALL, LEAST, SUSPECT, SelfTraining};
use crate::data::{Dataset, Pairs, Prepare};
use crate::error::{Error, Result};
use crate::geometry::csls::Matched;
use crate::linalg::Matrix;
use crate::method::Cca;
use crate::outcome::{Start, TrainingRun, Trust};
use crate::run::Run;
use crate::solve::moments::{Hints, Width, search};
use faer::Mat;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// Least agreement of the halves, and least cover, of a trusted map from moments.
const STABLE: f64 = 0.7;
const COVER: f64 = 0.35;
/// Share of rows with a partner from which mutual neighbours, and below which soft matches are fitted.
const SHARED: f64 = 0.2;
/// Powers of the singular values in runs from moments.
const POWERS: [f64; 2] = [0.5, 0.0];
/// Further rounds of mutual neighbours where the rotation has all axes.
const ROUNDS: usize = 8;
/// First dimensions in which the best run grows again (relative to that requested, over 10), how often from each, and the gain from which
/// it goes on.
const FIRST: [usize; 3] = [10, 20, 30];
const AGAIN: usize = 3;
const GAIN: f64 = 0.02;

/// A rotation of the leading axes, the evidence for it, and others whose moments match nearly as well.
pub(super) struct MomentStart {
    pub(super) turn: Mat<f64>,
    others: Vec<Mat<f64>>,
    pub(super) halves: Halves,
}

impl MomentStart {
    pub(super) fn trusted(&self) -> bool {
        self.halves.stable >= STABLE && (self.halves.cover >= COVER || self.halves.pairs_agree)
    }
    /// The order of starts: trusted ones first.
    fn worth(&self) -> f64 {
        self.halves.stable + if self.trusted() { 2.0 } else { 0.0 }
    }
}

impl SelfTraining {
    /// The rotation of the leading axes that matches the moments, and whether two halves of the rows find it again. Row profiles take
    /// part, unless the halves disagree with them.
    pub(super) fn search_moments(&self, side: &Side<'_>, profiles: Option<&Profiles>, run: &mut Run<'_>) -> Result<MomentStart> {
        let Side { x, y, given } = *side;
        let nothing = || Error::Numerical { what: "moments".into(), problem: "no rotation is finite".into() };
        let mut found = |hints: Hints<'_>| {
            let mut best = search(x, y, hints, Width::Usual, self.random_state, run.progress)?.into_iter();
            let (turn, others) = (best.next().ok_or_else(nothing)?, best.collect());
            run.lap("moments");
            let halves = Halves::new(x, y, hints, &turn, self.random_state, run.progress)?;
            run.lap("halves");
            Ok(MomentStart { turn, others, halves })
        };
        let with = profiles.map(|p| found(Hints { pairs: given, profiles: Some(p.hint()) })).transpose()?;
        let with = match with {
            Some(start) if start.trusted() => return Ok(start),
            other => other,
        };
        let without = found(Hints { pairs: given, profiles: None })?;
        Ok(with.filter(|with| with.worth() > without.worth()).unwrap_or(without))
    }

    /// Mutual neighbours under a rotation that the halves do not confirm: where rows have partners, a rough rotation may be enough. First
    /// grown to all axes; then from a wider search among axes of more even variance, as vectors of words want it; then from rotations
    /// whose moments match nearly as well.
    pub(super) fn runs_from_moments(
        &self,
        contest: &mut Contest<'_>,
        profiles: Option<&Profiles>,
        start: &MomentStart,
        run: &mut Run<'_>,
    ) -> Result<()> {
        self.runs_grown(contest, &start.turn, &POWERS, run)?;
        if contest.clear() {
            return Ok(());
        }
        let Side { x, y, given } = *contest.side();
        let (x, y) = (evened(x), evened(y));
        let hints = Hints { pairs: given, profiles: profiles.map(Profiles::hint) };
        let wide = search(&x, &y, hints, Width::Wide, self.random_state, run.progress)?;
        run.lap("moments");
        if let Some(turn) = wide.first() {
            self.runs_under(contest, (&x, &y), turn, (self.steps.div_ceil(2), self.hold), &POWERS, run)?;
        }
        for turn in &start.others {
            if contest.clear() {
                break;
            }
            self.runs_grown(contest, turn, &POWERS[..1], run)?;
        }
        Ok(())
    }

    /// Runs under a rotation of the leading axes that is grown to all of them.
    fn runs_grown(&self, contest: &mut Contest<'_>, turn: &Mat<f64>, powers: &[f64], run: &mut Run<'_>) -> Result<()> {
        let Side { x, y, given } = *contest.side();
        let turn = grown(x, y, given, turn, self.random_state, run.progress)?;
        run.lap("growth");
        self.runs_under(contest, (x, y), &turn, (2, self.hold + ROUNDS), powers, run)
    }

    /// A rotation of all axes at once may leave the matches half right. They are a better start in few dimensions than signatures are: the
    /// best run since `from` grows again from its own matches, as long as they become more reproducible.
    pub(super) fn grow_again(&self, contest: &mut Contest<'_>, from: usize, run: &mut Run<'_>) -> Result<()> {
        let mut rng = ChaCha8Rng::seed_from_u64(self.random_state);
        let (steps, hold) = (self.steps, self.hold);
        let step = |t: usize| run.progress.step("self-training from moments, again", t, steps + hold);
        let largest = contest.side().x.ncols().max(contest.side().y.ncols());
        // From all axes on, a run would be the one before.
        let differ = |first: &usize| *first == FIRST[0] || (first * self.first_dimension).div_ceil(10) < largest;
        'growing: for first in FIRST.into_iter().filter(differ) {
            for _ in 0..AGAIN {
                let Some((begin, best)) = contest.best_since(from) else { return Ok(()) };
                if best.reproducibility >= self.good {
                    break 'growing;
                }
                let first = (first * self.first_dimension).div_ceil(10);
                let plan = Plan { first, power: best.power, drop: 0.0, steps, hold, known: 1.0 };
                let Side { x, y, given } = *contest.side();
                let trained = train_once(x, y, given, begin.clone(), &plan, &mut rng, &step)?;
                contest.enter(Entrant { trained, start: best.start, plan: &plan }, run)?;
                let reached = contest.best_since(from).map_or(0.0, |(_, run)| run.reproducibility);
                if reached < best.reproducibility + GAIN {
                    break;
                }
            }
        }
        for power in POWERS {
            let plan = Plan { first: self.first_dimension, power, drop: 0.0, steps, hold, known: 1.0 };
            contest.null_again(from, &plan, AGAIN, run)?;
        }
        Ok(())
    }

    /// Runs that begin with the mutual neighbours under a rotation of the leading columns of `x` and `y`, with each power, and grow again.
    fn runs_under(
        &self,
        contest: &mut Contest<'_>,
        (x, y): (&Matrix<f64>, &Matrix<f64>),
        turn: &Mat<f64>,
        (steps, hold): (usize, usize),
        powers: &[f64],
        run: &mut Run<'_>,
    ) -> Result<()> {
        let from = contest.len();
        let begin = mutually(turned(x, y, turn));
        let mut rng = ChaCha8Rng::seed_from_u64(self.random_state);
        for &power in powers {
            let plan = Plan { first: turn.nrows(), power, drop: 0.0, steps, hold, known: 1.0 };
            let step = |t: usize| run.progress.step("self-training from moments", t, steps + hold);
            let Side { x, y, given } = *contest.side();
            let begin = begin.clone();
            let trained = train_once(x, y, given, begin, &plan, &mut rng, &step)?;
            contest.enter(Entrant { trained, start: Start::Moments, plan: &plan }, run)?;
            if contest.clear() {
                break;
            }
        }
        self.grow_again(contest, from, run)
    }

    /// Grows the rotation to all axes. Where rows have partners, mutual neighbours follow; otherwise soft matches are fitted.
    pub(super) fn grown_from_moments(
        &self,
        side: &Side<'_>,
        start: &MomentStart,
        mut runs: Vec<TrainingRun>,
        run: &mut Run<'_>,
    ) -> Result<(Found, Trust)> {
        let Side { x, y, given } = *side;
        let turn = grown(x, y, given, &start.turn, self.random_state, run.progress)?;
        run.lap("growth");
        let placed = turned(x, y, &turn);
        let share = shared(&placed.0, &placed.1);
        let begin = mutually(placed);
        run.lap("shared rows");
        let mut trust = Trust {
            trusted: start.trusted(),
            stable: Some(start.halves.stable),
            cover: Some(start.halves.cover),
            shared: share,
            ..Trust::default()
        };
        let found = match share {
            Some(s) if s.value < SHARED => None,
            _ => Some(self.hard(side, &turn, &begin, &mut runs, run)?),
        };
        // The estimated share may be wrong: partners that do not come back when they are held out are none.
        if let Some(found) = found.filter(|found| found.run.reproducibility >= least(&found.run)) {
            let Judged { trained, run: winner, csls, steady } = &found;
            let ranks = ranks_of_given(side, &trained.matches, winner.power)?;
            trust.reproducibility = winner.reproducibility;
            trust.csls = trust.trusted && *csls;
            trust.matches = trained.matches.len();
            let matched = side.matched(&trained.matches);
            trust.steadiness = winner.steadiness;
            trust.shared = Some(shared_by(winner, matched, steady.as_ref().map(|s| side.matched(s))));
            trust.expected_recall = trust.trusted.then(|| by_reproducibility(winner.reproducibility, matched, self.good));
            trust.suspect_pairs = if trust.trusted { (0..ranks.len()).filter(|&p| ranks[p] > SUSPECT).collect() } else { vec![] };
            trust.runs = runs;
            return Ok((Found::Hard(found), trust));
        }
        trust.reproducibility = reproducibility(x, y, &begin.matches, 0.0, self.random_state)?;
        run.lap("reproducibility");
        let (first_dimension, matches, reproducibility) = (start.turn.nrows(), begin.matches.len(), trust.reproducibility);
        let steadiness = None;
        let again =
            TrainingRun { start: Start::Moments, first_dimension, power: 0.0, drop: 0.0, reproducibility, steadiness, matches };
        runs.push(again);
        let soft = self.soft(side, &turn, run)?;
        run.lap("soft matches");
        Ok((Found::Soft(soft), Trust { soft: true, runs, ..trust }))
    }

    /// Runs of mutual neighbours from a rotation of all axes. The one with the most reproducible matches.
    fn hard(
        &self,
        side: &Side<'_>,
        turn: &Mat<f64>,
        begin: &Matched,
        runs: &mut Vec<TrainingRun>,
        run: &mut Run<'_>,
    ) -> Result<Judged> {
        let Side { x, y, given } = *side;
        let mut rng = ChaCha8Rng::seed_from_u64(self.random_state);
        let mut best: Option<Judged> = None;
        let many = x.nrows().min(y.nrows()) >= MANY;
        let (steps, hold) = if many { (1, self.hold) } else { (2, self.hold + 4) };
        for power in POWERS {
            let plan = Plan { first: turn.nrows(), power, drop: 0.0, steps, hold, known: 1.0 };
            let step = |t: usize| run.progress.step("self-training from moments", t, plan.steps + plan.hold);
            let begin = begin.clone();
            let trained = train_once(x, y, given, begin, &plan, &mut rng, &step)?;
            run.lap("runs");
            let reached = reproduced(x, y, &trained.matches, power, self.random_state)?;
            let steady = match (LEAST..KEEP_ALL).contains(&reached.share) {
                true => Some(Steady::of(x, y, &trained.matches, power, self.random_state)?),
                false => None,
            };
            run.lap("reproducibility");
            let judged = Judged::new(Entrant { trained, start: Start::Moments, plan: &plan }, reached, steady);
            runs.push(judged.run);
            // Correct matches, not only reproducible ones, are many.
            let worth = |judged: &Judged| judged.run.reproducibility * judged.run.matches as f64;
            if best.as_ref().is_none_or(|b| worth(&judged) > worth(b)) {
                best = Some(judged);
            }
            if many && reached.share >= self.good {
                break;
            }
        }
        best.ok_or_else(|| Error::Numerical { what: "self-training from moments".into(), problem: "no run ended".into() })
    }
}

impl SelfTraining {
    /// Soft matches under a rotation give a map that is not one. Rows are matched once more where it places them.
    fn soft(&self, side: &Side<'_>, turn: &Mat<f64>, run: &Run<'_>) -> Result<Vec<SoftMatch>> {
        let Side { x, y, given } = *side;
        let datasets = [Dataset::new("first", x.clone())?, Dataset::new("second", y.clone())?];
        let mut pairs = Pairs::none(2);
        for (i, j, weight) in soft_matches(x, y, turn, self.random_state) {
            pairs.add(0, i as usize, 1, j as usize, weight)?;
        }
        for (i, j) in given {
            pairs.add(0, *i as usize, 1, *j as usize, 1.0)?;
        }
        let map = Cca::new(turn.nrows()).prepare(Prepare::CenterUnit).ridge(Some(1.0)).weight_components(Some(true));
        let fitted = map.fit_with(&datasets, &pairs, run.progress)?;
        Ok(soft_matches_again(fitted.embedding(0), fitted.embedding(1), self.random_state))
    }
}

/// Rows of the leading columns, those of `x` turned.
fn turned(x: &Matrix<f64>, y: &Matrix<f64>, turn: &Mat<f64>) -> (Matrix<f32>, Matrix<f32>) {
    let of = |m: &Matrix<f64>| leading(m, &(0..m.nrows()).collect::<Vec<_>>(), turn.nrows());
    (times(&of(x), single(turn).as_ref()), of(y))
}

/// Columns divided by the root of their deviation.
fn evened(m: &Matrix<f64>) -> Matrix<f64> {
    let square = |j: usize| m.rows().map(|r| r[j] * r[j]).sum::<f64>() / m.nrows() as f64;
    let factors: Vec<f64> = (0..m.ncols()).map(|j| square(j).max(1e-300).powf(-0.25)).collect();
    Matrix::from_fn(m.nrows(), m.ncols(), |i, j| m[(i, j)] * factors[j])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::Progress;
    use rand::RngExt;
    use rand::seq::SliceRandom;

    #[test]
    fn half_right_matches_grow_to_right_ones() {
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        let (n, d) = (500, 40);
        let mut skewed = |scale: f64| scale * (-(1.0 - rng.random_range(0.0..1.0f64)).ln() - 1.0);
        let x = Matrix::from_fn(n, d, |_, j| skewed(1.0 / (1.0 + j as f64).sqrt()));
        // The columns of the other set have other signs, and noise.
        let y = Matrix::from_fn(n, d, |i, j| if j % 2 == 0 { -x[(i, j)] } else { x[(i, j)] } + skewed(0.1));
        let mut wrong: Vec<u32> = (0..n as u32).collect();
        wrong.shuffle(&mut ChaCha8Rng::seed_from_u64(6));
        let matches: Vec<(u32, u32)> = (0..n as u32).map(|i| (i, if i % 5 < 2 { i } else { wrong[i as usize] })).collect();
        let side = Side { x: &x, y: &y, given: &[] };
        let s = SelfTraining::new();
        let silent = Progress::silent();
        let mut run = Run::new(&silent);
        let mut contest = Contest::new(&side, 0, s.first_dimension, 10);
        let plan = Plan { first: d, power: 0.5, drop: 0.0, steps: 2, hold: 0, known: 1.0 };
        let trained = Matched { scores: vec![0.0; matches.len()], matches };
        contest.enter(Entrant { trained, start: Start::Moments, plan: &plan }, &mut run).unwrap();
        let before = contest.winner().reproducibility;
        s.grow_again(&mut contest, 0, &mut run).unwrap();
        let right = contest.best_since(0).unwrap().0.matches.iter().filter(|m| m.0 == m.1).count();
        assert!(right > 450 && contest.winner().reproducibility > before + 0.2, "{right}, {before}");
    }
}
