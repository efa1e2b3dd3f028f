//! Multiscale alignment: levels, spans, maps, directed graphs, files.

use landbridge::apply::matching::How;
use landbridge::data::synthetic::{BilingualDocuments, LiftedCopies, Synthetic};
use landbridge::data::{Dataset, Pairs, Rows};
use landbridge::geometry::neighbors::Metric;
use landbridge::linalg::{Csr, Matrix};
use landbridge::method::{Level, LinearAlignment, MultiscaleAlignment};
use landbridge::model::Alignment;
use landbridge::outcome::Warning;
use landbridge::solve::wavelets::Construction;
use std::path::Path;

fn data() -> (Synthetic, Pairs) {
    let data = LiftedCopies::new(200).intrinsic(3).features([12usize, 9]).noise(0.05).random_state(3).generate().unwrap();
    let pairs = data.pairs(60, 1).unwrap();
    (data, pairs)
}

/// All fitted rows, dataset under dataset.
fn stacked(alignment: &Alignment) -> Matrix<f64> {
    let d = alignment.n_components();
    let values = (0..alignment.datasets().len()).flat_map(|a| alignment.embedding(a).as_slice().to_vec()).collect::<Vec<_>>();
    let n = values.len() / d;
    Matrix::from_vec(values, n, d).unwrap()
}

fn product(a: &Matrix<f64>, b: &Matrix<f64>) -> Matrix<f64> {
    Matrix::from_fn(a.nrows(), b.ncols(), |i, j| (0..a.ncols()).map(|k| a[(i, k)] * b[(k, j)]).sum())
}

fn distance_to_identity(m: &Matrix<f64>) -> f64 {
    let entry = |i: usize, j: usize| (m[(i, j)] - f64::from(u8::from(i == j))).abs();
    (0..m.nrows()).flat_map(|i| (0..m.ncols()).map(move |j| (i, j))).map(|(i, j)| entry(i, j)).fold(0.0, f64::max)
}

/// How far the columns of `b` are from the span of the orthonormal columns of `a`.
fn outside(a: &Matrix<f64>, b: &Matrix<f64>) -> f64 {
    let inside = product(a, &product(&a.transpose(), b));
    b.as_slice().iter().zip(inside.as_slice()).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max)
}

#[test]
fn levels_count_eigenvalues_and_are_orthonormal_and_nested() {
    let (data, pairs) = data();
    let alignment = MultiscaleAlignment::new().precision(1e-3).fit(&data.datasets, &pairs).unwrap();
    let levels = alignment.levels().unwrap().to_vec();
    assert!(levels.len() > 2);
    assert_eq!(alignment.outcome().rank, Some(21));
    let values = alignment.eigenvalues().to_vec();
    let mut before: Option<Matrix<f64>> = None;
    for (l, level) in levels.iter().enumerate() {
        let expected = values.iter().filter(|v| (values[0] / **v).powf((level.power as f64).exp2()) >= 1e-3).count();
        assert_eq!(level.dimension, expected);
        let at = alignment.at_level(l).unwrap();
        assert_eq!((at.level(), at.n_components()), (Some(l), expected));
        let rows = stacked(&at);
        assert!(distance_to_identity(&product(&rows.transpose(), &rows)) < 1e-10);
        if let Some(before) = &before {
            assert!(outside(before, &rows) < 1e-10, "nested");
        }
        before = Some(rows);
    }
    assert_eq!(levels.last().unwrap().dimension, 1);
}

#[test]
fn the_levels_are_spanned_by_the_solutions_of_the_linear_problem() {
    // With the constraint X'X the eigenvectors are those of manifold projections (Sparse12 §2.1.2).
    let (data, pairs) = data();
    let alignment = MultiscaleAlignment::new().precision(1e-2).fit(&data.datasets, &pairs).unwrap();
    for (l, level) in alignment.levels().unwrap().iter().enumerate() {
        let linear = LinearAlignment::new(level.dimension)
            .constraint(landbridge::method::Constraint::Identity)
            .ridge(Some(0.0))
            .fit(&data.datasets, &pairs)
            .unwrap();
        for (a, b) in linear.eigenvalues().iter().zip(alignment.eigenvalues()) {
            assert!((a / b - 1.0).abs() < 1e-8, "{a} against {b}");
        }
        let gap = outside(&stacked(&alignment.at_level(l).unwrap()), &stacked(&linear));
        assert!(gap < 1e-6, "level {l}: {gap:e}");
    }
}

