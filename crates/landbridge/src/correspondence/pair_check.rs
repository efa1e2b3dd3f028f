//! Which of the given pairs look wrong, and which rows to pair next.

use crate::builder::setters;
use crate::correspondence::held_out::judgement;
use crate::correspondence::pair_chances::{Decoys, chances};
use crate::data::{Dataset, Link, Pairs, Prepare, Rows, check_datasets};
use crate::embed::Unchanged;
use crate::error::{Error, Result};
use crate::evaluate::foscttm::closer_share;
use crate::geometry::neighbors::row_distance;
use crate::method::base_setters;
use crate::method::{Cca, Method, ProcrustesAlignment};
use crate::model::Alignment;
use crate::outcome::Judgement;
use crate::progress::{Progress, with_threads};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use std::sync::Arc;

/// Finds pairs that look wrong: holds out each pair, fits the others, and counts the rows that are nearer than the partner.
///
/// The pairs are held out in folds. The *misfit* of a pair is the share of rows of the other dataset that are nearer than its
/// partner, averaged over both directions, in a fit without the pair. It is near 0 for a right pair, and ½ on average for a
/// wrong one. A part that moved as a whole (the loose end of a chain) does not look wrong: in up to eight dimensions, the
/// displacement of nearby paired rows is subtracted if that makes the pair fit better. Pairs whose misfit is far above that
/// of the others are suspect. A second round leaves them out, so that they do not distort the maps that score the others. If
/// even the median pair does not find its partner, no pair is flagged, and the verdict says so.
///
/// Each pair has the chance that it is right (`confidence`). Decoys, the same rows with partners drawn at random, show the misfits of
/// wrong pairs; the chance is one minus the local false-discovery rate. It tells a right pair from a random one, not from a near miss:
/// a wrong partner that is nearly the same row has a high chance too. With fewer than ten pairs, or if the pairs as a whole do not find
/// each other clearly better than by chance, all chances are 0. A suspect pair has at most ½.
///
/// | parameter | default | purpose | range |
/// |---|---|---|---|
/// | `base` | Procrustes for the same few columns, else `Cca` in principal coordinates | the method of the fits | |
/// | `folds` | 10 | number of folds | ≥ 2 |
/// | `n_suggestions` | 5 | rows to pair next | |
///
/// ```
/// use landbridge::data::{Pairs, synthetic::RotatedCopies};
/// use landbridge::correspondence::CheckPairs;
/// let copies = RotatedCopies::new(60).generate()?;
/// let mut pairs = copies.pairs(30, 0)?;
/// let wrong = pairs.links()[0];
/// pairs.add(0, wrong.i, 1, (wrong.j + 20) % 60, 1.0)?;
/// let checked = CheckPairs::new().check(&copies.datasets, &pairs)?;
/// println!("{}", checked.verdict());
/// # Ok::<(), landbridge::Error>(())
/// ```
#[derive(Clone)]
pub struct CheckPairs {
    base: Option<Arc<dyn Method>>,
    folds: usize,
    n_suggestions: usize,
    random_state: u64,
    n_jobs: usize,
}

/// The result of the check.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct PairCheck {
    /// Misfit of each pair, in the given order: 0 if its partner is nearest, ½ by chance.
    pub misfit: Vec<f64>,
    /// Chance that each pair is right, in the given order.
    pub confidence: Vec<f64>,
    /// Misfit above which a pair is suspect.
    pub threshold: f64,
    /// Positions of suspect pairs, the worst first.
    pub suspect: Vec<usize>,
    /// Whether the pairs find each other well enough to tell right ones from wrong ones.
    pub can_tell: bool,
    /// Unpaired rows to pair next: (dataset, row), the most informative first.
    pub next: Vec<(usize, usize)>,
}

