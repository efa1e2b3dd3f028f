//! AnnData and MuData files (`.h5ad`, `.h5mu`): cells × genes, with the names of both.

mod direct;
mod frame;
mod pieces;
mod store;

pub(crate) use pieces::h5ad_pieces;

use std::path::Path;

use hdf5_pure::Group;
use landbridge::data::Rows;
use landbridge::linalg::{Csr, Matrix};

use self::store::{Array, Numbers, Object, Store};
use crate::error::{Error, Result};
use crate::format::{Format, Loaded};
use crate::options::ReadOptions;
use crate::source::Input;
use crate::sparse;
use crate::text::listed;

/// The `.h5ad` format, read only. `X` (dense, CSR or CSC), or the layer or the representation of `obsm` that
/// [`ReadOptions::layer`] or [`ReadOptions::use_rep`] name. Names of cells are row ids, names of genes are column names,
/// a column of `obs` may be the labels (empty where missing).
///
/// HDF5 stores no checksum of its numbers, so a damaged number cannot be detected. A file that contradicts itself is
/// refused: shapes, row starts, column numbers, classes, missing pieces, a file that is cut off.
pub struct H5ad;

/// The `.h5mu` format, read only: one modality, chosen by [`ReadOptions::modality`], read as [`H5ad`] is.
pub struct H5mu;

impl Format for H5ad {
    fn name(&self) -> &'static str {
        "h5ad"
    }
    fn extensions(&self) -> &'static [&'static str] {
        &["h5ad"]
    }
    fn read(&self, input: Input, options: &ReadOptions) -> Result<Loaded> {
        let store = Store::open(input, self.name(), options.max_memory)?;
        read(&store, "", options)
    }
    fn ids_may_repeat(&self) -> bool {
        true
    }
    fn understands(&self, option: &str) -> bool {
        ["label_column", "batch_column", "layer", "use_rep", "keep"].contains(&option)
    }
}

impl Format for H5mu {
    fn name(&self) -> &'static str {
        "h5mu"
    }
    fn extensions(&self) -> &'static [&'static str] {
        &["h5mu"]
    }
    fn read(&self, input: Input, options: &ReadOptions) -> Result<Loaded> {
        let store = Store::open(input, self.name(), options.max_memory)?;
        read(&store, &modality_root(&store, options)?, options)
    }
    fn ids_may_repeat(&self) -> bool {
        true
    }
    fn understands(&self, option: &str) -> bool {
        ["label_column", "batch_column", "layer", "use_rep", "modality", "keep"].contains(&option)
    }
}

/// The modalities of a MuData file, in its order.
pub fn modalities(path: impl AsRef<Path>, options: &ReadOptions) -> Result<Vec<String>> {
    let input = Input::open(path.as_ref(), options.max_memory)?;
    in_order(&Store::open(input, "h5mu", options.max_memory)?)
}

fn in_order(store: &Store) -> Result<Vec<String>> {
    let found = store.children("mod")?;
    let Some(group) = store.group("mod")?.filter(|_| !found.is_empty()) else {
        let problem = "it has no modality".into();
        return Err(Error::WrongFormat { path: store.path.clone(), format: "h5mu", problem });
    };
    match store.texts_attribute(&group, "mod", "mod-order")? {
        Some(order) if order.len() == found.len() && found.iter().all(|f| order.contains(f)) => Ok(order),
        _ => Ok(found),
    }
}

/// Where the chosen modality is.
fn modality_root(store: &Store, options: &ReadOptions) -> Result<String> {
    let known = in_order(store)?;
    let choice = |problem: String| Error::ArrayChoice { path: store.path.clone(), problem, known: listed(&known) };
    let modality = match (&options.modality, &known[..]) {
        (Some(name), _) if known.contains(name) => name,
        (Some(name), _) => return Err(choice(format!("there is no modality \"{name}\""))),
        (None, [only]) => only,
        (None, _) => return Err(choice("no modality was chosen".into())),
    };
    Ok(format!("mod/{modality}/"))
}

