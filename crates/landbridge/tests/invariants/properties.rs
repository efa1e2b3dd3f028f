//! What must hold for every method and every embedding. Each property returns why it does not hold.
#![allow(unreachable_pub)] // a module of one test program

use super::data::*;
use landbridge::Error;
use landbridge::data::{Dataset, Pairs};
use landbridge::linalg::Matrix;
use landbridge::model::Alignment;
use landbridge::outcome::Status;

pub type Checked = Result<(), String>;
/// A property: its word in declarations, what it says, and its test on datasets that are stored in one way.
pub struct Property {
    pub word: &'static str,
    /// Whether a method may declare that it does not promise it.
    pub may_be_missed: bool,
    /// Whether it is about pairs, which an embedding of one dataset does not have.
    pub of_pairs: bool,
    pub holds: fn(&Fitting, Stored, usize) -> Checked,
}

pub fn all() -> Vec<Property> {
    let must = |word, holds| Property { word, may_be_missed: false, of_pairs: false, holds };
    let promised = |word, holds| Property { may_be_missed: true, ..must(word, holds) };
    let of_pairs = |property| Property { of_pairs: true, ..property };
    vec![
        must("threads", threads),
        of_pairs(must("repeated_pairs", |v, s, c| with_pairs(v, s, c, "pairs given twice", |i| (i, i)))),
        of_pairs(promised("many_to_one", |v, s, c| with_pairs(v, s, c, "many rows with one", |i| (i, 7)))),
        of_pairs(promised("contradictory_pairs", |v, s, c| with_pairs(v, s, c, "contradictory pairs", |i| (i, (i + 10) % ROWS)))),
        must("duplicates", duplicated_rows),
        must("condition", condition),
        must("rank_one", rank_one),
        must("constant_column", constant_column),
        must("wide", more_columns_than_rows),
        must("parts", parts),
        promised("row_order", row_order),
        promised("column_order", column_order),
        promised("storage", storage),
        promised("rotation", rotation),
        promised("scale", scale),
        promised("repeated", repeated_eigenvalues),
    ]
}

/// How far distances may move: by the rounding of single precision. The semidefinite program of LAMVU determines its solution to the
/// root of its gap.
fn tolerance(fitting: &Fitting, stored: Stored, a: &Alignment, b: &Alignment) -> f64 {
    let rounding = if stored == Stored::F32 { 2e-3 } else { 1e-6 };
    let gap = if fitting.name() == "lamvu" { a.outcome().residual.max(b.outcome().residual) } else { 0.0 };
    f64::max(rounding, 10.0 * gap.sqrt())
}

fn everywhere(count: usize) -> Vec<Vec<usize>> {
    vec![(0..ROWS).collect(); count]
}

fn fitted(fitting: &Fitting, what: &str, datasets: &[Dataset], pairs: &Pairs) -> Result<Alignment, String> {
    let alignment = fitting.fit(datasets, pairs).map_err(|e| format!("{what}: {e}"))?;
    match not_finite(&alignment, datasets) {
        Some(why) => Err(format!("{what}: {why}")),
        None => Ok(alignment),
    }
}

fn same(what: &str, a: &[f64], b: &[f64], tolerance: f64) -> Checked {
    let gap = apart(a, b);
    if gap <= tolerance { Ok(()) } else { Err(format!("{what}: distances move by {gap:.1e}")) }
}

/// The same bytes on one and two threads, twice.
fn threads(fitting: &Fitting, stored: Stored, count: usize) -> Checked {
    let (data, pairs) = (datasets(stored, &sheets(count)), half(count));
    let bytes = |threads| fitting.fit_on(threads, &data, &pairs).and_then(|a| a.to_bytes()).map_err(|e| e.to_string());
    let first = bytes(1)?;
    for threads in [1, 2, 2] {
        if bytes(threads)? != first {
            return Err(format!("other bytes on {threads} thread(s)"));
        }
    }
    Ok(())
}

/// Rows of the first dataset, and the pairs with them, in another order: every row keeps its distances.
fn row_order(fitting: &Fitting, stored: Stored, count: usize) -> Checked {
    let (mut matrices, pairs) = (sheets(count), half(count));
    let before = fitted(fitting, "before", &datasets(stored, &matrices), &pairs)?;
    let order: Vec<usize> = (0..ROWS).map(|i| (i * 17 + 3) % ROWS).collect();
    let mut place = vec![0; ROWS];
    order.iter().enumerate().for_each(|(new, &old)| place[old] = new);
    matrices[0] = matrices[0].select_rows(&order);
    let mut moved = Pairs::none(count);
    // Pairs in another order as well.
    for link in pairs.links().iter().rev() {
        let i = if link.a == 0 { place[link.i] } else { link.i };
        moved.add(link.a, i, link.b, link.j, link.weight).map_err(|e| e.to_string())?;
    }
    let after = fitted(fitting, "after", &datasets(stored, &matrices), &moved)?;
    let mut places = everywhere(count);
    let old = distances(&before, &places);
    places[0] = place;
    same("rows in another order", &old, &distances(&after, &places), tolerance(fitting, stored, &before, &after))
}

