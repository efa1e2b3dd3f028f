//! Global geometry against a naive twin that forms every matrix, and what it must refuse.

use faer::{Mat, Side};
use landbridge::Error;
use landbridge::data::synthetic::SwissRolls;
use landbridge::data::{Dataset, Pairs};
use landbridge::evaluate::recall_at_k;
use landbridge::geometry::neighbors::Metric;
use landbridge::linalg::{Csr, Matrix};
use landbridge::method::{Distance, GlobalAlignment, Level};
use landbridge::model::Alignment;
use landbridge::outcome::Warning;
use landbridge::problem::global::joint_distances;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Noisy views of the same points; sizes `(rows, columns)`.
fn views(sizes: &[(usize, usize)], seed: u64) -> Vec<Dataset> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let most = sizes.iter().map(|s| s.0).max().unwrap_or(0);
    let points = Matrix::from_fn(most, 4, |_, _| rng.random_range(-1.0..1.0));
    let view = |(a, &(n, p)): (usize, &(usize, usize))| {
        let turn = Matrix::from_fn(4, p, |_, _| rng.random_range(-1.0..1.0) * (1.0 + a as f64));
        let noise = Matrix::from_fn(n, p, |_, _| rng.random_range(-0.1..0.1));
        let rows = Matrix::from_fn(n, p, |i, j| noise[(i, j)] + (0..4).map(|k| points[(i, k)] * turn[(k, j)]).sum::<f64>());
        Dataset::new(["x", "y", "z"][a], rows).unwrap()
    };
    sizes.iter().enumerate().map(view).collect()
}

fn rows_of(dataset: &Dataset) -> &Matrix<f64> {
    match dataset.rows() {
        landbridge::data::Rows::F64(m) => m,
        _ => panic!("dense rows"),
    }
}

fn straight(m: &Matrix<f64>) -> Matrix<f64> {
    Matrix::from_fn(m.nrows(), m.nrows(), |i, j| {
        m.row(i).iter().zip(m.row(j)).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
    })
}

fn tau(d: &Matrix<f64>) -> Mat<f64> {
    let n = d.nrows();
    let means: Vec<f64> = (0..n).map(|i| d.row(i).iter().map(|v| v * v).sum::<f64>() / n as f64).collect();
    let mean = means.iter().sum::<f64>() / n as f64;
    Mat::from_fn(n, n, |i, j| -0.5 * (d[(i, j)].powi(2) - means[i] - means[j] + mean))
}

fn descending(m: &Mat<f64>) -> Vec<f64> {
    let eigen = m.self_adjoint_eigen(Side::Lower).unwrap();
    (0..m.nrows()).rev().map(|i| eigen.S()[i]).collect()
}

/// Block-diagonal, centred Z in full.
fn centred(datasets: &[Dataset]) -> Mat<f64> {
    let n: usize = datasets.iter().map(Dataset::nrows).sum();
    let p: usize = datasets.iter().map(Dataset::ncols).sum();
    let mut z = Mat::zeros(n, p);
    let (mut row, mut column) = (0, 0);
    for d in datasets {
        let m = rows_of(d);
        for j in 0..m.ncols() {
            let mean = (0..m.nrows()).map(|i| m[(i, j)]).sum::<f64>() / m.nrows() as f64;
            (0..m.nrows()).for_each(|i| z[(row + i, column + j)] = m[(i, j)] - mean);
        }
        row += m.nrows();
        column += m.ncols();
    }
    z
}

fn close(name: &str, found: &[f64], expected: &[f64], tolerance: f64) {
    for (x, y) in found.iter().zip(expected) {
        assert!((x / y - 1.0).abs() < tolerance, "{name}: {x} and {y}");
    }
}

