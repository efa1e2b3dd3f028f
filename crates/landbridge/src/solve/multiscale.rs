//! The wavelets of an inverse: levels of `T = K⁺`, scaled to norm 1, from the decomposition of K.

use crate::error::{Error, Result};
use crate::linalg::dense::mirror;
use crate::linalg::whitening::symmetric_eigen;
use crate::linalg::{Csr, Matrix};
use crate::problem::spectral::{LaplacianPencil, Mass};
use crate::progress::Progress;
use crate::solve::eigen::{EigenOptions, smallest_nonzero};
use crate::solve::wavelets::{
    Built, Construction, DiffusionWavelets, MOST_LEVELS, OperatorRef, Spectrum, WaveletLevel, coordinates, hierarchy,
};
use faer::Mat;
use std::sync::Arc;

/// Eigenvalues of K below this share of the largest are zero.
const ZERO: f64 = 1e-9;
/// Up to this many rows a graph is decomposed completely.
const WHOLE: usize = 2000;
/// Maximum number of eigenvectors of a larger graph.
const MOST_VECTORS: usize = 1024;
/// Tolerance of the eigensolver for larger graphs.
const TOLERANCE: f64 = 1e-8;

/// `T = K⁺`, scaled to norm 1.
pub(crate) struct Inverse {
    operator: Operator,
    /// Non-zero eigenvalues (directed: singular values) of K, ascending.
    eigenvalues: Vec<f64>,
    zero_solutions: usize,
    /// Finest level whose functions are all spanned by the computed eigenvectors.
    first_level: usize,
    residual: f64,
    tolerance: f64,
    note: String,
}

type Shared = Arc<Matrix<f64>>;

enum Operator {
    Symmetric(Spectrum),
    Directed(Matrix<f64>),
}

/// Levels, finest first.
pub(crate) struct Levels {
    pub(crate) levels: Vec<WaveletLevel>,
    /// Scaling functions of the finest level.
    pub(crate) finest: Matrix<f64>,
    /// The functions of every level in those of the finest; `None` for the finest itself.
    pub(crate) coarser: Vec<Option<Arc<Matrix<f64>>>>,
    pub(crate) eigenvalues: Vec<f64>,
    pub(crate) zero_solutions: usize,
    pub(crate) residual: f64,
    pub(crate) tolerance: f64,
    pub(crate) solver: String,
}

fn nothing() -> Error {
    Error::Degenerate {
        what: "multiscale alignment".into(),
        problem: "the Laplacian is zero on the data; there are no levels".into(),
    }
}

impl Inverse {
    /// From a positive semidefinite K, lower triangle.
    pub(crate) fn symmetric(mut k: Mat<f64>) -> Result<Self> {
        mirror(&mut k);
        let (values, vectors) = symmetric_eigen(&k)?;
        let largest = values.last().copied().unwrap_or(0.0);
        let zero = values.iter().take_while(|v| **v <= ZERO * largest).count();
        if zero == values.len() || largest <= 0.0 {
            return Err(nothing());
        }
        let n = vectors.nrows();
        let kept = Mat::from_fn(n, values.len() - zero, |i, j| vectors[(i, zero + j)]);
        Ok(Self::from_pairs(values[zero..].to_vec(), kept, zero, format!("dense decomposition of {n} dimensions")))
    }

    fn from_pairs(eigenvalues: Vec<f64>, vectors: Mat<f64>, zero_solutions: usize, note: String) -> Self {
        let values = eigenvalues.iter().map(|v| eigenvalues[0] / v).collect();
        let operator = Operator::Symmetric(Spectrum { values, vectors });
        Self { operator, eigenvalues, zero_solutions, first_level: 1, residual: 0.0, tolerance: 0.0, note }
    }

    /// From a K that need not be symmetric: `K = A Σ B'`, `T = B Σ⁻¹ A'`.
    pub(crate) fn directed(k: &Mat<f64>) -> Result<Self> {
        let n = k.nrows();
        if (0..n).any(|j| (0..n).any(|i| !k[(i, j)].is_finite())) {
            return Err(Error::Overflow { what: "directed Laplacian".into() });
        }
        let failed = |_| Error::Numerical { what: "directed Laplacian".into(), problem: "the SVD did not converge".into() };
        let svd = k.thin_svd().map_err(failed)?;
        let sigma: Vec<f64> = (0..n).map(|i| svd.S()[i]).collect();
        let kept = sigma.iter().take_while(|s| **s > ZERO * sigma[0]).count();
        if kept == 0 {
            return Err(nothing());
        }
        let smallest = sigma[kept - 1];
        let left = Mat::from_fn(n, kept, |i, j| svd.V()[(i, j)] * smallest / sigma[j]);
        let mut t = Mat::zeros(n, n);
        crate::linalg::dense::add_matmul(t.as_mut(), left.as_ref(), svd.U().subcols(0, kept).transpose(), 1.0);
        let t = Matrix::from_fn(n, n, |i, j| t[(i, j)]);
        Ok(Self {
            operator: Operator::Directed(t),
            eigenvalues: sigma[..kept].iter().rev().copied().collect(),
            zero_solutions: n - kept,
            first_level: 1,
            residual: 0.0,
            tolerance: 0.0,
            note: format!("singular values of {n} dimensions"),
        })
    }

