//! The two tasks of Procrustes08: an inverted pendulum, and a car in a valley.

use crate::check::above_zero;
use landbridge::Result;
use landbridge::data::synthetic::random::Random;

// The pendulum, in metres, kilograms and newtons; STEP in seconds.
const GRAVITY: f64 = 9.8;
const CART: f64 = 8.0;
const PUSH: f64 = 50.0;
const DISTURBANCE: f64 = 10.0;
const STEP: f64 = 0.1;

// The car: ends of the valley, speed at most, pull of the slope.
const LEFT: f64 = -1.2;
const GOAL: f64 = 0.5;
const FASTEST: f64 = 0.07;
const SLOPE: f64 = 0.0025;

/// What one action leads to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moment {
    /// The state after it.
    pub state: [f64; 2],
    /// Its reward.
    pub reward: f64,
    /// Whether the episode is over.
    pub ended: bool,
}

/// What a task says of itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Facts {
    /// Number of actions.
    pub n_actions: usize,
    /// What a reward is worth one step later.
    pub discount: f64,
    /// Steps of a test, at most.
    pub limit: usize,
    /// Steps of a random walk, at most.
    pub walk_limit: usize,
    /// Factors that make both numbers of a state comparable.
    pub scales: [f64; 2],
}

/// A task with states of two numbers and a few actions, 0, 1, ….
pub trait Task: Sync {
    /// Actions, discount, limits and scales.
    fn facts(&self) -> Facts;
    /// Where a random walk begins; `chance` is uniform on [0, 1).
    fn walk_start(&self, chance: &mut dyn FnMut() -> f64) -> [f64; 2];
    /// Where a test begins.
    fn test_start(&self, chance: &mut dyn FnMut() -> f64) -> [f64; 2];
    /// One step.
    fn step(&self, state: [f64; 2], action: usize, chance: &mut dyn FnMut() -> f64) -> Moment;
    /// Refuses parameters that make no sense.
    fn check(&self) -> Result<()>;
}

/// Draws of a stream, as tasks take them.
pub(crate) fn draws(random: &mut Random) -> impl FnMut() -> f64 + '_ {
    move || random.uniform()
}

/// An inverted pendulum on a cart, to be kept upright by pushing the cart (Lagoudakis and Parr 2003).
///
/// State: angle from the vertical and angular velocity. Actions: pushes of −50, 0 and 50 newtons, each disturbed by up to 10. A
/// step takes a tenth of a second; below the horizontal the episode is over with reward −1. A test is won after 3,000 steps.
///
/// | name | default | purpose | range |
/// |---|---|---|---|
/// | `length` | 0.5 | length of the pendulum, metres | above 0 |
/// | `mass` | 2 | its mass, kilograms (the cart has 8) | above 0 |
#[derive(Clone, Debug, PartialEq)]
pub struct Pendulum {
    length: f64,
    mass: f64,
}

impl Default for Pendulum {
    fn default() -> Self {
        Self { length: 0.5, mass: 2.0 }
    }
}

impl Pendulum {
    /// As published.
    pub fn new() -> Self {
        Self::default()
    }
    setters! {
        /// Length of the pendulum.
        length: f64;
        /// Mass of the pendulum.
        mass: f64;
    }
}

impl Task for Pendulum {
    fn facts(&self) -> Facts {
        Facts { n_actions: 3, discount: 0.95, limit: 3000, walk_limit: 50, scales: [3.0, 1.0] }
    }
    fn walk_start(&self, chance: &mut dyn FnMut() -> f64) -> [f64; 2] {
        [0.4 * chance() - 0.2, 0.4 * chance() - 0.2]
    }
    fn test_start(&self, chance: &mut dyn FnMut() -> f64) -> [f64; 2] {
        [0.02 * chance() - 0.01, 0.02 * chance() - 0.01]
    }
    fn step(&self, [angle, speed]: [f64; 2], action: usize, chance: &mut dyn FnMut() -> f64) -> Moment {
        let (alpha, arm) = (1.0 / (self.mass + CART), self.mass * self.length);
        let push = PUSH * (action as f64 - 1.0) + DISTURBANCE * (2.0 * chance() - 1.0);
        let swing = arm * speed * speed * (2.0 * angle).sin() / 2.0;
        let turning = GRAVITY * angle.sin() - alpha * swing - alpha * angle.cos() * push;
        let change = turning / (4.0 * self.length / 3.0 - alpha * arm * angle.cos().powi(2));
        let state = [angle + STEP * speed, speed + STEP * change];
        let ended = state[0].abs() > std::f64::consts::FRAC_PI_2;
        Moment { state, reward: if ended { -1.0 } else { 0.0 }, ended }
    }
    fn check(&self) -> Result<()> {
        above_zero("length", self.length)?;
        above_zero("mass", self.mass)
    }
}

