//! Feature level: one linear map per dataset.

use super::{GlobalAlignment, Problem, Result2};
use crate::error::Result;
use crate::linalg::operator::Product;
use crate::linalg::tall::{Tall, each_row, fix_signs};
use crate::linalg::whitening::{Whitener, Whitening};
use crate::model::{Fitted, LinearMap, Mapping};
use crate::outcome::{Outcome, Warning};
use crate::problem::feature::{Basis, Blocks, reduce_to_row_space};
use crate::problem::global::{Restricted, Tau};
use crate::problem::global_matrix::{gather, is_cheaper};
use crate::progress::Progress;
use crate::run::Run;
use crate::solve::mixed_precision::refined;
use crate::solve::pencil::{Solutions, is_small, largest};
use faer::Mat;

/// The feature level: prepared datasets and the right-hand side `Z'Z + R`.
pub(super) struct Maps {
    pub(super) blocks: Blocks,
    bases: Vec<Basis>,
    whitening: Whitening,
    ridge: Vec<f64>,
    features: usize,
}

impl Maps {
    pub(super) fn new(problem: &Problem<'_>, run: &mut Run<'_>) -> Result<Self> {
        let prepared = problem.datasets.iter().zip(&problem.preparations).map(|(d, p)| p.apply(d.rows())).collect();
        let full = Blocks::new(prepared);
        let ones = vec![1.0; full.rows[problem.datasets.len()]];
        let ridge: Vec<f64> = (0..problem.datasets.len()).map(|a| problem.method.ridge * full.mean_diagonal(a, &ones)).collect();
        let features = full.n_features();
        let (blocks, bases) = reduce_to_row_space(full)?;
        // A direction in the null space of Z contributes nothing.
        let whitening = Whitening::completed((0..problem.datasets.len()).map(|a| blocks.gram(a)).collect(), &ridge)?;
        run.lap("matrices");
        Ok(Self { blocks, bases, whitening, ridge, features })
    }

    pub(super) fn solve(&self, product: &dyn Product, method: &GlobalAlignment, progress: &Progress) -> Result<Solutions> {
        largest(product, &self.whitening, method.n_components, method.random_state, progress)
    }

    /// The same for τ(D), by the cheapest method.
    pub(super) fn solve_tau(&self, tau: &Tau<'_>, method: &GlobalAlignment, run: &mut Run<'_>) -> Result<Solutions> {
        let (d, seed) = (method.n_components, method.random_state);
        let exact = Restricted { blocks: &self.blocks, inner: tau };
        if !is_cheaper(&self.blocks, &self.whitening, d) {
            return self.solve(&exact, method, run.progress);
        }
        let rank = self.whitening.rank();
        if !is_small(rank, d) {
            let rough: Mat<f32> = gather(tau, &self.blocks, &self.whitening, run.progress)?;
            run.lap("products");
            if let Some(found) = refined(&exact, &self.whitening, &rough, d, seed, run.progress)? {
                return Ok(found);
            }
        }
        let matrix: Mat<f64> = gather(tau, &self.blocks, &self.whitening, run.progress)?;
        run.lap("products");
        let identity = Whitening(vec![Whitener::Identity(rank)]);
        let found = largest(&matrix, &identity, d, seed, run.progress)?;
        Ok(Solutions { vectors: self.whitening.expand(&found.vectors), ..found })
    }

    pub(super) fn fitted(
        self,
        problem: &Problem<'_>,
        found: Solutions,
        unit: f64,
        known: (Vec<f64>, f64),
        run: &mut Run<'_>,
    ) -> Result2 {
        let d = problem.positive(&found, run)?;
        let rank = self.whitening.true_rank();
        if rank < self.features {
            run.warn(Warning::RankDeficient { rank, features: self.features });
        }
        let mut vectors = Tall::zeros(found.vectors.n(), d);
        each_row(&mut vectors, |i, row| row.copy_from_slice(&found.vectors.values[i * found.vectors.stride..][..d]));
        fix_signs(&mut vectors);
        let eigenvalues: Vec<f64> = found.values[..d].iter().map(|v| v * unit * unit).collect();
        let weights = problem.method.weighted().then(|| found.values[..d].iter().map(|v| v.sqrt() * unit).collect::<Vec<_>>());
        let mut fitted = vec![];
        for (a, (dataset, preparation)) in problem.datasets.iter().zip(&problem.preparations).enumerate() {
            let map = self.bases[a].expand(self.blocks.map_of(&vectors, a));
            let map = LinearMap::new(preparation.clone(), map, weights.clone());
            let rows = map.transform(dataset.rows());
            fitted.push(Fitted::new(dataset, rows, Mapping::Linear(map)));
        }
        let outcome =
            Outcome { rank: Some(rank), ridge: Some(self.blocks.in_data_units(&self.ridge)), ..problem.outcome(&found, known) };
        Ok(((fitted, eigenvalues), outcome))
    }
}
