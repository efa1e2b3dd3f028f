//! What a new user tries works at once: options of one file, tables of spreadsheets, pairs in any form, streams, presets.

mod common;

use common::{BINARY, Folder};
use landbridge_io::{Column, ReadOptions, read_matrix, write_columns};
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

const FIT: &str = "fit linear -d 2 --pairs pairs.csv -o m.lb";

#[test]
fn options_of_one_file_stand_behind_its_name() {
    let folder = Folder::with_data();
    folder.say(format!("{FIT} --labels-column kind a.csv b.csv")).succeeded(); // an older name
    folder.say(format!("{FIT} a.csv:labels_column=kind b.csv")).failed(2, "did you mean label_column");
    folder.say(format!("{FIT} --label-column kind a.csv b.csv")).succeeded();
    let both = folder.read("m.lb");
    folder.say(format!("{FIT} a.csv:label_column=kind b.csv:label-column=kind")).succeeded();
    assert!(both == folder.read("m.lb"));
    // Labels on one side only: what is transferred. The other side is told which columns are data.
    folder.say(format!("{FIT} a.csv:label_column=kind b.csv:columns=u,v,w,name=b")).succeeded();
    let labels = folder.say("labels m.lb --from a --to b --json").succeeded().json();
    assert_eq!(labels["rows"], 60);
    // Other tables, other delimiters.
    folder.write("e.csv", folder.text("b.csv").replace(',', ";"));
    folder.say(format!("{FIT} a.csv:label_column=kind e.csv:delimiter=;,label_column=kind,name=b")).succeeded();
    assert!(both == folder.read("m.lb"));
    folder.say("transform m.lb a.csv:label_column=kind --dataset a -o z.csv").succeeded();
    folder.say("inspect a.csv:id_column=none,columns=x,y --json").succeeded();
}

#[test]
fn a_wrong_option_of_a_file_is_refused_with_the_nearest_name() {
    let folder = Folder::with_data();
    folder.say("inspect a.csv:delimeter=;").failed(2, "there is no reading option delimeter; did you mean delimiter?");
    folder.say("inspect a.csv:layer=counts").failed(2, "layer has no meaning for csv files");
    folder.say("inspect a.csv:missing=dorp").failed(2, "missing is \"dorp\"");
    folder.say("inspect none.csv:header=yes").failed(1, "none.csv: cannot read");
    // What an output would overwrite is found behind its options.
    folder.say("embed pca -d 1 a.csv:label_column=kind -o a.csv").failed(2, "written over");
}

#[test]
fn a_colon_may_belong_to_the_name() {
    let folder = Folder::with_data();
    folder.write("12:30.csv", folder.text("a.csv"));
    folder.write("a.csv:header=no", folder.text("a.csv"));
    assert_eq!(folder.say("inspect 12:30.csv --label-column kind --json").json()["files"][0]["rows"], 60);
    assert_eq!(folder.say("inspect 12:30.csv:label_column=kind --json").json()["files"][0]["features"], 2);
    assert_eq!(folder.say("inspect a.csv:header=no --format csv --label-column kind --json").json()["files"][0]["rows"], 60);
}

#[test]
fn a_label_column_of_one_side_is_enough() {
    let folder = Folder::with_data();
    let without: Vec<String> = folder.text("b.csv").lines().map(|l| l.rsplit_once(',').unwrap().0.to_string()).collect();
    folder.write("b.csv", without.join("\n") + "\n");
    let said = folder.say(format!("{FIT} --label_column kind a.csv b.csv")).succeeded();
    assert!(said.err.contains("b: no column \"kind\", read without labels"), "{}", said.err);
    assert_eq!(folder.say("labels m.lb --from a --json").json()["rows"], 60);
    folder.say(format!("{FIT} --label-column kinds a.csv b.csv")).failed(2, "there is no column \"kinds\"");
}

#[test]
fn spreadsheets_write_semicolons_and_commas() {
    let folder = Folder::with_data();
    let excel = |name: &str| folder.text(name).replace(',', ";").replace('.', ",");
    folder.write("e.csv", excel("a.csv"));
    folder.write("p.csv", folder.text("pairs.csv").replacen("a,b", "e,b", 1).replace(',', ";"));
    let said = folder.say("inspect e.csv").failed(1, "separated by ';', not by ',', with a decimal comma");
    assert!(said.err.contains("--delimiter ';' --decimal ','"), "{}", said.err);
    let said = folder.say("inspect e.csv --delimiter ; --label-column kind").failed(1, "is not a number");
    assert!(said.err.contains("--decimal ','"), "{}", said.err);
    folder.say("inspect e.csv --decimal ,").failed(2, "other than the delimiter");
    // The numbers are those of the other spelling, and so is the model; pairs may have semicolons, too.
    folder.say(format!("{FIT} --label-column kind a.csv b.csv")).succeeded();
    let plain = folder.read("m.lb");
    folder
        .say("fit linear -d 2 --pairs p.csv -o n.lb --label-column kind e.csv:delimiter=;,decimal=, b.csv --names e,b")
        .succeeded();
    folder.say("fit linear -d 2 --pairs p.csv -o m.lb --label-column kind a.csv b.csv --names e,b").succeeded();
    assert!(folder.read("n.lb") == folder.read("m.lb") && !plain.is_empty());
    // A point may separate thousands there: it is refused, not guessed.
    folder.write("t.csv", "x;y\n1.234;2,5\n");
    folder.say("inspect t.csv --delimiter ; --decimal ,").failed(1, "\"1.234\" is not a number");
    // A header without the id column would read the decimals as another column.
    folder.write("r.csv", "id;x\na;1,5\nb;2,5\n");
    folder.say("inspect r.csv").failed(1, "separated by ';'");
}

