//! Writes what follows from the declarations of the methods: the Python classes and the tables of parameters in the docs.
//!
//! `cargo xtask generate` runs it; a test fails when a generated file is stale.

#[path = "../tests/generated/mod.rs"]
mod generated;

fn main() -> std::io::Result<()> {
    for (path, text) in generated::files() {
        let path = generated::root().join(path);
        std::fs::write(&path, text)?;
        println!("{}", path.display());
    }
    Ok(())
}
