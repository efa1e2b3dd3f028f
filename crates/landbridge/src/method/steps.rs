//! Steps that several methods share.

use crate::data::prepare::{Prepared, warn_of_rows};
use crate::data::{Dataset, Pairs, Preparation, Prepare};
use crate::error::Result;
use crate::geometry::components::connected_components;
use crate::geometry::graphs::GraphParams;
use crate::linalg::tall::Tall;
use crate::linalg::{Csr, Matrix};
use crate::model::{Fitted, LinearMap, Mapping};
use crate::outcome::{Outcome, Status, Warning};
use crate::problem::feature::{Basis, Blocks};
use crate::problem::joint::{Joint, JointWeights, check_weights};
use crate::progress::Progress;
use crate::run::Run;
use std::sync::Arc;

/// The preprocessing of each dataset, fitted to its rows. Fits that share results compute it once.
pub(super) fn fitted_preparations(prepare: Prepare, datasets: &[Dataset], progress: &Progress) -> Result<Vec<Preparation>> {
    let name = || format!("preparation {prepare:?}");
    let one = |d: &Dataset| progress.once(&[d.address()], name, || Ok(Preparation::fit(prepare, d.rows())));
    datasets.iter().map(|d| one(d).map(Arc::unwrap_or_clone)).collect()
}

/// As `fitted_preparations`, as a step of a fit with maps.
pub(super) fn preparations(prepare: Prepare, datasets: &[Dataset], run: &mut Run<'_>) -> Result<Vec<Preparation>> {
    run.step("preparation", |run| {
        warn_of_rows(datasets, prepare, &mut run.warnings);
        fitted_preparations(prepare, datasets, run.progress)
    })
}

/// The datasets with scaled rows, as the neighbour search sees them: centring does not change distances.
pub(super) fn scaled(datasets: &[Dataset], preparations: &[Preparation], progress: &Progress) -> Result<Vec<Dataset>> {
    let one = |(dataset, preparation): (&Dataset, &Preparation)| {
        let name = || format!("scaled {:?}", preparation.prepare());
        let made = progress.once(&[dataset.address()], name, || preparation.scaled(dataset))?;
        // What is computed from scaled rows can be shared too.
        if let Some(memo) = progress.memo() {
            memo.learn(made.shared_rows());
        }
        Ok(Arc::unwrap_or_clone(made))
    };
    datasets.iter().zip(preparations).map(one).collect()
}

/// The neighbour graphs of the scaled rows.
pub(super) fn graphs_of_scaled(
    graph: &GraphParams,
    datasets: &[Dataset],
    preparations: &[Preparation],
    run: &mut Run<'_>,
) -> Result<Vec<crate::geometry::graphs::Graph>> {
    run.step("graphs", |run| {
        let scaled = scaled(datasets, preparations, run.progress)?;
        graph.build(&scaled, run.progress, &mut run.warnings)
    })
}

/// The joint graph with its degrees and its connected components.
pub(super) struct JointGraph {
    pub(super) joint: Joint,
    pub(super) degree: Vec<f64>,
    pub(super) components: usize,
}

/// Chapter11 fig. 5.4: the graphs of all datasets, joined by the pairs.
pub(super) fn joint_graph(weights: Vec<Csr>, pairs: &Pairs, strength: JointWeights, run: &mut Run<'_>) -> Result<JointGraph> {
    run.step("joint graph", |run| {
        let joint = Joint::new(&weights, pairs, strength);
        joint.warn(&mut run.warnings);
        let degree = joint.graph.row_sums();
        check_weights(&degree, Some(joint.mu_effective))?;
        let components = connected_components(&joint.graph).1;
        run.warn_if(components > 1, || Warning::Disconnected { components });
        Ok(JointGraph { joint, degree, components })
    })
}

/// The prepared rows of all datasets, as one block-diagonal matrix.
pub(super) fn prepared_blocks(datasets: &[Dataset], preparations: &[Preparation]) -> Blocks {
    let prepared: Vec<Prepared> = datasets.iter().zip(preparations).map(|(d, p)| p.apply(d.rows())).collect();
    Blocks::new(prepared)
}

/// A linear map per dataset, from the first `kept` columns of the solutions over all features.
pub(super) fn linear_maps(
    datasets: &[Dataset],
    preparations: Vec<Preparation>,
    blocks: &Blocks,
    bases: &[Basis],
    vectors: &Tall,
    kept: usize,
    weights: Option<&Vec<f64>>,
) -> Vec<Fitted> {
    let sides = datasets.iter().zip(preparations).enumerate();
    let fitted = sides.map(|(a, (dataset, preparation))| {
        let all = bases[a].expand(blocks.map_of(vectors, a));
        let own = if all.ncols() == kept { all } else { Matrix::from_fn(all.nrows(), kept, |i, j| all[(i, j)]) };
        let map = LinearMap::new(preparation, own, weights.cloned());
        let rows = map.transform(dataset.rows());
        Fitted::new(dataset, rows, Mapping::Linear(map))
    });
    fitted.collect()
}

/// The outcome of a solver with this tolerance.
pub(super) fn outcome_of(solver: String, residual: f64, tolerance: f64, iterations: usize) -> Outcome {
    // Assembling the solutions may add rounding errors up to ten times the tolerance.
    let status = if residual <= 10.0 * tolerance { Status::Converged } else { Status::ReducedAccuracy };
    Outcome { status, residual, tolerance, iterations, ..Outcome::direct(solver) }
}
