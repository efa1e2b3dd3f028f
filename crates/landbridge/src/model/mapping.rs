//! Out-of-sample extensions: how new rows of a dataset get coordinates in the joint space.

use crate::data::prepare::to_unit;
use crate::data::prepared::{Prepared, Values, mean_times};
use crate::data::{Batches, Dataset, Preparation, Prepare, Rows, RowsRef, check_rows};
use crate::error::{Error, Result, counted};
use crate::geometry::affinity::Kernel;
use crate::geometry::geodesic::distances_through;
use crate::geometry::local_weights::{local_weights, place};
use crate::geometry::neighbors::{Metric, neighbors_among, room_among};
use crate::linalg::tall::{TILE, Tall, each_chunk, each_row};
use crate::linalg::{Csr, Matrix, Scalar};
use crate::memory::{check_room, of_doubles, of_each};
use crate::model::{Alignment, DatasetRef, Triangulation};
use crate::progress::{Progress, with_threads};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// The out-of-sample extension of one dataset.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Mapping {
    /// There is none: the graph was given, so new rows have no neighbours.
    None,
    /// From neighbours among the fitted rows.
    Neighbors(NeighborExtension),
    /// A linear map.
    Linear(LinearMap),
    /// A linear map with few non-zero weights.
    Sparse(SparseMap),
    /// The joint space is the prepared feature space of this dataset.
    Prepared(Preparation),
    /// Similarity to known rows.
    Similarity(Anchors),
    /// Shortest paths to the fitted rows.
    Geodesic(GeodesicExtension),
    /// The affine combination of neighbours that reconstructs the row.
    Local(LocalExtension),
    /// Distances to landmarks.
    Triangulated(Box<Triangulation>),
    /// There is none, for this reason.
    Undefined(String),
    /// Another mapping, then an affine map.
    Moved(Box<Moved>),
    /// All rows have the same coordinates; the predicted vote of each column.
    Votes(Vec<f64>),
}

/// Coordinates in an embedding of the dataset by itself, then an affine map: `z = y A + t`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Moved {
    /// The mapping into the embedding.
    pub first: Mapping,
    /// The fitted rows in the embedding.
    pub coordinates: Matrix<f64>,
    /// A and t.
    pub by: Affine,
}

/// An affine map `z = y A + t`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Affine {
    /// A: one row per coordinate of y, one column per coordinate of z.
    pub matrix: Matrix<f64>,
    /// t.
    pub offset: Vec<f64>,
}

impl Affine {
    /// Applies the map to rows. No row's result depends on the others: rows go together only so that the matrix is read less often.
    pub(crate) fn apply(&self, y: &Matrix<f64>) -> Matrix<f64> {
        const TOGETHER: usize = 16;
        let (n, p, d) = (y.nrows(), y.ncols(), self.matrix.ncols());
        let mut out = Matrix::zeros(n, d);
        each_chunk(out.as_mut_slice(), (TOGETHER * d).max(1), |t, to| {
            to.chunks_exact_mut(d).for_each(|row| row.copy_from_slice(&self.offset));
            for c in 0..p {
                let a = self.matrix.row(c);
                for (r, row) in to.chunks_exact_mut(d).enumerate() {
                    let v = y[(t * TOGETHER + r, c)];
                    row.iter_mut().zip(a).for_each(|(o, a)| *o += v * a);
                }
            }
        });
        out
    }
}

/// Isomap's own extension. The shortest paths of a new row lead through its neighbours. Its coordinates are those whose
/// squared distances to the fitted rows fit best.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct GeodesicExtension {
    /// The fitted rows.
    pub rows: Arc<Rows>,
    /// Number of neighbours of a new row.
    pub n_neighbors: usize,
    /// Metric of the neighbour search.
    pub metric: Metric,
    /// Lengths of the edges between fitted rows.
    pub lengths: Csr,
    /// Mean squared distance from each fitted row to all.
    pub means: Vec<f64>,
    /// Eigenvalue of each component.
    pub eigenvalues: Vec<f64>,
}

