use super::*;
use crate::data::Prepare;
use crate::embed::{Embedder, Unchanged};
use crate::linalg::{Csr, Matrix};
use crate::method::{Cca, LinearAlignment, LinearTransform, ProcrustesAlignment};
use crate::params::Params as _;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::path::Path;

/// Two noisy views of a few latent columns, far from 0, of different scales.
fn views(n: usize, p: usize, q: usize, seed: u64) -> [Matrix<f64>; 2] {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut normal = move || (0..12).map(|_| rng.random_range(0.0..1.0)).sum::<f64>() - 6.0;
    let latent = Matrix::from_fn(n, 4, |_, c| normal() * (4 - c) as f64);
    [p, q].map(|columns| {
        let loadings = Matrix::from_fn(4, columns, |_, _| normal());
        Matrix::from_fn(n, columns, |i, j| {
            let signal: f64 = (0..4).map(|c| latent[(i, c)] * loadings[(c, j)]).sum();
            (signal + 0.5 * normal() + 3.0) * (1.0 + j as f64)
        })
    })
}

fn datasets(rows: [Matrix<f64>; 2]) -> Vec<Dataset> {
    let [x, y] = rows;
    vec![Dataset::new("a", x).unwrap(), Dataset::new("b", y).unwrap()]
}

fn diagonal(n: usize) -> Pairs {
    Pairs::from_table(&(0..n as i64).map(|i| [i, i]).collect::<Vec<_>>()).unwrap()
}

fn procrustes() -> ProcrustesAlignment {
    ProcrustesAlignment::new(Embedder::None(Unchanged::blank()))
}

/// The largest difference of the places of both models for these rows, relative to their size.
fn difference(a: &Alignment, b: &Alignment, data: &[Dataset]) -> f64 {
    let mut worst = 0.0f64;
    for (at, dataset) in data.iter().enumerate() {
        let (x, y) = (a.transform(dataset.rows(), at).unwrap(), b.transform(dataset.rows(), at).unwrap());
        let size = y.as_slice().iter().fold(0.0f64, |m, v| m.max(v.abs()));
        assert_eq!((x.nrows(), x.ncols()), (y.nrows(), y.ncols()));
        worst = x.as_slice().iter().zip(y.as_slice()).fold(worst, |m, (x, y)| m.max((x - y).abs() / size));
        assert!(x.as_slice().iter().chain(y.as_slice()).all(|v| v.is_finite()));
    }
    worst
}

/// The model without the seconds that it took.
fn bytes(mut model: Alignment) -> Vec<u8> {
    model.outcome.seconds.clear();
    model.to_bytes().unwrap()
}

fn solved_as_fitted(method: &dyn Method, data: &[Dataset], pairs: &Pairs) -> Alignment {
    let model = Statistics::of(data, pairs).unwrap().solve(method).unwrap();
    let whole = method.fit_with(data, pairs, &Progress::silent()).unwrap();
    let off = difference(&model, &whole, data);
    assert!(off < 1e-10, "{}: {off:e}", method.schema().name);
    for (a, b) in model.eigenvalues().iter().zip(whole.eigenvalues()) {
        assert!((a - b).abs() < 1e-10);
    }
    let (a, b) = (model.outcome(), whole.outcome());
    assert_eq!((a.rank, &a.warnings), (b.rank, &b.warnings), "{}", method.schema().name);
    assert!(!model.has_rows() && model.pairs().is_empty());
    model
}

#[test]
fn what_is_solved_is_what_is_fitted() {
    let data = datasets(views(300, 7, 5, 1));
    let pairs = diagonal(300);
    for prepare in [Prepare::Center, Prepare::None, Prepare::Standardize, Prepare::Auto] {
        for ridge in [Some(0.0), Some(0.1), None] {
            solved_as_fitted(&Cca::new(4).ridge(ridge).prepare(prepare), &data, &pairs);
            solved_as_fitted(&LinearTransform::new().ridge(ridge).prepare(prepare), &data, &pairs);
        }
    }
    for (scaling, reflection) in [(true, true), (false, true), (true, false)] {
        solved_as_fitted(&procrustes().scaling(scaling).reflection(reflection), &data, &pairs);
    }
    solved_as_fitted(&Cca::new(3).ridge(0.1).unit_length(Some(true)).weight_components(Some(true)), &data, &pairs);
}

