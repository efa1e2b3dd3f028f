//! Pairs from local patterns: copies found again, weights, awkward and bad input.

use landbridge::correspondence::{InferPairs, Keep};
use landbridge::data::synthetic::RotatedCopies;
use landbridge::data::{Dataset, Pairs};
use landbridge::geometry::neighbors::Metric;
use landbridge::linalg::Matrix;
use landbridge::method::{InstanceAlignment, ProcrustesAlignment};
use landbridge::outcome::Warning;

fn right_share(pairs: &Pairs, truth: &[i64]) -> f64 {
    pairs.links().iter().filter(|l| truth[l.i] == l.j as i64).count() as f64 / pairs.len() as f64
}

#[test]
fn a_turned_stretched_and_noisy_copy_is_found_row_by_row() {
    for (features, noise, seed) in [(2, 0.001, 1), (3, 0.01, 2), (3, 0.01, 3), (5, 0.01, 4)] {
        let copies = RotatedCopies::new(150).n_features(features).noise(noise).random_state(seed).generate().unwrap();
        let inferred = InferPairs::new().infer(&copies.datasets).unwrap();
        assert!(inferred.agreeing[0].is_some_and(|(agreeing, guessed)| 2 * agreeing > guessed), "{:?}", inferred.agreeing);
        let truth = copies.counterparts(0, 1);
        assert!(inferred.pairs.len() > 140 && right_share(&inferred.pairs, &truth) > 0.98, "{features} columns");
    }
}

#[test]
fn mirror_images_are_found_too() {
    let copies = RotatedCopies::new(100).n_features(3).random_state(5).generate().unwrap();
    let landbridge::data::Rows::F64(m) = copies.datasets[1].rows() else { unreachable!() };
    let mirrored = Matrix::from_fn(m.nrows(), 3, |i, j| if j == 1 { -m.row(i)[j] } else { m.row(i)[j] });
    let data = [copies.datasets[0].clone(), Dataset::new("mirror", mirrored).unwrap()];
    let inferred = InferPairs::new().infer(&data).unwrap();
    assert_eq!(right_share(&inferred.pairs, &copies.counterparts(0, 1)), 1.0);
}

#[test]
fn three_datasets_are_paired_with_the_first_and_any_method_takes_the_pairs() {
    let copies = RotatedCopies::new(80).n_features(3).n_datasets(3).generate().unwrap();
    let inferred = InferPairs::new().infer(&copies.datasets).unwrap();
    assert!(inferred.pairs.links().iter().all(|l| l.a == 0));
    assert!(matches!(inferred.warnings[..], [Warning::PairsInferred { agreeing: true, .. }]));
    assert!(InstanceAlignment::new(2).fit(&copies.datasets, &inferred.pairs).is_ok());
    let moved = ProcrustesAlignment::new(landbridge::embed::Unchanged::new()).fit(&copies.datasets, &inferred.pairs).unwrap();
    let scales = &moved.paired_fit().unwrap().scales;
    for (b, scale) in scales.iter().enumerate().skip(1) {
        let expected =
            (0..80).map(|i| moved.embedding(b).row(i)[0] - moved.embedding(0).row(copies.counterparts(b, 0)[i] as usize)[0]);
        assert!(expected.fold(0.0f64, |a, v| a.max(v.abs())) < 1e-6, "scale {scale}");
    }
}

#[test]
fn weights_fall_with_the_distance_of_the_patterns() {
    let copies = RotatedCopies::new(60).n_features(4).noise(0.05).generate().unwrap();
    let infer = InferPairs::new().rigid(Some(false));
    let inferred = infer.infer(&copies.datasets).unwrap();
    let mut weights: Vec<f64> = inferred.pairs.links().iter().map(|l| l.weight).collect();
    weights.sort_by(f64::total_cmp);
    assert!((weights[(weights.len() - 1) / 2] / (-1.0f64).exp() - 1.0).abs() < 0.5, "the median pair has weight 1/e");
    // A smaller delta, smaller weights; as many pairs.
    let narrow = infer.clone().delta(Some(0.5 * inferred.delta[0])).infer(&copies.datasets).unwrap();
    for (a, b) in inferred.pairs.links().iter().zip(narrow.pairs.links()) {
        assert!(b.weight <= a.weight && (b.weight.ln() - 4.0 * a.weight.ln()).abs() < 1e-6 * (1.0 + b.weight.ln().abs()));
    }
    let three = infer.keep(Keep::Strongest(3)).infer(&copies.datasets).unwrap();
    assert_eq!(three.pairs.len(), 180);
}

