//! What looks like a mistake in rows and pairs, before anything is fitted.

use super::{Dataset, Link, Pairs, Rows};
use crate::outcome::Warning;

/// With fewer pairs an order may be an accident.
const LEAST_PAIRS: usize = 10;
/// A column with more of the variance than this leaves nothing for the others.
const DOMINANT: f64 = 0.99;
/// Rows that are looked at for it.
const SOME_ROWS: usize = 2000;
/// With fewer columns, one of them may well have nearly all of the variance.
const LEAST_COLUMNS: usize = 4;

/// Both datasets are in the order of a column, or of the sums of their rows, and the pairs follow that order: what comes out if each table
/// was sorted by itself. Columns of the same name, or with the same values in paired rows, are not a mistake.
pub(crate) fn sorted_apart(datasets: &[Dataset], pairs: &Pairs) -> Option<Warning> {
    let [x, y] = datasets else { return None };
    let mut links: Vec<&Link> = pairs.links().iter().collect();
    if links.len() < LEAST_PAIRS {
        return None;
    }
    links.sort_unstable_by_key(|l| (l.i, l.j));
    if links.windows(2).any(|w| w[0].j >= w[1].j) {
        return None;
    }
    let (of_x, of_y): (Vec<usize>, Vec<usize>) = links.iter().map(|l| (l.i, l.j)).unzip();
    let (first, second) = (in_order(x, &of_x)?, in_order(y, &of_y)?);
    let alike = (first.name.is_some() && first.name == second.name) || first.values == second.values;
    (!alike).then(|| Warning::SortedApart {
        first: x.name().into(),
        second: y.name().into(),
        by: [first, second].map(|o| o.name.unwrap_or(o.what)),
    })
}

/// What rows are in the order of.
struct Ordered {
    what: String,
    name: Option<String>,
    values: Vec<f64>,
}

/// A column that rises or falls over these rows, or their sums that do.
fn in_order(dataset: &Dataset, rows: &[usize]) -> Option<Ordered> {
    let p = dataset.ncols();
    let named = |c: usize| dataset.columns().map(|names| names[c].clone());
    let value = |row: &[f64], c: usize| if c == p { row.iter().sum() } else { row[c] };
    // The columns, and the sums after them; sparse columns are mostly zeros, so that only their sums can be in order.
    let mut open: Vec<usize> = if matches!(dataset.rows(), Rows::Sparse(_)) { vec![p] } else { (0..=p).collect() };
    let (mut before, mut row) = (vec![0.0; p], vec![0.0; p]);
    dataset.rows().copy_row(rows[0], &mut before);
    let mut rising = vec![None; p + 1];
    let mut steps = vec![0usize; p + 1];
    for &i in &rows[1..] {
        dataset.rows().copy_row(i, &mut row);
        open.retain(|&c| {
            let (a, b) = (value(&before, c), value(&row, c));
            let up = b > a;
            steps[c] += usize::from(a != b);
            a == b || *rising[c].get_or_insert(up) == up
        });
        if open.is_empty() {
            return None;
        }
        std::mem::swap(&mut before, &mut row);
    }
    // A column of few levels, such as a label, may be in order without telling the rows apart.
    let c = open.into_iter().find(|&c| 2 * steps[c] > rows.len())?;
    let (mut values, mut others) = (vec![], vec![]);
    for &i in rows {
        dataset.rows().copy_row(i, &mut row);
        values.push(value(&row, c));
        others.push((0..p).filter(|j| *j != c).take(SOME_COLUMNS).map(|j| row[j]).collect::<Vec<f64>>());
    }
    if is_a_path(&others) {
        return None;
    }
    let what = if c == p { "the sums of its rows".into() } else { format!("column {c}") };
    Some(Ordered { what, name: if c == p { None } else { named(c) }, values })
}

/// Other columns that are looked at.
const SOME_COLUMNS: usize = 20;
/// Rows in a random order differ from the next by 1.4 times their mean deviation. A path takes steps of half of that at most.
const SMOOTH: f64 = 0.7;

/// Whether rows follow a path in most columns, such as atoms of a chain or moments of a film: these are in an order of their own.
fn is_a_path(rows: &[Vec<f64>]) -> bool {
    let (n, columns) = (rows.len() as f64, rows.first().map_or(0, Vec::len));
    let smooth = |j: &usize| {
        let mean = rows.iter().map(|row| row[*j] / n).sum::<f64>();
        let deviation = rows.iter().map(|row| (row[*j] - mean).abs()).sum::<f64>();
        let steps = rows.windows(2).map(|w| (w[1][*j] - w[0][*j]).abs()).sum::<f64>();
        steps < SMOOTH * deviation
    };
    2 * (0..columns).filter(smooth).count() >= columns.max(1)
}

