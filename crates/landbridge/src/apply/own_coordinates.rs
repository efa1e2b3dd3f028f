//! The rows of a model in the metric of their own prepared features, from its places and maps alone.

use crate::error::{Error, Result};
use crate::linalg::Matrix;
use crate::linalg::tall::{Tall, centre_columns, gram, product};
use crate::linalg::whitening::symmetric_eigen;
use crate::model::{Alignment, Mapping};
use faer::Mat;

/// Directions below this share of the largest squared length of a map are lost in it.
const LOST: f64 = 1e-10;
/// The square of a larger number, or of the inverse of one, may not be a number.
const HUGE: f64 = 1e100;

/// Coordinates of the fitted rows of a dataset in an orthonormal basis of the span of its map, centred.
///
/// A fit pulls together the rows that it was fitted to, also in how it weighs its components. With `z = x F` the rows
/// themselves, as far as F sees them, are `z F⁺`, and `z (F'F)^(−1/2)` up to a rotation: a refit on these starts from the
/// dataset by itself.
pub(crate) fn own_coordinates(alignment: &Alignment, position: usize) -> Result<Matrix<f64>> {
    let fitted = &alignment.fitted[position];
    let z = fitted.embedding();
    let map = match &fitted.mapping {
        Mapping::Prepared(_) => None,
        _ => Some(alignment.feature_map(position).map_err(|_| no_maps(alignment))?),
    };
    let (weights, offset) = match &fitted.mapping {
        Mapping::Linear(map) => (map.component_weights.as_deref(), map.offset.as_deref()),
        _ => (None, None),
    };
    // A component of weight 0 is lost in the places, so it is left out of the map as well.
    let kept: Vec<usize> = (0..z.ncols()).filter(|&c| weights.is_none_or(|w| w[c] > 0.0)).collect();
    let place = |i: usize, c: usize| (z[(i, c)] - offset.map_or(0.0, |t| t[c])) / weights.map_or(1.0, |w| w[c]);
    let values = (0..z.nrows()).flat_map(|i| kept.iter().map(move |&c| place(i, c))).collect();
    let mut rows = Tall { values, stride: kept.len().max(1) };
    if let Some(map) = map {
        let mut values: Vec<f64> = map.rows().flat_map(|row| kept.iter().map(|&c| row[c])).collect();
        // Squares of the entries must be numbers; the unit of the coordinates does not matter.
        let entry = values.iter().fold(0.0f64, |largest, v| largest.max(v.abs()));
        if entry > 0.0 && !(1.0 / HUGE..HUGE).contains(&entry) {
            values.iter_mut().for_each(|v| *v /= entry);
        }
        let f = Tall { values, stride: kept.len().max(1) };
        let (squares, vectors) = symmetric_eigen(&gram(&f, f.stride, &f))?;
        let largest = squares.last().copied().unwrap_or(0.0);
        let seen: Vec<usize> = (0..squares.len()).rev().filter(|&c| squares[c] > LOST * largest && squares[c] > 0.0).collect();
        if seen.is_empty() {
            return Err(same_place(fitted.name()));
        }
        let turn = Mat::from_fn(squares.len(), seen.len(), |i, c| vectors[(i, seen[c])] / squares[seen[c]].sqrt());
        rows = product(&rows, turn.as_ref());
    }
    centre_columns(&mut rows);
    let columns = rows.stride;
    if !rows.values.iter().any(|v| *v != 0.0) {
        return Err(same_place(fitted.name()));
    }
    Matrix::from_vec(rows.values, z.nrows(), columns)
}

fn same_place(name: &str) -> Error {
    Error::Numerical { what: format!("dataset \"{name}\""), problem: "all rows have the same place".into() }
}

fn no_maps(alignment: &Alignment) -> Error {
    Error::Undefined {
        what: "confidence of matches".into(),
        why: format!(
            "method \"{}\" has no maps of the features, so it cannot be fitted again without a row (self-training, cca, linear and sparse have)",
            alignment.method()
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Prepare;
    use crate::data::synthetic::RotatedCopies;
    use crate::method::Cca;

    #[test]
    fn units_of_the_features_do_not_matter() {
        let copies = RotatedCopies::new(60).n_features(5).noise(0.1).generate().unwrap();
        let times = |d: &crate::data::Dataset, by: f64| {
            let crate::data::Rows::F64(m) = d.rows() else { panic!("dense rows") };
            crate::data::Dataset::new(d.name(), Matrix::from_fn(m.nrows(), m.ncols(), |i, j| m[(i, j)] * by)).unwrap()
        };
        for (large, small) in [(1e200, 1e-200), (1e-200, 1e200)] {
            let data = [times(&copies.datasets[0], large), times(&copies.datasets[1], small)];
            let a = Cca::new(3).prepare(Prepare::Center).fit(&data, &copies.pairs(40, 0).unwrap()).unwrap();
            assert!((0..2).all(|side| own_coordinates(&a, side).unwrap().as_slice().iter().all(|v| v.is_finite())));
        }
    }

    #[test]
    fn a_full_map_gives_the_distances_of_the_rows_back() {
        let copies = RotatedCopies::new(60).n_features(5).noise(0.1).generate().unwrap();
        let method = Cca::new(5).ridge(Some(0.3)).weight_components(Some(true)).prepare(Prepare::Center);
        let a = method.fit(&copies.datasets, &copies.pairs(40, 0).unwrap()).unwrap();
        for side in 0..2 {
            let own = own_coordinates(&a, side).unwrap();
            let rows = copies.datasets[side].rows();
            let square = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>();
            let row = |i: usize| {
                let mut out = vec![0.0; 5];
                rows.copy_row(i, &mut out);
                out
            };
            for (i, j) in [(0, 1), (3, 40), (59, 7)] {
                let (got, expected) = (square(own.row(i), own.row(j)), square(&row(i), &row(j)));
                assert!((got - expected).abs() < 1e-8 * expected, "{side}: {got} {expected}");
            }
        }
    }
}
