//! From a rotation of few principal axes to one of all: soft matches give a map, and the map gives better soft matches.
//!
//! No row needs a partner. The matches are a transport plan (Sinkhorn), which spreads the mass of a row over the rows near
//! to it, and the square of the centred similarities, the gradient of the third moment, which does not feed on its own
//! matches.

use super::rounds::times;
use crate::data::synthetic::random::{Purpose, Random};
use crate::error::Result;
use crate::geometry::csls::Match;
use crate::geometry::signatures::unit_f32;
use crate::linalg::Matrix;
use crate::linalg::sinkhorn::{gibbs, scale_rows_f32};
use crate::problem::joint::add_up_edges;
use crate::progress::Progress;
use crate::solve::moments::{nearest_rotation, nuclear_norm};
use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, MatMut, MatRef, Par};
use rayon::prelude::*;

/// Temperature of the transport plan, in cosines. Both smaller and larger ones were worse.
const TEMPERATURE: f32 = 0.05;
/// The same where rows are matched once more in the space that the first soft matches gave.
const COOLER: f32 = 0.02;
/// Sinkhorn iterations: enough to remove hubs.
const SCALINGS: usize = 6;
/// Steps in which the dimension grows, further steps on as few rows, and last steps on more.
const STEPS: usize = 8;
const HOLD: usize = 2;
const LAST: usize = 16;
/// Random rows of one step, and of one of the last.
const ROWS: usize = 2000;
const LAST_ROWS: usize = 5000;
/// Rows whose squared similarities count: they estimate a moment, and half as many do it nearly as well.
const MOMENT_ROWS: usize = 2500;
/// Weight of known pairs beside the two kinds of soft matches.
const KNOWN: f64 = 0.5;
/// Rows of one task; the same on any number of threads.
const TASK: usize = 64;

/// The first `d` columns of the chosen rows, scaled to length 1.
pub(super) fn leading(rows: &Matrix<f64>, chosen: &[usize], d: usize) -> Matrix<f32> {
    let d = d.min(rows.ncols());
    let mut out = Matrix::zeros(chosen.len(), d);
    for (to, &i) in chosen.iter().enumerate() {
        let to = out.row_mut(to);
        to.iter_mut().zip(rows.row(i)).for_each(|(t, v)| *t = *v as f32);
        unit_f32(to);
    }
    out
}

/// An entropic transport plan between rows of length 1 with equal masses.
pub(super) struct Soft {
    kernel: Vec<f32>,
    of_x: Vec<f32>,
    of_y: Vec<f32>,
}

