//! Top-k in both directions: the largest entries of every row and of every column of `X Y'`, which is never stored as a whole.
#![allow(unsafe_code)]

use crate::linalg::Matrix;
use crate::linalg::dispatch::widest;
use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, MatRef, Par};
use rayon::prelude::*;

/// A tile of the product: 256 KB, so that it fits in the second-level cache together with its factors.
const ROWS: usize = 128;
const COLUMNS: usize = 512;
/// Entries compared together.
const LANES: usize = 16;

/// For each of n rows or columns the k largest values seen, descending, and their indices; ties in order of arrival.
pub(crate) struct Largest {
    k: usize,
    values: Vec<f32>,
    indices: Vec<u32>,
    /// The smallest value of each list, which a new value must exceed.
    least: Vec<f32>,
}

impl Largest {
    fn new(n: usize, k: usize) -> Self {
        let nothing = f32::NEG_INFINITY;
        Self { k, values: vec![nothing; n * k], indices: vec![u32::MAX; n * k], least: vec![nothing; n] }
    }
    /// Values and indices of one list.
    pub(crate) fn of(&self, place: usize) -> (&[f32], &[u32]) {
        let range = place * self.k..(place + 1) * self.k;
        (&self.values[range.clone()], &self.indices[range])
    }
    fn insert(&mut self, place: usize, value: f32, index: u32) {
        let from = place * self.k;
        let mut at = from + self.k - 1;
        while at > from && self.values[at - 1] < value {
            self.values[at] = self.values[at - 1];
            self.indices[at] = self.indices[at - 1];
            at -= 1;
        }
        self.values[at] = value;
        self.indices[at] = index;
        self.least[place] = self.values[from + self.k - 1];
    }
    /// Merges lists of the same columns from later rows.
    fn merge(&mut self, later: &Self) {
        for place in 0..self.least.len() {
            let (values, indices) = later.of(place);
            for (value, index) in values.iter().zip(indices) {
                if *value > self.least[place] {
                    self.insert(place, *value, *index);
                }
            }
        }
    }
}

widest! {
    ["avx512f"], ["avx2"];
    /// Groups of [`LANES`] entries that hold at least one candidate for the list of its row or of its column.
    fn promising(entries: &[f32], of_y: &[f32], of_x: f32, row_least: f32, column_least: &[f32], out: &mut Vec<u32>) = promising_in;
}

#[inline(always)]
fn promising_in(entries: &[f32], of_y: &[f32], of_x: f32, row_least: f32, column_least: &[f32], out: &mut Vec<u32>) {
    out.clear();
    let (groups, rest) = entries.as_chunks::<LANES>();
    let (handicaps, _) = of_y.as_chunks::<LANES>();
    let (leasts, _) = column_least.as_chunks::<LANES>();
    for (g, ((s, y), c)) in groups.iter().zip(handicaps).zip(leasts).enumerate() {
        let mut any = 0u32;
        for l in 0..LANES {
            any |= u32::from(s[l] - y[l] > row_least) | u32::from(s[l] - of_x > c[l]);
        }
        if any != 0 {
            out.push(g as u32);
        }
    }
    if !rest.is_empty() {
        out.push(groups.len() as u32);
    }
}

