//! What a user can plausibly do by mistake gives the right answer, a warning that is seen, or an error.

mod common;

use common::Folder;
use std::fmt::Write as _;

#[test]
fn reordered_columns_are_put_in_order_and_said() {
    let folder = Folder::with_data();
    folder.write("linear.csv", "");
    folder
        .run(&["fit", "linear", "-d", "2", "--pairs", "pairs.csv", "--label-column", "kind", "a.csv", "b.csv", "-o", "m.lb"])
        .succeeded();
    let turned: String = folder.text("a.csv").lines().fold(String::new(), |mut out, line| {
        let cells: Vec<&str> = line.split(',').collect();
        writeln!(out, "{},{},{}", cells[0], cells[2], cells[1]).unwrap();
        out
    });
    folder.write("turned.csv", &turned);
    let plain = folder.run(&["transform", "m.lb", "a.csv", "--dataset", "a", "--label-column", "kind"]).succeeded();
    let said = folder.run(&["transform", "m.lb", "turned.csv", "--dataset", "a"]).succeeded();
    assert_eq!(plain.out, said.out);
    assert!(said.err.contains("warning") && said.err.contains("order"), "{}", said.err);
    for (command, way) in [("predict", "--from"), ("match", "--from")] {
        let new = if command == "match" { vec!["--new", "turned.csv"] } else { vec!["turned.csv"] };
        let args = [vec![command, "m.lb"], new, vec![way, "a", "--to", "b"]].concat();
        assert!(folder.run(&args).succeeded().err.contains("order"));
    }
    // A missing column is an error that names it; one too many is left out, and said.
    folder.write("less.csv", "id,x\nq,1\n");
    folder.run(&["transform", "m.lb", "less.csv", "--dataset", "a"]).failed(1, "\"y\"");
    folder.write("more.csv", "id,y,z,x\nq,1,2,3\n");
    assert!(folder.run(&["transform", "m.lb", "more.csv", "--dataset", "a"]).succeeded().err.contains("\"z\""));
}

#[test]
fn a_column_that_numbers_the_rows_is_told_and_one_of_ids_is_not() {
    let folder = Folder::with_data();
    let numbered = |head: &str| {
        folder.text("a.csv").lines().enumerate().fold(String::new(), |mut out, (at, line)| {
            let cells: Vec<&str> = line.split(',').collect();
            let first = if at == 0 { head.to_string() } else { (100 + at).to_string() };
            writeln!(out, "{first},{},{}", cells[1], cells[2]).unwrap();
            out
        })
    };
    folder.write("c.csv", numbered("customer"));
    folder.write("d.csv", numbered("id"));
    folder.write("known.csv", (0..30).fold(String::from("c,d\n"), |s, i| s + &format!("{i},{}\n", 101 + i)));
    let fit = ["fit", "cca", "-d", "2", "--pairs", "known.csv", "c.csv", "d.csv", "-o", "m.lb"];
    let said = folder.run(&fit).succeeded();
    let told = "c: the column \"customer\" numbers the rows (101 to 160) and is taken as a feature; if it holds row ids";
    assert!(said.err.contains(told) && !said.err.contains("d: the column"), "{}", said.err);
    folder.write("known.csv", (0..30).fold(String::from("c,d\n"), |s, i| s + &format!("{0},{0}\n", 101 + i)));
    let ids = folder.run(&fit.map(|word| if word == "c.csv" { "c.csv:id_column=customer" } else { word })).succeeded();
    assert!(!ids.err.contains("numbers the rows"), "{}", ids.err);
}

