//! Local patterns: descriptions of the neighbourhood of a row that can be compared across datasets without common features
//! (Chapter11 §5.3.4).
//!
//! The pattern of a row is the matrix of distances among the row and its k nearest neighbours. Two patterns are compared under
//! all k! permutations of the neighbours and both rescalings. With `c` their largest cosine over the permutations,
//! `dist = min(|R₁|, |R₂|) √(1 − c²)`: one inner product per permutation serves both rescalings. Sorted distances bound `c`
//! from above without any permutation (rearrangement inequality), so that most pairs of rows need none. Bounds are computed in
//! single precision and lowered by its largest error; pairs that they do not rule out are computed in double precision.

use crate::data::Rows;
use crate::error::{Error, Result};
use crate::geometry::distances::{Fault, first_fault};
use crate::geometry::neighbors::{self, Metric, row_distance};
use crate::linalg::Matrix;
use crate::linalg::permuted::{Ordered, STRIP, Star, left_single, star_bound, unexplained};
use crate::progress::Progress;
use rayon::prelude::*;

/// Maximum number of neighbours in a pattern: all their permutations are tried.
pub const MOST_NEIGHBORS: usize = 6;

/// The patterns of all rows of a dataset.
#[derive(Clone, Debug)]
pub struct Patterns {
    k: usize,
    /// Distances of each row to its neighbours, then among the neighbours, scaled to length 1 (or 0).
    entries: Matrix<f64>,
    /// The same in single precision.
    singles: Matrix<f32>,
    /// Squared Frobenius norms of the patterns.
    sizes: Vec<f64>,
    /// Both kinds of distances, sorted: for each entry, the values of all rows.
    sorted: Vec<Vec<f32>>,
    /// Distances seen from each neighbour, undivided; for the k with many permutations.
    stars: Vec<Star>,
}

/// From this k on, a second bound saves more time than it costs.
const WITH_STARS: usize = 5;

fn star(k: usize, pattern: &[f64]) -> Star {
    let mut star = Star::default();
    for u in 0..k {
        star[0][u] = pattern[u];
        let mut others: Vec<f64> = (0..k).filter(|v| *v != u).map(|v| pattern[place(k, u.min(v), u.max(v))]).collect();
        others.sort_unstable_by(f64::total_cmp);
        others.into_iter().enumerate().for_each(|(t, v)| star[t + 1][u] = v);
    }
    star
}

/// Position of the distance between neighbours u < v.
fn place(k: usize, u: usize, v: usize) -> usize {
    k + u * (2 * k - u - 1) / 2 + (v - u - 1)
}

/// All permutations of k neighbours, each as the source positions of the entries of a pattern.
fn all_orders(k: usize) -> Vec<u8> {
    fn extend(order: &mut Vec<usize>, k: usize, out: &mut Vec<u8>) {
        if order.len() == k {
            out.extend(order.iter().map(|u| *u as u8));
            for u in 0..k {
                for v in u + 1..k {
                    out.push(place(k, order[u].min(order[v]), order[u].max(order[v])) as u8);
                }
            }
            return;
        }
        for next in 0..k {
            if !order.contains(&next) {
                order.push(next);
                extend(order, k, out);
                order.pop();
            }
        }
    }
    let mut out = vec![];
    extend(&mut vec![], k, &mut out);
    out
}

fn check_pattern(k: usize, rows: usize) -> Result<()> {
    if k == 0 || k > MOST_NEIGHBORS {
        return Err(Error::parameter("n_neighbors", k, &format!("between 1 and {MOST_NEIGHBORS}: all its orders are tried")));
    }
    neighbors::check_neighbors(k, "rows", rows)
}

