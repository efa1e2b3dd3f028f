//! Alignment from very few pairs, or none: matches feed the map, the map feeds the matches, while the dimension grows.

use crate::data::{Dataset, Link, Pairs, Preparation, Prepare, Rows, check_datasets};
use crate::error::{Error, Result};
use crate::geometry::neighbors::{Metric, neighbors_among, neighbors_handicapped};
use crate::geometry::signatures::{Signatures, compared, leading_unit, unit};
use crate::linalg::tall::{Tall, gram, product};
use crate::linalg::{Csr, Matrix};
use crate::method::{Cca, Method, base_setters, fits, setters};
use crate::model::Alignment;
use crate::progress::Progress;
use crate::solve::outcome::{Run, Start, Stopwatch, Trust};
use crate::solve::svd;
use faer::Mat;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::sync::Arc;

/// Feeds a method its own confident matches, beginning with the pairs that are known, or with none.
///
/// 1. Each dataset by itself: tf-idf for sparse rows, centred, unit length, principal coordinates.
/// 2. *Signatures*: how similar a row is to the others of its dataset, at several scales; comparable without any pair.
/// 3. A loop: mutual nearest neighbours (CSLS) become pairs, the pairs make a map (singular vectors of their cross
///    covariance), the map makes new neighbours, in a space that grows from `first_dimension` to all principal
///    coordinates. Known pairs weigh as much as all matches at first, and as one each in the end.
/// 4. *Reproducibility*: maps fitted on half of the matches must find the other half. It is compared with what comes out
///    of a copy whose columns were shuffled; restarts from other starts until it is good.
/// 5. The `base` method is fitted on the matches that deserve it, and on the known pairs.
///
/// More than two datasets are matched to the first, one after the other.
///
/// | parameter | default | purpose | range |
/// |---|---|---|---|
/// | `base` | `Cca` | the method of the final fit | |
/// | `first_dimension` | 10 | where the dimension begins | ≥ 1 |
/// | `steps`, `hold` | 20, 4 | steps of growth, and most steps after it | ≥ 1 |
/// | `max_runs` | 12 | restarts, at most | ≥ 1 |
/// | `good` | 0.9 | reproducibility at which no restart follows | 0 … 1 |
///
/// The outcome holds a [`Trust`]: reproducibility, that of the null, whether to trust the result.
///
/// ```
/// use landbridge::data::Pairs;
/// use landbridge::data::synthetic::RotatedCopies;
/// use landbridge::method::SelfTraining;
/// let copies = RotatedCopies::new(300).n_features(12).generate()?;
/// let alignment = SelfTraining::new().fit(&copies.datasets, &Pairs::none(2))?;
/// println!("{}", alignment.outcome().trust.as_ref().unwrap().reproducibility);
/// # Ok::<(), landbridge::Error>(())
/// ```
#[derive(Clone)]
pub struct SelfTraining {
    base: Option<Arc<dyn Method>>,
    first_dimension: usize,
    steps: usize,
    hold: usize,
    max_runs: usize,
    good: f64,
    random_state: u64,
    n_jobs: usize,
}

impl std::fmt::Debug for SelfTraining {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "SelfTraining({})", self.params())
    }
}

impl Default for SelfTraining {
    fn default() -> Self {
        Self { base: None, first_dimension: 10, steps: 20, hold: 4, max_runs: 12, good: 0.9, random_state: 0, n_jobs: 0 }
    }
}

/// Principal coordinates, at most.
const DIMENSIONS: usize = 200;
/// Neighbours behind the r of CSLS.
const NEAREST: usize = 10;
/// Below this reproducibility nothing is trusted.
const THRESHOLD: f64 = 0.5;
/// What must be gained over the null.
const MARGIN: f64 = 0.2;
/// Shuffled copies that are tried.
const NULL_RUNS: u64 = 2;
/// First dimension (times that asked for, over 10), power of the singular values, share of matches left out at first.
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

type Match = (u32, u32);

/// One run: the matches, each with its CSLS score.
struct Trained {
    matches: Vec<Match>,
    scores: Vec<f64>,
}

impl SelfTraining {
    /// With the defaults.
    pub fn new() -> Self {
        Self::default()
    }

    setters! {
        /// Where the dimension begins.
        first_dimension: usize => first_dimension;
        /// Steps in which the dimension grows.
        steps: usize => steps;
        /// Steps after that, at most; it ends when the matches repeat.
        hold: usize => hold;
        /// Restarts, at most.
        max_runs: usize => max_runs;
        /// Reproducibility at which no restart follows.
        good: f64 => good;
        /// Seed of everything random.
        random_state: u64 => random_state;
        /// Threads, 0 = all cores. Results never depend on it.
        n_jobs: usize => n_jobs;
    }

