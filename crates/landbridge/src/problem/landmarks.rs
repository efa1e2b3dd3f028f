//! Global geometry from distances to a few landmarks: memory grows with N × m, not with N².

use crate::data::Pairs;
use crate::data::offsets;
use crate::error::{Error, Result};
use crate::geometry::distances::Within;
use crate::geometry::geodesic::distances_from_several;
use crate::linalg::Matrix;
use crate::linalg::dense::{Cholesky, add_symmetric_matmul};
use crate::linalg::minplus::lower_by_min_plus;
use crate::linalg::operator::Product;
use crate::linalg::tall::{Tall, each_row, gram};
use crate::linalg::whitening::symmetric_eigen;
use crate::problem::feature::Blocks;
use crate::problem::global::{Bridges, LowRank, first_links, rescaling, share_of_negatives};
use crate::progress::Progress;
use faer::Mat;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

/// A random sample of the rows of every dataset, m in all (at least one per dataset), ascending in the joint numbering.
pub(crate) fn choose(starts: &[usize], m: usize, seed: u64) -> Vec<usize> {
    let n = starts[starts.len() - 1];
    if m >= n {
        return (0..n).collect();
    }
    let mut rng = ChaCha8Rng::seed_from_u64(seed ^ 0x1A4D);
    let mut chosen = vec![];
    for range in starts.windows(2) {
        // Rounded so that the shares sum to m.
        let (from, to) = (range[0] * m / n, range[1] * m / n);
        let count = (to - from).max(1);
        let mut rows: Vec<usize> = (range[0]..range[1]).collect();
        for i in 0..count {
            let other = rng.random_range(i..rows.len());
            rows.swap(i, other);
        }
        rows.truncate(count);
        rows.sort_unstable();
        chosen.extend(rows);
    }
    chosen
}

/// Datasets whose distances are computed from a few rows at a time.
pub(crate) struct Sources<'a> {
    pub(crate) within: &'a [Within<'a>],
    pub(crate) scales: Vec<f64>,
    pub(crate) bridges: &'a Bridges,
    pub(crate) starts: Vec<usize>,
}

/// Bridges processed together.
const CHUNK: usize = 512;

impl<'a> Sources<'a> {
    /// η from at most `most` pairs of each dataset with the first, evenly spaced.
    pub(crate) fn new(
        names: &[&str],
        within: &'a [Within<'a>],
        pairs: &Pairs,
        bridges: &'a Bridges,
        most: usize,
        progress: &Progress,
    ) -> Result<Self> {
        let mut scales = vec![1.0];
        for b in 1..names.len() {
            let mut links = first_links(names, pairs, b)?;
            if links.len() > most {
                links = (0..most).map(|u| links[u * links.len() / most]).collect();
            }
            let table = |a: usize, rows: Vec<usize>| -> Result<Matrix<f64>> {
                let mut out = Matrix::zeros(rows.len(), rows.len());
                for (from, part) in rows.chunks(CHUNK).enumerate() {
                    let found = within[a].from(part, progress)?;
                    for (s, row) in found.rows().enumerate() {
                        out.row_mut(from * CHUNK + s).iter_mut().zip(&rows).for_each(|(o, &j)| *o = row[j]);
                    }
                }
                Ok(out)
            };
            let first = table(0, links.iter().map(|l| l.0).collect())?;
            let own = table(b, links.iter().map(|l| l.1).collect())?;
            let weights: Vec<f64> = links.iter().map(|l| l.2).collect();
            scales.push(rescaling((names[0], names[b]), &weights, |u, v| first[(u, v)], |u, v| own[(u, v)])?);
        }
        Ok(Self { within, scales, bridges, starts: offsets(within.iter().map(Within::nrows)) })
    }

    /// Distances from some of the N rows to all of them.
    pub(crate) fn rows(&self, rows: &[usize], progress: &Progress) -> Result<Matrix<f64>> {
        let (c, n) = (self.within.len(), self.starts[self.within.len()]);
        let mut out = Matrix::zeros(rows.len(), n);
        for a in 0..c {
            let range = self.starts[a]..self.starts[a + 1];
            let places: Vec<usize> = (0..rows.len()).filter(|&s| range.contains(&rows[s])).collect();
            if places.is_empty() {
                continue;
            }
            let own = self.within[a].from(&places.iter().map(|&s| rows[s] - range.start).collect::<Vec<_>>(), progress)?;
            let mut parts: Vec<Matrix<f64>> = vec![];
            for b in 0..c {
                let part = if a == b {
                    let mut own = own.clone();
                    own.as_mut_slice().par_iter_mut().for_each(|d| *d *= self.scales[a]);
                    own
                } else {
                    let direct = self.bridges.between(a, b);
                    let (through, list, scale) = match direct.is_empty() {
                        false => (&own, direct, self.scales[a]),
                        // Without a common pair the path goes through the first dataset.
                        true => (&parts[0], self.bridges.between(0, b), 1.0),
                    };
                    let starts = Matrix::from_fn(places.len(), list.len(), |s, u| scale * through[(s, list[u].0 as usize)]);
                    self.cross(b, starts, &list.iter().map(|l| l.1).collect::<Vec<_>>(), progress)?
                };
                for (s, &place) in places.iter().enumerate() {
                    out.row_mut(place)[self.starts[b]..self.starts[b + 1]].copy_from_slice(part.row(s));
                }
                parts.push(part);
            }
        }
        Ok(out)
    }

    /// `min_u (starts_su + η D_b(nodes_u, j))`.
    fn cross(&self, b: usize, mut starts: Matrix<f64>, nodes: &[u32], progress: &Progress) -> Result<Matrix<f64>> {
        let eta = self.scales[b];
        if let Within::Paths(graph) = &self.within[b] {
            // One multi-source search from all bridges.
            starts.as_mut_slice().iter_mut().for_each(|d| *d /= eta);
            let mut out = distances_from_several(&graph.lengths, &starts, nodes, progress)?;
            out.as_mut_slice().par_iter_mut().for_each(|d| *d *= eta);
            return Ok(out);
        }
        let mut out = Matrix::from_fn(starts.nrows(), self.within[b].nrows(), |_, _| f64::INFINITY);
        for (at, part) in nodes.chunks(CHUNK).enumerate() {
            let found = self.within[b].from(&part.iter().map(|&j| j as usize).collect::<Vec<_>>(), progress)?;
            lower_by_min_plus(
                &mut out,
                part.len(),
                |s, range, to| to.copy_from_slice(&starts.row(s)[at * CHUNK + range.start..at * CHUNK + range.end]),
                |u, to| to.iter_mut().zip(found.row(u)).for_each(|(t, d)| *t = eta * d),
            );
        }
        Ok(out)
    }
}

