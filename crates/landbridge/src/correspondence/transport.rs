//! Inferred pairs by optimal transport, from the distances within each dataset alone (entropic Gromov–Wasserstein, as SCOT
//! and Pamona use it for cells).
//!
//! Departure: with one neighbour graph the result depends on its k; a small k may even reverse a developmental trajectory.
//! Here Euclidean distances and hop counts over several graphs are compared together. Each is replaced by the ranks of its
//! entries, which removes its scale. The starting point matters as well. On several samples of few landmarks, the search
//! starts from each of these geometries alone and from all of them. The plans found continue with all landmarks, and the one
//! of least cost there wins, because few landmarks cannot tell a trajectory from its mirror image.

use crate::builder::setters;
use crate::correspondence::patterns::{Inferred, Keep};
use crate::data::{Dataset, Pairs, Preparation, Prepare, Rows, check_datasets};
use crate::error::{Error, Result};
use crate::geometry::distances::row_distances;
use crate::geometry::neighbors::{Metric, Neighbors, Search, check_neighbors, neighbors, neighbors_among};
use crate::geometry::patterns::check_distances;
use crate::linalg::Matrix;
use crate::outcome::Warning;
use crate::progress::{Progress, with_threads};
use crate::solve::gromov::{EntropicGw, Geometries, Transport, factored, multiply};
use crate::solve::svd::by_blocks;
use faer::Accum;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use std::borrow::Cow;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Infers which rows correspond by optimal transport, without any known pair.
///
/// The plan minimises `Σ (C₁(i,k) − C₂(j,l))² T(i,j) T(k,l)` minus ε times its entropy. C holds the ranks of straight
/// distances and of hop counts over neighbour graphs. Large datasets are compared by landmarks; the other rows follow their
/// nearest landmarks. More than two datasets are compared with the first.
///
/// | parameter | default | purpose | range |
/// |---|---|---|---|
/// | `epsilon` | 0.02 | entropic regularisation, for distances of mean square 1; small values give sharp plans | > 0 |
/// | `n_neighbors` | 5, 20 and 80, if below half the rows | neighbours in the graphs | 1 … rows − 1 |
/// | `metric` | correlation above 8 dense columns, cosine for sparse rows and for counts of cells (in principal coordinates), else Euclidean | distance of rows | |
/// | `keep` | the 10 strongest | which pairs | |
/// | `landmarks` | 1000 | largest number of rows compared | ≥ 2 |
///
/// Time for m landmarks: O(m³) per step, about forty steps. Memory: about 25 m × m arrays.
///
/// ```
/// use landbridge::data::synthetic::RotatedCopies;
/// use landbridge::correspondence::TransportPairs;
/// let copies = RotatedCopies::new(100).n_features(3).generate()?;
/// let inferred = TransportPairs::new().infer(&copies.datasets)?;
/// println!("{} pairs", inferred.pairs.len());
/// # Ok::<(), landbridge::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct TransportPairs {
    epsilon: f64,
    n_neighbors: Option<usize>,
    metric: Option<Metric>,
    keep: Keep,
    landmarks: usize,
    random_state: u64,
    n_jobs: usize,
}

/// Numbers of neighbours of the graphs; used if they are below half the number of rows.
const SCALES: [usize; 3] = [5, 20, 80];
/// Up to this many dense columns, rows are points in space, not profiles.
const POINTS: usize = 8;
/// Largest number of steps; it usually converges after 12 to 24.
const STEPS: usize = 100;
/// Principal coordinates of counts of cells.
const CELL_DIRECTIONS: usize = 30;
/// Number of landmarks at the start of the search.
const FEW: usize = 300;
/// Number of samples of so few landmarks.
const SAMPLES: usize = 4;
/// How starts are compared: number of steps, and how many continue.
const HEATS: [(usize, usize); 2] = [(1, 3), (4, 1)];
/// A plan whose samples agree less is not trusted.
const STABLE: f64 = 0.5;
/// Total difference of mass up to which two plans count as the same; disjoint plans differ by 2.
const SAME: f64 = 0.1;
/// Number of landmarks that a row follows.
const FOLLOWED: usize = 5;
/// Least number of landmarks of the other dataset that a row is sent to.
const SENT: usize = 20;
/// Distances that differ by less than this share of the largest are equal, so that rounding does not affect the ranks.
const EQUAL: f64 = 1e-9;

