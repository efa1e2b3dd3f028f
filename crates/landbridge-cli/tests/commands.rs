//! Every documented command, on small data.

mod common;

use common::{BINARY, Folder, Numbers};
use std::io::Read;
use std::process::Stdio;

#[test]
fn fit_writes_a_model_and_says_how_it_went() {
    let folder = Folder::with_data();
    let said = folder.fit(&[]).succeeded();
    assert!(said.out.is_empty());
    for words in ["a: 60 rows × 2 features", "b: 60 rows × 3 features", "12 known", "converged", "one connected piece", "m.lb"]
    {
        assert!(said.err.contains(words), "{words}: {}", said.err);
    }
    assert!(folder.path("m.lb").exists());
    assert!(folder.fit(&["--quiet"]).succeeded().err.is_empty());
    let said = folder.fit(&["--json"]).succeeded();
    assert!(said.err.is_empty(), "{}", said.err);
    let value = said.json();
    assert_eq!(value["method"], "instance");
    assert_eq!(value["pairs"], 12);
    assert_eq!(value["datasets"][1]["features"], 3);
    assert_eq!(value["outcome"]["status"], "converged");
    assert_eq!(value["eigenvalues"].as_array().unwrap().len(), 4);
    assert!(value["outcome"]["seconds"]["graphs"].is_number());
}

#[test]
fn new_rows_belong_to_a_dataset_that_is_named() {
    let folder = Folder::with_model();
    folder
        .say("transform m.lb a.csv --id-column id --label-column kind")
        .failed(2, "--dataset is missing: the rows belong to one of a, b");
}

#[test]
fn a_multiscale_model_speaks_at_every_level() {
    let folder = Folder::with_data();
    let fit = "fit --method multiscale --precision 0.01 --pairs pairs.csv a.csv b.csv --id-column id --label-column kind -o m.lb";
    let said = folder.say(fit).succeeded();
    assert!(said.err.contains("dimensions, level 0 first"), "{}", said.err);
    let value = folder.say(format!("{fit} --json")).succeeded().json();
    let levels = value["levels"].as_array().unwrap().clone();
    assert!(levels.len() > 1);
    for (l, level) in levels.iter().enumerate() {
        let l = l.to_string();
        let out = folder
            .run(&["transform", "m.lb", "a.csv", "--dataset", "a", "--level", &l, "--label-column", "kind"])
            .succeeded()
            .out;
        let columns = out.lines().nth(1).unwrap().split(',').count();
        assert!(columns as u64 >= level["dimension"].as_u64().unwrap(), "{out}");
        folder.run(&["match", "m.lb", "--from", "a", "--to", "b", "--level", &l]).succeeded();
        folder.run(&["evaluate", "m.lb", "--truth", "truth.csv", "--level", &l, "--json"]).succeeded();
    }
    let missing = folder.run(&["match", "m.lb", "--from", "a", "--to", "b", "--level", "99"]);
    assert_eq!(missing.code, 2, "{}", missing.err);
    assert!(missing.err.contains("0 is the finest"), "{}", missing.err);
    folder.refuses(
        &fit.replace("--precision 0.01", ""),
        "
        --precision 1 => below 1
        --precision -3 => above 0
        -d 3 => -d is not an option of multiscale
        --max-levels 0 => at least 1
        ",
    );

    // Topics: two columns are two topics; three words.
    folder.write("ta.csv", "cat,dog,sun\n1,0.5,0\n0,0.2,1\n");
    folder.write("tb.csv", "cat,dog,sun\n1,0,0\n0,1,0\n0,0,1\n");
    let said =
        folder.run(&["topics", "m.lb", "--topics", "ta.csv,tb.csv", "-n", "2", "--tree", "tree.svg", "--level", "1"]).succeeded();
    assert!(said.out.contains("topic 0 (cosine"), "{}", said.out);
    assert!(String::from_utf8(folder.read("tree.svg")).unwrap().starts_with("<svg"));
    let value = folder.run(&["topics", "m.lb", "--topics", "ta.csv,tb.csv", "--json"]).succeeded().json();
    assert!(value["topics"][0]["words"]["a"].is_array());
    assert_eq!(folder.run(&["topics", "m.lb", "--topics", "ta.csv"]).code, 1);

    let flat = Folder::with_model();
    assert!(flat.run(&["match", "m.lb", "--from", "a", "--to", "b", "--level", "0"]).err.contains("--level has no meaning"));
}

