//! Point clouds: moved rigidly, or lifted into many dimensions by smooth maps.

use super::random::{Purpose, Random};
use super::{Common, Synthetic, add_noise, check_count, check_number, common_options, orthonormal_rows};
use crate::builder::setters;
use crate::data::Dataset;
use crate::error::{Error, Result};
use crate::linalg::Matrix;

/// Rotations are square and come from Gram–Schmidt: beyond this size they would take hours.
const MOST_DIMENSIONS: usize = 10_000;

/// A similarity: `y = scale · x R + translation` for a row `x`.
#[derive(Clone, Debug, PartialEq)]
pub struct Motion {
    /// Factor of all lengths.
    pub scale: f64,
    /// Rotation `R`, orthogonal with determinant 1.
    pub rotation: Matrix,
    /// Added to every row.
    pub translation: Vec<f64>,
}

impl Motion {
    /// Applies the similarity to the rows.
    pub fn apply(&self, rows: &Matrix) -> Matrix {
        let mut moved = super::product(rows, &self.rotation);
        for i in 0..moved.nrows() {
            moved.row_mut(i).iter_mut().zip(&self.translation).for_each(|(v, t)| *v = self.scale * *v + t);
        }
        moved
    }
}

/// A cloud and its rotated, scaled and translated copies.
///
/// The cloud is normal with standard deviation `1, 1/2, 1/3, …` along its axes and skewed (each coordinate `x` is drawn
/// as `g + (g² − 1) / 4`), so no rotation or reflection maps it onto itself. `latent` is the cloud; dataset 0 is the cloud
/// plus noise, dataset `a` is [`motion(a)`](Self::motion) of the cloud plus noise. No labels.
///
/// | name | default | purpose | range |
/// |---|---|---|---|
/// | `n_features` | 3 | columns of every dataset | 1 to 10,000 |
/// | `n_datasets` | 2 | the cloud and its copies | at least 2 |
/// | `scale` | 1 | size of copy `a` is `scale^a` | above 0 |
/// | `translation` | 1 | standard deviation of the shift in each coordinate | at least 0 |
/// | `noise` | 0 | standard deviation | at least 0 |
#[derive(Clone, Debug, PartialEq)]
pub struct RotatedCopies {
    common: Common,
    n_features: usize,
    n_datasets: usize,
    scale: f64,
    translation: f64,
    noise: f64,
}
common_options!(RotatedCopies);

impl RotatedCopies {
    /// A cloud of that many points.
    pub fn new(n_objects: usize) -> Self {
        let common = Common::new(n_objects);
        Self { common, n_features: 3, n_datasets: 2, scale: 1.0, translation: 1.0, noise: 0.0 }
    }
    setters! {
        /// Columns of every dataset.
        n_features: usize => n_features;
        /// Number of datasets, the cloud included.
        n_datasets: usize => n_datasets;
        /// Each copy is this much larger than the one before.
        scale: f64 => scale;
        /// Typical shift of a copy in each coordinate.
        translation: f64 => translation;
        /// Standard deviation of the noise in each column.
        noise: f64 => noise;
    }

    fn check(&self) -> Result<()> {
        check_count("n_features", self.n_features, 1, MOST_DIMENSIONS)?;
        if !(2..=64).contains(&self.n_datasets) {
            return Err(Error::parameter("n_datasets", self.n_datasets, "between 2 and 64"));
        }
        if !(1e-3..=1e3).contains(&self.scale) {
            return Err(Error::parameter("scale", self.scale, "between 1e-3 and 1e3"));
        }
        check_number("translation", self.translation, 0.0, false)?;
        check_number("noise", self.noise, 0.0, false)?;
        self.common.check(&vec![self.n_features; self.n_datasets])
    }

    /// The true motion of dataset `a`; for dataset 0 it is the identity.
    pub fn motion(&self, dataset: usize) -> Result<Motion> {
        self.check()?;
        if dataset >= self.n_datasets {
            return Err(Error::parameter("dataset", dataset, &format!("below {}", self.n_datasets)));
        }
        let p = self.n_features;
        if dataset == 0 {
            let rotation = Matrix::from_fn(p, p, |i, j| f64::from(u8::from(i == j)));
            return Ok(Motion { scale: 1.0, rotation, translation: vec![0.0; p] });
        }
        let mut random = self.common.random(Purpose::Map(dataset));
        let mut rotation = orthonormal_rows(p, p, &mut random);
        if determinant(&rotation) < 0.0 {
            rotation.row_mut(p - 1).iter_mut().for_each(|v| *v = -*v);
        }
        let translation = (0..p).map(|_| self.translation * random.normal()).collect();
        Ok(Motion { scale: self.scale.powi(dataset as i32), rotation, translation })
    }

