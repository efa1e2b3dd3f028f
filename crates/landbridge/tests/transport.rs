//! Pairs by optimal transport: copies found again, landmarks, any method, awkward and bad input.

use landbridge::correspondence::{Inferring, SelfTraining};
use landbridge::correspondence::{Keep, TransportPairs};
use landbridge::data::synthetic::RotatedCopies;
use landbridge::data::{ColumnLink, Dataset, Pairs, Rows};
use landbridge::linalg::Matrix;
use landbridge::method::{Cca, InstanceAlignment, Method};
use landbridge::outcome::Warning;
use landbridge::progress::Progress;

/// A spiral that grows thicker: nothing about it is symmetric. The second dataset is turned, stretched and shuffled.
fn spirals(n: usize, m: usize) -> [Dataset; 2] {
    let point = |t: f64| [(6.0 * t).cos() * (0.5 + t), (6.0 * t).sin() * (0.5 + t), 2.0 * t * t];
    let rows = |n: usize, turned: bool| {
        Matrix::from_fn(n, 3, |i, j| {
            let p = point(place(i, n));
            if turned { 3.0 * [p[2], -p[0], p[1]][j] } else { p[j] }
        })
    };
    [Dataset::new("a", rows(n, false)).unwrap(), Dataset::new("b", rows(m, true)).unwrap()]
}

/// Where on the spiral row i is; rows are not in order.
fn place(i: usize, n: usize) -> f64 {
    ((i * 37 + 11) % n) as f64 / n as f64
}

/// How far the strongest partner of each row is along the spiral, in the mean.
fn error(pairs: &Pairs, n: usize, m: usize) -> f64 {
    let mut seen = vec![false; n];
    let (mut sum, mut count) = (0.0, 0usize);
    for l in pairs.links() {
        // The strongest comes first.
        if !std::mem::replace(&mut seen[l.i], true) {
            sum += (place(l.i, n) - place(l.j, m)).abs();
            count += 1;
        }
    }
    assert_eq!(count, n);
    sum / count as f64
}

#[test]
fn a_turned_shuffled_copy_is_found_with_sizes_that_differ() {
    for (n, m) in [(150, 150), (150, 90), (60, 400)] {
        let inferred = TransportPairs::new().infer(&spirals(n, m)).unwrap();
        assert_eq!(inferred.pairs.len(), n * 10);
        assert!(error(&inferred.pairs, n, m) < 0.05, "{n}, {m}: {}", error(&inferred.pairs, n, m));
        assert!(matches!(inferred.warnings[..], [Warning::PairsTransported { .. }]));
        assert!(inferred.pairs.links().iter().all(|l| l.weight > 0.0 && l.weight <= 1.0));
    }
}

#[test]
fn landmarks_carry_the_other_rows() {
    let inferred = TransportPairs::new().landmarks(120).infer(&spirals(900, 700)).unwrap();
    assert!(error(&inferred.pairs, 900, 700) < 0.1, "{}", error(&inferred.pairs, 900, 700));
    let again = TransportPairs::new().landmarks(120).n_jobs(1).infer(&spirals(900, 700)).unwrap();
    assert_eq!(inferred.pairs, again.pairs, "one thread or many");
}

#[test]
fn distances_given_are_as_good_as_rows() {
    let data = spirals(80, 70);
    let distances: Vec<Matrix<f64>> = data
        .iter()
        .map(|d| {
            let landbridge::data::Rows::F64(m) = d.rows() else { unreachable!() };
            Matrix::from_fn(m.nrows(), m.nrows(), |i, j| {
                m.row(i).iter().zip(m.row(j)).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
            })
        })
        .collect();
    let given = TransportPairs::new().infer_from_distances(&distances).unwrap();
    let own = TransportPairs::new().infer(&data).unwrap();
    let strongest = |p: &Pairs| p.links().iter().step_by(10).map(|l| l.j).collect::<Vec<_>>();
    assert_eq!(strongest(&given.pairs), strongest(&own.pairs));
}

#[test]
fn any_method_takes_the_pairs_of_three_datasets() {
    let copies = RotatedCopies::new(80).n_features(12).n_datasets(3).generate().unwrap();
    for base in [Box::new(Cca::new(3)) as Box<dyn Method>, Box::new(InstanceAlignment::new(3))] {
        let fitted = Inferring::boxed(base, TransportPairs::new());
        let fitted = fitted.fit_with(&copies.datasets, &Pairs::none(3), &Progress::silent()).unwrap();
        assert!(fitted.pairs().iter().all(|l| l.a == 0));
        assert!(fitted.outcome().warnings.iter().any(|w| matches!(w, Warning::PairsTransported { .. })));
    }
    let trained = Inferring::new(SelfTraining::new(), TransportPairs::new().keep(Keep::Mutual));
    assert!(trained.fit_with(&copies.datasets[..2], &Pairs::none(2), &Progress::silent()).is_ok());
}

