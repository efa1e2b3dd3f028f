//! Inferred pairs from local patterns, if none are known (Chapter11 §5.3.4).

use crate::builder::setters;
use crate::correspondence::rigid::{self, MOST_COLUMNS};
use crate::data::{Dataset, Pairs, Rows, check_datasets};
use crate::error::{Error, Result};
use crate::geometry::neighbors::Metric;
use crate::geometry::patterns::Patterns;
use crate::linalg::Matrix;
use crate::outcome::Warning;
use crate::progress::{Progress, with_threads};

/// Which pairs are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Keep {
    /// Rows whose patterns are mutual nearest neighbours.
    Mutual,
    /// This many nearest patterns for each row of the first dataset.
    Strongest(usize),
}

/// Infers which rows correspond from the local patterns around them, without any known pair.
///
/// A local pattern holds the distances among a row and its nearest neighbours. Rows whose patterns are mutual nearest
/// neighbours become pairs of weight `exp(−dist/δ²)`. If both datasets have the same few columns, one may be a rotated,
/// scaled and shifted copy of the other. The method then looks for a similarity transform that many of these pairs agree on,
/// and pairs the rows that it brings together.
///
/// More than two datasets are compared with the first.
///
/// | parameter | default | purpose | range |
/// |---|---|---|---|
/// | `n_neighbors` | 4 | neighbours in a pattern | 1 … 6 |
/// | `keep` | mutual | which pairs are kept | |
/// | `delta` | √ of the median distance of the pairs | decay of the weights | > 0 |
/// | `rigid` | if possible | look for a similarity transform | up to 8 columns |
///
/// ```
/// use landbridge::data::synthetic::RotatedCopies;
/// use landbridge::correspondence::InferPairs;
/// let copies = RotatedCopies::new(200).n_features(3).generate()?;
/// let inferred = InferPairs::new().infer(&copies.datasets)?;
/// println!("{} pairs", inferred.pairs.len());
/// # Ok::<(), landbridge::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct InferPairs {
    n_neighbors: usize,
    metric: Metric,
    keep: Keep,
    delta: Option<f64>,
    rigid: Option<bool>,
    random_state: u64,
    n_jobs: usize,
}

/// Inferred pairs.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Inferred {
    /// The weighted pairs.
    pub pairs: Pairs,
    /// δ of each dataset against the first, starting with the second dataset.
    pub delta: Vec<f64>,
    /// Inferred pairs that agree on one transform, if one was sought and found: (agreeing, inferred).
    pub agreeing: Vec<Option<(usize, usize)>>,
    /// Warnings for the user.
    pub warnings: Vec<Warning>,
}

/// A transform with fewer agreeing pairs is due to chance.
const LEAST_SHARE: f64 = 0.15;

impl Default for InferPairs {
    fn default() -> Self {
        Self {
            n_neighbors: 4,
            metric: Metric::Euclidean,
            keep: Keep::Mutual,
            delta: None,
            rigid: None,
            random_state: 0,
            n_jobs: 0,
        }
    }
}

impl InferPairs {
    /// With default parameters.
    pub fn new() -> Self {
        Self::default()
    }
    setters! {
        /// Number of neighbours in a pattern.
        n_neighbors: usize => n_neighbors;
        /// Distance between two rows of a dataset.
        metric: Metric => metric;
        /// Which pairs are kept.
        keep: Keep => keep;
        /// δ of the weights. None: from the data.
        delta: Option<f64> => delta;
        /// Look for a similarity transform from one dataset onto the other. None: if that is possible.
        rigid: Option<bool> => rigid;
        /// Seed of the samples.
        random_state: u64 => random_state;
        /// Number of threads; 0 means all cores. Results never depend on it.
        n_jobs: usize => n_jobs;
    }

    /// Infers pairs of each dataset with the first.
    pub fn infer(&self, datasets: &[Dataset]) -> Result<Inferred> {
        self.infer_with(datasets, &Progress::silent())
    }

    /// As `infer`, with progress reports.
    pub fn infer_with(&self, datasets: &[Dataset], progress: &Progress) -> Result<Inferred> {
        with_threads(self.n_jobs, || {
            check_datasets(datasets)?;
            self.check()?;
            let patterns = datasets
                .iter()
                .map(|d| {
                    Patterns::new(d.rows(), self.n_neighbors, self.metric, progress).map_err(|error| match error {
                        Error::NeighborsOutOfRange { n_neighbors, rows, .. } => {
                            Error::NeighborsOutOfRange { dataset: d.name().into(), n_neighbors, rows }
                        }
                        other => other,
                    })
                })
                .collect::<Result<Vec<_>>>()?;
            let names: Vec<&str> = datasets.iter().map(Dataset::name).collect();
            let points = self.points(datasets)?;
            self.pairs_of(&patterns, &names, points.as_deref(), progress)
        })
    }

    /// Infers pairs of rows from the distances within each dataset.
    pub fn infer_from_distances(&self, distances: &[Matrix<f64>]) -> Result<Inferred> {
        with_threads(self.n_jobs, || {
            self.check()?;
            if distances.len() < 2 {
                return Err(Error::TooFewDatasets { given: distances.len() });
            }
            if self.rigid == Some(true) {
                return Err(Error::parameter("rigid", true, "absent or false if distances are given: a transform needs columns"));
            }
            let patterns = distances.iter().map(|d| Patterns::from_distances(d, self.n_neighbors)).collect::<Result<Vec<_>>>()?;
            let names: Vec<String> = (0..distances.len()).map(|a| a.to_string()).collect();
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            self.pairs_of(&patterns, &names, None, &Progress::silent())
        })
    }