    /// The datasets "copy_0", "copy_1", … with their truth.
    pub fn generate(&self) -> Result<Synthetic> {
        self.check()?;
        let mut random = self.common.random(Purpose::Latent);
        let latent = Matrix::from_fn(self.common.n_objects, self.n_features, |_, j| {
            let g = random.normal();
            (g + 0.25 * (g * g - 1.0)) / (j + 1) as f64
        });
        let mut complete = vec![];
        for a in 0..self.n_datasets {
            let mut rows = self.motion(a)?.apply(&latent);
            add_noise(&mut rows, self.noise, &mut self.common.random(Purpose::Noise(a)));
            complete.push(Dataset::new(format!("copy_{a}"), rows)?);
        }
        Ok(self.common.arrange(complete, latent))
    }
}

/// Determinant by elimination with row pivots.
fn determinant(matrix: &Matrix) -> f64 {
    let (n, mut m, mut det) = (matrix.nrows(), matrix.clone(), 1.0);
    for k in 0..n {
        let pivot = (k..n).max_by(|&i, &j| m[(i, k)].abs().total_cmp(&m[(j, k)].abs())).unwrap_or(k);
        if m[(pivot, k)] == 0.0 {
            return 0.0;
        }
        if pivot != k {
            for j in 0..n {
                (m[(k, j)], m[(pivot, j)]) = (m[(pivot, j)], m[(k, j)]);
            }
            det = -det;
        }
        det *= m[(k, k)];
        for i in k + 1..n {
            let factor = m[(i, k)] / m[(k, k)];
            for j in k..n {
                m[(i, j)] -= factor * m[(k, j)];
            }
        }
    }
    det
}

/// A random smooth map, one feature at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum SmoothMap {
    /// `tanh(w · z + b)`: features rise or fall along a direction.
    #[default]
    Tanh,
    /// `√2 cos(w · z + b)`: random Fourier features, which approximate a heat kernel.
    Fourier,
}

/// The weights of a [`SmoothMap`] into a number of features.
pub(super) struct Layer {
    map: SmoothMap,
    directions: Matrix,
    offsets: Vec<f64>,
}

impl Layer {
    /// `w` is normal with standard deviation `roughness / √inputs`, `b` uniform: ±1 for tanh, all phases for Fourier.
    pub(super) fn new(map: SmoothMap, inputs: usize, features: usize, roughness: f64, random: &mut Random) -> Self {
        let deviation = roughness / (inputs as f64).sqrt();
        let directions = Matrix::from_fn(features, inputs, |_, _| deviation * random.normal());
        let range = match map {
            SmoothMap::Tanh => 1.0,
            SmoothMap::Fourier => std::f64::consts::PI,
        };
        let offsets = (0..features).map(|_| random.between(-range, range)).collect();
        Self { map, directions, offsets }
    }

    pub(super) fn apply(&self, latent: &Matrix) -> Matrix {
        let mut rows = Matrix::zeros(latent.nrows(), self.offsets.len());
        for i in 0..latent.nrows() {
            let z = latent.row(i);
            for (j, v) in rows.row_mut(i).iter_mut().enumerate() {
                let phase = self.offsets[j] + self.directions.row(j).iter().zip(z).map(|(w, z)| w * z).sum::<f64>();
                *v = match self.map {
                    SmoothMap::Tanh => phase.tanh(),
                    SmoothMap::Fourier => std::f64::consts::SQRT_2 * phase.cos(),
                };
            }
        }
        rows
    }
}

/// Clusters on a manifold of few dimensions, lifted into many by a different random smooth map per dataset: a benchmark of any
/// size.
///
/// Cluster centres are standard normal in `intrinsic` dimensions, members normal around them with standard deviation
/// `spread`. `latent` holds the intrinsic coordinates, labels are the clusters.
///
/// | name | default | purpose | range |
/// |---|---|---|---|
/// | `intrinsic` | 5 | dimensions of the manifold | 1 to 10,000 |
/// | `clusters` | 10 | number of clusters, about equally large | 1 to 100,000 |
/// | `spread` | 0.4 | size of a cluster; the centres have standard deviation 1 | at least 0 |
/// | `features` | `[50, 80]` | columns, one number per dataset | each at least `intrinsic`, 2 to 64 datasets |
/// | `map` | `Tanh` | kind of map | |
/// | `roughness` | 1 | how strongly the map bends | above 0 |
/// | `noise` | 0.05 | standard deviation; features are about 1 in size | at least 0 |
#[derive(Clone, Debug, PartialEq)]
pub struct LiftedCopies {
    common: Common,
    intrinsic: usize,
    clusters: usize,
    spread: f64,
    features: Vec<usize>,
    map: SmoothMap,
    roughness: f64,
    noise: f64,
}
common_options!(LiftedCopies);

