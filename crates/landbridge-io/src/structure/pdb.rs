//! PDB: one line per atom, every value at its fixed place in the line.

use super::{Atom, Collector, understands};
use crate::error::{Error, Result};
use crate::format::{Format, Loaded};
use crate::options::ReadOptions;
use crate::source::Input;
use crate::text::{Cell, cell, excerpt, lines};

/// The PDB format, read only.
pub struct Pdb;

impl Format for Pdb {
    fn name(&self) -> &'static str {
        "pdb"
    }
    fn extensions(&self) -> &'static [&'static str] {
        &["pdb", "ent"]
    }
    fn read(&self, input: Input, options: &ReadOptions) -> Result<Loaded> {
        let path = input.path().to_path_buf();
        let bytes = input.bytes()?;
        let mut atoms = Collector::new(&path, options);
        let (mut model, mut records) = (1u32, 0usize);
        for (line, text) in lines(&bytes, 1) {
            let bad = |problem: String| Error::BadLine { path: path.clone(), line, problem };
            if text.starts_with(b"MODEL ") {
                let number = text.get(6..).unwrap_or_default().trim_ascii();
                model = std::str::from_utf8(number)
                    .ok()
                    .and_then(|n| n.parse().ok())
                    .ok_or_else(|| bad(format!("\"{}\" is not a number of a model", excerpt(number))))?;
            }
            if !(text.starts_with(b"ATOM  ") || text.starts_with(b"HETATM")) {
                continue;
            }
            records += 1;
            let Some(text) = std::str::from_utf8(text).ok().filter(|t| t.is_ascii()) else {
                return Err(Error::NotUtf8 { path: path.clone(), line });
            };
            // Columns 31 to 54 hold the place; a shorter line is cut off.
            let (Some(name), Some(chain), Some(residue)) = (text.get(12..16), text.get(21..22), text.get(22..27)) else {
                return Err(bad("the line of this atom is too short".into()));
            };
            let mut place = [0.0; 3];
            for (axis, value) in place.iter_mut().enumerate() {
                let at = 30 + 8 * axis;
                let text = text.get(at..at + 8).ok_or_else(|| bad("the line of this atom is too short".into()))?;
                *value = match cell(text.as_bytes()) {
                    Cell::Number(value) if value.is_finite() => value,
                    _ => return Err(bad(format!("\"{}\" is not a coordinate", excerpt(text.as_bytes())))),
                };
            }
            // Calcium stands one column further left: "CA  ".
            let is_ca = name == " CA ";
            atoms.push(Atom {
                model,
                chain: chain.trim(),
                residue: residue.replace(' ', ""),
                name: name.trim(),
                is_ca,
                place,
            })?;
        }
        if records == 0 {
            let problem = "there is no line that begins with ATOM or HETATM".into();
            return Err(Error::WrongFormat { path: path.clone(), format: "pdb", problem });
        }
        atoms.finish()
    }
    fn understands(&self, option: &str) -> bool {
        understands(option)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::structure::{Atoms, StructureOptions};
    use landbridge::data::Rows;
    use std::path::Path;

    const FILE: &str = "\
HEADER    EXAMPLE
MODEL        1
ATOM      1  N   GLY A   1      11.104   6.134  -6.504  1.00  0.00           N
ATOM      2  CA AGLY A   1      11.639   6.071  -5.147  0.50  0.00           C
ATOM      3  CA BGLY A   1      11.700   6.000  -5.000  0.50  0.00           C
ATOM      4  CA  ALA A   1A      1.000   2.000   3.000  1.00  0.00           C
ATOM      5  CA  SER B   2      -1.000  -2.000  -3.000  1.00  0.00           C
HETATM    6 CA    CA B 101       9.000   9.000   9.000  1.00  0.00          CA
ENDMDL
MODEL        7
ATOM      1  CA  GLY A   1      10.000  20.000  30.000  1.00  0.00           C
ENDMDL
";

    fn read(text: &str, structure: StructureOptions) -> Result<Loaded> {
        let options = ReadOptions { structure, ..Default::default() };
        Pdb.read(Input::from_bytes(Path::new("a.pdb"), text.into(), 1 << 20)?, &options)
    }
    fn values(loaded: &Loaded) -> &[f64] {
        let Rows::F64(m) = &loaded.rows else { panic!("coordinates are f64") };
        m.as_slice()
    }

    #[test]
    fn c_alphas_of_the_first_model_unless_told() {
        let loaded = read(FILE, StructureOptions::default()).unwrap();
        assert_eq!(loaded.row_ids.as_deref().unwrap(), ["A:1", "A:1A", "B:2"]);
        assert_eq!(values(&loaded), [11.639, 6.071, -5.147, 1.0, 2.0, 3.0, -1.0, -2.0, -3.0]);
        let seventh = read(FILE, StructureOptions { model: Some(7), ..Default::default() }).unwrap();
        assert_eq!(values(&seventh), [10.0, 20.0, 30.0]);
        let chain = read(FILE, StructureOptions { chain: Some("B".into()), ..Default::default() }).unwrap();
        assert_eq!(chain.row_ids.unwrap(), ["B:2"]);
        let all = read(FILE, StructureOptions { atoms: Some(Atoms::All), ..Default::default() }).unwrap();
        assert_eq!(all.row_ids.unwrap(), ["A:1:N", "A:1:CA", "A:1A:CA", "B:2:CA", "B:101:CA"]);
    }

    #[test]
    fn what_is_not_there_is_named() {
        let message = |text: &str, structure| read(text, structure).unwrap_err().to_string();
        let model = StructureOptions { model: Some(3), ..Default::default() };
        assert_eq!(message(FILE, model), "a.pdb: there is no model 3; there are models \"1\", \"7\"");
        let chain = StructureOptions { chain: Some("Z".into()), ..Default::default() };
        assert_eq!(message(FILE, chain), "a.pdb: there is no chain \"Z\"; there are chains \"A\", \"B\"");
        let plain = StructureOptions::default;
        assert_eq!(
            message("ATOM      1  CA  GLY A   1      11.104\n", plain()),
            "a.pdb line 1: the line of this atom is too short"
        );
        let broken = FILE.replace("6.071", "6.0x1");
        assert_eq!(message(&broken, plain()), "a.pdb line 4: \"   6.0x1\" is not a coordinate");
        assert!(matches!(read("x,y\n1,2\n", plain()), Err(Error::WrongFormat { .. })));
    }
}
