//! How far each match leads over its rivals, under refits that did not see it, and the same for decoys.

use crate::correspondence::self_training::rounds::{mapped, whitened};
use crate::error::Result;
use crate::geometry::csls::{Compared, Leaders, Match};
use crate::linalg::Matrix;
use crate::progress::Progress;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

/// Parts into which the matches are split; each refit leaves one out.
const FOLDS: usize = 5;
/// Matches per dimension from which a ridge of 0.1 (otherwise 1) is enough.
const PLENTY: f64 = 20.0;
/// Share of the score in the strength of a match. Rows without a partner have low scores; the lead says more.
const SCORE: f64 = 0.3;
/// Weight below which a match has no say in a refit.
const SILENT: f64 = 1e-3;

/// No row.
pub(super) const NONE: u32 = u32::MAX;

/// The two sides: each in its own coordinates, and which rows are known to correspond.
pub(super) struct Sides<'a> {
    pub(super) x: &'a Matrix<f64>,
    pub(super) y: &'a Matrix<f64>,
    /// The comparison that the matches come from.
    pub(super) whole: &'a Leaders<'a>,
    /// Known pairs.
    pub(super) known: &'a [Match],
    /// Whether known pairs are held out in turn, as matches are.
    pub(super) hold_out: bool,
}

/// The match of each row, and its decoy.
#[derive(Clone)]
pub(super) struct Candidates {
    /// The match of each row of the first side; [`NONE`] without one.
    pub(super) of: Vec<u32>,
    /// What the row would match if its match were taken away.
    pub(super) decoy: Vec<u32>,
    /// The row to which the decoy belongs, if to any.
    pub(super) owner: Vec<u32>,
}

impl Candidates {
    /// Gives row `i` a decoy; `owners` has the best row of each column.
    pub(super) fn set_decoy(&mut self, i: usize, decoy: u32, owners: &[u32]) {
        self.decoy[i] = decoy;
        self.owner[i] = owners.get(decoy as usize).copied().unwrap_or(NONE);
    }
}

/// Leads of a row and a column: over the second best column of the row, over the second best row of the column; the score.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Lead {
    pub(super) row: f64,
    pub(super) column: f64,
    pub(super) score: f64,
}

impl Lead {
    /// The smaller of the two leads.
    pub(super) fn least(&self) -> f64 {
        self.row.min(self.column)
    }
    /// What tells right from wrong: the smaller lead, and to a part the score.
    pub(super) fn strength(&self) -> f64 {
        self.least() + SCORE * self.score
    }
    fn add(&mut self, other: Self) {
        self.row += other.row;
        self.column += other.column;
        self.score += other.score;
    }
    fn over(&self, count: f64) -> Self {
        Self { row: self.row / count, column: self.column / count, score: self.score / count }
    }
}

/// Of each row, the mean over the refits that did not see it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RowLeads {
    /// The match.
    pub(super) matched: Lead,
    /// The decoy, when the match is taken away.
    pub(super) decoy: Lead,
    /// The decoy, when its own row is taken away as well.
    pub(super) free_decoy: Lead,
    /// How many refits did not see the row.
    pub(super) refits: usize,
}

