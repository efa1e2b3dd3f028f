//! What Rust programs rely on: every public name of the libraries, in api/rust.txt. A test fails when they change and the list does not.
//!
//! The lint `unreachable_pub` makes sure that `pub` means public, so that a walk over the source finds the names. The test stands
//! in this crate because it reads Rust with the parser that the derive macros use.

use quote::ToTokens;
use std::path::{Path, PathBuf};
use syn::{Attribute, Fields, ImplItem, Item, TraitItem, Visibility};

const LIBRARIES: [&str; 6] =
    ["landbridge", "landbridge-io", "landbridge-plot", "landbridge-report", "landbridge-control", "landbridge-alloc"];

/// Spaces that the printer of tokens adds and people do not write.
const SPACES: [(&str, &str); 15] = [
    (" ::", "::"),
    (":: ", "::"),
    (" <", "<"),
    ("< ", "<"),
    (" >", ">"),
    (" ,", ","),
    (" (", "("),
    ("( ", "("),
    (" )", ")"),
    ("& ", "&"),
    (" :", ":"),
    (" ;", ";"),
    (",)", ")"),
    ("->", " -> "),
    ("  ", " "),
];

fn text(tokens: impl ToTokens) -> String {
    SPACES.iter().fold(tokens.to_token_stream().to_string(), |text, (from, to)| text.replace(from, to)).trim().to_string()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).map(Path::to_path_buf).unwrap_or_default()
}

fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

fn for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|a| a.path().is_ident("cfg") && text(a).contains("test"))
}

/// The traits that an item derives, in the order of the alphabet.
fn derived(attributes: &[Attribute]) -> Vec<String> {
    let mut all = vec![];
    for attribute in attributes.iter().filter(|a| a.path().is_ident("derive")) {
        let read = attribute.parse_nested_meta(|meta| {
            all.push(text(&meta.path));
            Ok(())
        });
        read.unwrap_or_else(|e| panic!("{}: {e}", text(attribute)));
    }
    all.sort();
    all
}

/// The fields and variants of an item without their doc comments.
fn fields(given: &Fields) -> String {
    let mut given = given.clone();
    given.iter_mut().for_each(|field| field.attrs.clear());
    text(given)
}

fn walk(items: &[Item], module: &str, lines: &mut Vec<String>) {
    for item in items {
        match item {
            Item::Mod(own) if !for_tests(&own.attrs) => {
                let name = format!("{module}::{}", own.ident);
                if is_public(&own.vis) {
                    lines.push(format!("mod {name}"));
                }
                if let Some((_, inner)) = &own.content {
                    walk(inner, &name, lines);
                }
            }
            Item::Fn(own) if is_public(&own.vis) => lines.push(format!("{} in {module}", text(&own.sig))),
            Item::Const(own) if is_public(&own.vis) => lines.push(format!("const {module}::{}: {}", own.ident, text(&own.ty))),
            Item::Static(own) if is_public(&own.vis) => lines.push(format!("static {module}::{}: {}", own.ident, text(&own.ty))),
            Item::Type(own) if is_public(&own.vis) => lines.push(format!("type {module}::{} = {}", own.ident, text(&own.ty))),
            Item::Use(own) if is_public(&own.vis) => lines.push(format!("use {} in {module}", text(&own.tree))),
            Item::Struct(own) if is_public(&own.vis) => {
                let name = format!("{module}::{}{}", own.ident, text(&own.generics));
                let derived = derived(&own.attrs);
                // A parameter is a private field with a builder of the same name.
                let declares = derived.iter().any(|d| d == "Params");
                for (at, field) in own.fields.iter().enumerate().filter(|(_, f)| declares || is_public(&f.vis)) {
                    let own = field.ident.as_ref().map_or_else(|| at.to_string(), ToString::to_string);
                    lines.push(format!("struct {name}.{own}: {}", text(&field.ty)));
                }
                lines.push(format!("struct {name} [{}]", derived.join(" ")));
            }
            Item::Enum(own) if is_public(&own.vis) => {
                let name = format!("{module}::{}{}", own.ident, text(&own.generics));
                lines
                    .extend(own.variants.iter().map(|v| format!("enum {name}::{} {}", v.ident, fields(&v.fields)).trim().into()));
                let open = if own.attrs.iter().any(|a| a.path().is_ident("non_exhaustive")) { " non_exhaustive" } else { "" };
                lines.push(format!("enum {name} [{}]{open}", derived(&own.attrs).join(" ")));
            }
            Item::Trait(own) if is_public(&own.vis) => {
                let name = format!("{module}::{}{}", own.ident, text(&own.generics));
                let functions = own.items.iter().filter_map(|i| if let TraitItem::Fn(f) = i { Some(f) } else { None });
                lines.extend(functions.map(|f| format!("trait {name}: {}", text(&f.sig))));
                lines.push(format!("trait {name} [{}]", text(&own.supertraits)));
            }
            Item::Impl(own) if own.trait_.is_none() && !for_tests(&own.attrs) => {
                let name = format!("{module}::{}", text(&own.self_ty));
                for inner in &own.items {
                    match inner {
                        ImplItem::Fn(f) if is_public(&f.vis) => lines.push(format!("impl {name}: {}", text(&f.sig))),
                        ImplItem::Const(c) if is_public(&c.vis) => {
                            lines.push(format!("impl {name}: const {}: {}", c.ident, text(&c.ty)))
                        }
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display())) {
        let path = entry.expect("the folder can be read").path();
        match path.is_dir() {
            true => sources(&path, found),
            false if path.extension().is_some_and(|e| e == "rs") && !path.ends_with("tests.rs") => found.push(path),
            false => {}
        }
    }
}

/// Every public name, one per line.
fn names() -> Vec<String> {
    let mut lines = vec![];
    for library in LIBRARIES {
        let source = root().join("crates").join(library).join("src");
        let mut found = vec![];
        sources(&source, &mut found);
        for path in found {
            let inner = path.strip_prefix(&source).expect("below src").with_extension("");
            let parts = inner.iter().map(|p| p.to_string_lossy().into_owned()).filter(|p| p != "lib" && p != "mod");
            let module = std::iter::once(library.replace('-', "_")).chain(parts).collect::<Vec<_>>().join("::");
            let code = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
            let parsed = syn::parse_file(&code).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
            walk(&parsed.items, &module, &mut lines);
        }
    }
    lines.sort();
    lines.dedup();
    lines
}

#[test]
fn public_names_are_those_of_the_list() {
    let lines = names();
    assert!(lines.len() > 500, "only {} names were found: the test does not read the code any more", lines.len());
    let head = "# Public names of the Rust libraries. `cargo xtask api` writes this file; VERSIONING.md says what may change.\n";
    let found = format!("{head}{}\n", lines.join("\n"));
    let path = root().join("api/rust.txt");
    if std::env::var_os("LANDBRIDGE_WRITE_API").is_some() {
        std::fs::write(&path, &found).expect("api/rust.txt can be written");
    }
    let listed = std::fs::read_to_string(&path).expect("api/rust.txt is there");
    let gone: Vec<&str> = listed.lines().filter(|l| !found.lines().any(|m| m == *l)).collect();
    let new: Vec<&str> = found.lines().filter(|l| !listed.lines().any(|m| m == *l)).collect();
    assert!(
        listed == found,
        "api/rust.txt does not list the libraries as they are. Gone: {gone:#?}\nNew: {new:#?}\nIf you mean the change, run `cargo xtask api`"
    );
}
