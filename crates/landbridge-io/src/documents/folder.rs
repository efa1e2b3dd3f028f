//! A folder of text files: one document per file.

use std::path::{Path, PathBuf};

use super::loaded;
use crate::delimited::without_mark;
use crate::error::{Error, Result};
use crate::format::Loaded;
use crate::options::ReadOptions;
use crate::source::{Input, name_parts, too_large};

/// Files that count as documents.
const DOCUMENTS: [&str; 3] = ["txt", "text", "md"];
/// The largest depth of subfolders.
const DEPTH: usize = 32;

/// Whether this is a folder with text files, under a name that promises nothing else.
pub(crate) fn is_text_folder(path: &Path) -> bool {
    path.is_dir() && name_parts(path).extension.is_empty() && documents_of(path).is_ok_and(|found| !found.is_empty())
}

/// One document per `.txt`, `.text` or `.md` file, also compressed and in subfolders, in the order of their
/// names. The id of a document is its path in the folder without extension.
pub(crate) fn read_folder(path: &Path, options: &ReadOptions) -> Result<Loaded> {
    let (mut documents, mut ids) = (vec![], vec![]);
    let mut total = 0u64;
    for file in documents_of(path)? {
        ids.push(id_of(path, &file));
        if std::fs::metadata(&file).is_ok_and(|about| about.len() == 0) {
            documents.push(String::new());
            continue;
        }
        let bytes = Input::open(&file, options.max_memory)?.bytes()?;
        total += bytes.len() as u64;
        if total > options.max_memory {
            return Err(too_large(path, "the text of all files", total.into(), options.max_memory));
        }
        match std::str::from_utf8(without_mark(&file, &bytes)?) {
            Ok(text) => documents.push(text.to_string()),
            Err(_) => return Err(Error::NotUtf8 { line: super::first_bad_line(&bytes), path: file }),
        }
    }
    if documents.is_empty() {
        return Err(Error::IsDirectory { path: path.into() });
    }
    loaded(path, &documents, Some(ids), None, options)
}

fn documents_of(folder: &Path) -> Result<Vec<PathBuf>> {
    let (mut found, mut open) = (vec![], vec![(folder.to_path_buf(), 0)]);
    while let Some((folder, depth)) = open.pop() {
        let io = |source| Error::Io { path: folder.clone(), action: "read", source };
        for entry in std::fs::read_dir(&folder).map_err(io)? {
            let entry = entry.map_err(io)?;
            if entry.file_name().as_encoded_bytes().starts_with(b".") {
                continue;
            }
            let (path, kind) = (entry.path(), entry.file_type().map_err(io)?);
            // Links to folders are not followed: they may form cycles.
            if kind.is_dir() && depth < DEPTH {
                open.push((path, depth + 1));
            } else if (kind.is_file() || (kind.is_symlink() && path.is_file())) && is_document(&path) {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

fn is_document(path: &Path) -> bool {
    DOCUMENTS.contains(&name_parts(path).extension.as_str())
}

fn id_of(folder: &Path, file: &Path) -> String {
    let parts = name_parts(file);
    let inner = file.strip_prefix(folder).ok().and_then(Path::parent).map(|p| p.to_string_lossy().replace('\\', "/"));
    match inner.filter(|p| !p.is_empty()) {
        Some(inner) => format!("{inner}/{}", parts.stem),
        None => parts.stem,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::read_dataset;

    #[test]
    fn every_file_is_a_document_with_its_path_as_id() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join("corpus").join(name);
        std::fs::create_dir_all(at("inner")).unwrap();
        assert!(!is_text_folder(&folder.path().join("corpus")));
        std::fs::write(at("b.txt"), "dog\ncat").unwrap();
        std::fs::write(at("a.md"), "cat").unwrap();
        std::fs::write(at("inner/c.txt.zst"), zstd::stream::encode_all(&b"dog"[..], 3).unwrap()).unwrap();
        std::fs::write(at("empty.txt"), "").unwrap();
        std::fs::write(at("picture.png"), [0u8, 1, 2]).unwrap();
        std::fs::write(at(".hidden.txt"), "hidden").unwrap();
        let dataset = read_dataset(folder.path().join("corpus"), &ReadOptions::default()).unwrap();
        assert_eq!(dataset.name(), "corpus");
        assert_eq!(dataset.row_ids().unwrap(), ["a", "b", "empty", "inner/c"]);
        assert_eq!(dataset.columns().unwrap(), ["cat", "dog"]);
        assert!(dataset.recipe().is_some());
        std::fs::write(at("a.txt"), "again").unwrap();
        let message = read_dataset(folder.path().join("corpus"), &ReadOptions::default()).unwrap_err().to_string();
        assert!(message.ends_with("the id \"a\" stands for row 0 and for row 1"), "{message}");
        std::fs::write(at("x.txt"), [b'a', b'\n', 0xff]).unwrap();
        let error = read_dataset(folder.path().join("corpus"), &ReadOptions::default()).unwrap_err();
        assert!(matches!(error, Error::NotUtf8 { line: 2, .. }), "{error}");
    }
}
