//! Least squares with or without a ridge: one factorisation for all targets.

use super::Solved;
use crate::data::prepared::Prepared;
use crate::error::Result;
use crate::linalg::Matrix;
use crate::linalg::operator::Product;
use crate::linalg::tall::Tall;
use crate::linalg::whitening::{Whitener, Whitening};
use crate::problem::feature::{Blocks, reduce_to_row_space};

/// `min |Y − XW|² + ridge |W|²` (the ridge for rows as [`Blocks`] scales them); without a ridge the W of minimum norm. Returns
/// W, its accuracy, and the rank.
pub(crate) fn solve(x: Prepared, y: &Tall, ridge: f64) -> Result<(Matrix<f64>, Solved, usize)> {
    let width = y.stride;
    let full = Blocks::new(vec![x]);
    let scale = full.scales[0];
    let (reduced, bases) = reduce_to_row_space(full)?;
    let x = &reduced.datasets[0];
    let mut own = reduced.mass(0, &vec![1.0; y.n()]);
    (0..own.nrows()).for_each(|i| own[(i, i)] += ridge);
    let whitening = Whitening(vec![Whitener::new(own.clone())?]);
    let solve = |c: &Tall| whitening.expand(&whitening.shrink(c));
    let c = x.transposed_times(y);
    let mut w = solve(&c);
    // One step of iterative refinement, and the gain of a second one: the duality gap is q'(X'X + ridge)⁺q.
    let rest = |w: &Tall| {
        let mut q = own.product(w);
        q.values.iter_mut().zip(&c.values).for_each(|(q, c)| *q = c - *q);
        q
    };
    let first = solve(&rest(&w));
    w.values.iter_mut().zip(&first.values).for_each(|(w, s)| *w += s);
    let q = rest(&w);
    let gap: f64 = q.values.iter().zip(&solve(&q).values).map(|(a, b)| a * b).sum();
    let fitted = x.times(&w);
    let residual: f64 = y.values.iter().zip(&fitted.values).map(|(y, f)| (y - f) * (y - f)).sum();
    let primal = residual + ridge * w.values.iter().map(|v| v * v).sum::<f64>();
    let yy = y.values.iter().map(|v| v * v).sum();
    let mut solved = Solved::default();
    solved.add(primal, gap.max(0.0), yy, f64::INFINITY);
    let p = w.n();
    let values = w.values.into_iter().map(|v| v * scale).collect();
    Ok((bases[0].expand(Matrix::from_vec(values, p, width)?), solved, whitening.rank()))
}
