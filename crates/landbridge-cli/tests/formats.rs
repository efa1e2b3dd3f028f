//! Files of every kind from the command line: text, columns, ratings, structures, standard input, missing values.

mod common;

use assert_cmd::Command;
use common::{BINARY, Folder};
use landbridge_io::{ReadOptions, read_matrix};

/// Documents in two "languages": the same topics with other words.
fn corpora() -> Folder {
    let folder = Folder::empty();
    let (mut en, mut it, mut jsonl, mut pairs) = (String::new(), String::new(), String::new(), String::from("en,it\n"));
    for i in 0..40 {
        let words = |prefix: &str| (0..6).map(|k| format!("{prefix}{}", (i + k * k) % 12)).collect::<Vec<_>>().join(" ");
        en.push_str(&format!("The {} and the\n", words("Word")));
        it.push_str(&format!("la {} e la\n", words("parola")));
        jsonl.push_str(&format!("{{\"id\": \"d{i}\", \"body\": \"la {} e la\"}}\n", words("parola")));
        if i % 2 == 0 {
            pairs.push_str(&format!("{i},{i}\n"));
        }
    }
    folder.write("en.txt", en);
    folder.write("it.txt", it);
    folder.write("it.jsonl", jsonl);
    folder.write("pairs.csv", pairs);
    folder
}

fn fit_text(folder: &Folder, more: &[&str]) {
    let base = ["fit", "--method", "instance", "-d", "3", "--n-neighbors", "5", "--metric", "cosine", "--pairs", "pairs.csv"];
    folder.run(&[&base[..], &["en.txt", "it.txt", "-o", "m.lb", "--stop-words", "en,it"], more].concat()).succeeded();
}

#[test]
fn a_model_of_text_takes_new_text() {
    let folder = corpora();
    // Twelve documents, repeated: with one width for all rows, new copies lie exactly where the fitted ones do.
    fit_text(&folder, &["--weights", "heat"]);
    // The fitted documents again, as raw text, as a folder and from standard input: the same places.
    folder.run(&["transform", "m.lb", "en.txt", "--dataset", "en", "-o", "z.csv"]).succeeded();
    let places = folder.text("z.csv");
    assert_eq!(places.lines().count(), 41);
    let stdin = Command::new(BINARY)
        .current_dir(folder.dir.path())
        .args(["transform", "m.lb", "-", "--format", "txt", "--dataset", "en"])
        .write_stdin(folder.read("en.txt"))
        .output()
        .unwrap();
    assert_eq!(String::from_utf8(stdin.stdout).unwrap(), places);
    std::fs::create_dir(folder.path("new")).unwrap();
    for (i, line) in folder.text("en.txt").lines().enumerate() {
        folder.write(&format!("new/{i:02}.txt"), line);
    }
    folder.run(&["transform", "m.lb", "new", "--dataset", "en", "-o", "y.csv"]).succeeded();
    let without_ids: String = folder.text("y.csv").lines().map(|l| l.split_once(',').unwrap().1.to_string() + "\n").collect();
    assert_eq!(without_ids, places);
    // A sentence finds the document that has its words; the other dataset is found by itself.
    let said =
        folder.run(&["match", "m.lb", "--from", "en", "--text", "WORD0, word1 word4 word9 word4 word1!", "-k", "3"]).succeeded();
    assert_eq!(said.out.lines().count(), 4);
    assert!(said.err.contains("4 different words of the text are known"), "{}", said.err);
    let new = folder.run(&["match", "m.lb", "--from", "en", "--new", "en.txt", "-k", "1"]).succeeded();
    assert_eq!(new.out.lines().count(), 41);
    // Documents repeat after twelve.
    for line in new.out.lines().skip(1) {
        let cells: Vec<usize> = line.split(',').take(3).map(|c| c.parse().unwrap()).collect();
        assert_eq!(cells[0] % 12, cells[2] % 12, "{line}");
    }
}