#[test]
fn a_fit_that_is_not_to_be_trusted_is_told_and_exits_with_3_where_trust_is_required() {
    let folder = Folder::with_data();
    let table = |of: fn(usize) -> usize| (0..60).fold(String::from("a,b\n"), |s, i| s + &format!("a{i},b{}\n", of(i)));
    folder.write("wrong.csv", table(|i| i * 23 % 60));
    folder.write("right.csv", table(|i| i));
    let fit = |pairs: &str, more: &[&str]| {
        let base =
            ["fit", "instance", "-d", "2", "--label-column", "kind", "--pairs", pairs, "a.csv", "b.csv", "-o", "m.lb", "--json"];
        folder.run(&[&base[..], more].concat())
    };
    let plain = fit("wrong.csv", &[]).succeeded();
    assert_eq!(plain.json()["trusted"], serde_json::Value::Null);
    let doubted = fit("wrong.csv", &["--trust"]).succeeded();
    assert_eq!(doubted.json()["trusted"], false);
    std::fs::remove_file(folder.path("m.lb")).unwrap();
    let refused = fit("wrong.csv", &["--require-trust"]);
    assert_eq!((refused.code, &refused.json()["trusted"]), (3, &false.into()), "{}", refused.err);
    assert!(folder.path("m.lb").exists());
    let right = fit("right.csv", &["--require-trust"]).succeeded();
    assert_eq!(right.json()["trusted"], true);
    let few = ["fit", "instance", "-d", "1", "--label-column", "kind", "--pairs", "pairs.csv", "a.csv", "b.csv", "-o", "n.lb"];
    folder.write("pairs.csv", "a,b\na0,b0\na1,b1\na2,b2\na3,b3\n");
    folder.run(&[&few[..], &["--require-trust"]].concat()).failed(3, "no verdict says that the result can be trusted");
    let told = folder.run(&[
        "fit",
        "instance",
        "-d",
        "2",
        "--trust",
        "--label-column",
        "kind",
        "--pairs",
        "wrong.csv",
        "a.csv",
        "b.csv",
        "-o",
        "m.lb",
    ]);
    assert!(told.succeeded().err.contains("the result is not to be trusted (--require-trust makes that exit code 3)"));
}

#[test]
fn pairs_by_number_are_rows_of_the_file_even_where_rows_were_dropped() {
    let folder = Folder::with_data();
    let without = |name: &str, holes: &[usize]| {
        let lines: Vec<String> = folder
            .text(name)
            .lines()
            .enumerate()
            .map(|(at, line)| {
                let mut cells: Vec<&str> = line.split(',').collect();
                cells.remove(0);
                cells.pop();
                if at > 0 && holes.contains(&(at - 1)) {
                    cells[0] = "";
                }
                cells.join(",")
            })
            .collect();
        lines.join("\n") + "\n"
    };
    folder.write("c.csv", without("a.csv", &[3, 10, 11]));
    folder.write("d.csv", without("b.csv", &[]));
    folder.write("clean.csv", without("a.csv", &[]));
    let numbers: String = (0..60).step_by(5).map(|i| format!("{i},{i}\n")).collect();
    folder.write("numbers.csv", format!("c,d\n{numbers}"));
    folder.write("truth.csv", "c,d\n".to_string() + &(0..60).map(|i| format!("{i},{i}\n")).collect::<String>());
    let said = folder
        .run(&["fit", "instance", "-d", "2", "--missing", "drop", "--pairs", "numbers.csv", "c.csv", "d.csv", "-o", "m.lb"])
        .succeeded();
    assert!(said.err.contains("1 pair was left out"), "{}", said.err);
    folder.write(
        "known.csv",
        "c,d\n".to_string() + &(0..60).step_by(4).filter(|i| *i != 10).map(|i| format!("{i},{i}\n")).collect::<String>(),
    );
    let found = folder.run(&["evaluate", "m.lb", "--truth", "known.csv", "--json"]);
    // Row 10 was dropped: its pair is not in the model, and the others find each other.
    let scores = found.json()["pairs"][0].clone();
    let foscttm = scores["scores"].as_array().unwrap().iter().find(|s| s["score"] == "foscttm").unwrap()["all"].as_f64().unwrap();
    assert!(foscttm < 0.05, "{foscttm}");
}

