//! Linked columns as a second view of the rows, which stays beside the map while it grows.
//!
//! Three similarities of the linked columns, each the cosine of standardised rows: as they are, smoothed over the neighbours within
//! each dataset, and as far as the leading principal coordinates explain them. The first serves many links, the last few.

use super::rounds::{Plan, Side, reproducibility, train_with};
use crate::data::prepared::{Prepared, Values};
use crate::data::{ColumnLink, Dataset, Preparation, Prepare, Rows};
use crate::error::{Error, Result};
use crate::geometry::csls::{Compared, Match, Matched, mutual, mutual_weighted, spread_of_sum};
use crate::geometry::neighbors::{Metric, Search, neighbors};
use crate::geometry::signatures::{leading_unit, unit_f32};
use crate::linalg::dense::column_tiles;
use crate::linalg::tall::{Tall, gram, view};
use crate::linalg::{Csr, Matrix};
use crate::progress::Progress;
use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, Par};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

/// Most links that are compared; the heaviest stay.
pub(super) const MOST: usize = 2000;
/// Neighbours over which rows are smoothed, in so many principal coordinates, and the share that a row keeps (MaxFuse).
const AROUND: usize = 15;
const COORDINATES: usize = 50;
const KEPT: f64 = 0.3;
/// Principal coordinates that explain linked columns.
pub(super) const EXPLAINED_BY: usize = 20;
/// Rounds in which matches suggest further links.
const ROUNDS: usize = 4;
/// Fewest matches that may suggest links.
const LEAST_MATCHES: usize = 50;
/// Columns and matches that are looked at for new links, and rows that a column must occur in.
const MOST_COLUMNS: usize = 2500;
const MOST_MATCHES: usize = 3000;
const LEAST_ROWS: usize = 5;
/// Least correlation over the matches of columns that are linked anew, and of known links in standard errors.
const CLEAR: f32 = 0.3;
const ERRORS: f64 = 2.0;
/// Rounds at the end in which the map stands alone.
const ALONE: usize = 6;
/// The weight of the view at the end of the growth; it begins at 1.
const FADED: f64 = 0.5;

/// The columns of two datasets as self-training sees them, from which links pick.
pub(super) struct Columns {
    x: Prepared,
    y: Prepared,
}

impl Columns {
    pub(super) fn new(x: &Dataset, y: &Dataset, words: &[Prepare]) -> Result<Self> {
        let prepared = |d: &Dataset, word: Prepare| match d.rows() {
            rows if word.of_cells() => {
                let mut preparation = Preparation::of(word, d)?;
                // A linked gene counts, also one that varies little.
                preparation.factors.iter_mut().flatten().filter(|f| **f == 0.0).for_each(|f| *f = 1.0);
                Ok(preparation.apply(rows))
            }
            Rows::Sparse(counts) => Ok(weighed_words(counts, true)),
            rows => Ok(Preparation::fit(Prepare::None, rows).apply(rows)),
        };
        Ok(Self { x: prepared(x, words[0])?, y: prepared(y, words[1])? })
    }

