//! Linear maps against a naive twin: block-diagonal X formed in full, eigenvalues of dense matrices.

use faer::{Mat, Side};
use landbridge::data::{Dataset, Pairs, Prepare, Rows};
use landbridge::linalg::{Csr, Matrix};
use landbridge::method::{Cca, Constraint, LinearAlignment, LinearTransform, PairSimilarity};
use landbridge::model::Alignment;
use landbridge::outcome::Warning;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

struct Problem {
    x: Vec<Matrix<f64>>,
    graphs: Vec<Csr>,
    table: Vec<Vec<i64>>,
}

/// Random rows, graphs and pairs; sizes `(rows, columns)` per dataset.
fn problem(sizes: &[(usize, usize)], n_pairs: usize, seed: u64) -> Problem {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut entry = |density: f64| if rng.random_range(0.0..1.0) < density { rng.random_range(-1.0..1.0) } else { 0.0 };
    let x = sizes.iter().map(|&(n, p)| Matrix::from_fn(n, p, |_, _| entry(0.6))).collect();
    let mut rng = ChaCha8Rng::seed_from_u64(seed + 1);
    let graphs = sizes
        .iter()
        .map(|&(n, _)| {
            let mut edges = vec![];
            for i in 0..n {
                for _ in 0..3 {
                    let j = rng.random_range(0..n);
                    let w = rng.random_range(0.1..1.0);
                    if i != j && !edges.iter().any(|e: &(usize, usize, f64)| e.0 == i && e.1 == j) {
                        edges.extend([(i, j, w), (j, i, w)]);
                    }
                }
            }
            Csr::from_triplets(n, n, &edges).unwrap()
        })
        .collect();
    let table = (0..n_pairs).map(|i| sizes.iter().map(|&(n, _)| (i % n) as i64).collect()).collect();
    Problem { x, graphs, table }
}

fn datasets(x: &[Matrix<f64>], sparse: bool) -> Vec<Dataset> {
    let rows = |m: &Matrix<f64>| if sparse { Rows::Sparse(Csr::from_dense(m)) } else { Rows::F64(m.clone()) };
    x.iter().enumerate().map(|(a, m)| Dataset::new(a.to_string(), rows(m)).unwrap()).collect()
}

fn centred(m: &Matrix<f64>) -> Matrix<f64> {
    let mean = |j: usize| (0..m.nrows()).map(|i| m[(i, j)]).sum::<f64>() / m.nrows() as f64;
    let means: Vec<f64> = (0..m.ncols()).map(mean).collect();
    Matrix::from_fn(m.nrows(), m.ncols(), |i, j| m[(i, j)] - means[j])
}

/// Block-diagonal X, joint W, degrees.
fn formed(p: &Problem, mu: f64, prepare: Prepare) -> (Mat<f64>, Mat<f64>, Vec<f64>) {
    let x: Vec<Matrix<f64>> = p.x.iter().map(|m| if prepare == Prepare::Center { centred(m) } else { m.clone() }).collect();
    let (n, cols) = (x.iter().map(Matrix::nrows).sum(), x.iter().map(Matrix::ncols).sum());
    let (mut big, mut w) = (Mat::<f64>::zeros(n, cols), Mat::<f64>::zeros(n, n));
    let (mut rows, mut columns) = (vec![0], vec![0]);
    for (a, m) in x.iter().enumerate() {
        for i in 0..m.nrows() {
            (0..m.ncols()).for_each(|j| big[(rows[a] + i, columns[a] + j)] = m[(i, j)]);
            p.graphs[a].row(i).for_each(|(j, v)| w[(rows[a] + i, rows[a] + j as usize)] = v);
        }
        rows.push(rows[a] + m.nrows());
        columns.push(columns[a] + m.ncols());
    }
    for row in &p.table {
        for a in 0..row.len() {
            for b in 0..row.len() {
                if a != b {
                    w[(rows[a] + row[a] as usize, rows[b] + row[b] as usize)] += mu;
                }
            }
        }
    }
    let degree = (0..n).map(|i| (0..n).map(|j| w[(i, j)]).sum()).collect();
    (big, w, degree)
}

