//! Sums and minima of packed panels, in registers.
//!
//! `unsafe` here only calls functions compiled for a wider instruction set.
#![allow(unsafe_code)]

#[cfg(target_arch = "x86_64")]
use crate::linalg::dispatch::has;

/// Rows of a tile.
pub(super) const MR: usize = 8;
/// Columns of a tile of doubles, and of a tile of 16-bit words.
pub(super) const NR: usize = 24;
pub(super) const NR_WORDS: usize = 96;

pub(super) type Tile = [[f64; NR]; MR];

macro_rules! lower {
    ($(#[$doc:meta])* $name:ident, $t:ty, $nr:ident, $wider:tt, $avx512:ident, $avx2:ident) => {
        $(#[$doc])*
        #[inline]
        pub(super) fn $name(a: &[$t], b: &[$t], fresh: bool, out: &mut [[$t; $nr]], stride: usize) {
            assert!(a.len() * $nr == b.len() * MR, "panels of different depth");
            assert!(out.len() > (MR - 1) * stride, "the tile reaches beyond `out`");
            #[cfg(target_arch = "x86_64")]
            {
                if has!(Avx512: $wider) {
                    // SAFETY: the CPU has these features.
                    return unsafe { x86::$avx512(a, b, fresh, out, stride) };
                }
                if has!(Avx2: "avx2") {
                    // SAFETY: as above.
                    return unsafe { x86::$avx2(a, b, fresh, out, stride) };
                }
            }
            portable(a, b, fresh, out, stride);
        }
    };
}
lower! {
    /// `out ← min(out, a ⊕ b)`, or `a ⊕ b` if `out` is fresh: doubles, [`MR`] rows `stride` apart, `a` packed by [`MR`] and `b`
    /// by [`NR`] for each u.
    lower, f64, NR, "avx512f", avx512, avx2
}
lower! {
    /// The same for 16-bit words whose sums fit in a word, `a` packed by [`MR`] and `b` by [`NR_WORDS`] for each u.
    lower_words, u16, NR_WORDS, "avx512bw", words_avx512, words_avx2
}

/// Numbers with a largest value.
trait Huge {
    const HUGE: Self;
}
impl Huge for f64 {
    const HUGE: Self = f64::INFINITY;
}
impl Huge for u16 {
    const HUGE: Self = u16::MAX;
}

fn portable<T: Copy + Huge + PartialOrd + std::ops::Add<Output = T>, const N: usize>(
    a: &[T],
    b: &[T],
    fresh: bool,
    out: &mut [[T; N]],
    stride: usize,
) {
    for r in 0..MR {
        let mut row = if fresh { [T::HUGE; N] } else { out[r * stride] };
        for (a, b) in a.chunks_exact(MR).zip(b.chunks_exact(N)) {
            for (s, &y) in row.iter_mut().zip(b) {
                let through = a[r] + y;
                *s = if through < *s { through } else { *s };
            }
        }
        out[r * stride] = row;
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{Huge, MR, NR, NR_WORDS};
    use crate::linalg::vectors::*;
    use std::arch::x86_64::*;

    /// Three vectors wide, `$rows` rows at a time: `a` holds MR and `b` $nr numbers for each u, `out` MR rows `stride` apart.
    macro_rules! kernel {
        ($name:ident, $t:ty, $nr:ident, $features:literal, $lanes:literal, $rows:literal,
         $read:ident, $write:ident, $set1:expr, $add:ident, $min:ident) => {
            #[target_feature(enable = $features)]
            pub(super) fn $name(a: &[$t], b: &[$t], fresh: bool, out: &mut [[$t; $nr]], stride: usize) {
                let ((a, _), (b, _)) = (a.as_chunks::<MR>(), b.as_chunks::<$nr>());
                for i in (0..MR).step_by($rows) {
                    // In vectors.
                    for j in (0..$nr / $lanes).step_by(3) {
                        let mut acc = [[$set1(<$t>::HUGE); 3]; $rows];
                        if !fresh {
                            for r in 0..$rows {
                                let (row, _) = out[(i + r) * stride].as_chunks::<$lanes>();
                                (0..3).for_each(|c| acc[r][c] = $read(&row[j + c]));
                            }
                        }
                        for (a, b) in a.iter().zip(b) {
                            let (b, _) = b.as_chunks::<$lanes>();
                            let y = [$read(&b[j]), $read(&b[j + 1]), $read(&b[j + 2])];
                            for r in 0..$rows {
                                let x = $set1(a[i + r]);
                                for c in 0..3 {
                                    acc[r][c] = $min(acc[r][c], $add(x, y[c]));
                                }
                            }
                        }
                        for r in 0..$rows {
                            let (row, _) = out[(i + r) * stride].as_chunks_mut::<$lanes>();
                            (0..3).for_each(|c| $write(&mut row[j + c], acc[r][c]));
                        }
                    }
                }
            }
        };
    }
    kernel!(avx512, f64, NR, "avx512f", 8, 8, read_8_f64, write_8_f64, _mm512_set1_pd, _mm512_add_pd, _mm512_min_pd);
    kernel!(avx2, f64, NR, "avx2", 4, 4, read_4_f64, write_4_f64, _mm256_set1_pd, _mm256_add_pd, _mm256_min_pd);
    kernel!(
        words_avx512,
        u16,
        NR_WORDS,
        "avx512bw",
        32,
        8,
        read_32_u16,
        write_32_u16,
        |x: u16| _mm512_set1_epi16(x.cast_signed()),
        _mm512_add_epi16,
        _mm512_min_epu16
    );
    kernel!(
        words_avx2,
        u16,
        NR_WORDS,
        "avx2",
        16,
        4,
        read_16_u16,
        write_16_u16,
        |x: u16| _mm256_set1_epi16(x.cast_signed()),
        _mm256_add_epi16,
        _mm256_min_epu16
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares a kernel, and its narrower form if the CPU has it, with the portable one.
    macro_rules! agree {
        ($kernel:ident, $narrow:ident, $nr:ident, $before:expr, $value:expr, $depth:expr) => {
            let a: Vec<_> = (0..$depth * MR).map($value).collect();
            let b: Vec<_> = (0..$depth * $nr).map(|i| $value(i + 5)).collect();
            for (fresh, stride) in [(false, 1), (true, 3)] {
                let before = vec![[$before; $nr]; 3 * MR];
                let (mut naive, mut fast) = (before.clone(), before.clone());
                portable(&a, &b, fresh, &mut naive, stride);
                $kernel(&a, &b, fresh, &mut fast, stride);
                assert_eq!(fast, naive);
                #[cfg(target_arch = "x86_64")]
                if is_x86_feature_detected!("avx2") {
                    let mut narrow = before;
                    // SAFETY: the CPU has these features.
                    unsafe { x86::$narrow(&a, &b, fresh, &mut narrow, stride) };
                    assert_eq!(narrow, naive);
                }
            }
        };
    }

    #[test]
    fn every_kernel_agrees_with_its_portable_twin() {
        let value = |i: usize| ((i * 7919) % 10007) as f64 / 1000.0;
        let word = |i: usize| ((i * 7919) % 32749) as u16;
        for depth in [1, 2, 77, 128] {
            agree!(lower, avx2, NR, 9.0, value, depth);
            agree!(lower_words, words_avx2, NR_WORDS, 40_000, word, depth);
        }
    }
}
