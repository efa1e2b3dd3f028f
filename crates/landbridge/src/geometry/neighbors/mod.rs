//! The k nearest neighbours of every row.
//!
//! * dense rows of few columns: a k-d tree (`tree`), exact;
//! * dense rows: blocked products with the comparison inside (`dense`), exact and certified;
//! * few dense queries: one pass over the reference rows in place (`direct`), exact;
//! * sparse rows: never made dense (`sparse`), exact;
//! * many dense rows: random-projection trees refined by neighbour descent (`descent`), approximate.

mod certify;
mod dense;
mod descent;
mod direct;
mod sparse;
mod symmetric;
mod tree;

use crate::data::{Rows, RowsRef};
use crate::error::{Error, Result};
use crate::linalg::{Csr, Matrix};
use crate::memory::{of_doubles, of_each};
use crate::progress::{Progress, with_threads};
use dense::Dense;
use landbridge_derive::Words;
use std::sync::Arc;

/// Distance between two rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Words)]
#[non_exhaustive]
pub enum Metric {
    /// Euclidean distance, `|x − y|`.
    Euclidean,
    /// Cosine distance, `1 − x·y / |x||y|`; 1 if a row is zero.
    Cosine,
}

/// Exact or approximate search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Words)]
#[non_exhaustive]
pub enum Search {
    /// Exact for sparse rows, for few columns and up to 30,000 dense rows; approximate above.
    Auto,
    /// Always exact.
    Exact,
    /// Always approximate (dense rows).
    Approximate,
}

/// Up to this many rows, dense datasets are searched exactly by default.
pub(crate) const EXACT_LIMIT: usize = 30_000;

/// Neighbours of one row: (distance, row number).
type Found = Vec<(f64, u32)>;

/// Neighbours of each of `n` rows, nearest first, equal distances by lower row number.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Neighbors {
    /// Number of neighbours per row.
    pub k: usize,
    /// Row numbers, k for each row.
    pub indices: Vec<u32>,
    /// Distances of these rows.
    pub distances: Vec<f64>,
}

impl Neighbors {
    /// Number of rows.
    pub fn nrows(&self) -> usize {
        self.indices.len() / self.k.max(1)
    }
    /// Neighbours of row `i`.
    pub fn row(&self, i: usize) -> impl Iterator<Item = (u32, f64)> + '_ {
        let range = i * self.k..(i + 1) * self.k;
        self.indices[range.clone()].iter().copied().zip(self.distances[range].iter().copied())
    }
    fn from_rows(k: usize, rows: Vec<Vec<(f64, u32)>>) -> Self {
        let mut neighbors =
            Neighbors { k, indices: Vec::with_capacity(rows.len() * k), distances: Vec::with_capacity(rows.len() * k) };
        for row in rows {
            debug_assert_eq!(row.len(), k);
            for (distance, index) in row {
                neighbors.indices.push(index);
                neighbors.distances.push(distance);
            }
        }
        neighbors
    }
}

/// Checks that every row has `k` other rows.
pub(crate) fn check_neighbors(n_neighbors: usize, dataset: &str, rows: usize) -> Result<()> {
    if n_neighbors == 0 || n_neighbors >= rows {
        return Err(Error::NeighborsOutOfRange { dataset: dataset.into(), n_neighbors, rows });
    }
    Ok(())
}

/// The `k` nearest other rows of every row. Fits that share results search once.
pub fn neighbors(rows: &Rows, k: usize, metric: Metric, search: Search, seed: u64, progress: &Progress) -> Result<Neighbors> {
    let name = || format!("{k} neighbours, {metric:?}, {search:?}, {seed}");
    let at = std::ptr::from_ref(rows).cast::<()>() as usize;
    progress.once(&[at], name, || searched(rows, k, metric, search, seed, progress)).map(Arc::unwrap_or_clone)
}

