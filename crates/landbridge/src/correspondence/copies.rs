//! Pairs whose rows are near-copies of each other on both sides: replicates, rows that were measured again. A fit that knows one of
//! them knows the others, so that they are held out together.

use crate::data::{Dataset, Link, Pairs, Rows, Sets, offsets};
use crate::error::Result;
use crate::geometry::neighbors::{Metric, neighbors_among, row_distance};
use crate::outcome::LEAST_HELD_OUT;
use crate::progress::Progress;

/// Rows nearer than this part of the typical distance are near-copies: noise of a seventh of the signal gives about as much.
const NEAR: f64 = 0.2;
/// Near-copies lie by this factor nearer to each other than to any other row. Rows that merely lie densely do not.
const APART: f64 = 2.0;
/// Nearest rows that are looked at.
const NEIGHBORS: usize = 5;
/// Distances that make the typical one, at most.
const SAMPLE: usize = 500;
/// More pairs than this are not looked at: the search grows with their square.
const MOST: usize = 20_000;

/// A number for each row of each dataset, equal for rows of pairs that are near-copies: the form of groups that are held out together.
///
/// None if there are no near-copies; and none if most pairs hang together by them, because rows that fill a curve or a surface
/// densely are not replicates. For the same reason near-copies must lie apart from all other rows.
pub(crate) fn near_copies(datasets: &[Dataset], pairs: &Pairs, progress: &Progress) -> Result<Option<Vec<Vec<usize>>>> {
    let links = pairs.links();
    if links.len() < LEAST_HELD_OUT || links.len() > MOST {
        return Ok(None);
    }
    let mut sets = Sets::new(links.len());
    let mut sides: Vec<(usize, usize)> = links.iter().map(|l| (l.a, l.b)).collect();
    sides.sort_unstable();
    sides.dedup();
    for (a, b) in sides {
        let own: Vec<usize> = (0..links.len()).filter(|p| (links[*p].a, links[*p].b) == (a, b)).collect();
        if own.len() < 2 {
            continue;
        }
        let row = |of: fn(&Link) -> usize| own.iter().map(|p| of(&links[*p])).collect::<Vec<_>>();
        let (x, y) = (datasets[a].rows().select(&row(|l| l.i)), datasets[b].rows().select(&row(|l| l.j)));
        let (near_x, near_y) = (NEAR * typical(&x), NEAR * typical(&y));
        let found = neighbors_among(&x, &x, (NEIGHBORS + 1).min(own.len()), Metric::Euclidean, progress)?;
        let mut copies = Sets::new(own.len());
        let near = |p: usize, q: u32, distance: f64| {
            let nearer = distance <= near_x && near_x > 0.0 && near_y > 0.0;
            q as usize != p && nearer && distance_of(&y, p, q as usize) <= near_y
        };
        for p in 0..own.len() {
            found.row(p).filter(|(q, d)| near(p, *q, *d)).for_each(|(q, _)| copies.join(p, q as usize));
        }
        // A set of near-copies counts if each of its rows has a gap around the set.
        let set: Vec<usize> = (0..own.len()).map(|p| copies.find(p)).collect();
        let mut whole = vec![true; own.len()];
        for p in 0..own.len() {
            let (mut inside, mut outside) = (0.0f64, f64::INFINITY);
            for (q, distance) in found.row(p).filter(|(q, _)| *q as usize != p) {
                match set[q as usize] == set[p] {
                    true => inside = inside.max(distance),
                    false => outside = outside.min(distance),
                }
            }
            whole[set[p]] &= outside >= APART * inside;
        }
        (0..own.len()).filter(|p| whole[set[*p]]).for_each(|p| sets.join(own[p], own[set[p]]));
    }
    let (number, count) = sets.numbered();
    let mut sizes = vec![0usize; count];
    number.iter().for_each(|n| sizes[*n as usize] += 1);
    let largest = sizes.into_iter().max().unwrap_or(0);
    if count == links.len() || count < LEAST_HELD_OUT || 5 * largest > links.len() {
        return Ok(None);
    }
    // Rows of no pair have numbers of their own.
    let start = offsets(datasets.iter().map(Dataset::nrows));
    let mut groups: Vec<Vec<usize>> =
        datasets.iter().enumerate().map(|(a, d)| (0..d.nrows()).map(|i| count + start[a] + i).collect()).collect();
    for (link, number) in links.iter().zip(&number) {
        groups[link.a][link.i] = *number as usize;
        groups[link.b][link.j] = *number as usize;
    }
    Ok(Some(groups))
}

