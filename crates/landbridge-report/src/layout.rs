//! A picture of two dimensions that keeps neighbours together, whatever the dimension of the joint space.
//!
//! Rows that are neighbours in the joint space attract each other, all others repel (the forces of t-SNE's heavy-tailed kernel,
//! with negative samples as in UMAP: McInnes, Healy, Melville 2018). The picture starts at the principal components, so that
//! its large shape means something (Kobak, Linderman 2021). Laplacian eigenmaps, which the library has, draw separate groups as
//! points and long spikes in two dimensions; crates with these forces bring a second neighbour search and a BLAS along.
//!
//! Of many rows, some thousand are moved; the others lie between the nearest of those.

use landbridge::Result;
use landbridge::apply::matching::{How, match_rows};
use landbridge::data::Rows;
use landbridge::geometry::neighbors::{Metric, Search, neighbors};
use landbridge::geometry::principal::principal_components;
use landbridge::linalg::Matrix;
use landbridge::progress::Progress;
use landbridge_plot::sample;

/// Rows that forces move.
pub(crate) const MOVED: usize = 4000;
/// Neighbours that attract.
const NEIGHBORS: usize = 12;
/// Rows that repel, per attraction.
const REPELLING: usize = 4;
/// Rounds over all attractions.
const ROUNDS: usize = 120;
/// Moved rows between which another row lies.
const BETWEEN: usize = 3;

/// Places for the rows of `z`, which may be unit vectors.
pub(crate) fn layout(z: &Matrix<f64>, progress: &Progress) -> Result<Vec<[f64; 2]>> {
    let n = z.nrows();
    let moved = sample(n, MOVED);
    if moved.len() <= 3 {
        return Ok((0..n).map(|i| [i as f64, 0.0]).collect());
    }
    let all = moved.len() == n;
    let landmarks = Rows::F64(if all { z.clone() } else { z.select_rows(&moved) });
    let mut places = started(&landmarks, progress)?;
    let k = NEIGHBORS.min(moved.len() - 1);
    let found = neighbors(&landmarks, k, Metric::Euclidean, Search::Exact, 0, progress)?;
    let mut edges = vec![];
    for i in 0..moved.len() {
        // Strength falls with the distance beyond the nearest neighbour, on the scale of this row.
        let nearest = found.row(i).next().map_or(0.0, |(_, d)| d);
        let mean = found.row(i).map(|(_, d)| d - nearest).sum::<f64>() / k as f64;
        edges.extend(found.row(i).map(|(j, d)| {
            let strength = if mean > 0.0 { (-(d - nearest) / mean).exp() } else { 1.0 };
            Edge { i: i as u32, j, strength: strength as f32 }
        }));
    }
    push_and_pull(&mut places, &edges, progress)?;
    if all {
        return Ok(places);
    }
    let Rows::F64(landmarks) = &landmarks else { unreachable!("made as f64 above") };
    let near = match_rows(z, landmarks, BETWEEN, How::Nearest, Metric::Euclidean, progress)?;
    let between = |i: usize| {
        let (mut place, mut total) = ([0.0; 2], 0.0);
        let nearest = near.row(i).next().map_or(0.0, |(_, d)| d);
        for (j, d) in near.row(i) {
            // A row that is itself a landmark keeps its place.
            let weight = if d == 0.0 { 1e9 } else { (nearest / d).powi(2).max(1e-9) };
            place = [place[0] + weight * places[j][0], place[1] + weight * places[j][1]];
            total += weight;
        }
        [place[0] / total, place[1] / total]
    };
    Ok((0..n).map(between).collect())
}

/// The first two principal components, about ten units wide.
fn started(rows: &Rows, progress: &Progress) -> Result<Vec<[f64; 2]>> {
    let first = principal_components(rows, 2, progress)?;
    let n = first.nrows() as f64;
    let spread = (first.as_slice().iter().map(|v| v * v).sum::<f64>() / n).sqrt();
    let scale = if spread > 0.0 { 5.0 / spread } else { 0.0 };
    // Equal rows must be able to part: each gets a tiny step of its own.
    let place = |(i, row): (usize, &[f64])| {
        let mut random = Mixed(i as u64);
        [row[0] * scale + 1e-3 * random.share(), row[1] * scale + 1e-3 * random.share()]
    };
    Ok(first.rows().enumerate().map(place).collect())
}

