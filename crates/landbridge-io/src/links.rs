//! Which columns correspond: a table of names or numbers, or a word for links that names tell.

use std::path::Path;

use landbridge::data::{ColumnLink, ColumnName, Dataset};

use crate::delimited::{csv_error, line_of, records, without_mark};
use crate::error::{Error, Result};
use crate::options::ReadOptions;
use crate::pairs::{Column, delimiter_of, header};
use crate::source::{Input, refuse_remote};
use crate::text::excerpt;

/// Links between columns of two datasets: `alike` (names spelled alike), `names` (names of genes and proteins), or a csv or tsv file with
/// a column for each dataset and perhaps one of weights.
///
/// Cells are names of columns, or numbers from 0. A header names the datasets, and `weight`; without one the columns are the datasets in
/// order. A file of the name `alike` is read as `./alike`.
pub fn read_links(given: impl AsRef<Path>, datasets: &[Dataset]) -> Result<Vec<ColumnLink>> {
    let path = given.as_ref();
    match path.to_str() {
        Some("alike") => return Ok(ColumnLink::alike(datasets)?),
        Some("names") => return Ok(ColumnLink::names(datasets)?),
        _ => refuse_remote(path)?,
    }
    let bytes = Input::open(path, ReadOptions::default().max_memory)?.bytes()?;
    let text = without_mark(path, &bytes)?;
    let mut reader = records(text, delimiter_of(path, text)?);
    let (mut record, mut columns, mut links) = (csv::StringRecord::new(), None, vec![]);
    let sets: Vec<&Dataset> = datasets.iter().collect();
    while reader.read_record(&mut record).map_err(|e| csv_error(path, e))? {
        let line = line_of(text, record.position());
        let cells: Vec<String> = record.iter().map(str::to_string).collect();
        let Some(order) = &columns else {
            let named = header(path, &cells, &sets)?;
            let is_header = named.is_some();
            let plain = || [Column::Dataset(0), Column::Dataset(1), Column::Weight][..cells.len().clamp(2, 3)].to_vec();
            columns = Some(named.unwrap_or_else(plain));
            if !is_header {
                links.push(link(path, line, &cells, columns.as_deref().unwrap_or_default())?);
            }
            continue;
        };
        links.push(link(path, line, &cells, order)?);
    }
    if links.is_empty() {
        return Err(Error::NoData { path: path.into(), rows: 0, columns: 0 });
    }
    Ok(ColumnLink::resolve(datasets, &links)?)
}

/// One line.
fn link(path: &Path, line: u64, cells: &[String], columns: &[Column]) -> Result<(ColumnName, ColumnName, f64)> {
    if cells.len() != columns.len() {
        return Err(Error::Ragged { path: path.into(), line, expected: columns.len(), got: cells.len() });
    }
    let (mut ends, mut weight) = ([None, None], 1.0);
    for (cell, column) in cells.iter().zip(columns) {
        match column {
            Column::Dataset(d) => ends[*d] = Some(ColumnName::Name(cell.trim().into())),
            Column::Weight => {
                weight = cell.trim().parse().map_err(|_| Error::NotANumber {
                    path: path.into(),
                    line,
                    column: "\"weight\"".into(),
                    value: excerpt(cell.as_bytes()),
                })?;
            }
        }
    }
    match ends {
        [Some(x), Some(y)] => Ok((x, y, weight)),
        _ => {
            Err(Error::BadLine { path: path.into(), line: 1, problem: "links need a column of each of the two datasets".into() })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use landbridge::linalg::Matrix;

    fn sets() -> Vec<Dataset> {
        let set = |name: &str, columns: &[&str]| {
            let rows = Matrix::from_fn(3, columns.len(), |i, j| (i + 2 * j) as f64);
            Dataset::new(name, rows).unwrap().with_columns(columns.iter().map(|c| (*c).to_string()).collect()).unwrap()
        };
        vec![set("rna", &["CD3E", "CD4"]), set("adt", &["CD3", "CD4", "CD8"])]
    }

    fn read(text: &str, name: &str) -> Result<Vec<(usize, usize, f64)>> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        Ok(read_links(&path, &sets())?.iter().map(|l| (l.i, l.j, l.weight)).collect())
    }

    #[test]
    fn a_table_of_names_or_numbers_with_or_without_a_header() {
        assert_eq!(read("CD3E,CD3\nCD4,1\n", "a.csv").unwrap(), [(0, 0, 1.0), (1, 1, 1.0)]);
        assert_eq!(read("adt;weight;rna\nCD3;2;CD3E\n", "a.csv").unwrap(), [(0, 0, 2.0)]);
        assert_eq!(read("0\t2\t.5\n", "a.tsv").unwrap(), [(0, 2, 0.5)]);
        assert!(read("CD3X,CD3\n", "a.csv").unwrap_err().to_string().contains("did you mean \"CD3E\"?"));
        assert!(read("CD3E,CD3\nCD4\n", "a.csv").unwrap_err().to_string().contains("line 2"));
        assert!(read("rna,adt,weight\nCD3E,CD3,much\n", "a.csv").unwrap_err().to_string().contains("much"));
        assert!(read("", "a.csv").is_err());
        assert_eq!(read_links("names", &sets()).unwrap().len(), 2);
    }
}