#[test]
fn unpaired_rows_many_to_many_pairs_and_weights_count_as_in_a_fit() {
    let data = datasets(views(200, 6, 6, 2));
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let mut pairs = Pairs::none(2);
    for _ in 0..150 {
        let i = rng.random_range(0..120);
        pairs.add(0, i, 1, (i + rng.random_range(0..2)) % 120, rng.random_range(0.5..2.0)).unwrap();
    }
    let method = Cca::new(3).ridge(0.05);
    let model = Statistics::of(&data, &pairs).unwrap().solve(&method).unwrap();
    assert!(difference(&model, &method.fit(&data, &pairs).unwrap(), &data) < 1e-10);
    let model = Statistics::of(&data, &pairs).unwrap().solve(&procrustes()).unwrap();
    assert!(difference(&model, &procrustes().fit(&data, &pairs).unwrap(), &data) < 1e-10);
}

#[test]
fn awkward_rows_are_solved_as_they_are_fitted() {
    // More columns than pairs, constant columns, single precision, sparse rows, huge and tiny values.
    let wide = datasets(views(20, 30, 25, 3));
    // Signs are fixed by the coordinates of the row space there, by the features here.
    let model = Statistics::of(&wide, &diagonal(20)).unwrap().solve(&Cca::new(3).ridge(0.3)).unwrap();
    let whole = Cca::new(3).ridge(0.3).fit(&wide, &diagonal(20)).unwrap();
    for (at, d) in wide.iter().enumerate() {
        let (x, y) = (model.transform(d.rows(), at).unwrap(), whole.transform(d.rows(), at).unwrap());
        assert!(x.as_slice().iter().zip(y.as_slice()).all(|(x, y)| (x.abs() - y.abs()).abs() < 1e-10));
    }
    let [x, y] = views(80, 5, 4, 4);
    let flat = |m: &Matrix<f64>| Matrix::from_fn(m.nrows(), m.ncols() + 1, |i, j| if j < m.ncols() { m[(i, j)] } else { 7.25 });
    solved_as_fitted(&Cca::new(3).ridge(0.1), &datasets([flat(&x), flat(&y)]), &diagonal(80));
    let narrow = vec![Dataset::new("a", x.to_f32()).unwrap(), Dataset::new("b", Csr::from_dense(&y)).unwrap()];
    solved_as_fitted(&LinearTransform::new().ridge(0.1), &narrow, &diagonal(80));
    for (large, small) in [(1e200, 1e-200), (1e150, 1.0), (1.0, 1e-150)] {
        let times = |m: &Matrix<f64>, f: f64| Matrix::from_fn(m.nrows(), m.ncols(), |i, j| m[(i, j)] * f);
        let data = datasets([times(&x, large), times(&y, small)]);
        for method in [&Cca::new(3).ridge(0.1) as &dyn Method, &procrustes()] {
            let model = Statistics::of(&data, &diagonal(80)).unwrap().solve(method);
            let whole = method.fit_with(&data, &diagonal(80), &Progress::silent());
            // From 1e-200 to 1e200 Procrustes would scale by 1e400.
            if (method.schema().name, large) == ("procrustes", 1e200) {
                assert!(matches!(model, Err(Error::Overflow { .. })) && matches!(whole, Err(Error::Overflow { .. })));
                continue;
            }
            assert!(difference(&model.unwrap(), &whole.unwrap(), &data) < 1e-9, "{large:e}");
        }
    }
    // Columns far from 0, where sums of squares in double precision would keep nothing.
    let far = |m: &Matrix<f64>| Matrix::from_fn(m.nrows(), m.ncols(), |i, j| m[(i, j)] + 1e9);
    let data = datasets([far(&x), far(&y)]);
    let model = Statistics::of(&data, &diagonal(80)).unwrap().solve(&Cca::new(3).ridge(0.1)).unwrap();
    let whole = Cca::new(3).ridge(0.1).fit(&data, &diagonal(80)).unwrap();
    assert!((model.eigenvalues()[0] - whole.eigenvalues()[0]).abs() < 1e-9);
}

