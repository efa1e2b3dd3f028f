//! Maps that suit vectors, and the further pairs that unpaired rows give.

use crate::data::{Dataset, Pairs, Prepare};
use crate::embed::Unchanged;
use crate::error::Result;
use crate::geometry::csls::{Compared, mutual};
use crate::geometry::neighbors::unit_length;
use crate::linalg::Matrix;
use crate::method::{Cca, LinearTransform, Method, ProcrustesAlignment};
use crate::model::Alignment;
use crate::outcome::Warning;
use crate::progress::Progress;
use std::sync::Arc;

/// A method, and whether unpaired rows give it further pairs.
pub(super) struct Recipe {
    pub(super) method: Arc<dyn Method>,
    /// The weight of a further pair, relative to a known one; 0: none.
    pub(super) further: f64,
}

/// Which rows are in no known pair: the rows of a held-out pair are not free either, so that no fit can find that pair again.
pub(super) struct Rooms {
    pub(super) free: [Vec<usize>; 2],
}

/// Largest number of free rows of a store that are compared with those of the other.
const MOST_FREE: usize = 8_000;
/// With fewer free rows there is little to find.
const LEAST_FREE: usize = 50;
/// Times that the further pairs are looked up, each time in the better map.
const ROUNDS: usize = 2;

/// Ridges of canonical correlation, in units of the mean diagonal: the fewer pairs per column, the stronger.
pub(super) fn ridges(datasets: &[Dataset], pairs: &Pairs) -> Vec<f64> {
    let columns = datasets.iter().map(Dataset::ncols).min().unwrap_or(1);
    match pairs.len() >= 2 * columns {
        true => vec![0.1, 0.3, 1.0, 3.0],
        false => vec![1.0, 3.0, 10.0],
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
    /// The free rows of a store, at most so many, evenly chosen.
    pub(super) fn some(&self, store: usize, most: usize) -> Vec<usize> {
        let free = &self.free[store];
        let count = free.len().min(most);
        (0..count).map(|t| free[t * free.len() / count]).collect()
    }
}

impl Recipe {
    /// Fits the pairs; then, if the recipe says so, also mutual best matches of free rows. Returns their number too.
    pub(super) fn fit(
        &self,
        datasets: &[Dataset],
        pairs: &Pairs,
        rooms: &Rooms,
        progress: &Progress,
    ) -> Result<(Alignment, usize)> {
        let mut fitted = self.method.fit_with(datasets, pairs, progress)?;
        let mut found = 0;
        if self.further > 0.0 && rooms.free.iter().all(|free| free.len() >= LEAST_FREE) {
            let free = [0, 1].map(|a| rooms.some(a, MOST_FREE));
            for _ in 0..ROUNDS {
                let unit = |a: usize| unit_rows(fitted.embedding(a), &free[a]);
                let matched = mutual(&[&Compared::new((unit(0), unit(1)))]);
                let mut all = pairs.clone();
                for &(i, j) in &matched.matches {
                    all.add(0, free[0][i as usize], 1, free[1][j as usize], self.further)?;
                }
                let before = std::mem::replace(&mut found, matched.matches.len());
                fitted = self.method.fit_with(datasets, &all, progress)?;
                if found == before {
                    break;
                }
            }
        }
        // Nobody asked for a number of components.
        fitted.outcome.warnings.retain(|w| !matches!(w, Warning::FewerComponents { .. }));
        Ok((fitted, found))
    }
}

fn unit_rows(embedding: &Matrix<f64>, rows: &[usize]) -> Matrix<f32> {
    let mut chosen = embedding.select_rows(rows);
    (0..rows.len()).for_each(|i| unit_length(chosen.row_mut(i)));
    chosen.to_f32()
}

/// Canonical correlation with this ridge, as deep as the vectors allow.
fn correlation(datasets: &[Dataset], ridge: f64, seed: u64) -> Arc<dyn Method> {
    let most = datasets.iter().map(Dataset::ncols).min().unwrap_or(1);
    let cca = Cca::new(most).ridge(Some(ridge)).weight_components(Some(true)).prepare(Prepare::UnitCenter);
    Arc::new(cca.random_state(seed))
}

/// Maps that are fitted to the known pairs only.
pub(super) fn plain(datasets: &[Dataset], ridges: &[f64], seed: u64) -> Vec<Recipe> {
    let mut methods: Vec<Arc<dyn Method>> = ridges.iter().map(|r| correlation(datasets, *r, seed)).collect();
    methods.push(Arc::new(ProcrustesAlignment::new(Unchanged::new())));
    methods.push(Arc::new(LinearTransform::new().prepare(Prepare::UnitCenter)));
    methods.into_iter().map(|method| Recipe { method, further: 0.0 }).collect()
}

/// Canonical correlation around the best of the ridges, with further pairs that count less than known ones, or as much.
pub(super) fn with_further(datasets: &[Dataset], ridges: &[f64], best: usize, seed: u64) -> Vec<Recipe> {
    // Further pairs leave less to the ridge.
    let all = [(ridges[best], 0.3), (ridges[best.saturating_sub(1)], 1.0)];
    all.into_iter().map(|(ridge, further)| Recipe { method: correlation(datasets, ridge, seed), further }).collect()
}
