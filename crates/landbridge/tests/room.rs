//! What calls ask for before they work against what they take: `transform`, `predict`, `match`, `evaluate` and statistics.

mod counting;

use counting::{NOW, PEAK, dataset};
use landbridge::apply::matching::How;
use landbridge::data::{Dataset, Link, Pairs};
use landbridge::linalg::Matrix;
use landbridge::memory::asked;
use landbridge::method::Method;
use landbridge::model::Alignment;
use landbridge::params::{Given, Value};
use landbridge::registry;
use landbridge::statistics::{Landmarks, Statistics};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::sync::atomic::Ordering;

/// What threads and small arrays take, and what work below asks for nothing.
const SMALL: u64 = 6 << 20;

/// Runs a call, which asks for at least what it takes, and at most for twice that. What is wrong, in words.
fn apart<T>(what: &str, call: impl FnOnce() -> landbridge::Result<T>) -> Option<String> {
    asked();
    let before = NOW.load(Ordering::Relaxed);
    PEAK.store(before, Ordering::Relaxed);
    let done = call();
    let taken = (PEAK.load(Ordering::Relaxed) - before) as u64;
    let wanted = asked();
    if let Err(error) = done {
        // Some methods have no map or no new rows; those that ask for nothing of it take nothing of note.
        println!("{what}: {error}");
        return (taken > SMALL).then(|| format!("{what}: {taken} bytes before {error}"));
    }
    let told = format!("{what}: asked for {:.1} MB, took {:.1} MB", wanted as f64 / 1e6, taken as f64 / 1e6);
    println!("{told}");
    (taken > wanted + SMALL || wanted > 2 * taken + SMALL).then_some(told)
}

fn fitted(name: &str, data: &[Dataset], pairs: &Pairs, sparse: bool) -> Alignment {
    let schema = registry::methods().into_iter().find(|s| s.name == name).unwrap();
    let mut given: Given = vec![];
    if schema.param("n_components").is_some() {
        given.push(("n_components".into(), Value::Int(12)));
    }
    if schema.family == "two_step" {
        given.push(("embedding".into(), Value::Text(if sparse { "lsi" } else { "isomap" }.into())));
    }
    let method: Box<dyn Method> = registry::method(name, given).unwrap();
    method.fit_with(data, pairs, &landbridge::progress::Progress::silent()).unwrap()
}

/// One test, because the allocator counts for the whole program.
#[test]
fn what_is_asked_for_is_what_is_taken() {
    let mut wrong = vec![];
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let hidden = Matrix::from_fn(400, 6, |_, _| rng.random::<f64>() - 0.5);
    let many = Matrix::from_fn(20_000, 6, |_, _| rng.random::<f64>() - 0.5);
    for sparse in [false, true] {
        let data = [dataset("a", &hidden, 90, sparse, 4), dataset("b", &hidden, 120, sparse, 5)];
        let new = dataset("a", &many, 90, sparse, 4);
        let pairs = Pairs::first_rows(2, 120);
        if !sparse {
            // The first call of all starts the threads.
            fitted("cca", &data, &pairs, sparse).transform(new.rows(), 0).unwrap();
        }
        for schema in registry::methods() {
            if matches!(schema.name, "self_training") || (sparse && matches!(schema.name, "lamvu" | "sparse")) {
                continue;
            }
            let name = format!("{}{}", schema.name, if sparse { ", sparse" } else { "" });
            let model = fitted(schema.name, &data, &pairs, sparse);
            wrong.extend(apart(&format!("transform by {name}"), || model.transform(new.rows(), 0)));
            wrong.extend(apart(&format!("predict by {name}"), || model.predict(new.rows(), 0, 1)));
            wrong.extend(apart(&format!("match by {name}"), || {
                model.match_new(new.rows(), 0, 1, 20, How::Nearest, model.default_metric())
            }));
        }
    }
    // Rows that are compared: few and many pairs, labels.
    let labels: Vec<String> = (0..20_000).map(|i| format!("kind {}", i % 7)).collect();
    let named = |name: &str, p: usize| dataset(name, &many, p, false, 6).with_labels(labels.clone()).unwrap();
    let data = [named("a", 60), named("b", 50)];
    let model = fitted("cca", &data, &Pairs::first_rows(2, 5000), false);
    for count in [300, 20_000] {
        let truth: Vec<Link> = (0..count).map(|i| Link { a: 0, i, b: 1, j: i, weight: 1.0 }).collect();
        wrong.extend(apart(&format!("evaluate {count} pairs"), || model.evaluate(&truth, &[1, 10], None)));
    }
    // Sums: single precision, double precision, wide ranges, weights, landmarks, few columns.
    for (what, n, p, by) in
        [("uniform", 12_000, 300, 0), ("coarse", 9_000, 300, 1), ("wide", 3_000, 200, 2), ("few", 40_000, 12, 0)]
    {
        let value = |rng: &mut ChaCha8Rng| {
            let v = rng.random::<f64>() - 0.5;
            match by {
                0 => v,
                1 => (v * 1024.0).round(),
                _ => v * 10f64.powi(rng.random_range(-30..30)),
            }
        };
        let mut side = |name: &str, p: usize| Dataset::new(name, Matrix::from_fn(n, p, |_, _| value(&mut rng))).unwrap();
        let data = [side("a", p), side("b", p / 2)];
        let pairs = Pairs::first_rows(2, n);
        wrong.extend(apart(&format!("statistics, {what}"), || Statistics::of(&data, &pairs)?.to_bytes()));
        let near = Landmarks::of(&data, 200).unwrap();
        wrong.extend(apart(&format!("statistics, {what}, landmarks"), || {
            Statistics::of_shard_near("one", &data, &pairs, Some(&near), 0)?.to_bytes()
        }));
        let mut heavy = Pairs::none(2);
        (0..n).for_each(|i| heavy.add(0, i, 1, i, 0.1 + i as f64 / 7.0).unwrap());
        wrong.extend(apart(&format!("statistics, {what}, weights"), || Statistics::of(&data, &heavy)?.to_bytes()));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
