//! Global geometry (Global13): the joint distance matrix of all datasets, read in blocks, and `τ(D)` as an operator.

use crate::data::Pairs;
use crate::data::offsets;
use crate::error::{Error, Result};
use crate::linalg::Matrix;
use crate::linalg::minplus::min_plus;
use crate::linalg::operator::Product;
use crate::linalg::squares::{Side, add_squares, add_symmetric_squares, add_wide_squares, add_wide_transposed_squares};
use crate::linalg::tall::{Tall, accumulate, centre_columns, each_row};
use crate::linalg::whitening::symmetric_eigen;
use crate::problem::feature::Blocks;
use crate::progress::Progress;
use faer::Mat;
use rayon::prelude::*;
use std::borrow::Cow;

/// The pairs between every two datasets, each once: (row of a, row of b), a < b.
pub(crate) struct Bridges {
    n_datasets: usize,
    lists: Vec<Vec<(u32, u32)>>,
}

/// Index of (a, b), a < b, in a list of all of them.
fn place(n_datasets: usize, a: usize, b: usize) -> usize {
    a * n_datasets - a * (a + 1) / 2 + b - a - 1
}

impl Bridges {
    pub(crate) fn new(pairs: &Pairs) -> Self {
        let c = pairs.n_datasets();
        let mut lists = vec![vec![]; c * (c - 1) / 2];
        pairs.links().iter().for_each(|l| lists[place(c, l.a, l.b)].push((l.i as u32, l.j as u32)));
        lists.iter_mut().for_each(|list| {
            list.sort_unstable();
            list.dedup();
        });
        Self { n_datasets: c, lists }
    }
    /// (row of a, row of b) for any two datasets.
    pub(crate) fn between(&self, a: usize, b: usize) -> Vec<(u32, u32)> {
        if a < b {
            return self.lists[place(self.n_datasets, a, b)].clone();
        }
        self.lists[place(self.n_datasets, b, a)].iter().map(|&(i, j)| (j, i)).collect()
    }
    /// Two datasets other than the first that share no pair: their bridges go through the first.
    pub(crate) fn indirect(&self) -> Vec<(usize, usize)> {
        let all = (1..self.n_datasets).flat_map(|a| (a + 1..self.n_datasets).map(move |b| (a, b)));
        all.filter(|&(a, b)| self.lists[place(self.n_datasets, a, b)].is_empty()).collect()
    }
}

/// η of eq. 3: the factor of the second of two datasets that best fits the distances between paired rows. `first(u, v)` and
/// `second(u, v)` are distances between the rows of pairs u and v.
///
/// Departure: pairs have weights, and a distance has the product of its two weights; the paper has none.
pub(crate) fn rescaling(
    names: (&str, &str),
    weights: &[f64],
    first: impl Fn(usize, usize) -> f64 + Sync,
    second: impl Fn(usize, usize) -> f64 + Sync,
) -> Result<f64> {
    let l = weights.len();
    let degenerate = |dataset: &str, problem: &str| Error::PairsDegenerate { dataset: dataset.into(), problem: problem.into() };
    // Squares in units of the largest distance.
    let largest = |of: &(dyn Fn(usize, usize) -> f64 + Sync)| {
        (0..l).into_par_iter().map(|u| (0..l).fold(0.0f64, |a, v| a.max(of(u, v)))).reduce(|| 0.0, f64::max)
    };
    let (unit_a, unit_b) = (largest(&first), largest(&second));
    for (name, unit) in [(names.0, unit_a), (names.1, unit_b)] {
        if unit == 0.0 {
            let problem = if l == 1 {
                "there is one, and the rescaling between datasets needs two that are apart"
            } else {
                "all are at distance 0 from each other, and the rescaling between datasets is undefined"
            };
            return Err(degenerate(name, problem));
        }
    }
    let sums = accumulate(l, 2, |u, sums| {
        for v in 0..l {
            let (a, b, w) = (first(u, v) / unit_a, second(u, v) / unit_b, weights[u] * weights[v]);
            sums[0] += w * a * b;
            sums[1] += w * b * b;
        }
    });
    let eta = sums[0] / sums[1] * (unit_a / unit_b);
    if eta.is_finite() && eta > 0.0 {
        return Ok(eta);
    }
    Err(degenerate(names.1, &format!("their distances and those of dataset \"{}\" give the scale factor {eta}", names.0)))
}

