//! What a plan predicts against what a fit takes.

mod counting;

use counting::{NOW, PEAK, dataset};
use landbridge::choose::{Limit, Plan, Sizes, fit_within};
use landbridge::data::{Dataset, Pairs};
use landbridge::linalg::Matrix;
use landbridge::method::Method;
use landbridge::params::{Given, Value};
use landbridge::progress::Progress;
use landbridge::registry;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::sync::atomic::Ordering;

/// A plan need not know the few megabytes that threads and small arrays take.
const SMALL: f64 = 8e6;

/// One test, because the allocator counts for the whole program.
#[test]
fn predicted_memory_is_within_a_factor_of_one_and_a_half() {
    let mut wrong = vec![];
    for (n, p, sparse, d, l) in [
        (800, 60, false, 12, 150),
        (1500, 240, false, 25, 300),
        (3000, 80, false, 15, 400),
        (1500, 1500, true, 25, 400),
        (80_000, 30, false, 10, 50_000),
    ] {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let hidden = Matrix::from_fn(n, 8, |_, _| rng.random::<f64>() - 0.5);
        let data = [dataset("a", &hidden, p, sparse, 4), dataset("b", &hidden, p + p / 3, sparse, 5)];
        let pairs = Pairs::first_rows(2, l);
        for schema in registry::methods() {
            // Minutes at this size.
            if matches!(schema.name, "lamvu" | "multiscale" | "self_training") && n > 800 || (schema.name == "sparse" && sparse) {
                continue;
            }
            // Of many rows and pairs, only what takes no graph.
            if n > 10_000 && !matches!(schema.name, "cca" | "linear_transform" | "procrustes" | "mean_votes" | "popular_votes") {
                continue;
            }
            let mut given: Given = vec![];
            if schema.param("n_components").is_some() {
                given.push(("n_components".into(), Value::Int(d)));
            }
            if schema.family == "two_step" {
                given.push(("embedding".into(), Value::Text(if sparse { "lsi" } else { "pca" }.into())));
            }
            let method = registry::method(schema.name, given).unwrap();
            wrong.extend(apart(&*method, &data, &pairs));
        }
    }
    for (n, genes, peaks) in [(1500, 1200, 5000), (3000, 2500, 12_000)] {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let hidden = Matrix::from_fn(n, 8, |_, _| rng.random::<f64>() - 0.5);
        let named = |name: &str, p: usize, of: &dyn Fn(usize) -> String| {
            dataset(name, &hidden, p, true, p as u64).with_columns((0..p).map(of).collect()).unwrap()
        };
        let data = [
            named("rna", genes, &|j| format!("GENE{j}")),
            named("atac", peaks, &|j| format!("chr1:{}-{}", 500 * j, 500 * j + 400)),
        ];
        let pairs = Pairs::first_rows(2, n / 4);
        for name in ["cca", "linear"] {
            let method = registry::method(name, vec![("n_components".into(), Value::Int(20))]).unwrap();
            assert!(Plan::new(&*method, &Sizes::of(&data, &pairs)).notes[0].contains("50 principal directions"));
            wrong.extend(apart(&*method, &data, &pairs));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What a plan says and what the fit takes, if they are apart.
fn apart(method: &dyn Method, data: &[Dataset], pairs: &Pairs) -> Option<String> {
    let sizes = Sizes::of(data, pairs);
    let plan = Plan::new(method, &sizes);
    let before = NOW.load(Ordering::Relaxed);
    PEAK.store(before, Ordering::Relaxed);
    // A method may not take such data.
    fit_within(method, data, pairs, Limit::Bytes(u64::MAX), &Progress::silent()).ok()?;
    let taken = (PEAK.load(Ordering::Relaxed) - before) as u64 + sizes.bytes;
    let ratio = (plan.peak_bytes as f64 + SMALL) / (taken as f64 + SMALL);
    let (name, shapes) = (method.schema().name, &plan.shapes);
    let megabytes = |bytes: u64| bytes as f64 / 1e6;
    let told = format!("{name} {shapes:?}: predicted {:.1} MB, took {:.1} MB", megabytes(plan.peak_bytes), megabytes(taken));
    println!("{told}");
    (!(1.0 / 1.5..1.5).contains(&ratio)).then_some(told)
}
