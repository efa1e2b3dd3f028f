//! Linked columns in the joint space, beside the components that the matches gave.
//!
//! The map sees rows along their leading principal directions. What two linked columns say of rare words, or of single proteins, lies
//! beyond these, so the columns themselves become components. Each is the sum of the column as it is and of what the leading
//! principal coordinates of its dataset say of it, which takes noise away; both are linear in the prepared row.

use super::links::{EXPLAINED_BY, Linked};
use crate::data::prepare::to_unit;
use crate::data::prepared::Prepared;
use crate::data::{Dataset, Link, Preparation, Rows};
use crate::error::Result;
use crate::linalg::Matrix;
use crate::linalg::tall::{Tall, gram, product};
use crate::linalg::whitening::symmetric_eigen;
use crate::model::{Alignment, LinearMap, Mapping};
use crate::progress::Progress;
use crate::solve::svd;
use faer::Mat;

/// Mean square of the linked components, in units of that of the others; for cells whose matches are not trusted, because such matches are
/// worth less than the links.
const SHARE: f64 = 0.25;
const SHARE_OF_CELLS: f64 = 4.0;
/// Most links that become components; the heaviest stay.
const MOST: usize = 400;

/// Adds linked columns to the joint space of two linear maps. `keep`: the number of components that remain, those that the similarities
/// of the rows depend on most; none: all, one more for each link. Maps that are not linear stay as they are: false.
pub(super) fn add_links(
    alignment: &mut Alignment,
    datasets: &[Dataset],
    linked: &Linked,
    of_doubtful_cells: bool,
    keep: Option<usize>,
    (seed, progress): (u64, &Progress),
) -> Result<bool> {
    let links = &linked.links[..linked.links.len().min(MOST)];
    let maps: Vec<&LinearMap> = alignment.fitted.iter().filter_map(|f| linear(&f.mapping)).collect();
    if maps.len() != 2 || links.len() < 2 {
        return Ok(false);
    }
    let ends: [Vec<u32>; 2] = [links.iter().map(|l| l.i as u32).collect(), links.iter().map(|l| l.j as u32).collect()];
    let weights = &linked.weights[..links.len()];
    let share = if of_doubtful_cells { SHARE_OF_CELLS } else { SHARE };
    let sides = maps.iter().zip(&ends).zip(datasets);
    let mut sides: Vec<Side> = sides
        .map(|((map, columns), d)| Side::new(map, d.rows(), (columns, weights, share), seed, progress))
        .collect::<Result<_>>()?;
    if let Some(keep) = keep.filter(|keep| *keep < sides[0].map.ncols()) {
        shorten(&mut sides, keep)?;
    }
    for (fitted, side) in alignment.fitted.iter_mut().zip(sides) {
        let unit = linear(&fitted.mapping).is_some_and(|map| map.unit);
        fitted.embedding = side.placed;
        (0..if unit { fitted.embedding.nrows() } else { 0 }).for_each(|i| to_unit(fitted.embedding.row_mut(i)));
        fitted.mapping = Mapping::Linear(LinearMap { unit, ..LinearMap::new(side.preparation, side.map, None) });
    }
    alignment.eigenvalues = correlations(alignment, &alignment.pairs);
    Ok(true)
}

fn linear(mapping: &Mapping) -> Option<&LinearMap> {
    match mapping {
        Mapping::Linear(map) if map.offset.is_none() => Some(map),
        _ => None,
    }
}

/// A dataset: its preparation, the map with linked columns, and its rows in the joint space.
struct Side {
    preparation: Preparation,
    map: Matrix<f64>,
    placed: Matrix<f64>,
}

