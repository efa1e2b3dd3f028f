//! Columns that are known to correspond.

use landbridge::correspondence::{SelfTraining, looking_at_links};
use landbridge::data::{ColumnLink, Dataset, Pairs, Rows};
use landbridge::linalg::{Csr, Matrix};
use landbridge::method::Cca;
use landbridge::progress::Progress;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const ROWS: usize = 500;
const WORDS: usize = 300;

/// Short documents in two languages: word w of one is word `turn[w]` of the other. A topic favours some words; half of the words of a
/// document are lost in each language, so that rows are hard to match without help.
fn documents(seed: u64) -> (Vec<Dataset>, Vec<usize>, Vec<usize>) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut turn: Vec<usize> = (0..WORDS).collect();
    let mut order: Vec<usize> = (0..ROWS).collect();
    for list in [&mut turn, &mut order] {
        for i in (1..list.len()).rev() {
            list.swap(i, rng.random_range(0..=i));
        }
    }
    let mut entries = [vec![], vec![]];
    for (row, &place) in order.iter().enumerate() {
        let topic = rng.random_range(0..15usize);
        for _ in 0..25 {
            let word = match rng.random_bool(0.5) {
                true => topic * 20 + rng.random_range(0..20usize),
                false => rng.random_range(0..WORDS),
            };
            if rng.random_bool(0.7) {
                entries[0].push((row, word, 1.0));
            }
            if rng.random_bool(0.7) {
                entries[1].push((place, turn[word], 1.0));
            }
        }
    }
    let set = |name: &str, entries: &[(usize, usize, f64)]| {
        Dataset::new(name, Rows::Sparse(Csr::from_triplets(ROWS, WORDS, entries).unwrap())).unwrap()
    };
    (vec![set("en", &entries[0]), set("it", &entries[1])], turn, order)
}

fn links(turn: &[usize], count: usize, wrong: usize) -> Vec<ColumnLink> {
    let word = |w: usize| (w * 7) % WORDS;
    let to = |w: usize| if w < wrong { turn[(word(w) + 101) % WORDS] } else { turn[word(w)] };
    (0..count).map(|w| ColumnLink { a: 0, i: word(w), b: 1, j: to(w), weight: 1.0 }).collect()
}

/// The share of rows whose nearest row is their partner.
fn right(alignment: &landbridge::model::Alignment, order: &[usize]) -> f64 {
    let (x, y) = (alignment.embedding(0), alignment.embedding(1));
    let unit = |m: &Matrix<f64>, i: usize| {
        let length = m.row(i).iter().map(|v| v * v).sum::<f64>().sqrt();
        m.row(i).iter().map(|v| v / length).collect::<Vec<f64>>()
    };
    let targets: Vec<Vec<f64>> = (0..ROWS).map(|j| unit(y, j)).collect();
    let found = (0..ROWS).filter(|&i| {
        let own = unit(x, i);
        let score = |j: usize| own.iter().zip(&targets[j]).map(|(a, b)| a * b).sum::<f64>();
        (0..ROWS).max_by(|&a, &b| score(a).total_cmp(&score(b))) == Some(order[i])
    });
    found.count() as f64 / ROWS as f64
}

#[test]
fn links_find_rows_where_no_pair_is_known_and_wrong_ones_are_told() {
    let (sets, turn, order) = documents(1);
    let pairs = Pairs::none(2).with_column_links(links(&turn, 60, 15));
    let found = SelfTraining::new().fit(&sets, &pairs).unwrap();
    let trust = found.outcome().trust.clone().unwrap();
    assert!(trust.trusted, "{}", trust.verdict());
    assert!(right(&found, &order) > 0.8, "{}", right(&found, &order));
    let wrong: Vec<(usize, usize)> = links(&turn, 60, 15)[..15].iter().map(|l| (l.i, l.j)).collect();
    let told = trust.suspect_links.iter().filter(|l| wrong.contains(l)).count();
    assert!(told >= 12 && trust.suspect_links.len() <= told + 2, "{:?}", trust.suspect_links);
    // A component for each link that holds, beside those of the map; new rows reach them.
    let held = 60 - trust.suspect_links.len();
    let map = found.n_components() - held;
    assert!(map >= 20, "{map}");
    let placed = found.transform(sets[1].rows(), 1).unwrap();
    assert!(placed.as_slice().iter().zip(found.embedding(1).as_slice()).all(|(a, b)| (a - b).abs() < 1e-9));
    // The same bytes again, and with one thread.
    let again = SelfTraining::new().n_jobs(1).fit(&sets, &pairs).unwrap();
    assert_eq!(found.embedding(0).as_slice(), again.embedding(0).as_slice());
}

