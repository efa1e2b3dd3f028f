//! Exact counts of the rows that are nearer than the true match. Blocks of products in single precision decide nearly all
//! comparisons. If their rounding leaves a doubt, the rows are compared in double precision and, if needed, by the distance
//! that defines the answer. So the counts are exact, including ties.

use crate::geometry::neighbors::{Metric, power_of_two_below_inverse, unit_length};
use crate::linalg::Matrix;
use crate::linalg::rows::{NearOrFar, count_sides, squared_distance};
use crate::linalg::tall::{view, view_mut};
use faer::linalg::matmul::matmul;
use faer::{Accum, Par};
use rayon::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Number of rows of either side in a block.
const BLOCK: usize = 256;
/// Half a unit in the last place, in double and in single precision.
const UNIT: f64 = f64::EPSILON / 2.0;
const UNIT_F32: f64 = f32::EPSILON as f64 / 2.0;

/// Rivals of a row: the rows that are nearer to it than its match, and those at the same distance.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Rivals {
    pub(super) nearer: usize,
    pub(super) equal: usize,
}

/// One side, each row as `(x − shift) · scale / 2`, of length 1 for the cosine.
struct Side {
    rows: Matrix<f64>,
    rough: Vec<f32>,
    squares: Vec<f64>,
    lengths: Vec<f64>,
}

/// A row whose rivals are counted.
struct Ask {
    row: usize,
    own: usize,
    /// Its position among the pairs.
    pair: usize,
    /// Squares below `low` certainly belong to nearer rows, and those above `high` to farther ones.
    low: f64,
    high: f64,
}

/// Bounds of the rounding error of a square from products: `a |x||y| + b (|x|² + |y|²) + c`.
#[derive(Clone, Copy)]
struct Bounds {
    a: f64,
    b: f64,
    c: f64,
    /// Relative bound, for a sum of squares.
    sum: f64,
}

