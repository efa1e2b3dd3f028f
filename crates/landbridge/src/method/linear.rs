//! Feature-level alignment, "manifold projections" (Chapter11 §5.3.1, Sparse12 §2.1.2): one linear map per dataset.

use crate::data::prepare::{Prepared, warn_of_rows};
use crate::data::{Dataset, Pairs, Preparation, Prepare, check_datasets};
use crate::error::{Error, Result};
use crate::geometry::components::connected_components;
use crate::linalg::Csr;
use crate::linalg::tall::fix_signs;
use crate::method::graphs::GraphParams;
use crate::method::{fits, graph_setters, joint_setters, setters};
use crate::model::{Alignment, Fitted, LinearMap, Mapping, component_weights};
use crate::outcome::{Outcome, Status, Stopwatch, Warning};
use crate::params::{check_components, check_ridge};
use crate::problem::feature::{Basis, Blocks, MassProduct, reduce_to_row_space};
use crate::problem::feature_products::{LaplacianProduct, MassFactor};
use crate::problem::joint::{Joint, JointWeights, check_weights};
use crate::progress::Progress;
use crate::solve::conjugate_gradients::smallest_by_products;
use crate::solve::pencil::{self, Smallest, TOLERANCE};
use serde::{Deserialize, Serialize};

/// What keeps the maps from shrinking to zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Constraint {
    /// `F'X'DXF = I` (Chapter11).
    Degree,
    /// `F'X'XF = I` (Sparse12 §2.1.2).
    Identity,
}

/// One linear map per dataset into the joint space: any new row can be mapped, and features can be compared.
///
/// The d smallest non-zero solutions of `(X'LX + R) f = λ X'DX f`, where X is the block diagonal of the prepared
/// datasets (never formed), L and D belong to the joint graph of neighbours and pairs, and R is the ridge: for each
/// dataset `ridge` times the mean of the diagonal of its `X'DX`. By default (no `ridge` given) the ridge is 1, it
/// stands on both sides, `(X'LX + R) f = λ (X'DX + R) f`, and the components are weighed by what they say about pairs
/// ([`LinearAlignment::weight_components`]): with strong pairs that tends to ridge CCA, and it is what did best on
/// documents and on single cells.
///
/// | parameter | default | purpose | range |
/// |---|---|---|---|
/// | `n_components` | required | dimension d of the joint space | 1 … |
/// | `n_neighbors`, `metric`, `weights`, `heat_width` | 10, Euclidean, heat | graph of each dataset | |
/// | `mu`, `nu`, `balance` | 100, 1, true | strength of pairs and neighbours, as in [`super::InstanceAlignment`] | > 0 |
/// | `constraint` | degree | right-hand side `X'DX` or `X'X` | |
/// | `ridge` | 1, both sides | strength of the ridge; 0 is the papers' problem, solved on the range of `X'DX` | ≥ 0 |
/// | `weight_components` | when no `ridge` is given | coordinates times `sqrt(ρ/(1−ρ²))`, ρ = 1 − λ; 0 beyond the number of pairs | |
/// | `prepare` | centre | what is done to rows first | |
///
/// Departure: the papers have no ridge and raw μ = 1 (`.ridge(Some(0.0)).balance(false)`); with that, maps of
/// thousands of words fit the pairs and nothing else.
///
/// Time: neighbours, the matrix `X'LX` (sparse rows: stored entries only), one Cholesky factorisation of P³/3 and
/// about 3 d products with it. Memory: one P × P matrix, beside the rows.
///
/// ```
/// use landbridge::data::synthetic::BilingualDocuments;
/// use landbridge::method::LinearAlignment;
/// let documents = BilingualDocuments::new(200).generate()?;
/// let alignment = LinearAlignment::new(10).fit(&documents.datasets, &documents.pairs(100, 0)?)?;
/// let placed = alignment.transform(documents.datasets[1].rows(), 1)?;
/// assert_eq!(placed.ncols(), 10);
/// # Ok::<(), landbridge::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LinearAlignment {
    n_components: usize,
    #[serde(flatten)]
    graph: GraphParams,
    #[serde(flatten)]
    joint: JointWeights,
    constraint: Constraint,
    ridge: Option<f64>,
    weight_components: Option<bool>,
    prepare: Prepare,
    #[serde(skip)]
    n_jobs: usize,
    #[serde(skip, default = "dense_limit")]
    dense_limit: usize,
}

