//! The rotation under which two sets of rows have the same second and third moments. It needs no row in common: moments
//! belong to the distributions. Third moments are the lowest that fix the signs of the axes.
//!
//! Maximises `F(W) = ⟨C_A, W C_B W'⟩ + ⟨T_A, T_B turned by W⟩` over orthogonal W, with covariances C and third-moment tensors
//! T of norm 1. `W ← polar(∇F)` increases F, since both terms are sums of powers of `a'Wb`. F has many maxima, so a beam of
//! starts climbs in few principal dimensions first. The best ones that differ go on to more dimensions.

use crate::data::synthetic::random::{Purpose, Random};
use crate::error::{Error, Result};
use crate::linalg::Matrix;
use crate::linalg::lanes::{LANES, Lane, Scratch, SmallMoments, gradient, polar};
use crate::progress::Progress;
use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, MatRef, Par};
use rayon::prelude::*;

/// One stage of the beam: the dimension, how many rotations are kept of it, and how many children each one kept before gets.
#[derive(Clone, Copy)]
struct Stage {
    dimension: usize,
    keep: usize,
    children: usize,
}

/// How many axes are looked at, and from how many starts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Width {
    /// 10 to 30 axes.
    Usual,
    /// 15 to 40 axes.
    Wide,
}

const STAGES: [Stage; 4] = [
    Stage { dimension: 10, keep: 100, children: 0 },
    Stage { dimension: 15, keep: 40, children: 4 },
    Stage { dimension: 20, keep: 16, children: 4 },
    Stage { dimension: 30, keep: 3, children: 3 },
];
const WIDE: [Stage; 4] = [
    Stage { dimension: 15, keep: 60, children: 0 },
    Stage { dimension: 20, keep: 30, children: 4 },
    Stage { dimension: 30, keep: 12, children: 4 },
    Stage { dimension: 40, keep: 1, children: 3 },
];
/// Starts in the first dimension: random signs of the principal axes, whose order is a weak prior.
const STARTS: usize = 1000;
const WIDE_STARTS: usize = 400;
/// Noise of the first starts and of children, so that neighbouring axes mix.
const NOISE: (f64, f64) = (0.5, 0.3);
/// Most steps of one climb, and the change of F at which it ends.
const STEPS: usize = 40;
const SETTLED: f32 = 1e-4;
/// Rotations with a larger mean cosine of the turned axes are the same; those that the search returns differ more.
const SAME: f32 = 0.97;
const NEAR: f32 = 0.8;
/// Rows of one task.
const ROWS: usize = 512;

/// What is known beside the rows. Each adds `⟨L, W⟩` to F.
#[derive(Clone, Copy)]
pub(crate) struct Hints<'a> {
    /// Pairs of rows: `L = Σ a b'`, divided by its nuclear norm.
    pub(crate) pairs: &'a [(u32, u32)],
    /// Scalars of every row that both sets have, standardised: `L = E[a p'] E[b p']'`, both factors of norm 1. No row needs a partner.
    pub(crate) profiles: Option<(&'a Matrix<f64>, &'a Matrix<f64>)>,
}

/// The best rotations of the leading columns, `x W ≈ y`, best first, and none if no start has a finite F. F knows moments only, so the
/// right one may be the second. Columns are principal coordinates by falling variance.
pub(crate) fn search(
    x: &Matrix<f64>,
    y: &Matrix<f64>,
    hints: Hints<'_>,
    width: Width,
    seed: u64,
    progress: &Progress,
) -> Result<Vec<Mat<f64>>> {
    let available = x.ncols().min(y.ncols());
    let (stages, starts) = if width == Width::Wide { (WIDE, WIDE_STARTS) } else { (STAGES, STARTS) };
    let mut stages = stages.to_vec();
    stages.iter_mut().for_each(|s| s.dimension = s.dimension.min(available));
    stages.dedup_by_key(|s| s.dimension);
    let mut random = Random::new(seed, Purpose::Other(0x6d6f6d));
    let mut kept: Vec<Candidate> = vec![];
    for (number, stage) in stages.iter().enumerate() {
        progress.step("moments", number, stages.len())?;
        let d = stage.dimension;
        let (a, b) = (moments(x, d), moments(y, d));
        let linear = linear(x, y, hints, d)?;
        let starts = match number {
            0 => (0..starts).map(|_| started(None, d, NOISE.0, &mut random)).collect::<Vec<_>>(),
            _ => {
                let children = |c: &Candidate| (0..stage.children).map(|_| c.matrix.clone()).collect::<Vec<_>>();
                kept.iter().flat_map(children).map(|m| started(Some(&m), d, NOISE.1, &mut random)).collect()
            }
        };
        let climbed: Vec<Candidate> = starts.par_chunks(LANES).flat_map_iter(|some| climb(&a, &b, &linear, some)).collect();
        let last = number + 1 == stages.len();
        kept = distinct(climbed, stage.keep, if last { NEAR } else { SAME });
    }
    let d = stages.last().map_or(1, |s| s.dimension);
    kept.iter().map(|c| nearest_rotation(&Mat::from_fn(d, d, |i, j| f64::from(c.matrix[i * d + j])))).collect()
}

