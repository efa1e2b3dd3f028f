//! Random numbers whose stream never changes: ChaCha8 words, converted to numbers by our own code.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// The purpose of a random stream. Each purpose has its own stream, so that changing one option (noise, shuffling) leaves
/// everything else unchanged.
#[derive(Clone, Copy)]
pub enum Purpose {
    /// The objects themselves.
    Latent,
    /// Which objects appear where, and in what order.
    Layout,
    /// The known pairs.
    Pairs,
    /// The map from an object to its row in that dataset.
    Map(usize),
    /// The noise added to that dataset.
    Noise(usize),
    /// What a program that makes data of its own numbers itself (`landbridge-control`: walks and tests of policies).
    Other(u32),
}

/// A source of random numbers for one purpose.
pub struct Random {
    words: ChaCha8Rng,
    /// Box–Muller gives two normal numbers at a time; this is the second.
    spare: Option<f64>,
}

impl Random {
    /// The stream of that seed for that purpose.
    pub fn new(random_state: u64, purpose: Purpose) -> Self {
        let mut seed = [0u8; 32];
        seed[..8].copy_from_slice(&random_state.to_le_bytes());
        let mut words = ChaCha8Rng::from_seed(seed);
        words.set_stream(match purpose {
            Purpose::Latent => 0,
            Purpose::Layout => 1,
            Purpose::Pairs => 2,
            Purpose::Map(a) => 16 + 2 * a as u64,
            Purpose::Noise(a) => 17 + 2 * a as u64,
            Purpose::Other(i) => (1 << 40) + u64::from(i),
        });
        Self { words, spare: None }
    }

    /// Uniform on [0, 1), a multiple of 2^-53.
    pub fn uniform(&mut self) -> f64 {
        (self.words.next_u64() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// Uniform on [low, high).
    pub(crate) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.uniform()
    }

    /// Uniform on 0..n, by the high half of a product. The bias is below n / 2^64.
    pub fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.words.next_u64()) * n as u128) >> 64) as usize
    }

    /// Standard normal (Box–Muller).
    pub(crate) fn normal(&mut self) -> f64 {
        if let Some(value) = self.spare.take() {
            return value;
        }
        let radius = (-2.0 * (1.0 - self.uniform()).ln()).sqrt(); // 1 − u is never 0
        let (sin, cos) = (std::f64::consts::TAU * self.uniform()).sin_cos();
        self.spare = Some(radius * sin);
        radius * cos
    }

    /// Gamma with that shape and scale 1 (Marsaglia and Tsang 2000; shapes below 1 through a power of a uniform number).
    pub(crate) fn gamma(&mut self, shape: f64) -> f64 {
        if shape < 1.0 {
            let boost = (1.0 - self.uniform()).powf(1.0 / shape);
            return self.gamma(shape + 1.0) * boost;
        }
        let d = shape - 1.0 / 3.0;
        let c = 1.0 / (9.0 * d).sqrt();
        loop {
            let x = self.normal();
            let v = (1.0 + c * x).powi(3);
            if v > 0.0 && (1.0 - self.uniform()).ln() < 0.5 * x * x + d - d * v + d * v.ln() {
                return d * v;
            }
        }
    }

    /// Dirichlet: gamma numbers divided by their sum. If all of them underflow (tiny shapes), one entry drawn in proportion to
    /// the shapes takes everything, which is the limit of the distribution.
    pub(crate) fn dirichlet(&mut self, shapes: &[f64]) -> Vec<f64> {
        let mut shares: Vec<f64> = shapes.iter().map(|&s| self.gamma(s)).collect();
        let sum: f64 = shares.iter().sum();
        if sum > f64::MIN_POSITIVE {
            shares.iter_mut().for_each(|v| *v /= sum);
        } else {
            let chosen = self.choose(&cumulative(shapes));
            shares.fill(0.0);
            shares[chosen] = 1.0;
        }
        shares
    }

    /// One position, drawn by cumulative weights (the last is the total).
    pub(crate) fn choose(&mut self, cumulative: &[f64]) -> usize {
        let target = self.uniform() * cumulative.last().copied().unwrap_or(0.0);
        cumulative.partition_point(|&c| c <= target).min(cumulative.len() - 1)
    }

    /// 0..n in random order (Fisher–Yates from the front, so the first k are a random sample).
    pub(crate) fn permutation(&mut self, n: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..n).collect();
        for i in 0..n.saturating_sub(1) {
            let j = i + self.below(n - i);
            order.swap(i, j);
        }
        order
    }
}