fn eigen(m: &Mat<f64>) -> (Vec<f64>, Mat<f64>) {
    let e = m.self_adjoint_eigen(Side::Lower).unwrap();
    ((0..m.nrows()).map(|i| e.S()[i]).collect(), e.U().to_owned())
}

/// Non-zero λ of `(X'LX + R) f = λ X'MX f` on the range of X'MX, and the maps.
fn reference(p: &Problem, mu: f64, prepare: Prepare, constraint: Constraint, ridge: f64) -> (Vec<f64>, Mat<f64>) {
    let (x, w, degree) = formed(p, mu, prepare);
    let n = x.nrows();
    let l = Mat::from_fn(n, n, |i, j| if i == j { degree[i] - w[(i, i)] } else { -w[(i, j)] });
    let m = Mat::from_fn(n, n, |i, j| {
        if i != j {
            0.0
        } else if constraint == Constraint::Degree {
            degree[i]
        } else {
            1.0
        }
    });
    let d = Mat::from_fn(n, n, |i, j| if i == j { degree[i] } else { 0.0 });
    let (mut a, b) = (x.transpose() * &l * &x, x.transpose() * &m * &x);
    let weight = x.transpose() * &d * &x;
    let mut from = 0;
    for block in &p.x {
        let mean = (0..block.ncols()).map(|i| weight[(from + i, from + i)]).sum::<f64>() / block.ncols() as f64;
        (0..block.ncols()).for_each(|i| a[(from + i, from + i)] += ridge * mean);
        from += block.ncols();
    }
    let (s, u) = eigen(&b);
    let kept: Vec<usize> = (0..s.len()).filter(|&i| s[i] > 1e-11 * s[s.len() - 1]).collect();
    // With a ridge, f has a part outside the range: solve B f = θ A f instead.
    if ridge > 0.0 {
        let (s, u) = eigen(&a);
        let half = Mat::from_fn(s.len(), s.len(), |i, j| u[(i, j)] / s[j].sqrt());
        let (theta, y) = eigen(&(half.transpose() * &b * &half));
        let f = &half * &y;
        let order: Vec<usize> = (0..theta.len()).rev().take(kept.len()).collect();
        return (
            order.iter().map(|&i| 1.0 / theta[i]).collect(),
            Mat::from_fn(f.nrows(), order.len(), |i, j| f[(i, order[j])] / theta[order[j]].sqrt()),
        );
    }
    let basis = Mat::from_fn(u.nrows(), kept.len(), |i, j| u[(i, kept[j])] / s[kept[j]].sqrt());
    let (lambda, y) = eigen(&(basis.transpose() * &a * &basis));
    let nonzero: Vec<usize> = (0..lambda.len()).filter(|&i| lambda[i] > 1e-10 * lambda[lambda.len() - 1]).collect();
    let f = &basis * &y;
    (nonzero.iter().map(|&i| lambda[i]).collect(), Mat::from_fn(f.nrows(), nonzero.len(), |i, j| f[(i, nonzero[j])]))
}

/// Largest difference of two maps, column by column, up to sign.
fn difference(alignment: &Alignment, f: &Mat<f64>) -> f64 {
    let mut worst = 0.0f64;
    for c in 0..alignment.n_components() {
        let got: Vec<f64> = (0..alignment.datasets().len())
            .flat_map(|a| (0..alignment.feature_map(a).unwrap().nrows()).map(move |i| (a, i)))
            .map(|(a, i)| alignment.feature_map(a).unwrap()[(i, c)])
            .collect();
        let size = got.iter().fold(0.0f64, |s, v| s.max(v.abs()));
        let off = |sign: f64| got.iter().enumerate().fold(0.0f64, |s, (i, v)| s.max((v - sign * f[(i, c)]).abs()));
        worst = worst.max(off(1.0).min(off(-1.0)) / size);
    }
    worst
}