/// Columns of every dataset in another order.
fn column_order(fitting: &Fitting, stored: Stored, count: usize) -> Checked {
    let (matrices, pairs, places) = (sheets(count), half(count), everywhere(count));
    let before = fitted(fitting, "before", &datasets(stored, &matrices), &pairs)?;
    let turned: Vec<Matrix<f64>> =
        matrices.iter().map(|m| Matrix::from_fn(m.nrows(), m.ncols(), |i, j| m[(i, m.ncols() - 1 - j)])).collect();
    let after = fitted(fitting, "after", &datasets(stored, &turned), &pairs)?;
    same(
        "columns in another order",
        &distances(&before, &places),
        &distances(&after, &places),
        tolerance(fitting, stored, &before, &after),
    )
}

/// Single precision and sparse rows give what double precision gives: the values fit single precision.
fn storage(fitting: &Fitting, stored: Stored, count: usize) -> Checked {
    let (matrices, pairs, places) = (sheets(count), half(count), everywhere(count));
    let base = fitted(fitting, "double precision", &datasets(Stored::F64, &matrices), &pairs)?;
    let other = fitted(fitting, "as stored", &datasets(stored, &matrices), &pairs)?;
    same("storage", &distances(&base, &places), &distances(&other, &places), tolerance(fitting, stored, &base, &other))
}

/// The first dataset turned by plane rotations.
fn rotation(fitting: &Fitting, stored: Stored, count: usize) -> Checked {
    let (mut matrices, pairs, places) = (sheets(count), half(count), everywhere(count));
    let before = fitted(fitting, "before", &datasets(stored, &matrices), &pairs)?;
    for i in 0..ROWS {
        let row = matrices[0].row_mut(i);
        for (a, b, angle) in [(0, 1, 0.7f64), (2, 5, -1.1), (1, 4, 2.3), (3, 4, 0.2)] {
            let (x, y) = (row[a], row[b]);
            row[a] = x * angle.cos() - y * angle.sin();
            row[b] = x * angle.sin() + y * angle.cos();
        }
    }
    let after = fitted(fitting, "after", &datasets(stored, &matrices), &pairs)?;
    same(
        "a rotation",
        &distances(&before, &places),
        &distances(&after, &places),
        10.0 * tolerance(fitting, stored, &before, &after),
    )
}

/// The last dataset times a power of ten, from the smallest to the largest that the type holds.
fn scale(fitting: &Fitting, stored: Stored, count: usize) -> Checked {
    let (matrices, pairs, places) = (sheets(count), half(count), everywhere(count));
    let before = fitted(fitting, "before", &datasets(stored, &matrices), &pairs)?;
    let base = distances(&before, &places);
    let exponents: &[i32] = if stored == Stored::F32 { &[-30, -12, 12, 30] } else { &[-300, -150, -12, 12, 150, 300] };
    for &exponent in exponents {
        let mut scaled = matrices.clone();
        let last = count - 1;
        scaled[last] = Matrix::from_fn(ROWS, scaled[last].ncols(), |i, j| scaled[last][(i, j)] * 10f64.powi(exponent));
        let what = format!("times 1e{exponent}");
        let after = fitted(fitting, &what, &datasets(stored, &scaled), &pairs)?;
        same(&what, &base, &distances(&after, &places), 10.0 * tolerance(fitting, stored, &before, &after))?;
    }
    Ok(())
}

/// Every row twice, in every dataset: a finite answer.
fn duplicated_rows(fitting: &Fitting, stored: Stored, count: usize) -> Checked {
    let twice: Vec<usize> = (0..ROWS).map(|i| i / 2).collect();
    let matrices: Vec<Matrix<f64>> = sheets(count).iter().map(|m| m.select_rows(&twice)).collect();
    fitted(fitting, "every row twice", &datasets(stored, &matrices), &half(count)).map(|_| ())
}

/// Columns of the first dataset stretched apart by up to 1e16: the residual stays small in units of rounding, or the outcome
/// says that it does not.
fn condition(fitting: &Fitting, stored: Stored, count: usize) -> Checked {
    for step in [0, 4, 8, 12, 16] {
        let mut matrices = sheets(count);
        let p = matrices[0].ncols() as i32;
        for i in 0..ROWS {
            for (j, v) in matrices[0].row_mut(i).iter_mut().enumerate() {
                *v *= 10f64.powf(f64::from(step * j as i32) / f64::from(p - 1));
            }
        }
        let what = format!("condition 1e{step}");
        let outcome = fitted(fitting, &what, &datasets(stored, &matrices), &half(count))?.outcome().clone();
        let scaled = outcome.residual / (f64::EPSILON * (count * ROWS) as f64);
        let kept = scaled <= 100.0 || outcome.residual <= outcome.tolerance;
        if !kept && outcome.status == Status::Converged {
            return Err(format!(
                "{what}: residual {:.1e} (scaled {scaled:.0}), asked {:.0e}",
                outcome.residual, outcome.tolerance
            ));
        }
    }
    Ok(())
}

