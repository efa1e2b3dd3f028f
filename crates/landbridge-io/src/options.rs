//! What a reader may be told.

/// Which column of a table holds the row ids.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IdColumn {
    /// None does: every column is data.
    Absent,
    /// The column at this position, from 0.
    Position(usize),
    /// The column of this name; the table must have a header.
    Name(String),
}

/// What a reader may be told. Everything has a default; `None` means that the file decides.
///
/// | name | default | purpose |
/// |---|---|---|
/// | `name` | file stem | name of the dataset |
/// | `format` | by extension | `csv`, `tsv`, `npy`, `npz`, `mtx`, `h5ad`, `h5mu` |
/// | `header` | detected | csv, tsv: is the first line a header? |
/// | `id_column` | detected | csv, tsv: which column holds row ids? |
/// | `label_column` | none | csv, tsv: the column of this name holds labels; h5ad, h5mu: the column of `obs` |
/// | `delimiter` | `,` or tab | csv, tsv: one byte between cells |
/// | `key` | the only array | npz: which array |
/// | `layer` | `X` | h5ad, h5mu: which layer |
/// | `use_rep` | `X` | h5ad, h5mu: which representation of `obsm` |
/// | `modality` | the only one | h5mu: which modality |
/// | `max_memory` | 16 GiB | most bytes that the text, and the arrays made from it, may each take |
///
/// An option that has no meaning for the format at hand is refused, not ignored.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadOptions {
    /// Name of the dataset; the file stem if not given (`en` for `data/en.csv.gz`).
    pub name: Option<String>,
    /// Name of the format; by extension if not given.
    pub format: Option<String>,
    /// Is the first line a header? Detected if not given.
    pub header: Option<bool>,
    /// Which column holds row ids? Detected if not given.
    pub id_column: Option<IdColumn>,
    /// Name of the column that holds labels.
    pub label_column: Option<String>,
    /// The byte between cells; by format if not given.
    pub delimiter: Option<u8>,
    /// Which array of an npz archive.
    pub key: Option<String>,
    /// Which layer of an AnnData file.
    pub layer: Option<String>,
    /// Which representation (`obsm`) of an AnnData file.
    pub use_rep: Option<String>,
    /// Which modality of a MuData file.
    pub modality: Option<String>,
    /// Most bytes that the text of a file, and the arrays made from it, may each take. A file that unpacks or
    /// declares more is refused before the memory is taken.
    pub max_memory: u64,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self {
            name: None,
            format: None,
            header: None,
            id_column: None,
            label_column: None,
            delimiter: None,
            key: None,
            layer: None,
            use_rep: None,
            modality: None,
            max_memory: 16 << 30,
        }
    }
}

impl ReadOptions {
    /// The options given that only some formats understand.
    pub(crate) fn given(&self) -> impl Iterator<Item = &'static str> {
        let options = [
            ("header", self.header.is_some()),
            ("id_column", self.id_column.is_some()),
            ("label_column", self.label_column.is_some()),
            ("delimiter", self.delimiter.is_some()),
            ("key", self.key.is_some()),
            ("layer", self.layer.is_some()),
            ("use_rep", self.use_rep.is_some()),
            ("modality", self.modality.is_some()),
        ];
        options.into_iter().filter(|(_, given)| *given).map(|(option, _)| option)
    }
}
