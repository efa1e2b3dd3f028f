//! Whether a rotation found from moments is one: two disjoint halves of both sets must find it again, and it must bring the
//! sets onto each other.

use super::growth::{Soft, leading, single, update};
use super::rounds::times;
use crate::data::synthetic::random::{Purpose, Random};
use crate::error::{Error, Result};
use crate::geometry::csls::Match;
use crate::linalg::Matrix;
use crate::outcome::LEAST_HELD_OUT;
use crate::progress::Progress;
use crate::solve::moments::{Hints, Width, search};
use faer::Mat;

/// Rows of one half that [`Halves::cover`] compares.
const ROWS: usize = 1200;
/// Maps with random signs, the steps that each may improve, and Sinkhorn iterations of a comparison.
const WRONG: usize = 5;
const STEPS: usize = 5;
const SCALINGS: usize = 10;
/// Standard deviations by which the mean share of rows that are nearer than the partner must lie below one half.
const DEVIATIONS: f64 = 4.5;

/// The evidence for a rotation of the leading axes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Halves {
    /// The smallest mean cosine of rows turned by two of three rotations: of all rows, of one half, of the other half.
    pub(super) stable: f64,
    /// Transport similarity of rows under a rotation found without them: 0 for the best of some rotations with random signs,
    /// 1 for two halves of one set.
    pub(super) cover: f64,
    /// Known pairs find each other under rotations that did not know them.
    pub(super) pairs_agree: bool,
}

/// Rows of both sets, and known pairs between them by their places in these.
struct Half {
    x: Matrix<f64>,
    y: Matrix<f64>,
    known: Vec<Match>,
    profiles: Option<(Matrix<f64>, Matrix<f64>)>,
}

impl Halves {
    pub(super) fn new(
        x: &Matrix<f64>,
        y: &Matrix<f64>,
        hints: Hints<'_>,
        turn: &Mat<f64>,
        seed: u64,
        progress: &Progress,
    ) -> Result<Self> {
        let mut random = Random::new(seed, Purpose::Other(0x68616c66));
        let halves = split(x, y, hints, &mut random);
        let found = |h: usize| {
            let Half { x, y, known, profiles } = &halves[h];
            let hints = Hints { pairs: known, profiles: profiles.as_ref().map(|(p, q)| (p, q)) };
            let best = search(x, y, hints, Width::Usual, seed.wrapping_add(1 + h as u64), progress)?.into_iter().next();
            Ok::<_, Error>(best)
        };
        let (Some(first), Some(second)) = (found(0)?, found(1)?) else {
            return Ok(Self { stable: 0.0, cover: 0.0, pairs_agree: false });
        };
        let d = turn.nrows();
        let rows = leading(x, &(0..x.nrows()).collect::<Vec<_>>(), d);
        let agreement = |p: &Mat<f64>, q: &Mat<f64>| {
            let (a, b) = (times(&rows, single(p).as_ref()), times(&rows, single(q).as_ref()));
            mean_product(&a, &b)
        };
        let stable = agreement(&first, &second).min(agreement(turn, &first)).min(agreement(turn, &second));
        progress.step("trust", 0, 0)?;
        let some = |m: &Matrix<f64>| leading(m, &(0..m.nrows().min(ROWS)).collect::<Vec<_>>(), d);
        let (a, b) = (halves.each_ref().map(|h| some(&h.x)), halves.each_ref().map(|h| some(&h.y)));
        let same = 0.5 * (fitness(&a[0], &a[1]) + fitness(&b[0], &b[1]));
        let placed = |rows: &Matrix<f32>, turn: &Mat<f64>| times(rows, single(turn).as_ref());
        let found = 0.5 * (fitness(&placed(&a[0], &second), &b[0]) + fitness(&placed(&a[1], &first), &b[1]));
        let mut wrong = f64::NEG_INFINITY;
        let Half { x, y, .. } = &halves[0];
        let chosen = [x, y].map(|m| (0..m.nrows().min(ROWS)).collect::<Vec<_>>());
        for _ in 0..WRONG {
            let signs: Vec<f64> = (0..d).map(|_| if random.uniform() < 0.5 { -1.0 } else { 1.0 }).collect();
            let mut other = Mat::from_fn(d, d, |i, j| turn[(i, j)] * signs[j]);
            for _ in 0..STEPS {
                other = update((x, &chosen[0]), (y, &chosen[1]), &[], &other, d, false)?;
            }
            wrong = wrong.max(fitness(&placed(&a[1], &other), &b[1]));
        }
        // The pairs of a half under the rotation of the other half.
        let own = |h: usize, turn: &Mat<f64>| nearer(&halves[h], turn, d);
        let nearer: Vec<f64> = [own(0, &second), own(1, &first)].concat();
        let pairs_agree = nearer.len() >= LEAST_HELD_OUT && {
            let mean = nearer.iter().sum::<f64>() / nearer.len() as f64;
            mean < 0.5 - DEVIATIONS / (12.0 * nearer.len() as f64).sqrt()
        };
        Ok(Self { stable, cover: (found - wrong) / (same - wrong).max(1e-9), pairs_agree })
    }
}

