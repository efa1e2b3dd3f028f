//! Isomap (Tenenbaum, de Silva, Langford 2000).

use super::{Embedding, check_found, check_rows_of};
use crate::data::Dataset;
use crate::error::{Error, Result};
use crate::geometry::geodesic::{LengthGraph, geodesic_distances};
use crate::geometry::graphs::{SearchParams, search_params_setters};
use crate::geometry::neighbors::check_neighbors;
use crate::linalg::Matrix;
use crate::linalg::operator::CentredSquares;
use crate::linalg::tall::{Tall, fix_signs};
use crate::linalg::whitening::{Whitener, Whitening};
use crate::model::{GeodesicExtension, Mapping};
use crate::outcome::{Outcome, Status, Stopwatch, Warning};
use crate::params::{Threads, threads_setters};
use crate::progress::Progress;
use crate::solve::pencil::{TOLERANCE, largest};
use landbridge_derive::Params;

/// Embeds one dataset so that distances are those along the data: classical scaling of shortest paths.
///
/// The coordinates are `√λ v` for the d largest eigenvalues of `−½ H D² H`, where D holds the shortest paths over the
/// neighbour graph. New rows are placed by Isomap's own formula.
///
/// A disconnected graph is joined by the shortest edge between every two of its components, and the outcome warns.
///
/// Time: n runs of Dijkstra's algorithm in O(n k log n), on all cores. Memory: one n × n matrix during the fit; the model
/// stores only the graph.
///
/// ```
/// use landbridge::data::synthetic::SwissRolls;
/// use landbridge::embed::Isomap;
/// let rolls = SwissRolls::new(200).generate()?;
/// let embedding = Isomap::new(2).fit(&rolls.datasets[0])?;
/// assert!(embedding.eigenvalues()[0] >= embedding.eigenvalues()[1]);
/// # Ok::<(), landbridge::Error>(())
/// ```
///
/// # Python
/// ```python
/// >>> import landbridge as lb
/// >>> X = lb.datasets.swiss_rolls(300).datasets[0]
/// >>> lb.Isomap(2, n_neighbors=6).fit(X).transform(X[:5]).shape
/// (5, 2)
/// ```
#[derive(Clone, Debug, PartialEq, Params)]
#[params(name = "isomap", class = "Isomap", family = "embedding", choose = "you want distances along the data")]
pub struct Isomap {
    /// Number of dimensions.
    #[param(min = 1, tune = "log 2 200")]
    n_components: usize,
    #[group]
    search: SearchParams,
    /// Seed of everything random. The same seed gives the same result.
    #[param(default = 0, heading = "Running")]
    random_state: u64,
    #[group]
    pub(super) threads: Threads,
}

impl Isomap {
    pub(super) fn fit_steps(&self, dataset: &Dataset, progress: &Progress) -> Result<Embedding> {
        check_rows_of(dataset)?;
        let (n, name) = (dataset.nrows(), || dataset.name().to_string());
        check_neighbors(self.search.n_neighbors, dataset.name(), n)?;
        let mut watch = Stopwatch::start();
        let mut warnings = vec![];
        let graph = LengthGraph::new(
            dataset.rows(),
            self.search.n_neighbors,
            self.search.metric,
            self.search.search,
            self.random_state,
            progress,
        )?;
        let (components, edges) = (graph.components, graph.joined);
        if edges > 0 {
            warnings.push(Warning::GraphJoined { dataset: name(), components, edges });
        }
        watch.lap("graph");
        let mut distances: Matrix<f64> = geodesic_distances(&graph.lengths, progress)?;
        watch.lap("shortest paths");

        // Squared in units of the largest distance, so that nothing overflows; the eigenvalues are rescaled below.
        let unit = distances.as_slice().iter().fold(0.0f64, |a, v| a.max(*v));
        if unit > 0.0 {
            distances.as_mut_slice().iter_mut().for_each(|v| *v = (*v / unit) * (*v / unit));
        }
        let means: Vec<f64> = distances.rows().map(|row| row.iter().sum::<f64>() / n as f64 * unit * unit).collect();
        let whitening = Whitening(vec![Whitener::Identity(n)]);
        let found = largest(&CentredSquares(&distances), &whitening, self.n_components, self.random_state, progress)?;
        drop(distances);
        let top = found.values.first().copied().unwrap_or(0.0);
        let d = found.values.iter().take_while(|v| **v > 1e-12 * top && **v > 0.0).count();
        check_found(dataset, self.n_components, d, &mut warnings)?;
        let mut vectors = Tall::zeros(n, d);
        for (to, from) in vectors.values.chunks_exact_mut(d).zip(found.vectors.values.chunks_exact(found.vectors.stride)) {
            to.iter_mut().zip(from.iter().zip(&found.values)).for_each(|(t, (v, value))| *t = v * value.sqrt() * unit);
        }
        fix_signs(&mut vectors);
        let coordinates = Matrix::from_vec(vectors.values, n, d)?;
        let eigenvalues: Vec<f64> = found.values[..d].iter().map(|v| v * unit * unit).collect();
        // New rows are placed by squared distances, which the numbers must be able to hold.
        if eigenvalues.iter().chain(&means).any(|v| !v.is_normal()) {
            return Err(Error::Overflow { what: format!("squared distances of dataset \"{}\"", dataset.name()) });
        }
        watch.lap("eigenvectors");
        let mapping = Mapping::Geodesic(GeodesicExtension {
            rows: dataset.shared_rows(),
            n_neighbors: self.search.n_neighbors,
            metric: self.search.metric,
            lengths: graph.lengths,
            means,
            eigenvalues: eigenvalues.clone(),
        });
        let outcome = Outcome {
            status: if found.residual <= 10.0 * TOLERANCE { Status::Converged } else { Status::ReducedAccuracy },
            residual: found.residual,
            tolerance: TOLERANCE,
            iterations: found.iterations,
            components,
            seconds: watch.finish(),
            warnings,
            ..Outcome::direct(found.solver)
        };
        Ok(Embedding::new(&self.clone().into(), dataset, coordinates, mapping, eigenvalues, outcome))
    }
}
