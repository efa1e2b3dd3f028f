//! Where bytes come from: a file, a device or standard input, plain or compressed, never more than allowed.

use std::fs::File;
use std::io::{BufReader, Chain, Cursor, Read, Seek};
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};

/// How a file is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compression {
    /// Not compressed.
    None,
    /// `.gz`
    Gzip,
    /// `.zst`
    Zstd,
}

const GZIP_MAGIC: [u8; 2] = [0x1f, 0x8b];
const ZSTD_MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
/// Bytes moved at a time.
pub(crate) const CHUNK: usize = 1 << 20;

/// A path taken apart: `data/en.csv.gz` is `en`, `csv`, gzip.
pub(crate) struct NameParts {
    pub(crate) stem: String,
    pub(crate) extension: String,
    pub(crate) compression: Compression,
}

/// Takes the name of a file apart.
pub(crate) fn name_parts(path: &Path) -> NameParts {
    let full = path.file_name().map_or_else(String::new, |n| n.to_string_lossy().into_owned());
    let strip = |name: &str| match name.rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() => (stem.to_string(), extension.to_ascii_lowercase()),
        _ => (name.to_string(), String::new()),
    };
    let (mut stem, mut extension) = strip(&full);
    let compression = match extension.as_str() {
        "gz" => Compression::Gzip,
        "zst" => Compression::Zstd,
        _ => Compression::None,
    };
    if compression != Compression::None {
        (stem, extension) = strip(&stem);
    }
    NameParts { stem, extension, compression }
}

/// Refuses addresses such as `https://…` and `s3://…`.
pub(crate) fn refuse_remote(path: &Path) -> Result<()> {
    let text = path.to_string_lossy();
    match text.split_once("://") {
        Some((scheme, _)) if !scheme.is_empty() && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c)) => {
            Err(Error::Remote { path: text.into_owned() })
        }
        _ => Ok(()),
    }
}