/// Data of rank 1, all columns multiples of one.
fn rank_one(fitting: &Fitting, stored: Stored, count: usize) -> Checked {
    let column = sheet(ROWS, 1, 3);
    let of = |m: &Matrix<f64>| Matrix::from_fn(ROWS, m.ncols(), |i, j| column[(i, 0)] * (j + 1) as f64);
    let matrices: Vec<Matrix<f64>> = sheets(count).iter().map(of).collect();
    fitted(fitting, "rank 1", &datasets(stored, &matrices), &half(count)).map(|_| ())
}

/// A large constant column beside numbers that vanish in its rounding, in the last dataset: finite numbers, or a refusal that says that
/// nothing varies.
fn constant_column(fitting: &Fitting, stored: Stored, count: usize) -> Checked {
    for exponent in [-200, -20] {
        let mut matrices = sheets(count);
        let last = matrices.pop().unwrap();
        let p = last.ncols();
        matrices.push(Matrix::from_fn(ROWS, p + 1, |i, j| if j == p { 3.0 } else { last[(i, j)] * 10f64.powi(exponent) }));
        let data = datasets(stored, &matrices);
        match fitting.fit(&data, &half(count)) {
            Err(Error::Degenerate { .. } | Error::PairsDegenerate { .. } | Error::Numerical { .. }) => {}
            Err(other) => return Err(format!("3 beside 1e{exponent}: {other} ({other:?})")),
            Ok(alignment) => {
                if let Some(why) = not_finite(&alignment, &data) {
                    return Err(format!("3 beside 1e{exponent}: {why}"));
                }
            }
        }
    }
    Ok(())
}

/// Three times as many columns as rows.
fn more_columns_than_rows(fitting: &Fitting, stored: Stored, count: usize) -> Checked {
    let matrices: Vec<Matrix<f64>> = (0..count).map(|s| sheet(ROWS, 3 * ROWS, s + 1)).collect();
    fitted(fitting, "more columns than rows", &datasets(stored, &matrices), &half(count)).map(|_| ())
}

/// Groups of rows so far apart that no graph of neighbours joins them; every group has pairs, or those of the last half have none.
fn parts(fitting: &Fitting, stored: Stored, count: usize) -> Checked {
    let fitting = fitting.with_neighbors(2);
    for parts in [1, 2, 5, 17, 50] {
        let rows = (4 * parts).max(ROWS);
        let matrices: Vec<Matrix<f64>> = (0..count)
            .map(|s| {
                let near = sheet(rows, 5 + s, s + 1);
                Matrix::from_fn(rows, 5 + s, |i, j| near[(i, j)] + 1e4 * (i * parts / rows) as f64)
            })
            .collect();
        let data = datasets(stored, &matrices);
        for (every, up_to) in [(2, rows), (1, rows / 2)] {
            let table: Vec<Vec<i64>> = (0..up_to as i64).step_by(every).map(|i| vec![i; count]).collect();
            let pairs = if count == 1 { Pairs::none(1) } else { Pairs::from_table(&table).map_err(|e| e.to_string())? };
            fitted(&fitting, &format!("{parts} parts, pairs up to row {up_to}"), &data, &pairs)?;
        }
    }
    Ok(())
}

/// Rows on a circle, whose eigenvalues come in pairs: rows in another order keep their distances, which depend on the subspace
/// of a pair and not on its basis.
fn repeated_eigenvalues(fitting: &Fitting, stored: Stored, count: usize) -> Checked {
    let circle = |shift: usize| {
        let angle = move |i: usize| std::f64::consts::TAU * ((i + shift) % ROWS) as f64 / ROWS as f64;
        Matrix::from_fn(ROWS, 3, move |i, j| [angle(i).cos(), angle(i).sin(), 0.0][j])
    };
    let all = Pairs::first_rows(count, ROWS);
    let matrices = vec![circle(0); count];
    let before = fitted(fitting, "a circle", &datasets(stored, &matrices), &all)?;
    let shifted = vec![circle(5); count];
    let after = fitted(fitting, "a turned circle", &datasets(stored, &shifted), &all)?;
    let places = vec![(0..ROWS).map(|i| (i + 5) % ROWS).collect(); count];
    same(
        "a turned circle",
        &distances(&before, &places),
        &distances(&after, &everywhere(count)),
        100.0 * tolerance(fitting, stored, &before, &after),
    )
}

/// Further pairs of every other row with the rows that `of` tells.
fn with_pairs(fitting: &Fitting, stored: Stored, count: usize, what: &str, of: fn(usize) -> (usize, usize)) -> Checked {
    let mut pairs = half(count);
    for (i, j) in (0..ROWS).step_by(2).map(of) {
        pairs.add(0, i, 1, j, 1.0).map_err(|e| e.to_string())?;
    }
    fitted(fitting, what, &datasets(stored, &sheets(count)), &pairs).map(|_| ())
}
