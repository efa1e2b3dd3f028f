//! The regularisation path of sparse maps. Some pairs are held out, and each strength is scored by them.

use super::SparseAlignment;
use crate::data::offsets;
use crate::data::{Dataset, Link, Pairs};
use crate::error::{Error, Result};
use crate::evaluate::recall_at_k;
use crate::model::Alignment;
use crate::progress::Progress;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use serde::Serialize;

/// One strength on a path.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct PathPoint {
    /// The strength.
    pub alpha: f64,
    /// Features with any weight, dataset by dataset.
    pub features_used: Vec<usize>,
    /// Share of all weights that are not 0.
    pub density: f64,
    /// Share of held-out rows whose counterpart is the nearest of all rows, averaged over all directions.
    pub recall: f64,
}

/// The strengths of a path, with the weights that each keeps and the pairs that it finds.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct SparsePath {
    /// In the order of the strengths given.
    pub points: Vec<PathPoint>,
    /// Groups of corresponding rows that were held out.
    pub held_out: usize,
}

impl SparsePath {
    /// The point with the highest recall; among equals the one with the fewest weights.
    pub fn best(&self) -> Option<&PathPoint> {
        self.points.iter().reduce(|best, p| {
            let better = p.recall > best.recall || (p.recall == best.recall && p.density < best.density);
            if better { p } else { best }
        })
    }
}

/// Strengths from 0.5 down to `smallest`, in geometric steps.
pub fn path_alphas(count: usize, smallest: f64) -> Vec<f64> {
    let steps = count.saturating_sub(1).max(1) as f64;
    (0..count).map(|i| 0.5 * (smallest / 0.5).powf(i as f64 / steps)).collect()
}

impl SparseAlignment {
    /// Fits every strength with a share of the pairs held out (0.2 is usual), and scores each by the held-out pairs.
    pub fn path(
        &self,
        datasets: &[Dataset],
        pairs: &Pairs,
        alphas: &[f64],
        held_out: f64,
        progress: &Progress,
    ) -> Result<SparsePath> {
        if alphas.is_empty() {
            return Err(Error::parameter("alphas", "empty", "at least one strength"));
        }
        if !(held_out > 0.0 && held_out < 1.0) {
            return Err(Error::parameter("held_out", held_out, "between 0 and 1"));
        }
        pairs.check_for(datasets, "sparse alignment")?;
        let (kept, apart, count) = split(datasets, pairs, held_out, self.seed())?;
        kept.check_for(datasets, "sparse alignment")?;
        let fitted = self.fit_path(datasets, &kept, alphas, progress)?;
        let points = fitted.iter().zip(alphas).map(|(alignment, &alpha)| point(alignment, alpha, &apart));
        Ok(SparsePath { points: points.collect::<Result<_>>()?, held_out: count })
    }
}

/// The pairs to fit and the pairs to score. Rows that a chain of pairs joins stay together.
fn split(datasets: &[Dataset], pairs: &Pairs, share: f64, seed: u64) -> Result<(Pairs, Vec<Link>, usize)> {
    let starts = offsets(datasets.iter().map(Dataset::nrows));
    let (group, count) = pairs.groups(&starts);
    let of = |l: &Link| group[starts[l.a] + l.i] as usize;
    let mut paired: Vec<usize> = pairs.links().iter().map(of).collect();
    paired.sort_unstable();
    paired.dedup();
    if paired.len() < 2 {
        return Err(Error::parameter(
            "pairs",
            crate::error::counted(paired.len(), "group"),
            "at least 2, so that one can be held out",
        ));
    }
    paired.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
    let out = ((share * paired.len() as f64).round() as usize).clamp(1, paired.len() - 1);
    let mut apart = vec![false; count];
    paired[..out].iter().for_each(|&g| apart[g] = true);
    let mut kept = Pairs::none(datasets.len());
    let mut held = vec![];
    for link in pairs.links() {
        if apart[of(link)] {
            held.push(*link);
        } else {
            kept.add(link.a, link.i, link.b, link.j, link.weight)?;
        }
    }
    Ok((kept, held, out))
}

fn point(alignment: &Alignment, alpha: f64, held: &[Link]) -> Result<PathPoint> {
    let c = alignment.datasets().len();
    let (mut recalls, mut used, mut stored, mut all) = (vec![], vec![], 0, 0);
    for a in 0..c {
        let weights = alignment.sparse_map(a)?;
        used.push(alignment.features_used(a)?);
        stored += weights.nnz();
        all += weights.nrows() * weights.ncols();
        for b in a + 1..c {
            let links: Vec<&Link> = held.iter().filter(|l| (l.a, l.b) == (a, b)).collect();
            if links.is_empty() {
                continue;
            }
            let (mut forth, mut back) = (vec![-1; alignment.embedding(a).nrows()], vec![-1; alignment.embedding(b).nrows()]);
            for link in links {
                forth[link.i] = link.j as i64;
                back[link.j] = link.i as i64;
            }
            for (from, to, truth) in [(a, b, &forth), (b, a, &back)] {
                let (source, target) = (alignment.embedding(from), alignment.embedding(to));
                recalls.push(recall_at_k(source, target, &[1], Some(truth), alignment.default_metric())?[0]);
            }
        }
    }
    let recall = recalls.iter().sum::<f64>() / recalls.len().max(1) as f64;
    Ok(PathPoint { alpha, features_used: used, density: stored as f64 / all.max(1) as f64, recall })
}
