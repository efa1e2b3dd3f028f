//! Self-training, for few pairs or none: matches give a map, and the map gives better matches, in a growing dimension.

mod contest;
mod from_moments;
mod growth;
mod halves;
mod held;
mod joint_links;
mod linked_rows;
mod links;
mod mirror;
mod null;
mod profiles;
pub(in crate::correspondence) mod rounds;
mod shared;

use crate::data::{ColumnLink, Dataset, Link, Pairs, Preparation, Prepare, Rows};
use crate::error::{Error, Result};
use crate::geometry::csls::{Compared, Match, Matched, NEAREST, mutual, mutual_weighted};
use crate::geometry::signatures::{Signatures, compared};
use crate::linalg::Matrix;
use crate::memo::Memo;
use crate::method::{Cca, Method, base_setters, cell_coordinates, method};
use crate::model::Alignment;
use crate::outcome::{AgainstPairs, Start, Trust, Warning};
use crate::params::{Threads, threads_setters};
use crate::progress::Progress;
use crate::run::Run;
use crate::solve::svd;
use contest::{Contest, Entrant, Judged};
use growth::SoftMatch;
use halves::Halves;
use held::{against_pairs, by_reproducibility, expected_recall, shared_by};
use joint_links::add_links;
use landbridge_derive::{Params, Words};
pub(in crate::correspondence) use linked_rows::LinkedRows;
use links::{Columns, Linked, View, train_linked, weighed_words};
use mirror::mirrored;
use profiles::Profiles;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rounds::{Plan, Side, Steady, beginning, ranks_of_given, refined, train_once, train_with};
use std::sync::Arc;

/// Aligns datasets with few pairs or none: fits a method to its own confident matches.
///
/// 1. Represent each dataset by itself: tf-idf for sparse rows, centred, unit length, principal coordinates.
/// 2. Compute *signatures*: the similarities of a row to the others of its dataset, at several scales. They are comparable
///    without pairs.
/// 3. Iterate: mutual nearest neighbours (CSLS) become pairs, and the pairs give a map (singular vectors of their cross
///    covariance). The map gives new neighbours, in a space that grows from `first_dimension` to all principal coordinates.
///    At first the known pairs weigh as much as all matches together, in the end as one match each.
/// 4. Measure *reproducibility*: maps fitted on half of the matches must find the other half. The null is a copy with
///    shuffled columns and the same power of the singular values. Restart from other starts and with another power until the
///    matches are reproducible or two starts agree. The run with the largest gain over its null wins.
/// 5. Fit the `base` method on the reliable matches and the known pairs.
///
/// More than two datasets are matched to the first, one after the other.
///
/// Columns that are known to correspond (`Pairs::with_column_links`) are a second view of the rows of two datasets: similarities of the
/// linked columns stay beside the map while it grows, and fade. Such a run competes with the others under the same rule.
///
/// The outcome reports the reproducibility, that of the null, and whether to trust the result.
///
/// ```
/// use landbridge::data::Pairs;
/// use landbridge::data::synthetic::RotatedCopies;
/// use landbridge::correspondence::SelfTraining;
/// let copies = RotatedCopies::new(300).n_features(12).generate()?;
/// let alignment = SelfTraining::new().fit(&copies.datasets, &Pairs::none(2))?;
/// println!("{}", alignment.outcome().trust.as_ref().unwrap().reproducibility);
/// # Ok::<(), landbridge::Error>(())
/// ```
///
/// # Python
/// ```python
/// Two noisy views of one cloud in different orders, without any known pair.
///
/// >>> import numpy as np
/// >>> import landbridge as lb
/// >>> rng = np.random.default_rng(0)
/// >>> cloud = rng.exponential(size=(400, 30)) / np.arange(1, 31) ** 0.7
/// >>> order = rng.permutation(400)
/// >>> X = cloud @ rng.standard_normal((30, 600))
/// >>> Y = (cloud @ rng.standard_normal((30, 500)))[order]
/// >>> a = lb.SelfTraining().fit([X, Y])
/// >>> bool(lb.metrics.recall_at_k(*a.embeddings_, k=1, truth=np.argsort(order), metric="cosine") > 0.9)
/// True
/// >>> a.outcome_.trusted
/// True
/// ```
#[derive(Clone, Params)]
#[params(
    name = "self_training",
    class = "SelfTraining",
    family = "self_training",
    unpromised = [
        ("row_order", "its runs draw rows by position"),
        ("storage", "it takes sparse rows for counts and prepares them by tf-idf")
    ],
    paper = "own, after unsupervised word-translation methods",
    choose = "there are very few pairs, or none"
)]
pub struct SelfTraining {
    /// The method of the final fit. None: CCA in principal coordinates.
    /// The default prepares sparse rows by tf-idf, and other rows by centring and scaling to unit length.
    #[param(default = None, manual)]
    base: Option<Arc<dyn Method>>,
    /// Where to start.
    #[param(default = StartFrom::Auto)]
    start: StartFrom,
    /// The first dimension of the joint space.
    #[param(default = 10, min = 1)]
    first_dimension: usize,
    /// Number of steps in which the dimension grows.
    #[param(default = 20, min = 1)]
    steps: usize,
    /// Largest number of further steps; it stops when the matches repeat.
    #[param(default = 4)]
    hold: usize,
    /// Largest number of restarts.
    #[param(default = 12, min = 1)]
    max_runs: usize,
    /// Reproducibility at which the restarts stop.
    #[param(default = 0.9, min = 0.0, max = 1.0)]
    good: f64,
    /// Seed of everything random. The same seed gives the same result.
    #[param(default = 0, heading = "Running")]
    random_state: u64,
    #[group]
    threads: Threads,
}