/// Two disjoint halves of the rows without a known partner, each with half of the known pairs.
fn split(x: &Matrix<f64>, y: &Matrix<f64>, hints: Hints<'_>, random: &mut Random) -> [Half; 2] {
    let given = hints.pairs;
    let mut order = |n: usize, pick: fn(&Match) -> u32| -> Vec<usize> {
        let mut known = vec![false; n];
        given.iter().for_each(|g| known[pick(g) as usize] = true);
        random.permutation(n).into_iter().filter(|&i| !known[i]).collect()
    };
    let (of_x, of_y) = (order(x.nrows(), |g| g.0), order(y.nrows(), |g| g.1));
    let part = |order: &[usize], half: usize| -> Vec<usize> {
        let middle = order.len() / 2;
        if half == 0 { order[..middle].to_vec() } else { order[middle..].to_vec() }
    };
    [0, 1].map(|half| {
        let (mut of_x, mut of_y) = (part(&of_x, half), part(&of_y, half));
        let own: Vec<&Match> = given.iter().skip(half).step_by(2).collect();
        let known = (0..own.len()).map(|k| ((of_x.len() + k) as u32, (of_y.len() + k) as u32)).collect();
        of_x.extend(own.iter().map(|g| g.0 as usize));
        of_y.extend(own.iter().map(|g| g.1 as usize));
        let profiles = hints.profiles.map(|(p, q)| (p.select_rows(&of_x), q.select_rows(&of_y)));
        Half { x: x.select_rows(&of_x), y: y.select_rows(&of_y), known, profiles }
    })
}

/// For each known pair of a half, the share of its rows that are nearer than the partner.
fn nearer(half: &Half, turn: &Mat<f64>, d: usize) -> Vec<f64> {
    let all = |m: &Matrix<f64>| leading(m, &(0..m.nrows()).collect::<Vec<_>>(), d);
    let chosen: Vec<usize> = half.known.iter().map(|m| m.0 as usize).collect();
    let (own, others) = (times(&leading(&half.x, &chosen, d), single(turn).as_ref()), all(&half.y));
    let product = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum::<f64>();
    let share = |(row, known): (&[f32], &Match)| {
        let partner = product(row, others.row(known.1 as usize));
        others.rows().filter(|other| product(row, other) > partner).count() as f64 / others.nrows() as f64
    };
    own.rows().zip(&half.known).map(share).collect()
}

fn mean_product(a: &Matrix<f32>, b: &Matrix<f32>) -> f64 {
    let product = |(a, b): (&f32, &f32)| f64::from(*a) * f64::from(*b);
    a.as_slice().iter().zip(b.as_slice()).map(product).sum::<f64>() / a.nrows() as f64
}

/// The mean similarity under the transport plan: how well the rows cover each other.
fn fitness(a: &Matrix<f32>, b: &Matrix<f32>) -> f64 {
    // The plan gives each row of the first set a mass of 1/n.
    mean_product(a, &Soft::plain(a, b, SCALINGS).times(b)) * a.nrows() as f64
}
