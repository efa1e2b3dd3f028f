//! Properties of all generators.

use super::*;
use crate::data::Rows;

type Make = fn(usize, f64, bool, u64) -> Result<Synthetic>;

/// Every generator with its default parameters and the common options.
fn generators() -> Vec<(&'static str, Make)> {
    macro_rules! make {
        ($($generator:ident),*) => {
            vec![$((stringify!($generator), |n, overlap, shuffle, seed| {
                $generator::new(n).overlap(overlap).shuffle(shuffle).random_state(seed).generate()
            })),*]
        };
    }
    make![SwissRolls, Helices, ThinChains, BranchingTrees, RotatedCopies, LiftedCopies, BilingualDocuments]
}

fn dense(dataset: &Dataset) -> Matrix {
    match dataset.rows() {
        Rows::F64(m) => m.clone(),
        Rows::F32(m) => m.to_f64(),
        Rows::Sparse(m) => m.to_dense(),
    }
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| (x - y).powi(2)).sum::<f64>().sqrt()
}

fn is_bad(result: Result<Synthetic>, parameter: &str) {
    match result {
        Err(Error::BadParameter { name, value, expected }) => {
            assert_eq!(name, parameter);
            assert!(!value.is_empty() && !expected.is_empty());
        }
        other => panic!("{parameter}: expected BadParameter, got {other:?}"),
    }
}

#[test]
fn the_same_seed_gives_the_same_bytes_and_another_seed_does_not() {
    for (name, make) in generators() {
        let first = make(60, 0.7, true, 3).unwrap();
        assert_eq!(first, make(60, 0.7, true, 3).unwrap(), "{name}");
        assert_ne!(first, make(60, 0.7, true, 4).unwrap(), "{name}");
        assert_eq!(first.pairs(7, 1).unwrap(), first.pairs(7, 1).unwrap(), "{name}");
    }
}

#[test]
fn everything_has_its_shape_and_is_finite() {
    for (name, make) in generators() {
        let found = make(50, 1.0, false, 0).unwrap();
        assert_eq!((found.datasets.len(), found.truth.len(), found.latent.nrows()), (2, 50, 50), "{name}");
        assert_ne!(found.datasets[0].name(), found.datasets[1].name(), "{name}");
        for dataset in &found.datasets {
            assert_eq!(dataset.nrows(), 50, "{name}");
            assert!(dense(dataset).as_slice().iter().all(|v| v.is_finite()), "{name}");
        }
        assert!(found.latent.as_slice().iter().all(|v| v.is_finite()), "{name}");
        assert_eq!(found.counterparts(0, 1), (0..50).collect::<Vec<i64>>(), "{name}: row i is row i without shuffling");
    }
}

#[test]
fn overlap_decides_how_many_objects_are_shared() {
    for (name, make) in generators() {
        for (overlap, shared, rows) in [(1.0, 41, [41, 41]), (0.5, 21, [31, 31]), (0.25, 10, [26, 25]), (0.0, 0, [21, 20])] {
            let found = make(41, overlap, true, 2).unwrap();
            assert_eq!(found.n_shared(), shared, "{name} at {overlap}");
            assert_eq!([found.datasets[0].nrows(), found.datasets[1].nrows()], rows, "{name} at {overlap}");
            assert!(found.truth.iter().all(|line| line.iter().any(|&row| row >= 0)), "{name}: every object appears somewhere");
            assert_eq!(found.counterparts(0, 1).iter().filter(|&&row| row >= 0).count(), shared, "{name}");
        }
    }
}

/// A shuffled, partial dataset holds the same rows as the whole one, at the positions given by the truth.
#[test]
fn the_truth_points_at_the_same_object_in_both_datasets() {
    for (name, make) in generators() {
        let whole = make(40, 1.0, false, 9).unwrap();
        let part = make(40, 0.6, true, 9).unwrap();
        assert_eq!(whole.latent, part.latent, "{name}: neither order nor overlap changes the objects");
        for a in 0..2 {
            let (all, some) = (dense(&whole.datasets[a]), dense(&part.datasets[a]));
            for (row, object) in part.objects(a).into_iter().enumerate() {
                assert_eq!(some.row(row), all.row(object), "{name}");
                assert_eq!(part.truth[object][a], row as i64, "{name}");
                let labels = |s: &Synthetic, i: usize| s.datasets[a].labels().map(|l| l[i].clone());
                assert_eq!(labels(&part, row), labels(&whole, object), "{name}");
            }
        }
        let (left, right) = (part.latent_of(0), part.latent_of(1));
        for link in part.pairs(part.n_shared(), 0).unwrap().links() {
            assert_eq!(distance(left.row(link.i), right.row(link.j)), 0.0, "{name}");
        }
        assert_ne!(
            part.objects(1),
            {
                let mut o = part.objects(1);
                o.sort_unstable();
                o
            },
            "{name}: shuffled"
        );
    }
}

