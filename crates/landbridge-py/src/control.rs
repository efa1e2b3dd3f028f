//! Decision tasks: random walks, sensors, policies.

use crate::convert::{array2, matrix};
use crate::errors;
use crate::fit::Params;
use crate::model::Model;
use crate::run::run;
use landbridge::linalg::Matrix;
use landbridge_control::{self as control, Experience, Facts, MountainCar, Pendulum, PolicyIteration, Task, ValueFunction};
use numpy::{PyArray1, PyArray2, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Whole numbers.
type Whole<'py> = Bound<'py, PyArray1<i64>>;

/// States, actions, rewards, next states, ended.
type Walks<'py> =
    (Bound<'py, PyArray2<f64>>, Whole<'py>, Bound<'py, PyArray1<f64>>, Bound<'py, PyArray2<f64>>, Bound<'py, PyArray1<bool>>);

/// The task of that name with its parameters.
fn task(py: Python<'_>, name: &str, params: &Bound<'_, PyDict>) -> PyResult<Box<dyn Task + Send>> {
    let params = Params(params);
    Ok(match name {
        "pendulum" => Box::new(Pendulum::new().length(params.number("length")?).mass(params.number("mass")?)),
        "mountain_car" => Box::new(MountainCar::new().power(params.number("power")?)),
        other => return Err(errors::parameter(py, "task", other, "a task of landbridge.control")),
    })
}

fn numbers<'py>(py: Python<'py>, m: Matrix<f64>) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let (rows, columns) = (m.nrows(), m.ncols());
    array2(py, m.into_vec(), rows, columns)
}

/// The properties of a task: actions, discount, largest number of steps of a test, scales.
#[pyfunction]
pub(crate) fn task_facts(py: Python<'_>, name: &str, params: &Bound<'_, PyDict>) -> PyResult<(usize, f64, usize, [f64; 2])> {
    let task = task(py, name, params)?;
    task.check().map_err(|e| errors::library(py, &e))?;
    let Facts { n_actions, discount, limit, scales, .. } = task.facts();
    Ok((n_actions, discount, limit, scales))
}

/// Random walks of a task.
#[pyfunction]
pub(crate) fn random_walks<'py>(
    py: Python<'py>,
    name: &str,
    params: &Bound<'_, PyDict>,
    episodes: usize,
    random_state: u64,
) -> PyResult<Walks<'py>> {
    let task = task(py, name, params)?;
    let found = run(py, 1, false, move |_| control::random_walks(&*task, episodes, random_state))?;
    Ok((
        numbers(py, found.states)?,
        PyArray1::from_iter(py, found.actions.into_iter().map(|a| a as i64)),
        PyArray1::from_vec(py, found.rewards),
        numbers(py, found.next_states)?,
        PyArray1::from_vec(py, found.ended),
    ))
}

/// Rows that cover all of them, by farthest-point sampling.
#[pyfunction]
pub(crate) fn spread<'py>(py: Python<'py>, rows: PyReadonlyArray2<'py, f64>, count: usize) -> PyResult<Whole<'py>> {
    let rows = matrix(py, &rows)?;
    let chosen = run(py, 1, false, move |_| control::spread(&rows, count))?;
    Ok(PyArray1::from_iter(py, chosen.into_iter().map(|i| i as i64)))
}

/// A sensor of states.
#[pyclass(frozen, module = "landbridge._landbridge")]
pub(crate) struct Sensor {
    inner: control::Sensor,
}

#[pymethods]
impl Sensor {
    /// Scales of the task, further factors; features (0 for none), bend and seed of a lift.
    #[new]
    fn new(
        py: Python<'_>,
        name: &str,
        params: &Bound<'_, PyDict>,
        stretch: [f64; 2],
        features: usize,
        bend: f64,
        random_state: u64,
    ) -> PyResult<Self> {
        let task = task(py, name, params)?;
        let made = control::Sensor::new(&*task).stretch(stretch).and_then(|sensor| match features {
            0 => Ok(sensor),
            _ => sensor.lift(features, bend, random_state),
        });
        Ok(Self { inner: made.map_err(|e| errors::library(py, &e))? })
    }
    fn observe<'py>(&self, py: Python<'py>, states: PyReadonlyArray2<'py, f64>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        numbers(py, self.inner.observe(&matrix(py, &states)?))
    }
}

/// Least-squares policy iteration: weights (a row per action), policies tried, whether the last one holds.
#[pyfunction]
#[allow(clippy::too_many_arguments)] // one per argument of the Python function
pub(crate) fn policy_iteration<'py>(
    py: Python<'py>,
    features: PyReadonlyArray2<'py, f64>,
    actions: PyReadonlyArray1<'py, i64>,
    rewards: PyReadonlyArray1<'py, f64>,
    next_features: PyReadonlyArray2<'py, f64>,
    ended: PyReadonlyArray1<'py, bool>,
    n_actions: usize,
    discount: f64,
    max_iterations: usize,
    ridge: f64,
    n_jobs: usize,
) -> PyResult<(Bound<'py, PyArray2<f64>>, usize, bool)> {
    let experience = Experience {
        states: matrix(py, &features)?,
        // A negative action is out of range whatever it becomes.
        actions: actions.as_array().iter().map(|a| usize::try_from(*a).unwrap_or(usize::MAX)).collect(),
        rewards: rewards.as_array().to_vec(),
        next_states: matrix(py, &next_features)?,
        ended: ended.as_array().to_vec(),
    };
    let method = PolicyIteration::new(n_actions).discount(discount).max_iterations(max_iterations).ridge(ridge);
    let found = run(py, n_jobs, false, move |_| method.fit(&experience))?;
    Ok((numbers(py, found.weights)?, found.iterations, found.converged))
}

/// Steps of each test of a policy: states seen by a sensor, placed by a model, valued by weights.
#[pyfunction]
#[allow(clippy::too_many_arguments)] // one per argument of the Python function
pub(crate) fn policy_steps<'py>(
    py: Python<'py>,
    name: &str,
    params: &Bound<'_, PyDict>,
    sensor: &Bound<'_, Sensor>,
    model: &Bound<'_, Model>,
    dataset: usize,
    weights: PyReadonlyArray2<'py, f64>,
    episodes: usize,
    random_state: u64,
    n_jobs: usize,
) -> PyResult<Whole<'py>> {
    let task = task(py, name, params)?;
    let (sensor, model) = (sensor.get().inner.clone(), model.get().inner.clone());
    let value = ValueFunction { weights: matrix(py, &weights)?, iterations: 0, converged: true };
    let steps = run(py, n_jobs, false, move |progress| {
        let policy = control::Policy { sensor: &sensor, model: &model, dataset, value: &value };
        let act = |states: &Matrix<f64>| {
            progress.step("steps", 0, 0)?; // checks for Ctrl-C
            policy.actions(states)
        };
        control::steps(&*task, &act, episodes, random_state)
    })?;
    Ok(PyArray1::from_iter(py, steps.into_iter().map(|s| s as i64)))
}
