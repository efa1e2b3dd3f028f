//! Solves with a sparse lower triangular factor for a block of right-hand sides: `L y = x`, then `L' x = y`.
//!
//! The factor consists of independent parts and a top that all parts update: subtrees and root of its elimination tree. Parts
//! are solved in parallel; their updates of the top are summed in a fixed order.
//!
//! The block is stored by rows, so that each entry of L meets one short vector and L is read once for all right-hand sides.
//! `unsafe` here only calls the same safe loop compiled for a wider instruction set.
#![allow(unsafe_code)]

use crate::linalg::dispatch::widest;
use rayon::prelude::*;

/// Consecutive columns of L: the diagonal separately, then rows of the part itself, then rows of the top. Rows are counted from
/// the first row of the part, and from the first row of the top.
pub(crate) struct Part {
    inverse_diagonal: Vec<f64>,
    starts: Vec<usize>,
    /// Where the rows of the top begin.
    middles: Vec<usize>,
    rows: Vec<u32>,
    values: Vec<f64>,
}

impl Part {
    /// Allocates for that many columns and entries.
    pub(crate) fn with_capacity(columns: usize, entries: usize) -> Self {
        let mut starts = Vec::with_capacity(columns + 1);
        starts.push(0);
        Self {
            inverse_diagonal: Vec::with_capacity(columns),
            starts,
            middles: Vec::with_capacity(columns),
            rows: Vec::with_capacity(entries),
            values: Vec::with_capacity(entries),
        }
    }
    /// Appends a column. Zeros are left out.
    pub(crate) fn push(&mut self, diagonal: f64, own: impl Iterator<Item = (u32, f64)>, top: impl Iterator<Item = (u32, f64)>) {
        self.inverse_diagonal.push(1.0 / diagonal);
        self.extend(own);
        self.middles.push(self.rows.len());
        self.extend(top);
        self.starts.push(self.rows.len());
    }
    fn extend(&mut self, entries: impl Iterator<Item = (u32, f64)>) {
        for (row, value) in entries.filter(|e| e.1 != 0.0) {
            self.rows.push(row);
            self.values.push(value);
        }
    }
    fn n(&self) -> usize {
        self.inverse_diagonal.len()
    }

    /// `x ← L⁻¹ x` within the part; updates of the top go to `top`.
    #[inline(always)]
    fn lower<const W: usize, const FMA: bool>(&self, x: &mut [[f64; W]], top: &mut [[f64; W]]) {
        for j in 0..self.n() {
            let own = x[j].map(|v| v * self.inverse_diagonal[j]);
            x[j] = own;
            for (range, x) in [(self.starts[j]..self.middles[j], &mut *x), (self.middles[j]..self.starts[j + 1], &mut *top)] {
                for (&i, &l) in self.rows[range.clone()].iter().zip(&self.values[range]) {
                    let other = &mut x[i as usize];
                    for c in 0..W {
                        other[c] = if FMA { (-l).mul_add(own[c], other[c]) } else { other[c] - l * own[c] };
                    }
                }
            }
        }
    }
    /// `x ← L'⁻¹ x`; the top must be solved already.
    #[inline(always)]
    fn upper<const W: usize, const FMA: bool>(&self, x: &mut [[f64; W]], top: &[[f64; W]]) {
        for j in (0..self.n()).rev() {
            let mut own = x[j];
            for (range, x) in [(self.starts[j]..self.middles[j], &*x), (self.middles[j]..self.starts[j + 1], top)] {
                for (&i, &l) in self.rows[range.clone()].iter().zip(&self.values[range]) {
                    let other = &x[i as usize];
                    for c in 0..W {
                        own[c] = if FMA { (-l).mul_add(other[c], own[c]) } else { own[c] - l * other[c] };
                    }
                }
            }
            x[j] = own.map(|v| v * self.inverse_diagonal[j]);
        }
    }
}

/// L: the columns of its parts in order, then those of the top.
pub(crate) struct LowerFactor {
    pub(crate) parts: Vec<Part>,
    pub(crate) top: Part,
}

