//! Writes the page of a large alignment, and prints how long that took and what it needed:
//! `cargo run --release -p landbridge-report --example large -- 50000 20 large.html`.

use landbridge::data::{Dataset, Pairs};
use landbridge::embed::Unchanged;
use landbridge::linalg::Matrix;
use landbridge::method::ProcrustesAlignment;
use landbridge_report::Report;
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize, otherwise: usize| arguments.get(at).and_then(|a| a.parse().ok()).unwrap_or(otherwise);
    let (rows, columns) = (number(0, 50_000), number(1, 20));
    let path = arguments.get(2).cloned().unwrap_or_else(|| "large.html".into());

    let mut state = 7u64;
    let mut random = move || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as f64 / (1u64 << 31) as f64 - 0.5
    };
    // Groups of different sizes, seen twice with noise.
    let centres: Vec<Vec<f64>> = (0..30).map(|_| (0..columns).map(|_| 6.0 * random()).collect()).collect();
    let group: Vec<usize> = (0..rows).map(|i| (i * i / 7 + i / 3) % 30).collect();
    let first = Matrix::from_fn(rows, columns, |i, j| centres[group[i]][j] + random() + random());
    let second = Matrix::from_fn(rows, columns, |i, j| first[(i, j)] + 0.2 * random());
    let labels: Vec<String> = group.iter().map(|g| format!("group {g}")).collect();
    let datasets =
        [Dataset::new("first", first)?.with_labels(labels.clone())?, Dataset::new("second", second)?.with_labels(labels)?];
    let table: Vec<[i64; 2]> = (0..rows).step_by(rows.div_ceil(500)).map(|i| [i as i64; 2]).collect();
    let alignment = ProcrustesAlignment::new(Unchanged::new()).fit(&datasets, &Pairs::from_table(&table)?)?;

    let before = resident();
    let started = Instant::now();
    let page = Report::new(&alignment).datasets(&datasets).render()?;
    std::fs::write(&path, &page.html)?;
    println!(
        "{:.2} s, {:.2} MB, peak {:.0} MB beside the model",
        started.elapsed().as_secs_f64(),
        page.html.len() as f64 / 1e6,
        { peak() - before }
    );
    page.notes.iter().for_each(|note| println!("note: {note}"));
    Ok(())
}

/// Memory in MB, as Linux counts it; 0 elsewhere.
fn status(line: &str) -> f64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let found = text.lines().find(|l| l.starts_with(line)).and_then(|l| l.split_whitespace().nth(1)?.parse::<f64>().ok());
    found.unwrap_or(0.0) / 1000.0
}
fn resident() -> f64 {
    status("VmRSS")
}
fn peak() -> f64 {
    status("VmHWM")
}
