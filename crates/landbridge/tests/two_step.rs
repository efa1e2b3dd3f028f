//! Two-step alignment and the embeddings below it: known moves are found again, promises of the model hold.

use landbridge::data::synthetic::{BilingualDocuments, LiftedCopies, SwissRolls};
use landbridge::data::{Dataset, Pairs, Prepare, Rows};
use landbridge::embed::{DiffusionMap, Embedder, Isomap, LaplacianEigenmaps, LocallyLinear, Lpp, Lsi, Pca, Unchanged};
use landbridge::evaluate::recall_at_k;
use landbridge::geometry::neighbors::Metric;
use landbridge::linalg::{Csr, Matrix};
use landbridge::method::{AffineAlignment, ProcrustesAlignment};
use landbridge::model::Alignment;
use landbridge::progress::Progress;
use std::path::Path;

fn embedders() -> Vec<Embedder> {
    vec![
        Unchanged::new().into(),
        Pca::new(3).into(),
        Lsi::new(3).prepare(Prepare::Unit).into(),
        LaplacianEigenmaps::new(3).into(),
        Lpp::new(3).into(),
        DiffusionMap::new(3).time(2).into(),
        Isomap::new(3).into(),
        LocallyLinear::new(3).into(),
    ]
}

fn cloud(n: usize, d: usize, seed: u64) -> Matrix<f64> {
    let mut state = seed;
    Matrix::from_fn(n, d, |_, _| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as f64 / (1u64 << 31) as f64 - 0.5
    })
}

/// Turned in the plane of the first two coordinates, then scaled and shifted.
fn moved(m: &Matrix<f64>, angle: f64, scale: f64, shift: f64) -> Matrix<f64> {
    let (c, s) = (angle.cos(), angle.sin());
    Matrix::from_fn(m.nrows(), m.ncols(), |i, j| {
        let v = match j {
            0 => c * m[(i, 0)] - s * m[(i, 1)],
            1 => s * m[(i, 0)] + c * m[(i, 1)],
            _ => m[(i, j)],
        };
        scale * v + shift
    })
}

fn dataset(name: &str, m: &Matrix<f64>) -> Dataset {
    Dataset::new(name, m.clone()).unwrap()
}

fn largest_gap(a: &Matrix<f64>, b: &Matrix<f64>) -> f64 {
    assert_eq!((a.nrows(), a.ncols()), (b.nrows(), b.ncols()));
    a.as_slice().iter().zip(b.as_slice()).fold(0.0, |m, (x, y)| m.max((x - y).abs()))
}

#[test]
fn a_turned_scaled_and_shifted_copy_falls_onto_the_original() {
    let x = cloud(80, 3, 1);
    let y = moved(&x, 0.7, 0.25, 5.0);
    let alignment =
        ProcrustesAlignment::new(Unchanged::new()).fit(&[dataset("x", &x), dataset("y", &y)], &Pairs::first_rows(2, 20)).unwrap();
    let fit = alignment.paired_fit().unwrap();
    assert!((fit.scales[1] - 4.0).abs() < 1e-12);
    assert_eq!(fit.scales[0], 1.0);
    assert!(fit.residuals.len() == 20 && fit.residuals.iter().all(|r| *r < 1e-12));
    assert!(largest_gap(alignment.embedding(0), &x) == 0.0);
    assert!(largest_gap(alignment.embedding(1), &x) < 1e-12);
    // z = scale · y · rotation + offset, as the model says.
    let z = alignment.embedding(1);
    for j in 0..3 {
        let sum: f64 = (0..3).map(|c| y[(50, c)] * fit.matrices[1][(c, j)]).sum();
        assert!((fit.scales[1] * sum + fit.offsets[1][j] - z[(50, j)]).abs() < 1e-12);
    }
    // Both ways between the features.
    let back = alignment.predict(&Rows::F64(x.clone()), 0, 1).unwrap();
    assert!(largest_gap(&back, &y) < 1e-12);
    assert_eq!(alignment.default_metric(), Metric::Euclidean);
}