#[test]
fn every_level_transforms_matches_and_survives_its_file() {
    let documents = BilingualDocuments::new(240).generate().unwrap();
    let pairs = documents.pairs(120, 0).unwrap();
    let alignment = MultiscaleAlignment::new().precision(1e-2).metric(Metric::Cosine).fit(&documents.datasets, &pairs).unwrap();
    let bytes = alignment.to_bytes().unwrap();
    let loaded = Alignment::from_bytes(&bytes, Path::new("m.lb")).unwrap();
    assert_eq!(bytes, loaded.to_bytes().unwrap());
    assert_eq!(loaded.levels(), alignment.levels());
    for l in 0..alignment.levels().unwrap().len() {
        let (here, there) = (alignment.at_level(l).unwrap(), loaded.at_level(l).unwrap());
        for a in 0..2 {
            let placed = here.transform(documents.datasets[a].rows(), a).unwrap();
            assert_eq!(placed, there.transform(documents.datasets[a].rows(), a).unwrap());
            let gap = placed.as_slice().iter().zip(here.embedding(a).as_slice()).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max);
            assert!(gap < 1e-9, "level {l}: {gap:e}");
        }
        let matches = here.match_fitted(0, 1, 1, How::Nearest, Metric::Cosine).unwrap();
        assert_eq!(matches.nrows(), 240);
        assert!(here.top_features(0, 0, 3).unwrap().len() == 3);
    }
    let error = alignment.at_level(99).unwrap_err().to_string();
    assert!(error.contains("level is 99") && error.contains("0 is the finest"), "{error}");
    let flat = LinearAlignment::new(3).fit(&documents.datasets, &pairs).unwrap();
    assert!(flat.levels().is_none());
    assert!(flat.at_level(0).unwrap_err().to_string().contains("multiscale"));
}

#[test]
fn a_middle_level_finds_pairs_that_were_not_given() {
    let (data, pairs) = data();
    let alignment = MultiscaleAlignment::new().precision(1e-2).fit(&data.datasets, &pairs).unwrap();
    let truth = data.counterparts(0, 1);
    let recall = |a: &Alignment| {
        landbridge::evaluate::recall_at_k(a.embedding(0), a.embedding(1), &[10], Some(&truth), Metric::Euclidean).unwrap()[0]
    };
    assert!(recall(&alignment) > 0.5, "{}", recall(&alignment));
}

#[test]
fn instances_have_levels_too_small_and_large() {
    let copies = LiftedCopies::new(60).intrinsic(2).features([5usize, 4, 6]).random_state(2).generate().unwrap();
    let pairs = copies.pairs(20, 0).unwrap();
    let method = MultiscaleAlignment::new().level(Level::Instance).precision(1e-3);
    let alignment = method.fit(&copies.datasets, &pairs).unwrap();
    for l in 0..alignment.levels().unwrap().len() {
        let at = alignment.at_level(l).unwrap();
        let rows = stacked(&at);
        assert!(distance_to_identity(&product(&rows.transpose(), &rows)) < 1e-10);
        let again = at.transform(copies.datasets[2].rows(), 2).unwrap();
        assert_eq!(&again, at.embedding(2), "a row that equals a fitted one gets its place");
    }
    let loaded = Alignment::from_bytes(&alignment.to_bytes().unwrap(), Path::new("m.lb")).unwrap();
    assert_eq!(stacked(&loaded.at_level(1).unwrap()), stacked(&alignment.at_level(1).unwrap()));

    // Above 2,000 rows only the eigenvectors that the levels need are computed.
    let large = LiftedCopies::new(1100).intrinsic(1).features([3usize, 3]).random_state(2).generate().unwrap();
    let alignment = method.fit(&large.datasets, &large.pairs(200, 0).unwrap()).unwrap();
    let values = alignment.eigenvalues();
    for level in alignment.levels().unwrap() {
        let kept = values.iter().filter(|v| (values[0] / **v).powf((level.power as f64).exp2()) >= 1e-3).count();
        assert_eq!(level.dimension, kept);
        assert!(kept < values.len());
    }
}

#[test]
fn directed_graphs_are_aligned_with_a_word_of_caution() {
    let (data, pairs) = data();
    let method = MultiscaleAlignment::new().directed(true).precision(1e-3);
    for over in [Level::Feature, Level::Instance] {
        let alignment = method.clone().level(over).fit(&data.datasets, &pairs).unwrap();
        assert!(alignment.outcome().warnings.contains(&Warning::Directed));
        assert!(alignment.outcome().solver.contains("recursion"));
        let mut before: Option<Matrix<f64>> = None;
        for l in 0..alignment.levels().unwrap().len() {
            let rows = stacked(&alignment.at_level(l).unwrap());
            assert!(distance_to_identity(&product(&rows.transpose(), &rows)) < 1e-8);
            if let Some(before) = &before {
                assert!(outside(before, &rows) < 1e-8, "nested");
            }
            before = Some(rows);
        }
    }
    // A citation graph is taken as it is; without `directed` it is refused.
    let cites =
        Csr::from_triplets(200, 200, &(1..200).flat_map(|i| [(i, i / 2, 1.0), (i, i - 1, 0.5)]).collect::<Vec<_>>()).unwrap();
    let given = MultiscaleAlignment::new().graphs(vec![cites.clone(), cites]).precision(1e-3);
    assert!(given.fit(&data.datasets, &pairs).unwrap_err().to_string().contains("not symmetric"));
    let alignment = given.directed(true).fit(&data.datasets, &pairs).unwrap();
    assert!(stacked(&alignment).as_slice().iter().all(|v| v.is_finite()));
    let spectral = method.construction(Construction::Spectral).fit(&data.datasets, &pairs).unwrap_err();
    assert!(spectral.to_string().contains("recursion"));
}

