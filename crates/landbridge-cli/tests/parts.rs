//! `transform` and `predict` into a folder: in parts, stopped and resumed.

mod common;

use common::Folder;
use landbridge::linalg::Matrix;
use landbridge_io::{ReadOptions, Table, read_matrix, write_matrix};

/// A model, and new rows of its first dataset: many as `new.npy`, some with ids as `new.parquet`.
fn placed() -> (Folder, usize) {
    let folder = Folder::with_data();
    folder.say("fit cca -d 2 --ridge 0.1 --pairs truth.csv --label-column kind a.csv b.csv -o m.lb").succeeded();
    let n = 300_000;
    let rows = Matrix::from_fn(n, 2, |i, j| ((i * 31 + j * 17) % 1009) as f64 * 0.01);
    write_matrix(folder.path("new.npy"), &Table::new(&rows)).unwrap();
    let some = Matrix::from_fn(1000, 2, |i, j| rows[(i, j)]).to_f32();
    let (ids, columns): (Vec<String>, _) = ((0..1000).map(|i| format!("r{i}")).collect(), ["x".to_string(), "y".into()]);
    write_matrix(folder.path("new.parquet"), &Table::new(&some).row_ids(&ids).columns(&columns)).unwrap();
    (folder, n)
}

fn read(folder: &Folder, name: &str) -> landbridge_io::Loaded {
    read_matrix(folder.path(name), &ReadOptions::default()).unwrap()
}

#[test]
fn parts_are_the_whole_and_resumed_parts_the_same_bytes() {
    let (folder, n) = placed();
    folder.say("transform m.lb new.npy --dataset a -o whole.parquet").succeeded();
    let said = folder.say("transform m.lb new.npy --dataset a -o out/ --json").succeeded().json();
    assert_eq!((said["rows"].as_u64(), said["n_components"].as_u64()), (Some(n as u64), Some(2)));
    let manifest: serde_json::Value = serde_json::from_str(&folder.text("out/_manifest.json")).unwrap();
    assert_eq!(manifest["complete"], true);
    let parts: Vec<String> = manifest["parts"].as_array().unwrap().iter().map(|p| p["file"].as_str().unwrap().into()).collect();
    assert_eq!(parts, ["part-00000.parquet", "part-00001.parquet", "part-00002.parquet"]);
    let landbridge::data::Rows::F64(whole) = read(&folder, "whole.parquet").rows else { panic!("doubles stay doubles") };
    let mut at = 0;
    for part in &parts {
        let landbridge::data::Rows::F64(rows) = read(&folder, &format!("out/{part}")).rows else { panic!("doubles") };
        assert_eq!(rows.as_slice(), &whole.as_slice()[2 * at..2 * (at + rows.nrows())]);
        at += rows.nrows();
    }
    assert_eq!(at, n);
    // As if it had been killed: the second part and the end of the manifest are missing.
    let before: Vec<Vec<u8>> = parts.iter().map(|p| folder.read(&format!("out/{p}"))).collect();
    let end = folder.text("out/_manifest.json");
    std::fs::remove_file(folder.path("out/part-00001.parquet")).unwrap();
    folder.write("out/_manifest.json", end.replace("\"complete\": true", "\"complete\": false"));
    folder.say("transform m.lb new.npy --dataset a -o out/").failed(2, "out/ has parts already");
    let said = folder.say("transform m.lb new.npy --dataset a -o out/ --resume").succeeded();
    assert!(said.err.contains("2 of 3 parts are there"), "{}", said.err);
    assert_eq!(parts.iter().map(|p| folder.read(&format!("out/{p}"))).collect::<Vec<_>>(), before);
    assert_eq!(folder.text("out/_manifest.json"), end);
    folder.say("transform m.lb new.npy --dataset a -o out/ --resume").succeeded();
    // A folder of an earlier version: its manifest had another name.
    std::fs::rename(folder.path("out/_manifest.json"), folder.path("out/manifest.json")).unwrap();
    folder.say("transform m.lb new.npy --dataset a -o out/").failed(2, "out/ has parts already");
    let said = folder.say("transform m.lb new.npy --dataset a -o out/ --resume").succeeded();
    assert!(said.err.contains("3 of 3 parts are there"), "{}", said.err);
    assert!(folder.text("out/_manifest.json") == end && !folder.path("out/manifest.json").exists());
    // A part that was cut off is made again.
    folder.write("out/part-00002.parquet", &before[2][..100]);
    let said = folder.say("transform m.lb new.npy --dataset a -o out/ --resume").succeeded();
    assert!(said.err.contains("2 of 3 parts are there") && folder.read("out/part-00002.parquet") == before[2], "{}", said.err);
    // So is another part of as many rows in its place.
    folder.write("out/part-00001.parquet", &before[0]);
    let said = folder.say("transform m.lb new.npy --dataset a -o out/ --resume").succeeded();
    assert!(said.err.contains("2 of 3 parts are there") && folder.read("out/part-00001.parquet") == before[1], "{}", said.err);
    // Other rows in a file of the same name and size.
    let rows = Matrix::from_fn(n, 2, |i, j| ((i * 37 + j * 11) % 997) as f64 * 0.02);
    write_matrix(folder.path("new.npy"), &Table::new(&rows)).unwrap();
    folder.say("transform m.lb new.npy --dataset a -o out/ --resume").failed(2, "out/ has parts of another input file");
}

