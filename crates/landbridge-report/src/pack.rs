//! Data as text in the page: numbers in 16 bits, packed, each part by itself, so that the reader unpacks what it needs.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use serde_json::{Value, json};
use std::io::Write as _;

/// Code of a value that is missing.
pub(crate) const MISSING: u16 = u16::MAX;

/// The parts of a page, within a number of bytes.
pub(crate) struct Parts {
    room: usize,
    list: Vec<(String, String)>,
    /// What found no room, in words.
    pub(crate) left_out: Vec<String>,
}

impl Parts {
    /// Parts that together take `room` bytes of the page, apart from those that it cannot do without.
    pub(crate) fn new(room: usize) -> Self {
        Self { room, list: vec![], left_out: vec![] }
    }
    /// A part that the page needs.
    pub(crate) fn need(&mut self, name: &str, bytes: &[u8]) {
        let text = packed(bytes);
        self.room = self.room.saturating_sub(text.len());
        self.list.push((name.into(), text));
    }
    /// A part that is left out if it finds no room. `what` says so on the page.
    pub(crate) fn want(&mut self, name: &str, bytes: &[u8], what: &str) -> bool {
        // Numbers rarely pack to a quarter: what has no hope of finding room is not packed first.
        let hopeless = bytes.len() > 4096 && !self.has_room(bytes.len() / 4);
        let text = if hopeless { String::new() } else { packed(bytes) };
        if hopeless || text.len() > self.room {
            self.left_out.push(what.into());
            return false;
        }
        self.room -= text.len();
        self.list.push((name.into(), text));
        true
    }
    /// Names and texts. The texts are base64: letters, digits, `+`, `/` and `=`.
    pub(crate) fn list(&self) -> &[(String, String)] {
        &self.list
    }
    /// Whether numbers of this many bytes are likely to find room.
    pub(crate) fn has_room(&self, bytes: usize) -> bool {
        bytes / 3 * 4 <= self.room
    }
}

/// Zlib, then base64.
fn packed(bytes: &[u8]) -> String {
    let mut encoder = ZlibEncoder::new(Vec::with_capacity(bytes.len() / 2), Compression::new(5));
    // Writing to memory cannot fail.
    let done = encoder.write_all(bytes).and_then(|()| encoder.finish()).unwrap_or_default();
    STANDARD.encode(done)
}

/// Sixteen-bit numbers, high bytes first and low bytes behind them: high bytes are alike and pack well.
pub(crate) fn two_bytes(values: &[u16]) -> Vec<u8> {
    values.iter().map(|v| (v >> 8) as u8).chain(values.iter().map(|v| *v as u8)).collect()
}

/// The same of 32-bit numbers.
pub(crate) fn four_bytes(values: &[u32]) -> Vec<u8> {
    (0..4).flat_map(|plane| values.iter().map(move |v| (v >> (24 - 8 * plane)) as u8)).collect()
}

/// Numbers between their extremes, in 65,535 steps. What is not finite is missing.
pub(crate) fn quantized(values: &[f64]) -> (Value, Vec<u16>) {
    let finite = || values.iter().copied().filter(|v| v.is_finite());
    let (low, high) = (finite().fold(f64::INFINITY, f64::min), finite().fold(f64::NEG_INFINITY, f64::max));
    if low > high {
        return (json!({"low": 0.0, "high": 0.0}), vec![MISSING; values.len()]);
    }
    // Halves, because the span of the largest numbers has no number.
    let span = 0.5 * high - 0.5 * low;
    let top = f64::from(MISSING - 1);
    let code = |v: f64| match v.is_finite() {
        true if span > 0.0 => ((0.5 * v - 0.5 * low) / span * top).round().clamp(0.0, top) as u16,
        true => 0,
        false => MISSING,
    };
    (json!({"low": low, "high": high}), values.iter().map(|v| code(*v)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::read::ZlibDecoder;
    use std::io::Read as _;

    #[test]
    fn numbers_come_back_within_half_a_step() {
        let values: Vec<f64> = (0..1000).map(|i| (f64::from(i) * 0.37).sin() * 1e3 - 400.0).chain([f64::NAN]).collect();
        let (scale, codes) = quantized(&values);
        let (low, high) = (scale["low"].as_f64().unwrap(), scale["high"].as_f64().unwrap());
        let step = (high - low) / 65534.0;
        for (v, c) in values.iter().zip(&codes) {
            match v.is_nan() {
                true => assert_eq!(*c, MISSING),
                false => assert!((low + f64::from(*c) * step - v).abs() <= 0.5001 * step),
            }
        }
    }

    #[test]
    fn constant_huge_and_absent_numbers_have_codes() {
        assert_eq!(quantized(&[3.0, 3.0]).1, [0, 0]);
        assert_eq!(quantized(&[-f64::MAX, 0.0, f64::MAX]).1, [0, 32767, 65534]);
        assert_eq!(quantized(&[f64::NAN, f64::INFINITY]).1, [MISSING, MISSING]);
        assert!(quantized(&[]).1.is_empty());
    }

    #[test]
    fn parts_unpack_to_what_went_in_and_keep_to_their_room() {
        let bytes = four_bytes(&[1, 0x0203_0405, 7]);
        assert_eq!(bytes, [0, 2, 0, 0, 3, 0, 0, 4, 0, 1, 5, 7]);
        let mut parts = Parts::new(40);
        assert!(parts.want("a", &bytes, "a"));
        let noise: Vec<u8> = (0..200u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
        assert!(!parts.want("b", &noise, "the noise"));
        assert_eq!(parts.left_out, ["the noise"]);
        parts.need("c", &noise);
        let [(_, a), (_, c)] = parts.list() else { panic!("two parts") };
        for (text, whole) in [(a, &bytes), (c, &noise)] {
            let mut out = vec![];
            ZlibDecoder::new(&STANDARD.decode(text).unwrap()[..]).read_to_end(&mut out).unwrap();
            assert_eq!(&out, whole);
        }
    }
}
