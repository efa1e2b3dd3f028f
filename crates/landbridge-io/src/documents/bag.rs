//! Documents to a sparse matrix of words. Everything that is counted is an integer and words are sorted, so the
//! result does not depend on how many threads share the documents.

use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use foldhash::fast::RandomState;
use landbridge::linalg::Csr;
use rayon::prelude::*;

use super::known::{KnownWords, Words};
use super::options::{TextOptions, TextRecipe, Weighting, terms};
use super::words::{Cutter, Terms};
use super::{StopWords, stop_words_of};
use crate::error::{Error, Result};
use crate::source::too_large;

type Numbers<'a> = HashMap<&'a str, u32, RandomState>;

/// Words of some documents: which word how often in which document.
#[derive(Default)]
struct Counted {
    words: Vec<Box<str>>,
    /// Documents with the word.
    documents: Vec<u32>,
    /// Occurrences of the word.
    occurrences: Vec<u64>,
    /// Where each document begins in `entries`, and their end.
    starts: Vec<usize>,
    /// Word and count.
    entries: Vec<(u32, u32)>,
}

/// A bound on the entries of all pieces together.
struct Budget<'a> {
    path: &'a Path,
    limit: u64,
    used: AtomicU64,
}

/// Bytes that an entry takes at the least.
const ENTRY: u64 = 12;

impl Budget<'_> {
    fn take(&self, entries: usize) -> Result<()> {
        let bytes = ENTRY * entries as u64;
        let used = self.used.fetch_add(bytes, Ordering::Relaxed) + bytes;
        if used > self.limit {
            return Err(too_large(self.path, "the matrix of words", used.into(), self.limit));
        }
        Ok(())
    }
}

/// Notes the words of one document after the other.
struct Tally {
    counted: Counted,
    /// Document in which a word was last seen, from 1, and its entry there.
    seen: Vec<(u32, usize)>,
}

impl Tally {
    fn new(words: usize) -> Self {
        let counted = Counted { starts: vec![0], ..Default::default() };
        Self { counted, seen: vec![(0, 0); words] }
    }
    fn note(&mut self, document: u32, word: u32) {
        let seen = &mut self.seen[word as usize];
        if seen.0 == document {
            let count = &mut self.counted.entries[seen.1].1;
            *count = count.saturating_add(1);
        } else {
            *seen = (document, self.counted.entries.len());
            self.counted.entries.push((word, 1));
        }
    }
    fn close(&mut self, budget: &Budget) -> Result<()> {
        let start = self.counted.starts.last().copied().unwrap_or(0);
        self.counted.starts.push(self.counted.entries.len());
        budget.take(self.counted.entries.len() - start)
    }
}

/// Documents are shared out in pieces of about as many letters.
fn pieces<D: AsRef<str> + Sync>(documents: &[D]) -> Vec<&[D]> {
    let total: usize = documents.iter().map(|d| d.as_ref().len() + 8).sum();
    let wanted = total / (4 * rayon::current_num_threads()).max(1) + (1 << 14);
    let (mut pieces, mut start, mut length) = (vec![], 0, 0);
    for (at, document) in documents.iter().enumerate() {
        length += document.as_ref().len() + 8;
        if length >= wanted {
            pieces.push(&documents[start..=at]);
            (start, length) = (at + 1, 0);
        }
    }
    if start < documents.len() {
        pieces.push(&documents[start..]);
    }
    pieces
}

/// In parallel where there is more than one piece.
fn each_piece<T: Sync, R: Send>(pieces: &[T], work: impl Fn(&T) -> R + Send + Sync) -> Vec<R> {
    if pieces.len() == 1 { pieces.iter().map(work).collect() } else { pieces.par_iter().map(work).collect() }
}