impl LinearAlignment {
    /// Into a space of that many dimensions.
    pub fn new(n_components: usize) -> Self {
        Self {
            n_components,
            graph: GraphParams::default(),
            joint: JointWeights { mu: 100.0, ..JointWeights::default() },
            constraint: Constraint::Degree,
            ridge: None,
            weight_components: None,
            prepare: Prepare::Center,
            n_jobs: 0,
            dense_limit: dense_limit(),
        }
    }

    graph_setters!();
    joint_setters!();
    setters! {
        /// Right-hand side of the problem.
        constraint: Constraint => constraint;
        /// Ridge, in units of the mean diagonal of `X'DX`, on the left-hand side; `None`: 1, on both sides;
        /// `Some(0.0)`: the papers.
        ridge: Option<f64> => ridge;
        /// Whether coordinates are weighed by what their component says about pairs; `None`: when no ridge is given.
        weight_components: Option<bool> => weight_components;
        /// What is done to the rows first.
        prepare: Prepare => prepare;
        /// Threads, 0 = all cores. Results never depend on it.
        n_jobs: usize => n_jobs;
        /// Above this many features (rows, where they are fewer) no matrix of features is formed: products with the rows
        /// and conjugate gradients take its place, which needs a ridge.
        dense_limit: usize => dense_limit;
    }

    fits!();

