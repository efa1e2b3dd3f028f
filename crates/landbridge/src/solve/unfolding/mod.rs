//! Maximum variance unfolding (Weinberger and Saul 2006): points as far apart as their local distances allow.
//!
//! `max tr K`, `K ⪰ 0`, `ΣK = 0`, `K_ii − 2 K_ij + K_jj = d_ij²` (or `≤`) on the edges of a connected graph.
//!
//! `ΣK = 0` leaves the program without interior points, and interior-point solvers then stop early. One point is therefore
//! fixed at the origin instead: the program in the Gram matrix X of the others has `max tr CX`, `C = diag w − ww'/n`, and the
//! centred K follows from X. Points at distance 0 become one point of weight w. Equalities may still leave no interior (rows of
//! a three-dimensional dataset with cliques of five). The solver then stops early, and the outcome states the duality gap and
//! the violation of the constraints.

mod interior;
mod low_rank;
mod newton;
mod reduced;

use crate::data::Sets;
use crate::error::{Error, Result};
use crate::linalg::Matrix;
use crate::outcome::Status;
use crate::progress::Progress;
use landbridge_derive::Words;
use std::collections::BTreeMap;

/// Which way to go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Words)]
pub enum UnfoldingSolver {
    /// Interior point up to 3,000 edges, or 8,000 of graphs of many dimensions; low rank above.
    #[default]
    Auto,
    /// Primal-dual interior point: the optimum, with a dual solution; time O(edges³).
    Interior,
    /// Coordinates in few dimensions by an augmented Lagrangian, certified by the dual.
    LowRank,
    /// Coordinates that combine the smoothest functions of the graph (Weinberger, Sha, Zhu and Saul 2006): fast, not optimal;
    /// distances may always shrink.
    Laplacian,
}

/// Programs with more edges are solved in low-rank coordinates if the graph has few dimensions.
pub const LOW_RANK_EDGES: usize = 3000;
/// Programs with more edges are solved in low-rank coordinates for any graph.
pub const INTERIOR_EDGES: usize = 8000;

/// Options of [`unfold`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UnfoldingOptions {
    /// Distances are kept; otherwise they may shrink.
    pub equality: bool,
    /// The solver.
    pub solver: UnfoldingSolver,
    /// Largest relative gap and violation allowed.
    pub tolerance: f64,
    /// Smooth functions that coordinates combine, for [`UnfoldingSolver::Laplacian`].
    pub n_functions: usize,
}

impl Default for UnfoldingOptions {
    fn default() -> Self {
        Self { equality: true, solver: UnfoldingSolver::Auto, tolerance: 1e-7, n_functions: 20 }
    }
}

/// The solution of a program.
#[derive(Clone, Debug)]
pub struct Unfolding {
    /// K, centred.
    pub kernel: Matrix<f64>,
    /// tr K.
    pub objective: f64,
    /// The dual objective: an upper bound for every K.
    pub bound: f64,
    /// `(bound − objective) / (1 + |objective|)`.
    pub gap: f64,
    /// Largest relative violation of a constraint on d².
    pub violation: f64,
    /// Relative distance of the dual matrix from positive semidefinite.
    pub dual_violation: f64,
    /// Iterations.
    pub iterations: usize,
    /// Whether the tolerance was reached.
    pub status: Status,
    /// The solver chosen.
    pub solver: String,
}

/// Edges between merged points, in units in which the mean squared distance is 1.
#[derive(Debug)]
pub(crate) struct Program {
    /// Points at distance 0 are one.
    point: Vec<u32>,
    /// Number of original points of each merged point.
    weights: Vec<f64>,
    /// Ends of each edge, smaller first.
    edges: Vec<(usize, usize)>,
    /// d² of each edge.
    squares: Vec<f64>,
    /// The unit.
    unit: f64,
    equality: bool,
}

/// The result of a solver of a [`Program`], in its units.
pub(crate) struct Solution {
    /// Gram matrix of the merged points, by rows; not centred.
    gram: Vec<f64>,
    bound: f64,
    dual_violation: f64,
    iterations: usize,
    solver: String,
}

