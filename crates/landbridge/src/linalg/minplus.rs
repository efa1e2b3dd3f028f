//! The min-plus product, `min_u a_iu + b_uj`: how far is it through the nearest bridge?
//!
//! Built like a matrix product: panels of both factors are packed so that a tile of the result stays in the
//! registers while u runs. Minima do not depend on the order they are taken in, so that tiles need no care.
//!
//! `unsafe` here is of two kinds: calling a function compiled for a wider instruction set, after the processor was
//! asked for it, and vector loads and stores inside tiles whose sizes are fixed here.
#![allow(unsafe_code)]

use crate::linalg::Matrix;
use rayon::prelude::*;
use std::ops::Range;

/// Rows and columns of a tile.
const MR: usize = 8;
const NR: usize = 24;
/// Values of u between two looks at the result: a panel of each factor then fits the first cache.
const DEPTH: usize = 128;
/// Values of u packed at a time.
const CHUNK: usize = 4 * DEPTH;
/// Rows of a task.
const ROWS: usize = 8 * MR;

type Tile = [[f64; NR]; MR];

/// `A ⊕ B`, `shape` its rows and columns, for l values of u. `a(i, first, out)` writes `a_iu` and `b(u, out)` the row
/// `b_u`. Infinite where there is no u.
pub(crate) fn min_plus(
    shape: (usize, usize),
    l: usize,
    a: impl Fn(usize, Range<usize>, &mut [f64]) + Sync,
    b: impl Fn(usize, &mut [f64]) + Sync,
) -> Matrix<f64> {
    if l == 0 {
        return Matrix::from_fn(shape.0, shape.1, |_, _| f64::INFINITY);
    }
    // Not filled first: memory is dear to touch, and so all threads do it.
    let mut out = Matrix::zeros(shape.0, shape.1);
    lower_all(&mut out, true, l, a, b);
    out
}

/// `out ← min(out, A ⊕ B)`.
pub(crate) fn lower_by_min_plus(
    out: &mut Matrix<f64>,
    l: usize,
    a: impl Fn(usize, Range<usize>, &mut [f64]) + Sync,
    b: impl Fn(usize, &mut [f64]) + Sync,
) {
    lower_all(out, false, l, a, b);
}

/// `fresh`: nothing has been written to `out`, and what is there counts as infinite.
fn lower_all(
    out: &mut Matrix<f64>,
    fresh: bool,
    l: usize,
    a: impl Fn(usize, Range<usize>, &mut [f64]) + Sync,
    b: impl Fn(usize, &mut [f64]) + Sync,
) {
    let width = out.ncols();
    if width == 0 {
        return;
    }
    let panels = width.div_ceil(NR);
    for from in (0..l).step_by(CHUNK) {
        let depth = CHUNK.min(l - from);
        // B by slices of DEPTH, each slice by panels of NR columns, each panel by u.
        let mut packed = vec![f64::INFINITY; panels * NR * depth];
        packed.par_chunks_mut(panels * NR * DEPTH).enumerate().for_each_init(
            || vec![0.0; width],
            |row, (slice, values)| {
                let first = slice * DEPTH;
                let count = values.len() / (panels * NR);
                for u in 0..count {
                    b(from + first + u, row);
                    for (q, part) in row.chunks(NR).enumerate() {
                        let at = (q * count + u) * NR;
                        values[at..at + part.len()].copy_from_slice(part);
                    }
                }
            },
        );
        out.as_mut_slice().par_chunks_mut(ROWS * width).enumerate().for_each_init(
            || (vec![0.0; depth], vec![f64::INFINITY; ROWS * depth]),
            |(row, left), (task, rows)| {
                let count = rows.len() / width;
                for i in 0..count {
                    a(task * ROWS + i, from..from + depth, row);
                    // A by slices of DEPTH, each by panels of MR rows, each panel by u.
                    for (slice, part) in row.chunks(DEPTH).enumerate() {
                        let start = slice * DEPTH * ROWS + (i / MR) * part.len() * MR + i % MR;
                        part.iter().enumerate().for_each(|(u, v)| left[start + u * MR] = *v);
                    }
                }
                for (slice, values) in packed.chunks(panels * NR * DEPTH).enumerate() {
                    let depth = values.len() / (panels * NR);
                    for (q, right) in values.chunks_exact(depth * NR).enumerate() {
                        for i in (0..count).step_by(MR) {
                            let start = slice * DEPTH * ROWS + (i / MR) * depth * MR;
                            let fresh = fresh && from == 0 && slice == 0;
                            let place = Place { i, j: q * NR, height: MR.min(count - i), width, fresh };
                            tile(&left[start..start + depth * MR], right, rows, place);
                        }
                    }
                }
            },
        );
    }
}

/// Where a tile lies in the rows of a task.
struct Place {
    i: usize,
    j: usize,
    /// Rows of the tile that are there.
    height: usize,
    /// Columns of the result.
    width: usize,
    /// Nothing has been written there yet.
    fresh: bool,
}

