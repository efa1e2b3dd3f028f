//! `align`, `compare` and `tune`: tables, exit codes, refusals.

mod common;

use common::{Folder, Numbers};

/// Two linear views of the same 60 points of three dimensions, four and five columns, 20 pairs known.
fn two_views() -> Folder {
    let (folder, mut numbers) = (Folder::empty(), Numbers(7));
    let mut number = || numbers.below(2001) as f64 / 1000.0 - 1.0;
    let points: Vec<[f64; 3]> = (0..60).map(|_| [number(), number(), number()]).collect();
    for (name, columns) in [("a", 4), ("b", 5)] {
        let map: Vec<[f64; 3]> = (0..columns).map(|_| [number(), number(), number()]).collect();
        let mut table = format!("id,{}\n", (0..columns).map(|c| format!("{name}{c}")).collect::<Vec<_>>().join(","));
        for (i, point) in points.iter().enumerate() {
            let cell = |way: &[f64; 3]| (0..3).map(|k| point[k] * way[k]).sum::<f64>().to_string();
            table += &format!("{name}{i},{}\n", map.iter().map(cell).collect::<Vec<_>>().join(","));
        }
        folder.write(&format!("{name}.csv"), table);
    }
    folder.write("pairs.csv", (0..60).step_by(3).fold(String::from("a,b\n"), |s, i| s + &format!("a{i},b{i}\n")));
    folder
}

#[test]
fn align_writes_a_model_and_a_table() {
    let folder = two_views();
    let said = folder.say("align a.csv b.csv --pairs pairs.csv -o m.lb").succeeded();
    assert!(said.out.starts_with("method") && said.out.contains("chosen"), "{}", said.out);
    assert!(said.err.contains("landbridge fit") && said.err.contains("a.csv b.csv --pairs pairs.csv -o m.lb"), "{}", said.err);
    folder.say("match m.lb --from a --to b -k 2").succeeded();
    // The command that is printed repeats the winner, to the byte of its matches.
    let line = said.err.lines().find(|l| l.starts_with("again")).unwrap().trim_start_matches("again").trim();
    let command = line.trim_start_matches("landbridge ").replace("m.lb", "again.lb");
    folder.say(command).succeeded();
    let matched = |model: &str| folder.say(format!("match {model} --from a --to b -k 3")).succeeded().out;
    assert_eq!(matched("m.lb"), matched("again.lb"));
}

#[test]
fn align_says_what_it_does_for_machines() {
    let folder = two_views();
    let json = folder.say("align a.csv b.csv --pairs pairs.csv -o m.lb --json").succeeded().json();
    let table = json["selection"]["table"].as_array().unwrap();
    assert!(!table.is_empty() && table.len() <= 4);
    assert!(table.iter().all(|row| row["reason"].as_str().is_some_and(|r| !r.is_empty())));
    assert!(json["selection"]["verdict"].is_string() && json["selection"]["looks"].as_array().unwrap().len() == 2);
}

#[test]
fn a_result_that_is_not_to_be_trusted_ends_with_3() {
    let folder = Folder::with_data();
    let mut wrong = String::from("a,b\n");
    (0..60).step_by(2).for_each(|i| wrong.push_str(&format!("a{i},b{}\n", (i * 37 + 11) % 60)));
    folder.write("wrong.csv", wrong);
    let said = folder.say("align a.csv b.csv --pairs wrong.csv --label-column kind -o m.lb");
    assert_eq!(said.code, 3, "{}{}", said.out, said.err);
    assert!(said.err.contains("do not trust") && folder.path("m.lb").exists(), "{}", said.err);
    folder.say("align a.csv b.csv --pairs wrong.csv --label-column kind -o m.lb --force").succeeded();
}

#[test]
fn compare_prints_writes_and_draws() {
    let folder = Folder::with_data();
    let call =
        "compare a.csv b.csv --pairs truth.csv --label-column kind --methods cca,instance:n_components=2|3,clle:n_components=2";
    let said = folder.say(call).succeeded();
    assert_eq!(said.out.lines().count(), 5, "{}", said.out);
    assert!(said.out.contains("label_transfer") && said.out.contains("best"), "{}", said.out);
    folder.say(format!("{call} -o t.csv --picture r.svg")).succeeded();
    assert_eq!(folder.text("t.csv").lines().count(), 5);
    assert!(folder.text("r.svg").starts_with("<svg"));
    let json = folder.say(format!("{call} --json")).succeeded().json();
    assert_eq!(json["table"].as_array().unwrap().len(), 4);
    assert!(json["best"].is_string());
}

#[test]
fn compare_goes_on_where_it_stopped() {
    let folder = Folder::with_data();
    let call =
        "compare a.csv b.csv --pairs truth.csv --label-column kind --methods cca:n_components=2,clle:n_components=2 --resume j";
    folder.say(call).succeeded();
    let kept = folder.text("j");
    assert_eq!(kept.lines().count(), 11); // a header and two methods in five folds
    // A kill cut the last line short.
    folder.write("j", &kept[..kept.len() - 40]);
    let said = folder.say(call).succeeded();
    assert!(said.err.contains("9 finished folds"), "{}", said.err);
    assert_eq!(folder.text("j").lines().filter(|l| l.ends_with("\t.")).count(), 10);
}

#[test]
fn tune_prints_trials_and_writes_the_best() {
    let folder = Folder::with_data();
    let call = "tune a.csv b.csv --pairs truth.csv --label-column kind --method clle:n_components=1 --n-trials 5";
    let said = folder.say(format!("{call} -o m.lb")).succeeded();
    assert_eq!(said.out.lines().count(), 6, "{}", said.out);
    assert!(said.err.contains("verdict"), "{}", said.err);
    folder.say("match m.lb --from a --to b").succeeded();
    let json = folder.say(format!("{call} --space n_components=1..3,n_neighbors=4|6 --json")).succeeded().json();
    assert_eq!(json["trials"].as_array().unwrap().len(), 5);
}

#[test]
fn wrong_calls_are_refused_with_the_nearest_name() {
    let folder = Folder::with_data();
    folder.refuses(
        "compare a.csv b.csv --label-column kind --pairs truth.csv",
        "--methods lineer => did you mean \"linear\"?
         --methods linear:n_component=3 => did you mean n_components?
         --methods cca,cca => is there twice
         --methods cca --scoring accuracy => scoring
         --methods cca --folds 1 => folds
         --methods cca -o t.txt => .csv, .tsv or .json
         --methods cca --groups one.txt => names 1 file",
    );
    folder.say("compare a.csv b.csv --label-column kind --methods cca").failed(1, "at least 4");
    folder.refuses(
        "tune a.csv b.csv --label-column kind --pairs truth.csv",
        "--method cca --space n_component=1..3 => did you mean n_components?
         --method cca --space n_components=x => must be
         --method cca,linear => names one setting",
    );
    folder
        .say("compare a.csv b.csv --label-column kind --pairs truth.csv --methods instance:n_neighbors=500,n_components=2")
        .failed(1, "every fit failed");
}
