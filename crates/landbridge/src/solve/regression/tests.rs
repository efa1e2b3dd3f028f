use super::design::tests::rows;
use super::*;

fn targets(n: usize, width: usize, seed: u64) -> Matrix<f64> {
    let mut y = rows(n, width, seed);
    y.as_mut_slice().iter_mut().for_each(|v| *v += 0.1);
    y
}

fn objective(x: &Matrix<f64>, y: &Matrix<f64>, w: &Matrix<f64>, penalty: &Penalty) -> f64 {
    let mut value = 0.0;
    for i in 0..x.nrows() {
        for t in 0..y.ncols() {
            let fit: f64 = (0..x.ncols()).map(|j| x[(i, j)] * w[(j, t)]).sum();
            value += (y[(i, t)] - fit).powi(2);
        }
    }
    let l1: f64 = w.as_slice().iter().map(|v| v.abs()).sum();
    let l2: f64 = w.as_slice().iter().map(|v| v * v).sum();
    value
        + match penalty {
            Penalty::Ridge { gamma } => gamma * l2,
            Penalty::Lasso { alpha, gamma } => alpha * l1 + gamma * l2,
            Penalty::Group { alpha, groups } => {
                let square = |j: u32| w.row(j as usize).iter().map(|v| v * v).sum::<f64>();
                let one = |g: &Vec<u32>| ((g.len() as f64) * g.iter().map(|&j| square(j)).sum::<f64>()).sqrt();
                alpha * groups.iter().map(one).sum::<f64>()
            }
            Penalty::Fused { alpha, beta } => {
                let steps: f64 =
                    (1..w.nrows()).flat_map(|j| (0..w.ncols()).map(move |t| (w[(j, t)] - w[(j - 1, t)]).abs())).sum();
                alpha * l1 + beta * steps
            }
        }
}

/// The naive twin: plain proximal gradient with very many tiny steps.
fn naive(x: &Matrix<f64>, y: &Matrix<f64>, penalty: &Penalty, steps: usize) -> Matrix<f64> {
    let (n, p, width) = (x.nrows(), x.ncols(), y.ncols());
    let curvature: f64 = x.as_slice().iter().map(|v| v * v).sum();
    let mut w = Matrix::zeros(p, width);
    for _ in 0..steps {
        let mut next: Matrix<f64> = w.clone();
        let r = Matrix::from_fn(n, width, |i, t| y[(i, t)] - (0..p).map(|j| x[(i, j)] * w[(j, t)]).sum::<f64>());
        for j in 0..p {
            for t in 0..width {
                next[(j, t)] += (0..n).map(|i| x[(i, j)] * r[(i, t)]).sum::<f64>() / curvature;
            }
        }
        let soft = |m: &mut Matrix<f64>, by: f64| {
            m.as_mut_slice().iter_mut().for_each(|v| *v = v.signum() * (v.abs() - by).max(0.0));
        };
        match penalty {
            Penalty::Ridge { gamma } => next.as_mut_slice().iter_mut().for_each(|v| *v /= 1.0 + gamma / curvature),
            Penalty::Lasso { alpha, gamma } => {
                soft(&mut next, 0.5 * alpha / curvature);
                next.as_mut_slice().iter_mut().for_each(|v| *v /= 1.0 + gamma / curvature);
            }
            Penalty::Group { alpha, groups } => {
                for g in groups {
                    let square: f64 = g.iter().flat_map(|&j| next.row(j as usize).to_vec()).map(|v| v * v).sum();
                    let by = 0.5 * alpha * (g.len() as f64).sqrt() / curvature;
                    let factor = (1.0 - by / square.sqrt()).max(0.0);
                    g.iter().for_each(|&j| next.row_mut(j as usize).iter_mut().for_each(|v| *v *= factor));
                }
            }
            Penalty::Fused { alpha, beta } => {
                for t in 0..width {
                    let column: Vec<f64> = (0..p).map(|j| next[(j, t)]).collect();
                    let column = total_variation(column, 0.5 * beta / curvature);
                    (0..p).for_each(|j| next[(j, t)] = column[j]);
                }
                soft(&mut next, 0.5 * alpha / curvature);
            }
        }
        w = next;
    }
    w
}