/// A method that looks at linked columns: self-training as it is, any other as the base of self-training.
pub fn looking_at_links(method: Box<dyn Method>) -> Box<dyn Method> {
    if method.schema().name == <SelfTraining as crate::params::Params>::schema().name {
        return method;
    }
    let running = |name: &str| match method.values().into_iter().find(|(own, _)| own == name) {
        Some((_, crate::params::Value::Int(n))) => n,
        _ => 0,
    };
    let (seed, jobs) = (running("random_state"), running("n_jobs"));
    Box::new(SelfTraining::new().random_state(seed as u64).n_jobs(jobs as usize).boxed_base(Some(method)))
}

/// Where self-training starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Words)]
pub enum StartFrom {
    /// Signatures and known pairs; moments where these lead nowhere.
    Auto,
    /// Similarities of a row to the others of its dataset. Both datasets must hold the same objects, at least in part.
    Signatures,
    /// The rotation that matches second and third moments. The datasets need not share a row.
    Moments,
    /// Known pairs alone.
    Pairs,
}

impl std::fmt::Debug for SelfTraining {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "SelfTraining({})", crate::params::to_json(self))
    }
}

/// Largest number of principal coordinates.
const DIMENSIONS: usize = 200;
/// Least reproducibility of a trusted result.
const THRESHOLD: f64 = 0.5;
/// Least gain over the null.
const MARGIN: f64 = 0.2;
/// The least reproducibility of a trusted result whose steadiness is at least this: where few rows have a partner, matches of the others
/// are chance and seldom come back. In 660 runs with nothing to find the steadiness was .42 at most.
const LEAST: f64 = 0.3;
const STEADY: f64 = 0.5;
/// Reproducibility from which all matches are fitted.
const KEEP_ALL: f64 = 0.85;
/// Matches per dimension from which a ridge of 0.1 (otherwise 1) is enough, and whitened datasets give better matches.
const PLENTY: usize = 20;
/// The ridge where matches are soft: they blur what the datasets have in common.
const SOFT_RIDGE: f64 = 3.0;
/// Number of times that the matches are then recomputed.
const REFINEMENTS: usize = 2;
/// Least rows of either dataset for a start from moments: those of fewer rows are noise.
const LEAST_ROWS: usize = 300;
/// From this many rows of either dataset on, moments come before signatures.
const MOMENTS_FIRST: usize = 3000;
/// Weight of the known pairs beside linked columns at first, in units of that of all matches: few pairs turn the axes by chance, and the
/// links say more.
const BESIDE_LINKS: f64 = 0.2;
/// Largest number of runs where columns are linked.
const LINKED_RUNS: usize = 6;
/// Principal coordinates in which cells are compared.
const CELL_DIRECTIONS: usize = 30;
/// Most dimensions of the joint space of counts of cells.
const CELL_COMPONENTS: usize = 20;
/// First dimension (relative to that requested, over 10), power of the singular values, share of matches left out at first.
const PLAN: [(usize, f64, f64); 8] = [
    (10, 0.5, 0.0),
    (10, 0.0, 0.0),
    (5, 0.5, 0.0),
    (20, 0.5, 0.3),
    (10, 0.5, 0.3),
    (5, 0.5, 0.3),
    (20, 0.5, 0.5),
    (10, 0.5, 0.5),
];

