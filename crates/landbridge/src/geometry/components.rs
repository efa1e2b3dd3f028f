//! Connected components, and sets joined one by one.

use crate::linalg::Csr;

/// Union–find: which elements belong together?
#[derive(Clone, Debug)]
pub struct Sets {
    parent: Vec<u32>,
}

impl Sets {
    /// Every element by itself.
    pub fn new(n: usize) -> Self {
        Self { parent: (0..n as u32).collect() }
    }
    /// The smallest element of the set `i` belongs to.
    pub fn find(&mut self, i: usize) -> usize {
        let mut root = i;
        while self.parent[root] as usize != root {
            root = self.parent[root] as usize;
        }
        let mut at = i;
        while self.parent[at] as usize != root {
            at = std::mem::replace(&mut self.parent[at], root as u32) as usize;
        }
        root
    }
    /// Joins the sets of two elements.
    pub fn join(&mut self, i: usize, j: usize) {
        let (a, b) = (self.find(i), self.find(j));
        // The smaller element stays the root, so numbering does not depend on the order of joins.
        self.parent[a.max(b)] = a.min(b) as u32;
    }
    /// The number of each element's set, counted from 0 in order of smallest elements, and how many there are.
    pub fn numbered(mut self) -> (Vec<u32>, usize) {
        let mut number = vec![0u32; self.parent.len()];
        let mut count = 0;
        for i in 0..number.len() {
            let root = self.find(i);
            if root == i {
                number[i] = count;
                count += 1;
            } else {
                number[i] = number[root];
            }
        }
        (number, count as usize)
    }
}

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