fn searched(rows: &Rows, k: usize, metric: Metric, search: Search, seed: u64, progress: &Progress) -> Result<Neighbors> {
    check_neighbors(k, "rows", rows.nrows())?;
    let approximate = match search {
        Search::Auto => rows.nrows() > EXACT_LIMIT,
        Search::Exact => false,
        Search::Approximate => true,
    };
    match (rows, Dense::of(rows.into())) {
        (Rows::Sparse(_), _) if search == Search::Approximate => {
            Err(Error::parameter("search", "approximate", "auto or exact for sparse rows, which are always searched exactly"))
        }
        (Rows::Sparse(rows), _) => sparse::search(rows, None, k, metric, progress),
        (_, Some(rows)) if search != Search::Approximate && few_columns(rows.ncols(), metric) => {
            tree::search(rows, None, k, progress)
        }
        (_, Some(rows)) if approximate => descent::search(rows, k, metric, seed, progress),
        (_, Some(rows)) => dense::search(rows, None, k, metric, progress),
        (_, None) => unreachable!("rows are dense or sparse"),
    }
}

/// The `k` nearest rows of `reference` for every row of `query`; exact.
pub(crate) fn neighbors_among<'a, 'b>(
    query: impl Into<RowsRef<'a>>,
    reference: impl Into<RowsRef<'b>>,
    k: usize,
    metric: Metric,
    progress: &Progress,
) -> Result<Neighbors> {
    let (query, reference) = (query.into(), reference.into());
    if k == 0 || k > reference.nrows() {
        return Err(Error::parameter("k", k, &format!("between 1 and {}", reference.nrows())));
    }
    if query.ncols() != reference.ncols() {
        return Err(Error::Shape {
            what: "query rows".into(),
            expected: format!("{} columns", reference.ncols()),
            got: query.ncols().to_string(),
        });
    }
    match (query, reference) {
        (RowsRef::Sparse(query), RowsRef::Sparse(reference)) => {
            with_threads(0, || sparse::search(reference, Some(query), k, metric, progress))
        }
        (RowsRef::Sparse(query), _) => neighbors_among(&query.to_dense(), reference, k, metric, progress),
        (RowsRef::F64(query), RowsRef::Sparse(_)) => {
            neighbors_among(&Csr::from_dense(&query.to_matrix()), reference, k, metric, progress)
        }
        (RowsRef::F32(query), RowsRef::Sparse(_)) => {
            neighbors_among(&Csr::from_dense(&query.to_matrix().to_f64()), reference, k, metric, progress)
        }
        _ => {
            let (Some(reference), Some(query)) = (Dense::of(reference), Dense::of(query)) else {
                unreachable!("both are dense here")
            };
            if let Some(found) = direct::search(reference, query, k, metric, progress)? {
                return Ok(found);
            }
            with_threads(0, || match few_columns(reference.ncols(), metric) {
                true => tree::search(reference, Some(query), k, progress),
                false => dense::search(reference, Some(query), k, metric, progress),
            })
        }
    }
}

/// The size of rows that may not be there yet.
#[derive(Clone, Copy)]
pub(crate) struct Extent {
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    pub(crate) sparse: bool,
}

impl<'a, R: Into<RowsRef<'a>>> From<R> for Extent {
    fn from(rows: R) -> Self {
        let rows = rows.into();
        Self { rows: rows.nrows(), columns: rows.ncols(), sparse: matches!(rows, RowsRef::Sparse(_)) }
    }
}

/// Bytes that a search for the `k` nearest of the reference rows takes, for every row of `query`: candidates, some more than `k`, and
/// what is found; a copy of the reference rows laid out for the search, and of the query where the kinds of rows differ.
pub(crate) fn room_among(query: impl Into<Extent>, reference: impl Into<Extent>, k: usize, metric: Metric) -> u64 {
    let (query, reference) = (query.into(), reference.into());
    let (n, m, p) = (query.rows, reference.rows, reference.columns);
    let found = of_each(n, k, 36) + of_each(n, 1, 160);
    let copies = match (query.sparse, reference.sparse) {
        (true, true) => of_each(n + m, 1, 8),
        (true, false) => of_doubles(n, p) + of_each(m, p, 4),
        (false, true) => 2 * of_each(n, p, 12) + of_each(n + m, 1, 8),
        (false, false) if few_columns(p, metric) => of_doubles(n, p) + of_each(m, p, 20) + of_each(m, 1, 12),
        (false, false) => of_each(m, p, 4) + of_each(m, 1, 16),
    };
    found + copies
}

fn few_columns(columns: usize, metric: Metric) -> bool {
    columns <= tree::MAX_COLUMNS && metric == Metric::Euclidean
}

/// Rows laid out for searching again and again; small ones are searched as they are.
#[derive(Debug)]
pub(crate) struct Index {
    laid: Option<dense::Laid>,
    metric: Metric,
}

