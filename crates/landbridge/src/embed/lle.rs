//! Locally linear embedding (Roweis and Saul 2000).

use super::{Embedding, check_found, check_rows_of};
use crate::data::Dataset;
use crate::data::Sets;
use crate::error::{Error, Result};
use crate::geometry::graphs::{SearchParams, search_params_setters};
use crate::geometry::local_weights::local_weights;
use crate::geometry::neighbors::{Neighbors, check_neighbors, neighbors};
use crate::linalg::Matrix;
use crate::linalg::operator::Product;
use crate::linalg::tall::{Tall, fix_signs};
use crate::linalg::whitening::symmetric_eigen;
use crate::model::{LocalExtension, Mapping};
use crate::outcome::{Outcome, Status, Stopwatch, Warning};
use crate::params::{Threads, threads_setters};
use crate::progress::Progress;
use crate::solve::pencil::{Smallest, TOLERANCE, smallest_definite};
use faer::Mat;
use landbridge_derive::Params;

/// Embeds one dataset so that each row keeps its reconstruction from its neighbours: locally linear embedding.
///
/// The d smallest non-zero eigenvectors of `M = (I − W)'(I − W)`, with `F'F = I`. A new row lies at the affine combination of
/// its neighbours' coordinates that reconstructs the row itself.
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
///
/// # Python
/// ```python
/// >>> import landbridge as lb
/// >>> X = lb.datasets.swiss_rolls(200).datasets[0]
/// >>> lb.LLE(2).fit_transform(X).shape
/// (200, 2)
/// ```
#[derive(Clone, Debug, PartialEq, Params)]
#[params(name = "lle", class = "LLE", family = "embedding", choose = "rows should stay combinations of their neighbours")]
pub struct LocallyLinear {
    /// Number of dimensions.
    #[param(min = 1, tune = "log 2 200")]
    n_components: usize,
    #[group]
    search: SearchParams,
    /// Ridge of the local weights, in units of the trace of the local Gram matrix.
    #[param(default = 1e-3, above = 0.0)]
    ridge: f64,
    /// Seed of everything random. The same seed gives the same result.
    #[param(default = 0, heading = "Running")]
    random_state: u64,
    #[group]
    pub(super) threads: Threads,
}

/// Eigenvalues below this share of the largest are zero.
const ZERO: f64 = 1e-14;

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
    pub(super) fn fit_steps(&self, dataset: &Dataset, progress: &Progress) -> Result<Embedding> {
        check_rows_of(dataset)?;
        let (n, name) = (dataset.nrows(), || dataset.name().to_string());
        check_neighbors(self.search.n_neighbors, dataset.name(), n)?;
        let mut watch = Stopwatch::start();
        let mut warnings = vec![];
        let found = neighbors(
            dataset.rows(),
            self.search.n_neighbors,
            self.search.metric,
            self.search.search,
            self.random_state,
            progress,
        )?;
        let weights = local_weights(dataset.rows(), dataset.rows(), &found, self.ridge)?;
        let (part, components) = parts(&found);
        if components > 1 {
            warnings.push(Warning::GraphInParts { dataset: name(), components });
        }
        if self.n_components > n - components {
            return Err(Error::TooManyComponents {
                asked: self.n_components,
                available: n - components,
                why: match components {
                    1 => format!("{n} rows in one connected piece have that many non-zero solutions"),
                    pieces => format!("{n} rows in {pieces} connected pieces have that many non-zero solutions"),
                },
            });
        }
        watch.lap("local weights");
        let matrix = || alignment_matrix(&found, &weights, &part, components);
        let whole = matrix();
        watch.lap("matrix");
        let mut solved = match smallest_definite(whole, &Identity(n), self.n_components, self.random_state, progress) {
            Err(Error::Singular { .. }) => beyond_zero(&matrix(), self.n_components)?,
            solved => solved?,
        };
        check_found(dataset, self.n_components, solved.values.len(), &mut warnings)?;
        fix_signs(&mut solved.vectors);
        watch.lap("eigenvectors");
        let d = solved.values.len();
        let coordinates = Matrix::from_vec(solved.vectors.values, n, d)?;
        let mapping = Mapping::Local(LocalExtension {
            rows: dataset.shared_rows(),
            n_neighbors: self.search.n_neighbors,
            metric: self.search.metric,
            ridge: self.ridge,
            among: None,
        });
        let outcome = Outcome {
            status: if solved.residual <= 10.0 * TOLERANCE { Status::Converged } else { Status::ReducedAccuracy },
            residual: solved.residual,
            tolerance: TOLERANCE,
            iterations: solved.iterations,
            zero_solutions: components + solved.zero_solutions,
            components,
            seconds: watch.finish(),
            warnings,
            ..Outcome::direct(solved.solver)
        };
        Ok(Embedding::new(&self.clone().into(), dataset, coordinates, mapping, solved.values, outcome))
    }
}

/// The smallest solutions of a matrix without a Cholesky factor. Neighbours need not be mutual: rows of a component that are
/// combinations of each other alone have a zero solution of their own, which is left out as well.
fn beyond_zero(matrix: &Mat<f64>, d: usize) -> Result<Smallest> {
    let (values, vectors) = symmetric_eigen(matrix)?;
    let zero = ZERO * values.last().copied().unwrap_or(0.0);
    let zeros = values.iter().take_while(|v| **v <= zero).count();
    let found = zeros..(zeros + d).min(values.len());
    let mut places = Tall::zeros(values.len(), found.len());
    for (i, row) in places.values.chunks_exact_mut(found.len().max(1)).enumerate() {
        row.iter_mut().zip(found.clone()).for_each(|(to, j)| *to = vectors[(i, j)]);
    }
    Ok(Smallest {
        values: values[found].to_vec(),
        vectors: places,
        zero_solutions: zeros,
        rank: None,
        residual: 0.0,
        iterations: 0,
        solver: "dense".into(),
    })
}

/// Connected components of the neighbour graph, regardless of direction.
fn parts(found: &Neighbors) -> (Vec<u32>, usize) {
    let mut sets = Sets::new(found.nrows());
    for i in 0..found.nrows() {
        found.row(i).for_each(|(j, _)| sets.join(i, j as usize));
    }
    sets.numbered()
}

/// `(I − W)'(I − W)`, lower triangle, with its zero solutions (constant on each component) shifted away.
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
    // Far above the requested eigenvalues.
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
