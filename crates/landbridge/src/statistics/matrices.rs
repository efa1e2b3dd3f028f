//! The matrices of the methods, from exact sums. Means are subtracted with twice the digits, so that nothing is lost where columns
//! are far from 0.

use super::exact::{Exact, Twofold};
use super::{Side, Statistics};
use crate::data::{Preparation, Prepare};
use crate::error::{Error, Result};
use crate::linalg::dense::{add_symmetric_matmul, mirror};
use crate::model::products::{self, Products, Wanted};
use crate::outcome::Warning;
use crate::params::Words;
use faer::Mat;

/// Products below this share of their terms are rounding errors: the column is constant.
const NOTHING: f64 = 1e-28;
/// The exponents of the largest squares that need no scaling, as in fits of rows.
const TAME: std::ops::RangeInclusive<i32> = -400..=400;

/// The sums of one dataset, scaled by a power of two, with twice the digits.
struct Sums {
    /// `2^shift` is the scale.
    shift: i32,
    /// Sum over the pairs of each column, minus the weight times what is subtracted.
    centred: Vec<Twofold>,
    /// What is subtracted from each column.
    origin: Vec<Twofold>,
    /// The weighted sum over the pairs.
    paired: Vec<Twofold>,
    /// Factor of each column.
    factors: Option<Vec<f64>>,
}

impl Statistics {
    /// The products that a method wants.
    pub(super) fn products(&self, wanted: Wanted) -> Result<Products> {
        let mut notes = vec![];
        let weight = self.weight.value(0, 0);
        let mut sides = vec![];
        for side in &self.sides {
            let prepare = self.prepared(side, wanted.prepare, &mut notes)?;
            sides.push(side.sums(prepare, wanted.around_pairs, weight, &mut notes));
        }
        let [x, y] = [&sides[0].0, &sides[1].0];
        let (p, q) = (self.sides[0].width, self.sides[1].width);
        // Σ w (x − a)(y − b)' = Σ w xy' − a (Σ w y)' − (Σ w x − w a) b'
        let shift = x.shift + y.shift;
        let cross = Mat::from_fn(p, q, |i, j| {
            let raw = self.cross.value(j * p + i, shift);
            let left = raw.minus(x.origin[i].times(y.paired[j])).minus(x.centred[i].times(y.origin[j]));
            x.factor(i) * y.factor(j) * left.rounded()
        });
        let mut described = vec![];
        for (side, (sums, preparation)) in self.sides.iter().zip(&sides) {
            let mut one = side.described(sums, preparation, weight);
            if wanted.graph {
                one.graph = Some(side.graph(sums)?);
            }
            described.push(one);
        }
        let (Some(second), Some(first)) = (described.pop(), described.pop()) else {
            return Err(Error::TooFewDatasets { given: 0 });
        };
        let finite = |m: &Mat<f64>| (0..m.ncols()).all(|j| (0..m.nrows()).all(|i| m[(i, j)].is_finite()));
        if !(finite(&first.own) && finite(&second.own) && finite(&cross)) {
            return Err(Error::Overflow { what: "products over the pairs".into() });
        }
        Ok(Products { sides: [first, second], cross, pairs: self.pairs as usize, weight: weight.rounded(), notes })
    }
    /// The preprocessing that statistics can do: what is linear in the rows.
    fn prepared(&self, side: &Side, prepare: Prepare, notes: &mut Vec<Warning>) -> Result<Prepare> {
        match prepare {
            Prepare::Auto => {
                if side.counts {
                    let why = format!(
                        "dataset \"{}\" holds only whole numbers from 0. A fit may take them for counts of cells and scale each row first; sums \
                         over rows cannot do that, so its columns are centred only, and the model may differ from that of a fit. Scale \
                         the rows before their statistics, or say prepare center if this is meant",
                        side.name
                    );
                    notes.push(Warning::NoEffect { parameter: "prepare auto".into(), why });
                }
                Ok(Prepare::Center)
            }
            Prepare::None | Prepare::Center | Prepare::Standardize => Ok(prepare),
            other => {
                let what = format!("prepare \"{}\" from statistics", Words::word(&other));
                let why = "it changes every row by itself; prepare the rows first, or use none, center or standardize".into();
                Err(Error::Undefined { what, why })
            }
        }
    }
}