/// Landmarks processed together.
const PANEL: usize = 128;

/// The landmarks in features: `Z'S` (P × m), the mean of each row's squared distances to the landmarks (N), and the squared
/// distances between the landmarks; all in units of `unit`².
pub(crate) struct Seen {
    pub(crate) features: Tall,
    pub(crate) means: Vec<f64>,
    pub(crate) between: Mat<f64>,
    pub(crate) unit: f64,
}

impl Seen {
    pub(crate) fn new(blocks: &Blocks, sources: &Sources<'_>, landmarks: &[usize], progress: &Progress) -> Result<Self> {
        let (m, n) = (landmarks.len(), sources.starts[sources.within.len()]);
        let mut seen =
            Self { features: Tall::zeros(blocks.n_features(), m), means: vec![0.0; n], between: Mat::zeros(m, m), unit: 0.0 };
        for (p, part) in landmarks.chunks(PANEL).enumerate() {
            progress.step("landmarks", p * PANEL, m)?;
            let mut panel = sources.rows(part, &Progress::silent())?;
            if p == 0 {
                let largest = panel.as_slice().par_iter().copied().reduce(|| 0.0, f64::max);
                seen.unit = if largest > 0.0 { largest } else { 1.0 };
            }
            let unit = seen.unit;
            panel.as_mut_slice().par_iter_mut().for_each(|d| *d = (*d / unit) * (*d / unit));
            let mut squares = Tall::zeros(n, part.len());
            each_row(&mut squares, |x, row| row.iter_mut().enumerate().for_each(|(k, v)| *v = panel[(k, x)]));
            for (row, mean) in squares.values.chunks_exact(part.len()).zip(&mut seen.means) {
                *mean += row.iter().sum::<f64>() / m as f64;
            }
            for k in 0..part.len() {
                (0..m).for_each(|l| seen.between[(l, p * PANEL + k)] = panel[(k, landmarks[l])]);
            }
            seen.features.write(p * PANEL, &blocks.transposed_times(&squares));
        }
        Ok(seen)
    }

