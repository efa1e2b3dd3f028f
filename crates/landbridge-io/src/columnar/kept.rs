//! Columns that are carried along beside the rows, as they are in the file.

use std::path::Path;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::*;
use arrow_array::{Array, ArrayRef, ArrowPrimitiveType, StringArray, UInt64Array};
use arrow_schema::{DataType, TimeUnit};
use arrow_select::concat::concat;
use arrow_select::take::take;
use landbridge::params::nearest;

use super::{damaged, read};
use crate::error::{Error, Result};
use crate::options::Keep;
use crate::text::listed;

/// Columns of a file that are carried along into what is made of its rows: parquet and arrow with their own types, cells of csv as
/// text, fields of jsonl as text or JSON.
#[derive(Clone, Debug, PartialEq)]
pub struct Kept {
    columns: Vec<(String, ArrayRef)>,
}

impl Kept {
    /// None where nothing is kept.
    pub(crate) fn new(columns: Vec<(String, ArrayRef)>) -> Option<Self> {
        (!columns.is_empty()).then_some(Self { columns })
    }
    /// Columns of text. None where nothing is kept.
    pub(crate) fn of_texts<S: AsRef<str>>(names: &[String], texts: Vec<Vec<Option<S>>>) -> Option<Self> {
        let column = |texts: Vec<Option<S>>| Arc::new(texts.into_iter().collect::<StringArray>()) as ArrayRef;
        Self::new(names.iter().cloned().zip(texts.into_iter().map(column)).collect())
    }
    /// The columns of several batches, one after the other.
    pub(crate) fn of_batches(path: &Path, names: Vec<String>, batches: &[Vec<ArrayRef>]) -> Result<Option<Self>> {
        let column = |(name, arrays): (String, &Vec<ArrayRef>)| {
            let arrays: Vec<&dyn Array> = arrays.iter().map(AsRef::as_ref).collect();
            concat(&arrays).map(|array| (name, array)).map_err(|e| damaged(path, &e))
        };
        Ok(Self::new(names.into_iter().zip(batches).map(column).collect::<Result<_>>()?))
    }
    /// Names of the columns.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.columns.iter().map(|(name, _)| name.as_str())
    }
    pub(crate) fn columns(&self) -> &[(String, ArrayRef)] {
        &self.columns
    }
    pub(crate) fn nrows(&self) -> usize {
        self.columns.first().map_or(0, |(_, array)| array.len())
    }
    /// The rows of these numbers, in their order; a row may be there several times.
    pub fn rows(&self, numbers: &[usize]) -> Result<Self> {
        let indices = UInt64Array::from_iter_values(numbers.iter().map(|n| *n as u64));
        let column = |(name, array): &(String, ArrayRef)| {
            take(array, &indices, None).map(|array| (name.clone(), array)).map_err(|e| damaged(Path::new(name), &e))
        };
        Ok(Self { columns: self.columns.iter().map(column).collect::<Result<_>>()? })
    }
    /// Refuses columns whose name the output has already.
    pub fn check_names<'a>(&self, taken: impl IntoIterator<Item = &'a str>) -> Result<()> {
        match taken.into_iter().find(|name| self.names().any(|own| own == *name)) {
            Some(name) => Err(Error::ColumnTaken { column: name.into() }),
            None => Ok(()),
        }
    }
    /// The cells of every column as text, empty where there is nothing. Kinds that have no plain text are refused.
    pub fn texts(&self) -> Result<Vec<Vec<String>>> {
        let column = |(name, array): &(String, ArrayRef)| {
            let kind = || Error::KeptKind { column: name.clone(), found: array.data_type().to_string() };
            texts(array).ok_or_else(kind)
        };
        self.columns.iter().map(column).collect()
    }
}

fn texts(array: &ArrayRef) -> Option<Vec<String>> {
    fn moments<A: ArrowPrimitiveType>(array: &ArrayRef, text: impl Fn(A::Native) -> Option<String>) -> Option<Vec<String>> {
        let values = array.as_primitive_opt::<A>()?;
        values.iter().map(|v| v.map_or_else(|| Some(String::new()), &text)).collect()
    }
    match array.data_type() {
        DataType::Boolean => {
            let word = |v: Option<bool>| v.map_or("", |v| if v { "true" } else { "false" }).to_string();
            Some(array.as_boolean_opt()?.iter().map(word).collect())
        }
        DataType::Null => Some(vec![String::new(); array.len()]),
        DataType::Date32 => moments::<Date32Type>(array, |v| moment(i128::from(v) * 86_400_000_000_000, None)),
        DataType::Date64 => moments::<Date64Type>(array, |v| moment(i128::from(v) * 1_000_000, None)),
        DataType::Timestamp(unit, zone) => {
            let zone = Some(zone.as_deref().unwrap_or(""));
            match unit {
                TimeUnit::Second => moments::<TimestampSecondType>(array, |v| moment(i128::from(v) * 1_000_000_000, zone)),
                TimeUnit::Millisecond => moments::<TimestampMillisecondType>(array, |v| moment(i128::from(v) * 1_000_000, zone)),
                TimeUnit::Microsecond => moments::<TimestampMicrosecondType>(array, |v| moment(i128::from(v) * 1000, zone)),
                TimeUnit::Nanosecond => moments::<TimestampNanosecondType>(array, |v| moment(i128::from(v), zone)),
            }
        }
        _ => read::cells(array),
    }
}