#[test]
fn the_recursion_on_a_symmetric_graph_is_close_to_the_exact_levels() {
    let (data, pairs) = data();
    let exact = MultiscaleAlignment::new().precision(1e-3).fit(&data.datasets, &pairs).unwrap();
    let recursion =
        MultiscaleAlignment::new().precision(1e-3).construction(Construction::Recursion).fit(&data.datasets, &pairs).unwrap();
    for (a, b) in exact.levels().unwrap().iter().zip(recursion.levels().unwrap()) {
        assert!(a.dimension.abs_diff(b.dimension) <= 3, "{a:?} against {b:?}");
    }
}

#[test]
fn sparse_rows_give_what_dense_ones_give_and_threads_change_nothing() {
    let documents = BilingualDocuments::new(120).generate().unwrap();
    let pairs = documents.pairs(60, 0).unwrap();
    let dense: Vec<Dataset> = documents
        .datasets
        .iter()
        .map(|d| match d.rows() {
            Rows::Sparse(m) => Dataset::new(d.name(), m.to_dense()).unwrap(),
            _ => d.clone(),
        })
        .collect();
    let method = MultiscaleAlignment::new().precision(1e-2).metric(Metric::Cosine);
    let (a, b) = (method.fit(&documents.datasets, &pairs).unwrap(), method.fit(&dense, &pairs).unwrap());
    let dimensions = |a: &Alignment| a.levels().unwrap().iter().map(|l| l.dimension).collect::<Vec<_>>();
    assert_eq!(dimensions(&a), dimensions(&b));
    for l in 1..dimensions(&a).len() {
        let (x, y) = (stacked(&a.at_level(l).unwrap()), stacked(&b.at_level(l).unwrap()));
        assert!(outside(&x, &y) < 1e-6, "level {l}");
    }
    let one = method.clone().n_jobs(1).fit(&documents.datasets, &pairs).unwrap().to_bytes().unwrap();
    assert_eq!(one, method.n_jobs(3).fit(&documents.datasets, &pairs).unwrap().to_bytes().unwrap());
}

#[test]
fn turned_columns_and_swapped_datasets_leave_the_spans_where_they_are() {
    // Which functions span a level depends on the coordinates (they are local in them); what they span does not.
    let (data, pairs) = data();
    let method = MultiscaleAlignment::new().precision(1e-2);
    let alignment = method.fit(&data.datasets, &pairs).unwrap();
    let turned: Vec<Dataset> = data
        .datasets
        .iter()
        .map(|d| {
            let Rows::F64(m) = d.rows() else { panic!("made dense") };
            let (sin, cos) = 0.7f64.sin_cos();
            let mut rows = m.clone();
            for i in 0..m.nrows() {
                (rows[(i, 0)], rows[(i, 1)]) = (cos * m[(i, 0)] - sin * m[(i, 1)], sin * m[(i, 0)] + cos * m[(i, 1)]);
            }
            Dataset::new(d.name(), rows).unwrap()
        })
        .collect();
    let other = method.fit(&turned, &pairs).unwrap();
    for l in 0..alignment.levels().unwrap().len() {
        let (x, y) = (stacked(&alignment.at_level(l).unwrap()), stacked(&other.at_level(l).unwrap()));
        assert_eq!(x.ncols(), y.ncols());
        assert!(outside(&x, &y) < 1e-7, "level {l}");
    }
}

#[test]
fn what_cannot_work_says_why() {
    let (data, pairs) = data();
    for precision in [0.0, 1.0, -0.1, 2.0, f64::NAN] {
        let error = MultiscaleAlignment::new().precision(precision).fit(&data.datasets, &pairs).unwrap_err().to_string();
        assert!(error.contains("precision is") && error.contains("below 1"), "{error}");
    }
    assert!(MultiscaleAlignment::new().max_levels(Some(0)).fit(&data.datasets, &pairs).is_err());
    assert!(MultiscaleAlignment::new().mu(0.0).fit(&data.datasets, &pairs).is_err());
    let three = MultiscaleAlignment::new().max_levels(Some(2)).fit(&data.datasets, &pairs).unwrap();
    assert_eq!(three.levels().unwrap().len(), 2);

    let equal = |name: &str| Dataset::new(name, Matrix::from_fn(20, 3, |_, j| j as f64)).unwrap();
    let error = MultiscaleAlignment::new().n_neighbors(4).fit(&[equal("a"), equal("b")], &Pairs::first_rows(2, 5)).unwrap_err();
    assert!(error.to_string().contains("rank 0"), "{error}");
    // One dataset of rank 0 beside a good one: defined, and said.
    let good = Dataset::new("b", Matrix::from_fn(20, 3, |i, j| ((i * (j + 2) * 7) % 11) as f64)).unwrap();
    let alignment = MultiscaleAlignment::new().n_neighbors(4).fit(&[equal("a"), good], &Pairs::first_rows(2, 5)).unwrap();
    assert!(alignment.outcome().warnings.iter().any(|w| matches!(w, Warning::RankDeficient { rank: 3, features: 6 })));
    assert!(stacked(&alignment).as_slice().iter().all(|v| v.is_finite()));
}