/// The rows of a shard, under their own numbers.
fn shard(data: &[Dataset], rows: &[usize], name: usize) -> Statistics {
    if rows.is_empty() {
        return Statistics::empty([Described::of(&data[0]), Described::of(&data[1])]).unwrap();
    }
    let part: Vec<Dataset> = data.iter().map(|d| d.select(rows)).collect();
    Statistics::of_shard(&format!("shard {name}"), &part, &diagonal(rows.len()), 1).unwrap()
}

/// As [`shard`], with landmarks.
fn shard_near(data: &[Dataset], rows: &[usize], name: usize, landmarks: &Landmarks) -> Statistics {
    if rows.is_empty() {
        return shard(data, rows, name);
    }
    let part: Vec<Dataset> = data.iter().map(|d| d.select(rows)).collect();
    Statistics::of_shard_near(&format!("shard {name}"), &part, &diagonal(rows.len()), Some(landmarks), 1).unwrap()
}

#[test]
fn any_cut_into_shards_and_any_order_gives_the_same_bytes() {
    let data = datasets(views(600, 6, 5, 6));
    let methods: [Box<dyn Method>; 4] = [
        Box::new(Cca::new(4)),
        Box::new(LinearTransform::new().prepare(Prepare::Standardize)),
        Box::new(procrustes()),
        Box::new(LinearAlignment::new(4)),
    ];
    let landmarks = Landmarks::of(&data, 20).unwrap();
    let whole = Statistics::of_shard_near("all", &data, &diagonal(600), Some(&landmarks), 0).unwrap();
    let expected: Vec<Vec<u8>> = methods.iter().map(|m| bytes(whole.solve(&**m).unwrap())).collect();
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    for round in 0..100 {
        let count = [1, 2, 7, 64, 500][round % 5];
        let mut order: Vec<usize> = (0..600).collect();
        order.shuffle(&mut rng);
        let mut cuts: Vec<usize> = (0..count - 1).map(|_| rng.random_range(0..=600)).collect();
        cuts.extend([0, 600]);
        cuts.sort_unstable();
        let mut parts: Vec<Statistics> =
            cuts.windows(2).enumerate().map(|(k, w)| shard_near(&data, &order[w[0]..w[1]], k, &landmarks)).collect();
        assert_eq!(parts.len(), count);
        // Merged in pairs until one is left: a random tree.
        while parts.len() > 1 {
            let one = parts.swap_remove(rng.random_range(0..parts.len()));
            let at = rng.random_range(0..parts.len());
            parts[at].merge(one).unwrap();
        }
        assert_eq!((parts[0].n_pairs(), parts[0].n_rows()), (600, [600, 600]));
        for (method, expected) in methods.iter().zip(&expected) {
            assert!(bytes(parts[0].solve(&**method).unwrap()) == *expected, "{count} shards, {}", method.schema().name);
        }
    }
}

#[test]
fn the_same_shards_in_any_order_give_the_same_file() {
    let data = datasets(views(90, 4, 3, 8));
    let parts: Vec<Statistics> = (0..9).map(|k| shard(&data, &(10 * k..10 * k + 10).collect::<Vec<_>>(), k)).collect();
    let merged = |order: &[usize]| {
        let mut all = parts[order[0]].clone();
        order[1..].iter().for_each(|&k| all.merge(parts[k].clone()).unwrap());
        all.to_bytes().unwrap()
    };
    let first = merged(&[0, 1, 2, 3, 4, 5, 6, 7, 8]);
    assert_eq!(merged(&[8, 3, 1, 0, 2, 7, 6, 5, 4]), first);
    let back = Statistics::from_bytes(&first, Path::new("s.stats")).unwrap();
    assert_eq!(back.to_bytes().unwrap(), first);
    assert_eq!(
        bytes(back.solve(&Cca::new(2)).unwrap()),
        bytes({
            let whole = Statistics::of(&data, &diagonal(90)).unwrap();
            whole.solve(&Cca::new(2)).unwrap()
        })
    );
}

