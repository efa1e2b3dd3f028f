//! The declaration of a method: the one source of builders, options, classes and documentation.

use crate::error::Error;
use crate::params::Value;

/// One of the words that a parameter accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Word {
    /// The word.
    pub name: &'static str,
    /// What it means.
    pub doc: &'static str,
}

/// The kind of values that a parameter accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// True or false.
    Flag,
    /// A whole number, 0 or more.
    Count,
    /// A number.
    Number,
    /// One of several words.
    Word(&'static [Word]),
    /// A sparse matrix for each dataset.
    Graphs,
    /// A dense matrix for each dataset.
    Matrices,
    /// Column numbers, a list for each dataset.
    Order,
    /// Groups of column numbers, for each dataset.
    Groups,
    /// Another method.
    Method,
}

/// Bounds of a number.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Range {
    /// The least value.
    pub min: Option<f64>,
    /// The largest value.
    pub max: Option<f64>,
    /// Values are above this.
    pub above: Option<f64>,
    /// Values are below this.
    pub below: Option<f64>,
}

impl Range {
    /// Whether a number is finite and within the bounds.
    pub fn contains(&self, v: f64) -> bool {
        v.is_finite()
            && self.min.is_none_or(|b| v >= b)
            && self.max.is_none_or(|b| v <= b)
            && self.above.is_none_or(|b| v > b)
            && self.below.is_none_or(|b| v < b)
    }
    /// The bounds in words.
    pub fn expected(&self, count: bool) -> String {
        match (self.min, self.max, self.above, self.below) {
            (None, None, None, None) if count => "a whole number, 0 or more".into(),
            (None, None, None, None) => "a finite number".into(),
            (Some(min), None, None, None) if count => format!("at least {min}"),
            (Some(0.0), None, None, None) => "zero or a positive finite number".into(),
            (None, None, Some(0.0), None) => "a positive finite number".into(),
            (Some(min), Some(max), None, None) => format!("between {min} and {max}"),
            _ => {
                let bounds = [("at least", self.min), ("above", self.above), ("at most", self.max), ("below", self.below)];
                let said: Vec<String> = bounds.iter().filter_map(|(word, b)| b.map(|b| format!("{word} {b}"))).collect();
                said.join(" and ")
            }
        }
    }
}

/// The declaration of one parameter.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Param {
    /// Its name: `n_neighbors` in Rust, Python and files, `--n-neighbors` on the command line.
    pub name: &'static str,
    /// What it does.
    pub doc: &'static str,
    /// The kind of its values.
    pub kind: Kind,
    /// Whether it may also be `None`.
    pub optional: bool,
    /// Whether `None` is spelled "auto".
    pub auto: bool,
    /// The default value; `None` if a value is required.
    pub default: Option<Value>,
    /// The bounds of its numbers.
    pub range: Range,
    /// Whether model files leave it out.
    pub unsaved: bool,
    /// An older spelling on the command line.
    pub alias: Option<&'static str>,
    /// The values worth trying, if it is worth tuning: `log 2 200`, `linear 0 1`, or `words a b`.
    pub tune: Option<&'static str>,
    /// Its heading in help texts.
    pub heading: &'static str,
    /// The embeddings that have it, if the parameters of several embeddings stand side by side.
    pub only_for: Vec<&'static str>,
}

impl Param {
    /// The first line of its doc, without the final full stop.
    pub fn summary(&self) -> &str {
        self.doc.lines().next().unwrap_or_default().trim_end_matches('.')
    }
    /// The words that it accepts, if it accepts words.
    pub fn words(&self) -> &'static [Word] {
        match self.kind {
            Kind::Word(words) => words,
            _ => &[],
        }
    }
    /// Whether a value is of the right type.
    pub(crate) fn accepts(&self, value: &Value) -> bool {
        match (self.kind, value) {
            (_, Value::None) => self.optional,
            (Kind::Flag, Value::Flag(_)) | (Kind::Number, Value::Number(_)) | (Kind::Graphs, Value::Graphs(_)) => true,
            (Kind::Count | Kind::Number, Value::Int(n)) => *n >= 0,
            (Kind::Word(words), Value::Text(text)) => words.iter().any(|w| w.name == text.replace('-', "_")),
            _ => false,
        }
    }
    /// The accepted values, in words, for error messages.
    pub fn expected(&self) -> String {
        let plain = match self.kind {
            Kind::Flag => "true or false".into(),
            Kind::Count if self.range.min.is_some() => {
                format!("a whole number, {} or more", self.range.min.unwrap_or_default())
            }
            Kind::Count => "a whole number, 0 or more".into(),
            Kind::Number if self.range == Range::default() => "a number".into(),
            Kind::Number => self.range.expected(false),
            Kind::Word(words) => format!("one of {}", listed(words)),
            Kind::Graphs => "one sparse matrix per dataset".into(),
            Kind::Matrices => "one matrix per dataset".into(),
            Kind::Order => "column numbers from 0, one list per dataset".into(),
            Kind::Groups => "lists of column numbers from 0, for each dataset".into(),
            Kind::Method => "an alignment method".into(),
        };
        match (self.auto, self.optional) {
            (true, _) => format!("\"auto\", or {plain}"),
            (false, true) => format!("None, or {plain}"),
            (false, false) => plain,
        }
    }
    /// The default as a reader writes it: `10`, `heat`, `auto`, `none`.
    pub fn default_text(&self) -> String {
        match &self.default {
            None => "required".into(),
            Some(Value::None) if self.auto => "auto".into(),
            Some(Value::None) => "none".into(),
            Some(Value::Text(text)) => text.clone(),
            Some(Value::Number(v)) => format!("{v:?}").trim_end_matches(".0").to_string(),
            Some(value) => value.to_string(),
        }
    }
}

