//! Canonical correlation analysis (CCA) with a ridge, for two or more datasets: the baseline for every alignment method.

use crate::data::prepared::{Prepared, Values};
use crate::data::{Dataset, Link, Pairs, Preparation, Prepare};
use crate::error::{Error, Result};
use crate::linalg::Csr;
use crate::linalg::tall::{Tall, fix_signs};
use crate::linalg::whitening::Whitening;
use crate::method::cell_directions::{self, Choice};
use crate::method::method;
use crate::method::steps::{self, Coordinates};
use crate::model::products::{Products, Wanted};
use crate::model::{Alignment, LinearMap, Mapping, component_weights};
use crate::outcome::{Outcome, Warning};
use crate::params::{Threads, threads_setters};
use crate::problem::feature::{Basis, Blocks, CrossProduct, reduce_to_row_space};
use crate::problem::joint::{Joint, JointWeights};
use crate::run::Run;
use crate::solve::pencil::{TOLERANCE, largest, leading_positive};
use crate::solve::ridge::strength_by_cross_validation;
use crate::solve::svd::{reduce_to_principal, reduce_wide};
use landbridge_derive::Params;
use std::sync::Arc;

/// Finds the directions along which paired rows correlate most: one linear map per dataset, fitted on the paired rows only.
///
/// The d largest solutions of `C f = ρ (B + R) f`. C holds the cross products `X_a' W_ab X_b` over the pairs. B holds the
/// products `X_a' M_a X_a` over the same rows, where M counts the pairs of each row. R is the ridge: for each dataset,
/// `ridge` times the mean diagonal of `X_a' M_a X_a`. For two datasets, ρ are the canonical correlations. For more, this is
/// the sum-of-correlations form, with ρ between −1/(c−1) and 1. Rows without a pair get coordinates but do not influence the
/// fit.
///
/// ```
/// use landbridge::data::synthetic::BilingualDocuments;
/// use landbridge::method::Cca;
/// let documents = BilingualDocuments::new(200).generate()?;
/// let alignment = Cca::new(5).fit(&documents.datasets, &documents.pairs(100, 0)?)?;
/// assert!(alignment.eigenvalues()[0] <= 1.0);
/// # Ok::<(), landbridge::Error>(())
/// ```
///
/// # Python
/// ```python
/// >>> import landbridge as lb
/// >>> documents = lb.datasets.bilingual_documents(300)
/// >>> a = lb.CCA(20).fit(documents.datasets, documents.pairs(150))
/// >>> bool(a.eigenvalues_[0] <= 1)
/// True
/// ```
#[derive(Clone, Debug, PartialEq, Params)]
#[params(
    name = "cca",
    class = "CCA",
    family = "maps",
    contradicts,
    nested,
    paper = "Hotelling 1936; with a ridge, two and more datasets",
    choose = "the baseline to beat; hard to beat with many pairs"
)]
pub struct Cca {
    /// Dimension of the joint space.
    #[param(min = 1, tune = "log 2 200")]
    n_components: usize,
    /// Ridge, in units of the mean diagonal of `X'X`; 0 is plain CCA.
    /// Auto: chosen from the pairs by generalised cross-validation, at most 1.
    #[param(default = None, auto, min = 0.0, tune = "log 1e-4 10")]
    ridge: Option<f64>,
    /// Scale each component by `sqrt(ρ / (1 − ρ²))`, ρ its correlation over the pairs.
    /// None: only if `ridge` is auto.
    #[param(default = None)]
    weight_components: Option<bool>,
    /// Scale each component by ρ to this power instead.
    /// 1 to 1.5 suits dense vectors: with a weak ridge, weak correlations are mostly chance. None: as `weight_components` says.
    #[param(default = None, min = 0.0)]
    weight_power: Option<f64>,
    /// Give every placed row length 1, so that Euclidean distances rank rows as cosines do.
    /// None: only for counts of cells, whose noise lengthens rows.
    #[param(default = None)]
    unit_length: Option<bool>,
    /// Preprocessing of the rows. It is fitted with the model, saved in it and applied to new rows.
    #[param(default = Prepare::Auto, tune = "words center unit_center center_unit standardize tfidf_center log_tfidf")]
    prepare: Prepare,
    /// Number of leading principal directions per dataset that the maps may use; fewer are faster.
    /// They are computed from the paired rows, for counts of cells from all rows.
    /// None: all directions; for counts of cells 10, 20 or 50 of each dataset, chosen with the ridge on held-out pairs.
    #[param(default = None, min = 1)]
    n_principal: Option<usize>,
    /// Use approximate leading principal directions.
    #[internal(default = false)]
    rough: bool,
    /// Seed of everything random. The same seed gives the same result.
    #[param(default = 0, heading = "Running")]
    random_state: u64,
    #[group]
    threads: Threads,
}

