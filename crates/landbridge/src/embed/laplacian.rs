//! Laplacian eigenmaps.

use super::{Embedding, check_rows_of};
use crate::data::Dataset;
use crate::error::Result;
use crate::geometry::affinity::Kernel;
use crate::geometry::graphs::{GraphParams, graph_params_setters};
use crate::linalg::Csr;
use crate::model::{Mapping, NeighborExtension};
use crate::outcome::{Outcome, Status, Stopwatch, Warning};
use crate::params::{Threads, threads_setters};
use crate::problem::joint::check_weights;
use crate::problem::spectral::{LaplacianPencil, Mass};
use crate::progress::Progress;
use crate::solve::eigen::{EigenOptions, Eigenpairs, smallest_nonzero};
use landbridge_derive::Params;

/// Embeds one dataset so that neighbours are close: Laplacian eigenmaps.
///
/// The d smallest non-zero solutions of `L f = λ D f` on the neighbour graph, with `F'DF = I` (Procrustes08 §3 uses the
/// normalised Laplacian). A new row lies at the weighted mean of its neighbours.
///
/// A graph of several components has one zero solution per component. The method skips all of them, and the outcome warns.
///
/// ```
/// use landbridge::data::synthetic::SwissRolls;
/// use landbridge::embed::LaplacianEigenmaps;
/// let rolls = SwissRolls::new(200).generate()?;
/// let embedding = LaplacianEigenmaps::new(3).fit(&rolls.datasets[0])?;
/// assert!(embedding.eigenvalues()[0] > 0.0);
/// # Ok::<(), landbridge::Error>(())
/// ```
///
/// # Python
/// ```python
/// >>> import landbridge as lb
/// >>> X = lb.datasets.swiss_rolls(200).datasets[0]
/// >>> lb.LaplacianEigenmaps(2).fit_transform(X).shape
/// (200, 2)
/// ```
#[derive(Clone, Debug, PartialEq, Params)]
#[params(
    name = "laplacian",
    class = "LaplacianEigenmaps",
    family = "embedding",
    contradicts,
    choose = "neighbours should stay neighbours"
)]
pub struct LaplacianEigenmaps {
    /// Number of dimensions.
    #[param(min = 1, tune = "log 2 200")]
    n_components: usize,
    #[group]
    pub(super) graph: GraphParams,
    /// Constraint `F'DF = I` (normalised Laplacian); false: `F'F = I`.
    #[param(default = true, alias = "plain")]
    normalized: bool,
    /// Relative residual of the eigensolver.
    #[param(default = 1e-5, above = 0.0)]
    tolerance: f64,
    #[group]
    pub(super) threads: Threads,
}

impl LaplacianEigenmaps {
    fn contradiction_of(&self) -> Option<(&'static str, String)> {
        self.graph.ineffective()
    }
    pub(super) fn fit_steps(&self, dataset: &Dataset, progress: &Progress) -> Result<Embedding> {
        let mut watch = Stopwatch::start();
        let mut warnings = vec![];
        let mass = if self.normalized { Mass::Degree } else { Mass::Identity };
        let (weights, kernel) = graph_of(dataset, &self.graph, progress, &mut warnings)?;
        watch.lap("graph");
        let (solved, parts) =
            solve(dataset, &weights, mass, self.n_components, self.tolerance, self.graph.random_state, progress, &mut warnings)?;
        watch.lap("eigenvectors");
        let damping = solved.values.iter().map(|v| if self.normalized { 1.0 - v } else { 1.0 }).collect();
        let mapping = extension(dataset, kernel, damping, None);
        let outcome = outcome_of(&solved, self.tolerance, parts, watch, warnings);
        Ok(Embedding::new(&self.clone().into(), dataset, solved.vectors, mapping, solved.values, outcome))
    }
}

/// The graph of one dataset, after a check of the parameters.
pub(super) fn graph_of(
    dataset: &Dataset,
    params: &GraphParams,
    progress: &Progress,
    warnings: &mut Vec<Warning>,
) -> Result<(Csr, Option<Kernel>)> {
    check_rows_of(dataset)?;
    let one = std::slice::from_ref(dataset);
    params.check(one)?;
    let mut graphs = params.build(one, progress, warnings)?;
    let graph = graphs.remove(0);
    Ok((graph.weights, graph.kernel))
}

/// The smallest non-zero solutions on a graph, and its connected components.
#[allow(clippy::too_many_arguments)] // one line per piece of the problem; a struct would be built and taken apart again
pub(super) fn solve(
    dataset: &Dataset,
    weights: &Csr,
    mass: Mass,
    n_components: usize,
    tolerance: f64,
    seed: u64,
    progress: &Progress,
    warnings: &mut Vec<Warning>,
) -> Result<(Eigenpairs, usize)> {
    let pencil = LaplacianPencil::new(weights, mass);
    check_weights(&pencil.degree, None)?;
    if pencil.n_components > 1 {
        warnings.push(Warning::GraphInParts { dataset: dataset.name().into(), components: pencil.n_components });
    }
    let options = EigenOptions { tolerance, seed, ..EigenOptions::default() };
    let solved = smallest_nonzero(&pencil, n_components, &options, progress)?;
    if solved.status == Status::ReducedAccuracy {
        warnings.push(Warning::ReducedAccuracy { residual: solved.residual, tolerance });
    }
    Ok((solved, pencil.n_components))
}

pub(super) fn extension(dataset: &Dataset, kernel: Option<Kernel>, damping: Vec<f64>, row_factors: Option<Vec<f64>>) -> Mapping {
    match kernel {
        None => Mapping::None,
        Some(kernel) => Mapping::Neighbors(NeighborExtension { rows: dataset.shared_rows(), kernel, damping, row_factors }),
    }
}

pub(super) fn outcome_of(solved: &Eigenpairs, tolerance: f64, parts: usize, watch: Stopwatch, warnings: Vec<Warning>) -> Outcome {
    Outcome {
        status: solved.status,
        residual: solved.residual,
        tolerance,
        iterations: solved.iterations,
        zero_solutions: parts,
        components: parts,
        seconds: watch.finish(),
        warnings,
        ..Outcome::direct(solved.solver.clone())
    }
}