    /// From the Laplacian of a symmetric graph: the full decomposition for small graphs, otherwise the eigenvectors that the
    /// first level needs.
    pub(crate) fn of_graph(graph: &Csr, precision: f64, seed: u64, progress: &Progress) -> Result<Self> {
        let pencil = LaplacianPencil::new(graph, Mass::Identity);
        let n = pencil.n();
        if pencil.n_nonzero() == 0 {
            return Err(nothing());
        }
        if n <= WHOLE {
            let mut laplacian = Mat::zeros(n, n);
            for i in 0..n {
                laplacian[(i, i)] = pencil.degree[i];
                graph.row(i).for_each(|(j, w)| laplacian[(i, j as usize)] -= w);
            }
            return Self::symmetric(laplacian);
        }
        let options = EigenOptions { tolerance: TOLERANCE, seed, ..EigenOptions::default() };
        let mut count = 64.min(pencil.n_nonzero());
        loop {
            let found = smallest_nonzero(&pencil, count, &options, progress)?;
            let ratio = found.values[0] / found.values[count - 1];
            // All eigenvectors of a level are known when the last computed one lies beyond it.
            let complete = |k: usize| count == pencil.n_nonzero() || ratio.powf((k as f64).exp2()) < precision;
            if !complete(1) && count < MOST_VECTORS.min(pencil.n_nonzero()) {
                count = (2 * count).min(pencil.n_nonzero());
                continue;
            }
            let Some(first) = (1..=MOST_LEVELS).find(|k| complete(*k)) else {
                return Err(Error::Numerical {
                    what: "multiscale alignment".into(),
                    problem: format!("{count} eigenvalues are nearly equal; the graph has no coarser levels"),
                });
            };
            let vectors = Mat::from_fn(n, count, |i, j| found.vectors[(i, j)]);
            let mut inverse = Self::from_pairs(found.values, vectors, pencil.n_components, found.solver);
            inverse.first_level = first;
            (inverse.residual, inverse.tolerance) = (found.residual, TOLERANCE);
            return Ok(inverse);
        }
    }

    /// From the Laplacian of a directed graph, by a full decomposition.
    pub(crate) fn of_directed_graph(graph: &Csr, degree: &[f64]) -> Result<Self> {
        let n = degree.len();
        if n > 2 * WHOLE {
            return Err(Error::Undefined {
                what: format!("instance-level multiscale alignment of a directed graph of {n} rows"),
                why: format!("it needs a dense decomposition, which is limited to {} rows", 2 * WHOLE),
            });
        }
        let mut laplacian = Mat::zeros(n, n);
        for i in 0..n {
            laplacian[(i, i)] = degree[i];
            graph.row(i).for_each(|(j, w)| laplacian[(i, j as usize)] -= w);
        }
        Self::directed(&laplacian)
    }

    /// The hierarchy.
    pub(crate) fn levels(
        self,
        precision: f64,
        max_levels: Option<usize>,
        construction: Construction,
        progress: &Progress,
    ) -> Result<Levels> {
        let skipped = self.first_level - 1;
        let most = max_levels.unwrap_or(MOST_LEVELS).saturating_add(skipped);
        let recursive = |t: &Matrix<f64>, construction| -> Result<Built> {
            let builder = DiffusionWavelets::new(precision).max_levels(Some(most)).construction(construction);
            let wavelets = builder.build_with(OperatorRef::Dense(t), progress)?;
            let bases = (0..wavelets.levels().len()).map(|l| wavelets.basis(l).map(Arc::new)).collect::<Result<Vec<_>>>()?;
            Ok((wavelets.levels().to_vec(), bases))
        };
        let (levels, bases, solver) = match (&self.operator, construction) {
            (Operator::Directed(_), Construction::Spectral) => {
                return Err(Error::parameter("construction", "spectral", "recursion for a directed graph"));
            }
            (Operator::Directed(t), _) => {
                let (levels, bases) = recursive(t, Construction::Recursion)?;
                (levels, bases, format!("{}, recursion", self.note))
            }
            (Operator::Symmetric(spectrum), Construction::Recursion) => {
                let scaled = Mat::from_fn(spectrum.vectors.nrows(), spectrum.vectors.ncols(), |i, j| {
                    spectrum.vectors[(i, j)] * spectrum.values[j]
                });
                let n = scaled.nrows();
                let mut t = Mat::zeros(n, n);
                crate::linalg::dense::add_symmetric_matmul(t.as_mut(), scaled.as_ref(), spectrum.vectors.transpose(), 1.0);
                mirror(&mut t);
                let (levels, bases) = recursive(&Matrix::from_fn(n, n, |i, j| t[(i, j)]), Construction::Recursion)?;
                (levels, bases, format!("{}, recursion", self.note))
            }
            (Operator::Symmetric(spectrum), _) => {
                let (levels, bases) = hierarchy(spectrum, precision, most, progress)?;
                (levels, bases, format!("{}, exact spectral subspaces", self.note))
            }
        };
        // A hierarchy whose top is below the first complete level still has that top.
        let skipped = skipped.min(levels.len().saturating_sub(1));
        let (levels, bases) = (levels[skipped..].to_vec(), &bases[skipped..]);
        let finest = bases.first().ok_or_else(nothing)?;
        let mut known: Vec<(&Shared, Option<Shared>)> = vec![(finest, None)];
        let mut coarser = vec![];
        for basis in bases {
            let found = known.iter().find(|k| Arc::ptr_eq(k.0, basis)).map(|k| k.1.clone());
            let inside = found.unwrap_or_else(|| {
                let made = Some(Arc::new(coordinates(finest, basis)));
                known.push((basis, made.clone()));
                made
            });
            coarser.push(inside);
        }
        drop(known);
        Ok(Levels {
            finest: finest.as_ref().clone(),
            levels,
            coarser,
            eigenvalues: self.eigenvalues,
            zero_solutions: self.zero_solutions,
            residual: self.residual,
            tolerance: self.tolerance,
            solver,
        })
    }
}
