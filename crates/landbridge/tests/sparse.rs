//! Sparse maps: the theorem behind them, what the penalties promise, what is refused.

use landbridge::data::synthetic::{BilingualDocuments, LiftedCopies, Synthetic};
use landbridge::data::{Dataset, Pairs, Prepare, Rows};
use landbridge::evaluate::subspace_distance;
use landbridge::geometry::affinity::Weights;
use landbridge::linalg::{Csr, Matrix};
use landbridge::method::{Constraint, InstanceAlignment, Level, LinearAlignment, SparseAlignment, SparsePenalty, path_alphas};
use landbridge::model::Alignment;
use landbridge::outcome::{Status, Warning};
use landbridge::progress::Progress;
use std::path::Path;

const PENALTIES: [SparsePenalty; 5] =
    [SparsePenalty::None, SparsePenalty::Lasso, SparsePenalty::ElasticNet, SparsePenalty::Group, SparsePenalty::Fused];

fn cloud(n: usize, p: usize, seed: usize) -> Matrix<f64> {
    Matrix::from_fn(n, p, |i, j| (((i + 1) * (2 * j + 3) * 7919 + (i * j + seed) * 131) % 1009) as f64 / 1009.0 - 0.5)
}

fn two(a: Matrix<f64>, b: Matrix<f64>) -> [Dataset; 2] {
    [Dataset::new("a", a).unwrap(), Dataset::new("b", b).unwrap()]
}

fn documents() -> (Synthetic, Pairs) {
    let documents = BilingualDocuments::new(150).generate().unwrap();
    let pairs = documents.pairs(75, 0).unwrap();
    (documents, pairs)
}

fn stacked(parts: &[&Matrix<f64>]) -> Matrix<f64> {
    let rows: Vec<&[f64]> = parts.iter().flat_map(|m| m.rows()).collect();
    Matrix::from_rows(&rows).unwrap()
}

/// Sparse12 theorem 2: without penalty, least squares on the eigenvectors spans the solution of `ZLZ'γ = λZZ'γ`.
/// Departure: the theorem asks for rank(Z) = N − 1 after centring, which a block-diagonal Z cannot have (each centred block
/// loses one); with rows as they are and full row rank it holds.
#[test]
fn without_penalty_the_maps_span_the_eigenvector_solution() {
    let data = two(cloud(30, 60, 1), cloud(25, 40, 2));
    let pairs = Pairs::first_rows(2, 12);
    for (normalized, constraint) in [(false, Constraint::Identity), (true, Constraint::Degree)] {
        let sparse = SparseAlignment::new(4)
            .penalty(SparsePenalty::None)
            .beta(Some(0.0))
            .prepare(Prepare::None)
            .n_neighbors(5)
            .normalized(normalized)
            .fit(&data, &pairs)
            .unwrap();
        let eigen = LinearAlignment::new(4)
            .constraint(constraint)
            .ridge(Some(0.0))
            .prepare(Prepare::None)
            .n_neighbors(5)
            .mu(1.0)
            .fit(&data, &pairs)
            .unwrap();
        for (x, y) in sparse.eigenvalues().iter().zip(eigen.eigenvalues()) {
            assert!((x / y - 1.0).abs() < 1e-6, "{x} {y}");
        }
        let rows = |a: &Alignment| stacked(&[a.embedding(0), a.embedding(1)]);
        let maps = |a: &Alignment| stacked(&[&a.feature_map(0).unwrap(), &a.feature_map(1).unwrap()]);
        assert!(subspace_distance(&rows(&sparse), &rows(&eigen)).unwrap() < 1e-6);
        assert!(subspace_distance(&maps(&sparse), &maps(&eigen)).unwrap() < 1e-6);
    }
}

/// Sparse12 §4.1: at the instance level X is the identity; without a ridge the places are the eigenvectors.
#[test]
fn the_instance_level_shrinks_the_eigenvectors() {
    let (data, pairs) = documents();
    let plain = InstanceAlignment::new(3).weights(Weights::Heat).tolerance(1e-8).fit(&data.datasets, &pairs).unwrap();
    let base = SparseAlignment::new(3).level(Level::Instance);
    let same = base.clone().penalty(SparsePenalty::None).beta(Some(0.0)).fit(&data.datasets, &pairs).unwrap();
    let close = |a: &Matrix<f64>, b: &Matrix<f64>| a.as_slice().iter().zip(b.as_slice()).all(|(a, b)| (a - b).abs() < 1e-6);
    assert!(close(same.embedding(0), plain.embedding(0)));
    let lasso = base.clone().alpha(0.1).fit(&data.datasets, &pairs).unwrap();
    let threshold = 0.5 * lasso.sparse_fit().unwrap().alphas[1];
    let soft = |v: f64| v.signum() * (v.abs() - threshold).max(0.0);
    let e = plain.embedding(1);
    assert!(close(lasso.embedding(1), &Matrix::from_fn(e.nrows(), 3, |i, j| soft(e[(i, j)]))));
    assert!(lasso.embedding(1).as_slice().contains(&0.0));
    for penalty in PENALTIES {
        let alignment = base.clone().penalty(penalty).fit(&data.datasets, &pairs).unwrap();
        assert!(alignment.transform(data.datasets[0].rows(), 0).is_ok());
        assert!(alignment.feature_map(0).is_err());
    }
}

