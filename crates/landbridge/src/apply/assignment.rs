//! One-to-one matches of least total cost, on a sparse list of candidates.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Not matched.
const NOBODY: usize = usize::MAX;

/// A total order of costs, which are finite.
#[derive(Clone, Copy, PartialEq)]
struct Cost(f64);
impl Eq for Cost {}
impl PartialOrd for Cost {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Cost {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

/// A one-to-one assignment: for each row the column it is matched with. It matches as many rows as possible among the
/// candidates, with the least total cost. Shortest augmenting paths with potentials (Jonker and Volgenant), Dijkstra on the
/// candidates.
pub(crate) fn assign(candidates: &[Vec<(usize, f64)>], columns: usize) -> Vec<Option<usize>> {
    let rows = candidates.len();
    let (mut of_row, mut of_column) = (vec![NOBODY; rows], vec![NOBODY; columns]);
    // Costs are shifted by row so that reduced costs start non-negative; an unmatched row costs more than any path.
    let mut row_potential: Vec<f64> = candidates.iter().map(|c| c.iter().map(|e| e.1).fold(f64::INFINITY, f64::min)).collect();
    row_potential.iter_mut().filter(|p| !p.is_finite()).for_each(|p| *p = 0.0);
    let mut column_potential = vec![0.0; columns];
    let mut distance = vec![f64::INFINITY; columns];
    let mut from_row = vec![NOBODY; columns];
    let mut settled = vec![false; columns];
    for start in 0..rows {
        let mut heap = BinaryHeap::new();
        let mut touched = vec![];
        let (mut row, mut base) = (start, 0.0);
        let end = loop {
            for &(column, cost) in &candidates[row] {
                if settled[column] {
                    continue;
                }
                let through = base + (cost - row_potential[row] - column_potential[column]).max(0.0);
                if through < distance[column] {
                    if distance[column].is_infinite() {
                        touched.push(column);
                    }
                    distance[column] = through;
                    from_row[column] = row;
                    heap.push(Reverse((Cost(through), column)));
                }
            }
            let next = loop {
                match heap.pop() {
                    Some(Reverse((Cost(d), column))) if !settled[column] && d <= distance[column] => break Some((d, column)),
                    Some(_) => {}
                    None => break None,
                }
            };
            let Some((d, column)) = next else { break None };
            settled[column] = true;
            base = d;
            if of_column[column] == NOBODY {
                break Some(column);
            }
            row = of_column[column];
        };
        if let Some(mut column) = end {
            for &c in touched.iter().filter(|&&c| settled[c]) {
                let slack = base - distance[c];
                column_potential[c] -= slack;
                if of_column[c] != NOBODY {
                    row_potential[of_column[c]] += slack;
                }
            }
            row_potential[start] += base;
            loop {
                let row = from_row[column];
                of_column[column] = row;
                column = std::mem::replace(&mut of_row[row], column);
                if row == start {
                    break;
                }
            }
        }
        for c in touched {
            distance[c] = f64::INFINITY;
            settled[c] = false;
        }
    }
    of_row.into_iter().map(|c| (c != NOBODY).then_some(c)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn best_by_permutations(cost: &[Vec<f64>]) -> f64 {
        fn go(cost: &[Vec<f64>], row: usize, used: &mut Vec<bool>) -> f64 {
            if row == cost.len() {
                return 0.0;
            }
            let mut best = f64::INFINITY;
            for c in 0..used.len() {
                if !used[c] {
                    used[c] = true;
                    best = best.min(cost[row][c] + go(cost, row + 1, used));
                    used[c] = false;
                }
            }
            best
        }
        go(cost, 0, &mut vec![false; cost[0].len()])
    }

    #[test]
    fn the_total_cost_is_the_least_of_all_permutations() {
        let mut state = 3u64;
        let mut next = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 40) as f64 / (1u64 << 24) as f64
        };
        for (rows, columns) in [(1, 1), (3, 3), (5, 7), (6, 6), (7, 7)] {
            for _ in 0..20 {
                let cost: Vec<Vec<f64>> = (0..rows).map(|_| (0..columns).map(|_| next()).collect()).collect();
                let candidates: Vec<Vec<(usize, f64)>> = cost.iter().map(|r| r.iter().copied().enumerate().collect()).collect();
                let matched = assign(&candidates, columns);
                let mut seen = vec![false; columns];
                let mut total = 0.0;
                for (r, c) in matched.iter().enumerate() {
                    let c = c.expect("every row can be matched");
                    assert!(!std::mem::replace(&mut seen[c], true), "a column twice");
                    total += cost[r][c];
                }
                assert!((total - best_by_permutations(&cost)).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn rows_without_a_free_candidate_stay_unmatched() {
        let matched = assign(&[vec![(0, 1.0)], vec![(0, 0.5)], vec![], vec![(1, 2.0), (0, 0.1)]], 2);
        assert_eq!(matched.iter().flatten().count(), 2);
        assert_eq!(matched[2], None);
    }
}