#[test]
fn heavy_pairs_count_more() {
    // Two rows say scale 2, two say scale 3: the weights decide.
    let x = Matrix::from_rows(&[[2.0], [-2.0], [3.0], [-3.0]]).unwrap();
    let y = Matrix::from_rows(&[[1.0], [-1.0], [1.0], [-1.0]]).unwrap();
    let table: Vec<[i64; 2]> = (0..4).map(|i| [i, i]).collect();
    let scale = |weights: &[f64]| {
        let pairs = Pairs::from_weighted_table(&table, weights).unwrap();
        let fit = ProcrustesAlignment::new(Unchanged::new()).fit(&[dataset("x", &x), dataset("y", &y)], &pairs).unwrap();
        fit.paired_fit().unwrap().scales[1]
    };
    assert!((scale(&[1.0; 4]) - 2.5).abs() < 1e-12);
    assert!((scale(&[3.0, 3.0, 1.0, 1.0]) - 2.25).abs() < 1e-12);
    let affine = AffineAlignment::new(Unchanged::new())
        .fit(&[dataset("x", &x), dataset("y", &y)], &Pairs::from_weighted_table(&table, &[3.0, 3.0, 1.0, 1.0]).unwrap())
        .unwrap();
    assert!((affine.paired_fit().unwrap().matrices[1][(0, 0)] - 2.25).abs() < 1e-12);
}

#[test]
fn three_datasets_come_together_also_along_a_chain_of_pairs() {
    let x = cloud(60, 3, 4);
    let (y, z) = (moved(&x, 1.1, 3.0, -2.0), moved(&x, -0.4, 0.5, 9.0));
    let data = [dataset("x", &x), dataset("y", &y), dataset("z", &z)];
    let all = Pairs::first_rows(3, 15);
    // The last dataset has pairs with the second only.
    let chain: Vec<[i64; 3]> = (0..30).map(|i| if i < 15 { [i, i, -1] } else { [-1, i, i] }).collect();
    let chain = Pairs::from_table(&chain).unwrap();
    for pairs in [&all, &chain] {
        let alignment = ProcrustesAlignment::new(Unchanged::new()).fit(&data, pairs).unwrap();
        for a in 1..3 {
            assert!(largest_gap(alignment.embedding(a), &x) < 1e-11);
        }
    }
    // With noise, the sum over all pairs is no worse than fitting each to the first alone.
    let noisy = |m: &Matrix<f64>, seed: u64| {
        let noise = cloud(60, 3, seed);
        Matrix::from_fn(60, 3, |i, j| m[(i, j)] + 0.3 * noise[(i, j)])
    };
    let data = [dataset("x", &x), dataset("y", &noisy(&y, 8)), dataset("z", &noisy(&z, 9))];
    let loss = |a: &Alignment| -> f64 {
        all.links()
            .iter()
            .map(|l| {
                let (p, q) = (a.embedding(l.a).row(l.i), a.embedding(l.b).row(l.j));
                p.iter().zip(q).map(|(p, q)| (p - q).powi(2)).sum::<f64>()
            })
            .sum()
    };
    let together = ProcrustesAlignment::new(Unchanged::new()).fit(&data, &all).unwrap();
    let to_first: Vec<[i64; 3]> = (0..30).map(|i| if i < 15 { [i, i, -1] } else { [i - 15, -1, i - 15] }).collect();
    let alone = ProcrustesAlignment::new(Unchanged::new()).fit(&data, &Pairs::from_table(&to_first).unwrap()).unwrap();
    assert!(loss(&together) < loss(&alone));
    assert!(together.outcome().iterations > 1 && together.outcome().warnings.is_empty());
}

