//! The largest singular values of prepared rows X, through `X'X` or `XX'`, whichever is smaller. Neither is formed, and sparse
//! rows stay sparse.

use crate::data::Batches;
use crate::data::prepared::{Prepared, Values};
use crate::error::Result;
use crate::linalg::operator::Product;
use crate::linalg::tall::{Tall, gram, product};
use crate::linalg::whitening::{Whitener, Whitening, symmetric_eigen};
use crate::outcome::Warning;
use crate::problem::feature::{Basis, Blocks};
use crate::progress::Progress;
use crate::run::Run;
use crate::solve::pencil::largest;
use faer::Mat;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Rows that are known by products with them.
pub(crate) trait Factor {
    fn nrows(&self) -> usize;
    fn ncols(&self) -> usize;
    /// `X v`.
    fn times(&self, v: &Tall) -> Tall;
    /// `X' u`.
    fn transposed_times(&self, u: &Tall) -> Tall;
    /// `X X' u`.
    fn squared_times(&self, u: &Tall) -> Tall;
}

impl Factor for Prepared {
    fn nrows(&self) -> usize {
        self.nrows()
    }
    fn ncols(&self) -> usize {
        self.ncols()
    }
    fn times(&self, v: &Tall) -> Tall {
        self.times(v)
    }
    fn transposed_times(&self, u: &Tall) -> Tall {
        self.transposed_times(u)
    }
    fn squared_times(&self, u: &Tall) -> Tall {
        self.squared_times(u)
    }
}

/// Prepared rows, each less the mean of its batch: `P X`, P a projection, so that sparse rows stay sparse.
pub(crate) struct WithinBatches<'a> {
    pub(crate) x: &'a Prepared,
    pub(crate) batches: &'a Batches,
}

impl Factor for WithinBatches<'_> {
    fn nrows(&self) -> usize {
        self.x.nrows()
    }
    fn ncols(&self) -> usize {
        self.x.ncols()
    }
    fn times(&self, v: &Tall) -> Tall {
        let mut out = self.x.times(v);
        self.batches.center(&mut out);
        out
    }
    fn transposed_times(&self, u: &Tall) -> Tall {
        let mut u = u.clone();
        self.batches.center(&mut u);
        self.x.transposed_times(&u)
    }
    fn squared_times(&self, u: &Tall) -> Tall {
        let mut u = u.clone();
        self.batches.center(&mut u);
        let mut out = self.x.squared_times(&u);
        self.batches.center(&mut out);
        out
    }
}

struct Squared<'a, X> {
    x: &'a X,
    /// `X'X`, not `XX'`.
    by_columns: bool,
}

impl<X: Factor + Sync> Product for Squared<'_, X> {
    fn n(&self) -> usize {
        if self.by_columns { self.x.ncols() } else { self.x.nrows() }
    }
    fn product(&self, v: &Tall) -> Tall {
        if self.by_columns { self.x.transposed_times(&self.x.times(v)) } else { self.x.squared_times(v) }
    }
}

/// `X ≈ U S V'`.
pub(crate) struct Svd {
    /// S, largest first.
    pub(crate) values: Vec<f64>,
    /// V: p × d, orthonormal columns.
    pub(crate) right: Tall,
    /// Largest relative residual of a squared singular value.
    pub(crate) residual: f64,
    pub(crate) iterations: usize,
    pub(crate) solver: String,
}

/// Squares of singular values below this share of the largest are rounding errors.
const ZERO: f64 = 1e-13;

