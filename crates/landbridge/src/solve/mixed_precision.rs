//! The largest solutions of `M f = θ K f`, with an approximation of `N'MN` as a matrix in single precision.
//!
//! Products with the matrix are cheap, products with the exact operator are not. The eigenvectors of the matrix approximate
//! those of the operator, and one exact product with all of them gives their residuals r. The correction t, `(θ − A) t = r` in
//! the orthogonal complement of the vectors, is small, so that low relative accuracy suffices: it is computed with the matrix,
//! by conjugate gradients. The result is as accurate as with exact products throughout, and its residual shows it.

use crate::error::Result;
use crate::linalg::operator::Product;
use crate::linalg::tall::{Tall, accumulate, add_product, each_row, gram, product};
use crate::linalg::whitening::{Whitening, symmetric_eigen};
use crate::progress::Progress;
use crate::solve::lanczos::{Lanczos, Operator, Ritz, cholesky_upper, random_block};
use crate::solve::pencil::{Solutions, TOLERANCE, krylov_size};
use faer::Mat;

/// Residual of the eigenvectors of the matrix, relative to the largest eigenvalue: the resolution of single precision.
const ROUGH: f64 = 1e-7;
/// Maximum number of applications of the matrix to a block.
const MAX_APPLICATIONS: usize = 1000;
/// Maximum number of exact products with all vectors; one is nearly always enough.
const ROUNDS: usize = 3;
/// Conjugate gradient steps, and their tolerance as a share of the allowed residual.
const STEPS: usize = 40;
const SHARE: f64 = 0.6;
/// The error of the matrix is at most this multiple of the residuals of its eigenvectors.
const SAFETY: f64 = 4.0;

/// With residuals above this share of the eigenvalues, the matrix is too inaccurate to use.
const TOO_ROUGH: f64 = 1e-4;

struct Rough<'a>(&'a Mat<f32>);

impl Operator for Rough<'_> {
    fn apply(&self, x: &Tall, y: &mut Tall) {
        *y = self.0.product(x);
    }
    fn project(&self, _: &mut Tall) {}
    fn n(&self) -> usize {
        self.0.nrows()
    }
}

/// Vectors, their images under the operator, and their values, largest first.
struct Space {
    vectors: Tall,
    images: Tall,
    values: Vec<f64>,
    /// Share of each of the first vectors that comes from vectors with inexact images.
    mixed: Vec<f64>,
}

impl Space {
    /// The solutions within the span of nearly orthonormal vectors V; `None` when V is dependent. The images AV of the first d
    /// are exact, the others are not. h is `V'AV`; right of column d only its corner is read.
    fn new(vectors: Tall, images: Tall, h: Mat<f64>, d: usize) -> Result<Option<Self>> {
        let width = vectors.stride;
        let Some((_, inverse)) = cholesky_upper(gram(&vectors, width, &vectors).as_ref()) else { return Ok(None) };
        let h = Mat::from_fn(width, width, |i, j| match (i < d, j < d) {
            (false, true) => h[(i, j)],
            (true, false) => h[(j, i)],
            _ => 0.5 * (h[(i, j)] + h[(j, i)]),
        });
        let h = inverse.transpose() * &h * &inverse;
        let (values, rotation) = symmetric_eigen(&h)?;
        let rotation = &inverse * rotation.as_ref().reverse_cols();
        let values = values.into_iter().rev().collect();
        let mixed = (0..d).map(|c| (d..width).map(|i| rotation[(i, c)].powi(2)).sum::<f64>().sqrt()).collect();
        let rotated = |a: &Tall| product(a, rotation.as_ref());
        Ok(Some(Self { vectors: rotated(&vectors), images: rotated(&images), values, mixed }))
    }
    /// `A v − θ v` of the first d.
    fn residuals(&self, d: usize) -> Tall {
        let width = self.vectors.stride;
        let mut out = Tall::zeros(self.vectors.n(), d);
        each_row(&mut out, |i, row| {
            let (v, image) = (&self.vectors.values[i * width..], &self.images.values[i * width..]);
            row.iter_mut().enumerate().for_each(|(c, r)| *r = image[c] - self.values[c] * v[c]);
        });
        out
    }
    /// The residual allowed for a solution. Values that are rounding errors of the largest cannot have small residuals.
    fn allowed(&self, c: usize) -> f64 {
        TOLERANCE * self.values[c].abs() + 1e-13 * self.values[0].abs()
    }
    /// The largest residual, relative to the allowed one.
    fn worst(&self, lengths: &[f64]) -> f64 {
        lengths.iter().enumerate().map(|(c, r)| r / self.allowed(c)).fold(0.0, f64::max)
    }
    /// The first solutions, with residuals of these norms.
    fn solutions(&self, lengths: &[f64], whitening: &Whitening, iterations: usize) -> Solutions {
        let (n, d) = (self.vectors.n(), lengths.len());
        let relative = |c: usize| lengths[c] / self.values[c].abs().max(f64::MIN_POSITIVE);
        Solutions {
            residual: (0..d).map(relative).fold(0.0, f64::max),
            values: self.values[..d].to_vec(),
            vectors: whitening.expand(&first_columns(&self.vectors, d)),
            iterations,
            solver: format!("Krylov in {n} dimensions, single precision refined"),
        }
    }
}

