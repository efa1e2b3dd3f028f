//! Sheets, helices and chains: the same low-dimensional shape bent in two ways.

use super::random::Purpose;
use super::{Common, Synthetic, bands, check_number, common_options, orthonormal_rows, product};
use crate::builder::setters;
use crate::error::{Error, Result};
use crate::linalg::Matrix;
use std::f64::consts::{PI, TAU};

/// Bands along the shape that become labels.
const BANDS: usize = 6;

/// Angles at which the swiss roll begins and ends: the usual 1.5 π and 4.5 π.
const ROLL: (f64, f64) = (1.5 * PI, 4.5 * PI);

/// How a sheet is bent. All shapes are isometric: geodesic distances are those of the flat sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Rolling {
    /// An Archimedean spiral, `(t cos t, w, t sin t)`.
    Swiss,
    /// Two arcs of three quarters of a circle, as the letter S.
    #[default]
    SCurve,
    /// Flat: `(s, w, 0)`.
    Flat,
}

/// One sheet: a swiss roll in dataset 0, another shape in dataset 1.
///
/// Objects are uniform on the sheet; `latent` holds their arc length and width, so Euclidean distance in `latent` is
/// geodesic distance on either surface (times `scale` on the second). Labels are six bands along the roll.
///
/// | name | default | purpose | range |
/// |---|---|---|---|
/// | `second` | `SCurve` | how dataset 1 is bent | |
/// | `width` | 21 | width of the sheet; it is about 90 long | above 0 |
/// | `scale` | 1 | size of dataset 1 | above 0 |
/// | `noise` | 0 | standard deviation, both datasets | at least 0 |
#[derive(Clone, Debug, PartialEq)]
pub struct SwissRolls {
    common: Common,
    second: Rolling,
    width: f64,
    scale: f64,
    noise: f64,
}
common_options!(SwissRolls);

impl SwissRolls {
    /// That many points on the sheet.
    pub fn new(n_objects: usize) -> Self {
        Self { common: Common::new(n_objects), second: Rolling::default(), width: 21.0, scale: 1.0, noise: 0.0 }
    }
    setters! {
        /// How dataset 1 is bent.
        second: Rolling => second;
        /// Width of the sheet.
        width: f64 => width;
        /// Size of dataset 1 relative to dataset 0.
        scale: f64 => scale;
        /// Standard deviation of the noise in each coordinate.
        noise: f64 => noise;
    }

    /// The datasets "roll" and "sheet" with their truth.
    pub fn generate(&self) -> Result<Synthetic> {
        self.common.check(&[3, 3])?;
        check_number("width", self.width, 0.0, true)?;
        check_number("scale", self.scale, 0.0, true)?;
        check_number("noise", self.noise, 0.0, false)?;
        let length = spiral_length(ROLL.1) - spiral_length(ROLL.0);
        let mut random = self.common.random(Purpose::Latent);
        let latent =
            Matrix::from_fn(self.common.n_objects, 2, |_, j| random.uniform() * if j == 0 { length } else { self.width });
        let labels = bands(latent.rows().map(|r| r[0] / length), BANDS);
        let bent = |rolling: Rolling, scale: f64| {
            let rows: Vec<[f64; 3]> = latent.rows().map(|r| rolling.bend(r[0], r[1], length).map(|v| v * scale)).collect();
            Matrix::from_rows(&rows)
        };
        let made = vec![("roll".into(), bent(Rolling::Swiss, 1.0)?), ("sheet".into(), bent(self.second, self.scale)?)];
        self.common.finish(made, self.noise, &labels, latent)
    }
}

impl Rolling {
    /// The point at arc length `s` (of `length`) and width `w`.
    fn bend(self, s: f64, w: f64, length: f64) -> [f64; 3] {
        match self {
            Rolling::Swiss => {
                let t = spiral_angle(spiral_length(ROLL.0) + s);
                [t * t.cos(), w, t * t.sin()]
            }
            Rolling::SCurve => {
                let radius = length / (3.0 * PI);
                let angle = (s - 0.5 * length) / radius; // −1.5 π to 1.5 π
                [radius * angle.sin(), w, radius * angle.signum() * (angle.cos() - 1.0)]
            }
            Rolling::Flat => [s, w, 0.0],
        }
    }
}

