//! Feature-level alignment, "manifold projections" (Chapter11 §5.3.1, Sparse12 §2.1.2): one linear map per dataset.

use crate::data::prepared::{Prepared, Values};
use crate::data::{Dataset, Pairs, Preparation, Prepare};
use crate::error::{Error, Result};
use crate::geometry::graphs::{GraphParams, graph_params_setters};
use crate::geometry::neighbors::Metric;
use crate::linalg::Matrix;
use crate::linalg::tall::fix_signs;
use crate::method::method;
use crate::method::steps::{self, Coordinates, JointGraph};
use crate::model::products::{Products, Wanted};
use crate::model::{Alignment, LinearMap, Mapping, component_weights};
use crate::outcome::{Outcome, Warning};
use crate::params::{Threads, threads_setters};
use crate::problem::feature::{Basis, Blocks, MassProduct, reduce_to_row_space};
use crate::problem::feature_products::{LaplacianProduct, MassFactor};
use crate::problem::joint::{JointWeights, check_weights, joint_weights_setters};
use crate::progress::Progress;
use crate::run::Run;
use crate::solve::conjugate_gradients::smallest_by_products;
use crate::solve::pencil::{self, Smallest, TOLERANCE};
use crate::solve::ridge::strength_by_cross_validation;
use crate::solve::svd::{reduce_to_principal, reduce_wide};
use faer::Mat;
use landbridge_derive::{Params, Words};
use std::sync::Arc;

/// The constraint that keeps the maps from shrinking to zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Words)]
#[non_exhaustive]
pub enum Constraint {
    /// `F'X'DXF = I` (Chapter11).
    Degree,
    /// `F'X'XF = I` (Sparse12 §2.1.2).
    Identity,
}

/// Learns one linear map per dataset into the joint space: for mapping new rows and comparing features.
///
/// The d smallest non-zero solutions of `(X'LX + R) f = λ X'DX f`. X is the block diagonal of the prepared datasets (never
/// formed). L and D belong to the joint graph of neighbours and pairs. R is the ridge: for each dataset, `ridge` times the
/// mean diagonal of its `X'DX`. By default (`ridge` auto) the ridge is chosen from the pairs. It then stands on both sides,
/// `(X'LX + R) f = λ (X'DX + R) f`, and the components are scaled by their correlation over the pairs (see
/// `weight_components`). With strong pairs this approaches ridge CCA. It did best on documents and on single cells.
///
/// Departure: the papers have no ridge and an unbalanced μ = 1 (`ridge` 0, `balance` false). With that, maps of thousands of
/// words fit the pairs and nothing else.
///
/// Time: the neighbour search, the matrix `X'LX` (stored entries only for sparse rows), one Cholesky factorisation of P³/3
/// operations, and about 3 d products with it. Memory: one P × P matrix, besides the rows.
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
///
/// # Python
/// ```python
/// >>> import landbridge as lb
/// >>> documents = lb.datasets.bilingual_documents(300)
/// >>> a = lb.LinearAlignment(20, prepare="unit_center").fit(documents.datasets, documents.pairs(150))
/// >>> bool(lb.metrics.recall_at_k(*a.embeddings_, k=10, metric="cosine") > 0.5)
/// True
/// >>> a.map(documents.datasets[0][:2], source=0, target=1).shape[0]
/// 2
/// >>> len(a.top_features(dataset=0, component=0, n=5))
/// 5
/// ```
#[derive(Clone, Debug, PartialEq, Params)]
#[params(
    name = "linear",
    class = "LinearAlignment",
    family = "maps",
    infers,
    contradicts,
    nested,
    paper = "Wang, Krafft, Mahadevan 2011, §5.3.1",
    choose = "you want to map new rows, compare features or search documents: begin here"
)]
pub struct LinearAlignment {
    /// Dimension of the joint space.
    #[param(min = 1, tune = "log 2 200")]
    n_components: usize,
    #[group]
    graph: GraphParams,
    #[group(mu = 100.0)]
    joint: JointWeights,
    /// Right-hand side of the eigenproblem.
    #[param(default = Constraint::Degree)]
    constraint: Constraint,
    /// Ridge on the left-hand side, in units of the mean diagonal of `X'DX`.
    /// 0 is the papers' problem. Auto: chosen from the pairs by generalised cross-validation (at most 1), on both sides.
    #[param(default = None, auto, min = 0.0, tune = "log 1e-4 10")]
    ridge: Option<f64>,
    /// Scale each component by `sqrt(ρ / (1 − ρ²))`, ρ its correlation over the pairs.
    /// None: only if `ridge` is auto.
    #[param(default = None)]
    weight_components: Option<bool>,
    /// Give every placed row length 1, so that Euclidean distances rank rows as cosines do.
    /// None: only for counts of cells, whose noise lengthens rows.
    #[param(default = None)]
    unit_length: Option<bool>,
    /// Preprocessing of the rows. It is fitted with the model, saved in it and applied to new rows.
    #[param(default = Prepare::Auto, tune = "words center unit_center center_unit standardize tfidf_center log_tfidf")]
    prepare: Prepare,
    /// Number of leading principal directions per dataset that the maps may use; fewer are faster.
    /// None: all, but 50 for counts of cells, and 500 for a dataset of more than 4,000 rows and still more features.
    #[param(default = None, min = 1)]
    n_principal: Option<usize>,
    #[group]
    threads: Threads,
    /// Above this many features (or rows, if there are fewer) the matrix of features is not formed. Conjugate gradients with
    /// products of the rows replace it, which needs a ridge.
    #[internal(default = dense_limit())]
    dense_limit: usize,
}

