//! Text: one document per line (`.txt`), per object (`.jsonl`) or per file of a folder, turned into bags of words.
//!
//! The words become the names of the columns, and the recipe says how they were made, so that a model can take new
//! text. An empty line of a `.txt` file is a document without words: lines of two files that belong together stay
//! together.

mod bag;
mod folder;
mod known;
mod options;
mod vectors;
mod words;

use std::borrow::Cow;
use std::collections::HashSet;
use std::path::Path;

use foldhash::fast::RandomState;
use serde_json::{Map, Value};

use crate::columnar::{Kept, positions};
use crate::delimited::without_mark;
use crate::error::{Error, Result};
use crate::format::{Format, Loaded};
use crate::options::{IdColumn, ReadOptions};
use crate::source::Input;
use crate::text::{PIECE, excerpt, lines, listed, parse_pieces};

pub(crate) use folder::{is_text_folder, read_folder};
pub use known::KnownWords;
pub use options::{TextOptions, TextRecipe, Weighting};
use vectors::Vectors;

pub(crate) type StopWords = HashSet<&'static str, RandomState>;

fn stop_words_of(language: Option<&str>) -> Option<StopWords> {
    language.and_then(stop_words::lookup).map(|words| words.iter().copied().collect())
}

impl TextRecipe {
    /// New documents as rows with the columns of the fitted ones. Words that were not there then do not count.
    pub fn rows_of<D: AsRef<str> + Sync>(&self, documents: &[D]) -> Result<landbridge::linalg::Csr> {
        Ok(bag::follow(Path::new("text"), documents, self, ReadOptions::default().max_memory)?.0)
    }
}

/// Text with one document per line.
pub struct Txt;

/// JSON objects, one per line, one of whose fields is the text; or vectors: lists of numbers, or objects with one such list.
pub struct Jsonl;

impl Format for Txt {
    fn name(&self) -> &'static str {
        "txt"
    }
    fn extensions(&self) -> &'static [&'static str] {
        &["txt", "text"]
    }
    fn read(&self, input: Input, options: &ReadOptions) -> Result<Loaded> {
        let path = input.path().to_path_buf();
        let bytes = input.bytes()?;
        let bytes = without_mark(&path, &bytes)?;
        let Ok(text) = std::str::from_utf8(bytes) else {
            return Err(Error::NotUtf8 { path, line: first_bad_line(bytes) });
        };
        // `lines` does not see a last, empty line after the end of the file's last line.
        let documents: Vec<&str> = text.lines().collect();
        loaded(&path, &documents, None, None, options)
    }
    fn understands(&self, option: &str) -> bool {
        is_word_option(option)
    }
    fn is_text(&self) -> bool {
        true
    }
}

impl Format for Jsonl {
    fn name(&self) -> &'static str {
        "jsonl"
    }
    fn extensions(&self) -> &'static [&'static str] {
        &["jsonl", "ndjson"]
    }
    fn read(&self, input: Input, options: &ReadOptions) -> Result<Loaded> {
        let path = input.path().to_path_buf();
        let bytes = input.bytes()?;
        let text = without_mark(&path, &bytes)?;
        let Some((line, first)) = lines(text, 1).find(|(_, l)| !l.trim_ascii().is_empty()) else {
            return Err(Error::NoData { path, rows: 0, columns: 0 });
        };
        if let Some(vectors) = Vectors::found(&path, line, first, options)? {
            return vectors.read(&path, text);
        }
        let fields = Fields::new(&path, object(&path, line, first)?, options)?;
        let parts = parse_pieces(text, PIECE, 1, |piece, line| fields.read(&path, piece, line));
        let (mut documents, mut ids, mut labels) = (vec![], vec![], vec![]);
        let mut kept = vec![vec![]; fields.keep.len()];
        for part in parts {
            let part = part?;
            documents.extend(part.documents);
            ids.extend(part.ids);
            labels.extend(part.labels);
            kept.iter_mut().zip(part.kept).for_each(|(all, part)| all.extend(part));
        }
        let (ids, labels) = (fields.id.is_some().then_some(ids), fields.label.is_some().then_some(labels));
        let rows = loaded(&path, &documents, ids, labels, options)?;
        Ok(Loaded { kept: Kept::of_texts(&fields.keep, kept), ..rows })
    }
    fn understands(&self, option: &str) -> bool {
        is_word_option(option) || ["text_field", "id_column", "label_column", "keep"].contains(&option)
    }
    fn is_text(&self) -> bool {
        true
    }
}