fn penalties(p: usize) -> Vec<Penalty> {
    let groups = vec![(0..2).collect(), (2..3).collect(), (3..p as u32).collect()];
    let single = (0..p as u32).map(|j| vec![j]).collect();
    vec![
        Penalty::Ridge { gamma: 0.3 },
        Penalty::Lasso { alpha: 0.4, gamma: 0.0 },
        Penalty::Lasso { alpha: 0.05, gamma: 0.2 },
        Penalty::Group { alpha: 0.6, groups },
        Penalty::Group { alpha: 0.5, groups: single },
        Penalty::Fused { alpha: 0.2, beta: 0.3 },
        Penalty::Fused { alpha: 0.0, beta: 0.3 },
        Penalty::Fused { alpha: 0.3, beta: 0.0 },
    ]
}

#[test]
fn every_penalty_equals_its_slow_definition_in_every_form() {
    let (n, p) = (25, 9);
    let (x, y) = (rows(n, p, 1), targets(n, 3, 2));
    for penalty in penalties(p) {
        let slow = objective(&x, &y, &naive(&x, &y, &penalty, 20_000), &penalty);
        for form in [Form::Gram, Form::Residual] {
            for design in [Rows::F64(x.clone()), Rows::Sparse(Csr::from_dense(&x))] {
                let options = RegressionOptions { form, tolerance: 1e-10 };
                let found = regress(&design, &y, &penalty, &options, &Progress::silent()).unwrap();
                let value = objective(&x, &y, &found.weights.to_dense(), &penalty);
                assert!((value - found.objective).abs() < 1e-9 * value, "{penalty:?}: {value} {}", found.objective);
                assert!(found.status == Status::Converged && found.gap <= 1e-10, "{penalty:?}: {}", found.gap);
                assert!(value <= slow * (1.0 + 1e-9), "{penalty:?} {form:?}: {value} {slow}");
                assert!(value >= slow * (1.0 - 1e-6), "{penalty:?} {form:?}: {value} {slow}");
            }
        }
    }
}

#[test]
fn the_gap_bounds_the_distance_to_the_optimum_with_more_features_than_rows() {
    let (n, p) = (30, 120);
    let (x, y) = (rows(n, p, 5), targets(n, 4, 6));
    let groups: Vec<Vec<u32>> = (0..p as u32 / 4).map(|g| (4 * g..4 * g + 4).collect()).collect();
    let all = [
        Penalty::Lasso { alpha: 0.3, gamma: 0.0 },
        Penalty::Lasso { alpha: 0.01, gamma: 0.0 },
        Penalty::Lasso { alpha: 0.1, gamma: 0.5 },
        Penalty::Group { alpha: 0.3, groups },
        Penalty::Fused { alpha: 0.1, beta: 0.2 },
        Penalty::Fused { alpha: 0.0, beta: 0.2 },
        Penalty::Fused { alpha: 0.01, beta: 0.01 },
    ];
    for penalty in all {
        let loose = RegressionOptions { tolerance: 1e-3, ..Default::default() };
        let options = RegressionOptions { tolerance: 1e-9, ..Default::default() };
        let rough = regress(&Rows::F64(x.clone()), &y, &penalty, &loose, &Progress::silent()).unwrap();
        let fine = regress(&Rows::F64(x.clone()), &y, &penalty, &options, &Progress::silent()).unwrap();
        assert_eq!(fine.status, Status::Converged, "{penalty:?}: {}", fine.gap);
        assert!(fine.objective <= rough.objective * (1.0 + 1e-9), "{penalty:?}");
        assert!(rough.objective - fine.objective <= 1e-3 * rough.objective, "{penalty:?}");
        let value = objective(&x, &y, &fine.weights.to_dense(), &penalty);
        assert!((value - fine.objective).abs() < 1e-9 * value, "{penalty:?}");
    }
}

