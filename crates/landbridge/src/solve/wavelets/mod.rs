//! Diffusion wavelets: the dyadic powers of an operator, and for each power an orthonormal, localised basis of its range at
//! precision ε (Coifman and Maggioni 2006; Chapter11 §5.3.3).

mod blocks;
mod recursion;
mod spectral;

pub(crate) use spectral::{Built, Spectrum, coordinates, hierarchy};

use crate::builder::setters;
use crate::error::{Error, Result};
use crate::linalg::{Csr, Matrix};
use crate::progress::Progress;
use landbridge_derive::Words;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// How the bases are built.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Words)]
pub enum Construction {
    /// Spectral for symmetric operators of up to 4,000 rows, the recursion for all others.
    #[default]
    Auto,
    /// Localised bases of the exact spectral subspaces. Symmetric operators only.
    Spectral,
    /// The published recursion: orthogonalise the columns of the power, compress, square.
    Recursion,
}

impl Construction {
    /// All names, for messages.
    pub const WORDS: &'static str = "\"auto\", \"spectral\", \"recursion\"";
}

/// Maximum number of rows for which a symmetric operator is decomposed by default.
const SPECTRAL_LIMIT: usize = 4000;
/// Beyond this level, powers of a number below 1 are not distinct in double precision.
pub(crate) const MOST_LEVELS: usize = 60;
/// Differences below this share of the largest entry count as rounding, not as asymmetry.
const SYMMETRIC: f64 = 1e-12;
/// A norm above 1 by less than this is rounding.
const NORM_SLACK: f64 = 1e-10;

/// An operator, dense or sparse.
#[derive(Clone, Copy, Debug)]
pub enum OperatorRef<'a> {
    /// All entries.
    Dense(&'a Matrix<f64>),
    /// Stored entries.
    Sparse(&'a Csr),
}

/// One level of a hierarchy.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct WaveletLevel {
    /// k: the level belongs to `T^(2^k)`. The finest level has k = 1.
    pub power: u32,
    /// Number of scaling functions.
    pub dimension: usize,
    /// A bound, in the spectral norm, of the change by truncation and dropped entries in this step; 0 for the exact subspaces.
    pub error: f64,
}

/// Diffusion wavelets of an operator T of norm at most 1.
///
/// Level k = 1, 2, … holds an orthonormal basis `[φ_k]` of the range of `T^(2^k)` at precision ε. For a symmetric T this is
/// exactly the span of the eigenvectors with `|λ|^(2^k) ≥ ε`, in localised functions (pivoted QR of the spectral projector,
/// tapered towards the edge of the band). The recursion needs neither symmetry nor eigenvectors: `‖(I − P_k) T^(2^k)‖ ≤ 2 ε`.
/// Spans are nested in both.
///
/// | parameter | default | purpose | range |
/// |---|---|---|---|
/// | `precision` | required | ε | above 0, below 1 |
/// | `max_levels` | to the top | levels at most | 1 … |
/// | `construction` | auto | exact subspaces or recursion | |
///
/// Time: spectral n³, recursion about n for local operators such as graphs. Memory: spectral n times the dimensions, recursion
/// only the steps from level to level.
///
/// ```
/// use landbridge::linalg::Csr;
/// use landbridge::solve::wavelets::{DiffusionWavelets, OperatorRef};
/// let edges: Vec<_> = (1..50).flat_map(|i| [(i - 1, i, 0.25), (i, i - 1, 0.25)]).collect();
/// let inner = (0..50).map(|i| (i, i, if i == 0 || i == 49 { 0.75 } else { 0.5 }));
/// let walk = Csr::from_triplets(50, 50, &edges.into_iter().chain(inner).collect::<Vec<_>>())?;
/// let wavelets = DiffusionWavelets::new(1e-5).build(OperatorRef::Sparse(&walk))?;
/// assert!(wavelets.levels().windows(2).all(|pair| pair[1].dimension <= pair[0].dimension));
/// assert_eq!(wavelets.levels().last().map(|l| l.dimension), Some(1));
/// # Ok::<(), landbridge::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct DiffusionWavelets {
    precision: f64,
    max_levels: Option<usize>,
    construction: Construction,
}

/// A hierarchy of nested spaces, finest first.
#[derive(Clone, Debug)]
pub struct Wavelets {
    n: usize,
    levels: Vec<WaveletLevel>,
    functions: Functions,
    norm: f64,
    rescaled: bool,
    construction: Construction,
}

#[derive(Clone, Debug)]
enum Functions {
    /// Each level in the original coordinates.
    Extended(Vec<Arc<Matrix<f64>>>),
    /// Each level in the functions of the level below.
    Steps(Vec<Csr>),
}

pub(crate) fn check_precision(precision: f64) -> Result<()> {
    if precision > 0.0 && precision < 1.0 {
        return Ok(());
    }
    Err(Error::parameter("precision", precision, "above 0 and below 1"))
}

