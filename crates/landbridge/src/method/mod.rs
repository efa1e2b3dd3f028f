//! One published method per file: parameters, fit, tests.

mod cca;
mod cell_directions;
mod clle;
mod global;
mod instance;
mod lamvu;
mod linear;
mod linear_transform;
mod multiscale;
mod pair_similarity;
mod procrustes;
mod sparse;
mod sparse_path;
mod steps;
mod votes;

pub use crate::geometry::graphs::GraphParams;
pub use cca::Cca;
pub use clle::Clle;
pub use global::{Distance, GlobalAlignment};
pub use instance::{Cle, InstanceAlignment};
pub use lamvu::{Constraints, Lamvu};
pub use linear::{Constraint, LinearAlignment};
pub use linear_transform::LinearTransform;
pub use multiscale::MultiscaleAlignment;
pub use pair_similarity::PairSimilarity;
pub use procrustes::{AffineAlignment, ProcrustesAlignment};
pub use sparse::{SparseAlignment, SparsePenalty};
pub use sparse_path::{PathPoint, SparsePath, path_alphas};
pub use votes::{MeanVotes, PopularVotes, Unseen};

use crate::data::{Dataset, Pairs};
use crate::error::{Error, Result};
use crate::model::products::{Products, Wanted};
use crate::model::{Alignment, Fitted};
use crate::outcome::Warning;
use crate::params::{Given, Kind, Parameter, Params, Schema, Value};
use crate::progress::Progress;
use crate::run::Run;
use landbridge_derive::Words;
use std::sync::Arc;

/// The result of a fit: maps or coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Words)]
#[non_exhaustive]
pub enum Level {
    /// A linear map of the features of each dataset.
    #[word(alias = "features")]
    Feature,
    /// Coordinates of each row. (Sparse12 §4.1: X is the identity; groups and order are those of rows.)
    #[word(alias = "instances")]
    Instance,
}

