//! Parquet. The sizes that pages declare are checked before the decoder takes memory for them.

use std::borrow::Cow;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;

use arrow_array::RecordBatch;
use arrow_schema::Schema;
use bytes::Bytes;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder};
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::properties::WriterProperties;

use super::read::Collector;
use super::{damaged, guarded, plausible, understands, write};
use crate::error::{Error, Result};
use crate::format::{Format, Loaded, Refusal, Table};
use crate::options::ReadOptions;
use crate::pieces::{Taker, opened, piece_rows};
use crate::source::{Input, read_error, read_up_to, too_large};

/// The Parquet format.
pub struct Parquet;

/// Rows decoded at a time.
const BATCH: usize = 8192;

impl Format for Parquet {
    fn name(&self) -> &'static str {
        "parquet"
    }
    fn extensions(&self) -> &'static [&'static str] {
        &["parquet", "pq"]
    }
    fn read(&self, input: Input, options: &ReadOptions) -> Result<Loaded> {
        let start = |path: &Path, schema: &Schema| Collector::new(path, schema, options);
        scan(input, options.max_memory, start, Collector::check_rows, Collector::push)?.finish()
    }
    fn write(&self, sink: &mut dyn Write, table: &Table) -> std::io::Result<()> {
        write_batch(sink, write::table_batch(table)?)
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

/// Hands the schema, the declared number of rows and every batch to the functions given.
pub(super) fn scan<S>(
    input: Input,
    limit: u64,
    start: impl FnOnce(&Path, &Schema) -> Result<S>,
    expect: impl Fn(&S, u128) -> Result<()>,
    mut push: impl FnMut(&mut S, &RecordBatch) -> Result<()>,
) -> Result<S> {
    let path = input.path().to_path_buf();
    let bytes = Bytes::from(input.bytes()?);
    if !bytes.starts_with(b"PAR1") {
        let problem = format!("it begins with {:02x?}, not with PAR1", &bytes[..bytes.len().min(4)]);
        return Err(Error::WrongFormat { path, format: "parquet", problem });
    }
    if bytes.len() < 12 || !bytes.ends_with(b"PAR1") {
        return Err(Error::Truncated { path, problem: "the magic bytes PAR1 at its end are missing".into() });
    }
    guarded(&path, || {
        let builder = ParquetRecordBatchReaderBuilder::try_new(bytes.clone()).map_err(|e| damaged(&path, &e))?;
        let columns = builder.metadata().row_groups().iter().flat_map(|g| g.columns());
        let fetch = |at: u64, _: usize| usize::try_from(at).ok().and_then(|at| bytes.get(at..)).map(Cow::Borrowed);
        check_pages(&path, &fetch, columns, limit)?;
        let mut rows = start(&path, builder.schema())?;
        let declared: i128 = builder.metadata().row_groups().iter().map(|g| i128::from(g.num_rows())).sum();
        expect(&rows, u128::try_from(declared).map_err(|_| damaged(&path, &"a negative number of rows"))?)?;
        let mut found = 0i128;
        for batch in builder.with_batch_size(BATCH).build().map_err(|e| damaged(&path, &e))? {
            let batch = batch.map_err(|e| damaged(&path, &e))?;
            found += batch.num_rows() as i128;
            push(&mut rows, &batch)?;
        }
        if found != declared {
            return Err(damaged(&path, &format!("the header declares {declared} rows, the file has {found}")));
        }
        Ok(rows)
    })
}

pub(super) fn write_batch(sink: &mut dyn Write, batch: RecordBatch) -> std::io::Result<()> {
    let level = ZstdLevel::try_new(3).map_err(std::io::Error::other)?;
    // Numbers hardly repeat: a dictionary would cost time and save nothing.
    let properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(level))
        .set_dictionary_enabled(false)
        .set_created_by("landbridge".into())
        .build();
    let mut out = vec![];
    let mut writer = ArrowWriter::try_new(&mut out, batch.schema(), Some(properties)).map_err(std::io::Error::other)?;
    writer.write(&batch).map_err(std::io::Error::other)?;
    writer.close().map_err(std::io::Error::other)?;
    write::put(sink, &out)
}

/// What is in the file from some place on; no more than so many bytes are needed, and fewer at its end.
type Fetch<'a> = dyn Fn(u64, usize) -> Option<Cow<'a, [u8]>> + 'a;

