//! Whether new rows are still like those that a map was fitted on.

use crate::data::Rows;
use crate::error::{Error, Result};
use crate::linalg::Matrix;
use crate::linalg::whitening::symmetric_eigen;
use crate::model::{Alignment, DatasetRef, Mapping};
use faer::Mat;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// What a look at new rows found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Drift {
    /// New rows that were looked at.
    pub rows: usize,
    /// Fitted rows that they were compared with.
    pub fitted_rows: usize,
    /// Median length of a new row, and of a fitted one.
    pub length: (f64, f64),
    /// Mean share of a new row (of length 1, less the mean) outside the principal directions of the fitted rows; and of fitted rows
    /// that did not define the directions.
    pub outside: (f64, f64),
    /// Energy distance between the two samples of rows of length 1: 0 if they come from one distribution.
    pub energy_distance: f64,
    /// Share of random divisions of the rows into two samples with at least that energy distance.
    pub p_value: f64,
    /// Whether the new rows differ in a way that matters to the map.
    pub drifted: bool,
    /// The same in words, with what to do.
    pub verdict: String,
}

/// Rows of each sample, at most: the cost grows with the square.
const MOST: usize = 512;
/// Random divisions.
const SHUFFLES: usize = 499;
/// Below this p-value, rows of one distribution would be called drifted once in a hundred looks.
const CLEAR: f64 = 0.01;
/// Lengths that differ by more than this factor are said, even if directions agree.
const LENGTHS: f64 = 1.2;
/// Fewest rows that tell anything.
const LEAST: usize = 8;

impl Alignment {
    /// Compares new rows of a dataset with a sample of those that the model was fitted on. Bridges keep such a sample.
    pub fn check_drift<'a>(&self, rows: &Rows, dataset: impl Into<DatasetRef<'a>>, random_state: u64) -> Result<Drift> {
        let at = self.position(dataset)?;
        self.check_new(rows, at)?;
        let fitted = &self.fitted[at];
        let sample = fitted.sample.as_ref().ok_or_else(|| Error::Undefined {
            what: "a look at drift".into(),
            why: format!("the model keeps no sample of the rows of \"{}\"; models of `bridge` do", fitted.name()),
        })?;
        if rows.nrows() < LEAST || sample.nrows() < LEAST {
            let (dataset, rows) = match rows.nrows() < LEAST {
                true => ("new rows".to_string(), rows.nrows()),
                false => (fitted.name().to_string(), sample.nrows()),
            };
            return Err(Error::TooFewRows { dataset, rows, needed: LEAST });
        }
        // Where rows are scaled to length 1 first, their length does not matter.
        let scales = matches!(&fitted.mapping, Mapping::Linear(map) if map.preparation.prepare().unit_first());
        Ok(drift(&evenly(rows), &sample.to_f64(), scales, random_state))
    }
}

/// At most [`MOST`] rows, evenly chosen.
fn evenly(rows: &Rows) -> Matrix<f64> {
    let count = MOST.min(rows.nrows());
    let mut out = Matrix::zeros(count, rows.ncols());
    (0..count).for_each(|t| rows.copy_row(t * rows.nrows() / count, out.row_mut(t)));
    out
}

