//! Values of parameters, from the command line, Python and model files.

use crate::linalg::{Csr, Matrix};
use crate::params::Given;
use std::any::Any;
use std::fmt;
use std::sync::Arc;

/// A value of any type.
#[derive(Clone)]
#[non_exhaustive]
pub enum Value {
    /// No value: `None` in Python, `null` in JSON.
    None,
    /// True or false.
    Flag(bool),
    /// A whole number.
    Int(i128),
    /// A number.
    Number(f64),
    /// A word.
    Text(String),
    /// Several values.
    List(Vec<Value>),
    /// Names and values.
    Map(Given),
    /// One graph per dataset.
    Graphs(Vec<Csr>),
    /// One matrix per dataset.
    Matrices(Vec<Matrix<f64>>),
    /// Another method by name, with its parameters.
    Method(String, Given),
    /// Another method, already built.
    Built(Arc<dyn Any + Send + Sync>),
}

impl Value {
    /// The word "auto".
    pub(crate) fn is_auto(&self) -> bool {
        matches!(self, Value::Text(text) if text == "auto")
    }
    /// Converts each value of a list; returns the whole list if one is of another type.
    pub(crate) fn list_of<T>(self, convert: impl Fn(Value) -> Result<T, Value>) -> Result<Vec<T>, Value> {
        match self {
            Value::List(values) => {
                let converted = values.iter().cloned().map(convert).collect::<Result<Vec<T>, Value>>();
                converted.map_err(|_| Value::List(values))
            }
            other => Err(other),
        }
    }
    /// As JSON. Graphs and matrices become `null`.
    pub fn to_json(&self) -> serde_json::Value {
        let object = |given: &Given| serde_json::Value::Object(given.iter().map(|(k, v)| (k.clone(), v.to_json())).collect());
        match self {
            Value::None | Value::Graphs(_) | Value::Matrices(_) | Value::Built(_) => serde_json::Value::Null,
            Value::Flag(flag) => (*flag).into(),
            Value::Int(n) => i64::try_from(*n).map_or_else(|_| u64::try_from(*n).unwrap_or(u64::MAX).into(), Into::into),
            Value::Number(v) => (*v).into(),
            Value::Text(text) => text.as_str().into(),
            Value::List(values) => values.iter().map(Value::to_json).collect(),
            Value::Map(given) => object(given),
            Value::Method(name, given) => serde_json::json!({"method": name, "params": object(given)}),
        }
    }
    /// From JSON. An object of `method` and `params` is a method.
    pub fn from_json(json: &serde_json::Value) -> Self {
        match json {
            serde_json::Value::Null => Value::None,
            serde_json::Value::Bool(flag) => Value::Flag(*flag),
            serde_json::Value::Number(n) => match (n.as_i64(), n.as_u64()) {
                (Some(n), _) => Value::Int(n.into()),
                (None, Some(n)) => Value::Int(n.into()),
                (None, None) => Value::Number(n.as_f64().unwrap_or(f64::NAN)),
            },
            serde_json::Value::String(text) => Value::Text(text.clone()),
            serde_json::Value::Array(values) => Value::List(values.iter().map(Value::from_json).collect()),
            serde_json::Value::Object(map) => {
                let given = |map: &serde_json::Map<_, _>| map.iter().map(|(k, v)| (k.clone(), Value::from_json(v))).collect();
                match (map.get("method"), map.get("params"), map.len()) {
                    (Some(serde_json::Value::String(name)), Some(serde_json::Value::Object(params)), 2) => {
                        Value::Method(name.clone(), given(params))
                    }
                    _ => Value::Map(given(map)),
                }
            }
        }
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Value::None, Value::None) => true,
            (Value::Flag(a), Value::Flag(b)) => a == b,
            (Value::Int(a), Value::Int(b)) => a == b,
            (Value::Int(n), Value::Number(v)) | (Value::Number(v), Value::Int(n)) => *v == *n as f64,
            (Value::Number(a), Value::Number(b)) => a == b,
            (Value::Text(a), Value::Text(b)) => a == b,
            (Value::List(a), Value::List(b)) => a == b,
            (Value::Map(a), Value::Map(b)) => a == b,
            (Value::Graphs(a), Value::Graphs(b)) => a == b,
            (Value::Matrices(a), Value::Matrices(b)) => a == b,
            (Value::Method(a, p), Value::Method(b, q)) => a == b && p == q,
            (Value::Built(a), Value::Built(b)) => Arc::ptr_eq(a, b),
            _ => false,
        }
    }
}

/// The value in an error message.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::None => write!(f, "None"),
            Value::Flag(flag) => write!(f, "{flag}"),
            Value::Int(n) => write!(f, "{n}"),
            Value::Number(v) => write!(f, "{v}"),
            Value::Text(text) => write!(f, "{text:?}"),
            Value::List(values) => write!(f, "a list of {}", values.len()),
            Value::Map(given) => write!(f, "a dictionary of {}", given.len()),
            Value::Graphs(graphs) => write!(f, "a list of {} graphs", graphs.len()),
            Value::Matrices(matrices) => write!(f, "a list of {} matrices", matrices.len()),
            Value::Method(name, _) => write!(f, "the method {name:?}"),
            Value::Built(_) => write!(f, "a method"),
        }
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
