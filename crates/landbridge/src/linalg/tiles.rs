//! Tiles of scores `init(y) − x·y` between query rows and packed reference rows, and the scores below a threshold: the inner
//! loop of exact nearest-neighbour search and of matching.
//!
//! With `init(y) = |y|²/2` the score orders references by Euclidean distance from x, with `init = 0` by inner product. Scores
//! are compared inside the tile, so that the n × n scores are never written to memory.
//!
//! `unsafe` here only calls functions compiled for a wider instruction set.
#![allow(unsafe_code)]

use crate::linalg::Scalar;
#[cfg(target_arch = "x86_64")]
use crate::linalg::dispatch::has;
use crate::linalg::prefetch::prefetch_later;

/// Query rows in a tile.
pub(crate) const MR: usize = 8;
/// Widest panel of any element type.
const NR_MAX: usize = 32;

/// The result of a tile: scores of the rows that have a hit, the hits as bits, and, on request, the hits of references among
/// the queries.
pub(crate) struct Tile<T> {
    pub(crate) scores: [[T; NR_MAX]; MR],
    pub(crate) hits: [u32; MR],
    pub(crate) back: [u32; MR],
}

/// Top-k in both directions: a reference y hits a query x when `score < columns(y) − own(x)`.
pub(crate) struct Back<'a, T> {
    /// One per reference of the panel (NR).
    pub(crate) columns: &'a [T],
    pub(crate) own: &'a [T; MR],
}

impl<T: Real> Tile<T> {
    pub(crate) fn new() -> Self {
        Self { scores: [[T::default(); NR_MAX]; MR], hits: [0; MR], back: [0; MR] }
    }
}

/// Element types of tiles.
pub(crate) trait Real:
    Scalar + PartialOrd + std::ops::Add<Output = Self> + std::ops::Sub<Output = Self> + std::ops::Mul<Output = Self>
{
    /// Reference rows in a panel.
    const NR: usize;
    /// Unit round-off.
    const UNIT: f64;
    /// Larger than every score.
    const HUGE: Self;
    /// Smaller than every score.
    const TINY: Self;

    /// One tile: `a` is `p × MR` (negated queries, of which the first `used` are there), `b` is `p × NR`. Returns `true` when a score is
    /// below its threshold.
    fn tile(used: usize, a: &[Self], b: &[Self], init: &[Self], threshold: &[Self; MR], tile: &mut Tile<Self>) -> bool {
        Self::tile_both(used, a, b, init, threshold, None, tile)
    }

    /// The same, and the references that hit a query.
    fn tile_both(
        used: usize,
        a: &[Self],
        b: &[Self],
        init: &[Self],
        threshold: &[Self; MR],
        back: Option<Back<'_, Self>>,
        tile: &mut Tile<Self>,
    ) -> bool;
}

macro_rules! real {
    ($t:ty, $nr:expr, $unit:expr, $avx512:ident, $few_avx512:ident, $avx2:ident, $few_avx2:ident) => {
        impl Real for $t {
            const NR: usize = $nr;
            const UNIT: f64 = $unit;
            const HUGE: Self = <$t>::INFINITY;
            const TINY: Self = <$t>::NEG_INFINITY;
            #[inline]
            fn tile_both(
                used: usize,
                a: &[Self],
                b: &[Self],
                init: &[Self],
                threshold: &[Self; MR],
                back: Option<Back<'_, Self>>,
                tile: &mut Tile<Self>,
            ) -> bool {
                assert!(a.len() * Self::NR == b.len() * MR, "panels of different depth");
                assert!(init.len() == Self::NR, "`init` needs one number per reference");
                assert!(back.as_ref().is_none_or(|back| back.columns.len() == Self::NR), "`back` needs one column per reference");
                #[cfg(target_arch = "x86_64")]
                if let Some(init) = init.first_chunk() {
                    let back = back.as_ref().and_then(|back| Some((back.columns.first_chunk()?, back.own)));
                    if has!(Avx512: "avx512f") {
                        // SAFETY: the CPU has these features.
                        return unsafe {
                            match used <= FEW {
                                true => x86::$few_avx512(used, a, b, init, threshold, back, tile),
                                false => x86::$avx512(MR, a, b, init, threshold, back, tile),
                            }
                        };
                    }
                    if has!(Avx2: "avx2", "fma") {
                        // SAFETY: as above.
                        return unsafe {
                            match used <= FEW {
                                true => x86::$few_avx2(used, a, b, init, threshold, back, tile),
                                false => x86::$avx2(MR, a, b, init, threshold, back, tile),
                            }
                        };
                    }
                }
                portable::<Self>(a, b, init, threshold, back, tile)
            }
        }
    };
}
real!(f32, 32, 5.960_464_477_539_063e-8, tile_f32_avx512, few_f32_avx512, tile_f32_avx2, few_f32_avx2);
real!(f64, 16, 1.110_223_024_625_156_5e-16, tile_f64_avx512, few_f64_avx512, tile_f64_avx2, few_f64_avx2);