impl Default for TransportPairs {
    fn default() -> Self {
        Self {
            epsilon: 0.02,
            n_neighbors: None,
            metric: None,
            keep: Keep::Strongest(10),
            landmarks: 1000,
            random_state: 0,
            n_jobs: 0,
        }
    }
}

impl TransportPairs {
    /// With default parameters.
    pub fn new() -> Self {
        Self::default()
    }
    setters! {
        /// Entropic regularisation of the plan.
        epsilon: f64 => epsilon;
        /// Number of neighbours in the graph. None: several graphs.
        n_neighbors: Option<usize> => n_neighbors;
        /// Distance between two rows of a dataset.
        metric: Option<Metric> => metric;
        /// Which pairs are kept.
        keep: Keep => keep;
        /// Largest number of rows compared.
        landmarks: usize => landmarks;
        /// Seed of the landmarks.
        random_state: u64 => random_state;
        /// Number of threads; 0 means all cores. Results never depend on it.
        n_jobs: usize => n_jobs;
    }

    /// Infers pairs of each dataset with the first.
    pub fn infer(&self, datasets: &[Dataset]) -> Result<Inferred> {
        self.infer_with(datasets, &Progress::silent())
    }

    /// As `infer`, with progress reports.
    pub fn infer_with(&self, datasets: &[Dataset], progress: &Progress) -> Result<Inferred> {
        with_threads(self.n_jobs, || {
            check_datasets(datasets)?;
            self.check()?;
            let words = Prepare::Auto.for_each(datasets);
            let shape = |(d, word): (&Dataset, Prepare)| {
                let (rows, metric) = match self.metric {
                    None if word.of_cells() => {
                        (Cow::Owned(cell_coordinates(d.rows(), word, self.random_state, progress)?), Metric::Cosine)
                    }
                    _ => self.comparable(d.rows()),
                };
                self.shape(d.name(), &Rowed { rows: &rows, metric }, progress)
            };
            let shapes = datasets.iter().zip(words).map(shape).collect::<Result<Vec<_>>>()?;
            self.pairs_of(&shapes, progress)
        })
    }

    /// Infers pairs of rows from the distances within each dataset.
    pub fn infer_from_distances(&self, distances: &[Matrix<f64>]) -> Result<Inferred> {
        with_threads(self.n_jobs, || {
            self.check()?;
            if distances.len() < 2 {
                return Err(Error::TooFewDatasets { given: distances.len() });
            }
            let progress = Progress::silent();
            let shapes = distances
                .iter()
                .enumerate()
                .map(|(a, d)| {
                    check_distances(d)?;
                    self.shape(&a.to_string(), d, &progress)
                })
                .collect::<Result<Vec<_>>>()?;
            self.pairs_of(&shapes, &progress)
        })
    }

    fn check(&self) -> Result<()> {
        if !(self.epsilon.is_finite() && self.epsilon > 0.0) {
            return Err(Error::parameter("epsilon", self.epsilon, "a positive finite number"));
        }
        if self.keep == Keep::Strongest(0) {
            return Err(Error::parameter("keep", 0, "at least 1, or mutual"));
        }
        if self.landmarks < 2 {
            return Err(Error::parameter("landmarks", self.landmarks, "at least 2"));
        }
        Ok(())
    }