/// The d largest singular values and right singular vectors; fewer when the rank is smaller.
pub(crate) fn truncated<X: Factor + Sync>(x: &X, d: usize, seed: u64, progress: &Progress) -> Result<Svd> {
    let by_columns = x.ncols() <= x.nrows();
    let squared = Squared { x, by_columns };
    let found = largest(&squared, &Whitening(vec![Whitener::Identity(squared.n())]), d, seed, progress)?;
    let top = found.values.first().copied().unwrap_or(0.0);
    let kept = found.values.iter().take_while(|v| **v > ZERO * top && **v > 0.0).count();
    let values: Vec<f64> = found.values[..kept].iter().map(|v| v.sqrt()).collect();
    let width = kept.max(1);
    let mut vectors = Tall::zeros(squared.n(), width);
    for (to, from) in vectors.values.chunks_exact_mut(width).zip(found.vectors.values.chunks_exact(found.vectors.stride)) {
        to[..kept].copy_from_slice(&from[..kept]);
    }
    let right = if by_columns {
        vectors
    } else {
        // V = X'U / S.
        let mut right = x.transposed_times(&vectors);
        right.values.chunks_exact_mut(width).for_each(|row| row.iter_mut().zip(&values).for_each(|(v, s)| *v /= s));
        right
    };
    let solver = format!("{} of {}", found.solver, if by_columns { "X'X" } else { "XX'" });
    Ok(Svd { values, right, residual: found.residual, iterations: found.iterations, solver })
}

/// Subspace iterations of [`roughly`].
const ROUNDS: usize = 4;

/// As [`truncated`], by a few subspace iterations with an oversampled block: the leading directions are accurate, the last ones
/// may mix with others of nearly the same singular value. For coordinates that another step refines.
pub(crate) fn roughly(x: &Prepared, d: usize, seed: u64, progress: &Progress) -> Result<Svd> {
    let width = d + d / 4 + 8;
    if 3 * width > x.ncols().min(x.nrows()) {
        return truncated(x, d, seed, progress);
    }
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut right = Tall::zeros(x.ncols(), width);
    right.values.iter_mut().for_each(|v| *v = rng.random_range(-1.0..1.0));
    for round in 0..ROUNDS {
        progress.step("principal coordinates", round, ROUNDS)?;
        let mut left = x.times(&right);
        orthonormalize(&mut left)?;
        right = x.transposed_times(&left);
    }
    // X ≈ U (X'U)': the singular values of X'U, and its left vectors.
    let values = orthonormalize(&mut right)?;
    let kept = d.min(values.len());
    let chosen = Mat::from_fn(right.stride, kept.max(1), |i, j| f64::from(u8::from(i == j)));
    let right = product(&right, chosen.as_ref());
    let solver = format!("{ROUNDS} rounds of products");
    Ok(Svd { values: values[..kept].to_vec(), right, residual: 0.0, iterations: ROUNDS, solver })
}

/// Blocks of [`by_blocks`] beyond the first.
const BLOCKS: usize = 6;

