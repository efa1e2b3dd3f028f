//! From nearest neighbours to a weighted graph: the weight of an edge is the similarity of its rows.

use crate::data::{Dataset, Rows};
use crate::error::{Error, Result};
use crate::geometry::neighbors::{Metric, Neighbors};
use crate::linalg::{Csr, Scalar, near_one};
use crate::outcome::Warning;
use landbridge_derive::Words;
use serde::{Deserialize, Serialize};

/// How the distance of two neighbours becomes a weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Words)]
pub enum Weights {
    /// Self-tuning as `local`, but `exp(−2d² / max(σ_i, σ_j)²)` where one σ is more than twice the other, so that no outlier hangs by a
    /// thread. Given graphs count as `precomputed`, a given width means `heat`.
    Auto,
    /// `exp(−d² / 2σ²)`, σ given or the mean distance to the k neighbours.
    Heat,
    /// 1.
    Binary,
    /// The cosine of the two rows; edges whose cosine is not positive are dropped.
    Cosine,
    /// Self-tuning: `exp(−d² / σ_i σ_j)`, σ_i the distance of row i to its k-th neighbour.
    Local,
    /// The graph is given, not built from rows.
    Precomputed,
}

/// A weight rule fitted to one dataset; it also weighs the neighbours of new rows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Kernel {
    /// The rule.
    pub weights: Weights,
    /// σ of [`Weights::Heat`]; the σ_i of self-tuning weights where all k neighbours coincide; 0 otherwise.
    pub width: f64,
    /// Metric of the nearest-neighbour search.
    pub metric: Metric,
    /// Neighbours of each row.
    pub n_neighbors: usize,
}

impl Kernel {
    /// Fits the rule: σ is the mean distance to the neighbours unless it is given.
    pub fn fit(weights: Weights, heat_width: Option<f64>, metric: Metric, neighbors: &Neighbors) -> Result<Self> {
        if let Some(width) = heat_width
            && !(width.is_finite() && width > 0.0)
        {
            return Err(Error::parameter("heat_width", width, "a positive finite number"));
        }
        // Divided before the sum: distances near 1e308 must not overflow.
        let share = 1.0 / neighbors.distances.len() as f64;
        let mean = || neighbors.distances.iter().map(|d| d * share).sum();
        let width = match weights {
            Weights::Heat => heat_width.unwrap_or_else(mean),
            Weights::Auto | Weights::Local => mean(),
            _ => 0.0,
        };
        Ok(Self { weights, width, metric, n_neighbors: neighbors.k })
    }

    /// σ_i of a row with this distance to its k-th neighbour. Without a width of its own, a clump of equal rows would hang on nothing.
    fn scale(&self, kth: f64) -> f64 {
        if kth > 0.0 { kth } else { self.width }
    }

    /// The weight of an edge of length `distance`; `scales` are the distances of both ends to their k-th
    /// neighbours, `cosine` the cosine of the rows.
    pub fn weight(&self, distance: f64, scales: (f64, f64), cosine: impl FnOnce() -> f64) -> f64 {
        // Rows that coincide have the largest similarity, even if σ is 0 (all neighbours coincide).
        let heat = |ratio: f64| if distance == 0.0 { 1.0 } else { (-ratio).exp() };
        match self.weights {
            Weights::Heat => heat(0.5 * (distance / self.width) * (distance / self.width)),
            Weights::Auto | Weights::Local => {
                let (x, y) = (distance / self.scale(scales.0), distance / self.scale(scales.1));
                let least = x.min(y);
                heat(if self.weights == Weights::Auto { (x * y).min(2.0 * least * least) } else { x * y })
            }
            Weights::Cosine => cosine().max(0.0),
            Weights::Binary | Weights::Precomputed => 1.0,
        }
    }
}

/// The similarity graph of one dataset: symmetric, zero diagonal, an edge where one row is among the k nearest
/// of the other.
pub fn similarity_graph(rows: &Rows, neighbors: &Neighbors, kernel: &Kernel) -> Csr {
    let directed = directed_graph(rows, neighbors, kernel);
    union(&directed, &directed.transpose())
}

