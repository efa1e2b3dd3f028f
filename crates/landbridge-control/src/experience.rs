//! What happened: states, actions, rewards.

use crate::check::{self, refused};
use crate::tasks::draws;
use crate::{Sensor, Task};
use landbridge::data::synthetic::random::{Purpose, Random};
use landbridge::linalg::Matrix;
use landbridge::model::Alignment;
use landbridge::{Error, Result};

/// Steps that were taken: one row or entry each.
#[derive(Clone, Debug, PartialEq)]
pub struct Experience {
    /// The state before, or whatever features it was turned into.
    pub states: Matrix<f64>,
    /// The action.
    pub actions: Vec<usize>,
    /// The reward.
    pub rewards: Vec<f64>,
    /// The state after.
    pub next_states: Matrix<f64>,
    /// Whether the episode was over.
    pub ended: Vec<bool>,
}

impl Experience {
    /// The same steps with other features of the states.
    pub fn map(&self, features: impl Fn(&Matrix<f64>) -> Result<Matrix<f64>>) -> Result<Self> {
        Ok(Self { states: features(&self.states)?, next_states: features(&self.next_states)?, ..self.clone() })
    }
    /// Through a sensor.
    pub fn seen(&self, sensor: &Sensor) -> Self {
        let (states, next_states) = (sensor.observe(&self.states), sensor.observe(&self.next_states));
        Self { states, next_states, ..self.clone() }
    }
    /// In the space of a model that has the states as a dataset.
    pub fn placed(&self, model: &Alignment, dataset: usize) -> Result<Self> {
        self.map(|rows| model.transform(&rows.clone().into(), dataset))
    }
    /// Refuses parts of different length, and actions that there are not.
    pub(crate) fn check(&self, n_actions: usize) -> Result<()> {
        let n = self.states.nrows();
        if n == 0 {
            return Err(Error::TooFewRows { dataset: "experience".into(), rows: 0, needed: 1 });
        }
        let lengths = [
            ("actions", self.actions.len()),
            ("rewards", self.rewards.len()),
            ("next states", self.next_states.nrows()),
            ("ended", self.ended.len()),
        ];
        if let Some((what, got)) = lengths.into_iter().find(|(_, length)| *length != n) {
            return Err(Error::Shape { what: what.into(), expected: format!("{n}, one per step"), got: got.to_string() });
        }
        if self.states.ncols() != self.next_states.ncols() {
            let expected = format!("{} columns, as the states", self.states.ncols());
            return Err(Error::Shape { what: "next states".into(), expected, got: self.next_states.ncols().to_string() });
        }
        if let Some(action) = self.actions.iter().find(|a| **a >= n_actions) {
            return Err(refused("actions", action, format!("below {n_actions}")));
        }
        let finite = |m: &Matrix<f64>| m.as_slice().iter().all(|v| v.is_finite());
        if !(finite(&self.states) && finite(&self.next_states) && self.rewards.iter().all(|r| r.is_finite())) {
            return Err(refused("experience", "not finite", "finite features and rewards"));
        }
        Ok(())
    }
}

/// Random walks: actions at random until the episode is over or long enough. The first walks of a larger number are those of a
/// smaller one.
pub fn random_walks(task: &dyn Task, episodes: usize, random_state: u64) -> Result<Experience> {
    task.check()?;
    check::count("episodes", episodes, 1, 10_000_000)?;
    let (mut states, mut next_states) = (vec![], vec![]);
    let (mut actions, mut rewards, mut ended) = (vec![], vec![], vec![]);
    let facts = task.facts();
    for episode in 0..episodes {
        let mut random = Random::new(random_state, Purpose::Other(2 * episode as u32));
        let mut state = task.walk_start(&mut draws(&mut random));
        for _ in 0..facts.walk_limit {
            let action = random.below(facts.n_actions);
            let moment = task.step(state, action, &mut draws(&mut random));
            states.extend(state);
            next_states.extend(moment.state);
            actions.push(action);
            rewards.push(moment.reward);
            ended.push(moment.ended);
            state = moment.state;
            if moment.ended {
                break;
            }
        }
    }
    let n = actions.len();
    let (states, next_states) = (Matrix::from_vec(states, n, 2)?, Matrix::from_vec(next_states, n, 2)?);
    Ok(Experience { states, actions, rewards, next_states, ended })
}

/// That many rows that cover all of them: each is the one farthest from those before it. All rows where there are no more; rows
/// that equal a chosen one are never chosen.
pub fn spread(rows: &Matrix<f64>, count: usize) -> Result<Vec<usize>> {
    check::count("count", count, 1, usize::MAX)?;
    let n = rows.nrows();
    if n == 0 {
        return Ok(vec![]);
    }
    let mut distances = vec![f64::INFINITY; n];
    let mut chosen = vec![0];
    while chosen.len() < count.min(n) {
        let last = rows.row(chosen[chosen.len() - 1]);
        let mut farthest = (0, -1.0);
        for (i, (row, distance)) in rows.rows().zip(&mut distances).enumerate() {
            *distance = distance.min(row.iter().zip(last).map(|(a, b)| (a - b) * (a - b)).sum());
            if *distance > farthest.1 {
                farthest = (i, *distance);
            }
        }
        if farthest.1 <= 0.0 {
            break;
        }
        chosen.push(farthest.0);
    }
    Ok(chosen)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{MountainCar, Pendulum};

    #[test]
    fn walks_are_the_same_for_one_seed_and_begin_alike_for_more_episodes() {
        let (few, many) = (random_walks(&Pendulum::new(), 5, 1).unwrap(), random_walks(&Pendulum::new(), 9, 1).unwrap());
        let n = few.actions.len();
        assert_eq!(few.states, many.states.row_range(0, n));
        assert_eq!(few.actions, many.actions[..n]);
        assert_eq!(few.ended.iter().filter(|e| **e).count(), 5, "random pushes do not keep it upright");
        assert_ne!(few.states.row(0), random_walks(&Pendulum::new(), 5, 2).unwrap().states.row(0));
        // Within an episode the state after a step is the state before the next.
        for i in (1..n).filter(|&i| !few.ended[i - 1]) {
            assert_eq!(few.states.row(i), few.next_states.row(i - 1));
        }
        assert!(random_walks(&Pendulum::new(), 0, 0).is_err());
        assert!(random_walks(&MountainCar::new().power(0.0), 3, 0).is_err());
    }

    #[test]
    fn chosen_rows_are_far_apart_and_never_twice_the_same_place() {
        let rows = Matrix::from_fn(40, 1, |i, _| (i / 2) as f64); // every place twice
        assert_eq!(spread(&rows, 3).unwrap(), [0, 38, 18]);
        assert_eq!(spread(&rows, 100).unwrap().len(), 20);
        assert!(spread(&rows, 0).is_err());
    }

    #[test]
    fn parts_that_do_not_fit_are_refused() {
        let walks = random_walks(&Pendulum::new(), 2, 0).unwrap();
        assert!(walks.check(3).is_ok() && walks.check(1).is_err());
        assert!(Experience { rewards: vec![], ..walks.clone() }.check(3).is_err());
        assert!(Experience { next_states: Matrix::zeros(walks.actions.len(), 3), ..walks.clone() }.check(3).is_err());
        let mut broken = walks;
        broken.states.row_mut(0)[0] = f64::NAN;
        assert!(broken.check(3).is_err());
    }
}