#[test]
fn pairs_that_leave_the_turn_open_are_told_of() {
    let x = cloud(40, 3, 2);
    let y = moved(&x, 0.5, 1.0, 0.0);
    let data = [dataset("x", &x), dataset("y", &y)];
    let warnings = |count: usize, method: ProcrustesAlignment| {
        let fit = method.fit(&data, &Pairs::first_rows(2, count)).unwrap();
        fit.outcome().warnings.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
    };
    let method = || ProcrustesAlignment::new(Unchanged::new());
    assert_eq!(warnings(4, method()), "");
    // Three points span a plane: with reflections its mirror image fits as well.
    assert!(warnings(3, method()).contains("dataset \"y\": its paired rows span 2 of 3 dimensions"));
    assert_eq!(warnings(3, method().reflection(false)), "");
    assert!(warnings(2, method().reflection(false)).contains("span 1 of 3"));
    let one = method().fit(&data, &Pairs::first_rows(2, 1)).unwrap_err();
    assert_eq!(
        one.to_string(),
        "paired rows of dataset \"y\": all of them coincide, so the rotation and the scale cannot be determined"
    );
    assert_eq!(one.kind(), "pairs");
    let same = Matrix::from_fn(40, 3, |_, _| 2.0);
    let error = method().fit(&[dataset("x", &same), dataset("y", &y)], &Pairs::first_rows(2, 9)).unwrap_err();
    assert!(error.to_string().contains("dataset \"x\""), "{error}");
    // A mirror image, when only rotations are asked for.
    let mirrored = Matrix::from_fn(40, 3, |i, j| if j == 2 { -x[(i, j)] } else { x[(i, j)] });
    let data = [dataset("x", &x), dataset("m", &mirrored)];
    let fit = method().reflection(false).fit(&data, &Pairs::first_rows(2, 20)).unwrap();
    assert!(fit.outcome().warnings[0].to_string().contains("mirrored"));
    assert!(method().fit(&data, &Pairs::first_rows(2, 20)).unwrap().outcome().warnings.is_empty());
}

#[test]
fn bad_parameters_are_refused() {
    let x = cloud(20, 3, 2);
    let data = [dataset("x", &x), dataset("y", &x)];
    let pairs = Pairs::first_rows(2, 10);
    let message = |e: landbridge::Result<Alignment>| e.unwrap_err().to_string();
    assert!(message(ProcrustesAlignment::new(Pca::new(0)).fit(&data, &pairs)).contains("n_components is 0"));
    assert!(message(ProcrustesAlignment::new(Isomap::new(2).n_neighbors(20)).fit(&data, &pairs)).contains("n_neighbors is 20"));
    assert!(message(ProcrustesAlignment::new(LocallyLinear::new(2).ridge(0.0)).fit(&data, &pairs)).contains("ridge is 0"));
    assert!(message(ProcrustesAlignment::new(LocallyLinear::new(20)).fit(&data, &pairs)).contains("at most 19"));
    assert!(message(ProcrustesAlignment::new(DiffusionMap::new(2).density(1.5)).fit(&data, &pairs)).contains("density is 1.5"));
    assert!(message(AffineAlignment::new(Pca::new(2)).ridge(-1.0).fit(&data, &pairs)).contains("ridge is -1"));
    let graphs = vec![Csr::from_triplets(20, 20, &[]).unwrap()];
    let given = ProcrustesAlignment::new(LaplacianEigenmaps::new(2).graphs(graphs));
    assert!(message(given.fit(&data, &pairs)).contains("one per dataset (2)"));
    assert!(message(ProcrustesAlignment::new(Pca::new(2)).fit(&data, &Pairs::none(2))).contains("no pairs were given"));
    // Two coordinates at most in three dimensions of which one is constant: fewer come out, and it is said.
    let flat = Matrix::from_fn(20, 3, |i, j| if j == 2 { 1.0 } else { x[(i, j)] });
    let fit = ProcrustesAlignment::new(Pca::new(3)).fit(&[dataset("x", &x), dataset("f", &flat)], &pairs).unwrap();
    assert_eq!(fit.n_components(), 3); // filled up with zeros
    assert!(fit.outcome().warnings.iter().any(|w| w.to_string().contains("n_components is 3, but the data have 2 dimensions")));
}