/// Largest median misfit at which right pairs can be told from wrong ones.
const CAN_TELL: f64 = 0.1;
/// Misfit that is never suspect, whatever the misfit of the others. Loose ends of a shape reach it, and only 1 % of wrong
/// pairs (two directions, each at random) are below it.
const NEVER: f64 = 0.08;
/// Largest chance of a suspect pair.
const SUSPECT: f64 = 0.5;
/// A suspect pair has at least this many times the median misfit.
const TIMES: f64 = 6.0;
/// Number of principal coordinates of the default base.
const DIMENSIONS: usize = 200;
/// Number of nearby paired rows that estimate the displacement of a part.
const CLOSE_BY: usize = 3;
/// Largest number of columns for which datasets of the same width count as shapes, and of dimensions in which parts may be
/// displaced.
const SHAPE: usize = 8;

impl Default for CheckPairs {
    fn default() -> Self {
        Self { base: None, folds: 10, n_suggestions: 5, random_state: 0, n_jobs: 0 }
    }
}

impl CheckPairs {
    /// With default parameters.
    pub fn new() -> Self {
        Self::default()
    }
    setters! {
        /// Number of folds.
        folds: usize => folds;
        /// Number of rows to pair next.
        n_suggestions: usize => n_suggestions;
        /// Seed of the folds.
        random_state: u64 => random_state;
        /// Number of threads; 0 means all cores. Results never depend on it.
        n_jobs: usize => n_jobs;
    }
    base_setters!();

    /// Checks the pairs.
    pub fn check(&self, datasets: &[Dataset], pairs: &Pairs) -> Result<PairCheck> {
        self.check_with(datasets, pairs, &Progress::silent())
    }

    /// As `check`, with progress reports.
    pub fn check_with(&self, datasets: &[Dataset], pairs: &Pairs, progress: &Progress) -> Result<PairCheck> {
        with_threads(self.n_jobs, || self.steps(datasets, pairs, progress))
    }

    /// Copies of a pair are checked once, and share the result.
    fn steps(&self, datasets: &[Dataset], pairs: &Pairs, progress: &Progress) -> Result<PairCheck> {
        check_datasets(datasets)?;
        let (distinct, number) = pairs.merged();
        let found = self.steps_of_distinct(datasets, &distinct, progress)?;
        let mut copies = vec![vec![]; distinct.len()];
        number.iter().enumerate().for_each(|(p, &at)| copies[at].push(p));
        Ok(PairCheck {
            misfit: number.iter().map(|&at| found.misfit[at]).collect(),
            confidence: number.iter().map(|&at| found.confidence[at]).collect(),
            suspect: found.suspect.iter().flat_map(|&at| copies[at].clone()).collect(),
            ..found
        })
    }

    fn steps_of_distinct(&self, datasets: &[Dataset], pairs: &Pairs, progress: &Progress) -> Result<PairCheck> {
        if self.folds < 2 {
            return Err(Error::parameter("folds", self.folds, "at least 2"));
        }
        pairs.check_for(datasets, "a check of pairs")?;
        let needed = 2 * self.folds.min(5);
        if pairs.len() < needed {
            return Err(Error::Undefined {
                what: "a check of pairs".into(),
                why: format!(
                    "{} given, and holding out needs at least {needed}",
                    crate::error::counted_were(pairs.len(), "pair")
                ),
            });
        }
        let base = match &self.base {
            Some(base) => Arc::clone(base),
            None => default_base(datasets),
        };
        let links = pairs.links();
        let fold = self.folds_of(links.len());
        let mut suspect: Vec<bool> = vec![false; links.len()];
        let (mut misfit, mut decoys, mut threshold, mut can_tell) = (vec![], vec![], 0.0, false);
        for round in 0..2 {
            (misfit, decoys) = self.misfits(&*base, datasets, pairs, &fold, &suspect, round, progress)?;
            let mut sorted = misfit.clone();
            sorted.sort_unstable_by(f64::total_cmp);
            let median = sorted[sorted.len() / 2];
            threshold = NEVER.max(TIMES * median);
            can_tell = median <= CAN_TELL;
            if !can_tell {
                break;
            }
            suspect = misfit.iter().map(|m| *m > threshold).collect();
            if !suspect.contains(&true) {
                break;
            }
        }
        let mut order: Vec<usize> = (0..links.len()).filter(|p| can_tell && misfit[*p] > threshold).collect();
        order.sort_by(|a, b| misfit[*b].total_cmp(&misfit[*a]).then(a.cmp(b)));
        // Pairs that do not find each other as a whole look like decoys but for luck.
        let mean = misfit.iter().sum::<f64>() / links.len() as f64;
        let mut confidence = match judgement(mean, links.len()) {
            Judgement::Trusted => chances(&misfit, &decoys),
            _ => vec![0.0; links.len()],
        };
        // Few wrong pairs are too few for a rate of false discoveries; what stands out among the others is not called likely.
        order.iter().for_each(|&p| confidence[p] = confidence[p].min(SUSPECT));
        let kept = selected(pairs, |p| !order.contains(&p))?;
        progress.step("rows to pair next", 0, 0)?;
        let next = match base.fit_with(datasets, &kept, progress) {
            Ok(fitted) => suggestions(&fitted, links, &confidence, self.n_suggestions),
            // Too many pairs are suspect for a fit, so there is no suggestion.
            Err(Error::NoPairs { .. } | Error::NotJoined { .. } | Error::PairsDegenerate { .. }) => vec![],
            Err(error) => return Err(error),
        };
        Ok(PairCheck { misfit, confidence, threshold, suspect: order, can_tell, next })
    }

