//! LAMVU, maximum variance unfolding with local approximation (Lamvu13 §3.2).

use crate::data::Sets;
use crate::data::known::for_distances;
use crate::data::offsets;
use crate::data::{Dataset, Pairs};
use crate::error::{Error, Result};
use crate::geometry::distances::first_fault;
use crate::geometry::geodesic::{LengthGraph, distances_through};
use crate::geometry::graphs::{SearchParams, search_params_setters};
use crate::geometry::local_weights::{local_weights, place, weights_of_distances};
use crate::geometry::neighbors::{Neighbors, check_neighbors, neighbors_among, row_distance};
use crate::linalg::Matrix;
use crate::linalg::tall::{Tall, fix_signs};
use crate::linalg::whitening::{Whitener, Whitening};
use crate::method::clle::check_embed;
use crate::method::method;
use crate::model::{Alignment, Extras, Fitted, LocalExtension, Mapping};
use crate::model::{Prediction, prediction_setters};
use crate::outcome::{Outcome, Status, Warning};
use crate::params::{Threads, threads_setters};
use crate::progress::Progress;
use crate::run::Run;
use crate::solve::pencil::largest;
use crate::solve::unfolding::{UnfoldingOptions, UnfoldingSolver, unfold};
use faer::Mat;
use landbridge_derive::{Params, Words};

/// How unfolding treats the distances of the datasets.
///
/// Departure: the printed program (equalities on the sum of geodesics) has no solution in practice; `Shrink` always has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Words)]
#[non_exhaustive]
pub enum Constraints {
    /// Summed geodesic distances may shrink but not grow.
    #[default]
    Shrink,
    /// Straight distances, `d² = Σ_a (d_a / max d_a)²`, are preserved.
    Direct,
    /// Summed geodesic distances are preserved, as printed (eq. 16 into eq. 7).
    Printed,
}

/// Unfolds the paired rows as far as their distances in all datasets allow, and places the other rows between them.
///
/// 1. Compute the geodesic distances between the labelled (paired) rows of each dataset, over all its rows. Divide them by
///    their maximum and sum over the datasets (eq. 14–16). Scaling by the largest norm and centring do not change these
///    numbers.
/// 2. Apply maximum variance unfolding to the sums, on the graph of `n_neighbors` neighbours. The leading eigenvectors of the
///    kernel K, times √λ, are the coordinates of the labelled rows.
/// 3. Place each unlabelled or new row at the affine combination of its `n_neighbors_embed` labelled neighbours (eq. 17, 18).
///
/// With more than two datasets, a labelled group has a row in every dataset, and the sums run over all datasets. If several
/// rows of a dataset belong to one group, the first one represents it.
///
/// ```
/// use landbridge::data::synthetic::SwissRolls;
/// use landbridge::method::Lamvu;
/// let rolls = SwissRolls::new(200).generate()?;
/// let alignment = Lamvu::new(2).n_neighbors(6).fit(&rolls.datasets, &rolls.pairs(40, 0)?)?;
/// assert_eq!(alignment.embedding(1).nrows(), 200);
/// # Ok::<(), landbridge::Error>(())
/// ```
///
/// # Python
/// ```python
/// >>> import landbridge as lb
/// >>> rolls = lb.datasets.swiss_rolls(200)
/// >>> a = lb.LAMVU(2, n_neighbors=6).fit(rolls.datasets, rolls.pairs(40))
/// >>> a.embeddings_[1].shape
/// (200, 2)
/// ```
#[derive(Clone, Debug, PartialEq, Params)]
#[params(
    name = "lamvu",
    class = "LAMVU",
    family = "predicts",
    unpromised = [
        ("row_order", "where the optimum is nearly flat, unfoldings whose gap is 1e-8 differ by some thousandths of the largest distance"),
        ("contradictory_pairs", "paired rows are one row, so chains of pairs leave too few; such pairs are refused"),
        ("many_to_one", "paired rows are one row, so chains of pairs leave too few; such pairs are refused")
    ],
    paper = "Ham, Lee, Saul 2003; Hou, Nie, Wang, Yi, Zhang 2013",
    choose = "you want to predict the values of the other dataset (ratings), or two curved datasets share few certain pairs"
)]
pub struct Lamvu {
    /// Dimension of the joint space.
    #[param(min = 1, tune = "log 2 200")]
    n_components: usize,
    #[group]
    search: SearchParams,
    /// How unfolding treats the distances of the datasets.
    #[param(default = Constraints::Shrink)]
    constraints: Constraints,
    /// Solver for the unfolding of the paired rows.
    #[param(default = UnfoldingSolver::Auto)]
    solver: UnfoldingSolver,
    /// Number of Laplacian eigenvectors that the `laplacian` solver uses.
    #[param(default = 20, min = 1)]
    n_functions: usize,
    /// Number of neighbours (k_D) for rows placed after the fit. None: 10, or fewer if there are fewer.
    #[param(default = None, min = 1, heading = "Prediction")]
    n_neighbors_embed: Option<usize>,
    #[group]
    prediction: Prediction,
    /// Seed of everything random. The same seed gives the same result.
    #[param(default = 0, heading = "Running")]
    random_state: u64,
    /// Precomputed distances between all rows of each dataset, instead of geodesics.
    /// New rows cannot be placed then.
    #[param(default = None, unsaved)]
    distances: Option<Vec<Matrix<f64>>>,
    #[group]
    threads: Threads,
}