/// `Z'τZ` on the range of `Z'Z`, in full.
fn whitened(datasets: &[Dataset], t: &Mat<f64>) -> Mat<f64> {
    let z = centred(datasets);
    let right = z.transpose() * &z;
    let g = right.llt(Side::Lower).unwrap();
    let left = z.transpose() * t * &z;
    let mut half = left.clone();
    faer::linalg::triangular_solve::solve_lower_triangular_in_place(g.L(), half.as_mut(), faer::Par::Seq);
    let mut whole = half.transpose().to_owned();
    faer::linalg::triangular_solve::solve_lower_triangular_in_place(g.L(), whole.as_mut(), faer::Par::Seq);
    whole
}

/// `F'Z'ZF = I`: sphered coordinates are orthonormal over all rows.
fn sphered(alignment: &Alignment, d: usize) {
    for i in 0..d {
        for j in 0..d {
            let of = |a: usize| alignment.embedding(a).rows().map(|row| row[i] * row[j]).sum::<f64>();
            let dot: f64 = (0..alignment.datasets().len()).map(of).sum();
            assert!((dot - f64::from(u8::from(i == j))).abs() < 1e-9, "{i} {j}: {dot}");
        }
    }
}

#[test]
fn eigenvalues_and_constraint_equal_the_naive_twin_on_random_problems() {
    for seed in 0..10 {
        let sizes: &[(usize, usize)] = if seed % 2 == 0 { &[(50, 5), (40, 6)] } else { &[(40, 5), (45, 4), (30, 6)] };
        let datasets = views(sizes, seed);
        let pairs = Pairs::first_rows(sizes.len(), 12);
        let given: Vec<Matrix<f64>> = datasets.iter().map(|d| straight(rows_of(d))).collect();
        let (d, eta) = joint_distances(&["x", "y", "z"][..sizes.len()], &given, &pairs).unwrap();
        let t = tau(&d);
        let whole = whitened(&datasets, &t);

        let feature =
            GlobalAlignment::new(4).distance(Distance::Euclidean).weight_components(Some(false)).fit(&datasets, &pairs).unwrap();
        close("feature level", feature.eigenvalues(), &descending(&whole)[..4], 1e-8);
        close("eta", feature.outcome().scales.as_ref().unwrap(), &eta, 1e-10);
        sphered(&feature, 4);
        let values = descending(&t);
        let instance = GlobalAlignment::new(3).level(Level::Instance).distances(given).fit(&datasets, &pairs).unwrap();
        close("instance level", instance.eigenvalues(), &values[..3], 1e-8);
        let negative: f64 = values.iter().filter(|v| **v < 0.0).map(|v| -v).sum();
        let share = negative / values.iter().map(|v| v.abs()).sum::<f64>();
        assert!((instance.outcome().negative_share.unwrap() - share).abs() < 1e-9);
    }
}

/// Large enough for the eigenvectors to be looked for in single precision.
#[test]
fn many_features_in_single_precision_are_refined_to_the_naive_twin() {
    let datasets = views(&[(640, 250), (600, 260)], 3);
    let pairs = Pairs::first_rows(2, 200);
    let given: Vec<Matrix<f64>> = datasets.iter().map(|d| straight(rows_of(d))).collect();
    let (d, _) = joint_distances(&["x", "y"], &given, &pairs).unwrap();
    let method = GlobalAlignment::new(50).distance(Distance::Euclidean).weight_components(Some(false));
    let found = method.fit(&datasets, &pairs).unwrap();
    assert!(found.outcome().solver.contains("refined"), "{}", found.outcome().solver);
    assert!(found.outcome().residual <= 1e-7 && found.outcome().rank == Some(510));
    close("refined", found.eigenvalues(), &descending(&whitened(&datasets, &tau(&d)))[..50], 1e-10);
    sphered(&found, 50);
    assert_eq!(found.embedding(1), method.n_jobs(1).fit(&datasets, &pairs).unwrap().embedding(1));
}

