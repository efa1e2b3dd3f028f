//! Files written by NumPy 2.4 and SciPy 1.17 (`tests/data/make.py`) are read as what they hold.

use landbridge::data::Rows;
use landbridge::linalg::Matrix;
use landbridge_io::{Error, ReadOptions, read_matrix};

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