fn is_word_option(option: &str) -> bool {
    ["stop_words", "min_df", "max_features", "weighting", "char_ngrams"].contains(&option)
}

/// Documents as rows, by the recipe given or by one made from them.
fn loaded<D: AsRef<str> + Sync>(
    path: &Path,
    documents: &[D],
    row_ids: Option<Vec<String>>,
    labels: Option<Vec<String>>,
    options: &ReadOptions,
) -> Result<Loaded> {
    if documents.is_empty() {
        return Err(Error::NoData { path: path.into(), rows: 0, columns: 0 });
    }
    if let Some(recipe) = &options.recipe {
        let (rows, words) = bag::follow(path, documents, recipe, options.max_memory)?;
        let (columns, words) = (Some(recipe.vocabulary.clone()), Some(words));
        return Ok(Loaded { row_ids, columns, labels, snippets: snippets(documents), words, ..Loaded::new(rows.into()) });
    }
    let (rows, mut recipe) = bag::fit(path, documents, &options.text, options.max_memory)?;
    let columns = Some(std::mem::take(&mut recipe.vocabulary));
    let recipe = serde_json::to_value(&recipe).ok();
    Ok(Loaded { row_ids, columns, labels, recipe, snippets: snippets(documents), ..Loaded::new(rows.into()) })
}

/// Letters of a text that a model keeps.
const SNIPPET: usize = 80;

/// The beginning of each document, in one line.
fn snippets<D: AsRef<str>>(documents: &[D]) -> Option<Vec<String>> {
    let one = |text: &str| {
        let mut snippet = String::new();
        for word in text.split_whitespace() {
            let space = usize::from(!snippet.is_empty());
            if snippet.chars().count() + space + word.chars().count() > SNIPPET {
                if snippet.is_empty() {
                    snippet.extend(word.chars().take(SNIPPET));
                }
                snippet.push('…');
                break;
            }
            snippet.push_str(if space == 1 { " " } else { "" });
            snippet.push_str(word);
        }
        snippet
    };
    Some(documents.iter().map(|text| one(text.as_ref())).collect())
}

fn first_bad_line(bytes: &[u8]) -> u64 {
    let valid = std::str::from_utf8(bytes).map_or_else(|e| e.valid_up_to(), str::len);
    crate::text::count_newlines(&bytes[..valid]) + 1
}

/// Which fields of the objects are what.
struct Fields {
    text: String,
    id: Option<String>,
    label: Option<String>,
    /// Fields that are carried along.
    keep: Vec<String>,
}

#[derive(Default)]
struct Documents {
    documents: Vec<String>,
    ids: Vec<String>,
    labels: Vec<String>,
    kept: Vec<Vec<Option<String>>>,
}

impl Fields {
    /// What is told, or found in the first object: ids are in the field `id`, if it has one.
    fn new(path: &Path, first: Map<String, Value>, options: &ReadOptions) -> Result<Self> {
        let recipe_field = options.recipe.as_ref().and_then(|r| r.field.clone());
        let told = options.text.field.clone().or(recipe_field);
        let text = told.unwrap_or_else(|| options::FIELD.into());
        let fields = Self {
            text,
            id: id_field(path, &first, options)?,
            label: options.label_column.clone(),
            keep: kept_fields(path, &first, options)?,
        };
        for name in [Some(&fields.text), fields.id.as_ref(), fields.label.as_ref()].into_iter().flatten() {
            if !first.contains_key(name) {
                let known = listed(&first.keys().collect::<Vec<_>>());
                return Err(Error::UnknownColumn { path: path.into(), column: format!("\"{name}\""), known });
            }
        }
        Ok(fields)
    }