fn first_columns(a: &Tall, d: usize) -> Tall {
    let mut out = Tall::zeros(a.n(), d);
    a.read(0, &mut out);
    out
}

/// The d largest solutions; `None` when the matrix is too inaccurate to find them.
pub(crate) fn refined(
    m: &dyn Product,
    whitening: &Whitening,
    rough: &Mat<f32>,
    d: usize,
    seed: u64,
    progress: &Progress,
) -> Result<Option<Solutions>> {
    let (block, capacity) = krylov_size(d);
    let operator = Rough(rough);
    let mut solver = Lanczos::new(&operator, random_block(&operator, block, seed), d, capacity, seed);
    // A step costs less than a convergence check.
    solver.patience = 1.0;
    let error = |r: &Ritz| r.worst(d, |i| (r.residuals[i], ROUGH * r.values[0].abs()));
    let heartbeat = |done: usize| progress.step("eigenvectors", done, 0);
    if !solver.run(MAX_APPLICATIONS, &error, &heartbeat)? {
        return Ok(None);
    }
    // A few more than asked for, so that there is a spectral gap below the last wanted one.
    let width = (d + d / 4 + 8).min(solver.ritz.values.len());
    let mut vectors = solver.vectors(width);
    let iterations = solver.applications;
    drop(solver);
    let mut roughness = 0.0f64;
    for _ in 0..ROUNDS {
        progress.step("eigenvectors", iterations, 0)?;
        let exact = whitening.shrink(&m.product(&whitening.expand(&first_columns(&vectors, d))));
        let mut images = rough.product(&vectors);
        images.write(0, &exact);
        let h = gram(&vectors, width, &images);
        let Some(space) = Space::new(vectors, images, h, d)? else { return Ok(None) };
        let residuals = space.residuals(d);
        let lengths = column_lengths(&residuals);
        if (0..d).any(|c| lengths[c] > TOO_ROUGH * space.values[c].abs()) {
            return Ok(None);
        }
        roughness = lengths.iter().fold(roughness, |a, l| a.max(SAFETY * l));
        let mut unseen: Vec<f64> = space.mixed.iter().map(|m| roughness * m).collect();
        let lengths: Vec<f64> = lengths.iter().zip(&unseen).map(|(l, u)| l + u).collect();
        if space.worst(&lengths) <= 1.0 {
            return Ok(Some(space.solutions(&lengths, whitening, iterations)));
        }
        let correction = corrections(rough, &space, residuals, progress)?;
        // No exact product with the correction: the difference is below the allowed residual.
        unseen.iter_mut().zip(column_lengths(&correction)).for_each(|(u, l)| *u += roughness * l);
        // The values stay accurate: in `(V + T)'A(V + T) = (V + T)'AV + (AV)'T + T'AT` only the last term is inexact, and it is
        // tiny.
        let (mut nearer, mut images) = (space.vectors, space.images);
        let rough_image = rough.product(&correction);
        add_columns(&mut nearer, &correction);
        let mut h = gram(&nearer, width, &images);
        let (along, last) = (gram(&images, width, &correction), gram(&correction, d, &rough_image));
        for j in 0..d {
            (0..width).for_each(|i| h[(i, j)] += along[(i, j)] + if i < d { last[(i, j)] } else { 0.0 });
        }
        add_columns(&mut images, &rough_image);
        let Some(space) = Space::new(nearer, images, h, d)? else { return Ok(None) };
        unseen.iter_mut().zip(&space.mixed).for_each(|(u, m)| *u += roughness * m);
        let lengths: Vec<f64> = column_lengths(&space.residuals(d)).iter().zip(&unseen).map(|(l, u)| l + u).collect();
        if space.worst(&lengths) <= 1.0 {
            return Ok(Some(space.solutions(&lengths, whitening, iterations)));
        }
        vectors = space.vectors;
    }
    Ok(None)
}

