//! What a release is made of: packages of the crates, the archive of the program, and the checks before it.

use crate::installed::{attempt, needs_nothing};
use crate::{Outcome, cargo, declared, environment, printed, root, run, run_with, target, works};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The crates that are published, each after those that it needs.
const PUBLISHED: &[&str] = &[
    "landbridge-derive",
    "landbridge",
    "landbridge-alloc",
    "landbridge-plot",
    "landbridge-io",
    "landbridge-control",
    "landbridge-report",
    "landbridge-cli",
];

/// The largest package that crates.io takes.
const LARGEST_PACKAGE: u64 = 10 << 20;

/// Where Debian and Ubuntu keep the licence of glibc.
const LGPL: &str = "/usr/share/common-licenses/LGPL-2.1";

/// What that licence asks of a program that has the library in it.
const GLIBC: &str = "\
The program `landbridge` in this archive has parts of the GNU C Library in it, Copyright (C) Free Software Foundation, Inc. and others.
That library is free software under the GNU Lesser General Public License, version 2.1 or later, whose text is in LICENSE-GLIBC.

To use another version of it, link the program anew from the sources of this version of landbridge:

    cargo rustc --release --locked --package landbridge-cli --bin landbridge -- -C target-feature=+crt-static

The sources of the library are at <https://sourceware.org/glibc/>, and in the packages of Debian and Ubuntu.
";

/// Platforms that `cross` checks. Windows by its GNU flavour: the C compiler at hand has no headers of MSVC.
const PLATFORMS: &[&str] = &[
    "aarch64-unknown-linux-gnu",
    "x86_64-unknown-linux-musl",
    "x86_64-apple-darwin",
    "aarch64-apple-darwin",
    "x86_64-pc-windows-gnu",
];

/// The packages of all crates: what is inside, how large they are and, unless told otherwise, whether each builds by itself.
pub(crate) fn package(args: &[String]) -> Outcome {
    complete()?;
    for name in PUBLISHED {
        let list = printed(cargo(), &["package", "--list", "--allow-dirty", "--package", name])?;
        let has = |wanted: &str| list.lines().any(|line| line.replace('\\', "/") == wanted);
        for wanted in ["Cargo.toml", "README.md", "LICENSE-MIT", "LICENSE-APACHE"] {
            if !has(wanted) {
                return Err(format!("the package of {name} has no {wanted}"));
            }
        }
        if let Some(odd) = list.lines().find(|l| l.starts_with("tests/") || l.starts_with("examples/") || l.ends_with(".so")) {
            return Err(format!("the package of {name} has {odd}, which does not belong there"));
        }
    }
    let mut whole = vec!["package", "--workspace", "--allow-dirty"];
    for name in ["xtask", "landbridge-py"] {
        whole.extend(["--exclude", name]);
    }
    if args.iter().any(|a| a == "--no-verify") {
        whole.push("--no-verify");
    }
    // One folder for all: by default each crate compiles its dependencies for itself. Symbols would take gigabytes.
    let folder = target()?.join("verify");
    run_with(cargo(), &whole, &[("CARGO_TARGET_DIR", &folder.to_string_lossy()), ("CARGO_PROFILE_DEV_DEBUG", "0")])?;
    let version = declared("version")?;
    for name in PUBLISHED {
        let path = folder.join("package").join(format!("{name}-{version}.crate"));
        let size = std::fs::metadata(&path).map_err(|e| format!("{}: {e}", path.display()))?.len();
        eprintln!("xtask: {name}-{version}.crate, {} kB", size / 1024);
        if size > LARGEST_PACKAGE {
            return Err(format!("{} has {} MB; crates.io takes 10", path.display(), size >> 20));
        }
    }
    Ok(())
}

/// Every crate is either in [`PUBLISHED`] or says that it is not published, and describes itself.
fn complete() -> Outcome {
    let folder = root().join("crates");
    for entry in std::fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))? {
        let path = entry.map_err(|e| format!("{}: {e}", folder.display()))?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let manifest = path.join("Cargo.toml");
        let text = std::fs::read_to_string(&manifest).map_err(|e| format!("{}: {e}", manifest.display()))?;
        if PUBLISHED.contains(&&*name) == text.contains("publish = false") {
            return Err(format!(
                "{name}: either `publish = false` in its Cargo.toml or a place in PUBLISHED (xtask/src/release.rs)"
            ));
        }
        let keys = ["license", "description", "readme", "keywords", "categories", "rust-version"];
        if let Some(missing) = keys.iter().find(|key| !text.lines().any(|l| l.starts_with(**key)) && PUBLISHED.contains(&&*name))
        {
            return Err(format!("{}: no {missing}", manifest.display()));
        }
    }
    Ok(())
}