/// Distances between all N rows (eq. 5) in blocks: within a dataset its own distances times its η, across datasets through the
/// nearest bridge (eq. 4).
pub(crate) struct JointDistances<'a> {
    within: Vec<Cow<'a, Matrix<f64>>>,
    pub(crate) scales: Vec<f64>,
    across: Vec<Matrix<f64>>,
    /// First row of each dataset, and N.
    pub(crate) starts: Vec<usize>,
}

impl<'a> JointDistances<'a> {
    pub(crate) fn new(
        within: Vec<Cow<'a, Matrix<f64>>>,
        scales: Vec<f64>,
        bridges: &Bridges,
        progress: &Progress,
    ) -> Result<Self> {
        let c = within.len();
        let starts = offsets(within.iter().map(|m| m.nrows()));
        let mut joint = Self { within, scales, across: vec![], starts };
        for a in 0..c {
            for b in a + 1..c {
                progress.step("bridges", joint.across.len(), c * (c - 1) / 2)?;
                let block = joint.bridge(a, b, bridges);
                joint.across.push(block);
            }
        }
        Ok(joint)
    }

    /// Eq. 4; datasets without a common pair are bridged through the first.
    fn bridge(&self, a: usize, b: usize, bridges: &Bridges) -> Matrix<f64> {
        let (x, y) = (&self.within[a], &self.within[b]);
        let (eta_a, eta_b) = (self.scales[a], self.scales[b]);
        let shape = (x.nrows(), y.nrows());
        let own = bridges.between(a, b);
        if own.is_empty() {
            let last = bridges.between(0, b);
            let to_first = &self.across[place(self.within.len(), 0, a)];
            return min_plus(
                shape,
                last.len(),
                |i, range, to| to.iter_mut().zip(&last[range]).for_each(|(t, u)| *t = to_first[(u.0 as usize, i)]),
                |u, to| to.iter_mut().zip(y.row(last[u].1 as usize)).for_each(|(t, d)| *t = eta_b * d),
            );
        }
        min_plus(
            shape,
            own.len(),
            |i, range, to| {
                let row = x.row(i);
                to.iter_mut().zip(&own[range]).for_each(|(t, u)| *t = eta_a * row[u.0 as usize]);
            },
            |u, to| to.iter_mut().zip(y.row(own[u].1 as usize)).for_each(|(t, d)| *t = eta_b * d),
        )
    }

