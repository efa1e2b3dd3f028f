//! What is known of each row beside its place: numbers and words to colour by, ids, texts, features.

use crate::pack::{MISSING, Parts, four_bytes, quantized, two_bytes};
use crate::shown::Shown;
use crate::{Report, picture::counted};
use landbridge::Result;
use landbridge::data::Rows;
use landbridge::error::Error;
use landbridge::model::Alignment;
use serde_json::{Value, json};
use std::collections::HashMap;

/// Characters of an id, a label or a name on the page.
const LONGEST_NAME: usize = 120;
/// Characters of a text.
const LONGEST_TEXT: usize = 2000;
/// Features of a dataset to colour by.
pub(crate) const FEATURES: usize = 24;
/// Features of one row in its details.
pub(crate) const OF_A_ROW: usize = 8;

/// How a feature that found no room is called.
pub(crate) const FEATURE_COLUMN: &str = "the feature";

/// The text, cut where it is too long.
pub(crate) fn cut(text: &str, longest: usize) -> String {
    match text.char_indices().nth(longest) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.into(),
    }
}

/// A name as the page shows it.
pub(crate) fn short(name: &str) -> String {
    cut(name, LONGEST_NAME)
}

/// A number for each row of some datasets.
pub(crate) struct Numbers {
    pub(crate) name: String,
    pub(crate) about: String,
    /// Where it stands in the list: "trust", "given", "feature".
    pub(crate) group: &'static str,
    pub(crate) sides: Vec<Option<Vec<f64>>>,
}

impl Numbers {
    pub(crate) fn pack(&self, shown: &Shown, position: usize, parts: &mut Parts) -> Option<Value> {
        let values: Vec<f64> = shown.iter().map(|(a, i)| self.sides[a].as_ref().map_or(f64::NAN, |v| v[i])).collect();
        let part = format!("number-{position}");
        let (mut scale, codes) = quantized(&values);
        if codes.iter().all(|c| *c == MISSING) {
            return None;
        }
        let what = if self.group == "feature" { FEATURE_COLUMN } else { "the column" };
        parts.want(&part, &two_bytes(&codes), &format!("{what} \"{}\"", short(&self.name))).then(|| {
            scale["name"] = json!(short(&self.name));
            scale["about"] = json!(self.about);
            scale["group"] = json!(self.group);
            scale["part"] = json!(part);
            scale
        })
    }
}

/// A word for each row of some datasets, the most frequent words first.
pub(crate) struct Words<'a> {
    name: String,
    names: Vec<&'a str>,
    codes: Vec<Option<Vec<u16>>>,
    others: usize,
}

/// Whether a word says that there is none: tables write missing labels so.
fn is_missing(word: &str) -> bool {
    matches!(word, "" | "nan" | "NaN" | "<NA>")
}

