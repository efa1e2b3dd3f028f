//! Reading and writing for landbridge: every format behind one trait, every file written whole or not at all.
//!
//! | extension | read | written |
//! |---|---|---|
//! | `.csv`, `.tsv` | dense f64, row ids, column names, labels | dense, with names |
//! | `.npy` | dense f32 (from f2, f4) or f64 (from anything else) | dense f32, f64 |
//! | `.npz` | one dense array, or a SciPy sparse matrix | dense, sparse (SciPy csr) |
//! | `.mtx` | sparse (coordinate) or dense (array) | sparse, dense |
//! | `.parquet`, `.arrow` | dense f32, f64, row ids, column names, labels; lists as features | dense, with names |
//! | `.pdb`, `.cif` | dense f64: x, y, z of atoms, with ids | – |
//! | `.txt`, `.jsonl`, a folder of text files | sparse: bags of words with a recipe | – |
//! | `.h5ad`, `.h5mu` | AnnData, a modality of MuData: dense or sparse, row ids, column names, labels | – |
//!
//! Each also as `.gz` or `.zst`. A file is not trusted: the sizes that it declares are compared with its bytes before
//! memory is taken, and [`ReadOptions::max_memory`] bounds the decompressed size.
//!
//! ```
//! use landbridge_io::{ReadOptions, read_dataset, read_pairs};
//! let folder = tempfile::tempdir()?;
//! let at = |name: &str| folder.path().join(name);
//! std::fs::write(at("en.csv"), "id,x,y\ncat,1,2\ndog,3,4\n")?;
//! std::fs::write(at("it.csv"), "id,u\ngatto,5\ncane,6\n")?;
//! std::fs::write(at("pairs.csv"), "it,en\ngatto,cat\ncane,dog\n")?;
//! let en = read_dataset(at("en.csv"), &ReadOptions::default())?;
//! let it = read_dataset(at("it.csv"), &ReadOptions::default())?;
//! let pairs = read_pairs(at("pairs.csv"), &[&en, &it])?;
//! assert_eq!(pairs.len(), 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod atomic;
mod columnar;
mod columns;
mod delimited;
mod documents;
mod error;
mod export;
mod format;
mod h5ad;
mod inspect;
mod journal;
mod layout;
mod links;
mod missing;
mod model;
mod mtx;
mod npy;
mod npz;
mod number;
mod numbered;
mod options;
mod own_options;
mod pairs;
mod pieces;
mod ratings;
mod source;
mod sparse;
mod stream;
mod structure;
mod table;
mod text;

pub use atomic::{atomic_write, remove_strays};
pub use columnar::{ArrowIpc, Column, Kept, Parquet, write_columns, write_columns_beside};
pub use columns::{ColumnNote, MatchedColumns, like_fitted, match_columns, new_rows, no_rating, notes_of_text, read_new};
pub use delimited::Delimited;
pub use documents::{Jsonl, KnownWords, TextOptions, TextRecipe, Txt, Weighting};
pub use error::{Error, Place, Result};
pub use export::export_map;
pub use format::{
    Format, Loaded, Refusal, RowsRef, Table, dataset_name, format_for, formats, read_dataset, read_matrix, write_matrix,
    write_matrix_as,
};
pub use h5ad::{H5ad, H5mu, modalities};
pub use inspect::{Inspection, inspect};
pub use journal::JournalFile;
pub use layout::names_ids;
pub use links::read_links;
pub use model::{check_model_name, load_model, load_statistics, save_model, save_statistics};
pub use mtx::Mtx;
pub use npy::Npy;
pub use npz::Npz;
pub use numbered::note_of_numbered;
pub use options::{IdColumn, Keep, Missing, ReadOptions};
pub use own_options::{one_byte, own_options, span};
pub use pairs::{PairCell, PairTable, SharedIds, pairs_by_id, read_pair_table, read_pairs, row_numbers, shared_ids};
pub use pieces::Pieces;
pub use ratings::{columns_of_ratings, note_of_ratings, ratings_like};
pub use source::{Compression, Input};
pub use stream::RowStream;
pub use structure::{Atoms, Mmcif, Pdb, StructureOptions};
pub use table::{TableOptions, read_labels, write_table, write_table_to};