/// As many rows as features: centred they have a dimension less.
#[test]
fn a_right_hand_side_that_is_singular_by_one_dimension_is_solved_on_its_range() {
    let datasets = views(&[(120, 120), (130, 60)], 8);
    let pairs = Pairs::first_rows(2, 50);
    let fit = |ridge: f64| GlobalAlignment::new(3).ridge(ridge).fit(&datasets, &pairs).unwrap();
    let found = fit(0.0);
    assert_eq!(found.outcome().rank, Some(119 + 60));
    assert!(found.outcome().warnings.iter().any(|w| matches!(w, Warning::RankDeficient { rank: 179, features: 180 })));
    // The shortest maps, to which those with a ridge tend.
    let near = fit(1e-13);
    close("values", found.eigenvalues(), near.eigenvalues(), 1e-5);
    for (x, y) in found.embedding(0).as_slice().iter().zip(near.embedding(0).as_slice()) {
        assert!((x - y).abs() < 1e-3, "{x} {y}");
    }
}

#[test]
fn as_many_landmarks_as_rows_give_the_exact_method() {
    let datasets = views(&[(60, 5), (50, 7)], 3);
    let pairs = Pairs::first_rows(2, 15);
    for distance in [Distance::Geodesic, Distance::Euclidean, Distance::Cosine] {
        for level in [Level::Feature, Level::Instance] {
            for psd in [false, true] {
                let method = GlobalAlignment::new(3).distance(distance).level(level).psd(psd);
                let exact = method.fit(&datasets, &pairs).unwrap();
                let all = method.landmarks(Some(110)).fit(&datasets, &pairs).unwrap();
                close("eigenvalues", all.eigenvalues(), exact.eigenvalues(), 1e-8);
                for a in 0..2 {
                    let size = exact.embedding(a).as_slice().iter().fold(0.0f64, |m, v| m.max(v.abs()));
                    for (x, y) in all.embedding(a).as_slice().iter().zip(exact.embedding(a).as_slice()) {
                        assert!((x - y).abs() < 1e-6 * size, "{distance:?} {level:?}: {x} {y}");
                    }
                }
            }
        }
    }
}

fn found(alignment: &Alignment, truth: &[i64]) -> f64 {
    recall_at_k(alignment.embedding(0), alignment.embedding(1), &[10], Some(truth), Metric::Euclidean).unwrap()[0]
}

#[test]
fn a_rolled_sheet_is_unrolled_by_geodesic_distances_and_not_by_straight_ones() {
    // Dense enough for the neighbour graph to stay on the sheet.
    let rolls = SwissRolls::new(1000).generate().unwrap();
    let pairs = rolls.pairs(100, 0).unwrap();
    let truth = rolls.counterparts(0, 1);
    let method = GlobalAlignment::new(2).level(Level::Instance);
    let geodesic = found(&method.fit(&rolls.datasets, &pairs).unwrap(), &truth);
    let straight = found(&method.clone().distance(Distance::Euclidean).fit(&rolls.datasets, &pairs).unwrap(), &truth);
    let few = found(&method.landmarks(Some(300)).fit(&rolls.datasets, &pairs).unwrap(), &truth);
    assert!(geodesic > 0.95 && straight < 0.2, "{geodesic} {straight}");
    assert!(few > 0.9, "{few} {geodesic}");
}