/// The orthogonal matrix nearest to a square one.
pub(crate) fn nearest_rotation(m: &Mat<f64>) -> Result<Mat<f64>> {
    let found = m.svd().map_err(|_| Error::Numerical { what: "a rotation".into(), problem: "no convergence".into() })?;
    Ok(found.U() * found.V().transpose())
}

/// A rotation by rows, and its F.
struct Candidate {
    matrix: Vec<f32>,
    value: f32,
}

/// The given rotation of fewer axes, further axes with random signs, and noise. Not yet orthogonal.
fn started(given: Option<&[f32]>, d: usize, noise: f64, random: &mut Random) -> Vec<f32> {
    let mut out = vec![0.0f32; d * d];
    let inner = given.map_or(0, |g| g.len().isqrt());
    for i in 0..inner {
        out[i * d..i * d + inner].copy_from_slice(&given.unwrap_or_default()[i * inner..(i + 1) * inner]);
    }
    (inner..d).for_each(|i| out[i * d + i] = if random.uniform() < 0.5 { -1.0 } else { 1.0 });
    let noise = noise / (d as f64).sqrt();
    out.iter_mut().for_each(|v| *v += (noise * random.normal()) as f32);
    out
}

/// Climbs from at most [`LANES`] starts at once.
fn climb(a: &SmallMoments, b: &SmallMoments, linear: &[f32], starts: &[Vec<f32>]) -> Vec<Candidate> {
    let d = a.d;
    let of = |lane: usize| &starts[if lane < starts.len() { lane } else { 0 }];
    let mut turns: Vec<Lane> = (0..d * d).map(|p| std::array::from_fn(|l| of(l)[p])).collect();
    let (mut next, mut scratch) = (turns.clone(), Scratch::default());
    polar(&mut turns, d, &mut scratch);
    let mut last = [f32::NEG_INFINITY; LANES];
    let mut steps = 0;
    let values = loop {
        let values = gradient(a, b, linear, &turns, &mut next, &mut scratch);
        let still = values.iter().zip(&last).all(|(v, l)| (v - l).abs() < SETTLED);
        if still || steps == STEPS {
            break values;
        }
        last = values;
        steps += 1;
        polar(&mut next, d, &mut scratch);
        std::mem::swap(&mut turns, &mut next);
    };
    let of_lane = |l: usize| Candidate { matrix: turns.iter().map(|t| t[l]).collect(), value: values[l] };
    (0..starts.len()).map(of_lane).collect()
}

/// The best candidates, without those that are nearer than this to a better one.
fn distinct(mut all: Vec<Candidate>, keep: usize, same: f32) -> Vec<Candidate> {
    all.retain(|c| c.value.is_finite());
    // A stable sort: equal values stay in order of the starts.
    all.sort_by(|p, q| q.value.total_cmp(&p.value));
    let mut kept: Vec<Candidate> = vec![];
    for candidate in all {
        let axes = candidate.matrix.len().isqrt() as f32;
        let cosine = |o: &Candidate| o.matrix.iter().zip(&candidate.matrix).map(|(a, b)| a * b).sum::<f32>() / axes;
        if kept.iter().all(|o| cosine(o) < same) {
            kept.push(candidate);
        }
        if kept.len() == keep {
            break;
        }
    }
    kept
}

/// The first `d` columns as rows of length 1.
fn leading(rows: &Matrix<f64>, i: usize, d: usize) -> impl Iterator<Item = f64> + '_ {
    let row = &rows.row(i)[..d];
    let length = row.iter().map(|v| v * v).sum::<f64>().sqrt();
    let factor = if length > 1e-12 { 1.0 / length } else { 1.0 };
    row.iter().map(move |v| v * factor)
}

