//! Global geometry on the command line.

mod common;

use common::{Folder, npy};

const BASE: &str = "fit --method global --pairs pairs.csv --label-column kind a.csv b.csv -o m.lb";

#[test]
fn every_level_and_distance_fits_and_places_new_rows() {
    let folder = Folder::with_data();
    for options in [
        "-d 2",
        "-d 2 --level instance --n-neighbors 5",
        "-d 2 --distance euclidean --ridge 0.1 --weight-components true",
        "-d 2 --level instance --distance cosine --landmarks 30",
        "-d 2 --landmarks 40 --psd --prepare standardize",
    ] {
        let said = folder.say(format!("{BASE} {options} --json")).succeeded();
        let outcome = &said.json()["outcome"];
        assert_eq!(outcome["scales"][0], 1.0, "{options}");
        assert!(outcome["negative_share"].as_f64().is_some(), "{options}");
        folder.say("transform m.lb b.csv --dataset b --label-column kind -o z.csv").succeeded();
        assert!(folder.text("z.csv").lines().count() >= 60, "{options}");
        folder.say("match m.lb --from a --to b -k 3 -o matches.csv").succeeded();
    }
}

#[test]
fn given_distances_are_read_and_checked() {
    let folder = Folder::with_data();
    let line: Vec<f64> = (0..60 * 60).map(|at: i32| f64::from((at / 60 - at % 60).abs())).collect();
    folder.write("d.npy", npy("(60, 60)", &line));
    folder.say(format!("{BASE} -d 2 --distances d.npy,d.npy")).succeeded();
    let mut bad = line;
    bad[7] = -3.0;
    folder.write("bad.npy", npy("(60, 60)", &bad));
    let said = folder.say(format!("{BASE} -d 2 --distances d.npy,bad.npy"));
    said.failed(1, "distances of dataset \"b\": the one from row 0 to row 7 is -3");
}

#[test]
fn options_without_effect_are_refused() {
    let folder = Folder::with_data();
    folder.refuses(
        BASE,
        "
        -d 2 --distance cosine --n-neighbors 5 => --n-neighbors has no effect: only geodesic distances use a neighbour graph
        -d 2 --distance precomputed => distances is absent; it must be given, one matrix per dataset
        -d 2 --mu 3 => --mu is not an option of global; it belongs to linear
        -d 2 --weights binary => --weights is not an option of global; it belongs to linear
        -d 2 --landmarks 2 => landmarks is 2; it must be between 3 and 120
        -d 2 --level instance --ridge 1 => ridge is 1; it must be 0 at instance level
        => global needs -d
        ",
    );
    let linear = BASE.replace("global", "linear");
    folder.say(format!("{linear} -d 2 --landmarks 30")).failed(2, "--landmarks is not an option of linear; it belongs to global");
    let two_steps = BASE.replace("global", "procrustes");
    folder
        .say(format!("{two_steps} -d 2 --level instance"))
        .failed(2, "--level is not an option of procrustes; it belongs to global, sparse, multiscale");
}
