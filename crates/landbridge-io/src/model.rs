//! Model files: written whole, read with suspicion.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::io::Read;
use std::path::Path;

use landbridge::model::Alignment;
use landbridge::statistics::Statistics;
use serde::Deserialize;

use crate::error::{Error, Result};
use crate::format::{formats, write_packed};
use crate::options::ReadOptions;
use crate::source::{Input, is_dash, name_parts, read_error, too_large};

/// Bytes before the header: its length.
const PREFIX: usize = 8;
/// A longer header is not that of a model (the container's own limit).
const LONGEST_HEADER: u64 = 100_000_000;

/// Writes a model, whole or not at all; compressed where the name ends in `.gz` or `.zst`. `-` is standard output.
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
    check_model_name(path.as_ref())?;
    let bytes = alignment.to_bytes()?;
    write_packed(path.as_ref(), &|sink| sink.write_all(&bytes))
}

/// Refuses to write a model under the name of another format: who opens the file would not expect a model.
pub fn check_model_name(path: &Path) -> Result<()> {
    const PICTURES: [&str; 6] = ["svg", "png", "pdf", "html", "json", "zip"];
    let extension = name_parts(path).extension;
    let data = formats().iter().any(|f| f.extensions().contains(&extension.as_str()));
    if !is_dash(path) && (data || PICTURES.contains(&extension.as_str())) {
        return Err(Error::NotForModels { path: path.into(), extension });
    }
    Ok(())
}

/// Reads a model, compressed or not. Folders, empty and cut-off files, files of another kind or version and damaged ones
/// are refused, each with its own message.
pub fn load_model(path: impl AsRef<Path>) -> Result<Alignment> {
    let path = path.as_ref();
    read(path).map_err(|error| match error {
        Error::EmptyFile { .. }
        | Error::Truncated { .. }
        | Error::Damaged { .. }
        | Error::WrongFormat { .. }
        | Error::TooLarge { .. } => Error::Model(Box::new(error)),
        other => other,
    })
}

/// Writes statistics, whole or not at all; compressed where the name ends in `.gz` or `.zst`. `-` is standard output.
///
/// ```
/// use landbridge::data::synthetic::Helices;
/// use landbridge::statistics::Statistics;
/// use landbridge_io::{load_statistics, save_statistics};
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("helices.stats");
/// let helices = Helices::new(60).generate()?;
/// let statistics = Statistics::of(&helices.datasets, &helices.pairs(10, 0)?)?;
/// save_statistics(&path, &statistics)?;
/// assert_eq!(load_statistics(&path)?.n_pairs(), 10);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn save_statistics(path: impl AsRef<Path>, statistics: &Statistics) -> Result<()> {
    check_model_name(path.as_ref())?;
    let bytes = statistics.to_bytes()?;
    write_packed(path.as_ref(), &|sink| sink.write_all(&bytes))
}

/// Reads statistics, compressed or not. Files of another kind or version and damaged ones are refused.
pub fn load_statistics(path: impl AsRef<Path>) -> Result<Statistics> {
    let path = path.as_ref();
    let bytes = Input::open(path, ReadOptions::default().max_memory)?.bytes()?;
    Ok(Statistics::from_bytes(&bytes, path)?)
}

fn read(path: &Path) -> Result<Alignment> {
    let input = Input::open(path, ReadOptions::default().max_memory)?;
    let bytes = if input.is_stream() { stream_bytes(input)? } else { input.bytes()? };
    Alignment::from_bytes(&bytes, path).map_err(|error| match (error, length_problem(&bytes)) {
        (landbridge::Error::NotAModel { .. }, Some(Length::Short(problem))) => Error::Truncated { path: path.into(), problem },
        (landbridge::Error::NotAModel { .. }, Some(Length::Long(problem))) => Error::Damaged { path: path.into(), problem },
        (error, _) => error.into(),
    })
}

/// The bytes of a stream as far as its own header says, and one more where there are more. A device that never ends, or a small
/// file that unpacks to a huge one, is not read any further than a model goes.
fn stream_bytes(input: Input) -> Result<Vec<u8>> {
    let limit = input.limit();
    let (path, mut reader, _) = input.into_reader();
    let mut bytes = vec![];
    let mut up_to = |bytes: &mut Vec<u8>, end: u64| {
        let more = end.saturating_sub(bytes.len() as u64);
        reader.by_ref().take(more).read_to_end(bytes).map_err(|e| read_error(&path, e))
    };
    up_to(&mut bytes, PREFIX as u64 + 1)?;
    let Some(header) = header_length(&bytes) else { return Ok(bytes) };
    up_to(&mut bytes, PREFIX as u64 + header)?;
    let arrays = bytes.get(PREFIX..PREFIX + header as usize).and_then(arrays_length).unwrap_or(0);
    let end = (PREFIX as u64 + header).saturating_add(arrays).saturating_add(1);
    if end > limit {
        return Err(too_large(&path, "the model", end.into(), limit));
    }
    up_to(&mut bytes, end)?;
    Ok(bytes)
}

/// The length of the header, from the first bytes of a file; None where they are not those of a model.
fn header_length(bytes: &[u8]) -> Option<u64> {
    let (prefix, rest) = bytes.split_at_checked(PREFIX)?;
    let declared = u64::from_le_bytes(prefix.try_into().ok()?);
    let other = rest.first().is_some_and(|b| *b != b'{') || declared >= LONGEST_HEADER;
    (!other).then_some(declared)
}

/// The length of all arrays, as the header declares it.
fn arrays_length(header: &[u8]) -> Option<u64> {
    let header: HashMap<String, Entry> = serde_json::from_slice(header).ok()?;
    header.values().filter_map(|entry| entry.data_offsets).map(|(_, end)| end).max()
}

/// How the length of a file differs from the length that its header declares.
enum Length {
    Short(String),
    Long(String),
}

/// Compares the bytes with the lengths at their beginning: that of the header, then those of the arrays in the header.
/// None where the bytes do not begin as a model does, and where the lengths are right.
fn length_problem(bytes: &[u8]) -> Option<Length> {
    let (declared, rest) = (header_length(bytes)?, &bytes[PREFIX..]);
    let Some((header, arrays)) = rest.split_at_checked(usize::try_from(declared).ok()?) else {
        return Some(Length::Short(format!("its header has {} of {declared} bytes", rest.len())));
    };
    let declared = arrays_length(header)?;
    let found = arrays.len() as u64;
    match found.cmp(&declared) {
        Ordering::Less => Some(Length::Short(format!("its arrays have {found} of {declared} bytes"))),
        Ordering::Equal => None,
        Ordering::Greater if found - declared == 1 => Some(Length::Long("a byte follows its end".into())),
        Ordering::Greater => Some(Length::Long(format!("{} bytes follow its end", found - declared))),
    }
}

/// An entry of the header: an array with its place, or the metadata, which has none.
#[derive(Deserialize)]
struct Entry {
    #[serde(default)]
    data_offsets: Option<(u64, u64)>,
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
            let error = load_model(&path).unwrap_err();
            let message = error.to_string();
            let expected = match end {
                0 => "the file is empty",
                1..8 => "not a landbridge model",
                _ => "the file is cut off",
            };
            assert!(message.contains(expected), "{end} bytes: {message}");
            assert_eq!(error.kind(), "model");
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
        let error = load_model(&path).unwrap_err();
        assert!(error.to_string().ends_with("the file is damaged: 16 bytes follow its end"), "{error}");
    }
}
