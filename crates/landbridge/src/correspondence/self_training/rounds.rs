//! One run of the loop, and the quality of its matches.

use crate::error::{Error, Result};
use crate::geometry::csls::{BothWays, Compared, Match, Matched, both_ways, both_ways_among_nearest, mutual};
use crate::geometry::signatures::{leading_unit, unit_f32};
use crate::linalg::Matrix;
use crate::linalg::tall::{Tall, gram, product};
use crate::linalg::whitening::symmetric_eigen;
use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, MatMut, MatRef, Par};
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

/// Two datasets in principal coordinates, and the known pairs between them.
pub(super) struct Side<'a> {
    pub(super) x: &'a Matrix<f64>,
    pub(super) y: &'a Matrix<f64>,
    pub(super) given: &'a [Match],
}

impl Side<'_> {
    /// Rows of either dataset that are in a given pair.
    pub(super) fn known(&self) -> (Vec<bool>, Vec<bool>) {
        (marked(self.x.nrows(), self.given, |g| g.0), marked(self.y.nrows(), self.given, |g| g.1))
    }
    /// The share of the rows of the smaller dataset that these matches hold.
    pub(super) fn matched(&self, matches: &[Match]) -> f64 {
        matches.len() as f64 / self.x.nrows().min(self.y.nrows()).max(1) as f64
    }
}

pub(super) struct Plan {
    pub(super) first: usize,
    pub(super) power: f64,
    pub(super) drop: f64,
    pub(super) steps: usize,
    pub(super) hold: usize,
    /// Weight of all known pairs together at first, in units of that of all matches.
    pub(super) known: f64,
}

/// Step 4 of the recipe: singular vectors of the weighted cross covariance of the pairs, scaled by a power of their values.
pub(in crate::correspondence) fn mapped(
    x: &Matrix<f64>,
    y: &Matrix<f64>,
    pairs: &[Match],
    weights: &[f64],
    power: f64,
) -> Result<(Matrix<f32>, Matrix<f32>)> {
    let gather = |m: &Matrix<f64>, rows: &mut dyn Iterator<Item = (usize, f64)>| {
        let mut values = Vec::with_capacity(pairs.len() * m.ncols());
        for (i, w) in rows {
            values.extend(m.row(i).iter().map(|v| w * v));
        }
        Tall { values, stride: m.ncols() }
    };
    let a = gather(x, &mut pairs.iter().zip(weights).map(|(p, w)| (p.0 as usize, *w)));
    let b = gather(y, &mut pairs.iter().map(|p| (p.1 as usize, 1.0)));
    let cross = gram(&a, a.stride, &b);
    let found = cross
        .svd()
        .map_err(|_| Error::Numerical { what: "singular values of the pairs".into(), problem: "no convergence".into() })?;
    let rank = x.ncols().min(y.ncols());
    let values: Vec<f64> = (0..rank).map(|i| found.S()[i]).collect();
    let kept = values.iter().take_while(|s| **s > 1e-6 * values[0] && **s > 0.0).count().max(1);
    let scale = |c: usize| (values[c] / values[0].max(1e-300)).powf(power);
    let place = |m: &Matrix<f64>, vectors: faer::MatRef<'_, f64>| {
        let directions = Mat::from_fn(m.ncols(), kept, |i, c| (vectors[(i, c)] * scale(c)) as f32);
        times(&m.to_f32(), directions.as_ref())
    };
    Ok((place(x, found.U()), place(y, found.V())))
}

/// Rows times directions, scaled to length 1.
pub(super) fn times(rows: &Matrix<f32>, directions: MatRef<'_, f32>) -> Matrix<f32> {
    const ROWS: usize = 256;
    let (p, kept) = (rows.ncols(), directions.ncols());
    let mut out = Matrix::zeros(rows.nrows(), kept);
    out.as_mut_slice().par_chunks_mut(ROWS * kept).zip(rows.as_slice().par_chunks(ROWS * p)).for_each(|(out, rows)| {
        let count = out.len() / kept;
        let placed = MatMut::from_row_major_slice_mut(&mut *out, count, kept);
        matmul(placed, Accum::Replace, MatRef::from_row_major_slice(rows, count, p), directions, 1.0, Par::Seq);
        out.chunks_mut(kept).for_each(unit_f32);
    });
    out
}

