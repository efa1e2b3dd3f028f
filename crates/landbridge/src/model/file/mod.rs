//! The model file: a safetensors container (contains no code, readable from any language). Its metadata is one versioned JSON
//! header with a checksum over everything.

use super::{
    Affine, Alignment, Anchors, BatchOffsets, Extras, Finest, Fitted, GeodesicExtension, Hierarchy, LinearMap, LocalExtension,
    Mapping, Moved, NeighborExtension, PairedFit, SparseFit, SparseMap, Triangulation,
};
use crate::data::{Link, Preparation, Prepare, Rows};
use crate::error::{Error, Result};
use crate::geometry::affinity::Kernel;
use crate::geometry::neighbors::Metric;
use crate::linalg::{Csr, Matrix, Scalar};
use crate::model::Prediction;
use crate::model::alignment::all_finite;
use crate::outcome::Outcome;
use crate::solve::wavelets::WaveletLevel;
use safetensors::tensor::{Dtype, SafeTensors, TensorView, View};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::Arc;

mod read;
use read::Reader;

/// Version of the format written here.
const FORMAT_VERSION: u32 = 1;
const KEY: &str = "landbridge";
/// Vectors of a sparse fit, one number per dataset.
const SPARSE_FIT: [&str; 5] = ["alphas", "betas", "largest_alphas", "gaps", "objectives"];

#[derive(Serialize, Deserialize)]
struct Envelope {
    format: u32,
    /// blake3 over the header text and over name, kind, shape and bytes of every tensor.
    checksum: String,
    header: String,
}

#[derive(Serialize, Deserialize)]
struct Header {
    method: String,
    params: serde_json::Value,
    datasets: Vec<DatasetHeader>,
    outcome: Outcome,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    hierarchy: Option<HierarchyHeader>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    prediction: Option<Prediction>,
}

#[derive(Serialize, Deserialize)]
struct HierarchyHeader {
    levels: Vec<WaveletLevel>,
    basis_of: Vec<Option<usize>>,
    shown: usize,
}

#[derive(Serialize, Deserialize)]
struct DatasetHeader {
    name: String,
    n_features: usize,
    mapping: MappingHeader,
}

#[derive(Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum MappingHeader {
    None,
    Neighbors {
        kernel: Kernel,
        rows: RowsKind,
    },
    Linear {
        prepare: Prepare,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        unit: bool,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        batches: Vec<String>,
    },
    Sparse {
        prepare: Prepare,
    },
    Prepared {
        prepare: Prepare,
    },
    Similarity {
        rows: RowsKind,
    },
    Geodesic {
        rows: RowsKind,
        n_neighbors: usize,
        metric: Metric,
    },
    Local {
        rows: RowsKind,
        n_neighbors: usize,
        metric: Metric,
        ridge: f64,
    },
    Moved {
        first: Box<MappingHeader>,
    },
    Votes,
    Triangulated {
        rows: RowsKind,
        prepare: Prepare,
        n_neighbors: Option<usize>,
        metric: Metric,
        first: usize,
    },
    Undefined {
        why: String,
    },
}

#[derive(Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum RowsKind {
    F64,
    F32,
    Sparse,
}

/// A tensor to write: its shape and its numbers, mostly borrowed from the model.
struct Piece<'a> {
    shape: Vec<usize>,
    data: Data<'a>,
}

