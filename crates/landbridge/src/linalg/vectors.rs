//! Vectors of the processor, read from and written to arrays of as many numbers: all index arithmetic of the kernels is checked.
//!
//! `unsafe` here only passes the pointer of such an array.
#![allow(unsafe_code)]

use std::arch::x86_64::*;

/// A type of numbers that fills a vector of the processor; `$load` and `$store` are its intrinsics.
macro_rules! vector {
    ($read:ident, $write:ident, $number:ty, $count:literal, $vector:ty, $features:literal, $load:ident, $store:ident) => {
        #[target_feature(enable = $features)]
        #[inline]
        pub(crate) fn $read(from: &[$number; $count]) -> $vector {
            const { assert!(size_of::<[$number; $count]>() == size_of::<$vector>()) };
            // SAFETY: the array is as large as the vector, and the instruction asks for no alignment.
            unsafe { $load(from.as_ptr().cast()) }
        }
        #[target_feature(enable = $features)]
        #[inline]
        pub(crate) fn $write(to: &mut [$number; $count], vector: $vector) {
            // SAFETY: as above.
            unsafe { $store(to.as_mut_ptr().cast(), vector) }
        }
    };
}
vector!(read_8_f64, write_8_f64, f64, 8, __m512d, "avx512f", _mm512_loadu_pd, _mm512_storeu_pd);
vector!(read_16_f32, write_16_f32, f32, 16, __m512, "avx512f", _mm512_loadu_ps, _mm512_storeu_ps);
vector!(read_32_u16, write_32_u16, u16, 32, __m512i, "avx512bw", _mm512_loadu_epi16, _mm512_storeu_epi16);
vector!(read_4_f64, write_4_f64, f64, 4, __m256d, "avx2", _mm256_loadu_pd, _mm256_storeu_pd);
vector!(read_8_f32, write_8_f32, f32, 8, __m256, "avx2", _mm256_loadu_ps, _mm256_storeu_ps);
vector!(read_16_u16, write_16_u16, u16, 16, __m256i, "avx2", _mm256_loadu_si256, _mm256_storeu_si256);

#[cfg(test)]
mod tests {
    use super::*;

    /// What is read from the last places of a list comes back, and nothing beside it changes.
    macro_rules! comes_back {
        ($read:ident, $write:ident, $number:ty, $count:literal, $features:literal) => {{
            #[target_feature(enable = $features)]
            fn copy(from: &[$number; $count], to: &mut [$number; $count]) {
                $write(to, $read(from));
            }
            let from: Vec<$number> = (1..=$count).map(|i| i as $number).collect();
            let mut to: Vec<$number> = vec![0 as $number; $count + 1];
            // SAFETY: the caller has asked for the features.
            unsafe { copy(from.last_chunk().unwrap(), to.last_chunk_mut().unwrap()) };
            assert_eq!(to[0], 0 as $number);
            assert_eq!(to[1..], from[..]);
        }};
    }

    #[test]
    fn vectors_come_back_as_they_were_up_to_the_end_of_the_memory() {
        if is_x86_feature_detected!("avx2") {
            comes_back!(read_4_f64, write_4_f64, f64, 4, "avx2");
            comes_back!(read_8_f32, write_8_f32, f32, 8, "avx2");
            comes_back!(read_16_u16, write_16_u16, u16, 16, "avx2");
        }
        if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw") {
            comes_back!(read_8_f64, write_8_f64, f64, 8, "avx512f");
            comes_back!(read_16_f32, write_16_f32, f32, 16, "avx512f");
            comes_back!(read_32_u16, write_32_u16, u16, 32, "avx512bw");
        }
    }
}