impl Patterns {
    /// Patterns of rows and their k nearest neighbours.
    pub fn new(rows: &Rows, k: usize, metric: Metric, progress: &Progress) -> Result<Self> {
        check_pattern(k, rows.nrows())?;
        let found = neighbors::neighbors(rows, k, metric, neighbors::Search::Auto, 0, progress)?;
        let p = rows.ncols();
        let raw: Vec<Vec<f64>> = (0..rows.nrows())
            .into_par_iter()
            .map_init(
                || vec![0.0; k * p],
                |around, i| {
                    let mut pattern: Vec<f64> = Vec::with_capacity(k * (k + 1) / 2);
                    for ((j, distance), row) in found.row(i).zip(around.chunks_exact_mut(p)) {
                        rows.copy_row(j as usize, row);
                        pattern.push(distance);
                    }
                    for u in 0..k {
                        for v in u + 1..k {
                            pattern.push(row_distance(metric, &around[u * p..(u + 1) * p], &around[v * p..(v + 1) * p]));
                        }
                    }
                    pattern
                },
            )
            .collect();
        Ok(Self::from_raw(k, &raw))
    }

    /// Patterns of rows given by the distances among them.
    pub fn from_distances(distances: &Matrix<f64>, k: usize) -> Result<Self> {
        let n = distances.nrows();
        check_pattern(k, n)?;
        check_distances(distances)?;
        let raw: Vec<Vec<f64>> = (0..n)
            .into_par_iter()
            .map(|i| {
                let row = distances.row(i);
                let mut order: Vec<usize> = (0..n).filter(|j| *j != i).collect();
                let nearer = |a: &usize, b: &usize| row[*a].total_cmp(&row[*b]).then(a.cmp(b));
                order.select_nth_unstable_by(k - 1, nearer);
                order.truncate(k);
                order.sort_unstable_by(nearer);
                let mut pattern: Vec<f64> = order.iter().map(|j| row[*j]).collect();
                for u in 0..k {
                    pattern.extend((u + 1..k).map(|v| distances.row(order[u])[order[v]]));
                }
                pattern
            })
            .collect();
        Ok(Self::from_raw(k, &raw))
    }

    fn from_raw(k: usize, raw: &[Vec<f64>]) -> Self {
        let (n, width) = (raw.len(), k * (k + 1) / 2);
        let mut entries = Matrix::zeros(n, width);
        let mut sizes = Vec::with_capacity(n);
        let mut sorted = vec![vec![0.0f32; n]; width];
        let mut stars = vec![];
        for (i, pattern) in raw.iter().enumerate() {
            let largest = pattern.iter().fold(0.0f64, |a, v| a.max(*v));
            let row = entries.row_mut(i);
            if largest > 0.0 {
                let norm = pattern.iter().map(|v| (v / largest) * (v / largest)).sum::<f64>().sqrt();
                row.iter_mut().zip(pattern).for_each(|(r, v)| *r = v / largest / norm);
                // Each distance stands twice in the matrix.
                sizes.push(2.0 * (norm * largest) * (norm * largest));
            } else {
                sizes.push(0.0);
            }
            let mut by_size = row.to_vec();
            by_size[..k].sort_unstable_by(f64::total_cmp);
            by_size[k..].sort_unstable_by(f64::total_cmp);
            sorted.iter_mut().zip(by_size).for_each(|(list, v)| list[i] = v as f32);
            if k >= WITH_STARS {
                stars.push(star(k, entries.row(i)));
            }
        }
        let singles = Matrix::from_fn(n, width, |i, e| entries[(i, e)] as f32);
        Self { k, entries, singles, sizes, sorted, stars }
    }

    /// Number of rows.
    pub fn nrows(&self) -> usize {
        self.sizes.len()
    }
    /// Number of rows that coincide with all their neighbours; their patterns are zero.
    pub fn empty(&self) -> usize {
        self.sizes.iter().filter(|s| **s == 0.0).count()
    }

    /// For each of these patterns the `r` nearest of `others`, nearest first; ties go to the lower row. Empty patterns are
    /// neither queries nor answers. Exact: only pairs that cannot be among the nearest are skipped.
    pub fn nearest(&self, others: &Self, r: usize, progress: &Progress) -> Result<Vec<Vec<(f64, u32)>>> {
        self.search(others, r, None, progress)
    }

