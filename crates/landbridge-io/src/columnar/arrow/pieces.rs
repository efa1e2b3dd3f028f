//! Arrow in pieces: some batches at a time. A batch is decoded at once, however large it is.

use std::io::Read;
use std::path::Path;

use arrow_array::RecordBatch;
use arrow_buffer::Buffer;
use arrow_ipc::reader::StreamDecoder;
use arrow_ipc::{MessageHeader, root_as_message};

use super::{CONTINUATION, MAGIC, unpacked};
use crate::columnar::read::Collector;
use crate::columnar::{damaged, guarded};
use crate::error::{Error, Result};
use crate::format::Format;
use crate::options::ReadOptions;
use crate::pieces::{Taker, VALUES};
use crate::source::{Input, read_error, read_up_to, too_large};

/// Bytes of the batches of a piece, about.
const BYTES: u64 = 4 * VALUES as u64;

/// Hands on the batches of a file or stream, as many together as have [`BYTES`] bytes.
pub(crate) fn arrow_pieces(path: &Path, _: &'static dyn Format, options: &ReadOptions, taker: &mut Taker<'_>) -> Result<()> {
    let (_, reader, _) = Input::open(path, options.max_memory)?.into_reader();
    let mut messages = Messages::begin(path, reader, options.max_memory)?;
    let mut decoder = StreamDecoder::new();
    let mut piece = Piece::default();
    while let Some(message) = messages.next()? {
        let Some((rows, bytes)) = message.batch else {
            // The schema, and words of categories.
            guarded(path, || decode(path, &mut decoder, message.bytes).map(drop))?;
            continue;
        };
        if taker.wants() {
            let decoded = guarded(path, || decode(path, &mut decoder, message.bytes));
            piece.batches.extend(decoded?);
        }
        piece.rows += rows;
        piece.bytes += bytes;
        if piece.bytes >= BYTES && !std::mem::take(&mut piece).hand_on(path, &decoder, options, taker)? {
            return Ok(());
        }
    }
    piece.hand_on(path, &decoder, options, taker).map(drop)
}

fn decode(path: &Path, decoder: &mut StreamDecoder, bytes: Vec<u8>) -> Result<Option<RecordBatch>> {
    let mut stream = Buffer::from_vec(bytes);
    let mut found = None;
    while !stream.is_empty() {
        found = decoder.decode(&mut stream).map_err(|e| damaged(path, &e))?.or(found);
    }
    Ok(found)
}

/// Batches that have been read and not handed on.
#[derive(Default)]
struct Piece {
    batches: Vec<RecordBatch>,
    rows: usize,
    bytes: u64,
}

impl Piece {
    /// False: no more is wanted.
    fn hand_on(self, path: &Path, decoder: &StreamDecoder, options: &ReadOptions, taker: &mut Taker<'_>) -> Result<bool> {
        if self.rows == 0 {
            return Ok(true);
        }
        if !taker.wants() {
            taker.skip(self.rows);
            return Ok(true);
        }
        let schema = decoder.schema().ok_or_else(|| damaged(path, &"there is no schema"))?;
        let loaded = guarded(path, || {
            let mut collector = Collector::new(path, &schema, options)?;
            self.batches.iter().try_for_each(|batch| collector.push(batch))?;
            collector.finish()
        });
        Ok(taker.give(self.rows, loaded))
    }
}

/// A message with its body, and the rows and unpacked bytes of a batch.
struct Message {
    bytes: Vec<u8>,
    batch: Option<(usize, u64)>,
}

/// The messages of a file, each checked before it is decoded.
struct Messages<'a> {
    path: &'a Path,
    reader: Box<dyn Read>,
    /// What was read of the first message.
    first: Option<[u8; 8]>,
    is_file: bool,
    limit: u64,
}

