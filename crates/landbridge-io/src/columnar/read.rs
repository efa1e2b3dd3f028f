//! Batches of columns to rows of numbers.

use std::path::{Path, PathBuf};

use arrow_array::cast::AsArray;
use arrow_array::types::*;
use arrow_array::{Array, ArrayRef, ArrowPrimitiveType, RecordBatch};
use arrow_schema::{DataType, Schema};
use landbridge::linalg::{Matrix, Scalar};

use super::damaged;
use super::kept::{Kept, positions};
use crate::error::{Error, Result};
use crate::format::Loaded;
use crate::layout::{chosen_columns, names_ids, without_named};
use crate::options::{IdColumn, Missing, ReadOptions};
use crate::source::too_large;
use crate::text::listed;

/// The column that pandas writes for a named or unordered index.
const PANDAS_INDEX: &str = "__index_level_0__";

/// Which column is what, and the rows so far.
pub(super) struct Collector {
    path: PathBuf,
    names: Vec<String>,
    id: Option<usize>,
    label: Option<usize>,
    batch: Option<usize>,
    features: Vec<Feature>,
    /// Columns that are carried along, and their batches so far.
    keep: Vec<usize>,
    kept: Vec<Vec<ArrayRef>>,
    /// Every feature is single precision or less.
    single: bool,
    keeps_missing: bool,
    limit: u64,
    nrows: usize,
    values: Values,
    ids: Vec<String>,
    labels: Vec<String>,
    batches: Vec<String>,
}

enum Values {
    F64(Vec<f64>),
    F32(Vec<f32>),
}

struct Feature {
    column: usize,
    /// Values of a row: 1, or the length of a list once it is known.
    width: Option<usize>,
    is_list: bool,
}

/// The column that pandas had as the index, if it was one column.
fn pandas_index(schema: &Schema) -> Option<String> {
    let about: serde_json::Value = serde_json::from_str(schema.metadata().get("pandas")?).ok()?;
    match about.get("index_columns")?.as_array()?.as_slice() {
        [serde_json::Value::String(name)] => Some(name.clone()),
        _ => None,
    }
}

impl Collector {
    pub(super) fn new(path: &Path, schema: &Schema, options: &ReadOptions) -> Result<Self> {
        let names: Vec<String> = schema.fields().iter().map(|f| f.name().clone()).collect();
        let kinds: Vec<&DataType> = schema.fields().iter().map(|f| f.data_type()).collect();
        if names.is_empty() {
            return Err(Error::NoData { path: path.into(), rows: 0, columns: 0 });
        }
        let position = |name: &str| {
            let unknown = || Error::UnknownColumn { path: path.into(), column: format!("\"{name}\""), known: listed(&names) };
            names.iter().position(|n| n == name).ok_or_else(unknown)
        };
        let label = options.label_column.as_deref().map(position).transpose()?;
        let batch = options.batch_column.as_deref().map(position).transpose()?;
        let taken = |at: usize| [label, batch].contains(&Some(at));
        let chosen = match &options.columns {
            Some(columns) => Some(chosen_columns(path, columns, names.len(), position)?),
            None => None,
        };
        let keep = positions(path, &options.keep, &names)?;
        // What is kept is not data, unless it is told to be.
        let only_kept = |column: usize| keep.contains(&column) && !options.keep.data.contains(&names[column]);
        let wanted = |column: usize| chosen.as_ref().map_or_else(|| !only_kept(column), |c| c[column]);
        let id = match &options.id_column {
            Some(IdColumn::Absent) => None,
            Some(IdColumn::Name(name)) => Some(position(name)?),
            Some(IdColumn::Position(at)) if *at < names.len() => Some(*at),
            Some(IdColumn::Position(at)) => {
                let known = format!("{}, counted from 0", names.len());
                return Err(Error::UnknownColumn { path: path.into(), column: at.to_string(), known });
            }
            None => {
                let others = names.len() >= 2 + usize::from(label.is_some()) + usize::from(batch.is_some());
                let text = is_text(kinds[0]) && !keep.contains(&0);
                let first = others && !taken(0) && (names_ids(names[0].as_bytes()) || text);
                // pandas writes its index last, whatever it is called.
                let index = pandas_index(schema).and_then(|index| names.iter().position(|n| *n == index));
                let index = index.or_else(|| names.iter().position(|n| n == PANDAS_INDEX));
                let called = (0..names.len()).find(|&k| is_text(kinds[k]) && names_ids(names[k].as_bytes()));
                let found = index.or(first.then_some(0)).or(called);
                found.filter(|at| others && !taken(*at) && !(chosen.is_some() && wanted(*at)))
            }
        };
        let wanted: Vec<bool> = (0..names.len()).map(wanted).collect();
        let data = without_named(path, wanted, [id, label, batch], chosen.is_some(), |k| format!("\"{}\"", names[k]))?;
        let mut features = vec![];
        for column in (0..names.len()).filter(|c| data[*c]) {
            let (width, is_list, value) = match kinds[column] {
                DataType::FixedSizeList(item, size) => (usize::try_from(*size).ok(), true, item.data_type()),
                DataType::List(item) | DataType::LargeList(item) => (None, true, item.data_type()),
                plain => (Some(1), false, plain),
            };
            if !is_number(value) {
                let column = format!("\"{}\"", names[column]);
                return Err(Error::ColumnKind { path: path.into(), column, found: kind_name(value) });
            }
            features.push(Feature { column, width, is_list });
        }
        let leaf = |f: &Feature| match kinds[f.column] {
            DataType::FixedSizeList(item, _) | DataType::List(item) | DataType::LargeList(item) => item.data_type().clone(),
            plain => plain.clone(),
        };
        let single = features.iter().all(|f| matches!(leaf(f), DataType::Float32 | DataType::Float16));
        Ok(Self {
            path: path.into(),
            names,
            id,
            label,
            batch,
            features,
            kept: vec![vec![]; keep.len()],
            keep,
            single,
            keeps_missing: options.missing != Missing::Error,
            limit: options.max_memory,
            nrows: 0,
            values: if single { Values::F32(vec![]) } else { Values::F64(vec![]) },
            ids: vec![],
            labels: vec![],
            batches: vec![],
        })
    }

