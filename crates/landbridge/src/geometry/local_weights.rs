//! Rows as affine combinations of their neighbours (LLE; Lamvu13 eq. 17).

use crate::data::Rows;
use crate::error::{Error, Result};
use crate::geometry::neighbors::Neighbors;
use crate::linalg::Matrix;
use faer::prelude::Solve;
use faer::{Mat, Side};
use rayon::prelude::*;

/// For each row of `query` the weights of its k nearest neighbours among `reference`, which sum to 1: they minimise
/// `|x − Σ w_j x_j|²`, with `ridge` times the trace of the local Gram matrix added to its diagonal.
pub(crate) fn local_weights(query: &Rows, reference: &Rows, found: &Neighbors, ridge: f64) -> Result<Vec<f64>> {
    let (k, p) = (found.k, query.ncols());
    let mut weights = vec![0.0; found.nrows() * k];
    weights.par_chunks_mut(k).enumerate().try_for_each_init(
        || (vec![0.0; p], vec![0.0; k * p]),
        |(own, others), (i, weights)| {
            query.copy_row(i, own);
            for ((j, _), row) in found.row(i).zip(others.chunks_exact_mut(p)) {
                reference.copy_row(j as usize, row);
                row.iter_mut().zip(own.iter()).for_each(|(v, x)| *v -= x);
            }
            affine_weights(others, p, ridge, weights)
        },
    )?;
    Ok(weights)
}

/// The weighted combinations of `places`, one per row of `found`.
pub(crate) fn place(found: &Neighbors, weights: &[f64], places: &Matrix<f64>) -> Matrix<f64> {
    let mut out = Matrix::zeros(found.nrows(), places.ncols());
    for i in 0..found.nrows() {
        let row = out.row_mut(i);
        for ((j, _), w) in found.row(i).zip(&weights[i * found.k..(i + 1) * found.k]) {
            row.iter_mut().zip(places.row(j as usize)).for_each(|(o, y)| *o += w * y);
        }
    }
    out
}

/// The `k` nearest rows of `reference` for each row of `query`, from a matrix of distances, and their weights. The local Gram
/// matrix of differences follows from distances alone: `(d_ij² + d_ik² − d_jk²) / 2`.
pub(crate) fn weights_of_distances(
    distances: &Matrix<f64>,
    query: &[usize],
    reference: &[usize],
    k: usize,
    ridge: f64,
) -> Result<(Neighbors, Vec<f64>)> {
    let mut found = Neighbors { k, indices: vec![], distances: vec![] };
    let mut weights = vec![0.0; query.len() * k];
    for (&i, weights) in query.iter().zip(weights.chunks_exact_mut(k)) {
        let mut order: Vec<usize> = (0..reference.len()).collect();
        let far = |r: usize| distances[(i, reference[r])];
        order.sort_by(|&a, &b| far(a).total_cmp(&far(b)).then(a.cmp(&b)));
        order.truncate(k);
        let largest = order.iter().fold(0.0f64, |a, &r| a.max(far(r)));
        let scale = if largest > 0.0 { 1.0 / largest } else { 1.0 };
        let square = |d: f64| (d * scale).powi(2);
        let gram = Mat::from_fn(k, k, |a, b| {
            let between = distances[(reference[order[a]], reference[order[b]])];
            0.5 * (square(far(order[a])) + square(far(order[b])) - square(between))
        });
        // Non-Euclidean distances may make it indefinite; a larger ridge repairs that.
        let ridges = [1.0, 10.0, 100.0, 1000.0].into_iter().map(|factor| factor * ridge).chain([2.0]);
        let solved = ridges.map(|ridge| solve_weights(gram.clone(), ridge, weights)).find(Result::is_ok);
        solved.unwrap_or_else(|| {
            Err(Error::Singular {
                what: "local weights".into(),
                problem: "the local Gram matrix is not positive definite under any ridge tried".into(),
            })
        })?;
        found.distances.extend(order.iter().map(|&r| far(r)));
        found.indices.extend(order.iter().map(|&r| r as u32));
    }
    Ok((found, weights))
}

/// Weights of the differences (k × p) whose combination has minimum norm.
fn affine_weights(differences: &[f64], p: usize, ridge: f64, weights: &mut [f64]) -> Result<()> {
    let k = weights.len();
    let largest = differences.iter().fold(0.0f64, |a, v| a.max(v.abs()));
    let scale = if largest > 0.0 { 1.0 / largest } else { 1.0 };
    let dot = |a: usize, b: usize| -> f64 {
        let (a, b) = (&differences[a * p..(a + 1) * p], &differences[b * p..(b + 1) * p]);
        a.iter().zip(b).map(|(x, y)| (x * scale) * (y * scale)).sum()
    };
    solve_weights(Mat::from_fn(k, k, |a, b| if a >= b { dot(a, b) } else { 0.0 }), ridge, weights)
}

/// Weights that sum to 1, from the local Gram matrix (lower triangle).
fn solve_weights(mut gram: Mat<f64>, ridge: f64, weights: &mut [f64]) -> Result<()> {
    let k = weights.len();
    let trace: f64 = (0..k).map(|a| gram[(a, a)]).sum();
    // All neighbours coincide with the row, so that every combination is equally good.
    let lift = if trace > 0.0 { ridge * trace } else { 1.0 };
    (0..k).for_each(|a| gram[(a, a)] += lift);
    let failed = || Error::Singular { what: "local weights".into(), problem: "the local Gram matrix is singular".into() };
    let factor = gram.llt(Side::Lower).map_err(|_| failed())?;
    let solved = factor.solve(Mat::<f64>::from_fn(k, 1, |_, _| 1.0));
    let total: f64 = (0..k).map(|a| solved[(a, 0)]).sum();
    if !(total.is_finite() && total != 0.0) {
        return Err(failed());
    }
    weights.iter_mut().enumerate().for_each(|(a, w)| *w = solved[(a, 0)] / total);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::Csr;

    #[test]
    fn a_row_between_its_neighbours_is_their_combination() {
        let reference = Matrix::from_rows(&[[0.0, 0.0], [4.0, 0.0], [0.0, 4.0]]).unwrap();
        let query = Matrix::from_rows(&[[1.0, 2.0], [4.0, 0.0]]).unwrap();
        let found = Neighbors { k: 3, indices: vec![0, 1, 2, 0, 1, 2], distances: vec![0.0; 6] };
        let dense = local_weights(&Rows::F64(query.clone()), &Rows::F64(reference.clone()), &found, 1e-12).unwrap();
        for (w, expected) in dense.iter().zip([0.25, 0.25, 0.5, 0.0, 1.0, 0.0]) {
            assert!((w - expected).abs() < 1e-9, "{dense:?}");
        }
        let (query, reference) = (Csr::from_dense(&query), Csr::from_dense(&reference));
        let sparse = local_weights(&Rows::Sparse(query), &Rows::Sparse(reference), &found, 1e-12).unwrap();
        assert_eq!(dense, sparse);
    }

    #[test]
    fn copies_share_the_weight_equally() {
        let rows = Rows::F64(Matrix::from_fn(3, 2, |_, _| 5.0));
        let found = Neighbors { k: 2, indices: vec![1, 2, 0, 2, 0, 1], distances: vec![0.0; 6] };
        assert!(local_weights(&rows, &rows, &found, 1e-3).unwrap().iter().all(|w| (w - 0.5).abs() < 1e-15));
    }
}
