//! New rows as they arrive: lines of a stream are read when they are there, not at its end.

use std::collections::HashSet;
use std::io::{BufRead, ErrorKind};
use std::path::{Path, PathBuf};

use foldhash::fast::RandomState;

use crate::error::{Error, Result};
use crate::format::{Format, Loaded, read_bytes};
use crate::options::{IdColumn, Missing, ReadOptions};
use crate::source::{Compression, compression_of, too_large};
use crate::text::{count_newlines, excerpt};

/// Rows of a csv, tsv, txt or jsonl stream, as many at a time as have arrived.
///
/// Every batch is read as a file that has the header of the stream and these lines; what the first lines show (a header,
/// ids) holds for all.
///
/// ```
/// use landbridge_io::{Delimited, ReadOptions, RowStream};
/// let text = "id,x,y\na,1,2\nb,3,4\n";
/// let mut stream = RowStream::new(text.as_bytes(), "-".as_ref(), &Delimited::CSV, ReadOptions::default())?.unwrap();
/// assert_eq!(stream.next_rows()?.unwrap().row_ids.unwrap(), ["a", "b"]);
/// assert!(stream.next_rows()?.is_none());
/// # Ok::<(), landbridge_io::Error>(())
/// ```
pub struct RowStream<R> {
    source: R,
    path: PathBuf,
    format: &'static dyn Format,
    options: ReadOptions,
    /// What has arrived and was not read.
    pending: Vec<u8>,
    /// Lines before the pending ones.
    line: u64,
    header: Vec<u8>,
    settled: bool,
    /// Columns of the first rows.
    width: Option<usize>,
    /// The ids so far, where one that occurs twice is to be noticed: they take memory.
    ids: Option<HashSet<String, RandomState>>,
}

impl<R: BufRead> RowStream<R> {
    /// None where the rows cannot be read one by one: compressed or other formats, ratings, missing values that become the
    /// mean of all. Then nothing was taken from the source.
    pub fn new(mut source: R, path: &Path, format: &'static dyn Format, options: ReadOptions) -> Result<Option<Self>> {
        let by_line = format.is_text_table() || format.is_text();
        if !by_line || options.ratings || matches!(options.missing, Missing::Mean | Missing::Unknown) {
            return Ok(None);
        }
        let first = filled(&mut source, path)?;
        if first.is_empty() {
            return Err(Error::EmptyFile { path: path.into() });
        }
        if compression_of(&first[..first.len().min(4)]) != Compression::None {
            return Ok(None);
        }
        Ok(Some(Self {
            source,
            path: path.into(),
            format,
            options,
            pending: vec![],
            line: 0,
            header: vec![],
            settled: false,
            width: None,
            ids: Some(HashSet::default()),
        }))
    }

    /// The rows of a file, whose length does not matter: ids are compared within a batch only.
    pub(crate) fn of_file(source: R, path: &Path, format: &'static dyn Format, options: ReadOptions) -> Result<Option<Self>> {
        Ok(Self::new(source, path, format, options)?.map(|stream| Self { ids: None, ..stream }))
    }

    /// Whether the first rows have shown what the columns are.
    pub(crate) fn is_settled(&self) -> bool {
        self.settled
    }

    /// Passes over as many rows as [`RowStream::next_rows`] would read. False at the end.
    pub(crate) fn skip_rows(&mut self) -> Result<bool> {
        loop {
            let (batch, ended) = self.next_batch()?;
            self.line += count_newlines(&batch);
            // Empty lines are documents of a text, and nothing elsewhere.
            if if self.format.name() == "txt" { !batch.is_empty() } else { !batch.trim_ascii().is_empty() } {
                return Ok(true);
            }
            if ended {
                return Ok(false);
            }
        }
    }