    /// Refuses a declared number of rows that would take more memory than allowed.
    pub(super) fn check_rows(&self, rows: u128) -> Result<()> {
        let least: u128 = self.features.iter().map(|f| f.width.unwrap_or(1) as u128).sum();
        let bytes = rows.saturating_mul(least.max(1)).saturating_mul(if self.single { 4 } else { 8 });
        if bytes > u128::from(self.limit) {
            return Err(too_large(&self.path, "the matrix", bytes, self.limit));
        }
        Ok(())
    }

    pub(super) fn push(&mut self, batch: &RecordBatch) -> Result<()> {
        let rows = batch.num_rows();
        if rows == 0 {
            return Ok(());
        }
        if batch.num_columns() != self.names.len() {
            return Err(damaged(&self.path, &"a batch has other columns than the schema"));
        }
        for at in 0..self.features.len() {
            if self.features[at].width.is_none() {
                self.features[at].width = Some(self.list_width(batch.column(self.features[at].column), at)?);
            }
        }
        self.check_rows(self.nrows as u128 + rows as u128)?;
        let p: usize = self.features.iter().filter_map(|f| f.width).sum();
        match &mut self.values {
            Values::F64(_) => {
                let block = self.block::<f64>(batch, p)?;
                if let Values::F64(values) = &mut self.values {
                    values.extend(block);
                }
            }
            Values::F32(_) => {
                let block = self.block::<f32>(batch, p)?;
                if let Values::F32(values) = &mut self.values {
                    values.extend(block);
                }
            }
        }
        if let Some(id) = self.id {
            let found = self.words(batch.column(id), id)?;
            self.ids.extend(found);
        }
        for (column, batches) in [(self.label, false), (self.batch, true)] {
            let Some(column) = column else { continue };
            // A row without a label has the empty one, as in h5ad files.
            let array = batch.column(column);
            let found = if array.null_count() > 0 { cells(array) } else { None };
            let found = found.map_or_else(|| self.words(array, column), Ok)?;
            if batches { &mut self.batches } else { &mut self.labels }.extend(found);
        }
        for (column, kept) in self.keep.iter().zip(&mut self.kept) {
            kept.push(batch.column(*column).clone());
        }
        self.nrows += rows;
        Ok(())
    }

