//! Arrow IPC: files (`.arrow`, `.feather`) and streams. A file is a stream between two marks with an index after it,
//! so both are read as a stream, message by message; each message is checked before it is decoded.

use std::io::Write;
use std::path::Path;

use arrow_array::RecordBatch;
use arrow_buffer::Buffer;
use arrow_ipc::reader::StreamDecoder;
use arrow_ipc::writer::FileWriter;
use arrow_ipc::{CompressionType, MessageHeader, RecordBatch as BatchHeader, root_as_message};
use arrow_schema::Schema;

mod pieces;

pub(crate) use pieces::arrow_pieces;

use super::read::Collector;
use super::{damaged, guarded, plausible, understands, write};
use crate::error::{Error, Result};
use crate::format::{Format, Loaded, Refusal, Table};
use crate::options::ReadOptions;
use crate::source::{Input, too_large};

/// The Arrow IPC format, file or stream.
pub struct ArrowIpc;

const MAGIC: &[u8] = b"ARROW1";
/// Stands before the length of a message.
const CONTINUATION: [u8; 4] = [0xff; 4];

impl Format for ArrowIpc {
    fn name(&self) -> &'static str {
        "arrow"
    }
    fn extensions(&self) -> &'static [&'static str] {
        &["arrow", "feather", "ipc", "arrows"]
    }
    fn read(&self, input: Input, options: &ReadOptions) -> Result<Loaded> {
        let start = |path: &Path, schema: &Schema| Collector::new(path, schema, options);
        scan(input, options.max_memory, start, Collector::push)?.finish()
    }
    fn write(&self, sink: &mut dyn Write, table: &Table) -> std::io::Result<()> {
        write_batch(sink, &write::table_batch(table)?)
    }
    fn refuses(&self, table: &Table) -> Option<Refusal> {
        table.sparse_given()
    }
    fn understands(&self, option: &str) -> bool {
        understands(option)
    }
    fn holds_names(&self) -> bool {
        true
    }
}

/// Hands the schema and every batch to the functions given.
pub(super) fn scan<S>(
    input: Input,
    limit: u64,
    start: impl FnOnce(&Path, &Schema) -> Result<S>,
    mut push: impl FnMut(&mut S, &RecordBatch) -> Result<()>,
) -> Result<S> {
    let path = input.path().to_path_buf();
    let bytes = input.bytes()?;
    let mut first = 0;
    if bytes.starts_with(MAGIC) {
        if bytes.len() < 72 || !bytes.ends_with(MAGIC) {
            return Err(Error::Truncated { path, problem: "the magic bytes ARROW1 at its end are missing".into() });
        }
        // Zeros follow until the first message is aligned, to 8 bytes or to 64.
        first = (8..=64).step_by(8).find(|&at| bytes[at..].starts_with(&CONTINUATION)).unwrap_or(8);
    } else if !bytes.starts_with(&CONTINUATION) {
        let problem = format!("it begins with {:02x?}", &bytes[..bytes.len().min(4)]);
        return Err(Error::WrongFormat { path, format: "arrow", problem });
    }
    let end = check_messages(&path, &bytes, first, limit)?;
    guarded(&path, || {
        let broken = |e: arrow_schema::ArrowError| damaged(&path, &e);
        let mut stream = Buffer::from_vec(bytes).slice_with_length(first, end - first);
        let mut decoder = StreamDecoder::new();
        let (mut rows, mut start) = (None, Some(start));
        while !stream.is_empty() {
            let batch = decoder.decode(&mut stream).map_err(broken)?;
            if let Some(schema) = decoder.schema()
                && let Some(start) = start.take()
            {
                rows = Some(start(&path, &schema)?);
            }
            if let (Some(batch), Some(rows)) = (batch, rows.as_mut()) {
                push(rows, &batch)?;
            }
        }
        rows.ok_or_else(|| damaged(&path, &"there is no schema"))
    })
}

