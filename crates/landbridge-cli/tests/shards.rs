//! `stats`, `merge` and `solve` against `fit` of all rows in one place.

mod common;

use common::Folder;
use std::fmt::Write as _;

/// Shards of two datasets with ids: as files `a0.csv` and `b0.csv` to `a4.csv` and `b4.csv`, and whole.
fn sharded() -> Folder {
    let folder = Folder::empty();
    let (head_a, head_b) = ("id,x,y,z\n", "id,u,v\n");
    let (mut all_a, mut all_b) = (String::from(head_a), String::from(head_b));
    for shard in 0..5 {
        let (mut a, mut b) = (String::new(), String::new());
        for i in (0..60).filter(|i| i % 5 == shard) {
            let (t, u) = ((0.31 * i as f64).sin(), (0.17 * i as f64).cos());
            writeln!(a, "r{i},{},{},{}", t + 2.0, u, (i % 7) as f64 * 0.1).unwrap();
            writeln!(b, "r{i},{},{}", 3.0 * t - u, u * t + 0.01 * (i % 3) as f64).unwrap();
        }
        folder.write(&format!("a{shard}.csv"), format!("{head_a}{a}"));
        // The partners stand in another order.
        let turned: String = b.lines().rev().map(|line| format!("{line}\n")).collect();
        folder.write(&format!("b{shard}.csv"), format!("{head_b}{turned}"));
        all_a += &a;
        all_b += &b;
    }
    folder.write("a.csv", all_a);
    folder.write("b.csv", all_b);
    folder
}

fn stats(folder: &Folder) {
    for shard in 0..5 {
        folder.say(format!("stats a{shard}.csv b{shard}.csv --names a,b -o s{shard}.stats")).succeeded();
    }
}

fn numbers(text: &str) -> Vec<f64> {
    text.lines().skip(1).flat_map(|line| line.split(',').skip(1)).map(|cell| cell.parse().unwrap()).collect()
}

#[test]
fn shards_are_solved_as_the_whole_is_fitted() {
    let folder = sharded();
    stats(&folder);
    let merged =
        folder.say("merge s0.stats s1.stats s2.stats s3.stats s4.stats --expect 5 -o all.stats --json").succeeded().json();
    assert_eq!((merged["pairs"].as_u64(), merged["shards"].as_array().map(Vec::len)), (Some(60), Some(5)));
    folder.say("merge s3.stats s1.stats -o some.stats").succeeded();
    folder.say("merge s4.stats some.stats s0.stats s2.stats -o again.stats").succeeded();
    assert_eq!(folder.read("all.stats"), folder.read("again.stats"));
    for (method, solve) in
        [("cca -d 2 --ridge 0.1", ""), ("linear-transform --ridge 0.1", ""), ("procrustes", "--embedding none")]
    {
        let said = folder.say(format!("solve {method} all.stats -o m.lb --json")).succeeded().json();
        assert_eq!((said["shards"].as_u64(), said["datasets"][0]["rows"].as_u64()), (Some(5), Some(0)));
        folder.say(format!("fit {method} {solve} --pairs-by-id a.csv b.csv -o whole.lb --map-only")).succeeded();
        for (dataset, file) in [("a", "a.csv"), ("b", "b.csv")] {
            let place =
                |model: &str| numbers(&folder.say(format!("transform {model} {file} --dataset {dataset}")).succeeded().out);
            let (solved, fitted) = (place("m.lb"), place("whole.lb"));
            assert_eq!(solved.len(), fitted.len());
            let off = solved.iter().zip(&fitted).fold(0.0f64, |m, (a, b)| m.max((a - b).abs()));
            assert!(off < 1e-10, "{method} {dataset}: {off:e}");
        }
    }
}