/// Leads of (i, j). Of a decoy: as if the match were absent, with what is nearer to it than the row is (by the comparison of all); and another
/// row, if one is named.
fn lead([leaders, whole]: [&Leaders<'_>; 2], i: usize, j: u32, matched: Option<u32>, no_row: Option<u32>) -> Lead {
    let score = leaders.score(i, j as usize);
    let rival = |found: Option<(u32, f64)>| found.map_or(0.0, |(_, best)| score - best);
    let in_row = match matched {
        Some(matched) => leaders.of_row_apart(i, matched, j, whole),
        None => leaders.of_row(i, &[j]),
    };
    Lead { row: rival(in_row), column: rival(leaders.of_column(j as usize, &[i as u32, no_row.unwrap_or(i as u32)])), score }
}

/// What a pass over the refits says.
pub(super) struct Reading {
    pub(super) leads: Vec<RowLeads>,
    /// What each row would match in a refit that did not see it, if its match were taken away. [`NONE`] without one.
    pub(super) next_decoys: Vec<u32>,
}

/// Refits on the matches (each with its weight) and the known pairs, in turn without a part of them, and reads the rows that
/// each refit did not see. Known pairs that are held out get the match, and the decoy, of their refit.
pub(super) fn read_leads(
    sides: &Sides<'_>,
    matches: &[Match],
    weights: &[f64],
    candidates: &mut Candidates,
    owners: &[u32],
    seed: u64,
    progress: &Progress,
) -> Result<Reading> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let (part, known_part) = (parts(matches.len(), &mut rng), parts(sides.known.len(), &mut rng));
    let mut found = vec![RowLeads::default(); sides.x.nrows()];
    let mut next_decoys = vec![NONE; sides.x.nrows()];
    for fold in 0..FOLDS {
        progress.step("confidence", fold, FOLDS)?;
        let own = (0..matches.len()).filter(|&m| part[m] != fold && weights[m] > SILENT).map(|m| (matches[m], weights[m]));
        let kept = |p: &usize| !sides.hold_out || known_part[*p] != fold;
        let given = (0..sides.known.len()).filter(kept).map(|p| (sides.known[p], 1.0));
        let train: Vec<(Match, f64)> = own.chain(given).collect();
        if train.len() < 2 {
            continue;
        }
        let compared = refit(sides, &train)?;
        let leaders = compared.leaders();
        let mut seen = vec![false; sides.x.nrows()];
        train.iter().for_each(|((i, _), _)| seen[*i as usize] = true);
        if sides.hold_out {
            for p in (0..sides.known.len()).filter(|&p| known_part[p] == fold) {
                let i = sides.known[p].0 as usize;
                let Some((best, _)) = leaders.of_row(i, &[]).filter(|_| !seen[i]) else { continue };
                candidates.of[i] = best;
                let decoy = leaders.of_row_apart(i, best, best, sides.whole);
                candidates.set_decoy(i, decoy.map_or(NONE, |d| d.0), owners);
            }
        }
        let both = [&leaders, sides.whole];
        found.par_iter_mut().zip(&mut next_decoys).enumerate().with_min_len(256).for_each(|(i, (row, next))| {
            let (j, decoy, owner) = (candidates.of[i], candidates.decoy[i], candidates.owner[i]);
            if seen[i] || j == NONE || decoy == NONE {
                return;
            }
            row.refits += 1;
            row.matched.add(lead(both, i, j, None, None));
            row.decoy.add(lead(both, i, decoy, Some(j), None));
            row.free_decoy.add(lead(both, i, decoy, Some(j), (owner != NONE).then_some(owner)));
            *next = leaders.of_row_apart(i, j, j, sides.whole).map_or(NONE, |d| d.0);
        });
    }
    for row in found.iter_mut().filter(|row| row.refits > 0) {
        let count = row.refits as f64;
        row.matched = row.matched.over(count);
        row.decoy = row.decoy.over(count);
        row.free_decoy = row.free_decoy.over(count);
    }
    Ok(Reading { leads: found, next_decoys })
}

/// Number of known pairs that find each other under refits to the other known pairs alone. Matches of the fit have no part: they would bring
/// back the pairs that the fit was made from, right or wrong.
pub(super) fn confirmed(sides: &Sides<'_>, progress: &Progress) -> Result<usize> {
    let part = parts(sides.known.len(), &mut ChaCha8Rng::seed_from_u64(0));
    let mut right = 0;
    for fold in 0..FOLDS {
        progress.step("known pairs held out", fold, FOLDS)?;
        let of_fold =
            |inside: bool| part.iter().zip(sides.known).filter(move |(p, _)| (**p == fold) == inside).map(|(_, pair)| *pair);
        let train: Vec<(Match, f64)> = of_fold(false).map(|pair| (pair, 1.0)).collect();
        if train.len() < 2 {
            continue;
        }
        let compared = refit(sides, &train)?;
        let leaders = compared.leaders();
        right += of_fold(true).filter(|(i, j)| leaders.of_row(*i as usize, &[]).is_some_and(|best| best.0 == *j)).count();
    }
    Ok(right)
}

/// The part of each of so many, at random.
fn parts(count: usize, rng: &mut ChaCha8Rng) -> Vec<usize> {
    let mut part: Vec<usize> = (0..count).map(|at| at % FOLDS).collect();
    part.shuffle(rng);
    part
}

/// Ridge CCA on the weighted pairs, and the rows of both sides along it.
fn refit(sides: &Sides<'_>, train: &[(Match, f64)]) -> Result<Compared> {
    let (sum, squares) = train.iter().fold((0.0, 0.0), |(s, q), (_, w)| (s + w, q + w * w));
    let dimensions = sides.x.ncols().max(sides.y.ncols()) as f64;
    let ridge = if sum * sum >= PLENTY * dimensions * squares { 0.1 } else { 1.0 };
    let x = whitened(sides.x, train.iter().map(|((i, _), w)| (*i as usize, *w)), ridge)?;
    let y = whitened(sides.y, train.iter().map(|((_, j), w)| (*j as usize, *w)), ridge)?;
    let (pairs, weights): (Vec<Match>, Vec<f64>) = train.iter().copied().unzip();
    Ok(Compared::new(mapped(&x, &y, &pairs, &weights, 1.0)?))
}
