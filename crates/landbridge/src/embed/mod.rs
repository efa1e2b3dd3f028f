//! Embeddings of one dataset in few dimensions: one published embedding per file, each a builder with `fit`.
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
use crate::params::{Declared, Given, Kind, Param, Params, Range, Schema, Value, Word};
use crate::progress::{Progress, with_threads};
use std::sync::{Arc, OnceLock};

/// An embedding of one dataset: the result of every embedding method. It is a model of one dataset and is saved as one.
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
        let mut json = serde_json::Map::from_iter([("embedding".to_string(), params.name().into())]);
        let saved = |name: &str| params.schema().param(name).is_some_and(|p| !p.unsaved);
        let own = params.own_values().into_iter().filter(|(name, _)| saved(name));
        json.extend(own.map(|(name, value)| (name.to_string(), value.to_json())));
        let fitted = vec![Fitted::new(dataset, coordinates, mapping)];
        Self(Alignment::new(params.name(), json.into(), fitted, eigenvalues, vec![], outcome))
    }
    /// Coordinates of the fitted rows.
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
    /// Coordinates of new rows.
    pub fn transform(&self, rows: &Rows) -> Result<Matrix<f64>> {
        self.0.transform(rows, 0)
    }
    /// The embedding as a model of one dataset, for saving.
    pub fn as_model(&self) -> &Alignment {
        &self.0
    }
    /// The embedding as a model of one dataset.
    pub fn into_model(self) -> Alignment {
        self.0
    }
    /// The parts that the second step of a two-step method needs.
    pub(crate) fn into_parts(self) -> (Fitted, Vec<f64>, Outcome) {
        let Alignment { mut fitted, eigenvalues, outcome, .. } = self.0;
        (fitted.remove(0), eigenvalues, outcome)
    }
}

/// Any embedding with its parameters.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
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
    ($($variant:ident($kind:ident);)*) => {
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
                /// As `fit`, with progress reports.
                pub fn fit_with(&self, dataset: &Dataset, progress: &Progress) -> Result<Embedding> {
                    crate::linalg::cpu_level()?;
                    crate::params::Declared::check_ranges(self)?;
                    let embedding = with_threads(self.threads.n_jobs, || self.fit_steps(dataset, progress))?;
                    embedding.0.check_numbers()?;
                    Ok(embedding)
                }
            }
        )*
        impl Embedder {
            /// The declarations of all embeddings.
            pub fn schemas() -> Vec<&'static Schema> {
                vec![$(<$kind as Params>::schema()),*]
            }
            /// The embedding of this name with default parameters; required values are left unset.
            fn blank(name: &str) -> Option<Self> {
                $(if <$kind as Params>::schema().name == name {
                    return Some(Embedder::$variant(<$kind as Params>::blank()));
                })*
                None
            }
            /// Its declaration.
            pub fn schema(&self) -> &'static Schema {
                match self {
                    $(Embedder::$variant(_) => <$kind as Params>::schema(),)*
                }
            }
            /// Its own parameters.
            fn own_values(&self) -> Vec<(&'static str, Value)> {
                match self {
                    $(Embedder::$variant(embedder) => embedder.values(),)*
                }
            }
            fn set_own(&mut self, name: &str, value: Value) -> std::result::Result<bool, Value> {
                match self {
                    $(Embedder::$variant(embedder) => embedder.set(name, value),)*
                }
            }
            fn check_own(&self) -> Result<()> {
                match self {
                    $(Embedder::$variant(embedder) => embedder.check_ranges(),)*
                }
            }
            /// Builds the embedding of that name from given values.
            pub fn from_given(name: &str, given: Given) -> Result<Self> {
                $(if <$kind as Params>::schema().name == name {
                    return crate::params::from_given::<$kind>(given).map(Embedder::$variant);
                })*
                let known: Vec<String> = Self::schemas().iter().map(|s| format!("\"{}\"", s.name)).collect();
                Err(Error::parameter("embedding", format!("\"{name}\""), &format!("one of {}", known.join(", "))))
            }
            /// Embeds the dataset.
            pub fn fit_with(&self, dataset: &Dataset, progress: &Progress) -> Result<Embedding> {
                match self {
                    $(Embedder::$variant(embedder) => embedder.fit_with(dataset, progress),)*
                }
            }
            /// Embeds the dataset on the caller's threads.
            fn fit_steps(&self, dataset: &Dataset, progress: &Progress) -> Result<Embedding> {
                match self {
                    $(Embedder::$variant(embedder) => embedder.fit_steps(dataset, progress),)*
                }
            }
        }
    };
}
embedders! {
    None(Unchanged);
    Pca(Pca);
    Lsi(Lsi);
    Laplacian(LaplacianEigenmaps);
    Lpp(Lpp);
    Diffusion(DiffusionMap);
    Isomap(Isomap);
    Lle(LocallyLinear);
}

impl Default for Embedder {
    fn default() -> Self {
        Embedder::Laplacian(LaplacianEigenmaps::blank())
    }
}