#[test]
fn fit_takes_every_option_and_they_reach_the_library() {
    let folder = Folder::with_data();
    let more = "--n-neighbors 7 --metric cosine --weights heat --heat-width 0.5 --mu 2 --nu 0.5 --no-balance --plain \
                --search exact --tolerance 1e-6 --random-state 3 --n-jobs 1 --names left,right --json --header yes --id-column id \
                --max-memory 1G";
    folder.write("pairs.csv", "right,left\nb0,a0\nb30,a30\nb59,a59\n");
    let value = folder.fit(&more.split_whitespace().collect::<Vec<_>>()).succeeded().json();
    let params = &value["params"];
    for (name, expected) in [
        ("n_neighbors", "7"),
        ("metric", "\"cosine\""),
        ("weights", "\"heat\""),
        ("heat_width", "0.5"),
        ("mu", "2.0"),
        ("nu", "0.5"),
        ("balance", "false"),
        ("normalized", "false"),
        ("hard", "false"),
        ("search", "\"exact\""),
        ("tolerance", "1e-6"),
        ("random_state", "3"),
    ] {
        assert_eq!(params[name].to_string(), expected, "{name}");
    }
    assert_eq!(value["datasets"][0]["name"], "left");
    assert_eq!(folder.fit(&["--hard", "--json"]).code, 1, "the pairs file names other datasets");
    let folder = Folder::with_data();
    assert_eq!(folder.fit(&["--hard", "--json"]).succeeded().json()["params"]["hard"], true);
    let said = folder.run(&[
        "fit",
        "--method",
        "cle",
        "-d",
        "2",
        "--pairs",
        "pairs.csv",
        "--label-column",
        "kind",
        "a.csv",
        "b.csv",
        "-o",
        "c.lb",
        "--json",
    ]);
    let value = said.succeeded().json();
    assert_eq!(value["method"], "cle");
    assert_eq!(value["params"]["n_neighbors_predict"], 10);
}

#[test]
fn given_graphs_replace_neighbours() {
    let folder = Folder::with_data();
    let mut mtx = String::from("%%MatrixMarket matrix coordinate real symmetric\n60 60 59\n");
    (1..60).for_each(|i| mtx.push_str(&format!("{} {} 1.0\n", i + 1, i)));
    folder.write("w1.mtx", &mtx);
    folder.write("w2.mtx", &mtx);
    folder.fit(&["--graphs", "w1.mtx,w2.mtx"]).succeeded();
    let one = folder.read("m.lb");
    folder.fit(&["--graphs", "w1.mtx", "--graphs", "w2.mtx", "--weights", "precomputed"]).succeeded();
    assert_eq!(folder.read("m.lb"), one);
    // Such a model has no rows: the joint space is drawn, the datasets are not, and new rows have no place.
    let said = folder.run(&["plot", "m.lb", "-o", "p.svg"]).succeeded();
    assert!(said.err.contains("no picture of \"a\" before"), "{}", said.err);
    folder.run(&["transform", "m.lb", "a.csv", "--dataset", "a", "--label-column", "kind"]).failed(1, "its graph was given");
    folder.fit(&["--graphs", "w1.mtx"]).failed(2, "one per dataset (2)");
    folder.fit(&["--weights", "precomputed"]).failed(2, "graphs is absent");
}

#[test]
fn transform_places_rows_in_every_format() {
    let folder = Folder::with_model();
    let base = ["transform", "m.lb", "b.csv", "--label-column", "kind", "--dataset"];
    let said = folder.run(&[&base[..], &["b"]].concat()).succeeded();
    let lines: Vec<&str> = said.out.lines().collect();
    assert_eq!((lines.len(), lines[0]), (61, "id,z0,z1,z2,z3"));
    assert!(lines[1].starts_with("b0,"));
    assert_eq!(folder.run(&[&base[..], &["1"]].concat()).succeeded().out, said.out, "by position");
    for name in ["z.csv", "z.tsv", "z.npy", "z.npz", "z.mtx", "z.npy.gz", "z.csv.zst"] {
        let done = folder.run(&[&base[..], &["b", "-o", name, "--json"]].concat()).succeeded();
        assert_eq!(done.json()["rows"], 60);
    }
    assert_eq!(folder.text("z.csv"), said.out);
    assert_eq!(folder.text("z.tsv"), said.out.replace(',', "\t"));
    // What was written is read again: fitted on its own embedding, the npy gives what the csv gives.
    for name in ["z.npy", "z.npz", "z.mtx", "z.npy.gz"] {
        let args =
            ["fit", "--method", "instance", "-d", "2", "--pairs", "p.csv", "--names", "s,t", name, name, "-o", "zz.lb", "--json"];
        folder.write("p.csv", "0,0\n30,30\n59,59\n");
        assert_eq!(folder.run(&args).succeeded().json()["datasets"][0]["features"], 4, "{name}");
    }
    folder.run(&[&base[..], &["b", "--json"]].concat()).failed(2, "standard output");
    folder.run(&[&base[..], &["c"]].concat()).failed(2, "there is no dataset \"c\"; there are \"a\", \"b\"");
    folder.run(&[&base[..], &["2"]].concat()).failed(2, "there is no dataset");
    folder.run(&[&base[..], &["a"]].concat()).failed(1, "2 columns of the fit are missing: \"x\", \"y\"");
    folder.run(&[&base[..], &["b", "-o", "z.doc"]].concat()).failed(2, "no format belongs to the extension .doc");
}

