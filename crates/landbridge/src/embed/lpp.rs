//! Locality-preserving projections.

use super::laplacian::graph_of;
use super::{Embedding, check_found};
use crate::data::prepare::warn_of_rows;
use crate::data::{Dataset, Preparation, Prepare};
use crate::error::Result;
use crate::geometry::components::connected_components;
use crate::geometry::graphs::{GraphParams, graph_params_setters};
use crate::linalg::tall::fix_signs;
use crate::model::{LinearMap, Mapping};
use crate::outcome::{Outcome, Status, Stopwatch, Warning};
use crate::params::{Threads, threads_setters};
use crate::problem::feature::{Blocks, MassProduct, reduce_to_row_space};
use crate::problem::joint::check_weights;
use crate::progress::Progress;
use crate::solve::pencil::{self, TOLERANCE};
use landbridge_derive::Params;

/// Embeds one dataset by a linear map that keeps neighbours close: Laplacian eigenmaps restricted to linear maps.
///
/// The d smallest non-zero solutions of `X'LX f = λ X'DX f` on the neighbour graph, `z = prepared(x) F`. If columns are
/// linearly dependent, the problem is solved on the range of `X'DX`, and the outcome reports its rank.
///
/// ```
/// use landbridge::data::synthetic::SwissRolls;
/// use landbridge::embed::Lpp;
/// let rolls = SwissRolls::new(200).generate()?;
/// let embedding = Lpp::new(2).fit(&rolls.datasets[0])?;
/// assert!(embedding.eigenvalues()[0] <= embedding.eigenvalues()[1]);
/// # Ok::<(), landbridge::Error>(())
/// ```
///
/// # Python
/// ```python
/// >>> import landbridge as lb
/// >>> X = lb.datasets.swiss_rolls(200).datasets[0]
/// >>> lb.LPP(2).fit(X).transform(X[:4]).shape
/// (4, 2)
/// ```
#[derive(Clone, Debug, PartialEq, Params)]
#[params(
    name = "lpp",
    class = "LPP",
    family = "linear_embedding",
    contradicts,
    choose = "neighbours should stay neighbours under a linear map"
)]
pub struct Lpp {
    /// Number of dimensions.
    #[param(min = 1, tune = "log 2 200")]
    n_components: usize,
    /// Ridge on the left-hand side, in units of the mean diagonal of `X'DX`.
    #[param(default = 0.0, min = 0.0)]
    ridge: f64,
    /// Preprocessing of the rows. It is fitted with the model, saved in it and applied to new rows.
    #[param(default = Prepare::Center, tune = "words center unit_center standardize tfidf_center")]
    prepare: Prepare,
    #[group]
    pub(super) graph: GraphParams,
    #[group]
    pub(super) threads: Threads,
}

impl Lpp {
    fn contradiction_of(&self) -> Option<(&'static str, String)> {
        self.graph.ineffective()
    }
    pub(super) fn fit_steps(&self, dataset: &Dataset, progress: &Progress) -> Result<Embedding> {
        let mut watch = Stopwatch::start();
        let mut warnings = vec![];
        warn_of_rows(std::slice::from_ref(dataset), self.prepare, &mut warnings);
        let preparation = Preparation::of(self.prepare, dataset)?;
        let scaled = preparation.scaled(dataset)?;
        let (weights, _) = graph_of(&scaled, &self.graph, progress, &mut warnings)?;
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