/// Step 5 of the recipe: matches from comparisons of the rows, such as signatures, from the given pairs, or from both.
pub(super) fn beginning(side: &Side<'_>, given: &[Match], compared: &[Option<&Compared>], plan: &Plan) -> Result<Matched> {
    let placed = if given.is_empty() {
        None
    } else {
        let ones = vec![1.0; given.len()];
        let first = plan.first.min(side.x.ncols().max(side.y.ncols()));
        let rows = (leading_unit(side.x, first), leading_unit(side.y, first));
        Some(Compared::new(mapped(&rows.0, &rows.1, given, &ones, plan.power)?))
    };
    Ok(mutual(&compared.iter().copied().flatten().chain(&placed).collect::<Vec<_>>()))
}

/// From this many rows of either dataset on, a row is matched among the rows nearest to it.
pub(super) const MANY: usize = 8000;

/// The best matches of placed rows, in both directions.
fn matched(placed: (Matrix<f32>, Matrix<f32>)) -> BothWays {
    match placed.0.nrows().min(placed.1.nrows()) >= MANY {
        true => both_ways_among_nearest(&placed.0, &placed.1),
        false => both_ways(Compared::new(placed)),
    }
}

/// The mutual matches of placed rows.
pub(super) fn mutually(placed: (Matrix<f32>, Matrix<f32>)) -> Matched {
    matched(placed).mutual
}

/// Step 6 of the recipe.
pub(super) fn train_once(
    x: &Matrix<f64>,
    y: &Matrix<f64>,
    given: &[Match],
    begin: Matched,
    plan: &Plan,
    rng: &mut ChaCha8Rng,
    step: &dyn Fn(usize) -> Result<()>,
) -> Result<Matched> {
    train_placed(x, y, given, begin, plan, rng, step, &|placed, _| mutually(placed))
}

/// The same with other matches: `matches` gets the compared rows, and how far the growth is.
pub(super) fn train_with(
    x: &Matrix<f64>,
    y: &Matrix<f64>,
    given: &[Match],
    begin: Matched,
    plan: &Plan,
    rng: &mut ChaCha8Rng,
    step: &dyn Fn(usize) -> Result<()>,
    matches: &dyn Fn(&Compared, f64) -> Matched,
) -> Result<Matched> {
    train_placed(x, y, given, begin, plan, rng, step, &|placed, share| matches(&Compared::new(placed), share))
}

/// Share of rows that may change their match in the last of many rows.
const SETTLED: f64 = 0.002;

/// The same from rows that are placed and not compared.
fn train_placed(
    x: &Matrix<f64>,
    y: &Matrix<f64>,
    given: &[Match],
    begin: Matched,
    plan: &Plan,
    rng: &mut ChaCha8Rng,
    step: &dyn Fn(usize) -> Result<()>,
    matches: &dyn Fn((Matrix<f32>, Matrix<f32>), f64) -> Matched,
) -> Result<Matched> {
    let largest = x.ncols().max(y.ncols());
    let first = plan.first.min(largest);
    let mut found = begin;
    let (known_x, known_y) = (marked(x.nrows(), given, |g| g.0), marked(y.nrows(), given, |g| g.1));
    for t in 0..plan.steps + plan.hold {
        step(t)?;
        let share = (t as f64 / plan.steps as f64).min(1.0);
        let d = (first as f64 * (largest as f64 / first as f64).powf(share)).round() as usize;
        let left_out = if t < plan.steps { plan.drop * (1.0 - share) } else { 0.0 };
        let mut pairs: Vec<Match> = found
            .matches
            .iter()
            .copied()
            .filter(|_| left_out == 0.0 || !rng.random_bool(left_out))
            .filter(|m| !known_x[m.0 as usize] && !known_y[m.1 as usize])
            .collect();
        let mut weights = vec![1.0; pairs.len()];
        if !given.is_empty() {
            let weight = 1.0 + plan.known * pairs.len() as f64 / given.len() as f64 * (1.0 - share).powi(2);
            weights.extend(std::iter::repeat_n(weight, given.len()));
            pairs.extend_from_slice(given);
        }
        if pairs.is_empty() {
            break;
        }
        let placed = mapped(&leading_unit(x, d), &leading_unit(y, d), &pairs, &weights, plan.power)?;
        let next = matches(placed, share);
        let same = match x.nrows().min(y.nrows()) >= MANY {
            true => agreement(&next.matches, &found.matches) >= 1.0 - SETTLED,
            false => next.matches == found.matches,
        };
        found = next;
        if t > plan.steps && same {
            break;
        }
    }
    Ok(found)
}

