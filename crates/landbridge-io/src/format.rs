//! One trait for every format, the list of formats, and the verbs that use it.

use std::collections::HashMap;
use std::io::Write;
use std::path::Path;

use landbridge::data::{Dataset, FileRows, Rows};
use landbridge::linalg::{Csr, Matrix};

use crate::atomic::atomic_write;
use crate::columnar::{ArrowIpc, Kept, Parquet};
use crate::delimited::Delimited;
use crate::documents::{Jsonl, KnownWords, Txt, is_text_folder, read_folder};
use crate::error::{Error, Result};
use crate::h5ad::{H5ad, H5mu};
use crate::missing;
use crate::mtx::Mtx;
use crate::npy::Npy;
use crate::npz::Npz;
use crate::options::ReadOptions;
use crate::source::{Compression, Input, is_dash, name_parts, refuse_remote};
use crate::structure::{Mmcif, Pdb};
use crate::text::excerpt;

/// What a reader hands back.
#[derive(Clone, Debug, PartialEq)]
pub struct Loaded {
    /// The numbers; never empty.
    pub rows: Rows,
    /// Ids of the rows, where the file has them.
    pub row_ids: Option<Vec<String>>,
    /// Names of the columns, where the file has them.
    pub columns: Option<Vec<String>>,
    /// Labels of the rows, where a label column was asked for.
    pub labels: Option<Vec<String>>,
    /// Batches of the rows, where a batch column was asked for.
    pub batches: Option<Vec<String>>,
    /// How text became these columns, where it did.
    pub recipe: Option<serde_json::Value>,
    /// Whether what sparse rows do not store is unknown (ratings), not 0.
    pub partly_known: bool,
    /// The rows of the file that these are, where rows with missing values were left out.
    pub file_rows: Option<FileRows>,
    /// The beginning of each text, where rows were made from text.
    pub snippets: Option<Vec<String>>,
    /// How many words of a text are known, where it was read with the recipe of a model.
    pub words: Option<KnownWords>,
    /// Columns that are carried along, where some were asked for.
    pub kept: Option<Kept>,
}

impl Loaded {
    /// Numbers without names.
    pub(crate) fn new(rows: Rows) -> Self {
        Self {
            rows,
            row_ids: None,
            columns: None,
            labels: None,
            batches: None,
            recipe: None,
            partly_known: false,
            file_rows: None,
            snippets: None,
            words: None,
            kept: None,
        }
    }
}

impl From<Dataset> for Loaded {
    /// Its rows are moved, not copied, unless something else holds them too.
    fn from(dataset: Dataset) -> Self {
        let owned = |names: Option<&[String]>| names.map(<[_]>::to_vec);
        Self {
            row_ids: owned(dataset.row_ids()),
            columns: owned(dataset.columns()),
            labels: owned(dataset.labels()),
            batches: dataset.batches().map(|b| (0..dataset.nrows()).map(|i| b.name_of(i).to_string()).collect()),
            recipe: dataset.recipe().cloned(),
            partly_known: dataset.is_partly_known(),
            file_rows: dataset.file_rows().cloned(),
            snippets: owned(dataset.snippets()),
            words: None,
            kept: None,
            rows: dataset.into_rows(),
        }
    }
}

/// Rows to be written, borrowed.
#[derive(Clone, Copy, Debug)]
pub enum RowsRef<'a> {
    /// Dense, double precision.
    F64(&'a Matrix<f64>),
    /// Dense, single precision.
    F32(&'a Matrix<f32>),
    /// Sparse.
    Sparse(&'a Csr),
}

impl RowsRef<'_> {
    /// Number of rows.
    pub fn nrows(&self) -> usize {
        match self {
            RowsRef::F64(m) => m.nrows(),
            RowsRef::F32(m) => m.nrows(),
            RowsRef::Sparse(m) => m.nrows(),
        }
    }
    /// Number of columns.
    pub fn ncols(&self) -> usize {
        match self {
            RowsRef::F64(m) => m.ncols(),
            RowsRef::F32(m) => m.ncols(),
            RowsRef::Sparse(m) => m.ncols(),
        }
    }
}

impl<'a> From<&'a Matrix<f64>> for RowsRef<'a> {
    fn from(m: &'a Matrix<f64>) -> Self {
        RowsRef::F64(m)
    }
}
impl<'a> From<&'a Matrix<f32>> for RowsRef<'a> {
    fn from(m: &'a Matrix<f32>) -> Self {
        RowsRef::F32(m)
    }
}
impl<'a> From<&'a Csr> for RowsRef<'a> {
    fn from(m: &'a Csr) -> Self {
        RowsRef::Sparse(m)
    }
}
impl<'a> From<&'a Rows> for RowsRef<'a> {
    fn from(rows: &'a Rows) -> Self {
        match rows {
            Rows::F64(m) => RowsRef::F64(m),
            Rows::F32(m) => RowsRef::F32(m),
            Rows::Sparse(m) => RowsRef::Sparse(m),
        }
    }
}

