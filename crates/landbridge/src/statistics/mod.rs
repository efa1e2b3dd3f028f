//! Statistics that merge: counts, sums and products of two datasets over their pairs, shard by shard, on any number of machines.
//!
//! CCA, least squares and Procrustes depend on the rows only through these, so that a model can be solved from shards that were
//! never in one place; so do linear maps of the landmark graph. All sums are exact: any cut into shards and any order of merging gives the same model, byte for byte.

mod exact;
mod file;
mod fingerprint;
mod landmarks;
mod matrices;

use crate::data::{Dataset, Pairs, Rows, check_rows};
use crate::error::{Error, Result, counted};
use crate::memory::{check_room_or, of_doubles, of_each};
use crate::method::Method;
use crate::model::Alignment;
use crate::progress::{Progress, with_threads};
use exact::{Exact, Products, Sliced, levels_of, slices_of, triangle};
pub use landmarks::Landmarks;
use landmarks::Near;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};

/// Entries of all products that one shard may have; each takes some 24 bytes.
const MOST_ENTRIES: usize = 400_000_000;

/// Sums over the rows and the pairs of two datasets.
///
/// ```
/// use landbridge::data::synthetic::Helices;
/// use landbridge::method::Cca;
/// use landbridge::statistics::Statistics;
/// let helices = Helices::new(200).generate()?;
/// let pairs = helices.pairs(200, 0)?;
/// let whole = Statistics::of(&helices.datasets, &pairs)?;
/// let model = whole.solve(&Cca::new(2).ridge(0.01))?;
/// let rows = Cca::new(2).ridge(0.01).fit(&helices.datasets, &pairs)?;
/// assert!((model.eigenvalues()[0] - rows.eigenvalues()[0]).abs() < 1e-10);
/// # Ok::<(), landbridge::Error>(())
/// ```
///
/// | what | over |
/// |---|---|
/// | number of rows, sum and sum of squares of every column | all rows of a dataset |
/// | `X'X`, and how near rows are to landmarks, where landmarks are given | all rows of a dataset |
/// | number and total weight of pairs, weighted sums, `X'MX`, `Y'MY`, `X'WY` | the pairs |
///
/// A whole shard given twice is refused by its fingerprint, in any order of its rows, and by its ids, in any precision. One id that
/// occurs in two shards of different ids is not noticed: ids are not kept.
#[derive(Clone, Debug)]
pub struct Statistics {
    sides: [Side; 2],
    /// `X'WY`, by columns.
    cross: Exact,
    /// Total weight of the pairs.
    weight: Exact,
    pairs: u64,
    /// By fingerprint.
    shards: Vec<Shard>,
}

/// Sums of one dataset.
#[derive(Clone, Debug)]
struct Side {
    name: String,
    columns: Option<Vec<String>>,
    /// The orders in which shards had the columns, and the names of these shards, where there are several orders. The order of most
    /// shards is that of the sums.
    orders: Vec<(Vec<String>, Vec<String>)>,
    width: usize,
    rows: u64,
    /// Whether all values are counts: whole and not negative.
    counts: bool,
    /// Over all rows.
    sums: Exact,
    squares: Exact,
    /// Over the pairs, with their weights.
    paired: Exact,
    /// The lower triangle of `X'MX`, by columns.
    products: Exact,
    /// The landmark graph, where landmarks are given.
    near: Option<Near>,
}

/// A part of the data whose sums are in the statistics.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Shard {
    /// Hash of its rows, ids and pairs, whatever the order of rows, pairs and named columns.
    pub fingerprint: String,
    /// Its name, for messages.
    pub name: String,
    /// Rows of the two datasets.
    pub rows: [u64; 2],
    /// Its pairs.
    pub pairs: u64,
    /// Hash of its ids in any order, if both datasets have ids.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ids: Option<String>,
}

impl Shard {
    fn is_empty(&self) -> bool {
        self.rows == [0, 0] && self.pairs == 0
    }
}

/// A dataset as statistics describe it: its name, its number of columns, and their names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Described {
    /// Name of the dataset.
    pub name: String,
    /// Number of columns.
    pub n_features: usize,
    /// Names of the columns, if there are some.
    pub columns: Option<Vec<String>>,
}

