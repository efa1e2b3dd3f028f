//! Multiscale alignment by diffusion wavelets (Chapter11 §5.3.3): one fit, a hierarchy of nested joint spaces.

use crate::data::prepare::{Prepared, warn_of_rows};
use crate::data::{Dataset, Pairs, Preparation, Prepare, check_datasets};
use crate::error::{Error, Result};
use crate::geometry::affinity::Kernel;
use crate::geometry::components::connected_components;
use crate::linalg::{Csr, Matrix};
use crate::method::graphs::GraphParams;
use crate::method::{fits, graph_setters, joint_setters, setters};
use crate::model::{Alignment, Fitted, LinearMap, Mapping, NeighborExtension};
use crate::outcome::{Outcome, Stopwatch, Warning};
use crate::problem::feature::Blocks;
use crate::problem::joint::{Joint, JointWeights, check_weights};
use crate::problem::whitened::whiten;
use crate::progress::Progress;
use crate::solve::multiscale::{Inverse, Levels};
use crate::solve::wavelets::{Construction, check_max_levels, check_precision};
use serde::{Deserialize, Serialize};

/// What the functions of a level are functions of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Over {
    /// Features: every level has a linear map per dataset.
    Features,
    /// Rows: every level places the rows themselves (X is the identity).
    Instances,
}

/// A hierarchy of alignments, coarse to fine, whose dimensions come out of the data.
///
/// With `G'G = X'X` (X the block diagonal of the prepared datasets) and `T = (G⁺' X'LX G⁺)⁺` scaled to norm 1, level
/// k = 1, 2, … spans the eigenvectors of T with `λ^(2^k) ≥ precision`, in localised functions `[φ_k]`; the maps are
/// `F_k = G⁺ [φ_k]`, so that `(X F_k)'(X F_k) = I`. [`Alignment::levels`] lists the levels, finest first;
/// [`Alignment::at_level`] shows one. An alignment shows the finest level that leaves something out: the whole space
/// (level 0, mostly) does not bring datasets together at all.
///
/// | parameter | default | purpose | range |
/// |---|---|---|---|
/// | `precision` | 1e-5 | which eigenvalues still count at a level | above 0, below 1 |
/// | `max_levels` | to the top | levels at most | 1 … |
/// | `over` | features | maps of features, or places of rows (X = identity) | |
/// | `n_neighbors`, `metric`, `weights`, `heat_width` | 10, Euclidean, heat | graph of each dataset | |
/// | `directed` | false | edges lead to the neighbours only; given graphs need not be symmetric | |
/// | `mu`, `nu`, `balance` | 100, 1, true | strength of pairs and neighbours, as in [`super::InstanceAlignment`] | > 0 |
/// | `construction` | auto | exact spectral subspaces, or the published recursion | |
/// | `prepare` | centre | what is done to rows first | |
///
/// Departure: the chapter inverts once in step 3 and again in step 4; one inverse is meant. It has μ = 1, not
/// balanced, with which the coarsest levels say no more than "one dataset or the other".
///
/// Directed graphs go through the recursion and have no optimality, as the chapter says.
///
/// Time: neighbours, one decomposition of r³ (r the rank of all datasets together), one pivoted QR per level. Memory: rows
/// times r, and r times the dimensions of the levels. Over instances only as many eigenvectors as level 0 needs.
///
/// ```
/// use landbridge::data::synthetic::BilingualDocuments;
/// use landbridge::method::MultiscaleAlignment;
/// let documents = BilingualDocuments::new(200).generate()?;
/// let alignment = MultiscaleAlignment::new().fit(&documents.datasets, &documents.pairs(100, 0)?)?;
/// let coarsest = alignment.levels().map_or(0, |levels| levels.len() - 1);
/// let placed = alignment.at_level(coarsest)?.transform(documents.datasets[1].rows(), 1)?;
/// assert_eq!(placed.nrows(), 200);
/// # Ok::<(), landbridge::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MultiscaleAlignment {
    precision: f64,
    max_levels: Option<usize>,
    over: Over,
    construction: Construction,
    #[serde(flatten)]
    graph: GraphParams,
    directed: bool,
    #[serde(flatten)]
    joint: JointWeights,
    prepare: Prepare,
    #[serde(skip)]
    n_jobs: usize,
}

