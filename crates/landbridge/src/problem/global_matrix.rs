//! `N'Z'τ(D)ZN` of global geometry as one matrix, for fewer features than rows: a few products of large matrices instead of a
//! product with D in every step of the eigensolver. Single precision halves the time; the result is then a starting point for
//! [`crate::solve::mixed_precision`].

use crate::data::offsets;
use crate::data::prepared::Prepared;
use crate::error::Result;
use crate::linalg::dense::{Entry, add_matmul, add_own_transpose, column_tiles, mirror};
use crate::linalg::squares::{rough_square, square};
use crate::linalg::tall::{Tall, view, view_mut};
use crate::linalg::whitening::{Whitener, Whitening};
use crate::linalg::{Matrix, Scalar};
use crate::problem::feature::Blocks;
use crate::problem::global::Tau;
use crate::progress::Progress;
use faer::prelude::ReborrowMut;
use faer::{Mat, MatMut};
use rayon::prelude::*;

/// Rows of D squared at a time.
const STRIPE: usize = 512;
/// Rows of a dataset whitened at a time, and columns of the matrix centred at a time.
const ROWS: usize = 256;
const COLUMNS: usize = 64;
/// Products with vectors in the eigensolver per solution: between 6 and 10 in our measurements.
const VECTORS: f64 = 8.0;

/// Whether the matrix takes fewer multiplications than the eigensolver's products for d solutions.
pub(crate) fn is_cheaper(blocks: &Blocks, whitening: &Whitening, d: usize) -> bool {
    let size = |(x, w): (&Prepared, &Whitener)| (x.nrows() as f64, w.rank() as f64);
    let sizes: Vec<(f64, f64)> = blocks.datasets.iter().zip(&whitening.0).map(size).collect();
    if sizes.iter().any(|s| s.1 == 0.0) {
        return false; // nothing to gather
    }
    let n: f64 = sizes.iter().map(|s| s.0).sum();
    let maps: f64 = sizes.iter().map(|(n, r)| n * r).sum();
    let within: f64 = sizes.iter().map(|(n, r)| n * r * (0.5 * n + 1.5 * r)).sum();
    let across = |a: usize| sizes[a + 1..].iter().map(|(n, r)| sizes[a].0 * r * (n + sizes[a].1)).sum::<f64>();
    within + (0..sizes.len()).map(across).sum::<f64>() < VECTORS * d as f64 * (n * n + 2.0 * maps)
}

/// Element types of the squared distances.
pub(crate) trait Gathered: Entry {
    /// `to = (f row)² − less`.
    fn squares(row: &[f64], f: f64, less: f64, to: &mut [Self]);
}

impl Gathered for f64 {
    fn squares(row: &[f64], f: f64, less: f64, to: &mut [f64]) {
        square(row, f, to);
        to.iter_mut().for_each(|t| *t -= less);
    }
}

impl Gathered for f32 {
    fn squares(row: &[f64], f: f64, less: f64, to: &mut [f32]) {
        rough_square(row, f, less, to);
    }
}

/// `N'Z'τZN`, both triangles.
pub(crate) fn gather<T: Gathered>(tau: &Tau<'_>, blocks: &Blocks, whitening: &Whitening, progress: &Progress) -> Result<Mat<T>> {
    let (d, c) = (tau.distances, blocks.datasets.len());
    let whitened: Vec<Matrix<T>> = blocks.datasets.iter().zip(&whitening.0).map(|(x, w)| whiten(x, w)).collect();
    let starts = offsets(whitening.0.iter().map(|w| w.rank()));
    let mut out = Mat::zeros(starts[c], starts[c]);
    let stripes: usize = (0..c).map(|a| (c - a) * whitened[a].nrows().div_ceil(STRIPE)).sum();
    // Centring removes a constant, so one is subtracted first: fewer digits are lost.
    let mean = tau.sums.iter().sum::<f64>() / (d.n() as f64).powi(2);
    let mut done = 0;
    let mut room = Room { squares: vec![], through: vec![] };
    for a in 0..c {
        for b in a..c {
            let (distances, scale) = d.block(a, b);
            let mut block = out.as_mut().submatrix_mut(starts[b], starts[a], whitened[b].ncols(), whitened[a].ncols());
            for from in (0..distances.nrows()).step_by(STRIPE) {
                progress.step("products", done, stripes)?;
                done += 1;
                let stripe = Stripe { distances, scale: scale / tau.unit, mean, symmetric: a == b, from };
                stripe.add_product(&whitened[a], &whitened[b], block.rb_mut(), &mut room);
            }
            if a == b {
                // So far only the lower triangle of S has been summed.
                add_own_transpose(block);
            }
        }
    }
    centre(&mut out, tau, mean, blocks, whitening);
    Ok(out)
}

