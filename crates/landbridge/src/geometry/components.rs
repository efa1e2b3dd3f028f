//! Connected components of a graph.

use crate::linalg::Csr;

/// The component of each node of a symmetric graph, and how many there are.
pub fn connected_components(graph: &Csr) -> (Vec<u32>, usize) {
    let n = graph.nrows();
    let mut number = vec![u32::MAX; n];
    let mut count = 0;
    let mut stack = vec![];
    for start in 0..n {
        if number[start] != u32::MAX {
            continue;
        }
        number[start] = count;
        stack.push(start);
        while let Some(i) = stack.pop() {
            for &j in graph.row_indices(i) {
                if number[j as usize] == u32::MAX {
                    number[j as usize] = count;
                    stack.push(j as usize);
                }
            }
        }
        count += 1;
    }
    (number, count as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Sets;

    #[test]
    fn components_and_sets_agree() {
        let edges = [(0, 3), (3, 5), (1, 2), (6, 7)];
        let mut sets = Sets::new(9);
        let mut triplets = vec![];
        for &(i, j) in edges.iter().rev() {
            sets.join(j, i);
            triplets.extend([(i, j, 1.0), (j, i, 1.0)]);
        }
        let expected = (vec![0, 1, 1, 0, 2, 0, 3, 3, 4], 5);
        assert_eq!(connected_components(&Csr::from_triplets(9, 9, &triplets).unwrap()), expected);
        assert_eq!(sets.numbered(), expected);
    }
}