/// Up to so many queries go one by one: then the time is that of reading the references, and rows of the tile that are not there would
/// add to it.
const FEW: usize = 3;

/// For any CPU; also the naive twin of the kernels below.
fn portable<T: Real>(a: &[T], b: &[T], init: &[T], threshold: &[T; MR], back: Option<Back<'_, T>>, tile: &mut Tile<T>) -> bool {
    for row in &mut tile.scores {
        row[..T::NR].copy_from_slice(init);
    }
    for (a, b) in a.chunks_exact(MR).zip(b.chunks_exact(T::NR)) {
        for (row, &x) in tile.scores.iter_mut().zip(a) {
            for (s, &y) in row.iter_mut().zip(b) {
                *s = *s + x * y;
            }
        }
    }
    let mut any = 0;
    for i in 0..MR {
        (tile.hits[i], tile.back[i]) = (0, 0);
        for j in 0..T::NR {
            tile.hits[i] |= u32::from(tile.scores[i][j] < threshold[i]) << j;
            if let Some(back) = &back {
                tile.back[i] |= u32::from(tile.scores[i][j] < back.columns[j] - back.own[i]) << j;
            }
        }
        any |= tile.hits[i] | tile.back[i];
    }
    any != 0
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{MR, Real, Tile};
    use crate::linalg::vectors::*;
    use std::arch::x86_64::*;

    /// Two vectors wide, `$rows` of the first `used` queries at a time; `$cmp` gives the bits of the lanes below the threshold. `a` holds
    /// p × MR and `b` p × NR numbers.
    macro_rules! kernel {
        ($name:ident, $t:ty, $features:literal, $lanes:literal, $rows:literal,
         $read:ident, $write:ident, $set1:ident, $fma:ident, $sub:ident, $cmp:expr) => {
            #[target_feature(enable = $features)]
            pub(super) fn $name(
                used: usize,
                a: &[$t],
                b: &[$t],
                init: &[$t; <$t as Real>::NR],
                threshold: &[$t; MR],
                back: Option<(&[$t; <$t as Real>::NR], &[$t; MR])>,
                tile: &mut Tile<$t>,
            ) -> bool {
                const NR: usize = <$t as Real>::NR;
                let ((a, _), (b, _), (init, _)) = (a.as_chunks::<MR>(), b.as_chunks::<NR>(), init.as_chunks::<$lanes>());
                let mut any = 0u32;
                for i0 in (0..used).step_by($rows) {
                    let (mut row_hits, mut row_back) = ([0u32; $rows], [0u32; $rows]);
                    // In vectors.
                    for j in (0..NR / $lanes).step_by(2) {
                        let j0 = j * $lanes;
                        let mut acc = [[$read(&init[j]), $read(&init[j + 1])]; $rows];
                        for (a, b) in a.iter().zip(b) {
                            let (b, _) = b.as_chunks::<$lanes>();
                            let (b0, b1) = ($read(&b[j]), $read(&b[j + 1]));
                            for i in 0..$rows {
                                let x = $set1(a[i0 + i]);
                                acc[i][0] = $fma(x, b0, acc[i][0]);
                                acc[i][1] = $fma(x, b1, acc[i][1]);
                            }
                        }
                        for i in 0..$rows {
                            let t = $set1(threshold[i0 + i]);
                            let hits: u32 = $cmp(acc[i][0], t) | ($cmp(acc[i][1], t) << $lanes);
                            if let Some((columns, own)) = back {
                                let (columns, _) = columns.as_chunks::<$lanes>();
                                let own = $set1(own[i0 + i]);
                                let first = $cmp(acc[i][0], $sub($read(&columns[j]), own));
                                row_back[i] |= (first | ($cmp(acc[i][1], $sub($read(&columns[j + 1]), own)) << $lanes)) << j0;
                            }
                            if hits | (row_back[i] >> j0) != 0 {
                                let (out, _) = tile.scores[i0 + i].as_chunks_mut::<$lanes>();
                                $write(&mut out[j], acc[i][0]);
                                $write(&mut out[j + 1], acc[i][1]);
                            }
                            row_hits[i] |= hits << j0;
                        }
                    }
                    for i in 0..$rows {
                        (tile.hits[i0 + i], tile.back[i0 + i]) = (row_hits[i], row_back[i]);
                        any |= row_hits[i] | row_back[i];
                    }
                }
                any != 0
            }
        };
    }

    /// The kernel of a full tile, and the one of few queries.
    macro_rules! kernels {
        ($name:ident, $few:ident, $t:ty, $features:literal, $lanes:literal, $rows:literal, $($calls:tt)*) => {
            kernel!($name, $t, $features, $lanes, $rows, $($calls)*);
            kernel!($few, $t, $features, $lanes, 1, $($calls)*);
        };
    }

    kernels!(
        tile_f32_avx512,
        few_f32_avx512,
        f32,
        "avx512f",
        16,
        8,
        read_16_f32,
        write_16_f32,
        _mm512_set1_ps,
        _mm512_fmadd_ps,
        _mm512_sub_ps,
        |x, t| u32::from(_mm512_cmp_ps_mask::<_CMP_LT_OQ>(x, t))
    );
    kernels!(
        tile_f64_avx512,
        few_f64_avx512,
        f64,
        "avx512f",
        8,
        8,
        read_8_f64,
        write_8_f64,
        _mm512_set1_pd,
        _mm512_fmadd_pd,
        _mm512_sub_pd,
        |x, t| { u32::from(_mm512_cmp_pd_mask::<_CMP_LT_OQ>(x, t)) }
    );
    kernels!(
        tile_f32_avx2,
        few_f32_avx2,
        f32,
        "avx2,fma",
        8,
        4,
        read_8_f32,
        write_8_f32,
        _mm256_set1_ps,
        _mm256_fmadd_ps,
        _mm256_sub_ps,
        |x, t| { _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_LT_OQ>(x, t)) as u32 }
    );
    kernels!(
        tile_f64_avx2,
        few_f64_avx2,
        f64,
        "avx2,fma",
        4,
        4,
        read_4_f64,
        write_4_f64,
        _mm256_set1_pd,
        _mm256_fmadd_pd,
        _mm256_sub_pd,
        |x, t| { _mm256_movemask_pd(_mm256_cmp_pd::<_CMP_LT_OQ>(x, t)) as u32 }
    );
}