impl Soft {
    /// `each` also sees the similarities, some rows at a time, with the number of the first; its results come back in order.
    fn new<R: Send>(
        x: &Matrix<f32>,
        y: &Matrix<f32>,
        (scalings, temperature): (usize, f32),
        each: impl Fn(usize, &[f32]) -> R + Sync,
    ) -> (Self, Vec<R>) {
        let (n, m, d) = (x.nrows(), y.nrows(), x.ncols());
        let others = MatRef::from_row_major_slice(y.as_slice(), m, d);
        let mut kernel = vec![0.0f32; n * m];
        let tasks = kernel.par_chunks_mut(TASK * m).zip(x.as_slice().par_chunks(TASK * d)).enumerate();
        let seen = tasks
            .map_init(
                || vec![0.0f32; TASK * m],
                |similarities, (task, (kernel, some))| {
                    let count = some.len() / d;
                    let similarities = &mut similarities[..count * m];
                    let product = MatMut::from_row_major_slice_mut(&mut *similarities, count, m);
                    let some = MatRef::from_row_major_slice(some, count, d);
                    matmul(product, Accum::Replace, some, others.transpose(), 1.0, Par::Seq);
                    gibbs(similarities, temperature, kernel);
                    each(task * TASK, similarities)
                },
            )
            .collect();
        let (mut of_x, mut of_y) = (vec![0.0f32; n], vec![1.0f32; m]);
        for _ in 0..scalings {
            let parts: Vec<Vec<f32>> = kernel
                .par_chunks(TASK * m)
                .zip(of_x.par_chunks_mut(TASK))
                .map(|(kernel, of_x)| {
                    let mut column = vec![0.0f32; m];
                    scale_rows_f32(kernel, &of_y, 1.0 / n as f32, of_x, &mut column);
                    column
                })
                .collect();
            let mut sums = vec![0.0f64; m];
            parts.iter().for_each(|part| sums.iter_mut().zip(part).for_each(|(s, p)| *s += f64::from(*p)));
            of_y.iter_mut().zip(&sums).for_each(|(v, s)| *v = (1.0 / (m as f64 * s.max(1e-30))) as f32);
        }
        (Self { kernel, of_x, of_y }, seen)
    }
    pub(super) fn plain(x: &Matrix<f32>, y: &Matrix<f32>, scalings: usize) -> Self {
        Self::new(x, y, (scalings, TEMPERATURE), |_, _| {}).0
    }
    /// The `k` largest entries of each row of the plan, then of each column, in units of the mass of a row or of a column.
    fn strongest(&self, k: usize) -> Vec<(usize, usize, f32)> {
        let (n, m) = (self.of_x.len(), self.of_y.len());
        let first = |mut all: Vec<(usize, f32)>| {
            let k = k.min(all.len());
            all.select_nth_unstable_by(k - 1, |p, q| q.1.total_cmp(&p.1).then(p.0.cmp(&q.0)));
            all.truncate(k);
            all.sort_by_key(|p| p.0);
            all
        };
        let of_row = |i: usize| {
            let mass = n as f32 * self.of_x[i];
            let row = self.kernel[i * m..(i + 1) * m].iter().zip(&self.of_y);
            let all = first(row.map(|(k, v)| mass * k * v).enumerate().collect());
            all.into_iter().map(|(j, w)| (i, j, w)).collect::<Vec<_>>()
        };
        let of_column = |j: usize| {
            let mass = m as f32 * self.of_y[j];
            let all = first((0..n).map(|i| (i, mass * self.kernel[i * m + j] * self.of_x[i])).collect());
            all.into_iter().map(|(i, w)| (i, j, w)).collect::<Vec<_>>()
        };
        let rows = (0..n).into_par_iter().flat_map_iter(of_row);
        rows.chain((0..m).into_par_iter().flat_map_iter(of_column)).collect()
    }
    /// The plan times rows of the second set: for each row of the first, the sum of its matches.
    pub(super) fn times(&self, y: &Matrix<f32>) -> Matrix<f32> {
        let (m, d) = (y.nrows(), y.ncols());
        let mut scaled = y.clone();
        for (row, v) in scaled.as_mut_slice().chunks_exact_mut(d).zip(&self.of_y) {
            row.iter_mut().for_each(|r| *r *= v);
        }
        let scaled = MatRef::from_row_major_slice(scaled.as_slice(), m, d);
        let mut out = Matrix::zeros(self.of_x.len(), d);
        out.as_mut_slice()
            .par_chunks_mut(TASK * d)
            .zip(self.kernel.par_chunks(TASK * m))
            .zip(self.of_x.par_chunks(TASK))
            .for_each(|((out, kernel), of_x)| {
                let count = of_x.len();
                let product = MatMut::from_row_major_slice_mut(&mut *out, count, d);
                matmul(product, Accum::Replace, MatRef::from_row_major_slice(kernel, count, m), scaled, 1.0, Par::Seq);
                for (row, u) in out.chunks_exact_mut(d).zip(of_x) {
                    row.iter_mut().for_each(|r| *r *= u);
                }
            });
        out
    }
}

