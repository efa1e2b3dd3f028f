use super::*;
use crate::linalg::tall::{Tall, gram as tall_gram};

pub(super) fn chain(n: usize) -> Csr {
    let mut entries: Vec<(usize, usize, f64)> = (1..n).flat_map(|i| [(i - 1, i, 0.25), (i, i - 1, 0.25)]).collect();
    entries.extend((0..n).map(|i| (i, i, if i == 0 || i == n - 1 { 0.75 } else { 0.5 })));
    Csr::from_triplets(n, n, &entries).unwrap()
}

fn grid(side: usize) -> Csr {
    let mut entries = vec![];
    let mut own = vec![1.0; side * side];
    for i in 0..side {
        for j in 0..side {
            let at = i * side + j;
            for other in [(i + 1 < side).then(|| at + side), (j + 1 < side).then(|| at + 1)].into_iter().flatten() {
                entries.extend([(at, other, 0.125), (other, at, 0.125)]);
                own[at] -= 0.125;
                own[other] -= 0.125;
            }
        }
    }
    entries.extend(own.into_iter().enumerate().map(|(i, v)| (i, i, v)));
    Csr::from_triplets(side * side, side * side, &entries).unwrap()
}

fn mat(m: &Matrix<f64>) -> faer::Mat<f64> {
    faer::Mat::from_fn(m.nrows(), m.ncols(), |i, j| m[(i, j)])
}

fn norm2(m: &faer::Mat<f64>) -> f64 {
    m.svd().unwrap().S().column_vector().iter().fold(0.0, |a: f64, v| a.max(*v))
}

fn power(t: &Matrix<f64>, k: u32) -> faer::Mat<f64> {
    (0..k).fold(mat(t), |m, _| &m * &m)
}

/// `‖(I − P)M‖`.
fn missed(basis: &faer::Mat<f64>, m: &faer::Mat<f64>) -> f64 {
    norm2(&(m - basis * (basis.transpose() * m)))
}

fn orthonormality(basis: &faer::Mat<f64>) -> f64 {
    let d = basis.ncols();
    norm2(&(basis.transpose() * basis - faer::Mat::<f64>::identity(d, d)))
}

fn random(n: usize, seed: u64) -> Matrix<f64> {
    let mut state = seed;
    Matrix::from_fn(n, n, |_, _| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as f64 / (1u64 << 31) as f64 - 0.5
    })
}

/// Share of entries above a thousandth of the largest, mean over the functions.
fn share(m: &Matrix<f64>) -> f64 {
    let column = |j: usize| {
        let largest = (0..m.nrows()).map(|i| m[(i, j)].abs()).fold(0.0, f64::max);
        (0..m.nrows()).filter(|&i| m[(i, j)].abs() > 1e-3 * largest).count() as f64 / m.nrows() as f64
    };
    (0..m.ncols()).map(column).sum::<f64>() / m.ncols() as f64
}

#[test]
fn exact_levels_count_the_eigenvalues_and_span_their_vectors() {
    for (t, precision) in [(chain(120), 1e-5), (grid(9), 1e-3)] {
        let dense = t.to_dense();
        let spectrum = Spectrum::of(&mat(&dense)).unwrap();
        let wavelets = DiffusionWavelets::new(precision).build(OperatorRef::Sparse(&t)).unwrap();
        assert_eq!(wavelets.construction(), Construction::Spectral);
        assert!(!wavelets.rescaled());
        let mut before: Option<faer::Mat<f64>> = None;
        for (at, level) in wavelets.levels().iter().enumerate() {
            assert_eq!(level.power as usize, at + 1);
            let kept = spectrum.values.iter().filter(|v| v.powf((level.power as f64).exp2()) >= precision).count();
            assert_eq!(level.dimension, kept);
            let basis = mat(&wavelets.basis(at).unwrap());
            assert!(orthonormality(&basis) < 1e-12);
            let vectors = spectrum.vectors.as_ref().subcols(0, kept).to_owned();
            assert!(missed(&basis, &vectors) < 1e-10);
            if let Some(before) = before {
                assert!(missed(&before, &basis) < 1e-12, "nested");
            }
            before = Some(basis);
        }
        assert_eq!(wavelets.levels().last().unwrap().dimension, 1);
    }
}

