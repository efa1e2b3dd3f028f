//! Tiles of a matrix, prefetched.
//!
//! A tile is read along its rows, a few kilobytes of each, which defeats the hardware prefetcher. `unsafe` here only issues
//! prefetch instructions.
#![allow(unsafe_code)]

/// Prefetches numbers that are needed soon. They are not read in memory order, so the hardware prefetcher does not load them.
#[inline(always)]
pub(crate) fn prefetch(values: &[f64]) {
    #[cfg(target_arch = "x86_64")]
    for line in values.chunks(8) {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: every x86-64 CPU has this instruction, and it has no visible effect.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(line.as_ptr().cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = values;
}

/// Parts of rows of a matrix, tile by tile: all rows of one tile before the next tile.
pub(crate) struct Tiles {
    pub(crate) rows: std::ops::Range<usize>,
    pub(crate) columns: std::ops::Range<usize>,
}

/// Rows and columns of a tile, which fits in the cache of a core. 512 columns would be a power of two, and the rows would
/// compete for the same cache lines.
pub(crate) const TILE_ROWS: usize = 64;
pub(crate) const TILE_COLUMNS: usize = 504;
/// Prefetch distance in rows.
const AHEAD: usize = 4;

impl Tiles {
    /// Calls `read(part of a row, out)` for every row of a tile, then `done(rows, columns, tile)`; the tile is stored by rows.
    #[inline(always)]
    pub(crate) fn each<'m>(
        &self,
        row: impl Fn(usize) -> &'m [f64],
        read: impl Fn(&[f64], &mut [f64]),
        mut done: impl FnMut(std::ops::Range<usize>, std::ops::Range<usize>, &[f64]),
    ) {
        let mut tile = vec![0.0; TILE_ROWS.min(self.rows.len()) * TILE_COLUMNS.min(self.columns.len())];
        for top in self.rows.clone().step_by(TILE_ROWS) {
            let bottom = self.rows.end.min(top + TILE_ROWS);
            for left in self.columns.clone().step_by(TILE_COLUMNS) {
                let right = self.columns.end.min(left + TILE_COLUMNS);
                let tile = &mut tile[..(bottom - top) * (right - left)];
                for (i, to) in (top..bottom).zip(tile.chunks_exact_mut(right - left)) {
                    let soon = match i + AHEAD < bottom {
                        true => (i + AHEAD, left),
                        false if right < self.columns.end => (top + i + AHEAD - bottom, right),
                        false => (i + AHEAD, self.columns.start),
                    };
                    if soon.0 < self.rows.end {
                        prefetch(&row(soon.0)[soon.1..self.columns.end.min(soon.1 + TILE_COLUMNS)]);
                    }
                    read(&row(i)[left..right], to);
                }
                done(top..bottom, left..right, tile);
            }
        }
    }
}