#[test]
fn match_tells_the_chance_of_each_match() {
    let folder = Folder::with_model();
    let base = ["match", "m.lb", "--from", "a", "--to", "b", "--how", "csls"];
    assert!(folder.run(&[&base[..], &["--confidence"]].concat()).err.contains("has no maps of the features"));
    // Two views of one cloud in 8 and 7 columns; the pairs are known to be right.
    let mut numbers = Numbers(3);
    let (mut x, mut y, mut pairs) = (String::new(), String::new(), String::from("x,y\n"));
    for i in 0..200 {
        let mut number = || numbers.below(1000) as f64 / 1000.0;
        let cloud: Vec<f64> = (0..6).map(|_| number()).collect();
        let mut line = |columns: usize| {
            let mix = |c: usize| (0..6).map(|k| cloud[k] * ((3 * k + 5 * c * c + c) % 11) as f64).sum::<f64>();
            (0..columns).map(|c| (mix(c) + 0.01 * number()).to_string()).collect::<Vec<_>>().join(",")
        };
        x += &format!("{}\n", line(8));
        y += &format!("{}\n", line(7));
        if i % 4 == 0 {
            pairs += &format!("{i},{i}\n");
        }
    }
    folder.write("x.csv", x);
    folder.write("y.csv", y);
    folder.write("p.csv", pairs);
    let fit = ["fit", "cca", "-d", "6", "--trust", "--pairs", "p.csv", "--header", "no", "x.csv", "y.csv", "-o", "m.lb"];
    folder.run(&fit).succeeded();
    let base = ["match", "m.lb", "--from", "x", "--how", "csls"];
    let all = folder.run(&[&base[..], &["--confidence"]].concat()).succeeded();
    assert_eq!(all.out.lines().next(), Some("source_row,rank,target_row,distance,confidence"));
    assert_eq!(all.out.lines().count(), 201, "k is 1 by default");
    assert!(all.err.contains("of 200 rows have a partner with chance >= 0.9; expected right"), "{}", all.err);
    let sure = folder.run(&[&base[..], &["--min-confidence", "0.9", "--json"]].concat()).succeeded().json();
    let kept = sure["matches"].as_array().unwrap();
    let right = kept.iter().filter(|m| m["source_row"] == m["target_row"]).count();
    assert!(kept.len() > 100 && right + 5 >= kept.len(), "{right} of {}", kept.len());
    assert!(kept.iter().all(|m| m["confidence"].as_f64().unwrap() >= 0.9));
    assert!(sure["confidence"]["expected_right"].as_f64().unwrap() > 100.0);
    folder.run(&[&base[..], &["--min-confidence", "2"]].concat()).failed(2, "between 0 and 1");
    folder.run(&[&base[..], &["--confidence", "--new", "x.csv"]].concat()).failed(2, "cannot be used with");
}

#[test]
fn match_lists_rows_ids_ranks_and_distances() {
    let folder = Folder::with_model();
    let base = ["match", "m.lb", "--from", "a", "--to", "b"];
    let said = folder.run(&[&base[..], &["-k", "2"]].concat()).succeeded();
    let lines: Vec<&str> = said.out.lines().collect();
    assert_eq!((lines.len(), lines[0]), (121, "source_row,source_id,rank,target_row,target_id,distance"));
    assert!(lines[1].starts_with("0,a0,1,") && lines[2].starts_with("0,a0,2,"), "{lines:?}");
    assert!(said.err.contains("60 of 60 rows of a have a match in b"));
    assert_eq!(folder.run(&base).succeeded().out.lines().count(), 61, "k is 1 by default, as in Python");
    for how in ["mutual", "assignment"] {
        let said = folder.run(&[&base[..], &["--how", how]].concat()).succeeded();
        assert!((2..=61).contains(&said.out.lines().count()), "{how}");
        folder.run(&[&base[..], &["--how", how, "-k", "2"]].concat()).failed(2, "k is 2; it must be 1");
    }
    folder.run(&[&base[..], &["--how", "csls", "-k", "3", "-o", "matches.tsv"]].concat()).succeeded();
    assert!(folder.text("matches.tsv").starts_with("source_row\tsource_id\trank"));
    folder.run(&[&base[..], &["--how", "csls", "--metric", "euclidean"]].concat()).failed(2, "csls");
    folder.run(&[&base[..], &["--metric", "cosine", "-k", "60"]].concat()).succeeded();
    folder.run(&[&base[..], &["-k", "61"]].concat()).failed(2, "k is 61; it must be between 1 and 60");
    folder.run(&[&base[..], &["-o", "m.npy"]].concat()).failed(2, "csv, tsv, parquet or arrow");
    folder.run(&["match", "m.lb", "--from", "a", "--to", "a"]).failed(2, "every row is its own match");
    folder.run(&[&base[..], &["--header", "yes"]].concat()).failed(2, "--header has no meaning here");
    // New rows: the first three fitted ones, which keep their places, so they match as the fitted rows do.
    folder.write("new.csv", folder.text("a.csv").lines().take(4).collect::<Vec<_>>().join("\n").replace("a0", "new0"));
    let new = folder.run(&[&base[..], &["--new", "new.csv", "--label-column", "kind", "-k", "2"]].concat()).succeeded();
    assert_eq!(new.out.lines().count(), 7);
    assert_eq!(new.out.lines().nth(1).unwrap().replace("new0", "a0"), lines[1]);
    let value = folder.run(&[&base[..], &["-k", "1", "--json"]].concat()).succeeded().json();
    assert_eq!(value["matches"].as_array().unwrap().len(), 60);
    assert_eq!(value["matches"][7]["source_id"], "a7");
    let value = folder.run(&[&base[..], &["-k", "1", "--json", "-o", "x.csv"]].concat()).succeeded().json();
    assert_eq!((value["matched"].as_u64(), value["output"].as_str()), (Some(60), Some("x.csv")));
    assert!(value["matches"].is_null() && folder.path("x.csv").exists());
}

