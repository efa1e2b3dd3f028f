//! The min-plus product, `min_u a_iu + b_uj`: the length of the shortest path through one bridge.

mod choice;
mod direct;
mod kernels;
mod screened;

use crate::linalg::Matrix;
use std::ops::Range;

/// `a(i, us, out)` writes `a_iu`.
pub(crate) trait Rows: Fn(usize, Range<usize>, &mut [f64]) + Sync {}
impl<F: Fn(usize, Range<usize>, &mut [f64]) + Sync> Rows for F {}
/// `b(u, out)` writes the row `b_u`.
pub(crate) trait Columns: Fn(usize, &mut [f64]) + Sync {}
impl<F: Fn(usize, &mut [f64]) + Sync> Columns for F {}

/// `A ⊕ B` for l values of u; `shape` holds its rows and columns. Infinite where there is no u.
pub(crate) fn min_plus(shape: (usize, usize), l: usize, a: impl Rows, b: impl Columns) -> Matrix<f64> {
    if l == 0 {
        return Matrix::from_fn(shape.0, shape.1, |_, _| f64::INFINITY);
    }
    // Not filled here: the page faults of first writes are expensive, and this way all threads share them.
    let mut out = Matrix::zeros(shape.0, shape.1);
    lower_all(&mut out, true, l, &a, &b);
    out
}

/// `out ← min(out, A ⊕ B)`.
pub(crate) fn lower_by_min_plus(out: &mut Matrix<f64>, l: usize, a: impl Rows, b: impl Columns) {
    lower_all(out, false, l, &a, &b);
}

/// `fresh`: nothing has been written to `out`; its content counts as infinite.
fn lower_all(out: &mut Matrix<f64>, fresh: bool, l: usize, a: &impl Rows, b: &impl Columns) {
    if out.nrows() == 0 || out.ncols() == 0 || l == 0 {
        return;
    }
    match screened::Scale::of(out, l, a, b) {
        Some(scale) => screened::lower_all(out, fresh, l, a, b, &scale),
        None => direct::lower_all(out, fresh, l, a, b),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares both forms of the product with the plain minimum, bit for bit.
    fn check(n: usize, l: usize, m: usize, value: impl Fn(usize) -> f64, case: &str) {
        let a = Matrix::from_fn(n, l, |i, u| value(i * l + u));
        let b = Matrix::from_fn(l, m, |u, j| value(3 + u * m + j));
        let rows = |i: usize, r: Range<usize>, to: &mut [f64]| to.copy_from_slice(&a.row(i)[r]);
        let columns = |u: usize, to: &mut [f64]| to.copy_from_slice(b.row(u));
        let out = min_plus((n, m), l, rows, columns);
        let before = Matrix::from_fn(n, m, |i, j| if (i + j) % 11 == 0 { 0.5 } else { f64::INFINITY });
        let mut lowered = before.clone();
        lower_by_min_plus(&mut lowered, l, rows, columns);
        for i in 0..n {
            for j in 0..m {
                let expected = (0..l).fold(f64::INFINITY, |s, u| s.min(a[(i, u)] + b[(u, j)]));
                assert_eq!(out[(i, j)], expected, "{case}: {n} {l} {m}: {i} {j}");
                assert_eq!(lowered[(i, j)], expected.min(before[(i, j)]), "{case}: {n} {l} {m}: {i} {j}");
            }
        }
    }

    fn plain(i: usize) -> f64 {
        ((i * 7919) % 10007) as f64 / 1000.0
    }

    #[test]
    fn the_product_equals_the_naive_minimum_exactly() {
        for (n, l, m) in [(1, 1, 1), (7, 3, 23), (8, 128, 24), (65, 129, 49), (130, 700, 101), (70, 1100, 193), (3, 0, 5)] {
            check(n, l, m, plain, "plain");
        }
    }

    #[test]
    fn screening_loses_nothing_where_numbers_are_awkward() {
        let (n, l, m) = (20, 300, 100);
        check(n, l, m, |i| (i % 3) as f64, "ties");
        check(n, l, m, |_| 2.5, "all equal");
        check(n, l, m, |i| plain(i) - 5.0, "negative");
        check(n, l, m, |i| if i % 7 < 5 { f64::INFINITY } else { plain(i) }, "ways that do not exist");
        check(n, l, m, |i| if (i / l).is_multiple_of(2) { f64::INFINITY } else { plain(i) }, "rows without a way");
        check(n, l, m, |_| f64::INFINITY, "nothing");
        check(n, l, m, |i| 1e9 + 1e-7 * plain(i), "far from zero");
        check(n, l, m, |i| 1.0 + f64::EPSILON * (i % 5) as f64, "differences that rounding swallows");
        check(n, l, m, |i| if i % 9 == 0 { 1e300 } else { 1e-300 * plain(i) }, "very large and very small");
        check(n, l, m, |i| 1e308 * plain(i) / 10.1 - 0.5e308, "overflow");
        check(n, l, m, |i| plain(i) * f64::MIN_POSITIVE, "the smallest numbers");
    }
}