fn test_data() -> (Vec<Dataset>, Pairs) {
    let data = LiftedCopies::new(150).intrinsic(3).clusters(2).features([7usize, 9]).random_state(5).generate().unwrap();
    let pairs = data.pairs(60, 1).unwrap();
    (data.datasets, pairs)
}

/// Both second steps over that embedding.
fn both(embedder: &Embedder, threads: usize) -> [(String, Box<dyn landbridge::method::Method>); 2] {
    [
        (format!("procrustes over {}", embedder.name()), Box::new(ProcrustesAlignment::new(embedder.clone()).n_jobs(threads))),
        (format!("affine over {}", embedder.name()), Box::new(AffineAlignment::new(embedder.clone()).ridge(0.1).n_jobs(threads))),
    ]
}

#[test]
fn every_embedding_saves_loads_and_places_new_rows_alike_on_any_number_of_threads() {
    let (data, pairs) = test_data();
    let silent = Progress::silent();
    for embedder in embedders() {
        for ((name, one), (_, many)) in both(&embedder, 1).into_iter().zip(both(&embedder, 4)) {
            let alignment = one.fit_with(&data, &pairs, &silent).unwrap();
            let bytes = alignment.to_bytes().unwrap();
            assert_eq!(bytes, many.fit_with(&data, &pairs, &silent).unwrap().to_bytes().unwrap(), "{name}: threads");
            let loaded = Alignment::from_bytes(&bytes, Path::new("m.lb")).unwrap();
            assert_eq!(loaded.to_bytes().unwrap(), bytes, "{name}: saved and loaded");
            assert_eq!(loaded.paired_fit(), alignment.paired_fit());
            for a in 0..2 {
                let size = alignment.embedding(a).as_slice().iter().fold(0.0f64, |m, v| m.max(v.abs()));
                let again = loaded.transform(data[a].rows(), a).unwrap();
                let gap = largest_gap(&again, alignment.embedding(a));
                assert!(gap < 1e-6 * size, "{name}: fitted rows of {a} placed anew are {gap:e} away");
                let few = data[a].select(&[3, 70]);
                let alone = alignment.transform(data[a].select(&[70]).rows(), a).unwrap();
                let together = alignment.transform(few.rows(), a).unwrap();
                let apart = alone.row(0).iter().zip(together.row(1)).fold(0.0f64, |m, (x, y)| m.max((x - y).abs()));
                assert!(apart == 0.0, "{name}: one by one, {apart:e}");
            }
        }
        let embedding = embedder.fit_with(&data[0], &silent).unwrap();
        let bytes = embedding.as_model().to_bytes().unwrap();
        let loaded = Alignment::from_bytes(&bytes, Path::new("m.lb")).unwrap();
        assert_eq!(loaded.method(), embedder.name());
        assert_eq!(loaded.embedding(0), embedding.coordinates());
        let cut = Alignment::from_bytes(&bytes[..bytes.len() - 1], Path::new("m.lb"));
        assert!(cut.is_err());
    }
}

#[test]
fn sparse_and_single_precision_rows_are_embedded_like_dense_ones() {
    let (data, _) = test_data();
    let Rows::F64(m) = data[0].rows() else { panic!("dense") };
    let sparse = Dataset::new("s", Csr::from_dense(m)).unwrap();
    let single = Dataset::new("f", m.to_f32()).unwrap();
    let silent = Progress::silent();
    for embedder in embedders() {
        let dense = embedder.fit_with(&data[0], &silent).unwrap();
        let size = dense.coordinates().as_slice().iter().fold(0.0f64, |a, v| a.max(v.abs()));
        for (other, tolerance) in [(&sparse, 1e-5), (&single, 1e-2)] {
            let other = embedder.fit_with(other, &silent).unwrap();
            let gap = largest_gap(dense.coordinates(), other.coordinates());
            assert!(gap < tolerance * size, "{}: {gap:e} of {size:e}", embedder.name());
        }
    }
}