/// A method: parameters that can be fitted to datasets and pairs.
pub trait Method: Send + Sync {
    /// The declaration of its parameters.
    fn schema(&self) -> &'static Schema;
    /// Its parameters, by name.
    fn values(&self) -> Given;
    /// A parameter that was set but has no effect, and the reason.
    fn contradiction(&self) -> Option<(&'static str, String)>;
    /// Aligns the datasets by the known pairs and reports progress.
    fn fit_with(&self, datasets: &[Dataset], pairs: &Pairs, progress: &Progress) -> Result<Alignment>;
    /// The same method for data that are only known by products over their pairs; None for a method that needs rows.
    fn by_products(&self) -> Option<&dyn FromProducts> {
        None
    }
}

/// A method that depends on the rows only through products over the pairs.
pub trait FromProducts {
    /// Which products determine the fit.
    fn wanted_products(&self) -> Wanted;
    /// Aligns two datasets by their products over the pairs.
    fn fit_products(&self, products: &Products, progress: &Progress) -> Result<Alignment>;
}

/// A method as a parameter of another method. It is passed as a value, and saved by name and parameters.
impl Parameter for Arc<dyn Method> {
    fn kind() -> Kind {
        Kind::Method
    }
    fn from_value(value: Value) -> std::result::Result<Self, Value> {
        match &value {
            Value::Built(built) => built.downcast_ref::<Arc<dyn Method>>().cloned().ok_or(value),
            _ => Err(value),
        }
    }
    fn to_value(&self) -> Value {
        Value::Method(self.schema().name.into(), self.values())
    }
}

/// Adds the name of the method, its parameters, stages and warnings to the alignment. The alignment stores the given pairs,
/// not those that a method adds by itself.
pub(crate) fn signed<T: Params>(mut alignment: Alignment, method: &T, pairs: &Pairs, mut run: Run<'_>) -> Alignment {
    // Wavelets and shrunk rows are meant to be local.
    if matches!(T::schema().family, "places" | "predicts") {
        concentrated(&alignment.fitted, &mut run.warnings);
    }
    run.finish(&mut alignment.outcome);
    alignment.method = T::schema().name.into();
    alignment.params = crate::params::to_json(method);
    alignment.pairs = pairs.links().to_vec();
    alignment
}

/// Warns of components whose mass sits on one row: the participation ratio `(Σ z²)² / Σ z⁴` counts the rows that share it. Only
/// where rows have places of their own; a linear map places an outlier far out rightly.
fn concentrated(fitted: &[Fitted], warnings: &mut Vec<Warning>) {
    const LEAST_ROWS: usize = 20;
    const LEAST_PARTICIPATION: f64 = 1.01;
    for one in fitted.iter().filter(|f| f.nrows() >= LEAST_ROWS && f.mapping.places_rows()) {
        let z = one.embedding();
        let (mut components, mut rows): (usize, Vec<usize>) = (0, vec![]);
        for c in 0..z.ncols() {
            let mass = |i: usize| z[(i, c)] * z[(i, c)];
            let (sum, squares) = (0..z.nrows()).fold((0.0, 0.0), |(s, q), i| (s + mass(i), q + mass(i) * mass(i)));
            if squares > 0.0 && sum * sum / squares < LEAST_PARTICIPATION {
                components += 1;
                let heaviest = (0..z.nrows()).max_by(|&i, &j| mass(i).total_cmp(&mass(j))).unwrap_or(0);
                if !rows.contains(&heaviest) {
                    rows.push(heaviest);
                }
            }
        }
        // A few localised components do not matter; a space without any other component is useless.
        if components > 0 && components == z.ncols() {
            let named = |&i: &usize| one.row_ids().map_or_else(|| format!("row {i}"), |ids| ids[i].clone());
            let rows = rows.iter().take(5).map(named).collect();
            warnings.push(Warning::Concentrated { dataset: one.name().into(), components, rows });
        }
    }
}

/// Only self-training looks at columns that correspond; it fits any other method as its base.
pub(crate) fn check_column_links(method: &str, pairs: &Pairs) -> Result<()> {
    match pairs.column_links().len() {
        0 => Ok(()),
        _ if method == "self_training" => Ok(()),
        n => Err(Error::parameter("links", n, &format!("given to self-training, with {method} as its base"))),
    }
}

/// The methods that centre rows within batches.
const WITHIN_BATCHES: [&str; 3] = ["cca", "linear", "self_training"];

/// Batches that a method does not look at.
pub(crate) fn batches_without_effect(method: &str, datasets: &[Dataset]) -> Option<Warning> {
    let unused = !WITHIN_BATCHES.contains(&method) && datasets.iter().any(|d| d.batches().is_some());
    unused.then(|| Warning::NoEffect {
        parameter: "batch".into(),
        why: format!("{method} does not center rows within batches; cca, linear and self_training do"),
    })
}

/// Defines `fit` and `fit_with` for a method whose `fit_steps` does the work. They check the parameters, set the number of
/// threads, and record the method in the alignment. A method `from products` also has `wanted` and `solve_steps`.
macro_rules! method {
    ($name:ty, from products) => {
        $crate::method::method! {
            $name;
            fn by_products(&self) -> Option<&dyn $crate::method::FromProducts> {
                Some(self)
            }
        }
        impl $crate::method::FromProducts for $name {
            fn wanted_products(&self) -> $crate::model::products::Wanted {
                self.wanted()
            }
            fn fit_products(
                &self,
                products: &$crate::model::products::Products,
                progress: &$crate::progress::Progress,
            ) -> $crate::error::Result<$crate::model::Alignment> {
                $crate::linalg::cpu_level()?;
                $crate::params::Declared::check_ranges(self)?;
                $crate::progress::with_threads(self.threads.n_jobs, || {
                    let mut run = $crate::run::Run::new(progress);
                    run.warnings.extend_from_slice(&products.notes);
                    if let Some((parameter, why)) = $crate::params::Params::contradiction(self) {
                        run.warn($crate::outcome::Warning::NoEffect { parameter: parameter.into(), why });
                    }
                    let alignment = self.solve_steps(products, &mut run)?;
                    alignment.check_numbers()?;
                    Ok($crate::method::signed(alignment, self, &$crate::data::Pairs::none(2), run))
                })
            }
        }
    };
    ($name:ty) => {
        $crate::method::method! { $name; }
    };
    ($name:ty; $($more:item)*) => {
        impl $name {
            /// Aligns the datasets by the known pairs.
            pub fn fit(
                &self,
                datasets: &[$crate::data::Dataset],
                pairs: &$crate::data::Pairs,
            ) -> $crate::error::Result<$crate::model::Alignment> {
                self.fit_with(datasets, pairs, &$crate::progress::Progress::silent())
            }
            /// As `fit`, with progress reports.
            pub fn fit_with(
                &self,
                datasets: &[$crate::data::Dataset],
                pairs: &$crate::data::Pairs,
                progress: &$crate::progress::Progress,
            ) -> $crate::error::Result<$crate::model::Alignment> {
                $crate::data::check_datasets(datasets)?;
                $crate::linalg::cpu_level()?;
                $crate::params::Declared::check_ranges(self)?;
                $crate::method::check_column_links(<Self as $crate::params::Params>::schema().name, pairs)?;
                $crate::progress::with_threads(self.threads.n_jobs, || {
                    let mut run = $crate::run::Run::new(progress);
                    run.warnings.extend_from_slice(pairs.notes());
                    if let Some((parameter, why)) = $crate::params::Params::contradiction(self) {
                        run.warn($crate::outcome::Warning::NoEffect { parameter: parameter.into(), why });
                    }
                    let name = <Self as $crate::params::Params>::schema().name;
                    run.warnings.extend($crate::method::batches_without_effect(name, datasets));
                    run.warnings.extend($crate::data::sorted_apart(datasets, pairs));
                    let alignment = self.fit_steps(datasets, pairs, &mut run)?;
                    alignment.check_numbers()?;
                    Ok($crate::method::signed(alignment, self, pairs, run))
                })
            }
        }
        impl $crate::method::Method for $name {
            fn schema(&self) -> &'static $crate::params::Schema {
                <Self as $crate::params::Params>::schema()
            }
            fn values(&self) -> $crate::params::Given {
                $crate::params::saved(self)
            }
            fn contradiction(&self) -> Option<(&'static str, String)> {
                $crate::params::Params::contradiction(self)
            }
            fn fit_with(
                &self,
                datasets: &[$crate::data::Dataset],
                pairs: &$crate::data::Pairs,
                progress: &$crate::progress::Progress,
            ) -> $crate::error::Result<$crate::model::Alignment> {
                self.fit_with(datasets, pairs, progress)
            }
            $($more)*
        }
    };
}
pub(crate) use method;
pub(crate) use steps::{cell_coordinates, usual_directions};

/// Setters of a field `base: Option<Arc<dyn Method>>`.
macro_rules! base_setters {
    () => {
        /// The method to fit.
        #[must_use]
        pub fn base(mut self, base: impl $crate::method::Method + 'static) -> Self {
            self.base = Some(std::sync::Arc::new(base));
            self
        }
        /// The method to fit, as a trait object.
        #[must_use]
        pub fn boxed_base(mut self, base: Option<Box<dyn $crate::method::Method>>) -> Self {
            self.base = base.map(std::sync::Arc::from);
            self
        }
    };
}
pub(crate) use base_setters;
