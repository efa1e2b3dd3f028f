//! How many principal directions of cells to use, and which ridge: chosen on held-out pairs.

use crate::data::Link;
use crate::error::Result;
use crate::linalg::tall::{Tall, gram};
use crate::linalg::whitening::symmetric_eigen;
use crate::model::component_weights;
use crate::solve::ridge::without_shared_rows;
use faer::Mat;

/// Numbers of directions that are compared.
const DIRECTIONS: [usize; 3] = [10, 20, 50];
/// Ridges that are compared, in units of the mean diagonal of `X'X`.
const RIDGES: [f64; 4] = [0.1, 0.3, 1.0, 3.0];
/// Pairs that are looked at, at most.
const MOST_PAIRS: usize = 600;
/// With fewer pairs nothing is held out.
const LEAST_PAIRS: usize = 30;
const FOLDS: usize = 3;
/// Components of the maps that are compared.
const COMPONENTS: usize = 20;

/// The choice for two datasets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Choice {
    /// Directions of each dataset.
    pub(super) directions: [usize; 2],
    /// The ridge.
    pub(super) ridge: f64,
}

/// The numbers of directions and the ridge whose map places held-out partners nearest to each other, among the coordinates of the
/// paired rows of two datasets. None: too few pairs to tell.
pub(super) fn choose(x: &Tall, y: &Tall, links: &[Link]) -> Result<Option<Choice>> {
    let pairs = without_shared_rows(&links.iter().map(|l| (l.i, l.j)).collect::<Vec<_>>());
    let count = pairs.len().min(MOST_PAIRS);
    if count < LEAST_PAIRS {
        return Ok(None);
    }
    // The order of the links may follow the data; a fixed stride mixes it.
    let chosen: Vec<(usize, usize)> = (0..count).map(|t| pairs[t * pairs.len() / count]).collect();
    let mut totals: Vec<(Choice, f64)> = vec![];
    for fold in 0..FOLDS {
        let pick = |held: bool| chosen.iter().enumerate().filter(move |(t, _)| (t % FOLDS == fold) == held).map(|(_, p)| *p);
        let (known, held): (Vec<_>, Vec<_>) = (pick(false).collect(), pick(true).collect());
        for (at, one) in scores(x, y, &known, &held)?.into_iter().enumerate() {
            match totals.get_mut(at) {
                Some(total) => total.1 += one.1,
                None => totals.push(one),
            }
        }
    }
    let best = totals.into_iter().reduce(|best, next| if next.1 < best.1 { next } else { best });
    Ok(best.map(|b| b.0))
}

/// For every setting, the share of rows nearer than the partner, over held-out pairs.
fn scores(x: &Tall, y: &Tall, known: &[(usize, usize)], held: &[(usize, usize)]) -> Result<Vec<(Choice, f64)>> {
    let rows = |of: &Tall, rows: &mut dyn Iterator<Item = usize>| Tall {
        values: rows.flat_map(|i| &of.values[i * of.stride..(i + 1) * of.stride]).copied().collect(),
        stride: of.stride,
    };
    let (kx, ky) = (rows(x, &mut known.iter().map(|p| p.0)), rows(y, &mut known.iter().map(|p| p.1)));
    let (hx, hy) = (rows(x, &mut held.iter().map(|p| p.0)), rows(y, &mut held.iter().map(|p| p.1)));
    let (own_x, own_y, cross) = (gram(&kx, kx.stride, &kx), gram(&ky, ky.stride, &ky), gram(&kx, kx.stride, &ky));
    let mut out = vec![];
    for ridge in RIDGES {
        let whiteners = |own: &Mat<f64>| -> Result<Vec<Mat<f64>>> {
            let numbers = DIRECTIONS.iter().map(|d| (*d).min(own.nrows()));
            numbers.map(|d| whitener(&own.submatrix(0, 0, d, d).to_owned(), ridge)).collect()
        };
        let (of_x, of_y) = (whiteners(&own_x)?, whiteners(&own_y)?);
        for (a, wx) in of_x.iter().enumerate() {
            for (b, wy) in of_y.iter().enumerate() {
                let (p, q) = (wx.nrows(), wy.nrows());
                let (fx, fy) = maps(wx, wy, &cross.submatrix(0, 0, p, q).to_owned())?;
                let choice = Choice { directions: [DIRECTIONS[a], DIRECTIONS[b]], ridge };
                out.push((choice, closer(&placed(&hx, &fx), &placed(&hy, &fy))));
            }
        }
    }
    Ok(out)
}

/// `(G + r m)^(−1/2)`, m the mean of the diagonal.
fn whitener(own: &Mat<f64>, ridge: f64) -> Result<Mat<f64>> {
    let d = own.nrows();
    let shift = ridge * (0..d).map(|i| own[(i, i)]).sum::<f64>() / d as f64;
    let (values, vectors) = symmetric_eigen(own)?;
    let power: Vec<f64> = values.iter().map(|v| (v.max(0.0) + shift).max(f64::MIN_POSITIVE).powf(-0.5)).collect();
    let scaled = Mat::from_fn(d, d, |i, j| vectors[(i, j)] * power[j]);
    Ok(&scaled * vectors.transpose())
}