fn drift(new: &Matrix<f64>, old: &Matrix<f64>, scales: bool, seed: u64) -> Drift {
    let lengths = |m: &Matrix<f64>| median(m.rows().map(|r| r.iter().map(|v| v * v).sum::<f64>().sqrt()).collect());
    let length = (lengths(new), lengths(old));
    let (new_units, old_units) = (unit(new), unit(old));
    let (energy_distance, p_value) = energy(&new_units, &old_units, seed);
    let outside = outside(&new_units, &old_units);
    let other_lengths = length.0.max(length.1) > LENGTHS * length.0.min(length.1);
    let turned = p_value <= CLEAR;
    let drifted = turned || (other_lengths && !scales);
    let verdict = match (turned, other_lengths) {
        (true, _) => format!(
            "yes, the rows have drifted: their directions differ from those of the fit (energy distance {energy_distance:.4}, p = {p_value:.3}; {:.0} % outside its principal directions, {:.0} % at the fit). Embed some of them with both models, and fit the bridge again with these pairs",
            100.0 * outside.0,
            100.0 * outside.1
        ),
        (false, true) => {
            let lengths = format!("{:.3}, and {:.3} at the fit", length.0, length.1);
            match scales {
                true => format!(
                    "no drift of directions (p = {p_value:.3}), but the rows have another length: {lengths}. The map scales every row to length 1 itself, so that its results hold"
                ),
                false => format!(
                    "yes, the rows have another length: {lengths}. The map does not scale rows: scale these as the fitted ones were"
                ),
            }
        }
        (false, false) => {
            format!("no drift: rows like those of the fit would differ as much or more with probability {p_value:.3}")
        }
    };
    Drift { rows: new.nrows(), fitted_rows: old.nrows(), length, outside, energy_distance, p_value, drifted, verdict }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    values[values.len() / 2]
}

fn unit(rows: &Matrix<f64>) -> Matrix<f64> {
    let mut out = rows.clone();
    (0..out.nrows()).for_each(|i| crate::geometry::neighbors::unit_length(out.row_mut(i)));
    out
}

/// The energy distance `2 E|x − y| − E|x − x'| − E|y − y'|` (Székely, Rizzo 2004), and its p-value by random divisions.
fn energy(x: &Matrix<f64>, y: &Matrix<f64>, seed: u64) -> (f64, f64) {
    let (n, m) = (x.nrows(), y.nrows());
    let all = n + m;
    let row = |i: usize| if i < n { x.row(i) } else { y.row(i - n) };
    let apart: Vec<f64> = (0..all)
        .into_par_iter()
        .flat_map_iter(|i| (0..all).map(move |j| row(i).iter().zip(row(j)).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()))
        .collect();
    let statistic = |first: &[bool]| {
        let (mut within, mut across, mut other) = (0.0, 0.0, 0.0);
        for i in 0..all {
            let (mut own, mut rest) = (0.0, 0.0);
            for (d, is_first) in apart[i * all..(i + 1) * all].iter().zip(first) {
                if *is_first { own += d } else { rest += d }
            }
            if first[i] {
                within += own;
                across += rest;
            } else {
                other += rest;
            }
        }
        let (n, m) = (n as f64, m as f64);
        2.0 * across / (n * m) - within / (n * n) - other / (m * m)
    };
    let mut first: Vec<bool> = (0..all).map(|i| i < n).collect();
    let found = statistic(&first);
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let shuffled: Vec<Vec<bool>> = (0..SHUFFLES)
        .map(|_| {
            first.shuffle(&mut rng);
            first.clone()
        })
        .collect();
    let as_far = shuffled.par_iter().filter(|s| statistic(s) >= found).count();
    (found, (1 + as_far) as f64 / (1 + SHUFFLES) as f64)
}