    /// `Z'τ(D)Z` approximated from landmarks (Nyström): `G f(B) G'`, B the centred squared distances between landmarks, G the
    /// landmarks in features, `f(B) = B (B² + ρ²)⁻¹`.
    ///
    /// ρ is a ridge: it damps the small eigenvalues of B, which are noise. It falls to 0 as the landmarks become all rows,
    /// where `G B⁺ G'` is the matrix itself. `share_of` gives the share of negative eigenvalues of a matrix with that trace.
    pub(crate) fn gram(
        self,
        blocks: &Blocks,
        positive: bool,
        share_of: impl FnOnce(&Mat<f64>, f64) -> Result<f64>,
    ) -> Result<(Box<dyn Product>, f64)> {
        let (m, n) = (self.between.nrows(), self.means.len());
        let (b, centre) = centred(&self.between);
        let mean = centre.iter().sum::<f64>() / m as f64;
        let mut g = self.features;
        let along = blocks.transposed_times(&Tall { values: self.means, stride: 1 });
        let ones = blocks.transposed_times(&Tall { values: vec![1.0; n], stride: 1 });
        each_row(&mut g, |q, row| {
            row.iter_mut().zip(&centre).for_each(|(v, c)| *v = -0.5 * (*v - along.values[q] - ones.values[q] * (c - mean)));
        });
        let trace = (0..m).map(|k| b[(k, k)]).sum();
        let square: f64 = (0..m).map(|j| (0..m).map(|i| b[(i, j)] * b[(i, j)]).sum::<f64>()).sum();
        let rho = (1.0 - m as f64 / n as f64) * SHARE * (square / m as f64).sqrt();
        if rho == 0.0 || positive {
            let (values, vectors) = symmetric_eigen(&b)?;
            let share = share_of_negatives(&values);
            let top = values.iter().fold(0.0f64, |a, v| a.max(v.abs()));
            let inverse = |v: f64| match v.abs() > 1e-12 * top && !(positive && v < 0.0) {
                true => v / (v * v + rho * rho),
                false => 0.0,
            };
            let roots = Mat::from_fn(m, m, |i, k| vectors[(i, k)] * inverse(values[k]).abs().sqrt());
            let factor = crate::linalg::tall::product(&g, roots.as_ref());
            return Ok((Box::new(LowRank { factor, signs: values.iter().map(|v| v.signum()).collect() }), share));
        }
        let share = share_of(&b, trace)?;
        let mut squared = Mat::zeros(m, m);
        add_symmetric_matmul(squared.as_mut(), b.as_ref(), b.as_ref(), 1.0);
        (0..m).for_each(|k| squared[(k, k)] += rho * rho);
        let factor = Cholesky::new(squared, 0.0).ok_or_else(|| Error::Numerical {
            what: "landmarks".into(),
            problem: "the matrix B² + ρ² of their distances is not positive definite".into(),
        })?;
        Ok((Box::new(LandmarkGram { g, b, factor }), share))
    }
}

/// ρ in units of the root mean square of the eigenvalues of B. Values between a quarter and one give nearly the same result.
const SHARE: f64 = 0.5;

/// `−½ H S H`, and the means of the rows of S.
pub(crate) fn centred(squares: &Mat<f64>) -> (Mat<f64>, Vec<f64>) {
    let m = squares.nrows();
    let s = |i: usize, j: usize| 0.5 * (squares[(i, j)] + squares[(j, i)]);
    let means: Vec<f64> = (0..m).into_par_iter().map(|i| (0..m).map(|j| s(i, j)).sum::<f64>() / m as f64).collect();
    let mean = means.iter().sum::<f64>() / m as f64;
    (Mat::from_fn(m, m, |i, j| -0.5 * (s(i, j) - means[i] - means[j] + mean)), means)
}

/// `G B (B² + ρ²)⁻¹ G'`.
struct LandmarkGram {
    g: Tall,
    b: Mat<f64>,
    factor: Cholesky,
}

impl Product for LandmarkGram {
    fn n(&self) -> usize {
        self.g.n()
    }
    fn product(&self, x: &Tall) -> Tall {
        let (m, width) = (self.b.nrows(), x.stride);
        let inner = gram(&self.g, m, x);
        let mut y = Tall::zeros(m, width);
        each_row(&mut y, |i, row| row.iter_mut().enumerate().for_each(|(c, v)| *v = inner[(i, c)]));
        self.factor.solve_lower(&mut y);
        self.factor.solve_upper(&mut y);
        let y = self.b.product(&y);
        let back = Mat::from_fn(m, width, |i, c| y.values[i * width + c]);
        crate::linalg::tall::product(&self.g, back.as_ref())
    }
}
