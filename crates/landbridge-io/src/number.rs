//! Decimal numbers to doubles, each the nearest one (ties to even), eight digits at a time.
//!
//! A number is a whole number `m < 2⁶⁴` times `10^q`. Where `m` and the power are doubles themselves, one product or
//! quotient rounds once, as it must. Else `m` is multiplied by the leading 128 bits of `10^q`; what was cut off moves the
//! product by less than four units of its 128 bits, and where that could change the rounding the number goes the careful
//! way. So do longer numbers, words for infinity and spaces.

/// Powers of ten that a double holds exactly.
const TENS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21,
    1e22,
];
const WHOLE_TENS: [u64; 9] = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000];

/// Largest `k` with `5^k < 2^128`.
const MOST: usize = 55;
/// `5^q` for `q` from `-MOST` to `MOST`: its leading 128 bits (the first is 1), and the power of two of the last one.
const FIVES: [(u128, i32); 2 * MOST + 1] = fives();

const fn fives() -> [(u128, i32); 2 * MOST + 1] {
    let mut found = [(0u128, 0i32); 2 * MOST + 1];
    let (mut power, mut k) = (1u128, 0);
    while k <= MOST {
        let zeros = power.leading_zeros();
        found[MOST + k] = (power << zeros, -(zeros as i32));
        // One over the power, bit by bit: the remainder doubles until 128 bits are there.
        let (mut bits, mut rest, mut scale) = (0u128, 1u128, 0i32);
        while bits.leading_zeros() > 0 {
            let carry = rest >> 127 == 1;
            rest <<= 1;
            scale -= 1;
            bits <<= 1;
            if carry || rest >= power {
                rest = rest.wrapping_sub(power);
                bits |= 1;
            }
        }
        found[MOST - k] = if k == 0 { found[MOST] } else { (bits, scale) };
        if k < MOST {
            power *= 5;
        }
        k += 1;
    }
    found
}

/// The eight bytes from a place on; 0 where the text has ended.
#[inline(always)]
fn eight(text: &[u8], at: usize) -> u64 {
    match text.get(at..).and_then(<[u8]>::first_chunk::<8>) {
        Some(bytes) => u64::from_le_bytes(*bytes),
        None => last_bytes(text, at),
    }
}

#[cold]
fn last_bytes(text: &[u8], at: usize) -> u64 {
    let rest = text.get(at..).unwrap_or_default();
    rest.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte))
}

/// How many of eight bytes are digits before the first other one, and the number they make.
#[inline(always)]
fn digits(word: u64) -> (u32, u64) {
    let values = word ^ 0x3030_3030_3030_3030;
    // The high bit of every byte that is not a digit; a carry reaches only bytes behind the first of them.
    let others = (values.wrapping_add(0x7676_7676_7676_7676) | values) & 0x8080_8080_8080_8080;
    let count = others.trailing_zeros() / 8;
    // The digits move to the end, zeros come before them.
    (count, joined(values.checked_shl(64 - 8 * count).unwrap_or(0)))
}

/// The number that eight digits make, the first in the lowest byte: neighbours are joined, three times.
#[inline(always)]
fn joined(values: u64) -> u64 {
    let pairs = values.wrapping_mul(10).wrapping_add(values >> 8);
    let high = (pairs & 0x0000_00ff_0000_00ff).wrapping_mul(0x000f_4240_0000_0064);
    let low = ((pairs >> 16) & 0x0000_00ff_0000_00ff).wrapping_mul(0x0000_2710_0000_0001);
    high.wrapping_add(low) >> 32
}

