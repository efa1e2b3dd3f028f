//! Matches of rows by cosine with a correction for hubs, rows that are near to many others (CSLS, `2 cos − r_i − c_j`).
//!
//! * [`nearest_corrected`]: the k best of each row, exact in f64;
//! * [`mutual`]: mutual best matches of rows in single precision, from one or several comparisons. All similarities are
//!   computed, none is stored.

use crate::error::Result;
use crate::geometry::neighbors::{Index, Metric, Neighbors, neighbors_among};
use crate::linalg::Matrix;
use crate::linalg::two_way_top_k::{Largest, largest_both_ways};
use crate::progress::Progress;
use rayon::prelude::*;

/// Number of neighbours in the r of CSLS.
pub(crate) const NEAREST: usize = 10;

/// The `k` best rows of `target` for each row of `source`, best first, with the negated score as distance.
pub(crate) fn nearest_corrected(source: &Matrix<f64>, target: &Matrix<f64>, k: usize, progress: &Progress) -> Result<Neighbors> {
    nearest_known(source, target, &Index::new(target, Metric::Cosine), &nearness(target, source, progress)?, k, progress)
}

/// The mean cosine of each row to its nearest rows on the other side: r and c of CSLS.
pub(crate) fn nearness(from: &Matrix<f64>, to: &Matrix<f64>, progress: &Progress) -> Result<Vec<f64>> {
    let count = NEAREST.min(to.nrows());
    Ok(means(&neighbors_among(from, to, count, Metric::Cosine, progress)?))
}

fn means(found: &Neighbors) -> Vec<f64> {
    found.distances.chunks(found.k).map(|d| 1.0 - d.iter().sum::<f64>() / found.k as f64).collect()
}

/// As [`nearest_corrected`], with c of the target rows given, and their index by the cosine.
pub(crate) fn nearest_known(
    source: &Matrix<f64>,
    target: &Matrix<f64>,
    index: &Index,
    of_target: &[f64],
    k: usize,
    progress: &Progress,
) -> Result<Neighbors> {
    let of_source = means(&index.neighbors(source, target, NEAREST.min(target.nrows()), progress)?);
    // 2 cos − r_i − c_j = 2 − r_i − 2 (1 − cos + c_j / 2): the handicap of a target row is c_j / 2.
    let mut found = index.handicapped(source, target, of_target.iter().map(|r| 0.5 * r).collect(), k, progress)?;
    for (distances, r) in found.distances.chunks_mut(k).zip(&of_source) {
        distances.iter_mut().for_each(|d| *d = r - 2.0 + 2.0 * *d);
    }
    Ok(found)
}

/// A row of the first and a row of the second dataset.
pub(crate) type Match = (u32, u32);

/// Matches, by row of the first, each with its CSLS score.
#[derive(Clone)]
pub(crate) struct Matched {
    pub(crate) matches: Vec<Match>,
    pub(crate) scores: Vec<f64>,
}

/// Mutual best matches, and for every row of the first the best match, mutual or not, and the row with the largest cosine.
pub(crate) struct BothWays {
    pub(crate) mutual: Matched,
    pub(crate) there: Vec<u32>,
    pub(crate) nearest: Vec<u32>,
}

/// Two sets of rows of length 1 to compare, and the mean similarity of each row to its nearest rows on the other side (r and
/// c of CSLS).
pub(crate) struct Compared {
    x: Matrix<f32>,
    y: Matrix<f32>,
    near_x: Vec<f64>,
    near_y: Vec<f64>,
    /// The row of the second with the largest cosine to each row of the first.
    nearest: Vec<u32>,
}

