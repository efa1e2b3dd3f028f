use super::*;
use crate::{MountainCar, Pendulum, random_walks, spread};
use landbridge::data::{Dataset, Pairs};
use landbridge::embed::LaplacianEigenmaps;
use landbridge::method::ProcrustesAlignment;

/// Six places in a line, steps left and right, reward 1 for leaving on the right. Features: one per place but the first.
fn corridor() -> Experience {
    let place = |i: usize| (1..6).map(move |j| f64::from(u8::from(i == j)));
    let (mut states, mut next, mut actions, mut rewards, mut ended) = (vec![], vec![], vec![], vec![], vec![]);
    for i in 0..6usize {
        for action in 0..2 {
            let to = if action == 1 { i + 1 } else { i.saturating_sub(1) };
            states.extend(place(i));
            next.extend(place(to));
            actions.push(action);
            rewards.push(f64::from(u8::from(to == 6)));
            ended.push(to == 6);
        }
    }
    let matrix = |values| Matrix::from_vec(values, 12, 5).unwrap();
    Experience { states: matrix(states), actions, rewards, next_states: matrix(next), ended }
}

#[test]
fn on_a_corridor_the_values_are_those_of_dynamic_programming() {
    let value = PolicyIteration::new(2).discount(0.9).ridge(1e-12).fit(&corridor()).unwrap();
    assert!(value.converged && value.iterations <= 8);
    // The way to the right from place i takes 6 − i steps; a step to the left first costs two more.
    let places = Matrix::from_fn(6, 5, |i, j| f64::from(u8::from(i == j + 1)));
    let found = value.values(&places).unwrap();
    for i in 0..6usize {
        let best = |from: usize| 0.9f64.powi(5 - from as i32);
        assert!((found[(i, 1)] - best(i)).abs() < 1e-8, "right from {i}");
        assert!((found[(i, 0)] - 0.9 * best(i.saturating_sub(1))).abs() < 1e-8, "left from {i}");
    }
    assert_eq!(value.actions(&places).unwrap(), [1; 6]);
    assert!(value.values(&Matrix::zeros(1, 4)).is_err());
}

#[test]
fn bad_parameters_are_refused_and_a_policy_must_answer_for_every_state() {
    for bad in [
        PolicyIteration::new(0),
        PolicyIteration::new(2).discount(1.0),
        PolicyIteration::new(2).discount(f64::NAN),
        PolicyIteration::new(2).ridge(0.0),
        PolicyIteration::new(2).max_iterations(0),
        PolicyIteration::new(1),
    ] {
        assert!(bad.fit(&corridor()).is_err(), "{bad:?}");
    }
    assert!(steps(&MountainCar::new(), &|_| Ok(vec![]), 2, 0).is_err());
    assert!(steps(&MountainCar::new(), &|s| Ok(vec![7; s.nrows()]), 2, 0).is_err());
    assert!(steps(&MountainCar::new(), &|s| Ok(vec![1; s.nrows()]), 0, 0).is_err());
}

#[test]
fn tests_end_at_the_goal_or_at_the_limit() {
    let swing = |s: &Matrix<f64>| Ok(s.rows().map(|s| if s[1] < 0.0 { 0 } else { 2 }).collect());
    let arrived = steps(&MountainCar::new(), &swing, 4, 0).unwrap();
    assert!(arrived.iter().all(|s| (80..200).contains(s)), "{arrived:?}");
    assert_eq!(steps(&MountainCar::new(), &|s| Ok(vec![1; s.nrows()]), 3, 0).unwrap(), [500; 3]);
    // More tests leave the first ones as they were.
    assert_eq!(steps(&MountainCar::new(), &swing, 9, 0).unwrap()[..4], arrived);
}

/// Learnt through one sensor, used through another that shares no feature with it.
#[test]
fn a_policy_carried_to_another_sensor_keeps_the_pendulum_upright() {
    let task = Pendulum::new();
    let (plain, lifted) = (Sensor::new(&task), Sensor::new(&task).lift(10, 0.2, 1).unwrap());
    let (source, target) = (random_walks(&task, 300, 0).unwrap(), random_walks(&task, 300, 1).unwrap());
    // Forty states are set up in both, the others are seen in one only.
    let known = source.states.select_rows(&spread(&source.states, 40).unwrap());
    let rows = |name: &str, walks: &Experience, sensor: &Sensor| {
        let chosen = walks.states.select_rows(&spread(&sensor.observe(&walks.states), 300).unwrap());
        let all: Vec<&[f64]> = known.rows().chain(chosen.rows()).collect();
        Dataset::new(name, sensor.observe(&Matrix::from_rows(&all).unwrap())).unwrap()
    };
    let datasets = [rows("target", &target, &lifted), rows("source", &source, &plain)];
    let pairs = Pairs::from_table(&(0..40).map(|i| [i, i]).collect::<Vec<[i64; 2]>>()).unwrap();
    let model = ProcrustesAlignment::new(LaplacianEigenmaps::new(15).n_neighbors(25)).fit(&datasets, &pairs).unwrap();
    let value = PolicyIteration::new(3).fit(&source.seen(&plain).placed(&model, 1).unwrap()).unwrap();
    let policy = Policy { sensor: &lifted, model: &model, dataset: 0, value: &value };
    let balanced = policy.steps(&task, 5, 0).unwrap();
    assert!(balanced.iter().all(|s| *s > 500), "{balanced:?}");
    assert_eq!(balanced, policy.steps(&task, 5, 0).unwrap());
}
