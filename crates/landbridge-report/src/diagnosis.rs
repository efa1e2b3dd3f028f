//! The figures of the page: recall, distances, rows without a partner, hubs, pairs that look wrong, spectrum, features.

use crate::Report;
use crate::columns::short;
use crate::partners::Partners;
use landbridge::Result;
use landbridge::correspondence::PairCheck;
use landbridge::data::Link;
use landbridge::evaluate::standings;
use landbridge::geometry::neighbors::Metric;
use landbridge::model::Alignment;
use landbridge::params::Words as _;
use landbridge::progress::Progress;
use landbridge_plot::sample;
use serde_json::{Value, json};

/// Pairs that are scored; of more, an even sample.
const PAIRS: usize = 2000;
/// Rows of a list.
const LISTED: usize = 20;
/// Components whose features are shown, and features of each.
const COMPONENTS: usize = 8;
const FEATURES: usize = 8;
/// Bars of a histogram.
const BARS: usize = 40;

pub(crate) fn diagnose(report: &Report<'_>, partners: &[Partners], progress: &Progress) -> Result<Value> {
    let alignment = report.alignment;
    let outcome = alignment.outcome();
    let mut found = json!({
        "recall": [], "distances": [], "far_pairs": [],
        "alone": alone(alignment, partners),
        "hubs": hubs(alignment, partners),
        "suspects": suspects(report),
        "spectrum": alignment.eigenvalues().iter().map(|v| json!(v)).collect::<Value>(),
        "features": top_features(alignment),
        "warnings": outcome.warnings.iter().map(|w| short_line(&w.to_string())).collect::<Value>(),
        "selection": outcome.selection,
        "outcome": {
            "status": outcome.status, "solver": outcome.solver, "residual": outcome.residual,
            "tolerance": outcome.tolerance, "iterations": outcome.iterations, "components": outcome.components,
            "held_out": outcome.held_out.as_ref().map(|h| h.verdict()), "trust": outcome.trust.as_ref().map(|t| t.verdict()),
        },
        "params": alignment.params(),
        "seconds": outcome.seconds.iter().map(|s| json!([s.name, s.seconds])).collect::<Value>(),
        "command": report.command_text(),
        "metric": alignment.default_metric().word(),
        "pairs_given": alignment.pairs().len(),
    });
    if alignment.has_rows() {
        progress.step("scores", 0, 1)?;
        let truth = report.truth.filter(|t| !t.is_empty());
        let links = thinned(truth.unwrap_or(alignment.pairs()));
        found["recall"] = recall(alignment, &links, truth.is_some());
        found["distances"] = distances(alignment, &links);
        found["far_pairs"] = far_pairs(alignment, &thinned(alignment.pairs()));
        found["scored"] = json!({"pairs": links.len(), "of": truth.unwrap_or(alignment.pairs()).len(), "truth": truth.is_some()});
    }
    Ok(found)
}

/// Sentences may quote names from files.
fn short_line(text: &str) -> String {
    crate::columns::cut(text, 600)
}

fn thinned(links: &[Link]) -> Vec<Link> {
    sample(links.len(), PAIRS).into_iter().map(|p| links[p]).collect()
}

