//! Canonical correlation analysis with a ridge, for two and more datasets: the baseline every alignment must face.

use crate::data::prepare::warn_of_rows;
use crate::data::{Dataset, Pairs, Preparation, Prepare, check_datasets};
use crate::error::{Error, Result};
use crate::linalg::tall::fix_signs;
use crate::linalg::whitening::Whitening;
use crate::linalg::{Csr, Matrix};
use crate::method::{fits, setters};
use crate::model::{Alignment, Fitted, LinearMap, Mapping, component_weights};
use crate::outcome::{Outcome, Status, Stopwatch, Warning};
use crate::params::{check_components, check_ridge};
use crate::problem::feature::{Blocks, CrossProduct, reduce_to_row_space};
use crate::problem::joint::{Joint, JointWeights};
use crate::progress::Progress;
use crate::solve::pencil::{TOLERANCE, largest};
use crate::solve::svd::reduce_to_principal;
use serde::{Deserialize, Serialize};

/// Directions in which paired rows correlate most, one linear map per dataset.
///
/// The d largest solutions of `C f = ρ (B + R) f`: C holds the cross products `X_a' W_ab X_b` over the pairs, B the
/// products `X_a' M_a X_a` over the same rows (M: how many pairs a row is in), R the ridge, for each dataset `ridge`
/// times the mean of the diagonal of `X_a' M_a X_a`. For two datasets ρ are the canonical correlations; for more it
/// is the sum-of-correlations form, ρ between −1/(c−1) and 1. Rows without a pair are placed, but teach nothing.
///
/// | parameter | default | purpose | range |
/// |---|---|---|---|
/// | `n_components` | required | dimension d of the joint space | 1 … |
/// | `ridge` | 1 | strength of the ridge; 0 is plain CCA | ≥ 0 |
/// | `weight_components` | when no `ridge` is given | coordinates times `sqrt(ρ/(1−ρ²))` | |
/// | `prepare` | centre | what is done to rows first, learnt from all rows | |
/// | `n_principal` | all | maps within the leading principal directions only: faster for many features | 1 … |
///
/// ```
/// use landbridge::data::synthetic::BilingualDocuments;
/// use landbridge::method::Cca;
/// let documents = BilingualDocuments::new(200).generate()?;
/// let alignment = Cca::new(5).fit(&documents.datasets, &documents.pairs(100, 0)?)?;
/// assert!(alignment.eigenvalues()[0] <= 1.0);
/// # Ok::<(), landbridge::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cca {
    n_components: usize,
    ridge: Option<f64>,
    weight_components: Option<bool>,
    prepare: Prepare,
    n_principal: Option<usize>,
    #[serde(skip)]
    rough: bool,
    random_state: u64,
    #[serde(skip)]
    n_jobs: usize,
}

/// Ridge when none is given, in units of the mean diagonal of `X'X`. Between 0.3 and 3 it hardly matters.
const AUTO_RIDGE: f64 = 1.0;

/// Paired rows only, prepared, with their links numbered anew.
pub(crate) struct Paired {
    pub(crate) blocks: Blocks,
    pub(crate) preparations: Vec<Preparation>,
    /// Pairs among the paired rows.
    pub(crate) graph: Csr,
    pub(crate) repeated: usize,
}

impl Paired {
    pub(crate) fn new(datasets: &[Dataset], pairs: &Pairs, prepare: Prepare) -> Result<Self> {
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
        let (mut prepared, mut preparations) = (vec![], vec![]);
        for (dataset, chosen) in datasets.iter().zip(&used) {
            let rows = dataset.rows().select(chosen);
            let preparation = Preparation::fit(prepare, dataset.rows());
            prepared.push(preparation.apply(&rows));
            preparations.push(preparation);
        }
        let empty: Vec<Csr> = used.iter().map(|u| Csr::from_triplets(u.len(), u.len(), &[])).collect::<Result<_>>()?;
        let joint = Joint::new(&empty, &numbered, JointWeights { mu: 1.0, nu: 1.0, balance: false });
        Ok(Self { blocks: Blocks::new(prepared), preparations, graph: joint.graph, repeated: joint.repeated_pairs })
    }
}

impl Cca {
    /// That many directions.
    pub fn new(n_components: usize) -> Self {
        Self {
            n_components,
            ridge: None,
            weight_components: None,
            prepare: Prepare::Center,
            n_principal: None,
            rough: false,
            random_state: 0,
            n_jobs: 0,
        }
    }