impl Program {
    fn points(&self) -> usize {
        self.weights.len()
    }
    /// Number of original points.
    fn total(&self) -> f64 {
        self.point.len() as f64
    }

    fn new(distances: &Matrix<f64>, edges: &[(u32, u32)], equality: bool) -> Result<Self> {
        let n = distances.nrows();
        let bad = |problem: String| Error::BadGraph { dataset: "unfolding".into(), problem };
        if distances.ncols() != n || n < 2 {
            return Err(Error::Shape {
                what: "distances".into(),
                expected: "a square matrix of at least 2 rows".into(),
                got: format!("{n} x {}", distances.ncols()),
            });
        }
        let (mut zero, mut joined) = (Sets::new(n), Sets::new(n));
        for &(i, j) in edges {
            let (i, j) = (i as usize, j as usize);
            if i >= n || j >= n || i == j {
                return Err(bad(format!("edge ({i}, {j}) does not join two different points of the {n}")));
            }
            let (d, other) = (distances[(i, j)], distances[(j, i)]);
            if !(d.is_finite() && d >= 0.0) {
                return Err(bad(format!("the distance of {i} and {j} is {d}; it must be zero or a positive finite number")));
            }
            if (d - other).abs() > 1e-9 * d.max(other) || other.is_nan() {
                return Err(bad(format!("the distance of {i} and {j} is {d} one way and {other} the other")));
            }
            joined.join(i, j);
            if d == 0.0 {
                zero.join(i, j);
            }
        }
        let components = joined.numbered().1;
        if components > 1 {
            return Err(bad(format!(
                "it has {components} connected components, which could be moved apart without bound; join them first"
            )));
        }
        let (point, count) = zero.numbered();
        let mut weights = vec![0.0; count];
        point.iter().for_each(|p| weights[*p as usize] += 1.0);
        let mut squares: BTreeMap<(usize, usize), (f64, f64)> = BTreeMap::new();
        for &(i, j) in edges {
            let (a, b) = (point[i as usize] as usize, point[j as usize] as usize);
            let d = distances[(i as usize, j as usize)];
            if a == b && d > 0.0 && equality {
                return Err(infeasible(format!("points {i} and {j} coincide, but their distance is {d}")));
            }
            if a != b {
                let entry = squares.entry((a.min(b), a.max(b))).or_insert((d, d));
                *entry = (entry.0.min(d), entry.1.max(d));
            }
        }
        if let Some((_, (least, most))) = squares.iter().find(|(_, (a, b))| equality && b - a > 1e-9 * b) {
            return Err(infeasible(format!("two points have the distances {least} and {most}")));
        }
        let edges: Vec<(usize, usize)> = squares.keys().copied().collect();
        // Scaled before they are squared, to avoid overflow.
        let largest = squares.values().fold(0.0f64, |a, d| a.max(d.0));
        let scale = if largest > 0.0 { largest } else { 1.0 };
        let mut squares: Vec<f64> = squares.values().map(|d| (d.0 / scale).powi(2)).collect();
        let mean = if squares.is_empty() { 1.0 } else { squares.iter().sum::<f64>() / squares.len() as f64 };
        squares.iter_mut().for_each(|s| *s /= mean);
        Ok(Self { point, weights, edges, squares, unit: scale * mean.sqrt(), equality })
    }

    /// `tr CX` of a Gram matrix of all merged points.
    fn objective(&self, gram: &[f64]) -> f64 {
        let p = self.points();
        let mut trace = 0.0;
        let mut all = 0.0;
        for i in 0..p {
            trace += self.weights[i] * gram[i * p + i];
            let row: f64 = gram[i * p..(i + 1) * p].iter().zip(&self.weights).map(|(g, w)| g * w).sum();
            all += self.weights[i] * row;
        }
        trace - all / self.total()
    }

    /// Largest relative violation of a constraint.
    fn violation(&self, gram: &[f64]) -> f64 {
        let p = self.points();
        let misses = self.edges.iter().zip(&self.squares).map(|(&(i, j), b)| {
            let square = gram[i * p + i] + gram[j * p + j] - 2.0 * gram[i * p + j];
            if self.equality { (square - b).abs() } else { (square - b).max(0.0) }
        });
        misses.fold(0.0, f64::max)
    }

