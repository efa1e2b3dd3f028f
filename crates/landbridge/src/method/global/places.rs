//! Instance level: coordinates of every row, and triangulation for new rows.

use super::{Problem, Result2};
use crate::error::Result;
use crate::geometry::distances::Within;
use crate::geometry::neighbors::Metric;
use crate::linalg::tall::{Tall, centre_columns, each_row, fix_signs};
use crate::linalg::{Csr, Matrix};
use crate::model::{Fitted, Mapping, Triangulation, triangle};
use crate::run::Run;
use crate::solve::pencil::Solutions;
use std::sync::Arc;

/// Coordinates of rows, in units of the largest distance: eigenvectors times √λ.
pub(super) struct Places {
    pub(super) vectors: Tall,
    /// In units of the square of the largest distance.
    values: Vec<f64>,
    /// Each eigenvalue represents this many times as many rows.
    share: f64,
}

impl Places {
    pub(super) fn new(problem: &Problem<'_>, found: &Solutions, share: f64, run: &mut Run<'_>) -> Result<Self> {
        let d = problem.positive(found, run)?;
        let values = found.values[..d].to_vec();
        let mut vectors = Tall::zeros(found.vectors.n(), d);
        each_row(&mut vectors, |i, row| {
            let from = &found.vectors.values[i * found.vectors.stride..];
            row.iter_mut().zip(from.iter().zip(&values)).for_each(|(o, (v, value))| *o = v * value.sqrt());
        });
        fix_signs(&mut vectors);
        Ok(Self { vectors, values, share })
    }
    pub(super) fn of(&self, rows: &[usize]) -> Tall {
        let d = self.vectors.stride;
        Tall { values: rows.iter().flat_map(|&i| &self.vectors.values[i * d..(i + 1) * d]).copied().collect(), stride: d }
    }
}

/// The instance level: the joint geometry besides the coordinates.
pub(super) struct Placed {
    pub(super) scales: Vec<f64>,
    pub(super) unit: f64,
    pub(super) share: f64,
    pub(super) starts: Vec<usize>,
}

impl Placed {
    /// `chosen` are the coordinates of the landmarks, `table` their distances to all rows. If `all` is true, the landmarks
    /// place all rows; otherwise the coordinates are known.
    pub(super) fn fitted(
        self,
        problem: &Problem<'_>,
        places: Places,
        landmarks: &[usize],
        chosen: &Tall,
        table: &Matrix<f64>,
        all: bool,
        found: &Solutions,
    ) -> Result2 {
        let (m, d, n) = (landmarks.len(), places.values.len(), self.starts[problem.datasets.len()]);
        let square = |k: usize, x: usize| (table[(k, x)] / self.unit).powi(2);
        let means: Vec<f64> = (0..m).map(|k| landmarks.iter().map(|&l| square(k, l)).sum::<f64>() / m as f64).collect();
        let (mut matrix, mut offset) = triangle(chosen)?;
        let mut rows = places.vectors;
        if all {
            rows = Tall::zeros(n, d);
            each_row(&mut rows, |x, row| {
                for (k, a) in matrix.rows().enumerate() {
                    let weight = means[k] - square(k, x);
                    row.iter_mut().zip(a).for_each(|(o, a)| *o += weight * a);
                }
            });
            let before = rows.values[..d].to_vec();
            centre_columns(&mut rows);
            offset = rows.values[..d].iter().zip(before).map(|(after, before)| after - before).collect();
        }
        // In units of the data: √λ is already in the coordinates, and sphered ones are divided by it.
        let eigenvalues: Vec<f64> = places.values.iter().map(|v| v * self.unit * self.unit * places.share).collect();
        let factor = |c: usize| if problem.method.weighted() { self.unit } else { self.unit / eigenvalues[c].sqrt() };
        let factors: Vec<f64> = (0..d).map(factor).collect();
        each_row(&mut rows, |_, row| row.iter_mut().zip(&factors).for_each(|(v, f)| *v *= f));
        (0..m).for_each(|k| matrix.row_mut(k).iter_mut().zip(&factors).for_each(|(v, f)| *v *= f));
        offset.iter_mut().zip(&factors).for_each(|(v, f)| *v *= f);

        let mut fitted = vec![];
        for (a, dataset) in problem.datasets.iter().enumerate() {
            let range = self.starts[a]..self.starts[a + 1];
            let own = Matrix::from_vec(rows.values[range.start * d..range.end * d].to_vec(), dataset.nrows(), d)?;
            let mapping = match &problem.within[a] {
                Within::Given(_) => {
                    Mapping::Undefined("its distances were precomputed, and those of new rows are not known".into())
                }
                Within::Paths(graph) => {
                    let paths = Some((graph.lengths.clone(), problem.method.search.n_neighbors));
                    self.mapping(problem, a, (paths, problem.method.search.metric), landmarks, table, (&means, &matrix, &offset))
                }
                Within::Rows(_, metric) => {
                    self.mapping(problem, a, (None, *metric), landmarks, table, (&means, &matrix, &offset))
                }
            };
            fitted.push(Fitted::new(dataset, own, mapping));
        }
        let outcome = problem.outcome(found, (self.scales, self.share));
        Ok(((fitted, eigenvalues), outcome))
    }

    fn mapping(
        &self,
        problem: &Problem<'_>,
        a: usize,
        (paths, metric): (Option<(Csr, usize)>, Metric),
        landmarks: &[usize],
        table: &Matrix<f64>,
        (means, matrix, offset): (&[f64], &Matrix<f64>, &[f64]),
    ) -> Mapping {
        let m = landmarks.len();
        let range = self.starts[a]..self.starts[a + 1];
        let first = landmarks.partition_point(|&l| l < range.start);
        let own: Vec<u32> =
            landmarks[first..].iter().take_while(|&&l| l < range.end).map(|&l| (l - range.start) as u32).collect();
        // For each own row of a bridge: the rows at its other end, and the landmarks that they reach.
        let mut ends: Vec<(u32, usize, std::ops::Range<usize>)> = vec![];
        for b in (0..problem.datasets.len()).filter(|&b| b != a) {
            let reached =
                landmarks.partition_point(|&l| l < self.starts[b])..landmarks.partition_point(|&l| l < self.starts[b + 1]);
            let mut through = b;
            let mut list = problem.bridges.between(a, b);
            if list.is_empty() {
                (through, list) = (0, problem.bridges.between(a, 0));
            }
            ends.extend(list.into_iter().map(|(i, j)| (i, self.starts[through] + j as usize, reached.clone())));
        }
        let mut bridges: Vec<u32> = ends.iter().map(|e| e.0).collect();
        bridges.sort_unstable();
        bridges.dedup();
        let mut beyond = Matrix::from_fn(bridges.len(), m, |_, _| f64::MAX);
        for (i, end, reached) in ends {
            let row = beyond.row_mut(bridges.partition_point(|&b| b < i));
            reached.for_each(|k| row[k] = row[k].min(table[(k, end)]));
        }
        Mapping::Triangulated(Box::new(Triangulation {
            rows: Arc::clone(&problem.scaled[a]),
            preparation: problem.preparations[a].clone(),
            paths,
            metric,
            scale: self.scales[a],
            unit: self.unit,
            own,
            first,
            bridges,
            beyond,
            means: means.to_vec(),
            matrix: matrix.clone(),
            offset: offset.to_vec(),
        }))
    }
}
