//! CLE, CLLE, LAMVU and predictions of the missing side (Lamvu13).

use landbridge::data::synthetic::SwissRolls;
use landbridge::data::{Dataset, Known, Pairs, Rows};
use landbridge::evaluate::mmae;
use landbridge::geometry::neighbors::{Metric, Search, neighbors};
use landbridge::linalg::{Csr, Matrix};
use landbridge::method::{Cle, Clle, Constraints, Lamvu, MeanVotes, PopularVotes};
use landbridge::model::Alignment;
use landbridge::model::Predictor;
use landbridge::outcome::Warning;
use landbridge::progress::Progress;
use landbridge::solve::unfolding::UnfoldingSolver;
use landbridge::{Error, Result};
use std::path::Path;

/// A small generator of numbers, the same everywhere.
struct Numbers(u64);
impl Numbers {
    fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as f64 / (1u64 << 31) as f64
    }
    fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.uniform()).sum::<f64>() - 6.0
    }
}

/// Users with two tastes and an offset rate items of two shops; three of ten ratings are known. Everybody's ratings of the
/// second shop are given, too.
fn shops(users: usize, labelled: usize, seed: u64) -> (Vec<Dataset>, Pairs, Csr) {
    let mut numbers = Numbers(seed);
    let items = [30, 40];
    let tastes: Vec<[f64; 3]> = (0..users).map(|_| [numbers.normal(), numbers.normal(), numbers.normal()]).collect();
    let mut all = vec![];
    for p in items {
        let item: Vec<[f64; 3]> = (0..p).map(|_| [numbers.normal(), numbers.normal(), numbers.normal()]).collect();
        let mut entries = vec![];
        for (i, t) in tastes.iter().enumerate() {
            for (j, q) in item.iter().enumerate() {
                let rating = 0.5 * q[2] + t[2] + 1.5 * (t[0] * q[0] + t[1] * q[1]) + 0.5 * numbers.normal();
                if numbers.uniform() < 0.6 {
                    entries.push((i, j, rating));
                }
            }
        }
        all.push(Csr::from_triplets(users, p, &entries).unwrap());
    }
    let known: Vec<usize> = (0..labelled).collect();
    let unseen: Vec<usize> = (labelled..users).collect();
    let datasets = vec![
        Dataset::new("books", all[0].clone()).unwrap().partly_known(),
        Dataset::new("films", all[1].select_rows(&known)).unwrap().partly_known(),
    ];
    (datasets, Pairs::first_rows(2, labelled), all[1].select_rows(&unseen))
}

