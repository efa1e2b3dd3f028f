//! Datasets with known truth, seeded.
//!
//! | generator | objects | purpose |
//! |---|---|---|
//! | [`SwissRolls`] | one sheet, rolled in two ways | geodesic against straight distances |
//! | [`Helices`] | one curve, two helices | one-dimensional manifolds |
//! | [`ThinChains`] | a long thin strip | small spectral gaps: eigenvalues close to 0 and to each other |
//! | [`BranchingTrees`] | a trajectory that splits | single-cell data: branches as labels |
//! | [`RotatedCopies`] | a cloud and its moved copies | Procrustes: the motion is known |
//! | [`LiftedCopies`] | clusters on a curved manifold | benchmarks of any size |
//! | [`BilingualDocuments`] | topic mixtures | sparse bags of words in two vocabularies |
//!
//! ```
//! use landbridge::data::synthetic::SwissRolls;
//! let rolls = SwissRolls::new(300).shuffle(true).overlap(0.8).random_state(1).generate()?;
//! let pairs = rolls.pairs(20, 0)?; // 20 of the 240 true correspondences
//! assert_eq!((rolls.datasets.len(), pairs.len()), (2, 20));
//! # Ok::<(), landbridge::Error>(())
//! ```
//!
//! Same parameters, same bytes (on one platform: `sin` and `ln` may differ in the last bit between platforms). Objects, layout,
//! maps and noise draw from separate random streams: more noise or another order leaves the objects unchanged.

mod clouds;
mod curves;
mod documents;
pub mod random;
mod trees;

pub use clouds::{LiftedCopies, Motion, RotatedCopies, SmoothMap};
pub use curves::{Helices, Rolling, SwissRolls, ThinChains};
pub use documents::BilingualDocuments;
pub use trees::BranchingTrees;

use crate::data::{Dataset, Pairs};
use crate::error::{Error, Result};
use crate::linalg::Matrix;
use random::{Purpose, Random};

/// Datasets and their ground truth.
#[derive(Clone, Debug, PartialEq)]
pub struct Synthetic {
    /// The datasets, ready to be aligned.
    pub datasets: Vec<Dataset>,
    /// One row per object: its row in each dataset, −1 where it is missing.
    pub truth: Vec<Vec<i64>>,
    /// True coordinates: row `o` belongs to `truth[o]`.
    pub latent: Matrix,
}

impl Synthetic {
    /// `count` random objects of those that appear in every dataset, as known pairs. With the same `random_state`, a larger
    /// count includes all pairs of a smaller one.
    pub fn pairs(&self, count: usize, random_state: u64) -> Result<Pairs> {
        let shared: Vec<usize> = (0..self.truth.len()).filter(|&o| self.truth[o].iter().all(|&row| row >= 0)).collect();
        if count > shared.len() {
            return Err(Error::parameter("count", count, &format!("at most {}, the objects in every dataset", shared.len())));
        }
        if count == 0 {
            return Ok(Pairs::none(self.datasets.len()));
        }
        let mut chosen = Random::new(random_state, Purpose::Pairs).permutation(shared.len());
        chosen.truncate(count);
        chosen.sort_unstable();
        let table: Vec<&[i64]> = chosen.iter().map(|&s| self.truth[shared[s]].as_slice()).collect();
        Pairs::from_table(&table)
    }

    /// Number of objects that appear in every dataset.
    pub fn n_shared(&self) -> usize {
        self.truth.iter().filter(|line| line.iter().all(|&row| row >= 0)).count()
    }

    /// The object behind each row of a dataset.
    ///
    /// # Panics
    /// If there is no such dataset.
    pub fn objects(&self, dataset: usize) -> Vec<usize> {
        let mut objects = vec![0; self.datasets[dataset].nrows()];
        for (o, line) in self.truth.iter().enumerate() {
            if line[dataset] >= 0 {
                objects[line[dataset] as usize] = o;
            }
        }
        objects
    }

    /// For each row of `source`, the true row of `target`, −1 for none.
    ///
    /// # Panics
    /// If there is no such dataset.
    pub fn counterparts(&self, source: usize, target: usize) -> Vec<i64> {
        self.objects(source).into_iter().map(|o| self.truth[o][target]).collect()
    }

    /// True coordinates of the rows of a dataset.
    ///
    /// # Panics
    /// If there is no such dataset.
    pub fn latent_of(&self, dataset: usize) -> Matrix {
        self.latent.select_rows(&self.objects(dataset))
    }
}

/// The options that all generators share: number of objects, overlap, order, seed.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Common {
    n_objects: usize,
    overlap: f64,
    shuffle: bool,
    random_state: u64,
}

impl Common {
    fn new(n_objects: usize) -> Self {
        Self { n_objects, overlap: 1.0, shuffle: false, random_state: 0 }
    }

    /// At least two rows for each dataset, and at most as many as a dataset and the address space can hold.
    fn check(&self, features: &[usize]) -> Result<()> {
        let least = 2 * features.len();
        let widest = features.iter().copied().max().unwrap_or(1).max(1);
        let most = (u32::MAX as usize).min(isize::MAX as usize / 8 / widest);
        if self.n_objects < least || self.n_objects > most {
            return Err(Error::parameter("n_objects", self.n_objects, &format!("between {least} and {most}")));
        }
        if !(0.0..=1.0).contains(&self.overlap) {
            return Err(Error::parameter("overlap", self.overlap, "between 0 and 1"));
        }
        Ok(())
    }