    base_setters!();

    /// The parameters, without those of the base.
    fn params(&self) -> serde_json::Value {
        serde_json::json!({
            "first_dimension": self.first_dimension, "steps": self.steps, "hold": self.hold, "max_runs": self.max_runs,
            "good": self.good, "random_state": self.random_state,
        })
    }

    fits!();

    fn check(&self, datasets: &[Dataset], pairs: &Pairs) -> Result<()> {
        check_datasets(datasets)?;
        for (name, value) in [("first_dimension", self.first_dimension), ("steps", self.steps), ("max_runs", self.max_runs)] {
            if value == 0 {
                return Err(Error::parameter(name, value, "at least 1"));
            }
        }
        if !(0.0..=1.0).contains(&self.good) {
            return Err(Error::parameter("good", self.good, "between 0 and 1"));
        }
        for dataset in datasets {
            let needed = NEAREST + 2;
            if dataset.nrows() < needed {
                return Err(Error::TooFewRows { dataset: dataset.name().into(), rows: dataset.nrows(), needed });
            }
        }
        if pairs.is_empty() { Ok(()) } else { pairs.check(datasets) }
    }

    fn fit_steps(&self, datasets: &[Dataset], pairs: &Pairs, progress: &Progress) -> Result<Alignment> {
        self.check(datasets, pairs)?;
        let mut watch = Stopwatch::start();
        progress.step("principal coordinates", 0, datasets.len())?;
        let coordinates =
            datasets.iter().map(|d| principal_coordinates(d, self.random_state, progress)).collect::<Result<Vec<_>>>()?;
        watch.lap("principal coordinates");
        let mut all = Pairs::none(datasets.len());
        let mut trust: Option<Trust> = None;
        let mut suspects = vec![];
        for b in 1..datasets.len() {
            let known: Vec<(usize, Link)> =
                pairs.links().iter().copied().enumerate().filter(|(_, l)| (l.a, l.b) == (0, b)).collect();
            let given: Vec<Match> = known.iter().map(|(_, l)| (l.i as u32, l.j as u32)).collect();
            let side = Side { x: &coordinates[0], y: &coordinates[b], given: &given };
            let (found, mut report) = self.train(&side, progress)?;
            // The best of the matches, as many as came back when they were left out.
            let mut order: Vec<usize> = (0..found.matches.len()).collect();
            order.sort_by(|&p, &q| found.scores[q].total_cmp(&found.scores[p]).then(p.cmp(&q)));
            let keep = (report.reproducibility.clamp(0.1, 1.0) * order.len() as f64).ceil() as usize;
            let keep = if report.reproducibility >= 0.9 { order.len() } else { keep.max(2).min(order.len()) };
            let taken = |m: &Match| !report.pairs_wrong && given.iter().any(|g| g.0 == m.0 || g.1 == m.1);
            let mut kept: Vec<Match> = order[..keep].iter().map(|&p| found.matches[p]).filter(|m| !taken(m)).collect();
            kept.sort_unstable();
            for (i, j) in kept {
                all.add(0, i as usize, b, j as usize, 1.0)?;
            }
            if !report.pairs_wrong {
                for (_, link) in &known {
                    all.add(0, link.i, b, link.j, link.weight)?;
                }
            }
            report.matches = keep;
            suspects.extend(report.suspect_pairs.iter().map(|&s| known[s].0));
            trust = Some(match trust {
                None => report,
                Some(so_far) => so_far.worse_of(report),
            });
        }
        for link in pairs.links().iter().filter(|l| l.a != 0) {
            all.add(link.a, link.i, link.b, link.j, link.weight)?;
        }
        watch.lap("self-training");
        let mut trust = trust.unwrap_or_default();
        suspects.sort_unstable();
        trust.suspect_pairs = suspects;
        let sparse = datasets.iter().any(|d| matches!(d.rows(), Rows::Sparse(_)));
        let dimensions = coordinates.iter().map(Matrix::ncols).min().unwrap_or(1);
        let default = Cca::new(dimensions).n_principal(Some(DIMENSIONS)).prepare(if sparse {
            Prepare::TfidfCenter
        } else {
            Prepare::CenterUnit
        });
        let mut alignment = match &self.base {
            Some(base) => base.fit_with(datasets, &all, progress)?,
            None => default.fit_with(datasets, &all, progress)?,
        };
        let mut params = self.params();
        let base = self.base.as_ref().map(|_| serde_json::json!({"method": alignment.method, "params": alignment.params}));
        params["base"] = base.unwrap_or_default();
        alignment.method = "self_training".into();
        alignment.params = params;
        // Matches are no knowledge: the model remembers the pairs that were given.
        alignment.pairs = pairs.links().to_vec();
        alignment.outcome.trust = Some(trust);
        alignment.outcome.seconds.splice(0..0, watch.finish());
        Ok(alignment)
    }