struct Edge {
    i: u32,
    j: u32,
    strength: f32,
}

/// Moves the places: in each round every edge pulls its ends together, and pushes its first end from a few others.
fn push_and_pull(places: &mut [[f64; 2]], edges: &[Edge], progress: &Progress) -> Result<()> {
    let n = places.len() as u64;
    let mut random = Mixed(0x6c61_796f_7574);
    for round in 0..ROUNDS {
        progress.step("layout", round, ROUNDS)?;
        let step = 1.0 - round as f64 / ROUNDS as f64;
        for edge in edges {
            let (i, j, strength) = (edge.i as usize, edge.j as usize, f64::from(edge.strength));
            let (difference, squared) = apart(places[i], places[j]);
            let pull = 2.0 * strength / (1.0 + squared);
            shift(places, i, difference, -pull * step);
            shift(places, j, difference, pull * step);
            for _ in 0..REPELLING {
                let other = (random.next() % n) as usize;
                if other == i {
                    continue;
                }
                let (difference, squared) = apart(places[i], places[other]);
                let push = 2.0 * strength / ((0.01 + squared) * (1.0 + squared));
                shift(places, i, difference, push * step);
            }
        }
    }
    Ok(())
}

fn apart(a: [f64; 2], b: [f64; 2]) -> ([f64; 2], f64) {
    let difference = [a[0] - b[0], a[1] - b[1]];
    (difference, difference[0] * difference[0] + difference[1] * difference[1])
}

/// A step along the difference, of at most 4 units in each direction.
fn shift(places: &mut [[f64; 2]], i: usize, difference: [f64; 2], factor: f64) {
    places[i][0] += (difference[0] * factor).clamp(-4.0, 4.0);
    places[i][1] += (difference[1] * factor).clamp(-4.0, 4.0);
}

/// SplitMix64.
struct Mixed(u64);

impl Mixed {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }
    /// Between −½ and ½.
    fn share(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64 - 0.5
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `groups` clouds in ten dimensions.
    fn clouds(groups: usize, each: usize) -> Matrix<f64> {
        let mut random = Mixed(1);
        let centres: Vec<Vec<f64>> = (0..groups).map(|_| (0..10).map(|_| 8.0 * random.share()).collect()).collect();
        Matrix::from_fn(groups * each, 10, |i, j| centres[i % groups][j] + 0.5 * random.share())
    }
    /// Share of the 5 nearest rows in the picture that are of the same group.
    fn kept(places: &[[f64; 2]], groups: usize) -> f64 {
        let n = places.len();
        let mut same = 0;
        for i in (0..n).step_by(n / 100) {
            let mut order: Vec<usize> = (0..n).filter(|j| *j != i).collect();
            order.sort_by(|a, b| apart(places[i], places[*a]).1.total_cmp(&apart(places[i], places[*b]).1));
            same += order[..5].iter().filter(|j| **j % groups == i % groups).count();
        }
        same as f64 / (5 * n.div_ceil(n / 100)) as f64
    }

    #[test]
    fn groups_of_ten_dimensions_stay_together_in_two() {
        let z = clouds(12, 40);
        let places = layout(&z, &Progress::silent()).unwrap();
        assert!(kept(&places, 12) > 0.97, "{}", kept(&places, 12));
        assert_eq!(places, layout(&z, &Progress::silent()).unwrap());
    }

    #[test]
    fn rows_beyond_the_landmarks_lie_with_their_group() {
        let z = clouds(12, 500);
        let places = layout(&z, &Progress::silent()).unwrap();
        assert_eq!(places.len(), 6000);
        assert!(kept(&places, 12) > 0.97, "{}", kept(&places, 12));
    }

    #[test]
    fn few_and_equal_rows_have_finite_places() {
        for (n, value) in [(1, 0.0), (2, 1.0), (5, 3.0), (40, 0.0)] {
            let places = layout(&Matrix::from_fn(n, 3, |_, _| value), &Progress::silent()).unwrap();
            assert!(places.len() == n && places.iter().flatten().all(|v| v.is_finite()), "{n} {value}");
        }
    }
}