method!(LinearAlignment, from products);

impl LinearAlignment {
    /// Above this many features the matrix of features is not formed. Tests set it small to run the large-data path.
    #[doc(hidden)]
    #[must_use]
    pub fn dense_limit(mut self, dense_limit: usize) -> Self {
        self.dense_limit = dense_limit;
        self
    }

    fn fit_steps(&self, datasets: &[Dataset], pairs: &Pairs, run: &mut Run<'_>) -> Result<Alignment> {
        self.graph.check(datasets)?;
        pairs.check_for(datasets, "feature-level alignment")?;
        let preparations = steps::preparations(self.prepare, datasets, run)?;
        let of_cells = preparations.iter().any(|p| p.prepare().of_cells());
        let coordinates = self.coordinates(datasets, &preparations, run)?;
        let graphs = match &coordinates {
            // Chapter11 §5.2.3, step 1. Neighbours of cells are sought without the noise of single counts.
            Some((all, count)) => run.step("graphs", |run| {
                let places = |(d, c): (&Dataset, &Arc<Coordinates>)| {
                    let rows = c.select(0..d.nrows(), *count);
                    Dataset::new(d.name(), Matrix::from_vec(rows.values, d.nrows(), rows.stride)?)
                };
                let places = datasets.iter().zip(all).map(places).collect::<Result<Vec<_>>>()?;
                self.graph.build(&places, run.progress, &mut run.warnings)
            })?,
            None => steps::graphs_of_scaled(&self.graph, datasets, &preparations, run)?,
        };
        let joint = steps::joint_graph(graphs.into_iter().map(|g| g.weights).collect(), pairs, self.joint, run)?; // fig. 5.4
        let rows = match &coordinates {
            Some((all, count)) => {
                let rows = |c: &Arc<Coordinates>| c.select(0..c.rows.n(), *count);
                Blocks::new(all.iter().map(|c| Prepared { values: Values::Dense(rows(c)), shift: None }).collect())
            }
            None => steps::prepared_blocks(datasets, &preparations),
        };
        let strength = match self.ridge {
            Some(given) => given,
            None => {
                let found = strength_by_cross_validation(&rows, pairs.links())?;
                run.warnings.extend(found.warning(datasets));
                found.value
            }
        };
        let mut solved = self.solve(rows, coordinates.is_some(), strength, &joint, (datasets, &preparations), run)?; // §5.3.1: X'LX f = λ X'DX f
        if let Some((all, count)) = &coordinates {
            solved.bases = all.iter().map(|c| c.basis(*count)).collect();
        }
        self.check_found(&solved.found, solved.features, run)?;
        run.step("model", |run| {
            let Solved { blocks, bases, ridge, found, .. } = solved;
            let Smallest { values, mut vectors, zero_solutions, rank, .. } = found;
            fix_signs(&mut vectors);
            let weights = self.weights_of(&values, pairs.n_groups(datasets));
            let unit = self.unit_length.unwrap_or(of_cells);
            let fitted = steps::linear_maps(
                datasets,
                preparations,
                &blocks,
                &bases,
                &vectors,
                values.len(),
                weights.as_ref(),
                (coordinates.as_ref().map(|(all, _)| &all[..]), unit),
            );
            let batches = match &coordinates {
                Some((all, _)) => steps::look_at_batches(datasets, all, &fitted, run)?,
                None => vec![],
            };
            let outcome = Outcome {
                zero_solutions,
                components: joint.components,
                mu_effective: Some(joint.joint.mu_effective),
                rank,
                ridge: Some(blocks.in_data_units(&ridge)),
                batches,
                ..steps::outcome_of(found.solver, found.residual, TOLERANCE, found.iterations)
            };
            Ok(Alignment::of(fitted, values, outcome))
        })
    }

