//! Alignment from few pairs or none, and knowing when not to trust it.

use landbridge::correspondence::{SelfTraining, StartFrom};
use landbridge::data::synthetic::orthonormal_rows;
use landbridge::data::synthetic::random::{Purpose, Random};
use landbridge::data::{Dataset, Pairs, Rows};
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
    let told =
        alignment.outcome().warnings.iter().any(|w| matches!(w, landbridge::outcome::Warning::PairsContradict { pairs: 10 }));
    assert_eq!(told, trust.pairs_wrong, "{:?}", alignment.outcome().warnings);
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

/// Samples of one skewed cloud without a common row, each seen through its own rotation, and rows that both see.
struct Samples {
    datasets: Vec<Dataset>,
    new: [Matrix<f64>; 2],
}

fn samples(sizes: [usize; 2], seed: u64) -> Samples {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let d = 10;
    let maps = [20, 16].map(|p| orthonormal_rows(d, p, &mut Random::new(seed, Purpose::Map(p))));
    let mut cloud =
        |n: usize| Matrix::from_fn(n, d, |_, j| (-rng.random_range(1e-9..1.0f64).ln() - 1.0) / (1.0 + j as f64).powf(0.8));
    let seen = |rows: &Matrix<f64>, map: &Matrix<f64>| {
        let value = |i: usize, j: usize| (0..d).map(|k| rows[(i, k)] * map[(k, j)]).sum::<f64>();
        Matrix::from_fn(rows.nrows(), map.ncols(), value)
    };
    let own = sizes.map(&mut cloud);
    let new = cloud(200);
    let datasets = (0..2).map(|a| Dataset::new(["x", "y"][a], seen(&own[a], &maps[a])).unwrap()).collect();
    Samples { datasets, new: [0, 1].map(|a| seen(&new, &maps[a])) }
}

/// Top-1 of rows that the fit has not seen.
fn top_one_of_new(data: &Samples, alignment: &Alignment) -> f64 {
    let [z, w] = [0, 1].map(|a| alignment.transform(&Rows::F64(data.new[a].clone()), a).unwrap());
    recall_at_k(&z, &w, &[1], None, Metric::Cosine).unwrap()[0]
}

#[test]
fn samples_without_a_common_row_are_aligned_by_their_moments() {
    let data = samples([2500, 2500], 11);
    let fit =
        |jobs: usize| SelfTraining::new().start(StartFrom::Moments).n_jobs(jobs).fit(&data.datasets, &Pairs::none(2)).unwrap();
    let alignment = fit(2);
    let trust = alignment.outcome().trust.clone().unwrap();
    let top = top_one_of_new(&data, &alignment);
    assert!(top > 0.9, "{top} {trust:?}");
    assert!(trust.trusted && trust.soft && trust.stable.unwrap() > 0.8, "{trust:?}");
    assert!(trust.shared.unwrap().value < 0.15, "{trust:?}");
    // Nothing was given twice, whatever the matches are.
    assert_eq!(alignment.outcome().warnings, vec![]);
    let expected = trust.expected_recall.unwrap();
    assert!(expected.low <= expected.value && expected.value <= expected.high, "{trust:?}");
    // The same bytes on one thread, and from a file.
    let bytes = alignment.to_bytes().unwrap();
    assert_eq!(fit(1).to_bytes().unwrap(), bytes);
    let back = Alignment::from_bytes(&bytes, std::path::Path::new("x.lb")).unwrap();
    assert_eq!(back.outcome().trust, Some(trust));
}

#[test]
fn one_set_may_be_ten_times_the_other() {
    let data = samples([4000, 400], 12);
    let alignment = SelfTraining::new().max_runs(1).fit(&data.datasets, &Pairs::none(2)).unwrap();
    let trust = alignment.outcome().trust.clone().unwrap();
    let top = top_one_of_new(&data, &alignment);
    // Right and trusted, or not trusted: never wrong and trusted.
    assert!(!trust.trusted || top > 0.3, "{top} {trust:?}");
    assert!((0..2).all(|a| alignment.embedding(a).as_slice().iter().all(|v| v.is_finite())));
}

#[test]
fn what_moments_cannot_tell_is_not_trusted() {
    let data = samples([600, 600], 13);
    let x = data.datasets[0].clone();
    let Rows::F64(rows) = data.datasets[1].rows() else { panic!("dense") };
    // Every row and its mirror image: third moments vanish. Columns shuffled: nothing is left but the variances.
    let mirrored = Matrix::from_fn(1200, 16, |i, j| if i < 600 { rows[(i, j)] } else { -rows[(i - 600, j)] });
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let mut gaussian = || (0..12).map(|_| rng.random_range(-0.5..0.5f64)).sum::<f64>();
    let noise = Matrix::from_fn(600, 16, |_, j| gaussian() / (1.0 + j as f64).sqrt());
    for other in [mirrored, noise] {
        let other = Dataset::new("y", other).unwrap();
        let fit = SelfTraining::new().start(StartFrom::Moments).fit(&[x.clone(), other], &Pairs::none(2)).unwrap();
        let trust = fit.outcome().trust.clone().unwrap();
        assert!(!trust.trusted && trust.expected_recall.is_none(), "{trust:?}");
    }
}

#[test]
fn too_few_rows_and_a_start_without_pairs_are_told() {
    let data = samples([200, 250], 14);
    let alignment = SelfTraining::new().start(StartFrom::Moments).fit(&data.datasets, &Pairs::none(2)).unwrap();
    let warnings: Vec<String> = alignment.outcome().warnings.iter().map(ToString::to_string).collect();
    assert!(warnings.iter().any(|w| w.contains("third moments of 200 rows are mostly noise")), "{warnings:?}");
    let message = SelfTraining::new().start(StartFrom::Pairs).fit(&data.datasets, &Pairs::none(2)).unwrap_err().to_string();
    assert!(message.contains("start"), "{message}");
}

#[test]
fn the_fit_is_compared_with_the_pairs_alone() {
    // Two sets that have nothing in common but the pairs: rows of noise, with a few columns that the pairs explain.
    let mut rng = ChaCha8Rng::seed_from_u64(15);
    let n = 300;
    let common = Matrix::from_fn(n, 3, |_, _| rng.random_range(-1.0..1.0f64));
    let mut view = |p: usize| {
        let noise = Matrix::from_fn(n, p, |_, _| rng.random_range(-1.0..1.0f64));
        Matrix::from_fn(n, p, |i, j| if j < 3 { 0.7 * common[(i, j)] } else { noise[(i, j)] })
    };
    let datasets = [Dataset::new("x", view(20)).unwrap(), Dataset::new("y", view(18)).unwrap()];
    let table: Vec<[i64; 2]> = (0..150).map(|i| [i, i]).collect();
    let pairs = Pairs::from_table(&table).unwrap();
    let alignment = SelfTraining::new().max_runs(2).fit(&datasets, &pairs).unwrap();
    let trust = alignment.outcome().trust.clone().unwrap();
    let against = trust.against_pairs.unwrap();
    assert_eq!(against.pairs, 50);
    assert_eq!(trust.pairs_alone, against.alone + 0.01 < against.trained, "{trust:?}");
    // Fewer than ten pairs are too few to hold some out.
    let few = Pairs::from_table(&table[..5]).unwrap();
    let alignment = SelfTraining::new().max_runs(1).fit(&datasets, &few).unwrap();
    assert!(alignment.outcome().trust.clone().unwrap().against_pairs.is_none());
}