    fn random(&self, purpose: Purpose) -> Random {
        Random::new(self.random_state, purpose)
    }

    /// The datasets asked for, from rows that hold every object in order: noise is added first, to each its own.
    fn finish(&self, made: Vec<(String, Matrix)>, noise: f64, labels: &[String], latent: Matrix) -> Result<Synthetic> {
        let mut complete = Vec::with_capacity(made.len());
        for (a, (name, mut rows)) in made.into_iter().enumerate() {
            add_noise(&mut rows, noise, &mut self.random(Purpose::Noise(a)));
            complete.push(Dataset::new(name, rows)?.with_labels(labels.to_vec())?);
        }
        Ok(self.arrange(complete, latent))
    }

    /// From datasets that hold every object in order to those asked for: `overlap · n` objects (rounded) stay
    /// everywhere, the others are dealt to one dataset each in turn; then all but the first dataset are shuffled.
    fn arrange(&self, complete: Vec<Dataset>, latent: Matrix) -> Synthetic {
        let (n, c) = (self.n_objects, complete.len());
        let mut random = self.random(Purpose::Layout);
        let order = random.permutation(n);
        let shared = (self.overlap * n as f64).round() as usize;
        let mut owner = vec![None; n];
        for (turn, &object) in order[shared..].iter().enumerate() {
            owner[object] = Some(turn % c);
        }
        let mut truth = vec![vec![-1; c]; n];
        let mut datasets = Vec::with_capacity(c);
        for (a, dataset) in complete.into_iter().enumerate() {
            let mut rows: Vec<usize> = (0..n).filter(|&o| owner[o].is_none_or(|only| only == a)).collect();
            if self.shuffle && a > 0 {
                rows = random.permutation(rows.len()).into_iter().map(|i| rows[i]).collect();
            }
            for (row, &object) in rows.iter().enumerate() {
                truth[object][a] = row as i64;
            }
            datasets.push(if rows.iter().copied().eq(0..n) { dataset } else { dataset.select(&rows) });
        }
        Synthetic { datasets, truth, latent }
    }
}

/// Builder methods for the options that all generators share.
macro_rules! common_options {
    ($generator:ty) => {
        impl $generator {
            crate::builder::setters! {
                /// Share of the objects that appear in every dataset (default 1, between 0 and 1); each of the others
                /// appears in one only, dealt in turn.
                overlap: f64 => common.overlap;
                /// Whether the rows of all datasets but the first are in random order (default false).
                shuffle: bool => common.shuffle;
                /// Seed (default 0).
                random_state: u64 => common.random_state;
            }
        }
    };
}
use common_options;

/// Refuses values that are not finite, below `least` (or equal to it, if `strict`), or above 1e100.
pub(crate) fn check_number(name: &str, value: f64, least: f64, strict: bool) -> Result<()> {
    if value.is_finite() && (value > least || (value == least && !strict)) && value <= 1e100 {
        return Ok(());
    }
    Err(Error::parameter(name, value, &format!("{} {least} and at most 1e100", if strict { "above" } else { "at least" })))
}

/// Refuses counts outside `least..=most`.
pub(crate) fn check_count(name: &str, value: usize, least: usize, most: usize) -> Result<()> {
    if (least..=most).contains(&value) {
        return Ok(());
    }
    let expected = if most == usize::MAX { format!("at least {least}") } else { format!("between {least} and {most}") };
    Err(Error::parameter(name, value, &expected))
}

/// Adds normal noise with that standard deviation.
fn add_noise(rows: &mut Matrix, deviation: f64, random: &mut Random) {
    if deviation > 0.0 {
        rows.as_mut_slice().iter_mut().for_each(|v| *v += deviation * random.normal());
    }
}

/// `rows` orthonormal rows of `columns ≥ rows` numbers, uniformly random (Gram–Schmidt, twice for accuracy).
pub fn orthonormal_rows(rows: usize, columns: usize, random: &mut Random) -> Matrix {
    let mut q = Matrix::zeros(rows, columns);
    for i in 0..rows {
        let mut v: Vec<f64> = (0..columns).map(|_| random.normal()).collect();
        for _ in 0..2 {
            for k in 0..i {
                let dot: f64 = q.row(k).iter().zip(&v).map(|(a, b)| a * b).sum();
                v.iter_mut().zip(q.row(k)).for_each(|(x, b)| *x -= dot * b);
            }
        }
        let norm = v.iter().map(|x| x * x).sum::<f64>().sqrt();
        q.row_mut(i).iter_mut().zip(&v).for_each(|(x, y)| *x = y / norm);
    }
    q
}

/// `a · b`.
fn product(a: &Matrix, b: &Matrix) -> Matrix {
    let mut out = Matrix::zeros(a.nrows(), b.ncols());
    for i in 0..a.nrows() {
        for (k, &v) in a.row(i).iter().enumerate() {
            out.row_mut(i).iter_mut().zip(b.row(k)).for_each(|(x, y)| *x += v * y);
        }
    }
    out
}

/// Labels of equal intervals of a coordinate in [0, 1]: "band 1" and so on.
fn bands(coordinate: impl Iterator<Item = f64>, count: usize) -> Vec<String> {
    coordinate.map(|s| format!("band {}", 1 + ((s * count as f64) as usize).min(count - 1))).collect()
}

#[cfg(test)]
mod tests;
