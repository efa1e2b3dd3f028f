//! Theorems and printed formulas of the papers, as assertions.

use landbridge::data::{Dataset, Pairs};
use landbridge::linalg::{Csr, Matrix};
use landbridge::method::{Cle, InstanceAlignment};

fn path(n: usize) -> Csr {
    let edges: Vec<_> = (1..n).flat_map(|i| [(i - 1, i, 1.0), (i, i - 1, 1.0)]).collect();
    Csr::from_triplets(n, n, &edges).unwrap()
}

fn datasets(n: usize, m: usize) -> [Dataset; 2] {
    // Rows play no part when graphs are given.
    [Dataset::new("a", Matrix::<f64>::zeros(n, 1)).unwrap(), Dataset::new("b", Matrix::<f64>::zeros(m, 1)).unwrap()]
}

/// Chapter11 §5.2.1: the loss is `Σ_ij W_ij |f_i − f_j|²` over the joint W; §5.2.2 equates it with `tr(F'LF)`.
/// Departure: the sum over ordered pairs is twice the trace. At the solution `tr(F'LF) = Σ λ`.
#[test]
fn loss_is_half_the_pair_sum() {
    let (mu, nu) = (3.0, 2.0);
    let pairs = Pairs::from_table(&[[0, 0], [5, 7], [9, 11]]).unwrap();
    let alignment = InstanceAlignment::new(3)
        .graphs(vec![path(10), path(12)])
        .balance(false)
        .mu(mu)
        .nu(nu)
        .fit(&datasets(10, 12), &pairs)
        .unwrap();
    let (f, g) = (alignment.embedding(0), alignment.embedding(1));
    let gap = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(a, b)| (a - b) * (a - b)).sum::<f64>();
    let mut sum = 0.0;
    for (m, n) in [(f, 10), (g, 12)] {
        sum += (1..n).map(|i| 2.0 * nu * gap(m.row(i - 1), m.row(i))).sum::<f64>();
    }
    sum += pairs.links().iter().map(|l| 2.0 * mu * gap(f.row(l.i), g.row(l.j))).sum::<f64>();
    let trace: f64 = alignment.eigenvalues().iter().sum();
    assert!((sum / 2.0 - trace).abs() < 1e-10, "{sum} / 2 and {trace}");
}

/// Chapter11 §5.2.2: `F'DF = I` with D the row sums of the joint W; §5.2: zero solutions are left out, so the
/// components are D-orthogonal to the constant.
#[test]
fn the_constraint_holds_in_the_metric_of_the_problem() {
    let pairs = Pairs::from_table(&[[0, 0], [5, 7], [9, 11]]).unwrap();
    let alignment =
        InstanceAlignment::new(4).graphs(vec![path(10), path(12)]).balance(false).mu(4.0).fit(&datasets(10, 12), &pairs).unwrap();
    let mut degree = [vec![2.0; 10], vec![2.0; 12]];
    degree.iter_mut().for_each(|d| {
        let last = d.len() - 1;
        (d[0], d[last]) = (1.0, 1.0);
    });
    for link in pairs.links() {
        degree[0][link.i] += 4.0;
        degree[1][link.j] += 4.0;
    }
    for c in 0..4 {
        let mut mean = 0.0;
        for e in 0..4 {
            let mut dot = 0.0;
            for s in 0..2 {
                let z = alignment.embedding(s);
                for i in 0..z.nrows() {
                    dot += degree[s][i] * z[(i, c)] * z[(i, e)];
                    mean += degree[s][i] * z[(i, c)] / 4.0;
                }
            }
            assert!((dot - f64::from(u8::from(c == e))).abs() < 1e-10, "({c}, {e}): {dot}");
        }
        assert!(mean.abs() < 1e-10);
    }
}

/// Chapter11 §5.3.2: with hard constraints corresponding rows coincide; two copies of one graph with every row
/// paired are that graph with doubled weights, whose plain spectrum is known (a path: `2 − 2 cos(π k / n)`).
#[test]
fn cle_of_two_equal_paths_is_the_path() {
    let n = 30;
    let alignment = Cle::new(4).graphs(vec![path(n), path(n)]).fit(&datasets(n, n), &Pairs::first_rows(2, n)).unwrap();
    for (k, value) in alignment.eigenvalues().iter().enumerate() {
        let expected = 2.0 * (2.0 - 2.0 * (std::f64::consts::PI * (k + 1) as f64 / n as f64).cos());
        assert!((value - expected).abs() < 1e-12, "{k}: {value} {expected}");
    }
    assert_eq!(alignment.embedding(0), alignment.embedding(1));
    for i in 0..n {
        // cos(π (i + ½) k / n), scaled to unit length, largest entry positive.
        let expected = (2.0 / n as f64).sqrt() * (std::f64::consts::PI * (i as f64 + 0.5) / n as f64).cos();
        assert!((alignment.embedding(0)[(i, 0)].abs() - expected.abs()).abs() < 1e-10);
    }
}

/// Chapter11 §5.3.2 as the limit of §5.2: soft constraints approach hard ones as μ grows.
#[test]
fn soft_pairs_approach_hard_ones() {
    let pairs = Pairs::from_table(&[[0, 0], [3, 4], [9, 11]]).unwrap();
    let base = || InstanceAlignment::new(2).graphs(vec![path(10), path(12)]).normalized(false);
    let hard = base().hard(true).fit(&datasets(10, 12), &pairs).unwrap();
    let mut last = f64::INFINITY;
    for mu in [1.0, 1e2, 1e4, 1e6] {
        let soft = base().balance(false).mu(mu).fit(&datasets(10, 12), &pairs).unwrap();
        let gap: f64 = pairs.links().iter().map(|l| (soft.embedding(0)[(l.i, 0)] - soft.embedding(1)[(l.j, 0)]).abs()).sum();
        assert!(gap < last, "mu {mu}: paired rows are {gap} apart");
        last = gap;
    }
    assert!(last < 1e-5);
    // λ differs only by the mass of merged rows, which count twice in the soft problem.
    assert!(hard.eigenvalues()[0] > 0.0);
}

/// ALGORITHMS: μ_effective = mu × (total within-dataset weight) / (total pair weight).
#[test]
fn balanced_pairs_weigh_as_much_as_all_edges() {
    let pairs = Pairs::from_table(&[[0, 0], [5, 7], [9, 11], [2, 2]]).unwrap();
    let fit = |balance| {
        InstanceAlignment::new(1)
            .graphs(vec![path(10), path(12)])
            .mu(3.0)
            .balance(balance)
            .fit(&datasets(10, 12), &pairs)
            .unwrap()
            .outcome()
            .mu_effective
    };
    assert_eq!(fit(true), Some(3.0 * 20.0 / 4.0));
    assert_eq!(fit(false), Some(3.0));
}