#[test]
fn words_of_one_language_are_predicted_from_text_of_the_other() {
    let folder = corpora();
    let base = ["fit", "--method", "linear", "-d", "5", "--n-neighbors", "5", "--pairs", "pairs.csv", "en.txt", "it.txt"];
    folder.run(&[&base[..], &["--stop-words", "en,it", "-o", "m.lb"]].concat()).succeeded();
    folder.write("new.txt", "word0 word1 word4\nword5 word2\n");
    for name in ["p.parquet", "p.arrow", "p.csv"] {
        folder.run(&["predict", "m.lb", "new.txt", "--from", "en", "--to", "it", "-o", name]).succeeded();
        let predicted = read_matrix(folder.path(name), &ReadOptions::default()).unwrap();
        assert_eq!((predicted.rows.nrows(), predicted.rows.ncols()), (2, 12));
        assert!(predicted.columns.unwrap().contains(&"parola11".to_string()));
    }
    folder
        .run(&["predict", "m.lb", "new.txt", "--from", "en", "--to", "it", "--min-df", "2"])
        .failed(2, "--min-df has no meaning here");
    folder.write("none.txt", "unknown words\nword1\n");
    let said = folder.run(&["predict", "m.lb", "none.txt", "--from", "en", "--to", "it"]).succeeded();
    assert!(said.err.contains("1 of 2 documents has no word that the model knows"), "{}", said.err);
}

#[test]
fn text_of_another_language_is_told_once_and_short_text_is_not() {
    let folder = corpora();
    fit_text(&folder, &[]);
    // Italian documents, with some English words, as a file, in parts and line by line.
    let foreign: String = folder.text("it.txt").lines().map(|line| format!("{line} word{}\n", line.len() % 12)).collect();
    folder.write("foreign.txt", &foreign);
    let told = "would know about 100 % of text like that of the fit; this may be another language";
    for more in [&["-o", "z.csv"][..], &["-o", "parts/"], &[]] {
        let said = folder.run(&[&["transform", "m.lb", "foreign.txt", "--dataset", "en"][..], more].concat()).succeeded();
        assert_eq!(said.err.matches(told).count(), 1, "{more:?}: {}", said.err);
    }
    let stream = Command::new(BINARY)
        .current_dir(folder.dir.path())
        .args(["transform", "m.lb", "-", "--format", "txt", "--dataset", "en"])
        .write_stdin(foreign)
        .output()
        .unwrap();
    assert_eq!(String::from_utf8(stream.stderr).unwrap().matches(told).count(), 1);
    // Its own language, one word at a time, and a few words that it does not know.
    folder.write("short.txt", "word1\n".repeat(100));
    folder.write("names.txt", "word1 word2 Rome Florence Pisa\n");
    for file in ["en.txt", "short.txt", "names.txt"] {
        let said = folder.run(&["transform", "m.lb", file, "--dataset", "en"]).succeeded();
        assert!(!said.err.contains("warning"), "{file}: {}", said.err);
    }
}

#[test]
fn text_that_has_no_place_is_refused() {
    let folder = corpora();
    fit_text(&folder, &[]);
    folder
        .run(&["match", "m.lb", "--from", "en", "--text", "nothing known"])
        .failed(2, "none of its words is known to dataset \"en\"");
    folder
        .run(&["transform", "m.lb", "en.txt", "--dataset", "en", "--min-df", "2"])
        .failed(2, "--min-df has no meaning here: the model defines how text becomes columns");
    folder.run(&["transform", "m.lb", "en.txt", "--dataset", "en", "--stop-words", "en,it"]).failed(2, "gives 2 values");
    folder.run(&["match", "m.lb", "--from", "en", "--text", "a", "--new", "en.txt"]).failed(2, "cannot be used with");
    folder.write("new.txt", "word1 word2\n\nnothing known\n");
    let said = folder.run(&["transform", "m.lb", "new.txt", "--dataset", "en"]).succeeded();
    assert!(said.err.contains("2 of 3 documents have no word that the model knows"), "{}", said.err);
    let numbers = Folder::with_model();
    numbers.write("x.txt", "some words\n");
    numbers.run(&["transform", "m.lb", "x.txt", "--dataset", "a"]).failed(2, "dataset \"a\" was not fitted from text");
    numbers.run(&["match", "m.lb", "--from", "a", "--text", "words"]).failed(2, "was not fitted from text");
    folder.run(&["inspect", "en.txt", "--stop-words", "xx"]).failed(2, "stop_words is \"xx\"");
    folder.run(&["inspect", "en.txt", "--char-ngrams", "5-3"]).failed(2, "char_ngrams is 5-3");
    folder.run(&["inspect", "en.txt", "--min-df", "99"]).failed(1, "no word is left of 40 documents");
    folder.run(&["inspect", "it.jsonl"]).failed(2, "there is no column \"text\"; there are \"id\", \"body\"");
}