/// One tile of the result.
#[inline]
fn tile(a: &[f64], b: &[f64], rows: &mut [f64], Place { i, j, height, width, fresh }: Place) {
    let mut acc: Tile = [[f64::INFINITY; NR]; MR];
    let columns = NR.min(width - j);
    for (r, acc) in acc.iter_mut().enumerate().take(if fresh { 0 } else { height }) {
        let at = (i + r) * width + j;
        acc[..columns].copy_from_slice(&rows[at..at + columns]);
    }
    lower(a, b, &mut acc);
    for (r, acc) in acc.iter().enumerate().take(height) {
        let at = (i + r) * width + j;
        rows[at..at + columns].copy_from_slice(&acc[..columns]);
    }
}

/// `acc ← min(acc, A ⊕ B)` for packed panels.
#[inline]
fn lower(a: &[f64], b: &[f64], acc: &mut Tile) {
    assert!(a.len() * NR == b.len() * MR, "panels of different depth");
    #[cfg(target_arch = "x86_64")]
    {
        if is_x86_feature_detected!("avx512f") {
            // SAFETY: the processor has these instructions; the sizes were checked above.
            return unsafe { x86::avx512(a, b, acc) };
        }
        if is_x86_feature_detected!("avx2") {
            // SAFETY: as above.
            return unsafe { x86::avx2(a, b, acc) };
        }
    }
    portable(a, b, acc);
}

fn portable(a: &[f64], b: &[f64], acc: &mut Tile) {
    for (a, b) in a.chunks_exact(MR).zip(b.chunks_exact(NR)) {
        for (acc, &x) in acc.iter_mut().zip(a) {
            for (s, &y) in acc.iter_mut().zip(b) {
                let through = x + y;
                *s = if through < *s { through } else { *s };
            }
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{MR, NR, Tile};
    use std::arch::x86_64::*;

    /// Three vectors wide, `$rows` rows at a time.
    macro_rules! kernel {
        ($name:ident, $features:literal, $lanes:literal, $rows:literal, $load:ident, $store:ident, $set1:ident, $add:ident, $min:ident) => {
            /// # Safety
            /// The processor has the features; `a` holds MR and `b` NR numbers for each u.
            #[target_feature(enable = $features)]
            pub(super) unsafe fn $name(a: &[f64], b: &[f64], out: &mut Tile) {
                let depth = b.len() / NR;
                for i in (0..MR).step_by($rows) {
                    for j in (0..NR).step_by(3 * $lanes) {
                        // SAFETY: i + rows ≤ MR and j + 3 lanes ≤ NR; the slices hold `depth` of each.
                        unsafe {
                            let mut acc = [[$set1(f64::INFINITY); 3]; $rows];
                            let mut ap = a.as_ptr().add(i);
                            let mut bp = b.as_ptr().add(j);
                            for _ in 0..depth {
                                let y = [$load(bp), $load(bp.add($lanes)), $load(bp.add(2 * $lanes))];
                                for r in 0..$rows {
                                    let x = $set1(*ap.add(r));
                                    for c in 0..3 {
                                        acc[r][c] = $min(acc[r][c], $add(x, y[c]));
                                    }
                                }
                                ap = ap.add(MR);
                                bp = bp.add(NR);
                            }
                            for r in 0..$rows {
                                let to = out[i + r].as_mut_ptr().add(j);
                                for c in 0..3 {
                                    let place = to.add(c * $lanes);
                                    $store(place, $min(acc[r][c], $load(place)));
                                }
                            }
                        }
                    }
                }
            }
        };
    }
    kernel!(avx512, "avx512f", 8, 8, _mm512_loadu_pd, _mm512_storeu_pd, _mm512_set1_pd, _mm512_add_pd, _mm512_min_pd);
    kernel!(avx2, "avx2", 4, 4, _mm256_loadu_pd, _mm256_storeu_pd, _mm256_set1_pd, _mm256_add_pd, _mm256_min_pd);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(i: usize) -> f64 {
        ((i * 7919) % 10007) as f64 / 1000.0
    }

    #[test]
    fn the_blocked_product_equals_the_naive_minimum_exactly() {
        for (n, l, m) in [(1, 1, 1), (7, 3, 23), (8, 128, 24), (65, 129, 49), (130, 700, 101), (3, 0, 5)] {
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
                    assert_eq!(out[(i, j)], expected, "{n} {l} {m}: {i} {j}");
                    assert_eq!(lowered[(i, j)], expected.min(before[(i, j)]), "{n} {l} {m}: {i} {j}");
                }
            }
        }
    }

    #[test]
    fn every_kernel_agrees_with_its_portable_twin() {
        for depth in [1, 2, 77, DEPTH] {
            let a: Vec<f64> = (0..depth * MR).map(value).collect();
            let b: Vec<f64> = (0..depth * NR).map(|i| value(i + 5)).collect();
            let (mut fast, mut naive): (Tile, Tile) = ([[9.0; NR]; MR], [[9.0; NR]; MR]);
            lower(&a, &b, &mut fast);
            portable(&a, &b, &mut naive);
            assert_eq!(fast, naive);
        }
    }
}
