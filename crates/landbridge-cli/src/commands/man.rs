//! `landbridge man`: manual pages of all commands, for packages and release archives.

use crate::Result;
use crate::args::command;
use crate::output::Console;
use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct ManArgs {
    /// The folder for the pages; it is made if it is not there
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
}

pub(crate) fn run(args: &ManArgs, console: &Console) -> Result<()> {
    let failed = |source| landbridge_io::Error::Io { path: args.folder.clone(), action: "write", source };
    std::fs::create_dir_all(&args.folder).map_err(failed)?;
    clap_mangen::generate_to(command(), &args.folder).map_err(failed)?;
    console.say(format!("manual pages are in {}", args.folder.display()));
    Ok(())
}