    /// The same with every column of the second dataset shuffled by itself.
    pub(super) fn shuffled(&self, seed: u64) -> Result<Self> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed ^ 0x11_4E5);
        let n = self.y.nrows();
        let y = match &self.y.values {
            Values::Dense(m) => {
                let rows = Matrix::from_vec(m.values.clone(), n, m.stride)?;
                Prepared::dense(super::null::shuffled_columns(&rows, seed ^ 0x11_4E5))
            }
            Values::Sparse { rows, .. } => {
                let by_column = rows.transpose();
                let mut entries = Vec::with_capacity(rows.values().len());
                for j in 0..by_column.nrows() {
                    let values: Vec<f64> = by_column.row(j).map(|(_, v)| v).collect();
                    let places = rand::seq::index::sample(&mut rng, n, values.len());
                    entries.extend(places.into_iter().zip(values).map(|(i, v)| (i, j, v)));
                }
                Prepared::sparse(Csr::from_triplets(n, rows.ncols(), &entries)?, None)
            }
        };
        Ok(Self { x: self.x.clone(), y })
    }

    /// Known links that hold, and those that the matches suggest: columns that correlate with each other more than with any other, and
    /// clearly.
    pub(super) fn grown(&self, matches: &[Match], known: impl Iterator<Item = ColumnLink>) -> Result<Linked> {
        let step = matches.len().div_ceil(MOST_MATCHES).max(1);
        let chosen: Vec<Match> = matches.iter().copied().step_by(step).collect();
        let mut links: Vec<ColumnLink> = known.collect();
        let side = |m: &Prepared, rows: Vec<usize>| -> Result<(Vec<u32>, Matrix<f32>)> {
            let columns = often(m);
            let dense = m.select(&rows).select_columns(&columns).to_dense();
            let mut dense = Matrix::from_vec(dense.values, rows.len(), columns.len())?;
            standardised(&mut dense);
            Ok((columns, dense.to_f32()))
        };
        let (of_x, x) = side(&self.x, chosen.iter().map(|m| m.0 as usize).collect())?;
        let (of_y, y) = side(&self.y, chosen.iter().map(|m| m.1 as usize).collect())?;
        let n = chosen.len() as f32;
        let mut r = Mat::<f32>::zeros(x.ncols(), y.ncols());
        let (a, b) = (view(x.as_slice(), x.ncols(), x.ncols()), view(y.as_slice(), y.ncols(), y.ncols()));
        column_tiles(r.as_mut(), 128).into_par_iter().enumerate().for_each(|(t, tile)| {
            let b = b.subcols(t * 128, tile.ncols());
            matmul(tile, Accum::Replace, a.transpose(), b, 1.0 / n, Par::Seq);
        });
        let best_x: Vec<usize> =
            (0..r.nrows()).into_par_iter().map(|i| first_largest((0..r.ncols()).map(|j| r[(i, j)]))).collect();
        let best_y: Vec<usize> =
            (0..r.ncols()).into_par_iter().map(|j| first_largest((0..r.nrows()).map(|i| r[(i, j)]))).collect();
        let least = CLEAR.max(5.0 / n.sqrt());
        for (i, &j) in best_x.iter().enumerate() {
            let link = ColumnLink { a: 0, i: of_x[i] as usize, b: 1, j: of_y[j] as usize, weight: f64::from(r[(i, j)]) };
            if best_y[j] == i && r[(i, j)] >= least && !links.iter().any(|l| (l.i, l.j) == (link.i, link.j)) {
                links.push(link);
            }
        }
        Linked::new(self, &links)
    }
}

/// Columns that are looked at for new links: the most frequent, at most [`MOST_COLUMNS`].
fn often(m: &Prepared) -> Vec<u32> {
    let mut count = vec![0usize; m.ncols()];
    match &m.values {
        Values::Sparse { rows, .. } => rows.indices().iter().for_each(|&j| count[j as usize] += 1),
        Values::Dense(_) => count.fill(LEAST_ROWS),
    }
    let mut order: Vec<u32> = (0..m.ncols() as u32).filter(|&j| count[j as usize] >= LEAST_ROWS).collect();
    order.sort_by_key(|&j| (std::cmp::Reverse(count[j as usize]), j));
    order.truncate(MOST_COLUMNS);
    order.sort_unstable();
    order
}

fn first_largest(values: impl Iterator<Item = f32>) -> usize {
    values.enumerate().fold((0, f32::NEG_INFINITY), |best, (at, v)| if v > best.1 { (at, v) } else { best }).0
}

/// The linked columns of two datasets, each standardised and weighed: column l of one belongs to column l of the other.
pub(super) struct Linked {
    pub(super) x: Matrix<f64>,
    pub(super) y: Matrix<f64>,
    /// Links of which a column is constant.
    pub(super) constant: usize,
    /// Links beyond [`MOST`].
    pub(super) left_out: usize,
    /// The links of the columns, and how much each counts: the heaviest first.
    pub(super) links: Vec<ColumnLink>,
    pub(super) weights: Vec<f64>,
}

