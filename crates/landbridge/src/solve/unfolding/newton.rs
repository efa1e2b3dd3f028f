//! One step of the augmented Lagrangian in coordinates R: `min −tr C RR' + Σ φ(y_e + σ c_e)/σ`, `c_e = |r_i − r_j|² − d_e²`.
//!
//! `φ' = pull` is the identity for equalities. If distances may shrink it is a smooth `max(0, ·)`: with the sharp one, points
//! whose edges are all slack would fly off in every Newton step, and steps would become short. Newton's equations are solved by
//! conjugate gradients, with a sparse Cholesky factor of the Hessian without `−C` as preconditioner: `−C` changes only a few
//! eigenvalues, so that a few iterations suffice. The line search is exact, because squared distances are quadratic along a
//! line.

use super::Program;
use crate::linalg::sparse_cholesky::{Order, Pattern, SparseCholesky};

/// Maximum number of multiplications of a factorisation with blocks of r × r; above, all dimensions share one factor of the graph.
const BLOCK_LIMIT: f64 = 4e10;
/// Largest fill of a factor of a thin graph, as a share of all entries (rolls: 0.02 to 0.04; ten dimensions: 0.3).
const THIN: f64 = 0.1;
/// Largest change of an edge in one step, in lengths of a typical edge.
const REACH: f64 = 4.0;
/// Squared relative tolerance of Newton's equations.
const FORCING: f64 = 1e-4;

pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

/// Centres the points. Translations cost nothing, and rounding errors would otherwise accumulate along them.
fn centre(x: &mut [f64], width: usize) {
    let n = x.len() / width;
    for s in 0..width {
        let mean = x.iter().skip(s).step_by(width).sum::<f64>() / n as f64;
        x.iter_mut().skip(s).step_by(width).for_each(|v| *v -= mean);
    }
}

pub(super) struct Problem<'a> {
    pub(super) program: &'a Program,
    pub(super) rank: usize,
    /// Multipliers.
    pub(super) y: Vec<f64>,
    /// Strength of the penalty.
    pub(super) sigma: f64,
    /// Distance of the pull from `max(0, ·)`.
    pub(super) smoothing: f64,
}

/// Squared distances along a line, minus their targets: `c0 + c1 t + c2 t²`; and minus the objective in the same form.
struct Line {
    edges: Vec<[f64; 3]>,
    objective: [f64; 3],
}

/// First and second derivative of the penalty of one edge.
#[derive(Clone, Copy)]
struct Spring {
    pull: f64,
    stiffness: f64,
}

