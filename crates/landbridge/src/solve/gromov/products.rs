//! `Σ C₁ T C₂` over several kinds of distances: exactly, in single precision, or from the leading directions of each C.
//!
//! Ranked distances of cells have 90 to 99 % of their length in 64 directions, so the products of a search cost a fifteenth.

use crate::data::prepared::{Prepared, Values};
use crate::error::Result;
use crate::linalg::Matrix;
use crate::linalg::dense::Entry;
use crate::linalg::tall::{Tall, gram, view, view_mut};
use crate::progress::Progress;
use crate::solve::svd;
use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, Par};
use rayon::prelude::*;

/// Rows of one task; the same on any number of threads.
pub(super) const TASK: usize = 64;
/// Directions of each matrix of distances in a search.
const DIRECTIONS: usize = 64;

/// Several kinds of distances of the same rows, ready for products with plans.
pub(crate) struct Geometries<'a> {
    pub(super) several: &'a [(&'a Matrix<f64>, &'a Matrix<f64>)],
    /// Sum of the squares of all distances, each of the first and the second dataset by the square of its number of rows.
    pub(super) own: f64,
    form: Form,
}

enum Form {
    Double,
    Single(Vec<(Matrix<f32>, Matrix<f32>)>),
    /// `C ≈ Q B Q'` for each matrix; the Q stand side by side.
    Leading {
        left: Matrix<f32>,
        left_transposed: Matrix<f32>,
        right: Matrix<f32>,
        right_transposed: Matrix<f32>,
        cores: Vec<(Mat<f64>, Mat<f64>)>,
    },
}

/// The memory of a product.
pub(super) enum Scratch {
    Double { half: Matrix<f64> },
    Single { plan: Matrix<f32>, half: Matrix<f32>, pull: Matrix<f32> },
}

impl<'a> Geometries<'a> {
    /// In double precision.
    pub(crate) fn exact(several: &'a [(&'a Matrix<f64>, &'a Matrix<f64>)]) -> Self {
        Self { several, own: own_squares(several), form: Form::Double }
    }

    /// In single precision, which takes half the time: to a tolerance well above 1e-6 of the plan.
    pub(crate) fn rough(several: &'a [(&'a Matrix<f64>, &'a Matrix<f64>)]) -> Self {
        let single = |c: &Matrix<f64>| {
            let mut out = Matrix::zeros(c.nrows(), c.ncols());
            convert(c.as_slice(), out.as_mut_slice(), |v| v as f32);
            out
        };
        let form = Form::Single(several.iter().map(|(a, b)| (single(a), single(b))).collect());
        Self { several, own: own_squares(several), form }
    }

    /// From the leading directions: for plans that are compared or continued.
    pub(crate) fn leading(several: &'a [(&'a Matrix<f64>, &'a Matrix<f64>)], factors: &[Factors]) -> Self {
        let (n, m) = (several[0].0.nrows(), several[0].1.nrows());
        let squares = |side: &Factor| side.core.squared_norm_l2();
        let own = factors.iter().map(|(x, y)| squares(x) / (n * n) as f64 + squares(y) / (m * m) as f64).sum();
        let (left, right) = (beside(factors.iter().map(|f| &f.0.basis), n), beside(factors.iter().map(|f| &f.1.basis), m));
        let form = Form::Leading {
            left_transposed: left.transpose(),
            right_transposed: right.transpose(),
            left,
            right,
            cores: factors.iter().map(|(x, y)| (x.core.clone(), y.core.clone())).collect(),
        };
        Self { several, own, form }
    }

    pub(super) fn scratch(&self) -> Scratch {
        let (n, m) = (self.several[0].0.nrows(), self.several[0].1.nrows());
        let half = match &self.form {
            Form::Double => return Scratch::Double { half: Matrix::zeros(n, m) },
            Form::Single(_) => Matrix::zeros(n, m),
            Form::Leading { left, .. } => Matrix::zeros(left.ncols(), m),
        };
        Scratch::Single { plan: Matrix::zeros(n, m), half, pull: Matrix::zeros(n, m) }
    }

    /// Whether products are exact to double precision.
    pub(super) fn is_exact(&self) -> bool {
        matches!(self.form, Form::Double)
    }

