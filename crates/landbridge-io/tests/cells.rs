//! AnnData and MuData files: every layout is read as it was written, everything else is refused with a reason.

mod common;
mod h5;

use std::path::Path;

use h5::*;
use landbridge::data::Rows;
use landbridge_io::{Error, Input, Loaded, ReadOptions, Result, format_for, modalities, read_dataset, read_matrix};

fn read_with(name: &str, bytes: &[u8], options: &ReadOptions) -> Result<Loaded> {
    let path = Path::new(name);
    format_for(path, None)?.read(Input::from_bytes(path, bytes.to_vec(), options.max_memory)?, options)
}

fn read(bytes: &[u8]) -> Result<Loaded> {
    read_with("a.h5ad", bytes, &ReadOptions::default())
}

fn labels(bytes: &[u8], column: &str) -> Result<Vec<String>> {
    let options = ReadOptions { label_column: Some(column.into()), ..Default::default() };
    Ok(read_with("a.h5ad", bytes, &options)?.labels.unwrap())
}

fn dense(rows: &Rows) -> Vec<Vec<f64>> {
    match rows {
        Rows::F64(m) => m.rows().map(<[f64]>::to_vec).collect(),
        Rows::F32(m) => m.rows().map(|r| r.iter().map(|&v| f64::from(v)).collect()).collect(),
        Rows::Sparse(m) => (0..m.nrows()).map(|i| (0..m.ncols()).map(|j| m.get(i, j)).collect()).collect(),
    }
}

fn expected() -> Vec<Vec<f64>> {
    X.chunks(COLUMNS.len()).map(<[f64]>::to_vec).collect()
}

#[test]
fn every_layout_of_x_gives_the_same_rows_with_their_names() {
    for packing in PACKINGS {
        for kind in [Kind::F64, Kind::F32, Kind::I32, Kind::U8, Kind::Csr, Kind::Csc, Kind::OldCsr] {
            let bytes = anndata(kind, packing);
            let loaded = read(&bytes).unwrap_or_else(|e| panic!("{kind:?}, {packing:?}: {e}"));
            assert_eq!(dense(&loaded.rows), expected(), "{kind:?}, {packing:?}");
            assert_eq!(loaded.row_ids.unwrap(), CELLS, "{kind:?}, {packing:?}");
            assert_eq!(loaded.columns.unwrap(), COLUMNS, "{kind:?}, {packing:?}");
            let stored = match kind {
                Kind::F32 => "dense f32",
                Kind::Csr | Kind::Csc | Kind::OldCsr => "sparse",
                _ => "dense f64",
            };
            assert_eq!(loaded.rows.kind(), stored);
        }
    }
}

#[test]
fn layers_and_representations_are_chosen_by_name() {
    let bytes = anndata(Kind::Csr, Packing::Gzip);
    let with = |layer: Option<&str>, rep: Option<&str>| {
        let options = ReadOptions { layer: layer.map(Into::into), use_rep: rep.map(Into::into), ..Default::default() };
        read_with("a.h5ad", &bytes, &options)
    };
    let doubled = with(Some("doubled"), None).unwrap();
    assert_eq!(dense(&doubled.rows)[0][0], 2.0 * X[0]);
    assert_eq!(doubled.columns.unwrap(), COLUMNS);
    let pca = with(None, Some("X_pca")).unwrap();
    assert_eq!((pca.rows.nrows(), pca.rows.ncols(), pca.columns), (CELLS.len(), 2, None));
    assert_eq!(pca.row_ids.unwrap(), CELLS);
    let table = with(None, Some("table")).unwrap();
    assert_eq!(table.columns.unwrap(), ["u", "v"]);
    assert_eq!(dense(&table.rows)[2], [2.0, 1.0]);
    assert_eq!(dense(&with(None, Some("X")).unwrap().rows), expected());
    let message = |r: Result<Loaded>| r.unwrap_err().to_string();
    assert_eq!(message(with(Some("none"), None)), "a.h5ad: there is no layer \"none\"; the arrays are \"doubled\"");
    assert!(message(with(None, Some("X_umap"))).contains("there is no representation \"X_umap\"; the arrays are \"X_pca\""));
    assert!(message(with(Some("doubled"), Some("X_pca"))).contains("both chosen"));
    assert!(message(with(Some("."), None)).contains("no layer \".\""));
}