/// Words and weights found in the documents themselves: the matrix and the recipe.
pub(crate) fn fit<D: AsRef<str> + Sync>(
    path: &Path,
    documents: &[D],
    options: &TextOptions,
    limit: u64,
) -> Result<(Csr, TextRecipe)> {
    options.check()?;
    let stop_words = stop_words_of(options.stop_words.as_deref());
    let terms = terms(options.char_ngrams);
    let budget = Budget { path, limit, used: AtomicU64::new(0) };
    let parts = each_piece(&pieces(documents), |piece| count(piece, terms, stop_words.as_ref(), &budget));
    let parts = parts.into_iter().collect::<Result<Vec<Counted>>>()?;

    // All words with their documents and occurrences.
    let mut totals: HashMap<&str, (u32, u64), RandomState> = HashMap::default();
    for part in &parts {
        for (word, (documents, occurrences)) in part.words.iter().zip(part.documents.iter().zip(&part.occurrences)) {
            let total = totals.entry(word).or_default();
            *total = (total.0 + documents, total.1 + occurrences);
        }
    }
    let min_df = options.min_df.unwrap_or(1);
    let left_out = |word: &str| terms == Terms::Words && stop_words.as_ref().is_some_and(|s| s.contains(word));
    let mut kept: Vec<(&str, u32, u64)> = totals
        .into_iter()
        .filter(|(word, (documents, _))| *documents as usize >= min_df && !left_out(word))
        .map(|(word, (documents, occurrences))| (word, documents, occurrences))
        .collect();
    if let Some(most) = options.max_features.filter(|m| *m < kept.len()) {
        // Among words that occur as often, the first by the alphabet.
        kept.par_sort_unstable_by(|a, b| b.2.cmp(&a.2).then(a.0.cmp(b.0)));
        kept.truncate(most);
    }
    kept.par_sort_unstable_by(|a, b| a.0.cmp(b.0));
    if kept.is_empty() {
        return Err(Error::NoWords { path: path.into(), documents: documents.len() });
    }
    let numbers: Numbers = kept.iter().zip(0u32..).map(|(k, column)| (k.0, column)).collect();
    let n = documents.len() as f64;
    let idf = |documents: u32| ((1.0 + n) / (1.0 + f64::from(documents))).ln() + 1.0;
    let idf = (options.weighting.unwrap_or_default() == Weighting::Tfidf).then(|| kept.iter().map(|k| idf(k.1)).collect());
    let columns_of = |part: &Counted| part.words.iter().map(|w| numbers.get(&**w).copied()).collect::<Vec<_>>();
    let rows = each_piece(&parts, |part| weigh(part, Some(&columns_of(part)), idf.as_deref()));
    // What the other documents know of a document: terms that one more document has than it takes to be kept.
    let elsewhere = |term: &str| numbers.get(term).is_some_and(|&column| kept[column as usize].1 as usize > min_df);
    let known = Words::of(sample(documents), Cutter::new(terms, stop_words.as_ref()), stop_words.as_ref(), elsewhere);
    let vocabulary: Vec<String> = kept.iter().map(|k| k.0.to_string()).collect();
    let matrix = assemble(rows, vocabulary.len())?;
    Ok((matrix, TextRecipe::new(options, documents.len(), idf, known.share(), vocabulary)))
}

/// Documents that tell how much of a text is known, at most: they are cut a second time.
const SAMPLE: usize = 256;

/// Some documents, evenly chosen.
fn sample<D: AsRef<str>>(documents: &[D]) -> impl Iterator<Item = &str> {
    let count = SAMPLE.min(documents.len());
    (0..count).map(move |t| documents[t * documents.len() / count].as_ref())
}

/// Words and weights as the recipe has them; other words do not count. Tells how many words of the text are known.
pub(crate) fn follow<D: AsRef<str> + Sync>(
    path: &Path,
    documents: &[D],
    recipe: &TextRecipe,
    limit: u64,
) -> Result<(Csr, KnownWords)> {
    let stop_words = stop_words_of(recipe.stop_words.as_deref());
    let terms = terms(recipe.char_ngrams);
    let numbers: Numbers = recipe.vocabulary.iter().map(String::as_str).zip(0u32..).collect();
    let budget = Budget { path, limit, used: AtomicU64::new(0) };
    let rows = each_piece(&pieces(documents), |piece| {
        let mut tally = Tally::new(numbers.len());
        let mut cutter = Cutter::new(terms, stop_words.as_ref());
        let mut words = Words::new(stop_words.as_ref());
        for (document, number) in piece.iter().zip(1u32..) {
            cutter.cut_words(document.as_ref(), |term| {
                let column = term.and_then(|term| numbers.get(term));
                words.note(term, column.is_some());
                if let Some(&word) = column {
                    tally.note(number, word);
                }
            });
            tally.close(&budget)?;
        }
        Ok((weigh(&tally.counted, None, recipe.idf.as_deref()), words.found))
    });
    let (rows, words): (Vec<_>, Vec<_>) = rows.into_iter().collect::<Result<Vec<_>>>()?.into_iter().unzip();
    let words = words.into_iter().fold(KnownWords::default(), KnownWords::and);
    Ok((assemble(rows, recipe.vocabulary.len())?, words))
}