impl GeodesicExtension {
    fn transform(&self, new: &Rows, embedding: &Matrix<f64>, progress: &Progress) -> Result<Matrix<f64>> {
        let found = neighbors_among(new, &self.rows, self.n_neighbors.min(self.rows.nrows()), self.metric, progress)?;
        let d = embedding.ncols();
        // ½ Σ_j (mean_j − d_j²) y_j / λ: the new row of the centred matrix times the eigenvectors over √λ. The largest λ is
        // divided out first: the product of a square and a coordinate may overflow or underflow even if the quotient does
        // not.
        let largest = self.eigenvalues.iter().fold(f64::MIN_POSITIVE, |a, v| a.max(*v));
        let places = distances_through(&self.lengths, &found, |distances| {
            let mut place = vec![0.0; d];
            for ((distance, mean), y) in distances.iter().zip(&self.means).zip(embedding.rows()) {
                let weight = 0.5 * (mean - distance * distance) / largest;
                place.iter_mut().zip(y).for_each(|(p, y)| *p += weight * y);
            }
            place.iter_mut().zip(&self.eigenvalues).for_each(|(p, value)| *p /= value / largest);
            place
        });
        Matrix::from_vec(places.concat(), new.nrows(), d)
    }
}

/// A new row has the same affine reconstruction weights in the joint space as among its neighbours.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LocalExtension {
    /// The fitted rows.
    pub rows: Arc<Rows>,
    /// Number of neighbours of a new row.
    pub n_neighbors: usize,
    /// Metric of the neighbour search.
    pub metric: Metric,
    /// Ridge of the local weights, in units of the trace of the local Gram matrix.
    pub ridge: f64,
    /// The fitted rows that may be neighbours. None: all.
    pub among: Option<Vec<u32>>,
}

impl LocalExtension {
    fn transform(&self, new: &Rows, embedding: &Matrix<f64>, progress: &Progress) -> Result<Matrix<f64>> {
        let chosen: Option<Vec<usize>> = self.among.as_ref().map(|a| a.iter().map(|&i| i as usize).collect());
        let (some, places);
        let (rows, embedding) = match &chosen {
            None => (&*self.rows, embedding),
            Some(chosen) => {
                (some, places) = (self.rows.select(chosen), embedding.select_rows(chosen));
                (&some, &places)
            }
        };
        let k = self.n_neighbors.min(rows.nrows());
        let found = neighbors_among(new, rows, k, self.metric, progress)?;
        let weights = local_weights(new, rows, &found, self.ridge)?;
        let mut out = place(&found, &weights, embedding);
        for i in 0..new.nrows() {
            // A row that equals a fitted one gets its coordinates.
            if let Some((j, _)) = found.row(i).next().filter(|(_, distance)| *distance == 0.0) {
                out.row_mut(i).copy_from_slice(embedding.row(j as usize));
            }
        }
        Ok(out)
    }
}

/// A linear map of prepared rows: `z = prepared(x) F`, each component times its weight, plus an offset.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LinearMap {
    /// Preprocessing of the rows.
    pub preparation: Preparation,
    /// F: one row per feature, one column per component.
    pub weights: Matrix<f64>,
    /// Weight of each component. None: all 1.
    pub component_weights: Option<Vec<f64>>,
    /// Offset. None: 0.
    pub offset: Option<Vec<f64>>,
    /// Whether placed rows get length 1.
    pub unit: bool,
    /// What is subtracted from rows of known batches, before they get length 1.
    pub batches: Option<BatchOffsets>,
    pub(crate) derived: Box<Derived>,
}

/// The images of the means of batches: rows of a known batch are placed around its own mean, others around that of all rows.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct BatchOffsets {
    /// Names, in alphabetical order.
    pub names: Vec<String>,
    /// A row per batch.
    pub offsets: Matrix<f64>,
}

