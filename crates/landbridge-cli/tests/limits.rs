//! Limits of memory: what fits under `ulimit -v` finishes, what does not is refused before it begins, and nothing aborts.
#![cfg(target_os = "linux")]

mod common;

use common::{BINARY, Folder, Numbers, npy};
use std::process::{Command, Output};

/// Runs a command whose addresses are limited to that many bytes.
fn under(folder: &Folder, limit: u64, args: &[&str]) -> Output {
    let line = format!("ulimit -v {} && exec \"$0\" \"$@\"", limit / 1024);
    Command::new("sh").current_dir(folder.dir.path()).args(["-c", &line, BINARY]).args(args).output().unwrap()
}

/// Addresses that the program has mapped before it reads any data: its code, the stacks and heaps of its threads. A plan tells what
/// comes on top.
const PROGRAM: u64 = 420 << 20;

fn with_numbers(rows: usize, columns: usize) -> Folder {
    let folder = Folder::empty();
    let mut numbers = Numbers(9);
    for name in ["a.npy", "b.npy"] {
        let values: Vec<f64> = (0..rows * columns).map(|_| numbers.below(1 << 20) as f64 / f64::from(1 << 20)).collect();
        folder.write(name, npy(&format!("({rows}, {columns})"), &values));
    }
    folder.write("pairs.csv", (0..rows / 4).map(|i| format!("{i},{i}\n")).collect::<String>());
    folder
}

fn planned(folder: &Folder, fit: &str) -> u64 {
    let said = folder.say(format!("{fit} --plan --json")).succeeded();
    said.json()["peak_bytes"].as_u64().unwrap()
}

#[test]
fn a_fit_within_its_plan_finishes_and_one_beyond_it_is_refused() {
    for (fit, rows, columns) in [
        ("fit global --level instance -d 5 --pairs pairs.csv a.npy b.npy", 4000, 20),
        ("fit cca -d 20 --pairs pairs.csv a.npy b.npy", 40_000, 120),
        ("fit instance -d 10 --pairs pairs.csv a.npy b.npy", 9_000, 60),
    ] {
        let folder = with_numbers(rows, columns);
        let peak = planned(&folder, fit);
        let args: Vec<&str> = fit.split(' ').chain(["-o", "m.lb", "--quiet", "--n-jobs", "2"]).collect();
        let less = under(&folder, PROGRAM / 4 + peak / 10 * 7, &args);
        let words = String::from_utf8_lossy(&less.stderr);
        assert_eq!(less.status.code(), Some(1), "{fit} at 0.7 of {peak}: {words}");
        assert!(words.contains("of memory, and it may take") || words.contains("out of memory"), "{words}");
        assert!(!folder.path("m.lb").exists());
        let more = under(&folder, PROGRAM + peak / 10 * 11, &args);
        let words = String::from_utf8_lossy(&more.stderr);
        assert_eq!(more.status.code(), Some(0), "{fit} at 1.1 of {peak}: {words}");
    }
}

#[test]
fn every_command_ends_with_a_message_however_little_it_may_take() {
    let folder = Folder::with_model();
    folder.say("stats a.csv b.csv --names a,b --label-column kind --pairs pairs.csv -o s.stats --quiet").succeeded();
    let commands = [
        "fit linear -d 2 --pairs pairs.csv --label-column kind a.csv b.csv -o o.lb",
        "transform m.lb a.csv --dataset a --label-column kind -o o.csv",
        "match m.lb --from a --to b -o o.csv",
        "report m.lb -o o.html",
        "plot m.lb -o o.svg",
        "stats a.csv b.csv --names a,b --label-column kind --pairs pairs.csv -o o.stats",
        "merge s.stats -o o.stats",
        "solve cca s.stats -d 1 -o o.lb",
        "evaluate m.lb --truth truth.csv",
        "align a.csv b.csv --label-column kind --pairs pairs.csv -o o.lb",
    ];
    // The least with which the program starts at all; below it the loader of the system ends the process.
    let starts = |limit: u64| under(&folder, limit, &["--version"]).status.code() == Some(0);
    let least = (4..200).map(|mb| mb << 20).find(|limit| starts(*limit)).unwrap();
    let (mut refused, mut finished) = (0, 0);
    for command in commands {
        let args: Vec<&str> = command.split(' ').chain(["--quiet"]).collect();
        for more in [0, 1, 2, 4, 8, 16, 32, 64, 128] {
            let done = under(&folder, least + (more << 20), &args);
            let words = String::from_utf8_lossy(&done.stderr);
            let fine = match done.status.code() {
                Some(0 | 3) => true,
                Some(1) => words.contains("error:"),
                _ => false,
            };
            assert!(fine && !words.contains("a bug in landbridge"), "{command} with {more} MB: {:?} {words}", done.status);
            if done.status.success() { finished += 1 } else { refused += 1 }
        }
    }
    println!("{finished} finished, {refused} refused");
    assert!(finished > 10 && refused > 0, "{finished} finished, {refused} refused");
}
