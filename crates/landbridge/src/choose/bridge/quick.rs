//! Canonical correlations of two stores, many times over: the rows are prepared once, and products are summed in single precision.
//!
//! Maps that compete need no more digits. The method that wins is fitted once more in double precision.

use super::recipe::{Correlation, Further, Rooms};
use crate::data::prepared::Values;
use crate::data::{Dataset, Pairs, Preparation, Prepare};
use crate::error::{Error, Result};
use crate::geometry::csls::mutual_among_nearest;
use crate::geometry::neighbors::unit_length;
use crate::linalg::Matrix;
use crate::linalg::dense::{Cholesky, add_matmul};
use crate::linalg::tall::{Tall, gram, product, view, view_mut};
use crate::linalg::whitening::symmetric_eigen;
use crate::model::{Alignment, Fitted, LinearMap, Mapping};
use crate::outcome::Outcome;
use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, Par};
use rayon::prelude::*;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// A row of the old store, one of the new store, and the weight of the pair.
pub(super) type Weighed = (usize, usize, f64);
/// A ridge and pairs, by their bits.
type Key = (u64, Vec<(usize, usize, u64)>);

/// Both stores, prepared.
pub(super) struct Stores<'a> {
    pub(super) datasets: &'a [Dataset],
    preparations: Vec<Preparation>,
    rows: [Matrix<f32>; 2],
    /// What was solved without further pairs: recipes that differ in the weights of components share it.
    solved: Mutex<HashMap<Key, Arc<Maps>>>,
}

/// One map per store, before components are weighted.
pub(super) struct Maps {
    sides: [Matrix<f64>; 2],
    correlations: Vec<f64>,
}

/// Times that further pairs are looked up, each time in the better map.
const MOST_ROUNDS: usize = 4;
/// The search ends if the number of further pairs changes by less than this share.
const SETTLED: f64 = 0.05;
/// Further pairs are looked up in this many leading components: the others have little weight.
const COMPARED: usize = 128;
/// Largest number of free rows of a store that are compared with those of the other.
const MOST_FREE: usize = 8_000;
/// Squared correlations below this share of the largest are rounding errors.
const ZERO: f64 = 1e-12;
/// Rows that a thread places together.
const TOGETHER: usize = 512;

impl<'a> Stores<'a> {
    pub(super) fn new(datasets: &'a [Dataset]) -> Result<Self> {
        let preparations: Vec<Preparation> =
            datasets.iter().map(|d| Preparation::of(Prepare::UnitCenter, d)).collect::<Result<_>>()?;
        let single = |a: usize| -> Result<Matrix<f32>> {
            let prepared = preparations[a].apply(datasets[a].rows());
            let Values::Dense(values) = prepared.values else {
                return Err(Error::Undefined { what: "a bridge".into(), why: "the rows are sparse".into() });
            };
            Ok(Matrix::from_vec(values.values, datasets[a].nrows(), datasets[a].ncols())?.to_f32())
        };
        let rows = [single(0)?, single(1)?];
        Ok(Self { datasets, preparations, rows, solved: Mutex::default() })
    }

    /// The maps for these pairs, and the further pairs that they were fitted to as well.
    pub(super) fn fit(
        &self,
        pairs: &Pairs,
        correlation: Correlation,
        further: Option<Further>,
        rooms: &Rooms,
    ) -> Result<(Arc<Maps>, Vec<Weighed>)> {
        let known: Vec<Weighed> = pairs.links().iter().map(|l| (l.i, l.j, l.weight)).collect();
        let Some(further) = further.filter(|_| rooms.have_free_rows()) else {
            return Ok((self.remembered(known, correlation.ridge)?, vec![]));
        };
        let free = [0, 1].map(|a| rooms.some(a, MOST_FREE));
        let (mut maps, mut power) = (self.remembered(known.clone(), further.start.ridge)?, further.start.power);
        let mut found: Vec<Weighed> = vec![];
        for _ in 0..MOST_ROUNDS {
            let placed = |a: usize| self.placed(&maps, power, a, Some(&free[a]), COMPARED);
            let matched = mutual_among_nearest(&placed(0), &placed(1));
            let before = found.len();
            found = matched.iter().map(|&(i, j)| (free[0][i as usize], free[1][j as usize], further.weight)).collect();
            let all: Vec<Weighed> = known.iter().chain(&found).copied().collect();
            (maps, power) = (Arc::new(self.solve(&all, correlation.ridge)?), correlation.power);
            if found.len().abs_diff(before) as f64 <= SETTLED * found.len() as f64 {
                break;
            }
        }
        Ok((maps, found))
    }