#[test]
fn inspect_says_what_is_understood() {
    let folder = corpora();
    let said = folder.run(&["inspect", "it.jsonl", "--text-field", "body", "--stop-words", "it", "--json"]).succeeded();
    let found = &said.json()["files"][0];
    assert_eq!((&found["rows"], &found["features"], &found["kind"]), (&40.into(), &12.into(), &"sparse".into()));
    assert_eq!(found["ids"], serde_json::json!(["d0", "d1", "d2", "d3", "d4"]));
    assert_eq!(found["columns"][0], "parola0");
    assert_eq!(found["text"], true);
    folder.write("t.csv", "id,x,y,k\na,1,0,u\nb,,4,v\nc,0,0,u\n");
    let said = folder.run(&["inspect", "t.csv", "--label-column", "k"]).succeeded();
    for line in [
        "  rows      3, ids: a, b, c\n",
        "  features  2, dense f64, x, y\n",
        "  density   50.0000 % are not zero\n",
        "  labels    2 kinds: u, v\n",
        "  missing   1 value; --missing zero, mean or drop says how to handle them\n",
        "  empty     1 row without a value that is not zero\n",
    ] {
        assert!(said.out.contains(line), "{line:?} in\n{}", said.out);
    }
    let several = folder.run(&["inspect", "t.csv", "en.txt", "--label-column", "k", "--stop-words", "en"]).succeeded();
    assert!(several.out.contains("t.csv\n") && several.out.contains("en.txt\n"));
    folder.run(&["inspect", "none.csv"]).failed(1, "cannot read");
    folder.run(&["inspect", "t.csv", "--ratings"]).failed(1, "line 3: the item is missing");
}

#[test]
fn missing_values_and_doubled_ids_are_settled_as_told() {
    let folder = Folder::empty();
    folder.write("a.csv", "id,x,y\na,1,\nb,,4\nc,3,8\nd,5,6\n");
    folder.write("b.csv", "id,u\na,1\nb,2\nc,3\nd,5\n");
    folder.write("pairs.csv", "a,b\nc,c\nd,d\n");
    let fit = |more: &[&str]| {
        let base = ["fit", "--method", "instance", "-d", "1", "--n-neighbors", "1", "--pairs", "pairs.csv", "a.csv", "b.csv"];
        folder.run(&[&base[..], &["-o", "m.lb"], more].concat())
    };
    fit(&[]).failed(1, "line 2, column \"y\": the value is missing").failed(1, "--missing zero, mean or drop");
    for policy in ["zero", "mean"] {
        let said = fit(&["--missing", policy]).succeeded();
        assert!(said.err.contains("a: 4 rows"), "{}", said.err);
    }
    let said = fit(&["--missing", "drop"]).succeeded();
    assert!(said.err.contains("a: 2 rows"), "{}", said.err);
    folder.write("pairs.csv", "a,b\nz1,c\nz2,d\nz3,d\nz4,d\nz5,d\nz6,d\n");
    fit(&["--missing", "zero"]).failed(1, "6 cells are not rows of dataset \"a\": \"z1\", \"z2\", \"z3\", \"z4\", \"z5\"");
    folder.write("b.csv", "id,u\na,1\nb,2\na,3\nd,5\n");
    fit(&["--missing", "zero"]).failed(1, "b.csv: the id \"a\" stands for row 0 and for row 2").failed(1, "--id-column none");
    folder.write("b.csv", "id,u\na,1\nb,2\nc,red\nd,5\n");
    fit(&["--missing", "zero"])
        .failed(1, "line 4, column \"u\": \"red\" is not a number")
        .failed(1, "--id-column, --label-column");
    std::fs::create_dir(folder.path("other")).unwrap();
    folder.write("other/a.csv", "id,u\na,1\nb,2\n");
    folder
        .run(&["fit", "--method", "instance", "-d", "1", "--missing", "zero", "a.csv", "other/a.csv", "-o", "m.lb"])
        .failed(1, "two datasets are called \"a\"")
        .failed(1, "--names a,b");
}

#[test]
fn columns_that_are_no_data_are_left_out() {
    let folder = Folder::empty();
    folder.write("a.csv", "residue,name,x,y,z\n1,LYS,0,0,0\n2,MET,1,0,0\n3,GLY,0,2,0\n4,LYS,0,0,3\n");
    folder.write("b.csv", "residue,name,x,y,z\n1,LYS,0,0,0\n2,MET,2,0,0\n3,GLY,0,4,0\n4,LYS,0,0,6\n");
    let fit = |columns: &str| {
        let base = "fit --method procrustes --embedding none --pairs pairs.csv a.csv b.csv -o m.lb --columns";
        folder.run(&base.split(' ').chain([columns]).collect::<Vec<_>>())
    };
    folder.write("pairs.csv", "a,b\n0,0\n1,1\n2,2\n3,3\n");
    fit("x,y,z").succeeded();
    folder.run(&["transform", "m.lb", "b.csv", "--dataset", "b", "--columns", "x,y,z", "-o", "z.csv"]).succeeded();
    let z = read_matrix(folder.path("z.csv"), &ReadOptions::default()).unwrap();
    assert_eq!((z.rows.nrows(), z.rows.ncols()), (4, 3));
    fit("x,w").failed(2, "there is no column \"w\"");
    fit("x,name").failed(1, "\"LYS\" is not a number").failed(1, "--columns");
}

