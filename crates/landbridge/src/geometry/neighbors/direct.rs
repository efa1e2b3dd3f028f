//! Exact neighbours of few queries: reads every reference row once, in place. Packing rows into tiles or building a tree
//! would take longer than the search.
//!
//! Distances are those of `dense.rs` to the bit, without its frame: scaling by a power of two changes no bit of a distance
//! unless a square overflows or underflows. If one might, or if rounding leaves a doubt, this search gives up and the other
//! searches decide.

use super::certify::sort;
use super::dense::{Dense, exact, unit_length};
use super::{Found, Metric, Neighbors};
use crate::error::Result;
use crate::linalg::Scalar;
use crate::linalg::rows::{dot_and_square, squared_distance};
use crate::linalg::tiles::Best;
use crate::progress::{Progress, with_threads};
use rayon::prelude::*;

/// Above this many queries, tiles are faster.
const FEW: usize = 4;
/// Up to this many numbers, one thread is faster than waking others.
pub(super) const SMALL: usize = 1 << 20;
/// Number of extra candidates kept if scores are rounded.
const SPARE: usize = 8;
/// Squares between these bounds have neither overflowed nor lost a significant term.
const SAFE: std::ops::Range<f64> = 1e-200..1e200;

/// The nearest rows of each query; `None` if there are many queries or if rounding leaves a doubt.
pub(super) fn search(
    reference: Dense<'_>,
    query: Dense<'_>,
    k: usize,
    metric: Metric,
    progress: &Progress,
) -> Result<Option<Neighbors>> {
    if query.nrows() > FEW {
        return Ok(None);
    }
    let mut rows = vec![];
    let mut x = vec![0.0; reference.ncols()];
    for i in 0..query.nrows() {
        progress.step("neighbours", i, query.nrows())?;
        copy(query, i, &mut x);
        let found = match metric {
            Metric::Euclidean => nearest(reference, &x, k),
            Metric::Cosine => {
                unit_length(&mut x);
                most_alike(reference, &x, k)
            }
        };
        let Some(found) = found else { return Ok(None) };
        rows.push(found);
    }
    Ok(Some(Neighbors::from_rows(k, rows)))
}

fn copy(rows: Dense<'_>, i: usize, out: &mut [f64]) {
    match rows {
        Dense::F64(m) => out.copy_from_slice(m.row(i)),
        Dense::F32(m) => out.iter_mut().zip(m.row(i)).for_each(|(o, v)| *o = v.to_f64()),
    }
}

/// The `keep` least values of `value`, a function of a row's number and the row; `None` if `value` returns `None`. The result
/// does not depend on how the rows are divided among threads. Also returns a lower bound on the values of all other rows.
fn least(reference: Dense<'_>, keep: usize, value: impl Fn(u32, &[f64]) -> Option<f64> + Sync) -> Option<(Vec<(f64, u32)>, f64)> {
    let (n, p) = (reference.nrows(), reference.ncols());
    let of = |rows: std::ops::Range<usize>| {
        let mut best = Best::<f64>::new(keep);
        let mut row = vec![0.0; if matches!(reference, Dense::F64(_)) { 0 } else { p }];
        for j in rows {
            let own = match reference {
                Dense::F64(m) => m.row(j),
                Dense::F32(_) => {
                    copy(reference, j, &mut row);
                    &row
                }
            };
            best.push(value(j as u32, own)?, j as u32);
        }
        Some(best)
    };
    let part = (SMALL / p.max(1)).max(1);
    let mut best = match n <= part {
        true => of(0..n)?,
        false => {
            let parts = n.div_ceil(part);
            let of_part = |t: usize| of(t * part..((t + 1) * part).min(n));
            let found: Option<Vec<Best<f64>>> = with_threads(0, || (0..parts).into_par_iter().map(of_part).collect());
            let mut all = Best::new(keep);
            let mut rest = f64::INFINITY;
            for mut best in found? {
                let (kept, others) = best.finish();
                kept.iter().for_each(|&(value, j)| all.push(value, j));
                rest = rest.min(others);
            }
            let (kept, others) = all.finish();
            return Some((kept.to_vec(), others.min(rest)));
        }
    };
    let (kept, rest) = best.finish();
    Some((kept.to_vec(), rest))
}

fn nearest(reference: Dense<'_>, x: &[f64], k: usize) -> Option<Found> {
    let squared = |_, y: &[f64]| {
        let square = squared_distance(x, y);
        (SAFE.contains(&square) || (square == 0.0 && x == y)).then_some(square)
    };
    let (mut found, _) = least(reference, k, squared)?;
    sort(&mut found);
    found.iter_mut().for_each(|(value, _)| *value = value.sqrt());
    (found.len() == k).then_some(found)
}