impl Compared {
    pub(crate) fn new((x, y): (Matrix<f32>, Matrix<f32>)) -> Self {
        let none = |m: &Matrix<f32>| vec![0.0; m.nrows()];
        let (of_x, of_y) = largest_both_ways(&x, &y, &none(&x), &none(&y), NEAREST.min(x.nrows()).min(y.nrows()));
        let mean = |lists: &Largest, i: usize| {
            let (values, _) = lists.of(i);
            values.iter().map(|v| f64::from(*v)).sum::<f64>() / values.len() as f64
        };
        let near_x = (0..x.nrows()).map(|i| mean(&of_x, i)).collect();
        let near_y = (0..y.nrows()).map(|j| mean(&of_y, j)).collect();
        let nearest = (0..x.nrows()).map(|i| of_x.of(i).1[0]).collect();
        Self { x, y, near_x, near_y, nearest }
    }
    /// The `k` best scores of every row and of every column, halved.
    fn best(&self, k: usize) -> (Largest, Largest) {
        largest_both_ways(&self.x, &self.y, &halves(&self.near_x), &halves(&self.near_y), k)
    }
    /// For each row of either side: the best score less the second, and the second less the third.
    pub(crate) fn gaps(&self) -> [(Vec<f64>, Vec<f64>); 2] {
        let k = 3.min(self.x.nrows()).min(self.y.nrows());
        let (of_x, of_y) = self.best(k);
        let gap = |values: &[f32], at: usize| 2.0 * f64::from(values[at.min(k - 1)] - values[(at + 1).min(k - 1)]);
        [(of_x, self.x.nrows()), (of_y, self.y.nrows())]
            .map(|(lists, n)| (0..n).map(|i| (gap(lists.of(i).0, 0), gap(lists.of(i).0, 1))).unzip())
    }
    /// The cosine of a row of each side.
    pub(crate) fn product(&self, i: usize, j: usize) -> f64 {
        dot(self.x.row(i), self.y.row(j))
    }
    /// The cosine of two rows of the second side.
    fn among_columns(&self, i: usize, j: usize) -> f64 {
        dot(self.y.row(i), self.y.row(j))
    }
    /// The CSLS score of a row of each side.
    pub(crate) fn score(&self, i: usize, j: usize) -> f64 {
        2.0 * dot(self.x.row(i), self.y.row(j)) - self.near_x[i] - self.near_y[j]
    }
    /// The best scores of every row and of every column, best first.
    pub(crate) fn leaders(&self) -> Leaders<'_> {
        let (rows, columns) = self.best(LEADERS.min(self.x.nrows()).min(self.y.nrows()));
        Leaders { compared: self, rows, columns }
    }
    /// Standard deviation of the CSLS scores, from a sample of rows.
    fn spread(&self) -> f64 {
        spread_over((&self.x, &self.y), |i, j| self.score(i, j))
    }
}

/// Standard deviation of the sum of several scores, each divided by its own.
pub(crate) fn spread_of_sum(parts: &[&Compared]) -> f64 {
    let own: Vec<f64> = parts.iter().map(|p| p.spread()).collect();
    spread_over((&parts[0].x, &parts[0].y), |i, j| parts.iter().zip(&own).map(|(p, s)| p.score(i, j) / s).sum())
}

/// Standard deviation of scores, from a sample of rows.
fn spread_over((x, y): (&Matrix<f32>, &Matrix<f32>), score: impl Fn(usize, usize) -> f64) -> f64 {
    const SAMPLE: usize = 200;
    let rows: Vec<usize> = (0..x.nrows()).step_by(x.nrows().div_ceil(SAMPLE)).collect();
    let columns: Vec<usize> = (0..y.nrows()).step_by(y.nrows().div_ceil(10 * SAMPLE)).collect();
    let (mut sum, mut square) = (0.0, 0.0);
    for &i in &rows {
        for &j in &columns {
            let score = score(i, j);
            sum += score;
            square += score * score;
        }
    }
    let count = (rows.len() * columns.len()) as f64;
    (square / count - (sum / count).powi(2)).max(1e-300).sqrt()
}

/// Leaders of a row that are kept: more than are likely nearly the same as one of them.
const LEADERS: usize = 12;

/// The best scores of every row and of every column of a comparison.
pub(crate) struct Leaders<'a> {
    compared: &'a Compared,
    rows: Largest,
    columns: Largest,
}