#[test]
fn the_recursion_keeps_its_precision_at_every_level() {
    let mut lopsided = random(90, 3);
    (0..90).for_each(|i| (0..90).for_each(|j| lopsided[(i, j)] *= (-((i * j) as f64) / 400.0).exp() / 9.0));
    let cases = [(chain(300).to_dense(), 1e-5), (grid(18).to_dense(), 1e-4), (lopsided, 1e-4), (random(40, 8), 1e-3)];
    for (at, (t, precision)) in cases.into_iter().enumerate() {
        let builder = DiffusionWavelets::new(precision).construction(Construction::Recursion);
        let sparse = Csr::from_dense(&t);
        let wavelets = builder.build(OperatorRef::Sparse(&sparse)).unwrap();
        let scale = if wavelets.rescaled() { 1.0 / wavelets.norm() } else { 1.0 };
        let scaled = Matrix::from_fn(t.nrows(), t.ncols(), |i, j| scale * t[(i, j)]);
        let mut before: Option<faer::Mat<f64>> = None;
        for (l, level) in wavelets.levels().iter().enumerate() {
            let basis = mat(&wavelets.basis(l).unwrap());
            assert_eq!(basis.ncols(), level.dimension);
            assert!(orthonormality(&basis) < 1e-10, "case {at}, level {l}: {:e}", orthonormality(&basis));
            let lost = missed(&basis, &power(&scaled, level.power));
            assert!(lost <= 2.0 * precision, "case {at}, level {l}, {} functions: {lost:e}", level.dimension);
            if let Some(before) = &before {
                assert!(missed(before, &basis) < 1e-10, "nested");
            }
            before = Some(basis);
        }
        assert!(wavelets.levels().len() > 1, "case {at}");
    }
}

#[test]
fn a_sparse_recursion_in_many_blocks_ends_at_the_top() {
    let t = chain(3000);
    let wavelets = DiffusionWavelets::new(1e-4).construction(Construction::Recursion).build(OperatorRef::Sparse(&t)).unwrap();
    let dimensions: Vec<usize> = wavelets.levels().iter().map(|l| l.dimension).collect();
    // The eigenvalues of the chain are cos²(πj/2n).
    for level in wavelets.levels() {
        let value = |j: usize| (std::f64::consts::FRAC_PI_2 * j as f64 / 3000.0).cos().powi(2);
        let exact = (0..3000).filter(|&j| value(j).powf((level.power as f64).exp2()) >= 1e-4).count();
        assert!(level.dimension >= exact && level.dimension <= exact + 3 + exact / 3, "{exact} instead of {dimensions:?}");
        assert!(level.error <= 1e-4, "{}", level.error);
    }
    assert!(dimensions.ends_with(&[2, 1]), "{dimensions:?}");
    // The product of the steps gives orthonormal functions of the nodes.
    let basis = wavelets.basis(8).unwrap();
    let tall = Tall { values: basis.as_slice().to_vec(), stride: basis.ncols() };
    let gram = tall_gram(&tall, basis.ncols(), &tall);
    let worst = (0..gram.ncols()).flat_map(|j| (0..gram.nrows()).map(move |i| (i, j)));
    let worst = worst.map(|(i, j)| (gram[(i, j)] - f64::from(u8::from(i == j))).abs()).fold(0.0, f64::max);
    assert!(worst < 1e-9, "{worst:e}");
}