fn count<D: AsRef<str>>(documents: &[D], terms: Terms, stop_words: Option<&StopWords>, budget: &Budget) -> Result<Counted> {
    let mut numbers = Interner::default();
    let mut tally = Tally::new(0);
    let mut cutter = Cutter::new(terms, stop_words);
    for (document, number) in documents.iter().zip(1u32..) {
        cutter.cut(document.as_ref(), |word| {
            let word = numbers.number(word);
            if word as usize == tally.seen.len() {
                tally.seen.push((0, 0));
            }
            tally.note(number, word);
        });
        tally.close(budget)?;
    }
    let mut counted = tally.counted;
    counted.documents = vec![0; numbers.count as usize];
    counted.occurrences = vec![0; numbers.count as usize];
    for &(word, count) in &counted.entries {
        counted.documents[word as usize] += 1;
        counted.occurrences[word as usize] += u64::from(count);
    }
    counted.words = numbers.into_words();
    Ok(counted)
}

/// Numbers for words. Words of up to 15 bytes are keys themselves: looking one up fetches no other memory.
#[derive(Default)]
struct Interner {
    short: HashMap<u128, u32, RandomState>,
    long: HashMap<Box<str>, u32, RandomState>,
    count: u32,
}

impl Interner {
    /// The number of a word; a new word gets the next one.
    fn number(&mut self, word: &str) -> u32 {
        let number = match short_key(word) {
            Some(key) => *self.short.entry(key).or_insert(self.count),
            None => match self.long.get(word) {
                Some(&number) => number,
                None => *self.long.entry(word.into()).or_insert(self.count),
            },
        };
        self.count += u32::from(number == self.count);
        number
    }

    /// The words in the order of their numbers.
    fn into_words(self) -> Vec<Box<str>> {
        let mut words: Vec<Box<str>> = vec![Box::default(); self.count as usize];
        for (key, number) in self.short {
            let bytes = key.to_le_bytes();
            let word = &bytes[..usize::from(bytes[SHORT])];
            words[number as usize] = String::from_utf8_lossy(word).into();
        }
        for (word, number) in self.long {
            words[number as usize] = word;
        }
        words
    }
}

/// Bytes of a word that fit a key; the last byte of the key is the length.
const SHORT: usize = 15;

#[inline]
fn short_key(word: &str) -> Option<u128> {
    let mut key = [0u8; SHORT + 1];
    key.get_mut(..word.len()).filter(|_| word.len() <= SHORT)?.copy_from_slice(word.as_bytes());
    key[SHORT] = word.len() as u8;
    Some(u128::from_le_bytes(key))
}

/// Rows of one piece: entries per row, columns, values.
type Part = (Vec<usize>, Vec<u32>, Vec<f64>);

/// Counts to rows: columns ascend, weights are applied, tf-idf rows have length 1.
fn weigh(counted: &Counted, columns: Option<&[Option<u32>]>, idf: Option<&[f64]>) -> Part {
    let (mut lengths, mut indices, mut values) = (vec![], vec![], vec![]);
    let mut row: Vec<(u32, u32)> = vec![];
    for place in counted.starts.windows(2) {
        let entries = &counted.entries[place[0]..place[1]];
        row.clear();
        match columns {
            Some(columns) => row.extend(entries.iter().filter_map(|&(word, n)| Some((columns[word as usize]?, n)))),
            None => row.extend(entries),
        }
        row.sort_unstable_by_key(|(column, _)| *column);
        let start = values.len();
        indices.extend(row.iter().map(|(column, _)| *column));
        match idf {
            None => values.extend(row.iter().map(|(_, n)| f64::from(*n))),
            Some(idf) => {
                values.extend(row.iter().map(|(column, n)| f64::from(*n) * idf[*column as usize]));
                let length = values[start..].iter().map(|v| v * v).sum::<f64>().sqrt();
                values[start..].iter_mut().for_each(|v| *v /= length);
            }
        }
        lengths.push(row.len());
    }
    (lengths, indices, values)
}

fn assemble(parts: Vec<Part>, ncols: usize) -> Result<Csr> {
    let nnz = parts.iter().map(|p| p.1.len()).sum();
    let mut starts = vec![0usize];
    let (mut indices, mut values) = (Vec::with_capacity(nnz), Vec::with_capacity(nnz));
    for (lengths, columns, numbers) in parts {
        for length in lengths {
            starts.push(starts.last().copied().unwrap_or(0) + length);
        }
        indices.extend(columns);
        values.extend(numbers);
    }
    Ok(Csr::new(starts, indices, values, ncols)?)
}