impl Leaders<'_> {
    /// The best partner of row `i` other than `but`.
    pub(crate) fn of_row(&self, i: usize, but: &[u32]) -> Option<(u32, f64)> {
        Self::best(&self.rows, i, but).map(|(j, v)| (j, 2.0 * v - self.compared.near_x[i]))
    }
    /// What row `i` would match if `j` were taken away, and with it what is nearer to `j` than the row itself is: other words for the same
    /// thing. If all leaders are, the last of them. Other than `but`.
    pub(crate) fn of_row_without(&self, i: usize, j: u32, but: u32) -> Option<(u32, f64)> {
        self.of_row_apart(i, j, but, self)
    }
    /// The same where another comparison of the rows, `by`, says what is nearer to `j`.
    pub(crate) fn of_row_apart(&self, i: usize, j: u32, but: u32, by: &Self) -> Option<(u32, f64)> {
        let own = by.compared.product(i, j as usize);
        let (values, indices) = self.rows.of(i);
        let left = || indices.iter().zip(values).filter(|(k, v)| v.is_finite() && **k != j && **k != but).map(|(k, _)| *k);
        let apart = left().find(|k| by.compared.among_columns(j as usize, *k as usize) < own);
        let found = apart.or_else(|| left().next_back())?;
        Some((found, self.score(i, found as usize)))
    }
    /// The best partner of column `j` other than `but`.
    pub(crate) fn of_column(&self, j: usize, but: &[u32]) -> Option<(u32, f64)> {
        Self::best(&self.columns, j, but).map(|(i, v)| (i, 2.0 * v - self.compared.near_y[j]))
    }
    fn best(lists: &Largest, at: usize, but: &[u32]) -> Option<(u32, f64)> {
        let (values, indices) = lists.of(at);
        let found = indices.iter().zip(values).find(|(place, v)| v.is_finite() && !but.contains(place));
        found.map(|(place, v)| (*place, f64::from(*v)))
    }
    /// The score of row `i` and column `j`.
    pub(crate) fn score(&self, i: usize, j: usize) -> f64 {
        self.compared.score(i, j)
    }
}

fn halves(h: &[f64]) -> Vec<f32> {
    h.iter().map(|v| (0.5 * v) as f32).collect()
}

/// In f64, in eight partial sums.
fn dot(a: &[f32], b: &[f32]) -> f64 {
    let mut sums = [0.0f64; 8];
    let ((x, rest), (y, other)) = (a.as_chunks::<8>(), b.as_chunks::<8>());
    for (x, y) in x.iter().zip(y) {
        for l in 0..8 {
            sums[l] += f64::from(x[l]) * f64::from(y[l]);
        }
    }
    let rest: f64 = rest.iter().zip(other).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum();
    sums.iter().sum::<f64>() + rest
}

/// Mutual best matches by CSLS. Several comparisons are weighted by the inverse spread of their scores: `Σ w (2 cos − r_i −
/// c_j)`.
pub(crate) fn mutual(parts: &[&Compared]) -> Matched {
    if let [part] = parts {
        return mutual_in(&part.x, &part.y, &part.near_x, &part.near_y).0;
    }
    mutual_weighted(&parts.iter().map(|p| (*p, 1.0)).collect::<Vec<_>>())
}

/// As [`mutual`], with the best matches of the first.
pub(crate) fn both_ways(part: Compared) -> BothWays {
    let (mutual, there) = mutual_in(&part.x, &part.y, &part.near_x, &part.near_y);
    BothWays { mutual, there, nearest: part.nearest }
}

/// The same of rows of length 1, each among the [`NEAREST`] rows with the largest cosines: half the time of comparing all of them, and
/// nearly the same matches.
pub(crate) fn both_ways_among_nearest(x: &Matrix<f32>, y: &Matrix<f32>) -> BothWays {
    let none = |m: &Matrix<f32>| vec![0.0; m.nrows()];
    let (of_x, of_y) = largest_both_ways(x, y, &none(x), &none(y), NEAREST.min(x.nrows()).min(y.nrows()));
    let mean = |lists: &Largest, count: usize| -> Vec<f32> {
        (0..count).map(|i| lists.of(i).0.iter().sum::<f32>() / lists.of(i).0.len() as f32).collect()
    };
    let (near_x, near_y) = (mean(&of_x, x.nrows()), mean(&of_y, y.nrows()));
    // Ties go to the lower number.
    let best = |lists: &Largest, place: usize, near: &[f32]| {
        let (values, indices) = lists.of(place);
        let scores = values.iter().zip(indices).map(|(v, j)| (2.0 * v - near[*j as usize], *j));
        scores.fold((f32::NEG_INFINITY, u32::MAX), |a, b| if b.0 > a.0 || (b.0 == a.0 && b.1 < a.1) { b } else { a })
    };
    let there: Vec<(f32, u32)> = (0..x.nrows()).map(|i| best(&of_x, i, &near_y)).collect();
    let mut mutual = Matched { matches: vec![], scores: vec![] };
    for (i, &(score, j)) in there.iter().enumerate() {
        if j != u32::MAX && best(&of_y, j as usize, &near_x).1 as usize == i {
            mutual.matches.push((i as u32, j));
            mutual.scores.push(f64::from(score) - f64::from(near_x[i]));
        }
    }
    let nearest = (0..x.nrows()).map(|i| of_x.of(i).1[0]).collect();
    BothWays { mutual, there: there.into_iter().map(|(_, j)| j).collect(), nearest }
}

