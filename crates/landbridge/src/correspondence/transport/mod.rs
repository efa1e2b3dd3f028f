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
use crate::correspondence::self_training::LinkedRows;
use crate::data::{ColumnLink, Dataset, Pairs, Preparation, Prepare, Rows, check_datasets};
use crate::error::{Error, Result};
use crate::geometry::neighbors::{Metric, check_neighbors};
use crate::geometry::patterns::check_distances;
use crate::linalg::Matrix;
use crate::outcome::Warning;
use crate::progress::{Progress, with_threads};
use crate::solve::gromov::{EntropicGw, Geometries, Transport, factored, marginals, multiply};
use crate::solve::svd::by_blocks;
use faer::Accum;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use std::borrow::Cow;
use std::sync::atomic::{AtomicUsize, Ordering};

mod shapes;
use shapes::{Apart, Rowed, Shape, hops, ranked};

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
/// | `rho` | none: all rows have the same mass | price of rows that lose or gain mass, for unequal proportions: 1 changes little, 0.1 much | > 0 |
///
/// With `rho`, rows that the other dataset lacks get little mass, so their pairs weigh little, and a warning counts them.
/// Columns that are known to correspond (`infer_linked`) add a linear cost to that of the distances (fused Gromov–Wasserstein).
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
    rho: Option<f64>,
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
/// Rows with less than this share of an even one are counted as without a counterpart.
const LITTLE: f64 = 0.5;
/// Weight of linked columns beside the distances, for similarities of standard deviation 1.
const LINKED: f64 = 0.1;

