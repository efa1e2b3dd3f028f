//! Steps that several methods share.

use crate::data::prepare::{to_unit, warn_of_rows};
use crate::data::prepared::Prepared;
use crate::data::{Batches, Dataset, Pairs, Preparation, Prepare};
use crate::error::Result;
use crate::evaluate::batch_mixing;
use crate::geometry::components::connected_components;
use crate::geometry::graphs::GraphParams;
use crate::geometry::neighbors::Metric;
use crate::linalg::tall::{Tall, fix_signs, gram, product};
use crate::linalg::whitening::symmetric_eigen;
use crate::linalg::{Csr, Matrix};
use crate::model::{BatchOffsets, Fitted, LinearMap, Mapping};
use crate::outcome::{BatchReport, Outcome, Status, Warning};
use crate::problem::feature::{Basis, Blocks};
use crate::problem::joint::{Joint, JointWeights, check_weights};
use crate::progress::Progress;
use crate::run::Run;
use crate::solve::svd::{WithinBatches, by_blocks};
use faer::Mat;
use std::sync::Arc;

/// The preprocessing of each dataset, fitted to its rows. Fits that share results compute it once.
pub(super) fn fitted_preparations(prepare: Prepare, datasets: &[Dataset], progress: &Progress) -> Result<Vec<Preparation>> {
    let one = |(d, prepare): (&Dataset, Prepare)| {
        let name = || format!("preparation {prepare:?}{}", of_batches(d));
        progress.once(&[d.address()], name, || Preparation::of(prepare, d))
    };
    let addresses: Vec<usize> = datasets.iter().map(Dataset::address).collect();
    let words = progress.once(&addresses, || format!("words for {prepare:?}"), || Ok(prepare.for_each(datasets)))?;
    datasets.iter().zip(words.iter().copied()).map(|d| one(d).map(Arc::unwrap_or_clone)).collect()
}

/// What tells the batches of a dataset from others of the same rows.
fn of_batches(dataset: &Dataset) -> String {
    dataset.batches().map_or_else(String::new, |b| format!(", batches {:x}", b.fingerprint()))
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
/// Principal directions that other rows with batches are reduced to.
const BATCH_DIRECTIONS: usize = 500;

/// How many principal directions the rows are reduced to, if they are: counts of cells, and rows with batches.
pub(super) fn directions_of(datasets: &[Dataset], preparations: &[Preparation], asked: Option<usize>) -> Option<usize> {
    let of_cells = preparations.iter().any(|p| p.prepare().of_cells());
    usual_directions(of_cells, datasets.iter().any(|d| d.batches().is_some()), asked)
}

/// [`directions_of`] rows of which it is known whether they are counts of cells, and whether they have batches.
pub(crate) fn usual_directions(of_cells: bool, batches: bool, asked: Option<usize>) -> Option<usize> {
    let usual = if of_cells { CELL_DIRECTIONS } else { BATCH_DIRECTIONS };
    (of_cells || batches).then(|| asked.unwrap_or(usual))
}

/// A dataset along its leading principal directions, from all of its rows.
pub(super) struct Coordinates {
    /// Orthonormal columns, one per direction.
    pub(super) directions: Tall,
    /// The prepared rows along them, less the means of their batches.
    pub(super) rows: Tall,
    /// The means of the batches along them, where there are batches.
    means: Option<BatchMeans>,
}

/// The means of the batches of a dataset.
struct BatchMeans {
    batches: Batches,
    /// Along the principal directions: a row per batch.
    along: Tall,
    /// Coordinates of the rest of each mean, which no direction holds: a row per batch.
    beyond: Tall,
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
        let name = || format!("{shared} principal directions {:?}, seed {seed}{}", p.prepare(), of_batches(d));
        progress.once(&[d.address()], name, || {
            let x = p.apply(d.rows());
            let count = shared.min(x.ncols()).min(x.nrows());
            let found = match d.batches() {
                Some(batches) => by_blocks(&WithinBatches { x: &x, batches }, count, seed, progress)?,
                None => by_blocks(&x, count, seed, progress)?,
            };
            let mut directions = found.right;
            fix_signs(&mut directions);
            let mut rows = x.times(&directions);
            let means = match d.batches() {
                Some(batches) => {
                    let along = batches.center(&mut rows);
                    Some(BatchMeans { batches: batches.clone(), beyond: beyond(&x, batches, &directions, &along)?, along })
                }
                None => None,
            };
            Ok(Coordinates { directions, rows, means })
        })
    };
    datasets.iter().zip(preparations).map(one).collect()
}

/// The prepared rows of cells along their leading principal directions, for those who compare cells before a fit. Fits that share results
/// compute them once, with those of the fit.
pub(crate) fn cell_coordinates(
    dataset: &Dataset,
    word: Prepare,
    count: usize,
    seed: u64,
    progress: &Progress,
) -> Result<Matrix<f64>> {
    let dataset = std::slice::from_ref(dataset);
    let preparations = fitted_preparations(word, dataset, progress)?;
    let found = principal_coordinates(dataset, &preparations, count, seed, progress)?;
    let rows = found[0].select(0..dataset[0].nrows(), count);
    Matrix::from_vec(rows.values, dataset[0].nrows(), rows.stride)
}