#[test]
fn awkward_input_is_defined_and_bad_input_refused() {
    let data = spirals(60, 50);
    let told = |t: TransportPairs| t.infer(&data).unwrap_err().to_string();
    assert!(told(TransportPairs::new().epsilon(0.0)).contains("epsilon is 0"));
    assert!(told(TransportPairs::new().keep(Keep::Strongest(0))).contains("keep is 0"));
    assert!(told(TransportPairs::new().landmarks(1)).contains("landmarks is 1"));
    assert!(told(TransportPairs::new().n_neighbors(Some(50))).contains("n_neighbors is 50, but dataset"));
    let same = Dataset::new("same", Matrix::from_fn(20, 3, |_, _| 1.5)).unwrap();
    let simplex = Dataset::new("simplex", Matrix::from_fn(20, 20, |i, j| f64::from(u8::from(i == j)))).unwrap();
    for flat in [same, simplex] {
        let said = TransportPairs::new().infer(&[data[0].clone(), flat]).unwrap_err().to_string();
        assert!(said.contains("all distances between its rows are equal"), "{said}");
    }
    // Doubled rows, two rows, and one neighbour.
    let doubled = Dataset::new("b", Matrix::from_fn(40, 3, |i, j| ((i / 2 * 7) % 20) as f64 * (j + 1) as f64 % 5.0)).unwrap();
    let few = Dataset::new("b", Matrix::from_fn(3, 2, |i, j| (i * i + j) as f64)).unwrap();
    for other in [doubled, few] {
        for k in [None, Some(1)] {
            let found = TransportPairs::new().n_neighbors(k).infer(&[data[0].clone(), other.clone()]).unwrap();
            assert!(found.pairs.links().iter().all(|l| l.weight.is_finite() && l.weight > 0.0));
        }
    }
}

/// The spiral; the first dataset has 30 rows more, far from it.
fn with_a_group_of_its_own() -> [Dataset; 2] {
    let [first, second] = spirals(150, 120);
    let Rows::F64(spiral) = first.rows() else { panic!("dense rows") };
    let rows = Matrix::from_fn(180, 3, |i, j| match i {
        0..150 => spiral[(i, j)],
        _ => [8.0, -7.0, 0.0][j] + 0.3 * (i as f64 * [1.7, 2.3, 0.9][j]).sin(),
    });
    [Dataset::new("a", rows).unwrap(), second]
}

#[test]
fn rows_that_the_other_dataset_lacks_lose_mass_and_are_counted() {
    let (n, data) = (180, with_a_group_of_its_own());
    let even = TransportPairs::new().infer(&data).unwrap();
    let relaxed = TransportPairs::new().rho(Some(0.02)).infer(&data).unwrap();
    let share = |pairs: &Pairs| {
        let sum = |own: bool| pairs.links().iter().filter(|l| (l.i >= 150) == own).map(|l| l.weight).sum::<f64>();
        sum(true) / (sum(true) + sum(false))
    };
    assert!(share(&relaxed.pairs) < 0.5 * share(&even.pairs), "{} and {}", share(&relaxed.pairs), share(&even.pairs));
    let told = |w: &Warning| matches!(w, Warning::RowsWithLittleMass { sides } if sides[0].0 == "a" && sides[0].1 > 0 && sides[0].2 == n);
    assert!(relaxed.warnings.iter().any(told), "{:?}", relaxed.warnings);
    assert!(relaxed.warnings.iter().any(|w| w.to_string().contains("of 180 rows of a")));
    assert!(!even.warnings.iter().any(|w| matches!(w, Warning::RowsWithLittleMass { .. })));
    let one = TransportPairs::new().rho(Some(0.02)).n_jobs(1).infer(&data).unwrap();
    assert_eq!(relaxed.pairs, one.pairs, "one thread or many");
    let refused = |rho: f64| TransportPairs::new().rho(Some(rho)).infer(&data).unwrap_err().to_string();
    assert!(refused(0.0).contains("rho is 0") && refused(f64::NAN).contains("rho"));
}

#[test]
fn linked_columns_tell_a_shape_from_its_mirror_image() {
    // Points of a circle have no direction of their own. Two linked columns say where each is.
    let n = 120;
    let at = |i: usize| std::f64::consts::TAU * ((i * 37) % n) as f64 / n as f64;
    let rows = |turned: f64| {
        Matrix::from_fn(n, 12, |i, j| match j {
            0..10 => 3.0 * (at(i) + turned + std::f64::consts::TAU * j as f64 / 10.0).cos(),
            10 => at(i).cos(),
            _ => at(i).sin(),
        })
    };
    let data = [Dataset::new("a", rows(0.0)).unwrap(), Dataset::new("b", rows(2.0)).unwrap()];
    let links: Vec<ColumnLink> = (10..12).map(|j| ColumnLink { a: 0, i: j, b: 1, j, weight: 1.0 }).collect();
    let linked = TransportPairs::new().infer_linked(&data, &links, &Progress::silent()).unwrap();
    let apart = |pairs: &Pairs| {
        let off = |l: &landbridge::data::Link| l.weight * (1.0 - (at(l.i) - at(l.j)).cos());
        pairs.links().iter().map(off).sum::<f64>() / pairs.links().iter().map(|l| l.weight).sum::<f64>()
    };
    assert!(apart(&linked.pairs) < 0.05, "{}", apart(&linked.pairs));
    // Any method takes them.
    let method = Inferring::new(Cca::new(2), TransportPairs::new());
    let fitted = method.fit_with(&data, &Pairs::none(2).with_column_links(links.clone()), &Progress::silent()).unwrap();
    assert_eq!(fitted.pairs(), linked.pairs.links());
    // Bad links: one alone, a column that is not there, three datasets.
    let refused = |data: &[Dataset], links: &[ColumnLink]| {
        TransportPairs::new().infer_linked(data, links, &Progress::silent()).unwrap_err().to_string()
    };
    assert!(refused(&data, &links[..1]).contains("at least 2 links"));
    assert!(refused(&data, &[links[0], ColumnLink { j: 40, ..links[1] }]).contains("column 11 with column 40"));
    let three = [data[0].clone(), data[1].clone(), Dataset::new("c", rows(1.0)).unwrap()];
    assert!(refused(&three, &links).contains("between two datasets"));
    let patterns = Inferring::new(Cca::new(2), landbridge::correspondence::InferPairs::new());
    let said = patterns.fit_with(&data, &Pairs::none(2).with_column_links(links), &Progress::silent()).unwrap_err().to_string();
    assert!(said.contains("local patterns"), "{said}");
}