    fn remembered(&self, pairs: Vec<Weighed>, ridge: f64) -> Result<Arc<Maps>> {
        let key: Key = (ridge.to_bits(), pairs.iter().map(|p| (p.0, p.1, p.2.to_bits())).collect());
        let lock = || self.solved.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lock().get(&key) {
            return Ok(Arc::clone(known));
        }
        // Solved before the lock is taken, because it uses threads.
        let found = Arc::new(self.solve(&pairs, ridge)?);
        Ok(Arc::clone(lock().entry(key).or_insert(found)))
    }

    /// The solutions of `C f = ρ (B + R) f`, as `CCA` has them: the singular vectors of the whitened cross products of two stores.
    fn solve(&self, pairs: &[Weighed], ridge: f64) -> Result<Maps> {
        let gathered = |a: usize| {
            let mut out = Matrix::zeros(pairs.len(), self.rows[a].ncols());
            for (q, &(i, j, weight)) in pairs.iter().enumerate() {
                let factor = weight.sqrt() as f32;
                let row = self.rows[a].row(if a == 0 { i } else { j });
                out.row_mut(q).iter_mut().zip(row).for_each(|(o, v)| *o = factor * v);
            }
            out
        };
        let paired = [gathered(0), gathered(1)];
        let [p, q] = [0, 1].map(|a| paired[a].ncols());
        let products = |a: &Matrix<f32>, b: &Matrix<f32>| {
            let mut out = Mat::<f32>::zeros(a.ncols(), b.ncols());
            let (left, right) = (view(a.as_slice(), a.ncols(), a.ncols()), view(b.as_slice(), b.ncols(), b.ncols()));
            add_matmul(out.as_mut(), left.transpose(), right, 1.0);
            out
        };
        let factor = |a: usize| {
            let own = products(&paired[a], &paired[a]);
            let size = (0..own.nrows()).map(|i| f64::from(own[(i, i)])).sum::<f64>() / own.nrows() as f64;
            let added = |i: usize, j: usize| if i == j { ridge * size } else { 0.0 };
            let singular = || Error::Numerical { what: "a bridge".into(), problem: "the paired rows have no direction".into() };
            Cholesky::new(Mat::from_fn(own.nrows(), own.nrows(), |i, j| f64::from(own[(i, j)]) + added(i, j)), 0.0)
                .ok_or_else(singular)
        };
        let (of_x, of_y) = (factor(0)?, factor(1)?);
        let cross = products(&paired[0], &paired[1]);
        let mut cross =
            Tall { values: (0..p).flat_map(|i| (0..q).map(move |j| (i, j))).map(|at| f64::from(cross[at])).collect(), stride: q };
        of_x.solve_lower(&mut cross);
        let whitened = of_y.divide_rows(cross); // G_x⁻¹ C G_y'⁻¹
        let k = view(&whitened.values, q, q);
        let n = p.min(q);
        let mut square = Mat::<f64>::zeros(n, n);
        match p <= q {
            true => add_matmul(square.as_mut(), k, k.transpose(), 1.0),
            false => add_matmul(square.as_mut(), k.transpose(), k, 1.0),
        }
        let (values, vectors) = symmetric_eigen(&square)?;
        let kept = values.iter().rev().take_while(|v| **v > ZERO * values[n - 1] && **v > 0.0).count();
        if kept == 0 {
            return Err(Error::Numerical { what: "a bridge".into(), problem: "the paired rows do not correlate".into() });
        }
        let correlations: Vec<f64> = values.iter().rev().take(kept).map(|v| v.sqrt().min(1.0)).collect();
        let leading = Mat::from_fn(n, kept, |i, j| vectors[(i, n - 1 - j)]);
        let tall = |m: &Mat<f64>, over: &dyn Fn(usize) -> f64| {
            let entry = |at: (usize, usize)| m[at] / over(at.1);
            Tall { values: (0..m.nrows()).flat_map(|i| (0..kept).map(move |j| (i, j))).map(entry).collect(), stride: kept }
        };
        let own = tall(&leading, &|_| 1.0);
        let by_correlation = |j: usize| correlations[j];
        let (mut u, mut v) = match p <= q {
            true => {
                let other = gram(&whitened, q, &own);
                (own, tall(&other, &by_correlation))
            }
            false => {
                let mut other = product(&whitened, leading.as_ref());
                other.values.chunks_exact_mut(kept).for_each(|row| row.iter_mut().zip(&correlations).for_each(|(v, c)| *v /= c));
                (other, own)
            }
        };
        of_x.solve_upper(&mut u);
        of_y.solve_upper(&mut v);
        Ok(Maps { sides: [Matrix::from_vec(u.values, p, kept)?, Matrix::from_vec(v.values, q, kept)?], correlations })
    }