impl<'a> Words<'a> {
    pub(crate) fn new(name: &str, sides: &[Option<&'a [String]>]) -> Self {
        let mut counts: HashMap<&str, usize> = HashMap::new();
        for word in sides.iter().flatten().copied().flatten().filter(|w| !is_missing(w)) {
            *counts.entry(word).or_default() += 1;
        }
        let mut ranked: Vec<(&str, usize)> = counts.into_iter().collect();
        ranked.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
        let others = ranked.len().saturating_sub(usize::from(MISSING));
        ranked.truncate(usize::from(MISSING));
        let code: HashMap<&str, u16> = ranked.iter().enumerate().map(|(at, (word, _))| (*word, at as u16)).collect();
        let coded = |words: &&[String]| words.iter().map(|w| code.get(w.as_str()).copied().unwrap_or(MISSING)).collect();
        Self {
            name: name.into(),
            names: ranked.iter().map(|(word, _)| *word).collect(),
            codes: sides.iter().map(|side| side.as_ref().map(coded)).collect(),
            others,
        }
    }
    pub(crate) fn pack(&self, shown: &Shown, position: usize, parts: &mut Parts) -> Option<Value> {
        let codes: Vec<u16> = shown.iter().map(|(a, i)| self.codes[a].as_ref().map_or(MISSING, |c| c[i])).collect();
        let names: Vec<String> = self.names.iter().map(|n| short(n)).collect();
        let (part, list) = (format!("word-{position}"), format!("word-names-{position}"));
        let what = format!("the column \"{}\"", short(&self.name));
        let there = parts.want(&list, json!(names).to_string().as_bytes(), &what) && parts.want(&part, &two_bytes(&codes), &what);
        there
            .then(|| json!({"name": short(&self.name), "part": part, "names": list, "count": names.len(), "others": self.others}))
    }
}

/// Ids of the rows; datasets without them have row numbers.
pub(crate) fn ids(alignment: &Alignment, shown: &Shown, parts: &mut Parts) -> Value {
    let one = |(a, fitted): (usize, &landbridge::model::Fitted)| {
        let ids = fitted.row_ids().filter(|_| fitted.nrows() > 0)?;
        let list: Vec<String> = shown.rows[a].iter().map(|i| short(&ids[*i])).collect();
        let part = format!("ids-{a}");
        let what = format!("row ids of \"{}\"", short(fitted.name()));
        parts.want(&part, json!(list).to_string().as_bytes(), &what).then_some(part)
    };
    alignment.datasets().iter().enumerate().map(one).collect()
}

/// Texts of the rows, for the datasets that have them.
pub(crate) fn texts(alignment: &Alignment, texts: &[(usize, Vec<String>)], shown: &Shown, parts: &mut Parts) -> Value {
    let mut found = vec![Value::Null; alignment.datasets().len()];
    for (a, texts) in texts.iter().filter(|_| alignment.has_rows()) {
        let list: Vec<String> = shown.rows[*a].iter().map(|i| cut(&texts[*i], LONGEST_TEXT)).collect();
        let part = format!("texts-{a}");
        let what = format!("texts of \"{}\"", short(alignment.datasets()[*a].name()));
        if parts.want(&part, json!(list).to_string().as_bytes(), &what) {
            found[*a] = json!(part);
        }
    }
    found.into()
}

fn name_of(alignment: &Alignment, dataset: usize, column: usize) -> String {
    alignment.datasets()[dataset].columns().map_or_else(|| format!("feature {column}"), |c| c[column].clone())
}

fn entry(rows: &Rows, i: usize, j: usize) -> f64 {
    match rows {
        Rows::F64(m) => m[(i, j)],
        Rows::F32(m) => f64::from(m[(i, j)]),
        Rows::Sparse(m) => m.get(i, j),
    }
}

/// Features to colour by: those asked for, then all of few, or those of the largest weights.
pub(crate) fn feature_columns(report: &Report<'_>) -> Result<Vec<Numbers>> {
    let alignment = report.alignment;
    let c = alignment.datasets().len();
    let mut chosen: Vec<Vec<usize>> = vec![vec![]; c];
    for asked in &report.features {
        let mut found = false;
        for (a, fitted) in alignment.datasets().iter().enumerate() {
            let column = match fitted.columns() {
                Some(names) => names.iter().position(|n| n == asked),
                None => asked.parse().ok().filter(|j| *j < fitted.n_features()),
            };
            chosen[a].extend(column);
            found |= column.is_some();
        }
        if !found {
            return Err(Error::Undefined {
                what: format!("the feature \"{}\"", short(asked)),
                why: "no dataset has a column of that name".into(),
            });
        }
    }
    for a in 0..c {
        if alignment.datasets()[a].n_features() <= FEATURES {
            chosen[a] = (0..alignment.datasets()[a].n_features()).collect();
        }
        for component in 0..alignment.n_components().min(8) {
            for feature in alignment.top_features(a, component, 4).unwrap_or_default() {
                if chosen[a].len() < FEATURES && !chosen[a].contains(&feature.column) {
                    chosen[a].push(feature.column);
                }
            }
        }
        if report.rows(a).is_none() || alignment.datasets()[a].nrows() == 0 {
            chosen[a].clear();
        }
    }
    let mut all = vec![];
    for (a, columns) in chosen.iter().enumerate() {
        let Some(rows) = report.rows(a) else { continue };
        for &j in columns {
            let mut sides = vec![None; c];
            sides[a] = Some((0..rows.nrows()).map(|i| entry(rows, i, j)).collect());
            let name = format!("{}: {}", alignment.datasets()[a].name(), name_of(alignment, a, j));
            all.push(Numbers { name, about: String::new(), group: "feature", sides });
        }
    }
    Ok(all)
}

/// The strongest features of every row, where a dataset has many.
pub(crate) fn features(report: &Report<'_>, shown: &Shown, parts: &mut Parts) -> Value {
    let alignment = report.alignment;
    let one = |(a, fitted): (usize, &landbridge::model::Fitted)| {
        let rows = report.rows(a).filter(|_| fitted.n_features() > FEATURES && fitted.nrows() > 0)?;
        let n = shown.rows[a].len();
        // Rather none than half of them: eight features are seven bytes each.
        if !parts.has_room(4 * n * OF_A_ROW) {
            let what = format!("features of the rows of \"{}\"", short(fitted.name()));
            parts.left_out.push(what);
            return None;
        }
        let strength = strengths(rows);
        let mut used: HashMap<usize, u32> = HashMap::new();
        let mut names = vec![];
        let (mut columns, mut values) = (vec![u32::MAX; n * OF_A_ROW], vec![f64::NAN; n * OF_A_ROW]);
        for (at, i) in shown.rows[a].iter().enumerate() {
            for (rank, (j, v)) in strongest(rows, *i, &strength).into_iter().enumerate() {
                columns[at * OF_A_ROW + rank] = *used.entry(j).or_insert_with(|| {
                    names.push(short(&name_of(alignment, a, j)));
                    names.len() as u32 - 1
                });
                values[at * OF_A_ROW + rank] = v;
            }
        }
        let part = |what: &str| format!("features-{what}-{a}");
        let (mut scale, codes) = quantized(&values);
        let what = format!("features of the rows of \"{}\"", short(fitted.name()));
        let there = parts.want(&part("names"), json!(names).to_string().as_bytes(), &what)
            && parts.want(&part("columns"), &four_bytes(&columns), &what)
            && parts.want(&part("values"), &two_bytes(&codes), &what);
        there.then(|| {
            scale["part"] = json!(part("values"));
            let about = format!(
                "The strongest of {}, by {}.",
                counted(fitted.n_features(), "feature"),
                if matches!(rows, Rows::Sparse(_)) { "value times rarity" } else { "distance from their mean" }
            );
            json!({"k": OF_A_ROW, "names": part("names"), "columns": part("columns"), "values": scale, "about": about})
        })
    };
    alignment.datasets().iter().enumerate().map(one).collect()
}

/// What makes a value of each column remarkable: subtract the first, multiply by the second.
fn strengths(rows: &Rows) -> Vec<(f64, f64)> {
    let (n, p) = (rows.nrows() as f64, rows.ncols());
    match rows {
        // Words that most documents have say little about one.
        Rows::Sparse(m) => {
            let mut count = vec![0.0f64; p];
            m.indices().iter().for_each(|j| count[*j as usize] += 1.0);
            count.iter().map(|c| (0.0, ((1.0 + n) / (1.0 + c)).ln())).collect()
        }
        _ => {
            let (mut sum, mut squares) = (vec![0.0f64; p], vec![0.0f64; p]);
            for i in 0..rows.nrows() {
                for j in 0..p {
                    let v = entry(rows, i, j);
                    sum[j] += v;
                    squares[j] += v * v;
                }
            }
            let scale = |j: usize| {
                let mean = sum[j] / n;
                let variance = (squares[j] / n - mean * mean).max(0.0);
                (mean, if variance > 0.0 { 1.0 / variance.sqrt() } else { 0.0 })
            };
            (0..p).map(scale).collect()
        }
    }
}

fn strongest(rows: &Rows, i: usize, strength: &[(f64, f64)]) -> Vec<(usize, f64)> {
    let score = |j: usize, v: f64| ((v - strength[j].0) * strength[j].1).abs();
    let mut all: Vec<(usize, f64)> = match rows {
        Rows::Sparse(m) => m.row(i).map(|(j, v)| (j as usize, v)).filter(|(_, v)| *v != 0.0).collect(),
        _ => (0..rows.ncols()).map(|j| (j, entry(rows, i, j))).collect(),
    };
    let by_score = |a: &(usize, f64), b: &(usize, f64)| score(b.0, b.1).total_cmp(&score(a.0, a.1)).then(a.0.cmp(&b.0));
    if all.len() > OF_A_ROW {
        all.select_nth_unstable_by(OF_A_ROW - 1, by_score);
        all.truncate(OF_A_ROW);
    }
    all.sort_by(by_score);
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use landbridge::linalg::{Csr, Matrix};

    #[test]
    fn frequent_words_come_first_and_missing_ones_have_no_code() {
        let words: Vec<String> = ["b", "a", "nan", "b", "", "c", "NaN"].map(String::from).to_vec();
        let found = Words::new("label", &[Some(&words), None]);
        assert_eq!(found.names, ["b", "a", "c"]);
        assert_eq!(found.codes[0].as_deref(), Some(&[0, 1, MISSING, 0, MISSING, 2, MISSING][..]));
        assert!(found.codes[1].is_none());
    }

    #[test]
    fn rare_words_are_the_strongest() {
        // Column 0 is in every row, column 2 in one.
        let rows = Rows::Sparse(Csr::from_triplets(3, 3, &[(0, 0, 3.0), (1, 0, 3.0), (2, 0, 3.0), (0, 2, 1.0)]).unwrap());
        assert_eq!(strongest(&rows, 0, &strengths(&rows)), [(2, 1.0), (0, 3.0)]);
        let dense = Rows::F64(Matrix::from_rows(&[[0.0, 5.0], [0.0, 5.0], [9.0, 5.0]]).unwrap());
        assert_eq!(strongest(&dense, 2, &strengths(&dense))[0], (0, 9.0));
    }

    #[test]
    fn long_names_are_cut_between_characters() {
        assert_eq!(cut("ééééé", 3), "ééé…");
        assert_eq!(cut("ééé", 3), "ééé");
        assert_eq!(short(&"x".repeat(10_000)).chars().count(), LONGEST_NAME + 1);
    }
}