/// Values derived from the map, computed on first use. A copy starts without them, because its numbers may change.
#[derive(Debug, Default)]
pub(crate) struct Derived {
    /// `m'F` with m the mean of the preparation.
    along: OnceLock<Vec<f64>>,
    /// `(F'F)⁺` and `F'`, by rows: `F⁺` is their product.
    pub(crate) inverse: OnceLock<(Vec<f64>, Vec<f64>)>,
    /// The map into the features of other datasets, by their positions, where one matrix is smaller than its factors.
    onto: Mutex<BTreeMap<usize, Arc<LinearMap>>>,
    /// F in single precision.
    single: OnceLock<Vec<f32>>,
}
impl Derived {
    /// The map into the features of the dataset at this position, if it is known.
    pub(crate) fn onto(&self, target: usize) -> Option<Arc<LinearMap>> {
        self.onto.lock().unwrap_or_else(PoisonError::into_inner).get(&target).cloned()
    }
    /// Keeps it.
    pub(crate) fn keep_onto(&self, target: usize, map: LinearMap) -> Arc<LinearMap> {
        self.onto.lock().unwrap_or_else(PoisonError::into_inner).entry(target).or_insert_with(|| Arc::new(map)).clone()
    }
}
impl Clone for Derived {
    fn clone(&self) -> Self {
        Self::default()
    }
}
impl PartialEq for Derived {
    fn eq(&self, _: &Self) -> bool {
        true // it says nothing of its own
    }
}

/// A sparse linear map of prepared rows: `z = prepared(x) F`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SparseMap {
    /// Preprocessing of the rows.
    pub preparation: Preparation,
    /// F: one row per feature, one column per component; only non-zero weights are stored.
    pub weights: Csr,
}

impl SparseMap {
    /// Coordinates of rows in the joint space.
    pub(crate) fn transform(&self, rows: &Rows) -> Result<Matrix<f64>> {
        let out = self.preparation.apply(rows).times_sparse(&self.weights);
        Matrix::from_vec(out.values, rows.nrows(), self.weights.ncols())
    }
}

/// The weight of a component: `sqrt(ρ / (1 − ρ²))`, with ρ = 1 − λ the correlation of the pairs along it. Assume that paired
/// coordinates are Gaussian with correlation ρ. Then the weight is the square root of the component's coefficient in the
/// log-likelihood ratio of "a pair" against "two unrelated rows". Components along which pairs do not correlate have weight
/// 0.
pub(crate) fn component_weights(correlations: impl Iterator<Item = f64>) -> Vec<f64> {
    correlations
        .map(|rho| {
            let rho = rho.clamp(0.0, 1.0 - 1e-6);
            (rho / (1.0 - rho * rho)).sqrt()
        })
        .collect()
}

/// Matrices with at least so many numbers do not stay in the cache of a core. Rows in single precision then meet the matrix in
/// single precision: the time is that of reading it, and its rounding is that of the rows.
const LARGE: usize = 1 << 18;

fn rounded(values: &[f64]) -> Vec<f32> {
    values.iter().map(|v| *v as f32).collect()
}

