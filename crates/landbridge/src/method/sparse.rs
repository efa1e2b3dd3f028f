//! Sparse manifold alignment (Sparse12): the least-squares form, with penalties that set most weights to 0.

use crate::data::prepare::warn_of_rows;
use crate::data::{Dataset, Pairs, Preparation, Prepare};
use crate::error::{Error, Result};
use crate::geometry::affinity::Kernel;
use crate::geometry::graphs::{GraphParams, graph_params_setters};
use crate::linalg::tall::Tall;
use crate::linalg::{Csr, Matrix};
use crate::method::{Level, method, signed, steps};
use crate::model::{Alignment, Extras, Fitted, Mapping, NeighborExtension, SparseFit, SparseMap};
use crate::outcome::{Outcome, Status, Warning};
use crate::params::Words as _;
use crate::params::{Threads, threads_setters};
use crate::problem::joint::{Joint, JointWeights, check_weights, joint_weights_setters};
use crate::problem::spectral::{LaplacianPencil, Mass};
use crate::progress::{Progress, with_threads};
use crate::run::Run;
use crate::solve::eigen::{EigenOptions, Eigenpairs, smallest_nonzero};
use crate::solve::regression::{Form, Penalty, Problem, Solved, check_groups, constant_columns, shrink};
use landbridge_derive::{Params, Words};

/// The penalty on the weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Words)]
#[non_exhaustive]
pub enum SparsePenalty {
    /// Ridge only: γ |W|².
    None,
    /// Lasso: α |W|₁.
    Lasso,
    /// Elastic net: α |W|₁ + γ |W|².
    ElasticNet,
    /// Group lasso over groups of features and all components: α Σ_g √|g| |W_g|. A group is kept or dropped as a whole.
    Group,
    /// Fused lasso in the order of the features: α |W|₁ + β Σ |w_k − w_{k−1}|.
    Fused,
}

