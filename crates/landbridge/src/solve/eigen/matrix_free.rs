//! Operators that need only products with the graph: the scaled Laplacian `S = M^-1/2 (D − W) M^-1/2` itself, and Chebyshev
//! polynomials of it that amplify the low end of the spectrum.

use crate::linalg::Csr;
use crate::linalg::spmm::shifted_product;
use crate::linalg::tall::{Tall, each_row, group_sums};
use crate::problem::spectral::LaplacianPencil;
use crate::solve::lanczos::Operator;
use std::sync::{Mutex, PoisonError};

/// `S` and its null space: one vector `M^1/2 1_c` per component c.
pub(crate) struct ScaledLaplacian {
    /// `M^-1/2 W M^-1/2`.
    pub(crate) weights: Csr,
    /// Degree over mass.
    pub(crate) diagonal: Vec<f64>,
    pub(crate) root_mass: Vec<f64>,
    component: Vec<u32>,
    /// 1 / total mass of each component.
    inverse_mass: Vec<f64>,
}

impl ScaledLaplacian {
    /// From the nodes in the given order: row i is node `order[i]`.
    pub(crate) fn new(pencil: &LaplacianPencil<'_>, order: &[u32]) -> Self {
        let n = pencil.n();
        let pick = |v: &[f64]| order.iter().map(|&i| v[i as usize]).collect::<Vec<f64>>();
        let mut place = vec![0u32; n];
        order.iter().enumerate().for_each(|(i, &node)| place[node as usize] = i as u32);
        let root_mass: Vec<f64> = order.iter().map(|&i| pencil.mass[i as usize].sqrt()).collect();
        let nnz = pencil.graph.nnz();
        let (mut indptr, mut indices, mut values) = (Vec::with_capacity(n + 1), Vec::with_capacity(nnz), Vec::with_capacity(nnz));
        indptr.push(0);
        let mut row: Vec<(u32, f64)> = vec![];
        for (i, &node) in order.iter().enumerate() {
            row.clear();
            row.extend(pencil.graph.row(node as usize).map(|(j, w)| (place[j as usize], w)));
            row.sort_unstable_by_key(|e| e.0);
            for &(j, w) in &row {
                indices.push(j);
                values.push(w / root_mass[i] / root_mass[j as usize]);
            }
            indptr.push(indices.len());
        }
        let weights = Csr::from_sorted(indptr, indices, values, n);
        let mut inverse_mass = vec![0.0; pencil.n_components];
        for (i, &c) in pencil.component.iter().enumerate() {
            inverse_mass[c as usize] += pencil.mass[i];
        }
        inverse_mass.iter_mut().for_each(|m| *m = 1.0 / *m);
        let (degree, mass) = (pick(&pencil.degree), pick(&pencil.mass));
        let diagonal = degree.iter().zip(&mass).map(|(d, m)| d / m).collect();
        let component = order.iter().map(|&i| pencil.component[i as usize]).collect();
        Self { weights, diagonal, root_mass, component, inverse_mass }
    }
    /// An upper bound of the eigenvalues (Gershgorin).
    pub(crate) fn bound(&self) -> f64 {
        2.0 * self.diagonal.iter().fold(0.0f64, |a, d| a.max(*d))
    }
    /// `y = S x`.
    pub(crate) fn product(&self, x: &Tall, y: &mut Tall) {
        shifted_product(&self.weights, &self.diagonal, &x.values, &mut y.values, x.stride, (0.0, -1.0, 0.0));
    }
    /// Projects out the null space: in each component the part along `M^1/2 1`.
    pub(crate) fn remove_kernel(&self, x: &mut Tall) {
        let width = x.stride;
        let mut means = group_sums(x, &self.component, self.inverse_mass.len(), |i| self.root_mass[i]);
        for (c, inverse) in self.inverse_mass.iter().enumerate() {
            means[c * width..(c + 1) * width].iter_mut().for_each(|s| *s *= inverse);
        }
        each_row(x, |i, row| {
            let mean = &means[self.component[i] as usize * width..][..width];
            row.iter_mut().zip(mean).for_each(|(v, m)| *v -= self.root_mass[i] * m);
        });
    }
}

