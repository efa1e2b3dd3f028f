//! Locally linear embedding (Roweis and Saul 2000).

use super::{Embedding, check_found, check_rows_of};
use crate::builder::setters;
use crate::data::Dataset;
use crate::data::Sets;
use crate::error::{Error, Result};
use crate::geometry::local_weights::local_weights;
use crate::geometry::neighbors::{Metric, Neighbors, Search, check_neighbors, neighbors};
use crate::linalg::Matrix;
use crate::linalg::operator::Product;
use crate::linalg::tall::{Tall, fix_signs};
use crate::model::{LocalExtension, Mapping};
use crate::outcome::{Outcome, Status, Stopwatch, Warning};
use crate::params::{check_components, check_positive};
use crate::progress::Progress;
use crate::solve::pencil::{TOLERANCE, smallest_definite};
use faer::Mat;
use serde::{Deserialize, Serialize};

/// Places that are the same affine combinations of their neighbours as the rows are: the d smallest non-zero eigenvectors
/// of `M = (I − W)'(I − W)`, `F'F = I`. New rows lie at the combination of their neighbours' places.
///
/// | parameter | default | purpose | range |
/// |---|---|---|---|
/// | `n_components` | required | dimensions | 1 … rows − components |
/// | `n_neighbors` | 10 | neighbours of each row | 1 … rows − 1 |
/// | `metric` | Euclidean | distance behind the neighbours | |
/// | `ridge` | 1e-3 | of the local weights, in units of the trace of the local Gram matrix | > 0 |
///
/// Time and memory: one Cholesky factorisation of a dense n × n matrix.
///
/// ```
/// use landbridge::data::synthetic::SwissRolls;
/// use landbridge::embed::LocallyLinear;
/// let rolls = SwissRolls::new(200).generate()?;
/// let embedding = LocallyLinear::new(2).fit(&rolls.datasets[0])?;
/// assert_eq!(embedding.coordinates().ncols(), 2);
/// # Ok::<(), landbridge::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LocallyLinear {
    n_components: usize,
    n_neighbors: usize,
    metric: Metric,
    ridge: f64,
    search: Search,
    random_state: u64,
    #[serde(skip)]
    pub(super) n_jobs: usize,
}

/// The identity, as an operator.
struct Identity(usize);

impl Product for Identity {
    fn n(&self) -> usize {
        self.0
    }
    fn product(&self, x: &Tall) -> Tall {
        x.clone()
    }
}

impl LocallyLinear {
    /// That many dimensions.
    pub fn new(n_components: usize) -> Self {
        Self {
            n_components,
            n_neighbors: 10,
            metric: Metric::Euclidean,
            ridge: 1e-3,
            search: Search::Auto,
            random_state: 0,
            n_jobs: 0,
        }
    }
    setters! {
        /// Neighbours of each row.
        n_neighbors: usize => n_neighbors;
        /// Distance behind the neighbours.
        metric: Metric => metric;
        /// Ridge of the local weights.
        ridge: f64 => ridge;
        /// Exact or approximate neighbours.
        search: Search => search;
        /// Seed of everything random.
        random_state: u64 => random_state;
        /// Threads, 0 = all cores. Results never depend on it.
        n_jobs: usize => n_jobs;
    }

    pub(super) fn fit_steps(&self, dataset: &Dataset, progress: &Progress) -> Result<Embedding> {
        check_rows_of(dataset)?;
        check_components(self.n_components)?;
        check_positive("ridge", self.ridge)?;
        let (n, name) = (dataset.nrows(), || dataset.name().to_string());
        check_neighbors(self.n_neighbors, dataset.name(), n)?;
        let mut watch = Stopwatch::start();
        let mut warnings = vec![];
        let found = neighbors(dataset.rows(), self.n_neighbors, self.metric, self.search, self.random_state, progress)?;
        let weights = local_weights(dataset.rows(), dataset.rows(), &found, self.ridge)?;
        let (part, components) = parts(&found);
        if components > 1 {
            warnings.push(Warning::GraphInParts { dataset: name(), components });
        }
        if self.n_components > n - components {
            return Err(Error::TooManyComponents {
                asked: self.n_components,
                available: n - components,
                why: format!("{n} rows in {components} connected component(s) have that many non-zero solutions"),
            });
        }
        watch.lap("local weights");
        let matrix = alignment_matrix(&found, &weights, &part, components);
        watch.lap("matrix");
        let mut solved = smallest_definite(matrix, &Identity(n), self.n_components, self.random_state, progress)?;
        check_found(dataset, self.n_components, solved.values.len(), &mut warnings)?;
        fix_signs(&mut solved.vectors);
        watch.lap("eigenvectors");
        let d = solved.values.len();
        let coordinates = Matrix::from_vec(solved.vectors.values, n, d)?;
        let mapping = Mapping::Local(LocalExtension {
            rows: dataset.shared_rows(),
            n_neighbors: self.n_neighbors,
            metric: self.metric,
            ridge: self.ridge,
            among: None,
        });
        let outcome = Outcome {
            status: if solved.residual <= 10.0 * TOLERANCE { Status::Converged } else { Status::ReducedAccuracy },
            residual: solved.residual,
            tolerance: TOLERANCE,
            iterations: solved.iterations,
            zero_solutions: components,
            components,
            seconds: watch.finish(),
            warnings,
            ..Outcome::direct(solved.solver)
        };
        Ok(Embedding::new(&self.clone().into(), dataset, coordinates, mapping, solved.values, outcome))
    }
}

/// Connected components of the neighbours, direction left aside.
fn parts(found: &Neighbors) -> (Vec<u32>, usize) {
    let mut sets = Sets::new(found.nrows());
    for i in 0..found.nrows() {
        found.row(i).for_each(|(j, _)| sets.join(i, j as usize));
    }
    sets.numbered()
}

/// `(I − W)'(I − W)`, lower triangle, with its zero solutions (constant on each component) lifted out of the way.
fn alignment_matrix(found: &Neighbors, weights: &[f64], part: &[u32], components: usize) -> Mat<f64> {
    let (n, k) = (found.nrows(), found.k);
    let mut m = Mat::<f64>::zeros(n, n);
    let mut row: Vec<(usize, f64)> = Vec::with_capacity(k + 1);
    for i in 0..n {
        row.clear();
        row.push((i, 1.0));
        row.extend(found.row(i).zip(&weights[i * k..(i + 1) * k]).map(|((j, _), w)| (j as usize, -w)));
        for &(a, va) in &row {
            for &(b, vb) in &row {
                if a >= b {
                    m[(a, b)] += va * vb;
                }
            }
        }
    }
    // Far above the eigenvalues that are asked for.
    let lift = 10.0 * (0..n).map(|i| m[(i, i)]).sum::<f64>() / n as f64;
    let mut size = vec![0usize; components];
    part.iter().for_each(|c| size[*c as usize] += 1);
    for j in 0..n {
        for i in j..n {
            if part[i] == part[j] {
                m[(i, j)] += lift / size[part[i] as usize] as f64;
            }
        }
    }
    m
}