enum Data<'a> {
    F64(Cow<'a, [f64]>),
    F32(&'a [f32]),
    U32(&'a [u32]),
    U64(Cow<'a, [u64]>),
    /// As u64.
    Sizes(&'a [usize]),
    Bytes(Vec<u8>),
}

type Pieces<'a> = BTreeMap<String, Piece<'a>>;

impl Piece<'_> {
    fn dtype(&self) -> Dtype {
        match self.data {
            Data::F64(_) => Dtype::F64,
            Data::F32(_) => Dtype::F32,
            Data::U32(_) => Dtype::U32,
            Data::U64(_) | Data::Sizes(_) => Dtype::U64,
            Data::Bytes(_) => Dtype::U8,
        }
    }
    /// Number of bytes.
    fn size(&self) -> usize {
        match &self.data {
            Data::F64(values) => 8 * values.len(),
            Data::F32(values) => 4 * values.len(),
            Data::U32(values) => 4 * values.len(),
            Data::U64(values) => 8 * values.len(),
            Data::Sizes(values) => 8 * values.len(),
            Data::Bytes(bytes) => bytes.len(),
        }
    }
    /// Its bytes, little-endian, in small parts, so that they are never all in memory.
    fn each_part(&self, mut part: impl FnMut(&[u8])) {
        fn go<T: Copy, const N: usize>(values: &[T], to: impl Fn(T) -> [u8; N], part: &mut dyn FnMut(&[u8])) {
            const TOGETHER: usize = 4096;
            let mut bytes = vec![];
            for values in values.chunks(TOGETHER) {
                bytes.clear();
                bytes.extend(values.iter().flat_map(|v| to(*v)));
                part(&bytes);
            }
        }
        match &self.data {
            Data::F64(values) => go(values, f64::to_le_bytes, &mut part),
            Data::F32(values) => go(values, f32::to_le_bytes, &mut part),
            Data::U32(values) => go(values, u32::to_le_bytes, &mut part),
            Data::U64(values) => go(values, u64::to_le_bytes, &mut part),
            Data::Sizes(values) => go(values, |v| (v as u64).to_le_bytes(), &mut part),
            Data::Bytes(bytes) => part(bytes),
        }
    }
}

/// The metadata of a tensor, without its bytes. The container writes its own header, and the bytes follow one tensor after
/// another, so that there is never a second copy of the model.
struct WithoutBytes<'p>(&'p Piece<'p>);

impl View for WithoutBytes<'_> {
    fn dtype(&self) -> Dtype {
        self.0.dtype()
    }
    fn shape(&self) -> &[usize] {
        &self.0.shape
    }
    fn data(&self) -> Cow<'_, [u8]> {
        Cow::Borrowed(&[])
    }
    fn data_len(&self) -> usize {
        self.0.size()
    }
}

/// The container: its header, then the bytes of the tensors by falling kind, equal kinds by name.
fn container(tensors: &Pieces<'_>, metadata: HashMap<String, String>) -> Result<Vec<u8>> {
    let broken = |problem: String| Error::Numerical { what: "model file".into(), problem };
    let views = tensors.iter().map(|(name, piece)| (name.as_str(), WithoutBytes(piece)));
    let mut out = safetensors::serialize(views, Some(metadata)).map_err(|e| broken(e.to_string()))?;
    let mut order: Vec<(&String, &Piece<'_>)> = tensors.iter().collect();
    order.sort_by(|(a, left), (b, right)| right.dtype().cmp(&left.dtype()).then(a.cmp(b)));
    out.reserve_exact(order.iter().map(|(_, piece)| piece.size()).sum());
    order.iter().for_each(|(_, piece)| piece.each_part(|bytes| out.extend_from_slice(bytes)));
    Ok(out)
}

fn floats(shape: Vec<usize>, values: &[f64]) -> Piece<'_> {
    Piece { shape, data: Data::F64(Cow::Borrowed(values)) }
}

fn numbers(values: &[u32]) -> Piece<'_> {
    Piece { shape: vec![values.len()], data: Data::U32(values) }
}

fn json(value: &impl Serialize) -> Piece<'static> {
    let bytes = serde_json::to_vec(value).unwrap_or_default();
    Piece { shape: vec![bytes.len()], data: Data::Bytes(bytes) }
}

