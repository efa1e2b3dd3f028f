use super::*;
use crate::data::synthetic::SwissRolls;
use crate::data::{Dataset, Rows};
use crate::geometry::geodesic::LengthGraph;
use crate::geometry::neighbors::{Metric, Search, row_distance};

fn distances(dataset: &Dataset) -> Matrix<f64> {
    let Rows::F64(m) = dataset.rows() else { panic!("synthetic data are f64") };
    Matrix::from_fn(m.nrows(), m.nrows(), |i, j| row_distance(Metric::Euclidean, m.row(i), m.row(j)))
}

fn edges(dataset: &Dataset, k: usize) -> Vec<(u32, u32)> {
    let graph = LengthGraph::new(dataset.rows(), k, Metric::Euclidean, Search::Exact, 0, &Progress::silent()).unwrap().lengths;
    (0..graph.nrows())
        .flat_map(|i| graph.row(i).filter(move |(j, _)| *j as usize > i).map(move |(j, _)| (i as u32, j)).collect::<Vec<_>>())
        .collect()
}

fn solved(distances: &Matrix<f64>, edges: &[(u32, u32)], equality: bool, solver: UnfoldingSolver) -> Result<Unfolding> {
    unfold(distances, edges, &UnfoldingOptions { equality, solver, ..Default::default() }, &Progress::silent())
}

const SOLVERS: [UnfoldingSolver; 2] = [UnfoldingSolver::Interior, UnfoldingSolver::LowRank];

#[test]
fn a_chain_is_stretched() {
    // Points on a bent chain; the optimum is a straight line, whose trace is known.
    let n = 9;
    let d = Matrix::from_fn(n, n, |i, j| (i as f64 - j as f64).abs().sqrt() * 2.0);
    let chain: Vec<(u32, u32)> = (1..n as u32).map(|i| (i - 1, i)).collect();
    let expected: f64 = (0..n).map(|i| (2.0 * (i as f64 - 4.0)).powi(2)).sum();
    for equality in [true, false] {
        for solver in SOLVERS {
            let found = solved(&d, &chain, equality, solver).unwrap();
            assert!((found.objective - expected).abs() < 1e-5 * expected, "{solver:?} {} {expected}", found.objective);
            assert!(found.violation < 1e-5 && found.gap.abs() < 1e-5, "{solver:?} {} {}", found.violation, found.gap);
        }
        let k = solved(&d, &chain, equality, UnfoldingSolver::Interior).unwrap().kernel;
        assert!((0..n).all(|i| k.row(i).iter().sum::<f64>().abs() < 1e-6), "K is centred");
        assert!((k[(0, 8)] + 64.0).abs() < 1e-3);
    }
}

#[test]
fn a_rigid_body_stays_what_it_is() {
    // All distances of points in the plane are kept: K is the Gram matrix of the centred points.
    let points = [[0.0, 0.0], [3.0, 0.5], [1.0, 2.0], [-1.0, 1.5]];
    let d = Matrix::from_fn(4, 4, |i, j| row_distance(Metric::Euclidean, &points[i], &points[j]));
    let all: Vec<(u32, u32)> = (0..4).flat_map(|i| (i + 1..4).map(move |j| (i, j))).collect();
    let found = solved(&d, &all, true, UnfoldingSolver::Interior).unwrap();
    let mean = [0.75, 1.0];
    for i in 0..4 {
        for j in 0..4 {
            let expected: f64 = (0..2).map(|s| (points[i][s] - mean[s]) * (points[j][s] - mean[s])).sum();
            assert!((found.kernel[(i, j)] - expected).abs() < 1e-4, "{i} {j} {} {expected}", found.kernel[(i, j)]);
        }
    }
}

#[test]
fn two_ways_reach_the_same_optimum_of_a_roll() {
    let roll = &SwissRolls::new(60).generate().unwrap().datasets[0];
    let (d, edges) = (distances(roll), edges(roll, 5));
    let interior = solved(&d, &edges, false, UnfoldingSolver::Interior).unwrap();
    assert_eq!(interior.status, Status::Converged, "{interior:?}");
    assert!(interior.gap.abs() < 1e-7 && interior.violation < 1e-7 && interior.dual_violation < 1e-7);
    let low = solved(&d, &edges, false, UnfoldingSolver::LowRank).unwrap();
    assert_eq!(low.status, Status::Converged, "{} {} {}", low.gap, low.violation, low.solver);
    assert!((low.objective / interior.objective - 1.0).abs() < 1e-6, "{} {}", low.objective, interior.objective);
    let smooth = solved(&d, &edges, false, UnfoldingSolver::Laplacian).unwrap();
    assert!(smooth.objective < interior.objective, "{}", smooth.objective);
    assert!(smooth.violation < 1e-7);
    // With all functions of the graph it is the same program.
    let all = UnfoldingOptions { equality: false, solver: UnfoldingSolver::Laplacian, n_functions: 59, ..Default::default() };
    let all = unfold(&d, &edges, &all, &Progress::silent()).unwrap();
    assert!((all.objective / interior.objective - 1.0).abs() < 1e-3, "{} {}", all.objective, interior.objective);
    // It stops a little short of the optimum, which lies between its objective and its bound.
    assert!(
        all.objective <= interior.objective * (1.0 + 1e-7) && all.bound >= interior.objective * (1.0 - 1e-7),
        "{}",
        all.bound
    );
}