/// With `S = X Y'`: for each row i the k largest `S_ij − of_y[j]`, for each column j the k largest `S_ij − of_x[i]`. Ties go to
/// the lower index. Tiles and lists are the same on any number of threads.
pub(crate) fn largest_both_ways(x: &Matrix<f32>, y: &Matrix<f32>, of_x: &[f32], of_y: &[f32], k: usize) -> (Largest, Largest) {
    let (n, m, d) = (x.nrows(), y.nrows(), x.ncols());
    debug_assert!(y.ncols() == d && of_x.len() == n && of_y.len() == m);
    // Each thread takes tiles of consecutive rows and has its own lists of all columns.
    let part = n.div_ceil(ROWS).div_ceil(rayon::current_num_threads()).max(1) * ROWS;
    let parts: Vec<(Largest, Largest)> = (0..n.div_ceil(part))
        .into_par_iter()
        .map(|p| {
            let (first, end) = (p * part, ((p + 1) * part).min(n));
            let (mut rows, mut columns) = (Largest::new(end - first, k), Largest::new(m, k));
            let mut tile = Mat::<f32>::zeros(COLUMNS, ROWS);
            let mut hits = vec![];
            for i0 in (first..end).step_by(ROWS) {
                let height = ROWS.min(end - i0);
                let some = MatRef::from_row_major_slice(&x.as_slice()[i0 * d..(i0 + height) * d], height, d);
                for j0 in (0..m).step_by(COLUMNS) {
                    let width = COLUMNS.min(m - j0);
                    let others = MatRef::from_row_major_slice(&y.as_slice()[j0 * d..(j0 + width) * d], width, d);
                    let product = tile.as_mut().submatrix_mut(0, 0, width, height);
                    matmul(product, Accum::Replace, others, some.transpose(), 1.0, Par::Seq);
                    for r in 0..height {
                        let (i, entries) = (i0 + r, &tile.col_as_slice(r)[..width]);
                        let near = j0..j0 + width;
                        let least = rows.least[i - first];
                        promising(entries, &of_y[near.clone()], of_x[i], least, &columns.least[near], &mut hits);
                        for &g in &hits {
                            let from = g as usize * LANES;
                            for c in from..(from + LANES).min(width) {
                                let (j, s) = (j0 + c, entries[c]);
                                if s - of_y[j] > rows.least[i - first] {
                                    rows.insert(i - first, s - of_y[j], j as u32);
                                }
                                if s - of_x[i] > columns.least[j] {
                                    columns.insert(j, s - of_x[i], i as u32);
                                }
                            }
                        }
                    }
                }
            }
            (rows, columns)
        })
        .collect();
    let (mut rows, mut columns) = (Largest::new(0, k), Largest::new(m, k));
    for (own, others) in &parts {
        rows.values.extend_from_slice(&own.values);
        rows.indices.extend_from_slice(&own.indices);
        rows.least.extend_from_slice(&own.least);
        columns.merge(others);
    }
    (rows, columns)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// All entries, sorted.
    fn naive(of_rows: bool, s: &[Vec<f32>], of_x: &[f32], of_y: &[f32], place: usize, k: usize) -> Vec<(f32, u32)> {
        let mut all: Vec<(f32, u32)> = if of_rows {
            (0..of_y.len()).map(|j| (s[place][j] - of_y[j], j as u32)).collect()
        } else {
            (0..of_x.len()).map(|i| (s[i][place] - of_x[i], i as u32)).collect()
        };
        all.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        all.truncate(k);
        all
    }

    #[test]
    fn the_largest_of_rows_and_columns_are_those_of_the_whole_product() {
        for (n, m, d, k) in [(300, 700, 9, 10), (5, 3, 2, 2), (129, 513, 1, 3), (17, 1030, 33, 1)] {
            let mut rng = ChaCha8Rng::seed_from_u64(n as u64);
            // Small integers: products are exact, and there are many ties.
            let mut some = |r: usize, c: usize| Matrix::from_fn(r, c, |_, _| rng.random_range(-3..4) as f32);
            let (x, y, h) = (some(n, d), some(m, d), some(1, n + m));
            let (of_x, of_y) = h.as_slice().split_at(n);
            let s: Vec<Vec<f32>> =
                x.rows().map(|a| y.rows().map(|b| a.iter().zip(b).map(|(a, b)| a * b).sum()).collect()).collect();
            let threads = |count: usize| rayon::ThreadPoolBuilder::new().num_threads(count).build().unwrap();
            for count in [1, 3] {
                let (rows, columns) = threads(count).install(|| largest_both_ways(&x, &y, of_x, of_y, k));
                for (of_rows, lists, places) in [(true, &rows, n), (false, &columns, m)] {
                    for place in 0..places {
                        let (values, indices) = lists.of(place);
                        let got: Vec<(f32, u32)> = values.iter().copied().zip(indices.iter().copied()).collect();
                        assert_eq!(got, naive(of_rows, &s, of_x, of_y, place, k), "{n} x {m}, {count} threads, {place}");
                    }
                }
            }
        }
    }
}
