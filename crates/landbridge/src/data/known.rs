//! Which entries of a dataset are known: in ratings most entries are unknown.

use crate::data::{Dataset, Rows};
use crate::linalg::{Csr, Matrix, Scalar};
use crate::outcome::Warning;
use landbridge_derive::Words;

/// Which entries count as known, for predictions and for votes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Words)]
#[non_exhaustive]
pub enum Known {
    /// The stored entries of sparse rows (a stored 0 is a value), and all entries of dense rows.
    #[default]
    Stored,
    /// The stored entries of sparse rows, and the non-zero entries of dense rows.
    Rated,
    /// Non-zero entries.
    NonZero,
    /// All entries; those that sparse rows do not store are 0.
    All,
}

impl Known {
    /// The known entries of the rows.
    pub(crate) fn entries(self, rows: &Rows) -> Csr {
        let dense_zeros = matches!(self, Known::Stored | Known::All);
        match rows {
            Rows::F64(m) => of_dense(m, dense_zeros),
            Rows::F32(m) => of_dense(m, dense_zeros),
            Rows::Sparse(m) => match self {
                Known::Stored | Known::Rated => m.clone(),
                Known::NonZero => kept(m, |v| v != 0.0),
                Known::All => of_dense(&m.to_dense(), true),
            },
        }
    }
    /// Whether there are unknown entries that the geometry of the dataset should also leave out.
    fn leaves_out(self, dataset: &Dataset) -> bool {
        self == Known::NonZero || (dataset.is_partly_known() && self != Known::All)
    }
}

fn of_dense<T: Scalar>(m: &Matrix<T>, zeros: bool) -> Csr {
    let (mut starts, mut indices, mut values) = (vec![0], vec![], vec![]);
    for row in m.rows() {
        for (j, v) in row.iter().map(|v| v.to_f64()).enumerate().filter(|(_, v)| zeros || *v != 0.0) {
            indices.push(j as u32);
            values.push(v);
        }
        starts.push(indices.len());
    }
    Csr::from_sorted(starts, indices, values, m.ncols())
}

fn kept(m: &Csr, keep: impl Fn(f64) -> bool) -> Csr {
    let (mut starts, mut indices, mut values) = (vec![0], vec![], vec![]);
    for i in 0..m.nrows() {
        for (j, v) in m.row(i).filter(|(_, v)| keep(*v)) {
            indices.push(j);
            values.push(v);
        }
        starts.push(indices.len());
    }
    Csr::from_sorted(starts, indices, values, m.ncols())
}

/// Sum and number of the stored entries of each column, over the chosen rows.
pub(crate) fn column_sums(m: &Csr, rows: impl Iterator<Item = usize>) -> (Vec<f64>, Vec<usize>) {
    let (mut sums, mut counts) = (vec![0.0; m.ncols()], vec![0usize; m.ncols()]);
    for i in rows {
        for (j, v) in m.row(i) {
            sums[j as usize] += v;
            counts[j as usize] += 1;
        }
    }
    (sums, counts)
}

/// Mean of the stored entries of each column; the overall mean if a column has none.
pub(crate) fn column_means(m: &Csr) -> Vec<f64> {
    let (sums, counts) = column_sums(m, 0..m.nrows());
    let overall = sums.iter().sum::<f64>() / counts.iter().sum::<usize>().max(1) as f64;
    sums.iter().zip(&counts).map(|(s, &n)| if n > 0 { s / n as f64 } else { overall }).collect()
}

/// Known entries as deviations from their column means. An unknown entry then counts as the mean, not as 0.
pub(crate) fn deviations(rows: &Rows, known: Known, means: &[f64]) -> Csr {
    let mut entries = known.entries(rows);
    let columns = entries.indices().to_vec();
    entries.values_mut().iter_mut().zip(columns).for_each(|(v, j)| *v -= means[j as usize]);
    entries
}

/// The datasets for distances: if entries are unknown, deviations from the means of the known ones, and those means. Warns of
/// rows and columns without any known entry.
pub(crate) fn for_distances(datasets: &[Dataset], known: Known, warnings: &mut Vec<Warning>) -> Vec<(Dataset, Option<Vec<f64>>)> {
    let see = |dataset: &Dataset| {
        if !known.leaves_out(dataset) {
            let zeros = zeros_among_ratings(dataset.rows()).filter(|_| known == Known::Stored);
            warnings.extend(zeros.map(|percent| Warning::ZeroRatings { dataset: dataset.name().into(), percent }));
            return (dataset.clone(), None);
        }
        let entries = known.entries(dataset.rows());
        warn_of_gaps(dataset, &entries, warnings);
        let means = column_means(&entries);
        let rows = deviations(dataset.rows(), known, &means);
        (dataset.with_rows(Rows::Sparse(rows)), Some(means))
    };
    datasets.iter().map(see).collect()
}

/// Half stars up to ten.
const RATINGS: usize = 21;
/// Least share of zeros that is told, and least number of different ratings.
const ZEROS: f64 = 0.1;
const LEVELS: usize = 3;