/// Arc length of the spiral `t (cos t, sin t)` from the origin to angle t.
fn spiral_length(t: f64) -> f64 {
    0.5 * (t * (1.0 + t * t).sqrt() + t.asinh())
}

/// The angle at which the spiral has that arc length: Newton's method from `√(2 s)`, whose error is already small.
fn spiral_angle(length: f64) -> f64 {
    let mut t = (2.0 * length).sqrt();
    for _ in 0..6 {
        t -= (spiral_length(t) - length) / (1.0 + t * t).sqrt();
    }
    t
}

/// One curve, wound into two helices of different radius, pitch and number of turns.
///
/// Objects are uniform along the curve; `latent` holds the fraction of arc length, 0 to 1, which is the same on both. Labels
/// are six bands along the curve.
///
/// | name | default | purpose | range |
/// |---|---|---|---|
/// | `radius` | `[1, 2]` | radius of each helix | above 0 |
/// | `pitch` | `[1, 0.5]` | rise per turn | at least 0 |
/// | `turns` | `[2, 3]` | number of turns | above 0 |
/// | `features` | `[3, 3]` | columns: more than 3 and the helix is turned into that many dimensions | at least 3 |
/// | `noise` | 0 | standard deviation | at least 0 |
#[derive(Clone, Debug, PartialEq)]
pub struct Helices {
    common: Common,
    radius: [f64; 2],
    pitch: [f64; 2],
    turns: [f64; 2],
    features: [usize; 2],
    noise: f64,
}
common_options!(Helices);

impl Helices {
    /// That many points on the curve.
    pub fn new(n_objects: usize) -> Self {
        let common = Common::new(n_objects);
        Self { common, radius: [1.0, 2.0], pitch: [1.0, 0.5], turns: [2.0, 3.0], features: [3, 3], noise: 0.0 }
    }
    setters! {
        /// Radius of each helix.
        radius: [f64; 2] => radius;
        /// Rise per turn of each helix.
        pitch: [f64; 2] => pitch;
        /// Turns of each helix.
        turns: [f64; 2] => turns;
        /// Columns of each dataset.
        features: [usize; 2] => features;
        /// Standard deviation of the noise in each column.
        noise: f64 => noise;
    }

    /// The datasets "helix_0" and "helix_1" with their truth.
    pub fn generate(&self) -> Result<Synthetic> {
        self.common.check(&self.features)?;
        for a in 0..2 {
            check_number("radius", self.radius[a], 0.0, true)?;
            check_number("pitch", self.pitch[a], 0.0, false)?;
            check_number("turns", self.turns[a], 0.0, true)?;
            super::check_count("features", self.features[a], 3, usize::MAX)?;
        }
        check_number("noise", self.noise, 0.0, false)?;
        let mut random = self.common.random(Purpose::Latent);
        let latent = Matrix::from_fn(self.common.n_objects, 1, |_, _| random.uniform());
        let labels = bands(latent.rows().map(|r| r[0]), BANDS);
        let mut made = vec![];
        for a in 0..2 {
            let (radius, rise) = (self.radius[a], self.pitch[a] * self.turns[a]);
            let wound: Vec<[f64; 3]> = latent
                .rows()
                .map(|r| {
                    let (sin, cos) = (TAU * self.turns[a] * r[0]).sin_cos();
                    [radius * cos, radius * sin, rise * r[0]]
                })
                .collect();
            made.push((format!("helix_{a}"), turned(Matrix::from_rows(&wound)?, self.features[a], &self.common, a)));
        }
        self.common.finish(made, self.noise, &labels, latent)
    }
}

