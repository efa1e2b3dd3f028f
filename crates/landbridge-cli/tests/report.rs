//! `landbridge report`, and what `landbridge plot` draws besides the datasets.
#![allow(missing_docs)]

mod common;
use common::Folder;

#[test]
fn a_report_is_one_page() {
    let folder = Folder::with_model();
    let said = folder.run(&["report", "m.lb", "-o", "r.html"]).succeeded();
    assert!(said.err.contains("page written to r.html"), "{}", said.err);
    let page = folder.text("r.html");
    assert!(page.starts_with("<!doctype html>") && page.contains("<title>a and b in one space</title>"));
    assert!(page.contains("the 12 pairs used in the fit"), "nothing is held out");
    let value =
        folder.run(&["report", "m.lb", "-o", "s.html", "--truth", "truth.csv", "--title", "Spirals & co", "--json"]).succeeded();
    assert_eq!(value.json()["bytes"].as_u64().unwrap() as usize, folder.text("s.html").len());
    let page = folder.text("s.html");
    assert!(page.contains("<title>Spirals &amp; co</title>") && page.contains("48 pairs that the fit did not see"));
    assert_eq!(folder.run(&["report", "m.lb", "-o", "-", "-q"]).succeeded().out, folder.text("r.html"));
}

#[test]
fn a_report_takes_the_data_and_texts_of_the_fit() {
    let folder = Folder::with_model();
    folder.write("texts.txt", (0..60).map(|i| format!("text of row {i}\n")).collect::<String>());
    let data = ["--label-column", "kind", "--data", "a.csv", "b.csv"];
    let call = |more: &[&str]| folder.run(&[&["report", "m.lb", "-o", "r.html"], more, &data].concat());
    call(&["--texts", "texts.txt,", "--features", "x,w", "--check-pairs"]).succeeded();
    assert!(folder.text("r.html").contains("part-texts-0") && !folder.text("r.html").contains("part-texts-1"));
    call(&["--features", "price"]).failed(1, "no dataset has a column of that name");
    call(&["--texts", "pairs.csv"]).failed(2, "13 lines; \"a\" has 60 rows");
    call(&["--texts", ",,texts.txt"]).failed(2, "more files than the model has datasets");
    folder.run(&["report", "m.lb", "-o", "x.html", "--data", "a.csv"]).failed(2, "1 file; the model has 2 datasets");
    folder.run(&["report", "m.lb", "-o", "x.html", "--check-pairs"]).failed(2, "needs the data of the fit");
    // Rows of another order are not those of the fit.
    let mut lines: Vec<String> = folder.text("a.csv").lines().map(String::from).collect();
    lines.swap(1, 2);
    folder.write("a.csv", lines.join("\n"));
    call(&[]).failed(2, "row 0 is \"a1\"; in the model it is \"a0\"");
    folder.write("a.csv", lines[..30].join("\n"));
    call(&[]).failed(2, "29 rows; the model was fitted with 60 rows");
    assert!(!folder.path("x.html").exists());
}

#[test]
fn mistakes_in_reports_are_refused() {
    let folder = Folder::with_model();
    folder.run(&["report", "m.lb", "-o", "r.pdf"]).failed(2, "pages are written as .html");
    folder.run(&["report", "m.lb", "-o", "r.html", "--max-points", "0"]).failed(2, "at least 1");
    folder.run(&["report", "m.lb", "-o", "none/r.html"]).failed(1, "cannot write");
    folder.run(&["report", "m.lb", "-o", "-", "--json"]).failed(2, "standard output");
    folder.run(&["report", "m.lb", "-o", "r.html", "--delimiter", ";"]).failed(2, "no data file is read");
    folder.write("empty.csv", "a,b\n");
    assert_ne!(folder.run(&["report", "m.lb", "-o", "r.html", "--truth", "empty.csv"]).code, 0);
    assert!(!folder.path("r.html").exists());
}

#[test]
fn plot_names_rows_highlights_labels_and_draws_recall() {
    let folder = Folder::with_model();
    folder.run(&["plot", "m.lb", "-o", "p.svg", "--label", "a7,b:b9", "--highlight", "late"]).succeeded();
    let svg = folder.text("p.svg");
    // Once in the dataset before, once in the joint space.
    assert_eq!((svg.matches(">a7</text>").count(), svg.matches(">b9</text>").count()), (2, 2));
    assert!(svg.contains(">late</text>") && svg.contains("2 other labels") && !svg.contains(">early</text>"));
    folder.run(&["plot", "m.lb", "-o", "x.svg", "--label", "c1"]).failed(2, "no dataset of this model has a row \"c1\"");
    folder.run(&["plot", "m.lb", "-o", "x.svg", "--highlight", "never"]).failed(2, "no row has the label \"never\"");
    folder.run(&["plot", "m.lb", "-o", "x.svg", "--highlight", "late", "--color", "dataset"]).failed(2, "shows no labels");
    folder.run(&["plot", "m.lb", "-o", "recall.svg", "--recall", "--truth", "truth.csv"]).succeeded();
    let svg = folder.text("recall.svg");
    for words in ["a → b", "b → a", "chance", "48 pairs that the fit did not see"] {
        assert!(svg.contains(words), "{words}");
    }
    folder.run(&["plot", "m.lb", "-o", "fitted.svg", "--recall"]).succeeded();
    assert!(folder.text("fitted.svg").contains("12 pairs, all used in the fit"));
    folder.run(&["plot", "m.lb", "-o", "x.svg", "--truth", "truth.csv"]).failed(2, "--recall");
    folder.run(&["plot", "m.lb", "-o", "x.svg", "--recall", "--highlight", "late"]).failed(2, "--highlight");
    assert!(!folder.path("x.svg").exists());
}

#[test]
fn at_most_a_hundred_pair_lines_are_drawn() {
    let folder = Folder::empty();
    folder.run(&["demo", "rolls", "--data", "d", "-q"]).succeeded();
    let all = folder.text("d/truth.csv");
    folder.write("pairs.csv", all);
    let fit = [
        "fit",
        "instance",
        "-d",
        "3",
        "--pairs",
        "pairs.csv",
        "d/roll.csv",
        "d/sheet.csv",
        "-o",
        "m.lb",
        "--label-column",
        "label",
    ];
    folder.run(&fit).succeeded();
    folder.run(&["plot", "m.lb", "-o", "p.svg"]).succeeded();
    assert!(folder.text("p.svg").contains("100 of 1,000 known pairs drawn"));
}