/// What a writer is given: numbers, and names where there are some.
#[derive(Clone, Copy, Debug)]
pub struct Table<'a> {
    /// The numbers.
    pub rows: RowsRef<'a>,
    /// Ids of the rows (csv, tsv: first column, called `id`).
    pub row_ids: Option<&'a [String]>,
    /// Names of the columns (csv, tsv: the header).
    pub columns: Option<&'a [String]>,
    /// Labels of the rows (csv, tsv: last column, called `label`).
    pub labels: Option<&'a [String]>,
    /// Columns that are carried along: between ids and numbers.
    pub kept: Option<&'a Kept>,
}

impl<'a> Table<'a> {
    /// Numbers without names.
    pub fn new(rows: impl Into<RowsRef<'a>>) -> Self {
        Self { rows: rows.into(), row_ids: None, columns: None, labels: None, kept: None }
    }
    /// With an id per row.
    pub fn row_ids(self, ids: &'a [String]) -> Self {
        Self { row_ids: Some(ids), ..self }
    }
    /// With a name per column.
    pub fn columns(self, names: &'a [String]) -> Self {
        Self { columns: Some(names), ..self }
    }
    /// With a label per row.
    pub fn labels(self, labels: &'a [String]) -> Self {
        Self { labels: Some(labels), ..self }
    }
    /// With columns that are carried along.
    pub fn kept(self, kept: &'a Kept) -> Self {
        Self { kept: Some(kept), ..self }
    }
    /// Names, for formats that cannot hold them.
    pub(crate) fn names_given(&self) -> Option<Refusal> {
        let ids = self.row_ids.map(|_| Refusal::RowIds);
        let kept = self.kept.map(|_| Refusal::KeptColumns);
        kept.or(ids).or(self.columns.map(|_| Refusal::ColumnNames)).or(self.labels.map(|_| Refusal::Labels))
    }
    /// Sparse rows, for formats that cannot hold them.
    pub(crate) fn sparse_given(&self) -> Option<Refusal> {
        matches!(self.rows, RowsRef::Sparse(_)).then_some(Refusal::SparseRows)
    }
    /// Refuses names and kept columns that do not fit the numbers.
    pub fn check(&self) -> Result<()> {
        let (n, p) = (self.rows.nrows(), self.rows.ncols());
        for (what, names, expected) in
            [("row ids", self.row_ids, n), ("column names", self.columns, p), ("labels", self.labels, n)]
        {
            if let Some(names) = names.filter(|names| names.len() != expected) {
                let (expected, got) = (expected.to_string(), names.len().to_string());
                return Err(landbridge::Error::Shape { what: what.into(), expected, got }.into());
            }
        }
        let Some(kept) = self.kept else { return Ok(()) };
        if kept.nrows() != n {
            let (expected, got) = (n.to_string(), kept.nrows().to_string());
            return Err(landbridge::Error::Shape { what: "kept columns".into(), expected, got }.into());
        }
        let own = [self.row_ids.map(|_| "id"), self.labels.map(|_| "label")];
        kept.check_names(own.into_iter().flatten().chain(self.columns.into_iter().flatten().map(String::as_str)))
    }
}

impl<'a> From<&'a Dataset> for Table<'a> {
    fn from(dataset: &'a Dataset) -> Self {
        let (row_ids, columns, labels) = (dataset.row_ids(), dataset.columns(), dataset.labels());
        Self { rows: dataset.rows().into(), row_ids, columns, labels, kept: None }
    }
}

/// What a format cannot hold of a table; [`Display`](std::fmt::Display) goes on after "csv files".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refusal {
    /// Files of this format are only read.
    Everything,
    /// It holds every number, zeros too.
    SparseRows,
    /// It has no place for row ids.
    RowIds,
    /// It has no place for column names.
    ColumnNames,
    /// It has no place for labels.
    Labels,
    /// It has no place for columns that are carried along.
    KeptColumns,
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(match self {
            Refusal::Everything => "are read, not written",
            Refusal::SparseRows => "cannot hold sparse rows",
            Refusal::RowIds => "cannot hold row ids",
            Refusal::ColumnNames => "cannot hold column names",
            Refusal::Labels => "cannot hold labels",
            Refusal::KeptColumns => "cannot hold kept columns",
        })
    }
}