#[test]
fn evaluate_separates_held_out_pairs_from_given_ones() {
    let folder = Folder::with_model();
    let said = folder.run(&["evaluate", "m.lb", "--truth", "truth.csv"]).succeeded();
    for words in
        ["held out (48)", "all (60)", "chance", "recall@1   a → b", "recall@10  b → a", "FOSCTTM", "label transfer a → b"]
    {
        assert!(said.out.contains(words), "{words}:\n{}", said.out);
    }
    let value = folder.run(&["evaluate", "m.lb", "--truth", "truth.csv", "-k", "5,1", "--json"]).succeeded().json();
    let pair = &value["pairs"][0];
    assert_eq!((pair["true_pairs"].as_u64(), pair["given"].as_u64(), pair["held_out"].as_u64()), (Some(60), Some(12), Some(48)));
    let scores = pair["scores"].as_array().unwrap();
    assert_eq!(scores.len(), 2 * 2 + 1 + 2);
    assert_eq!((scores[0]["score"].as_str(), scores[0]["k"].as_u64()), (Some("recall"), Some(1)));
    assert!((scores[0]["chance"].as_f64().unwrap() - 1.0 / 60.0).abs() < 1e-12);
    for s in scores {
        let all = s["all"].as_f64().unwrap();
        assert!((0.0..=1.0).contains(&all));
        if s["score"] == "recall" {
            assert!(all > s["chance"].as_f64().unwrap(), "{s}");
        }
    }
    // With the given pairs as truth nothing is held out, and that is said.
    let said = folder.run(&["evaluate", "m.lb", "--truth", "pairs.csv", "--metric", "cosine"]).succeeded();
    assert!(said.err.contains("nothing is held out") && said.out.contains("held out (0)"), "{}\n{}", said.out, said.err);
    folder.write("none.csv", "a,b\n");
    folder.run(&["evaluate", "m.lb", "--truth", "none.csv"]).failed(1, "no data");
    folder.run(&["evaluate", "m.lb", "--truth", "truth.csv", "-k", "0"]).failed(2, "at least 1");
}

#[test]
fn three_datasets_and_several_counterparts_are_scored() {
    let folder = Folder::with_data();
    folder.write("c.csv", folder.text("b.csv").replace("\nb", "\nc"));
    folder.write("p.csv", "a,b,c\na0,b0,\na20,b20,\na40,b40,\na59,b59,\n,b0,c0\n,b30,c30\n,b59,c59\n");
    let fit = ["fit", "--method", "instance", "-d", "3", "--pairs", "p.csv", "--id-column", "id", "--label-column", "kind"];
    folder.run(&[&fit[..], &["a.csv", "b.csv", "c.csv", "-o", "m.lb"]].concat()).succeeded();
    // a0 – c0 and a59 – c59 follow from the given pairs by way of b: they are not held out.
    folder.write("t.csv", "a,c\na0,c0\na1,c1\na1,c2\na59,c59\na1,c1\n");
    let value = folder.run(&["evaluate", "m.lb", "--truth", "t.csv", "--json"]).succeeded().json();
    let pair = &value["pairs"][0];
    assert_eq!(pair["datasets"], serde_json::json!(["a", "c"]));
    assert_eq!((pair["true_pairs"].as_u64(), pair["given"].as_u64()), (Some(4), Some(2)));
    let said = folder.run(&["plot", "m.lb", "-o", "three.svg", "--json"]).succeeded();
    assert_eq!(said.json()["panels"], 4);
}

