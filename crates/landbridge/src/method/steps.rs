//! Steps that several methods share.

use crate::data::prepare::{Prepared, to_unit, warn_of_rows};
use crate::data::{Dataset, Pairs, Preparation, Prepare};
use crate::error::Result;
use crate::geometry::components::connected_components;
use crate::geometry::graphs::GraphParams;
use crate::linalg::tall::{Tall, fix_signs, product};
use crate::linalg::{Csr, Matrix};
use crate::model::{Fitted, LinearMap, Mapping};
use crate::outcome::{Outcome, Status, Warning};
use crate::problem::feature::{Basis, Blocks};
use crate::problem::joint::{Joint, JointWeights, check_weights};
use crate::progress::Progress;
use crate::run::Run;
use crate::solve::svd::by_blocks;
use faer::Mat;
use std::sync::Arc;

/// The preprocessing of each dataset, fitted to its rows. Fits that share results compute it once.
pub(super) fn fitted_preparations(prepare: Prepare, datasets: &[Dataset], progress: &Progress) -> Result<Vec<Preparation>> {
    let one = |(d, prepare): (&Dataset, Prepare)| {
        let name = || format!("preparation {prepare:?}");
        progress.once(&[d.address()], name, || Preparation::of(prepare, d))
    };
    let addresses: Vec<usize> = datasets.iter().map(Dataset::address).collect();
    let words = progress.once(&addresses, || format!("words for {prepare:?}"), || Ok(prepare.for_each(datasets)))?;
    datasets.iter().zip(words.iter().copied()).map(|d| one(d).map(Arc::unwrap_or_clone)).collect()
}

/// Adds what there is to say about the rows. Fits that share results look once.
pub(super) fn warn_of(datasets: &[Dataset], prepare: Prepare, run: &mut Run<'_>) -> Result<()> {
    let addresses: Vec<usize> = datasets.iter().map(Dataset::address).collect();
    let found = run.progress.once(
        &addresses,
        || format!("warnings of {prepare:?}"),
        || {
            let mut warnings = vec![];
            warn_of_rows(datasets, prepare, &mut warnings);
            Ok(warnings)
        },
    )?;
    run.warnings.extend(found.iter().cloned());
    Ok(())
}

/// Principal directions that cells are reduced to, where the caller names no number.
pub(super) const CELL_DIRECTIONS: usize = 50;

/// A dataset along its leading principal directions, from all of its rows.
pub(super) struct Coordinates {
    /// Orthonormal columns, one per direction.
    pub(super) directions: Tall,
    /// The prepared rows along them.
    pub(super) rows: Tall,
}

impl Coordinates {
    /// The chosen rows along the first `count` directions.
    pub(crate) fn select(&self, rows: impl Iterator<Item = usize>, count: usize) -> Tall {
        let (from, to) = (self.rows.stride, self.rows.stride.min(count));
        Tall { values: rows.flat_map(|i| &self.rows.values[i * from..i * from + to]).copied().collect(), stride: to }
    }
    /// The first `count` directions.
    pub(super) fn basis(&self, count: usize) -> Basis {
        let (from, to) = (self.directions.stride, self.directions.stride.min(count));
        let values = self.directions.values.chunks_exact(from).flat_map(|row| &row[..to]).copied().collect();
        Basis::Rows(Tall { values, stride: to })
    }
}

/// The principal coordinates of each dataset, from all of its rows: rows without a pair tell signal from noise too. Fits that
/// share results compute them once.
pub(super) fn principal_coordinates(
    datasets: &[Dataset],
    preparations: &[Preparation],
    count: usize,
    seed: u64,
    progress: &Progress,
) -> Result<Vec<Arc<Coordinates>>> {
    // Fits with fewer directions share those of more.
    let shared = count.next_multiple_of(CELL_DIRECTIONS);
    let one = |(d, p): (&Dataset, &Preparation)| {
        let name = || format!("{shared} principal directions {:?}, seed {seed}", p.prepare());
        progress.once(&[d.address()], name, || {
            let x = p.apply(d.rows());
            let mut directions = by_blocks(&x, shared.min(x.ncols()).min(x.nrows()), seed, progress)?.right;
            fix_signs(&mut directions);
            let rows = x.times(&directions);
            Ok(Coordinates { directions, rows })
        })
    };
    datasets.iter().zip(preparations).map(one).collect()
}

/// As `fitted_preparations`, as a step of a fit with maps.
pub(super) fn preparations(prepare: Prepare, datasets: &[Dataset], run: &mut Run<'_>) -> Result<Vec<Preparation>> {
    run.step("preparation", |run| {
        warn_of(datasets, prepare, run)?;
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
    (coordinates, unit): (Option<&[Arc<Coordinates>]>, bool),
) -> Vec<Fitted> {
    let sides = datasets.iter().zip(preparations).enumerate();
    let fitted = sides.map(|(a, (dataset, preparation))| {
        let all = blocks.map_of(vectors, a);
        let short = if all.ncols() == kept { all } else { Matrix::from_fn(all.nrows(), kept, |i, j| all[(i, j)]) };
        // The rows along the principal directions are known already.
        let placed = coordinates.map(|c| {
            let weight = |j: usize| weights.map_or(1.0, |w| w[j]);
            let turn = Mat::from_fn(short.nrows(), kept, |i, j| short[(i, j)] * weight(j));
            let rows = product(&c[a].select(0..dataset.nrows(), short.nrows()), turn.as_ref());
            Matrix::from_fn(dataset.nrows(), kept, |i, j| rows.values[i * kept + j])
        });
        let map = LinearMap { unit, ..LinearMap::new(preparation, bases[a].expand(short), weights.cloned()) };
        let rows = match placed {
            Some(mut rows) => {
                (0..if unit { rows.nrows() } else { 0 }).for_each(|i| to_unit(rows.row_mut(i)));
                rows
            }
            None => map.transform(dataset.rows()),
        };
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
