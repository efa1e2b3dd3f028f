//! Readable scores: shared by `evaluate` and `demo`.

use crate::Result;
use crate::output::thousands;
use landbridge::apply::scores::{PairScores, Score};
use landbridge::data::Pairs;
use landbridge::linalg::Matrix;
use landbridge::model::{Alignment, Fitted};
use landbridge_io::read_pairs;
use std::path::Path;

/// A number between 0 and 1, with a suitable number of digits.
fn share(value: Option<f64>) -> String {
    match value {
        None => "–".into(),
        Some(v) if v > 0.0 && v < 0.01 => format!("{v:.4}"),
        Some(v) => format!("{v:.3}"),
    }
}

/// The headline: recall at the first k from the first dataset, on held-out pairs if there are any.
pub(crate) fn headline(scores: &PairScores) -> Option<&Score> {
    scores.scores.iter().find(|s| s.score == "recall")
}

/// A readable table.
pub(crate) fn table(scores: &PairScores) -> String {
    let mut lines = vec![[
        format!("{} and {}", scores.datasets[0], scores.datasets[1]),
        format!("held out ({})", thousands(scores.held_out)),
        format!("all ({})", thousands(scores.true_pairs)),
        "chance".to_string(),
    ]];
    for s in &scores.scores {
        let k = s.k.unwrap_or_default();
        let way = match (&s.from, &s.to) {
            (Some(from), Some(to)) => format!("{from} → {to}"),
            _ => String::new(),
        };
        let what = match s.score {
            "recall" => format!("  recall@{k:<3} {way}"),
            "foscttm" => "  FOSCTTM, 0 is perfect".into(),
            _ => format!("  label transfer {way}"),
        };
        lines.push([what, share(s.held_out), share(s.all), share(Some(s.chance))]);
    }
    let width = |column: usize| lines.iter().map(|l| l[column].chars().count()).max().unwrap_or(0);
    let widths = [width(0), width(1), width(2), width(3)];
    let mut out = String::new();
    for (row, line) in lines.iter().enumerate() {
        let [what, held_out, all, chance] = line;
        let text = format!("{what:<0$}  {held_out:>1$}  {all:>2$}  {chance:>3$}", widths[0], widths[1], widths[2], widths[3]);
        out.push_str(text.trim_end());
        out.push('\n');
        if row == 0 {
            out.push_str(&format!("{}\n", "─".repeat(widths.iter().sum::<usize>() + 6)));
        }
    }
    out
}

/// A dataset of the model in the form that the reader of pairs files needs: its name, its rows, its ids.
fn as_dataset(fitted: &Fitted) -> Result<landbridge::data::Dataset> {
    let dataset = landbridge::data::Dataset::new(fitted.name(), Matrix::<f64>::zeros(fitted.nrows(), 1))?;
    Ok(match fitted.row_ids() {
        Some(ids) => dataset.with_row_ids(ids.to_vec())?,
        None => dataset,
    })
}

/// The true pairs in a file, for the rows of a model.
pub(crate) fn read_truth(path: &Path, alignment: &Alignment) -> Result<Pairs> {
    let datasets = alignment.datasets().iter().map(as_dataset).collect::<Result<Vec<_>>>()?;
    let truth = read_pairs(path, &datasets.iter().collect::<Vec<_>>())?;
    if truth.is_empty() {
        let (path, rows, columns) = (path.to_path_buf(), 0, datasets.len());
        return Err(landbridge_io::Error::NoData { path, rows, columns }.into());
    }
    Ok(truth)
}
