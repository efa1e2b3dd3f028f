//! Tests in three tiers: `quick` while you work, `test` before a merge, `slow` in the night.

use crate::{Outcome, cargo, environment, installed, root, run, run_with, target, works};
use std::path::{Path, PathBuf};
use std::process::Command;

const TEST_REQUIREMENTS: &[&str] = &[
    "numpy",
    "scipy",
    "scikit-learn",
    "pandas",
    "polars",
    "pyarrow",
    "anndata",
    "mudata",
    "h5py",
    "biotite",
    "dask[array,dataframe]",
    "distributed",
    "onnxruntime",
    "pytest",
    "mypy",
];

/// Format and lints. Lints of a profile share its build scripts and macros.
pub(crate) fn check(profile: &str) -> Outcome {
    run(cargo(), &["fmt", "--all", "--check"])?;
    run(cargo(), &["clippy", "--profile", profile, "--workspace", "--all-targets", "--", "-D", "warnings"])
}

/// The integration tests that `quick` runs: rules of the sources, lists that must be fresh, every method once, the commands. Each program of
/// integration tests has the library linked in, so all fifty would take longer to link than to run.
const QUICK: &[&str] =
    &["layers", "stale", "public_names", "stamp", "readme", "presets", "every_method", "models", "commands", "options"];

/// What you run while you work. It builds incrementally and without a package, and leaves the examples of the Rust documentation, most
/// integration tests and the slow files of Python tests (python/tests/conftest.py) to `test`.
pub(crate) fn quick() -> Outcome {
    check("work")?;
    // All in one call: another choice of packages is another choice of features, and compiles dependencies again. Without the Python
    // module that does not happen, and `--lib` would make a program of it that lacks an interpreter.
    let mut tests = vec!["test", "--profile", "work", "--workspace", "--exclude", "landbridge-py", "--quiet", "--lib", "--bins"];
    tests.extend(QUICK.iter().flat_map(|name| ["--test", name]));
    run(cargo(), &tests)?;
    let python = environment("venv-test", TEST_REQUIREMENTS)?;
    let folder = work_package()?;
    let program = target()?.join("work").join(installed::NAME);
    let variables = [("PYTHONPATH", &*folder.to_string_lossy()), ("LANDBRIDGE_CLI", &*program.to_string_lossy())];
    run_with(&python, &["-m", "pytest", "-q", "-m", "not slow", "python/tests"], &variables)
}

/// The Python package with the module of the work profile, in a folder of its own: the sources stay as they are.
fn work_package() -> Result<PathBuf, String> {
    run(cargo(), &["build", "--profile", "work", "--workspace"])?;
    let target = target()?;
    let folder = target.join("work-python");
    let package = folder.join("landbridge");
    let failed = |path: &Path, error: std::io::Error| format!("{}: {error}", path.display());
    if package.exists() {
        std::fs::remove_dir_all(&package).map_err(|e| failed(&package, e))?;
    }
    std::fs::create_dir_all(&package).map_err(|e| failed(&package, e))?;
    let source = root().join("python/landbridge");
    for entry in std::fs::read_dir(&source).map_err(|e| failed(&source, e))? {
        let path = entry.map_err(|e| failed(&source, e))?.path();
        if path.extension().is_some_and(|e| e == "py" || e == "pyi" || e == "typed") {
            let name = path.file_name().unwrap_or_default();
            std::fs::copy(&path, package.join(name)).map_err(|e| failed(&path, e))?;
        }
    }
    let (library, module) = match std::env::consts::OS {
        "windows" => ("_landbridge.dll", "_landbridge.pyd"),
        "macos" => ("lib_landbridge.dylib", "_landbridge.abi3.so"),
        _ => ("lib_landbridge.so", "_landbridge.abi3.so"),
    };
    let library = target.join("work").join(library);
    std::fs::copy(&library, package.join(module)).map_err(|e| failed(&library, e))?;
    Ok(folder)
}

pub(crate) fn test() -> Outcome {
    check("release")?;
    run(cargo(), &["test", "--release", "--workspace"])?;
    demo()?;
    installed::install()?;
    browser_tests()?;
    python_tests()
}

/// What takes long: files of gigabytes and more mutated ones, the site, fuzzing, benchmarks, experiments.
pub(crate) fn slow(args: &[String]) -> Outcome {
    let hostile = ["test", "--release", "--workspace", "--test", "hostile", "--test", "hostile_cells"];
    run_with(cargo(), &hostile, &[("LANDBRIDGE_GIANTS", "1"), ("LANDBRIDGE_ROUNDS", "20")])?;
    crate::docs::docs(&[])?;
    sanitize(&[])?;
    fuzz(&["600".into()])?;
    bench(&["--quick".into(), "--compare".into()])?;
    match args {
        [] => {
            eprintln!("xtask: the experiments are left out: give --data DIR to run them");
            Ok(())
        }
        given => experiments(given),
    }
}

