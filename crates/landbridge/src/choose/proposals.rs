//! Which methods are worth a try on data that look like this.

use crate::choose::look::Look;
use crate::error::Result;
use crate::method::Method;
use crate::params::{Given, Value};
use crate::registry;
use std::sync::Arc;

/// A family of settings that compete as one candidate.
pub(crate) struct Proposal {
    /// Why it is worth a try.
    pub(crate) reason: String,
    /// Its settings.
    pub(crate) variants: Vec<Variant>,
    /// Fits of this family are so much dearer than others that they are cross-validated in this many folds.
    pub(crate) folds: Option<usize>,
}

/// One setting of a method. A fit of many components also serves for fewer: components are in order.
pub(crate) struct Variant {
    name: &'static str,
    given: Given,
    /// The numbers of components to try; empty for methods that have no such parameter.
    pub(crate) dimensions: Vec<usize>,
}

impl Variant {
    fn new(name: &'static str, words: &[(&str, &str)], dimensions: Vec<usize>) -> Self {
        let given = words.iter().map(|(name, word)| ((*name).to_string(), Value::Text((*word).into()))).collect();
        Self { name, given, dimensions }
    }
    /// With another parameter.
    fn with(mut self, name: &str, value: Value) -> Self {
        self.given.push((name.into(), value));
        self
    }
    /// The name of the method.
    pub(crate) fn name(&self) -> &'static str {
        self.name
    }
    /// The method with this many components.
    pub(crate) fn method(&self, dimension: Option<usize>, seed: u64) -> Result<Arc<dyn Method>> {
        let mut given = self.given.clone();
        given.extend(dimension.map(|d| ("n_components".to_string(), Value::Int(d as i128))));
        if registry::schema(self.name)?.param("random_state").is_some() {
            given.push(("random_state".into(), Value::Int(seed.into())));
        }
        Ok(Arc::from(registry::method(self.name, given)?))
    }
}

/// Numbers of components that are tried.
const DIMENSIONS: [usize; 7] = [2, 5, 10, 20, 50, 100, 200];
/// Up to this many columns, the same in all datasets, rows may be points of a shape.
pub(crate) const SHAPE: usize = 8;
/// Self-training needs that many rows.
const LEAST_TRAINED: usize = 60;
/// Columns in different units have standard deviations that differ by more.
const DIFFERENT_UNITS: f64 = 5.0;
/// Up to this many dense columns and rows, graphs of neighbours take part.
const FEW_COLUMNS: usize = 100;
const FEW_ROWS: usize = 5000;
/// Folds of methods that take seconds where others take fractions.
const FEW_FOLDS: usize = 2;

/// The facts of all datasets together.
pub(crate) struct Looks<'a>(pub(crate) &'a [Look]);

impl Looks<'_> {
    fn all(&self, fact: impl Fn(&Look) -> bool) -> bool {
        self.0.iter().all(fact)
    }
    fn any(&self, fact: impl Fn(&Look) -> bool) -> bool {
        self.0.iter().any(fact)
    }
    /// Whether rows may be points of the same kind of space, as the atoms of a protein are.
    pub(crate) fn shape(&self) -> bool {
        let p = self.0[0].columns;
        p <= SHAPE && self.all(|l| !l.sparse && l.columns == p && !l.counts)
    }
    /// Whether there are enough rows for self-training.
    pub(crate) fn trains(&self) -> bool {
        self.all(|l| l.rows >= LEAST_TRAINED)
    }
    /// Whether all datasets are counts with a long tail: words, genes, peaks.
    pub(crate) fn counts(&self) -> bool {
        self.all(|l| l.text || (l.counts && l.columns > SHAPE)) && self.any(|l| l.sparse || l.text)
    }
    /// Whether there are counts of cells.
    pub(crate) fn cells(&self) -> bool {
        self.any(|l| l.cells.is_some())
    }
    /// The largest number of components that every dataset has.
    fn most(&self) -> usize {
        self.0.iter().map(|l| l.columns.min(l.rows.saturating_sub(1))).min().unwrap_or(1).max(1)
    }
    /// Whether neighbours of dense rows mean something and are soon found.
    fn small(&self) -> bool {
        self.all(|l| !l.sparse && !l.text && l.columns <= FEW_COLUMNS && l.rows <= FEW_ROWS)
    }
    /// Numbers of components of spectral methods, which place rows in few.
    fn few_dimensions(&self) -> Vec<usize> {
        let least = self.0.iter().map(|l| l.rows).min().unwrap_or(2);
        let all: Vec<usize> = [2, 5, 10, 20].into_iter().filter(|d| 4 * d < least && *d <= self.most()).collect();
        if all.is_empty() { vec![1] } else { all }
    }
    /// The numbers of components to try, up to `limit`.
    fn dimensions(&self, limit: usize) -> Vec<usize> {
        let most = self.most().min(limit);
        let mut tried: Vec<usize> = DIMENSIONS.into_iter().filter(|d| *d < most).collect();
        tried.push(most);
        tried
    }
}