    /// Restarts until the matches reproduce; the most reproducible run wins.
    fn train(&self, side: &Side<'_>, progress: &Progress) -> Result<(Trained, Trust)> {
        let known = !side.given.is_empty();
        let modes: &[Start] = if known { &[Start::Both, Start::Pairs, Start::Geometry] } else { &[Start::Geometry] };
        let mut rng = ChaCha8Rng::seed_from_u64(self.random_state);
        let mut signatures: Option<(Signatures, Signatures)> = None;
        let mut best: Option<(Trained, Run)> = None;
        let mut history = vec![];
        for number in 0..self.max_runs {
            let (start, entry) = (modes[number % modes.len()], number / modes.len());
            let (first, power, drop) = PLAN[entry % PLAN.len()];
            let first = (first * self.first_dimension).div_ceil(10);
            let geometry = if start == Start::Pairs {
                None
            } else {
                if signatures.is_none() {
                    progress.step("signatures", 0, 0)?;
                    signatures = Some((Signatures::new(side.x, self.random_state), Signatures::new(side.y, self.random_state)));
                }
                let Some((x, y)) = &signatures else { unreachable!("made above") };
                let mut chosen: Vec<usize> = (0..x.blocks.len()).filter(|_| entry < 3 || rng.random_bool(0.5)).collect();
                if chosen.is_empty() {
                    chosen.push(rng.random_range(0..x.blocks.len()));
                }
                Some(compared(x, y, &chosen)?)
            };
            let given = if start == Start::Geometry { &[] } else { side.given };
            let plan = Plan { first, power, drop, steps: self.steps, hold: self.hold };
            let step = |t: usize| progress.step(&format!("self-training, run {}", number + 1), t, self.steps + self.hold);
            let trained = run(side.x, side.y, given, geometry, &plan, &mut rng, &step)?;
            let reproducibility = reproducibility(side.x, side.y, &trained.matches, power, self.random_state)?;
            let this = Run { start, first_dimension: first, power, drop, reproducibility, matches: trained.matches.len() };
            history.push(this);
            if best.as_ref().is_none_or(|(_, b)| reproducibility > b.reproducibility) {
                best = Some((trained, this));
            }
            if best.as_ref().is_some_and(|(_, b)| b.reproducibility >= self.good) {
                break;
            }
        }
        let Some((trained, winner)) = best else { unreachable!("at least one run") };
        // What the score looks like when there is nothing to find: columns shuffled, each on its own.
        let mut null = 0.0f64;
        if winner.reproducibility >= THRESHOLD {
            for copy in 0..NULL_RUNS {
                progress.step("null", copy as usize, NULL_RUNS as usize)?;
                let shuffled = shuffled_columns(side.y, self.random_state + copy);
                let geometry = {
                    let x = &signatures
                        .get_or_insert_with(|| {
                            (Signatures::new(side.x, self.random_state), Signatures::new(side.y, self.random_state))
                        })
                        .0;
                    let y = Signatures::new(&shuffled, self.random_state);
                    compared(x, &y, &(0..x.blocks.len()).collect::<Vec<_>>())?
                };
                let plan = Plan { first: winner.first_dimension, power: winner.power, drop: 0.0, steps: self.steps, hold: 1 };
                let found = run(side.x, &shuffled, &[], Some(geometry), &plan, &mut rng, &|_| Ok(()))?;
                null = null.max(reproducibility(side.x, &shuffled, &found.matches, winner.power, self.random_state)?);
            }
        }
        let trusted = winner.reproducibility >= THRESHOLD.max(null + MARGIN);
        let ranks = ranks_of_given(side, &trained.matches, winner.power)?;
        let first = ranks.iter().filter(|r| **r == 0.0).count() as f64 / ranks.len().max(1) as f64;
        let pairs_wrong = known && trusted && winner.start == Start::Geometry && first < 0.25 * winner.reproducibility;
        let suspect_pairs = if trusted { (0..ranks.len()).filter(|&p| ranks[p] > SUSPECT).collect() } else { vec![] };
        let trust = Trust {
            reproducibility: winner.reproducibility,
            null,
            trusted,
            pairs_wrong,
            suspect_pairs,
            matches: trained.matches.len(),
            runs: history,
        };
        Ok((trained, trust))
    }
}