    /// The squares of the distances, always in double precision.
    pub(super) fn own_squares(&self) -> OwnSquares {
        let sum = |n: usize, side: &dyn Fn(usize) -> &'a Matrix<f64>| {
            let mut out: Matrix<f64> = Matrix::zeros(n, n);
            for s in 0..self.several.len() {
                out.as_mut_slice().iter_mut().zip(side(s).as_slice()).for_each(|(o, c)| *o += c * c);
            }
            out
        };
        let (n, m) = (self.several[0].0.nrows(), self.several[0].1.nrows());
        OwnSquares { first: sum(n, &|s| self.several[s].0), second: sum(m, &|s| self.several[s].1) }
    }

    /// `pull = Σ C₁ T C₂`.
    pub(super) fn pull(&self, plan: &Matrix<f64>, out: &mut Matrix<f64>, scratch: &mut Scratch) {
        let accum = |s: usize| if s == 0 { Accum::Replace } else { Accum::Add };
        match (&self.form, scratch) {
            (Form::Single(several), Scratch::Single { plan: single, half, pull }) => {
                convert(plan.as_slice(), single.as_mut_slice(), |v| v as f32);
                for (s, (c1, c2)) in several.iter().enumerate() {
                    multiply(c1, single, half, Accum::Replace);
                    multiply(half, c2, pull, accum(s));
                }
                convert(pull.as_slice(), out.as_mut_slice(), f64::from);
            }
            (
                Form::Leading { left, left_transposed, right, right_transposed, cores },
                Scratch::Single { plan: single, half, pull },
            ) => {
                convert(plan.as_slice(), single.as_mut_slice(), |v| v as f32);
                multiply(left_transposed, single, half, Accum::Replace); // Q₁' T
                between(half, right, right_transposed, cores); // B₁ (Q₁' T Q₂) B₂ Q₂'
                multiply(left, half, pull, Accum::Replace);
                convert(pull.as_slice(), out.as_mut_slice(), f64::from);
            }
            (_, Scratch::Double { half }) => {
                for (s, (c1, c2)) in self.several.iter().enumerate() {
                    multiply(c1, plan, half, Accum::Replace);
                    multiply(half, c2, out, accum(s));
                }
            }
            (Form::Double, Scratch::Single { .. }) => unreachable!("the scratch is made for the form"),
        }
    }
}

/// Squared distances, summed over their kinds: what a plan pays for its own marginals.
pub(super) struct OwnSquares {
    first: Matrix<f64>,
    second: Matrix<f64>,
}

impl OwnSquares {
    /// `Σ C₁² T1` for each row of the first dataset, and `Σ C₂² T'1` for each of the second.
    pub(super) fn of(&self, plan: &Matrix<f64>) -> (Vec<f64>, Vec<f64>) {
        let (rows, columns) = marginals(plan);
        let times = |squares: &Matrix<f64>, mass: &[f64]| {
            let row = |i: usize| squares.row(i).iter().zip(mass).map(|(c, a)| c * a).sum::<f64>();
            (0..squares.nrows()).into_par_iter().map(row).collect::<Vec<f64>>()
        };
        (times(&self.first, &rows), times(&self.second, &columns))
    }

    /// `Σ C₁² T1 T1 + Σ C₂² T'1 T'1`.
    pub(super) fn total(&self, plan: &Matrix<f64>) -> f64 {
        let ((x, y), (rows, columns)) = (self.of(plan), marginals(plan));
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        dot(&x, &rows) + dot(&y, &columns)
    }
}

/// The mass of every row and of every column.
pub(crate) fn marginals(plan: &Matrix<f64>) -> (Vec<f64>, Vec<f64>) {
    let mut columns = vec![0.0; plan.ncols()];
    let rows = (0..plan.nrows())
        .map(|i| {
            columns.iter_mut().zip(plan.row(i)).for_each(|(c, t)| *c += t);
            plan.row(i).iter().sum()
        })
        .collect();
    (rows, columns)
}

fn own_squares(several: &[(&Matrix<f64>, &Matrix<f64>)]) -> f64 {
    let squares = |c: &Matrix<f64>| c.as_slice().iter().map(|v| v * v).sum::<f64>() / (c.nrows() * c.nrows()) as f64;
    several.iter().map(|(c1, c2)| squares(c1) + squares(c2)).sum()
}

/// Q and B of `C ≈ Q B Q'`, C symmetric.
pub(crate) struct Factor {
    basis: Tall,
    core: Mat<f64>,
}

/// One kind of distances in the leading directions of each dataset.
pub(crate) type Factors = (Factor, Factor);

/// The leading directions of several kinds of distances.
pub(crate) fn factored(several: &[(&Matrix<f64>, &Matrix<f64>)], progress: &Progress) -> Result<Vec<Factors>> {
    let factor = |c: &Matrix<f64>| -> Result<Factor> {
        let n = c.nrows();
        let x = Prepared { values: Values::Dense(Tall { values: c.as_slice().to_vec(), stride: n }), shift: None };
        let basis = svd::roughly(&x, DIRECTIONS.min(n), 0, progress)?.right;
        let core = gram(&basis, basis.stride, &x.times(&basis));
        Ok(Factor { basis, core })
    };
    several.par_iter().map(|(a, b)| Ok((factor(a)?, factor(b)?))).collect()
}

/// Blocks of the same number of rows side by side.
fn beside<'a>(blocks: impl Iterator<Item = &'a Tall>, n: usize) -> Matrix<f32> {
    let blocks: Vec<&Tall> = blocks.collect();
    let width = blocks.iter().map(|b| b.stride).sum();
    let mut out = Matrix::zeros(n, width);
    for i in 0..n {
        let values = blocks.iter().flat_map(|b| &b.values[i * b.stride..(i + 1) * b.stride]);
        out.row_mut(i).iter_mut().zip(values).for_each(|(to, from)| *to = *from as f32);
    }
    out
}