/// Which of the bytes are not digits, the first in the lowest bit.
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
#[inline(always)]
fn others(bytes: &[u8; SPAN]) -> u32 {
    use std::arch::x86_64::{
        _mm_cmpeq_epi8, _mm_loadu_si128, _mm_movemask_epi8, _mm_set1_epi8, _mm_setzero_si128, _mm_subs_epu8, _mm_xor_si128,
    };
    // SAFETY: every x86-64 has these instructions; 16 bytes are read from 0 and from 16 on, of 32.
    unsafe {
        let digits = |from: usize| {
            let values = _mm_xor_si128(_mm_loadu_si128(bytes.as_ptr().add(from).cast()), _mm_set1_epi8(0x30));
            let above_nine = _mm_subs_epu8(values, _mm_set1_epi8(9));
            _mm_movemask_epi8(_mm_cmpeq_epi8(above_nine, _mm_setzero_si128())) as u32
        };
        !(digits(0) | digits(16) << 16)
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn others(bytes: &[u8; SPAN]) -> u32 {
    others_one_by_one(bytes)
}

#[cfg(any(test, not(target_arch = "x86_64")))]
fn others_one_by_one(bytes: &[u8; SPAN]) -> u32 {
    bytes.iter().rev().fold(0, |mask, byte| mask << 1 | u32::from(!byte.is_ascii_digit()))
}

/// Bytes that are looked at for the ends of three numbers.
const SPAN: usize = 32;

/// Three whole numbers of one to eight digits with one other byte between them, and where each ends. All three are found
/// at a time, which is twice as fast as one after the other. None if the text is made otherwise, or ends soon.
#[inline(always)]
pub(crate) fn three_wholes(text: &[u8], at: usize) -> Option<([u64; 3], [usize; 3])> {
    let bytes = text.get(at..).and_then(<[u8]>::first_chunk::<{ SPAN + 8 }>)?;
    let first = others(bytes.first_chunk()?);
    let second = first & first.wrapping_sub(1);
    let third = second & second.wrapping_sub(1);
    let ends = [first, second, third].map(|mask| mask.trailing_zeros() as usize);
    let starts = [0, ends[0] + 1, ends[1] + 1];
    // The last mask is empty, its end 32, if there is no third byte: then a number may go on behind it.
    let counts = [ends[0], ends[1].wrapping_sub(starts[1]), ends[2].wrapping_sub(starts[2])];
    if third == 0 || counts.iter().any(|count| count.wrapping_sub(1) >= 8) {
        return None;
    }
    let number = |k: usize| joined((eight(bytes, starts[k]) ^ 0x3030_3030_3030_3030) << ((64 - 8 * counts[k]) & 63));
    Some(([number(0), number(1), number(2)], ends.map(|end| at + end)))
}

/// The whole number that a text has at a place, and where it ends. None without digits or with more than sixteen.
#[inline(always)]
pub(crate) fn whole_at(text: &[u8], at: usize) -> Option<(u64, usize)> {
    let (count, first) = digits(eight(text, at));
    if count < 8 {
        return (count > 0).then_some((first, at + count as usize));
    }
    let (more, second) = digits(eight(text, at + 8));
    let value = first * WHOLE_TENS[more as usize] + second;
    (more < 8).then_some((value, at + 8 + more as usize))
}

/// The number that a text has at a place, and where it ends. None leaves it to the careful way.
#[inline(always)]
pub(crate) fn number_at(text: &[u8], at: usize) -> Option<(f64, usize)> {
    let negative = text.get(at) == Some(&b'-');
    let start = at + usize::from(negative);
    let (mut count, mut mantissa) = digits(eight(text, start));
    let mut end = start + count as usize;
    // A short whole number: counts of words and cells are nothing else.
    if count.wrapping_sub(1) < 7 && !matches!(text.get(end), Some(b'.' | b'e' | b'E')) {
        let value = mantissa as f64;
        return Some((if negative { -value } else { value }, end));
    }
    while count == 8 {
        count = more_digits(text, &mut mantissa, &mut end);
    }
    let mut seen = end - start;
    let mut power = 0i32;
    if text.get(end) == Some(&b'.') {
        let point = end + 1;
        end = point;
        while more_digits(text, &mut mantissa, &mut end) == 8 {}
        seen += end - point;
        power = -i32::try_from(end - point).ok()?;
    }
    if seen == 0 || (seen > 19 && seen - leading_zeros(&text[start..end]) > 19) {
        return None;
    }
    if text.get(end).is_some_and(|byte| byte | 0x20 == b'e') {
        let (shift, after) = exponent(text, end + 1)?;
        (power, end) = (power.saturating_add(shift), after);
    }
    let value = nearest(mantissa, power)?;
    Some((if negative { -value } else { value }, end))
}

#[inline(always)]
fn more_digits(text: &[u8], mantissa: &mut u64, end: &mut usize) -> u32 {
    let (count, value) = digits(eight(text, *end));
    *mantissa = mantissa.wrapping_mul(WHOLE_TENS[count as usize]).wrapping_add(value);
    *end += count as usize;
    count
}

fn leading_zeros(number: &[u8]) -> usize {
    number.iter().take_while(|b| matches!(b, b'0' | b'.')).filter(|b| **b == b'0').count()
}

fn exponent(text: &[u8], at: usize) -> Option<(i32, usize)> {
    let sign = text.get(at).copied().filter(|b| matches!(b, b'-' | b'+'));
    let start = at + usize::from(sign.is_some());
    let (count, value) = digits(eight(text, start));
    let value = if sign == Some(b'-') { -(value as i32) } else { value as i32 };
    (1..=4).contains(&count).then_some((value, start + count as usize))
}

/// The double nearest to `mantissa · 10^power`, where it is plain which one that is.
#[inline(always)]
fn nearest(mantissa: u64, power: i32) -> Option<f64> {
    if mantissa <= 1 << 53 && power.unsigned_abs() <= 22 {
        let ten = TENS[power.unsigned_abs() as usize];
        return Some(if power < 0 { mantissa as f64 / ten } else { mantissa as f64 * ten });
    }
    by_leading_bits(mantissa, power)
}

fn by_leading_bits(mantissa: u64, power: i32) -> Option<f64> {
    if mantissa == 0 {
        return Some(0.0);
    }
    let (five, scale) = *FIVES.get(usize::try_from(power.saturating_add(MOST as i32)).ok()?)?;
    let zeros = mantissa.leading_zeros();
    let m = u128::from(mantissa << zeros);
    // The leading 128 of 192 bits; the true product is larger by less than 2 of their units.
    let product = m * (five >> 64) + ((m * (five & u128::from(u64::MAX))) >> 64);
    let shift = product.leading_zeros();
    let bits = product << shift;
    // 53 bits stay, 75 are rounded away.
    let (kept, rest, half) = ((bits >> 75) as u64, bits & ((1 << 75) - 1), 1u128 << 74);
    if rest <= half && rest + 4 > half {
        return None;
    }
    let kept = kept + u64::from(rest > half);
    // kept · 2^exponent, far from the ends of the range: 2^64 · 10^±55 at the most.
    let exponent = 75 - shift as i32 + 64 + scale + power - zeros as i32;
    let two = f64::from_bits(((1023 + exponent) as u64) << 52);
    Some(kept as f64 * two)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn generator() -> impl FnMut() -> u64 {
        let mut state = 1u64;
        move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 32) ^ (state << 17)
        }
    }

    fn agrees(text: &str) -> bool {
        // Behind the number there is something else, and before it, too.
        let inside = format!("7,{text},1234567890");
        match number_at(inside.as_bytes(), 2) {
            None => false,
            Some((value, end)) => {
                let expected: f64 = text.parse().unwrap();
                assert_eq!(value.to_bits(), expected.to_bits(), "{text}");
                assert_eq!(end, 2 + text.len(), "{text}");
                assert_eq!(number_at(text.as_bytes(), 0).map(|n| n.0.to_bits()), Some(value.to_bits()), "{text}");
                true
            }
        }
    }

    #[test]
    fn numbers_are_the_nearest_doubles() {
        let mut next = generator();
        let mut quick = 0;
        for round in 0..400_000 {
            let digits = next() % 10u64.pow(1 + (next() % 19) as u32);
            let places = (next() % 24) as usize;
            let sign = if next().is_multiple_of(2) { "" } else { "-" };
            let mut text = format!("{digits:0width$}", width = places + 1);
            text.insert(text.len() - places, '.');
            if round % 3 == 0 {
                text.push_str(&format!("e{}", (next() % 70) as i64 - 35));
            }
            quick += u32::from(agrees(&format!("{sign}{text}")));
        }
        assert!(quick > 380_000, "{quick}");
        // As programs write them: the shortest text that reads back.
        quick = 0;
        for _ in 0..200_000 {
            let value = (next() as f64 / u64::MAX as f64 - 0.5) * 10f64.powi((next() % 40) as i32 - 20);
            quick += u32::from(agrees(&format!("{value}"))) + u32::from(agrees(&format!("{value:e}")));
        }
        assert!(quick > 380_000, "{quick}");
    }

    #[test]
    fn three_numbers_at_a_time_are_those_one_after_the_other() {
        let mut next = generator();
        let mut found = 0;
        for round in 0..200_000 {
            let mut word = || (next() % 10u64.pow((next() % 9) as u32 + u32::from(round % 50 == 0))).to_string();
            let between = [" ", " ", "\n", "\t", ".", "  ", "-", "é"];
            let mut text = format!("7{}{}", word(), if round % 7 == 0 { between[round % 8] } else { " " });
            text += &format!("{}{}{}", word(), if round % 5 == 0 { between[round % 8] } else { " " }, word());
            text += &format!("\n{} 12 345 6789 0123456789 01234567890123456789", word());
            let bytes = text.as_bytes();
            let one_by_one = || {
                let (mut at, mut wholes, mut ends) = (1, [0; 3], [0; 3]);
                for k in 0..3 {
                    let end = at + bytes[at..].iter().take_while(|b| b.is_ascii_digit()).count();
                    let fits = (1..=8).contains(&(end - at)) && end <= SPAN;
                    wholes[k] = fits.then(|| text[at..end].parse::<u64>().unwrap())?;
                    (ends[k], at) = (end, end + 1);
                }
                Some((wholes, ends))
            };
            let got = three_wholes(bytes, 1);
            assert_eq!(got, one_by_one(), "{text}");
            found += u32::from(got.is_some());
        }
        assert!(found > 100_000, "{found}");
        assert_eq!(three_wholes(b"1 2 3\n", 0), None);
        let all: Vec<u8> = (0..=255).collect();
        for from in 0..=255 - SPAN {
            let bytes = all[from..].first_chunk().unwrap();
            assert_eq!(others(bytes), others_one_by_one(bytes));
        }
    }

    #[test]
    fn halfway_and_nearly_halfway_numbers_are_never_guessed() {
        // 2^53 + 1 lies halfway between two doubles; digits far behind decide.
        for text in [
            "9007199254740993",
            "9007199254740993.0",
            "900719925474099.3e1",
            "9007199254740992.999",
            "9007199254740993.001",
            "1.00000000000000011102230246251565404236316680908203125",
            "0.3000000000000000166",
            "2.2250738585072011e-308",
            "1e400",
        ] {
            agrees(text);
        }
        let mut next = generator();
        for _ in 0..100_000 {
            // Halves between neighbours of 54 bits, written out.
            let odd = (1u64 << 53) + 2 * (next() % (1 << 52)) + 1;
            let places = (next() % 20) as i32;
            agrees(&format!("{odd}e-{places}"));
            agrees(&format!("{odd}e{places}"));
        }
    }

    #[test]
    fn the_edges_of_the_quick_way() {
        for (text, value) in [("0", 0.0), ("-0", -0.0), ("9007199254740992", 9007199254740992.0), ("5.", 5.0), (".5", 0.5)] {
            assert_eq!(number_at(text.as_bytes(), 0).unwrap().0.to_bits(), f64::to_bits(value), "{text}");
        }
        for text in ["", "-", ".", "+1", "1e", "1e+", "1e99999", "99999999999999999999", " 1", "nan", "inf", "e5", "-.e1"] {
            assert!(number_at(text.as_bytes(), 0).is_none(), "{text}");
        }
        for (text, end) in [("1.2.3", 3), ("1-", 1), ("1 ", 1), ("12e3x", 4), ("000000000000000000000012,", 24)] {
            assert_eq!(number_at(text.as_bytes(), 0).unwrap().1, end, "{text}");
        }
        for (text, expected) in [
            ("0", Some((0, 1))),
            ("12345678 ", Some((12_345_678, 8))),
            ("123456789012345x", Some((123_456_789_012_345, 15))),
            ("1234567890123456", None),
            ("-1", None),
            ("", None),
        ] {
            assert_eq!(whole_at(text.as_bytes(), 0), expected, "{text}");
        }
        for count in 0..=8usize {
            let text = format!("{}/:a", &"98765432"[..count]);
            let expected = "98765432"[..count].parse().unwrap_or(0);
            assert_eq!(digits(eight(text.as_bytes(), 0)), (count as u32, expected));
        }
    }
}