method!(SelfTraining);

impl SelfTraining {
    base_setters!();

    fn check(&self, datasets: &[Dataset], pairs: &Pairs) -> Result<()> {
        for dataset in datasets {
            let needed = NEAREST + 2;
            if dataset.nrows() < needed {
                return Err(Error::TooFewRows { dataset: dataset.name().into(), rows: dataset.nrows(), needed });
            }
        }
        check_links(datasets, pairs.column_links())?;
        if !pairs.column_links().is_empty() && datasets.iter().any(|d| d.batches().is_some()) {
            let why = "linked columns are compared as they are, without regard to batches; leave out one of them".into();
            return Err(Error::Undefined { what: "self-training with links and batches".into(), why });
        }
        if self.start == StartFrom::Pairs && pairs.is_empty() {
            return Err(Error::parameter("start", "pairs", "another start where no pair is known"));
        }
        if pairs.is_empty() { Ok(()) } else { pairs.check(datasets) }
    }

    fn fit_steps(&self, datasets: &[Dataset], pairs: &Pairs, run: &mut Run<'_>) -> Result<Alignment> {
        self.check(datasets, pairs)?;
        // The fits below share what no pair touches.
        let shared = match run.progress.memo() {
            Some(_) => run.progress.clone(),
            None => run.progress.remembering(Arc::new(Memo::new(datasets.iter().map(Dataset::shared_rows)))),
        };
        let shared = &shared;
        run.progress.step("principal coordinates", 0, datasets.len())?;
        let words = Prepare::Auto.for_each(datasets);
        let linked = !pairs.column_links().is_empty();
        let placed = |(d, word): (&Dataset, &Prepare)| principal_coordinates(d, *word, linked, self.random_state, shared);
        let coordinates = datasets.iter().zip(&words).map(placed).collect::<Result<Vec<_>>>()?;
        run.lap("principal coordinates");
        let linked = match pairs.column_links() {
            [] => None,
            links => {
                let columns = Columns::new(&datasets[0], &datasets[1], &words)?;
                let linked = Linked::new(&columns, links)?;
                Some((columns, linked))
            }
        };
        if let Some((_, linked)) = &linked {
            let (constant, left_out) = (linked.constant, linked.left_out);
            run.warn_if(constant + left_out > 0, || Warning::LinksLeftOut { constant, left_out, used: linked.links.len() });
            linked.enough()?;
        }
        let linked = linked.as_ref();
        let mut all = Pairs::none(datasets.len());
        let mut trust: Option<Trust> = None;
        let mut suspects = vec![];
        let mut plenty = true;
        let mut grown = None;
        for b in 1..datasets.len() {
            let known: Vec<(usize, Link)> =
                pairs.links().iter().copied().enumerate().filter(|(_, l)| (l.a, l.b) == (0, b)).collect();
            let given: Vec<Match> = known.iter().map(|(_, l)| (l.i as u32, l.j as u32)).collect();
            let side = Side { x: &coordinates[0], y: &coordinates[b], given: &given };
            let pair = ((&datasets[0], &datasets[b]), [words[0], words[b]]);
            let (found, mut report) = self.train(&side, pair, linked.filter(|_| b == 1), run)?;
            if report.trusted && known.is_empty() && linked.is_none() {
                let mirrored = [0, b].into_iter().find(|&side| mirrored(&coordinates[side]));
                if mirrored.is_some() {
                    report = Trust { trusted: false, csls: false, shared: None, expected_recall: None, ..report };
                }
                mirrored.into_iter().for_each(|side| run.warn(Warning::OwnMirrorImage { dataset: datasets[side].name().into() }));
            }
            if let (Some((columns, linked)), Found::Hard(Judged { trained: found, .. }), true) =
                (linked.filter(|_| b == 1), &found, report.trusted)
            {
                // A wrong link that is not told does little harm if each counts as much as its columns correlate.
                let (held, doubtful) = linked.judged(&found.matches);
                let held = held.into_iter().map(|(link, r)| ColumnLink { weight: link.weight * r, ..link });
                grown = Some(columns.grown(&found.matches, held)?);
                report.suspect_links = doubtful.iter().map(|l| (l.i, l.j)).collect();
                let (doubtful, used) = (doubtful.len(), linked.links.len());
                run.warn_if(3 * doubtful >= used, || Warning::LinksDoubtful { doubtful, used });
            }
            run.warn_if(report.pairs_wrong, || Warning::PairsContradict { pairs: given.len() });
            let given: &[Match] = if report.pairs_wrong { &[] } else { &given };
            let side = Side { given, ..side };
            let (matches, enough) = self.weighed(&side, found, &mut report, run)?;
            plenty &= enough;
            for (i, j, weight) in matches {
                all.add(0, i as usize, b, j as usize, weight)?;
            }
            if !report.pairs_wrong {
                for (_, link) in &known {
                    all.add(0, link.i, b, link.j, link.weight)?;
                }
            }
            suspects.extend(report.suspect_pairs.iter().map(|&s| known[s].0));
            trust = Some(match trust {
                None => report,
                Some(so_far) => so_far.worse_of(report),
            });
        }
        for link in pairs.links().iter().filter(|l| l.a != 0) {
            all.add(link.a, link.i, link.b, link.j, link.weight)?;
        }
        let mut trust = trust.unwrap_or_default();
        suspects.sort_unstable();
        trust.suspect_pairs = suspects;
        let sparse = datasets.iter().any(|d| matches!(d.rows(), Rows::Sparse(_)));
        let dimensions = coordinates.iter().map(Matrix::ncols).min().unwrap_or(1);
        let cells = words.iter().any(|w| w.of_cells());
        let prepare = if sparse { Prepare::TfidfCenter } else { Prepare::CenterUnit };
        // No more directions than the matches were found in: a map that chooses among more fits itself to wrong matches.
        let directions = coordinates.iter().map(Matrix::ncols).max();
        // Counts of cells: directions and ridge are chosen on held-out pairs, as without self-training.
        let (default, alone) = match cells {
            true => {
                let of_cells = Cca::new(dimensions.min(CELL_COMPONENTS)).random_state(self.random_state);
                (of_cells.clone(), of_cells)
            }
            false => {
                let default = Cca::new(dimensions).n_principal(directions).roughly().prepare(prepare);
                let alone = default.clone().ridge(None);
                let ridge = if plenty {
                    0.1
                } else if trust.soft {
                    SOFT_RIDGE
                } else {
                    1.0
                };
                (default.ridge(Some(ridge)).weight_components(Some(true)), alone)
            }
        };
        let base: &dyn Method = self.base.as_deref().unwrap_or(&default);
        let alone: &dyn Method = self.base.as_deref().unwrap_or(&alone);
        if !trust.pairs_wrong {
            trust.against_pairs = against_pairs(base, alone, datasets, &all, pairs, self.random_state, shared)?;
            // Few held-out pairs must speak clearly: against matches that are trusted, for matches that are not.
            let clearly = |f: &AgainstPairs| 0.5 / f.pairs as f64 * if trust.trusted { 1.0 } else { -1.0 };
            trust.pairs_alone = trust.against_pairs.is_some_and(|f| f.alone + clearly(&f) < f.trained);
            run.lap("known pairs held out");
        }
        let mut alignment = match trust.pairs_alone {
            true => alone.fit_with(datasets, &pairs.clone().with_column_links(vec![]), shared)?,
            false => base.fit_with(datasets, &all, shared)?,
        };
        let cca = base.schema().name == <Cca as crate::params::Params>::schema().name;
        if let (Some((_, linked)), false, true) = (linked, trust.pairs_alone, cca) {
            let keep = self.base.as_ref().map(|_| alignment.n_components());
            let linked = grown.as_ref().unwrap_or(linked);
            add_links(&mut alignment, datasets, linked, cells && !trust.trusted, keep, (self.random_state, run.progress))?;
        }
        // One stage here; the stages of the base method would count twice.
        alignment.outcome.seconds.clear();
        run.lap("base fit");
        if trust.trusted && !trust.pairs_alone && trust.soft {
            let found = expected_recall(base, datasets, &all, trust.cover.unwrap_or(0.0), self.random_state, shared)?;
            trust.csls = found.as_ref().is_some_and(|f| f.csls);
            trust.expected_recall = found.map(|f| f.expected);
            run.lap("expected recall");
        } else if trust.pairs_alone {
            trust.expected_recall = None;
        }
        // The base method has its own stages and warnings; the caller adds the rest.
        alignment.outcome.trust = Some(trust);
        Ok(alignment)
    }