/// `ZN`, some rows at a time.
fn whiten<T: Scalar>(x: &Prepared, whitener: &Whitener) -> Matrix<T> {
    let (n, rank) = (x.nrows(), whitener.rank());
    let mut out = Matrix::zeros(n, rank);
    out.as_mut_slice().par_chunks_mut(ROWS * rank).enumerate().for_each(|(t, rows)| {
        let whitened = whitener.whiten(x.dense_rows(t * ROWS..n.min((t + 1) * ROWS)));
        rows.iter_mut().zip(&whitened.values).for_each(|(to, v)| *to = T::from_f64(*v));
    });
    out
}

/// From `Z'SZ`, its lower triangle, to `−½ Z'HSHZ`: `Z'HSHZ = Z'SZ − (Z's m' + m s'Z)/N + m m' (1's)/N²`, s = S1, m = Z'1; the
/// constant is subtracted from all of S.
fn centre<T: Gathered>(out: &mut Mat<T>, tau: &Tau<'_>, mean: f64, blocks: &Blocks, whitening: &Whitening) {
    let n = tau.distances.n() as f64;
    let right = tau.sums.iter().flat_map(|&s| [1.0 / n, s - n * mean]).collect();
    let both = whitening.shrink(&blocks.transposed_times(&Tall { values: right, stride: 2 }));
    let (means, along): (Vec<f64>, Vec<f64>) = both.values.chunks_exact(2).map(|b| (b[0], b[1])).unzip();
    let total: f64 = tau.sums.iter().map(|s| s - n * mean).sum();
    column_tiles(out.as_mut(), COLUMNS).into_par_iter().enumerate().for_each(|(t, mut tile)| {
        for c in 0..tile.ncols() {
            let j = t * COLUMNS + c;
            for i in j..tile.nrows() {
                let centring = along[i] * means[j] + means[i] * along[j] - total * means[i] * means[j];
                tile[(i, c)] = T::from_f64(-0.5 * (tile[(i, c)].to_f64() - centring));
            }
        }
    });
    mirror(out);
}

/// Memory reused from stripe to stripe: fresh memory costs page faults.
struct Room<T> {
    squares: Vec<T>,
    through: Vec<T>,
}

/// Rows of D from `from` on; of a symmetric D the lower triangle.
struct Stripe<'a> {
    distances: &'a Matrix<f64>,
    scale: f64,
    mean: f64,
    symmetric: bool,
    from: usize,
}

