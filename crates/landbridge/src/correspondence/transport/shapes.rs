//! One dataset in the transport problem: ranked distances between its landmarks, and the landmarks that its rows follow.

use crate::data::Rows;
use crate::error::Result;
use crate::geometry::distances::row_distances;
use crate::geometry::neighbors::{Metric, Neighbors, Search, neighbors, neighbors_among};
use crate::linalg::Matrix;
use crate::progress::Progress;
use rayon::prelude::*;

/// One dataset in the transport problem.
pub(super) struct Shape {
    pub(super) name: String,
    /// Number of neighbours (0: straight distances) and ranked distances between the landmarks.
    pub(super) geometries: Vec<(usize, Matrix<f64>)>,
    /// For each row, the landmarks that it follows, with shares that sum to 1.
    pub(super) follows: Vec<Vec<(u32, f64)>>,
    /// The rows that are landmarks.
    pub(super) chosen: Vec<usize>,
}

/// The source of the distances between rows: their features, or a given matrix.
pub(super) trait Apart {
    fn nrows(&self) -> usize;
    /// Distances between some of the rows.
    fn straight(&self, chosen: &[usize]) -> Result<Matrix<f64>>;
    fn neighbors(&self, k: usize, seed: u64, progress: &Progress) -> Result<Neighbors>;
    /// The nearest chosen row of every row.
    fn nearest(&self, chosen: &[usize], k: usize, progress: &Progress) -> Result<Neighbors>;

    fn followed(&self, chosen: &[usize], k: usize, progress: &Progress) -> Result<Vec<Vec<(u32, f64)>>> {
        let found = self.nearest(chosen, k, progress)?;
        let follow = |i: usize| -> Vec<(u32, f64)> {
            let mean = found.row(i).map(|f| f.1).sum::<f64>() / k as f64;
            let weigh = |d: f64| if mean > 0.0 { (-2.0 * (d / mean).powi(2)).exp() } else { 1.0 };
            let total: f64 = found.row(i).map(|f| weigh(f.1)).sum();
            found.row(i).map(|(l, d)| (l, weigh(d) / total)).collect()
        };
        Ok((0..found.nrows()).into_par_iter().map(follow).collect())
    }
}

pub(super) struct Rowed<'a> {
    pub(super) rows: &'a Rows,
    pub(super) metric: Metric,
}

impl Apart for Rowed<'_> {
    fn nrows(&self) -> usize {
        self.rows.nrows()
    }
    fn straight(&self, chosen: &[usize]) -> Result<Matrix<f64>> {
        let some = self.rows.select(chosen);
        row_distances(&some, &some, self.metric)
    }
    fn neighbors(&self, k: usize, seed: u64, progress: &Progress) -> Result<Neighbors> {
        neighbors(self.rows, k, self.metric, Search::Auto, seed, progress)
    }
    fn nearest(&self, chosen: &[usize], k: usize, progress: &Progress) -> Result<Neighbors> {
        neighbors_among(self.rows, &self.rows.select(chosen), k, self.metric, progress)
    }
}

impl Apart for Matrix<f64> {
    fn nrows(&self) -> usize {
        Matrix::nrows(self)
    }
    fn straight(&self, chosen: &[usize]) -> Result<Matrix<f64>> {
        Ok(Matrix::from_fn(chosen.len(), chosen.len(), |i, j| self[(chosen[i], chosen[j])]))
    }
    fn neighbors(&self, k: usize, _: u64, _: &Progress) -> Result<Neighbors> {
        Ok(nearest_given(self, &(0..Matrix::nrows(self)).collect::<Vec<_>>(), k, true))
    }
    fn nearest(&self, chosen: &[usize], k: usize, _: &Progress) -> Result<Neighbors> {
        Ok(nearest_given(self, chosen, k, false))
    }
}

/// The nearest chosen column of every row, as a position among the chosen.
fn nearest_given(distances: &Matrix<f64>, chosen: &[usize], k: usize, others: bool) -> Neighbors {
    let rows: Vec<Vec<(u32, f64)>> = (0..distances.nrows())
        .into_par_iter()
        .map(|i| {
            let row = distances.row(i);
            let at = chosen.iter().enumerate().filter(|(_, j)| !others || **j != i);
            let mut order: Vec<(u32, f64)> = at.map(|(l, j)| (l as u32, row[*j])).collect();
            let nearer = |a: &(u32, f64), b: &(u32, f64)| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0));
            order.select_nth_unstable_by(k - 1, nearer);
            order.truncate(k);
            order.sort_unstable_by(nearer);
            order
        })
        .collect();
    let flat = || rows.iter().flatten();
    Neighbors { k, indices: flat().map(|f| f.0).collect(), distances: flat().map(|f| f.1).collect() }
}

