//! Selects the groups of u that can hold the minimum of an entry, and takes the minimum over their sums.
//!
//! `unsafe` here only calls functions compiled for a wider instruction set.
#![allow(unsafe_code)]

use super::kernels::NR_WORDS;
#[cfg(target_arch = "x86_64")]
use crate::linalg::dispatch::has;
use crate::linalg::prefetch::prefetch;

/// Values of u in a group.
pub(super) const GROUP: usize = 16;
/// The 16-bit word of infinity: larger than the word of any sum, and twice it does not overflow.
pub(super) const INFINITE: u16 = 32_767;
/// Largest difference between the word of the minimum and the least word: two quantisation steps. One of them covers the
/// rounding errors of the words themselves, which are thousands of times smaller.
pub(super) const SLACK: u16 = 2;
/// Columns processed together.
const LANES: usize = 32;

/// The numbers of a group.
pub(super) type Group = [f64; GROUP];

/// `best_j = min a_u + b_uj` over the groups of u whose least word, `least[g]`, is near the minimum over all groups. Group g of
/// column j is `right[g stride + j]`.
pub(super) fn add_chosen(least: &[[u16; NR_WORDS]], left: &[Group], right: &[Group], stride: usize, best: &mut [f64; NR_WORDS]) {
    #[cfg(target_arch = "x86_64")]
    {
        if has!(Avx512: "avx512f", "avx512bw") {
            // SAFETY: the CPU has these features.
            return unsafe { x86::avx512(least, left, right, stride, best) };
        }
        if has!(Avx2: "avx2") {
            // SAFETY: as above.
            return unsafe { x86::avx2(least, left, right, stride, best) };
        }
    }
    add_with(least, left, right, stride, best, least_sum);
}

/// `least_sum` gives the minimum of one group.
#[inline(always)]
fn add_with(
    least: &[[u16; NR_WORDS]],
    left: &[Group],
    right: &[Group],
    stride: usize,
    best: &mut [f64; NR_WORDS],
    least_sum: impl Fn(&Group, &Group) -> f64,
) {
    // For each column: the least word, its group, and the least word of the other groups.
    let (mut first, mut second, mut group) = ([0; NR_WORDS], [0; NR_WORDS], [0; NR_WORDS]);
    for from in (0..NR_WORDS).step_by(LANES) {
        let (mut one, mut two, mut at) = ([u16::MAX; LANES], [u16::MAX; LANES], [0u16; LANES]);
        for (g, least) in least.iter().enumerate() {
            let Some(words) = least[from..].first_chunk::<LANES>() else { continue };
            for c in 0..LANES {
                at[c] = if words[c] < one[c] { g as u16 } else { at[c] };
                two[c] = two[c].min(one[c].max(words[c]));
                one[c] = one[c].min(words[c]);
            }
        }
        first[from..from + LANES].copy_from_slice(&one);
        second[from..from + LANES].copy_from_slice(&two);
        group[from..from + LANES].copy_from_slice(&at);
    }
    // The numbers of the chosen groups are scattered: prefetch those of all columns before the first is used.
    for (j, &g) in group.iter().enumerate() {
        prefetch(&right[g as usize * stride + j]);
        prefetch(&left[g as usize]);
    }
    for j in 0..NR_WORDS {
        let g = group[j] as usize;
        best[j] = least_sum(&left[g], &right[g * stride + j]);
    }
    for j in (0..NR_WORDS).filter(|&j| first[j] < INFINITE && second[j] <= first[j] + SLACK) {
        for (g, _) in least.iter().enumerate().filter(|(_, least)| least[j] <= first[j] + SLACK) {
            let sum = least_sum(&left[g], &right[g * stride + j]);
            best[j] = if sum < best[j] { sum } else { best[j] };
        }
    }
}

fn least_sum(a: &Group, b: &Group) -> f64 {
    a.iter().zip(b).map(|(a, b)| a + b).fold(f64::INFINITY, |least, sum| if sum < least { sum } else { least })
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::*;
    use crate::linalg::vectors::{read_4_f64, read_8_f64};
    use std::arch::x86_64::*;

    #[target_feature(enable = "avx512f,avx512bw")]
    pub(super) fn avx512(least: &[[u16; NR_WORDS]], left: &[Group], right: &[Group], stride: usize, best: &mut [f64; NR_WORDS]) {
        let least_sum = |a: &Group, b: &Group| {
            let ((a, _), (b, _)) = (a.as_chunks(), b.as_chunks());
            let sum = |k: usize| _mm512_add_pd(read_8_f64(&a[k]), read_8_f64(&b[k]));
            _mm512_reduce_min_pd(_mm512_min_pd(sum(0), sum(1)))
        };
        add_with(least, left, right, stride, best, least_sum);
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn avx2(least: &[[u16; NR_WORDS]], left: &[Group], right: &[Group], stride: usize, best: &mut [f64; NR_WORDS]) {
        let least_sum = |a: &Group, b: &Group| {
            let ((a, _), (b, _)) = (a.as_chunks(), b.as_chunks());
            let sum = |k: usize| _mm256_add_pd(read_4_f64(&a[k]), read_4_f64(&b[k]));
            let four = _mm256_min_pd(_mm256_min_pd(sum(0), sum(1)), _mm256_min_pd(sum(2), sum(3)));
            let two = _mm_min_pd(_mm256_castpd256_pd128(four), _mm256_extractf128_pd::<1>(four));
            _mm_cvtsd_f64(_mm_min_sd(two, _mm_unpackhi_pd(two, two)))
        };
        add_with(least, left, right, stride, best, least_sum);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_chooses_as_the_portable_one() {
        const GROUPS: usize = 40;
        let number = |i: usize| ((i * 7919) % 10007) as f64;
        let left: Vec<Group> = (0..GROUPS).map(|g| std::array::from_fn(|u| number(g * GROUP + u))).collect();
        let right: Vec<Group> = (0..GROUPS * NR_WORDS).map(|at| std::array::from_fn(|u| number(5 + 31 * at + 3 * u))).collect();
        // Words independent of the numbers, with many ties: a group that is left out by mistake shows.
        let word = |i: usize| if i.is_multiple_of(11) { INFINITE } else { (i * 613 % 7) as u16 };
        for case in 0..8 {
            let least: Vec<[u16; NR_WORDS]> =
                (0..GROUPS).map(|g| std::array::from_fn(|j| word(g * 1009 + case * 97 + j))).collect();
            let (mut fast, mut naive) = ([f64::INFINITY; NR_WORDS], [f64::INFINITY; NR_WORDS]);
            add_chosen(&least, &left, &right, NR_WORDS, &mut fast);
            add_with(&least, &left, &right, NR_WORDS, &mut naive, least_sum);
            assert_eq!(fast, naive);
            #[cfg(target_arch = "x86_64")]
            if is_x86_feature_detected!("avx2") {
                let mut wide = [f64::INFINITY; NR_WORDS];
                // SAFETY: the CPU has these features.
                unsafe { x86::avx2(&least, &left, &right, NR_WORDS, &mut wide) };
                assert_eq!(wide, naive);
            }
            for j in 0..NR_WORDS {
                let smallest = (0..GROUPS).map(|g| least[g][j]).min().unwrap();
                let groups = (0..GROUPS).filter(|&g| least[g][j] <= smallest + SLACK);
                let expected = groups.map(|g| least_sum(&left[g], &right[g * NR_WORDS + j])).fold(f64::INFINITY, f64::min);
                assert_eq!(fast[j], expected);
            }
        }
    }
}