#[test]
fn orthogonal_columns_are_soft_thresholded() {
    let x = Matrix::from_fn(6, 3, |i, j| if i == 2 * j { 2.0 } else { 0.0 });
    let y = Matrix::from_fn(6, 1, |i, _| [3.0, 9.0, -0.2, 9.0, -1.0, 9.0][i]);
    let penalty = Penalty::Lasso { alpha: 1.0, gamma: 0.0 };
    let found = regress(&Rows::F64(x), &y, &penalty, &RegressionOptions::default(), &Progress::silent()).unwrap();
    // z = x'y / |x|² = 1.5, −0.1, −0.5; threshold α / (2 |x|²) = 0.125.
    let w = found.weights.to_dense();
    assert!((w[(0, 0)] - 1.375).abs() < 1e-12 && w[(1, 0)] == 0.0 && (w[(2, 0)] + 0.375).abs() < 1e-12);
    assert_eq!(found.weights.nnz(), 2, "zeros are not stored");
}

#[test]
fn a_path_with_warm_starts_ends_where_cold_starts_do() {
    let (x, y) = (rows(40, 60, 7), targets(40, 5, 8));
    let design = Rows::Sparse(Csr::from_dense(&x));
    let options = RegressionOptions { tolerance: 1e-11, ..Default::default() };
    for kind in 0..3 {
        let make = |alpha: f64| match kind {
            0 => Penalty::Lasso { alpha, gamma: 0.01 },
            1 => Penalty::Group { alpha, groups: (0..30).map(|g| vec![g, 30 + g]).collect() },
            _ => Penalty::Fused { alpha, beta: 0.5 * alpha },
        };
        let path: Vec<Penalty> = [2.0, 1.0, 0.5, 0.2].map(make).to_vec();
        let warm = regress_path(&design, &y, &path, &options, &Progress::silent()).unwrap();
        for (penalty, warm) in path.iter().zip(&warm) {
            let cold = regress(&design, &y, penalty, &options, &Progress::silent()).unwrap();
            assert!((warm.objective - cold.objective).abs() <= 1e-9 * cold.objective);
            let (a, b) = (warm.weights.to_dense(), cold.weights.to_dense());
            assert!(a.as_slice().iter().zip(b.as_slice()).all(|(a, b)| (a - b).abs() < 1e-4), "{penalty:?}");
        }
    }
}

#[test]
fn at_the_largest_alpha_everything_vanishes_and_below_it_something_stays() {
    let (x, y) = (Rows::F64(rows(40, 12, 9)), targets(40, 3, 10));
    let options = RegressionOptions::default();
    let groups: Vec<Vec<u32>> = (0..4).map(|g| (3 * g..3 * g + 3).collect()).collect();
    let make = |kind: usize, alpha: f64| match kind {
        0 => Penalty::Lasso { alpha, gamma: 0.0 },
        1 => Penalty::Group { alpha, groups: groups.clone() },
        _ => Penalty::Fused { alpha, beta: 0.4 },
    };
    for kind in 0..3 {
        let solve = |alpha: f64| regress(&x, &y, &make(kind, alpha), &options, &Progress::silent()).unwrap();
        let largest = solve(0.1).largest_alpha.unwrap();
        assert_eq!(solve(largest * (1.0 + 1e-9)).weights.nnz(), 0, "{kind}");
        assert!(solve(largest * 0.999).weights.nnz() > 0, "{kind}");
    }
}

#[test]
fn a_group_is_in_or_out_for_all_targets() {
    let (x, y) = (Rows::F64(rows(40, 12, 11)), targets(40, 6, 12));
    let groups: Vec<Vec<u32>> = (0..4).map(|g| vec![g, g + 4, g + 8]).collect();
    let penalty = Penalty::Group { alpha: 2.5, groups: groups.clone() };
    let found = regress(&x, &y, &penalty, &RegressionOptions::default(), &Progress::silent()).unwrap();
    let used: Vec<usize> = groups.iter().map(|g| g.iter().map(|&j| found.weights.row_indices(j as usize).len()).sum()).collect();
    assert!(used.iter().all(|u| *u == 0 || *u == 18), "{used:?}");
    assert!(used.contains(&0) && used.contains(&18), "{used:?}");
}

