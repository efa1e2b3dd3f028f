//! What must not change an alignment, and how what may change it does. Every method that promises these
//! properties is one row of `methods()`.

use landbridge::data::synthetic::{BilingualDocuments, LiftedCopies, Synthetic};
use landbridge::data::{Dataset, Pairs, Rows};
use landbridge::geometry::affinity::Weights;
use landbridge::geometry::neighbors::Metric;
use landbridge::linalg::{Csr, Matrix};
use landbridge::method::{
    Cca, Cle, Clle, Distance, GlobalAlignment, InstanceAlignment, Lamvu, Level, LinearAlignment, SparseAlignment, SparsePenalty,
};
use landbridge::model::Alignment;
use proptest::prelude::*;
use std::path::Path;

type Fit = fn(&[Dataset], &Pairs, usize) -> Alignment;

/// Name and fit on that many threads.
fn methods() -> Vec<(&'static str, Fit)> {
    vec![
        ("soft", |d, p, t| InstanceAlignment::new(3).n_jobs(t).fit(d, p).unwrap()),
        ("hard", |d, p, t| InstanceAlignment::new(3).hard(true).n_jobs(t).fit(d, p).unwrap()),
        ("plain", |d, p, t| InstanceAlignment::new(3).normalized(false).weights(Weights::Local).n_jobs(t).fit(d, p).unwrap()),
        ("raw mu", |d, p, t| {
            InstanceAlignment::new(3).balance(false).mu(5.0).weights(Weights::Binary).n_jobs(t).fit(d, p).unwrap()
        }),
        ("cle", |d, p, t| Cle::new(3).n_jobs(t).fit(d, p).unwrap()),
        ("clle", |d, p, t| Clle::new(3).n_jobs(t).fit(d, p).unwrap()),
        ("lamvu", |d, p, t| Lamvu::new(3).n_neighbors(6).n_jobs(t).fit(d, p).unwrap()),
        ("linear", |d, p, t| LinearAlignment::new(3).n_jobs(t).fit(d, p).unwrap()),
        ("linear, the paper", |d, p, t| {
            LinearAlignment::new(3).mu(1.0).balance(false).ridge(Some(0.0)).n_jobs(t).fit(d, p).unwrap()
        }),
        ("sparse, a ridge alone", |d, p, t| SparseAlignment::new(3).penalty(SparsePenalty::None).n_jobs(t).fit(d, p).unwrap()),
        ("cca", |d, p, t| Cca::new(3).n_jobs(t).fit(d, p).unwrap()),
        ("global, features", |d, p, t| GlobalAlignment::new(3).n_jobs(t).fit(d, p).unwrap()),
        ("global, rows", |d, p, t| GlobalAlignment::new(3).level(Level::Instance).n_jobs(t).fit(d, p).unwrap()),
        ("global, straight", |d, p, t| {
            GlobalAlignment::new(3).level(Level::Instance).distance(Distance::Euclidean).n_jobs(t).fit(d, p).unwrap()
        }),
    ]
}

fn data() -> (Synthetic, Pairs) {
    let data = LiftedCopies::new(240).intrinsic(3).clusters(3).features([7usize, 9]).random_state(5).generate().unwrap();
    let pairs = data.pairs(60, 1).unwrap();
    (data, pairs)
}

fn dense(dataset: &Dataset) -> Matrix<f64> {
    match dataset.rows() {
        Rows::F64(m) => m.clone(),
        Rows::F32(m) => m.to_f64(),
        Rows::Sparse(m) => m.to_dense(),
    }
}

/// Largest difference of two embeddings whose columns agree up to sign; coordinates are about 1/√mass in size,
/// so it is taken relative to the largest coordinate.
fn difference(a: &Matrix<f64>, b: &Matrix<f64>) -> f64 {
    let size = a.as_slice().iter().fold(0.0f64, |m, v| m.max(v.abs()));
    let mut worst = 0.0f64;
    for c in 0..a.ncols() {
        let gap = |sign: f64| (0..a.nrows()).map(|i| (a[(i, c)] - sign * b[(i, c)]).abs()).fold(0.0, f64::max);
        worst = worst.max(gap(1.0).min(gap(-1.0)));
    }
    worst / size
}

fn same(name: &str, what: &str, a: &Alignment, b: &Alignment, tolerance: f64) {
    for (x, y) in a.eigenvalues().iter().zip(b.eigenvalues()) {
        assert!((x / y - 1.0).abs() < tolerance, "{name}: {what}: eigenvalue {x} became {y}");
    }
    for s in 0..a.datasets().len() {
        let gap = difference(a.embedding(s), b.embedding(s));
        assert!(gap < 100.0 * tolerance, "{name}: {what}: dataset {s} moved by {gap:.1e}");
    }
}

#[test]
fn fitting_twice_and_on_any_number_of_threads_gives_the_same_bytes() {
    let (data, pairs) = data();
    for (name, fit) in methods() {
        let first = fit(&data.datasets, &pairs, 1).to_bytes().unwrap();
        for threads in [1, 2, 5] {
            assert_eq!(first, fit(&data.datasets, &pairs, threads).to_bytes().unwrap(), "{name} on {threads} threads");
        }
    }
}