#[test]
fn curved_sheets_match_after_isomap_and_documents_after_lsi() {
    let rolls = SwissRolls::new(600).generate().unwrap();
    let pairs = rolls.pairs(60, 0).unwrap();
    let truth = rolls.counterparts(0, 1);
    let recall =
        |a: &Alignment, metric: Metric| recall_at_k(a.embedding(0), a.embedding(1), &[10], Some(&truth), metric).unwrap()[0];
    let unrolled = AffineAlignment::new(Isomap::new(2).n_neighbors(6)).fit(&rolls.datasets, &pairs).unwrap();
    let raw = AffineAlignment::new(Unchanged::new()).fit(&rolls.datasets, &pairs).unwrap();
    let (good, poor) = (recall(&unrolled, Metric::Euclidean), recall(&raw, Metric::Euclidean));
    assert!(good > 0.95 && good > 2.0 * poor, "{good} {poor}");
    let documents = BilingualDocuments::new(400).generate().unwrap();
    let pairs = documents.pairs(200, 0).unwrap();
    let fit = ProcrustesAlignment::new(Lsi::new(20)).fit(&documents.datasets, &pairs).unwrap();
    let found = recall_at_k(fit.embedding(0), fit.embedding(1), &[10], None, Metric::Euclidean).unwrap()[0];
    assert!(found > 0.5, "{found}");
    assert!(fit.top_features(0, 0, 3).unwrap().len() == 3);
}

#[test]
fn a_graph_in_parts_is_joined_for_isomap_and_told_of_elsewhere() {
    let near = cloud(30, 2, 3);
    let rows = Matrix::from_fn(60, 2, |i, j| near[(i % 30, j)] + if i < 30 { 0.0 } else { 50.0 });
    let data = dataset("parts", &rows);
    let isomap = Isomap::new(2).n_neighbors(5).fit(&data).unwrap();
    assert_eq!(
        isomap.outcome().warnings[0].to_string(),
        "dataset \"parts\": its neighbour graph had 2 connected components; 1 shortest missing edge was added to join them"
    );
    let maps = LaplacianEigenmaps::new(2).n_neighbors(5).fit(&data).unwrap();
    assert!(maps.outcome().warnings[0].to_string().contains("2 connected components"));
    assert_eq!(maps.outcome().zero_solutions, 2);
    let lle = LocallyLinear::new(2).n_neighbors(5).fit(&data).unwrap();
    assert_eq!(lle.outcome().zero_solutions, 2);
    assert!(lle.eigenvalues().iter().all(|v| *v > 1e-12));
}

/// Found by the soak: squares of distances near 1e200 overflowed, and the model that was written could not be read.
#[test]
fn models_of_huge_rows_are_read_again_or_refused() {
    for scale in [1e150, 1e200, 1e300] {
        let x = cloud(60, 3, 5);
        let y = Matrix::from_fn(60, 3, |i, j| (x[(i, j)] + 0.1 * x[(59 - i, j)]) * scale);
        let data = [dataset("a", &y), dataset("b", &cloud(60, 4, 6))];
        for embedder in [Embedder::from(Lsi::new(2).prepare(Prepare::None)), Unchanged::new().into()] {
            for method in [true, false] {
                let pairs = Pairs::first_rows(2, 40);
                let fitted = match method {
                    true => AffineAlignment::new(embedder.clone()).fit(&data, &pairs),
                    false => ProcrustesAlignment::new(embedder.clone()).fit(&data, &pairs),
                };
                let Ok(model) = fitted else { continue };
                let bytes = model.to_bytes().unwrap();
                let again = Alignment::from_bytes(&bytes, Path::new("m.lb")).unwrap();
                let residuals = &again.paired_fit().unwrap().residuals;
                assert!(residuals.iter().all(|r| r.is_finite()) && residuals.iter().any(|r| *r > 0.0), "{scale:e}");
            }
        }
    }
}