    fn read(&self, path: &Path, piece: &[u8], first_line: u64) -> Result<Documents> {
        let mut found = Documents { kept: vec![vec![]; self.keep.len()], ..Documents::default() };
        for (line, bytes) in lines(piece, first_line) {
            if bytes.trim_ascii().is_empty() {
                continue;
            }
            let mut object = object(path, line, bytes)?;
            if let Some(name) = &self.id {
                found.ids.push(word(path, line, &object, name)?.into_owned());
            }
            if let Some(name) = &self.label {
                found.labels.push(word(path, line, &object, name)?.into_owned());
            }
            keep_fields(&object, &self.keep, &mut found.kept);
            match object.get_mut(&self.text) {
                Some(Value::String(text)) => found.documents.push(std::mem::take(text)),
                other => return Err(no_text(path, line, &self.text, other.as_deref())),
            }
        }
        Ok(found)
    }
}

/// The fields that are carried along, which the first line must have.
fn kept_fields(path: &Path, first: &Map<String, Value>, options: &ReadOptions) -> Result<Vec<String>> {
    let names: Vec<&String> = first.keys().collect();
    Ok(positions(path, &options.keep, &names)?.into_iter().map(|at| names[at].clone()).collect())
}

/// Adds the values of these fields: text as it is, anything else as JSON, nothing where the field is null or not there.
fn keep_fields(object: &Map<String, Value>, names: &[String], kept: &mut [Vec<Option<String>>]) {
    for (name, column) in names.iter().zip(kept) {
        column.push(match object.get(name) {
            None | Some(Value::Null) => None,
            Some(Value::String(text)) => Some(text.clone()),
            Some(other) => Some(other.to_string()),
        });
    }
}

/// The field with the ids: the one that is told, or `id`, if there is one.
fn id_field(path: &Path, first: &Map<String, Value>, options: &ReadOptions) -> Result<Option<String>> {
    match &options.id_column {
        Some(IdColumn::Absent) => Ok(None),
        Some(IdColumn::Name(name)) => Ok(Some(name.clone())),
        Some(IdColumn::Position(at)) => {
            let known = "names, not positions: this is jsonl".into();
            Err(Error::UnknownColumn { path: path.into(), column: at.to_string(), known })
        }
        None => Ok(first.contains_key("id").then(|| "id".into())),
    }
}

fn object(path: &Path, line: u64, bytes: &[u8]) -> Result<Map<String, Value>> {
    serde_json::from_slice(bytes).map_err(|e| {
        let problem = match e.classify() {
            serde_json::error::Category::Data => format!("\"{}\" is not a JSON object", excerpt(bytes)),
            _ => format!("the line is not JSON: {e}"),
        };
        Error::BadLine { path: path.into(), line, problem }
    })
}

/// A text or a number, as an id or a label.
fn word<'a>(path: &Path, line: u64, object: &'a Map<String, Value>, name: &str) -> Result<Cow<'a, str>> {
    match object.get(name) {
        Some(Value::String(text)) => Ok(text.into()),
        Some(Value::Number(number)) => Ok(number.to_string().into()),
        other => Err(no_text(path, line, name, other)),
    }
}

fn no_text(path: &Path, line: u64, name: &str, found: Option<&Value>) -> Error {
    let problem = match found {
        None => format!("there is no field \"{name}\""),
        Some(value) => format!("the field \"{name}\" is {}, not text", excerpt(value.to_string().as_bytes())),
    };
    Error::BadLine { path: path.into(), line, problem }
}