#[test]
fn results_are_written_in_columns() {
    let folder = Folder::with_model();
    for name in ["m.parquet", "m.arrow", "m.parquet.zst"] {
        folder.run(&["match", "m.lb", "--from", "a", "-k", "2", "-o", name]).succeeded();
        let options = ReadOptions {
            id_column: Some(landbridge_io::IdColumn::Absent),
            label_column: Some("target_id".into()),
            ..ReadOptions::default()
        };
        let error = read_matrix(folder.path(name), &options).unwrap_err().to_string();
        assert!(error.ends_with("column \"source_id\" holds text, not numbers"), "{error}");
        folder.run(&["transform", "m.lb", "a.csv", "--dataset", "a", "--label-column", "kind", "-o", name]).succeeded();
        let placed = read_matrix(folder.path(name), &ReadOptions::default()).unwrap();
        assert_eq!((placed.rows.nrows(), placed.rows.ncols()), (60, 4));
        assert_eq!(placed.row_ids.unwrap()[7], "a7");
    }
    folder.run(&["transform", "m.lb", "a.csv", "--dataset", "a", "--label-column", "kind", "-o", "z.csv"]).succeeded();
    let (columns, text) = (
        read_matrix(folder.path("m.arrow"), &ReadOptions::default()),
        read_matrix(folder.path("z.csv"), &ReadOptions::default()),
    );
    assert_eq!(columns.unwrap(), text.unwrap());
    folder.run(&["match", "m.lb", "--from", "a", "-o", "m.npy"]).failed(2, "matches are written as csv, tsv, parquet or arrow");
}

#[test]
fn ratings_structures_and_standard_input_are_data() {
    let folder = Folder::empty();
    folder.write("r.csv", "user,item,rating,time\nann,x,5,1\nbob,y,0,2\nann,y,2,3\n");
    let found = folder.run(&["inspect", "r.csv", "--ratings", "--json"]).succeeded().json()["files"][0].clone();
    assert_eq!((&found["rows"], &found["stored"], &found["ids"]), (&2.into(), &3.into(), &serde_json::json!(["ann", "bob"])));
    let mut pdb = String::new();
    for model in 1..=2 {
        pdb.push_str(&format!("MODEL     {model:4}\n"));
        for i in 1..=8 {
            let t = f64::from(i) + 0.1 * f64::from(model);
            let (x, y) = (t.cos(), t.sin());
            pdb.push_str(&format!("ATOM  {i:5}  CA  GLY A{i:4}    {x:8.3}{y:8.3}{t:8.3}  1.00  0.00           C\n"));
        }
        pdb.push_str("ENDMDL\n");
    }
    folder.write("p.pdb", &pdb);
    folder.write("pairs.csv", "one,two\nA:1,A:1\nA:5,A:5\nA:8,A:8\n");
    let base = ["fit", "--method", "instance", "-d", "2", "--n-neighbors", "2", "--pairs", "pairs.csv", "p.pdb", "p.pdb"];
    let said = folder.run(&[&base[..], &["--model", "1,2", "--names", "one,two", "-o", "p.lb"]].concat()).succeeded();
    assert!(said.err.contains("one: 8 rows × 3 features"), "{}", said.err);
    folder.run(&["inspect", "p.pdb", "--model", "5"]).failed(2, "there is no model 5; there are models \"1\", \"2\"");
    folder.run(&["inspect", "r.csv", "--chain", "A"]).failed(2, "--chain has no meaning here: no file is pdb or mmcif");
    folder.run(&["inspect", "-", "-"]).failed(2, "- is given twice");
    folder.run(&["inspect", "https://example.org/a.parquet"]).failed(1, "remote files are not read or written");
    for (args, content) in [
        (vec!["inspect", "-", "--json"], b"x,y\n1,2\n".to_vec()),
        (vec!["inspect", "-", "--format", "pdb", "--json"], pdb.clone().into_bytes()),
        (vec!["inspect", "-", "--format", "csv", "--ratings", "--json"], folder.read("r.csv")),
    ] {
        let output = Command::new(BINARY).args(&args).write_stdin(content).output().unwrap();
        assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    }
}
