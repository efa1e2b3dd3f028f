//! Options that several commands have, each declared once.

use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct NamesArg {
    /// Names of the datasets, separated by commas [default: file stems]
    #[arg(long, value_name = "A,B", value_delimiter = ',')]
    pub(crate) names: Option<Vec<String>>,
}

#[derive(Debug, Args)]
pub(crate) struct SeedArg {
    /// Seed of everything random
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) random_state: u64,
}

#[derive(Debug, Args)]
pub(crate) struct ThreadsArg {
    /// Number of threads, 0 means all cores; the result does not depend on it
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) n_jobs: usize,
}
