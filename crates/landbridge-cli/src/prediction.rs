//! Options of the methods that predict values of other datasets (CLE, CLLE, LAMVU, votes), as typed.

use clap::{Args, ValueEnum};
use landbridge::data::Known;
use landbridge::method::{Constraints, Unseen};
use landbridge::model::Predictor;
use landbridge::solve::unfolding::UnfoldingSolver;

#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
pub(crate) enum PredictorArg {
    /// Means, the row's own offset, and the rest from rows known on both sides
    Residuals,
    /// The combination of the nearest rows in the joint space
    Local,
}

/// Which values are known.
#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
pub(crate) enum KnownArg {
    /// Of sparse rows the stored ones, of dense rows all
    Stored,
    /// Of sparse rows the stored ones, of dense rows those that are not 0
    Rated,
    /// Those that are not 0
    NonZero,
    /// All
    All,
}

#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
pub(crate) enum UnseenArg {
    /// 0
    Zero,
    /// The mean of all votes, or the most frequent vote
    Overall,
}

#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
pub(crate) enum ConstraintsArg {
    /// Sums of geodesics may shrink
    Shrink,
    /// Direct distances are kept
    Direct,
    /// Sums of geodesics are kept (rarely possible)
    Printed,
}

#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
pub(crate) enum UnfoldingArg {
    /// Interior point up to 3,000 edges (8,000 of graphs of many dimensions), low rank above
    Auto,
    /// The optimum, with a dual solution
    Interior,
    /// Coordinates in few dimensions, certified
    LowRank,
    /// Combinations of the smoothest functions of the graph
    Laplacian,
}

#[derive(Debug, Args)]
pub(crate) struct PredictionArgs {
    /// cle, clle, lamvu: neighbours of rows that are placed afterwards (k_D) [default: as many as fitted rows have; lamvu: 10]
    #[arg(long, value_name = "N", help_heading = "Prediction")]
    pub(crate) n_neighbors_embed: Option<usize>,
    /// cle, clle, lamvu: neighbours in the joint space of --predictor local (k_A) [default: 10]
    #[arg(long, value_name = "N", help_heading = "Prediction")]
    pub(crate) n_neighbors_predict: Option<usize>,
    /// cle, clle, lamvu: how `predict` works [default: residuals]
    #[arg(long, value_name = "PREDICTOR", value_enum, help_heading = "Prediction")]
    pub(crate) predictor: Option<PredictorArg>,
    /// cle, clle, lamvu, votes: which values are known to `predict` [default: stored; votes: rated]
    #[arg(long, value_name = "KNOWN", value_enum, help_heading = "Prediction")]
    pub(crate) known: Option<KnownArg>,
    /// mean-votes, popular-votes: what is predicted for columns without votes [default: zero]
    #[arg(long, value_name = "UNSEEN", value_enum, help_heading = "Prediction")]
    pub(crate) unseen: Option<UnseenArg>,
    /// lamvu: what unfolding does with distances [default: shrink]
    #[arg(long, value_name = "CONSTRAINTS", value_enum, help_heading = "Prediction")]
    pub(crate) constraints: Option<ConstraintsArg>,
    /// lamvu: how it is unfolded [default: auto]
    #[arg(long, value_name = "SOLVER", value_enum, help_heading = "Prediction")]
    pub(crate) solver: Option<UnfoldingArg>,
    /// lamvu: functions of --solver laplacian [default: 20]
    #[arg(long, value_name = "N", help_heading = "Prediction")]
    pub(crate) n_functions: Option<usize>,
}

impl From<KnownArg> for Known {
    fn from(known: KnownArg) -> Self {
        match known {
            KnownArg::Stored => Known::Stored,
            KnownArg::Rated => Known::Rated,
            KnownArg::NonZero => Known::NonZero,
            KnownArg::All => Known::All,
        }
    }
}

impl PredictionArgs {
    pub(crate) fn predictor(&self) -> Predictor {
        match self.predictor {
            None | Some(PredictorArg::Residuals) => Predictor::Residuals,
            Some(PredictorArg::Local) => Predictor::Local,
        }
    }
    pub(crate) fn unseen(&self) -> Unseen {
        match self.unseen {
            None | Some(UnseenArg::Zero) => Unseen::Zero,
            Some(UnseenArg::Overall) => Unseen::Overall,
        }
    }
    pub(crate) fn constraints(&self) -> Constraints {
        match self.constraints {
            None | Some(ConstraintsArg::Shrink) => Constraints::Shrink,
            Some(ConstraintsArg::Direct) => Constraints::Direct,
            Some(ConstraintsArg::Printed) => Constraints::Printed,
        }
    }
    pub(crate) fn solver(&self) -> UnfoldingSolver {
        match self.solver {
            None | Some(UnfoldingArg::Auto) => UnfoldingSolver::Auto,
            Some(UnfoldingArg::Interior) => UnfoldingSolver::Interior,
            Some(UnfoldingArg::LowRank) => UnfoldingSolver::LowRank,
            Some(UnfoldingArg::Laplacian) => UnfoldingSolver::Laplacian,
        }
    }
}

/// The parameters of predictions and of rows placed afterwards.
macro_rules! with_prediction {
    ($method:expr, $args:expr, $ridge:expr) => {{
        let args: &PredictionArgs = $args;
        let mut method = $method.n_neighbors_embed(args.n_neighbors_embed).predictor(args.predictor());
        if let Some(n) = args.n_neighbors_predict {
            method = method.n_neighbors_predict(n);
        }
        if let Some(ridge) = $ridge {
            method = method.ridge(ridge);
        }
        if let Some(known) = args.known {
            method = method.known(known.into());
        }
        method
    }};
}
pub(crate) use with_prediction;