/// Reads one AnnData; `root` is empty or ends with a slash.
fn read(store: &Store, root: &str, options: &ReadOptions) -> Result<Loaded> {
    let (rows, columns) = match (&options.use_rep, &options.layer) {
        (Some(_), Some(_)) => {
            let problem = "a layer and a representation were both chosen".into();
            return Err(Error::ArrayChoice { path: store.path.clone(), problem, known: "one of them at a time".into() });
        }
        // X itself may be called by its name.
        (Some(name), None) if name != "X" => chosen(store, root, "obsm", "representation", name)?,
        (None, Some(name)) if name != "X" => chosen(store, root, "layers", "layer", name)?,
        _ => match store.object(&format!("{root}X"))? {
            Some(found) => (rows(store, &format!("{root}X"), found)?, None),
            None => return Err(nothing(store, root)?),
        },
    };
    let mut loaded = Loaded::new(rows);
    loaded.row_ids = frame::index(store, &format!("{root}obs"))?;
    check_length(store, &format!("{root}obs"), loaded.row_ids.as_deref(), loaded.rows.nrows(), "rows")?;
    loaded.columns = columns;
    if options.use_rep.as_deref().is_none_or(|name| name == "X") {
        loaded.columns = frame::index(store, &format!("{root}var"))?;
        check_length(store, &format!("{root}var"), loaded.columns.as_deref(), loaded.rows.ncols(), "columns")?;
    }
    for (name, to) in [(&options.label_column, &mut loaded.labels), (&options.batch_column, &mut loaded.batches)] {
        if let Some(name) = name {
            let found = frame::column(store, &format!("{root}obs"), name)?;
            check_length(store, &format!("{root}obs/{name}"), Some(&found), loaded.rows.nrows(), "rows")?;
            *to = Some(found);
        }
    }
    loaded.kept = frame::kept(store, &format!("{root}obs"), &options.keep, loaded.rows.nrows())?;
    Ok(loaded)
}

/// The error where there is no X.
fn nothing(store: &Store, root: &str) -> Result<Error> {
    let path = store.path.clone();
    let mut known: Vec<String> = store.children(&format!("{root}layers"))?.iter().map(|n| format!("layer \"{n}\"")).collect();
    known.extend(store.children(&format!("{root}obsm"))?.iter().map(|n| format!("representation \"{n}\"")));
    if known.is_empty() {
        return Ok(Error::WrongFormat { path, format: "h5ad", problem: "it has no X".into() });
    }
    Ok(Error::ArrayChoice { path, problem: "there is no X".into(), known: known.join(", ") })
}

fn check_length(store: &Store, at: &str, names: Option<&[String]>, expected: usize, what: &str) -> Result<()> {
    match names {
        Some(names) if names.len() != expected => {
            Err(store.damaged(format!("\"{at}\" has {} names for {expected} {what}", names.len())))
        }
        _ => Ok(()),
    }
}

/// A layer, or a representation with the names of its columns where it is a table.
fn chosen(store: &Store, root: &str, folder: &str, kind: &str, name: &str) -> Result<(Rows, Option<Vec<String>>)> {
    let folder = format!("{root}{folder}");
    let known = store.children(&folder)?;
    let found = if known.iter().any(|k| k == name) { store.object(&format!("{folder}/{name}"))? } else { None };
    let at = format!("{folder}/{name}");
    match found {
        None => {
            let known = if known.is_empty() { "none at all".into() } else { listed(&known) };
            Err(Error::ArrayChoice { path: store.path.clone(), problem: format!("there is no {kind} \"{name}\""), known })
        }
        Some(Object::Group(group)) if store.text_attribute(&group, &at, "encoding-type")?.as_deref() == Some("dataframe") => {
            let order = store.texts_attribute(&group, &at, "column-order")?.unwrap_or_default();
            let (matrix, names) = frame::matrix(store, &at, order)?;
            Ok((matrix.into(), Some(names)))
        }
        Some(found) => Ok((rows(store, &at, found)?, None)),
    }
}

