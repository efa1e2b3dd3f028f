//! What a dataset looks like: the facts by which candidates are proposed.

use crate::data::cells::{Recognised, recognise};
use crate::data::{Dataset, Rows};
use crate::error::Result;
use crate::geometry::geodesic::{LengthGraph, geodesic_distances};
use crate::geometry::neighbors::{Metric, Search, neighbors};
use crate::linalg::Matrix;
use crate::progress::Progress;
use rand::SeedableRng;
use rand::seq::index::sample;
use rand_chacha::ChaCha8Rng;
use serde::Serialize;

/// The facts about one dataset that suggest a method.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Look {
    /// Its name.
    pub name: String,
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub columns: usize,
    /// Whether it is stored sparse.
    pub sparse: bool,
    /// Share of entries that are not zero.
    pub filled: f64,
    /// Whether every entry is a whole number from 0: counts of words, genes or peaks.
    pub counts: bool,
    /// What was recognised as counts of cells, and by what. None: nothing of that kind.
    pub cells: Option<String>,
    /// Whether its columns are words of documents.
    pub text: bool,
    /// Whether every row has length 1, as most embedding models give.
    pub unit_rows: bool,
    /// Largest standard deviation of a column over the median one. Large: the columns are in different units.
    pub spread: f64,
    /// Intrinsic dimension: the dimension in which the number of neighbours grows with the distance as it does here.
    pub intrinsic_dimension: f64,
    /// How much longer the way along neighbours is than the straight way, for rows far apart. 1 for flat data.
    pub stretch: f64,
}

/// Number of rows that are looked at.
const SAMPLE: usize = 500;
/// Neighbours of the graph along which ways are measured.
const NEIGHBORS: usize = 10;
/// Wider rows are not looked at for curvature: their distances are all alike.
const WIDEST: usize = 5000;
/// Least stretch, and largest intrinsic dimension, of data that are called curved. A neighbour graph cuts the bends of a curve short,
/// and a cloud of few dimensions is hardly stretched at all.
const CURVED: [(f64, f64); 2] = [(1.35, 2.5), (1.6, 4.5)];

impl Look {
    /// Looks at a dataset. The rows that are looked at are drawn at random.
    pub fn at(dataset: &Dataset, seed: u64, progress: &Progress) -> Result<Self> {
        let (n, p) = (dataset.nrows(), dataset.ncols());
        let rows = dataset.rows();
        let every = |ok: &dyn Fn(f64) -> bool| match rows {
            Rows::F64(m) => m.as_slice().iter().all(|v| ok(*v)),
            Rows::F32(m) => m.as_slice().iter().all(|v| ok(f64::from(*v))),
            Rows::Sparse(m) => m.values().iter().all(|v| ok(*v)),
        };
        let stored = match rows {
            Rows::F64(m) => m.as_slice().iter().filter(|v| **v != 0.0).count(),
            Rows::F32(m) => m.as_slice().iter().filter(|v| **v != 0.0).count(),
            Rows::Sparse(m) => m.values().iter().filter(|v| **v != 0.0).count(),
        };
        let mut chosen = sample(&mut ChaCha8Rng::seed_from_u64(seed), n, n.min(SAMPLE)).into_vec();
        chosen.sort_unstable();
        let part = rows.select(&chosen);
        let (intrinsic_dimension, stretch) = shape(&part, progress)?;
        let (unit_rows, spread) = lengths_and_spread(&part);
        Ok(Self {
            name: dataset.name().into(),
            rows: n,
            columns: p,
            sparse: matches!(rows, Rows::Sparse(_)),
            filled: stored as f64 / (n * p) as f64,
            counts: every(&|v| v >= 0.0 && v.fract() == 0.0),
            cells: None,
            text: dataset.recipe().is_some(),
            unit_rows,
            spread,
            intrinsic_dimension,
            stretch,
        })
    }

    /// Looks at datasets that are to be aligned: what one holds may show in the others.
    pub(crate) fn at_all(datasets: &[Dataset], seed: u64, progress: &Progress) -> Result<Vec<Self>> {
        let found = recognise(datasets);
        let one = |(d, found): (&Dataset, Recognised)| {
            let look = Self::at(d, seed, progress)?;
            Ok(Self { cells: found.what.filter(|_| found.prepare.of_cells()), ..look })
        };
        datasets.iter().zip(found).map(one).collect()
    }

