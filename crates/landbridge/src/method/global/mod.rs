//! Alignment that keeps distances, not only neighbours (Global13).

mod features;
mod places;

use crate::data::prepare::warn_of_rows;
use crate::data::{Dataset, Pairs, Preparation, Prepare, Rows, check_datasets};
use crate::error::{Error, Result};
use crate::geometry::distances::{Within, check_given};
use crate::geometry::geodesic::LengthGraph;
use crate::geometry::neighbors::{Metric, Search, check_neighbors};
use crate::linalg::Matrix;
use crate::linalg::whitening::{Whitener, Whitening};
use crate::method::{Level, fits, setters};
use crate::model::{Alignment, Fitted};
use crate::outcome::{Outcome, Status, Stopwatch, Warning};
use crate::params::{check_components, check_ridge};
use crate::problem::global::{Bridges, JointDistances, Restricted, Tau, all_rescalings, positive_part};
use crate::problem::landmarks::{Seen, Sources, centred, choose};
use crate::progress::Progress;
use crate::solve::pencil::{Solutions, TOLERANCE, largest};
use crate::solve::trace_norm::negative_share;
use faer::Mat;
use features::Maps;
use places::{Placed, Places};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::sync::Arc;

/// Distances within a dataset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Distance {
    /// Along the data: shortest paths over the neighbour graph.
    Geodesic,
    /// Straight.
    Euclidean,
    /// `1 − cos`.
    Cosine,
    /// Given.
    Precomputed,
}

/// Places in which distances are those of the data, within each dataset and, through the pairs, across datasets.
///
/// Distances within a dataset are measured along its neighbour graph; those of every other dataset are multiplied by η so
/// that distances between paired rows fit those of the first (eq. 3); across datasets the way leads through the best pair
/// (eq. 4). `τ(D) = −½ H D² H` turns distances into inner products. Feature level: the d largest solutions of
/// `Z'τ(D)Z γ = λ (Z'Z + R) γ`, Z the block diagonal of the prepared datasets. Instance level: the d largest of τ(D) itself.
///
/// | parameter | default | purpose | range |
/// |---|---|---|---|
/// | `n_components` | required | dimension d of the joint space | 1 … |
/// | `level` | feature | a map of the features, or a place for each row | |
/// | `distance` | geodesic | distances within a dataset | |
/// | `n_neighbors`, `metric` | 10, Euclidean | neighbour graph of geodesic distances | |
/// | `distances` | none | given distances: symmetric, one matrix per dataset | finite, ≥ 0 |
/// | `ridge` | 0 | R, in units of the mean diagonal of each dataset's `Z'Z`; 0: solved on the range of `Z'Z` | ≥ 0 |
/// | `weight_components` | none | coordinates times √λ, so that distances are those of D; false: sphered, eq. 6 | |
/// | `landmarks` | none | distances to that many rows only: memory N × m instead of N² | datasets + 1 … N |
/// | `psd` | false | τ(D) without its negative eigenvalues; needs all of them, N³ operations (with landmarks m³) | |
/// | `prepare` | centre | what is done to rows first; distances are those of the scaled rows | |
///
/// Departures: the largest eigenvalues at instance level too (the paper's "minimum" is a slip); rows are not multiplied by
/// η (step 2), which would divide the maps by η and change nothing else; coordinates are weighted by default at instance
/// level and for geodesic distances, because that more than doubles the share of documents found (`Some(false)` is the
/// paper), and not for maps of straight or given distances, where it loses a third of them. Two datasets that share no pair
/// are bridged through the first; every dataset must share pairs with the first.
///
/// A disconnected neighbour graph is joined by its shortest missing edges, and the outcome says so. Time: N searches for
/// shortest paths, `n_a n_b l` sums for the bridges (of 16 bits, where these tell), and either about 8 d products of the
/// N × N matrix with a vector, or, at feature level where that is less, `Z'τ(D)Z` as a matrix in single precision, whose
/// eigenvectors are refined by a product of the N × N matrix with each. Memory: the blocks of D, half of the mirrored ones left out.
///
/// ```
/// use landbridge::data::synthetic::SwissRolls;
/// use landbridge::method::{GlobalAlignment, Level};
/// let rolls = SwissRolls::new(200).generate()?;
/// let alignment = GlobalAlignment::new(2).level(Level::Instance).fit(&rolls.datasets, &rolls.pairs(30, 0)?)?;
/// assert_eq!(alignment.embedding(1).ncols(), 2);
/// assert!(alignment.eigenvalues()[0] >= alignment.eigenvalues()[1]);
/// # Ok::<(), landbridge::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GlobalAlignment {
    n_components: usize,
    level: Level,
    distance: Distance,
    n_neighbors: usize,
    metric: Metric,
    ridge: f64,
    weight_components: Option<bool>,
    landmarks: Option<usize>,
    psd: bool,
    prepare: Prepare,
    search: Search,
    random_state: u64,
    #[serde(skip)]
    distances: Option<Vec<Matrix<f64>>>,
    #[serde(skip)]
    n_jobs: usize,
}