/// An edge from each row to its k nearest neighbours, in that direction only.
pub(crate) fn directed_graph(rows: &Rows, neighbors: &Neighbors, kernel: &Kernel) -> Csr {
    let n = neighbors.nrows();
    let k = neighbors.k;
    let scale = |i: usize| neighbors.distances[i * k + k - 1];
    let mut indptr = Vec::with_capacity(n + 1);
    let (mut indices, mut values) = (Vec::with_capacity(n * k), Vec::with_capacity(n * k));
    indptr.push(0);
    let mut row: Vec<(u32, f64)> = Vec::with_capacity(k);
    for i in 0..n {
        row.clear();
        for (j, d) in neighbors.row(i) {
            // Smaller index first, so that both directions give the same bits.
            let (a, b) = (i.min(j as usize), i.max(j as usize));
            row.push((j, kernel.weight(d, (scale(a), scale(b)), || cosine(rows, a, b))));
        }
        row.sort_unstable_by_key(|e| e.0);
        for &(j, w) in &row {
            indices.push(j);
            values.push(w);
        }
        indptr.push(indices.len());
    }
    Csr::from_sorted(indptr, indices, values, n)
}

/// The union of both graphs. Where both have an entry the two are equal by construction (the larger is kept). Zeros are
/// dropped.
fn union(a: &Csr, b: &Csr) -> Csr {
    let n = a.nrows();
    let mut indptr = Vec::with_capacity(n + 1);
    let (mut indices, mut values) = (Vec::with_capacity(a.nnz() * 2), Vec::with_capacity(a.nnz() * 2));
    indptr.push(0);
    for i in 0..n {
        let (ai, av, bi, bv) = (a.row_indices(i), a.row_values(i), b.row_indices(i), b.row_values(i));
        let (mut s, mut t) = (0, 0);
        while s < ai.len() || t < bi.len() {
            let (x, y) = (ai.get(s).copied().unwrap_or(u32::MAX), bi.get(t).copied().unwrap_or(u32::MAX));
            let mut w = 0.0f64;
            if x <= y {
                w = w.max(av[s]);
                s += 1;
            }
            if y <= x {
                w = w.max(bv[t]);
                t += 1;
            }
            if w > 0.0 {
                indices.push(x.min(y));
                values.push(w);
            }
        }
        indptr.push(indices.len());
    }
    Csr::from_sorted(indptr, indices, values, n)
}

/// Cosine of two rows of one dataset; 0 if one of them is zero.
pub(crate) fn cosine(rows: &Rows, i: usize, j: usize) -> f64 {
    fn dense<T: Scalar>(x: &[T], y: &[T]) -> f64 {
        let largest = |r: &[T]| r.iter().fold(0.0f64, |a, v| a.max(v.to_f64().abs()));
        let (sx, sy) = (largest(x), largest(y));
        if sx == 0.0 || sy == 0.0 {
            return 0.0;
        }
        let (mut xy, mut xx, mut yy) = (0.0, 0.0, 0.0);
        for (a, b) in x.iter().zip(y) {
            let (a, b) = (a.to_f64() / sx, b.to_f64() / sy);
            xy += a * b;
            xx += a * a;
            yy += b * b;
        }
        xy / (xx.sqrt() * yy.sqrt())
    }
    match rows {
        Rows::F64(m) => dense(m.row(i), m.row(j)),
        Rows::F32(m) => dense(m.row(i), m.row(j)),
        Rows::Sparse(m) => {
            // Scaled, so that the squares neither overflow nor underflow.
            let scale = |i: usize| near_one(m.row_values(i).iter().fold(0.0f64, |a, v| a.max(v.abs())));
            let (sx, sy) = (scale(i), scale(j));
            let norm = |i: usize, s: f64| m.row_values(i).iter().map(|v| (s * v) * (s * v)).sum::<f64>().sqrt();
            let (nx, ny) = (norm(i, sx), norm(j, sy));
            if nx == 0.0 || ny == 0.0 {
                return 0.0;
            }
            let xy: f64 = m.row(i).map(|(c, v)| sx * v / nx * (sy * m.get(j, c as usize) / ny)).sum();
            xy
        }
    }
}