/// By the cosine; `x` has length 1, or is zero.
fn most_alike(reference: Dense<'_>, x: &[f64], k: usize) -> Option<Found> {
    let score = |_, y: &[f64]| {
        let (dot, square) = dot_and_square(x, y);
        match square {
            s if SAFE.contains(&s) => Some(1.0 - dot / s.sqrt()),
            _ => None,
        }
    };
    let (found, rest) = least(reference, k + SPARE, score)?;
    let mut y = vec![0.0; x.len()];
    let mut found: Found = found
        .into_iter()
        .map(|(_, j)| {
            copy(reference, j as usize, &mut y);
            unit_length(&mut y);
            (exact(Metric::Cosine, x, &y), j)
        })
        .collect();
    sort(&mut found);
    // The sums and the two divisions of a score, and those of the exact value, each round by half a unit.
    let doubt = 4.0 * (x.len() as f64 + 16.0) * f64::EPSILON;
    found.truncate(k);
    let certain = found.len() == k && (rest == f64::INFINITY || rest - doubt > found[k - 1].0);
    certain.then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::neighbors::{dense, tree};
    use crate::linalg::Matrix;

    fn random(n: usize, p: usize, seed: u64) -> Matrix<f64> {
        let mut state = seed;
        Matrix::from_fn(n, p, |_, _| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) as f64 / (1u64 << 31) as f64 - 0.5
        })
    }

    #[test]
    fn few_queries_find_what_many_find_to_the_bit() {
        let quiet = Progress::silent();
        for (n, p, k) in [(1, 3, 1), (40, 1, 7), (500, 5, 10), (300, 70, 1), (900, 200, 12), (40_000, 64, 3)] {
            let (m, mut q) = (random(n, p, 3), random(4, p, 5));
            q.row_mut(1).copy_from_slice(m.row(n / 2)); // equal to a reference row
            let mut far = m.clone();
            far.as_mut_slice().iter_mut().for_each(|v| *v += 1e3);
            for (m, q) in [(&m, &q), (&far, &q)] {
                for metric in [Metric::Euclidean, Metric::Cosine] {
                    if p == 1 && metric == Metric::Cosine {
                        continue; // ties only: nothing to be certain of
                    }
                    let (m, q) = (Dense::F64(m.view()), Dense::F64(q.view()));
                    let expected = dense::search(m, Some(q), k, metric, &quiet).unwrap();
                    let got = search(m, q, k, metric, &quiet).unwrap();
                    assert_eq!(got.as_ref(), Some(&expected), "{n} {p} {metric:?}");
                    if p <= tree::MAX_COLUMNS && metric == Metric::Euclidean {
                        assert_eq!(got, Some(tree::search(m, Some(q), k, &quiet).unwrap()));
                    }
                }
            }
        }
    }

    #[test]
    fn single_precision_rows_are_compared_as_they_are() {
        let quiet = Progress::silent();
        let (m, q) = (random(200, 9, 1).to_f32(), random(2, 9, 2));
        for metric in [Metric::Euclidean, Metric::Cosine] {
            let (m, q) = (Dense::F32(m.view()), Dense::F64(q.view()));
            let expected = dense::search(m, Some(q), 4, metric, &quiet).unwrap();
            assert_eq!(search(m, q, 4, metric, &quiet).unwrap(), Some(expected));
        }
    }

    #[test]
    fn doubts_are_left_to_others() {
        let quiet = Progress::silent();
        let few = |m: &Matrix<f64>, q: &Matrix<f64>, metric| {
            search(Dense::F64(m.view()), Dense::F64(q.view()), 2, metric, &quiet).unwrap()
        };
        let (m, q) = (random(50, 4, 1), random(1, 4, 2));
        assert!(few(&m, &random(5, 4, 2), Metric::Euclidean).is_none(), "five queries");
        for factor in [1e-150, 1e150] {
            let scaled = |m: &Matrix<f64>| Matrix::from_fn(m.nrows(), 4, |i, j| m[(i, j)] * factor);
            assert!(few(&scaled(&m), &scaled(&q), Metric::Euclidean).is_none());
        }
        let mut zero = m.clone();
        zero.row_mut(3).fill(0.0);
        assert!(few(&zero, &q, Metric::Cosine).is_none());
        let equal = Matrix::from_fn(50, 4, |_, j| j as f64);
        assert!(few(&equal, &q, Metric::Cosine).is_none(), "more equals than are kept");
        assert_eq!(few(&equal, &q, Metric::Euclidean).unwrap().indices, [0, 1]);
    }
}