/// The lists of public names, written by the tests that compare them.
pub(crate) fn api() -> Outcome {
    let write = [("LANDBRIDGE_WRITE_API", "1")];
    let rust = ["test", "--profile", "work", "--workspace", "--bin", "landbridge", "--test", "public_names"];
    run_with(cargo(), &rust, &write)?;
    let python = environment("venv-test", TEST_REQUIREMENTS)?;
    let folder = work_package()?;
    let path = folder.to_string_lossy();
    run_with(&python, &["-m", "pytest", "-q", "python/tests/test_api.py"], &[write[0], ("PYTHONPATH", &path)])
}

/// The pages of the Rust libraries, as docs.rs makes them, into target/doc.
pub(crate) fn rustdoc() -> Outcome {
    let pages = ["doc", "--profile", "work", "--workspace", "--no-deps", "--exclude", "xtask", "--exclude", "landbridge-py"];
    run_with(cargo(), &pages, &[("RUSTDOCFLAGS", "-D warnings")])
}

/// The viewer of reports, into crates/landbridge-report/assets.
pub(crate) fn web() -> Outcome {
    run("npm", &["ci", "--prefix", "web", "--ignore-scripts", "--no-audit", "--no-fund"])?;
    run("npm", &["run", "--prefix", "web", "build"])
}

/// Reports in a browser. What these tests need may be missing; then they say so and are skipped.
pub(crate) fn browser_tests() -> Outcome {
    let skip = |why: &str| {
        eprintln!("xtask: the tests of reports in a browser are skipped: {why}");
        Ok(())
    };
    if !works("node", &["--version"]) || !works("npm", &["--version"]) {
        return skip("Node.js is not installed");
    }
    let Some(chromium) = ["chromium", "chromium-browser", "google-chrome"].into_iter().find(|p| works(p, &["--version"])) else {
        return skip("Chromium is not installed (Debian: apt-get install chromium)");
    };
    // The browser alone: a package that cannot be fetched is not a failure of ours.
    if run("npm", &["ci", "--prefix", "web/tests", "--ignore-scripts", "--no-audit", "--no-fund"]).is_err() {
        return skip("npm cannot install playwright-core and axe-core");
    }
    let program = program()?;
    let path = Command::new("sh").args(["-c", &format!("command -v {chromium}")]).output().map_err(|e| e.to_string())?;
    let path = String::from_utf8_lossy(&path.stdout).trim().to_string();
    let variables = [("LANDBRIDGE", &*program.to_string_lossy()), ("CHROMIUM", &path)];
    run_with("node", &["--test", "web/tests/page.test.mjs"], &variables)
}

/// The demo, by the program that the tests have built: `cargo run` would compile most dependencies again, with the features that
/// the command line alone asks for.
fn demo() -> Outcome {
    let picture = root().join("target/demo.svg").to_string_lossy().into_owned();
    match built()? {
        Some(program) => run(program, &["demo", "-o", &picture]),
        None => run(cargo(), &["run", "--release", "--", "demo", "-o", &picture]),
    }
}

/// The command line that the tests have built, if they have.
fn built() -> Result<Option<PathBuf>, String> {
    let program = target()?.join("release").join(installed::NAME);
    Ok(Some(program).filter(|program| program.is_file()))
}

/// The command line, built if the tests have not.
pub(crate) fn program() -> Result<PathBuf, String> {
    if built()?.is_none() {
        run(cargo(), &["build", "--release", "--package", "landbridge-cli"])?;
    }
    Ok(target()?.join("release").join(installed::NAME))
}

/// Builds the package and installs it into the environment.
fn install_package(python: &Path) -> Outcome {
    run(python, &["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", "--force-reinstall", "."])
}

/// The Python package: its tests (which run the examples, docstrings and documents too), its types, and the same wheel with the oldest
/// NumPy and SciPy.
pub(crate) fn python_tests() -> Outcome {
    let python = environment("venv-test", TEST_REQUIREMENTS)?;
    let wheel = crate::smoke::of_clone(&python)?;
    run(&python, &["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", "--force-reinstall", &wheel])?;
    run(&python, &["-m", "pytest", "-q", "--durations=15", "python/tests"])?;
    run(&python, &["-m", "mypy", "--strict", "python/landbridge"])?;
    crate::smoke::try_oldest(&wheel)
}