/// The share of common matches.
pub(super) fn agreement(a: &[Match], b: &[Match]) -> f64 {
    common(a, b) as f64 / a.len().max(b.len()).max(1) as f64
}

/// Number of common matches; both are sorted by row.
pub(super) fn common(a: &[Match], b: &[Match]) -> usize {
    let mut others = b.iter().peekable();
    let mut common = 0;
    for m in a {
        while others.next_if(|o| *o < m).is_some() {}
        common += usize::from(others.peek() == Some(&m));
    }
    common
}

fn marked(n: usize, given: &[Match], side: fn(&Match) -> u32) -> Vec<bool> {
    let mut marks = vec![false; n];
    given.iter().for_each(|g| marks[side(g) as usize] = true);
    marks
}

/// Matches that are found again under a map fitted on the other half of them.
#[derive(Clone, Copy, Default)]
pub(super) struct Reproduced {
    /// The share that are mutual neighbours again.
    pub(super) share: f64,
    /// Whether more are the best match corrected for hubs (CSLS) than are the nearest row.
    pub(super) csls: bool,
}

/// The share of [`Reproduced`].
pub(super) fn reproducibility(x: &Matrix<f64>, y: &Matrix<f64>, matches: &[Match], power: f64, seed: u64) -> Result<f64> {
    Ok(reproduced(x, y, matches, power, seed)?.share)
}

/// Step 7.
pub(super) fn reproduced(x: &Matrix<f64>, y: &Matrix<f64>, matches: &[Match], power: f64, seed: u64) -> Result<Reproduced> {
    let (mut hits, mut corrected, mut nearest) = (0, 0, 0);
    let unit = (leading_unit(x, x.ncols()), leading_unit(y, y.ncols()));
    halved(&unit, matches, power, seed ^ 0xC0FFEE, &mut |p, found| {
        let (i, j) = (matches[p].0 as usize, matches[p].1);
        hits += usize::from(found.mutual[i] == j);
        corrected += usize::from(found.corrected[i] == j);
        nearest += usize::from(found.nearest[i] == j);
    })?;
    Ok(Reproduced { share: hits as f64 / matches.len().max(1) as f64, csls: corrected > nearest })
}

/// The matches of the rows under a map.
struct Partners {
    mutual: Vec<u32>,
    corrected: Vec<u32>,
    nearest: Vec<u32>,
}

/// Splits the matches at random into halves, and shows each match what its row matches under a map fitted to the other half. Fewer than four
/// matches have no halves.
fn halved(
    (x, y): &(Matrix<f64>, Matrix<f64>),
    matches: &[Match],
    power: f64,
    seed: u64,
    show: &mut dyn FnMut(usize, &Partners),
) -> Result<()> {
    if matches.len() < 4 {
        return Ok(());
    }
    let mut order: Vec<usize> = (0..matches.len()).collect();
    order.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
    let (first, second) = order.split_at(order.len() / 2);
    for (fit, test) in [(first, second), (second, first)] {
        let pairs: Vec<Match> = fit.iter().map(|&p| matches[p]).collect();
        let found = matched(mapped(x, y, &pairs, &vec![1.0; pairs.len()], power)?);
        let mut mutual = vec![u32::MAX; x.nrows()];
        found.mutual.matches.iter().for_each(|m| mutual[m.0 as usize] = m.1);
        let partners = Partners { mutual, corrected: found.there, nearest: found.nearest };
        test.iter().for_each(|&p| show(p, &partners));
    }
    Ok(())
}

/// Halvings after which matches are called steady, and in how many of them a steady match comes back.
const HALVINGS: usize = 6;
const OFTEN: usize = 5;

/// Whether it is the same matches that come back, halving after halving. Where only some rows have a partner, half of the matches may be
/// wrong; the right ones come back nearly always then, and the wrong ones seldom. Where there is nothing to find, all come back now and then.
pub(super) struct Steady {
    /// The correlation between the events that a match comes back in one halving and in another: 1 if each comes back always or never.
    pub(super) steadiness: f64,
    /// For each match, whether it came back in nearly all halvings.
    pub(super) often: Vec<bool>,
}