/// Refuses a page that does not lie in the file, and one that declares a size beyond the limit.
fn check_pages<'m>(
    path: &Path,
    fetch: &Fetch<'_>,
    columns: impl Iterator<Item = &'m ColumnChunkMetaData>,
    limit: u64,
) -> Result<()> {
    // Mostly some dozen bytes; statistics of long texts can make them longer.
    const HEADERS: [usize; 2] = [1 << 12, 1 << 24];
    let (mut unpacked, mut values) = (0u64, 0u64);
    for column in columns {
        let (mut at, end) = chunk(column).ok_or_else(|| damaged(path, &"a column lies outside the file"))?;
        if end > at && fetch(end - 1, 1).is_none_or(|byte| byte.is_empty()) {
            return Err(damaged(path, &"a column lies outside the file"));
        }
        let mut seen = 0;
        while at < end && seen < column.num_values() {
            let header = HEADERS.iter().find_map(|most| {
                let bytes = fetch(at, *most)?;
                PageHeader::parse(&bytes[..bytes.len().min(usize::try_from(end - at).unwrap_or(usize::MAX))])
            });
            let page = header.ok_or_else(|| damaged(path, &"a page header is broken"))?;
            at = at.saturating_add(page.header as u64).saturating_add(page.packed);
            if at > end {
                return Err(damaged(path, &"a page is cut off"));
            }
            if !plausible(page.packed, page.unpacked, ratio(column.compression())) {
                let problem = format!("a page of {} bytes declares a decompressed size of {}", page.packed, page.unpacked);
                return Err(damaged(path, &problem));
            }
            unpacked = unpacked.saturating_add(page.unpacked);
            values = values.saturating_add(page.values);
            seen = seen.saturating_add(if page.is_data { page.values as i64 } else { 0 });
        }
    }
    let needed = unpacked.max(values.saturating_mul(8));
    if needed > limit {
        return Err(too_large(path, "the unpacked table", needed.into(), limit));
    }
    Ok(())
}

/// Where a column begins and ends.
fn chunk(column: &ColumnChunkMetaData) -> Option<(u64, u64)> {
    let start = u64::try_from(column.dictionary_page_offset().unwrap_or(column.data_page_offset())).ok()?;
    Some((start, start.checked_add(u64::try_from(column.compressed_size()).ok()?)?))
}

/// The rows of a file in pieces that lie within its row groups.
pub(crate) struct ParquetPieces {
    metadata: ArrowReaderMetadata,
    /// The row group of each piece, and its rows.
    cuts: Vec<(usize, usize)>,
}

impl ParquetPieces {
    pub(crate) fn open(path: &Path, options: &ReadOptions) -> Result<Self> {
        let mut file = opened(path)?;
        let mut magic = [0; 4];
        let read = read_up_to(&mut file, &mut magic).map_err(|e| read_error(path, e))?;
        if magic != *b"PAR1" {
            let problem = format!("it begins with {:02x?}, not with PAR1", &magic[..read]);
            return Err(Error::WrongFormat { path: path.into(), format: "parquet", problem });
        }
        let metadata =
            guarded(path, || ArrowReaderMetadata::load(&file, ArrowReaderOptions::default()).map_err(|e| damaged(path, &e)))?;
        Collector::new(path, metadata.schema(), options)?;
        let mut cuts = vec![];
        for (at, group) in metadata.metadata().row_groups().iter().enumerate() {
            let rows = usize::try_from(group.num_rows()).map_err(|_| damaged(path, &"a negative number of rows"))?;
            let values: i64 = group.columns().iter().map(ColumnChunkMetaData::num_values).sum();
            let step = piece_rows(usize::try_from(values).unwrap_or(usize::MAX) / rows.max(1));
            cuts.extend((0..rows).step_by(step).map(|from| (at, step.min(rows - from))));
        }
        if cuts.is_empty() {
            return Err(Error::NoData { path: path.into(), rows: 0, columns: metadata.schema().fields().len() });
        }
        Ok(Self { metadata, cuts })
    }
    pub(crate) fn rows(&self) -> Vec<usize> {
        self.cuts.iter().map(|(_, rows)| *rows).collect()
    }
    /// Reads the wanted pieces. Of a row group with none of them nothing is read.
    pub(crate) fn read(&self, path: &Path, options: &ReadOptions, taker: &mut Taker<'_>) -> Result<()> {
        let file = opened(path)?;
        let fetch = |at: u64, most: usize| {
            let mut file = &file;
            file.seek(SeekFrom::Start(at)).ok()?;
            let mut bytes = vec![];
            file.take(most as u64).read_to_end(&mut bytes).ok()?;
            Some(Cow::Owned(bytes))
        };
        for pieces in self.cuts.chunk_by(|a, b| a.0 == b.0) {
            let Some(last) = (0..pieces.len()).rev().find(|ahead| taker.wants_ahead(*ahead)) else {
                pieces.iter().for_each(|(_, rows)| taker.skip(*rows));
                continue;
            };
            let group = pieces[0].0;
            let columns = self.metadata.metadata().row_group(group).columns().iter();
            check_pages(path, &fetch, columns, options.max_memory)?;
            let again = opened(path)?;
            let mut reader = guarded(path, || {
                ParquetRecordBatchReaderBuilder::new_with_metadata(again, self.metadata.clone())
                    .with_row_groups(vec![group])
                    .with_batch_size(pieces[0].1)
                    .build()
                    .map_err(|e| damaged(path, &e))
            })?;
            for (at, (_, rows)) in pieces.iter().enumerate() {
                if at > last {
                    taker.skip(*rows);
                    continue;
                }
                let batch = guarded(path, || reader.next().transpose().map_err(|e| damaged(path, &e)))?;
                let batch = batch.filter(|b| b.num_rows() == *rows);
                let batch = batch.ok_or_else(|| damaged(path, &"a row group has another number of rows than its header says"))?;
                if !taker.wants() {
                    taker.skip(*rows);
                    continue;
                }
                let mut collector = Collector::new(path, self.metadata.schema(), options)?;
                let pushed = collector.push(&batch);
                drop(batch);
                if !taker.give(*rows, pushed.and_then(|()| collector.finish())) {
                    return Ok(());
                }
            }
        }
        Ok(())
    }
}