    /// The principal coordinates and their number, if there are counts of cells or batches.
    fn coordinates(
        &self,
        datasets: &[Dataset],
        preparations: &[Preparation],
        run: &mut Run<'_>,
    ) -> Result<Option<(Vec<Arc<Coordinates>>, usize)>> {
        let Some(count) = steps::directions_of(datasets, preparations, self.n_principal) else { return Ok(None) };
        run.step("principal coordinates", |run| {
            let seed = self.graph.random_state;
            let found = steps::principal_coordinates(datasets, preparations, count, seed, run.progress)?;
            Ok(Some((found, count)))
        })
    }

    /// The d smallest non-zero solutions, from the matrix of features or, for too many features, from products. `reduced`: the rows
    /// are principal coordinates already.
    fn solve(
        &self,
        full: Blocks,
        reduced: bool,
        strength: f64,
        joint: &JointGraph,
        (datasets, preparations): (&[Dataset], &[Preparation]),
        run: &mut Run<'_>,
    ) -> Result<Solved> {
        let plain = !reduced && self.n_principal.is_none() && full.datasets.iter().all(|x| x.ncols() <= x.nrows());
        let (degree, graph, c) = (&joint.degree, &joint.joint.graph, joint.joint.offsets.len() - 1);
        let ridge: Vec<f64> = (0..c).map(|a| strength * full.mean_diagonal(a, degree)).collect();
        let seed = self.graph.random_state;
        let (full, wide) = run.step("principal directions", |run| match self.n_principal.filter(|_| !reduced) {
            Some(count) => reduce_to_principal(full, count, true, seed, run.progress),
            None => reduce_wide(full, seed, run),
        })?;
        let both_sides = self.ridge.is_none().then_some(&ridge[..]);
        let mass = match self.constraint {
            Constraint::Degree => degree.clone(),
            Constraint::Identity => vec![1.0; degree.len()],
        };
        let (features, definite) = (full.n_features(), ridge.iter().all(|r| *r > 0.0));
        let d = self.n_components;
        if full.reduced() > self.dense_limit {
            if !definite {
                let expected = format!(
                    "above 0 (or auto) for {features} features: ridge 0 needs a {features} x {features} matrix in memory"
                );
                return Err(Error::parameter("ridge", 0, &expected));
            }
            let left = LaplacianProduct { blocks: &full, degree, graph, ridge: &ridge };
            let right = MassFactor { blocks: &full, mass: &mass, ridge: both_sides };
            let nearby = run.step("matrices", |_| Ok(left.nearby(WEIGHTIEST.min(self.dense_limit))))?;
            let found = run.step("eigenvectors", |run| smallest_by_products(&left, &nearby, &right, d, seed, run.progress))?;
            return Ok(Solved { blocks: full, bases: wide, ridge, features, found });
        }
        let (blocks, bases, left) = run.step("matrices", |run| {
            let (blocks, bases) = reduce_to_row_space(full)?;
            let known = |a: usize, alone: &dyn Fn() -> Mat<f64>| match plain {
                true => self.smoothness(&datasets[a], preparations[a].prepare(), alone, run.progress),
                false => Ok(None),
            };
            let mut left = blocks.joint_laplacian(graph, known)?; // X'LX
            for a in 0..c {
                (blocks.columns[a]..blocks.columns[a + 1]).for_each(|i| left[(i, i)] += ridge[a]);
            }
            Ok((blocks, bases, left))
        })?;
        let found = run.step("eigenvectors", |run| {
            let product = MassProduct { blocks: &blocks, mass: &mass, ridge: both_sides };
            if definite {
                return pencil::smallest_definite(left, &product, d, seed, run.progress);
            }
            let right = (0..c).map(|a| blocks.mass(a, &mass)).collect();
            pencil::smallest_nonzero(left, right, &product, d, seed, run.progress)
        })?;
        // What was reduced has no more directions than rows, and keeps its basis.
        let keep = |(wide, basis): (Basis, Basis)| if matches!(wide, Basis::Features) { basis } else { wide };
        let bases = wide.into_iter().zip(bases).map(keep).collect();
        Ok(Solved { blocks, bases, ridge, features, found })
    }