impl Steady {
    pub(super) fn of(x: &Matrix<f64>, y: &Matrix<f64>, matches: &[Match], power: f64, seed: u64) -> Result<Self> {
        let unit = (leading_unit(x, x.ncols()), leading_unit(y, y.ncols()));
        let mut back = vec![0usize; matches.len()];
        for halving in 0..HALVINGS as u64 {
            let seed = seed ^ 0x57EAD << 8 ^ halving;
            halved(&unit, matches, power, seed, &mut |p, found| {
                back[p] += usize::from(found.mutual[matches[p].0 as usize] == matches[p].1);
            })?;
        }
        let (count, tries) = (matches.len().max(1) as f64, HALVINGS as f64);
        let once = back.iter().sum::<usize>() as f64 / (count * tries);
        let twice = back.iter().map(|&b| b * b.saturating_sub(1)).sum::<usize>() as f64 / (count * tries * (tries - 1.0));
        let variance = once * (1.0 - once);
        let steadiness = if variance > 0.0 { (twice - once * once) / variance } else { once };
        Ok(Self { steadiness, often: back.iter().map(|&b| b >= OFTEN).collect() })
    }
    /// The matches that came back in nearly all halvings.
    pub(super) fn matches(&self, of: &[Match]) -> Vec<Match> {
        of.iter().zip(&self.often).filter(|(_, often)| **often).map(|(m, _)| *m).collect()
    }
}

/// For each known pair, the share of rows nearer than its partner, by a map fitted on matches without known pairs.
pub(super) fn ranks_of_given(side: &Side<'_>, matches: &[Match], power: f64) -> Result<Vec<f64>> {
    let (known_x, known_y) = side.known();
    let others: Vec<Match> = matches.iter().copied().filter(|m| !known_x[m.0 as usize] && !known_y[m.1 as usize]).collect();
    if others.is_empty() || side.given.is_empty() {
        return Ok(vec![]);
    }
    let (x, y) = (leading_unit(side.x, side.x.ncols()), leading_unit(side.y, side.y.ncols()));
    let (zx, zy) = mapped(&x, &y, &others, &vec![1.0; others.len()], power)?;
    let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum::<f64>();
    let rank = |g: &Match| {
        let own = zx.row(g.0 as usize);
        let reference = dot(own, zy.row(g.1 as usize));
        zy.rows().filter(|row| dot(own, row) > reference).count() as f64 / zy.nrows() as f64
    };
    Ok(side.given.iter().map(rank).collect())
}

/// Ridge of the whitening in [`refined`], in units of the mean variance.
const RIDGE: f64 = 0.1;

/// Matches after whitening both datasets on the current matches, as canonical correlation analysis does, several times. With
/// enough matches this finds more and better ones.
pub(super) fn refined(side: &Side<'_>, mut found: Matched, rounds: usize) -> Result<Matched> {
    let (known_x, known_y) = side.known();
    for _ in 0..rounds {
        let others = found.matches.iter().copied().filter(|m| !known_x[m.0 as usize] && !known_y[m.1 as usize]);
        let pairs: Vec<Match> = others.chain(side.given.iter().copied()).collect();
        let x = whitened(side.x, pairs.iter().map(|m| (m.0 as usize, 1.0)), RIDGE)?;
        let y = whitened(side.y, pairs.iter().map(|m| (m.1 as usize, 1.0)), RIDGE)?;
        let next = mutually(mapped(&x, &y, &pairs, &vec![1.0; pairs.len()], 1.0)?);
        if next.matches == found.matches {
            break;
        }
        found = next;
    }
    Ok(found)
}