/// The largest ratio that each compression can reach.
fn ratio(compression: Compression) -> u64 {
    match compression {
        Compression::UNCOMPRESSED => 1,
        Compression::SNAPPY => 64,
        Compression::LZ4 | Compression::LZ4_RAW => 256,
        Compression::GZIP(_) => 1100,
        _ => 40_000,
    }
}

/// What of a page header matters here; its own form is Thrift's compact one.
struct PageHeader {
    /// Bytes of the header.
    header: usize,
    packed: u64,
    unpacked: u64,
    values: u64,
    is_data: bool,
}

impl PageHeader {
    fn parse(bytes: &[u8]) -> Option<Self> {
        let mut thrift = Thrift { bytes, at: 0 };
        let (mut packed, mut unpacked, mut values, mut is_data, mut field) = (None, None, 0, false, 0);
        while let Some(kind) = thrift.field(&mut field)? {
            match (field, kind) {
                (2, INT32) => unpacked = u64::try_from(thrift.zigzag()?).ok(),
                (3, INT32) => packed = u64::try_from(thrift.zigzag()?).ok(),
                (5 | 7 | 8, STRUCT) => {
                    is_data = field != 7;
                    let mut inner = 0;
                    while let Some(kind) = thrift.field(&mut inner)? {
                        match (inner, kind) {
                            (1, INT32) => values = u64::try_from(thrift.zigzag()?).ok()?,
                            _ => thrift.skip(kind, 0)?,
                        }
                    }
                }
                _ => thrift.skip(kind, 0)?,
            }
        }
        Some(Self { header: thrift.at, packed: packed?, unpacked: unpacked?, values, is_data })
    }
}

const INT32: u8 = 5;
const STRUCT: u8 = 12;

/// Thrift's compact form, as far as it is needed to step over it.
struct Thrift<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Thrift<'_> {
    fn byte(&mut self) -> Option<u8> {
        let byte = *self.bytes.get(self.at)?;
        self.at += 1;
        Some(byte)
    }
    fn varint(&mut self) -> Option<u64> {
        let mut value = 0u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(value);
            }
        }
        None
    }
    fn zigzag(&mut self) -> Option<i64> {
        let value = self.varint()?;
        Some((value >> 1) as i64 ^ -((value & 1) as i64))
    }
    /// The kind of the next field, whose number is put into `field`; none at the end of the struct.
    fn field(&mut self, field: &mut i64) -> Option<Option<u8>> {
        let byte = self.byte()?;
        if byte == 0 {
            return Some(None);
        }
        *field = match byte >> 4 {
            0 => self.zigzag()?,
            step => field.checked_add(i64::from(step))?,
        };
        Some(Some(byte & 0xf))
    }
    fn skip(&mut self, kind: u8, depth: usize) -> Option<()> {
        if depth > 16 {
            return None;
        }
        match kind {
            1 | 2 => {}
            3 => self.at += 1,
            4..=6 => {
                self.varint()?;
            }
            7 => self.at += 8,
            8 => {
                let length = usize::try_from(self.varint()?).ok()?;
                self.at = self.at.checked_add(length)?;
            }
            9 | 10 => {
                let head = self.byte()?;
                let count = if head >> 4 == 15 { self.varint()? } else { u64::from(head >> 4) };
                for _ in 0..count {
                    // Truth values take a byte in a list.
                    if matches!(head & 0xf, 1 | 2) {
                        self.at += 1
                    } else {
                        self.skip(head & 0xf, depth + 1)?
                    }
                    if self.at > self.bytes.len() {
                        return None;
                    }
                }
            }
            STRUCT => {
                let mut field = 0;
                while let Some(kind) = self.field(&mut field)? {
                    self.skip(kind, depth + 1)?;
                }
            }
            13 => self.at += 16,
            _ => return None,
        }
        (self.at <= self.bytes.len()).then_some(())
    }
}