#[test]
fn maps_equal_the_dense_reference_on_twenty_problems() {
    let shapes: [(&[(usize, usize)], usize); 5] = [
        (&[(60, 7), (50, 9)], 30),
        (&[(20, 30), (25, 8)], 15),         // more features than rows in one
        (&[(14, 40), (12, 33)], 10),        // in both: zero solutions on the range
        (&[(40, 6), (35, 5), (45, 8)], 20), // three datasets
        (&[(330, 240), (300, 210)], 200),   // large enough for the Krylov solver with a ridge
    ];
    let mut number = 0;
    for (sizes, n_pairs) in shapes {
        for (prepare, constraint, ridge) in [
            (Prepare::Center, Constraint::Degree, 0.0),
            (Prepare::None, Constraint::Identity, 0.0),
            (Prepare::Center, Constraint::Degree, 0.3),
            (Prepare::None, Constraint::Identity, 2.0),
        ] {
            number += 1;
            let p = problem(sizes, n_pairs, 100 + number);
            let method = LinearAlignment::new(4)
                .graphs(p.graphs.clone())
                .mu(5.0)
                .balance(false)
                .constraint(constraint)
                .ridge(Some(ridge))
                .prepare(prepare);
            let pairs = Pairs::from_table(&p.table).unwrap();
            let (lambda, f) = reference(&p, 5.0, prepare, constraint, ridge);
            for sparse in [false, true] {
                let alignment = method.fit(&datasets(&p.x, sparse), &pairs).unwrap();
                for (got, expected) in alignment.eigenvalues().iter().zip(&lambda) {
                    assert!((got - expected).abs() <= 1e-8 * expected, "problem {number}: {got} {expected}");
                }
                let off = difference(&alignment, &f);
                assert!(off < 1e-5, "problem {number}, sparse {sparse}: maps differ by {off:e}, {:?}", alignment.outcome());
            }
        }
    }
    assert_eq!(number, 20);
}

#[test]
fn single_precision_comes_close_and_models_survive_their_file() {
    let p = problem(&[(80, 10), (70, 12)], 40, 7);
    let pairs = Pairs::from_table(&p.table).unwrap();
    let method = LinearAlignment::new(3).graphs(p.graphs.clone());
    let full = method.fit(&datasets(&p.x, false), &pairs).unwrap();
    let half: Vec<Dataset> = p.x.iter().enumerate().map(|(a, m)| Dataset::new(a.to_string(), m.to_f32()).unwrap()).collect();
    let single = method.fit(&half, &pairs).unwrap();
    for (x, y) in full.eigenvalues().iter().zip(single.eigenvalues()) {
        assert!((x - y).abs() < 1e-5 * x);
    }
    let fits = [
        full.clone(),
        LinearAlignment::new(2)
            .graphs(p.graphs.clone())
            .prepare(Prepare::Standardize)
            .fit(&datasets(&p.x, true), &pairs)
            .unwrap(),
        Cca::new(3).fit(&datasets(&p.x, false), &pairs).unwrap(),
        LinearTransform::new().fit(&datasets(&p.x, true), &pairs).unwrap(),
        PairSimilarity::new().fit(&datasets(&p.x, true), &pairs).unwrap(),
    ];
    for alignment in fits {
        let bytes = alignment.to_bytes().unwrap();
        let back = Alignment::from_bytes(&bytes, std::path::Path::new("x.lb")).unwrap();
        assert_eq!(back.to_bytes().unwrap(), bytes);
        let rows = Rows::F64(p.x[0].row_range(3, 9));
        let placed = back.transform(&rows, 0).unwrap();
        assert_eq!(placed, alignment.transform(&rows, 0).unwrap());
        // New rows that are fitted rows land where the fitted ones are.
        for i in 0..6 {
            for (a, b) in placed.row(i).iter().zip(alignment.embedding(0).row(3 + i)) {
                assert!((a - b).abs() < 1e-9 * (1.0 + b.abs()), "{}", alignment.method());
            }
        }
    }
}