/// `A'B`, summed over a thousand rows in single precision, the totals in double precision.
fn cross(a: &Matrix<f32>, b: &Matrix<f32>) -> Mat<f64> {
    const CHUNK: usize = 1024;
    let (p, q) = (a.ncols(), b.ncols());
    let parts: Vec<Mat<f32>> = a
        .as_slice()
        .par_chunks(CHUNK * p)
        .zip(b.as_slice().par_chunks(CHUNK * q))
        .map(|(a, b)| {
            let rows = a.len() / p;
            let mut part = Mat::zeros(p, q);
            let (a, b) = (MatRef::from_row_major_slice(a, rows, p), MatRef::from_row_major_slice(b, rows, q));
            matmul(&mut part, Accum::Replace, a.transpose(), b, 1.0, Par::Seq);
            part
        })
        .collect();
    Mat::from_fn(p, q, |i, j| parts.iter().map(|part| f64::from(part[(i, j)])).sum())
}

fn mean_row(rows: &Matrix<f32>) -> Vec<f32> {
    let mut sum = vec![0.0f64; rows.ncols()];
    rows.rows().for_each(|row| sum.iter_mut().zip(row).for_each(|(s, v)| *s += f64::from(*v)));
    sum.iter().map(|s| (s / rows.nrows() as f64) as f32).collect()
}