/// The graph `Z Λ⁻¹ Z'` of all rows, formed.
fn landmark_graph(rows: &Rows, landmarks: &Rows) -> Csr {
    let z = landmarks::memberships(rows, landmarks).unwrap().to_dense();
    let mass: Vec<f64> = (0..z.ncols()).map(|k| (0..z.nrows()).map(|i| z[(i, k)]).sum()).collect();
    let weight = |i: usize, j: usize| (0..z.ncols()).filter(|&k| mass[k] > 0.0).map(|k| z[(i, k)] * z[(j, k)] / mass[k]).sum();
    let whole = Matrix::from_fn(z.nrows(), z.nrows(), |i, j| if i <= j { weight(i, j) } else { weight(j, i) });
    Csr::from_dense(&whole)
}

/// How far the maps are from solving `(X'LX + R) f = λ X'MX f` with all matrices formed, relative to the left-hand side.
fn unsolved(
    solved: &Alignment,
    data: &[Dataset],
    pairs: &Pairs,
    graphs: &[Csr],
    (strength, centred, by_degree): (f64, bool, bool),
) -> f64 {
    let (n, p) = ([data[0].nrows(), data[1].nrows()], [data[0].ncols(), data[1].ncols()]);
    let (rows, features) = (n[0] + n[1], p[0] + p[1]);
    let (row, column) = ([0, n[0]], [0, p[0]]);
    let mut w = Matrix::zeros(rows, rows);
    for (a, graph) in graphs.iter().enumerate() {
        (0..n[a]).for_each(|i| graph.row(i).for_each(|(k, v)| w[(row[a] + i, row[a] + k as usize)] = v));
    }
    let mu = solved.outcome().mu_effective.unwrap();
    for l in pairs.links() {
        w[(l.i, n[0] + l.j)] += mu * l.weight;
        w[(n[0] + l.j, l.i)] += mu * l.weight;
    }
    let degree: Vec<f64> = (0..rows).map(|i| (0..rows).map(|k| w[(i, k)]).sum()).collect();
    let mut x = Matrix::zeros(rows, features);
    let mut maps = Matrix::zeros(features, solved.n_components());
    for a in 0..2 {
        let Rows::F64(own) = data[a].rows() else { panic!("dense rows") };
        for j in 0..p[a] {
            let mean = if centred { (0..n[a]).map(|i| own[(i, j)]).sum::<f64>() / n[a] as f64 } else { 0.0 };
            (0..n[a]).for_each(|i| x[(row[a] + i, column[a] + j)] = own[(i, j)] - mean);
        }
        // What the map does to a step along each feature.
        let steps = Matrix::from_fn(p[a] + 1, p[a], |i, j| f64::from(u8::from(i == j + 1)));
        let placed = solved.transform(&steps.into(), a).unwrap();
        for j in 0..p[a] {
            (0..maps.ncols()).for_each(|c| maps[(column[a] + j, c)] = placed[(j + 1, c)] - placed[(0, c)]);
        }
    }
    let product = |m: &dyn Fn(usize, usize) -> f64, u: usize, v: usize| -> f64 {
        (0..rows).map(|i| x[(i, u)] * (0..rows).map(|k| m(i, k) * x[(k, v)]).sum::<f64>()).sum()
    };
    let laplacian = |i: usize, k: usize| if i == k { degree[i] - w[(i, k)] } else { -w[(i, k)] };
    let weighed = |i: usize, k: usize| if i == k { degree[i] } else { 0.0 };
    let mass = |i: usize, k: usize| if i == k && !by_degree { 1.0 } else { weighed(i, k) };
    let formed = |m: &dyn Fn(usize, usize) -> f64| Matrix::from_fn(features, features, |u, v| product(m, u, v));
    let (left, right, by_degrees) = (formed(&laplacian), formed(&mass), formed(&weighed));
    let ridge: Vec<f64> = (0..2)
        .map(|a| strength * (0..p[a]).map(|j| by_degrees[(column[a] + j, column[a] + j)]).sum::<f64>() / p[a] as f64)
        .collect();
    let (mut off, mut size) = (0.0f64, 0.0f64);
    for (c, value) in solved.eigenvalues().iter().enumerate() {
        for u in 0..features {
            let own = ridge[usize::from(u >= p[0])] * maps[(u, c)];
            let one: f64 = (0..features).map(|v| left[(u, v)] * maps[(v, c)]).sum::<f64>() + own;
            let other: f64 = (0..features).map(|v| right[(u, v)] * maps[(v, c)]).sum::<f64>() * value;
            off = off.max((one - other).abs());
            size = size.max(one.abs());
        }
    }
    off / size
}