/// Learns sparse linear maps: few features of each dataset carry the joint space, and those of only one dataset are pruned.
///
/// The targets are the d smallest non-zero eigenvectors of the joint Laplacian. For each dataset the map W minimises `|Y −
/// XW|² + penalty(W)`, where Y holds the dataset's rows of the eigenvectors and X its prepared rows. Z = diag(X_a) is block
/// diagonal, so the problem separates into one per dataset (Sparse12 §4).
///
/// For the fused penalty, `beta` is relative to the same α as `alpha` (default: a tenth of `alpha`). For the elastic net and
/// no penalty, it is in units of the mean diagonal of `X'X` (default: 0.1).
///
/// Departure: the paper takes eigenvectors of the plain Laplacian, an unbalanced μ and absolute strengths (`normalized`
/// false, `balance` false, `relative` false). Theorem 2 requires rank(Z) = N − 1 with every dataset centred; a block-diagonal
/// Z then has rank N − c at most. A weaker statement holds and is tested: with unprepared rows (`prepare` none) and full row
/// rank, the maps without penalty span the eigenvector solution. The fused penalty does not cross datasets.
///
/// Time: the neighbour search, the eigenvectors, and for each dataset `X'X` (stored entries only for sparse rows) and its
/// regressions. Memory: one p × p matrix if p ≤ 8,192, otherwise the residuals of 32 components at a time.
///
/// ```
/// use landbridge::data::synthetic::BilingualDocuments;
/// use landbridge::method::SparseAlignment;
/// let documents = BilingualDocuments::new(200).generate()?;
/// let alignment = SparseAlignment::new(10).alpha(0.3).fit(&documents.datasets, &documents.pairs(100, 0)?)?;
/// assert!(alignment.features_used(0)? < documents.datasets[0].ncols());
/// # Ok::<(), landbridge::Error>(())
/// ```
///
/// # Python
/// ```python
/// >>> import landbridge as lb
/// >>> documents = lb.datasets.bilingual_documents(300)
/// >>> a = lb.SparseAlignment(20, prepare="unit_center").fit(documents.datasets, documents.pairs(150))
/// >>> a.features_used_[0] < documents.datasets[0].shape[1]
/// True
/// >>> max(a.gaps_) <= 1e-8
/// True
/// >>> a.transform(documents.datasets[1][:2], dataset=1).shape
/// (2, 20)
/// ```
#[derive(Clone, Debug, PartialEq, Params)]
#[params(
    name = "sparse",
    class = "SparseAlignment",
    family = "sparse",
    contradicts,
    paper = "Wang, Liu, Vu, Mahadevan 2012",
    unpromised = [("rotation", "the penalty looks at single columns, so it depends on the axes")],
    choose = "people will read the maps, or most features are noise"
)]
pub struct SparseAlignment {
    /// Dimension of the joint space.
    #[param(min = 1, tune = "log 2 200")]
    n_components: usize,
    #[group]
    graph: GraphParams,
    #[group]
    joint: JointWeights,
    /// Constraint `F'DF = I` (normalised Laplacian); false: `F'F = I`.
    #[param(default = true, alias = "plain")]
    normalized: bool,
    /// The penalty on the weights.
    #[param(default = SparsePenalty::Lasso)]
    penalty: SparsePenalty,
    /// Strength α of the penalty, as a share of the smallest α that sets all weights of the dataset to 0.
    /// If `relative` is false, α stands in the objective as given.
    #[param(default = 0.02, min = 0.0, tune = "log 1e-3 0.3")]
    alpha: f64,
    /// Second strength: of the differences (fused) or of the ridge (elastic_net, none).
    /// Auto: a tenth of alpha (fused), otherwise 0.1.
    #[param(default = None, auto, min = 0.0)]
    beta: Option<f64>,
    /// Strengths are relative to the smallest one that sets all weights to 0; false: absolute.
    #[param(default = true, alias = "absolute")]
    relative: bool,
    /// Groups of features of each dataset, for the penalty group. None: each feature is a group.
    #[param(default = None, alias = "feature-groups")]
    groups: Option<Vec<Vec<Vec<u32>>>>,
    /// Order of the features of each dataset, for the penalty fused. None: the order of the columns.
    #[param(default = None, alias = "feature-order")]
    order: Option<Vec<Vec<u32>>>,
    /// The result of the fit: maps of features or coordinates of rows.
    #[param(default = Level::Feature)]
    level: Level,
    /// Refit the selected weights without the penalty, with this ridge in units of the mean diagonal of `X'X`.
    /// Fewer features then find as many matches, because the penalty no longer shrinks the weights that it keeps.
    #[param(default = None, min = 0.0)]
    refit: Option<f64>,
    /// Preprocessing of the rows. It is fitted with the model, saved in it and applied to new rows.
    #[param(default = Prepare::Center, tune = "words center unit_center center_unit standardize tfidf_center log_tfidf")]
    prepare: Prepare,
    /// Relative duality gap of every regression.
    #[param(default = 1e-8, above = 0.0)]
    tolerance: f64,
    #[group]
    threads: Threads,
}

/// Relative residual of the eigenvectors.
const EIGEN_TOLERANCE: f64 = 1e-8;

method!(SparseAlignment);

impl SparseAlignment {
    fn contradiction_of(&self) -> Option<(&'static str, String)> {
        self.graph.ineffective()
    }

    pub(super) fn seed(&self) -> u64 {
        self.graph.random_state
    }

    /// Fits several strengths `alphas` in turn. The eigenvectors are computed once, and each regression starts from the
    /// weights of the previous one (warm start). Descending strengths are fastest.
    pub fn fit_path(&self, datasets: &[Dataset], pairs: &Pairs, alphas: &[f64], progress: &Progress) -> Result<Vec<Alignment>> {
        with_threads(self.threads.n_jobs, || {
            for &alpha in alphas {
                self.clone().alpha(alpha).check(datasets, pairs)?;
            }
            self.check(datasets, pairs)?;
            let mut run = Run::new(progress);
            let mut begun = self.begin(datasets, pairs, &mut run)?;
            let mut one = |alpha: f64| {
                let (own, mut run) = (self.clone().alpha(alpha), run.clone());
                Ok(signed(own.finish(&mut begun, datasets, &mut run)?, &own, pairs, run))
            };
            alphas.iter().map(|&alpha| one(alpha)).collect()
        })
    }

    fn fit_steps(&self, datasets: &[Dataset], pairs: &Pairs, run: &mut Run<'_>) -> Result<Alignment> {
        self.check(datasets, pairs)?;
        let mut begun = self.begin(datasets, pairs, run)?; // eigenvectors of the joint Laplacian: the targets
        self.finish(&mut begun, datasets, run) // the regressions of theorem 2, with a penalty
    }

