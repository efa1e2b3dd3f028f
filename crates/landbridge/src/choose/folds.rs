//! Candidates fitted without some of the pairs, and where the partners of these pairs stand then.

use crate::choose::candidate::Candidate;
use crate::choose::journal::{Fold, Kept};
use crate::correspondence::Splits;
use crate::correspondence::cross_validation::{Chance, fit_without, held_standings, leading};
use crate::data::known::column_means;
use crate::data::{Dataset, Known, Link, Pairs};
use crate::error::{Error, Result};
use crate::evaluate::{Standing, label_transfer, mmae};
use crate::linalg::Matrix;
use crate::memo::Memo;
use crate::method::Method;
use crate::model::Alignment;
use crate::params::{Given, Value};
use crate::progress::Progress;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::Instant;

/// The scores of one candidate on all pairs.
#[derive(Clone)]
pub(crate) struct Scored {
    pub(crate) standings: Vec<[Standing; 2]>,
    /// Measures of the fits as wholes.
    pub(crate) extras: Vec<Extra>,
    pub(crate) seconds: f64,
    pub(crate) error: Option<String>,
}

/// A measure of a fit as a whole, for data that allow it: label transfer, or the error of predicted values.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Extra {
    pub(crate) name: String,
    pub(crate) value: f64,
    /// The value by chance; for an error of predicted values that of the column means.
    pub(crate) chance: f64,
}

/// The candidates in groups that one fit serves: those of a nest differ in the number of components only, fewest first.
pub(crate) fn nests(candidates: &[Candidate], datasets: &[Dataset]) -> Vec<Vec<usize>> {
    // Predicted values come from all components of a fit.
    let predicted = datasets.iter().any(Dataset::is_partly_known);
    let mut out: Vec<(Option<Others<'_>>, Vec<usize>)> = vec![];
    for (c, candidate) in candidates.iter().enumerate() {
        let method = candidate.method();
        let key = (method.schema().nested && !predicted).then(|| {
            let others = method.values().into_iter().filter(|(name, _)| name != COMPONENTS).collect();
            (method.schema().name, others)
        });
        match out.iter_mut().find(|(own, _)| key.is_some() && *own == key) {
            Some((_, nest)) => nest.push(c),
            None => out.push((key, vec![c])),
        }
    }
    let ordered = |mut nest: Vec<usize>| {
        nest.sort_by_key(|c| components(candidates[*c].method()));
        nest
    };
    out.into_iter().map(|(_, nest)| ordered(nest)).collect()
}

/// The name of a method, and all its parameters but the number of components.
type Others<'a> = (&'a str, Given);

const COMPONENTS: &str = "n_components";

/// The number of components of a method that has such a parameter.
fn components(method: &dyn Method) -> Option<usize> {
    method.values().into_iter().find_map(|(name, value)| match value {
        Value::Int(d) if name == COMPONENTS => usize::try_from(d).ok(),
        _ => None,
    })
}

/// Fits the candidate without some of the folds in turn, and scores their pairs.
pub(crate) fn score_some(
    candidate: &Candidate,
    datasets: &[Dataset],
    pairs: &Pairs,
    splits: &Splits,
    folds: &[usize],
    memo: &Arc<Memo>,
    progress: &Progress,
) -> Result<Scored> {
    let found = score_nest(&[candidate], datasets, pairs, splits, folds, memo, None, &|_| Ok(()), progress)?;
    found.into_iter().next().ok_or(Error::Cancelled)
}

/// Scores the candidates of a nest on some of the folds. Each fold is fitted once, with the most components; where that fails, each
/// candidate is fitted by itself.
pub(crate) fn score_nest(
    nest: &[&Candidate],
    datasets: &[Dataset],
    pairs: &Pairs,
    splits: &Splits,
    folds: &[usize],
    memo: &Arc<Memo>,
    kept: Option<&Kept<'_>>,
    step: &dyn Fn(usize) -> Result<()>,
    progress: &Progress,
) -> Result<Vec<Scored>> {
    let scored = score_together(nest, datasets, pairs, splits, folds, memo, kept, step, progress)?;
    if nest.len() == 1 || scored.iter().all(|s| s.error.is_none()) {
        return Ok(scored);
    }
    let alone = |candidate: &&Candidate| {
        let mut own = score_together(&[candidate], datasets, pairs, splits, folds, memo, kept, step, progress)?;
        own.pop().ok_or(Error::Cancelled)
    };
    nest.iter().map(alone).collect()
}