    pub(super) fn finish(self) -> Result<Loaded> {
        let p: usize = self.features.iter().map(|f| f.width.unwrap_or(0)).sum();
        if self.nrows == 0 || p == 0 {
            return Err(Error::NoData { path: self.path, rows: self.nrows, columns: p });
        }
        let mut columns = Vec::with_capacity(p);
        for feature in &self.features {
            let name = &self.names[feature.column];
            match feature.is_list {
                true => columns.extend((0..feature.width.unwrap_or(0)).map(|k| format!("{name}.{k}"))),
                false => columns.push(name.clone()),
            }
        }
        let names = self.keep.iter().map(|column| self.names[*column].clone()).collect();
        let kept = Kept::of_batches(&self.path, names, &self.kept)?;
        let rows = match self.values {
            Values::F64(values) => Matrix::from_vec(values, self.nrows, p)?.into(),
            Values::F32(values) => Matrix::from_vec(values, self.nrows, p)?.into(),
        };
        let (row_ids, labels) = (self.id.map(|_| self.ids), self.label.map(|_| self.labels));
        let batches = self.batch.map(|_| self.batches);
        Ok(Loaded { row_ids, columns: Some(columns), labels, batches, kept, ..Loaded::new(rows) })
    }

    fn name(&self, feature: usize) -> &str {
        &self.names[self.features[feature].column]
    }

    fn missing(&self, row: usize, column: &str) -> Error {
        Error::MissingAt { path: self.path.clone(), row: self.nrows + row, column: format!("\"{column}\"") }
    }

    /// The length of the first list that is there.
    fn list_width(&self, array: &ArrayRef, feature: usize) -> Result<usize> {
        let lists = Lists::of(array).ok_or_else(|| damaged(&self.path, &"a column changes its kind"))?;
        match (0..array.len()).find(|&i| array.is_valid(i)) {
            Some(row) => Ok(lists.range(row).len()),
            None => Err(self.missing(0, self.name(feature))),
        }
    }

    /// The features of a batch, row after row.
    fn block<T: Scalar>(&self, batch: &RecordBatch, p: usize) -> Result<Vec<T>> {
        let rows = batch.num_rows();
        let mut block = vec![T::default(); rows * p];
        let mut offset = 0;
        for (at, feature) in self.features.iter().enumerate() {
            let (array, width) = (batch.column(feature.column), feature.width.unwrap_or(0));
            let values = match Lists::of(array).filter(|_| feature.is_list) {
                Some(lists) => self.list_values::<T>(&lists, array, width, at)?,
                None => numbers::<T>(array).ok_or_else(|| damaged(&self.path, &"a column changes its kind"))?,
            };
            if values.len() != rows * width {
                return Err(damaged(&self.path, &format!("column \"{}\" has another length than its batch", self.name(at))));
            }
            if !self.keeps_missing
                && width > 0
                && let Some(hole) = values.iter().position(|v| v.to_f64().is_nan())
            {
                return Err(self.missing(hole / width, self.name(at)));
            }
            for (row, value) in block.chunks_exact_mut(p.max(1)).zip(values.chunks_exact(width.max(1))) {
                row[offset..offset + width].copy_from_slice(&value[..width]);
            }
            offset += width;
        }
        Ok(block)
    }

    fn list_values<T: Scalar>(&self, lists: &Lists, array: &ArrayRef, width: usize, feature: usize) -> Result<Vec<T>> {
        let inner = numbers::<T>(lists.values).ok_or_else(|| damaged(&self.path, &"a column changes its kind"))?;
        let mut values = Vec::with_capacity(array.len() * width);
        for row in 0..array.len() {
            if array.is_null(row) {
                values.extend(std::iter::repeat_n(T::from_f64(f64::NAN), width));
                continue;
            }
            let range = lists.range(row);
            if range.len() != width {
                let name = self.name(feature);
                let problem = format!("a list of {} in column \"{name}\", where the first has {width}", range.len());
                return Err(Error::BadRow { path: self.path.clone(), row: self.nrows + row, problem });
            }
            values.extend_from_slice(inner.get(range).ok_or_else(|| damaged(&self.path, &"a list ends beyond its values"))?);
        }
        Ok(values)
    }

    fn words(&self, array: &ArrayRef, column: usize) -> Result<Vec<String>> {
        let name = &self.names[column];
        if let Some(row) = (0..array.len()).find(|&i| array.is_null(i)) {
            let problem = format!(
                "it has no id: the value in column \"{name}\" is missing (give all ids, or read without them: id_column none)"
            );
            return Err(Error::BadRow { path: self.path.clone(), row: self.nrows + row, problem });
        }
        words(array).ok_or_else(|| Error::ColumnKind {
            path: self.path.clone(),
            column: format!("\"{name}\""),
            found: kind_name(array.data_type()),
        })
    }
}

/// Lists of any kind: their values, and where each begins and ends.
struct Lists<'a> {
    values: &'a ArrayRef,
    ranges: Box<dyn Fn(usize) -> std::ops::Range<usize> + 'a>,
}