#[cfg(test)]
mod tests {
    use super::*;
    use landbridge::data::Rows;

    fn read(format: &dyn Format, text: &str, options: &ReadOptions) -> Result<Loaded> {
        let name = format!("a.{}", format.extensions()[0]);
        format.read(Input::from_bytes(Path::new(&name), text.into(), 1 << 24)?, options)
    }
    fn with(text: TextOptions) -> ReadOptions {
        ReadOptions { text, ..Default::default() }
    }
    fn counts() -> TextOptions {
        TextOptions { weighting: Some(Weighting::Counts), ..Default::default() }
    }
    /// Words, then counts row by row.
    fn show(loaded: &Loaded) -> String {
        let Rows::Sparse(m) = &loaded.rows else { panic!("text is sparse") };
        let dense = m.to_dense();
        let rows: Vec<String> = dense.rows().map(|r| r.iter().map(f64::to_string).collect::<Vec<_>>().join(" ")).collect();
        format!("{}: {}", loaded.columns.as_ref().unwrap().join(" "), rows.join("/"))
    }
    fn message(format: &dyn Format, text: &str, options: &ReadOptions) -> String {
        read(format, text, options).unwrap_err().to_string()
    }

    #[test]
    fn lines_become_bags_of_words() {
        let text = "The cat saw the dog\r\n\nA dog, a DOG!\n";
        assert_eq!(show(&read(&Txt, text, &with(counts())).unwrap()), "cat dog saw the: 1 1 1 2/0 0 0 0/0 2 0 0");
        let options = with(TextOptions { stop_words: Some("en".into()), ..counts() });
        assert_eq!(show(&read(&Txt, text, &options).unwrap()), "cat dog: 1 1/0 0/0 2");
        let options = with(TextOptions { min_df: Some(2), ..counts() });
        assert_eq!(show(&read(&Txt, text, &options).unwrap()), "dog: 1/0/2");
        let options = with(TextOptions { max_features: Some(2), ..counts() });
        assert_eq!(show(&read(&Txt, text, &options).unwrap()), "dog the: 1 2/0 0/2 0");
        // Equally frequent: the first by the alphabet.
        let options = with(TextOptions { max_features: Some(1), ..counts() });
        assert_eq!(show(&read(&Txt, "bb aa\naa bb cc", &options).unwrap()), "aa: 1/1");
        let options = with(TextOptions { char_ngrams: Some((2, 2)), ..counts() });
        assert_eq!(show(&read(&Txt, "aba", &options).unwrap()), " a a  ab ba: 1 1 1 1");
    }

    #[test]
    fn tfidf_is_the_formula() {
        let loaded = read(&Txt, "aa bb bb\naa cc", &ReadOptions::default()).unwrap();
        let Rows::Sparse(m) = &loaded.rows else { panic!("text is sparse") };
        let (common, rare) = (1.0, (3.0f64 / 2.0).ln() + 1.0);
        let length = (common * common + 4.0 * rare * rare).sqrt();
        for (j, expected) in [common / length, 2.0 * rare / length, 0.0].into_iter().enumerate() {
            assert!((m.get(0, j) - expected).abs() < 1e-15, "{j}");
        }
    }

    #[test]
    fn new_text_follows_the_recipe() {
        for text in [
            TextOptions { stop_words: Some("en".into()), ..Default::default() },
            counts(),
            TextOptions { char_ngrams: Some((2, 4)), ..Default::default() },
        ] {
            let lines = "the cat saw the dog\n\nonly a dog\ncat and mouse";
            let fitted = read(&Txt, lines, &with(text.clone())).unwrap();
            let mut recipe: TextRecipe = serde_json::from_value(fitted.recipe.clone().unwrap()).unwrap();
            recipe.vocabulary = fitted.columns.clone().unwrap();
            let again = ReadOptions { recipe: Some(recipe.clone().into()), ..Default::default() };
            let followed = read(&Txt, lines, &again).unwrap();
            assert_eq!((&followed.rows, &followed.columns), (&fitted.rows, &fitted.columns), "{text:?}");
            let unknown = recipe.rows_of(&["zzzz", "the dog"]).unwrap();
            assert_eq!((unknown.nrows(), unknown.ncols()), (2, recipe.vocabulary.len()));
            assert!(unknown.row_indices(0).is_empty() && !unknown.row_indices(1).is_empty());
        }
    }

