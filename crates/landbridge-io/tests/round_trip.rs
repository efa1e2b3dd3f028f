//! What is written is read back bit by bit.

mod common;

use common::{PACKED, bits, samples};
use landbridge::data::{Dataset, Rows};
use landbridge::linalg::{Csr, Matrix};
use landbridge_io::{Error, ReadOptions, Table, read_dataset, read_matrix, read_pairs, write_matrix, write_table};

#[test]
fn every_format_gives_every_kind_of_rows_back_bit_by_bit() {
    let folder = tempfile::tempdir().unwrap();
    let mut written = 0;
    for extension in ["csv", "tsv", "npy", "npz", "mtx", "parquet", "arrow"] {
        for packed in PACKED {
            for (seed, (n, p)) in [(1, 1), (7, 3), (40, 17)].into_iter().enumerate() {
                for rows in samples(seed as u64, n, p) {
                    let path = folder.path().join(format!("data.{extension}{packed}"));
                    let result = write_matrix(&path, &Table::new(&rows));
                    if matches!(rows, Rows::Sparse(_)) && !["npz", "mtx"].contains(&extension) {
                        assert!(matches!(result, Err(Error::CannotHold { .. })), "{extension}");
                        continue;
                    }
                    result.unwrap();
                    let back = read_matrix(&path, &ReadOptions::default()).unwrap().rows;
                    // Text has no single precision: numbers come as f64 and round to the same f32.
                    let text = ["csv", "tsv", "mtx"].contains(&extension);
                    let back = match (&rows, back) {
                        (Rows::F32(_), Rows::F64(m)) if text => m.to_f32().into(),
                        (_, back) => back,
                    };
                    assert_eq!(back.kind(), rows.kind(), "{path:?}");
                    assert_eq!(bits(&back), bits(&rows), "{path:?}");
                    written += 1;
                }
            }
        }
    }
    assert_eq!(written, (7 * 2 + 2) * 3 * 3);
}

#[test]
fn an_all_zero_sparse_matrix_survives() {
    let folder = tempfile::tempdir().unwrap();
    let empty = Csr::from_triplets(3, 4, &[]).unwrap();
    for name in ["a.npz", "a.mtx", "a.npz.zst", "a.mtx.gz"] {
        let path = folder.path().join(name);
        write_matrix(&path, &Table::new(&empty)).unwrap();
        assert_eq!(read_matrix(&path, &ReadOptions::default()).unwrap().rows, Rows::Sparse(empty.clone()), "{name}");
    }
}

#[test]
fn ids_names_and_labels_survive_whatever_is_in_them() {
    let folder = tempfile::tempdir().unwrap();
    let words: Vec<String> = [
        "plain",
        "a,b",
        "say \"hi\"",
        "two\nlines",
        "cr\r\nlf",
        "tab\there",
        "Größe",
        "名前",
        "🧬",
        " spaces ",
        "=1+1",
        "'",
        "-1",
        "NA",
    ]
    .map(String::from)
    .to_vec();
    let rows = Matrix::from_fn(words.len(), words.len(), |i, j| i as f64 - 0.5 * j as f64);
    let mut labels = words.clone();
    labels.reverse();
    let dataset = Dataset::new("x", rows).unwrap();
    let dataset = dataset.with_row_ids(words.clone()).unwrap().with_columns(words).unwrap().with_labels(labels).unwrap();
    for extension in ["csv", "tsv", "parquet", "arrow"] {
        for packed in PACKED {
            let path = folder.path().join(format!("x.{extension}{packed}"));
            write_matrix(&path, &Table::from(&dataset)).unwrap();
            let options = ReadOptions { label_column: Some("label".into()), ..Default::default() };
            assert_eq!(read_dataset(&path, &options).unwrap(), dataset, "{path:?}");
        }
    }
    for extension in ["npy", "npz", "mtx"] {
        let error = write_matrix(folder.path().join(format!("x.{extension}")), &Table::from(&dataset)).unwrap_err();
        assert!(error.to_string().ends_with(&format!("{extension} files cannot hold row ids")), "{error}");
    }
    let short = ["a".to_string()];
    let error = write_matrix(folder.path().join("y.csv"), &Table::from(&dataset).row_ids(&short)).unwrap_err();
    assert_eq!(error.to_string(), "row ids: expected 14, got 1");
}