impl<'a> Lists<'a> {
    fn of(array: &'a ArrayRef) -> Option<Self> {
        if let Some(lists) = array.as_list_opt::<i32>() {
            let at = lists.value_offsets();
            return Some(Self { values: lists.values(), ranges: Box::new(|i| at[i] as usize..at[i + 1] as usize) });
        }
        if let Some(lists) = array.as_list_opt::<i64>() {
            let at = lists.value_offsets();
            return Some(Self { values: lists.values(), ranges: Box::new(|i| at[i] as usize..at[i + 1] as usize) });
        }
        let lists = array.as_fixed_size_list_opt()?;
        let size = lists.value_length() as usize;
        // The values of a slice begin where the slice does.
        Some(Self { values: lists.values(), ranges: Box::new(move |i| i * size..(i + 1) * size) })
    }
    fn range(&self, row: usize) -> std::ops::Range<usize> {
        (self.ranges)(row)
    }
}

fn is_number(kind: &DataType) -> bool {
    kind.is_integer() || kind.is_floating() || *kind == DataType::Boolean
}

fn is_text(kind: &DataType) -> bool {
    match kind {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => true,
        DataType::Dictionary(_, values) => is_text(values),
        _ => false,
    }
}

/// The kind of a column in a word, for messages.
fn kind_name(kind: &DataType) -> String {
    match kind {
        kind if is_text(kind) => "text".into(),
        other => crate::text::excerpt(format!("{other}").as_bytes()),
    }
}

/// Numbers with NaN where there are none.
fn numbers<T: Scalar>(array: &ArrayRef) -> Option<Vec<T>> {
    fn primitive<A: ArrowPrimitiveType, T: Scalar>(array: &ArrayRef, to: impl Fn(A::Native) -> f64) -> Option<Vec<T>> {
        let array = array.as_primitive_opt::<A>()?;
        if array.null_count() == 0 {
            return Some(array.values().iter().map(|v| T::from_f64(to(*v))).collect());
        }
        Some(array.iter().map(|v| T::from_f64(v.map_or(f64::NAN, &to))).collect())
    }
    match array.data_type() {
        DataType::Float64 => primitive::<Float64Type, T>(array, |v| v),
        DataType::Float32 => primitive::<Float32Type, T>(array, f64::from),
        DataType::Float16 => primitive::<Float16Type, T>(array, |v| v.to_f64()),
        DataType::Int8 => primitive::<Int8Type, T>(array, f64::from),
        DataType::Int16 => primitive::<Int16Type, T>(array, f64::from),
        DataType::Int32 => primitive::<Int32Type, T>(array, f64::from),
        DataType::Int64 => primitive::<Int64Type, T>(array, |v| v as f64),
        DataType::UInt8 => primitive::<UInt8Type, T>(array, f64::from),
        DataType::UInt16 => primitive::<UInt16Type, T>(array, f64::from),
        DataType::UInt32 => primitive::<UInt32Type, T>(array, f64::from),
        DataType::UInt64 => primitive::<UInt64Type, T>(array, |v| v as f64),
        DataType::Boolean => {
            let array = array.as_boolean_opt()?;
            Some(array.iter().map(|v| T::from_f64(v.map_or(f64::NAN, |v| f64::from(u8::from(v))))).collect())
        }
        _ => None,
    }
}

/// Cells as text, empty where there is nothing. Numbers that are whole have no point: tables write row numbers as decimals
/// where some are missing.
pub(super) fn cells(array: &ArrayRef) -> Option<Vec<String>> {
    let text = |value: f64| if value.is_nan() { String::new() } else { value.to_string() };
    if array.data_type().is_floating() {
        return Some(numbers::<f64>(array)?.into_iter().map(text).collect());
    }
    if array.null_count() == 0 {
        return words(array);
    }
    let one = |i: usize| words(&array.slice(i, 1))?.into_iter().next();
    (0..array.len()).map(|i| if array.is_valid(i) { one(i) } else { Some(String::new()) }).collect()
}

