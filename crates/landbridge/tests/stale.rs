//! Generated files are checked in. They must be what the declarations say.

mod generated;

#[test]
fn generated_files_are_what_the_declarations_say() {
    for (path, text) in generated::files() {
        // The library may be packaged without the Python package beside it.
        let Ok(found) = std::fs::read_to_string(generated::root().join(path)) else { continue };
        let first = found
            .lines()
            .zip(text.lines())
            .position(|(a, b)| a != b)
            .unwrap_or_else(|| found.lines().count().min(text.lines().count()));
        assert!(found == text, "{path} is stale from line {}: run `cargo xtask generate`", first + 1);
    }
}