    /// What the graph of a dataset alone adds to `X'LX`. No pair touches it, so that fits which share results compute it once.
    fn smoothness(
        &self,
        dataset: &Dataset,
        prepare: Prepare,
        alone: &dyn Fn() -> Mat<f64>,
        progress: &Progress,
    ) -> Result<Option<Arc<Mat<f64>>>> {
        if progress.memo().is_none() || self.graph.graphs.is_some() || dataset.ncols() > MOST_KEPT {
            return Ok(None);
        }
        let name = || format!("smoothness, {prepare:?}, {:?}, nu {}", self.graph, self.joint.nu);
        progress.once(&[dataset.address()], name, || Ok(alone())).map(Some)
    }

    fn check_found(&self, found: &Smallest, features: usize, run: &mut Run<'_>) -> Result<()> {
        let (asked, given) = (self.n_components, found.values.len());
        if given == 0 {
            let problem = "all prepared rows are zero".into();
            return Err(Error::Numerical { what: "feature-level alignment".into(), problem });
        }
        run.warn_if(given < asked, || Warning::FewerComponents { asked, given, paired: false });
        if let Some(rank) = found.rank.filter(|r| *r < features) {
            run.warn(Warning::RankDeficient { rank, features });
        }
        Ok(())
    }

    /// The weight of each component, from its correlation over the pairs, `ρ = 1 − λ`.
    fn weights_of(&self, values: &[f64], n_groups: usize) -> Option<Vec<f64>> {
        self.weight_components.unwrap_or(self.ridge.is_none()).then(|| {
            let mut weights = component_weights(values.iter().map(|v| 1.0 - v));
            // There are no more informative components than pairs; the others are merely smooth.
            weights.iter_mut().skip(n_groups).for_each(|w| *w = 0.0);
            weights
        })
    }
    fn wanted(&self) -> Wanted {
        Wanted { prepare: self.prepare, around_pairs: false, graph: true }
    }