#[test]
fn more_pairs_of_one_seed_hold_the_fewer() {
    let found = SwissRolls::new(100).overlap(0.5).shuffle(true).generate().unwrap();
    let (few, many) = (found.pairs(5, 8).unwrap(), found.pairs(30, 8).unwrap());
    assert_eq!((few.len(), many.len()), (5, 30));
    assert!(few.links().iter().all(|link| many.links().contains(link)));
    assert_ne!(few, found.pairs(5, 9).unwrap());
    assert!(found.pairs(0, 8).unwrap().is_empty());
    assert!(matches!(found.pairs(51, 8), Err(Error::BadParameter { .. })), "50 objects are shared");
}

#[test]
fn the_known_motion_maps_every_copy_onto_the_next() {
    let generator = RotatedCopies::new(30).n_features(4).n_datasets(3).scale(2.5).random_state(6);
    let found = generator.generate().unwrap();
    assert_eq!(dense(&found.datasets[0]), found.latent);
    for a in 0..3 {
        let motion = generator.motion(a).unwrap();
        assert_eq!(motion.scale, 2.5f64.powi(a as i32));
        assert_eq!(dense(&found.datasets[a]), motion.apply(&found.latent));
        // A similarity multiplies every distance by its scale.
        let rows = dense(&found.datasets[a]);
        let (before, after) = (distance(found.latent.row(0), found.latent.row(7)), distance(rows.row(0), rows.row(7)));
        assert!((after - motion.scale * before).abs() < 1e-12 * after);
    }
    assert!(generator.motion(3).is_err());
    let noisy = generator.clone().noise(0.1).generate().unwrap();
    let (clean, noisy) = (dense(&found.datasets[1]), dense(&noisy.datasets[1]));
    let rms = (distance(clean.as_slice(), noisy.as_slice()).powi(2) / 120.0).sqrt();
    assert!((rms - 0.1).abs() < 5.0 * 0.1 / f64::sqrt(240.0), "noise of deviation 0.1 has {rms}");
}

#[test]
fn geodesics_of_the_rolls_are_distances_on_the_sheet() {
    for second in [Rolling::Swiss, Rolling::SCurve, Rolling::Flat] {
        let found = SwissRolls::new(2000).second(second).scale(3.0).generate().unwrap();
        let (roll, sheet) = (dense(&found.datasets[0]), dense(&found.datasets[1]));
        let mut close = 0;
        for i in 0..2000 {
            for j in 0..i {
                let flat = distance(found.latent.row(i), found.latent.row(j));
                // A chord is never longer than its arc, and nearly as long when it is short.
                let (d0, d1) = (distance(roll.row(i), roll.row(j)), distance(sheet.row(i), sheet.row(j)) / 3.0);
                assert!(d0 <= flat + 1e-9 && d1 <= flat + 1e-9);
                if flat < 1.0 {
                    close += 1;
                    assert!(d0 > 0.99 * flat && d1 > 0.99 * flat, "{second:?}: {d0}, {d1}, {flat}");
                }
            }
        }
        assert!(close > 500);
    }
}

#[test]
fn lifting_a_helix_changes_no_distance() {
    let flat = Helices::new(40).generate().unwrap();
    let lifted = Helices::new(40).features([10, 25]).generate().unwrap();
    for (a, columns) in [(0, 10), (1, 25)] {
        let (before, after) = (dense(&flat.datasets[a]), dense(&lifted.datasets[a]));
        assert_eq!(after.ncols(), columns);
        for i in 1..40 {
            assert!((distance(before.row(0), before.row(i)) - distance(after.row(0), after.row(i))).abs() < 1e-12);
        }
    }
}

#[test]
fn the_neighbours_of_a_thin_chain_are_the_next_links() {
    let found = ThinChains::new(300).generate().unwrap();
    for dataset in &found.datasets {
        let rows = dense(dataset);
        for i in 0..300 {
            let mut order: Vec<usize> = (0..300).filter(|&j| j != i).collect();
            order.sort_by(|&p, &q| distance(rows.row(i), rows.row(p)).total_cmp(&distance(rows.row(i), rows.row(q))));
            assert!(order[..10].iter().all(|j| j.abs_diff(i) <= 11), "{}: {i} has neighbours {:?}", dataset.name(), &order[..10]);
        }
    }
}

#[test]
fn clusters_keep_together_in_every_lift() {
    for map in [SmoothMap::Tanh, SmoothMap::Fourier] {
        let found = LiftedCopies::new(300).spread(0.1).features([20, 30, 40]).map(map).generate().unwrap();
        assert_eq!(found.datasets.len(), 3);
        for dataset in &found.datasets {
            let (rows, labels) = (dense(dataset), dataset.labels().unwrap());
            let agree = (0..300).filter(|&i| {
                let nearest = (0..300)
                    .filter(|&j| j != i)
                    .min_by(|&p, &q| distance(rows.row(i), rows.row(p)).total_cmp(&distance(rows.row(i), rows.row(q))));
                labels[nearest.unwrap()] == labels[i]
            });
            assert!(agree.count() >= 295, "{map:?} {}", dataset.name());
        }
    }
}