/// The median distance of some pairs of rows.
fn typical(rows: &Rows) -> f64 {
    let n = rows.nrows();
    let count = SAMPLE.min(n * (n - 1) / 2);
    // Steps that differ from sample to sample, so that no order of the rows matters.
    let mut distances: Vec<f64> = (0..count)
        .map(|t| {
            let i = t * n / count;
            distance_of(rows, i, (i + 1 + (t * 7919) % (n - 1)) % n)
        })
        .collect();
    distances.sort_unstable_by(f64::total_cmp);
    distances.get(distances.len() / 2).copied().unwrap_or(0.0)
}

fn distance_of(rows: &Rows, i: usize, j: usize) -> f64 {
    let (mut x, mut y) = (vec![0.0; rows.ncols()], vec![0.0; rows.ncols()]);
    rows.copy_row(i, &mut x);
    rows.copy_row(j, &mut y);
    row_distance(Metric::Euclidean, &x, &y)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::correspondence::JudgeHeldOut;
    use crate::data::synthetic::{RotatedCopies, SwissRolls};
    use crate::linalg::{Csr, Matrix};
    use crate::method::{Cca, InstanceAlignment, Method};
    use crate::outcome::Judgement;
    use rand::seq::SliceRandom;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// Samples that were measured several times, each time with a little noise, by two devices.
    fn replicates(samples: usize, copies: usize, noise: f64, seed: u64) -> Vec<Dataset> {
        let once = RotatedCopies::new(samples).n_features(12).noise(0.0).generate().unwrap();
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut repeated = |d: &Dataset| {
            let mut row = vec![0.0; d.ncols()];
            let mut out = Matrix::zeros(samples * copies, d.ncols());
            for i in 0..samples * copies {
                d.rows().copy_row(i / copies, &mut row);
                out.row_mut(i).iter_mut().zip(&row).for_each(|(to, v)| *to = v + noise * (random.random::<f64>() - 0.5));
            }
            Dataset::new(d.name(), out).unwrap()
        };
        once.datasets.iter().map(&mut repeated).collect()
    }

    fn paired(n: usize, to: impl Fn(usize) -> usize) -> Pairs {
        let mut out = Pairs::none(2);
        (0..n).for_each(|i| out.add(0, i, 1, to(i), 1.0).unwrap());
        out
    }

    #[test]
    fn replicates_are_found_and_other_rows_are_not() {
        for (samples, copies) in [(40, 5), (100, 2), (12, 10)] {
            let data = replicates(samples, copies, 0.05, 0);
            let found = near_copies(&data, &paired(samples * copies, |i| i), &Progress::silent()).unwrap().unwrap();
            for side in &found {
                assert!((0..samples * copies).all(|i| side[i] == i / copies), "{samples} x {copies}");
            }
        }
        // The same rows, sparse.
        let sparse: Vec<Dataset> = replicates(40, 3, 0.05, 0)
            .iter()
            .map(|d| match d.rows() {
                Rows::F64(m) => Dataset::new(d.name(), Csr::from_dense(m)).unwrap(),
                _ => unreachable!("made as f64"),
            })
            .collect();
        assert!(near_copies(&sparse, &paired(120, |i| i), &Progress::silent()).unwrap().is_some());
        // Copies on one side only, rows of their own, and a surface that is filled densely.
        let data = replicates(40, 5, 0.05, 0);
        assert_eq!(near_copies(&data, &paired(200, |i| i * 7 % 200), &Progress::silent()).unwrap(), None);
        let own = RotatedCopies::new(200).n_features(12).generate().unwrap();
        assert_eq!(near_copies(&own.datasets, &own.pairs(100, 0).unwrap(), &Progress::silent()).unwrap(), None);
        let rolls = SwissRolls::new(600).generate().unwrap();
        assert_eq!(near_copies(&rolls.datasets, &rolls.pairs(500, 0).unwrap(), &Progress::silent()).unwrap(), None);
    }

    #[test]
    fn samples_that_are_mixed_up_together_with_their_replicates_are_not_trusted() {
        let methods: [&dyn Method; 2] = [&Cca::new(5), &InstanceAlignment::new(5)];
        for seed in 0..3 {
            let data = replicates(40, 5, 0.05, seed);
            let mut to: Vec<usize> = (0..40).collect();
            to.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
            for method in methods {
                let judged = |pairs: &Pairs| JudgeHeldOut::new().judge(method, &data, pairs).unwrap();
                let right = judged(&paired(200, |i| i));
                assert_eq!((right.judgement, right.groups), (Judgement::Trusted, Some(40)), "{}", right.verdict());
                // Within a sample, any replicate is as good as any other: regions are right.
                let within = judged(&paired(200, |i| i / 5 * 5 + (i * 3 + i / 5) % 5));
                assert_eq!(within.judgement, Judgement::Trusted, "{}", within.verdict());
                let mixed = judged(&paired(200, |i| to[i / 5] * 5 + i % 5));
                assert_ne!(mixed.judgement, Judgement::Trusted, "{}", mixed.verdict());
            }
        }
    }
}