pub(crate) fn bench(args: &[String]) -> Outcome {
    // The content of the list, not its name, so that a changed list makes a new environment.
    let file = root().join("benchmarks/requirements.txt");
    let list = std::fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))?;
    let lines: Vec<&str> = list.lines().filter(|l| !l.is_empty() && !l.starts_with('#')).collect();
    let python = environment("venv-bench", &lines)?;
    install_package(&python)?;
    // Some rows start the program.
    run(cargo(), &["build", "--release", "--package", "landbridge-cli"])?;
    let program = target()?.join("release").join(installed::NAME);
    let mut command = vec!["benchmarks/run.py"];
    command.extend(args.iter().map(String::as_str));
    run_with(&python, &command, &[("LANDBRIDGE_CLI", &*program.to_string_lossy())])
}

pub(crate) fn experiments(args: &[String]) -> Outcome {
    let python = environment("venv-test", TEST_REQUIREMENTS)?;
    install_package(&python)?;
    let mut command = vec!["experiments/run.py"];
    command.extend(args.iter().map(String::as_str));
    run(&python, &command)
}

/// Every fuzz target, or the one named, for as many seconds each.
pub(crate) fn fuzz(args: &[String]) -> Outcome {
    let number = args.first().map_or(Ok(60), |text| text.parse::<u32>());
    let seconds = number.map_err(|_| format!("fuzz: {:?} is not a number of seconds", args[0]))?;
    if !works("cargo", &["+nightly", "fuzz", "--version"]) {
        return Err(
            "fuzzing needs a nightly compiler (rustup toolchain install nightly) and cargo-fuzz (cargo install cargo-fuzz)"
                .into(),
        );
    }
    let folder = root().join("fuzz/fuzz_targets");
    let entries = std::fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let names = entries.filter_map(|entry| entry.ok()?.path().file_stem().map(|n| n.to_string_lossy().into_owned()));
    let mut targets: Vec<String> = names.filter(|name| args.get(1).is_none_or(|wanted| wanted == name)).collect();
    targets.sort();
    if targets.is_empty() {
        return Err(format!("fuzz: there is no target {:?}", args.get(1).map_or("", String::as_str)));
    }
    let time = format!("-max_total_time={seconds}");
    for name in targets {
        seed(&name)?;
        run("cargo", &["+nightly", "fuzz", "run", &name, "--", "-max_len=4096", "-timeout=2", "-rss_limit_mb=512", &time])?;
    }
    Ok(())
}

/// The unit tests of all files with unsafe code under AddressSanitizer, once for each instruction set that this processor has; with
/// `--all` also those of the whole library, dependencies included.
pub(crate) fn sanitize(args: &[String]) -> Outcome {
    let all = match args {
        [] => false,
        [one] if one == "--all" => true,
        other => return Err(format!("sanitize: {other:?} is not --all")),
    };
    if !works("cargo", &["+nightly", "--version"]) {
        return Err("sanitizers need a nightly compiler: rustup toolchain install nightly".into());
    }
    let folder = target()?.join("sanitize").to_string_lossy().into_owned();
    let host = crate::release::host()?;
    let manifest = root().join("fuzz/sanitize/Cargo.toml").to_string_lossy().into_owned();
    // With a target of its own, build scripts are compiled without the sanitizer.
    let tests = ["+nightly", "test", "--manifest-path", &manifest, "--target", &host, "--lib"];
    let variables = [("RUSTFLAGS", "-Zsanitizer=address"), ("CARGO_TARGET_DIR", &*folder)];
    // Empty: the widest that the processor has. Kernels of a level that it lacks do not run.
    for level in ["", "avx2", "scalar"] {
        run_with("cargo", &tests, &[variables[0], variables[1], ("LANDBRIDGE_CPU", level)])?;
    }
    if all {
        let library = ["+nightly", "test", "--profile", "sanitize", "--package", "landbridge", "--target", &host, "--lib"];
        run_with("cargo", &library, &variables)?;
    }
    Ok(())
}

/// Puts the small files of the tests into the corpus of a target: with them fuzzing takes minutes instead of days.
fn seed(name: &str) -> Outcome {
    let corpus = root().join("fuzz/corpus").join(name);
    std::fs::create_dir_all(&corpus).map_err(|e| format!("{}: {e}", corpus.display()))?;
    let endings: &[&str] = match name {
        "arrow" => &["feather", "arrows"],
        "model" => &["lb"],
        other => &[other],
    };
    let data = root().join("crates/landbridge-io/tests/data");
    for entry in std::fs::read_dir(&data).map_err(|e| format!("{}: {e}", data.display()))? {
        let path = entry.map_err(|e| format!("{}: {e}", data.display()))?.path();
        if path.extension().is_some_and(|e| endings.iter().any(|ending| e == *ending)) {
            let copy = corpus.join(path.file_name().unwrap_or_default());
            std::fs::copy(&path, copy).map_err(|e| format!("{}: {e}", path.display()))?;
        }
    }
    Ok(())
}
