//! Bridges between made-up stores.

use super::*;
use crate::data::synthetic::RotatedCopies;
use crate::linalg::Matrix;

/// Two noisy views of one cloud whose first rows are paired, and whose other rows are of one store only.
fn stores(shared: usize, others: usize, columns: usize, noise: f64) -> Vec<Dataset> {
    let n = shared + 2 * others;
    let copies = RotatedCopies::new(n).n_features(columns).noise(noise).generate().unwrap();
    let truth: Vec<usize> = {
        let links = copies.pairs(n, 0).unwrap();
        let mut to = vec![0; n];
        links.links().iter().for_each(|l| to[l.i] = l.j);
        to
    };
    let old: Vec<usize> = (0..shared + others).collect();
    let new: Vec<usize> = (0..shared).chain(shared + others..n).map(|i| truth[i]).collect();
    vec![
        Dataset::new("old", copies.datasets[0].rows().select(&old)).unwrap(),
        Dataset::new("new", copies.datasets[1].rows().select(&new)).unwrap(),
    ]
}

#[test]
fn a_bridge_is_measured_on_pairs_that_it_did_not_see() {
    let data = stores(150, 100, 16, 0.1);
    let found = Bridge::new().bridge(&data, &Pairs::first_rows(2, 120)).unwrap();
    let report = &found.report;
    let quality = report.quality.as_ref().unwrap();
    assert_eq!((report.trusted, report.pairs, quality.pairs), (Some(true), 120, 120), "{}", report.verdict);
    // The 30 pairs that nobody told: the prediction holds for them.
    let unseen: Vec<crate::data::Link> = (120..150).map(|i| crate::data::Link { a: 0, i, b: 1, j: i, weight: 1.0 }).collect();
    let standings = crate::correspondence::cross_validation::standings_of(&found.alignment, &unseen, None);
    let truly = standings.iter().filter(|s| s[0].rank <= 10).count() as f64 / 30.0;
    assert!((truly - quality.old_to_new.recall_at_10.value).abs() < 0.15, "{truly} {quality:?}");
    assert!(quality.overlap_at_10.value > 0.5 && quality.cosine.unwrap().value > 0.8, "{quality:?}");
    assert!(report.learning_curve.windows(2).all(|w| w[0].pairs < w[1].pairs), "{:?}", report.learning_curve);
    assert!(report.embed_first.iter().all(|d| d.row >= 120 && d.confidence.is_some()));
    // The table names every candidate once, the best first.
    assert!(report.table.len() > 5 && report.table[0].recall_at_1 >= report.table.last().unwrap().recall_at_1);
}

#[test]
fn shuffled_pairs_are_not_to_be_used() {
    let data = stores(100, 0, 12, 0.05);
    let mut wrong = Pairs::none(2);
    (0..60).for_each(|p| wrong.add(0, p, 1, (p * 7 + 3) % 60, 1.0).unwrap());
    let found = Bridge::new().bridge(&data, &wrong).unwrap();
    assert_ne!(found.report.trusted, Some(true), "{}", found.report.verdict);
    assert!(!found.report.verdict.starts_with("use it"));
}

#[test]
fn rows_that_both_stores_hold_become_further_pairs() {
    // 20 of 300 pairs are known; the other rows are in both stores, in another order.
    let n = 300;
    let copies = RotatedCopies::new(n).n_features(24).noise(0.05).generate().unwrap();
    let links = copies.pairs(n, 0).unwrap();
    let mut known = Pairs::none(2);
    links.links()[..20].iter().for_each(|l| known.add(0, l.i, 1, l.j, 1.0).unwrap());
    let found = Bridge::new().curve(false).bridge(&copies.datasets, &known).unwrap();
    let report = &found.report;
    let further = &report.table[0];
    assert!(further.further_weight > 0.0 && report.further_pairs > 150, "{} {:?}", report.further_pairs, report.table);
    let alone = report.table.iter().filter(|t| t.further_weight == 0.0).filter_map(|t| t.recall_at_1).fold(0.0, f64::max);
    assert!(further.recall_at_1.unwrap() > alone, "{:?}", report.table);
    // The model is what its name says: the method, fitted to as many pairs.
    assert!(report.method.starts_with("lb.CCA(") && report.method.contains("weight_power"), "{}", report.method);
}

#[test]
fn few_pairs_are_left_to_self_training() {
    let data = stores(200, 0, 10, 0.01);
    let found = Bridge::new().bridge(&data, &Pairs::first_rows(2, 4)).unwrap();
    assert!(found.report.quality.is_none() && found.alignment.outcome().trust.is_some());
    assert!(found.report.verdict.contains("4 known pair(s)"), "{}", found.report.verdict);
}

#[test]
fn threads_change_nothing() {
    let data = stores(60, 60, 8, 0.1);
    let once = |threads| Bridge::new().n_jobs(threads).bridge(&data, &Pairs::first_rows(2, 60)).unwrap();
    let (one, two) = (once(1), once(2));
    assert_eq!(one.report, two.report);
    assert_eq!(one.alignment.to_bytes().unwrap(), two.alignment.to_bytes().unwrap());
}

#[test]
fn stores_that_cannot_be_bridged_are_refused_and_zero_rows_are_told() {
    let data = stores(40, 0, 6, 0.1);
    let three = [data[0].clone(), data[1].clone(), data[1].clone().renamed("third")];
    assert!(Bridge::new().bridge(&three, &Pairs::first_rows(3, 20)).is_err());
    assert!(Bridge::new().folds(Some(1)).bridge(&data, &Pairs::first_rows(2, 20)).is_err());
    let mut rows = Matrix::from_fn(40, 6, |i, j| ((i * 7 + j * j) % 11) as f64 - 5.0);
    rows.row_mut(30).fill(0.0);
    let old = Dataset::new("old", rows).unwrap();
    let found = Bridge::new().bridge(&[old, data[1].clone()], &Pairs::first_rows(2, 30)).unwrap();
    let told = |w: &Warning| matches!(w, Warning::ZeroRows { dataset, count: 1 } if dataset == "old");
    assert!(found.alignment.outcome().warnings.iter().any(told), "{:?}", found.alignment.outcome().warnings);
}

#[test]
fn pairs_that_are_given_again_are_not_further_evidence() {
    let data = stores(80, 60, 10, 0.1);
    let pairs = Pairs::first_rows(2, 60);
    let mut again = pairs.clone();
    pairs.links().iter().for_each(|l| again.add(l.a, l.i, l.b, l.j, 1.0).unwrap());
    let found = Bridge::new().bridge(&data, &again).unwrap();
    assert_eq!((found.report.pairs, found.report.quality.as_ref().unwrap().pairs), (60, 60));
    let told = |w: &Warning| matches!(w, Warning::RepeatedPairs { count: 60 });
    assert!(found.alignment.outcome().warnings.iter().any(told));
}
