//! Diffusion maps (Coifman and Lafon 2006).

use super::Embedding;
use super::laplacian::{extension, graph_of, outcome_of, solve};
use crate::data::Dataset;
use crate::error::Result;
use crate::geometry::graphs::{GraphParams, graph_params_setters};
use crate::linalg::Csr;
use crate::outcome::Stopwatch;
use crate::params::{Threads, threads_setters};
use crate::problem::spectral::Mass;
use crate::progress::Progress;
use landbridge_derive::Params;

/// Embeds one dataset so that distances are those of a random walk on its neighbour graph after `time` steps.
///
/// The coordinates are `κ^time ψ` for the d largest eigenvalues κ < 1 of `P = D⁻¹W`, with `Σ π ψ² = 1` and π the stationary
/// distribution of the walk. The reported eigenvalues are κ.
///
/// With `density` α, each edge is first divided by the α-th power of the degrees at both ends: 0 keeps the walk, 1 removes
/// the effect of the sampling density.
///
/// Departure: the walk runs on the neighbour graph, which has no loops, not on the full kernel matrix.
///
/// ```
/// use landbridge::data::synthetic::SwissRolls;
/// use landbridge::embed::DiffusionMap;
/// let rolls = SwissRolls::new(200).generate()?;
/// let embedding = DiffusionMap::new(3).time(4).fit(&rolls.datasets[0])?;
/// assert!(embedding.eigenvalues()[0] < 1.0);
/// # Ok::<(), landbridge::Error>(())
/// ```
///
/// # Python
/// ```python
/// >>> import landbridge as lb
/// >>> X = lb.datasets.swiss_rolls(200).datasets[0]
/// >>> lb.DiffusionMap(2, time=3).fit_transform(X).shape
/// (200, 2)
/// ```
#[derive(Clone, Debug, PartialEq, Params)]
#[params(
    name = "diffusion",
    class = "DiffusionMap",
    family = "embedding",
    contradicts,
    choose = "you want distances of a random walk on the data"
)]
pub struct DiffusionMap {
    /// Number of dimensions.
    #[param(min = 1, tune = "log 2 200")]
    n_components: usize,
    /// Number of steps of the random walk.
    #[param(default = 1)]
    time: u32,
    /// Exponent of the density normalisation: 0 keeps the walk, 1 removes the effect of the sampling density.
    #[param(default = 1.0, min = 0.0, max = 1.0)]
    density: f64,
    #[group]
    pub(super) graph: GraphParams,
    /// Relative residual of the eigensolver.
    #[param(default = 1e-5, above = 0.0)]
    tolerance: f64,
    #[group]
    pub(super) threads: Threads,
}

impl DiffusionMap {
    fn contradiction_of(&self) -> Option<(&'static str, String)> {
        self.graph.ineffective()
    }
    pub(super) fn fit_steps(&self, dataset: &Dataset, progress: &Progress) -> Result<Embedding> {
        let mut watch = Stopwatch::start();
        let mut warnings = vec![];
        let (mut weights, kernel) = graph_of(dataset, &self.graph, progress, &mut warnings)?;
        let mut factors = None;
        if self.density > 0.0 {
            let degree = weights.row_sums();
            let scale: Vec<f64> = degree.iter().map(|d| if *d > 0.0 { d.powf(-self.density) } else { 1.0 }).collect();
            divide(&mut weights, &scale);
            factors = Some(scale);
        }
        watch.lap("graph");
        // D⁻¹W ψ = κ ψ is L f = λ D f with κ = 1 − λ.
        let (mut solved, parts) = solve(
            dataset,
            &weights,
            Mass::Degree,
            self.n_components,
            self.tolerance,
            self.graph.random_state,
            progress,
            &mut warnings,
        )?;
        watch.lap("eigenvectors");
        let kappa: Vec<f64> = solved.values.iter().map(|v| 1.0 - v).collect();
        let total: f64 = weights.row_sums().iter().sum();
        let steps = i32::try_from(self.time).unwrap_or(i32::MAX);
        let lengths: Vec<f64> = kappa.iter().map(|k| k.powi(steps) * total.sqrt()).collect();
        for i in 0..solved.vectors.nrows() {
            solved.vectors.row_mut(i).iter_mut().zip(&lengths).for_each(|(v, s)| *v *= s);
        }
        let mapping = extension(dataset, kernel, kappa.clone(), factors);
        let outcome = outcome_of(&solved, self.tolerance, parts, watch, warnings);
        Ok(Embedding::new(&self.clone().into(), dataset, solved.vectors, mapping, kappa, outcome))
    }
}

/// `W_ij ← W_ij s_i s_j`.
fn divide(weights: &mut Csr, scale: &[f64]) {
    for i in 0..weights.nrows() {
        let range = weights.indptr()[i]..weights.indptr()[i + 1];
        for at in range {
            // Multiply the two scales first: both directions then give the same bits.
            let factor = scale[i] * scale[weights.indices()[at] as usize];
            weights.values_mut()[at] *= factor;
        }
    }
}
