//! Locality-preserving projections.

use super::laplacian::graph_of;
use super::{Embedding, check_found};
use crate::builder::{graph_setters, setters};
use crate::data::prepare::warn_of_rows;
use crate::data::{Dataset, Preparation, Prepare};
use crate::error::Result;
use crate::geometry::components::connected_components;
use crate::geometry::graphs::GraphParams;
use crate::linalg::tall::fix_signs;
use crate::model::{LinearMap, Mapping};
use crate::outcome::{Outcome, Status, Stopwatch, Warning};
use crate::params::check_ridge;
use crate::problem::feature::{Blocks, MassProduct, reduce_to_row_space};
use crate::problem::joint::check_weights;
use crate::progress::Progress;
use crate::solve::pencil::{self, TOLERANCE};
use serde::{Deserialize, Serialize};

/// Laplacian eigenmaps restricted to linear maps: the d smallest non-zero solutions of `X'LX f = λ X'DX f` on the
/// neighbour graph, `z = prepared(x) F`.
///
/// | parameter | default | purpose | range |
/// |---|---|---|---|
/// | `n_components` | required | dimensions | 1 … |
/// | `ridge` | 0 | on the left-hand side, in units of the mean diagonal of `X'DX` | ≥ 0 |
/// | `prepare` | centre | what is done to rows first | |
/// | `n_neighbors`, `metric`, `weights`, `heat_width` | 10, Euclidean, heat | graph of the scaled rows | |
///
/// Dependent columns: solved on the range of `X'DX`, and the outcome says its rank.
///
/// ```
/// use landbridge::data::synthetic::SwissRolls;
/// use landbridge::embed::Lpp;
/// let rolls = SwissRolls::new(200).generate()?;
/// let embedding = Lpp::new(2).fit(&rolls.datasets[0])?;
/// assert!(embedding.eigenvalues()[0] <= embedding.eigenvalues()[1]);
/// # Ok::<(), landbridge::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Lpp {
    n_components: usize,
    ridge: f64,
    prepare: Prepare,
    #[serde(flatten)]
    pub(super) graph: GraphParams,
    #[serde(skip)]
    pub(super) n_jobs: usize,
}

impl Lpp {
    /// That many dimensions.
    pub fn new(n_components: usize) -> Self {
        Self { n_components, ridge: 0.0, prepare: Prepare::Center, graph: GraphParams::default(), n_jobs: 0 }
    }
    graph_setters!();
    setters! {
        /// Ridge, in units of the mean diagonal of `X'DX`.
        ridge: f64 => ridge;
        /// What is done to the rows first.
        prepare: Prepare => prepare;
        /// Threads, 0 = all cores. Results never depend on it.
        n_jobs: usize => n_jobs;
    }
    pub(super) fn fit_steps(&self, dataset: &Dataset, progress: &Progress) -> Result<Embedding> {
        check_ridge(Some(self.ridge))?;
        let mut watch = Stopwatch::start();
        let mut warnings = vec![];
        warn_of_rows(std::slice::from_ref(dataset), self.prepare, &mut warnings);
        let preparation = Preparation::fit(self.prepare, dataset.rows());
        let scaled = preparation.scaled(dataset)?;
        let (weights, _) = graph_of(&scaled, &self.graph, self.n_components, TOLERANCE, progress, &mut warnings)?;
        let degree = weights.row_sums();
        check_weights(&degree, None)?;
        let components = connected_components(&weights).1;
        if components > 1 {
            warnings.push(Warning::GraphInParts { dataset: dataset.name().into(), components });
        }
        watch.lap("graph");

        progress.step("matrices", 0, 0)?;
        let full = Blocks::new(vec![preparation.apply(dataset.rows())]);
        let ridge = self.ridge * full.mean_diagonal(0, &degree);
        let (blocks, bases) = reduce_to_row_space(full)?;
        let mut left = blocks.laplacian(&degree, &weights); // X'LX
        (0..left.nrows()).for_each(|i| left[(i, i)] += ridge);
        let product = MassProduct { blocks: &blocks, mass: &degree, ridge: None };
        watch.lap("matrices");
        let seed = self.graph.random_state;
        let mut found = if ridge > 0.0 {
            pencil::smallest_definite(left, &product, self.n_components, seed, progress)?
        } else {
            pencil::smallest_nonzero(left, vec![blocks.mass(0, &degree)], &product, self.n_components, seed, progress)?
        };
        watch.lap("eigenvectors");
        check_found(dataset, self.n_components, found.values.len(), &mut warnings)?;
        if let Some(rank) = found.rank.filter(|r| *r < dataset.ncols()) {
            warnings.push(Warning::RankDeficient { rank, features: dataset.ncols() });
        }
        fix_signs(&mut found.vectors);
        let map = LinearMap::new(preparation, bases[0].expand(blocks.map_of(&found.vectors, 0)), None);
        let coordinates = map.transform(dataset.rows());
        watch.lap("model");
        let outcome = Outcome {
            status: if found.residual <= 10.0 * TOLERANCE { Status::Converged } else { Status::ReducedAccuracy },
            residual: found.residual,
            tolerance: TOLERANCE,
            iterations: found.iterations,
            zero_solutions: found.zero_solutions,
            components,
            rank: found.rank,
            ridge: (ridge > 0.0).then(|| vec![(ridge / blocks.scales[0] / blocks.scales[0]).min(f64::MAX)]),
            seconds: watch.finish(),
            warnings,
            ..Outcome::direct(found.solver)
        };
        Ok(Embedding::new(&self.clone().into(), dataset, coordinates, Mapping::Linear(map), found.values, outcome))
    }
}