#[test]
fn bad_shards_and_wrong_calls_are_refused() {
    let folder = sharded();
    stats(&folder);
    folder.write("copy.stats", folder.read("s0.stats"));
    let twice = "shard \"copy.stats\" has the rows and pairs of \"s0.stats\", so that they would count twice";
    folder.say("merge s0.stats s1.stats copy.stats -o all.stats").failed(1, twice);
    folder.say("merge s0.stats s1.stats --expect 5 -o all.stats").failed(2, "5 shards are expected, and 2 shards are here");
    folder.write("list.txt", "s0.stats\ns1.stats\ns2.stats\n");
    folder.say("merge s0.stats s1.stats --expect-files list.txt -o all.stats").failed(2, "1 shard is missing: s2.stats");
    folder.say("stats a0.csv b1.csv --names a,c -o t.stats").succeeded();
    folder.say("merge s0.stats t.stats -o all.stats").failed(1, "its dataset is called \"c\", not \"b\"");
    folder.say("merge a0.csv -o all.stats").failed(1, "a0.csv: not landbridge statistics");
    // The same rows in another order, and with fewer digits: the ids are the same.
    let turned = |name: &str, digits: usize| {
        let text = folder.text(name);
        let (head, body) = text.split_once('\n').unwrap();
        let short = |cell: &str| cell.parse::<f64>().map_or(cell.to_string(), |v| format!("{v:.digits$}"));
        let line = |line: &str| line.split(',').map(short).collect::<Vec<_>>().join(",") + "\n";
        format!("{head}\n{}", body.lines().rev().map(line).collect::<String>())
    };
    folder.write("ta.csv", turned("a0.csv", 3));
    folder.write("tb.csv", turned("b0.csv", 3));
    folder.say("stats ta.csv tb.csv --names a,b -o turned.stats").succeeded();
    let same = "shard \"turned.stats\" has the ids of \"s0.stats\", so that they would count twice";
    folder.say("merge s0.stats turned.stats -o all.stats").failed(1, same);
    // A model where statistics are wanted, and the other way.
    folder.say("solve cca s0.stats -d 2 --ridge 0.1 -o solved.lb").succeeded();
    folder.say("merge solved.lb -o all.stats").failed(1, "solved.lb: not landbridge statistics: it is a model");
    folder
        .say("transform s0.stats a0.csv --dataset a")
        .failed(1, "s0.stats: not a landbridge model: it holds statistics; solve a model");
    let mut bad = folder.read("s0.stats");
    let middle = bad.len() / 2;
    bad[middle] ^= 1;
    folder.write("bad.stats", bad);
    folder.say("solve cca bad.stats -d 2 -o m.lb").failed(1, "bad.stats: the statistics are damaged: its checksum");
    folder.say("solve cca s0.stats -d 2 --prepare unit -o m.lb").failed(1, "prepare \"unit\" from statistics is not defined");
    folder.say("solve cca s0.stats -o m.lb").failed(2, "cca needs -d");
    folder.say("solve linear s0.stats -d 2 -o m.lb").failed(1, "linear maps from statistics without landmarks is not defined");
    folder.say("solve instance s0.stats -d 2 -o m.lb").failed(2, "instance");
    // Pairs whose rows lie in no shard that is here.
    folder.write("far.csv", "a,b\nr0,r0\nr1,r1\n");
    folder.say("stats a0.csv b0.csv --names a,b --pairs far.csv -o t2.stats").failed(1, "r1");
    folder.say("solve procrustes s0.stats --embedding pca -d 2 -o m.lb").failed(1, "the embedding \"pca\" from statistics");
    folder.say("stats a0.csv b0.csv --names a,b -o s.csv").failed(2, "a model is not written as .csv");
    folder.write("long.npy", common::npy("(3, 1)", &[1.0, 2.0, 3.0]));
    folder.write("short.npy", common::npy("(2, 1)", &[1.0, 2.0]));
    folder
        .say("stats long.npy short.npy -o s.stats")
        .failed(2, "rows cannot correspond one by one: long has 3 rows, short has 2 rows");
    assert!(!folder.path("all.stats").exists() && !folder.path("m.lb").exists());
}

