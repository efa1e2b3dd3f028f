//! CLLE, correspondence locally linear embedding (Lamvu13 eq. 4, 9; Ham, Lee and Saul 2003).

use crate::data::known::for_distances;
use crate::data::{Dataset, Known, Pairs, check_datasets};
use crate::error::{Error, Result};
use crate::geometry::local_weights::local_weights;
use crate::geometry::neighbors::{Metric, Search, check_neighbors, neighbors};
use crate::linalg::Matrix;
use crate::method::{fits, setters};
use crate::model::{Alignment, Fitted, LocalExtension, Mapping};
use crate::model::{Prediction, Predictor};
use crate::outcome::{Outcome, Stopwatch, Warning};
use crate::params::check_components;
use crate::problem::reconstruction::Reconstruction;
use crate::problem::spectral::{LaplacianPencil, Mass};
use crate::progress::Progress;
use crate::solve::eigen::{EigenOptions, Solver, smallest_nonzero};
use serde::{Deserialize, Serialize};

/// Corresponding rows coincide, and every row is the combination of its neighbours that it was in its own dataset.
///
/// `W_a` holds the weights with which rows of dataset a combine to each other (`Σ_j W_ij = 1`, least `|x_i − Σ W_ij x_j|²`).
/// Minimises `Σ_a |F_a − W_a F_a|²` with corresponding rows merged to one node, `F'F = I` over the nodes: the d smallest
/// non-zero solutions of `M f = λ f`, M the sum of all `(I − W_a)'(I − W_a)`.
///
/// | parameter | default | purpose | range |
/// |---|---|---|---|
/// | `n_components` | required | dimension d of the joint space | 1 … nodes − components |
/// | `n_neighbors` | 10 | neighbours of each row | 1 … rows − 1 |
/// | `metric` | Euclidean | distance behind the neighbours | |
/// | `ridge` | 1e-3 | of local weights, in units of the trace of the local Gram matrix | > 0 |
/// | `n_neighbors_embed` | `n_neighbors` | neighbours of a new row (k_D) | 1 … rows |
/// | `n_neighbors_predict` | 10 | neighbours in the joint space of [`Predictor::Local`] (k_A) | 1 … rows |
/// | `predictor` | residuals | how values of the other datasets are predicted | |
/// | `known` | stored | which entries are known | |
///
/// Time: neighbours, one sparse Cholesky factorisation of M (little fill-in where the data have few dimensions), and O(d)
/// solves. Memory: the factor; never N × N unless the data have many dimensions.
///
/// ```
/// use landbridge::data::synthetic::SwissRolls;
/// use landbridge::method::Clle;
/// let rolls = SwissRolls::new(200).generate()?;
/// let alignment = Clle::new(2).fit(&rolls.datasets, &rolls.pairs(30, 0)?)?;
/// assert_eq!(alignment.method(), "clle");
/// # Ok::<(), landbridge::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Clle {
    n_components: usize,
    n_neighbors: usize,
    metric: Metric,
    search: Search,
    n_neighbors_embed: Option<usize>,
    #[serde(flatten)]
    prediction: Prediction,
    random_state: u64,
    #[serde(skip)]
    n_jobs: usize,
    #[serde(skip)]
    eigen: Option<EigenOptions>,
}

/// Relative residual of the eigensolver: eigenvectors as good as those of a dense solver.
const TOLERANCE: f64 = 1e-10;
/// Up to this many nodes a matrix that has no Cholesky factor is solved densely.
const DENSE_LIMIT: usize = 6000;

impl Clle {
    /// Into a space of that many dimensions.
    pub fn new(n_components: usize) -> Self {
        Self {
            n_components,
            n_neighbors: 10,
            metric: Metric::Euclidean,
            search: Search::Auto,
            n_neighbors_embed: None,
            prediction: Prediction::default(),
            random_state: 0,
            n_jobs: 0,
            eigen: None,
        }
    }

    setters! {
        /// Neighbours of each row.
        n_neighbors: usize => n_neighbors;
        /// Distance behind the neighbours.
        metric: Metric => metric;
        /// Exact or approximate neighbours.
        search: Search => search;
        /// Ridge of local weights, in units of the trace of the local Gram matrix.
        ridge: f64 => prediction.ridge;
        /// Neighbours of a new row; as many as fitted rows have when `None`.
        n_neighbors_embed: Option<usize> => n_neighbors_embed;
        /// Neighbours in the joint space when values are predicted locally.
        n_neighbors_predict: usize => prediction.n_neighbors_predict;
        /// How values of the other datasets are predicted.
        predictor: Predictor => prediction.predictor;
        /// Which entries are known.
        known: Known => prediction.known;
        /// Seed of everything random: approximate neighbours, start of the eigensolver.
        random_state: u64 => random_state;
        /// Threads, 0 = all cores. Results never depend on it.
        n_jobs: usize => n_jobs;
        /// Speed options of the eigensolver (tests walk the large-data path on small data with it).
        eigen_options: Option<EigenOptions> => eigen;
    }