/// The nodes in breadth-first order: neighbours in the graph become neighbours in memory, so that the rows which a product
/// gathers are in the cache.
pub(crate) fn breadth_first(graph: &Csr) -> Vec<u32> {
    let n = graph.nrows();
    let (mut order, mut seen) = (Vec::with_capacity(n), vec![false; n]);
    for start in 0..n {
        if std::mem::replace(&mut seen[start], true) {
            continue;
        }
        let mut next = order.len();
        order.push(start as u32);
        while next < order.len() {
            for &j in graph.row_indices(order[next] as usize) {
                if !std::mem::replace(&mut seen[j as usize], true) {
                    order.push(j);
                }
            }
            next += 1;
        }
    }
    order
}

/// `−S`: its largest eigenvalues are the smallest of S.
pub(crate) struct Negated<'a>(pub(crate) &'a ScaledLaplacian);

impl Operator for Negated<'_> {
    fn apply(&self, x: &Tall, y: &mut Tall) {
        shifted_product(&self.0.weights, &self.0.diagonal, &x.values, &mut y.values, x.stride, (0.0, 1.0, 0.0));
        self.0.remove_kernel(y);
    }
    fn project(&self, x: &mut Tall) {
        self.0.remove_kernel(x);
    }
    fn n(&self) -> usize {
        self.0.root_mass.len()
    }
}

/// `T_m((c − S)/e)`: between −1 and 1 on `[cut, top]`, growing like cosh below `cut`.
pub(crate) struct Chebyshev<'a> {
    pub(crate) laplacian: &'a ScaledLaplacian,
    pub(crate) degree: usize,
    pub(crate) cut: f64,
    pub(crate) top: f64,
    /// Scratch memory, reused from one application to the next.
    pub(crate) scratch: Mutex<Tall>,
}

impl Chebyshev<'_> {
    /// The degree at which eigenvalues near 0 are amplified by about e^`growth` / 2.
    pub(crate) fn degree_for(cut: f64, top: f64, growth: f64) -> usize {
        let x = (top + cut) / (top - cut);
        ((growth / x.acosh()).ceil() as usize).clamp(2, 1000)
    }
}

impl Operator for Chebyshev<'_> {
    fn apply(&self, x: &Tall, y: &mut Tall) {
        let (centre, half) = (0.5 * (self.top + self.cut), 0.5 * (self.top - self.cut));
        let s = self.laplacian;
        // T_0 = x, T_1 = (c − S) x / e, T_{k+1} = 2 (c − S) T_k / e − T_{k−1}; two blocks swap places.
        let mut scratch = self.scratch.lock().unwrap_or_else(PoisonError::into_inner);
        scratch.stride = x.stride;
        scratch.values.clear();
        scratch.values.extend_from_slice(&x.values);
        let (mut old, mut now) = (&mut *scratch, &mut *y);
        shifted_product(&s.weights, &s.diagonal, &x.values, &mut now.values, x.stride, (centre, 1.0 / half, 0.0));
        for _ in 1..self.degree {
            shifted_product(&s.weights, &s.diagonal, &now.values, &mut old.values, x.stride, (centre, 2.0 / half, -1.0));
            std::mem::swap(&mut old, &mut now);
        }
        // An even degree ends in the scratch memory.
        if self.degree.is_multiple_of(2) {
            y.values.copy_from_slice(&scratch.values);
        }
        s.remove_kernel(y);
    }
    fn project(&self, x: &mut Tall) {
        self.laplacian.remove_kernel(x);
    }
    fn n(&self) -> usize {
        self.laplacian.root_mass.len()
    }
}