#[test]
fn clle_is_the_bottom_of_the_sum_of_both_matrices() {
    // Lamvu13 eq. 9 by a plain dense computation: weights by Gauss elimination, M by products, its bottom by its residual.
    let rolls = SwissRolls::new(120).generate().unwrap();
    let pairs = rolls.pairs(40, 0).unwrap();
    let (k, d, ridge) = (8, 3, 1e-3);
    let alignment = Clle::new(d).n_neighbors(k).ridge(ridge).fit(&rolls.datasets, &pairs).unwrap();
    let mut node = [vec![usize::MAX; 120], vec![usize::MAX; 120]];
    let mut count = 0;
    for link in pairs.links() {
        (node[0][link.i], node[1][link.j]) = (count, count);
        count += 1;
    }
    for side in &mut node {
        for v in side.iter_mut().filter(|v| **v == usize::MAX) {
            *v = count;
            count += 1;
        }
    }
    let mut m = Matrix::<f64>::zeros(count, count);
    for (dataset, node) in rolls.datasets.iter().zip(&node) {
        let Rows::F64(x) = dataset.rows() else { panic!("rolls are f64") };
        let found = neighbors(dataset.rows(), k, Metric::Euclidean, Search::Exact, 0, &Progress::silent()).unwrap();
        for i in 0..120 {
            let near: Vec<usize> = found.row(i).map(|(j, _)| j as usize).collect();
            let mut gram = vec![vec![0.0; k + 1]; k];
            for a in 0..k {
                for b in 0..k {
                    gram[a][b] = (0..3).map(|s| (x[(near[a], s)] - x[(i, s)]) * (x[(near[b], s)] - x[(i, s)])).sum();
                }
                gram[a][k] = 1.0;
            }
            let trace: f64 = (0..k).map(|a| gram[a][a]).sum();
            (0..k).for_each(|a| gram[a][a] += ridge * trace);
            for a in 0..k {
                let pivot = gram[a].clone();
                for (b, row) in gram.iter_mut().enumerate().filter(|(b, _)| *b != a) {
                    let f = row[a] / pivot[a];
                    (0..=k).for_each(|c| row[c] -= f * pivot[c]);
                    let _ = b;
                }
            }
            let w: Vec<f64> = (0..k).map(|a| gram[a][k] / gram[a][a]).collect();
            let sum: f64 = w.iter().sum();
            let mut row = vec![(node[i], 1.0)];
            row.extend(near.iter().zip(&w).map(|(&j, w)| (node[j], -w / sum)));
            for &(a, u) in &row {
                row.iter().for_each(|&(b, v)| m[(a, b)] += u * v);
            }
        }
    }
    // F by node, its residual, its constraint, and that nothing smaller was left out: inverse iteration finds the same.
    let mut f = Matrix::zeros(count, d);
    for (a, node) in node.iter().enumerate() {
        (0..120).for_each(|i| f.row_mut(node[i]).copy_from_slice(alignment.embedding(a).row(i)));
    }
    let values = alignment.eigenvalues();
    assert!(values.windows(2).all(|w| w[0] <= w[1]) && values[0] > 0.0);
    for c in 0..d {
        let image: Vec<f64> = (0..count).map(|i| (0..count).map(|j| m[(i, j)] * f[(j, c)]).sum()).collect();
        let residual = (0..count).map(|i| (image[i] - values[c] * f[(i, c)]).powi(2)).sum::<f64>().sqrt();
        assert!(residual < 1e-12, "component {c}: residual {residual:.1e}, eigenvalue {}", values[c]);
        for e in 0..d {
            let product: f64 = (0..count).map(|i| f[(i, c)] * f[(i, e)]).sum();
            assert!((product - f64::from(u8::from(c == e))).abs() < 1e-8, "{c} {e} {product}");
        }
        assert!((0..count).map(|i| f[(i, c)]).sum::<f64>().abs() < 1e-8, "orthogonal to the constant");
    }
    // Sylvester: as many eigenvalues below a shift as pivots are negative.
    let shift = 0.5 * (values[d - 1] + values[d - 1] * 1.0001);
    let mut a: Vec<Vec<f64>> =
        (0..count).map(|i| (0..count).map(|j| m[(i, j)] - if i == j { shift } else { 0.0 }).collect()).collect();
    let mut below = 0;
    for i in 0..count {
        below += usize::from(a[i][i] < 0.0);
        let row = a[i].clone();
        for r in a.iter_mut().skip(i + 1) {
            let factor = r[i] / row[i];
            (i..count).for_each(|c| r[c] -= factor * row[c]);
        }
    }
    assert_eq!(below, d + 1, "the constant and d more");
}

#[test]
fn corresponding_rows_coincide_in_every_method() {
    let rolls = SwissRolls::new(150).generate().unwrap();
    let pairs = rolls.pairs(40, 0).unwrap();
    let fits: [Alignment; 4] = [
        Cle::new(2).fit(&rolls.datasets, &pairs).unwrap(),
        Clle::new(2).fit(&rolls.datasets, &pairs).unwrap(),
        Lamvu::new(2).n_neighbors(5).fit(&rolls.datasets, &pairs).unwrap(),
        Lamvu::new(2).n_neighbors(5).constraints(Constraints::Direct).fit(&rolls.datasets, &pairs).unwrap(),
    ];
    for alignment in &fits {
        for link in pairs.links() {
            assert_eq!(alignment.embedding(0).row(link.i), alignment.embedding(1).row(link.j), "{}", alignment.method());
        }
        let predicted = alignment.predict(rolls.datasets[0].rows(), 0, 1).unwrap();
        assert_eq!((predicted.nrows(), predicted.ncols()), (150, 3));
        assert!(predicted.as_slice().iter().all(|v| v.is_finite()));
    }
}

