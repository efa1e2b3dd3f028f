//! How states are seen.

use crate::Task;
use crate::check::{self, refused};
use landbridge::Result;
use landbridge::data::synthetic::orthonormal_rows;
use landbridge::data::synthetic::random::{Purpose, Random};
use landbridge::linalg::Matrix;

/// States as rows of features: scaled, and perhaps bent and turned into more of them. Bent along an arc of curvature `bend`, which
/// keeps lengths, and turned at random.
///
/// | name | default | purpose | range |
/// |---|---|---|---|
/// | `stretch` | `[1, 1]` | factors of the two numbers of a state, beside the task's own | above 0 |
/// | `lift` | none | number of features, bend, seed | 3 or more, at least 0 |
#[derive(Clone, Debug, PartialEq)]
pub struct Sensor {
    scales: [f64; 2],
    bend: f64,
    /// 3 × features, orthonormal rows.
    turn: Option<Matrix<f64>>,
}

impl Sensor {
    /// The two numbers of a state, scaled as the task says.
    pub fn new(task: &dyn Task) -> Self {
        Self { scales: task.facts().scales, bend: 0.0, turn: None }
    }
    /// Stretched by these factors.
    pub fn stretch(mut self, factors: [f64; 2]) -> Result<Self> {
        for (scale, factor) in self.scales.iter_mut().zip(factors) {
            check::above_zero("stretch", factor)?;
            *scale *= factor;
        }
        Ok(self)
    }
    /// Bent along an arc and turned at random among that many features.
    pub fn lift(mut self, features: usize, bend: f64, random_state: u64) -> Result<Self> {
        check::count("features", features, 3, 10_000)?;
        if !(0.0..=1e100).contains(&bend) {
            return Err(refused("bend", bend, "at least 0 and at most 1e100"));
        }
        self.bend = bend;
        self.turn = Some(orthonormal_rows(3, features, &mut Random::new(random_state, Purpose::Map(0))));
        Ok(self)
    }
    /// Number of features.
    pub fn n_features(&self) -> usize {
        self.turn.as_ref().map_or(2, Matrix::ncols)
    }
    /// States as they are seen.
    pub fn observe(&self, states: &Matrix<f64>) -> Matrix<f64> {
        let mut out = Matrix::zeros(states.nrows(), self.n_features());
        for (i, state) in states.rows().enumerate() {
            let (first, second) = (self.scales[0] * state[0], self.scales[1] * state[1]);
            let row = out.row_mut(i);
            match &self.turn {
                None => row.copy_from_slice(&[first, second]),
                Some(turn) => {
                    let arc = match self.bend {
                        0.0 => [first, second, 0.0],
                        bend => [(bend * first).sin() / bend, second, (1.0 - (bend * first).cos()) / bend],
                    };
                    for (value, direction) in arc.iter().zip(turn.rows()) {
                        row.iter_mut().zip(direction).for_each(|(o, d)| *o += value * d);
                    }
                }
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Pendulum;

    #[test]
    fn a_lift_without_bend_keeps_distances_and_a_bend_shortens_them() {
        let plain = Sensor::new(&Pendulum::new());
        let states = Matrix::from_rows(&[[0.1, -0.3], [-0.6, 0.9], [0.4, 2.0]]).unwrap();
        let distance = |sensor: &Sensor, i: usize, j: usize| {
            let seen = sensor.observe(&states);
            seen.row(i).iter().zip(seen.row(j)).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
        };
        let flat = plain.clone().lift(7, 0.0, 3).unwrap();
        let bent = plain.clone().lift(7, 0.5, 3).unwrap();
        assert_eq!(bent.n_features(), 7);
        for (i, j) in [(0, 1), (0, 2), (1, 2)] {
            assert!((distance(&flat, i, j) - distance(&plain, i, j)).abs() < 1e-12);
            assert!(distance(&bent, i, j) < distance(&plain, i, j));
        }
        assert_eq!(plain.clone().stretch([2.0, 1.0]).unwrap().observe(&states)[(0, 0)], 2.0 * 3.0 * 0.1);
        assert!(plain.clone().stretch([0.0, 1.0]).is_err() && plain.lift(2, 1.0, 0).is_err());
    }
}
