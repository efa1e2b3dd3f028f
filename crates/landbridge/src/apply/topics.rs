//! Aligned topics (Chapter11 §5.4.3). An alignment of documents in topic spaces transforms the topics, `S_a ↦ S_a F_a`. The
//! columns of all datasets correspond, and their top words describe them.

use crate::error::{Error, Result};
use crate::linalg::Matrix;
use crate::model::Alignment;
use rayon::prelude::*;

/// One component as a topic of every dataset.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct AlignedTopic {
    /// The component of the joint space, from 0.
    pub component: usize,
    /// For each dataset, the words of largest weight, largest first: position in the vocabulary and weight.
    pub words: Vec<Vec<(usize, f64)>>,
    /// Cosine between the topics of the first two datasets over their words, if the vocabularies have the same size.
    pub similarity: Option<f64>,
    /// The component of the second dataset whose words are most similar to those of the first (by cosine).
    pub best_match: Option<usize>,
}

/// A level of the tree of aligned topics.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct TopicLevel {
    /// Its number, 0 for the finest.
    pub level: usize,
    /// Its topics, a topic per component.
    pub topics: Vec<AlignedTopic>,
    /// For each topic its parent, as a position in the previous level. Empty for the coarsest level.
    pub parents: Vec<usize>,
}

/// The words of a topic, per dataset, and its parent.
pub type TopicWords = (Vec<Vec<String>>, Option<usize>);

impl AlignedTopic {
    /// The words of the topic, looked up in the vocabularies of the datasets.
    pub fn spoken(&self, words: &[Vec<String>]) -> Vec<Vec<String>> {
        let of_dataset = |(found, own): (&Vec<(usize, f64)>, &Vec<String>)| {
            found.iter().map(|(w, _)| own.get(*w).cloned().unwrap_or_else(|| w.to_string())).collect()
        };
        self.words.iter().zip(words).map(of_dataset).collect()
    }
}

impl TopicLevel {
    /// The words of each topic, looked up in the vocabularies of the datasets, and its parent.
    pub fn spoken(&self, words: &[Vec<String>]) -> Vec<TopicWords> {
        self.topics.iter().map(|t| (t.spoken(words), self.parents.get(t.component).copied())).collect()
    }
}

/// Largest number of components of a level in the tree, so that it stays readable.
const TREE_COMPONENTS: usize = 120;

impl Alignment {
    /// The tree of aligned topics with their `n` top words, coarsest level first. Levels of the same dimension are the same
    /// space and occur once. Levels of more than 120 components are left out.
    pub fn topic_tree(&self, topics: &[Matrix<f64>], n: usize) -> Result<Vec<TopicLevel>> {
        let Some(levels) = self.levels() else {
            let why = format!("method \"{}\" has only one joint space (multiscale has several)", self.method());
            return Err(Error::Undefined { what: "a tree of topics".into(), why });
        };
        let mut tree: Vec<TopicLevel> = vec![];
        for level in (0..levels.len()).rev().filter(|&l| levels[l].dimension <= TREE_COMPONENTS) {
            if tree.last().is_some_and(|above| above.topics.len() == levels[level].dimension) {
                continue;
            }
            let parents = if tree.is_empty() { vec![] } else { self.parents(level)? };
            tree.push(TopicLevel { level, topics: self.at_level(level)?.aligned_topics(topics, n)?, parents });
        }
        Ok(tree)
    }

    /// The aligned topics of the current level. `topics` has one topic–word matrix per dataset: one row per feature of the
    /// dataset, one column per word. The sign of a component is that of the largest weight in the first dataset.
    pub fn aligned_topics(&self, topics: &[Matrix<f64>], n: usize) -> Result<Vec<AlignedTopic>> {
        if topics.len() != self.datasets().len() {
            return Err(Error::Shape {
                what: "topics".into(),
                expected: format!("one topic-word matrix per dataset ({})", self.datasets().len()),
                got: topics.len().to_string(),
            });
        }
        // S_a F_a, a row per component.
        let mut sides: Vec<Matrix<f64>> = vec![];
        for (a, (topics, dataset)) in topics.iter().zip(self.datasets()).enumerate() {
            if topics.nrows() != dataset.n_features() || topics.ncols() == 0 {
                return Err(Error::Shape {
                    what: format!("topics of \"{}\"", dataset.name()),
                    expected: format!("{} rows, one per feature, and one column per word", dataset.n_features()),
                    got: format!("{} x {}", topics.nrows(), topics.ncols()),
                });
            }
            if topics.as_slice().iter().any(|v| !v.is_finite()) {
                let problem = "a weight is not finite".into();
                return Err(Error::Numerical { what: format!("topics of \"{}\"", dataset.name()), problem });
            }
            let map = self.feature_map(a)?;
            let mut out = Matrix::zeros(map.ncols(), topics.ncols());
            let width = topics.ncols();
            out.as_mut_slice().par_chunks_mut(width).enumerate().for_each(|(c, row)| {
                for (i, words) in topics.rows().enumerate() {
                    let weight = map[(i, c)];
                    row.iter_mut().zip(words).for_each(|(o, w)| *o += weight * w);
                }
            });
            sides.push(out);
        }
        let comparable = sides.len() >= 2 && sides[0].ncols() == sides[1].ncols();
        let length = |m: &Matrix<f64>| m.rows().map(|r| r.iter().map(|v| v * v).sum::<f64>().sqrt()).collect::<Vec<_>>();
        let lengths: Vec<Vec<f64>> = sides.iter().map(length).collect();
        let topic = |c: usize| {
            let largest = sides[0].row(c).iter().fold(0.0f64, |best, v| if v.abs() > best.abs() { *v } else { best });
            let sign = if largest < 0.0 { -1.0 } else { 1.0 };
            let words = sides.iter().map(|side| {
                let row = side.row(c);
                let mut order: Vec<usize> = (0..row.len()).collect();
                let by_weight = |a: &usize, b: &usize| (sign * row[*b]).total_cmp(&(sign * row[*a])).then(a.cmp(b));
                if n < order.len() {
                    order.select_nth_unstable_by(n, by_weight);
                    order.truncate(n);
                }
                order.sort_by(by_weight);
                order.into_iter().map(|w| (w, sign * row[w])).collect()
            });
            let cosine = |other: usize| {
                let product: f64 = sides[0].row(c).iter().zip(sides[1].row(other)).map(|(x, y)| x * y).sum();
                product / (lengths[0][c] * lengths[1][other]).max(f64::MIN_POSITIVE)
            };
            let cosines: Vec<f64> = if comparable { (0..sides[1].nrows()).map(cosine).collect() } else { vec![] };
            let best = (0..cosines.len()).max_by(|a, b| cosines[*a].total_cmp(&cosines[*b]).then(b.cmp(a)));
            AlignedTopic { component: c, words: words.collect(), similarity: cosines.get(c).copied(), best_match: best }
        };
        Ok((0..self.n_components()).into_par_iter().map(topic).collect())
    }
}