/// Up to this many rows, all are landmarks for new rows at instance level; above, [`FEWER`] of them.
const ALL: usize = 2000;
const FEWER: usize = 1000;

/// Pairs behind η in a fit with landmarks, where there are fewer landmarks than that.
const PAIRS: usize = 1000;

impl GlobalAlignment {
    /// Into a space of that many dimensions.
    pub fn new(n_components: usize) -> Self {
        Self {
            n_components,
            level: Level::Feature,
            distance: Distance::Geodesic,
            n_neighbors: 10,
            metric: Metric::Euclidean,
            ridge: 0.0,
            weight_components: None,
            landmarks: None,
            psd: false,
            prepare: Prepare::Center,
            search: Search::Auto,
            random_state: 0,
            distances: None,
            n_jobs: 0,
        }
    }

    setters! {
        /// Features or rows.
        level: Level => level;
        /// Distances within a dataset.
        distance: Distance => distance;
        /// Neighbours of each row, for geodesic distances.
        n_neighbors: usize => n_neighbors;
        /// Length of an edge of the neighbour graph.
        metric: Metric => metric;
        /// Exact or approximate neighbours.
        search: Search => search;
        /// Ridge, in units of the mean diagonal of `Z'Z` (feature level).
        ridge: f64 => ridge;
        /// Coordinates times √λ; `None`: at instance level and for geodesic distances.
        weight_components: Option<bool> => weight_components;
        /// Distances to that many rows only.
        landmarks: Option<usize> => landmarks;
        /// τ(D) without its negative eigenvalues.
        psd: bool => psd;
        /// What is done to rows first.
        prepare: Prepare => prepare;
        /// Seed of everything random: approximate neighbours, landmarks, start of the eigensolver.
        random_state: u64 => random_state;
        /// Threads, 0 = all cores. Results never depend on it.
        n_jobs: usize => n_jobs;
    }

    /// Given distances, one symmetric matrix per dataset. Implies [`Distance::Precomputed`].
    #[must_use]
    pub fn distances(mut self, distances: Vec<Matrix<f64>>) -> Self {
        self.distances = Some(distances);
        self.distance = Distance::Precomputed;
        self
    }

    fits!();

    fn weighted(&self) -> bool {
        self.weight_components.unwrap_or(self.level == Level::Instance || self.distance == Distance::Geodesic)
    }

