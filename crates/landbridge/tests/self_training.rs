//! Alignment from few pairs or none, and knowing when not to trust it.

use landbridge::correspondence::SelfTraining;
use landbridge::data::{Dataset, Pairs};
use landbridge::evaluate::recall_at_k;
use landbridge::geometry::neighbors::Metric;
use landbridge::linalg::Matrix;
use landbridge::method::LinearAlignment;
use landbridge::model::Alignment;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

struct Views {
    datasets: Vec<Dataset>,
    /// Row of the second that is row i of the first.
    truth: Vec<i64>,
}

/// Two noisy linear views of one skewed cloud whose variances fall off, the second in another order.
fn views(n: usize, seed: u64) -> Views {
    views_of(n, [50, 40], seed)
}

/// The more features, the closer a random map is to a rotation: the views keep the shape of the cloud.
fn views_of(n: usize, features: [usize; 2], seed: u64) -> Views {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let latent = Matrix::from_fn(n, 30, |_, j| (-rng.random_range(1e-9..1.0f64).ln() - 1.0) / (1.0 + j as f64).powf(0.7));
    let mut view = |p: usize| {
        let map = Matrix::from_fn(30, p, |_, _| rng.random_range(-1.0..1.0));
        let noise = Matrix::from_fn(n, p, |_, _| 0.05 * rng.random_range(-1.0..1.0));
        Matrix::from_fn(n, p, |i, j| (0..30).map(|k| latent[(i, k)] * map[(k, j)]).sum::<f64>() + noise[(i, j)])
    };
    let (x, y) = (view(features[0]), view(features[1]));
    let order: Vec<usize> = (0..n).map(|i| (i * 7 + 3) % n).collect(); // n is no multiple of 7
    let mut truth = vec![0; n];
    order.iter().enumerate().for_each(|(j, &i)| truth[i] = j as i64);
    let datasets = vec![Dataset::new("x", x).unwrap(), Dataset::new("y", y.select_rows(&order)).unwrap()];
    Views { datasets, truth }
}

fn top_one(data: &Views, alignment: &Alignment) -> f64 {
    recall_at_k(alignment.embedding(0), alignment.embedding(1), &[1], Some(&data.truth), Metric::Cosine).unwrap()[0]
}

#[test]
fn rows_are_matched_from_no_pair_at_all_and_trusted() {
    let data = views_of(400, [600, 500], 1);
    let alignment = SelfTraining::new().fit(&data.datasets, &Pairs::none(2)).unwrap();
    let trust = alignment.outcome().trust.clone().unwrap();
    assert!(top_one(&data, &alignment) > 0.95, "{trust:?}");
    assert!(trust.trusted && trust.reproducibility > trust.null + 0.2, "{trust:?}");
    assert!(trust.verdict().starts_with("trusted"));
    // New rows go through the stored maps, and the model file keeps everything.
    let bytes = alignment.to_bytes().unwrap();
    let back = Alignment::from_bytes(&bytes, std::path::Path::new("x.lb")).unwrap();
    assert_eq!(back.outcome().trust, alignment.outcome().trust);
    assert_eq!(back.to_bytes().unwrap(), bytes);
    let placed = back.transform(data.datasets[1].rows(), 1).unwrap();
    assert!(placed.as_slice().iter().zip(back.embedding(1).as_slice()).all(|(a, b)| (a - b).abs() < 1e-9));
}

#[test]
fn any_base_method_takes_the_matches_and_the_same_bytes_come_out() {
    let data = views(300, 2);
    let pairs = Pairs::from_table(&(0..5).map(|i| [i, data.truth[i as usize]]).collect::<Vec<_>>()).unwrap();
    let fit = |jobs: usize| {
        let base = LinearAlignment::new(30).n_jobs(jobs);
        SelfTraining::new().base(base).max_runs(2).n_jobs(jobs).fit(&data.datasets, &pairs).unwrap()
    };
    let (one, two) = (fit(1), fit(2));
    assert_eq!(one.to_bytes().unwrap(), two.to_bytes().unwrap());
    assert!(top_one(&data, &one) > 0.9, "{:?}", one.outcome().trust);
    assert_eq!(one.method(), "self_training");
    assert_eq!(one.params()["base"]["method"], "linear");
}

#[test]
fn unrelated_datasets_are_not_trusted() {
    let (data, other) = (views(300, 3), views(310, 4));
    let unrelated = [data.datasets[0].clone(), other.datasets[1].clone()];
    let alignment = SelfTraining::new().max_runs(3).fit(&unrelated, &Pairs::none(2)).unwrap();
    let trust = alignment.outcome().trust.clone().unwrap();
    assert!(!trust.trusted, "{trust:?}");
    assert!(trust.verdict().starts_with("do not trust"));
}

#[test]
fn wrong_pairs_are_found_out() {
    let data = views(400, 5);
    let truth = &data.truth;
    let wrong: Vec<[i64; 2]> = (0..10).map(|i| [i, truth[(i as usize + 100) % 400]]).collect();
    let alignment = SelfTraining::new().fit(&data.datasets, &Pairs::from_table(&wrong).unwrap()).unwrap();
    let trust = alignment.outcome().trust.clone().unwrap();
    assert!(trust.pairs_wrong || !trust.suspect_pairs.is_empty(), "{trust:?}");
    // One wrong pair among right ones.
    let mut pairs: Vec<[i64; 2]> = (0..12).map(|i| [i, truth[i as usize]]).collect();
    pairs[7] = [7, truth[200]];
    let alignment = SelfTraining::new().fit(&data.datasets, &Pairs::from_table(&pairs).unwrap()).unwrap();
    assert_eq!(alignment.outcome().trust.clone().unwrap().suspect_pairs, [7]);
}

#[test]
fn awkward_data_give_an_answer_or_a_clear_error() {
    let flat = Dataset::new("a", Matrix::from_fn(30, 3, |_, _| 1.0)).unwrap();
    let line = Dataset::new("b", Matrix::from_fn(40, 1, |i, _| i as f64)).unwrap();
    let message = SelfTraining::new().fit(&[flat, line.clone()], &Pairs::none(2)).unwrap_err().to_string();
    assert_eq!(message, "dataset \"a\": all rows are the same");
    let few = Dataset::new("c", Matrix::from_fn(5, 2, |i, j| (i * j) as f64)).unwrap();
    assert!(SelfTraining::new().fit(&[few, line.clone()], &Pairs::none(2)).is_err());
    // One column, identical rows, very different sizes: an answer, and no trust.
    let twice = Dataset::new("d", Matrix::from_fn(200, 2, |i, j| ((i / 50) * (j + 1)) as f64)).unwrap();
    let alignment = SelfTraining::new().max_runs(2).fit(&[line, twice], &Pairs::none(2)).unwrap();
    assert!(!alignment.outcome().trust.clone().unwrap().trusted);
    assert!((0..2).all(|a| alignment.embedding(a).as_slice().iter().all(|v| v.is_finite())));
    assert!(SelfTraining::new().good(1.5).fit(&views(50, 6).datasets, &Pairs::none(2)).is_err());
}