/// A known pair whose partner is not among this share of the nearest, by a map that never saw it, looks wrong.
const SUSPECT: f64 = 0.05;

struct Side<'a> {
    x: &'a Matrix<f64>,
    y: &'a Matrix<f64>,
    given: &'a [Match],
}

struct Plan {
    first: usize,
    power: f64,
    drop: f64,
    steps: usize,
    hold: usize,
}

/// Step 1: rows by themselves. Columns by falling variance.
fn principal_coordinates(dataset: &Dataset, seed: u64, progress: &Progress) -> Result<Matrix<f64>> {
    let wanted = DIMENSIONS.min(dataset.nrows() / 5).max(2);
    let rows = match dataset.rows() {
        Rows::Sparse(counts) => {
            // log(1 + tf) · idf, unit length, then the leading singular vectors.
            let mut counts: Csr = counts.clone();
            if counts.values().iter().all(|v| *v >= 0.0) {
                counts.values_mut().iter_mut().for_each(|v| *v = v.ln_1p());
            }
            let counts = Rows::Sparse(counts);
            let prepared = Preparation::fit(Prepare::Tfidf, &counts).apply(&counts);
            let found = svd::truncated(&prepared, wanted, seed, progress)?;
            let placed = prepared.times(&found.right);
            Rows::F64(Matrix::from_vec(placed.values, counts.nrows(), found.right.stride)?)
        }
        dense => dense.clone(),
    };
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

/// Step 4 of the recipe: singular vectors of the weighted cross covariance of the pairs, scaled by their values to a power.
fn mapped(x: &Matrix<f64>, y: &Matrix<f64>, pairs: &[Match], weights: &[f64], power: f64) -> Result<(Matrix<f64>, Matrix<f64>)> {
    let gather = |m: &Matrix<f64>, rows: &mut dyn Iterator<Item = (usize, f64)>| {
        let mut values = Vec::with_capacity(pairs.len() * m.ncols());
        for (i, w) in rows {
            values.extend(m.row(i).iter().map(|v| w * v));
        }
        Tall { values, stride: m.ncols() }
    };
    let a = gather(x, &mut pairs.iter().zip(weights).map(|(p, w)| (p.0 as usize, *w)));
    let b = gather(y, &mut pairs.iter().map(|p| (p.1 as usize, 1.0)));
    let cross = gram(&a, a.stride, &b);
    let found = cross
        .svd()
        .map_err(|_| Error::Numerical { what: "singular values of the pairs".into(), problem: "no convergence".into() })?;
    let rank = x.ncols().min(y.ncols());
    let values: Vec<f64> = (0..rank).map(|i| found.S()[i]).collect();
    let kept = values.iter().take_while(|s| **s > 1e-6 * values[0] && **s > 0.0).count().max(1);
    let scale = |c: usize| (values[c] / values[0].max(1e-300)).powf(power);
    let place = |m: &Matrix<f64>, vectors: faer::MatRef<'_, f64>| -> Result<Matrix<f64>> {
        let directions = Mat::from_fn(m.ncols(), kept, |i, c| vectors[(i, c)] * scale(c));
        let placed = product(&Tall { values: m.as_slice().to_vec(), stride: m.ncols() }, directions.as_ref());
        let mut placed = Matrix::from_vec(placed.values, m.nrows(), kept)?;
        (0..placed.nrows()).for_each(|i| unit(placed.row_mut(i)));
        Ok(placed)
    };
    Ok((place(x, found.U())?, place(y, found.V())?))
}

/// Two sets of rows of length 1 that are compared, how near each row is to its nearest on the other side (r and c of
/// CSLS), and how much the comparison counts.
struct Compared {
    x: Matrix<f64>,
    y: Matrix<f64>,
    near_x: Vec<f64>,
    near_y: Vec<f64>,
    weight: f64,
}

