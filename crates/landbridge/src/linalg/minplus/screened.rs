//! The min-plus product with screening: sums of 16-bit words select the few groups of u that can hold the minimum, and only
//! those are added in double precision. A vector holds at least four times as many words as doubles. The result is the minimum
//! of the same sums of doubles, bit for bit.
//!
//! A word is a distance in steps of 1/32766 of the largest possible sum, rounded down, so that a sum of two words is at most
//! two steps below the sum it represents. The group of the minimum therefore has a least word at most two above the least word
//! of all groups.

use super::choice::{GROUP, Group, INFINITE, SLACK, add_chosen};
use super::kernels::{MR, NR_WORDS, lower_words};
use super::{Columns, Rows};
use crate::linalg::Matrix;
use rayon::prelude::*;

/// With fewer values of u, screening cannot save anything.
const LEAST: usize = 8 * GROUP;
/// Largest number of values of u packed at a time, and of numbers of the second factor.
const SPAN: usize = 64 * GROUP;
const PACKED: usize = 1 << 23;
/// Values of u that are read before they are packed.
const TOGETHER: usize = 8;
/// Rows of a task: each number of B that is read serves several rows.
const ROWS: usize = 32 * MR;
/// Rows and columns of the trial, and the largest average number of groups per entry that is worth screening.
const SAMPLE: usize = 16;
const MANY: usize = 4;
/// The largest word of a sum.
const LARGEST: f64 = 32_766.0;

/// The quantisation of numbers to words.
pub(super) struct Scale {
    low_a: f64,
    low_b: f64,
    steps: f64,
}

/// The smallest and the largest of some finite numbers.
#[derive(Clone, Copy)]
struct Extent(f64, f64);

impl Extent {
    const NONE: Self = Self(f64::INFINITY, f64::NEG_INFINITY);

    fn of(values: &[f64]) -> Self {
        let finite = |v: f64| if v < f64::INFINITY { v } else { f64::NEG_INFINITY };
        values.iter().fold(Self::NONE, |e, &v| Self(if v < e.0 { v } else { e.0 }, if finite(v) > e.1 { v } else { e.1 }))
    }
    fn and(self, other: Self) -> Self {
        Self(self.0.min(other.0), self.1.max(other.1))
    }
    fn largest(self) -> f64 {
        self.0.abs().max(self.1.abs())
    }
}

impl Scale {
    /// `None` where screening would gain nothing or could not separate the sums: few values of u, all numbers equal, many
    /// nearly equal sums, or differences below the rounding errors of the sums.
    pub(super) fn of(out: &Matrix<f64>, l: usize, a: &impl Rows, b: &impl Columns) -> Option<Self> {
        let (n, width) = (out.nrows(), out.ncols());
        if l < LEAST || n < MR || width < NR_WORDS {
            return None;
        }
        let rows = (0..n).into_par_iter().map_init(
            || vec![0.0; l],
            |row, i| {
                a(i, 0..l, row);
                Extent::of(row)
            },
        );
        let of_a = rows.reduce(|| Extent::NONE, Extent::and);
        let columns = (0..l).into_par_iter().map_init(
            || vec![0.0; width],
            |row, u| {
                b(u, row);
                (Extent::of(row), std::array::from_fn(|s| row[s * width / SAMPLE]))
            },
        );
        let columns: Vec<(Extent, [f64; SAMPLE])> = columns.collect();
        let of_b = columns.iter().fold(Extent::NONE, |all, c| all.and(c.0));
        let steps = LARGEST / ((of_a.1 - of_a.0) + (of_b.1 - of_b.0));
        let lost = (of_a.largest() + of_b.largest()) * f64::EPSILON * steps;
        let scale = Self { low_a: of_a.0, low_b: of_b.0, steps };
        let tells = || {
            let mut row = vec![0.0; l];
            let groups: usize = (0..SAMPLE)
                .map(|s| {
                    a(s * n / SAMPLE, 0..l, &mut row);
                    (0..SAMPLE).map(|t| scale.groups_near(&row, |u| columns[u].1[t])).sum::<usize>()
                })
                .sum();
            groups <= MANY * SAMPLE * SAMPLE
        };
        (steps > 0.0 && lost < 1e-3 && tells()).then_some(scale)
    }
    /// Number of groups that could hold the minimum of a row and a column.
    fn groups_near(&self, row: &[f64], column: impl Fn(usize) -> f64) -> usize {
        let word = |u: usize| self.word(row[u], self.low_a) + self.word(column(u), self.low_b);
        let least: Vec<u16> =
            (0..row.len()).step_by(GROUP).map(|g| (g..row.len().min(g + GROUP)).map(word).min().unwrap_or(u16::MAX)).collect();
        let smallest = least.iter().copied().min().unwrap_or(INFINITE);
        // Without a path there is nothing to add.
        if smallest < INFINITE { least.iter().filter(|l| **l <= smallest + SLACK).count() } else { 0 }
    }
    #[inline(always)]
    fn word(&self, value: f64, low: f64) -> u16 {
        if value < f64::INFINITY { ((value - low) * self.steps) as u16 } else { INFINITE }
    }
}