/// t with `(θ − A) t = r` in the orthogonal complement of the vectors, for each column of r, by simultaneous conjugate
/// gradients.
fn corrections(rough: &Mat<f32>, space: &Space, residuals: Tall, progress: &Progress) -> Result<Tall> {
    let (n, d) = (residuals.n(), residuals.stride);
    let mut found = Tall::zeros(n, d);
    let mut left = residuals;
    let mut direction = left.clone();
    let mut squares = column_products(&left, &left);
    for _ in 0..STEPS {
        progress.step("eigenvectors", 0, 0)?;
        let lengths: Vec<f64> = squares.iter().map(|s| s.sqrt()).collect();
        if space.worst(&lengths) <= SHARE {
            break;
        }
        let mut image = rough.product(&direction);
        let along = gram(&space.vectors, space.vectors.stride, &image);
        add_product(&mut image, &space.vectors, space.vectors.stride, along.as_ref(), -1.0);
        let (values, p) = (&space.values, &direction.values);
        each_row(&mut image, |i, row| {
            row.iter_mut().enumerate().for_each(|(c, v)| *v = values[c] * p[i * d + c] - *v);
        });
        // Take no step along a direction in which θ is not above the rest of the spectrum.
        let curvature = column_products(&direction, &image);
        let step: Vec<f64> = (0..d).map(|c| if curvature[c] > 0.0 { squares[c] / curvature[c] } else { 0.0 }).collect();
        let p = &direction.values;
        each_row(&mut found, |i, row| row.iter_mut().enumerate().for_each(|(c, v)| *v += step[c] * p[i * d + c]));
        each_row(&mut left, |i, row| row.iter_mut().enumerate().for_each(|(c, v)| *v -= step[c] * image.values[i * d + c]));
        let next = column_products(&left, &left);
        let share: Vec<f64> = (0..d).map(|c| if squares[c] > 0.0 { next[c] / squares[c] } else { 0.0 }).collect();
        let r = &left.values;
        each_row(&mut direction, |i, row| {
            row.iter_mut().enumerate().for_each(|(c, v)| *v = r[i * d + c] + share[c] * *v);
        });
        squares = next;
    }
    Ok(found)
}

/// The first columns of `to` plus those of `columns`.
fn add_columns(to: &mut Tall, columns: &Tall) {
    let d = columns.stride;
    each_row(to, |i, row| row.iter_mut().zip(&columns.values[i * d..(i + 1) * d]).for_each(|(t, v)| *t += v));
}

fn column_products(a: &Tall, b: &Tall) -> Vec<f64> {
    let width = a.stride;
    accumulate(a.n(), width, |i, sums| {
        let rows = i * width..(i + 1) * width;
        sums.iter_mut().zip(&a.values[rows.clone()]).zip(&b.values[rows]).for_each(|((s, a), b)| *s += a * b);
    })
}