impl Index {
    pub(crate) fn new(rows: &Matrix<f64>, metric: Metric) -> Self {
        let dense = Dense::F64(rows.view());
        let plain = few_columns(rows.ncols(), metric) || rows.as_slice().len() <= direct::SMALL;
        Self { laid: (!plain).then(|| with_threads(0, || dense::Laid::new(dense, metric))), metric }
    }
    /// What [`neighbors_among`] finds among the `rows` of this index.
    pub(crate) fn neighbors(&self, query: &Matrix<f64>, rows: &Matrix<f64>, k: usize, progress: &Progress) -> Result<Neighbors> {
        match &self.laid {
            Some(laid) => {
                let (rows, query) = (Dense::F64(rows.view()), Dense::F64(query.view()));
                with_threads(0, || laid.search(rows, query, k, progress))
            }
            None => neighbors_among(query, rows, k, self.metric, progress),
        }
    }
    /// What [`neighbors_handicapped`] finds among the `rows` of this index, which is by the cosine.
    pub(crate) fn handicapped(
        &self,
        query: &Matrix<f64>,
        rows: &Matrix<f64>,
        handicap: Vec<f64>,
        k: usize,
        progress: &Progress,
    ) -> Result<Neighbors> {
        match &self.laid {
            Some(laid) => {
                let (rows, query) = (Dense::F64(rows.view()), Dense::F64(query.view()));
                with_threads(0, || laid.search_handicapped(rows, query, handicap, k, progress))
            }
            None => neighbors_handicapped(query, rows, handicap, k, progress),
        }
    }
}

/// As [`neighbors_among`] by the cosine, with a `handicap` added to the distance of each reference row (CSLS).
pub(crate) fn neighbors_handicapped(
    query: &Matrix<f64>,
    reference: &Matrix<f64>,
    handicap: Vec<f64>,
    k: usize,
    progress: &Progress,
) -> Result<Neighbors> {
    with_threads(0, || dense::search_handicapped(Dense::F64(reference.view()), Dense::F64(query.view()), handicap, k, progress))
}

/// The distances that [`neighbors_among`] would report, one by one.
pub(crate) struct Measure<'a> {
    frame: dense::Frame,
    query: Dense<'a>,
    reference: Dense<'a>,
}

impl<'a> Measure<'a> {
    pub(crate) fn new(query: &'a Matrix<f64>, reference: &'a Matrix<f64>, metric: Metric) -> Self {
        let (query, reference) = (Dense::F64(query.view()), Dense::F64(reference.view()));
        Self { frame: dense::Frame::new(reference, metric), query, reference }
    }
    /// From row `i` of the queries to row `j` of the others.
    pub(crate) fn distance(&self, i: usize, j: usize) -> f64 {
        let (mut x, mut y) = (vec![0.0; self.query.ncols()], vec![0.0; self.query.ncols()]);
        self.frame.exact_row(self.query, i, &mut x);
        self.frame.exact_row(self.reference, j, &mut y);
        self.frame.distance(dense::exact(self.frame.metric(), &x, &y))
    }
}

/// Scales a row to unit length, as the searches do; a zero row stays zero.
pub(crate) fn unit_length(row: &mut [f64]) {
    dense::unit_length(row);
}

/// The power of two that brings `largest` into [0.5, 1]; 1 for zero.
pub(crate) fn power_of_two_below_inverse(largest: f64) -> f64 {
    dense::power_of_two_below_inverse(largest)
}

/// The distance the searches above would report for two rows.
pub(crate) fn row_distance(metric: Metric, x: &[f64], y: &[f64]) -> f64 {
    match metric {
        Metric::Euclidean => {
            let largest = x.iter().zip(y).fold(0.0f64, |a, (x, y)| a.max((x - y).abs()));
            if largest == 0.0 {
                return 0.0;
            }
            let scale = dense::power_of_two_below_inverse(largest);
            let squared: f64 = x.iter().zip(y).map(|(x, y)| ((x - y) * scale).powi(2)).sum();
            squared.sqrt() / scale
        }
        Metric::Cosine => {
            let (mut x, mut y) = (x.to_vec(), y.to_vec());
            dense::unit_length(&mut x);
            dense::unit_length(&mut y);
            dense::exact(Metric::Cosine, &x, &y)
        }
    }
}
