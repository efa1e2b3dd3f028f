//! `landbridge completions`: what a shell needs to complete our commands.

use crate::Result;
use crate::args::command;
use crate::output::Console;
use clap::Args;
use clap_complete::Shell;

pub(crate) const EXAMPLES: &str = "\
Example:
  landbridge completions bash > ~/.local/share/bash-completion/completions/landbridge
  landbridge completions zsh > ~/.zfunc/_landbridge";

#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

pub(crate) fn run(args: &CompletionsArgs, console: &Console) -> Result<()> {
    let mut script = vec![];
    clap_complete::generate(args.shell, &mut command(), "landbridge", &mut script);
    console.print(&String::from_utf8_lossy(&script))
}