impl Linked {
    pub(super) fn new(columns: &Columns, links: &[ColumnLink]) -> Result<Self> {
        let count = |end: fn(&ColumnLink) -> usize, n: usize| {
            links.iter().fold(vec![0.0f64; n], |mut count, link| {
                count[end(link)] += 1.0;
                count
            })
        };
        let (of_x, of_y) = (count(|l| l.i, columns.x.ncols()), count(|l| l.j, columns.y.ncols()));
        // A column with many links counts as one.
        let mut weighed: Vec<(f64, ColumnLink)> = links.iter().map(|l| (l.weight / (of_x[l.i] * of_y[l.j]).sqrt(), *l)).collect();
        weighed.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1.i, a.1.j).cmp(&(b.1.i, b.1.j))));
        let left_out = weighed.len().saturating_sub(MOST);
        weighed.truncate(MOST);
        let side = |m: &Prepared, end: fn(&ColumnLink) -> usize| {
            let chosen: Vec<u32> = weighed.iter().map(|w| end(&w.1) as u32).collect();
            Matrix::from_vec(m.select_columns(&chosen).to_dense().values, m.nrows(), chosen.len())
        };
        let (mut a, mut b) = (side(&columns.x, |l| l.i)?, side(&columns.y, |l| l.j)?);
        let (flat_a, flat_b) = (standardised(&mut a), standardised(&mut b));
        let varies: Vec<usize> = (0..weighed.len()).filter(|&l| !flat_a[l] && !flat_b[l]).collect();
        let pick =
            |m: &Matrix<f64>| Matrix::from_fn(m.nrows(), varies.len(), |i, l| m[(i, varies[l])] * weighed[varies[l]].0.sqrt());
        Ok(Self {
            x: pick(&a),
            y: pick(&b),
            constant: weighed.len() - varies.len(),
            left_out,
            links: varies.iter().map(|&l| weighed[l].1).collect(),
            weights: varies.iter().map(|&l| weighed[l].0).collect(),
        })
    }

    /// The number of links, if there are enough.
    pub(super) fn enough(&self) -> Result<usize> {
        match self.links.len() {
            few @ 0..2 => Err(Error::parameter("links", few, "at least 2 links between columns that vary")),
            enough => Ok(enough),
        }
    }

    /// Links that hold over the matches, each with the correlation of its columns there, and links whose columns do not correlate.
    pub(super) fn judged(&self, matches: &[Match]) -> (Vec<(ColumnLink, f64)>, Vec<ColumnLink>) {
        let least = ERRORS / (matches.len() as f64).sqrt();
        // A column that does not vary over the matches tells nothing.
        let told = self.links.iter().copied().zip(self.correlations(matches)).filter(|(_, r)| !r.is_nan());
        let (held, doubtful): (Vec<_>, Vec<_>) = told.partition(|(_, r)| *r >= least);
        (held, doubtful.into_iter().map(|(link, _)| link).collect())
    }

    /// The correlation of the columns of each link over the matches; NaN where one does not vary.
    fn correlations(&self, matches: &[Match]) -> Vec<f64> {
        let n = matches.len() as f64;
        let correlation = |l: usize| {
            let (mut sx, mut sy, mut xx, mut yy, mut xy) = (0.0, 0.0, 0.0, 0.0, 0.0);
            for &(i, j) in matches {
                let (a, b) = (self.x[(i as usize, l)], self.y[(j as usize, l)]);
                sx += a;
                sy += b;
                xx += a * a;
                yy += b * b;
                xy += a * b;
            }
            let (vx, vy) = (xx - sx * sx / n, yy - sy * sy / n);
            if vx > 0.0 && vy > 0.0 { (xy - sx * sy / n) / (vx * vy).sqrt() } else { f64::NAN }
        };
        (0..self.links.len()).into_par_iter().map(correlation).collect()
    }
}

/// What a word that is in every row counts for, beside `ln((1 + n) / (1 + rows with the word))`, where columns are linked: links are
/// mostly of rare words, in short rows. Otherwise 1, which serves long rows.
const COMMON: f64 = 0.4;

