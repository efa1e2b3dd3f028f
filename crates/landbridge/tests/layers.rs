//! Imports point one way. Each module may use those listed before it, never one listed after.

use std::path::Path;

/// The modules of the library, lowest first.
const LAYERS: &[&str] = &[
    "error",
    "outcome",
    "memo",
    "memory",
    "progress",
    "linalg",
    "run",
    "params",
    "builder",
    "data",
    "geometry",
    "problem",
    "solve",
    "model",
    "embed",
    "evaluate",
    "method",
    "statistics",
    "apply",
    "correspondence",
    "registry",
    "choose",
];

fn files(folder: &Path, found: &mut Vec<std::path::PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => files(&path, found),
            false => found.push(path),
        }
    }
}

/// The modules that a line of code names by `crate::`.
fn named(line: &str) -> impl Iterator<Item = &str> {
    line.split("crate::").skip(1).map(|rest| rest.split(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap_or_default())
}

#[test]
fn no_module_imports_one_above_it() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut all = vec![];
    files(&source, &mut all);
    all.sort();
    let rank = |module: &str| LAYERS.iter().position(|l| *l == module);
    let mut offending = vec![];
    let mut seen = 0;
    for path in all {
        let inner = path.strip_prefix(&source).unwrap();
        let first = inner.components().next().unwrap().as_os_str().to_string_lossy().replace(".rs", "");
        if first == "lib" || path.ends_with("tests.rs") {
            continue;
        }
        let own = rank(&first).unwrap_or_else(|| panic!("{first}: a module that is in no layer; add it to LAYERS"));
        let text = std::fs::read_to_string(&path).unwrap();
        // What tests import is free.
        let code = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
        for (number, line) in code.lines().enumerate() {
            if line.trim_start().starts_with("//") {
                continue;
            }
            for module in named(line) {
                seen += 1;
                // Types and functions at the root (`crate::Error`) belong to no module.
                if rank(module).is_some_and(|other| other > own) {
                    offending.push(format!("{}:{}: {}", inner.display(), number + 1, line.trim()));
                }
            }
        }
    }
    assert!(seen > 300, "only {seen} imports were found: the test does not read the code any more");
    assert!(offending.is_empty(), "imports that point up the layers:\n{}", offending.join("\n"));
}
