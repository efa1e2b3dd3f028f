//! Awkward but legal inputs give a defined answer and a warning; bad ones an error that says what to do.

use landbridge::Error;
use landbridge::data::synthetic::{LiftedCopies, SwissRolls};
use landbridge::data::{Dataset, Pairs, Prepare, Rows};
use landbridge::geometry::affinity::Weights;
use landbridge::geometry::neighbors::Metric;
use landbridge::linalg::{Csr, Matrix};
use landbridge::method::{GlobalAlignment, InstanceAlignment};
use landbridge::model::Alignment;
use landbridge::outcome::Warning;
use std::path::Path;

fn cloud(n: usize, p: usize, seed: usize) -> Matrix<f64> {
    Matrix::from_fn(n, p, |i, j| (((i + 1) * (2 * j + 3) * 7919 + seed * 31) % 1009) as f64 / 1009.0)
}

fn two(a: Matrix<f64>, b: Matrix<f64>) -> [Dataset; 2] {
    [Dataset::new("a", a).unwrap(), Dataset::new("b", b).unwrap()]
}

fn finite(alignment: &Alignment) {
    for s in 0..alignment.datasets().len() {
        assert!(alignment.embedding(s).as_slice().iter().all(|v| v.is_finite()));
    }
    assert!(alignment.eigenvalues().iter().all(|v| v.is_finite() && *v > 0.0));
    assert!(alignment.outcome().residual.is_finite());
}

fn warned(alignment: &Alignment, found: impl Fn(&Warning) -> bool) {
    let warnings = &alignment.outcome().warnings;
    assert!(warnings.iter().any(found), "warnings are {warnings:?}");
    assert!(warnings.iter().all(|w| !w.to_string().is_empty()));
}

#[test]
fn constant_columns_one_feature_and_more_features_than_rows() {
    let mut constant = cloud(30, 4, 1);
    (0..30).for_each(|i| constant[(i, 2)] = 5.0);
    for (a, b) in [(constant, cloud(25, 3, 2)), (cloud(30, 1, 3), cloud(25, 1, 4)), (cloud(30, 200, 5), cloud(25, 90, 6))] {
        finite(&InstanceAlignment::new(2).n_neighbors(5).fit(&two(a, b), &Pairs::first_rows(2, 6)).unwrap());
    }
}

#[test]
fn duplicate_rows_and_all_rows_equal() {
    let equal = Matrix::from_fn(20, 3, |_, j| j as f64);
    for weights in [Weights::Heat, Weights::Local, Weights::Cosine, Weights::Binary] {
        let alignment = InstanceAlignment::new(1)
            .n_neighbors(4)
            .weights(weights)
            .fit(&two(equal.clone(), cloud(20, 2, 1)), &Pairs::first_rows(2, 20))
            .unwrap();
        finite(&alignment);
        warned(&alignment, |w| matches!(w, Warning::DuplicateRows { dataset, count: 20 } if dataset == "a"));
    }
}

#[test]
fn disconnected_graphs_from_one_to_fifty_components() {
    for parts in [1usize, 2, 7, 50] {
        // Groups of 12 rows, far apart, the same in both datasets, all rows of each group paired.
        let n = 12 * parts;
        let place = |i: usize, j: usize, s: usize| 1000.0 * (i / 12 * (j + 1)) as f64 + ((i * 7 + j * 3 + s) % 11) as f64 / 11.0;
        let datasets = two(Matrix::from_fn(n, 2, |i, j| place(i, j, 0)), Matrix::from_fn(n, 3, |i, j| place(i, j, 5)));
        let alignment =
            InstanceAlignment::new(2).n_neighbors(6).weights(Weights::Binary).fit(&datasets, &Pairs::first_rows(2, n)).unwrap();
        finite(&alignment);
        assert_eq!(alignment.outcome().components, parts);
        assert_eq!(alignment.outcome().zero_solutions, parts);
        if parts > 1 {
            warned(&alignment, |w| *w == Warning::Disconnected { components: parts });
        }
    }
}

#[test]
fn isolated_rows_sit_at_the_origin() {
    let graph = |n: usize| {
        let edges: Vec<_> = (1..n - 1).flat_map(|i| [(i - 1, i, 1.0), (i, i - 1, 1.0)]).collect(); // the last has none
        Csr::from_triplets(n, n, &edges).unwrap()
    };
    let datasets = two(cloud(10, 2, 1), cloud(12, 2, 2));
    let alignment =
        InstanceAlignment::new(2).graphs(vec![graph(10), graph(12)]).fit(&datasets, &Pairs::first_rows(2, 5)).unwrap();
    finite(&alignment);
    assert_eq!(alignment.embedding(0).row(9), [0.0, 0.0]);
    warned(&alignment, |w| matches!(w, Warning::IsolatedRows { count: 1, .. }));
    let error = alignment.transform(datasets[0].rows(), 0).unwrap_err();
    assert!(error.to_string().contains("its graph was given"), "{error}");
}