impl Default for TransportPairs {
    fn default() -> Self {
        Self {
            epsilon: 0.02,
            n_neighbors: None,
            metric: None,
            keep: Keep::Strongest(10),
            landmarks: 1000,
            rho: None,
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
        /// Price of rows that lose or gain mass. None: all rows have the same mass.
        rho: Option<f64> => rho;
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
        self.infer_linked(datasets, &[], progress)
    }

    /// As `infer_with`, with columns of two datasets that are known to correspond.
    pub fn infer_linked(&self, datasets: &[Dataset], links: &[ColumnLink], progress: &Progress) -> Result<Inferred> {
        with_threads(self.n_jobs, || {
            check_datasets(datasets)?;
            self.check()?;
            let linked = match links {
                [] => None,
                links => Some(LinkedRows::new(datasets, links, self.random_state, progress)?),
            };
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
            self.pairs_of(&shapes, linked.as_ref(), progress)
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
            self.pairs_of(&shapes, None, &progress)
        })
    }

    fn check(&self) -> Result<()> {
        if !(self.epsilon.is_finite() && self.epsilon > 0.0) {
            return Err(Error::parameter("epsilon", self.epsilon, "a positive finite number"));
        }
        if let Some(rho) = self.rho.filter(|r| !(r.is_finite() && *r > 0.0)) {
            return Err(Error::parameter("rho", rho, "a positive finite number, or none"));
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
        Ok(Shape { name: name.into(), geometries, follows, chosen })
    }

    /// The plan from all geometries together, and how far samples of the landmarks agree with it.
    fn plan(
        &self,
        common: &[(&Matrix<f64>, &Matrix<f64>)],
        linear: Option<&Matrix<f64>>,
        progress: &Progress,
    ) -> Result<(Matrix<f64>, f64)> {
        let (n, m) = (common[0].0.nrows(), common[0].1.nrows());
        let sampled = self.samples(common, linear, progress)?;
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
        let leading = factored(common, progress)?;
        let best = self.heats(&Geometries::leading(common, &leading), linear, starts, progress)?;
        let best = best.into_iter().next().ok_or(Error::TooFewDatasets { given: 0 })?;
        let plan = self.solver(n, m).plan_of(&Geometries::rough(common), linear, Some(best), progress)?.plan;
        let chosen: Vec<Matrix<f64>> = sampled.iter().enumerate().map(|(at, s)| lift(at, s.cheapest())).collect();
        let stable = stability(&plan, &chosen, common[0].1);
        Ok((plan, stable))
    }

    fn solver(&self, n: usize, m: usize) -> EntropicGw {
        let solver = EntropicGw::new(self.epsilon).rho(self.rho);
        solver.max_iterations(STEPS).tolerance(1e-3 / ((n * m) as f64).sqrt())
    }

    /// Plans of several samples of few landmarks, each from several starts: from all geometries, and from each of them alone. Where
    /// there are few rows, the samples leave some out.
    fn samples(
        &self,
        common: &[(&Matrix<f64>, &Matrix<f64>)],
        linear: Option<&Matrix<f64>>,
        progress: &Progress,
    ) -> Result<Vec<Sample>> {
        let (n, m) = (common[0].0.nrows(), common[0].1.nrows());
        let few = FEW.min((0.8 * n.min(m) as f64) as usize).max(2);
        let solver = self.solver(few, few);
        let alone = if common.len() > 1 { common.len() } else { 0 };
        let (total, done) = (SAMPLES * (1 + alone), AtomicUsize::new(0));
        let one = |sample: usize| -> Result<Sample> {
            let rows = (some_of(n, few, sample), some_of(m, few, sample));
            let part = part_of(common, &rows.0, &rows.1);
            let part: Vec<(&Matrix<f64>, &Matrix<f64>)> = part.iter().map(|(x, y)| (x, y)).collect();
            let linear = linear.map(|l| Matrix::from_fn(few, few, |i, j| l[(rows.0[i], rows.1[j])]));
            let factors = factored(&part, progress)?;
            let all = Geometries::leading(&part, &factors);
            let from = |start: usize| {
                progress.step("starts of the transport", done.fetch_add(1, Ordering::Relaxed), total)?;
                let begun = match start.checked_sub(1) {
                    Some(alone) => {
                        let one = Geometries::leading(&part[alone..=alone], &factors[alone..=alone]);
                        Some(solver.plan_of(&one, linear.as_ref(), None, progress)?.plan)
                    }
                    None => None,
                };
                solver.plan_of(&all, linear.as_ref(), begun, progress)
            };
            let found = (0..=alone).into_par_iter().map(from).collect::<Result<Vec<_>>>()?;
            Ok(Sample { rows, found })
        };
        (0..SAMPLES).into_par_iter().map(one).collect()
    }

    /// Starts run some steps, and the cheapest continue.
    fn heats(
        &self,
        all: &Geometries<'_>,
        linear: Option<&Matrix<f64>>,
        mut begun: Vec<Matrix<f64>>,
        progress: &Progress,
    ) -> Result<Vec<Matrix<f64>>> {
        for (steps, kept) in HEATS {
            if begun.len() <= kept {
                continue;
            }
            let (total, mut tried) = (begun.len(), vec![]);
            for (at, start) in begun.into_iter().enumerate() {
                progress.step("comparing starts", at, total)?;
                let brief = self.solver(start.nrows(), start.ncols()).max_iterations(steps);
                tried.push(brief.plan_of(all, linear, Some(start), progress)?);
            }
            tried.sort_by(|a, b| a.objective().total_cmp(&b.objective()));
            begun = tried.into_iter().take(kept).map(|t| t.plan).collect();
        }
        Ok(begun)
    }

    fn pairs_of(&self, shapes: &[Shape], linked: Option<&LinkedRows>, progress: &Progress) -> Result<Inferred> {
        let mut out = Inferred { pairs: Pairs::none(shapes.len()), delta: vec![], agreeing: vec![], warnings: vec![] };
        let mut stability = 1.0f64;
        for b in 1..shapes.len() {
            let (x, y) = (&shapes[0], &shapes[b]);
            // The graphs that both datasets have: a small dataset has fewer.
            let common: Vec<(&Matrix<f64>, &Matrix<f64>)> =
                x.geometries.iter().filter_map(|(k, c)| y.geometries.iter().find(|g| g.0 == *k).map(|g| (c, &g.1))).collect();
            let linear = linked.map(|l| l.costs(&x.chosen, &y.chosen, LINKED));
            let (plan, agrees) = self.plan(&common, linear.as_ref(), progress)?;
            if self.rho.is_some() {
                out.warnings.extend(rows_with_little(x, y, &plan));
            }
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
        out.warnings.extend(linked.and_then(LinkedRows::warning));
        out.warnings.push(Warning::PairsTransported { count: out.pairs.len(), stability, stable: stability >= STABLE });
        Ok(out)
    }
}

/// Says how many rows the other dataset seems to lack.
fn rows_with_little(x: &Shape, y: &Shape, plan: &Matrix<f64>) -> Option<Warning> {
    let (rows, columns) = marginals(plan);
    let count = |shape: &Shape, mass: &[f64]| {
        let own = |follows: &Vec<(u32, f64)>| follows.iter().map(|(l, w)| w * mass[*l as usize]).sum::<f64>() * mass.len() as f64;
        shape.follows.iter().filter(|follows| own(follows) < LITTLE).count()
    };
    let side = |shape: &Shape, mass: &[f64]| (shape.name.clone(), count(shape, mass), shape.follows.len());
    let sides = vec![side(x, &rows), side(y, &columns)];
    sides.iter().any(|s| s.1 > 0).then_some(Warning::RowsWithLittleMass { sides })
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
        let best =
            (1..self.found.len()).fold(0, |a, b| if self.found[b].objective() < self.found[a].objective() { b } else { a });
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
    fn without_landmarks_rows_go_where_the_plan_sends_them() {
        let plan = Matrix::from_vec(vec![0.2, 0.05, 0.0, 0.0, 0.1, 0.15], 2, 3).unwrap();
        let own = |n: usize| (0..n).map(|i| vec![(i as u32, 1.0)]).collect::<Vec<_>>();
        let found = followed_plan(&plan, &own(2), &own(3), 2);
        assert_eq!(found[0].iter().map(|f| f.1).collect::<Vec<_>>(), [0, 1]);
        assert_eq!(found[1].iter().map(|f| f.1).collect::<Vec<_>>(), [2, 1]);
        assert!((found[1][0].0 - 0.3).abs() < 1e-15);
    }
}