/// Whether this is the name of standard input or output.
pub(crate) fn is_dash(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// An opened file that a format reads from.
pub struct Input {
    path: PathBuf,
    content: Content,
    limit: u64,
}

enum Content {
    /// A regular file, not compressed: its length is known and it can be read from any place.
    File(File, u64),
    /// Anything else: comes as it comes.
    Stream(Box<dyn Read>),
}

/// A reader that can go back, as zip archives need.
pub(crate) trait ReadSeek: Read + Seek {}
impl<T: Read + Seek> ReadSeek for T {}

/// What can be read at any place.
pub(crate) enum RandomAccess {
    /// A file and its length.
    File(File, u64),
    /// All bytes of a stream.
    Bytes(Vec<u8>),
}

impl Input {
    /// Opens a file, or standard input for `-`. Compressed content is recognised by its first bytes.
    pub fn open(path: &Path, max_memory: u64) -> Result<Self> {
        refuse_remote(path)?;
        let io = |source| Error::Io { path: path.into(), action: "read", source };
        let packed = name_parts(path).compression;
        if is_dash(path) {
            return Self::stream(path, Box::new(std::io::stdin()), packed, max_memory);
        }
        let mut file = File::open(path).map_err(io)?;
        let about = file.metadata().map_err(io)?;
        if about.is_dir() {
            return Err(Error::IsDirectory { path: path.into() });
        }
        if !about.is_file() {
            return Self::stream(path, Box::new(file), packed, max_memory);
        }
        if about.len() == 0 {
            return Err(Error::EmptyFile { path: path.into() });
        }
        let mut start = [0u8; 4];
        let got = read_up_to(&mut file, &mut start).map_err(io)?;
        file.rewind().map_err(io)?;
        if packed == Compression::None && compression_of(&start[..got]) == Compression::None {
            return Ok(Self { path: path.into(), content: Content::File(file, about.len()), limit: max_memory });
        }
        Self::stream(path, Box::new(file), packed, max_memory)
    }

    /// From bytes in memory, as if they were read from a file of that name.
    pub fn from_bytes(path: &Path, bytes: Vec<u8>, max_memory: u64) -> Result<Self> {
        Self::stream(path, Box::new(Cursor::new(bytes)), name_parts(path).compression, max_memory)
    }

    /// From bytes that are not compressed, or not any more, whatever the name says.
    pub(crate) fn plain(path: &Path, bytes: Vec<u8>, max_memory: u64) -> Self {
        Self { path: path.into(), content: Content::Stream(Box::new(Cursor::new(bytes))), limit: max_memory }
    }

    fn stream(path: &Path, mut raw: Box<dyn Read>, packed: Compression, limit: u64) -> Result<Self> {
        let io = |source| Error::Io { path: path.into(), action: "read", source };
        let mut start = vec![0u8; 4];
        let got = read_up_to(&mut raw, &mut start).map_err(io)?;
        start.truncate(got);
        if start.is_empty() {
            return Err(Error::EmptyFile { path: path.into() });
        }
        let found = compression_of(&start);
        if packed != Compression::None && found != packed {
            let format = if packed == Compression::Gzip { "gzip" } else { "zstd" };
            let problem = format!("it begins with {start:02x?}");
            return Err(Error::WrongFormat { path: path.into(), format, problem });
        }
        let whole: Chain<Cursor<Vec<u8>>, Box<dyn Read>> = Cursor::new(start).chain(raw);
        let reader: Box<dyn Read> = match found {
            Compression::None => Box::new(whole),
            Compression::Gzip => Box::new(flate2::bufread::MultiGzDecoder::new(BufReader::with_capacity(1 << 16, whole))),
            Compression::Zstd => Box::new(zstd::stream::read::Decoder::new(whole).map_err(io)?),
        };
        Ok(Self { path: path.into(), content: Content::Stream(reader), limit })
    }

    /// The path, for messages.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Most bytes that may be taken.
    pub fn limit(&self) -> u64 {
        self.limit
    }

    /// Whether its length is unknown: compressed, a device, a pipe, or standard input.
    pub(crate) fn is_stream(&self) -> bool {
        matches!(self.content, Content::Stream(_))
    }

    /// Everything, in memory.
    pub fn bytes(self) -> Result<Vec<u8>> {
        let Input { path, content, limit } = self;
        let mut bytes = Vec::new();
        let mut reader: Box<dyn Read> = match content {
            Content::File(file, length) => {
                if length > limit {
                    return Err(too_large(&path, "the file", length.into(), limit));
                }
                if let Some(bytes) = read_shared(&file, length) {
                    return bytes.map_err(|e| read_error(&path, e));
                }
                // One byte more than the file has, so that its end is seen without growing.
                bytes.reserve_exact(length as usize + 1);
                Box::new(file)
            }
            Content::Stream(reader) => reader,
        };
        // The limit and one byte more: where that byte arrives, the file is too large.
        let most = limit.saturating_add(1);
        reader.by_ref().take(most).read_to_end(&mut bytes).map_err(|e| read_error(&path, e))?;
        if bytes.len() as u64 > limit {
            return Err(too_large(&path, "the decompressed file", most.into(), limit));
        }
        if bytes.is_empty() {
            return Err(Error::EmptyFile { path });
        }
        Ok(bytes)
    }

    /// As a stream, with the number of bytes still to come where that is known.
    pub(crate) fn into_reader(self) -> (PathBuf, Box<dyn Read>, Option<u64>) {
        match self.content {
            Content::File(file, length) => (self.path, Box::new(BufReader::with_capacity(1 << 16, file)), Some(length)),
            Content::Stream(reader) => (self.path, reader, None),
        }
    }

    /// As something that can go back: the file itself, or all bytes of a stream.
    pub(crate) fn into_seekable(self) -> Result<(PathBuf, Box<dyn ReadSeek>)> {
        let path = self.path.clone();
        match self.content {
            Content::File(file, _) => Ok((path, Box::new(BufReader::with_capacity(1 << 16, file)))),
            Content::Stream(_) => Ok((path, Box::new(Cursor::new(self.bytes()?)))),
        }
    }

    /// As something to read at any place: the file itself, or all bytes of a stream.
    pub(crate) fn into_random_access(self) -> Result<(PathBuf, RandomAccess)> {
        let path = self.path.clone();
        match self.content {
            Content::File(file, length) => Ok((path, RandomAccess::File(file, length))),
            Content::Stream(_) => Ok((path, RandomAccess::Bytes(self.bytes()?))),
        }
    }
}

pub(crate) fn compression_of(start: &[u8]) -> Compression {
    if start.starts_with(&GZIP_MAGIC) {
        Compression::Gzip
    } else if start.starts_with(&ZSTD_MAGIC) {
        Compression::Zstd
    } else {
        Compression::None
    }
}

/// A large file in parts on all threads: copying and taking memory take time as well. None leaves it to one thread.
#[cfg(unix)]
fn read_shared(file: &File, length: u64) -> Option<std::io::Result<Vec<u8>>> {
    use rayon::prelude::*;
    use std::os::unix::fs::FileExt;
    const PART: usize = 4 << 20;
    let length = usize::try_from(length).ok().filter(|length| *length > 2 * PART)?;
    let mut bytes = vec![0; length];
    let parts = bytes.par_chunks_mut(PART).enumerate();
    Some(parts.try_for_each(|(k, part)| file.read_exact_at(part, (k * PART) as u64)).map(|()| bytes))
}

#[cfg(not(unix))]
fn read_shared(_: &File, _: u64) -> Option<std::io::Result<Vec<u8>>> {
    None
}

/// Fills the buffer as far as there are bytes.
pub(crate) fn read_up_to(reader: &mut dyn Read, buffer: &mut [u8]) -> std::io::Result<usize> {
    let mut got = 0;
    while got < buffer.len() {
        match reader.read(&mut buffer[got..]) {
            Ok(0) => break,
            Ok(n) => got += n,
            Err(e) if e.kind() == std::io::ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
    Ok(got)
}

/// Errors of the system stay; errors of an unpacker mean that the file is cut off or damaged.
pub(crate) fn read_error(path: &Path, source: std::io::Error) -> Error {
    if source.raw_os_error().is_some() {
        return Error::Io { path: path.into(), action: "read", source };
    }
    let problem = source.to_string();
    if source.kind() == std::io::ErrorKind::UnexpectedEof {
        return Error::Truncated { path: path.into(), problem };
    }
    Error::Damaged { path: path.into(), problem }
}

pub(crate) fn too_large(path: &Path, what: &str, bytes: u128, limit: u64) -> Error {
    Error::TooLarge { path: path.into(), what: what.into(), bytes, limit }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lose_their_compression_and_their_extension() {
        for (name, stem, extension, packed) in [
            ("data/en.csv.gz", "en", "csv", Compression::Gzip),
            ("en.v2.TSV", "en.v2", "tsv", Compression::None),
            ("a.npz.zst", "a", "npz", Compression::Zstd),
            ("plain", "plain", "", Compression::None),
            (".csv", ".csv", "", Compression::None),
            ("x.gz", "x", "", Compression::Gzip),
        ] {
            let parts = name_parts(Path::new(name));
            assert_eq!((parts.stem.as_str(), parts.extension.as_str(), parts.compression), (stem, extension, packed));
        }
    }

    #[test]
    fn addresses_are_refused_and_paths_are_not() {
        for address in ["http://x/a.csv", "s3://bucket/a.csv", "gs+x://a", "file:///a.csv"] {
            assert!(matches!(refuse_remote(Path::new(address)), Err(Error::Remote { .. })), "{address}");
        }
        for path in ["a.csv", "/tmp/a b://c.csv", "C:\\a.csv"] {
            assert!(refuse_remote(Path::new(path)).is_ok(), "{path}");
        }
    }
}