impl LowerFactor {
    /// Overwrites `x` (n × `W` by rows) with `(L L')⁻¹ x`.
    pub(crate) fn solve<const W: usize>(&self, x: &mut [[f64; W]]) {
        let in_parts: usize = self.parts.iter().map(Part::n).sum();
        assert_eq!(x.len(), in_parts + self.top.n(), "one row per column of the factor");
        let (mut rest, top) = x.split_at_mut(in_parts);
        let mut own = vec![];
        for part in &self.parts {
            let (x, others) = rest.split_at_mut(part.n());
            own.push(x);
            rest = others;
        }
        let added: Vec<Vec<[f64; W]>> = own
            .par_iter_mut()
            .zip(&self.parts)
            .map(|(x, part)| {
                let mut added = vec![[0.0; W]; top.len()];
                lower(part, x, &mut added);
                added
            })
            .collect();
        for (x, a) in added.iter().flat_map(|added| added.iter().enumerate()) {
            (0..W).for_each(|c| top[x][c] += a[c]);
        }
        lower(&self.top, top, &mut []);
        upper(&self.top, top, &[]);
        own.into_par_iter().zip(&self.parts).for_each(|(x, part)| upper(part, x, top));
    }
}

widest! {
    ["avx2", "fma"];
    fn lower<const W>(part: &Part, x: &mut [[f64; W]], top: &mut [[f64; W]]) = Part::lower::<W, true>, Part::lower::<W, false>;
}
widest! {
    ["avx2", "fma"];
    fn upper<const W>(part: &Part, x: &mut [[f64; W]], top: &[[f64; W]]) = Part::upper::<W, true>, Part::upper::<W, false>;
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Diagonal, entries of the part, entries of the top.
    type Column<'a> = (f64, &'a [(u32, f64)], &'a [(u32, f64)]);

    fn part(columns: &[Column<'_>]) -> Part {
        let mut part = Part::with_capacity(columns.len(), 4);
        columns.iter().for_each(|(diagonal, own, top)| part.push(*diagonal, own.iter().copied(), top.iter().copied()));
        part
    }

    #[test]
    fn small_factors_are_solved_as_by_hand_whole_and_in_parts() {
        // L = [[2, 0, 0, 0], [1, 4, 0, 0], [0, 0, 3, 0], [0, 3, 7, 5]]: the third column is independent of the first two.
        let whole = LowerFactor {
            parts: vec![],
            top: part(&[(2.0, &[(1, 1.0), (2, 0.0)], &[]), (4.0, &[(3, 3.0)], &[]), (3.0, &[(3, 7.0)], &[]), (5.0, &[], &[])]),
        };
        let apart = LowerFactor {
            parts: vec![part(&[(2.0, &[(1, 1.0)], &[]), (4.0, &[], &[(0, 3.0)])]), part(&[(3.0, &[], &[(0, 7.0)])])],
            top: part(&[(5.0, &[], &[])]),
        };
        let l = [[2.0, 0.0, 0.0, 0.0], [1.0, 4.0, 0.0, 0.0], [0.0, 0.0, 3.0, 0.0], [0.0, 3.0, 7.0, 5.0]];
        let solution = [[1.0, -2.0], [0.5, 3.0], [2.0, 1.0], [-1.0, 0.25]];
        for factor in [whole, apart] {
            let mut x = [[0.0; 2]; 4];
            for i in 0..4 {
                for c in 0..2 {
                    // (L L' solution)_i
                    let entry = |i: usize, k: usize| (0..4).map(|m| l[i][m] * l[k][m]).sum::<f64>();
                    x[i][c] = (0..4).map(|k| entry(i, k) * solution[k][c]).sum();
                }
            }
            factor.solve(&mut x);
            for i in 0..4 {
                for c in 0..2 {
                    assert!((x[i][c] - solution[i][c]).abs() < 1e-14, "{i} {c}: {}", x[i][c]);
                }
            }
        }
    }
}