/// For each kind of distances, with H its rows of `half`: `H ← B₁ (H Q₂) B₂ Q₂'`.
fn between(half: &mut Matrix<f32>, right: &Matrix<f32>, right_transposed: &Matrix<f32>, cores: &[(Mat<f64>, Mat<f64>)]) {
    let (m, width) = (half.ncols(), right.ncols());
    let (mut parts, mut left, mut top) = (vec![], half.as_mut_slice(), 0);
    for (b1, b2) in cores {
        let (part, rest) = left.split_at_mut(b1.nrows() * m);
        parts.push((part, top, b1, b2));
        top += b2.nrows();
        left = rest;
    }
    parts.into_par_iter().for_each(|(part, top, b1, b2)| {
        let (r1, r2) = (b1.nrows(), b2.nrows());
        let mut along = Mat::<f32>::zeros(r1, r2);
        let q2 = view(right.as_slice(), width, width).subcols(top, r2);
        matmul(along.as_mut(), Accum::Replace, view(part, m, m), q2, 1.0, Par::Seq);
        let along = Mat::from_fn(r1, r2, |i, j| f64::from(along[(i, j)]));
        let turned = b1 * along * b2;
        let turned = Mat::from_fn(r1, r2, |i, j| turned[(i, j)] as f32);
        let rows = &right_transposed.as_slice()[top * m..(top + r2) * m];
        matmul(view_mut(part, m, m), Accum::Replace, turned.as_ref(), view(rows, m, m), 1.0, Par::Seq);
    });
}

fn convert<A: Copy + Sync, B: Send>(from: &[A], to: &mut [B], f: impl Fn(A) -> B + Sync) {
    const PART: usize = 1 << 14;
    let parts = to.par_chunks_mut(PART).zip(from.par_chunks(PART));
    parts.for_each(|(to, from)| to.iter_mut().zip(from).for_each(|(to, from)| *to = f(*from)));
}

/// `out = a b`, or `out += a b`, in fixed chunks of rows.
pub(crate) fn multiply<T: Entry>(a: &Matrix<T>, b: &Matrix<T>, out: &mut Matrix<T>, accum: Accum) {
    let (inner, m) = (a.ncols(), b.ncols());
    let b = view(b.as_slice(), m, m);
    out.as_mut_slice().par_chunks_mut(TASK * m).zip(a.as_slice().par_chunks(TASK * inner)).for_each(|(out, a)| {
        matmul(view_mut(out, m, m), accum, view(a, inner, inner), b, T::from_f64(1.0), Par::Seq);
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Distances of points on a curve, which need few directions, and of several kinds.
    fn distances(n: usize, bend: f64) -> Matrix<f64> {
        let at = |i: usize| {
            let t = ((i * 37) % n) as f64 / n as f64;
            [t, (bend * t).sin()]
        };
        Matrix::from_fn(n, n, |i, j| (at(i)[0] - at(j)[0]).hypot(at(i)[1] - at(j)[1]))
    }

    #[test]
    fn leading_directions_give_nearly_the_exact_products() {
        let (x, y) = ((distances(290, 1.0), distances(290, 3.0)), (distances(250, 2.0), distances(250, 4.0)));
        let several = [(&x.0, &y.0), (&x.1, &y.1)];
        let plan = Matrix::from_fn(290, 250, |i, j| (1.0 + ((i * 13 + j * 7) % 11) as f64) / (290.0 * 250.0 * 6.0));
        let run = |g: &Geometries<'_>| {
            let mut out = Matrix::zeros(290, 250);
            g.pull(&plan, &mut out, &mut g.scratch());
            out
        };
        let exact = Geometries::exact(&several);
        let leading = Geometries::leading(&several, &factored(&several, &Progress::silent()).unwrap());
        let rough = Geometries::rough(&several);
        let (a, b, c) = (run(&exact), run(&leading), run(&rough));
        let length = |m: &Matrix<f64>| m.as_slice().iter().map(|v| v * v).sum::<f64>().sqrt();
        let off = |b: &Matrix<f64>| length(&Matrix::from_fn(290, 250, |i, j| a[(i, j)] - b[(i, j)])) / length(&a);
        assert!(off(&b) < 1e-3 && off(&c) < 1e-6, "{} {}", off(&b), off(&c));
        assert!((exact.own - leading.own).abs() < 1e-3 * exact.own);
        // By hand.
        let mut sum = 0.0;
        for (c1, c2) in several {
            for k in 0..290 {
                for l in 0..250 {
                    sum += c1[(3, k)] * plan[(k, l)] * c2[(l, 5)];
                }
            }
        }
        assert!((a[(3, 5)] - sum).abs() < 1e-12);
    }
}
