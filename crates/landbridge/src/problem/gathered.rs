//! `N'Z'τ(D)ZN` of global geometry as one matrix, where there are fewer features than rows: a few products of large
//! matrices, instead of a product with D for every step of the eigensolver.

use crate::data::prepare::Prepared;
use crate::error::Result;
use crate::linalg::Matrix;
use crate::linalg::dense::{add_matmul, add_own_transpose, column_tiles, mirror};
use crate::linalg::squares::square;
use crate::linalg::tall::{Tall, gram, view, view_mut};
use crate::problem::feature::Blocks;
use crate::problem::global::Tau;
use crate::problem::joint::offsets;
use crate::progress::Progress;
use crate::solve::pencil::{Whitener, Whitening};
use faer::prelude::ReborrowMut;
use faer::{Mat, MatMut};
use rayon::prelude::*;

/// Rows of D that are squared at a time.
const STRIPE: usize = 512;
/// Columns that are centred at a time.
const COLUMNS: usize = 64;
/// Vectors the eigensolver multiplies by, for each that is asked for: between 6 and 10 where it was counted.
const VECTORS: f64 = 8.0;

/// Whether the matrix takes fewer multiplications than the steps of the eigensolver for d solutions.
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

/// `N'Z'τZN`, both triangles. The datasets are made into ZN where they are.
pub(crate) fn gather(tau: &Tau<'_>, datasets: Vec<Prepared>, whitening: &Whitening, progress: &Progress) -> Result<Mat<f64>> {
    let (d, c) = (tau.distances, datasets.len());
    let whitened: Vec<Tall> = datasets.into_iter().zip(&whitening.0).map(|(x, w)| w.whiten(x.into_dense())).collect();
    let starts = offsets(whitening.0.iter().map(|w| w.rank()));
    let mut out = Mat::zeros(starts[c], starts[c]);
    let stripes: usize = (0..c).map(|a| (c - a) * whitened[a].n().div_ceil(STRIPE)).sum();
    let mut done = 0;
    let mut room = Room::default();
    for a in 0..c {
        for b in a..c {
            let (distances, scale) = d.block(a, b);
            let mut block = out.as_mut().submatrix_mut(starts[b], starts[a], whitened[b].stride, whitened[a].stride);
            for from in (0..distances.nrows()).step_by(STRIPE) {
                progress.step("products", done, stripes)?;
                done += 1;
                let stripe = Stripe { distances, scale: scale / tau.unit, symmetric: a == b, from };
                stripe.add_product(&whitened[a], &whitened[b], block.rb_mut(), &mut room);
            }
            if a == b {
                // So far it is that of the lower triangle of S.
                add_own_transpose(block);
            }
        }
    }
    centre(&mut out, tau, &whitened);
    Ok(out)
}

/// From `Z'SZ`, its lower triangle, to `−½ Z'HSHZ`: `Z'HSHZ = Z'SZ − (Z's m' + m s'Z)/N + m m' (1's)/N²`, s = S1, m = Z'1.
fn centre(out: &mut Mat<f64>, tau: &Tau<'_>, whitened: &[Tall]) {
    let starts = &tau.distances.starts;
    let n = tau.distances.n() as f64;
    let total: f64 = tau.sums.iter().sum();
    let (mut means, mut along) = (vec![], vec![]);
    for (a, z) in whitened.iter().enumerate() {
        let right = tau.sums[starts[a]..starts[a + 1]].iter().flat_map(|&s| [1.0 / n, s]).collect();
        let both = gram(z, z.stride, &Tall { values: right, stride: 2 });
        means.extend((0..z.stride).map(|i| both[(i, 0)]));
        along.extend((0..z.stride).map(|i| both[(i, 1)]));
    }
    column_tiles(out.as_mut(), COLUMNS).into_par_iter().enumerate().for_each(|(t, mut tile)| {
        for c in 0..tile.ncols() {
            let j = t * COLUMNS + c;
            for i in j..tile.nrows() {
                let centring = along[i] * means[j] + means[i] * along[j] - total * means[i] * means[j];
                tile[(i, c)] = -0.5 * (tile[(i, c)] - centring);
            }
        }
    });
    mirror(out);
}

/// Memory kept from stripe to stripe: fresh memory is dear.
#[derive(Default)]
struct Room {
    squares: Vec<f64>,
    through: Vec<f64>,
}

/// Some rows of D, from `from` on; of a symmetric D the lower triangle.
struct Stripe<'a> {
    distances: &'a Matrix<f64>,
    scale: f64,
    symmetric: bool,
    from: usize,
}

impl Stripe<'_> {
    /// `out += Y'S'X`, S the squares of these rows and X the same rows of `x`; of a symmetric S the lower triangle and half
    /// of its diagonal.
    fn add_product(&self, x: &Tall, y: &Tall, out: MatMut<'_, f64>, room: &mut Room) {
        let to = self.distances.nrows().min(self.from + STRIPE);
        let (height, length) = (to - self.from, if self.symmetric { to } else { self.distances.ncols() });
        room.squares.resize(height * length, 0.0);
        room.squares.par_chunks_mut(length).enumerate().for_each(|(r, squares)| {
            let end = if self.symmetric { self.from + r + 1 } else { length };
            square(&self.distances.row(self.from + r)[..end], self.scale, &mut squares[..end]);
            if self.symmetric {
                squares[end - 1] *= 0.5;
                squares[end..].fill(0.0);
            }
        });
        room.through.clear();
        room.through.resize(height * y.stride, 0.0);
        add_matmul(
            view_mut(&mut room.through, y.stride, y.stride),
            view(&room.squares, length, length),
            view(&y.values[..length * y.stride], y.stride, y.stride),
            1.0,
        );
        let x = view(&x.values[self.from * x.stride..to * x.stride], x.stride, x.stride);
        add_matmul(out, view(&room.through, y.stride, y.stride).transpose(), x, 1.0);
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
        // More rows than a stripe, a sparse dataset, and one of deficient rank; none is centred.
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
        let fast = gather(&tau, blocks.datasets, &whitening, &Progress::silent()).unwrap();
        for j in 0..fast.ncols() {
            for i in 0..fast.nrows() {
                assert!((fast[(i, j)] - naive[(i, j)]).abs() < 1e-9, "{i} {j}: {} {}", fast[(i, j)], naive[(i, j)]);
            }
        }
    }
}