/// Nanoseconds since 1970 as ISO 8601; a day without a `zone`. A moment of any zone is written in UTC, with a Z.
fn moment(nanoseconds: i128, zone: Option<&str>) -> Option<String> {
    const DAY: i128 = 86_400_000_000_000;
    let (days, rest) = (nanoseconds.div_euclid(DAY), nanoseconds.rem_euclid(DAY));
    // Days to the calendar: eras of 400 years that begin on 1 March.
    let shifted = i64::try_from(days).ok()?.checked_add(719_468)?;
    let (era, of_era) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let years = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * years + years / 4 - years / 100);
    let month = (5 * of_year + 2) / 153;
    let (day, month) = (of_year - (153 * month + 2) / 5 + 1, if month < 10 { month + 3 } else { month - 9 });
    let year = years + era * 400 + i64::from(month <= 2);
    let date = format!("{year:04}-{month:02}-{day:02}");
    let Some(zone) = zone else { return Some(date) };
    let (seconds, fraction) = (rest / 1_000_000_000, rest % 1_000_000_000);
    let fraction = if fraction == 0 { String::new() } else { format!(".{fraction:09}").trim_end_matches('0').to_string() };
    let z = if zone.is_empty() { "" } else { "Z" };
    Some(format!("{date}T{:02}:{:02}:{:02}{fraction}{z}", seconds / 3600, seconds / 60 % 60, seconds % 60))
}

/// Where the columns to be kept stand among these names.
pub(crate) fn positions<S: AsRef<str>>(path: &Path, keep: &Keep, names: &[S]) -> Result<Vec<usize>> {
    let mut found = vec![];
    for name in &keep.columns {
        let exact = names.iter().position(|n| n.as_ref() == name);
        let at =
            exact.or_else(|| names.iter().position(|n| n.as_ref().trim() == name)).ok_or_else(|| unknown(path, name, names))?;
        if found.contains(&at) {
            return Err(Error::ColumnTwice { path: path.into(), column: format!("\"{name}\"") });
        }
        found.push(at);
    }
    Ok(found)
}

/// A column to be kept that is not there, with the nearest name.
fn unknown<S: AsRef<str>>(path: &Path, name: &str, names: &[S]) -> Error {
    let all: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
    let near = nearest(name, &all).map_or_else(String::new, |near| format!(" (did you mean \"{near}\"?)"));
    Error::UnknownColumn { path: path.into(), column: format!("\"{name}\""), known: format!("{}{near}", listed(names)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_array::{BooleanArray, Date32Array, Decimal128Array, Int64Array, TimestampMicrosecondArray};

    fn kept(array: impl Array + 'static) -> Kept {
        Kept::new(vec![("c".into(), Arc::new(array))]).unwrap()
    }

    #[test]
    fn cells_become_text_where_a_table_of_text_is_written() {
        let texts = |kept: Kept| kept.texts().map(|t| t[0].join("|"));
        assert_eq!(texts(kept(Int64Array::from(vec![Some(7), None, Some(-1)]))).unwrap(), "7||-1");
        assert_eq!(texts(kept(BooleanArray::from(vec![Some(true), Some(false), None]))).unwrap(), "true|false|");
        assert_eq!(texts(kept(StringArray::from(vec![Some("a,b"), None]))).unwrap(), "a,b|");
        // 2000-02-29, 1970-01-01, 1969-12-31, 2100-03-01.
        assert_eq!(
            texts(kept(Date32Array::from(vec![11_016, 0, -1, 47_541]))).unwrap(),
            "2000-02-29|1970-01-01|1969-12-31|2100-03-01"
        );
        let times = TimestampMicrosecondArray::from(vec![Some(1_700_000_000_500_000), None]);
        assert_eq!(texts(kept(times.clone())).unwrap(), "2023-11-14T22:13:20.5|");
        assert_eq!(texts(kept(times.with_timezone("+02:00"))).unwrap(), "2023-11-14T22:13:20.5Z|");
        let error = texts(kept(Decimal128Array::from(vec![1]))).unwrap_err().to_string();
        assert!(error.starts_with("the kept column \"c\" holds Decimal128"), "{error}");
    }

    #[test]
    fn rows_are_repeated_and_names_are_looked_up() {
        let many = kept(Int64Array::from(vec![5, 6])).rows(&[1, 0, 1]).unwrap();
        assert_eq!(many.texts().unwrap(), [["6", "5", "6"]]);
        let keep = |names: &[&str]| Keep { columns: names.iter().map(|n| n.to_string()).collect(), data: vec![] };
        let at = |names: &[&str]| positions(Path::new("a.csv"), &keep(names), &["id", "title ", "price"]);
        assert_eq!(at(&["price", "title"]).unwrap(), [2, 1]);
        let message = at(&["prise"]).unwrap_err().to_string();
        assert_eq!(
            message,
            "a.csv: there is no column \"prise\"; there are \"id\", \"title \", \"price\" (did you mean \"price\"?)"
        );
        assert!(at(&["id", "id"]).unwrap_err().to_string().ends_with("column \"id\" is asked for twice"));
        assert!(many.check_names(["x"]).is_ok());
        assert_eq!(many.check_names(["x", "c"]).unwrap_err().to_string(), "the output has a column \"c\" already");
    }
}
