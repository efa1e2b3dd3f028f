//! A branching trajectory, as in single-cell benchmarks.

use super::clouds::{Layer, SmoothMap};
use super::random::{Purpose, Random};
use super::{Common, Synthetic, check_count, check_number, common_options};
use crate::builder::setters;
use crate::error::{Error, Result};
use crate::linalg::Matrix;

/// A tree in the plane, lifted into two high-dimensional spaces ("genes" and "peaks") by different smooth maps.
///
/// A trunk splits in two `splits` times; branches have random lengths, so that the tree has no symmetry. Objects are uniform
/// along all branches. `latent` holds their positions in the plane, labels the branches ("branch 0" is the trunk).
///
/// | name | default | purpose | range |
/// |---|---|---|---|
/// | `splits` | 2 | levels of splitting: `2^(splits+1) − 1` branches | 0 to 8 |
/// | `features` | `[200, 100]` | columns of each dataset | at least 2 |
/// | `thickness` | 0.03 | standard deviation around the branch, in the plane; a branch is about 1 long | at least 0 |
/// | `noise` | 0.1 | standard deviation in each column; features are about 1 in size | at least 0 |
#[derive(Clone, Debug, PartialEq)]
pub struct BranchingTrees {
    common: Common,
    splits: usize,
    features: [usize; 2],
    thickness: f64,
    noise: f64,
}
common_options!(BranchingTrees);

/// One straight piece of the tree.
struct Branch {
    start: [f64; 2],
    angle: f64,
    length: f64,
}

impl BranchingTrees {
    /// That many points on the tree.
    pub fn new(n_objects: usize) -> Self {
        Self { common: Common::new(n_objects), splits: 2, features: [200, 100], thickness: 0.03, noise: 0.1 }
    }
    setters! {
        /// Levels of splitting.
        splits: usize => splits;
        /// Columns of each dataset.
        features: [usize; 2] => features;
        /// Scatter of the objects around their branch.
        thickness: f64 => thickness;
        /// Standard deviation of the noise in each column.
        noise: f64 => noise;
    }

    /// The branches, level by level: the children of branch `b` are `2 b + 1` and `2 b + 2`.
    fn branches(&self, random: &mut Random) -> Vec<Branch> {
        let mut branches = vec![Branch { start: [0.0, 0.0], angle: 0.0, length: 1.0 }];
        for level in 1..=self.splits {
            // Halving the opening angle keeps branches of different parents apart.
            let opening = 1.1 * 0.5f64.powi(level as i32 - 1);
            let parents = (1 << (level - 1)) - 1..(1 << level) - 1;
            for b in parents {
                let end = branches[b].at(1.0);
                for side in [-1.0, 1.0] {
                    let (angle, length) = (branches[b].angle + side * opening, random.between(0.7, 1.3));
                    branches.push(Branch { start: end, angle, length });
                }
            }
        }
        branches
    }

    /// The datasets "genes" and "peaks" with their truth.
    pub fn generate(&self) -> Result<Synthetic> {
        if self.splits > 8 {
            return Err(Error::parameter("splits", self.splits, "between 0 and 8"));
        }
        self.common.check(&self.features)?;
        self.features.iter().try_for_each(|&p| check_count("features", p, 2, usize::MAX))?;
        check_number("thickness", self.thickness, 0.0, false)?;
        check_number("noise", self.noise, 0.0, false)?;
        let mut random = self.common.random(Purpose::Latent);
        let branches = self.branches(&mut random);
        let lengths = super::random::cumulative(&branches.iter().map(|b| b.length).collect::<Vec<_>>());
        let (mut labels, mut places) = (vec![], vec![]);
        for _ in 0..self.common.n_objects {
            let b = random.choose(&lengths);
            let share = random.uniform();
            let [x, y] = branches[b].at(share);
            places.push([x + self.thickness * random.normal(), y + self.thickness * random.normal()]);
            labels.push(format!("branch {b}"));
        }
        let latent = Matrix::from_rows(&places)?;
        let lifted = |a: usize| {
            let layer = Layer::new(SmoothMap::Tanh, 2, self.features[a], 1.5, &mut self.common.random(Purpose::Map(a)));
            layer.apply(&latent)
        };
        let made = vec![("genes".into(), lifted(0)), ("peaks".into(), lifted(1))];
        self.common.finish(made, self.noise, &labels, latent)
    }
}

impl Branch {
    /// The point at that fraction of the branch.
    fn at(&self, share: f64) -> [f64; 2] {
        let (sin, cos) = self.angle.sin_cos();
        [self.start[0] + share * self.length * cos, self.start[1] + share * self.length * sin]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn children_begin_where_their_parent_ends() {
        let branches = BranchingTrees::new(10).splits(3).branches(&mut Random::new(0, Purpose::Latent));
        assert_eq!(branches.len(), 15);
        for b in 0..7 {
            assert_eq!(branches[2 * b + 1].start, branches[b].at(1.0));
            assert_eq!(branches[2 * b + 2].start, branches[b].at(1.0));
        }
    }

    #[test]
    fn without_thickness_every_object_lies_on_its_branch() {
        let tree = BranchingTrees::new(200).thickness(0.0).random_state(5);
        let branches = tree.branches(&mut Random::new(5, Purpose::Latent));
        let found = tree.generate().unwrap();
        for (o, label) in found.datasets[0].labels().unwrap().iter().enumerate() {
            let b: usize = label.strip_prefix("branch ").unwrap().parse().unwrap();
            let (from, to) = (branches[b].at(0.0), branches[b].at(1.0));
            let p = found.latent.row(o);
            let across = (to[0] - from[0]) * (p[1] - from[1]) - (to[1] - from[1]) * (p[0] - from[0]);
            assert!(across.abs() < 1e-12, "object {o} is {across} off its branch");
        }
    }
}
