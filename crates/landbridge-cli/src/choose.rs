//! What `align`, `compare` and `tune` share: pairs, groups, methods in one word, tables.

use crate::Result;
use crate::failure::Failure;
use crate::methods::{described, value_of};
use crate::output::counted;
use crate::shared::{NamesArg, SeedArg, ThreadsArg};
use clap::Args;
use landbridge::choose::{Candidate, Domain, Scoring};
use landbridge::data::{Dataset, Pairs};
use landbridge::params::{Given, Kind, Schema, Value};
use landbridge::registry;
use landbridge_io::{pairs_by_id, read_labels, read_pairs};
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

/// Options of the commands that choose by held-out pairs.
#[derive(Debug, Args)]
pub(crate) struct ChoiceArgs {
    /// File of rows known to correspond
    #[arg(long, value_name = "FILE")]
    pub(crate) pairs: Option<PathBuf>,
    /// Rows with the same id correspond; an id that occurs twice in a dataset makes no pair
    #[arg(long, conflicts_with = "pairs")]
    pub(crate) pairs_by_id: bool,
    #[command(flatten)]
    pub(crate) names: NamesArg,
    /// What decides: auto, recall-at-1, recall-at-5, recall-at-10, mrr or foscttm
    #[arg(long, value_name = "SCORE", default_value = "auto")]
    scoring: String,
    /// A file per dataset with a label for each row; rows with equal labels are held out together
    #[arg(long, value_name = "FILE,FILE", value_delimiter = ',')]
    groups: Option<Vec<PathBuf>>,
    #[command(flatten)]
    pub(crate) seed: SeedArg,
    #[command(flatten)]
    pub(crate) threads: ThreadsArg,
}

impl ChoiceArgs {
    pub(crate) fn scoring(&self) -> Result<Scoring> {
        Ok(Scoring::named(&self.scoring)?)
    }
    /// A number for each row of each dataset; equal labels, in any file, get equal numbers.
    pub(crate) fn groups(&self, datasets: &[Dataset]) -> Result<Option<Vec<Vec<usize>>>> {
        let Some(files) = &self.groups else { return Ok(None) };
        if files.len() != datasets.len() {
            let message =
                format!("--groups names {}, there are {}", counted(files.len(), "file"), counted(datasets.len(), "dataset"));
            return Err(Failure::usage(message).hint("give a file for each dataset, separated by commas"));
        }
        let mut numbers: HashMap<String, usize> = HashMap::new();
        let mut out = vec![];
        for (path, dataset) in files.iter().zip(datasets) {
            let labels = read_labels(path, None)?;
            if labels.len() != dataset.nrows() {
                let message =
                    format!("{}: {} labels for the {} rows of {}", path.display(), labels.len(), dataset.nrows(), dataset.name());
                return Err(Failure::usage(message).hint("one label per row, in the order of the data file"));
            }
            out.push(
                labels
                    .into_iter()
                    .map(|label| {
                        let next = numbers.len();
                        *numbers.entry(label).or_insert(next)
                    })
                    .collect(),
            );
        }
        Ok(Some(out))
    }
}

/// The known pairs of a call.
pub(crate) fn known_pairs(args: &ChoiceArgs, datasets: &[Dataset]) -> Result<Pairs> {
    match (&args.pairs, args.pairs_by_id) {
        (Some(path), _) => Ok(read_pairs(path, &datasets.iter().collect::<Vec<_>>())?),
        (None, true) => match pairs_by_id(datasets)? {
            pairs if pairs.is_empty() => {
                let message = "--pairs-by-id: no id occurs once in each of two datasets";
                Err(Failure::usage(message).hint("check the ids, or give --pairs"))
            }
            pairs => Ok(pairs),
        },
        (None, false) => Ok(Pairs::none(datasets.len())),
    }
}

/// Default dimension of methods that do not say their own.
const DIMENSION: usize = 50;

