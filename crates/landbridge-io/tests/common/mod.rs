//! What several test files need.
#![allow(dead_code, unreachable_pub)] // each test file uses its part

use landbridge::data::Rows;
use landbridge::linalg::{Csr, Matrix};

/// SplitMix64: small, seeded, the same everywhere.
pub struct Rng(pub u64);

impl Rng {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }
    /// Any finite double: every exponent, both signs.
    pub fn double(&mut self) -> f64 {
        loop {
            let value = f64::from_bits(self.next());
            if value.is_finite() {
                return value;
            }
        }
    }
    pub fn single(&mut self) -> f32 {
        loop {
            let value = f32::from_bits(self.next() as u32);
            if value.is_finite() {
                return value;
            }
        }
    }
}

/// Dense f64, dense f32 and sparse rows with awkward values.
pub fn samples(seed: u64, n: usize, p: usize) -> [Rows; 3] {
    let mut rng = Rng(seed);
    let mut double = Matrix::from_fn(n, p, |_, _| rng.double());
    double.as_mut_slice()[0] = -0.0;
    let single = Matrix::from_fn(n, p, |_, _| rng.single());
    let mut triplets = vec![(0, p - 1, -0.0), (n - 1, 0, 1.0)];
    for i in 1..n.saturating_sub(1) {
        // Some rows stay empty.
        for _ in 0..rng.below(4) {
            triplets.push((i, rng.below(p), rng.double() / 4.0));
        }
    }
    let sparse = Csr::from_triplets(n, p, &triplets).unwrap();
    [double.into(), single.into(), sparse.into()]
}

/// Bits, not values: −0 and 0 differ.
pub fn bits(rows: &Rows) -> (Vec<usize>, Vec<u64>) {
    match rows {
        Rows::F64(m) => (vec![m.nrows(), m.ncols()], m.as_slice().iter().map(|v| v.to_bits()).collect()),
        Rows::F32(m) => (vec![m.nrows(), m.ncols()], m.as_slice().iter().map(|v| v.to_bits().into()).collect()),
        Rows::Sparse(m) => {
            let mut places = vec![m.nrows(), m.ncols()];
            places.extend(m.indptr());
            places.extend(m.indices().iter().map(|&j| j as usize));
            (places, m.values().iter().map(|v| v.to_bits()).collect())
        }
    }
}

pub const PACKED: [&str; 3] = ["", ".gz", ".zst"];

/// Most memory this process has ever taken, where the system tells.
pub fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse::<u64>().ok().map(|kilobytes| kilobytes << 10)
}
