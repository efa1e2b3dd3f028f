//! Scalars of a row that mean the same in both datasets although no column does: how long a document is, how often its words repeat, how rare
//! they are; how long a vector is, how near to the mean, how dense its neighbourhood. They need no pair and no shared row.
//!
//! A translation is about as long as its original: over passages of the Bible in English and Hebrew the normal scores of the number of
//! words correlate by .9, the share of different words by .8, the mean rarity by .5 to .6. One scalar tells hardly any row, but its
//! covariance with the coordinates fixes directions that second and third moments leave open.

use super::rounds::Side;
use crate::data::{Dataset, Prepare, Rows};
use crate::error::Result;
use crate::geometry::csls::{Compared, NEAREST};
use crate::geometry::neighbors::{Metric, Search, neighbors};
use crate::linalg::{Csr, Matrix};
use crate::progress::Progress;

/// Standardised scalars of the rows of two datasets; the same ones in the same order.
pub(super) struct Profiles {
    pub(super) x: Matrix<f64>,
    pub(super) y: Matrix<f64>,
}

impl Profiles {
    /// `None` where the datasets have no scalar in common: counts of words and vectors, or cells, whose counts say how deep they were sequenced.
    pub(super) fn new(
        (x, y): (&Dataset, &Dataset),
        words: [Prepare; 2],
        side: &Side<'_>,
        seed: u64,
        progress: &Progress,
    ) -> Result<Option<Self>> {
        if words.iter().any(|w| w.of_cells()) {
            return Ok(None);
        }
        let both = match (x.rows(), y.rows()) {
            (Rows::Sparse(a), Rows::Sparse(b)) if counts(a) && counts(b) => [a, b].map(|m| of_counts(m).to_vec()),
            (Rows::Sparse(_), _) | (_, Rows::Sparse(_)) => return Ok(None),
            (a, b) => [of_vectors(a, side.x, seed, progress)?.to_vec(), of_vectors(b, side.y, seed, progress)?.to_vec()],
        };
        let [x, y] = both.map(|m| m.into_iter().map(normal_scores).collect::<Vec<_>>());
        // A scalar that one of them does not have says nothing.
        let said: Vec<usize> = (0..x.len()).filter(|&c| x[c].is_some() && y[c].is_some()).collect();
        if said.is_empty() {
            return Ok(None);
        }
        let beside = |columns: &[Option<Vec<f64>>], n: usize| {
            Matrix::from_fn(n, said.len(), |i, c| columns[said[c]].as_ref().map_or(0.0, |column| column[i]))
        };
        Ok(Some(Self { x: beside(&x, side.x.nrows()), y: beside(&y, side.y.nrows()) }))
    }
    pub(super) fn hint(&self) -> (&Matrix<f64>, &Matrix<f64>) {
        (&self.x, &self.y)
    }
    /// Rows whose inner products are the negative squared distances of the scalars.
    pub(super) fn compared(&self) -> Compared {
        let square = |row: &[f64]| row.iter().map(|v| v * v).sum::<f64>();
        let width = self.x.ncols();
        let row = |m: &Matrix<f64>, i: usize, j: usize, first: bool| match (j, first) {
            (j, true) if j < width => 2.0 * m[(i, j)],
            (j, false) if j < width => m[(i, j)],
            (j, first) if (j == width) == first => -square(m.row(i)),
            _ => 1.0,
        };
        let of = |m: &Matrix<f64>, first| Matrix::from_fn(m.nrows(), width + 2, |i, j| row(m, i, j, first) as f32);
        Compared::new((of(&self.x, true), of(&self.y, false)))
    }
}

/// Whether the rows may be counts: no value is negative.
fn counts(rows: &Csr) -> bool {
    rows.values().iter().all(|v| *v >= 0.0)
}

