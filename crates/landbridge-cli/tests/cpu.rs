//! The instruction sets that kernels are compiled for, forced one after the other by `LANDBRIDGE_CPU`: the same result within rounding,
//! and the same bytes where that is promised.
#![cfg(target_arch = "x86_64")]

mod common;

use common::{BINARY, Folder, Numbers, npy};
use landbridge::linalg::CpuLevel;
use landbridge::model::Alignment;
use landbridge::registry;
use landbridge_io::load_model;
use std::process::Command;

/// How far distances between rows may move from one instruction set to another, in units of the largest.
const BOUND: f64 = 1e-9;

/// Runs a command with kernels of this level, and returns its exit code and its words.
fn on(level: &str, folder: &Folder, line: &str) -> (Option<i32>, String) {
    let mut command = Command::new(BINARY);
    command.current_dir(folder.dir.path()).env("LANDBRIDGE_CPU", level).args(line.split_whitespace());
    let done = command.output().unwrap();
    (done.status.code(), String::from_utf8_lossy(&done.stderr).into_owned())
}

fn fine(level: &str, folder: &Folder, line: &str) {
    let (code, words) = on(level, folder, line);
    assert_eq!(code, Some(0), "LANDBRIDGE_CPU={level} landbridge {line}: {words}");
}

/// The levels of this processor; tells of those that it lacks.
fn levels() -> Vec<&'static str> {
    let (found, missing): (Vec<CpuLevel>, Vec<CpuLevel>) = CpuLevel::ALL.into_iter().partition(|l| l.is_available());
    missing.iter().for_each(|level| println!("this processor does not have {}", level.name()));
    found.into_iter().map(CpuLevel::name).collect()
}

/// Two noisy views of one curved sheet of that many rows, and pairs of half of them.
fn with_sheets(rows: usize) -> Folder {
    let (folder, mut numbers) = (Folder::empty(), Numbers(29));
    let mut uniform = || numbers.below(1 << 20) as f64 / f64::from(1 << 20);
    let places: Vec<[f64; 2]> = (0..rows).map(|_| [3.0 * uniform(), uniform()]).collect();
    for (name, p, turn) in [("a.npy", 21, 0.3), ("b.npy", 17, 1.1)] {
        let value =
            |i: usize, j: usize| (places[i][0] * (j as f64 * 0.4 + turn)).sin() + places[i][1] * ((j * j) as f64 + turn).cos();
        let values: Vec<f64> = (0..rows * p).map(|at| value(at / p, at % p) + 0.02 * uniform()).collect();
        folder.write(name, npy(&format!("({rows}, {p})"), &values));
    }
    folder.write("pairs.csv", (0..rows).step_by(2).map(|i| format!("{i},{i}\n")).collect::<String>());
    folder
}

/// Distances between the rows of the two datasets, in units of the largest: they do not depend on signs.
fn distances(model: &Alignment) -> Vec<f64> {
    let (x, y) = (model.embedding(0), model.embedding(1));
    let one = |i: usize, j: usize| x.row(i).iter().zip(y.row(j)).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
    let all: Vec<f64> = (0..x.nrows() * y.nrows()).map(|at| one(at / y.nrows(), at % y.nrows())).collect();
    let largest = all.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
    all.iter().map(|d| d / largest).collect()
}

/// Fits a method on every level, and returns how far the distances are from those of scalar kernels. AVX2 and AVX-512 round alike: their
/// models have the same bytes.
fn apart(folder: &Folder, fit: &str, levels: &[&str]) -> f64 {
    let mut models = vec![];
    for level in levels {
        fine(level, folder, &format!("fit {fit} --pairs pairs.csv a.npy b.npy -o {level}.lb --quiet"));
        models.push((folder.read(&format!("{level}.lb")), distances(&load_model(folder.path(&format!("{level}.lb"))).unwrap())));
    }
    for pair in models[1..].windows(2) {
        assert!(pair[0].0 == pair[1].0, "{fit}: other bytes with AVX2 than with AVX-512");
    }
    let far = |other: &[f64]| other.iter().zip(&models[0].1).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    models.iter().map(|m| far(&m.1)).fold(0.0, |worst, far| if far.is_nan() { f64::INFINITY } else { worst.max(far) })
}

#[test]
fn every_method_gives_the_same_places_on_every_instruction_set() {
    let (folder, levels) = (with_sheets(150), levels());
    for schema in registry::methods() {
        let size = if schema.param("n_components").is_some() { "--n-components 2" } else { "" };
        let found = apart(&folder, &format!("{} {size}", schema.name.replace('_', "-")), &levels);
        println!("{}: distances move by {found:.1e}", schema.name);
        assert!(found <= BOUND, "{}: a distance moves by {found:.1e}", schema.name);
    }
}

/// On more rows the solvers are iterative, and most of their time is in kernels that round otherwise without FMA.
#[test]
fn large_fits_give_the_same_places_on_every_instruction_set() {
    let (folder, levels) = (with_sheets(3000), levels());
    let mut worst = 0.0f64;
    for fit in ["linear", "cca", "instance", "sparse", "procrustes", "affine", "cle", "clle"] {
        let found = apart(&folder, &format!("{fit} -d 3"), &levels);
        println!("{fit}: distances move by {found:.1e}");
        assert!(found <= BOUND, "{fit}: a distance moves by {found:.1e}");
        worst = worst.max(found);
    }
    // Else the variable would have changed nothing.
    assert!(worst > 0.0 || levels.len() == 1, "scalar kernels round as those with FMA");
}

/// Neighbours are certified and measured in one order of additions, shortest paths are minima of the same sums, and statistics are exact.
#[test]
fn matches_paths_and_statistics_have_the_same_bytes_on_every_instruction_set() {
    let (folder, levels) = (with_sheets(150), levels());
    fine("scalar", &folder, "fit cca -d 3 --pairs pairs.csv a.npy b.npy -o m.lb --quiet");
    for (line, output) in [
        ("match m.lb --from a --to b -k 7 -o out.csv", "out.csv"),
        ("match m.lb --from a --to b -k 7 --how csls --metric cosine -o out.csv", "out.csv"),
        ("embed isomap -d 2 a.npy -o out.npy", "out.npy"),
        ("stats a.npy b.npy --pairs pairs.csv -o out.stats", "out.stats"),
    ] {
        let mut first = None;
        for level in &levels {
            fine(level, &folder, &format!("{line} --quiet"));
            let bytes = folder.read(output);
            assert!(*first.get_or_insert(bytes.clone()) == bytes, "{line}: other bytes with {level}");
        }
    }
}

#[test]
fn a_word_that_is_not_a_level_is_refused() {
    let folder = Folder::with_data();
    for (value, message) in [
        ("sse9", "LANDBRIDGE_CPU is \"sse9\"; it must be scalar, avx2 or avx512"),
        ("AVX2", "LANDBRIDGE_CPU is \"AVX2\"; it must be scalar, avx2 or avx512"),
    ] {
        for line in [common::FIT, "inspect a.csv", "embed pca -d 1 a.csv --label-column kind"] {
            let (code, words) = on(value, &folder, line);
            assert_eq!(code, Some(2), "{words}");
            assert!(words.contains(message), "{words}");
        }
    }
    assert!(!folder.path("m.lb").exists());
    // Empty means not set.
    fine("", &folder, common::FIT);
}