#[test]
fn plot_draws_before_and_after() {
    let folder = Folder::with_model();
    folder.run(&["plot", "m.lb", "-o", "p.svg"]).succeeded();
    let svg = folder.text("p.svg");
    for words in ["<svg", "a, before", "b, before", "joint space, after", "early", "known pair"] {
        assert!(svg.contains(words), "{words}");
    }
    folder.run(&["plot", "m.lb", "-o", "q.svg", "--components", "2,3", "--color", "dataset"]).succeeded();
    assert!(!folder.text("q.svg").contains("early"));
    folder.run(&["plot", "m.lb", "-o", "r.svg", "--components", "1"]).succeeded();
    assert!(folder.run(&["plot", "m.lb", "-o", "-"]).succeeded().out == svg);
    folder.run(&["plot", "m.lb", "-o", "x.svg", "--components", "0,4"]).failed(2, "there is no component 4; the model has 4");
    folder.run(&["plot", "m.lb", "-o", "x.svg", "--components", "0,1,2"]).failed(2, "one or two");
    folder.run(&["plot", "m.lb", "-o", "x.jpg"]).failed(2, "written as .svg, .png or .pdf");
    folder.run(&["plot", "m.lb", "-o", "p.png"]).succeeded();
    folder.run(&["plot", "m.lb", "-o", "p.pdf"]).succeeded();
    assert!(folder.read("p.png").starts_with(b"\x89PNG") && folder.read("p.pdf").starts_with(b"%PDF-"));
    assert!(!folder.path("x.svg").exists());
    // Without labels.
    let args = ["fit", "--method", "instance", "-d", "1", "--pairs", "p.csv", "a.npy", "b.npy", "-o", "n.lb"];
    let line: Vec<f64> = (0..30).map(f64::from).collect();
    folder.write("a.npy", common::npy("(30, 1)", &line));
    folder.write("b.npy", common::npy("(15, 2)", &line));
    folder.write("p.csv", "0,0\n10,5\n20,10\n");
    folder.run(&args).succeeded();
    folder.run(&["plot", "n.lb", "-o", "n.svg"]).succeeded();
    folder.run(&["plot", "n.lb", "-o", "n.svg", "--color", "label"]).failed(2, "no dataset of this model has labels");
}

#[test]
fn every_demo_prints_honest_scores_and_its_next_commands_work() {
    let stories = [
        ("passages", "english", "german", "no pair"),
        ("protein", "model_1", "model_10", "(25 %)"),
        ("documents", "en", "it", "no pair"),
        ("rolls", "roll", "sheet", "(10 %)"),
        ("trees", "genes", "peaks", "(10 %)"),
        ("chains", "straight", "bent", "(10 %)"),
    ];
    for (story, a, b, share) in stories {
        let folder = Folder::empty();
        let said = folder.run(&["demo", story]).succeeded();
        for words in ["held out (", "chance", "recall@1 ", "recall@10", "FOSCTTM"] {
            assert!(said.out.contains(words), "{words}:\n{}", said.out);
        }
        for words in ["share no features", share, "outcome", "demo.svg", "demo.html", "Next:"] {
            assert!(said.err.contains(words), "{words}:\n{}", said.err);
        }
        let value = folder.run(&["demo", story, "--json", "--data", "demo-data", "-o", "other.svg"]).succeeded().json();
        let recall = &value["scores"][0]["scores"][2];
        assert_eq!((recall["score"].as_str(), recall["k"].as_u64()), (Some("recall"), Some(10)));
        assert!(recall["held_out"].as_f64().unwrap() > 10.0 * recall["chance"].as_f64().unwrap(), "{recall}");
        assert_eq!(folder.names(), ["demo-data", "demo.html", "demo.svg", "other.html", "other.svg"]);
        // The printed commands, word for word.
        let next = said.err.split("Next:").nth(1).unwrap().replace("\\\n", " ");
        let commands: Vec<Vec<&str>> = next
            .lines()
            .filter(|l| !l.trim().is_empty())
            .map(|l| l.split('#').next().unwrap().split_whitespace().skip(1).collect())
            .collect();
        assert_eq!(commands.len(), 5, "{next}");
        for command in &commands {
            folder.run(command).succeeded();
        }
        assert!(next.contains(&format!("--from {a} --to {b}")));
        // From the files the same scores come out as in the demo.
        let again = folder.run(&["evaluate", "demo.lb", "--truth", "demo-data/truth.csv", "--json"]).succeeded().json();
        let comparable = |scores: &serde_json::Value| {
            // Sparse files have no place for labels.
            let known = |s: &&serde_json::Value| !["documents", "passages"].contains(&story) || s["score"] != "label_transfer";
            scores.as_array().unwrap().iter().filter(known).cloned().collect::<Vec<_>>()
        };
        assert_eq!(comparable(&again["pairs"][0]["scores"]), comparable(&value["scores"][0]["scores"]));
    }
}