impl LinearMap {
    pub(crate) fn new(preparation: Preparation, weights: Matrix<f64>, component_weights: Option<Vec<f64>>) -> Self {
        Self { preparation, weights, component_weights, offset: None, unit: false, batches: None, derived: Box::default() }
    }
    /// Coordinates of rows in the joint space.
    pub(crate) fn transform<'a>(&self, rows: impl Into<RowsRef<'a>>) -> Matrix<f64> {
        self.placed(rows.into(), self.unit)
    }
    /// As [`LinearMap::transform`], before rows get length 1.
    pub(crate) fn image<'a>(&self, rows: impl Into<RowsRef<'a>>) -> Matrix<f64> {
        self.placed(rows.into(), false)
    }
    /// As [`LinearMap::transform`], for rows of these batches, and how many rows are of a batch that is not known.
    fn transform_batches(&self, rows: &Rows, batches: &Batches) -> (Matrix<f64>, usize) {
        let mut out = self.image(rows);
        let mut unknown = 0;
        let known = self.batches.as_ref();
        let place: Vec<Option<usize>> =
            batches.names().iter().map(|name| known.and_then(|k| k.names.binary_search(name).ok())).collect();
        for (i, &b) in batches.of().iter().enumerate() {
            let row = out.row_mut(i);
            match (place[b as usize], known) {
                (Some(at), Some(known)) => row.iter_mut().zip(known.offsets.row(at)).for_each(|(v, o)| *v -= o),
                _ => unknown += 1,
            }
            if self.unit {
                to_unit(row);
            }
        }
        (out, unknown)
    }
    fn placed(&self, rows: RowsRef<'_>, unit: bool) -> Matrix<f64> {
        let mut out = Matrix::zeros(rows.nrows(), self.weights.ncols());
        match rows {
            RowsRef::Sparse(rows) => self.write_sparse(rows, unit, out.as_mut_slice()),
            dense => self.write_dense(dense, unit, out.as_mut_slice()),
        }
        out
    }
    /// Writes coordinates, of length 1 if `unit`, to `out`, a row after the other, if `out` has the size of the result.
    pub(crate) fn write<O: Scalar>(&self, rows: &Rows, unit: bool, out: &mut [O]) -> Result<()> {
        check_size(out, rows.nrows(), self.weights.ncols())?;
        match rows.into() {
            RowsRef::Sparse(_) => fill(out, &with_threads(0, || self.placed(rows.into(), unit))),
            dense => {
                with_threads(0, || self.write_dense(dense, unit, out));
                check_single(out)
            }
        }
    }
    fn write_sparse(&self, rows: &Csr, unit: bool, out: &mut [f64]) {
        let d = self.weights.ncols();
        let along = |mean: &[f64]| &**self.derived.along.get_or_init(|| mean_times(mean, self.weights.as_slice(), d));
        self.preparation.sparse_times(rows, &self.weights, out, along);
        each_chunk(out, (TILE * d).max(1), |_, part| part.chunks_exact_mut(d.max(1)).for_each(|row| self.finish(row, unit)));
    }
    /// Results in single precision of rows in single precision come from products in single precision.
    fn write_dense<O: Scalar>(&self, rows: RowsRef<'_>, unit: bool, out: &mut [O]) {
        let (f, d) = (self.weights.as_slice(), self.weights.ncols());
        let finish = |row: &mut [f64]| self.finish(row, unit);
        match rows {
            RowsRef::F32(_) if f.len() >= LARGE || size_of::<O>() == size_of::<f32>() => {
                let single = self.derived.single.get_or_init(|| rounded(f));
                self.preparation.dense_times(rows, single, d, out, finish);
            }
            _ => self.preparation.dense_times(rows, f, d, out, finish),
        }
    }
    /// From products to coordinates.
    fn finish(&self, row: &mut [f64], unit: bool) {
        if let Some(weights) = &self.component_weights {
            row.iter_mut().zip(weights).for_each(|(v, w)| *v *= w);
        }
        if let Some(offset) = &self.offset {
            row.iter_mut().zip(offset).for_each(|(v, t)| *v += t);
        }
        if unit {
            to_unit(row);
        }
    }
}

fn check_size<O>(out: &[O], rows: usize, columns: usize) -> Result<()> {
    if out.len() == rows * columns {
        return Ok(());
    }
    let (expected, got) = (format!("{rows} x {columns} numbers"), counted(out.len(), "number"));
    Err(Error::Shape { what: "room for the result".into(), expected, got })
}

/// Copies a result to `out`, on all threads: the first write to new memory is slow.
pub(crate) fn fill<O: Scalar>(out: &mut [O], from: &Matrix<f64>) -> Result<()> {
    const TOGETHER: usize = 1 << 16;
    check_size(out, from.nrows(), from.ncols())?;
    let copy = |c: usize, part: &mut [O]| {
        part.iter_mut().zip(&from.as_slice()[c * TOGETHER..]).for_each(|(o, v)| *o = O::from_f64(*v));
    };
    with_threads(0, || each_chunk(out, TOGETHER, copy));
    check_single(out)
}

/// Refuses results beyond single precision.
fn check_single<O: Scalar>(out: &[O]) -> Result<()> {
    let infinite = size_of::<O>() == size_of::<f32>() && !O::are_finite(out);
    match infinite {
        true => Err(Error::BadParameter {
            name: "dtype".into(),
            value: "\"float32\"".into(),
            expected: "\"float64\": results lie beyond the range of single precision".into(),
        }),
        false => Ok(()),
    }
}

/// Known rows with which others are compared, by cosine.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Anchors {
    /// The known rows, each of length 1 (or zero).
    pub rows: Rows,
    /// Mean similarity to each known row, over the fitted rows.
    pub mean: Vec<f64>,
}