impl Default for MultiscaleAlignment {
    fn default() -> Self {
        Self {
            precision: 1e-5,
            max_levels: None,
            over: Over::Features,
            construction: Construction::Auto,
            graph: GraphParams::default(),
            directed: false,
            joint: JointWeights { mu: 100.0, ..JointWeights::default() },
            prepare: Prepare::Center,
            n_jobs: 0,
        }
    }
}

impl MultiscaleAlignment {
    /// With the defaults; no dimension is needed.
    pub fn new() -> Self {
        Self::default()
    }

    graph_setters!();
    joint_setters!();
    setters! {
        /// ε: an eigenvector belongs to level k where `λ^(2^k) ≥ ε`.
        precision: f64 => precision;
        /// Levels at most; all up to the top when `None`.
        max_levels: Option<usize> => max_levels;
        /// Maps of features, or places of rows.
        over: Over => over;
        /// Exact subspaces or the recursion.
        construction: Construction => construction;
        /// Edges lead from a row to its neighbours only, and given graphs need not be symmetric.
        directed: bool => directed;
        /// What is done to the rows first.
        prepare: Prepare => prepare;
        /// Threads, 0 = all cores. Results never depend on it.
        n_jobs: usize => n_jobs;
    }

    fits!();

    fn fit_steps(&self, datasets: &[Dataset], pairs: &Pairs, progress: &Progress) -> Result<Alignment> {
        check_datasets(datasets)?;
        check_precision(self.precision)?;
        check_max_levels(self.max_levels)?;
        self.joint.check()?;
        self.graph.check(datasets)?;
        pairs.check_for(datasets, "multiscale alignment")?;
        let mut watch = Stopwatch::start();
        let mut warnings = vec![];

        let preparations: Vec<Preparation> = datasets.iter().map(|d| Preparation::fit(self.prepare, d.rows())).collect();
        if self.over == Over::Features {
            warn_of_rows(datasets, self.prepare, &mut warnings);
        }
        let scaled = datasets.iter().zip(&preparations).map(|(d, p)| p.scaled(d));
        let scaled = scaled.collect::<Result<Vec<_>>>()?;
        watch.lap("preparation");

        // Step 1: the joint manifold.
        let graph = GraphParams { directed: self.directed, ..self.graph.clone() };
        let graphs = graph.build(&scaled, progress, &mut warnings)?;
        let kernels: Vec<Option<Kernel>> = graphs.iter().map(|g| g.kernel.clone()).collect();
        let weights: Vec<Csr> = graphs.into_iter().map(|g| g.weights).collect();
        watch.lap("graphs");
        let joint = Joint::new(&weights, pairs, self.joint);
        drop(weights);
        joint.warn(&mut warnings);
        let degree = joint.graph.row_sums();
        check_weights(&degree, Some(joint.mu_effective))?;
        let directed = self.directed && joint.graph.first_asymmetry(1e-12).is_some();
        let components = if directed {
            let both = Csr::from_triplets(degree.len(), degree.len(), &both_ways(&joint.graph))?;
            connected_components(&both).1
        } else {
            connected_components(&joint.graph).1
        };
        if components > 1 {
            warnings.push(Warning::Disconnected { components });
        }
        if directed {
            warnings.push(Warning::Directed);
        }
        watch.lap("joint graph");

        let (levels, fitted, rank) = match self.over {
            Over::Features => self.over_features(datasets, preparations, &joint, &degree, directed, progress, &mut warnings)?,
            Over::Instances => self.over_instances(datasets, &scaled, kernels, &joint, &degree, directed, progress)?,
        };
        if let Some(first) = levels.levels.first().filter(|l| l.power > 1) {
            warnings.push(Warning::FinestLevelsLeftOut { power: first.power });
        }
        watch.lap("levels");
        let outcome = Outcome {
            residual: levels.residual,
            tolerance: levels.tolerance,
            zero_solutions: levels.zero_solutions,
            components,
            mu_effective: Some(joint.mu_effective),
            rank: Some(rank),
            seconds: watch.finish(),
            warnings,
            ..Outcome::direct(levels.solver)
        };
        let params = serde_json::to_value(self).unwrap_or_default();
        let whole = levels.zero_solutions + levels.eigenvalues.len();
        let show = levels.levels.iter().position(|l| l.dimension < whole.min(rank)).unwrap_or(0);
        Alignment::new("multiscale", params, fitted, levels.eigenvalues, pairs.links().to_vec(), outcome).with_levels(
            levels.levels,
            levels.coarser,
            show,
        )
    }

