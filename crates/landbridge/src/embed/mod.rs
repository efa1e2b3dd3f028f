//! One dataset by itself, in few dimensions: one published embedding per file, each a builder with `fit`.
//!
//! | builder | what it keeps | new rows |
//! |---|---|---|
//! | [`Pca`] | the directions of largest variance | linear map |
//! | [`Lsi`] | the largest singular vectors of weighted counts | linear map |
//! | [`Lpp`] | neighbourhoods, by a linear map | linear map |
//! | [`LaplacianEigenmaps`] | neighbourhoods | weighted mean of neighbours |
//! | [`DiffusionMap`] | distances of a random walk | weighted mean of neighbours |
//! | [`Isomap`] | distances along the data | shortest paths through neighbours |
//! | [`LocallyLinear`] | rows as combinations of their neighbours | the same combination |
//! | [`Unchanged`] | everything | prepared features |
//!
//! ```
//! use landbridge::data::synthetic::SwissRolls;
//! use landbridge::embed::Isomap;
//! let rolls = SwissRolls::new(300).generate()?;
//! let unrolled = Isomap::new(2).n_neighbors(8).fit(&rolls.datasets[0])?;
//! assert_eq!(unrolled.coordinates().ncols(), 2);
//! assert_eq!(unrolled.transform(rolls.datasets[0].rows())?.nrows(), 300);
//! # Ok::<(), landbridge::Error>(())
//! ```

mod diffusion;
mod isomap;
mod laplacian;
mod lle;
mod lpp;
mod lsi;
mod pca;
mod unchanged;

pub use diffusion::DiffusionMap;
pub use isomap::Isomap;
pub use laplacian::LaplacianEigenmaps;
pub use lle::LocallyLinear;
pub use lpp::Lpp;
pub use lsi::Lsi;
pub use pca::Pca;
pub use unchanged::Unchanged;

use crate::data::{Dataset, Rows};
use crate::error::{Error, Result};
use crate::linalg::{Csr, Matrix};
use crate::model::{Alignment, Fitted, Mapping};
use crate::outcome::{Outcome, Warning};
use crate::progress::{Progress, with_threads};
use serde::{Deserialize, Serialize};

/// One dataset in few dimensions: what every embedding returns. It is a model of one dataset, and is saved as one.
#[derive(Clone, Debug)]
pub struct Embedding(Alignment);

impl Embedding {
    fn new(
        params: &Embedder,
        dataset: &Dataset,
        coordinates: Matrix<f64>,
        mapping: Mapping,
        eigenvalues: Vec<f64>,
        outcome: Outcome,
    ) -> Self {
        let json = serde_json::to_value(params).unwrap_or_default();
        let fitted = vec![Fitted::new(dataset, coordinates, mapping)];
        Self(Alignment::new(params.name(), json, fitted, eigenvalues, vec![], outcome))
    }
    /// The fitted rows.
    pub fn coordinates(&self) -> &Matrix<f64> {
        self.0.embedding(0)
    }
    /// Eigenvalues, in the order of the components: singular values for LSI, variances for PCA.
    pub fn eigenvalues(&self) -> &[f64] {
        self.0.eigenvalues()
    }
    /// How the fit went.
    pub fn outcome(&self) -> &Outcome {
        self.0.outcome()
    }
    /// New rows.
    pub fn transform(&self, rows: &Rows) -> Result<Matrix<f64>> {
        self.0.transform(rows, 0)
    }
    /// As a model of one dataset, to be saved.
    pub fn as_model(&self) -> &Alignment {
        &self.0
    }
    /// As a model of one dataset.
    pub fn into_model(self) -> Alignment {
        self.0
    }
    /// The pieces that a second step builds on.
    pub(crate) fn into_parts(self) -> (Fitted, Vec<f64>, Outcome) {
        let Alignment { mut fitted, eigenvalues, outcome, .. } = self.0;
        (fitted.remove(0), eigenvalues, outcome)
    }
}

/// Any embedding with its parameters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "embedding", rename_all = "snake_case")]
pub enum Embedder {
    /// The prepared rows themselves.
    None(Unchanged),
    /// Principal components.
    Pca(Pca),
    /// Latent semantic indexing.
    Lsi(Lsi),
    /// Laplacian eigenmaps.
    Laplacian(LaplacianEigenmaps),
    /// Locality-preserving projections.
    Lpp(Lpp),
    /// Diffusion maps.
    Diffusion(DiffusionMap),
    /// Isomap.
    Isomap(Isomap),
    /// Locally linear embedding.
    Lle(LocallyLinear),
}

