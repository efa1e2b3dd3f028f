//! The Python package as users get it: built from the source distribution, installed into fresh environments, tried.

use crate::{Outcome, declared, environment, printed, python_of, root, run, run_with, system_python, target};
use std::path::{Path, PathBuf};

/// The largest wheel that we give out.
const LARGEST_WHEEL: u64 = 15 << 20;

/// The oldest NumPy and SciPy with wheels, by the minor version of Python. The first line is what pyproject.toml promises.
const OLDEST: &[(u32, [&str; 2])] = &[
    (11, ["numpy==1.23.*", "scipy==1.9.*"]),
    (12, ["numpy==1.26.*", "scipy==1.11.*"]),
    (13, ["numpy==2.1.*", "scipy==1.14.*"]),
    (u32::MAX, ["numpy==2.3.*", "scipy==1.16.*"]),
];

/// The first maturin that puts our list of parts into a wheel.
const MATURIN: &str = "maturin>=1.16,<2";

/// Source distribution, the wheel that it gives, and the wheel tried with the oldest and the newest NumPy and SciPy. With
/// `--given FOLDER` the wheel was built elsewhere and is only tried; with `--twice` it is built once more, and has the same bytes.
pub(crate) fn wheel(args: &[String]) -> Outcome {
    match args {
        [] => try_both(&build()?),
        [option] if option == "--twice" => twice(),
        [option, folder] if option == "--given" => try_both(&only(&root().join(folder), ".whl")?),
        _ => Err("wheel takes --given FOLDER, --twice, or nothing".into()),
    }
}

/// Builds the source distribution, and the wheel from it.
fn build() -> Result<String, String> {
    let out = emptied("wheels")?;
    let folder = out.to_string_lossy().into_owned();
    let build = environment("venv-build", &[MATURIN])?;
    run(&build, &["-m", "maturin", "sdist", "--out", &folder])?;
    // The wheel comes from the source distribution, so that both are known to build. What cargo compiled before is used again.
    wheel_of(&build, &only(&out, ".tar.gz")?, &out, &target()?.join("sdist"))
}

/// Builds the wheel twice, each from nothing and in another folder, and compares the bytes.
fn twice() -> Outcome {
    let out = emptied("wheels-twice")?;
    let build = environment("venv-build", &[MATURIN])?;
    run(&build, &["-m", "maturin", "sdist", "--out", &out.to_string_lossy()])?;
    let source = only(&out, ".tar.gz")?;
    let mut bytes = vec![];
    for name in ["one", "two"] {
        let path = wheel_of(&build, &source, &out.join(name), &out.join(format!("compiled-{name}")))?;
        bytes.push(std::fs::read(&path).map_err(|e| format!("{path}: {e}"))?);
    }
    if bytes[0] != bytes[1] {
        return Err(format!("the wheels in {}/one and /two have other bytes", out.display()));
    }
    eprintln!("xtask: both wheels have the same {} bytes", bytes[0].len());
    Ok(())
}

/// The wheel of a source distribution. Its bytes are meant to depend on the sources and the compiler alone: files have the time of the
/// last commit, the list of parts is ours, and folders of this machine have other names in messages.
fn wheel_of(build: &Path, source: &str, out: &Path, compiled: &Path) -> Result<String, String> {
    let made =
        ["-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir", &out.to_string_lossy(), source];
    let path = build.parent().map(|bin| bin.display().to_string()).unwrap_or_default();
    let path = format!("{path}{}{}", if cfg!(windows) { ";" } else { ":" }, std::env::var("PATH").unwrap_or_default());
    let list = format!("--sbom-include {}", crate::sbom::wheel()?.display());
    let time = std::env::var("SOURCE_DATE_EPOCH").or_else(|_| printed("git", &["log", "-1", "--format=%ct"]))?;
    let variables = [
        ("CARGO_TARGET_DIR", &*compiled.to_string_lossy()),
        ("PATH", &path),
        ("MATURIN_PEP517_ARGS", &list),
        ("SOURCE_DATE_EPOCH", time.trim()),
        ("CARGO_ENCODED_RUSTFLAGS", &flags(compiled)),
    ];
    run_with(build, &made, &variables)?;
    only(out, ".whl")
}