    fn check(&self, datasets: &[Dataset], pairs: &Pairs) -> Result<()> {
        crate::data::check_datasets(datasets)?;
        crate::params::Declared::check_ranges(self)?;
        let (lasso, group) = (self.penalty == SparsePenalty::Lasso, self.penalty == SparsePenalty::Group);
        let meaningless = |name: &str, what: &str| {
            let penalty = self.penalty.word();
            Err(Error::parameter(name, "given", &format!("absent for the penalty \"{penalty}\": it is {what}")))
        };
        if self.beta.is_some() && (lasso || group) {
            return meaningless("beta", "the strength of differences (fused) or of the ridge (elastic_net, none)");
        }
        if self.refit.is_some() && (self.level == Level::Instance || self.penalty == SparsePenalty::None) {
            let expected = "absent at instance level and for the penalty \"none\", which select no features";
            return Err(Error::parameter("refit", "given", expected));
        }
        if self.groups.is_some() && !group {
            return meaningless("groups", "for the penalty \"group\"");
        }
        if self.order.is_some() && self.penalty != SparsePenalty::Fused {
            return meaningless("order", "for the penalty \"fused\"");
        }
        let sizes = |d: &Dataset| if self.level == Level::Feature { d.ncols() } else { d.nrows() };
        if let Some(groups) = &self.groups {
            one_per_dataset("groups", groups.len(), datasets)?;
            for (groups, dataset) in groups.iter().zip(datasets) {
                check_groups(groups, sizes(dataset)).map_err(|e| of_dataset(e, dataset))?;
            }
        }
        if let Some(order) = &self.order {
            one_per_dataset("order", order.len(), datasets)?;
            for (order, dataset) in order.iter().zip(datasets) {
                check_order(order, sizes(dataset)).map_err(|e| of_dataset(e, dataset))?;
            }
        }
        self.graph.check(datasets)?;
        pairs.check_for(datasets, "sparse alignment")
    }

    /// Everything up to the regressions.
    fn begin(&self, datasets: &[Dataset], pairs: &Pairs, run: &mut Run<'_>) -> Result<Begun> {
        let preparations = steps::fitted_preparations(self.prepare, datasets, run.progress)?;
        if self.level == Level::Feature {
            warn_of_rows(datasets, self.prepare, &mut run.warnings);
        }
        run.lap("preparation");
        // The neighbour search uses the scaled rows; centring does not change distances.
        let scaled = steps::scaled(datasets, &preparations, run.progress)?;
        let graphs = self.graph.build(&scaled, run.progress, &mut run.warnings)?;
        let (weights, kernels): (Vec<_>, Vec<_>) = graphs.into_iter().map(|g| (g.weights, g.kernel)).unzip();
        run.lap("graphs");
        let joint = Joint::new(&weights, pairs, self.joint); // Sparse12 fig. 1
        drop(weights);
        joint.warn(&mut run.warnings);
        let pencil = LaplacianPencil::new(&joint.graph, if self.normalized { Mass::Degree } else { Mass::Identity });
        check_weights(&pencil.degree, Some(joint.mu_effective))?;
        if pencil.n_components > 1 {
            run.warn(Warning::Disconnected { components: pencil.n_components });
        }
        run.lap("joint graph");
        let options = EigenOptions { tolerance: EIGEN_TOLERANCE, seed: self.graph.random_state, ..EigenOptions::default() };
        let solved = smallest_nonzero(&pencil, self.n_components, &options, run.progress)?; // Q U_h: theorem 2
        if solved.status == Status::ReducedAccuracy {
            run.warn(Warning::ReducedAccuracy { residual: solved.residual, tolerance: EIGEN_TOLERANCE });
        }
        let components = pencil.n_components;
        run.lap("eigenvectors");

        let d = self.n_components;
        let mut regressions = vec![];
        for (a, dataset) in datasets.iter().enumerate() {
            let rows = joint.offsets[a]..joint.offsets[a + 1];
            let y = Tall { values: solved.vectors.as_slice()[rows.start * d..rows.end * d].to_vec(), stride: d };
            if self.level == Level::Instance {
                regressions.push(Pieces { y, problem: None, columns: None, last: None });
                continue;
            }
            run.progress.step("matrices", a, datasets.len())?;
            let x = preparations[a].apply(dataset.rows());
            let mean = preparations[a].mean();
            let (problem, columns) = match self.penalty {
                SparsePenalty::Fused => {
                    // In the order of the features. Constant columns are left out, so that their neighbours become adjacent.
                    let all: Vec<u32> = (0..x.ncols() as u32).collect();
                    let order = self.order.as_ref().map_or(&all, |o| &o[a]);
                    let constant = constant_columns(&x, mean);
                    let columns: Vec<u32> = order.iter().copied().filter(|&j| !constant[j as usize]).collect();
                    if columns.is_empty() {
                        return Err(all_constant(dataset));
                    }
                    (Problem::new(x.select_columns(&columns), y.clone(), Form::Auto, None)?, Some(columns))
                }
                _ => (Problem::new(x, y.clone(), Form::Auto, mean)?, None),
            };
            if problem.largest_alpha(None) == 0.0 {
                return Err(all_constant(dataset));
            }
            regressions.push(Pieces { y, problem: Some(problem), columns, last: None });
        }
        run.lap("matrices");
        let mu_effective = joint.mu_effective;
        Ok(Begun { preparations, kernels, solved, components, mu_effective, regressions })
    }