/// Rows times `(C + ridge · mean variance)^(−1/2)`, with C the covariance of the chosen rows, each with its weight.
pub(in crate::correspondence) fn whitened(
    rows: &Matrix<f64>,
    chosen: impl Iterator<Item = (usize, f64)>,
    ridge: f64,
) -> Result<Matrix<f64>> {
    let d = rows.ncols();
    let values: Vec<f64> = chosen.flat_map(|(i, w)| rows.row(i).iter().map(move |v| w.sqrt() * v)).collect();
    let some = Tall { values, stride: d };
    let (squares, vectors) = symmetric_eigen(&gram(&some, d, &some))?;
    let mean = squares.iter().sum::<f64>() / d as f64;
    let scaled = Mat::from_fn(d, d, |i, j| vectors[(i, j)] / (squares[j].max(0.0) + ridge * mean).max(1e-300).sqrt());
    let turn = &scaled * vectors.transpose();
    let out = product(&Tall { values: rows.as_slice().to_vec(), stride: d }, turn.as_ref());
    Matrix::from_vec(out.values, rows.nrows(), d)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn right_matches_among_wrong_ones_are_steady_and_matches_of_noise_are_not() {
        let mut rng = ChaCha8Rng::seed_from_u64(4);
        let (n, d, both) = (800, 30, 240);
        let mut normal = || (0..12).map(|_| rng.random_range(-0.5..0.5f64)).sum::<f64>();
        let x = Matrix::from_fn(n, d, |_, j| normal() / (1.0 + j as f64).powf(0.3));
        // The first rows are in both sets, the others are other rows of the same kind.
        let y = Matrix::from_fn(n, d, |i, j| {
            let own = normal() / (1.0 + j as f64).powf(0.3);
            if i < both { x[(i, j)] + 0.1 * own } else { own }
        });
        let right: Vec<Match> = (0..both as u32).map(|i| (i, i)).collect();
        let matches = |pairs: &[Match]| mutually(mapped(&x, &y, pairs, &vec![1.0; pairs.len()], 0.5).unwrap()).matches;
        let found = matches(&right);
        let steady = Steady::of(&x, &y, &found, 0.5, 0).unwrap();
        let kept = steady.matches(&found);
        let of_them = kept.iter().filter(|m| m.0 == m.1).count();
        assert!(found.len() > both + 150, "{} matches, {both} of them right", found.len());
        assert!(steady.steadiness > 0.5, "{}", steady.steadiness);
        assert!(of_them as f64 > 0.9 * both as f64, "{of_them} of {both}");
        // In few dimensions the map hardly depends on the half, so that some wrong matches are steady, too.
        let share = |right: usize, of: usize| right as f64 / of as f64;
        assert!(
            share(of_them, kept.len()) > share(both, found.len()) + 0.1,
            "{of_them} of {}, {both} of {}",
            kept.len(),
            found.len()
        );
        // Matches that a wrong map made, and that have been fitted to each other since.
        let mut found: Vec<Match> = (0..n as u32 - 1).map(|i| (i, i + 1)).collect();
        for _ in 0..10 {
            found = matches(&found);
        }
        let noise = Steady::of(&x, &y, &found, 0.5, 0).unwrap();
        assert!(noise.steadiness < 0.5, "{}", noise.steadiness);
        // Three matches have no halves, and none comes back.
        let few = Steady::of(&x, &y, &right[..3], 0.5, 0).unwrap();
        assert_eq!((few.steadiness, few.often), (0.0, vec![false; 3]));
    }

    #[test]
    fn whitened_rows_have_nearly_the_same_variance_in_every_direction() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let rows = Matrix::from_fn(200, 6, |_, j| rng.random_range(-1.0..1.0) / (1 + j) as f64);
        let square = |m: &Matrix<f64>, j: usize| m.rows().map(|r| r[j] * r[j]).sum::<f64>();
        let mean = (0..6).map(|j| square(&rows, j)).sum::<f64>() / 6.0;
        let white = whitened(&rows, (0..200).map(|i| (i, 1.0)), RIDGE).unwrap();
        // The columns hardly correlate, so each is scaled separately.
        for j in 0..6 {
            let expected = square(&rows, j) / (square(&rows, j) + RIDGE * mean);
            assert!((square(&white, j) / expected - 1.0).abs() < 0.1, "{j}");
        }
    }

    #[test]
    fn refined_matches_are_better_where_what_is_common_varies_little() {
        let mut rng = ChaCha8Rng::seed_from_u64(2);
        let common = Matrix::from_fn(600, 12, |_, _| rng.random_range(-1.0..1.0f64));
        // Twelve small common columns, eight large ones that are not common.
        let mut view = || {
            Matrix::from_fn(600, 20, |i, j| match j {
                0..8 => 2.0 * rng.random_range(-1.0..1.0),
                _ => common[(i, j - 8)] + 0.3 * rng.random_range(-1.0..1.0),
            })
        };
        let (x, y) = (view(), view());
        let side = Side { x: &x, y: &y, given: &[] };
        let right = |m: &Matched| m.matches.iter().filter(|m| m.0 == m.1).count();
        // Two of three matches are right.
        let matches: Vec<Match> = (0..600).map(|i| (i, if i % 3 == 0 { (i + 3) % 600 } else { i })).collect();
        let ones = vec![1.0; 600];
        let plain = mutual(&[&Compared::new(mapped(&x, &y, &matches, &ones, 0.0).unwrap())]);
        let better = refined(&side, Matched { scores: ones, matches }, 2).unwrap();
        assert!(right(&better) > right(&plain) && right(&better) > 500, "{} {}", right(&plain), right(&better));
    }
}
