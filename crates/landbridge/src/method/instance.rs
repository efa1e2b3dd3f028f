//! Instance-level alignment: the joint Laplacian (Chapter11 §5.2), with soft or hard correspondence.

use crate::data::known::for_distances;
use crate::data::{Dataset, Known, Pairs, check_datasets};
use crate::error::Result;
use crate::linalg::Matrix;
use crate::method::clle::check_embed;
use crate::method::graphs::GraphParams;
use crate::method::{graph_setters, joint_setters, setters};
use crate::model::{Alignment, Fitted, Mapping, NeighborExtension};
use crate::model::{Prediction, Predictor};
use crate::outcome::{Outcome, Status, Stopwatch, Warning};
use crate::params::{check_components, check_positive};
use crate::problem::joint::{Joint, JointWeights, check_weights};
use crate::problem::merged::Merged;
use crate::problem::spectral::{LaplacianPencil, Mass};
use crate::progress::{Progress, with_threads};
use crate::solve::eigen::{EigenOptions, smallest_nonzero};
use serde::{Deserialize, Serialize};

/// Puts every row of every dataset at its place in one joint space.
///
/// Minimises `Σ_ab Σ_ij W_ij |f_i − f_j|²` over all rows of all datasets, where W holds the similarity of
/// neighbours within a dataset (times `nu`) and the known pairs across datasets (times `mu`), subject to
/// `F'DF = I`: the d smallest non-zero solutions of `L f = λ D f`.
///
/// | parameter | default | purpose | range |
/// |---|---|---|---|
/// | `n_components` | required | dimension d of the joint space | 1 … rows − components |
/// | `n_neighbors` | 10 | neighbours of each row | 1 … rows − 1 |
/// | `metric` | Euclidean | distance between rows | |
/// | `weights` | heat | weight of an edge | |
/// | `heat_width` | mean neighbour distance | σ of the heat kernel | > 0 |
/// | `mu`, `nu` | 1, 1 | strength of pairs and of neighbours | > 0 |
/// | `balance` | true | `mu` counts in units of (edge weight) / (pair weight) | |
/// | `hard` | false | corresponding rows coincide (they are merged) | |
/// | `normalized` | true | constraint `F'DF = I`; false: `F'F = I` | |
///
/// Time: neighbours (see [`crate::geometry::neighbors`]) plus O(N k d) per product of the eigensolver. Memory:
/// the rows, O(N k) for the graph, about O(N (2d + 60)) for the eigensolver; never N × N.
///
/// A joint graph of several connected components has as many zero solutions, all of which are skipped; the
/// outcome warns that positions of components relative to each other mean nothing.
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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct InstanceAlignment {
    n_components: usize,
    #[serde(flatten)]
    graph: GraphParams,
    #[serde(flatten)]
    joint: JointWeights,
    hard: bool,
    normalized: bool,
    tolerance: f64,
    #[serde(skip)]
    n_jobs: usize,
    #[serde(skip)]
    eigen: Option<EigenOptions>,
}

impl InstanceAlignment {
    /// Into a space of that many dimensions.
    pub fn new(n_components: usize) -> Self {
        Self {
            n_components,
            graph: GraphParams::default(),
            joint: JointWeights::default(),
            hard: false,
            normalized: true,
            tolerance: EigenOptions::default().tolerance,
            n_jobs: 0,
            eigen: None,
        }
    }

    graph_setters!();
    joint_setters!();
    setters! {
        /// Corresponding rows coincide.
        hard: bool => hard;
        /// Constraint `F'DF = I`, or `F'F = I`.
        normalized: bool => normalized;
        /// Relative residual of the eigensolver.
        tolerance: f64 => tolerance;
        /// Threads, 0 = all cores. Results never depend on it.
        n_jobs: usize => n_jobs;
        /// Speed options of the eigensolver (tests walk the large-data path on small data with it).
        eigen_options: Option<EigenOptions> => eigen;
    }