    /// The rows and the metric that compares them; correlation is the cosine of rows minus their means.
    fn comparable<'a>(&self, rows: &'a Rows) -> (Cow<'a, Rows>, Metric) {
        match (self.metric, rows) {
            (Some(metric), _) => (Cow::Borrowed(rows), metric),
            (None, Rows::Sparse(_)) => (Cow::Borrowed(rows), Metric::Cosine),
            (None, dense) if dense.ncols() <= POINTS => (Cow::Borrowed(rows), Metric::Euclidean),
            (None, dense) => {
                let mut centred = Matrix::zeros(dense.nrows(), dense.ncols());
                for i in 0..dense.nrows() {
                    let row = centred.row_mut(i);
                    dense.copy_row(i, row);
                    let mean = row.iter().sum::<f64>() / row.len() as f64;
                    row.iter_mut().for_each(|v| *v -= mean);
                }
                (Cow::Owned(Rows::F64(centred)), Metric::Cosine)
            }
        }
    }

    /// One dataset seen from its landmarks.
    fn shape(&self, name: &str, rows: &dyn Apart, progress: &Progress) -> Result<Shape> {
        let n = rows.nrows();
        if let Some(k) = self.n_neighbors {
            check_neighbors(k, name, n)?;
        }
        let mut chosen: Vec<usize> = (0..n).collect();
        if n > self.landmarks {
            chosen.shuffle(&mut ChaCha8Rng::seed_from_u64(self.random_state));
            chosen.truncate(self.landmarks);
            chosen.sort_unstable();
        }
        let straight = rows.straight(&chosen)?;
        let (least, most) = straight
            .as_slice()
            .iter()
            .enumerate()
            .filter(|(at, _)| at / chosen.len() != at % chosen.len())
            .fold((f64::INFINITY, 0.0f64), |(least, most), (_, d)| (least.min(*d), most.max(*d)));
        if most - least <= EQUAL * most || chosen.len() < 2 {
            let problem = "no pair can be inferred: all distances between its rows are equal".into();
            return Err(Error::PairsDegenerate { dataset: name.into(), problem });
        }
        let mut geometries = vec![(0, ranked(&straight))];
        let scales = match self.n_neighbors {
            Some(k) => vec![k],
            None => SCALES.into_iter().filter(|k| 2 * k < n).collect(),
        };
        if let Some(&widest) = scales.iter().max() {
            let found = rows.neighbors(widest, self.random_state, progress)?;
            for k in scales {
                progress.step("hops", k, widest)?;
                geometries.push((k, ranked(&hops(&found, k, &chosen))));
            }
        }
        let follows = match n > chosen.len() {
            true => rows.followed(&chosen, FOLLOWED.min(chosen.len()), progress)?,
            false => (0..n).map(|i| vec![(i as u32, 1.0)]).collect(),
        };
        Ok(Shape { geometries, follows })
    }

    /// The plan from all geometries together, and how far samples of the landmarks agree with it.
    fn plan(&self, common: &[(&Matrix<f64>, &Matrix<f64>)], progress: &Progress) -> Result<(Matrix<f64>, f64)> {
        let (n, m) = (common[0].0.nrows(), common[0].1.nrows());
        let sampled = self.samples(common, progress)?;
        // Every landmark starts where the nearest of the few is.
        let nearest: Vec<(Vec<usize>, Vec<usize>)> =
            sampled.iter().map(|s| (nearest_of(common[0].0, &s.rows.0), nearest_of(common[0].1, &s.rows.1))).collect();
        let lift = |sample: usize, plan: &Matrix<f64>| lifted(plan, &nearest[sample].0, &nearest[sample].1);
        // Few landmarks cannot tell the best start, nor can half of them. Each runs some steps with all, and the better ones continue.
        let mut starts = vec![];
        for (at, sample) in sampled.iter().enumerate() {
            for (i, one) in sample.found.iter().enumerate() {
                if !sample.found[..i].iter().any(|earlier| same_plan(&earlier.plan, &one.plan)) {
                    starts.push(lift(at, &one.plan));
                }
            }
        }
        let best = self.heats(&Geometries::leading(common, &factored(common, progress)?), starts, progress)?;
        let best = best.into_iter().next().ok_or(Error::TooFewDatasets { given: 0 })?;
        let plan = self.solver(n, m).plan_of(&Geometries::rough(common), Some(best), progress)?.plan;
        let chosen: Vec<Matrix<f64>> = sampled.iter().enumerate().map(|(at, s)| lift(at, s.cheapest())).collect();
        let stable = stability(&plan, &chosen, common[0].1);
        Ok((plan, stable))
    }

    fn solver(&self, n: usize, m: usize) -> EntropicGw {
        EntropicGw::new(self.epsilon).max_iterations(STEPS).tolerance(1e-3 / ((n * m) as f64).sqrt())
    }

    /// Plans of several samples of few landmarks, each from several starts: from all geometries, and from each of them alone. Where
    /// there are few rows, the samples leave some out.
    fn samples(&self, common: &[(&Matrix<f64>, &Matrix<f64>)], progress: &Progress) -> Result<Vec<Sample>> {
        let (n, m) = (common[0].0.nrows(), common[0].1.nrows());
        let few = FEW.min((0.8 * n.min(m) as f64) as usize).max(2);
        let solver = self.solver(few, few);
        let alone = if common.len() > 1 { common.len() } else { 0 };
        let (total, done) = (SAMPLES * (1 + alone), AtomicUsize::new(0));
        let one = |sample: usize| -> Result<Sample> {
            let rows = (some_of(n, few, sample), some_of(m, few, sample));
            let part = part_of(common, &rows.0, &rows.1);
            let part: Vec<(&Matrix<f64>, &Matrix<f64>)> = part.iter().map(|(x, y)| (x, y)).collect();
            let factors = factored(&part, progress)?;
            let all = Geometries::leading(&part, &factors);
            let from = |start: usize| {
                progress.step("starts of the transport", done.fetch_add(1, Ordering::Relaxed), total)?;
                let begun = match start.checked_sub(1) {
                    Some(alone) => {
                        let one = Geometries::leading(&part[alone..=alone], &factors[alone..=alone]);
                        Some(solver.plan_of(&one, None, progress)?.plan)
                    }
                    None => None,
                };
                solver.plan_of(&all, begun, progress)
            };
            let found = (0..=alone).into_par_iter().map(from).collect::<Result<Vec<_>>>()?;
            Ok(Sample { rows, found })
        };
        (0..SAMPLES).into_par_iter().map(one).collect()
    }

    /// Starts run some steps, and the cheapest continue.
    fn heats(&self, all: &Geometries<'_>, mut begun: Vec<Matrix<f64>>, progress: &Progress) -> Result<Vec<Matrix<f64>>> {
        for (steps, kept) in HEATS {
            if begun.len() <= kept {
                continue;
            }
            let (total, mut tried) = (begun.len(), vec![]);
            for (at, start) in begun.into_iter().enumerate() {
                progress.step("comparing starts", at, total)?;
                let brief = self.solver(start.nrows(), start.ncols()).max_iterations(steps);
                tried.push(brief.plan_of(all, Some(start), progress)?);
            }
            tried.sort_by(|a, b| a.cost.total_cmp(&b.cost));
            begun = tried.into_iter().take(kept).map(|t| t.plan).collect();
        }
        Ok(begun)
    }

    fn pairs_of(&self, shapes: &[Shape], progress: &Progress) -> Result<Inferred> {
        let mut out = Inferred { pairs: Pairs::none(shapes.len()), delta: vec![], agreeing: vec![], warnings: vec![] };
        let mut stability = 1.0f64;
        for b in 1..shapes.len() {
            let (x, y) = (&shapes[0], &shapes[b]);
            // The graphs that both datasets have: a small dataset has fewer.
            let common: Vec<(&Matrix<f64>, &Matrix<f64>)> =
                x.geometries.iter().filter_map(|(k, c)| y.geometries.iter().find(|g| g.0 == *k).map(|g| (c, &g.1))).collect();
            let (plan, agrees) = self.plan(&common, progress)?;
            stability = stability.min(agrees);
            let kept = match self.keep {
                Keep::Mutual => {
                    let back = followed_plan(&plan.transpose(), &y.follows, &x.follows, 1);
                    let there = followed_plan(&plan, &x.follows, &y.follows, 1);
                    let returns = |i: usize, j: u32| back[j as usize].first().is_some_and(|f| f.1 as usize == i);
                    there.into_iter().enumerate().map(|(i, f)| f.into_iter().filter(|f| returns(i, f.1)).collect()).collect()
                }
                Keep::Strongest(r) => followed_plan(&plan, &x.follows, &y.follows, r),
            };
            let kept: Vec<Vec<(f64, u32)>> = kept;
            let most = kept.iter().flatten().fold(0.0f64, |a, f| a.max(f.0));
            for (i, found) in kept.iter().enumerate() {
                for (share, j) in found.iter().filter(|f| f.0 > 0.0) {
                    out.pairs.add(0, i, b, *j as usize, (share / most).max(f64::MIN_POSITIVE))?;
                }
            }
        }
        out.warnings.push(Warning::PairsTransported { count: out.pairs.len(), stability, stable: stability >= STABLE });
        Ok(out)
    }
}