    /// The weighted matches that the base method is fitted to, without known rows, and whether they are plenty for the dimension.
    fn weighed(&self, side: &Side<'_>, found: Found, report: &mut Trust, run: &mut Run<'_>) -> Result<(Vec<SoftMatch>, bool)> {
        let (known_x, known_y) = side.known();
        let free = |i: u32, j: u32| !known_x[i as usize] && !known_y[j as usize];
        let Judged { trained: found, run: winner, steady, .. } = match found {
            Found::Soft(matches) => {
                report.matches = matches.len();
                return Ok((matches.into_iter().filter(|m| free(m.0, m.1)).collect(), false));
            }
            Found::Hard(found) => found,
        };
        let plenty = found.matches.len() >= PLENTY * side.x.ncols().min(side.y.ncols());
        let refine = plenty && report.trusted;
        let found = if refine { refined(side, found, REFINEMENTS)? } else { found };
        run.lap("refinement");
        let steady = match steady {
            Some(_) if refine => {
                Some(Steady::of(side.x, side.y, &found.matches, winner.power, self.random_state)?.matches(&found.matches))
            }
            of_winner => of_winner,
        };
        // Linked columns find matches that a map alone does not: of such a run it is not known which are steady.
        let mut kept = steady.filter(|_| report.trusted).unwrap_or_default();
        if kept.len() < 2 {
            // The best matches, as many as were found again when they were left out.
            let mut order: Vec<usize> = (0..found.matches.len()).collect();
            order.sort_by(|&p, &q| found.scores[q].total_cmp(&found.scores[p]).then(p.cmp(&q)));
            let keep = (report.reproducibility.clamp(0.1, 1.0) * order.len() as f64).ceil() as usize;
            let keep = if report.reproducibility >= KEEP_ALL { order.len() } else { keep.max(2).min(order.len()) };
            kept = order[..keep].iter().map(|&p| found.matches[p]).collect();
            kept.sort_unstable();
        }
        report.matches = kept.len();
        let free = kept.into_iter().filter(|m| free(m.0, m.1));
        Ok((free.map(|(i, j)| (i, j, 1.0)).collect(), plenty))
    }

