//! The strength of a ridge, chosen from the pairs by generalised cross-validation.

use crate::data::{Dataset, Link};
use crate::error::Result;
use crate::linalg::whitening::symmetric_eigen;
use crate::outcome::Warning;
use crate::problem::feature::{Blocks, row_products};
use faer::{Mat, MatRef};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::{BTreeMap, HashSet};

/// Strengths that are compared, in units of the mean diagonal of `X'X`.
const GRID: [f64; 11] = [1e-4, 3e-4, 1e-3, 3e-3, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0];
/// The strongest ridge that is chosen. Cross-validation alone chooses 3 to 10 on documents, which costs up to .02 of recall.
const STRONGEST: f64 = 1.0;
/// Pairs that are looked at, at most: more of them hardly change the choice, and the cost grows with their cube.
const MOST_PAIRS: usize = 400;

/// The ridge for linear maps between these datasets, in units of the mean diagonal of `X'X`: the stronger of those that
/// generalised cross-validation chooses for the two ridge regressions of one dataset on the other over their pairs, at most 1.
/// With many features per pair that is 1, with few clean ones as little as 1e-4.
pub(crate) fn strength_by_cross_validation(blocks: &Blocks, links: &[Link]) -> Result<Strength> {
    let mut between: BTreeMap<(usize, usize), Vec<(usize, usize)>> = BTreeMap::new();
    links.iter().for_each(|l| between.entry((l.a, l.b)).or_default().push((l.i, l.j)));
    let (mut strongest, mut by_chance) = (0.0f64, None);
    for ((a, b), mut pairs) in between {
        // A copy of a pair, or of a row, would be predicted by the other.
        pairs.sort_unstable();
        let pairs = without_shared_rows(&pairs);
        let count = pairs.len().min(MOST_PAIRS);
        let chosen: Vec<(usize, usize)> = (0..count).map(|t| pairs[t * pairs.len() / count]).collect();
        if count < 2 {
            strongest = STRONGEST;
            continue;
        }
        let rows = |dataset: usize, rows: Vec<usize>| blocks.datasets[dataset].select(&rows);
        let x = rows(a, chosen.iter().map(|p| p.0).collect());
        let y = rows(b, chosen.iter().map(|p| p.1).collect());
        let (kx, ky) = (row_products(&x), row_products(&y));
        let (p, q) = (x.ncols(), y.ncols());
        let (there, back) = (Choice::new(&kx, p, &ky)?, Choice::new(&ky, q, &kx)?);
        strongest = strongest.max(there.strength).max(back.strength);
        if by_chance.is_none() && there.is_by_chance(&ky) && back.is_by_chance(&kx) {
            by_chance = Some((a, b, count));
        }
    }
    Ok(Strength { value: strongest.clamp(GRID[0], STRONGEST), by_chance })
}

/// A ridge, and what its choice has shown of the pairs.
pub(crate) struct Strength {
    pub(crate) value: f64,
    /// Two datasets whose pairs predict each other no better than shuffled ones, and how many pairs were looked at.
    pub(crate) by_chance: Option<(usize, usize, usize)>,
}

impl Strength {
    /// What there is to say of the pairs.
    pub(crate) fn warning(&self, datasets: &[Dataset]) -> Option<Warning> {
        let (a, b, pairs) = self.by_chance?;
        Some(Warning::PairsByChance { first: datasets[a].name().into(), second: datasets[b].name().into(), pairs })
    }
}

/// Pairs of which no two share a row: each that has no row of an earlier one.
pub(crate) fn without_shared_rows(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    let (mut of_x, mut of_y) = (HashSet::new(), HashSet::new());
    let mut free = |(i, j): &(usize, usize)| {
        let free = !of_x.contains(i) && !of_y.contains(j);
        if free {
            of_x.insert(*i);
            of_y.insert(*j);
        }
        free
    };
    pairs.iter().copied().filter(|pair| free(pair)).collect()
}