#[test]
fn new_rows_are_triangulated_to_where_a_full_fit_puts_them() {
    let rolls = SwissRolls::new(500).generate().unwrap();
    let pairs = rolls.pairs(80, 0).unwrap();
    let method = GlobalAlignment::new(2).level(Level::Instance);
    let full = method.fit(&rolls.datasets, &pairs).unwrap();
    // The second dataset without every fifth row that is in no pair.
    let paired: Vec<usize> = pairs.links().iter().map(|l| l.j).collect();
    let n = rolls.datasets[1].nrows();
    let (left_out, kept): (Vec<usize>, Vec<usize>) = (0..n).partition(|i| i % 5 == 0 && !paired.contains(i));
    let mut fewer = Pairs::none(2);
    for l in pairs.links() {
        fewer.add(0, l.i, 1, kept.iter().position(|&k| k == l.j).unwrap(), 1.0).unwrap();
    }
    let datasets = [rolls.datasets[0].clone(), rolls.datasets[1].select(&kept)];
    let size = full.embedding(1).as_slice().iter().map(|v| v * v).sum::<f64>().sqrt() / (n as f64).sqrt();
    for m in [None, Some(300)] {
        let alignment = method.clone().landmarks(m).fit(&datasets, &fewer).unwrap();
        let placed = alignment.transform(rolls.datasets[1].select(&left_out).rows(), 1).unwrap();
        let mut apart = 0.0;
        for (row, &i) in placed.rows().zip(&left_out) {
            // Signs of components are fixed by the largest entry, which may be another row in another fit.
            let gap = |s: f64, t: f64| (row[0] - s * full.embedding(1)[(i, 0)]).hypot(row[1] - t * full.embedding(1)[(i, 1)]);
            apart += gap(1.0, 1.0).min(gap(-1.0, 1.0)).min(gap(1.0, -1.0)).min(gap(-1.0, -1.0)) / left_out.len() as f64;
        }
        assert!(apart < 0.1 * size, "{m:?}: {apart} of {size}");
    }
}

#[test]
fn what_is_undefined_is_refused_by_name() {
    let three = views(&[(30, 3), (30, 4), (30, 5)], 1);
    let refused = |method: GlobalAlignment, datasets: &[Dataset], pairs: &Pairs| method.fit(datasets, pairs).unwrap_err();
    let method = || GlobalAlignment::new(2).n_neighbors(5);
    let chain = Pairs::from_table(&[[0, 0, -1], [1, 1, -1], [-1, 2, 2], [-1, 3, 3]]).unwrap();
    let message = refused(method(), &three, &chain).to_string();
    assert!(message.contains("\"z\"") && message.contains("none is paired with dataset \"x\""), "{message}");
    let two = &three[..2];
    let pairs = Pairs::first_rows(2, 5);
    assert!(matches!(refused(method(), two, &Pairs::none(2)), Error::NoPairs { .. }));
    assert!(matches!(refused(method(), two, &Pairs::first_rows(2, 1)), Error::PairsDegenerate { .. }));
    let mut copies = rows_of(&two[1]).clone();
    let first = copies.row(0).to_vec();
    (0..5).for_each(|i| copies.row_mut(i).copy_from_slice(&first));
    let equal = [two[0].clone(), Dataset::new("y", copies).unwrap()];
    let message = refused(method(), &equal, &pairs).to_string();
    assert!(message.contains("\"y\"") && message.contains("distance 0"), "{message}");
    let good = || vec![straight(rows_of(&two[0])), straight(rows_of(&two[1]))];
    for (value, word) in [(-1.0, "-1"), (f64::INFINITY, "inf"), (7.5, "symmetric")] {
        let mut bad = good();
        bad[1][(2, 4)] = value;
        let error = refused(method().distances(bad), two, &pairs);
        assert!(matches!(&error, Error::BadDistances { dataset, .. } if dataset == "y"));
        assert!(error.to_string().contains(word), "{error}");
    }
    assert!(matches!(refused(method().distances(good()[..1].to_vec()), two, &pairs), Error::BadParameter { .. }));
    assert!(matches!(refused(method().distance(Distance::Precomputed), two, &pairs), Error::BadParameter { .. }));
    let given = method().distances(good()).distance(Distance::Euclidean);
    assert!(matches!(refused(given, two, &pairs), Error::BadParameter { .. }));
    for m in [0, 2, 61] {
        assert!(matches!(refused(method().landmarks(Some(m)), two, &pairs), Error::BadParameter { .. }), "{m}");
    }
    assert!(matches!(refused(method().ridge(-1.0), two, &pairs), Error::BadParameter { .. }));
    assert!(matches!(refused(method().level(Level::Instance).ridge(1.0), two, &pairs), Error::BadParameter { .. }));
    assert!(matches!(refused(method().n_neighbors(30), two, &pairs), Error::NeighborsOutOfRange { .. }));
    assert!(matches!(refused(GlobalAlignment::new(0), two, &pairs), Error::BadParameter { .. }));
    // New rows have no place where distances were given.
    let placed = method().level(Level::Instance).distances(good()).fit(two, &pairs).unwrap();
    assert!(matches!(placed.transform(two[0].rows(), 0), Err(Error::Undefined { .. })));
    let mapped = method().distances(good()).fit(two, &pairs).unwrap();
    assert!(mapped.transform(two[0].rows(), 0).is_ok());
}