    /// The start and the entry of [`PLAN`] of each run, and whether it uses all of the signatures. With known pairs both
    /// powers come early, because it is not known which one suits the data. A start without the known pairs detects wrong
    /// ones.
    fn plan(&self, known: bool, linked: bool, profiled: bool) -> Vec<(Start, usize, bool)> {
        let all = if known {
            let first = [
                (Start::Both, 0),
                (Start::Profiles, 0),
                (Start::Pairs, 1),
                (Start::Both, 1),
                (Start::Geometry, 0),
                (Start::Pairs, 0),
                (Start::Geometry, 1),
            ];
            let later = (2..PLAN.len()).flat_map(|e| [Start::Both, Start::Pairs, Start::Geometry].map(|start| (start, e)));
            first.into_iter().chain(later).collect::<Vec<_>>()
        } else {
            (0..PLAN.len()).flat_map(|e| [Start::Geometry, Start::Profiles].map(|start| (start, e))).collect()
        };
        let wanted = |start: Start| match self.start {
            _ if start == Start::Profiles && !profiled => false,
            StartFrom::Signatures => !matches!(start, Start::Pairs | Start::Profiles),
            StartFrom::Pairs => !matches!(start, Start::Geometry | Start::Both | Start::Profiles),
            StartFrom::Auto | StartFrom::Moments => true,
        };
        let first = [(Start::Geometry, 0), (Start::Links, 0), (Start::LinksAtFirst, 0)];
        let first = if linked { &first[..] } else { &[] };
        let all = all.into_iter().filter(|(start, e)| !linked || (*start, *e) != (Start::Geometry, 0));
        let all: Vec<(Start, usize)> = first.iter().copied().chain(all).filter(|(start, _)| wanted(*start)).collect();
        // From the fourth entry on, and on later passes through the plan, a random half of the signatures.
        let whole = |number: usize, entry: usize| entry < 3 && number < all.len();
        let most = if linked { self.max_runs.min(LINKED_RUNS) } else { self.max_runs };
        all.iter().cycle().take(most).enumerate().map(|(n, &(start, e))| (start, e, whole(n, e))).collect()
    }