fn score_together(
    nest: &[&Candidate],
    datasets: &[Dataset],
    pairs: &Pairs,
    splits: &Splits,
    folds: &[usize],
    memo: &Arc<Memo>,
    kept: Option<&Kept<'_>>,
    step: &dyn Fn(usize) -> Result<()>,
    progress: &Progress,
) -> Result<Vec<Scored>> {
    let links = pairs.links();
    let blank = Scored {
        standings: vec![[Standing { rank: 0, closer: 0.0 }; 2]; links.len()],
        extras: vec![],
        seconds: 0.0,
        error: None,
    };
    let mut out = vec![blank; nest.len()];
    let mut chances = vec![Chance::default(); nest.len()];
    let Some(largest) = nest.last() else { return Ok(out) };
    let dimension = |candidate: &&Candidate| components(candidate.method()).filter(|_| nest.len() > 1);
    for (at, &fold) in folds.iter().enumerate() {
        step(at)?;
        let held = splits.held(fold);
        let known = kept.and_then(|k| nest.iter().map(|c| k.find(c.method(), fold, held.len())).collect::<Option<Vec<Fold>>>());
        let results = match known {
            Some(known) => known,
            None => {
                let own_progress = progress.remembering(Arc::clone(memo));
                let started = Instant::now();
                let fitted = fit_without(largest.method(), datasets, pairs, splits, fold, &own_progress);
                let error = match &fitted {
                    Err(Error::Cancelled) => return Err(Error::Cancelled),
                    Err(error) => Some(error.to_string()),
                    Ok(None) => {
                        Some(format!("{} pairs, those of all other folds, are too few for it", splits.known(pairs, fold)?.len()))
                    }
                    Ok(Some(fitted)) => fitted.check_places("a comparison").err().map(|e| e.to_string()),
                };
                let (None, Ok(Some(fitted))) = (&error, fitted) else {
                    out.iter_mut().for_each(|scored| scored.error.clone_from(&error));
                    return Ok(out);
                };
                let seconds = started.elapsed().as_secs_f64() + own_progress.seconds_saved();
                let own: Vec<Link> = held.iter().map(|p| links[*p]).collect();
                let mut made = vec![];
                for candidate in nest {
                    let d = dimension(candidate);
                    let mut extras = labels_of(&fitted, d)?;
                    extras.extend(errors_of(&fitted, datasets, &own));
                    let (standings, chance) = held_standings(&fitted, pairs, splits, fold, d);
                    let entry = Fold { standings, chance, extras, seconds };
                    if let Some(kept) = kept {
                        kept.keep(candidate.method(), fold, &entry)?;
                    }
                    made.push(entry);
                }
                made
            }
        };
        for ((scored, chance), entry) in out.iter_mut().zip(&mut chances).zip(results) {
            held.iter().zip(entry.standings).for_each(|(p, standing)| scored.standings[*p] = standing);
            chance.add(entry.chance);
            scored.seconds += entry.seconds / folds.len() as f64;
            scored.extras.extend(entry.extras);
        }
    }
    for (scored, chance) in out.iter_mut().zip(chances) {
        scored.extras = averaged(&scored.extras);
        let some: Vec<usize> = folds.iter().flat_map(|fold| splits.held(*fold)).collect();
        let mut own: Vec<[Standing; 2]> = some.iter().map(|p| scored.standings[*p]).collect();
        chance.correct(&mut own);
        some.into_iter().zip(own).for_each(|(p, standing)| scored.standings[p] = standing);
    }
    Ok(out)
}

/// The mean of each measure over folds and directions.
fn averaged(extras: &[Extra]) -> Vec<Extra> {
    let mean = |name: &&str| {
        let own: Vec<&Extra> = extras.iter().filter(|e| e.name == *name).collect();
        let average = |of: fn(&Extra) -> f64| own.iter().map(|e| of(e)).sum::<f64>() / own.len() as f64;
        (!own.is_empty()).then(|| Extra { name: (*name).into(), value: average(|e| e.value), chance: average(|e| e.chance) })
    };
    ["label_transfer", "mmae"].iter().filter_map(mean).collect()
}

/// Label transfer in both directions between the first two datasets, in the first `dimension` components, and by chance.
fn labels_of(fitted: &Alignment, dimension: Option<usize>) -> Result<Vec<Extra>> {
    let (a, b) = (&fitted.datasets()[0], &fitted.datasets()[1]);
    let mut out = vec![];
    if let (Some(x), Some(y)) = (a.labels(), b.labels()) {
        for (from, of, to, true_labels) in [(a, x, b, y), (b, y, a, x)] {
            let k = crate::apply::scores::VOTERS.min(from.nrows());
            let (x, y) = (leading(from.embedding(), dimension), leading(to.embedding(), dimension));
            let share = label_transfer(&x, of, &y, true_labels, k, fitted.default_metric())?;
            let chance = crate::apply::scores::most_frequent_label(of, true_labels);
            out.push(Extra { name: "label_transfer".into(), value: share, chance });
        }
    }
    Ok(out)
}

