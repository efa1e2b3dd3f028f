//! Multiscale alignment by diffusion wavelets (Chapter11 §5.3.3): one fit, a hierarchy of nested joint spaces.

use crate::data::prepare::warn_of_rows;
use crate::data::{Dataset, Pairs, Preparation, Prepare};
use crate::error::{Error, Result};
use crate::geometry::affinity::Kernel;
use crate::geometry::components::connected_components;
use crate::geometry::graphs::{GraphParams, graph_params_setters};
use crate::linalg::{Csr, Matrix};
use crate::method::{Level, method, steps};
use crate::model::{Alignment, Fitted, LinearMap, Mapping, NeighborExtension};
use crate::outcome::{Outcome, Warning};
use crate::params::{Threads, threads_setters};
use crate::problem::joint::{Joint, JointWeights, check_weights, joint_weights_setters};
use crate::problem::whitened::whiten;
use crate::run::Run;
use crate::solve::multiscale::{Inverse, Levels};
use crate::solve::wavelets::Construction;
use landbridge_derive::Params;

/// Builds a hierarchy of alignments, coarse to fine, whose dimensions are found from the data.
///
/// With `G'G = X'X` (X the block diagonal of the prepared datasets) and `T = (G⁺' X'LX G⁺)⁺` scaled to norm 1, level k = 1,
/// 2, … spans the eigenvectors of T with `λ^(2^k) ≥ precision`, expressed in localised functions `[φ_k]`. The maps are `F_k =
/// G⁺ [φ_k]`, so that `(X F_k)'(X F_k) = I`. The levels are listed finest first. The fitted alignment shows the finest level
/// that is smaller than the whole space, because the whole space (usually level 0) does not bring the datasets together.
///
/// Departure: the chapter inverts once in step 3 and again in step 4; one inverse is meant. It has an unbalanced μ = 1, with
/// which the coarsest levels only separate one dataset from the other.
///
/// Directed graphs use the recursive construction, without a guarantee of optimality, as the chapter says.
///
/// Time: the neighbour search, one decomposition of r³ operations (r the rank of all datasets together), and one pivoted QR
/// per level. Memory: rows times r, and r times the dimensions of the levels. At instance level only the eigenvectors of
/// level 0 are computed.
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
///
/// # Python
/// ```python
/// >>> import landbridge as lb
/// >>> copies = lb.datasets.lifted_copies(300)
/// >>> a = lb.MultiscaleAlignment(precision=1e-3).fit(copies.datasets, copies.pairs(60))
/// >>> a.levels_ == sorted(a.levels_, reverse=True)
/// True
/// >>> a.transform(copies.datasets[1][:5], dataset=1, level=len(a.levels_) - 1).shape == (5, a.levels_[-1])
/// True
/// >>> idx, dist = a.match(source=0, target=1, level=1)
/// ```
#[derive(Clone, Debug, PartialEq, Params)]
#[params(
    name = "multiscale",
    class = "MultiscaleAlignment",
    family = "levels",
    contradicts,
    paper = "Wang, Krafft, Mahadevan 2011, §5.3.3",
    choose = "you want a hierarchy of joint spaces, coarse to fine, with dimensions found from the data; topics"
)]
pub struct MultiscaleAlignment {
    /// Precision ε: an eigenvector belongs to level k where `λ^(2^k) ≥ ε`.
    #[param(default = 1e-5, above = 0.0, below = 1.0)]
    precision: f64,
    /// Largest number of levels. None: all levels.
    #[param(default = None, min = 1)]
    max_levels: Option<usize>,
    /// Whether the functions of a level are functions of features or of rows.
    /// Functions of features give one map per dataset at every level.
    #[param(default = Level::Feature, alias = "over")]
    level: Level,
    /// How the levels are built.
    #[param(default = Construction::Auto)]
    construction: Construction,
    #[group]
    graph: GraphParams,
    /// Use directed edges, from a row to its neighbours only. Given graphs need not be symmetric.
    #[param(default = false, heading = "Neighbour graph")]
    directed: bool,
    #[group(mu = 100.0)]
    joint: JointWeights,
    /// Preprocessing of the rows. It is fitted with the model, saved in it and applied to new rows.
    #[param(default = Prepare::Center)]
    prepare: Prepare,
    #[group]
    threads: Threads,
}

method!(MultiscaleAlignment);