/// Methods in one word: `cca,linear:n_components=50,mu=1|10`. A piece with `=` and without `:` belongs to the method before it.
pub(crate) fn candidates(text: &str, dimension: Option<usize>, datasets: &[Dataset], seed: u64) -> Result<Vec<Candidate>> {
    let mut methods: Vec<String> = vec![];
    for piece in text.split(',').map(str::trim).filter(|p| !p.is_empty()) {
        let continues = piece.contains('=') && !piece.split('=').next().unwrap_or_default().contains(':');
        match methods.last_mut() {
            Some(last) if continues => {
                last.push(if last.contains(':') { ',' } else { ':' });
                last.push_str(piece);
            }
            _ => methods.push(piece.into()),
        }
    }
    let most = datasets.iter().map(|d| d.ncols().min(d.nrows().saturating_sub(1))).min().unwrap_or(1).max(1);
    let mut out = vec![];
    for method in methods {
        for one in combinations(&method) {
            let Value::Method(name, mut given) = described(&one)? else { continue };
            let schema = registry::schema(&name)?;
            let lacks =
                |given: &Given, parameter: &str| !given.iter().any(|(n, _)| n == parameter) && schema.param(parameter).is_some();
            let required = schema.param("n_components").is_some_and(|p| p.default.is_none() || !p.only_for.is_empty());
            let unembedded = given.iter().any(|(n, v)| n == "embedding" && matches!(v, Value::Text(word) if word == "none"));
            if lacks(&given, "n_components") && required && !unembedded {
                given.push(("n_components".into(), Value::Int(dimension.unwrap_or(DIMENSION.min(most)) as i128)));
            }
            if lacks(&given, "random_state") {
                given.push(("random_state".into(), Value::Int(seed.into())));
            }
            out.push(Candidate::shared(Arc::from(registry::method(&name, given)?)));
        }
    }
    let twice = (1..out.len()).find(|c| out[..*c].iter().any(|o: &Candidate| o.label == out[*c].label));
    match twice {
        Some(c) => Err(Failure::usage(format!("{} is there twice", out[c].label)).hint("leave one out")),
        None if out.is_empty() => Err(Failure::usage("no method is named").hint("such as cca,linear:n_components=50")),
        None => Ok(out),
    }
}

/// Every combination of the values that are separated by `|`.
fn combinations(method: &str) -> Vec<String> {
    let (name, list) = method.split_once(':').unwrap_or((method, ""));
    let mut all = vec![String::new()];
    for part in list.split(',').filter(|p| !p.is_empty()) {
        let (key, values) = part.split_once('=').unwrap_or((part, ""));
        all = all.iter().flat_map(|so_far| values.split('|').map(move |v| format!("{so_far}{key}={v},"))).collect();
    }
    all.into_iter().map(|list| format!("{name}:{}", list.trim_end_matches(','))).collect()
}

/// Parameters to tune: `n_components=5..100,weights=heat|local`.
pub(crate) fn space(schema: &'static Schema, text: &str) -> Result<Vec<(String, Domain)>> {
    let mut out = vec![];
    for part in text.split(',').filter(|p| !p.is_empty()) {
        let (key, values) =
            part.split_once('=').ok_or_else(|| Failure::usage(format!("{part:?} of --space is not NAME=VALUES")))?;
        let key = key.trim().replace('-', "_");
        let Some(param) = schema.param(&key) else {
            // The library knows the nearest name.
            out.push((key, Domain::Choices(vec![Value::None])));
            continue;
        };
        let wrong =
            |value: &str| Failure::usage(format!("{key} of --space is {value:?}; it must be {}, or LOW..HIGH", param.expected()));
        let number = |text: &str| text.trim().parse::<f64>().map_err(|_| wrong(values));
        let domain = match values.split_once("..") {
            Some((low, high)) => {
                let (low, high) = (number(low)?, number(high)?);
                Domain::Between { low, high, log: low > 0.0, whole: param.kind == Kind::Count, auto: false }
            }
            None => Domain::Choices(
                values.split('|').map(|v| value_of(param, v.trim()).ok_or_else(|| wrong(v))).collect::<Result<_>>()?,
            ),
        };
        out.push((key, domain));
    }
    Ok(out)
}

/// `0.123 to 0.456`.
pub(crate) fn interval((low, high): (f64, f64)) -> String {
    format!("{low:.3} to {high:.3}")
}

/// Rows of cells as text, each column as wide as its widest cell.
pub(crate) fn aligned(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |c: usize| rows.iter().filter_map(|r| r.get(c)).map(|cell| cell.chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).map(|(cell, w)| format!("{cell}{}", " ".repeat(w - cell.chars().count())));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_string() + "\n"
    };
    rows.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn methods_in_one_word() {
        let rows = landbridge::linalg::Matrix::from_fn(30, 8, |i, j| ((i * 7 + j) % 11) as f64);
        let data = [Dataset::new("a", rows.clone()).unwrap(), Dataset::new("b", rows).unwrap()];
        let named =
            |text: &str| -> Vec<String> { candidates(text, None, &data, 0).unwrap().into_iter().map(|c| c.label).collect() };
        assert_eq!(named("cca,linear:n_components=3,mu=10"), ["cca(n_components=8)", "linear(n_components=3, mu=10)"]);
        assert_eq!(named("linear:n_components=3|4,mu=10,cca").len(), 3);
        assert_eq!(named("procrustes:embedding=none"), ["procrustes(embedding=\"none\")"]);
        assert!(candidates("cca,cca", None, &data, 0).is_err());
        assert!(candidates("", None, &data, 0).is_err());
        assert!(candidates("lineer:n_components=3", None, &data, 0).unwrap_err().message().contains("linear"));
        assert!(candidates("linear:n_component=3", None, &data, 0).unwrap_err().message().contains("n_components"));
    }
}
