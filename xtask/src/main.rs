//! `cargo xtask check | test | generate | docs | web | browser | py | bench | experiments`: the same commands as in CI. They need only
//! Rust and Python 3; `web` and `browser` also Node.js, and `browser` Chromium.

mod docs;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Instant;

const USAGE: &str = "\
cargo xtask check                     format and lints
cargo xtask test                      everything: format, lints, Rust tests, Python package and its tests, examples, demo
cargo xtask generate                  writes what follows from the declarations of the methods: Python classes, tables of parameters
cargo xtask docs                      builds the documentation site into target/site
cargo xtask web                       builds the viewer of reports from web/ (needs Node.js)
cargo xtask browser                   only the tests of reports in a browser (skipped without Node.js and Chromium)
cargo xtask py                        only the Python part of `test`
cargo xtask bench [ARGS]              benchmarks against pinned peers; ARGS go to benchmarks/run.py (--list, --only, --quick)
cargo xtask experiments --data DIR [ARGS]   real data; ARGS go to experiments/run.py (--list, --only, --quick)
";

type Outcome = Result<(), String>;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let rest = args.get(1..).unwrap_or_default();
    let started = Instant::now();
    let outcome = match args.first().map(String::as_str) {
        Some("check") => check(),
        Some("test") => test(),
        Some("generate") => run(cargo(), &["run", "--release", "--quiet", "--package", "landbridge", "--example", "generate"]),
        Some("docs") => docs::docs(rest),
        Some("web") => web(),
        Some("browser") => browser_tests(),
        Some("py") => python_tests(),
        Some("bench") => bench(rest),
        Some("experiments") => experiments(rest),
        _ => {
            eprint!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match outcome {
        Ok(()) => {
            eprintln!("xtask: done in {:.0} s", started.elapsed().as_secs_f64());
            ExitCode::SUCCESS
        }
        Err(what) => {
            eprintln!("xtask: failed: {what}");
            ExitCode::FAILURE
        }
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(Path::to_path_buf).unwrap_or_default()
}

/// Runs a command from the root of the project, showing it first.
fn run(program: impl AsRef<Path>, args: &[&str]) -> Outcome {
    let program = program.as_ref();
    eprintln!("xtask: {} {}", program.file_name().unwrap_or_default().display(), args.join(" "));
    let status = Command::new(program).args(args).current_dir(root()).status();
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{} {} ({status})", program.display(), args.join(" "))),
        Err(error) => Err(format!("{}: {error}", program.display())),
    }
}

fn cargo() -> PathBuf {
    std::env::var_os("CARGO").map_or_else(|| PathBuf::from("cargo"), PathBuf::from)
}

fn check() -> Outcome {
    run(cargo(), &["fmt", "--all", "--check"])?;
    run(cargo(), &["clippy", "--release", "--workspace", "--all-targets", "--", "-D", "warnings"])
}

fn test() -> Outcome {
    check()?;
    run(cargo(), &["test", "--release", "--workspace"])?;
    demo()?;
    browser_tests()?;
    python_tests()
}

/// The viewer of reports, into crates/landbridge-report/assets.
fn web() -> Outcome {
    run("npm", &["ci", "--prefix", "web", "--ignore-scripts", "--no-audit", "--no-fund"])?;
    run("npm", &["run", "--prefix", "web", "build"])
}

/// Reports in a browser. What these tests need may be missing; then they say so and are skipped.
fn browser_tests() -> Outcome {
    let skip = |why: &str| {
        eprintln!("xtask: the tests of reports in a browser are skipped: {why}");
        Ok(())
    };
    let works = |program: &str| Command::new(program).arg("--version").output().is_ok_and(|o| o.status.success());
    if !works("node") || !works("npm") {
        return skip("Node.js is not installed");
    }
    let Some(chromium) = ["chromium", "chromium-browser", "google-chrome"].into_iter().find(|p| works(p)) else {
        return skip("Chromium is not installed (Debian: apt-get install chromium)");
    };
    // The browser alone: a package that cannot be fetched is not a failure of ours.
    if run("npm", &["ci", "--prefix", "web/tests", "--ignore-scripts", "--no-audit", "--no-fund"]).is_err() {
        return skip("npm cannot install playwright-core and axe-core");
    }
    let program = match built()? {
        Some(program) => program,
        None => {
            run(cargo(), &["build", "--release", "--package", "landbridge-cli"])?;
            root().join("target/release/landbridge")
        }
    };
    eprintln!("xtask: node --test web/tests/page.test.mjs");
    let path = Command::new("sh").args(["-c", &format!("command -v {chromium}")]).output().map_err(|e| e.to_string())?;
    let status = Command::new("node")
        .args(["--test", "web/tests/page.test.mjs"])
        .env("LANDBRIDGE", program)
        .env("CHROMIUM", String::from_utf8_lossy(&path.stdout).trim())
        .current_dir(root())
        .status();
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("node --test web/tests/page.test.mjs ({status})")),
        Err(error) => Err(format!("node: {error}")),
    }
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
    let me = std::env::current_exe().map_err(|e| format!("cannot find the path of xtask: {e}"))?;
    Ok(me.ancestors().nth(2).map(|target| target.join("release/landbridge")).filter(|program| program.is_file()))
}

