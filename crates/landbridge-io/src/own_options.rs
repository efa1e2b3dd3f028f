//! Reading options behind the name of a file: `rna.h5ad:use_rep=X_pca,label_column=cell_type`.

use std::path::{Path, PathBuf};

use landbridge::Error as Core;
use landbridge::choose::Limit;
use landbridge::params::nearest;

use crate::documents::Weighting;
use crate::error::{Error, Result};
use crate::options::{IdColumn, Missing, ReadOptions};
use crate::source::is_dash;
use crate::structure::Atoms;

/// The names that options have behind a file.
const NAMES: [&str; 25] = [
    "name",
    "format",
    "header",
    "id_column",
    "label_column",
    "batch_column",
    "columns",
    "delimiter",
    "decimal",
    "key",
    "layer",
    "use_rep",
    "modality",
    "missing",
    "ratings",
    "text_field",
    "stop_words",
    "min_df",
    "max_features",
    "weighting",
    "char_ngrams",
    "model",
    "chain",
    "atoms",
    "max_memory",
];

/// Takes a path and the options behind its colon apart. A file that exists under the whole name has no options, and neither
/// has a colon that no name of an option follows (`C:\data\rna.h5ad`).
///
/// Options are separated by commas. A part without `=` belongs to the value before it: `columns=x,y,header=yes`.
///
/// ```
/// use landbridge_io::own_options;
/// let (path, options) = own_options("rna.h5ad:use_rep=X_pca,label-column=cell_type".as_ref())?;
/// assert_eq!(path.to_str(), Some("rna.h5ad"));
/// assert_eq!((options[0].0.as_str(), options[1].1.as_str()), ("use_rep", "cell_type"));
/// # Ok::<(), landbridge_io::Error>(())
/// ```
pub fn own_options(path: &Path) -> Result<(PathBuf, Vec<(String, String)>)> {
    let whole = || Ok((path.to_path_buf(), vec![]));
    let Some(text) = path.to_str().filter(|_| !path.exists()) else { return whole() };
    let is_name = |word: &str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_alphabetic() || matches!(b, b'_' | b'-'));
    let cuts: Vec<(&str, &str)> = text.match_indices(':').map(|(at, _)| (&text[..at], &text[at + 1..])).collect();
    let begins = |rest: &str| is_name(rest.split(['=', ',']).next().unwrap_or_default().trim());
    let exists = |file: &str| is_dash(Path::new(file)) || Path::new(file).exists();
    let found = cuts.iter().find(|(file, rest)| exists(file) && begins(rest));
    // Without a file of that name, only what surely is an option counts; then the message names the file.
    let found =
        found.or_else(|| cuts.iter().find(|(_, rest)| rest.split_once('=').is_some_and(|(name, _)| is_name(name.trim()))));
    let Some((file, list)) = found else { return whole() };
    let mut options: Vec<(String, String)> = vec![];
    for part in list.split(',') {
        let named = part.split_once('=').map(|(name, value)| (name.trim().replace('-', "_"), value));
        match (named, options.last_mut()) {
            (Some((name, value)), _) if is_name(&name) => options.push((name, value.to_string())),
            (_, last) if part.trim() == "ratings" && last.as_ref().is_none_or(|(name, _)| name != "columns") => {
                options.push(("ratings".into(), "yes".into()));
            }
            (_, Some((_, value))) => {
                value.push(',');
                value.push_str(part);
            }
            (_, None) => options.push((part.trim().replace('-', "_"), String::new())),
        }
    }
    for (name, value) in &options {
        if !NAMES.contains(&name.as_str()) {
            let near = nearest(name, &NAMES).map(str::to_string);
            return Err(Error::UnknownOption { path: file.into(), option: name.clone(), near, known: NAMES.join(", ") });
        }
        if value.is_empty() {
            return Err(bad(name, value, "a value, as in rna.h5ad:use_rep=X_pca"));
        }
    }
    Ok((file.into(), options))
}

fn bad(name: &str, value: &str, expected: &str) -> Error {
    Core::BadParameter { name: name.into(), value: format!("\"{value}\""), expected: expected.into() }.into()
}

/// One ASCII character; `tab` and `\t` are the tab.
pub fn one_byte(text: &str) -> Option<u8> {
    match text {
        "tab" | "\\t" => Some(b'\t'),
        _ => text.bytes().next().filter(|byte| text.len() == 1 && byte.is_ascii()),
    }
}

/// Two numbers separated by a dash, or one for both.
pub fn span(text: &str) -> Option<(usize, usize)> {
    let number = |part: &str| part.trim().parse::<usize>().ok();
    match text.split_once('-') {
        Some((least, most)) => Some((number(least)?, number(most)?)),
        None => number(text).map(|n| (n, n)),
    }
}

impl ReadOptions {
    /// Sets options by name, as [`own_options`] has them; they replace what was set before.
    pub fn set(&mut self, options: &[(String, String)]) -> Result<()> {
        for (name, value) in options {
            self.set_one(name, value)?;
        }
        // A position, where the table has no names.
        if let (Some(false), Some(IdColumn::Name(name))) = (self.header, &self.id_column)
            && let Ok(position) = name.parse()
        {
            self.id_column = Some(IdColumn::Position(position));
        }
        Ok(())
    }

