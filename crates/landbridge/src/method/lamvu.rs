//! LAMVU, maximum variance unfolding with local approximation (Lamvu13 §3.2).

use crate::data::Sets;
use crate::data::known::for_distances;
use crate::data::offsets;
use crate::data::{Dataset, Known, Pairs, check_datasets};
use crate::error::{Error, Result};
use crate::geometry::distances::first_fault;
use crate::geometry::geodesic::{LengthGraph, distances_through};
use crate::geometry::local_weights::{local_weights, place, weights_of_distances};
use crate::geometry::neighbors::{Metric, Neighbors, Search, check_neighbors, neighbors_among, row_distance};
use crate::linalg::Matrix;
use crate::linalg::tall::{Tall, fix_signs};
use crate::linalg::whitening::{Whitener, Whitening};
use crate::method::clle::check_embed;
use crate::method::{fits, setters};
use crate::model::{Alignment, Fitted, LocalExtension, Mapping};
use crate::model::{Prediction, Predictor};
use crate::outcome::{Outcome, Status, Stopwatch, Warning};
use crate::params::check_components;
use crate::progress::Progress;
use crate::solve::pencil::largest;
use crate::solve::unfolding::{UnfoldingOptions, UnfoldingSolver, unfold};
use faer::Mat;
use serde::{Deserialize, Serialize};

/// What unfolding does with the distances of both datasets.
///
/// Departure: the printed program (equalities on the sum of geodesics) has no solution in practice; `Shrink` always has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Constraints {
    /// Sums of geodesics may shrink.
    #[default]
    Shrink,
    /// Direct distances, `d² = Σ_a (d_a / max d_a)²`, are kept.
    Direct,
    /// Sums of geodesics are kept, as printed (eq. 16 into eq. 7).
    Printed,
}

/// Labelled rows are unfolded as far as their distances in all datasets allow; the others lie between labelled neighbours.
///
/// 1. Geodesics between labelled rows over all rows of each dataset, divided by their maximum and added up (eq. 14–16;
///    scaling by the largest norm and centring change none of these numbers).
/// 2. Maximum variance unfolding of the sums on the graph of `n_neighbors` neighbours ([`crate::solve::unfolding`]); the
///    leading eigenvectors of K, times √λ, are the places of labelled rows.
/// 3. Unlabelled and new rows: the affine combination of `n_neighbors_embed` labelled neighbours (eq. 17, 18).
///
/// | parameter | default | purpose | range |
/// |---|---|---|---|
/// | `n_components` | required | dimension d of the joint space | 1 … labelled rows − 1 |
/// | `n_neighbors` | 10 | neighbours: geodesics, and the graph of unfolding | 1 … |
/// | `metric` | Euclidean | distance between rows of a dataset | |
/// | `constraints` | shrink | what unfolding does with distances | |
/// | `solver`, `n_functions` | auto, 20 | of unfolding | |
/// | `n_neighbors_embed` | 10, or all labelled rows | labelled neighbours of other rows (k_D) | 1 … labelled rows |
/// | `ridge` | 1e-3 | of local weights, in units of the trace of the local Gram matrix | > 0 |
/// | `n_neighbors_predict`, `predictor`, `known` | 10, residuals, stored | as in [`crate::method::Clle`] | |
///
/// More than two datasets: labelled are groups of rows with one in every dataset, and all distances are added up.
///
/// A row of several that correspond to one another counts once: the first of each dataset stands for the group.
///
/// ```
/// use landbridge::data::synthetic::SwissRolls;
/// use landbridge::method::Lamvu;
/// let rolls = SwissRolls::new(200).generate()?;
/// let alignment = Lamvu::new(2).n_neighbors(6).fit(&rolls.datasets, &rolls.pairs(40, 0)?)?;
/// assert_eq!(alignment.embedding(1).nrows(), 200);
/// # Ok::<(), landbridge::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Lamvu {
    n_components: usize,
    n_neighbors: usize,
    metric: Metric,
    search: Search,
    constraints: Constraints,
    solver: UnfoldingSolver,
    n_functions: usize,
    n_neighbors_embed: Option<usize>,
    #[serde(flatten)]
    prediction: Prediction,
    random_state: u64,
    #[serde(skip)]
    distances: Option<Vec<Matrix<f64>>>,
    #[serde(skip)]
    n_jobs: usize,
}

impl Lamvu {
    /// Into a space of that many dimensions.
    pub fn new(n_components: usize) -> Self {
        Self {
            n_components,
            n_neighbors: 10,
            metric: Metric::Euclidean,
            search: Search::Auto,
            constraints: Constraints::default(),
            solver: UnfoldingSolver::default(),
            n_functions: UnfoldingOptions::default().n_functions,
            n_neighbors_embed: None,
            prediction: Prediction::default(),
            random_state: 0,
            distances: None,
            n_jobs: 0,
        }
    }

