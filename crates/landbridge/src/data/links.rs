//! Which columns are known to correspond: genes and proteins, words of a dictionary, tokens spelled alike.

use crate::data::Dataset;
use crate::error::{Error, Result};
use crate::params::nearest;
use std::collections::{BTreeMap, HashMap};

/// Column `i` of dataset `a` means about the same as column `j` of dataset `b`, `a < b`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ColumnLink {
    /// Position of the first dataset.
    pub a: usize,
    /// Column of the first dataset.
    pub i: usize,
    /// Position of the second dataset.
    pub b: usize,
    /// Column of the second dataset.
    pub j: usize,
    /// Weight of the link; 1 by default.
    pub weight: f64,
}

/// A column as the user gives it.
#[derive(Clone, Debug, PartialEq)]
pub enum ColumnName {
    /// By position, from 0.
    Number(usize),
    /// By name; a number in text that is not a name is a position.
    Name(String),
}

/// Shortest word that counts as spelled alike; shorter ones are alike by chance.
const SHORTEST: usize = 4;

/// Proteins by the names of antibodies, and the genes that make them (symbols of the HUGO Gene Nomenclature Committee).
const PROTEINS: &[(&str, &[&str])] = &[
    ("4-1BB", &["TNFRSF9"]),
    ("B220", &["PTPRC"]),
    ("B7-H1", &["CD274"]),
    ("C-KIT", &["KIT"]),
    ("CD3", &["CD3D", "CD3E", "CD3G"]),
    ("CD8", &["CD8A", "CD8B"]),
    ("CD10", &["MME"]),
    ("CD11A", &["ITGAL"]),
    ("CD11B", &["ITGAM"]),
    ("CD11C", &["ITGAX"]),
    ("CD13", &["ANPEP"]),
    ("CD15", &["FUT4"]),
    ("CD16", &["FCGR3A"]),
    ("CD18", &["ITGB2"]),
    ("CD20", &["MS4A1"]),
    ("CD21", &["CR2"]),
    ("CD23", &["FCER2"]),
    ("CD26", &["DPP4"]),
    ("CD25", &["IL2RA"]),
    ("CD29", &["ITGB1"]),
    ("CD31", &["PECAM1"]),
    ("CD32", &["FCGR2A"]),
    ("CD39", &["ENTPD1"]),
    ("CD41", &["ITGA2B"]),
    ("CD43", &["SPN"]),
    ("CD45", &["PTPRC"]),
    ("CD45RA", &["PTPRC"]),
    ("CD45RO", &["PTPRC"]),
    ("CD49D", &["ITGA4"]),
    ("CD50", &["ICAM3"]),
    ("CD54", &["ICAM1"]),
    ("CD56", &["NCAM1"]),
    ("CD57", &["B3GAT1"]),
    ("CD61", &["ITGB3"]),
    ("CD62L", &["SELL"]),
    ("CD64", &["FCGR1A"]),
    ("CD66B", &["CEACAM8"]),
    ("CD71", &["TFRC"]),
    ("CD73", &["NT5E"]),
    ("CD77", &["A4GALT"]),
    ("CD95", &["FAS"]),
    ("CD103", &["ITGAE"]),
    ("CD107A", &["LAMP1"]),
    ("CD117", &["KIT"]),
    ("CD119", &["IFNGR1"]),
    ("CD122", &["IL2RB"]),
    ("CD123", &["IL3RA"]),
    ("CD127", &["IL7R"]),
    ("CD134", &["TNFRSF4"]),
    ("CD137", &["TNFRSF9"]),
    ("CD138", &["SDC1"]),
    ("CD141", &["THBD"]),
    ("CD152", &["CTLA4"]),
    ("CD158B", &["KIR2DL3"]),
    ("CD158E1", &["KIR3DL1"]),
    ("CD161", &["KLRB1"]),
    ("CD183", &["CXCR3"]),
    ("CD184", &["CXCR4"]),
    ("CD185", &["CXCR5"]),
    ("CD194", &["CCR4"]),
    ("CD195", &["CCR5"]),
    ("CD196", &["CCR6"]),
    ("CD197", &["CCR7"]),
    ("CD223", &["LAG3"]),
    ("CD235A", &["GYPA"]),
    ("CD273", &["PDCD1LG2"]),
    ("CD278", &["ICOS"]),
    ("CD279", &["PDCD1"]),
    ("CD294", &["PTGDR2"]),
    ("CD314", &["KLRK1"]),
    ("CD335", &["NCR1"]),
    ("CD366", &["HAVCR2"]),
    ("HLA-A", &["HLA-A", "HLA-B", "HLA-C"]),
    ("HLA-DR", &["HLA-DRA", "HLA-DRB1"]),
    ("IGD", &["IGHD"]),
    ("IGM", &["IGHM"]),
    ("IL7RALPHA", &["IL7R"]),
    ("NKP46", &["NCR1"]),
    ("OX40", &["TNFRSF4"]),
    ("PD-1", &["PDCD1"]),
    ("PD1", &["PDCD1"]),
    ("PD-L1", &["CD274"]),
    ("PDL1", &["CD274"]),
    ("PECAM", &["PECAM1"]),
    ("SIGLEC-8", &["SIGLEC8"]),
    ("TCRAB", &["TRAC"]),
    ("TCRB", &["TRBC1", "TRBC2"]),
    ("TCRG", &["TRGC1", "TRGC2"]),
    ("TCRGD", &["TRDC"]),
    ("TIM3", &["HAVCR2"]),
];