    fn check(&self, datasets: &[Dataset], pairs: &Pairs) -> Result<()> {
        check_datasets(datasets)?;
        check_components(self.n_components)?;
        check_ridge(Some(self.ridge))?;
        pairs.check_for(datasets, "global alignment")?;
        if self.level == Level::Instance && self.ridge != 0.0 {
            return Err(Error::parameter("ridge", self.ridge, "0 at instance level, which has no map to keep small"));
        }
        match (&self.distances, self.distance) {
            (None, Distance::Precomputed) => {
                let expected = "given, one matrix per dataset, when distance is precomputed";
                return Err(Error::parameter("distances", "absent", expected));
            }
            (Some(_), other) if other != Distance::Precomputed => {
                let word = format!("{other:?}").to_lowercase();
                return Err(Error::parameter("distance", word, "precomputed when distances are given"));
            }
            (Some(given), _) => {
                if given.len() != datasets.len() {
                    let expected = format!("one per dataset ({})", datasets.len());
                    return Err(Error::parameter("distances", format!("{} matrices", given.len()), &expected));
                }
                datasets.iter().zip(given).try_for_each(|(d, m)| check_given(d.name(), d.nrows(), m))?;
            }
            (None, _) => {}
        }
        if self.distance == Distance::Geodesic {
            datasets.iter().try_for_each(|d| check_neighbors(self.n_neighbors, d.name(), d.nrows()))?;
        }
        let n: usize = datasets.iter().map(Dataset::nrows).sum();
        let least = datasets.len() + 1;
        match self.landmarks {
            Some(m) if m < least || m > n => {
                Err(Error::parameter("landmarks", m, &format!("between {least} and {n}, the rows of all datasets")))
            }
            _ => Ok(()),
        }
    }

    fn fit_steps(&self, datasets: &[Dataset], pairs: &Pairs, progress: &Progress) -> Result<Alignment> {
        self.check(datasets, pairs)?;
        let mut watch = Stopwatch::start();
        let mut warnings = vec![];
        let preparations: Vec<Preparation> = datasets.iter().map(|d| Preparation::fit(self.prepare, d.rows())).collect();
        if self.level == Level::Feature {
            warn_of_rows(datasets, self.prepare, &mut warnings);
        }
        watch.lap("preparation");

        // Distances within each dataset (Global13 2.4), among the rows as scaled; centring makes no difference to them.
        let scaled: Vec<Arc<Rows>> = datasets.iter().zip(&preparations).map(|(d, p)| scaled_rows(d, p)).collect();
        let within = self.within(datasets, &scaled, progress, &mut warnings)?;
        watch.lap("graphs");
        let bridges = Bridges::new(pairs);
        let name = |a: usize| datasets[a].name().to_string();
        warnings.extend(bridges.indirect().into_iter().map(|(a, b)| Warning::Indirect { first: name(a), second: name(b) }));

        let problem = Problem { method: self, datasets, pairs, preparations, scaled, within: &within, bridges: &bridges };
        let (found, outcome) = match (self.level, self.landmarks) {
            (Level::Feature, None) => problem.features(&mut watch, &mut warnings, progress)?,
            (Level::Feature, Some(m)) => problem.features_by_landmarks(m, &mut watch, &mut warnings, progress)?,
            (Level::Instance, None) => problem.rows(&mut watch, &mut warnings, progress)?,
            (Level::Instance, Some(m)) => problem.rows_by_landmarks(m, &mut watch, &mut warnings, progress)?,
        };
        watch.lap("model");
        let outcome = Outcome { seconds: watch.finish(), warnings, ..outcome };
        let params = serde_json::to_value(self).unwrap_or_default();
        Ok(Alignment::new("global", params, found.0, found.1, pairs.links().to_vec(), outcome))
    }

    fn within<'a>(
        &'a self,
        datasets: &[Dataset],
        scaled: &[Arc<Rows>],
        progress: &Progress,
        warnings: &mut Vec<Warning>,
    ) -> Result<Vec<Within<'a>>> {
        // All datasets at once: parts of the work on a graph keep one thread busy.
        let one = |a: usize| -> Result<Within<'a>> {
            Ok(match (self.distance, &self.distances) {
                (_, Some(given)) => Within::Given(&given[a]),
                (Distance::Euclidean | Distance::Precomputed, _) => Within::Rows(Arc::clone(&scaled[a]), Metric::Euclidean),
                (Distance::Cosine, _) => Within::Rows(Arc::clone(&scaled[a]), Metric::Cosine),
                (Distance::Geodesic, _) => {
                    progress.step(&format!("graph of {}", datasets[a].name()), 0, 0)?;
                    let (rows, k, seed) = (&scaled[a], self.n_neighbors, self.random_state);
                    Within::Paths(LengthGraph::new(rows, k, self.metric, self.search, seed, progress)?)
                }
            })
        };
        let within = in_parallel(datasets.len(), one)?;
        for (dataset, within) in datasets.iter().zip(&within) {
            if let Within::Paths(LengthGraph { components, joined: edges @ 1.., .. }) = within {
                let dataset = dataset.name().to_string();
                warnings.push(Warning::GraphJoined { dataset, components: *components, edges: *edges });
            }
        }
        Ok(within)
    }
}

