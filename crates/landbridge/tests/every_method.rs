//! Awkward but legal data, for every method there is: a finite answer, the same for rows in any order, or an error that says why.

use landbridge::Error;
use landbridge::correspondence::InferPairs;
use landbridge::correspondence::Inferring;
use landbridge::data::{Dataset, Pairs, Rows};
use landbridge::embed::{DiffusionMap, Isomap, LaplacianEigenmaps, LocallyLinear, Lpp, Pca};
use landbridge::linalg::Matrix;
use landbridge::method::{
    AffineAlignment, Cca, Cle, Clle, Constraints, Distance, GlobalAlignment, InstanceAlignment, Lamvu, Level, LinearAlignment,
    LinearTransform, MeanVotes, Method, MultiscaleAlignment, PairSimilarity, PopularVotes, ProcrustesAlignment, SparseAlignment,
    SparsePenalty,
};
use landbridge::model::Alignment;
use landbridge::progress::Progress;

const K: usize = 6;

fn methods() -> Vec<(&'static str, Box<dyn Method>)> {
    let sparse = |penalty| SparseAlignment::new(2).n_neighbors(K).penalty(penalty);
    let global = |level| GlobalAlignment::new(2).n_neighbors(K).level(level);
    vec![
        ("instance", Box::new(InstanceAlignment::new(2).n_neighbors(K))),
        ("cle", Box::new(Cle::new(2).n_neighbors(K))),
        ("clle", Box::new(Clle::new(2).n_neighbors(K))),
        ("lamvu", Box::new(Lamvu::new(2).n_neighbors(K))),
        ("lamvu, equalities", Box::new(Lamvu::new(2).n_neighbors(K).constraints(Constraints::Direct))),
        ("mean votes", Box::new(MeanVotes::new())),
        ("popular votes", Box::new(PopularVotes::new())),
        ("linear", Box::new(LinearAlignment::new(2).n_neighbors(K))),
        ("global, features", Box::new(global(Level::Feature))),
        ("global, rows", Box::new(global(Level::Instance))),
        ("global, straight", Box::new(global(Level::Instance).distance(Distance::Euclidean))),
        ("global, landmarks", Box::new(global(Level::Instance).landmarks(Some(12)))),
        ("sparse, lasso", Box::new(sparse(SparsePenalty::Lasso))),
        ("sparse, fused", Box::new(sparse(SparsePenalty::Fused))),
        ("sparse, ridge", Box::new(sparse(SparsePenalty::None))),
        ("multiscale", Box::new(MultiscaleAlignment::new().n_neighbors(K))),
        ("multiscale, rows", Box::new(MultiscaleAlignment::new().n_neighbors(K).level(Level::Instance))),
        ("cca", Box::new(Cca::new(2))),
        ("linear transform", Box::new(LinearTransform::new())),
        ("pair similarity", Box::new(PairSimilarity::new())),
        ("procrustes, laplacian", Box::new(ProcrustesAlignment::new(LaplacianEigenmaps::new(2).n_neighbors(K)))),
        ("procrustes, diffusion", Box::new(ProcrustesAlignment::new(DiffusionMap::new(2).n_neighbors(K)))),
        ("procrustes, isomap", Box::new(ProcrustesAlignment::new(Isomap::new(2).n_neighbors(K)))),
        ("procrustes, lle", Box::new(ProcrustesAlignment::new(LocallyLinear::new(2).n_neighbors(K)))),
        ("procrustes, lpp", Box::new(ProcrustesAlignment::new(Lpp::new(2).n_neighbors(K)))),
        ("procrustes, pca", Box::new(ProcrustesAlignment::new(Pca::new(2)))),
        ("affine", Box::new(AffineAlignment::new(Pca::new(2)))),
        ("inferring", Box::new(Inferring::new(InstanceAlignment::new(2).n_neighbors(K), InferPairs::new()))),
    ]
}

