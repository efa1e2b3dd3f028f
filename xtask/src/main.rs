//! `cargo xtask …`: the commands that people, CI and releases share. They need only Rust and Python 3; what a command needs
//! besides (Node.js, Chromium, cargo-deny, a nightly compiler) its line says, and without it the command says so.

mod docs;
mod installed;
mod release;
mod sbom;
mod smoke;
mod tiers;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Instant;

const USAGE: &str = "\
While you work
  cargo xtask quick                     in minutes: format, lints, unit tests and a few others in the work profile, Python tests that
                                        take seconds
  cargo xtask check                     format and lints
  cargo xtask generate                  writes what follows from the declarations of the methods: Python classes, tables of parameters
  cargo xtask api                       writes api/*.txt, the lists of public names
  cargo xtask docs                      builds the documentation site into target/site
  cargo xtask rustdoc                   the pages of the Rust libraries, warnings are errors
  cargo xtask web                       builds the viewer of reports from web/ (needs Node.js)

Before a change is merged
  cargo xtask test                      everything: format, lints, Rust tests, demo, cargo install, reports in a browser, Python package,
                                        its tests, mypy
  cargo xtask browser                   only the tests of reports in a browser (skipped without Node.js and Chromium)
  cargo xtask install                   only `cargo install` of the command line, and a small job for what it installed
  cargo xtask py                        only the Python part of `test`

In the night
  cargo xtask slow [--data DIR]         long fuzzing, giant files, benchmarks; with DIR also the experiments on real data
  cargo xtask fuzz [SECONDS] [TARGET]   fuzzes the readers (needs nightly Rust and cargo-fuzz)
  cargo xtask sanitize [--all]          the files with unsafe code under AddressSanitizer, on every instruction set; with --all also
                                        the unit tests of the whole library (needs nightly Rust)
  cargo xtask bench [ARGS]              benchmarks against pinned peers; ARGS go to benchmarks/run.py (--list, --only, --quick); --quick
                                        --compare fails where a row lost more than 15 % of its stored ratio, two runs out of three
  cargo xtask experiments --data DIR [ARGS]   real data; ARGS go to experiments/run.py (--list, --only, --quick)

Before a release (RELEASING.md)
  cargo xtask wheel [--given FOLDER]    wheel and source distribution, tried with the oldest and the newest NumPy and SciPy
  cargo xtask wheel --twice             builds the wheel twice from nothing; both have the same bytes
  cargo xtask package [--no-verify]     packages of all crates: what is inside, metadata, and whether they build
  cargo xtask dist [--target TRIPLE]    archive with the program (static on Linux), its manual pages, completions, licences and list
                                        of parts; the program is tried in a folder without any other file
  cargo xtask sbom [--wheel] [--target TRIPLE]   only the list of parts (CycloneDX) of the program or of the wheel: packages, versions,
                                        licences, checksums, who needs whom
  cargo xtask msrv                      compiles with the oldest Rust that Cargo.toml names
  cargo xtask cross                     checks the libraries and the program for other platforms
  cargo xtask deny                      licences, bans and sources of dependencies (needs cargo-deny)
";

type Outcome = Result<(), String>;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let rest = args.get(1..).unwrap_or_default();
    let started = Instant::now();
    let outcome = match args.first().map(String::as_str) {
        Some("quick") => tiers::quick(),
        Some("check") => tiers::check("release"),
        Some("test") => tiers::test(),
        Some("slow") => tiers::slow(rest),
        Some("fuzz") => tiers::fuzz(rest),
        Some("sanitize") => tiers::sanitize(rest),
        Some("generate") => run(cargo(), &["run", "--release", "--quiet", "--package", "landbridge", "--example", "generate"]),
        Some("api") => tiers::api(),
        Some("docs") => docs::docs(rest),
        Some("rustdoc") => tiers::rustdoc(),
        Some("web") => tiers::web(),
        Some("browser") => tiers::browser_tests(),
        Some("install") => installed::install(),
        Some("py") => tiers::python_tests(),
        Some("bench") => tiers::bench(rest),
        Some("experiments") => tiers::experiments(rest),
        Some("wheel") => smoke::wheel(rest),
        Some("package") => release::package(rest),
        Some("dist") => release::dist(rest),
        Some("sbom") => sbom::sbom(rest),
        Some("msrv") => release::msrv(),
        Some("cross") => release::cross(),
        Some("deny") => release::deny(),
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

/// The root of the project.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(Path::to_path_buf).unwrap_or_default()
}

/// The folder that cargo builds into: the one that xtask itself was built in.
fn target() -> Result<PathBuf, String> {
    let me = std::env::current_exe().map_err(|e| format!("cannot find the path of xtask: {e}"))?;
    me.ancestors().nth(2).map(Path::to_path_buf).ok_or_else(|| format!("{} is not in a folder of cargo", me.display()))
}

/// Runs a command from the root of the project, showing it first, and says how long it took if that was long.
fn run(program: impl AsRef<Path>, args: &[&str]) -> Outcome {
    run_with(program, args, &[])
}

/// [`run`] with variables of the environment.
fn run_with(program: impl AsRef<Path>, args: &[&str], variables: &[(&str, &str)]) -> Outcome {
    let program = program.as_ref();
    let shown: String = variables.iter().map(|(name, value)| format!("{name}={value} ")).collect();
    let name = program.file_name().unwrap_or_default().display();
    eprintln!("xtask: {shown}{name} {}", args.join(" "));
    let started = Instant::now();
    let status = Command::new(program).args(args).envs(variables.iter().copied()).current_dir(root()).status();
    let seconds = started.elapsed().as_secs();
    if seconds >= 5 {
        eprintln!("xtask: {name} {}: {seconds} s", args.first().unwrap_or(&""));
    }
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{} {} ({status})", program.display(), args.join(" "))),
        Err(error) => Err(format!("{}: {error}", program.display())),
    }
}

/// What a command prints on standard output.
fn printed(program: impl AsRef<Path>, args: &[&str]) -> Result<String, String> {
    let program = program.as_ref();
    let output = Command::new(program).args(args).current_dir(root()).output();
    match output {
        Ok(output) if output.status.success() => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        Ok(output) => Err(format!(
            "{} {} ({}): {}",
            program.display(),
            args.join(" "),
            output.status,
            String::from_utf8_lossy(&output.stderr)
        )),
        Err(error) => Err(format!("{}: {error}", program.display())),
    }
}

/// Whether a program is there and answers.
fn works(program: &str, args: &[&str]) -> bool {
    Command::new(program).args(args).output().is_ok_and(|o| o.status.success())
}

fn cargo() -> PathBuf {
    std::env::var_os("CARGO").map_or_else(|| PathBuf::from("cargo"), PathBuf::from)
}

/// A value of the root's Cargo.toml, such as `version` or `rust-version`.
fn declared(key: &str) -> Result<String, String> {
    let text = std::fs::read_to_string(root().join("Cargo.toml")).map_err(|e| format!("Cargo.toml: {e}"))?;
    let line = text.lines().find_map(|line| line.strip_prefix(key)?.trim().strip_prefix('='));
    line.map(|value| value.trim().trim_matches('"').to_string()).ok_or_else(|| format!("Cargo.toml has no {key}"))
}

/// A virtual environment under target/, made once per list of requirements.
fn environment(name: &str, requirements: &[&str]) -> Result<PathBuf, String> {
    let folder = root().join("target").join(name);
    let python = python_of(&folder);
    let stamp = folder.join("requirements.stamp");
    let wanted = requirements.join("\n");
    if std::fs::read_to_string(&stamp).is_ok_and(|found| found == wanted) {
        return Ok(python);
    }
    run(system_python(), &["-m", "venv", "--clear", &folder.to_string_lossy()])?;
    let mut install = vec!["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
    install.extend_from_slice(requirements);
    run(&python, &install)?;
    std::fs::write(&stamp, wanted).map_err(|e| format!("{}: {e}", stamp.display()))?;
    Ok(python)
}

/// The interpreter of a virtual environment.
fn python_of(folder: &Path) -> PathBuf {
    if cfg!(windows) { folder.join("Scripts/python.exe") } else { folder.join("bin/python") }
}

/// The interpreter that makes virtual environments.
fn system_python() -> &'static str {
    if cfg!(windows) { "python" } else { "python3" }
}