#[test]
fn ids_and_single_precision_are_kept_and_other_work_is_refused() {
    let (folder, _) = placed();
    folder.say("transform m.lb new.parquet --dataset a -o out/").succeeded();
    folder.say("transform m.lb new.parquet --dataset a -o whole.parquet").succeeded();
    let (part, whole) = (read(&folder, "out/part-00000.parquet"), read(&folder, "whole.parquet"));
    assert_eq!((part.row_ids, part.rows), (whole.row_ids, whole.rows));
    folder.say("transform m.lb new.npy --dataset a -o out/ --resume").failed(2, "out/ has parts of another input file");
    folder
        .say("predict m.lb new.parquet --from a --to b -o out/ --resume")
        .failed(2, "out/ has parts of another model or question");
    folder.say("predict m.lb new.parquet --from a --to b -o predicted/").succeeded();
    folder.say("predict m.lb new.parquet --from a --to b -o predicted.parquet").succeeded();
    let (part, whole) = (read(&folder, "predicted/part-00000.parquet"), read(&folder, "predicted.parquet"));
    assert_eq!((part.row_ids, part.rows), (whole.row_ids, whole.rows));
    let said = folder.say("transform m.lb new.parquet --dataset a --missing mean -o new/").failed(1, "cannot be read in pieces");
    assert!(said.err.contains("--missing zero needs one row at a time") && said.err.contains("-o z.parquet"), "{}", said.err);
    let said =
        folder.say("transform m.lb new.parquet --dataset a -o placed").failed(2, "-o placed is neither a folder nor a file");
    assert!(said.err.contains("-o placed/ is a folder") && !folder.path("placed").exists(), "{}", said.err);
    folder.say("transform m.lb new.npy --dataset a -o z.npy --resume").failed(2, "--resume goes on with parts");
    // As if it had been killed before the first manifest was whole: no process has this number.
    std::fs::create_dir(folder.path("early")).unwrap();
    folder.write("early/._manifest.json.landbridge-4294967-abcdef.tmp", "{\"form");
    folder.say("transform m.lb new.parquet --dataset a -o early/ --resume").succeeded();
    assert_eq!(std::fs::read_dir(folder.path("early")).unwrap().count(), 2);
    std::fs::create_dir(folder.path("full")).unwrap();
    folder.write("full/notes.txt", "mine");
    folder.say("transform m.lb new.npy --dataset a -o full/").failed(2, "full/ is not empty");
    folder.say("transform m.lb new.npy --dataset a -o no/where/").failed(1, "cannot make");
    let mut bad = folder.read("new.parquet");
    let middle = bad.len() / 2;
    bad[middle..middle + 40].fill(0xff);
    folder.write("bad.parquet", &bad);
    assert_ne!(folder.say("transform m.lb bad.parquet --dataset a -o bad/").code, 0);
    folder.write("cut.parquet", &bad[..middle]);
    folder.say("transform m.lb cut.parquet --dataset a -o cut/").failed(1, "cut.parquet");
}

