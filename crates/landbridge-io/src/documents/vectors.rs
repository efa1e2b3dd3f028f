//! Vectors in JSON lines, as vector stores export them: `[0.1, 0.2]`, or an object with one field of numbers.

use std::path::Path;

use landbridge::linalg::Matrix;
use serde_json::{Map, Value};

use super::{id_field, keep_fields, kept_fields, object, word};
use crate::columnar::Kept;
use crate::error::{Error, Result};
use crate::format::Loaded;
use crate::options::{IdColumn, ReadOptions};
use crate::text::{PIECE, excerpt, lines, listed, parse_pieces};

/// Which fields of the lines are what, and how long a vector is. No field: the line itself is the vector.
pub(super) struct Vectors {
    field: Option<String>,
    id: Option<String>,
    label: Option<String>,
    /// Fields that are carried along.
    keep: Vec<String>,
    width: usize,
}

#[derive(Default)]
struct Part {
    values: Vec<f64>,
    ids: Vec<String>,
    labels: Vec<String>,
    kept: Vec<Vec<Option<String>>>,
}

impl Vectors {
    /// What the first line shows. `None` if it shows text, or if options ask for words.
    pub(super) fn found(path: &Path, line: u64, first: &[u8], options: &ReadOptions) -> Result<Option<Self>> {
        if options.recipe.is_some() || options.text.given().any(|name| name != "text_field") {
            return Ok(None);
        }
        if first.trim_ascii().starts_with(b"[") {
            let named = match &options.id_column {
                Some(IdColumn::Name(name)) => Some(name.clone()),
                Some(IdColumn::Position(at)) => Some(at.to_string()),
                _ => None,
            };
            if let Some(column) =
                named.or(options.label_column.clone()).or(options.text.field.clone()).or(options.keep.columns.first().cloned())
            {
                let known = "no names: each line is a list".into();
                return Err(Error::UnknownColumn { path: path.into(), column: format!("\"{column}\""), known });
            }
            let width = numbers(path, line, first)?.len();
            return Ok(Some(Self { field: None, id: None, label: None, keep: vec![], width }));
        }
        let first = object(path, line, first)?;
        let Some(field) = the_vector(path, &first, options)? else { return Ok(None) };
        let (id, label) = (id_field(path, &first, options)?, options.label_column.clone());
        let width = first.get(&field).and_then(Value::as_array).map_or(0, Vec::len);
        let keep = kept_fields(path, &first, options)?;
        Ok(Some(Self { field: Some(field), id, label, keep, width }))
    }

    pub(super) fn read(&self, path: &Path, text: &[u8]) -> Result<Loaded> {
        let mut all = Part { kept: vec![vec![]; self.keep.len()], ..Part::default() };
        for part in parse_pieces(text, PIECE, 1, |piece, line| self.part(path, piece, line)) {
            let part = part?;
            all.values.extend(part.values);
            all.ids.extend(part.ids);
            all.labels.extend(part.labels);
            all.kept.iter_mut().zip(part.kept).for_each(|(all, part)| all.extend(part));
        }
        let rows = all.values.len() / self.width.max(1);
        if rows == 0 {
            return Err(Error::NoData { path: path.into(), rows, columns: self.width });
        }
        let rows = Matrix::from_vec(all.values, rows, self.width)?;
        let (row_ids, labels) = (self.id.is_some().then_some(all.ids), self.label.is_some().then_some(all.labels));
        let kept = Kept::of_texts(&self.keep, all.kept);
        Ok(Loaded { row_ids, labels, kept, ..Loaded::new(rows.into()) })
    }

    fn part(&self, path: &Path, piece: &[u8], first_line: u64) -> Result<Part> {
        let mut found = Part { kept: vec![vec![]; self.keep.len()], ..Part::default() };
        for (line, bytes) in lines(piece, first_line) {
            if bytes.trim_ascii().is_empty() {
                continue;
            }
            let before = found.values.len();
            match &self.field {
                None => found.values.extend(numbers(path, line, bytes)?),
                Some(field) => {
                    let object = object(path, line, bytes)?;
                    for (name, to) in [(&self.id, &mut found.ids), (&self.label, &mut found.labels)] {
                        if let Some(name) = name {
                            to.push(word(path, line, &object, name)?.into_owned());
                        }
                    }
                    keep_fields(&object, &self.keep, &mut found.kept);
                    let Some(Value::Array(vector)) = object.get(field) else {
                        return Err(bad(path, line, format!("there is no list of numbers in the field \"{field}\"")));
                    };
                    for value in vector {
                        let number = value.as_f64().ok_or_else(|| {
                            let value = excerpt(value.to_string().as_bytes());
                            bad(path, line, format!("the field \"{field}\" holds {value}, which is not a number"))
                        })?;
                        found.values.push(number);
                    }
                }
            }
            let got = found.values.len() - before;
            if got != self.width {
                return Err(Error::Ragged { path: path.into(), line, expected: self.width, got });
            }
        }
        Ok(found)
    }
}