/// The error of values predicted for held-out rows, in both directions, if the target has unknown values and the method predicts.
fn errors_of(fitted: &Alignment, datasets: &[Dataset], held: &[Link]) -> Vec<Extra> {
    let mut out = vec![];
    for (s, t) in [(0, 1), (1, 0)] {
        let target = &datasets[t];
        let rows: Vec<(usize, usize)> =
            held.iter().filter(|l| (l.a, l.b) == (0, 1)).map(|l| if s == 0 { (l.i, l.j) } else { (l.j, l.i) }).collect();
        if !target.is_partly_known() || rows.is_empty() {
            continue;
        }
        let (from, to): (Vec<usize>, Vec<usize>) = rows.into_iter().unzip();
        let Ok(predicted) = fitted.predict(&datasets[s].rows().select(&from), s, t) else { continue };
        let actual = Known::Stored.entries(&target.rows().select(&to));
        let means = column_means(&Known::Stored.entries(target.rows()));
        let plain = Matrix::from_fn(predicted.nrows(), predicted.ncols(), |_, j| means[j]);
        if let (Ok(value), Ok(chance)) = (mmae(&predicted, &actual), mmae(&plain, &actual)) {
            out.push(Extra { name: "mmae".into(), value, chance });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::synthetic::RotatedCopies;
    use crate::method::{Cca, InstanceAlignment};
    use crate::registry;

    #[test]
    fn candidates_that_differ_in_components_only_are_one_nest() {
        let copies = RotatedCopies::new(30).generate().unwrap();
        let candidates = [
            Candidate::new(Cca::new(3)),
            Candidate::new(InstanceAlignment::new(2)),
            Candidate::new(Cca::new(1)),
            Candidate::new(Cca::new(2).ridge(0.5)),
            Candidate::new(Cca::new(2)),
        ];
        assert_eq!(nests(&candidates, &copies.datasets), [vec![2, 4, 0], vec![1], vec![3]]);
    }

    #[test]
    fn the_first_components_of_a_nested_method_score_as_a_fit_of_few() {
        let copies = RotatedCopies::new(100).n_features(8).noise(0.2).generate().unwrap();
        let pairs = copies.pairs(40, 1).unwrap();
        let splits = Splits::new(&copies.datasets, &pairs, 4, 0, None);
        let memo = Arc::new(Memo::new(copies.datasets.iter().map(Dataset::shared_rows)));
        let mut walked = 0;
        for schema in registry::methods().iter().filter(|s| s.nested) {
            let with = |d: i128| {
                let given = vec![(COMPONENTS.to_string(), Value::Int(d))];
                Candidate::shared(Arc::from(registry::method(schema.name, given).unwrap()))
            };
            let (few, many) = (with(2), with(4));
            let score = |nest: &[&Candidate]| {
                let silent = Progress::silent();
                score_nest(nest, &copies.datasets, &pairs, &splits, &[0, 1], &memo, None, &|_| Ok(()), &silent).unwrap()
            };
            let (together, alone) = (score(&[&few, &many]), score(&[&few]));
            assert!(alone[0].error.is_none(), "{}: {:?}", schema.name, alone[0].error);
            for (a, b) in together[0].standings.iter().flatten().zip(alone[0].standings.iter().flatten()) {
                assert!(a.rank.abs_diff(b.rank) <= 1 && (a.closer - b.closer).abs() < 0.011, "{}: {a:?} and {b:?}", schema.name);
            }
            walked += 1;
        }
        assert!(walked >= 4, "{walked}");
    }

    #[test]
    fn a_nest_whose_largest_fit_fails_is_fitted_one_by_one() {
        let copies = RotatedCopies::new(60).n_features(8).generate().unwrap();
        let pairs = copies.pairs(30, 1).unwrap();
        let splits = Splits::new(&copies.datasets, &pairs, 3, 0, None);
        let memo = Arc::new(Memo::new(copies.datasets.iter().map(Dataset::shared_rows)));
        let (few, many) = (Candidate::new(InstanceAlignment::new(2)), Candidate::new(InstanceAlignment::new(5000)));
        let silent = Progress::silent();
        let found =
            score_nest(&[&few, &many], &copies.datasets, &pairs, &splits, &[0, 1, 2], &memo, None, &|_| Ok(()), &silent).unwrap();
        assert!(found[0].error.is_none() && found[1].error.is_some(), "{:?} {:?}", found[0].error, found[1].error);
    }
}
