//! Tables of an AnnData file (`obs`, `var`, a table in `obsm`): their names, and columns as text or as numbers.

use std::sync::Arc;

use arrow_array::{ArrayRef, BooleanArray, Float32Array, Float64Array, Int64Array, StringArray};
use arrow_buffer::NullBuffer;
use landbridge::linalg::Matrix;

use super::store::{Array, Numbers, Object, Store};
use crate::columnar::{Kept, positions};
use crate::error::{Error, Result};
use crate::options::Keep;
use crate::text::listed;

/// The names of a table's rows; None if there is no table.
pub(super) fn index(store: &Store, at: &str) -> Result<Option<Vec<String>>> {
    match store.object(at)? {
        None => Ok(None),
        Some(Object::Array(records)) => {
            // Before anndata 0.7 a table was an array of records; its first field or the one called "index" has the names.
            let fields = store.fields(&records);
            let name = fields.iter().find(|f| ["index", "_index"].contains(&f.as_str())).or(fields.first());
            match name {
                Some(name) => store.field(&records, name),
                None => Err(store.unsupported(format!("\"{at}\", which is neither a group nor a table,"))),
            }
        }
        Some(Object::Group(group)) => {
            let told = store.text_attribute(&group, at, "_index")?;
            let names = match told {
                Some(name) => vec![name],
                None => vec!["_index".into(), "index".into()],
            };
            for name in &names {
                if let Some(texts) = column_at(store, &format!("{at}/{name}"))? {
                    return Ok(Some(texts));
                }
            }
            Err(store.damaged(format!("\"{at}\" has no column \"{}\" with its names", names[0])))
        }
    }
}

/// A column as text, empty where it is missing.
pub(super) fn column(store: &Store, at: &str, name: &str) -> Result<Vec<String>> {
    let unknown = |known: Vec<String>| Error::UnknownColumn {
        path: store.path.clone(),
        column: format!("\"{name}\""),
        known: listed(&known),
    };
    let known = match store.object(at)? {
        Some(Object::Group(_)) => store.children(at)?,
        Some(Object::Array(records)) => {
            let codes = store.field(&records, name)?.ok_or_else(|| unknown(store.fields(&records)))?;
            // The names of its classes were kept elsewhere.
            let Some(Object::Array(names)) = store.object(&format!("uns/{name}_categories"))? else { return Ok(codes) };
            let names = plain(store, &names)?;
            let bad = |code: &str| {
                store.damaged(format!("class {code} in \"{at}/{name}\" is out of range: there are {} classes", names.len()))
            };
            let class = |code: &String| match code.parse::<i64>() {
                Ok(-1) => Ok(String::new()),
                Ok(k) => usize::try_from(k).ok().and_then(|k| names.get(k)).cloned().ok_or_else(|| bad(code)),
                Err(_) => Err(bad(code)),
            };
            return codes.iter().map(class).collect();
        }
        None => vec![],
    };
    let known: Vec<String> = known.into_iter().filter(|k| !["__categories", "_index"].contains(&k.as_str())).collect();
    if !known.iter().any(|k| k == name) {
        return Err(unknown(known));
    }
    // anndata 0.7: the codes in their place, the names of the classes in a group of their own.
    if let Some(Object::Array(names)) = store.object(&format!("{at}/__categories/{name}"))? {
        let codes = store.array(&format!("{at}/{name}"))?;
        return classes(store, &codes, &plain(store, &names)?, name);
    }
    column_at(store, &format!("{at}/{name}"))?.ok_or_else(|| unknown(known))
}

/// Columns that are carried along: numbers with their type, everything else as text. None where none is asked for.
pub(super) fn kept(store: &Store, at: &str, keep: &Keep, rows: usize) -> Result<Option<Kept>> {
    if keep.columns.is_empty() {
        return Ok(None);
    }
    let known = match store.object(at)? {
        Some(Object::Group(_)) => store.children(at)?,
        Some(Object::Array(records)) => store.fields(&records),
        None => vec![],
    };
    let known: Vec<String> = known.into_iter().filter(|k| !["__categories", "_index"].contains(&k.as_str())).collect();
    let mut columns = vec![];
    for place in positions(&store.path, keep, &known)? {
        let name = &known[place];
        let array = kept_column(store, at, name)?;
        if array.len() != rows {
            return Err(store.damaged(format!("\"{at}/{name}\" has {} values for {rows} rows", array.len())));
        }
        columns.push((name.clone(), array));
    }
    Ok(Kept::new(columns))
}

fn kept_column(store: &Store, at: &str, name: &str) -> Result<ArrayRef> {
    let path = format!("{at}/{name}");
    // Numbers as they are; codes of classes (anndata 0.7) are not numbers.
    let (values, missing) = match store.object(&path)? {
        Some(Object::Array(array)) if store.object(&format!("{at}/__categories/{name}"))?.is_none() => (Some(array), None),
        Some(Object::Group(_)) if store.children(&path)?.iter().any(|c| c == "mask") => {
            (Some(store.array(&format!("{path}/values"))?), Some(mask(store, &path)?))
        }
        _ => (None, None),
    };
    if let Some(values) = values.filter(|values| !store.is_texts(values)) {
        let nulls = missing.map(|missing| NullBuffer::from_iter(missing.into_iter().map(|missing| !missing)));
        match store.numbers(&values)? {
            Some(Numbers::Int(v)) => return Ok(Arc::new(Int64Array::new(v.into(), nulls))),
            Some(Numbers::F64(v)) => return Ok(Arc::new(Float64Array::new(v.into(), nulls))),
            Some(Numbers::F32(v)) => return Ok(Arc::new(Float32Array::new(v.into(), nulls))),
            Some(Numbers::Bool(v)) => return Ok(Arc::new(BooleanArray::new(v.into(), nulls))),
            None => {}
        }
    }
    let texts = column(store, at, name)?;
    Ok(Arc::new(texts.into_iter().map(|text| Some(text).filter(|text| !text.is_empty())).collect::<StringArray>()))
}