/// Counts of cells without depth and most of the noise: their leading principal coordinates.
pub(super) fn cell_coordinates(rows: &Rows, word: Prepare, seed: u64, progress: &Progress) -> Result<Rows> {
    let x = Preparation::fit(word, rows).apply(rows);
    let found = by_blocks(&x, CELL_DIRECTIONS.min(x.ncols()).min(x.nrows()), seed, progress)?;
    let placed = x.times(&found.right);
    Ok(Rows::F64(Matrix::from_vec(placed.values, rows.nrows(), placed.stride)?))
}

/// Plans between some of the landmarks of each dataset.
struct Sample {
    rows: (Vec<usize>, Vec<usize>),
    found: Vec<Transport>,
}

impl Sample {
    fn cheapest(&self) -> &Matrix<f64> {
        let best = (1..self.found.len()).fold(0, |a, b| if self.found[b].cost < self.found[a].cost { b } else { a });
        &self.found[best].plan
    }
}

/// The geometries of some landmarks.
fn part_of(common: &[(&Matrix<f64>, &Matrix<f64>)], x: &[usize], y: &[usize]) -> Vec<(Matrix<f64>, Matrix<f64>)> {
    common.iter().map(|(c1, c2)| (ranked(&part(c1, x)), ranked(&part(c2, y)))).collect()
}