#[test]
fn a_saved_model_comes_back_bit_by_bit() {
    let (data, pairs) = data();
    for (name, fit) in methods() {
        let alignment = fit(&data.datasets, &pairs, 0);
        let bytes = alignment.to_bytes().unwrap();
        let back = Alignment::from_bytes(&bytes, Path::new("m.lb")).unwrap();
        assert_eq!(back.to_bytes().unwrap(), bytes, "{name}");
        assert_eq!(back.embedding(1), alignment.embedding(1));
        assert_eq!(back.params(), alignment.params());
        let new = data.datasets[0].rows().select(&[3, 1, 4]);
        assert_eq!(back.transform(&new, 0).unwrap(), alignment.transform(&new, 0).unwrap());
    }
}

#[test]
fn moving_rotating_and_mirroring_a_dataset_changes_nothing() {
    let (data, pairs) = data();
    let m = dense(&data.datasets[0]);
    // A product of plane rotations and a reflection, then a translation.
    let mut moved = m.clone();
    for i in 0..m.nrows() {
        let row = moved.row_mut(i);
        for (a, b, angle) in [(0, 1, 0.7f64), (2, 5, -1.1), (1, 6, 2.3), (3, 4, 0.2)] {
            let (x, y) = (row[a], row[b]);
            row[a] = x * angle.cos() - y * angle.sin();
            row[b] = x * angle.sin() + y * angle.cos();
        }
        row[3] = -row[3];
        row.iter_mut().enumerate().for_each(|(j, v)| *v += 10.0 * (j as f64 + 1.0));
    }
    let changed = [Dataset::new(data.datasets[0].name(), moved).unwrap(), data.datasets[1].clone()];
    for (name, fit) in methods() {
        same(name, "a rigid motion", &fit(&data.datasets, &pairs, 0), &fit(&changed, &pairs, 0), 1e-6);
    }
}

#[test]
fn scaling_a_dataset_changes_nothing_from_the_smallest_to_the_largest_numbers() {
    let (data, pairs) = data();
    let m = dense(&data.datasets[1]);
    for (name, fit) in methods() {
        let base = fit(&data.datasets, &pairs, 0);
        for exponent in [-290, -200, -100, -30, -3, 3, 30, 100, 200, 290] {
            let scaled = Matrix::from_fn(m.nrows(), m.ncols(), |i, j| m[(i, j)] * 10f64.powi(exponent));
            let changed = [data.datasets[0].clone(), Dataset::new(data.datasets[1].name(), scaled).unwrap()];
            same(name, &format!("scaling by 1e{exponent}"), &base, &fit(&changed, &pairs, 0), 1e-6);
        }
    }
}

#[test]
fn the_order_of_rows_columns_pairs_and_datasets_only_permutes_the_answer() {
    let (data, pairs) = data();
    let (n, p) = (data.datasets[0].nrows(), data.datasets[0].ncols());
    let order: Vec<usize> = (0..n).map(|i| (i * 77 + 5) % n).collect();
    let mut place = vec![0; n];
    order.iter().enumerate().for_each(|(new, &old)| place[old] = new);
    let m = dense(&data.datasets[0]);
    let columns: Vec<usize> = (0..p).map(|j| (j * 3 + 1) % p).collect();
    let shuffled = Matrix::from_fn(n, p, |i, j| m[(order[i], columns[j])]);
    let changed = [Dataset::new(data.datasets[0].name(), shuffled).unwrap(), data.datasets[1].clone()];
    let mut moved_pairs = Pairs::none(2);
    for link in pairs.links().iter().rev() {
        moved_pairs.add(0, place[link.i], 1, link.j, link.weight).unwrap();
    }
    let swapped = [data.datasets[1].clone(), data.datasets[0].clone()];
    let mut swapped_pairs = Pairs::none(2);
    for link in pairs.links() {
        swapped_pairs.add(1, link.i, 0, link.j, link.weight).unwrap();
    }
    for (name, fit) in methods() {
        let base = fit(&data.datasets, &pairs, 0);
        let permuted = fit(&changed, &moved_pairs, 0);
        let back = permuted.embedding(0).select_rows(&place);
        assert!(difference(base.embedding(0), &back) < 1e-4, "{name}: rows");
        assert!(difference(base.embedding(1), permuted.embedding(1)) < 1e-4, "{name}: the other dataset");
        if name.starts_with("global") {
            continue; // distances are rescaled to those of the first dataset
        }
        let swapped = fit(&swapped, &swapped_pairs, 0);
        assert!(difference(base.embedding(0), swapped.embedding(1)) < 1e-4, "{name}: order of datasets");
    }
}