/// The paired rows only, prepared, with renumbered links.
pub(crate) struct Paired {
    pub(crate) blocks: Blocks,
    pub(crate) preparations: Vec<Preparation>,
    /// The pairs, in the numbering of the paired rows.
    pub(crate) graph: Csr,
    /// The same as links.
    pub(crate) links: Vec<Link>,
    /// The principal directions in whose coordinates the blocks are, for counts of cells.
    bases: Option<Vec<Basis>>,
    coordinates: Option<Vec<Arc<Coordinates>>>,
    of_cells: bool,
    /// The ridge that was chosen with the number of directions.
    ridge: Option<f64>,
}

impl Paired {
    /// `principal`: how many principal directions counts of cells are reduced to (None: chosen on held-out pairs), and a seed. None:
    /// they keep their features.
    pub(crate) fn new(
        datasets: &[Dataset],
        pairs: &Pairs,
        prepare: Prepare,
        principal: Option<(Option<usize>, u64)>,
        run: &mut Run<'_>,
    ) -> Result<Self> {
        steps::warn_of(datasets, prepare, run)?;
        let mut place: Vec<Vec<usize>> = datasets.iter().map(|d| vec![usize::MAX; d.nrows()]).collect();
        for link in pairs.links() {
            place[link.a][link.i] = 0;
            place[link.b][link.j] = 0;
        }
        let mut used: Vec<Vec<usize>> = vec![];
        for rows in &mut place {
            let chosen: Vec<usize> = (0..rows.len()).filter(|&i| rows[i] == 0).collect();
            chosen.iter().enumerate().for_each(|(at, &i)| rows[i] = at);
            used.push(chosen);
        }
        let mut numbered = Pairs::none(datasets.len());
        for link in pairs.links() {
            numbered.add(link.a, place[link.a][link.i], link.b, place[link.b][link.j], link.weight)?;
        }
        let preparations = steps::fitted_preparations(prepare, datasets, run.progress)?;
        let of_cells = preparations.iter().any(|p| p.prepare().of_cells());
        let reduced = principal.and_then(|(count, seed)| Some((steps::directions_of(datasets, &preparations, count)?, seed)));
        let coordinates = match reduced {
            Some((most, seed)) => Some(steps::principal_coordinates(datasets, &preparations, most, seed, run.progress)?),
            None => None,
        };
        let choice = match (&coordinates, principal) {
            (Some(all), Some((None, _))) if of_cells => cells_chosen(all, pairs)?,
            _ => None,
        };
        let given = reduced.map_or(steps::CELL_DIRECTIONS, |r| r.0);
        let counts: Vec<usize> = (0..datasets.len()).map(|a| choice.map_or(given, |c| c.directions[a])).collect();
        let mut prepared = vec![];
        for (a, (dataset, chosen)) in datasets.iter().zip(&used).enumerate() {
            prepared.push(match &coordinates {
                Some(all) => Prepared { values: Values::Dense(all[a].select(chosen.iter().copied(), counts[a])), shift: None },
                // Each row is chosen at most once, in order.
                None if chosen.len() == dataset.nrows() => preparations[a].apply(dataset.rows()),
                None => preparations[a].apply(&dataset.rows().select(chosen)),
            });
        }
        let bases = coordinates.as_ref().map(|all| all.iter().zip(&counts).map(|(c, count)| c.basis(*count)).collect());
        let empty: Vec<Csr> = used.iter().map(|u| Csr::from_triplets(u.len(), u.len(), &[])).collect::<Result<_>>()?;
        let joint = Joint::new(&empty, &numbered, JointWeights { mu: 1.0, nu: 1.0, balance: false });
        let count = joint.repeated_pairs;
        run.warn_if(count > 0, || Warning::RepeatedPairs { count });
        Ok(Self {
            blocks: Blocks::new(prepared),
            preparations,
            graph: joint.graph,
            links: numbered.links().to_vec(),
            bases,
            coordinates,
            of_cells,
            ridge: choice.map(|c| c.ridge),
        })
    }
}

