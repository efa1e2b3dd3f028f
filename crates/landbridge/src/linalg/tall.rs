//! Tall matrices: products with few columns, split over rows in fixed chunks, so that sums come out the same
//! on any number of threads.

use crate::linalg::dense::add_times_here;
use crate::linalg::rows::{Term, plain_zeros, row_times};
use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, MatMut, MatRef, Par};
use rayon::prelude::*;

/// Rows of a chunk: a few for each thread, and enough of them to be worth waking one. Depends on nothing but n.
fn chunk_rows(n: usize) -> usize {
    (n / 16).next_multiple_of(64).clamp(256, 2048)
}

/// N × `cols` by rows, with room for `stride` columns.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tall {
    pub(crate) values: Vec<f64>,
    pub(crate) stride: usize,
}

impl Tall {
    pub(crate) fn zeros(n: usize, stride: usize) -> Self {
        Self { values: vec![0.0; n * stride], stride }
    }
    pub(crate) fn n(&self) -> usize {
        self.values.len() / self.stride
    }
    fn chunk(&self) -> usize {
        chunk_rows(self.n()) * self.stride
    }
    /// Copies columns `from..from + to.stride` into `to`.
    pub(crate) fn read(&self, from: usize, to: &mut Tall) {
        let (width, chunk) = (to.stride, to.chunk());
        to.values.par_chunks_mut(chunk).zip(self.values.par_chunks(self.chunk())).for_each(|(to, source)| {
            for (t, s) in to.chunks_exact_mut(width).zip(source.chunks_exact(self.stride)) {
                t.copy_from_slice(&s[from..from + width]);
            }
        });
    }
    /// Copies all columns of `block` to columns `to..`.
    pub(crate) fn write(&mut self, to: usize, block: &Tall) {
        let (width, stride, chunk) = (block.stride, self.stride, self.chunk());
        self.values.par_chunks_mut(chunk).zip(block.values.par_chunks(block.chunk())).for_each(|(target, source)| {
            for (t, s) in target.chunks_exact_mut(stride).zip(source.chunks_exact(width)) {
                t[to..to + width].copy_from_slice(s);
            }
        });
    }
}

pub(crate) fn view<T>(values: &[T], stride: usize, cols: usize) -> MatRef<'_, T> {
    MatRef::from_row_major_slice_with_stride(values, values.len() / stride, stride, stride).subcols(0, cols)
}

pub(crate) fn view_mut<T>(values: &mut [T], stride: usize, cols: usize) -> MatMut<'_, T> {
    let rows = values.len() / stride;
    // Not `from_row_major_slice_with_stride_mut`: in faer 0.24.4 it swaps the strides and writes out of bounds.
    MatMut::from_column_major_slice_with_stride_mut(values, stride, rows, stride).transpose_mut().subcols_mut(0, cols)
}

/// `A[:, ..cols]' B`: cols × width of B.
pub(crate) fn gram(a: &Tall, cols: usize, b: &Tall) -> Mat<f64> {
    let width = b.stride;
    let parts: Vec<Vec<f64>> = a
        .values
        .par_chunks(a.chunk())
        .zip(b.values.par_chunks(b.chunk()))
        .map(|(a_rows, b_rows)| {
            let mut part = vec![0.0; cols * width];
            add_times_here(view(a_rows, a.stride, cols).transpose(), b_rows, &mut part, width);
            part
        })
        .collect();
    let mut sum = vec![0.0; cols * width];
    for part in parts {
        sum.iter_mut().zip(part).for_each(|(s, p)| *s += p);
    }
    Mat::from_fn(cols, width, |i, j| sum[i * width + j])
}

/// `B += scale A[:, ..cols] H`.
pub(crate) fn add_product(b: &mut Tall, a: &Tall, cols: usize, h: MatRef<'_, f64>, scale: f64) {
    let (width, chunk) = (b.stride, b.chunk());
    let h: Vec<f64> = (0..cols).flat_map(|i| (0..width).map(move |j| (i, j))).map(|at| scale * h[at]).collect();
    b.values.par_chunks_mut(chunk).zip(a.values.par_chunks(a.chunk())).for_each(|(b_rows, a_rows)| {
        add_times_here(view(a_rows, a.stride, cols), &h, b_rows, width);
    });
}

/// `A[:, ..cols] ← A[:, ..rows of H] H`, in place.
pub(crate) fn rotate(a: &mut Tall, h: MatRef<'_, f64>) {
    let (stride, chunk) = (a.stride, a.chunk());
    let (rows, cols) = (h.nrows(), h.ncols());
    a.values.par_chunks_mut(chunk).for_each_init(Vec::new, |scratch, part| {
        let n = part.len() / stride;
        scratch.resize(n * cols, 0.0);
        matmul(view_mut(scratch, cols, cols), Accum::Replace, view(part, stride, rows), h, 1.0, Par::Seq);
        for (to, from) in part.chunks_exact_mut(stride).zip(scratch.chunks_exact(cols)) {
            to[..cols].copy_from_slice(from);
        }
    });
}

