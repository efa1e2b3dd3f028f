//! AnnData and MuData files on the command line.

mod common;

use common::Folder;
use hdf5_pure::{AttrValue, DatasetBuilder, FileBuilder, FinishedGroup, GroupBuilder};

const CELLS: usize = 60;

/// What goes into a file or into a modality.
fn fill(
    mut dataset: impl FnMut(&str, &dyn Fn(&mut DatasetBuilder)),
    mut table: impl FnMut(&str) -> GroupBuilder,
    mut add: impl FnMut(FinishedGroup),
    columns: usize,
    first: usize,
) {
    // Points of a curve, with more and more turns in further columns; cells are numbered from `first`.
    let value = |i: usize, j: usize| ((i + first) as f64 * 0.1 * (j + 1) as f64).sin() + (i + first) as f64 * 0.05;
    let rows: Vec<f64> = (0..CELLS).flat_map(|i| (0..columns).map(move |j| value(i, j))).collect();
    dataset("X", &|x| {
        x.with_f64_data(&rows).with_shape(&[CELLS as u64, columns as u64]).with_chunks(&[16, 2]).with_deflate(4);
    });
    for (name, names) in [
        // From 1,000 on all have the same name.
        ("obs", (0..CELLS).map(|i| format!("cell{}", (i + first).min(1000))).collect::<Vec<_>>()),
        ("var", (0..columns).map(|j| format!("gene{j}")).collect()),
    ] {
        let mut group = table(name);
        group.set_attr("_index", AttrValue::VarLenString("_index".into()));
        group.create_dataset("_index").with_vlen_strings(&names.iter().map(String::as_str).collect::<Vec<_>>());
        if name == "obs" {
            let types: Vec<&str> = (0..CELLS).map(|i| if i + first < 40 { "early" } else { "late" }).collect();
            group.create_dataset("stage").with_vlen_strings(&types);
        }
        add(group.finish());
    }
}

/// A file or a group with that in it: both have the same functions, and no trait for them.
macro_rules! filled {
    ($place:expr, $columns:expr, $first:expr) => {{
        let place = std::cell::RefCell::new($place);
        fill(
            |name, build| build(place.borrow_mut().create_dataset(name)),
            |name| place.borrow_mut().create_group(name),
            |group| place.borrow_mut().add_group(group),
            $columns,
            $first,
        );
        place.into_inner()
    }};
}

fn anndata(columns: usize, first: usize) -> Vec<u8> {
    filled!(FileBuilder::new(), columns, first).finish().unwrap()
}

fn mudata() -> Vec<u8> {
    let mut file = FileBuilder::new();
    file.with_userblock(512);
    let mut modalities = file.create_group("mod");
    for (name, columns, first) in [("rna", 3, 0), ("atac", 2, 20)] {
        let modality = filled!(modalities.create_group(name), columns, first);
        modalities.add_group(modality.finish());
    }
    file.add_group(modalities.finish());
    file.finish().unwrap()
}

const FIT: [&str; 7] = ["fit", "--method", "instance", "-d", "2", "-o", "m.lb"];

