//! Parquet. The sizes that pages declare are checked before the decoder takes memory for them.

use std::io::Write;
use std::path::Path;

use arrow_array::RecordBatch;
use arrow_schema::Schema;
use bytes::Bytes;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData};
use parquet::file::properties::WriterProperties;

use super::read::Collector;
use super::{damaged, guarded, plausible, understands, write};
use crate::error::{Error, Result};
use crate::format::{Format, Loaded, Refusal, Table};
use crate::options::ReadOptions;
use crate::source::{Input, too_large};

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
        check_pages(&path, &bytes, builder.metadata(), limit)?;
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

/// Refuses a page that does not lie in the file, and one that declares a size beyond the limit.
fn check_pages(path: &Path, bytes: &[u8], metadata: &ParquetMetaData, limit: u64) -> Result<()> {
    let (mut unpacked, mut values) = (0u64, 0u64);
    for column in metadata.row_groups().iter().flat_map(|g| g.columns()) {
        let mut rest = chunk(bytes, column).ok_or_else(|| damaged(path, &"a column lies outside the file"))?;
        let mut seen = 0;
        while !rest.is_empty() && seen < column.num_values() {
            let page = PageHeader::parse(rest).ok_or_else(|| damaged(path, &"a page header is broken"))?;
            let (header, length) = (page.header, page.packed as usize);
            rest = rest.get(header..).and_then(|r| r.get(length..)).ok_or_else(|| damaged(path, &"a page is cut off"))?;
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

fn chunk<'a>(bytes: &'a [u8], column: &ColumnChunkMetaData) -> Option<&'a [u8]> {
    let start = column.dictionary_page_offset().unwrap_or(column.data_page_offset());
    let start = usize::try_from(start).ok()?;
    bytes.get(start..)?.get(..usize::try_from(column.compressed_size()).ok()?)
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