/// A column that has nearly all of the variance: usually one in other units.
pub(crate) fn dominant_column(dataset: &Dataset) -> Option<Warning> {
    let p = dataset.ncols();
    if p < LEAST_COLUMNS || matches!(dataset.rows(), Rows::Sparse(_)) {
        return None;
    }
    let count = dataset.nrows().min(SOME_ROWS);
    let looked_at = || (0..count).map(|t| t * dataset.nrows() / count);
    let n = count as f64;
    let mut row = vec![0.0; p];
    // In units of the largest number, so that squares neither overflow nor vanish.
    let (mut mean, mut most) = (vec![0.0; p], 0.0f64);
    for i in looked_at() {
        dataset.rows().copy_row(i, &mut row);
        mean.iter_mut().zip(&row).for_each(|(m, v)| *m += v / n);
        most = row.iter().fold(most, |m, v| m.max(v.abs()));
    }
    if !(most > 0.0 && most.is_finite()) {
        return None;
    }
    let mut squares = vec![0.0; p];
    for i in looked_at() {
        dataset.rows().copy_row(i, &mut row);
        squares.iter_mut().zip(row.iter().zip(&mean)).for_each(|(s, (v, m))| *s += ((v - m) / most).powi(2));
    }
    let total: f64 = squares.iter().sum();
    let c = (0..p).max_by(|&a, &b| squares[a].total_cmp(&squares[b]))?;
    let share = squares[c] / total;
    (share > DOMINANT).then(|| Warning::DominantColumn {
        dataset: dataset.name().into(),
        column: dataset.columns().map_or_else(|| format!("column {c}"), |names| format!("column \"{}\"", names[c])),
        share,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::Matrix;

    fn table(name: &str, n: usize, sorted: Option<usize>, seed: usize) -> Dataset {
        let value = |i: usize, j: usize| match sorted {
            Some(c) if c == j => (i as f64).sqrt() * (seed + 1) as f64,
            _ => ((i * 37 + j * 11 + seed * 5) % 23) as f64,
        };
        let names = (0..5).map(|j| format!("{name}{j}")).collect();
        Dataset::new(name, Matrix::from_fn(n, 5, value)).unwrap().with_columns(names).unwrap()
    }

    #[test]
    fn tables_that_were_sorted_by_themselves_are_told() {
        let pairs = Pairs::first_rows(2, 30);
        let told = |x: Option<usize>, y: Option<usize>| sorted_apart(&[table("a", 30, x, 1), table("b", 30, y, 2)], &pairs);
        let Some(Warning::SortedApart { by, .. }) = told(Some(1), Some(4)) else { panic!("not told") };
        assert_eq!(by, ["a1".to_string(), "b4".to_string()]);
        assert!(told(None, Some(4)).is_none() && told(Some(1), None).is_none());
        // The same column, and pairs in another order.
        let same = [table("a", 30, Some(1), 1), table("a", 30, Some(1), 1)];
        assert!(sorted_apart(&same, &pairs).is_none());
        let mut back = Pairs::none(2);
        (0..30).for_each(|i| back.add(0, i, 1, 29 - i, 1.0).unwrap());
        assert!(sorted_apart(&[table("a", 30, Some(1), 1), table("b", 30, Some(4), 2)], &back).is_none());
        assert!(sorted_apart(&[table("a", 30, Some(1), 1), table("b", 30, Some(4), 2)], &Pairs::first_rows(2, 9)).is_none());
    }

    #[test]
    fn a_path_is_in_an_order_of_its_own() {
        let helix = |name: &str, columns: [usize; 3]| {
            let at = |i: usize| [(0.3 * i as f64).cos(), (0.3 * i as f64).sin(), 0.1 * i as f64];
            Dataset::new(name, Matrix::from_fn(40, 3, |i, j| at(i)[columns[j]] * (1 + j) as f64)).unwrap()
        };
        assert!(sorted_apart(&[helix("x", [0, 1, 2]), helix("y", [2, 0, 1])], &Pairs::first_rows(2, 40)).is_none());
    }

    #[test]
    fn a_column_in_other_units_is_told() {
        let scaled = |by: f64| {
            let m = Matrix::from_fn(40, 5, |i, j| ((i * 37 + j * 11) % 23) as f64 * if j == 2 { by } else { 1.0 });
            dominant_column(&Dataset::new("t", m).unwrap())
        };
        assert!(scaled(1.0).is_none() && scaled(5.0).is_none());
        for by in [1e3, 1e160] {
            let Some(Warning::DominantColumn { column, share, .. }) = scaled(by) else { panic!("not told") };
            assert!(column == "column 2" && share > 0.99);
        }
        assert!(dominant_column(&Dataset::new("flat", Matrix::from_fn(9, 5, |_, _| 3.0)).unwrap()).is_none());
    }
}