impl Problem<'_> {
    fn weighted_sums(&self, r: &[f64]) -> Vec<f64> {
        let mut sums = vec![0.0; self.rank];
        for (row, w) in r.chunks_exact(self.rank).zip(&self.program.weights) {
            sums.iter_mut().zip(row).for_each(|(s, v)| *s += w * v);
        }
        sums
    }
    /// `tr C R S'`.
    pub(super) fn spread(&self, r: &[f64], s: &[f64]) -> f64 {
        let rows = r.chunks_exact(self.rank).zip(s.chunks_exact(self.rank)).zip(&self.program.weights);
        let own: f64 = rows.map(|((a, b), w)| w * dot(a, b)).sum();
        own - dot(&self.weighted_sums(r), &self.weighted_sums(s)) / self.program.total()
    }
    /// The multiplier of an edge with violation c, and its derivative.
    fn spring(&self, e: usize, c: f64) -> Spring {
        let z = self.y[e] + self.sigma * c;
        if self.program.equality {
            return Spring { pull: z, stiffness: self.sigma };
        }
        let root = (z * z + 4.0 * self.smoothing * self.smoothing).sqrt();
        let pull = if z > 0.0 { 0.5 * (z + root) } else { 2.0 * self.smoothing * self.smoothing / (root - z) };
        Spring { pull, stiffness: self.sigma * pull / root }
    }
    pub(super) fn pull(&self, e: usize, c: f64) -> f64 {
        self.spring(e, c).pull
    }
    fn difference<'b>(&self, r: &'b [f64], e: usize) -> impl Iterator<Item = f64> + 'b {
        let ((i, j), k) = (self.program.edges[e], self.rank);
        r[i * k..(i + 1) * k].iter().zip(&r[j * k..(j + 1) * k]).map(|(a, b)| a - b)
    }
    /// Difference of each squared distance from its target.
    pub(super) fn misses(&self, r: &[f64]) -> Vec<f64> {
        let squares = &self.program.squares;
        (0..squares.len()).map(|e| self.difference(r, e).map(|d| d * d).sum::<f64>() - squares[e]).collect()
    }
    fn springs(&self, r: &[f64]) -> Vec<Spring> {
        self.misses(r).iter().enumerate().map(|(e, c)| self.spring(e, *c)).collect()
    }
    /// `out += 2 Σ_e push(e, s) (e_i − e_j)` of every edge and dimension.
    fn spread_edges(&self, out: &mut [f64], push: impl Fn(usize, &mut [f64])) {
        let k = self.rank;
        let mut v = vec![0.0; k];
        for (e, &(i, j)) in self.program.edges.iter().enumerate() {
            push(e, &mut v);
            for s in 0..k {
                out[i * k + s] += 2.0 * v[s];
                out[j * k + s] -= 2.0 * v[s];
            }
        }
    }
    /// `−2 C R`.
    fn outwards(&self, r: &[f64]) -> Vec<f64> {
        let (centre, total) = (self.weighted_sums(r), self.program.total());
        let rows = r.chunks_exact(self.rank).zip(&self.program.weights);
        rows.flat_map(|(row, w)| row.iter().zip(&centre).map(move |(v, c)| -2.0 * w * (v - c / total))).collect()
    }
    fn gradient(&self, r: &[f64], springs: &[Spring]) -> Vec<f64> {
        let mut out = self.outwards(r);
        self.spread_edges(&mut out, |e, v| {
            v.iter_mut().zip(self.difference(r, e)).for_each(|(v, x)| *v = springs[e].pull * x);
        });
        out
    }
    /// The Hessian at r times q.
    fn hessian(&self, r: &[f64], springs: &[Spring], q: &[f64]) -> Vec<f64> {
        let mut out = self.outwards(q);
        self.spread_edges(&mut out, |e, v| {
            let along: f64 = self.difference(r, e).zip(self.difference(q, e)).map(|(x, q)| x * q).sum();
            let stiff = 2.0 * springs[e].stiffness * along;
            let both = self.difference(r, e).zip(self.difference(q, e));
            v.iter_mut().zip(both).for_each(|(v, (x, q))| *v = springs[e].pull * q + stiff * x);
        });
        out
    }

    fn line(&self, r: &[f64], d: &[f64]) -> Line {
        let edge = |e: usize| {
            let mut c = [-self.program.squares[e], 0.0, 0.0];
            for (x, v) in self.difference(r, e).zip(self.difference(d, e)) {
                c[0] += x * x;
                c[1] += 2.0 * x * v;
                c[2] += v * v;
            }
            c
        };
        let edges = (0..self.program.edges.len()).map(edge).collect();
        Line { edges, objective: [-self.spread(r, r), -2.0 * self.spread(r, d), -self.spread(d, d)] }
    }
    /// Slope and curvature of the augmented Lagrangian at t.
    fn slope(&self, line: &Line, t: f64) -> (f64, f64) {
        let mut slope = line.objective[1] + 2.0 * line.objective[2] * t;
        let mut curvature = 2.0 * line.objective[2];
        for (e, c) in line.edges.iter().enumerate() {
            let (value, first) = (c[0] + t * (c[1] + t * c[2]), c[1] + 2.0 * t * c[2]);
            let spring = self.spring(e, value);
            slope += spring.pull * first;
            curvature += spring.pull * 2.0 * c[2] + spring.stiffness * first * first;
        }
        (slope, curvature)
    }
    /// The augmented Lagrangian at t; `φ = ½ pull² + smoothing² ln pull` has the slope `pull`.
    fn value(&self, line: &Line, t: f64) -> f64 {
        let sharp = if self.program.equality { 0.0 } else { self.smoothing * self.smoothing };
        let penalty = |(e, c): (usize, &[f64; 3])| {
            let pull = self.pull(e, c[0] + t * (c[1] + t * c[2]));
            0.5 * pull * pull + if sharp > 0.0 { sharp * pull.ln() } else { 0.0 }
        };
        let penalties: f64 = line.edges.iter().enumerate().map(penalty).sum();
        line.objective[0] + t * (line.objective[1] + t * line.objective[2]) + penalties / self.sigma
    }
    /// A minimum along the line, below the starting value. No edge changes by more than a few times its typical length.
    fn search(&self, line: &Line) -> f64 {
        let longest = line.edges.iter().fold(0.0f64, |a, c| a.max(c[2])).sqrt();
        let most = if longest > 0.0 { REACH / longest } else { 1.0 };
        let before = self.value(line, 0.0);
        let mut high = most.min(1.0);
        for _ in 0..60 {
            let t = self.minimum(line, high, most);
            if self.value(line, t) <= before + 1e-13 * before.abs() {
                return t;
            }
            high = 0.25 * t;
        }
        0.0
    }
    /// A minimum from 0 on, searched for within `high` first, then within `most`.
    fn minimum(&self, line: &Line, mut high: f64, most: f64) -> f64 {
        let mut low = 0.0;
        while self.slope(line, high).0 < 0.0 {
            if high >= most {
                return most;
            }
            (low, high) = (high, (2.0 * high).min(most));
        }
        let mut t = high;
        for _ in 0..40 {
            let (slope, curvature) = self.slope(line, t);
            if slope < 0.0 {
                low = t;
            } else {
                high = t;
            }
            let newton = t - slope / curvature;
            let next = if curvature > 0.0 && newton > low && newton < high { newton } else { 0.5 * (low + high) };
            if (next - t).abs() <= 1e-6 * t {
                return next;
            }
            t = next;
        }
        t
    }

    /// Newton's direction, or the part of it that conjugate gradients find before a direction of negative curvature.
    fn direction(&self, r: &[f64], springs: &[Spring], gradient: &[f64], factor: &Preconditioner) -> Option<Vec<f64>> {
        let mut x = vec![0.0; r.len()];
        let mut residual: Vec<f64> = gradient.iter().map(|g| -g).collect();
        let mut z = factor.solve(&residual)?;
        let mut q = z.clone();
        let mut rz = dot(&residual, &z);
        let target = FORCING * rz;
        for step in 0..factor.most_iterations() {
            let image = self.hessian(r, springs, &q);
            let curvature = dot(&q, &image);
            if curvature <= 1e-13 * dot(&q, &q) {
                if step == 0 {
                    return Some(q);
                }
                break;
            }
            let alpha = rz / curvature;
            x.iter_mut().zip(&q).for_each(|(x, q)| *x += alpha * q);
            residual.iter_mut().zip(&image).for_each(|(r, i)| *r -= alpha * i);
            z = factor.solve(&residual)?;
            let next = dot(&residual, &z);
            if next <= target {
                break;
            }
            let beta = next / rz;
            q.iter_mut().zip(&z).for_each(|(q, z)| *q = z + beta * *q);
            rz = next;
        }
        Some(x)
    }

    /// Minimises from `r` on; returns the steps, and whether it converged.
    pub(super) fn minimise(&self, r: &mut [f64], accuracy: f64, limit: usize, factor: &mut Preconditioner) -> (usize, bool) {
        for step in 0..limit {
            let springs = self.springs(r);
            let gradient = self.gradient(r, &springs);
            if dot(&gradient, &gradient).sqrt() <= accuracy {
                return (step, true);
            }
            let direction = factor.update(self, r, &springs).and_then(|()| self.direction(r, &springs, &gradient, factor));
            let direction =
                direction.filter(|d| dot(d, &gradient) < 0.0).unwrap_or_else(|| gradient.iter().map(|g| -g).collect());
            let t = self.search(&self.line(r, &direction));
            let moved = t * dot(&direction, &direction).sqrt();
            r.iter_mut().zip(&direction).for_each(|(r, d)| *r += t * d);
            centre(r, self.rank);
            if moved <= 1e-14 * dot(r, r).sqrt() {
                return (step + 1, false);
            }
        }
        (limit, false)
    }
}

