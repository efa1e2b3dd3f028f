//! Instance-level alignment: the joint Laplacian (Chapter11 §5.2), with soft or hard correspondence.

use crate::data::known::for_distances;
use crate::data::{Dataset, Pairs};
use crate::error::Result;
use crate::geometry::affinity::Kernel;
use crate::geometry::graphs::{GraphParams, graph_params_setters};
use crate::linalg::{Csr, Matrix};
use crate::method::clle::check_embed;
use crate::method::method;
use crate::model::{Alignment, Extras, Fitted, Mapping, NeighborExtension, Prediction, prediction_setters};
use crate::outcome::{Outcome, Status, Warning};
use crate::params::{Threads, threads_setters};
use crate::problem::joint::{Joint, JointWeights, check_weights, joint_weights_setters};
use crate::problem::merged::Merged;
use crate::problem::spectral::{LaplacianPencil, Mass};
use crate::run::Run;
use crate::solve::eigen::{EigenOptions, Eigenpairs, smallest_nonzero};
use landbridge_derive::Params;

/// Embeds the rows of all datasets in one joint space, where neighbours and known pairs are close; for curved datasets.
///
/// Minimises `Σ_ab Σ_ij W_ij |f_i − f_j|²` over all rows of all datasets, subject to `F'DF = I`. W holds the similarities of
/// neighbours within a dataset (times `nu`) and the known pairs across datasets (times `mu`). The coordinates are the d
/// smallest non-zero solutions of `L f = λ D f`.
///
/// Time: the neighbour search plus O(N k d) per product of the eigensolver. Memory: the rows, O(N k) for the graph, and about
/// O(N (2d + 60)) for the eigensolver; never N × N.
///
/// Departure: weights are self-tuning by default, and each component is scaled by `1/√λ`, so that distances in the joint space are
/// commute times of a random walk on the joint graph. With the paper's single width an outlier hangs by a thread and takes whole
/// components for itself; without the scaling, components that only one dataset knows count as much as those that both share. Other
/// `weights`, or `weight_components` false, keep the paper's coordinates, `F'DF = I`.
///
/// A joint graph of several connected components has one zero solution per component. The method skips all of them. The
/// outcome warns that the relative position of the components has no meaning.
///
/// ```
/// use landbridge::data::synthetic::SwissRolls;
/// use landbridge::method::InstanceAlignment;
/// let rolls = SwissRolls::new(300).generate()?;
/// let pairs = rolls.pairs(30, 0)?;
/// let alignment = InstanceAlignment::new(3).n_neighbors(8).fit(&rolls.datasets, &pairs)?;
/// assert_eq!(alignment.embedding(1).ncols(), 3);
/// # Ok::<(), landbridge::Error>(())
/// ```
///
/// # Python
/// ```python
/// Two rolled-up sheets; 30 of 300 points are known in both.
///
/// >>> import landbridge as lb
/// >>> rolls = lb.datasets.swiss_rolls(300)
/// >>> a = lb.InstanceAlignment(4).fit(rolls.datasets, rolls.pairs(30))
/// >>> [z.shape for z in a.embeddings_]
/// [(300, 4), (300, 4)]
/// >>> idx, dist = a.match(source=0, target=1, k=10)
/// >>> idx.shape
/// (300, 10)
/// >>> bool(lb.metrics.recall_at_k(*a.embeddings_, k=10) > 0.5)
/// True
/// >>> a.transform(rolls.datasets[1][:5], dataset=1).shape
/// (5, 4)
/// ```
#[derive(Clone, Debug, PartialEq, Params)]
#[params(
    name = "instance",
    class = "InstanceAlignment",
    family = "places",
    infers,
    contradicts,
    nested,
    paper = "Wang, Krafft, Mahadevan 2011, §5.2 and §5.3.2",
    choose = "the datasets are curved and you need coordinates of rows; hard: the pairs are certain"
)]
pub struct InstanceAlignment {
    /// Dimension of the joint space.
    #[param(min = 1, tune = "log 2 200")]
    n_components: usize,
    #[group(weights = crate::geometry::affinity::Weights::Auto)]
    graph: GraphParams,
    #[group]
    joint: JointWeights,
    /// Merge corresponding rows into one node, so that they coincide.
    #[param(default = false, tune = "words")]
    hard: bool,
    /// Constraint `F'DF = I` (normalised Laplacian); false: `F'F = I`.
    #[param(default = true, alias = "plain")]
    normalized: bool,
    /// Scale each component by `1/√λ`, so that smooth ones count more. None: only if `weights` is auto, and no width and no graphs are given.
    #[param(default = None)]
    weight_components: Option<bool>,
    /// Relative residual of the eigensolver.
    #[param(default = 1e-5, above = 0.0)]
    tolerance: f64,
    #[group]
    threads: Threads,
    /// Speed options of the eigensolver.
    #[internal]
    eigen: Option<EigenOptions>,
}