    pub(crate) fn n(&self) -> usize {
        self.starts[self.within.len()]
    }
    /// Distances from one of the N rows to all.
    pub(crate) fn row(&self, row: usize, out: &mut [f64]) {
        let c = self.within.len();
        let a = self.starts[1..].partition_point(|&s| s <= row);
        let i = row - self.starts[a];
        for b in 0..c {
            let to = &mut out[self.starts[b]..self.starts[b + 1]];
            match b.cmp(&a) {
                std::cmp::Ordering::Equal => to.iter_mut().zip(self.within[a].row(i)).for_each(|(t, d)| *t = self.scales[a] * d),
                std::cmp::Ordering::Greater => to.copy_from_slice(self.across[place(c, a, b)].row(i)),
                std::cmp::Ordering::Less => {
                    let block = &self.across[place(c, b, a)];
                    to.iter_mut().enumerate().for_each(|(j, t)| *t = block[(j, i)]);
                }
            }
        }
    }
    /// Rows of the joint matrix.
    pub(crate) fn rows(&self, rows: &[usize]) -> Matrix<f64> {
        let n = self.n();
        let mut out = Matrix::zeros(rows.len(), n);
        out.as_mut_slice().par_chunks_mut(n).zip(rows).for_each(|(to, &row)| self.row(row, to));
        out
    }
    /// Distances from rows of a to rows of b, a ≤ b, and their factor.
    pub(crate) fn block(&self, a: usize, b: usize) -> (&Matrix<f64>, f64) {
        if a == b { (&self.within[a], self.scales[a]) } else { (&self.across[place(self.within.len(), a, b)], 1.0) }
    }
    fn largest(&self) -> f64 {
        let of = |m: &Matrix<f64>| m.as_slice().par_iter().copied().reduce(|| 0.0, f64::max);
        let within = self.within.iter().zip(&self.scales).map(|(m, s)| s * of(m));
        within.chain(self.across.iter().map(of)).fold(0.0, f64::max)
    }
    /// `S x`, where S holds the squared distances in units of `unit`.
    fn squares_times(&self, x: &Tall, unit: f64) -> Tall {
        let (c, width) = (self.within.len(), x.stride);
        let mut out = Tall::zeros(self.n(), width);
        let part = |a: usize| self.starts[a] * width..self.starts[a + 1] * width;
        for a in 0..c {
            let scale = self.scales[a] / unit;
            if width > NARROW {
                add_wide_squares(&self.within[a], scale, &x.values[part(a)], &mut out.values[part(a)], width);
            } else {
                add_symmetric_squares(&self.within[a], scale, &x.values[part(a)], &mut out.values[part(a)], width);
            }
            for b in a + 1..c {
                let block = &self.across[place(c, a, b)];
                if width > NARROW {
                    add_wide_squares(block, 1.0 / unit, &x.values[part(b)], &mut out.values[part(a)], width);
                    add_wide_transposed_squares(block, 1.0 / unit, &x.values[part(a)], &mut out.values[part(b)], width);
                    continue;
                }
                let (first, second) = out.values.split_at_mut(self.starts[b] * width);
                let rows = Side { x: &x.values[part(b)], out: &mut first[part(a)] };
                let of_b = (self.starts[b + 1] - self.starts[b]) * width;
                let columns = Side { x: &x.values[part(a)], out: &mut second[..of_b] };
                add_squares(block, 1.0 / unit, rows, columns, width);
            }
        }
        out
    }
}

/// Up to this many vectors, D is read once for both sides of a product.
const NARROW: usize = 64;

/// `τ(D) = −½ H S H` as an operator, in units of the square of the largest distance.
pub(crate) struct Tau<'a> {
    pub(crate) distances: &'a JointDistances<'a>,
    pub(crate) unit: f64,
    /// Sums of the rows of S.
    pub(crate) sums: Vec<f64>,
}

impl<'a> Tau<'a> {
    pub(crate) fn new(distances: &'a JointDistances<'a>) -> Self {
        let largest = distances.largest();
        let unit = if largest > 0.0 { largest } else { 1.0 };
        let sums = distances.squares_times(&Tall { values: vec![1.0; distances.n()], stride: 1 }, unit).values;
        Self { distances, unit, sums }
    }
    /// The sum of all eigenvalues: N times half the mean of a row of S.
    pub(crate) fn trace(&self) -> f64 {
        0.5 * self.sums.iter().sum::<f64>() / self.distances.n() as f64
    }
}

impl Product for Tau<'_> {
    fn n(&self) -> usize {
        self.distances.n()
    }
    fn product(&self, x: &Tall) -> Tall {
        let mut x = x.clone();
        centre_columns(&mut x);
        let mut out = self.distances.squares_times(&x, self.unit);
        centre_columns(&mut out);
        each_row(&mut out, |_, row| row.iter_mut().for_each(|v| *v *= -0.5));
        out
    }
}

/// `Z' T Z` for block-diagonal Z and a symmetric T on its rows.
pub(crate) struct Restricted<'a> {
    pub(crate) blocks: &'a Blocks,
    pub(crate) inner: &'a dyn Product,
}

impl Product for Restricted<'_> {
    fn n(&self) -> usize {
        self.blocks.n_features()
    }
    fn product(&self, v: &Tall) -> Tall {
        self.blocks.transposed_times(&self.inner.product(&self.blocks.times(v)))
    }
}