/// A file format. To add one: a file with a type that implements this, and a line in [`formats`]. A format that is only
/// read leaves `write` and `refuses` out.
pub trait Format: Sync {
    /// Its name, as [`ReadOptions::format`] takes it.
    fn name(&self) -> &'static str;
    /// Extensions that belong to it, in lower case, without the dot and without `.gz`, `.zst`.
    fn extensions(&self) -> &'static [&'static str];
    /// Reads one matrix. What is read must not be trusted: no panic, no memory by declared size.
    fn read(&self, input: Input, options: &ReadOptions) -> Result<Loaded>;
    /// Writes one matrix that the format does not refuse.
    fn write(&self, sink: &mut dyn Write, table: &Table) -> std::io::Result<()> {
        let _ = (sink, table);
        Err(std::io::Error::other(format!("{} files {}", self.name(), Refusal::Everything)))
    }
    /// What of this table the format cannot hold.
    fn refuses(&self, table: &Table) -> Option<Refusal> {
        let _ = table;
        Some(Refusal::Everything)
    }
    /// Whether this option of [`ReadOptions`] means something to the format. An option that does not is refused.
    fn understands(&self, option: &str) -> bool {
        let _ = option;
        false
    }
    /// Whether it is a table of words and numbers, with a header.
    fn is_text_table(&self) -> bool {
        false
    }
    /// Whether it can hold row ids, column names and labels beside the numbers.
    fn holds_names(&self) -> bool {
        self.is_text_table()
    }
    /// Whether it holds raw text, which a recipe turns into columns.
    fn is_text(&self) -> bool {
        false
    }
    /// Whether two rows may have the same id. AnnData allows it; such ids pair nothing.
    fn ids_may_repeat(&self) -> bool {
        false
    }
}

/// Every format there is.
pub fn formats() -> &'static [&'static dyn Format] {
    &[&Delimited::CSV, &Delimited::TSV, &Npy, &Npz, &Mtx, &Txt, &Jsonl, &Parquet, &ArrowIpc, &Pdb, &Mmcif, &H5ad, &H5mu]
}

/// The format told, or the one that the extension belongs to. `-` is csv unless told.
pub fn format_for(path: &Path, told: Option<&str>) -> Result<&'static dyn Format> {
    refuse_remote(path)?;
    let extension = name_parts(path).extension;
    let found = match told {
        Some(name) => formats().iter().find(|f| f.name() == name),
        None if is_dash(path) => formats().first(),
        None if is_text_folder(path) => return Ok(&Txt),
        None => formats().iter().find(|f| f.extensions().contains(&extension.as_str())),
    };
    let known = || formats().iter().map(|f| f.name()).collect::<Vec<_>>().join(", ");
    found.copied().ok_or_else(|| Error::UnknownFormat {
        path: path.into(),
        found: match told {
            Some(name) => format!("\"{name}\""),
            None if extension.is_empty() => "a name without extension".into(),
            None => format!("the extension .{extension}"),
        },
        known: format!("{}, each also .gz or .zst", known()),
    })
}

/// Reads a matrix with whatever names its file has.
///
/// `-` is standard input (csv unless [`ReadOptions::format`] says otherwise).
pub fn read_matrix(path: impl AsRef<Path>, options: &ReadOptions) -> Result<Loaded> {
    let path = path.as_ref();
    let format = format_for(path, options.format.as_deref())?;
    options.check(path, format)?;
    let folder = format.is_text() && path.is_dir();
    let loaded = match folder {
        true => read_folder(path, options)?,
        false => format.read(Input::open(path, options.max_memory)?, options)?,
    };
    checked(path, loaded, format, options)
}

/// As [`read_matrix`], of bytes that were read and decompressed already.
pub(crate) fn read_bytes(path: &Path, bytes: Vec<u8>, format: &dyn Format, options: &ReadOptions) -> Result<Loaded> {
    checked(path, format.read(Input::plain(path, bytes, options.max_memory), options)?, format, options)
}

/// Settles missing values, and refuses what is empty and ids that occur twice.
pub(crate) fn checked(path: &Path, mut loaded: Loaded, format: &dyn Format, options: &ReadOptions) -> Result<Loaded> {
    missing::settle(path, &mut loaded, options.missing)?;
    let ids = loaded.row_ids.as_deref().filter(|_| !format.ids_may_repeat());
    if let Some((id, first, second)) = ids.and_then(repeated) {
        return Err(Error::DuplicateId { path: path.into(), id: excerpt(id.as_bytes()), first, second });
    }
    let (rows, columns) = (loaded.rows.nrows(), loaded.rows.ncols());
    if rows == 0 || columns == 0 {
        return Err(Error::NoData { path: path.into(), rows, columns });
    }
    Ok(loaded)
}