/// Dense or sparse rows.
fn rows(store: &Store, at: &str, found: Object) -> Result<Rows> {
    match found {
        Object::Array(array) => dense(store, at, &array),
        Object::Group(group) => sparse_rows(store, at, &group).map(Rows::Sparse),
    }
}

fn dense(store: &Store, at: &str, array: &Array) -> Result<Rows> {
    let (nrows, ncols) = match array.shape[..] {
        [n] => (n, 1),
        [n, p] => (n, p),
        _ => return Err(store.unsupported(format!("\"{at}\", an array of {} dimensions,", array.shape.len()))),
    };
    if nrows == 0 || ncols == 0 {
        return Err(Error::NoData { path: store.path.clone(), rows: nrows, columns: ncols });
    }
    Ok(match store.numbers(array)? {
        Some(Numbers::F32(v)) => Rows::F32(Matrix::from_vec(v, nrows, ncols)?),
        Some(numbers) => Rows::F64(Matrix::from_vec(numbers.into_f64(), nrows, ncols)?),
        None => return Err(store.unsupported(format!("\"{at}\", which holds no numbers,"))),
    })
}

/// A sparse matrix as it is stored: by rows, or by columns.
struct Compressed {
    at: String,
    by_rows: bool,
    shape: (usize, usize),
    data: Array,
    indices: Array,
    indptr: Array,
}

fn sparse_rows(store: &Store, at: &str, group: &Group) -> Result<Csr> {
    let Compressed { by_rows, shape, data, indices, indptr, .. } = compressed(store, at, group)?;
    let Some(values) = store.floats(&data, None)? else {
        return Err(store.unsupported(format!("\"{at}/data\", which holds no numbers,")));
    };
    let (starts, inner): (Vec<usize>, Vec<u32>) = (store.integers(&indptr, None)?, store.integers(&indices, None)?);
    let width = if by_rows { shape.1 } else { shape.0 };
    // Checks row starts and column numbers.
    let compressed = Csr::new(starts, inner, values, width).map_err(|e| store.damaged(format!("\"{at}\": {e}")))?;
    Ok(if by_rows { compressed } else { compressed.transpose() })
}

/// `data`, `indices` and `indptr`, with format and shape as attributes (`h5sparse_…` before anndata 0.7).
fn compressed(store: &Store, at: &str, group: &Group) -> Result<Compressed> {
    let attribute = |name| store.text_attribute(group, at, name);
    let format = match attribute("encoding-type")? {
        Some(kind) => kind,
        None => attribute("h5sparse_format")?.map_or_else(|| "unknown".into(), |kind| format!("{kind}_matrix")),
    };
    if format != "csr_matrix" && format != "csc_matrix" {
        return Err(store.unsupported(format!("\"{at}\", whose encoding is \"{format}\",")));
    }
    let shape = match store.numbers_attribute(group, at, "shape")? {
        Some(shape) => Some(shape),
        None => store.numbers_attribute(group, at, "h5sparse_shape")?,
    };
    let Some([nrows, ncols]) = shape.as_deref().and_then(|s| <[u64; 2]>::try_from(s).ok()) else {
        return Err(store.damaged(format!("\"{at}\" has the shape {shape:?}")));
    };
    let [data, indices, indptr] = ["data", "indices", "indptr"].map(|name| store.array(&format!("{at}/{name}")));
    let (data, indices, indptr) = (data?, indices?, indptr?);
    let by_rows = format == "csr_matrix";
    let outer = if by_rows { nrows } else { ncols };
    let one = |array: &Array| if let [n] = array.shape[..] { Some(n as u64) } else { None };
    if one(&data).is_none() || one(&data) != one(&indices) || one(&indptr) != outer.checked_add(1) {
        let shapes = format!("data {:?}, indices {:?} and indptr {:?}", data.shape, indices.shape, indptr.shape);
        return Err(store.damaged(format!("\"{at}\" of shape {nrows} x {ncols} has {shapes}")));
    }
    let shape = sparse::check_shape(&store.path, nrows, ncols, data.shape[0])?;
    Ok(Compressed { at: at.into(), by_rows, shape, data, indices, indptr })
}