impl Anchors {
    /// The anchors, and the similarities of the fitted rows to them.
    pub(crate) fn fit(anchors: Rows, rows: &Rows) -> (Self, Matrix<f64>) {
        let unit = Preparation::fit(Prepare::Unit, &anchors);
        let mut fitted = Self { mean: vec![0.0; anchors.nrows()], rows: unit.scale(&anchors).into_owned() };
        let mut similarities = fitted.transform(rows);
        for row in similarities.rows() {
            fitted.mean.iter_mut().zip(row).for_each(|(m, v)| *m += v);
        }
        fitted.mean.iter_mut().for_each(|m| *m /= rows.nrows() as f64);
        for i in 0..similarities.nrows() {
            similarities.row_mut(i).iter_mut().zip(&fitted.mean).for_each(|(v, m)| *v -= m);
        }
        (fitted, similarities)
    }
    pub(crate) fn transform(&self, rows: &Rows) -> Matrix<f64> {
        let unit = Preparation::fit(Prepare::Unit, rows);
        let (n, l) = (rows.nrows(), self.rows.nrows());
        let out = match (unit.apply(rows).values, &self.rows) {
            (Values::Sparse { rows: x, .. }, Rows::Sparse(anchors)) => {
                let by_column = anchors.transpose();
                let mut out = Tall::zeros(n, l);
                each_row(&mut out, |i, row| {
                    for (q, v) in x.row(i) {
                        by_column.row(q as usize).for_each(|(j, w)| row[j as usize] += v * w);
                    }
                });
                out
            }
            (x, anchors) => {
                let anchors = Preparation::fit(Prepare::None, anchors).apply(anchors).to_dense();
                let p = anchors.stride;
                let mut transposed = Tall::zeros(p, l);
                for (j, row) in anchors.values.chunks_exact(p).enumerate() {
                    row.iter().enumerate().for_each(|(q, v)| transposed.values[q * l + j] = *v);
                }
                Prepared { values: x, shift: None }.times_by_row(&transposed)
            }
        };
        Matrix::from_fn(n, l, |i, j| out.values[i * l + j] - self.mean[j])
    }
}

/// Nyström-type extension: a new row lies at the weighted mean of its neighbours, with each component divided by `1 − λ`,
/// after the eigenvalue equation `D⁻¹W f = (1 − λ) f`.
///
/// Departure: the division is bounded by 2, because components with λ > ½ oscillate from row to row and the equation would
/// only amplify noise. There is no division for the plain Laplacian, where it depends on the degree. A row that equals a
/// fitted row gets the coordinates of that row (the mean of all equal rows).
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct NeighborExtension {
    /// The fitted rows.
    pub rows: Arc<Rows>,
    /// The weights of neighbours.
    pub kernel: Kernel,
    /// `1 − λ` of each component (1 for the plain Laplacian).
    pub damping: Vec<f64>,
    /// Factor of each fitted row's weight (density-normalised diffusion maps). None: 1.
    pub row_factors: Option<Vec<f64>>,
}

impl NeighborExtension {
    pub(crate) fn transform(&self, new: &Rows, embedding: &Matrix<f64>, progress: &Progress) -> Result<Matrix<f64>> {
        let k = self.kernel.n_neighbors.min(self.rows.nrows());
        let found = neighbors_among(new, &self.rows, k, self.kernel.metric, progress)?;
        // Self-tuning weights need the scale of both rows; the new row's scale replaces that of the fitted row.
        let d = embedding.ncols();
        let mut out = Matrix::zeros(new.nrows(), d);
        for i in 0..new.nrows() {
            let neighbors: Vec<(u32, f64)> = found.row(i).collect();
            let equal = neighbors.iter().filter(|n| n.1 == 0.0).count();
            let scale = neighbors[k - 1].1;
            let mut total = 0.0;
            let row = out.row_mut(i);
            for (s, &(j, distance)) in neighbors.iter().enumerate() {
                let weight = if equal > 0 {
                    f64::from(u8::from(s < equal))
                } else {
                    let factor = self.row_factors.as_ref().map_or(1.0, |f| f[j as usize]);
                    factor * self.kernel.weight(distance, (scale, scale), || 1.0 - distance)
                };
                total += weight;
                row.iter_mut().zip(embedding.row(j as usize)).for_each(|(o, f)| *o += weight * f);
            }
            if total > 0.0 {
                for (c, o) in row.iter_mut().enumerate() {
                    let damping = if equal > 0 { 1.0 } else { self.damping[c].max(0.5) };
                    *o /= total * damping;
                }
            } else {
                // Every weight underflowed: the row is far from all fitted ones, and the nearest is the best guess.
                row.copy_from_slice(embedding.row(neighbors[0].0 as usize));
            }
        }
        Ok(out)
    }
}