    /// As [`Self::fit_steps`], of the landmark graph: every row has degree ν from its neighbours and μ from each of its pairs.
    fn solve_steps(&self, products: &Products, run: &mut Run<'_>) -> Result<Alignment> {
        let from_rows =
            |what: &str, why: &str| Err(Error::Undefined { what: format!("{what} from statistics"), why: why.into() });
        if self.n_principal.is_some() {
            return from_rows("linear maps of principal directions", "they are found from the rows; leave n_principal out");
        }
        if self.graph.graphs.is_some() {
            return from_rows("linear maps of given graphs", "statistics have the graph of their landmarks; leave graphs out");
        }
        let features = products.n_features();
        if features > self.dense_limit {
            return from_rows(&format!("linear maps of {features} features"), "reduce the columns first (landbridge embed pca)");
        }
        let plain = self.graph.n_neighbors == 10 && self.graph.metric == Metric::Euclidean && self.graph.heat_width.is_none();
        run.warn_if(!plain, || Warning::NoEffect {
            parameter: "n_neighbors, metric or heat_width".into(),
            why: "statistics have the graph of their landmarks, by Euclidean distance".into(),
        });
        let graphs = products.sides.iter().filter_map(|s| s.graph.as_ref()).collect::<Vec<_>>();
        let [x, y] = graphs[..] else { return from_rows("linear maps without landmarks", "give every shard landmarks") };
        let JointWeights { mu, nu, balance } = self.joint;
        let within = 0.5 * (x.rows + y.rows);
        let mu = if balance { mu * within / products.weight } else { mu };
        check_weights(&[nu * x.rows, nu * y.rows, mu * products.weight], Some(mu))?;
        let strength = products.strength(self.ridge)?;
        let p = products.sides[0].n_features;
        let (left, right, ridge) = run.step("matrices", |_| {
            // X'DX, one block per dataset.
            let degree: Vec<Mat<f64>> = graphs.iter().zip(&products.sides).map(|(g, s)| nu * &g.own + mu * &s.own).collect();
            let mean = |m: &Mat<f64>| (0..m.nrows()).map(|i| m[(i, i)]).sum::<f64>() / m.nrows() as f64;
            let ridge: Vec<f64> = degree.iter().map(|m| strength * mean(m)).collect();
            let mut left = Mat::zeros(features, features); // X'LX + R
            for (a, (graph, from)) in graphs.iter().zip([0, p]).enumerate() {
                for j in 0..degree[a].ncols() {
                    for i in j..degree[a].nrows() {
                        left[(from + i, from + j)] = degree[a][(i, j)] - nu * graph.smooth[(i, j)];
                    }
                    left[(from + j, from + j)] += ridge[a];
                }
            }
            for j in 0..p {
                (0..features - p).for_each(|i| left[(p + i, j)] = -mu * products.cross[(j, i)]);
            }
            let mut right = match self.constraint {
                Constraint::Degree => degree,
                Constraint::Identity => graphs.iter().map(|g| g.own.clone()).collect(),
            };
            if self.ridge.is_none() {
                right.iter_mut().zip(&ridge).for_each(|(m, r)| (0..m.nrows()).for_each(|i| m[(i, i)] += r));
            }
            Ok((left, right, ridge))
        })?;
        let mut found = run.step("eigenvectors", |run| {
            let mut whole = Mat::zeros(features, features);
            for (block, from) in right.iter().zip([0, p]) {
                for j in 0..block.ncols() {
                    (0..block.nrows()).for_each(|i| whole[(from + i, from + j)] = block[(i, j)]);
                }
            }
            let (d, seed) = (self.n_components, self.graph.random_state);
            match ridge.iter().all(|r| *r > 0.0) {
                true => pencil::smallest_definite(left, &whole, d, seed, run.progress),
                false => pencil::smallest_nonzero(left, right, &whole, d, seed, run.progress),
            }
        })?;
        self.check_found(&found, features, run)?;
        run.step("model", |_| {
            fix_signs(&mut found.vectors);
            let weights = self.weights_of(&found.values, products.pairs);
            let fitted = (0..2).map(|a| {
                let map = products.map_of(&found.vectors, found.values.len(), a);
                let map = LinearMap::new(products.sides[a].preparation.clone(), map, weights.clone());
                let map = LinearMap { unit: self.unit_length.unwrap_or(false), ..map };
                products.sides[a].fitted(found.values.len(), Mapping::Linear(map))
            });
            let outcome = Outcome {
                zero_solutions: found.zero_solutions,
                mu_effective: Some(mu),
                rank: found.rank,
                ridge: Some(products.in_data_units(&ridge)),
                ..steps::outcome_of(found.solver, found.residual, TOLERANCE, found.iterations)
            };
            Ok(Alignment::of(fitted.collect(), found.values, outcome))
        })
    }

    fn contradiction_of(&self) -> Option<(&'static str, String)> {
        self.graph.ineffective()
    }
}

/// Solutions over all features, and how they were found.
struct Solved {
    blocks: Blocks,
    bases: Vec<Basis>,
    ridge: Vec<f64>,
    features: usize,
    found: Smallest,
}

/// A matrix of this many features takes 1 GB, and its factorisation about ten seconds.
fn dense_limit() -> usize {
    12_000
}

/// Features of a matrix of 130 MB: fits that share results keep no larger ones.
const MOST_KEPT: usize = 4_000;

/// Up to this many features the matrix is still formed, as a preconditioner for conjugate gradients.
const WEIGHTIEST: usize = 4_000;