/// The mutual matches of [`both_ways_among_nearest`].
pub(crate) fn mutual_among_nearest(x: &Matrix<f32>, y: &Matrix<f32>) -> Vec<Match> {
    both_ways_among_nearest(x, y).mutual.matches
}

/// The same with a factor for each comparison, beside the inverse spread of its scores.
pub(crate) fn mutual_weighted(weighed: &[(&Compared, f64)]) -> Matched {
    let parts: Vec<&Compared> = weighed.iter().map(|(part, _)| *part).collect();
    let weights = weights(weighed);
    let (mut of_x, mut of_y) = (vec![0.0; parts[0].x.nrows()], vec![0.0; parts[0].y.nrows()]);
    for (part, weight) in parts.iter().zip(&weights) {
        of_x.iter_mut().zip(&part.near_x).for_each(|(h, r)| *h += weight * r);
        of_y.iter_mut().zip(&part.near_y).for_each(|(h, c)| *h += weight * c);
    }
    let beside = |pick: fn(&Compared) -> &Matrix<f32>| -> Matrix<f32> {
        let rows = pick(parts[0]).nrows();
        let mut out = Matrix::zeros(rows, parts.iter().map(|p| pick(p).ncols()).sum());
        for i in 0..rows {
            let scaled = |(p, w): (&&Compared, &f64)| {
                let factor = w.sqrt() as f32;
                pick(p).row(i).iter().map(move |v| v * factor).collect::<Vec<_>>()
            };
            let values = parts.iter().zip(&weights).flat_map(scaled);
            out.row_mut(i).iter_mut().zip(values).for_each(|(o, v)| *o = v);
        }
        out
    };
    mutual_in(&beside(|p| &p.x), &beside(|p| &p.y), &of_x, &of_y).0
}

/// The weight of each comparison; they sum to 1.
fn weights(parts: &[(&Compared, f64)]) -> Vec<f64> {
    let all: Vec<f64> = parts.iter().map(|(p, factor)| factor / p.spread()).collect();
    let total: f64 = all.iter().sum();
    all.iter().map(|w| w / total).collect()
}

fn mutual_in(x: &Matrix<f32>, y: &Matrix<f32>, of_x: &[f64], of_y: &[f64]) -> (Matched, Vec<u32>) {
    let (half_x, half_y) = (halves(of_x), halves(of_y));
    let (there, back) = largest_both_ways(x, y, &half_x, &half_y, 2.min(x.nrows()).min(y.nrows()));
    let there = settled(&there, x, y, &half_y);
    let back = settled(&back, y, x, &half_x);
    let mut found = Matched { matches: vec![], scores: vec![] };
    for (i, &j) in there.iter().enumerate() {
        if back[j as usize] as usize == i {
            found.matches.push((i as u32, j));
            found.scores.push(2.0 * dot(x.row(i), y.row(j as usize)) - of_x[i] - of_y[j as usize]);
        }
    }
    (found, there)
}