/// `F s F'`, s a sign (or a factor) per column of F.
pub(crate) struct LowRank {
    pub(crate) factor: Tall,
    pub(crate) signs: Vec<f64>,
}

impl Product for LowRank {
    fn n(&self) -> usize {
        self.factor.n()
    }
    fn product(&self, x: &Tall) -> Tall {
        let mut inner = crate::linalg::tall::gram(&self.factor, self.factor.stride, x);
        for j in 0..inner.ncols() {
            (0..inner.nrows()).for_each(|i| inner[(i, j)] *= self.signs[i]);
        }
        crate::linalg::tall::product(&self.factor, inner.as_ref())
    }
}

/// The positive part of a symmetric operator, and the share of the negative eigenvalues in the sum of all absolute eigenvalues.
pub(crate) fn positive_part(m: &dyn Product) -> Result<(LowRank, f64)> {
    let n = m.n();
    let (values, vectors) = symmetric_eigen(&dense(m))?;
    let top = values.last().copied().unwrap_or(0.0);
    let kept: Vec<usize> = (0..n).filter(|&j| values[j] > 1e-14 * top).collect();
    let mut factor = Tall::zeros(n, kept.len().max(1));
    each_row(&mut factor, |i, row| row.iter_mut().zip(&kept).for_each(|(o, &j)| *o = vectors[(i, j)] * values[j].sqrt()));
    Ok((LowRank { factor, signs: vec![1.0; kept.len().max(1)] }, share_of_negatives(&values)))
}

pub(crate) fn share_of_negatives(values: &[f64]) -> f64 {
    let negative: f64 = values.iter().filter(|v| **v < 0.0).map(|v| -v).sum();
    let all: f64 = values.iter().map(|v| v.abs()).sum();
    if all > 0.0 { negative / all } else { 0.0 }
}

/// A symmetric operator as a matrix.
pub(crate) fn dense(m: &dyn Product) -> Mat<f64> {
    const COLUMNS: usize = 64;
    let n = m.n();
    let mut out = Mat::zeros(n, n);
    for from in (0..n).step_by(COLUMNS) {
        let width = COLUMNS.min(n - from);
        let mut unit = Tall::zeros(n, width);
        (0..width).for_each(|c| unit.values[(from + c) * width + c] = 1.0);
        let image = m.product(&unit);
        for i in 0..n {
            (0..width).for_each(|c| out[(i, from + c)] = image.values[i * width + c]);
        }
    }
    Mat::from_fn(n, n, |i, j| 0.5 * (out[(i, j)] + out[(j, i)]))
}

/// The joint distances of given distance matrices, `(D, η)`, which [`crate::method::GlobalAlignment`] works with. For
/// inspection: it takes N × N numbers of memory.
pub fn joint_distances(names: &[&str], given: &[Matrix<f64>], pairs: &Pairs) -> Result<(Matrix<f64>, Vec<f64>)> {
    if given.len() < 2 || given.len() != names.len() || given.len() != pairs.n_datasets() {
        return Err(Error::PairColumns { columns: pairs.n_datasets(), datasets: given.len() });
    }
    for (row, l) in pairs.links().iter().enumerate() {
        if let Some((a, i)) = [(l.a, l.i), (l.b, l.j)].into_iter().find(|&(a, i)| i >= given[a].nrows()) {
            let (dataset, rows) = (names[a].into(), given[a].nrows());
            return Err(Error::PairOutOfRange { row, dataset, value: i as i64, rows });
        }
    }
    for (name, matrix) in names.iter().zip(given) {
        crate::geometry::distances::check_given(name, matrix.nrows(), matrix)?;
    }
    let within: Vec<Cow<'_, Matrix<f64>>> = given.iter().map(Cow::Borrowed).collect();
    let scales = all_rescalings(names, pairs, |a, u, v| within[a][(u, v)])?;
    let joint = JointDistances::new(within, scales, &Bridges::new(pairs), &Progress::silent())?;
    let rows = joint.rows(&(0..joint.n()).collect::<Vec<_>>());
    Ok((rows, joint.scales))
}