#[test]
fn every_penalty_reaches_its_gap_and_prunes() {
    let (data, pairs) = documents();
    // Words that no document has are never used; the penalty without corners uses all others.
    let mut most = 0;
    for penalty in PENALTIES {
        let alignment = SparseAlignment::new(5).penalty(penalty).alpha(0.2).fit(&data.datasets, &pairs).unwrap();
        let fit = alignment.sparse_fit().unwrap();
        assert!(fit.gaps.iter().all(|g| *g <= 1e-8), "{penalty:?}: {:?}", fit.gaps);
        assert_eq!(alignment.outcome().status, Status::Converged);
        let (used, all) = (alignment.features_used(0).unwrap(), data.datasets[0].ncols());
        if penalty == SparsePenalty::None {
            most = used;
        }
        assert_eq!(used < most, penalty != SparsePenalty::None, "{penalty:?} uses {used} of {most}");
        if penalty == SparsePenalty::Group {
            let map = alignment.sparse_map(0).unwrap();
            assert!((0..all).all(|j| [0, 5].contains(&map.row_indices(j).len())), "in or out as a whole");
        }
        let top = alignment.top_features(1, 2, 1000).unwrap();
        assert!(top.iter().all(|f| f.weight != 0.0) && !top.is_empty());
    }
}

#[test]
fn the_maps_are_functions_of_the_row_and_survive_saving() {
    let (data, pairs) = documents();
    for penalty in PENALTIES {
        for refit in [None, Some(0.5)] {
            if penalty == SparsePenalty::None && refit.is_some() {
                continue;
            }
            let fit = |threads: usize| {
                let method = SparseAlignment::new(4).penalty(penalty).alpha(0.1).refit(refit).n_jobs(threads);
                method.fit(&data.datasets, &pairs).unwrap()
            };
            let alignment = fit(1);
            let bytes = alignment.to_bytes().unwrap();
            assert_eq!(bytes, fit(3).to_bytes().unwrap(), "{penalty:?}: threads");
            let back = Alignment::from_bytes(&bytes, Path::new("m.lb")).unwrap();
            assert_eq!(back.to_bytes().unwrap(), bytes);
            assert_eq!(back.sparse_fit(), alignment.sparse_fit());
            let rows = data.datasets[0].rows();
            let all = back.transform(rows, 0).unwrap();
            assert_eq!(&all, alignment.embedding(0));
            assert_eq!(back.transform(&rows.select(&[7]), 0).unwrap().row(0), all.row(7), "one row by itself");
        }
    }
}

#[test]
fn sparse_and_dense_rows_have_the_same_maps() {
    let (data, pairs) = documents();
    let dense = |d: &Dataset| match d.rows() {
        Rows::Sparse(m) => m.to_dense(),
        Rows::F64(m) => m.clone(),
        Rows::F32(m) => m.to_f64(),
    };
    let (a, b) = (dense(&data.datasets[0]), dense(&data.datasets[1]));
    let sparse = [("a", &a), ("b", &b)].map(|(n, m)| Dataset::new(n, Rows::Sparse(Csr::from_dense(m))).unwrap());
    let dense = two(a, b);
    for penalty in PENALTIES {
        let fit = |d: &[Dataset]| SparseAlignment::new(3).penalty(penalty).alpha(0.1).fit(d, &pairs).unwrap();
        let (x, y) = (fit(&dense), fit(&sparse));
        let (f, g) = (x.feature_map(0).unwrap(), y.feature_map(0).unwrap());
        let size = f.as_slice().iter().fold(0.0f64, |m, v| m.max(v.abs()));
        let worst = f.as_slice().iter().zip(g.as_slice()).fold(0.0f64, |m, (a, b)| m.max((a - b).abs()));
        assert!(worst < 1e-3 * size, "{penalty:?}: {worst:.1e} of {size:.1e}");
    }
}