impl Described {
    fn of(dataset: &Dataset) -> Self {
        Self { name: dataset.name().into(), n_features: dataset.ncols(), columns: dataset.columns().map(<[_]>::to_vec) }
    }
}

impl Side {
    fn empty(described: Described) -> Result<Self> {
        let Described { name, n_features: width, columns } = described;
        if width == 0 {
            return Err(Error::EmptyDataset { dataset: name, rows: 0, columns: 0 });
        }
        if let Some(columns) = columns.as_ref().filter(|c| c.len() != width) {
            let what = format!("column names of dataset \"{name}\"");
            return Err(Error::Shape { what, expected: width.to_string(), got: columns.len().to_string() });
        }
        let (vector, products) = (Exact::zeros(width), Exact::zeros(triangle(width)));
        Ok(Self {
            name,
            columns,
            orders: vec![],
            width,
            rows: 0,
            counts: true,
            sums: vector.clone(),
            squares: vector.clone(),
            paired: vector,
            products,
            near: None,
        })
    }
    /// The sums of every dataset, without those of landmarks.
    fn exacts(&self) -> [&Exact; 4] {
        [&self.sums, &self.squares, &self.paired, &self.products]
    }
    /// With its columns in another order: column j is what stood at `from[j]`.
    fn reorder(&mut self, from: &[usize]) {
        let p = self.width;
        for vector in [&mut self.sums, &mut self.squares, &mut self.paired] {
            *vector = vector.reordered(|j| from[j]);
        }
        let starts: Vec<usize> = (0..p).scan(0, |at, j| Some(std::mem::replace(at, *at + p - j))).collect();
        let place = |i: usize, j: usize| starts[i.min(j)] + i.max(j) - i.min(j);
        let order: Vec<usize> = (0..p).flat_map(|j| (j..p).map(move |i| (i, j))).map(|(i, j)| place(from[i], from[j])).collect();
        self.products = self.products.reordered(|at| order[at]);
        if let Some(near) = &mut self.near {
            near.products = near.products.reordered(|at| order[at]);
            near.ties = near.ties.reordered(|at| at / p * p + from[at % p]);
        }
        self.columns = self.columns.take().map(|names| from.iter().map(|&at| names[at].clone()).collect());
    }
}

