use super::*;
use crate::correspondence::{Judged, SelfTraining};
use crate::data::{Dataset, Pairs};
use crate::linalg::Matrix;
use crate::method::{Cca, InstanceAlignment, Method};
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Two noisy views of one skewed cloud; `both` rows are in both, the second set is shuffled. With the partner of each row.
fn views(n: usize, both: usize, noise: f64, seed: u64) -> (Vec<Dataset>, Vec<i64>) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut normal = move || (0..12).map(|_| rng.random_range(-0.5..0.5f64)).sum::<f64>();
    const D: usize = 12;
    let cloud = Matrix::from_fn(2 * n - both, D, |_, j| (normal().abs() + 0.3 * normal()) / (1.0 + j as f64).powf(0.5));
    let mut view = |first: usize, p: usize| {
        let turn = Matrix::from_fn(D, p, |_, _| normal());
        Matrix::from_fn(n, p, |i, c| (0..D).map(|k| cloud[(first + i, k)] * turn[(k, c)]).sum::<f64>() + noise * normal())
    };
    let (x, y) = (view(0, 25), view(n - both, 20));
    let mut order: Vec<usize> = (0..n).collect();
    order.shuffle(&mut ChaCha8Rng::seed_from_u64(seed + 1));
    let mut truth = vec![-1; n];
    for (j, &from) in order.iter().enumerate() {
        if from < both {
            truth[n - both + from] = j as i64;
        }
    }
    let data = vec![Dataset::new("x", x).unwrap(), Dataset::new("y", y.select_rows(&order)).unwrap()];
    (data, truth)
}

fn known(truth: &[i64], count: usize) -> Pairs {
    let mut pairs = Pairs::none(2);
    let rows: Vec<usize> = (0..truth.len()).filter(|&i| truth[i] >= 0).take(count).collect();
    rows.into_iter().for_each(|i| pairs.add(0, i, 1, truth[i] as usize, 1.0).unwrap());
    pairs
}

#[test]
fn rows_without_a_partner_are_told_from_the_others() {
    let (data, truth) = views(600, 400, 0.1, 1);
    for count in [20, 120] {
        let pairs = known(&truth, count);
        let a = Judged::new(Cca::new(12).ridge(Some(0.1))).fit_with(&data, &pairs, &Progress::silent()).unwrap();
        let found = a.match_confidence(0, 1).unwrap();
        assert_eq!(found.basis == Basis::KnownPairs, count >= ENOUGH);
        let given: BTreeSet<usize> = pairs.links().iter().map(|l| l.i).collect();
        let rest: Vec<usize> = (0..600).filter(|i| !given.contains(i)).collect();
        let sure: Vec<usize> = rest.iter().copied().filter(|&i| found.confidence[i] >= 0.9).collect();
        let right = sure.iter().filter(|&&i| found.targets[i] == truth[i]).count();
        let all = rest.iter().filter(|&&i| truth[i] >= 0 && found.targets[i] == truth[i]).count();
        assert!(right as f64 >= 0.95 * sure.len() as f64, "{count}: {right} of {}", sure.len());
        assert!(right as f64 >= 0.6 * all as f64, "{count}: {right} kept of {all}");
        let alone = (0..600).filter(|&i| truth[i] < 0 && found.confidence[i] >= 0.9).count();
        assert!(alone <= 10, "{count}: {alone} of 200 rows without a partner");
        let mean = rest.iter().map(|&i| found.confidence[i]).sum::<f64>();
        // Known pairs all have a partner, so a correction by them is bold where a third of the rows has none.
        let tolerance = if count >= ENOUGH { 0.15 } else { 0.1 };
        assert!((mean - all as f64).abs() < tolerance * rest.len() as f64, "{count}: {mean} and {all}");
        assert!(given.iter().all(|&i| found.confidence[i] == 1.0 && found.targets[i] == truth[i]));
        let (value, low, high) = found.shared;
        assert!(low <= value && value <= high && (found.expected_right / 600.0 - value).abs() < 1e-12);
        assert!(found.summary(0.9).contains("of 600 rows have a partner with chance >= 0.9"), "{}", found.summary(0.9));
    }
}

#[test]
fn the_same_on_any_number_of_threads_and_in_any_direction() {
    let (data, truth) = views(300, 300, 0.1, 2);
    let a = Judged::new(Cca::new(10)).fit_with(&data, &known(&truth, 40), &Progress::silent()).unwrap();
    let on = |count: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(count).build().unwrap();
        pool.install(|| a.judged_matches(None, 0, 1, &Progress::silent()).unwrap())
    };
    let (one, three) = (on(1), on(3));
    assert_eq!(one, three);
    let back = a.match_confidence(1, 0).unwrap();
    let agree = (0..300).filter(|&i| back.targets[one.targets[i] as usize] == i as i64).count();
    assert!(agree > 250, "{agree}");
    assert!((one.expected_right - back.expected_right).abs() < 30.0, "{} {}", one.expected_right, back.expected_right);
}

