use super::*;
use crate::linalg::Csr;
use crate::problem::spectral::Mass;
use crate::progress::with_threads;

fn graph(n: usize, edges: &[(usize, usize, f64)]) -> Csr {
    let both: Vec<_> = edges.iter().flat_map(|&(i, j, w)| [(i, j, w), (j, i, w)]).collect();
    Csr::from_triplets(n, n, &both).unwrap()
}

fn path(n: usize) -> Csr {
    graph(n, &(1..n).map(|i| (i - 1, i, 1.0)).collect::<Vec<_>>())
}

/// A random graph without structure: a ring plus chords.
fn expander(n: usize, chords: usize) -> Csr {
    let mut state = 1u64;
    let mut edges: Vec<(usize, usize, f64)> = (0..n).map(|i| (i, (i + 1) % n, 1.0)).collect();
    for i in 0..n {
        for _ in 0..chords {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let j = (state >> 33) as usize % n;
            if i != j {
                edges.push((i, j, 0.5 + (state >> 60) as f64 / 16.0));
            }
        }
    }
    graph(n, &edges)
}

fn options(solver: Solver) -> EigenOptions {
    EigenOptions { solver, dense_limit: 0, tolerance: 1e-7, ..EigenOptions::default() }
}

fn solve(graph: &Csr, mass: Mass, d: usize, options: &EigenOptions) -> Eigenpairs {
    smallest_nonzero(&LaplacianPencil::new(graph, mass), d, options, &Progress::silent()).unwrap()
}

/// Residual, constraint `F'MF = I`, orthogonality to the zero solutions: every answer must satisfy them.
fn check(graph: &Csr, mass: Mass, found: &Eigenpairs, tolerance: f64) {
    let pencil = LaplacianPencil::new(graph, mass);
    let (n, d) = (pencil.n(), found.values.len());
    assert!(found.values.windows(2).all(|w| w[0] <= w[1]));
    assert!(found.values[0] > 0.0);
    for c in 0..d {
        for e in 0..=c {
            let dot: f64 = (0..n).map(|i| pencil.mass[i] * found.vectors[(i, c)] * found.vectors[(i, e)]).sum();
            assert!((dot - f64::from(u8::from(c == e))).abs() < 1e-8, "F'MF at ({c}, {e}) is {dot}");
        }
        let mut worst = 0.0f64;
        for i in 0..n {
            let lf = pencil.degree[i] * found.vectors[(i, c)]
                - graph.row(i).map(|(j, w)| w * found.vectors[(j as usize, c)]).sum::<f64>();
            worst = worst.max((lf - found.values[c] * pencil.mass[i] * found.vectors[(i, c)]).abs());
        }
        assert!(worst < tolerance, "component {c}: |Lf - lambda M f| = {worst}");
    }
}

#[test]
fn a_path_has_the_closed_form_spectrum_by_every_solver() {
    let n = 600;
    let g = path(n);
    for solver in [Solver::Dense, Solver::Factored, Solver::MatrixFree] {
        let found = solve(&g, Mass::Identity, 5, &options(solver));
        for (k, value) in found.values.iter().enumerate() {
            // Plain Laplacian of a path: 2 - 2 cos(pi k / n).
            let expected = 4.0 * (std::f64::consts::PI * (k + 1) as f64 / (2 * n) as f64).sin().powi(2);
            assert!((value / expected - 1.0).abs() < 1e-9, "{solver:?} {k}: {value} {expected}");
        }
        check(&g, Mass::Identity, &found, 1e-7);
    }
}

#[test]
fn the_three_solvers_agree_on_graphs_without_structure() {
    let g = expander(700, 3);
    for mass in [Mass::Degree, Mass::Identity] {
        let dense = solve(&g, mass, 12, &options(Solver::Dense));
        check(&g, mass, &dense, 1e-9);
        for solver in [Solver::Factored, Solver::MatrixFree] {
            let found = solve(&g, mass, 12, &options(solver));
            check(&g, mass, &found, 1e-5);
            for (a, b) in found.values.iter().zip(&dense.values) {
                assert!((a / b - 1.0).abs() < 1e-9, "{solver:?}: {a} {b}");
            }
        }
    }
}

#[test]
fn exactly_the_zero_solutions_are_skipped() {
    for components in [1, 3, 50, 300] {
        let size = 6;
        let mut edges = vec![];
        for c in 0..components {
            for i in 1..size {
                edges.push((c * size + i - 1, c * size + i, 1.0 + (c % 7) as f64));
            }
        }
        let g = graph(components * size + 2, &edges); // and two isolated nodes
        let pencil = LaplacianPencil::new(&g, Mass::Degree);
        assert_eq!(pencil.n_components, components + 2);
        let first = 1.0 - (std::f64::consts::PI / (size - 1) as f64).cos();
        for solver in [Solver::Dense, Solver::Factored, Solver::MatrixFree] {
            let d = components.min(4);
            let found = solve(&g, Mass::Degree, d, &options(solver));
            check(&g, Mass::Degree, &found, 1e-6);
            assert!((found.values[0] - first).abs() < 1e-9, "{components} components by {solver:?}: {}", found.values[0]);
            assert_eq!(found.vectors[(components * size, 0)], 0.0);
        }
    }
}