    setters! {
        /// Neighbours: for geodesics, and on the graph of unfolding.
        n_neighbors: usize => n_neighbors;
        /// Distance between rows of a dataset.
        metric: Metric => metric;
        /// Exact or approximate neighbours.
        search: Search => search;
        /// What unfolding does with distances.
        constraints: Constraints => constraints;
        /// Which solver unfolds.
        solver: UnfoldingSolver => solver;
        /// Smooth functions of the Laplacian solver.
        n_functions: usize => n_functions;
        /// Labelled neighbours of other rows; 10, or all labelled rows where there are fewer, when `None`.
        n_neighbors_embed: Option<usize> => n_neighbors_embed;
        /// Ridge of local weights, in units of the trace of the local Gram matrix.
        ridge: f64 => prediction.ridge;
        /// Neighbours in the joint space when values are predicted locally.
        n_neighbors_predict: usize => prediction.n_neighbors_predict;
        /// How values of the other datasets are predicted.
        predictor: Predictor => prediction.predictor;
        /// Which entries are known.
        known: Known => prediction.known;
        /// Seed of everything random.
        random_state: u64 => random_state;
        /// Given distances between all rows of each dataset, instead of geodesics. New rows then have no place.
        distances: Option<Vec<Matrix<f64>>> => distances;
        /// Threads, 0 = all cores. Results never depend on it.
        n_jobs: usize => n_jobs;
    }

    fits!();

    fn check(&self, datasets: &[Dataset], pairs: &Pairs) -> Result<()> {
        check_datasets(datasets)?;
        check_components(self.n_components)?;
        self.prediction.check()?;
        if let Some(given) = &self.distances {
            check_distances(given, datasets)?;
        }
        datasets.iter().try_for_each(|d| check_neighbors(self.n_neighbors, d.name(), d.nrows()))?;
        pairs.check_for(datasets, "lamvu")
    }

    fn fit_steps(&self, datasets: &[Dataset], pairs: &Pairs, progress: &Progress) -> Result<Alignment> {
        self.check(datasets, pairs)?;
        let mut watch = Stopwatch::start();
        let mut warnings = vec![];
        let seen = for_distances(datasets, self.prediction.known, &mut warnings);
        let labelled = labelled_rows(datasets, pairs, &mut warnings)?;
        let count = labelled[0].len();
        if count <= self.n_components {
            return Err(Error::TooManyComponents {
                asked: self.n_components,
                available: count.saturating_sub(1),
                why: format!("{count} labelled row(s), those with a counterpart in every dataset, span at most that many"),
            });
        }
        check_neighbors(self.n_neighbors, "labelled rows", count)?;
        check_embed(self.n_neighbors_embed, count, "labelled rows")?;

        // eq. 14–16.
        let mut sum = Matrix::<f64>::zeros(count, count);
        for (a, (dataset, _)) in seen.iter().enumerate() {
            let own = self.between_labelled(a, dataset, &labelled[a], progress, &mut warnings)?;
            let most = own.as_slice().iter().fold(0.0f64, |m, v| m.max(*v));
            let scale = if most > 0.0 { 1.0 / most } else { 0.0 };
            for (s, v) in sum.as_mut_slice().iter_mut().zip(own.as_slice()) {
                *s += if self.constraints == Constraints::Direct { (v * scale).powi(2) } else { v * scale };
            }
        }
        if self.constraints == Constraints::Direct {
            sum.as_mut_slice().iter_mut().for_each(|v| *v = v.sqrt());
        }
        watch.lap("distances");
        let edges = self.edges(&sum, &mut warnings);
        let options = UnfoldingOptions {
            equality: self.constraints != Constraints::Shrink,
            solver: self.solver,
            n_functions: self.n_functions,
            ..UnfoldingOptions::default()
        };
        let unfolded = unfold(&sum, &edges, &options, progress)?; // eq. 7
        if unfolded.status != Status::Converged {
            warnings.push(Warning::Unfolded { gap: unfolded.gap, violation: unfolded.violation });
        }
        watch.lap("unfolding");
        let (places, values) = self.leading(&unfolded.kernel, &mut warnings, progress)?;
        watch.lap("eigenvectors");

        let k = self.n_neighbors_embed.unwrap_or(10.min(count));
        let mut fitted = vec![];
        for (a, (dataset, means)) in seen.into_iter().enumerate() {
            let embedding = self.embedding(a, &dataset, &labelled[a], &places, k, progress)?; // eq. 17, 18
            let mapping = match self.distances {
                Some(_) => Mapping::None,
                None => Mapping::Local(LocalExtension {
                    rows: dataset.shared_rows(),
                    n_neighbors: k,
                    metric: self.metric,
                    ridge: self.prediction.ridge,
                    among: Some(labelled[a].iter().map(|&i| i as u32).collect()),
                }),
            };
            fitted.push(Fitted { known_means: means, ..Fitted::new(&dataset, embedding, mapping) });
        }
        watch.lap("model");
        let outcome = Outcome {
            status: unfolded.status,
            residual: unfolded.gap.abs().max(unfolded.violation),
            tolerance: options.tolerance,
            iterations: unfolded.iterations,
            seconds: watch.finish(),
            warnings,
            ..Outcome::direct(format!("{}; gap {:.1e}, violation {:.1e}", unfolded.solver, unfolded.gap, unfolded.violation))
        };
        let params = serde_json::to_value(self).unwrap_or_default();
        let alignment = Alignment::new("lamvu", params, fitted, values, pairs.links().to_vec(), outcome);
        Ok(Alignment { prediction: Some(self.prediction.clone()), ..alignment })
    }