/// The numbers of directions and the ridge for two datasets of cells. None: too few pairs, or more datasets.
fn cells_chosen(coordinates: &[Arc<Coordinates>], pairs: &Pairs) -> Result<Option<Choice>> {
    match coordinates {
        [x, y] => {
            let links: Vec<Link> = pairs.links().iter().filter(|l| (l.a, l.b) == (0, 1)).copied().collect();
            cell_directions::choose(&x.rows, &y.rows, &links)
        }
        _ => Ok(None),
    }
}

method!(Cca, from products);

impl Cca {
    /// Use approximate leading principal directions.
    pub(crate) fn roughly(mut self) -> Self {
        self.rough = true;
        self
    }

    fn fit_steps(&self, datasets: &[Dataset], pairs: &Pairs, run: &mut Run<'_>) -> Result<Alignment> {
        pairs.check_for(datasets, "CCA")?;
        let principal = Some((self.n_principal, self.random_state));
        let paired = run.step("preparation", |run| Paired::new(datasets, pairs, self.prepare, principal, run))?;
        let mass = paired.graph.row_sums();
        let strength = match self.ridge.or(paired.ridge) {
            Some(given) => given,
            None => {
                let found = strength_by_cross_validation(&paired.blocks, &paired.links)?;
                run.warnings.extend(found.warning(datasets));
                found.value
            }
        };
        let ridge: Vec<f64> = (0..datasets.len()).map(|a| strength * paired.blocks.mean_diagonal(a, &mass)).collect();
        let features = paired.blocks.n_features();
        let Paired { blocks, preparations, graph, bases, coordinates, of_cells, .. } = paired;
        let (blocks, bases, cross, whitening) = run.step("matrices", |run| {
            let (blocks, bases) = match (bases, self.n_principal) {
                (Some(bases), _) => (blocks, bases),
                (None, None) => {
                    let (blocks, wide) = reduce_wide(blocks, self.random_state, run)?;
                    let (blocks, bases) = reduce_to_row_space(blocks)?;
                    let keep = |(wide, basis): (Basis, Basis)| if matches!(wide, Basis::Features) { basis } else { wide };
                    (blocks, wide.into_iter().zip(bases).map(keep).collect())
                }
                (None, Some(count)) => reduce_to_principal(blocks, count, self.rough, self.random_state, run.progress)?,
            };
            let cross = CrossProduct::new(&blocks, &graph); // C
            let own = (0..datasets.len()).map(|a| blocks.mass(a, &mass)).collect(); // B
            Ok((blocks, bases, cross, Whitening::with_ridge(own, &ridge)?))
        })?;
        let found = self.directions(&cross, &whitening, (strength, features), run)?;
        run.step("model", |run| {
            let unit = self.unit_length.unwrap_or(coordinates.is_some() && of_cells);
            let fitted = steps::linear_maps(
                datasets,
                preparations,
                &blocks,
                &bases,
                &found.vectors,
                found.values.len(),
                found.weights.as_ref(),
                (coordinates.as_deref(), unit),
            );
            let batches = match &coordinates {
                Some(all) => steps::look_at_batches(datasets, all, &fitted, run)?,
                None => vec![],
            };
            let outcome = Outcome { ridge: Some(blocks.in_data_units(&ridge)), batches, ..found.outcome };
            Ok(Alignment::of(fitted, found.values, outcome))
        })
    }

