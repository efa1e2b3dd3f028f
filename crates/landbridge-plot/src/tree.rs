//! Trees of levels: the coarsest on top, each node under the one it belongs to.

use crate::marker::PALETTE;
use crate::svg::{Anchor, FRAME, INK, MUTED, Svg, fit, thousands};
use crate::{PlotError, Result};

/// A node of a level.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// What it says, a line per entry.
    pub lines: Vec<String>,
    /// Its node in the level above (the one before it in [`Tree::levels`]).
    pub parent: Option<usize>,
}

/// A level: its title and nodes.
#[derive(Clone, Debug, PartialEq)]
pub struct TreeLevel {
    /// Said at its left.
    pub title: String,
    /// From left to right, as far as parents allow.
    pub nodes: Vec<Node>,
}

/// The words of a topic, dataset by dataset, and the topic above it in the level above.
pub type Topic = (Vec<Vec<String>>, Option<usize>);

/// A tree of levels, coarsest first.
#[derive(Clone, Debug, PartialEq)]
pub struct Tree {
    /// Over the picture.
    pub title: String,
    /// Under the title.
    pub subtitle: String,
    /// Coarsest first.
    pub levels: Vec<TreeLevel>,
    /// Nodes drawn of a level at most; the others are counted.
    pub max_nodes: usize,
}

const MARGIN: f64 = 30.0;
const SIDE: f64 = 120.0;
const NODE: f64 = 150.0;
const GAP: f64 = 14.0;
const LINE: f64 = 15.0;
const BETWEEN: f64 = 64.0;

impl Tree {
    /// A tree with that title.
    pub fn new(title: impl Into<String>) -> Self {
        Self { title: title.into(), subtitle: String::new(), levels: vec![], max_nodes: 12 }
    }
    /// The tree of topics of these datasets, coarsest level first: for each level its number and, for each topic, the words
    /// of every dataset and the topic above it. A line has two words.
    pub fn of_topics(names: &[&str], levels: impl IntoIterator<Item = (usize, Vec<Topic>)>) -> Self {
        let node = |(words, parent): Topic| Node {
            lines: words.iter().flat_map(|own| own.chunks(2).map(|two| two.join(" "))).collect(),
            parent,
        };
        let mut tree = Self::new("Topics, level by level");
        tree.subtitle = names.join(" and ");
        for (number, topics) in levels {
            tree = tree.level(format!("level {number}"), topics.into_iter().map(node).collect());
        }
        tree
    }
    /// Adds a level below those there are.
    #[must_use]
    pub fn level(mut self, title: impl Into<String>, nodes: Vec<Node>) -> Self {
        self.levels.push(TreeLevel { title: title.into(), nodes });
        self
    }

    /// The nodes of each level that are drawn, in the order they are drawn: children beside each other.
    fn drawn(&self) -> Vec<Vec<usize>> {
        let mut drawn: Vec<Vec<usize>> = vec![];
        for level in &self.levels {
            let chosen = match drawn.last() {
                None => (0..level.nodes.len().min(self.max_nodes)).collect(),
                Some(above) => {
                    // A fair share for every parent, in the order of the parents.
                    let share = (self.max_nodes / above.len().max(1)).max(1);
                    let children =
                        |p: usize| (0..level.nodes.len()).filter(move |&i| level.nodes[i].parent == Some(p)).take(share);
                    above.iter().copied().flat_map(children).take(self.max_nodes).collect::<Vec<_>>()
                }
            };
            drawn.push(chosen);
        }
        drawn
    }