impl Alignment {
    /// The model as the bytes of a file. The same model gives the same bytes.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        let mut tensors: Pieces<'_> = BTreeMap::new();
        let mut datasets = vec![];
        tensors.insert("eigenvalues".into(), floats(vec![self.eigenvalues.len()], &self.eigenvalues));
        let ends: Vec<u64> = self.pairs.iter().flat_map(|l| [l.a as u64, l.i as u64, l.b as u64, l.j as u64]).collect();
        tensors.insert("pairs".into(), Piece { shape: vec![self.pairs.len(), 4], data: Data::U64(Cow::Owned(ends)) });
        let weights: Vec<f64> = self.pairs.iter().map(|l| l.weight).collect();
        tensors.insert("pair_weights".into(), Piece { shape: vec![weights.len()], data: Data::F64(Cow::Owned(weights)) });
        for (a, fitted) in self.fitted.iter().enumerate() {
            let e = &fitted.embedding;
            tensors.insert(format!("{a}/embedding"), floats(vec![e.nrows(), e.ncols()], e.as_slice()));
            let names = [
                ("row_ids", &fitted.row_ids),
                ("labels", &fitted.labels),
                ("snippets", &fitted.snippets),
                ("columns", &fitted.columns),
            ];
            for (what, values) in names {
                if let Some(values) = values {
                    tensors.insert(format!("{a}/{what}"), json(values));
                }
            }
            if let Some(recipe) = &fitted.recipe {
                tensors.insert(format!("{a}/recipe"), json(recipe));
            }
            if let Some(means) = &fitted.known_means {
                put_vector(&mut tensors, format!("{a}/known_means"), means);
            }
            if let Some(sample) = &fitted.sample {
                let data = Data::F32(sample.as_slice());
                tensors.insert(format!("{a}/sample"), Piece { shape: vec![sample.nrows(), sample.ncols()], data });
            }
            let mapping = put_mapping(&mut tensors, a, &fitted.mapping);
            datasets.push(DatasetHeader { name: fitted.name.clone(), n_features: fitted.n_features, mapping });
        }
        if let Extras::Moved(fit) = &self.extras {
            put_paired_fit(&mut tensors, fit);
        }
        if let Extras::Sparse(fit) = &self.extras {
            for (what, values) in
                SPARSE_FIT.iter().zip([&fit.alphas, &fit.betas, &fit.largest_alphas, &fit.gaps, &fit.objectives])
            {
                put_vector(&mut tensors, format!("sparse/{what}"), values);
            }
        }
        let hierarchy = match &self.extras {
            Extras::Levels(hierarchy, shown) => Some(put_hierarchy(&mut tensors, hierarchy, *shown)),
            _ => None,
        };
        // Reading refuses them: such a file could be written and never read.
        let finite = |piece: &Piece<'_>| match &piece.data {
            Data::F64(values) => all_finite(values),
            Data::F32(values) => f32::are_finite(values),
            _ => true,
        };
        if let Some((name, _)) = tensors.iter().find(|(_, piece)| !finite(piece)) {
            return Err(Error::Overflow { what: format!("\"{name}\" of the model") });
        }
        let (method, params, outcome) = (self.method.clone(), self.params.clone(), self.outcome.clone());
        let header = Header { method, params, datasets, outcome, hierarchy, prediction: self.prediction().cloned() };
        let broken = |e: &dyn std::fmt::Display| Error::Numerical { what: "model file".into(), problem: e.to_string() };
        let header = serde_json::to_string(&header).map_err(|e| broken(&e))?;
        let mut sum = Checksum::new(&header);
        tensors.iter().for_each(|(name, p)| sum.add(name, p.dtype(), &p.shape, p.size(), |part| p.each_part(part)));
        let checksum = sum.finish();
        let envelope = serde_json::to_string(&Envelope { format: FORMAT_VERSION, checksum, header }).map_err(|e| broken(&e))?;
        // One key only: the container does not fix the order of several.
        let metadata = HashMap::from([(KEY.to_string(), envelope)]);
        container(&tensors, metadata)
    }

    /// A hash of the bytes of its file.
    pub fn checksum(&self) -> Result<String> {
        Ok(blake3::hash(&self.to_bytes()?).to_hex().to_string())
    }

    /// Reads a model from the bytes of a file; `path` is for messages. Refuses anything that differs from what was written.
    pub fn from_bytes(bytes: &[u8], path: &Path) -> Result<Self> {
        let not_a_model = |why: &dyn std::fmt::Display| Error::NotAModel { path: path.into(), why: why.to_string() };
        if bytes.starts_with(super::STATISTICS) {
            return Err(not_a_model(
                &"it holds statistics; solve a model from them: landbridge solve, or Statistics.load(...).solve(...)",
            ));
        }
        let (_, metadata) = SafeTensors::read_metadata(bytes).map_err(|e| not_a_model(&e))?;
        let envelope =
            metadata.metadata().as_ref().and_then(|m| m.get(KEY)).ok_or_else(|| not_a_model(&"no landbridge header"))?;
        let reader = Reader { path, file: SafeTensors::deserialize(bytes).map_err(|e| not_a_model(&e))? };
        // The version is read first, because another version may have a different layout.
        #[derive(Deserialize)]
        struct Version {
            format: u32,
        }
        let found: Version = serde_json::from_str(envelope).map_err(|e| reader.damaged(format!("header: {e}")))?;
        if found.format != FORMAT_VERSION {
            return Err(Error::ModelVersion { path: path.into(), found: found.format, supported: FORMAT_VERSION });
        }
        let envelope: Envelope = serde_json::from_str(envelope).map_err(|e| reader.damaged(format!("header: {e}")))?;
        let mut names: Vec<&str> = reader.file.names();
        names.sort_unstable();
        let views: Vec<(&str, TensorView<'_>)> =
            names.into_iter().filter_map(|n| reader.file.tensor(n).ok().map(|t| (n, t))).collect();
        let mut sum = Checksum::new(&envelope.header);
        views.iter().for_each(|(n, t)| sum.add(n, t.dtype(), t.shape(), t.data().len(), |part| part(t.data())));
        if sum.finish() != envelope.checksum {
            return Err(reader.damaged("its checksum does not match its content".into()));
        }
        let header: Header = serde_json::from_str(&envelope.header).map_err(|e| reader.damaged(format!("header: {e}")))?;
        reader.alignment(header)
    }
}