    /// The leading solutions of `C f = ρ (B + R) f` over `features` features, from C and the whitened B + R, R of that strength.
    fn directions(
        &self,
        cross: &CrossProduct,
        whitening: &Whitening,
        (strength, features): (f64, usize),
        run: &mut Run<'_>,
    ) -> Result<Directions> {
        let found = run.step("eigenvectors", |run| {
            largest(cross, whitening, self.n_components, self.random_state, run.progress) // C f = ρ (B + R) f
        })?;
        let kept = leading_positive(&found.values);
        if kept == 0 {
            return Err(Error::Numerical { what: "CCA".into(), problem: "the paired rows do not correlate".into() });
        }
        let (asked, given) = (self.n_components, kept);
        run.warn_if(given < asked, || Warning::FewerComponents { asked, given, paired: true });
        let rank = (strength == 0.0).then(|| whitening.rank());
        if let Some(rank) = rank.filter(|r| *r < features) {
            run.warn(Warning::RankDeficient { rank, features });
        }
        let mut vectors = found.vectors;
        fix_signs(&mut vectors);
        let values = found.values[..kept].to_vec();
        let weighed = self.weight_components.unwrap_or(self.ridge.is_none() || self.weight_power.is_some());
        let weights = weighed.then(|| match self.weight_power {
            Some(power) => values.iter().map(|v| v.powf(power)).collect(),
            None => component_weights(values.iter().copied()),
        });
        let outcome = Outcome { rank, ..steps::outcome_of(found.solver, found.residual, TOLERANCE, found.iterations) };
        Ok(Directions { values, vectors, weights, outcome })
    }

    fn contradiction_of(&self) -> Option<(&'static str, String)> {
        let unused = self.weight_power.is_some() && self.weight_components == Some(false);
        unused.then(|| ("weight_power", "weight_components is false".into()))
    }

    fn wanted(&self) -> Wanted {
        Wanted { prepare: self.prepare, around_pairs: false, graph: false }
    }

    fn solve_steps(&self, products: &Products, run: &mut Run<'_>) -> Result<Alignment> {
        if self.n_principal.is_some() {
            let why = "principal directions are found from the rows; leave n_principal out".into();
            return Err(Error::Undefined { what: "CCA of principal directions from statistics".into(), why });
        }
        let strength = products.strength(self.ridge)?;
        let ridge = products.ridges(strength);
        let (cross, whitening) = run.step("matrices", |_| {
            Ok((products.cross_product(), Whitening::with_ridge(products.own().into(), &ridge)?)) // C, B + R
        })?;
        let found = self.directions(&cross, &whitening, (strength, products.n_features()), run)?;
        run.step("model", |_| {
            let unit = self.unit_length.unwrap_or(false);
            let fitted = (0..2).map(|a| {
                let (map, weights) = (products.map_of(&found.vectors, found.values.len(), a), found.weights.clone());
                let map = LinearMap { unit, ..LinearMap::new(products.sides[a].preparation.clone(), map, weights) };
                products.sides[a].fitted(found.values.len(), Mapping::Linear(map))
            });
            let outcome = Outcome { ridge: Some(products.in_data_units(&ridge)), ..found.outcome };
            Ok(Alignment::of(fitted.collect(), found.values, outcome))
        })
    }
}

/// What CCA finds: the correlations, the stacked maps, and the weights of the components.
struct Directions {
    values: Vec<f64>,
    vectors: Tall,
    weights: Option<Vec<f64>>,
    outcome: Outcome,
}
