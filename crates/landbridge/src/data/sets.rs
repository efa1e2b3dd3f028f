//! Union–find.

/// Union–find: disjoint sets of elements, joined step by step.
#[derive(Clone, Debug)]
pub struct Sets {
    parent: Vec<u32>,
}

impl Sets {
    /// Every element in a set of its own.
    pub fn new(n: usize) -> Self {
        Self { parent: (0..n as u32).collect() }
    }
    /// The smallest element of the set that contains `i`.
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
        // The smaller element stays the root, so the numbering does not depend on the order of joins.
        self.parent[a.max(b)] = a.min(b) as u32;
    }
    /// The number of each element's set, counted from 0 in order of the smallest elements, and the number of sets.
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