/// `ln(1 + tf) · idf` of counts, of unit length; other sparse rows without the logarithm.
pub(super) fn weighed_words(counts: &Csr, linked: bool) -> Prepared {
    let mut counts = counts.clone();
    if counts.values().iter().all(|v| *v >= 0.0) {
        counts.values_mut().iter_mut().for_each(|v| *v = v.ln_1p());
    }
    let rows = Rows::Sparse(counts);
    let mut preparation = Preparation::fit(Prepare::Tfidf, &rows);
    if linked {
        preparation.factors.iter_mut().flatten().for_each(|f| *f += COMMON - 1.0);
    }
    preparation.apply(&rows)
}

/// Mean 0 and variance 1 in each column; tells which are constant, and leaves them 0.
fn standardised(m: &mut Matrix<f64>) -> Vec<bool> {
    let (n, p) = (m.nrows(), m.ncols());
    let mut flat = vec![false; p];
    for (j, flat) in flat.iter_mut().enumerate() {
        let mean = (0..n).map(|i| m[(i, j)]).sum::<f64>() / n as f64;
        let variance = (0..n).map(|i| (m[(i, j)] - mean).powi(2)).sum::<f64>() / n as f64;
        let largest = (0..n).fold(0.0f64, |a, i| a.max(m[(i, j)].abs()));
        *flat = variance.sqrt() <= 1e-9 * largest;
        let scale = if *flat { 0.0 } else { 1.0 / variance.sqrt() };
        (0..n).for_each(|i| m[(i, j)] = (m[(i, j)] - mean) * scale);
    }
    flat
}

/// The similarities of linked columns.
pub(super) struct View {
    raw: Compared,
    low: Compared,
    smoothed: Compared,
    /// Makes the spread of the sum of the first two 1.
    scale: f64,
}

impl View {
    /// The linked columns, and the principal coordinates of the same rows.
    pub(super) fn new(linked: &Linked, side: &Side<'_>, seed: u64, progress: &Progress) -> Result<Self> {
        let (Linked { x: fx, y: fy, .. }, Side { x, y, .. }) = (linked, side);
        progress.step("linked columns", 0, 0)?;
        let raw = Compared::new((unit_rows(fx), unit_rows(fy)));
        let low = Compared::new(explained(fx, fy, x, y)?);
        let smoothed = Compared::new((unit_rows(&smooth(fx, x, seed, progress)?), unit_rows(&smooth(fy, y, seed, progress)?)));
        let scale = 1.0 / spread_of_sum(&[&raw, &low]);
        Ok(Self { raw, low, smoothed, scale })
    }

    /// Matches of the smoothed columns alone.
    pub(super) fn start(&self) -> Matched {
        mutual(&[&self.smoothed])
    }

    /// Matches of the view alone.
    fn alone(&self) -> Matched {
        mutual(&[&self.raw, &self.low])
    }

    /// Matches of a map with the view beside it.
    fn beside(&self, placed: &Compared, weight: f64) -> Matched {
        let weight = weight * self.scale;
        mutual_weighted(&[(placed, 1.0), (&self.raw, weight), (&self.low, weight)])
    }

    /// A run with the view beside the map, then without it.
    fn train(&self, side: &Side<'_>, plan: &Plan, rng: &mut ChaCha8Rng, step: Step<'_>) -> Result<Matched> {
        let Side { x, y, given } = *side;
        let fade = |share: f64| 1.0 - (1.0 - FADED) * share;
        let grown = train_with(x, y, given, self.alone(), plan, rng, step, &|placed, share| self.beside(placed, fade(share)))?;
        // The map alone, in the full dimension.
        let polish = Plan { first: usize::MAX, steps: 1, hold: ALONE - 1, ..*plan };
        train_with(x, y, given, grown, &polish, rng, step, &|placed, _| mutual(&[placed]))
    }
}

/// Reports a step, and hears whether to stop.
type Step<'a> = &'a dyn Fn(usize) -> Result<()>;

