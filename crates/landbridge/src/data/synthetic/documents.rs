//! Documents in two languages with the same topics: sparse word counts.

use super::random::{Purpose, Random, cumulative};
use super::{Common, Synthetic, check_count, common_options};
use crate::builder::setters;
use crate::data::Dataset;
use crate::error::{Error, Result};
use crate::linalg::{Csr, Matrix};

/// Bags of words drawn from topics (latent Dirichlet allocation), each document once per language.
///
/// A document has one mixture of topics, Dirichlet with parameter `concentration`, the same in both languages. A topic has one
/// distribution over the words of each language: Dirichlet around a Zipf law `rank^−zipf`, drawn independently for each
/// language, so that the vocabularies have nothing in common. Document lengths are log-normal. `latent` holds the mixtures,
/// labels are the largest topics, columns are named `en_0012`.
///
/// | name | default | purpose | range |
/// |---|---|---|---|
/// | `topics` | 20 | number of topics | 1 to 1,000,000 |
/// | `vocabulary` | `[2000, 1500]` | words of each language | at least 1 |
/// | `length` | 100 | mean number of words in a document | 1 to 1e6 |
/// | `concentration` | 0.1 | small: few topics per document | 1e-6 to 1e6 |
/// | `specificity` | 0.05 | expected Dirichlet parameter of a word in a topic; small: topics share few words | 1e-6 to 1e6 |
/// | `zipf` | 1 | exponent of the word frequencies | 0 to 5 |
/// | `prevalence` | 0 | exponent of the topic frequencies; 0: equal frequencies, which do not distinguish topics | 0 to 5 |
/// | `languages` | `["en", "it"]` | names of the datasets and beginnings of the words | different |
#[derive(Clone, Debug, PartialEq)]
pub struct BilingualDocuments {
    common: Common,
    topics: usize,
    vocabulary: [usize; 2],
    length: f64,
    concentration: f64,
    specificity: f64,
    zipf: f64,
    prevalence: f64,
    languages: [String; 2],
}
common_options!(BilingualDocuments);

impl BilingualDocuments {
    /// That many documents.
    pub fn new(n_objects: usize) -> Self {
        Self {
            common: Common::new(n_objects),
            topics: 20,
            vocabulary: [2000, 1500],
            length: 100.0,
            concentration: 0.1,
            specificity: 0.05,
            zipf: 1.0,
            prevalence: 0.0,
            languages: ["en".into(), "it".into()],
        }
    }
    setters! {
        /// Number of topics.
        topics: usize => topics;
        /// Words of each language.
        vocabulary: [usize; 2] => vocabulary;
        /// Mean number of words in a document.
        length: f64 => length;
        /// Dirichlet parameter of the topic mixtures.
        concentration: f64 => concentration;
        /// Mean Dirichlet parameter of the words in a topic.
        specificity: f64 => specificity;
        /// Exponent of the word frequencies.
        zipf: f64 => zipf;
        /// Exponent of the topic frequencies.
        prevalence: f64 => prevalence;
    }
    /// Names of the languages.
    pub fn languages(mut self, languages: [&str; 2]) -> Self {
        self.languages = languages.map(String::from);
        self
    }

    fn check(&self) -> Result<()> {
        self.common.check(&[self.topics, self.topics])?;
        check_count("topics", self.topics, 1, 1_000_000)?;
        for words in self.vocabulary {
            if words < 1 || words > u32::MAX as usize || words.checked_mul(self.topics).is_none_or(|size| size > 1 << 40) {
                return Err(Error::parameter("vocabulary", words, "at least 1, and times topics at most 2^40"));
            }
        }
        for (name, value, low, high) in [
            ("length", self.length, 1.0, 1e6),
            ("concentration", self.concentration, 1e-6, 1e6),
            ("specificity", self.specificity, 1e-6, 1e6),
            ("zipf", self.zipf, 0.0, 5.0),
            ("prevalence", self.prevalence, 0.0, 5.0),
        ] {
            if !(low..=high).contains(&value) {
                return Err(Error::parameter(name, value, &format!("between {low} and {high}")));
            }
        }
        if self.languages[0] == self.languages[1] {
            return Err(Error::parameter("languages", format!("{:?}", self.languages), "two different names"));
        }
        Ok(())
    }

    /// One dataset per language, named after it, with their truth.
    pub fn generate(&self) -> Result<Synthetic> {
        self.check()?;
        let mut random = self.common.random(Purpose::Latent);
        let frequency: Vec<f64> = (1..=self.topics).map(|rank| (rank as f64).powf(-self.prevalence)).collect();
        let mean = frequency.iter().sum::<f64>() / self.topics as f64;
        let shapes: Vec<f64> = frequency.iter().map(|f| self.concentration * f / mean).collect();
        let mixtures: Vec<Vec<f64>> = (0..self.common.n_objects).map(|_| random.dirichlet(&shapes)).collect();
        let latent = Matrix::from_rows(&mixtures)?;
        let digits = (self.topics - 1).to_string().len();
        let labels: Vec<String> = mixtures
            .iter()
            .map(|m| {
                let largest = (0..self.topics).rev().max_by(|&i, &j| m[i].total_cmp(&m[j])).unwrap_or(0);
                format!("topic {largest:0digits$}")
            })
            .collect();
        let mut complete = vec![];
        for (a, language) in self.languages.iter().enumerate() {
            let topics = self.topic_words(a);
            let counts = self.write(&mixtures, &topics, self.vocabulary[a], &mut self.common.random(Purpose::Noise(a)))?;
            let digits = (self.vocabulary[a] - 1).to_string().len().max(4);
            let words = (0..self.vocabulary[a]).map(|j| format!("{language}_{j:0digits$}")).collect();
            complete.push(Dataset::new(language.as_str(), counts)?.with_columns(words)?.with_labels(labels.clone())?);
        }
        Ok(self.common.arrange(complete, latent))
    }