fn put_matrix<'a>(tensors: &mut Pieces<'a>, name: String, m: &'a Matrix<f64>) {
    tensors.insert(name, floats(vec![m.nrows(), m.ncols()], m.as_slice()));
}

fn put_vector<'a>(tensors: &mut Pieces<'a>, name: String, values: &'a [f64]) {
    tensors.insert(name, floats(vec![values.len()], values));
}

fn put_mapping<'a>(tensors: &mut Pieces<'a>, a: usize, mapping: &'a Mapping) -> MappingHeader {
    match mapping {
        Mapping::None => MappingHeader::None,
        Mapping::Neighbors(extension) => {
            put_vector(tensors, format!("{a}/damping"), &extension.damping);
            if let Some(factors) = &extension.row_factors {
                put_vector(tensors, format!("{a}/row_factors"), factors);
            }
            let rows = put_rows(tensors, a, &extension.rows);
            MappingHeader::Neighbors { kernel: extension.kernel.clone(), rows }
        }
        Mapping::Linear(map) => {
            put_matrix(tensors, format!("{a}/map"), &map.weights);
            for (what, values) in [("component_weights", &map.component_weights), ("offset", &map.offset)] {
                if let Some(values) = values {
                    put_vector(tensors, format!("{a}/{what}"), values);
                }
            }
            if let Some(known) = &map.batches {
                put_matrix(tensors, format!("{a}/batch_offsets"), &known.offsets);
            }
            let batches = map.batches.as_ref().map_or_else(Vec::new, |known| known.names.clone());
            MappingHeader::Linear { prepare: put_preparation(tensors, a, &map.preparation), unit: map.unit, batches }
        }
        Mapping::Sparse(map) => {
            put_csr(tensors, &format!("{a}/map/"), &map.weights);
            MappingHeader::Sparse { prepare: put_preparation(tensors, a, &map.preparation) }
        }
        Mapping::Prepared(p) => MappingHeader::Prepared { prepare: put_preparation(tensors, a, p) },
        Mapping::Similarity(anchors) => {
            put_vector(tensors, format!("{a}/mean"), &anchors.mean);
            MappingHeader::Similarity { rows: put_rows(tensors, a, &anchors.rows) }
        }
        Mapping::Geodesic(extension) => {
            put_vector(tensors, format!("{a}/means"), &extension.means);
            put_vector(tensors, format!("{a}/eigenvalues"), &extension.eigenvalues);
            put_csr(tensors, &format!("{a}/lengths/"), &extension.lengths);
            let rows = put_rows(tensors, a, &extension.rows);
            MappingHeader::Geodesic { rows, n_neighbors: extension.n_neighbors, metric: extension.metric }
        }
        Mapping::Local(extension) => {
            let rows = put_rows(tensors, a, &extension.rows);
            let LocalExtension { n_neighbors, metric, ridge, .. } = *extension;
            if let Some(among) = &extension.among {
                tensors.insert(format!("{a}/among"), numbers(among));
            }
            MappingHeader::Local { rows, n_neighbors, metric, ridge }
        }
        Mapping::Votes(votes) => {
            put_vector(tensors, format!("{a}/votes"), votes);
            MappingHeader::Votes
        }
        Mapping::Triangulated(t) => put_triangulation(tensors, a, t),
        Mapping::Undefined(why) => MappingHeader::Undefined { why: why.clone() },
        Mapping::Moved(moved) => {
            put_matrix(tensors, format!("{a}/coordinates"), &moved.coordinates);
            put_matrix(tensors, format!("{a}/moved_by"), &moved.by.matrix);
            put_vector(tensors, format!("{a}/offset"), &moved.by.offset);
            MappingHeader::Moved { first: Box::new(put_mapping(tensors, a, &moved.first)) }
        }
    }
}