#[test]
fn linear_maps_are_those_of_the_landmark_graph() {
    let data = datasets(views(120, 5, 4, 15));
    let landmarks = Landmarks::of(&data, 12).unwrap();
    let graphs: Vec<Csr> =
        data.iter().map(|d| landmark_graph(d.rows(), &d.rows().select(&(0..12).map(|k| k * 10).collect::<Vec<_>>()))).collect();
    // Every row has degree 1, itself included.
    assert!(graphs.iter().all(|g| g.row_sums().iter().all(|s| (s - 1.0).abs() < 1e-12)));
    let mut pairs = Pairs::none(2);
    (0..60).for_each(|i| pairs.add(0, i, 1, i, 1.0 + (i % 3) as f64).unwrap());
    let sums = Statistics::of_shard_near("all", &data, &pairs, Some(&landmarks), 1).unwrap();
    for (method, asked) in [
        (LinearAlignment::new(3).ridge(Some(0.1)), (0.1, true, true)),
        (LinearAlignment::new(3).ridge(Some(0.01)).prepare(Prepare::None).mu(2.0).balance(false), (0.01, false, true)),
        (LinearAlignment::new(2).ridge(Some(0.2)).constraint(crate::method::Constraint::Identity), (0.2, true, false)),
    ] {
        let off = unsolved(&sums.solve(&method).unwrap(), &data, &pairs, &graphs, asked);
        assert!(off < 1e-8, "{asked:?}: {off:e}");
    }
    // Without a ridge, and with the ridge that the pairs ask for.
    assert_eq!(sums.solve(&LinearAlignment::new(3).ridge(Some(0.0))).unwrap().n_components(), 3);
    assert_eq!(sums.solve(&LinearAlignment::new(3)).unwrap().n_components(), 3);
}

#[test]
fn landmarks_are_the_same_in_all_shards_or_refused() {
    let data = datasets(views(80, 4, 3, 16));
    let (some, other) = (Landmarks::of(&data, 10).unwrap(), Landmarks::of(&data, 11).unwrap());
    let rows = |from: usize| (from..from + 40).collect::<Vec<_>>();
    let first = shard_near(&data, &rows(0), 0, &some);
    let merged = |second: Statistics| first.clone().merge(second).map_err(|e| e.to_string());
    assert!(merged(shard_near(&data, &rows(40), 1, &some)).is_ok());
    assert!(merged(shard_near(&data, &rows(40), 1, &other)).unwrap_err().contains("with other landmarks"));
    assert!(merged(shard(&data, &rows(40), 1)).unwrap_err().contains("without landmarks"));
    let back = Statistics::from_bytes(&first.to_bytes().unwrap(), Path::new("s.stats")).unwrap();
    assert_eq!((back.to_bytes().unwrap(), back.n_landmarks()), (first.to_bytes().unwrap(), Some([10, 10])));
    // Columns in another order, of a shard and of the landmarks.
    let named = |order: &[usize]| {
        let x = Matrix::from_fn(80, 4, |i, j| match data[0].rows() {
            Rows::F64(m) => m[(i, order[j])],
            _ => 0.0,
        });
        let names: Vec<String> = order.iter().map(|j| format!("c{j}")).collect();
        vec![Dataset::new("a", x).unwrap().with_columns(names).unwrap(), data[1].clone()]
    };
    let (plain, turned) = (named(&[0, 1, 2, 3]), named(&[2, 0, 3, 1]));
    let near = Landmarks::of(&turned, 10).unwrap();
    let expected = Statistics::of_shard_near("all", &plain, &diagonal(80), Some(&Landmarks::of(&plain, 10).unwrap()), 1).unwrap();
    let mut parts = shard_near(&plain, &(0..50).collect::<Vec<_>>(), 0, &near);
    parts.merge(shard_near(&turned, &(50..60).collect::<Vec<_>>(), 1, &near)).unwrap();
    parts.merge(shard_near(&plain, &(60..80).collect::<Vec<_>>(), 2, &near)).unwrap();
    let model = |s: &Statistics| bytes(s.solve(&LinearAlignment::new(2)).unwrap());
    assert_eq!(model(&parts), model(&expected));
    let short = Landmarks::of(&datasets(views(80, 3, 3, 16)), 10).unwrap();
    let error = Statistics::of_shard_near("x", &data, &diagonal(80), Some(&short), 1).unwrap_err().to_string();
    assert!(error.contains("landmarks of dataset \"a\""), "{error}");
}