    /// Restarts until the matches are reproducible; the run with the largest gain over the null of its power wins. A start from
    /// moments is tried where the first runs are not clear.
    fn train(
        &self,
        side: &Side<'_>,
        (pair, words): ((&Dataset, &Dataset), [Prepare; 2]),
        linked: Option<&(Columns, Linked)>,
        run: &mut Run<'_>,
    ) -> Result<(Found, Trust)> {
        let known = !side.given.is_empty();
        let profiles = match self.start {
            StartFrom::Auto | StartFrom::Moments => Profiles::new(pair, words, side, self.random_state, run.progress)?,
            StartFrom::Signatures | StartFrom::Pairs => None,
        };
        run.lap("row profiles");
        let profiles = profiles.as_ref();
        let enough = side.x.nrows().min(side.y.nrows()) >= LEAST_ROWS;
        let mut halves = None;
        let mut rng = ChaCha8Rng::seed_from_u64(self.random_state);
        let mut geometry = Geometry::default();
        let mut contest = Contest::new(side, self.random_state, self.first_dimension, self.steps.div_ceil(2));
        if self.start == StartFrom::Moments {
            run.warn_if(!enough, || Warning::FewForMoments { rows: side.x.nrows().min(side.y.nrows()), needed: LEAST_ROWS });
            let start = self.search_moments(side, profiles, run)?;
            if !start.trusted() {
                self.runs_from_moments(&mut contest, profiles, &start, run)?;
                if contest.clear() {
                    return won(contest, Some(start.halves), self.good);
                }
            }
            return self.grown_from_moments(side, &start, contest.history(), run);
        }
        let view = linked.map(|(_, l)| View::new(l, side, self.random_state, run.progress)).transpose()?;
        run.lap("linked columns");
        // The cheap starts come first. Of many rows, moments are the cheapest: they look at some.
        let many = side.x.nrows().min(side.y.nrows()) >= MOMENTS_FIRST;
        let mut from_moments = None;
        if self.start == StartFrom::Auto && many && !known && linked.is_none() {
            let start = self.search_moments(side, profiles, run)?;
            if start.trusted() {
                return self.grown_from_moments(side, &start, contest.history(), run);
            }
            from_moments = Some(start);
        }
        let before_moments = match (linked, known) {
            (None, false) => usize::from(profiles.is_some()),
            _ => 2,
        };
        for (number, (start, entry, whole)) in self.plan(known, linked.is_some(), profiles.is_some()).into_iter().enumerate() {
            let (first, power, drop) = PLAN[entry];
            let first = (first * self.first_dimension).div_ceil(10);
            let known = if start == Start::Links { BESIDE_LINKS } else { 1.0 };
            let plan = Plan { first, power, drop, steps: self.steps, hold: self.hold, known };
            if matches!(start, Start::Both | Start::Geometry | Start::Profiles) {
                run.progress.step("signatures", 0, 0)?;
                geometry.prepare(side, whole, self.random_state, &mut rng)?;
                run.lap("signatures");
            }
            let given = if start == Start::Geometry { &[] } else { side.given };
            let drawn = if start == Start::Pairs { None } else { geometry.drawn(whole) };
            let step = |t: usize| run.progress.step(&format!("self-training, run {}", number + 1), t, self.steps + self.hold);
            let entrant = |trained| Entrant { trained, start, plan: &plan };
            match (start, linked, &view, profiles) {
                (Start::Links, Some((columns, linked)), Some(view), _) => {
                    let (trained, reached) =
                        train_linked(side, columns, (linked, view), &plan, self.random_state, run.progress, &step)?;
                    run.lap("runs");
                    contest.enter_linked(entrant(trained), reached, (columns, linked), run)?;
                }
                (Start::Profiles, _, _, Some(profiles)) => {
                    let begin = beginning(side, given, &[drawn, Some(&profiles.compared())], &plan)?;
                    let trained = beside(side, given, begin, profiles, &plan, &mut rng, &step)?;
                    contest.enter(entrant(trained), run)?;
                }
                _ => {
                    let begin = match (start, &view) {
                        (Start::LinksAtFirst, Some(view)) => view.start(),
                        _ => beginning(side, given, &[drawn], &plan)?,
                    };
                    let trained = train_once(side.x, side.y, given, begin, &plan, &mut rng, &step)?;
                    contest.enter(entrant(trained), run)?;
                }
            }
            if contest.clear() && (contest.winner().reproducibility >= self.good || contest.confirmed()) {
                break;
            }
            if self.start == StartFrom::Auto && enough && !contest.clear() && halves.is_none() && number >= before_moments {
                let start = match from_moments.take() {
                    Some(start) => start,
                    None => self.search_moments(side, profiles, run)?,
                };
                if start.trusted() {
                    return self.grown_from_moments(side, &start, contest.history(), run);
                }
                halves = Some(start.halves);
                self.runs_from_moments(&mut contest, profiles, &start, run)?;
                if contest.clear() {
                    break;
                }
            }
        }
        if self.start == StartFrom::Auto && linked.is_none() && !contest.clear() {
            self.grow_again(&mut contest, 0, run)?;
        }
        run.warn_if(!enough && !known && !contest.clear() && self.start == StartFrom::Auto, || Warning::FewForMoments {
            rows: side.x.nrows().min(side.y.nrows()),
            needed: LEAST_ROWS,
        });
        won(contest, halves, self.good)
    }
}

