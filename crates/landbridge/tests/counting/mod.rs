//! An allocator that counts, and data of any size: what the measured costs of fits and their test share.
#![allow(unsafe_code, unreachable_pub)] // a global allocator is unsafe by definition

use landbridge::data::Dataset;
use landbridge::linalg::{Csr, Matrix};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Counts the bytes in use.
struct Counting;
/// Bytes in use.
pub static NOW: AtomicUsize = AtomicUsize::new(0);
/// The most that were in use since it was set.
pub static PEAK: AtomicUsize = AtomicUsize::new(0);

fn grown(by: usize) {
    let now = NOW.fetch_add(by, Ordering::Relaxed) + by;
    PEAK.fetch_max(now, Ordering::Relaxed);
}

// SAFETY: every call goes to the system's allocator; the counters touch no memory of the caller.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        grown(layout.size());
        unsafe { System.alloc(layout) }
    }
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        grown(layout.size());
        unsafe { System.alloc_zeroed(layout) }
    }
    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        NOW.fetch_sub(layout.size(), Ordering::Relaxed);
        unsafe { System.dealloc(at, layout) }
    }
    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        grown(size);
        NOW.fetch_sub(layout.size(), Ordering::Relaxed);
        unsafe { System.realloc(at, layout, size) }
    }
}

#[global_allocator]
static MEMORY: Counting = Counting;

/// Rows of few hidden dimensions in p columns; sparse: a tenth of the entries, counts.
pub fn dataset(name: &str, hidden: &Matrix<f64>, p: usize, sparse: bool, seed: u64) -> Dataset {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let (n, h) = (hidden.nrows(), hidden.ncols());
    let map = Matrix::from_fn(h, p, |_, _| rng.random::<f64>() - 0.5);
    let value = |i: usize, j: usize| (0..h).map(|c| hidden[(i, c)] * map[(c, j)]).sum::<f64>();
    if !sparse {
        let noise: Vec<f64> = (0..n * p).map(|_| 0.1 * (rng.random::<f64>() - 0.5)).collect();
        return Dataset::new(name, Matrix::from_fn(n, p, |i, j| value(i, j) + noise[i * p + j])).unwrap();
    }
    let mut entries = vec![];
    for i in 0..n {
        for j in 0..p {
            if rng.random::<f64>() < 0.1 * (1.0 + value(i, j)).clamp(0.0, 3.0) {
                entries.push((i, j, 1.0 + (rng.random::<f64>() * 3.0).floor()));
            }
        }
        if entries.last().is_none_or(|e| e.0 != i) {
            entries.push((i, i % p, 1.0));
        }
    }
    Dataset::new(name, Csr::from_triplets(n, p, &entries).unwrap()).unwrap()
}