/// Number of words, share of different words, mean rarity of the words and of the different words, share of the most frequent word.
fn of_counts(rows: &Csr) -> [Vec<f64>; 5] {
    let n = rows.nrows();
    let mut documents = vec![0usize; rows.ncols()];
    for i in 0..n {
        rows.row(i).filter(|(_, v)| *v > 0.0).for_each(|(j, _)| documents[j as usize] += 1);
    }
    let rarity: Vec<f64> = documents.iter().map(|d| ((1.0 + n as f64) / (1.0 + *d as f64)).ln()).collect();
    let mut out = [(); 5].map(|()| Vec::with_capacity(n));
    for i in 0..n {
        let (mut words, mut different, mut rare, mut rare_different, mut most) = (0.0, 0.0, 0.0, 0.0, 0.0f64);
        for (j, v) in rows.row(i).filter(|(_, v)| *v > 0.0) {
            words += v;
            different += 1.0;
            rare += v * rarity[j as usize];
            rare_different += rarity[j as usize];
            most = most.max(v);
        }
        let per = |sum: f64, of: f64| if of > 0.0 { sum / of } else { 0.0 };
        let values = [words, per(different, words), per(rare, words), per(rare_different, different), per(most, words)];
        out.iter_mut().zip(values).for_each(|(column, v)| column.push(v));
    }
    out
}

/// Length, cosine with the mean row, mean cosine to the nearest rows in principal coordinates.
fn of_vectors(rows: &Rows, coordinates: &Matrix<f64>, seed: u64, progress: &Progress) -> Result<[Vec<f64>; 3]> {
    let (n, d) = (rows.nrows(), rows.ncols());
    let mut row = vec![0.0; d];
    let mut mean = vec![0.0; d];
    for i in 0..n {
        rows.copy_row(i, &mut row);
        mean.iter_mut().zip(&row).for_each(|(m, v)| *m += v / n as f64);
    }
    let norm = |v: &[f64]| v.iter().map(|x| x * x).sum::<f64>().sqrt();
    let of_mean = norm(&mean).max(1e-300);
    let (mut lengths, mut along) = (Vec::with_capacity(n), Vec::with_capacity(n));
    for i in 0..n {
        rows.copy_row(i, &mut row);
        let length = norm(&row);
        let product: f64 = row.iter().zip(&mean).map(|(v, m)| v * m).sum();
        lengths.push(length);
        along.push(product / (of_mean * length.max(1e-300)));
    }
    let k = NEAREST.min(n - 1);
    let near = neighbors(&Rows::F64(coordinates.clone()), k, Metric::Cosine, Search::Auto, seed, progress)?;
    let dense = (0..n).map(|i| -near.row(i).map(|(_, distance)| distance).sum::<f64>()).collect();
    Ok([lengths, along, dense])
}

/// Relative spread below which a scalar is a constant with noise, such as the length of rows that were scaled to length 1.
const CONSTANT: f64 = 1e-3;

/// The normal quantiles of the ranks; equal values share theirs. `None` for a scalar that does not vary.
fn normal_scores(values: Vec<f64>) -> Option<Vec<f64>> {
    let n = values.len();
    let mean = values.iter().sum::<f64>() / n as f64;
    let spread = (values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / n as f64).sqrt();
    if !spread.is_finite() || spread <= CONSTANT * mean.abs() || spread <= 1e-300 {
        return None;
    }
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut out = vec![0.0; n];
    let mut first = 0;
    while first < n {
        let equal = order[first..].iter().take_while(|&&i| values[i] == values[order[first]]).count();
        let score = normal_quantile((first as f64 + 0.5 * equal as f64) / n as f64);
        order[first..first + equal].iter().for_each(|&i| out[i] = score);
        first += equal;
    }
    Some(out)
}