fn bad(path: &Path, line: u64, problem: String) -> Error {
    Error::BadLine { path: path.into(), line, problem }
}

fn numbers(path: &Path, line: u64, bytes: &[u8]) -> Result<Vec<f64>> {
    serde_json::from_slice(bytes)
        .map_err(|_| bad(path, line, format!("\"{}\" is not a list of numbers", excerpt(bytes.trim_ascii()))))
}

/// The field with the vector: the one that is told, if it holds a list; else, where there is no text, the only list of numbers.
fn the_vector(path: &Path, first: &Map<String, Value>, options: &ReadOptions) -> Result<Option<String>> {
    let is_vector = |value: &Value| value.as_array().is_some_and(|v| !v.is_empty() && v.iter().all(Value::is_number));
    if let Some(told) = &options.text.field {
        return Ok(first.get(told).filter(|v| v.is_array()).map(|_| told.clone()));
    }
    if first.contains_key(super::options::FIELD) && !first.values().any(is_vector) {
        return Ok(None);
    }
    let kept = |name: &String| options.keep.columns.contains(name);
    let vectors: Vec<&String> = first.iter().filter(|(name, v)| is_vector(v) && !kept(name)).map(|(name, _)| name).collect();
    match vectors[..] {
        [] => Ok(None),
        [one] => Ok(Some(one.clone())),
        _ => Err(Error::UnknownColumn {
            path: path.into(),
            column: "of the vectors".into(),
            known: format!("several lists of numbers: {}; --text-field (Python: text_field) names one", listed(&vectors)),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::super::Jsonl;
    use super::*;
    use crate::documents::TextOptions;
    use crate::format::Format;
    use crate::source::Input;
    use landbridge::data::Rows;

    fn read(text: &str, options: &ReadOptions) -> Result<Loaded> {
        Jsonl.read(Input::from_bytes(Path::new("a.jsonl"), text.into(), 1 << 24)?, options)
    }
    fn values(loaded: &Loaded) -> Vec<f64> {
        let Rows::F64(m) = &loaded.rows else { panic!("vectors are dense") };
        m.as_slice().to_vec()
    }

    #[test]
    fn lists_and_fields_of_numbers_are_vectors() {
        let plain = ReadOptions::default();
        assert_eq!(values(&read("[1, 2.5]\n\n[-3e2, 4]\n", &plain).unwrap()), [1.0, 2.5, -300.0, 4.0]);
        let text = "{\"id\": \"a\", \"text\": \"cat\", \"vector\": [1, 2]}\n{\"id\": 7, \"vector\": [3, 4]}";
        let found = read(text, &plain).unwrap();
        assert_eq!((values(&found), found.row_ids.unwrap()), (vec![1.0, 2.0, 3.0, 4.0], vec!["a".to_string(), "7".into()]));
        let told = ReadOptions { text: TextOptions { field: Some("v".into()), ..Default::default() }, ..Default::default() };
        assert_eq!(values(&read("{\"u\": [5], \"v\": [1, 2]}", &told).unwrap()), [1.0, 2.0]);
    }

    #[test]
    fn what_is_not_a_vector_is_said_with_its_line() {
        let message = |text: &str| read(text, &ReadOptions::default()).unwrap_err().to_string();
        assert_eq!(
            message("[1, 2]\n[1, \"x\"]"),
            "a.jsonl line 2: \"[1, \\\"x\\\"]\" is not a list of numbers".replace("\\\"", "\"")
        );
        assert!(message("[1, 2]\n[1, 2, 3]").contains("line 2") && message("[1, 2]\n[1, 2, 3]").contains('3'));
        assert!(message("{\"v\": [1]}\n{\"v\": [null]}").ends_with("the field \"v\" holds null, which is not a number"));
        assert!(message("{\"v\": [1]}\n{\"w\": [1]}").contains("line 2: there is no list of numbers in the field \"v\""));
        assert!(message("{\"v\": [1], \"w\": [2]}").contains("\"v\", \"w\""));
    }
}