/// An archive with the program, manual pages, completions and licences, under target/dist. The program of Linux is static: it starts
/// in a system without any other file, and is tried in one.
pub(crate) fn dist(args: &[String]) -> Outcome {
    let triple = match args {
        [] => host()?,
        [option, triple] if option == "--target" => triple.clone(),
        _ => return Err("dist takes --target TRIPLE, or nothing".into()),
    };
    let program = program_for(&triple)?;
    let version = declared("version")?;
    let told = printed(&program, &["--version"])?;
    if told.trim() != format!("landbridge {version}") {
        return Err(format!("{} says {:?}, Cargo.toml {version}", program.display(), told.trim()));
    }
    let name = format!("landbridge-{version}-{triple}");
    let dist = target()?.join("dist");
    let stage = dist.join(&name);
    if stage.exists() {
        std::fs::remove_dir_all(&stage).map_err(|e| format!("{}: {e}", stage.display()))?;
    }
    let make = |folder: &Path| std::fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()));
    let copy = |from: &Path, to: &Path| std::fs::copy(from, to).map_err(|e| format!("{}: {e}", from.display())).map(|_| ());
    make(&stage.join("completions"))?;
    let own = stage.join(program.file_name().unwrap_or_default());
    copy(&program, &own)?;
    if !triple.contains("windows") && works("strip", &["--version"]) {
        run("strip", &[&own.to_string_lossy()])?;
    }
    let linux = triple.contains("linux");
    if linux {
        needs_nothing(&own)?;
    }
    attempt(&own, linux)?;
    for file in ["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"] {
        copy(&root().join(file), &stage.join(file))?;
    }
    if triple.ends_with("linux-gnu") {
        copy(Path::new(LGPL), &stage.join("LICENSE-GLIBC"))?;
        std::fs::write(stage.join("GLIBC.md"), GLIBC).map_err(|e| format!("GLIBC.md: {e}"))?;
    }
    // Inside the archive, and beside it for those who want only the list.
    crate::sbom::write(&triple, &stage.join("sbom.cdx.json"))?;
    copy(&stage.join("sbom.cdx.json"), &dist.join(format!("{name}.cdx.json")))?;
    run(&own, &["man", &stage.join("man").to_string_lossy()])?;
    for (shell, file) in
        [("bash", "landbridge.bash"), ("zsh", "_landbridge"), ("fish", "landbridge.fish"), ("powershell", "_landbridge.ps1")]
    {
        let path = stage.join("completions").join(file);
        std::fs::write(&path, printed(&own, &["completions", shell])?).map_err(|e| format!("{}: {e}", path.display()))?;
    }
    let archive = format!("{name}{}", if triple.contains("windows") { ".zip" } else { ".tar.gz" });
    let (dist, out) = (dist.to_string_lossy().into_owned(), dist.join(&archive).to_string_lossy().into_owned());
    // `-a` chooses the format by the name of the archive; the tar of Windows writes zip.
    run("tar", &["-a", "-c", "-f", &out, "-C", &dist, &name])?;
    eprintln!("xtask: {out}");
    Ok(())
}

pub(crate) fn host() -> Result<String, String> {
    let told = printed("rustc", &["-vV"])?;
    told.lines().find_map(|l| l.strip_prefix("host: ")).map(str::to_string).ok_or_else(|| "rustc -vV names no host".into())
}

/// Builds the program for a platform that this machine can run.
fn program_for(triple: &str) -> Result<PathBuf, String> {
    let name = if triple.contains("windows") { "landbridge.exe" } else { "landbridge" };
    if triple == host()? && triple.contains("linux") {
        // Only the program is linked anew: libraries are the same with and without the flag. Given to all of them in RUSTFLAGS, it
        // would compile everything once more.
        let program = ["rustc", "--release", "--locked", "--package", "landbridge-cli", "--bin", "landbridge"];
        run(cargo(), &[&program[..], &["--", "-C", "target-feature=+crt-static"]].concat())?;
        return Ok(target()?.join("release").join(name));
    }
    if triple == host()? {
        run(cargo(), &["build", "--release", "--locked", "--package", "landbridge-cli"])?;
        return Ok(target()?.join("release").join(name));
    }
    zig(&["zigbuild", "--release", "--locked", "--package", "landbridge-cli", "--target", triple])?;
    Ok(target()?.join(triple).join("release").join(name))
}

