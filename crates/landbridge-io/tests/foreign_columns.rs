//! Files written by pandas 2 and pyarrow 26, and what scikit-learn 1.9 makes of text
//! (`tests/data/make_columns_and_text.py`): we read the same.

use landbridge::data::Rows;
use landbridge::linalg::Matrix;
use landbridge_io::{Error, Loaded, Missing, ReadOptions, Result, TextOptions, Weighting, read_matrix};

fn read(name: &str, options: &ReadOptions) -> Result<Loaded> {
    read_matrix(std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name), options)
}

#[test]
fn frames_of_pandas_hold_the_same_table_in_every_packing() {
    let options = ReadOptions { label_column: Some("kind".into()), ..Default::default() };
    let expected = Matrix::from_rows(&[[0.5, 1.0, 1.0], [-1.5, -2.0, 0.0], [2.25, 3.0, 1.0]]).unwrap();
    for name in [
        "pandas-snappy.parquet",
        "pandas-gzip.parquet",
        "pandas-zstd.parquet",
        "pandas-lz4.parquet",
        "pandas-none.parquet",
        "pages-v2.parquet",
        "pandas-lz4.feather",
        "pandas-zstd.feather",
        "pandas-uncompressed.feather",
        "stream.arrows",
    ] {
        let loaded = read(name, &options).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(loaded.rows, Rows::F64(expected.clone()), "{name}");
        assert_eq!(loaded.row_ids.unwrap(), ["a", "b,c", "ü"], "{name}");
        assert_eq!(loaded.columns.unwrap(), ["x, y", "Größe", "flag"], "{name}");
        assert_eq!(loaded.labels.unwrap(), ["t", "b", "t"], "{name}");
    }
    let error = read("pandas-zstd.parquet", &ReadOptions::default()).unwrap_err();
    assert!(error.to_string().ends_with("column \"kind\" holds text, not numbers"), "{error}");
}

#[test]
fn embeddings_and_holes_of_pyarrow_are_what_they_are() {
    let expected = Matrix::from_rows(&[[0.0f32, 0.25], [0.5, 0.75], [1.0, 1.25]]).unwrap();
    for name in ["embedding.parquet", "embedding.feather"] {
        let loaded = read(name, &ReadOptions::default()).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!((loaded.rows, loaded.columns.unwrap()), (Rows::F32(expected.clone()), vec!["v.0".into(), "v.1".into()]));
        assert_eq!(loaded.row_ids.unwrap(), ["a", "b", "c"]);
    }
    assert!(matches!(read("missing.parquet", &ReadOptions::default()), Err(Error::MissingAt { row: 1, .. })));
    let zero = ReadOptions { missing: Missing::Zero, ..Default::default() };
    assert_eq!(read("missing.parquet", &zero).unwrap().rows, Matrix::from_rows(&[[1.0, 1.0], [0.0, 2.0]]).unwrap().into());
}

#[test]
fn bags_of_words_are_those_of_scikit_learn() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let all: serde_json::Value = serde_json::from_slice(&std::fs::read(folder.join("text.json")).unwrap()).unwrap();
    let counts = || TextOptions { weighting: Some(Weighting::Counts), ..Default::default() };
    for (case, file, text) in [
        ("tfidf", "lines.txt", TextOptions::default()),
        ("min_df", "lines.txt", TextOptions { min_df: Some(20), ..Default::default() }),
        ("counts", "lines.txt", counts()),
        ("char_ngrams", "plain.txt", TextOptions { char_ngrams: Some((2, 4)), ..counts() }),
    ] {
        let loaded = read(file, &ReadOptions { text, ..Default::default() }).unwrap();
        let Rows::Sparse(m) = loaded.rows else { panic!("text is sparse") };
        let expected = &all[case];
        let list = |what: &str| expected[what].as_array().unwrap().clone();
        let numbers = |what: &str| list(what).iter().map(|v| v.as_u64().unwrap() as usize).collect::<Vec<_>>();
        let words: Vec<String> = list("words").iter().map(|w| w.as_str().unwrap().into()).collect();
        assert_eq!(loaded.columns.unwrap(), words, "{case}");
        assert_eq!(m.indptr(), numbers("indptr"), "{case}");
        assert_eq!(m.indices().iter().map(|&j| j as usize).collect::<Vec<_>>(), numbers("indices"), "{case}");
        assert!(m.nnz() > 100);
        for (ours, theirs) in m.values().iter().zip(list("values")) {
            assert!((ours - theirs.as_f64().unwrap()).abs() < 1e-14, "{case}: {ours} and {theirs}");
        }
    }
}
