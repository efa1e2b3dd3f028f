//! Smallest solutions of `A f = λ B f` for matrices too large to store: A is known by its products and inverted by
//! preconditioned conjugate gradients, B by a factor, `B = M'M`.

use crate::error::{Error, Result};
use crate::linalg::operator::Product;
use crate::linalg::operator::{Factor, Preconditioner};
use crate::linalg::tall::{Tall, accumulate, each_row};
use crate::linalg::whitening::{Whitener, Whitening};
use crate::progress::Progress;
use crate::solve::pencil::{Smallest, largest};
use std::sync::Mutex;

/// Residual, relative to the right-hand side, at which a solve ends: well below the resolution of the eigensolver.
const ENOUGH: f64 = 1e-12;
/// A solve with a larger residual than this spoils the eigenvectors.
const TOLERABLE: f64 = 1e-8;
const MAX_STEPS: usize = 3000;

/// `A⁻¹ b` for a positive definite A. All columns of b run together, each with its own step lengths.
pub(crate) struct Inverse<'a> {
    a: &'a dyn Product,
    nearby: &'a Preconditioner,
    /// Number of solves, their total steps, and the largest residual.
    seen: Mutex<(usize, usize, f64)>,
}

impl<'a> Inverse<'a> {
    pub(crate) fn new(a: &'a dyn Product, nearby: &'a Preconditioner) -> Self {
        Self { a, nearby, seen: Mutex::default() }
    }

    pub(crate) fn solve(&self, b: &Tall) -> Tall {
        let width = b.stride;
        let mut x = Tall::zeros(b.n(), width);
        let mut r = b.clone();
        let mut z = self.nearby.solve(&r);
        let mut p = z.clone();
        let mut rz = dots(&r, &z);
        let start = rz.clone();
        let mut steps = 0;
        let left = |rz: &[f64]| rz.iter().zip(&start).map(|(now, then)| (now / then).sqrt()).fold(0.0, f64::max);
        while steps < MAX_STEPS && left(&rz) > ENOUGH {
            let ap = self.a.product(&p);
            let curvature = dots(&p, &ap);
            // A column that has converged, or was zero, does not change.
            let alpha: Vec<f64> = rz.iter().zip(&curvature).map(|(r, c)| if *c > 0.0 { r / c } else { 0.0 }).collect();
            add_columns(&mut x, &alpha, &p);
            add_columns(&mut r, &alpha.iter().map(|a| -a).collect::<Vec<_>>(), &ap);
            z = self.nearby.solve(&r);
            let next = dots(&r, &z);
            let beta: Vec<f64> = next.iter().zip(&rz).map(|(n, r)| if *r > 0.0 { n / r } else { 0.0 }).collect();
            each_row(&mut p, |i, row| {
                let z = &z.values[i * width..(i + 1) * width];
                row.iter_mut().zip(z).zip(&beta).for_each(|((p, z), b)| *p = z + b * *p);
            });
            rz = next;
            steps += 1;
        }
        if let Ok(mut seen) = self.seen.lock() {
            *seen = (seen.0 + 1, seen.1 + steps, seen.2.max(left(&rz)));
        }
        x
    }
}

fn dots(a: &Tall, b: &Tall) -> Vec<f64> {
    let width = a.stride;
    accumulate(a.n(), width, |i, sums| {
        let range = i * width..(i + 1) * width;
        sums.iter_mut().zip(a.values[range.clone()].iter().zip(&b.values[range])).for_each(|(s, (a, b))| *s += a * b);
    })
}

fn add_columns(to: &mut Tall, factors: &[f64], from: &Tall) {
    let width = to.stride;
    each_row(to, |i, row| {
        let from = &from.values[i * width..(i + 1) * width];
        row.iter_mut().zip(from).zip(factors).for_each(|((t, f), factor)| *t += factor * f);
    });
}

/// `M A⁻¹ M'`: its largest eigenvalues are those of `B f = θ A f`, and `f = A⁻¹ M' y / θ`.
struct Outer<'a> {
    inverse: &'a Inverse<'a>,
    m: &'a dyn Factor,
}

impl Product for Outer<'_> {
    fn n(&self) -> usize {
        self.m.n()
    }
    fn product(&self, y: &Tall) -> Tall {
        self.m.times(&self.inverse.solve(&self.m.transposed_times(y)))
    }
}

