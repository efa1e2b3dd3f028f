//! Maps that suit vectors, and the further pairs that unpaired rows give.

use super::quick::Stores;
use crate::data::{Dataset, Pairs, Prepare};
use crate::embed::Unchanged;
use crate::error::Result;
use crate::method::{Cca, LinearTransform, Method, ProcrustesAlignment};
use crate::model::Alignment;
use crate::outcome::Warning;
use crate::progress::Progress;
use std::sync::Arc;

/// A method, and whether unpaired rows give it further pairs.
#[derive(Clone)]
pub(super) struct Recipe {
    pub(super) method: Arc<dyn Method>,
    /// The same in short, if the method is canonical correlation.
    pub(super) correlation: Option<Correlation>,
    pub(super) further: Option<Further>,
}

/// Canonical correlation: its ridge in units of the mean diagonal, and the power of a correlation that weights its component.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Correlation {
    pub(super) ridge: f64,
    pub(super) power: f64,
}

/// Further pairs: mutual best matches of free rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Further {
    /// The weight of a further pair, relative to a known one.
    pub(super) weight: f64,
    /// What finds the first of them, from the known pairs.
    pub(super) start: Correlation,
}

/// Which rows are in no known pair: the rows of a held-out pair are not free either, so that no fit can find that pair again.
pub(super) struct Rooms {
    pub(super) free: [Vec<usize>; 2],
}

/// With fewer free rows there is little to find.
const LEAST_FREE: usize = 50;
/// The power that ridges compete with, and those that the best ridge tries.
const MIDDLE_POWER: f64 = 1.25;
const OTHER_POWERS: [f64; 2] = [1.0, 1.5];

/// Ridges of canonical correlation, in units of the mean diagonal: the fewer pairs per column, the stronger.
fn ridges(datasets: &[Dataset], pairs: &Pairs) -> Vec<f64> {
    let columns = datasets.iter().map(Dataset::ncols).min().unwrap_or(1);
    match pairs.len() >= 2 * columns {
        true => vec![0.1, 0.3, 1.0],
        false => vec![0.7, 2.0, 6.0],
    }
}

impl Rooms {
    pub(super) fn new(datasets: &[Dataset], pairs: &Pairs) -> Self {
        let mut paired: [Vec<bool>; 2] = [0, 1].map(|a: usize| vec![false; datasets[a].nrows()]);
        for link in pairs.links() {
            paired[link.a][link.i] = true;
            paired[link.b][link.j] = true;
        }
        Self { free: paired.map(|p| (0..p.len()).filter(|i| !p[*i]).collect()) }
    }
    /// Whether there are enough free rows in both stores to find further pairs.
    pub(super) fn have_free_rows(&self) -> bool {
        self.free.iter().all(|free| free.len() >= LEAST_FREE)
    }
    /// The free rows of a store, at most so many, evenly chosen.
    pub(super) fn some(&self, store: usize, most: usize) -> Vec<usize> {
        let free = &self.free[store];
        let count = free.len().min(most);
        (0..count).map(|t| free[t * free.len() / count]).collect()
    }
}

impl Recipe {
    /// Fits the pairs and, if the recipe says so, further ones: for measuring, in single precision where there is a quick way.
    pub(super) fn fit(&self, stores: &Stores<'_>, pairs: &Pairs, rooms: &Rooms, progress: &Progress) -> Result<Alignment> {
        match self.correlation {
            Some(correlation) => {
                let (maps, _) = stores.fit(pairs, correlation, self.further, rooms)?;
                Ok(stores.alignment(&maps, correlation.power))
            }
            None => self.method.fit_with(stores.datasets, pairs, progress),
        }
    }

    /// The model: the method, fitted to the pairs and to the further pairs, whose number is returned too.
    pub(super) fn model(
        &self,
        stores: &Stores<'_>,
        pairs: &Pairs,
        rooms: &Rooms,
        progress: &Progress,
    ) -> Result<(Alignment, usize)> {
        let mut all = pairs.clone();
        let mut count = 0;
        if let Some(correlation) = self.correlation.filter(|_| self.further.is_some()) {
            let (_, further) = stores.fit(pairs, correlation, self.further, rooms)?;
            count = further.len();
            for (i, j, weight) in further {
                all.add(0, i, 1, j, weight)?;
            }
        }
        let mut fitted = self.method.fit_with(stores.datasets, &all, progress)?;
        // Nobody asked for a number of components.
        fitted.outcome.warnings.retain(|w| !matches!(w, Warning::FewerComponents { .. }));
        Ok((fitted, count))
    }
}

/// Canonical correlation as deep as the vectors allow.
fn correlation(datasets: &[Dataset], correlation: Correlation, further: Option<Further>, seed: u64) -> Recipe {
    let most = datasets.iter().map(Dataset::ncols).min().unwrap_or(1);
    let Correlation { ridge, power } = correlation;
    let cca = Cca::new(most).ridge(Some(ridge)).weight_power(Some(power)).prepare(Prepare::UnitCenter).random_state(seed);
    Recipe { method: Arc::new(cca), correlation: Some(correlation), further }
}

/// Canonical correlations with several ridges, fitted to the known pairs only.
pub(super) fn correlations(datasets: &[Dataset], pairs: &Pairs, seed: u64) -> Vec<Recipe> {
    let one = |ridge| correlation(datasets, Correlation { ridge, power: MIDDLE_POWER }, None, seed);
    ridges(datasets, pairs).into_iter().map(one).collect()
}

/// The best of them with other weights of components.
pub(super) fn other_powers(datasets: &[Dataset], best: Correlation, seed: u64) -> Vec<Recipe> {
    OTHER_POWERS.iter().map(|&power| correlation(datasets, Correlation { power, ..best }, None, seed)).collect()
}

/// Maps of other kinds, fitted to the known pairs only.
pub(super) fn others() -> Vec<Recipe> {
    let methods: [Arc<dyn Method>; 2] =
        [Arc::new(ProcrustesAlignment::new(Unchanged::new())), Arc::new(LinearTransform::new().prepare(Prepare::UnitCenter))];
    methods.into_iter().map(|method| Recipe { method, correlation: None, further: None }).collect()
}

/// Canonical correlation with further pairs. Free rows without a partner in the other store find a similar row at best, and then
/// count less than known pairs. If the stores share their rows, further pairs are as good as known ones, and so many that they
/// leave little to the ridge. Rows that are merely similar blur the leading components, so that a flat weighting of components competes too;
/// and they fill directions that the known pairs leave to the ridge, so that a weaker ridge with fainter further pairs does.
pub(super) fn with_further(datasets: &[Dataset], best: Correlation, seed: u64) -> Vec<Recipe> {
    let all = [
        (best, 0.3),
        (Correlation { power: 0.5, ..best }, 0.3),
        (Correlation { ridge: 0.5 * best.ridge, power: 1.0 }, 0.15),
        (Correlation { ridge: 0.1, power: 1.5 }, 1.0),
    ];
    all.into_iter().map(|(then, weight)| correlation(datasets, then, Some(Further { weight, start: best }), seed)).collect()
}