/// Reference rows packed in panels of `NR`, each panel by columns, with `init` per row; padding never hits.
#[derive(Debug)]
pub(crate) struct Panels<T> {
    values: Vec<T>,
    init: Vec<T>,
    n: usize,
    p: usize,
}

impl<T: Real> Panels<T> {
    /// Allocates for `n` rows of `p` numbers.
    pub(crate) fn zeros(n: usize, p: usize) -> Self {
        let padded = n.div_ceil(T::NR) * T::NR;
        Self { values: vec![T::default(); padded * p], init: vec![T::HUGE; padded], n, p }
    }
    /// `n` rows, written by `fill(row, out)`, which returns the row's `init`.
    pub(crate) fn build(n: usize, p: usize, fill: impl Fn(usize, &mut [T]) -> T + Sync) -> Self {
        use rayon::prelude::*;
        let mut panels = Self::zeros(n, p);
        panels.values.par_chunks_mut(p * T::NR).zip(panels.init.par_chunks_mut(T::NR)).enumerate().for_each_init(
            || vec![T::default(); p],
            |row, (panel, (values, init))| {
                for lane in 0..T::NR.min(n - panel * T::NR) {
                    init[lane] = fill(panel * T::NR + lane, row);
                    for (c, &v) in row.iter().enumerate() {
                        values[c * T::NR + lane] = v;
                    }
                }
            },
        );
        panels
    }
    /// Restarts with `n` rows (at most as many as allocated); [`Panels::set`] then writes them.
    pub(crate) fn reset(&mut self, n: usize) {
        self.n = n;
        self.init.fill(T::HUGE);
    }
    /// Writes row `i`.
    pub(crate) fn set(&mut self, i: usize, row: &[T], init: T) {
        let (panel, lane) = (i / T::NR, i % T::NR);
        self.init[i] = init;
        let values = &mut self.values[panel * self.p * T::NR..(panel + 1) * self.p * T::NR];
        for (c, &v) in row.iter().enumerate() {
            values[c * T::NR + lane] = v;
        }
    }
    /// `init` of row `i`.
    pub(crate) fn init(&self, i: usize) -> T {
        self.init[i]
    }
    /// Number of panels in use.
    pub(crate) fn len(&self) -> usize {
        self.n.div_ceil(T::NR)
    }
    /// Panel `q`: its numbers and its `init`.
    #[inline]
    pub(crate) fn panel(&self, q: usize) -> (&[T], &[T]) {
        (&self.values[q * self.p * T::NR..(q + 1) * self.p * T::NR], &self.init[q * T::NR..(q + 1) * T::NR])
    }
    /// Asks for the given one of so many parts of panel `q`, to be called as often while another panel is compared. Panels are not
    /// visited in their order, so that processors do not load them by themselves.
    #[inline]
    pub(crate) fn ask_for(&self, q: usize, part: usize, parts: usize) {
        let (values, _) = self.panel(q);
        let each = values.len().div_ceil(parts).next_multiple_of(T::NR);
        prefetch_later(&values[(part * each).min(values.len())..((part + 1) * each).min(values.len())]);
    }
}