/// How far other plans send the rows to the same places, on average: 1 where they are as near as each plan's own spread, 0 where the
/// places have nothing to do with each other. `c` holds the distances between the places.
fn stability(plan: &Matrix<f64>, others: &[Matrix<f64>], c: &Matrix<f64>) -> f64 {
    let (n, m) = (plan.nrows(), plan.ncols());
    let reached = |plan: &Matrix<f64>| {
        let mut out = Matrix::zeros(n, m);
        multiply(plan, c, &mut out, Accum::Replace);
        out
    };
    // The mean distance between the places of two plans: a row of `from`, against distances of the places from those of `to`.
    let apart = |from: &Matrix<f64>, to: &Matrix<f64>, reached: &Matrix<f64>| {
        let mass = |plan: &Matrix<f64>, i: usize| plan.row(i).iter().sum::<f64>();
        let row = |i: usize| {
            let both = mass(from, i) * mass(to, i);
            let sum: f64 = from.row(i).iter().zip(reached.row(i)).map(|(a, b)| a * b).sum();
            if both > 0.0 { sum / both } else { 0.0 }
        };
        (0..n).map(row).sum::<f64>() / n as f64
    };
    let chance = c.as_slice().iter().sum::<f64>() / (m * m) as f64;
    let here = reached(plan);
    let own = apart(plan, plan, &here);
    let agreement = |other: &Matrix<f64>| {
        let spread = 0.5 * (own + apart(other, other, &reached(other)));
        // A plan that sends every row everywhere agrees with nothing.
        if chance - spread <= 1e-6 * chance {
            return 0.0;
        }
        ((chance - apart(other, plan, &here)) / (chance - spread)).clamp(0.0, 1.0)
    };
    others.iter().map(agreement).sum::<f64>() / others.len().max(1) as f64
}

/// Whether the two plans send nearly all of the mass the same way.
fn same_plan(a: &Matrix<f64>, b: &Matrix<f64>) -> bool {
    a.as_slice().iter().zip(b.as_slice()).map(|(a, b)| (a - b).abs()).sum::<f64>() < SAME
}

/// Every landmark starts at the position of the nearest of the few, and shares its mass with the others that do.
fn lifted(plan: &Matrix<f64>, near_x: &[usize], near_y: &[usize]) -> Matrix<f64> {
    let count = |near: &[usize], few: usize| {
        near.iter().fold(vec![0.0; few], |mut count: Vec<f64>, at| {
            count[*at] += 1.0;
            count
        })
    };
    let (count_x, count_y) = (count(near_x, plan.nrows()), count(near_y, plan.ncols()));
    Matrix::from_fn(near_x.len(), near_y.len(), |i, j| {
        let (a, b) = (near_x[i], near_y[j]);
        plan[(a, b)] / (count_x[a] * count_y[b])
    })
}

/// Evenly spaced rows, at most `most`; each sample starts one step later.
fn some_of(n: usize, most: usize, sample: usize) -> Vec<usize> {
    let count = n.min(most);
    (0..count).map(|t| (t * n * SAMPLES + sample * n) / (count * SAMPLES)).collect()
}

fn part(c: &Matrix<f64>, chosen: &[usize]) -> Matrix<f64> {
    Matrix::from_fn(chosen.len(), chosen.len(), |i, j| c[(chosen[i], chosen[j])])
}

