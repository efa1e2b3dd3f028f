//! The documentation site: pages of docs/, the reference of the command line and of Python, tables of numbers.

use super::{Outcome, built, cargo, environment, root, run};
use std::process::Command;

/// What builds the site; the page of a generator that changes its output is a commit of ours.
const REQUIREMENTS: &[&str] =
    &["mkdocs==1.6.1", "mkdocs-material==9.8.1", "mkdocstrings==1.0.8", "mkdocstrings-python==2.0.11", "latex2mathml==3.81.1"];

/// Builds target/site. `docs/site/hooks.py` asks the command line for its help, so that it is built first if need be.
pub(super) fn docs(args: &[String]) -> Outcome {
    let python = environment("venv-docs", REQUIREMENTS)?;
    let program = match std::env::var_os("LANDBRIDGE_CLI") {
        Some(given) => given.into(),
        None => match built()? {
            Some(program) => program,
            None => {
                run(cargo(), &["build", "--release", "--package", "landbridge-cli"])?;
                root().join("target/release/landbridge")
            }
        },
    };
    let mut command = vec!["-m", "mkdocs", "build", "--strict", "--quiet"];
    command.extend(args.iter().map(String::as_str));
    eprintln!("xtask: python {}", command.join(" "));
    let status = Command::new(&python)
        .args(&command)
        .env("LANDBRIDGE_CLI", program)
        .env("NO_MKDOCS_2_WARNING", "1")
        .current_dir(root())
        .status();
    match status {
        Ok(status) if status.success() => {
            eprintln!("xtask: open target/site/index.html");
            Ok(())
        }
        Ok(status) => Err(format!("python {} ({status})", command.join(" "))),
        Err(error) => Err(format!("{}: {error}", python.display())),
    }
}