    /// The fold of each pair.
    fn folds_of(&self, n: usize) -> Vec<usize> {
        let mut fold: Vec<usize> = (0..n).map(|p| p % self.folds.min(n)).collect();
        fold.shuffle(&mut ChaCha8Rng::seed_from_u64(self.random_state));
        fold
    }

    /// The misfit of every pair, and those of decoys.
    fn misfits(
        &self,
        base: &dyn Method,
        datasets: &[Dataset],
        pairs: &Pairs,
        fold: &[usize],
        left_out: &[bool],
        round: usize,
        progress: &Progress,
    ) -> Result<(Vec<f64>, Vec<f64>)> {
        let links = pairs.links();
        let rows: Vec<usize> = datasets.iter().map(Dataset::nrows).collect();
        let mut decoys = vec![];
        let folds = fold.iter().max().map_or(0, |f| f + 1);
        let mut misfit = vec![0.5; links.len()];
        for f in 0..folds {
            progress.step("pairs held out", round * folds + f, 2 * folds)?;
            let kept = selected(pairs, |p| fold[p] != f && !left_out[p])?;
            let fitted = base.fit_with(datasets, &kept, progress)?;
            let held: Vec<usize> = (0..links.len()).filter(|p| fold[*p] == f).collect();
            let found: Vec<f64> = held.par_iter().map(|p| misfit_nearby(&fitted, &links[*p], kept.links())).collect();
            let mut wrong = Decoys::new(&kept, &rows, links.len(), self.random_state ^ f as u64);
            let wrong: Vec<Link> = held.iter().flat_map(|p| wrong.of(&links[*p])).collect();
            let apart = wrong.par_iter().map(|l| misfit_nearby(&fitted, l, kept.links())).collect::<Vec<f64>>();
            decoys.extend(apart);
            held.into_iter().zip(found).for_each(|(p, m)| misfit[p] = m);
        }
        Ok((misfit, decoys))
    }
}

impl PairCheck {
    /// The verdict in words.
    pub fn verdict(&self) -> String {
        match (self.can_tell, self.suspect.len()) {
            (false, _) => "cannot tell: held-out pairs do not find each other, so right and wrong pairs look alike".into(),
            (true, 0) => format!("no pair looks wrong (of {})", self.misfit.len()),
            (true, count) => {
                let look = if count == 1 { "looks" } else { "look" };
                format!("{count} of {} {look} wrong", crate::error::counted(self.misfit.len(), "pair"))
            }
        }
    }
}