/// A virtual environment under target/, made once per list of requirements.
fn environment(name: &str, requirements: &[&str]) -> Result<PathBuf, String> {
    let folder = root().join("target").join(name);
    let python = folder.join("bin/python");
    let stamp = folder.join("requirements.stamp");
    let wanted = requirements.join("\n");
    if std::fs::read_to_string(&stamp).is_ok_and(|found| found == wanted) {
        return Ok(python);
    }
    run("python3", &["-m", "venv", "--clear", &folder.to_string_lossy()])?;
    let mut install = vec!["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
    install.extend_from_slice(requirements);
    run(&python, &install)?;
    std::fs::write(&stamp, wanted).map_err(|e| format!("{}: {e}", stamp.display()))?;
    Ok(python)
}

/// Builds the package and installs it into the environment.
fn install_package(python: &Path) -> Outcome {
    run(python, &["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", "--force-reinstall", "."])
}

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
    "pytest",
    "mypy",
];

fn python_tests() -> Outcome {
    let python = environment("venv-test", TEST_REQUIREMENTS)?;
    install_package(&python)?;
    run(&python, &["-m", "pytest", "-q", "python/tests"])?;
    run(&python, &["-m", "mypy", "--strict", "python/landbridge"])?;
    let mut examples: Vec<PathBuf> = std::fs::read_dir(root().join("examples"))
        .map_err(|e| format!("examples: {e}"))?
        .filter_map(|entry| entry.ok().map(|e| e.path()))
        .filter(|path| path.extension().is_some_and(|e| e == "py"))
        .collect();
    examples.sort();
    examples.iter().try_for_each(|path| run(&python, &[&path.to_string_lossy()]))
}

fn bench(args: &[String]) -> Outcome {
    // The content of the list, not its name, so that a changed list makes a new environment.
    let file = root().join("benchmarks/requirements.txt");
    let list = std::fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))?;
    let lines: Vec<&str> = list.lines().filter(|l| !l.is_empty() && !l.starts_with('#')).collect();
    let python = environment("venv-bench", &lines)?;
    install_package(&python)?;
    let mut command = vec!["benchmarks/run.py"];
    command.extend(args.iter().map(String::as_str));
    run(&python, &command)
}

fn experiments(args: &[String]) -> Outcome {
    let python = environment("venv-test", TEST_REQUIREMENTS)?;
    install_package(&python)?;
    let mut command = vec!["experiments/run.py"];
    command.extend(args.iter().map(String::as_str));
    run(&python, &command)
}
