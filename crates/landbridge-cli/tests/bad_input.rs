//! Whatever is wrong with the call or the files: a clear message, the right exit code, no file.

mod common;

use common::{FIT, Folder, Numbers, npy};

#[test]
fn wrong_pairs_are_named() {
    let folder = Folder::with_data();
    let fit = ["fit", "--method", "instance", "-d", "2", "--label-column", "kind", "a.csv", "b.csv", "-o", "m.lb"];
    folder.run(&fit).failed(1, "no pairs were given").failed(1, "hint: give at least one known pair");
    for (text, message) in [
        ("a,b\n", "no pairs were given"),
        ("a,b\na0,b0\n77,b1\n", "line 3: 1 cell is not a row of dataset \"a\": \"77\""),
        ("0,0\n60,1\n", "line 2: 1 cell is not a row of dataset \"a\": \"60\""),
        ("a,b\na0,b0\na1,\n", "line 3: only 1 dataset has an entry; a pair needs two"),
        ("a,b\na0,b0,1\n", "line 2: 3 fields where 2 are expected"),
        ("a,c\na0,b0\n", "there is no dataset \"c\""),
        ("a,b,weight\na0,b0,-1\n", "the weight is -1"),
        ("", "the file is empty"),
    ] {
        folder.write("p.csv", text);
        let said = folder.run(&[&fit[..], &["--pairs", "p.csv"]].concat());
        let code = if message.contains("there is no dataset") { 2 } else { 1 };
        said.failed(code, message);
    }
    assert!(!folder.path("m.lb").exists());
}

#[test]
fn impossible_parameters_end_with_two() {
    let folder = Folder::with_data();
    let chain: String = (1..60).map(|i| format!("{} {i} 1\n{i} {} 1\n", i + 1, i + 1)).collect();
    for name in ["a.mtx", "b.mtx"] {
        folder.write(name, format!("%%MatrixMarket matrix coordinate real general\n60 60 118\n{chain}"));
    }
    folder.refuses(
        FIT,
        r#"
        --n-neighbors 60 => has 60 rows; choose a value from 1 to 59
        --n-neighbors 0 => n_neighbors is 0
        --mu 0 => mu is 0; it must be a positive finite number
        --mu nan => mu is NaN
        --nu -1 => nu is -1
        --tolerance 0 => tolerance is 0
        --heat-width -2 => heat_width is -2
        --heat-width 1 --weights binary => --heat-width has no effect: only heat weights have a width
        --hard --mu 2 => --mu has no effect: hard pairs are merged
        --hard --no-balance => --balance has no effect: hard pairs are merged
        --graphs a.mtx,b.mtx --weights binary => weights is binary; it must be precomputed when graphs are given
        --graphs a.mtx,b.mtx --n-neighbors 5 => --n-neighbors has no effect: the graphs are given
        --graphs a.mtx,b.mtx --metric cosine => --metric has no effect: the graphs are given
        --graphs a.mtx,b.mtx --heat-width 1 => --heat-width has no effect: only heat weights have a width
        --names only => --names gives 1 name, there are 2 data files
        --key x => --key has no meaning here: no file is npz
        --id-column nothing => there is no column "nothing"
        --max-memory lots => use a number of bytes
        --metric manhattan => invalid value 'manhattan'
        --no-such-option => unexpected argument
        "#,
    );
    folder.refuses(
        "fit --pairs pairs.csv --label-column kind a.csv b.csv -o m.lb",
        "
        --method instance -d 120 => n_components is 120, but at most 119 are possible
        --method instance -d 0 => n_components is 0; it must be at least 1
        --method cle -d 2 --hard => --hard is not an option of cle; it belongs to instance
        --method cle -d 2 --plain => --plain is not an option of cle; it belongs to instance
        --method cle -d 2 --mu 3 => --mu is not an option of cle; it belongs to linear
        --method magic -d 2 => unrecognized subcommand 'magic'
        --method instance => instance needs -d (--n-components): dimension of the joint space
        ",
    );
    folder.say("fit --method instance -d 2 --pairs pairs.csv a.csv -o m.lb").failed(2, "DATA");
    folder
        .say("fit --method instance -d 2 --pairs pairs.csv --label-column kind a.csv a.csv -o m.lb")
        .failed(1, "two datasets are called \"a\"");
    for (option, formats) in [
        ("--header yes", "csv or tsv"),
        ("--id-column none", "csv, tsv, jsonl, parquet or arrow"),
        ("--label-column kind", "csv, tsv, jsonl, parquet, arrow, h5ad or h5mu"),
        ("--columns x", "csv, tsv, parquet or arrow"),
        ("--layer raw", "h5ad or h5mu"),
        ("--min-df 2", "txt or jsonl"),
    ] {
        folder
            .say(format!("fit --method instance -d 2 --pairs pairs.csv a.npy b.npy -o m.lb {option}"))
            .failed(2, &format!("has no meaning here: no file is {formats}"));
    }
    assert!(!folder.path("m.lb").exists());
}