impl ColumnLink {
    /// The links of a list, each a column of dataset 0, a column of dataset 1 and a weight.
    pub fn resolve(datasets: &[Dataset], given: &[(ColumnName, ColumnName, f64)]) -> Result<Vec<Self>> {
        two(datasets)?;
        let mut unknown: [Vec<&str>; 2] = [vec![], vec![]];
        let places: Vec<HashMap<&str, usize>> = datasets.iter().map(named).collect();
        let mut out = vec![];
        for (at, (x, y, weight)) in given.iter().enumerate() {
            if !(weight.is_finite() && *weight > 0.0) {
                return Err(Error::parameter(&format!("links, entry {at}: weight"), weight, "a positive finite number"));
            }
            let mut ends = [0; 2];
            for (d, end) in [x, y].into_iter().enumerate() {
                let p = datasets[d].ncols();
                let found = match end {
                    ColumnName::Number(n) if *n < p => Some(*n),
                    ColumnName::Number(n) => {
                        let what = format!("links, entry {at}: column of \"{}\"", datasets[d].name());
                        return Err(Error::parameter(&what, n, &format!("below {p}, the number of its columns")));
                    }
                    ColumnName::Name(name) => {
                        let number = || name.trim().parse::<usize>().ok().filter(|n| *n < p);
                        places[d].get(name.trim()).copied().or_else(number)
                    }
                };
                match (found, end) {
                    (Some(column), _) => ends[d] = column,
                    (None, ColumnName::Name(name)) => unknown[d].push(name),
                    (None, ColumnName::Number(_)) => {}
                }
            }
            out.push(Self { a: 0, i: ends[0], b: 1, j: ends[1], weight: *weight });
        }
        for (dataset, unknown) in datasets.iter().zip(&unknown) {
            if !unknown.is_empty() {
                return Err(Error::UnknownColumns {
                    dataset: dataset.name().into(),
                    names: told(dataset, unknown),
                    count: unknown.len(),
                });
            }
        }
        Ok(merged(out))
    }

    /// Links between columns whose names are spelled alike, but for case: words of at least four letters, and numbers.
    pub fn alike(datasets: &[Dataset]) -> Result<Vec<Self>> {
        let fits = |name: &str| name.chars().count() >= SHORTEST || (name.len() > 1 && name.chars().all(|c| c.is_ascii_digit()));
        by_names(datasets, "alike", |name| if fits(name) { vec![name.to_lowercase()] } else { vec![] })
    }