/// The chosen pairs.
pub(crate) fn selected(pairs: &Pairs, keep: impl Fn(usize) -> bool) -> Result<Pairs> {
    let mut out = Pairs::none(pairs.n_datasets());
    for (_, l) in pairs.links().iter().enumerate().filter(|(p, _)| keep(*p)) {
        out.add(l.a, l.i, l.b, l.j, l.weight)?;
    }
    Ok(out)
}

fn default_base(datasets: &[Dataset]) -> Arc<dyn Method> {
    let p = datasets[0].ncols();
    let sparse = datasets.iter().any(|d| matches!(d.rows(), Rows::Sparse(_)));
    if !sparse && p <= SHAPE && datasets.iter().all(|d| d.ncols() == p) {
        return Arc::new(ProcrustesAlignment::new(Unchanged::new()));
    }
    let most = datasets.iter().map(|d| d.ncols().min(d.nrows() - 1)).min().unwrap_or(1);
    let prepare = if sparse { Prepare::TfidfCenter } else { Prepare::Center };
    Arc::new(Cca::new(most.clamp(1, DIMENSIONS)).n_principal(Some(DIMENSIONS)).prepare(prepare))
}

/// The share of rows that are nearer than the partner, averaged over both directions; ties count half.
pub(super) fn misfit_of(fitted: &Alignment, link: &Link) -> f64 {
    let (there, back) = shares_closer(fitted, link);
    0.5 * (there + back)
}

/// The share of rows that are nearer than the partner, in each direction.
fn shares_closer(fitted: &Alignment, link: &Link) -> (f64, f64) {
    let metric = fitted.default_metric();
    let (x, y) = (fitted.embedding(link.a), fitted.embedding(link.b));
    (closer_share(x.row(link.i), y, link.j, metric), closer_share(y.row(link.j), x, link.i, metric))
}