/// Covariance and third-moment tensor, each of norm 1, of the rows of length 1 in the first `d` columns.
fn moments(rows: &Matrix<f64>, d: usize) -> SmallMoments {
    let n = rows.nrows();
    let mut mean = vec![0.0; d];
    for i in 0..n {
        mean.iter_mut().zip(leading(rows, i, d)).for_each(|(m, v)| *m += v / n as f64);
    }
    let pairs: Vec<(usize, usize)> = (0..d).flat_map(|p| (p..d).map(move |q| (p, q))).collect();
    // For each pair of columns: the sums of their product and of its products with every column.
    let tasks: Vec<(Vec<f64>, Mat<f32>)> = (0..n.div_ceil(ROWS))
        .into_par_iter()
        .map(|task| {
            let (first, end) = (task * ROWS, ((task + 1) * ROWS).min(n));
            let some: Vec<f32> = (first..end)
                .flat_map(|i| leading(rows, i, d).zip(&mean).map(|(v, m)| (v - m) as f32).collect::<Vec<_>>())
                .collect();
            let products: Vec<f32> = some.chunks_exact(d).flat_map(|r| pairs.iter().map(|&(p, q)| r[p] * r[q])).collect();
            let mut second = vec![0.0; pairs.len()];
            for row in products.chunks_exact(pairs.len()) {
                second.iter_mut().zip(row).for_each(|(s, v)| *s += f64::from(*v));
            }
            let (products, some) = (
                MatRef::from_row_major_slice(&products, end - first, pairs.len()),
                MatRef::from_row_major_slice(&some, end - first, d),
            );
            let mut third = Mat::zeros(pairs.len(), d);
            matmul(&mut third, Accum::Replace, products.transpose(), some, 1.0, Par::Seq);
            (second, third)
        })
        .collect();
    let (mut second, mut third) = (vec![0.0f64; d * d], vec![0.0f64; d * d * d]);
    for (two, three) in &tasks {
        for (at, &(p, q)) in pairs.iter().enumerate() {
            for k in 0..d {
                third[(p * d + q) * d + k] += f64::from(three[(at, k)]);
            }
            second[p * d + q] += two[at];
        }
    }
    for p in 0..d {
        for q in 0..p {
            second[p * d + q] = second[q * d + p];
            (0..d).for_each(|k| third[(p * d + q) * d + k] = third[(q * d + p) * d + k]);
        }
    }
    let normed = |values: Vec<f64>| -> Vec<f32> {
        let norm = values.iter().map(|v| v * v).sum::<f64>().sqrt().max(1e-300);
        values.iter().map(|v| (v / norm) as f32).collect()
    };
    SmallMoments::new(normed(second), normed(third), d)
}

/// The sum of the terms of F that are linear in W; empty without hints.
fn linear(x: &Matrix<f64>, y: &Matrix<f64>, hints: Hints<'_>, d: usize) -> Result<Vec<f32>> {
    if hints.pairs.is_empty() && hints.profiles.is_none() {
        return Ok(vec![]);
    }
    let mut all = Mat::<f64>::zeros(d, d);
    if !hints.pairs.is_empty() {
        for &(i, j) in hints.pairs {
            let (a, b): (Vec<f64>, Vec<f64>) = (leading(x, i as usize, d).collect(), leading(y, j as usize, d).collect());
            for (p, a) in a.iter().enumerate() {
                b.iter().enumerate().for_each(|(q, b)| all[(p, q)] += a * b);
            }
        }
        let norm = nuclear_norm(&all)?.max(1e-300);
        all *= faer::Scale(1.0 / norm);
    }
    if let Some((p, q)) = hints.profiles {
        all += &(along(x, p, d) * along(y, q, d).transpose());
    }
    Ok((0..d * d).map(|p| all[(p / d, p % d)] as f32).collect())
}

/// `E[a p']` for rows `a` of length 1 in the first `d` columns and scalars `p` of mean 0, divided by its norm.
fn along(rows: &Matrix<f64>, profiles: &Matrix<f64>, d: usize) -> Mat<f64> {
    let mut sum = Mat::<f64>::zeros(d, profiles.ncols());
    for (i, profile) in profiles.rows().enumerate() {
        for (r, a) in leading(rows, i, d).enumerate() {
            profile.iter().enumerate().for_each(|(c, p)| sum[(r, c)] += a * p);
        }
    }
    let norm = sum.norm_l2().max(1e-300);
    sum * faer::Scale(1.0 / norm)
}