impl Side {
    fn new(
        map: &LinearMap,
        rows: &Rows,
        (columns, weights, of_links): (&[u32], &[f64], f64),
        seed: u64,
        progress: &Progress,
    ) -> Result<Self> {
        let preparation = with_columns(&map.preparation, rows, columns);
        let prepared = preparation.apply(rows);
        let (p, d, l) = (prepared.ncols(), map.weights.ncols(), columns.len());
        // The columns as they are: E, one entry for each link.
        let given = prepared.select_columns(columns).to_dense();
        let deviations = deviations(&given);
        let scale: Vec<f64> = deviations.iter().zip(weights).map(|(s, w)| if *s > 0.0 { w.sqrt() / s } else { 0.0 }).collect();
        // What the principal coordinates say of them: V K, with K the regression of the columns on the coordinates T = X V.
        let directions = svd::roughly(&prepared, EXPLAINED_BY.min(p).min(prepared.nrows()), seed, progress)?.right;
        let coordinates = prepared.times(&directions);
        let explained = regression(&coordinates, &given)?;
        let low = product(&coordinates, explained.as_ref());
        let (size, low_size) = (length(&given, &scale), length(&low, &scale));
        let raw_weight = if size > 0.0 { 1.0 / size } else { 0.0 };
        let low_weight = if low_size > 0.0 { 1.0 / low_size } else { 0.0 };
        let through = product(&directions, explained.as_ref());
        let mut linked = Matrix::from_fn(p, l, |q, k| low_weight * scale[k] * through.values[q * through.stride + k]);
        columns.iter().enumerate().for_each(|(k, &q)| linked[(q as usize, k)] += raw_weight * scale[k]);
        let image = map.image(rows);
        let share = |m: &Matrix<f64>| {
            let size = (m.as_slice().iter().map(|v| v * v).sum::<f64>() / m.nrows() as f64).sqrt();
            if size > 0.0 { 1.0 / size } else { 0.0 }
        };
        let own = share(&image);
        let of_links = of_links.sqrt() * share(&placed(&prepared, &linked)?);
        let weight = |j: usize| own * map.component_weights.as_ref().map_or(1.0, |w| w[j]);
        let stacked =
            Matrix::from_fn(p, d + l, |q, j| if j < d { map.weights[(q, j)] * weight(j) } else { linked[(q, j - d)] * of_links });
        Ok(Self { preparation, placed: placed(&prepared, &stacked)?, map: stacked })
    }
}

/// The preparation of a map, with linked columns that it leaves out.
fn with_columns(preparation: &Preparation, rows: &Rows, columns: &[u32]) -> Preparation {
    let mut whole = preparation.clone();
    let Some(factors) = &mut whole.factors else { return whole };
    let out: Vec<u32> = columns.iter().copied().filter(|&q| factors[q as usize] == 0.0).collect();
    out.iter().for_each(|&q| factors[q as usize] = 1.0);
    // Their means, of the rows before these are centred.
    if let Some(mut mean) = whole.mean.take() {
        if !out.is_empty() {
            let given = whole.apply(rows).select_columns(&out).to_dense();
            let n = given.n().max(1) as f64;
            for (k, &q) in out.iter().enumerate() {
                mean[q as usize] = given.values.iter().skip(k).step_by(given.stride).sum::<f64>() / n;
            }
        }
        whole.mean = Some(mean);
    }
    whole
}

fn placed(prepared: &Prepared, map: &Matrix<f64>) -> Result<Matrix<f64>> {
    let out = prepared.times(&Tall { values: map.as_slice().to_vec(), stride: map.ncols() });
    Matrix::from_vec(out.values, prepared.nrows(), map.ncols())
}

/// The standard deviation of each column.
fn deviations(m: &Tall) -> Vec<f64> {
    let n = m.n().max(1) as f64;
    let columns = (0..m.stride).map(|k| m.values.iter().skip(k).step_by(m.stride));
    let deviation = |column: std::iter::StepBy<std::iter::Skip<std::slice::Iter<'_, f64>>>| {
        let mean = column.clone().sum::<f64>() / n;
        (column.map(|v| (v - mean).powi(2)).sum::<f64>() / n).sqrt()
    };
    columns.map(deviation).collect()
}

/// The root of the mean squared length of rows whose columns are scaled.
fn length(m: &Tall, scale: &[f64]) -> f64 {
    let squares: f64 =
        m.values.chunks_exact(m.stride).map(|row| row.iter().zip(scale).map(|(v, s)| (v * s).powi(2)).sum::<f64>()).sum();
    (squares / m.n().max(1) as f64).sqrt()
}

/// `(T'T)⁺ T'F`.
fn regression(t: &Tall, f: &Tall) -> Result<Mat<f64>> {
    let (values, vectors) = symmetric_eigen(&gram(t, t.stride, t))?;
    let largest = values.iter().fold(0.0f64, |a, v| a.max(*v));
    let along = vectors.transpose() * gram(t, t.stride, f);
    let inverse = |v: f64| if v > 1e-12 * largest { 1.0 / v } else { 0.0 };
    Ok(&vectors * Mat::from_fn(along.nrows(), along.ncols(), |i, j| inverse(values[i]) * along[(i, j)]))
}