/// `fresh`: nothing has been written to `out`; its content counts as infinite.
pub(super) fn lower_all(out: &mut Matrix<f64>, fresh: bool, l: usize, a: &impl Rows, b: &impl Columns, scale: &Scale) {
    let width = out.ncols();
    let panels = width.div_ceil(NR_WORDS);
    let span = (PACKED / width / GROUP * GROUP).clamp(LEAST, SPAN);
    for from in (0..l).step_by(span) {
        let depth = span.min(l - from);
        let groups = depth.div_ceil(GROUP);
        // B in groups of u, each group in panels of columns, each panel by columns (numbers) or by u (words).
        // Not filled here: the page faults of first writes are expensive, and this way all threads share them.
        let mut numbers = vec![[0.0; GROUP]; groups * panels * NR_WORDS];
        let mut words = vec![0; numbers.len() * GROUP];
        let parts = numbers.par_chunks_mut(panels * NR_WORDS).zip(words.par_chunks_mut(panels * NR_WORDS * GROUP));
        parts.enumerate().for_each_init(
            || vec![0.0; TOGETHER * width],
            |rows, (g, (numbers, words))| {
                let first = g * GROUP;
                // Padding is infinite: u beyond the last in the last group, columns beyond the last in the last panel.
                let all = depth < first + GROUP;
                numbers[if all { 0 } else { width }..].fill([f64::INFINITY; GROUP]);
                words[if all { 0 } else { (panels - 1) * GROUP * NR_WORDS }..].fill(INFINITE);
                for u in (0..GROUP.min(depth - first)).step_by(TOGETHER) {
                    let count = TOGETHER.min(depth - first - u);
                    for (c, row) in rows.chunks_exact_mut(width).take(count).enumerate() {
                        b(from + first + u + c, row);
                        for (q, row) in row.chunks(NR_WORDS).enumerate() {
                            let to = &mut words[(q * GROUP + u + c) * NR_WORDS..];
                            to.iter_mut().zip(row).for_each(|(t, v)| *t = scale.word(*v, scale.low_b));
                        }
                    }
                    for (j, to) in numbers.iter_mut().take(width).enumerate() {
                        (0..count).for_each(|c| to[u + c] = rows[c * width + j]);
                    }
                }
            },
        );
        out.as_mut_slice().par_chunks_mut(ROWS * width).enumerate().for_each_init(
            || Left { numbers: vec![[f64::INFINITY; GROUP]; ROWS * groups], words: vec![INFINITE; ROWS * groups * GROUP] },
            |left, (task, rows)| {
                let count = rows.len() / width;
                left.pack(count, groups, scale, |i, to| a(task * ROWS + i, from..from + depth, &mut to[..depth]));
                // The least words of each row, group by group.
                let mut least = vec![[0; NR_WORDS]; MR * groups];
                for q in 0..panels {
                    let columns = q * NR_WORDS..width.min((q + 1) * NR_WORDS);
                    for top in (0..count).step_by(MR) {
                        for g in 0..groups {
                            let (at, right) = ((top * groups + g * MR) * GROUP, (g * panels + q) * GROUP * NR_WORDS);
                            let right = &words[right..right + GROUP * NR_WORDS];
                            lower_words(&left.words[at..at + GROUP * MR], right, true, &mut least[g..], groups);
                        }
                        for i in top..count.min(top + MR) {
                            let mut best = [f64::INFINITY; NR_WORDS];
                            let own = &left.numbers[i * groups..(i + 1) * groups];
                            add_chosen(
                                &least[(i - top) * groups..][..groups],
                                own,
                                &numbers[columns.start..],
                                panels * NR_WORDS,
                                &mut best,
                            );
                            let to = &mut rows[i * width + columns.start..i * width + columns.end];
                            if fresh && from == 0 {
                                to.copy_from_slice(&best[..columns.len()]);
                            } else {
                                to.iter_mut().zip(&best).for_each(|(t, b)| *t = if b < t { *b } else { *t });
                            }
                        }
                    }
                }
            },
        );
    }
}

/// Rows of A: numbers by rows, words in groups of MR rows, each group by u.
struct Left {
    numbers: Vec<Group>,
    words: Vec<u16>,
}

impl Left {
    fn pack(&mut self, count: usize, groups: usize, scale: &Scale, row: impl Fn(usize, &mut [f64])) {
        for (i, to) in self.numbers.chunks_exact_mut(groups).take(count).enumerate() {
            let to = to.as_flattened_mut();
            row(i, to);
            let words = &mut self.words[(i / MR) * MR * to.len() + i % MR..];
            words.iter_mut().step_by(MR).zip(to).for_each(|(w, v)| *w = scale.word(*v, scale.low_a));
        }
    }
}
