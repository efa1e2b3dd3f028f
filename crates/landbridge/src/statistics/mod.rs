//! Statistics that merge: counts, sums and products of two datasets over their pairs, shard by shard, on any number of machines.
//!
//! CCA, least squares and Procrustes depend on the rows only through these, so that a model can be solved from shards that were
//! never in one place. All sums are exact: any cut into shards and any order of merging gives the same model, byte for byte.

mod exact;
mod file;
mod matrices;

use crate::data::{Dataset, Pairs, Rows, RowsRef, check_rows};
use crate::error::{Error, Result, counted};
use crate::method::Method;
use crate::model::Alignment;
use crate::progress::{Progress, with_threads};
use exact::{Exact, Products, Sliced, triangle};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

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
/// | number and total weight of pairs, weighted sums, `X'MX`, `Y'MY`, `X'WY` | the pairs |
///
/// An id that occurs in two shards is not noticed: ids are not kept. A whole shard given twice is refused by its fingerprint.
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
    reordered: Vec<String>,
}

/// Sums of one dataset.
#[derive(Clone, Debug)]
struct Side {
    name: String,
    columns: Option<Vec<String>>,
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
}

/// A part of the data whose sums are in the statistics.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Shard {
    /// Hash of its rows, ids and pairs.
    pub fingerprint: String,
    /// Its name, for messages.
    pub name: String,
    /// Rows of the two datasets.
    pub rows: [u64; 2],
    /// Its pairs.
    pub pairs: u64,
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
            width,
            rows: 0,
            counts: true,
            sums: vector.clone(),
            squares: vector.clone(),
            paired: vector,
            products,
        })
    }
    /// The number of entries that all sums of this dataset have.
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
        self.columns = self.columns.take().map(|names| from.iter().map(|&at| names[at].clone()).collect());
    }
}

