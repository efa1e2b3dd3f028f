//! Latent semantic indexing: a truncated singular value decomposition of weighted counts.

use super::{Embedding, pca};
use crate::data::{Dataset, Prepare};
use crate::error::Result;
use crate::params::{Threads, threads_setters};
use crate::progress::Progress;
use landbridge_derive::Params;

/// Embeds documents by a truncated singular value decomposition of their tf-idf weighted, unit-length rows.
///
/// The coordinates are `X V = U S` for the d largest right singular vectors. Sparse rows stay sparse. The reported
/// eigenvalues are the singular values.
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
///
/// # Python
/// ```python
/// >>> import landbridge as lb
/// >>> X = lb.datasets.bilingual_documents(100).datasets[0]
/// >>> z = lb.LSI(5).fit(X)
/// >>> bool(abs(z.transform(X[:3]) - z.embedding_[:3]).max() < 1e-12)
/// True
/// ```
#[derive(Clone, Debug, PartialEq, Params)]
#[params(name = "lsi", class = "LSI", family = "linear_embedding", choose = "the rows are documents, as word counts")]
pub struct Lsi {
    /// Number of dimensions.
    #[param(min = 1, tune = "log 2 200")]
    n_components: usize,
    /// Preprocessing of the rows. It is fitted with the model, saved in it and applied to new rows.
    #[param(default = Prepare::LogTfidf)]
    prepare: Prepare,
    /// Seed of everything random. The same seed gives the same result.
    #[param(default = 0, heading = "Running")]
    random_state: u64,
    #[group]
    pub(super) threads: Threads,
}

impl Lsi {
    pub(super) fn fit_steps(&self, dataset: &Dataset, progress: &Progress) -> Result<Embedding> {
        let params = self.clone().into();
        pca::project(dataset, &params, self.n_components, self.prepare, self.random_state, |s| s, progress)
    }
}