#[test]
fn cells_are_paired_by_their_names() {
    let folder = Folder::empty();
    std::fs::write(folder.path("rna.h5ad"), anndata(3, 0)).unwrap();
    std::fs::write(folder.path("atac.h5ad"), anndata(2, 20)).unwrap();
    let files = ["rna.h5ad", "atac.h5ad"];
    let said = folder.run(&[&FIT[..], &files, &["--pairs-by-id", "--label-column", "stage"]].concat()).succeeded();
    for words in ["rna: 60 rows × 3 features, dense f64, ids, labels", "atac: 60 rows × 2 features", "40 known"] {
        assert!(said.err.contains(words), "{words}: {}", said.err);
    }
    let said = folder.run(&["match", "m.lb", "--from", "rna", "--to", "atac", "-k", "1"]).succeeded();
    assert!(said.out.lines().count() == 61 && said.out.contains("cell59"), "{}", said.out);
    let placed = folder.run(&["transform", "m.lb", "rna.h5ad", "--dataset", "rna"]).succeeded();
    assert!(placed.out.contains("cell0,"), "{}", placed.out);

    let all = |more: &[&str]| folder.run(&[&FIT[..], &files, more].concat());
    all(&["--pairs-by-id", "--layer", "x"]).failed(2, "there is no layer \"x\"");
    all(&["--pairs-by-id", "--layer", "x", "--use-rep", "y"]).failed(2, "cannot be used with");
    all(&["--modality", "rna"]).failed(2, "--modality has no meaning here: no file is h5mu");
    all(&["--header", "yes"]).failed(2, "--header has no meaning here: no file is csv or tsv");
    std::fs::write(folder.path("other.h5ad"), anndata(2, 500)).unwrap();
    folder.run(&[&FIT[..], &["rna.h5ad", "other.h5ad", "--pairs-by-id"]].concat()).failed(2, "no id occurs once");
    folder.run(&[&FIT[..], &["rna.h5ad"]].concat()).failed(2, "one DATA file is given");
    folder.run(&["transform", "m.lb", "rna.h5ad", "--dataset", "rna", "-o", "z.h5ad"]).failed(2, "are read, not written");
}

#[test]
fn one_file_with_modalities_is_all_of_them() {
    let folder = Folder::empty();
    std::fs::write(folder.path("cells.h5mu"), mudata()).unwrap();
    let said = folder.run(&[&FIT[..], &["cells.h5mu", "--pairs-by-id"]].concat()).succeeded();
    assert!(said.err.contains("atac: 60 rows × 2 features") && said.err.contains("40 known"), "{}", said.err);
    let said = folder.run(&[&FIT[..], &["cells.h5mu", "--pairs-by-id", "--modality", "rna,atac"]].concat()).succeeded();
    assert!(said.err.find("rna:") < said.err.find("atac:"), "{}", said.err);
    folder.run(&["transform", "m.lb", "cells.h5mu", "--modality", "rna", "--dataset", "rna"]).succeeded();
    folder.run(&["transform", "m.lb", "cells.h5mu", "--dataset", "rna"]).failed(2, "no modality was chosen");
    folder.run(&[&FIT[..], &["cells.h5mu", "--modality", "rna,prot"]].concat()).failed(2, "there is no modality \"prot\"");
}

#[test]
fn names_that_occur_twice_pair_nothing() {
    let folder = Folder::empty();
    folder.write("rna.h5ad", anndata(3, 980));
    folder.write("atac.h5ad", anndata(2, 985));
    let files = ["rna.h5ad", "atac.h5ad"];
    let said = folder.run(&[&FIT[..], &files, &["--pairs-by-id"]].concat()).succeeded();
    assert!(said.err.contains("15 known"), "{}", said.err);
    folder.write("pairs.csv", "rna,atac\ncell990,cell990\n0,cell1000\n");
    folder
        .run(&[&FIT[..], &files, &["--pairs", "pairs.csv"]].concat())
        .failed(1, "line 3: several rows of dataset \"atac\" have the id \"cell1000\"");
}

#[test]
fn inspect_shows_every_modality() {
    let folder = Folder::empty();
    folder.write("cells.h5mu", mudata());
    folder.write("rna.h5ad", anndata(3, 0));
    let found = folder.run(&["inspect", "cells.h5mu", "rna.h5ad", "--label-column", "stage", "--json"]).succeeded().json();
    let found: Vec<_> = found["files"].as_array().unwrap().iter().map(|f| (&f["modality"], &f["features"])).collect();
    let expected = [("atac".into(), 2.into()), ("rna".into(), 3.into()), (serde_json::Value::Null, 3.into())];
    assert_eq!(found, expected.iter().map(|(m, f)| (m, f)).collect::<Vec<_>>());
    let said = folder.run(&["inspect", "cells.h5mu", "--modality", "rna"]).succeeded();
    assert!(said.out.starts_with("cells.h5mu, modality rna\n") && !said.out.contains("atac"), "{}", said.out);
}