    /// The whole lines that have arrived since the last call, and whether the stream has ended.
    fn next_batch(&mut self) -> Result<(Vec<u8>, bool)> {
        let chunk = filled(&mut self.source, &self.path)?;
        let (arrived, ended) = (chunk.len(), chunk.is_empty());
        self.pending.extend_from_slice(chunk);
        self.source.consume(arrived);
        if self.pending.len() as u64 > self.options.max_memory {
            return Err(too_large(&self.path, "a line", self.pending.len() as u128, self.options.max_memory));
        }
        let whole = if ended { self.pending.len() } else { self.whole_lines() };
        Ok((self.pending.drain(..whole).collect(), ended))
    }

    /// The rows that have arrived since the last call; waits for one. None at the end of the stream.
    pub fn next_rows(&mut self) -> Result<Option<Loaded>> {
        loop {
            let (batch, ended) = self.next_batch()?;
            let found = if batch.is_empty() { None } else { self.read(&batch)? };
            if found.is_some() {
                return Ok(found);
            }
            if ended {
                return match self.settled || self.format.is_text() {
                    true => Ok(None),
                    false => Err(Error::NoData { path: self.path.clone(), rows: 0, columns: 0 }),
                };
            }
        }
    }

    /// Where the last complete line ends. A line end between quotes ends no line of a table; a quote counts at the beginning of a
    /// cell, and a doubled one is part of the cell.
    fn whole_lines(&self) -> usize {
        if !self.format.is_text_table() || memchr::memchr(b'"', &self.pending).is_none() {
            return memchr::memrchr(b'\n', &self.pending).map_or(0, |at| at + 1);
        }
        let delimiter = self.options.delimiter.unwrap_or(if self.format.name() == "tsv" { b'\t' } else { b',' });
        let (mut quoted, mut begins, mut end) = (false, true, 0);
        for (at, byte) in self.pending.iter().enumerate() {
            match byte {
                b'"' if quoted || begins => quoted = !quoted,
                // The second of two quotes: the cell goes on.
                b'"' if at > 0 && self.pending[at - 1] == b'"' => quoted = true,
                b'\n' if !quoted => end = at + 1,
                _ => {}
            }
            begins =
                !quoted && (*byte == delimiter || matches!(byte, b'\n' | b'\r') || (begins && b"\xef\xbb\xbf".contains(byte)));
        }
        end
    }

    fn read(&mut self, batch: &[u8]) -> Result<Option<Loaded>> {
        let lines = count_newlines(batch);
        let found = match read_bytes(&self.path, [&self.header[..], batch].concat(), self.format, &self.options) {
            Ok(found) => found,
            // A header without rows, empty lines, or rows that are left out.
            Err(Error::NoData { .. }) => {
                if !self.settled && self.format.is_text_table() && !batch.trim_ascii().is_empty() {
                    self.header.extend_from_slice(batch);
                }
                self.line += lines;
                return Ok(None);
            }
            // Once more with as many empty lines before them as there were lines, so that the message has the right number.
            Err(error) => {
                let before = (self.line - count_newlines(&self.header).min(self.line)) as usize;
                let padded = [&self.header[..], &vec![b'\n'; before], batch].concat();
                return Err(read_bytes(&self.path, padded, self.format, &self.options).err().unwrap_or(error));
            }
        };
        if !self.settled && self.format.is_text_table() {
            let is_header = found.columns.is_some();
            if is_header && self.header.is_empty() {
                let end = batch.split_inclusive(|b| *b == b'\n').scan(0, |end, line| {
                    *end += line.len();
                    Some((*end, line.trim_ascii().is_empty()))
                });
                let end = end.into_iter().find(|(_, empty)| !empty).map_or(0, |(end, _)| end);
                self.header = batch[..end].to_vec();
            }
            self.options.header = Some(is_header);
            let detected = if found.row_ids.is_some() { IdColumn::Position(0) } else { IdColumn::Absent };
            self.options.id_column.get_or_insert(detected);
        }
        self.settled = true;
        let width = found.rows.ncols()
            + usize::from(found.row_ids.is_some())
            + usize::from(found.labels.is_some())
            + usize::from(found.batches.is_some());
        let expected = *self.width.get_or_insert(width);
        if width != expected && self.format.is_text_table() {
            return Err(Error::Ragged { path: self.path.clone(), line: self.line + 1, expected, got: width });
        }
        self.line += lines;
        let Some(ids) = &mut self.ids else { return Ok(Some(found)) };
        for (row, id) in found.row_ids.iter().flatten().enumerate() {
            if !ids.insert(id.clone()) && !self.format.ids_may_repeat() {
                let (path, id) = (self.path.clone(), excerpt(id.as_bytes()));
                let problem = format!("the id \"{id}\" occurs twice");
                return Err(Error::BadLine { path, line: self.line - lines + row as u64 + 1, problem });
            }
        }
        Ok(Some(found))
    }
}

