//! Least-squares policy iteration (Lagoudakis and Parr 2003) with features of states, and tests of what it learnt.

use crate::check::{self, refused};
use crate::tasks::draws;
use crate::{Experience, Sensor, Task};
use faer::Mat;
use faer::linalg::solvers::Solve;
use landbridge::data::synthetic::random::{Purpose, Random};
use landbridge::linalg::{Matrix, accumulate};
use landbridge::model::Alignment;
use landbridge::{Error, Result};

/// Values of actions, linear in features of states: `Q(s, a) = (1, φ(s)) · w_a`.
#[derive(Clone, Debug, PartialEq)]
pub struct ValueFunction {
    /// w: a row per action; a column for the constant, then one per feature.
    pub weights: Matrix<f64>,
    /// Policies that were tried.
    pub iterations: usize,
    /// Whether the policy of these values leads to these values. If not, policies went round in circles, and this one was the
    /// steadiest.
    pub converged: bool,
}

impl ValueFunction {
    /// Q of every action, a row per state.
    pub fn values(&self, features: &Matrix<f64>) -> Result<Matrix<f64>> {
        if features.ncols() + 1 != self.weights.ncols() {
            let expected = format!("{} columns", self.weights.ncols() - 1);
            return Err(Error::Shape { what: "features".into(), expected, got: features.ncols().to_string() });
        }
        let value = |i: usize, a: usize| {
            let w = self.weights.row(a);
            w[0] + features.row(i).iter().zip(&w[1..]).map(|(f, w)| f * w).sum::<f64>()
        };
        Ok(Matrix::from_fn(features.nrows(), self.weights.nrows(), value))
    }
    /// The best action of each state; the first of several.
    pub fn actions(&self, features: &Matrix<f64>) -> Result<Vec<usize>> {
        let best = |row: &[f64]| (1..row.len()).fold(0, |best, a| if row[a] > row[best] { a } else { best });
        Ok(self.values(features)?.rows().map(best).collect())
    }
}

/// Learns values of actions from steps that were taken, whatever policy took them.
///
/// Each round solves `Φ'(Φ − γ Ψ) w = Φ'r` (LSTDQ), Ψ the features of the next states under the present policy, which then
/// becomes the best one by w; it ends when the policy no longer changes.
///
/// | name | default | purpose | range |
/// |---|---|---|---|
/// | `n_actions` | required | number of actions | at least 1 |
/// | `discount` | 0.95 | what a reward is worth one step later | between 0 and 1, not 1 |
/// | `max_iterations` | 30 | policies, at most | at least 1 |
/// | `ridge` | 0.01 | share by which the diagonal is enlarged | above 0 |
#[derive(Clone, Debug, PartialEq)]
pub struct PolicyIteration {
    n_actions: usize,
    discount: f64,
    max_iterations: usize,
    ridge: f64,
}

impl PolicyIteration {
    /// For that many actions.
    pub fn new(n_actions: usize) -> Self {
        Self { n_actions, discount: 0.95, max_iterations: 30, ridge: 0.01 }
    }
    setters! {
        /// What a reward is worth one step later.
        discount: f64;
        /// Policies, at most.
        max_iterations: usize;
        /// Share by which the diagonal is enlarged.
        ridge: f64;
    }
    /// Values of actions from what happened; `states` are the features φ.
    pub fn fit(&self, experience: &Experience) -> Result<ValueFunction> {
        check::count("n_actions", self.n_actions, 1, 1000)?;
        check::count("max_iterations", self.max_iterations, 1, usize::MAX)?;
        if !(self.ridge.is_finite() && self.ridge > 0.0) {
            return Err(refused("ridge", self.ridge, "a positive finite number"));
        }
        if !(0.0..1.0).contains(&self.discount) {
            return Err(refused("discount", self.discount, "between 0 and 1, not 1"));
        }
        experience.check(self.n_actions)?;
        let width = experience.states.ncols() + 1;
        let (fixed, rewards) = self.fixed_part(experience, width);
        let mut value = ValueFunction { weights: Matrix::zeros(self.n_actions, width), iterations: 0, converged: false };
        let mut policy = value.actions(&experience.next_states)?;
        let mut steadiest = (usize::MAX, value.clone());
        for iteration in 1..=self.max_iterations {
            value.weights = self.solve(experience, &policy, &fixed, &rewards)?;
            value.iterations = iteration;
            let next = value.actions(&experience.next_states)?;
            let changed = next.iter().zip(&policy).zip(&experience.ended).filter(|((a, b), ended)| a != b && !**ended).count();
            if changed <= steadiest.0 {
                steadiest = (changed, value.clone());
            }
            if changed == 0 {
                value.converged = true;
                return Ok(value);
            }
            policy = next;
        }
        Ok(ValueFunction { iterations: self.max_iterations, ..steadiest.1 })
    }