/// Both maps in `keep` components: of the similarities `X₁ F₁ F₂' X₂'` of all rows, the best approximation of that rank.
fn shorten(sides: &mut [Side], keep: usize) -> Result<()> {
    let roots: Vec<(Mat<f64>, Mat<f64>)> = sides.iter().map(|side| roots(&side.placed)).collect::<Result<_>>()?;
    let core = &roots[0].0 * &roots[1].0;
    let failed = |_| crate::error::Error::Numerical { what: "linked columns".into(), problem: "no singular values".into() };
    let found = core.svd().map_err(failed)?;
    for (a, side) in sides.iter_mut().enumerate() {
        let vectors = if a == 0 { found.U() } else { found.V() };
        let chosen = Mat::from_fn(vectors.nrows(), keep, |i, j| vectors[(i, j)] * found.S()[j].max(0.0).sqrt());
        let turn = &roots[a].1 * chosen;
        for m in [&mut side.map, &mut side.placed] {
            let tall = Tall { values: m.as_slice().to_vec(), stride: m.ncols() };
            *m = Matrix::from_vec(product(&tall, turn.as_ref()).values, m.nrows(), keep)?;
        }
    }
    Ok(())
}

/// The root of `Z'Z / n`, and its inverse.
fn roots(placed: &Matrix<f64>) -> Result<(Mat<f64>, Mat<f64>)> {
    let rows = Tall { values: placed.as_slice().to_vec(), stride: placed.ncols() };
    let (values, vectors) = symmetric_eigen(&gram(&rows, rows.stride, &rows))?;
    let n = placed.nrows() as f64;
    let largest = values.iter().fold(0.0f64, |a, v| a.max(*v));
    let power = |p: f64| {
        let scaled = Mat::from_fn(vectors.nrows(), vectors.ncols(), |i, j| {
            vectors[(i, j)] * if values[j] > 1e-12 * largest { (values[j] / n).powf(p) } else { 0.0 }
        });
        scaled * vectors.transpose()
    };
    Ok((power(0.5), power(-0.5)))
}

