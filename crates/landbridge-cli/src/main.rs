//! The command line of landbridge: args as typed, library params as meant, files as asked for. No method lives here.

mod args;
mod commands;
mod embeddings;
mod failure;
mod global;
mod methods;
mod output;
mod picture;
mod prediction;
mod progress;
mod rows_file;
mod scores;
mod sparse;

use args::{Cli, Command};
use clap::Parser;
use failure::Failure;
use output::Console;
use std::process::ExitCode;

#[global_allocator]
static MEMORY: landbridge_alloc::LargePages = landbridge_alloc::LargePages;

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args_os().collect();
    let cli = match Cli::try_parse_from(&arguments) {
        Ok(cli) => cli,
        Err(error) => return failure::refuse_arguments(&error, arguments.iter().any(|a| a == "--json")),
    };
    let console = match cli.command.common() {
        Some(common) => Console::new(common.json, common.quiet),
        None => Console::new(false, false),
    };
    let done = match &cli.command {
        Command::Fit(args) => commands::fit::run(args, &console),
        Command::Embed(args) => commands::embed::run(args, &console),
        Command::Transform(args) => commands::transform::run(args, &console),
        Command::Match(args) => commands::matches::run(args, &console),
        Command::Inspect(args) => commands::inspect::run(args, &console),
        Command::Check(args) => commands::check::run(args, &console),
        Command::Evaluate(args) => commands::evaluate::run(args, &console),
        Command::Plot(args) => commands::plot::run(args, &console),
        Command::Predict(args) => commands::predict::run(args, &console),
        Command::Features(args) => commands::features::run(args, &console),
        Command::Topics(args) => commands::topics::run(args, &console),
        Command::Demo(args) => commands::demo::run(args, &console),
        Command::Completions(args) => commands::completions::run(args, &console),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            console.fail(&failure);
            ExitCode::from(failure.exit_code())
        }
    }
}

/// What every command returns.
type Result<T> = std::result::Result<T, Failure>;