impl<'a> Messages<'a> {
    fn begin(path: &'a Path, reader: Box<dyn Read>, limit: u64) -> Result<Self> {
        let mut messages = Self { path, reader, first: None, is_file: false, limit };
        let mut mark = messages.mark()?.unwrap_or_default();
        messages.is_file = mark.starts_with(MAGIC);
        // Zeros follow until the first message is aligned, to 8 bytes or to 64.
        for _ in 0..8 {
            if mark.starts_with(&CONTINUATION) || !messages.is_file {
                break;
            }
            mark = messages.mark()?.ok_or_else(|| messages.cut())?;
        }
        if !mark.starts_with(&CONTINUATION) {
            let problem = format!("it begins with {:02x?}", &mark[..4]);
            return Err(Error::WrongFormat { path: path.into(), format: "arrow", problem });
        }
        messages.first = Some(mark);
        Ok(messages)
    }

    fn cut(&self) -> Error {
        Error::Truncated { path: self.path.into(), problem: "a message ends beyond the file".into() }
    }

    /// Eight bytes; none at the end.
    fn mark(&mut self) -> Result<Option<[u8; 8]>> {
        let mut mark = [0; 8];
        match read_up_to(&mut *self.reader, &mut mark).map_err(|e| read_error(self.path, e))? {
            0 => Ok(None),
            8 => Ok(Some(mark)),
            _ => Err(self.cut()),
        }
    }

    /// Adds so many bytes; memory is taken as they arrive.
    fn fill(&mut self, bytes: &mut Vec<u8>, count: u64) -> Result<()> {
        if count > self.limit {
            return Err(too_large(self.path, "a batch", count.into(), self.limit));
        }
        let got = (&mut self.reader).take(count).read_to_end(bytes).map_err(|e| read_error(self.path, e))?;
        if got as u64 == count { Ok(()) } else { Err(self.cut()) }
    }

    fn next(&mut self) -> Result<Option<Message>> {
        let mark = match self.first.take() {
            Some(mark) => Some(mark),
            None => self.mark()?,
        };
        let Some(mark) = mark else {
            // A stream may end without its mark; a file always has one.
            return if self.is_file { Err(self.cut()) } else { Ok(None) };
        };
        if !mark.starts_with(&CONTINUATION) {
            return Err(damaged(self.path, &"a message does not begin with its continuation bytes"));
        }
        let [_, _, _, _, length @ ..] = mark;
        let length = u32::from_le_bytes(length) as usize;
        if length == 0 {
            return self.end().map(|()| None);
        }
        let mut bytes = mark.to_vec();
        self.fill(&mut bytes, length as u64)?;
        let (body, batch) = {
            let message = root_as_message(&bytes[8..]).map_err(|e| damaged(self.path, &e))?;
            let body = u64::try_from(message.bodyLength()).map_err(|_| damaged(self.path, &"a negative length"))?;
            (body, message.header_type())
        };
        self.fill(&mut bytes, body)?;
        let (header, content) = bytes[8..].split_at(length);
        let message = root_as_message(header).map_err(|e| damaged(self.path, &e))?;
        let (found, counts) = match batch {
            MessageHeader::RecordBatch => (message.header_as_record_batch(), true),
            MessageHeader::DictionaryBatch => (message.header_as_dictionary_batch().and_then(|d| d.data()), false),
            _ => (None, false),
        };
        let mut batch = None;
        if let Some(found) = found {
            let needed = unpacked(self.path, &found, content)?;
            if needed > self.limit {
                return Err(too_large(self.path, "an unpacked batch", needed.into(), self.limit));
            }
            let rows = usize::try_from(found.length()).map_err(|_| damaged(self.path, &"a negative number of rows"))?;
            batch = counts.then_some((rows, needed));
        }
        Ok(Some(Message { bytes, batch }))
    }

    /// The rest of a file is its index, which ends with the magic bytes.
    fn end(&mut self) -> Result<()> {
        if !self.is_file {
            return Ok(());
        }
        let mut rest = vec![];
        (&mut self.reader).take(self.limit).read_to_end(&mut rest).map_err(|e| read_error(self.path, e))?;
        if rest.ends_with(MAGIC) {
            return Ok(());
        }
        Err(Error::Truncated { path: self.path.into(), problem: "the magic bytes ARROW1 at its end are missing".into() })
    }
}