/// A car in a valley, too weak to drive out without a run-up (Sutton and Barto, Mountain Car).
///
/// State: position (−1.2 to 0.5) and velocity (within 0.07). Actions: throttle backward, none, forward. Reward 1 on arrival
/// at 0.5, which ends the episode; a test starts at rest near the bottom and is lost after 500 steps.
///
/// | name | default | purpose | range |
/// |---|---|---|---|
/// | `power` | 0.001 | change of velocity by the throttle | above 0 |
#[derive(Clone, Debug, PartialEq)]
pub struct MountainCar {
    power: f64,
}

impl Default for MountainCar {
    fn default() -> Self {
        Self { power: 0.001 }
    }
}

impl MountainCar {
    /// As published.
    pub fn new() -> Self {
        Self::default()
    }
    setters! {
        /// Change of velocity by the throttle.
        power: f64;
    }
}

impl Task for MountainCar {
    fn facts(&self) -> Facts {
        Facts { n_actions: 3, discount: 0.99, limit: 500, walk_limit: 90, scales: [2.0 / (GOAL - LEFT), 1.0 / FASTEST] }
    }
    fn walk_start(&self, chance: &mut dyn FnMut() -> f64) -> [f64; 2] {
        [LEFT + (GOAL - LEFT) * chance(), FASTEST * (2.0 * chance() - 1.0)]
    }
    fn test_start(&self, chance: &mut dyn FnMut() -> f64) -> [f64; 2] {
        [0.2 * chance() - 0.6, 0.0]
    }
    fn step(&self, [place, speed]: [f64; 2], action: usize, _: &mut dyn FnMut() -> f64) -> Moment {
        let speed = (speed + self.power * (action as f64 - 1.0) - SLOPE * (3.0 * place).cos()).clamp(-FASTEST, FASTEST);
        let place = place + speed;
        let ended = place >= GOAL;
        // The wall on the left takes all speed.
        let state = if place < LEFT { [LEFT, 0.0] } else { [place, speed] };
        Moment { state, reward: if ended { 1.0 } else { 0.0 }, ended }
    }
    fn check(&self) -> Result<()> {
        above_zero("power", self.power)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn middle() -> f64 {
        0.5
    }

    #[test]
    fn the_pendulum_falls_by_itself_and_a_push_turns_it_the_other_way() {
        let task = Pendulum::new();
        let mut state = [0.01, 0.0];
        let falls = (0..200).find(|_| {
            let moment = task.step(state, 1, &mut middle);
            state = moment.state;
            moment.ended
        });
        assert!((10..40).contains(&falls.unwrap()), "{falls:?}");
        // θ'' at rest, upright, pushed by F: −α F / (4 l / 3 − α m l).
        let pushed = task.step([0.0, 0.0], 2, &mut middle).state[1] / STEP;
        assert!((pushed + 0.1 * 50.0 / (4.0 * 0.5 / 3.0 - 0.1)).abs() < 1e-12);
        // A longer pendulum is slower.
        let longer = Pendulum::new().length(1.0).step([0.1, 0.0], 1, &mut middle).state[1];
        assert!(longer < task.step([0.1, 0.0], 1, &mut middle).state[1]);
        assert!(Pendulum::new().length(0.0).check().is_err() && Pendulum::new().mass(f64::NAN).check().is_err());
    }

    #[test]
    fn the_car_needs_a_run_up() {
        let task = MountainCar::new();
        let drive = |policy: &dyn Fn([f64; 2]) -> usize| {
            let mut state = [-0.5, 0.0];
            (0..1000).find(|_| {
                let moment = task.step(state, policy(state), &mut middle);
                state = moment.state;
                moment.ended
            })
        };
        assert_eq!(drive(&|_| 2), None, "full throttle is not enough");
        let with_the_swing = drive(&|s| if s[1] < 0.0 { 0 } else { 2 });
        assert!((100..200).contains(&with_the_swing.unwrap()));
        assert_eq!(task.step([-1.19, -0.07], 0, &mut middle).state, [-1.2, 0.0]);
        assert!(MountainCar::new().power(-1.0).check().is_err());
    }
}