/// The smaller of `misfit_of` and the misfit after subtracting the displacement of nearby pairs from both rows.
fn misfit_nearby(fitted: &Alignment, link: &Link, kept: &[Link]) -> f64 {
    let plain = misfit_of(fitted, link);
    let (x, y) = (fitted.embedding(link.a), fitted.embedding(link.b));
    // In many dimensions the displacement of three pairs is mostly noise, which would favour wrong pairs.
    if plain == 0.0 || x.ncols() > SHAPE {
        return plain;
    }
    let metric = fitted.default_metric();
    let same: Vec<&Link> = kept.iter().filter(|l| l.a == link.a && l.b == link.b).collect();
    if same.len() < CLOSE_BY {
        return plain;
    }
    // From x to y: the median over the pairs nearest to a row of one side.
    let displaced = |near: &dyn Fn(&Link) -> f64| -> Vec<f64> {
        let mut order: Vec<(f64, usize)> = same.iter().enumerate().map(|(at, l)| (near(l), at)).collect();
        order.select_nth_unstable_by(CLOSE_BY - 1, |a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        (0..x.ncols())
            .map(|c| {
                let mut by: Vec<f64> = order[..CLOSE_BY].iter().map(|o| same[o.1]).map(|l| y[(l.j, c)] - x[(l.i, c)]).collect();
                by.sort_unstable_by(f64::total_cmp);
                by[CLOSE_BY / 2]
            })
            .collect()
    };
    let moved = |row: &[f64], by: Vec<f64>, sign: f64| row.iter().zip(by).map(|(v, d)| v + sign * d).collect::<Vec<f64>>();
    let there = moved(x.row(link.i), displaced(&|l| row_distance(metric, x.row(link.i), x.row(l.i))), 1.0);
    let back = moved(y.row(link.j), displaced(&|l| row_distance(metric, y.row(link.j), y.row(l.j))), -1.0);
    plain.min(0.5 * (closer_share(&there, y, link.j, metric) + closer_share(&back, x, link.i, metric)))
}

/// Rows far from every paired row of their dataset in the joint space. A pair counts as much as it is likely right: it reaches as far, and
/// where it is likelier wrong than right, its rows count as unpaired. Each chosen row then counts as paired.
fn suggestions(fitted: &Alignment, links: &[Link], confidence: &[f64], count: usize) -> Vec<(usize, usize)> {
    let metric = fitted.default_metric();
    let c = fitted.datasets().len();
    let mut gap: Vec<Vec<f64>> = (0..c)
        .map(|a| {
            let own = fitted.embedding(a);
            let mut chance = vec![0.0f64; own.nrows()];
            for (l, &likely) in links.iter().zip(confidence).filter(|(_, p)| **p >= 0.5) {
                for row in [(l.a == a).then_some(l.i), (l.b == a).then_some(l.j)].into_iter().flatten() {
                    chance[row] = chance[row].max(likely);
                }
            }
            let anchors: Vec<usize> = (0..own.nrows()).filter(|i| chance[*i] > 0.0).collect();
            (0..own.nrows())
                .into_par_iter()
                .map(|i| {
                    let far = |j: &usize| row_distance(metric, own.row(i), own.row(*j)) / chance[*j];
                    if chance[i] > 0.0 { 0.0 } else { anchors.iter().map(far).fold(f64::INFINITY, f64::min) }
                })
                .collect()
        })
        .collect();
    let mut out = vec![];
    while out.len() < count {
        let widest = (0..c)
            .flat_map(|a| gap[a].iter().enumerate().map(move |(i, g)| (*g, a, i)))
            .fold((0.0, 0, 0), |best, at| if at.0 > best.0 { at } else { best });
        if widest.0 <= 0.0 {
            break;
        }
        let (_, a, chosen) = widest;
        out.push((a, chosen));
        let own = fitted.embedding(a);
        gap[a].par_iter_mut().enumerate().for_each(|(i, g)| *g = g.min(row_distance(metric, own.row(i), own.row(chosen))));
        gap[a][chosen] = 0.0;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::synthetic::RotatedCopies;
    use crate::linalg::Matrix;

    /// Right pairs, of which every twentieth is made wrong.
    fn corrupted(n: usize, features: usize) -> (Vec<Dataset>, Pairs, Vec<usize>) {
        let copies = RotatedCopies::new(n).n_features(features).noise(0.02).generate().unwrap();
        let truth = copies.counterparts(0, 1);
        let mut pairs = Pairs::none(2);
        let mut wrong = vec![];
        for i in 0..n / 2 {
            let astray = i % 20 == 7;
            let j = if astray { truth[(i + n / 2) % n] } else { truth[i] } as usize;
            pairs.add(0, i, 1, j, 1.0).unwrap();
            if astray {
                wrong.push(i);
            }
        }
        (copies.datasets, pairs, wrong)
    }

    #[test]
    fn wrong_pairs_are_found_and_right_ones_left_alone() {
        for features in [3, 20] {
            let (data, pairs, wrong) = corrupted(240, features);
            let checked = CheckPairs::new().check(&data, &pairs).unwrap();
            let mut found = checked.suspect.clone();
            found.sort_unstable();
            let hits = found.iter().filter(|p| wrong.contains(p)).count();
            assert!(checked.can_tell && hits + 1 >= wrong.len() && found.len() <= hits + 1, "{found:?} and {wrong:?}");
            // The chances tell them as well.
            let mean = |some: &dyn Fn(&usize) -> bool| {
                let chosen: Vec<f64> = (0..pairs.len()).filter(|p| some(p)).map(|p| checked.confidence[p]).collect();
                chosen.iter().sum::<f64>() / chosen.len() as f64
            };
            let (right, not) = (mean(&|p| !wrong.contains(p)), mean(&|p| wrong.contains(p)));
            assert!(right > 0.95 && not < 0.3, "{right} and {not}");
        }
    }

    #[test]
    fn pairs_that_are_given_again_are_not_further_evidence() {
        let (data, pairs, _) = corrupted(240, 20);
        let mut twice = pairs.clone();
        pairs.links().iter().for_each(|l| twice.add(l.a, l.i, l.b, l.j, l.weight).unwrap());
        let (once, again) = (CheckPairs::new().check(&data, &pairs).unwrap(), CheckPairs::new().check(&data, &twice).unwrap());
        let n = pairs.len();
        let mut copies: Vec<usize> = once.suspect.iter().flat_map(|p| [*p, p + n]).collect();
        let mut found = again.suspect.clone();
        copies.sort_unstable();
        found.sort_unstable();
        assert!(!found.is_empty());
        assert_eq!(found, copies);
        let few = selected(&twice, |p| p % n < 6).unwrap();
        assert_eq!(few.len(), 12);
        assert!(CheckPairs::new().check(&data, &few).is_err());
    }

    #[test]
    fn a_part_that_moved_as_a_whole_does_not_look_wrong() {
        // A chain; in the second dataset its end is bent away, and two pairs of its middle are mixed up.
        let n = 60;
        let rows = |bent: bool| {
            Matrix::from_fn(n, 3, |i, j| {
                let t = i as f64;
                let at = [3.0 * (0.5 * t).cos(), 3.0 * (0.5 * t).sin(), 0.6 * t];
                let away = [0.0, 14.0, -9.0];
                at[j] + if bent && i >= 50 { away[j] } else { 0.0 }
            })
        };
        let data = [Dataset::new("a", rows(false)).unwrap(), Dataset::new("b", rows(true)).unwrap()];
        let mut pairs = Pairs::none(2);
        for i in 0..n {
            let j = match i {
                12 => 33,
                33 => 12,
                i => i,
            };
            pairs.add(0, i, 1, j, 1.0).unwrap();
        }
        let mut found = CheckPairs::new().check(&data, &pairs).unwrap().suspect;
        found.sort_unstable();
        assert!(found.contains(&12) && found.contains(&33) && found.len() <= 4, "{found:?}");
    }

    #[test]
    fn where_pairs_do_not_find_each_other_nothing_is_flagged() {
        let (a, b) = (
            RotatedCopies::new(80).n_features(12).random_state(1).generate().unwrap(),
            RotatedCopies::new(80).n_features(15).random_state(2).generate().unwrap(),
        );
        let data = [a.datasets[0].clone(), b.datasets[1].clone()];
        let checked = CheckPairs::new().check(&data, &Pairs::first_rows(2, 40)).unwrap();
        assert!(!checked.can_tell && checked.suspect.is_empty());
        assert!(checked.verdict().starts_with("cannot tell"));
        assert_eq!(checked.confidence, [0.0; 40]);
    }

    #[test]
    fn the_row_to_pair_next_is_far_from_all_paired_ones() {
        let n = 60;
        let rows = |turned: bool| {
            Matrix::from_fn(n, 2, |i, j| {
                // A cloud, and one row far away.
                let at =
                    [((i * 37) % 59) as f64 / 59.0, ((i * 23) % 59) as f64 / 59.0].map(|v| if i == 41 { v + 5.0 } else { v });
                if turned { [at[1], -at[0]][j] } else { at[j] }
            })
        };
        let data = [Dataset::new("a", rows(false)).unwrap(), Dataset::new("b", rows(true)).unwrap()];
        let checked = CheckPairs::new().check(&data, &Pairs::first_rows(2, 30)).unwrap();
        assert_eq!(checked.next.len(), 5);
        assert!(checked.next[..2].iter().all(|n| n.1 == 41), "{:?}", checked.next);
    }

    #[test]
    fn too_few_pairs_and_folds_are_refused() {
        let copies = RotatedCopies::new(40).generate().unwrap();
        let few = Pairs::first_rows(2, 4);
        assert!(CheckPairs::new().check(&copies.datasets, &few).unwrap_err().to_string().contains("at least 10"));
        let enough = Pairs::first_rows(2, 20);
        assert!(CheckPairs::new().folds(1).check(&copies.datasets, &enough).unwrap_err().to_string().contains("folds"));
    }
}