    /// Rows of a store (all, or these) in the leading components; each has length 1.
    pub(super) fn placed(&self, maps: &Maps, power: f64, store: usize, rows: Option<&[usize]>, most: usize) -> Matrix<f32> {
        let some;
        let rows = match rows {
            Some(chosen) => {
                some = self.rows[store].select_rows(chosen);
                &some
            }
            None => &self.rows[store],
        };
        let (p, d) = (rows.ncols(), maps.correlations.len().min(most));
        let weights = maps.weights(power);
        let map = Matrix::from_fn(p, d, |i, j| (maps.sides[store][(i, j)] * weights[j]) as f32);
        let mut out = Matrix::zeros(rows.nrows(), d);
        out.as_mut_slice().par_chunks_mut(TOGETHER * d).zip(rows.as_slice().par_chunks(TOGETHER * p)).for_each(|(to, from)| {
            matmul(view_mut(to, d, d), Accum::Replace, view(from, p, p), view(map.as_slice(), d, d), 1.0, Par::Seq);
        });
        out.as_mut_slice().par_chunks_mut(d).for_each(unit_length_f32);
        out
    }

    /// The maps as an alignment of both stores.
    pub(super) fn alignment(&self, maps: &Maps, power: f64) -> Alignment {
        let side = |a: usize| {
            let map = LinearMap::new(self.preparations[a].clone(), maps.sides[a].clone(), Some(maps.weights(power)));
            Fitted::new(&self.datasets[a], self.placed(maps, power, a, None, usize::MAX).to_f64(), Mapping::Linear(map))
        };
        Alignment::of(vec![side(0), side(1)], maps.correlations.clone(), Outcome::direct("dense"))
    }
}

impl Maps {
    fn weights(&self, power: f64) -> Vec<f64> {
        self.correlations.iter().map(|c| c.powf(power)).collect()
    }
}

fn unit_length_f32(row: &mut [f32]) {
    let mut wide: Vec<f64> = row.iter().map(|v| f64::from(*v)).collect();
    unit_length(&mut wide);
    row.iter_mut().zip(wide).for_each(|(o, v)| *o = v as f32);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::synthetic::RotatedCopies;
    use crate::method::Cca;

    #[test]
    fn quick_maps_are_those_of_the_method() {
        // More columns on the one side, then on the other, and fewer pairs than columns.
        for (wide, pairs) in [(0, 60), (1, 60), (1, 7)] {
            let copies = RotatedCopies::new(80).n_features(12).noise(0.3).generate().unwrap();
            let mut data = copies.datasets.clone();
            let mut row = vec![0.0; 12];
            let more = Matrix::from_fn(80, 15, |i, j| {
                data[wide].rows().copy_row(i, &mut row);
                row.get(j).copied().unwrap_or(((i * 7 + j * 3) % 5) as f64)
            });
            data[wide] = Dataset::new("wider", more).unwrap();
            let known = copies.pairs(pairs, 0).unwrap();
            let correlation = Correlation { ridge: 0.3, power: 1.5 };
            let stores = Stores::new(&data).unwrap();
            let (maps, _) = stores.fit(&known, correlation, None, &Rooms::new(&data, &known)).unwrap();
            let quick = stores.alignment(&maps, 1.5);
            let method = Cca::new(12).ridge(Some(0.3)).weight_power(Some(1.5)).prepare(Prepare::UnitCenter);
            let exact = method.fit(&data, &known).unwrap();
            for i in 0..80 {
                for j in 0..80 {
                    let cosine = |a: &Alignment| {
                        1.0 - crate::geometry::neighbors::row_distance(
                            crate::geometry::neighbors::Metric::Cosine,
                            a.embedding(0).row(i),
                            a.embedding(1).row(j),
                        )
                    };
                    assert!(
                        (cosine(&quick) - cosine(&exact)).abs() < 1e-4,
                        "{wide} {pairs}: {} {}",
                        cosine(&quick),
                        cosine(&exact)
                    );
                }
            }
        }
    }
}