    /// Aligns the datasets by the known pairs.
    pub fn fit(&self, datasets: &[Dataset], pairs: &Pairs) -> Result<Alignment> {
        self.fit_with(datasets, pairs, &Progress::silent())
    }

    /// As [`InstanceAlignment::fit`], telling of its progress.
    pub fn fit_with(&self, datasets: &[Dataset], pairs: &Pairs, progress: &Progress) -> Result<Alignment> {
        with_threads(self.n_jobs, || self.fit_steps(datasets, pairs, progress, "instance"))
    }

    fn check(&self, datasets: &[Dataset], pairs: &Pairs) -> Result<()> {
        check_datasets(datasets)?;
        check_components(self.n_components)?;
        self.joint.check()?;
        check_positive("tolerance", self.tolerance)?;
        self.graph.check(datasets)?;
        pairs.check_for(datasets, "instance-level alignment")
    }

    fn fit_steps(&self, datasets: &[Dataset], pairs: &Pairs, progress: &Progress, method: &str) -> Result<Alignment> {
        self.check(datasets, pairs)?;
        let mut watch = Stopwatch::start();
        let mut warnings = vec![];
        let graphs = self.graph.build(datasets, progress, &mut warnings)?; // Chapter11 5.2.3, step 1
        watch.lap("graphs");
        let (weights, kernels): (Vec<_>, Vec<_>) = graphs.into_iter().map(|g| (g.weights, g.kernel)).unzip();
        let mass = if self.normalized { Mass::Degree } else { Mass::Identity };
        let options = EigenOptions { tolerance: self.tolerance, seed: self.graph.random_state, ..self.eigen.unwrap_or_default() };

        // fig. 5.4: the joint W; or 5.3.2: corresponding rows merged to one node.
        let (graph, offsets, node, mu_effective) = if self.hard {
            let merged = Merged::new(&weights, pairs, self.joint.nu);
            (merged.graph, merged.offsets, Some(merged.node), None)
        } else {
            let joint = Joint::new(&weights, pairs, self.joint);
            joint.warn(&mut warnings);
            (joint.graph, joint.offsets, None, Some(joint.mu_effective))
        };
        drop(weights);
        let pencil = LaplacianPencil::new(&graph, mass);
        check_weights(&pencil.degree, mu_effective)?;
        if pencil.n_components > 1 {
            warnings.push(Warning::Disconnected { components: pencil.n_components });
        }
        watch.lap("joint graph");
        let solved = smallest_nonzero(&pencil, self.n_components, &options, progress)?; // 5.2.2
        watch.lap("eigenvectors");
        if solved.status == Status::ReducedAccuracy {
            warnings.push(Warning::ReducedAccuracy { residual: solved.residual, tolerance: options.tolerance });
        }

        let damping = |value: f64| if self.normalized { 1.0 - value } else { 1.0 };
        let mut fitted = vec![];
        for (a, (dataset, kernel)) in datasets.iter().zip(kernels).enumerate() {
            let rows = offsets[a]..offsets[a + 1];
            let embedding = Matrix::from_fn(rows.len(), self.n_components, |i, c| {
                let row = offsets[a] + i;
                solved.vectors[(node.as_ref().map_or(row, |n| n[row] as usize), c)]
            });
            let mapping = match kernel {
                None => Mapping::None,
                Some(kernel) => Mapping::Neighbors(NeighborExtension {
                    rows: dataset.shared_rows(),
                    kernel,
                    damping: solved.values.iter().map(|v| damping(*v)).collect(),
                    row_factors: None,
                }),
            };
            fitted.push(Fitted::new(dataset, embedding, mapping));
        }
        watch.lap("model");
        let outcome = Outcome {
            status: solved.status,
            residual: solved.residual,
            tolerance: options.tolerance,
            iterations: solved.iterations,
            zero_solutions: pencil.n_components,
            components: pencil.n_components,
            mu_effective,
            seconds: watch.finish(),
            warnings,
            ..Outcome::direct(solved.solver)
        };
        let params = serde_json::to_value(self).unwrap_or_default();
        Ok(Alignment::new(method, params, fitted, solved.values, pairs.links().to_vec(), outcome))
    }
}

