//! The command line of landbridge: parses arguments, calls the library, writes files. No method is implemented here.

mod args;
mod choose;
mod commands;
mod failure;
mod methods;
mod output;
mod parts;
mod passages;
mod progress;
mod rows_file;
mod scores;
mod shared;
mod sparse;
#[cfg(test)]
mod surface;

use args::{Cli, Command, Common};
use clap::{ArgMatches, FromArgMatches};
use commands::embed::EmbedArgs;
use commands::fit::FitArgs;
use commands::solve::SolveArgs;
use failure::Failure;
use landbridge::params::Schema;
use landbridge::registry;
use methods::typed;
use output::Console;
use std::process::ExitCode;

#[global_allocator]
static MEMORY: landbridge_alloc::LargePages = landbridge_alloc::LargePages;

fn main() -> ExitCode {
    landbridge_alloc::end_with_a_message();
    failure::or_a_message(program)
}

fn program() -> ExitCode {
    let arguments: Vec<_> = std::env::args_os().collect();
    let parsed = args::command().try_get_matches_from(args::with_method_first(arguments.clone()));
    let parsed = parsed.and_then(|matches| Ok((Call::read(&matches)?, args::overwritten(&matches))));
    let (call, overwritten) = match parsed {
        Ok(parsed) => parsed,
        Err(error) => return failure::refuse_arguments(&error, &arguments),
    };
    let common = call.common();
    let console = common.map_or_else(|| Console::new(false, false), |common| Console::new(common.json, common.quiet));
    let done = carry_out(&call, overwritten.as_deref(), &console);
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            console.fail(&failure);
            ExitCode::from(failure.exit_code())
        }
    }
}

fn carry_out(call: &Call, overwritten: Option<&std::path::Path>, console: &Console) -> Result<()> {
    landbridge::linalg::cpu_level()?;
    match call {
        _ if overwritten.is_some() => Err(failure::overwrites(overwritten)),
        Call::Fit(args, schema, matches) => commands::fit::run(args, schema, matches, console),
        Call::Embed(args, schema, matches) => commands::embed::run(args, schema, matches, console),
        Call::Solve(args, schema, matches) => commands::solve::run(args, schema, matches, console),
        Call::Other(cli) => run(&cli.command, console),
    }
}

/// The command to run. `fit`, `embed` and `solve` have the arguments of a method besides their own.
enum Call {
    Fit(Box<FitArgs>, &'static Schema, ArgMatches),
    Embed(Box<EmbedArgs>, &'static Schema, ArgMatches),
    Solve(Box<SolveArgs>, &'static Schema, ArgMatches),
    Other(Box<Cli>),
}

impl Call {
    fn read(matches: &ArgMatches) -> std::result::Result<Self, clap::Error> {
        let schema = |name: &str, all: Vec<&'static Schema>| all.into_iter().find(|s| typed(s.name) == name);
        if let Some(("fit", inner)) = matches.subcommand()
            && let Some((name, own)) = inner.subcommand()
            && let Some(schema) = schema(name, registry::methods())
        {
            return Ok(Call::Fit(Box::new(FitArgs::from_arg_matches(own)?), schema, own.clone()));
        }
        if let Some(("embed", inner)) = matches.subcommand()
            && let Some((name, own)) = inner.subcommand()
            && let Some(schema) = schema(name, registry::embeddings())
        {
            return Ok(Call::Embed(Box::new(EmbedArgs::from_arg_matches(own)?), schema, own.clone()));
        }
        if let Some(("solve", inner)) = matches.subcommand()
            && let Some((name, own)) = inner.subcommand()
            && let Some(schema) = schema(name, commands::solve::methods())
        {
            return Ok(Call::Solve(Box::new(SolveArgs::from_arg_matches(own)?), schema, own.clone()));
        }
        Cli::from_arg_matches(matches).map(|cli| Call::Other(Box::new(cli)))
    }
    fn common(&self) -> Option<&Common> {
        match self {
            Call::Fit(args, ..) => Some(&args.common),
            Call::Embed(args, ..) => Some(&args.common),
            Call::Solve(args, ..) => Some(&args.common),
            Call::Other(cli) => cli.command.common(),
        }
    }
}

fn run(command: &Command, console: &Console) -> Result<()> {
    match command {
        Command::Transform(args) => commands::transform::run(args, console),
        Command::Match(args) => commands::matches::run(args, console),
        Command::Inspect(args) => commands::inspect::run(args, console),
        Command::Check(args) => commands::check::run(args, console),
        Command::Evaluate(args) => commands::evaluate::run(args, console),
        Command::Plot(args) => commands::plot::run(args, console),
        Command::Report(args) => commands::report::run(args, console),
        Command::Predict(args) => commands::predict::run(args, console),
        Command::Features(args) => commands::features::run(args, console),
        Command::Stats(args) => commands::stats::run(args, console),
        Command::Merge(args) => commands::merge::run(args, console),
        Command::Topics(args) => commands::topics::run(args, console),
        Command::Demo(args) => commands::demo::run(args, console),
        Command::Completions(args) => commands::completions::run(args, console),
        Command::Man(args) => commands::man::run(args, console),
        Command::Align(args) => commands::align::run(args, console),
        Command::Bridge(args) => commands::bridge::run(args, console),
        Command::Export(args) => commands::export::run(args, console),
        Command::CheckDrift(args) => commands::check_drift::run(args, console),
        Command::Compare(args) => commands::compare::run(args, console),
        Command::Tune(args) => commands::tune::run(args, console),
        Command::Labels(args) => commands::labels::run(args, console),
        Command::Methods(args) => commands::methods::run(args, console),
    }
}

/// The result of every command.
type Result<T> = std::result::Result<T, Failure>;