/// Rows on a curved sheet: two numbers of each, seen through p features.
fn sheet(n: usize, p: usize, seed: usize) -> Matrix<f64> {
    Matrix::from_fn(n, p, |i, j| {
        let (u, v) = ((i * 37 % n) as f64 / n as f64, (i * 53 % 101) as f64 / 101.0);
        let angle = (j + seed) as f64;
        (3.0 * u * angle.cos() + 2.0 * v * angle.sin()).sin() + 0.5 * u * (j % 3) as f64 + 0.1 * v
    })
}

fn two(a: Matrix<f64>, b: Matrix<f64>) -> [Dataset; 2] {
    [Dataset::new("a", a).unwrap(), Dataset::new("b", b).unwrap()]
}

fn fit(method: &dyn Method, datasets: &[Dataset], pairs: &Pairs) -> Result<Alignment, Error> {
    method.fit_with(datasets, pairs, &Progress::silent())
}

/// Places, eigenvalues, and places of new rows are numbers.
fn assert_finite(name: &str, what: &str, datasets: &[Dataset], alignment: &Alignment) {
    for (s, dataset) in datasets.iter().enumerate() {
        assert!(alignment.embedding(s).as_slice().iter().all(|v| v.is_finite()), "{name}, {what}: dataset {s} is not finite");
        let new = dataset.rows().select(&[1, 0]);
        if let Ok(placed) = alignment.transform(&new, s) {
            assert!(placed.as_slice().iter().all(|v| v.is_finite()), "{name}, {what}: new rows are not finite");
            let mut written = vec![f64::NAN; placed.as_slice().len()];
            alignment.transform_into(&new, s, &mut written).unwrap();
            assert_eq!(written, placed.as_slice(), "{name}, {what}: written elsewhere");
        }
    }
    assert!(alignment.eigenvalues().iter().all(|v| v.is_finite()), "{name}, {what}: eigenvalues {:?}", alignment.eigenvalues());
    assert!(alignment.outcome().residual.is_finite(), "{name}, {what}");
}

#[test]
fn awkward_data_give_a_finite_answer_or_an_error_that_says_why() {
    let n = 48;
    let twice = |m: &Matrix<f64>| m.select_rows(&(0..n).map(|i| i / 2).collect::<Vec<_>>());
    let mut constant = sheet(n, 5, 1);
    (0..n).for_each(|i| constant.row_mut(i)[2] = 7.0);
    let mut far = sheet(n, 4, 1);
    (0..n).filter(|i| i % 2 == 1).for_each(|i| far.row_mut(i).iter_mut().for_each(|v| *v += 1e6));
    let scaled = |m: Matrix<f64>, by: f64| Matrix::from_fn(m.nrows(), m.ncols(), |i, j| by * m[(i, j)]);
    let cases = [
        ("every row twice", twice(&sheet(n, 4, 1)), twice(&sheet(n, 5, 2))),
        ("one feature", sheet(n, 1, 1), sheet(n, 1, 2)),
        ("one feature and many", sheet(n, 1, 1), sheet(n, 9, 2)),
        ("more features than rows", sheet(n, 120, 1), sheet(n, 70, 2)),
        ("a constant column", constant, sheet(n, 4, 2)),
        ("two groups far apart", far, sheet(n, 4, 2)),
        ("huge and tiny numbers", scaled(sheet(n, 4, 1), 1e150), scaled(sheet(n, 4, 2), 1e-150)),
        ("all rows of one dataset equal", Matrix::from_fn(n, 3, |_, j| j as f64), sheet(n, 4, 2)),
    ];
    let pairs = Pairs::first_rows(2, 20);
    for (what, a, b) in cases {
        let datasets = two(a, b);
        for (name, method) in methods() {
            match fit(&*method, &datasets, &pairs) {
                Ok(alignment) => assert_finite(name, what, &datasets, &alignment),
                // Only what has no answer is refused, and in words.
                Err(error) => {
                    assert!(what == "all rows of one dataset equal", "{name}, {what}: {error}");
                    assert!(error.to_string().len() > 20, "{name}, {what}: {error}");
                }
            }
        }
    }
}

