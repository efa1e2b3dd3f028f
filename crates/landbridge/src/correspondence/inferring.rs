//! Any method, with inferred pairs if none are given.

use crate::correspondence::{InferPairs, Inferred, TransportPairs};
use crate::data::{ColumnLink, Dataset, Pairs};
use crate::error::{Error, Result};
use crate::method::Method;
use crate::model::Alignment;
use crate::progress::Progress;

/// A method that infers the pairs if none are known (Chapter11 §5.3.4: "any of the previous algorithms work"). The outcome
/// warns that the pairs are inferred.
///
/// ```
/// use landbridge::data::{Pairs, synthetic::RotatedCopies};
/// use landbridge::method::{InstanceAlignment, Method};
/// use landbridge::{correspondence::{InferPairs, Inferring}, progress::Progress};
/// let copies = RotatedCopies::new(100).generate()?;
/// let method = Inferring::new(InstanceAlignment::new(2), InferPairs::new());
/// let alignment = method.fit_with(&copies.datasets, &Pairs::none(2), &Progress::silent())?;
/// assert!(!alignment.outcome().warnings.is_empty());
/// # Ok::<(), landbridge::Error>(())
/// ```
pub struct Inferring {
    base: Box<dyn Method>,
    infer: Guess,
}

/// A method for inferring pairs.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Guess {
    /// By local patterns.
    Patterns(InferPairs),
    /// By optimal transport.
    Transport(TransportPairs),
}

impl From<InferPairs> for Guess {
    fn from(infer: InferPairs) -> Self {
        Self::Patterns(infer)
    }
}
impl From<TransportPairs> for Guess {
    fn from(infer: TransportPairs) -> Self {
        Self::Transport(infer)
    }
}

impl Guess {
    fn infer_with(&self, datasets: &[Dataset], links: &[ColumnLink], progress: &Progress) -> Result<Inferred> {
        match self {
            Guess::Patterns(_) if !links.is_empty() => Err(Error::parameter(
                "links",
                links.len(),
                "none for pairs from local patterns; transport and self-training take links",
            )),
            Guess::Patterns(infer) => infer.infer_with(datasets, progress),
            Guess::Transport(infer) => infer.infer_linked(datasets, links, progress),
        }
    }
}

impl Inferring {
    /// The method, and how to infer its pairs.
    pub fn new(base: impl Method + 'static, infer: impl Into<Guess>) -> Self {
        Self::boxed(Box::new(base), infer)
    }
    /// As [`Inferring::new`], for a trait object.
    pub fn boxed(base: Box<dyn Method>, infer: impl Into<Guess>) -> Self {
        Self { base, infer: infer.into() }
    }
}

impl Method for Inferring {
    fn schema(&self) -> &'static crate::params::Schema {
        self.base.schema()
    }
    fn values(&self) -> crate::params::Given {
        self.base.values()
    }
    fn contradiction(&self) -> Option<(&'static str, String)> {
        self.base.contradiction()
    }
    fn fit_with(&self, datasets: &[Dataset], pairs: &Pairs, progress: &Progress) -> Result<Alignment> {
        if !pairs.is_empty() {
            return self.base.fit_with(datasets, pairs, progress);
        }
        let inferred = self.infer.infer_with(datasets, pairs.column_links(), progress)?;
        let mut alignment = self.base.fit_with(datasets, &inferred.pairs, progress)?;
        alignment.outcome.warnings.splice(0..0, pairs.notes().iter().cloned().chain(inferred.warnings));
        Ok(alignment)
    }
}