/// CLE, correspondence Laplacian eigenmaps (Lamvu13 eq. 10): corresponding rows merged, plain Laplacian.
///
/// The same as `InstanceAlignment::new(d).hard(true).normalized(false)`, under its published name, with predictions as in
/// [`crate::method::Clle`].
///
/// ```
/// use landbridge::data::synthetic::Helices;
/// use landbridge::method::Cle;
/// let helices = Helices::new(200).generate()?;
/// let alignment = Cle::new(2).fit(&helices.datasets, &helices.pairs(20, 0)?)?;
/// assert_eq!(alignment.method(), "cle");
/// # Ok::<(), landbridge::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cle {
    #[serde(flatten)]
    base: InstanceAlignment,
    n_neighbors_embed: Option<usize>,
    #[serde(flatten)]
    prediction: Prediction,
}

impl Cle {
    /// Into a space of that many dimensions.
    pub fn new(n_components: usize) -> Self {
        let base = InstanceAlignment::new(n_components).hard(true).normalized(false);
        Self { base, n_neighbors_embed: None, prediction: Prediction::default() }
    }
    /// With the other parameters of instance-level alignment; `hard` and `normalized` stay what CLE says.
    #[must_use]
    pub fn with(self, change: impl FnOnce(InstanceAlignment) -> InstanceAlignment) -> Self {
        Self { base: change(self.base).hard(true).normalized(false), ..self }
    }
    setters! {
        /// Neighbours of a new row (k_D); as many as fitted rows have when `None`.
        n_neighbors_embed: Option<usize> => n_neighbors_embed;
        /// Neighbours in the joint space when values are predicted locally (k_A).
        n_neighbors_predict: usize => prediction.n_neighbors_predict;
        /// Ridge of the local weights of predictions.
        ridge: f64 => prediction.ridge;
        /// How values of the other datasets are predicted.
        predictor: Predictor => prediction.predictor;
        /// Which entries are known.
        known: Known => prediction.known;
    }
    /// Aligns the datasets by the known pairs.
    pub fn fit(&self, datasets: &[Dataset], pairs: &Pairs) -> Result<Alignment> {
        self.fit_with(datasets, pairs, &Progress::silent())
    }
    /// As [`Cle::fit`], telling of its progress.
    pub fn fit_with(&self, datasets: &[Dataset], pairs: &Pairs, progress: &Progress) -> Result<Alignment> {
        with_threads(self.base.n_jobs, || self.fit_steps(datasets, pairs, progress))
    }

    fn fit_steps(&self, datasets: &[Dataset], pairs: &Pairs, progress: &Progress) -> Result<Alignment> {
        self.prediction.check()?;
        for dataset in datasets {
            check_embed(self.n_neighbors_embed, dataset.nrows(), &format!("rows of dataset \"{}\"", dataset.name()))?;
        }
        let mut warnings = vec![];
        let (seen, means): (Vec<_>, Vec<_>) = for_distances(datasets, self.prediction.known, &mut warnings).into_iter().unzip();
        let mut alignment = self.base.fit_steps(&seen, pairs, progress, "cle")?;
        alignment.params = serde_json::to_value(self).unwrap_or_default();
        alignment.outcome.warnings.splice(..0, warnings);
        alignment.prediction = Some(self.prediction.clone());
        for (fitted, means) in alignment.fitted.iter_mut().zip(means) {
            fitted.known_means = means;
            if let (Mapping::Neighbors(extension), Some(k)) = (&mut fitted.mapping, self.n_neighbors_embed) {
                extension.kernel.n_neighbors = k;
            }
        }
        Ok(alignment)
    }
}