#[test]
fn help_version_and_completions() {
    let folder = Folder::empty();
    assert!(folder.run(&["--version"]).succeeded().out.starts_with("landbridge 0."));
    let top = folder.run(&["--help"]).succeeded().out;
    for command in ["fit", "transform", "match", "evaluate", "plot", "report", "demo", "completions"] {
        assert!(top.contains(&format!("  {command}")), "{command}");
        let help = folder.run(&[command, "--help"]).succeeded().out;
        assert!(help.contains("Example") && help.contains(&format!("landbridge {command}")), "{help}");
        assert!(help.lines().all(|l| l.chars().count() <= 120), "{help}");
    }
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = folder.run(&["completions", shell]).succeeded().out;
        // Of a method behind `fit`, too.
        assert!(["landbridge", "self-training", "n-neighbors"].iter().all(|word| script.contains(word)), "{shell}");
    }
    folder.run(&[]).failed(2, "Usage");
}

#[test]
fn every_command_has_a_manual_page() {
    let folder = Folder::empty();
    let pages = folder.path("pages");
    let pages = pages.to_str().unwrap();
    folder.run(&["man", pages]).succeeded();
    let read = |name: &str| std::fs::read_to_string(format!("{pages}/{name}.1")).unwrap_or_else(|e| panic!("{name}: {e}"));
    let top = read("landbridge");
    assert!(top.contains("landbridge\\-fit(1)") && !top.contains("landbridge\\-man(1)"), "{top}");
    let fit = read("landbridge-fit-linear");
    assert!(fit.contains(".SH SYNOPSIS") && fit.contains("n\\-neighbors") && fit.contains("\\-\\-pairs"), "{fit}");
    read("landbridge-embed-isomap");
    // In the way of the folder stands a file.
    std::fs::write(folder.path("file"), "x").unwrap();
    folder.run(&["man", folder.path("file").to_str().unwrap()]).failed(1, "file");
}

#[test]
fn a_reader_who_closes_the_pipe_is_no_error() {
    let folder = Folder::with_model();
    let mut child = std::process::Command::new(BINARY)
        .current_dir(folder.dir.path())
        .args(["match", "m.lb", "--from", "a", "--to", "b", "-k", "60"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut start = [0; 10];
    let mut out = child.stdout.take().unwrap();
    out.read_exact(&mut start).unwrap();
    drop(out);
    let mut err = String::new();
    child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0), "{err}");
    assert!(!err.contains("error") && !err.contains("panicked"), "{err}");
}

#[test]
fn embed_writes_coordinates_and_a_model_that_places_new_rows() {
    let folder = Folder::with_data();
    for method in ["pca", "lsi", "laplacian", "lpp", "diffusion", "isomap", "lle"] {
        let args = ["embed", "b.csv", "--label-column", "kind", "--method", method, "-d", "2", "-o", "z.csv", "--save", "e.lb"];
        let said = folder.run(&args).succeeded();
        assert!(said.err.contains("60 rows of b in 2 dimensions"), "{method}: {}", said.err);
        let text = folder.text("z.csv");
        assert_eq!(text.lines().count(), 61, "{method}");
        assert!(text.starts_with("id,z0,z1"), "{text}");
        let placed = ["transform", "e.lb", "b.csv", "--dataset", "b", "--label-column", "kind", "-o", "again.csv"];
        folder.run(&placed).succeeded();
        let numbers = |name: &str| -> Vec<f64> {
            let text = folder.text(name);
            text.lines().skip(1).flat_map(|l| l.split(',').skip(1).map(|v| v.parse().unwrap()).collect::<Vec<f64>>()).collect()
        };
        let (first, second) = (numbers("z.csv"), numbers("again.csv"));
        let size = first.iter().fold(0.0f64, |m, v| m.max(v.abs()));
        assert!(first.iter().zip(&second).all(|(a, b)| (a - b).abs() < 1e-6 * size), "{method}");
    }
    let json = "embed b.csv --label-column kind --method isomap -d 2 --n-neighbors 9 -o z.npy --json";
    let value = folder.say(json).succeeded().json();
    assert_eq!(value["eigenvalues"].as_array().unwrap().len(), 2);
    assert_eq!(value["method"], "isomap");
    folder.refuses(
        "embed b.csv --label-column kind -o y.csv",
        "
        --method pca => pca needs -d (--n-components): number of dimensions
        --method pca -d 2 --n-neighbors 5 => --n-neighbors is not an option of pca; it belongs to laplacian
        --method isomap -d 2 --time 3 => --time is not an option of isomap; it belongs to diffusion
        --method lle -d 2 --ridge 0 => ridge is 0
        --method none -d 2 => -d is not an option of none; it belongs to pca
        --method umap -d 2 => unrecognized subcommand 'umap'
        ",
    );
    assert!(!folder.path("y.csv").exists());
}