/// Recall at many k in both directions, with Wilson's 95 % interval. On pairs that the fit did not see, where there are any.
fn recall(alignment: &Alignment, links: &[Link], truth: bool) -> Value {
    let given = alignment.given();
    let c = alignment.datasets().len();
    let mut curves = vec![];
    for (a, b) in (0..c).flat_map(|a| (0..c).map(move |b| (a, b))) {
        let all: Vec<(usize, usize)> = links.iter().filter(|l| (l.a, l.b) == (a, b)).map(|l| (l.i, l.j)).collect();
        let unseen: Vec<(usize, usize)> = all.iter().copied().filter(|(i, j)| truth && !given(a, *i, b, *j)).collect();
        let held_out = !unseen.is_empty();
        let pairs = if held_out { unseen } else { all };
        if pairs.is_empty() {
            continue;
        }
        let found = standings(alignment.embedding(a), alignment.embedding(b), &pairs, alignment.default_metric());
        for way in 0..2 {
            let (from, to) = if way == 0 { (a, b) } else { (b, a) };
            let (from, to) = (&alignment.datasets()[from], &alignment.datasets()[to]);
            let steps = [1, 2, 3, 5, 10, 20, 30, 50, 100, 200, 500, 1000];
            let ks: Vec<usize> = steps.into_iter().filter(|k| *k == 1 || *k <= to.nrows()).collect();
            let share = |k: usize| found.iter().filter(|s| s[way].rank <= k).count() as f64 / pairs.len() as f64;
            let shares: Vec<f64> = ks.iter().map(|k| share(*k)).collect();
            let bounds: Vec<(f64, f64)> = shares.iter().map(|p| wilson(*p, pairs.len())).collect();
            let chance: Vec<f64> = ks.iter().map(|k| (*k as f64 / to.nrows() as f64).min(1.0)).collect();
            curves.push(json!({
                "from": from.name(), "to": to.name(), "pairs": pairs.len(), "held_out": held_out, "k": ks, "share": shares,
                "low": bounds.iter().map(|b| b.0).collect::<Vec<_>>(), "high": bounds.iter().map(|b| b.1).collect::<Vec<_>>(),
                "chance": chance,
            }));
        }
    }
    curves.into()
}

/// Wilson's 95 % interval of a share of `n`.
fn wilson(p: f64, n: usize) -> (f64, f64) {
    let (n, z) = (n.max(1) as f64, 1.96f64);
    let centre = (p + z * z / (2.0 * n)) / (1.0 + z * z / n);
    let half = z * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt() / (1.0 + z * z / n);
    ((centre - half).max(0.0), (centre + half).min(1.0))
}

/// The distance of two rows in the joint space.
fn distance(alignment: &Alignment, a: usize, i: usize, b: usize, j: usize) -> f64 {
    let (x, y) = (alignment.embedding(a).row(i), alignment.embedding(b).row(j));
    let dot = |p: &[f64], q: &[f64]| p.iter().zip(q).map(|(p, q)| p * q).sum::<f64>();
    if alignment.default_metric() == Metric::Cosine {
        let lengths = (dot(x, x) * dot(y, y)).sqrt();
        return if lengths > 0.0 { 1.0 - dot(x, y) / lengths } else { 1.0 };
    }
    x.iter().zip(y).map(|(p, q)| (p - q).powi(2)).sum::<f64>().sqrt()
}

/// Histograms of the distances of pairs and of as many random rows, for each two datasets.
fn distances(alignment: &Alignment, links: &[Link]) -> Value {
    let c = alignment.datasets().len();
    let mut list = vec![];
    for (a, b) in (0..c).flat_map(|a| (a + 1..c).map(move |b| (a, b))) {
        let turned = |l: &Link| match (l.a, l.b) {
            _ if (l.a, l.b) == (a, b) => Some((l.i, l.j)),
            _ if (l.b, l.a) == (a, b) => Some((l.j, l.i)),
            _ => None,
        };
        let known: Vec<f64> = links.iter().filter_map(turned).map(|(i, j)| distance(alignment, a, i, b, j)).collect();
        let (n, m) = (alignment.datasets()[a].nrows(), alignment.datasets()[b].nrows());
        // Rows spread over both datasets, in an order that joins row i with any other.
        let random: Vec<f64> = sample(n, PAIRS.min(n * m))
            .into_iter()
            .enumerate()
            .map(|(at, i)| distance(alignment, a, i, b, (at * 7919 + i * 104_729 + m / 2) % m))
            .collect();
        if known.is_empty() || random.is_empty() {
            continue;
        }
        let all = || known.iter().chain(&random).copied();
        let (low, high) = (all().fold(f64::INFINITY, f64::min), all().fold(f64::NEG_INFINITY, f64::max));
        let shares = |values: &[f64]| {
            let mut bars = vec![0.0; BARS];
            for v in values {
                let at = if high > low { (BARS as f64 * (v - low) / (high - low)) as usize } else { 0 };
                bars[at.min(BARS - 1)] += 1.0 / values.len() as f64;
            }
            bars
        };
        list.push(json!({
            "a": a, "b": b, "low": low, "high": high, "known": shares(&known), "random": shares(&random),
            "pairs": known.len(), "median_known": median(&known), "median_random": median(&random),
        }));
    }
    list.into()
}