/// The declaration of a method or an embedding.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Schema {
    /// Its name: `landbridge fit linear`, and in model files.
    pub name: &'static str,
    /// The class in Python, and the type in Rust.
    pub class: &'static str,
    /// The kind of result: "maps", "places", and so on. It selects the base class in Python.
    pub family: &'static str,
    /// Where it was published.
    pub paper: &'static str,
    /// When to choose it.
    pub choose: &'static str,
    /// Whether it infers pairs if none are given.
    pub infers: bool,
    /// Whether the first components of a fit of many are a fit of few. A comparison then fits the largest number only.
    pub nested: bool,
    /// What it does not promise, as an invariant of `tests/invariants.rs` and the reason. Everything else holds for every method.
    pub unpromised: &'static [(&'static str, &'static str)],
    /// Its documentation.
    pub doc: &'static str,
    /// Its parameters.
    pub params: Vec<Param>,
}

impl Schema {
    /// The parameter of that name.
    pub fn param(&self, name: &str) -> Option<&Param> {
        self.params.iter().find(|p| p.name == name)
    }
    /// The first paragraph of its documentation, on one line.
    pub fn summary(&self) -> String {
        self.doc.lines().take_while(|l| !l.trim().is_empty()).collect::<Vec<_>>().join(" ")
    }
}

impl Schema {
    /// The declaration as JSON, for tools.
    pub fn to_json(&self) -> serde_json::Value {
        let word = |w: &Word| serde_json::json!({"word": w.name, "doc": w.doc});
        let param = |p: &Param| {
            let kind = match p.kind {
                Kind::Word(_) => "word".to_string(),
                kind => format!("{kind:?}").to_lowercase(),
            };
            serde_json::json!({
                "name": p.name, "kind": kind, "doc": p.doc, "default": p.default.as_ref().map(Value::to_json),
                "required": p.default.is_none(), "optional": p.optional, "auto": p.auto, "unsaved": p.unsaved,
                "words": p.words().iter().map(word).collect::<Vec<_>>(), "heading": p.heading, "only_for": p.only_for,
                "tune": p.tune, "min": p.range.min, "max": p.range.max, "above": p.range.above, "below": p.range.below,
            })
        };
        serde_json::json!({
            "name": self.name, "class": self.class, "family": self.family, "paper": self.paper, "choose": self.choose,
            "infers": self.infers, "nested": self.nested, "unpromised": self.unpromised, "doc": self.doc, "params": self.params.iter().map(param).collect::<Vec<_>>(),
        })
    }
}

/// `"heat", "binary"`.
pub(crate) fn listed(words: &[Word]) -> String {
    words.iter().map(|w| format!("\"{}\"", w.name)).collect::<Vec<_>>().join(", ")
}

/// Lower-cases the first letter, unless it begins an acronym.
pub(crate) fn lower(text: &str) -> String {
    let mut letters = text.chars();
    match (letters.next(), letters.clone().next()) {
        (Some(first), Some(second)) if first.is_uppercase() && second.is_lowercase() => {
            first.to_lowercase().chain(letters).collect()
        }
        _ => text.into(),
    }
}

/// The error for an unknown name, with the nearest known one.
pub(crate) fn unknown(owner: &str, name: &str, params: &[Param]) -> Error {
    let names: Vec<&str> = params.iter().map(|p| p.name).collect();
    let hint =
        nearest(name, &names).map_or_else(|| format!("it has {}", names.join(", ")), |near| format!("did you mean {near}?"));
    Error::parameter(name, "given", &format!("absent: {owner} has no such parameter ({hint})"))
}

/// The known word of most similar spelling, if one is close.
pub fn nearest<'a>(word: &str, known: &[&'a str]) -> Option<&'a str> {
    let (distance, best) = known.iter().map(|k| (edits(word, k), *k)).min_by_key(|(d, _)| *d)?;
    (distance <= word.chars().count().max(3) / 3).then_some(best)
}

/// Edits between two words (Levenshtein).
fn edits(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.iter().enumerate() {
            let next = (diagonal + usize::from(x != *y)).min(row[j] + 1).min(row[j + 1] + 1);
            diagonal = std::mem::replace(&mut row[j + 1], next);
        }
    }
    row[b.len()]
}
