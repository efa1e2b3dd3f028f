//! Measures what fits cost: the peak of memory beyond the data, and CPU seconds, over a grid of sizes. One line of JSON per fit.
//!
//! `cargo run --release -p landbridge --example costs [METHOD ...] > costs.jsonl`; `benchmarks/costs.py` turns the lines into the
//! table of `choose/costs.txt`.

use landbridge::data::{Dataset, Pairs};
use landbridge::linalg::Matrix;
use landbridge::params::{Given, Value};
use landbridge::registry;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::sync::atomic::Ordering;

#[path = "../tests/counting/mod.rs"]
mod counting;

use counting::{NOW, PEAK, dataset};

/// CPU seconds of this process so far.
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks = |at: usize| fields.get(at).and_then(|t| t.parse::<f64>().ok()).unwrap_or(0.0);
    (ticks(11) + ticks(12)) / 100.0
}

/// What is measured: the name in the table of costs, the method, and the words that it is given.
type Variant = (String, &'static str, Vec<(&'static str, &'static str)>);

fn variants() -> Vec<Variant> {
    let mut out = vec![];
    for schema in registry::methods() {
        let of = |parameter: &'static str, words: &[&'static str]| {
            words.iter().map(|w| (format!("{}+{w}", schema.name), schema.name, vec![(parameter, *w)])).collect::<Vec<_>>()
        };
        out.extend(match schema.name {
            // Both two-step methods cost what their embeddings cost.
            "affine" => continue,
            "procrustes" => of("embedding", &["none", "pca", "lsi", "laplacian", "lpp", "diffusion", "isomap", "lle"]),
            "global" | "sparse" | "multiscale" => of("level", &["feature", "instance"]),
            name => vec![(name.to_string(), name, vec![])],
        });
    }
    out
}

fn main() {
    let asked: Vec<String> = std::env::args().skip(1).collect();
    let grid = [
        // rows, columns, sparse, dimension, neighbours, pairs
        (500, 20, false, 10, 10, 100),
        (500, 300, false, 10, 10, 200),
        (1000, 100, false, 30, 10, 300),
        (2000, 20, false, 10, 10, 100),
        (2000, 20, false, 15, 30, 1000),
        (2000, 200, false, 50, 10, 500),
        (2000, 1000, false, 100, 10, 1000),
        (4000, 100, false, 20, 15, 500),
        (6000, 50, false, 20, 10, 500),
        (6000, 400, false, 20, 10, 2000),
        (20000, 50, false, 10, 10, 1000),
        // Many rows and pairs, for what grows with neither squared.
        (60000, 40, false, 10, 10, 30000),
        (120000, 16, false, 5, 10, 100000),
        (30000, 128, false, 30, 10, 30000),
        (500, 1000, true, 10, 10, 200),
        (1000, 3000, true, 20, 10, 300),
        (2000, 2000, true, 50, 10, 500),
        (2000, 6000, true, 50, 10, 500),
        (4000, 1000, true, 30, 15, 1000),
        (6000, 2000, true, 100, 10, 2000),
    ];
    for (key, name, words) in variants() {
        let Ok(schema) = registry::schema(name) else { continue };
        if !asked.is_empty() && !asked.contains(&key) {
            continue;
        }
        for (n, p, sparse, d, k, l) in grid {
            // What would take minutes or gigabytes is left out.
            let quadratic = matches!(name, "global" | "lamvu" | "multiscale") || key.ends_with("isomap");
            let slow = matches!(name, "lamvu" | "multiscale");
            let maps =
                matches!(name, "cca" | "linear_transform" | "mean_votes" | "popular_votes" | "instance" | "linear" | "cle")
                    || ["procrustes+none", "procrustes+pca", "procrustes+lsi"].contains(&key.as_str());
            let too_much = (quadratic && n > 4000)
                || (n > 20000 && !maps)
                || (slow && (n > 2000 || p > 2000 || l > 500))
                || (key == "sparse+feature" && sparse && n * p > 4_000_000)
                || (key == "procrustes+none" && sparse)
                || (name == "self_training" && n > 4000);
            if too_much {
                continue;
            }
            let mut rng = ChaCha8Rng::seed_from_u64(7);
            let hidden = Matrix::from_fn(n, 8, |_, _| rng.random::<f64>() - 0.5);
            let data = [dataset("a", &hidden, p, sparse, 1), dataset("b", &hidden, p + p / 2, sparse, 2)];
            let pairs = Pairs::first_rows(2, l.min(n));
            let mut given: Given = vec![];
            if schema.param("n_components").is_some() {
                given.push(("n_components".into(), Value::Int(d)));
            }
            if schema.param("n_neighbors").is_some_and(|p| p.only_for.is_empty()) {
                given.push(("n_neighbors".into(), Value::Int(k)));
            }
            given.extend(words.iter().map(|(name, word)| ((*name).to_string(), Value::Text((*word).into()))));
            if words.contains(&("embedding", "none")) {
                given.retain(|(name, _)| name != "n_components" && name != "n_neighbors");
            }
            let Ok(method) = registry::method(schema.name, given) else { continue };
            let stored: usize = data
                .iter()
                .map(|d| match d.rows() {
                    landbridge::data::Rows::Sparse(m) => m.values().len(),
                    dense => dense.nrows() * dense.ncols(),
                })
                .sum();
            let before = NOW.load(Ordering::Relaxed);
            PEAK.store(before, Ordering::Relaxed);
            let (started, cpu) = (std::time::Instant::now(), cpu_seconds());
            // Another thread writes down the bytes in use, so that every stage has its peak.
            let done = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
            let stop = done.clone();
            let watcher = std::thread::spawn(move || {
                let mut seen: Vec<(f64, usize)> = Vec::with_capacity(1 << 16);
                while !stop.load(Ordering::Relaxed) {
                    if seen.len() < seen.capacity() {
                        seen.push((started.elapsed().as_secs_f64(), NOW.load(Ordering::Relaxed)));
                    }
                    std::thread::sleep(std::time::Duration::from_micros(if seen.len() < 4096 { 500 } else { 20_000 }));
                }
                seen
            });
            let watching = NOW.load(Ordering::Relaxed) - before;
            PEAK.store(NOW.load(Ordering::Relaxed), Ordering::Relaxed);
            let fitted = method.fit_with(&data, &pairs, &landbridge::progress::Progress::silent());
            let (wall, cpu) = (started.elapsed().as_secs_f64(), cpu_seconds() - cpu);
            let peak = PEAK.load(Ordering::Relaxed).saturating_sub(before + watching.max(1 << 20));
            done.store(true, Ordering::Relaxed);
            let seen = watcher.join().unwrap();
            let (mut stages, mut from) = (vec![], 0.0);
            for stage in fitted.as_ref().map(|f| f.outcome().seconds.clone()).unwrap_or_default() {
                let to = from + stage.seconds;
                let within =
                    seen.iter().filter(|(t, _)| *t >= from && *t <= to).map(|(_, b)| b.saturating_sub(before + watching)).max();
                stages.push(serde_json::json!([stage.name, stage.seconds, within]));
                from = to;
            }
            let error = fitted.err().map(|e| e.to_string());
            println!(
                "{}",
                serde_json::json!({"method": key, "n": n, "p": p, "columns": data.iter().map(Dataset::ncols).collect::<Vec<_>>(),
                    "sparse": sparse, "d": d, "k": k, "l": l.min(n), "stored": stored, "peak": peak, "wall": wall, "cpu": cpu,
                    "stages": stages, "error": error})
            );
        }
    }
}