    /// For each topic the cumulative sums of its word distribution in one language.
    fn topic_words(&self, language: usize) -> Vec<Vec<f64>> {
        let words = self.vocabulary[language];
        let frequency: Vec<f64> = (1..=words).map(|rank| (rank as f64).powf(-self.zipf)).collect();
        let mean = frequency.iter().sum::<f64>() / words as f64;
        let shapes: Vec<f64> = frequency.iter().map(|f| self.specificity * f / mean).collect();
        let mut random = self.common.random(Purpose::Map(language));
        (0..self.topics).map(|_| cumulative(&random.dirichlet(&shapes))).collect()
    }

    /// Generates the documents word by word: a topic from the mixture, a word from the topic.
    fn write(&self, mixtures: &[Vec<f64>], topics: &[Vec<f64>], words: usize, random: &mut Random) -> Result<Csr> {
        const LENGTH_SPREAD: f64 = 0.4; // standard deviation of the logarithm of a length
        let (mut indptr, mut indices, mut values) = (vec![0], vec![], vec![]);
        let mut text: Vec<u32> = vec![];
        for mixture in mixtures {
            let mixture = cumulative(mixture);
            let length = self.length * (LENGTH_SPREAD * random.normal() - 0.5 * LENGTH_SPREAD * LENGTH_SPREAD).exp();
            text.clear();
            text.extend((0..length.round().max(1.0) as usize).map(|_| {
                let topic = random.choose(&mixture);
                random.choose(&topics[topic]) as u32
            }));
            text.sort_unstable();
            for run in text.chunk_by(|a, b| a == b) {
                indices.push(run[0]);
                values.push(run.len() as f64);
            }
            indptr.push(indices.len());
        }
        Csr::new(indptr, indices, values, words)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Rows;

    fn counts(dataset: &Dataset) -> &Csr {
        match dataset.rows() {
            Rows::Sparse(m) => m,
            other => panic!("documents are sparse, not {}", other.kind()),
        }
    }

    #[test]
    fn documents_are_sparse_counts_of_named_words() {
        let found = BilingualDocuments::new(300).vocabulary([2000, 700]).languages(["en", "de"]).generate().unwrap();
        let en = &found.datasets[0];
        assert_eq!((en.name(), en.nrows(), en.ncols(), found.datasets[1].ncols()), ("en", 300, 2000, 700));
        assert_eq!(en.columns().unwrap()[12], "en_0012");
        let m = counts(en);
        assert!(m.values().iter().all(|&v| v >= 1.0 && v.fract() == 0.0));
        assert!(m.row_sums().iter().all(|&s| s >= 1.0));
        let mean = m.row_sums().iter().sum::<f64>() / 300.0;
        assert!((mean - 100.0).abs() < 15.0, "mean length {mean}"); // standard error: 42 / √300 = 2.4
        assert!(m.nnz() < 300 * 100, "never more entries than words");
    }

    #[test]
    fn frequent_words_come_first() {
        let found = BilingualDocuments::new(500).generate().unwrap();
        let totals = counts(&found.datasets[0]).transpose().row_sums();
        let (head, tail): (f64, f64) = (totals[..100].iter().sum(), totals[1000..].iter().sum());
        assert!(head > 3.0 * tail, "the first 100 words: {head}, the last 1000: {tail}");
    }

    /// The word counts must determine the topic, otherwise nothing could be aligned.
    #[test]
    fn documents_of_one_topic_share_more_words_than_others() {
        let found = BilingualDocuments::new(200).topics(4).concentration(0.02).generate().unwrap();
        for dataset in &found.datasets {
            let (m, labels) = (counts(dataset).to_dense(), dataset.labels().unwrap());
            let (mut same, mut other) = ((0.0, 0), (0.0, 0));
            for i in 0..100 {
                for j in 100..200 {
                    let dot: f64 = m.row(i).iter().zip(m.row(j)).map(|(a, b)| a * b).sum();
                    let norm = |r: &[f64]| r.iter().map(|v| v * v).sum::<f64>().sqrt();
                    let side = if labels[i] == labels[j] { &mut same } else { &mut other };
                    *side = (side.0 + dot / norm(m.row(i)) / norm(m.row(j)), side.1 + 1);
                }
            }
            let (same, other) = (same.0 / f64::from(same.1), other.0 / f64::from(other.1));
            assert!(same > other + 0.2, "{}: mean cosine {same} within topics, {other} between", dataset.name());
        }
    }
}