/// The winner, and what speaks for it.
fn won(contest: Contest<'_>, halves: Option<Halves>, good: f64) -> Result<(Found, Trust)> {
    let (side, history, null, trusted) = (contest.side(), contest.history(), contest.null(), contest.clear());
    let found = contest.into_winner();
    let Judged { trained, run: winner, csls, steady } = &found;
    let ranks = ranks_of_given(side, &trained.matches, winner.power)?;
    let first = ranks.iter().filter(|r| **r == 0.0).count() as f64 / ranks.len().max(1) as f64;
    let unseen = winner.start == Start::Geometry && !side.given.is_empty();
    let trust = Trust {
        reproducibility: winner.reproducibility,
        null,
        trusted,
        pairs_wrong: unseen && trusted && first < 0.25 * winner.reproducibility,
        suspect_pairs: if trusted { (0..ranks.len()).filter(|&p| ranks[p] > SUSPECT).collect() } else { vec![] },
        matches: trained.matches.len(),
        runs: history,
        csls: trusted && *csls,
        steadiness: winner.steadiness,
        shared: trusted.then(|| shared_by(winner, side.matched(&trained.matches), steady.as_ref().map(|s| side.matched(s)))),
        expected_recall: trusted.then(|| by_reproducibility(winner.reproducibility, side.matched(&trained.matches), good)),
        stable: halves.map(|h| h.stable),
        cover: halves.map(|h| h.cover),
        ..Trust::default()
    };
    Ok((Found::Hard(found), trust))
}

/// One run with row profiles beside the map; they fade while it grows.
fn beside(
    side: &Side<'_>,
    given: &[Match],
    begin: Matched,
    profiles: &Profiles,
    plan: &Plan,
    rng: &mut ChaCha8Rng,
    step: &dyn Fn(usize) -> Result<()>,
) -> Result<Matched> {
    let beside = profiles.compared();
    train_with(side.x, side.y, given, begin, plan, rng, step, &|placed, share| match share < 1.0 {
        true => mutual_weighted(&[(placed, 1.0), (&beside, 1.0 - share)]),
        false => mutual(&[placed]),
    })
}

