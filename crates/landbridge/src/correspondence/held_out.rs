//! How well held-out pairs find each other: a check that applies to every method.

use crate::builder::setters;
use crate::correspondence::copies::near_copies;
use crate::correspondence::cross_validation::{Chance, Splits, fit_without, held_standings};
use crate::data::{Dataset, Pairs, check_datasets};
use crate::error::{Error, Result};
use crate::evaluate::Standing;
use crate::method::Method;
use crate::model::Alignment;
use crate::outcome::{HeldOut, Judgement, LEAST_HELD_OUT};
use crate::progress::{Progress, with_threads};

/// Holds out known pairs in turn, fits the others, and counts the rows that are nearer than the true partner.
///
/// If the datasets are unrelated or the pairs are shuffled, the share of rows nearer than the partner is ½ on average. For l
/// independent pairs its standard deviation is `s = √(1/12l)`. The pairs share a fit, so it is up to 1.3 s (measured on
/// shuffled pairs of a protein and of cells). Below `½ − 4.5s` the alignment is trusted, and above `½ − 2.5s` it is not.
/// Between the two, and with fewer than ten pairs, there is no verdict. Pairs that share a row are held out together, and so are
/// pairs whose rows are near-copies of each other on both sides (replicates), up to 20,000 pairs: with a copy of itself in the
/// fit, even a wrong pair finds its partner. Where held-out rows lie together because they are held out, the shares are told in
/// units in which chance is ½. Fitted pairs are not evidence: even shuffled ones find each other perfectly.
///
/// | parameter | default | purpose | range |
/// |---|---|---|---|
/// | `folds` | 5 | number of folds | ≥ 2 |
/// | `groups` | near-copies | rows that are held out together | a number per row |
///
/// ```
/// use landbridge::data::synthetic::RotatedCopies;
/// use landbridge::{correspondence::JudgeHeldOut, method::Cca};
/// let copies = RotatedCopies::new(80).n_features(6).generate()?;
/// let found = JudgeHeldOut::new().judge(&Cca::new(4), &copies.datasets, &copies.pairs(30, 0)?)?;
/// assert!(found.verdict().starts_with("trusted"));
/// # Ok::<(), landbridge::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct JudgeHeldOut {
    folds: usize,
    groups: Option<Vec<Vec<usize>>>,
    random_state: u64,
    n_jobs: usize,
}

/// A method whose outcome reports how well held-out pairs find each other. It is fitted to all pairs, and once more for each
/// fold.
pub struct Judged {
    base: Box<dyn Method>,
    judge: JudgeHeldOut,
}

/// Standard deviations below chance from which an alignment is trusted, and up to which it is not.
const CLEAR: f64 = 4.5;
const UNCLEAR: f64 = 2.5;

impl Default for JudgeHeldOut {
    fn default() -> Self {
        Self { folds: 5, groups: None, random_state: 0, n_jobs: 0 }
    }
}

impl JudgeHeldOut {
    /// With default parameters.
    pub fn new() -> Self {
        Self::default()
    }
    setters! {
        /// Number of folds.
        folds: usize => folds;
        /// A number for each row of each dataset; rows with equal numbers are held out together. None: near-copies are.
        groups: Option<Vec<Vec<usize>>> => groups;
        /// Seed of the folds.
        random_state: u64 => random_state;
        /// Number of threads; 0 means all cores. Results never depend on it.
        n_jobs: usize => n_jobs;
    }

    /// Scores a method by the known pairs.
    pub fn judge(&self, base: &dyn Method, datasets: &[Dataset], pairs: &Pairs) -> Result<HeldOut> {
        self.judge_with(base, datasets, pairs, &Progress::silent())
    }

    /// As `judge`, with progress reports.
    pub fn judge_with(&self, base: &dyn Method, datasets: &[Dataset], pairs: &Pairs, progress: &Progress) -> Result<HeldOut> {
        with_threads(self.n_jobs, || self.steps(base, datasets, pairs, progress))
    }

