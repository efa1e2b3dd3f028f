//! Prefetching, and tiles of a matrix that are prefetched.
//!
//! A tile is read along its rows, a few kilobytes of each, which defeats the hardware prefetcher. `unsafe` here only issues
//! prefetch instructions.
#![allow(unsafe_code)]

/// Prefetches what is needed soon. It is not read in memory order, so the hardware prefetcher does not load it.
#[inline(always)]
pub(crate) fn prefetch<T>(values: &[T]) {
    fetch::<FIRST_CACHE, T>(values);
}

/// As [`prefetch`] for what the next loop needs, into the second-level cache: what the present loop reads stays in the first.
#[inline(always)]
pub(crate) fn prefetch_later<T>(values: &[T]) {
    fetch::<SECOND_CACHE, T>(values);
}

/// The hints `_MM_HINT_T0` and `_MM_HINT_T1`.
const FIRST_CACHE: i32 = 3;
const SECOND_CACHE: i32 = 2;

#[inline(always)]
fn fetch<const HINT: i32, T>(values: &[T]) {
    #[cfg(target_arch = "x86_64")]
    for line in values.chunks((LINE / size_of::<T>()).max(1)) {
        // SAFETY: every x86-64 CPU has this instruction, and it has no visible effect.
        unsafe { std::arch::x86_64::_mm_prefetch::<HINT>(line.as_ptr().cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = values;
}

/// Bytes that a processor loads together.
#[cfg(target_arch = "x86_64")]
const LINE: usize = 64;

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