/// Bytes of rows in double precision, as they are when they are prepared.
fn prepared(rows: RowsRef<'_>) -> u64 {
    match rows {
        RowsRef::Sparse(m) => of_each(m.nnz(), 1, 12) + of_each(m.nrows(), 1, 16),
        dense => of_doubles(dense.nrows(), dense.ncols()),
    }
}

impl Mapping {
    /// Whether each row has a place of its own, not one that a linear map gives it.
    pub(crate) fn places_rows(&self) -> bool {
        matches!(
            self,
            Mapping::None | Mapping::Neighbors(_) | Mapping::Local(_) | Mapping::Geodesic(_) | Mapping::Triangulated(_)
        )
    }
    /// The fitted rows, if the mapping stores them.
    pub(crate) fn rows(&self) -> Option<&Rows> {
        match self {
            Mapping::Neighbors(extension) => Some(&extension.rows),
            Mapping::Geodesic(extension) => Some(&extension.rows),
            Mapping::Local(extension) => Some(&extension.rows),
            Mapping::Moved(moved) => moved.first.rows(),
            Mapping::None
            | Mapping::Undefined(_)
            | Mapping::Linear(_)
            | Mapping::Sparse(_)
            | Mapping::Prepared(_)
            | Mapping::Similarity(_)
            | Mapping::Votes(_)
            | Mapping::Triangulated(_) => None,
        }
    }
    /// This mapping into `coordinates`, then the affine map. Linear mappings stay linear.
    pub(crate) fn then(self, coordinates: &Matrix<f64>, by: Affine) -> Mapping {
        match self {
            Mapping::None => Mapping::None,
            Mapping::Prepared(preparation) => {
                Mapping::Linear(LinearMap { offset: Some(by.offset), ..LinearMap::new(preparation, by.matrix, None) })
            }
            Mapping::Linear(map) => {
                let still = Affine { offset: vec![0.0; by.matrix.ncols()], matrix: by.matrix };
                let weights = still.apply(&map.weights);
                let batches = map.batches.map(|b| BatchOffsets { offsets: still.apply(&b.offsets), ..b });
                Mapping::Linear(LinearMap { weights, offset: Some(by.offset), batches, derived: Box::default(), ..map })
            }
            first => Mapping::Moved(Box::new(Moved { first, coordinates: coordinates.clone(), by })),
        }
    }
    /// Whether placing this many rows takes less time than starting a thread. It is false for mappings that use the fitted
    /// rows.
    fn is_quick(&self, rows: RowsRef<'_>) -> bool {
        /// Number of multiplications that take about 50 µs.
        const FEW: usize = 250_000;
        let entries = match rows {
            RowsRef::Sparse(m) => m.nnz(),
            dense => dense.nrows().saturating_mul(dense.ncols()),
        };
        let products = match self {
            Mapping::Linear(map) => entries.saturating_mul(map.weights.ncols()),
            Mapping::Sparse(map) => map.weights.nnz().saturating_mul(rows.nrows() + 1),
            Mapping::Prepared(_) => rows.nrows().saturating_mul(rows.ncols()),
            _ => return false,
        };
        // One row is one pass over the matrix: threads would wait for memory, too.
        (products <= FEW || rows.nrows() == 1) && rows.nrows() <= TILE
    }
    /// Bytes that placing these rows takes, their places of `d` coordinates included.
    pub(crate) fn room(&self, new: RowsRef<'_>, d: usize) -> u64 {
        let n = new.nrows();
        let places = of_doubles(n, d);
        match self {
            Mapping::None | Mapping::Undefined(_) => 0,
            Mapping::Votes(_) => places,
            // Dense rows are prepared some at a time.
            Mapping::Linear(_) if !matches!(new, RowsRef::Sparse(_)) => places,
            Mapping::Linear(_) => prepared(new) + places,
            Mapping::Sparse(map) => prepared(new) + 2 * of_each(map.weights.nnz(), 1, 12) + places,
            Mapping::Prepared(_) => prepared(new) + places,
            Mapping::Similarity(anchors) => 2 * prepared(new) + 2 * prepared((&anchors.rows).into()) + 2 * places,
            Mapping::Neighbors(e) => room_among(new, &e.rows, e.kernel.n_neighbors.min(e.rows.nrows()), e.kernel.metric) + places,
            Mapping::Geodesic(e) => {
                let found = room_among(new, &e.rows, e.n_neighbors.min(e.rows.nrows()), e.metric);
                // Rows one by one, then together.
                found + 2 * places + of_each(n, 1, 24)
            }
            Mapping::Local(e) => {
                let k = e.n_neighbors.min(e.rows.nrows());
                let some = e.among.as_ref().map_or(0, |a| of_doubles(a.len(), e.rows.ncols() + d));
                room_among(new, &e.rows, k, e.metric) + some + of_doubles(n, k) + places
            }
            Mapping::Triangulated(t) => places + t.room(),
            Mapping::Moved(moved) => {
                let first = moved.coordinates.ncols();
                moved.first.room(new, first).max(of_doubles(n, first) + places)
            }
        }
    }
    pub(crate) fn transform(
        &self,
        new: &Rows,
        embedding: &Matrix<f64>,
        dataset: &str,
        progress: &Progress,
    ) -> Result<Matrix<f64>> {
        if self.is_quick(new.into()) {
            return self.transform_here(new, embedding, dataset, progress);
        }
        with_threads(0, || self.transform_here(new, embedding, dataset, progress))
    }
    fn transform_here(&self, new: &Rows, embedding: &Matrix<f64>, dataset: &str, progress: &Progress) -> Result<Matrix<f64>> {
        match self {
            Mapping::None => Err(Error::Undefined {
                what: format!("transform for dataset \"{dataset}\""),
                why: "its graph was given, and new rows have no place in a given graph".into(),
            }),
            Mapping::Undefined(why) => {
                Err(Error::Undefined { what: format!("transform for dataset \"{dataset}\""), why: why.clone() })
            }
            Mapping::Triangulated(triangulation) => triangulation.transform(new, embedding, progress),
            Mapping::Neighbors(extension) => extension.transform(new, embedding, progress),
            Mapping::Linear(map) => Ok(map.transform(new)),
            Mapping::Sparse(map) => map.transform(new),
            Mapping::Prepared(preparation) => {
                Matrix::from_vec(preparation.apply(new).to_dense().values, new.nrows(), new.ncols())
            }
            Mapping::Similarity(anchors) => Ok(anchors.transform(new)),
            Mapping::Geodesic(extension) => extension.transform(new, embedding, progress),
            Mapping::Local(extension) => extension.transform(new, embedding, progress),
            Mapping::Votes(_) => Ok(Matrix::zeros(new.nrows(), embedding.ncols())),
            Mapping::Moved(moved) => {
                Ok(moved.by.apply(&moved.first.transform_here(new, &moved.coordinates, dataset, progress)?))
            }
        }
    }
}