    fn fit_steps(&self, datasets: &[Dataset], pairs: &Pairs, progress: &Progress) -> Result<Alignment> {
        check_datasets(datasets)?;
        check_components(self.n_components)?;
        check_ridge(self.ridge)?;
        self.joint.check()?;
        self.graph.check(datasets)?;
        pairs.check_for(datasets, "feature-level alignment")?;
        let mut watch = Stopwatch::start();
        let mut warnings = vec![];

        let preparations: Vec<Preparation> = datasets.iter().map(|d| Preparation::fit(self.prepare, d.rows())).collect();
        warn_of_rows(datasets, self.prepare, &mut warnings);
        watch.lap("preparation");

        // Neighbours are searched among the scaled rows; where they are centred makes no difference to distances.
        let scaled = datasets.iter().zip(&preparations).map(|(d, p)| p.scaled(d));
        let graphs = self.graph.build(&scaled.collect::<Result<Vec<_>>>()?, progress, &mut warnings)?;
        let weights: Vec<Csr> = graphs.into_iter().map(|g| g.weights).collect();
        watch.lap("graphs");

        let joint = Joint::new(&weights, pairs, self.joint);
        drop(weights);
        joint.warn(&mut warnings);
        let degree = joint.graph.row_sums();
        check_weights(&degree, Some(joint.mu_effective))?;
        let components = connected_components(&joint.graph).1;
        if components > 1 {
            warnings.push(Warning::Disconnected { components });
        }
        watch.lap("joint graph");

        progress.step("matrices", 0, 0)?;
        let prepared: Vec<Prepared> = datasets.iter().zip(&preparations).map(|(d, p)| p.apply(d.rows())).collect();
        let full = Blocks::new(prepared);
        let strength = self.ridge.unwrap_or(AUTO_RIDGE);
        let ridge: Vec<f64> = (0..datasets.len()).map(|a| strength * full.mean_diagonal(a, &degree)).collect();
        let features = full.n_features();
        let on_both_sides = self.ridge.is_none();
        let mass = match self.constraint {
            Constraint::Degree => degree.clone(),
            Constraint::Identity => vec![1.0; degree.len()],
        };
        let definite = ridge.iter().all(|r| *r > 0.0);
        let (d, seed) = (self.n_components, self.graph.random_state);
        let (blocks, bases, found);
        if full.reduced() > self.dense_limit {
            if !definite {
                return Err(Error::parameter(
                    "ridge",
                    0,
                    &format!(
                        "above 0 (or automatic) for {features} features: without it the problem needs all of a {features} x {features} matrix"
                    ),
                ));
            }
            bases = datasets.iter().map(|_| Basis::Features).collect::<Vec<_>>();
            blocks = full;
            let left = LaplacianProduct { blocks: &blocks, degree: &degree, graph: &joint.graph, ridge: &ridge };
            let right = MassFactor { blocks: &blocks, mass: &mass, ridge: on_both_sides.then_some(&ridge) };
            let nearby = left.nearby(WEIGHTIEST.min(self.dense_limit));
            watch.lap("matrices");
            found = smallest_by_products(&left, &nearby, &right, d, seed, progress)?;
        } else {
            (blocks, bases) = reduce_to_row_space(full)?;
            let mut left = blocks.laplacian(&degree, &joint.graph); // X'LX
            for a in 0..datasets.len() {
                (blocks.columns[a]..blocks.columns[a + 1]).for_each(|i| left[(i, i)] += ridge[a]);
            }
            watch.lap("matrices");
            let product = MassProduct { blocks: &blocks, mass: &mass, ridge: on_both_sides.then_some(&ridge) };
            found = if definite {
                pencil::smallest_definite(left, &product, d, seed, progress)?
            } else {
                let right = (0..datasets.len()).map(|a| blocks.mass(a, &mass)).collect();
                pencil::smallest_nonzero(left, right, &product, d, seed, progress)?
            };
        }
        watch.lap("eigenvectors");
        let Smallest { values, mut vectors, zero_solutions, rank, .. } = found;
        if values.is_empty() {
            return Err(Error::Numerical {
                what: "feature-level alignment".into(),
                problem: "all prepared rows are zero".into(),
            });
        }
        if values.len() < self.n_components {
            warnings.push(Warning::FewerComponents { asked: self.n_components, given: values.len() });
        }
        if let Some(rank) = rank.filter(|r| *r < features) {
            warnings.push(Warning::RankDeficient { rank, features });
        }
        fix_signs(&mut vectors);
        let weights = self.weight_components.unwrap_or(on_both_sides).then(|| {
            let mut weights = component_weights(values.iter().map(|v| 1.0 - v));
            // Beyond as many components as there are pairs, smoothness is all that is left.
            weights.iter_mut().skip(pairs.n_groups(datasets)).for_each(|w| *w = 0.0);
            weights
        });

        let mut fitted = vec![];
        for (a, (dataset, preparation)) in datasets.iter().zip(preparations).enumerate() {
            let map = bases[a].expand(blocks.map_of(&vectors, a));
            let embedding = LinearMap::new(preparation, map, weights.clone());
            let rows = embedding.transform(dataset.rows());
            fitted.push(Fitted::new(dataset, rows, Mapping::Linear(embedding)));
        }
        watch.lap("model");
        let outcome = Outcome {
            status: if found.residual <= 10.0 * TOLERANCE { Status::Converged } else { Status::ReducedAccuracy },
            residual: found.residual,
            tolerance: TOLERANCE,
            iterations: found.iterations,
            zero_solutions,
            components,
            mu_effective: Some(joint.mu_effective),
            rank,
            ridge: Some(blocks.in_data_units(&ridge)),
            seconds: watch.finish(),
            warnings,
            ..Outcome::direct(found.solver)
        };
        let params = serde_json::to_value(self).unwrap_or_default();
        Ok(Alignment::new("linear", params, fitted, values, pairs.links().to_vec(), outcome))
    }
}

/// The matrix of as many features takes 1 GB, and its factorisation some ten seconds.
fn dense_limit() -> usize {
    12_000
}

/// Features whose matrix is formed all the same, to guide conjugate gradients.
const WEIGHTIEST: usize = 4_000;

/// Ridge when none is given, in units of the mean diagonal of `X'DX`. Between 0.3 and 3 it hardly matters.
const AUTO_RIDGE: f64 = 1.0;