#[test]
fn given_matches_are_judged_and_wrong_ones_refused() {
    let (data, truth) = views(300, 300, 0.05, 3);
    let a = Judged::new(Cca::new(10)).fit_with(&data, &known(&truth, 40), &Progress::silent()).unwrap();
    let best = a.match_confidence(0, 1).unwrap();
    // Every fifth match is exchanged for another row.
    let mut given = best.targets.clone();
    (0..300).step_by(5).for_each(|i| given[i] = (given[i] + 7) % 300);
    given[299] = -1;
    let found = a.match_confidence_with(Some(&given), 0, 1, &Progress::silent()).unwrap();
    assert_eq!(found.targets, given);
    assert!((0..300).step_by(5).all(|i| found.confidence[i] <= 0.5), "a wrong match is believed");
    let kept = (40..299).filter(|i| i % 5 != 0 && found.confidence[*i] >= 0.9).count();
    assert!(kept > 100 && found.confidence[299] == 0.0, "{kept}");
    assert!(a.match_confidence_with(Some(&given[1..]), 0, 1, &Progress::silent()).is_err());
    given[0] = 300;
    assert!(a.match_confidence_with(Some(&given), 0, 1, &Progress::silent()).unwrap_err().to_string().contains("matches is 300"));
}

#[test]
fn a_choice_of_matches_has_the_chances_that_they_have_among_all() {
    let (data, truth) = views(600, 300, 0.1, 7);
    let a = Judged::new(Cca::new(12).ridge(Some(0.1))).fit_with(&data, &known(&truth, 30), &Progress::silent()).unwrap();
    let all = a.match_confidence(0, 1).unwrap();
    // Only rows that nearly choose each other: of a choice more wrong ones lead.
    let back = a.match_confidence(1, 0).unwrap();
    let mutual = |i: usize| back.targets[all.targets[i] as usize] == i as i64;
    let given: Vec<i64> = (0..600).map(|i| if mutual(i) { all.targets[i] } else { -1 }).collect();
    let found = a.match_confidence_with(Some(&given), 0, 1, &Progress::silent()).unwrap();
    assert!((30..600).filter(|&i| given[i] < 0).all(|i| found.confidence[i] == 0.0));
    let chosen: Vec<usize> = (30..600).filter(|&i| given[i] >= 0).collect();
    assert!(chosen.len() > 200 && chosen.len() < 550, "{}", chosen.len());
    assert!(chosen.iter().all(|&i| found.confidence[i] == all.confidence[i]));
}

#[test]
fn the_verdict_comes_first() {
    let (data, _) = views(200, 200, 0.1, 4);
    let (other, _) = views(200, 200, 0.1, 99);
    // Unrelated sets: the fit is not trusted, and nothing is believed.
    let unrelated = [data[0].clone(), other[1].clone()];
    let a = SelfTraining::new().max_runs(2).fit(&unrelated, &Pairs::none(2)).unwrap();
    if !a.outcome().trust.as_ref().unwrap().trusted {
        let found = a.match_confidence(0, 1).unwrap();
        assert!(matches!(&found.basis, Basis::Refused(why) if why.contains("do not trust")), "{:?}", found.basis);
        assert!(found.confidence.iter().all(|p| *p == 0.0) && found.summary(0.9).contains("no match is confident"));
    }
    // Shuffled pairs, judged or not.
    let mut wrong = Pairs::none(2);
    (0..60).for_each(|i| wrong.add(0, i, 1, (i * 37 + 11) % 200, 1.0).unwrap());
    let judged = Judged::new(Cca::new(10)).fit_with(&data, &wrong, &Progress::silent()).unwrap();
    assert!(judged.match_confidence(0, 1).unwrap().confidence.iter().all(|p| *p == 0.0));
    let why = Cca::new(10).fit(&data, &wrong).unwrap().match_confidence(0, 1).unwrap_err().to_string();
    assert!(why.contains("no verdict"), "{why}");
    // All directions are kept, so that held-out pairs can judge: they refuse.
    let full = Cca::new(20).ridge(Some(0.1)).fit(&data, &wrong).unwrap().match_confidence(0, 1).unwrap();
    assert!(matches!(&full.basis, Basis::Refused(why) if why.contains("of 60 known pairs, ")), "{:?}", full.basis);
    // Nor do pairs confirm themselves through the matches of a fit that was made from them.
    let found = SelfTraining::new().max_runs(2).fit(&unrelated, &wrong).unwrap();
    if !found.outcome().trust.as_ref().unwrap().trusted {
        let found = found.match_confidence(0, 1).unwrap();
        assert!(matches!(found.basis, Basis::Refused(_)) && found.count(0.1) == 0, "{:?}", found.basis);
    }
}

#[test]
fn what_is_not_defined_says_why() {
    let (data, truth) = views(60, 60, 0.1, 5);
    let pairs = known(&truth, 20);
    let told = |a: Alignment| a.match_confidence(0, 1).unwrap_err().to_string();
    let places = told(InstanceAlignment::new(3).fit_with(&data, &pairs, &Progress::silent()).unwrap());
    assert!(places.contains("no maps"), "{places}");
    let cca = Judged::new(Cca::new(5)).fit_with(&data, &pairs, &Progress::silent()).unwrap();
    assert!(told(cca.without_rows().unwrap()).contains("without its fitted rows"));
    assert!(cca.match_confidence(0, 0).unwrap_err().to_string().contains("both"));
    let few: Vec<Dataset> =
        data.iter().map(|d| Dataset::new(d.name(), d.rows().select(&(0..10).collect::<Vec<_>>())).unwrap()).collect();
    let mut own = Pairs::none(2);
    (0..6).for_each(|i| own.add(0, i, 1, i, 1.0).unwrap());
    assert!(told(Cca::new(2).fit(&few, &own).unwrap()).contains("10"));
}