    /// The centred kernel of the original points, in their units.
    fn kernel(&self, gram: &[f64]) -> Matrix<f64> {
        let (p, n) = (self.points(), self.point.len());
        let means: Vec<f64> = (0..p)
            .map(|i| gram[i * p..(i + 1) * p].iter().zip(&self.weights).map(|(g, w)| g * w).sum::<f64>() / n as f64)
            .collect();
        let overall = means.iter().zip(&self.weights).map(|(m, w)| m * w).sum::<f64>() / n as f64;
        let square = self.unit * self.unit;
        Matrix::from_fn(n, n, |i, j| {
            let (a, b) = (self.point[i] as usize, self.point[j] as usize);
            square * (0.5 * (gram[a * p + b] + gram[b * p + a]) - means[a] - means[b] + overall)
        })
    }
}

#[cfg(test)]
mod tests;

fn infeasible(why: String) -> Error {
    Error::Infeasible { what: "maximum variance unfolding".into(), why }
}

/// Solves the program on the edges of a connected graph. Equalities that no points satisfy are an error.
///
/// ```
/// use landbridge::linalg::Matrix;
/// use landbridge::progress::Progress;
/// use landbridge::solve::unfolding::{UnfoldingOptions, unfold};
/// // A bent chain of three points: stretched, its ends are 2 apart, and tr K = 1 + 0 + 1.
/// let distances = Matrix::from_rows(&[[0.0, 1.0, 1.5], [1.0, 0.0, 1.0], [1.5, 1.0, 0.0]])?;
/// let solved = unfold(&distances, &[(0, 1), (1, 2)], &UnfoldingOptions::default(), &Progress::silent())?;
/// assert!((solved.objective - 2.0).abs() < 1e-6);
/// # Ok::<(), landbridge::Error>(())
/// ```
pub fn unfold(
    distances: &Matrix<f64>,
    edges: &[(u32, u32)],
    options: &UnfoldingOptions,
    progress: &Progress,
) -> Result<Unfolding> {
    if !(options.tolerance.is_finite() && options.tolerance > 0.0) {
        return Err(Error::parameter("tolerance", options.tolerance, "a positive finite number"));
    }
    let equality = options.equality && options.solver != UnfoldingSolver::Laplacian;
    let program = Program::new(distances, edges, equality)?;
    if program.points() == 1 {
        let n = program.point.len();
        return Ok(Unfolding {
            kernel: Matrix::zeros(n, n),
            objective: 0.0,
            bound: 0.0,
            gap: 0.0,
            violation: 0.0,
            dual_violation: 0.0,
            iterations: 0,
            status: Status::Converged,
            solver: "none: all points coincide".into(),
        });
    }
    let edges = program.edges.len();
    let large = edges > INTERIOR_EDGES || (edges > LOW_RANK_EDGES && newton::is_thin(&program));
    let solution = match options.solver {
        UnfoldingSolver::Laplacian => reduced::solve(&program, options, progress)?,
        UnfoldingSolver::Auto if large => low_rank::solve(&program, options, progress)?,
        UnfoldingSolver::LowRank => low_rank::solve(&program, options, progress)?,
        _ => interior::solve(&program, options, progress)?,
    };
    let square = program.unit * program.unit;
    let objective = program.objective(&solution.gram);
    let violation = program.violation(&solution.gram);
    let gap = (solution.bound - objective) / (1.0 + objective.abs());
    let reached = gap.abs() <= 10.0 * options.tolerance && violation <= 10.0 * options.tolerance.max(1e-9);
    let status =
        if reached && solution.dual_violation <= 10.0 * options.tolerance { Status::Converged } else { Status::ReducedAccuracy };
    Ok(Unfolding {
        kernel: program.kernel(&solution.gram),
        objective: objective * square,
        bound: solution.bound * square,
        gap,
        violation,
        dual_violation: solution.dual_violation,
        iterations: solution.iterations,
        status,
        solver: solution.solver,
    })
}