/// The mean share of new rows outside the leading directions of one half of the old rows, and that of the other half.
fn outside(new: &Matrix<f64>, old: &Matrix<f64>) -> (f64, f64) {
    let half = old.nrows() / 2;
    let (p, count) = (old.ncols(), half);
    let basis: Vec<usize> = (0..half).map(|t| 2 * t).collect();
    let mut mean = vec![0.0; p];
    basis.iter().for_each(|&i| mean.iter_mut().zip(old.row(i)).for_each(|(m, v)| *m += v / count as f64));
    let centred = |row: &[f64]| row.iter().zip(&mean).map(|(v, m)| v - m).collect::<Vec<f64>>();
    let known: Vec<Vec<f64>> = basis.iter().map(|&i| centred(old.row(i))).collect();
    // The directions from the products of rows, of which there are few.
    let products = Mat::from_fn(count, count, |i, j| known[i].iter().zip(&known[j]).map(|(a, b)| a * b).sum::<f64>());
    let Ok((values, vectors)) = symmetric_eigen(&products) else { return (0.0, 0.0) };
    let total: f64 = values.iter().filter(|v| **v > 0.0).sum();
    let mut kept: Vec<Vec<f64>> = vec![];
    let mut explained = 0.0;
    for c in (0..count).rev() {
        // Nine tenths of the variance.
        if explained >= 0.9 * total || values[c] <= 1e-12 * total {
            break;
        }
        explained += values[c];
        let mut direction = vec![0.0; p];
        for (i, row) in known.iter().enumerate() {
            direction.iter_mut().zip(row).for_each(|(d, v)| *d += vectors[(i, c)] * v / values[c].sqrt());
        }
        kept.push(direction);
    }
    let share = |row: &[f64]| {
        let x = centred(row);
        let whole: f64 = x.iter().map(|v| v * v).sum();
        let inside: f64 = kept.iter().map(|d| d.iter().zip(&x).map(|(a, b)| a * b).sum::<f64>().powi(2)).sum();
        if whole > 0.0 { (1.0 - inside / whole).max(0.0) } else { 0.0 }
    };
    let of_new = new.rows().map(share).sum::<f64>() / new.nrows() as f64;
    let others: Vec<usize> = (0..old.nrows()).filter(|i| i % 2 == 1).collect();
    let of_old = others.iter().map(|&i| share(old.row(i))).sum::<f64>() / others.len().max(1) as f64;
    (of_new, of_old)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::RngExt;

    fn cloud(n: usize, p: usize, shift: f64, scale: f64, seed: u64) -> Matrix<f64> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut normal = || (0..12).map(|_| rng.random_range(0.0..1.0)).sum::<f64>() - 6.0;
        Matrix::from_fn(n, p, |_, j| scale * (normal() / (1.0 + j as f64) + if j == p - 1 { shift } else { 0.3 }))
    }

    #[test]
    fn the_energy_distance_is_its_formula() {
        let (x, y) = (cloud(9, 3, 0.0, 1.0, 1), cloud(7, 3, 0.5, 1.0, 2));
        let apart = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
        let mean = |a: &Matrix<f64>, b: &Matrix<f64>| {
            a.rows().flat_map(|r| b.rows().map(move |s| apart(r, s))).sum::<f64>() / (a.nrows() * b.nrows()) as f64
        };
        let naive = 2.0 * mean(&x, &y) - mean(&x, &x) - mean(&y, &y);
        assert!((energy(&x, &y, 0).0 - naive).abs() < 1e-12);
    }

    #[test]
    fn rows_of_the_same_kind_do_not_drift_and_others_do() {
        let old = cloud(300, 12, 0.0, 1.0, 3);
        let calm = (0..20).filter(|seed| drift(&cloud(120, 12, 0.0, 1.0, 100 + seed), &old, true, *seed).drifted).count();
        assert!(calm <= 2, "{calm} of 20 looks at the same kind of rows");
        let moved = drift(&cloud(120, 12, 0.8, 1.0, 5), &old, true, 0);
        assert!(moved.drifted && moved.verdict.starts_with("yes") && moved.outside.0 > moved.outside.1, "{moved:?}");
        // Another length alone is said, and is not drift.
        let longer = drift(&cloud(120, 12, 0.0, 3.0, 6), &old, true, 0);
        assert!(!longer.drifted && longer.verdict.contains("another length"), "{longer:?}");
        assert!(longer.outside.0 < 0.3, "{longer:?}");
        // A map that does not scale its rows would place them wrongly.
        let wrong = drift(&cloud(120, 12, 0.0, 3.0, 6), &old, false, 0);
        assert!(wrong.drifted && wrong.verdict.contains("does not scale"), "{wrong:?}");
    }
}