#[test]
fn linear_maps_are_solved_with_landmarks() {
    let folder = sharded();
    let near = "--names a,b --landmarks a.csv b.csv --n-landmarks 12";
    for shard in 0..5 {
        folder.say(format!("stats a{shard}.csv b{shard}.csv {near} -o s{shard}.stats")).succeeded();
    }
    folder.say("merge s3.stats s1.stats s0.stats s4.stats s2.stats -o all.stats").succeeded();
    let said = folder.say(format!("stats a.csv b.csv {near} -o whole.stats --json")).succeeded().json();
    assert_eq!(said["landmarks"], serde_json::json!([12, 12]));
    for name in ["all", "whole"] {
        folder.say(format!("solve linear {name}.stats -d 2 -o {name}.lb")).succeeded();
        folder.say(format!("transform {name}.lb a.csv --dataset a -o {name}.csv")).succeeded();
    }
    assert_eq!(folder.text("all.csv"), folder.text("whole.csv"));
    folder.say("stats a0.csv b0.csv --names a,b --landmarks a.csv b.csv --n-landmarks 11 -o other.stats").succeeded();
    folder.say("merge s1.stats other.stats -o x.stats").failed(1, "dataset \"a\" was summed up with other landmarks");
    folder.refuses(
        "stats a0.csv b0.csv --names a,b -o x.stats",
        "--landmarks a.csv => 2 values required
         --n-landmarks 5 => required
         --landmarks a.csv b.csv --n-landmarks 1 => n_landmarks is 1",
    );
}

#[test]
fn columns_in_another_order_are_put_in_order_and_that_is_said() {
    let folder = sharded();
    stats(&folder);
    let swapped: String = folder
        .text("a1.csv")
        .lines()
        .map(|line| {
            let c: Vec<&str> = line.split(',').collect();
            format!("{},{},{},{}\n", c[0], c[3], c[1], c[2])
        })
        .collect();
    folder.write("turned.csv", swapped);
    folder.say("stats turned.csv b1.csv --names a,b -o t.stats").succeeded();
    let said = folder.say("merge s0.stats t.stats -o both.stats").succeeded();
    assert!(said.err.contains("columns put in the order that most shards have, by name: 1 shard (t.stats)"), "{}", said.err);
}

#[test]
fn a_solved_model_is_evaluated_on_rows_that_are_given() {
    let folder = sharded();
    folder.say("stats a.csv b.csv --names a,b -o s.stats").succeeded();
    folder.say("solve cca s.stats -d 2 --ridge 0.1 -o solved.lb").succeeded();
    folder.say("fit cca -d 2 --ridge 0.1 --pairs-by-id a.csv b.csv -o fitted.lb").succeeded();
    let truth: String = (0..60).map(|i| format!("r{i},r{i}\n")).collect();
    folder.write("truth.csv", format!("a,b\n{truth}"));
    let said = folder.say("evaluate solved.lb --truth truth.csv").failed(2, "solved.lb has no rows to evaluate");
    assert!(said.err.contains("--rows a=FILE --rows b=FILE"), "{}", said.err);
    let scores = |call: &str| folder.say(format!("evaluate {call} --truth truth.csv --json")).succeeded().json();
    let (given, fitted) = (scores("solved.lb --rows a=a.csv --rows b=b.csv"), scores("fitted.lb"));
    for at in 0..5 {
        let of = |value: &serde_json::Value| value["pairs"][0]["scores"][at]["all"].as_f64().unwrap();
        assert!((of(&given) - of(&fitted)).abs() < 1e-9, "{given} {fitted}");
    }
    assert_eq!(given["pairs"][0]["held_out"], 60);
    // Rows of one dataset, the other as fitted.
    assert_eq!(scores("fitted.lb --rows b=b.csv")["pairs"][0]["true_pairs"], 60);
    folder.refuses(
        "evaluate solved.lb --truth truth.csv",
        "--rows a=a.csv => the model has no rows of dataset \"b\"
         --rows a=a.csv --rows a=b.csv => --rows a= is given twice
         --rows a.csv => write the dataset before the file",
    );
}