/// For each row, the position of the nearest chosen row.
fn nearest_of(c: &Matrix<f64>, chosen: &[usize]) -> Vec<usize> {
    let nearest = |i: usize| (0..chosen.len()).min_by(|a, b| c[(i, chosen[*a])].total_cmp(&c[(i, chosen[*b])])).unwrap_or(0);
    (0..c.nrows()).into_par_iter().map(nearest).collect()
}

/// One dataset in the transport problem.
struct Shape {
    /// Number of neighbours (0: straight distances) and ranked distances between the landmarks.
    geometries: Vec<(usize, Matrix<f64>)>,
    /// For each row, the landmarks that it follows, with shares that sum to 1.
    follows: Vec<Vec<(u32, f64)>>,
}

/// The source of the distances between rows: their features, or a given matrix.
trait Apart {
    fn nrows(&self) -> usize;
    /// Distances between some of the rows.
    fn straight(&self, chosen: &[usize]) -> Result<Matrix<f64>>;
    fn neighbors(&self, k: usize, seed: u64, progress: &Progress) -> Result<Neighbors>;
    /// The nearest chosen row of every row.
    fn nearest(&self, chosen: &[usize], k: usize, progress: &Progress) -> Result<Neighbors>;

    fn followed(&self, chosen: &[usize], k: usize, progress: &Progress) -> Result<Vec<Vec<(u32, f64)>>> {
        let found = self.nearest(chosen, k, progress)?;
        let follow = |i: usize| -> Vec<(u32, f64)> {
            let mean = found.row(i).map(|f| f.1).sum::<f64>() / k as f64;
            let weigh = |d: f64| if mean > 0.0 { (-2.0 * (d / mean).powi(2)).exp() } else { 1.0 };
            let total: f64 = found.row(i).map(|f| weigh(f.1)).sum();
            found.row(i).map(|(l, d)| (l, weigh(d) / total)).collect()
        };
        Ok((0..found.nrows()).into_par_iter().map(follow).collect())
    }
}

struct Rowed<'a> {
    rows: &'a Rows,
    metric: Metric,
}

impl Apart for Rowed<'_> {
    fn nrows(&self) -> usize {
        self.rows.nrows()
    }
    fn straight(&self, chosen: &[usize]) -> Result<Matrix<f64>> {
        let some = self.rows.select(chosen);
        row_distances(&some, &some, self.metric)
    }
    fn neighbors(&self, k: usize, seed: u64, progress: &Progress) -> Result<Neighbors> {
        neighbors(self.rows, k, self.metric, Search::Auto, seed, progress)
    }
    fn nearest(&self, chosen: &[usize], k: usize, progress: &Progress) -> Result<Neighbors> {
        neighbors_among(self.rows, &self.rows.select(chosen), k, self.metric, progress)
    }
}

impl Apart for Matrix<f64> {
    fn nrows(&self) -> usize {
        Matrix::nrows(self)
    }
    fn straight(&self, chosen: &[usize]) -> Result<Matrix<f64>> {
        Ok(Matrix::from_fn(chosen.len(), chosen.len(), |i, j| self[(chosen[i], chosen[j])]))
    }
    fn neighbors(&self, k: usize, _: u64, _: &Progress) -> Result<Neighbors> {
        Ok(nearest_given(self, &(0..Matrix::nrows(self)).collect::<Vec<_>>(), k, true))
    }
    fn nearest(&self, chosen: &[usize], k: usize, _: &Progress) -> Result<Neighbors> {
        Ok(nearest_given(self, chosen, k, false))
    }
}

/// The nearest chosen column of every row, as a position among the chosen.
fn nearest_given(distances: &Matrix<f64>, chosen: &[usize], k: usize, others: bool) -> Neighbors {
    let rows: Vec<Vec<(u32, f64)>> = (0..distances.nrows())
        .into_par_iter()
        .map(|i| {
            let row = distances.row(i);
            let at = chosen.iter().enumerate().filter(|(_, j)| !others || **j != i);
            let mut order: Vec<(u32, f64)> = at.map(|(l, j)| (l as u32, row[*j])).collect();
            let nearer = |a: &(u32, f64), b: &(u32, f64)| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0));
            order.select_nth_unstable_by(k - 1, nearer);
            order.truncate(k);
            order.sort_unstable_by(nearer);
            order
        })
        .collect();
    let flat = || rows.iter().flatten();
    Neighbors { k, indices: flat().map(|f| f.0).collect(), distances: flat().map(|f| f.1).collect() }
}