#[test]
fn values_outside_their_range_are_refused() {
    for (_, make) in generators() {
        is_bad(make(3, 1.0, false, 0), "n_objects");
        is_bad(make(usize::MAX, 1.0, false, 0), "n_objects");
        for overlap in [-0.1, 1.1, f64::NAN, f64::INFINITY] {
            is_bad(make(20, overlap, false, 0), "overlap");
        }
        assert!(make(4, 0.0, true, 0).is_ok(), "two rows each is the least");
    }
    for noise in [-1.0, f64::NAN, f64::INFINITY, 1e200] {
        is_bad(SwissRolls::new(20).noise(noise).generate(), "noise");
        is_bad(Helices::new(20).noise(noise).generate(), "noise");
        is_bad(ThinChains::new(20).noise(noise).generate(), "noise");
        is_bad(BranchingTrees::new(20).noise(noise).generate(), "noise");
        is_bad(RotatedCopies::new(20).noise(noise).generate(), "noise");
        is_bad(LiftedCopies::new(20).noise(noise).generate(), "noise");
    }
    is_bad(SwissRolls::new(20).width(0.0).generate(), "width");
    is_bad(SwissRolls::new(20).scale(f64::NAN).generate(), "scale");
    is_bad(Helices::new(20).radius([1.0, 0.0]).generate(), "radius");
    is_bad(Helices::new(20).pitch([-1.0, 1.0]).generate(), "pitch");
    is_bad(Helices::new(20).turns([1.0, -1.0]).generate(), "turns");
    is_bad(Helices::new(20).features([3, 2]).generate(), "features");
    is_bad(ThinChains::new(20).width(11.0).generate(), "width");
    is_bad(BranchingTrees::new(20).splits(9).generate(), "splits");
    is_bad(BranchingTrees::new(20).features([1, 5]).generate(), "features");
    is_bad(BranchingTrees::new(20).thickness(-1.0).generate(), "thickness");
    is_bad(RotatedCopies::new(20).n_features(0).generate(), "n_features");
    is_bad(RotatedCopies::new(20).n_features(usize::MAX).generate(), "n_features");
    is_bad(RotatedCopies::new(20).n_datasets(1).generate(), "n_datasets");
    is_bad(RotatedCopies::new(20).scale(0.0).generate(), "scale");
    is_bad(RotatedCopies::new(20).translation(f64::NAN).generate(), "translation");
    is_bad(LiftedCopies::new(20).intrinsic(0).generate(), "intrinsic");
    is_bad(LiftedCopies::new(20).intrinsic(10_001).generate(), "intrinsic");
    is_bad(LiftedCopies::new(20).clusters(0).generate(), "clusters");
    is_bad(LiftedCopies::new(20).clusters(usize::MAX).generate(), "clusters");
    is_bad(LiftedCopies::new(20).features([50]).generate(), "features");
    is_bad(LiftedCopies::new(20).features([50, 4]).generate(), "features");
    is_bad(LiftedCopies::new(20).spread(-0.5).generate(), "spread");
    is_bad(LiftedCopies::new(20).roughness(0.0).generate(), "roughness");
    is_bad(BilingualDocuments::new(20).topics(0).generate(), "topics");
    is_bad(BilingualDocuments::new(20).vocabulary([0, 5]).generate(), "vocabulary");
    is_bad(BilingualDocuments::new(20).length(0.0).generate(), "length");
    is_bad(BilingualDocuments::new(20).concentration(0.0).generate(), "concentration");
    is_bad(BilingualDocuments::new(20).specificity(f64::NAN).generate(), "specificity");
    is_bad(BilingualDocuments::new(20).zipf(-1.0).generate(), "zipf");
    is_bad(BilingualDocuments::new(20).languages(["en", "en"]).generate(), "languages");
}

/// Three datasets: an object is in all of them or in one.
#[test]
fn objects_of_three_datasets_are_dealt_in_turn() {
    let found = LiftedCopies::new(40).features([8, 9, 10]).overlap(0.25).shuffle(true).generate().unwrap();
    assert_eq!(found.datasets.iter().map(Dataset::nrows).collect::<Vec<_>>(), [20, 20, 20]);
    assert!(found.truth.iter().all(|line| matches!(line.iter().filter(|&&row| row >= 0).count(), 1 | 3)));
    assert_eq!(found.pairs(4, 0).unwrap().len(), 12, "each object joins three pairs of datasets");
}
