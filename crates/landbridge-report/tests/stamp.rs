//! The viewer that is checked in was built from the sources that are checked in.

use sha2::{Digest, Sha256};
use std::path::Path;

#[test]
fn the_viewer_is_built_from_its_sources() {
    let web = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web");
    if !web.is_dir() {
        return; // the crate by itself, without its repository
    }
    let mut names: Vec<String> = ["build.mjs", "package-lock.json", "package.json", "tsconfig.json"].map(String::from).to_vec();
    let mut sources: Vec<String> = std::fs::read_dir(web.join("src"))
        .unwrap()
        .map(|entry| format!("src/{}", entry.unwrap().file_name().to_string_lossy()))
        .collect();
    sources.sort();
    names.extend(sources);
    let mut hash = Sha256::new();
    for name in names {
        hash.update(format!("{name}\n"));
        hash.update(std::fs::read(web.join(&name)).unwrap());
    }
    let hash: String = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    let stamp = include_str!("../assets/viewer.stamp").trim();
    assert_eq!(stamp, hash, "web/ has changed since the viewer was built: run `cargo xtask web`");
}