impl Statistics {
    /// No rows and no pairs of two datasets.
    pub fn empty(datasets: [Described; 2]) -> Result<Self> {
        let (p, q) = (datasets[0].n_features, datasets[1].n_features);
        let all = p.saturating_mul(q).saturating_add(p.saturating_mul(p) / 2).saturating_add(q.saturating_mul(q) / 2);
        check_size(all, || format!("statistics of {p} and {q} columns"))?;
        if datasets[0].name == datasets[1].name {
            return Err(Error::DuplicateName { name: datasets[0].name.clone() });
        }
        let [x, y] = datasets;
        let sides = [Side::empty(x)?, Side::empty(y)?];
        Ok(Self { sides, cross: Exact::zeros(p * q), weight: Exact::zeros(1), pairs: 0, shards: vec![] })
    }
    /// The statistics of two datasets and their pairs.
    pub fn of(datasets: &[Dataset], pairs: &Pairs) -> Result<Self> {
        Self::of_shard("these rows", datasets, pairs, 0)
    }
    /// The statistics of a shard of that name, on `n_jobs` threads (0: all cores). A shard may have no pairs.
    pub fn of_shard(name: &str, datasets: &[Dataset], pairs: &Pairs, n_jobs: usize) -> Result<Self> {
        Self::of_shard_near(name, datasets, pairs, None, n_jobs)
    }
    /// As [`Statistics::of_shard`], with landmarks, from which linear maps can be solved. All shards need the same landmarks.
    pub fn of_shard_near(
        name: &str,
        datasets: &[Dataset],
        pairs: &Pairs,
        landmarks: Option<&Landmarks>,
        n_jobs: usize,
    ) -> Result<Self> {
        let [x, y] = datasets else {
            return Err(Error::parameter("datasets", datasets.len(), "two: statistics are sums over the pairs of two datasets"));
        };
        if datasets.iter().any(|d| d.batches().is_some()) {
            let why = "sums over shards do not keep batches apart; fit the rows themselves".into();
            return Err(Error::Undefined { what: "statistics of rows with batches".into(), why });
        }
        let mut out = Self::empty([Described::of(x), Described::of(y)])?;
        pairs.check(datasets)?;
        let needed = with_threads(n_jobs, || room_for_sums([x, y], landmarks.map(Landmarks::counts), pairs));
        check_room_or("stats", needed, NARROWER)?;
        let prints = with_threads(n_jobs, || [fingerprint::rows_of(x), fingerprint::rows_of(y)]);
        let hash = fingerprint::of_shard(&prints, pairs.links());
        let ids = fingerprint::of_ids(datasets);
        let ends = |end: fn(&crate::data::Link) -> usize| -> Vec<usize> { pairs.links().iter().map(end).collect() };
        let weights: Vec<f64> = pairs.links().iter().map(|l| l.weight).collect();
        with_threads(n_jobs, || {
            out.add_rows(0, x.rows())?;
            out.add_rows(1, y.rows())?;
            if let Some(landmarks) = landmarks {
                check_size(landmarks.counts().iter().zip(datasets).map(|(m, d)| m.saturating_mul(d.ncols())).sum(), || {
                    "statistics of so many landmarks".into()
                })?;
                out.sides[0].near = Some(Near::of(landmarks, 0, x)?);
                out.sides[1].near = Some(Near::of(landmarks, 1, y)?);
            }
            out.add_pairs([(x.rows(), &ends(|l| l.i)), (y.rows(), &ends(|l| l.j))], &weights)
        })?;
        out.sign(name, &hash, ids);
        Ok(out)
    }
    /// The statistics of some rows of one dataset, which stand for no pairs. `name` says which rows of all they are: two such
    /// parts of the same name and content are the same part.
    pub fn of_rows(name: &str, datasets: [Described; 2], side: usize, rows: &Rows, n_jobs: usize) -> Result<Self> {
        let mut out = Self::empty(datasets)?;
        out.check(side.min(1), rows)?;
        with_threads(n_jobs, || out.add_rows(side.min(1), rows))?;
        let mut hash = blake3::Hasher::new();
        hash.update(name.as_bytes()).update(&[0, side.min(1) as u8]);
        fingerprint::add_rows_to(&mut hash, rows);
        out.sign(name, &hash, None);
        Ok(out)
    }
    /// The statistics of some pairs, row by row, whose rows [`Statistics::of_rows`] counts elsewhere.
    pub fn of_pairs(name: &str, datasets: [Described; 2], x: &Rows, y: &Rows, n_jobs: usize) -> Result<Self> {
        let mut out = Self::empty(datasets)?;
        out.check(0, x)?;
        out.check(1, y)?;
        if x.nrows() != y.nrows() {
            let expected = x.nrows().to_string();
            return Err(Error::Shape { what: "rows of the second dataset".into(), expected, got: y.nrows().to_string() });
        }
        let all: Vec<usize> = (0..x.nrows()).collect();
        with_threads(n_jobs, || out.add_pairs([(x, &all), (y, &all)], &vec![1.0; all.len()]))?;
        let mut hash = blake3::Hasher::new();
        hash.update(name.as_bytes()).update(&[1]);
        fingerprint::add_rows_to(&mut hash, x);
        fingerprint::add_rows_to(&mut hash, y);
        out.sign(name, &hash, None);
        Ok(out)
    }
    fn check(&self, side: usize, rows: &Rows) -> Result<()> {
        let own = &self.sides[side];
        if rows.ncols() != own.width {
            return Err(Error::FeatureCount { dataset: own.name.clone(), expected: own.width, got: rows.ncols() });
        }
        check_rows(&own.name, rows)
    }
    fn sign(&mut self, name: &str, hash: &blake3::Hasher, ids: Option<String>) {
        let (rows, pairs) = (self.sides.each_ref().map(|s| s.rows), self.pairs);
        self.shards = vec![Shard { fingerprint: hash.finalize().to_hex().to_string(), name: name.into(), rows, pairs, ids }];
    }
    fn add_rows(&mut self, side: usize, rows: &Rows) -> Result<()> {
        let own = &mut self.sides[side];
        let (n, step) = (rows.nrows(), Sliced::block_rows(own.width));
        for from in (0..n).step_by(step) {
            let block = Sliced::new(rows.into(), from, (from + step).min(n), None);
            block.add_sums(&mut own.sums);
            block.add_squares(&mut own.squares);
            own.counts &= block.is_counts();
        }
        own.sums.trim();
        own.squares.trim();
        own.rows += n as u64;
        Ok(())
    }
    /// Adds pairs: the chosen rows of both datasets, with their weights.
    fn add_pairs(&mut self, chosen: [(&Rows, &[usize]); 2], weights: &[f64]) -> Result<()> {
        let [(x, left), (y, right)] = chosen;
        let plain = weights.iter().all(|w| *w == 1.0);
        let (p, q) = (self.sides[0].width, self.sides[1].width);
        let mut products = [Products::lower(p), Products::lower(q)];
        let mut cross = Products::new(p, q);
        let step = Sliced::block_rows(p.max(q));
        for from in (0..left.len()).step_by(step) {
            let to = (from + step).min(left.len());
            let weights = (!plain).then(|| &weights[from..to]);
            let (x, y) = (x.select(&left[from..to]), y.select(&right[from..to]));
            let sliced = |rows: &Rows, weights: Option<&[f64]>| Sliced::new(rows.into(), 0, to - from, weights);
            let (xs, ys) = (sliced(&x, None), sliced(&y, None));
            // A weight goes into one factor of each product, where it is rounded: the same way in every shard.
            let heavy = weights.map(|w| [sliced(&x, Some(w)), sliced(&y, Some(w))]);
            let (wx, wy) = heavy.as_ref().map_or((&xs, &ys), |[x, y]| (x, y));
            if !(wx.is_finite() && wy.is_finite()) {
                return Err(Error::Overflow { what: "rows times the weights of their pairs".into() });
            }
            products[0].add(wx, &xs);
            products[1].add(wy, &ys);
            cross.add(wx, &ys);
            wx.add_sums(&mut self.sides[0].paired);
            wy.add_sums(&mut self.sides[1].paired);
        }
        for (side, products) in self.sides.iter_mut().zip(products) {
            side.products.add_all(&products.finish());
            side.paired.trim();
        }
        self.cross.add_all(&cross.finish());
        for w in weights {
            self.weight.add_value(*w);
        }
        self.weight.trim();
        self.pairs += left.len() as u64;
        Ok(())
    }
    /// Adds other statistics of the same datasets. Where shards have their columns in different orders, all are put in the order
    /// that most shards have (of equally frequent ones in the first by the alphabet), and [`Statistics::reordered`] names the
    /// others.
    pub fn merge(&mut self, mut other: Statistics) -> Result<()> {
        if self.shards.is_empty() && self.pairs == 0 {
            self.fits(&other)?;
            *self = other;
            return Ok(());
        }
        if other.shards.is_empty() && other.pairs == 0 {
            return other.fits(self);
        }
        let (first, second) = (self.first_name(), other.first_name());
        let differs = |problem: String| Error::ShardDiffers { shard: second.clone(), first: first.clone(), problem };
        for (own, new) in self.sides.iter().zip(&other.sides) {
            if own.name != new.name {
                return Err(differs(format!("its dataset is called \"{}\", not \"{}\"", new.name, own.name)));
            }
        }
        if let Some((first, shard, what)) = self.twice(&other) {
            return Err(Error::ShardTwice { shard, first, what });
        }
        // All that can be refused is refused before anything changes.
        for (own, new) in self.sides.iter().zip(&other.sides) {
            let same = own.columns == new.columns && own.width == new.width;
            let by_name = || order_by_name(own.columns.as_deref()?, new.columns.as_deref()?);
            if !same && by_name().is_none() {
                return Err(differs(different_columns(new, own)));
            }
            if let Some(problem) = different_landmarks(new, own) {
                return Err(differs(problem));
            }
        }
        for a in 0..2 {
            let orders = merged_orders(self.orders(a), other.orders(a));
            if let [_, _, ..] = orders[..] {
                let most = orders.iter().max_by(|a, b| a.1.len().cmp(&b.1.len()).then_with(|| b.0.cmp(&a.0)));
                let most = most.map(|(columns, _)| columns.clone()).unwrap_or_default();
                self.put_in_order(a, &most);
                other.put_in_order(a, &most);
                self.sides[a].orders = orders;
            }
        }
        for (own, new) in self.sides.iter_mut().zip(&other.sides) {
            own.rows = own.rows.saturating_add(new.rows);
            own.counts &= new.counts;
            own.sums.add_all(&new.sums);
            own.squares.add_all(&new.squares);
            own.paired.add_all(&new.paired);
            own.products.add_all(&new.products);
            if let (Some(own), Some(new)) = (&mut own.near, &new.near) {
                own.add_all(new);
            }
        }
        self.cross.add_all(&other.cross);
        self.weight.add_all(&other.weight);
        self.pairs = self.pairs.saturating_add(other.pairs);
        self.shards.append(&mut other.shards);
        self.shards.sort();
        Ok(())
    }
    /// Refuses other datasets than those an empty start was made for.
    fn fits(&self, other: &Statistics) -> Result<()> {
        for (own, new) in self.sides.iter().zip(&other.sides) {
            if own.name != new.name || own.width != new.width {
                let problem = format!("dataset \"{}\" has {}", new.name, counted(new.width, "column"));
                let first = format!("\"{}\" with {}", own.name, counted(own.width, "column"));
                return Err(Error::ShardDiffers { shard: other.first_name(), first, problem });
            }
        }
        Ok(())
    }
    fn first_name(&self) -> String {
        self.shards.first().map_or_else(|| "no shard".into(), |s| s.name.clone())
    }
    /// A shard that both have, by its name here and there, and what says so. Shards without rows say nothing, and may repeat.
    fn twice(&self, other: &Statistics) -> Option<(String, String, &'static str)> {
        let by = |print: fn(&Shard) -> Option<&str>, what| {
            let known: HashMap<&str, &Shard> = self.shards.iter().filter_map(|s| Some((print(s)?, s))).collect();
            let again = |s: &Shard| Some((known.get(print(s).filter(|_| !s.is_empty())?)?.name.clone(), s.name.clone(), what));
            other.shards.iter().find_map(again)
        };
        by(|s| Some(&s.fingerprint), "rows and pairs").or_else(|| by(|s| s.ids.as_deref(), "ids"))
    }
    /// The orders of the columns of one dataset, with the shards that have them.
    fn orders(&self, side: usize) -> Vec<(Vec<String>, Vec<String>)> {
        let own = &self.sides[side];
        match (&own.orders[..], &own.columns) {
            ([], Some(columns)) => vec![(columns.clone(), self.shards.iter().map(|s| s.name.clone()).collect())],
            (several, _) => several.to_vec(),
        }
    }
    /// Puts the columns of one dataset, all of which are among `wanted`, in that order.
    fn put_in_order(&mut self, side: usize, wanted: &[String]) {
        let Some(from) = self.sides[side].columns.as_deref().and_then(|own| order_by_name(own, wanted)) else { return };
        if from.is_sorted() {
            return;
        }
        let (p, q) = (self.sides[0].width, self.sides[1].width);
        self.sides[side].reorder(&from);
        self.cross = self.cross.reordered(|at| {
            let (i, j) = (at % p, at / p);
            if side == 0 { j * p + from[i] } else { from[j] * p + i }
        });
        debug_assert_eq!(self.cross.len, p * q);
    }
    /// The alignment by a method that needs only products over the pairs: CCA, the linear transform, or Procrustes without an
    /// embedding; with landmarks also linear maps. It has maps and no rows, and agrees with the fit of all rows in one place up to rounding errors. `prepare` may be
    /// none, center or standardize; auto is center. A ridge that is not given is chosen by cross-validation over all pairs.
    pub fn solve(&self, method: &dyn Method) -> Result<Alignment> {
        self.solve_with(method, &Progress::silent())
    }
    /// As [`Statistics::solve`], with progress reports.
    pub fn solve_with(&self, method: &dyn Method, progress: &Progress) -> Result<Alignment> {
        if self.pairs == 0 {
            return Err(Error::NoPairs { method: method.schema().name.into() });
        }
        let Some(solver) = method.by_products() else {
            let what = format!("method \"{}\" from statistics", method.schema().name);
            let why = "it needs the rows; cca, linear_transform and procrustes need only products over the pairs, and linear those and landmarks".into();
            return Err(Error::Undefined { what, why });
        };
        solver.fit_products(&self.products(solver.wanted_products())?, progress)
    }
    /// Number of pairs.
    pub fn n_pairs(&self) -> u64 {
        self.pairs
    }
    /// Number of landmarks of the two datasets, where there are some.
    pub fn n_landmarks(&self) -> Option<[usize; 2]> {
        match self.sides.each_ref().map(|s| s.near.as_ref()) {
            [Some(x), Some(y)] => Some([x.count, y.count]),
            _ => None,
        }
    }
    /// Number of rows of the two datasets.
    pub fn n_rows(&self) -> [u64; 2] {
        self.sides.each_ref().map(|s| s.rows)
    }
    /// The two datasets: name, number of columns, names of columns.
    pub fn datasets(&self) -> [Described; 2] {
        self.sides.each_ref().map(|s| Described { name: s.name.clone(), n_features: s.width, columns: s.columns.clone() })
    }
    /// The shards, by fingerprint.
    pub fn shards(&self) -> &[Shard] {
        &self.shards
    }
    /// Shards whose columns had another order than those of most shards, by name.
    pub fn reordered(&self) -> Vec<String> {
        let other = |side: &Side| {
            let own = side.columns.clone();
            side.orders.clone().into_iter().filter(move |(order, _)| Some(order) != own.as_ref()).flat_map(|(_, shards)| shards)
        };
        let mut names: Vec<String> = self.sides.iter().flat_map(other).collect();
        names.sort();
        names.dedup();
        names
    }
}