/// What a start leads to: the matches of a run, or many weighted ones for each row.
enum Found {
    Hard(Judged),
    Soft(Vec<SoftMatch>),
}

/// The similarities between the signatures of two datasets, computed on first use.
#[derive(Default)]
struct Geometry {
    signatures: Option<(Signatures, Signatures)>,
    whole: Option<Compared>,
    part: Option<Compared>,
}

impl Geometry {
    /// All blocks of the signatures, or a random half of them.
    fn prepare(&mut self, side: &Side<'_>, whole: bool, seed: u64, rng: &mut ChaCha8Rng) -> Result<()> {
        if whole && self.whole.is_some() {
            return Ok(());
        }
        let (x, y) = self.signatures.get_or_insert_with(|| (Signatures::new(side.x, seed), Signatures::new(side.y, seed)));
        let mut chosen: Vec<usize> = (0..x.blocks.len()).filter(|_| whole || rng.random_bool(0.5)).collect();
        if chosen.is_empty() {
            chosen.push(rng.random_range(0..x.blocks.len()));
        }
        let drawn = Some(Compared::new(compared(x, y, &chosen)?));
        *(if whole { &mut self.whole } else { &mut self.part }) = drawn;
        Ok(())
    }
    fn drawn(&self, whole: bool) -> Option<&Compared> {
        if whole { self.whole.as_ref() } else { self.part.as_ref() }
    }
}

/// A known pair looks wrong if its partner is not among this share of the nearest rows, by a map fitted without it.
const SUSPECT: f64 = 0.05;

/// Links between columns that the first two datasets have.
fn check_links(datasets: &[Dataset], links: &[ColumnLink]) -> Result<()> {
    match links.iter().find(|l| l.i >= datasets[0].ncols() || l.j >= datasets[1].ncols()) {
        Some(link) => {
            let given = format!("column {} with column {}", link.i, link.j);
            Err(Error::parameter("links", given, "columns of the datasets"))
        }
        None => Ok(()),
    }
}

/// Dense rows, each less the mean of its batch, where there are batches.
fn within_batches(rows: Rows, dataset: &Dataset) -> Result<Rows> {
    let Some(batches) = dataset.batches() else { return Ok(rows) };
    let mut all = Preparation::fit(Prepare::None, &rows).apply(&rows).to_dense();
    batches.center(&mut all);
    Ok(Rows::F64(Matrix::from_vec(all.values, rows.nrows(), rows.ncols())?))
}

/// Step 1: each dataset by itself. Columns in order of falling variance.
fn principal_coordinates(dataset: &Dataset, word: Prepare, linked: bool, seed: u64, progress: &Progress) -> Result<Matrix<f64>> {
    let wanted = DIMENSIONS.min(dataset.nrows() / 5).max(2);
    let rows = match dataset.rows() {
        _ if word.of_cells() => Rows::F64(cell_coordinates(dataset, word, CELL_DIRECTIONS, seed, progress)?),
        Rows::Sparse(counts) => {
            let prepared = weighed_words(counts, linked);
            let found = svd::roughly(&prepared, wanted, seed, progress)?;
            let placed = prepared.times(&found.right);
            Rows::F64(Matrix::from_vec(placed.values, counts.nrows(), found.right.stride)?)
        }
        dense => dense.clone(),
    };
    let rows = within_batches(rows, dataset)?;
    let unit = Preparation::fit(Prepare::CenterUnit, &rows).apply(&rows).to_dense();
    let unit = Rows::F64(Matrix::from_vec(unit.values, rows.nrows(), rows.ncols())?);
    let prepared = Preparation::fit(Prepare::Center, &unit).apply(&unit);
    let found = svd::truncated(&prepared, wanted, seed, progress)?;
    let kept = found.values.iter().take_while(|s| **s > 1e-6 * found.values[0]).count();
    if kept == 0 {
        return Err(Error::Numerical {
            what: format!("dataset \"{}\"", dataset.name()),
            problem: "all rows are the same".into(),
        });
    }
    let placed = prepared.times(&found.right);
    Ok(Matrix::from_fn(rows.nrows(), kept, |i, j| placed.values[i * placed.stride + j]))
}
