//! The transpose of a matrix times a block of 8 or 16 vectors. Each entry of the matrix is read once, in memory order, and
//! meets all vectors in registers; a general product would pack the matrix first.
//!
//! `unsafe` here only calls the same safe loop compiled for a wider instruction set.
#![allow(unsafe_code)]

use crate::linalg::dispatch::widest;
use crate::linalg::prefetch::{TILE_COLUMNS, Tiles};
use faer::MatRef;

/// Columns of the matrix read together.
const TOGETHER: usize = 8;
/// Rows whose vectors fit in the cache of a core.
const ROWS: usize = 512;

/// `out += A' x`; x and out are stored by rows. Returns `false`, and does nothing, when the block has another width, or when A
/// is stored neither by columns nor by rows.
pub(crate) fn add_transposed_times(a: MatRef<'_, f64>, x: &[f64], out: &mut [f64], width: usize) -> bool {
    if width != 8 && width != 16 {
        return false;
    }
    if let Some(columns) = contiguous_columns(a) {
        across(&columns, x, out, width);
        return true;
    }
    let Some(rows) = contiguous_columns(a.transpose()) else { return false };
    if a.ncols() <= TILE_COLUMNS {
        along(&rows, x, out, width);
        return true;
    }
    // A is read along its rows and used from the cache.
    Tiles { rows: 0..a.nrows(), columns: 0..a.ncols() }.each(
        |i| rows[i],
        |part, to| to.copy_from_slice(part),
        |rows, columns, tile| {
            let parts: Vec<&[f64]> = tile.chunks_exact(columns.len()).collect();
            let out = &mut out[columns.start * width..columns.end * width];
            along(&parts, &x[rows.start * width..rows.end * width], out, width);
        },
    );
    true
}

fn contiguous_columns(a: MatRef<'_, f64>) -> Option<Vec<&[f64]>> {
    (0..a.ncols()).map(|j| a.col(j).try_as_col_major().map(|c| c.as_slice())).collect()
}

widest! {
    ["avx512f", "fma"], ["avx2", "fma"];
    fn across(a: &[&[f64]], x: &[f64], out: &mut [f64], width: usize) = across_any::<true>, across_any::<false>;
}

#[inline(always)]
fn across_any<const FMA: bool>(a: &[&[f64]], x: &[f64], out: &mut [f64], width: usize) {
    if width == 8 { across_fixed::<8, FMA>(a, x, out) } else { across_fixed::<16, FMA>(a, x, out) }
}

#[inline(always)]
fn across_fixed<const W: usize, const FMA: bool>(a: &[&[f64]], x: &[f64], out: &mut [f64]) {
    let (x, _) = x.as_chunks::<W>();
    let (out, _) = out.as_chunks_mut::<W>();
    for (strip, x) in x.chunks(ROWS).enumerate() {
        let rows = strip * ROWS..strip * ROWS + x.len();
        for (a, out) in a.chunks(TOGETHER).zip(out.chunks_mut(TOGETHER)) {
            let Ok([a0, a1, a2, a3, a4, a5, a6, a7]) = <&[&[f64]; TOGETHER]>::try_from(a) else {
                for (a, out) in a.iter().zip(out) {
                    x.iter().zip(&a[rows.clone()]).for_each(|(x, a)| add::<W, FMA>(out, *a, x));
                }
                continue;
            };
            let first = a0[rows.clone()].iter().zip(&a1[rows.clone()]).zip(&a2[rows.clone()]).zip(&a3[rows.clone()]);
            let second = a4[rows.clone()].iter().zip(&a5[rows.clone()]).zip(&a6[rows.clone()]).zip(&a7[rows.clone()]);
            let entries =
                first.zip(second).map(|((((a0, a1), a2), a3), (((a4, a5), a6), a7))| [*a0, *a1, *a2, *a3, *a4, *a5, *a6, *a7]);
            add_together::<W, FMA>(out, x.iter().zip(entries));
        }
    }
}

widest! {
    ["avx512f", "fma"], ["avx2", "fma"];
    fn along(a: &[&[f64]], x: &[f64], out: &mut [f64], width: usize) = along_any::<true>, along_any::<false>;
}