fn put_triangulation<'a>(tensors: &mut Pieces<'a>, a: usize, t: &'a Triangulation) -> MappingHeader {
    let units = Data::F64(Cow::Owned(vec![t.scale, t.unit]));
    tensors.insert(format!("{a}/units"), Piece { shape: vec![2], data: units });
    for (what, rows) in [("landmarks", &t.own), ("bridges", &t.bridges)] {
        tensors.insert(format!("{a}/{what}"), numbers(rows));
    }
    put_matrix(tensors, format!("{a}/beyond"), &t.beyond);
    put_vector(tensors, format!("{a}/means"), &t.means);
    put_matrix(tensors, format!("{a}/moved_by"), &t.matrix);
    put_vector(tensors, format!("{a}/offset"), &t.offset);
    if let Some((lengths, _)) = &t.paths {
        put_csr(tensors, &format!("{a}/lengths/"), lengths);
    }
    let (rows, prepare) = (put_rows(tensors, a, &t.rows), put_preparation(tensors, a, &t.preparation));
    MappingHeader::Triangulated { rows, prepare, n_neighbors: t.paths.as_ref().map(|p| p.1), metric: t.metric, first: t.first }
}

fn put_paired_fit<'a>(tensors: &mut Pieces<'a>, fit: &'a PairedFit) {
    put_vector(tensors, "fit/scales".into(), &fit.scales);
    put_vector(tensors, "fit/residuals".into(), &fit.residuals);
    for (a, (matrix, offset)) in fit.matrices.iter().zip(&fit.offsets).enumerate() {
        put_matrix(tensors, format!("fit/{a}/matrix"), matrix);
        put_vector(tensors, format!("fit/{a}/offset"), offset);
    }
}

fn put_hierarchy<'a>(tensors: &mut Pieces<'a>, hierarchy: &'a Hierarchy, shown: usize) -> HierarchyHeader {
    for (a, finest) in hierarchy.finest.iter().enumerate() {
        put_matrix(tensors, format!("levels/{a}/embedding"), &finest.embedding);
        if let Some(map) = &finest.map {
            put_matrix(tensors, format!("levels/{a}/map"), map);
        }
    }
    for (b, basis) in hierarchy.bases.iter().enumerate() {
        put_matrix(tensors, format!("levels/basis/{b}"), basis);
    }
    HierarchyHeader { levels: hierarchy.levels.clone(), basis_of: hierarchy.basis_of.clone(), shown }
}

fn put_preparation<'a>(tensors: &mut Pieces<'a>, a: usize, preparation: &'a Preparation) -> Prepare {
    for (what, values) in [("factors", &preparation.factors), ("mean", &preparation.mean)] {
        if let Some(values) = values {
            tensors.insert(format!("{a}/{what}"), floats(vec![values.len()], values));
        }
    }
    if let Some(total) = &preparation.total {
        tensors.insert(format!("{a}/total"), floats(vec![1], std::slice::from_ref(total)));
    }
    preparation.prepare
}

fn put_csr<'a>(tensors: &mut Pieces<'a>, prefix: &str, m: &'a Csr) {
    tensors.insert(format!("{prefix}indptr"), Piece { shape: vec![m.indptr().len()], data: Data::Sizes(m.indptr()) });
    tensors.insert(format!("{prefix}indices"), numbers(m.indices()));
    tensors.insert(format!("{prefix}values"), floats(vec![m.nnz()], m.values()));
}

fn put_rows<'a>(tensors: &mut Pieces<'a>, a: usize, rows: &'a Rows) -> RowsKind {
    match rows {
        Rows::F64(m) => {
            tensors.insert(format!("{a}/rows"), floats(vec![m.nrows(), m.ncols()], m.as_slice()));
            RowsKind::F64
        }
        Rows::F32(m) => {
            tensors.insert(format!("{a}/rows"), Piece { shape: vec![m.nrows(), m.ncols()], data: Data::F32(m.as_slice()) });
            RowsKind::F32
        }
        Rows::Sparse(m) => {
            put_csr(tensors, &format!("{a}/"), m);
            RowsKind::Sparse
        }
    }
}

/// blake3 over the header text and over name, kind, shape and bytes of every tensor, each preceded by its length.
struct Checksum(blake3::Hasher);

impl Checksum {
    fn new(header: &str) -> Self {
        let mut sum = Self(blake3::Hasher::new());
        sum.part(header.as_bytes());
        sum
    }
    fn part(&mut self, bytes: &[u8]) {
        self.0.update(&(bytes.len() as u64).to_le_bytes());
        self.0.update(bytes);
    }
    /// A tensor of this many bytes, which `each_part` yields.
    fn add(&mut self, name: &str, dtype: Dtype, shape: &[usize], size: usize, each_part: impl FnOnce(&mut dyn FnMut(&[u8]))) {
        self.part(name.as_bytes());
        self.part(format!("{dtype:?} {shape:?}").as_bytes());
        self.0.update(&(size as u64).to_le_bytes());
        each_part(&mut |bytes| {
            self.0.update(bytes);
        });
    }
    fn finish(self) -> String {
        self.0.finalize().to_hex().to_string()
    }
}
