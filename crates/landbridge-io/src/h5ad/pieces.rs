//! AnnData in pieces: rows of CSR, or of a dense array.

use std::ops::Range;
use std::path::Path;

use landbridge::data::Rows;
use landbridge::linalg::{Csr, Matrix};

use super::store::{Array, Numbers, Object, Store};
use super::{Compressed, check_length, compressed, frame, modality_root, nothing};
use crate::error::{Error, Result};
use crate::format::{Format, Loaded};
use crate::options::ReadOptions;
use crate::pieces::{Taker, piece_rows};
use crate::source::{Input, too_large};
use crate::text::listed;

/// The rows, as they are stored.
enum Stored {
    Dense(Box<Array>, usize),
    Sparse(Box<Compressed>),
}

/// Hands on as many rows at a time as have some eight million places or values.
pub(crate) fn h5ad_pieces(path: &Path, format: &'static dyn Format, options: &ReadOptions, taker: &mut Taker<'_>) -> Result<()> {
    // What is read at a time is compared with the limit below; the whole may be larger.
    let store = Store::open(Input::open(path, options.max_memory)?, format.name(), u64::MAX)?;
    let root = if format.name() == "h5mu" { modality_root(&store, options)? } else { String::new() };
    let (stored, of_genes) = stored(&store, &root, options)?;
    let (nrows, ncols, step) = match &stored {
        Stored::Dense(array, p) => (array.shape[0], *p, piece_rows(*p)),
        Stored::Sparse(c) => (c.shape.0, c.shape.1, piece_rows(2 * c.data.shape[0] / c.shape.0)),
    };
    if nrows == 0 || ncols == 0 {
        return Err(Error::NoData { path: path.into(), rows: nrows, columns: ncols });
    }
    let columns = if of_genes { frame::index(&store, &format!("{root}var"))? } else { None };
    check_length(&store, &format!("{root}var"), columns.as_deref(), ncols, "columns")?;
    let names = Names::open(&store, &root, nrows)?;
    let column = |name: &Option<String>| -> Result<Option<Vec<String>>> {
        let found = name.as_ref().map(|name| frame::column(&store, &format!("{root}obs"), name)).transpose()?;
        check_length(&store, &format!("{root}obs"), found.as_deref(), nrows, "rows")?;
        Ok(found)
    };
    let (labels, batches) = (column(&options.label_column)?, column(&options.batch_column)?);
    let kept = frame::kept(&store, &format!("{root}obs"), &options.keep, nrows)?;
    for start in (0..nrows).step_by(step) {
        let piece = start..(start + step).min(nrows);
        if !taker.wants() {
            taker.skip(piece.len());
            continue;
        }
        let rows = match &stored {
            Stored::Dense(array, p) => dense(&store, array, *p, piece.clone(), options.max_memory),
            Stored::Sparse(c) => sparse(&store, c, piece.clone(), options.max_memory).map(Rows::Sparse),
        };
        let loaded = rows.and_then(|rows| {
            let row_ids = names.of(&store, piece.clone())?;
            let part = |names: &Option<Vec<String>>| names.as_ref().map(|l| l[piece.clone()].to_vec());
            let (labels, batches) = (part(&labels), part(&batches));
            let kept = kept.as_ref().map(|kept| kept.rows(&piece.clone().collect::<Vec<_>>())).transpose()?;
            Ok(Loaded { row_ids, columns: columns.clone(), labels, batches, kept, ..Loaded::new(rows) })
        });
        if !taker.give(piece.len(), loaded) {
            return Ok(());
        }
    }
    Ok(())
}

