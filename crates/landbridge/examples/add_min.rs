//! How fast can this processor add and take minima, and how near does the min-plus product come?
//!
//! `cargo run --release -p landbridge --example add_min`
//!
//! The bound: sums of doubles in registers and minima into twelve others, on all threads at once, nothing read from memory. The
//! product: 2,500 x 1,000 x 2,500, its result's memory included. Where sums can be told apart by 16 bits, it adds few of them as
//! doubles and goes beyond the bound; where many are alike, as of whole numbers, it adds all of them.
//!
//! `unsafe` here calls the loop compiled for wider instructions, after the processor was asked for them.
#![allow(unsafe_code)]

use landbridge::geometry::minplus::min_plus;
use landbridge::linalg::Matrix;
use std::hint::black_box;
use std::time::Instant;

/// Accumulators of a loop: enough to hide how long an instruction takes, few enough for the registers.
const KEPT: usize = 12;
/// Numbers of a vector; narrower processors take several.
const LANES: usize = 8;

/// `rounds` sums and minima for each of `KEPT × LANES` numbers.
#[inline(always)]
fn run(rounds: usize, left: &[f64; 4], right: &[[f64; LANES]; 3]) -> f64 {
    let mut least = [[f64::INFINITY; LANES]; KEPT];
    let mut shift = 0.0;
    for _ in 0..rounds {
        for (r, l) in left.iter().enumerate() {
            for (c, b) in right.iter().enumerate() {
                let kept = &mut least[3 * r + c];
                for (kept, b) in kept.iter_mut().zip(b) {
                    let sum = l + shift + b;
                    *kept = if sum < *kept { sum } else { *kept };
                }
            }
        }
        // Else everything but the first round could be left out.
        shift += 1e-9;
    }
    least.as_flattened().iter().sum()
}

fn widest(rounds: usize, left: &[f64; 4], right: &[[f64; LANES]; 3]) -> f64 {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx512f")]
        fn wider(rounds: usize, left: &[f64; 4], right: &[[f64; LANES]; 3]) -> f64 {
            run(rounds, left, right)
        }
        #[target_feature(enable = "avx2")]
        fn wide(rounds: usize, left: &[f64; 4], right: &[[f64; LANES]; 3]) -> f64 {
            run(rounds, left, right)
        }
        if is_x86_feature_detected!("avx512f") {
            // SAFETY: the processor has these instructions.
            return unsafe { wider(rounds, left, right) };
        }
        if is_x86_feature_detected!("avx2") {
            // SAFETY: as above.
            return unsafe { wide(rounds, left, right) };
        }
    }
    run(rounds, left, right)
}

/// The shortest of several runs, in seconds.
fn best(mut work: impl FnMut()) -> f64 {
    let time = |_| {
        let start = Instant::now();
        work();
        start.elapsed().as_secs_f64()
    };
    (0..5).map(time).fold(f64::INFINITY, f64::min)
}

fn main() -> Result<(), landbridge::Error> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let rounds = 10_000_000;
    let (left, right) = ([1.0, 2.0, 3.0, 4.0], [[0.5; LANES], [1.5; LANES], [2.5; LANES]]);
    let bound = best(|| {
        std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| black_box(widest(rounds, black_box(&left), black_box(&right))));
            }
        });
    });
    let bound = (threads * rounds * KEPT * LANES) as f64 / bound / 1e9;
    println!("{threads} threads: {bound:.1} billion sums and minima a second at most");

    let (n, l, m) = (2500, 1000, 2500);
    let random = |i: usize| ((i as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 11) as f64;
    let alike = |i: usize| (i * 7919 % 5) as f64;
    for (case, value) in [("random numbers", &random as &dyn Fn(usize) -> f64), ("many sums alike", &alike)] {
        let (a, b) = (Matrix::from_fn(n, l, |i, u| value(i * l + u)), Matrix::from_fn(l, m, |u, j| value(u * m + j)));
        let mut failed = Ok(());
        let seconds = best(|| match min_plus(&a, &b) {
            Ok(product) => drop(black_box(product)),
            Err(error) => failed = Err(error),
        });
        failed?;
        let rate = (n * l * m) as f64 / seconds / 1e9;
        println!(
            "min-plus product {n} x {l} x {m}, {case}: {seconds:.3} s, {rate:.1} billion a second, {:.0} % of that",
            100.0 * rate / bound
        );
    }
    Ok(())
}
