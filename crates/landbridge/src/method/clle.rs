//! CLLE, correspondence locally linear embedding (Lamvu13 eq. 4, 9; Ham, Lee and Saul 2003).

use crate::data::known::for_distances;
use crate::data::{Dataset, Pairs};
use crate::error::{Error, Result};
use crate::geometry::graphs::{SearchParams, search_params_setters};
use crate::geometry::local_weights::local_weights;
use crate::geometry::neighbors::{Neighbors, check_neighbors, neighbors};
use crate::linalg::Matrix;
use crate::method::method;
use crate::model::{Alignment, Extras, Fitted, LocalExtension, Mapping};
use crate::model::{Prediction, prediction_setters};
use crate::outcome::{Outcome, Warning};
use crate::params::{Threads, threads_setters};
use crate::problem::reconstruction::Reconstruction;
use crate::problem::spectral::{LaplacianPencil, Mass};
use crate::run::Run;
use crate::solve::eigen::{EigenOptions, Eigenpairs, Solver, smallest_nonzero};
use landbridge_derive::Params;
use std::sync::Arc;

/// Aligns curved datasets so that corresponding rows coincide and each row keeps its local linear reconstruction.
///
/// `W_a` holds the weights that reconstruct each row of dataset a from its neighbours: they minimise `|x_i − Σ W_ij x_j|²`
/// with `Σ_j W_ij = 1`. The method merges corresponding rows into one node and minimises `Σ_a |F_a − W_a F_a|²` with `F'F =
/// I` over the nodes. The coordinates are the d smallest non-zero solutions of `M f = λ f`, M the sum of all `(I − W_a)'(I −
/// W_a)`.
///
/// Time: the neighbour search, one sparse Cholesky factorisation of M (little fill-in for data of few dimensions), and O(d)
/// solves. Memory: the factor. The N × N matrix is formed only if the data have many dimensions.
///
/// ```
/// use landbridge::data::synthetic::SwissRolls;
/// use landbridge::method::Clle;
/// let rolls = SwissRolls::new(200).generate()?;
/// let alignment = Clle::new(2).fit(&rolls.datasets, &rolls.pairs(30, 0)?)?;
/// assert_eq!(alignment.method(), "clle");
/// # Ok::<(), landbridge::Error>(())
/// ```
///
/// # Python
/// ```python
/// >>> import landbridge as lb
/// >>> rolls = lb.datasets.swiss_rolls(200)
/// >>> a = lb.CLLE(2).fit(rolls.datasets, rolls.pairs(40))
/// >>> a.embeddings_[0].shape
/// (200, 2)
/// >>> a.predict(rolls.datasets[0][:3], source=0, target=1).shape
/// (3, 3)
/// ```
#[derive(Clone, Debug, PartialEq, Params)]
#[params(
    name = "clle",
    class = "CLLE",
    family = "predicts",
    paper = "Ham, Lee, Saul 2003; Hou, Nie, Wang, Yi, Zhang 2013",
    choose = "you want to predict the values of the other dataset (ratings), or two curved datasets share few certain pairs"
)]
pub struct Clle {
    /// Dimension of the joint space.
    #[param(min = 1, tune = "log 2 200")]
    n_components: usize,
    #[group]
    search: SearchParams,
    /// Number of neighbours (k_D) for rows placed after the fit. None: `n_neighbors`.
    #[param(default = None, min = 1, heading = "Prediction")]
    n_neighbors_embed: Option<usize>,
    #[group]
    prediction: Prediction,
    /// Seed of everything random. The same seed gives the same result.
    #[param(default = 0, heading = "Running")]
    random_state: u64,
    #[group]
    threads: Threads,
    /// Speed options of the eigensolver.
    #[internal]
    eigen: Option<EigenOptions>,
}

/// Relative residual of the eigensolver: as accurate as a dense solver.
const TOLERANCE: f64 = 1e-10;
/// Up to this many nodes, a matrix without a Cholesky factor goes to a dense solver.
const DENSE_LIMIT: usize = 6000;

method!(Clle);

impl Clle {
    /// Speed options of the eigensolver. Tests use them to run the large-data path on small data.
    #[doc(hidden)]
    #[must_use]
    pub fn eigen_options(mut self, eigen: impl Into<Option<EigenOptions>>) -> Self {
        self.eigen = eigen.into();
        self
    }

    fn check(&self, datasets: &[Dataset], pairs: &Pairs) -> Result<()> {
        for dataset in datasets {
            let (name, rows) = (dataset.name(), dataset.nrows());
            check_neighbors(self.search.n_neighbors, name, rows)?;
            check_embed(self.n_neighbors_embed, rows, &format!("rows of dataset \"{name}\""))?;
        }
        pairs.check_for(datasets, "clle")
    }