#[test]
fn results_are_written_to_given_room_in_either_precision() {
    let n = 48;
    let datasets = two(sheet(n, 5, 1), sheet(n, 7, 2));
    for (name, method) in methods() {
        let alignment = fit(&*method, &datasets, &Pairs::first_rows(2, 20)).unwrap();
        let new = sheet(20, 5, 1);
        for rows in [Rows::F32(new.to_f32()), Rows::F64(new)] {
            let results = [
                (alignment.transform(&rows, 0), "transform"),
                (alignment.map(&rows, 0, 1), "map"),
                (alignment.predict(&rows, 0, 1), "predict"),
            ];
            for (result, verb) in results {
                let Ok(result) = result else { continue };
                let largest = result.as_slice().iter().fold(0.0f64, |m, v| m.max(v.abs()));
                let (mut double, mut single) = (vec![f64::NAN; result.as_slice().len()], vec![f32::NAN; result.as_slice().len()]);
                match verb {
                    "transform" => {
                        alignment.transform_into(&rows, 0, &mut double).unwrap();
                        alignment.transform_into(&rows, 0, &mut single).unwrap();
                        assert!(alignment.transform_into(&rows, 0, &mut double[1..]).is_err(), "{name}: room of another size");
                    }
                    "map" => {
                        alignment.map_into(&rows, 0, 1, &mut double).unwrap();
                        alignment.map_into(&rows, 0, 1, &mut single).unwrap();
                    }
                    _ => {
                        alignment.predict_into(&rows, 0, 1, &mut double).unwrap();
                        alignment.predict_into(&rows, 0, 1, &mut single).unwrap();
                    }
                }
                assert_eq!(double, result.as_slice(), "{name}: {verb}");
                for (s, d) in single.iter().zip(&double) {
                    assert!((f64::from(*s) - d).abs() <= 1e-5 * largest, "{name}: {verb} in single precision, {s} and {d}");
                }
            }
        }
    }
}

#[test]
fn rows_in_another_order_have_the_same_distances_between_the_datasets() {
    let n = 60;
    let (a, b) = (sheet(n, 4, 1), sheet(n, 5, 2));
    let order: Vec<usize> = (0..n).map(|i| (i * 17 + 3) % n).collect();
    let mut place = vec![0; n];
    order.iter().enumerate().for_each(|(new, &old)| place[old] = new);
    let (base, moved) = (two(a.clone(), b.clone()), two(a.select_rows(&order), b));
    let pairs = Pairs::first_rows(2, 30);
    let mut moved_pairs = Pairs::none(2);
    for link in pairs.links() {
        moved_pairs.add(0, place[link.i], 1, link.j, link.weight).unwrap();
    }
    for (name, method) in methods() {
        if name == "global, landmarks" || name == "inferring" {
            continue; // landmarks are rows drawn by position; given pairs there is nothing to infer
        }
        let before = fit(&*method, &base, &pairs).unwrap();
        let after = fit(&*method, &moved, &moved_pairs).unwrap();
        let distance = |m: &Alignment, i: usize, j: usize| {
            m.embedding(0).row(i).iter().zip(m.embedding(1).row(j)).map(|(x, y)| (x - y).powi(2)).sum::<f64>().sqrt()
        };
        let size = (0..n).map(|i| distance(&before, i, (i * 7) % n)).fold(0.0, f64::max);
        for i in 0..n {
            for j in [0, 7, 31] {
                let (x, y) = (distance(&before, i, j), distance(&after, place[i], j));
                assert!((x - y).abs() <= 1e-4 * size, "{name}: rows {i} and {j} were {x} apart, now {y}");
            }
        }
    }
}