#[test]
fn two_step_methods_fit_match_and_predict() {
    let folder = Folder::with_data();
    let base = "fit --pairs pairs.csv --label-column kind a.csv b.csv -o two.lb";
    for embedding in ["none", "pca -d 2", "laplacian -d 2 --n-neighbors 8", "diffusion -d 2 --time 2", "isomap -d 2", "lle -d 2"]
    {
        for method in ["procrustes", "affine"] {
            let said = folder.say(format!("{base} --method {method} --embedding {embedding}")).succeeded();
            assert!(said.err.contains(method), "{}", said.err);
            folder.say("match two.lb --from a --to b -k 3 -o m.csv").succeeded();
            folder.say("transform two.lb a.csv --label-column kind --dataset a -o z.csv").succeeded();
        }
    }
    folder.say(format!("{base} --method affine --embedding pca -d 2 --ridge 0.1")).succeeded();
    folder.say("predict two.lb a.csv --label-column kind --from a --to b -o p.csv").succeeded();
    let value = folder.say(format!("{base} --method procrustes -d 2 --no-scaling --no-reflection --json")).succeeded().json();
    assert_eq!(value["params"]["embedding"], "laplacian");
    assert_eq!(value["params"]["scaling"], false);
    assert_eq!(value["params"]["reflection"], false);
    folder.refuses(
        base,
        "
        --method procrustes --embedding pca -d 2 --mu 2 => --mu is not an option of procrustes; it belongs to linear
        --method procrustes --embedding pca -d 2 --weights binary => it must be absent: only the embeddings laplacian, lpp, diffusion have it
        --method procrustes --embedding pca => n_components is 0; it must be at least 1
        --method procrustes -d 2 --ridge 1 => --ridge is not an option of procrustes; it belongs to linear
        --method affine -d 2 --no-scaling => --no-scaling is not an option of affine; it belongs to procrustes
        --method instance -d 2 --embedding pca => --embedding is not an option of instance; it belongs to procrustes, affine
        --method linear -d 2 --time 1 => --time is not an option of linear; it belongs to procrustes, affine
        --method affine -d 2 --ridge -1 => ridge is -1
        ",
    );
}

#[test]
fn sparse_maps_choose_their_strength_and_say_what_they_use() {
    let folder = Folder::with_data();
    let base = "fit a.csv b.csv --pairs pairs.csv --method sparse -d 2 --label-column kind -o s.lb";
    let run = |more: &str| folder.say(format!("{base} {more}"));
    let said = run("--alpha 0.3").succeeded();
    assert!(said.err.contains("of 2 used") && said.err.contains("% pruned"), "{}", said.err);
    let value = run("--alphas 0.5,0.1,0.01 --held-out 0.25 --path-plot path.svg --json").succeeded().json();
    assert_eq!(value["path"].as_array().unwrap().len(), 3);
    assert!([0.5, 0.1, 0.01].contains(&value["params"]["alpha"].as_f64().unwrap()));
    assert!(String::from_utf8(folder.read("path.svg")).unwrap().contains("held-out recall"));
    folder.write("ga.txt", "one\none\n");
    folder.write("gb.txt", "one\ntwo\none\n");
    let value = run("--penalty group --feature-groups ga.txt,gb.txt --json").succeeded().json();
    assert_eq!(value["params"]["groups"].to_string(), "[[[0,1]],[[0,2],[1]]]");
    folder.write("oa.txt", "1\n0\n");
    folder.write("ob.txt", "2\n0\n1\n");
    let more = "--penalty fused --feature-order oa.txt,ob.txt --beta 0.02 --absolute --alpha 0.001 --plain --refit 0.1 --json";
    let value = run(more).succeeded().json();
    for (name, expected) in [("order", "[[1,0],[2,0,1]]"), ("relative", "false"), ("normalized", "false"), ("refit", "0.1")] {
        assert_eq!(value["params"][name].to_string(), expected, "{name}");
    }
    folder.run(&["transform", "s.lb", "a.csv", "--dataset", "a", "--label-column", "kind", "-o", "z.csv"]).succeeded();
    folder.write("bad.txt", "0\nx\n");
    let said = run("--penalty fused --feature-order bad.txt,ob.txt");
    assert!(said.code == 2 && said.err.contains("line 2: \"x\" is not the number of a column"), "{}", said.err);
    let said = folder.say("fit a.csv b.csv --pairs pairs.csv --method cca -d 1 --alpha 0.1 -o c.lb");
    assert!(said.code == 2 && said.err.contains("--alpha is not an option of cca; it belongs to sparse"), "{}", said.err);
}