#[test]
fn labels_come_from_every_kind_of_column() {
    let bytes = anndata(Kind::F64, Packing::None);
    assert_eq!(labels(&bytes, "type").unwrap(), ["T", "B", "", "T"]);
    assert_eq!(labels(&bytes, "old").unwrap(), ["B", "T", "T", ""]);
    assert_eq!(labels(&bytes, "text").unwrap(), ["ä", "b", "c", "d"]);
    assert_eq!(labels(&bytes, "whole").unwrap(), ["3", "-1", "2", "0"]);
    assert_eq!(labels(&bytes, "real").unwrap(), ["1.0", "0.5", "", "2.25"]);
    assert_eq!(labels(&bytes, "flag").unwrap(), ["True", "False", "True", "True"]);
    assert_eq!(labels(&bytes, "nullable").unwrap(), ["7", "", "9", "10"]);
    let error = labels(&bytes, "none").unwrap_err();
    assert!(matches!(error, Error::UnknownColumn { .. }), "{error}");
    assert!(error.to_string().contains("\"type\""), "{error}");
}

#[test]
fn modalities_are_chosen_by_name_and_give_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cells.h5mu");
    std::fs::write(&path, mudata()).unwrap();
    assert_eq!(modalities(&path, &ReadOptions::default()).unwrap(), ["rna", "atac"]);
    let with = |name: &str| ReadOptions { modality: Some(name.into()), ..Default::default() };
    let rna = read_dataset(&path, &with("rna")).unwrap();
    assert_eq!((rna.name(), rna.nrows(), rna.ncols()), ("rna", CELLS.len(), COLUMNS.len()));
    assert_eq!(read_dataset(&path, &with("atac")).unwrap().rows().kind(), "sparse");
    let error = read_dataset(&path, &ReadOptions::default()).unwrap_err().to_string();
    assert!(error.contains("no modality was chosen; the arrays are \"rna\", \"atac\""), "{error}");
    let error = read_dataset(&path, &with("prot")).unwrap_err().to_string();
    assert!(error.contains("there is no modality \"prot\""), "{error}");
    let plain = folder.path().join("a.h5mu");
    std::fs::write(&plain, anndata(Kind::F64, Packing::None)).unwrap();
    assert!(matches!(read_matrix(&plain, &ReadOptions::default()), Err(Error::WrongFormat { .. })));
}

#[test]
fn options_of_other_formats_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.h5ad");
    std::fs::write(&path, anndata(Kind::F64, Packing::None)).unwrap();
    for options in [
        ReadOptions { modality: Some("rna".into()), ..Default::default() },
        ReadOptions { key: Some("X".into()), ..Default::default() },
        ReadOptions { header: Some(true), ..Default::default() },
        ReadOptions { label_column: Some("type".into()), delimiter: Some(b';'), ..Default::default() },
    ] {
        assert!(matches!(read_matrix(&path, &options), Err(Error::OptionWithoutMeaning { .. })), "{options:?}");
    }
    let csv = folder.path().join("a.csv");
    std::fs::write(&csv, "x,y\n1,2\n").unwrap();
    let options = ReadOptions { layer: Some("counts".into()), ..Default::default() };
    assert!(matches!(read_matrix(&csv, &options), Err(Error::OptionWithoutMeaning { .. })));
}

#[test]
fn files_that_contradict_themselves_are_refused() {
    for (what, bytes, message) in contradictions() {
        let error = match read(&bytes).and_then(|_| labels(&bytes, "type")) {
            Err(error) => error,
            Ok(_) => panic!("{what} was accepted"),
        };
        assert_eq!(error.kind(), "data", "{what}: {error}");
        assert!(error.to_string().contains(message), "{what}: {error}");
    }
}

#[test]
fn a_limit_on_memory_holds_for_all_arrays_together() {
    let bytes = anndata(Kind::F64, Packing::Gzip);
    let limit = |max_memory| ReadOptions { max_memory, ..Default::default() };
    let read = |max_memory| {
        let input = Input::from_bytes(Path::new("a.h5ad"), bytes.clone(), u64::MAX).unwrap();
        format_for(Path::new("a.h5ad"), None).unwrap().read(input, &limit(max_memory))
    };
    assert!(read(2000).is_ok());
    for most in [0, 8, 95, 100, 200] {
        assert!(matches!(read(most), Err(Error::TooLarge { .. })), "{most}");
    }
}