impl MultiscaleAlignment {
    fn fit_steps(&self, datasets: &[Dataset], pairs: &Pairs, run: &mut Run<'_>) -> Result<Alignment> {
        self.graph.check(datasets)?;
        pairs.check_for(datasets, "multiscale alignment")?;
        let (preparations, scaled) = run.step("preparation", |run| self.prepared(datasets, run))?;
        // Step 1: the joint manifold.
        let graph = GraphParams { directed: self.directed, ..self.graph.clone() };
        let graphs = run.step("graphs", |run| graph.build(&scaled, run.progress, &mut run.warnings))?;
        let (weights, kernels): (Vec<_>, Vec<_>) = graphs.into_iter().map(|g| (g.weights, g.kernel)).unzip();
        let manifold = run.step("joint graph", |run| self.manifold(weights, pairs, run))?;
        let (levels, fitted, rank) = run.step("levels", |run| match self.level {
            Level::Feature => self.over_features(datasets, preparations, &manifold, run),
            Level::Instance => self.over_instances(datasets, &scaled, kernels, &manifold, run),
        })?;
        if let Some(first) = levels.levels.first().filter(|l| l.power > 1) {
            run.warn(Warning::FinestLevelsLeftOut { power: first.power });
        }
        let outcome = Outcome {
            residual: levels.residual,
            tolerance: levels.tolerance,
            zero_solutions: levels.zero_solutions,
            components: manifold.components,
            mu_effective: Some(manifold.joint.mu_effective),
            rank: Some(rank),
            ..Outcome::direct(levels.solver)
        };
        let whole = levels.zero_solutions + levels.eigenvalues.len();
        let show = levels.levels.iter().position(|l| l.dimension < whole.min(rank)).unwrap_or(0);
        Alignment::of(fitted, levels.eigenvalues, outcome).with_levels(levels.levels, levels.coarser, show)
    }

    /// The preprocessing of the rows, and the scaled rows.
    fn prepared(&self, datasets: &[Dataset], run: &mut Run<'_>) -> Result<(Vec<Preparation>, Vec<Dataset>)> {
        let preparations = steps::fitted_preparations(self.prepare, datasets, run.progress)?;
        if self.level == Level::Feature {
            warn_of_rows(datasets, self.prepare, &mut run.warnings);
        }
        let scaled = steps::scaled(datasets, &preparations, run.progress)?;
        Ok((preparations, scaled))
    }

    fn manifold(&self, weights: Vec<Csr>, pairs: &Pairs, run: &mut Run<'_>) -> Result<Manifold> {
        let joint = Joint::new(&weights, pairs, self.joint);
        joint.warn(&mut run.warnings);
        let degree = joint.graph.row_sums();
        check_weights(&degree, Some(joint.mu_effective))?;
        let directed = self.directed && joint.graph.first_asymmetry(1e-12).is_some();
        let components = if directed {
            let both = Csr::from_triplets(degree.len(), degree.len(), &both_ways(&joint.graph))?;
            connected_components(&both).1
        } else {
            connected_components(&joint.graph).1
        };
        run.warn_if(components > 1, || Warning::Disconnected { components });
        run.warn_if(directed, || Warning::Directed);
        Ok(Manifold { joint, degree, directed, components })
    }

    fn contradiction_of(&self) -> Option<(&'static str, String)> {
        self.graph.ineffective()
    }

    /// Steps 2 to 5: `G'G = X'X`, T, its wavelets, `F_k = G⁺ [φ_k]`.
    fn over_features(
        &self,
        datasets: &[Dataset],
        preparations: Vec<Preparation>,
        manifold: &Manifold,
        run: &mut Run<'_>,
    ) -> Result<(Levels, Vec<Fitted>, usize)> {
        run.progress.step("whitening", 0, 0)?;
        let full = steps::prepared_blocks(datasets, &preparations);
        let features = full.n_features();
        let whitened = whiten(full)?;
        let rank = whitened.rank;
        if rank == 0 {
            return Err(Error::Numerical {
                what: "multiscale alignment".into(),
                problem: "all prepared rows are zero (rank 0)".into(),
            });
        }
        run.warn_if(rank < features, || Warning::RankDeficient { rank, features });
        run.progress.step("decomposition", 0, 0)?;
        let Manifold { joint, degree, directed, .. } = manifold;
        let inverse = if *directed {
            Inverse::directed(&whitened.rows.directed_laplacian(degree, &joint.graph))?
        } else {
            Inverse::symmetric(whitened.rows.laplacian(degree, &joint.graph))?
        };
        let levels = inverse.levels(self.precision, self.max_levels, self.construction, run.progress)?;
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
    fn over_instances(
        &self,
        datasets: &[Dataset],
        scaled: &[Dataset],
        kernels: Vec<Option<Kernel>>,
        manifold: &Manifold,
        run: &mut Run<'_>,
    ) -> Result<(Levels, Vec<Fitted>, usize)> {
        let Manifold { joint, degree, directed, .. } = manifold;
        let n = degree.len();
        let inverse = if *directed {
            Inverse::of_directed_graph(&joint.graph, degree)?
        } else {
            Inverse::of_graph(&joint.graph, self.precision, self.graph.random_state, run.progress)?
        };
        let levels = inverse.levels(self.precision, self.max_levels, self.construction, run.progress)?;
        let d = levels.finest.ncols();
        let mut fitted = vec![];
        for (a, (dataset, kernel)) in datasets.iter().zip(kernels).enumerate() {
            let from = joint.offsets[a];
            let embedding = Matrix::from_fn(dataset.nrows(), d, |i, j| levels.finest[(from + i, j)]);
            let mapping = match kernel {
                // New rows would have to be scaled like the fitted ones, and the model does not store a neighbour search on
                // scaled rows.
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

/// The joint graph and its properties.
struct Manifold {
    joint: Joint,
    degree: Vec<f64>,
    directed: bool,
    components: usize,
}

fn both_ways(graph: &Csr) -> Vec<(usize, usize, f64)> {
    (0..graph.nrows()).flat_map(|i| graph.row(i).flat_map(move |(j, w)| [(i, j as usize, w), (j as usize, i, w)])).collect()
}