/// Tells the compiler to call the folder of cargo `/cargo`, and that of what it compiles `/compiled`: panics of libraries name their
/// file, which a build script may have written.
fn flags(compiled: &Path) -> String {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let user = std::env::var_os(if cfg!(windows) { "USERPROFILE" } else { "HOME" });
    let home = home.or_else(|| user.map(|user| Path::new(&user).join(".cargo")));
    let named = home.iter().map(|home| (home.as_path(), "/cargo")).chain([(compiled, "/compiled")]);
    let flags: Vec<String> = named.map(|(folder, name)| format!("--remap-path-prefix={}={name}", folder.display())).collect();
    // Cargo separates flags by this character.
    flags.join("\u{1f}")
}

/// A folder under target/ with nothing in it.
fn emptied(name: &str) -> Result<PathBuf, String> {
    let out = target()?.join(name);
    if out.exists() {
        std::fs::remove_dir_all(&out).map_err(|e| format!("{}: {e}", out.display()))?;
    }
    Ok(out)
}

/// The wheel that `pip install .` makes and installs.
pub(crate) fn of_clone(python: &Path) -> Result<String, String> {
    let out = emptied("wheel-of-clone")?;
    let folder = out.to_string_lossy().into_owned();
    run(python, &["-m", "pip", "wheel", "--quiet", "--disable-pip-version-check", "--no-deps", "--wheel-dir", &folder, "."])?;
    only(&out, ".whl")
}

fn try_both(wheel: &str) -> Outcome {
    inspect(wheel)?;
    try_oldest(wheel)?;
    try_it("newest", &["numpy", "scipy"], wheel)
}

/// The wheel in a new environment with the oldest NumPy and SciPy that it promises to work with.
pub(crate) fn try_oldest(wheel: &str) -> Outcome {
    try_it("oldest", &oldest()?, wheel)
}

/// The one file of a folder with this ending.
fn only(folder: &Path, ending: &str) -> Result<String, String> {
    let entries = std::fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let paths: Vec<PathBuf> = entries.filter_map(|e| e.ok().map(|e| e.path())).collect();
    let found: Vec<&PathBuf> = paths.iter().filter(|p| p.to_string_lossy().ends_with(ending)).collect();
    match found[..] {
        [one] => Ok(one.to_string_lossy().into_owned()),
        _ => Err(format!("{} has {} files {ending}, not one", folder.display(), found.len())),
    }
}

/// Size, name and content of the wheel.
fn inspect(wheel: &str) -> Outcome {
    let size = std::fs::metadata(wheel).map_err(|e| format!("{wheel}: {e}"))?.len();
    eprintln!("xtask: {wheel}, {:.1} MB", size as f64 / f64::from(1 << 20));
    if size > LARGEST_WHEEL {
        return Err(format!("{wheel} has {} MB; {} is the limit", size >> 20, LARGEST_WHEEL >> 20));
    }
    let start = format!("landbridge-{}-cp310-abi3-", declared("version")?);
    if !Path::new(wheel).file_name().is_some_and(|n| n.to_string_lossy().starts_with(&start)) {
        return Err(format!("{wheel} is not called {start}…"));
    }
    let list = printed(system_python(), &["-m", "zipfile", "-l", wheel])?;
    for wanted in
        ["landbridge/py.typed", "landbridge/_landbridge.pyi", "LICENSE-MIT", "LICENSE-APACHE", "sboms/landbridge.cdx.json"]
    {
        if !list.contains(wanted) {
            return Err(format!("{wheel} has no {wanted}"));
        }
    }
    Ok(())
}

fn oldest() -> Result<[&'static str; 2], String> {
    let told = printed(system_python(), &["-c", "import sys; print(sys.version_info[1])"])?;
    let minor: u32 = told.trim().parse().map_err(|_| format!("{told:?} is not a version of Python"))?;
    OLDEST.iter().find(|(up_to, _)| minor <= *up_to).map(|(_, both)| *both).ok_or_else(|| "no line for this Python".into())
}

/// Installs the wheel into a new environment with nothing else, and runs python/tests/smoke.py outside of the clone.
fn try_it(name: &str, requirements: &[&str], wheel: &str) -> Outcome {
    let folder = target()?.join(format!("venv-smoke-{name}"));
    run(system_python(), &["-m", "venv", "--clear", &folder.to_string_lossy()])?;
    let python = python_of(&folder);
    let mut install = vec!["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--only-binary", ":all:"];
    install.extend_from_slice(requirements);
    install.push(wheel);
    run(&python, &install)?;
    let script = root().join("python/tests/smoke.py").to_string_lossy().into_owned();
    // -I: neither the folder of the script nor PYTHONPATH, so that only the installed package can be found.
    run(&python, &["-I", &script, &declared("version")?])
}
