//! mmCIF: the table `_atom_site` of a file of words.

use std::path::Path;

use super::{Atom, Collector, understands};
use crate::delimited::without_mark;
use crate::error::{Error, Result};
use crate::format::{Format, Loaded};
use crate::options::ReadOptions;
use crate::source::Input;
use crate::text::{Cell, cell, excerpt};

/// The mmCIF format, read only.
pub struct Mmcif;

const TABLE: &str = "_atom_site.";

impl Format for Mmcif {
    fn name(&self) -> &'static str {
        "mmcif"
    }
    fn extensions(&self) -> &'static [&'static str] {
        &["cif", "mmcif"]
    }
    fn read(&self, input: Input, options: &ReadOptions) -> Result<Loaded> {
        let path = input.path().to_path_buf();
        let bytes = input.bytes()?;
        let text = std::str::from_utf8(without_mark(&path, &bytes)?).map_err(|e| {
            let line = crate::text::count_newlines(&bytes[..e.valid_up_to().min(bytes.len())]) + 1;
            Error::NotUtf8 { path: path.clone(), line }
        })?;
        let mut words = Words { text, at: 0, line: 1 };
        let mut columns: Vec<&str> = vec![];
        // The header of the table: its names follow one another.
        let mut first = None;
        while let Some(word) = words.next() {
            match word.value.strip_prefix(TABLE).filter(|_| !word.quoted) {
                Some(name) => columns.push(name),
                None if columns.is_empty() => {}
                None => {
                    first = Some(word);
                    break;
                }
            }
        }
        let head = Head::find(&path, &columns)?;
        let mut atoms = Collector::new(&path, options);
        let mut row: Vec<Word> = Vec::with_capacity(columns.len());
        for word in first.into_iter().chain(std::iter::from_fn(|| words.next())) {
            if row.is_empty() && word.ends_table() {
                break;
            }
            row.push(word);
            if row.len() == columns.len() {
                atoms.push(head.atom(&path, &row)?)?;
                row.clear();
            }
        }
        if !row.is_empty() {
            let problem = format!("the last atom has {} of {} values", row.len(), columns.len());
            return Err(Error::Truncated { path: path.clone(), problem });
        }
        atoms.finish()
    }
    fn understands(&self, option: &str) -> bool {
        understands(option)
    }
}

/// Where in a row the values are.
struct Head {
    chain: usize,
    residue: usize,
    name: usize,
    place: [usize; 3],
    element: Option<usize>,
    insertion: Option<usize>,
    model: Option<usize>,
}

impl Head {
    fn find(path: &Path, columns: &[&str]) -> Result<Self> {
        let at = |name: &str| columns.iter().position(|c| *c == name);
        let need = |names: [&str; 2]| {
            let problem = || format!("there is no {TABLE}{}", names[0]);
            names.into_iter().find_map(at).ok_or_else(|| Error::WrongFormat {
                path: path.into(),
                format: "mmcif",
                problem: problem(),
            })
        };
        Ok(Self {
            // Numbers and chains as authors give them are those of PDB files.
            chain: need(["auth_asym_id", "label_asym_id"])?,
            residue: need(["auth_seq_id", "label_seq_id"])?,
            name: need(["label_atom_id", "auth_atom_id"])?,
            place: [need(["Cartn_x"; 2])?, need(["Cartn_y"; 2])?, need(["Cartn_z"; 2])?],
            element: at("type_symbol"),
            insertion: at("pdbx_PDB_ins_code"),
            model: at("pdbx_PDB_model_num"),
        })
    }

    fn atom<'a>(&self, path: &Path, row: &[Word<'a>]) -> Result<Atom<'a>> {
        let bad = |word: &Word, what: &str| Error::BadLine {
            path: path.into(),
            line: word.line,
            problem: format!("\"{}\" is not a {what}", excerpt(word.value.as_bytes())),
        };
        let mut place = [0.0; 3];
        for (value, &at) in place.iter_mut().zip(&self.place) {
            *value = match cell(row[at].value.as_bytes()) {
                Cell::Number(value) if value.is_finite() => value,
                _ => return Err(bad(&row[at], "coordinate")),
            };
        }
        let model = match self.model.map(|at| &row[at]) {
            Some(word) => word.value.parse().map_err(|_| bad(word, "number of a model"))?,
            None => 1,
        };
        let insertion = self.insertion.map_or("", |at| row[at].value);
        let insertion = if matches!(insertion, "?" | ".") { "" } else { insertion };
        let name = row[self.name].value;
        let is_ca = name == "CA" && self.element.is_none_or(|at| row[at].value.eq_ignore_ascii_case("C"));
        let residue = format!("{}{insertion}", row[self.residue].value);
        Ok(Atom { model, chain: row[self.chain].value, residue, name, is_ca, place })
    }
}

/// A word of the file, and the line it stands in.
#[derive(Clone, Copy)]
struct Word<'a> {
    value: &'a str,
    quoted: bool,
    line: u64,
}

impl Word<'_> {
    fn ends_table(&self) -> bool {
        let starts = |prefix: &str| self.value.get(..prefix.len()).is_some_and(|v| v.eq_ignore_ascii_case(prefix));
        !self.quoted && (self.value.starts_with('_') || ["loop_", "data_", "save_", "stop_", "global_"].iter().any(|p| starts(p)))
    }
}