/// The rivals of the rows of each pair: of the source row among the target rows and, if `both`, of the target row among the
/// source rows. `exact` is the symmetric distance between a source row and a target row.
pub(super) fn rivals(
    (source, target): (&Matrix<f64>, &Matrix<f64>),
    pairs: &[(usize, usize)],
    metric: Metric,
    both: bool,
    exact: impl Fn(usize, usize) -> f64 + Sync,
) -> (Vec<Rivals>, Vec<Rivals>) {
    if source.ncols() == 0 {
        // Without columns all rows are equal.
        let all = |others: &Matrix<f64>| vec![Rivals { nearer: 0, equal: others.nrows() - 1 }; pairs.len()];
        return (all(target), if both { all(source) } else { vec![] });
    }
    let p = source.ncols() as f64;
    let frame = Frame::new(source, target, metric);
    let (x, y) = (frame.side(source), frame.side(target));
    // Each coordinate, at most 1, is rounded when it is shifted, so that a distance has an error of at most `shifted`.
    let shifted = 4.0 * p.sqrt() * UNIT;
    let c = 8.0 * p.sqrt() * shifted + shifted * shifted;
    // Longer sums may exceed the bound.
    let a = if p < 1e6 { 2.2 * (p + 8.0) * UNIT_F32 } else { f64::INFINITY };
    let bounds = Bounds { a, b: 4.0 * (p + 8.0) * UNIT, c, sum: 4.0 * (p + 8.0) * UNIT };
    let reach: Vec<f64> = pairs.par_iter().map(|&(i, j)| exact(i, j)).collect();
    let ask = |pair: usize, row: usize, own: usize| {
        let (low, high) = frame.limits(reach[pair], bounds.sum);
        Ask { row, own, pair, low, high }
    };
    let mut there: Vec<Ask> = pairs.iter().enumerate().map(|(q, &(i, j))| ask(q, i, j)).collect();
    let mut back: Vec<Ask> = if both { pairs.iter().enumerate().map(|(q, &(i, j))| ask(q, j, i)).collect() } else { vec![] };
    there.sort_by_key(|a| a.row);
    back.sort_by_key(|a| a.row);
    let counts = || (0..pairs.len()).map(|_| [AtomicUsize::new(0), AtomicUsize::new(0)]).collect::<Vec<_>>();
    let (of_there, of_back) = (counts(), counts());
    let (n, m, width) = (source.nrows(), target.nrows(), source.ncols());
    let tiles: Vec<(usize, usize)> = (0..n).step_by(BLOCK).flat_map(|i| (0..m).step_by(BLOCK).map(move |j| (i, j))).collect();
    tiles.par_iter().for_each_init(
        || (vec![0.0f32; BLOCK * BLOCK], vec![0.0f32; BLOCK * BLOCK]),
        |(dots, turned), &(i0, j0)| {
            let (rows, columns) = (BLOCK.min(n - i0), BLOCK.min(m - j0));
            let dots = &mut dots[..rows * columns];
            let part = |from: usize, count: usize| from * width..(from + count) * width;
            let (a, b) = (&x.rough[part(i0, rows)], &y.rough[part(j0, columns)]);
            let to = view_mut(dots, columns, columns);
            matmul(to, Accum::Replace, view(a, width, width), view(b, width, width).transpose(), 1.0, Par::Seq);
            count(&within(&there, i0, rows), dots, (&x, i0), (&y, j0, columns), bounds, &of_there, &|ask, j| {
                (exact(ask.row, j), reach[ask.pair])
            });
            let asked = within(&back, j0, columns);
            if !asked.is_empty() {
                let turned = &mut turned[..rows * columns];
                transpose(dots, rows, columns, turned);
                count(&asked, turned, (&y, j0), (&x, i0, rows), bounds, &of_back, &|ask, i| (exact(i, ask.row), reach[ask.pair]));
            }
        },
    );
    let sums = |counts: Vec<[AtomicUsize; 2]>| -> Vec<Rivals> {
        counts.into_iter().map(|[nearer, equal]| Rivals { nearer: nearer.into_inner(), equal: equal.into_inner() }).collect()
    };
    (sums(of_there), if both { sums(of_back) } else { vec![] })
}

/// The asks of rows `from..from + count`.
fn within(asks: &[Ask], from: usize, count: usize) -> &[Ask] {
    &asks[asks.partition_point(|a| a.row < from)..asks.partition_point(|a| a.row < from + count)]
}

/// Adds the counts of one tile: `dots` has one row per row of the first side from `first` on, and one column per other row.
fn count(
    asks: &[Ask],
    dots: &[f32],
    (own, first): (&Side, usize),
    (others, from, columns): (&Side, usize, usize),
    bounds: Bounds,
    counts: &[[AtomicUsize; 2]],
    exact: &dyn Fn(&Ask, usize) -> (f64, f64),
) {
    let range = from..from + columns;
    let (squares, lengths) = (&others.squares[range.clone()], &others.lengths[range]);
    for ask in asks {
        let at = (ask.row - first) * columns;
        let dots = &dots[at..at + columns];
        let (square, length) = (own.squares[ask.row], own.lengths[ask.row]);
        let query = NearOrFar {
            square,
            slope: bounds.a * length,
            factor: bounds.b,
            constant: bounds.b * square + bounds.c,
            low: ask.low,
            high: ask.high,
        };
        let (mut nearer, farther) = count_sides(dots, squares, lengths, &query);
        let mut equal = 0;
        if nearer + farther < columns {
            for (t, ((dot, s), l)) in dots.iter().zip(squares).zip(lengths).enumerate() {
                if query.side(f64::from(*dot), *s, *l) != (false, false) || from + t == ask.own {
                    continue;
                }
                // In doubt: compare the rows in the frame, then by the distance itself. The frame says nothing about a zero
                // row.
                let known = !(query.square.is_nan() || s.is_nan());
                let square = if known { squared_distance(own.rows.row(ask.row), others.rows.row(from + t)) } else { f64::NAN };
                let error = bounds.sum * square + bounds.c;
                let (near, far) = (square + error < ask.low, square - error > ask.high);
                nearer += usize::from(near);
                if !near && !far {
                    let (distance, reach) = exact(ask, from + t);
                    nearer += usize::from(distance < reach);
                    equal += usize::from(distance == reach);
                }
            }
        }
        counts[ask.pair][0].fetch_add(nearer, Ordering::Relaxed);
        counts[ask.pair][1].fetch_add(equal, Ordering::Relaxed);
    }
}