impl LiftedCopies {
    /// That many points on the manifold.
    pub fn new(n_objects: usize) -> Self {
        Self {
            common: Common::new(n_objects),
            intrinsic: 5,
            clusters: 10,
            spread: 0.4,
            features: vec![50, 80],
            map: SmoothMap::default(),
            roughness: 1.0,
            noise: 0.05,
        }
    }
    setters! {
        /// Dimensions of the manifold.
        intrinsic: usize => intrinsic;
        /// Number of clusters.
        clusters: usize => clusters;
        /// Standard deviation within a cluster.
        spread: f64 => spread;
    }
    /// Columns of each dataset; as many datasets as numbers.
    pub fn features(mut self, features: impl Into<Vec<usize>>) -> Self {
        self.features = features.into();
        self
    }
    setters! {
        /// Kind of map.
        map: SmoothMap => map;
        /// How strongly the maps bend: standard deviation of `w · z` for standard normal `z`.
        roughness: f64 => roughness;
        /// Standard deviation of the noise in each column.
        noise: f64 => noise;
    }

    fn check(&self) -> Result<()> {
        self.common.check(&self.features)?;
        check_count("intrinsic", self.intrinsic, 1, MOST_DIMENSIONS)?;
        check_count("clusters", self.clusters, 1, 100_000)?;
        if !(2..=64).contains(&self.features.len()) {
            return Err(Error::parameter("features", format!("{:?}", self.features), "a number for each of 2 to 64 datasets"));
        }
        if let Some(&few) = self.features.iter().find(|&&p| p < self.intrinsic) {
            return Err(Error::parameter("features", few, &format!("at least intrinsic ({})", self.intrinsic)));
        }
        check_number("spread", self.spread, 0.0, false)?;
        check_number("roughness", self.roughness, 0.0, true)?;
        check_number("noise", self.noise, 0.0, false)
    }

    /// The datasets "lift_0", "lift_1", … with their truth.
    pub fn generate(&self) -> Result<Synthetic> {
        self.check()?;
        let mut random = self.common.random(Purpose::Latent);
        let centres = Matrix::from_fn(self.clusters, self.intrinsic, |_, _| random.normal());
        let mut labels = Vec::with_capacity(self.common.n_objects);
        let mut latent = Matrix::zeros(self.common.n_objects, self.intrinsic);
        for i in 0..self.common.n_objects {
            let cluster = random.below(self.clusters);
            labels.push(format!("cluster {cluster}"));
            for (v, c) in latent.row_mut(i).iter_mut().zip(centres.row(cluster)) {
                *v = c + self.spread * random.normal();
            }
        }
        let mut made = vec![];
        for (a, &p) in self.features.iter().enumerate() {
            let layer = Layer::new(self.map, self.intrinsic, p, self.roughness, &mut self.common.random(Purpose::Map(a)));
            made.push((format!("lift_{a}"), layer.apply(&latent)));
        }
        self.common.finish(made, self.noise, &labels, latent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_determinant_counts_row_exchanges() {
        let m = Matrix::from_rows(&[[0.0, 2.0, 0.0], [3.0, 1.0, 0.0], [5.0, 7.0, 4.0]]).unwrap();
        assert!((determinant(&m) + 24.0).abs() < 1e-12);
        assert_eq!(determinant(&Matrix::zeros(2, 2)), 0.0);
    }

    #[test]
    fn motions_are_proper_rotations() {
        for seed in 0..8 {
            let motion = RotatedCopies::new(10).n_features(4).random_state(seed).motion(1).unwrap();
            let r = &motion.rotation;
            assert!((determinant(r) - 1.0).abs() < 1e-12);
            let gram = super::super::product(r, &r.transpose());
            for i in 0..4 {
                for j in 0..4 {
                    assert!((gram[(i, j)] - f64::from(u8::from(i == j))).abs() < 1e-14);
                }
            }
        }
    }
}