#[test]
fn single_precision_and_sparse_rows_give_the_same_alignment() {
    let (data, pairs) = data();
    for (name, fit) in methods() {
        let base = fit(&data.datasets, &pairs, 0);
        let single: Vec<Dataset> = data.datasets.iter().map(|d| Dataset::new(d.name(), dense(d).to_f32()).unwrap()).collect();
        same(name, "f32", &base, &fit(&single, &pairs, 0), 1e-4);
        let sparse: Vec<Dataset> =
            data.datasets.iter().map(|d| Dataset::new(d.name(), Csr::from_dense(&dense(d))).unwrap()).collect();
        same(name, "sparse", &base, &fit(&sparse, &pairs, 0), 1e-6);
    }
}

#[test]
fn documents_align_by_the_cosine_whatever_their_length() {
    let documents = BilingualDocuments::new(300).generate().unwrap();
    let pairs = documents.pairs(100, 0).unwrap();
    let fit = |d: &[Dataset]| InstanceAlignment::new(5).metric(Metric::Cosine).weights(Weights::Cosine).fit(d, &pairs).unwrap();
    let base = fit(&documents.datasets);
    let doubled: Vec<Dataset> = documents
        .datasets
        .iter()
        .map(|d| {
            let Rows::Sparse(m) = d.rows() else { panic!("documents are sparse") };
            let mut m = m.clone();
            m.values_mut().iter_mut().for_each(|v| *v *= 3.0);
            Dataset::new(d.name(), m).unwrap()
        })
        .collect();
    same("documents", "three times as long", &base, &fit(&doubled), 1e-6);
}

#[test]
fn mapping_rows_one_by_one_equals_mapping_them_together() {
    let (data, pairs) = data();
    let held_out = LiftedCopies::new(300).intrinsic(3).clusters(3).features([7usize, 9]).random_state(5).generate().unwrap();
    for (name, fit) in methods() {
        let alignment = fit(&data.datasets, &pairs, 0);
        let new: Vec<usize> = (0..40).collect();
        let rows = held_out.datasets[1].rows().select(&new);
        let together = alignment.transform(&rows, 1).unwrap();
        for i in 0..40 {
            assert_eq!(alignment.transform(&rows.select(&[i]), 1).unwrap().row(0), together.row(i), "{name}");
        }
        // A fitted row finds its own place.
        let fitted = alignment.transform(data.datasets[1].rows(), 1).unwrap();
        assert_eq!(&fitted, alignment.embedding(1), "{name}");
    }
}

#[test]
fn new_rows_land_near_their_neighbours() {
    // Every fifth object is left out of the fit; its place must be close to where the full fit puts it.
    let data = LiftedCopies::new(600).intrinsic(2).clusters(1).features([6usize, 8]).noise(0.0).generate().unwrap();
    let keep: Vec<usize> = (0..600).filter(|i| i % 5 != 0).collect();
    let left: Vec<usize> = (0..600).filter(|i| i % 5 == 0).collect();
    let kept: Vec<Dataset> = data.datasets.iter().map(|d| d.select(&keep)).collect();
    let alignment = InstanceAlignment::new(2).fit(&kept, &Pairs::first_rows(2, 200)).unwrap();
    let placed = alignment.transform(&data.datasets[0].rows().select(&left), 0).unwrap();
    let truth = alignment.transform(&data.datasets[1].rows().select(&left), 1).unwrap();
    let spread = alignment.embedding(0).as_slice().iter().fold(0.0f64, |m, v| m.max(v.abs()));
    let mean: f64 = (0..left.len()).map(|i| (placed[(i, 0)] - truth[(i, 0)]).hypot(placed[(i, 1)] - truth[(i, 1)])).sum::<f64>()
        / left.len() as f64;
    assert!(mean < 0.1 * spread, "both sides of a new object are {mean:.2e} apart, spread {spread:.2e}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    /// Random pairs, many-to-many and repeated, never panic and never give NaN; the outcome counts components.
    #[test]
    fn any_legal_pairs_give_a_finite_answer(
        table in prop::collection::vec((0..40usize, 0..30usize, 0.01f64..10.0), 1..30),
        hard: bool,
        normalized: bool,
    ) {
        let a = Matrix::from_fn(40, 3, |i, j| ((i * 31 + j * 17) % 23) as f64);
        let b = Matrix::from_fn(30, 2, |i, j| ((i * 13 + j * 7) % 19) as f64);
        let datasets = [Dataset::new("a", a).unwrap(), Dataset::new("b", b).unwrap()];
        let mut pairs = Pairs::none(2);
        for (i, j, w) in table {
            pairs.add(0, i, 1, j, w).unwrap();
        }
        let alignment = InstanceAlignment::new(2).n_neighbors(4).hard(hard).normalized(normalized).fit(&datasets, &pairs).unwrap();
        for s in 0..2 {
            prop_assert!(alignment.embedding(s).as_slice().iter().all(|v| v.is_finite()));
        }
        prop_assert_eq!(alignment.outcome().zero_solutions, alignment.outcome().components);
        if hard {
            for link in pairs.links() {
                prop_assert_eq!(alignment.embedding(0).row(link.i), alignment.embedding(1).row(link.j));
            }
        }
    }
}
