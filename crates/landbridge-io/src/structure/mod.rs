//! Protein structures (`.pdb`, `.cif`): the atoms of one model as rows of x, y, z.

mod mmcif;
mod pdb;

pub use mmcif::Mmcif;
pub use pdb::Pdb;

use std::collections::HashSet;
use std::path::Path;

use landbridge::linalg::Matrix;

use crate::error::{Error, Result};
use crate::format::Loaded;
use crate::options::ReadOptions;
use crate::source::too_large;
use crate::text::listed;

/// Which atoms become rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Atoms {
    /// The C-alpha of each residue.
    #[default]
    Ca,
    /// Every atom, also those of ligands and water.
    All,
}

/// What of a structure is read. Everything has a default.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StructureOptions {
    /// Number of the model, as the file has it; the first one if not given.
    pub model: Option<u32>,
    /// The chain; all of them if not given.
    pub chain: Option<String>,
    /// Which atoms; the C-alphas if not given.
    pub atoms: Option<Atoms>,
}

impl StructureOptions {
    pub(crate) fn given(&self) -> impl Iterator<Item = &'static str> {
        let given = [("model", self.model.is_some()), ("chain", self.chain.is_some()), ("atoms", self.atoms.is_some())];
        given.into_iter().filter(|(_, given)| *given).map(|(name, _)| name)
    }
}

fn understands(option: &str) -> bool {
    ["model", "chain", "atoms"].contains(&option)
}

/// An atom as its line has it.
struct Atom<'a> {
    model: u32,
    chain: &'a str,
    /// Number and insertion code.
    residue: String,
    name: &'a str,
    /// Whether it is the C-alpha of a residue (and not calcium).
    is_ca: bool,
    place: [f64; 3],
}

/// Collects the atoms that are asked for; of alternative places the first counts.
struct Collector<'a> {
    path: &'a Path,
    options: &'a ReadOptions,
    model: Option<u32>,
    models: Vec<u32>,
    chains: Vec<String>,
    ids: Vec<String>,
    places: Vec<f64>,
    seen: HashSet<String>,
}

const COLUMNS: [&str; 3] = ["x", "y", "z"];

impl<'a> Collector<'a> {
    fn new(path: &'a Path, options: &'a ReadOptions) -> Self {
        let model = options.structure.model;
        Self { path, options, model, models: vec![], chains: vec![], ids: vec![], places: vec![], seen: HashSet::new() }
    }

    fn push(&mut self, atom: Atom) -> Result<()> {
        if self.models.last() != Some(&atom.model) && !self.models.contains(&atom.model) {
            self.models.push(atom.model);
        }
        if *self.model.get_or_insert(atom.model) != atom.model {
            return Ok(());
        }
        if self.chains.last().is_none_or(|c| c != atom.chain) && !self.chains.iter().any(|c| c == atom.chain) {
            self.chains.push(atom.chain.into());
        }
        if self.options.structure.chain.as_ref().is_some_and(|c| c != atom.chain) {
            return Ok(());
        }
        let id = match self.options.structure.atoms.unwrap_or_default() {
            Atoms::Ca if !atom.is_ca => return Ok(()),
            Atoms::Ca => format!("{}:{}", atom.chain, atom.residue),
            Atoms::All => format!("{}:{}:{}", atom.chain, atom.residue, atom.name),
        };
        if self.seen.insert(id.clone()) {
            self.ids.push(id);
            self.places.extend(atom.place);
        }
        let needed = self.ids.len() as u64 * 24;
        if needed > self.options.max_memory {
            return Err(too_large(self.path, "the matrix", needed.into(), self.options.max_memory));
        }
        Ok(())
    }

    fn finish(self) -> Result<Loaded> {
        let unknown = |what: String, known: String| Error::UnknownPart { path: self.path.into(), what, known };
        if let Some(model) = self.options.structure.model.filter(|m| !self.models.contains(m)) {
            let known: Vec<String> = self.models.iter().map(u32::to_string).collect();
            return Err(unknown(format!("model {model}"), format!("models {}", listed(&known))));
        }
        if let Some(chain) = self.options.structure.chain.as_ref().filter(|c| !self.chains.contains(c)) {
            return Err(unknown(format!("chain \"{chain}\""), format!("chains {}", listed(&self.chains))));
        }
        if self.ids.is_empty() {
            return Err(Error::NoData { path: self.path.into(), rows: 0, columns: 3 });
        }
        let rows = Matrix::from_vec(self.places, self.ids.len(), 3)?;
        let columns = Some(COLUMNS.map(String::from).to_vec());
        Ok(Loaded { row_ids: Some(self.ids), columns, ..Loaded::new(rows.into()) })
    }
}
