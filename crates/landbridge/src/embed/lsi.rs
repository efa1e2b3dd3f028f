//! Latent semantic indexing: a truncated singular value decomposition of weighted counts.

use super::{Embedding, pca};
use crate::builder::setters;
use crate::data::{Dataset, Prepare};
use crate::error::Result;
use crate::progress::Progress;
use serde::{Deserialize, Serialize};

/// Documents along the d largest right singular vectors of their tf-idf weighted, unit-length rows: `X V = U S`. Sparse
/// rows stay sparse. Eigenvalues are the singular values.
///
/// | parameter | default | purpose | range |
/// |---|---|---|---|
/// | `n_components` | required | dimensions | 1 … |
/// | `prepare` | log tf-idf | what is done to rows first; not centred, as usual for LSI | |
///
/// Time: about 3 d products with X and its transpose. Memory: the rows and about 2 d vectors.
///
/// ```
/// use landbridge::data::synthetic::BilingualDocuments;
/// use landbridge::embed::Lsi;
/// let documents = BilingualDocuments::new(100).generate()?;
/// let embedding = Lsi::new(5).fit(&documents.datasets[0])?;
/// let again = embedding.transform(documents.datasets[0].rows())?;
/// assert!((again[(3, 2)] - embedding.coordinates()[(3, 2)]).abs() < 1e-12);
/// # Ok::<(), landbridge::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Lsi {
    n_components: usize,
    prepare: Prepare,
    random_state: u64,
    #[serde(skip)]
    pub(super) n_jobs: usize,
}

impl Lsi {
    /// That many dimensions.
    pub fn new(n_components: usize) -> Self {
        Self { n_components, prepare: Prepare::LogTfidf, random_state: 0, n_jobs: 0 }
    }
    setters! {
        /// What is done to the rows first.
        prepare: Prepare => prepare;
        /// Seed of the start of the eigensolver.
        random_state: u64 => random_state;
        /// Threads, 0 = all cores. Results never depend on it.
        n_jobs: usize => n_jobs;
    }
    pub(super) fn fit_steps(&self, dataset: &Dataset, progress: &Progress) -> Result<Embedding> {
        let params = self.clone().into();
        pca::project(dataset, &params, self.n_components, self.prepare, self.random_state, |s| s, progress)
    }
}