#[test]
fn unlabelled_rows_of_lamvu_lie_between_labelled_ones() {
    // eq. 17, 18: on a straight line the combination is exact, so rows lie where they lie.
    let line = |n: usize| Matrix::from_fn(n, 2, |i, j| if j == 0 { i as f64 } else { 0.0 });
    let datasets = [Dataset::new("a", line(21)).unwrap(), Dataset::new("b", line(21)).unwrap()];
    let table: Vec<[i64; 2]> = (0..11).map(|i| [2 * i, 2 * i]).collect();
    let pairs = Pairs::from_table(&table).unwrap();
    let alignment = Lamvu::new(1).n_neighbors(2).n_neighbors_embed(Some(2)).ridge(1e-9).fit(&datasets, &pairs).unwrap();
    let z = alignment.embedding(0);
    let step = z[(1, 0)] - z[(0, 0)];
    for i in 0..21 {
        assert!((z[(i, 0)] - z[(0, 0)] - i as f64 * step).abs() < 1e-5 * step.abs() * 21.0, "{i}: {}", z[(i, 0)]);
    }
    // A new row is placed by the same rule, and one equal to a fitted row gets its place.
    let new = Matrix::from_rows(&[[3.5, 0.0], [7.0, 0.0]]).unwrap();
    let placed = alignment.transform(&Rows::F64(new), 0).unwrap();
    assert!((placed[(0, 0)] - z[(0, 0)] - 3.5 * step).abs() < 1e-4);
    assert!((placed[(1, 0)] - z[(7, 0)]).abs() < 1e-12);
}

#[test]
fn the_default_predictor_beats_votes_and_the_papers() {
    let (datasets, pairs, truth) = shops(160, 110, 3);
    let unseen = datasets[0].rows().select(&(110..160).collect::<Vec<_>>());
    let score = |a: &Alignment| mmae(&a.predict(&unseen, 0, 1).unwrap(), &truth).unwrap();
    let votes = score(&MeanVotes::new().fit(&datasets, &pairs).unwrap());
    let popular = score(&PopularVotes::new().fit(&datasets, &pairs).unwrap());
    for method in ["cle", "clle", "lamvu"] {
        let fit = |predictor: Predictor| -> Result<Alignment> {
            match method {
                "cle" => Cle::new(4).ridge(1.0).predictor(predictor).fit(&datasets, &pairs),
                "clle" => Clle::new(4).ridge(1.0).predictor(predictor).fit(&datasets, &pairs),
                _ => Lamvu::new(4).n_neighbors(8).ridge(1.0).predictor(predictor).fit(&datasets, &pairs),
            }
        };
        let (default, local) = (score(&fit(Predictor::Residuals).unwrap()), score(&fit(Predictor::Local).unwrap()));
        assert!(default < 0.75 * votes, "{method}: {default} {votes}");
        assert!(default < local && local < popular, "{method}: {default} {local} {popular}");
    }
}

#[test]
fn a_saved_predictor_predicts_the_same() {
    let (datasets, pairs, _) = shops(120, 80, 4);
    for alignment in [
        Clle::new(3).fit(&datasets, &pairs).unwrap(),
        Lamvu::new(3).n_neighbors(6).fit(&datasets, &pairs).unwrap(),
        Cle::new(3).predictor(Predictor::Local).fit(&datasets, &pairs).unwrap(),
    ] {
        let back = Alignment::from_bytes(&alignment.to_bytes().unwrap(), Path::new("m.lb")).unwrap();
        for (s, t) in [(0, 1), (1, 0)] {
            let rows = datasets[s].rows();
            assert_eq!(alignment.predict(rows, s, t).unwrap(), back.predict(rows, s, t).unwrap());
            assert_eq!(alignment.transform(rows, s).unwrap(), back.transform(rows, s).unwrap());
        }
        // Rows do not depend on each other.
        let one = alignment.predict(&datasets[0].rows().select(&[90]), 0, 1).unwrap();
        assert_eq!(one.row(0), alignment.predict(datasets[0].rows(), 0, 1).unwrap().row(90));
    }
}