    /// The penalty of one dataset and the smallest α that sets all weights to 0, both in the units of the scaled problem.
    fn absolute(&self, pieces: &Pieces, groups: &[Vec<u32>]) -> (Penalty, f64) {
        let group = self.penalty == SparsePenalty::Group;
        let largest = match &pieces.problem {
            Some(problem) => problem.largest_alpha(group.then_some(groups)),
            None => largest_of_rows(&pieces.y, group.then_some(groups)),
        };
        let mean_square = pieces.problem.as_ref().map_or(1.0, Problem::mean_square);
        let scale = pieces.scale();
        let unit = if self.relative { largest } else { scale };
        let alpha = self.alpha * unit;
        let ridge = match self.relative {
            true => self.beta.unwrap_or(0.1) * mean_square,
            false => self.beta.unwrap_or(0.0) * scale * scale,
        };
        let penalty = match self.penalty {
            SparsePenalty::None => Penalty::Ridge { gamma: ridge },
            SparsePenalty::Lasso => Penalty::Lasso { alpha, gamma: 0.0 },
            SparsePenalty::ElasticNet => Penalty::Lasso { alpha, gamma: ridge },
            SparsePenalty::Group => Penalty::Group { alpha, groups: groups.to_vec() },
            SparsePenalty::Fused => Penalty::Fused { alpha, beta: self.beta.unwrap_or(0.1 * self.alpha) * unit },
        };
        (penalty, largest)
    }