/// The correlation of the pairs along each component.
fn correlations(alignment: &Alignment, pairs: &[Link]) -> Vec<f64> {
    let pairs: Vec<&Link> = pairs.iter().filter(|l| (l.a, l.b) == (0, 1)).collect();
    let total: f64 = pairs.iter().map(|l| l.weight).sum();
    let (x, y) = (alignment.embedding(0), alignment.embedding(1));
    let mean = |m: &Matrix<f64>, row: &dyn Fn(&Link) -> usize, j: usize| {
        pairs.iter().map(|l| l.weight * m[(row(l), j)]).sum::<f64>() / total.max(f64::MIN_POSITIVE)
    };
    let along = |j: usize| {
        let (mx, my) = (mean(x, &|l| l.i, j), mean(y, &|l| l.j, j));
        let (mut xx, mut yy, mut xy) = (0.0, 0.0, 0.0);
        for l in &pairs {
            let (a, b) = (x[(l.i, j)] - mx, y[(l.j, j)] - my);
            xx += l.weight * a * a;
            yy += l.weight * b * b;
            xy += l.weight * a * b;
        }
        if xx > 0.0 && yy > 0.0 { xy / (xx * yy).sqrt() } else { 0.0 }
    };
    (0..x.ncols()).map(along).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Prepare;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    fn draw(n: usize, p: usize, seed: u64) -> Matrix<f64> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        Matrix::from_fn(n, p, |_, _| rng.random_range(-1.0..1.0))
    }

    #[test]
    fn linked_components_are_the_standardised_columns_and_their_regression_on_principal_coordinates() {
        let (n, p) = (90, 30);
        let rows = Rows::F64(draw(n, p, 1));
        let map = LinearMap::new(Preparation::fit(Prepare::Center, &rows), draw(p, 3, 2), Some(vec![2.0, 1.0, 0.5]));
        let (columns, weights) = ([4u32, 7, 4], [1.0, 0.5, 0.25]);
        let side = Side::new(&map, &rows, (&columns, &weights, 0.5), 0, &Progress::silent()).unwrap();
        // By hand. With 20 of 30 directions the solver is exact.
        let Rows::F64(x) = &rows else { unreachable!() };
        let mean: Vec<f64> = (0..p).map(|q| (0..n).map(|i| x[(i, q)]).sum::<f64>() / n as f64).collect();
        let centred = Matrix::from_fn(n, p, |i, q| x[(i, q)] - mean[q]);
        let prepared = Prepared::dense(centred.clone());
        let turned = prepared.times(&svd::truncated(&prepared, 20, 0, &Progress::silent()).unwrap().right);
        let column = |k: usize| (0..n).map(|i| centred[(i, columns[k] as usize)]).collect::<Vec<f64>>();
        let blocks: Vec<(Vec<f64>, Vec<f64>)> = (0..3)
            .map(|k| {
                let raw = column(k);
                let deviation = (raw.iter().map(|v| v * v).sum::<f64>() / n as f64).sqrt();
                let raw: Vec<f64> = raw.iter().map(|v| v * f64::sqrt(weights[k]) / deviation).collect();
                let mut low = vec![0.0; n];
                for c in 0..20 {
                    let along = |i: usize| turned.values[i * turned.stride + c];
                    let (mut up, mut down) = (0.0, 0.0);
                    (0..n).for_each(|i| {
                        up += along(i) * raw[i];
                        down += along(i) * along(i);
                    });
                    (0..n).for_each(|i| low[i] += along(i) * up / down);
                }
                (raw, low)
            })
            .collect();
        let size = |of: &dyn Fn(usize, usize) -> f64| {
            ((0..n).map(|i| (0..3).map(|k| of(k, i).powi(2)).sum::<f64>()).sum::<f64>() / n as f64).sqrt()
        };
        let (raw, low) = (size(&|k, i| blocks[k].0[i]), size(&|k, i| blocks[k].1[i]));
        let both = |k: usize, i: usize| blocks[k].0[i] / raw + blocks[k].1[i] / low;
        let scale = 0.5f64.sqrt() / size(&both);
        for (i, k) in (0..n).flat_map(|i| (0..3).map(move |k| (i, k))) {
            assert!((side.placed[(i, 3 + k)] - scale * both(k, i)).abs() < 1e-6, "{i} {k}");
        }
        let squares =
            |from: usize| (0..n).map(|i| side.placed.row(i)[from..from + 3].iter().map(|v| v * v).sum::<f64>()).sum::<f64>();
        assert!((squares(0) / n as f64 - 1.0).abs() < 1e-9 && (squares(3) / n as f64 - 0.5).abs() < 1e-9);
    }

    #[test]
    fn shortened_maps_keep_the_similarities_that_their_rank_can_hold() {
        let side = |n: usize, p: usize, seed: u64| {
            let (rows, map) = (draw(n, p, seed), draw(p, 4, seed + 9));
            // The last two components repeat the first two: rank 2.
            let map = Matrix::from_fn(p, 4, |q, j| map[(q, j % 2)]);
            let prepared = Prepared::dense(rows.clone());
            let rows = Rows::F64(rows);
            Side { preparation: Preparation::fit(Prepare::None, &rows), placed: placed(&prepared, &map).unwrap(), map }
        };
        let mut sides = vec![side(40, 6, 1), side(30, 5, 2)];
        let similarity = |sides: &[Side], i: usize, j: usize| -> f64 {
            sides[0].placed.row(i).iter().zip(sides[1].placed.row(j)).map(|(a, b)| a * b).sum()
        };
        let before: Vec<f64> =
            (0..40).flat_map(|i| (0..30).map(move |j| (i, j))).map(|(i, j)| similarity(&sides, i, j)).collect();
        shorten(&mut sides, 2).unwrap();
        assert_eq!((sides[0].map.ncols(), sides[1].placed.ncols()), (2, 2));
        for (at, value) in before.iter().enumerate() {
            assert!((similarity(&sides, at / 30, at % 30) - value).abs() < 1e-8);
        }
    }

    #[test]
    fn linked_columns_that_a_preparation_leaves_out_take_part_centred() {
        let rows = Rows::F64(Matrix::from_fn(20, 3, |i, j| (i % (2 + j)) as f64));
        let mut preparation = Preparation::fit(Prepare::Standardize, &rows);
        preparation.factors.as_mut().unwrap()[1] = 0.0;
        preparation.mean.as_mut().unwrap()[1] = 0.0;
        let whole = with_columns(&preparation, &rows, &[1, 2]);
        let given = whole.apply(&rows).to_dense();
        let column = |j: usize| given.values.iter().skip(j).step_by(3);
        assert!(column(1).sum::<f64>().abs() < 1e-9 && column(1).any(|v| v.abs() > 0.1));
        assert_eq!(whole.factors.as_ref().unwrap()[0], preparation.factors.as_ref().unwrap()[0]);
        assert_eq!(with_columns(&preparation, &rows, &[0]), preparation);
    }
}