    fn check(&self) -> Result<()> {
        if self.delta.is_some_and(|d| !(d.is_finite() && d > 0.0)) {
            return Err(Error::parameter("delta", self.delta.unwrap_or_default(), "a positive finite number"));
        }
        if self.keep == Keep::Strongest(0) {
            return Err(Error::parameter("keep", 0, "at least 1, or mutual"));
        }
        Ok(())
    }

    /// The rows of all datasets as points of one space, if they have the same columns.
    fn points(&self, datasets: &[Dataset]) -> Result<Option<Vec<Matrix<f64>>>> {
        let p = datasets[0].ncols();
        let alike = datasets.iter().all(|d| d.ncols() == p && !matches!(d.rows(), Rows::Sparse(_)));
        let possible = alike && p <= MOST_COLUMNS && self.metric == Metric::Euclidean;
        if self.rigid == Some(true) && !possible {
            return Err(Error::parameter(
                "rigid",
                true,
                &format!(
                    "absent or false unless all datasets are dense with the same columns, {MOST_COLUMNS} at most, and metric is euclidean"
                ),
            ));
        }
        if !possible || self.rigid == Some(false) || self.keep != Keep::Mutual {
            return Ok(None);
        }
        let dense = |d: &Dataset| match d.rows() {
            Rows::F32(m) => m.to_f64(),
            Rows::F64(m) => m.clone(),
            Rows::Sparse(_) => Matrix::zeros(0, 0),
        };
        Ok(Some(datasets.iter().map(dense).collect()))
    }

    fn pairs_of(
        &self,
        patterns: &[Patterns],
        names: &[&str],
        points: Option<&[Matrix<f64>]>,
        progress: &Progress,
    ) -> Result<Inferred> {
        let mut out = Inferred { pairs: Pairs::none(patterns.len()), delta: vec![], agreeing: vec![], warnings: vec![] };
        for (name, own) in names.iter().zip(patterns) {
            if own.empty() == own.nrows() {
                return Err(Error::PairsDegenerate {
                    dataset: (*name).into(),
                    problem: "none can be inferred: every row coincides with its nearest neighbours".into(),
                });
            }
            if own.empty() > 0 {
                out.warnings.push(Warning::DuplicateRows { dataset: (*name).into(), count: own.empty() });
            }
        }
        for b in 1..patterns.len() {
            let found = self.strongest(&patterns[0], &patterns[b], progress)?;
            let guessed: Vec<(u32, u32)> = found.iter().map(|(_, i, j)| (*i, *j)).collect();
            let rigid = match points {
                Some(points) => rigid::agreed(&points[0], &points[b], &guessed, self.random_state, progress)?,
                None => None,
            };
            let least = (LEAST_SHARE * guessed.len() as f64).max(points.map_or(0, |p| p[0].ncols() + 2) as f64);
            let rigid = rigid.filter(|r| r.agreeing as f64 >= least || self.rigid == Some(true));
            out.agreeing.push(rigid.as_ref().map(|r| (r.agreeing, guessed.len())));
            let delta = self.delta.unwrap_or_else(|| width(&found));
            out.delta.push(delta);
            match rigid {
                Some(rigid) => {
                    for (i, j) in rigid.pairs {
                        out.pairs.add(0, i as usize, b, j as usize, 1.0)?;
                    }
                }
                None => {
                    for (distance, i, j) in found {
                        // Never 0, because a weight of 0 would drop the pair.
                        let weight = (-distance / (delta * delta)).exp().max(f64::MIN_POSITIVE);
                        out.pairs.add(0, i as usize, b, j as usize, weight)?;
                    }
                }
            }
        }
        let agreeing = out.agreeing.iter().all(Option::is_some);
        out.warnings.push(Warning::PairsInferred { count: out.pairs.len(), agreeing });
        Ok(out)
    }

    /// The pairs to keep, by rows: (distance, i, j).
    fn strongest(&self, x: &Patterns, y: &Patterns, progress: &Progress) -> Result<Vec<(f64, u32, u32)>> {
        let per_row = match self.keep {
            Keep::Mutual => 1,
            Keep::Strongest(r) => r,
        };
        let forth = x.nearest(y, per_row, progress)?;
        let list = forth.iter().enumerate().flat_map(|(i, found)| found.iter().map(move |(d, j)| (*d, i as u32, *j)));
        if self.keep != Keep::Mutual {
            return Ok(list.collect());
        }
        // Only rows that were chosen are searched back, and each has a close match in the nearest of those that chose it.
        let list: Vec<(f64, u32, u32)> = list.collect();
        let mut chosen: Vec<Option<(f64, u32)>> = vec![None; y.nrows()];
        for (d, i, j) in &list {
            let nearest = &mut chosen[*j as usize];
            if nearest.is_none_or(|n| *d < n.0) {
                *nearest = Some((*d, *i));
            }
        }
        let near: Vec<Option<u32>> = chosen.iter().map(|c| c.map(|c| c.1)).collect();
        let back = y.nearest_from(x, &near, progress)?;
        Ok(list.into_iter().filter(|(_, i, j)| back[*j as usize].first().is_some_and(|f| f.1 == *i)).collect())
    }
}

/// δ such that the median pair has weight 1/e.
fn width(found: &[(f64, u32, u32)]) -> f64 {
    let mut distances: Vec<f64> = found.iter().map(|f| f.0).collect();
    distances.sort_unstable_by(f64::total_cmp);
    match distances.get(distances.len() / 2) {
        Some(median) if *median > 0.0 => median.sqrt(),
        _ => 1.0,
    }
}