fn centred(rows: &Matrix<f32>) -> Matrix<f32> {
    let mean = mean_row(rows);
    let mut out = rows.clone();
    for row in out.as_mut_slice().chunks_exact_mut(mean.len()) {
        row.iter_mut().zip(&mean).for_each(|(v, m)| *v -= m);
    }
    out
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

pub(super) fn single(m: &Mat<f64>) -> Mat<f32> {
    Mat::from_fn(m.nrows(), m.ncols(), |i, j| m[(i, j)] as f32)
}

/// One step: similarities in the axes of `turn` give a rotation of the first `d` axes.
pub(super) fn update(
    (x, chosen_x): (&Matrix<f64>, &[usize]),
    (y, chosen_y): (&Matrix<f64>, &[usize]),
    given: &[Match],
    turn: &Mat<f64>,
    d: usize,
    moments: bool,
) -> Result<Mat<f64>> {
    let p = turn.nrows();
    let (a, b) = (times(&leading(x, chosen_x, p), single(turn).as_ref()), leading(y, chosen_y, p));
    let (u, v) = (leading(x, chosen_x, d), leading(y, chosen_y, d));
    let (n, m) = (a.nrows(), b.nrows());
    // (S − row means − column means + mean)² times the rows of the second set.
    let some = if moments { MOMENT_ROWS.min(n) } else { 0 };
    let (mean_a, mean_b) = (mean_row(&a), mean_row(&b));
    let rows: Vec<f32> = a.rows().take(some).map(|r| dot(r, &mean_b)).collect();
    let columns: Vec<f32> = b.rows().map(|r| dot(r, &mean_a)).collect();
    let all = dot(&mean_a, &mean_b);
    let around_mean = centred(&v);
    let (soft, squares) = Soft::new(&a, &b, (SCALINGS, TEMPERATURE), |first, similarities| {
        let count = (similarities.len() / m).min(some.saturating_sub(first));
        let (mut squared, mut out) = (vec![0.0f32; count * m], vec![0.0f32; count * d]);
        for (i, (to, from)) in squared.chunks_exact_mut(m).zip(similarities.chunks_exact(m)).enumerate() {
            for ((t, s), c) in to.iter_mut().zip(from).zip(&columns) {
                let centred = s - rows[first + i] - c + all;
                *t = centred * centred;
            }
        }
        if count > 0 {
            let others = MatRef::from_row_major_slice(around_mean.as_slice(), m, d);
            let product = MatMut::from_row_major_slice_mut(&mut out, count, d);
            matmul(product, Accum::Replace, MatRef::from_row_major_slice(&squared, count, m), others, 1.0, Par::Seq);
        }
        out
    });
    let mut sum = normed(cross(&u, &soft.times(&v)))?;
    if moments {
        let first = u.row_range(0, some);
        sum += normed(cross(&centred(&first), &Matrix::from_vec(squares.concat(), some, d)?))?;
    }
    if !given.is_empty() {
        let rows =
            |m: &Matrix<f64>, pick: fn(&Match) -> u32| leading(m, &given.iter().map(|g| pick(g) as usize).collect::<Vec<_>>(), d);
        sum += normed(cross(&rows(x, |g| g.0), &rows(y, |g| g.1)))? * faer::Scale(KNOWN);
    }
    nearest_rotation(&sum)
}

/// Divided by its nuclear norm.
fn normed(m: Mat<f64>) -> Result<Mat<f64>> {
    let norm = nuclear_norm(&m)?.max(1e-300);
    Ok(m * faer::Scale(1.0 / norm))
}

/// Grows a rotation of the leading axes to all of them.
pub(super) fn grown(
    x: &Matrix<f64>,
    y: &Matrix<f64>,
    given: &[Match],
    start: &Mat<f64>,
    seed: u64,
    progress: &Progress,
) -> Result<Mat<f64>> {
    let (first, all) = (start.nrows() as f64, x.ncols().min(y.ncols()));
    let mut random = Random::new(seed, Purpose::Other(0x67726f77));
    let mut turn = start.clone();
    let total = STEPS + HOLD + LAST;
    for t in 1..=total {
        progress.step("growth", t - 1, total)?;
        let share = (t as f64 / STEPS as f64).min(1.0);
        let d = (first * (all as f64 / first).powf(share)).round() as usize;
        let rows = if t <= STEPS + HOLD { ROWS } else { LAST_ROWS };
        let mut draw = |n: usize| {
            let mut order = random.permutation(n);
            order.truncate(rows);
            order
        };
        let (of_x, of_y) = (draw(x.nrows()), draw(y.nrows()));
        turn = update((x, &of_x), (y, &of_y), given, &turn, d, true)?;
    }
    Ok(turn)
}

/// A weighted match.
pub(super) type SoftMatch = (u32, u32, f64);

/// Matches of each row that carry weight in the final fit.
const STRONGEST: usize = 10;

/// The rows that soft matches are between: at most [`LAST_ROWS`] random ones of either set.
fn drawn(n: usize, m: usize, seed: u64) -> [Vec<usize>; 2] {
    let mut random = Random::new(seed, Purpose::Other(0x736f6674));
    [n, m].map(|n| {
        let mut order = random.permutation(n);
        order.truncate(LAST_ROWS);
        order.sort_unstable();
        order
    })
}

/// The strongest soft matches under a rotation.
pub(super) fn soft_matches(x: &Matrix<f64>, y: &Matrix<f64>, turn: &Mat<f64>, seed: u64) -> Vec<SoftMatch> {
    let [of_x, of_y] = drawn(x.nrows(), y.nrows(), seed);
    let d = turn.nrows();
    let placed = (times(&leading(x, &of_x, d), single(turn).as_ref()), leading(y, &of_y, d));
    between(&placed, [&of_x, &of_y], TEMPERATURE)
}

/// Soft matches of the same rows once more, where a fit placed them. Its map is not a rotation, so the plan may be sharper.
pub(super) fn soft_matches_again(x: &Matrix<f64>, y: &Matrix<f64>, seed: u64) -> Vec<SoftMatch> {
    let [of_x, of_y] = drawn(x.nrows(), y.nrows(), seed);
    let placed = (leading(x, &of_x, x.ncols()), leading(y, &of_y, y.ncols()));
    between(&placed, [&of_x, &of_y], COOLER)
}

fn between((a, b): &(Matrix<f32>, Matrix<f32>), [of_x, of_y]: [&[usize]; 2], temperature: f32) -> Vec<SoftMatch> {
    let plan = Soft::new(a, b, (SCALINGS, temperature), |_, _| {}).0;
    let all = plan.strongest(STRONGEST).into_iter().filter(|m| m.2 > 1e-6);
    let mut matches = all.map(|(i, j, w)| (of_x[i] as u32, of_y[j] as u32, f64::from(w))).collect();
    // Strongest of a row and of a column: both count.
    add_up_edges(&mut matches);
    matches
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(n: usize, d: usize, seed: u64) -> Matrix<f64> {
        let mut random = Random::new(seed, Purpose::Latent);
        Matrix::from_fn(n, d, |_, j| (-(1.0 - random.uniform()).ln() - 1.0) / (1.0 + j as f64).sqrt())
    }

    #[test]
    fn a_plan_is_that_of_the_definition() {
        let all = |n: usize| (0..n).collect::<Vec<_>>();
        let (x, y) = (leading(&rows(70, 5, 1), &all(70), 5), leading(&rows(50, 5, 2), &all(50), 5));
        let product = |i: usize, j: usize| x.row(i).iter().zip(y.row(j)).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum::<f64>();
        let kernel = |i: usize, j: usize| ((product(i, j) - 1.0) / f64::from(TEMPERATURE)).exp();
        let (mut u, mut v) = (vec![0.0; 70], vec![1.0; 50]);
        for _ in 0..SCALINGS {
            (0..70).for_each(|i| u[i] = 1.0 / 70.0 / (0..50).map(|j| kernel(i, j) * v[j]).sum::<f64>());
            (0..50).for_each(|j| v[j] = 1.0 / 50.0 / (0..70).map(|i| kernel(i, j) * u[i]).sum::<f64>());
        }
        let plan = |i: usize, j: usize| u[i] * kernel(i, j) * v[j];
        let soft = Soft::plain(&x, &y, SCALINGS);
        let found = soft.times(&y);
        for i in 0..70 {
            for c in 0..5 {
                let expected: f64 = (0..50).map(|j| plan(i, j) * f64::from(y.row(j)[c])).sum();
                assert!((f64::from(found[(i, c)]) - expected).abs() < 1e-6, "{i} {c}");
            }
        }
        let strongest = soft.strongest(3);
        assert_eq!(strongest.len(), 3 * (70 + 50));
        let (rows, columns) = strongest.split_at(3 * 70);
        let largest = |mut all: Vec<f64>| {
            all.sort_by(|a, b| b.total_cmp(a));
            all[..3].iter().sum::<f64>()
        };
        for (of, found) in rows.chunks(3).enumerate() {
            assert!(found.iter().all(|&(i, j, w)| i == of && (f64::from(w) - 70.0 * plan(i, j)).abs() < 1e-4));
            let sum: f64 = found.iter().map(|m| f64::from(m.2)).sum();
            assert!((sum - largest((0..50).map(|j| 70.0 * plan(of, j)).collect())).abs() < 1e-4);
        }
        for (of, found) in columns.chunks(3).enumerate() {
            assert!(found.iter().all(|&(i, j, w)| j == of && (f64::from(w) - 50.0 * plan(i, j)).abs() < 1e-4));
            let sum: f64 = found.iter().map(|m| f64::from(m.2)).sum();
            assert!((sum - largest((0..70).map(|i| 50.0 * plan(i, of)).collect())).abs() < 1e-4);
        }
    }

    #[test]
    fn growth_keeps_a_right_rotation_and_extends_it() {
        // Two samples of one cloud in the same axes, the signs of the last four turned.
        let (x, mut y) = (rows(1500, 8, 3), rows(1500, 8, 4));
        (0..1500).for_each(|i| y.row_mut(i)[4..].iter_mut().for_each(|v| *v = -*v));
        let start = Mat::from_fn(4, 4, |i, j| if i == j { 1.0 } else { 0.0 });
        let turn = grown(&x, &y, &[], &start, 0, &Progress::silent()).unwrap();
        assert_eq!((turn.nrows(), turn.ncols()), (8, 8));
        for i in 0..4 {
            assert!(turn[(i, i)] > 0.9, "{turn:?}");
        }
        let off = (&turn * turn.transpose() - Mat::<f64>::identity(8, 8)).norm_max();
        assert!(off < 1e-9, "{off}");
    }
}
