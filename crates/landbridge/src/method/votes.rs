//! Predictions that do not depend on the row: the mean or the most frequent vote of each column (Lamvu13 §4).

use crate::data::known::{column_sums, warn_of_gaps};
use crate::data::{Dataset, Known, Pairs};
use crate::error::Result;
use crate::linalg::{Csr, Matrix};
use crate::method::method;
use crate::model::{Alignment, Fitted, Mapping};
use crate::outcome::Outcome;
use crate::params::{Threads, threads_setters};
use crate::run::Run;
use landbridge_derive::{Params, Words};

/// The prediction for a column without votes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Words)]
#[non_exhaustive]
pub enum Unseen {
    /// 0.
    #[default]
    Zero,
    /// The prediction over all columns together: the mean of all votes, or the most frequent vote.
    Overall,
}

/// Predicts the mean known vote of each column, the same for every row: the baseline "Mean Votes" of Lamvu13.
///
/// The votes are those of the labelled rows, which occur in a pair; without pairs all rows vote. With `unseen` overall it is
/// the column mean with a global fallback, a fairer baseline if many columns have no votes.
///
/// ```
/// use landbridge::data::{Dataset, Pairs};
/// use landbridge::linalg::Csr;
/// use landbridge::method::MeanVotes;
/// let books = Dataset::new("books", Csr::from_triplets(3, 1, &[(0, 0, 5.0)])?)?;
/// let films = Dataset::new("films", Csr::from_triplets(3, 2, &[(0, 0, 2.0), (1, 0, 4.0), (2, 1, 1.0)])?)?;
/// let votes = MeanVotes::new().fit(&[books.clone(), films], &Pairs::from_table(&[[0, 0], [1, 1]])?)?;
/// assert_eq!(votes.predict(books.rows(), 0, 1)?.row(2), [3.0, 0.0]);
/// # Ok::<(), landbridge::Error>(())
/// ```
///
/// # Python
/// ```python
/// >>> import landbridge as lb
/// >>> a = lb.MeanVotes().fit([[[1.0], [2.0]], [[4.0, 0.0], [2.0, 5.0]]], [[0, 0], [1, 1]])
/// >>> a.predict([[9.0]], source=0, target=1).tolist()
/// [[3.0, 5.0]]
/// ```
#[derive(Clone, Debug, PartialEq, Params)]
#[params(
    name = "mean_votes",
    class = "MeanVotes",
    family = "votes",
    paper = "baseline of Hou, Nie, Wang, Yi, Zhang 2013",
    choose = "you want to know how much the individual row contributes"
)]
pub struct MeanVotes {
    /// Which entries are votes.
    #[param(default = Known::Rated)]
    known: Known,
    /// The prediction for a column without votes.
    #[param(default = Unseen::Zero)]
    unseen: Unseen,
    #[group]
    threads: Threads,
}

method!(MeanVotes);

impl MeanVotes {
    fn fit_steps(&self, datasets: &[Dataset], pairs: &Pairs, run: &mut Run<'_>) -> Result<Alignment> {
        fit_votes(datasets, pairs, self.known, |votes, rows| mean_votes(votes, rows, self.unseen), run)
    }
}

/// Predicts the most frequent known vote of each column, the same for every row: the baseline "Popular Votes" of Lamvu13.
///
/// Among equally frequent votes, the one nearest to the mean of the column wins; of two equally near, the higher. The
/// parameters are those of mean votes.
#[derive(Clone, Debug, PartialEq, Params)]
#[params(
    name = "popular_votes",
    class = "PopularVotes",
    family = "votes",
    paper = "baseline of Hou, Nie, Wang, Yi, Zhang 2013",
    choose = "as for mean_votes, if a mean is not a valid vote"
)]
pub struct PopularVotes {
    /// Which entries are votes.
    #[param(default = Known::Rated)]
    known: Known,
    /// The prediction for a column without votes.
    #[param(default = Unseen::Zero)]
    unseen: Unseen,
    #[group]
    threads: Threads,
}

method!(PopularVotes);

impl PopularVotes {
    fn fit_steps(&self, datasets: &[Dataset], pairs: &Pairs, run: &mut Run<'_>) -> Result<Alignment> {
        fit_votes(datasets, pairs, self.known, |votes, rows| popular_votes(votes, rows, self.unseen), run)
    }
}

