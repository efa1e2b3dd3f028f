//! `landbridge topics`: aligned topics, the words of all datasets side by side, and the tree of levels as a picture.

use crate::Result;
use crate::args::{Common, ModelArg};
use crate::failure::Failure;
use crate::output::{Console, check_picture, plain, write_picture};
use clap::Args;
use landbridge::apply::topics::AlignedTopic;
use landbridge::data::Rows;
use landbridge::linalg::Matrix;
use landbridge::model::{Alignment, Fitted};
use landbridge_io::{ReadOptions, read_matrix};
use landbridge_plot::Tree;
use serde_json::json;
use std::path::PathBuf;

pub(crate) const EXAMPLES: &str = "\
Examples:
  landbridge fit multiscale --pairs pairs.csv lsi-documents.npy lda-documents.npy -o m.lb
  landbridge topics m.lb --topics lsi-topics.npy,lda-topics.npy --words words.txt --level 1
  landbridge topics m.lb --topics lsi-topics.npy,lda-topics.npy --words words.txt --tree tree.svg

The datasets of the model are documents described by topics. A topic file has one
row per topic and one column per word.";

#[derive(Debug, Args)]
pub(crate) struct TopicsArgs {
    #[command(flatten)]
    model: ModelArg,
    /// Topic-word files, one per dataset in their order: one row per topic, one column per word
    #[arg(long, value_name = "FILE,FILE", value_delimiter = ',', required = true)]
    topics: Vec<PathBuf>,
    /// The words, one per line: one file for all datasets, or one for each [default: column names, or numbers]
    #[arg(long, value_name = "FILE,FILE", value_delimiter = ',')]
    words: Option<Vec<PathBuf>>,
    /// Number of words per topic
    #[arg(short, value_name = "N", default_value_t = 8)]
    n: usize,
    /// Write the tree of all levels as a picture, .svg .png .pdf
    #[arg(long, value_name = "FILE")]
    tree: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) common: Common,
}

/// Topic-word matrices and the words, dataset by dataset.
type Topics = (Vec<Matrix<f64>>, Vec<Vec<String>>);

impl TopicsArgs {
    /// Topic-word matrices, and the words of each.
    fn read(&self) -> Result<Topics> {
        let (mut topics, mut words) = (vec![], vec![]);
        for (a, path) in self.topics.iter().enumerate() {
            let loaded = read_matrix(path, &ReadOptions::default())?;
            let matrix = match loaded.rows {
                Rows::F64(m) => m,
                Rows::F32(m) => m.to_f64(),
                Rows::Sparse(m) => m.to_dense(),
            };
            let own: Vec<String> = match self.words.as_deref() {
                None => loaded.columns.unwrap_or_else(|| (0..matrix.ncols()).map(|w| w.to_string()).collect()),
                Some(files) => {
                    let file = match files {
                        [one] => one,
                        several if several.len() == self.topics.len() => &several[a],
                        several => {
                            let message =
                                format!("--words gives {} files, there are {} topic files", several.len(), self.topics.len());
                            return Err(Failure::usage(message).hint("give one for all, or one for each"));
                        }
                    };
                    let action = "read";
                    let text = std::fs::read_to_string(file).map_err(|source| landbridge::Error::Io {
                        path: file.clone(),
                        action,
                        source,
                    })?;
                    text.lines().map(|l| l.trim().to_string()).filter(|l| !l.is_empty()).collect()
                }
            };
            if own.len() != matrix.ncols() {
                let message = format!("{}: {} columns, but {} words", path.display(), matrix.ncols(), own.len());
                return Err(Failure::usage(message).hint("a word per column, a line each"));
            }
            topics.push(matrix);
            words.push(own);
        }
        Ok((topics, words))
    }
}

/// Words of a topic in the tree, for each dataset.
const TREE_WORDS: usize = 4;

pub(crate) fn run(args: &TopicsArgs, console: &Console) -> Result<()> {
    if let Some(path) = &args.tree {
        check_picture(path)?;
    }
    let alignment = args.model.load()?;
    let (topics, words) = args.read()?;
    let found = alignment.aligned_topics(&topics, args.n)?;
    if let Some(path) = &args.tree {
        write_picture(path, &tree(&alignment, &topics, &words)?, console)?;
        console.say(format!("picture written to {}", path.display()));
    }
    let level = alignment.level();
    let spoken = |topic: &AlignedTopic| {
        topic.spoken(&words).into_iter().map(|own| own.iter().map(|w| plain(w)).collect::<Vec<_>>()).collect::<Vec<_>>()
    };
    if console.json {
        let topic = |t: &AlignedTopic| {
            let by_name: serde_json::Map<String, serde_json::Value> =
                alignment.datasets().iter().zip(spoken(t)).map(|(d, own)| (d.name().to_string(), json!(own))).collect();
            json!({"component": t.component, "words": by_name, "similarity": t.similarity, "best_match": t.best_match})
        };
        return console.print_json(&json!({"level": level, "topics": found.iter().map(topic).collect::<Vec<_>>()}));
    }
    for topic in &found {
        let like = topic.similarity.map_or(String::new(), |s| format!(" (cosine {s:.2})"));
        console.print(&format!("topic {}{like}\n", topic.component))?;
        for (dataset, own) in alignment.datasets().iter().zip(spoken(topic)) {
            console.print(&format!("  {:<12} {}\n", dataset.name(), own.join(" ")))?;
        }
    }
    Ok(())
}

fn tree(alignment: &Alignment, topics: &[Matrix<f64>], words: &[Vec<String>]) -> Result<String> {
    if alignment.levels().is_none() {
        let message = format!("--tree: a model of method {} has no levels", alignment.method());
        return Err(Failure::usage(message).hint("fit with --method multiscale"));
    }
    let names: Vec<&str> = alignment.datasets().iter().map(Fitted::name).collect();
    let levels = alignment.topic_tree(topics, TREE_WORDS)?;
    Ok(Tree::of_topics(&names, levels.iter().map(|level| (level.level, level.spoken(words)))).render()?)
}