/// What is to be read, and whether its columns are the genes.
fn stored(store: &Store, root: &str, options: &ReadOptions) -> Result<(Stored, bool)> {
    let choice = |problem: String, known: String| Error::ArrayChoice { path: store.path.clone(), problem, known };
    let (folder, kind, name) = match (&options.use_rep, &options.layer) {
        (Some(_), Some(_)) => {
            return Err(choice("a layer and a representation were both chosen".into(), "one of them at a time".into()));
        }
        // X itself may be called by its name.
        (Some(name), None) if name != "X" => ("obsm", "representation", Some(name)),
        (None, Some(name)) if name != "X" => ("layers", "layer", Some(name)),
        _ => ("", "", None),
    };
    let at = name.map_or_else(|| format!("{root}X"), |name| format!("{root}{folder}/{name}"));
    let found = match store.object(&at)? {
        Some(found) => found,
        None if name.is_none() => return Err(nothing(store, root)?),
        None => {
            let known = store.children(&format!("{root}{folder}"))?;
            let known = if known.is_empty() { "none at all".into() } else { listed(&known) };
            return Err(choice(format!("there is no {kind} \"{}\"", name.map_or("", |n| n)), known));
        }
    };
    let stored = match found {
        Object::Array(array) => match array.shape[..] {
            [_] => Stored::Dense(Box::new(array), 1),
            [_, p] => Stored::Dense(Box::new(array), p),
            _ => return Err(store.unsupported(format!("\"{at}\", an array of {} dimensions,", array.shape.len()))),
        },
        Object::Group(group) => {
            if store.text_attribute(&group, &at, "encoding-type")?.as_deref() == Some("dataframe") {
                return Err(no(store, &format!("\"{at}\" is a table, which is stored column by column")));
            }
            let found = compressed(store, &at, &group)?;
            if !found.by_rows {
                return Err(no(store, &format!("\"{at}\" is stored by columns (CSC); write it as CSR")));
            }
            Stored::Sparse(Box::new(found))
        }
    };
    Ok((stored, folder != "obsm"))
}

fn no(store: &Store, why: &str) -> Error {
    Error::NotInPieces { path: store.path.clone(), why: why.into() }
}

fn dense(store: &Store, array: &Array, p: usize, piece: Range<usize>, limit: u64) -> Result<Rows> {
    let bytes = 8 * (piece.len() as u128) * (p as u128);
    if bytes > u128::from(limit) {
        return Err(too_large(&store.path, "a piece of the array", bytes, limit));
    }
    let n = piece.len();
    Ok(match store.numbers_of(array, Some(piece))? {
        Some(Numbers::F32(v)) => Rows::F32(Matrix::from_vec(v, n, p)?),
        Some(numbers) => Rows::F64(Matrix::from_vec(numbers.into_f64(), n, p)?),
        None => return Err(store.unsupported(format!("\"{}\", which holds no numbers,", array.at()))),
    })
}

fn sparse(store: &Store, c: &Compressed, piece: Range<usize>, limit: u64) -> Result<Csr> {
    let starts: Vec<usize> = store.integers(&c.indptr, Some(piece.start..piece.end + 1))?;
    let (Some(&first), Some(&last)) = (starts.first(), starts.last()) else {
        return Err(store.damaged(format!("\"{}\" has no row starts", c.at)));
    };
    let wrong_ends = (piece.start == 0 && first != 0) || (piece.end == c.shape.0 && last != c.data.shape[0]);
    if !starts.is_sorted() || last > c.data.shape[0] || wrong_ends {
        return Err(store.damaged(format!("\"{}\" has row starts that do not ascend to {}", c.at, c.data.shape[0])));
    }
    let bytes = 16 * (last - first) as u64;
    if bytes > limit {
        return Err(too_large(&store.path, "a piece of the matrix", bytes.into(), limit));
    }
    let Some(values) = store.floats(&c.data, Some(first..last))? else {
        return Err(store.unsupported(format!("\"{}/data\", which holds no numbers,", c.at)));
    };
    let inner: Vec<u32> = store.integers(&c.indices, Some(first..last))?;
    let starts = starts.iter().map(|s| s - first).collect();
    Csr::new(starts, inner, values, c.shape.1).map_err(|e| store.damaged(format!("\"{}\": {e}", c.at)))
}

/// Names of the cells: read with their rows where they are an array of texts, otherwise at once.
enum Names {
    Array(Box<Array>),
    All(Option<Vec<String>>),
}

impl Names {
    fn open(store: &Store, root: &str, nrows: usize) -> Result<Self> {
        let at = format!("{root}obs");
        if let Some(Object::Group(group)) = store.object(&at)? {
            let name = store.text_attribute(&group, &at, "_index")?.unwrap_or_else(|| "_index".into());
            if let Some(Object::Array(array)) = store.object(&format!("{at}/{name}"))?
                && store.is_texts(&array)
            {
                if array.shape[0] != nrows {
                    return Err(store.damaged(format!("\"{at}\" has {} names for {nrows} rows", array.shape[0])));
                }
                return Ok(Names::Array(Box::new(array)));
            }
        }
        let all = frame::index(store, &at)?;
        check_length(store, &at, all.as_deref(), nrows, "rows")?;
        Ok(Names::All(all))
    }
    fn of(&self, store: &Store, piece: Range<usize>) -> Result<Option<Vec<String>>> {
        Ok(match self {
            Names::Array(array) => Some(store.texts_of(array, piece)?),
            Names::All(all) => all.as_ref().map(|names| names[piece].to_vec()),
        })
    }
}
