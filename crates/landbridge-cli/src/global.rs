//! Options of global geometry, as typed.

use crate::Result;
use crate::embeddings::GraphArgs;
use crate::failure::Failure;
use clap::{Args, ValueEnum};
use landbridge::data::Rows;
use landbridge::linalg::Matrix;
use landbridge::method::{Distance, GlobalAlignment, Level};
use landbridge_io::read_matrix;
use std::path::PathBuf;

#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
enum DistanceArg {
    /// Shortest paths over the neighbour graph
    Geodesic,
    /// Straight
    Euclidean,
    /// 1 − cosine
    Cosine,
    /// From --distances
    Precomputed,
}

#[derive(Debug, Args)]
pub(crate) struct GlobalArgs {
    /// global: distances within a dataset [default: geodesic, or precomputed with --distances]
    #[arg(long, value_name = "DISTANCE", value_enum, help_heading = "Method")]
    distance: Option<DistanceArg>,
    /// global: given distances, one symmetric matrix per dataset (.npy, .csv, ...), with commas between or repeated
    #[arg(long, value_name = "D1,D2", value_delimiter = ',', help_heading = "Method")]
    distances: Option<Vec<PathBuf>>,
    /// global: distances to that many rows only, for many rows
    #[arg(long, value_name = "N", help_heading = "Method")]
    landmarks: Option<usize>,
    /// global: leave out the negative part of the spectrum
    #[arg(long, help_heading = "Method")]
    psd: bool,
}

impl GlobalArgs {
    /// The first option that is given.
    pub(crate) fn given(&self) -> Option<&'static str> {
        let options = [
            ("--distance", self.distance.is_some()),
            ("--distances", self.distances.is_some()),
            ("--landmarks", self.landmarks.is_some()),
            ("--psd", self.psd),
        ];
        options.into_iter().find(|(_, given)| *given).map(|(option, _)| option)
    }

    fn chosen(&self) -> Distance {
        match self.distance {
            None if self.distances.is_some() => Distance::Precomputed,
            None | Some(DistanceArg::Geodesic) => Distance::Geodesic,
            Some(DistanceArg::Euclidean) => Distance::Euclidean,
            Some(DistanceArg::Cosine) => Distance::Cosine,
            Some(DistanceArg::Precomputed) => Distance::Precomputed,
        }
    }

    /// Options without effect are refused.
    pub(crate) fn check(&self, graph: &GraphArgs) -> Result<()> {
        let refuse = |option: &str, why: &str| Err(Failure::usage(format!("{option} {why}")).hint("leave it out"));
        if self.distances.is_some() && self.chosen() != Distance::Precomputed {
            return refuse("--distance", "must be precomputed (or absent) when --distances are given");
        }
        if self.distances.is_none() && self.chosen() == Distance::Precomputed {
            return Err(Failure::usage("--distance precomputed needs --distances, one matrix per dataset"));
        }
        let given = [
            ("--n-neighbors", graph.n_neighbors.is_some()),
            ("--metric", graph.metric.is_some()),
            ("--search", graph.search.is_some()),
        ];
        match given.into_iter().find(|(_, given)| *given && self.chosen() != Distance::Geodesic) {
            Some((option, _)) => refuse(option, "belongs to geodesic distances; no neighbours are searched for others"),
            None => Ok(()),
        }
    }

    pub(crate) fn method(&self, n_components: usize, level: Level, graph: &GraphArgs) -> Result<GlobalAlignment> {
        let mut method =
            GlobalAlignment::new(n_components).level(level).distance(self.chosen()).landmarks(self.landmarks).psd(self.psd);
        if let Some(n) = graph.n_neighbors {
            method = method.n_neighbors(n);
        }
        if let Some(metric) = graph.metric {
            method = method.metric(metric.into());
        }
        if let Some(search) = graph.search {
            method = method.search(search.into());
        }
        let Some(paths) = &self.distances else { return Ok(method) };
        let read = |path: &PathBuf| -> Result<Matrix<f64>> {
            Ok(match read_matrix(path, &landbridge_io::ReadOptions::default())?.rows {
                Rows::F64(m) => m,
                Rows::F32(m) => m.to_f64(),
                Rows::Sparse(m) => m.to_dense(),
            })
        };
        Ok(method.distances(paths.iter().map(read).collect::<Result<Vec<_>>>()?))
    }
}