method!(InstanceAlignment);

impl InstanceAlignment {
    /// Speed options of the eigensolver. Tests use them to run the large-data path on small data.
    #[doc(hidden)]
    #[must_use]
    pub fn eigen_options(mut self, eigen: impl Into<Option<EigenOptions>>) -> Self {
        self.eigen = eigen.into();
        self
    }

    pub(super) fn fit_steps(&self, datasets: &[Dataset], pairs: &Pairs, run: &mut Run<'_>) -> Result<Alignment> {
        self.graph.check(datasets)?;
        pairs.check_for(datasets, "instance-level alignment")?;
        let graphs = run.step("graphs", |run| self.graph.build(datasets, run.progress, &mut run.warnings))?; // §5.2.3, step 1
        let (weights, kernels): (Vec<_>, Vec<_>) = graphs.into_iter().map(|g| (g.weights, g.kernel)).unzip();
        let nodes = run.step("joint graph", |run| Ok(self.nodes(weights, pairs, run)))?; // fig. 5.4, or §5.3.2
        let pencil = LaplacianPencil::new(&nodes.graph, if self.normalized { Mass::Degree } else { Mass::Identity });
        check_weights(&pencil.degree, nodes.mu_effective)?;
        let components = pencil.n_components;
        run.warn_if(components > 1, || Warning::Disconnected { components });
        let options = EigenOptions { tolerance: self.tolerance, seed: self.graph.random_state, ..self.eigen.unwrap_or_default() };
        let solved = run.step("eigenvectors", |run| smallest_nonzero(&pencil, self.n_components, &options, run.progress))?; // §5.2.2
        let (residual, tolerance) = (solved.residual, options.tolerance);
        run.warn_if(solved.status == Status::ReducedAccuracy, || Warning::ReducedAccuracy { residual, tolerance });
        run.step("model", |_| {
            let fitted = datasets.iter().zip(kernels).enumerate();
            let fitted = fitted.map(|(a, (dataset, kernel))| self.placed(a, dataset, kernel, &nodes, &solved)).collect();
            let outcome = Outcome {
                status: solved.status,
                residual,
                tolerance,
                iterations: solved.iterations,
                zero_solutions: components,
                components,
                mu_effective: nodes.mu_effective,
                ..Outcome::direct(solved.solver)
            };
            Ok(Alignment::of(fitted, solved.values, outcome))
        })
    }

    /// The joint graph. Pairs are edges, or corresponding rows are merged into one node.
    fn nodes(&self, weights: Vec<Csr>, pairs: &Pairs, run: &mut Run<'_>) -> Nodes {
        if self.hard {
            let Merged { graph, offsets, node, .. } = Merged::new(&weights, pairs, self.joint.nu);
            return Nodes { graph, offsets, node: Some(node), mu_effective: None };
        }
        let joint = Joint::new(&weights, pairs, self.joint);
        joint.warn(&mut run.warnings);
        Nodes { graph: joint.graph, offsets: joint.offsets, node: None, mu_effective: Some(joint.mu_effective) }
    }

    /// The coordinates of one dataset. New rows are placed by their neighbours.
    fn placed(&self, a: usize, dataset: &Dataset, kernel: Option<Kernel>, nodes: &Nodes, solved: &Eigenpairs) -> Fitted {
        let start = nodes.offsets[a];
        let node = |row: usize| nodes.node.as_ref().map_or(row, |n| n[row] as usize);
        let vectors = &solved.vectors;
        let weighed = self.weight_components.unwrap_or_else(|| self.graph.tunes_itself());
        let scales: Vec<f64> = solved.values.iter().map(|value| if weighed { value.sqrt().recip() } else { 1.0 }).collect();
        let embedding = Matrix::from_fn(dataset.nrows(), self.n_components, |i, c| scales[c] * vectors[(node(start + i), c)]);
        let damping = |value: &f64| if self.normalized { 1.0 - value } else { 1.0 };
        let mapping = kernel.map_or(Mapping::None, |kernel| {
            Mapping::Neighbors(NeighborExtension {
                rows: dataset.shared_rows(),
                kernel,
                damping: solved.values.iter().map(damping).collect(),
                row_factors: None,
            })
        });
        Fitted::new(dataset, embedding, mapping)
    }

