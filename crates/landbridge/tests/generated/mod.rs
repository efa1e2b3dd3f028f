//! The generated files, as text: shared by the program that writes them and the test that compares them.

mod docs;
mod python;

use std::path::{Path, PathBuf};

/// The root of the project.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).map(Path::to_path_buf).unwrap_or_default()
}

/// Every generated file and its text.
pub(crate) fn files() -> Vec<(&'static str, String)> {
    vec![("python/landbridge/_methods.py", python::classes()), ("docs/parameters.md", docs::parameters())]
}