#[test]
fn the_constraint_holds_at_the_defaults() {
    let p = problem(&[(90, 11), (80, 6)], 50, 17);
    let pairs = Pairs::from_table(&p.table).unwrap();
    let alignment = LinearAlignment::new(5).graphs(p.graphs.clone()).fit(&datasets(&p.x, false), &pairs).unwrap();
    let (x, _, degree) = formed(&p, alignment.outcome().mu_effective.unwrap(), Prepare::Center);
    let ridge = alignment.outcome().ridge.clone().unwrap();
    let f = Mat::from_fn(17, 5, |i, j| {
        if i < 11 { alignment.feature_map(0).unwrap()[(i, j)] } else { alignment.feature_map(1).unwrap()[(i - 11, j)] }
    });
    let d = Mat::from_fn(170, 170, |i, j| if i == j { degree[i] } else { 0.0 });
    let r = Mat::from_fn(17, 17, |i, j| if i == j { ridge[usize::from(i >= 11)] } else { 0.0 });
    let g = f.transpose() * (x.transpose() * &d * &x + r) * &f;
    for i in 0..5 {
        for j in 0..5 {
            assert!((g[(i, j)] - f64::from(u8::from(i == j))).abs() < 1e-9);
        }
    }
    let weights = alignment.component_weights().unwrap();
    for (w, lambda) in weights.iter().zip(alignment.eigenvalues()) {
        let rho = (1.0 - lambda).max(0.0);
        assert!((w * w * (1.0 - rho * rho) - rho).abs() < 1e-9);
    }
}

#[test]
fn canonical_correlations_equal_those_of_the_whitened_cross_products() {
    for sparse in [false, true] {
        let p = problem(&[(120, 9), (120, 7)], 120, 27);
        let pairs = Pairs::from_table(&p.table).unwrap();
        let alignment = Cca::new(7).ridge(Some(0.0)).fit(&datasets(&p.x, sparse), &pairs).unwrap();
        let x: Vec<Mat<f64>> =
            p.x.iter()
                .map(|m| {
                    let c = centred(m);
                    Mat::from_fn(c.nrows(), c.ncols(), |i, j| c[(i, j)])
                })
                .collect();
        let root = |m: &Mat<f64>| {
            let (s, u) = eigen(&(m.transpose() * m));
            Mat::from_fn(s.len(), s.len(), |i, j| (0..s.len()).map(|k| u[(i, k)] * u[(j, k)] / s[k].sqrt()).sum::<f64>())
        };
        let k = root(&x[0]) * x[0].transpose() * &x[1] * root(&x[1]);
        let (squares, _) = eigen(&(k.transpose() * &k));
        for (got, square) in alignment.eigenvalues().iter().zip(squares.iter().rev()) {
            assert!((got - square.sqrt()).abs() < 1e-10, "{got} {}", square.sqrt());
        }
        // The embedded pairs correlate as the values say.
        for c in 0..3 {
            let column = |a: usize| (0..120).map(|i| alignment.embedding(a)[(i, c)]).collect::<Vec<f64>>();
            let (u, v) = (column(0), column(1));
            let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
            let rho = dot(&u, &v) / (dot(&u, &u) * dot(&v, &v)).sqrt();
            assert!((rho - alignment.eigenvalues()[c]).abs() < 1e-9);
        }
    }
}