#[test]
fn tiny_widths_drop_edges_and_say_so() {
    let alignment = InstanceAlignment::new(1)
        .n_neighbors(3)
        .heat_width(Some(1e-3))
        .fit(&two(cloud(30, 2, 1), cloud(30, 2, 2)), &Pairs::first_rows(2, 30));
    match alignment {
        Ok(alignment) => {
            finite(&alignment);
            warned(&alignment, |w| matches!(w, Warning::ZeroWeights { .. }));
        }
        Err(error) => assert!(matches!(error, Error::TooManyComponents { .. }), "{error}"),
    }
}

#[test]
fn zero_documents_under_the_cosine() {
    let mut m = cloud(30, 5, 1);
    m.row_mut(4).fill(0.0);
    let alignment = InstanceAlignment::new(2)
        .metric(Metric::Cosine)
        .n_neighbors(5)
        .fit(&two(m, cloud(30, 4, 2)), &Pairs::first_rows(2, 9))
        .unwrap();
    finite(&alignment);
    warned(&alignment, |w| matches!(w, Warning::ZeroRows { count: 1, .. }));
}

#[test]
fn zero_documents_scaled_to_unit_length() {
    let mut m = cloud(30, 5, 1);
    m.row_mut(4).fill(0.0);
    let datasets = two(m, cloud(30, 4, 2));
    for (prepare, told) in [(Prepare::Unit, true), (Prepare::Center, false)] {
        let method = GlobalAlignment::new(2).n_neighbors(5).prepare(prepare);
        let alignment = method.fit(&datasets, &Pairs::first_rows(2, 9)).unwrap();
        let warned = alignment.outcome().warnings.iter().any(|w| matches!(w, Warning::ZeroRows { count: 1, .. }));
        assert_eq!(warned, told, "{prepare:?}");
    }
}

#[test]
fn conditioning_from_one_to_1e16() {
    for step in 0..=16 {
        for seed in 0..3 {
            let stretch = |m: Matrix<f64>| {
                Matrix::from_fn(m.nrows(), m.ncols(), |i, j| m[(i, j)] * if j == 0 { 10f64.powi(step) } else { 1.0 })
            };
            let datasets = two(stretch(cloud(60, 4, seed)), stretch(cloud(50, 3, seed + 7)));
            finite(&InstanceAlignment::new(3).n_neighbors(6).fit(&datasets, &Pairs::first_rows(2, 12)).unwrap());
        }
    }
}

#[test]
fn every_bad_parameter_names_itself() {
    let datasets = two(cloud(9, 2, 1), cloud(12, 3, 2));
    let pairs = Pairs::first_rows(2, 4);
    let base = || InstanceAlignment::new(2).n_neighbors(3);
    let says = |fit: Result<Alignment, Error>, parts: &[&str]| {
        let error = fit.expect_err("must be refused");
        let text = format!("{error} {}", error.hint().unwrap_or_default());
        parts.iter().for_each(|p| assert!(text.contains(p), "\"{text}\" lacks \"{p}\""));
    };
    says(base().fit(&datasets, &Pairs::none(2)), &["no pairs", "--pairs"]);
    says(base().fit(&datasets, &Pairs::from_table(&[[0, 12]]).unwrap()), &["row 0", "12", "\"b\"", "12 rows"]);
    says(base().n_neighbors(9).fit(&datasets, &pairs), &["\"a\"", "n_neighbors is 9", "from 1 to 8"]);
    says(base().n_neighbors(0).fit(&datasets, &pairs), &["n_neighbors is 0"]);
    says(InstanceAlignment::new(21).n_neighbors(3).fit(&datasets, &pairs), &["n_components is 21", "at most 20"]);
    says(InstanceAlignment::new(0).fit(&datasets, &pairs), &["n_components is 0"]);
    says(base().mu(0.0).fit(&datasets, &pairs), &["mu is 0"]);
    says(base().nu(f64::NAN).fit(&datasets, &pairs), &["nu is NaN"]);
    says(base().heat_width(Some(-2.0)).fit(&datasets, &pairs), &["heat_width is -2"]);
    says(base().weights(Weights::Precomputed).fit(&datasets, &pairs), &["graphs"]);
    says(InstanceAlignment::new(2).graphs(vec![]).fit(&datasets, &pairs), &["graphs", "one per dataset"]);
    says(base().fit(&datasets[..1], &Pairs::none(1)), &["at least 2"]);
    let mut three = datasets.to_vec();
    three.push(Dataset::new("c", cloud(8, 2, 3)).unwrap());
    says(base().fit(&three, &Pairs::from_table(&[[0, 1, -1]]).unwrap()), &["\"a\" and \"c\"", "no chain"]);
    says(base().fit(&three, &pairs), &["2 datasets", "3 datasets"]);
    let fitted = base().fit(&datasets, &pairs).unwrap();
    assert!(
        fitted.transform(datasets[0].rows(), 1).unwrap_err().to_string().contains("fitted with 3 features, the new rows have 2")
    );
    assert!(
        fitted
            .transform(datasets[0].rows(), "z")
            .unwrap_err()
            .to_string()
            .contains("there is no dataset \"z\"; there are \"a\", \"b\"")
    );
    assert!(fitted.transform(datasets[0].rows(), 2).is_err());
    let mut nan = cloud(2, 2, 1);
    nan[(1, 0)] = f64::NAN;
    assert!(fitted.transform(&nan.into(), 0).unwrap_err().to_string().contains("row 1, column 0 is NaN"));
}