/// As [`truncated`], from the products of all rounds together (block Lanczos): with the same number of products far more accurate than
/// [`roughly`], where it matters most, for singular values that fall slowly. Counts of cells have such.
pub(crate) fn by_blocks<X: Factor + Sync>(x: &X, d: usize, seed: u64, progress: &Progress) -> Result<Svd> {
    let width = d + 10;
    if 2 * (BLOCKS + 1) * width > x.ncols().min(x.nrows()) {
        return truncated(x, d, seed, progress);
    }
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut start = Tall::zeros(x.ncols(), width);
    start.values.iter_mut().for_each(|v| *v = rng.random_range(-1.0..1.0));
    let mut next = x.times(&start);
    // Q, and XX'Q. The columns of X'Q, of which there may be very many, are not kept.
    let (mut left, mut squared): (Vec<Tall>, Vec<Tall>) = (vec![], vec![]);
    for round in 0..=BLOCKS {
        progress.step("principal coordinates", round, BLOCKS + 1)?;
        // Twice is enough.
        for _ in 0..2 {
            for earlier in &left {
                let along = gram(earlier, earlier.stride, &next);
                let part = product(earlier, along.as_ref());
                next.values.iter_mut().zip(&part.values).for_each(|(v, p)| *v -= p);
            }
            if orthonormalize(&mut next)?.is_empty() {
                break;
            }
        }
        if next.values.iter().all(|v| *v == 0.0) {
            break;
        }
        let following = x.squared_times(&next);
        left.push(next);
        next = following.clone();
        squared.push(following);
    }
    // X ≈ Q Q'X: the singular values of Q'X, from Q'XX'Q.
    let starts: Vec<usize> = left.iter().scan(0, |at, b| Some(std::mem::replace(at, *at + b.stride))).collect();
    let total: usize = left.iter().map(|b| b.stride).sum();
    let mut products = Mat::zeros(total, total);
    for (i, a) in left.iter().enumerate() {
        for (j, b) in squared.iter().enumerate().skip(i) {
            let block = gram(a, a.stride, b);
            for r in 0..a.stride {
                for c in 0..b.stride {
                    products[(starts[i] + r, starts[j] + c)] = block[(r, c)];
                    products[(starts[j] + c, starts[i] + r)] = block[(r, c)];
                }
            }
        }
    }
    let (squares, vectors) = symmetric_eigen(&products)?;
    let top = squares.last().copied().unwrap_or(0.0).max(0.0);
    let kept = (0..d.min(total)).take_while(|&j| squares[total - 1 - j] > ZERO * top && squares[total - 1 - j] > 0.0).count();
    let values: Vec<f64> = (0..kept).map(|j| squares[total - 1 - j].sqrt()).collect();
    let mut turned = Tall::zeros(x.nrows(), kept.max(1));
    for (block, start) in left.iter().zip(&starts) {
        let turn = Mat::from_fn(block.stride, kept.max(1), |i, j| match j < kept {
            true => vectors[(start + i, total - 1 - j)] / values[j],
            false => 0.0,
        });
        let part = product(block, turn.as_ref());
        turned.values.iter_mut().zip(&part.values).for_each(|(o, p)| *o += p);
    }
    let (blocks, solver) = (left.len(), format!("block Lanczos, {} blocks of {width}", left.len()));
    drop((left, squared));
    let right = x.transposed_times(&turned); // V = X'Q U / S
    Ok(Svd { values, right, residual: 0.0, iterations: blocks, solver })
}

/// An orthonormal basis of the same span, by descending singular values, which are returned; directions of length zero are
/// dropped.
fn orthonormalize(a: &mut Tall) -> Result<Vec<f64>> {
    let (squares, vectors) = symmetric_eigen(&gram(a, a.stride, a))?;
    let last = squares.len() - 1;
    let top = squares[last].max(0.0);
    let kept = (0..=last).take_while(|&j| squares[last - j] > ZERO * top && squares[last - j] > 0.0).count();
    let values: Vec<f64> = (0..kept).map(|j| squares[last - j].sqrt()).collect();
    let turn = Mat::from_fn(a.stride, kept.max(1), |i, j| if j < kept { vectors[(i, last - j)] / values[j] } else { 0.0 });
    *a = product(a, turn.as_ref());
    Ok(values)
}

/// Datasets in their leading principal directions.
pub(crate) fn reduce_to_principal(
    blocks: Blocks,
    count: usize,
    rough: bool,
    seed: u64,
    progress: &Progress,
) -> Result<(Blocks, Vec<Basis>)> {
    let leading = if rough { roughly } else { truncated };
    let (mut datasets, mut bases) = (vec![], vec![]);
    for x in blocks.datasets {
        let found = leading(&x, count.min(x.ncols()).min(x.nrows()), seed, progress)?;
        datasets.push(Prepared { values: Values::Dense(x.times(&found.right)), shift: None });
        bases.push(Basis::Rows(found.right));
    }
    let scales = blocks.scales;
    Ok((Blocks { scales, ..Blocks::new(datasets) }, bases))
}

/// A dataset of more rows, with still more features, is reduced: the exact row space would need the eigenvectors of a matrix of
/// all rows.
const WIDE: usize = 4000;
/// The directions that it keeps.
const WIDE_DIRECTIONS: usize = 500;

