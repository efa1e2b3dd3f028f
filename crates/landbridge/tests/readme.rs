//! The Rust block of README.md compiles and does what it says.

/// The block, line by line; `the_readme_shows_the_lines_of_this_file` fails when one of the two changes alone.
#[test]
fn the_block_runs() -> landbridge::Result<()> {
    use landbridge::{data::synthetic::SwissRolls, method::InstanceAlignment};

    let rolls = SwissRolls::new(300).generate()?;
    let alignment = InstanceAlignment::new(4).fit(&rolls.datasets, &rolls.pairs(30, 0)?)?;
    let placed = alignment.transform(rolls.datasets[1].rows(), 1)?;

    assert_eq!((placed.nrows(), placed.ncols()), (300, 4));
    Ok(())
}

#[test]
fn the_readme_shows_the_lines_of_this_file() {
    let readme = include_str!("../../../README.md");
    let source = include_str!("readme.rs");
    let block: Vec<&str> =
        readme.lines().skip_while(|line| *line != "```rust").skip(1).take_while(|line| *line != "```").collect();
    assert!(block.len() > 3, "README.md has no Rust block");
    for line in block {
        assert!(
            source.lines().any(|own| own.trim() == line.trim()),
            "this line of README.md is not in crates/landbridge/tests/readme.rs: {line}"
        );
    }
}
