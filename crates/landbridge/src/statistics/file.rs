//! The file of statistics: a fixed beginning with the version, a header in JSON, the limbs of all sums, and a checksum over
//! everything before it.

use super::exact::{Exact, triangle};
use super::landmarks::Near;
use super::{Described, Shard, Statistics, order_by_name};
use crate::error::{Error, Result};
use crate::model::Alignment;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Newest version of the format. Statistics with landmarks have it; others are written as version 1.
const FORMAT_VERSION: u32 = 2;
const MAGIC: &[u8; 16] = crate::model::STATISTICS;
/// Magic, version, length of the header.
const BEGINNING: usize = 16 + 4 + 8;
const CHECKSUM: usize = 32;

#[derive(Serialize, Deserialize)]
struct Header {
    datasets: [DatasetHeader; 2],
    pairs: u64,
    shards: Vec<Shard>,
    /// Lowest limb and number of limbs of all sums, in their order in the file.
    limbs: Vec<(i32, usize)>,
}

#[derive(Serialize, Deserialize)]
struct DatasetHeader {
    name: String,
    n_features: usize,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    columns: Option<Vec<String>>,
    /// Orders of columns and their shards, where there are several.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    orders: Vec<(Vec<String>, Vec<String>)>,
    rows: u64,
    counts: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    landmarks: Option<LandmarksHeader>,
}

#[derive(Clone, Serialize, Deserialize)]
struct LandmarksHeader {
    count: usize,
    fingerprint: String,
}

impl Statistics {
    /// All sums, in the order of the file.
    fn exacts(&self) -> Vec<&Exact> {
        let near = self.sides.iter().filter_map(|s| s.near.as_ref()).flat_map(|n| n.exacts());
        self.sides.iter().flat_map(|s| s.exacts()).chain([&self.cross, &self.weight]).chain(near).collect()
    }

    /// The statistics as the bytes of a file. Statistics of the same shards give the same bytes, however they were merged.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        let datasets = self.sides.each_ref().map(|s| DatasetHeader {
            name: s.name.clone(),
            n_features: s.width,
            columns: s.columns.clone(),
            orders: s.orders.clone(),
            rows: s.rows,
            counts: s.counts,
            landmarks: s.near.as_ref().map(|n| LandmarksHeader { count: n.count, fingerprint: n.print.clone() }),
        });
        let version = if self.n_landmarks().is_some() { FORMAT_VERSION } else { 1 };
        let exacts = self.exacts();
        let limbs = exacts.iter().map(|e| (e.low, e.planes.len())).collect();
        let header = Header { datasets, pairs: self.pairs, shards: self.shards.clone(), limbs };
        let broken = |e: serde_json::Error| Error::Numerical { what: "statistics".into(), problem: e.to_string() };
        let header = serde_json::to_vec(&header).map_err(broken)?;
        let size = exacts.iter().map(|e| 8 * e.len * e.planes.len()).sum::<usize>();
        let mut out = Vec::with_capacity(BEGINNING + header.len() + size + CHECKSUM);
        out.extend_from_slice(MAGIC);
        out.extend_from_slice(&version.to_le_bytes());
        out.extend_from_slice(&(header.len() as u64).to_le_bytes());
        out.extend_from_slice(&header);
        for plane in exacts.iter().flat_map(|e| &e.planes) {
            out.extend(plane.iter().flat_map(|limb| limb.to_le_bytes()));
        }
        let checksum = blake3::hash(&out);
        out.extend_from_slice(checksum.as_bytes());
        Ok(out)
    }

    /// Reads statistics from the bytes of a file; `path` is for messages. Refuses anything that differs from what was written, and
    /// takes no more memory than the file has bytes.
    pub fn from_bytes(bytes: &[u8], path: &Path) -> Result<Self> {
        let not_statistics = |why: &str| Error::NotStatistics { path: path.into(), why: why.into() };
        let damaged = |why: String| Error::StatisticsDamaged { path: path.into(), why };
        let rest = bytes.strip_prefix(MAGIC).ok_or_else(|| {
            let begins = |error: &Error| !matches!(error, Error::NotAModel { .. });
            let is_model = Alignment::from_bytes(bytes, path).err().as_ref().is_none_or(begins);
            not_statistics(if is_model { "it is a model" } else { "it begins in another way" })
        })?;
        let Some((version, rest)) = rest.split_first_chunk::<4>() else {
            return Err(damaged(format!("it has {} bytes", bytes.len())));
        };
        // The version is read first, because another version may have a different layout.
        let found = u32::from_le_bytes(*version);
        if found == 0 || found > FORMAT_VERSION {
            return Err(Error::StatisticsVersion { path: path.into(), found, supported: FORMAT_VERSION });
        }
        let cut_off = || damaged("it is cut off".into());
        let (length, rest) = rest.split_first_chunk::<8>().ok_or_else(cut_off)?;
        let (content, checksum) = rest.split_last_chunk::<CHECKSUM>().ok_or_else(cut_off)?;
        if blake3::hash(&bytes[..bytes.len() - CHECKSUM]).as_bytes() != checksum {
            return Err(damaged("its checksum does not match its content".into()));
        }
        let length = usize::try_from(u64::from_le_bytes(*length)).map_err(|_| cut_off())?;
        let (header, limbs) = content.split_at_checked(length).ok_or_else(cut_off)?;
        let header: Header = serde_json::from_slice(header).map_err(|e| damaged(format!("header: {e}")))?;
        if (found > 1) != header.datasets.iter().any(|d| d.landmarks.is_some()) {
            return Err(damaged("its version does not go with its landmarks".into()));
        }
        header.statistics(limbs).map_err(|why| match why {
            Unreadable::Inconsistent(why) => damaged(why.into()),
            Unreadable::Refused(error) => damaged(error.to_string()),
        })
    }
}

