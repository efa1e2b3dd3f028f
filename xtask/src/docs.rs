//! The documentation site: pages of docs/, the reference of the command line and of Python, tables of numbers.

use crate::tiers::program;
use crate::{Outcome, environment, run_with};

/// What builds the site; the page of a generator that changes its output is a commit of ours.
const REQUIREMENTS: &[&str] =
    &["mkdocs==1.6.1", "mkdocs-material==9.8.1", "mkdocstrings==1.0.8", "mkdocstrings-python==2.0.11", "latex2mathml==3.81.1"];

/// Builds target/site. `docs/site/hooks.py` asks the command line for its help, so that it is built first if need be.
pub(crate) fn docs(args: &[String]) -> Outcome {
    let python = environment("venv-docs", REQUIREMENTS)?;
    let program = match std::env::var("LANDBRIDGE_CLI") {
        Ok(given) => given,
        Err(_) => program()?.to_string_lossy().into_owned(),
    };
    let mut command = vec!["-m", "mkdocs", "build", "--strict", "--quiet"];
    command.extend(args.iter().map(String::as_str));
    run_with(&python, &command, &[("LANDBRIDGE_CLI", &program), ("NO_MKDOCS_2_WARNING", "1")])?;
    eprintln!("xtask: open target/site/index.html");
    Ok(())
}