#[test]
fn the_linear_transform_is_the_pseudo_inverse() {
    for sparse in [false, true] {
        for sizes in [[(50, 6), (50, 8)], [(12, 20), (12, 5)]] {
            let p = problem(&sizes, sizes[0].0, 37);
            let pairs = Pairs::from_table(&p.table).unwrap();
            let method = LinearTransform::new().ridge(Some(0.0)).prepare(Prepare::None);
            let alignment = method.fit(&datasets(&p.x, sparse), &pairs).unwrap();
            let dense = |m: &Matrix<f64>| Mat::from_fn(m.nrows(), m.ncols(), |i, j| m[(i, j)]);
            let (x, y) = (dense(&p.x[0]), dense(&p.x[1]));
            let (s, u) = eigen(&(x.transpose() * &x));
            let inverse = Mat::from_fn(s.len(), s.len(), |i, j| {
                (0..s.len()).filter(|&k| s[k] > 1e-10).map(|k| u[(i, k)] * u[(j, k)] / s[k]).sum::<f64>()
            });
            let t = inverse * x.transpose() * &y;
            let got = alignment.feature_map(0).unwrap();
            for i in 0..t.nrows() {
                for j in 0..t.ncols() {
                    assert!((got[(i, j)] - t[(i, j)]).abs() < 1e-8);
                }
            }
            let predicted = alignment.predict(&Rows::F64(p.x[0].clone()), 0, 1).unwrap();
            assert_eq!((predicted.nrows(), predicted.ncols()), (sizes[0].0, sizes[1].1));
        }
    }
}

#[test]
fn the_map_between_datasets_is_f_times_the_pseudo_inverse() {
    let p = problem(&[(90, 11), (80, 6)], 50, 47);
    let pairs = Pairs::from_table(&p.table).unwrap();
    let alignment = LinearAlignment::new(4).graphs(p.graphs.clone()).fit(&datasets(&p.x, false), &pairs).unwrap();
    let new = p.x[0].row_range(0, 5);
    let mapped = alignment.map(&Rows::F64(new.clone()), 0, 1).unwrap();
    // z F⁺ F = z when F has full column rank, so mapping on gives the coordinates back.
    let f = alignment.feature_map(1).unwrap();
    let z = alignment.transform(&Rows::F64(new.clone()), 0).unwrap();
    let weights = alignment.component_weights().unwrap();
    for i in 0..5 {
        for (c, weight) in weights.iter().enumerate() {
            let back: f64 = (0..6).map(|j| mapped[(i, j)] * f[(j, c)]).sum::<f64>() * weight;
            assert!((back - z[(i, c)]).abs() < 1e-9);
        }
    }
    let predicted = alignment.predict(&Rows::F64(new), 0, 1).unwrap();
    let mean = (0..80).map(|i| p.x[1][(i, 2)]).sum::<f64>() / 80.0;
    assert!((predicted[(1, 2)] - mapped[(1, 2)] - mean).abs() < 1e-12);
    let top = alignment.top_features(0, 1, 3).unwrap();
    assert!(top[0].weight.abs() >= top[1].weight.abs() && top.len() == 3 && top[0].name.is_none());
    assert!(alignment.top_features(0, 4, 3).is_err());
}

