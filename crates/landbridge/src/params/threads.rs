//! The one parameter that every method has.

use landbridge_derive::Params;

/// How many threads a computation may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Params)]
#[params(group, heading = "Running")]
pub struct Threads {
    /// Number of threads; 0 is all cores. Results never depend on it.
    #[param(default = 0, unsaved)]
    pub n_jobs: usize,
}