    fits!();

    fn check(&self, datasets: &[Dataset], pairs: &Pairs) -> Result<()> {
        check_datasets(datasets)?;
        check_components(self.n_components)?;
        self.prediction.check()?;
        for dataset in datasets {
            let (name, rows) = (dataset.name(), dataset.nrows());
            check_neighbors(self.n_neighbors, name, rows)?;
            check_embed(self.n_neighbors_embed, rows, &format!("rows of dataset \"{name}\""))?;
        }
        pairs.check_for(datasets, "clle")
    }

    fn fit_steps(&self, datasets: &[Dataset], pairs: &Pairs, progress: &Progress) -> Result<Alignment> {
        self.check(datasets, pairs)?;
        let mut watch = Stopwatch::start();
        let mut warnings = vec![];
        let seen = for_distances(datasets, self.prediction.known, &mut warnings);
        let mut combinations = vec![];
        for (dataset, _) in &seen {
            let rows = dataset.rows();
            let found = neighbors(rows, self.n_neighbors, self.metric, self.search, self.random_state, progress)?;
            let weights = local_weights(rows, rows, &found, self.prediction.ridge)?; // eq. 17 with its own neighbours
            combinations.push((found, weights));
        }
        watch.lap("local weights");
        let problem = Reconstruction::new(&combinations, pairs); // eq. 9: P_C = Q_C
        drop(combinations);
        let pencil = LaplacianPencil::new(&problem.graph, Mass::Identity);
        if pencil.n_components > 1 {
            warnings.push(Warning::Disconnected { components: pencil.n_components });
        }
        watch.lap("matrix");
        let options = self.eigen.unwrap_or(EigenOptions {
            solver: Solver::Factored,
            tolerance: TOLERANCE,
            max_iterations: 2000,
            seed: self.random_state,
            ..EigenOptions::default()
        });
        let solved = match smallest_nonzero(&pencil, self.n_components, &options, progress) {
            Err(Error::NotConverged { .. }) if pencil.n() <= DENSE_LIMIT => {
                let dense = EigenOptions { solver: Solver::Dense, ..options };
                smallest_nonzero(&pencil, self.n_components, &dense, progress)?
            }
            solved => solved?,
        };
        watch.lap("eigenvectors");
        let energies = problem.energies(&solved.vectors);
        let mut order: Vec<usize> = (0..self.n_components).collect();
        order.sort_by(|&a, &b| energies[a].total_cmp(&energies[b]));
        let mut fitted = vec![];
        for (a, (dataset, means)) in seen.into_iter().enumerate() {
            let embedding = Matrix::from_fn(dataset.nrows(), self.n_components, |i, c| {
                solved.vectors[(problem.node[problem.offsets[a] + i] as usize, order[c])]
            });
            let mapping = Mapping::Local(LocalExtension {
                rows: dataset.shared_rows(),
                n_neighbors: self.n_neighbors_embed.unwrap_or(self.n_neighbors),
                metric: self.metric,
                ridge: self.prediction.ridge,
                among: None,
            });
            fitted.push(Fitted { known_means: means, ..Fitted::new(&dataset, embedding, mapping) });
        }
        watch.lap("model");
        let outcome = Outcome {
            status: solved.status,
            residual: solved.residual,
            tolerance: options.tolerance,
            iterations: solved.iterations,
            zero_solutions: pencil.n_components,
            components: pencil.n_components,
            seconds: watch.finish(),
            warnings,
            ..Outcome::direct(solved.solver)
        };
        let params = serde_json::to_value(self).unwrap_or_default();
        let values = order.iter().map(|&c| energies[c]).collect();
        let alignment = Alignment::new("clle", params, fitted, values, pairs.links().to_vec(), outcome);
        Ok(Alignment { prediction: Some(self.prediction.clone()), ..alignment })
    }
}

/// `n_neighbors_embed` within what there is.
pub(crate) fn check_embed(given: Option<usize>, available: usize, of: &str) -> Result<()> {
    match given {
        Some(k) if k == 0 || k > available => {
            Err(Error::parameter("n_neighbors_embed", k, &format!("between 1 and {available}, the number of {of}")))
        }
        _ => Ok(()),
    }
}
