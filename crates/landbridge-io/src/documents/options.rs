//! Options of the readers of text, and the recipe that a model keeps.

use landbridge::model::Fitted;
use serde::{Deserialize, Serialize};

use super::words::Terms;
use crate::error::{Error, Result};

/// What the numbers of a bag of words are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Weighting {
    /// Counts times `ln((1 + n) / (1 + documents with the word)) + 1`, each row scaled to length 1.
    #[default]
    Tfidf,
    /// How often the word occurs.
    Counts,
}

/// How text becomes columns. Everything has a default.
///
/// | name | default | purpose |
/// |---|---|---|
/// | `field` | `text` | jsonl: the field that holds the text |
/// | `stop_words` | none | language (`en`, `it`, …) whose most common words are left out |
/// | `min_df` | 1 | leave out words of fewer documents than this |
/// | `max_features` | all | keep at most this many words, those that occur most often |
/// | `weighting` | tf-idf | tf-idf or counts |
/// | `char_ngrams` | words | character n-grams instead of words: least and most letters |
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TextOptions {
    /// The field of jsonl that holds the text.
    pub field: Option<String>,
    /// Language whose stop words are left out.
    pub stop_words: Option<String>,
    /// Fewest documents that a word must occur in.
    pub min_df: Option<usize>,
    /// Most words to keep.
    pub max_features: Option<usize>,
    /// Tf-idf or counts.
    pub weighting: Option<Weighting>,
    /// Character n-grams instead of words: least and most letters.
    pub char_ngrams: Option<(usize, usize)>,
}

impl TextOptions {
    pub(crate) fn given(&self) -> impl Iterator<Item = &'static str> {
        let given = [
            ("text_field", self.field.is_some()),
            ("stop_words", self.stop_words.is_some()),
            ("min_df", self.min_df.is_some()),
            ("max_features", self.max_features.is_some()),
            ("weighting", self.weighting.is_some()),
            ("char_ngrams", self.char_ngrams.is_some()),
        ];
        given.into_iter().filter(|(_, given)| *given).map(|(name, _)| name)
    }

    pub(crate) fn check(&self) -> Result<()> {
        let bad = |name: &str, value: String, expected: String| {
            Err(landbridge::Error::BadParameter { name: name.into(), value, expected }.into())
        };
        if let Some(language) = &self.stop_words
            && stop_words::lookup(language).is_none()
        {
            let known = format!("one of {}", stop_words::available_languages().join(", "));
            return bad("stop_words", format!("\"{language}\""), known);
        }
        if self.min_df == Some(0) {
            return bad("min_df", "0".into(), "at least 1".into());
        }
        if self.max_features == Some(0) {
            return bad("max_features", "0".into(), "at least 1".into());
        }
        if let Some((least, most)) = self.char_ngrams
            && !(1 <= least && least <= most && most <= MAX_NGRAM)
        {
            return bad(
                "char_ngrams",
                format!("{least}-{most}"),
                format!("two numbers from 1 to {MAX_NGRAM}, the smaller first"),
            );
        }
        Ok(())
    }
}

/// Most letters of an n-gram.
const MAX_NGRAM: usize = 32;
/// The field of jsonl that is read unless told.
pub(crate) const FIELD: &str = "text";
/// Version of the recipe written here.
const VERSION: u32 = 1;
const KIND: &str = "text";

/// How text became the columns of a fitted dataset, so that new text can follow: stored in the model beside the
/// vocabulary, which is the names of the columns.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TextRecipe {
    kind: String,
    version: u32,
    pub(crate) field: Option<String>,
    pub(crate) stop_words: Option<String>,
    pub(crate) min_df: usize,
    pub(crate) max_features: Option<usize>,
    pub(crate) weighting: Weighting,
    pub(crate) char_ngrams: Option<(usize, usize)>,
    /// Documents that the weights were taken from.
    pub(crate) documents: usize,
    /// Weight of each word; counts have none.
    pub(crate) idf: Option<Vec<f64>>,
    /// The share of the words of a document that the others know; older models do not say.
    #[serde(default)]
    pub(crate) known_words: Option<f64>,
    #[serde(skip)]
    pub(crate) vocabulary: Vec<String>,
}

impl TextRecipe {
    /// The recipe of a fitted dataset; none if it was not made from text.
    pub fn of(fitted: &Fitted) -> Result<Option<Self>> {
        let Some(value) = fitted.recipe() else { return Ok(None) };
        let bad = |problem: String| Error::Recipe { dataset: fitted.name().into(), problem };
        if value["kind"] != KIND {
            return Ok(None);
        }
        if value["version"] != VERSION {
            return Err(bad(format!("it has version {}, this program follows version {VERSION}", value["version"])));
        }
        let mut recipe: Self = serde_json::from_value(value.clone()).map_err(|e| bad(e.to_string()))?;
        recipe.vocabulary = fitted.columns().map(<[_]>::to_vec).ok_or_else(|| bad("the words are missing".into()))?;
        let weighted = recipe.weighting == Weighting::Tfidf;
        let fits = |idf: &Vec<f64>| idf.len() == recipe.vocabulary.len() && idf.iter().all(|v| v.is_finite());
        if weighted != recipe.idf.is_some() || !recipe.idf.as_ref().is_none_or(fits) {
            return Err(bad("its weights do not fit its words".into()));
        }
        if recipe.known_words.is_some_and(|share| !(0.0..=1.0).contains(&share)) {
            return Err(bad("its share of known words is not between 0 and 1".into()));
        }
        recipe.as_options().check().map_err(|e| bad(e.to_string()))?;
        Ok(Some(recipe))
    }

    pub(crate) fn new(
        options: &TextOptions,
        documents: usize,
        idf: Option<Vec<f64>>,
        known_words: Option<f64>,
        vocabulary: Vec<String>,
    ) -> Self {
        Self {
            kind: KIND.into(),
            version: VERSION,
            field: options.field.clone(),
            stop_words: options.stop_words.clone(),
            min_df: options.min_df.unwrap_or(1),
            max_features: options.max_features,
            weighting: options.weighting.unwrap_or_default(),
            char_ngrams: options.char_ngrams,
            documents,
            idf,
            known_words,
            vocabulary,
        }
    }

    /// As the options that it came from.
    pub(crate) fn as_options(&self) -> TextOptions {
        TextOptions {
            field: self.field.clone(),
            stop_words: self.stop_words.clone(),
            min_df: Some(self.min_df),
            max_features: self.max_features,
            weighting: Some(self.weighting),
            char_ngrams: self.char_ngrams,
        }
    }
}

pub(crate) fn terms(char_ngrams: Option<(usize, usize)>) -> Terms {
    char_ngrams.map_or(Terms::Words, |(least, most)| Terms::Ngrams(least, most))
}