#[test]
fn pairs_come_in_columns() {
    let folder = Folder::with_data();
    folder.say(format!("{FIT} --label-column kind a.csv b.csv")).succeeded();
    let ids = |name: &str| (0..60).step_by(5).map(|i| format!("{name}{i}")).collect::<Vec<_>>();
    let (a, b) = (ids("a"), ids("b"));
    for name in ["p.parquet", "p.arrow"] {
        let column = |names| Column::Words(Vec::from_iter(names));
        let columns = [("b", column(b.iter().map(String::as_str))), ("a", column(a.iter().map(String::as_str)))];
        write_columns(folder.path(name), &columns).unwrap();
        folder.say(format!("fit linear -d 2 --pairs {name} -o n.lb --label-column kind a.csv b.csv")).succeeded();
        assert!(folder.read("n.lb") == folder.read("m.lb"), "{name}");
    }
    for wrong in ["english,italian\na0,b0\n", "english,italian,sure\na0,b0,1\n"] {
        folder.write("p.csv", wrong);
        let said = folder
            .say("fit linear -d 2 --pairs p.csv -o n.lb --label-column kind a.csv b.csv")
            .failed(1, "p.csv line 1: \"english\", \"italian\"");
        assert!(said.err.contains("a header names the datasets, here \"a\", \"b\""), "{}", said.err);
    }
    folder.write("p.doc", "a,b\n");
    folder.say("fit linear -d 2 --pairs p.doc -o n.lb --label-column kind a.csv b.csv").failed(2, "parquet, arrow");
}

#[test]
fn a_model_describes_itself() {
    let folder = Folder::with_model();
    let said = folder.say("inspect m.lb").succeeded().out;
    for part in ["instance, 4 components", "a: 60 rows × 2 features", "columns x, y", "ids a0, a1", "labels early, late, middle"]
    {
        assert!(said.contains(part), "{part} in {said}");
    }
    for part in ["pairs     12", "n_neighbors 10", "converged: residual", "size"] {
        assert!(said.contains(part), "{part} in {said}");
    }
    let value = folder.say("inspect m.lb a.csv:label_column=kind --json").succeeded().json();
    let model = &value["files"][0];
    assert_eq!((&model["format"], &model["method"]), (&"model".into(), &"instance".into()));
    assert_eq!(model["datasets"][1]["columns"], serde_json::json!(["u", "v", "w"]));
    assert_eq!(model["bytes"].as_u64().unwrap() as usize, folder.read("m.lb").len());
    assert_eq!(value["files"][1]["rows"], 60);
    folder.write("no.lb", "not a model");
    folder.say("inspect no.lb").failed(1, "no.lb");
}

#[test]
fn a_question_is_answered_with_ids_and_the_beginning_of_the_text() {
    let folder = Folder::empty();
    let line = |i: usize, prefix: &str| {
        let words: Vec<String> = (0..6).map(|k| format!("{prefix}{}", (i + k * k) % 12)).collect();
        format!("{{\"id\": \"{prefix}-{i}\", \"text\": \"{}\"}}\n", words.join(" "))
    };
    for prefix in ["en", "it"] {
        folder.write(&format!("{prefix}.jsonl"), (0..40).map(|i| line(i, prefix)).collect::<String>());
    }
    folder
        .write("pairs.csv", "en,it\n".to_string() + &(0..40).step_by(2).map(|i| format!("en-{i},it-{i}\n")).collect::<String>());
    folder.say("fit linear -d 4 --n-neighbors 5 --pairs pairs.csv en.jsonl it.jsonl -o m.lb").succeeded();
    let said = folder.run(&["match", "m.lb", "--from", "en", "--text", "en0 en1 en4 en9", "-k", "2"]).succeeded();
    let lines: Vec<&str> = said.out.lines().collect();
    assert_eq!(lines[0], "source_row,rank,target_row,target_id,distance,target_text");
    assert!(lines[1].contains(",it-") && lines[1].rsplit_once(',').unwrap().1.starts_with("it"), "{}", said.out);
    let json = folder.run(&["match", "m.lb", "--from", "en", "--text", "en0 en1", "-k", "1", "--json"]).succeeded().json();
    assert!(json["matches"][0]["target_text"].as_str().unwrap().starts_with("it"));
    folder.run(&["match", "m.lb", "--from", "en", "--text", "en0", "-k", "1", "-o", "found.parquet"]).succeeded();
    // Without a question the table is as before.
    assert!(!folder.say("match m.lb --from en").succeeded().out.contains("target_text"));
}