#[test]
fn matches_in_parts_are_those_of_all_rows() {
    let (folder, _) = placed();
    let some = Matrix::from_fn(140_000, 2, |i, j| ((i * 37 + j * 11) % 503) as f64 * 0.02);
    write_matrix(folder.path("some.npy"), &Table::new(&some)).unwrap();
    let options = ReadOptions { id_column: Some(landbridge_io::IdColumn::Absent), ..ReadOptions::default() };
    for how in ["nearest", "csls"] {
        let call = format!("match m.lb --from a --to b --new some.npy -k 2 --how {how}");
        folder.say(format!("{call} -o {how}.parquet --quiet")).succeeded();
        folder.say(format!("{call} -o {how}/")).succeeded();
        let columns = |name: &str| {
            let chosen = ["source_row", "rank", "target_row", "distance"].map(String::from).to_vec();
            let options = ReadOptions { columns: Some(chosen), ..options.clone() };
            let landbridge::data::Rows::F64(rows) = read_matrix(folder.path(name), &options).unwrap().rows else { panic!("f64") };
            rows
        };
        let whole = columns(&format!("{how}.parquet"));
        let mut at = 0;
        for part in 0..2 {
            let rows = columns(&format!("{how}/part-{part:05}.parquet"));
            assert_eq!(rows.as_slice(), &whole.as_slice()[4 * at..4 * (at + rows.nrows())], "{how} {part}");
            at += rows.nrows();
        }
        assert_eq!(at, whole.nrows());
    }
    folder.refuses(
        "match m.lb --from a --to b",
        "--how mutual --new some.npy -o x/ => mutual and assigned matches depend on all rows at once
         -o x/ => a folder gets the matches of new rows in parts
         --new some.npy -o z.csv --resume => --resume goes on with parts",
    );
}

#[test]
fn killed_at_any_time_and_resumed_gives_the_same_bytes() {
    let (folder, _) = placed();
    folder.say("transform m.lb new.npy --dataset a -o calm/ --quiet").succeeded();
    let mut kills = 0;
    for round in 0u64.. {
        let mut child = std::process::Command::new(common::BINARY)
            .current_dir(folder.dir.path())
            .args(["transform", "m.lb", "new.npy", "--dataset", "a", "-o", "killed/", "--resume", "--quiet"])
            .spawn()
            .unwrap();
        std::thread::sleep(std::time::Duration::from_millis(2 + 7 * round));
        match child.try_wait().unwrap() {
            Some(status) => {
                assert!(status.success());
                break;
            }
            None => {
                child.kill().unwrap();
                child.wait().unwrap();
                kills += 1;
            }
        }
    }
    assert!(kills > 0);
    for name in ["_manifest.json", "part-00000.parquet", "part-00001.parquet", "part-00002.parquet"] {
        assert_eq!(folder.read(&format!("killed/{name}")), folder.read(&format!("calm/{name}")), "{name}");
    }
}

/// New rows of the first dataset as csv, so many of them, with an id and a word for each.
fn many(folder: &Folder, name: &str, rows: usize) {
    use std::io::Write as _;
    let mut out = std::io::BufWriter::new(std::fs::File::create(folder.path(name)).unwrap());
    writeln!(out, "id,x,y").unwrap();
    (0..rows).for_each(|i| writeln!(out, "r{i},{}.25,{}.5", i % 1009, (i * 7) % 503).unwrap());
}

#[test]
fn text_tables_and_compressed_ones_are_read_in_parts() {
    let (folder, _) = placed();
    many(&folder, "new.csv", 1_200_000);
    folder.say("transform m.lb new.csv --dataset a -o whole.parquet --quiet").succeeded();
    folder.say("transform m.lb new.csv --dataset a -o out/ --quiet").succeeded();
    let manifest: serde_json::Value = serde_json::from_str(&folder.text("out/_manifest.json")).unwrap();
    let parts = manifest["parts"].as_array().unwrap();
    assert!(parts.len() > 1 && manifest["complete"] == true);
    let whole = read(&folder, "whole.parquet");
    let (mut at, mut ids) = (0, vec![]);
    for part in parts {
        let found = read(&folder, &format!("out/{}", part["file"].as_str().unwrap()));
        let rows: Vec<usize> = (at..at + found.rows.nrows()).collect();
        assert_eq!(found.rows, whole.rows.select(&rows));
        at += rows.len();
        ids.extend(found.row_ids.unwrap());
    }
    assert_eq!((at, Some(ids)), (1_200_000, whole.row_ids));
    // Resumed without the first part and the end: the parts between are passed over.
    let before: Vec<Vec<u8>> = parts.iter().map(|p| folder.read(&format!("out/{}", p["file"].as_str().unwrap()))).collect();
    let end = folder.text("out/_manifest.json");
    std::fs::remove_file(folder.path("out/part-00000.parquet")).unwrap();
    folder.say("transform m.lb new.csv --dataset a -o out/ --resume --quiet").succeeded();
    let after: Vec<Vec<u8>> = parts.iter().map(|p| folder.read(&format!("out/{}", p["file"].as_str().unwrap()))).collect();
    assert!(before == after && end == folder.text("out/_manifest.json"));
    // The same lines, compressed.
    let packed = std::fs::File::create(folder.path("new.csv.zst")).unwrap();
    let mut packed = zstd::stream::write::Encoder::new(packed, 1).unwrap();
    std::io::copy(&mut std::fs::File::open(folder.path("new.csv")).unwrap(), &mut packed).unwrap();
    packed.finish().unwrap();
    folder.say("transform m.lb new.csv.zst --dataset a -o packed/ --quiet").succeeded();
    assert!(folder.read("packed/part-00001.parquet") == before[1]);
    // Labels of new rows, whole and in parts.
    folder.say("labels m.lb --from a --to b --new b.csv --label-column kind -o labels.csv").succeeded();
    folder.say("labels m.lb --from a --to b --new b.csv --label-column kind -o labels/").succeeded();
    folder.say("labels m.lb --from a --to b -o fitted.csv").succeeded();
    let rows = folder.text("labels.csv").lines().count() - 1;
    assert_eq!(folder.text("labels.csv"), folder.text("fitted.csv"));
    let manifest: serde_json::Value = serde_json::from_str(&folder.text("labels/_manifest.json")).unwrap();
    assert_eq!(manifest["parts"][0]["rows"], rows);
    folder.refuses(
        "labels m.lb --from a --to b",
        "-o x/ => a folder gets the labels of new rows in parts
         -o x => -o x is neither a folder nor a file
         --new b.csv --min-support 0.3 => cannot be used with",
    );
}

