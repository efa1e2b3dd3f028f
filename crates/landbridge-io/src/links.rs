//! Which columns correspond: a table of names or numbers, or a word for links that names tell.

use std::path::Path;

use landbridge::data::{ColumnLink, ColumnName, Dataset};
use landbridge::params::nearest;

use crate::delimited::{csv_error, line_of, records, without_mark};
use crate::error::{Error, Result};
use crate::options::ReadOptions;
use crate::pairs::{Column, delimiter_of, header};
use crate::source::{Input, refuse_remote};
use crate::text::{excerpt, listed};

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
    if let Some(word) = path.to_str().filter(|word| !word.contains(['.', '/', '\\']) && !path.exists()) {
        let near = nearest(word, &["alike", "names"]).map_or_else(String::new, |near| format!(" (did you mean \"{near}\"?)"));
        let (value, expected) = (format!("\"{word}\""), format!("\"alike\", \"names\", or a file that is there{near}"));
        return Err(landbridge::Error::BadParameter { name: "links".into(), value, expected }.into());
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
            // Numbers are columns, even where the datasets are called 0 and 1, as Python calls them.
            let numbers = cells.iter().all(|cell| cell.trim().parse::<f64>().is_ok());
            let named = if numbers { None } else { header(path, &cells, &sets)? };
            let is_header = named.is_some();
            let plain = || [Column::Dataset(0), Column::Dataset(1), Column::Weight][..cells.len().clamp(2, 3)].to_vec();
            columns = Some(named.unwrap_or_else(plain));
            if !is_header {
                check_first(path, line, &cells, datasets)?;
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

/// Refuses a first line whose words are columns of neither dataset: a header with other names, most likely.
fn check_first(path: &Path, line: u64, cells: &[String], datasets: &[Dataset]) -> Result<()> {
    let known = |cell: &String| {
        let cell = cell.trim();
        cell.parse::<f64>().is_ok() || datasets.iter().any(|d| d.columns().is_some_and(|names| names.iter().any(|n| n == cell)))
    };
    let [first, second, ..] = cells else { return Ok(()) };
    if known(first) || known(second) {
        return Ok(());
    }
    let names: Vec<&str> = datasets.iter().map(|d| d.name()).collect();
    let problem = format!(
        "\"{}\" and \"{}\" are neither columns nor the names of the datasets, which are called {} (in Python, \
         fit({{\"rna\": X, \"adt\": Y}}, links=...) gives them names)",
        excerpt(first.trim().as_bytes()),
        excerpt(second.trim().as_bytes()),
        listed(&names)
    );
    Err(Error::BadLine { path: path.into(), line, problem })
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
        let said = read_links("names?", &sets()).unwrap_err().to_string();
        assert_eq!(
            said,
            "links is \"names?\"; it must be \"alike\", \"names\", or a file that is there (did you mean \"names\"?)"
        );
        let said = read("genes,proteins\nCD4,CD4\n", "a.csv").unwrap_err().to_string();
        assert!(said.contains("line 1: \"genes\" and \"proteins\" are neither columns nor the names of the datasets"), "{said}");
        // Datasets that Python numbers: a line of numbers is a link, not a header.
        let numbered: Vec<Dataset> = sets().into_iter().zip(["0", "1"]).map(|(d, name)| d.renamed(name)).collect();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.csv");
        std::fs::write(&path, "0,1\n1,2\n").unwrap();
        assert_eq!(read_links(&path, &numbered).unwrap().len(), 2);
    }
}
