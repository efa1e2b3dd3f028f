//! `bridge`, `export` and `check-drift`: tables, exit codes, refusals.

mod common;

use common::{Folder, Numbers, npy};

/// Two noisy views of the same 160 points, twelve and ten columns.
fn stores() -> Folder {
    let (folder, mut numbers) = (Folder::empty(), Numbers(3));
    let mut number = || numbers.below(2001) as f64 / 1000.0 - 1.0;
    let points: Vec<Vec<f64>> = (0..160).map(|_| (0..6).map(|_| number()).collect()).collect();
    for (name, columns) in [("old", 12), ("new", 10)] {
        let map: Vec<Vec<f64>> = (0..columns).map(|_| (0..6).map(|_| number()).collect()).collect();
        let values: Vec<f64> = points
            .iter()
            .flat_map(|p| map.iter().map(|way| p.iter().zip(way).map(|(a, b)| a * b).sum::<f64>()).collect::<Vec<_>>())
            .map(|v| v + 0.05 * number())
            .collect();
        folder.write(&format!("{name}.npy"), npy(&format!("(160, {columns})"), &values));
    }
    folder
}

#[test]
fn a_bridge_is_written_with_its_figures() {
    let folder = stores();
    let said = folder.say("bridge old.npy new.npy --pairs 100-first -o b.lb").succeeded();
    assert!(said.out.contains("old finds new") && said.out.contains("25 pairs"), "{}", said.out);
    assert!(said.err.contains("use it: 100 pairs held out"), "{}", said.err);
    let json = folder.say("bridge old.npy new.npy --pairs 100-first -o b.lb --no-curve --json").succeeded().json();
    assert!(json["bridge"]["quality"]["old_to_new"]["recall_at_10"]["value"].as_f64().unwrap() > 0.8);
    assert!(json["bridge"]["learning_curve"].as_array().unwrap().is_empty());
    folder.say("match b.lb --from old --to new -k 2").succeeded();
}

#[test]
fn a_bridge_that_is_not_to_be_used_ends_with_3() {
    let folder = stores();
    let wrong = (0..80).fold(String::from("old,new\n"), |s, i| s + &format!("{i},{}\n", (i * 37 + 11) % 80));
    folder.write("wrong.csv", wrong);
    let said = folder.say("bridge old.npy new.npy --pairs wrong.csv --no-curve -o b.lb");
    assert!(said.code == 3 && said.err.contains("do not use it"), "{} {}{}", said.code, said.out, said.err);
    assert!(folder.path("b.lb").exists());
    folder.say("bridge old.npy new.npy --pairs wrong.csv --no-curve -o b.lb --force").succeeded();
}

#[test]
fn pairs_that_cannot_be_are_refused() {
    let folder = stores();
    folder.say("bridge old.npy new.npy --pairs 161-first -o b.lb").failed(2, "160 and 160 rows");
    folder.say("bridge old.npy new.npy --pairs x-first -o b.lb").failed(2, "not a number of rows");
    folder.say("bridge old.npy new.npy --pairs by-id -o b.lb").failed(2, "by-id");
    folder.say("bridge old.npy new.npy --pairs none.csv -o b.lb").failed(1, "none.csv");
}

#[test]
fn exports_and_drift() {
    let folder = stores();
    folder.say("bridge old.npy new.npy --pairs 100-first --no-curve --map-only -o b.lb").succeeded();
    for name in ["m.onnx", "m.npz", "m.safetensors", "m.json"] {
        let said = folder.say(format!("export b.lb --map old:new -o {name}")).succeeded();
        assert!(said.err.contains("z = x @ matrix"), "{}", said.err);
    }
    let json: serde_json::Value = serde_json::from_str(&folder.text("m.json")).unwrap();
    assert!(json["width"] == 10 && json["matrix"].as_array().unwrap().len() == 12, "{}", json["formula"]);
    folder.say("export b.lb --map old -o m.npz").failed(2, "SOURCE:TARGET");
    folder.say("export b.lb --dataset other -o m.npz").failed(2, "other");
    folder.say("check-drift b.lb old.npy --dataset old").succeeded();
    let mut numbers = Numbers(9);
    let others: Vec<f64> = (0..40 * 12).map(|_| numbers.below(1000) as f64).collect();
    folder.write("others.npy", npy("(40, 12)", &others));
    let said = folder.say("check-drift b.lb others.npy --dataset old");
    assert!(said.code == 3 && said.out.starts_with("yes"), "{} {}", said.code, said.out);
    folder.say("check-drift b.lb new.npy --dataset old").failed(1, "12");
}