    /// For each of these patterns that comes with a candidate of `others`: the nearest of all others. A near candidate rules
    /// out most of the others.
    pub(crate) fn nearest_from(&self, others: &Self, near: &[Option<u32>], progress: &Progress) -> Result<Vec<Vec<(f64, u32)>>> {
        self.search(others, 1, Some(near), progress)
    }

    fn search(&self, others: &Self, r: usize, near: Option<&[Option<u32>]>, progress: &Progress) -> Result<Vec<Vec<(f64, u32)>>> {
        self.check_like(others)?;
        let scale = self.sizes.iter().chain(&others.sizes).fold(f64::MIN_POSITIVE, |a, s| a.max(*s));
        let sizes = others.sizes.iter().map(|s| (s / scale) as f32).collect();
        let search = Search { own: self, others, r, orders: all_orders(self.k), scale, sizes };
        let done = std::sync::atomic::AtomicUsize::new(0);
        (0..self.nrows())
            .into_par_iter()
            .map_init(
                || search.buffers(),
                |buffers, i| {
                    let seen = done.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                    if seen.is_multiple_of(256) {
                        progress.step("local patterns", seen, self.nrows())?;
                    }
                    let known = near.map(|near| near[i]);
                    Ok(if self.sizes[i] == 0.0 || known == Some(None) {
                        vec![]
                    } else {
                        search.nearest_of(i, known.flatten(), buffers)
                    })
                },
            )
            .collect()
    }

    /// The distance of two patterns, from its square up to rounding. Where the square is nearly zero, `1 − c²` has lost its
    /// digits, and the differences are summed instead.
    fn exact(&self, i: usize, others: &Self, j: usize, orders: &[u8], squared: f64) -> f64 {
        let smaller = self.sizes[i].min(others.sizes[j]);
        if squared > 1e-6 * smaller || smaller == 0.0 {
            return squared.sqrt();
        }
        let (x, y) = (self.entries.row(i), others.entries.row(j));
        let mut least = f64::INFINITY;
        for order in orders.chunks_exact(x.len()) {
            let c: f64 = order.iter().zip(y).map(|(p, y)| x[*p as usize] * y).sum();
            // For unit vectors, |y − c x|² is the residual of both rescalings, in units of the smaller pattern.
            let left: f64 = order.iter().zip(y).map(|(p, y)| (y - c * x[*p as usize]).powi(2)).sum();
            least = least.min(left);
        }
        (smaller * least).sqrt()
    }

    /// All distances, `n₁ × n₂`.
    pub fn distances(&self, others: &Self) -> Result<Matrix<f64>> {
        self.check_like(others)?;
        let orders = all_orders(self.k);
        let width = self.entries.ncols();
        let mut out = Matrix::zeros(self.nrows(), others.nrows());
        out.as_mut_slice().par_chunks_mut(others.nrows()).enumerate().for_each_init(
            || Ordered::new(width, orders.len() / width),
            |table, (i, out)| {
                table.fill(self.entries.row(i), &orders);
                for (j, out) in out.iter_mut().enumerate() {
                    let c = table.largest(others.entries.row(j));
                    let squared = self.sizes[i].min(others.sizes[j]) * (1.0 - c * c).max(0.0);
                    *out = self.exact(i, others, j, &orders, squared);
                }
            },
        );
        Ok(out)
    }

    fn check_like(&self, others: &Self) -> Result<()> {
        if self.k != others.k {
            return Err(Error::Shape {
                what: "patterns".into(),
                expected: format!("{} neighbours", self.k),
                got: others.k.to_string(),
            });
        }
        Ok(())
    }
}

/// The search for the nearest patterns.
struct Search<'a> {
    own: &'a Patterns,
    others: &'a Patterns,
    r: usize,
    orders: Vec<u8>,
    /// Unit of the bounds, so that they fit in single precision.
    scale: f64,
    /// Sizes of the others, in these units.
    sizes: Vec<f32>,
}

/// Scratch memory of one thread.
struct Buffers {
    table: Ordered<f64>,
    single: Ordered<f32>,
    bounds: Vec<f32>,
    least: Vec<f32>,
    candidates: Vec<(f32, u32)>,
}