#[test]
fn wrong_files_are_named_with_their_place() {
    let folder = Folder::with_model();
    folder.run(&["transform", "m.lb", "a.csv", "--dataset", "a", "--label-column", "kind", "-o", "z.npz"]).succeeded();
    folder.run(&["transform", "m.lb", "a.csv", "--dataset", "a", "--label-column", "kind", "-o", "z.mtx"]).succeeded();
    let (npz, mtx) = (folder.read("z.npz"), folder.read("z.mtx"));
    let whole = npy("(3, 2)", &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    let huge = npy("(1152921504606846976, 2)", &[1.0, 2.0]);
    let cases: [(&str, Vec<u8>, &str); 14] = [
        ("nan.csv", b"x,y\n1,2\n3,nan\n".into(), "line 3, column \"y\": the value is missing (\"nan\")"),
        ("inf.csv", b"x,y\n1,2\n3,inf\n".into(), "inf"),
        ("word.csv", b"x,y\n1,2\n3,cat\n".into(), "line 3, column \"y\": \"cat\" is not a number"),
        ("ragged.csv", b"x,y\n1,2\n3\n4,5\n".into(), "line 3: 1 field where 2 are expected"),
        ("empty.csv", vec![], "the file is empty"),
        ("header.csv", b"x,y\n".into(), "no data"),
        ("magic.npy", b"this is no array at all, is it?".into(), "the file is not npy"),
        ("cut.npy", whole[..whole.len() - 5].into(), "cut off"),
        ("huge.npy", huge, "huge.npy"),
        ("nan.npy", npy("(3, 1)", &[1.0, f64::NAN, 3.0]), "the value at row 1, column 0 is NaN"),
        ("cut.npz", npz[..npz.len() / 2].into(), "cut.npz"),
        ("cut.mtx", mtx[..mtx.len() / 2].into(), "cut.mtx"),
        ("huge.mtx", b"%%MatrixMarket matrix coordinate real general\n1152921504606846976 3 1\n1 1 1.0\n".into(), "huge.mtx"),
        ("not.csv.gz", b"x,y\n1,2\n".into(), "the file is not gzip"),
    ];
    for (name, content, message) in cases {
        folder.write(name, content);
        let args = ["fit", "--method", "instance", "-d", "2", "--pairs", "pairs.csv", name, "b.csv", "-o", "new.lb"];
        let said = folder.run(&args).failed(1, message);
        assert!(said.err.starts_with("error: "), "{}", said.err);
    }
    let fit = |name: &str| {
        folder.run(&["fit", "--method", "instance", "-d", "2", "--pairs", "pairs.csv", name, "b.csv", "-o", "new.lb"])
    };
    fit("none.csv").failed(1, "none.csv: cannot read: No such file");
    fit(".").failed(2, "no format");
    std::fs::create_dir(folder.path("dir.csv")).unwrap();
    fit("dir.csv").failed(1, "this is a folder");
    fit("a.doc").failed(2, "no format belongs to the extension .doc");
    fit("https://example.org/a.csv").failed(1, "remote files");
    assert!(!folder.path("new.lb").exists());
}

#[test]
fn models_that_are_not_whole_are_refused() {
    let folder = Folder::with_model();
    let whole = folder.read("m.lb");
    let load = |name: &str| folder.run(&["match", name, "--from", "a", "--to", "b"]);
    load("none.lb").failed(1, "cannot read");
    load("a.csv").failed(1, "not a landbridge model").failed(1, "hint: models are written by");
    load(".").failed(1, "this is a folder");
    folder.write("empty.lb", "");
    load("empty.lb").failed(1, "the file is empty");
    for end in [4, 8, 20, whole.len() / 2, whole.len() - 1] {
        folder.write("cut.lb", &whole[..end]);
        load("cut.lb").failed(1, if end < 8 { "not a landbridge model" } else { "the file is cut off" });
    }
    // Another version: the number stands in the header, outside of the checksum.
    let mark = br#"\"format\":1"#;
    let at = whole.windows(mark.len()).position(|w| w == mark).unwrap() + mark.len() - 1;
    let mut other = whole.clone();
    other[at] = b'9';
    folder.write("later.lb", &other);
    load("later.lb").failed(1, "model format 9, this landbridge reads format 1").failed(1, "hint: update landbridge");
    // Every single flipped bit is noticed.
    let mut numbers = Numbers(11);
    for _ in 0..200 {
        let (byte, bit) = (numbers.below(whole.len()), numbers.below(8));
        let mut flipped = whole.clone();
        flipped[byte] ^= 1 << bit;
        folder.write("flipped.lb", &flipped);
        let said = load("flipped.lb");
        assert_eq!(said.code, 1, "bit {bit} of byte {byte}: {}", said.err);
        assert!(said.err.contains("flipped.lb: ") && !said.err.contains("a bug in landbridge"), "{}", said.err);
    }
}

#[test]
fn outputs_that_cannot_be_written_are_clean_errors() {
    let folder = Folder::with_model();
    let old = folder.read("m.lb");
    let fit = |output: &str| {
        let args = ["fit", "--method", "instance", "-d", "2", "--pairs", "pairs.csv", "--label-column", "kind", "a.csv", "b.csv"];
        folder.run(&[&args[..], &["-o", output]].concat())
    };
    fit("none/m.lb").failed(1, "cannot write: No such file");
    fit("m.lb/x.lb").failed(1, "cannot write: ");
    fit(".").failed(1, "this is a folder");
    fit("/dev/full").failed(1, "/dev/full: cannot write: No space left");
    if std::path::Path::new("/sys/kernel").exists() {
        fit("/sys/kernel/m.lb").failed(1, "cannot write: ");
    }
    folder.run(&["plot", "m.lb", "-o", "/dev/full"]).failed(1, "No space left");
    folder.run(&["plot", "m.lb", "-o", "none/p.svg"]).failed(1, "cannot write");
    folder.run(&["demo", "-o", "none/p.svg"]).failed(1, "cannot write");
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = std::process::Command::new(common::BINARY)
        .current_dir(folder.dir.path())
        .args(["match", "m.lb", "--from", "a", "--to", "b"])
        .stdout(full)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("No space left"));
    // A folder nobody may write into (root may, always).
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let locked = folder.path("locked");
        std::fs::create_dir(&locked).unwrap();
        std::fs::set_permissions(&locked, std::fs::Permissions::from_mode(0o555)).unwrap();
        if std::fs::write(locked.join("probe"), "").is_err() {
            fit("locked/m.lb").failed(1, "cannot write: Permission denied");
        }
        std::fs::set_permissions(&locked, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    assert_eq!(folder.read("m.lb"), old);
    assert!(folder.names().iter().all(|n| !n.ends_with(".tmp")), "{:?}", folder.names());
}

#[test]
fn errors_for_machines_are_one_line_of_json() {
    let folder = Folder::with_data();
    let error = |args: &[&str], code: i32| -> serde_json::Value {
        let said = folder.run(args);
        assert_eq!(said.code, code, "{}", said.err);
        assert!(said.out.is_empty());
        assert_eq!(said.err.trim_end().lines().count(), 1, "{}", said.err);
        serde_json::from_str::<serde_json::Value>(&said.err).unwrap()["error"].clone()
    };
    let fit = ["fit", "--json", "--method", "instance", "-d", "2", "--label-column", "kind", "a.csv", "b.csv", "-o", "m.lb"];
    let found = error(&fit, 1);
    assert_eq!(found["kind"], "pairs");
    assert!(found["message"].as_str().unwrap().contains("no pairs were given"));
    assert!(found["hint"].as_str().unwrap().contains("--pairs"));
    assert_eq!(error(&[&fit[..], &["--pairs", "pairs.csv", "--mu", "-1"]].concat(), 2)["kind"], "parameter");
    assert_eq!(error(&[&fit[..], &["--pairs", "pairs.csv", "--hard", "--mu", "2"]].concat(), 2)["kind"], "usage");
    let found = error(&["fit", "linear", "--json", "--nonsense"], 2);
    assert_eq!(found["kind"], "usage");
    assert!(found["message"].as_str().unwrap().contains("--nonsense"));
    assert_eq!(error(&["evaluate", "none.lb", "--truth", "t.csv", "--json"], 1)["kind"], "io");
    folder.write("broken.lb", "nothing of the kind");
    assert_eq!(error(&["plot", "broken.lb", "-o", "p.svg", "--json"], 1)["kind"], "model");
}
