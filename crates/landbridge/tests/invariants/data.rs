//! Small data of every kind, and the methods and embeddings that are fitted to them.
#![allow(unreachable_pub)] // a module of one test program

use landbridge::Error;
use landbridge::data::{Dataset, Pairs, Rows};
use landbridge::embed::Embedder;
use landbridge::linalg::{Csr, Matrix};
use landbridge::model::Alignment;
use landbridge::params::{Given, Schema, Value};
use landbridge::progress::Progress;
use landbridge::registry;

pub const ROWS: usize = 44;
pub const NEIGHBORS: usize = 6;

/// A method, or an embedding of one dataset, with its defaults but for small sizes.
pub struct Fitting {
    pub schema: &'static Schema,
    given: Given,
    /// Whether it takes one dataset by itself, without pairs.
    embeds: bool,
}

impl Fitting {
    pub fn name(&self) -> &'static str {
        self.schema.name
    }
    /// How many datasets it is tested with.
    pub fn counts(&self) -> &'static [usize] {
        if self.embeds { &[1] } else { &[2, 3] }
    }
    /// The same with another number of neighbours, where it has one.
    pub fn with_neighbors(&self, neighbors: usize) -> Fitting {
        let mut given = self.given.clone();
        given.iter_mut().filter(|(name, _)| name == "n_neighbors").for_each(|(_, v)| *v = Value::Int(neighbors as i128));
        Fitting { schema: self.schema, given, embeds: self.embeds }
    }
    /// The model, fitted on that many threads.
    pub fn fit_on(&self, threads: i128, datasets: &[Dataset], pairs: &Pairs) -> Result<Alignment, Error> {
        let mut given = self.given.clone();
        given.push(("n_jobs".into(), Value::Int(threads)));
        if self.embeds {
            let embedder = Embedder::from_given(self.schema.name, given)?;
            return Ok(embedder.fit_with(&datasets[0], &Progress::silent())?.into_model());
        }
        registry::method(self.schema.name, given)?.fit_with(datasets, pairs, &Progress::silent())
    }
    pub fn fit(&self, datasets: &[Dataset], pairs: &Pairs) -> Result<Alignment, Error> {
        self.fit_on(1, datasets, pairs)
    }
}

/// Every method of the registry with its defaults.
pub fn defaults() -> Vec<Fitting> {
    registry::methods().into_iter().map(|schema| Fitting { schema, given: small(schema), embeds: false }).collect()
}

/// Every embedding of the registry with its defaults.
pub fn embeddings() -> Vec<Fitting> {
    registry::embeddings().into_iter().map(|schema| Fitting { schema, given: small(schema), embeds: true }).collect()
}

/// A method of the registry with this word in place of a default.
pub fn with_word(name: &str, parameter: &str, word: &str) -> Fitting {
    let schema = registry::schema(name).unwrap();
    let mut given = small(schema);
    given.push((parameter.into(), Value::Text(word.into())));
    Fitting { schema, given, embeds: false }
}

/// Two components and few neighbours, where a method has them.
fn small(schema: &Schema) -> Given {
    let mut given = vec![];
    let own = |name: &str| schema.param(name).is_some();
    if own("n_components") {
        given.push(("n_components".to_string(), Value::Int(2)));
    }
    if own("n_neighbors") {
        given.push(("n_neighbors".to_string(), Value::Int(NEIGHBORS as i128)));
    }
    given
}

/// How rows are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stored {
    F64,
    F32,
    Sparse,
}

impl Stored {
    pub fn rows(self, m: &Matrix<f64>) -> Rows {
        match self {
            Stored::F64 => m.clone().into(),
            Stored::F32 => m.to_f32().into(),
            Stored::Sparse => Csr::from_dense(m).into(),
        }
    }
}

/// Datasets of these matrices, called a, b, c.
pub fn datasets(stored: Stored, matrices: &[Matrix<f64>]) -> Vec<Dataset> {
    matrices.iter().zip(["a", "b", "c"]).map(|(m, name)| Dataset::new(name, stored.rows(m)).unwrap()).collect()
}

/// Rows on a curved sheet: two numbers of each, seen through p features. The values fit single precision, a tenth of them is
/// zero, no row is, and no two rows or columns are equal.
pub fn sheet(n: usize, p: usize, seed: usize) -> Matrix<f64> {
    Matrix::from_fn(n, p, |i, j| {
        let (u, v) = ((i * 37 % n) as f64 / n as f64, (i * 53 % 101 + 1) as f64 / 102.0);
        let angle = (j + seed) as f64;
        let value = (3.0 * u * angle.cos() + 2.0 * v * angle.sin()).sin() + 0.5 * u * (j % 3) as f64 + 0.1 * v;
        if (i * 7 + j * 3 + seed).is_multiple_of(11) { 0.0 } else { f64::from(value as f32) }
    })
}

/// That many sheets of the same rows.
pub fn sheets(count: usize) -> Vec<Matrix<f64>> {
    [(6, 1), (5, 2), (7, 4)].iter().take(count).map(|&(p, seed)| sheet(ROWS, p, seed)).collect()
}

/// Every other row is paired over all datasets; one dataset has no pairs.
pub fn half(count: usize) -> Pairs {
    if count == 1 {
        return Pairs::none(1);
    }
    Pairs::from_table(&(0..ROWS as i64).step_by(2).map(|i| vec![i; count]).collect::<Vec<_>>()).unwrap()
}

/// The distances between rows of different datasets, or of the only one, relative to the largest: what a joint space is for. They do
/// not depend on signs, nor on the basis of an eigenspace.
pub fn distances(alignment: &Alignment, places: &[Vec<usize>]) -> Vec<f64> {
    let mut out = vec![];
    for s in 0..places.len() {
        let others = if places.len() == 1 { 0 } else { s + 1 };
        for t in others..places.len() {
            for &i in &places[s] {
                for &j in &places[t] {
                    let (x, y) = (alignment.embedding(s).row(i), alignment.embedding(t).row(j));
                    // Scaled first, so that tiny and huge coordinates have a distance as well.
                    let size = x.iter().chain(y).fold(f64::MIN_POSITIVE, |m, v| m.max(v.abs()));
                    out.push(size * x.iter().zip(y).map(|(a, b)| ((a - b) / size).powi(2)).sum::<f64>().sqrt());
                }
            }
        }
    }
    let largest = out.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
    out.iter_mut().for_each(|v| *v /= largest);
    out
}

/// The largest difference of two lists of distances.
pub fn apart(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max)
}

/// What is not a number in an alignment, if anything is not.
pub fn not_finite(alignment: &Alignment, datasets: &[Dataset]) -> Option<String> {
    for (s, dataset) in datasets.iter().enumerate() {
        if !alignment.embedding(s).as_slice().iter().all(|v| v.is_finite()) {
            return Some(format!("places of dataset {s} are not finite"));
        }
        if let Ok(placed) = alignment.transform(&dataset.rows().select(&[1, 0]), s)
            && !placed.as_slice().iter().all(|v| v.is_finite())
        {
            return Some(format!("new places of dataset {s} are not finite"));
        }
    }
    if !alignment.eigenvalues().iter().all(|v| v.is_finite()) {
        return Some(format!("eigenvalues {:?}", alignment.eigenvalues()));
    }
    if !alignment.outcome().residual.is_finite() {
        return Some(format!("residual {}", alignment.outcome().residual));
    }
    None
}