/// The maps of canonical correlation, weighted by what each component tells.
fn maps(wx: &Mat<f64>, wy: &Mat<f64>, cross: &Mat<f64>) -> Result<(Mat<f64>, Mat<f64>)> {
    let m = wx * cross * wy;
    let (values, vectors) = symmetric_eigen(&(&m * m.transpose()))?;
    let (d, last) = (COMPONENTS.min(m.nrows()).min(m.ncols()), m.nrows() - 1);
    let rho: Vec<f64> = (0..d).map(|c| values[last - c].max(0.0).sqrt()).collect();
    let weights = component_weights(rho.iter().copied());
    let left = Mat::from_fn(m.nrows(), d, |i, c| vectors[(i, last - c)]);
    let right = m.transpose() * &left;
    // V = M'U / ρ; a component without correlation has weight 0.
    let over = |c: usize| if rho[c] > 1e-12 { weights[c] / rho[c] } else { 0.0 };
    let left = Mat::from_fn(left.nrows(), d, |i, c| left[(i, c)] * weights[c]);
    let right = Mat::from_fn(right.nrows(), d, |i, c| right[(i, c)] * over(c));
    Ok((wx * left, wy * right))
}

/// Rows times a map of their first columns, each of length 1.
fn placed(rows: &Tall, map: &Mat<f64>) -> Vec<Vec<f64>> {
    let place = |row: &[f64]| {
        let z: Vec<f64> = (0..map.ncols()).map(|c| (0..map.nrows()).map(|i| row[i] * map[(i, c)]).sum::<f64>()).collect();
        let length = z.iter().map(|v| v * v).sum::<f64>().sqrt();
        z.into_iter().map(|v| if length > 0.0 { v / length } else { 0.0 }).collect()
    };
    rows.values.chunks_exact(rows.stride).map(place).collect()
}

/// The mean share of other rows that are nearer than the partner, in both directions; equally near rows count half.
fn closer(a: &[Vec<f64>], b: &[Vec<f64>]) -> f64 {
    let n = a.len();
    let product = |i: usize, j: usize| a[i].iter().zip(&b[j]).map(|(x, y)| x * y).sum::<f64>();
    let all: Vec<Vec<f64>> = (0..n).map(|i| (0..n).map(|j| product(i, j)).collect()).collect();
    let half = |other: f64, own: f64| if other > own { 1.0 } else { 0.5 * f64::from(u8::from(other == own)) };
    let mut sum = 0.0;
    for i in 0..n {
        let own = all[i][i];
        sum += (0..n).filter(|&j| j != i).map(|j| half(all[i][j], own) + half(all[j][i], own)).sum::<f64>();
    }
    sum / (2 * n * (n - 1).max(1)) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    fn normal(rng: &mut ChaCha8Rng) -> f64 {
        (0..12).map(|_| rng.random_range(0.0..1.0)).sum::<f64>() - 6.0
    }

    /// Two views of five latent columns in the first columns, and noise in the others, by descending variance.
    fn views(n: usize, noise: [f64; 2]) -> [Tall; 2] {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let latent: Vec<[f64; 5]> = (0..n).map(|_| std::array::from_fn(|_| normal(&mut rng))).collect();
        noise.map(|noise| {
            let mut values = vec![];
            for row in &latent {
                values.extend((0..50).map(|j| if j < 5 { 3.0 * row[j] + normal(&mut rng) } else { noise * normal(&mut rng) }));
            }
            Tall { values, stride: 50 }
        })
    }

    #[test]
    fn noise_is_left_out() {
        let [x, y] = views(150, [2.5, 2.5]);
        let links: Vec<Link> = (0..150).map(|i| Link { a: 0, i, b: 1, j: i, weight: 1.0 }).collect();
        let choice = choose(&x, &y, &links).unwrap().unwrap();
        assert_eq!(choice.directions, [10, 10]);
        assert_eq!(choose(&x, &y, &links[..20]).unwrap(), None);
    }

    #[test]
    fn the_maps_are_those_of_canonical_correlation() {
        let [x, y] = views(100, [1.0, 1.0]);
        let (gx, gy, c) = (gram(&x, 50, &x), gram(&y, 50, &y), gram(&x, 50, &y));
        let (wx, wy) = (whitener(&gx, 0.1).unwrap(), whitener(&gy, 0.1).unwrap());
        let (fx, fy) = maps(&wx, &wy, &c).unwrap();
        // C f_y = ρ (G_x + R) f_x, component by component.
        let shift = 0.1 * (0..50).map(|i| gx[(i, i)]).sum::<f64>() / 50.0;
        let ridged = Mat::from_fn(50, 50, |i, j| gx[(i, j)] + if i == j { shift } else { 0.0 });
        let (left, right) = (&c * &fy, &ridged * &fx);
        for k in 0..5 {
            let rho = left[(0, k)] / right[(0, k)];
            assert!((0..50).all(|i| (left[(i, k)] - rho * right[(i, k)]).abs() < 1e-6 * right[(0, k)].abs().max(1.0)), "{k}");
            assert!(rho > 0.0 && rho < 1.0);
        }
    }

    #[test]
    fn closer_counts_what_is_nearer() {
        let at = |v: &[[f64; 2]]| v.iter().map(|r| r.to_vec()).collect::<Vec<_>>();
        let (a, b) = (at(&[[1.0, 0.0], [0.0, 1.0]]), at(&[[1.0, 0.0], [0.0, 1.0]]));
        assert_eq!(closer(&a, &b), 0.0);
        let swapped = at(&[[0.0, 1.0], [1.0, 0.0]]);
        assert_eq!(closer(&a, &swapped), 1.0);
    }
}