#[test]
fn rows_and_pairs_counted_apart_are_those_counted_together() {
    let data = datasets(views(50, 4, 3, 9));
    let named = || [Described::of(&data[0]), Described::of(&data[1])];
    let mut parts = Statistics::of_pairs("pairs 0 to 50", named(), data[0].rows(), data[1].rows(), 1).unwrap();
    for (side, dataset) in data.iter().enumerate() {
        for from in [0, 25] {
            let rows = dataset.rows().select(&(from..from + 25).collect::<Vec<_>>());
            let name = format!("rows {from} to {} of {side}", from + 25);
            parts.merge(Statistics::of_rows(&name, named(), side, &rows, 1).unwrap()).unwrap();
        }
    }
    let whole = Statistics::of(&data, &diagonal(50)).unwrap();
    assert_eq!(bytes(parts.solve(&Cca::new(2)).unwrap()), bytes(whole.solve(&Cca::new(2)).unwrap()));
    let short = data[1].rows().select(&[0]);
    assert!(Statistics::of_pairs("x", named(), data[0].rows(), &short, 1).is_err());
    assert!(Statistics::of_rows("x", named(), 0, data[1].rows(), 1).is_err());
}

#[test]
fn shards_that_do_not_go_together_are_refused_and_columns_put_in_order() {
    let [x, y] = views(40, 3, 2, 10);
    let named = |rows: &[usize], columns: [&str; 3], order: [usize; 3]| {
        let part = Matrix::from_fn(rows.len(), 3, |i, j| x[(rows[i], order[j])]);
        let a = Dataset::new("a", part).unwrap().with_columns(columns.map(String::from).into()).unwrap();
        let b = Dataset::new("b", y.select_rows(rows)).unwrap();
        vec![a, b]
    };
    let of = |name: &str, data: &[Dataset]| Statistics::of_shard(name, data, &diagonal(data[0].nrows()), 1).unwrap();
    let (left, right): (Vec<usize>, Vec<usize>) = ((0..20).collect(), (20..40).collect());
    let first = of("s1", &named(&left, ["u", "v", "w"], [0, 1, 2]));
    let second = of("s2", &named(&right, ["w", "u", "v"], [2, 0, 1]));
    let straight = of("s2", &named(&right, ["u", "v", "w"], [0, 1, 2]));
    let merged = |parts: [&Statistics; 2]| {
        let mut all = parts[0].clone();
        all.merge(parts[1].clone()).map(|()| all)
    };
    let (one, other) = (merged([&first, &second]).unwrap(), merged([&second, &first]).unwrap());
    assert_eq!(one.to_bytes().unwrap(), other.to_bytes().unwrap());
    assert_eq!((one.reordered().len(), other.reordered().len()), (1, 1));
    // The order of most shards is taken, in any order and grouping of merging.
    let (third, fourth): (Vec<usize>, Vec<usize>) = ((0..10).collect(), (10..17).collect());
    let more = [of("s5", &named(&third, ["w", "u", "v"], [2, 0, 1])), of("s6", &named(&fourth, ["w", "v", "u"], [2, 1, 0]))];
    let mut files = vec![];
    for order in [[0, 1, 2, 3], [3, 2, 1, 0], [1, 3, 0, 2], [2, 0, 3, 1]] {
        let part = |k: usize| [&first, &second, &more[0], &more[1]][k];
        let (mut left, right) =
            (merged([part(order[0]), part(order[1])]).unwrap(), merged([part(order[2]), part(order[3])]).unwrap());
        left.merge(right).unwrap();
        assert_eq!(
            (left.datasets()[0].columns.clone().unwrap().join(""), left.reordered().join(" ")),
            ("wuv".into(), "s1 s6".into())
        );
        let file = left.to_bytes().unwrap();
        assert_eq!(Statistics::from_bytes(&file, Path::new("s.stats")).unwrap().to_bytes().unwrap(), file);
        files.push(file);
    }
    assert!(files.iter().all(|file| *file == files[0]));
    // The same model as from columns in one order, whichever order that is.
    let plain = merged([&first, &straight]).unwrap();
    let (a, b) = (one.solve(&Cca::new(2).ridge(0.1)).unwrap(), plain.solve(&Cca::new(2).ridge(0.1)).unwrap());
    assert!((a.eigenvalues()[0] - b.eigenvalues()[0]).abs() < 1e-12);
    let message = |parts: [&Statistics; 2]| merged(parts).unwrap_err().to_string();
    let again = of("copy", &named(&left, ["u", "v", "w"], [0, 1, 2]));
    assert_eq!(message([&first, &again]), "shard \"copy\" has the rows and pairs of \"s1\", so that they would count twice");
    // In another order of rows and columns as well.
    let turned: Vec<usize> = (0..20).rev().collect();
    assert!(message([&first, &of("turned", &named(&turned, ["w", "u", "v"], [2, 0, 1]))]).contains("has the rows and pairs of"));
    let other = of("s3", &named(&right, ["u", "v", "z"], [0, 1, 2]));
    assert_eq!(message([&first, &other]), "shard \"s3\" does not go with \"s1\": its dataset \"a\" has no column \"w\"");
    let renamed: Vec<Dataset> =
        named(&right, ["u", "v", "w"], [0, 1, 2]).into_iter().zip(["a", "c"]).map(|(d, n)| d.renamed(n)).collect();
    assert!(message([&first, &of("s4", &renamed)]).ends_with("its dataset is called \"c\", not \"b\""));
    let narrow = datasets([Matrix::from_fn(20, 2, |i, j| x[(i, j)]), y.select_rows(&left)]);
    assert!(message([&first, &of("s5", &narrow)]).ends_with("its dataset \"a\" has 2 columns, not 3"));
}

