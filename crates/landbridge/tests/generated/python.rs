//! The Python classes: real signatures, words as types, docstrings.

use landbridge::params::{Kind, Param, Schema, Value};
use landbridge::registry;

const HEAD: &str = r#""""One class per method and embedding.

Written by `cargo xtask generate` from the declarations in Rust: do not edit.
"""

from __future__ import annotations

from typing import Any, Literal

from ._alignment import _CLASSES, Alignment
from ._embeddings import _EMBEDDINGS, Embedding, LinearEmbedding
from ._global import GlobalMaps
from ._linear import LinearMaps
from ._multiscale import Levels
from ._predicting import Predicting, Votes
from ._self_training import SelfTrained
from ._sparse import SparseMaps
from ._two_step import TwoStep
"#;

/// The base class of a family, and what a fit of it adds.
fn family(name: &str) -> (&'static str, &'static str) {
    const PLACES: &str =
        "embeddings_ : list of (n_a, d) arrays, the fitted rows in the joint space\neigenvalues_ : array, one per component\n";
    match name {
        "places" => ("Alignment", PLACES),
        "maps" => (
            "LinearMaps",
            "embeddings_ : list of (n_a, d) arrays, the fitted rows in the joint space\nmaps_ : list of (p_a, d) arrays\ncomponent_weights_ : (d,) array or None\neigenvalues_ : array, one per component\n",
        ),
        "global" => (
            "GlobalMaps",
            "embeddings_ : list of (n_a, d) arrays, the fitted rows in the joint space\nmaps_ : list of (p_a, d) arrays; empty at instance level\ncomponent_weights_ : (d,) array ``sqrt(eigenvalues_)``, or None\neigenvalues_ : (d,) array, descending\nscales_ : (c,) array, what the distances of each dataset were multiplied by\n",
        ),
        "levels" => (
            "Levels",
            "levels_ : list of int, the dimension of each level, finest first\nlevel_ : int, the level that everything else speaks of: the finest that leaves something out\nembeddings_, maps_ : at `level_`; `at_level` gives another\neigenvalues_ : all non-zero eigenvalues of the problem, ascending\n",
        ),
        "sparse" => (
            "SparseMaps",
            "embeddings_ : list of (n_a, d) arrays, the fitted rows in the joint space\nmaps_ : list of (p_a, d) sparse arrays\nfeatures_used_, pruned_ : features of each dataset with any weight, and the share of those without\nalphas_, betas_, largest_alphas_ : strengths, as they stand in the objective\ngaps_, objectives_ : the largest relative duality gap, the least value found\n",
        ),
        "two_step" => (
            "TwoStep",
            "embeddings_ : list of (n_a, d) arrays, the fitted rows in the joint space\nscale_, rotation_, translation_ : coordinates are ``scale_[a] * y @ rotation_[a] + translation_[a]``\nresiduals_ : (l,) array, the distance between the two ends of each pair\neigenvalues_ : those of the first embedding\n",
        ),
        "predicts" => ("Predicting", PLACES),
        "votes" => ("Votes", "votes_ : list of (p_a,) arrays, what is predicted for the columns of each dataset\n"),
        "self_training" => ("SelfTrained", "embeddings_, eigenvalues_ : of the base method\n"),
        "linear_embedding" => (
            "LinearEmbedding",
            "embedding_ : (n, d) array, the fitted rows\ncomponents_ : (d, p) array, the directions\neigenvalues_ : (d,) array\n",
        ),
        "embedding" => ("Embedding", "embedding_ : (n, d) array, the fitted rows\neigenvalues_ : (d,) array\n"),
        other => panic!("family {other:?} has no base class in Python"),
    }
}

/// `_methods.py`.
pub(super) fn classes() -> String {
    let mut out = String::from(HEAD);
    // No embedding at all has no class: it is `embedding=None`.
    let embeddings: Vec<_> = registry::embeddings().into_iter().filter(|s| s.name != "none").collect();
    let methods = registry::methods();
    methods.iter().for_each(|s| class(s, "_method", &mut out));
    embeddings.iter().for_each(|s| class(s, "_embedding", &mut out));
    for (list, schemas) in [("_CLASSES", &methods), ("_EMBEDDINGS", &embeddings)] {
        out.push_str(&format!("\n{list}.update(\n    {{\n"));
        schemas.iter().for_each(|s| out.push_str(&format!("        \"{}\": {},\n", s.name, s.class)));
        out.push_str("    }\n)\n");
    }
    let mut names: Vec<&str> = methods.iter().chain(&embeddings).map(|s| s.class).collect();
    names.sort_unstable();
    out.push_str("\n__all__ = [\n");
    names.iter().for_each(|n| out.push_str(&format!("    \"{n}\",\n")));
    out.push_str("]\n");
    out
}

/// Markup of rustdoc that Python readers do not know.
pub(super) fn plain(text: &str) -> String {
    let mut out = text.replace("[`", "`").replace("`]", "`").replace('\\', "\\\\");
    for (rust, python) in
        [("crate::method::", ""), ("super::", ""), ("crate::embed::", ""), ("crate::solve::", "landbridge.solve.")]
    {
        out = out.replace(rust, python);
    }
    out
}

/// The prose of a declaration without its Rust code, and its Python section.
fn sections(doc: &str) -> (String, String) {
    let (prose, python) = doc.split_once("# Python").unwrap_or((doc, ""));
    let mut kept = vec![];
    let mut code = false;
    for line in prose.lines() {
        if line.trim_start().starts_with("```") {
            code = !code;
            continue;
        }
        if !code {
            kept.push(line);
        }
    }
    let python: Vec<&str> = python.lines().filter(|l| !l.trim_start().starts_with("```")).collect();
    (plain(kept.join("\n").trim()), python.join("\n").trim().to_string())
}

fn class(schema: &Schema, attribute: &str, out: &mut String) {
    let (base, attributes) = family(schema.family);
    let (prose, python) = sections(schema.doc);
    let mut doc = format!("{prose}\n\nParameters\n----------\n");
    for p in &schema.params {
        if p.name == "n_jobs" {
            continue;
        }
        let default = match &p.default {
            None => String::new(),
            Some(_) => format!(", default {}", literal(p)),
        };
        doc.push_str(&format!("{} : {}{default}\n", p.name, kind_in_words(p)));
        for line in plain(p.doc).lines() {
            doc.push_str(&if line.is_empty() { "\n".to_string() } else { format!("    {line}\n") });
        }
        for w in p.words().iter().filter(|w| !w.doc.is_empty()) {
            let text = w.doc.lines().map(str::trim).collect::<Vec<_>>().join(" ");
            doc.push_str(&format!("    \"{}\": {}\n", w.name, plain(&text)));
        }
    }
    if schema.family == "two_step" {
        doc.push_str(
            "embedding_params : dict, default None\n    Parameters of the embedding by their own names, instead of here.\n",
        );
    }
    doc.push_str("n_jobs : int, default None\n    Threads; None or -1 is all cores. Results do not depend on it.\n");
    doc.push_str("verbose : int, default 0\n    1 writes progress to stderr.\n");
    doc.push_str(&format!("\nAttributes\n----------\n{attributes}outcome_ : Outcome, with status, residual, solver, seconds per stage and warnings\n"));
    if !python.is_empty() {
        doc.push_str(&format!("\nExamples\n--------\n{python}\n"));
    }
    let doc = doc.lines().map(|l| if l.is_empty() { String::new() } else { format!("    {l}") }).collect::<Vec<_>>().join("\n");
    let doc = doc.trim_start().to_string();
    let raw = if doc.contains('\\') { "r" } else { "" };
    out.push_str(&format!(
        "\n\nclass {}({base}):\n    {raw}\"\"\"{doc}\n    \"\"\"\n\n    {attribute} = \"{}\"\n\n",
        schema.class, schema.name
    ));

    let mut params: Vec<(String, String, Option<String>)> = schema
        .params
        .iter()
        .filter(|p| p.name != "n_jobs")
        .map(|p| (p.name.to_string(), annotation(p), p.default.as_ref().map(|_| literal(p))))
        .collect();
    if schema.family == "two_step" {
        // The dimension comes first, as in all methods.
        let at = params.iter().position(|p| p.0 == "n_components").unwrap_or(0);
        let dimension = params.remove(at);
        params.insert(0, dimension);
        params.push(("embedding_params".into(), "dict[str, Any] | None".into(), Some("None".into())));
    }
    params.push(("n_jobs".into(), "int | None".into(), Some("None".into())));
    params.push(("verbose".into(), "int".into(), Some("0".into())));
    out.push_str("    def __init__(\n        self,\n");
    for (at, (name, annotation, default)) in params.iter().enumerate() {
        if at == 1 {
            out.push_str("        *,\n");
        }
        let default = default.as_ref().map_or_else(String::new, |d| format!(" = {d}"));
        out.push_str(&format!("        {name}: {annotation}{default},\n"));
    }
    out.push_str("    ) -> None:\n");
    for (name, ..) in &params {
        out.push_str(&format!("        self.{name} = {name}\n"));
    }
}

/// The default as Python writes it.
fn literal(p: &Param) -> String {
    match &p.default {
        None => String::new(),
        Some(Value::None) if p.auto => "\"auto\"".into(),
        Some(Value::None) => "None".into(),
        Some(Value::Flag(true)) => "True".into(),
        Some(Value::Flag(false)) => "False".into(),
        Some(Value::Int(n)) => n.to_string(),
        Some(Value::Number(v)) => format!("{v:?}"),
        Some(Value::Text(text)) => format!("\"{text}\""),
        Some(other) => panic!("{}: no literal for {other}", p.name),
    }
}

/// The type of a parameter.
fn annotation(p: &Param) -> String {
    let auto = p.auto || p.default == Some(Value::Text("auto".into()));
    let mut parts: Vec<String> = vec![];
    match p.kind {
        Kind::Flag => parts.push("bool".into()),
        Kind::Count => parts.push("int".into()),
        Kind::Number => parts.push("float".into()),
        Kind::Word(words) => {
            let mut names: Vec<String> = words.iter().map(|w| format!("\"{}\"", w.name)).collect();
            if auto && !words.iter().any(|w| w.name == "auto") {
                names.insert(0, "\"auto\"".into());
            }
            parts.push(format!("Literal[{}]", names.join(", ")));
        }
        _ => return "Any".into(),
    }
    if auto && !matches!(p.kind, Kind::Word(_)) {
        parts.push("Literal[\"auto\"]".into());
    }
    if (p.optional && !p.auto) || p.words().iter().any(|w| w.name == "none") {
        parts.push("None".into());
    }
    parts.join(" | ")
}

/// The type in a docstring.
fn kind_in_words(p: &Param) -> String {
    match p.kind {
        Kind::Flag => "bool".into(),
        Kind::Count => "int".into(),
        Kind::Number => "float".into(),
        Kind::Word(words) => words.iter().map(|w| format!("\"{}\"", w.name)).collect::<Vec<_>>().join(", "),
        Kind::Graphs => "list of sparse matrices, one per dataset".into(),
        Kind::Matrices => "list of (n_a, n_a) arrays".into(),
        Kind::Order => "list with one permutation of the columns per dataset".into(),
        Kind::Groups => "list with one entry per dataset: lists of column numbers, or one label per column".into(),
        Kind::Method => "an alignment such as ``LinearAlignment(100)``".into(),
        _ => "any".into(),
    }
}
