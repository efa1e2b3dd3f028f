//! Parameters, declared once, next to the method that has them.
//!
//! A method is a struct whose fields are its parameters. `#[derive(Params)]` derives from this declaration
//! - the builder: `LinearAlignment::new(20).mu(10.0)`, one setter per parameter;
//! - [`Declared::check_ranges`], which refuses values out of range;
//! - the [`Schema`]: name, type, words, default, range and doc of every parameter. The command-line options, the Python
//!   classes and the tables of the documentation come from it;
//! - [`from_given`], which builds the method from names and [`Value`]s and refuses unknown names;
//! - JSON for model files ([`to_json`], [`from_json`], serde).
//!
//! `#[derive(Words)]` declares the words of an enum, with their one-line docs.

mod schema;
mod threads;
mod value;

pub use schema::{Kind, Param, Range, Schema, Word, nearest};
pub use threads::Threads;
pub(crate) use threads::threads_setters;
pub use value::Value;

use crate::error::{Error, Result};
use crate::linalg::{Csr, Matrix};

/// A type of parameter values.
pub trait Parameter: Sized {
    /// Whether `None` is one of its values.
    const OPTIONAL: bool = false;
    /// The kind of its values.
    fn kind() -> Kind;
    /// Converts a value to this type; returns the value if it is of another type.
    fn from_value(value: Value) -> std::result::Result<Self, Value>;
    /// The inverse conversion.
    fn to_value(&self) -> Value;
    /// The numbers in it, for the range check.
    fn numbers(&self) -> Vec<f64> {
        vec![]
    }
}

/// An enum whose variants are words.
pub trait Words: Sized {
    /// All words, with their docs.
    const WORDS: &'static [Word];
    /// The word of this value.
    fn word(&self) -> &'static str;
    /// The value of a word.
    fn from_word(word: &str) -> Option<Self>;
}