#[test]
fn pairs_by_id_of_dropped_rows_are_left_out_and_counted() {
    let folder = Folder::with_data();
    let mut lines: Vec<String> = folder.text("a.csv").lines().map(String::from).collect();
    let ids: Vec<String> = lines[1..].iter().map(|line| line.split(',').next().unwrap().to_string()).collect();
    let hole = |line: &str| {
        let mut cells: Vec<&str> = line.split(',').collect();
        cells[1] = "";
        cells.join(",")
    };
    lines[1] = hole(&lines[1]);
    lines[5] = hole(&lines[5]);
    folder.write("a.csv", lines.join("\n") + "\n");
    let other: Vec<String> = folder.text("b.csv").lines().skip(1).map(|l| l.split(',').next().unwrap().to_string()).collect();
    let pairs = |count: usize, extra: &str| {
        let rows: String = (0..count).map(|i| format!("{},{}\n", ids[i], other[i])).collect();
        format!("a,b\n{rows}{extra}")
    };
    folder.write("named.csv", pairs(20, ""));
    let fit = [
        "fit",
        "cca",
        "-d",
        "2",
        "--label-column",
        "kind",
        "--missing",
        "drop",
        "--pairs",
        "named.csv",
        "a.csv",
        "b.csv",
        "-o",
        "m.lb",
    ];
    let said = folder.run(&fit).succeeded();
    assert!(said.err.contains("2 pairs were left out"), "{}", said.err);
    // A name that the file never had stays an error.
    folder.write("named.csv", pairs(20, &format!("nobody,{}\n", other[30])));
    folder.run(&fit).failed(1, "1 cell is not a row of dataset \"a\": \"nobody\"");
}

#[test]
fn an_input_is_never_overwritten() {
    let folder = Folder::with_model();
    let before = folder.read("a.csv");
    let fit = ["fit", "linear", "-d", "2", "--label-column", "kind", "--pairs", "pairs.csv", "a.csv", "b.csv"];
    folder.run(&[&fit[..], &["-o", "a.csv"]].concat()).failed(2, "a.csv is read and would be written over");
    folder.run(&[&fit[..], &["-o", "./pairs.csv"]].concat()).failed(2, "written over");
    folder.run(&[&fit[..], &["-o", "new.csv"]].concat()).failed(2, "a model is not written as .csv");
    folder.run(&[&fit[..], &["-o", "new.h5ad"]].concat()).failed(2, "a model is not written as .h5ad");
    folder
        .run(&["transform", "m.lb", "a.csv", "--dataset", "a", "--label-column", "kind", "-o", "a.csv"])
        .failed(2, "written over");
    folder.run(&["match", "m.lb", "--from", "a", "--to", "b", "-o", "m.lb"]).failed(2, "m.lb");
    assert_eq!(before, folder.read("a.csv"));
    assert!(!folder.names().contains(&"new.csv".to_string()));
}

#[test]
fn names_that_are_row_numbers_are_told() {
    let folder = Folder::with_data();
    let numbered = |name: &str, to: &str| {
        let text: String = folder.text(name).lines().enumerate().fold(String::new(), |mut out, (at, line)| {
            let (_, rest) = line.split_once(',').unwrap();
            writeln!(out, "{},{rest}", if at == 0 { "id".to_string() } else { (at - 1).to_string() }).unwrap();
            out
        });
        folder.write(to, text);
    };
    numbered("a.csv", "c.csv");
    numbered("b.csv", "d.csv");
    let fit = ["fit", "linear", "-d", "2", "--label-column", "kind", "--id-column", "id", "--pairs-by-id", "-o", "m.lb"];
    let said = folder.run(&[&fit[..], &["c.csv", "d.csv"]].concat()).succeeded();
    assert!(said.err.contains("60 pairs came from equal names") && said.err.contains("mere row numbers"), "{}", said.err);
}