    fn fit_steps(&self, datasets: &[Dataset], pairs: &Pairs, run: &mut Run<'_>) -> Result<Alignment> {
        self.check(datasets, pairs)?;
        let seen = for_distances(datasets, self.prediction.known, &mut run.warnings);
        let combinations = run.step("local weights", |run| self.combinations(&seen, run))?; // eq. 17 with its own neighbours
        let problem = run.step("matrix", |_| Ok(Reconstruction::new(&combinations, pairs)))?; // eq. 9: P_C = Q_C
        drop(combinations);
        let pencil = LaplacianPencil::new(&problem.graph, Mass::Identity);
        let components = pencil.n_components;
        run.warn_if(components > 1, || Warning::Disconnected { components });
        let options = self.eigen.unwrap_or(EigenOptions {
            solver: Solver::Factored,
            tolerance: TOLERANCE,
            max_iterations: 2000,
            seed: self.random_state,
            ..EigenOptions::default()
        });
        let solved = run.step("eigenvectors", |run| self.solve(&pencil, options, run))?;
        let energies = problem.energies(&solved.vectors);
        let mut order: Vec<usize> = (0..self.n_components).collect();
        order.sort_by(|&a, &b| energies[a].total_cmp(&energies[b]));
        let fitted = seen.into_iter().enumerate().map(|(a, (dataset, means))| {
            let embedding = Matrix::from_fn(dataset.nrows(), self.n_components, |i, c| {
                solved.vectors[(problem.node[problem.offsets[a] + i] as usize, order[c])]
            });
            let mapping = Mapping::Local(LocalExtension {
                rows: dataset.shared_rows(),
                n_neighbors: self.n_neighbors_embed.unwrap_or(self.search.n_neighbors),
                metric: self.search.metric,
                ridge: self.prediction.ridge,
                among: None,
            });
            Fitted { known_means: means, ..Fitted::new(&dataset, embedding, mapping) }
        });
        let fitted = run.step("model", |_| Ok(fitted.collect()))?;
        let outcome = Outcome {
            status: solved.status,
            residual: solved.residual,
            tolerance: options.tolerance,
            iterations: solved.iterations,
            zero_solutions: components,
            components,
            ..Outcome::direct(solved.solver)
        };
        let alignment = Alignment::of(fitted, order.iter().map(|&c| energies[c]).collect(), outcome);
        Ok(Alignment { extras: Extras::prediction(&self.prediction), ..alignment })
    }

    /// The neighbours of each row of each dataset, with their reconstruction weights.
    fn combinations(&self, seen: &[(Dataset, Option<Vec<f64>>)], run: &mut Run<'_>) -> Result<Vec<Combinations>> {
        let of = |dataset: &Dataset| {
            let rows = dataset.rows();
            let (search, ridge, seed) = (&self.search, self.prediction.ridge, self.random_state);
            let name = || format!("local weights {search:?}, ridge {ridge}, seed {seed}");
            run.progress.once(&[dataset.address()], name, || {
                let found = neighbors(rows, search.n_neighbors, search.metric, search.search, seed, run.progress)?;
                let weights = local_weights(rows, rows, &found, ridge)?;
                Ok((found, weights))
            })
        };
        seen.iter().map(|(dataset, _)| of(dataset)).collect()
    }

    /// The smallest non-zero solutions. A small matrix without a Cholesky factor goes to a dense solver.
    fn solve(&self, pencil: &LaplacianPencil, options: EigenOptions, run: &mut Run<'_>) -> Result<Eigenpairs> {
        match smallest_nonzero(pencil, self.n_components, &options, run.progress) {
            Err(Error::NotConverged { .. }) if pencil.n() <= DENSE_LIMIT => {
                let dense = EigenOptions { solver: Solver::Dense, ..options };
                smallest_nonzero(pencil, self.n_components, &dense, run.progress)
            }
            solved => solved,
        }
    }
}

/// The neighbours of each row of a dataset, with their reconstruction weights.
type Combinations = Arc<(Neighbors, Vec<f64>)>;

/// Checks `n_neighbors_embed` against the number of available rows.
pub(crate) fn check_embed(given: Option<usize>, available: usize, of: &str) -> Result<()> {
    match given {
        Some(k) if k == 0 || k > available => {
            Err(Error::parameter("n_neighbors_embed", k, &format!("between 1 and {available}, the number of {of}")))
        }
        _ => Ok(()),
    }
}