impl Alignment {
    /// Names of the batches that the map of a dataset knows; none if it was fitted without.
    pub fn batches<'a>(&self, dataset: impl Into<DatasetRef<'a>>) -> Result<&[String]> {
        Ok(match &self.fitted[self.position(dataset)?].mapping {
            Mapping::Linear(LinearMap { batches: Some(known), .. }) => &known.names,
            _ => &[],
        })
    }
    /// As [`Alignment::transform`], for new rows of `dataset` that may have batches. Rows of a known batch are placed around the mean of
    /// that batch. Returns what there is to say: rows without a batch, or of a batch that is not known, are placed around the mean of
    /// all rows.
    pub fn transform_dataset<'a>(
        &self,
        new: &Dataset,
        dataset: impl Into<DatasetRef<'a>>,
        progress: &Progress,
    ) -> Result<(Matrix<f64>, Option<String>)> {
        let at = self.position(dataset)?;
        let (name, known) = (&self.fitted[at].name, self.batches(at)?);
        let around = "placed around the mean of all fitted rows";
        match (&self.fitted[at].mapping, new.batches()) {
            (Mapping::Linear(map), Some(batches)) if !known.is_empty() => {
                self.check_new(new.rows(), at)?;
                check_room("transform", self.fitted[at].mapping.room(new.rows().into(), self.n_components()))?;
                let (placed, unknown) = with_threads(0, || map.transform_batches(new.rows(), batches));
                let said = (unknown > 0).then(|| {
                    let unknown = counted(unknown, "new row");
                    format!(
                        "{unknown} of dataset \"{name}\" of a batch that was not fitted: {around} (fitted are {})",
                        known.join(", ")
                    )
                });
                Ok((placed, said))
            }
            (_, Some(_)) => {
                let said = format!("dataset \"{name}\" was fitted without batches: those of the new rows have no effect");
                Ok((self.transform_with(new.rows(), at, progress)?, Some(said)))
            }
            (_, None) => {
                let said = (!known.is_empty())
                    .then(|| format!("dataset \"{name}\" was fitted with batches, and the new rows have none: {around}"));
                Ok((self.transform_with(new.rows(), at, progress)?, said))
            }
        }
    }
    /// Whether transforming these rows takes less time than starting a thread.
    pub fn is_quick<'a>(&self, rows: RowsRef<'_>, dataset: impl Into<DatasetRef<'a>>) -> bool {
        self.position(dataset).is_ok_and(|at| self.fitted[at].known_means.is_none() && self.fitted[at].mapping.is_quick(rows))
    }
    /// Whether a linear map places the rows of this dataset: then some rows at a time cost no more than all at once.
    pub fn is_placed_by_a_map<'a>(&self, dataset: impl Into<DatasetRef<'a>>) -> bool {
        self.position(dataset).is_ok_and(|at| {
            let fitted = &self.fitted[at];
            fitted.known_means.is_none() && matches!(&fitted.mapping, Mapping::Linear(map) if map.batches.is_none())
        })
    }
    /// As [`Alignment::transform`], written to `out`: a row after the other. In single precision, products with rows in single precision
    /// have that precision, too: half the time and memory, with results good to about 1e-7 of the terms that are summed up.
    pub fn transform_into<'a, O: Scalar>(&self, rows: &Rows, dataset: impl Into<DatasetRef<'a>>, out: &mut [O]) -> Result<()> {
        let at = self.position(dataset)?;
        let fitted = &self.fitted[at];
        match &fitted.mapping {
            Mapping::Linear(map) if fitted.known_means.is_none() => {
                self.check_new(rows, at)?;
                map.write(rows, map.unit, out)
            }
            _ => fill(out, &self.transform(rows, at)?),
        }
    }
    /// As [`Alignment::transform`], for borrowed rows. A linear map copies nothing.
    pub fn transform_ref<'a>(
        &self,
        rows: RowsRef<'_>,
        dataset: impl Into<DatasetRef<'a>>,
        progress: &Progress,
    ) -> Result<Matrix<f64>> {
        let at = self.position(dataset)?;
        let fitted = &self.fitted[at];
        // Rows are checked before their columns are counted, as for a new dataset.
        check_rows(&format!("new rows of {}", fitted.name), rows)?;
        if rows.ncols() != fitted.n_features {
            return Err(Error::FeatureCount { dataset: fitted.name.clone(), expected: fitted.n_features, got: rows.ncols() });
        }
        match &fitted.mapping {
            Mapping::Linear(map) if fitted.known_means.is_none() => {
                check_room("transform", fitted.mapping.room(rows, fitted.embedding.ncols()))?;
                Ok(match fitted.mapping.is_quick(rows) {
                    true => map.transform(rows),
                    false => with_threads(0, || map.transform(rows)),
                })
            }
            _ => self.transform_with(&rows.to_rows(), at, progress),
        }
    }
}
