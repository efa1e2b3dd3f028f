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