/// The best partner of each row. If single precision leaves a doubt between the first two, all partners are compared in f64;
/// ties go to the lower number, wherever in a tile they are.
fn settled(lists: &Largest, from: &Matrix<f32>, to: &Matrix<f32>, handicap: &[f32]) -> Vec<u32> {
    // Rounding of a sum of products of rows of length 1, and of the subtraction, for both of them.
    let doubt = 2.2 * (from.ncols() + 4) as f32 * f32::EPSILON / 2.0;
    (0..from.nrows())
        .into_par_iter()
        .map(|i| {
            let (values, indices) = lists.of(i);
            if values.len() < 2 || values[0] - values[1] > doubt {
                return indices[0];
            }
            let score = |j: usize| dot(from.row(i), to.row(j)) - f64::from(handicap[j]);
            let mut best = (f64::NEG_INFINITY, 0);
            for j in 0..to.nrows() {
                let this = score(j);
                if this > best.0 {
                    best = (this, j as u32);
                }
            }
            best.1
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::signatures::unit_f32;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    fn rows(n: usize, d: usize, seed: u64) -> Matrix<f32> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut m = Matrix::from_fn(n, d, |_, j| rng.random_range(-1.0..1.0f32) + if j == 0 { 0.3 } else { 0.0 });
        for i in 0..n {
            let length = dot(m.row(i), m.row(i)).sqrt() as f32;
            m.row_mut(i).iter_mut().for_each(|v| *v /= length);
        }
        m
    }

    /// All scores in f64: `Σ w (2 cos − r − c)`.
    fn naive(parts: &[(&Matrix<f32>, &Matrix<f32>, f64)]) -> Vec<Vec<f64>> {
        let (n, m) = (parts[0].0.nrows(), parts[0].1.nrows());
        let mut scores = vec![vec![0.0; m]; n];
        for (x, y, weight) in parts {
            let s: Vec<Vec<f64>> = x.rows().map(|a| y.rows().map(|b| dot(a, b)).collect()).collect();
            let mean = |mut all: Vec<f64>| {
                all.sort_by(|a, b| b.total_cmp(a));
                all[..NEAREST].iter().sum::<f64>() / NEAREST as f64
            };
            let r: Vec<f64> = s.iter().map(|row| mean(row.clone())).collect();
            let c: Vec<f64> = (0..m).map(|j| mean(s.iter().map(|row| row[j]).collect())).collect();
            for i in 0..n {
                for j in 0..m {
                    scores[i][j] += weight * (2.0 * s[i][j] - r[i] - c[j]);
                }
            }
        }
        scores
    }

    fn best_of(scores: &[Vec<f64>]) -> Vec<Match> {
        let first = |values: &mut dyn Iterator<Item = f64>| {
            values.enumerate().fold((0, f64::NEG_INFINITY), |b, (i, v)| if v > b.1 { (i, v) } else { b }).0
        };
        let there: Vec<usize> = scores.iter().map(|row| first(&mut row.iter().copied())).collect();
        let back: Vec<usize> = (0..scores[0].len()).map(|j| first(&mut scores.iter().map(|row| row[j]))).collect();
        (0..there.len()).filter(|&i| back[there[i]] == i).map(|i| (i as u32, there[i] as u32)).collect()
    }

    #[test]
    fn mutual_matches_among_the_nearest_are_those_of_all_rows() {
        // Two noisy copies of a cloud: the best partner is always among the ten nearest rows.
        let cloud = rows(60, 6, 3);
        let noisy = |seed: u64| {
            let noise = rows(60, 6, seed);
            let mut out = Matrix::from_fn(60, 6, |i, j| f64::from(cloud[(i, j)] + 0.2 * noise[(i, j)]));
            (0..60).for_each(|i| crate::geometry::neighbors::unit_length(out.row_mut(i)));
            out.to_f32()
        };
        let (x, y) = (noisy(4), noisy(5));
        let all = both_ways(Compared::new((x.clone(), y.clone())));
        let near = both_ways_among_nearest(&x, &y);
        assert_eq!(near.mutual.matches, all.mutual.matches);
        assert_eq!(mutual_among_nearest(&x, &y), all.mutual.matches);
        assert_eq!((near.there, &near.nearest), (all.there, &all.nearest));
        assert!(near.mutual.scores.iter().zip(&all.mutual.scores).all(|(a, b)| (a - b).abs() < 1e-5));
        assert!(all.mutual.matches.len() > 20, "{}", all.mutual.matches.len());
        for (i, j) in near.nearest.iter().enumerate() {
            let cosine = |j: usize| dot(x.row(i), y.row(j));
            assert!((0..60).all(|other| cosine(other) <= cosine(*j as usize) + 1e-6), "{i}");
        }
        // Fewer rows than neighbours, and rows without a direction.
        let few = Matrix::from_fn(3, 6, |i, j| x[(i, j)]);
        assert_eq!(mutual_among_nearest(&few, &few), [(0, 0), (1, 1), (2, 2)]);
        assert!(mutual_among_nearest(&Matrix::zeros(4, 6), &x).len() <= 4);
    }

    #[test]
    fn mutual_matches_are_those_of_all_scores() {
        let (x, y) = (rows(240, 12, 1), rows(310, 12, 2));
        let (v, w) = (rows(240, 5, 3), rows(310, 5, 4));
        let scores = naive(&[(&x, &y, 1.0)]);
        let found = mutual(&[&Compared::new((x.clone(), y.clone()))]);
        assert_eq!(found.matches, best_of(&scores));
        for (m, s) in found.matches.iter().zip(&found.scores) {
            assert!((s - scores[m.0 as usize][m.1 as usize]).abs() < 1e-5);
        }
        let parts = [Compared::new((x.clone(), y.clone())), Compared::new((v.clone(), w.clone()))];
        let parts = [&parts[0], &parts[1]];
        let weights = weights(&[(parts[0], 1.0), (parts[1], 1.0)]);
        let scores = naive(&[(&x, &y, weights[0]), (&v, &w, weights[1])]);
        assert_eq!(mutual(&parts).matches, best_of(&scores));
    }

    #[test]
    fn leaders_are_those_of_all_scores() {
        let (x, y) = (rows(150, 6, 7), rows(140, 6, 8));
        let scores = naive(&[(&x, &y, 1.0)]);
        let compared = Compared::new((x, y));
        let leaders = compared.leaders();
        let best = |entries: &mut dyn Iterator<Item = (u32, f64)>, but: &[u32]| {
            entries.filter(|(at, _)| !but.contains(at)).fold((0, f64::NEG_INFINITY), |b, e| if e.1 > b.1 { e } else { b })
        };
        for i in 0..140 {
            let row = |but: &[u32]| best(&mut scores[i].iter().enumerate().map(|(j, v)| (j as u32, *v)), but);
            let column = |but: &[u32]| best(&mut scores.iter().enumerate().map(|(r, s)| (r as u32, s[i])), but);
            let (first, second) = (row(&[]).0, row(&[row(&[]).0]).0);
            for but in [vec![], vec![first], vec![first, second]] {
                let (got, expected) = (leaders.of_row(i, &but).unwrap(), row(&but));
                assert!(got.0 == expected.0 && (got.1 - expected.1).abs() < 1e-5, "{i}: {got:?} and {expected:?}");
                let (got, expected) = (leaders.of_column(i, &but).unwrap(), column(&but));
                assert!(got.0 == expected.0 && (got.1 - expected.1).abs() < 1e-5, "{i}: {got:?} and {expected:?}");
            }
            assert!((leaders.score(i, i) - scores[i][i]).abs() < 1e-5);
        }
    }

    #[test]
    fn what_is_nearly_the_match_is_taken_away_with_it() {
        // Near-copies of every third row of the second set, and rows of the first that lie between both.
        let (mut x, mut y) = (rows(120, 6, 9), rows(160, 6, 10));
        for i in 0..40 {
            let (own, noise) = (y.row(3 * i).to_vec(), y.row(120 + i).to_vec());
            y.row_mut(120 + i).iter_mut().zip(own.iter().zip(&noise)).for_each(|(v, (o, e))| *v = o + 0.05 * e);
            x.row_mut(3 * i).iter_mut().zip(&own).for_each(|(v, o)| *v = o + 0.5 * *v);
            unit_f32(y.row_mut(120 + i));
            unit_f32(x.row_mut(3 * i));
        }
        let scores = naive(&[(&x, &y, 1.0)]);
        let cosine = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| f64::from(a * b)).sum::<f64>();
        let compared = Compared::new((x.clone(), y.clone()));
        let leaders = compared.leaders();
        let mut copies = 0;
        for i in 0..120 {
            let (j, _) = leaders.of_row(i, &[]).unwrap();
            let own = cosine(x.row(i), y.row(j as usize));
            let mut order: Vec<usize> = (0..160).filter(|k| *k != j as usize).collect();
            order.sort_by(|a, b| scores[i][*b].total_cmp(&scores[i][*a]));
            let mut kept = order.iter().take(LEADERS - 1);
            let apart = kept.clone().find(|k| cosine(y.row(j as usize), y.row(**k)) < own);
            let expected = apart.or(kept.next_back()).copied().unwrap();
            let (found, score) = leaders.of_row_without(i, j, j).unwrap();
            assert_eq!(found as usize, expected, "{i}");
            assert!((score - scores[i][expected]).abs() < 1e-5);
            copies += usize::from(i % 3 == 0 && found as usize != order[0]);
        }
        assert!(copies > 10, "{copies}");
    }

    #[test]
    fn of_identical_rows_the_first_is_taken() {
        // Every row three times, so that each best match has ties in other tiles.
        let (one, other) = (rows(260, 7, 5), rows(260, 7, 6));
        let thrice = |m: &Matrix<f32>| Matrix::from_fn(780, 7, |i, j| m[(i % 260, j)]);
        let found = mutual(&[&Compared::new((thrice(&one), thrice(&other)))]);
        assert!(!found.matches.is_empty());
        assert!(found.matches.iter().all(|m| m.0 < 260 && m.1 < 260), "{:?}", found.matches);
    }
}