#[test]
fn a_long_thin_chain_has_its_tiny_eigenvalues_right() {
    let n = 20_000;
    let found = solve(&path(n), Mass::Identity, 8, &options(Solver::Auto));
    assert!(found.solver.starts_with("factored"), "{}", found.solver);
    for (k, value) in found.values.iter().enumerate() {
        let expected = 4.0 * (std::f64::consts::PI * (k + 1) as f64 / (2 * n) as f64).sin().powi(2);
        assert!((value / expected - 1.0).abs() < 1e-8, "{k}: {value} {expected}");
    }
}

#[test]
fn weights_over_twelve_orders_of_magnitude_are_survived() {
    // Two cliques joined by an edge of 1e-12: lambda_1 of the plain Laplacian is 1e-12 (1/n1 + 1/n2) to first order.
    let m = 300;
    let mut edges = vec![(0, m, 1e-12)];
    for side in 0..2 {
        for i in 0..m {
            for s in [1, 2, 5, 11, 40] {
                edges.push((side * m + i, side * m + (i + s) % m, 1.0));
            }
        }
    }
    let g = graph(2 * m, &edges);
    for solver in [Solver::Dense, Solver::Factored] {
        let found = solve(&g, Mass::Identity, 3, &options(solver));
        let expected = 1e-12 * 2.0 / m as f64;
        assert!((found.values[0] / expected - 1.0).abs() < 1e-3, "{solver:?}: {} {expected}", found.values[0]);
    }
    // Weights spread evenly over the orders of magnitude.
    let edges: Vec<_> = (1..800).map(|i| (i - 1, i, 10f64.powi(-(((i * 7919) % 13) as i32)))).collect();
    let g = graph(800, &edges);
    let dense = solve(&g, Mass::Degree, 10, &options(Solver::Dense));
    let fast = solve(&g, Mass::Degree, 10, &options(Solver::Auto));
    // The dense solver has an absolute error of 1e-16 of the largest eigenvalue, so below 1e-13 only the smaller bound counts.
    for (a, b) in fast.values.iter().zip(&dense.values) {
        assert!(*a <= b * (1.0 + 1e-2), "{a:e} {b:e}");
        assert!(*b < 1e-13 || (a / b - 1.0).abs() < 1e-3, "{a:e} {b:e}");
    }
}

#[test]
fn repeated_eigenvalues_come_with_their_whole_subspace() {
    // A ring: every eigenvalue but the ends is double.
    let n = 900;
    let edges: Vec<_> = (0..n).map(|i| (i, (i + 1) % n, 1.0)).collect();
    for solver in [Solver::Factored, Solver::MatrixFree] {
        let found = solve(&graph(n, &edges), Mass::Identity, 6, &options(solver));
        for (c, value) in found.values.iter().enumerate() {
            let k = (c / 2 + 1) as f64;
            let expected = 4.0 * (std::f64::consts::PI * k / n as f64).sin().powi(2);
            assert!((value / expected - 1.0).abs() < 1e-8, "{solver:?} {c}: {value} {expected}");
        }
    }
}

#[test]
fn one_thread_and_many_give_the_same_bits() {
    let g = expander(3000, 2);
    for solver in [Solver::Factored, Solver::MatrixFree] {
        let run = |threads| with_threads(threads, || solve(&g, Mass::Degree, 6, &options(solver)));
        let (one, three) = (run(1), run(3));
        assert_eq!(one.vectors, three.vectors);
        assert_eq!(one.values, three.values);
    }
}

#[test]
fn too_many_components_are_refused_with_the_number_there_are() {
    let g = path(5);
    let pencil = LaplacianPencil::new(&g, Mass::Degree);
    let error = smallest_nonzero(&pencil, 5, &EigenOptions::default(), &Progress::silent()).unwrap_err();
    assert!(matches!(error, Error::TooManyComponents { asked: 5, available: 4, .. }), "{error}");
    assert!(smallest_nonzero(&pencil, 0, &EigenOptions::default(), &Progress::silent()).is_err());
    assert_eq!(solve(&g, Mass::Degree, 4, &EigenOptions::default()).values.len(), 4);
}

#[test]
fn the_factored_inverse_undoes_the_laplacian() {
    for (g, width) in [(path(500), 8), (expander(700, 3), 1), (expander(700, 3), 8), (expander(2500, 2), 3)] {
        let pencil = LaplacianPencil::new(&g, Mass::Degree);
        let laplacian = ScaledLaplacian::new(&pencil, &(0..pencil.n() as u32).collect::<Vec<_>>());
        let inverse = Inverse::new(&laplacian, Plan::new(&pencil).unwrap()).unwrap();
        let x = random_block(&inverse, width, 5);
        let (mut y, mut back) = (Tall::zeros(g.nrows(), width), Tall::zeros(g.nrows(), width));
        inverse.apply(&x, &mut y);
        laplacian.product(&y, &mut back);
        let worst = back.values.iter().zip(&x.values).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(worst < 1e-9, "{} nodes, {width} columns: {worst}", g.nrows());
    }
}