/// The embedding as a parameter of two-step methods: the word `embedding`, and the parameters of all embeddings side by side.
/// A parameter that several embeddings have with different defaults is "auto" by default, the default of the chosen
/// embedding.
impl Declared for Embedder {
    fn declared() -> Vec<Param> {
        let mut out = vec![Param {
            name: "embedding",
            doc: "The embedding of each dataset.",
            kind: Kind::Word(words()),
            optional: false,
            auto: false,
            default: Some(Value::Text(Embedder::default().name().into())),
            range: Range::default(),
            unsaved: false,
            alias: None,
            tune: None,
            heading: "Embedding",
            only_for: vec![],
        }];
        for schema in Self::schemas() {
            for param in schema.params.iter().filter(|p| p.name != "n_jobs") {
                let name = outer_name(param.name);
                match out.iter_mut().find(|p| p.name == name) {
                    Some(known) => {
                        known.only_for.push(schema.name);
                        // Every embedding that has a dimension requires it.
                        if known.default != Some(param.default.clone().unwrap_or(Value::None)) {
                            known.default = Some(Value::Text("auto".into()));
                        }
                    }
                    None => {
                        let heading = if param.heading == "Method" { "Embedding" } else { param.heading };
                        // Not every embedding has a dimension.
                        let (default, optional) = match &param.default {
                            None => (Some(Value::None), true),
                            default => (default.clone(), param.optional),
                        };
                        out.push(Param { name, heading, default, optional, only_for: vec![schema.name], ..param.clone() });
                    }
                }
            }
        }
        out
    }
    fn set(&mut self, name: &str, value: Value) -> std::result::Result<bool, Value> {
        if name == "embedding" {
            let word = match &value {
                Value::None => "none",
                Value::Text(word) => word,
                _ => return Err(value),
            };
            *self = Self::blank(word).ok_or(value)?;
            return Ok(true);
        }
        let Some(param) = Self::declared().into_iter().find(|p| p.name == name) else { return Ok(false) };
        // A parameter left at its default belongs to the embeddings that have it.
        if param.default.as_ref() == Some(&value) {
            return Ok(true);
        }
        self.set_own(inner_name(name), value.clone()).and_then(|known| if known { Ok(true) } else { Err(value) })
    }
    fn values(&self) -> Vec<(&'static str, Value)> {
        let own = self.own_values().into_iter().filter(|(name, _)| *name != "n_jobs");
        let own = own.map(|(name, value)| (outer_name(name), value));
        std::iter::once(("embedding", Value::Text(self.name().into()))).chain(own).collect()
    }
    fn check_ranges(&self) -> Result<()> {
        let missing = self.own_values().iter().any(|(name, value)| *name == "n_components" && *value == Value::Int(0));
        if missing {
            let expected = format!("at least 1: the number of dimensions of the embedding \"{}\"", self.name());
            return Err(Error::parameter("n_components", 0, &expected));
        }
        self.check_own()
    }
}

/// The words of the parameter `embedding`.
fn words() -> &'static [Word] {
    static WORDS: OnceLock<Vec<Word>> = OnceLock::new();
    WORDS.get_or_init(|| Embedder::schemas().iter().map(|s| Word { name: s.name, doc: s.choose }).collect())
}

/// The ridge of the embedding has its own name, apart from the ridge of the second step.
const RENAMED: (&str, &str) = ("ridge", "embedding_ridge");

fn outer_name(inner: &'static str) -> &'static str {
    if inner == RENAMED.0 { RENAMED.1 } else { inner }
}

fn inner_name(outer: &str) -> &str {
    if outer == RENAMED.1 { RENAMED.0 } else { outer }
}

/// Two-step methods take the embedding as an argument; it has no setters of its own.
macro_rules! embedder_setters {
    ($group:ident) => {};
}
pub(crate) use embedder_setters;

impl Embedder {
    /// Its name: "pca", "isomap", …
    pub fn name(&self) -> &'static str {
        self.schema().name
    }
    /// The given graphs, if this embedding has them.
    fn given_graphs(&mut self) -> Option<&mut Option<Vec<Csr>>> {
        match self {
            Embedder::Laplacian(e) => Some(&mut e.graph.graphs),
            Embedder::Lpp(e) => Some(&mut e.graph.graphs),
            Embedder::Diffusion(e) => Some(&mut e.graph.graphs),
            Embedder::None(_) | Embedder::Pca(_) | Embedder::Lsi(_) | Embedder::Isomap(_) | Embedder::Lle(_) => None,
        }
    }
    /// Embeds each dataset by itself; given graphs are one per dataset.
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
            // Given graphs have no short name, so such embeddings are not shared.
            let made = match &graphs {
                None => {
                    let name = || format!("embedding {} {:?}", own.name(), own.own_values());
                    progress.once(&[dataset.address()], name, || own.fit_steps(dataset, progress))?
                }
                Some(_) => Arc::new(own.fit_steps(dataset, progress)?),
            };
            embeddings.push(Arc::unwrap_or_clone(made));
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

/// Adds a warning if there are fewer components than requested; returns an error if there are none.
fn check_found(dataset: &Dataset, asked: usize, given: usize, warnings: &mut Vec<Warning>) -> Result<()> {
    if given == 0 {
        return Err(Error::Numerical {
            what: format!("embedding of dataset \"{}\"", dataset.name()),
            problem: "all prepared rows are the same".into(),
        });
    }
    if given < asked {
        warnings.push(Warning::FewerComponents { asked, given, paired: false });
    }
    Ok(())
}