/// `2 Σ (pull + 2 stiffness x x')_e` as blocks of the graph's Laplacian; or, if those would fill up, one number per edge that
/// is at least as large, the same for all dimensions.
pub(super) struct Preconditioner {
    pattern: Pattern,
    factor: SparseCholesky,
    /// Rows of a block: the rank, or 1.
    block: usize,
    /// Index of the first edge of each point (edges are sorted by their smaller end).
    first: Vec<usize>,
    values: Vec<f64>,
    rank: usize,
}

/// The lower triangle of the graph, a block per point and edge.
fn block_pattern(edges: &[(usize, usize)], first: &[usize], block: usize) -> Option<Pattern> {
    let (mut starts, mut rows) = (vec![0u32], vec![]);
    for i in 0..first.len() - 1 {
        for s in 0..block {
            rows.extend((s..block).map(|t| (i * block + t) as u32));
            for &(_, j) in &edges[first[i]..first[i + 1]] {
                rows.extend((0..block).map(|t| (j * block + t) as u32));
            }
            starts.push(u32::try_from(rows.len()).ok()?);
        }
    }
    Some(Pattern { starts, rows })
}

/// The first edge of each point, and an elimination ordering of the points.
fn ordered(program: &Program) -> Option<(Vec<usize>, Order)> {
    let p = program.points();
    let mut first = vec![0; p + 1];
    program.edges.iter().for_each(|e| first[e.0 + 1] += 1);
    (0..p).for_each(|i| first[i + 1] += first[i]);
    let order = block_pattern(&program.edges, &first, 1)?.order()?;
    Some((first, order))
}

