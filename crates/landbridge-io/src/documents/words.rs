//! Text to words: runs of letters, digits, marks and `_`, in lower case.

use unicode_normalization::char::is_combining_mark;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// What a document is cut into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Terms {
    /// Words of two letters or more.
    Words,
    /// Character n-grams of each word with a space at both ends: least and most letters.
    Ngrams(usize, usize),
}

/// Words shorter than this are left out, unless n-grams are wanted.
const MIN_LETTERS: usize = 2;

/// Cuts documents; keeps its buffers from one to the next.
pub(crate) struct Cutter<'a> {
    terms: Terms,
    /// Left out before words are cut into n-grams; whole words are left out of the vocabulary instead.
    stop_words: Option<&'a super::StopWords>,
    word: String,
    padded: String,
    letters: Vec<usize>,
}

impl<'a> Cutter<'a> {
    pub(crate) fn new(terms: Terms, stop_words: Option<&'a super::StopWords>) -> Self {
        Self { terms, stop_words, word: String::new(), padded: String::new(), letters: vec![] }
    }

    /// Every term of a text, in order.
    pub(crate) fn cut(&mut self, text: &str, mut each: impl FnMut(&str)) {
        self.cut_words(text, |term| term.into_iter().for_each(&mut each));
    }

    /// As `cut`; `None` stands at the end of each word.
    pub(crate) fn cut_words(&mut self, text: &str, mut each: impl FnMut(Option<&str>)) {
        let mut at = 0;
        while let Some((start, end, ascii)) = next_word(text, at) {
            at = end;
            self.word.clear();
            let found = &text[start..end];
            if ascii {
                self.word.push_str(found);
                self.word.make_ascii_lowercase();
            } else if is_nfc_quick(found.chars()) == IsNormalized::Yes {
                self.word.push_str(&found.to_lowercase());
            } else {
                let composed: String = found.nfc().collect();
                self.word.push_str(&composed.to_lowercase());
            }
            match self.terms {
                Terms::Words => {
                    if (ascii && found.len() >= MIN_LETTERS) || (!ascii && self.word.chars().nth(MIN_LETTERS - 1).is_some()) {
                        each(Some(&self.word));
                    }
                }
                Terms::Ngrams(least, most) => {
                    if !self.stop_words.is_some_and(|s| s.contains(self.word.as_str())) {
                        self.pieces(least, most, &mut |term| each(Some(term)));
                    }
                }
            }
            each(None);
        }
    }

    fn pieces(&mut self, least: usize, most: usize, each: &mut impl FnMut(&str)) {
        self.padded.clear();
        self.padded.push(' ');
        self.padded.push_str(&self.word);
        self.padded.push(' ');
        self.letters.clear();
        self.letters.extend(self.padded.char_indices().map(|(at, _)| at));
        self.letters.push(self.padded.len());
        let count = self.letters.len() - 1;
        for n in least..=most {
            if count <= n {
                // The whole word counts once, however much longer the n-grams would be.
                each(&self.padded);
                break;
            }
            for first in 0..=count - n {
                each(&self.padded[self.letters[first]..self.letters[first + n]]);
            }
        }
    }
}

/// Start and end of the next word from a position on, and whether it is ASCII.
fn next_word(text: &str, from: usize) -> Option<(usize, usize, bool)> {
    let bytes = text.as_bytes();
    let mut at = from;
    loop {
        let byte = *bytes.get(at)?;
        if byte.is_ascii() {
            if is_word_byte(byte) {
                break;
            }
            at += 1;
        } else {
            let letter = text[at..].chars().next()?;
            if letter.is_alphanumeric() {
                break;
            }
            at += letter.len_utf8();
        }
    }
    let (start, mut ascii) = (at, true);
    while let Some(&byte) = bytes.get(at) {
        if byte.is_ascii() {
            if !is_word_byte(byte) {
                break;
            }
            at += 1;
        } else {
            let Some(letter) = text[at..].chars().next().filter(|c| continues_word(*c)) else { break };
            ascii = false;
            at += letter.len_utf8();
        }
    }
    Some((start, at, ascii))
}

#[inline]
fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Letters, digits, marks (vowel signs, accents) and the joiners that stand inside words of some scripts.
fn continues_word(c: char) -> bool {
    c.is_alphanumeric() || is_combining_mark(c) || matches!(c, '\u{200c}' | '\u{200d}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str, terms: Terms) -> Vec<String> {
        let mut found = vec![];
        Cutter::new(terms, None).cut(text, |w| found.push(w.to_string()));
        found
    }

    #[test]
    fn words_of_every_script_come_out_whole_and_in_lower_case() {
        for (text, words) in [
            ("The cat, the DOG; a 3rd_one x", "the|cat|the|dog|3rd_one"),
            ("Größe ÜBER naïve ΣΟΦΟΣ", "größe|über|naïve|σοφος"),
            ("e\u{301}te\u{301} été", "été|été"),
            ("हिन्दी भाषा", "हिन्दी|भाषा"),
            ("привет, МИР!", "привет|мир"),
            ("日本語 テスト", "日本語|テスト"),
            ("", ""),
            ("… — !", ""),
            ("ä b ö", ""),
            ("\u{301}ab", "ab"),
        ] {
            assert_eq!(cut(text, Terms::Words).join("|"), words, "{text:?}");
        }
    }

    #[test]
    fn pieces_of_words_know_where_words_begin_and_end() {
        assert_eq!(cut("cats", Terms::Ngrams(3, 3)), [" ca", "cat", "ats", "ts "]);
        assert_eq!(cut("go", Terms::Ngrams(2, 3)), [" g", "go", "o ", " go", "go "]);
        // A word that is shorter than the pieces counts once.
        assert_eq!(cut("a", Terms::Ngrams(3, 5)), [" a "]);
        assert_eq!(cut("ab", Terms::Ngrams(5, 6)), [" ab "]);
        assert_eq!(cut("äö", Terms::Ngrams(2, 2)), [" ä", "äö", "ö "]);
    }
}