/// Reads a dataset; its name is the file stem (`en` for `data/en.csv.gz`) unless told.
///
/// ```
/// use landbridge_io::{ReadOptions, read_dataset};
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("en.csv");
/// std::fs::write(&path, "word,x,y\ncat,1,2\ndog,3,4\n")?;
/// let dataset = read_dataset(&path, &ReadOptions::default())?;
/// assert_eq!((dataset.name(), dataset.nrows(), dataset.ncols()), ("en", 2, 2));
/// assert_eq!(dataset.row_ids().unwrap(), ["cat", "dog"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read_dataset(path: impl AsRef<Path>, options: &ReadOptions) -> Result<Dataset> {
    let path = path.as_ref();
    let name = dataset_name(path, options);
    let Loaded { rows, row_ids, columns, labels, batches, recipe, partly_known, file_rows, snippets, .. } =
        read_matrix(path, options)?;
    let mut dataset = Dataset::new(name, rows)?;
    if let Some(ids) = row_ids {
        dataset = dataset.with_row_ids(ids)?;
    }
    if let Some(labels) = labels {
        dataset = dataset.with_labels(labels)?;
    }
    if let Some(batches) = batches {
        dataset = dataset.with_batches(&batches)?;
    }
    if let Some(columns) = columns {
        dataset = dataset.with_columns(columns)?;
    }
    if let Some(recipe) = recipe {
        dataset = dataset.with_recipe(recipe);
    }
    if let Some(file_rows) = file_rows {
        dataset = dataset.with_file_rows(file_rows)?;
    }
    if let Some(snippets) = snippets {
        dataset = dataset.with_snippets(snippets)?;
    }
    Ok(if partly_known { dataset.partly_known() } else { dataset })
}

/// The name of the dataset in a file: the one given, the modality, or the stem of the file.
pub fn dataset_name(path: &Path, options: &ReadOptions) -> String {
    // Several datasets may come from one MuData file.
    match options.name.as_ref().or(options.modality.as_ref()) {
        Some(name) => name.clone(),
        None if is_dash(path) => "stdin".into(),
        None => name_parts(path).stem,
    }
}

/// The first id that an earlier row has already: id, earlier row, row.
fn repeated(ids: &[String]) -> Option<(&str, usize, usize)> {
    let mut seen: HashMap<&str, usize, foldhash::fast::RandomState> = HashMap::default();
    ids.iter().enumerate().find_map(|(row, id)| seen.insert(id, row).map(|first| (id.as_str(), first, row)))
}

/// Writes a matrix in the format of the extension, whole or not at all. `-` is standard output, as csv.
///
/// What a format cannot hold (sparse rows in csv, names in npy) is refused, not dropped.
///
/// ```
/// use landbridge::linalg::Matrix;
/// use landbridge_io::{ReadOptions, Table, read_matrix, write_matrix};
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("z.npy.gz");
/// let rows = Matrix::from_rows(&[[1.0, 2.0], [3.0, 4.0]])?;
/// write_matrix(&path, &Table::new(&rows))?;
/// assert_eq!(read_matrix(&path, &ReadOptions::default())?.rows, rows.into());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_matrix(path: impl AsRef<Path>, table: &Table) -> Result<()> {
    write_matrix_as(path.as_ref(), format_for(path.as_ref(), None)?, table)
}

/// As [`write_matrix`], in this format, whatever the name.
pub fn write_matrix_as(path: &Path, format: &'static dyn Format, table: &Table) -> Result<()> {
    table.check()?;
    if let Some(what) = format.refuses(table) {
        return Err(Error::CannotHold { path: path.into(), format: format.name(), what });
    }
    write_packed(path, &|sink| format.write(sink, table))
}

/// Writes through the compression that the name asks for, whole or not at all.
pub(crate) fn write_packed(path: &Path, fill: &dyn Fn(&mut dyn Write) -> std::io::Result<()>) -> Result<()> {
    atomic_write(path, |sink| match name_parts(path).compression {
        Compression::None => fill(sink),
        Compression::Gzip => {
            let mut packed = flate2::write::GzEncoder::new(sink, flate2::Compression::default());
            fill(&mut packed)?;
            packed.finish().map(|_| ())
        }
        Compression::Zstd => {
            let mut packed = zstd::stream::write::Encoder::new(sink, 3)?;
            packed.include_checksum(true)?;
            fill(&mut packed)?;
            packed.finish().map(|_| ())
        }
    })
}