/// Whether factors of the graph stay sparse, as for data of two or three dimensions. Data of many dimensions also unfold in
/// many dimensions, where low-rank coordinates do not help.
pub(super) fn is_thin(program: &Program) -> bool {
    let all = 0.5 * (program.points() as f64).powi(2);
    ordered(program).is_some_and(|(_, order)| order.fill <= THIN * all)
}

impl Preconditioner {
    pub(super) fn new(program: &Program, rank: usize) -> Option<Self> {
        let (p, edges) = (program.points(), &program.edges);
        let (first, order) = ordered(program)?;
        let block = if order.flops * (rank as f64).powi(3) <= BLOCK_LIMIT { rank } else { 1 };
        let pattern = block_pattern(edges, &first, block)?;
        let expand = |nodes: &[u32]| nodes.iter().flat_map(|&i| (0..block as u32).map(move |s| i * block as u32 + s)).collect();
        let mut inverse = vec![0u32; p * block];
        let forward: Vec<u32> = expand(&order.forward);
        forward.iter().enumerate().for_each(|(at, &row)| inverse[row as usize] = at as u32);
        let factor = SparseCholesky::new(&pattern, &Order { forward, inverse, ..order })?;
        let values = vec![0.0; pattern.rows.len()];
        Some(Self { pattern, factor, block, first, values, rank })
    }
    fn most_iterations(&self) -> usize {
        if self.block == 1 && self.rank > 1 { 200 } else { 60 }
    }

    fn update(&mut self, problem: &Problem<'_>, r: &[f64], springs: &[Spring]) -> Option<()> {
        let b = self.block;
        let mut diagonal = vec![0.0; problem.program.points() * b * b];
        let mut entries = vec![0.0; b * b];
        for i in 0..self.first.len() - 1 {
            for e in self.first[i]..self.first[i + 1] {
                let (pull, stiff) = (2.0 * springs[e].pull.abs(), 4.0 * springs[e].stiffness);
                let x: Vec<f64> = problem.difference(r, e).collect();
                if b == 1 {
                    entries[0] = pull + stiff * dot(&x, &x);
                } else {
                    for s in 0..b {
                        for t in 0..b {
                            entries[s * b + t] = stiff * x[s] * x[t] + if s == t { pull } else { 0.0 };
                        }
                    }
                }
                for node in [i, problem.program.edges[e].1] {
                    diagonal[node * b * b..(node + 1) * b * b].iter_mut().zip(&entries).for_each(|(d, v)| *d += v);
                }
                for s in 0..b {
                    let at = self.pattern.starts[i * b + s] as usize + (b - s) + (e - self.first[i]) * b;
                    self.values[at..at + b].iter_mut().zip(&entries[s * b..]).for_each(|(out, v)| *out = -v);
                }
            }
        }
        let n = self.pattern.n();
        let trace: f64 = (0..n).map(|c| diagonal[c / b * b * b + (c % b) * (b + 1)]).sum();
        // A small term fixes translations.
        let mut lift = 1e-11 * trace / n as f64;
        for _ in 0..4 {
            for c in 0..n {
                let (i, s) = (c / b, c % b);
                let at = self.pattern.starts[c] as usize;
                let row = &diagonal[i * b * b + s * b + s..i * b * b + (s + 1) * b];
                self.values[at..at + b - s].copy_from_slice(row);
                self.values[at] += lift;
            }
            if self.factor.factor(&self.pattern, &self.values).is_some() {
                return Some(());
            }
            lift *= 100.0;
        }
        None
    }
    fn solve(&self, x: &[f64]) -> Option<Vec<f64>> {
        let mut out = x.to_vec();
        centre(&mut out, self.rank);
        self.factor.solve(&mut out, if self.block == 1 { self.rank } else { 1 })?;
        centre(&mut out, self.rank);
        Some(out)
    }
}