#[test]
fn names_formats_and_options_are_what_they_are_told_to_be() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let rows = Matrix::from_rows(&[[1.0, 2.0], [3.0, 4.0]]).unwrap();
    for (file, name) in [("en.csv.gz", "en"), ("en.v2.npy", "en.v2"), ("EN.NPZ", "EN")] {
        write_matrix(at(file), &Table::new(&rows)).unwrap();
        assert_eq!(read_dataset(at(file), &ReadOptions::default()).unwrap().name(), name);
    }
    let told = ReadOptions { name: Some("other".into()), ..Default::default() };
    assert_eq!(read_dataset(at("en.csv.gz"), &told).unwrap().name(), "other");
    // A gzip file under a plain name is recognised; a plain file under a gzip name is not one.
    std::fs::copy(at("en.csv.gz"), at("plain.csv")).unwrap();
    assert_eq!(read_dataset(at("plain.csv"), &ReadOptions::default()).unwrap().nrows(), 2);
    std::fs::write(at("no.csv.gz"), "1,2\n").unwrap();
    assert!(matches!(read_matrix(at("no.csv.gz"), &ReadOptions::default()), Err(Error::WrongFormat { format: "gzip", .. })));
    std::fs::write(at("data.dat"), "1,2\n3,4\n").unwrap();
    assert!(matches!(read_matrix(at("data.dat"), &ReadOptions::default()), Err(Error::UnknownFormat { .. })));
    let told = ReadOptions { format: Some("csv".into()), ..Default::default() };
    assert_eq!(read_matrix(at("data.dat"), &told).unwrap().rows, Rows::F64(rows.clone()));
    let told = ReadOptions { header: Some(true), ..Default::default() };
    let error = read_matrix(at("en.v2.npy"), &told).unwrap_err();
    assert!(error.to_string().ends_with("header has no meaning for npy files"), "{error}");
    let told = ReadOptions { key: Some("a".into()), ..Default::default() };
    assert!(matches!(read_matrix(at("data.csv"), &told), Err(Error::OptionWithoutMeaning { option: "key", .. })));
    assert!(matches!(read_matrix(at("EN.NPZ"), &told), Err(Error::ArrayChoice { .. })));
    for address in ["https://example.org/a.csv", "s3://b/a.npy"] {
        assert!(matches!(read_matrix(address, &ReadOptions::default()), Err(Error::Remote { .. })));
        assert!(matches!(write_matrix(address, &Table::new(&rows)), Err(Error::Remote { .. })));
        assert!(matches!(read_pairs(address, &[]), Err(Error::Remote { .. })));
    }
    assert!(matches!(read_matrix(at("missing.csv"), &ReadOptions::default()), Err(Error::Io { action: "read", .. })));
    std::fs::create_dir(at("folder.csv")).unwrap();
    assert!(matches!(read_matrix(at("folder.csv"), &ReadOptions::default()), Err(Error::IsDirectory { .. })));
}

#[test]
fn values_that_are_not_finite_are_refused_with_their_place() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.npy");
    let rows = Matrix::from_rows(&[[1.0, f64::NAN]]).unwrap();
    write_matrix(&path, &Table::new(&rows)).unwrap();
    let error = read_dataset(&path, &ReadOptions::default()).unwrap_err();
    assert_eq!(error.kind(), "data");
    assert!(error.to_string().contains("row 0, column 1 is NaN"), "{error}");
}

#[test]
fn pairs_come_from_text_and_from_npy() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let rows = || Matrix::<f64>::zeros(5, 2);
    let (en, it) = (Dataset::new("en", rows()).unwrap(), Dataset::new("it", rows()).unwrap());
    let both = [&en, &it];
    let table = [["4", "0", "0.5"], ["1", "2", "2"]];
    for name in ["p.csv", "p.tsv.gz", "p.csv.zst"] {
        write_table(at(name), &["it", "en", "weight"], table, &Default::default()).unwrap();
    }
    let numbers = Matrix::from_rows(&[[0.0, 4.0, 0.5], [2.0, 1.0, 2.0]]).unwrap();
    write_matrix(at("p.npy"), &Table::new(&numbers)).unwrap();
    let expected = read_pairs(at("p.csv"), &both).unwrap();
    assert_eq!(expected.links().len(), 2);
    assert_eq!((expected.links()[0].i, expected.links()[0].j, expected.links()[0].weight), (0, 4, 0.5));
    for name in ["p.tsv.gz", "p.csv.zst", "p.npy"] {
        assert_eq!(read_pairs(at(name), &both).unwrap(), expected, "{name}");
    }
    for (row, problem) in [
        ([5.0, 0.0], "row 5 is out of range: dataset \"en\" has 5 rows (0 to 4)"),
        ([0.5, 0.0], "0.5 is not a row number of dataset \"en\""),
        ([-2.0, 0.0], "row -2 is out of range"),
        ([0.0, -1.0], "only 1 dataset has an entry"),
        ([f64::NAN, 0.0], "NaN is not a row number"),
    ] {
        write_matrix(at("bad.npy"), &Table::new(&Matrix::from_rows(&[row]).unwrap())).unwrap();
        let error = read_pairs(at("bad.npy"), &both).unwrap_err().to_string();
        assert!(error.contains(&format!("bad.npy line 1: {problem}")), "{error}");
    }
    std::fs::write(at("p.doc"), "1,2\n").unwrap();
    assert!(matches!(read_pairs(at("p.doc"), &both), Err(Error::UnknownFormat { .. })));
}