/// The ridge regression of Y on X over the pairs.
///
/// With `K = XX' = U Λ U'` and `q_k = rm / (λ_k + rm)` for strength r and m = tr(K) / p, the residual is
/// `|Y|² − Σ c_k (1 − q_k²)`, c_k = `u_k' YY' u_k`, and the fit has `Σ (1 − q_k)` degrees of freedom.
struct Choice {
    /// The strength with the least generalised cross-validation score.
    strength: f64,
    /// The share of Y that it predicts, by the score.
    explained: f64,
    /// Λ and U; none where X has no variance.
    directions: Option<(Vec<f64>, Mat<f64>)>,
    unit: f64,
}

/// With fewer pairs, chance does as well as anything.
const LEAST_PAIRS: usize = 10;
/// Pairs that predict more than this are not asked.
const CLEARLY: f64 = 0.1;
/// Shuffles that the pairs have to beat, all of them.
const SHUFFLES: u64 = 19;

impl Choice {
    fn new(k: &Mat<f64>, features: usize, targets: &Mat<f64>) -> Result<Self> {
        let n = k.nrows();
        let unit = trace(k) / features as f64;
        if !(unit > 0.0 && unit.is_finite()) {
            return Ok(Self { strength: STRONGEST, explained: 0.0, directions: None, unit });
        }
        let (values, vectors) = symmetric_eigen(k)?;
        let (strength, explained) = least_score(n, unit, trace(targets), &leading(&values, shares(&vectors, targets)));
        Ok(Self { strength, explained, directions: Some((values, vectors)), unit })
    }

    /// Whether pairs that are shuffled predict as much.
    fn is_by_chance(&self, targets: &Mat<f64>) -> bool {
        let Some((values, vectors)) = &self.directions else { return false };
        let n = vectors.nrows();
        if n < LEAST_PAIRS || self.explained > CLEARLY {
            return false;
        }
        (0..SHUFFLES).any(|seed| {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let mut order: Vec<usize> = (0..n).collect();
            (1..n).rev().for_each(|i| order.swap(i, rng.random_range(0..=i)));
            let shuffled = Mat::from_fn(n, n, |i, c| vectors[(order[i], c)]);
            let found = least_score(n, self.unit, trace(targets), &leading(values, shares(&shuffled, targets)));
            found.1 >= self.explained
        })
    }
}

fn trace(m: &Mat<f64>) -> f64 {
    (0..m.nrows()).map(|i| m[(i, i)]).sum()
}

/// `u_k' YY' u_k` of a direction.
fn shares(vectors: &Mat<f64>, targets: &Mat<f64>) -> impl Fn(usize) -> f64 {
    let image = targets * vectors;
    move |c| (0..vectors.nrows()).map(|i| vectors[(i, c)] * image[(i, c)]).sum::<f64>().max(0.0)
}

/// As [`strength_by_cross_validation`] for two datasets, from products over all of their pairs instead of at most 400: `X'X`,
/// `Y'Y` and `X'Y`.
pub(crate) fn strength_of_products(own: [&Mat<f64>; 2], cross: &Mat<f64>, pairs: usize) -> Result<f64> {
    if pairs < 2 {
        return Ok(STRONGEST);
    }
    let first = chosen_by_products(own[0], cross.transpose(), own[1], pairs)?;
    let second = chosen_by_products(own[1], cross.as_ref(), own[0], pairs)?;
    Ok(first.max(second).clamp(GRID[0], STRONGEST))
}

/// As [`Choice`]: with `X'X = V Λ V'`, `u_k = X v_k / √λ_k` and so `c_k = |Y'X v_k|² / λ_k`. `across` is `Y'X`.
fn chosen_by_products(own: &Mat<f64>, across: MatRef<'_, f64>, targets: &Mat<f64>, pairs: usize) -> Result<f64> {
    let unit = trace(own) / own.nrows() as f64;
    if !(unit > 0.0 && unit.is_finite()) {
        return Ok(STRONGEST);
    }
    let (values, vectors) = symmetric_eigen(own)?;
    let image = across * &vectors;
    let share = |c: usize| (0..image.nrows()).map(|i| image[(i, c)] * image[(i, c)]).sum::<f64>() / values[c];
    let mut kept = leading(&values, share);
    // No more directions than pairs: the others are rounding errors.
    kept.drain(..kept.len().saturating_sub(pairs));
    Ok(least_score(pairs, unit, trace(targets), &kept).0)
}