#[cfg(target_os = "linux")]
#[test]
fn memory_does_not_grow_with_the_rows() {
    let (folder, _) = placed();
    let peak = |name: &str, rows: usize| {
        many(&folder, name, rows);
        let mut child = std::process::Command::new(common::BINARY)
            .current_dir(folder.dir.path())
            .args(["transform", "m.lb", name, "--dataset", "a", "--quiet", "-o", &format!("{name}-out/")])
            .spawn()
            .unwrap();
        let mut most = 0u64;
        while child.try_wait().unwrap().is_none() {
            let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
            let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
            most = most.max(line.and_then(|l| l.trim().trim_end_matches(" kB").parse().ok()).unwrap_or(0));
            std::thread::sleep(std::time::Duration::from_millis(2));
        }
        assert!(child.wait().unwrap().success());
        most
    };
    // 29 and 120 MB of text: read at once, the second would take more than 150 MB more.
    let (some, many) = (peak("some.csv", 1_300_000), peak("many.csv", 5_200_000));
    assert!(some > 0 && many < some + 60_000, "{some} kB for 1,300,000 rows, {many} kB for 5,200,000");
}

/// Columns of a file as text; `number` is one that holds numbers.
fn kept(folder: &Folder, name: &str, number: &str, columns: &[&str]) -> Vec<Vec<String>> {
    let keep = landbridge_io::Keep { columns: columns.iter().map(|c| c.to_string()).collect(), data: vec![] };
    let options = ReadOptions { keep, columns: Some(vec![number.into()]), ..ReadOptions::default() };
    let found = read_matrix(folder.path(name), &options).unwrap();
    found.kept.unwrap().texts().unwrap()
}