/// The sum of the singular values.
pub(crate) fn nuclear_norm(m: &Mat<f64>) -> Result<f64> {
    let values = m
        .singular_values()
        .map_err(|_| Error::Numerical { what: "singular values of matches".into(), problem: "no convergence".into() })?;
    Ok(values.iter().sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOTHING: Hints<'_> = Hints { pairs: &[], profiles: None };

    /// Rows of a skewed cloud whose variances fall off.
    fn skewed(n: usize, d: usize, seed: u64) -> Matrix<f64> {
        let mut random = Random::new(seed, Purpose::Latent);
        Matrix::from_fn(n, d, |_, j| (-(1.0 - random.uniform()).ln() - 1.0) / (1.0 + j as f64).powf(0.5))
    }

    #[test]
    fn moments_are_those_of_the_definition() {
        let (n, d) = (700, 4);
        let rows = skewed(n, 6, 1);
        let found = moments(&rows, d);
        let unit: Vec<Vec<f64>> = (0..n).map(|i| leading(&rows, i, d).collect()).collect();
        let mean: Vec<f64> = (0..d).map(|j| unit.iter().map(|r| r[j]).sum::<f64>() / n as f64).collect();
        let moment = |index: &[usize]| unit.iter().map(|r| index.iter().map(|&j| r[j] - mean[j]).product::<f64>()).sum::<f64>();
        let second: Vec<f64> = (0..d * d).map(|p| moment(&[p / d, p % d])).collect();
        let third: Vec<f64> = (0..d * d * d).map(|p| moment(&[p / (d * d), p / d % d, p % d])).collect();
        for (found, expected) in [(&found.second, second), (&found.third, third)] {
            let norm = expected.iter().map(|v| v * v).sum::<f64>().sqrt();
            assert!(found.iter().zip(&expected).all(|(f, e)| (f64::from(*f) - e / norm).abs() < 1e-5));
        }
    }

    #[test]
    fn a_rotation_is_found_between_samples_without_a_common_row() {
        let (x, other) = (skewed(4000, 12, 2), skewed(4000, 12, 3));
        // The signs of four axes differ, and two axes are turned in their plane.
        let (sin, cos) = 0.5f64.sin_cos();
        let turn = |i: usize, j: usize| match (i, j) {
            (4, 4) | (5, 5) => cos,
            (4, 5) => sin,
            (5, 4) => -sin,
            _ if i != j => 0.0,
            _ => 1.0 - 2.0 * f64::from(u8::from(i < 4)),
        };
        let mixed = Matrix::from_fn(4000, 12, |i, j| (0..12).map(|k| other[(i, k)] * turn(k, j)).sum::<f64>());
        let best = search(&x, &mixed, NOTHING, Width::Usual, 0, &Progress::silent()).unwrap().remove(0);
        for (i, j) in (0..36).map(|p| (p / 6, p % 6)) {
            assert!((best[(i, j)] - turn(i, j)).abs() < 0.15, "{i} {j}: {best:?}");
        }
        // Scalars that both sets have fix what moments leave open: a cloud that is its own mirror image.
        let mirrored = |m: &Matrix<f64>| Matrix::from_fn(8000, 6, |i, j| if i < 4000 { m[(i, j)] } else { -m[(i - 4000, j)] });
        let (a, b) = (mirrored(&x), mirrored(&other));
        let turned = Matrix::from_fn(8000, 6, |i, j| -b[(i, j)]);
        let scalars = |m: &Matrix<f64>| Matrix::from_fn(8000, 6, |i, j| m[(i, j)] * (1.0 + j as f64).sqrt());
        let (p, q) = (scalars(&a), scalars(&b));
        let hints = Hints { pairs: &[], profiles: Some((&p, &q)) };
        let found = search(&a, &turned, hints, Width::Usual, 0, &Progress::silent()).unwrap().remove(0);
        assert!((0..6).all(|i| found[(i, i)] < -0.5), "{found:?}");
        // The same seed gives the same bytes.
        let again = search(&x, &mixed, NOTHING, Width::Usual, 0, &Progress::silent()).unwrap().remove(0);
        assert_eq!(best, again);
    }
}
