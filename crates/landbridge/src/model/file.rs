//! The model file: a safetensors container (no code in it, readable from any language) whose metadata is one
//! versioned JSON header with a checksum over everything.

use super::{Alignment, Anchors, Fitted, LinearMap, Mapping, NeighborExtension};
use crate::data::{Link, Preparation, Prepare, Rows};
use crate::error::{Error, Result};
use crate::geometry::affinity::Kernel;
use crate::linalg::{Csr, Matrix, Scalar};
use crate::solve::outcome::Outcome;
use safetensors::tensor::{Dtype, SafeTensors, TensorView};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::Arc;

/// Version of the format written here.
const FORMAT_VERSION: u32 = 1;
const KEY: &str = "landbridge";

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
    Neighbors { kernel: Kernel, rows: RowsKind },
    Linear { prepare: Prepare },
    Prepared { prepare: Prepare },
    Similarity { rows: RowsKind },
}

#[derive(Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum RowsKind {
    F64,
    F32,
    Sparse,
}

/// A tensor on its way out: kind, shape, little-endian bytes.
struct Piece {
    dtype: Dtype,
    shape: Vec<usize>,
    bytes: Vec<u8>,
}

fn piece<T: Copy, const N: usize>(dtype: Dtype, shape: Vec<usize>, values: &[T], to: impl Fn(T) -> [u8; N]) -> Piece {
    Piece { dtype, shape, bytes: values.iter().flat_map(|v| to(*v)).collect() }
}

fn floats(shape: Vec<usize>, values: &[f64]) -> Piece {
    piece(Dtype::F64, shape, values, f64::to_le_bytes)
}

fn json(value: &impl Serialize) -> Piece {
    let bytes = serde_json::to_vec(value).unwrap_or_default();
    Piece { dtype: Dtype::U8, shape: vec![bytes.len()], bytes }
}