/// What to do where sums would take too much memory.
const NARROWER: &str =
    "reduce the columns first, for example by principal components (landbridge embed pca), or take fewer landmarks";

/// Bytes that the sums of a shard take at most, and its file. How many slices and limbs there are depends on the range of the values.
fn room_for_sums(datasets: [&Dataset; 2], landmarks: Option<[usize; 2]>, pairs: &Pairs) -> u64 {
    let [p, q] = datasets.map(Dataset::ncols);
    let step = Sliced::block_rows(p.max(q));
    let weighted = pairs.links().iter().any(|l| l.weight != 1.0);
    let paired = |weighted: bool| {
        let chosen = |end: fn(&crate::data::Link) -> usize| -> Vec<(usize, f64)> {
            pairs.links().iter().map(|l| (end(l), if weighted { l.weight } else { 1.0 })).collect()
        };
        [slices_of(datasets[0].rows().into(), &chosen(|l| l.i)), slices_of(datasets[1].rows().into(), &chosen(|l| l.j))]
    };
    let slices = paired(false);
    let heavy = if weighted { paired(true) } else { slices };
    let count = |slices: u128| slices.count_ones() as usize;
    let products = |(x, y): (u128, u128), entries: usize, kept: usize| {
        let (levels, limbs) = levels_of(x, y);
        // Sums of each level in double precision; limbs while rows are added, in the result and in the file; one level as whole numbers.
        (of_doubles(levels, entries), of_doubles(limbs, kept), of_doubles(1, kept))
    };
    let all = [
        products((heavy[0], slices[0]), p * p, triangle(p)),
        products((heavy[1], slices[1]), q * q, triangle(q)),
        products((heavy[0], slices[1]), p * q, p * q),
    ];
    let sum = |of: fn(&(u64, u64, u64)) -> u64| all.iter().map(of).sum::<u64>();
    let block = |rows: usize, columns: usize, slices: u128| of_doubles(rows, columns).saturating_mul(count(slices) as u64 + 1);
    let mut blocks = block(step, p, slices[0]) + block(step, q, slices[1]);
    if weighted {
        blocks += block(step, p, heavy[0]) + block(step, q, heavy[1]);
    }
    let (mut near, mut kept) = (0, 0);
    if let Some(counts) = landmarks {
        for (dataset, m) in datasets.into_iter().zip(counts) {
            let p = dataset.ncols();
            let slices = slices_of(dataset.rows().into(), &(0..dataset.nrows()).map(|i| (i, 1.0)).collect::<Vec<_>>());
            // Ties are whole multiples of 2^-20, at most 1.
            let (own, ties) = (products((slices, slices), p * p, triangle(p)), products((slices, TIES), p * m, p * m));
            let step = Sliced::block_rows(p.max(m));
            let made = own.0 + 2 * own.1 + ties.0 + 2 * ties.1 + own.2.max(ties.2) + of_doubles(2 * m, p);
            near = near.max(made + block(step, p, slices) + block(step, m, TIES));
            kept += own.1 + ties.1;
        }
    }
    let rows: usize = datasets.iter().map(|d| d.nrows()).sum();
    let of_rows = of_each(rows, 1, 48) + of_each(pairs.len(), 1, 56);
    let sums = sum(|p| p.0) + 2 * sum(|p| p.1) + all.iter().map(|p| p.2).max().unwrap_or(0) + blocks;
    of_rows + kept + sums.max(near).max(2 * (sum(|p| p.1) + kept))
}