    #[test]
    fn the_number_of_threads_changes_nothing() {
        let lines: Vec<String> = (0..4000u64)
            .map(|i| (0..20).map(|k| format!("w{}", (i * 7919 + k * k * 31) % 997)).collect::<Vec<_>>().join(" "))
            .collect();
        let text = lines.join("\n");
        let on = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| read(&Txt, &text, &ReadOptions::default())).unwrap()
        };
        let one = on(1);
        for threads in [2, 3, 8] {
            assert_eq!(on(threads), one, "{threads} threads");
        }
    }

    #[test]
    fn objects_give_text_ids_and_labels() {
        let text =
            "{\"id\": 7, \"text\": \"a cat\", \"t\": \"x\"}\n\n{\"text\": \"dog\", \"id\": \"b\", \"t\": \"y\", \"n\": [1]}\n";
        let options = ReadOptions { label_column: Some("t".into()), ..with(counts()) };
        let loaded = read(&Jsonl, text, &options).unwrap();
        assert_eq!(show(&loaded), "cat dog: 1 0/0 1");
        assert_eq!(loaded.row_ids.unwrap(), ["7", "b"]);
        assert_eq!(loaded.labels.unwrap(), ["x", "y"]);
        let body = with(TextOptions { field: Some("body".into()), ..counts() });
        assert_eq!(show(&read(&Jsonl, "{\"body\": \"cat\"}", &body).unwrap()), "cat: 1");
        let plain = ReadOptions::default();
        for (text, expected) in [
            ("{\"t\": 1}\n", "a.jsonl: there is no column \"text\"; there are \"t\""),
            ("{\"text\": \"a\"}\n{\"text\": 5}\n", "a.jsonl line 2: the field \"text\" is 5, not text"),
            ("{\"text\": \"a\"}\n{}\n", "a.jsonl line 2: there is no field \"text\""),
            ("1\n", "a.jsonl line 1: \"1\" is not a JSON object"),
            ("\n", "a.jsonl: no data: 0 rows and 0 columns"),
        ] {
            assert_eq!(message(&Jsonl, text, &plain), expected, "{text:?}");
        }
        assert!(message(&Jsonl, "{\"text\": \"a\"", &plain).starts_with("a.jsonl line 1: the line is not JSON"));
    }

    #[test]
    fn wrong_text_and_wrong_options_are_named() {
        let plain = ReadOptions::default();
        assert_eq!(message(&Txt, "…\n!", &plain), "a.txt: no word is left of 2 documents");
        let bad = |text| message(&Txt, "cat", &with(text));
        assert!(bad(TextOptions { stop_words: Some("xx".into()), ..Default::default() }).starts_with("stop_words is \"xx\""));
        assert!(bad(TextOptions { min_df: Some(0), ..Default::default() }).starts_with("min_df is 0"));
        assert!(bad(TextOptions { char_ngrams: Some((3, 2)), ..Default::default() }).starts_with("char_ngrams is 3-2"));
        let input = Input::from_bytes(Path::new("a.txt"), b"cat\n\xff\xfe".to_vec(), 100).unwrap();
        assert!(matches!(Txt.read(input, &plain), Err(Error::NotUtf8 { line: 2, .. })));
        let tight = ReadOptions { max_memory: 100, ..with(TextOptions { char_ngrams: Some((1, 9)), ..Default::default() }) };
        assert!(matches!(read(&Txt, "internationalisation of everything", &tight), Err(Error::TooLarge { .. })));
    }
}