impl Compared {
    fn new((x, y): (Matrix<f64>, Matrix<f64>)) -> Result<Self> {
        let (near_x, near_y) = (nearness(&x, &y)?, nearness(&y, &x)?);
        Ok(Self { x, y, near_x, near_y, weight: 1.0 })
    }
    /// One of several: it counts by how little its CSLS scores spread.
    fn by_spread(pair: (Matrix<f64>, Matrix<f64>)) -> Result<Self> {
        let mut compared = Self::new(pair)?;
        compared.weight = 1.0 / compared.spread();
        Ok(compared)
    }
    /// Deviation of the CSLS scores, from a sample of rows.
    fn spread(&self) -> f64 {
        let (x, y) = (&self.x, &self.y);
        let step = x.nrows().div_ceil(200);
        let (mut count, mut sum, mut square) = (0.0, 0.0, 0.0);
        for i in (0..x.nrows()).step_by(step) {
            for j in 0..y.nrows() {
                let cosine: f64 = x.row(i).iter().zip(y.row(j)).map(|(a, b)| a * b).sum();
                let score = 2.0 * cosine - self.near_x[i] - self.near_y[j];
                count += 1.0;
                sum += score;
                square += score * score;
            }
        }
        (square / count - (sum / count).powi(2)).max(1e-300).sqrt()
    }
}

/// The mean similarity of each row to its nearest on the other side.
fn nearness(from: &Matrix<f64>, to: &Matrix<f64>) -> Result<Vec<f64>> {
    let k = NEAREST.min(to.nrows());
    let found = neighbors_among(&Rows::F64(from.clone()), &Rows::F64(to.clone()), k, Metric::Cosine, &Progress::silent())?;
    Ok(found.distances.chunks(k).map(|d| 1.0 - d.iter().sum::<f64>() / k as f64).collect())
}

/// Mutual best by CSLS: `Σ weight (2 cos − r_i − c_j)`, without ever holding all similarities.
fn mutual(parts: &[Compared]) -> Result<Trained> {
    let total: f64 = parts.iter().map(|p| p.weight).sum();
    let (n, m) = (parts[0].x.nrows(), parts[0].y.nrows());
    let (mut of_x, mut of_y) = (vec![0.0; n], vec![0.0; m]);
    for part in parts {
        of_x.iter_mut().zip(&part.near_x).for_each(|(h, r)| *h += part.weight * r / total);
        of_y.iter_mut().zip(&part.near_y).for_each(|(h, c)| *h += part.weight * c / total);
    }
    let beside = |pick: fn(&Compared) -> &Matrix<f64>| -> Matrix<f64> {
        if parts.len() == 1 {
            return pick(&parts[0]).clone();
        }
        let rows = pick(&parts[0]).nrows();
        let mut out = Matrix::zeros(rows, parts.iter().map(|p| pick(p).ncols()).sum());
        for i in 0..rows {
            let values = parts.iter().flat_map(|p| pick(p).row(i).iter().map(|v| v * (p.weight / total).sqrt()));
            out.row_mut(i).iter_mut().zip(values).for_each(|(o, v)| *o = v);
        }
        out
    };
    let (x, y) = (beside(|p| &p.x), beside(|p| &p.y));
    let halves = |h: &[f64]| h.iter().map(|v| 0.5 * v).collect::<Vec<f64>>();
    let there = neighbors_handicapped(&x, &y, halves(&of_y), 1, &Progress::silent())?;
    let back = neighbors_handicapped(&y, &x, halves(&of_x), 1, &Progress::silent())?;
    let mut trained = Trained { matches: vec![], scores: vec![] };
    for i in 0..n {
        let j = there.indices[i];
        if back.indices[j as usize] as usize == i {
            trained.matches.push((i as u32, j));
            trained.scores.push(2.0 - 2.0 * there.distances[i] - of_x[i]);
        }
    }
    Ok(trained)
}