/// A line as typed, with that standard input: the exit code, standard output, and what is said.
fn fed(folder: &Folder, line: &str, input: &[u8]) -> (Option<i32>, Vec<u8>, String) {
    let mut command = assert_cmd::Command::new(common::BINARY);
    let output = command.current_dir(folder.path("")).args(line.split_whitespace()).write_stdin(input).output().unwrap();
    (output.status.code(), output.stdout, String::from_utf8_lossy(&output.stderr).into_owned())
}

/// The rows of a npy file of [`stores`], as lines of JSON made by `line(row number, numbers)`.
fn lines_of(folder: &Folder, name: &str, line: impl Fn(usize, &str) -> String) -> String {
    let bytes = folder.read(name);
    let columns = if name == "old.npy" { 12 } else { 10 };
    let numbers: Vec<f64> =
        bytes[bytes.len() - 160 * columns * 8..].chunks(8).map(|b| f64::from_le_bytes(b.try_into().unwrap())).collect();
    let text = |row: &[f64]| row.iter().map(f64::to_string).collect::<Vec<_>>().join(", ");
    numbers.chunks(columns).enumerate().map(|(i, row)| line(i, &text(row)) + "\n").collect()
}

#[test]
fn vectors_come_from_lines_of_json_and_from_standard_input() {
    let folder = stores();
    folder.write("lists.jsonl", lines_of(&folder, "old.npy", |_, row| format!("[{row}]")));
    folder.write("old.jsonl", lines_of(&folder, "old.npy", |i, row| format!("{{\"id\": \"d{i}\", \"vector\": [{row}]}}")));
    // Two ids are only in the old store, one only in the new one.
    let id = |i: usize| if i < 2 { "other".into() } else { format!("d{i}") };
    let new = lines_of(&folder, "new.npy", |i, row| format!("{{\"id\": \"{}\", \"vector\": [{row}]}}", id(i)));
    folder.write("new.jsonl", new.lines().skip(1).collect::<Vec<_>>().join("\n"));
    let said = folder.say("bridge old.jsonl new.jsonl --pairs by-id --no-curve -o b.lb").succeeded();
    assert!(said.err.contains("158 in both stores, 2 only in old, 1 only in new"), "{}", said.err);
    folder.say("bridge lists.jsonl new.npy --pairs 100-first --no-curve -o b.lb").succeeded();
    folder.say("transform b.lb lists.jsonl -o file.npy").succeeded();
    let whole = folder.read("file.npy");
    for name in ["lists.jsonl", "old.jsonl", "old.npy"] {
        let lines = folder.read(name);
        let (code, bytes, said) = fed(&folder, "transform b.lb - --to npy", &lines);
        assert!(code == Some(0) && bytes == whole, "{name}: {said}");
    }
    let said = |input: &str| fed(&folder, "transform b.lb -", input.as_bytes()).2;
    assert!(said("[1, 2, 3]\n").contains("3 columns; the model was fitted with 12"));
    assert!(said("{\"text\": \"a cat\"}\n").contains("not fitted from text"));
    folder.say("transform b.lb old.npy --to word").failed(2, "word");
}

#[test]
fn bad_vectors_are_said_with_their_place() {
    let folder = stores();
    let mut bytes = folder.read("old.npy");
    let at = bytes.len() - (160 - 17) * 12 * 8 + 3 * 8;
    for (name, value, hint) in [("nan", f64::NAN, "fill or drop"), ("inf", f64::INFINITY, "float16 holds up to 65504")] {
        bytes[at..at + 8].copy_from_slice(&value.to_le_bytes());
        folder.write(&format!("{name}.npy"), bytes.clone());
        let said = folder.say(format!("bridge {name}.npy new.npy --pairs 100-first -o b.lb"));
        assert!(said.code == 1 && said.err.contains("row 17, column 3") && said.err.contains(hint), "{}", said.err);
    }
    // Rows without ids, and of different number: pairs must be told.
    folder.write("less.npy", npy("(100, 12)", &vec![0.5; 1200]));
    folder.say("bridge less.npy new.npy --pairs by-id -o b.lb").failed(2, "no id occurs once in each");
    folder.say("bridge less.npy new.npy --pairs 120-first -o b.lb").failed(2, "100 and 160 rows");
}