#[test]
fn labels_travel_with_their_probability() {
    let folder = Folder::with_model();
    let said = folder.run(&["labels", "m.lb", "--from", "a", "--to", "b", "-o", "labels.csv"]).succeeded();
    assert!(said.err.contains("60 rows of b"), "{}", said.err);
    let text = folder.text("labels.csv");
    assert!(text.starts_with("row,id,label,probability\n0,b0,early,1\n"), "{text}");
    assert_eq!(text.lines().count(), 61);
    let json = folder.run(&["labels", "m.lb", "--from", "a", "--min-probability", "1", "--json"]).json();
    assert_eq!(json["rows"], 60);
    assert_eq!(json["counts"]["unknown"].as_u64().unwrap_or(0), json["unknown"].as_u64().unwrap());
    folder.fit(&[]).succeeded();
    folder
        .run(&["fit", "linear", "-d", "2", "--pairs", "pairs.csv", "--columns", "x,y", "a.csv", "a2.csv", "-o", "n.lb"])
        .failed(1, "a2.csv");
}

#[test]
fn a_map_without_its_rows_maps_and_says_what_it_cannot_do() {
    let folder = Folder::with_data();
    let fit = ["fit", "--label-column", "kind", "--pairs", "pairs.csv", "a.csv", "b.csv", "-o"];
    folder.run(&[&fit[..], &["m.lb", "--method", "linear", "-d", "2"]].concat()).succeeded();
    folder.run(&[&fit[..], &["small.lb", "--method", "linear", "-d", "2", "--map-only"]].concat()).succeeded();
    assert!(folder.read("small.lb").len() < folder.read("m.lb").len());
    let place =
        |model: &str| folder.run(&["transform", model, "a.csv", "--dataset", "a", "--label-column", "kind"]).succeeded().out;
    assert_eq!(place("m.lb"), place("small.lb"));
    folder.run(&["match", "small.lb", "--from", "a", "--to", "b"]).failed(1, "without its fitted rows");
    folder.run(&["evaluate", "small.lb", "--truth", "truth.csv"]).failed(2, "small.lb has no rows to evaluate");
    folder
        .run(&[&fit[..], &["no.lb", "--method", "instance", "-d", "2", "--map-only"]].concat())
        .failed(1, "linear maps can do it");
}

#[test]
fn votes_do_not_pretend_to_place_rows() {
    let folder = Folder::with_data();
    folder
        .run(&["fit", "mean-votes", "--label-column", "kind", "--pairs", "pairs.csv", "a.csv", "b.csv", "-o", "v.lb"])
        .succeeded();
    folder.run(&["match", "v.lb", "--from", "a", "--to", "b"]).failed(1, "gives no coordinates");
    folder.run(&["transform", "v.lb", "a.csv", "--dataset", "a", "--label-column", "kind"]).failed(1, "gives no coordinates");
    folder.run(&["predict", "v.lb", "a.csv", "--from", "a", "--to", "b", "--label-column", "kind"]).succeeded();
}

#[test]
fn tables_of_spreadsheets_have_their_delimiter() {
    let folder = Folder::with_data();
    folder.write("e.csv", folder.text("a.csv").replace(',', ";"));
    let fit = ["fit", "linear", "-d", "2", "--delimiter", ";", "--label-column", "kind", "--pairs", "p.csv", "-o", "m.lb"];
    folder.write("f.csv", folder.text("b.csv").replace(',', ";"));
    folder.write("p.csv", folder.text("pairs.csv").replacen("a,b", "e,f", 1));
    let said = folder.run(&[&fit[..], &["e.csv", "f.csv"]].concat()).succeeded();
    assert!(said.err.contains("60 rows × 2 features"), "{}", said.err);
    folder.run(&["inspect", "e.csv", "--delimiter", "::"]).failed(2, "one character");
}
