use super::*;
use crate::linalg::tall::Tall;

fn counts() -> Matrix<f64> {
    Matrix::from_fn(9, 5, |i, j| if (i * 3 + j * 7) % 4 == 0 || j == 4 { ((i * j) % 3 + 1) as f64 } else { 0.0 })
}
const ALL: [Prepare; 9] = [
    Prepare::None,
    Prepare::Center,
    Prepare::Unit,
    Prepare::CenterUnit,
    Prepare::UnitCenter,
    Prepare::Tfidf,
    Prepare::TfidfCenter,
    Prepare::LogTfidf,
    Prepare::Standardize,
];

#[test]
fn sparse_rows_come_out_as_dense_ones_and_products_agree() {
    let m = counts();
    let sparse = Rows::Sparse(Csr::from_dense(&m));
    for prepare in ALL {
        let (a, b) = (Preparation::fit(prepare, &Rows::F64(m.clone())), Preparation::fit(prepare, &sparse));
        let (dense, implicit) = (a.apply(&Rows::F64(m.clone())), b.apply(&sparse));
        for (x, y) in dense.to_dense().values.iter().zip(&implicit.to_dense().values) {
            assert!((x - y).abs() < 1e-12, "{prepare:?}: {x} {y}");
        }
        let v = Tall { values: (0..10).map(f64::from).collect(), stride: 2 };
        let u = Tall { values: (0..27).map(f64::from).collect(), stride: 3 };
        for (x, y) in dense.times(&v).values.iter().zip(&implicit.times(&v).values) {
            assert!((x - y).abs() < 1e-11, "{prepare:?}");
        }
        for (x, y) in dense.transposed_times(&u).values.iter().zip(&implicit.transposed_times(&u).values) {
            assert!((x - y).abs() < 1e-11, "{prepare:?}");
        }
        let w = Csr::from_triplets(5, 2, &[(0, 1, 2.0), (3, 0, -1.0), (4, 1, 0.5)]).unwrap();
        let plain = dense.times(&Tall { values: w.to_dense().into_vec(), stride: 2 });
        for rows in [&dense, &implicit] {
            assert!(rows.times_sparse(&w).values.iter().zip(&plain.values).all(|(x, y)| (x - y).abs() < 1e-12));
            let picked = rows.select_columns(&[3, 1]).to_dense();
            assert!((picked.values[2 * 7] - dense.to_dense().values[7 * 5 + 3]).abs() < 1e-12);
        }
        let chosen = implicit.select(&[4, 0]).to_dense();
        assert!((chosen.values[0] - dense.to_dense().values[4 * 5]).abs() < 1e-12);
    }
}

#[test]
fn each_word_does_what_it_says() {
    let rows = Rows::F64(counts());
    let prepared = |p: Prepare| Preparation::fit(p, &rows).apply(&rows).to_dense();
    let mean = |m: &Tall, j: usize| (0..9).map(|i| m.values[i * 5 + j]).sum::<f64>() / 9.0;
    let square = |m: &Tall, i: usize| m.values[i * 5..(i + 1) * 5].iter().map(|v| v * v).sum::<f64>();
    for p in [Prepare::Center, Prepare::UnitCenter, Prepare::TfidfCenter, Prepare::Standardize] {
        assert!((0..5).all(|j| mean(&prepared(p), j).abs() < 1e-12), "{p:?}");
    }
    for p in [Prepare::Unit, Prepare::CenterUnit, Prepare::Tfidf, Prepare::LogTfidf] {
        assert!((0..9).all(|i| (square(&prepared(p), i) - 1.0).abs() < 1e-12), "{p:?}");
    }
    // The logarithm of counts, then the same factors.
    let (plain, log) = (prepared(Prepare::Tfidf), prepared(Prepare::LogTfidf));
    let m = counts();
    let (i, j, k) = (1, 4, 3);
    assert!(m[(i, j)] > 0.0 && m[(i, k)] > 0.0 && m[(i, j)] != m[(i, k)]);
    let ratio = |t: &Tall| t.values[i * 5 + j] / t.values[i * 5 + k];
    let expected = ratio(&plain) * (m[(i, j)].ln_1p() / m[(i, j)]) / (m[(i, k)].ln_1p() / m[(i, k)]);
    assert!((ratio(&log) - expected).abs() < 1e-12);
    let standard = prepared(Prepare::Standardize);
    assert!((0..4).all(|j| ((0..9).map(|i| standard.values[i * 5 + j].powi(2)).sum::<f64>() / 9.0 - 1.0).abs() < 1e-12));
    let mut back = Matrix::from_vec(standard.values, 9, 5).unwrap();
    Preparation::fit(Prepare::Standardize, &rows).undo(&mut back);
    assert!(back.as_slice().iter().zip(counts().as_slice()).all(|(a, b)| (a - b).abs() < 1e-12));
    // Zero rows and constant columns stay finite.
    let odd = Rows::F64(Matrix::from_rows(&[[0.0, 7.0], [0.0, 7.0], [0.0, 7.0]]).unwrap());
    for p in ALL {
        let out = Preparation::fit(p, &odd).apply(&odd).to_dense();
        assert!(out.values.iter().all(|v| v.is_finite()), "{p:?}");
    }
}
