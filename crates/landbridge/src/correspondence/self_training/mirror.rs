//! Datasets that are their own mirror image: every row has a counterpart at the other end. A map and its negative then fit equally well, so
//! no start without pairs can tell which is right, however well the matches come back.

use crate::correspondence::self_training::growth::leading;
use crate::linalg::Matrix;
use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, MatRef, Par};
use rayon::prelude::*;

/// Rows that are looked at.
const SAMPLE: usize = 1000;
/// Rows of one task.
const TASK: usize = 64;

/// Whether the negatives of the rows are as good as among the rows: nearer to one of them than half-way between the nearest other row and the
/// row itself. Principal coordinates; a cloud that is only symmetric as a whole, such as Gaussian noise, has no such counterparts.
pub(super) fn mirrored(rows: &Matrix<f64>) -> bool {
    let n = rows.nrows();
    let all = leading(rows, &(0..n).collect::<Vec<_>>(), rows.ncols());
    let chosen: Vec<usize> = (0..n).step_by(n.div_ceil(SAMPLE)).collect();
    let others = MatRef::from_row_major_slice(all.as_slice(), n, all.ncols());
    let nearest: Vec<(f32, f32)> = chosen
        .par_chunks(TASK)
        .flat_map_iter(|some| {
            let part = all.select_rows(some);
            let mut cosines = Mat::<f32>::zeros(n, some.len());
            let part = MatRef::from_row_major_slice(part.as_slice(), some.len(), all.ncols());
            matmul(&mut cosines, Accum::Replace, others, part.transpose(), 1.0, Par::Seq);
            let of = |c: usize| {
                let own = (0..n).filter(|j| *j != some[c]).map(|j| cosines[(j, c)]).fold(-1.0, f32::max);
                let opposite = (0..n).map(|j| -cosines[(j, c)]).fold(-1.0, f32::max);
                (own, opposite)
            };
            (0..some.len()).map(of).collect::<Vec<_>>()
        })
        .collect();
    let mean = |pick: fn(&(f32, f32)) -> f32| nearest.iter().map(|p| f64::from(pick(p))).sum::<f64>() / nearest.len() as f64;
    let (own, opposite) = (mean(|p| p.0), mean(|p| p.1));
    opposite > 0.5 * (1.0 + own.min(1.0)) && own < 0.99
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::synthetic::random::{Purpose, Random};

    #[test]
    fn only_rows_with_counterparts_are_mirrored() {
        let mut random = Random::new(2, Purpose::Latent);
        let half = Matrix::from_fn(300, 20, |_, _| random.normal());
        let both = |noise: f64, random: &mut Random| {
            Matrix::from_fn(600, 20, |i, j| if i < 300 { half[(i, j)] } else { noise * random.normal() - half[(i - 300, j)] })
        };
        assert!(mirrored(&both(0.0, &mut random)));
        assert!(mirrored(&both(0.2, &mut random)));
        assert!(!mirrored(&both(3.0, &mut random)));
        assert!(!mirrored(&half));
        // Few dimensions are full of neighbours on either side.
        assert!(!mirrored(&Matrix::from_fn(2000, 3, |_, _| random.normal())));
        // Every row twice, without a mirror image.
        assert!(!mirrored(&Matrix::from_fn(600, 20, |i, j| half[(i % 300, j)])));
    }
}