    /// The regressions and the model.
    fn finish(&self, stage: &mut Begun, datasets: &[Dataset], run: &mut Run<'_>) -> Result<Alignment> {
        let d = self.n_components;
        let (mut fitted, mut fit) = (vec![], SparseFit::default());
        let (mut iterations, mut status) = (stage.solved.iterations, stage.solved.status);
        for (a, dataset) in datasets.iter().enumerate() {
            let pieces = &mut stage.regressions[a];
            let groups = self.groups_of(a, pieces);
            let (penalty, largest) = self.absolute(pieces, &groups);
            let scale = pieces.scale();
            let weights = match &pieces.problem {
                Some(problem) => {
                    let (weights, solved) = problem.solve(&penalty, pieces.last.as_ref(), self.tolerance, run.progress)?;
                    iterations += solved.iterations;
                    if solved.status == Status::ReducedAccuracy {
                        status = Status::ReducedAccuracy;
                        let name = dataset.name().into();
                        run.warn(Warning::GapNotReached { dataset: name, gap: solved.gap, tolerance: self.tolerance });
                    }
                    fit.gaps.push(solved.gap);
                    fit.objectives.push(solved.objective);
                    let weights = match self.refit {
                        Some(ridge) => problem.refit(&solved, ridge)?,
                        None => weights,
                    };
                    pieces.last = Some(solved);
                    match &pieces.columns {
                        Some(columns) => in_place_of(&weights, columns, dataset.ncols()),
                        None => weights,
                    }
                }
                None => {
                    let order = self.order.as_ref().map(|o| &o[a][..]);
                    let (placed, objective) = shrink(&pieces.y, &penalty, order);
                    fit.gaps.push(0.0);
                    fit.objectives.push(objective);
                    Csr::from_dense(&Matrix::from_vec(placed.values, dataset.nrows(), d)?)
                }
            };
            if weights.nnz() == 0 {
                return Err(self.vanished(&stage.regressions, dataset));
            }
            let used = weights.transpose();
            let empty = (0..d).filter(|&c| used.row_indices(c).is_empty()).count();
            if empty > 0 {
                run.warn(Warning::EmptyComponents { dataset: dataset.name().into(), count: empty });
            }
            let (alpha, beta) = strengths(&penalty, scale);
            fit.alphas.push(alpha);
            fit.betas.push(beta);
            fit.largest_alphas.push((largest / scale).min(f64::MAX));
            fitted.push(match self.level {
                Level::Feature => {
                    let map = SparseMap { preparation: stage.preparations[a].clone(), weights };
                    Fitted::new(dataset, map.transform(dataset.rows())?, Mapping::Sparse(map))
                }
                Level::Instance => {
                    let damping = |v: &f64| if self.normalized { 1.0 - v } else { 1.0 };
                    let mapping = stage.kernels[a].as_ref().map_or(Mapping::None, |kernel| {
                        Mapping::Neighbors(NeighborExtension {
                            rows: dataset.shared_rows(),
                            kernel: kernel.clone(),
                            damping: stage.solved.values.iter().map(damping).collect(),
                            row_factors: None,
                        })
                    });
                    Fitted::new(dataset, weights.to_dense(), mapping)
                }
            });
        }
        run.lap("regression");
        let worst = fit.gaps.iter().fold(0.0f64, |m, g| m.max(*g));
        let how = match (self.level, self.penalty) {
            (Level::Instance, _) => "exact shrinkage".to_string(),
            (_, SparsePenalty::None) => "Cholesky".into(),
            (_, SparsePenalty::Fused) => format!("accelerated proximal steps, duality gap {worst:.1e}"),
            (_, SparsePenalty::Group) => format!("block descent, duality gap {worst:.1e}"),
            _ => format!("coordinate descent, duality gap {worst:.1e}"),
        };
        let outcome = Outcome {
            status,
            solver: format!("{}, then {how}", stage.solved.solver),
            residual: stage.solved.residual,
            tolerance: EIGEN_TOLERANCE,
            iterations,
            zero_solutions: stage.components,
            components: stage.components,
            mu_effective: Some(stage.mu_effective),
            ..Outcome::direct("")
        };
        let values = stage.solved.values.clone();
        let mut alignment = Alignment::of(fitted, values, outcome);
        alignment.extras = Extras::Sparse(fit);
        Ok(alignment)
    }

    /// The error for a strength that sets all weights of some dataset to 0. It names a strength that keeps some in each.
    fn vanished(&self, regressions: &[Pieces], dataset: &Dataset) -> Error {
        let useful = |(a, pieces): (usize, &Pieces)| {
            let (penalty, largest) = self.absolute(pieces, &self.groups_of(a, pieces));
            let unit = if self.relative { largest } else { pieces.scale() };
            match (penalty, &pieces.problem) {
                (Penalty::Fused { beta, .. }, Some(problem)) => problem.largest_fused_alpha(beta) / unit,
                _ => largest / unit,
            }
        };
        let useful = regressions.iter().enumerate().map(useful).fold(f64::INFINITY, f64::min);
        let expected = format!("below {useful:.6}: this value sets all weights of dataset \"{}\" to 0", dataset.name());
        Error::parameter("alpha", self.alpha, &expected)
    }

    /// Groups of one dataset; empty if the penalty has none.
    fn groups_of(&self, a: usize, pieces: &Pieces) -> Vec<Vec<u32>> {
        let size = pieces.problem.as_ref().map_or(pieces.y.n(), Problem::n_features) as u32;
        match (&self.groups, self.penalty) {
            (Some(groups), _) => groups[a].clone(),
            (None, SparsePenalty::Group) => (0..size).map(|j| vec![j]).collect(),
            _ => vec![],
        }
    }
}