/// The slices of ties to landmarks: 1, and multiples of 2^-20.
const TIES: u128 = 0b11 << 53;

/// Refuses sums that would take too much memory.
fn check_size(entries: usize, what: impl Fn() -> String) -> Result<()> {
    if entries <= MOST_ENTRIES {
        return Ok(());
    }
    let (needed, limit) = (24 * entries as u64, 24 * MOST_ENTRIES as u64);
    Err(Error::Memory { method: what(), needed, limit, advice: NARROWER.into() })
}

/// The orders of both, each once, with the shards of both.
fn merged_orders(own: Vec<(Vec<String>, Vec<String>)>, new: Vec<(Vec<String>, Vec<String>)>) -> Vec<(Vec<String>, Vec<String>)> {
    let mut all: BTreeMap<Vec<String>, Vec<String>> = BTreeMap::new();
    own.into_iter().chain(new).for_each(|(columns, mut shards)| all.entry(columns).or_default().append(&mut shards));
    all.values_mut().for_each(|shards| shards.sort());
    all.into_iter().collect()
}

/// Where each column of `to` stands in `of`, if both have the same names, each once.
fn order_by_name(of: &[String], to: &[String]) -> Option<Vec<usize>> {
    let places: HashMap<&str, usize> = of.iter().enumerate().map(|(at, name)| (name.as_str(), at)).collect();
    if places.len() != of.len() || of.len() != to.len() {
        return None;
    }
    let order: Vec<usize> = to.iter().map(|name| places.get(name.as_str()).copied()).collect::<Option<_>>()?;
    let mut seen = vec![false; order.len()];
    order.iter().all(|&at| !std::mem::replace(&mut seen[at], true)).then_some(order)
}

fn different_landmarks(new: &Side, own: &Side) -> Option<String> {
    let name = &new.name;
    match (&new.near, &own.near) {
        (Some(a), Some(b)) if a.print != b.print => Some(format!("dataset \"{name}\" was summed up with other landmarks")),
        (Some(_), None) => Some(format!("dataset \"{name}\" was summed up with landmarks, and there without")),
        (None, Some(_)) => Some(format!("dataset \"{name}\" was summed up without landmarks, and there with them")),
        _ => None,
    }
}

fn different_columns(new: &Side, own: &Side) -> String {
    let name = &new.name;
    if new.width != own.width {
        return format!("its dataset \"{name}\" has {}, not {}", counted(new.width, "column"), own.width);
    }
    match (&new.columns, &own.columns) {
        (Some(new), Some(own)) => match own.iter().find(|c| !new.contains(c)) {
            Some(missing) => format!("its dataset \"{name}\" has no column \"{missing}\""),
            None => format!("its dataset \"{name}\" has columns of the same name in another order"),
        },
        (None, _) => format!("its dataset \"{name}\" has no names of columns"),
        _ => format!("its dataset \"{name}\" has names of columns"),
    }
}

#[cfg(test)]
mod tests;