#[test]
fn pairs_are_inferred_on_request_and_said_to_be() {
    let folder = Folder::empty();
    let (mut a, mut b) = (String::from("x,y,z\n"), String::from("u,v,w\n"));
    let point = |i: usize| [(i as f64 * 1.7).sin() * 3.0, (i as f64 * 0.9).cos() * 2.0, (i as f64 * 2.3).sin()];
    for i in 0..50 {
        let ([x, y, z], [u, v, w]) = (point(i), point((i * 7) % 50));
        a += &format!("{x},{y},{z}\n");
        b += &format!("{},{},{}\n", 2.0 * v + 1.0, -2.0 * u, 2.0 * w);
    }
    folder.write("a.csv", &a);
    folder.write("b.csv", &b);
    let fit = ["fit", "--method", "procrustes", "--embedding", "none", "a.csv", "b.csv", "-o", "m.lb", "--pairs", "infer"];
    let said = folder.run(&fit).succeeded();
    assert!(said.err.contains("50 inferred") && said.err.contains("one rigid motion explains them"), "{}", said.err);
    let matches = folder.run(&["match", "m.lb", "--from", "b", "--to", "a", "-k", "1"]).succeeded().out;
    let lines: Vec<&str> = matches.lines().skip(1).collect();
    assert_eq!(lines.len(), 50);
    assert!(lines.iter().enumerate().all(|(i, line)| line.split(',').nth(2) == Some(&((i * 7) % 50).to_string())), "{matches}");
    let both = ["fit", "--self-train", "--pairs", "infer", "a.csv", "b.csv", "-o", "n.lb"];
    folder.run(&both).failed(2, "--self-train finds pairs by itself");

    let mut transport = vec!["fit", "--method", "cca", "-d", "2", "a.csv", "b.csv", "-o", "t.lb", "--pairs", "infer"];
    transport.extend(["--infer", "transport"]);
    let said = folder.run(&transport).succeeded();
    assert!(said.err.contains("500 inferred") && said.err.contains("by optimal transport"), "{}", said.err);
    let trained = ["fit", "--self-train", "--pairs", "infer", "--infer", "transport", "a.csv", "b.csv", "-o", "n.lb"];
    folder.run(&trained).succeeded();
    folder.run(&[&fit[..9], &["--infer", "transport"]].concat()).failed(2, "--infer says how pairs are inferred");
    // Nothing confirms them: the chance of every match is 0, and the page says so.
    let chances = folder.run(&["match", "t.lb", "--from", "b", "--to", "a", "--confidence"]).succeeded();
    assert!(chances.err.contains("do not trust"), "{}", chances.err);
    assert!(chances.out.lines().skip(1).all(|line| line.split(',').any(|cell| cell == "0")), "{}", chances.out);
    folder.run(&["report", "t.lb", "-o", "t.html"]).succeeded();
    assert!(std::fs::read_to_string(folder.path("t.html")).unwrap().contains("Do not trust"));
    // Rows may lose mass; columns may be linked.
    let said = folder.run(&[&transport[..], &["--rho", "0.05", "--json"]].concat()).succeeded();
    assert!(said.out.contains("pairs_transported"), "{}", said.out);
    folder.run(&[&transport[..], &["--rho", "0"]].concat()).failed(2, "rho is 0");
    folder.run(&[&fit[..], &["--rho", "1"]].concat()).failed(2, "--rho is for optimal transport");
    folder.write("links.csv", "a,b\n0,0\n1,1\n");
    let said = folder.run(&[&transport[..], &["--links", "links.csv"]].concat()).succeeded();
    assert!(said.err.contains("2 links between columns"), "{}", said.err);
    folder.run(&[&fit[..], &["--links", "links.csv"]].concat()).failed(2, "--links are for");
    folder.run(&[&trained[..], &["--links", "links.csv"]].concat()).failed(2, "self-training would not see the links");
    folder.run(&[&fit[..], &["--trust"]].concat()).failed(2, "--trust holds out known pairs");

    let right: String = (0..30).map(|i| format!("{},{i}\n", (i * 7) % 50)).collect();
    folder.write("pairs.csv", format!("a,b\n{right}"));
    let judged = [&fit[..9], &["--pairs", "pairs.csv", "--trust"]].concat();
    let said = folder.run(&judged).succeeded();
    assert!(said.err.contains("trusted, row by row; 30 pairs held out"), "{}", said.err);
    let wrong: String = (0..30).map(|i| format!("{i},{}\n", (i * 11 + 5) % 50)).collect();
    folder.write("pairs.csv", format!("a,b\n{wrong}"));
    let said = folder.run(&[&judged[..], &["--json"]].concat()).succeeded();
    assert!(said.out.contains("\"judgement\""), "{}", said.out);
    assert!(!said.err.contains("trusted, row by row"), "{}", said.err);
}