/// Minimum number of candidates compared in full before the bounds are used.
const GUESSES: usize = 4;

impl Search<'_> {
    fn buffers(&self) -> Buffers {
        let (width, n) = (self.own.entries.ncols(), self.others.nrows());
        let orders = self.orders.len() / width;
        let (table, single) = (Ordered::new(width, orders), Ordered::new(width, orders));
        Buffers { table, single, bounds: vec![0.0; n], least: vec![0.0; n.div_ceil(STRIP)], candidates: vec![] }
    }

    /// The largest bound that may still lead to one of the nearest: rounded up, plus one step for the rounding of the bound.
    fn reach(&self, best: &[(f64, u32)], slack: f64) -> f32 {
        match best.len() == self.r {
            true => (((best[self.r - 1].0 + slack) / self.scale) as f32).next_up().next_up(),
            false => f32::INFINITY,
        }
    }

    fn nearest_of(&self, i: usize, known: Option<u32>, buffers: &mut Buffers) -> Vec<(f64, u32)> {
        let (own, others, r) = (self.own, self.others, self.r);
        let Buffers { table, single, bounds, least, candidates } = buffers;
        let (size, n) = (own.sizes[i], others.nrows());
        let small = (size / self.scale) as f32;
        table.fill(own.entries.row(i), &self.orders);
        single.fill(own.singles.row(i), &self.orders);
        let sorted: Vec<f32> = own.sorted.iter().map(|list| list[i]).collect();
        unexplained(&sorted, small, &others.sorted, &self.sizes, bounds, least);
        let left = |j: usize, c: f64| size.min(others.sizes[j]) * (1.0 - c * c).max(0.0);
        // The best candidates limit the search.
        let mut guesses: Vec<(f32, u32)> = known.map(|j| (0.0, j)).into_iter().collect();
        let most = r.max(GUESSES);
        for (s, strip) in bounds.chunks(STRIP).enumerate().filter(|_| known.is_none()) {
            if guesses.len() == most && least[s] >= guesses[most - 1].0 {
                continue;
            }
            for (l, bound) in strip.iter().enumerate() {
                if (guesses.len() < most || *bound < guesses[most - 1].0) && others.sizes[s * STRIP + l] > 0.0 {
                    insert(&mut guesses, (*bound, (s * STRIP + l) as u32), most);
                }
            }
        }
        let mut best: Vec<(f64, u32)> = vec![];
        for (_, j) in &guesses {
            insert(&mut best, (left(*j as usize, table.largest(others.entries.row(*j as usize))), *j), r);
        }
        // Rounding errors of `1 − c²` must not displace an exact copy.
        let slack = 1e-14 * size;
        let mut reach = self.reach(&best, slack);
        candidates.clear();
        for s in (0..least.len()).filter(|s| least[*s] <= reach) {
            let strip = s * STRIP..n.min((s + 1) * STRIP);
            candidates.extend(strip.filter(|j| bounds[*j] <= reach && others.sizes[*j] > 0.0).map(|j| (bounds[j], j as u32)));
        }
        candidates.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let mine = own.stars.get(i).map(halved);
        for &(bound, j) in candidates.iter() {
            if bound > reach {
                break;
            }
            if best.iter().any(|b| b.1 == j) {
                continue;
            }
            let at = j as usize;
            if let Some(mine) = &mine
                && left(at, star_bound(&others.stars[at], own.k, mine).min(1.0)) / self.scale > f64::from(reach)
            {
                continue;
            }
            if left_single(small, self.sizes[at], single.largest(others.singles.row(at))) > reach {
                continue;
            }
            insert(&mut best, (left(at, table.largest(others.entries.row(at))), j), r);
            reach = self.reach(&best, slack);
        }
        for found in &mut best {
            found.0 = own.exact(i, others, found.1 as usize, &self.orders, found.0);
        }
        best.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        best
    }
}

/// Distances among neighbours are seen from both ends.
fn halved(star: &Star) -> Star {
    let mut out = *star;
    out[1..].iter_mut().flatten().for_each(|v| *v *= 0.5);
    out
}