method!(Lamvu);

impl Lamvu {
    fn check(&self, datasets: &[Dataset], pairs: &Pairs) -> Result<()> {
        if let Some(given) = &self.distances {
            check_distances(given, datasets)?;
        }
        datasets.iter().try_for_each(|d| check_neighbors(self.search.n_neighbors, d.name(), d.nrows()))?;
        pairs.check_for(datasets, "lamvu")
    }

    fn fit_steps(&self, datasets: &[Dataset], pairs: &Pairs, run: &mut Run<'_>) -> Result<Alignment> {
        self.check(datasets, pairs)?;
        let seen = for_distances(datasets, self.prediction.known, &mut run.warnings);
        let labelled = labelled_rows(datasets, pairs, &mut run.warnings)?;
        let count = labelled[0].len();
        if count <= self.n_components {
            return Err(Error::TooManyComponents {
                asked: self.n_components,
                available: count.saturating_sub(1),
                why: format!(
                    "{}, those with a counterpart in every dataset, span at most that many",
                    crate::error::counted(count, "labelled row")
                ),
            });
        }
        check_neighbors(self.search.n_neighbors, "labelled rows", count)?;
        check_embed(self.n_neighbors_embed, count, "labelled rows")?;

        let sum = run.step("distances", |run| self.summed_distances(&seen, &labelled, run))?; // eq. 14–16
        let edges = self.edges(&sum, &mut run.warnings);
        let options = UnfoldingOptions {
            equality: self.constraints != Constraints::Shrink,
            solver: self.solver,
            n_functions: self.n_functions,
            ..UnfoldingOptions::default()
        };
        let unfolded = unfold(&sum, &edges, &options, run.progress)?; // eq. 7
        if unfolded.status != Status::Converged {
            run.warn(Warning::Unfolded { gap: unfolded.gap, violation: unfolded.violation });
        }
        run.lap("unfolding");
        let (places, values) = self.leading(&unfolded.kernel, &mut run.warnings, run.progress)?;
        run.lap("eigenvectors");

        let k = self.n_neighbors_embed.unwrap_or(10.min(count));
        let mut fitted = vec![];
        for (a, (dataset, means)) in seen.into_iter().enumerate() {
            let embedding = self.embedding(a, &dataset, &labelled[a], &places, k, run.progress)?; // eq. 17, 18
            let mapping = match self.distances {
                Some(_) => Mapping::None,
                None => Mapping::Local(LocalExtension {
                    rows: dataset.shared_rows(),
                    n_neighbors: k,
                    metric: self.search.metric,
                    ridge: self.prediction.ridge,
                    among: Some(labelled[a].iter().map(|&i| i as u32).collect()),
                }),
            };
            fitted.push(Fitted { known_means: means, ..Fitted::new(&dataset, embedding, mapping) });
        }
        run.lap("model");
        let outcome = Outcome {
            status: unfolded.status,
            residual: unfolded.gap.abs().max(unfolded.violation),
            tolerance: options.tolerance,
            iterations: unfolded.iterations,
            ..Outcome::direct(format!("{}; gap {:.1e}, violation {:.1e}", unfolded.solver, unfolded.gap, unfolded.violation))
        };
        let alignment = Alignment::of(fitted, values, outcome);
        Ok(Alignment { extras: Extras::prediction(&self.prediction), ..alignment })
    }