#[test]
fn permuting_features_with_their_order_and_groups_changes_nothing() {
    let data = LiftedCopies::new(120).intrinsic(3).features([12usize, 10]).random_state(3).generate().unwrap();
    let pairs = data.pairs(60, 1).unwrap();
    let Rows::F64(x) = data.datasets[0].rows() else { panic!("dense data") };
    let Rows::F64(y) = data.datasets[1].rows() else { panic!("dense data") };
    let moved = |j: usize| (j * 5 + 3) % 12;
    // Column j of the permuted rows is column moved(j) of the rows.
    let permuted = Matrix::from_fn(x.nrows(), 12, |i, j| x[(i, moved(j))]);
    let place = |c: u32| (0..12u32).find(|&j| moved(j as usize) == c as usize).unwrap();
    let plain: Vec<u32> = (0..10).collect();
    let order: Vec<u32> = (0..12).rev().collect();
    let groups: Vec<Vec<u32>> = (0..4).map(|g| vec![g, g + 4, g + 8]).collect();
    let rest: Vec<Vec<u32>> = (0..10).map(|j| vec![j]).collect();
    for fused in [true, false] {
        let fit = |x: &Matrix<f64>, order: &[u32], groups: &[Vec<u32>]| {
            let method = SparseAlignment::new(3).alpha(0.1);
            let method = match fused {
                true => method.penalty(SparsePenalty::Fused).beta(Some(0.05)).order(Some(vec![order.to_vec(), plain.clone()])),
                false => method.penalty(SparsePenalty::Group).groups(Some(vec![groups.to_vec(), rest.clone()])),
            };
            method.fit(&two(x.clone(), y.clone()), &pairs).unwrap()
        };
        let first = fit(x, &order, &groups);
        let moved_order: Vec<u32> = order.iter().map(|&c| place(c)).collect();
        let moved_groups: Vec<Vec<u32>> = groups.iter().map(|g| g.iter().map(|&c| place(c)).collect()).collect();
        let second = fit(&permuted, &moved_order, &moved_groups);
        let (f, g) = (first.feature_map(0).unwrap(), second.feature_map(0).unwrap());
        let size = f.as_slice().iter().fold(0.0f64, |m, v| m.max(v.abs()));
        for j in 0..12 {
            for c in 0..3 {
                let same = (g[(j, c)] - f[(moved(j), c)]).abs().min((g[(j, c)] + f[(moved(j), c)]).abs());
                assert!(same < 1e-3 * size, "{fused}");
            }
        }
        if fused {
            // Another order gives another map: the order is not ignored.
            let other = fit(x, &[0, 6, 1, 7, 2, 8, 3, 9, 4, 10, 5, 11], &groups);
            assert!(other.sparse_fit().unwrap().objectives[0] != first.sparse_fit().unwrap().objectives[0]);
        }
    }
}

#[test]
fn a_path_is_the_single_fits_and_weaker_penalties_use_more() {
    let (data, pairs) = documents();
    let method = SparseAlignment::new(4);
    let alphas = path_alphas(4, 0.05);
    assert!((alphas[0] - 0.5).abs() < 1e-12 && (alphas[3] - 0.05).abs() < 1e-12);
    let path = method.fit_path(&data.datasets, &pairs, &alphas, &Progress::silent()).unwrap();
    let used: Vec<usize> = path.iter().map(|a| a.sparse_map(0).unwrap().nnz()).collect();
    assert!(used.windows(2).all(|w| w[0] <= w[1]) && used[0] < used[3], "{used:?}");
    for (alignment, &alpha) in path.iter().zip(&alphas) {
        let single = method.clone().alpha(alpha).fit(&data.datasets, &pairs).unwrap();
        let (a, b) = (&alignment.sparse_fit().unwrap().objectives, &single.sparse_fit().unwrap().objectives);
        assert!(a.iter().zip(b).all(|(a, b)| (a / b - 1.0).abs() < 1e-7));
    }
    let data = LiftedCopies::new(200).intrinsic(3).features([12usize, 10]).random_state(3).generate().unwrap();
    let pairs = data.pairs(100, 1).unwrap();
    let judged = method.path(&data.datasets, &pairs, &alphas, 0.2, &Progress::silent()).unwrap();
    assert_eq!((judged.points.len(), judged.held_out), (4, 20));
    let best = judged.best().unwrap();
    assert!(judged.points.iter().all(|p| p.recall <= best.recall) && best.recall > 0.0);
    for bad in [0.0, 1.0, f64::NAN] {
        assert!(method.path(&data.datasets, &pairs, &alphas, bad, &Progress::silent()).is_err());
    }
    assert!(method.path(&data.datasets, &pairs, &[], 0.2, &Progress::silent()).is_err());
}