    /// Whether the rows lie on a bent sheet of few dimensions.
    pub fn curved(&self) -> bool {
        CURVED.iter().any(|(stretch, dimension)| self.stretch >= *stretch && self.intrinsic_dimension <= *dimension)
    }

    /// In words.
    pub fn summary(&self) -> String {
        let mut facts = vec![format!("{} rows, {} columns", self.rows, self.columns)];
        facts.extend(self.cells.clone());
        facts.push(match (self.text, self.counts && self.sparse, self.sparse, self.unit_rows) {
            (true, ..) => format!("words of documents, {:.1} % filled", 100.0 * self.filled),
            (_, true, ..) => format!("sparse counts, {:.1} % filled", 100.0 * self.filled),
            (_, _, true, _) => format!("sparse, {:.1} % filled", 100.0 * self.filled),
            (_, _, _, true) => "dense, rows of length 1".into(),
            _ => "dense".into(),
        });
        facts.push(format!("intrinsic dimension {:.1}", self.intrinsic_dimension));
        if self.curved() {
            facts.push(format!("curved: the way along neighbours is {:.1} times the straight way", self.stretch));
        }
        format!("{}: {}", self.name, facts.join(", "))
    }
}

/// Intrinsic dimension and stretch of a few hundred rows.
fn shape(rows: &Rows, progress: &Progress) -> Result<(f64, f64)> {
    let n = rows.nrows();
    let k = NEIGHBORS.min(n.saturating_sub(1));
    if k < 2 {
        return Ok((1.0, 1.0));
    }
    let found = neighbors(rows, k, Metric::Euclidean, Search::Exact, 0, progress)?;
    let dimension = intrinsic_dimension(&found.distances, k);
    let graph = LengthGraph::new(rows, k, Metric::Euclidean, Search::Exact, 0, progress)?;
    if rows.ncols() > WIDEST {
        return Ok((dimension, 1.0));
    }
    let ways: Matrix<f64> = geodesic_distances(&graph.lengths, progress)?;
    Ok((dimension, stretch(rows, &ways)))
}

/// The most likely dimension in which the number of neighbours grows with the distance as it does here (Levina, Bickel 2004), from the
/// median over the rows: outliers say little about the rest. Ten neighbours, not two: on evenly spaced rows the first two are equally
/// far, in any dimension.
fn intrinsic_dimension(distances: &[f64], k: usize) -> f64 {
    let growth = |row: &[f64]| {
        let (inner, last) = (&row[..k - 1], row[k - 1]);
        let logs: Vec<f64> = inner.iter().filter(|d| **d > 0.0).map(|d| (last / d).ln()).collect();
        (!logs.is_empty() && last.is_finite()).then(|| logs.iter().sum::<f64>() / logs.len() as f64)
    };
    let mut found: Vec<f64> = distances.chunks_exact(k).filter_map(growth).filter(|g| *g > 0.0).collect();
    found.sort_unstable_by(f64::total_cmp);
    found.get(found.len() / 2).map_or(1.0, |median| 1.0 / median)
}

/// The median, over pairs of rows that are farther apart than most, of the way along neighbours over the straight way.
fn stretch(rows: &Rows, ways: &Matrix<f64>) -> f64 {
    let (n, p) = (rows.nrows(), rows.ncols());
    let mut dense = Matrix::<f64>::zeros(n, p);
    (0..n).for_each(|i| rows.copy_row(i, dense.row_mut(i)));
    let mut pairs: Vec<(f64, f64)> = vec![];
    for i in 0..n {
        // Every seventh partner: the median needs no more.
        for j in ((i + 1)..n).step_by(7) {
            let straight = dense.row(i).iter().zip(dense.row(j)).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt();
            if straight > 0.0 && ways[(i, j)].is_finite() {
                pairs.push((ways[(i, j)], straight));
            }
        }
    }
    if pairs.is_empty() {
        return 1.0;
    }
    // By the way along neighbours: rows on neighbouring layers of a roll are near each other but far apart along it.
    pairs.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    let mut far: Vec<f64> = pairs[pairs.len() / 2..].iter().map(|(way, straight)| way / straight).collect();
    far.sort_unstable_by(f64::total_cmp);
    far[far.len() / 2]
}

