//! Pairs that agree on one similarity transform (rotation, scale, shift): random samples of the inferred pairs (RANSAC), then
//! refinement on closest points (ICP).

use crate::data::Rows;
use crate::error::Result;
use crate::geometry::neighbors::{Metric, Search, neighbors, neighbors_among, row_distance};
use crate::linalg::Matrix;
use crate::problem::paired::{Similarity, similarity};
use crate::progress::Progress;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Largest number of columns. A sample has as many pairs, and all of them must be right.
pub(crate) const MOST_COLUMNS: usize = 8;
/// Largest number of samples drawn, and of samples fitted.
const DRAWN: usize = 50_000;
const FITTED: usize = 2_000;
/// Largest number of inferred pairs that score a sample.
const JUDGES: usize = 500;
/// Number of samples that are refined.
const REFINED: usize = 12;
/// Largest number of refinement steps.
const STEPS: usize = 60;
/// Largest ratio between the scales of two distances within a sample.
const STRETCH: f64 = 1.3;

/// Pairs of rows that the transform brings together.
pub(crate) struct Rigid {
    /// Mutual nearest rows.
    pub(crate) pairs: Vec<(u32, u32)>,
    /// Inferred pairs that agree.
    pub(crate) agreeing: usize,
}

struct Movement {
    similarity: Similarity,
    mirrored: bool,
}

/// The similarity transform from the rows of `y` onto those of `x`, from inferred pairs of which many may be wrong. `None` if
/// no sample of them could be fitted.
pub(crate) fn agreed(
    x: &Matrix<f64>,
    y: &Matrix<f64>,
    guessed: &[(u32, u32)],
    seed: u64,
    progress: &Progress,
) -> Result<Option<Rigid>> {
    let p = x.ncols();
    let size = p.max(2);
    if guessed.len() <= size {
        return Ok(None);
    }
    // Mirror images have the same patterns, so every other sample is fitted with a reflection.
    let mut mirror = y.clone();
    for i in 0..y.nrows() {
        mirror.row_mut(i)[0] = -y.row(i)[0];
    }
    let reach = spacing(x, progress)?;
    if reach <= 0.0 {
        return Ok(None);
    }
    let sides = [y, &mirror];
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let judges: Vec<(u32, u32)> =
        (0..guessed.len().min(JUDGES)).map(|t| guessed[t * guessed.len() / guessed.len().min(JUDGES)]).collect();
    let mut best: Vec<(f64, Movement)> = vec![];
    let mut fitted = 0;
    for drawn in 0..DRAWN {
        if drawn % 1000 == 0 {
            progress.step("similarity transform", drawn, DRAWN)?;
        }
        let sample: Vec<(u32, u32)> = (0..size).map(|_| guessed[rng.random_range(0..guessed.len())]).collect();
        if !plausible(x, y, &sample) {
            continue;
        }
        for mirrored in [false, true] {
            let Some(found) = fit(x, sides[usize::from(mirrored)], &sample)? else { continue };
            let score: f64 = judges
                .iter()
                .map(|(i, j)| {
                    let at = moved(&found, sides[usize::from(mirrored)].row(*j as usize));
                    let far = row_distance(Metric::Euclidean, x.row(*i as usize), &at) / reach;
                    (1.0 - far * far).max(0.0)
                })
                .sum();
            // Stable: the first of equals stays first.
            let at = best.partition_point(|b| b.0 >= score);
            if at < REFINED {
                best.insert(at, (score, Movement { similarity: found, mirrored }));
                best.truncate(REFINED);
            }
        }
        fitted += 1;
        if fitted == FITTED {
            break;
        }
    }
    let mut winner: Option<(f64, Rigid)> = None;
    for (_, movement) in best {
        progress.step("closest points", 0, 0)?;
        let side = sides[usize::from(movement.mirrored)];
        let (cost, pairs, last) = refine(x, side, movement.similarity, reach, progress)?;
        if winner.as_ref().is_none_or(|w| cost < w.0) {
            let near = |(i, j): &&(u32, u32)| {
                row_distance(Metric::Euclidean, x.row(*i as usize), &moved(&last, side.row(*j as usize))) < reach
            };
            winner = Some((cost, Rigid { pairs, agreeing: guessed.iter().filter(near).count() }));
        }
    }
    Ok(winner.map(|w| w.1))
}