    /// `Φ'Φ` with its ridge, and `Φ'r`: the same for every policy.
    fn fixed_part(&self, experience: &Experience, width: usize) -> (Mat<f64>, Mat<f64>) {
        let size = self.n_actions * width;
        let block = width * width;
        // One block per action, then the right side.
        let sums = accumulate(experience.actions.len(), self.n_actions * block + size, |i, sums| {
            let (a, reward) = (experience.actions[i], experience.rewards[i]);
            let phi = with_constant(experience.states.row(i));
            let (blocks, right) = sums.split_at_mut(self.n_actions * block);
            add_outer(&mut blocks[a * block..(a + 1) * block], &phi, &phi, 1.0);
            right[a * width..(a + 1) * width].iter_mut().zip(&phi).for_each(|(s, v)| *s += reward * v);
        });
        let mut fixed = Mat::zeros(size, size);
        for a in 0..self.n_actions {
            for (at, v) in sums[a * block..(a + 1) * block].iter().enumerate() {
                fixed[(a * width + at / width, a * width + at % width)] = *v;
            }
        }
        // A share of each entry, so that the units of a feature do not matter; one that never occurred gets weight 0.
        for i in 0..size {
            fixed[(i, i)] = if fixed[(i, i)] > 0.0 { (1.0 + self.ridge) * fixed[(i, i)] } else { 1.0 };
        }
        (fixed, Mat::from_fn(size, 1, |i, _| sums[self.n_actions * block + i]))
    }

    /// LSTDQ for the policy that takes these actions in the next states.
    fn solve(&self, experience: &Experience, policy: &[usize], fixed: &Mat<f64>, rewards: &Mat<f64>) -> Result<Matrix<f64>> {
        let width = experience.states.ncols() + 1;
        let block = width * width;
        let sums = accumulate(experience.actions.len(), self.n_actions * self.n_actions * block, |i, sums| {
            if !experience.ended[i] {
                let at = (experience.actions[i] * self.n_actions + policy[i]) * block;
                let (phi, next) = (with_constant(experience.states.row(i)), with_constant(experience.next_states.row(i)));
                add_outer(&mut sums[at..at + block], &phi, &next, -self.discount);
            }
        });
        let mut matrix = fixed.clone();
        for (pair, sums) in sums.chunks_exact(block).enumerate() {
            let (a, b) = (pair / self.n_actions, pair % self.n_actions);
            for (at, v) in sums.iter().enumerate() {
                matrix[(a * width + at / width, b * width + at % width)] += v;
            }
        }
        let weights = matrix.partial_piv_lu().solve(rewards);
        let weights = Matrix::from_fn(self.n_actions, width, |a, j| weights[(a * width + j, 0)]);
        if weights.as_slice().iter().any(|v| !v.is_finite()) {
            let problem = "the system has no solution; a larger ridge gives it one".into();
            return Err(Error::Numerical { what: "values of the policy".into(), problem });
        }
        Ok(weights)
    }
}

fn with_constant(row: &[f64]) -> Vec<f64> {
    std::iter::once(1.0).chain(row.iter().copied()).collect()
}

/// `sums += scale a b'`.
fn add_outer(sums: &mut [f64], a: &[f64], b: &[f64], scale: f64) {
    for (row, v) in sums.chunks_exact_mut(b.len()).zip(a) {
        let v = scale * v;
        row.iter_mut().zip(b).for_each(|(s, w)| *s += v * w);
    }
}

/// What acts: states are seen by a sensor, placed in the space of a model, and the best action by value is taken.
#[derive(Clone, Copy)]
pub struct Policy<'a> {
    /// How states are seen.
    pub sensor: &'a Sensor,
    /// The space of the values.
    pub model: &'a Alignment,
    /// Which dataset of the model the states are.
    pub dataset: usize,
    /// The values of actions there.
    pub value: &'a ValueFunction,
}

impl Policy<'_> {
    /// The action taken in each state.
    pub fn actions(&self, states: &Matrix<f64>) -> Result<Vec<usize>> {
        let seen = self.sensor.observe(states).into();
        self.value.actions(&self.model.transform(&seen, self.dataset)?)
    }
    /// Steps of each test until its end.
    pub fn steps(&self, task: &dyn Task, episodes: usize, random_state: u64) -> Result<Vec<usize>> {
        steps(task, &|states| self.actions(states), episodes, random_state)
    }
}

/// Steps of each test until its end, at most [`Facts::limit`](crate::Facts::limit); the policy is asked for all tests that still run at once.
pub fn steps(
    task: &dyn Task,
    policy: &dyn Fn(&Matrix<f64>) -> Result<Vec<usize>>,
    episodes: usize,
    random_state: u64,
) -> Result<Vec<usize>> {
    task.check()?;
    check::count("episodes", episodes, 1, 1_000_000)?;
    let mut chances: Vec<Random> = (0..episodes).map(|e| Random::new(random_state, Purpose::Other(2 * e as u32 + 1))).collect();
    let mut states: Vec<[f64; 2]> = chances.iter_mut().map(|chance| task.test_start(&mut draws(chance))).collect();
    let facts = task.facts();
    let mut steps = vec![0; episodes];
    let mut running: Vec<usize> = (0..episodes).collect();
    for _ in 0..facts.limit {
        if running.is_empty() {
            break;
        }
        let actions = policy(&Matrix::from_fn(running.len(), 2, |r, c| states[running[r]][c]))?;
        if actions.len() != running.len() || actions.iter().any(|a| *a >= facts.n_actions) {
            let expected = format!("one below {} per state", facts.n_actions);
            return Err(Error::Shape { what: "actions of the policy".into(), expected, got: format!("{actions:?}") });
        }
        let mut going = vec![];
        for (&e, action) in running.iter().zip(actions) {
            let moment = task.step(states[e], action, &mut draws(&mut chances[e]));
            states[e] = moment.state;
            steps[e] += 1;
            if !moment.ended {
                going.push(e);
            }
        }
        running = going;
    }
    Ok(steps)
}

#[cfg(test)]
mod tests;
