//! Alignment that keeps distances, not only neighbours (Global13).

mod features;
mod places;

use crate::data::prepare::warn_of_rows;
use crate::data::{Dataset, Pairs, Preparation, Prepare, Rows};
use crate::error::{Error, Result};
use crate::geometry::distances::{Within, check_given};
use crate::geometry::geodesic::LengthGraph;
use crate::geometry::graphs::{SearchParams, search_params_setters};
use crate::geometry::neighbors::{Metric, Search, check_neighbors};
use crate::linalg::Matrix;
use crate::linalg::whitening::{Whitener, Whitening};
use crate::method::{Level, method, steps};
use crate::model::{Alignment, Fitted};
use crate::outcome::{Outcome, Warning};
use crate::params::Words as _;
use crate::params::{Threads, threads_setters};
use crate::problem::global::{Bridges, JointDistances, Restricted, Tau, all_rescalings, positive_part};
use crate::problem::landmarks::{Seen, Sources, centred, choose};
use crate::run::Run;
use crate::solve::pencil::{Solutions, TOLERANCE, largest, leading_positive};
use crate::solve::trace_norm::negative_share;
use faer::Mat;
use features::Maps;
use landbridge_derive::{Params, Words};
use places::{Placed, Places};
use rayon::prelude::*;
use std::sync::Arc;

/// Distances within a dataset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Words)]
#[non_exhaustive]
pub enum Distance {
    /// Geodesic: shortest paths over the neighbour graph.
    Geodesic,
    /// Euclidean distances.
    Euclidean,
    /// Cosine distances, `1 − cos`.
    Cosine,
    /// Precomputed distances.
    Precomputed,
}

/// Finds coordinates that preserve distances, within each dataset and, through the pairs, across datasets.
///
/// Distances within a dataset are measured along its neighbour graph. Those of every other dataset are multiplied by η, so
/// that distances between paired rows fit those of the first dataset (eq. 3). Across datasets, the distance is the shortest
/// way through a pair (eq. 4). `τ(D) = −½ H D² H` turns distances into inner products. Feature level: the d largest solutions
/// of `Z'τ(D)Z γ = λ (Z'Z + R) γ`, Z the block diagonal of the prepared datasets. Instance level: the d largest eigenvectors
/// of τ(D) itself.
///
/// Departures: instance level also takes the largest eigenvalues (the paper's "minimum" is a slip). Rows are not multiplied
/// by η (step 2), which would only divide the maps by η. Coordinates are weighted by √λ by default at instance level and for
/// geodesic distances, because that more than doubles the share of documents found; they are not weighted for maps of
/// straight or given distances, where it loses a third of them. `weight_components` false is the paper. Two datasets that
/// share no pair are bridged through the first; every dataset must share pairs with the first.
///
/// A disconnected neighbour graph is joined by its shortest missing edges, and the outcome warns. Time: N shortest-path
/// searches, `n_a n_b l` sums for the bridges (in 16 bits if that is accurate enough), and then one of two ways. Either about
/// 8 d products of the N × N matrix with a vector; or, at feature level if that is cheaper, the matrix `Z'τ(D)Z` in single
/// precision, whose eigenvectors are refined by one product of the N × N matrix each. Memory: the blocks of D, without those
/// that symmetry gives.
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
///
/// # Python
/// ```python
/// >>> import landbridge as lb
/// >>> rolls = lb.datasets.swiss_rolls(1000)
/// >>> a = lb.GlobalAlignment(2, level="instance").fit(rolls.datasets, rolls.pairs(100))
/// >>> bool(lb.metrics.recall_at_k(*a.embeddings_, k=10) > 0.9)
/// True
/// >>> a.transform(rolls.datasets[1][:5], dataset=1).shape
/// (5, 2)
/// ```
#[derive(Clone, Debug, PartialEq, Params)]
#[params(
    name = "global",
    class = "GlobalAlignment",
    family = "global",
    infers,
    contradicts,
    nested,
    paper = "Wang, Mahadevan 2013",
    choose = "distances are meaningful: maps, shapes, locations"
)]
pub struct GlobalAlignment {
    /// Dimension of the joint space.
    #[param(min = 1, tune = "log 2 200")]
    n_components: usize,
    /// The result of the fit: maps of features or coordinates of rows.
    #[param(default = Level::Feature)]
    level: Level,
    /// Distances within a dataset.
    #[param(default = Distance::Geodesic)]
    distance: Distance,
    #[group]
    search: SearchParams,
    /// Ridge R, in units of the mean diagonal of each dataset's `Z'Z`; 0: solve on the range of `Z'Z`.
    #[param(default = 0.0, min = 0.0, tune = "log 1e-3 10")]
    ridge: f64,
    /// Multiply coordinates by √λ, so that their distances approximate D; false: sphered, as in the paper.
    /// None: only at instance level and for geodesic distances.
    #[param(default = None)]
    weight_components: Option<bool>,
    /// Number of landmarks m: use distances to m rows only, with memory N × m instead of N². None: all rows.
    #[param(default = None, min = 1)]
    landmarks: Option<usize>,
    /// Remove the negative eigenvalues of τ(D). This needs all eigenvalues: N³ operations, with landmarks m³.
    #[param(default = false)]
    psd: bool,
    /// Preprocessing of the rows. It is fitted with the model, saved in it and applied to new rows.
    #[param(default = Prepare::Center, tune = "words center unit_center center_unit standardize tfidf_center log_tfidf")]
    prepare: Prepare,
    /// Seed of everything random. The same seed gives the same result.
    #[param(default = 0, heading = "Running")]
    random_state: u64,
    /// Precomputed distances: one symmetric matrix per dataset. Implies `distance` precomputed.
    #[param(default = None, unsaved, implies)]
    distances: Option<Vec<Matrix<f64>>>,
    #[group]
    threads: Threads,
}