macro_rules! embedders {
    ($($variant:ident($kind:ident) $name:literal;)*) => {
        $(
            impl From<$kind> for Embedder {
                fn from(embedder: $kind) -> Self {
                    Embedder::$variant(embedder)
                }
            }
            impl $kind {
                /// Embeds the dataset.
                pub fn fit(&self, dataset: &Dataset) -> Result<Embedding> {
                    self.fit_with(dataset, &Progress::silent())
                }
                /// As `fit`, telling of its progress.
                pub fn fit_with(&self, dataset: &Dataset, progress: &Progress) -> Result<Embedding> {
                    with_threads(self.n_jobs, || self.fit_steps(dataset, progress))
                }
            }
        )*
        impl Embedder {
            /// Its name: "pca", "isomap", …
            pub fn name(&self) -> &'static str {
                match self {
                    $(Embedder::$variant(_) => $name,)*
                }
            }
            /// Embeds the dataset.
            pub fn fit_with(&self, dataset: &Dataset, progress: &Progress) -> Result<Embedding> {
                match self {
                    $(Embedder::$variant(embedder) => embedder.fit_with(dataset, progress),)*
                }
            }
            /// Embeds the dataset on the threads of the caller.
            fn fit_steps(&self, dataset: &Dataset, progress: &Progress) -> Result<Embedding> {
                match self {
                    $(Embedder::$variant(embedder) => embedder.fit_steps(dataset, progress),)*
                }
            }
        }
    };
}
embedders! {
    None(Unchanged) "none";
    Pca(Pca) "pca";
    Lsi(Lsi) "lsi";
    Laplacian(LaplacianEigenmaps) "laplacian";
    Lpp(Lpp) "lpp";
    Diffusion(DiffusionMap) "diffusion";
    Isomap(Isomap) "isomap";
    Lle(LocallyLinear) "lle";
}

impl Embedder {
    /// Given graphs, where this embedding has them.
    fn given_graphs(&mut self) -> Option<&mut Option<Vec<Csr>>> {
        match self {
            Embedder::Laplacian(e) => Some(&mut e.graph.graphs),
            Embedder::Lpp(e) => Some(&mut e.graph.graphs),
            Embedder::Diffusion(e) => Some(&mut e.graph.graphs),
            Embedder::None(_) | Embedder::Pca(_) | Embedder::Lsi(_) | Embedder::Isomap(_) | Embedder::Lle(_) => None,
        }
    }
    /// Each dataset by itself; given graphs are one per dataset.
    pub(crate) fn fit_each(&self, datasets: &[Dataset], progress: &Progress) -> Result<Vec<Embedding>> {
        let mut own = self.clone();
        let graphs = own.given_graphs().and_then(Option::take);
        if let Some(graphs) = graphs.as_ref().filter(|g| g.len() != datasets.len()) {
            return Err(Error::parameter(
                "graphs",
                format!("{} graphs", graphs.len()),
                &format!("one per dataset ({})", datasets.len()),
            ));
        }
        let mut embeddings = vec![];
        for (a, dataset) in datasets.iter().enumerate() {
            if let (Some(graphs), Some(place)) = (&graphs, own.given_graphs()) {
                *place = Some(vec![graphs[a].clone()]);
            }
            embeddings.push(own.fit_steps(dataset, progress)?);
        }
        Ok(embeddings)
    }
}

fn check_rows_of(dataset: &Dataset) -> Result<()> {
    if dataset.nrows() < 2 {
        return Err(Error::TooFewRows { dataset: dataset.name().into(), rows: dataset.nrows(), needed: 2 });
    }
    Ok(())
}

/// A warning when fewer components came out than were asked for; an error when none did.
fn check_found(dataset: &Dataset, asked: usize, given: usize, warnings: &mut Vec<Warning>) -> Result<()> {
    if given == 0 {
        return Err(Error::Numerical {
            what: format!("embedding of dataset \"{}\"", dataset.name()),
            problem: "all prepared rows are the same".into(),
        });
    }
    if given < asked {
        warnings.push(Warning::FewerComponents { asked, given });
    }
    Ok(())
}