#[test]
fn constant_columns_have_no_weight() {
    let mut a = cloud(40, 6, 1);
    (0..40).for_each(|i| a[(i, 2)] = 7.3);
    for rows in [Rows::F64(a.clone()), Rows::Sparse(Csr::from_dense(&a))] {
        let data = [Dataset::new("a", rows).unwrap(), Dataset::new("b", cloud(40, 5, 2)).unwrap()];
        for penalty in PENALTIES {
            let method = SparseAlignment::new(3).penalty(penalty).alpha(0.01).n_neighbors(5);
            let alignment = method.fit(&data, &Pairs::first_rows(2, 20)).unwrap();
            let weights = alignment.feature_map(0).unwrap();
            assert!(weights.row(2).iter().all(|w| w.abs() < 1e-12), "{penalty:?}: {:?}", weights.row(2));
            let warned = |w: &Warning| matches!(w, Warning::ConstantColumns { dataset, count: 1 } if dataset == "a");
            assert!(alignment.outcome().warnings.iter().any(warned));
        }
    }
}

#[test]
fn awkward_rows_have_finite_maps() {
    for (a, b) in [(cloud(30, 1, 3), cloud(25, 1, 4)), (cloud(30, 200, 5), cloud(25, 90, 6))] {
        for penalty in PENALTIES {
            let method = SparseAlignment::new(2).penalty(penalty).n_neighbors(5);
            let alignment = method.fit(&two(a.clone(), b.clone()), &Pairs::first_rows(2, 6)).unwrap();
            assert!(alignment.embedding(0).as_slice().iter().all(|v| v.is_finite()));
        }
    }
}

#[test]
fn bad_parameters_say_what_to_do() {
    let data = two(cloud(30, 4, 1), cloud(25, 3, 2));
    let pairs = Pairs::first_rows(2, 12);
    let base = SparseAlignment::new(2).n_neighbors(5);
    let say = |method: SparseAlignment| method.fit(&data, &pairs).unwrap_err().to_string();
    let group = base.clone().penalty(SparsePenalty::Group);
    let fused = base.clone().penalty(SparsePenalty::Fused);
    let order = |a: Vec<u32>| say(fused.clone().order(Some(vec![a, vec![0, 1, 2]])));
    for (said, words) in [
        (say(base.clone().alpha(-0.1)), "alpha is -0.1"),
        (say(base.clone().alpha(f64::NAN)), "alpha is NaN"),
        (say(fused.clone().beta(Some(-1.0))), "beta is -1"),
        (say(base.clone().tolerance(0.0)), "tolerance is 0"),
        (say(base.clone().refit(Some(-1.0))), "refit is -1"),
        (say(base.clone().penalty(SparsePenalty::None).refit(Some(1.0))), "refit is given"),
        (say(base.clone().beta(Some(1.0))), "beta is given; it must be absent"),
        (say(base.clone().order(Some(vec![vec![], vec![]]))), "order is given; it must be absent"),
        (say(base.clone().groups(Some(vec![]))), "groups is given; it must be absent"),
        (say(group.clone().groups(Some(vec![vec![vec![0, 1, 2, 3]]]))), "one per dataset (2)"),
        (
            say(group.clone().groups(Some(vec![vec![vec![0, 1]], vec![vec![0, 1, 2]]]))),
            "groups of dataset \"a\" is without feature 2",
        ),
        (order(vec![0, 1, 2]), "order of dataset \"a\" is without 3"),
        (order(vec![0, 1, 2, 2]), "with 2 twice"),
        (order(vec![0, 1, 2, 9]), "a permutation of 0 … 3"),
        (
            say(base.clone().alpha(1.0)),
            "alpha is 1; it must be below 1.000000: this value sets all weights of dataset \"a\" to 0",
        ),
        (say(fused.clone().alpha(3.0)), "alpha is 3; it must be below 0."),
    ] {
        assert!(said.contains(words), "{said}");
    }
    let absolute = base.clone().relative(false);
    let said = say(absolute.clone().alpha(1e9));
    let largest: f64 = said.split("below ").nth(1).unwrap().split(':').next().unwrap().parse().unwrap();
    assert!(absolute.clone().alpha(0.9 * largest).fit(&data, &pairs).is_ok(), "{said}");
    let all_constant = two(Matrix::from_fn(30, 2, |_, j| j as f64), cloud(25, 3, 2));
    assert!(base.n_neighbors(5).fit(&all_constant, &pairs).unwrap_err().to_string().contains("every column is constant"));
}