/// Cumulative sums.
pub(crate) fn cumulative(weights: &[f64]) -> Vec<f64> {
    let mut sum = 0.0;
    weights
        .iter()
        .map(|w| {
            sum += w;
            sum
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moments(mut draw: impl FnMut() -> f64) -> (f64, f64) {
        let n = 40_000;
        let values: Vec<f64> = (0..n).map(|_| draw()).collect();
        let mean = values.iter().sum::<f64>() / n as f64;
        (mean, values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / n as f64)
    }

    /// Five standard errors of the mean of 40,000 draws.
    fn near(found: f64, expected: f64, deviation: f64) -> bool {
        (found - expected).abs() < 5.0 * deviation / 200.0
    }

    #[test]
    fn the_stream_never_changes() {
        let mut random = Random::new(7, Purpose::Latent);
        let words: Vec<u64> = (0..2).map(|_| (random.uniform() * (1u64 << 53) as f64) as u64).collect();
        assert_eq!(words, GOLDEN, "the first two uniform numbers of seed 7, in units of 2^-53");
    }

    #[test]
    fn moments_are_those_of_the_distributions() {
        let mut random = Random::new(1, Purpose::Latent);
        let (mean, variance) = moments(|| random.uniform());
        assert!(near(mean, 0.5, 0.289) && near(variance, 1.0 / 12.0, 0.075), "{mean} {variance}");
        let (mean, variance) = moments(|| random.normal());
        assert!(near(mean, 0.0, 1.0) && near(variance, 1.0, 1.42), "{mean} {variance}");
        for shape in [0.3, 1.0, 4.5] {
            // mean = variance = shape; variance of the sample variance: (6 / shape + 2) shape^2
            let (mean, variance) = moments(|| random.gamma(shape));
            assert!(near(mean, shape, f64::sqrt(shape)), "shape {shape}: mean {mean}");
            assert!(near(variance, shape, shape * (6.0 / shape + 2.0).sqrt()), "shape {shape}: variance {variance}");
        }
    }

    #[test]
    fn a_dirichlet_sums_to_one_even_when_every_gamma_underflows() {
        let mut random = Random::new(2, Purpose::Latent);
        for shape in [1e-300, 1e-4, 0.1, 1.0, 50.0] {
            let shares = random.dirichlet(&[shape; 6]);
            assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-12, "shape {shape}: {shares:?}");
            assert!(shares.iter().all(|v| (0.0..=1.0).contains(v)));
        }
    }

    #[test]
    fn a_permutation_holds_every_number_once() {
        let mut order = Random::new(3, Purpose::Layout).permutation(100);
        assert_ne!(order, (0..100).collect::<Vec<_>>());
        order.sort_unstable();
        assert_eq!(order, (0..100).collect::<Vec<_>>());
        assert!(Random::new(3, Purpose::Layout).permutation(0).is_empty());
    }

    #[test]
    fn weights_decide_what_is_chosen() {
        let mut random = Random::new(4, Purpose::Latent);
        let table = cumulative(&[0.0, 1.0, 0.0, 3.0, 0.0]);
        let mut counts = [0usize; 5];
        (0..4000).for_each(|_| counts[random.choose(&table)] += 1);
        assert_eq!((counts[0], counts[2], counts[4]), (0, 0, 0));
        assert!((counts[3] as f64 / 4000.0 - 0.75).abs() < 0.035, "{counts:?}");
    }

    const GOLDEN: [u64; 2] = [6_882_482_394_073_239, 4_196_792_939_664_307];
}