    /// Distances between the labelled rows of one dataset.
    fn between_labelled(
        &self,
        a: usize,
        dataset: &Dataset,
        labelled: &[usize],
        progress: &Progress,
        warnings: &mut Vec<Warning>,
    ) -> Result<Matrix<f64>> {
        let n = labelled.len();
        if let Some(given) = &self.distances {
            return Ok(Matrix::from_fn(n, n, |i, j| given[a][(labelled[i], labelled[j])]));
        }
        let rows = dataset.rows();
        if self.constraints == Constraints::Direct {
            let mut copies = Matrix::zeros(n, rows.ncols());
            labelled.iter().enumerate().for_each(|(to, &i)| rows.copy_row(i, copies.row_mut(to)));
            return Ok(Matrix::from_fn(
                n,
                n,
                |i, j| if i == j { 0.0 } else { row_distance(self.metric, copies.row(i), copies.row(j)) },
            ));
        }
        let graph = LengthGraph::new(rows, self.n_neighbors, self.metric, self.search, self.random_state, progress)?;
        if graph.joined > 0 {
            let (components, edges) = (graph.components, graph.joined);
            warnings.push(Warning::GraphJoined { dataset: dataset.name().into(), components, edges });
        }
        let from = Neighbors { k: 1, indices: labelled.iter().map(|&i| i as u32).collect(), distances: vec![0.0; n] };
        let paths = distances_through(&graph.lengths, &from, |d| labelled.iter().map(|&j| d[j]).collect::<Vec<f64>>());
        // A path adds up differently from its other end.
        Ok(Matrix::from_fn(n, n, |i, j| paths[i][j].min(paths[j][i])))
    }

    /// The neighbours among labelled rows, joined where they fall apart.
    fn edges(&self, distances: &Matrix<f64>, warnings: &mut Vec<Warning>) -> Vec<(u32, u32)> {
        let n = distances.nrows();
        let mut edges = vec![];
        for i in 0..n {
            let mut order: Vec<usize> = (0..n).filter(|&j| j != i).collect();
            order.sort_by(|&a, &b| distances[(i, a)].total_cmp(&distances[(i, b)]).then(a.cmp(&b)));
            edges.extend(order[..self.n_neighbors].iter().map(|&j| (i.min(j) as u32, i.max(j) as u32)));
        }
        edges.sort_unstable();
        edges.dedup();
        let mut sets = Sets::new(n);
        edges.iter().for_each(|e| sets.join(e.0 as usize, e.1 as usize));
        let (part, components) = sets.numbered();
        if components > 1 {
            let before = edges.len();
            for a in 0..components as u32 {
                for b in a + 1..components as u32 {
                    let between = (0..n).filter(|&i| part[i] == a).flat_map(|i| {
                        let part = &part;
                        (0..n).filter(move |&j| part[j] == b).map(move |j| (i, j))
                    });
                    let shortest = between.min_by(|x, y| distances[*x].total_cmp(&distances[*y]).then(x.cmp(y)));
                    edges.extend(shortest.map(|(i, j)| (i.min(j) as u32, i.max(j) as u32)));
                }
            }
            warnings.push(Warning::GraphJoined { dataset: "labelled rows".into(), components, edges: edges.len() - before });
        }
        edges
    }