fn column_lengths(a: &Tall) -> Vec<f64> {
    column_products(a, a).iter().map(|s| s.sqrt()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::whitening::Whitener;
    use crate::solve::pencil::largest;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// A symmetric matrix with these eigenvalues: a diagonal, reflected a few times.
    fn with_spectrum(values: &[f64], seed: u64) -> Mat<f64> {
        let n = values.len();
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut out = Mat::from_fn(n, n, |i, j| if i == j { values[i] } else { 0.0 });
        for _ in 0..4 {
            let v: Mat<f64> = Mat::from_fn(n, 1, |_, _| rng.random_range(-1.0..1.0));
            let v: Mat<f64> = &v * faer::Scale(1.0 / v.norm_l2());
            // (I − 2vv') A (I − 2vv')
            let image = &out * &v;
            let inner = (v.transpose() * &image)[(0, 0)];
            out = Mat::from_fn(n, n, |i, j| {
                let (v, u) = (|i: usize| v[(i, 0)], |i: usize| image[(i, 0)]);
                out[(i, j)] - 2.0 * (v(i) * u(j) + u(i) * v(j)) + 4.0 * inner * v(i) * v(j)
            });
        }
        Mat::from_fn(n, n, |i, j| 0.5 * (out[(i, j)] + out[(j, i)]))
    }

    fn rough(m: &Mat<f64>) -> Mat<f32> {
        Mat::from_fn(m.nrows(), m.ncols(), |i, j| m[(i, j)] as f32)
    }

    fn solve(exact: &Mat<f64>, rough: &Mat<f32>, d: usize) -> Option<Solutions> {
        let whitening = Whitening(vec![Whitener::Identity(exact.nrows())]);
        refined(exact, &whitening, rough, d, 1, &Progress::silent()).unwrap()
    }

    fn spectrum(n: usize, value: impl Fn(usize) -> f64) -> Vec<f64> {
        (0..n).map(value).collect()
    }

    #[test]
    fn solutions_are_as_exact_as_those_of_exact_products() {
        let n = 700;
        let cases = [
            spectrum(n, |i| 60.0 / (1.0 + i as f64) - 5.0 * i as f64 / n as f64),
            spectrum(n, |i| 10.0 - (i / 3) as f64 / 40.0), // multiplicity three, also at the last wanted one
            spectrum(n, |i| 1e3 * 0.9f64.powi(i as i32)),
        ];
        for (case, values) in cases.iter().enumerate() {
            let exact = with_spectrum(values, case as u64);
            let found = solve(&exact, &rough(&exact), 20).unwrap();
            let reference = largest(&exact, &Whitening(vec![Whitener::Identity(n)]), 20, 1, &Progress::silent()).unwrap();
            assert!(found.residual <= 1.1 * TOLERANCE, "case {case}: {}", found.residual);
            for (c, (got, expected)) in found.values.iter().zip(&values[..20]).enumerate() {
                assert!((got / expected - 1.0).abs() < 1e-12, "case {case}, {c}: {got} {expected}");
                assert!((got / reference.values[c] - 1.0).abs() < 1e-12);
            }
            // The reported residual is the true one.
            let image = exact.product(&found.vectors);
            for c in 0..20 {
                let square: f64 =
                    (0..n).map(|i| (image.values[i * 20 + c] - found.values[c] * found.vectors.values[i * 20 + c]).powi(2)).sum();
                assert!(square.sqrt() <= 1.1 * found.residual * found.values[c] + 1e-12 * values[0], "case {case}, {c}");
            }
            let g = gram(&found.vectors, 20, &found.vectors);
            assert!((0..20).all(|i| (0..20).all(|j| (g[(i, j)] - f64::from(u8::from(i == j))).abs() < 1e-12)), "case {case}");
        }
    }

    #[test]
    fn a_matrix_that_is_off_is_seen_through_or_refused() {
        let n = 700;
        let values = spectrum(n, |i| 60.0 / (1.0 + i as f64));
        let exact = with_spectrum(&values, 5);
        let mut rng = ChaCha8Rng::seed_from_u64(6);
        // More rounds, or none at all, but the same answer.
        for size in [1e-5, 1e-3] {
            let mut wrong = rough(&exact);
            for j in 0..n {
                for i in j..n {
                    let v = wrong[(i, j)] + rng.random_range(-size..size) as f32;
                    (wrong[(i, j)], wrong[(j, i)]) = (v, v);
                }
            }
            if let Some(found) = solve(&exact, &wrong, 10) {
                for (got, expected) in found.values.iter().zip(&values) {
                    assert!((got / expected - 1.0).abs() < 1e-10, "{size}: {got} {expected} {}", found.residual);
                }
            }
        }
        assert!(solve(&exact, &Mat::from_fn(n, n, |i, j| f32::from(u8::from(i == j))), 10).is_none());
    }
}