#[test]
fn a_shard_of_the_same_ids_is_refused_in_any_precision() {
    let [x, y] = views(20, 3, 2, 14);
    let ids = |order: &[usize]| order.iter().map(|i| format!("r{i}")).collect::<Vec<_>>();
    let of = |name: &str, order: &[usize], single: bool| {
        let rows = |m: &Matrix<f64>| {
            let m = m.select_rows(order);
            if single { Rows::F32(m.to_f32()) } else { m.into() }
        };
        let dataset = |name: &str, m| Dataset::new(name, rows(m)).unwrap().with_row_ids(ids(order)).unwrap();
        Statistics::of_shard(name, &[dataset("a", &x), dataset("b", &y)], &diagonal(order.len()), 1).unwrap()
    };
    let (order, turned): (Vec<usize>, Vec<usize>) = ((0..20).collect(), (0..20).rev().collect());
    let mut all = of("s1", &order, false);
    let message = all.merge(of("s2", &turned, true)).unwrap_err();
    assert_eq!(message.to_string(), "shard \"s2\" has the ids of \"s1\", so that they would count twice");
    assert!(message.hint().unwrap().contains("--id-column none"));
    // The file keeps what is needed to notice it.
    let mut back = Statistics::from_bytes(&all.to_bytes().unwrap(), Path::new("s.stats")).unwrap();
    assert!(back.merge(of("s2", &turned, true)).is_err());
    assert!(back.merge(of("s3", &order[..19], false)).is_ok());
}