/// cargo with a C compiler for every platform: zstd is C.
fn zig(args: &[&str]) -> Outcome {
    let python = environment("venv-cross", &["cargo-zigbuild>=0.20", "ziglang"])?;
    let bin = python.parent().map(Path::to_path_buf).unwrap_or_default();
    let path = std::env::var("PATH").unwrap_or_default();
    let path = format!("{}{}{path}", bin.display(), if cfg!(windows) { ";" } else { ":" });
    let target = target()?.to_string_lossy().into_owned();
    // The binding asks no interpreter: the module is for Python 3.10 and all that follow.
    run_with(bin.join("cargo-zigbuild"), args, &[("PATH", &path), ("CARGO_TARGET_DIR", &target), ("PYO3_NO_PYTHON", "1")])
}

/// Checks the libraries, the program and the Python module for other platforms, as far as their standard libraries are installed.
pub(crate) fn cross() -> Outcome {
    let sysroot = printed("rustc", &["--print", "sysroot"])?;
    let known = Path::new(sysroot.trim()).join("lib/rustlib");
    let (there, missing): (Vec<&str>, Vec<&str>) = PLATFORMS.iter().partition(|triple| known.join(triple).is_dir());
    for triple in &missing {
        eprintln!("xtask: {triple} is left out: rustup target add {triple}");
    }
    if there.is_empty() {
        return Err("no other platform is installed".into());
    }
    for triple in there {
        zig(&["check", "--locked", "--workspace", "--exclude", "xtask", "--target", triple])?;
    }
    Ok(())
}

/// Compiles with the oldest Rust that Cargo.toml names.
pub(crate) fn msrv() -> Outcome {
    let oldest = declared("rust-version")?;
    let toolchain = format!("+{oldest}.0");
    if !works("cargo", &[&toolchain, "--version"]) {
        return Err(format!("Rust {oldest} is not installed: rustup toolchain install {oldest}.0 --profile minimal"));
    }
    let target = target()?.join("msrv").to_string_lossy().into_owned();
    run_with("cargo", &[&toolchain, "check", "--workspace", "--locked"], &[("CARGO_TARGET_DIR", &target)])
}

/// Licences, bans and sources of dependencies; advisories where they can be fetched.
pub(crate) fn deny() -> Outcome {
    if !works("cargo", &["deny", "--version"]) {
        return Err("cargo-deny is not installed: cargo install --locked cargo-deny".into());
    }
    run(cargo(), &["deny", "--locked", "check", "licenses", "bans", "sources"])?;
    if Command::new("cargo")
        .args(["deny", "--locked", "fetch", "db"])
        .current_dir(root())
        .output()
        .is_ok_and(|o| o.status.success())
    {
        return run(cargo(), &["deny", "--locked", "check", "--disable-fetch", "advisories"]);
    }
    eprintln!("xtask: advisories are left out: their database cannot be fetched");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(name: &str) -> String {
        std::fs::read_to_string(root().join(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    }

    #[test]
    fn every_crate_is_published_or_says_that_it_is_not() {
        complete().unwrap();
    }

    #[test]
    fn one_version_everywhere() {
        let version = declared("version").unwrap();
        let own: Vec<String> = text("Cargo.toml").lines().filter(|l| l.contains("path = \"crates/")).map(String::from).collect();
        assert_eq!(own.len(), PUBLISHED.len() - 1, "the command line is the one crate that no other uses: {own:#?}");
        for line in own {
            assert!(line.contains(&format!("version = \"{version}\"")), "Cargo.toml: {line}");
        }
        assert!(text("CITATION.cff").contains(&format!("\nversion: {version}\n")), "CITATION.cff is not about {version}");
    }

    #[test]
    fn a_crate_stands_after_those_it_needs() {
        for (at, name) in PUBLISHED.iter().enumerate() {
            let manifest = text(&format!("crates/{name}/Cargo.toml"));
            for later in &PUBLISHED[at + 1..] {
                assert!(!manifest.contains(&format!("\n{later}.workspace")), "{name} needs {later}, which is published after it");
            }
        }
    }

    #[test]
    fn every_xtask_of_the_workflows_exists() {
        let usage = crate::USAGE;
        let folder = root().join(".github/workflows");
        let mut seen = 0;
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            for line in std::fs::read_to_string(&path).unwrap().lines().filter(|l| l.contains("run: cargo xtask ")) {
                let name = line.split("cargo xtask ").nth(1).and_then(|rest| rest.split_whitespace().next()).unwrap();
                assert!(usage.contains(&format!("cargo xtask {name} ")), "{}: {line}", path.display());
                seen += 1;
            }
        }
        assert!(seen >= 8, "only {seen} commands were found");
    }
}