/// Median distance to the nearest other row.
fn spacing(x: &Matrix<f64>, progress: &Progress) -> Result<f64> {
    let found = neighbors(&Rows::F64(x.clone()), 1, Metric::Euclidean, Search::Auto, 0, progress)?;
    let mut nearest = found.distances;
    nearest.sort_unstable_by(f64::total_cmp);
    Ok(nearest[nearest.len() / 2])
}

/// Whether the pairs are distinct and their distances have a common scale.
fn plausible(x: &Matrix<f64>, y: &Matrix<f64>, sample: &[(u32, u32)]) -> bool {
    let (mut least, mut most) = (f64::INFINITY, 0.0f64);
    for (s, a) in sample.iter().enumerate() {
        for b in &sample[s + 1..] {
            let from = row_distance(Metric::Euclidean, y.row(a.1 as usize), y.row(b.1 as usize));
            let to = row_distance(Metric::Euclidean, x.row(a.0 as usize), x.row(b.0 as usize));
            if from <= 0.0 || to <= 0.0 {
                return false;
            }
            (least, most) = (least.min(to / from), most.max(to / from));
        }
    }
    most <= STRETCH * least
}

fn fit(x: &Matrix<f64>, y: &Matrix<f64>, pairs: &[(u32, u32)]) -> Result<Option<Similarity>> {
    let own = y.select_rows(&pairs.iter().map(|p| p.1 as usize).collect::<Vec<_>>());
    let target = x.select_rows(&pairs.iter().map(|p| p.0 as usize).collect::<Vec<_>>());
    Ok(similarity(&own, &target, &vec![1.0; pairs.len()], true, false)?.ok())
}

fn moved(by: &Similarity, row: &[f64]) -> Vec<f64> {
    let d = row.len();
    (0..d).map(|j| by.offset[j] + by.scale * (0..d).map(|i| row[i] * by.rotation[(i, j)]).sum::<f64>()).collect()
}

/// The remaining distances, the pairs, the transform.
type Refined = (f64, Vec<(u32, u32)>, Similarity);

/// Fits mutual nearest rows, step by step, until they repeat. Returns the remaining distances (each at most `reach`,
/// squared), the pairs and the transform.
fn refine(x: &Matrix<f64>, y: &Matrix<f64>, mut by: Similarity, reach: f64, progress: &Progress) -> Result<Refined> {
    let reference = Rows::F64(x.clone());
    let mut pairs: Vec<(u32, u32)> = vec![];
    let mut cost = f64::INFINITY;
    for _ in 0..STEPS {
        let placed = Matrix::from_rows(&y.rows().map(|row| moved(&by, row)).collect::<Vec<_>>())?;
        let placed = Rows::F64(placed);
        let forth = neighbors_among(&placed, &reference, 1, Metric::Euclidean, progress)?;
        let back = neighbors_among(&reference, &placed, 1, Metric::Euclidean, progress)?;
        cost = forth.distances.iter().chain(&back.distances).map(|d| d.min(reach).powi(2)).sum();
        let next: Vec<(u32, u32)> = (0..y.nrows())
            .filter(|j| back.indices[forth.indices[*j] as usize] as usize == *j && forth.distances[*j] < 2.0 * reach)
            .map(|j| (forth.indices[j], j as u32))
            .collect();
        if next == pairs || next.len() <= x.ncols() {
            break;
        }
        pairs = next;
        match fit(x, y, &pairs)? {
            Some(found) => by = found,
            None => break,
        }
    }
    pairs.sort_unstable();
    Ok((cost, pairs, by))
}
