//! How many words of new text a model knows: text of another language has few of them.

use super::words::Cutter;
use super::{StopWords, TextRecipe};

/// Words of a text, and how many of them a recipe knows. A word that is cut into n-grams is known if all of them are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KnownWords {
    /// Words that are known.
    pub known: u64,
    /// Of how many; stop words do not count.
    pub of: u64,
}

/// Fewer words than this tell nothing.
const LEAST: u64 = 50;
/// Text is unlike that of the fit below this part of the share of known words that the fit had.
///
/// Measured on speeches and verses of five languages, fits of 30 to 10,000 documents: other languages have 0 to .51 of that share, other
/// text of the same language .78 and more, four random words of a speech .68 and more.
const UNLIKE: f64 = 0.6;
/// Standard deviations that the difference needs, were words drawn independently.
const CLEAR: f64 = 4.0;

impl KnownWords {
    /// Of both texts together.
    pub fn and(self, other: Self) -> Self {
        Self { known: self.known.saturating_add(other.known), of: self.of.saturating_add(other.of) }
    }

    /// None where there is no word.
    pub(crate) fn share(self) -> Option<f64> {
        (self.of > 0).then(|| self.known as f64 / self.of as f64)
    }

    /// The share of words that text like that of the fit would have, where this text has far fewer.
    pub(crate) fn unlike(self, recipe: &TextRecipe) -> Option<f64> {
        let (share, expected) = (self.share()?, recipe.known_words?);
        let deviation = (expected * (1.0 - expected) / self.of as f64).sqrt();
        let unlike = self.of >= LEAST && share < UNLIKE * expected && expected - share > CLEAR * deviation;
        unlike.then_some(expected)
    }
}

/// Counts known words, term by term.
pub(crate) struct Words<'a> {
    stop_words: Option<&'a StopWords>,
    /// Whether the word has a term, and whether all of them are known.
    open: (bool, bool),
    pub(crate) found: KnownWords,
}

impl<'a> Words<'a> {
    pub(crate) fn new(stop_words: Option<&'a StopWords>) -> Self {
        Self { stop_words, open: (false, true), found: KnownWords::default() }
    }

    /// The words of all documents.
    pub(crate) fn of<'d>(
        documents: impl Iterator<Item = &'d str>,
        mut cutter: Cutter<'_>,
        stop_words: Option<&'a StopWords>,
        known: impl Fn(&str) -> bool,
    ) -> KnownWords {
        let mut words = Self::new(stop_words);
        documents.for_each(|text| cutter.cut_words(text, |term| words.note(term, term.is_some_and(&known))));
        words.found
    }

    /// The next term, and whether it is known; `None` ends the word.
    pub(crate) fn note(&mut self, term: Option<&str>, known: bool) {
        match term {
            // Whole words that are left out are not known, and not missed.
            Some(term) if !known && self.stop_words.is_some_and(|s| s.contains(term)) => {}
            Some(_) => self.open = (true, self.open.1 && known),
            None => {
                let (any, all) = std::mem::replace(&mut self.open, (false, true));
                self.found.of += u64::from(any);
                self.found.known += u64::from(any && all);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::documents::TextOptions;
    use crate::documents::bag::{fit, follow};
    use std::path::Path;

    /// Words of a made-up language, the frequent ones more often, as in any language.
    fn text(language: &str, documents: usize, words: usize, seed: u64) -> Vec<String> {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut next = move || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state as f64 / u64::MAX as f64
        };
        let word = |u: f64| format!("{language}{}", (3000.0f64.powf(u)) as usize);
        (0..documents).map(|_| (0..words).map(|_| word(next())).collect::<Vec<_>>().join(" ")).collect()
    }

    fn look(options: &TextOptions, fitted: &[String], new: &[String]) -> (f64, KnownWords, Option<f64>) {
        let (_, recipe) = fit(Path::new("a.txt"), fitted, options, 1 << 30).unwrap();
        let (_, words) = follow(Path::new("b.txt"), new, &recipe, 1 << 30).unwrap();
        (recipe.known_words.unwrap(), words, words.unlike(&recipe))
    }

    #[test]
    fn what_a_fit_expects_is_what_new_text_of_its_kind_has() {
        for options in [
            TextOptions::default(),
            TextOptions { min_df: Some(3), ..Default::default() },
            TextOptions { max_features: Some(300), ..Default::default() },
            TextOptions { char_ngrams: Some((3, 5)), ..Default::default() },
        ] {
            let (expected, words, unlike) = look(&options, &text("wort", 60, 50, 1), &text("wort", 200, 50, 2));
            // The most frequent words of the fit are chosen by its own documents, which flatters them.
            let flattered = if options.max_features.is_some() { 0.1 } else { 0.05 };
            assert!((expected - words.share().unwrap()).abs() < flattered, "{options:?}: {expected} {words:?}");
            assert_eq!(unlike, None, "{options:?}");
            // Short documents too, whatever their number.
            for documents in [1, 3, 30, 300] {
                assert_eq!(look(&options, &text("wort", 60, 50, 1), &text("wort", documents, 3, 3)).2, None, "{options:?}");
            }
        }
    }

    #[test]
    fn another_language_is_unlike_with_some_words_in_common() {
        let mut other = text("palabra", 30, 20, 5);
        other.iter_mut().zip(text("wort", 30, 4, 6)).for_each(|(text, few)| *text = format!("{text} {few}"));
        for options in [TextOptions::default(), TextOptions { char_ngrams: Some((3, 5)), ..Default::default() }] {
            let (expected, words, unlike) = look(&options, &text("wort", 100, 50, 1), &other);
            assert_eq!(unlike, Some(expected), "{options:?}");
            assert_eq!(words.of, 30 * 24);
        }
        // A few words tell nothing.
        assert_eq!(look(&TextOptions::default(), &text("wort", 100, 50, 1), &other[..2]).2, None);
    }

    #[test]
    fn stop_words_are_neither_known_nor_missed() {
        let options = TextOptions { stop_words: Some("en".into()), ..Default::default() };
        let fitted = vec!["the cat and the dog".to_string(), "a dog of the cat".into()];
        let (expected, words, _) = look(&options, &fitted, &["the cat is on the mat".to_string()]);
        assert_eq!((expected, words), (1.0, KnownWords { known: 1, of: 2 }));
    }
}