/// The quantile function of the normal distribution, to 4.5e-4 (Abramowitz and Stegun 26.2.23).
fn normal_quantile(p: f64) -> f64 {
    let t = (-2.0 * p.min(1.0 - p).ln()).sqrt();
    let size = t - (2.515517 + t * (0.802853 + t * 0.010328)) / (1.0 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
    if p < 0.5 { -size } else { size }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::synthetic::random::{Purpose, Random};

    fn dataset(rows: Rows) -> Dataset {
        Dataset::new("rows", rows).unwrap()
    }

    fn side_of<'a>(x: &'a Matrix<f64>, y: &'a Matrix<f64>) -> Side<'a> {
        Side { x, y, given: &[] }
    }

    fn made(a: &Dataset, b: &Dataset, words: [Prepare; 2]) -> Option<Profiles> {
        let coordinates = |d: &Dataset| {
            let mut random = Random::new(7, Purpose::Latent);
            Matrix::from_fn(d.nrows(), 3, |_, _| random.normal())
        };
        let (x, y) = (coordinates(a), coordinates(b));
        Profiles::new((a, b), words, &side_of(&x, &y), 0, &Progress::silent()).unwrap()
    }

    #[test]
    fn normal_scores_are_quantiles_of_ranks() {
        let scores = normal_scores(vec![5.0, 1.0, 5.0, 9.0]).unwrap();
        // Ranks in the middle: 0.125, two at 0.5, 0.875.
        assert!(scores[0].abs() < 1e-3 && scores[2] == scores[0], "{scores:?}");
        assert!((scores[1] + 1.1503).abs() < 1e-3 && (scores[3] - 1.1503).abs() < 1e-3, "{scores:?}");
        // The order counts, not the unit.
        assert_eq!(normal_scores(vec![50.0, 0.1, 50.0, 51.0]).unwrap(), scores);
        assert!(normal_scores(vec![2.0; 5]).is_none() && normal_scores(vec![0.0; 5]).is_none());
        assert!(normal_scores(vec![1.0, f64::INFINITY]).is_none());
    }

    #[test]
    fn scalars_of_counts_are_those_of_the_definition() {
        let dense = [[2.0, 0.0, 1.0], [0.0, 0.0, 0.0], [4.0, 3.0, 0.0]];
        let rows = Csr::from_dense(&Matrix::from_fn(3, 3, |i, j| dense[i][j]));
        let rarity: Vec<f64> = [2.0f64, 1.0, 1.0].iter().map(|d| (4.0 / (1.0 + d)).ln()).collect();
        let found = of_counts(&rows);
        for (i, row) in dense.iter().enumerate() {
            let words: f64 = row.iter().sum();
            let different = row.iter().filter(|v| **v > 0.0).count() as f64;
            let per = |sum: f64, of: f64| if of > 0.0 { sum / of } else { 0.0 };
            let rare: f64 = row.iter().zip(&rarity).map(|(v, r)| v * r).sum();
            let once: f64 = row.iter().zip(&rarity).filter(|(v, _)| **v > 0.0).map(|(_, r)| r).sum();
            let most = row.iter().fold(0.0f64, |a, b| a.max(*b));
            let expected = [words, per(different, words), per(rare, words), per(once, different), per(most, words)];
            assert!(found.iter().zip(expected).all(|(column, e)| (column[i] - e).abs() < 1e-12), "{i}");
        }
    }

    #[test]
    fn nearest_profiles_are_compared_by_their_distance() {
        let mut random = Random::new(3, Purpose::Latent);
        let counts =
            |n: usize, random: &mut Random| Matrix::from_fn(n, 20, |i, _| (random.uniform() * (2 + i % 9) as f64).floor());
        let (a, b) = (counts(40, &mut random), counts(30, &mut random));
        let of = |m: &Matrix<f64>| dataset(Rows::Sparse(Csr::from_dense(m)));
        let profiles = made(&of(&a), &of(&b), [Prepare::TfidfCenter; 2]).unwrap();
        let compared = profiles.compared();
        let (score, distance) = (
            |i: usize, j: usize| compared.product(i, j),
            |i: usize, j: usize| profiles.x.row(i).iter().zip(profiles.y.row(j)).map(|(p, q)| (p - q).powi(2)).sum::<f64>(),
        );
        for (i, j) in [(0, 0), (3, 7), (39, 29), (12, 4)] {
            assert!((score(i, j) + distance(i, j)).abs() < 1e-4, "{i} {j}");
        }
    }

    #[test]
    fn what_has_no_scalar_in_common_has_no_profiles() {
        let mut random = Random::new(5, Purpose::Latent);
        let vectors = Matrix::from_fn(50, 6, |_, _| random.normal());
        let counts = Rows::Sparse(Csr::from_dense(&Matrix::from_fn(50, 6, |i, j| ((i * 7 + j * 3) % 5) as f64)));
        let signed = Rows::Sparse(Csr::from_dense(&vectors));
        let (dense, counts, signed) = (dataset(Rows::F64(vectors)), dataset(counts), dataset(signed));
        assert!(made(&dense, &dense, [Prepare::CenterUnit; 2]).is_some());
        assert!(made(&dense, &counts, [Prepare::CenterUnit, Prepare::TfidfCenter]).is_none());
        assert!(made(&signed, &counts, [Prepare::TfidfCenter; 2]).is_none());
        // How deep a cell was sequenced says nothing about the cell.
        assert!(made(&counts, &counts, [Prepare::Counts; 2]).is_none());
    }
}