/// Coordinates of what the directions leave of the mean of each batch, such that distances between batches are kept.
fn beyond(x: &Prepared, batches: &Batches, directions: &Tall, along: &Tall) -> Result<Tall> {
    let count = batches.names().len();
    let sizes = batches.sizes();
    let mut indicator = Tall::zeros(x.nrows(), count);
    for (i, &b) in batches.of().iter().enumerate() {
        indicator.values[i * count + b as usize] = 1.0 / sizes[b as usize] as f64;
    }
    let means = x.transposed_times(&indicator); // p × batches
    // |m − V V'm|² and products alike: m'm less the products along V.
    let (whole, held) = (gram(&means, count, &means), &along.values);
    let product = |a: usize, b: usize| {
        let row = |c: usize| &held[c * along.stride..(c + 1) * along.stride];
        whole[(a, b)] - row(a).iter().zip(row(b)).map(|(u, v)| u * v).sum::<f64>()
    };
    debug_assert_eq!(directions.stride, along.stride);
    let (values, vectors) = symmetric_eigen(&Mat::from_fn(count, count, product))?;
    let values = (0..count * count).map(|at| vectors[(at / count, at % count)] * values[at % count].max(0.0).sqrt()).collect();
    Ok(Tall { values, stride: count })
}

/// Nearest rows that are looked at to see whether batches mix.
const MIXING_NEIGHBORS: usize = 30;
/// Rows that are looked at.
const MIXING_ROWS: usize = 2000;
/// Below this share of perfect mixing, batches share nearly no neighbourhood.
const SEPARATED: f64 = 0.02;
/// Rows below which the mean of a batch is mostly noise.
const FEW_ROWS: usize = 10;

/// Whether batches mix before and after, and what to warn of.
pub(super) fn look_at_batches(
    datasets: &[Dataset],
    coordinates: &[Arc<Coordinates>],
    fitted: &[Fitted],
    run: &mut Run<'_>,
) -> Result<Vec<BatchReport>> {
    let mut reports = vec![];
    for ((dataset, found), fitted) in datasets.iter().zip(coordinates).zip(fitted) {
        let Some(BatchMeans { batches, along, beyond }) = &found.means else { continue };
        let name = || dataset.name().to_string();
        let sizes = batches.sizes();
        let small: Vec<String> =
            batches.names().iter().zip(&sizes).filter(|(_, n)| **n < FEW_ROWS).map(|(name, _)| name.clone()).collect();
        run.warn_if(!small.is_empty(), || Warning::SmallBatches { dataset: name(), names: small });
        let confounded = dataset.labels().and_then(|labels| batches.confounded(labels));
        if let Some((one, other, overlap)) = &confounded {
            run.warn(Warning::Confounded { dataset: name(), one: one.clone(), other: other.clone(), overlap: *overlap });
        }
        if dataset.nrows() < 3 || batches.names().len() < 2 {
            continue;
        }
        let (width, more, of) = (found.rows.stride, beyond.stride, batches.of());
        let before = Matrix::from_fn(dataset.nrows(), width + more, |i, c| match c < width {
            true => found.rows.values[i * width + c] + along.values[of[i] as usize * width + c],
            false => beyond.values[of[i] as usize * more + c - width],
        });
        let k = MIXING_NEIGHBORS.min(dataset.nrows() - 1);
        let mixing = |z: &Matrix<f64>| batch_mixing(z, of, k, Metric::Euclidean, Some(MIXING_ROWS), run.progress);
        let (before, after) = (mixing(&before)?, mixing(fitted.embedding())?);
        let expected = before.expected;
        let apart = dataset.labels().is_none() && before.observed < SEPARATED * expected;
        run.warn_if(apart, || Warning::Separated { dataset: name(), observed: before.observed, expected });
        let (before, after) = (before.observed, after.observed);
        reports.push(BatchReport { dataset: name(), batches: batches.names().to_vec(), rows: sizes, k, before, after, expected });
    }
    Ok(reports)
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
        // The images of the means of batches.
        let batches = coordinates.and_then(|c| c[a].means.as_ref()).map(|means| {
            let (from, weight) = (means.along.stride, |j: usize| weights.map_or(1.0, |w| w[j]));
            let image = |b: usize, j: usize| {
                (0..short.nrows()).map(|i| means.along.values[b * from + i] * short[(i, j)]).sum::<f64>() * weight(j)
            };
            let names = means.batches.names().to_vec();
            BatchOffsets { offsets: Matrix::from_fn(names.len(), kept, image), names }
        });
        let map = LinearMap { unit, batches, ..LinearMap::new(preparation, bases[a].expand(short), weights.cloned()) };
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