#[test]
fn what_statistics_cannot_say_is_refused() {
    let data = datasets(views(30, 3, 3, 11));
    let whole = Statistics::of(&data, &diagonal(30)).unwrap();
    let message = |method: &dyn Method| whole.solve(method).unwrap_err().to_string();
    assert!(message(&LinearAlignment::new(2)).starts_with("linear maps from statistics without landmarks is not defined"));
    assert!(message(&crate::method::InstanceAlignment::new(2)).contains("from statistics is not defined: it needs the rows"));
    assert!(message(&Cca::new(2).prepare(Prepare::Unit)).starts_with("prepare \"unit\" from statistics"));
    assert!(message(&Cca::new(2).n_principal(Some(2))).contains("principal directions"));
    assert!(message(&ProcrustesAlignment::new(crate::embed::Pca::new(2))).starts_with("the embedding \"pca\" from statistics"));
    let none = Statistics::of(&data, &Pairs::none(2)).unwrap();
    assert!(matches!(none.solve(&Cca::new(2)), Err(Error::NoPairs { .. })));
    assert!(matches!(Statistics::of(&data[..1], &Pairs::none(1)), Err(Error::BadParameter { .. })));
    let mut heavy = Pairs::none(2);
    heavy.add(0, 0, 1, 0, f64::MAX).unwrap();
    assert!(matches!(Statistics::of(&data, &heavy), Err(Error::Overflow { .. })));
    let wide = || Described { name: "w".into(), n_features: 1 << 20, columns: None };
    assert!(matches!(Statistics::empty([wide(), Described { name: "v".into(), ..wide() }]), Err(Error::Memory { .. })));
    // Counts are said to be centred only.
    let counts = datasets([10, 20].map(|s| Matrix::from_fn(30, 3, |i, j| ((i * 7 + j * s) % 5) as f64)));
    let model = Statistics::of(&counts, &diagonal(30)).unwrap().solve(&Cca::new(1)).unwrap();
    assert!(model.outcome().warnings.iter().any(|w| w.to_string().contains("only whole numbers")));
}

#[test]
fn mutated_files_are_refused() {
    let data = datasets(views(30, 3, 2, 12));
    let plain = Statistics::of(&data, &diagonal(30)).unwrap().to_bytes().unwrap();
    let landmarks = Landmarks::of(&data, 4).unwrap();
    let near = Statistics::of_shard_near("all", &data, &diagonal(30), Some(&landmarks), 1).unwrap().to_bytes().unwrap();
    refused(&data, &plain, 10_000);
    refused(&data, &near, 4_000);
    // A version that does not go with the content.
    let mut other = near.clone();
    other[16] = 1;
    let end = other.len() - 32;
    let sum = *blake3::hash(&other[..end]).as_bytes();
    other[end..].copy_from_slice(&sum);
    let error = Statistics::from_bytes(&other, Path::new("s.stats")).unwrap_err().to_string();
    assert!(error.contains("its version does not go with its landmarks"), "{error}");
}

/// Changes a file so many times; every change is refused, or at least does not panic.
fn refused(data: &[Dataset], good: &[u8], times: usize) {
    let read = |bytes: &[u8]| Statistics::from_bytes(bytes, Path::new("s.stats"));
    let mut rng = ChaCha8Rng::seed_from_u64(13);
    for round in 0..times {
        let mut bad = good.to_vec();
        match round % 4 {
            0 => bad.truncate(rng.random_range(0..good.len())),
            1 => bad.extend((0..rng.random_range(1..20)).map(|_| rng.random::<u8>())),
            _ => (0..rng.random_range(1..4)).for_each(|_| {
                let at = rng.random_range(0..bad.len());
                bad[at] ^= 1 << rng.random_range(0..8);
            }),
        }
        // Half of them with a checksum that fits: the content must be refused or at least not panic.
        let forged = round % 2 == 1 && bad.len() > 32;
        if forged {
            let end = bad.len() - 32;
            let sum = *blake3::hash(&bad[..end]).as_bytes();
            bad[end..].copy_from_slice(&sum);
        }
        match read(&bad) {
            Err(error) => assert_eq!(error.kind(), "model"),
            Ok(read) if forged => {
                let _ = read.solve(&Cca::new(1));
            }
            Ok(_) => assert_eq!(bad, good),
        }
    }
    let mut later = good.to_vec();
    later[16] = 9;
    assert_eq!(read(&later).unwrap_err().to_string(), "s.stats: statistics of format 9, this landbridge reads format 2");
    assert!(read(b"PAR1").unwrap_err().to_string().starts_with("s.stats: not landbridge statistics"));
    let model = Statistics::of(data, &diagonal(30)).unwrap().solve(&Cca::new(1)).unwrap().to_bytes().unwrap();
    assert_eq!(read(&model).unwrap_err().to_string(), "s.stats: not landbridge statistics: it is a model");
    let error = Alignment::from_bytes(good, Path::new("m.lb")).unwrap_err().to_string();
    assert!(error.starts_with("m.lb: not a landbridge model: it holds statistics; solve a model"), "{error}");
}