/// Runs with the view beside the map. The matches of a run tell which links hold and suggest others, with which it runs again, as long as
/// that makes the matches more reproducible.
pub(super) fn train_linked(
    side: &Side<'_>,
    columns: &Columns,
    (linked, view): (&Linked, &View),
    plan: &Plan,
    seed: u64,
    progress: &Progress,
    step: Step<'_>,
) -> Result<(Matched, f64)> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let judged = |found: &Matched| reproducibility(side.x, side.y, &found.matches, plan.power, seed);
    let mut found = view.train(side, plan, &mut rng, step)?;
    let mut reached = judged(&found)?;
    for _ in 0..ROUNDS {
        if found.matches.len() < LEAST_MATCHES {
            break;
        }
        let (held, _) = linked.judged(&found.matches);
        let more = columns.grown(&found.matches, held.into_iter().map(|(link, _)| link))?;
        if more.links.len() < 2 {
            break;
        }
        let next = View::new(&more, side, seed, progress)?.train(side, plan, &mut rng, step)?;
        let this = judged(&next)?;
        if this <= reached {
            break;
        }
        (found, reached) = (next, this);
    }
    Ok((found, reached))
}

pub(super) fn unit_rows(m: &Matrix<f64>) -> Matrix<f32> {
    let mut out = m.to_f32();
    (0..out.nrows()).for_each(|i| unit_f32(out.row_mut(i)));
    out
}

/// Every row moves most of the way to the mean of its neighbours in its own dataset; columns are standardised again.
pub(super) fn smooth(f: &Matrix<f64>, x: &Matrix<f64>, seed: u64, progress: &Progress) -> Result<Matrix<f64>> {
    let k = AROUND.min(x.nrows() - 1);
    let rows = Rows::F64(leading_unit(x, COORDINATES));
    let near = neighbors(&rows, k, Metric::Cosine, Search::Auto, seed, progress)?;
    let width = f.ncols();
    let mut out = Matrix::zeros(f.nrows(), width);
    out.as_mut_slice().par_chunks_mut(width.max(1)).enumerate().for_each(|(i, out)| {
        for (j, _) in near.row(i) {
            out.iter_mut().zip(f.row(j as usize)).for_each(|(o, v)| *o += (1.0 - KEPT) / k as f64 * v);
        }
        out.iter_mut().zip(f.row(i)).for_each(|(o, v)| *o += KEPT * v);
    });
    standardised(&mut out);
    Ok(out)
}