    fn steps(&self, base: &dyn Method, datasets: &[Dataset], pairs: &Pairs, progress: &Progress) -> Result<HeldOut> {
        check_datasets(datasets)?;
        if self.folds < 2 {
            return Err(Error::parameter("folds", self.folds, "at least 2"));
        }
        if !pairs.is_empty() {
            pairs.check_for(datasets, "held-out pairs")?;
        }
        let (pairs, _) = &pairs.merged();
        let together = held_together(self.groups.as_deref(), datasets, pairs, progress)?;
        let splits = Splits::new(datasets, pairs, self.folds, self.random_state, together.as_deref());
        let (folds, groups) = (splits.folds, splits.units);
        let told = together.is_some().then_some(groups);
        let nothing = |pairs| HeldOut {
            pairs,
            foscttm: 0.5,
            interval: (0.0, 1.0),
            recall: 0.0,
            judgement: Judgement::CannotTell,
            groups: told,
        };
        // Connected pairs count once.
        if groups < LEAST_HELD_OUT {
            return Ok(nothing(groups));
        }
        let links = pairs.links();
        let mut standings = vec![[Standing { rank: 0, closer: 0.0 }; 2]; links.len()];
        let mut chance = Chance::default();
        for f in 0..folds {
            progress.step("pairs held out", f, folds)?;
            let Some(fitted) = fit_without(base, datasets, pairs, &splits, f, progress)? else {
                return Ok(HeldOut { pairs: links.len(), ..nothing(0) });
            };
            let (own, wrong) = held_standings(&fitted, pairs, &splits, f, None);
            splits.held(f).into_iter().zip(own).for_each(|(p, standing)| standings[p] = standing);
            chance.add(wrong);
        }
        chance.correct(&mut standings);
        let first = |standing: Standing| if standing.rank == 1 { 0.5 } else { 0.0 };
        let found: Vec<(f64, f64)> =
            standings.into_iter().map(|[there, back]| (0.5 * (there.closer + back.closer), first(there) + first(back))).collect();
        let l = links.len() as f64;
        let mean = found.iter().map(|f| f.0).sum::<f64>() / l;
        let recall = found.iter().map(|f| f.1).sum::<f64>() / l;
        let deviation = (found.iter().map(|f| (f.0 - mean).powi(2)).sum::<f64>() / (l - 1.0)).sqrt() / (groups as f64).sqrt();
        let interval = ((mean - 1.96 * deviation).max(0.0), (mean + 1.96 * deviation).min(1.0));
        let judgement = judgement(mean, groups);
        Ok(HeldOut { pairs: links.len(), foscttm: mean, interval, recall, judgement, groups: told })
    }
}

/// The groups that are given, checked; or the near-copies among the pairs.
pub(crate) fn held_together(
    given: Option<&[Vec<usize>]>,
    datasets: &[Dataset],
    pairs: &Pairs,
    progress: &Progress,
) -> Result<Option<Vec<Vec<usize>>>> {
    let Some(groups) = given else { return near_copies(datasets, pairs, progress) };
    let sizes = |sizes: &mut dyn Iterator<Item = usize>| sizes.map(|n| n.to_string()).collect::<Vec<_>>().join(", ");
    let got = sizes(&mut groups.iter().map(Vec::len));
    let expected = sizes(&mut datasets.iter().map(Dataset::nrows));
    match got == expected {
        true => Ok(Some(groups.to_vec())),
        false => Err(Error::Shape { what: "groups, one number per row of each dataset".into(), expected, got }),
    }
}

/// With a larger share of nearer rows, partners are hardly nearer than any row: however sure that is, labels cannot follow it. Tables that
/// were each sorted by a column of their own come out like this.
const USEFUL: f64 = 0.4;

