//! Files written by NumPy 2.4 and SciPy 1.17 (`tests/data/make.py`) are read as what they hold, and so is an old model.

use landbridge::data::Rows;
use landbridge::linalg::Matrix;
use landbridge_io::{Error, ReadOptions, TextRecipe, load_model, read_matrix, save_model};

fn read(name: &str, options: &ReadOptions) -> landbridge_io::Result<Rows> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    Ok(read_matrix(folder.join(name), options)?.rows)
}

#[test]
fn files_of_numpy_and_scipy_hold_the_same_matrix() {
    let a = Matrix::from_rows(&[[0.0, 1.5, 0.0, -2.0], [0.0; 4], [3.0, 0.0, 0.25, 0.0]]).unwrap();
    let default = ReadOptions::default();
    for name in ["csr.npz", "csc.npz", "coo.npz", "csr_array_plain.npz", "coordinate.mtx"] {
        let Rows::Sparse(m) = read(name, &default).unwrap() else { panic!("{name} was made dense") };
        assert_eq!(m.to_dense(), a, "{name}");
        assert_eq!(m.nnz(), 4, "{name}");
    }
    for name in ["f8.npy", "fortran.npy", "one.npz", "array.mtx"] {
        assert_eq!(read(name, &default).unwrap(), Rows::F64(a.clone()), "{name}");
    }
    for name in ["f2.npy", "f4.npy"] {
        assert_eq!(read(name, &default).unwrap(), Rows::F32(a.to_f32()), "{name}");
    }
    assert_eq!(read("int.npy", &default).unwrap(), Rows::F64(Matrix::from_fn(3, 4, |i, j| 4.0 * a[(i, j)])));
    let Rows::Sparse(gram) = read("symmetric.mtx", &default).unwrap() else { panic!("made dense") };
    let expected = Matrix::from_fn(4, 4, |j, k| (0..3).map(|i| a[(i, j)] * a[(i, k)]).sum());
    assert_eq!(gram.to_dense(), expected);
}

#[test]
fn of_several_arrays_one_is_chosen() {
    let error = read("two.npz", &ReadOptions::default()).unwrap_err();
    assert!(error.to_string().ends_with("no array was chosen; the arrays are \"a\", \"b\""), "{error}");
    let key = |key: &str| ReadOptions { key: Some(key.into()), ..Default::default() };
    assert_eq!(read("two.npz", &key("b")).unwrap(), Rows::F64(Matrix::from_vec(vec![0.0, 1.0, 2.0], 3, 1).unwrap()));
    assert!(matches!(read("two.npz", &key("c")), Err(Error::ArrayChoice { .. })));
}

/// `first.lb` was written by the first program that wrote models (commit ae49762), from half a circle and a parabola of
/// twelve points and three pairs: `fit a.csv b.csv --method instance --pairs p.csv -d 2 --n-neighbors 3`.
#[test]
fn a_model_of_the_first_program_is_loaded() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/first.lb");
    let alignment = load_model(&path).unwrap();
    for (position, fitted) in alignment.datasets().iter().enumerate() {
        assert_eq!(TextRecipe::of(fitted).unwrap(), None);
        assert_eq!(alignment.embedding(position).nrows(), 12);
    }
    // The first row of the first dataset is placed where it was.
    let first = alignment.transform(&Matrix::from_rows(&[[1.0, 0.0]]).unwrap().into(), 0).unwrap();
    for j in 0..2 {
        assert!((first[(0, j)] - alignment.embedding(0)[(0, j)]).abs() < 1e-12);
        // As that program printed it.
        assert!((first[(0, j)] - [-0.0933798422559286, -0.12687573833550825][j]).abs() < 1e-12);
    }
    // What is written today holds the same.
    let folder = tempfile::tempdir().unwrap();
    save_model(folder.path().join("new.lb"), &alignment).unwrap();
    assert_eq!(load_model(folder.path().join("new.lb")).unwrap().embedding(1), alignment.embedding(1));
}