/// The share of zeros, in percent, of dense rows whose other entries look like ratings: a few different values up to ten, in halves, the
/// lowest of which is not the most frequent (it is among counts).
fn zeros_among_ratings(rows: &Rows) -> Option<u8> {
    let mut counts = [0usize; RATINGS];
    let mut level = |v: f64| {
        let at = 2.0 * v;
        let rating = at.fract() == 0.0 && (0.0..RATINGS as f64).contains(&at);
        rating.then(|| counts[at as usize] += 1).is_some()
    };
    let all = match rows {
        Rows::F64(m) => m.as_slice().iter().all(|v| level(*v)),
        Rows::F32(m) => m.as_slice().iter().all(|v| level(f64::from(*v))),
        Rows::Sparse(_) => false,
    };
    let total: usize = counts.iter().sum();
    let given: Vec<usize> = counts[1..].iter().copied().filter(|n| *n > 0).collect();
    let most = given.iter().max()?;
    let share = counts[0] as f64 / total as f64;
    let ratings = all && share >= ZEROS && given.len() >= LEVELS && given[0] < *most;
    ratings.then_some((100.0 * share).round() as u8)
}

/// Rows and columns without any known entry.
pub(crate) fn warn_of_gaps(dataset: &Dataset, entries: &Csr, warnings: &mut Vec<Warning>) {
    let rows = (0..entries.nrows()).filter(|&i| entries.row_indices(i).is_empty()).count();
    if rows > 0 {
        warnings.push(Warning::UnknownRows { dataset: dataset.name().into(), count: rows });
    }
    let columns = column_sums(entries, 0..entries.nrows()).1.into_iter().filter(|n| *n == 0).count();
    if columns > 0 {
        warnings.push(Warning::UnknownColumns { dataset: dataset.name().into(), count: columns });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_is_what_was_said_to_be() {
        let dense = Matrix::from_rows(&[[1.0, 0.0], [0.0, -2.0]]).unwrap();
        let sparse = Csr::from_triplets(2, 2, &[(0, 0, 1.0), (0, 1, 0.0), (1, 1, -2.0)]).unwrap();
        let count = |known: Known, rows: &Rows| known.entries(rows).nnz();
        let (dense, sparse) = (Rows::F64(dense), Rows::Sparse(sparse));
        let counts = [Known::Stored, Known::Rated, Known::NonZero, Known::All].map(|k| (count(k, &dense), count(k, &sparse)));
        assert_eq!(counts, [(4, 3), (2, 3), (2, 2), (4, 4)]);
    }

    #[test]
    fn zeros_among_ratings_are_seen_and_counts_are_not() {
        let told = |row: &[f64]| {
            let m = Matrix::from_rows(&[row]).unwrap();
            let found = zeros_among_ratings(&Rows::F64(m.clone()));
            assert_eq!(zeros_among_ratings(&Rows::F32(m.to_f32())), found);
            assert_eq!(zeros_among_ratings(&Rows::Sparse(Csr::from_dense(&m))), None);
            found
        };
        assert_eq!(told(&[0.0, 0.0, 5.0, 4.0, 4.0, 3.0, 0.0, 2.0]), Some(38));
        assert_eq!(told(&[0.0, 3.5, 5.0, 4.5, 4.5]), Some(20));
        // Counts, indicators, measurements, and ratings without a zero.
        for row in [&[0.0, 1.0, 1.0, 1.0, 2.0, 3.0][..], &[0.0, 1.0, 1.0], &[0.0, 0.3, 1.0, 2.0], &[0.0, -1.0, 2.0, 2.0, 3.0]] {
            assert_eq!(told(row), None, "{row:?}");
        }
        assert_eq!(told(&[1.0, 2.0, 3.0, 3.0, 4.0]), None);
        let dataset = Dataset::new("films", Matrix::from_rows(&[[0.0, 5.0, 4.0, 4.0, 3.0]]).unwrap()).unwrap();
        let warned = |known| {
            let mut warnings = vec![];
            for_distances(std::slice::from_ref(&dataset), known, &mut warnings);
            warnings
        };
        assert!(warned(Known::Stored)[0].to_string().starts_with("dataset \"films\": 20 % of its entries are 0"));
        assert_eq!(warned(Known::All), []);
    }

    #[test]
    fn deviations_leave_the_unknown_at_the_mean() {
        let ratings = Csr::from_triplets(4, 3, &[(0, 0, 1.0), (1, 0, 3.0), (1, 1, 0.0), (2, 1, 4.0)]).unwrap();
        let dataset = Dataset::new("shop", ratings).unwrap().partly_known();
        let mut warnings = vec![];
        let seen = for_distances(std::slice::from_ref(&dataset), Known::Stored, &mut warnings).remove(0);
        assert_eq!(seen.1.unwrap(), [2.0, 2.0, 2.0]);
        let Rows::Sparse(m) = seen.0.rows() else { panic!("sparse stays sparse") };
        assert_eq!(m.to_dense().as_slice(), [-1.0, 0.0, 0.0, 1.0, -2.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 0.0]);
        let said: Vec<String> = warnings.iter().map(ToString::to_string).collect();
        assert!(said[0].contains("1 row has") && said[1].contains("1 column has"), "{said:?}");
        // If all entries are known, nothing changes.
        assert_eq!(for_distances(std::slice::from_ref(&dataset), Known::All, &mut vec![])[0], (dataset, None));
    }
}