    setters! {
        /// Ridge, in units of the mean diagonal of `X'X`; `None`: the default, `Some(0.0)`: plain CCA.
        ridge: Option<f64> => ridge;
        /// Whether coordinates are weighed by what their component says about pairs; `None`: when no ridge is given.
        weight_components: Option<bool> => weight_components;
        /// What is done to the rows first.
        prepare: Prepare => prepare;
        /// Maps within that many leading principal directions of each dataset's paired rows; `None`: all directions.
        n_principal: Option<usize> => n_principal;
        /// Seed of the start of the eigensolver.
        random_state: u64 => random_state;
        /// Threads, 0 = all cores. Results never depend on it.
        n_jobs: usize => n_jobs;
    }

    /// Principal directions that are nearly the leading ones will do.
    pub(crate) fn roughly(mut self) -> Self {
        self.rough = true;
        self
    }

    fits!();

    fn fit_steps(&self, datasets: &[Dataset], pairs: &Pairs, progress: &Progress) -> Result<Alignment> {
        check_datasets(datasets)?;
        check_components(self.n_components)?;
        check_ridge(self.ridge)?;
        pairs.check_for(datasets, "CCA")?;
        let mut watch = Stopwatch::start();
        let mut warnings = vec![];
        warn_of_rows(datasets, self.prepare, &mut warnings);
        let paired = Paired::new(datasets, pairs, self.prepare)?;
        if paired.repeated > 0 {
            warnings.push(Warning::RepeatedPairs { count: paired.repeated });
        }
        watch.lap("preparation");

        progress.step("matrices", 0, 0)?;
        let mass = paired.graph.row_sums();
        let strength = self.ridge.unwrap_or(AUTO_RIDGE);
        let ridge: Vec<f64> = (0..datasets.len()).map(|a| strength * paired.blocks.mean_diagonal(a, &mass)).collect();
        let features = paired.blocks.n_features();
        if self.n_principal == Some(0) {
            return Err(Error::parameter("n_principal", 0, "at least 1"));
        }
        let (blocks, bases) = match self.n_principal {
            None => reduce_to_row_space(paired.blocks)?,
            Some(count) => reduce_to_principal(paired.blocks, count, self.rough, self.random_state, progress)?,
        };
        let cross = CrossProduct::new(&blocks, &paired.graph);
        let whitening = Whitening::with_ridge((0..datasets.len()).map(|a| blocks.mass(a, &mass)).collect(), &ridge)?;
        watch.lap("matrices");

        let found = largest(&cross, &whitening, self.n_components, self.random_state, progress)?;
        watch.lap("eigenvectors");
        let top = found.values.first().copied().unwrap_or(0.0);
        let kept = found.values.iter().take_while(|v| **v > 1e-12 * top && **v > 0.0).count();
        if kept == 0 {
            return Err(Error::Numerical { what: "CCA".into(), problem: "the paired rows do not vary together at all".into() });
        }
        if kept < self.n_components {
            warnings.push(Warning::FewerComponents { asked: self.n_components, given: kept });
        }
        let rank = (strength == 0.0).then(|| whitening.rank());
        if let Some(rank) = rank.filter(|r| *r < features) {
            warnings.push(Warning::RankDeficient { rank, features });
        }
        let mut vectors = found.vectors;
        fix_signs(&mut vectors);
        let weighed = self.weight_components.unwrap_or(self.ridge.is_none());
        let weights = weighed.then(|| component_weights(found.values[..kept].iter().copied()));

        let mut fitted = vec![];
        for (a, (dataset, preparation)) in datasets.iter().zip(paired.preparations).enumerate() {
            let all = bases[a].expand(blocks.map_of(&vectors, a));
            let map = LinearMap::new(preparation, Matrix::from_fn(all.nrows(), kept, |i, j| all[(i, j)]), weights.clone());
            let embedding = map.transform(dataset.rows());
            fitted.push(Fitted::new(dataset, embedding, Mapping::Linear(map)));
        }
        watch.lap("model");
        let outcome = Outcome {
            status: if found.residual <= 10.0 * TOLERANCE { Status::Converged } else { Status::ReducedAccuracy },
            residual: found.residual,
            tolerance: TOLERANCE,
            iterations: found.iterations,
            rank,
            ridge: Some(blocks.in_data_units(&ridge)),
            seconds: watch.finish(),
            warnings,
            ..Outcome::direct(found.solver)
        };
        let params = serde_json::to_value(self).unwrap_or_default();
        Ok(Alignment::new("cca", params, fitted, found.values[..kept].to_vec(), pairs.links().to_vec(), outcome))
    }
}
