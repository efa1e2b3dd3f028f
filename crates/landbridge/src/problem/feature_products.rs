//! The matrices of problems over features as operators, for features too many to store P × P numbers.

use crate::linalg::Csr;
use crate::linalg::dense::Cholesky;
use crate::linalg::operator::Product;
use crate::linalg::operator::{Factor, Preconditioner};
use crate::linalg::spmm::product;
use crate::linalg::tall::{Tall, each_row};
use crate::problem::feature::Blocks;

/// `X'(D − W)X + R`, R a ridge per dataset.
pub(crate) struct LaplacianProduct<'a> {
    pub(crate) blocks: &'a Blocks,
    pub(crate) degree: &'a [f64],
    pub(crate) graph: &'a Csr,
    pub(crate) ridge: &'a [f64],
}

impl LaplacianProduct<'_> {
    /// A preconditioner for conjugate gradients: the block of the features that outweigh the ridge, at most so many, and the
    /// diagonal of `X'DX + R` (before rows are centred) for the others.
    pub(crate) fn nearby(&self, most: usize) -> Preconditioner {
        let c = self.blocks.datasets.len();
        let mut diagonal = self.blocks.squares(self.degree);
        let (mut chosen, mut datasets) = (vec![], vec![]);
        for (a, x) in self.blocks.datasets.iter().enumerate() {
            let part = &diagonal[self.blocks.columns[a]..self.blocks.columns[a + 1]];
            let mut features: Vec<u32> = (0..part.len() as u32).collect();
            features.sort_unstable_by(|&p, &q| part[q as usize].total_cmp(&part[p as usize]).then(p.cmp(&q)));
            let weighty = features.partition_point(|&q| part[q as usize] > self.ridge[a]);
            features.truncate(weighty.min(most / c).max(1));
            features.sort_unstable();
            datasets.push(x.select_columns(&features));
            chosen.push(features);
        }
        let ridges = self.ridge.iter().zip(&chosen).flat_map(|(r, features)| features.iter().map(move |_| *r));
        let mut block = Blocks::new(datasets).laplacian(self.degree, self.graph);
        ridges.enumerate().for_each(|(i, r)| block[(i, i)] += r);
        for (a, ridge) in self.ridge.iter().enumerate() {
            diagonal[self.blocks.columns[a]..self.blocks.columns[a + 1]].iter_mut().for_each(|d| *d += ridge);
        }
        let rows = (0..c).flat_map(|a| chosen[a].iter().map(move |&q| self.blocks.columns[a] + q as usize)).collect::<Vec<_>>();
        let block = (!rows.is_empty()).then(|| Cholesky::new(block, 0.0)).flatten().map(|factor| (rows, factor));
        Preconditioner { block, diagonal }
    }
}

impl Product for LaplacianProduct<'_> {
    fn n(&self) -> usize {
        self.blocks.n_features()
    }
    fn product(&self, v: &Tall) -> Tall {
        let (u, width) = (self.blocks.times(v), v.stride);
        let mut lu = Tall::zeros(u.n(), width);
        product(self.graph, &u.values, &mut lu.values, width);
        each_row(&mut lu, |i, row| {
            let own = &u.values[i * width..(i + 1) * width];
            row.iter_mut().zip(own).for_each(|(wu, u)| *wu = self.degree[i] * u - *wu);
        });
        let mut out = self.blocks.transposed_times(&lu);
        self.blocks.add_ridge(&mut out, v, |a| self.ridge[a]);
        out
    }
}

/// M with `M'M = X'DX`, or `X'DX + R`: the rows of X times √D, and below them the identity times √R.
pub(crate) struct MassFactor<'a> {
    pub(crate) blocks: &'a Blocks,
    pub(crate) mass: &'a [f64],
    pub(crate) ridge: Option<&'a [f64]>,
}

impl MassFactor<'_> {
    fn scale(&self, u: &mut Tall) {
        each_row(u, |i, row| row.iter_mut().for_each(|v| *v *= self.mass[i].sqrt()));
    }
}

impl Factor for MassFactor<'_> {
    fn n(&self) -> usize {
        self.mass.len() + self.ridge.map_or(0, |_| self.blocks.n_features())
    }
    fn times(&self, v: &Tall) -> Tall {
        let mut out = self.blocks.times(v);
        self.scale(&mut out);
        if let Some(ridge) = self.ridge {
            let mut below = Tall::zeros(v.n(), v.stride);
            self.blocks.add_ridge(&mut below, v, |a| ridge[a].sqrt());
            out.values.extend(below.values);
        }
        out
    }
    fn transposed_times(&self, y: &Tall) -> Tall {
        let (above, below) = y.values.split_at(self.mass.len() * y.stride);
        let mut u = Tall { values: above.to_vec(), stride: y.stride };
        self.scale(&mut u);
        let mut out = self.blocks.transposed_times(&u);
        if let Some(ridge) = self.ridge {
            let below = Tall { values: below.to_vec(), stride: y.stride };
            self.blocks.add_ridge(&mut out, &below, |a| ridge[a].sqrt());
        }
        out
    }
}