/// A struct whose fields are parameters: a method, an embedding, or a group that several of them share.
pub trait Declared {
    /// The parameters in the order of declaration, with those of groups in their place.
    fn declared() -> Vec<Param>;
    /// Sets a parameter. `false`: there is no parameter of that name. Returns the value if it is of another type.
    fn set(&mut self, name: &str, value: Value) -> std::result::Result<bool, Value>;
    /// All parameters with their values.
    fn values(&self) -> Vec<(&'static str, Value)>;
    /// Refuses values outside their range.
    fn check_ranges(&self) -> Result<()>;
}

/// A method or an embedding: it has a name and can be built from given values.
pub trait Params: Declared + Sized {
    /// Its declaration.
    fn schema() -> &'static Schema;
    /// With default parameters; required values are left unset.
    fn blank() -> Self;
    /// A parameter that was set but has no effect, and the reason. The command line refuses it; a fit warns.
    fn contradiction(&self) -> Option<(&'static str, String)> {
        None
    }
}

/// Names and values, as a caller gives them.
pub type Given = Vec<(String, Value)>;

/// Builds a method from given values. Refuses unknown names, values of a wrong type or out of range, and missing required
/// values. "auto" means the default.
pub fn from_given<T: Params>(given: Given) -> Result<T> {
    let schema = T::schema();
    let mut out = T::blank();
    fill(&mut out, &schema.params, schema.name, given)?;
    out.check_ranges()?;
    Ok(out)
}

/// Sets the given values, in the order of declaration.
pub(crate) fn fill<T: Declared>(out: &mut T, params: &[Param], owner: &str, mut given: Given) -> Result<()> {
    for (name, _) in &mut given {
        let renamed = |p: &&Param| p.kind != Kind::Flag && p.alias.is_some_and(|a| a.replace('-', "_") == *name);
        if let Some(param) = params.iter().find(renamed) {
            *name = param.name.into();
        }
    }
    if let Some((name, _)) = given.iter().find(|(name, _)| !params.iter().any(|p| p.name == *name)) {
        return Err(schema::unknown(owner, name, params));
    }
    for param in params {
        let Some(at) = given.iter().position(|(name, _)| name == param.name) else {
            match param.default {
                Some(_) => continue,
                None => {
                    return Err(Error::parameter(param.name, "absent", &format!("given: {}", schema::lower(param.summary()))));
                }
            }
        };
        let value = given.swap_remove(at).1;
        // A word of its own goes before the word for the default.
        let means_default = value.is_auto() && !param.words().iter().any(|w| w.name == "auto");
        if means_default && (param.auto || param.default.is_some()) {
            continue;
        }
        out.set(param.name, value).map_err(|value| {
            // The parameters of several embeddings stand side by side, and the chosen one may lack this one.
            let foreign = !param.only_for.is_empty() && param.accepts(&value);
            let expected = match foreign {
                true => format!("absent: only the embeddings {} have it", param.only_for.join(", ")),
                false => param.expected(),
            };
            Error::parameter(param.name, value, &expected)
        })?;
    }
    Ok(())
}

/// The parameters that are saved in a model file.
pub(crate) fn saved<T: Params>(params: &T) -> Given {
    let schema = T::schema();
    let saved = |name: &str| schema.params.iter().any(|p| p.name == name && !p.unsaved);
    params.values().into_iter().filter(|(name, _)| saved(name)).map(|(name, value)| (name.to_string(), value)).collect()
}

/// The parameters as saved in a model file.
pub fn to_json<T: Params>(params: &T) -> serde_json::Value {
    Value::Map(saved(params)).to_json()
}

/// Builds the method from saved parameters; refuses unknown names.
pub fn from_json<T: Params>(json: &serde_json::Value) -> Result<T> {
    let Value::Map(given) = Value::from_json(json) else {
        return Err(Error::parameter("parameters", json, "an object of names and values"));
    };
    from_given(given)
}

/// Adds the parameters of a group, with the defaults that the method overrides.
pub(crate) fn add_group(out: &mut Vec<Param>, group: Vec<Param>, changed: &[(&str, Value)]) {
    out.extend(group.into_iter().map(|mut param| {
        if let Some((_, default)) = changed.iter().find(|(name, _)| *name == param.name) {
            param.default = Some(default.clone());
        }
        param
    }));
}

/// Whether a group has a parameter of that name.
pub(crate) fn has<T: Declared>(name: &str) -> bool {
    T::declared().iter().any(|p| p.name == name)
}

/// Parses a word. `None` is the word "none" if there is one; dashes stand for underscores.
pub(crate) fn word_from<T: Words>(value: Value) -> std::result::Result<T, Value> {
    let found = match &value {
        Value::None => T::from_word("none"),
        Value::Text(text) => T::from_word(&text.replace('-', "_")),
        _ => None,
    };
    found.ok_or(value)
}

/// A word in a file.
pub(crate) fn deserialize_word<'de, T: Words, D: serde::Deserializer<'de>>(deserializer: D) -> std::result::Result<T, D::Error> {
    let text = <String as serde::Deserialize>::deserialize(deserializer)?;
    T::from_word(&text).ok_or_else(|| serde::de::Error::custom(format!("{text:?} is not one of {}", schema::listed(T::WORDS))))
}

/// Refuses a value outside its range.
pub(crate) fn check_range<T: Parameter>(name: &str, value: &T, range: &Range) -> Result<()> {
    match value.numbers().into_iter().find(|v| !range.contains(*v)) {
        None => Ok(()),
        Some(v) => Err(Error::parameter(name, v, &range.expected(matches!(T::kind(), Kind::Count)))),
    }
}

/// Refuses numbers that are not finite.
pub(crate) fn check_finite<T: Parameter>(name: &str, value: &T) -> Result<()> {
    check_range(name, value, &Range::default())
}

macro_rules! counts {
    ($($kind:ty),*) => {
        $(impl Parameter for $kind {
            fn kind() -> Kind {
                Kind::Count
            }
            fn from_value(value: Value) -> std::result::Result<Self, Value> {
                match value {
                    Value::Int(n) => <$kind>::try_from(n).map_err(|_| Value::Int(n)),
                    other => Err(other),
                }
            }
            fn to_value(&self) -> Value {
                Value::Int(*self as i128)
            }
            fn numbers(&self) -> Vec<f64> {
                vec![*self as f64]
            }
        })*
    };
}
counts!(usize, u32, u64);

impl Parameter for f64 {
    fn kind() -> Kind {
        Kind::Number
    }
    fn from_value(value: Value) -> std::result::Result<Self, Value> {
        match value {
            Value::Number(v) => Ok(v),
            Value::Int(n) => Ok(n as f64),
            other => Err(other),
        }
    }
    fn to_value(&self) -> Value {
        Value::Number(*self)
    }
    fn numbers(&self) -> Vec<f64> {
        vec![*self]
    }
}

impl Parameter for bool {
    fn kind() -> Kind {
        Kind::Flag
    }
    fn from_value(value: Value) -> std::result::Result<Self, Value> {
        match value {
            Value::Flag(flag) => Ok(flag),
            other => Err(other),
        }
    }
    fn to_value(&self) -> Value {
        Value::Flag(*self)
    }
}

impl<T: Parameter> Parameter for Option<T> {
    const OPTIONAL: bool = true;
    fn kind() -> Kind {
        T::kind()
    }
    fn from_value(value: Value) -> std::result::Result<Self, Value> {
        match value {
            Value::None => Ok(None),
            other => T::from_value(other).map(Some),
        }
    }
    fn to_value(&self) -> Value {
        self.as_ref().map_or(Value::None, T::to_value)
    }
    fn numbers(&self) -> Vec<f64> {
        self.as_ref().map_or_else(Vec::new, T::numbers)
    }
}

impl Parameter for Vec<Csr> {
    fn kind() -> Kind {
        Kind::Graphs
    }
    fn from_value(value: Value) -> std::result::Result<Self, Value> {
        match value {
            Value::Graphs(graphs) => Ok(graphs),
            other => Err(other),
        }
    }
    fn to_value(&self) -> Value {
        Value::Graphs(self.clone())
    }
}

impl Parameter for Vec<Matrix<f64>> {
    fn kind() -> Kind {
        Kind::Matrices
    }
    fn from_value(value: Value) -> std::result::Result<Self, Value> {
        match value {
            Value::Matrices(matrices) => Ok(matrices),
            other => Err(other),
        }
    }
    fn to_value(&self) -> Value {
        Value::Matrices(self.clone())
    }
}

/// Column numbers, a list for each dataset.
impl Parameter for Vec<Vec<u32>> {
    fn kind() -> Kind {
        Kind::Order
    }
    fn from_value(value: Value) -> std::result::Result<Self, Value> {
        value.list_of(|of_dataset| of_dataset.list_of(u32::from_value))
    }
    fn to_value(&self) -> Value {
        Value::List(self.iter().map(|of| Value::List(of.iter().map(u32::to_value).collect())).collect())
    }
}

/// Groups of column numbers, for each dataset.
impl Parameter for Vec<Vec<Vec<u32>>> {
    fn kind() -> Kind {
        Kind::Groups
    }
    fn from_value(value: Value) -> std::result::Result<Self, Value> {
        value.list_of(<Vec<Vec<u32>> as Parameter>::from_value)
    }
    fn to_value(&self) -> Value {
        Value::List(self.iter().map(Parameter::to_value).collect())
    }
}

/// Refuses a value that is not a positive finite number. For functions that take a number, not a declared parameter.
pub(crate) fn check_positive(name: &str, value: f64) -> Result<()> {
    check_range(name, &value, &Range { above: Some(0.0), ..Range::default() })
}