/// Hop counts between landmarks over the graph of the `k` nearest neighbours. An unreachable landmark counts one more than
/// the largest.
fn hops(found: &Neighbors, k: usize, landmarks: &[usize]) -> Matrix<f64> {
    let n = found.nrows();
    let mut beside: Vec<Vec<u32>> = vec![vec![]; n];
    for i in 0..n {
        for (j, _) in found.row(i).take(k) {
            beside[i].push(j);
            beside[j as usize].push(i as u32);
        }
    }
    const NONE: u32 = u32::MAX;
    let mut out = Matrix::zeros(landmarks.len(), landmarks.len());
    out.as_mut_slice().par_chunks_mut(landmarks.len()).zip(landmarks).for_each_init(
        || (vec![NONE; n], Vec::with_capacity(n)),
        |(steps, queue), (out, &from)| {
            steps.fill(NONE);
            queue.clear();
            steps[from] = 0;
            queue.push(from as u32);
            let mut at = 0;
            while at < queue.len() {
                let node = queue[at] as usize;
                at += 1;
                for &next in &beside[node] {
                    if steps[next as usize] == NONE {
                        steps[next as usize] = steps[node] + 1;
                        queue.push(next);
                    }
                }
            }
            out.iter_mut().zip(landmarks).for_each(|(o, l)| *o = if steps[*l] == NONE { -1.0 } else { f64::from(steps[*l]) });
        },
    );
    let longest = out.as_slice().iter().fold(0.0f64, |a, v| a.max(*v));
    out.as_mut_slice().iter_mut().filter(|v| **v < 0.0).for_each(|v| *v = longest + 1.0);
    out
}

/// Ranks of the distances between different rows, with ties averaged, scaled to a mean square of 1.
fn ranked(distances: &Matrix<f64>) -> Matrix<f64> {
    let n = distances.nrows();
    let mut order: Vec<(f64, u32, u32)> = (0..n)
        .into_par_iter()
        .flat_map_iter(|i| (i + 1..n).map(move |j| (0.5 * (distances[(i, j)] + distances[(j, i)]), i as u32, j as u32)))
        .collect();
    order.par_sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    let same = order.last().map_or(0.0, |l| l.0) * 1e-12;
    let mut out = Matrix::zeros(n, n);
    let (mut first, mut squares) = (0, 0.0);
    while first < order.len() {
        let mut last = first;
        while last + 1 < order.len() && order[last + 1].0 - order[first].0 <= same {
            last += 1;
        }
        let rank = 0.5 * (first + last) as f64 + 1.0;
        for &(_, i, j) in &order[first..=last] {
            out[(i as usize, j as usize)] = rank;
            out[(j as usize, i as usize)] = rank;
        }
        squares += 2.0 * rank * rank * (last + 1 - first) as f64;
        first = last + 1;
    }
    let scale = (squares / (n * n) as f64).sqrt().max(f64::MIN_POSITIVE);
    out.as_mut_slice().iter_mut().for_each(|v| *v /= scale);
    out
}