fn finite(alignment: &Alignment) {
    for s in 0..alignment.datasets().len() {
        assert!(alignment.embedding(s).as_slice().iter().all(|v| v.is_finite()));
    }
    assert!(alignment.eigenvalues().windows(2).all(|w| w[0] >= w[1]));
}

#[test]
fn awkward_but_legal_data_give_a_defined_answer_and_a_warning() {
    let pairs = Pairs::first_rows(2, 10);
    for level in [Level::Feature, Level::Instance] {
        let method = || GlobalAlignment::new(2).level(level).n_neighbors(4);
        // Two parts far apart: joined, and told.
        let mut datasets = views(&[(40, 3), (30, 4)], 2);
        let mut apart = rows_of(&datasets[0]).clone();
        (20..40).for_each(|i| apart.row_mut(i)[0] += 100.0);
        datasets[0] = Dataset::new("x", apart).unwrap();
        let alignment = method().fit(&datasets, &pairs).unwrap();
        finite(&alignment);
        let joined = |w: &Warning| matches!(w, Warning::GraphJoined { dataset, components: 2, edges: 1 } if dataset == "x");
        assert!(alignment.outcome().warnings.iter().any(joined), "{:?}", alignment.outcome().warnings);
        // More features than rows, one feature, copies, more components than there are.
        finite(&method().fit(&views(&[(30, 60), (25, 40)], 3), &pairs).unwrap());
        finite(&method().fit(&views(&[(30, 1), (25, 1)], 4), &pairs).unwrap());
        let mut datasets = views(&[(40, 3), (30, 4)], 5);
        let mut copies = rows_of(&datasets[0]).clone();
        let row = copies.row(20).to_vec();
        (21..30).for_each(|i| copies.row_mut(i).copy_from_slice(&row));
        datasets[0] = Dataset::new("x", copies).unwrap();
        finite(&method().fit(&datasets, &pairs).unwrap());
        let alignment = GlobalAlignment::new(500).level(level).n_neighbors(4).fit(&datasets, &pairs).unwrap();
        finite(&alignment);
        assert!(alignment.outcome().warnings.iter().any(|w| matches!(w, Warning::FewerComponents { asked: 500, .. })));
        // Sparse rows.
        let sparse: Vec<Dataset> =
            datasets.iter().map(|d| Dataset::new(d.name(), Csr::from_dense(rows_of(d))).unwrap()).collect();
        finite(&method().distance(Distance::Cosine).landmarks(Some(40)).fit(&sparse, &pairs).unwrap());
    }
    // Two datasets that share no pair are bridged through the first.
    let three = views(&[(30, 3), (30, 4), (30, 5)], 6);
    let table: Vec<[i64; 3]> = (0..10).map(|i| if i % 2 == 0 { [i, i, -1] } else { [i, -1, i] }).collect();
    for level in [Level::Feature, Level::Instance] {
        let pairs = Pairs::from_table(&table).unwrap();
        let method = GlobalAlignment::new(2).level(level).n_neighbors(4);
        let alignment = method.fit(&three, &pairs).unwrap();
        finite(&alignment);
        assert!(alignment.outcome().warnings.iter().any(|w| matches!(w, Warning::Indirect { .. })));
        let all = method.landmarks(Some(90)).fit(&three, &pairs).unwrap();
        close("landmarks", all.eigenvalues(), alignment.eigenvalues(), 1e-8);
        assert!(alignment.transform(three[2].rows(), 2).is_ok());
    }
}