    /// The leading eigenvectors of the kernel, times √λ.
    fn leading(&self, kernel: &Matrix<f64>, warnings: &mut Vec<Warning>, progress: &Progress) -> Result<(Matrix<f64>, Vec<f64>)> {
        let n = kernel.nrows();
        let matrix = Mat::from_fn(n, n, |i, j| kernel[(i, j)]);
        let found = largest(&matrix, &Whitening(vec![Whitener::Identity(n)]), self.n_components, self.random_state, progress)?;
        let top = found.values.first().copied().unwrap_or(0.0);
        let d = found.values.iter().take_while(|v| **v > 1e-9 * top && **v > 0.0).count();
        if d == 0 {
            return Err(Error::Numerical { what: "unfolding".into(), problem: "all labelled rows coincide".into() });
        }
        if d < self.n_components {
            warnings.push(Warning::FewerComponents { asked: self.n_components, given: d });
        }
        let mut vectors = Tall::zeros(n, d);
        for (to, from) in vectors.values.chunks_exact_mut(d).zip(found.vectors.values.chunks_exact(found.vectors.stride)) {
            to.iter_mut().zip(from.iter().zip(&found.values)).for_each(|(t, (v, value))| *t = v * value.sqrt());
        }
        fix_signs(&mut vectors);
        Ok((Matrix::from_vec(vectors.values, n, d)?, found.values[..d].to_vec()))
    }

    /// Labelled rows at their places, the others between labelled neighbours.
    fn embedding(
        &self,
        a: usize,
        dataset: &Dataset,
        labelled: &[usize],
        places: &Matrix<f64>,
        k: usize,
        progress: &Progress,
    ) -> Result<Matrix<f64>> {
        let mut out = Matrix::zeros(dataset.nrows(), places.ncols());
        let mut is_labelled = vec![false; dataset.nrows()];
        for (l, &i) in labelled.iter().enumerate() {
            out.row_mut(i).copy_from_slice(places.row(l));
            is_labelled[i] = true;
        }
        let others: Vec<usize> = (0..dataset.nrows()).filter(|&i| !is_labelled[i]).collect();
        if others.is_empty() {
            return Ok(out);
        }
        let placed = match &self.distances {
            Some(given) => {
                let (found, weights) = weights_of_distances(&given[a], &others, labelled, k, self.prediction.ridge)?;
                place(&found, &weights, places)
            }
            None => {
                let (query, reference) = (dataset.rows().select(&others), dataset.rows().select(labelled));
                let found = neighbors_among(&query, &reference, k, self.metric, progress)?;
                let weights = local_weights(&query, &reference, &found, self.prediction.ridge)?;
                place(&found, &weights, places)
            }
        };
        others.iter().enumerate().for_each(|(from, &i)| out.row_mut(i).copy_from_slice(placed.row(from)));
        Ok(out)
    }
}

/// For each dataset the labelled rows: the first row of every group that has one in each dataset.
fn labelled_rows(datasets: &[Dataset], pairs: &Pairs, warnings: &mut Vec<Warning>) -> Result<Vec<Vec<usize>>> {
    let starts = offsets(datasets.iter().map(Dataset::nrows));
    let (group, count) = pairs.groups(&starts);
    let mut members = vec![vec![None; datasets.len()]; count];
    for a in 0..datasets.len() {
        for i in (0..datasets[a].nrows()).rev() {
            members[group[starts[a] + i] as usize][a] = Some(i);
        }
    }
    let present = |m: &[Option<usize>]| m.iter().flatten().count();
    let partial = members.iter().filter(|m| present(m) > 1 && present(m) < datasets.len()).count();
    if partial > 0 {
        warnings.push(Warning::PartialPairs { count: partial });
    }
    let whole: Vec<Vec<usize>> =
        members.iter().filter(|m| present(m) == datasets.len()).map(|m| m.iter().flatten().copied().collect()).collect();
    if whole.is_empty() {
        return Err(Error::NoPairs { method: "lamvu (a pair must have a row in every dataset)".into() });
    }
    Ok((0..datasets.len()).map(|a| whole.iter().map(|m| m[a]).collect()).collect())
}

fn check_distances(given: &[Matrix<f64>], datasets: &[Dataset]) -> Result<()> {
    if given.len() != datasets.len() {
        let expected = format!("one per dataset ({})", datasets.len());
        return Err(Error::parameter("distances", format!("{} matrices", given.len()), &expected));
    }
    for (matrix, dataset) in given.iter().zip(datasets) {
        let n = dataset.nrows();
        if matrix.nrows() != n || matrix.ncols() != n {
            return Err(Error::Shape {
                what: format!("distances of dataset \"{}\"", dataset.name()),
                expected: format!("{n} x {n}"),
                got: format!("{} x {}", matrix.nrows(), matrix.ncols()),
            });
        }
        if let Some((i, j, _)) = first_fault(matrix) {
            return Err(Error::BadGraph {
                dataset: dataset.name().into(),
                problem: format!(
                    "distance ({i}, {j}) is {}; distances are symmetric, finite, not negative, and 0 from a row to itself",
                    matrix[(i, j)]
                ),
            });
        }
    }
    Ok(())
}
