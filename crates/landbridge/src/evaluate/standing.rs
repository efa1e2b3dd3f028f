//! Where the true match stands among its rivals.

use super::closer::{Rivals, rivals};
use super::foscttm::share;
use crate::geometry::neighbors::{Metric, row_distance};
use crate::linalg::Matrix;
use crate::memory::{of_doubles, of_each};
use serde::{Deserialize, Serialize};

/// Where the true match of a row stands among all rows of the other dataset.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Standing {
    /// 1 if no other row is as near; a tie counts against the match.
    pub rank: usize,
    /// The share of the other rows that are nearer, from 0 to 1; a tie counts half.
    pub closer: f64,
}

impl Standing {
    fn of(rivals: Rivals, rows: usize) -> Self {
        Self { rank: 1 + rivals.nearer + rivals.equal, closer: share(rivals, rows) }
    }
}

/// For each pair of a source row and a target row: where the target row stands for the source row, and the source row for the
/// target row. Time grows with the number of pairs, until one product of all rows with all others is cheaper.
pub fn standings(source: &Matrix<f64>, target: &Matrix<f64>, pairs: &[(usize, usize)], metric: Metric) -> Vec<[Standing; 2]> {
    let (n, m) = (source.nrows(), target.nrows());
    if pairs.len() * (n + m) >= n * m {
        let exact = |i: usize, j: usize| row_distance(metric, source.row(i), target.row(j));
        let (there, back) = rivals((source, target), pairs, metric, true, exact);
        return there.into_iter().zip(back).map(|(t, b)| [Standing::of(t, m), Standing::of(b, n)]).collect();
    }
    let there = one_way(source, target, pairs, metric);
    let turned: Vec<(usize, usize)> = pairs.iter().map(|&(i, j)| (j, i)).collect();
    let back = one_way(target, source, &turned, metric);
    there.into_iter().zip(back).map(|(there, back)| [there, back]).collect()
}

/// Bytes that [`standings`] takes for rows of `d` columns and that many pairs.
pub(crate) fn room_for_standings((n, m): (usize, usize), d: usize, pairs: usize) -> u64 {
    // In double and in single precision, with squares and lengths; of each pair two questions and what is counted for them.
    let side = |rows: usize| of_each(rows, d, 12) + of_each(rows, 1, 32);
    let of_pairs = of_each(pairs, 1, 280);
    let tiles = of_each(n / 256 + 1, m / 256 + 1, 16);
    of_pairs
        + tiles
        + match pairs * (n + m) >= n * m {
            true => side(n) + side(m),
            false => side(pairs) + of_doubles(pairs, d) + side(n.max(m)),
        }
}

fn one_way(source: &Matrix<f64>, target: &Matrix<f64>, pairs: &[(usize, usize)], metric: Metric) -> Vec<Standing> {
    let asked = source.select_rows(&pairs.iter().map(|p| p.0).collect::<Vec<_>>());
    let own: Vec<(usize, usize)> = pairs.iter().enumerate().map(|(q, p)| (q, p.1)).collect();
    let exact = |q: usize, j: usize| row_distance(metric, asked.row(q), target.row(j));
    let (found, _) = rivals((&asked, target), &own, metric, false, exact);
    found.into_iter().map(|r| Standing::of(r, target.nrows())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::foscttm::closer_share;

    #[test]
    fn standings_are_as_the_definition_says() {
        let mut state = 3u64;
        let mut cloud = |n| {
            Matrix::from_fn(n, 3, |_, _| {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                (state >> 61) as f64 // few values: many ties
            })
        };
        let (x, y) = (cloud(30), cloud(41));
        // Few pairs, and so many that one product serves all.
        for (metric, count) in [(Metric::Euclidean, 12), (Metric::Cosine, 12), (Metric::Euclidean, 60), (Metric::Cosine, 60)] {
            let pairs: Vec<(usize, usize)> = (0..count).map(|q| (q * 5 % 30, q * 7 % 41)).collect();
            let found = standings(&x, &y, &pairs, metric);
            for (&(i, j), [there, back]) in pairs.iter().zip(found) {
                assert_eq!(there.closer, closer_share(x.row(i), &y, j, metric));
                assert_eq!(back.closer, closer_share(y.row(j), &x, i, metric));
                let own = row_distance(metric, x.row(i), y.row(j));
                let as_near = (0..41).filter(|&t| row_distance(metric, x.row(i), y.row(t)) <= own).count();
                assert_eq!(there.rank, as_near);
            }
        }
    }
}