#[test]
fn links_that_are_all_wrong_are_not_trusted_where_rows_alone_do_not_tell() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    // Two datasets that have nothing in common.
    let mut set = |name: &str| {
        let entries: Vec<(usize, usize, f64)> = (0..ROWS * 15).map(|t| (t / 15, rng.random_range(0..WORDS), 1.0)).collect();
        Dataset::new(name, Rows::Sparse(Csr::from_triplets(ROWS, WORDS, &entries).unwrap())).unwrap()
    };
    let sets = [set("a"), set("b")];
    for shift in 0..4 {
        let links = (0..80).map(|w| ColumnLink { a: 0, i: w, b: 1, j: (w * 3 + shift) % WORDS, weight: 1.0 }).collect();
        let found = SelfTraining::new().max_runs(3).fit(&sets, &Pairs::none(2).with_column_links(links)).unwrap();
        assert!(!found.outcome().trust.as_ref().unwrap().trusted, "{shift}");
    }
}

#[test]
fn other_methods_are_fitted_through_self_training_or_say_so() {
    let (sets, turn, order) = documents(2);
    let pairs = Pairs::none(2).with_column_links(links(&turn, 80, 0));
    let refused = Cca::new(20).fit(&sets, &pairs).unwrap_err().to_string();
    assert!(refused.contains("self-training"), "{refused}");
    let method = looking_at_links(Box::new(Cca::new(40)));
    let found = method.fit_with(&sets, &pairs, &Progress::silent()).unwrap();
    assert_eq!(found.method(), "self_training");
    assert!(right(&found, &order) > 0.7, "{}", right(&found, &order));
    // The linked columns are in the joint space, which keeps its dimension, and new rows reach it.
    assert_eq!((found.n_components(), found.eigenvalues().len()), (40, 40));
    let placed = found.transform(sets[0].rows(), 0).unwrap();
    assert!(placed.as_slice().iter().zip(found.embedding(0).as_slice()).all(|(a, b)| (a - b).abs() < 1e-9));
    // Self-training stays as it is.
    assert_eq!(looking_at_links(Box::new(SelfTraining::new())).schema().name, "self_training");
}

#[test]
fn links_do_not_depend_on_the_order_of_rows_or_links() {
    let (sets, turn, _) = documents(4);
    let given = links(&turn, 60, 0);
    let fit = |links: Vec<ColumnLink>| SelfTraining::new().fit(&sets, &Pairs::none(2).with_column_links(links)).unwrap();
    let (one, other) = (fit(given.clone()), fit(given.iter().rev().copied().collect()));
    assert_eq!(one.embedding(1).as_slice(), other.embedding(1).as_slice());
}

#[test]
fn awkward_links() {
    let flat = |name: &str| {
        let rows = Matrix::from_fn(60, 4, |i, j| if j == 0 { 1.0 } else { ((i * (3 + j)) % 17) as f64 });
        Dataset::new(name, rows).unwrap()
    };
    let sets = [flat("a"), flat("b")];
    let link = |i: usize, j: usize| ColumnLink { a: 0, i, b: 1, j, weight: 1.0 };
    let fit = |links: Vec<ColumnLink>| SelfTraining::new().max_runs(3).fit(&sets, &Pairs::none(2).with_column_links(links));
    let error = fit(vec![link(0, 1), link(0, 2)]).unwrap_err().to_string();
    assert!(error.contains("at least 2 links between columns that vary"), "{error}");
    assert!(fit(vec![link(9, 1)]).unwrap_err().to_string().contains("columns of the datasets"));
    // All on one column, and a constant one besides: warned, and a result.
    let found = fit(vec![link(1, 1), link(1, 2), link(1, 3), link(0, 2)]).unwrap();
    assert!(found.outcome().warnings.iter().any(|w| w.to_string().contains("a column is constant")));
    assert!(found.embedding(0).as_slice().iter().all(|v| v.is_finite()));
}