enum Unreadable {
    Inconsistent(&'static str),
    Refused(Error),
}

impl Header {
    fn statistics(self, bytes: &[u8]) -> std::result::Result<Statistics, Unreadable> {
        use Unreadable::Inconsistent;
        let [p, q] = self.datasets.each_ref().map(|d| d.n_features);
        // No product of columns that the file cannot hold is formed: limits of the number of entries come first.
        let side = |p: usize| [p, p, p, triangle(p)];
        let small = |n: usize| n < 1 << 30;
        if !(small(p) && small(q)) {
            return Err(Inconsistent("it has more columns than statistics can have"));
        }
        let mut lengths: Vec<usize> = [&side(p)[..], &side(q), &[p * q, 1]].concat();
        match self.datasets.each_ref().map(|d| d.landmarks.as_ref().map(|l| l.count)) {
            [None, None] => {}
            [Some(m), Some(n)] if small(m) && small(n) && m > 1 && n > 1 => {
                lengths.extend([triangle(p), p * m, m, triangle(q), q * n, n]);
            }
            _ => return Err(Inconsistent("its landmarks are not those of two datasets")),
        }
        if self.limbs.len() != lengths.len() {
            return Err(Inconsistent("its sums are not those of two datasets"));
        }
        let total = self
            .limbs
            .iter()
            .zip(&lengths)
            .try_fold(0usize, |total, ((_, planes), length)| total.checked_add(planes.checked_mul(*length)?.checked_mul(8)?));
        if total != Some(bytes.len()) {
            return Err(Inconsistent("its sums have another number of bytes than its header says"));
        }
        let (mut exacts, mut rest) = (vec![], bytes);
        for ((low, planes), length) in self.limbs.iter().zip(&lengths) {
            if !Exact::in_range(*low, *planes) {
                return Err(Inconsistent("its sums lie outside the range of double precision"));
            }
            // Sums of which nothing is stored are zero; their length is in the header only.
            let mut exact = Exact { low: *low, planes: vec![], len: *length };
            for _ in 0..*planes {
                let (plane, after) = rest.split_at(8 * length);
                let limb = |b: &[u8]| b.try_into().map_or(0, u64::from_le_bytes);
                exact.planes.push(plane.chunks_exact(8).map(limb).collect());
                rest = after;
            }
            let mut plain = exact.clone();
            plain.trim();
            if plain != exact {
                return Err(Inconsistent("its sums have superfluous limbs"));
            }
            exacts.push(exact);
        }
        let Header { datasets, pairs, shards, .. } = self;
        if !shards.windows(2).all(|w| w[0] <= w[1]) {
            return Err(Inconsistent("its shards are not in order"));
        }
        let described =
            datasets.each_ref().map(|d| Described { name: d.name.clone(), n_features: d.n_features, columns: d.columns.clone() });
        let mut out = Statistics::empty(described).map_err(Unreadable::Refused)?;
        let mut exacts = exacts.into_iter();
        let mut next = || exacts.next().ok_or(Inconsistent("its sums are not those of two datasets"));
        for (side, dataset) in out.sides.iter_mut().zip(&datasets) {
            (side.rows, side.counts) = (dataset.rows, dataset.counts);
            let same = |order: &Vec<String>| order_by_name(order, side.columns.as_deref()?);
            if !dataset.orders.iter().all(|(order, _)| same(order).is_some()) {
                return Err(Inconsistent("an order of columns has other columns"));
            }
            side.orders.clone_from(&dataset.orders);
            (side.sums, side.squares, side.paired, side.products) = (next()?, next()?, next()?, next()?);
        }
        (out.cross, out.weight) = (next()?, next()?);
        for (side, dataset) in out.sides.iter_mut().zip(datasets) {
            if let Some(LandmarksHeader { count, fingerprint }) = dataset.landmarks {
                side.near = Some(Near { print: fingerprint, count, products: next()?, ties: next()?, mass: next()? });
            }
        }
        (out.pairs, out.shards) = (pairs, shards);
        Ok(out)
    }
}