#[test]
fn single_precision_stays_single_and_columns_have_the_names_of_the_target() {
    let folder = Folder::with_data();
    folder.say(format!("{FIT} --label-column kind a.csv b.csv")).succeeded();
    let landbridge::data::Rows::F64(rows) =
        read_matrix(folder.path("a.csv"), &ReadOptions { label_column: Some("kind".into()), ..Default::default() }).unwrap().rows
    else {
        panic!("csv is f64")
    };
    let narrow = rows.to_f32();
    landbridge_io::write_matrix(folder.path("new.npy"), &landbridge_io::Table::new(&narrow)).unwrap();
    for (command, options) in [("transform", "--dataset a"), ("predict", "--from a --to b")] {
        folder.say(format!("{command} m.lb new.npy {options} -o out.npy")).succeeded();
        assert!(folder.read("out.npy").windows(3).any(|w| w == b"<f4"), "{command}");
        folder.say(format!("{command} m.lb a.csv:label_column=kind {options} -o wide.npy")).succeeded();
        assert!(folder.read("wide.npy").windows(3).any(|w| w == b"<f8"), "{command}");
    }
    let said = folder.say("predict m.lb new.npy --from a --to b").succeeded();
    assert!(said.out.starts_with("u,v,w\n"), "{}", said.out);
}

#[test]
fn a_stream_is_answered_line_by_line() {
    let folder = Folder::with_data();
    folder.say(format!("{FIT} --label-column kind a.csv b.csv")).succeeded();
    let table: String =
        folder.text("a.csv").lines().map(|l| l.rsplit_once(',').unwrap().0.to_string() + "\n").collect::<String>();
    folder.write("new.csv", &table);
    for (command, options) in [("transform", "--dataset a"), ("predict", "--from a --to b")] {
        let whole = folder.say(format!("{command} m.lb new.csv {options}")).succeeded().out;
        let mut child = Command::new(BINARY)
            .current_dir(folder.dir.path())
            .args([command, "m.lb", "-"].into_iter().chain(options.split(' ')))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let (mut input, mut answers) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        let (mut answered, mut line) = (String::new(), String::new());
        for (at, row) in table.lines().enumerate() {
            writeln!(input, "{row}").unwrap();
            input.flush().unwrap();
            // The header of the answer comes with the first row; every answer before the next question.
            for _ in 0..[0, 2, 1][at.min(2)] {
                line.clear();
                answers.read_line(&mut line).unwrap();
                answered.push_str(&line);
            }
        }
        drop(input);
        let ended = child.wait_with_output().unwrap();
        assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
        assert_eq!(answered, whole, "{command}");
    }
}

#[test]
fn presets_are_the_papers() {
    let folder = Folder::with_data();
    let fit = "--label-column kind --pairs pairs.csv a.csv b.csv -o";
    folder.say(format!("fit linear -d 2 --preset chapter11 {fit} m.lb")).succeeded();
    folder.say(format!("fit linear -d 2 --mu 1 --no-balance --ridge 0 {fit} n.lb")).succeeded();
    assert!(folder.read("m.lb") == folder.read("n.lb"));
    // What is typed comes first.
    folder.say(format!("fit linear -d 2 --preset chapter11 --ridge 0.5 {fit} m.lb")).succeeded();
    assert_eq!(folder.say("inspect m.lb --json").json()["files"][0]["params"]["ridge"], 0.5);
    folder.say(format!("fit cca -d 2 --preset chapter11 {fit} m.lb")).failed(2, "is of the method linear");
    folder.say(format!("fit linear -d 2 --preset chapter12 {fit} m.lb")).failed(2, "did you mean \"chapter11\"?");
    assert!(folder.say("methods").succeeded().out.contains("chapter11-hard"));
}

#[test]
fn rows_are_centred_within_the_batches_of_a_column() {
    let folder = Folder::with_data();
    // `kind` stands for the batch here.
    folder.say("fit linear -d 2 --pairs pairs.csv -o m.lb --batch-column kind a.csv b.csv").succeeded();
    let both = folder.read("m.lb");
    folder.say("fit linear -d 2 --pairs pairs.csv -o m.lb a.csv:batch_column=kind b.csv:batch_column=kind").succeeded();
    assert!(both == folder.read("m.lb"));
    let known = folder.say("transform m.lb a.csv:batch_column=kind --dataset a -o known.csv").succeeded();
    assert!(!known.err.contains("batch"), "{}", known.err);
    let none = folder.say("transform m.lb a.csv:label_column=kind --dataset a -o none.csv").succeeded();
    assert!(none.err.contains("the new rows have none"), "{}", none.err);
    assert!(folder.text("known.csv") != folder.text("none.csv"));
    folder.say("fit linear -d 2 --pairs pairs.csv -o m.lb --batch-column lane a.csv b.csv").failed(2, "lane");
}
