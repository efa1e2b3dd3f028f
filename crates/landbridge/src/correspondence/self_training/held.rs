//! What held-out matches and held-out pairs say about the final fit.

use crate::correspondence::cross_validation::standings_of;
use crate::data::synthetic::random::{Purpose, Random};
use crate::data::{Dataset, Link, Pairs};
use crate::error::{Error, Result};
use crate::geometry::neighbors::{Metric, neighbors_among};
use crate::method::Method;
use crate::model::Alignment;
use crate::outcome::{AgainstPairs, Estimate, LEAST_HELD_OUT};
use crate::progress::Progress;

/// Rows that are looked at.
const SAMPLE: usize = 1500;
/// With soft matches: the power of the share of nearest rows on which maps of two halves agree that is the expected recall. One
/// number for three runs: sentence encoders alone want 0.385, documents 0.235.
const POWER: f64 = 0.31;
/// Half of the interval around the expected recall, beside sampling: it covers the error of these three runs, at most 0.06.
const OFF: f64 = 0.1;
/// Share of the known pairs that are held out.
const HELD: usize = 3;

/// The links for which `keep` holds.
fn chosen(pairs: &Pairs, datasets: usize, keep: impl Fn(&Link) -> bool) -> Result<Pairs> {
    let mut out = Pairs::none(datasets);
    for l in pairs.links().iter().filter(|l| keep(l)) {
        out.add(l.a, l.i, l.b, l.j, l.weight)?;
    }
    Ok(out)
}

/// A fit to these pairs, or `None` if they are too few for it. Stopping is passed on.
fn attempt(base: &dyn Method, datasets: &[Dataset], pairs: &Pairs, progress: &Progress) -> Result<Option<Alignment>> {
    match base.fit_with(datasets, pairs, progress) {
        Ok(fitted) => Ok(Some(fitted)),
        Err(Error::Cancelled) => Err(Error::Cancelled),
        Err(_) => Ok(None),
    }
}

/// The expected share of new rows whose partner is the nearest row, where nearly all matches come back when they are held out.
pub(super) fn by_reproducibility(share: f64) -> Estimate {
    Estimate { value: share, low: (share - OFF).max(0.0), high: (share + OFF).min(1.0) }
}

/// The expected share of new rows whose partner is the nearest row, from soft matches: fits to two halves of them, and how often
/// the nearest row is the same in both.
pub(super) fn expected_recall(
    base: &dyn Method,
    datasets: &[Dataset],
    matches: &Pairs,
    seed: u64,
    progress: &Progress,
) -> Result<Option<Estimate>> {
    let order = Random::new(seed, Purpose::Other(0x68656c64)).permutation(datasets[0].nrows());
    // Matches of one row stay together.
    let half = |l: &Link| order[if l.a == 0 { l.i } else { l.i % order.len() }] % 2;
    let mut fits = vec![];
    for h in 0..2 {
        progress.step("expected recall", h, 2)?;
        let Some(fitted) = attempt(base, datasets, &chosen(matches, datasets.len(), |l| half(l) == h)?, progress)? else {
            return Ok(None);
        };
        fits.push(fitted);
    }
    let (mut hits, mut count) = (0.0, 0.0);
    let rows: Vec<usize> = order.iter().copied().take(SAMPLE).collect();
    for b in 1..datasets.len() {
        let mut nearest = vec![];
        for fitted in &fits {
            let own = fitted.embedding(0).select_rows(&rows);
            nearest.push(neighbors_among(&own, fitted.embedding(b), 1, Metric::Cosine, progress)?.indices);
        }
        hits += nearest[0].iter().zip(&nearest[1]).filter(|(p, q)| p == q).count() as f64;
        count += rows.len() as f64;
    }
    if count == 0.0 {
        return Ok(None);
    }
    let share: f64 = hits / count;
    let sampling = 1.96 * (share * (1.0 - share) / count).sqrt();
    let recall = |share: f64| share.clamp(0.0, 1.0).powf(POWER);
    let (low, high) = ((recall(share - sampling) - OFF).max(0.0), (recall(share + sampling) + OFF).min(1.0));
    Ok(Some(Estimate { value: recall(share), low, high }))
}

/// Known pairs held out: the base method on the others alone, and with the matches. `None` with fewer than ten pairs.
pub(super) fn against_pairs(
    base: &dyn Method,
    alone: &dyn Method,
    datasets: &[Dataset],
    matches: &Pairs,
    known: &Pairs,
    seed: u64,
    progress: &Progress,
) -> Result<Option<AgainstPairs>> {
    let links = known.links();
    if links.len() < LEAST_HELD_OUT {
        return Ok(None);
    }
    let order = Random::new(seed, Purpose::Other(0x70616972)).permutation(links.len());
    let count = links.len() / HELD;
    let held: Vec<Link> = order[..count].iter().map(|&p| links[p]).collect();
    let mut rows: Vec<(usize, usize)> = held.iter().flat_map(|l| [(l.a, l.i), (l.b, l.j)]).collect();
    rows.sort_unstable();
    let touched = |l: &Link| rows.binary_search(&(l.a, l.i)).is_ok() || rows.binary_search(&(l.b, l.j)).is_ok();
    let rest = chosen(known, datasets.len(), |l| !touched(l))?;
    let joint = chosen(matches, datasets.len(), |l| !touched(l))?;
    progress.step("known pairs held out", 0, 2)?;
    let Some(plain) = attempt(alone, datasets, &rest, progress)? else { return Ok(None) };
    progress.step("known pairs held out", 1, 2)?;
    let Some(trained) = attempt(base, datasets, &joint, progress)? else { return Ok(None) };
    let closer = |fitted: &Alignment| {
        let found = standings_of(fitted, &held, None);
        found.iter().map(|[there, back]| 0.5 * (there.closer + back.closer)).sum::<f64>() / found.len() as f64
    };
    Ok(Some(AgainstPairs { pairs: count, alone: closer(&plain), trained: closer(&trained) }))
}
