//! scratch
use landbridge::{data::Rows, geometry::neighbors::*, linalg::Matrix, progress::Progress};
fn main() {
    let which = std::env::args().nth(1).unwrap_or_default();
    if which == "approx" {
        // Gaussian mixture in 15 dims lifted to 100
        let (n, p, q) = (100000usize, 100usize, 15usize);
        let mut s = 1u64;
        let mut g = move || {
            let mut t = 0.0f32;
            for _ in 0..12 {
                s = s.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                t += (s >> 40) as f32 / (1u64 << 24) as f32;
            }
            t - 6.0
        };
        let c = Matrix::<f32>::from_fn(20, q, |_, _| 3.0 * g());
        let lift = Matrix::<f32>::from_fn(q, p, |_, _| g());
        let mut m = Matrix::<f32>::zeros(n, p);
        for i in 0..n {
            let z: Vec<f32> = (0..q).map(|j| c[(i % 20, j)] + g()).collect();
            for j in 0..p {
                m[(i, j)] = (0..q).map(|l| z[l] * lift[(l, j)]).sum::<f32>() + 0.3 * g();
            }
        }
        let rows = Rows::F32(m.clone());
        let pick: Vec<usize> = (0..1000).map(|i| i * 97).collect();
        let truth = neighbors_among(&rows.select(&pick), &rows, 11, Metric::Euclidean, &Progress::silent()).unwrap();
        for seed in 0..2 {
            let t = std::time::Instant::now();
            let r = neighbors(&rows, 10, Metric::Euclidean, Search::Approximate, seed, &Progress::silent()).unwrap();
            let el = t.elapsed();
            let mut hit = 0;
            for (a, &i) in pick.iter().enumerate() {
                for (j, _) in truth.row(a) {
                    if j as usize != i && r.row(i).any(|(x, _)| x == j) {
                        hit += 1;
                    }
                }
            }
            println!("approx: {el:?} recall {}", hit as f64 / 10000.0);
        }
        return;
    }
    for (n, p) in [(20000usize, 50usize), (20000, 3), (100000, 100)] {
        let mut s = 1u64;
        let m = Matrix::<f32>::from_fn(n, p, |_, _| {
            let mut t = 0.0;
            for _ in 0..4 {
                s = s.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                t += (s >> 40) as f32 / (1u64 << 24) as f32;
            }
            t
        });
        let rows = Rows::F32(m);
        let t = std::time::Instant::now();
        let r = neighbors(&rows, 10, Metric::Euclidean, Search::Exact, 0, &Progress::silent()).unwrap();
        println!("{n}x{p}: {:?} {}", t.elapsed(), r.distances.iter().sum::<f64>());
    }
}