/// Packs up to `MR` query rows, negated, by columns; missing rows are zero.
pub(crate) fn pack_queries<T: Real + std::ops::Neg<Output = T>>(
    rows: usize,
    p: usize,
    out: &mut [T],
    mut fill: impl FnMut(usize, &mut [T]),
    scratch: &mut [T],
) {
    out[..p * MR].fill(T::default());
    for i in 0..rows.min(MR) {
        fill(i, scratch);
        for (c, &v) in scratch[..p].iter().enumerate() {
            out[c * MR + i] = -v;
        }
    }
}

/// Keeps the `keep` smallest scores of a stream; ties go to the lower index.
pub(crate) struct Best<T> {
    found: Vec<(T, u32)>,
    keep: usize,
    threshold: T,
}

impl<T: Real> Best<T> {
    pub(crate) fn new(keep: usize) -> Self {
        Self { found: Vec::with_capacity(2 * keep + 16), keep, threshold: T::HUGE }
    }
    /// Only scores below `threshold` matter: about `keep` rows are known to be below it.
    pub(crate) fn below(keep: usize, threshold: T) -> Self {
        Self { threshold, ..Self::new(keep) }
    }
    /// Scores at or above this value cannot enter the list.
    #[inline]
    pub(crate) fn threshold(&self) -> T {
        self.threshold
    }
    #[inline]
    pub(crate) fn push(&mut self, score: T, index: u32) {
        if score < self.threshold {
            self.found.push((score, index));
            if self.found.len() >= 2 * self.keep + 16 {
                self.shrink();
            }
        }
    }
    fn shrink(&mut self) {
        if self.found.len() > self.keep {
            self.found.select_nth_unstable_by(self.keep - 1, |a, b| order(*a, *b));
            self.found.truncate(self.keep);
        }
        if self.found.len() == self.keep {
            self.threshold = self.found.iter().map(|f| f.0).fold(T::TINY, |a, b| if b > a { b } else { a });
        }
    }
    /// Takes in the scores of another part of the stream.
    pub(crate) fn merge(&mut self, mut other: Self) {
        let (found, rest) = other.finish();
        found.iter().for_each(|(score, index)| self.push(*score, *index));
        if rest < self.threshold {
            self.threshold = rest;
        }
    }
    /// The best scores, unordered, and a lower bound of all other scores (infinite when none was left out).
    pub(crate) fn finish(&mut self) -> (&[(T, u32)], T) {
        self.shrink();
        (&self.found, self.threshold)
    }
}