/// Steps 5 and 6 of the recipe.
fn run(
    x: &Matrix<f64>,
    y: &Matrix<f64>,
    given: &[Match],
    geometry: Option<(Matrix<f64>, Matrix<f64>)>,
    plan: &Plan,
    rng: &mut ChaCha8Rng,
    step: &dyn Fn(usize) -> Result<()>,
) -> Result<Trained> {
    let largest = x.ncols().max(y.ncols());
    let first = plan.first.min(largest);
    let mut parts = vec![];
    if let Some(geometry) = geometry {
        parts.push(Compared::by_spread(geometry)?);
    }
    if !given.is_empty() {
        let ones = vec![1.0; given.len()];
        let placed = mapped(&leading_unit(x, first), &leading_unit(y, first), given, &ones, plan.power)?;
        parts.push(Compared::by_spread(placed)?);
    }
    let mut found = mutual(&parts)?;
    drop(parts);
    let (known_x, known_y) = (marked(x.nrows(), given, |g| g.0), marked(y.nrows(), given, |g| g.1));
    for t in 0..plan.steps + plan.hold {
        step(t)?;
        let share = (t as f64 / plan.steps as f64).min(1.0);
        let d = (first as f64 * (largest as f64 / first as f64).powf(share)).round() as usize;
        let left_out = if t < plan.steps { plan.drop * (1.0 - share) } else { 0.0 };
        let mut pairs: Vec<Match> = found
            .matches
            .iter()
            .copied()
            .filter(|_| left_out == 0.0 || !rng.random_bool(left_out))
            .filter(|m| !known_x[m.0 as usize] && !known_y[m.1 as usize])
            .collect();
        let mut weights = vec![1.0; pairs.len()];
        if !given.is_empty() {
            let weight = 1.0 + pairs.len() as f64 / given.len() as f64 * (1.0 - share).powi(2);
            weights.extend(std::iter::repeat_n(weight, given.len()));
            pairs.extend_from_slice(given);
        }
        if pairs.is_empty() {
            break;
        }
        let next = mutual(&[Compared::new(mapped(&leading_unit(x, d), &leading_unit(y, d), &pairs, &weights, plan.power)?)?])?;
        let same = next.matches == found.matches;
        found = next;
        if t > plan.steps && same {
            break;
        }
    }
    Ok(found)
}

fn marked(n: usize, given: &[Match], side: fn(&Match) -> u32) -> Vec<bool> {
    let mut marks = vec![false; n];
    given.iter().for_each(|g| marks[side(g) as usize] = true);
    marks
}

/// Step 7: the share of matches that come back as mutual neighbours under a map fitted on the other half of them.
fn reproducibility(x: &Matrix<f64>, y: &Matrix<f64>, matches: &[Match], power: f64, seed: u64) -> Result<f64> {
    if matches.len() < 4 {
        return Ok(0.0);
    }
    let mut order: Vec<usize> = (0..matches.len()).collect();
    order.shuffle(&mut ChaCha8Rng::seed_from_u64(seed ^ 0xC0FFEE));
    let (first, second) = order.split_at(order.len() / 2);
    let (x, y) = (leading_unit(x, x.ncols()), leading_unit(y, y.ncols()));
    let mut hits = 0;
    for (fit, test) in [(first, second), (second, first)] {
        let pairs: Vec<Match> = fit.iter().map(|&p| matches[p]).collect();
        let found = mutual(&[Compared::new(mapped(&x, &y, &pairs, &vec![1.0; pairs.len()], power)?)?])?;
        let mut partner = vec![u32::MAX; x.nrows()];
        found.matches.iter().for_each(|m| partner[m.0 as usize] = m.1);
        hits += test.iter().filter(|&&p| partner[matches[p].0 as usize] == matches[p].1).count();
    }
    Ok(hits as f64 / matches.len() as f64)
}

/// For each known pair the share of rows nearer than its partner, by a map fitted on matches that touch no known pair.
fn ranks_of_given(side: &Side<'_>, matches: &[Match], power: f64) -> Result<Vec<f64>> {
    let (known_x, known_y) = (marked(side.x.nrows(), side.given, |g| g.0), marked(side.y.nrows(), side.given, |g| g.1));
    let others: Vec<Match> = matches.iter().copied().filter(|m| !known_x[m.0 as usize] && !known_y[m.1 as usize]).collect();
    if others.is_empty() || side.given.is_empty() {
        return Ok(vec![]);
    }
    let (x, y) = (leading_unit(side.x, side.x.ncols()), leading_unit(side.y, side.y.ncols()));
    let (zx, zy) = mapped(&x, &y, &others, &vec![1.0; others.len()], power)?;
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let rank = |g: &Match| {
        let own = zx.row(g.0 as usize);
        let reference = dot(own, zy.row(g.1 as usize));
        zy.rows().filter(|row| dot(own, row) > reference).count() as f64 / zy.nrows() as f64
    };
    Ok(side.given.iter().map(rank).collect())
}

fn shuffled_columns(m: &Matrix<f64>, seed: u64) -> Matrix<f64> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed ^ 0x9E37);
    let mut out = m.clone();
    let mut order: Vec<usize> = (0..m.nrows()).collect();
    for j in 0..m.ncols() {
        order.shuffle(&mut rng);
        (0..m.nrows()).for_each(|i| out[(i, j)] = m[(order[i], j)]);
    }
    out
}