/// The state of a fit before a strength is chosen.
struct Begun {
    preparations: Vec<Preparation>,
    kernels: Vec<Option<Kernel>>,
    solved: Eigenpairs,
    components: usize,
    mu_effective: f64,
    regressions: Vec<Pieces>,
}

/// The regression of one dataset.
struct Pieces {
    /// The dataset's rows of the eigenvectors.
    y: Tall,
    /// None at the instance level.
    problem: Option<Problem>,
    /// The column of each feature of the problem, if the numbering differs.
    columns: Option<Vec<u32>>,
    /// The solution for the previous strength (warm start).
    last: Option<Solved>,
}

impl Pieces {
    /// The factor by which the rows of the problem were multiplied.
    fn scale(&self) -> f64 {
        self.problem.as_ref().map_or(1.0, Problem::scale)
    }
}

fn one_per_dataset(name: &str, given: usize, datasets: &[Dataset]) -> Result<()> {
    let expected = format!("one per dataset ({})", datasets.len());
    if given == datasets.len() { Ok(()) } else { Err(Error::parameter(name, format!("a list of {given}"), &expected)) }
}

fn of_dataset(error: Error, dataset: &Dataset) -> Error {
    match error {
        Error::BadParameter { name, value, expected } => {
            Error::BadParameter { name: format!("{name} of dataset \"{}\"", dataset.name()), value, expected }
        }
        error => error,
    }
}

fn check_order(order: &[u32], features: usize) -> Result<()> {
    let expected = format!("a permutation of 0 … {}", features.saturating_sub(1));
    let mut seen = vec![false; features];
    for &j in order {
        match seen.get_mut(j as usize) {
            Some(seen) if !*seen => *seen = true,
            Some(_) => return Err(Error::parameter("order", format!("with {j} twice"), &expected)),
            None => return Err(Error::parameter("order", format!("with {j}"), &expected)),
        }
    }
    match seen.iter().position(|s| !s) {
        Some(j) => Err(Error::parameter("order", format!("without {j}"), &expected)),
        None => Ok(()),
    }
}

fn all_constant(dataset: &Dataset) -> Error {
    let problem = format!("dataset \"{}\": every column is constant, so no component depends on any", dataset.name());
    Error::Numerical { what: "sparse alignment".into(), problem }
}

/// α and β or γ in the units of the data.
fn strengths(penalty: &Penalty, scale: f64) -> (f64, f64) {
    let (alpha, beta) = match penalty {
        Penalty::Ridge { gamma } => (0.0, gamma / scale / scale),
        Penalty::Lasso { alpha, gamma } => (*alpha / scale, gamma / scale / scale),
        Penalty::Group { alpha, .. } => (*alpha / scale, 0.0),
        Penalty::Fused { alpha, beta } => (*alpha / scale, beta / scale),
    };
    (alpha.min(f64::MAX), beta.min(f64::MAX))
}

/// The smallest α that sets all coordinates to 0, with X the identity.
fn largest_of_rows(y: &Tall, groups: Option<&[Vec<u32>]>) -> f64 {
    let d = y.stride;
    match groups {
        None => 2.0 * y.values.iter().fold(0.0f64, |m, v| m.max(v.abs())),
        Some(groups) => {
            let square = |i: u32| y.values[i as usize * d..][..d].iter().map(|v| v * v).sum::<f64>();
            let one = |g: &Vec<u32>| (g.iter().map(|&i| square(i)).sum::<f64>() / g.len() as f64).sqrt();
            2.0 * groups.iter().map(one).fold(0.0, f64::max)
        }
    }
}

/// Row s of the weights becomes row `columns[s]`.
fn in_place_of(weights: &Csr, columns: &[u32], features: usize) -> Csr {
    let mut back = vec![usize::MAX; features];
    columns.iter().enumerate().for_each(|(s, &j)| back[j as usize] = s);
    let (mut indptr, mut indices, mut values) = (vec![0], vec![], vec![]);
    for s in back {
        if s != usize::MAX {
            indices.extend_from_slice(weights.row_indices(s));
            values.extend_from_slice(weights.row_values(s));
        }
        indptr.push(indices.len());
    }
    Csr::from_sorted(indptr, indices, values, weights.ncols())
}