impl Sums {
    fn factor(&self, j: usize) -> f64 {
        self.factors.as_ref().map_or(1.0, |f| f[j])
    }
}

impl Side {
    fn sums(&self, prepare: Prepare, around_pairs: bool, weight: Twofold, notes: &mut Vec<Warning>) -> (Sums, Preparation) {
        let p = self.width;
        let shift = shift_of(&self.squares).min(shift_of_diagonal(&self.products, p));
        let rows = Twofold::of(self.rows as f64);
        let means: Vec<Twofold> = (0..p).map(|j| self.sums.value(j, shift).over(rows)).collect();
        // Σ (x − m)² = Σ x² − m Σ x
        let deviations: Vec<f64> = (0..p)
            .map(|j| {
                let squares = self.squares.value(j, 2 * shift);
                let left = squares.minus(means[j].times(self.sums.value(j, shift))).rounded();
                if left > NOTHING * squares.rounded() { left } else { 0.0 }
            })
            .collect();
        let constant = deviations.iter().filter(|d| **d == 0.0).count();
        if prepare != Prepare::None && constant > 0 {
            notes.push(Warning::ConstantColumns { dataset: self.name.clone(), count: constant });
        }
        let unscaled = 2f64.powi(-shift);
        let factors = (prepare == Prepare::Standardize).then(|| {
            let inverse = |(d, m): (&f64, &Twofold)| {
                let deviation = (d / self.rows as f64).sqrt();
                if deviation > 1e-14 * m.rounded().abs() { 1.0 / deviation } else { 0.0 }
            };
            deviations.iter().zip(&means).map(inverse).collect::<Vec<f64>>()
        });
        // Factors of the rows as they are; those of the scaled rows leave no scale behind.
        let own_factors = factors.as_ref().map(|f| f.iter().map(|f| f / unscaled).collect::<Vec<f64>>());
        let mean = (prepare != Prepare::None).then(|| {
            let factor = |j: usize| own_factors.as_ref().map_or(1.0, |f| f[j]);
            (0..p).map(|j| factor(j) * (means[j].rounded() * unscaled)).collect()
        });
        let preparation = Preparation { prepare, factors: own_factors, mean, total: None };
        let paired: Vec<Twofold> = (0..p).map(|j| self.paired.value(j, shift)).collect();
        let origin: Vec<Twofold> = match (around_pairs, prepare) {
            (true, _) => paired.iter().map(|s| s.over(weight)).collect(),
            (false, Prepare::None) => vec![Twofold::default(); p],
            (false, _) => means,
        };
        let centred = paired.iter().zip(&origin).map(|(s, o)| s.minus(weight.times(*o))).collect();
        (Sums { shift, centred, origin, paired, factors }, preparation)
    }
    /// The dataset of products, from its sums.
    fn described(&self, sums: &Sums, preparation: &Preparation, weight: Twofold) -> products::Side {
        let p = self.width;
        let mut own = Mat::zeros(p, p);
        let mut at = 0;
        let mut diagonal = vec![0.0; p];
        for j in 0..p {
            for i in j..p {
                // Σ w (x_i − a_i)(x_j − a_j) = Σ w x_i x_j − a_i Σ w x_j − (Σ w x_i − w a_i) a_j
                let raw = self.products.value(at, 2 * sums.shift);
                let left = raw.minus(sums.origin[i].times(sums.paired[j])).minus(sums.centred[i].times(sums.origin[j]));
                own[(i, j)] = sums.factor(i) * sums.factor(j) * left.rounded();
                if i == j {
                    diagonal[j] = if left.rounded() > NOTHING * raw.rounded() { 1.0 } else { 0.0 };
                }
                at += 1;
            }
        }
        for j in 0..p {
            for i in j..p {
                own[(i, j)] *= diagonal[i] * diagonal[j];
            }
        }
        mirror(&mut own);
        let scale = if sums.factors.is_some() { 1.0 } else { 2f64.powi(sums.shift) };
        // The mean of the prepared rows over the pairs, before scaling.
        let unscaled = 2f64.powi(-sums.shift);
        let mean = (0..p)
            .map(|j| {
                let raw = sums.paired[j].over(weight).rounded() * unscaled;
                let factor = preparation.factors.as_ref().map_or(1.0, |f| f[j]);
                factor * raw - preparation.mean.as_ref().map_or(0.0, |m| m[j])
            })
            .collect();
        products::Side {
            name: self.name.clone(),
            columns: self.columns.clone(),
            n_features: p,
            preparation: preparation.clone(),
            own,
            scale,
            mean,
            graph: None,
        }
    }
    /// The landmark graph over all prepared rows, scaled as the products over the pairs.
    fn graph(&self, sums: &Sums) -> Result<products::Graph> {
        let Some(near) = &self.near else {
            let what = "linear maps from statistics without landmarks".into();
            let why = "give every shard the same landmarks (CLI: stats --landmarks FILE FILE; Python: landmarks=)".into();
            return Err(Error::Undefined { what, why });
        };
        let (p, rows) = (self.width, Twofold::of(self.rows as f64));
        let all: Vec<Twofold> = (0..p).map(|j| self.sums.value(j, sums.shift)).collect();
        let centred: Vec<Twofold> = all.iter().zip(&sums.origin).map(|(s, o)| s.minus(rows.times(*o))).collect();
        let mut own = Mat::zeros(p, p);
        let mut at = 0;
        for j in 0..p {
            for i in j..p {
                let raw = near.products.value(at, 2 * sums.shift);
                let left = raw.minus(sums.origin[i].times(all[j])).minus(centred[i].times(sums.origin[j]));
                let nothing = i == j && left.rounded() <= NOTHING * raw.rounded();
                own[(i, j)] = if nothing { 0.0 } else { sums.factor(i) * sums.factor(j) * left.rounded() };
                at += 1;
            }
        }
        // X'W X = (X'Z) Λ⁻¹ (Z'X); landmarks that no row is near to have no edges.
        let mass: Vec<Twofold> = (0..near.count).map(|k| near.mass.value(k, 0)).collect();
        let used: Vec<usize> = (0..near.count).filter(|&k| mass[k].rounded() > 0.0).collect();
        let ties = Mat::from_fn(p, used.len(), |i, c| {
            let k = used[c];
            let left = near.ties.value(k * p + i, sums.shift).minus(sums.origin[i].times(mass[k]));
            sums.factor(i) * left.rounded() / mass[k].rounded().sqrt()
        });
        let mut smooth = Mat::zeros(p, p);
        add_symmetric_matmul(smooth.as_mut(), ties.as_ref(), ties.transpose(), 1.0);
        mirror(&mut own);
        mirror(&mut smooth);
        let finite = |m: &Mat<f64>| (0..p).all(|j| (0..p).all(|i| m[(i, j)].is_finite()));
        if !(finite(&own) && finite(&smooth)) {
            return Err(Error::Overflow { what: "products over the rows".into() });
        }
        Ok(products::Graph { own, smooth, rows: self.rows as f64 })
    }
}

/// The shift that brings squares of this size into the range of double precision.
fn shift_for(largest: Option<i32>) -> i32 {
    match largest {
        Some(exponent) if !TAME.contains(&exponent) => (-exponent / 2).clamp(-1000, 1000),
        _ => 0,
    }
}

fn shift_of(squares: &Exact) -> i32 {
    shift_for((0..squares.len).filter_map(|at| squares.exponent(at)).max())
}

fn shift_of_diagonal(products: &Exact, p: usize) -> i32 {
    let places = (0..p).scan(0, |at, j| Some(std::mem::replace(at, *at + p - j)));
    shift_for(places.filter_map(|at| products.exponent(at)).max())
}