#[inline(always)]
fn along_any<const FMA: bool>(a: &[&[f64]], x: &[f64], out: &mut [f64], width: usize) {
    if width == 8 { along_fixed::<8, FMA>(a, x, out) } else { along_fixed::<16, FMA>(a, x, out) }
}

/// A by rows: [`TOGETHER`] consecutive entries of each row at a time.
#[inline(always)]
fn along_fixed<const W: usize, const FMA: bool>(a: &[&[f64]], x: &[f64], out: &mut [f64]) {
    let (x, _) = x.as_chunks::<W>();
    let (out, _) = out.as_chunks_mut::<W>();
    for (x, a) in x.chunks(ROWS).zip(a.chunks(ROWS)) {
        for (k, out) in out.chunks_mut(TOGETHER).enumerate() {
            let from = k * TOGETHER;
            if out.len() < TOGETHER {
                for (x, a) in x.iter().zip(a) {
                    out.iter_mut().zip(&a[from..]).for_each(|(out, a)| add::<W, FMA>(out, *a, x));
                }
                continue;
            }
            let entries = |(x, a): (_, &&[f64])| Some((x, *a[from..].first_chunk()?));
            add_together::<W, FMA>(out, x.iter().zip(a).filter_map(entries));
        }
    }
}

/// `out_k += a_k x` for the entries of each step.
#[inline(always)]
fn add_together<'x, const W: usize, const FMA: bool>(
    out: &mut [[f64; W]],
    steps: impl Iterator<Item = (&'x [f64; W], [f64; TOGETHER])>,
) {
    // Separate variables instead of an array, so that they stay in registers.
    let [mut s0, mut s1, mut s2, mut s3, mut s4, mut s5, mut s6, mut s7]: [[f64; W]; TOGETHER] = std::array::from_fn(|k| out[k]);
    for (x, [a0, a1, a2, a3, a4, a5, a6, a7]) in steps {
        add::<W, FMA>(&mut s0, a0, x);
        add::<W, FMA>(&mut s1, a1, x);
        add::<W, FMA>(&mut s2, a2, x);
        add::<W, FMA>(&mut s3, a3, x);
        add::<W, FMA>(&mut s4, a4, x);
        add::<W, FMA>(&mut s5, a5, x);
        add::<W, FMA>(&mut s6, a6, x);
        add::<W, FMA>(&mut s7, a7, x);
    }
    out.copy_from_slice(&[s0, s1, s2, s3, s4, s5, s6, s7]);
}

/// `sum += a x`.
#[inline(always)]
fn add<const W: usize, const FMA: bool>(sum: &mut [f64; W], a: f64, x: &[f64; W]) {
    for c in 0..W {
        sum[c] = if FMA { a.mul_add(x[c], sum[c]) } else { a * x[c] + sum[c] };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use faer::Mat;

    #[test]
    fn transposed_products_equal_the_plain_sums() {
        let value = |i: usize| ((i * 7919) % 1009) as f64 / 500.0 - 1.0;
        for (n, m, width) in [(1, 1, 8), (130, 77, 16), (600, 6, 8), (1025, 300, 16), (130, 1100, 8)] {
            let a = Mat::from_fn(n, m, |i, j| value(i * m + j));
            let x: Vec<f64> = (0..n * width).map(|i| value(i + 3)).collect();
            let mut out = vec![1.0; m * width];
            assert!(add_transposed_times(a.as_ref(), &x, &mut out, width));
            let by_rows = a.transpose().to_owned();
            let mut again = vec![1.0; m * width];
            assert!(add_transposed_times(by_rows.transpose(), &x, &mut again, width));
            for j in 0..m {
                for c in 0..width {
                    let sum: f64 = (0..n).map(|i| a[(i, j)] * x[i * width + c]).sum();
                    assert!((out[j * width + c] - 1.0 - sum).abs() < 1e-10);
                    assert!((again[j * width + c] - 1.0 - sum).abs() < 1e-10);
                }
            }
        }
    }

    #[test]
    fn other_layouts_and_widths_are_left_to_the_general_product() {
        let a = Mat::from_fn(5, 4, |i, j| (i + j) as f64);
        assert!(!add_transposed_times(a.as_ref().reverse_rows(), &[1.0; 40], &mut [0.0; 32], 8));
        assert!(!add_transposed_times(a.as_ref(), &[1.0; 15], &mut [0.0; 12], 3));
    }
}
