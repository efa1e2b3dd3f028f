//! Solves with a sparse lower-triangular factor for a block of right-hand sides: `L y = x`, then `L' x = y`.
//!
//! The block is stored by rows, so that each entry of L meets one short vector: a sparse factor is read once for
//! all right-hand sides. `unsafe` here only calls the same safe loop compiled for a wider instruction set.
#![allow(unsafe_code)]

/// L by columns: its diagonal apart, the rest as (row, value).
pub(crate) struct LowerFactor {
    pub(crate) inverse_diagonal: Vec<f64>,
    pub(crate) starts: Vec<usize>,
    pub(crate) rows: Vec<u32>,
    pub(crate) values: Vec<f64>,
}

impl LowerFactor {
    /// Overwrites `x` (n × `W` by rows) with `(L L')⁻¹ x`.
    pub(crate) fn solve<const W: usize>(&self, x: &mut [[f64; W]]) {
        assert_eq!(x.len(), self.inverse_diagonal.len(), "one row per column of the factor");
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
                // SAFETY: the processor has these instructions.
                return unsafe { wide(self, x) };
            }
        }
        self.run::<W, false>(x);
    }

    #[inline(always)]
    fn run<const W: usize, const FMA: bool>(&self, x: &mut [[f64; W]]) {
        let n = x.len();
        for j in 0..n {
            let own = x[j].map(|v| v * self.inverse_diagonal[j]);
            x[j] = own;
            let range = self.starts[j]..self.starts[j + 1];
            for (&i, &l) in self.rows[range.clone()].iter().zip(&self.values[range]) {
                let other = &mut x[i as usize];
                for c in 0..W {
                    other[c] = if FMA { (-l).mul_add(own[c], other[c]) } else { other[c] - l * own[c] };
                }
            }
        }
        for j in (0..n).rev() {
            let mut own = x[j];
            let range = self.starts[j]..self.starts[j + 1];
            for (&i, &l) in self.rows[range.clone()].iter().zip(&self.values[range]) {
                let other = &x[i as usize];
                for c in 0..W {
                    own[c] = if FMA { (-l).mul_add(other[c], own[c]) } else { own[c] - l * other[c] };
                }
            }
            x[j] = own.map(|v| v * self.inverse_diagonal[j]);
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn wide<const W: usize>(factor: &LowerFactor, x: &mut [[f64; W]]) {
    factor.run::<W, true>(x);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_factor_is_solved_as_by_hand() {
        // L = [[2, 0, 0], [1, 4, 0], [0, 3, 5]]
        let factor = LowerFactor {
            inverse_diagonal: vec![0.5, 0.25, 0.2],
            starts: vec![0, 1, 2, 2],
            rows: vec![1, 2],
            values: vec![1.0, 3.0],
        };
        let solution = [[1.0, -2.0], [0.5, 3.0], [2.0, 1.0]];
        // A = L L'
        let a = [[4.0, 2.0, 0.0], [2.0, 17.0, 12.0], [0.0, 12.0, 34.0]];
        let mut x = [[0.0; 2]; 3];
        for i in 0..3 {
            for c in 0..2 {
                x[i][c] = (0..3).map(|k| a[i][k] * solution[k][c]).sum();
            }
        }
        factor.solve(&mut x);
        for i in 0..3 {
            for c in 0..2 {
                assert!((x[i][c] - solution[i][c]).abs() < 1e-14);
            }
        }
    }
}