#[test]
fn awkward_data_give_defined_answers_and_warnings() {
    let mut p = problem(&[(40, 6), (40, 5)], 20, 57);
    for i in 0..40 {
        p.x[0][(i, 1)] = 3.0; // a constant column
        p.x[0][(i, 2)] = p.x[0][(i, 3)]; // a column twice
    }
    p.x[1].row_mut(5).fill(0.0); // a document without known words
    let pairs = Pairs::from_table(&p.table).unwrap();
    let finite = |a: &Alignment| (0..2).all(|d| a.embedding(d).as_slice().iter().all(|v| v.is_finite()));
    for sparse in [false, true] {
        let data = datasets(&p.x, sparse);
        for prepare in [Prepare::Center, Prepare::CenterUnit, Prepare::Tfidf, Prepare::TfidfCenter, Prepare::Standardize] {
            for ridge in [None, Some(0.0), Some(1.0)] {
                let linear = LinearAlignment::new(30).n_neighbors(5).ridge(ridge).prepare(prepare).fit(&data, &pairs).unwrap();
                assert!(finite(&linear), "{prepare:?} {ridge:?}");
                assert!(linear.n_components() < 12);
                let warnings = &linear.outcome().warnings;
                assert!(warnings.iter().any(|w| matches!(w, Warning::FewerComponents { asked: 30, .. })));
                if ridge == Some(0.0) {
                    assert!(warnings.iter().any(|w| matches!(w, Warning::RankDeficient { .. })), "{warnings:?}");
                }
                let cca = Cca::new(30).ridge(ridge).prepare(prepare).fit(&data, &pairs).unwrap();
                assert!(finite(&cca));
                assert!(finite(&LinearTransform::new().ridge(ridge).prepare(prepare).fit(&data, &pairs).unwrap()));
            }
        }
        let linear = LinearAlignment::new(2).n_neighbors(5).fit(&data, &pairs).unwrap();
        let constant = |w: &Warning| matches!(w, Warning::ConstantColumns { count: 1, .. });
        assert!(linear.outcome().warnings.iter().any(constant), "{:?}", linear.outcome().warnings);
        assert!(finite(&PairSimilarity::new().fit(&data, &pairs).unwrap()));
    }
    // One feature each.
    let p = problem(&[(30, 1), (30, 1)], 20, 67);
    let pairs = Pairs::from_table(&p.table).unwrap();
    let one = LinearAlignment::new(1).n_neighbors(3).fit(&datasets(&p.x, false), &pairs).unwrap();
    assert!(finite(&one));
    // Nothing varies at all.
    let flat = vec![Matrix::from_fn(10, 2, |_, _| 1.0); 2];
    let table: Vec<Vec<i64>> = (0..5).map(|i| vec![i, i]).collect();
    let pairs = Pairs::from_table(&table).unwrap();
    assert!(LinearAlignment::new(1).n_neighbors(3).fit(&datasets(&flat, false), &pairs).is_err());
    assert!(Cca::new(1).fit(&datasets(&flat, false), &pairs).is_err());
}

#[test]
fn a_power_of_the_correlation_weights_each_component() {
    let p = problem(&[(40, 4), (40, 3)], 30, 91);
    let (data, pairs) = (datasets(&p.x, false), Pairs::from_table(&p.table).unwrap());
    let cca = || Cca::new(3).ridge(Some(0.3));
    let plain = cca().fit(&data, &pairs).unwrap();
    let weighted = cca().weight_power(Some(1.5)).fit(&data, &pairs).unwrap();
    for a in 0..2 {
        for i in 0..40 {
            for (j, correlation) in plain.eigenvalues().iter().enumerate() {
                let expected = plain.embedding(a)[(i, j)] * correlation.powf(1.5);
                assert!((weighted.embedding(a)[(i, j)] - expected).abs() < 1e-12, "{a} {i} {j}");
            }
        }
    }
    // No weights and a power of the weights: the power has no effect, which is said.
    let neither = cca().weight_components(Some(false)).weight_power(Some(1.5)).fit(&data, &pairs).unwrap();
    assert_eq!(neither.embedding(0), plain.embedding(0));
    let told = |w: &Warning| matches!(w, Warning::NoEffect { parameter, .. } if parameter == "weight_power");
    assert!(neither.outcome().warnings.iter().any(told), "{:?}", neither.outcome().warnings);
    assert!(cca().weight_power(Some(-1.0)).fit(&data, &pairs).unwrap_err().to_string().contains("weight_power is -1"));
}