/// Up to this many rows, all are landmarks for new rows at instance level; above, [`FEWER`] of them.
const ALL: usize = 2000;
const FEWER: usize = 1000;

/// Number of pairs that determine η in a fit with landmarks, if there are fewer landmarks.
const PAIRS: usize = 1000;

method!(GlobalAlignment);

impl GlobalAlignment {
    /// Given distances imply `distance` precomputed.
    fn distances_implies(&mut self) {
        if self.distances.is_some() && self.distance == Distance::Geodesic {
            self.distance = Distance::Precomputed;
        }
    }

    fn contradiction_of(&self) -> Option<(&'static str, String)> {
        let searched = [
            ("n_neighbors", self.search.n_neighbors != 10),
            ("metric", self.search.metric != Metric::Euclidean),
            ("search", self.search.search != Search::Auto),
        ];
        let given = searched.into_iter().find(|(_, changed)| *changed && self.distance != Distance::Geodesic);
        given.map(|(name, _)| (name, "only geodesic distances use a neighbour graph".into()))
    }

    fn weighted(&self) -> bool {
        self.weight_components.unwrap_or(self.level == Level::Instance || self.distance == Distance::Geodesic)
    }

    fn check(&self, datasets: &[Dataset], pairs: &Pairs) -> Result<()> {
        pairs.check_for(datasets, "global alignment")?;
        if self.level == Level::Instance && self.ridge != 0.0 {
            return Err(Error::parameter("ridge", self.ridge, "0 at instance level, which has no map to regularise"));
        }
        match (&self.distances, self.distance) {
            (None, Distance::Precomputed) => {
                let expected = "given, one matrix per dataset, when distance is precomputed";
                return Err(Error::parameter("distances", "absent", expected));
            }
            (Some(_), other) if other != Distance::Precomputed => {
                return Err(Error::parameter("distance", other.word(), "precomputed when distances are given"));
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
            datasets.iter().try_for_each(|d| check_neighbors(self.search.n_neighbors, d.name(), d.nrows()))?;
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

    fn fit_steps(&self, datasets: &[Dataset], pairs: &Pairs, run: &mut Run<'_>) -> Result<Alignment> {
        self.check(datasets, pairs)?;
        let preparations = steps::fitted_preparations(self.prepare, datasets, run.progress)?;
        if self.level == Level::Feature {
            warn_of_rows(datasets, self.prepare, &mut run.warnings);
        }
        // Every row of length 1 is as far from such a row: its neighbours are those with the lowest numbers.
        for dataset in datasets.iter().filter(|_| self.prepare.unit_first()) {
            let count = dataset.rows().zero_rows();
            run.warn_if(count > 0, || Warning::ZeroRows { dataset: dataset.name().into(), count });
        }
        run.lap("preparation");

        // Distances within each dataset (Global13 2.4), between the scaled rows; centring does not change them.
        let scaled = steps::scaled(datasets, &preparations, run.progress)?;
        let scaled: Vec<Arc<Rows>> = scaled.iter().map(Dataset::shared_rows).collect();
        let within = self.within(datasets, &scaled, run)?;
        run.lap("graphs");
        let bridges = Bridges::new(pairs);
        let name = |a: usize| datasets[a].name().to_string();
        run.warnings.extend(bridges.indirect().into_iter().map(|(a, b)| Warning::Indirect { first: name(a), second: name(b) }));

        let problem = Problem { method: self, datasets, pairs, preparations, scaled, within: &within, bridges: &bridges };
        let (found, outcome) = match (self.level, self.landmarks) {
            (Level::Feature, None) => problem.features(run)?,
            (Level::Feature, Some(m)) => problem.features_by_landmarks(m, run)?,
            (Level::Instance, None) => problem.rows(run)?,
            (Level::Instance, Some(m)) => problem.rows_by_landmarks(m, run)?,
        };
        run.lap("model");
        Ok(Alignment::of(found.0, found.1, outcome))
    }

    fn within<'a>(&'a self, datasets: &[Dataset], scaled: &[Arc<Rows>], run: &mut Run<'_>) -> Result<Vec<Within<'a>>> {
        let progress = run.progress;
        // All datasets at once, because parts of the work on one graph use only one thread.
        let one = |a: usize| -> Result<Within<'a>> {
            Ok(match (self.distance, &self.distances) {
                (_, Some(given)) => Within::Given(&given[a]),
                (Distance::Euclidean | Distance::Precomputed, _) => Within::Rows(Arc::clone(&scaled[a]), Metric::Euclidean),
                (Distance::Cosine, _) => Within::Rows(Arc::clone(&scaled[a]), Metric::Cosine),
                (Distance::Geodesic, _) => {
                    progress.step(&format!("graph of {}", datasets[a].name()), 0, 0)?;
                    let (rows, k, seed) = (&scaled[a], self.search.n_neighbors, self.random_state);
                    Within::Paths(LengthGraph::new(rows, k, self.search.metric, self.search.search, seed, progress)?)
                }
            })
        };
        let within = in_parallel(datasets.len(), one)?;
        for (dataset, within) in datasets.iter().zip(&within) {
            if let Within::Paths(LengthGraph { components, joined: edges @ 1.., .. }) = within {
                let dataset = dataset.name().to_string();
                run.warn(Warning::GraphJoined { dataset, components: *components, edges: *edges });
            }
        }
        Ok(within)
    }
}

/// `one(a)` for all datasets in parallel; if several fail, the error of the first.
fn in_parallel<T: Send>(n: usize, one: impl Fn(usize) -> Result<T> + Sync + Send) -> Result<Vec<T>> {
    (0..n).into_par_iter().map(one).collect::<Vec<_>>().into_iter().collect()
}

/// Fitted datasets and eigenvalues, and the outcome without stages and warnings.
type Result2 = Result<((Vec<Fitted>, Vec<f64>), Outcome)>;

/// The inputs of a fit before the joint geometry.
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
    fn joint(&self, run: &mut Run<'_>) -> Result<JointDistances<'a>> {
        let within = in_parallel(self.within.len(), |a| self.within[a].all(run.progress))?;
        run.lap("distances");
        let scales = all_rescalings(&self.names(), self.pairs, |a, u, v| within[a][(u, v)])?;
        let joint = JointDistances::new(within, scales, self.bridges, run.progress)?;
        run.lap("bridges");
        Ok(joint)
    }

    fn sources(&self, m: usize, run: &mut Run<'_>) -> Result<Sources<'a>> {
        let sources = Sources::new(&self.names(), self.within, self.pairs, self.bridges, m.max(PAIRS), run.progress)?;
        run.lap("rescaling");
        Ok(sources)
    }

    fn landmarks(&self, starts: &[usize], m: usize) -> Vec<usize> {
        choose(starts, m, self.method.random_state)
    }

    fn features(&self, run: &mut Run<'_>) -> Result2 {
        let joint = self.joint(run)?;
        let maps = Maps::new(self, run)?;
        let tau = Tau::new(&joint);
        let seed = self.method.random_state;
        let (found, share) = if self.method.psd {
            let (positive, share) = positive_part(&tau)?;
            run.lap("spectrum");
            (maps.solve(&Restricted { blocks: &maps.blocks, inner: &positive }, self.method, run.progress)?, share)
        } else {
            let share = negative_share(&tau, tau.trace(), seed, run.progress)?;
            run.lap("spectrum");
            (maps.solve_tau(&tau, self.method, run)?, share)
        };
        run.lap("eigenvectors");
        maps.fitted(self, found, tau.unit, (joint.scales.clone(), share), run)
    }

    fn features_by_landmarks(&self, m: usize, run: &mut Run<'_>) -> Result2 {
        let sources = self.sources(m, run)?;
        let maps = Maps::new(self, run)?;
        let seen = Seen::new(&maps.blocks, &sources, &self.landmarks(&sources.starts, m), run.progress)?;
        let unit = seen.unit;
        run.lap("landmarks");
        let (product, share) = seen
            .gram(&maps.blocks, self.method.psd, |b, trace| negative_share(b, trace, self.method.random_state, run.progress))?;
        run.lap("spectrum");
        let found = maps.solve(&*product, self.method, run.progress)?;
        run.lap("eigenvectors");
        maps.fitted(self, found, unit, (sources.scales.clone(), share), run)
    }

    fn rows(&self, run: &mut Run<'_>) -> Result2 {
        let joint = self.joint(run)?;
        let tau = Tau::new(&joint);
        let (n, seed) = (joint.n(), self.method.random_state);
        let share = negative_share(&tau, tau.trace(), seed, run.progress)?;
        run.lap("spectrum");
        let found = largest(&tau, &Whitening(vec![Whitener::Identity(n)]), self.method.n_components, seed, run.progress)?;
        run.lap("eigenvectors");
        let places = Places::new(self, &found, 1.0, run)?;
        // New rows are placed by their distances to landmarks, whose coordinates are known.
        let landmarks = self.landmarks(&joint.starts, if n <= ALL { n } else { FEWER });
        let table = joint.rows(&landmarks);
        let chosen = places.of(&landmarks);
        let placed = Placed { scales: joint.scales.clone(), unit: tau.unit, share, starts: joint.starts.clone() };
        placed.fitted(self, places, &landmarks, &chosen, &table, false, &found)
    }

    fn rows_by_landmarks(&self, m: usize, run: &mut Run<'_>) -> Result2 {
        let sources = self.sources(m, run)?;
        let landmarks = self.landmarks(&sources.starts, m);
        let table = sources.rows(&landmarks, run.progress)?;
        let largest_distance = table.as_slice().iter().fold(0.0f64, |a, d| a.max(*d));
        let unit = if largest_distance > 0.0 { largest_distance } else { 1.0 };
        run.lap("landmarks");
        let between = Mat::from_fn(landmarks.len(), landmarks.len(), |k, l| (table[(k, landmarks[l])] / unit).powi(2));
        let (b, _) = centred(&between);
        let seed = self.method.random_state;
        let share = negative_share(&b, (0..b.nrows()).map(|k| b[(k, k)]).sum(), seed, run.progress)?;
        run.lap("spectrum");
        let whitening = Whitening(vec![Whitener::Identity(landmarks.len())]);
        let found = largest(&b, &whitening, self.method.n_components, seed, run.progress)?;
        run.lap("eigenvectors");
        let n = sources.starts[self.datasets.len()];
        let places = Places::new(self, &found, n as f64 / landmarks.len() as f64, run)?;
        let chosen = places.vectors.clone();
        let placed = Placed { scales: sources.scales.clone(), unit, share, starts: sources.starts.clone() };
        placed.fitted(self, places, &landmarks, &chosen, &table, true, &found)
    }

    fn outcome(&self, found: &Solutions, (scales, share): (Vec<f64>, f64)) -> Outcome {
        let solved = steps::outcome_of(found.solver.clone(), found.residual, TOLERANCE, found.iterations);
        Outcome { scales: Some(scales), negative_share: Some(share), ..solved }
    }

    /// The number of solutions with a positive eigenvalue; adds a warning if there are fewer than requested.
    fn positive(&self, found: &Solutions, run: &mut Run<'_>) -> Result<usize> {
        let given = leading_positive(&found.values);
        if given == 0 {
            let problem = "all distances or all prepared rows are zero, so no direction separates the rows".into();
            return Err(Error::Numerical { what: "global alignment".into(), problem });
        }
        if given < self.method.n_components {
            run.warn(Warning::FewerComponents { asked: self.method.n_components, given, paired: false });
        }
        Ok(given)
    }
}
