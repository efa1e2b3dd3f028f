//! Diffusion maps (Coifman and Lafon 2006).

use super::Embedding;
use super::laplacian::{extension, graph_of, outcome_of, solve};
use crate::builder::{graph_setters, setters};
use crate::data::Dataset;
use crate::error::{Error, Result};
use crate::geometry::graphs::GraphParams;
use crate::linalg::Csr;
use crate::outcome::Stopwatch;
use crate::problem::spectral::Mass;
use crate::progress::Progress;
use crate::solve::eigen::EigenOptions;
use serde::{Deserialize, Serialize};

/// Coordinates whose distances are those of a random walk on the neighbour graph after `time` steps: `κ^time ψ` for the d
/// largest eigenvalues κ < 1 of `P = D⁻¹W`, with `Σ π ψ² = 1`, π the walk's stationary distribution. Eigenvalues are κ.
///
/// With `density` α the graph is first divided by the α-th power of the degrees at both ends: 0 keeps the walk as it is,
/// 1 takes out how densely the data were sampled.
///
/// Departure: the walk lives on the neighbour graph, which has no loops, not on the full kernel matrix.
///
/// | parameter | default | purpose | range |
/// |---|---|---|---|
/// | `n_components` | required | dimensions | 1 … rows − components |
/// | `time` | 1 | steps of the walk | 0 … |
/// | `density` | 1 | α | 0 … 1 |
/// | `n_neighbors`, `metric`, `weights`, `heat_width` | 10, Euclidean, heat | the graph | |
/// | `tolerance` | 1e-5 | relative residual of the eigensolver | > 0 |
///
/// ```
/// use landbridge::data::synthetic::SwissRolls;
/// use landbridge::embed::DiffusionMap;
/// let rolls = SwissRolls::new(200).generate()?;
/// let embedding = DiffusionMap::new(3).time(4).fit(&rolls.datasets[0])?;
/// assert!(embedding.eigenvalues()[0] < 1.0);
/// # Ok::<(), landbridge::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DiffusionMap {
    n_components: usize,
    time: u32,
    density: f64,
    #[serde(flatten)]
    pub(super) graph: GraphParams,
    tolerance: f64,
    #[serde(skip)]
    pub(super) n_jobs: usize,
}

impl DiffusionMap {
    /// That many dimensions.
    pub fn new(n_components: usize) -> Self {
        let tolerance = EigenOptions::default().tolerance;
        Self { n_components, time: 1, density: 1.0, graph: GraphParams::default(), tolerance, n_jobs: 0 }
    }
    graph_setters!();
    setters! {
        /// Steps of the walk.
        time: u32 => time;
        /// Power of the degrees that is divided out first.
        density: f64 => density;
        /// Relative residual of the eigensolver.
        tolerance: f64 => tolerance;
        /// Threads, 0 = all cores. Results never depend on it.
        n_jobs: usize => n_jobs;
    }
    pub(super) fn fit_steps(&self, dataset: &Dataset, progress: &Progress) -> Result<Embedding> {
        if !(0.0..=1.0).contains(&self.density) {
            return Err(Error::parameter("density", self.density, "between 0 and 1"));
        }
        let mut watch = Stopwatch::start();
        let mut warnings = vec![];
        let (mut weights, kernel) = graph_of(dataset, &self.graph, self.n_components, self.tolerance, progress, &mut warnings)?;
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
            // The product of the scales first: both directions give the same bits.
            let factor = scale[i] * scale[weights.indices()[at] as usize];
            weights.values_mut()[at] *= factor;
        }
    }
}