pub(crate) fn check_max_levels(max_levels: Option<usize>) -> Result<()> {
    if max_levels == Some(0) { Err(Error::parameter("max_levels", 0, "at least 1")) } else { Ok(()) }
}

impl DiffusionWavelets {
    /// With precision ε.
    pub fn new(precision: f64) -> Self {
        Self { precision, max_levels: None, construction: Construction::Auto }
    }

    setters! {
        /// Maximum number of levels; all up to the top when `None`.
        max_levels: Option<usize> => max_levels;
        /// Exact subspaces or the recursion.
        construction: Construction => construction;
    }

    /// The hierarchy of an operator. An operator of norm above 1 is divided by its norm ([`Wavelets::rescaled`] says so).
    pub fn build(&self, operator: OperatorRef<'_>) -> Result<Wavelets> {
        self.build_with(operator, &Progress::silent())
    }

    /// As [`DiffusionWavelets::build`], with progress reports.
    pub fn build_with(&self, operator: OperatorRef<'_>, progress: &Progress) -> Result<Wavelets> {
        check_precision(self.precision)?;
        check_max_levels(self.max_levels)?;
        let n = operator.check()?;
        let symmetric = operator.is_symmetric();
        let spectral = match self.construction {
            Construction::Auto => symmetric && n <= SPECTRAL_LIMIT,
            Construction::Spectral if !symmetric => {
                return Err(Error::parameter("construction", "spectral", "recursion for an operator that is not symmetric"));
            }
            Construction::Spectral => true,
            Construction::Recursion => false,
        };
        let most = self.max_levels.unwrap_or(MOST_LEVELS);
        if spectral {
            let mut spectrum = Spectrum::of(&operator.to_mat())?;
            let (norm, rescaled) = rescale(spectrum.largest())?;
            spectrum.divide_by(if rescaled { norm } else { 1.0 });
            let (levels, bases) = hierarchy(&spectrum, self.precision, most, progress)?;
            let functions = Functions::Extended(bases);
            return Ok(Wavelets { n, levels, functions, norm, rescaled, construction: Construction::Spectral });
        }
        let (norm, rescaled) = rescale(operator.norm(symmetric)?)?;
        let scale = if rescaled { 1.0 / norm } else { 1.0 };
        let (levels, steps) = recursion::hierarchy(operator, scale, symmetric, self.precision, most, progress)?;
        Ok(Wavelets { n, levels, functions: Functions::Steps(steps), norm, rescaled, construction: Construction::Recursion })
    }
}

fn rescale(norm: f64) -> Result<(f64, bool)> {
    if norm > 0.0 && norm.is_finite() {
        return Ok((norm, norm > 1.0 + NORM_SLACK));
    }
    if norm == 0.0 {
        return Err(Error::Numerical {
            what: "diffusion wavelets".into(),
            problem: "the operator is zero; it has no levels".into(),
        });
    }
    Err(Error::Overflow { what: "norm of the operator".into() })
}

impl Wavelets {
    /// Rows of the operator.
    pub fn n(&self) -> usize {
        self.n
    }
    /// The levels, finest first.
    pub fn levels(&self) -> &[WaveletLevel] {
        &self.levels
    }
    /// The norm of the operator as given.
    pub fn norm(&self) -> f64 {
        self.norm
    }
    /// Whether the operator was divided by its norm, because the norm was above 1.
    pub fn rescaled(&self) -> bool {
        self.rescaled
    }
    /// How it was built.
    pub fn construction(&self) -> Construction {
        self.construction
    }
    fn check_level(&self, level: usize) -> Result<()> {
        check_level(level, self.levels.len())
    }
    /// The scaling functions `[φ_k]` of a level in the original coordinates, n × dimension.
    pub fn basis(&self, level: usize) -> Result<Matrix<f64>> {
        self.check_level(level)?;
        match &self.functions {
            Functions::Extended(bases) => Ok(bases[level].as_ref().clone()),
            Functions::Steps(_) => Ok(self.sparse_basis(level)?.to_dense()),
        }
    }
    /// The same, stored entries only.
    pub fn sparse_basis(&self, level: usize) -> Result<Csr> {
        self.check_level(level)?;
        match &self.functions {
            Functions::Extended(bases) => Ok(Csr::from_dense(&bases[level])),
            Functions::Steps(steps) => {
                let mut product = steps[0].clone();
                for step in &steps[1..=level] {
                    product = blocks::sparse_product(&product, step);
                }
                Ok(product)
            }
        }
    }
    /// The scaling functions of a level in those of the level below it (the original coordinates for level 0).
    pub fn step(&self, level: usize) -> Result<Csr> {
        self.check_level(level)?;
        match &self.functions {
            Functions::Steps(steps) => Ok(steps[level].clone()),
            Functions::Extended(_) if level == 0 => self.sparse_basis(0),
            Functions::Extended(bases) => Ok(Csr::from_dense(&spectral::coordinates(&bases[level - 1], &bases[level]))),
        }
    }
}

