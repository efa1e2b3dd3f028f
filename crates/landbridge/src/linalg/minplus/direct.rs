//! The min-plus product in double precision, blocked like a matrix product: panels of both factors are packed, so that a tile
//! of the result stays in registers while u runs. A minimum does not depend on the order of its arguments, so tiles may run in
//! any order.

use super::kernels::{MR, NR, Tile, lower};
use super::{Columns, Rows};
use crate::linalg::Matrix;
use rayon::prelude::*;

/// Depth of a block of u: a panel of each factor then fits in the first-level cache.
const DEPTH: usize = 128;
/// Values of u packed at a time.
const CHUNK: usize = 4 * DEPTH;
/// Rows of a task.
const ROWS: usize = 8 * MR;

/// `fresh`: nothing has been written to `out`; its content counts as infinite.
pub(super) fn lower_all(out: &mut Matrix<f64>, fresh: bool, l: usize, a: &impl Rows, b: &impl Columns) {
    let width = out.ncols();
    let panels = width.div_ceil(NR);
    for from in (0..l).step_by(CHUNK) {
        let depth = CHUNK.min(l - from);
        // B in slices of DEPTH, each slice in panels of NR columns, each panel by u.
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
                    // A in slices of DEPTH, each slice in panels of MR rows, each panel by u.
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

/// Position of a tile in the rows of a task.
struct Place {
    i: usize,
    j: usize,
    /// Rows of the tile inside the matrix.
    height: usize,
    /// Columns of the result.
    width: usize,
    /// Nothing has been written to the tile.
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
    lower(a, b, fresh, &mut acc, 1);
    for (r, acc) in acc.iter().enumerate().take(height) {
        let at = (i + r) * width + j;
        rows[at..at + columns].copy_from_slice(&acc[..columns]);
    }
}
