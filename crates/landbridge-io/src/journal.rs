//! The journal of a comparison: a line for each finished fold, so that a stopped comparison goes on.

use crate::error::{Error, Result};
use landbridge::choose::Journal;
use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// First line of a journal.
const HEADER: &str = "landbridge journal 1";

/// A journal in a file. Each entry is written at once; a line that a kill cut short is not read.
pub struct JournalFile {
    path: PathBuf,
    known: Mutex<HashMap<String, String>>,
    file: Mutex<File>,
    found: usize,
}

impl JournalFile {
    /// Opens a journal, or begins one.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let io = |action| move |source| Error::Io { path: path.into(), action, source };
        let mut known = HashMap::new();
        let mut whole = true;
        let begins = !path.exists() || path.metadata().is_ok_and(|m| m.len() == 0);
        if !begins {
            let mut lines = BufReader::new(File::open(path).map_err(io("read"))?).split(b'\n');
            let first = lines.next().transpose().map_err(io("read"))?.unwrap_or_default();
            if first != HEADER.as_bytes() {
                let problem = "its first line is another".into();
                return Err(Error::WrongFormat { path: path.into(), format: "a journal of a comparison", problem });
            }
            for line in lines {
                let line = line.map_err(io("read"))?;
                let parsed = String::from_utf8(line).ok().and_then(|line| {
                    let (key, rest) = line.split_once('\t')?;
                    let (entry, end) = rest.rsplit_once('\t')?;
                    (end == "." && key.len() == 64).then(|| (key.to_string(), entry.to_string()))
                });
                whole = parsed.is_some();
                known.extend(parsed);
            }
        }
        let mut file = OpenOptions::new().create(true).append(true).open(path).map_err(io("write"))?;
        match (begins, whole) {
            (true, _) => writeln!(file, "{HEADER}"),
            // The last line was cut short; the next entry begins a new one.
            (false, false) => writeln!(file),
            (false, true) => Ok(()),
        }
        .map_err(io("write"))?;
        let found = known.len();
        Ok(Self { path: path.into(), known: Mutex::new(known), file: Mutex::new(file), found })
    }

    /// Number of entries that were there already.
    pub fn found(&self) -> usize {
        self.found
    }
}

impl Journal for JournalFile {
    fn find(&self, key: &str) -> Option<String> {
        self.known.lock().ok()?.get(key).cloned()
    }
    fn keep(&self, key: &str, entry: &str) -> landbridge::Result<()> {
        let failed = |error: std::io::Error| landbridge::Error::Undefined {
            what: format!("the journal {}", self.path.display()),
            why: format!("it cannot be written: {error}"),
        };
        if let Ok(mut file) = self.file.lock() {
            // One call, so that a kill leaves a whole line or a part of the last one.
            file.write_all(format!("{key}\t{entry}\t.\n").as_bytes()).and_then(|()| file.flush()).map_err(failed)?;
        }
        if let Ok(mut known) = self.known.lock() {
            known.insert(key.into(), entry.into());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_found_again_and_a_cut_line_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.journal");
        let key = |c: char| c.to_string().repeat(64);
        {
            let journal = JournalFile::open(&path).unwrap();
            journal.keep(&key('a'), "{\"x\":1}").unwrap();
            journal.keep(&key('b'), "{}").unwrap();
        }
        let mut file = OpenOptions::new().append(true).open(&path).unwrap();
        write!(file, "{}\t{{\"cut", key('c')).unwrap();
        let journal = JournalFile::open(&path).unwrap();
        assert_eq!((journal.found(), journal.find(&key('a')).as_deref()), (2, Some("{\"x\":1}")));
        assert!(journal.find(&key('c')).is_none());
        journal.keep(&key('d'), "[]").unwrap();
        assert_eq!(JournalFile::open(&path).unwrap().found(), 3);
    }

    #[test]
    fn another_file_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data.csv");
        std::fs::write(&path, "a,b\n1,2\n").unwrap();
        let error = JournalFile::open(&path).err().unwrap().to_string();
        assert!(error.contains("not a journal of a comparison"), "{error}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "a,b\n1,2\n");
    }
}