/// The verdict on a mean share of nearer rows over this many independent pairs.
pub(crate) fn judgement(foscttm: f64, units: usize) -> Judgement {
    let by_chance = (1.0 / (12.0 * units as f64)).sqrt();
    match (0.5 - foscttm) / by_chance {
        _ if units < LEAST_HELD_OUT => Judgement::CannotTell,
        z if z >= CLEAR && foscttm <= USEFUL => Judgement::Trusted,
        z if z >= UNCLEAR => Judgement::CannotTell,
        _ => Judgement::NotTrusted,
    }
}

impl Judged {
    /// Wraps the method.
    pub fn new(base: impl Method + 'static) -> Self {
        Self::boxed(Box::new(base))
    }
    /// As [`Judged::new`], for a trait object.
    pub fn boxed(base: Box<dyn Method>) -> Self {
        Self { base, judge: JudgeHeldOut::new() }
    }
    setters! {
        /// Sets how the method is scored.
        judge: JudgeHeldOut => judge;
    }
}

impl Method for Judged {
    fn schema(&self) -> &'static crate::params::Schema {
        self.base.schema()
    }
    fn values(&self) -> crate::params::Given {
        self.base.values()
    }
    fn contradiction(&self) -> Option<(&'static str, String)> {
        self.base.contradiction()
    }
    fn fit_with(&self, datasets: &[Dataset], pairs: &Pairs, progress: &Progress) -> Result<Alignment> {
        let mut alignment = self.base.fit_with(datasets, pairs, progress)?;
        alignment.outcome.held_out = Some(self.judge.judge_with(&*self.base, datasets, pairs, progress)?);
        Ok(alignment)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::correspondence::pair_check::{misfit_of, selected};
    use crate::data::synthetic::RotatedCopies;
    use crate::linalg::Matrix;
    use crate::method::{Cca, InstanceAlignment, ProcrustesAlignment};
    use rand::SeedableRng;
    use rand::seq::SliceRandom;
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn noise_is_not_trusted_where_nearly_all_rows_have_pairs() {
        let mut state = 5u64;
        let mut cloud = |p| {
            Matrix::from_fn(160, p, |_, _| {
                let mut next = || {
                    state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                    (state >> 33) as f64 / (1u64 << 31) as f64 - 0.5
                };
                next() + next() + next()
            })
        };
        let noise = [Dataset::new("x", cloud(18)).unwrap(), Dataset::new("y", cloud(25)).unwrap()];
        let found = JudgeHeldOut::new().judge(&InstanceAlignment::new(10), &noise, &Pairs::first_rows(2, 160)).unwrap();
        assert!(found.judgement != Judgement::Trusted && found.foscttm > 0.4, "{found:?}");
        // The same method on rows that do correspond.
        let copies = RotatedCopies::new(160).n_features(8).noise(0.05).generate().unwrap();
        let found =
            JudgeHeldOut::new().judge(&InstanceAlignment::new(10), &copies.datasets, &copies.pairs(160, 0).unwrap()).unwrap();
        assert_eq!(found.judgement, Judgement::Trusted, "{found:?}");
    }

    fn shuffled(pairs: &Pairs, seed: u64) -> Pairs {
        let mut to: Vec<usize> = pairs.links().iter().map(|l| l.j).collect();
        to.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
        let mut out = Pairs::none(2);
        pairs.links().iter().zip(to).for_each(|(l, j)| out.add(0, l.i, 1, j, 1.0).unwrap());
        out
    }

    #[test]
    fn right_pairs_are_trusted_and_shuffled_ones_never() {
        let copies = RotatedCopies::new(150).n_features(8).noise(0.05).generate().unwrap();
        let methods: [&dyn Method; 3] =
            [&Cca::new(5), &ProcrustesAlignment::new(crate::embed::Unchanged::new()), &InstanceAlignment::new(5)];
        for method in methods {
            for seed in 0..4 {
                let pairs = copies.pairs(40, seed).unwrap();
                let judge = JudgeHeldOut::new().random_state(seed);
                let right = judge.judge(method, &copies.datasets, &pairs).unwrap();
                assert_eq!(right.judgement, Judgement::Trusted, "{}", right.verdict());
                let wrong = judge.judge(method, &copies.datasets, &shuffled(&pairs, seed)).unwrap();
                assert_ne!(wrong.judgement, Judgement::Trusted, "{}", wrong.verdict());
            }
        }
    }

    #[test]
    fn what_is_said_is_what_was_counted() {
        let copies = RotatedCopies::new(60).n_features(6).noise(0.1).generate().unwrap();
        let pairs = copies.pairs(20, 1).unwrap();
        let judge = JudgeHeldOut::new();
        let found = judge.judge(&Cca::new(3), &copies.datasets, &pairs).unwrap();
        let Splits { fold, units, .. } = Splits::new(&copies.datasets, &pairs, 5, 0, None);
        assert_eq!(units, 20);
        let mut misfits = vec![];
        for f in 0..5 {
            let kept = selected(&pairs, |p| fold[p] != f).unwrap();
            assert_eq!(kept.len(), 16);
            let fitted = Cca::new(3).fit(&copies.datasets, &kept).unwrap();
            misfits.extend((0..20).filter(|p| fold[*p] == f).map(|p| misfit_of(&fitted, &pairs.links()[p])));
        }
        assert!((found.foscttm - misfits.iter().sum::<f64>() / 20.0).abs() < 1e-12);
        assert!(found.interval.0 <= found.foscttm && found.foscttm <= found.interval.1);
    }

    #[test]
    fn few_pairs_and_pairs_that_share_a_row_cannot_tell() {
        let copies = RotatedCopies::new(60).generate().unwrap();
        let judge = JudgeHeldOut::new();
        let few = judge.judge(&Cca::new(2), &copies.datasets, &copies.pairs(9, 0).unwrap()).unwrap();
        assert_eq!((few.judgement, few.pairs), (Judgement::CannotTell, 9));
        assert!(few.verdict().contains("too few"), "{}", few.verdict());
        let none = judge.judge(&Cca::new(2), &copies.datasets, &Pairs::none(2)).unwrap();
        assert_eq!(none.judgement, Judgement::CannotTell);
        // Thirty pairs, all with row 0: without one of them, its row is still paired.
        let mut star = Pairs::none(2);
        (0..30).for_each(|j| star.add(0, 0, 1, j, 1.0).unwrap());
        assert_eq!(judge.judge(&Cca::new(2), &copies.datasets, &star).unwrap().judgement, Judgement::CannotTell);
        assert!(judge.folds(1).judge(&Cca::new(2), &copies.datasets, &star).is_err());
    }

    #[test]
    fn pairs_that_are_given_again_are_not_further_evidence() {
        let copies = RotatedCopies::new(80).n_features(6).noise(0.3).generate().unwrap();
        let pairs = copies.pairs(30, 0).unwrap();
        let mut again = pairs.clone();
        (0..3).for_each(|_| pairs.links().iter().for_each(|l| again.add(l.a, l.i, l.b, l.j, 1.0).unwrap()));
        let judged = |pairs: &Pairs| JudgeHeldOut::new().judge(&Cca::new(4), &copies.datasets, pairs).unwrap();
        let (once, found) = (judged(&pairs), judged(&again));
        assert_eq!((found.pairs, found.judgement), (30, once.judgement));
        assert!((found.foscttm - once.foscttm).abs() < 1e-9 && (found.recall - once.recall).abs() < 1e-9);
    }

    #[test]
    fn the_outcome_of_a_judged_fit_says_it() {
        let copies = RotatedCopies::new(80).n_features(6).generate().unwrap();
        let pairs = copies.pairs(30, 0).unwrap();
        let fitted = Judged::new(Cca::new(4)).fit_with(&copies.datasets, &pairs, &Progress::silent()).unwrap();
        let held_out = fitted.outcome().held_out.clone().unwrap();
        assert!(held_out.verdict().starts_with("trusted, row by row; 30 pairs held out"), "{}", held_out.verdict());
    }
}