#[test]
fn distances_serve_in_place_of_rows() {
    let copies = RotatedCopies::new(70).n_features(3).generate().unwrap();
    let distances: Vec<Matrix<f64>> = copies
        .datasets
        .iter()
        .map(|d| {
            let landbridge::data::Rows::F64(m) = d.rows() else { unreachable!() };
            Matrix::from_fn(70, 70, |i, j| m.row(i).iter().zip(m.row(j)).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt())
        })
        .collect();
    let infer = InferPairs::new().rigid(Some(false));
    let (from_rows, from_distances) = (infer.infer(&copies.datasets).unwrap(), infer.infer_from_distances(&distances).unwrap());
    let rows = |p: &Pairs| p.links().iter().map(|l| (l.i, l.j)).collect::<Vec<_>>();
    assert_eq!(rows(&from_rows.pairs), rows(&from_distances.pairs));
    assert!(InferPairs::new().rigid(Some(true)).infer_from_distances(&distances).is_err());
}

#[test]
fn unrelated_data_agree_on_nothing() {
    let of = |seed: u64, which: usize| RotatedCopies::new(120).random_state(seed).generate().unwrap().datasets.swap_remove(which);
    let data = [of(1, 0), of(2, 1)];
    let inferred = InferPairs::new().infer(&data).unwrap();
    assert_eq!(inferred.agreeing, [None]);
    assert!(inferred.warnings.iter().any(|w| w.to_string().contains("nothing confirms them")));
}

#[test]
fn awkward_and_bad_input_is_answered() {
    let rows = |n: usize, f: &dyn Fn(usize, usize) -> f64| Matrix::from_fn(n, 2, f);
    let curve = |i: usize, j: usize| (i as f64).powf(1.3 + j as f64 * 0.4);
    let good = Dataset::new("good", rows(30, &curve)).unwrap();
    let say = |d: Dataset| InferPairs::new().infer(&[good.clone(), d]).unwrap_err().to_string();
    assert!(say(Dataset::new("same", rows(20, &|_, _| 1.0)).unwrap()).contains("\"same\""));
    assert!(say(Dataset::new("few", rows(4, &curve)).unwrap()).contains("n_neighbors is 4, but dataset \"few\" has 4 rows"));
    // All distances equal: the corners of a simplex. Defined, and nothing confirms it.
    let simplex = Dataset::new("simplex", Matrix::from_fn(12, 12, |i, j| f64::from(u8::from(i == j)))).unwrap();
    let inferred = InferPairs::new().infer(&[simplex.clone(), simplex.clone()]).err();
    assert!(inferred.is_some_and(|e| e.to_string().contains("simplex")), "two datasets of one name");
    let other = Dataset::new("other", Matrix::from_fn(12, 12, |i, j| f64::from(u8::from(i == j)))).unwrap();
    let inferred = InferPairs::new().infer(&[simplex, other]).unwrap();
    assert!(inferred.pairs.links().iter().all(|l| l.weight.is_finite() && l.weight > 0.0));
    // Very different sizes.
    let long = Dataset::new("long", rows(900, &curve)).unwrap();
    assert!(InferPairs::new().infer(&[good.clone(), long]).unwrap().pairs.len() <= 30);
    for (bad, word) in [
        (InferPairs::new().n_neighbors(7), "n_neighbors"),
        (InferPairs::new().n_neighbors(0), "n_neighbors"),
        (InferPairs::new().delta(Some(-1.0)), "delta"),
        (InferPairs::new().keep(Keep::Strongest(0)), "keep"),
        (InferPairs::new().metric(Metric::Cosine).rigid(Some(true)), "rigid"),
    ] {
        let twice = [good.clone(), Dataset::new("b", rows(30, &curve)).unwrap()];
        assert!(bad.infer(&twice).unwrap_err().to_string().contains(word));
    }
}