    /// Steps 2 to 5: `G'G = X'X`, T, its wavelets, `F_k = G⁺ [φ_k]`.
    #[allow(clippy::too_many_arguments)]
    fn over_features(
        &self,
        datasets: &[Dataset],
        preparations: Vec<Preparation>,
        joint: &Joint,
        degree: &[f64],
        directed: bool,
        progress: &Progress,
        warnings: &mut Vec<Warning>,
    ) -> Result<(Levels, Vec<Fitted>, usize)> {
        progress.step("whitening", 0, 0)?;
        let prepared: Vec<Prepared> = datasets.iter().zip(&preparations).map(|(d, p)| p.apply(d.rows())).collect();
        let full = Blocks::new(prepared);
        let features = full.n_features();
        let whitened = whiten(full)?;
        let rank = whitened.rank;
        if rank == 0 {
            return Err(Error::Numerical {
                what: "multiscale alignment".into(),
                problem: "all prepared rows are zero (rank 0)".into(),
            });
        }
        if rank < features {
            warnings.push(Warning::RankDeficient { rank, features });
        }
        progress.step("decomposition", 0, 0)?;
        let inverse = if directed {
            Inverse::directed(&whitened.rows.directed_laplacian(degree, &joint.graph))?
        } else {
            Inverse::symmetric(whitened.rows.laplacian(degree, &joint.graph))?
        };
        let levels = inverse.levels(self.precision, self.max_levels, self.construction, progress)?;
        let finest = &levels.finest;
        let mut fitted = vec![];
        for (a, (dataset, preparation)) in datasets.iter().zip(preparations).enumerate() {
            let weights = whitened.map_of(finest, a);
            let map = LinearMap::new(preparation, weights, None);
            let rows = map.transform(dataset.rows());
            fitted.push(Fitted::new(dataset, rows, Mapping::Linear(map)));
        }
        Ok((levels, fitted, rank))
    }

    /// X = identity: T is the inverse of the Laplacian itself, and the functions are the places of the rows.
    #[allow(clippy::too_many_arguments)]
    fn over_instances(
        &self,
        datasets: &[Dataset],
        scaled: &[Dataset],
        kernels: Vec<Option<Kernel>>,
        joint: &Joint,
        degree: &[f64],
        directed: bool,
        progress: &Progress,
    ) -> Result<(Levels, Vec<Fitted>, usize)> {
        let n = degree.len();
        let inverse = if directed {
            Inverse::of_directed_graph(&joint.graph, degree)?
        } else {
            Inverse::of_graph(&joint.graph, self.precision, self.graph.random_state, progress)?
        };
        let levels = inverse.levels(self.precision, self.max_levels, self.construction, progress)?;
        let d = levels.finest.ncols();
        let mut fitted = vec![];
        for (a, (dataset, kernel)) in datasets.iter().zip(kernels).enumerate() {
            let from = joint.offsets[a];
            let embedding = Matrix::from_fn(dataset.nrows(), d, |i, j| levels.finest[(from + i, j)]);
            let mapping = match kernel {
                // New rows would have to be scaled as the fitted ones were; a prepared neighbour search has no place in the model.
                Some(kernel) if self.prepare == Prepare::None || self.prepare == Prepare::Center => {
                    let rows = scaled[a].shared_rows();
                    Mapping::Neighbors(NeighborExtension { rows, kernel, damping: vec![1.0; d], row_factors: None })
                }
                _ => Mapping::None,
            };
            fitted.push(Fitted::new(dataset, embedding, mapping));
        }
        Ok((levels, fitted, n))
    }
}

fn both_ways(graph: &Csr) -> Vec<(usize, usize, f64)> {
    (0..graph.nrows()).flat_map(|i| graph.row(i).flat_map(move |(j, w)| [(i, j as usize, w), (j as usize, i, w)])).collect()
}