fn median(values: &[f64]) -> f64 {
    quantile(&mut values.to_vec(), 0.5)
}

/// A quantile; 0 of nothing.
fn quantile(values: &mut [f64], share: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    let at = ((values.len().max(1) - 1) as f64 * share).round() as usize;
    values.get(at).copied().unwrap_or(0.0)
}

/// Rows whose nearest row on the other side is unusually far: beyond the upper quartile by more than one and a half times the
/// distance between the quartiles.
fn alone(alignment: &Alignment, partners: &[Partners]) -> Value {
    let one = |p: &Partners| {
        let mut all: Vec<(usize, usize, f64)> = p.nearest().collect();
        let mut distances: Vec<f64> = all.iter().map(|m| m.2).collect();
        let (low, high) = (quantile(&mut distances, 0.25), quantile(&mut distances, 0.75));
        let limit = high + 1.5 * (high - low);
        all.retain(|m| m.2 > limit);
        all.sort_by(|a, b| b.2.total_cmp(&a.2).then(a.0.cmp(&b.0)));
        json!({
            "from": p.from, "to": p.to, "asked": p.asked.len(), "count": all.len(), "limit": limit,
            "rows": all.iter().take(LISTED).map(|(i, j, d)| json!([i, j, d])).collect::<Value>(),
        })
    };
    partners.iter().filter(|p| alignment.datasets()[p.from].nrows() >= 8).map(one).collect()
}

/// How often rows are the nearest of rows on the other side.
fn hubs(alignment: &Alignment, partners: &[Partners]) -> Value {
    let one = |p: &Partners| {
        let n = alignment.datasets()[p.to].nrows();
        let mut counts = vec![0usize; n];
        p.nearest().for_each(|(_, j, _)| counts[j] += 1);
        let never = counts.iter().filter(|c| **c == 0).count() as f64 / n.max(1) as f64;
        let mut ranked: Vec<(usize, usize)> = counts.iter().copied().enumerate().filter(|(_, c)| *c > 1).collect();
        ranked.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
        let back = partners.iter().find(|q| q.from == p.to && q.to == p.from && q.asked.len() == n);
        let mutual = back.filter(|_| p.asked.len() == alignment.datasets()[p.from].nrows()).map(|back| {
            let there: Vec<usize> = back.nearest().map(|(_, i, _)| i).collect();
            p.nearest().filter(|(i, j, _)| there.get(*j) == Some(i)).count() as f64 / p.asked.len().max(1) as f64
        });
        json!({
            "from": p.from, "to": p.to, "asked": p.asked.len(), "rows": n, "never": never, "mutual": mutual,
            "top": ranked.iter().take(LISTED).map(|(j, c)| json!([j, c])).collect::<Value>(),
        })
    };
    partners.iter().map(one).collect()
}