/// What is there, after waiting for something; empty at the end.
fn filled<'a, R: BufRead>(source: &'a mut R, path: &Path) -> Result<&'a [u8]> {
    loop {
        match source.fill_buf() {
            Ok(_) => break,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(source) => return Err(Error::Io { path: path.into(), action: "read", source }),
        }
    }
    source.fill_buf().map_err(|source| Error::Io { path: path.into(), action: "read", source })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Delimited, Jsonl};
    use std::io::BufReader;

    /// Ids and values of each batch, with so many bytes arriving at a time.
    fn batches(text: &str, bytes: usize, options: ReadOptions) -> Result<Vec<String>> {
        let source = BufReader::with_capacity(bytes, text.as_bytes());
        let mut stream = RowStream::new(source, Path::new("-"), &Delimited::CSV, options)?.unwrap();
        let mut found = vec![];
        while let Some(loaded) = stream.next_rows()? {
            let landbridge::data::Rows::F64(rows) = loaded.rows else { panic!("csv is f64") };
            for (i, row) in rows.rows().enumerate() {
                found.push(format!("{} {row:?}", loaded.row_ids.as_ref().map_or("-", |ids| &ids[i])));
            }
        }
        Ok(found)
    }

    #[test]
    fn rows_are_the_same_however_they_arrive() {
        for text in [
            "id,x\n\"a \"\"b\"\"\n, c\",1\n5\" pipe,2\nd\",3\n",
            "id,x,y\na,1,2\n7,3,4\n\nc,5,6\n",
            "1,2\n3,4\n5,6",
            "x,y\nr1,1,2\nr2,3,4\n",
            "\n\u{feff}id,x\n\"a\nb\",1\n\"c\",2\n",
        ] {
            let whole = batches(text, 1 << 16, ReadOptions::default()).unwrap();
            for bytes in [1, 2, 3, 7, 16] {
                assert_eq!(batches(text, bytes, ReadOptions::default()).unwrap(), whole, "{text:?}, {bytes}");
            }
        }
        let drop = || ReadOptions { missing: Missing::Drop, ..Default::default() };
        assert_eq!(batches("x,y\n1,\n2,3\n", 2, drop()).unwrap().len(), 1);
    }

    #[test]
    fn mistakes_have_the_line_of_the_stream() {
        let message = |text: &str| batches(text, 4, ReadOptions::default()).unwrap_err().to_string();
        assert_eq!(message("id,x\na,1\nb,2\nc,z\n"), "- line 4, column \"x\": \"z\" is not a number");
        assert_eq!(message("1,2\n3,4\n5\n"), "- line 3: 1 field where 2 are expected");
        assert_eq!(message("id,x\na,1\na,2\n"), "- line 3: the id \"a\" occurs twice");
        assert_eq!(message("id,x\n"), "-: no data: 0 rows and 0 columns");
        assert!(RowStream::new(&b""[..], Path::new("-"), &Delimited::CSV, ReadOptions::default()).is_err());
        let mean = ReadOptions { missing: Missing::Mean, ..Default::default() };
        assert!(RowStream::new(&b"1\n"[..], Path::new("-"), &Delimited::CSV, mean).unwrap().is_none());
        assert!(RowStream::new(&b"\x1f\x8b123"[..], Path::new("-"), &Jsonl, ReadOptions::default()).unwrap().is_none());
    }
}