/// Rows follow their landmarks: for each row its `r` strongest partners, strongest first, as shares of the row.
fn followed_plan(plan: &Matrix<f64>, from: &[Vec<(u32, f64)>], to: &[Vec<(u32, f64)>], r: usize) -> Vec<Vec<(f64, u32)>> {
    let (m, landmarks) = (plan.ncols(), plan.nrows() as f64);
    // The followers of a landmark share its mass.
    let mut followers: Vec<Vec<(u32, f64)>> = vec![vec![]; m];
    to.iter().enumerate().for_each(|(j, follows)| follows.iter().for_each(|(l, w)| followers[*l as usize].push((j as u32, *w))));
    for list in &mut followers {
        let total: f64 = list.iter().map(|f| f.1).sum();
        list.iter_mut().for_each(|f| f.1 /= total.max(f64::MIN_POSITIVE));
    }
    let stronger = |a: &(f64, u32), b: &(f64, u32)| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1));
    let strongest = |mut list: Vec<(f64, u32)>, most: usize| {
        if list.len() > most {
            list.select_nth_unstable_by(most - 1, stronger);
            list.truncate(most);
        }
        list.sort_unstable_by(stronger);
        list
    };
    from.par_iter()
        .map_init(
            || (vec![0.0; m], vec![0.0; to.len()]),
            |(sent, share), follows| {
                sent.fill(0.0);
                for (l, w) in follows {
                    sent.iter_mut().zip(plan.row(*l as usize)).for_each(|(s, t)| *s += w * t * landmarks);
                }
                let sent = sent.iter().enumerate().map(|(l, s)| (*s, l as u32)).collect();
                let mut reached = vec![];
                for (part, l) in strongest(sent, SENT.max(2 * r)) {
                    for (j, w) in &followers[l as usize] {
                        if share[*j as usize] == 0.0 {
                            reached.push(*j);
                        }
                        share[*j as usize] += part * w;
                    }
                }
                reached.sort_unstable();
                reached.dedup();
                let found = reached.iter().map(|j| (std::mem::take(&mut share[*j as usize]), *j)).collect();
                strongest(found, r)
            },
        )
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hops_are_shortest_paths_of_edges_of_length_one() {
        let rows = Rows::F64(Matrix::from_fn(40, 2, |i, j| ((i * (7 + 5 * j)) % 41) as f64 + if i >= 36 { 1e3 } else { 0.0 }));
        let found = neighbors(&rows, 3, Metric::Euclidean, Search::Auto, 0, &Progress::silent()).unwrap();
        let all: Vec<usize> = (0..40).collect();
        let fast = hops(&found, 3, &all);
        // Floyd–Warshall.
        let mut naive = Matrix::from_fn(40, 40, |i, j| if i == j { 0.0 } else { f64::INFINITY });
        for i in 0..40 {
            for (j, _) in found.row(i) {
                naive[(i, j as usize)] = 1.0;
                naive[(j as usize, i)] = 1.0;
            }
        }
        for k in 0..40 {
            for i in 0..40 {
                for j in 0..40 {
                    naive[(i, j)] = naive[(i, j)].min(naive[(i, k)] + naive[(k, j)]);
                }
            }
        }
        let longest = naive.as_slice().iter().filter(|v| v.is_finite()).fold(0.0f64, |a, v| a.max(*v));
        assert!(naive.as_slice().contains(&f64::INFINITY));
        for (f, n) in fast.as_slice().iter().zip(naive.as_slice()) {
            assert_eq!(*f, if n.is_finite() { *n } else { longest + 1.0 });
        }
        let some = hops(&found, 3, &[3, 17, 38]);
        assert_eq!(some[(0, 1)], fast[(3, 17)]);
        assert_eq!(some[(1, 2)], fast[(3, 17)] + 1.0, "no way: one more than the longest among these");
    }

    #[test]
    fn ranks_keep_the_order_and_equal_ones_share_theirs() {
        let d = Matrix::from_fn(4, 4, |i, j| if i == j { 0.0 } else { ((i + j) % 4) as f64 + 1.0 });
        let r = ranked(&d);
        // Off the diagonal: sums 1, 2, 3, 3, 4, 5, so 2, 3, 4, 4, 1, 2.
        assert_eq!(r[(0, 1)], r[(2, 3)]);
        assert_eq!(r[(0, 3)], r[(1, 2)]);
        assert!(r[(1, 3)] < r[(0, 1)] && r[(0, 1)] < r[(0, 2)] && r[(0, 2)] < r[(0, 3)]);
        let square: f64 = r.as_slice().iter().map(|v| v * v).sum::<f64>() / 16.0;
        assert!((square - 1.0).abs() < 1e-12);
        assert_eq!(r[(0, 1)] / r[(1, 3)], 2.5, "ranks 2 and 3 are shared, 1 is alone");
    }

    #[test]
    fn without_landmarks_rows_go_where_the_plan_sends_them() {
        let plan = Matrix::from_vec(vec![0.2, 0.05, 0.0, 0.0, 0.1, 0.15], 2, 3).unwrap();
        let own = |n: usize| (0..n).map(|i| vec![(i as u32, 1.0)]).collect::<Vec<_>>();
        let found = followed_plan(&plan, &own(2), &own(3), 2);
        assert_eq!(found[0].iter().map(|f| f.1).collect::<Vec<_>>(), [0, 1]);
        assert_eq!(found[1].iter().map(|f| f.1).collect::<Vec<_>>(), [2, 1]);
        assert!((found[1][0].0 - 0.3).abs() < 1e-15);
    }
}