/// The d smallest of `A f = λ B f`, A positive definite, `B = M'M`.
pub(crate) fn smallest_by_products(
    a: &dyn Product,
    nearby: &Preconditioner,
    m: &dyn Factor,
    d: usize,
    seed: u64,
    progress: &Progress,
) -> Result<Smallest> {
    let inverse = Inverse::new(a, nearby);
    let whitening = Whitening(vec![Whitener::Identity(m.n())]);
    let found = largest(&Outer { inverse: &inverse, m }, &whitening, d, seed, progress)?;
    let kept = found.positive();
    let mut y = Tall::zeros(m.n(), kept.max(1));
    each_row(&mut y, |i, row| {
        let from = &found.vectors.values[i * found.vectors.stride..];
        row.iter_mut().zip(&found.values[..kept]).zip(from).for_each(|((y, t), v)| *y = v / t);
    });
    let vectors = inverse.solve(&m.transposed_times(&y));
    let (solves, steps, residual) = inverse.seen.lock().map(|seen| *seen).unwrap_or_default();
    if residual > TOLERABLE || residual.is_nan() {
        return Err(Error::SystemNotConverged {
            solver: "conjugate gradients".into(),
            iterations: steps,
            residual,
            tolerance: TOLERABLE,
        });
    }
    Ok(Smallest {
        values: found.values[..kept].iter().map(|t| 1.0 / t).collect(),
        vectors,
        zero_solutions: 0,
        rank: None,
        residual: found.residual,
        iterations: found.iterations,
        solver: format!("{}, {} conjugate gradient steps each", found.solver, steps.div_ceil(solves.max(1))),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::dense::Cholesky;
    use crate::solve::pencil::smallest_definite;
    use faer::Mat;

    struct Rows(Mat<f64>);
    impl Factor for Rows {
        fn n(&self) -> usize {
            self.0.nrows()
        }
        fn times(&self, v: &Tall) -> Tall {
            let mut out = Tall::zeros(self.0.nrows(), v.stride);
            crate::linalg::dense::add_times(self.0.as_ref(), &v.values, &mut out.values, v.stride);
            out
        }
        fn transposed_times(&self, y: &Tall) -> Tall {
            let mut out = Tall::zeros(self.0.ncols(), y.stride);
            crate::linalg::dense::add_times(self.0.transpose(), &y.values, &mut out.values, y.stride);
            out
        }
    }

    #[test]
    fn products_alone_give_the_solutions_of_the_matrices() {
        let value = |i: usize| ((i * 7919) % 1009) as f64 / 500.0 - 1.0;
        for (n, p, d) in [(40, 25, 5), (30, 60, 12), (700, 450, 20)] {
            let m = Mat::from_fn(n, p, |i, j| value(i * p + j) / (1.0 + j as f64 / 5.0));
            let c = Mat::from_fn(p, p, |i, j| value(3 * i * p + j + 11));
            let mut a = &c * c.transpose() * 0.05;
            (0..p).for_each(|i| a[(i, i)] += 1.0);
            let b = m.transpose() * &m;
            let dense = smallest_definite(a.clone(), &b, d, 0, &Progress::silent()).unwrap();
            let diagonal: Vec<f64> = (0..p).map(|i| a[(i, i)]).collect();
            let rows: Vec<usize> = (0..p).filter(|i| i % 3 == 1).collect();
            let block = Mat::from_fn(rows.len(), rows.len(), |i, j| a[(rows[i], rows[j])]);
            let block = (n != 40).then(|| (rows, Cholesky::new(block, 0.0).unwrap()));
            let nearby = Preconditioner { block, diagonal };
            let found = smallest_by_products(&a, &nearby, &Rows(m.clone()), d, 0, &Progress::silent()).unwrap();
            assert_eq!(found.values.len(), dense.values.len());
            for (got, expected) in found.values.iter().zip(&dense.values) {
                assert!((got / expected - 1.0).abs() < 1e-9, "{got} {expected}");
            }
            // F'BF = I, and A F = B F diag(λ).
            let k = found.values.len();
            let f = Mat::from_fn(p, k, |i, j| found.vectors.values[i * k + j]);
            let (af, bf) = (&a * &f, &b * &f);
            let g = f.transpose() * &bf;
            for i in 0..k {
                for j in 0..k {
                    assert!((g[(i, j)] - f64::from(u8::from(i == j))).abs() < 1e-7, "{}", g[(i, j)]);
                }
                let off: f64 = (0..p).map(|r| (af[(r, i)] - found.values[i] * bf[(r, i)]).powi(2)).sum::<f64>().sqrt();
                let size: f64 = (0..p).map(|r| af[(r, i)].powi(2)).sum::<f64>().sqrt();
                assert!(off < 1e-6 * size);
            }
        }
    }

    #[test]
    fn columns_of_zeros_are_solved_by_zeros() {
        let a = Mat::from_fn(6, 6, |i, j| if i == j { 2.0 + i as f64 } else { 0.1 });
        let b = Tall { values: (0..12).map(|i| if i % 2 == 0 { 0.0 } else { 1.0 }).collect(), stride: 2 };
        let x = Inverse::new(&a, &Preconditioner { block: None, diagonal: vec![1.0; 6] }).solve(&b);
        assert!(x.values.iter().all(|v| v.is_finite()) && x.values.iter().step_by(2).all(|v| *v == 0.0));
        let back = a.product(&x);
        assert!(back.values.iter().zip(&b.values).all(|(a, b)| (a - b).abs() < 1e-10));
    }
}