/// Rows of three numbers embedded in `features` dimensions by a random rigid motion; unchanged for three dimensions.
fn turned(rows: Matrix, features: usize, common: &Common, dataset: usize) -> Matrix {
    if features == rows.ncols() {
        return rows;
    }
    product(&rows, &orthonormal_rows(rows.ncols(), features, &mut common.random(Purpose::Map(dataset))))
}

/// A long thin strip, straight in dataset 0 and bent to three quarters of a circle in dataset 1.
///
/// The strip is `n_objects` long with one point per unit of length, so that its neighbour graph is a chain and the smallest
/// eigenvalues of its Laplacian are of order `1 / n²`: a hard case for iterative eigensolvers. Both datasets have three columns
/// and are isometric. `latent` holds the position along and across the strip; objects are ordered along it. Labels are six
/// bands along the strip.
///
/// | name | default | purpose | range |
/// |---|---|---|---|
/// | `width` | 1 | width of the strip in mean spacings; aspect ratio = `n_objects / width` | at least 0, at most `n_objects / 2` |
/// | `noise` | 0 | standard deviation | at least 0 |
#[derive(Clone, Debug, PartialEq)]
pub struct ThinChains {
    common: Common,
    width: f64,
    noise: f64,
}
common_options!(ThinChains);

impl ThinChains {
    /// A chain of that many points.
    pub fn new(n_objects: usize) -> Self {
        Self { common: Common::new(n_objects), width: 1.0, noise: 0.0 }
    }
    setters! {
        /// Width of the strip, in mean spacings along it.
        width: f64 => width;
        /// Standard deviation of the noise in each column.
        noise: f64 => noise;
    }

    /// The datasets "straight" and "bent" with their truth.
    pub fn generate(&self) -> Result<Synthetic> {
        self.common.check(&[3, 3])?;
        let length = self.common.n_objects as f64;
        if !(self.width >= 0.0 && self.width <= length / 2.0) {
            return Err(Error::parameter("width", self.width, "between 0 and half of n_objects"));
        }
        check_number("noise", self.noise, 0.0, false)?;
        let mut random = self.common.random(Purpose::Latent);
        // One point in each unit of length: no gap is wider than 2, so that the graph stays connected.
        let latent = Matrix::from_fn(self.common.n_objects, 2, |i, j| {
            if j == 0 { i as f64 + random.uniform() } else { self.width * random.uniform() }
        });
        let labels = bands(latent.rows().map(|r| r[0] / length), BANDS);
        let turn = orthonormal_rows(2, 3, &mut self.common.random(Purpose::Map(0)));
        let radius = length / (1.5 * PI);
        let bent: Vec<[f64; 3]> =
            latent.rows().map(|r| [radius * (r[0] / radius).cos(), radius * (r[0] / radius).sin(), r[1]]).collect();
        let made = vec![("straight".into(), product(&latent, &turn)), ("bent".into(), Matrix::from_rows(&bent)?)];
        self.common.finish(made, self.noise, &labels, latent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_spiral_angle_undoes_the_spiral_length() {
        for t in [ROLL.0, 6.0, 10.0, ROLL.1] {
            assert!((spiral_angle(spiral_length(t)) - t).abs() < 1e-12);
        }
    }

    #[test]
    fn bending_keeps_lengths() {
        let length = spiral_length(ROLL.1) - spiral_length(ROLL.0);
        let step = 1e-4;
        for rolling in [Rolling::Swiss, Rolling::SCurve, Rolling::Flat] {
            for s in [0.0, 0.3 * length, 0.5 * length, 0.9 * length] {
                let (p, q) = (rolling.bend(s, 2.0, length), rolling.bend(s + step, 2.0, length));
                let moved = (0..3).map(|j| (p[j] - q[j]).powi(2)).sum::<f64>().sqrt();
                // A chord is shorter than its arc by a share of (step / radius)² / 24.
                assert!((moved / step - 1.0).abs() < 1e-7, "{rolling:?} at {s}: {moved}");
            }
        }
    }
}