#[test]
fn known_is_a_mask_not_a_sign() {
    // The same ratings with 5 taken away: what is known stays known, and predictions move by 5.
    let (datasets, pairs, _) = shops(100, 70, 5);
    let moved: Vec<Dataset> = datasets
        .iter()
        .map(|d| {
            let Rows::Sparse(m) = d.rows() else { panic!("ratings are sparse") };
            let mut m = m.clone();
            m.values_mut().iter_mut().for_each(|v| *v -= 5.0);
            Dataset::new(d.name(), m).unwrap().partly_known()
        })
        .collect();
    let base = Clle::new(3).fit(&datasets, &pairs).unwrap().predict(datasets[0].rows(), 0, 1).unwrap();
    let other = Clle::new(3).fit(&moved, &pairs).unwrap().predict(moved[0].rows(), 0, 1).unwrap();
    for (a, b) in base.as_slice().iter().zip(other.as_slice()) {
        assert!((a - b - 5.0).abs() < 1e-6, "{a} {b}");
    }
}

#[test]
fn three_systems_and_given_distances() {
    let rolls = SwissRolls::new(100).generate().unwrap();
    let three = [rolls.datasets[0].clone(), rolls.datasets[1].clone(), rolls.datasets[0].clone().renamed("third")];
    let truth = rolls.pairs(100, 0).unwrap();
    let mut pairs = Pairs::none(3);
    for l in &truth.links()[..40] {
        pairs.add(0, l.i, 1, l.j, 1.0).unwrap();
        pairs.add(1, l.j, 2, l.i, 1.0).unwrap();
    }
    pairs.add(0, truth.links()[50].i, 1, truth.links()[50].j, 1.0).unwrap();
    for alignment in [Lamvu::new(2).n_neighbors(6).fit(&three, &pairs).unwrap(), Clle::new(2).fit(&three, &pairs).unwrap()] {
        assert_eq!(alignment.embedding(0).row(truth.links()[0].i), alignment.embedding(2).row(truth.links()[0].i));
        assert_eq!(alignment.predict(three[0].rows(), 0, 2).unwrap().ncols(), 3);
        if alignment.method() == "lamvu" {
            assert!(alignment.outcome().warnings.iter().any(|w| matches!(w, Warning::PartialPairs { count: 1 })));
        }
    }
    // Distances that are given are taken as they are.
    let d: Vec<Matrix<f64>> = rolls
        .datasets
        .iter()
        .map(|dataset| {
            let Rows::F64(x) = dataset.rows() else { panic!("rolls are f64") };
            Matrix::from_fn(100, 100, |i, j| (0..3).map(|s| (x[(i, s)] - x[(j, s)]).powi(2)).sum::<f64>().sqrt())
        })
        .collect();
    let table: Vec<[i64; 2]> = truth.links()[..40].iter().map(|l| [l.i as i64, l.j as i64]).collect();
    let pairs = Pairs::from_table(&table).unwrap();
    let given = Lamvu::new(2).n_neighbors(6).distances(Some(d)).fit(&rolls.datasets, &pairs).unwrap();
    let direct = Lamvu::new(2).n_neighbors(6).constraints(Constraints::Direct).fit(&rolls.datasets, &pairs).unwrap();
    assert!(given.eigenvalues()[0] > 0.0 && direct.eigenvalues()[0] > 0.0);
    assert!(matches!(given.transform(rolls.datasets[0].rows(), 0), Err(Error::Undefined { .. })));
    let smooth =
        Lamvu::new(2).n_neighbors(6).solver(UnfoldingSolver::Laplacian).n_functions(10).fit(&rolls.datasets, &pairs).unwrap();
    assert!(smooth.outcome().solver.contains("smooth functions"));
}