/// The eigenvalues that count, ascending, each with the share of the targets along its direction.
fn leading(values: &[f64], share: impl Fn(usize) -> f64) -> Vec<(f64, f64)> {
    let largest = values.last().copied().unwrap_or(0.0);
    (0..values.len()).filter(|&c| values[c] > 1e-12 * largest).map(|c| (values[c], share(c))).collect()
}

/// The strength with the least score, from eigenvalues and shares of the targets, and the share of the targets that it predicts by this score.
fn least_score(n: usize, unit: f64, total: f64, kept: &[(f64, f64)]) -> (f64, f64) {
    let rest = (total - kept.iter().map(|(_, share)| share).sum::<f64>()).max(0.0);
    let score = |strength: f64| {
        let (mut residual, mut freedom) = (rest, (n - kept.len()) as f64);
        for (value, share) in kept {
            let q = strength * unit / (value + strength * unit);
            residual += share * q * q;
            freedom += q;
        }
        residual / (freedom / n as f64).powi(2)
    };
    let best = GRID.into_iter().map(|r| (score(r), r)).filter(|(s, _)| s.is_finite()).min_by(|a, b| a.0.total_cmp(&b.0));
    // Without any regression the score is |Y|².
    best.map_or((STRONGEST, 0.0), |(s, r)| (r, if total > 0.0 { (1.0 - s / total).max(0.0) } else { 0.0 }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::prepared::Prepared;
    use crate::linalg::Matrix;

    fn normal(rng: &mut ChaCha8Rng) -> f64 {
        (0..12).map(|_| rng.random_range(0.0..1.0)).sum::<f64>() - 6.0
    }

    /// Two noisy views of a few latent columns, n rows each.
    fn views(n: usize, p: usize, q: usize, rank: usize, noise: f64, seed: u64) -> [Matrix<f64>; 2] {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let latent = Matrix::from_fn(n, rank, |_, _| normal(&mut rng));
        [p, q].map(|columns| {
            let loadings = Matrix::from_fn(rank, columns, |_, _| normal(&mut rng));
            Matrix::from_fn(n, columns, |i, j| {
                (0..rank).map(|c| latent[(i, c)] * loadings[(c, j)]).sum::<f64>() + noise * normal(&mut rng)
            })
        })
    }

    fn links(n: usize) -> Vec<Link> {
        (0..n).map(|i| Link { a: 0, i, b: 1, j: i, weight: 1.0 }).collect()
    }

    #[test]
    fn the_score_is_that_of_the_hat_matrix() {
        let [x, y] = views(12, 5, 4, 2, 0.3, 1);
        let dense = |m: &Matrix<f64>| Mat::from_fn(m.nrows(), m.ncols(), |i, j| m[(i, j)]);
        let (x, y) = (dense(&x), dense(&y));
        let (kx, ky) = (&x * x.transpose(), &y * y.transpose());
        let unit = (0..12).map(|i| kx[(i, i)]).sum::<f64>() / 5.0;
        // The naive twin: H = K (K + rm)⁻¹, |Y − HY|² / (1 − tr H / n)².
        let naive = |r: f64| {
            let shifted = Mat::from_fn(12, 12, |i, j| kx[(i, j)] + if i == j { r * unit } else { 0.0 });
            let (values, vectors) = symmetric_eigen(&shifted).unwrap();
            let inverse =
                Mat::from_fn(12, 12, |i, j| (0..12).map(|c| vectors[(i, c)] * vectors[(j, c)] / values[c]).sum::<f64>());
            let hat = &kx * &inverse;
            let left = Mat::from_fn(12, 4, |i, j| y[(i, j)] - (0..12).map(|c| hat[(i, c)] * y[(c, j)]).sum::<f64>());
            let residual: f64 = (0..12).flat_map(|i| (0..4).map(move |j| (i, j))).map(|at| left[at] * left[at]).sum();
            residual / (1.0 - (0..12).map(|i| hat[(i, i)]).sum::<f64>() / 12.0).powi(2)
        };
        let best = GRID.into_iter().min_by(|a, b| naive(*a).total_cmp(&naive(*b))).unwrap();
        assert_eq!(Choice::new(&kx, 5, &ky).unwrap().strength, best);
        let across = y.transpose() * &x;
        assert_eq!(chosen_by_products(&(x.transpose() * &x), across.as_ref(), &(y.transpose() * &y), 12).unwrap(), best);
    }

    #[test]
    fn products_choose_as_the_rows_do() {
        for (n, p, q, noise) in [(80, 6, 9, 0.1), (60, 12, 4, 2.0), (20, 30, 25, 1.0)] {
            let [x, y] = views(n, p, q, 3, noise, n as u64);
            let dense = |m: &Matrix<f64>| Mat::from_fn(m.nrows(), m.ncols(), |i, j| m[(i, j)]);
            let (a, b) = (dense(&x), dense(&y));
            let own = [a.transpose() * &a, b.transpose() * &b];
            let found = strength_of_products([&own[0], &own[1]], &(a.transpose() * &b), n).unwrap();
            let rows = Blocks::new(vec![Prepared::dense(x), Prepared::dense(y)]);
            assert_eq!(found, strength_by_cross_validation(&rows, &links(n)).unwrap().value, "{n} {p} {q}");
        }
        let flat = Mat::zeros(2, 2);
        assert_eq!(strength_of_products([&flat, &flat], &flat, 9).unwrap(), 1.0);
    }

    #[test]
    fn pairs_that_are_shifted_by_one_look_like_chance_and_right_ones_do_not() {
        for (n, p, q, noise) in [(80, 6, 9, 0.3), (30, 40, 25, 0.5), (60, 200, 100, 2.0)] {
            let [x, y] = views(n, p, q, 3, noise, n as u64);
            let blocks = Blocks::new(vec![Prepared::dense(x), Prepared::dense(y)]);
            assert!(strength_by_cross_validation(&blocks, &links(n)).unwrap().by_chance.is_none(), "{n} {p} {q}");
            let shifted: Vec<Link> = links(n).iter().map(|l| Link { j: (l.j + 1) % n, ..*l }).collect();
            assert_eq!(strength_by_cross_validation(&blocks, &shifted).unwrap().by_chance, Some((0, 1, n)), "{n} {p} {q}");
            // Too few to tell.
            assert!(strength_by_cross_validation(&blocks, &shifted[..9]).unwrap().by_chance.is_none());
        }
    }

    #[test]
    fn copies_of_pairs_and_of_rows_do_not_weaken_the_ridge() {
        let [x, y] = views(25, 20, 15, 6, 1.0, 5);
        let strength = |x: &Matrix<f64>, links: &[Link]| {
            let rows = vec![Prepared::dense(x.clone()), Prepared::dense(y.clone())];
            strength_by_cross_validation(&Blocks::new(rows), links).unwrap().value
        };
        let once = strength(&x, &links(25));
        assert!(once > 0.1, "{once}");
        assert_eq!(strength(&x, &[links(25), links(25)].concat()), once);
        // Every row of x measured twice, both paired with the same row of y.
        let doubled = Matrix::from_fn(50, x.ncols(), |i, j| x[(i % 25, j)]);
        let shared: Vec<Link> = (0..50).map(|i| Link { a: 0, i, b: 1, j: i % 25, weight: 1.0 }).collect();
        assert_eq!(strength(&doubled, &shared), once);
    }

    #[test]
    fn clean_tables_need_little_and_many_features_much() {
        let strength = |n, p, q, rank, noise| {
            let prepared = views(n, p, q, rank, noise, 3).map(Prepared::dense);
            strength_by_cross_validation(&Blocks::new(prepared.into()), &links(n)).unwrap().value
        };
        assert!(strength(50, 8, 8, 4, 0.05) <= 0.01);
        assert!(strength(60, 500, 400, 30, 3.0) >= 0.3);
        // One pair says nothing; columns without variance neither.
        assert_eq!(strength(1, 8, 8, 2, 0.1), 1.0);
        let flat = [Matrix::zeros(9, 2), Matrix::zeros(9, 3)].map(Prepared::dense);
        assert_eq!(strength_by_cross_validation(&Blocks::new(flat.into()), &links(9)).unwrap().value, 1.0);
    }
}