/// Whether every row has length 1, and the largest standard deviation of a column over the median one.
fn lengths_and_spread(rows: &Rows) -> (bool, f64) {
    let (n, p) = (rows.nrows(), rows.ncols());
    let mut row = vec![0.0; p];
    let (mut sums, mut squares, mut unit) = (vec![0.0; p], vec![0.0; p], true);
    for i in 0..n {
        rows.copy_row(i, &mut row);
        let length = row.iter().map(|v| v * v).sum::<f64>().sqrt();
        unit &= (length - 1.0).abs() < 1e-2;
        for (j, v) in row.iter().enumerate() {
            sums[j] += v;
            squares[j] += v * v;
        }
    }
    let count = n as f64;
    let variance = |j: usize| (squares[j] / count - (sums[j] / count) * (sums[j] / count)).max(0.0);
    let mut deviations: Vec<f64> = (0..p).map(|j| variance(j).sqrt()).filter(|d| *d > 0.0).collect();
    deviations.sort_unstable_by(f64::total_cmp);
    let spread = deviations.last().map_or(1.0, |largest| largest / deviations[deviations.len() / 2]);
    (unit, if spread.is_finite() { spread } else { 1.0 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::synthetic::{RotatedCopies, SwissRolls};

    #[test]
    fn a_roll_is_curved_and_a_flat_cloud_is_not() {
        let rolls = SwissRolls::new(600).generate().unwrap();
        let look = Look::at(&rolls.datasets[0], 0, &Progress::silent()).unwrap();
        assert!(look.curved() && (1.5..3.0).contains(&look.intrinsic_dimension), "{look:?}");
        for features in [2, 3, 8, 30] {
            let cloud = RotatedCopies::new(600).n_features(features).generate().unwrap();
            let look = Look::at(&cloud.datasets[0], 0, &Progress::silent()).unwrap();
            assert!(!look.curved() && !look.counts && !look.sparse, "{look:?}");
        }
    }

    #[test]
    fn an_evenly_spaced_spiral_is_a_curve() {
        let point = |i: usize| 0.15 * i as f64;
        let rows = Matrix::from_fn(60, 2, |i, j| point(i) * [point(i).cos(), point(i).sin()][j]);
        let look = Look::at(&Dataset::new("a", rows).unwrap(), 0, &Progress::silent()).unwrap();
        assert!(look.curved() && look.intrinsic_dimension < 2.0, "{look:?}");
    }

    #[test]
    fn counts_unit_rows_and_units_are_noticed() {
        let counts = Dataset::new("c", Matrix::from_fn(50, 4, |i, j| ((i * 7 + j * 3) % 5) as f64)).unwrap();
        assert!(Look::at(&counts, 0, &Progress::silent()).unwrap().counts);
        let unit = Dataset::new("u", Matrix::from_fn(50, 2, |i, j| [(i as f64).cos(), (i as f64).sin()][j])).unwrap();
        let look = Look::at(&unit, 0, &Progress::silent()).unwrap();
        assert!(look.unit_rows && !look.counts && look.spread < 2.0);
        let units =
            Dataset::new("m", Matrix::from_fn(50, 3, |i, j| ((i * 13 % 50) as f64).sin() * [1.0, 1.1, 4000.0][j])).unwrap();
        assert!(Look::at(&units, 0, &Progress::silent()).unwrap().spread > 1000.0);
    }

    #[test]
    fn awkward_data_have_a_look_too() {
        for rows in [
            Matrix::from_fn(2, 1, |i, _| i as f64),
            Matrix::from_fn(30, 3, |_, _| 1.0),
            Matrix::from_fn(40, 1, |i, _| (i / 20) as f64),
        ] {
            let look = Look::at(&Dataset::new("a", rows).unwrap(), 0, &Progress::silent()).unwrap();
            assert!(look.stretch.is_finite() && look.intrinsic_dimension.is_finite() && look.spread.is_finite(), "{look:?}");
        }
    }
}
