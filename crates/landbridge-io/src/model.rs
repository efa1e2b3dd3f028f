//! Model files: written whole, read with suspicion.

use std::path::Path;

use landbridge::model::Alignment;

use crate::error::{Error, Result};
use crate::format::write_packed;
use crate::options::ReadOptions;
use crate::source::Input;

/// Bytes before the header: its length.
const PREFIX: usize = 8;

/// Writes a model, whole or not at all; packed where the name ends in `.gz` or `.zst`. `-` is standard output.
///
/// The same alignment gives the same bytes.
///
/// ```
/// use landbridge::data::synthetic::Helices;
/// use landbridge::method::InstanceAlignment;
/// use landbridge_io::{load_model, save_model};
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("helices.lb");
/// let helices = Helices::new(60).generate()?;
/// let alignment = InstanceAlignment::new(2).fit(&helices.datasets, &helices.pairs(10, 0)?)?;
/// save_model(&path, &alignment)?;
/// assert_eq!(load_model(&path)?.embedding(1), alignment.embedding(1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn save_model(path: impl AsRef<Path>, alignment: &Alignment) -> Result<()> {
    let bytes = alignment.to_bytes()?;
    write_packed(path.as_ref(), &|sink| sink.write_all(&bytes))
}

/// Reads a model. Folders, empty and cut-off files, files of another kind or version and damaged ones are refused,
/// each with its own message.
pub fn load_model(path: impl AsRef<Path>) -> Result<Alignment> {
    let path = path.as_ref();
    let bytes = Input::open(path, ReadOptions::default().max_memory)?.bytes()?;
    if let Some(problem) = missing_header(&bytes) {
        return Err(Error::Truncated { path: path.into(), problem });
    }
    Alignment::from_bytes(&bytes, path).map_err(|error| match error {
        // The container's own word for a header that lists more (or fewer) bytes than follow it.
        landbridge::Error::NotAModel { why, .. } if why.contains("incomplete") => {
            let problem = "its arrays do not have as many bytes as its header says".into();
            Error::Truncated { path: path.into(), problem }
        }
        other => other.into(),
    })
}

/// What is missing of a file that begins as a model does, but ends before its header does.
fn missing_header(bytes: &[u8]) -> Option<String> {
    let (prefix, rest) = bytes.split_at_checked(PREFIX)?;
    let needed = u64::from_le_bytes(prefix.try_into().ok()?);
    let begins_as_model = rest.first().is_none_or(|b| *b == b'{') && needed < 100_000_000;
    (begins_as_model && needed > rest.len() as u64).then(|| format!("its header has {} of {needed} bytes", rest.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use landbridge::data::synthetic::Helices;
    use landbridge::method::InstanceAlignment;
    use std::fs;

    fn model() -> Alignment {
        let helices = Helices::new(30).generate().unwrap();
        InstanceAlignment::new(2).n_neighbors(5).fit(&helices.datasets, &helices.pairs(8, 0).unwrap()).unwrap()
    }

    #[test]
    fn a_model_comes_back_as_it_was_packed_or_not() {
        let folder = tempfile::tempdir().unwrap();
        let alignment = model();
        for name in ["m.lb", "m.lb.gz", "m.lb.zst"] {
            let path = folder.path().join(name);
            save_model(&path, &alignment).unwrap();
            assert_eq!(load_model(&path).unwrap().to_bytes().unwrap(), alignment.to_bytes().unwrap(), "{name}");
        }
    }

    #[test]
    fn a_model_cut_off_anywhere_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let whole = model().to_bytes().unwrap();
        for end in (0..whole.len()).step_by(7).chain([1, 7, 8, 9, whole.len() - 1]) {
            // A new name each time: nothing is hidden by what was there before.
            let path = folder.path().join(format!("{end}.lb"));
            fs::write(&path, &whole[..end]).unwrap();
            let message = load_model(&path).unwrap_err().to_string();
            let expected = match end {
                0 => "the file is empty",
                1..8 => "not a landbridge model",
                _ => "the file is cut off",
            };
            assert!(message.contains(expected), "{end} bytes: {message}");
        }
    }

    #[test]
    fn folders_and_other_files_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        assert!(matches!(load_model(folder.path()), Err(Error::IsDirectory { .. })));
        assert!(matches!(load_model(folder.path().join("none.lb")), Err(Error::Io { .. })));
        for (name, content) in [("a.csv", &b"x,y\n1,2\n3,4\n"[..]), ("b.lb", &[0xff; 64]), ("c.lb", &[0; 4096])] {
            let path = folder.path().join(name);
            fs::write(&path, content).unwrap();
            let error = load_model(&path).unwrap_err();
            assert!(matches!(&error, Error::Core(landbridge::Error::NotAModel { .. })), "{name}: {error}");
        }
    }

    #[test]
    fn bytes_after_the_end_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let mut bytes = model().to_bytes().unwrap();
        bytes.extend([0; 16]);
        let path = folder.path().join("long.lb");
        fs::write(&path, bytes).unwrap();
        assert!(load_model(&path).is_err());
    }
}