#[test]
fn bad_input_is_told_with_its_value() {
    let (datasets, pairs, _) = shops(60, 20, 6);
    let message = |fit: Result<Alignment>| fit.unwrap_err().to_string();
    assert!(message(Lamvu::new(25).n_neighbors(5).fit(&datasets, &pairs)).contains("n_components is 25, but at most 19"));
    assert!(
        message(Lamvu::new(2).n_neighbors(5).n_neighbors_embed(Some(21)).fit(&datasets, &pairs))
            .contains("n_neighbors_embed is 21")
    );
    assert!(
        message(Lamvu::new(2).n_neighbors(5).n_neighbors_embed(Some(0)).fit(&datasets, &pairs))
            .contains("n_neighbors_embed is 0")
    );
    assert!(message(Clle::new(0).fit(&datasets, &pairs)).contains("n_components is 0"));
    assert!(message(Clle::new(2).ridge(0.0).fit(&datasets, &pairs)).contains("ridge is 0"));
    assert!(message(Clle::new(2).n_neighbors_predict(0).fit(&datasets, &pairs)).contains("n_neighbors_predict is 0"));
    assert!(message(Clle::new(2).n_neighbors(20).fit(&datasets, &pairs)).contains("n_neighbors is 20, but dataset"));
    assert!(message(Clle::new(2).fit(&datasets, &Pairs::none(2))).contains("no pairs"));
    let far = Clle::new(2).predictor(Predictor::Local).n_neighbors_predict(21).fit(&datasets, &pairs).unwrap();
    assert!(far.predict(datasets[0].rows(), 0, 1).unwrap_err().to_string().contains("at most 20"));
    let narrow = Rows::F64(Matrix::zeros(1, 3));
    assert!(matches!(far.predict(&narrow, 0, 1), Err(Error::FeatureCount { .. })));
}

#[test]
fn a_user_without_ratings_and_an_item_nobody_rated_are_average() {
    let (datasets, pairs, _) = shops(80, 50, 7);
    let Rows::Sparse(books) = datasets[0].rows() else { panic!("ratings are sparse") };
    let Rows::Sparse(films) = datasets[1].rows() else { panic!("ratings are sparse") };
    let entries = |m: &Csr, keep: &dyn Fn(usize, usize) -> bool| -> Vec<(usize, usize, f64)> {
        (0..m.nrows())
            .flat_map(|i| m.row(i).map(move |(j, v)| (i, j as usize, v)).filter(|e| keep(e.0, e.1)).collect::<Vec<_>>())
            .collect()
    };
    let books = Csr::from_triplets(80, 30, &entries(books, &|i, _| i != 60)).unwrap();
    let films = Csr::from_triplets(50, 40, &entries(films, &|i, j| i != 3 && j != 17)).unwrap();
    let datasets = [
        Dataset::new("books", books.clone()).unwrap().partly_known(),
        Dataset::new("films", films.clone()).unwrap().partly_known(),
    ];
    let mean = films.values().iter().sum::<f64>() / films.nnz() as f64;
    for alignment in [Clle::new(2).fit(&datasets, &pairs).unwrap(), Lamvu::new(2).n_neighbors(5).fit(&datasets, &pairs).unwrap()]
    {
        let warnings = &alignment.outcome().warnings;
        assert!(warnings.iter().any(|w| matches!(w, Warning::UnknownRows { dataset, count: 1 } if dataset == "books")));
        assert!(warnings.iter().any(|w| matches!(w, Warning::UnknownColumns { dataset, count: 1 } if dataset == "films")));
        let predicted = alignment.predict(datasets[0].rows(), 0, 1).unwrap();
        assert!(predicted.as_slice().iter().all(|v| v.is_finite()));
        assert!((predicted[(60, 17)] - mean).abs() < 1.0, "{} {mean}", predicted[(60, 17)]);
    }
    // Zeros of dense rows are values unless they are said to be unknown.
    let dense = [Dataset::new("books", books.to_dense()).unwrap(), Dataset::new("films", films.to_dense()).unwrap()];
    let non_zero = Clle::new(2).known(Known::NonZero).fit(&dense, &pairs).unwrap();
    let sparse = Clle::new(2).fit(&datasets, &pairs).unwrap();
    assert_eq!(non_zero.predict(dense[0].rows(), 0, 1).unwrap(), sparse.predict(datasets[0].rows(), 0, 1).unwrap());
}
