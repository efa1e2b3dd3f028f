//! Sparse Cholesky factorisation (faer's): symbolic once per sparsity pattern, numeric for each set of values.

use crate::linalg::tall::view_mut;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::perm::PermRef;
use faer::sparse::linalg::amd;
use faer::sparse::linalg::cholesky::{LltRef, SymbolicCholesky, SymmetricOrdering, factorize_symbolic_cholesky};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMatRef};
use faer::{Conj, Par, Side};

/// The lower triangle of a symmetric sparsity pattern, by columns.
pub(crate) struct Pattern {
    pub(crate) starts: Vec<u32>,
    pub(crate) rows: Vec<u32>,
}

/// A fill-reducing ordering, and the cost of a factorisation in it.
pub(crate) struct Order {
    pub(crate) forward: Vec<u32>,
    pub(crate) inverse: Vec<u32>,
    /// Predicted entries of the factor.
    pub(crate) fill: f64,
    /// Predicted multiplications of the factorisation.
    pub(crate) flops: f64,
}

impl Pattern {
    pub(crate) fn n(&self) -> usize {
        self.starts.len() - 1
    }
    fn symbolic(&self) -> SymbolicSparseColMatRef<'_, u32> {
        SymbolicSparseColMatRef::new_checked(self.n(), self.n(), &self.starts, None, &self.rows)
    }
    /// Approximate minimum degree ordering.
    pub(crate) fn order(&self) -> Option<Order> {
        let n = self.n();
        let (mut forward, mut inverse) = (vec![0u32; n], vec![0u32; n]);
        let mut memory = MemBuffer::try_new(amd::order_maybe_unsorted_scratch::<u32>(n, self.rows.len())).ok()?;
        let stack = MemStack::new(&mut memory);
        let cost = amd::order_maybe_unsorted(&mut forward, &mut inverse, self.symbolic(), amd::Control::default(), stack).ok()?;
        Some(Order { forward, inverse, fill: cost.n_div + n as f64, flops: cost.n_mult_subs_ldl })
    }
}

/// A factor; only `symbolic` is valid until values are given.
pub(crate) struct SparseCholesky {
    pub(crate) symbolic: SymbolicCholesky<u32>,
    pub(crate) values: Vec<f64>,
}

impl SparseCholesky {
    /// The symbolic factorisation; `None` when memory is exhausted.
    pub(crate) fn new(pattern: &Pattern, order: &Order) -> Option<Self> {
        let order = PermRef::new_checked(&order.forward, &order.inverse, pattern.n());
        let ordering = SymmetricOrdering::Custom(order);
        let symbolic = factorize_symbolic_cholesky(pattern.symbolic(), Side::Lower, ordering, Default::default()).ok()?;
        let mut values = Vec::new();
        values.try_reserve_exact(symbolic.len_val()).ok()?;
        values.resize(symbolic.len_val(), 0.0);
        Some(Self { symbolic, values })
    }
    /// Factors the matrix with these values; `None` when it is not positive definite.
    pub(crate) fn factor(&mut self, pattern: &Pattern, values: &[f64]) -> Option<()> {
        let matrix = SparseColMatRef::new(pattern.symbolic(), values);
        let scratch = self.symbolic.factorize_numeric_llt_scratch::<f64>(Par::Seq, Default::default());
        let mut memory = MemBuffer::try_new(scratch).ok()?;
        let stack = MemStack::new(&mut memory);
        self.symbolic
            .factorize_numeric_llt(&mut self.values, matrix, Side::Lower, Default::default(), Par::Seq, stack, Default::default())
            .ok()?;
        Some(())
    }
    /// `x ← A⁻¹ x`, x by rows of `width`; `None` when memory is exhausted.
    pub(crate) fn solve(&self, x: &mut [f64], width: usize) -> Option<()> {
        let mut memory = MemBuffer::try_new(self.symbolic.solve_in_place_scratch::<f64>(width, Par::Seq)).ok()?;
        let factor = LltRef::new(&self.symbolic, &self.values);
        factor.solve_in_place_with_conj(Conj::No, view_mut(x, width, width), Par::Seq, MemStack::new(&mut memory));
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_factor_solves_and_is_made_anew_for_other_values() {
        // [[4, 1, 0], [1, 3, 2], [0, 2, s]], s changes.
        let pattern = Pattern { starts: vec![0, 2, 4, 5], rows: vec![0, 1, 1, 2, 2] };
        let order = pattern.order().unwrap();
        let mut factor = SparseCholesky::new(&pattern, &order).unwrap();
        for s in [5.0, 9.0] {
            factor.factor(&pattern, &[4.0, 1.0, 3.0, 2.0, s]).unwrap();
            let (a, b) = ([1.0, -2.0, 0.5], [0.0, 1.0, 3.0]);
            let times = |v: &[f64; 3]| [4.0 * v[0] + v[1], v[0] + 3.0 * v[1] + 2.0 * v[2], 2.0 * v[1] + s * v[2]];
            let (ta, tb) = (times(&a), times(&b));
            let mut x: Vec<f64> = (0..3).flat_map(|i| [ta[i], tb[i]]).collect();
            factor.solve(&mut x, 2).unwrap();
            for i in 0..3 {
                assert!((x[2 * i] - a[i]).abs() < 1e-13 && (x[2 * i + 1] - b[i]).abs() < 1e-13, "{x:?}");
            }
        }
        assert!(factor.factor(&pattern, &[4.0, 1.0, 3.0, 2.0, 0.1]).is_none(), "not positive definite");
    }
}
