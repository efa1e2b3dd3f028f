//! Columns that number the rows: ids that would be taken as a feature.

use landbridge::data::Rows;
use landbridge::linalg::{Matrix, Scalar};

use crate::text::{counted, listed};

/// Fewer rows than this may be numbered by chance.
const LEAST: usize = 10;
/// Columns that a message shows.
const SHOWN: usize = 5;

/// Says that columns of a table hold whole numbers that number its rows, although they were read as features: each number from
/// the least to the largest once, in any order, or numbers that rise from row to row.
///
/// ```
/// use landbridge::linalg::Matrix;
/// use landbridge_io::note_of_numbered;
/// let rows = Matrix::from_fn(20, 2, |i, j| if j == 0 { 100.0 + i as f64 } else { (i as f64).sin() }).into();
/// let note = note_of_numbered(&rows, Some(&["nr".into(), "x".into()])).unwrap();
/// assert!(note.starts_with("the column \"nr\" numbers the rows (100 to 119)"));
/// ```
pub fn note_of_numbered(rows: &Rows, columns: Option<&[String]>) -> Option<String> {
    let found: Vec<(usize, f64, f64)> = match rows {
        Rows::F64(m) => numbered(m),
        Rows::F32(m) => numbered(m),
        Rows::Sparse(_) => return None,
    };
    // A table of nothing else has its numbers for another reason.
    if found.is_empty() || found.len() == rows.ncols() {
        return None;
    }
    let name = |j: usize| columns.map_or_else(|| j.to_string(), |names| names[j].clone());
    let remedy = format!(
        "if it holds row ids, say so (CLI: --id-column {0}, Python: id_column={1}; pandas: set_index), or leave it out",
        name(found[0].0),
        columns.map_or_else(|| name(found[0].0), |_| format!("{:?}", name(found[0].0)))
    );
    let what = match found[..] {
        [(j, low, high)] => {
            let name = columns.map_or_else(|| name(j), |_| format!("\"{}\"", name(j)));
            format!("the column {name} numbers the rows ({low} to {high}) and is taken as a feature")
        }
        _ => {
            let names: Vec<String> = found.iter().take(SHOWN).map(|f| name(f.0)).collect();
            format!("{} number the rows and are taken as features: {}", counted(found.len(), "column"), listed(&names))
        }
    };
    Some(format!("{what}; {remedy}"))
}

/// Columns that number the rows, with their least and largest number.
fn numbered<T: Scalar>(m: &Matrix<T>) -> Vec<(usize, f64, f64)> {
    if m.nrows() < LEAST {
        return vec![];
    }
    (0..m.ncols()).filter_map(|j| numbers(m, j).map(|(low, high)| (j, low, high))).collect()
}

fn numbers<T: Scalar>(m: &Matrix<T>, j: usize) -> Option<(f64, f64)> {
    let values = || m.rows().map(|row| row[j].to_f64());
    // Most columns end here, at their first fraction.
    if !values().all(|v| v.fract() == 0.0) {
        return None;
    }
    let low = values().fold(f64::INFINITY, f64::min);
    let high = values().fold(f64::NEG_INFINITY, f64::max);
    let rising = values().zip(values().skip(1)).all(|(before, v)| before < v);
    if !rising {
        if high - low != (m.nrows() - 1) as f64 {
            return None;
        }
        let mut seen = vec![false; m.nrows()];
        if values().any(|v| std::mem::replace(&mut seen[(v - low) as usize], true)) {
            return None;
        }
    }
    Some((low, high))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn note(columns: &[&[f64]]) -> Option<String> {
        let m = Matrix::from_fn(columns[0].len(), columns.len(), |i, j| columns[j][i]);
        let names: Vec<String> = (0..columns.len()).map(|j| format!("c{j}")).collect();
        let named = note_of_numbered(&m.clone().into(), Some(&names));
        assert_eq!(note_of_numbered(&m.to_f32().into(), Some(&names)), named);
        assert_eq!(note_of_numbered(&m.into(), None).is_some(), named.is_some());
        named
    }

    #[test]
    fn counters_and_rising_numbers_are_told() {
        let x: Vec<f64> = (0..12).map(|i| f64::from(i).sqrt()).collect();
        let at = |f: fn(i32) -> i32| (0..12).map(|i| f64::from(f(i))).collect::<Vec<f64>>();
        for counter in [at(|i| i), at(|i| i + 1000), at(|i| i * 7 % 12), at(|i| i * i + 3), at(|i| -i)] {
            let said = note(&[&counter, &x]).unwrap();
            assert!(said.starts_with("the column \"c0\" numbers the rows (") && said.contains("--id-column c0"), "{said}");
        }
        let both = note(&[&at(|i| i), &x, &at(|i| i + 5)]).unwrap();
        assert!(both.starts_with("2 columns number the rows and are taken as features: \"c0\", \"c2\""), "{both}");
        // Counts, ages, ratings and the like are features.
        for feature in [at(|i| i * i % 12), at(|i| i / 2), at(|_| 4), at(|i| i * 7 % 12 * 2)] {
            assert_eq!(note(&[&feature, &x]), None);
        }
        assert_eq!(note(&[&x, &x]), None);
        // Nothing but counters: that is the data.
        assert_eq!(note(&[&at(|i| i)]), None);
        assert_eq!(note(&[&at(|i| i)[..9], &x[..9]]), None);
    }
}