fn order<T: Real>(a: (T, u32), b: (T, u32)) -> std::cmp::Ordering {
    a.0.partial_cmp(&b.0).unwrap_or(std::cmp::Ordering::Equal).then(a.1.cmp(&b.1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn agree<T: Real>(p: usize, tolerance: f64) {
        let value = |i: usize| T::from_f64(((i * 7919) % 1013) as f64 / 500.0 - 1.0);
        let a: Vec<T> = (0..p * MR).map(value).collect();
        let b: Vec<T> = (0..p * T::NR).map(|i| value(i + 17)).collect();
        let init: Vec<T> = (0..T::NR).map(|i| value(i + 5)).collect();
        let threshold = [0.0, -0.5, 0.3, 1.0, -9e9, 9e9, 0.1, -0.1].map(T::from_f64);
        let (mut fast, mut naive) = (Tile::new(), Tile::new());
        let columns: Vec<T> = (0..T::NR).map(|j| value(j + 3)).collect();
        let own: [T; MR] = std::array::from_fn(|i| value(i + 71));
        for both in [false, true] {
            let back = || both.then_some(Back { columns: &columns, own: &own });
            let any = T::tile_both(MR, &a, &b, &init, &threshold, back(), &mut fast);
            assert_eq!(any, portable(&a, &b, &init, &threshold, back(), &mut naive));
            for i in 0..MR {
                for j in 0..T::NR {
                    let (score, limit) = (naive.scores[i][j].to_f64(), columns[j].to_f64() - own[i].to_f64());
                    if both && (score - limit).abs() > tolerance * (1.0 + score.abs()) {
                        let hit = fast.back[i] >> j & 1 == 1;
                        assert_eq!(hit, score < limit, "row {i} lane {j} back");
                        assert!(!hit || (fast.scores[i][j].to_f64() - score).abs() <= tolerance * (1.0 + score.abs()));
                    }
                    assert!(both || fast.back[i] == 0);
                }
            }
        }
        let full = fast;
        for used in 1..=FEW {
            let mut few = Tile::new();
            let any = T::tile(used, &a, &b, &init, &threshold, &mut few);
            assert!(any || full.hits[..used].iter().all(|hits| *hits == 0), "{used} queries");
            for i in 0..used {
                assert_eq!(few.hits[i], full.hits[i], "{used} queries, row {i}");
                for j in (0..T::NR).filter(|j| few.hits[i] >> j & 1 == 1) {
                    assert_eq!(
                        few.scores[i][j].to_f64().to_bits(),
                        full.scores[i][j].to_f64().to_bits(),
                        "{used} queries, row {i}"
                    );
                }
            }
        }
        let fast = full;
        for i in 0..MR {
            for j in 0..T::NR {
                // Only rows with a hit are written by the fast kernels.
                let (x, y) = (fast.scores[i][j].to_f64(), naive.scores[i][j].to_f64());
                let hit = fast.hits[i] >> j & 1 == 1;
                if hit {
                    assert!((x - y).abs() <= tolerance * (1.0 + y.abs()), "row {i} lane {j}: {x} and {y}");
                }
                if (y - threshold[i].to_f64()).abs() > tolerance {
                    assert_eq!(hit, y < threshold[i].to_f64(), "row {i} lane {j}");
                }
            }
        }
    }

    #[test]
    fn every_kernel_agrees_with_its_portable_twin() {
        for p in [1, 2, 3, 7, 50, 101] {
            agree::<f32>(p, 1e-4);
            agree::<f64>(p, 1e-12);
        }
    }

    #[test]
    fn the_best_of_a_stream_are_its_smallest_with_ties_by_index() {
        let mut best = Best::<f64>::new(3);
        for (i, s) in [5.0, 1.0, 1.0, 7.0, 1.0, 0.5, 9.0, 1.0].iter().cycle().take(80).enumerate() {
            best.push(*s + if i >= 8 { 10.0 } else { 0.0 }, i as u32);
        }
        let mut found = best.finish().0.to_vec();
        found.sort_by(|a, b| order(*a, *b));
        assert_eq!(found, [(0.5, 5), (1.0, 1), (1.0, 2)]);
        let mut best = Best::<f64>::new(3);
        best.push(1.0, 4);
        let (found, rest) = best.finish();
        assert_eq!((found, rest), (&[(1.0, 4)][..], f64::INFINITY));
    }
}