/// Checks a graph given by the user: symmetric, non-negative, finite. A diagonal is dropped with a warning.
pub fn given_graph(dataset: &Dataset, graph: &Csr, warnings: &mut Vec<Warning>) -> Result<Csr> {
    if let Some((i, j)) = graph.first_asymmetry(1e-12).filter(|_| graph.nrows() == graph.ncols()) {
        let problem = format!("not symmetric at ({i}, {j}): {} against {}", graph.get(i, j), graph.get(j, i));
        return Err(Error::BadGraph { dataset: dataset.name().into(), problem });
    }
    given_directed_graph(dataset, graph, warnings)
}

/// As [`given_graph`], for directed graphs.
pub(crate) fn given_directed_graph(dataset: &Dataset, graph: &Csr, warnings: &mut Vec<Warning>) -> Result<Csr> {
    let bad = |problem: String| Err(Error::BadGraph { dataset: dataset.name().into(), problem });
    if graph.nrows() != dataset.nrows() || graph.ncols() != dataset.nrows() {
        return bad(format!("it is {} x {}, but the dataset has {} rows", graph.nrows(), graph.ncols(), dataset.nrows()));
    }
    if let Some(at) = graph.values().iter().position(|v| !(v.is_finite() && *v >= 0.0)) {
        let row = graph.indptr().partition_point(|&s| s <= at) - 1;
        return bad(format!(
            "the weight at ({row}, {}) is {}; weights are finite and not negative",
            graph.indices()[at],
            graph.values()[at]
        ));
    }
    let mut loops = 0;
    let mut triplets = Vec::with_capacity(graph.nnz());
    for i in 0..graph.nrows() {
        for (j, w) in graph.row(i) {
            if j as usize == i && w != 0.0 {
                loops += 1;
            } else if w > 0.0 {
                triplets.push((i, j as usize, w));
            }
        }
    }
    if loops > 0 {
        warnings.push(Warning::SelfLoops { dataset: dataset.name().into(), count: loops });
    }
    Csr::from_triplets(graph.nrows(), graph.ncols(), &triplets)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::neighbors::{Search, neighbors};
    use crate::linalg::Matrix;
    use crate::progress::Progress;

    fn line() -> (Rows, Neighbors) {
        let rows = Rows::F64(Matrix::from_fn(6, 2, |i, j| if j == 0 { (i * i) as f64 + 1.0 } else { 1.0 }));
        let found = neighbors(&rows, 2, Metric::Euclidean, Search::Exact, 0, &Progress::silent()).unwrap();
        (rows, found)
    }

    #[test]
    fn every_rule_gives_a_symmetric_graph_without_loops() {
        let (rows, found) = line();
        for weights in [Weights::Auto, Weights::Heat, Weights::Binary, Weights::Cosine, Weights::Local] {
            let kernel = Kernel::fit(weights, None, Metric::Euclidean, &found).unwrap();
            let graph = similarity_graph(&rows, &found, &kernel);
            assert_eq!(graph.first_asymmetry(0.0), None, "{weights:?}");
            assert!((0..6).all(|i| graph.get(i, i) == 0.0));
            assert!(graph.values().iter().all(|w| *w > 0.0 && *w <= 1.0 + 1e-15));
        }
    }

    #[test]
    fn heat_weights_follow_the_formula_with_the_mean_distance() {
        let (rows, found) = line();
        let kernel = Kernel::fit(Weights::Heat, None, Metric::Euclidean, &found).unwrap();
        let mean = found.distances.iter().sum::<f64>() / found.distances.len() as f64;
        assert!((kernel.width - mean).abs() < 1e-12);
        let graph = similarity_graph(&rows, &found, &kernel);
        let expected = (-1.0 / (2.0 * mean * mean)).exp();
        assert!((graph.get(0, 1) - expected).abs() < 1e-14);
        assert!(Kernel::fit(Weights::Heat, Some(-1.0), Metric::Euclidean, &found).is_err());
    }

    #[test]
    fn rows_that_coincide_have_weight_one_and_no_nan() {
        let rows = Rows::F64(Matrix::from_fn(5, 2, |_, _| 3.0));
        let found = neighbors(&rows, 2, Metric::Euclidean, Search::Exact, 0, &Progress::silent()).unwrap();
        for weights in [Weights::Auto, Weights::Heat, Weights::Local] {
            let kernel = Kernel::fit(weights, None, Metric::Euclidean, &found).unwrap();
            let graph = similarity_graph(&rows, &found, &kernel);
            assert!(graph.values().iter().all(|w| *w == 1.0));
        }
    }

    #[test]
    fn outliers_keep_their_edges_and_the_others_are_self_tuning() {
        // Two outliers near each other: their k-th neighbour is a row of the line.
        let place = [0.0, 1.0, 2.1, 3.3, 4.6, 1e6, 1e6 + 1.0];
        let rows = Rows::F64(Matrix::from_fn(7, 1, |i, _| place[i]));
        let found = neighbors(&rows, 2, Metric::Euclidean, Search::Exact, 0, &Progress::silent()).unwrap();
        let graph = |weights| similarity_graph(&rows, &found, &Kernel::fit(weights, None, Metric::Euclidean, &found).unwrap());
        let (local, auto) = (graph(Weights::Local), graph(Weights::Auto));
        assert_eq!(local.get(5, 4), 0.0);
        assert!((auto.get(5, 4) - (-2f64).exp()).abs() < 1e-4, "{}", auto.get(5, 4));
        assert_eq!(auto.get(0, 1), local.get(0, 1));
        assert!((auto.get(0, 1) - (-1.0 / (2.1f64 * 1.1)).exp()).abs() < 1e-12);
    }

    #[test]
    fn a_clump_of_equal_rows_stays_connected() {
        let rows = Rows::F64(Matrix::from_fn(9, 1, |i, _| if i < 5 { 0.0 } else { i as f64 - 4.0 }));
        let found = neighbors(&rows, 3, Metric::Euclidean, Search::Exact, 0, &Progress::silent()).unwrap();
        for weights in [Weights::Auto, Weights::Local] {
            let graph = similarity_graph(&rows, &found, &Kernel::fit(weights, None, Metric::Euclidean, &found).unwrap());
            assert!((0..5).any(|i| graph.get(5, i) > 0.0), "{weights:?}");
        }
    }

    #[test]
    fn given_graphs_are_checked() {
        let dataset = Dataset::new("g", Matrix::<f64>::zeros(3, 1)).unwrap();
        let mut warnings = vec![];
        let mut check = |t: &[(usize, usize, f64)]| given_graph(&dataset, &Csr::from_triplets(3, 3, t).unwrap(), &mut warnings);
        assert!(check(&[(0, 1, 1.0)]).unwrap_err().to_string().contains("not symmetric at (0, 1)"));
        assert!(check(&[(0, 1, -1.0), (1, 0, -1.0)]).is_err());
        assert!(check(&[(0, 1, f64::NAN), (1, 0, 1.0)]).is_err());
        let graph = check(&[(0, 1, 2.0), (1, 0, 2.0), (2, 2, 5.0)]).unwrap();
        assert_eq!(graph.nnz(), 2);
        assert_eq!(warnings.len(), 1);
        let small = Csr::from_triplets(2, 2, &[]).unwrap();
        assert!(given_graph(&dataset, &small, &mut vec![]).unwrap_err().to_string().contains("2 x 2"));
    }
}