/// Text, or whole numbers as text; categories by their names. None is null.
fn words(array: &ArrayRef) -> Option<Vec<String>> {
    fn whole<A: ArrowPrimitiveType>(array: &ArrayRef) -> Option<Vec<String>>
    where
        A::Native: std::fmt::Display,
    {
        Some(array.as_primitive_opt::<A>()?.values().iter().map(ToString::to_string).collect())
    }
    match array.data_type() {
        DataType::Utf8 => Some(array.as_string_opt::<i32>()?.iter().flatten().map(str::to_string).collect()),
        DataType::LargeUtf8 => Some(array.as_string_opt::<i64>()?.iter().flatten().map(str::to_string).collect()),
        DataType::Utf8View => Some(array.as_string_view_opt()?.iter().flatten().map(str::to_string).collect()),
        DataType::Int8 => whole::<Int8Type>(array),
        DataType::Int16 => whole::<Int16Type>(array),
        DataType::Int32 => whole::<Int32Type>(array),
        DataType::Int64 => whole::<Int64Type>(array),
        DataType::UInt8 => whole::<UInt8Type>(array),
        DataType::UInt16 => whole::<UInt16Type>(array),
        DataType::UInt32 => whole::<UInt32Type>(array),
        DataType::UInt64 => whole::<UInt64Type>(array),
        DataType::Dictionary(..) => {
            let categories = array.as_any_dictionary_opt()?;
            if categories.values().is_empty() || categories.values().null_count() > 0 {
                return None;
            }
            let names = words(categories.values())?;
            categories.normalized_keys().into_iter().map(|k| names.get(k).cloned()).collect()
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_array::builder::{FixedSizeListBuilder, Float32Builder, ListBuilder};
    use arrow_array::*;
    use landbridge::data::Rows;
    use std::sync::Arc;

    fn collect(columns: Vec<(&str, ArrayRef)>, options: &ReadOptions) -> Result<Loaded> {
        let batch = RecordBatch::try_from_iter_with_nullable(columns.into_iter().map(|(n, c)| (n, c, true))).unwrap();
        let mut rows = Collector::new(Path::new("a.parquet"), &batch.schema(), options)?;
        // In two batches, so that places and widths are carried over.
        rows.push(&batch.slice(0, 1))?;
        rows.push(&batch.slice(1, batch.num_rows() - 1))?;
        rows.finish()
    }
    fn plain(columns: Vec<(&str, ArrayRef)>) -> Result<Loaded> {
        collect(columns, &ReadOptions::default())
    }
    fn message(columns: Vec<(&str, ArrayRef)>) -> String {
        plain(columns).unwrap_err().to_string()
    }
    fn doubles(values: &[f64]) -> ArrayRef {
        Arc::new(Float64Array::from(values.to_vec()))
    }
    fn text(values: &[&str]) -> ArrayRef {
        Arc::new(StringArray::from(values.to_vec()))
    }

    #[test]
    fn ids_and_labels_leave_a_column_of_data() {
        let options =
            ReadOptions { id_column: Some(IdColumn::Name("x".into())), label_column: Some("y".into()), ..ReadOptions::default() };
        let error = collect(vec![("x", text(&["a", "b"])), ("y", text(&["p", "q"]))], &options).unwrap_err();
        assert_eq!(error.to_string(), "a.parquet: no column is left as data: the file has 2 columns");
    }

    #[test]
    fn every_kind_of_number_is_a_feature() {
        let columns: Vec<(&str, ArrayRef)> = vec![
            ("d", doubles(&[0.5, 1.5])),
            ("i", Arc::new(Int64Array::from(vec![-1, 2]))),
            ("u", Arc::new(UInt8Array::from(vec![3, 255]))),
            ("b", Arc::new(BooleanArray::from(vec![true, false]))),
            ("f", Arc::new(Float32Array::from(vec![0.25, -0.25]))),
        ];
        let loaded = plain(columns).unwrap();
        assert_eq!(loaded.rows, Matrix::from_rows(&[[0.5, -1.0, 3.0, 1.0, 0.25], [1.5, 2.0, 255.0, 0.0, -0.25]]).unwrap().into());
        assert_eq!(loaded.columns.unwrap(), ["d", "i", "u", "b", "f"]);
        assert!(loaded.row_ids.is_none());
        let single = plain(vec![("f", Arc::new(Float32Array::from(vec![0.25, -0.25])))]).unwrap();
        assert!(matches!(single.rows, Rows::F32(_)));
    }

    #[test]
    fn lists_are_as_many_features_as_they_have_values() {
        let mut lists = ListBuilder::new(Float32Builder::new());
        lists.append_value([Some(1.0), Some(2.0)]);
        lists.append_value([Some(3.0), Some(4.0)]);
        lists.append_value([Some(5.0), Some(6.0)]);
        let mut fixed = FixedSizeListBuilder::new(Float32Builder::new(), 1);
        for v in [7.0, 8.0, 9.0] {
            fixed.values().append_value(v);
            fixed.append(true);
        }
        let loaded = plain(vec![("e", Arc::new(lists.finish())), ("g", Arc::new(fixed.finish()))]).unwrap();
        assert_eq!(loaded.columns.unwrap(), ["e.0", "e.1", "g.0"]);
        assert_eq!(loaded.rows, Matrix::from_rows(&[[1.0f32, 2.0, 7.0], [3.0, 4.0, 8.0], [5.0, 6.0, 9.0]]).unwrap().into());
        let mut ragged = ListBuilder::new(Float32Builder::new());
        ragged.append_value([Some(1.0), Some(2.0)]);
        ragged.append_value([Some(3.0)]);
        let said = message(vec![("e", Arc::new(ragged.finish()))]);
        assert_eq!(said, "a.parquet row 1: a list of 1 in column \"e\", where the first has 2");
    }

    #[test]
    fn ids_and_labels_are_found_or_told() {
        let categories = || -> ArrayRef { Arc::new(["t", "b", "t"].into_iter().collect::<DictionaryArray<Int8Type>>()) };
        let ids = |columns| plain(columns).unwrap().row_ids;
        let named = Some(vec!["a".to_string(), "b".into(), "c".into()]);
        let x = || ("x", doubles(&[1.0, 2.0, 3.0]));
        assert_eq!(ids(vec![("gene", text(&["a", "b", "c"])), x()]), named);
        assert_eq!(ids(vec![x(), (PANDAS_INDEX, text(&["a", "b", "c"]))]), named);
        assert_eq!(ids(vec![("id", Arc::new(Int32Array::from(vec![7, 8, 9]))), x()]).unwrap(), ["7", "8", "9"]);
        let told =
            ReadOptions { id_column: Some(IdColumn::Name("k".into())), label_column: Some("t".into()), ..Default::default() };
        let loaded = collect(vec![x(), ("k", text(&["a", "b", "c"])), ("t", categories())], &told).unwrap();
        assert_eq!((loaded.row_ids, loaded.labels.unwrap()), (named.clone(), vec!["t".to_string(), "b".into(), "t".into()]));
        assert_eq!(message(vec![x(), ("t", categories())]), "a.parquet: column \"t\" holds text, not numbers");
        let only =
            |names: &[&str]| ReadOptions { columns: Some(names.iter().map(|n| n.to_string()).collect()), ..Default::default() };
        let all = || vec![("k", text(&["a", "b", "c"])), x(), ("t", categories()), ("y", doubles(&[4.0, 5.0, 6.0]))];
        let loaded = collect(all(), &only(&["y"])).unwrap();
        assert_eq!((loaded.row_ids, loaded.columns.unwrap()), (named, vec!["y".to_string()]));
        assert!(collect(all(), &only(&["t"])).unwrap_err().to_string().ends_with("column \"t\" holds text, not numbers"));
        assert!(collect(all(), &only(&["y", "y"])).unwrap_err().to_string().ends_with("column \"y\" is asked for twice"));
        let holes: ArrayRef = Arc::new(StringArray::from(vec![Some("a"), None, Some("c")]));
        let said = message(vec![("id", holes.clone()), x()]);
        assert!(said.starts_with("a.parquet row 1: it has no id: the value in column \"id\" is missing"), "{said}");
        let labelled = ReadOptions { label_column: Some("t".into()), ..Default::default() };
        assert_eq!(collect(vec![x(), ("t", holes)], &labelled).unwrap().labels.unwrap(), ["a", "", "c"]);
        let error = collect(vec![x()], &told).unwrap_err().to_string();
        assert_eq!(error, "a.parquet: there is no column \"t\"; there are \"x\"");
    }

    #[test]
    fn missing_values_are_named_or_kept() {
        let hole = || -> ArrayRef { Arc::new(Float64Array::from(vec![Some(1.0), None, Some(3.0)])) };
        assert_eq!(message(vec![("x", hole())]), "a.parquet row 1, column \"x\": the value is missing");
        assert_eq!(message(vec![("x", doubles(&[1.0, f64::NAN]))]), "a.parquet row 1, column \"x\": the value is missing");
        let keep = ReadOptions { missing: Missing::Keep, ..Default::default() };
        assert_eq!(crate::missing::count(&collect(vec![("x", hole())], &keep).unwrap().rows), 1);
        let tight = ReadOptions { max_memory: 16, ..Default::default() };
        assert!(matches!(collect(vec![("x", doubles(&[1.0; 3]))], &tight), Err(Error::TooLarge { .. })));
    }
}