/// Hop counts between landmarks over the graph of the `k` nearest neighbours. An unreachable landmark counts one more than
/// the largest.
pub(super) fn hops(found: &Neighbors, k: usize, landmarks: &[usize]) -> Matrix<f64> {
    let n = found.nrows();
    let mut beside: Vec<Vec<u32>> = vec![vec![]; n];
    for i in 0..n {
        for (j, _) in found.row(i).take(k) {
            beside[i].push(j);
            beside[j as usize].push(i as u32);
        }
    }
    const NONE: u32 = u32::MAX;
    let mut out = Matrix::zeros(landmarks.len(), landmarks.len());
    out.as_mut_slice().par_chunks_mut(landmarks.len()).zip(landmarks).for_each_init(
        || (vec![NONE; n], Vec::with_capacity(n)),
        |(steps, queue), (out, &from)| {
            steps.fill(NONE);
            queue.clear();
            steps[from] = 0;
            queue.push(from as u32);
            let mut at = 0;
            while at < queue.len() {
                let node = queue[at] as usize;
                at += 1;
                for &next in &beside[node] {
                    if steps[next as usize] == NONE {
                        steps[next as usize] = steps[node] + 1;
                        queue.push(next);
                    }
                }
            }
            out.iter_mut().zip(landmarks).for_each(|(o, l)| *o = if steps[*l] == NONE { -1.0 } else { f64::from(steps[*l]) });
        },
    );
    let longest = out.as_slice().iter().fold(0.0f64, |a, v| a.max(*v));
    out.as_mut_slice().iter_mut().filter(|v| **v < 0.0).for_each(|v| *v = longest + 1.0);
    out
}

/// Ranks of the distances between different rows, with ties averaged, scaled to a mean square of 1.
pub(super) fn ranked(distances: &Matrix<f64>) -> Matrix<f64> {
    let n = distances.nrows();
    let mut order: Vec<(f64, u32, u32)> = (0..n)
        .into_par_iter()
        .flat_map_iter(|i| (i + 1..n).map(move |j| (0.5 * (distances[(i, j)] + distances[(j, i)]), i as u32, j as u32)))
        .collect();
    order.par_sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    let same = order.last().map_or(0.0, |l| l.0) * 1e-12;
    let mut out = Matrix::zeros(n, n);
    let (mut first, mut squares) = (0, 0.0);
    while first < order.len() {
        let mut last = first;
        while last + 1 < order.len() && order[last + 1].0 - order[first].0 <= same {
            last += 1;
        }
        let rank = 0.5 * (first + last) as f64 + 1.0;
        for &(_, i, j) in &order[first..=last] {
            out[(i as usize, j as usize)] = rank;
            out[(j as usize, i as usize)] = rank;
        }
        squares += 2.0 * rank * rank * (last + 1 - first) as f64;
        first = last + 1;
    }
    let scale = (squares / (n * n) as f64).sqrt().max(f64::MIN_POSITIVE);
    out.as_mut_slice().iter_mut().for_each(|v| *v /= scale);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hops_are_shortest_paths_of_edges_of_length_one() {
        let rows = Rows::F64(Matrix::from_fn(40, 2, |i, j| ((i * (7 + 5 * j)) % 41) as f64 + if i >= 36 { 1e3 } else { 0.0 }));
        let found = neighbors(&rows, 3, Metric::Euclidean, Search::Auto, 0, &Progress::silent()).unwrap();
        let all: Vec<usize> = (0..40).collect();
        let fast = hops(&found, 3, &all);
        // Floyd–Warshall.
        let mut naive = Matrix::from_fn(40, 40, |i, j| if i == j { 0.0 } else { f64::INFINITY });
        for i in 0..40 {
            for (j, _) in found.row(i) {
                naive[(i, j as usize)] = 1.0;
                naive[(j as usize, i)] = 1.0;
            }
        }
        for k in 0..40 {
            for i in 0..40 {
                for j in 0..40 {
                    naive[(i, j)] = naive[(i, j)].min(naive[(i, k)] + naive[(k, j)]);
                }
            }
        }
        let longest = naive.as_slice().iter().filter(|v| v.is_finite()).fold(0.0f64, |a, v| a.max(*v));
        assert!(naive.as_slice().contains(&f64::INFINITY));
        for (f, n) in fast.as_slice().iter().zip(naive.as_slice()) {
            assert_eq!(*f, if n.is_finite() { *n } else { longest + 1.0 });
        }
        let some = hops(&found, 3, &[3, 17, 38]);
        assert_eq!(some[(0, 1)], fast[(3, 17)]);
        assert_eq!(some[(1, 2)], fast[(3, 17)] + 1.0, "no way: one more than the longest among these");
    }

    #[test]
    fn ranks_keep_the_order_and_equal_ones_share_theirs() {
        let d = Matrix::from_fn(4, 4, |i, j| if i == j { 0.0 } else { ((i + j) % 4) as f64 + 1.0 });
        let r = ranked(&d);
        // Off the diagonal: sums 1, 2, 3, 3, 4, 5, so 2, 3, 4, 4, 1, 2.
        assert_eq!(r[(0, 1)], r[(2, 3)]);
        assert_eq!(r[(0, 3)], r[(1, 2)]);
        assert!(r[(1, 3)] < r[(0, 1)] && r[(0, 1)] < r[(0, 2)] && r[(0, 2)] < r[(0, 3)]);
        let square: f64 = r.as_slice().iter().map(|v| v * v).sum::<f64>() / 16.0;
        assert!((square - 1.0).abs() < 1e-12);
        assert_eq!(r[(0, 1)] / r[(1, 3)], 2.5, "ranks 2 and 3 are shared, 1 is alone");
    }
}