/// Known pairs whose rows do not find each other in the joint space, the worst first.
fn far_pairs(alignment: &Alignment, links: &[Link]) -> Value {
    let c = alignment.datasets().len();
    let mut all = vec![];
    for (a, b) in (0..c).flat_map(|a| (0..c).map(move |b| (a, b))).filter(|(a, b)| a != b) {
        let own: Vec<(usize, usize)> = links.iter().filter(|l| (l.a, l.b) == (a, b)).map(|l| (l.i, l.j)).collect();
        if own.is_empty() {
            continue;
        }
        let found = standings(alignment.embedding(a), alignment.embedding(b), &own, alignment.default_metric());
        for ((i, j), [there, back]) in own.into_iter().zip(found) {
            if there.rank > 1 && back.rank > 1 {
                let nearer = 0.5 * (there.closer + back.closer);
                all.push((nearer, a, i, b, j, [there.rank, back.rank]));
            }
        }
    }
    all.sort_by(|p, q| q.0.total_cmp(&p.0).then((p.1, p.2, p.3, p.4).cmp(&(q.1, q.2, q.3, q.4))));
    let count = all.len();
    let listed: Vec<Value> = all
        .into_iter()
        .take(LISTED)
        .map(|(nearer, a, i, b, j, ranks)| {
            json!({"a": a, "i": i, "b": b, "j": j, "ranks": ranks, "nearer": nearer, "distance": distance(alignment, a, i, b, j)})
        })
        .collect();
    json!({"count": count, "scored": links.len(), "pairs": listed})
}

/// Pairs that look wrong: by the check, or by the fit itself.
fn suspects(report: &Report<'_>) -> Value {
    let links = report.alignment.pairs();
    let listed = |positions: &[usize], check: &PairCheck| -> Value {
        let known = positions.iter().filter(|p| **p < links.len()).take(LISTED);
        known
            .map(|&p| {
                let Link { a, i, b, j, .. } = links[p];
                let (misfit, confidence) = (check.misfit.get(p), check.confidence.get(p));
                json!({"a": a, "i": i, "b": b, "j": j, "pair": p, "misfit": misfit, "confidence": confidence})
            })
            .collect()
    };
    match (report.check, &report.alignment.outcome().trust) {
        (Some(check), _) => json!({
            "by": "check_pairs", "verdict": check.verdict(), "count": check.suspect.len(),
            "pairs": listed(&check.suspect, check),
        }),
        // Positions of the fit's trust count the pairs that were given to it, which the model may not keep.
        (None, Some(trust)) if !trust.suspect_pairs.is_empty() => {
            json!({"by": "fit", "verdict": null, "count": trust.suspect_pairs.len(), "positions": trust.suspect_pairs})
        }
        _ => Value::Null,
    }
}

/// The features of largest weight in the first components, the datasets side by side. Methods without maps have none.
fn top_features(alignment: &Alignment) -> Value {
    let mut list = vec![];
    for component in 0..alignment.n_components().min(COMPONENTS) {
        let sides: Result<Vec<Value>> = (0..alignment.datasets().len())
            .map(|a| {
                let found = alignment.top_features(a, component, FEATURES)?;
                Ok(found
                    .iter()
                    .map(|f| json!([f.name.as_deref().map_or_else(|| f.column.to_string(), short), f.weight]))
                    .collect())
            })
            .collect();
        let Ok(sides) = sides else { return json!([]) };
        list.push(json!({"component": component, "value": alignment.eigenvalues().get(component), "sides": sides}));
    }
    list.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wilsons_interval_is_that_of_the_formula() {
        let (low, high) = wilson(0.5, 100);
        assert!((low - 0.4038).abs() < 1e-3 && (high - 0.5962).abs() < 1e-3, "{low} {high}");
        assert_eq!(wilson(0.0, 10).0, 0.0);
        assert!((wilson(1.0, 10).1 - 1.0).abs() < 1e-12);
    }

    #[test]
    fn quantiles_of_few_and_of_no_values() {
        assert_eq!(quantile(&mut [], 0.5), 0.0);
        assert_eq!(quantile(&mut [3.0, 1.0, 2.0], 0.5), 2.0);
        assert_eq!(median(&[4.0]), 4.0);
    }
}