fn fit_votes(
    datasets: &[Dataset],
    pairs: &Pairs,
    known: Known,
    count: impl Fn(&Csr, &[usize]) -> Vec<f64>,
    run: &mut Run<'_>,
) -> Result<Alignment> {
    if !pairs.is_empty() {
        pairs.check(datasets)?;
    }
    let mut fitted = vec![];
    for (a, dataset) in datasets.iter().enumerate() {
        let votes = known.entries(dataset.rows());
        warn_of_gaps(dataset, &votes, &mut run.warnings);
        let mut labelled = vec![pairs.is_empty(); dataset.nrows()];
        for link in pairs.links() {
            for (side, row) in [(link.a, link.i), (link.b, link.j)] {
                if side == a {
                    labelled[row] = true;
                }
            }
        }
        let rows: Vec<usize> = (0..dataset.nrows()).filter(|&i| labelled[i]).collect();
        let mapping = Mapping::Votes(count(&votes, &rows));
        fitted.push(Fitted::new(dataset, Matrix::zeros(dataset.nrows(), 1), mapping));
    }
    run.lap("votes");
    Ok(Alignment::of(fitted, vec![], Outcome::direct("none")))
}

fn mean_votes(votes: &Csr, rows: &[usize], unseen: Unseen) -> Vec<f64> {
    let (sums, counts) = column_sums(votes, rows.iter().copied());
    let overall = match unseen {
        Unseen::Zero => 0.0,
        Unseen::Overall => sums.iter().sum::<f64>() / counts.iter().sum::<usize>().max(1) as f64,
    };
    sums.iter().zip(&counts).map(|(s, &n)| if n > 0 { s / n as f64 } else { overall }).collect()
}

fn popular_votes(votes: &Csr, rows: &[usize], unseen: Unseen) -> Vec<f64> {
    let mut columns: Vec<Vec<f64>> = vec![vec![]; votes.ncols()];
    rows.iter().for_each(|&i| votes.row(i).for_each(|(j, v)| columns[j as usize].push(v)));
    let overall = match unseen {
        Unseen::Zero => 0.0,
        Unseen::Overall => most_frequent(columns.concat()).unwrap_or(0.0),
    };
    columns.into_iter().map(|votes| most_frequent(votes).unwrap_or(overall)).collect()
}

fn most_frequent(mut votes: Vec<f64>) -> Option<f64> {
    let mean = votes.iter().sum::<f64>() / votes.len().max(1) as f64;
    votes.sort_by(f64::total_cmp);
    let runs = votes.chunk_by(|a, b| a == b).map(|run| (run.len(), run[0]));
    runs.max_by(|a, b| a.0.cmp(&b.0).then((b.1 - mean).abs().total_cmp(&(a.1 - mean).abs())).then(a.1.total_cmp(&b.1)))
        .map(|(_, vote)| vote)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn votes_of_labelled_rows_count() {
        let films = [(0, 0, 2.0), (1, 0, 4.0), (2, 0, 4.0), (0, 1, 1.0), (1, 1, 0.0), (3, 2, 9.0)];
        let datasets = [
            Dataset::new("a", Matrix::<f64>::zeros(4, 1)).unwrap(),
            Dataset::new("b", Csr::from_triplets(4, 3, &films).unwrap()).unwrap(),
        ];
        let pairs = Pairs::first_rows(2, 3);
        let votes = |unseen| {
            let mean = MeanVotes::new().unseen(unseen).fit(&datasets, &pairs).unwrap();
            let popular = PopularVotes::new().unseen(unseen).fit(&datasets, &pairs).unwrap();
            [mean, popular].map(|a| a.predict(datasets[0].rows(), 0, 1).unwrap().row(3).to_vec())
        };
        // A stored 0 is a vote. Among votes equally far from the mean, the higher wins.
        assert_eq!(votes(Unseen::Zero), [[10.0 / 3.0, 0.5, 0.0], [4.0, 1.0, 0.0]]);
        assert_eq!(votes(Unseen::Overall), [[10.0 / 3.0, 0.5, 11.0 / 5.0], [4.0, 1.0, 4.0]]);
        // Without pairs all rows vote.
        let all = MeanVotes::new().fit(&datasets, &Pairs::none(2)).unwrap();
        assert_eq!(all.predict(datasets[0].rows(), 0, 1).unwrap().row(0)[2], 9.0);
        let bytes = all.to_bytes().unwrap();
        let again = Alignment::from_bytes(&bytes, std::path::Path::new("x")).unwrap();
        assert_eq!(again.predict(datasets[0].rows(), 0, 1).unwrap().row(0)[2], 9.0);
    }
}