pub(crate) fn check_level(level: usize, levels: usize) -> Result<()> {
    if level < levels {
        return Ok(());
    }
    Err(Error::parameter("level", level, &format!("below {levels}, the number of levels; 0 is the finest")))
}

impl OperatorRef<'_> {
    fn check(&self) -> Result<usize> {
        let (rows, columns) = match self {
            OperatorRef::Dense(m) => (m.nrows(), m.ncols()),
            OperatorRef::Sparse(m) => (m.nrows(), m.ncols()),
        };
        if rows != columns || rows == 0 {
            return Err(Error::Shape {
                what: "operator".into(),
                expected: "as many rows as columns, at least 1".into(),
                got: format!("{rows} x {columns}"),
            });
        }
        let values = match self {
            OperatorRef::Dense(m) => m.as_slice(),
            OperatorRef::Sparse(m) => m.values(),
        };
        match values.iter().find(|v| !v.is_finite()) {
            None => Ok(rows),
            Some(v) => {
                Err(Error::Numerical { what: "diffusion wavelets".into(), problem: format!("the operator has an entry {v}") })
            }
        }
    }
    fn is_symmetric(&self) -> bool {
        match self {
            OperatorRef::Dense(m) => {
                let tolerance = SYMMETRIC * m.as_slice().iter().fold(0.0f64, |a, v| a.max(v.abs()));
                (0..m.nrows()).all(|i| (0..i).all(|j| (m[(i, j)] - m[(j, i)]).abs() <= tolerance))
            }
            OperatorRef::Sparse(m) => {
                let tolerance = SYMMETRIC * m.values().iter().fold(0.0f64, |a, v| a.max(v.abs()));
                let close = |i: usize, j: usize, v: f64| (m.get(j, i) - v).abs() <= tolerance;
                (0..m.nrows()).all(|i| m.row(i).all(|(j, v)| close(i, j as usize, v)))
            }
        }
    }
    fn to_mat(self) -> faer::Mat<f64> {
        match self {
            OperatorRef::Dense(m) => faer::Mat::from_fn(m.nrows(), m.ncols(), |i, j| 0.5 * (m[(i, j)] + m[(j, i)])),
            OperatorRef::Sparse(m) => {
                let mut out = faer::Mat::zeros(m.nrows(), m.nrows());
                for i in 0..m.nrows() {
                    for (j, v) in m.row(i) {
                        out[(i, j as usize)] += 0.5 * v;
                        out[(j as usize, i)] += 0.5 * v;
                    }
                }
                out
            }
        }
    }
    /// The spectral norm: a simple bound if that is at most 1, exact for small operators, otherwise power iteration on `T'T`.
    fn norm(&self, symmetric: bool) -> Result<f64> {
        let m = match self {
            OperatorRef::Dense(m) => Csr::from_dense(m),
            OperatorRef::Sparse(m) => (*m).clone(),
        };
        let transposed = m.transpose();
        let sum = |m: &Csr| (0..m.nrows()).map(|i| m.row_values(i).iter().map(|v| v.abs()).sum::<f64>()).fold(0.0, f64::max);
        let bound = (sum(&m) * sum(&transposed)).sqrt();
        if bound <= 1.0 + NORM_SLACK {
            return Ok(bound);
        }
        if m.nrows() <= SPECTRAL_LIMIT {
            if symmetric {
                return Ok(Spectrum::of(&self.to_mat())?.largest());
            }
            let dense = m.to_dense();
            let dense = faer::Mat::from_fn(m.nrows(), m.ncols(), |i, j| dense[(i, j)]);
            return Ok(Spectrum::of(&spectral::gram(dense.as_ref()))?.largest().sqrt());
        }
        let mut x: Vec<f64> = (0..m.nrows()).map(|i| 1.0 + (i as f64 * 0.618).fract()).collect();
        let mut norm = 0.0;
        for _ in 0..300 {
            let y = times(&transposed, &times(&m, &x));
            let length = y.iter().map(|v| v * v).sum::<f64>().sqrt();
            let before = x.iter().map(|v| v * v).sum::<f64>().sqrt();
            norm = (length / before).sqrt();
            x = y.into_iter().map(|v| v / length.max(f64::MIN_POSITIVE)).collect();
        }
        // Power iteration converges from below; the simple bound limits it from above.
        Ok((norm * 1.001).min(bound))
    }
}

fn times(m: &Csr, x: &[f64]) -> Vec<f64> {
    (0..m.nrows()).map(|i| m.row(i).map(|(j, v)| v * x[j as usize]).sum()).collect()
}

#[cfg(test)]
mod tests;