    /// Distances between labelled rows in each dataset, divided by their maximum and summed.
    fn summed_distances(
        &self,
        seen: &[(Dataset, Option<Vec<f64>>)],
        labelled: &[Vec<usize>],
        run: &mut Run<'_>,
    ) -> Result<Matrix<f64>> {
        let count = labelled[0].len();
        let mut sum = Matrix::<f64>::zeros(count, count);
        for (a, (dataset, _)) in seen.iter().enumerate() {
            let own = self.between_labelled(a, dataset, &labelled[a], run.progress, &mut run.warnings)?;
            let most = own.as_slice().iter().fold(0.0f64, |m, v| m.max(*v));
            let scale = if most > 0.0 { 1.0 / most } else { 0.0 };
            for (s, v) in sum.as_mut_slice().iter_mut().zip(own.as_slice()) {
                *s += if self.constraints == Constraints::Direct { (v * scale).powi(2) } else { v * scale };
            }
        }
        if self.constraints == Constraints::Direct {
            sum.as_mut_slice().iter_mut().for_each(|v| *v = v.sqrt());
        }
        Ok(sum)
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
            return Ok(Matrix::from_fn(n, n, |i, j| {
                if i == j { 0.0 } else { row_distance(self.search.metric, copies.row(i), copies.row(j)) }
            }));
        }
        let graph =
            LengthGraph::new(rows, self.search.n_neighbors, self.search.metric, self.search.search, self.random_state, progress)?;
        if graph.joined > 0 {
            let (components, edges) = (graph.components, graph.joined);
            warnings.push(Warning::GraphJoined { dataset: dataset.name().into(), components, edges });
        }
        let from = Neighbors { k: 1, indices: labelled.iter().map(|&i| i as u32).collect(), distances: vec![0.0; n] };
        let paths = distances_through(&graph.lengths, &from, |d| labelled.iter().map(|&j| d[j]).collect::<Vec<f64>>());
        // The rounded length of a path depends on the end it starts from.
        Ok(Matrix::from_fn(n, n, |i, j| paths[i][j].min(paths[j][i])))
    }

    /// The neighbour graph of the labelled rows. Its components are joined if there are several.
    fn edges(&self, distances: &Matrix<f64>, warnings: &mut Vec<Warning>) -> Vec<(u32, u32)> {
        let n = distances.nrows();
        let mut edges = vec![];
        for i in 0..n {
            let mut order: Vec<usize> = (0..n).filter(|&j| j != i).collect();
            order.sort_by(|&a, &b| distances[(i, a)].total_cmp(&distances[(i, b)]).then(a.cmp(&b)));
            edges.extend(order[..self.search.n_neighbors].iter().map(|&j| (i.min(j) as u32, i.max(j) as u32)));
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
            warnings.push(Warning::FewerComponents { asked: self.n_components, given: d, paired: true });
        }
        let mut vectors = Tall::zeros(n, d);
        for (to, from) in vectors.values.chunks_exact_mut(d).zip(found.vectors.values.chunks_exact(found.vectors.stride)) {
            to.iter_mut().zip(from.iter().zip(&found.values)).for_each(|(t, (v, value))| *t = v * value.sqrt());
        }
        fix_signs(&mut vectors);
        Ok((Matrix::from_vec(vectors.values, n, d)?, found.values[..d].to_vec()))
    }

    /// Labelled rows at their coordinates, the others between labelled neighbours.
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
                let found = neighbors_among(&query, &reference, k, self.search.metric, progress)?;
                let weights = local_weights(&query, &reference, &found, self.prediction.ridge)?;
                place(&found, &weights, places)
            }
        };
        others.iter().enumerate().for_each(|(from, &i)| out.row_mut(i).copy_from_slice(placed.row(from)));
        Ok(out)
    }
}

/// The labelled rows of each dataset: the first row of every group that has a row in each dataset.
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