#[test]
fn scaling_functions_are_more_local_than_eigenvectors_and_grow() {
    for (t, deepest) in [(chain(400), 7), (grid(24), 3)] {
        let spectrum = Spectrum::of(&mat(&t.to_dense())).unwrap();
        let wavelets = DiffusionWavelets::new(1e-5).build(OperatorRef::Sparse(&t)).unwrap();
        let eigenvectors = Matrix::from_fn(t.nrows(), 200, |i, j| spectrum.vectors[(i, j)]);
        let eigen = share(&eigenvectors);
        let shares: Vec<f64> = (0..deepest).map(|l| share(&wavelets.basis(l).unwrap())).collect();
        assert!(shares.windows(2).all(|pair| pair[0] < pair[1]), "{shares:?}");
        assert!(shares.iter().all(|s| *s < 0.5 * eigen), "{shares:?} against {eigen}");
    }
}

#[test]
fn a_norm_above_one_is_divided_out_and_said() {
    let t = chain(60);
    let mut twice = t.clone();
    twice.values_mut().iter_mut().for_each(|v| *v *= 2.0);
    for construction in [Construction::Spectral, Construction::Recursion] {
        let builder = DiffusionWavelets::new(1e-4).construction(construction);
        let (once, scaled) =
            (builder.build(OperatorRef::Sparse(&t)).unwrap(), builder.build(OperatorRef::Sparse(&twice)).unwrap());
        assert!(scaled.rescaled() && !once.rescaled());
        assert!((scaled.norm() - 2.0).abs() < 1e-9);
        let dimensions = |w: &Wavelets| w.levels().iter().map(|l| l.dimension).collect::<Vec<_>>();
        assert_eq!(dimensions(&scaled), dimensions(&once));
    }
    // A norm below 1 is not rescaled: at some level nothing is left.
    let mut half = t.clone();
    half.values_mut().iter_mut().for_each(|v| *v *= 0.5);
    let fading = DiffusionWavelets::new(1e-4).build(OperatorRef::Sparse(&half)).unwrap();
    assert_eq!(fading.levels().len(), 3); // 0.5^16 < 1e-4 <= 0.5^8
}

#[test]
fn what_makes_no_sense_is_refused() {
    let t = chain(10);
    let operator = OperatorRef::Sparse(&t);
    for precision in [0.0, 1.0, -1.0, f64::NAN] {
        let error = DiffusionWavelets::new(precision).build(operator).unwrap_err().to_string();
        assert!(error.contains("precision"), "{error}");
    }
    assert!(DiffusionWavelets::new(0.1).max_levels(Some(0)).build(operator).is_err());
    let zero = Csr::from_triplets(5, 5, &[]).unwrap();
    assert!(DiffusionWavelets::new(0.1).build(OperatorRef::Sparse(&zero)).unwrap_err().to_string().contains("zero"));
    let wide = Csr::from_triplets(5, 6, &[]).unwrap();
    assert!(DiffusionWavelets::new(0.1).build(OperatorRef::Sparse(&wide)).unwrap_err().to_string().contains("5 x 6"));
    let directed = Csr::from_triplets(2, 2, &[(0, 1, 1.0)]).unwrap();
    let spectral = DiffusionWavelets::new(0.1).construction(Construction::Spectral);
    assert!(spectral.build(OperatorRef::Sparse(&directed)).unwrap_err().to_string().contains("recursion"));
    let wavelets = DiffusionWavelets::new(0.1).build(operator).unwrap();
    let error = wavelets.basis(99).unwrap_err().to_string();
    assert!(error.contains("level is 99"), "{error}");
}

#[test]
fn one_thread_or_many_give_the_same_bytes() {
    let t = chain(700);
    let build = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            [Construction::Spectral, Construction::Recursion].map(|c| {
                let wavelets = DiffusionWavelets::new(1e-4).construction(c).build(OperatorRef::Sparse(&t)).unwrap();
                wavelets.sparse_basis(4).unwrap()
            })
        })
    };
    assert_eq!(build(1), build(3));
}
