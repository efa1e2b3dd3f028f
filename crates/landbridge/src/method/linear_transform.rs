//! The plain linear transform `X⁺Y` from one dataset's features to another's: a baseline (Chapter11 §5.4.2).

use crate::data::prepare::warn_of_rows;
use crate::data::{Dataset, Pairs, Prepare, check_datasets};
use crate::error::{Error, Result};
use crate::linalg::Matrix;
use crate::linalg::tall::Tall;
use crate::linalg::whitening::{Whitener, Whitening};
use crate::method::cca::Paired;
use crate::method::{fits, setters};
use crate::model::{Alignment, Fitted, LinearMap, Mapping};
use crate::outcome::{Outcome, Stopwatch, Warning};
use crate::params::check_ridge;
use crate::problem::feature::{Blocks, reduce_to_row_space};
use crate::progress::Progress;
use serde::{Deserialize, Serialize};

/// Maps every dataset into the features of the last one by least squares over the pairs.
///
/// `T = (X'MX + R)⁻¹ X'WY` on the paired rows, R the ridge in units of the mean diagonal of `X'MX`; with ridge 0 the
/// pseudo-inverse. The joint space is the last dataset's own (prepared) features, so it has as many dimensions.
///
/// | parameter | default | purpose | range |
/// |---|---|---|---|
/// | `ridge` | 0.1 | strength of the ridge; 0 is `X⁺Y` | ≥ 0 |
/// | `prepare` | centre | what is done to rows first, learnt from all rows | |
///
/// ```
/// use landbridge::data::synthetic::BilingualDocuments;
/// use landbridge::method::LinearTransform;
/// let documents = BilingualDocuments::new(100).generate()?;
/// let alignment = LinearTransform::new().fit(&documents.datasets, &documents.pairs(50, 0)?)?;
/// assert_eq!(alignment.n_components(), documents.datasets[1].ncols());
/// # Ok::<(), landbridge::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LinearTransform {
    ridge: Option<f64>,
    prepare: Prepare,
    #[serde(skip)]
    n_jobs: usize,
}

/// Ridge when none is given, in units of the mean diagonal of `X'X`.
const AUTO_RIDGE: f64 = 0.1;

impl Default for LinearTransform {
    fn default() -> Self {
        Self { ridge: None, prepare: Prepare::Center, n_jobs: 0 }
    }
}

impl LinearTransform {
    /// With the default ridge.
    pub fn new() -> Self {
        Self::default()
    }

    setters! {
        /// Ridge, in units of the mean diagonal of `X'X`; `None`: the default, `Some(0.0)`: the pseudo-inverse.
        ridge: Option<f64> => ridge;
        /// What is done to the rows first.
        prepare: Prepare => prepare;
        /// Threads, 0 = all cores. Results never depend on it.
        n_jobs: usize => n_jobs;
    }

    fits!();

    fn fit_steps(&self, datasets: &[Dataset], pairs: &Pairs, progress: &Progress) -> Result<Alignment> {
        check_datasets(datasets)?;
        check_ridge(self.ridge)?;
        pairs.check_for(datasets, "the linear transform")?;
        let target = datasets.len() - 1;
        let mut direct = Pairs::none(datasets.len());
        for link in pairs.links().iter().filter(|l| l.b == target) {
            direct.add(link.a, link.i, link.b, link.j, link.weight)?;
        }
        if let Some(a) = (0..target).find(|a| direct.links().iter().all(|l| l.a != *a)) {
            return Err(Error::NotJoined { first: datasets[a].name().into(), second: datasets[target].name().into() });
        }
        let mut watch = Stopwatch::start();
        let mut warnings = vec![];
        warn_of_rows(datasets, self.prepare, &mut warnings);
        let paired = Paired::new(datasets, &direct, self.prepare)?;
        if paired.repeated > 0 {
            warnings.push(Warning::RepeatedPairs { count: paired.repeated });
        }
        watch.lap("preparation");

        let mass = paired.graph.row_sums();
        let strength = self.ridge.unwrap_or(AUTO_RIDGE);
        let ridge: Vec<f64> = (0..target).map(|a| strength * paired.blocks.mean_diagonal(a, &mass)).collect();
        let (features, width) = (paired.blocks.columns[target], datasets[target].ncols());
        // The target keeps its features; only sources are reduced.
        let mut all = paired.blocks;
        let own = all.datasets.split_off(target);
        let scales = all.scales.clone();
        let (reduced, bases) = reduce_to_row_space(Blocks::new(all.datasets))?;
        let mut blocks = reduced.datasets;
        blocks.extend(own);
        let blocks = Blocks { scales, ..Blocks::new(blocks) };
        let (mut fitted, mut rank) = (vec![], 0);
        for (a, basis) in bases.iter().enumerate() {
            progress.step("matrices", a, target)?;
            let cross = blocks.across(a, target, &paired.graph);
            let mut own = blocks.mass(a, &mass);
            (0..own.nrows()).for_each(|i| own[(i, i)] += ridge[a]);
            let whitening = Whitening(vec![Whitener::new(own)?]);
            rank += whitening.rank();
            let p = cross.nrows();
            let cross = Tall {
                values: (0..p).flat_map(|i| (0..width).map(move |j| (i, j))).map(|at| cross[at]).collect(),
                stride: width,
            };
            let mut map = whitening.expand(&whitening.shrink(&cross));
            let scale = blocks.scales[a] / blocks.scales[target];
            map.values.iter_mut().for_each(|v| *v *= scale);
            let map = LinearMap::new(paired.preparations[a].clone(), basis.expand(Matrix::from_vec(map.values, p, width)?), None);
            fitted.push(Fitted::new(&datasets[a], map.transform(datasets[a].rows()), Mapping::Linear(map)));
        }
        let preparation = paired.preparations[target].clone();
        let rows = preparation.apply(datasets[target].rows()).to_dense();
        let rows = Matrix::from_vec(rows.values, datasets[target].nrows(), width)?;
        fitted.push(Fitted::new(&datasets[target], rows, Mapping::Prepared(preparation)));
        let rank = (strength == 0.0).then_some(rank);
        if let Some(rank) = rank.filter(|r| *r < features) {
            warnings.push(Warning::RankDeficient { rank, features });
        }
        watch.lap("least squares");
        let outcome = Outcome {
            rank,
            ridge: Some(blocks.in_data_units(&ridge)),
            seconds: watch.finish(),
            warnings,
            ..Outcome::direct("Cholesky")
        };
        let params = serde_json::to_value(self).unwrap_or_default();
        Ok(Alignment::new("linear_transform", params, fitted, vec![], pairs.links().to_vec(), outcome))
    }
}