/// Checks distances: square, none negative or missing, symmetric, zero on the diagonal.
pub(crate) fn check_distances(distances: &Matrix<f64>) -> Result<()> {
    let n = distances.nrows();
    if distances.ncols() != n {
        let (expected, got) = (format!("{n} x {n}"), format!("{n} x {}", distances.ncols()));
        return Err(Error::Shape { what: "distances".into(), expected, got });
    }
    let Some((i, j, fault)) = first_fault(distances) else { return Ok(()) };
    let must = match fault {
        Fault::NoDistance => "a finite number of at least 0".into(),
        Fault::OwnDistance => "0 on the diagonal".into(),
        Fault::Asymmetric => format!("the same as that of row {j}, column {i}, which is {}", distances[(j, i)]),
    };
    Err(Error::parameter("distances", format!("{} at row {i}, column {j}", distances[(i, j)]), &must))
}

/// Inserts into a short sorted list of the smallest.
fn insert<T: PartialOrd>(list: &mut Vec<(T, u32)>, entry: (T, u32), most: usize) {
    let at = list.partition_point(|e| e.0 < entry.0 || (e.0 == entry.0 && e.1 < entry.1));
    if at < most {
        list.insert(at, entry);
        list.truncate(most);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    fn cloud(n: usize, p: usize, seed: u64) -> Rows {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        Matrix::from_fn(n, p, |_, _| rng.random_range(-1.0..1.0)).into()
    }

    /// The formulas as printed, on whole matrices.
    fn by_hand(r1: &[Vec<f64>], r2: &[Vec<f64>]) -> f64 {
        fn orders(k: usize) -> Vec<Vec<usize>> {
            if k == 0 {
                return vec![vec![]];
            }
            let mut out = vec![];
            for shorter in orders(k - 1) {
                for at in 0..=shorter.len() {
                    let mut order = shorter.clone();
                    order.insert(at, k - 1);
                    out.push(order);
                }
            }
            out
        }
        let k = r1.len() - 1;
        let trace =
            |a: &[Vec<f64>], b: &[Vec<f64>]| -> f64 { a.iter().flatten().zip(b.iter().flatten()).map(|(x, y)| x * y).sum() };
        let norm = |a: &[Vec<f64>], s: f64, b: &[Vec<f64>]| -> f64 {
            a.iter().flatten().zip(b.iter().flatten()).map(|(x, y)| (x - s * y).powi(2)).sum::<f64>().sqrt()
        };
        let mut least = f64::INFINITY;
        for order in orders(k) {
            let at: Vec<usize> = std::iter::once(0).chain(order.iter().map(|u| u + 1)).collect();
            let h: Vec<Vec<f64>> = at.iter().map(|u| at.iter().map(|v| r2[*u][*v]).collect()).collect();
            let (k1, k2) = (trace(r1, &h) / trace(r1, r1), trace(&h, r1) / trace(&h, &h));
            least = least.min(norm(&h, k1, r1)).min(norm(r1, k2, &h));
        }
        least
    }

    fn matrix_of(rows: &Rows, i: usize, k: usize) -> Vec<Vec<f64>> {
        let Rows::F64(m) = rows else { unreachable!() };
        let d = |a: usize, b: usize| row_distance(Metric::Euclidean, m.row(a), m.row(b));
        let mut order: Vec<usize> = (0..m.nrows()).filter(|j| *j != i).collect();
        order.sort_by(|a, b| d(i, *a).total_cmp(&d(i, *b)));
        let at: Vec<usize> = std::iter::once(i).chain(order.into_iter().take(k)).collect();
        at.iter().map(|u| at.iter().map(|v| d(*u, *v)).collect()).collect()
    }

    #[test]
    fn distances_equal_the_least_over_all_orders_and_both_rescalings() {
        for k in 1..=6 {
            // A shuffled copy in other units, and a slightly perturbed one, where `1 − c²` loses its digits.
            let x = cloud(15, 3, k as u64);
            let Rows::F64(m) = &x else { unreachable!() };
            let mut rng = ChaCha8Rng::seed_from_u64(9);
            let y: Rows = Matrix::from_fn(14, 3, |i, j| 4.0 * m.row((i * 4) % 15)[j] + 1e-6 * rng.random_range(-1.0..1.0)).into();
            let progress = Progress::silent();
            let (a, b) = (
                Patterns::new(&x, k, Metric::Euclidean, &progress).unwrap(),
                Patterns::new(&y, k, Metric::Euclidean, &progress).unwrap(),
            );
            let all = a.distances(&b).unwrap();
            for i in 0..15 {
                for j in 0..14 {
                    let expected = by_hand(&matrix_of(&x, i, k), &matrix_of(&y, j, k));
                    assert!((all.row(i)[j] - expected).abs() < 1e-12, "k {k}: {} and {expected}", all.row(i)[j]);
                }
            }
        }
    }

    #[test]
    fn pruned_search_finds_what_all_distances_say() {
        for (k, r) in [(1, 1), (2, 1), (3, 4), (4, 1), (4, 7), (5, 1), (5, 2), (6, 1), (6, 3)] {
            let (x, y) = (cloud(60, 3, 1), cloud(45, 5, 2));
            let progress = Progress::silent();
            let (a, b) = (
                Patterns::new(&x, k, Metric::Euclidean, &progress).unwrap(),
                Patterns::new(&y, k, Metric::Euclidean, &progress).unwrap(),
            );
            let all = a.distances(&b).unwrap();
            let found = a.nearest(&b, r, &progress).unwrap();
            for i in 0..60 {
                let mut order: Vec<(f64, u32)> = all.row(i).iter().enumerate().map(|(j, d)| (*d, j as u32)).collect();
                order.sort_by(|a, b| a.0.total_cmp(&b.0));
                order.truncate(r);
                assert_eq!(found[i], order, "k {k}, row {i}");
            }
        }
    }

    #[test]
    fn given_distances_make_the_same_patterns() {
        let x = cloud(40, 4, 3);
        let Rows::F64(m) = &x else { unreachable!() };
        let d = Matrix::from_fn(40, 40, |i, j| row_distance(Metric::Euclidean, m.row(i), m.row(j)));
        let (a, b) =
            (Patterns::new(&x, 4, Metric::Euclidean, &Progress::silent()).unwrap(), Patterns::from_distances(&d, 4).unwrap());
        for i in 0..40 {
            for (u, v) in a.entries.row(i).iter().zip(b.entries.row(i)) {
                assert!((u - v).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn impossible_distances_are_refused_with_their_place() {
        let with = |i: usize, j: usize, v: f64| {
            let mut d = Matrix::from_fn(8, 8, |i, j| (i as f64 - j as f64).abs());
            d.row_mut(i)[j] = v;
            Patterns::from_distances(&d, 3).unwrap_err().to_string()
        };
        assert!(with(2, 3, -1.0).contains("-1 at row 2, column 3"));
        assert!(with(2, 3, f64::NAN).contains("row 2, column 3"));
        assert!(with(2, 3, 7.0).contains("the same as that of row 3, column 2"));
        assert!(with(4, 4, 1.0).contains("0 on the diagonal"));
    }

    #[test]
    fn rows_that_coincide_with_their_neighbours_find_nothing() {
        let mut m = Matrix::from_fn(20, 2, |i, j| ((i * i + 3 * j) % 17) as f64 + 0.1 * i as f64);
        for i in 0..6 {
            m.row_mut(i).copy_from_slice(&[50.0, 50.0]);
        }
        let rows: Rows = m.into();
        let patterns = Patterns::new(&rows, 4, Metric::Euclidean, &Progress::silent()).unwrap();
        assert_eq!(patterns.empty(), 6);
        let found = patterns.nearest(&patterns, 1, &Progress::silent()).unwrap();
        for i in 0..20 {
            assert_eq!(found[i].is_empty(), i < 6);
            assert!(found[i].iter().all(|f| f.1 >= 6));
        }
    }
}
