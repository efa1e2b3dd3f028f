//! Fewer points where there are too many.

/// `keep` of `0..n`, ascending, spread evenly but not periodically: a plain stride would pick up any order in the rows.
/// The choice depends on the two numbers only.
pub fn sample(n: usize, keep: usize) -> Vec<usize> {
    if n <= keep {
        return (0..n).collect();
    }
    // One of each of `keep` equal stretches, at a place mixed from its number.
    (0..keep)
        .map(|i| {
            let (from, to) = (i * n / keep, (i + 1) * n / keep);
            from + (mix(i as u64) % (to - from) as u64) as usize
        })
        .collect()
}

/// SplitMix64: a number that looks random, from any number.
fn mix(n: u64) -> u64 {
    let mut z = n.wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_is_ascending_without_repeats_and_within_range() {
        for (n, keep) in [(0, 5), (5, 5), (6, 5), (1000, 7), (100_001, 4000)] {
            let chosen = sample(n, keep);
            assert_eq!(chosen.len(), n.min(keep));
            assert!(chosen.windows(2).all(|w| w[0] < w[1]));
            assert!(chosen.last().is_none_or(|&last| last < n));
            assert_eq!(chosen, sample(n, keep));
        }
        assert!(sample(10, 0).is_empty());
    }

    #[test]
    fn a_period_in_the_rows_is_not_picked_up() {
        let even = sample(8000, 4000).iter().filter(|&&i| i % 2 == 0).count();
        assert!((1800..2200).contains(&even), "{even} of 4000 are even");
    }
}