/// η of every dataset against the first, from distances between rows of each.
pub(crate) fn all_rescalings(
    names: &[&str],
    pairs: &Pairs,
    distance: impl Fn(usize, usize, usize) -> f64 + Sync,
) -> Result<Vec<f64>> {
    let mut scales = vec![1.0];
    for b in 1..names.len() {
        let links = first_links(names, pairs, b)?;
        let weights: Vec<f64> = links.iter().map(|l| l.2).collect();
        scales.push(rescaling(
            (names[0], names[b]),
            &weights,
            |u, v| distance(0, links[u].0, links[v].0),
            |u, v| distance(b, links[u].1, links[v].1),
        )?);
    }
    Ok(scales)
}

/// The pairs of a dataset with the first: (row of the first, own row, weight).
pub(crate) fn first_links(names: &[&str], pairs: &Pairs, b: usize) -> Result<Vec<(usize, usize, f64)>> {
    let links: Vec<_> = pairs.links().iter().filter(|l| l.a == 0 && l.b == b).map(|l| (l.i, l.j, l.weight)).collect();
    if links.is_empty() {
        return Err(Error::PairsDegenerate {
            dataset: names[b].into(),
            problem: format!(
                "none is paired with dataset \"{}\", so that the scale factor between the two is undefined",
                names[0]
            ),
        });
    }
    Ok(links)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    fn random(n: usize, seed: u64) -> Matrix<f64> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let places: Matrix<f64> = Matrix::from_fn(n, 3, |_, _| rng.random_range(0.0..1.0));
        Matrix::from_fn(n, n, |i, j| places.row(i).iter().zip(places.row(j)).map(|(a, b)| (a - b).abs()).sum())
    }

    /// The naive twin: every quantity by its formula.
    fn plain(given: &[Matrix<f64>], pairs: &Pairs) -> (Matrix<f64>, Vec<f64>) {
        let c = given.len();
        let mut eta = vec![1.0];
        for b in 1..c {
            let links: Vec<_> = pairs.links().iter().filter(|l| l.a == 0 && l.b == b).collect();
            let (mut top, mut bottom) = (0.0, 0.0);
            for u in &links {
                for v in &links {
                    top += given[0][(u.i, v.i)] * given[b][(u.j, v.j)];
                    bottom += given[b][(u.j, v.j)].powi(2);
                }
            }
            eta.push(top / bottom);
        }
        let starts = offsets(given.iter().map(Matrix::nrows));
        let mut out = Matrix::from_fn(starts[c], starts[c], |_, _| f64::INFINITY);
        for a in 0..c {
            for i in 0..given[a].nrows() {
                (0..given[a].nrows()).for_each(|j| out[(starts[a] + i, starts[a] + j)] = eta[a] * given[a][(i, j)]);
            }
        }
        for l in pairs.links() {
            for i in 0..given[l.a].nrows() {
                for j in 0..given[l.b].nrows() {
                    let through = eta[l.a] * given[l.a][(i, l.i)] + eta[l.b] * given[l.b][(l.j, j)];
                    let at = (starts[l.a] + i, starts[l.b] + j);
                    out[at] = out[at].min(through);
                    out[(at.1, at.0)] = out[at];
                }
            }
        }
        (out, eta)
    }

    #[test]
    fn eta_and_joint_distances_equal_the_plain_formulas_on_random_problems() {
        for seed in 0..20u64 {
            let c = 2 + (seed % 2) as usize;
            let given: Vec<Matrix<f64>> = (0..c).map(|a| random(20 + 7 * a, 10 * seed + a as u64)).collect();
            let table: Vec<Vec<i64>> = (0..6).map(|u| (0..c as i64).map(|a| (u * 3 + a * seed as i64) % 20).collect()).collect();
            let pairs = Pairs::from_table(&table).unwrap();
            let names = ["a", "b", "c"];
            let (joint, eta) = joint_distances(&names[..c], &given, &pairs).unwrap();
            let (expected, plain_eta) = plain(&given, &pairs);
            for (x, y) in eta.iter().zip(&plain_eta) {
                assert!((x - y).abs() < 1e-12 * y, "{x} {y}");
            }
            for (x, y) in joint.as_slice().iter().zip(expected.as_slice()) {
                assert!((x - y).abs() < 1e-12, "{x} {y}");
            }
        }
    }

    #[test]
    fn tau_equals_double_centring_and_its_spectrum_is_described() {
        let given = [random(230, 1), random(240, 2)];
        let pairs = Pairs::first_rows(2, 12);
        let within: Vec<_> = given.iter().map(Cow::Borrowed).collect();
        let joint = JointDistances::new(within, vec![1.0, 1.3], &Bridges::new(&pairs), &Progress::silent()).unwrap();
        let tau = Tau::new(&joint);
        let (n, d) = (joint.n(), joint.rows(&(0..joint.n()).collect::<Vec<_>>()));
        let s = |i: usize, j: usize| (d[(i, j)] / tau.unit).powi(2);
        let means: Vec<f64> = (0..n).map(|i| (0..n).map(|j| s(i, j)).sum::<f64>() / n as f64).collect();
        let mean = means.iter().sum::<f64>() / n as f64;
        let matrix = dense(&tau);
        for i in 0..n {
            for j in 0..n {
                assert!((matrix[(i, j)] + 0.5 * (s(i, j) - means[i] - means[j] + mean)).abs() < 1e-12);
            }
        }
        let values = symmetric_eigen(&matrix).unwrap().0;
        assert!((values.iter().sum::<f64>() - tau.trace()).abs() < 1e-9);
        let (exact, sampled) = (
            share_of_negatives(&values),
            crate::solve::trace_norm::negative_share(&tau, tau.trace(), 0, &Progress::silent()).unwrap(),
        );
        assert!(exact > 0.05 && (exact - sampled).abs() < 0.005, "{exact} {sampled}");
        let (positive, share) = positive_part(&tau).unwrap();
        assert!((share - exact).abs() < 1e-12);
        let values = symmetric_eigen(&dense(&positive)).unwrap().0;
        assert!(values[0] > -1e-12);
    }

    #[test]
    fn rescaling_that_is_undefined_is_refused() {
        let flat = Matrix::zeros(5, 5);
        let names = ["x", "y", "z"];
        let error = joint_distances(&names[..2], &[random(5, 0), flat], &Pairs::first_rows(2, 3)).unwrap_err().to_string();
        assert!(error.contains("\"y\"") && error.contains("distance 0"), "{error}");
        let error =
            joint_distances(&names[..2], &[random(5, 0), random(5, 1)], &Pairs::first_rows(2, 1)).unwrap_err().to_string();
        assert!(error.contains("needs two"), "{error}");
        let pairs = Pairs::from_table(&[[0, 1, -1], [2, 0, -1], [-1, 2, 2]]).unwrap();
        let error = joint_distances(&names, &[random(5, 0), random(5, 1), random(5, 2)], &pairs).unwrap_err().to_string();
        assert!(error.contains("\"z\"") && error.contains("none is paired with dataset \"x\""), "{error}");
    }

    #[test]
    fn datasets_without_a_pair_of_their_own_are_bridged_through_the_first() {
        let given = [random(8, 0), random(9, 1), random(7, 2)];
        let pairs = Pairs::from_table(&[[0, 1, -1], [2, 0, -1], [3, -1, 2], [5, -1, 4]]).unwrap();
        let (d, eta) = joint_distances(&["x", "y", "z"], &given, &pairs).unwrap();
        for i in 0..9 {
            for j in 0..7 {
                let through = [(3, 2), (5, 4)].map(|(u, v)| d[(u, 8 + i)] + eta[2] * given[2][(v, j)]);
                assert_eq!(d[(8 + i, 17 + j)], through[0].min(through[1]));
            }
        }
    }
}