fn transpose(from: &[f32], rows: usize, columns: usize, to: &mut [f32]) {
    const STEP: usize = 16;
    for i0 in (0..rows).step_by(STEP) {
        for j0 in (0..columns).step_by(STEP) {
            for i in i0..(i0 + STEP).min(rows) {
                for j in j0..(j0 + STEP).min(columns) {
                    to[j * rows + i] = from[i * columns + j];
                }
            }
        }
    }
}

/// The frame of the rows: shifted to the middle of the target and scaled by a power of two, or of length 1.
struct Frame {
    metric: Metric,
    shift: Vec<f64>,
    scale: f64,
    /// Range of numbers in which distances keep their bits.
    sound: bool,
}

impl Frame {
    fn new(source: &Matrix<f64>, target: &Matrix<f64>, metric: Metric) -> Self {
        let p = target.ncols();
        if metric == Metric::Cosine {
            return Self { metric, shift: vec![0.0; p], scale: 1.0, sound: true };
        }
        // Divided before they are added, and halved before they are subtracted: numbers may be as large as 1e308.
        let weight = 1.0 / target.nrows() as f64;
        let mut shift = vec![0.0; p];
        for row in target.rows() {
            shift.iter_mut().zip(row).for_each(|(s, v)| *s += v * weight);
        }
        let of_row = |row: &[f64]| row.iter().zip(&shift).fold(0.0f64, |a, (v, s)| a.max((v * 0.5 - s * 0.5).abs()));
        let largest = source.rows().chain(target.rows()).map(of_row).fold(0.0, f64::max);
        let scale = power_of_two_below_inverse(largest);
        Self { metric, shift, scale, sound: (1e-280..1e280).contains(&largest) }
    }
    fn side(&self, m: &Matrix<f64>) -> Side {
        let p = m.ncols().max(1);
        let mut rows = Matrix::zeros(m.nrows(), m.ncols());
        let mut rough = vec![0.0f32; m.nrows() * m.ncols()];
        let numbers: Vec<(f64, f64)> = rows
            .as_mut_slice()
            .par_chunks_mut(p)
            .zip(rough.par_chunks_mut(p))
            .zip(m.as_slice().par_chunks(p))
            .with_min_len(32)
            .map(|((row, rough), from)| {
                match self.metric {
                    Metric::Cosine => {
                        row.copy_from_slice(from);
                        unit_length(row);
                    }
                    Metric::Euclidean => {
                        let shifted = from.iter().zip(&self.shift).map(|(v, s)| (v * 0.5 - s * 0.5) * self.scale);
                        row.iter_mut().zip(shifted).for_each(|(r, v)| *r = v);
                    }
                }
                rough.iter_mut().zip(&*row).for_each(|(r, v)| *r = *v as f32);
                let square: f64 = row.iter().map(|v| v * v).sum();
                // A zero row has cosine distance 1 to all rows, which no product gives: always in doubt.
                let square = if self.metric == Metric::Cosine && square == 0.0 { f64::NAN } else { square };
                (square, square.sqrt())
            })
            .collect();
        let (squares, lengths) = numbers.into_iter().unzip();
        Side { rows, rough, squares, lengths }
    }
    /// Squares in the frame that are certainly nearer or farther than `reach`, if distances have a relative error of at most
    /// `error`. Nothing is certain if a distance may have lost bits.
    fn limits(&self, reach: f64, error: f64) -> (f64, f64) {
        let square = match self.metric {
            Metric::Cosine => 2.0 * reach,
            Metric::Euclidean => (reach * 0.5 * self.scale).powi(2),
        };
        match self.sound && square.is_finite() && (reach == 0.0 || reach > 1e-280) {
            true => (square * (1.0 - error), square * (1.0 + error)),
            false => (f64::NEG_INFINITY, f64::INFINITY),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::neighbors::row_distance;

    fn random(n: usize, p: usize, seed: u64, step: f64) -> Matrix<f64> {
        let mut state = seed;
        Matrix::from_fn(n, p, |_, _| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let value = (state >> 33) as f64 / (1u64 << 31) as f64 - 0.5;
            if step > 0.0 { (value / step).round() * step } else { value }
        })
    }

    fn naive(row: &[f64], others: &Matrix<f64>, own: usize, metric: Metric) -> Rivals {
        let reach = row_distance(metric, row, others.row(own));
        let mut rivals = Rivals::default();
        for (_, other) in others.rows().enumerate().filter(|(j, _)| *j != own) {
            let d = row_distance(metric, row, other);
            rivals.nearer += usize::from(d < reach);
            rivals.equal += usize::from(d == reach);
        }
        rivals
    }

    #[test]
    fn rows_without_columns_are_all_equal() {
        let (x, y) = (Matrix::zeros(3, 0), Matrix::zeros(5, 0));
        let (there, back) = rivals((&x, &y), &[(1, 4)], Metric::Euclidean, true, |_, _| 0.0);
        assert_eq!((there[0].equal, back[0].equal, there[0].nearer), (4, 2, 0));
    }

    #[test]
    fn counts_are_those_of_all_distances() {
        let scaled = |m: &Matrix<f64>, f: f64, plus: f64| Matrix::from_fn(m.nrows(), m.ncols(), |i, j| m[(i, j)] * f + plus);
        let (a, b) = (random(300, 40, 1, 0.0), random(530, 40, 2, 0.0));
        // Few values: ties. Tight clusters far away: hopeless in single precision. Very large and very small numbers.
        let (ties, others) = (random(270, 2, 3, 0.25), random(290, 2, 4, 0.25));
        let cases = [
            (a.clone(), b.clone()),
            (ties, others),
            (scaled(&a, 1e-9, 1e3), scaled(&b, 1e-9, 1e3)),
            (scaled(&a, 1e300, 0.0), scaled(&b, 1e300, 0.0)),
            (scaled(&a, 1e308, 0.0), scaled(&b, 1.7e308, 0.0)),
            (scaled(&a, 1e-300, 0.0), scaled(&b, 1e-300, 0.0)),
            (scaled(&a, 0.0, 1.0), scaled(&b, 0.0, 1.0)),
        ];
        for (case, (x, y)) in cases.iter().enumerate() {
            let (mut x, y) = (x.clone(), y.clone());
            x.row_mut(5).fill(0.0);
            x.row_mut(6).copy_from_slice(y.row(0));
            // Not every row has a match, and some share one.
            let pairs: Vec<(usize, usize)> =
                (0..x.nrows()).filter(|i| i % 5 != 0).map(|i| (i, i * 7 % y.nrows() / 2)).chain([(0, 1), (5, 3)]).collect();
            for metric in [Metric::Euclidean, Metric::Cosine] {
                let exact = |i: usize, j: usize| row_distance(metric, x.row(i), y.row(j));
                let (there, back) = rivals((&x, &y), &pairs, metric, true, exact);
                for (q, &(i, j)) in pairs.iter().enumerate() {
                    assert_eq!(there[q], naive(x.row(i), &y, j, metric), "case {case} {metric:?}: row {i}");
                    assert_eq!(back[q], naive(y.row(j), &x, i, metric), "case {case} {metric:?}: back to row {i}");
                }
            }
        }
    }
}
