//! Decision tasks whose states are rows: what is learnt on one state space is carried to another (Procrustes08, §4.3).
//!
//! Random walks give states ([`random_walks`]); their Laplacian eigenmaps are proto-value functions, a basis for values of
//! states; least-squares policy iteration learns a policy with them ([`PolicyIteration`]). When the states are seen otherwise
//! ([`Sensor`]), or the task has changed a little, a two-step alignment carries the basis over (`Y Q`), and the values with it.
//!
//! ```
//! use landbridge_control::{Pendulum, Policy, PolicyIteration, Sensor, random_walks, spread};
//! use landbridge::data::Dataset;
//! use landbridge::embed::LaplacianEigenmaps;
//!
//! let task = Pendulum::new();
//! let sensor = Sensor::new(&task);
//! let walks = random_walks(&task, 100, 0)?.seen(&sensor); // pushes at random, until the pendulum falls
//! let states = walks.states.select_rows(&spread(&walks.states, 200)?);
//! let basis = LaplacianEigenmaps::new(20).n_neighbors(25).fit(&Dataset::new("states", states)?)?;
//! let value = PolicyIteration::new(3).fit(&walks.placed(basis.as_model(), 0)?)?;
//! let policy = Policy { sensor: &sensor, model: basis.as_model(), dataset: 0, value: &value };
//! let steps = policy.steps(&task, 5, 0)?;
//! assert!(steps.iter().all(|&balanced| balanced > 100)); // pushed at random it falls after about 10
//! # Ok::<(), landbridge::Error>(())
//! ```

/// Setters of a builder: `name: kind;`.
macro_rules! setters {
    ($($(#[$doc:meta])* $name:ident: $kind:ty;)*) => {
        $($(#[$doc])* #[must_use] pub fn $name(mut self, $name: $kind) -> Self { self.$name = $name; self })*
    };
}

mod check;
mod experience;
mod policy;
mod sensor;
mod tasks;

pub use experience::{Experience, random_walks, spread};
pub use policy::{Policy, PolicyIteration, ValueFunction, steps};
pub use sensor::Sensor;
pub use tasks::{Facts, Moment, MountainCar, Pendulum, Task};
