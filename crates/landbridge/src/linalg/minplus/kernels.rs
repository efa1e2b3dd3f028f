//! Sums and minima of packed panels, in registers.
//!
//! `unsafe` here is of two kinds: CPU dispatch to functions compiled for a wider instruction set, and vector loads and stores
//! inside tiles whose sizes are fixed here.
#![allow(unsafe_code)]

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
                if is_x86_feature_detected!($wider) {
                    // SAFETY: the CPU has these features; the sizes were checked above.
                    return unsafe { x86::$avx512(a, b, fresh, out, stride) };
                }
                if is_x86_feature_detected!("avx2") {
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
    use std::arch::x86_64::*;

    /// Three vectors wide, `$rows` rows at a time.
    macro_rules! kernel {
        ($name:ident, $t:ty, $nr:ident, $features:literal, $lanes:literal, $rows:literal,
         $load:expr, $store:expr, $set1:expr, $add:ident, $min:ident) => {
            /// # Safety
            /// The CPU has the features; `a` holds MR and `b` $nr numbers for each u, `out` MR rows `stride` apart.
            #[target_feature(enable = $features)]
            pub(super) unsafe fn $name(a: &[$t], b: &[$t], fresh: bool, out: &mut [[$t; $nr]], stride: usize) {
                let depth = b.len() / $nr;
                for i in (0..MR).step_by($rows) {
                    for j in (0..$nr).step_by(3 * $lanes) {
                        // SAFETY: i + rows ≤ MR and j + 3 lanes ≤ $nr; the slices hold `depth` of each.
                        unsafe {
                            let to = out.as_mut_ptr().cast::<$t>().add(i * stride * $nr + j);
                            let mut acc = [[$set1(<$t>::HUGE); 3]; $rows];
                            if !fresh {
                                for r in 0..$rows {
                                    for c in 0..3 {
                                        acc[r][c] = $load(to.add(r * stride * $nr + c * $lanes).cast_const());
                                    }
                                }
                            }
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
                                bp = bp.add($nr);
                            }
                            for r in 0..$rows {
                                for c in 0..3 {
                                    $store(to.add(r * stride * $nr + c * $lanes), acc[r][c]);
                                }
                            }
                        }
                    }
                }
            }
        };
    }
    kernel!(avx512, f64, NR, "avx512f", 8, 8, _mm512_loadu_pd, _mm512_storeu_pd, _mm512_set1_pd, _mm512_add_pd, _mm512_min_pd);
    kernel!(avx2, f64, NR, "avx2", 4, 4, _mm256_loadu_pd, _mm256_storeu_pd, _mm256_set1_pd, _mm256_add_pd, _mm256_min_pd);
    kernel!(
        words_avx512,
        u16,
        NR_WORDS,
        "avx512bw",
        32,
        8,
        |p: *const u16| _mm512_loadu_epi16(p.cast()),
        |p: *mut u16, v| _mm512_storeu_epi16(p.cast(), v),
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
        |p: *const u16| _mm256_loadu_si256(p.cast()),
        |p: *mut u16, v| _mm256_storeu_si256(p.cast(), v),
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
                    // SAFETY: the CPU has these features; the kernel has just checked the sizes.
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