impl Statistics {
    /// No rows and no pairs of two datasets.
    pub fn empty(datasets: [Described; 2]) -> Result<Self> {
        let (p, q) = (datasets[0].n_features, datasets[1].n_features);
        let all = p.saturating_mul(q).saturating_add(p.saturating_mul(p) / 2).saturating_add(q.saturating_mul(q) / 2);
        if all > MOST_ENTRIES {
            let advice = "reduce the columns first, for example by principal components (landbridge embed pca)".into();
            let (needed, limit) = (24 * all as u64, 24 * MOST_ENTRIES as u64);
            return Err(Error::Memory { method: format!("statistics of {p} and {q} columns"), needed, limit, advice });
        }
        if datasets[0].name == datasets[1].name {
            return Err(Error::DuplicateName { name: datasets[0].name.clone() });
        }
        let [x, y] = datasets;
        let sides = [Side::empty(x)?, Side::empty(y)?];
        Ok(Self { sides, cross: Exact::zeros(p * q), weight: Exact::zeros(1), pairs: 0, shards: vec![], reordered: vec![] })
    }
    /// The statistics of two datasets and their pairs.
    pub fn of(datasets: &[Dataset], pairs: &Pairs) -> Result<Self> {
        Self::of_shard("these rows", datasets, pairs, 0)
    }
    /// The statistics of a shard of that name, on `n_jobs` threads (0: all cores). A shard may have no pairs.
    pub fn of_shard(name: &str, datasets: &[Dataset], pairs: &Pairs, n_jobs: usize) -> Result<Self> {
        let [x, y] = datasets else {
            return Err(Error::parameter("datasets", datasets.len(), "two: statistics are sums over the pairs of two datasets"));
        };
        let mut out = Self::empty([Described::of(x), Described::of(y)])?;
        pairs.check(datasets)?;
        let mut hash = blake3::Hasher::new();
        for dataset in datasets {
            add_rows_to(&mut hash, dataset.rows());
            hash.update(&[u8::from(dataset.row_ids().is_some())]);
            for id in dataset.row_ids().unwrap_or_default() {
                hash.update(&(id.len() as u64).to_le_bytes()).update(id.as_bytes());
            }
        }
        for link in pairs.links() {
            hash.update(&(link.i as u64).to_le_bytes()).update(&(link.j as u64).to_le_bytes());
            hash.update(&link.weight.to_le_bytes());
        }
        let ends = |end: fn(&crate::data::Link) -> usize| -> Vec<usize> { pairs.links().iter().map(end).collect() };
        let weights: Vec<f64> = pairs.links().iter().map(|l| l.weight).collect();
        with_threads(n_jobs, || {
            out.add_rows(0, x.rows())?;
            out.add_rows(1, y.rows())?;
            out.add_pairs([(x.rows(), &ends(|l| l.i)), (y.rows(), &ends(|l| l.j))], &weights)
        })?;
        out.sign(name, &hash);
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
        add_rows_to(&mut hash, rows);
        out.sign(name, &hash);
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
        add_rows_to(&mut hash, x);
        add_rows_to(&mut hash, y);
        out.sign(name, &hash);
        Ok(out)
    }
    fn check(&self, side: usize, rows: &Rows) -> Result<()> {
        let own = &self.sides[side];
        if rows.ncols() != own.width {
            return Err(Error::FeatureCount { dataset: own.name.clone(), expected: own.width, got: rows.ncols() });
        }
        check_rows(&own.name, rows)
    }
    fn sign(&mut self, name: &str, hash: &blake3::Hasher) {
        let rows = self.sides.each_ref().map(|s| s.rows);
        self.shards =
            vec![Shard { fingerprint: hash.finalize().to_hex().to_string(), name: name.into(), rows, pairs: self.pairs }];
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
    /// Adds other statistics of the same datasets. Where the names of columns are in another order, they are put in that of the
    /// shard with the least fingerprint, and [`Statistics::reordered`] names the shards.
    pub fn merge(&mut self, mut other: Statistics) -> Result<()> {
        if self.shards.is_empty() && self.pairs == 0 {
            self.fits(&other)?;
            *self = other;
            return Ok(());
        }
        let (first, second) = (self.first_name(), other.first_name());
        let differs = |problem: String| Error::ShardDiffers { shard: second.clone(), first: first.clone(), problem };
        for (own, new) in self.sides.iter().zip(&other.sides) {
            if own.name != new.name {
                return Err(differs(format!("its dataset is called \"{}\", not \"{}\"", new.name, own.name)));
            }
        }
        if let Some((here, again)) = self.twice(&other) {
            return Err(Error::ShardTwice { shard: again, first: here });
        }
        let lead = self.shards.first().map(|s| &s.fingerprint) <= other.shards.first().map(|s| &s.fingerprint);
        for a in 0..2 {
            let (own, new) = (&self.sides[a], &other.sides[a]);
            if own.columns == new.columns && own.width == new.width {
                continue;
            }
            let order = order_by_name(if lead { new } else { own }, if lead { own } else { new });
            let order = order.ok_or_else(|| differs(different_columns(new, own)))?;
            let changed = if lead { &mut other } else { &mut *self };
            changed.put_in_order(a, &order);
        }
        for (own, new) in self.sides.iter_mut().zip(&other.sides) {
            own.rows = own.rows.saturating_add(new.rows);
            own.counts &= new.counts;
            own.sums.add_all(&new.sums);
            own.squares.add_all(&new.squares);
            own.paired.add_all(&new.paired);
            own.products.add_all(&new.products);
        }
        self.cross.add_all(&other.cross);
        self.weight.add_all(&other.weight);
        self.pairs = self.pairs.saturating_add(other.pairs);
        self.shards.append(&mut other.shards);
        self.shards.sort();
        self.reordered.append(&mut other.reordered);
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
    /// A shard that both have, by its name here and there. Shards without rows say nothing, and may repeat.
    fn twice(&self, other: &Statistics) -> Option<(String, String)> {
        let known: HashMap<&str, &Shard> = self.shards.iter().map(|s| (s.fingerprint.as_str(), s)).collect();
        let same = |s: &&Shard| !s.is_empty() && known.contains_key(s.fingerprint.as_str());
        other.shards.iter().find(same).map(|s| (known[s.fingerprint.as_str()].name.clone(), s.name.clone()))
    }
    fn put_in_order(&mut self, side: usize, from: &[usize]) {
        let (p, q) = (self.sides[0].width, self.sides[1].width);
        self.sides[side].reorder(from);
        self.cross = self.cross.reordered(|at| {
            let (i, j) = (at % p, at / p);
            if side == 0 { j * p + from[i] } else { from[j] * p + i }
        });
        debug_assert_eq!(self.cross.len, p * q);
        let names: Vec<String> = self.shards.iter().map(|s| s.name.clone()).filter(|n| !self.reordered.contains(n)).collect();
        self.reordered.extend(names);
    }
    /// The alignment by a method that needs only products over the pairs: CCA, the linear transform, or Procrustes without an
    /// embedding. It has maps and no rows, and agrees with the fit of all rows in one place up to rounding errors. `prepare` may be
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
            let why = "it needs the rows; cca, linear_transform and procrustes need only products over the pairs".into();
            return Err(Error::Undefined { what, why });
        };
        solver.fit_products(&self.products(solver.wanted_products())?, progress)
    }
    /// Number of pairs.
    pub fn n_pairs(&self) -> u64 {
        self.pairs
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
    /// Shards whose columns were put in the order of the others, since these statistics were read or computed.
    pub fn reordered(&self) -> &[String] {
        &self.reordered
    }
}

/// Where each column of `to` stands in `of`, if both have the same names, each once.
fn order_by_name(of: &Side, to: &Side) -> Option<Vec<usize>> {
    let (of, to) = (of.columns.as_ref()?, to.columns.as_ref()?);
    let places: HashMap<&str, usize> = of.iter().enumerate().map(|(at, name)| (name.as_str(), at)).collect();
    if places.len() != of.len() || of.len() != to.len() {
        return None;
    }
    let order: Vec<usize> = to.iter().map(|name| places.get(name.as_str()).copied()).collect::<Option<_>>()?;
    let mut seen = vec![false; order.len()];
    order.iter().all(|&at| !std::mem::replace(&mut seen[at], true)).then_some(order)
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

/// Adds shape and values, as doubles.
fn add_rows_to(hash: &mut blake3::Hasher, rows: &Rows) {
    hash.update(&(rows.nrows() as u64).to_le_bytes()).update(&(rows.ncols() as u64).to_le_bytes());
    // Many rows at a time: the hash takes long for short pieces.
    const TOGETHER: usize = 64;
    let p = rows.ncols();
    let mut values = vec![0.0; TOGETHER * p];
    let mut bytes = vec![0u8; 8 * values.len()];
    for from in (0..rows.nrows()).step_by(TOGETHER) {
        let count = TOGETHER.min(rows.nrows() - from);
        (0..count).for_each(|i| RowsRef::from(rows).copy_row(from + i, &mut values[i * p..(i + 1) * p]));
        // −0 is 0, so that sparse rows are what they are when dense.
        bytes.as_chunks_mut::<8>().0.iter_mut().zip(&values).for_each(|(to, v)| *to = (v + 0.0).to_le_bytes());
        hash.update(&bytes[..8 * count * p]);
    }
}

#[cfg(test)]
mod tests;