impl Alignment {
    /// The model as the bytes of a file. The same model gives the same bytes.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        let mut tensors: BTreeMap<String, Piece> = BTreeMap::new();
        let mut datasets = vec![];
        tensors.insert("eigenvalues".into(), floats(vec![self.eigenvalues.len()], &self.eigenvalues));
        let ends: Vec<u64> = self.pairs.iter().flat_map(|l| [l.a as u64, l.i as u64, l.b as u64, l.j as u64]).collect();
        tensors.insert("pairs".into(), piece(Dtype::U64, vec![self.pairs.len(), 4], &ends, u64::to_le_bytes));
        let weights: Vec<f64> = self.pairs.iter().map(|l| l.weight).collect();
        tensors.insert("pair_weights".into(), floats(vec![weights.len()], &weights));
        for (a, fitted) in self.fitted.iter().enumerate() {
            let e = &fitted.embedding;
            tensors.insert(format!("{a}/embedding"), floats(vec![e.nrows(), e.ncols()], e.as_slice()));
            for (what, values) in [("row_ids", &fitted.row_ids), ("labels", &fitted.labels), ("columns", &fitted.columns)] {
                if let Some(values) = values {
                    tensors.insert(format!("{a}/{what}"), json(values));
                }
            }
            if let Some(recipe) = &fitted.recipe {
                tensors.insert(format!("{a}/recipe"), json(recipe));
            }
            let mapping = match &fitted.mapping {
                Mapping::None => MappingHeader::None,
                Mapping::Neighbors(extension) => {
                    tensors.insert(format!("{a}/damping"), floats(vec![extension.damping.len()], &extension.damping));
                    let rows = put_rows(&mut tensors, a, &extension.rows);
                    MappingHeader::Neighbors { kernel: extension.kernel.clone(), rows }
                }
                Mapping::Linear(map) => {
                    let f = &map.weights;
                    tensors.insert(format!("{a}/map"), floats(vec![f.nrows(), f.ncols()], f.as_slice()));
                    if let Some(weights) = &map.component_weights {
                        tensors.insert(format!("{a}/component_weights"), floats(vec![weights.len()], weights));
                    }
                    MappingHeader::Linear { prepare: put_preparation(&mut tensors, a, &map.preparation) }
                }
                Mapping::Prepared(p) => MappingHeader::Prepared { prepare: put_preparation(&mut tensors, a, p) },
                Mapping::Similarity(anchors) => {
                    tensors.insert(format!("{a}/mean"), floats(vec![anchors.mean.len()], &anchors.mean));
                    MappingHeader::Similarity { rows: put_rows(&mut tensors, a, &anchors.rows) }
                }
            };
            datasets.push(DatasetHeader { name: fitted.name.clone(), n_features: fitted.n_features, mapping });
        }
        let header = Header { method: self.method.clone(), params: self.params.clone(), datasets, outcome: self.outcome.clone() };
        let broken = |e: &dyn std::fmt::Display| Error::Numerical { what: "model file".into(), problem: e.to_string() };
        let header = serde_json::to_string(&header).map_err(|e| broken(&e))?;
        let checksum = checksum(&header, tensors.iter().map(|(n, p)| (n.as_str(), p.dtype, &p.shape[..], &p.bytes[..])));
        let envelope = serde_json::to_string(&Envelope { format: FORMAT_VERSION, checksum, header }).map_err(|e| broken(&e))?;
        // One key only: the container does not fix the order of several.
        let metadata = HashMap::from([(KEY.to_string(), envelope)]);
        let views = tensors
            .iter()
            .map(|(name, p)| Ok((name.clone(), TensorView::new(p.dtype, p.shape.clone(), &p.bytes).map_err(|e| broken(&e))?)))
            .collect::<Result<Vec<_>>>()?;
        safetensors::serialize(views, Some(metadata)).map_err(|e| broken(&e))
    }

    /// A model from the bytes of a file; `path` is for messages. Anything that is not exactly what was written
    /// is refused.
    pub fn from_bytes(bytes: &[u8], path: &Path) -> Result<Self> {
        let not_a_model = |why: &dyn std::fmt::Display| Error::NotAModel { path: path.into(), why: why.to_string() };
        let (_, metadata) = SafeTensors::read_metadata(bytes).map_err(|e| not_a_model(&e))?;
        let envelope =
            metadata.metadata().as_ref().and_then(|m| m.get(KEY)).ok_or_else(|| not_a_model(&"no landbridge header"))?;
        let reader = Reader { path, file: SafeTensors::deserialize(bytes).map_err(|e| not_a_model(&e))? };
        // The version is looked at first: another version may lay out everything else differently.
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
        let sum = checksum(&envelope.header, views.iter().map(|(n, t)| (*n, t.dtype(), t.shape(), t.data())));
        if sum != envelope.checksum {
            return Err(reader.damaged("its checksum does not fit its content".into()));
        }
        let header: Header = serde_json::from_str(&envelope.header).map_err(|e| reader.damaged(format!("header: {e}")))?;
        reader.alignment(header)
    }
}

fn put_preparation(tensors: &mut BTreeMap<String, Piece>, a: usize, preparation: &Preparation) -> Prepare {
    for (what, values) in [("factors", &preparation.factors), ("mean", &preparation.mean)] {
        if let Some(values) = values {
            tensors.insert(format!("{a}/{what}"), floats(vec![values.len()], values));
        }
    }
    preparation.prepare
}

fn put_rows(tensors: &mut BTreeMap<String, Piece>, a: usize, rows: &Rows) -> RowsKind {
    match rows {
        Rows::F64(m) => {
            tensors.insert(format!("{a}/rows"), floats(vec![m.nrows(), m.ncols()], m.as_slice()));
            RowsKind::F64
        }
        Rows::F32(m) => {
            tensors.insert(format!("{a}/rows"), piece(Dtype::F32, vec![m.nrows(), m.ncols()], m.as_slice(), f32::to_le_bytes));
            RowsKind::F32
        }
        Rows::Sparse(m) => {
            let starts: Vec<u64> = m.indptr().iter().map(|v| *v as u64).collect();
            tensors.insert(format!("{a}/indptr"), piece(Dtype::U64, vec![starts.len()], &starts, u64::to_le_bytes));
            tensors.insert(format!("{a}/indices"), piece(Dtype::U32, vec![m.nnz()], m.indices(), u32::to_le_bytes));
            tensors.insert(format!("{a}/values"), floats(vec![m.nnz()], m.values()));
            RowsKind::Sparse
        }
    }
}