/// Words between spaces, in quotes, or between lines that begin with `;`. A `#` begins a remark.
struct Words<'a> {
    text: &'a str,
    at: usize,
    line: u64,
}

impl<'a> Words<'a> {
    fn next(&mut self) -> Option<Word<'a>> {
        let bytes = self.text.as_bytes();
        loop {
            let byte = *bytes.get(self.at)?;
            let line = self.line;
            match byte {
                b'\n' => {
                    self.line += 1;
                    self.at += 1;
                }
                byte if byte.is_ascii_whitespace() => self.at += 1,
                b'#' => self.at = self.end_of_line(self.at),
                b';' if self.at == 0 || bytes[self.at - 1] == b'\n' => {
                    let start = self.at + 1;
                    let end = self.text[start..].find("\n;").map_or(bytes.len(), |at| start + at);
                    let value = &self.text[start..end];
                    self.line += crate::text::count_newlines(&bytes[start..end]) + 1;
                    self.at = (end + 2).min(bytes.len());
                    return Some(Word { value, quoted: true, line });
                }
                b'\'' | b'"' => {
                    // A quote ends the word only where a space or the end of the line follows.
                    let (start, stop) = (self.at + 1, self.end_of_line(self.at));
                    let ends = |at: usize| bytes[at] == byte && (at + 1 >= stop || bytes[at + 1].is_ascii_whitespace());
                    let end = (start..stop).find(|&at| ends(at)).unwrap_or(stop);
                    self.at = (end + 1).min(stop);
                    return Some(Word { value: &self.text[start..end], quoted: true, line });
                }
                _ => {
                    let start = self.at;
                    let end = bytes[start..].iter().position(u8::is_ascii_whitespace).map_or(bytes.len(), |n| start + n);
                    self.at = end;
                    return Some(Word { value: &self.text[start..end], quoted: false, line });
                }
            }
        }
    }

    fn end_of_line(&self, from: usize) -> usize {
        let bytes = self.text.as_bytes();
        bytes[from..].iter().position(|&b| b == b'\n').map_or(bytes.len(), |n| from + n)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::structure::{Atoms, StructureOptions};
    use landbridge::data::Rows;

    const FILE: &str = "data_X\n_entry.id 'it''s'\n_struct.title\n;a title\n_atom_site.x of many\n;\n# remark\nloop_\n\
_atom_site.group_PDB\n_atom_site.type_symbol\n_atom_site.label_atom_id\n_atom_site.label_alt_id\n_atom_site.auth_asym_id\n\
_atom_site.auth_seq_id\n_atom_site.pdbx_PDB_ins_code\n_atom_site.Cartn_x\n_atom_site.Cartn_y\n_atom_site.Cartn_z\n\
_atom_site.pdbx_PDB_model_num\n\
ATOM N N . A 1 ? 1.0 2.0 3.0 1\nATOM C CA A A 1 ? 4 5 6.5 1\nATOM C CA B A 1 ? 0 0 0 1\n\
ATOM C \"CA\" . A 1 C 7 8 9 1\nATOM O \"O5'\" . B 2 ? -1 -2 -3 1\nHETATM CA CA . B 9 ? 1 1 1 1\n\
ATOM C CA . A 1 ? 10 11 12 2\n#\nloop_\n_other.a\n1 2 3\n";

    fn read(text: &str, structure: StructureOptions) -> Result<Loaded> {
        let options = ReadOptions { structure, ..Default::default() };
        Mmcif.read(Input::from_bytes(Path::new("a.cif"), text.into(), 1 << 20)?, &options)
    }

    #[test]
    fn atoms_are_found_among_quotes_remarks_and_other_tables() {
        let loaded = read(FILE, StructureOptions::default()).unwrap();
        assert_eq!(loaded.row_ids.unwrap(), ["A:1", "A:1C"]);
        let Rows::F64(m) = loaded.rows else { panic!("coordinates are f64") };
        assert_eq!(m.as_slice(), [4.0, 5.0, 6.5, 7.0, 8.0, 9.0]);
        let all = read(FILE, StructureOptions { atoms: Some(Atoms::All), chain: Some("B".into()), ..Default::default() });
        assert_eq!(all.unwrap().row_ids.unwrap(), ["B:2:O5'", "B:9:CA"]);
        let second = read(FILE, StructureOptions { model: Some(2), ..Default::default() }).unwrap();
        assert_eq!(second.rows.nrows(), 1);
    }

    #[test]
    fn what_is_wrong_is_named() {
        let message = |text: &str| read(text, StructureOptions::default()).unwrap_err().to_string();
        assert_eq!(message("x,y\n1,2\n"), "a.cif: the file is not mmcif: there is no _atom_site.auth_asym_id");
        assert_eq!(message(&FILE.replace("6.5", "6,5")), "a.cif line 21: \"6,5\" is not a coordinate");
        let cut = &FILE[..FILE.find("10 11").unwrap()];
        assert_eq!(message(cut), "a.cif: the file is cut off: the last atom has 7 of 11 values");
    }
}