#[test]
fn chosen_columns_are_carried_along() {
    let (folder, _) = placed();
    let lines: Vec<String> = (0..40).map(|i| format!("\"t, {}\",{i}.5,{},{i}", i % 3, (i * 7) % 11)).collect();
    folder.write("new.csv", format!("title,x,y,year\n{}\n", lines.join("\n")));
    let (titles, years): (Vec<String>, Vec<String>) = (0..40).map(|i| (format!("t, {}", i % 3), i.to_string())).unzip();
    // Titles repeat, so that they are not ids; the number x is a feature and kept as well.
    let said = folder.say("transform m.lb new.csv --dataset a --keep title,year,x -o z.csv").succeeded();
    assert!(!said.err.contains("ignored"), "{}", said.err);
    let text = folder.text("z.csv");
    assert!(text.starts_with("title,year,x,z0,z1\n\"t, 0\",0,0.5,"), "{text}");
    folder.say("transform m.lb new.csv --dataset a --keep title,year -o z.parquet").succeeded();
    folder.say("transform m.lb new.csv --dataset a --keep title,year -o z/").succeeded();
    for file in ["z.parquet", "z/part-00000.parquet"] {
        assert_eq!(kept(&folder, file, "z0", &["title", "year"]), [titles.clone(), years.clone()], "{file}");
    }
    // The same rows without the columns.
    folder.write(
        "bare.csv",
        format!("x,y\n{}\n", (0..40).map(|i| format!("{i}.5,{}", (i * 7) % 11)).collect::<Vec<_>>().join("\n")),
    );
    folder.say("transform m.lb bare.csv --dataset a -o bare.csv.gz").succeeded();
    let numbers = |name: &str, keep: &[&str]| {
        let keep = landbridge_io::Keep { columns: keep.iter().map(|c| c.to_string()).collect(), data: vec![] };
        read_matrix(folder.path(name), &ReadOptions { keep, ..ReadOptions::default() }).unwrap().rows
    };
    assert_eq!(numbers("z.csv", &["title", "year", "x"]), numbers("bare.csv.gz", &[]));
    folder.say("match m.lb --from a --to b --new new.csv -k 2 --keep title,year -o m/").succeeded();
    folder.say("match m.lb --from a --to b --new new.csv -k 2 --keep title,year -o m.csv").succeeded();
    let matched = folder.text("m.csv");
    assert!(matched.starts_with("source_row,rank,target_row,target_id,distance,title,year\n0,1,"), "{matched}");
    assert!(matched.lines().nth(3).unwrap().ends_with(",\"t, 1\",1"), "{matched}");
    assert_eq!(kept(&folder, "m/part-00000.parquet", "rank", &["year"])[0][..4], ["0", "0", "1", "1"]);
    let said = folder.say("match m.lb --from a --to b --new new.csv -k 1 --keep title --json").succeeded().json();
    assert_eq!(said["matches"][4]["title"], "t, 1");
    folder.say("predict m.lb new.csv --from a --to b --keep title -o p.tsv").succeeded();
    assert!(folder.text("p.tsv").starts_with("title\t"));
    folder.say("labels m.lb --from a --to b --new b.csv --label-column kind --keep kind -o l.csv").succeeded();
    assert!(folder.text("l.csv").starts_with("row,id,label,probability,kind\n"), "{}", folder.text("l.csv"));
    folder.say("labels m.lb --from a --to b --new b.csv --keep kind -o l/").succeeded();
    assert_eq!(kept(&folder, "l/part-00000.parquet", "row", &["kind"])[0].len(), folder.text("l.csv").lines().count() - 1);
    // Other columns are another question.
    folder.say("transform m.lb new.csv --dataset a --keep title -o z/ --resume").failed(2, "another model or question");
    folder.say("transform m.lb new.csv --dataset a --keep title,year -o z/ --resume").succeeded();
    // Lines of standard input, one by one.
    let line = "transform m.lb - --dataset a --keep title,year,x";
    let mut command = assert_cmd::Command::new(common::BINARY);
    let piped = command.current_dir(folder.path("")).args(line.split(' ')).write_stdin(folder.read("new.csv")).output().unwrap();
    assert_eq!(String::from_utf8(piped.stdout).unwrap(), text);
    folder.refuses(
        "transform m.lb new.csv --dataset a",
        "--keep titl => there is no column \"titl\"; there are \"title\", \"x\", \"y\", \"year\" (did you mean \"title\"?)
         --keep title,title => column \"title\" is asked for twice
         --keep title -o z.npy => npy files cannot hold kept columns
         --keep title --ratings => keep has no meaning",
    );
    folder.write("taken.csv", "id,x,y,z0\na,1,2,3\nb,2,3,4\n");
    let said = folder.say("transform m.lb taken.csv --dataset a --keep z0").failed(2, "the output has a column \"z0\" already");
    assert!(said.err.contains("ids are carried along by themselves"), "{}", said.err);
    folder.say("transform m.lb taken.csv --dataset a --keep id -o t/").failed(2, "the output has a column \"id\" already");
    folder.say("transform m.lb new.npy --dataset a --keep x -o n/").failed(2, "keep has no meaning");
    folder.say("match m.lb --from a --to b --keep title").failed(2, "--keep carries columns of the file of --new along");
    // Fields of lines.
    folder.write("new.jsonl", "{\"v\": [1, 2], \"id\": 7, \"about\": {\"n\": 1}}\n{\"v\": [3, 4], \"id\": 8}\n");
    folder.say("transform m.lb new.jsonl --dataset a --keep about -o j.csv").succeeded();
    let text = folder.text("j.csv");
    assert!(text.starts_with("id,about,z0,z1\n7,\"{\"\"n\"\":1}\",") && text.contains("\n8,,"), "{text}");
}