#[test]
fn awkward_rows_have_answers() {
    // A constant and a zero column, equal columns, a zero target, huge and tiny numbers.
    for scale in [1.0, 1e-100, 1e100] {
        let x =
            Matrix::from_fn(12, 6, |i, j| scale * [1.0, 0.0, i as f64, i as f64, ((i * 7) % 5) as f64, ((i * 3) % 7) as f64][j]);
        let y = Matrix::from_fn(12, 2, |i, t| if t == 0 { ((i * 5) % 7) as f64 - 3.0 } else { 0.0 });
        for penalty in [
            Penalty::Lasso { alpha: 0.5 * scale, gamma: 0.0 },
            Penalty::Group { alpha: 0.5 * scale, groups: vec![vec![0, 1], vec![2, 3], vec![4], vec![5]] },
            Penalty::Fused { alpha: 0.5 * scale, beta: 0.2 * scale },
            Penalty::Ridge { gamma: 0.0 },
        ] {
            let found = regress(&Rows::F64(x.clone()), &y, &penalty, &RegressionOptions::default(), &Progress::silent()).unwrap();
            assert!(found.weights.values().iter().all(|v| v.is_finite()), "{penalty:?}");
            assert_eq!(found.status, Status::Converged, "{penalty:?}: {}", found.gap);
            assert!((0..6).all(|j| found.weights.get(j, 1).abs() < 1e-9), "a zero target has no weights");
        }
    }
}

#[test]
fn bad_strengths_and_groups_are_refused() {
    let (x, y) = (Rows::F64(rows(9, 4, 13)), targets(9, 1, 14));
    let say =
        |penalty: Penalty| regress(&x, &y, &penalty, &RegressionOptions::default(), &Progress::silent()).unwrap_err().to_string();
    let group = |groups: Vec<Vec<u32>>| say(Penalty::Group { alpha: 1.0, groups });
    assert!(say(Penalty::Lasso { alpha: -1.0, gamma: 0.0 }).contains("alpha is -1"));
    assert!(say(Penalty::Fused { alpha: 0.0, beta: f64::NAN }).contains("beta is NaN"));
    assert!(group(vec![vec![0, 1, 2]]).contains("without feature 3"));
    assert!(group(vec![vec![0, 1, 2, 3], vec![2]]).contains("feature 2 twice"));
    assert!(group(vec![vec![0, 1, 2, 3, 4]]).contains("feature 4 of 4"));
    assert!(group(vec![vec![0, 1, 2, 3], vec![]]).contains("an empty group 1"));
    let short = targets(8, 1, 14);
    let penalty = Penalty::Ridge { gamma: 0.0 };
    assert!(regress(&x, &short, &penalty, &RegressionOptions::default(), &Progress::silent()).is_err());
}

#[test]
fn on_the_identity_the_regression_is_a_shrinkage() {
    let y = targets(8, 3, 15);
    let identity = Rows::F64(Matrix::from_fn(8, 8, |i, j| f64::from(u8::from(i == j))));
    let options = RegressionOptions { tolerance: 1e-12, ..Default::default() };
    for penalty in penalties(8) {
        let found = regress(&identity, &y, &penalty, &options, &Progress::silent()).unwrap();
        let (w, objective) = shrink(&Tall { values: y.as_slice().to_vec(), stride: 3 }, &penalty, None);
        assert!((objective - found.objective).abs() < 1e-10, "{penalty:?}: {objective} {}", found.objective);
        let dense = found.weights.to_dense();
        assert!(w.values.iter().zip(dense.as_slice()).all(|(a, b)| (a - b).abs() < 1e-5), "{penalty:?}");
    }
}