fn checksum<'a>(header: &str, tensors: impl Iterator<Item = (&'a str, Dtype, &'a [usize], &'a [u8])>) -> String {
    let mut hasher = blake3::Hasher::new();
    let mut part = |bytes: &[u8]| {
        hasher.update(&(bytes.len() as u64).to_le_bytes());
        hasher.update(bytes);
    };
    part(header.as_bytes());
    for (name, dtype, shape, bytes) in tensors {
        part(name.as_bytes());
        part(format!("{dtype:?} {shape:?}").as_bytes());
        part(bytes);
    }
    hasher.finalize().to_hex().to_string()
}

struct Reader<'a> {
    path: &'a Path,
    file: SafeTensors<'a>,
}

impl Reader<'_> {
    fn damaged(&self, why: String) -> Error {
        Error::ModelDamaged { path: self.path.into(), why }
    }
    fn tensor(&self, name: &str, dtype: Dtype, dimensions: usize) -> Result<TensorView<'_>> {
        let tensor = self.file.tensor(name).map_err(|_| self.damaged(format!("\"{name}\" is missing")))?;
        if tensor.dtype() != dtype || tensor.shape().len() != dimensions {
            return Err(self.damaged(format!("\"{name}\" has another kind or shape")));
        }
        Ok(tensor)
    }
    fn values<T, const N: usize>(
        &self,
        name: &str,
        dtype: Dtype,
        dimensions: usize,
        from: fn([u8; N]) -> T,
    ) -> Result<(Vec<T>, Vec<usize>)> {
        let tensor = self.tensor(name, dtype, dimensions)?;
        let (chunks, _) = tensor.data().as_chunks::<N>();
        Ok((chunks.iter().map(|c| from(*c)).collect(), tensor.shape().to_vec()))
    }
    fn floats(&self, name: &str) -> Result<Vec<f64>> {
        let (values, _) = self.values(name, Dtype::F64, 1, f64::from_le_bytes)?;
        self.finite(name, values)
    }
    fn finite<T: Scalar>(&self, name: &str, values: Vec<T>) -> Result<Vec<T>> {
        if values.iter().all(|v| v.to_f64().is_finite()) {
            return Ok(values);
        }
        Err(self.damaged(format!("\"{name}\" holds a value that is not finite")))
    }
    fn matrix<T: Scalar, const N: usize>(&self, name: &str, dtype: Dtype, from: fn([u8; N]) -> T) -> Result<Matrix<T>> {
        let (values, shape) = self.values(name, dtype, 2, from)?;
        Matrix::from_vec(self.finite(name, values)?, shape[0], shape[1])
    }
    fn json<T: serde::de::DeserializeOwned>(&self, name: &str) -> Result<Option<T>> {
        if self.file.tensor(name).is_err() {
            return Ok(None);
        }
        let tensor = self.tensor(name, Dtype::U8, 1)?;
        serde_json::from_slice(tensor.data()).map(Some).map_err(|e| self.damaged(format!("\"{name}\": {e}")))
    }
    fn strings(&self, name: &str, count: usize) -> Result<Option<Vec<String>>> {
        let values: Option<Vec<String>> = self.json(name)?;
        match values {
            Some(values) if values.len() != count => {
                Err(self.damaged(format!("\"{name}\" has {} entries, not {count}", values.len())))
            }
            values => Ok(values),
        }
    }
    fn rows(&self, a: usize, kind: RowsKind, n_features: usize) -> Result<Rows> {
        Ok(match kind {
            RowsKind::F64 => Rows::F64(self.matrix(&format!("{a}/rows"), Dtype::F64, f64::from_le_bytes)?),
            RowsKind::F32 => Rows::F32(self.matrix(&format!("{a}/rows"), Dtype::F32, f32::from_le_bytes)?),
            RowsKind::Sparse => {
                let (starts, _) = self.values(&format!("{a}/indptr"), Dtype::U64, 1, u64::from_le_bytes)?;
                let (indices, _) = self.values(&format!("{a}/indices"), Dtype::U32, 1, u32::from_le_bytes)?;
                let starts = starts.into_iter().map(|v| v as usize).collect();
                Rows::Sparse(Csr::new(starts, indices, self.floats(&format!("{a}/values"))?, n_features)?)
            }
        })
    }

    fn misfit(&self, dataset: &str) -> Error {
        self.damaged(format!("sizes of dataset \"{dataset}\" do not fit together"))
    }
    /// A vector of that length, where there is one.
    fn vector(&self, name: &str, length: usize) -> Result<Option<Vec<f64>>> {
        if self.file.tensor(name).is_err() {
            return Ok(None);
        }
        let values = self.floats(name)?;
        let fits = values.len() == length;
        fits.then_some(Some(values)).ok_or_else(|| self.damaged(format!("\"{name}\" has another length")))
    }
    fn preparation(&self, a: usize, prepare: Prepare, n_features: usize) -> Result<Preparation> {
        let vector = |what: &str| self.vector(&format!("{a}/{what}"), n_features);
        Ok(Preparation { prepare, factors: vector("factors")?, mean: vector("mean")? })
    }

    fn alignment(&self, header: Header) -> Result<Alignment> {
        let eigenvalues = self.floats("eigenvalues")?;
        let mut fitted = vec![];
        for (a, dataset) in header.datasets.into_iter().enumerate() {
            let embedding: Matrix<f64> = self.matrix(&format!("{a}/embedding"), Dtype::F64, f64::from_le_bytes)?;
            let n = embedding.nrows();
            let mapping = match dataset.mapping {
                MappingHeader::None => Mapping::None,
                MappingHeader::Neighbors { kernel, rows } => {
                    let rows = Arc::new(self.rows(a, rows, dataset.n_features)?);
                    let damping = self.floats(&format!("{a}/damping"))?;
                    if rows.nrows() != n
                        || rows.ncols() != dataset.n_features
                        || damping.len() != embedding.ncols()
                        || kernel.n_neighbors == 0
                    {
                        return Err(self.misfit(&dataset.name));
                    }
                    Mapping::Neighbors(NeighborExtension { rows, kernel, damping })
                }
                MappingHeader::Linear { prepare } => {
                    let weights: Matrix<f64> = self.matrix(&format!("{a}/map"), Dtype::F64, f64::from_le_bytes)?;
                    if weights.nrows() != dataset.n_features || weights.ncols() != embedding.ncols() {
                        return Err(self.misfit(&dataset.name));
                    }
                    let scale = self.vector(&format!("{a}/component_weights"), weights.ncols())?;
                    Mapping::Linear(LinearMap::new(self.preparation(a, prepare, dataset.n_features)?, weights, scale))
                }
                MappingHeader::Prepared { prepare } => {
                    if embedding.ncols() != dataset.n_features {
                        return Err(self.misfit(&dataset.name));
                    }
                    Mapping::Prepared(self.preparation(a, prepare, dataset.n_features)?)
                }
                MappingHeader::Similarity { rows } => {
                    let rows = self.rows(a, rows, dataset.n_features)?;
                    let mean = self.floats(&format!("{a}/mean"))?;
                    let fits = rows.ncols() == dataset.n_features && rows.nrows() == embedding.ncols();
                    if !fits || mean.len() != rows.nrows() {
                        return Err(self.misfit(&dataset.name));
                    }
                    Mapping::Similarity(Anchors { rows, mean })
                }
            };
            fitted.push(Fitted {
                row_ids: self.strings(&format!("{a}/row_ids"), n)?,
                labels: self.strings(&format!("{a}/labels"), n)?,
                columns: self.strings(&format!("{a}/columns"), dataset.n_features)?,
                recipe: self.json(&format!("{a}/recipe"))?,
                name: dataset.name,
                n_features: dataset.n_features,
                embedding,
                mapping,
            });
        }
        if fitted.len() < 2 || fitted.iter().any(|f| f.embedding.ncols() != fitted[0].embedding.ncols()) {
            return Err(self.damaged("its datasets do not share one space".into()));
        }
        let (ends, _) = self.values("pairs", Dtype::U64, 2, u64::from_le_bytes)?;
        let weights = self.floats("pair_weights")?;
        let (ends, _) = ends.as_chunks::<4>();
        if ends.len() != weights.len() {
            return Err(self.damaged("pairs and weights differ in number".into()));
        }
        let mut pairs = vec![];
        for (e, &weight) in ends.iter().zip(&weights) {
            let [a, i, b, j] = e.map(|v| v as usize);
            if a >= b || b >= fitted.len() || i >= fitted[a].nrows() || j >= fitted[b].nrows() {
                return Err(self.damaged("a pair names a row that is not there".into()));
            }
            pairs.push(Link { a, i, b, j, weight });
        }
        Ok(Alignment { method: header.method, params: header.params, fitted, eigenvalues, pairs, outcome: header.outcome })
    }
}