impl Stripe<'_> {
    /// `out += Y'S'X`, S the squares of these rows and X the same rows of `x`; of a symmetric S the lower triangle and half
    /// of its diagonal.
    fn add_product<T: Gathered>(&self, x: &Matrix<T>, y: &Matrix<T>, out: MatMut<'_, T>, room: &mut Room<T>) {
        let zero = T::from_f64(0.0);
        let to = self.distances.nrows().min(self.from + STRIPE);
        let (height, length) = (to - self.from, if self.symmetric { to } else { self.distances.ncols() });
        room.squares.resize(height * length, zero);
        room.squares.par_chunks_mut(length).enumerate().for_each(|(r, squares)| {
            let end = if self.symmetric { self.from + r + 1 } else { length };
            T::squares(&self.distances.row(self.from + r)[..end], self.scale, self.mean, &mut squares[..end]);
            if self.symmetric {
                squares[end - 1] = T::from_f64(0.5 * squares[end - 1].to_f64());
                squares[end..].fill(zero);
            }
        });
        let (p, q) = (x.ncols(), y.ncols());
        room.through.clear();
        room.through.resize(height * q, zero);
        let squares = view(&room.squares, length, length);
        add_matmul(view_mut(&mut room.through, q, q), squares, view(&y.as_slice()[..length * q], q, q), 1.0);
        let x = view(&x.as_slice()[self.from * p..to * p], p, p);
        add_matmul(out, view(&room.through, q, q).transpose(), x, 1.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Pairs;
    use crate::linalg::Csr;
    use crate::problem::global::{Bridges, JointDistances, Restricted};
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;
    use std::borrow::Cow;

    /// The naive twin: a product with τ(D) for every column.
    #[test]
    fn the_matrix_equals_products_with_the_operator_column_by_column() {
        let mut rng = ChaCha8Rng::seed_from_u64(4);
        let mut random = |n: usize, p: usize| Matrix::from_fn(n, p, |_, _| rng.random_range(-1.0..2.0));
        // More rows than a stripe, a sparse dataset, and a dataset of deficient rank; none is centred.
        let (first, second) = (random(700, 12), random(90, 9));
        let third = Matrix::from_fn(60, 8, |i, j| first[(i, j / 2)]);
        let spread = |m: &Matrix<f64>| {
            Matrix::from_fn(m.nrows(), m.nrows(), |i, j| m.row(i).iter().zip(m.row(j)).map(|(a, b)| (a - b).abs()).sum::<f64>())
        };
        let within: Vec<Matrix<f64>> = [&first, &second, &third].map(spread).into();
        let sparse: Vec<(usize, usize, f64)> = (0..90)
            .flat_map(|i| (0..9).map(move |j| (i, j)))
            .filter(|(i, j)| (i + j) % 3 == 0)
            .map(|(i, j)| (i, j, second[(i, j)]))
            .collect();
        let starts = (0..=90).map(|i| sparse.partition_point(|e| e.0 < i)).collect();
        let sparse =
            Csr::from_sorted(starts, sparse.iter().map(|e| e.1 as u32).collect(), sparse.iter().map(|e| e.2).collect(), 9);
        let pairs = Pairs::first_rows(3, 20);
        let joint = JointDistances::new(
            within.iter().map(Cow::Borrowed).collect(),
            vec![1.0, 1.3, 0.8],
            &Bridges::new(&pairs),
            &Progress::silent(),
        )
        .unwrap();
        let tau = Tau::new(&joint);
        let blocks = Blocks::new(vec![Prepared::dense(first), Prepared::sparse(sparse, None), Prepared::dense(third)]);
        let whitening = Whitening::new((0..3).map(|a| blocks.gram(a)).collect()).unwrap();
        assert_eq!(whitening.rank(), 12 + 9 + 4);
        assert!(is_cheaper(&blocks, &whitening, 10));
        let naive = whitening.project(&Restricted { blocks: &blocks, inner: &tau });
        let fast = gather::<f64>(&tau, &blocks, &whitening, &Progress::silent()).unwrap();
        let rough = gather::<f32>(&tau, &blocks, &whitening, &Progress::silent()).unwrap();
        let largest = naive.norm_max();
        for j in 0..fast.ncols() {
            for i in 0..fast.nrows() {
                assert!((fast[(i, j)] - naive[(i, j)]).abs() < 1e-9, "{i} {j}: {} {}", fast[(i, j)], naive[(i, j)]);
                assert!((f64::from(rough[(i, j)]) - naive[(i, j)]).abs() < 1e-6 * largest, "{i} {j}: {}", rough[(i, j)]);
            }
        }
    }
}