/// `one(a)` for all datasets at once; of several errors that of the first.
fn in_parallel<T: Send>(n: usize, one: impl Fn(usize) -> Result<T> + Sync + Send) -> Result<Vec<T>> {
    (0..n).into_par_iter().map(one).collect::<Vec<_>>().into_iter().collect()
}

fn scaled_rows(dataset: &Dataset, preparation: &Preparation) -> Arc<Rows> {
    match preparation.scale(dataset.rows()) {
        Cow::Borrowed(_) => dataset.shared_rows(),
        Cow::Owned(rows) => Arc::new(rows),
    }
}

/// Fitted datasets and eigenvalues, and the outcome without stages and warnings.
type Result2 = Result<((Vec<Fitted>, Vec<f64>), Outcome)>;

/// Everything a fit knows before the joint geometry.
struct Problem<'a> {
    method: &'a GlobalAlignment,
    datasets: &'a [Dataset],
    pairs: &'a Pairs,
    preparations: Vec<Preparation>,
    scaled: Vec<Arc<Rows>>,
    within: &'a [Within<'a>],
    bridges: &'a Bridges,
}

impl<'a> Problem<'a> {
    fn names(&self) -> Vec<&'a str> {
        self.datasets.iter().map(Dataset::name).collect()
    }

    /// η and the joint matrix, eq. 3 to 5.
    fn joint(&self, watch: &mut Stopwatch, progress: &Progress) -> Result<JointDistances<'a>> {
        let within = in_parallel(self.within.len(), |a| self.within[a].all(progress))?;
        watch.lap("distances");
        let scales = all_rescalings(&self.names(), self.pairs, |a, u, v| within[a][(u, v)])?;
        let joint = JointDistances::new(within, scales, self.bridges, progress)?;
        watch.lap("bridges");
        Ok(joint)
    }

    fn sources(&self, m: usize, watch: &mut Stopwatch, progress: &Progress) -> Result<Sources<'a>> {
        let sources = Sources::new(&self.names(), self.within, self.pairs, self.bridges, m.max(PAIRS), progress)?;
        watch.lap("rescaling");
        Ok(sources)
    }

    fn landmarks(&self, starts: &[usize], m: usize) -> Vec<usize> {
        choose(starts, m, self.method.random_state)
    }

    fn features(&self, watch: &mut Stopwatch, warnings: &mut Vec<Warning>, progress: &Progress) -> Result2 {
        let joint = self.joint(watch, progress)?;
        let maps = Maps::new(self, watch)?;
        let tau = Tau::new(&joint);
        let seed = self.method.random_state;
        let (found, share) = if self.method.psd {
            let (positive, share) = positive_part(&tau)?;
            watch.lap("spectrum");
            (maps.solve(&Restricted { blocks: &maps.blocks, inner: &positive }, self.method, progress)?, share)
        } else {
            let share = negative_share(&tau, tau.trace(), seed, progress)?;
            watch.lap("spectrum");
            (maps.solve_tau(&tau, self.method, watch, progress)?, share)
        };
        watch.lap("eigenvectors");
        maps.fitted(self, found, tau.unit, (joint.scales.clone(), share), warnings)
    }

    fn features_by_landmarks(
        &self,
        m: usize,
        watch: &mut Stopwatch,
        warnings: &mut Vec<Warning>,
        progress: &Progress,
    ) -> Result2 {
        let sources = self.sources(m, watch, progress)?;
        let maps = Maps::new(self, watch)?;
        let seen = Seen::new(&maps.blocks, &sources, &self.landmarks(&sources.starts, m), progress)?;
        let unit = seen.unit;
        watch.lap("landmarks");
        let (product, share) =
            seen.gram(&maps.blocks, self.method.psd, |b, trace| negative_share(b, trace, self.method.random_state, progress))?;
        watch.lap("spectrum");
        let found = maps.solve(&*product, self.method, progress)?;
        watch.lap("eigenvectors");
        maps.fitted(self, found, unit, (sources.scales.clone(), share), warnings)
    }

    fn rows(&self, watch: &mut Stopwatch, warnings: &mut Vec<Warning>, progress: &Progress) -> Result2 {
        let joint = self.joint(watch, progress)?;
        let tau = Tau::new(&joint);
        let (n, seed) = (joint.n(), self.method.random_state);
        let share = negative_share(&tau, tau.trace(), seed, progress)?;
        watch.lap("spectrum");
        let found = largest(&tau, &Whitening(vec![Whitener::Identity(n)]), self.method.n_components, seed, progress)?;
        watch.lap("eigenvectors");
        let places = Places::new(self, &found, 1.0, warnings)?;
        // New rows are placed by their distances to landmarks; the places of these are known.
        let landmarks = self.landmarks(&joint.starts, if n <= ALL { n } else { FEWER });
        let table = joint.rows(&landmarks);
        let chosen = places.of(&landmarks);
        let placed = Placed { scales: joint.scales.clone(), unit: tau.unit, share, starts: joint.starts.clone() };
        placed.fitted(self, places, &landmarks, &chosen, &table, false, &found)
    }

    fn rows_by_landmarks(&self, m: usize, watch: &mut Stopwatch, warnings: &mut Vec<Warning>, progress: &Progress) -> Result2 {
        let sources = self.sources(m, watch, progress)?;
        let landmarks = self.landmarks(&sources.starts, m);
        let table = sources.rows(&landmarks, progress)?;
        let largest_distance = table.as_slice().iter().fold(0.0f64, |a, d| a.max(*d));
        let unit = if largest_distance > 0.0 { largest_distance } else { 1.0 };
        watch.lap("landmarks");
        let between = Mat::from_fn(landmarks.len(), landmarks.len(), |k, l| (table[(k, landmarks[l])] / unit).powi(2));
        let (b, _) = centred(&between);
        let seed = self.method.random_state;
        let share = negative_share(&b, (0..b.nrows()).map(|k| b[(k, k)]).sum(), seed, progress)?;
        watch.lap("spectrum");
        let whitening = Whitening(vec![Whitener::Identity(landmarks.len())]);
        let found = largest(&b, &whitening, self.method.n_components, seed, progress)?;
        watch.lap("eigenvectors");
        let n = sources.starts[self.datasets.len()];
        let places = Places::new(self, &found, n as f64 / landmarks.len() as f64, warnings)?;
        let chosen = places.vectors.clone();
        let placed = Placed { scales: sources.scales.clone(), unit, share, starts: sources.starts.clone() };
        placed.fitted(self, places, &landmarks, &chosen, &table, true, &found)
    }

    fn outcome(&self, found: &Solutions, (scales, share): (Vec<f64>, f64)) -> Outcome {
        Outcome {
            status: if found.residual <= 10.0 * TOLERANCE { Status::Converged } else { Status::ReducedAccuracy },
            residual: found.residual,
            tolerance: TOLERANCE,
            iterations: found.iterations,
            scales: Some(scales),
            negative_share: Some(share),
            ..Outcome::direct(found.solver.clone())
        }
    }

    /// How many of the solutions have a positive eigenvalue; a warning when there are fewer than asked for.
    fn positive(&self, found: &Solutions, warnings: &mut Vec<Warning>) -> Result<usize> {
        let top = found.values.first().copied().unwrap_or(0.0);
        let given = found.values.iter().take_while(|v| **v > 1e-12 * top && **v > 0.0).count();
        if given == 0 {
            let problem = "no direction along which rows are apart: all distances or all prepared rows are zero".into();
            return Err(Error::Numerical { what: "global alignment".into(), problem });
        }
        if given < self.method.n_components {
            warnings.push(Warning::FewerComponents { asked: self.method.n_components, given });
        }
        Ok(given)
    }
}