/// `A[:, ..rows of H] H` as a new matrix.
pub(crate) fn product(a: &Tall, h: MatRef<'_, f64>) -> Tall {
    let mut out = Tall::zeros(a.n(), h.ncols());
    add_product(&mut out, a, h.nrows(), h, 1.0);
    out
}

/// Applies `f` to chunks of that length, each with its number: by all threads, or here where there is only one chunk. Asking for
/// threads takes longer than small work, and outside of a pool would start one.
pub(crate) fn each_chunk<V: Send>(values: &mut [V], length: usize, f: impl Fn(usize, &mut [V]) + Sync + Send) {
    each_chunk_with(values, length, || (), |(), c, chunk| f(c, chunk));
}

/// As [`each_chunk`], with room to work in that `init` makes and later chunks use again: large room is dear, because the system clears
/// its pages each time.
pub(crate) fn each_chunk_with<R, V: Send>(
    values: &mut [V],
    length: usize,
    init: impl Fn() -> R + Sync + Send,
    f: impl Fn(&mut R, usize, &mut [V]) + Sync + Send,
) {
    if values.len() <= length {
        return f(&mut init(), 0, values);
    }
    values.par_chunks_mut(length).enumerate().for_each_init(init, |room, (c, chunk)| f(room, c, chunk));
}

/// Applies `f` to every row in parallel.
pub(crate) fn each_row(a: &mut Tall, f: impl Fn(usize, &mut [f64]) + Sync + Send) {
    let (stride, chunk) = (a.stride, a.chunk());
    each_chunk(&mut a.values, chunk, |c, rows| {
        for (r, row) in rows.chunks_exact_mut(stride).enumerate() {
            f(c * (chunk / stride) + r, row);
        }
    });
}

/// Rows that are multiplied together where no row's result may depend on the others.
pub(crate) const TILE: usize = 64;

/// Room for the products of a tile, to be used again.
#[derive(Default)]
pub(crate) struct TileRoom<T> {
    rows: Vec<T>,
    product: Vec<T>,
}

/// `to = X B` for at most [`TILE`] rows of `p` numbers, on this thread. No row's result depends on the others, to the last bit.
pub(crate) fn tile_times_in<T: Term>(room: &mut TileRoom<T>, x: &[T], p: usize, b: &[T], to: &mut [f64], width: usize) {
    /// Up to so many rows one by one: the product below takes as long as of a full tile.
    const FEW: usize = 12;
    let count = to.len() / width;
    if count <= FEW && x.chunks_exact(p).zip(to.chunks_exact_mut(width)).all(|(x, to)| row_times(x, b, to)) {
        return;
    }
    let x = match count == TILE {
        true => x,
        false => {
            room.rows.clear();
            room.rows.extend_from_slice(x);
            room.rows.resize(TILE * p, T::default());
            &room.rows
        }
    };
    let product = &mut room.product;
    product.resize(TILE * width, T::default());
    for from in (0..p).step_by(T::DEPTH) {
        let depth = (p - from).min(T::DEPTH);
        let (x, b) = (view(x, p, p).subcols(from, depth), view(b, width, width).subrows(from, depth));
        matmul(view_mut(product, width, width), Accum::Replace, x, b, T::from_f64(1.0), Par::Seq);
        match from {
            0 => T::widen(&product[..to.len()], to),
            _ => to.iter_mut().zip(&*product).for_each(|(o, v)| *o += v.to_f64()),
        }
    }
    plain_zeros(to);
}

/// `X B` for rows of `p` numbers, in which no row's result depends on the other rows, to the last bit.
pub(crate) fn times_by_row<T: Term>(x: &[T], p: usize, b: &[T], width: usize) -> Vec<f64> {
    let mut out = vec![0.0; x.len() / p * width];
    each_chunk_with(&mut out, TILE * width, TileRoom::default, |room, t, to| {
        let from = t * TILE * p;
        tile_times_in(room, &x[from..from + to.len() / width * p], p, b, to, width);
    });
    out
}

/// Sums over rows 0..n of what `add` adds for each, in fixed chunks: the same numbers on any number of threads.
pub fn accumulate(n: usize, width: usize, add: impl Fn(usize, &mut [f64]) + Sync) -> Vec<f64> {
    accumulate_with(n, width, || (), |(), i, sums| add(i, sums))
}

/// As [`accumulate`], with room to work in that `init` makes.
pub(crate) fn accumulate_with<R>(
    n: usize,
    width: usize,
    init: impl Fn() -> R + Sync,
    add: impl Fn(&mut R, usize, &mut [f64]) + Sync,
) -> Vec<f64> {
    let chunk = chunk_rows(n);
    let part = |c: usize| {
        let (mut room, mut sums) = (init(), vec![0.0; width]);
        (c * chunk..((c + 1) * chunk).min(n)).for_each(|i| add(&mut room, i, &mut sums));
        sums
    };
    // One part stays on this thread. It is added to zeros, too: a sum of −0 becomes 0.
    let parts: Vec<Vec<f64>> = match n <= chunk {
        true => vec![part(0)],
        false => (0..n.div_ceil(chunk)).into_par_iter().map(part).collect(),
    };
    let mut sums = vec![0.0; width];
    for part in parts {
        sums.iter_mut().zip(part).for_each(|(s, v)| *s += v);
    }
    sums
}