/// Linked columns as far as the leading principal coordinates of their own dataset explain them, standardised; rows of length 1.
/// With Q the normed coordinates and G = Q'F, the similarities are `Q₁ G₁ G₂' Q₂'`: the singular vectors of `G₁ G₂'` give them in few
/// dimensions.
pub(super) fn explained(
    fx: &Matrix<f64>,
    fy: &Matrix<f64>,
    x: &Matrix<f64>,
    y: &Matrix<f64>,
) -> Result<(Matrix<f32>, Matrix<f32>)> {
    let normed = |rows: &Matrix<f64>| {
        let d = EXPLAINED_BY.min(rows.ncols());
        let length = |j: usize| rows.rows().map(|r| r[j] * r[j]).sum::<f64>().sqrt().max(1e-300);
        let lengths: Vec<f64> = (0..d).map(length).collect();
        Tall { values: rows.rows().flat_map(|r| (0..d).map(|j| r[j] / lengths[j]).collect::<Vec<_>>()).collect(), stride: d }
    };
    let coefficients = |q: &Tall, f: &Matrix<f64>| {
        let mut g = gram(q, q.stride, &Tall { values: f.as_slice().to_vec(), stride: f.ncols() });
        for l in 0..g.ncols() {
            let length = (0..g.nrows()).map(|r| g[(r, l)] * g[(r, l)]).sum::<f64>().sqrt();
            (0..g.nrows()).for_each(|r| g[(r, l)] = if length > 1e-12 { g[(r, l)] / length } else { 0.0 });
        }
        g
    };
    let (qx, qy) = (normed(x), normed(y));
    let (gx, gy) = (coefficients(&qx, fx), coefficients(&qy, fy));
    let core = &gx * gy.transpose();
    let failed = |_| Error::Numerical { what: "linked columns".into(), problem: "no singular values".into() };
    let found = core.svd().map_err(failed)?;
    let rank = core.nrows().min(core.ncols());
    let place = |q: &Tall, g: &Mat<f64>, vectors: faer::MatRef<'_, f64>| {
        let own = g * g.transpose();
        let mut out = Matrix::<f32>::zeros(q.n(), rank);
        out.as_mut_slice().par_chunks_mut(rank).zip(q.values.par_chunks(q.stride)).for_each(|(out, q)| {
            let quadratic: f64 = (0..q.len()).map(|a| q[a] * (0..q.len()).map(|b| own[(a, b)] * q[b]).sum::<f64>()).sum();
            let length = quadratic.max(0.0).sqrt().max(1e-300);
            for (c, o) in out.iter_mut().enumerate() {
                let along: f64 = (0..q.len()).map(|a| q[a] * vectors[(a, c)]).sum();
                *o = (along * found.S()[c].max(0.0).sqrt() / length) as f32;
            }
        });
        out
    };
    Ok((place(&qx, &gx, found.U()), place(&qy, &gy, found.V())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::RngExt;

    #[test]
    fn few_dimensions_give_the_similarities_of_explained_columns() {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let mut draw = |n: usize, p: usize| Matrix::from_fn(n, p, |_, _| rng.random_range(-1.0..1.0));
        let (mut fx, mut fy, x, y) = (draw(40, 9), draw(30, 9), draw(40, 5), draw(30, 4));
        standardised(&mut fx);
        standardised(&mut fy);
        let (a, b) = explained(&fx, &fy, &x, &y).unwrap();
        // By hand: Q Q'F with columns of the same length, cosines of its rows.
        let by_hand = |f: &Matrix<f64>, x: &Matrix<f64>| {
            let (n, d) = (f.nrows(), x.ncols());
            let length = |j: usize| (0..n).map(|i| x[(i, j)] * x[(i, j)]).sum::<f64>().sqrt();
            let q = Matrix::from_fn(n, d, |i, j| x[(i, j)] / length(j));
            let g = Matrix::from_fn(d, 9, |r, l| (0..n).map(|i| q[(i, r)] * f[(i, l)]).sum::<f64>());
            let size = |l: usize| (0..d).map(|r| g[(r, l)] * g[(r, l)]).sum::<f64>().sqrt();
            Matrix::from_fn(n, 9, |i, l| (0..d).map(|r| q[(i, r)] * g[(r, l)] / size(l)).sum::<f64>())
        };
        let (low_x, low_y) = (by_hand(&fx, &x), by_hand(&fy, &y));
        let cosine = |p: &[f64], q: &[f64]| {
            let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
            dot(p, q) / (dot(p, p) * dot(q, q)).sqrt()
        };
        for i in 0..40 {
            for j in 0..30 {
                let fast: f32 = a.row(i).iter().zip(b.row(j)).map(|(a, b)| a * b).sum();
                assert!((f64::from(fast) - cosine(low_x.row(i), low_y.row(j))).abs() < 1e-4, "{i} {j}");
            }
        }
    }

    #[test]
    fn columns_that_do_not_vary_or_do_not_correlate_are_told() {
        let values = |i: usize, j: usize| match j {
            0 => 5.0,
            1 => (i % 7) as f64,
            _ => ((i * 13) % 11) as f64,
        };
        let x = Dataset::new("x", Matrix::from_fn(60, 3, values)).unwrap();
        let y = Dataset::new("y", Matrix::from_fn(60, 3, |i, j| values(i, j) * 2.0 - 1.0)).unwrap();
        let link = |i: usize, j: usize| ColumnLink { a: 0, i, b: 1, j, weight: 1.0 };
        let columns = Columns::new(&x, &y, &[Prepare::None, Prepare::None]).unwrap();
        let linked = Linked::new(&columns, &[link(0, 1), link(1, 1), link(2, 2), link(1, 2)]).unwrap();
        assert_eq!((linked.constant, linked.left_out, linked.links.len()), (1, 0, 3));
        let same: Vec<Match> = (0..60).map(|i| (i, i)).collect();
        let (_, doubtful) = linked.judged(&same);
        assert_eq!(doubtful.iter().map(|l| (l.i, l.j)).collect::<Vec<_>>(), [(1, 2)]);
    }

    #[test]
    fn words_that_are_everywhere_count_less_where_columns_are_linked() {
        let counts = Csr::from_triplets(4, 2, &[(0, 0, 3.0), (0, 1, 1.0), (1, 0, 1.0), (2, 0, 1.0), (3, 0, 1.0)]).unwrap();
        for (linked, common) in [(false, 1.0), (true, COMMON)] {
            // By hand, the first row: ln(1 + tf) (ln((1 + n) / (1 + d)) + common), unit length.
            let words = [4f64.ln() * common, 2f64.ln() * ((5.0f64 / 2.0).ln() + common)];
            let length = words[0].hypot(words[1]);
            let row = weighed_words(&counts, linked).select(&[0]).to_dense().values;
            assert!(row.iter().zip(words).all(|(a, b)| (a - b / length).abs() < 1e-12), "{row:?}");
        }
    }

    #[test]
    fn links_grow_to_columns_that_are_the_best_of_each_other_over_the_matches() {
        let mut rng = ChaCha8Rng::seed_from_u64(8);
        let (n, p) = (300, 12);
        let x = Matrix::from_fn(n, p, |_, _| rng.random_range(-1.0..1.0f64));
        // Column j of the second holds column 11 - j of the first, and noise that grows with j.
        let y = Matrix::from_fn(n, p, |i, j| x[(i, p - 1 - j)] + rng.random_range(-1.0..1.0) * j as f64 / 3.0);
        let correlation = |i: usize, j: usize| {
            let mean = |m: &Matrix<f64>, c: usize| (0..n).map(|r| m[(r, c)]).sum::<f64>() / n as f64;
            let (mx, my) = (mean(&x, i), mean(&y, j));
            let sum = |f: &dyn Fn(usize) -> f64| (0..n).map(f).sum::<f64>();
            let xy = sum(&|r| (x[(r, i)] - mx) * (y[(r, j)] - my));
            xy / (sum(&|r| (x[(r, i)] - mx).powi(2)) * sum(&|r| (y[(r, j)] - my).powi(2))).sqrt()
        };
        // By hand: mutual best columns, clearly; a known link that holds weighs as much as it correlates, another goes.
        let best_of_x = |i: usize| (0..p).max_by(|a, b| correlation(i, *a).total_cmp(&correlation(i, *b))).unwrap();
        let best_of_y = |j: usize| (0..p).max_by(|a, b| correlation(*a, j).total_cmp(&correlation(*b, j))).unwrap();
        let least = f64::from(CLEAR).max(5.0 / (n as f64).sqrt());
        let mut by_hand: Vec<(usize, usize, f64)> = (0..p)
            .map(|i| (i, best_of_x(i)))
            .filter(|&(i, j)| best_of_y(j) == i && correlation(i, j) >= least)
            .map(|(i, j)| (i, j, correlation(i, j)))
            .collect();
        assert!((4..p).contains(&by_hand.len()), "{by_hand:?}");
        let link = |i: usize, j: usize| ColumnLink { a: 0, i, b: 1, j, weight: 1.0 };
        let known = [link(11, 0), link(0, 0)];
        assert!(correlation(0, 0).abs() < 2.0 / (n as f64).sqrt());
        let of = |name: &str, m: &Matrix<f64>| Dataset::new(name, m.clone()).unwrap();
        let columns = Columns::new(&of("x", &x), &of("y", &y), &[Prepare::None, Prepare::None]).unwrap();
        let linked = Linked::new(&columns, &known).unwrap();
        let matches: Vec<Match> = (0..n as u32).map(|i| (i, i)).collect();
        let held = linked.judged(&matches).0.into_iter().map(|(l, r)| ColumnLink { weight: l.weight * r, ..l });
        let mut grown: Vec<_> = columns.grown(&matches, held).unwrap().links.iter().map(|l| (l.i, l.j, l.weight)).collect();
        grown.sort_by_key(|l| (l.0, l.1));
        by_hand.sort_by_key(|l| (l.0, l.1));
        assert_eq!(grown.len(), by_hand.len());
        for (a, b) in grown.iter().zip(&by_hand) {
            assert!((a.0, a.1) == (b.0, b.1) && (a.2 - b.2).abs() < 1e-5, "{a:?} {b:?}");
        }
    }
}