    fn contradiction_of(&self) -> Option<(&'static str, String)> {
        let default = JointWeights::default();
        let given = [("mu", self.joint.mu != default.mu), ("balance", self.joint.balance != default.balance)];
        match given.into_iter().find(|(_, changed)| *changed && self.hard) {
            Some((name, _)) => Some((name, "hard pairs are merged, so their strength has no effect".into())),
            None => self.graph.ineffective(),
        }
    }
}

/// The nodes of the joint graph.
struct Nodes {
    graph: Csr,
    offsets: Vec<usize>,
    /// The node of each row, if rows are merged.
    node: Option<Vec<u32>>,
    mu_effective: Option<f64>,
}

/// Embeds curved datasets so that corresponding rows coincide: correspondence Laplacian eigenmaps (CLE, Lamvu13 eq. 10).
///
/// This is instance-level alignment with `hard` true and `normalized` false, under its published name. It predicts values as
/// CLLE does.
///
/// ```
/// use landbridge::data::synthetic::Helices;
/// use landbridge::method::Cle;
/// let helices = Helices::new(200).generate()?;
/// let alignment = Cle::new(2).fit(&helices.datasets, &helices.pairs(20, 0)?)?;
/// assert_eq!(alignment.method(), "cle");
/// # Ok::<(), landbridge::Error>(())
/// ```
///
/// # Python
/// ```python
/// >>> import landbridge as lb
/// >>> helices = lb.datasets.helices(200)
/// >>> a = lb.CLE(2).fit(helices.datasets, helices.pairs(20))
/// >>> i, j = helices.pairs(20)[0]
/// >>> bool((a.embeddings_[0][i] == a.embeddings_[1][j]).all())
/// True
/// ```
#[derive(Clone, Debug, PartialEq, Params)]
#[params(
    name = "cle",
    class = "CLE",
    family = "predicts",
    contradicts,
    paper = "Ham, Lee, Saul 2003; Hou, Nie, Wang, Yi, Zhang 2013",
    choose = "you want to predict the values of the other dataset (ratings), or two curved datasets share few certain pairs"
)]
pub struct Cle {
    /// Dimension of the joint space.
    #[param(min = 1, tune = "log 2 200")]
    n_components: usize,
    #[group]
    graph: GraphParams,
    /// Relative residual of the eigensolver.
    #[param(default = 1e-5, above = 0.0)]
    tolerance: f64,
    /// Number of neighbours (k_D) for rows placed after the fit. None: `n_neighbors`.
    #[param(default = None, min = 1, heading = "Prediction")]
    n_neighbors_embed: Option<usize>,
    #[group]
    prediction: Prediction,
    #[group]
    threads: Threads,
}

method!(Cle);

impl Cle {
    fn contradiction_of(&self) -> Option<(&'static str, String)> {
        self.graph.ineffective()
    }
    pub(super) fn fit_steps(&self, datasets: &[Dataset], pairs: &Pairs, run: &mut Run<'_>) -> Result<Alignment> {
        for dataset in datasets {
            check_embed(self.n_neighbors_embed, dataset.nrows(), &format!("rows of dataset \"{}\"", dataset.name()))?;
        }
        let (seen, means): (Vec<_>, Vec<_>) =
            for_distances(datasets, self.prediction.known, &mut run.warnings).into_iter().unzip();
        let mut base = InstanceAlignment::new(self.n_components).hard(true).normalized(false).tolerance(self.tolerance);
        base.graph = self.graph.clone();
        let mut alignment = base.fit_steps(&seen, pairs, run)?;
        alignment.extras = Extras::prediction(&self.prediction);
        for (fitted, means) in alignment.fitted.iter_mut().zip(means) {
            fitted.known_means = means;
            if let (Mapping::Neighbors(extension), Some(k)) = (&mut fitted.mapping, self.n_neighbors_embed) {
                extension.kernel.n_neighbors = k;
            }
        }
        Ok(alignment)
    }
}