/// Datasets of very many rows and still more features in their leading principal directions, with a warning that says how much is left
/// out; the others as they are.
pub(crate) fn reduce_wide(blocks: Blocks, seed: u64, run: &mut Run<'_>) -> Result<(Blocks, Vec<Basis>)> {
    let (mut datasets, mut bases) = (vec![], vec![]);
    for (a, x) in blocks.datasets.into_iter().enumerate() {
        if x.nrows() <= WIDE || x.ncols() <= x.nrows() {
            datasets.push(x);
            bases.push(Basis::Features);
            continue;
        }
        let found = roughly(&x, WIDE_DIRECTIONS, seed, run.progress)?;
        let rows = x.times(&found.right);
        let held = found.values.iter().map(|s| s * s).sum::<f64>() / x.squares().max(f64::MIN_POSITIVE);
        let (features, directions) = (x.ncols(), found.values.len());
        run.warn(Warning::Reduced { dataset: a, features, directions, left_out: (1.0 - held).max(0.0) });
        datasets.push(Prepared { values: Values::Dense(rows), shift: None });
        bases.push(Basis::Rows(found.right));
    }
    Ok((Blocks { scales: blocks.scales, ..Blocks::new(datasets) }, bases))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Preparation, Prepare, Rows};
    use crate::linalg::{Csr, Matrix};

    fn documents(n: usize, p: usize) -> Csr {
        let mut state = 5u64;
        let mut triplets = vec![];
        for i in 0..n {
            for j in 0..p {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                let value = (state >> 33) as f64 / (1u64 << 31) as f64;
                if value < 0.05 {
                    triplets.push((i, j, 1.0 + (40.0 * value).floor()));
                }
            }
        }
        Csr::from_triplets(n, p, &triplets).unwrap()
    }

    #[test]
    fn tall_and_wide_sparse_rows_have_the_singular_values_of_the_dense_matrix() {
        for (n, p, prepare) in
            [(700, 500, Prepare::Tfidf), (450, 900, Prepare::Tfidf), (60, 90, Prepare::Center), (90, 60, Prepare::Center)]
        {
            let rows = Rows::Sparse(documents(n, p));
            let x = Preparation::fit(prepare, &rows).apply(&rows);
            let dense = x.to_dense();
            let reference = Mat::from_fn(n, p, |i, j| dense.values[i * p + j]).singular_values().unwrap();
            let found = truncated(&x, 10, 0, &Progress::silent()).unwrap();
            for (s, expected) in found.values.iter().zip(&reference) {
                assert!((s / expected - 1.0).abs() < 1e-10, "{n} x {p}: {s} {expected}");
            }
            // X v = s u, so |X v| = s.
            let xv = x.times(&found.right);
            for (c, s) in found.values.iter().enumerate() {
                let length = xv.values.chunks_exact(10).map(|r| r[c] * r[c]).sum::<f64>().sqrt();
                assert!((length / s - 1.0).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn no_more_come_out_than_the_rank() {
        let rows = Rows::F64(Matrix::from_fn(20, 6, |i, j| (i % 2) as f64 * (j + 1) as f64 + (i % 5) as f64));
        let x = Preparation::fit(Prepare::None, &rows).apply(&rows);
        assert_eq!(truncated(&x, 5, 0, &Progress::silent()).unwrap().values.len(), 2);
    }

    #[test]
    fn rough_directions_hold_nearly_as_much_and_are_orthonormal() {
        let rows = Rows::Sparse(documents(700, 500));
        let x = Preparation::fit(Prepare::TfidfCenter, &rows).apply(&rows);
        let (exact, rough) =
            (truncated(&x, 40, 0, &Progress::silent()).unwrap(), roughly(&x, 40, 0, &Progress::silent()).unwrap());
        assert!((rough.values[0] / exact.values[0] - 1.0).abs() < 0.01);
        let held = |svd: &Svd| x.times(&svd.right).values.iter().map(|v| v * v).sum::<f64>();
        // The hardest case: noise, whose singular values are nearly equal.
        assert!(held(&rough) > 0.95 * held(&exact), "{} of {}", held(&rough), held(&exact));
        let products = gram(&rough.right, 40, &rough.right);
        assert!((0..40).all(|i| (0..40).all(|j| (products[(i, j)] - f64::from(u8::from(i == j))).abs() < 1e-9)));
    }

    #[test]
    fn blocks_find_slowly_falling_singular_values() {
        let rows = Rows::Sparse(documents(900, 800));
        let x = Preparation::fit(Prepare::TfidfCenter, &rows).apply(&rows);
        let d = 20;
        let (exact, blocks) =
            (truncated(&x, d, 0, &Progress::silent()).unwrap(), by_blocks(&x, d, 0, &Progress::silent()).unwrap());
        let held = |svd: &Svd| x.times(&svd.right).values.iter().map(|v| v * v).sum::<f64>();
        // Noise, the hardest case: nothing stands out.
        assert!(
            blocks.solver.starts_with("block") && held(&blocks) > 0.99 * held(&exact),
            "{} of {}",
            held(&blocks),
            held(&exact)
        );
        let products = gram(&blocks.right, d, &blocks.right);
        assert!((0..d).all(|i| (0..d).all(|j| (products[(i, j)] - f64::from(u8::from(i == j))).abs() < 1e-8)));
        for (a, b) in blocks.values.iter().zip(&exact.values).take(5) {
            assert!((a / b - 1.0).abs() < 1e-3, "{a} {b}");
        }
    }

    #[test]
    fn rows_within_batches_are_those_of_the_dense_matrix() {
        let sparse = documents(120, 90);
        let rows = Rows::Sparse(sparse);
        let x = Preparation::fit(Prepare::TfidfCenter, &rows).apply(&rows);
        let names: Vec<String> = (0..120).map(|i| format!("b{}", i % 3)).collect();
        let batches = Batches::new("x", &names).unwrap();
        let mut dense = x.to_dense();
        batches.center(&mut dense);
        let within = WithinBatches { x: &x, batches: &batches };
        let v = Tall { values: (0..90 * 4).map(|i| ((i * 7) % 11) as f64 - 5.0).collect(), stride: 4 };
        let u = Tall { values: (0..120 * 4).map(|i| ((i * 5) % 13) as f64 - 6.0).collect(), stride: 4 };
        let plain = Prepared { values: Values::Dense(dense), shift: None };
        let close = |a: &Tall, b: &Tall| a.values.iter().zip(&b.values).all(|(a, b)| (a - b).abs() < 1e-10);
        assert!(close(&within.times(&v), &plain.times(&v)) && close(&within.transposed_times(&u), &plain.transposed_times(&u)));
        let (a, b) =
            (truncated(&within, 8, 0, &Progress::silent()).unwrap(), truncated(&plain, 8, 0, &Progress::silent()).unwrap());
        assert!(a.values.iter().zip(&b.values).all(|(a, b)| (a / b - 1.0).abs() < 1e-9));
    }

    #[test]
    fn rough_directions_of_few_dimensions_are_exact() {
        let rows = Rows::F64(Matrix::from_fn(300, 200, |i, j| ((i * 7 % 11) * (j * 5 % 13)) as f64 + ((i % 3) * (j % 7)) as f64));
        let x = Preparation::fit(Prepare::None, &rows).apply(&rows);
        let (exact, rough) = (truncated(&x, 6, 0, &Progress::silent()).unwrap(), roughly(&x, 6, 0, &Progress::silent()).unwrap());
        assert_eq!(rough.values.len(), exact.values.len());
        assert!(rough.values.iter().zip(&exact.values).all(|(a, b)| (a / b - 1.0).abs() < 1e-6));
    }
}
