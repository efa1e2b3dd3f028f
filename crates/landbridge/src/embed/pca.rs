//! Principal component analysis.

use super::{Embedder, Embedding, check_found, check_rows_of};
use crate::data::prepare::warn_of_rows;
use crate::data::{Dataset, Preparation, Prepare};
use crate::error::Result;
use crate::linalg::Matrix;
use crate::linalg::tall::fix_signs;
use crate::model::{LinearMap, Mapping};
use crate::outcome::{Outcome, Status, Stopwatch};
use crate::params::{Threads, threads_setters};
use crate::progress::Progress;
use crate::solve::pencil::TOLERANCE;
use crate::solve::svd::truncated;
use landbridge_derive::Params;

/// Embeds one dataset along its directions of largest variance (principal component analysis).
///
/// The coordinates are `X V` for the d largest right singular vectors of the centred rows. Sparse rows are centred
/// implicitly. The reported eigenvalues are the variances `s² / (n − 1)`.
///
/// Time: about 3 d products with X and its transpose. Memory: the rows and about 2 d vectors.
///
/// ```
/// use landbridge::data::synthetic::BilingualDocuments;
/// use landbridge::embed::Pca;
/// let documents = BilingualDocuments::new(100).generate()?;
/// let embedding = Pca::new(5).fit(&documents.datasets[0])?;
/// assert!(embedding.eigenvalues()[0] >= embedding.eigenvalues()[4]);
/// # Ok::<(), landbridge::Error>(())
/// ```
///
/// # Python
/// ```python
/// >>> import landbridge as lb
/// >>> X = lb.datasets.bilingual_documents(100).datasets[0]
/// >>> lb.PCA(5).fit(X).embedding_.shape
/// (100, 5)
/// ```
#[derive(Clone, Debug, PartialEq, Params)]
#[params(name = "pca", class = "PCA", family = "linear_embedding", choose = "you want the directions of largest variance")]
pub struct Pca {
    /// Number of dimensions.
    #[param(min = 1, tune = "log 2 200")]
    n_components: usize,
    /// Preprocessing of the rows. It is fitted with the model, saved in it and applied to new rows.
    #[param(default = Prepare::Center, tune = "words center unit_center standardize tfidf_center")]
    prepare: Prepare,
    /// Seed of everything random. The same seed gives the same result.
    #[param(default = 0, heading = "Running")]
    random_state: u64,
    #[group]
    pub(super) threads: Threads,
}

impl Pca {
    pub(super) fn fit_steps(&self, dataset: &Dataset, progress: &Progress) -> Result<Embedding> {
        let share = 1.0 / (dataset.nrows() as f64 - 1.0);
        let value = |s: f64| s * s * share;
        project(dataset, &self.clone().into(), self.n_components, self.prepare, self.random_state, value, progress)
    }
}

/// The rows along their largest right singular vectors; `value` turns singular values into eigenvalues.
pub(super) fn project(
    dataset: &Dataset,
    params: &Embedder,
    n_components: usize,
    prepare: Prepare,
    seed: u64,
    value: impl Fn(f64) -> f64,
    progress: &Progress,
) -> Result<Embedding> {
    check_rows_of(dataset)?;
    let mut watch = Stopwatch::start();
    let mut warnings = vec![];
    warn_of_rows(std::slice::from_ref(dataset), prepare, &mut warnings);
    let preparation = Preparation::of(prepare, dataset)?;
    let mut prepared = preparation.apply(dataset.rows());
    let scale = prepared.tame();
    watch.lap("preparation");
    let mut found = truncated(&prepared, n_components, seed, progress)?;
    check_found(dataset, n_components, found.values.len(), &mut warnings)?;
    fix_signs(&mut found.right);
    watch.lap("singular vectors");
    let d = found.values.len();
    drop(prepared);
    let map = LinearMap::new(preparation, Matrix::from_vec(found.right.values, dataset.ncols(), d)?, None);
    let coordinates = map.transform(dataset.rows());
    watch.lap("model");
    let outcome = Outcome {
        status: if found.residual <= 10.0 * TOLERANCE { Status::Converged } else { Status::ReducedAccuracy },
        residual: found.residual,
        tolerance: TOLERANCE,
        iterations: found.iterations,
        seconds: watch.finish(),
        warnings,
        ..Outcome::direct(found.solver)
    };
    let values = found.values.into_iter().map(|s| value(s / scale)).collect();
    Ok(Embedding::new(params, dataset, coordinates, Mapping::Linear(map), values, outcome))
}