/// The text of a plain, categorical or nullable column; None if nothing is there.
fn column_at(store: &Store, at: &str) -> Result<Option<Vec<String>>> {
    let group = match store.object(at)? {
        None => return Ok(None),
        Some(Object::Array(array)) => return plain(store, &array).map(Some),
        Some(Object::Group(group)) => group,
    };
    let kind = store.text_attribute(&group, at, "encoding-type")?;
    let children = store.children(at)?;
    let has = |name: &str| children.iter().any(|c| c == name);
    if has("codes") && has("categories") {
        let Some(names) = column_at(store, &format!("{at}/categories"))? else { return Ok(None) };
        return classes(store, &store.array(&format!("{at}/codes"))?, &names, at).map(Some);
    }
    if has("values") && has("mask") {
        let mut texts = plain(store, &store.array(&format!("{at}/values"))?)?;
        for (text, missing) in texts.iter_mut().zip(mask(store, at)?) {
            if missing {
                text.clear();
            }
        }
        return Ok(Some(texts));
    }
    let kind = kind.map_or_else(|| "unknown".into(), |kind| format!("\"{kind}\""));
    Err(store.unsupported(format!("\"{at}\", whose encoding is {kind},")))
}

/// Which values of a nullable column are missing.
fn mask(store: &Store, at: &str) -> Result<Vec<bool>> {
    let (values, mask) = (store.array(&format!("{at}/values"))?, store.array(&format!("{at}/mask"))?);
    if values.shape != mask.shape {
        return Err(store.damaged(format!("\"{at}\" has {:?} values and a mask of {:?}", values.shape, mask.shape)));
    }
    match store.numbers(&mask)? {
        Some(Numbers::Bool(mask)) => Ok(mask),
        _ => Err(store.damaged(format!("\"{at}/mask\" holds no booleans"))),
    }
}

/// Names of classes by their codes; −1 is a missing value.
fn classes(store: &Store, codes: &Array, names: &[String], at: &str) -> Result<Vec<String>> {
    let codes: Vec<i64> = store.integers(codes, None)?;
    let class = |&code: &i64| match usize::try_from(code) {
        Ok(k) if k < names.len() => Ok(names[k].clone()),
        _ if code == -1 => Ok(String::new()),
        _ => Err(store.damaged(format!("class {code} in \"{at}\" is out of range: there are {} classes", names.len()))),
    };
    codes.iter().map(class).collect()
}

/// An array as text, as Python writes it.
fn plain(store: &Store, array: &Array) -> Result<Vec<String>> {
    if let Some(texts) = store.texts(array)? {
        return Ok(texts);
    }
    let float = |v: f64| if v.is_nan() { String::new() } else { format!("{v:?}") };
    Ok(match store.numbers(array)? {
        Some(Numbers::Int(v)) => v.iter().map(i64::to_string).collect(),
        Some(Numbers::Bool(v)) => v.iter().map(|&b| if b { "True" } else { "False" }.into()).collect(),
        Some(Numbers::F64(v)) => v.into_iter().map(float).collect(),
        Some(Numbers::F32(v)) => v.iter().map(|&v| if v.is_nan() { String::new() } else { format!("{v:?}") }).collect(),
        None => return Err(store.unsupported(format!("\"{}\", which holds neither text nor numbers,", array.at()))),
    })
}

/// A table of numbers: its columns in their order, and their names.
pub(super) fn matrix(store: &Store, at: &str, order: Vec<String>) -> Result<(Matrix<f64>, Vec<String>)> {
    let mut columns: Vec<Vec<f64>> = vec![];
    for name in &order {
        let path = format!("{at}/{name}");
        let values = match store.object(&path)? {
            None => return Err(store.damaged(format!("\"{at}\" has no column \"{name}\""))),
            Some(Object::Array(array)) => store.numbers(&array)?,
            Some(Object::Group(_)) if store.children(&path)?.iter().any(|c| c == "mask") => {
                if let Some(row) = mask(store, &path)?.iter().position(|&missing| missing) {
                    return Err(store.damaged(format!("the value in row {row} of \"{path}\" is missing")));
                }
                store.numbers(&store.array(&format!("{path}/values"))?)?
            }
            Some(Object::Group(_)) => None,
        };
        let Some(values) = values else {
            return Err(store.unsupported(format!("\"{path}\", which holds no numbers,")));
        };
        columns.push(values.into_f64());
    }
    let rows = columns.first().map_or(0, Vec::len);
    if let Some((name, column)) = order.iter().zip(&columns).find(|(_, c)| c.len() != rows) {
        return Err(store.damaged(format!("column \"{name}\" of \"{at}\" has {} of {rows} rows", column.len())));
    }
    Ok((Matrix::from_fn(rows, columns.len(), |i, j| columns[j][i]), order))
}
