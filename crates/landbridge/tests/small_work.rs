//! Small work stays on the thread that asks for it: no thread is started, and a row alone has the bits that it has among others.
//! One test: others beside it would start threads of their own.

use landbridge::apply::matching::How;
use landbridge::data::{Dataset, Pairs, Prepare, Rows, RowsRef};
use landbridge::geometry::neighbors::Metric;
use landbridge::linalg::{Csr, Matrix};
use landbridge::method::Cca;
use landbridge::progress::Progress;

const ROWS: usize = 300;

fn random(n: usize, p: usize, seed: u64) -> Matrix<f64> {
    let mut state = seed;
    Matrix::from_fn(n, p, |_, _| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as f64 / (1u64 << 31) as f64 - 0.5
    })
}

/// Threads of this process, where the system tells.
fn threads() -> Option<usize> {
    std::fs::read_dir("/proc/self/task").ok().map(Iterator::count)
}

fn one(rows: &Rows, i: usize) -> Rows {
    rows.select(&[i])
}

#[test]
fn one_row_starts_no_thread_and_has_the_bits_it_has_among_many() {
    let x = random(ROWS, 24, 1);
    let y = Matrix::from_fn(ROWS, 18, |i, j| x[(i, j)] - 0.5 * x[(i, j + 1)]);
    let new = random(150, 24, 7);
    let positive = |m: &Matrix<f64>| Csr::from_dense(&Matrix::from_fn(m.nrows(), m.ncols(), |i, j| m[(i, j)].max(0.0)));
    type Kind<'a> = &'a dyn Fn(&Matrix<f64>) -> Rows;
    let kinds: [Kind<'_>; 3] = [&|m| Rows::F64(m.clone()), &|m| Rows::F32(m.to_f32()), &|m| Rows::Sparse(positive(m))];
    let quiet = Progress::silent();
    for (kind, make) in kinds.iter().enumerate() {
        for prepare in [Prepare::None, Prepare::Center, Prepare::CenterUnit, Prepare::UnitCenter, Prepare::Standardize] {
            let what = format!("kind {kind}, {prepare:?}");
            let datasets = [Dataset::new("x", make(&x)).unwrap(), Dataset::new("y", make(&y)).unwrap()];
            let fitted = Cca::new(6).prepare(prepare).n_jobs(1).fit(&datasets, &Pairs::first_rows(2, ROWS)).unwrap();
            let new = make(&new);
            let all = fitted.transform(&new, "x").unwrap();
            let mapped = fitted.map(&new, "x", "y").unwrap();
            let predicted = fitted.predict(&new, "x", "y").unwrap();
            let matched = fitted.match_new(&new, "x", "y", 3, How::Nearest, Metric::Euclidean).unwrap();
            let alike = fitted.match_new(&new, "x", "y", 3, How::Nearest, Metric::Cosine).unwrap();
            let before = threads();
            for i in 0..new.nrows() {
                let row = one(&new, i);
                let borrowed = RowsRef::from(&row);
                assert!(fitted.is_quick(borrowed, "x") && fitted.is_quick_map(borrowed, "x", "y"), "{what}");
                assert_eq!(fitted.transform(&row, "x").unwrap().row(0), all.row(i), "{what}: row {i}");
                assert_eq!(fitted.transform_ref(borrowed, "x", &quiet).unwrap().row(0), all.row(i), "{what}: row {i}");
                assert_eq!(fitted.map(&row, "x", "y").unwrap().row(0), mapped.row(i), "{what}: row {i}");
                assert_eq!(fitted.predict(&row, "x", "y").unwrap().row(0), predicted.row(i), "{what}: row {i}");
                let found = fitted.match_new(&row, "x", "y", 3, How::Nearest, Metric::Euclidean).unwrap();
                assert!(found.row(0).eq(matched.row(i)), "{what}: row {i}");
                let found = fitted.match_new(&row, "x", "y", 3, How::Nearest, Metric::Cosine).unwrap();
                assert!(found.row(0).eq(alike.row(i)), "{what}: row {i}");
            }
            assert_eq!(threads(), before, "{what}: a thread was started or ended");
        }
    }
    borrowed_rows_meet_the_errors_of_a_dataset();
}

fn borrowed_rows_meet_the_errors_of_a_dataset() {
    let datasets = [Dataset::new("x", random(40, 5, 1)).unwrap(), Dataset::new("y", random(40, 5, 1)).unwrap()];
    let fitted = Cca::new(2).n_jobs(1).fit(&datasets, &Pairs::first_rows(2, 40)).unwrap();
    let refused = |m: Matrix<f64>| {
        let long = Dataset::new("new rows of x", m.clone()).and_then(|d| fitted.transform(d.rows(), "x")).unwrap_err();
        let short = fitted.transform_ref(RowsRef::from(&m), "x", &Progress::silent()).unwrap_err();
        assert_eq!(short.to_string(), long.to_string());
        short.to_string()
    };
    assert!(refused(random(2, 4, 3)).contains('4'));
    let mut bad = random(3, 5, 3);
    bad[(2, 1)] = f64::NAN;
    assert!(refused(bad).contains("row 2, column 1 is NaN"));
    let mut both = random(3, 7, 3);
    both[(0, 6)] = f64::INFINITY;
    assert!(refused(both).contains("column 6 is inf"));
    refused(Matrix::zeros(0, 5));
}
