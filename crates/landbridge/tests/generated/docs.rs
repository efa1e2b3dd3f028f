//! The tables of parameters.

use landbridge::params::{Param, Schema};
use landbridge::registry;

/// `docs/parameters.md`.
pub(super) fn parameters() -> String {
    let mut out = String::from(
        "# Parameters of every method\n\n\
         Written by `cargo xtask generate` from the declarations in Rust: do not edit. The names are those of Rust and Python; on \
         the command line an underscore is a dash (`--n-neighbors`).\n",
    );
    out.push_str("\n## Methods\n\n| method | Python | choose it when | paper |\n|---|---|---|---|\n");
    for s in registry::methods() {
        out.push_str(&format!("| [`{}`](#{0}) | `{}` | {} | {} |\n", s.name, s.class, s.choose, s.paper));
    }
    registry::methods().iter().for_each(|s| table(s, &mut out));
    out.push_str("\n# Embeddings of one dataset\n");
    registry::embeddings().iter().for_each(|s| table(s, &mut out));
    out
}

fn table(schema: &Schema, out: &mut String) {
    out.push_str(&format!("\n## {}\n\n{}\n\n", schema.name, super::python::plain(&schema.summary())));
    for (what, why) in schema.unpromised {
        out.push_str(&format!("Does not promise `{what}` ([reliability](reliability.md)): {why}.\n\n"));
    }
    out.push_str("| parameter | default | range or words | purpose |\n|---|---|---|---|\n");
    for p in &schema.params {
        let doc = p.doc.lines().take_while(|l| !l.trim().is_empty()).collect::<Vec<_>>().join(" ");
        let purpose = super::python::plain(&doc).replace('|', "\\|");
        out.push_str(&format!("| `{}` | {} | {} | {purpose} |\n", p.name, default(p), takes(p)));
    }
}

fn default(p: &Param) -> String {
    match p.default_text().as_str() {
        "required" => "required".into(),
        text => format!("`{text}`"),
    }
}

fn takes(p: &Param) -> String {
    if !p.words().is_empty() {
        return p.words().iter().map(|w| format!("`{}`", w.name)).collect::<Vec<_>>().join(", ");
    }
    p.expected().replace('|', "\\|")
}