/// At most four candidates, those that win most often on such data first.
pub(crate) fn proposals(looks: &Looks<'_>) -> Vec<Proposal> {
    if looks.cells() {
        return vec![cells(looks)];
    }
    let mut out = vec![];
    let curved = looks.any(Look::curved);
    if looks.shape() {
        let variants = vec![
            Variant::new("procrustes", &[("embedding", "none")], vec![]),
            Variant::new("affine", &[("embedding", "none")], vec![]),
        ];
        out.push(Proposal {
            reason: "few columns, the same number on each side: rows may be points of one shape".into(),
            variants,
            folds: None,
        });
    }
    out.push(correlation(looks));
    if !curved && looks.small() {
        out.push(Proposal {
            reason: "few dense columns: a graph of neighbours also learns from the rows without a pair".into(),
            variants: vec![Variant::new("instance", &[], looks.few_dimensions())],
            folds: None,
        });
    }
    if curved {
        let embeddings = [10, 20, 50].into_iter().filter(|d| looks.all(|l| l.rows > 4 * d));
        let mut variants: Vec<Variant> = embeddings
            .map(|d| Variant { dimensions: vec![d], ..Variant::new("procrustes", &[("embedding", "laplacian")], vec![]) })
            .collect();
        variants.push(Variant::new("clle", &[], vec![10]));
        variants.push(Variant::new("instance", &[], vec![10]));
        variants.push(Variant::new("instance", &[], vec![10]).with("mu", Value::Number(10.0)));
        out.push(Proposal {
            reason: "the rows lie on a curved sheet, which neighbour graphs follow and linear maps do not".into(),
            variants,
            folds: None,
        });
    }
    if looks.trains() {
        let reason = "the matches that it finds itself are further pairs, so that few known ones go a long way";
        out.push(Proposal {
            reason: reason.into(),
            variants: vec![Variant::new("self_training", &[], vec![])],
            folds: Some(FEW_FOLDS),
        });
    }
    if !looks.shape() {
        out.push(two_step(looks));
    }
    out.truncate(4);
    out
}

/// Canonical correlation of the paired rows, with the preparations that suit the data.
fn correlation(looks: &Looks<'_>) -> Proposal {
    let words: &[&str] = match () {
        () if looks.counts() => &["log_tfidf", "tfidf_center"],
        () if looks.any(|l| l.sparse) => &["center", "unit_center"],
        () if looks.all(|l| l.unit_rows) => &["center"],
        () if looks.any(|l| l.spread > DIFFERENT_UNITS) => &["standardize", "center", "unit_center"],
        () => &["center", "unit_center", "standardize"],
    };
    let variant = |word: &&str| Variant::new("cca", &[("prepare", word)], looks.dimensions(200));
    let mut variants: Vec<Variant> = words.iter().map(variant).collect();
    if looks.small() {
        variants.push(Variant::new("linear", &[], looks.few_dimensions()));
    }
    let reason = "linear maps of what varies together over the known pairs: the plain method that is hard to beat";
    Proposal { reason: reason.into(), variants, folds: None }
}

/// Counts of cells: canonical correlation of principal coordinates. Places in graphs of noisy counts and training on one's own matches were never better, and cost minutes.
fn cells(looks: &Looks<'_>) -> Proposal {
    let variants = vec![Variant::new("cca", &[], looks.dimensions(50))];
    let reason = "counts of cells: depth and noise are taken out, then linear maps of what varies together over the known pairs";
    Proposal { reason: reason.into(), variants, folds: None }
}

/// Each dataset in its own principal coordinates, then one map between them.
fn two_step(looks: &Looks<'_>) -> Proposal {
    let embedding = if looks.counts() { "lsi" } else { "pca" };
    let mut variants = vec![];
    for d in [5, 10, 20, 50, 100].into_iter().filter(|d| *d <= looks.most()) {
        for name in ["affine", "procrustes"] {
            variants.push(Variant { dimensions: vec![d], ..Variant::new(name, &[("embedding", embedding)], vec![]) });
        }
    }
    if variants.is_empty() {
        variants.push(Variant { dimensions: vec![looks.most()], ..Variant::new("affine", &[("embedding", embedding)], vec![]) });
    }
    let reason =
        "the leading directions of each dataset by itself, then one map between them: few numbers to learn from few pairs";
    Proposal { reason: reason.into(), variants, folds: None }
}
