//! Options of the readers.

use std::path::Path;
use std::sync::Arc;

use crate::documents::{TextOptions, TextRecipe};
use crate::error::{Error, Result};
use crate::format::Format;
use crate::structure::StructureOptions;

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

/// Columns of a file that are carried along beside the rows, see [`Kept`](crate::Kept).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Keep {
    /// Their names.
    pub columns: Vec<String>,
    /// Those of them that are data too, if [`ReadOptions::columns`] does not say it. The others are not read as numbers.
    pub data: Vec<String>,
}

impl Keep {
    /// These columns, for new rows of a dataset that was fitted with columns of these names: a column that has one of the names, or
    /// whose list has them (`v` for `v.0`, `v.1`), is also data.
    pub fn beside(columns: &[String], fitted: Option<&[String]>) -> Self {
        let is_list = |name: &str, feature: &str| feature.strip_prefix(name).is_some_and(|rest| rest == ".0");
        let is_feature = |name: &&String| fitted.into_iter().flatten().any(|f| f == *name || is_list(name, f));
        Self { columns: columns.to_vec(), data: columns.iter().filter(is_feature).cloned().collect() }
    }
}

/// Options of the readers. Everything has a default; `None` means that the file decides.
///
/// | name | default | purpose |
/// |---|---|---|
/// | `name` | file stem | name of the dataset |
/// | `format` | by extension | the name of one of [`formats`](crate::formats) |
/// | `header` | detected | csv, tsv: whether the first line is a header |
/// | `id_column` | detected | csv, tsv: the column that holds row ids |
/// | `label_column` | none | csv, tsv: the column of this name holds labels; h5ad, h5mu: the column of `obs` |
/// | `batch_column` | none | csv, tsv, parquet, arrow: the column that holds the batch of each row; h5ad, h5mu: the column of `obs` |
/// | `columns` | all others | csv, tsv, parquet, arrow: the columns that are data, by name; the rest is not read |
/// | `keep` | none | csv, tsv, parquet, arrow, jsonl: columns that are carried along; h5ad, h5mu: columns of `obs` |
/// | `delimiter` | `,` or tab | csv, tsv: one byte between cells |
/// | `decimal` | `.` | csv, tsv: the byte before decimals, `.` or `,` |
/// | `key` | the only array | npz: which array |
/// | `layer` | `X` | h5ad, h5mu: which layer |
/// | `use_rep` | `X` | h5ad, h5mu: which representation of `obsm` |
/// | `modality` | the only one | h5mu: which modality |
/// | `missing` | error | what becomes of missing values |
/// | `ratings` | no | csv, tsv: lines of user, item, rating, to a sparse matrix |
/// | `structure` | C-alphas of the first model | pdb, mmcif: which model, chain, atoms |
/// | `text` | words, tf-idf | txt, jsonl: how text becomes columns |
/// | `recipe` | none | txt, jsonl: the recipe of a fitted dataset, to be followed |
/// | `max_memory` | 16 GiB | most bytes that the text, and the arrays made from it, may each take |
///
/// An option that has no meaning for the format at hand is refused, not ignored.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadOptions {
    /// Name of the dataset; the file stem if not given (`en` for `data/en.csv.gz`).
    pub name: Option<String>,
    /// Name of the format; by extension if not given.
    pub format: Option<String>,
    /// Whether the first line is a header. Detected if not given.
    pub header: Option<bool>,
    /// The column that holds row ids. Detected if not given.
    pub id_column: Option<IdColumn>,
    /// Name of the column that holds labels.
    pub label_column: Option<String>,
    /// Name of the column that holds the batch of each row.
    pub batch_column: Option<String>,
    /// Names of the columns that are data, in the order of the file; every column but ids and labels if not given.
    pub columns: Option<Vec<String>>,
    /// Columns that are carried along.
    pub keep: Keep,
    /// The byte between cells; by format if not given.
    pub delimiter: Option<u8>,
    /// The byte before decimals: a point, or a comma as some spreadsheets write it.
    pub decimal: Option<u8>,
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
    /// What becomes of empty cells and NaN.
    pub missing: Missing,
    /// Whether the table has lines of user, item, rating.
    pub ratings: bool,
    /// Which atoms of a structure.
    pub structure: StructureOptions,
    /// How text becomes columns.
    pub text: TextOptions,
    /// Follow this recipe instead of finding words and weights in the text itself.
    pub recipe: Option<Arc<TextRecipe>>,
}

/// What becomes of missing values: empty cells, NA, NaN, null.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Missing {
    /// The file is refused.
    #[default]
    Error,
    /// They become 0.
    Zero,
    /// They become the mean of the values that the column has in this file.
    Mean,
    /// Rows with a missing value are left out; rows are counted without them.
    Drop,
    /// They stay unknown: the rows become sparse, and what is not stored is not known (methods that predict values look at
    /// it). Of sparse rows the stored entries are the known ones.
    Unknown,
    /// They stay NaN: for inspecting a file. A dataset refuses them.
    Keep,
}

impl Missing {
    /// The words of the command line and of Python.
    pub fn named(word: &str) -> Option<Self> {
        Some(match word {
            "error" => Missing::Error,
            "zero" => Missing::Zero,
            "mean" => Missing::Mean,
            "drop" => Missing::Drop,
            "unknown" => Missing::Unknown,
            _ => return None,
        })
    }
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self {
            name: None,
            format: None,
            header: None,
            id_column: None,
            label_column: None,
            batch_column: None,
            columns: None,
            keep: Keep::default(),
            delimiter: None,
            decimal: None,
            key: None,
            layer: None,
            use_rep: None,
            modality: None,
            max_memory: 16 << 30,
            missing: Missing::Error,
            ratings: false,
            structure: StructureOptions::default(),
            text: TextOptions::default(),
            recipe: None,
        }
    }
}

impl ReadOptions {
    /// Refuses an option that means nothing to the format.
    pub fn check(&self, path: &Path, format: &dyn Format) -> Result<()> {
        if self.ratings && !self.keep.columns.is_empty() {
            return Err(Error::OptionWithoutMeaning { path: path.into(), option: "keep", format: "ratings" });
        }
        match self.given().find(|option| !format.understands(option)) {
            Some(option) => Err(Error::OptionWithoutMeaning { path: path.into(), option, format: format.name() }),
            None => Ok(()),
        }
    }

    /// The options given, by name; each must mean something to the format.
    pub fn given(&self) -> impl Iterator<Item = &'static str> {
        let given = [
            ("header", self.header.is_some()),
            ("id_column", self.id_column.is_some()),
            ("label_column", self.label_column.is_some()),
            ("batch_column", self.batch_column.is_some()),
            ("columns", self.columns.is_some()),
            ("keep", !self.keep.columns.is_empty()),
            ("delimiter", self.delimiter.is_some()),
            ("decimal", self.decimal.is_some()),
            ("key", self.key.is_some()),
            ("layer", self.layer.is_some()),
            ("use_rep", self.use_rep.is_some()),
            ("modality", self.modality.is_some()),
            ("ratings", self.ratings),
        ];
        let given = given.into_iter().filter(|(_, given)| *given).map(|(name, _)| name);
        given.chain(self.text.given()).chain(self.structure.given())
    }
}