#[test]
fn damaged_models_are_refused() {
    let rolls = SwissRolls::new(40).generate().unwrap();
    let alignment = InstanceAlignment::new(2).n_neighbors(4).fit(&rolls.datasets, &rolls.pairs(10, 0).unwrap()).unwrap();
    let bytes = alignment.to_bytes().unwrap();
    let open = |b: &[u8]| Alignment::from_bytes(b, Path::new("m.lb"));
    assert!(open(&bytes).is_ok());
    // Every bit of the header, and bits all over the data.
    let header = 8 + u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize;
    let bits = (0..header * 8).chain((header * 8..bytes.len() * 8).step_by(97));
    for bit in bits {
        let mut damaged = bytes.clone();
        damaged[bit / 8] ^= 1 << (bit % 8);
        assert!(open(&damaged).is_err(), "bit {bit} of {} was flipped without notice", bytes.len() * 8);
    }
    for length in (0..bytes.len()).step_by(61) {
        assert!(open(&bytes[..length]).is_err(), "cut at {length}");
    }
    let text = String::from_utf8_lossy(&bytes[8..header]).to_string();
    let newer = text.replace("\\\"format\\\":1", "\\\"format\\\":9");
    assert_ne!(text, newer);
    let mut other = bytes[..8].to_vec();
    other.extend(newer.as_bytes());
    other.extend(&bytes[header..]);
    let error = open(&other).unwrap_err();
    assert_eq!(error.to_string(), "m.lb: model format 9, this landbridge reads format 1");
    assert!(matches!(open(b"PK\x03\x04 something else entirely"), Err(Error::NotAModel { .. })));
}

#[test]
fn shuffled_pairs_give_chance_level_recall() {
    let data = LiftedCopies::new(400).intrinsic(3).features([8usize, 8]).random_state(2).generate().unwrap();
    let good = data.pairs(80, 0).unwrap();
    let mut shuffled = Pairs::none(2);
    let n = good.len();
    for (s, link) in good.links().iter().enumerate() {
        shuffled.add(0, link.i, 1, good.links()[(s * 37 + 11) % n].j, 1.0).unwrap();
    }
    let truth = data.counterparts(0, 1);
    let held_out: Vec<i64> = (0..400).map(|i| if good.links().iter().any(|l| l.i == i) { -1 } else { truth[i] }).collect();
    let recall = |pairs: &Pairs| {
        let a = InstanceAlignment::new(6).fit(&data.datasets, pairs).unwrap();
        landbridge::evaluate::recall_at_k(a.embedding(0), a.embedding(1), &[10], Some(&held_out), Metric::Euclidean).unwrap()[0]
    };
    let (right, wrong) = (recall(&good), recall(&shuffled));
    assert!(wrong < 0.08, "10 of 400 by chance is 0.025, found {wrong}");
    assert!(right > 4.0 * wrong, "true pairs {right}, shuffled {wrong}");
}

/// The mass of a component, in rows of one dataset: 1 if it sits on a single row.
fn participation(rows: &Matrix<f64>, component: usize) -> f64 {
    let squares: Vec<f64> = (0..rows.nrows()).map(|i| rows[(i, component)].powi(2)).collect();
    squares.iter().sum::<f64>().powi(2) / squares.iter().map(|q| q * q).sum::<f64>()
}

#[test]
fn outliers_take_no_component_for_themselves() {
    let rolls = SwissRolls::new(400).generate().unwrap();
    let pairs = rolls.pairs(40, 1).unwrap();
    let mut datasets = rolls.datasets.clone();
    // Three rows far out, in different directions.
    let far = |a: usize, dataset: &Dataset| {
        let Rows::F64(m) = dataset.rows() else { unreachable!("rolls are dense") };
        let out = |i: usize, j: usize| if (200..203).contains(&i) { [40.0, -70.0, 300.0][(i + j + a) % 3] } else { 0.0 };
        Dataset::new(dataset.name(), Matrix::from_fn(m.nrows(), m.ncols(), |i, j| m[(i, j)] + out(i, j))).unwrap()
    };
    datasets = datasets.iter().enumerate().map(|(a, d)| far(a, d)).collect();
    let least = |method: InstanceAlignment| {
        let fitted = method.fit(&datasets, &pairs).unwrap();
        let all = (0..2).flat_map(|a| (0..8).map(move |c| (a, c)));
        all.map(|(a, c)| participation(fitted.embedding(a), c)).fold(f64::INFINITY, f64::min)
    };
    assert!(least(InstanceAlignment::new(8)) >= 10.0, "{}", least(InstanceAlignment::new(8)));
    // Self-tuning weights alone let them.
    assert!(least(InstanceAlignment::new(8).weights(Weights::Local)) < 3.0);
}