    /// Links between columns with the name of the same gene; antibodies are known by the genes of their proteins.
    pub fn names(datasets: &[Dataset]) -> Result<Vec<Self>> {
        by_names(datasets, "names", genes)
    }
}

/// Genomes that readers write before the name of a gene.
const GENOMES: [&str; 7] = ["HG19_", "HG38_", "GRCH37_", "GRCH38_", "MM10_", "GRCM38_", "GRCM39_"];

/// The genes that a name stands for: itself, and those of the protein, without what panels write around it.
fn genes(name: &str) -> Vec<String> {
    let upper = name.trim().to_uppercase();
    let bare = GENOMES.iter().find_map(|genome| upper.strip_prefix(genome)).unwrap_or(&upper).trim_start_matches('_');
    let mut out = vec![];
    // CD45RA (HI100), B7-H1 (PD-L1), HLA-A,B,C.
    for part in bare.split(['(', ')', ',', '/']).map(str::trim).filter(|part| part.chars().count() > 1) {
        // ADT_CD3, CD3-1, CD3_TotalSeqB, anti-CD3.
        let stem = ["ADT_", "ADT-", "ANTI-"].iter().find_map(|before| part.strip_prefix(before)).unwrap_or(part);
        let stem =
            ["_TOTAL", "-TOTALSEQ", "_ADT", "-ADT"].iter().fold(stem, |stem, after| stem.split(after).next().unwrap_or(stem));
        let numbered = stem.trim_end_matches(|c: char| c.is_ascii_digit());
        let numbered = numbered.strip_suffix(['-', '_', '.']).unwrap_or(stem);
        for stem in [stem, numbered] {
            out.push(stem.to_string());
            let known = PROTEINS.iter().filter(|(protein, _)| *protein == stem);
            out.extend(known.flat_map(|(_, genes)| genes.iter().map(|g| (*g).to_string())));
        }
    }
    out.sort_unstable();
    out.dedup();
    out
}

fn two(datasets: &[Dataset]) -> Result<()> {
    match datasets.len() {
        2 => Ok(()),
        n => Err(Error::parameter("links", format!("given for {n} datasets"), "given for two datasets")),
    }
}

/// Column of each name; a name that occurs twice stands for none.
fn named(dataset: &Dataset) -> HashMap<&str, usize> {
    let mut out: HashMap<&str, Option<usize>> = HashMap::new();
    for (j, name) in dataset.columns().unwrap_or_default().iter().enumerate() {
        out.entry(name.as_str()).and_modify(|at| *at = None).or_insert(Some(j));
    }
    out.into_iter().filter_map(|(name, at)| at.map(|j| (name, j))).collect()
}

/// Columns with a key in common.
fn by_names(datasets: &[Dataset], word: &str, keys: impl Fn(&str) -> Vec<String>) -> Result<Vec<ColumnLink>> {
    two(datasets)?;
    let mut columns = vec![];
    for dataset in datasets {
        let Some(names) = dataset.columns() else {
            let expected = format!("a list of columns by number, because dataset \"{}\" has no names of columns", dataset.name());
            return Err(Error::parameter("links", format!("{word:?}"), &expected));
        };
        let mut found: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (j, name) in names.iter().enumerate() {
            keys(name).into_iter().for_each(|key| found.entry(key).or_default().push(j));
        }
        columns.push(found);
    }
    let mut out = vec![];
    for (key, xs) in &columns[0] {
        for &i in xs {
            for &j in columns[1].get(key).map_or(&[][..], Vec::as_slice) {
                out.push(ColumnLink { a: 0, i, b: 1, j, weight: 1.0 });
            }
        }
    }
    if out.is_empty() {
        let expected = "used for datasets with names of columns in common; these have none";
        return Err(Error::parameter("links", format!("{word:?}"), expected));
    }
    out.sort_by_key(|l| (l.i, l.j));
    out.dedup_by_key(|l| (l.i, l.j));
    Ok(out)
}