pub(super) fn write_batch(sink: &mut dyn Write, batch: &RecordBatch) -> std::io::Result<()> {
    let mut out = vec![];
    let mut writer = FileWriter::try_new(&mut out, &batch.schema()).map_err(std::io::Error::other)?;
    writer.write(batch).and_then(|()| writer.finish()).map_err(std::io::Error::other)?;
    drop(writer);
    write::put(sink, &out)
}

/// Where the messages end. Every one lies in the file with its body, its buffers lie in the body, and what they
/// unpack to stays within the limit.
fn check_messages(path: &Path, bytes: &[u8], start: usize, limit: u64) -> Result<usize> {
    let cut = || Error::Truncated { path: path.into(), problem: "a message ends beyond the file".into() };
    let (mut at, mut needed) = (start, 0u64);
    loop {
        let rest = bytes.get(at..).ok_or_else(cut)?;
        if rest.is_empty() {
            // A stream may end without its mark; a file always has one.
            return if start == 0 && at > 0 { Ok(at) } else { Err(cut()) };
        }
        let (Some(mark), Some(length)) = (rest.first_chunk::<4>(), rest.get(4..8).and_then(|r| r.first_chunk::<4>())) else {
            return Err(cut());
        };
        let length = u32::from_le_bytes(*length) as usize;
        if *mark != CONTINUATION {
            return Err(damaged(path, &"a message does not begin with its continuation bytes"));
        }
        if length == 0 {
            return Ok(at + 8);
        }
        let header = rest.get(8..).and_then(|r| r.get(..length)).ok_or_else(cut)?;
        let message = root_as_message(header).map_err(|e| damaged(path, &e))?;
        let body_length = usize::try_from(message.bodyLength()).map_err(|_| damaged(path, &"a negative length"))?;
        let body = rest.get(8 + length..).and_then(|r| r.get(..body_length)).ok_or_else(cut)?;
        let batch = match message.header_type() {
            MessageHeader::RecordBatch => message.header_as_record_batch(),
            MessageHeader::DictionaryBatch => message.header_as_dictionary_batch().and_then(|d| d.data()),
            _ => None,
        };
        if let Some(batch) = batch {
            needed = needed.saturating_add(unpacked(path, &batch, body)?);
            if needed > limit {
                return Err(too_large(path, "the unpacked table", needed.into(), limit));
            }
        }
        at += 8 + length + body_length;
    }
}

/// Bytes that the buffers of a batch unpack to.
fn unpacked(path: &Path, batch: &BatchHeader, body: &[u8]) -> Result<u64> {
    let outside = || damaged(path, &"a buffer lies outside its message");
    if batch.length() < 0 || batch.nodes().is_some_and(|nodes| nodes.iter().any(|n| n.length() < 0 || n.null_count() < 0)) {
        return Err(damaged(path, &"a negative number of rows"));
    }
    if batch.variadicBufferCounts().is_some_and(|counts| counts.iter().any(|c| c < 0 || c > body.len() as i64)) {
        return Err(damaged(path, &"an impossible number of buffers"));
    }
    let packed = batch.compression().map(|c| if c.codec() == CompressionType::LZ4_FRAME { 256 } else { 40_000 });
    let mut total = 0u64;
    for buffer in batch.buffers().iter().flatten() {
        let (start, length) = (usize::try_from(buffer.offset()), usize::try_from(buffer.length()));
        let (Ok(start), Ok(length)) = (start, length) else { return Err(outside()) };
        let content = body.get(start..).and_then(|b| b.get(..length)).ok_or_else(outside)?;
        let Some(ratio) = packed.filter(|_| length > 0) else {
            total = total.saturating_add(length as u64);
            continue;
        };
        let (declared, content) = content.split_first_chunk::<8>().ok_or_else(outside)?;
        total = total.saturating_add(match i64::from_le_bytes(*declared) {
            -1 => content.len() as u64,
            size if size >= 0 && plausible(content.len() as u64, size as u64, ratio) => size as u64,
            size => {
                return Err(damaged(
                    path,
                    &format!("a buffer of {} bytes declares a decompressed size of {size}", content.len()),
                ));
            }
        });
    }
    Ok(total)
}