#[test]
fn impossible_programs_are_recognised() {
    let d = Matrix::from_rows(&[[0.0, 1.0, 5.0], [1.0, 0.0, 1.0], [5.0, 1.0, 0.0]]).unwrap();
    let all = [(0, 1), (1, 2), (0, 2)];
    assert!(matches!(solved(&d, &all, true, UnfoldingSolver::Interior), Err(Error::Infeasible { .. })));
    let shrunk = solved(&d, &all, false, UnfoldingSolver::Interior).unwrap();
    assert!((shrunk.objective - 2.0).abs() < 1e-6);
    let message = |edges: &[(u32, u32)]| solved(&d, edges, true, UnfoldingSolver::Interior).unwrap_err().to_string();
    assert!(message(&[(0, 1)]).contains("2 connected components"), "{}", message(&[(0, 1)]));
    assert!(message(&[(0, 0)]).contains("does not join two"));
    let mut bad = d.clone();
    bad[(0, 1)] = f64::NAN;
    assert!(solved(&bad, &all, true, UnfoldingSolver::Interior).is_err());
    bad[(0, 1)] = 2.0;
    assert!(solved(&bad, &all, true, UnfoldingSolver::Interior).unwrap_err().to_string().contains("the other"));
}

#[test]
fn points_at_distance_zero_are_one() {
    // Points 0 and 1 coincide: a chain of two merged points with weights 2 and 1.
    let d = Matrix::from_rows(&[[0.0, 0.0, 3.0], [0.0, 0.0, 3.0], [3.0, 3.0, 0.0]]).unwrap();
    let found = solved(&d, &[(0, 1), (0, 2), (1, 2)], true, UnfoldingSolver::Interior).unwrap();
    assert!((found.objective - (1.0 + 1.0 + 4.0)).abs() < 1e-6, "{}", found.objective);
    assert!((found.kernel[(0, 0)] - found.kernel[(0, 1)]).abs() < 1e-12);
    let all_one = solved(&Matrix::zeros(3, 3), &[(0, 1), (1, 2)], true, UnfoldingSolver::Auto).unwrap();
    assert_eq!(all_one.objective, 0.0);
}

type Distances = (Matrix<f64>, Vec<(u32, u32)>);

/// Curved points in one to eight dimensions, and the edges to their nearest neighbours.
fn programs() -> Vec<Distances> {
    let mut state = 7u64;
    let mut random = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as f64 / (1u64 << 31) as f64
    };
    let mut out = vec![];
    for (n, dimensions, k) in [(40, 1, 4), (50, 2, 5), (60, 4, 6), (45, 8, 7)] {
        let hidden = Matrix::from_fn(n, dimensions, |_, _| random());
        let rows = Matrix::from_fn(n, 12, |i, j| {
            let along: f64 = (0..dimensions).map(|s| hidden[(i, s)] * (1.0 + (3 * j + 5 * s) as f64 % 7.0)).sum();
            along.sin() + 0.05 * random()
        });
        let dataset = Dataset::new("points", rows).unwrap();
        out.push((distances(&dataset), edges(&dataset, k)));
    }
    out
}

#[test]
fn low_rank_reaches_the_optimum_of_interior_point_and_its_bound_holds() {
    for (at, (d, edges)) in programs().iter().enumerate() {
        let interior = solved(d, edges, false, UnfoldingSolver::Interior).unwrap();
        let low = solved(d, edges, false, UnfoldingSolver::LowRank).unwrap();
        let told = format!("program {at}: {} {}, {} to {}", low.solver, interior.objective, low.objective, low.bound);
        assert!((low.objective / interior.objective - 1.0).abs() < 1e-5, "{told}");
        assert!(low.bound >= interior.objective * (1.0 - 1e-7), "{told}");
        assert!(low.gap.abs() < 1e-5 && low.violation < 1e-5, "{told}, violation {}", low.violation);
        // Still connected, but not solved to the tolerance: the bound must hold all the same.
        let rough = UnfoldingOptions { equality: false, solver: UnfoldingSolver::LowRank, tolerance: 1e-2, ..Default::default() };
        let rough = unfold(d, edges, &rough, &Progress::silent()).unwrap();
        assert!(rough.bound >= interior.objective * (1.0 - 1e-7), "program {at}, rough: {}", rough.bound);
        assert!(rough.objective <= interior.objective * 1.2, "program {at}, rough: {}", rough.objective);
    }
}

#[test]
fn a_large_program_is_solved_in_few_dimensions() {
    let roll = &SwissRolls::new(900).generate().unwrap().datasets[0];
    let (d, edges) = (distances(roll), edges(roll, 6));
    assert!(edges.len() > LOW_RANK_EDGES, "{}", edges.len());
    let found = solved(&d, &edges, false, UnfoldingSolver::Auto).unwrap();
    assert!(found.solver.starts_with("rank"), "{}", found.solver);
    assert_eq!(found.status, Status::Converged, "{} {} {}", found.gap, found.violation, found.solver);
}