/// Links given twice add up.
fn merged(links: Vec<ColumnLink>) -> Vec<ColumnLink> {
    let mut sums: BTreeMap<(usize, usize), f64> = BTreeMap::new();
    links.iter().for_each(|l| *sums.entry((l.i, l.j)).or_default() += l.weight);
    sums.into_iter().map(|((i, j), weight)| ColumnLink { a: 0, i, b: 1, j, weight }).collect()
}

/// The first five names, each with the nearest that there is.
fn told(dataset: &Dataset, unknown: &[&str]) -> String {
    let names: Vec<&str> = dataset.columns().unwrap_or_default().iter().map(String::as_str).collect();
    let one = |name: &&str| match nearest(name, &names) {
        Some(near) => format!("\"{name}\" (did you mean \"{near}\"?)"),
        None => format!("\"{name}\""),
    };
    unknown.iter().take(5).map(one).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::Matrix;

    fn dataset(name: &str, columns: &[&str]) -> Dataset {
        let rows = Matrix::from_fn(3, columns.len(), |i, j| (i * 7 + j * 3) as f64);
        Dataset::new(name, rows).unwrap().with_columns(columns.iter().map(|c| (*c).to_string()).collect()).unwrap()
    }

    #[test]
    fn names_and_numbers_become_columns_and_repeated_links_add_up() {
        let sets = [dataset("a", &["x", "y", "z"]), dataset("b", &["u", "v"])];
        let name = |s: &str| ColumnName::Name(s.into());
        let given =
            [(name("z"), name("u"), 1.0), (ColumnName::Number(2), name("0"), 2.0), (name("x"), ColumnName::Number(1), 1.0)];
        let found = ColumnLink::resolve(&sets, &given).unwrap();
        let plain: Vec<(usize, usize, f64)> = found.iter().map(|l| (l.i, l.j, l.weight)).collect();
        assert_eq!(plain, [(0, 1, 1.0), (2, 0, 3.0)]);
        let error = ColumnLink::resolve(&sets, &[(name("zz"), name("u"), 1.0)]).unwrap_err().to_string();
        assert!(error.contains("\"zz\" (did you mean \"z\"?)") && error.contains("dataset \"a\""), "{error}");
        assert!(
            ColumnLink::resolve(&sets, &[(name("x"), ColumnName::Number(2), 1.0)]).unwrap_err().to_string().contains("below 2")
        );
        assert!(ColumnLink::resolve(&sets, &[(name("x"), name("u"), -1.0)]).unwrap_err().to_string().contains("positive"));
    }

    #[test]
    fn words_and_proteins_are_found_by_name() {
        let sets = [dataset("a", &["Paris", "on", "1997", "house", "7"]), dataset("b", &["paris", "on", "1997", "casa", "7"])];
        let found = ColumnLink::alike(&sets).unwrap();
        assert_eq!(found.iter().map(|l| (l.i, l.j)).collect::<Vec<_>>(), [(0, 0), (2, 2)]);
        let sets = [
            dataset("rna", &["CD3D", "CD3E", "PTPRC", "CD19", "FCGR3A"]),
            dataset("adt", &["CD3", "CD45RA", "CD19", "ADT_CD16_TotalSeqB"]),
        ];
        let found = ColumnLink::names(&sets).unwrap();
        assert_eq!(found.iter().map(|l| (l.i, l.j)).collect::<Vec<_>>(), [(0, 0), (1, 0), (2, 1), (3, 2), (4, 3)]);
        assert_eq!(genes("B7-H1 (PD-L1)"), ["B7-H1", "CD274", "PD-L1"]);
        assert_eq!(genes("hg19_CD8A"), ["CD8A"]);
        assert_eq!(genes("CD3-1"), ["CD3", "CD3-1", "CD3D", "CD3E", "CD3G"]);
        assert_eq!(genes("IgG1"), ["IGG1"], "an isotype control");
        let sets = [dataset("a", &["one"]), dataset("b", &["two"])];
        assert!(ColumnLink::alike(&sets).unwrap_err().to_string().contains("these have none"));
    }
}