#[test]
fn bad_parameters_are_refused() {
    let p = problem(&[(30, 4), (30, 3)], 20, 77);
    let (data, pairs) = (datasets(&p.x, false), Pairs::from_table(&p.table).unwrap());
    let message = |r: landbridge::Result<Alignment>| r.unwrap_err().to_string();
    assert_eq!(message(LinearAlignment::new(0).fit(&data, &pairs)), "n_components is 0; it must be at least 1");
    assert!(message(LinearAlignment::new(1).ridge(Some(-1.0)).fit(&data, &pairs)).contains("ridge is -1"));
    assert!(message(Cca::new(1).ridge(Some(f64::NAN)).fit(&data, &pairs)).contains("ridge is NaN"));
    assert!(message(LinearAlignment::new(1).mu(0.0).fit(&data, &pairs)).contains("mu is 0"));
    assert!(message(Cca::new(1).fit(&data, &Pairs::none(2))).contains("no pairs"));
    assert!(message(PairSimilarity::new().fit(&data, &Pairs::none(2))).contains("no pairs"));
    let linear = LinearTransform::new().fit(&data, &pairs).unwrap();
    assert!(linear.map(data[1].rows(), 1, 0).is_err() || linear.feature_map(1).is_err());
}

#[test]
fn many_features_are_mapped_without_their_matrix() {
    let p = problem(&[(300, 160), (280, 190), (60, 90)], 50, 67);
    let pairs = Pairs::from_table(&p.table).unwrap();
    for (ridge, sparse, constraint) in
        [(None, true, Constraint::Degree), (Some(0.3), true, Constraint::Identity), (Some(0.05), false, Constraint::Degree)]
    {
        let method = LinearAlignment::new(6).graphs(p.graphs.clone()).ridge(ridge).constraint(constraint);
        let data = datasets(&p.x, sparse);
        let (formed, products) = (method.fit(&data, &pairs).unwrap(), method.clone().dense_limit(10).fit(&data, &pairs).unwrap());
        assert!(products.outcome().solver.contains("conjugate gradient"), "{}", products.outcome().solver);
        for (got, expected) in products.eigenvalues().iter().zip(formed.eigenvalues()) {
            assert!((got / expected - 1.0).abs() < 1e-8, "{got} {expected}");
        }
        // Signs are fixed in the coordinates that were solved in: one sign for all rows of all datasets.
        let rows = |alignment: &Alignment, j: usize| -> Vec<f64> {
            (0..3).flat_map(|a| (0..p.x[a].nrows()).map(move |i| (a, i))).map(|(a, i)| alignment.embedding(a)[(i, j)]).collect()
        };
        for j in 0..6 {
            let (got, expected) = (rows(&products, j), rows(&formed, j));
            let sign = got.iter().zip(&expected).map(|(g, e)| g * e).sum::<f64>().signum();
            let size = expected.iter().fold(0.0f64, |m, v| m.max(v.abs()));
            for (g, e) in got.iter().zip(&expected) {
                assert!((sign * g - e).abs() < 1e-5 * size, "{g} {e}");
            }
        }
        let again = method.clone().dense_limit(10).n_jobs(1).fit(&data, &pairs).unwrap();
        assert!(again.to_bytes().unwrap() == products.to_bytes().unwrap());
    }
    let refused = LinearAlignment::new(2).ridge(Some(0.0)).dense_limit(10).fit(&datasets(&p.x, true), &pairs);
    assert!(refused.unwrap_err().to_string().contains("ridge is 0"));
}

#[test]
fn the_same_bytes_on_one_thread_and_on_two() {
    let p = problem(&[(700, 460), (650, 440)], 300, 87);
    let pairs = Pairs::from_table(&p.table).unwrap();
    for sparse in [false, true] {
        let fit = |jobs: usize| {
            LinearAlignment::new(5)
                .graphs(p.graphs.clone())
                .n_jobs(jobs)
                .fit(&datasets(&p.x, sparse), &pairs)
                .unwrap()
                .to_bytes()
                .unwrap()
        };
        assert!(fit(1) == fit(2), "sparse {sparse}");
        let fit = |jobs: usize| Cca::new(5).n_jobs(jobs).fit(&datasets(&p.x, sparse), &pairs).unwrap().to_bytes().unwrap();
        assert!(fit(1) == fit(2), "sparse {sparse}");
    }
}