    fn set_one(&mut self, name: &str, value: &str) -> Result<()> {
        let text = || Some(value.to_string());
        let count = || value.parse::<usize>().map_err(|_| bad(name, value, "a whole number"));
        let flag = || match value {
            "yes" | "true" => Ok(true),
            "no" | "false" => Ok(false),
            _ => Err(bad(name, value, "yes or no")),
        };
        match name {
            "name" => self.name = text(),
            "format" => self.format = text(),
            "header" => self.header = if value == "auto" { None } else { Some(flag()?) },
            "id_column" if value == "none" => self.id_column = Some(IdColumn::Absent),
            "id_column" => self.id_column = Some(IdColumn::Name(value.into())),
            "label_column" => self.label_column = Some(value.to_string()).filter(|v| v != "none"),
            "batch_column" => self.batch_column = Some(value.to_string()).filter(|v| v != "none"),
            "columns" => self.columns = Some(value.split(',').map(str::to_string).collect()),
            "delimiter" | "decimal" => {
                let byte = Some(one_byte(value).ok_or_else(|| bad(name, value, "one character, such as ; or tab"))?);
                *(if name == "delimiter" { &mut self.delimiter } else { &mut self.decimal }) = byte;
            }
            "key" => self.key = text(),
            "layer" => (self.layer, self.use_rep) = (text(), None),
            "use_rep" => (self.layer, self.use_rep) = (None, text()),
            "modality" => self.modality = text(),
            "missing" => {
                let expected = "one of error, zero, mean, drop, unknown";
                self.missing = Missing::named(value).ok_or_else(|| bad(name, value, expected))?;
            }
            "ratings" => self.ratings = flag()?,
            "text_field" => self.text.field = text(),
            "stop_words" => self.text.stop_words = Some(value.to_string()).filter(|v| v != "none"),
            "min_df" => self.text.min_df = Some(count()?),
            "max_features" => self.text.max_features = Some(count()?),
            "weighting" => {
                self.text.weighting = Some(match value {
                    "tfidf" => Weighting::Tfidf,
                    "counts" => Weighting::Counts,
                    _ => return Err(bad(name, value, "tfidf or counts")),
                });
            }
            "char_ngrams" => {
                let span = span(value).ok_or_else(|| bad(name, value, "two numbers, as 3-5, or one"))?;
                self.text.char_ngrams = Some(span);
            }
            "model" => self.structure.model = Some(value.parse().map_err(|_| bad(name, value, "a whole number"))?),
            "chain" => self.structure.chain = text(),
            "atoms" => {
                self.structure.atoms = Some(match value {
                    "ca" => Atoms::Ca,
                    "all" => Atoms::All,
                    _ => return Err(bad(name, value, "ca or all")),
                });
            }
            "max_memory" => {
                self.max_memory = match Limit::named(value)? {
                    Limit::Bytes(bytes) => bytes,
                    _ => return Err(bad(name, value, "a number of bytes")),
                }
            }
            _ => return Err(bad("option", name, "one of the reading options")),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str) -> (String, Vec<String>) {
        let (path, options) = own_options(Path::new(text)).unwrap();
        (path.to_str().unwrap().into(), options.iter().map(|(name, value)| format!("{name}={value}")).collect())
    }

    #[test]
    fn options_stand_behind_a_colon() {
        for (text, path, options) in [
            ("a.csv", "a.csv", &[][..]),
            ("a.csv:delimiter=;,decimal=,", "a.csv", &["delimiter=;", "decimal=,"][..]),
            ("a.csv:decimal=,,delimiter=;", "a.csv", &["decimal=,", "delimiter=;"][..]),
            ("a.csv:columns=x,y,id-column=k", "a.csv", &["columns=x,y", "id_column=k"][..]),
            ("a.csv:header=no,ratings", "a.csv", &["header=no", "ratings=yes"][..]),
            (r"C:\data\a.h5ad", r"C:\data\a.h5ad", &[][..]),
            (r"C:\data\a.h5ad:layer=counts", r"C:\data\a.h5ad", &["layer=counts"][..]),
            ("noon 12:30.csv", "noon 12:30.csv", &[][..]),
            ("-:format=tsv", "-", &["format=tsv"][..]),
        ] {
            assert_eq!(parts(text), (path.to_string(), options.iter().map(|o| o.to_string()).collect()), "{text}");
        }
    }

    #[test]
    fn a_file_with_a_colon_in_its_name_is_itself() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.csv:layer=x");
        std::fs::write(&path, "1\n").unwrap();
        assert_eq!(own_options(&path).unwrap(), (path, vec![]));
        let odd = folder.path().join("12:layer.csv");
        std::fs::write(&odd, "1\n").unwrap();
        let spelled = format!("{}:header=no", odd.display());
        assert_eq!(own_options(Path::new(&spelled)).unwrap(), (odd.clone(), vec![("header".into(), "no".into())]));
        // A word behind a file that exists is an option, also without its value.
        let error = own_options(Path::new(&format!("{}:use_rap", odd.display()))).unwrap_err().to_string();
        assert!(error.contains("did you mean use_rep?"), "{error}");
    }

    #[test]
    fn every_name_can_be_set() {
        let value = |name: &str| match name {
            "header" | "ratings" => "yes",
            "delimiter" => ";",
            "decimal" => ",",
            "missing" => "drop",
            "min_df" | "max_features" | "model" => "2",
            "weighting" => "counts",
            "char_ngrams" => "3-5",
            "atoms" => "all",
            "max_memory" => "1G",
            _ => "x",
        };
        for name in NAMES {
            let mut options = ReadOptions::default();
            options.set(&[(name.to_string(), value(name).to_string())]).unwrap();
            assert_ne!(options, ReadOptions::default(), "{name}");
        }
        let mut options = ReadOptions::default();
        options.set(&[("id_column".into(), "2".into()), ("header".into(), "no".into())]).unwrap();
        assert_eq!(options.id_column, Some(IdColumn::Position(2)));
        assert!(options.set(&[("missing".into(), "dorp".into())]).unwrap_err().to_string().contains("dorp"));
    }
}