/// Subtracts its mean from every column.
pub(crate) fn centre_columns(x: &mut Tall) {
    let (n, width) = (x.n(), x.stride);
    let sums = accumulate(n, width, |i, sums| {
        sums.iter_mut().zip(&x.values[i * width..(i + 1) * width]).for_each(|(s, v)| *s += v);
    });
    each_row(x, |_, row| row.iter_mut().zip(&sums).for_each(|(v, s)| *v -= s / n as f64));
}

/// Sums of columns per group: `sums[g][c] = Σ_{i in g} weight_i A[i, c]`, in row order.
pub(crate) fn group_sums(a: &Tall, group: &[u32], groups: usize, weight: impl Fn(usize) -> f64 + Sync) -> Vec<f64> {
    let width = a.stride;
    if groups == 1 {
        // The usual case in parallel.
        return accumulate(a.n(), width, |i, sums| {
            let w = weight(i);
            sums.iter_mut().zip(&a.values[i * width..(i + 1) * width]).for_each(|(s, v)| *s += w * v);
        });
    }
    let mut sums = vec![0.0; groups * width];
    for (i, row) in a.values.chunks_exact(width).enumerate() {
        let w = weight(i);
        let at = group[i] as usize * width;
        sums[at..at + width].iter_mut().zip(row).for_each(|(s, v)| *s += w * v);
    }
    sums
}

/// The entry of largest absolute value of each column becomes positive.
pub(crate) fn fix_signs(f: &mut Tall) {
    let d = f.stride;
    let mut largest = vec![0.0f64; d];
    for row in f.values.chunks_exact(d) {
        largest.iter_mut().zip(row).filter(|(best, v)| v.abs() > best.abs()).for_each(|(best, v)| *best = *v);
    }
    for row in f.values.chunks_exact_mut(d) {
        row.iter_mut().zip(&largest).for_each(|(v, best)| *v = if *best < 0.0 { -*v + 0.0 } else { *v + 0.0 });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tall(n: usize, stride: usize) -> Tall {
        Tall { values: (0..n * stride).map(|i| ((i * 37) % 101) as f64 / 50.0 - 1.0).collect(), stride }
    }

    /// Products that are a negative zero, or that vanish.
    #[test]
    fn a_row_alone_has_the_zeros_that_it_has_among_many() {
        let rows: Vec<f64> = (0..40).map(|i| if i % 2 == 0 { -1e-200 } else { 2e-200 }).collect();
        for b in [[0.0, -0.0], [1e-200, -1e-200]] {
            let together = times_by_row(&rows, 1, &b, 2);
            for (i, row) in rows.iter().enumerate() {
                let alone = times_by_row(&[*row], 1, &b, 2);
                let bits = |values: &[f64]| values.iter().map(|v| v.to_bits()).collect::<Vec<_>>();
                assert_eq!(bits(&alone), bits(&together[2 * i..2 * i + 2]), "row {i} times {b:?}");
            }
        }
    }

    #[test]
    fn chunked_products_equal_the_plain_sums() {
        let n = 5000;
        let (a, b) = (tall(n, 7), tall(n, 3));
        let g = gram(&a, 5, &b);
        for i in 0..5 {
            for j in 0..3 {
                let sum: f64 = (0..n).map(|r| a.values[r * 7 + i] * b.values[r * 3 + j]).sum();
                assert!((g[(i, j)] - sum).abs() < 1e-9);
            }
        }
        let h = Mat::from_fn(5, 3, |i, j| (i + 2 * j) as f64);
        let mut c = b.clone();
        add_product(&mut c, &a, 5, h.as_ref(), -1.0);
        let row = 4321;
        for j in 0..3 {
            let expected = b.values[row * 3 + j] - (0..5).map(|i| a.values[row * 7 + i] * h[(i, j)]).sum::<f64>();
            assert!((c.values[row * 3 + j] - expected).abs() < 1e-12);
        }
        let mut rotated = a.clone();
        rotate(&mut rotated, h.as_ref());
        let fresh = product(&a, h.as_ref());
        assert_eq!(rotated.values[row * 7..row * 7 + 3], fresh.values[row * 3..row * 3 + 3]);
        assert_eq!(rotated.values[row * 7 + 4], a.values[row * 7 + 4]);
        let mut block = Tall::zeros(n, 2);
        a.read(4, &mut block);
        assert_eq!(block.values[row * 2 + 1], a.values[row * 7 + 5]);
        let mut d = a.clone();
        d.write(1, &block);
        assert_eq!(d.values[row * 7 + 1], a.values[row * 7 + 4]);
    }
}
