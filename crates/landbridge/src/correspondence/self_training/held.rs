//! What held-out matches and held-out pairs say about the final fit.

use crate::correspondence::cross_validation::standings_of;
use crate::data::synthetic::random::{Purpose, Random};
use crate::data::{Dataset, Link, Pairs};
use crate::error::{Error, Result};
use crate::geometry::csls::nearest_corrected;
use crate::geometry::neighbors::{Metric, neighbors_among};
use crate::method::Method;
use crate::model::Alignment;
use crate::outcome::{AgainstPairs, Estimate, LEAST_HELD_OUT, TrainingRun};
use crate::progress::Progress;

/// Rows that are looked at.
const SAMPLE: usize = 1500;
/// With soft matches: the expected recall is `1 − exp(−RATE (agreement + cover))`, with the share of rows whose nearest row is the same
/// by maps of two halves of the matches. One number for sentence encoders and documents.
const RATE: f64 = 1.9;
/// Half of the interval around the expected recall, beside sampling.
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

/// The expected share of new rows whose partner is the nearest row, where matches come back when they are held out. Rows without a mutual match are harder than the others, so the estimate lies between the share of matches that come back and the share of rows that
/// have one which does.
///
/// If fewer than `good` come back, rows without a partner may hide how well the others do: the interval is open upwards.
pub(super) fn by_reproducibility(again: f64, matched: f64, good: f64) -> Estimate {
    let high = if again >= good { (again + OFF).min(1.0) } else { 1.0 };
    Estimate { value: again * matched.sqrt(), low: (again * matched - OFF).max(0.0), high }
}

/// Share of mutual matches between rows without a partner that come back when they are held out. Europarl with a half and with a quarter of
/// the rows in common gives .34 and .35.
const BY_CHANCE: f64 = 0.35;
/// Half of the interval around the share of rows with a partner.
const OFF_SHARED: f64 = 0.08;

/// The share of rows that have a partner: that of rows with a match that comes back in nearly all halvings, where this is known; otherwise
/// from the share of mutual matches that come back and the share of rows that have one. A row may have a partner and yet no mutual match, so
/// the interval is wider above.
pub(super) fn shared_by(run: &TrainingRun, matched: f64, steady: Option<f64>) -> Estimate {
    let again = ((run.reproducibility - BY_CHANCE) / (1.0 - BY_CHANCE)).clamp(0.0, 1.0) * matched;
    let value = steady.unwrap_or(again);
    Estimate { value, low: (value - OFF_SHARED).max(0.0), high: (value + OFF_SHARED + 1.0 - matched).min(1.0) }
}

/// What two fits to halves of the soft matches say.
pub(super) struct OfHalves {
    /// The expected share of new rows whose partner is the nearest row.
    pub(super) expected: Estimate,
    /// Whether the fits agree on more rows if matches are corrected for hubs (CSLS).
    pub(super) csls: bool,
}

/// Fits to two halves of the soft matches, and how often the nearest row is the same in both.
pub(super) fn expected_recall(
    base: &dyn Method,
    datasets: &[Dataset],
    matches: &Pairs,
    cover: f64,
    seed: u64,
    progress: &Progress,
) -> Result<Option<OfHalves>> {
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
    let (mut hits, mut corrected, mut count) = (0.0, 0.0, 0.0);
    let rows: Vec<usize> = order.iter().copied().take(SAMPLE).collect();
    for b in 1..datasets.len() {
        let (mut nearest, mut by_csls) = (vec![], vec![]);
        for fitted in &fits {
            let own = fitted.embedding(0).select_rows(&rows);
            nearest.push(neighbors_among(&own, fitted.embedding(b), 1, Metric::Cosine, progress)?.indices);
            by_csls.push(nearest_corrected(&own, fitted.embedding(b), 1, progress)?.indices);
        }
        let same = |found: &[Vec<u32>]| found[0].iter().zip(&found[1]).filter(|(p, q)| p == q).count() as f64;
        hits += same(&nearest);
        corrected += same(&by_csls);
        count += rows.len() as f64;
    }
    if count == 0.0 {
        return Ok(None);
    }
    let share: f64 = hits / count;
    let sampling = 1.96 * (share * (1.0 - share) / count).sqrt();
    let recall = |share: f64| 1.0 - (-RATE * (share.clamp(0.0, 1.0) + cover.clamp(0.0, 1.0))).exp();
    let (low, high) = ((recall(share - sampling) - OFF).max(0.0), (recall(share + sampling) + OFF).min(1.0));
    Ok(Some(OfHalves { expected: Estimate { value: recall(share), low, high }, csls: corrected > hits }))
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