    /// The picture as SVG.
    pub fn render(&self) -> Result<String> {
        if self.levels.iter().all(|l| l.nodes.is_empty()) {
            return Err(PlotError::Nothing { title: self.title.clone(), what: "nodes" });
        }
        let drawn = self.drawn();
        let widest = drawn.iter().map(Vec::len).max().unwrap_or(1).max(1);
        let inner = widest as f64 * (NODE + GAP) - GAP;
        let heights: Vec<f64> = self
            .levels
            .iter()
            .map(|l| 14.0 + LINE * l.nodes.iter().map(|n| n.lines.len()).max().unwrap_or(1).max(1) as f64)
            .collect();
        let width = 2.0 * MARGIN + SIDE + inner;
        let header = MARGIN + 20.0 + if self.subtitle.is_empty() { 0.0 } else { 22.0 } + 20.0;
        let total: f64 = heights.iter().sum::<f64>() + BETWEEN * (heights.len() - 1) as f64;
        let description = format!("{} levels, coarsest on top", self.levels.len());
        let mut svg = Svg::new(width, header + total + MARGIN, &self.title, &description);
        svg.text(MARGIN, MARGIN + 16.0, 19.0, 650, INK, Anchor::Start, &fit(&self.title, 20.5, width - 2.0 * MARGIN));
        svg.text(MARGIN, MARGIN + 39.0, 13.0, 400, MUTED, Anchor::Start, &fit(&self.subtitle, 13.0, width - 2.0 * MARGIN));
        let mut top = header;
        let mut above: Vec<(usize, [f64; 2])> = vec![];
        for ((level, chosen), height) in self.levels.iter().zip(&drawn).zip(&heights) {
            svg.text(MARGIN, top + 16.0, 13.0, 600, INK, Anchor::Start, &fit(&level.title, 13.0, SIDE - 10.0));
            if chosen.len() < level.nodes.len() {
                let note = format!("{} of {}", chosen.len(), thousands(level.nodes.len()));
                svg.text(MARGIN, top + 33.0, 11.0, 400, MUTED, Anchor::Start, &note);
            }
            let step = inner / chosen.len().max(1) as f64;
            let mut places = vec![];
            for (at, &node) in chosen.iter().enumerate() {
                let centre = MARGIN + SIDE + (at as f64 + 0.5) * step;
                let parent =
                    level.nodes[node].parent.and_then(|p| above.iter().position(|a| a.0 == p).map(|at| (at, above[at].1)));
                let colour = PALETTE[parent.map_or(at, |p| p.0) % PALETTE.len()];
                if let Some((_, from)) = parent {
                    svg.line(from, [centre, top], &colour.hex(), 1.4);
                }
                svg.frame(centre - NODE / 2.0, top, NODE, *height);
                for (l, line) in level.nodes[node].lines.iter().enumerate() {
                    let y = top + 17.0 + LINE * l as f64;
                    svg.text(centre, y, 11.5, 400, INK, Anchor::Middle, &fit(line, 11.5, NODE - 10.0));
                }
                places.push((node, [centre, top + height]));
            }
            svg.line([MARGIN, top + height + BETWEEN / 2.0], [MARGIN + SIDE - 20.0, top + height + BETWEEN / 2.0], FRAME, 0.5);
            above = places;
            top += height + BETWEEN;
        }
        Ok(svg.finish())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(text: &str, parent: Option<usize>) -> Node {
        Node { lines: vec![text.into()], parent }
    }

    #[test]
    fn children_stand_under_their_parents_and_the_rest_is_counted() {
        let children: Vec<Node> = (0..30).map(|i| node(&format!("child{i}"), Some(i % 2))).collect();
        let mut tree =
            Tree::new("topics").level("level 1", vec![node("left", None), node("right", None)]).level("level 0", children);
        tree.max_nodes = 4;
        assert_eq!(tree.drawn(), [vec![0, 1], vec![0, 2, 1, 3]]);
        let svg = tree.render().unwrap();
        assert!(svg.contains("4 of 30") && svg.contains("child3") && !svg.contains("child4<"));
        assert_eq!(svg, tree.render().unwrap());
        assert!(Tree::new("empty").level("none", vec![]).render().is_err());
    }

    #[test]
    fn topics_have_two_words_of_a_dataset_in_a_line() {
        let words = |text: &str| text.split(' ').map(String::from).collect::<Vec<_>>();
        let coarse = vec![(vec![words("a b c"), words("d e")], None)];
        let tree = Tree::of_topics(&["en", "it"], [(2, coarse), (0, vec![(vec![words("f"), words("g")], Some(0))])]);
        assert_eq!((tree.subtitle.as_str(), tree.levels[0].title.as_str()), ("en and it", "level 2"));
        assert_eq!(tree.levels[0].nodes, [Node { lines: ["a b", "c", "d e"].map(String::from).to_vec(), parent: None }]);
        assert_eq!(tree.levels[1].nodes, [Node { lines: ["f", "g"].map(String::from).to_vec(), parent: Some(0) }]);
    }
}
